"""Rivers, roads and crossings: recorded ones are judged, the others are chosen and never break a rule."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest
from broken_rules import break_rule
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec.structs import replace
from playing import BOOK, rules
from shapely import LineString, Point, Polygon, affinity, box

from printkit.chance.dice import Dice, Question, ScriptedSource, Seeded
from printkit.chance.streams import Jitter, Stream
from printkit.chance.tables import Span
from printkit.core.errors import PlacementError, ScenarioError
from printkit.kit.book import RuleBook
from printkit.kit.rules import Rules
from printkit.kit.shape_rules import Measurement, ShapeRule
from printkit.systems.brantley.board import course_routes
from printkit.systems.brantley.board.course_brief import RIVER, ROAD, CourseBrief, CourseType
from printkit.systems.brantley.board.course_records import EdgePoint, parse_course_record
from printkit.systems.brantley.board.course_rules import COURSE_RULES, CourseRule
from printkit.systems.brantley.board.courses import PlacedCourse, place_courses, place_crossings
from printkit.systems.brantley.judge.case import BrantleyCase, find_roads
from printkit.systems.brantley.judge.courses import course_checks
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind, Origin
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import (
    common_pieces,
    corner_distance,
    crossing_angle,
    edge_clearance,
    find_meetings,
    locate_on_edge,
    sharpest_bend,
    sinuosity,
    touches_edge_only_at_ends,
)
from printkit.terrain.geometry.outlines import blob, cut_arcs, draw_plot_outline

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


OPEN = field()
TOWNS_AND_LAKE = field(area(1, Kind.BUA), area(5, Kind.LAKE), area(9, Kind.BUA))


def with_courses(ground: Battlefield, courses: Sequence[PlacedCourse]) -> Battlefield:
    return ground.add(*(placed.course for placed in courses))


def settled_by(side: float, options: dict[str, str], book: RuleBook = BOOK) -> Rules:
    """Return the rules with settings from keywords: br_q12 is br-q12."""
    return rules({key.replace("_", "-"): value for key, value in options.items()}, book=book, side=side)


def laid(
    sort: CourseType,
    ground: Battlefield,
    placers: Sequence[str],
    records: Sequence[str] = (),
    dice: Dice | None = None,
    jitter: int = 1,
    **options: str,
) -> tuple[PlacedCourse, ...]:
    settled, stage = settled_by(ground.board.width, options), "rivers" if sort is RIVER else "roads"
    return place_courses(sort, ground, placers, records, settled, (dice or Dice(Seeded(1))).at(stage), Jitter(jitter))


def recorded(ground: Battlefield, *records: str, **options: Any) -> tuple[PlacedCourse, ...]:
    """Return the rivers, or the roads, of records, each placed by the player whom its record names."""
    sort = RIVER if records[0].startswith("river") else ROAD
    return laid(sort, ground, [record.split()[1] for record in records], records, **options)


def only(ground: Battlefield, record: str, **options: str) -> PlacedCourse:
    (placed,) = recorded(ground, record, **options)
    return placed


def refused(clause: str, ground: Battlefield, *records: str, **options: str) -> str:
    """Return in which words records are refused, which name the clause."""
    with pytest.raises(PlacementError, match=rf"\({clause}\)") as caught:
        recorded(ground, *records, **options)
    return str(caught.value)


def end_of(placed: PlacedCourse) -> Point:
    return Point(placed.course.line.coords[-1])


def inches(placed: PlacedCourse) -> float:
    return float(placed.course.line.length) / INCH


def ends(placed: PlacedCourse) -> list[tuple[float, ...]]:
    coords = placed.course.line.coords
    return [tuple(round(value / INCH, 3) for value in point) for point in (coords[0], coords[-1])]


def peaked(length: float) -> str:
    """Return a river from N:8 to S:8 over one point, so many inches long."""
    return f"river A N:8 -> S:8 via {8 + math.sqrt((length / 2) ** 2 - 144):.6f},12"


# --- rivers as recorded -----------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-404", "BR-405", "BR-G31", "BR-T25", "BR-504", "BR-505", "BR-G51", "BR-G01")
def test_a_recorded_course_runs_from_edge_to_edge_in_the_width_that_the_board_scales() -> None:
    placed = only(OPEN, "river A N:8 -> S:16")
    assert (placed.start, placed.end, ends(placed)) == ("N:8.0", {"edge": "S:16.0"}, [(8, 24), (16, 0)])
    assert (placed.course.id, placed.course.origin.placed_by) == ("R1", "A")
    assert placed.course.width == pytest.approx(INCH)
    assert {"BR-402", "BR-404", "BR-405"} <= set(placed.course.origin.clauses)
    way = only(OPEN, "road B W:4 -> E:6")
    assert (way.start, way.end, ends(way)) == ("W:4.0", {"edge": "E:6.0"}, [(0, 4), (24, 6)])
    assert way.course.width == pytest.approx(0.75 * INCH)
    small = Board(300.0, 300.0, GroundScale(pace=0.125, base_width=20.0))
    scaled = only(field(board=small), "river A N:8 -> S:16").course
    assert scaled.line.coords[0] == (100, 300)
    assert scaled.width == pytest.approx(12.5)


@pytest.mark.clause("BR-T25", "BR-G32", "BR-X15")
def test_a_river_of_one_and_a_half_times_the_straight_distance_is_legal_and_no_longer_one() -> None:
    assert inches(only(OPEN, peaked(36.0))) <= 36.0
    said = refused("BR-X15", OPEN, peaked(36.1))
    assert "36.10 in long" in said
    assert "36.00 in" in said


@pytest.mark.clause("BR-T26", "BR-Q24")
def test_neighbouring_edges_round_a_corner_are_legal() -> None:
    placed = only(OPEN, "river A N:8 -> W:8 via 8,8")
    assert ends(placed) == [(8, 24), (0, 8)]
    written = LineString([(8, 24), (8, 8), (0, 8)])
    assert (written.length, round(sinuosity(written), 3)) == (24.0, 1.342)
    assert 23 < inches(placed) <= 24


@pytest.mark.clause("BR-X11", "BR-T27", "BR-Q09", "BR-Q10")
def test_a_course_may_end_on_any_edge_but_that_of_its_start() -> None:
    for sort in ("river", "road"):
        assert "far edge" in refused("BR-X11", OPEN, f"{sort} A N:8 -> N:16")
        for end in ("W:8", "E:8", "S:8"):
            assert only(OPEN, f"{sort} A N:8 -> {end}").end == {"edge": f"{end}.0"}


@pytest.mark.clause("BR-X10", "BR-G33", "BR-G53", "BR-Q23")
@pytest.mark.parametrize("start", ["N:0.5", "N:23.5", "W:30", "N:-2", "lake@6", "8,24"])
def test_a_start_off_the_edge_or_near_a_corner_is_refused(start: str) -> None:
    assert start in refused("BR-X10", field(area(6, Kind.LAKE)), f"river A {start} -> S:8")
    refused("BR-X10", OPEN, f"road A {start} -> S:8")


@pytest.mark.clause("BR-406", "BR-G38", "BR-X12", "BR-T28", "BR-506", "BR-G55", "BR-X16", "BR-T30")
@pytest.mark.parametrize(
    ("record", "elsewhere", "clause", "end", "depth"),
    [
        ("river B W:10 -> lake@5", "lake@6", "BR-X12", {"lake": "z5"}, (0.1, 1.0)),
        ("road A S:12 -> bua@9", "bua@5", "BR-X16", {"bua": "z9"}, (0.25, 1.0)),
    ],
)
def test_a_river_ends_just_inside_a_lake_and_a_road_inside_a_town_of_the_zone_named(
    record: str, elsewhere: str, clause: str, end: dict[str, str], depth: tuple[float, float]
) -> None:
    way, goal = record.split(" -> ")
    assert f"zone {elsewhere[-1]}" in refused(clause, TOWNS_AND_LAKE, f"{way} -> {elsewhere}")
    placed, goal_area = only(TOWNS_AND_LAKE, record), TOWNS_AND_LAKE.find(f"z{goal[-1]}")
    assert isinstance(goal_area, Area)
    assert placed.end == end
    assert goal_area.outline.contains(end_of(placed))
    assert depth[0] <= goal_area.outline.exterior.distance(end_of(placed)) / INCH <= depth[1]
    assert len(find_meetings(placed.course.line, LineString(goal_area.outline.exterior.coords))) == 1


@pytest.mark.clause("BR-407", "BR-G39", "BR-X13", "BR-T29")
def test_a_river_ends_only_in_a_river_that_lies_there_aslant_and_three_inches_from_its_ends() -> None:
    refused("BR-X13", OPEN, "river A E:5 -> river R1 0.5")
    first, second = recorded(OPEN, "river A N:8 -> S:8", "river B E:5 -> river R1 0.5")
    assert second.end == {"river": "R1", "at": 0.5}
    assert first.course.line.distance(end_of(second)) < 0.01
    assert crossing_angle(end_of(second), second.course.line, first.course.line) >= 30
    for record, message in (
        ("river B E:5 -> river R1 0.95 via 16,4", "the minimum is 3 in"),
        ("river B S:11 -> river R1 0.5 via 9.5,6", "the minimum is 30"),
    ):
        with pytest.raises(PlacementError, match=message):
            recorded(OPEN, "river A N:8 -> S:8 via 8,12", record)


@pytest.mark.clause("BR-Q14", "BR-X13")
def test_the_first_river_cannot_be_declared_to_end_in_the_second() -> None:
    refused("BR-X13", OPEN, "river A W:10 -> river R2 0.5", "river B N:14 -> S:14")


@pytest.mark.clause("BR-G40")
def test_a_second_river_that_reaches_the_first_or_finds_no_way_past_ends_there() -> None:
    first, second = recorded(OPEN, "river A N:12 -> S:12 via 12,12", "river B W:10 -> E:10 via 12,10")
    assert second.end == {"river": "R1", "at": pytest.approx(14 / 24, abs=0.01)}
    assert first.course.line.distance(end_of(second)) < 0.01
    assert "BR-407" in second.course.origin.clauses
    assert recorded(OPEN, "river A N:12 -> S:12", "river B W:10 -> E:10")[1].end.get("river") == "R1"


@pytest.mark.clause("BR-G36", "BR-X14", "BR-Q12", "BR-G54", "BR-X18", "BR-Q15")
@pytest.mark.parametrize(
    ("sort", "setting", "may", "may_not"),
    [
        ("river", "br_q12=marsh", [Kind.MARSH], [Kind.LIGHT_WOODS, Kind.LAKE]),
        ("river", "br_q12=none", [], [Kind.MARSH]),
        ("river", "br_q12=any-but-bua-lake", [Kind.LIGHT_WOODS, Kind.HEAVY_WOODS], [Kind.BUA, Kind.LAKE]),
        ("road", "br_q15=passable", [Kind.MARSH, Kind.LIGHT_WOODS], [Kind.HEAVY_WOODS, Kind.BUA]),
        ("road", "br_q15=any-but-lake", [Kind.HEAVY_WOODS], [Kind.LAKE]),
        ("road", "br_q15=clear-only", [], [Kind.LIGHT_WOODS]),
    ],
)
def test_which_ground_a_course_may_pass(sort: str, setting: str, may: list[Kind], may_not: list[Kind]) -> None:
    options, record = dict([setting.split("=")]), f"{sort} A N:12 -> S:12 via 12,12"
    for wood in (area(5, kind) for kind in may):
        assert only(field(wood), record, **options).course.line.intersects(wood.outline)
    for kind in may_not:
        assert "z5" in refused("BR-X14" if sort == "river" else "BR-X18", field(area(5, kind)), record, **options)


@pytest.mark.clause("BR-G36")
def test_without_points_a_recorded_river_goes_round_what_is_in_its_way() -> None:
    lake = area(5, Kind.LAKE)
    assert lake.outline.distance(only(field(lake), "river A N:12 -> S:12").course.line) >= INCH / 2 - 0.01


@pytest.mark.clause("BR-G34", "BR-G35", "BR-X10")
def test_a_river_that_comes_too_near_the_edge_or_ends_at_a_corner_or_crosses_itself_is_refused() -> None:
    refused("BR-X10", OPEN, "river A N:8 -> S:0.9")
    assert only(OPEN, "river A N:8 -> S:1").end == {"edge": "S:1.0"}
    refused("BR-G34", OPEN, "river A N:8 -> S:8 via 0.5,12")
    refused("BR-G35", OPEN, "river A N:8 -> S:12 via 8,12 10,10 10,14 7,10")


@pytest.mark.clause("BR-X21")
@pytest.mark.parametrize(
    ("sort", "placers", "records", "said"),
    [
        (RIVER, "A", ["river A N:8 -> S:8", "river B N:16 -> S:16"], "2 river records"),
        (RIVER, "A", ["river B N:16 -> S:16"], "player B"),
        (ROAD, "", ["road A N:16 -> S:16"], ""),
    ],
)
def test_more_records_than_the_die_allows_or_by_another_player_are_refused(
    sort: CourseType, placers: str, records: list[str], said: str
) -> None:
    with pytest.raises(PlacementError, match=rf"{said}.*\(BR-X21\)"):
        laid(sort, OPEN, placers, records)


@pytest.mark.clause("BR-403", "BR-Q11")
def test_records_go_to_their_players_in_placing_order_and_the_rest_is_chosen() -> None:
    both = laid(RIVER, OPEN, "BA", ["river A N:8 -> S:8"], Dice(Seeded(3)), jitter=3)
    assert [placed.course.origin.placed_by for placed in both] == ["B", "A"]
    assert both[1].start == "N:8.0"
    assert all("BR-403" in placed.course.origin.clauses for placed in both)


@pytest.mark.parametrize("text", ["river A", "river C N:8 -> S:8", "road A N:8 -> S:8", "river A N:8 -> bua@3"])
def test_a_record_that_cannot_be_read_shows_how_it_is_written(text: str) -> None:
    with pytest.raises(ScenarioError, match=r"river A N:8 -> S:16"):
        laid(RIVER, OPEN, "A", [text])


# --- roads as recorded ------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-507", "BR-G56", "BR-X17")
def test_a_road_ends_at_a_road_that_lies_there() -> None:
    refused("BR-X17", OPEN, "road A W:4 -> road D1 0.5")
    assert recorded(OPEN, "road A N:12 -> S:12", "road B W:10 -> road D1 0.5")[1].end == {"road": "D1", "at": 0.5}
    with pytest.raises(PlacementError, match="the minimum is 3 in"):
        recorded(OPEN, "road A N:12 -> S:12 via 12,12", "road B W:4 -> road D1 0.9 via 6,3")


@pytest.mark.clause("BR-G52", "BR-X18")
def test_a_road_that_is_too_long_or_bends_too_sharply_is_refused() -> None:
    assert "1.25" in refused("BR-X18", OPEN, "road A N:8 -> S:8 via 17.5,12")
    assert "degrees" in refused("BR-X18", OPEN, "road A N:8 -> S:8 via 12,16 8,14.5")
    assert only(OPEN, "road A N:8 -> S:8 via 11,12").end == {"edge": "S:8.0"}


@pytest.mark.clause("BR-G54")
def test_a_road_climbs_a_gentle_side_and_no_steep_one() -> None:
    outline = area(5, Kind.LAKE).outline
    steep = HillFace(line=cut_arcs(outline, 0.0)[0], kind=Kind.STEEP_SLOPE, going=SHUT, side=0)
    ground = field(Hill(id="z5", kind=Kind.HILL, contours=(outline,), going=GOOD, faces=(steep,)))
    assert only(ground, "road A N:12 -> S:12 via 12,12").course.line.intersects(outline)
    assert "z5" in refused("BR-X18", ground, "road A W:12 -> E:12 via 12,12")


@pytest.mark.clause("BR-G58", "BR-X18")
def test_a_road_first_tries_to_meet_no_feature_and_names_one_that_leaves_it_no_way() -> None:
    wood = area(5, Kind.LIGHT_WOODS, 4.0)
    assert not only(field(wood), "road A N:12 -> S:14").course.line.intersects(wood.outline)
    wall = Area(id="z4", kind=Kind.MARSH, outline=box(0.5, 220, 609, 300), going=BAD)
    assert only(field(wall), "road A N:12 -> S:12").course.line.intersects(wall.outline)
    assert "z4" in refused("BR-X18", field(replace(wall, kind=Kind.LAKE, going=SHUT)), "road A N:12 -> S:12")


STRAIGHT_RIVER = "river A N:8 -> S:8 via 8,12"


@cache
def straight_water() -> Battlefield:
    return with_courses(OPEN, recorded(OPEN, STRAIGHT_RIVER))


@pytest.mark.clause("BR-G57", "BR-X18")
def test_a_road_crosses_a_river_and_does_not_run_in_it() -> None:
    assert only(straight_water(), "road A W:4 -> E:4 via 12,4").end == {"edge": "E:4.0"}
    assert "R1" in refused("BR-X18", straight_water(), "road A N:8.2 -> S:8.2 via 8.2,12")
    assert "degrees" in refused("BR-X18", straight_water(), "road A N:4 -> S:12 via 8,12")


@pytest.mark.clause("BR-G57")
def test_the_strip_that_road_and_river_share_is_measured_as_a_whole() -> None:
    # It leaves the river by a fifth of an inch and dips into it again: wet for 1.8 in, but along it for 3.5 in.
    along = "road A S:3 via 7,4 8.7,5.7 8.6,6.7 8.45,7.4 8.7,8.2 -> E:16"
    assert "length inside a river" in refused("BR-X18", straight_water(), along)
    only(straight_water(), "road A S:3 via 7,4 8.7,5.7 -> E:16")


@pytest.mark.clause("BR-G57")
def test_no_road_joins_another_in_a_river() -> None:
    first = "road A W:12 -> E:12 via 12,12"
    with pytest.raises(PlacementError, match="D2 joins D1 in R1"):
        recorded(straight_water(), first, "road B S:2 via 5,9 -> road D1 0.345")
    assert recorded(straight_water(), first, "road B S:14 -> road D1 0.6")[1].end == {"road": "D1", "at": 0.6}
    offered = offers(ROAD, straight_water(), {"where to": "into D1"}, first)["junction"]
    assert {"0.3", "0.4"} <= set(offered)
    assert "0.35" not in offered


class Answers:
    """Answers questions by their last word if that is offered, otherwise from a seed; keeps what was offered."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers, self.seeded, self.offers = answers, Seeded(3), dict[str, list[str]]()

    def pick(self, question: Question) -> tuple[int, ...]:
        name = question.reason.rpartition(": ")[2]
        self.offers.setdefault(name, list(question.labels))
        answer = self.answers.get(name, "")
        return (question.labels.index(answer),) if answer in question.labels else self.seeded.pick(question)


