"""Solo DBA for DBA 2.2: what the attack and the terrain of a saved battle break of its sections 2.3 and 3.

Dice are read again from the log, with the modifiers of the source. Where it leaves a fact to the rules of DBA 2.2, the
fact is one that reference sheets and club guides agree on. Inches are those of the board of 24 inches.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from record_shapes import (
    ROUNDED,
    Saved,
    Tree,
    band,
    crossings,
    edge_line,
    ends,
    mark_faults,
    roll_off_winner,
    smallest_box,
    straightness,
    stretch_near_edges,
    water_depths,
)
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

COMPULSORY: Final = {
    "arable": ("bua", "road"),
    "forest": ("woods",),
    "hilly": ("steep_hill",),
    "steppe": ("gentle_hill",),
    "dry": ("rough",),
    "tropical": ("woods",),
    "littoral": ("waterway",),
}
OPTIONAL: Final = {
    "arable": ("river", "steep_hill", "gentle_hill", "woods", "road", "waterway"),
    "forest": ("river", "marsh", "gentle_hill"),
    "hilly": ("river", "woods", "bua", "road"),
    "steppe": ("river", "rough", "bua"),
    "dry": ("dunes", "steep_hill", "oasis", "bua"),
    "tropical": ("river", "marsh", "rough", "bua", "road"),
    "littoral": ("steep_hill", "marsh", "woods", "dunes", "bua", "river"),
}
"""The table of home topography of DBA 2.2."""
DOUBLED: Final = ("woods", "steep_hill", "gentle_hill", "rough", "road")
"""Compulsory features of which there may be two (SD-3.1.2-a)."""
ONCE: Final = ("waterway", "river", "oasis", "bua")
BAD: Final = ("woods", "steep_hill", "rough", "marsh", "dunes", "oasis")
DRAWN: Final = {
    "waterway": ("waterway", "impassable"),
    "bua": ("bua", "special"),
    "river": ("river", "special"),
    "woods": ("light_woods", "bad"),
    "steep_hill": ("hill", "bad"),
    "gentle_hill": ("hill", "good"),
    "rough": ("rough_ground", "bad"),
    "marsh": ("marsh", "bad"),
    "dunes": ("dunes", "bad"),
    "oasis": ("oasis", "bad"),
    "road": ("road", "good"),
}
"""The kind and the going of each feature."""
ORDER: Final = {"waterway": 0, "bua": 1, "river": 2, "road": 4}
"""The order in which features are placed; other area features come between river and roads (SD-3.3-c)."""
TYPES: Final = {"Cb": "Bw", "Lb": "Bw", "LCh": "Cv", "HCh": "Kn", "LCm": "LH"}
"""Other codes of troop types: crossbows and longbows are bows; light chariots fight as cavalry, others as knights."""
MOUNTED: Final = ("El", "Kn", "Cv", "LH", "Cm", "SCh")
BAD_GOERS: Final = ("Ps", "Ax", "Wb", "Bw")
WATERWAY: Final = {1: "right", 2: "right", 3: "left", 4: "left", 5: "far", 6: "near"}
BUA: Final = {1: "near-right", 2: "near-right", 3: "near-left", 4: "near-left", 5: "far-right", 6: "far-left"}
RIVER: Final = {1: "across-far", 2: "across-far", 3: "across-near", 4: "up-left", 5: "up-right", 6: "up-right"}
COLUMNS: Final = {1: "left", 2: "left", 3: "centre", 4: "centre", 5: "right", 6: "right"}
ROWS: Final = {1: "near", 2: "near", 3: "middle", 4: "middle", 5: "far", 6: "far"}
ROADS: Final = dict(
    enumerate(("across-near", "across-middle", "across-far", "up-left", "up-centre", "up-right"), start=1)
)
THIRDS: Final = {"left": 0, "near": 0, "centre": 1, "middle": 1, "right": 2, "far": 2}
SLIGHT: Final = 0.005
"""BW: points are rounded to thousandths of a millimetre."""


class Battle(Saved):
    """A saved battle: its terrain, the armies of attacker and defender, and the inch of its board."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.base = float(tree["board"]["base_width_mm"])
        self.hundred = float(tree["board"]["pace_mm"]) * 100
        self.terrain: Tree = self.details["terrain"]
        self.rows: list[Tree] = self.terrain.get("pieces", [])
        self.defender = {"npg": "you", "you": "npg"}[self.details["attack"]["attacker"]]
        self.of_row = {row["id"]: row["terrain"] for row in self.rows}

    def army(self, side: str) -> Counter[str]:
        """Return how many elements of each troop type a side has."""
        armies = self.details["armies"]
        elements = armies["you"]["elements"] if side == "you" else self.details["composition"]["elements"]
        found: Counter[str] = Counter()
        for code, count in elements.items():
            name = re.sub(r"^[\d/]*", "", code.split("//")[0])
            found[TYPES.get(name, name)] += count
        return found

    def count(self, side: str, *types: str) -> int:
        """Return how many elements of some troop types the defender or the attacker has."""
        army = self.army(self.defender if side == "defender" else self.details["attack"]["attacker"])
        return sum(army[name] for name in types)

    def ground(self, name: str) -> BaseGeometry:
        """Return the ground that a feature covers."""
        shape = self.shapes[name]
        return shape if shape.geom_type == "Polygon" else band(shape, self.features_by[name]["width_mm"])

    def placed(self, *terrain: str) -> Iterator[tuple[str, BaseGeometry]]:
        """Yield ID and shape of the features of some terrain that are on the board."""
        for row in self.rows:
            if row["terrain"] in terrain and row["id"] in self.shapes:
                yield row["id"], self.shapes[row["id"]]


