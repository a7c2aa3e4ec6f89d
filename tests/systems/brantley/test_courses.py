"""Rivers, roads and crossings: recorded ones are judged, the others are chosen and never break a rule."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec.structs import replace
from playing import BOOK, rules
from shapely import LineString, Point, Polygon, affinity, box

from printkit.chance.dice import Dice, Scripted, Seeded
from printkit.chance.streams import Jitter, Stream
from printkit.chance.tables import Span
from printkit.core.errors import PlacementError, ScenarioError
from printkit.kit.book import RuleBook
from printkit.systems.brantley.board import course_routes
from printkit.systems.brantley.board.course_brief import RIVER, ROAD, CourseBrief, CourseSort
from printkit.systems.brantley.board.course_records import EdgeSpot, read
from printkit.systems.brantley.board.courses import PlacedCourse, crossings, lay
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind, Origin
from printkit.terrain.geometry.measure import (
    angle_at,
    common_pieces,
    corner_distance,
    edge_of,
    meetings,
    runs_inside,
    sharpest_bend,
    sinuosity,
    touches_edge_only_at_ends,
)
from printkit.terrain.geometry.outlines import arcs, blob, settled

INCH = 25.4
BOARD = Board(24 * INCH, 24 * INCH, GroundScale(pace=0.254, base_width=40.0))
GOOD, BAD, SHUT = Going(0, "good"), Going(2, "bad"), Going(3, "impassable")
GOINGS = {Kind.MARSH: BAD, Kind.BUA: BAD, Kind.LIGHT_WOODS: BAD, Kind.LAKE: SHUT, Kind.HEAVY_WOODS: SHUT}


def centre(zone: int) -> tuple[float, float]:
    row, column = divmod(zone - 1, 3)
    return (8 * column + 4) * INCH, (20 - 8 * row) * INCH


def area(zone: int, kind: Kind, inches: float = 5.0) -> Area:
    """Return a square with cut corners in the middle of a zone."""
    shape = Point(*centre(zone)).buffer(inches * INCH / 2, quad_segs=2)
    return Area(id=f"z{zone}", kind=kind, outline=shape, going=GOINGS[kind], origin=Origin(zone=zone))


def field(*features: Feature, board: Board = BOARD) -> Battlefield:
    return Battlefield(board=board, features=features)


def seeded(seed: int) -> Dice:
    return Dice(Seeded(seed))


def rivers(
    ground: Battlefield, placers: Sequence[str], records: Sequence[str], options: dict, dice: Dice, jitter: Jitter
) -> tuple[PlacedCourse, ...]:
    return lay(RIVER, ground, placers, records, rules(options, side=ground.board.width), dice.at("rivers"), jitter)


def roads(
    ground: Battlefield, placers: Sequence[str], records: Sequence[str], options: dict, dice: Dice, jitter: Jitter
) -> tuple[PlacedCourse, ...]:
    return lay(ROAD, ground, placers, records, rules(options, side=ground.board.width), dice.at("roads"), jitter)


def river(record: str | Sequence[str], ground: Battlefield, seed: int = 1, **options: str) -> PlacedCourse:
    records = [record] if isinstance(record, str) else record
    return lay_rivers(ground, records, seed, options)[-1]


def lay_rivers(
    ground: Battlefield, records: Sequence[str], seed: int = 1, options: Mapping[str, str] | None = None
) -> tuple[PlacedCourse, ...]:
    placers = [record.split()[1] for record in records]
    return rivers(ground, placers, records, named(options or {}), seeded(seed), Jitter(seed))


def road(record: str | Sequence[str], ground: Battlefield, seed: int = 1, **options: str) -> PlacedCourse:
    records = [record] if isinstance(record, str) else record
    placers = [one.split()[1] for one in records]
    return roads(ground, placers, records, named(options), seeded(seed), Jitter(seed))[-1]


def named(options: Mapping[str, str]) -> dict[str, str]:
    """Return settings from keywords: br_q12 is br-q12."""
    return {key.replace("_", "-"): value for key, value in options.items()}


def inches(placed: PlacedCourse) -> float:
    return float(placed.course.line.length) / INCH


def ends(placed: PlacedCourse) -> tuple[tuple[float, float], tuple[float, float]]:
    line = placed.course.line
    return tuple(tuple(round(value / INCH, 3) for value in point) for point in (line.coords[0], line.coords[-1]))  # type: ignore[return-value]


def refused(clause: str):
    return pytest.raises(PlacementError, match=rf"\({clause}\)")


def peaked(length: float) -> str:
    """Return a river from N:8 to S:8 over one point, so many inches long."""
    return f"river A N:8 -> S:8 via {8 + math.sqrt((length / 2) ** 2 - 144):.6f},12"


# --- rivers as recorded -----------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-404", "BR-405", "BR-G31", "BR-T25")
def test_a_recorded_river_runs_from_edge_to_edge():
    placed = river("river A N:8 -> S:16", field())
    assert (placed.start, placed.end) == ("N:8.0", {"edge": "S:16.0"})
    assert ends(placed) == ((8, 24), (16, 0))
    assert placed.course.id == "R1"
    assert placed.course.width == pytest.approx(INCH)
    assert placed.course.origin.placed_by == "A"
    assert {"BR-402", "BR-404", "BR-405"} <= set(placed.course.origin.clauses)


@pytest.mark.clause("BR-T25", "BR-G32", "BR-X15")
def test_a_river_of_one_and_a_half_times_the_straight_distance_is_legal_and_no_longer_one():
    assert inches(river(peaked(36.0), field())) <= 36.0
    with refused("BR-X15") as caught:
        river(peaked(36.1), field())
    assert "36.10 in long" in str(caught.value)
    assert "36.00 in" in str(caught.value)


@pytest.mark.clause("BR-T26", "BR-Q24")
def test_neighbouring_edges_round_a_corner_are_legal():
    placed = river("river A N:8 -> W:8 via 8,8", field())
    assert ends(placed) == ((8, 24), (0, 8))
    written = LineString([(8, 24), (8, 8), (0, 8)])
    assert (written.length, round(sinuosity(written), 3)) == (24.0, 1.342)
    assert 23 < inches(placed) <= 24


@pytest.mark.clause("BR-X11", "BR-T27", "BR-Q09")
def test_both_ends_on_one_edge_are_refused_unless_the_setting_allows_it():
    with refused("BR-X11") as caught:
        river("river A N:8 -> N:16", field())
    assert "far edge" in str(caught.value)
    assert river("river A N:8 -> N:16", field(), br_q09="allow").end == {"edge": "N:16.0"}
    with refused("BR-X11"):
        river("river A N:8 -> N:15", field(), br_q09="allow")


@pytest.mark.clause("BR-Q10")
def test_neighbouring_edges_may_be_switched_off():
    with refused("BR-Q10"):
        river("river A N:8 -> W:8", field(), br_q10="opposite-only")
    assert river("river A N:8 -> S:8", field(), br_q10="opposite-only").end == {"edge": "S:8.0"}


@pytest.mark.clause("BR-X10", "BR-G33", "BR-G53", "BR-Q23")
@pytest.mark.parametrize("start", ["N:0.5", "N:23.5", "W:30", "N:-2", "lake@6", "8,24"])
def test_a_start_off_the_edge_or_near_a_corner_is_refused(start: str):
    with refused("BR-X10") as caught:
        river(f"river A {start} -> S:8", field(area(6, Kind.LAKE)))
    assert start in str(caught.value)
    with refused("BR-X10"):
        road(f"road A {start} -> S:8", field())


@pytest.mark.clause("BR-X10")
def test_an_end_near_a_corner_is_refused_too_and_an_inch_is_enough():
    with refused("BR-X10"):
        river("river A N:8 -> S:0.9", field())
    assert river("river A N:8 -> S:1", field()).end == {"edge": "S:1.0"}


@pytest.mark.clause("BR-406", "BR-G38", "BR-X12", "BR-T28")
def test_a_river_ends_just_inside_a_lake_of_the_zone_named():
    ground = field(area(1, Kind.BUA), area(5, Kind.LAKE), area(9, Kind.BUA))
    with refused("BR-X12") as caught:
        river("river B W:10 -> lake@6", ground)
    assert "zone 6" in str(caught.value)
    placed = river("river B W:10 -> lake@5", ground)
    lake, end = ground.features[1].outline, Point(placed.course.line.coords[-1])
    assert placed.end == {"lake": "z5"}
    assert lake.contains(end)
    assert 0.1 <= lake.exterior.distance(end) / INCH <= 1.0
    assert len(meetings(placed.course.line, LineString(lake.exterior.coords))) == 1


@pytest.mark.clause("BR-407", "BR-G39", "BR-X13", "BR-T29")
def test_a_river_ends_only_in_a_river_that_lies_there():
    with refused("BR-X13"):
        river("river A E:5 -> river R1 0.5", field())
    first, second = lay_rivers(field(), ["river A N:8 -> S:8", "river B E:5 -> river R1 0.5"])
    end = Point(second.course.line.coords[-1])
    assert second.end == {"river": "R1", "at": 0.5}
    assert first.course.line.distance(end) < 0.01
    assert angle_at(end, second.course.line, first.course.line) >= 30


@pytest.mark.clause("BR-G39")
def test_a_junction_keeps_three_inches_from_the_ends_of_the_other_river_and_meets_it_aslant():
    with pytest.raises(PlacementError, match="at least 3 in"):
        lay_rivers(field(), ["river A N:8 -> S:8 via 8,12", "river B E:5 -> river R1 0.95 via 16,4"])
    with pytest.raises(PlacementError, match="at least 30"):
        lay_rivers(field(), ["river A N:8 -> S:8 via 8,12", "river B S:11 -> river R1 0.5 via 9.5,6"])


@pytest.mark.clause("BR-Q14", "BR-X13")
def test_the_first_river_may_be_declared_to_end_in_the_second_if_the_setting_says_so():
    records = ["river A W:10 -> river R2 0.5", "river B N:14 -> S:14"]
    with refused("BR-X13"):
        lay_rivers(field(), records)
    first, second = lay_rivers(field(), records, options={"br-q14": "deferred"})
    assert (first.course.id, second.course.id) == ("R1", "R2")
    assert first.end == {"river": "R2", "at": 0.5}
    assert second.course.line.distance(Point(first.course.line.coords[-1])) < 0.01


@pytest.mark.clause("BR-G40")
def test_a_second_river_that_reaches_the_first_ends_there():
    first, second = lay_rivers(field(), ["river A N:12 -> S:12 via 12,12", "river B W:10 -> E:10 via 12,10"])
    assert second.end == {"river": "R1", "at": pytest.approx(14 / 24, abs=0.01)}
    assert first.course.line.distance(Point(second.course.line.coords[-1])) < 0.01
    assert "BR-407" in second.course.origin.clauses


@pytest.mark.clause("BR-G40")
def test_a_second_river_without_points_of_its_own_ends_in_the_first_where_there_is_no_way_past():
    _, second = lay_rivers(field(), ["river A N:12 -> S:12", "river B W:10 -> E:10"])
    assert second.end.get("river") == "R1"


@pytest.mark.clause("BR-G36", "BR-X14", "BR-Q12")
@pytest.mark.parametrize(
    ("kind", "setting", "may"),
    [
        (Kind.MARSH, "marsh", True),
        (Kind.LIGHT_WOODS, "marsh", False),
        (Kind.LAKE, "marsh", False),
        (Kind.MARSH, "none", False),
        (Kind.LIGHT_WOODS, "any-but-bua-lake", True),
        (Kind.HEAVY_WOODS, "any-but-bua-lake", True),
        (Kind.BUA, "any-but-bua-lake", False),
        (Kind.LAKE, "any-but-bua-lake", False),
    ],
)
def test_which_ground_a_river_may_pass(kind: Kind, setting: str, may: bool):
    ground, record = field(area(5, kind)), "river A N:12 -> S:12 via 12,12"
    if may:
        assert river(record, ground, br_q12=setting).course.line.intersects(ground.features[0].outline)
    else:
        with refused("BR-X14") as caught:
            river(record, ground, br_q12=setting)
        assert "z5" in str(caught.value)


@pytest.mark.clause("BR-G36")
def test_without_points_a_recorded_river_goes_round_what_is_in_its_way():
    ground = field(area(5, Kind.LAKE))
    placed = river("river A N:12 -> S:12", ground)
    assert ground.features[0].outline.distance(placed.course.line) >= INCH / 2 - 0.01


@pytest.mark.clause("BR-G34")
def test_a_river_that_comes_too_near_the_edge_is_refused():
    with refused("BR-G34"):
        river("river A N:8 -> S:8 via 0.5,12", field())


@pytest.mark.clause("BR-G35")
def test_a_river_that_crosses_itself_is_refused():
    with refused("BR-G35"):
        river("river A N:8 -> S:12 via 8,12 10,10 10,14 7,10", field())


@pytest.mark.clause("BR-X21")
def test_more_records_than_the_die_allows_or_by_another_player_are_refused():
    with refused("BR-X21") as caught:
        rivers(field(), ["A"], ["river A N:8 -> S:8", "river B N:16 -> S:16"], {}, seeded(1), Jitter(1))
    assert "2 river records" in str(caught.value)
    with refused("BR-X21") as caught:
        rivers(field(), ["A"], ["river B N:16 -> S:16"], {}, seeded(1), Jitter(1))
    assert "player B" in str(caught.value)
    with refused("BR-X21"):
        roads(field(), [], ["road A N:16 -> S:16"], {}, seeded(1), Jitter(1))


@pytest.mark.clause("BR-403", "BR-Q11")
def test_records_go_to_their_players_in_placing_order_and_the_rest_is_chosen():
    laid = rivers(field(), ["B", "A"], ["river A N:8 -> S:8"], {}, seeded(3), Jitter(3))
    assert [placed.course.origin.placed_by for placed in laid] == ["B", "A"]
    assert laid[1].start == "N:8.0"
    assert all("BR-403" in placed.course.origin.clauses for placed in laid)


@pytest.mark.parametrize("text", ["river A", "river C N:8 -> S:8", "road A N:8 -> S:8", "river A N:8 -> bua@3"])
def test_a_record_that_cannot_be_read_shows_how_it_is_written(text: str):
    with pytest.raises(ScenarioError, match=r"river A N:8 -> S:16"):
        rivers(field(), ["A"], [text], {}, seeded(1), Jitter(1))


@pytest.mark.clause("BR-G01")
def test_another_board_scales_everything():
    small = Board(300.0, 300.0, GroundScale(pace=0.125, base_width=20.0))
    placed = river("river A N:8 -> S:16", field(board=small))
    assert placed.course.line.coords[0] == (100, 300)
    assert placed.course.width == pytest.approx(12.5)


# --- roads as recorded ------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-504", "BR-505", "BR-G51")
def test_a_recorded_road_runs_from_edge_to_edge():
    placed = road("road B W:4 -> E:6", field())
    assert (placed.start, placed.end) == ("W:4.0", {"edge": "E:6.0"})
    assert ends(placed) == ((0, 4), (24, 6))
    assert placed.course.width == pytest.approx(0.75 * INCH)


@pytest.mark.clause("BR-506", "BR-G55", "BR-X16", "BR-T30")
def test_a_road_ends_half_an_inch_inside_the_town_named():
    ground = field(area(1, Kind.BUA), area(5, Kind.LAKE), area(9, Kind.BUA))
    with refused("BR-X16") as caught:
        road("road A S:12 -> bua@5", ground)
    assert "zone 5" in str(caught.value)
    placed = road("road A S:12 -> bua@9", ground)
    town, end = ground.features[2].outline, Point(placed.course.line.coords[-1])
    assert placed.end == {"bua": "z9"}
    assert town.contains(end)
    assert 0.25 <= town.exterior.distance(end) / INCH <= 1.0


@pytest.mark.clause("BR-507", "BR-G56", "BR-X17")
def test_a_road_ends_at_a_road_that_lies_there():
    with refused("BR-X17"):
        road("road A W:4 -> road D1 0.5", field())
    placed = road(["road A N:12 -> S:12", "road B W:10 -> road D1 0.5"], field())
    assert placed.end == {"road": "D1", "at": 0.5}
    with pytest.raises(PlacementError, match="at least 3 in"):
        road(["road A N:12 -> S:12 via 12,12", "road B W:4 -> road D1 0.9 via 6,3"], field())


@pytest.mark.clause("BR-G52", "BR-X18")
def test_a_road_that_is_too_long_or_bends_too_sharply_is_refused():
    with refused("BR-X18") as caught:
        road("road A N:8 -> S:8 via 17.5,12", field())
    assert "1.25" in str(caught.value)
    with refused("BR-X18") as caught:
        road("road A N:8 -> S:8 via 12,16 8,14.5", field())
    assert "degrees" in str(caught.value)
    assert road("road A N:8 -> S:8 via 11,12", field()).end == {"edge": "S:8.0"}


@pytest.mark.clause("BR-G54", "BR-X18", "BR-Q15")
@pytest.mark.parametrize(
    ("kind", "setting", "may"),
    [
        (Kind.MARSH, "passable", True),
        (Kind.LIGHT_WOODS, "passable", True),
        (Kind.HEAVY_WOODS, "passable", False),
        (Kind.BUA, "passable", False),
        (Kind.LAKE, "any-but-lake", False),
        (Kind.HEAVY_WOODS, "any-but-lake", True),
        (Kind.LIGHT_WOODS, "clear-only", False),
    ],
)
def test_which_ground_a_road_may_pass(kind: Kind, setting: str, may: bool):
    ground, record = field(area(5, kind)), "road A N:12 -> S:12 via 12,12"
    if may:
        assert road(record, ground, br_q15=setting).course.line.intersects(ground.features[0].outline)
    else:
        with refused("BR-X18") as caught:
            road(record, ground, br_q15=setting)
        assert "z5" in str(caught.value)


@pytest.mark.clause("BR-G54")
def test_a_road_climbs_a_gentle_side_and_no_steep_one():
    outline = area(5, Kind.LAKE).outline
    faces = tuple(
        HillFace(line=side, kind=Kind.STEEP_SLOPE, going=SHUT, side=number)
        for number, side in enumerate(arcs(outline, 0.0))
    )
    west_east, north_south = "road A W:12 -> E:12 via 12,12", "road A N:12 -> S:12 via 12,12"
    hill = Hill(id="z5", kind=Kind.HILL, contours=(outline,), going=GOOD, faces=(faces[0],))
    assert road(north_south, field(hill)).course.line.intersects(outline)
    with refused("BR-X18") as caught:
        road(west_east, field(hill))
    assert "z5" in str(caught.value)


@pytest.mark.clause("BR-G58")
def test_a_road_first_tries_to_meet_no_feature_at_all():
    wood = area(5, Kind.LIGHT_WOODS, 4.0)
    assert not road("road A N:12 -> S:14", field(wood)).course.line.intersects(wood.outline)
    wall = Area(id="z4", kind=Kind.MARSH, outline=box(0.5, 220, 609, 300), going=BAD)
    assert road("road A N:12 -> S:12", field(wall)).course.line.intersects(wall.outline)


@pytest.mark.clause("BR-G58", "BR-X18")
def test_a_recorded_road_without_a_way_names_what_stands_in_it():
    wall = Area(id="z4", kind=Kind.LAKE, outline=box(0.5, 220, 609, 300), going=SHUT)
    with refused("BR-X18") as caught:
        road("road A N:12 -> S:12", field(wall))
    assert "z4" in str(caught.value)


STRAIGHT_RIVER = "river A N:8 -> S:8 via 8,12"


@pytest.mark.clause("BR-G57", "BR-X18")
def test_a_road_crosses_a_river_and_does_not_run_in_it():
    wet = field(river(STRAIGHT_RIVER, field()).course)
    assert road("road A W:4 -> E:4 via 12,4", wet).end == {"edge": "E:4.0"}
    with refused("BR-X18") as caught:
        road("road A N:8.2 -> S:8.2 via 8.2,12", wet)
    assert "R1" in str(caught.value)
    with refused("BR-X18") as caught:
        road("road A N:4 -> S:12 via 8,12", wet)
    assert "degrees" in str(caught.value)


# --- crossings --------------------------------------------------------------------------------------------------------


def crossed(scores: str = "2 6", book: RuleBook = BOOK, **options: str) -> tuple[Crossing, ...]:
    """Return the crossings of two straight roads over a straight river."""
    ground = field(river(STRAIGHT_RIVER, field()).course)
    texts = ["road A W:4 -> E:4 via 12,4", "road B E:14 -> W:14 via 12,14"]
    laid = roads(ground, ["A", "B"], texts, {}, seeded(1), Jitter(1))
    ground = ground.add(*(placed.course for placed in laid))
    return crossings(
        ground, {"D1": "A", "D2": "B"}, rules(named(options), book=book), Dice(Scripted(scores.split(), Seeded(1)))
    )


@pytest.mark.clause("BR-601", "BR-G61", "BR-T31", "BR-Q16")
def test_a_straight_road_over_a_straight_river_is_one_bridge():
    first, second = crossed()
    assert (first.at.x / INCH, first.at.y / INCH) == pytest.approx((8, 4))
    assert (first.id, first.kind, first.way, first.water) == ("X1", Kind.BRIDGE, "D1", "R1")
    assert first.bearing % 180 == pytest.approx(0, abs=0.01)
    assert (second.at.y / INCH, second.origin.placed_by) == (pytest.approx(14), "B")


@pytest.mark.clause("BR-Q16", "BR-D5")
@pytest.mark.parametrize(
    ("setting", "kinds"),
    [
        ("choose", "bridge bridge"),
        ("ford", "ford ford"),
        ("bridge", "bridge bridge"),
        ("die", "ford bridge"),
        ("alternate", "bridge ford"),
    ],
)
def test_fords_and_bridges_follow_the_setting(setting: str, kinds: str):
    assert " ".join(crossing.kind for crossing in crossed(br_q16=setting)) == kinds


@pytest.mark.clause("BR-Q16", "BR-D5")
def test_the_die_of_a_crossing_is_looked_up_in_its_table():
    assert [crossing.kind for crossing in crossed("3 4", br_q16="die")] == [Kind.FORD, Kind.BRIDGE]
    table = BOOK.tables["crossing"]
    rows = (replace(table.rows[0], span=Span(1, 1)), replace(table.rows[1], span=Span(2, 6)))
    rare = replace(BOOK, tables={**BOOK.tables, "crossing": replace(table, rows=rows)})
    assert [crossing.kind for crossing in crossed("1 2", rare, br_q16="die")] == [Kind.FORD, Kind.BRIDGE]


@pytest.mark.clause("BR-D5")
def test_one_die_a_crossing_is_thrown_and_only_with_the_setting():
    ground = field(river(STRAIGHT_RIVER, field()).course)
    ground = ground.add(road("road A W:4 -> E:4 via 12,4", ground).course)
    dice = seeded(4)
    crossings(ground, {"D1": "A"}, rules(), dice)
    assert dice.log == []
    crossings(ground, {"D1": "A"}, rules({"br-q16": "die"}), dice)
    assert [(throw.stage, throw.asked, throw.clause) for throw in dice.log] == [("crossings", "d6", "BR-D5")]


@pytest.mark.clause("BR-Q22", "BR-601")
def test_a_road_to_a_town_across_a_river_crosses_it():
    ground = field(area(6, Kind.BUA), river("river A N:12 -> S:12 via 12,12", field()).course)
    ground = ground.add(road("road A W:12 -> bua@6", ground).course)
    assert len(crossings(ground, {"D1": "A"}, rules(), seeded(1))) == 1


@pytest.mark.clause("BR-G62")
def test_junctions_make_no_crossing_of_their_own():
    first, second = lay_rivers(field(), ["river A N:8 -> S:8 via 8,12", "river B E:12 -> river R1 0.5 via 16,12"])
    ground = field(first.course, second.course)
    through = Course(
        id="D1", kind=Kind.ROAD, line=LineString([(0, 10 * INCH), (600, 13.7 * INCH)]), width=19, going=GOOD
    )
    assert crossings(ground, {}, rules(), seeded(1)) == ()
    at_once = Course(
        id="D1", kind=Kind.ROAD, line=LineString([(0, 10 * INCH), (16 * INCH, 14 * INCH)]), width=19, going=GOOD
    )
    assert len(crossings(ground.add(at_once), {"D1": "A"}, rules(), seeded(1))) == 1
    assert len(crossings(ground.add(through), {"D1": "A"}, rules(), seeded(1))) == len(
        {(round(m.at.x), round(m.at.y)) for one in (first, second) for m in meetings(through.line, one.course.line)}
    )


# --- chosen by chance -------------------------------------------------------------------------------------------------


def random_field(seed: int, *, full: bool) -> Battlefield:
    """Return features in about half the zones, or in all nine zones as large as their margins allow."""
    stream, found = Stream(f"test/{seed}"), []
    kinds = (Kind.HEAVY_WOODS, Kind.LAKE, Kind.BUA, Kind.HEAVY_WOODS) if full else tuple(GOINGS)
    for zone in range(1, 10):
        kind = kinds[stream.below(len(kinds))]
        size = 6.5 * INCH if full else stream.between(3.0, 5.0) * INCH
        if not full and stream.unit() < 0.5:
            continue
        shape: Polygon = (settled if kind is Kind.BUA else blob)(size, size, stream)
        shape = affinity.translate(shape, *centre(zone))
        found.append(Area(id=f"z{zone}", kind=kind, outline=shape, going=GOINGS[kind], origin=Origin(zone=zone)))
    return field(*found)


def laid_out(
    ground: Battlefield, seed: int, options: Mapping[str, str] | None = None, counts: tuple[int, int] = (2, 2)
) -> tuple[Battlefield, tuple[PlacedCourse, ...], tuple[PlacedCourse, ...], Dice]:
    dice, jitter, given = seeded(seed), Jitter(seed), options or {}
    wet = rivers(ground, "AB"[: counts[0]], (), given, dice, jitter)
    ground = ground.add(*(placed.course for placed in wet))
    dry = roads(ground, "AB"[: counts[1]], (), given, dice, jitter)
    ground = ground.add(*(placed.course for placed in dry))
    placers = {placed.course.id: placed.course.origin.placed_by for placed in dry}
    return ground.add(*crossings(ground, placers, rules(given), dice)), wet, dry, dice


def assert_legal(ground: Battlefield, wet: Sequence[PlacedCourse], dry: Sequence[PlacedCourse]) -> None:
    """Measure every promise of a board anew, from its shapes."""
    areas = {feature.id: feature for feature in ground.features if isinstance(feature, Area)}
    for placed in (*wet, *dry):
        sort: CourseSort = RIVER if placed in wet else ROAD
        line, width = placed.course.line, placed.course.width
        assert sinuosity(line) <= (1.5 if sort is RIVER else 1.25)
        assert line.is_simple
        start, end = Point(line.coords[0]), Point(line.coords[-1])
        found = edge_of(start, BOARD)
        assert found is not None
        assert placed.start.startswith({"far": "N", "near": "S", "left": "W", "right": "E"}[found[0]])
        assert corner_distance(start, BOARD) >= INCH
        goal = placed.end.get("lake") or placed.end.get("bua")
        for feature in areas.values():
            open_to_river = sort is RIVER and feature.kind is Kind.MARSH
            open_to_road = sort is ROAD and feature.kind in (Kind.MARSH, Kind.LIGHT_WOODS)
            if feature.id != goal and not open_to_river and not open_to_road:
                assert feature.outline.distance(line) >= width / 2 - 0.02
        if goal:
            outline = areas[str(goal)].outline
            low, high = (0.1, 1.0) if sort is RIVER else (0.25, 1.0)
            assert outline.contains(end)
            assert low <= outline.exterior.distance(end) / INCH <= high
            assert len(meetings(line, LineString(outline.exterior.coords))) == 1
        elif "edge" in placed.end:
            other_edge = edge_of(end, BOARD)
            assert other_edge is not None
            assert other_edge[0] is not found[0]
        if sort is RIVER:
            assert runs_inside(line, BOARD, width)
        else:
            assert touches_edge_only_at_ends(line, BOARD)
            assert sharpest_bend(line, 2 * INCH) <= 60
    for first, second in pairwise(wet):
        joined = second.end.get("river") == first.course.id
        end = Point(second.course.line.coords[-1])
        assert (first.course.line.distance(end) < 0.01) is joined
        assert all(
            joined and meeting.at.distance(end) < 0.5 for meeting in meetings(second.course.line, first.course.line)
        )
        assert not joined or angle_at(end, second.course.line, first.course.line) >= 30
    found_crossings = [feature for feature in ground.features if isinstance(feature, Crossing)]
    count = 0
    for way in dry:
        for water in wet:
            met = meetings(way.course.line, water.course.line)
            count += len(met)
            assert all(meeting.angle >= 30 for meeting in met)
            for piece in common_pieces(way.course.line, way.course.width, water.course.line, water.course.width):
                bed = water.course.line.buffer(water.course.width / 2, cap_style="flat")
                assert piece.intersection(bed).length <= 2 * water.course.width + 0.05
    assert len(found_crossings) == count


@pytest.mark.clause(
    "BR-404..BR-407", "BR-504..BR-507", "BR-G31..BR-G36", "BR-G38..BR-G40", "BR-G51..BR-G57", "BR-G61", "BR-T40"
)
@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=some.integers(0, 10_000))
def test_courses_by_chance_keep_every_rule(seed: int):
    ground, wet, dry, _ = laid_out(random_field(seed, full=False), seed)
    assert len(wet) == len(dry) == 2
    assert_legal(ground, wet, dry)


@pytest.mark.clause("BR-G37", "BR-G58")
@settings(max_examples=3, deadline=None, derandomize=True)
@given(seed=some.integers(0, 10_000))
def test_there_is_a_way_on_a_board_full_of_the_largest_features(seed: int):
    ground, wet, dry, _ = laid_out(random_field(seed, full=True), seed)
    assert_legal(ground, wet, dry)


@pytest.mark.clause("BR-G37")
def test_corridors_between_the_zones_are_the_last_resort():
    boxes = [box(x + 19.05, y + 19.05, x + 184.15, y + 184.15) for x in (0, 203.2, 406.4) for y in (0, 203.2, 406.4)]
    full = field(
        *(Area(id=f"z{n}", kind=Kind.HEAVY_WOODS, outline=shape, going=SHUT) for n, shape in enumerate(boxes, 1))
    )
    ground, wet, dry, _ = laid_out(full, 11)
    assert_legal(ground, wet, dry)
    assert {sort.kind for sort in (RIVER, ROAD)} == {placed.course.kind for placed in (*wet, *dry)}


@pytest.mark.clause("BR-Q10", "BR-405")
@pytest.mark.parametrize("seed", range(3))
def test_chosen_ends_keep_to_opposite_edges_if_they_must(seed: int):
    _, wet, _, _ = laid_out(field(), seed, {"br-q10": "opposite-only"}, counts=(1, 0))
    assert {wet[0].start[0], str(wet[0].end["edge"])[0]} in ({"N", "S"}, {"W", "E"})


@pytest.mark.clause("BR-506")
@pytest.mark.parametrize("seed", range(3))
def test_a_road_leads_to_a_town_if_there_is_one(seed: int):
    _, _, dry, _ = laid_out(field(area(3, Kind.BUA), area(7, Kind.BUA)), seed, counts=(0, 2))
    assert dry[0].end.get("bua") in ("z3", "z7")
    assert dry[1].end.get("road") == "D1" or dry[1].end.get("bua") in {"z3", "z7"} - {dry[0].end["bua"]}


@pytest.mark.clause("BR-Q13")
@pytest.mark.parametrize("seed", range(6))
def test_of_two_lakes_a_river_takes_the_one_nearer_to_its_start(seed: int):
    lakes = (area(4, Kind.LAKE), area(6, Kind.LAKE))
    _, wet, _, _ = laid_out(field(*lakes), seed, counts=(1, 0))
    start = Point(wet[0].course.line.coords[0])
    nearer = min(lakes, key=lambda lake: lake.outline.centroid.distance(start))
    assert wet[0].end.get("lake", nearer.id) == nearer.id


def test_some_rivers_end_in_a_lake_and_some_cross_the_board():
    goals = {next(iter(laid_out(field(area(5, Kind.LAKE)), seed, counts=(1, 0))[1][0].end)) for seed in range(8)}
    assert goals == {"lake", "edge"}


def test_decisions_are_logged_with_their_stage_and_shapes_are_not():
    _, _, _, dice = laid_out(field(area(5, Kind.LAKE)), 5, counts=(1, 1))
    assert {throw.stage for throw in dice.log} == {"rivers", "roads"}
    assert all(throw.asked.startswith("choice of ") for throw in dice.log)
    assert "river R1: start" in [throw.reason for throw in dice.log]
    assert len(dice.log) <= 8


def test_other_jitter_draws_other_lines_between_the_same_ends():
    one, two = (rivers(field(), ["A"], (), {}, seeded(7), Jitter(seed))[0] for seed in (1, 2))
    assert (one.start, one.end) == (two.start, two.end)
    assert one.course.line.hausdorff_distance(two.course.line) > 5


def test_the_same_seed_gives_the_same_board():
    one, two = (laid_out(field(area(3, Kind.BUA)), 3, counts=(1, 1))[0] for _ in range(2))
    assert [feature.id for feature in one.features] == [feature.id for feature in two.features]
    assert all(
        first.line.equals_exact(second.line)
        for first, second in zip(one.features, two.features, strict=True)
        if isinstance(first, Course) and isinstance(second, Course)
    )


def test_open_courses_do_not_hug_the_edges():
    for seed in range(4):
        _, wet, _, _ = laid_out(field(), seed, counts=(1, 0))
        line = wet[0].course.line
        middle = line.interpolate(0.5, normalized=True)
        assert BOARD.shape.exterior.distance(middle) > 2 * INCH


def test_faults_of_a_sound_line_are_none():
    site = CourseBrief(sort=ROAD, identity="D1", field=field(), others=(), rules=rules())
    placed = road("road A W:4 -> E:6", field())
    assert list(site.faults(placed.course.line, EdgeSpot(Edge.RIGHT, 6.0))) == []


@pytest.mark.parametrize(("limit", "sought"), [("1.0", False), ("1.1", True)])
def test_no_line_is_sought_where_a_straight_one_is_too_long(limit: str, sought: bool, monkeypatch):
    seen = []
    monkeypatch.setattr(course_routes.courses, "routed", lambda *ends, **_: seen.append(ends))
    site = CourseBrief(sort=ROAD, identity="D1", field=field(), others=(), rules=rules({"road-limit": limit}))
    assert course_routes.routed(site, EdgeSpot(Edge.FAR, 12.0), EdgeSpot(Edge.NEAR, 12.0), Stream("any")) is None
    assert bool(seen) is sought


@pytest.mark.clause("BR-M14")
@pytest.mark.parametrize(
    "written",
    ["river A N:8 via 9,14 6,8 -> S:8", "river A N:8 via 9,14 -> S:8 via 6,8", "river A N:8 via 9,14 via 6,8 -> S:8"],
)
def test_points_between_stand_before_the_arrow_or_after_the_end(written: str):
    usual = read("river A N:8 -> S:8 via 9,14 6,8", "river", rules())
    assert usual.via == ((9.0, 14.0), (6.0, 8.0))
    assert replace(read(written, "river", rules()), text=usual.text) == usual


def test_the_example_of_a_course_can_be_read():
    with pytest.raises(ScenarioError) as caught:
        read("river A over the hills", "river", rules())
    lines = re.findall(r"'(river [^']+)'", str(caught.value))
    assert [bool(read(line, "river", rules()).via) for line in lines if "over" not in line] == [
        False,
        True,
        False,
        False,
    ]
