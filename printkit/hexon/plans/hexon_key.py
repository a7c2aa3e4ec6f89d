"""How to read the plans of Hexon tiles: each sign as the plans have it, and what it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from printkit.drawing.canvas.items import Drawing, Font, Laid, LayerName
from printkit.drawing.canvas.layers import Placed, gathered, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import Hand, line, wrapped
from printkit.hexon.layout.layout import Piece
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.plans.board import MARGIN, PlanBoard, Window, lettered
from printkit.hexon.plans.layer_plans import misfit, piece_items, wall
from printkit.hexon.plans.top_plan import strip_items
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.field.hexes import HexGrid

SIGNS: Final = ("board", "single", "slope", "strip", "wall", "misfit")
"""The signs in the order of the key."""

_HEX: Final = 11.0
_SMALL: Final = 6.4
"""Printed mm across a hex of the key, and across one of the six of a board."""
_PLACE: Final = 21.0
"""Mm that signs have beside their texts."""
_GAP: Final = 3.0
_GUTTER: Final = 8.0
_SIZE_PT: Final = 9.5
_LEADING: Final = 1.2
_COLUMNS: Final = 2


def sign_key(signs: Mapping[str, str], grid: Grid, width: float, style: Style) -> Drawing:
    """Return signs with their texts, in two columns as wide as ``width`` together.

    Args:
        signs: of ``SIGNS`` those that the plans have, and what is said of each.
        grid: that of the plans, for the hexes of the key lie as theirs.
        width: in mm.
        style: of the plans.
    """
    column = (width - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
    entries = [_entry(sign, signs[sign], grid, column, style) for sign in SIGNS if sign in signs]
    rows = [entries[first : first + _COLUMNS] for first in range(0, len(entries), _COLUMNS)]
    height = sum(max(each.height for each in row) + _GAP for row in rows)
    parts, top = [], height
    for row in rows:
        high = max(each.height for each in row)
        for place, each in enumerate(row):
            parts.append(Placed(each, place * (column + _GUTTER), top - high + (high - each.height) / 2))
        top -= high + _GAP
    return joined(width, height, parts)


def _entry(sign: str, text: str, grid: Grid, width: float, style: Style) -> Drawing:
    picture = _picture(sign, grid, style)
    hand = Hand(font=Font.ROMAN, size_pt=_SIZE_PT, ink=style.solid("ink"))
    rows = wrapped(text, hand.font, hand.size_pt, width - _PLACE - _GAP)
    step = _LEADING * hand.height
    height = max(picture.height, len(rows) * step)
    top = (height + len(rows) * step) / 2
    laid = [
        laid
        for place, row in enumerate(rows, 1)
        for laid in lettered(LayerName.LABEL, line(row, (_PLACE + _GAP, top - place * step + 0.28 * hand.height), hand))
    ]
    said = Drawing(width, height, gathered(laid))
    at = Placed(picture, (_PLACE - picture.width) / 2, (height - picture.height) / 2)
    return joined(width, height, [at, Placed(said, 0.0, 0.0)])


def _picture(sign: str, grid: Grid, style: Style) -> Drawing:
    """Return a sign without room about it."""
    flat = grid.grain.startswith("flat")
    columns, rows = (3, 2) if flat else (2, 3)
    small = HexGrid(columns, rows, 100.0, "flat-odd-low" if flat else "pointy-odd-right")
    if sign == "board":
        board = PlanBoard(small, _SMALL / 100, style, Window(1, 1, columns, rows))
    else:
        board = PlanBoard(small, _HEX / 100, style, Window(1, 1, 1, 1))
    width, height = (size - 2 * MARGIN for size in board.size)
    found = Drawing(*board.size, gathered(_laid(sign, board, tuple(small.cells()))))
    return joined(width, height, [Placed(found, -MARGIN, -MARGIN)])


def _laid(sign: str, board: PlanBoard, cells: Sequence[Cell]) -> Laid:
    cell = cells[0]
    single = Piece(kind=PieceKind.SINGLE, level=1, cells=(cell,))
    match sign:
        case "board":
            yield from piece_items(board, Piece(kind=PieceKind.BOARD, level=0, cells=tuple(cells), number=7))
        case "single":
            yield from piece_items(board, single)
        case "slope":
            yield from piece_items(board, Piece(kind=PieceKind.B1, level=1, cells=(cell,), rotation=1))
        case "strip":
            yield from piece_items(board, Piece(kind=PieceKind.SINGLE, level=0, cells=(cell,)), numbers=False)
            yield from strip_items(board, cell, (0, 2), "water")
            yield from strip_items(board, cell, (5, 3), "way")
        case "wall":
            yield from piece_items(board, single)
            yield from wall(board, cell, 0)
        case "misfit":
            yield from misfit(board, cell, "X")