def check_attack(battle: Battle) -> Iterator[str]:
    armies = battle.details["armies"]
    rolls = [(row["reason"], int(row["answer"])) for row in battle.log if row["reason"].startswith("attacker: ")]
    total = [
        ("A", score + armies["npg"]["aggression"]) if "NPG" in reason else ("B", score + armies["you"]["aggression"])
        for reason, score in rolls
    ]
    attacker = {"A": "npg", "B": "you"}.get(roll_off_winner(total) or "", "none")
    if attacker != battle.details["attack"]["attacker"]:
        yield f"SD-2.3-a: {battle.details['attack']['attacker']} attacks; the totals {total} give {attacker}"


def check_home(battle: Battle) -> Iterator[str]:
    home, setting = battle.terrain["home"], battle.settings["home"]
    if home != (battle.details["armies"][battle.defender]["home"] if setting == "auto" else setting):
        yield f"SD-3.1-a: the home topography is {home}"
    by_dice = battle.settings["solo_terrain"] == "both" or battle.defender == "npg"
    if (battle.terrain["by"] == "dice") is not by_dice:
        yield f"SD-3-a: {battle.defender} defends, and the terrain is chosen by {battle.terrain['by']}"


def die(battle: Battle, reason: str) -> int | None:
    """Return the one die of the log for a reason, or None."""
    scores = [int(row["answer"]) for row in battle.log if row["reason"] == reason]
    return scores[0] if len(scores) == 1 else None


def check_compulsory(battle: Battle) -> Iterator[str]:
    found = [row["terrain"] for row in battle.rows if row["compulsory"]]
    home, choice = battle.terrain["home"], COMPULSORY[battle.terrain["home"]][-1]
    score = die(battle, "compulsory feature")
    if home == "arable" and battle.settings["use_bua"] == "true":
        own = battle.count("defender", "Sp", "Bd")
        total = (score or 0) + (battle.count("defender", *MOUNTED) >= 5) + 2 * (own < 6)
        total += 2 * (battle.count("attacker", "Art") > 0) + 3 * (own == 0 and battle.count("attacker", "Sp", "Bd") > 0)
        choice = "bua" if total <= 3 else "road"
        if score is None or choice not in found:
            yield f"SD-3.1.1-b: a die of {score} with modifiers is {total}, the compulsory features are {found}"
    elif score is not None:
        yield f"SD-3.1.1-a: a die was thrown for the compulsory feature of {home}"
    wanted, second = 1, die(battle, "second compulsory piece")
    if choice in DOUBLED:
        many = battle.count("defender", *BAD_GOERS) > 6 and choice in ("woods", "steep_hill", "rough")
        wanted = 2 if (second or 0) + many >= 4 else 1
    if (second is not None) is not (choice in DOUBLED):
        yield f"SD-3.1.2-a: {choice} {'has no die' if second is None else 'has a die'} for a second piece"
    if found != [choice] * wanted:
        yield f"SD-3.1.2-r1: the compulsory features are {found}, not {wanted} of {choice} (die: {second})"