def offers(sort: CourseType, ground: Battlefield, answers: dict[str, str], *records: str) -> dict[str, list[str]]:
    """Return what the placer of the course after some records may choose, by question."""
    source = Answers(answers)
    laid(sort, ground, "AB"[: len(records) + 1], records, Dice(source))
    return source.offers


@pytest.mark.clause("BR-504", "BR-505", "BR-G53")
def test_a_placer_may_choose_every_half_inch_of_an_edge_up_to_an_inch_from_the_corners() -> None:
    offered = offers(ROAD, OPEN, {"start": "N:1.0", "end": "S:23.0"})
    assert len(offered["start"]) == 4 * 45
    assert {"N:1.0", "N:23.0", "W:1.0", "E:12.5"} <= set(offered["start"])
    assert {"S:23.0", "S:1.0", "E:23.0"} <= set(offered["end"])
    assert not [label for label in offered["end"] if label.startswith("N:")]


@pytest.mark.clause("BR-505", "BR-506", "BR-507")
def test_a_placer_may_lead_a_road_across_a_board_with_a_town_or_into_a_town_or_a_road() -> None:
    town = field(area(3, Kind.BUA))
    first = offers(ROAD, town, {"where to": "across the board"})
    assert first["where to"] == ["across the board", "into a bua"]
    second = offers(ROAD, town, {}, "road A N:4 -> S:4")
    assert second["where to"] == ["across the board", "into a bua", "into D1"]


