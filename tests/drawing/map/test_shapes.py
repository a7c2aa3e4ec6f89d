"""From geometry to items: the grid, closed and open runs, tapered strokes."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import GeometryCollection, LineString, MultiPolygon, Point, Polygon, box
from signs_scene import shape

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import GRID, FillRule, Ink, Stroke
from printkit.drawing.canvas.shapes import (
    circles,
    dots,
    fill,
    fill_and_stroke,
    fills,
    lines,
    normals,
    outline,
    polygons,
    resampled,
    ribbon,
    runs,
    runs_of_each,
    tangents,
    wedges,
)
from printkit.drawing.canvas.symbol_context import project_points

_INK = Ink(10, 20, 30)
_STROKE = Stroke(_INK, 0.3)
_RING = Point(50, 50).buffer(30).difference(Point(55, 50).buffer(10))
_NOTHING = [Polygon(), LineString(), MultiPolygon(), GeometryCollection(), [], [Polygon()], np.zeros((1, 2))]


def test_a_polygon_becomes_closed_runs_exterior_first_and_points_that_tell_nothing_are_left_out() -> None:
    outer, inner = runs(_RING)
    assert outer.closed
    assert inner.closed
    assert max(outer.points[::2]) == 8000
    assert max(inner.points[::2]) == 6500
    assert outer.points[:2] != outer.points[-2:]
    straight = LineString([(0, 0), (10, 0.004), (20, 0), (30, 0)])
    assert runs(straight)[0].points == (0, 0, 3000, 0)
    many = Point(0, 0).buffer(50, quad_segs=500)
    assert len(runs(many)[0].points) < 400


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.floats(-300, 300), st.floats(-300, 300)), min_size=2, max_size=12))
def test_points_of_lines_lie_on_the_grid_and_near_the_line(points: list[tuple[float, float]]) -> None:
    line = LineString(points)
    for run in runs(line):
        assert not run.closed
        back = np.array(run.points).reshape(-1, 2) * GRID
        assert shapely.distance(shapely.points(back), line).max() < GRID
        assert (np.diff(np.array(run.points).reshape(-1, 2), axis=0) != 0).any(axis=1).all()


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.floats(0.5, 200), st.floats(-400, 400), st.floats(-400, 400))
def test_what_is_filled_is_the_shape(radius: float, x: float, y: float) -> None:
    disc = Point(x, y).buffer(radius, quad_segs=32)
    (path,) = fill(disc, _INK)
    assert shape(path).symmetric_difference(disc).area < 0.04 * disc.length + 0.01


@pytest.mark.parametrize("nothing", _NOTHING, ids=str)
def test_nothing_gives_nothing(nothing: object) -> None:
    assert fill(nothing, _INK) == []
    assert outline(nothing, _STROKE) == []
    assert fill_and_stroke(nothing, _INK, _STROKE) == []


def test_an_ink_that_is_left_out_draws_nothing_and_each_fill_has_its_own() -> None:
    assert fill(_RING, None) == []
    assert outline(_RING, None) == []
    assert wedges([(np.array([[0, 0], [1, 1]]), 1, 0.2)], None) == []
    assert dots([(0, 0)], 1, None) == []
    other = Ink(1, 2, 3)
    assert fills([_RING, Polygon(), box(0, 0, 9, 9)], [_INK, _INK, other]) == [
        *fill(_RING, _INK),
        *fill(box(0, 0, 9, 9), other),
    ]


def test_many_shapes_become_one_path_and_an_array_is_closed_only_where_it_is_filled() -> None:
    mixed = [box(0, 0, 1, 1), MultiPolygon([box(2, 0, 3, 1), box(4, 0, 5, 1)]), GeometryCollection([box(6, 0, 7, 1)])]
    (path,) = fill(mixed, _INK, rule=FillRule.NON_ZERO)
    assert len(path.runs) == 4
    assert path.rule is FillRule.NON_ZERO
    (line,) = outline([LineString([(0, 0), (1, 1)]), np.array([[0, 0], [5, 5.0]]), box(0, 0, 1, 1)], _STROKE)
    assert [run.closed for run in line.runs] == [False, False, True]
    (both,) = fill_and_stroke(_RING, None, _STROKE)
    assert both.fill is None
    assert both.stroke == _STROKE
    corner = np.array([[0, 0], [4, 0], [4, 4.0]])
    assert fill(corner, _INK)[0].runs[0].closed
    assert not outline(corner, _STROKE)[0].runs[0].closed


def test_a_wedge_tapers_evenly_and_wedges_share_a_path_and_may_overlap() -> None:
    (path,) = wedges([(np.array([[0, 0], [10, 0.0]]), 2.0, 0.5)], _INK)
    found = shape(path)
    assert found.area == pytest.approx(12.5, abs=0.05)
    assert found.bounds == pytest.approx((0, -1, 10, 1))
    at_foot = found.intersection(LineString([(9.99, -2), (9.99, 2)]))
    assert at_foot.length == pytest.approx(0.5, abs=0.03)
    stroke = np.array([[0, 0], [10, 0.0]])
    (path,) = wedges([(stroke, 1, 1), (stroke + 0.3, 1, 1), (stroke[:1], 1, 1)], _INK)
    assert len(path.runs) == 2
    assert path.rule is FillRule.NON_ZERO


def test_dots_are_discs_of_their_own_size_and_a_ribbon_is_as_wide_as_told() -> None:
    (path,) = dots([(0, 0), (5, 5)], np.array([1.0, 0.5]), _INK)
    areas = [Polygon(np.array(run.points).reshape(-1, 2) * GRID).area for run in path.runs]
    assert areas == pytest.approx([np.pi, np.pi / 4], rel=0.03)
    assert dots([], 1, _INK) == []
    line = np.column_stack([np.linspace(0, 100, 50), np.zeros(50)])
    assert ribbon(line, 4).area == pytest.approx(400)
    assert ribbon(line, np.linspace(2, 6, 50)).area == pytest.approx(400)


def test_a_line_is_resampled_evenly_with_both_ends_and_has_tangents_and_normals_that_are_units_and_square() -> None:
    line = LineString([(0, 0), (7, 0), (7, 9)])
    for way in (line, np.array(line.coords)):
        points = resampled(way, 0.5)
        assert tuple(points[0]) == (0, 0)
        assert tuple(points[-1]) == (7, 9)
        assert len(points) == 33
    line = np.column_stack([np.linspace(0, 10, 30), np.sin(np.linspace(0, 10, 30))])
    along, across = tangents(line), normals(line)
    assert np.allclose(np.hypot(*along.T), 1)
    assert np.allclose((along * across).sum(axis=1), 0)
    assert (across[:, 1] > 0).all()


def test_polygons_and_lines_of_nested_geometry() -> None:
    nest = GeometryCollection(
        [box(0, 0, 1, 1), GeometryCollection([MultiPolygon([box(2, 2, 3, 3)]), LineString([(0, 0), (9, 9)])])]
    )
    assert len(polygons(nest)) == 2
    assert [line.length for line in lines(nest)] == [pytest.approx(9 * 2**0.5)]
    assert polygons(Polygon()) == []
    assert lines(Polygon()) == []
    assert lines(box(0, 0, 1, 1).exterior)[0].length == 4


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("nested", [True, False])
def test_runs_of_each_are_those_of_every_shape_by_itself(closed: bool, nested: bool) -> None:
    crowd = MultiPolygon([box(0, 0, 9, 9), Point(30, 30).buffer(5)])
    mixed = GeometryCollection([LineString([(0, 0), (5, 5)]), _RING, Point(1, 1), box(1, 1, 2, 3)])
    shapes = [_RING, Polygon(), crowd, Point(3, 3), mixed, LineString([(0, 0), (0.001, 0)]), box(0, 0, 0.01, 0.01)]
    shapes += [GeometryCollection([crowd, LineString([(0, 0), (1, 0)])])] if nested else []
    assert runs_of_each(shapes, closed=closed) == [runs(one, closed=closed) for one in shapes]
    assert runs_of_each([]) == []
    assert runs(np.zeros((0, 5, 2))) == ()


# --- Many places measured at once: what shapely gives for each of them, to the last bit -------------------------------


def _wander(name: str, count: int) -> np.ndarray:
    return np.cumsum(Stream(name).draw_array(2 * count).reshape(-1, 2) - 0.45, axis=0) * 4


@pytest.mark.parametrize(("pieces", "places"), [(1, 1), (1, 40), (7, 3), (60, 17), (300, 1025)])
def test_places_are_located_as_shapely_locates_them(pieces: int, places: int) -> None:
    line, asked = LineString(_wander("line", pieces + 1)), _wander("places", places)
    assert np.array_equal(project_points(line, asked), shapely.line_locate_point(line, shapely.points(asked)))


def test_of_two_points_equally_near_the_first_counts_and_circles_are_buffers_of_points() -> None:
    line = LineString([(0, 0), (10, 0), (10, 10), (0, 10)])
    assert project_points(line, np.array([[5.0, 5.0], [10.0, 0.0], [0.0, 5.0]])).tolist() == [5.0, 10.0, 0.0]
    places = 40 * _wander("circles", 50)
    found, wanted = circles(places, 3.7), shapely.buffer(shapely.points(places), 3.7)
    assert np.array_equal(shapely.get_coordinates(found), shapely.get_coordinates(wanted))
    assert len(circles(np.zeros((0, 2)), 1.0)) == 0
