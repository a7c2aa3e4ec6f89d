"""Stations along a line are those that shapely finds, to the last bit."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point

from printkit.terrain.geometry.measure import reached, stations

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
    assert stations(line, gone).tolist() == wanted.tolist()
    even = shapely.get_coordinates(shapely.line_interpolate_point(line, np.arange(7) / 7, normalized=True))
    assert stations(line, np.arange(7) / 7 * line.length).tolist() == even.tolist()


def test_rings_and_points_that_stand_twice_are_walked_too_and_lie_where_they_are_reached() -> None:
    for ring in (Point(3, 4).buffer(50).exterior, LineString([(0, 0), (0, 0), (9, 0), (9, 0)])):
        gone = np.linspace(0, ring.length, 11)
        wanted = shapely.get_coordinates(shapely.line_interpolate_point(ring, gone))
        assert stations(ring, gone).tolist() == wanted.tolist()
    line = LineString([(0, 0), (3, 4), (3, 4), (3, 10)])
    assert reached(line).tolist() == [0, 5, 5, 11]
    assert stations(line, reached(line)).tolist() == [[0, 0], [3, 4], [3, 4], [3, 10]]