@pytest.mark.clause("BR-Q13")
def test_a_placer_may_choose_the_lake_that_is_farther_from_the_start() -> None:
    lakes = field(area(4, Kind.LAKE), area(6, Kind.LAKE))
    answers = {"where to": "into a lake", "start": "N:9.0", "which one": "z6"}
    assert offers(RIVER, lakes, answers)["which one"] == ["z4", "z6"]
    (river,) = laid(RIVER, lakes, "A", (), Dice(Answers(answers)))
    assert (river.start, river.end) == ("N:9.0", {"lake": "z6"})


# --- crossings --------------------------------------------------------------------------------------------------------


def crossed(scores: str = "2 6", book: RuleBook = BOOK, **options: str) -> tuple[Crossing, ...]:
    """Return the crossings of two straight roads over a straight river."""
    roads = recorded(straight_water(), "road A W:4 -> E:4 via 12,4", "road B E:14 -> W:14 via 12,14")
    ground, dice = with_courses(straight_water(), roads), Dice(ScriptedSource(scores.split(), Seeded(1)))
    return place_crossings(ground, {"D1": "A", "D2": "B"}, settled_by(BOARD.width, options, book), dice)


@pytest.mark.clause("BR-601", "BR-G61", "BR-T31", "BR-Q16")
def test_a_straight_road_over_a_straight_river_is_one_bridge() -> None:
    first, second = crossed()
    assert (first.at.x / INCH, first.at.y / INCH) == pytest.approx((8, 4))
    assert (first.id, first.kind, first.route, first.water) == ("X1", Kind.BRIDGE, "D1", "R1")
    assert first.bearing % 180 == pytest.approx(0, abs=0.01)
    assert (second.at.y / INCH, second.origin.placed_by) == (pytest.approx(14), "B")


