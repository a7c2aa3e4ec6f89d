"""What stands about a board of cells: its edge, its shadow on the sheet, figures of columns and rows.

Nothing of it stands on the board. The lower left corner of the rectangle about all cells is the origin.

Source: the cartography, 14.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Anchor, Font, Item
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.furniture.frame import Margins, bordered
from printkit.drawing.lettering.lettering import Hand
from printkit.drawing.map.cells import line_figures
from printkit.drawing.text.drafter import Desk
from printkit.terrain.field.grid import Cell, Grid

_EDGE: Final = 1.30
_SHADOW: Final = (3.2, -3.6, 0.30)
_FIGURE_PT: Final = 19.0
_MAT_FIGURE_PT: Final = 12.0
_OFF: Final = 3.4
_SIDE: Final = 30.0
_BELOW: Final = 19.0
_HIGH: Final = 0.72


def mat_margins(desk: Desk) -> Margins:
    """Return the room of the edge and its figures."""
    side = desk.pen.width(_EDGE) + desk.size(_OFF) + desk.hand(Font.FIGURES, _MAT_FIGURE_PT).height * 1.3
    return Margins(side, side, side, side)


def full_margins(desk: Desk) -> Margins:
    """Return the room of edge, figures and shadow; on a large sheet that of its border too."""
    hand = desk.hand(Font.FIGURES, _FIGURE_PT)
    side = desk.pen.width(_EDGE) + desk.size(_OFF) + hand.height * 1.35
    if bordered(desk):
        return Margins(desk.size(_SIDE), desk.size(_SIDE), desk.size(_SIDE), max(side, desk.size(_BELOW)))
    return Margins(side, side, side, side + desk.size(-_SHADOW[1]))


def mat(grid: Grid, desk: Desk) -> Iterator[Item]:
    """Draw the edge of the board and small figures of columns and rows."""
    yield from _edge(grid, desk)
    yield from _figures(grid, desk, desk.hand(Font.FIGURES, _MAT_FIGURE_PT, "ink-secondary"))


def full(grid: Grid, desk: Desk) -> Iterator[Item]:
    """Draw the edge of the board and the figures of columns and rows."""
    yield from _edge(grid, desk)
    yield from _figures(grid, desk, desk.hand(Font.FIGURES, _FIGURE_PT, "ink-secondary"))


def shadow(grid: Grid, desk: Desk) -> Iterator[Item]:
    """Draw the shadow that the board throws to the south-east, where the style has shadows."""
    if desk.style.shadows:
        across, down, cover = _SHADOW
        board = grid.hull().buffer(desk.pen.width(_EDGE), join_style="mitre")
        thrown = affinity.translate(board, desk.size(across), desk.size(down))
        yield from fill(shapely.difference(thrown, board), desk.style.solid("shadow").thin(cover))


def _edge(grid: Grid, desk: Desk) -> Iterator[Item]:
    """Draw the line with its inner side on the edge of the cells, so that every cell keeps its full size."""
    by = desk.pen.width(_EDGE, least=LEAST_MEANING) / 2
    yield from desk.rule(grid.hull().buffer(by, join_style="mitre").exterior, _EDGE)


def _figures(grid: Grid, desk: Desk, hand: Hand) -> Iterator[Item]:
    """Draw the figure of each column above and below it, and of each row at both its ends."""
    off = desk.pen.width(_EDGE) + desk.size(_OFF)
    high = _HIGH * hand.height
    for column in range(1, grid.columns + 1):
        first, last = (_bounds(grid, Cell(column, row)) for row in (1, grid.rows))
        figure, _ = line_figures(grid, Cell(column, 1))
        yield from desk.text(figure, (first[0] + first[2]) / 2, first[3] + off, hand, anchor=Anchor.MIDDLE)
        yield from desk.text(figure, (last[0] + last[2]) / 2, last[1] - off - high, hand, anchor=Anchor.MIDDLE)
    for row in range(1, grid.rows + 1):
        outer = Cell(1, row), Cell(grid.columns, row)
        left, right = _bounds(grid, outer[0])[0] - off, _bounds(grid, outer[1])[2] + off
        for x, cell, anchor in zip((left, right), outer, (Anchor.END, Anchor.START), strict=True):
            _, middle = grid.centre(cell)
            yield from desk.text(line_figures(grid, cell)[1], x, middle - high / 2, hand, anchor=anchor)


def _bounds(grid: Grid, cell: Cell) -> tuple[float, float, float, float]:
    outline: BaseGeometry = grid.outline(cell)
    left, low, right, high = outline.bounds
    return left, low, right, high
