"""Every number of the book counts: each limit from both sides, and every other number by what it changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pytest
from by_hand import INCH, SIDE, Change, block, changed, face, full_game, joined_rivers, moved, oval, overlays, then
from changed_books import settings_with
from msgspec.structs import replace
from playing import BOOK, EVERYTHING, rules
from shapely import LineString, Point, Polygon, affinity, box
from shapely.ops import substring

from printkit.chance.dice import Dice, ScriptedSource, Seeded, Throw
from printkit.chance.streams import Jitter
from printkit.chance.tables import Span
from printkit.core.errors import ScenarioError
from printkit.core.words import Words
from printkit.kit.book import RuleBook
from printkit.kit.rules import Rules
from printkit.kit.system import Scenario
from printkit.systems.brantley.board.course_brief import RIVER, ROAD, CourseBrief
from printkit.systems.brantley.board.course_choice import CourseChooser
from printkit.systems.brantley.board.course_records import EdgePoint
from printkit.systems.brantley.board.course_routes import crosses_cleanly
from printkit.systems.brantley.dealing.decks import decks
from printkit.systems.brantley.judge.case import BrantleyCase
from printkit.systems.brantley.judge.judge import CHECKS
from printkit.systems.brantley.system import Brantley
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.features import Course, Going, Kind
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import count_corners

Build = Callable[[float], Change]
"""Returns the change of the full game in which one measure is so large, in the unit of the book."""


def book_with(number: str, value: float) -> RuleBook:
    numbers = {**BOOK.numbers, number: value}
    return replace(BOOK, numbers=numbers, settings=settings_with(BOOK, numbers))


def faults(record: Record, clause: str, book: RuleBook = BOOK) -> list[str]:
    return list(CHECKS[clause](BrantleyCase.from_record(record, book)))


def line(*points: tuple[float, float]) -> LineString:
    return LineString([(x * INCH, y * INCH) for x, y in points])


def course(identity: str, *points: tuple[float, float]) -> Change:
    return changed(identity, line=line(*points))


def instead(game: Callable[[], Record], change: Change) -> Change:
    """Return a change that begins with another game."""
    return lambda _: change(game())


def unturned(identity: str) -> Change:
    """Return the change that has the log say that a feature was not turned."""
    reason = f"facing of {identity}, placed by {full_game().battlefield.find(identity).origin.placed_by}"
    throw = Throw(stage="features", reason=reason, asked="choice of 72", answer="0", clause="BR-342")
    return lambda record: replace(record, log=(*record.log, throw))


def sized(identity: str, width: float, depth: float) -> Change:
    number = int(identity[1:])
    if identity in ("z2", "z5"):
        tops = (oval(5, 3.6, 3),) if identity == "z5" else ()
        return changed(identity, contours=(oval(number, width, depth), *tops))
    shape = block(3, width, depth) if identity == "z3" else oval(number, width, depth)
    return then(unturned(identity), changed(identity, outline=shape))


def topped(width: float, depth: float, aside: float = 0.0) -> Change:
    return changed("z5", contours=(oval(5, 6, 5), affinity.translate(oval(5, width, depth), aside * INCH, 0)))


def sided(share: float) -> Change:
    outline = oval(2, 5, 4)
    side = substring(LineString(outline.exterior.coords), 0, share * outline.exterior.length)
    return changed("z2", faces=(replace(face(outline, 1), line=side),))


def arched(ratio: float) -> Change:
    """A road on an arc that is so many times as long as its chord."""
    low, high = 0.0, 1.5
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle / math.sin(middle) < ratio else (low, middle)
    radius = 9 / math.sin(low)
    turns = [low * step / 50 for step in range(-50, 51)]
    points = [(16 + radius * (math.cos(turn) - math.cos(low)), 9 + radius * math.sin(turn)) for turn in turns]
    return course("D2", *points)


def joined_at(inches: float) -> Change:
    at = full_game().battlefield.find("D1").line.interpolate(inches * INCH)
    return changed("D2", line=LineString([(at.x, 0), (at.x, at.y)]))


def scaled(paces: float) -> Change:
    def spoil(record: Record) -> Record:
        board = record.battlefield.board
        board = replace(board, scale=replace(board.scale, pace=INCH / paces))
        return replace(record, battlefield=replace(record.battlefield, board=board))

    return spoil


def bent(degrees: float) -> Change:
    turn = math.radians(degrees)
    return course("D2", (16, 0), (16, 9), (16 + 9 * math.sin(turn), 9 + 9 * math.cos(turn)))


def tan(degrees: float) -> float:
    return math.tan(math.radians(degrees))


def cornered(count: int) -> Change:
    """Return a game whose built-up ground has so many corners, all alike."""
    turns = [math.tau * corner / count for corner in range(count)]
    ring = Polygon([(20 + 2.4 * math.cos(turn), 20 + 2.4 * math.sin(turn)) for turn in turns])
    return changed("z3", outline=affinity.scale(ring, INCH, INCH, origin=(0, 0)))


def logged(stage: str, **answers: object) -> Change:
    """Return the change that has the log tell what was chosen; ``size_of_z4`` stands for its reason."""
    throws = [
        Throw(stage=stage, reason=reason.replace("_", " "), asked="choice of 9", answer=str(answer), clause="BR-342")
        for reason, answer in answers.items()
    ]
    return lambda record: replace(record, log=(*record.log, *throws))


def framed(ratio: float) -> Change:
    """Return a marsh that is wide enough in a frame turned by 6.25 degrees, which is so many times its tightest box."""
    turn = math.radians(6.25)
    twist = (ratio - 1) / (math.cos(turn) * math.sin(turn))
    slender = (twist - math.sqrt(twist * twist - 4)) / 2
    deep = 3 / (math.cos(turn) + math.sin(turn) / slender)
    shape = affinity.scale(box(-deep / slender, -deep, deep / slender, deep), INCH / 2, INCH / 2, origin=(0, 0))
    return changed("z4", outline=affinity.translate(shape, 4 * INCH, 12 * INCH))


def turned_sides(share: float) -> Change:
    """Return a round hill of which the second steep side lies so much of a side farther round than it should."""
    ring = oval(2, 5, 5)
    around = LineString([*ring.exterior.coords[::-1], *ring.exterior.coords[-2::-1]])
    fourth = ring.exterior.length / 4
    faces = [
        replace(face(ring, number), line=substring(around, start * fourth, (start + 0.8) * fourth))
        for number, start in ((0, 0.0), (1, 1.0 + share))
    ]
    return changed("z2", contours=(ring,), faces=tuple(faces))


def sides_together(mm: float) -> Change:
    """Return a hill of which two steep sides run together for so many mm."""
    ring = oval(2, 5, 5)
    fourth = ring.exterior.length / 4
    faces = [
        replace(face(ring, number), line=substring(LineString(ring.exterior.coords), low, high))
        for number, low, high in ((1, 0.0, fourth + mm), (0, fourth, 2 * fourth))
    ]
    return changed("z2", contours=(ring,), faces=tuple(faces))


AREAS = {"bua": "z3", "heavy_woods": "z1", "broken_ground": "z9", "light_woods": "z7", "marsh": "z4"}
SIZES = {**AREAS, "hill_1": "z2", "hill_2": "z5", "lake": "z6"}
"""What has its sizes in the clauses from BR-G11 on, in their order."""

CITED = [(name, each, f"BR-G{number}") for number, (name, each) in enumerate(SIZES.items(), 11)]


def both(name: str, clause: str, build: Build) -> dict[str, tuple[str, str, Build]]:
    return {f"{name}_min": ("least", clause, build), f"{name}_max": ("most", clause, build)}


def deployed(paces: float) -> Change:
    """Return the change of A's deployment area to so many paces."""
    shape = box(0, SIDE - paces * 0.254, SIDE, SIDE)
    return overlays(lambda one: replace(one, shape=shape) if one.side == "A" else one)


