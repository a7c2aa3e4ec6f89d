"""Battlefields of DBA 3 by home topography: what a saved battlefield breaks of the facts about them.

The facts are those that reference sheets, club guides and battle reports agree on; where they are silent, those of DBA
2.2. Lengths are base widths (BW).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from record_shapes import (
    ROUNDED,
    Saved,
    Tree,
    band,
    crossings,
    edge_line,
    ends,
    mark_faults,
    smallest_box,
    straightness,
    water_depths,
)
from shapely import affinity, covers, get_coordinates, polygons, prepare
from shapely.geometry import Point, box
from shapely.geometry.base import BaseGeometry

EDGES: Final = {"near": "S", "far": "N", "left": "W", "right": "E"}
OPPOSITE: Final = {"near": "far", "far": "near", "left": "right", "right": "left"}

COMPULSORY: Final = {
    "arable": ("D3-3", ({"bua": 1}, {"plough": 2})),
    "forest": ("D3-4", ({"woods": 1}, {"woods": 2})),
    "hilly": ("D3-5", ({"steep_hill": 1}, {"steep_hill": 2})),
    "steppe": ("D3-6", ({"gentle_hill": 1}, {"gentle_hill": 2})),
    "dry": ("D3-7", ({"rocky": 1}, {"scrub": 1}, {"rocky": 2}, {"scrub": 2}, {"rocky": 1, "scrub": 1})),
    "tropical": ("D3-8", ({"woods": 1}, {"woods": 2})),
    "littoral": ("D3-9", ({"waterway": 1},)),
}
"""The sets of compulsory features of each home topography."""
OPTIONAL: Final = {
    "arable": "river steep_hill gentle_hill woods plough enclosures road waterway scrub boggy",
    "forest": "river marsh gentle_hill woods bua",
    "hilly": "river woods bua road steep_hill",
    "steppe": "river rocky scrub gully bua",
    "dry": "dunes steep_hill oasis bua",
    "tropical": "river marsh gully bua enclosures road woods",
    "littoral": "steep_hill marsh woods dunes bua road river",
}
EITHER: Final = ({"steep_hill", "marsh"}, {"woods", "dunes"})
"""Of each pair a littoral board has one."""
MOST: Final = {"waterway": 1, "river": 1, "oasis": 1, "gully": 1, "bua": 1, "road": 2}
"""How many of a feature a board has at most; three of any other."""


class Feature(NamedTuple):
    """How a feature is drawn: the kinds of its symbol, its going, the clause of that, and whether it is a line."""

    kinds: tuple[str, ...]
    going: str
    clause: str
    is_line: bool = False


FEATURES: Final = {
    "waterway": Feature(("waterway",), "impassable", "D3-20", True),
    "river": Feature(("river",), "special", "D3-46", True),
    "road": Feature(("road",), "good", "D3-17", True),
    "bua": Feature(("city", "fort", "hamlet", "edifice"), "special", "D3-40"),
    "woods": Feature(("light_woods",), "bad", "D3-19"),
    "steep_hill": Feature(("hill",), "bad", "D3-19"),
    "gentle_hill": Feature(("hill",), "good", "D3-17"),
    "marsh": Feature(("marsh",), "bad", "D3-19"),
    "dunes": Feature(("dunes",), "bad", "D3-19"),
    "oasis": Feature(("oasis",), "bad", "D3-19"),
    "gully": Feature(("gully",), "bad", "D3-19"),
    "plough": Feature(("plough",), "good", "D3-21"),
    "enclosures": Feature(("enclosure",), "rough", "D3-18"),
    "scrub": Feature(("scrub",), "rough", "D3-18"),
    "boggy": Feature(("boggy_ground",), "rough", "D3-18"),
    "rocky": Feature(("rocks",), "rough", "D3-18"),
}
LOGGED: Final = {"difficult hill": "steep_hill", "gentle hill": "gentle_hill"}
"""What the log calls a feature, if it has another word."""
SLIGHT: Final = 0.005
"""BW: points are rounded to thousandths of a millimetre, and a side of a drawn outline is a chain of short chords."""
CHORD: Final = 0.02
"""BW: a shore is measured between its points."""


class Board(Saved):
    """A saved board of DBA 3, its base width, its quarters, and its features by the IDs of their rows."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.unit = float(tree["board"]["base_width_mm"])
        self.side = self.width / self.unit
        half, whole = self.width / 2, self.width
        # Clockwise from the defender's near left: he sits at the near edge until base edges are chosen (fact B1).
        self.quarters = {1: box(0, 0, half, half), 2: box(0, half, half, whole)}
        self.quarters |= {3: box(half, half, whole, whole), 4: box(half, 0, whole, half)}
        self.rows: list[Tree] = self.details["terrain"]["pieces"]
        self.discarded: list[Tree] = self.details["terrain"]["discarded"]
        self.terrain = {row["id"]: row["terrain"] for row in self.rows}
        self.areas = {name: self.area(name) for name in self.shapes if self.terrain.get(name)}

    def area(self, name: str) -> BaseGeometry:
        """Return the ground that a feature covers."""
        shape = self.shapes[name]
        return shape if shape.geom_type == "Polygon" else band(shape, self.features_by[name]["width_mm"])

    def placed(self, *terrain: str) -> Iterator[tuple[str, Tree, BaseGeometry]]:
        """Yield ID, properties and ground of the features of some terrain, or of all that are on the board."""
        for name, area in self.areas.items():
            if not terrain or self.terrain[name] in terrain:
                yield name, self.features_by[name], area

    def courses(self, terrain: str) -> Iterator[tuple[str, BaseGeometry]]:
        """Yield ID and line of the rivers, or of the roads."""
        rows = ((name, self.shapes[name]) for name, _, _ in self.placed(terrain))
        return ((name, line) for name, line in rows if line.geom_type == "LineString")

    def blocks(self) -> Iterator[tuple[str, Tree, BaseGeometry]]:
        """Yield the area features, which are all but waterway, river and roads."""
        return self.placed(*(name for name, each in FEATURES.items() if not each.is_line))

    @cached_property
    def water_edge(self) -> str:
        """The edge that a waterway lies along, or an empty text."""
        water = [area.buffer(ROUNDED) for _, _, area in self.placed("waterway")]
        return max(OPPOSITE, key=lambda edge: edge_line(self, edge).intersection(water[0]).length) if water else ""

    def held(self, name: str) -> set[int]:
        """Return the quarters in which more of a feature lies than its outline is uncertain by."""
        shape = self.shapes[name]
        if self.terrain[name] != "gully" and shape.geom_type == "LineString":
            return {at for at, area in self.quarters.items() if shape.intersection(area).length > 2}
        return {at for at, area in self.quarters.items() if self.areas[name].intersection(area).area > 2}


