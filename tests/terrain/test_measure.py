"""Measures of shapes, on shapes whose measures are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely import LineString, Point, Polygon, box

from printkit.terrain.field.battlefield import Board, Edge, GroundScale
from printkit.terrain.geometry.measure import (
    common_pieces,
    corner_distance,
    count_corners,
    edge_clearance,
    find_meetings,
    gap,
    line_bearing,
    locate_on_edge,
    overlap,
    quarters_met,
    sharpest_bend,
    sinuosity,
    touches_edge_only_at_ends,
)

BOARD = Board(600.0, 600.0, GroundScale(pace=0.25, base_width=40.0))


def circle(radius: float, degrees: float) -> LineString:
    angles = np.radians(np.arange(0, degrees + 0.5, 1.0))
    return LineString(np.column_stack([radius * np.cos(angles), radius * np.sin(angles)]))


def test_lines_are_measured_by_their_length_gap_quarter_and_bend():
    assert sinuosity(LineString([(0, 0), (3, 4)])) == pytest.approx(1)
    assert sinuosity(LineString([(0, 0), (8, 0), (8, 8)])) == pytest.approx(math.sqrt(2))
    assert sinuosity(LineString([(0, 0), (1, 0), (0, 0)])) == math.inf
    assert quarters_met(box(10, 10, 50, 50), BOARD) == (3,)
    assert quarters_met(LineString([(0, 100), (600, 500)]), BOARD) == (2, 3)
    assert quarters_met(box(250, 400, 320, 450), BOARD) == (1, 2)
    assert quarters_met(box(250, 400, 320, 450), BOARD, min_extent=1500) == (1,)
    assert quarters_met(box(200, 100, 300, 200), BOARD) == (3,)
    assert gap(box(0, 0, 10, 10), box(13, 0, 20, 10)) == 3
    assert gap(box(0, 0, 10, 10), box(5, 0, 20, 10)) == 0
    assert overlap(box(0, 0, 10, 10), box(5, 0, 20, 10)) == 50
    assert sharpest_bend(circle(100, 180), 40) == pytest.approx(math.degrees(20 / 100), abs=0.3)
    assert sharpest_bend(circle(50, 180), 40) == pytest.approx(math.degrees(20 / 50), abs=0.5)
    assert sharpest_bend(LineString([(0, 0), (300, 0)]), 40) == 0
    assert sharpest_bend(LineString([(0, 0), (10, 0), (10, 300)]), 50) == pytest.approx(90, abs=0.01)
    assert line_bearing(LineString([(0, 0), (0, 50)]), 20, 10) == pytest.approx(90)
    assert line_bearing(LineString([(0, 0), (50, 0), (50, 50)]), 50, 10) == pytest.approx(45)
    # At an end the chord begins at the very end, however near that is.
    assert line_bearing(LineString([(0, 0), (0, 4), (50, 4)]), 0, 16) == pytest.approx(45)
    assert line_bearing(LineString([(0, 0), (46, 0), (46, 4)]), 50, 16) == pytest.approx(45)


@pytest.mark.parametrize("turn", [10, 60, 90, 150])
def test_a_corner_counts_in_full(turn: int):
    after = math.radians(turn)
    line = LineString([(0, 0), (100, 0), (100 + 100 * math.cos(after), 100 * math.sin(after))])
    assert sharpest_bend(line, 50) == pytest.approx(turn, abs=0.01)


def test_edges_and_meetings_are_told_with_their_places():
    assert locate_on_edge(Point(200, 600), BOARD) == (Edge.FAR, 200)
    assert locate_on_edge(Point(200, 0), BOARD) == (Edge.NEAR, 200)
    assert locate_on_edge(Point(0, 50), BOARD) == (Edge.LEFT, 50)
    assert locate_on_edge(Point(600, 50), BOARD) == (Edge.RIGHT, 50)
    assert locate_on_edge(Point(1, 50), BOARD) is None
    assert corner_distance(Point(570, 600), BOARD) == pytest.approx(30)
    line = LineString([(0, 50), (200, 50)])
    zigzag = LineString([(20, 0), (20, 100), (120, 0)])
    first, second = find_meetings(line, zigzag)
    assert (first.at.x, first.distance, first.angle) == pytest.approx((20, 20, 90))
    assert (second.at.x, second.distance, second.angle) == pytest.approx((70, 70, 45))
    assert first.other_distance == pytest.approx(50)
    assert find_meetings(line, LineString([(0, 60), (200, 60)])) == ()


@pytest.mark.clause("BR-G34", "BR-G53")
def test_a_course_touches_the_edge_only_at_its_ends_and_a_river_runs_inside():
    assert touches_edge_only_at_ends(LineString([(100, 0), (100, 600)]), BOARD)
    assert not touches_edge_only_at_ends(LineString([(100, 0), (300, 600), (500, 0)]), BOARD)
    assert not touches_edge_only_at_ends(LineString([(100, 0), (100, 650)]), BOARD)
    assert not touches_edge_only_at_ends(LineString([(100, 0), (200, 0), (200, 600)]), BOARD)
    assert edge_clearance(LineString([(100, 0), (100, 600)]), BOARD, 25) >= 25
    assert edge_clearance(LineString([(100, 0), (30, 300), (100, 600)]), BOARD, 25) >= 25
    assert edge_clearance(LineString([(100, 0), (20, 300), (100, 600)]), BOARD, 25) < 25
    assert edge_clearance(LineString([(100, 0), (300, 20), (300, 600)]), BOARD, 25) < 25


@pytest.mark.clause("BR-G57")
def test_common_pieces_of_two_ribbons():
    river = LineString([(100, 0), (100, 400)])
    square = common_pieces(LineString([(0, 200), (200, 200)]), 10, river, 20)
    assert [piece.length for piece in square] == pytest.approx([20])
    along = common_pieces(LineString([(0, 100), (95, 100), (95, 300), (0, 300)]), 10, river, 20)
    assert len(along) == 1
    assert along[0].length > 190
    brushing = common_pieces(LineString([(88, 0), (88, 400)]), 10, river, 20)
    assert [piece.length for piece in brushing] == pytest.approx([400])
    assert common_pieces(LineString([(60, 0), (60, 400)]), 10, river, 20) == ()


def test_a_rounded_corner_is_one_and_a_wavering_side_has_none():
    square = box(0, 0, 100, 80)
    assert count_corners(square, 5.0) == 4
    assert count_corners(square.buffer(-3).buffer(3), 5.0) == 4
    wavering = Polygon([(x, 0.5 * (x % 2)) for x in range(101)] + [(100, 80), (0, 80)])
    assert count_corners(wavering, 5.0) == 4
    assert count_corners(Polygon([(0, 0), (50, -4), (100, 0), (100, 80), (0, 80)]), 5.0) == 4
    assert count_corners(Polygon([(0, 0), (50, -6), (100, 0), (100, 80), (0, 80)]), 5.0) == 5
    assert count_corners(Polygon([(0, 0), (50, 6), (100, 0), (100, 80), (0, 80)]), 5.0) == 5