@pytest.mark.clause("BR-Q16", "BR-D5")
@pytest.mark.parametrize(
    ("setting", "scores", "kinds"),
    [
        ("choose", "2 6", "bridge bridge"),
        ("ford", "2 6", "ford ford"),
        ("bridge", "2 6", "bridge bridge"),
        ("die", "2 6", "ford bridge"),
        ("die", "3 4", "ford bridge"),
        ("alternate", "2 6", "bridge ford"),
    ],
)
def test_fords_and_bridges_follow_the_setting(setting: str, scores: str, kinds: str) -> None:
    assert " ".join(crossing.kind for crossing in crossed(scores, br_q16=setting)) == kinds


@pytest.mark.clause("BR-Q16", "BR-D5")
def test_the_die_of_a_crossing_is_looked_up_in_its_table() -> None:
    table = BOOK.tables["crossing"]
    rows = (replace(table.rows[0], span=Span(1, 1)), replace(table.rows[1], span=Span(2, 6)))
    rare = replace(BOOK, tables={**BOOK.tables, "crossing": replace(table, rows=rows)})
    assert [crossing.kind for crossing in crossed("1 2", rare, br_q16="die")] == [Kind.FORD, Kind.BRIDGE]


@pytest.mark.clause("BR-D5")
def test_one_die_a_crossing_is_thrown_and_only_with_the_setting() -> None:
    water, dice = straight_water(), Dice(Seeded(4))
    ground = with_courses(water, recorded(water, "road A W:4 -> E:4 via 12,4"))
    place_crossings(ground, {"D1": "A"}, rules(), dice)
    assert dice.log == []
    place_crossings(ground, {"D1": "A"}, rules({"br-q16": "die"}), dice)
    assert [(throw.stage, throw.asked, throw.clause) for throw in dice.log] == [("crossings", "d6", "BR-D5")]


