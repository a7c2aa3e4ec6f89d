"""Outlines fill their box, stay one smooth piece, and look like no ellipse; bounds and sizes of things."""

from __future__ import annotations

import itertools
import math

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as some
from shapely import LineString, Point, Polygon, affinity, box
from shapely.affinity import rotate

from printkit.chance.streams import Stream
from printkit.terrain.field.battlefield import (
    Board,
    Edge,
    GroundScale,
    clip_to_board,
    find_edge,
    measure_shape,
    simplify_course,
)
from printkit.terrain.geometry.measure import MAX_WAVER_MM, count_corners
from printkit.terrain.geometry.outlines import blob, cut_arcs, draw_plot_outline, fit_outline, inner_contour, rounded

SEEDS = some.integers(0, 10_000)
SIDES = some.floats(75, 165)
FEW = settings(max_examples=20, deadline=None, derandomize=True)
MAKERS = (blob, rounded, draw_plot_outline)


def bounds(shape: Polygon) -> list[float]:
    return [round(value, 6) for value in shape.bounds]


def off_ellipse(shape: Polygon, width: float, depth: float) -> float:
    """Return the share of the ellipse in the same box by which a shape differs from it."""
    ellipse = affinity.scale(Point(0, 0).buffer(1, quad_segs=64), width / 2, depth / 2)
    return shape.symmetric_difference(ellipse).area / ellipse.area


@pytest.mark.parametrize("make", MAKERS)
@FEW
@given(width=SIDES, depth=SIDES, seed=SEEDS)
def test_an_outline_fills_exactly_its_box_about_the_origin(make, width, depth, seed):
    shape = make(width, depth, Stream(f"outline/{seed}"))
    assert bounds(shape) == pytest.approx([-width / 2, -depth / 2, width / 2, depth / 2], abs=1e-6)
    assert shape.is_valid
    assert not shape.interiors
    assert shape.exterior.is_ccw


@pytest.mark.parametrize("make", MAKERS)
@FEW
@given(seed=SEEDS)
def test_points_lie_a_millimetre_or_so_apart(make, seed):
    ring = shapely.get_coordinates(make(114.3, 88.9, Stream(f"outline/{seed}")).exterior)
    steps = [math.dist(one, other) for one, other in itertools.pairwise(ring)]
    assert 1.0 < sum(steps) / len(steps) < 1.5
    assert max(steps) < 2.6


@pytest.mark.clause("BR-G12..BR-G15", "BR-G18", "BR-G16")
@FEW
@given(seed=SEEDS)
def test_natural_ground_and_hills_are_irregular_and_hills_bulge_nearly_everywhere(seed):
    shape = blob(114.3, 88.9, Stream(f"outline/{seed}"))
    assert off_ellipse(shape, 114.3, 88.9) > 0.02
    assert 0.55 < shape.area / (114.3 * 88.9) < 0.92
    corners = shape.simplify(3.0).exterior.coords
    assert len(corners) > 8
    shape = rounded(127.0, 101.6, Stream(f"outline/{seed}"))
    assert shape.area / shape.convex_hull.area > 0.95
    assert off_ellipse(shape, 127.0, 101.6) > 0.01
    for hill in _hills(seed):
        assert hill.area / hill.convex_hull.area > 0.90


@pytest.mark.clause("BR-G11")
@FEW
@given(seed=SEEDS, inch=some.floats(4, 60))
def test_built_up_ground_has_five_to_eight_corners_on_boards_of_any_size(seed, inch):
    shape = draw_plot_outline(4 * inch, 3.5 * inch, Stream(f"outline/{seed}"))
    assert count_corners(shape, 0.2 * inch) >= 5
    assert count_corners(shape, 0.2 * inch + MAX_WAVER_MM) <= 8


@FEW
@given(seed=SEEDS, count=some.integers(3, 6))
def test_built_up_ground_has_as_many_corners_as_asked_for_and_hardly_a_bay(seed, count):
    shape = draw_plot_outline(101.6, 88.9, Stream(f"outline/{seed}"), corners=(count, count))
    assert count_corners(shape, 5.0) == count
    shape = draw_plot_outline(101.6, 88.9, Stream(f"outline/{seed}"))
    assert shape.area / shape.convex_hull.area > 0.94


def test_bends_spurs_and_leaning_tops_shape_an_outline_the_same_from_one_stream():
    straight, bent = (blob(160, 60, Stream("bow"), bend=bend) for bend in (0.0, 0.15))
    assert straight.symmetric_difference(bent).area > 0.03 * straight.area
    assert blob(100, 80, Stream("one")).equals_exact(blob(100, 80, Stream("one")))
    assert not blob(100, 80, Stream("one")).equals_exact(blob(100, 80, Stream("two")), 1.0)
    outer = rounded(152.4, 127.0, Stream("lean"))
    tops = [inner_contour(outer, Stream("top"), inset=10.16, lean=(0, lean)) for lean in (-10.0, 10.0)]
    assert tops[1].centroid.y - tops[0].centroid.y > 4
    small, large = zip(
        *([shape.area / shape.convex_hull.area for shape in _hills(seed)] for seed in range(12)), strict=True
    )
    assert sum(large) < sum(small) - 0.12


