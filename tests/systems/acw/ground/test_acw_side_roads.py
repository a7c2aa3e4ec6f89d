"""A second type of road leads somewhere, also where the only edge of its zone is used."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import pytest
from drawn_by_hand import UNIT, changed
from msgspec.structs import replace
from seeded_tables import broken_of, seeded
from shapely import Point, affinity
from shapely.ops import substring
from tables_by_hand import joined
from test_acw_ground import ROADS

from printkit.systems.acw.network.network import Arm, To
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.record import Record


def roads(found: Record) -> list[Course]:
    return [one for one in found.battlefield.features if isinstance(one, Course) and one.kind in ROADS]


def ends(road: Course) -> tuple[Point, Point]:
    return Point(road.line.coords[0]), Point(road.line.coords[-1])


def wilderness(seed: int = 23, **given: Any) -> Record:
    return seeded(seed, geography="wilderness", choice_policy="uniform", **given)


@pytest.mark.clause("AC-N04", "AC-Q27")
@pytest.mark.parametrize(
    ("given", "arm"),
    [
        ({}, Arm(to=To.EDGE, side=ZoneSide.NORTH)),
        ({"ac_q27": "stub"}, Arm(to=To.OPEN)),
        ({"ac_q27": "join"}, Arm(to=To.JUNCTION)),
    ],
)
def test_where_no_edge_is_free_a_second_type_of_road_leaves_by_the_used_one(given: dict[str, Any], arm: Arm) -> None:
    assert [branch.arm for branch in joined({2: "Road, Track"}, **given).roads.branches] == [arm]


@pytest.mark.clause("AC-N04", "AC-Q27")
@pytest.mark.parametrize("seed", [23, 543])
def test_a_second_road_that_joins_runs_beside_the_first_and_back_to_it(seed: int) -> None:
    found = wilderness(seed, ac_q27="join")
    assert broken_of(found) == {}
    told = next(one for one in found.details["reaches"] if one.get("branch") and one["arms"] == [["junction", ""]])
    second, first = next(
        (one, other)
        for one, other in permutations(roads(found), 2)
        if all(end.distance(other.line) < 1.5 for end in ends(one))
    )
    assert second.origin.zone == told["zone"]
    assert second.line.interpolate(0.5, normalized=True).distance(first.line) > 0.05 * UNIT
    marks = [one.at for one in found.battlefield.of(Kind.JUNCTION)]
    assert all(min(map(end.distance, marks)) < 1.5 for end in ends(second))
    short = changed(second.id, line=substring(second.line, 0.0, 0.6, normalized=True))(found)
    stub = replace(found, settings={**found.settings, "ac-q27": "stub"})
    for spoiled in (short, stub):
        assert "join it again" in broken_of(spoiled)["AC-N04"]


@pytest.mark.clause("AC-G08", "AC-Q27")
def test_a_road_beside_a_winding_one_stays_nearer_to_it_where_it_would_be_too_long():
    given = {"geography": "mountains", "choice_policy": "tidy", "ac_q05": "blank", "ac_q15": "with-dice"}
    found = seeded(92067, (36, 120), **given, ac_q17="merge", ac_q21="5", ac_q27="join")
    assert any(one.id == "z4-3" and one.kind is Kind.TRACK for one in found.battlefield.features)
    assert broken_of(found) == {}


@pytest.mark.clause("AC-N04", "AC-Q27")
@pytest.mark.parametrize("seed", [23, 543])
def test_two_roads_leave_by_one_edge_a_quarter_of_a_zone_apart(seed: int) -> None:
    found = wilderness(seed)
    assert broken_of(found) == {}
    leaving = sorted(end.x for road in roads(found) for end in ends(road) if end.y < 1.0)
    assert any(0.25 * UNIT <= last - first <= UNIT for first, last in pairwise(leaving))


@pytest.mark.clause("AC-N04")
def test_a_side_road_in_the_open_beside_an_edge_is_broken_unless_it_is_a_stub() -> None:
    found = wilderness()
    reaches = [{**one, "arms": [["open", ""]]} if one.get("branch") else one for one in found.details["reaches"]]
    spoiled = replace(found, details={**found.details, "reaches": reaches})
    assert "ends in the open of zone 5" in broken_of(spoiled)["AC-N04"]
    stub = replace(spoiled, settings={**spoiled.settings, "ac-q27": "stub"})
    assert "AC-N04" not in broken_of(stub)


@pytest.mark.clause("AC-N04")
def test_roads_that_leave_one_edge_side_by_side_are_broken() -> None:
    found = wilderness()
    (first, at), (second, other), *_ = ((road, end) for road in roads(found) for end in ends(road) if end.y < 1.0)
    assert first is not second
    beside = changed(second.id, line=affinity.translate(second.line, at.x - other.x + 50.0))(found)
    assert "mm apart" in broken_of(beside)["AC-N04"]
