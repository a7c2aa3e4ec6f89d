"""A marsh stays inside its outline, off the river and out of labels."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from signs_scene import STYLES, area, board, context, corners, course, oval, paths, shape

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import LayerName, Path
from printkit.drawing.signs.cover.wet_ground import marsh
from printkit.drawing.signs.lines.wet_plants import Tufts
from printkit.terrain.field.features import Kind

GROUND = oval(200, 150, 60, 42)
FEN = area("z5", Kind.MARSH, GROUND)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(wide=st.floats(36, 70), high=st.floats(36, 70), seed=st.integers(0, 99))
def test_nothing_of_a_marsh_lies_outside_it(wide: float, high: float, seed: int) -> None:
    feature = area("z5", Kind.MARSH, oval(200, 150, wide, high))
    for _, item in marsh(feature, context(seed=seed), board(feature)):
        assert isinstance(item, Path)
        assert shapely.contains_xy(feature.outline.buffer(0.02), corners(item)).all()


@pytest.mark.parametrize("name", STYLES)
def test_a_marsh_has_strokes_pools_tufts_and_an_edge(name: str) -> None:
    hand = context(name)
    items = list(marsh(FEN, hand, board(FEN)))
    edge = paths(items, LayerName.GROUND_EDGE)
    assert len(edge) == 1
    assert shape(edge[0]).length == pytest.approx(GROUND.length, rel=0.01)
    widths = {item.stroke.width for item in paths(items, LayerName.GROUND_PATTERN) if item.stroke}
    assert widths >= {hand.width(mm) for mm in (0.34, 0.38, 0.22, 0.42)}
    pools = [item for item in paths(items, LayerName.GROUND_PATTERN) if item.fill == hand.style.ink("water")]
    assert len(pools) == 1
    assert bool(paths(items, LayerName.GROUND_WASH)) == hand.style.washes


def test_every_style_has_its_tufts_in_the_same_places() -> None:
    def feet(name: str) -> object:
        hand = context(name)
        found = paths(marsh(FEN, hand, board(FEN)), LayerName.GROUND_PATTERN)
        return [item.runs for item in found if item.stroke and item.stroke.width == hand.width(0.42)]

    assert feet("campaign") == feet("ink-saver") == feet("high-contrast")


def test_a_marsh_keeps_off_the_river_and_clear_of_ways_and_labels() -> None:
    river = course("R1", Kind.RIVER, [(170, 0), (170, 300)], 25.4)
    way = course("D1", Kind.ROAD, [(0, 130), (400, 130)], 19.05)
    label = shapely.box(200, 155, 240, 165)
    items = list(marsh(FEN, context(clear=label), board(FEN, river, way)))
    banks = river.line.buffer(25.4 / 2 + 1.9)
    assert not any(shape(item).intersects(banks) for _, item in items)
    stamps = [shape(item) for item in paths(items, LayerName.GROUND_PATTERN)]
    assert not any(stamp.intersects(label.buffer(-0.1)) for stamp in stamps[:3])
    tufts = [
        shape(item) for item in paths(items, LayerName.GROUND_PATTERN) if item.stroke and item.stroke.width == 0.42
    ]
    assert not tufts[0].intersects(way.line.buffer(8))


def test_a_tuft_spreads_from_one_foot() -> None:
    blades = Tufts.at([(10, 20)], 3.3, 5, Stream("tuft")).blades
    assert len(blades) == 5
    for blade in blades:
        assert abs(blade[0][0] - 10) < 1
        assert blade[0][1] == 20
        assert 21 < blade[-1][1] < 24
