"""The ground of the board: paper tone, its mottle, and the grass of good going.

Source: the cartography, 5 (paper), 9.7 and 10.8.
"""

from __future__ import annotations

from itertools import cycle
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Laid, LayerName
from printkit.drawing.canvas.shapes import dots, fill, fills, outline
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.scatter.scatter import planted
from printkit.drawing.signs.lines.wet_plants import Tufts
from printkit.drawing.signs.relief.relief_field import Grid, Regions

_MOTTLE_WAVE: Final = 210.0
_MOTTLE_LEVELS: Final = (0.04, 0.60, 10)
_MOTTLE: Final = 0.20
_MOTTLE_CELL: Final = 5.0
_MOTTLE_WITHIN: Final = 0.2

_TUFT_SPACING: Final = 15.0
_TUFT_HEIGHT: Final = 2.6
_TUFT_WAVE: Final = 150.0
_TUFTS_FROM: Final = -0.05
_DOTS_FROM: Final = -0.5
_TUFT_LINE: Final = 0.32
_TUFT_INK: Final = 0.80
_DOT_INK: Final = 0.64
_FROM_EDGE: Final = 6.0
_FROM_LABEL: Final = 1.0


def ground(board: BaseGeometry, pen: Pen, free: BaseGeometry) -> Laid:
    """Draw the ground of a board.

    Args:
        board: all of it; the paper tone covers it to its edge.
        free: the part that no feature covers, where grass grows; it keeps off labels by itself.
    """
    style = pen.style
    for path in fill(board, style.ink("paper")):
        yield LayerName.PAPER, path
    yield from _mottle(board, pen)
    room = shapely.intersection(free, board.buffer(-pen.size(_FROM_EDGE), join_style="mitre"))
    yield from _grass(shapely.difference(room, pen.clear.buffer(pen.size(_FROM_LABEL))), pen)


def _mottle(board: BaseGeometry, pen: Pen) -> Laid:
    """Draw faint clouds of a darker and a lighter tone, so many and so pale that no edge shows."""
    inks = pen.style.family("mottle")
    if len(inks) < 2:
        return
    grid = Grid.over(board, 0.0, pen.size(_MOTTLE_CELL))
    x, y = grid.nodes()
    clouds = Regions.of(grid, pen.noise.fractal(x, y, pen.size(_MOTTLE_WAVE), octaves=4))
    first, last, count = _MOTTLE_LEVELS
    levels = np.linspace(first, last, count).tolist()
    regions = [region for level in levels for region in (clouds.above(level), clouds.below(-level))]
    shown = shapely.simplify(shapely.intersection(regions, board), pen.size(_MOTTLE_WITHIN))
    for path in fills(shown, cycle(ink.thin(_MOTTLE) for ink in inks[:2])):
        yield LayerName.MOTTLE, path


def _grass(room: BaseGeometry, pen: Pen) -> Laid:
    """Draw tufts where the noise is high, groups of dots where it is middling, nothing elsewhere."""
    stream = pen.stream("draw/grass")
    places = planted(room, pen.size(_TUFT_SPACING), stream)
    if not len(places):
        return
    growth = pen.noise.at(places[:, 0], places[:, 1], pen.size(_TUFT_WAVE))
    tufts = Tufts()
    grains: list[tuple[float, float]] = []
    sizes: list[float] = []
    for (x, y), value in zip(places.tolist(), growth.tolist(), strict=True):
        if value > _TUFTS_FROM:
            height = pen.size(_TUFT_HEIGHT) * stream.between(0.8, 1.2)
            tufts.add((x, y), height, 3 + stream.below(3), stream)
        elif value > _DOTS_FROM:
            for _ in range(3):
                grains.append((x + pen.size(stream.between(-3, 3)), y + pen.size(stream.between(-2, 2))))
                sizes.append(pen.size(stream.between(0.18, 0.30)))
    ink = pen.tint("tuft", _TUFT_INK)
    for path in outline(tufts.blades, pen.stroke(ink, _TUFT_LINE) if ink is not None else None):
        yield LayerName.GRASS, path
    if grains:
        for path in dots(grains, np.asarray(sizes), pen.tint("tuft", _DOT_INK)):
            yield LayerName.GRASS, path
