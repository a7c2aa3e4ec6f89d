"""Every number, table and list of the books counts; every limit of the judge holds on both its sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from changed_books import book_instead, number_changed
from msgspec.structs import replace
from shapely import LineString, Point, affinity, box
from spoiling import GAMES, case, first, game, put, with_features

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import ScenarioError
from printkit.kit.book import RuleBook, read_book
from printkit.kit.checks import UnseenError
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.bands import axis
from printkit.systems.portable.grid.sketch import FIELDS, ROADS, TREES, Sketch
from printkit.systems.portable.grid.terms import build_sketch
from printkit.systems.portable.judge.judge import CHECKS
from printkit.terrain.field.features import Course, Crossing, Hill, Kind
from printkit.terrain.field.grids import Cell, grid_of
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import ribbon

FIRST, SECOND = "portable-1", "portable-2"
SEEDS = range(16)

# --- What the dice put on the areas, by a book that was changed -------------------------------------------------------

CROWDED = {"hills": "40", "river": "2", "road": "2"}
BARE = {"hills": "0", "trees": "0", "settlements": "0", "towns": "0"}
WET = {"marshes": "9", "river": "2", "road": "2", "railway": "2", "habitation": "12"}
NUMBERS: dict[tuple[str, str], tuple[float, dict[str, str]]] = {
    (FIRST, "river_width"): (1.8, {}),
    (FIRST, "road_width"): (1.7, {}),
    (FIRST, "sliver"): (8.0, {}),
    (FIRST, "least_areas"): (2.0, {"river": "2", "road": "2"}),
    (FIRST, "settlement_cover"): (1.1, {"settlements": "9", "river": "2", "road": "2"}),
    (FIRST, "village_cover"): (1.1, {**BARE, "villages": "20", "river": "2", "river-areas": "2", "road": "2"}),
    (FIRST, "wider_river"): (1.1, {"river": "2", "river-areas": "2"}),
    (FIRST, "full_board"): (0.5, {"numbers": "by-area"}),
    (SECOND, "full_board"): (0.5, {"numbers": "by-area"}),
    (FIRST, "cost_hill"): (0.01, {**CROWDED, "pw1.order": "hills-first"}),
    (SECOND, "rail_divert"): (0.0, {"railway": "2", "habitation": "12"}),
    (SECOND, "cost_hill"): (0.01, CROWDED),
    (SECOND, "cost_marsh"): (3.0, WET),
    (SECOND, "extra_river"): (3.0, WET),
    (SECOND, "extra_road"): (3.0, WET),
}
"""By how much a number is changed, a whole one by what shows on some board, and on which boards."""

BOARDS = ("cell", "cell_min", "cell_max", "paces_per_area", "bases_per_area")
"""Numbers that say how large a board is."""


def laid(name: str, given: dict[str, str], seed: int) -> Sketch | str:
    """Return what lies on the areas, or the error where the book cannot be played."""
    rules = Rules.of(read_book(name), given)
    grid = grid_of(rules.choice("grid"), cell=100)
    try:
        return build_sketch(find(name).steps, grid, rules, {}, Dice(Seeded(seed)))  # type: ignore[attr-defined]
    except Exception as error:
        return repr(error)


def differs(name: str, book: RuleBook, given: dict[str, str]) -> bool:
    """Return whether another book lays some board otherwise."""
    for seed in SEEDS:
        usual = laid(name, given, seed)
        with book_instead(name, book):
            if laid(name, given, seed) != usual:
                return True
    return False


@pytest.mark.parametrize(("name", "number"), NUMBERS)
def test_a_number_that_is_changed_changes_a_board(name: str, number: str) -> None:
    factor, given = NUMBERS[name, number]
    book = read_book(name)
    numbers = {**book.numbers, number: book.numbers[number] * factor}
    assert differs(name, replace(book, numbers=numbers), given)


@pytest.mark.parametrize("number", BOARDS)
def test_a_number_of_the_board_changes_it(number: str) -> None:
    system: Any = find(FIRST)

    def boards() -> list[str]:
        book = read_book(FIRST)
        portable = type(system)(FIRST, system.stages, system.steps)
        return [_board(portable, cell) for cell in (None, 20.0, book.numbers["cell_max"])]

    usual = boards()
    with number_changed(FIRST, number, 1.1):
        assert boards() != usual


def _board(system: Any, cell: float | None) -> str:
    try:
        return repr(system.board(cell=cell))
    except Exception as error:
        return repr(error)


def country(table: str) -> dict[str, str]:
    """Return the settings of a country in which a table is thrown on."""
    what, _, where = table.partition("_")
    if what == "habitation":
        return {"area": {"sparse": "wild"}.get(where, where)}
    if what == "trees" and where in ("desert", "forested"):
        return {"area": "desert"} if where == "desert" else {"forested": "yes"}
    if what in ("hills", "height", "trees"):
        return {"relief": where, "area": "rural"}
    wanted = {
        "chain": {"pw1.chains": "on"},
        "detour": {"pw1.order": "hills-first", "relief": "mountainous"},
        "mountain_height": {"relief": "mountainous"},
        "bank": {"river-areas": "2"},
    }
    return wanted.get(table, {})


TABLES = [(name, table) for name in GAMES for table in read_book(name).tables]


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_a_die_table_is_what_is_thrown_on(name: str, table: str) -> None:
    book = read_book(name)
    own = book.tables[table]
    other = replace(own, rows=tuple(replace(row, outcome=own.rows[-1].outcome) for row in own.rows))
    known = {setting.key for setting in book.settings}
    given = {key: text for key, text in country(table).items() if key in known}
    assert differs(name, replace(book, tables={**book.tables, table: other}), {**given, "river": "2", "road": "2"})


LISTS = [(name, rows) for name in GAMES for rows in read_book(name).rows if rows != "signs"]


@pytest.mark.parametrize(("name", "rows"), LISTS)
def test_a_list_of_the_book_is_read(name: str, rows: str) -> None:
    book = read_book(name)
    given = {"lakes": "die", "marshes": "die"} if name == SECOND else {}
    assert differs(name, replace(book, rows={**book.rows, rows: ()}), given)


@pytest.mark.parametrize("name", GAMES)
def test_the_going_of_every_sign_is_that_of_the_book(name: str) -> None:
    assert find(name).goings() == {
        row.need("sign", str): row.need("going", str) for row in read_book(name).own("signs")
    }


# --- Limits of the judge: inside by a hundredth, and outside by the slack and a hundredth -----------------------------

Spoil = Callable[[Record, float], Record | None]
"""Returns a record in which something measures so much, in mm or in the unit of the number; None where it cannot."""


def board_wider(record: Record, off: float) -> Record:
    board = replace(record.battlefield.board, width=record.battlefield.board.width + off)
    return replace(record, battlefield=replace(record.battlefield, board=board))


def ground_beyond(record: Record, off: float) -> Record:
    wood, seen = first(record, *TREES), case(record)
    own = seen.join_areas([Cell(*cell) for cell in wood.cells])
    return put(record, replace(wood, outline=own.buffer(off, quad_segs=64)))


def crossing_beyond(record: Record, off: float) -> Record | None:
    crossing, seen = first(record, Kind.FORD, Kind.BRIDGE), case(record)
    if crossing is None:
        return None
    cell = Cell(*crossing.cells[0])
    (x, _), (left, low, _, _) = seen.grid.centre(cell), seen.outline(cell).bounds
    only = replace(crossing, cells=(tuple(cell),), at=Point(x, low - off))
    return put(record, only) if left < x else None


def aside(line: LineString, off: float) -> Point:
    """Return a place that lies so far from a line."""
    start, ahead = line.interpolate(0.5, normalized=True), line.interpolate(0.51, normalized=True)
    across = (start.y - ahead.y, ahead.x - start.x)
    far = off
    for _ in range(50):
        size = far / (across[0] ** 2 + across[1] ** 2) ** 0.5
        place = Point(start.x + across[0] * size, start.y + across[1] * size)
        far += off - line.distance(place)
    return place


def crossing_off(member: str) -> Spoil:
    def spoil(record: Record, off: float) -> Record | None:
        crossing = first(record, Kind.FORD, Kind.BRIDGE)
        if crossing is None:
            return None
        other: Any = record.battlefield.find(getattr(crossing, member))
        narrow = put(record, replace(other, width=1.0))
        # A crossing of lines that meet in its areas is at that point; without areas the limit for its water holds.
        cells = () if member == "water" else crossing.cells
        return put(narrow, replace(crossing, at=aside(other.line, off), cells=cells))

    return spoil


def ways_meet(record: Record, place: tuple[float, float], cells: tuple[Any, ...] | None) -> Record | None:
    """Return a record in which one road and one river run straight through a place, with one crossing there or none."""
    road, river, crossing = first(record, *ROADS), first(record, Kind.RIVER), first(record, Kind.FORD, Kind.BRIDGE)
    if None in (road, river, crossing):
        return None
    x, y = place
    there = (road, river, *((crossing,) if cells else ()))
    features = record.battlefield.features
    record = with_features(record, (one for one in features if one in there or not isinstance(one, Course | Crossing)))
    record = put(record, replace(road, line=LineString([(x - 1, y - 1), (x + 1, y + 1)]), cells=cells or road.cells))
    record = put(record, replace(river, line=LineString([(x - 1, y + 1), (x + 1, y - 1)]), cells=()))
    return put(record, replace(crossing, cells=cells or (), route=road.id, water=river.id))


def meeting_at_rim(record: Record, off: float) -> Record | None:
    grid = case(record).grid
    return ways_meet(record, (grid.centre(Cell(3, grid.rows))[0], off), None)


def meeting_beyond(record: Record, off: float) -> Record | None:
    seen = case(record)
    cell = Cell(4, 4)
    (x, _), low = seen.grid.centre(cell), seen.outline(cell).bounds[1]
    return ways_meet(record, (x, low - off), (tuple(cell),))


def line_off(record: Record, off: float) -> Record | None:
    """Return a record in which the line of a road leads so far out of its areas and back."""
    road, seen = first(record, *ROADS), case(record)
    if road is None or seen.is_wide(road):
        return None
    own = seen.join_areas([Cell(*cell) for cell in road.cells])
    coords = list(road.line.coords)
    half = len(coords) // 2
    x, y = coords[half][:2]
    beyond = (Point(x, y + far / 20) for far in range(1, 4000))
    there = next((place for place in beyond if own.distance(place) >= off), None)
    if there is None or not seen.hull.contains(there):
        return None
    coords = [*coords[: half + 1], there.coords[0], *coords[half:]]
    return put(record, replace(road, line=LineString(coords)))


def middle_washed(record: Record, off: float) -> Record | None:
    """Return a record in which a wood leaves its centre free, and a road of no width runs so far from there."""
    wood, road, seen = first(record, *TREES), first(record, *ROADS), case(record)
    if wood is None or road is None:
        return None
    x, y = seen.grid.centre(Cell(*wood.cells[0]))
    outline = seen.outline(Cell(*wood.cells[0])).difference(box(x - 1, y - 1, x + 1, y + 100))
    record = put(record, replace(wood, outline=outline, cells=wood.cells[:1]))
    for course in record.battlefield.features:
        if isinstance(course, Course):
            record = put(record, replace(course, line=affinity.translate(course.line, 5000, 5000)))
    return put(record, replace(road, line=LineString([(x + off, -500), (x + off, 1500)]), width=0.001))


def wide(record: Record, width: float) -> Record | None:
    road = first(record, *ROADS)
    return None if road is None else put(record, replace(road, width=width))


def contours(record: Record, count: float) -> Record | None:
    hill = first(record, Kind.HILL)
    if hill is None or any(cell in case(record).find_cells(Kind.MOUNTAIN) for cell in hill.cells):
        return None
    x, y = case(record).grid.centre(Cell(*hill.cells[0]))
    rings = (hill.contours[0], *(Point(x, y).buffer(12.0 - each) for each in range(1, round(count))))
    return put(record, replace(hill, contours=rings))


def off_slot(record: Record, off: float) -> Record | None:
    """Return a record in which the nearer half of a river keeps so far from the side by which it comes in."""
    for course, way in case(record).pair_courses(Kind.RIVER):
        if way.facts["from"]["slot"] == "top":
            y = case(record).grid.depth - off
            line = LineString([(100, y), (300, y), (300, y - 100), (300, y - 250)])
            return put(record, replace(course, line=line))
    return None


def river_width(record: Record, off: float) -> Record | None:
    for course, way in case(record).pair_courses(Kind.RIVER):
        if way.band is not None:
            return put(record, replace(course, width=way.width * 100.0 + off))
    return None


def band(record: Record) -> tuple[Course, LineString] | None:
    """Return a course that is a straight band from side to side, and its centre line, which runs on over the edge."""
    for course, way in case(record).pair_courses(Kind.RIVER, *ROADS):
        if way.band is not None and not any("-" in way.facts[end]["slot"] for end in ("from", "to")):
            return course, axis(way.band, extension_mm=200.0)
    return None


def off_band(record: Record, off: float) -> Record | None:
    if (found := band(record)) is None:
        return None
    course, line = found
    bent = LineString([line.coords[0], aside(line, off).coords[0], line.coords[1]])
    return put(record, replace(course, line=bent))


def off_station(record: Record, off: float) -> Record | None:
    if (found := band(record)) is None:
        return None
    course, line = found
    place, middle = aside(line, off), line.interpolate(0.5, normalized=True)
    return put(record, replace(course, line=affinity.translate(line, place.x - middle.x, place.y - middle.y)))


def river_dry(*, on_bank: bool) -> Spoil:
    """Return the change of a wide river that covers so much of the driest area of its chain, or on its bank."""

    def spoil(record: Record, share: float) -> Record | None:
        seen = case(record)
        for course, way in seen.pair_courses(Kind.RIVER):
            areas = [cell for cell in (way.beside if on_bank else way.cells) if cell is not None]
            if not areas or not seen.is_wide(course):
                continue
            low, high = 0.0, 1000.0
            for _ in range(60):
                half = (low + high) / 2
                line = affinity.translate(course.line, half, half / 2)
                wet = min(seen.measure_cover(ribbon(line, course.width), cell) for cell in areas)
                low, high = (half, high) if wet > share else (low, half)
            return put(record, replace(course, line=line))
        return None

    return spoil


def covering(*kinds: Kind) -> Spoil:
    """Return the change of ground in a single area without a river or road that covers a share of it."""

    def spoil(record: Record, share: float) -> Record | None:
        seen = case(record)
        for feature in seen.find_ground(*kinds):
            cell = seen.outline(Cell(*feature.cells[0]))
            if len(feature.cells) == 1 and not seen.course_ground.intersects(cell):
                outline = affinity.scale(cell, share**0.5, share**0.5)
                others = [one for one in record.battlefield.features if one.cells != feature.cells]
                shape = {"contours": (outline,)} if isinstance(feature, Hill) else {"outline": outline}
                return with_features(record, (*others, replace(feature, **shape)))
        return None

    return spoil


def covering_beside_river(*kinds: Kind) -> Spoil:
    """Return the change of ground that covers a share of an area, and of a river that covers all of this area."""

    def spoil(record: Record, share: float) -> Record | None:
        spoilt, river = covering(*kinds)(record, share), first(record, Kind.RIVER)
        if spoilt is None or river is None:
            return None
        x, y = case(record).grid.centre(Cell(*spoilt.battlefield.features[-1].cells[0]))
        return put(spoilt, replace(river, line=LineString([(x, y - 500), (x, y + 500)]), width=500.0))

    return spoil


@pytest.mark.clause("PW2-36")
def test_without_a_log_a_wide_river_takes_the_areas_of_which_it_covers_enough() -> None:
    record = replace(game(SECOND, 1), log=())
    river, share = first(record, Kind.RIVER), case(record).rules.number("bank_taken")
    for covered, taken in ((0.99 * share, False), (1.01 * share, True)):
        x = 300.0 - 75.0 + 100.0 * covered
        course = replace(river, line=LineString([(x, -500), (x, 1500)]), width=150.0, cells=())
        assert (Cell(4, 4) in case(put(record, course)).find_taken_cells(course)) == taken


LIMITS: list[tuple[str, str, str, str, Spoil]] = [
    (FIRST, "off_board", "PW0-01", "the board", board_wider),
    (FIRST, "off_area", "PW0-02", "is outside", ground_beyond),
    (FIRST, "off_crossing", "PW0-02", "is outside", crossing_beyond),
    (FIRST, "off_way", "PW1-21", "is not on", crossing_off("route")),
    (FIRST, "off_water", "PW1-21", "is not at", crossing_off("water")),
    (SECOND, "off_meeting", "PW2-42", "meets", meeting_beyond),
    (SECOND, "rim", "PW2-42", "meets", meeting_at_rim),
    (SECOND, "off_line", "PW2-33", "leaves its areas", line_off),
    (SECOND, "bank", "PW0-03", "does not cover the middle", middle_washed),
    (FIRST, "one_area", "PW1-20", "width of a road", wide),
    (SECOND, "one_area", "PW2-41", "width of a road", wide),
    (FIRST, "most_contours", "PW1-31", "has 3 contours", contours),
    (SECOND, "most_contours", "PW2-11", "has 3 contours", contours),
    (FIRST, "off_slot", "PW1-11", "areas away from top", off_slot),
    (FIRST, "off_width", "PWA-03", "is drawn", river_width),
    (FIRST, "off_band", "PW1-15", "not a straight band", off_band),
    (FIRST, "off_station", "PW1-13", "away from its position", off_station),
    (SECOND, "bank_wet", "PW2-36", "on its bank dry", river_dry(on_bank=True)),
    (SECOND, "water", "PW2-33", "covers", river_dry(on_bank=False)),
    (FIRST, "cover", "PW0-02", "covers", covering(*TREES)),
    (FIRST, "cover_hill", "PW0-02", "covers", covering(Kind.HILL)),
    (FIRST, "cover_settlement", "PW0-02", "covers", covering(Kind.SETTLEMENT)),
    (SECOND, "cover_field", "PW0-02", "covers", covering(*FIELDS)),
    (SECOND, "cover_itself", "PW0-02", "without rivers and roads", covering_beside_river(*TREES)),
]


def broken(clause: str, says: str, record: Record) -> bool:
    try:
        return any(says in fault for fault in CHECKS[clause](case(record)))
    except UnseenError:
        return False


@pytest.mark.parametrize(
    ("name", "number", "clause", "says", "spoil"),
    [pytest.param(*each, marks=pytest.mark.clause(each[2]), id=f"{each[0]}-{each[1]}") for each in LIMITS],
)
def test_a_limit_holds_on_both_sides(name: str, number: str, clause: str, says: str, spoil: Spoil) -> None:
    for place in range(len(GAMES[name])):
        record = game(name, place)
        rules = case(record).rules
        limit, slack = rules.limit(number), rules.slack(number)
        assert slack <= 0.02 * limit
        counts = number == "most_contours"
        inside, outside = (limit, limit + 1) if counts else (0.99 * limit, limit + slack + 0.01 * limit)
        kept, over = spoil(record, inside), spoil(record, outside)
        if kept is None or over is None:
            continue
        least = spoil.__qualname__.startswith(("river_dry", "covering"))
        assert (broken(clause, says, kept), broken(clause, says, over)) == (least, not least)
        return
    pytest.fail(f"no board on which {number} could be tried")


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_the_book_is_in_a_table(name: str) -> None:
    tried = {number for system, number in NUMBERS if system == name} | {each[1] for each in LIMITS} | {"bank_taken"}
    book = read_book(name)
    ranges = {f"{number}_{end}" for number in book.set_by for end in ("min", "max")}
    assert set(book.numbers) <= tried | set(BOARDS) | ranges


@pytest.mark.clause("PW1-20", "PW1-25", "PWA-03", "PW2-60")
@pytest.mark.parametrize("name", GAMES)
def test_a_number_that_people_may_change_stays_in_its_range(name: str) -> None:
    book = read_book(name)
    for number, key in book.set_by.items():
        for end, beyond in (("min", -0.01), ("max", 0.01)):
            limit = book.numbers[f"{number}_{end}"]
            assert Rules.of(book, {key: str(limit)}).number(number) == limit
            with pytest.raises(ScenarioError, match="is not valid"):
                Rules.of(book, {key: str(limit + beyond)})