LIMITS: Mapping[str, tuple[str, str, Build]] = {
    "margin": ("least", "BR-G02", lambda v: moved("z7", 1.75 - v, 0)),
    **{f"{name}_min": ("least", clause, lambda v, each=each: sized(each, 6, v)) for name, each, clause in CITED},
    **{f"{name}_max": ("most", clause, lambda v, each=each: sized(each, v, 5)) for name, each, clause in CITED},
    **both("inner_share", "BR-G17", lambda v: topped(6 * math.sqrt(v), 5 * math.sqrt(v))),
    "inner_gap_min": ("least", "BR-G17", lambda v: topped(3.6, 3, aside=1.2 - v)),
    **both("arc_share", "BR-G21", sided),
    **both("river_width", "BR-G31", lambda v: changed("R2", width=v * INCH)),
    **both("lake_depth", "BR-G38", lambda v: course("R2", (24, 8), (20, 8), (20, 10 + v))),
    **both("road_width", "BR-G51", lambda v: changed("D2", width=v * INCH)),
    **both("bua_depth", "BR-G55", lambda v: course("D1", (20, 0), (20, 18.25 + v))),
    "river_limit": ("most", "BR-G32", lambda v: course("R1", (8, 0), (8 + 12 * math.sqrt(v * v - 1), 12), (8, 24))),
    "corner_gap": ("least", "BR-G33", lambda v: course("R1", (v, 0), (8, 24))),
    "river_junction_gap": ("least", "BR-G39", lambda v: instead(joined_rivers, course("R2", (0, v), (8, v)))),
    "junction_angle": ("least", "BR-G39", lambda v: instead(joined_rivers, course("R2", (8 - 8 * tan(v), 0), (8, 8)))),
    "river_edge_gap_in_widths": (
        "least",
        "BR-G34",
        lambda v: course("R1", (8, 0), (8, 4), (v, 6), (v, 8), (8, 10), (8, 24)),
    ),
    "road_limit": ("most", "BR-G52", arched),
    "road_bend_max": ("most", "BR-G52", bent),
    "junction_gap": ("least", "BR-G56", joined_at),
    "crossing_angle_min": ("least", "BR-G57", lambda v: course("D1", (8 - 12 * tan(v), 0), (8 + 12 * tan(v), 24))),
    "crossing_length_in_widths_max": (
        "most",
        "BR-G57",
        lambda v: course(
            "D1", (0, 11), (7.7, 11), (7.7, 10.5 + v / 2), (8.3, 10.5 + v / 2), (8.3, 10 + v), (15, 10 + v)
        ),
    ),
    "apart": (
        "most",
        "BR-342",
        lambda mm: then(
            changed("z4", outline=oval(4, 4.5 + mm / INCH, 3.5)),
            logged("features", size_of_z4="4.5x3.5", facing_of_z4="0"),
        ),
    ),
    "room_to_lie": (
        "most",
        "BR-343",
        lambda mm: then(
            changed("z4", outline=oval(4, 6.5 - mm / INCH, 3.5)),
            logged("features", place_in_its_zone_of_z4="left"),
        ),
    ),
    "place_written": (
        "most",
        "BR-404",
        lambda v: then(course("R1", (8 + v, 0), (8, 24)), logged("rivers", **{"river R1: start": "S:8.0"})),
    ),
    "tight_frame": ("most", "BR-G15", framed),
    "side_turn": ("most", "BR-Q06", turned_sides),
    "covered_twice": ("most", "BR-G22", sides_together),
    "one_place": ("most", "BR-601", lambda mm: changed("X1", at=Point(8 * INCH, 17.1 * INCH + mm))),
    "deployment_paces": ("most", "BR-G72", deployed),
    "paces_per_inch": ("most", "BR-G71", scaled),
}
"""Every limit of a clause: whether it is the least or the most, and a change to so much."""


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=pytest.mark.clause(clause)) for number, (_, clause, _) in LIMITS.items()]
)
def test_a_limit_is_kept_to_a_hundredth_and_missed_by_its_slack_and_a_hundredth(number: str):
    end, clause, build = LIMITS[number]
    limit, slack = BOOK.numbers[number], BOOK.slacks.get(number, 0.0)
    assert slack <= max(0.02 * limit, 1.0 if "angle" in number or "bend" in number else 0.0)
    sign = 1 if end == "most" else -1
    exact = number in ("deployment_paces", "paces_per_inch")
    inside = build(limit if exact else limit * (1 - sign * 0.01))(full_game())
    outside = build(limit * (1 + sign * 0.01) + sign * slack)(full_game())
    assert faults(inside, clause) == []
    assert faults(outside, clause) != []
    eased = BOOK.numbers[number] * (1 + sign * 0.1)
    assert faults(outside, clause) != faults(outside, clause, book_with(number, eased))