def check_board(board: Board) -> Iterator[str]:
    if abs(board.width - board.depth) > ROUNDED or not 15 - CHORD <= board.side <= 20 + CHORD:
        yield f"D3-1: the board is {board.side:.2f} x {board.depth / board.unit:.2f} BW, not a square of 15 to 20"
    if f"{board.unit:.0f}mm" != board.settings["base"]:
        yield f"D3-67: a base is {board.unit} mm wide, not {board.settings['base']}"
    drawn = {properties["label"]: area for properties, area in board.overlays("quarters")}
    for number, area in board.quarters.items():
        if str(number) not in drawn or drawn[str(number)].symmetric_difference(area).area > board.width:
            yield f"D3-2: quarter {number} is not drawn at its place"


def counts(board: Board, compulsory: bool) -> Counter[str]:
    """Return how many features of each terrain are compulsory, or optional."""
    return Counter(row["terrain"] for row in board.rows if row["compulsory"] is compulsory)


def answered(board: Board, reason: str) -> list[str]:
    """Return the terrain that the log has for what was chosen."""
    return [LOGGED.get(answer, answer) for answer in board.answers(reason)]


def check_selection(board: Board) -> Iterator[str]:
    home, settings = board.details["terrain"]["home"], board.settings
    if home != (board.answers("home topography") or [settings["home"]])[-1]:
        yield f"D3-3: the home topography is {home}"
    clause, sets = COMPULSORY[home]
    compulsory, optional = counts(board, True), counts(board, False)
    if dict(compulsory) not in sets:
        yield f"{clause}: the compulsory features of {home} are {dict(compulsory)}"
    wanted = settings["compulsory"] if settings["compulsory"] != "choice" else None
    wanted = (board.answers("number of compulsory features") or [wanted])[-1]
    # The defender of arable land has a built-up area or two ploughed fields, and the number with it.
    allowed = {sum(one.values()) for one in sets if "bua" not in one or settings["bua"] != "none"}
    if wanted and int(wanted) in allowed and compulsory.total() != int(wanted):
        yield f"D3-10: {compulsory.total()} compulsory features, not {wanted}"
    number = (board.answers("number of optional features") or [settings["optional"]])[-1]
    if optional.total() not in (2, 3) or str(optional.total()) != number:
        yield f"D3-11: {optional.total()} optional features, not {number}"
    if not set(optional) <= set(OPTIONAL[home].split()):
        yield f"D3-11: {home} has no {', '.join(set(optional) - set(OPTIONAL[home].split()))}"
    if Counter(answered(board, "optional feature ")) != optional:
        yield f"D3-11: the log has the optional features {answered(board, 'optional feature ')}, not {dict(optional)}"
    if not Counter(answered(board, "compulsory feature")) <= compulsory:
        yield f"D3-10: the log has the compulsory features {answered(board, 'compulsory feature')}"


