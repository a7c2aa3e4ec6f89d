"""Assembly plans of a Hexon layout: the pieces of one layer, over the layer below in a pale tint.

A board has a heavy outline, a tint that differs from its neighbours, and its number. A slope has its letter and an
arrow down the slope. Vertical sides of hills at the table edge are marked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import shapely

from printkit.drawing.canvas.items import Anchor, Cap, Drawing, Font, Ink, Join, LayeredItems, LayerName, Path, Stroke
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import line
from printkit.drawing.text.text_styles import patch
from printkit.hexon.layout.layout import HexonLayout, TileLayer, TilePiece
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.plans.board import (
    HIGH,
    THIN,
    PlanBoard,
    Window,
    add_layer_name,
    draw_centred_text,
    draw_grid_lines,
    full_window,
    run,
)
from printkit.terrain.field.grids import Cell, Grid

_FULL: Final = 0.55
_LOW_SIDES: Final = {"A": 1, "B": 2, "C": 3}
# Strokes along the vertical side of a hill.
_HATCH: Final = 7

# Inks of neighbouring boards in the base and on hills, each with its alpha and the grey for styles without washes.
_BASE_TINTS: Final = (
    ("pasture", 0.85, 0.0),
    ("pasture", 0.45, 0.07),
    ("crops", 0.30, 0.14),
    ("light-woods", 0.75, 0.21),
)
_HILL_TINTS: Final = (("hill-1", 0.70, 0.0), ("hill-2", 0.62, 0.07), ("hill-3", 0.50, 0.14), ("hill-3", 0.75, 0.21))


def draw_layer_plan(
    layout: HexonLayout,
    layer: TileLayer,
    *,
    scale: float,
    style: Style,
    window: Window | None = None,
    turned: bool = False,
) -> Drawing:
    """Return the plan of one layer, with row and column numbers.

    Args:
        layout: the tiles.
        layer: the layer.
        scale: printed mm per mm of the table.
        style: the style of the plan.
        window: the cells to show; all if None.
        turned: whether the view is from the far edge of the table.
    """
    board = PlanBoard(layout.grid, scale, style, window or full_window(layout.grid), turned)
    below = _flat_cells(layout, layer.level - 1) if layer.level > 1 else set()
    items = [*draw_grid_lines(board), *_tint_ground(board, below)]
    tints = board_tints(layer.pieces, layout.grid)
    for piece in layer.pieces:
        if any(board.window.contains(cell) for cell in piece.cells):
            items += piece_items(board, piece, tint=tints.get(piece.number, 0))
    items += _draw_walls(board, layout, layer)
    return board.drawing(items)


@lru_cache(maxsize=8)
def board_tints(pieces: tuple[TilePiece, ...], grid: Grid) -> Mapping[int, int]:
    """Return a tint, from 0, for each board number of a layer.

    It differs from the tints of neighbouring boards, and is the lowest possible one in the order of ``pieces``.
    """
    owner = {cell: piece.number for piece in pieces if piece.kind is PieceKind.BOARD for cell in piece.cells}
    tints: dict[int, int] = {}
    for piece in pieces:
        if piece.kind is PieceKind.BOARD:
            neighbour_cells = {
                grid.step(cell, direction) for cell in piece.cells for direction in range(grid.direction_count())
            }
            used_tints = {tints.get(owner.get(cell, 0)) for cell in neighbour_cells} - {None}
            tints[piece.number] = next(tint for tint in range(len(used_tints) + 1) if tint not in used_tints)
    return tints


def piece_items(board: PlanBoard, piece: TilePiece, *, tint: int = 0, numbers: bool = True) -> LayeredItems:
    """Yield the items of a board (six hexes in one piece), a single hex or a slope.

    ``tint`` is the number of a board's tint, from 0. Without ``numbers``, boards have no number, single
    hexes no ring, and slopes no letter.
    """
    match piece.kind:
        case PieceKind.BOARD:
            yield from draw_flat_piece(board, piece.cells, _level_tint(board, piece.level, tint))
            if numbers:
                yield from draw_centred_text(board, piece.cells, str(piece.number), board.type_style("number", "ink"))
        case PieceKind.SINGLE:
            yield from draw_flat_piece(board, piece.cells, _level_tint(board, piece.level, 0 if piece.level else 2))
            if numbers:
                x, y = board.centre(piece.cells[0])
                yield (
                    LayerName.NUMBER,
                    patch(circle_points(x, y, board.cell * 0.09), None, Stroke(board.style.solid("ink"), 0.3)),
                )
        case _:
            yield from _draw_slope(board, piece, letters=numbers)


def draw_flat_piece(board: PlanBoard, cells: Sequence[Cell], tint: Ink) -> LayeredItems:
    """Yield the items of a flat piece: its tint, the borders of its hexes, and its outline."""
    ink = board.style.solid("ink")
    for cell in cells:
        yield (
            LayerName.GROUND_WASH,
            patch(board.corners(cell), tint, Stroke(ink.with_alpha(0.35), THIN, join=Join.MITRE)),
        )
    outline = shapely.union_all([board.grid.outline(cell) for cell in cells]).exterior.coords[:-1]
    outline_run = run([board.at(point) for point in outline], closed=True)
    yield LayerName.GROUND_EDGE, Path((outline_run,), stroke=Stroke(ink, board.edge, join=Join.ROUND))


def draw_wall(board: PlanBoard, cell: Cell, direction: int) -> LayeredItems:
    """Yield (layer, item) pairs of the vertical side of a hill at the table edge.

    They are strokes inwards from a side of the cell. ``direction`` is the number of the side: from this corner to the
    next.
    """
    corners = board.corners(cell)
    (one_x, one_y), (two_x, two_y) = corners[direction], corners[(direction + 1) % len(corners)]
    x, y = board.centre(cell)
    runs = [run(((one_x, one_y), (two_x, two_y)), closed=False)]
    for index in range(_HATCH):
        share = (index + 0.5) / _HATCH
        at_x, at_y = one_x + (two_x - one_x) * share, one_y + (two_y - one_y) * share
        runs.append(run(((at_x, at_y), (at_x + (x - at_x) * 0.16, at_y + (y - at_y) * 0.16)), closed=False))
    yield LayerName.OVERLAY, Path(tuple(runs), stroke=Stroke(board.style.solid("side-red"), 0.45, cap=Cap.BUTT))


def circle_points(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Return 24 points of a circle around (x, y), all in the unit of ``radius`` (printed mm)."""
    angles = (math.tau * step / 24 for step in range(24))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _level_tint(board: PlanBoard, level: int, index: int) -> Ink:
    """Return one of the four tints of a level (0 is the base; all higher levels share theirs).

    ``index`` counts from 0 and wraps around.
    """
    tints = _HILL_TINTS if level else _BASE_TINTS
    token, alpha, grey = tints[index % len(tints)]
    return board.tint(token, alpha, grey=grey)


