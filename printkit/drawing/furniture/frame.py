"""Frames: neat line, inch band, figures and deployment marks round a board, and the edge and figures of a grid board.

Everything is outside the board. The origin is the board's lower left corner, so frame coordinates can be negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import Polygon, affinity, box
from shapely.geometry.base import BaseGeometry

from printkit.core.units import MM_PER_INCH
from printkit.core.words import SEPARATOR
from printkit.drawing.canvas.items import Anchor, Font, Item, Join
from printkit.drawing.canvas.shapes import Line, fill, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.lettering.lettering import TypeStyle, measure, shrink_to_fit
from printkit.drawing.map.cell_marks import line_figures
from printkit.drawing.map.overlays import (
    deployment_depth,
    is_along_near_or_far,
    is_on_far_half,
    overlays_of_kind,
    side_token,
)
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.grids import Cell, Grid

_NEAT: Final = 0.50
_GAP: Final = 3.0
_BAND: Final = 6.5
_TICK: Final = 3.0
_BORDERED_FROM: Final = 0.6
_SIDE: Final = 36.0
_BORDER: Final = 10.0
_RULE: Final = 1.70
_BOTTOM_MARGIN: Final = 20.0
_BORDER_WIDTH: Final = 15.0
_MIN_FIGURE_GAP: Final = 9.0
_FIGURE_INTERVALS: Final = (2, 6, 12, 24)


class FrameMargins(Struct, frozen=True):
    """The width of a frame on each side of the board, in printed mm."""

    left: float
    right: float
    top: float
    bottom: float


def mat_margins(drafter: Drafter) -> FrameMargins:
    """Return the margins in printed mm for the neat line, the ticks and their figures; the same on all sides."""
    side = drafter.size(_TICK + 1.2) + drafter.type_style(Font.FIGURES, 9).height * 1.25
    return FrameMargins(side, side, side, side)


def full_margins(drafter: Drafter) -> FrameMargins:
    """Return the margins in printed mm for the full frame.

    ``bottom`` ends below the figures, where the strip begins.
    """
    bottom = drafter.size(_GAP + _BAND + 8.0) + drafter.type_style(Font.FIGURES_ITALIC, 11.5).height
    if has_border(drafter):
        side = drafter.size(_SIDE)
        return FrameMargins(side, side, side, bottom)
    unit = measure(_inch_word(drafter), drafter.type_style(Font.FIGURES_ITALIC, 11.5))
    figures = max(measure("88", drafter.type_style(Font.FIGURES, 12)), unit)
    left = drafter.size(_GAP + _BAND + 2.4) + figures + 0.5
    top = drafter.size(_GAP + _BAND + 2.2) + drafter.type_style(Font.FIGURES, 12).height
    return FrameMargins(left, _deployment_baselines(drafter)[-1] + 1.0, top, bottom)


def margins_inside_border(margins: FrameMargins, drafter: Drafter) -> FrameMargins:
    """Return the margins inside the border, in printed mm.

    Without a border, and at the bottom (the strip), they do not change.
    """
    reduction = drafter.size(_BORDER_WIDTH) if has_border(drafter) else 0.0
    return FrameMargins(margins.left - reduction, margins.right - reduction, margins.top - reduction, margins.bottom)


def bottom_margin(drafter: Drafter) -> float:
    """Return the margin below the strip in printed mm, with the border if there is one."""
    return drafter.size(_BOTTOM_MARGIN if has_border(drafter) else 1.0)


def has_border(drafter: Drafter) -> bool:
    """Return whether the sheet is large enough for a border: at a scale of 0.6 or more."""
    return drafter.context.scale >= _BORDERED_FROM


def rim_width(drafter: Drafter) -> float:
    """Return the free width outside the border in printed mm; 0 without a border."""
    return drafter.size(_BORDER) - drafter.width(_RULE) / 2 if has_border(drafter) else 0.0


def draw_mat_frame(field: Battlefield, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the neat line just outside a board in printed mm, with ticks for inches and base widths.

    Inches are on the left and above, base widths on the right and below.
    """
    board = field.board
    yield from _draw_neat_line(board, drafter)
    tick, style = drafter.size(_TICK), drafter.type_style(Font.FIGURES, 9, "ink-secondary")
    inch, every = _inch_interval(drafter)
    ticks: list[Line] = []
    width, depth = board.playing_size
    for number in range(int(width / inch + 1e-6) + 1):
        offset = board.outer_margins.left + number * inch
        ticks.append(np.array([(offset, board.depth), (offset, board.depth + tick)]))
        if number and number % every == 0 and width - number * inch > inch / 2:
            yield from drafter.text(
                str(number), (offset, board.depth + tick + drafter.size(0.9)), style, anchor=Anchor.MIDDLE
            )
    for number in range(int(depth / inch + 1e-6) + 1):
        offset = board.outer_margins.near + number * inch
        ticks.append(np.array([(0, offset), (-tick, offset)]))
        if number and number % every == 0 and depth - number * inch > inch / 2:
            x = -tick - drafter.size(0.9)
            yield from drafter.text(str(number), (x, offset), style, anchor=Anchor.MIDDLE, angle=90)
    yield from drafter.outline(ticks, 0.30)
    yield from _draw_base_widths(
        board, drafter, 0.0, drafter.size(1.8), drafter.type_style(Font.FIGURES_ITALIC, 7.5, "ink-secondary")
    )


