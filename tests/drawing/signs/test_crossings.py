"""Bridges reach over the water; fords lie in it."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from signs_scene import STYLES, board, context, course, crossing, filled, paths, shape

from printkit.drawing.canvas.items import LayerName, Path
from printkit.drawing.signs.ways.crossings import bridge, ford, water_span
from printkit.terrain.field.features import Kind

RIVER = course("R1", Kind.RIVER, [(200, 0), (200, 300)], 25.4)
ROAD = course("D1", Kind.ROAD, [(0, 150), (400, 150)], 19.05)


def _deck(name: str, bearing: float) -> tuple[shapely.Geometry, shapely.Geometry]:
    hand, at = context(name), crossing("X1", Kind.BRIDGE, (200, 150), bearing)
    deck = [
        item
        for item in paths(bridge(at, hand, board(RIVER, ROAD, at)), LayerName.CROSSING)
        if item.fill == hand.style.ink("road")
    ]
    return shape(deck[-1]), RIVER.line.buffer(25.4 / 2)


@pytest.mark.clause("BR-G61")
@pytest.mark.parametrize("name", STYLES)
def test_a_bridge_is_longer_than_the_water_is_wide(name: str) -> None:
    deck, _ = _deck(name, 0)
    left, low, right, high = deck.bounds
    assert right - left == pytest.approx(25.4 + 7, abs=0.1)
    assert right - left >= 1.25 * 25.4
    assert high - low == pytest.approx(19.05 + 0.8, abs=0.1)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(bearing=st.floats(-45, 45))
def test_both_ends_of_a_bridge_stand_on_dry_ground(bearing: float) -> None:
    deck, water = _deck("campaign", bearing)
    corners = shapely.points(shapely.get_coordinates(deck)[:4])
    assert shapely.distance(corners, water).min() > 2


@pytest.mark.clause("BR-G61")
@pytest.mark.parametrize("name", STYLES)
def test_a_ford_lies_in_the_water_and_its_sign_is_a_quarter_longer(name: str) -> None:
    hand, at = context(name), crossing("X1", Kind.FORD, (200, 150), 0)
    items = list(ford(at, hand, board(RIVER, ROAD, at)))
    sides = [shape(item) for _, item in items if isinstance(item, Path) and item.stroke and item.stroke.dash]
    assert len(sides) == 1
    assert sides[0].bounds[2] - sides[0].bounds[0] == pytest.approx(1.25 * 25.4, abs=0.1)
    stones = [item for _, item in items if isinstance(item, Path) and item.stroke is None and len(item.runs) >= 8]
    assert stones[-1].fill == hand.style.ink("stone")
    assert RIVER.line.buffer(25.4 / 2 + 2.5).contains(shape(stones[-1]))
    water = RIVER.line.buffer(25.4 / 2)
    dashes = [
        shape(item)
        for _, item in items
        if isinstance(item, Path) and item.stroke and item.stroke.width == hand.width(0.34)
    ]
    assert len(dashes) == 1
    assert water.contains(dashes[0])


def test_the_water_is_measured_where_the_crossing_is() -> None:
    bent = course("R1", Kind.RIVER, [(100, 0), (100, 260), (300, 260), (300, 0)], 25.4)
    for x in (100, 300):
        at = crossing("X1", Kind.BRIDGE, (x, 150), 0)
        span = water_span(at, 19.05, board(bent, ROAD, at), context())
        assert (span.first, span.last) == pytest.approx((-12.7, 12.7), abs=0.05)


@pytest.mark.parametrize("name", STYLES)
def test_bridge_and_ford_throw_shadows_only_where_the_style_has_them(name: str) -> None:
    hand = context(name)
    for kind, sign in ((Kind.BRIDGE, bridge), (Kind.FORD, ford)):
        at = crossing("X1", kind, (200, 150), 0)
        cast = filled(sign(at, hand, board(RIVER, ROAD, at)), hand.tint("shadow", 0.28))
        assert cast.is_empty != hand.style.shadows
