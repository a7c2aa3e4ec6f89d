"""Planting: places scattered but never crowded, and rows along edges."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, box

from printkit.chance.streams import Stream
from printkit.drawing.scatter.scatter import edge_row, planted

_WOOD = Point(60, 40).buffer(70).difference(Point(75, 45).buffer(22))


def _nearest(places: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.hypot(*np.moveaxis(places[:, None] - others[None], -1, 0))


@settings(max_examples=12, deadline=None, derandomize=True)
@given(spacing=st.floats(2.5, 40), name=st.text("abc", min_size=1, max_size=4))
def test_places_lie_inside_and_keep_their_distance(spacing: float, name: str):
    places = planted(_WOOD, spacing, Stream(name))
    assert shapely.contains_xy(_WOOD, places[:, 0], places[:, 1]).all()
    apart = _nearest(places, places)
    np.fill_diagonal(apart, np.inf)
    assert apart.min(initial=np.inf) >= spacing * (1 - 1e-9)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(spacing=st.floats(3, 30), name=st.text("abc", min_size=1, max_size=4))
def test_no_hole_is_wider_than_two_spacings(spacing: float, name: str):
    places = planted(_WOOD, spacing, Stream(name))
    x, y = (axis.ravel() for axis in np.meshgrid(np.linspace(-10, 130, 60), np.linspace(-30, 110, 60)))
    inside = shapely.contains_xy(_WOOD, x, y)
    reach = _nearest(np.column_stack([x[inside], y[inside]]), places).min(axis=1)
    assert reach.max() < 1.35 * spacing


def test_places_run_from_north_to_south():
    places = planted(_WOOD, 6, Stream("order"))
    assert (np.diff(places[:, 1]) <= 0).all()


def test_new_places_keep_clear_of_those_that_stand_and_close_up_to_them():
    kept = edge_row(_WOOD, 5, 7, Stream("row"))
    places = planted(_WOOD, 7, Stream("kept"), kept=kept)
    apart = _nearest(places, kept)
    assert apart.min() >= 7 * (1 - 1e-9)
    assert np.median(apart.min(axis=1)) < 30
    assert len(places) < len(planted(_WOOD, 7, Stream("kept")))


def test_nothing_stands_on_ground_to_avoid():
    avoid = box(40, 20, 80, 60)
    places = planted(_WOOD, 5, Stream("avoid"), avoid=avoid)
    assert len(places) > 100
    assert not shapely.contains_xy(avoid, places[:, 0], places[:, 1]).any()


def test_a_room_smaller_than_the_spacing_still_gets_its_one_place():
    assert all(len(planted(box(0, 0, 4, 4), 30, Stream(f"small/{number}"))) == 1 for number in range(12))


@pytest.mark.parametrize("room", [Polygon(), Point(0, 0).buffer(5).difference(Point(0, 0).buffer(9))])
def test_empty_ground_stays_empty(room: Polygon):
    assert planted(room, 3, Stream("none")).shape == (0, 2)
    assert edge_row(room, 1, 3, Stream("none")).shape == (0, 2)


def test_equal_streams_plant_equally_and_others_otherwise():
    first, again, other = (planted(_WOOD, 6, Stream(name)) for name in ("a", "a", "b"))
    assert np.array_equal(first, again)
    assert first.shape != other.shape or not np.allclose(first, other)


def test_an_edge_row_follows_every_edge_evenly():
    row = edge_row(_WOOD, 4, 6, Stream("edge"))
    away = shapely.distance(shapely.points(row), _WOOD.boundary)
    assert np.allclose(away, 4, atol=0.15)
    hole = shapely.distance(shapely.points(row), Polygon(_WOOD.interiors[0])) < 5
    assert hole.any()
    assert not hole.all()
    steps = _nearest(row, row)
    np.fill_diagonal(steps, np.inf)
    assert steps.min() > 6 * 0.6
