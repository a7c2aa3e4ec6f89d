"""What a clause says to the millimetre and to the word: the sides of a limit, and what a verdict names."""

from __future__ import annotations

import math

import numpy as np
import pytest
from by_hand import INCH, Change, block, changed, die, face, full_game, oval, placed_by, setting
from msgspec.structs import replace
from playing import BOOK, rules
from shapely import LineString, Point, Polygon, affinity
from shapely.ops import substring

from printkit.chance.dice import Throw
from printkit.systems.brantley.board.course_brief import RIVER, ROAD, CourseBrief
from printkit.systems.brantley.board.course_records import EdgePoint
from printkit.systems.brantley.board.course_routes import routing_ground
from printkit.systems.brantley.judge.case import BrantleyCase
from printkit.systems.brantley.judge.judge import CHECKS
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.record import Record


def faults(record: Record, clause: str) -> list[str]:
    return list(CHECKS[clause](BrantleyCase.from_record(record, BOOK)))


THREE_LEVELS = changed("z5", contours=(oval(5, 6, 5), oval(5, 3.6, 3), oval(5, 1, 1)))


@pytest.mark.clause("BR-G16", "BR-342")
@pytest.mark.parametrize(
    ("clause", "change", "said"),
    [
        ("BR-G16", THREE_LEVELS, "z5 has 3 contours; a hill has one or two"),
        ("BR-342", placed_by("z5", "B"), "z5 was placed by B, but the log of its facing says placed by A"),
    ],
)
def test_what_is_spoilt_is_told_with_what_should_be(clause: str, change: Change, said: str):
    assert faults(full_game(), clause) == []
    assert faults(change(full_game()), clause) == [said]


@pytest.mark.clause("BR-342", "BR-343")
def test_a_size_that_is_not_the_one_of_the_log_is_told_with_both():
    def logged(size: str, facing: str) -> Record:
        throws = [
            Throw(stage="features", reason=f"{what} of z3, placed by A", asked="choice of 9", answer=answer, clause="")
            for what, answer in (("size", size), ("facing", facing))
        ]
        turned = affinity.rotate(block(3, 5, 3.5), 30)
        game = changed("z3", outline=turned)(full_game())
        return replace(game, log=(*game.log, *throws))

    assert faults(logged("5x3.5", "30"), "BR-342") == []
    assert faults(logged("4x3", "30"), "BR-343") == [
        "z3 is 127.0 x 88.9 mm when turned back by 30 degrees; in the log it is 101.6 x 76.2 mm"
    ]


@pytest.mark.clause("BR-G11")
def test_what_is_drawn_by_hand_is_measured_by_its_tightest_box():
    narrow = changed("z3", outline=block(3, 5, 2.9))(full_game())
    assert faults(narrow, "BR-G11") == []
    assert faults(replace(narrow, log=()), "BR-G11") == [
        "z3: length of a side of a built-up area is 2.9 in; the minimum is 3 in"
    ]


@pytest.mark.clause("BR-G21")
@pytest.mark.parametrize(("short", "kept"), [(0.15, True), (0.3, False)])
def test_sides_that_are_steep_all_round_are_the_whole_outline(short: float, kept: bool):
    outline = oval(5, 6, 5)
    sides = [face(outline, number) for number in range(4)]
    cut = LineString(substring(sides[3].line, 0, sides[3].line.length - short).coords)
    steep = changed("z5", faces=(*sides[:3], replace(sides[3], line=cut)))(full_game())
    assert (faults(steep, "BR-G21") == []) is kept
    three = changed("z5", faces=(*sides[:2], replace(sides[2], line=cut)))(full_game())
    assert faults(three, "BR-G21") == []


@pytest.mark.clause("BR-G57")
def test_a_road_crosses_squarely_as_far_as_both_strips_reach():
    field = full_game().battlefield
    bare = replace(field, features=tuple(feature for feature in field.features if feature.id == "R1"))
    goal = EdgePoint(Edge.FAR, 12.0)
    road, river = (
        CourseBrief(course_type=sort, identity="X", field=bare, earlier_courses=(), rules=rules())
        for sort in (ROAD, RIVER)
    )
    assert routing_ground(road, goal).crossing_reach == pytest.approx(INCH / 2 + 0.75 * INCH / 2 + 3.0)
    assert routing_ground(river, goal).crossing_lines == ()


@pytest.mark.clause("BR-Q16", "BR-D5")
def test_a_crossing_is_what_its_die_makes_it_and_one_without_a_die_is_not_judged_by_it():
    diced = setting(full_game, br_q16="die")()
    assert faults(diced, "BR-Q16") == []
    for answer, told in ((2, ["X1 is a bridge; the setting 'die' makes it a ford"]), (5, [])):
        thrown = replace(diced, log=(*diced.log, die("crossings", "crossing X1: ford or bridge", answer, "BR-D5")))
        assert faults(thrown, "BR-Q16") == told


@pytest.mark.clause("BR-G11")
@pytest.mark.parametrize(
    ("out", "said"), [(5.8, []), (8.0, ["z3: number of corners of a built-up area is 9; the maximum is 8"])]
)
def test_a_side_of_a_town_that_wavers_is_no_corner(out: float, said: list[str]):
    ring = [Point(60 * math.cos(turn), 60 * math.sin(turn)) for turn in np.radians(np.arange(0, 360, 45))]
    middle, reach = np.radians(22.5), 60 * math.cos(np.radians(22.5)) + out
    ring.insert(1, Point(reach * math.cos(middle), reach * math.sin(middle)))
    town = affinity.translate(Polygon(ring), 20 * INCH, 20 * INCH)
    assert faults(changed("z3", outline=town)(full_game()), "BR-G11") == said
