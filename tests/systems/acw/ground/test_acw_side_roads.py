"""A second type of road leads somewhere, also where the only edge of its zone is used."""

from __future__ import annotations

from itertools import pairwise

import pytest
from drawn_by_hand import UNIT, changed
from msgspec.structs import replace
from seeded_tables import broken_of, seeded
from shapely import Point, affinity
from tables_by_hand import joined
from test_acw_ground import ROADS

from printkit.systems.acw.network.network import Arm, To
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Course
from printkit.terrain.field.record import Record


def roads(found: Record) -> list[Course]:
    return [one for one in found.battlefield.features if isinstance(one, Course) and one.kind in ROADS]


def ends(road: Course) -> tuple[Point, Point]:
    return Point(road.line.coords[0]), Point(road.line.coords[-1])


def wilderness(seed: int = 23) -> Record:
    return seeded(seed, geography="wilderness", choice_policy="uniform")


@pytest.mark.clause("AC-N04", "AC-Q27")
def test_where_no_edge_is_free_a_second_type_of_road_leaves_by_the_used_one() -> None:
    (branch,) = joined({2: "Road, Track"}).roads.branches
    assert branch.arm == Arm(to=To.EDGE, side=ZoneSide.NORTH)


@pytest.mark.clause("AC-N04", "AC-Q27")
@pytest.mark.parametrize("seed", [23, 543])
def test_two_roads_leave_by_one_edge_a_quarter_of_a_zone_apart(seed: int) -> None:
    found = wilderness(seed)
    assert broken_of(found) == {}
    leaving = sorted(end.x for road in roads(found) for end in ends(road) if end.y < 1.0)
    assert any(0.25 * UNIT <= last - first <= UNIT for first, last in pairwise(leaving))


@pytest.mark.clause("AC-N04")
def test_a_side_road_in_the_open_beside_an_edge_is_broken() -> None:
    found = wilderness()
    reaches = [{**one, "arms": [["open", ""]]} if one.get("branch") else one for one in found.details["reaches"]]
    spoiled = replace(found, details={**found.details, "reaches": reaches})
    assert "ends in the open of zone 5" in broken_of(spoiled)["AC-N04"]


@pytest.mark.clause("AC-N04")
def test_roads_that_leave_one_edge_side_by_side_are_broken() -> None:
    found = wilderness()
    (first, at), (second, other), *_ = ((road, end) for road in roads(found) for end in ends(road) if end.y < 1.0)
    assert first is not second
    beside = changed(second.id, line=affinity.translate(second.line, at.x - other.x + 50.0))(found)
    assert "mm apart" in broken_of(beside)["AC-N04"]
