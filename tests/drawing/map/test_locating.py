"""Many places measured at once: what shapely gives for each of them, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import LineString

from printkit.chance.streams import Stream
from printkit.drawing.canvas.area_fill import located
from printkit.drawing.canvas.shapes import circles


def _wander(name: str, count: int) -> np.ndarray:
    return np.cumsum(Stream(name).array(2 * count).reshape(-1, 2) - 0.45, axis=0) * 4


@pytest.mark.parametrize(("pieces", "places"), [(1, 1), (1, 40), (7, 3), (60, 17), (300, 1025)])
def test_places_are_located_as_shapely_locates_them(pieces: int, places: int) -> None:
    line, asked = LineString(_wander("line", pieces + 1)), _wander("places", places)
    assert np.array_equal(located(line, asked), shapely.line_locate_point(line, shapely.points(asked)))


def test_of_two_points_equally_near_the_first_counts() -> None:
    line = LineString([(0, 0), (10, 0), (10, 10), (0, 10)])
    assert located(line, np.array([[5.0, 5.0], [10.0, 0.0], [0.0, 5.0]])).tolist() == [5.0, 10.0, 0.0]


def test_circles_are_buffers_of_points() -> None:
    places = 40 * _wander("circles", 50)
    found, wanted = circles(places, 3.7), shapely.buffer(shapely.points(places), 3.7)
    assert np.array_equal(shapely.get_coordinates(found), shapely.get_coordinates(wanted))
    assert len(circles(np.zeros((0, 2)), 1.0)) == 0
