"""Rivers and roads over open, broken and barred ground, and stations along them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis import strategies as st
from shapely import GeometryCollection, LineString, Point, box

from printkit.chance.streams import Stream
from printkit.terrain.geometry.courses import MEANDERING, STRAIGHTISH, Terminal, _swing_guide, round_corners, routed
from printkit.terrain.geometry.measure import (
    find_meetings,
    interpolate_points,
    point_distances,
    sharpest_bend,
    sinuosity,
)
from printkit.terrain.geometry.outlines import blob
from printkit.terrain.geometry.routing import CostField, RoutingGround, resample_line, smooth_curve

meander = partial(routed, style=MEANDERING)
straightish = partial(routed, style=STRAIGHTISH)

SIDE = 609.6
SEEDS = some.integers(0, 10_000)
FEW = settings(max_examples=12, deadline=None, derandomize=True)
NOTHING = GeometryCollection()


def country(closed=NOTHING, half_width: float = 12.7, *squarely: LineString) -> RoutingGround:
    gap = 3 * half_width
    room = box(gap, gap, SIDE - gap, SIDE - gap)
    return RoutingGround(
        free_area=room, closed=closed, half_width=half_width, crossing_lines=squarely, crossing_reach=25.0
    )


def from_far(x: float) -> Terminal:
    return Terminal((x, SIDE), (x, SIDE - 40))


def to_near(x: float) -> Terminal:
    return Terminal((x, 0.0), (x, 40.0))


def wood(x: float, y: float, seed: int) -> shapely.Polygon:
    return shapely.affinity.translate(blob(150, 120, Stream(f"wood/{seed}")), x, y)


@FEW
@given(seed=SEEDS, start=some.floats(150, 450), end=some.floats(150, 450))
def test_a_river_on_open_ground_meanders_within_its_limit(seed, start, end):
    line = meander(from_far(start), to_near(end), country(), Stream(f"river/{seed}"), max_ratio=1.5)
    assert line is not None
    assert 1.04 < sinuosity(line) <= 1.5
    assert (line.coords[0], line.coords[-1]) == ((start, SIDE), (end, 0.0))
    assert line.is_simple
    assert not line.buffer(13.0).interiors
    assert sharpest_bend(line, 10) < 40


@FEW
@given(seed=SEEDS)
def test_points_lie_two_millimetres_apart_and_nothing_kinks(seed):
    line = meander(from_far(300), to_near(300), country(), Stream(f"river/{seed}"), max_ratio=1.5)
    assert line is not None
    steps = np.diff(shapely.get_coordinates(line), axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    assert 1.8 < lengths.mean() < 2.2
    headings = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    assert np.degrees(np.abs(np.diff(headings))).max() < 14


@FEW
@given(seed=SEEDS, x=some.floats(220, 390))
def test_a_river_goes_round_what_is_closed_with_its_whole_width(seed, x):
    closed = shapely.union_all([wood(x, 400, seed), wood(x - 190, 200, seed + 1), wood(x + 120, 180, seed + 2)])
    line = meander(from_far(300), to_near(280), country(closed), Stream(f"river/{seed}"), max_ratio=1.5)
    assert line is not None
    assert closed.distance(line) >= 12.7 - 1e-6


def test_a_river_finds_the_gap_in_a_wall_and_no_way_that_is_closed_too_long_or_refused():
    wall = shapely.union_all([box(0, 280, 380, 320), box(430, 280, SIDE, 320)])
    line = meander(from_far(200), to_near(200), country(wall), Stream("gap"), max_ratio=1.5)
    assert line is not None
    crossing = line.intersection(LineString([(0, 300), (SIDE, 300)]))
    assert isinstance(crossing, Point)
    assert 392 < crossing.x < 418
    for lay in (meander, straightish):
        closed = country(box(0, 280, SIDE, 320))
        assert lay(from_far(200), to_near(200), closed, Stream("wall"), max_ratio=1.5) is None
    wall = box(0, 280, 520, 320)
    assert meander(from_far(60), to_near(60), country(wall), Stream("long"), max_ratio=1.1) is None
    laid = meander(from_far(200), to_near(200), country(), Stream("no"), max_ratio=1.5, finish=lambda _line: None)
    assert laid is None


@FEW
@given(seed=SEEDS, start=some.floats(100, 500), end=some.floats(100, 500))
def test_a_road_on_open_ground_is_nearly_straight_and_not_quite(seed, start, end):
    line = straightish(from_far(start), to_near(end), country(half_width=9.5), Stream(f"road/{seed}"), max_ratio=1.25)
    assert line is not None
    assert 1.0002 < sinuosity(line) < 1.12
    assert sharpest_bend(line, 50.8) < 60


@FEW
@given(seed=SEEDS)
def test_a_road_crosses_a_river_squarely(seed):
    river = meander(from_far(300), to_near(330), country(), Stream(f"river/{seed}"), max_ratio=1.5)
    assert river is not None
    ground = country(NOTHING, 9.5, river)
    west, east = Terminal((0.0, 200.0), (30.0, 205.0)), Terminal((SIDE, 330.0), (SIDE - 30, 326.0))
    road = straightish(west, east, ground, Stream(f"road/{seed}"), max_ratio=1.25)
    assert road is not None
    assert len(find_meetings(road, river)) == 1
    assert find_meetings(road, river)[0].angle > 45


def test_a_flood_knows_ways_and_their_lengths_and_none_from_barred_ground():
    flood = CostField(country(box(0, 280, 380, 320)), (200.0, 500.0))
    assert flood.path_length((200.0, 400.0)) == pytest.approx(100, rel=0.15)
    assert flood.path_length((200.0, 100.0)) > 500
    path = flood.path((200.0, 100.0))
    assert path is not None
    assert (path[0], path[-1]) == ((200.0, 500.0), (200.0, 100.0))
    assert max(x for x, _ in path) > 390
    flood = CostField(country(box(100, 400, 300, 600)), (200.0, 500.0))
    assert flood.path((200.0, 100.0)) is None


def test_curves_keep_their_points_and_ends_without_overshooting():
    points = np.array([(0, 0), (100, 0), (110, 10), (110, 100)], dtype=float)
    curve = LineString(smooth_curve(points))
    assert all(curve.distance(Point(point)) < 0.2 for point in points)
    assert curve.bounds[2] < 114
    assert curve.is_simple
    points = np.array([(0, 0), (100, 0), (100, 100), (200, 100)], dtype=float)
    line = round_corners(points, 38.1)
    assert line.length < 300
    assert (line.coords[0], line.coords[-1]) == ((0, 0), (200, 100))
    assert sharpest_bend(line, 10) < 40
    assert sharpest_bend(LineString(points), 10) == pytest.approx(90)
    even = resample_line(np.array([(0, 0), (7, 0), (10, 0)], dtype=float), 2.0)
    assert np.allclose(np.diff(even[:, 0]), 2.0)
    assert even[-1][0] == 10


@pytest.mark.parametrize("seed", range(8))
def test_bends_fade_out_towards_both_ends(seed):
    guide = np.array([[100.0, 300.0], [500.0, 300.0]])
    swung = _swing_guide(guide, 1.0, 20.0, country(), MEANDERING, Stream(f"bends/{seed}"))
    assert np.abs(swung[[0, -1]] - guide).max() < 1.0
    assert np.ptp(swung[:, 1]) > 20.0


PLACES = st.tuples(st.floats(-2000, 2000), st.floats(-2000, 2000))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    corners=st.lists(PLACES, min_size=2, max_size=30).filter(lambda points: LineString(points).length > 1e-6),
    shares=st.lists(st.floats(0, 1.2), min_size=1, max_size=20),
)
def test_stations_are_the_places_that_shapely_finds(corners: list[tuple[float, float]], shares: list[float]) -> None:
    line = LineString(corners)
    gone = np.array(shares) * line.length
    wanted = shapely.get_coordinates(shapely.line_interpolate_point(line, gone))
    assert interpolate_points(line, gone).tolist() == wanted.tolist()
    even = shapely.get_coordinates(shapely.line_interpolate_point(line, np.arange(7) / 7, normalized=True))
    assert interpolate_points(line, np.arange(7) / 7 * line.length).tolist() == even.tolist()


def test_rings_and_points_that_stand_twice_are_walked_too_and_lie_where_they_are_reached() -> None:
    for ring in (Point(3, 4).buffer(50).exterior, LineString([(0, 0), (0, 0), (9, 0), (9, 0)])):
        gone = np.linspace(0, ring.length, 11)
        wanted = shapely.get_coordinates(shapely.line_interpolate_point(ring, gone))
        assert interpolate_points(ring, gone).tolist() == wanted.tolist()
    line = LineString([(0, 0), (3, 4), (3, 4), (3, 10)])
    assert point_distances(line).tolist() == [0, 5, 5, 11]
    assert interpolate_points(line, point_distances(line)).tolist() == [[0, 0], [3, 4], [3, 4], [3, 10]]
