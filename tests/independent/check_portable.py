"""What breaks Bob Cordery's generator of gridded terrain, versions 1 and 2, in a saved battlefield.

The source is his blog, Wargaming Miscellany, 19 August to 1 October 2019: PW1 is version 1, PW2 version 2, PW0 what
they share, PWA a reading where the text is open. The dice of the log are counted out again, area by area, and compared
with the features that are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from areas import Areas, Cell
from shapely import LineString, Point, Polygon, box, union_all
from shapely.geometry import shape

# PW0-17: relief, use of the land, forest.
PRESETS = {
    "undulating-rural": ("undulating", "rural", "no"),
    "undulating-desert": ("undulating", "desert", "no"),
    "hilly-rural": ("hilly", "rural", "no"),
    "flat-rural": ("flat", "rural", "no"),
    "mountainous": ("mountainous", "wild", "no"),
    "undulating-urban": ("undulating", "urban", "no"),
    "hilly-forest": ("hilly", "wild", "yes"),
    "forest-track": ("undulating", "rural", "yes"),
}
# PW1-30: hills and mountains by score.
HILLS_1 = {
    "flat": [(0, 0), (1, 0), (2, 0), (2, 0), (3, 0), (3, 0)],
    "undulating": [(1, 0), (1, 0), (3, 0), (3, 0), (5, 0), (5, 0)],
    "hilly": [(2, 0), (4, 0), (4, 0), (6, 0), (6, 0), (8, 0)],
    "mountainous": [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)],
}
HILLS_2 = {"flat": 0, "undulating": 2, "hilly": 4, "mountainous": 6}  # PW2-10
TREES_1 = {  # PW1-40
    "desert": [0, 1, 1, 2, 2, 3],
    "flat": [2, 2, 3, 3, 4, 4],
    "hilly": [2, 3, 3, 4, 4, 5],
    "mountainous": [3, 4, 4, 5, 5, 6],
    "forested": [4, 5, 6, 7, 8, 9],
}
TREES_2 = {"desert": -2, "flat": 0, "hilly": 2, "mountainous": 3, "forested": 4}  # PW2-50
# PW1-51: settlements, villages, towns.
PLACES_1 = {
    "sparse": [(0, 0, 0), (0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0), (2, 0, 0)],
    "rural": [(1, 0, 0), (2, 0, 0), (2, 1, 0), (3, 1, 0), (3, 2, 0), (3, 2, 1)],
    "urban": [(0, 2, 0), (0, 2, 1), (0, 3, 1), (0, 2, 2), (0, 0, 3), (0, 0, 3)],
}
PLACES_2 = {"sparse": -3, "rural": 0, "urban": 2}  # PW2-55
FIELDS_2 = {"rural": 2, "urban": -2}  # PW2-70
GROWTH = {
    "hot": "palm_forest",
    "tropical": "palm_forest",
    "cold": "conifer_forest",
    "mountain": "conifer_forest",
}  # PW2-51
EXITS = {"onward": 0, "sep30": 6, "sep30-topdown": 7}  # PW2-31, PW2-31a, PWA-05
# PW1-10: the ring of slots, clockwise, and the scores of each.
RING = [
    ("top", (1, 2)), ("top-right", (6,)), ("right", (3, 4)), ("bottom-right", (5,)),
    ("bottom", (1, 2)), ("bottom-left", (6,)), ("left", (3, 4)), ("top-left", (5,)),
]  # fmt: skip
STATIONS = {3: 1, 4: 3, 1: 5, 2: 7, 5: 9, 6: 11}  # PW1-13: twelfths from the left or top end

TREES = {"woodland", "conifer_forest", "palm_forest"}
HEIGHTS = {"hill", "mountain"}
PLACES = {"settlement", "village", "town", "city"}
OPEN_FIELDS, GROVES = {"crops", "plough", "pasture"}, {"orchard", "olives", "vineyard"}
FIELDS = OPEN_FIELDS | GROVES
ROADS = {"road", "track"}
COURSES = ROADS | {"river", "railway"}
CROSSINGS = {"ford", "bridge", "railway_bridge", "level_crossing"}
KINDS_1 = HEIGHTS | TREES | {"settlement", "village", "town", "river", "ford", "bridge"} | ROADS  # PW1-01
KINDS_2 = KINDS_1 | {"city", "lake", "marsh", "railway", "railway_bridge", "level_crossing"} | FIELDS  # PW2-01

KIND_OF_SIZE = ("settlement", "village", "town", "town", "city")  # PW2-57

OUTLINE = 0.02  # of an area: outlines are drawn with rounded corners and three decimals
RIM = 0.5  # of an area: courses that enter at one place may cross at the edge of the board, where they are drawn apart
SWAY = 0.75  # of an area: drawn lines wind, and two that enter at one station are drawn apart


STAGES = {
    "hills": HEIGHTS, "lakes": {"lake"}, "marshes": {"marsh"}, "trees": TREES, "habitation": PLACES, "fields": FIELDS,
    "rivers": {"river"}, "roads": ROADS, "connecting": ROADS, "railways": {"railway"},
}  # fmt: skip


class LogError(Exception):
    """The log does not have the die that is due."""


class Dice:
    """The dice of one stage, in the order of the log (PW0-14)."""

    def __init__(self, record: dict, stage: str) -> None:
        self.stage = stage
        self.left = [(row["reason"], row["answer"]) for row in record["log"] if row["stage"] == stage]

    def next_is(self, *words: str) -> bool:
        """Return whether the next die is for something."""
        return bool(self.left) and all(word in self.left[0][0] for word in words)

    def roll(self, clause: str, *words: str) -> int:
        """Return the next score, which must be for something."""
        if not self.next_is(*words):
            have = f"a die for {self.left[0][0]!r}" if self.left else "no die"
            raise LogError(f"{clause}: {self.stage}: a die for {' '.join(words)} is due, and the log has {have}")
        return int(self.left.pop(0)[1])

    def sum_of_three(self, clause: str, *words: str) -> int:
        """Return the sum of three dice (PW0-10)."""
        return sum(self.roll(clause, *words, f"die {number} of 3") for number in (1, 2, 3))

    def skip(self, nowhere: list[str]) -> None:
        """Leave out the dice of what finds no way over the board."""
        while self.left and any(f"of {what}" == self.left[0][0].split(",")[0][-len(what) - 3 :] for what in nowhere):
            self.left.pop(0)

    def side(self, areas: Areas, clause: str, *words: str) -> int:
        """Return a direction; on squares 5 and 6 are rolled again (PW0-12)."""
        while (score := self.roll(clause, "direction", *words)) > areas.sides:
            pass
        return score

    def start_row(self, areas: Areas) -> int:
        """Return a start row; a score beyond the last row is rolled again (PW0-06)."""
        while (score := self.roll("PW0-06", "start row")) > areas.rows:
            pass
        return score


class Board:
    """A saved battlefield, read for the checks."""

    def __init__(self, record: dict) -> None:
        self.record, self.settings = record, record["settings"]
        self.areas = Areas(record["grid"], record["board"])
        self.features = [
            {**row["properties"], "id": row["id"], "shape": shape(row["geometry"])} for row in record["features"]
        ]
        for feature in self.features:
            feature["cells"] = [tuple(cell) for cell in feature.get("cells", [])]
        self.own = record.get(record["rules"], {})
        self.notes = self.own.get("notes", [])
        relief, area, forested = PRESETS[self.settings["preset"]]
        self.relief = {"preset": relief, "open": "flat"}.get(self.settings["relief"], self.settings["relief"])
        self.area = {"preset": area, "cultivated": "rural"}.get(self.settings["area"], self.settings["area"])
        self.forested = {"preset": forested}.get(self.settings["forested"], self.settings["forested"]) == "yes"
        self.taken: dict[Cell, set[str]] = {cell: set() for cell in self.areas.cells}
        self.done: set[str] = set()
        self.held: set[Cell] = set()  # areas that the record gives to a straight river or road, whatever its share
        self.settled: list[Cell] = []
        self.cover: dict[Cell, float] = dict.fromkeys(self.areas.cells, 0.0)

    def of(self, kinds: set[str]) -> list[dict]:
        """Return the features of some kinds."""
        return [feature for feature in self.features if feature["kind"] in kinds]

    def cells(self, kinds: set[str]) -> list[Cell]:
        """Return the areas that are drawn with some kinds."""
        return [cell for feature in self.of(kinds) for cell in feature["cells"]]

    def take(self, kinds: set[str]) -> None:
        """Take the areas of drawn features for what is placed later."""
        for feature in self.of(kinds):
            for cell in feature["cells"]:
                self.taken[cell].add(feature["kind"])

    def number(self, dice: Dice, setting: str, clause: str, of_score: Callable[[int], int]) -> int:
        """Return how many features there are: by the setting, otherwise by a die (PW0-13)."""
        fixed = self.settings[setting]
        return int(fixed) if fixed != "die" else self.by_area(max(0, of_score(dice.roll(clause, "number"))))

    def by_area(self, number: int) -> int:
        """Return a number of the tables, which are for 72 areas, for this board if the setting says so (PW0-13)."""
        if self.settings.get("numbers") != "by-area" or not number:
            return number
        return max(1, math.floor(number * len(self.areas.cells) / 72 + 0.5))

    def counts(self, given: Sequence[str], by_die: Sequence[int]) -> list[int]:
        """Return numbers of features: those given, otherwise those of the die."""
        return [
            int(fixed) if fixed != "die" else self.by_area(number) for fixed, number in zip(given, by_die, strict=True)
        ]

    def flood(self, cells: list[Cell], kind: str) -> None:
        """Take areas for a river, road or railway."""
        for cell in cells:
            self.taken[cell].add(kind)
            self.cover[cell] = 1.0

    def beside(self, name: str) -> list[Cell]:
        """Return the areas of the second bank of a river (PW2-36)."""
        return [tuple(cell) for cell in self.own_way(name).get("beside", []) if cell]

    def meet(self, way: dict, other: dict, cells: list[Cell]) -> bool:
        """Return whether two lines are drawn across each other in some areas."""
        where = union_all([self.areas.outline(cell) for cell in cells])
        return bool(where.intersection(way["shape"]).intersects(where.intersection(other["shape"])))

    def empty(self, cell: Cell) -> bool:
        """Return whether an area holds nothing."""
        return not self.taken[cell] and not self.cover[cell]

    def own_way(self, name: str) -> dict:
        """Return what the record says of a river, road or railway besides its feature."""
        return next((way for way in self.own.get("ways", []) if way["id"] == name), {})

    def blocked(self, kinds: set[str]) -> set[Cell]:
        """Return the areas that some kinds have taken so far."""
        return {cell for cell, taken in self.taken.items() if taken & kinds}

    def wet(self, cell: Cell) -> bool:
        """Return whether rivers and roads cover more than a sliver of an area (PW1-25)."""
        return self.cover[cell] > float(self.settings["pw1.sliver"]) or cell in self.held

    @property
    def growth(self) -> str:
        """The trees of the climate (PW1-42, PW2-51)."""
        return GROWTH.get(self.settings["climate"], "woodland")

    @property
    def trees_table(self) -> str:
        """The tree table: the first key that matches (PW0-16)."""
        if self.forested:
            return "forested"
        return "desert" if self.area == "desert" else self.relief if self.relief in ("mountainous", "hilly") else "flat"

    @property
    def places_table(self) -> str:
        """The habitation table (PW0-16)."""
        return self.area if self.area in ("urban", "rural") else "sparse"


def check(record: dict) -> list[str]:
    """Return a line for each fault: the clause, what is wrong and where."""
    board = Board(record)
    version = 1 if record["rules"] == "portable-1" else 2
    if broken := [feature["id"] for feature in board.features if not feature["shape"].is_valid]:
        return [f"RFC 7946: {broken[0]} is not a valid outline"]
    faults = [*_kinds(board, version), *_drawn(board)]
    if record.get("log") and not any(fault.startswith("PW0-01") for fault in faults):
        steps = _steps_1(board) if version == 1 else _steps_2(board)
        faults += [fault for stage, step in steps for fault in _stage(board, stage, step)]
    return faults


def _stage(board: Board, stage: str, step: Callable[[Board, Dice], Iterator[str]]) -> Iterator[str]:
    """Yield the faults of a stage, and say where its dice go wrong."""
    dice = Dice(board.record, stage)
    try:
        yield from step(board, dice)
        if dice.left:
            yield f"PW0-14: {stage}: the log has a die for {dice.left[0][0]!r} that is not due"
    except LogError as fault:
        yield str(fault)
        board.take({feature["kind"] for feature in board.features if feature["kind"] in STAGES[stage]})


def _kinds(board: Board, version: int) -> Iterator[str]:
    """Kinds, trees of the climate, going (PW1-01, PW2-01, PW2-51, PW1-31)."""
    for feature in board.features:
        kind = feature["kind"]
        if kind not in (KINDS_1 if version == 1 else KINDS_2):
            yield f"PW{version}-01: {feature['id']} is a {kind}"
        if kind in TREES and kind != board.growth:
            yield f"PW{version}-{42 if version == 1 else 51}: {feature['id']} is {kind}, the climate has {board.growth}"
        if kind == "mountain" and feature["going"] != "impassable":
            yield f"PW{version}-{31 if version == 1 else 11}: {feature['id']} can be climbed"
        if kind in ROADS and kind != (
            "road" if board.area in ("urban", "rural") and board.settings["preset"] != "forest-track" else "track"
        ):
            yield f"PW2-40: {feature['id']} is a {kind} in {board.area} land"


def _drawn(board: Board) -> Iterator[str]:
    """Outlines agree with areas, lines and crossings with theirs (PW0-01, PW0-02, PW0-18)."""
    areas, size = board.areas, board.areas.cell
    for feature in board.features:
        name, drawn = feature["id"], feature["shape"]
        if strange := [cell for cell in feature["cells"] if cell not in board.taken]:
            yield f"PW0-01: {name} is in {strange[0]}, which is not on the board"
            return
        if len(set(feature["cells"])) < len(feature["cells"]) or not feature["cells"]:
            yield f"PW0-02: {name} has no areas, or one of them twice"
        elif isinstance(drawn, Polygon):
            ground = union_all([areas.outline(cell) for cell in feature["cells"]])
            if not ground.buffer(OUTLINE * size).covers(drawn):
                yield f"PW0-02: {name} is drawn outside its areas"
            # In version 1 settlements "occupy part of a grid area", which rivers and roads can leave small.
            part = feature["kind"] == "settlement" and board.record["rules"] == "portable-1"
            least = 0.02 if part else 0.05
            for cell in feature["cells"]:
                if drawn.intersection(areas.outline(cell)).area < least * size * size:
                    yield f"PW0-02: {name} is not drawn in {cell}"
        elif isinstance(drawn, LineString) and "shares" not in board.own_way(name):
            ground = union_all([areas.outline(cell) for cell in feature["cells"]])
            wide = (
                1.0 if board.beside(name) else 0.7
            )  # lines in one area are drawn apart; a wide river is between its banks
            strays = drawn.intersection(box(0, 0, areas.width, areas.depth)).difference(ground.buffer(wide * size))
            missed = [cell for cell in feature["cells"] if areas.outline(cell).distance(drawn) > 0.25 * size]
            if not strays.is_empty or missed:
                yield f"PW0-02: {name} is not drawn along its areas"
        elif isinstance(drawn, Point):
            ground = union_all([areas.outline(cell) for cell in feature["cells"]])
            if ground.distance(drawn) > 0.3 * size:  # a line leaves its areas a little where it winds
                yield f"PW0-02: {name} is not drawn in its areas"


Item = tuple[str, int, str]
"""A feature that is due: its word in the log, its number, its kind."""
Free = Callable[[Cell, str, bool], bool]
"""Says whether an area may take a kind; the last argument is whether the feature joins the one before."""
Step = Callable[[Board, Dice], Iterator[str]]
"""Yields the faults of one stage."""


def _items(word: str, kind: str, count: int) -> list[Item]:
    return [(word, number, kind) for number in range(1, count + 1)]


def _series(
    board: Board, dice: Dice, clause: str, items: list[Item], free: Free, chains: str = ""
) -> Iterator[tuple[Item, Cell]]:
    """Yield each feature with the area that the dice give it (PW0-10, PW0-11, PW2-20, PW1-62).

    ``chains`` is the kind that may join the one before. Nothing is rolled for a feature without a free area.
    """
    areas = board.areas
    start, count, before = (0, 0), -1, ""
    for item in items:
        word, _, kind = item
        if not any(free(cell, kind, False) for cell in areas.cells):
            continue
        if start == (0, 0):
            start = (1, dice.start_row(areas))
        where = None
        if chains == kind == before and dice.roll("PW2-20", "join") >= 4:
            usable = [near for near in areas.neighbours(start) if free(near, kind, True)]
            if usable or dice.next_is("direction"):
                ring = areas.clockwise(start, dice.side(areas, "PW2-20", word))
                where = next((near for near in ring if near in usable), None)
        if not where:
            total = count + dice.sum_of_three(clause, word)
            where = next((cell for cell in areas.onward(start, total) if free(cell, kind, False)), None)
        before = kind if where else ""
        if where:
            board.taken[where].add(kind)
            start, count = where, 0
            yield item, where


def _compare(board: Board, clause: str, due: list[tuple[str, Cell]], kinds: set[str]) -> Iterator[str]:
    """Yield where the drawn areas of some kinds are not those of the dice; then take the drawn ones."""
    drawn = {(feature["kind"], cell) for feature in board.of(kinds) for cell in feature["cells"]}
    for kind, cell in sorted(set(due) - drawn):
        yield f"{clause}: the dice place a {kind} at {cell}, and none is drawn there"
    for kind, cell in sorted(drawn - set(due)):
        yield f"{clause}: a {kind} is drawn at {cell}, where the dice place none"
    for cell in board.taken:
        board.taken[cell] -= kinds
    board.take(kinds)


def _dropped(board: Board, kinds: set[str], missing: int) -> Iterator[str]:
    """Yield whether features without a free area are reported, and no others (PW0-11)."""
    notes = [note["values"] for note in board.notes if note["key"] == "dropped" and note["values"]["kind"] in kinds]
    reported = sum(int(note.get("count", 1)) for note in notes)
    if reported != missing:
        yield f"PW0-11: {missing} of {' '.join(sorted(kinds))} find no area, and {reported} are reported"


def _height(relief: str, score: int) -> int:
    """Return the contours of a hill, 3 for a mountain (PW1-31, PW2-11)."""
    if relief == "mountainous":
        return 1 if score <= 2 else 2 if score <= 4 else 3
    return 2 if score >= 5 else 1


def _heights(board: Board, clause: str, due: dict[Cell, int]) -> Iterator[str]:
    """Yield hills that are not as high as their dice say: an upper contour in each area of two, and in no other."""
    for hill in board.of({"hill"}):
        tops = union_all([Polygon(rings[0], rings[1:]) for rings in hill["contours"]])
        if hill["levels"] != max(due.get(cell, 1) for cell in hill["cells"]):
            yield f"{clause}: {hill['id']} has {hill['levels']} levels"
        for cell in hill["cells"]:
            drawn = 2 if tops.intersection(board.areas.outline(cell)).area > 0.02 * board.areas.cell**2 else 1
            if drawn != due.get(cell, 1):
                yield f"{clause}: {hill['id']} at {cell} has {drawn} contours, the dice say {due.get(cell, 1)}"


def _count(setting: str) -> int:
    """Return how many rivers, roads or railways a setting says (PWA-12)."""
    return {"yes": 1, "no": 0}[setting] if not setting.isdigit() else int(setting)


def _steps_1(board: Board) -> list[tuple[str, Step]]:
    """Return the stages of version 1 in their order (PW1-01)."""
    ways: list[tuple[str, Step]] = [("rivers", _courses_1), ("roads", _courses_1)]
    hills: list[tuple[str, Step]] = [("hills", _hills_1)]
    first = hills + ways if board.settings["pw1.order"] == "hills-first" else ways + hills
    return [*first, ("trees", _trees_1), ("habitation", _habitation_1)]


def _hills_1(board: Board, dice: Dice) -> Iterator[str]:
    """Hills and mountains of version 1 (PW1-30 to PW1-33)."""
    given, table = (board.settings["hills"], board.settings["mountains"]), HILLS_1[board.relief]
    numbers = (0, 0)
    if given[0] == "die" or (given[1] == "die" and board.relief == "mountainous"):
        numbers = table[dice.roll("PW1-30", "number") - 1]
    hills, mountains = board.counts(given, numbers)
    high = {}
    if board.relief != "flat":
        high = {
            number: _height(board.relief, dice.roll("PW1-31", "height", str(number))) for number in range(1, hills + 1)
        }
    items = _items("hill", "hill", hills) + _items("mountain", "mountain", mountains)
    chains = "hill" if board.settings["pw1.chains"] == "on" else ""
    due, contours = [], {}

    def free(cell: Cell, _kind: str, _joins: bool) -> bool:
        return not board.taken[cell] & HEIGHTS and not board.wet(cell)

    for (word, number, _), cell in _series(board, dice, "PW1-32", items, free, chains):
        contours[cell] = high.get(number, 1) if word == "hill" else 3
        due.append(("mountain" if contours[cell] == 3 else "hill", cell))
    yield from _compare(board, "PW1-32", due, HEIGHTS)
    yield from _heights(board, "PW1-31", contours)
    yield from _dropped(board, HEIGHTS, len(items) - len(due))


def _trees_1(board: Board, dice: Dice) -> Iterator[str]:
    """Trees of version 1, on free ground or hills (PW1-40, PW1-41)."""
    count = board.number(dice, "trees", "PW1-40", lambda score: TREES_1[board.trees_table][score - 1])

    def free(cell: Cell, _kind: str, _joins: bool) -> bool:
        return board.taken[cell] <= {"hill"} and not board.wet(cell)

    items = _items("trees", board.growth, count)
    due = [(board.growth, cell) for _, cell in _series(board, dice, "PW1-41", items, free)]
    yield from _compare(board, "PW1-41", due, TREES)
    yield from _dropped(board, TREES, count - len(due))


def _habitation_1(board: Board, dice: Dice) -> Iterator[str]:
    """Settlements, villages and towns of version 1 (PW1-50 to PW1-55, PW1-60)."""
    given = [board.settings[name] for name in ("settlements", "villages", "towns")]
    numbers = PLACES_1[board.places_table][dice.roll("PW1-51", "number") - 1] if "die" in given else (0, 0, 0)
    counts = board.counts(given, numbers)
    kinds = ("settlement", "village", "town")
    items = [item for kind, count in zip(kinds, counts, strict=True) for item in _items(kind, kind, count)]
    sizes = dict(zip(kinds, (1, *map(int, board.settings["pw1.places"].split("-"))), strict=True))
    due, placed, smaller = [], 0, 0

    def free(cell: Cell, kind: str, _joins: bool) -> bool:
        settles = kind == "settlement"
        return board.taken[cell] <= ({"hill"} if settles else set()) and board.cover[cell] < (0.5 if settles else 0.25)

    for (word, _, kind), cell in _series(board, dice, "PW1-52", items, free):
        due.append((kind, cell))
        placed, last = placed + 1, cell
        for _ in range(sizes[kind] - 1):
            beside = [near for near in board.areas.neighbours(last) if free(near, kind, False)]
            ring = board.areas.clockwise(last, dice.side(board.areas, "PW1-53", word)) if beside else []
            more = next((near for near in ring if near in beside), None)
            if not more:
                smaller += 1
                break
            board.taken[more].add(kind)
            due.append((kind, more))
            last = more
    yield from _compare(board, "PW1-54", due, PLACES)
    yield from _dropped(board, PLACES, len(items) - placed)
    if smaller != sum(note["key"] == "smaller" for note in board.notes):
        yield f"PW1-53: {smaller} places lack an area, and the record gives the reason of others"


def _courses_1(board: Board, dice: Dice) -> Iterator[str]:
    """Rivers or roads of version 1, one after the other (PW1-10 to PW1-22, PWA-12)."""
    kinds = {"river"} if dice.stage == "rivers" else ROADS
    ways, wanted = board.of(kinds), _count(board.settings["river" if dice.stage == "rivers" else "road"])
    if len(ways) != wanted:
        yield f"PWA-12: {len(ways)} {dice.stage}, the setting says {wanted}"
    for way in ways:
        yield from _course_1(board, dice, way)


def _point(board: Board, slot: str, twelfths: int | None) -> Point:
    """Return where a slot and its station are on the edge of the board (PW1-10, PW1-13)."""
    wide, deep, share = board.areas.width, board.areas.depth, (twelfths or 0) / 12
    across = 0.0 if "left" in slot else wide if "right" in slot else share * wide
    return Point(across, deep if "top" in slot else 0.0 if "bottom" in slot else deep * (1 - share))


def _course_1(board: Board, dice: Dice, way: dict) -> Iterator[str]:
    """One river or road of version 1: its ends, its width, its band or chain, its crossings."""
    name, kind, size = way["id"], way["kind"], board.areas.cell
    entry, exit_ = dice.roll("PW1-11", "entry", name), dice.roll("PW1-12", "exit", name)
    first = next(slot for slot, (_, scores) in enumerate(RING) if entry in scores)
    begin = STATIONS[dice.roll("PW1-13", "station of the entry", name)] if entry <= 4 else None
    short = []
    while True:
        last = next((first + step) % 8 for step in range(1, 9) if exit_ in RING[(first + step) % 8][1])
        end = STATIONS[dice.roll("PW1-13", "station of the exit", name)] if exit_ <= 4 else None
        ends = [_point(board, RING[slot][0], at) for slot, at in ((first, begin), (last, end))]
        if not dice.next_is("exit", "again", name):
            break
        short.append(LineString(ends))
        exit_ = dice.roll("PW1-12", "exit", name)
    width = float(board.settings["pw1.road_width"])
    if kind == "river":
        fixed = board.settings["river-areas"]
        two = dice.roll("PW1-14", "width", name) >= 5 if fixed == "die" else fixed == "2"
        width = float(board.settings["pw1.river_width"]) + two
    sent = dice.next_is("round the hills") and dice.roll("PW1-61", "round the hills", name) > 0
    if "shares" in board.own_way(name):
        yield from _band_1(board, way, LineString(ends), width * size)
    else:
        yield from _chain_1(board, way, ends, sent)
    if kind in ROADS:
        yield from _crossings_1(board, dice, way)


def _band_1(board: Board, way: dict, straight: LineString, width: float) -> Iterator[str]:
    """A straight band: its width, its ends, and the part of each area that it covers (PW1-15, PW1-25, PWA-18)."""
    name, line, areas = way["id"], way["shape"], board.areas
    if abs(way["width_mm"] - width) > 0.02 * areas.cell:
        yield f"PW1-{14 if way['kind'] == 'river' else 20}: {name} is {way['width_mm']} mm wide, not {width:g}"
    for clause, end in (("PW1-11", straight.coords[0]), ("PW1-12", straight.coords[-1])):
        if line.distance(Point(end)) > SWAY * areas.cell:
            yield f"{clause}: {name} is {line.distance(Point(end)):.0f} mm from the end that the dice give"
    longer, short = _longer(straight, areas.width + areas.depth), _longer(straight, 0.5 * width)
    if max(longer.distance(Point(each)) for each in line.coords) > SWAY * areas.cell:
        yield f"PW1-15: {name} is not drawn along its straight band"
    # The source does not say how far a band goes on beyond its ends, along an edge of the board.
    bands = [each.buffer(width / 2, cap_style="flat") for each in (short, longer)]
    shares = {(column, row): share for column, row, share in board.own_way(name)["shares"]}
    for cell in areas.cells:
        least, most = (areas.outline(cell).intersection(band).area / areas.outline(cell).area for band in bands)
        share = shares.get(cell, 0.0)
        if not least - 0.01 <= share <= most + 0.01:
            yield f"PW1-25: {name} covers {least:.2f} to {most:.2f} of {cell}, the record says {share}"
        board.cover[cell] += share
    board.held |= set(way["cells"])


def _longer(line: LineString, more: float) -> LineString:
    """Return a straight line that is longer at both ends."""
    (x, y), (to_x, to_y) = line.coords
    length = line.length or 1.0
    across, up = more * (to_x - x) / length, more * (to_y - y) / length
    return LineString([(x - across, y - up), (to_x + across, to_y + up)])


def _chain_1(board: Board, way: dict, ends: list[Point], sent: bool) -> Iterator[str]:
    """A chain of whole areas: its ends on the edge, and the most direct route round hills (PW1-15, PW1-61, PWA-11)."""
    areas, hills, edge = board.areas, board.blocked(HEIGHTS), [cell for cell, _ in board.areas.edge()]
    for clause, end, cell in (("PW1-11", ends[0], way["cells"][0]), ("PW1-12", ends[1], way["cells"][-1])):
        near = [step for step, each in enumerate(edge) if areas.outline(each).distance(end) < 0.6 * areas.cell]
        # Hills can lead both ends to one area; the course then leaves by the next.
        shut = hills if clause == "PW1-11" else hills | {way["cells"][0]}
        onward = {next((free for free in [*edge[step:], *edge] if free not in shut), None) for step in near}
        if cell not in {edge[step] for step in near} | onward:
            yield f"{clause}: {way['id']} passes the edge at {cell}, not where the dice say"
    # The die sends a course left or right round the hills, also where that is the longer way.
    yield from _direct(board, "PW1-15", way, lambda cell: 100.0 if cell in hills else 1.0, math.inf if sent else 0.0)
    for cell in {*way["cells"], *board.beside(way["id"])}:
        board.cover[cell] += 1.0


def _direct(
    board: Board, clause: str, way: dict, cost: Callable[[Cell], float | None], spare: float = 0.0, sent: bool = False
) -> Iterator[str]:
    """Yield whether a chain hangs together and is not the most direct one from its first to its last area (PW2-33)."""
    areas, cells = board.areas, way["cells"]
    for before, after in pairwise(cells):
        if after not in areas.neighbours(before):
            yield f"PW2-33: {way['id']} jumps from {before} to {after}"
            return
    line = _longer(LineString([areas.centre(cells[0]), areas.centre(cells[-1])]), areas.width + areas.depth)
    have, best = areas.price(cells, cost, line), areas.cheapest(cells[:1], cells[-1:], cost, line)
    if best is None or have[0] > best[0] + spare + 0.01:
        yield f"{clause}: {way['id']} costs {have[0]:g} areas, the most direct route {best[0] if best else 'none'}"
    elif not spare and have[0] > best[0] - 0.01 and have[1] > best[1] * 1.005 + 0.05 and not sent:
        yield f"PW2-33: {way['id']} strays {have[1]:.2f} from the straight line, the straightest {best[1]:.2f}"


def _crossings_1(board: Board, dice: Dice, way: dict) -> Iterator[str]:
    """Each place where a road crosses a river has a ford or bridge by its die (PW1-21)."""
    size, marks = board.areas.cell, [mark for mark in board.of(CROSSINGS) if mark["way"] == way["id"]]
    inner = box(0, 0, board.areas.width, board.areas.depth).buffer(-RIM * size)
    for river in board.of({"river"}):
        met = way["shape"].intersection(river["shape"]).intersection(inner)
        near = union_all([mark["shape"] for mark in marks]).buffer(size + river["width_mm"] / 2)
        if not any("shares" in board.own_way(each["id"]) for each in (way, river)):
            # Chains are as wide as their areas, and a road in a run of areas of a river crosses it once (PW2-42).
            crossed = [set(mark["cells"]) for mark in marks if mark["water"] == river["id"]]
            shared = _runs(way["cells"], {*river["cells"], *board.beside(river["id"])})
            runs = [run for run in shared if any(cells <= set(run) for cells in crossed)]
            ground = union_all([board.areas.outline(cell) for run in runs for cell in run])
            near = near.union(ground.buffer(0.3 * size))  # a line leaves its areas a little where it winds
        if not met.difference(near).is_empty:
            yield f"PW1-21: {way['id']} crosses {river['id']} without a ford or bridge"
    for mark in marks:
        kind = board.settings["crossing"]
        if kind == "die":
            kind = "ford" if dice.roll("PW1-21", "crossing", way["id"]) <= 4 else "bridge"
        if mark["kind"] != kind:
            yield f"PW1-21: {mark['id']} is a {mark['kind']}, not a {kind}"


def _steps_2(_board: Board) -> list[tuple[str, Step]]:
    """Return the stages of version 2 in their order (PW2-01)."""
    waters: list[tuple[str, Step]] = [("rivers", _courses_2), ("lakes", _pools_2), ("marshes", _pools_2)]
    later: list[tuple[str, Step]] = [("roads", _courses_2), ("trees", _trees_2), ("habitation", _habitation_2)]
    return [
        ("hills", _hills_2),
        *waters,
        *later,
        ("connecting", _connecting_2),
        ("railways", _courses_2),
        ("fields", _fields_2),
    ]


def _place_2(board: Board, dice: Dice, clause: str, word: str, kind: str, count: int, free: Free) -> list[Cell]:
    """Return the areas of one series of version 2, with its chains (PW2-12, PW2-20)."""
    chains = kind if board.settings["pw2.chains"] == "on" else ""
    return [cell for _, cell in _series(board, dice, clause, _items(word, kind, count), free, chains)]


def _hills_2(board: Board, dice: Dice) -> Iterator[str]:
    """Hills and mountains of version 2; heights are rolled last (PW2-10 to PW2-21)."""
    count = board.number(dice, "hills", "PW2-10", lambda score: score + HILLS_2[board.relief])
    cells = _place_2(board, dice, "PW2-12", "hill", "hill", count, lambda cell, _kind, _joins: not board.taken[cell])
    high = dict.fromkeys(cells, 1)
    if board.relief != "flat":
        high = {cell: _height(board.relief, dice.roll("PW2-11", "height")) for cell in cells}
    yield from _compare(board, "PW2-12", [("mountain" if high[cell] == 3 else "hill", cell) for cell in cells], HEIGHTS)
    yield from _heights(board, "PW2-11", high)
    yield from _dropped(board, HEIGHTS, count - len(cells))


def _pools_2(board: Board, dice: Dice) -> Iterator[str]:
    """Lakes and marshes: any occupied area blocks them (PW2-38, PW2-39)."""
    kind, clause = ("lake", "PW2-38") if dice.stage == "lakes" else ("marsh", "PW2-39")
    given = board.settings[dice.stage]
    count = 0 if given == "no" else board.number(dice, dice.stage, clause, lambda score: score)
    cells = _place_2(board, dice, clause, kind, kind, count, lambda cell, _kind, _joins: board.empty(cell))
    yield from _compare(board, clause, [(kind, cell) for cell in cells], {kind})
    yield from _dropped(board, {kind}, count - len(cells))
    yield from _bodies(board, clause, {kind})


def _trees_2(board: Board, dice: Dice) -> Iterator[str]:
    """Trees of version 2: on free ground and hills (PW2-50)."""
    count = board.number(dice, "trees", "PW2-50", lambda score: score + TREES_2[board.trees_table])

    def free(cell: Cell, _kind: str, _joins: bool) -> bool:
        return board.taken[cell] <= {"hill"} and not board.cover[cell]

    cells = _place_2(board, dice, "PW2-50", "trees", board.growth, count, free)
    yield from _compare(board, "PW2-50", [(board.growth, cell) for cell in cells], TREES)
    yield from _dropped(board, TREES, count - len(cells))
    yield from _bodies(board, "PW2-50", TREES)


def _habitation_2(board: Board, dice: Dice) -> Iterator[str]:
    """Inhabited areas, and what their groups are (PW2-55 to PW2-58)."""
    count = board.number(dice, "habitation", "PW2-55", lambda score: score + PLACES_2[board.places_table])

    def free(cell: Cell, _kind: str, joins: bool) -> bool:
        near = [each for each in board.areas.neighbours(cell) if "settlement" in board.taken[each]]
        if any("hill" in board.taken[each] for each in near):
            return False  # PWA-09: a place with an area on a hill is a settlement of one area
        if "hill" in board.taken[cell]:
            return board.taken[cell] == {"hill"} and not board.cover[cell] and not joins and not near
        return board.empty(cell)

    cells = _place_2(board, dice, "PW2-56", "habitation", "settlement", count, free)
    board.settled, groups = cells, _groups(board, cells)
    kinds = {cell: KIND_OF_SIZE[min(len(group), 5) - 1] for group in groups for cell in group}
    yield from _compare(board, "PW2-57", [(kinds[cell], cell) for cell in cells], PLACES)
    yield from _dropped(board, PLACES, count - len(cells))
    yield from _bodies(board, "PW2-57", PLACES)


def _groups(board: Board, cells: list[Cell]) -> list[list[Cell]]:
    """Return the connected groups of areas, each in the order of the areas (PW2-57)."""
    left, groups = list(cells), []
    while left:
        group, heap = set(), [left[0]]
        while heap:
            cell = heap.pop()
            if cell in left and cell not in group:
                group.add(cell)
                heap += board.areas.neighbours(cell)
        groups.append([cell for cell in left if cell in group])
        left = [cell for cell in left if cell not in group]
    return groups


def _bodies(board: Board, clause: str, kinds: set[str]) -> Iterator[str]:
    """Yield where areas of a kind that touch are not drawn as one feature, or others are (PW2-38, PW2-50, PW2-57)."""
    drawn = {frozenset(feature["cells"]) for feature in board.of(kinds)}
    due = {frozenset(group) for group in _groups(board, board.cells(kinds))}
    for group in sorted(map(sorted, due ^ drawn)):
        yield f"{clause}: areas {group[0]} to {group[-1]} are {'not ' if frozenset(group) in due else ''}one feature"


def _courses_2(board: Board, dice: Dice) -> Iterator[str]:
    """Rivers, roads or railways of version 2, one after the other (PW2-30 to PW2-43, PW2-60 to PW2-62)."""
    kinds, setting = {"rivers": ({"river"}, "river"), "roads": (ROADS, "road"), "railways": ({"railway"}, "railway")}[
        dice.stage
    ]
    ways = [way for way in board.of(kinds) if "connects" not in way and _is_through(board, way)]
    wanted, nowhere = (
        _count(board.settings[setting]),
        [note["values"]["what"] for note in board.notes if note["key"] == "nowhere"],
    )
    if len(ways) + sum(what.split()[0] in kinds for what in nowhere) != wanted:
        yield f"PWA-12: {len(ways)} {dice.stage}, the setting says {wanted}"
    for way in ways:
        dice.skip(nowhere)
        yield from _course_2(board, dice, way)
    dice.skip(nowhere)


def _is_through(board: Board, way: dict) -> bool:
    """Return whether a way runs from edge to edge, as all do but roads that connect a place (PW2-44)."""
    return "joins" not in board.own_way(way["id"]).get("told", {}) and bool(way.get("throws"))


def _course_2(board: Board, dice: Dice, way: dict) -> Iterator[str]:
    """One river, road or railway of version 2: ends, width, route, crossings."""
    kind, areas, hills = way["kind"], board.areas, board.blocked(HEIGHTS)
    entry = dice.roll("PW2-31", f"entry of {kind}")
    exit_ = (entry - 1 + EXITS[board.settings["pw2.exit"]] + dice.roll("PW2-31", f"exit of {kind}")) % 16 + 1
    lakes = set() if kind == "river" else board.blocked({"lake"})
    # Where the edge has no two free areas for the two ends, a course passes hills (PW2-35).
    shut = hills | lakes if len({cell for cell, _ in areas.edge()} - hills - lakes) >= 2 else lakes
    for end, quarter, have in (("entry", entry, way["cells"][0]), ("exit", exit_, way["cells"][-1])):
        due = _end_2(board, dice, end, quarter, shut)
        shut = shut | {have}  # a course does not leave by the area where it enters
        if due != have:
            yield f"PW2-{31 if end == 'entry' else 30}: {way['id']} has its {end} at {have}, the dice say {due}"
    beside = board.beside(way["id"])
    if kind == "river":
        yield from _width_2(board, dice, way, beside)
    elif way["width_mm"] > areas.cell:
        yield f"PW2-41: {way['id']} is {way['width_mm']} mm wide, more than an area"
    sent = dice.next_is("round the hills") and dice.roll("PW2-34", "round the hills") > 0
    wet, marsh, roads = board.blocked({"river"}), board.blocked({"marsh"}), board.blocked(ROADS)

    def cost(cell: Cell) -> float | None:
        if kind != "river" and "lake" in board.taken[cell]:
            return None
        price = 100.0 if cell in hills else 1.0
        if kind != "river" and price < 100:
            price = max(price, 3.0) if cell in marsh else price
            price += 2.0 * (cell in wet) + 2.0 * (kind == "railway" and cell in roads)
        return price

    diverts = kind == "railway" and _diverts(board, way, cost)
    yield from _direct(board, "PW2-33", way, cost, math.inf if diverts else 0.0, sent)
    yield from _crossings_2(board, dice, way)
    board.done.add(way["id"])
    board.flood([*way["cells"], *beside], kind)


def _diverts(board: Board, way: dict, cost: Callable[[Cell], float | None]) -> bool:
    """Return whether a railway goes by a place, and is only a few areas longer than the most direct route (PW2-60).

    "They may, however, divert from the most direct route in order to pass next to or through a village or town." It is
    the most direct route to an area at the place, and from there on by areas that it has not passed.
    """
    areas, cells, most = board.areas, way["cells"], float(board.settings["pw2.rail_divert"])
    homes = set(board.cells(PLACES - {"settlement"}))
    # Of the most direct routes, that with most areas.
    direct = areas.cheapest(cells[:1], cells[-1:], lambda cell: (price := cost(cell)) and price - 0.001)
    if not direct or len(cells) > round(1000 * (math.ceil(direct[0]) - direct[0])) + most:
        return False
    for step, cell in enumerate(cells):
        if homes & {cell, *areas.neighbours(cell)}:
            passed = set(cells[:step])
            there = areas.cheapest(cells[:1], [cell], cost)
            onward = areas.cheapest([cell], cells[-1:], lambda each, old=passed: None if each in old else cost(each))
            price = areas.price(cells, cost)[0] + (cost(cell) or 0.0)  # the area at the place is in both parts
            if there and onward and price <= there[0] + onward[0] + 0.01:
                return True
    return False


def _end_2(board: Board, dice: Dice, end: str, quarter: int, shut: set[Cell]) -> Cell | None:
    """Return the area of a quarter that has the highest die, or the next free one clockwise (PW2-30, PW2-32)."""
    edge = board.areas.edge()
    spots = list(dict.fromkeys(cell for cell, quarters in edge if quarter in quarters and cell not in shut))
    if not spots:
        last = max((place for place, (_, quarters) in enumerate(edge) if quarter in quarters), default=0)
        return next((cell for cell, _ in [*edge[last:], *edge] if cell not in shut), None)
    while len(spots) > 1:
        scores = [dice.roll("PW2-32", end, f"area ({row};{column})") for column, row in spots]
        spots = [cell for cell, score in zip(spots, scores, strict=True) if score == max(scores)]
    return spots[0]


def _width_2(board: Board, dice: Dice, way: dict, beside: list[Cell]) -> Iterator[str]:
    """A river is one area wide, or two with the other on the bank of its die (PW2-36)."""
    fixed = board.settings["river-areas"]
    two = dice.roll("PW2-36", "width") >= 5 if fixed == "die" else fixed == "2"
    if not two:
        if beside or way["width_mm"] > board.areas.cell:
            yield f"PW2-36: {way['id']} is two areas wide, the die says one"
        return
    dice.roll("PW2-36", "bank")
    for cell in beside:
        if "hill" in board.taken[cell] or "mountain" in board.taken[cell]:
            yield f"PW2-36: {way['id']} has its second bank on the hill at {cell}"
        if not set(board.areas.neighbours(cell)) & set(way["cells"]):
            yield f"PW2-36: {way['id']} has a bank at {cell}, which is not beside it"
    # At an inner corner of squares the bank is across the corner.
    for cell in way["cells"]:
        centre = board.areas.centre(cell)
        far = 1.5 * board.areas.cell
        corners = [each for each in board.areas.cells if math.dist(board.areas.centre(each), centre) < far]
        round_it = [each for each in corners if each in beside]
        near = [each for each in board.areas.neighbours(cell) if each not in way["cells"]]
        near = near or [each for each in corners if each not in way["cells"]]
        if not round_it and all(not board.taken[each] & HEIGHTS for each in near):
            yield f"PW2-36: {way['id']} is one area wide at {cell}"


def _crossings_2(board: Board, dice: Dice, way: dict) -> Iterator[str]:
    """Each run of areas that a way shares with rivers, or a railway with roads, is crossed (PW2-42, PW2-61, PW2-62)."""
    name, kind, cells = way["id"], way["kind"], way["cells"]
    marks = sorted(
        (each for each in board.of(CROSSINGS) if each["way"] == name),
        key=lambda mark: min((cells.index(cell) for cell in mark["cells"] if cell in cells), default=0),
    )
    for group in [] if kind == "river" else [{"river"}, ROADS] if kind == "railway" else [{"river"}]:
        waters = {other["id"]: other for other in board.of(group) if other["id"] in board.done}
        covered = {water: {*other["cells"], *board.beside(water)} for water, other in waters.items()}
        for run in _runs(cells, set().union(*covered.values())):
            here = [mark for mark in marks if mark["water"] in waters and set(mark["cells"]) <= set(run)]
            for water, other in waters.items():
                if board.meet(way, other, run) and water not in {mark["water"] for mark in here}:
                    yield f"PW2-42: {name} crosses {water} from {run[0]} to {run[-1]} without a mark"
            for mark in here:
                marks.remove(mark)
                due = board.settings["crossing"]
                if kind == "railway":
                    due = "railway_bridge" if group == {"river"} else "level_crossing"
                elif due == "die":
                    due = "ford" if dice.roll("PW2-42", "crossing", name) <= 4 else "bridge"
                if mark["kind"] != due or not set(mark["cells"]) <= covered[mark["water"]]:
                    yield f"PW2-42: {mark['id']} is a {mark['kind']} of {name} over {mark['water']}, not a {due}"
    for mark in marks:
        yield f"PW2-42: {mark['id']} is where {name} shares no areas with {mark['water']}"


def _runs(cells: list[Cell], covered: set[Cell]) -> list[list[Cell]]:
    """Return the runs of consecutive areas of a chain that are covered."""
    runs: list[list[Cell]] = [[]]
    for cell in cells:
        if cell in covered:
            runs[-1].append(cell)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _connecting_2(board: Board, dice: Dice) -> Iterator[str]:
    """A village, town or city that no road touches gets the most direct road to one, if there is any (PW2-44)."""
    areas, hills = board.areas, board.blocked(HEIGHTS)
    roads = {cell for way in board.of(ROADS) if way["id"] in board.done for cell in way["cells"]}
    places, on = board.of(PLACES - {"settlement"}), board.settings["pw2.connect"] == "on"

    def cost(cell: Cell) -> float | None:
        if "lake" in board.taken[cell] or cell in hills:
            return None
        return (3.0 if "marsh" in board.taken[cell] else 1.0) + 2.0 * ("river" in board.taken[cell])

    def beside(place: dict) -> bool:
        return any(near in roads for cell in place["cells"] for near in [cell, *areas.neighbours(cell)])

    for way in [way for way in board.of(ROADS) if way["id"] not in board.done]:
        place = next((place for place in places if way["cells"][0] in place["cells"]), None)
        if not on or not place or beside(place) or way["cells"][-1] not in roads:
            yield f"PW2-44: {way['id']} is not due: it joins no place without a road to another road"
            continue
        best = areas.cheapest(place["cells"], roads, cost)
        if not best or areas.price(way["cells"], cost)[0] > best[0] + 0.01:
            yield f"PW2-44: {way['id']} is not the most direct road from {place['id']}"
        yield from _crossings_2(board, dice, way)
        board.done.add(way["id"])
        roads |= set(way["cells"])
        board.flood(way["cells"], way["kind"])
    for place in places:
        if on and roads and not beside(place) and areas.cheapest(place["cells"], roads, cost):
            yield f"PW2-44: {place['id']} has no road"


def _fields_2(board: Board, dice: Dice) -> Iterator[str]:
    """Fields: how many, whose, where, and what for (PW2-70 to PW2-74)."""
    add = FIELDS_2.get(board.area)
    count = (
        0
        if add is None and board.settings["fields"] == "die"
        else board.number(dice, "fields", "PW2-70", lambda score: score + (add or 0))
    )
    places = board.of({"settlement", "village"}) or board.of(PLACES)
    order = {cell: step for step, cell in enumerate(board.settled)}
    places.sort(key=lambda place: min(order.get(cell, 0) for cell in place["cells"]))
    due: list[Cell] = []
    if not places:
        due = [
            cell
            for _, cell in _series(
                board, dice, "PW2-71", _items("field", "crops", count), lambda cell, _kind, _joins: board.empty(cell)
            )
        ]
    own: dict[str, list[Cell]] = {
        place["id"]: sorted(place["cells"], key=lambda cell: order.get(cell, 0)) for place in places
    }
    for place in list(_owners(dice, places, count)) if places else []:
        # The village's first area, its other one, then its fields; no die where nothing beside these is free.
        beside = next((cell for cell in own[place["id"]] if any(map(board.empty, board.areas.neighbours(cell)))), None)
        ring = board.areas.clockwise(beside, dice.side(board.areas, "PW2-72", "field")) if beside else []
        where = next(filter(board.empty, [*ring, *board.areas.onward(own[place["id"]][0], 1)]), None)
        if where:
            board.taken[where].add("crops")
            own[place["id"]].append(where)
            due.append(where)
    yield from _dropped(board, FIELDS, count - len(due))
    drawn = {cell: feature["kind"] for feature in board.of(FIELDS) for cell in feature["cells"]}
    for cell in sorted(set(due) ^ set(drawn)):
        yield f"PW2-72: a field is {'drawn' if cell in drawn else 'not drawn'} at {cell}"
    for cell in due:
        grove = board.settings["pw2.orchards"] != "off" and dice.roll("PW2-73", "use") >= 4
        groves = {board.settings["pw2.orchards"]} & GROVES or (
            {"olives", "vineyard"} if board.settings["climate"] == "hot" else {"orchard"}
        )
        if cell in drawn and drawn[cell] not in (groves if grove else OPEN_FIELDS):
            yield f"PW2-73: the field at {cell} is {drawn[cell]}"


def _owners(dice: Dice, places: list[dict], count: int) -> Iterator[dict]:
    """Yield the place of each field: one each, then in order of dice, round by round (PW2-71)."""
    left = count
    if left >= len(places):
        yield from places
        left -= len(places)
    while left > 0:
        round_ = _by_dice(dice, places)[:left]
        yield from round_
        left -= len(round_)


def _by_dice(dice: Dice, places: list[dict]) -> list[dict]:
    """Return places in order of their dice, highest first; the tied roll again among themselves (PW2-71)."""
    scores = [dice.roll("PW2-71", "fields") for _ in places]
    found = []
    for score in sorted(set(scores), reverse=True):
        tied = [place for place, each in zip(places, scores, strict=True) if each == score]
        found += tied if len(tied) == 1 else _by_dice(dice, tied)
    return found
