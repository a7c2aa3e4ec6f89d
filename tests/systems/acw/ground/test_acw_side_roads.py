"""A second type of road leads somewhere, also where the only edge of its zone is used."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from drawn_by_hand import UNIT
from msgspec.structs import replace
from seeded_tables import broken_of, seeded
from shapely import Point
from shapely.ops import substring
from tables_by_hand import joined

from printkit.systems.acw.network.network import Arm, To
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Course, Kind

ROADS = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK)


@pytest.mark.clause("AC-N04", "AC-Q27")
def test_where_no_edge_is_free_a_second_type_of_road_leaves_by_the_used_one():
    zones = {2: "Road, Track"}
    (branch,) = joined(zones).roads.branches
    assert branch.arm == Arm(to=To.EDGE, side=ZoneSide.NORTH)
    (branch,) = joined(zones, ac_q27="stub").roads.branches
    assert branch.arm == Arm(to=To.OPEN)
    (branch,) = joined(zones, ac_q27="join").roads.branches
    assert branch.arm == Arm(to=To.JUNCTION)


@pytest.mark.clause("AC-N04", "AC-Q27")
@pytest.mark.parametrize("seed", [23, 543])
def test_a_second_road_that_joins_runs_beside_the_first_and_back_to_it(seed):
    found = seeded(seed, geography="wilderness", choice_policy="uniform", ac_q27="join")
    assert broken_of(found) == {}
    told = next(one for one in found.details["reaches"] if one.get("branch") and one["arms"] == [["junction", ""]])
    roads = [one for one in found.battlefield.features if isinstance(one, Course) and one.kind in ROADS]
    second, first = next(
        (one, other)
        for one, other in permutations(roads, 2)
        if all(Point(at).distance(other.line) < 1.5 for at in (one.line.coords[0], one.line.coords[-1]))
    )
    assert second.origin.zone == told["zone"]
    assert second.line.interpolate(0.5, normalized=True).distance(first.line) > 0.05 * UNIT
    marks = [one.at for one in found.battlefield.of(Kind.JUNCTION)]
    assert all(min(map(Point(at).distance, marks)) < 1.5 for at in (second.line.coords[0], second.line.coords[-1]))
    short = replace(second, line=substring(second.line, 0.0, 0.6, normalized=True))
    features = tuple(short if one is second else one for one in found.battlefield.features)
    spoiled = replace(found, battlefield=replace(found.battlefield, features=features))
    assert "join it again" in broken_of(spoiled)["AC-N04"]
    other = replace(found, settings={**found.settings, "ac-q27": "stub"})
    assert "join it again" in broken_of(other)["AC-N04"]


@pytest.mark.clause("AC-G08", "AC-Q27")
def test_a_road_beside_a_winding_one_stays_nearer_to_it_where_it_would_be_too_long():
    given = {"geography": "mountains", "choice_policy": "tidy", "ac_q05": "blank", "ac_q15": "with-dice"}
    found = seeded(92067, (36, 120), **given, ac_q17="merge", ac_q21="5", ac_q27="join")
    assert any(one.id == "z4-3" and one.kind is Kind.TRACK for one in found.battlefield.features)
    assert broken_of(found) == {}


@pytest.mark.clause("AC-N04", "AC-Q27")
@pytest.mark.parametrize("seed", [23, 543])
def test_two_roads_leave_by_one_edge_a_quarter_of_a_zone_apart(seed):
    found = seeded(seed, geography="wilderness", choice_policy="uniform")
    assert broken_of(found) == {}
    ends = sorted(
        at[0]
        for one in found.battlefield.features
        if isinstance(one, Course) and one.kind in ROADS
        for at in (one.line.coords[0], one.line.coords[-1])
        if at[1] < 1.0
    )
    assert any(0.25 * UNIT <= last - first <= UNIT for first, last in pairwise(ends))


@pytest.mark.clause("AC-N04")
def test_a_side_road_in_the_open_beside_an_edge_is_broken_unless_it_is_a_stub():
    found = seeded(23, geography="wilderness", choice_policy="uniform")
    reaches = [dict(one) for one in found.details["reaches"]]
    next(one for one in reaches if one.get("branch"))["arms"] = [["open", ""]]
    spoiled = replace(found, details={**found.details, "reaches": reaches})
    assert "ends in the open of zone 5" in broken_of(spoiled)["AC-N04"]
    stub = replace(spoiled, settings={**spoiled.settings, "ac-q27": "stub"})
    assert "AC-N04" not in broken_of(stub)


@pytest.mark.clause("AC-N04")
def test_roads_that_leave_one_edge_side_by_side_are_broken():
    found = seeded(23, geography="wilderness", choice_policy="uniform")
    roads = [one for one in found.battlefield.features if isinstance(one, Course) and one.kind in ROADS]
    leaving = [one for one in roads for at in (one.line.coords[0], one.line.coords[-1]) if at[1] < 1.0]
    assert len(leaving) > 1
    tips = [Point(at) for one in leaving for at in (one.line.coords[0], one.line.coords[-1]) if at[1] < 1.0]
    by = tips[0].x - tips[1].x + 50.0
    moved = [
        replace(one, line=type(one.line)([(x + (by if one is leaving[1] else 0.0), y) for x, y in one.line.coords]))
        if one in leaving
        else one
        for one in found.battlefield.features
    ]
    assert (
        "mm apart" in broken_of(replace(found, battlefield=replace(found.battlefield, features=tuple(moved))))["AC-N04"]
    )
