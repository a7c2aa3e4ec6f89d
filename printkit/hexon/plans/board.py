"""The drawing board for plans of Hexon tiles: cells in printed mm, windows, and row and column numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import Struct

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import (
    GRID,
    Anchor,
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
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import LEAST_FIGURES, TypeStyle, line, measure
from printkit.hexon.layout.pieces import direction_of
from printkit.terrain.field.grids import Cell, Grid

BoardPoint = tuple[float, float]

# Margin in mm around the cells for the numbers of rows and columns.
MARGIN: Final = 7.0
# Height of a capital letter as a share of the type size.
HIGH: Final = 0.72
THIN: Final = 0.15

_SCALES: Final = (2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 25, 30, 40, 50)
_EDGE: Final = 0.75
_FIGURE_PT: Final = 8.0
_MOST_PT: Final = 24.0
# Type size in points per mm of the width of a printed cell.
_PT_OF_CELL: Final = {"number": 1.0, "letter": 0.62, "word": 0.42}


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
        """Return items as a drawing clipped to the window, with the row and column numbers around it."""
        width, height = self.size
        clip = None if self.window == full_window(self.grid) else self.visible_area
        plan = Drawing(width, height, group_by_layer(items, clip=clip))
        return joined(width, height, [PlacedDrawing(plan, 0.0, 0.0), PlacedDrawing(self._draw_numbers(), 0.0, 0.0)])

    def _draw_numbers(self) -> Drawing:
        """Return a drawing of the number of each column at both ends and of each row on both sides.

        They are aligned with the first cell.
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


def split_into_windows(
    grid: Grid, width: float, height: float, *, least_mm: float, most_mm: float = math.inf
) -> tuple[float, tuple[Window, ...]]:
    """Return a round scale and the fewest windows that show a grid in ``width`` x ``height`` mm on paper.

    The scale is in printed mm per mm of the table. The far left window is first, and neighbouring windows share a line
    of cells. If no scale allows windows of at least three lines, one window shows the whole grid, smaller than
    ``least_mm`` if necessary.

    Args:
        grid: the cells.
        width: of the area, in mm on paper.
        height: of the area, in mm on paper.
        least_mm: the smallest width of a cell in printed mm, so that its text is legible.
        most_mm: the largest useful width of a cell in printed mm.
    """
    ratios = [ratio for ratio in _SCALES if least_mm <= grid.cell / ratio <= most_mm]
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
