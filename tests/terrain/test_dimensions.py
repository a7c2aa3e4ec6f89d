"""Dimensions: bounds, own length and width, how a thing is turned, and the points of a course."""

from __future__ import annotations

import pytest
from shapely import LineString, Point, box
from shapely.affinity import rotate

from printkit.terrain.field.battlefield import Board, Edge, GroundScale, bends, dimensions, edge_at, outline_of

BOARD = Board(600, 400, GroundScale(pace=0.25, base_width=40))


@pytest.mark.parametrize("turn", [0, 30, 90, 135, 175])
def test_length_and_width_are_those_of_the_thing_itself(turn: float) -> None:
    found = dimensions(rotate(box(100, 100, 200, 140), turn, origin="center"))
    assert found.length == pytest.approx(100)
    assert found.width == pytest.approx(40)
    assert found.turned is not None
    assert (found.turned - turn + 90) % 180 == pytest.approx(90)


def test_bounds_and_courses_are_measured_on_the_board() -> None:
    found = dimensions(box(100, 50, 180, 90))
    assert (found.left, found.right, found.near, found.far) == (100, 180, 50, 90)
    assert dimensions(Point(5, 5).buffer(3)).turned is None
    assert outline_of(box(-50, 0, 50, 100), BOARD).bounds == (0, 0, 50, 100)
    line = LineString([(-50, 100), (300, 101), (300, 500)])
    points = bends(line, BOARD, within=5)
    for point, wanted in zip(points, ((0, 100.14), (300, 101), (300, 400)), strict=True):
        assert point == pytest.approx(wanted, abs=0.01)
    assert [edge_at(point, BOARD) for point in points] == [Edge.LEFT, None, Edge.FAR]
    line = LineString([(100, 0), (100, 450), (500, 450), (500, 0)])
    assert bends(line, BOARD, within=5) == ((100, 0), (100, 400), (500, 400), (500, 0))
