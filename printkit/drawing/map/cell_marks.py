"""The cells of a grid on a board: the size of their symbols, their lines, dots, numbers and trees.

Source: the cartography, 14 and 20.10.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import Font, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.lettering.lettering import TypeStyle, measure
from printkit.drawing.map.overlays import cell_mark_opacities, draw_cell_lines
from printkit.drawing.scatter.crowns import draw_trees, poisson_points
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.grids import Cell, Grid

# Width across flats in mm of a printed cell whose symbols have the sizes in the cartography.
REFERENCE: Final = 74.0

_POWER: Final = 0.8
_LEAST_SIZE: Final = 0.40
_MOST_SIZE: Final = 1.25

_DOT: Final = 0.55
_DOT_HALO: Final = 1.0
_NUMBER_PT: Final = 9.5
_NUMBER_HALO: Final = 1.1
_BELOW: Final = 1.5
_ASIDE: Final = 1.7
_UNDER_CORNER: Final = 2.9
_LETTER_HIGH: Final = 0.72
# The share of a cell's width that its number may fill.
_NUMBER_SHARE: Final = 0.5

_OFF_LINES: Final = 2.0
_OFF_MARKS: Final = 3.0
_CLUMPS: Final = 44.0
_TREE: Final = (3.6, 4.8)
# The share of cells without trees, and the width of their drifts in cells.
_BARE_SHARE: Final = 0.4
_BARE_WAVE: Final = 1.6
_FROM_EDGE: Final = 3.0


def cell_context(context: SymbolContext, grid: Grid | None) -> SymbolContext:
    """Return the context with symbols sized for the cells of a grid; unchanged without a grid.

    The grid is in printed mm.
    """
    if grid is None:
        return context
    share = min(_MOST_SIZE, max(_LEAST_SIZE, float(grid.cell / REFERENCE) ** _POWER))
    return context.smaller(share / context.symbol_scale)


def cell_address(grid: Grid, cell: Cell) -> str:
    """Return the number of a cell: column and row, both from 1: ``0304`` for a hex and ``C4`` for a square."""
    return grid.address(cell)


def line_figures(grid: Grid, cell: Cell) -> tuple[str, str]:
    """Return the column figure and the row figure of a cell as it appears on the sheet.

    On a board turned by a quarter turn the two are exchanged.
    """
    cell_number = grid.printed_cell(cell)
    figures = column_figure(grid, cell_number.column), str(cell_number.row)
    return figures if grid.turns % 2 == 0 else (figures[1], figures[0])


def column_figure(grid: Grid, column: int) -> str:
    """Return the figure of a hex column, or the letter of a square column: A to Z, then AA.

    ``column`` counts from 1.
    """
    return grid.column_label(column)


def cell_marks(grid: Grid, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs of the lines between cells, and the centre dot and number of each cell, in printed mm.

    They are above all terrain. The grid is in printed mm.
    """
    halo, ink = cell_mark_opacities(drafter)
    pale, dark = drafter.style.solid("halo").with_alpha(halo), drafter.style.solid("grid").with_alpha(ink)
    yield from draw_cell_lines(_inner_sides(grid), drafter)
    middles = shapely.points([grid.centre(cell) for cell in grid.cells()])
    for radius, shade in ((_DOT_HALO, pale), (_DOT, dark)):
        yield from on_layer(
            LayerName.GRID, fill(shapely.buffer(middles, drafter.size(radius), quad_segs=4).tolist(), shade)
        )
    style = _number_style(drafter)
    for cell in _numbered_cells(grid, drafter):
        x, y = _number_baseline(grid, cell, drafter)
        yield from on_layer(LayerName.GRID, drafter.text(cell_address(grid, cell), (x, y), style))


def number_ground(grid: Grid, drafter: Drafter) -> BaseGeometry:
    """Return the area of the cell numbers in printed mm, which names must avoid.

    It is one box with a small margin for each number; empty without numbers.
    """
    style = _number_style(drafter)
    letter_height, spare = _LETTER_HIGH * style.height, drafter.size(0.6)
    boxes = []
    for cell in _numbered_cells(grid, drafter):
        x, y = _number_baseline(grid, cell, drafter)
        width = measure(cell_address(grid, cell), style)
        boxes.append(shapely.box(x - spare, y - spare, x + width + spare, y + letter_height + spare))
    ground: BaseGeometry = shapely.union_all(boxes)
    return ground


def _find_bare_cells(grid: Grid, context: SymbolContext) -> BaseGeometry:
    """Return the area of the cells without trees in printed mm, which are about 40 % in drifts."""
    middles = np.array([grid.centre(cell) for cell in grid.cells()])
    values = context.noise.at(middles[:, 0], middles[:, 1], _BARE_WAVE * grid.cell)
    level = np.quantile(values, _BARE_SHARE)
    bare: BaseGeometry = shapely.union_all(
        [grid.outline(cell) for cell, value in zip(grid.cells(), values, strict=True) if value <= level]
    )
    return bare