def check_number(battle: Battle) -> Iterator[str]:
    found = [row for row in battle.rows if not row["compulsory"]]
    score, own, other = die(battle, "number of optional features"), "defender", "attacker"
    bad, their_bad = battle.count(own, *BAD_GOERS), battle.count(other, *BAD_GOERS)
    horse, their_horse = battle.count(own, *MOUNTED), battle.count(other, *MOUNTED)
    two_bad = sum(row["compulsory"] and row["terrain"] in BAD for row in battle.rows) == 2
    total = (score or 0) + 2 * (bad > their_bad) + (their_horse > horse) - two_bad
    total += -(horse > their_horse) - (their_bad > bad)
    if score is None or len(found) != (2 if total <= 3 else 3):
        yield f"SD-3.2.1-a: a die of {score} with modifiers is {total}, there are {len(found)} optional features"


def excluded(battle: Battle) -> set[str]:
    """Return the features of a littoral defender that dice or his army leave out (SD-3.2.2)."""
    left_out = set()
    wishes = battle.details["armies"][battle.defender].get("littoral", {})
    for key, pair in (("hills_or_marsh", ("steep_hill", "marsh")), ("woods_or_dunes", ("woods", "dunes"))):
        wish = wishes.get(key, "dice")
        names = [name.replace("_", " ") for name in pair]
        rolls = [
            ("A" if row["reason"].startswith(names[0]) else "B", int(row["answer"]))
            for row in battle.log
            if row["reason"] in (f"{names[0]} or not", f"{names[1]} or not")
        ]
        winner = {"A": pair[0], "B": pair[1]}.get(roll_off_winner(rolls) or "") if wish == "dice" else wish
        left_out |= {name for name in pair if name != winner}
    return left_out


def candidates(battle: Battle) -> list[str]:
    """Return the optional features for which dice are thrown, in the order of the table."""
    home = battle.terrain["home"]
    compulsory = Counter(row["terrain"] for row in battle.rows if row["compulsory"])
    found = []
    for name in OPTIONAL[home]:
        if (home == "littoral" and name in excluded(battle)) or (
            name == "bua" and battle.settings["use_bua"] != "true"
        ):
            continue
        found += [name] * ((1 if name in ONCE else 2) - compulsory[name])
    return found


class Selection:
    """The dice for optional features, read in the order of the log, and the choice that follows from them."""

    def __init__(self, battle: Battle) -> None:
        self.names = candidates(battle)
        self.dice = [row for row in battle.log if row["stage"] == "selection" and row["reason"].startswith("optional ")]
        self.less = battle.details["armies"][battle.details["attack"]["attacker"]]["home"] == "littoral"
        self.scores = [self.throw(at) for at in range(len(self.names))]

    def throw(self, at: int) -> int:
        """Return the next die, which has to be for a candidate; a waterway counts less for a littoral attacker."""
        row = self.dice.pop(0)
        if re.sub(r" \d$", "", row["reason"].removeprefix("optional ")).replace(" ", "_") != self.names[at]:
            raise LookupError(row["reason"])
        return int(row["answer"]) - (self.less and self.names[at] == "waterway")

    def best(self, among: list[int], scores: dict[int, int], places: int) -> list[int]:
        """Return the candidates with the highest scores; tied ones are thrown for again if that decides."""
        if places <= 0:
            return []
        top = max(scores[at] for at in among)
        tied = [at for at in among if scores[at] == top]
        rest = [at for at in among if at not in tied]
        if len(tied) <= places:
            return tied + (self.best(rest, scores, places - len(tied)) if rest else [])
        if len({self.names[at] for at in tied}) == 1:
            return tied[:places]
        return self.best(tied, {at: self.throw(at) for at in tied}, places)

    def choose(self, places: int, compulsory: list[str]) -> Counter[str]:
        """Return the features that the dice choose."""
        scores, among = dict(enumerate(self.scores)), list(range(len(self.names)))
        hindering = (*BAD, "waterway", "river")
        first: list[int] = []
        if not set(compulsory) & set(hindering):
            first = self.best([at for at in among if self.names[at] in hindering], scores, 1)
        rest = [at for at in among if at not in first]
        return Counter(self.names[at] for at in first + self.best(rest, scores, places - len(first)))