@pytest.mark.clause("BR-G17")
@FEW
@given(seed=SEEDS, lean=some.tuples(some.floats(-12, 12), some.floats(-12, 12)))
def test_the_upper_contour_keeps_its_share_and_its_distance(seed, lean):
    outer = rounded(152.4, 127.0, Stream(f"outer/{seed}"))
    inner = inner_contour(outer, Stream(f"inner/{seed}"), inset=10.16, lean=lean)
    assert inner.is_valid
    assert 0.25 <= inner.area / outer.area <= 0.45
    assert outer.contains(inner)
    assert outer.exterior.distance(inner) >= 10.16
    factor = math.sqrt(inner.area / outer.area)
    copy = affinity.scale(outer, factor, factor)
    moved = affinity.translate(copy, inner.centroid.x - copy.centroid.x, inner.centroid.y - copy.centroid.y)
    assert inner.symmetric_difference(moved).area > 0.02 * inner.area


@pytest.mark.clause("BR-G21", "BR-Q06")
@FEW
@given(seed=SEEDS, bearing=some.floats(0, 360), count=some.sampled_from((4, 6)))
def test_the_sides_of_a_hill_are_the_whole_outline_in_fair_shares(seed, bearing, count):
    hill = affinity.rotate(rounded(127.0, 95.0, Stream(f"sides/{seed}")), bearing, origin=(0, 0))
    hill = affinity.translate(hill, 300, 200)
    sides = cut_arcs(hill, bearing, count)
    shares = [side.length / hill.exterior.length for side in sides]
    assert len(sides) == count
    assert sum(shares) == pytest.approx(1.0)
    assert all((0.15 if count == 4 else 0.08) <= share <= (0.40 if count == 4 else 0.30) for share in shares)
    for side, after in zip(sides, (*sides[1:], sides[0]), strict=True):
        assert math.dist(side.coords[-1], after.coords[0]) < 1e-6
        assert hill.exterior.distance(side) < 1e-6
        left = side.parallel_offset(1.5, "left")
        assert hill.contains(left.interpolate(0.5, normalized=True))


@pytest.mark.clause("BR-G21")
@pytest.mark.parametrize("bearing", [0.0, 40.0, 210.0])
def test_arc_0_is_the_right_end_and_the_others_follow_counterclockwise(bearing: float):
    hill = affinity.rotate(rounded(150.0, 100.0, Stream("ends")), bearing, origin=(0, 0))
    level = [affinity.rotate(side, -bearing, origin=(0, 0)) for side in cut_arcs(hill, bearing)]
    middles = [side.interpolate(0.5, normalized=True) for side in level]
    assert middles[0].x > 40
    assert middles[1].y > 25
    assert middles[2].x < -40
    assert middles[3].y < -25


ROOM = box(0, 0, 6.5, 6.5)


@pytest.mark.clause("BR-G05", "BR-T32")
def test_an_outline_is_shifted_or_scaled_into_its_room_or_does_not_fit():
    found = fit_outline(box(-1, 3, 3, 6), ROOM, size=(4, 3), min_size=(3, 3))
    assert found is not None
    assert bounds(found[0]) == [0, 3, 4, 6]
    assert found[1] == 1
    turned = affinity.translate(affinity.rotate(box(-3, -2.5, 3, 2.5), 45), 3.25, 3.25)
    found = fit_outline(turned, ROOM, size=(6.0, 5.0), min_size=(3.0, 3.0))
    assert found is not None
    shape, factor = found
    assert (6.0 * factor, 5.0 * factor) == pytest.approx((5.01, 4.18), abs=0.01)
    assert ROOM.buffer(1e-9).covers(shape)
    turned = affinity.rotate(box(-3, -2.5, 3, 2.5), 45)
    assert fit_outline(turned, ROOM, size=(6.0, 5.0), min_size=(5.1, 3.0)) is None


def _hills(seed):
    return (rounded(long, short, Stream(f"outline/{seed}")) for long, short in ((100.0, 85.0), (400.0, 300.0)))


BOARD = Board(600, 400, GroundScale(pace=0.25, base_width=40))


@pytest.mark.parametrize("turn", [0, 30, 90, 135, 175])
def test_length_and_width_are_those_of_the_thing_itself(turn: float) -> None:
    found = measure_shape(rotate(box(100, 100, 200, 140), turn, origin="center"))
    assert found.length == pytest.approx(100)
    assert found.width == pytest.approx(40)
    assert found.angle_deg is not None
    assert (found.angle_deg - turn + 90) % 180 == pytest.approx(90)


def test_bounds_and_courses_are_measured_on_the_board() -> None:
    found = measure_shape(box(100, 50, 180, 90))
    assert (found.left, found.right, found.near, found.far) == (100, 180, 50, 90)
    assert measure_shape(Point(5, 5).buffer(3)).angle_deg is None
    assert clip_to_board(box(-50, 0, 50, 100), BOARD).bounds == (0, 0, 50, 100)
    line = LineString([(-50, 100), (300, 101), (300, 500)])
    points = simplify_course(line, BOARD, tolerance_mm=5)
    for point, wanted in zip(points, ((0, 100.14), (300, 101), (300, 400)), strict=True):
        assert point == pytest.approx(wanted, abs=0.01)
    assert [find_edge(point, BOARD) for point in points] == [Edge.LEFT, None, Edge.FAR]
    line = LineString([(100, 0), (100, 450), (500, 450), (500, 0)])
    assert simplify_course(line, BOARD, tolerance_mm=5) == ((100, 0), (100, 400), (500, 400), (500, 0))
