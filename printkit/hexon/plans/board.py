"""Assembly plans of Hexon tiles: the drawing board with row and column numbers, and the pieces of one layer.

A board has a heavy outline, a tint that differs from its neighbours, and its number. A slope has its letter and an
arrow down the slope. Vertical sides of hills at the table edge are marked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import shapely
from msgspec import Struct

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import (
    GRID,
    Anchor,
    Cap,
    Drawing,
    Font,
    Ink,
    Item,
    Join,
    LayeredItems,
    LayerName,
    Path,
    PathRun,
    Rect,
    Stroke,
)
from printkit.drawing.canvas.layers import PlacedDrawing, group_by_layer, joined
from printkit.drawing.canvas.plain import make_disc, make_polygon
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import LEAST_FIGURES, TypeStyle, line, measure
from printkit.hexon.layout.layout import HexonLayout, TileLayer, TilePiece
from printkit.hexon.layout.pieces import PieceKind, direction_of
from printkit.terrain.field.grids import Cell, Grid

BoardPoint = tuple[float, float]

# Margin in mm around the cells for the numbers of rows and columns.
MARGIN: Final = 7.0
# Height of a capital letter as a share of the type size.
HIGH: Final = 0.72
THIN: Final = 0.15

_SCALES: Final = (2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 25, 30, 40, 50)
# The largest useful width of a cell in printed mm.
_MOST_MM: Final = 26.0
_EDGE: Final = 0.75
_FIGURE_PT: Final = 8.0
_MOST_PT: Final = 24.0
# Type size in points per mm of the width of a printed cell.
_PT_OF_CELL: Final = {"number": 1.0, "letter": 0.62, "word": 0.42, "address": 0.33}
# Height of the address of a cell above its centre, in cells, and the width of its halo in printed mm.
_ADDRESS_RISE: Final = 0.36
_ADDRESS_HALO: Final = 0.7


class Window(NamedTuple):
    """The first and last columns and rows that a plan shows, counted from 1."""

    left: int
    top: int
    right: int
    bottom: int

    def contains(self, cell: Cell) -> bool:
        """Return whether a cell is in the window."""
        return self.left <= cell.column <= self.right and self.top <= cell.row <= self.bottom


def full_window(grid: Grid) -> Window:
    """Return the window that shows all cells of a grid."""
    return Window(1, 1, grid.columns, grid.rows)


class PlanBoard(Struct, frozen=True):
    """A window of a grid in printed mm, with a margin for numbers.

    The view is from the near edge of the table, or from the far edge if it is ``turned``.
    """

    grid: Grid
    scale: float
    style: Style
    window: Window
    turned: bool = False

    @property
    def cell(self) -> float:
        """Return the width of a cell in printed mm."""
        return self.grid.cell * self.scale

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and height of the plan in printed mm, margin included."""
        left, near, right, far = window_bounds(self.grid, self.window)
        return (right - left) * self.scale + 2 * MARGIN, (far - near) * self.scale + 2 * MARGIN

    @property
    def visible_area(self) -> Rect:
        """Return the area of the cells of the window, in printed mm."""
        width, height = self.size
        return Rect(MARGIN - _EDGE, MARGIN - _EDGE, width - 2 * (MARGIN - _EDGE), height - 2 * (MARGIN - _EDGE))

    @property
    def edge(self) -> float:
        """Return the line width in printed mm of the outline of a flat piece, thinner for small cells."""
        return min(_EDGE, 0.2 + 0.04 * self.cell)

    def at(self, point: BoardPoint) -> BoardPoint:
        """Return the position (x, y) in printed mm of a point in mm on the board."""
        left, near, right, far = window_bounds(self.grid, self.window)
        x, y = (right - point[0], far - point[1]) if self.turned else (point[0] - left, point[1] - near)
        return x * self.scale + MARGIN, y * self.scale + MARGIN

    def centre(self, cell: Cell) -> BoardPoint:
        """Return the centre (x, y) of a cell in printed mm."""
        return self.at(self.grid.centre(cell))

    def corners(self, cell: Cell, *, inset: float = 0.0) -> list[BoardPoint]:
        """Return the corners of a cell in printed mm, moved towards its centre.

        ``inset`` is how far, as a share of the distance to the centre, 0 to 1.
        """
        x, y = self.centre(cell)
        points = (self.at(point) for point in self.grid.corners(cell))
        return [(x + (right - x) * (1 - inset), y + (up - y) * (1 - inset)) for right, up in points]

    def side(self, cell: Cell, side: int, *, inset: float = 0.0) -> tuple[BoardPoint, BoardPoint]:
        """Return the two ends of a side in printed mm; sides count clockwise from 0 (HX-12).

        ``inset`` moves them towards the centre, by a share of the distance, 0 to 1.
        """
        corners = self.corners(cell, inset=inset)
        direction = direction_of(self.grid, side)
        return corners[direction], corners[(direction + 1) % len(corners)]

    def middle(self, cell: Cell, side: int) -> BoardPoint:
        """Return the midpoint of a side in printed mm; sides count clockwise from 0 (HX-12)."""
        start, end = self.side(cell, side)
        return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2

    def bearing(self, cell: Cell, side: float) -> float:
        """Return the direction from a cell's centre to a side in radians, anticlockwise from the right.

        Sides count clockwise from 0 (HX-12). A ``side`` such as 0.5 is the corner between two sides.
        """
        x, y = self.centre(cell)
        right, up = self.middle(cell, 0)
        return math.atan2(up - y, right - x) - math.radians(60 * side)

    def type_style(self, use: str, ink: str, *, font: Font = Font.FIGURES_MEDIUM) -> TypeStyle:
        """Return the type style of a number, a letter or a word in a cell; its size depends on that of a cell.

        Args:
            use: ``number``, ``letter`` or ``word``.
            ink: the name of the ink.
            font: the font.
        """
        size = max(LEAST_FIGURES, _PT_OF_CELL[use] * self.cell)
        return TypeStyle.for_style(self.style, font, min(size, _MOST_PT), self.style.solid(ink))

    def tint(self, token: str, alpha: float, *, grey: float = 0.0) -> Ink:
        """Return the ink with the name ``token`` and an opacity ``alpha``, 0 to 1.

        If the style has no washes or does not have the ink, it is grey with the opacity ``grey``.
        """
        ink = self.style.ink(token)
        return (
            self.style.solid("ink").with_alpha(grey) if ink is None or not self.style.washes else ink.with_alpha(alpha)
        )

    def cells(self) -> Iterator[Cell]:
        """Yield the cells of the window."""
        return (cell for cell in self.grid.cells() if self.window.contains(cell))

    def drawing(self, items: Iterable[tuple[LayerName, Item]]) -> Drawing:
        """Return items as a drawing clipped to the window, with all numbers: of rows, columns and cells."""
        width, height = self.size
        clip = None if self.window == full_window(self.grid) else self.visible_area
        plan = Drawing(width, height, group_by_layer(items, clip=clip))
        return joined(width, height, [PlacedDrawing(plan, 0.0, 0.0), PlacedDrawing(self._draw_numbers(), 0.0, 0.0)])

    def _draw_numbers(self) -> Drawing:
        """Return a drawing of the number of each column at both ends, of each row on both sides, and of each cell.

        Those of rows and columns are aligned with the first cell. Those of cells are above all pieces.
        """
        type_style = TypeStyle.for_style(self.style, Font.FIGURES, _FIGURE_PT, self.style.solid("ink-secondary"))
        drop = HIGH * type_style.height / 2
        width, height = self.size
        window = self.window
        items: list[tuple[LayerName, Item]] = []
        for column in range(window.left, window.right + 1):
            x, _ = self.centre(Cell(column, window.top))
            for y in (MARGIN / 2, height - MARGIN / 2):
                items += add_layer_name(
                    LayerName.NUMBER, line(str(column), (x, y - drop), type_style, anchor=Anchor.MIDDLE)
                )
        for row in range(window.top, window.bottom + 1):
            ends = (window.right, window.left) if self.turned else (window.left, window.right)
            for x, column in zip((MARGIN / 2, width - MARGIN / 2), ends, strict=True):
                _, y = self.centre(Cell(column, row))
                items += add_layer_name(
                    LayerName.NUMBER, line(str(row), (x, y - drop), type_style, anchor=Anchor.MIDDLE)
                )
        cell_style = self.type_style("address", "ink-secondary", font=Font.FIGURES)
        cell_style = cell_style.with_halo(Stroke(self.style.solid("halo").with_alpha(0.85), _ADDRESS_HALO))
        for cell in self.cells():
            x, y = self.centre(cell)
            baseline = y + _ADDRESS_RISE * self.cell - HIGH * cell_style.height / 2
            address = self.grid.address(cell)
            items += add_layer_name(LayerName.NUMBER, line(address, (x, baseline), cell_style, anchor=Anchor.MIDDLE))
        return Drawing(width, height, group_by_layer(items))