def check_numbers(board: Board) -> Iterator[str]:
    total = counts(board, True) + counts(board, False)
    for terrain, count in total.items():
        clause = {1: "D3-12", 2: "D3-13", 3: "D3-14"}[MOST.get(terrain, 3)]
        if count > MOST.get(terrain, 3):
            yield f"{clause}: {count} of {terrain}, at most {MOST.get(terrain, 3)}"
    # Plough alone does not do, for it may stay dry (fact B1).
    goings = {FEATURES[terrain].going for terrain in total}
    if not goings & {"bad", "rough"} and not {"river", "waterway"} & set(total):
        yield f"D3-15: nothing hinders movement, {dict(total)}"
    for pair in EITHER if board.details["terrain"]["home"] == "littoral" else ():
        if pair <= set(total):
            yield f"D3-16: both {' and '.join(sorted(pair))}"


def check_kinds(board: Board) -> Iterator[str]:
    wet = board.settings["plough"] == "wet"
    for name, properties, _ in board.placed():
        each = FEATURES[board.terrain[name]]
        going = "rough" if wet and board.terrain[name] == "plough" else each.going
        if properties["kind"] not in each.kinds or properties["going"] != going:
            yield f"{each.clause}: {name} is {properties['kind']}, {properties['going']} going; wanted is {going}"
        slopes = [line for _, slope, line in board.of_kind("steep_slope") if slope["of"] == name]
        if len(slopes) != (4 if board.terrain[name] == "steep_hill" else 0):
            yield f"D3-19: {name} has {len(slopes)} steep sides"
        if any(line.hausdorff_distance(line.intersection(board.areas[name].boundary.buffer(1))) > 1 for line in slopes):
            yield f"D3-19: a steep side of {name} is not on its outline"
    allowed = {kind for each in FEATURES.values() for kind in each.kinds} | {"steep_slope", "ford"}
    for name, kind in board.kinds.items():
        if kind not in allowed or (kind not in ("steep_slope", "ford") and name not in board.terrain):
            yield f"D3-11: {name}, {kind}, was not chosen"
    for row in board.rows:
        if row["terrain"] == "bua":
            chosen = board.answers("built-up area") or [board.settings["bua"]]
            if row["bua"] not in board.settings["bua"].replace(" ", "").split(",") or row["bua"] != chosen[-1]:
                yield f"D3-40: the built-up area is {row['bua']}, not {chosen[-1]}"
            if row["id"] in board.kinds and board.kinds[row["id"]] != row["bua"]:
                yield f"D3-40: the built-up area is drawn as {board.kinds[row['id']]}, not {row['bua']}"


