"""Railroads turn no sharper than they may, and their points lie off the streams."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from drawn_by_hand import UNIT, course, record
from seeded_tables import broken_of, seeded
from shapely import LineString
from tables_by_hand import INCH

from printkit.systems.acw.ground.rails import _arced
from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import bend_radius

LEAST = 0.4 * UNIT


def bent(radius: float) -> LineString:
    """Return a railroad over the table with an S-bend of two quarter arcs in it, of a radius in mm."""
    turns = np.linspace(0.0, math.pi / 2, 60)
    first = [(30 * INCH + radius * math.sin(turn), 10 * INCH + radius * (1 - math.cos(turn))) for turn in turns]
    x, y = first[-1]
    last = [(x + radius * (1 - math.cos(turn)), y + radius * math.sin(turn)) for turn in turns[1:]]
    return LineString([(0.0, 10 * INCH), *first, *last, (72 * INCH, last[-1][1])])


@pytest.mark.clause("AC-F26")
@pytest.mark.parametrize(("radius", "kept"), [(5 * INCH, False), (0.97 * LEAST, False), (1.01 * LEAST, True)])
def test_an_s_bend_is_as_wide_as_the_rule_says(radius, kept):
    line = bent(radius)
    assert bend_radius(line, 0.1 * UNIT) == pytest.approx(radius, rel=0.02)
    assert ("AC-F26" in broken_of(record(course("rail", Piece.RAILROAD, line)))) is not kept


@pytest.mark.clause("AC-F26", "AC-G07")
@pytest.mark.parametrize("seed", [1101, 1193, 1231, 1324])
def test_a_railroad_that_changes_its_row_or_branches_turns_widely(seed):
    found = seeded(seed)
    rails = [one for one in found.battlefield.of(Kind.RAILWAY) if isinstance(one, Course)]
    assert rails
    assert all(bend_radius(rail.line, 0.1 * UNIT) >= LEAST for rail in rails)
    assert broken_of(found) == {}


@pytest.mark.clause("AC-N32")
@pytest.mark.parametrize("seed", [1015, 1072])
def test_no_stream_runs_through_the_points_of_a_railroad(seed):
    bridges = [one for one in seeded(seed).battlefield.of(Kind.RAILWAY_BRIDGE) if isinstance(one, Crossing)]
    assert all(one.at.distance(other.at) > 110 for one, other in combinations(bridges, 2))


def test_a_way_that_would_turn_straight_back_at_its_corner_is_straight() -> None:
    assert _arced((0.0, 0.0), (100.0, 0.0), (50.0, 0.0)).tolist() == [[0.0, 0.0], [50.0, 0.0]]