@lru_cache(maxsize=4096)
def window_bounds(grid: Grid, window: Window) -> tuple[float, float, float, float]:
    """Return the left, near, right and far limits of the cells of a window, in mm on the board."""
    columns = {window.left, min(window.left + 1, window.right), window.right, max(window.right - 1, window.left)}
    rows = {window.top, min(window.top + 1, window.bottom), window.bottom, max(window.bottom - 1, window.top)}
    points = [point for column in sorted(columns) for row in sorted(rows) for point in grid.corners(Cell(column, row))]
    x_values, y_values = [x for x, _ in points], [y for _, y in points]
    return min(x_values), min(y_values), max(x_values), max(y_values)


def sheet_scale(grid: Grid, width: float, height: float) -> float:
    """Return the largest round scale at which the plan of a grid fits ``width`` x ``height`` mm on paper.

    It is in printed mm per mm of the table, from 1/2 to 1/50. If none fits, it is 1/50.
    """
    for ratio in _SCALES:
        if grid.width / ratio + 2 * MARGIN <= width and grid.depth / ratio + 2 * MARGIN <= height:
            return 1 / ratio
    return 1 / _SCALES[-1]


def split_into_windows(grid: Grid, width: float, height: float, *, least_mm: float) -> tuple[float, tuple[Window, ...]]:
    """Return a round scale and the fewest windows that show a grid in ``width`` x ``height`` mm on paper.

    The scale is in printed mm per mm of the table. The far left window is first, and neighbouring windows share a line
    of cells. If no scale allows windows of at least three lines, one window shows the whole grid, smaller than
    ``least_mm`` if necessary.

    Args:
        grid: the cells.
        width: of the area, in mm on paper.
        height: of the area, in mm on paper.
        least_mm: the smallest width of a cell in printed mm, so that its text is legible.
    """
    ratios = [ratio for ratio in _SCALES if least_mm <= grid.cell / ratio <= _MOST_MM]
    candidates: list[tuple[int, float, tuple[Window, ...]]] = []
    for ratio in ratios or [min(_SCALES, key=lambda scale: abs(scale - grid.cell / least_mm))]:
        parts = _split_windows(grid, 1 / ratio, width, height)
        if parts:
            candidates.append((len(parts), ratio, parts))
    if not candidates:
        return sheet_scale(grid, width, height), (full_window(grid),)
    _, ratio, parts = min(candidates, key=lambda candidate: candidate[:2])
    return 1 / ratio, parts