def check_order(board: Board) -> Iterator[str]:
    placed = [(row["terrain"] != "waterway", not row["compulsory"]) for row in board.rows]
    if placed != sorted(placed):
        yield "D3-28: the order is not the waterway, compulsory features, the rest"
    thrown = [row["reason"].removeprefix("quarter of ") for row in board.log if row["reason"].startswith("quarter of ")]
    if [name for name in thrown if " for the " not in name] != [row["id"] for row in board.rows]:
        yield f"D3-28: dice were thrown for {thrown}"


def check_quarters(board: Board) -> Iterator[str]:
    given_up = {row["id"]: row for row in board.discarded}
    for row in board.rows:
        name, scores = row["id"], board.scores(f"quarter of {row['id']}")
        if (name in board.shapes) is (name in given_up):
            yield f"D3-39: {name} is {'drawn and discarded' if name in given_up else 'neither drawn nor discarded'}"
        if len(scores) != 1:
            yield f"D3-29: {len(scores)} dice for the quarter of {name}"
            continue
        chooser = {5: "defender", 6: "invader"}.get(scores[0], "")
        clause = {"defender": "D3-30", "invader": "D3-31"}.get(chooser, "D3-29")
        answers = board.answers(f"quarter of {name} for the {chooser}") if chooser else [str(scores[0])]
        quarter = given_up[name]["quarter"] if name in given_up else row["quarter"]
        # Who may choose any quarter chooses another where the feature cannot be placed.
        if answers[-1:] != [str(quarter)] or len(set(answers)) < len(answers):
            yield f"{clause}: {name} is of quarter {quarter}, a die of {scores[0]} gives {answers}"
        if name in board.shapes:
            yield from check_reach(board, row)


def check_reach(board: Board, row: Tree) -> Iterator[str]:
    """Yield what is wrong with the quarters in which a feature lies (fact B4.3)."""
    name, terrain, own = row["id"], row["terrain"], row["quarter"]
    held = board.held(name)
    others = held - {own}
    # Quarters are numbered round the board, so neighbours differ by one, or by three.
    beside = all(abs(other - own) in (1, 3) for other in others)
    if board.features_by[name].get("zone") != own or own not in held:
        yield f"D3-29: {name} lies in quarters {sorted(held)}, not in {own}"
    if terrain == "plough":
        if len(others) != 1 or not beside:
            yield f"D3-32: {name} of quarter {own} reaches into {sorted(others)}, not into one adjacent quarter"
    elif terrain == "gentle_hill":
        if len(others) > 1 or not beside:
            yield f"D3-33: {name} of quarter {own} reaches into {sorted(others)}, not into one adjacent quarter"
    elif FEATURES[terrain].is_line:
        if len(others) != 1 or not beside:
            yield f"D3-35: {name} of quarter {own} reaches into {sorted(others)}, not into one adjacent quarter"
    elif others:
        yield f"D3-34: {name} of quarter {own} reaches into {sorted(others)}"


def check_ways(board: Board) -> Iterator[str]:
    """Yield the rivers and roads that do not run as the log says, without a reason in the record."""
    for row in board.rows:
        chosen = board.answers(f"which way {row['id']} runs")
        if row["id"] in board.shapes and chosen and not row.get("turned_by"):
            left, low, right, high = board.shapes[row["id"]].bounds
            way = "across" if right - left >= high - low else "up"
            if way != chosen[-1]:
                yield f"D3-35: {row['id']} runs {way}, the log has {chosen[-1]}"


def check_sizes(board: Board) -> Iterator[str]:
    small = []
    for name, _, area in board.blocks():
        length, width = smallest_box(area, board.unit)
        if length + width > 9 + SLIGHT:
            yield f"D3-22: {name} is {length:.2f} x {width:.2f} BW, together at most 9"
        if width < 1 - SLIGHT:
            yield f"D3-23: {name} is {width:.2f} BW wide, at least 1"
        if board.terrain[name] == "gully":
            if length < 3 * width - SLIGHT:
                yield f"D3-26: {name} is {length:.2f} x {width:.2f} BW, at least three times as long as wide"
        elif length > 2 * width + SLIGHT:
            yield f"D3-25: {name} is {length:.2f} x {width:.2f} BW, at most twice as long as wide"
        if length < 3 - SLIGHT:
            small.append(name)
    if len(small) > 1:
        yield f"D3-24: {len(small)} features are less than 3 BW long and wide: {', '.join(small)}"