def draw_full_frame(field: Battlefield, drafter: Drafter, marks: Mapping[str, tuple[str, ...]]) -> Iterator[Item]:
    """Yield items that draw the full frame of a board in printed mm: inch band, figures and deployment marks.

    Inches are on the left and above, base widths on the right and below. ``marks`` has texts for the zones by side, one
    per language. The origin is the lower left corner of the board.
    """
    board = field.board
    yield from _draw_neat_line(board, drafter)
    yield from _draw_inch_band(board, drafter)
    yield from _draw_inch_figures(board, drafter)
    outer = drafter.size(_GAP + _BAND)
    style = drafter.type_style(Font.FIGURES_ITALIC, 11.5, "ink-secondary")
    yield from _draw_base_widths(board, drafter, outer, drafter.size(2.2), style)
    baseline = -outer - drafter.size(2.2) - 0.98 * style.height
    bases = board.scale.has_bases(drafter.context.scale)
    unit = drafter.words.each()[0]("unit.base_width") if bases else _inch_word(drafter)
    yield from drafter.text(unit, (0, baseline), style, anchor=Anchor.MIDDLE)
    yield from _draw_deployment(field, drafter, marks)


def draw_border(width: float, height: float, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the double rule round a sheet of ``width`` by ``height`` printed mm.

    The origin is the sheet's lower left corner.
    """
    for inset, mm in ((_BORDER, _RULE), (_BORDER + 2.6, 0.40)):
        inset_mm = drafter.size(inset)
        yield from drafter.outline(box(inset_mm, inset_mm, width - inset_mm, height - inset_mm).exterior, mm)


def _draw_neat_line(board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the neat line with its inner side on the board edge, so that the board keeps its full size.

    Board and items are in printed mm.
    """
    half_width = drafter.context.width(_NEAT, minimum_mm=LEAST_MEANING) / 2
    yield from drafter.outline(
        box(-half_width, -half_width, board.width + half_width, board.depth + half_width).exterior, _NEAT
    )


def _inch_interval(drafter: Drafter) -> tuple[float, int]:
    """Return the printed length of an inch of the board in mm, and the interval of the figures in inches.

    The length is 25.4 mm at the scale of the drawing.
    """
    inch = MM_PER_INCH * drafter.context.scale
    return inch, next((every for every in _FIGURE_INTERVALS if every * inch >= _MIN_FIGURE_GAP), _FIGURE_INTERVALS[-1])


def _draw_inch_band(board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the band round a board in printed mm, with ornaments at its corners.

    It alternates at each inch of the board, at the scale of the drawing, with a tick at every inch. Inches count from
    the edge of the table.
    """
    inch, _ = _inch_interval(drafter)
    inner, half_band = drafter.size(_GAP), drafter.size(_BAND) / 2
    outer = inner + 2 * half_band
    dark: list[BaseGeometry] = []
    ticks: list[Line] = []
    strong: list[Line] = []
    sides = (
        (board.width, board.depth, board.outer_margins.left, False),
        (board.depth, board.width, board.outer_margins.near, True),
    )
    for length, far_edge, first_inch, is_vertical in sides:
        # Inches count from the table edge, even if the board extends past it.
        before = int(np.ceil(first_inch / inch - 1e-6))
        for number in range(-before, int(np.ceil((length - first_inch) / inch - 1e-6))):
            start, end = max(first_inch + number * inch, 0.0), min(first_inch + (number + 1) * inch, length)
            low = inner if number % 2 == 0 else inner + half_band
            for first in (far_edge + low, -low - half_band):
                cell = (first, start, first + half_band, end) if is_vertical else (start, first, end, first + half_band)
                dark.append(box(*cell))
        for number in range(-int(first_inch / inch + 1e-6), int((length - first_inch) / inch + 1e-6) + 1):
            offset = first_inch + number * inch
            for first, last in ((far_edge, far_edge + inner), (-inner, 0.0)):
                ends = [(first, offset), (last, offset)] if is_vertical else [(offset, first), (offset, last)]
                (ticks if number % 6 else strong).append(np.asarray(ends))
    ink = drafter.style.solid("ink")
    yield from fill(dark, ink)
    rules = [
        box(-distance, -distance, board.width + distance, board.depth + distance).exterior
        for distance in (inner, outer)
    ]
    yield from drafter.outline(rules, 0.40)
    yield from drafter.outline(ticks, 0.30)
    yield from drafter.outline(strong, 0.70)
    yield from _draw_corners(board, inner, outer, drafter)


def _draw_corners(board: Board, inner: float, outer: float, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw a square with a lozenge at each corner of the inch band.

    ``inner`` and ``outer`` are the distances of the band's sides from the board, in printed mm.
    """
    squares, lozenges = [], []
    side, arm = outer - inner, drafter.size(2.4)
    for x in (-outer, board.width + inner):
        for y in (-outer, board.depth + inner):
            squares.append(box(x, y, x + side, y + side))
            middle = np.array((x + side / 2, y + side / 2))
            lozenges.append(Polygon(middle + np.array([(-arm, 0), (0, arm), (arm, 0), (0, -arm)])))
    yield from fill(squares, drafter.style.solid("sheet"))
    stroke = drafter.context.stroke(drafter.style.solid("ink"), 0.40, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    yield from outline(squares, stroke)
    yield from fill(lozenges, drafter.style.solid("ink"))


def _draw_inch_figures(board: Board, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the figures of inches on the left and above, at the intervals that fit, with their unit.

    They are inches of the board at the scale of the drawing, from the edge of the table. Shapes and items are in
    printed mm.
    """
    inch, every = _inch_interval(drafter)
    outer, style = drafter.size(_GAP + _BAND), drafter.type_style(Font.FIGURES, 12, "ink-secondary")
    width, depth = board.playing_size
    for number in range(every, int(width / inch + 1e-6) + 1, every):
        if width - number * inch > inch / 2:
            y = board.depth + outer + drafter.size(2.2)
            yield from drafter.text(
                str(number), (board.outer_margins.left + number * inch, y), style, anchor=Anchor.MIDDLE
            )
    x = -outer - drafter.size(2.4)
    for number in range(every, int(depth / inch + 1e-6) + 1, every):
        if depth - number * inch > inch / 2:
            baseline = board.outer_margins.near + number * inch - 0.36 * style.height
            yield from drafter.text(str(number), (x, baseline), style, anchor=Anchor.END)
    italic = drafter.type_style(Font.FIGURES_ITALIC, 11.5, "ink-secondary")
    yield from drafter.text(_inch_word(drafter), (x, board.depth - 0.45 * italic.height), italic, anchor=Anchor.END)


def _draw_base_widths(board: Board, drafter: Drafter, outer: float, tick: float, style: TypeStyle) -> Iterator[Item]:
    """Yield items that draw a tick for each base width below and on the right, with figures where they fit.

    Ticks begin ``outer`` mm from the board and are ``tick`` mm long, in printed mm.
    """
    step = board.scale.base_width
    every = next((count for count in (1, 5, 10, 20) if count * step >= 1.6 * style.height), 20)
    ticks: list[Line] = []
    for number in range(int(board.playing_size[0] / step + 1e-6) + 1):
        offset = board.outer_margins.left + number * step
        ticks.append(np.array([(offset, -outer), (offset, -outer - tick)]))
        if number and number % every == 0:
            baseline = -outer - tick - 0.98 * style.height
            yield from drafter.text(str(number), (offset, baseline), style, anchor=Anchor.MIDDLE)
    for number in range(int(board.playing_size[1] / step + 1e-6) + 1):
        offset = board.outer_margins.near + number * step
        ticks.append(np.array([(board.width + outer, offset), (board.width + outer + tick, offset)]))
        if number and number % every == 0:
            x = board.width + outer + tick + drafter.size(1)
            yield from drafter.text(str(number), (x, offset - 0.36 * style.height), style)
    yield from drafter.outline(ticks, 0.40)


def _deployment_baselines(drafter: Drafter) -> list[float]:
    """Return the baselines of the DEPLOYMENT rows, in printed mm right of the board.

    Small sheets have a row for each language.
    """
    figures = measure("88", drafter.type_style(Font.FIGURES_ITALIC, 11.5))
    height = drafter.type_style(Font.BANNER, 10).height
    first = drafter.size(_GAP + _BAND + 5.0) + 0.5 + figures + 0.72 * height
    # A sheet with a border has space for one row only.
    row_count = 1 if has_border(drafter) else len(drafter.words.each())
    return [first + row * 1.15 * height for row in range(row_count)]


def _draw_deployment(field: Battlefield, drafter: Drafter, marks: Mapping[str, tuple[str, ...]]) -> Iterator[Item]:
    """Yield items that write DEPLOYMENT, or the side's text in ``marks``, right of each zone in the side's colour.

    Battlefield and items are in printed mm. ``marks`` has texts by side, one per language; a side without texts gets
    the word DEPLOYMENT in each language. Zones along the left or right edge get none.
    """
    board = field.board
    for overlay in overlays_of_kind(field, DEPLOYMENT):
        if not is_along_near_or_far(overlay, board):
            continue
        token, depth = side_token(overlay, board), deployment_depth(overlay, board)
        middle = board.depth - depth / 2 if is_on_far_half(overlay, board) else depth / 2
        style = drafter.type_style(Font.BANNER, 10, token, track=1.6)
        baselines = _deployment_baselines(drafter)
        labels = marks.get(overlay.side) or tuple(words("furniture.deployment") for words in drafter.words.each())
        if len(labels) != len(baselines):
            labels = (SEPARATOR.join(labels),)
        for label, baseline in zip(labels, baselines, strict=True):
            text = label.upper()
            fitted_style = shrink_to_fit(text, style, depth - drafter.size(2))
            yield from drafter.text(
                text, (board.width + baseline, middle), fitted_style, anchor=Anchor.MIDDLE, angle=90
            )


def _inch_word(drafter: Drafter) -> str:
    """Return the name of the unit inch in the first language."""
    return drafter.words.each()[0]("unit.inch")


# --- The frame of a grid board: its edge, its shadow on the sheet, figures of columns and rows ------------------------

_EDGE: Final = 1.30
_SHADOW: Final = (3.2, -3.6, 0.30)
_FIGURE_PT: Final = 19.0
_MAT_FIGURE_PT: Final = 12.0
_FIGURE_OFFSET: Final = 3.4
_CELL_SIDE: Final = 30.0
_CELL_BOTTOM: Final = 19.0
_FIGURE_HEIGHT: Final = 0.72


def cell_mat_margins(drafter: Drafter) -> FrameMargins:
    """Return the margins of a grid board in printed mm, for its edge and its figures."""
    side = (
        drafter.context.width(_EDGE)
        + drafter.size(_FIGURE_OFFSET)
        + drafter.type_style(Font.FIGURES, _MAT_FIGURE_PT).height * 1.3
    )
    return FrameMargins(side, side, side, side)


def cell_full_margins(drafter: Drafter) -> FrameMargins:
    """Return the margins of a grid board in printed mm, for edge, figures and shadow.

    On a large sheet they include the border.
    """
    style = drafter.type_style(Font.FIGURES, _FIGURE_PT)
    side = drafter.context.width(_EDGE) + drafter.size(_FIGURE_OFFSET) + style.height * 1.35
    if has_border(drafter):
        border_side = drafter.size(_CELL_SIDE)
        return FrameMargins(border_side, border_side, border_side, max(side, drafter.size(_CELL_BOTTOM)))
    return FrameMargins(side, side, side, side + drafter.size(-_SHADOW[1]))


def draw_cell_mat_frame(grid: Grid, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the edge of a grid board in printed mm, with small figures for columns and rows."""
    yield from _draw_edge(grid, drafter)
    yield from _draw_figures(grid, drafter, drafter.type_style(Font.FIGURES, _MAT_FIGURE_PT, "ink-secondary"))


def draw_cell_full_frame(grid: Grid, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the edge of a grid board in printed mm, with the figures for columns and rows."""
    yield from _draw_edge(grid, drafter)
    yield from _draw_figures(grid, drafter, drafter.type_style(Font.FIGURES, _FIGURE_PT, "ink-secondary"))


def draw_shadow(grid: Grid, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the shadow of a grid board in printed mm to the south-east, if the style has shadows."""
    if drafter.style.shadows:
        shift_x, shift_y, opacity = _SHADOW
        board = grid.hull().buffer(drafter.context.width(_EDGE), join_style="mitre")
        shadow_shape = affinity.translate(board, drafter.size(shift_x), drafter.size(shift_y))
        yield from fill(shapely.difference(shadow_shape, board), drafter.style.solid("shadow").with_alpha(opacity))


def _draw_edge(grid: Grid, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the edge of a grid board with its inner side on the cells.

    So each cell keeps its full size. Grid and items are in printed mm.
    """
    half_width = drafter.context.width(_EDGE, minimum_mm=LEAST_MEANING) / 2
    yield from drafter.outline(grid.hull().buffer(half_width, join_style="mitre").exterior, _EDGE)


def _draw_figures(grid: Grid, drafter: Drafter, style: TypeStyle) -> Iterator[Item]:
    """Yield items that draw the figure of each column above and below it, and of each row at both ends.

    Shapes and items are in printed mm.
    """
    offset = drafter.context.width(_EDGE) + drafter.size(_FIGURE_OFFSET)
    figure_height = _FIGURE_HEIGHT * style.height
    for column in range(1, grid.columns + 1):
        first, last = (_cell_bounds(grid, Cell(column, row)) for row in (1, grid.rows))
        figure, _ = line_figures(grid, Cell(column, 1))
        yield from drafter.text(figure, ((first[0] + first[2]) / 2, first[3] + offset), style, anchor=Anchor.MIDDLE)
        yield from drafter.text(
            figure, ((last[0] + last[2]) / 2, last[1] - offset - figure_height), style, anchor=Anchor.MIDDLE
        )
    for row in range(1, grid.rows + 1):
        outer = Cell(1, row), Cell(grid.columns, row)
        left, right = _cell_bounds(grid, outer[0])[0] - offset, _cell_bounds(grid, outer[1])[2] + offset
        for x, cell, anchor in zip((left, right), outer, (Anchor.END, Anchor.START), strict=True):
            _, middle = grid.centre(cell)
            yield from drafter.text(line_figures(grid, cell)[1], (x, middle - figure_height / 2), style, anchor=anchor)


def _cell_bounds(grid: Grid, cell: Cell) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a cell, in printed mm."""
    outline: BaseGeometry = grid.outline(cell)
    left, bottom, right, top = outline.bounds
    return left, bottom, right, top