def _split_windows(grid: Grid, scale: float, width: float, height: float) -> tuple[Window, ...]:
    """Return windows of similar size that fit ``width`` x ``height`` mm on paper at a scale.

    The scale is in printed mm per mm of the table. The result is empty if three lines of cells do not fit.
    """

    def fits(columns: int, rows: int) -> bool:
        """Return whether a window of so many columns and rows fits the area."""
        left, near, right, far = window_bounds(grid, Window(1, 1, columns, rows))
        return (right - left) * scale + 2 * MARGIN <= width and (far - near) * scale + 2 * MARGIN <= height

    columns = max((count for count in range(1, grid.columns + 1) if fits(count, min(2, grid.rows))), default=0)
    rows = max((count for count in range(1, grid.rows + 1) if fits(min(2, grid.columns), count)), default=0)
    if columns < min(3, grid.columns) or rows < min(3, grid.rows):
        return ()
    return tuple(
        Window(left, top, right, bottom)
        for top, bottom in _split_lines(grid.rows, rows)
        for left, right in _split_lines(grid.columns, columns)
    )


def _split_lines(count: int, max_lines: int) -> list[tuple[int, int]]:
    """Return the first and last line of ranges of similar length that share their end lines.

    Lines count from 1, and a range has at most ``max_lines``.
    """
    if count <= max_lines:
        return [(1, count)]
    parts = math.ceil((count - 1) / (max_lines - 1))
    ends = [1 + round((count - 1) * index / parts) for index in range(parts + 1)]
    return list(pairwise(ends))