def check_optional(battle: Battle) -> Iterator[str]:
    found = Counter(row["terrain"] for row in battle.rows if not row["compulsory"])
    compulsory = [row["terrain"] for row in battle.rows if row["compulsory"]]
    try:
        selection = Selection(battle)
        chosen = selection.choose(found.total(), compulsory)
    except LookupError as error:
        yield f"SD-3.2.3-a: dice were thrown for other features, {error}; candidates: {candidates(battle)}"
        return
    if chosen != found:
        yield f"SD-3.2.3-d: the optional features are {dict(found)}, the dice give {dict(chosen)}"
    if selection.dice:
        yield f"SD-3.2.3-e: {len(selection.dice)} dice too many for optional features"


def check_features(battle: Battle) -> Iterator[str]:
    left_out = {row["id"] if isinstance(row, dict) else row for row in battle.terrain["left_out"]}
    for row in battle.rows:
        if (row["id"] in battle.shapes) is (row["id"] in left_out):
            yield f"SD-3.3-b: {row['id']} is {'drawn and left out' if row['id'] in left_out else 'lost'}"
        elif row["id"] in battle.shapes:
            kind, going = DRAWN[row["terrain"]]
            properties = battle.features_by[row["id"]]
            if (properties["kind"], properties["going"]) != (kind, going):
                yield f"SD-3.2.3-c: {row['id']} is {properties['kind']}, {properties['going']}, not {kind}, {going}"
    for name, kind in battle.kinds.items():
        if name not in battle.of_row and kind not in ("steep_slope", "ford", "bridge"):
            yield f"SD-3-a: {name}, {kind}, was not selected"
    places = [ORDER.get(row["terrain"], 3) for row in battle.rows]
    if places != sorted(places):
        yield f"SD-3.3-c: the order is {[row['id'] for row in battle.rows]}"


def rolled(battle: Battle, row: Tree) -> str:
    """Return the place that the last dice of the log give a feature."""

    def last(what: str) -> int:
        wanted = f"{what} of {row['id']}" if what != "place" or row["terrain"] != "road" else f"place of {row['id']}"
        wanted = wanted if any(each["reason"].startswith(wanted) for each in battle.log) else f"{what} for {row['id']}"
        return int([each["answer"] for each in battle.log if re.match(rf"{wanted}( |$)", each["reason"])][-1])

    table = {"waterway": WATERWAY, "bua": BUA, "river": RIVER, "road": ROADS}.get(row["terrain"])
    return table[last("place")] if table else f"{COLUMNS[last('column')]}/{ROWS[last('row')]}"


def check_places(battle: Battle) -> Iterator[str]:
    clauses = {"waterway": "SD-3.3.1-a", "bua": "SD-3.3.2-a", "river": "SD-3.3.3-a", "road": "SD-3.3.5-e"}
    for row in battle.rows:
        clause = clauses.get(row["terrain"], "SD-3.3.4-a")
        if row["id"] not in battle.shapes:
            continue
        try:
            place = rolled(battle, row)
        except (LookupError, ValueError):
            place = "no dice"
        if row["result"].split("/low")[0].split("/high")[0] != place:
            yield f"{clause}: {row['id']} is placed {row['result']}, the dice give {place}"
    roads = [row["result"] for row in battle.rows if row["terrain"] == "road" and row["id"] in battle.shapes]
    if len(set(roads)) < len(roads):
        yield f"AMB-23: two roads are placed {roads[0]}"


def third(battle: Battle, place: str) -> BaseGeometry:
    """Return a column, a row, or the sector of a column and a row (SD-3.3.4-a)."""
    side, area = battle.width / 3, battle.board
    for name in place.split("/"):
        at = THIRDS[name] * side
        strip = box(at, 0, at + side, battle.depth) if name in ("left", "centre", "right") else None
        area = area.intersection(strip or box(0, at, battle.width, at + side))
    return area


def quarters(battle: Battle) -> list[BaseGeometry]:
    """Return the four quarters of the board."""
    half, whole = battle.width / 2, battle.width
    return [box(x, y, x + half, y + half) for x in (0, half) for y in (0, half) if x + y < whole + 1]