def may_be_near(board: Board, name: str, other: str) -> bool:
    """Return whether two area features may be nearer than a base width: a built-up area and any other (fact B4.4)."""
    return "bua" in (board.terrain[name], board.terrain[other])


def on_hill(board: Board, name: str, other: str) -> bool:
    """Return whether one is a city or fort and the other a hill, on which it may stand (fact B4.6)."""
    kinds = {board.kinds[name], board.kinds[other]}
    return bool(kinds & {"city", "fort"}) and "hill" in kinds


def check_gaps(board: Board) -> Iterator[str]:
    areas = list(board.blocks())
    for at, (name, _, area) in enumerate(areas):
        for other, _, beside in areas[:at]:
            gap = area.distance(beside) / board.unit
            if gap < 1 - SLIGHT and not may_be_near(board, name, other):
                yield f"D3-36: {name} is {gap:.2f} BW from {other}, at least 1"
            if area.intersection(beside).area > 1 and not on_hill(board, name, other):
                yield f"D3-38: {name} overlaps {other}"
        for other, _, water in board.placed("waterway"):
            gap, least = area.distance(water) / board.unit, 0 if board.terrain[name] == "bua" else 1
            if gap < least - SLIGHT or area.intersection(water).area > 1:
                yield f"D3-36: {name} is {gap:.2f} BW from {other}, at least {least}"
        gap = area.distance(board.board.exterior) / board.unit
        if not board.board.buffer(ROUNDED).covers(area) or (gap < 1 - SLIGHT and board.terrain[name] != "bua"):
            yield f"D3-37: {name} is {gap:.2f} BW from the edge of the board, at least 1"


def check_bua(board: Board) -> Iterator[str]:
    for name, properties, area in board.placed("bua"):
        if properties["kind"] in ("city", "fort"):
            left, low, right, high = (value / board.unit for value in area.bounds)
            if min(right, board.side - left) > 6 + SLIGHT or min(high, board.side - low) > 6 + SLIGHT:
                yield f"D3-41: {name}, a {properties['kind']}, is not wholly within 6 BW of two edges"
        for other, _, hill in board.placed("steep_hill", "gentle_hill"):
            shared = area.intersection(hill).area
            if on_hill(board, name, other) and 1 < shared < area.area - 1:
                yield f"D3-42: {name} stands half on {other}, which has to be larger"