@pytest.mark.clause("BR-Q22", "BR-601")
def test_a_road_to_a_town_across_a_river_crosses_it() -> None:
    town = field(area(6, Kind.BUA))
    wet = with_courses(town, recorded(town, "river A N:12 -> S:12 via 12,12"))
    ground = with_courses(wet, recorded(wet, "road A W:12 -> bua@6"))
    assert len(place_crossings(ground, {"D1": "A"}, rules(), Dice(Seeded(1)))) == 1


@pytest.mark.clause("BR-G62")
def test_junctions_make_no_crossing_of_their_own() -> None:
    rivers = recorded(OPEN, STRAIGHT_RIVER, "river B E:12 -> river R1 0.5 via 16,12")
    ground = with_courses(OPEN, rivers)
    through, at_once = (LineString([(0, 10 * INCH), end]) for end in ((600, 13.7 * INCH), (16 * INCH, 14 * INCH)))
    met = {(round(m.at.x), round(m.at.y)) for one in rivers for m in find_meetings(through, one.course.line)}
    assert place_crossings(ground, {}, rules(), Dice(Seeded(1))) == ()
    for line, count in ((at_once, 1), (through, len(met))):
        crossing_road = Course(id="D1", kind=Kind.ROAD, line=line, width=19, going=GOOD)
        assert len(place_crossings(ground.add(crossing_road), {"D1": "A"}, rules(), Dice(Seeded(1)))) == count