def cell_trees(
    field: Battlefield, grid: Grid, drafter: Drafter, free_ground: BaseGeometry, *, marked: bool
) -> LayeredItems:
    """Yield (layer, item) pairs that draw groups of one to three trees on free ground, clear of labels and cell marks.

    Args:
        field: the battlefield in printed mm.
        grid: its cells in printed mm.
        drafter: style, scale and random variation.
        free_ground: the ground without features, in printed mm.
        marked: whether lines, dots and numbers of cells are drawn.
    """
    context = drafter.context
    free_area = shapely.difference(
        free_ground.intersection(field.ground.buffer(-context.size(_FROM_EDGE))), context.clear
    )
    if marked:
        margin = context.size(_OFF_MARKS)
        dots = shapely.MultiPoint([grid.centre(cell) for cell in grid.cells()]).buffer(margin, quad_segs=4)
        marks_area = shapely.union(dots, number_ground(grid, drafter).buffer(margin, join_style="mitre"))
        free_area = shapely.difference(shapely.intersection(free_area, _inner_cells(grid, context)), marks_area)
    stream = context.stream("draw/cells/trees")
    free_area = shapely.difference(free_area, _find_bare_cells(grid, context))
    points: list[tuple[float, float]] = []
    radii: list[float] = []
    for x, y in poisson_points(free_area.buffer(-context.size(_TREE[1]), quad_segs=4), context.size(_CLUMPS), stream):
        angle = stream.between(0, 2 * np.pi)
        for number in range(1 + stream.draw_index(3)):
            radius = context.size(stream.between(*_TREE)) * (1.0 if number == 0 else 0.85)
            distance = 0.0 if number == 0 else context.size(stream.between(5.2, 6.8))
            point = (float(x + distance * exact_math.cos(angle)), float(y + distance * exact_math.sin(angle)))
            angle += stream.between(1.2, 2.4)
            if free_area.contains(Point(point).buffer(radius, quad_segs=4)):
                points.append(point)
                radii.append(radius)
    order = sorted(range(len(points)), key=lambda number: -points[number][1])
    yield from draw_trees(
        [points[number] for number in order], [radii[number] for number in order], "crown", context, stream
    )


def _inner_cells(grid: Grid, context: SymbolContext) -> BaseGeometry:
    """Return the ground of all cells without the strips along their sides, in printed mm."""
    cells = [grid.outline(cell) for cell in grid.cells()]
    inner = shapely.buffer(cells, -context.size(_OFF_LINES), join_style="mitre")
    ground: BaseGeometry = shapely.multipolygons(inner[~shapely.is_empty(inner)])
    return ground


def _inner_sides(grid: Grid) -> BaseGeometry:
    """Return the sides between cells as lines in the mm of the grid, each once, without the board edge.

    Lines that touch are merged.
    """
    sides = []
    for cell in grid.cells():
        corners = grid.corners(cell)
        sides += [
            (corner, following)
            for direction, (corner, following) in enumerate(zip(corners, (*corners[1:], corners[0]), strict=True))
            if (neighbour := grid.neighbour(cell, direction)) is not None and cell < neighbour
        ]
    merged: BaseGeometry = shapely.line_merge(shapely.union_all(shapely.linestrings(np.array(sides).reshape(-1, 2, 2))))
    return merged


def _numbered_cells(grid: Grid, drafter: Drafter) -> tuple[Cell, ...]:
    """Return the cells that show their numbers: all, or an empty tuple if the cells are too small for them.

    A number may be half as wide as a cell.
    """
    max_number_mm = measure(cell_address(grid, Cell(grid.columns, grid.rows)), _number_style(drafter))
    return grid.cells() if max_number_mm <= _NUMBER_SHARE * grid.cell else ()


def _number_style(drafter: Drafter) -> TypeStyle:
    """Return the type style of cell numbers."""
    style = drafter.type_style(Font.FIGURES_MEDIUM, _NUMBER_PT, "ink-secondary", track=0.25)
    return style.with_halo(drafter.halo("halo", _NUMBER_HALO))


def _number_baseline(grid: Grid, cell: Cell, drafter: Drafter) -> tuple[float, float]:
    """Return the left end of the baseline of a cell's number, as x and y in printed mm.

    It is under the top corner, or near the left end of the top side: a course may enter at the middle of that side.
    """
    style = _number_style(drafter)
    corners = grid.corners(cell)
    x, top = corners[0]
    if grid.grain.startswith("pointy"):
        half_width = measure(cell_address(grid, cell), style) / 2
        return x - half_width, top - drafter.size(_UNDER_CORNER) - _LETTER_HIGH * style.height
    offset = drafter.size(_ASIDE if grid.shape == "square" else 0.6)
    return x + offset, top - drafter.size(_BELOW) - _LETTER_HIGH * style.height