def has_room(board: Board, ground: BaseGeometry) -> bool:
    """Return whether a box of a small usual feature fits some ground, turned by steps of 15 degrees.

    The smallest usual feature has 3 x 2 BW, and one may be smaller. An outline is no box, so a little more is wanted.
    """
    small = any(smallest_box(area, board.unit)[0] < 3 - SLIGHT for _, _, area in board.blocks())
    length, width = (side * board.unit / 2 for side in ((3.2, 2.1) if small else (2, 1.5)))
    step = board.unit / 8
    left, low, right, high = (int(value // step) for value in ground.bounds)
    places = [(across * step, up * step) for across in range(left, right + 1) for up in range(low, high + 1)]
    prepare(ground)
    for angle in range(0, 180, 15):
        model = affinity.rotate(box(-length, -width, length, width), angle, origin=(0, 0))
        corners = get_coordinates(model)
        boxes = polygons([[(x + across, y + up) for x, y in corners] for across, up in places])
        if covers(ground, boxes).any():
            return True
    return False


def room_for(board: Board, row: Tree) -> BaseGeometry:
    """Return the ground on which a feature that was given up could have stood."""
    room = board.quarters[row["quarter"]].intersection(board.board.buffer(-board.unit, join_style="mitre"))
    for name, _, area in [*board.blocks(), *board.placed("waterway")]:
        room = room.difference(area if board.terrain[name] == "bua" else area.buffer(board.unit))
    for _, _, area in board.placed("river"):
        room = room.difference(area)
    return room


def check_discarded(board: Board) -> Iterator[str]:
    for row in board.discarded:
        terrain = board.terrain.get(row["id"])
        if terrain is None or not row["by"]:
            yield f"D3-39: {row['id']} was discarded without a reason, or was not chosen"
            continue
        if not FEATURES[terrain].is_line and terrain not in ("bua", "plough", "gully"):
            room = room_for(board, row)
            if not room.is_empty and has_room(board, room):
                yield f"D3-39: {row['id']} was discarded, and quarter {row['quarter']} has room for it"


def check_waterway(board: Board) -> Iterator[str]:
    edge = board.water_edge
    for name, properties, area in board.placed("waterway"):
        depths = [depth / board.unit for depth in water_depths(board, area, edge)]
        if depths[0] < 1 - CHORD or depths[-1] > 4 + CHORD:
            yield f"D3-44: {name} is {depths[0]:.2f} to {depths[-1]:.2f} BW deep, allowed are 1 to 4"
        if edge_line(board, edge).difference(area.buffer(ROUNDED)).length > 1:
            yield f"D3-44: {name} does not cover the {edge} edge"
        if properties["zone"] not in {"near": (1, 4), "far": (2, 3), "left": (1, 2), "right": (3, 4)}[edge]:
            yield f"D3-45: {name} of quarter {properties['zone']} lies along the {edge} edge"
        if board.answers(f"edge of {name}") not in ([], [edge]):
            yield f"D3-45: {name} was to lie along {board.answers(f'edge of {name}')}, not {edge}"


def end_edge(board: Board, point: Point) -> str:
    """Return the letters of the edges at which a course ends; its edge for a waterway, or an empty text."""
    at = board.edges_at(point)
    if not at and board.water_edge:
        water = next(board.placed("waterway"))[2]
        # A road may stop short of the water by half its width; a river reaches it.
        if water.distance(point) <= 0.25 * board.unit + ROUNDED:
            return EDGES[board.water_edge]
    return at


def check_rivers(board: Board) -> Iterator[str]:
    for name, line in board.courses("river"):
        edges = [end_edge(board, end) for end in ends(line)]
        yield from check_line(board, name, edges, ("D3-46", 1.0), ("D3-47", "D3-48", 1.5))
        clear = float(board.settings["river_clearance"])
        gaps = {"N": board.depth - line.bounds[3], "S": line.bounds[1], "E": board.width - line.bounds[2]}
        gaps["W"] = line.bounds[0]
        for edge, gap in gaps.items():
            # The middle of a river is measured, as are its ends.
            if not any(edge in at for at in edges) and gap / board.unit < clear - SLIGHT:
                yield f"D3-49: {name} comes within {gap / board.unit:.2f} BW of edge {edge}, at least {clear}"
        for other, _, area in board.placed("steep_hill", "gentle_hill", "bua"):
            if board.areas[name].intersection(area).area > 1:
                yield f"D3-53: {name} crosses {other}"
        for other, _, water in board.placed("waterway"):
            if line.intersection(water).length > CHORD * board.unit * 2:
                yield f"D3-47: {name} runs on in {other}"


def check_line(
    board: Board, name: str, edges: list[str], widest: tuple[str, float], course: tuple[str, str, float]
) -> Iterator[str]:
    """Yield what is wrong with the width, the ends and the length of a river or road."""
    line, width = board.shapes[name], board.features_by[name]["width_mm"] / board.unit
    if width > widest[1] + SLIGHT:
        yield f"{widest[0]}: {name} is {width:.2f} BW wide, at most {widest[1]}"
    if not all(edges) or set(edges[0]) & set(edges[1]) or not line.is_simple:
        yield f"{course[0]}: {name} does not run from edge to edge, {edges}"
    if not board.board.buffer(ROUNDED).covers(line):
        yield f"{course[0]}: {name} leaves the board"
    if straightness(line) > course[2] + 0.001:
        yield f"{course[1]}: {name} is {straightness(line):.3f} times the distance of its ends, at most {course[2]}"


def check_roads(board: Board) -> Iterator[str]:
    roads, towns = list(board.courses("road")), [area for _, _, area in board.placed("bua")]
    for name, line in roads:
        edges = [end_edge(board, end) for end in ends(line)]
        for at, end in enumerate(ends(line)):
            others = [*(each for other, each in roads if other != name), *towns]
            if not edges[at] and any(other.distance(end) <= ROUNDED for other in others):
                edges[at] = "a road or a built-up area"
        # "Nearly straight" has no number in the sources: an eighth more than the straight line is what bends hardly.
        yield from check_line(board, name, edges, ("D3-50", 0.55), ("D3-51", "D3-51", 1.15))
        # A corner of a road that ends at a town by the shore may be on the water: a hundredth of a square of its width.
        corner = max(1.0, board.features_by[name]["width_mm"] ** 2 / 100)
        for other, _, water in board.placed("waterway"):
            if board.areas[name].intersection(water).area > corner:
                yield f"D3-52: {name} runs into {other}"


def check_fords(board: Board) -> Iterator[str]:
    yield from mark_faults(board, crossings(board.courses("road"), board.courses("river")), "D3-54", "D3-54")


def check_edges(board: Board) -> Iterator[str]:
    details, wet = board.details["deployment"], board.water_edge
    own, other = details["defender_edge"], details["invader_edge"]
    if OPPOSITE.get(own) != other:
        yield f"D3-55: the defender has the {own} edge, the invader the {other} edge"
    if own == wet:
        yield f"D3-56: the defender has the {own} edge, which has a waterway"
    setting = board.settings["defender_edge"]
    if setting in OPPOSITE and setting not in (own, wet):
        yield f"D3-55: the defender has the {own} edge, not {setting}"
    if setting == "auto" and own != ("far" if wet == "near" else "near"):
        yield f"D3-55: the defender has the {own} edge"
    if board.answers("base edge of the invader") not in ([], [other]):
        yield f"D3-55: the invader chose {board.answers('base edge of the invader')} and has {other}"
    if details["deploys_first"] != details["defender"] or details["moves_first"] != details["invader"]:
        yield f"D3-66: {details['deploys_first']} deploys first, {details['moves_first']} moves first"


def check_zones(board: Board) -> Iterator[str]:
    details, size, deep = board.details["deployment"], board.width, (board.side / 2 - 3) * board.unit
    for role in ("defender", "invader"):
        edge = details[f"{role}_edge"]
        low, high = (0, deep) if edge in ("near", "left") else (size - deep, size)
        for kind, margin, clause in (("deployment", 4, "D3-58"), ("flank", 2, "D3-59")):
            drawn = [area for properties, area in board.overlays(kind) if properties["side"] == details[role]]
            if len(drawn) != 1 or drawn[0].area / drawn[0].envelope.area < 0.999:
                yield f"{clause}: the zone of the {role} is no single box, {len(drawn)} areas"
                continue
            left, bottom, right, top = drawn[0].bounds
            side = (left, right, bottom, top) if edge in ("near", "far") else (bottom, top, left, right)
            # Zones are drawn to half a millimetre.
            if abs(side[0] - margin * board.unit) > 0.6 or abs(side[1] - size + margin * board.unit) > 0.6:
                yield f"{clause}: the zone of the {role} is not {margin} BW from the sides"
            if abs(side[2] - low) > 0.6 or abs(side[3] - high) > 0.6:
                own = "D3-60" if edge == board.water_edge else "D3-57"
                yield f"{own}: the zone of the {role} does not end 3 BW short of the middle"


SHARED: Final = (
    check_board,
    check_selection,
    check_numbers,
    check_kinds,
    check_order,
    check_quarters,
    check_ways,
    check_sizes,
    check_gaps,
    check_bua,
    check_waterway,
    check_rivers,
    check_roads,
    check_fords,
    check_edges,
)
"""What other rules on boards of DBA 3 keep as well."""
RULES: Final = (*SHARED, check_discarded, check_zones)


def find_faults(tree: Tree) -> list[str]:
    """Return a line for everything in a saved record that breaks the facts."""
    board = Board(tree)
    return [fault for rule in RULES for fault in rule(board)]