# --- chosen by chance -------------------------------------------------------------------------------------------------


def random_field(seed: int, *, full: bool) -> Battlefield:
    """Return features in about half the zones, or in all nine zones as large as their margins allow."""
    stream, found = Stream(f"test/{seed}"), []
    kinds = (Kind.HEAVY_WOODS, Kind.LAKE, Kind.BUA, Kind.HEAVY_WOODS) if full else tuple(GOINGS)
    for zone in range(1, 10):
        kind = kinds[stream.draw_index(len(kinds))]
        size = 6.5 * INCH if full else stream.between(3.0, 5.0) * INCH
        if not full and stream.draw_unit() < 0.5:
            continue
        shape: Polygon = (draw_plot_outline if kind is Kind.BUA else blob)(size, size, stream)
        shape = affinity.translate(shape, *centre(zone))
        found.append(Area(id=f"z{zone}", kind=kind, outline=shape, going=GOINGS[kind], origin=Origin(zone=zone)))
    return field(*found)


def laid_out(
    ground: Battlefield, seed: int, counts: tuple[int, int] = (2, 2), **options: str
) -> tuple[Battlefield, tuple[PlacedCourse, ...], tuple[PlacedCourse, ...], Dice]:
    dice = Dice(Seeded(seed))
    wet = laid(RIVER, ground, "AB"[: counts[0]], (), dice, seed, **options)
    ground = with_courses(ground, wet)
    dry = laid(ROAD, ground, "AB"[: counts[1]], (), dice, seed, **options)
    ground = with_courses(ground, dry)
    placers = {placed.course.id: placed.course.origin.placed_by for placed in dry}
    return ground.add(*place_crossings(ground, placers, settled_by(BOARD.width, options), dice)), wet, dry, dice


def first_river(ground: Battlefield, seed: int, **options: str) -> PlacedCourse:
    (river,) = laid_out(ground, seed, (1, 0), **options)[1]
    return river