def check_waterway(battle: Battle) -> Iterator[str]:
    for name, water in battle.placed("waterway"):
        edge = next(row["result"] for row in battle.rows if row["id"] == name)
        if edge_line(battle, edge).difference(water.buffer(ROUNDED)).length > 1:
            yield f"SD-3.3.1-b: {name} does not lie along the {edge} edge"
            continue
        depths = [depth / battle.base for depth in water_depths(battle, water, edge)]
        if depths[0] < 0.5 - SLIGHT * 4 or depths[-1] > 3 + SLIGHT * 4 or depths[29] > 1.5 + SLIGHT * 4:
            yield f"F-06: {name} is {depths[0]:.2f} to {depths[-1]:.2f} BW deep; 0.5 to 3, half of it at most 1.5"


def check_bua(battle: Battle) -> Iterator[str]:
    for name, area in battle.placed("bua"):
        result = next(row["result"] for row in battle.rows if row["id"] == name)
        side, size = 9 * battle.hundred, battle.width
        x, y = size - side if "right" in result else 0, size - side if "far" in result else 0
        if not box(x, y, x + side, y + side).buffer(ROUNDED).covers(area):
            yield f"SD-3.3.2-a: {name} is not within 900 paces of the {result} corner"


def check_river(battle: Battle) -> Iterator[str]:
    for name, line in battle.placed("river"):
        result, size = next(row["result"] for row in battle.rows if row["id"] == name), battle.width
        low = {"across-near": 0.25, "across-far": 0.5, "up-left": 0.25, "up-right": 0.5}[result] * size
        strip = box(0, low, size, low + size / 4) if "across" in result else box(low, 0, low + size / 4, size)
        if line.difference(strip.buffer(ROUNDED)).length > ROUNDED:
            yield f"SD-3.3.3-r1: {name}, {result}, leaves its quarter of the board"
        places = [battle.edges_at(end) or shore_edge(battle, end) for end in ends(line)]
        wanted = {"W", "E"} if "across" in result else {"S", "N"}
        if set(places) != wanted or not line.is_simple:
            yield f"SD-3.3.3-a: {name}, {result}, runs from {places[0]} to {places[1]}"
        if straightness(line) > 1.5 + 0.001:
            yield f"SD-3.3.3-b: {name} is {straightness(line):.3f} times the distance of its ends, at most 1.5"
        near = stretch_near_edges(battle, line, 6 * battle.hundred - ROUNDED)
        if any(first > ROUNDED and last < line.length - ROUNDED for first, last in near) or len(near) > 2:
            yield f"SD-3.3.3-c: {name} comes within 600 paces of an edge between its ends"
        if sum(line.intersection(quarter).length > 1 for quarter in quarters(battle)) != 2:
            yield f"SD-3.3.3-d: {name} does not lie in two quarters"
        if battle.features_by[name]["width_mm"] > battle.base + ROUNDED:
            yield f"F-06: {name} is wider than 1 BW"
        for hill, area in battle.placed("steep_hill", "gentle_hill"):
            if battle.ground(name).intersection(area).area > 1:
                yield f"F-06: {name} crosses {hill}"


def shore_edge(battle: Battle, point: BaseGeometry) -> str:
    """Return the letter of the edge of the waterway at which a point is, or an empty text (AMB-20)."""
    letters = {"near": "S", "far": "N", "left": "W", "right": "E"}
    for name, water in battle.placed("waterway"):
        if water.distance(point) <= battle.base / 4 + ROUNDED:
            return letters[next(row["result"] for row in battle.rows if row["id"] == name)]
    return ""