def _flat_cells(layout: HexonLayout, level: int) -> set[Cell]:
    """Return the cells with a board or a single hex at a level, 0 for the base."""
    return {
        cell
        for piece in layout.layers[level].pieces
        if piece.kind in (PieceKind.BOARD, PieceKind.SINGLE)
        for cell in piece.cells
    }


def _tint_ground(board: PlanBoard, below: Iterable[Cell]) -> LayeredItems:
    """Yield a pale tint on the cells ``below``, those of the layer below."""
    for cell in sorted(below):
        yield LayerName.PAPER, patch(board.corners(cell), board.tint("hill-1", 0.30, grey=0.10))


def _draw_walls(board: PlanBoard, layout: HexonLayout, layer: TileLayer) -> LayeredItems:
    """Yield (layer, item) pairs of vertical sides where slopes would be outside the table (HX-28); often nothing."""
    cut = {cell for piece in layout.cut if piece.level == layer.level for cell in piece.cells}
    if not cut:
        return
    grid = layout.grid
    high = _flat_cells(layout, layer.level)
    for cell in sorted(high):
        for direction in range(grid.direction_count()):
            if grid.step(cell, direction) in cut and board.window.contains(cell):
                yield from draw_wall(board, cell, direction)


def _draw_slope(board: PlanBoard, piece: TilePiece, *, letters: bool = True) -> LayeredItems:
    """Yield the items of a slope: heavy high sides, dashed low sides, and an arrow down the slope.

    Its letter is in the upper half, unless ``letters`` is false.
    """
    (cell,) = piece.cells
    low = _LOW_SIDES[piece.kind[0]]
    ink, contour = board.style.solid("ink"), board.style.solid("contour")
    yield LayerName.GROUND_WASH, patch(board.corners(cell), board.tint("hill-2", 0.28, grey=0.05))
    for index in range(6):
        start, end = board.side(cell, piece.rotation + index, inset=0.04)
        if index < low:
            stroke = Stroke(contour, 0.3, dash=(0.6, 0.8), cap=Cap.BUTT)
        elif index in (low, 5):
            stroke = Stroke(contour, 0.3)
        else:
            stroke = Stroke(ink, _FULL, cap=Cap.BUTT)
        yield LayerName.GROUND_EDGE, Path((run((start, end), closed=False),), stroke=stroke)
    x, y = board.centre(cell)
    down = board.bearing(cell, piece.rotation + (low - 1) / 2)
    yield from _draw_arrow(x, y, down, board.cell, contour)
    if letters:
        type_style = board.type_style("letter", "ink", font=Font.BANNER)
        back = 0.2 * board.cell
        text_x, text_y = x - back * math.cos(down), y - back * math.sin(down) - HIGH * type_style.height / 2
        yield from add_layer_name(
            LayerName.NUMBER, line(piece.kind.value, (text_x, text_y), type_style, anchor=Anchor.MIDDLE)
        )


def _draw_arrow(x: float, y: float, angle: float, cell: float, ink: Ink) -> LayeredItems:
    """Yield an arrow from the centre of a cell.

    Args:
        x: the x of the centre in printed mm.
        y: the y of the centre in printed mm.
        angle: the direction in radians, anticlockwise from the right.
        cell: the width of a cell in printed mm.
        ink: the ink.
    """

    def point(distance: float, offset: float) -> tuple[float, float]:
        """Return the point (x, y) in printed mm at a distance along the arrow and an offset to its left.

        Both are shares of the width of a cell.
        """
        cos_angle, sin_angle = math.cos(angle), math.sin(angle)
        return (
            x + distance * cell * cos_angle - offset * cell * sin_angle,
            y + distance * cell * sin_angle + offset * cell * cos_angle,
        )

    runs = (
        run((point(0.08, 0.0), point(0.36, 0.0)), closed=False),
        run((point(0.27, 0.07), point(0.36, 0.0), point(0.27, -0.07)), closed=False),
    )
    yield LayerName.OVERLAY, Path(runs, stroke=Stroke(ink, 0.4))