def add_layer_name(name: LayerName, items: Iterable[Item]) -> LayeredItems:
    """Yield (layer, item) pairs: each item with ``name``."""
    return ((name, item) for item in items)


def draw_centred_text(board: PlanBoard, cells: Sequence[Cell], text: str, type_style: TypeStyle) -> LayeredItems:
    """Yield (layer, item) pairs of a text with a halo in the middle of some cells.

    It yields nothing if the window would clip the text.
    """
    centres = [board.centre(cell) for cell in cells]
    x, y = (plain_sum(values) / len(centres) for values in zip(*centres, strict=True))
    area, half_width = board.visible_area, measure(text, type_style) / 2
    if (
        not area.x + half_width <= x <= area.right - half_width
        or not area.y + type_style.height <= y <= area.top - type_style.height
    ):
        return
    halo_style = type_style.with_halo(Stroke(board.style.solid("halo").with_alpha(0.85), 1.0))
    yield from add_layer_name(
        LayerName.NUMBER, line(text, (x, y - HIGH * type_style.height / 2), halo_style, anchor=Anchor.MIDDLE)
    )


def run(points: Iterable[BoardPoint], *, closed: bool) -> PathRun:
    """Return points in printed mm as a line in whole units of 0.01 mm; ``closed`` joins the last to the first."""
    return PathRun(tuple(round(value / GRID) for point in points for value in point), closed)


def draw_grid_lines(board: PlanBoard) -> LayeredItems:
    """Yield the sides of all cells of the window as thin lines."""
    runs = tuple(run(board.corners(cell), closed=True) for cell in board.cells())
    yield (
        LayerName.GRID,
        Path(runs, stroke=Stroke(board.style.solid("ink-secondary").with_alpha(0.5), THIN, join=Join.MITRE)),
    )


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
                    make_disc((x, y), board.cell * 0.09, None, Stroke(board.style.solid("ink"), 0.3), sides=24),
                )
        case _:
            yield from _draw_slope(board, piece, letters=numbers)


def draw_flat_piece(board: PlanBoard, cells: Sequence[Cell], tint: Ink) -> LayeredItems:
    """Yield the items of a flat piece: its tint, the borders of its hexes, and its outline."""
    ink = board.style.solid("ink")
    for cell in cells:
        yield (
            LayerName.GROUND_WASH,
            make_polygon(board.corners(cell), tint, Stroke(ink.with_alpha(0.35), THIN, join=Join.MITRE)),
        )
    outline = shapely.union_all([board.grid.outline(cell) for cell in cells]).exterior.coords[:-1]
    outline_run = run([board.at(point) for point in outline], closed=True)
    yield LayerName.GROUND_EDGE, Path((outline_run,), stroke=Stroke(ink, board.edge, join=Join.ROUND))


def draw_wall(board: PlanBoard, cell: Cell, direction: int) -> LayeredItems:
    """Yield (layer, item) pairs of a vertical side of a hill with slopes.

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
        yield LayerName.PAPER, make_polygon(board.corners(cell), board.tint("hill-1", 0.30, grey=0.10))


def _draw_walls(board: PlanBoard, layout: HexonLayout, layer: TileLayer) -> LayeredItems:
    """Yield (layer, item) pairs of the vertical sides of hills with slopes; often nothing.

    They are at the table edge (HX-28), and where the ground is not free.
    """
    grid = layout.grid
    high = _flat_cells(layout, layer.level)
    cut = {cell for piece in layout.cut if piece.level == layer.level for cell in piece.cells}
    cut |= {cell for hill in layout.hills if hill.sloped for cell in hill.faults} - high
    if layer.level == 0 or not cut:
        return
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
    yield LayerName.GROUND_WASH, make_polygon(board.corners(cell), board.tint("hill-2", 0.28, grey=0.05))
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