def check_areas(battle: Battle) -> Iterator[str]:
    areas = list(battle.placed("bua", *BAD, "gentle_hill"))
    for at, (name, area) in enumerate(areas):
        terrain = battle.of_row[name]
        row = next(row for row in battle.rows if row["id"] == name)
        if terrain != "bua" and area.intersection(third(battle, row["result"])).area < 0.5 * area.area - 1:
            yield f"SD-3.3.4-b: less than half of {name} lies in sector {row['result']}"
        length, width = smallest_box(area, battle.base)
        if length + width > 9 + SLIGHT or width < 1 - SLIGHT:
            yield f"F-06: {name} is {length:.2f} x {width:.2f} BW; together at most 9, each at least 1"
        if terrain not in ("marsh", "rough") and length > 2 * width + SLIGHT:
            yield f"F-06: {name} is {length:.2f} x {width:.2f} BW, at most twice as long as wide"
        if not battle.board.buffer(ROUNDED).covers(area):
            yield f"F-06: {name} leaves the board"
        for other, beside in [*areas[:at], *battle.placed("waterway")]:
            if area.distance(beside) / battle.base < 1 - SLIGHT:
                yield f"F-06: {name} is {area.distance(beside) / battle.base:.2f} BW from {other}, at least 1"
    bad = [row for row in battle.rows if row["terrain"] in BAD]
    if len(bad) == 1 and bad[0]["id"] in battle.shapes:
        area, inch = battle.shapes[bad[0]["id"]], battle.hundred
        if sum(area.intersection(quarter).area >= 0.25 * inch**2 - 1 for quarter in quarters(battle)) < 2:
            yield f"SD-3.3.4-c: {bad[0]['id']}, the only bad going, does not straddle two quarters"


def check_quarters(battle: Battle) -> Iterator[str]:
    def held(*terrain: str) -> int:
        grounds = [battle.ground(name) for name, _ in battle.placed(*terrain)]
        return sum(any(each.intersection(quarter).area > 1 for each in grounds) for quarter in quarters(battle))

    if held(*DRAWN) < 3 or held(*BAD, "river", "waterway") < 2:
        yield f"F-06: {held(*DRAWN)} quarters hold terrain; {held(*BAD, 'river', 'waterway')} water or bad going"


def check_roads(battle: Battle) -> Iterator[str]:
    roads = list(battle.placed("road"))
    for name, line in roads:
        result = next(row["result"] for row in battle.rows if row["id"] == name)
        way, place = result.split("/")[0].split("-")
        places = [battle.edges_at(end) or shore_edge(battle, end) for end in ends(line)]
        if set(places) != ({"W", "E"} if way == "across" else {"S", "N"}):
            yield f"SD-3.3.5-b: {name}, {result}, runs from {places[0]} to {places[1]}"
        # "Fairly straight" has no number in the source: a fifth more than the straight line is taken as the end of it.
        if straightness(line) > 1.2 or not line.is_simple:
            yield f"SD-3.3.5-b: {name} is {straightness(line):.3f} times the straight line"
        if line.intersection(third(battle, place)).length < 0.5 * line.length:
            yield f"SD-3.3.5-e: {name} does not run along the {place} of the board"
        if sum(line.intersection(quarter).length > 1 for quarter in quarters(battle)) > 2:
            yield f"SD-3.3.5-c: {name} crosses more than two quarters"
        if battle.features_by[name]["width_mm"] > battle.base + ROUNDED:
            yield f"F-06: {name} is wider than 1 BW"
    for bua, area in battle.placed("bua"):
        if roads and not any(battle.ground(name).distance(area) <= ROUNDED for name, _ in roads):
            yield f"SD-3.3.5-a: no road touches {bua}"


def check_crossings(battle: Battle) -> Iterator[str]:
    met = crossings(battle.placed("road"), battle.placed("river"))
    yield from mark_faults(battle, met, "SD-3.3.5-d", "SD-3.3.5-d")
    wanted = "bridge" if battle.settings["bridge_model"] == "true" else "ford"
    for name, properties, _ in battle.of_kind("ford", "bridge"):
        if properties["kind"] != wanted:
            yield f"SD-3.3.5-d: {name} is no {wanted}"


TERRAIN: Final = (
    check_compulsory,
    check_number,
    check_optional,
    check_features,
    check_places,
    check_waterway,
    check_bua,
    check_river,
    check_areas,
    check_quarters,
    check_roads,
    check_crossings,
)
RULES: Final = (check_attack, check_home)


def find_faults(tree: Tree) -> list[str]:
    """Return a line for everything in a saved record that breaks the rules; what a person places is theirs."""
    battle = Battle(tree)
    rules = (*RULES, *(TERRAIN if battle.terrain["by"] == "dice" else ()))
    return [fault for rule in rules for fault in rule(battle)]