@pytest.mark.clause("BR-G11")
@pytest.mark.parametrize(("count", "said"), [(4, ["the minimum is 5"]), (5, []), (8, []), (9, ["the maximum is 8"])])
def test_built_up_ground_has_five_to_eight_corners(count: int, said: list[str]):
    found = faults(cornered(count)(full_game()), "BR-G11")
    assert found == [f"z3: number of corners of a built-up area is {count}; {each}" for each in said]


@pytest.mark.clause("BR-G11")
def test_built_up_ground_is_laid_with_as_many_corners_as_the_book_says():
    def laid(book: RuleBook) -> set[int]:
        system = Brantley()
        system.__dict__["book"] = book
        zones = {"zones": EVERYTHING}
        found = set()
        for seed in range(8):
            scenario = Scenario(board=system.board(), settings=book.settle({}), seed=seed, inputs=zones)
            made = system.lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))
            found |= {count_corners(town.outline, 0.2 * INCH) for town in made.battlefield.select_features(Kind.BUA)}
        return found

    assert laid(BOOK) == {5, 6, 7, 8}
    assert laid(book_with("bua_corners_max", 5)) == {5}


# --- What is no limit: by what it changes -----------------------------------------------------------------------------


def played(book: RuleBook) -> object:
    """Return what a game of one feature of each kind, with a river to the lake and a road to the town, comes to."""
    system = Brantley()
    system.__dict__["book"] = book
    courses = {"rivers": ["river A S:20 -> lake@9"], "roads": ["road A N:4 -> bua@1"]}
    scenario = Scenario(board=system.board(), settings=book.settle({}), seed=1, inputs={"zones": EVERYTHING, **courses})
    made = system.lay_out(scenario, Dice(ScriptedSource([*"444415115152"], Seeded(1))), Jitter(1))
    return made.battlefield, made.log