def assert_legal(ground: Battlefield, wet: Sequence[PlacedCourse], dry: Sequence[PlacedCourse]) -> None:
    """Measure every promise of a board anew, from its shapes."""
    areas = {feature.id: feature for feature in ground.features if isinstance(feature, Area)}
    for placed in (*wet, *dry):
        sort: CourseType = RIVER if placed in wet else ROAD
        line, width = placed.course.line, placed.course.width
        assert sinuosity(line) <= (1.5 if sort is RIVER else 1.25)
        assert line.is_simple
        start, end = Point(line.coords[0]), end_of(placed)
        found = locate_on_edge(start, BOARD)
        assert found is not None
        assert placed.start.startswith({"far": "N", "near": "S", "left": "W", "right": "E"}[found[0]])
        assert corner_distance(start, BOARD) >= INCH
        goal = placed.end.get("lake") or placed.end.get("bua")
        open_ground = {Kind.MARSH} if sort is RIVER else {Kind.MARSH, Kind.LIGHT_WOODS}
        for feature in areas.values():
            if feature.id != goal and feature.kind not in open_ground:
                assert feature.outline.distance(line) >= width / 2 - 0.02
        if goal:
            outline = areas[str(goal)].outline
            low, high = (0.1, 1.0) if sort is RIVER else (0.25, 1.0)
            assert outline.contains(end)
            assert low <= outline.exterior.distance(end) / INCH <= high
            assert len(find_meetings(line, LineString(outline.exterior.coords))) == 1
        elif "edge" in placed.end:
            other_edge = locate_on_edge(end, BOARD)
            assert other_edge is not None
            assert other_edge[0] is not found[0]
        if sort is RIVER:
            assert edge_clearance(line, BOARD, width) >= width - 0.01
        else:
            assert touches_edge_only_at_ends(line, BOARD)
            assert sharpest_bend(line, 2 * INCH) <= 60
    for first, second in pairwise(wet):
        joined, end = second.end.get("river") == first.course.id, end_of(second)
        assert (first.course.line.distance(end) < 0.01) is joined
        met = find_meetings(second.course.line, first.course.line)
        assert all(joined and meeting.at.distance(end) < 0.5 for meeting in met)
        assert not joined or crossing_angle(end, second.course.line, first.course.line) >= 30
    count = 0
    for way, water in product((placed.course for placed in dry), (placed.course for placed in wet)):
        met = find_meetings(way.line, water.line)
        count += len(met)
        assert all(meeting.angle >= 30 for meeting in met)
        bed = water.line.buffer(water.width / 2, cap_style="flat")
        for piece in common_pieces(way.line, way.width, water.line, water.width):
            assert piece.intersection(bed).length <= 2 * water.width + 0.05
    assert sum(isinstance(feature, Crossing) for feature in ground.features) == count


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


@pytest.mark.clause("BR-Q09", "BR-405")
@pytest.mark.parametrize("seed", range(3))
def test_chosen_ends_are_on_two_edges(seed: int) -> None:
    river = first_river(OPEN, seed)
    assert river.start[0] != str(river.end["edge"])[0]


@pytest.mark.clause("BR-505", "BR-506")
def test_some_roads_lead_to_a_town_and_some_across_the_board() -> None:
    towns = field(area(3, Kind.BUA), area(7, Kind.BUA))
    ends = [[road.end for road in laid_out(towns, seed, (0, 2))[2]] for seed in range(12)]
    assert {next(iter(first)) for first, _ in ends} == {"bua", "edge"}
    assert {next(iter(second)) for _, second in ends} == {"bua", "edge", "road"}
    # No two roads end in one town.
    assert all(first.get("bua", "") != second.get("bua") for first, second in ends)


@pytest.mark.clause("BR-Q13")
@pytest.mark.parametrize("seed", range(6))
def test_of_two_lakes_a_river_takes_the_one_nearer_to_its_start(seed: int) -> None:
    lakes = (area(4, Kind.LAKE), area(6, Kind.LAKE))
    river = first_river(field(*lakes), seed)
    start = Point(river.course.line.coords[0])
    nearer = min(lakes, key=lambda lake: lake.outline.centroid.distance(start))
    assert river.end.get("lake", nearer.id) == nearer.id


def test_some_rivers_end_in_a_lake_and_some_cross_the_board_far_from_its_edges() -> None:
    lake = field(area(5, Kind.LAKE))
    assert {next(iter(first_river(lake, seed).end)) for seed in range(8)} == {"lake", "edge"}
    for seed in range(4):
        middle = first_river(OPEN, seed).course.line.interpolate(0.5, normalized=True)
        assert BOARD.shape.exterior.distance(middle) > 2 * INCH


def test_decisions_are_logged_with_their_stage_and_shapes_are_not() -> None:
    _, _, _, dice = laid_out(field(area(5, Kind.LAKE)), 5, (1, 1))
    assert {throw.stage for throw in dice.log} == {"rivers", "roads"}
    assert all(throw.asked.startswith("choice of ") for throw in dice.log)
    assert "river R1: start" in [throw.reason for throw in dice.log]
    assert len(dice.log) <= 8


def test_other_jitter_draws_other_lines_between_the_same_ends() -> None:
    ((one,), (two,)) = (laid(RIVER, OPEN, "A", (), Dice(Seeded(7)), jitter) for jitter in (1, 2))
    assert (one.start, one.end) == (two.start, two.end)
    assert one.course.line.hausdorff_distance(two.course.line) > 5


def test_the_same_seed_gives_the_same_board() -> None:
    one, two = (laid_out(field(area(3, Kind.BUA)), 3, (1, 1))[0].features for _ in range(2))
    assert [feature.id for feature in one] == [feature.id for feature in two]
    lines = [[feature.line.wkb for feature in features if isinstance(feature, Course)] for features in (one, two)]
    assert lines[0] == lines[1]


