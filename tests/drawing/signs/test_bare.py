"""Broken ground stays inside its outline; its stones are lit from the north-west."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from signs_scene import STYLES, area, board, context, corners, course, oval, paths, shape

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import LayerName, Path
from printkit.drawing.signs.relief import rocks
from printkit.drawing.signs.relief.bare import broken_ground
from printkit.drawing.signs.relief.rocks import Stone
from printkit.terrain.field.features import Kind

GROUND = oval(200, 150, 58, 44)
ROUGH = area("z5", Kind.BROKEN_GROUND, GROUND)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(wide=st.floats(36, 70), high=st.floats(36, 70), seed=st.integers(0, 99))
def test_nothing_of_broken_ground_lies_outside_it(wide: float, high: float, seed: int) -> None:
    feature = area("z5", Kind.BROKEN_GROUND, oval(200, 150, wide, high))
    for _, item in broken_ground(feature, context(seed=seed), board(feature)):
        assert isinstance(item, Path)
        assert shapely.contains_xy(feature.outline.buffer(0.02), corners(item)).all()


@pytest.mark.parametrize("name", STYLES)
def test_broken_ground_has_scarps_stones_grit_and_an_edge(name: str) -> None:
    hand = context(name)
    items = list(broken_ground(ROUGH, hand, board(ROUGH)))
    edge = paths(items, LayerName.GROUND_EDGE)
    assert len(edge) == 1
    assert edge[0].stroke is not None
    assert edge[0].stroke.dash == (1.0, 1.5)
    pattern = paths(items, LayerName.GROUND_PATTERN)
    fills = {item.fill[:3] for item in pattern if item.fill}
    assert fills >= {hand.style.solid(token)[:3] for token in ("rock", "rock-line", "hachure")}
    assert {hand.width(0.34), hand.width(0.32)} <= {item.stroke.width for item in pattern if item.stroke}
    stones = next(item for item in pattern if item.fill == hand.style.ink("rock"))
    assert len(stones.runs) >= 15
    assert bool(paths(items, LayerName.GROUND_WASH)) == hand.style.washes


def test_stones_keep_off_ways_waters_and_labels() -> None:
    river = course("R1", Kind.RIVER, [(165, 0), (165, 300)], 25.4)
    way = course("D1", Kind.ROAD, [(0, 130), (400, 130)], 19.05)
    label = shapely.box(200, 155, 240, 165)
    pattern = paths(broken_ground(ROUGH, context(clear=label), board(ROUGH, river, way)), LayerName.GROUND_PATTERN)
    stones = next(shape(item) for item in pattern if item.fill == context().style.ink("rock"))
    assert not stones.is_empty
    for taken in (river.line.buffer(25.4 / 2), way.line.buffer(19.05 / 2), label.buffer(-1.8)):
        assert not stones.intersects(taken)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 999), radius=st.floats(0.4, 5))
def test_the_dark_side_of_a_stone_is_the_south_eastern(seed: int, radius: float) -> None:
    stone = Stone.of((50, 60), radius, Stream(f"stone/{seed}"))
    hulls, radii = rocks.hulls_of([stone]), np.array([stone.radius])
    (hull,) = hulls
    assert hull.is_valid
    (top,), (dark,) = rocks._tops(hulls, radii), rocks._dark(hulls, radii)
    assert hull.buffer(1e-6).contains(dark)
    assert hull.contains(top)
    assert dark.centroid.x > hull.centroid.x
    assert dark.centroid.y < hull.centroid.y