def allowed(key: str, text: str) -> Callable[[RuleBook], object]:
    """Return whether a setting may have a value."""

    def settled(book: RuleBook) -> bool:
        try:
            book.settle({key: text})
        except ScenarioError:
            return False
        return True

    return settled


def brief(book: RuleBook, sort: Kind, *others: Course) -> CourseBrief:
    field = Battlefield(board=full_game().battlefield.board, features=())
    chosen = RIVER if sort is Kind.RIVER else ROAD
    return CourseBrief(course_type=chosen, identity="D9", field=field, earlier_courses=others, rules=rules(book=book))


def tries(book: RuleBook) -> int:
    """Return how often a placer chooses a start where no line is right, by a 25th of the number."""
    dice = Dice(Seeded(1))
    fewer = replace(book, numbers={**book.numbers, "new_ends_max": book.numbers["new_ends_max"] / 25})
    CourseChooser(brief(fewer, Kind.ROAD), dice, lambda _: False).choose_course(Jitter(1))
    return sum(throw.reason.endswith("start") for throw in dice.log)


def squarely(book: RuleBook) -> bool:
    """Return whether a road may cross another at 47 degrees."""
    other = Course(id="D1", kind=Kind.ROAD, line=line((12, 0), (12, 24)), width=19.05, going=Going(0, "good"))
    site, aslant = brief(book, Kind.ROAD, other), line((12 - 12 * tan(47), 0), (12 + 12 * tan(47), 24))
    return crosses_cleanly(site, aslant, EdgePoint(Edge.FAR, 23.0))


ARC = [math.pi * step / 40 for step in range(41)]
U_TURN = [(16, 1), *((16.8 - 0.8 * math.cos(turn), 8 + 0.8 * math.sin(turn)) for turn in ARC), (17.6, 1)]

OTHERS: Mapping[str, tuple[float, Callable[[RuleBook], object]]] = {
    "touch": (1.1, lambda book: faults(course("D2", (16, 0), (16, 18.2 - 0.0525 / INCH))(full_game()), "BR-505", book)),
    "board_side": (1.1, lambda book: faults(moved("z7", 1.75 - 0.74, 0)(full_game()), "BR-G02", book)),
    **dict.fromkeys((f"{name}_long" for name in SIZES), (1.1, played)),
    **dict.fromkeys(("river_width", "road_width", "lake_depth", "bua_depth"), (1.1, played)),
    "margin_min": (1.1, allowed("margin", "0.5")),
    "margin_max": (0.9, allowed("margin", "1.5")),
    "river_limit_min": (1.1, allowed("river-limit", "1.0")),
    "river_limit_max": (0.9, allowed("river-limit", "1.45")),
    "road_limit_min": (1.1, allowed("road-limit", "1.0")),
    "road_limit_max": (0.9, allowed("road-limit", "1.4")),
    "bend_over": (1.1, lambda book: faults(course("D2", *U_TURN)(full_game()), "BR-G52", book)),
    "crossing_angle": (1.1, squarely),
    "new_ends_max": (0.5, tries),
    "bua_corners_min": (1.2, lambda book: faults(cornered(5)(full_game()), "BR-G11", book)),
    "bua_corners_max": (0.875, lambda book: faults(cornered(8)(full_game()), "BR-G11", book)),
    "corner_over": (5.0, lambda book: faults(cornered(9)(full_game()), "BR-G11", book)),
}
"""Every other number, by how much it is changed, and what that changes: a record, a verdict, or what may be set."""


@pytest.mark.parametrize("number", OTHERS)
def test_a_number_counts(number: str):
    factor, shown = OTHERS[number]
    assert shown(book_with(number, BOOK.numbers[number] * factor)) != shown(book_with(number, BOOK.numbers[number]))


def test_every_number_of_the_book_is_shown_to_count():
    assert set(LIMITS) | set(OTHERS) == set(BOOK.numbers)


@pytest.mark.parametrize("table", BOOK.tables)
def test_a_changed_table_of_dice_is_printed_as_it_is_thrown(table: str):
    found = BOOK.tables[table]
    first, second = found.rows[:2]
    end = first.span.high - 1 if first.span.high > first.span.low else first.span.high + 1
    rows = (replace(first, span=Span(first.span.low, end)), replace(second, span=Span(end + 1, second.span.high)))
    book = replace(BOOK, tables={**BOOK.tables, table: replace(found, rows=(*rows, *found.rows[2:]))})
    usual, changed_deck = (decks(Rules.of(each, {"br-q16": "die"}), Words(("en",))) for each in (BOOK, book))
    assert usual[1] != changed_deck[1]