def road_brief(**options: str) -> CourseBrief:
    return CourseBrief(
        course_type=ROAD, identity="D1", field=OPEN, earlier_courses=(), rules=settled_by(BOARD.width, options)
    )


def test_faults_of_a_sound_line_are_none() -> None:
    assert list(road_brief().find_faults(only(OPEN, "road A W:4 -> E:6").course.line, EdgePoint(Edge.RIGHT, 6.0))) == []


@pytest.mark.parametrize(("limit", "sought"), [("1.0", False), ("1.1", True)])
def test_no_line_is_sought_where_a_straight_one_is_too_long(
    limit: str, sought: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []
    monkeypatch.setattr(course_routes.courses, "routed", lambda *ends, **_: seen.append(ends))
    ends = EdgePoint(Edge.FAR, 12.0), EdgePoint(Edge.NEAR, 12.0)
    assert course_routes.route_course(road_brief(road_limit=limit), *ends, Stream("any")) is None
    assert bool(seen) is sought


@pytest.mark.clause("BR-M14")
@pytest.mark.parametrize(
    "written",
    ["river A N:8 via 9,14 6,8 -> S:8", "river A N:8 via 9,14 -> S:8 via 6,8", "river A N:8 via 9,14 via 6,8 -> S:8"],
)
def test_points_between_stand_before_the_arrow_or_after_the_end(written: str) -> None:
    usual = parse_course_record("river A N:8 -> S:8 via 9,14 6,8", "river", rules())
    assert usual.via == ((9.0, 14.0), (6.0, 8.0))
    assert replace(parse_course_record(written, "river", rules()), text=usual.text) == usual


@pytest.mark.parametrize("via", ["via 1.2.3,4", "via 5,-", "via -,5", "via .,5", "via 1-2,3", "via 9,14 5,--6"])
@pytest.mark.parametrize("text", ["river A N:8 {via} -> S:8", "river A N:8 -> S:8 {via}"])
def test_a_point_on_the_way_needs_two_numbers(text: str, via: str) -> None:
    with pytest.raises(ScenarioError, match=r"write it like 'river A N:8 -> S:16'"):
        parse_course_record(text.format(via=via), "river", rules())


def test_a_point_on_the_way_may_be_negative_or_begin_or_end_with_a_dot() -> None:
    record = parse_course_record("river A N:8 via -1.5,.5 6. , 8.25 -> S:8", "river", rules())
    assert record.via == ((-1.5, 0.5), (6.0, 8.25))


def test_the_example_of_a_course_can_be_read() -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_course_record("river A over the hills", "river", rules())
    lines = [line for line in re.findall(r"'(river [^']+)'", str(caught.value)) if "over" not in line]
    assert [bool(parse_course_record(line, "river", rules()).via) for line in lines] == [False, True, False, False]


@pytest.mark.parametrize("kind", [Kind.RIVER, Kind.ROAD])
def test_a_course_that_breaks_any_row_is_not_placed(kind: Kind) -> None:
    brief = replace(road_brief(), course_type=RIVER if kind is Kind.RIVER else ROAD)
    ends = EdgePoint(Edge.FAR, 8.0), EdgePoint(Edge.NEAR, 16.0)
    assert course_routes.route_course(brief, *ends, Stream("any")) is not None
    for rule in COURSE_RULES[kind]:
        with pytest.MonkeyPatch.context() as patch:
            break_rule(patch, rule)
            assert course_routes.route_course(brief, *ends, Stream("any")) is None, rule.title


def test_a_new_row_is_obeyed_by_generator_and_check(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = field(area(5, Kind.LIGHT_WOODS))
    too_near, far = (with_courses(ground, [only(ground, f"road A W:{y} -> E:{y} via 12,{y}")]) for y in (7, 2))
    row: CourseRule = ShapeRule(
        clause="BR-G54",
        title="distance from light woods",
        measure=lambda course, _: [Measurement(course.line.distance(ground.features[0].outline))],
        says="{it} comes within {found:.2f} in of woods; the minimum is {limit:g} in",
        minimum="junction_gap",
    )
    monkeypatch.setitem(COURSE_RULES, Kind.ROAD, (*COURSE_RULES[Kind.ROAD], row))
    assert "of woods; the minimum is 3 in" in refused("BR-G54", ground, "road A W:7 -> E:7 via 12,7")
    (around,) = laid(ROAD, ground, ["A"])
    assert around.course.line.distance(ground.features[0].outline) > 3 * INCH - 0.1
    check = course_checks(find_roads, Kind.ROAD)["BR-G54"]
    for board, count in ((too_near, 1), (far, 0)):
        case = BrantleyCase.from_record(Record(rules="brantley", battlefield=board, settings={}, seed=1, log=()), BOOK)
        assert len(list(check(case))) == count
