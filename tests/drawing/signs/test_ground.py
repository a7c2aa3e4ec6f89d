"""The ground of the board: paper to its edge, mottle that nobody notices, grass on free ground only."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import Polygon, box
from signs_scene import STYLES, context, oval, paths, shape

from printkit.drawing.canvas.items import GRID, LayerName
from printkit.drawing.signs.relief.bare import ground

_BOARD = box(0, 0, 400, 300)
_TAKEN = oval(200, 150, 120, 80)


@pytest.mark.parametrize("name", STYLES)
def test_grass_grows_on_free_ground_only(name: str):
    label = box(20, 240, 120, 260)
    items = list(ground(_BOARD, context(name, clear=label), _BOARD.difference(_TAKEN)))
    grass = paths(items, LayerName.GRASS)
    assert grass
    for path in grass:
        drawn = shape(path)
        assert _BOARD.covers(drawn)
        assert not drawn.intersects(_TAKEN.buffer(-4))
        if path.stroke is not None:
            assert not drawn.intersects(label.buffer(-2))


@pytest.mark.parametrize("name", STYLES)
def test_paper_and_mottle_are_there_where_the_style_has_them(name: str):
    hand = context(name)
    items = list(ground(_BOARD, hand, _BOARD))
    paper = paths(items, LayerName.PAPER)
    assert bool(paper) == bool(paths(items, LayerName.MOTTLE)) == hand.style.washes
    for path in paper:
        assert shape(path).equals(_BOARD)


def test_the_mottle_stays_on_the_board_and_is_thin():
    mottle = paths(list(ground(_BOARD, context(), _BOARD)), LayerName.MOTTLE)
    assert len(mottle) > 8
    for path in mottle:
        assert path.fill is not None
        assert path.fill.alpha <= 0.2
        assert _BOARD.buffer(0.02).covers(shape(path))


def test_a_covered_board_has_no_grass():
    assert not paths(list(ground(_BOARD, context(), Polygon())), LayerName.GRASS)


def test_tufts_are_few_and_apart():
    (blades,) = [path for path in paths(list(ground(_BOARD, context(), _BOARD)), LayerName.GRASS) if path.stroke]
    feet = np.array([run.points[:2] for run in blades.runs]) * GRID
    clumps = shapely.union_all(shapely.buffer(shapely.points(feet), 2.0))
    count = len(shapely.get_parts(clumps))
    assert 50 < count < _BOARD.area / 15**2
