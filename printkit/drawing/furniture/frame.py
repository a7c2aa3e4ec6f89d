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
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Font, Item, Join
from printkit.drawing.canvas.shapes import Line, fill, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.lettering.lettering import TypeStyle, measure, shrink_to_fit
from printkit.drawing.map.cells import line_figures
from printkit.drawing.map.overlays import along_near_or_far, depth_of, of_kind, on_far_half, side_token
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
_FOOT: Final = 20.0
_BORDER_ROOM: Final = 15.0
_LEAST_APART: Final = 9.0
_EVERY: Final = (2, 6, 12, 24)


class FrameMargins(Struct, frozen=True):
    """The width of a frame on each side of the board, in printed mm."""

    left: float
    right: float
    top: float
    bottom: float


def mat_margins(drafter: Drafter) -> FrameMargins:
    """Return the margins for the neat line, the ticks and their figures."""
    side = drafter.size(_TICK + 1.2) + drafter.hand(Font.FIGURES, 9).height * 1.25
    return FrameMargins(side, side, side, side)


def full_margins(drafter: Drafter) -> FrameMargins:
    """Return the margins for the full frame; ``bottom`` ends below the figures, where the strip begins."""
    bottom = drafter.size(_GAP + _BAND + 8.0) + drafter.hand(Font.FIGURES_ITALIC, 11.5).height
    if bordered(drafter):
        side = drafter.size(_SIDE)
        return FrameMargins(side, side, side, bottom)
    unit = measure(_inch_word(drafter), drafter.hand(Font.FIGURES_ITALIC, 11.5))
    figures = max(measure("88", drafter.hand(Font.FIGURES, 12)), unit)
    left = drafter.size(_GAP + _BAND + 2.4) + figures + 0.5
    top = drafter.size(_GAP + _BAND + 2.2) + drafter.hand(Font.FIGURES, 12).height
    return FrameMargins(left, _deployment_feet(drafter)[-1] + 1.0, top, bottom)


def inside_border(margins: FrameMargins, drafter: Drafter) -> FrameMargins:
    """Return the margins inside the border. Without a border, and at the bottom (the strip), they do not change."""
    by = drafter.size(_BORDER_ROOM) if bordered(drafter) else 0.0
    return FrameMargins(margins.left - by, margins.right - by, margins.top - by, margins.bottom)


def foot(drafter: Drafter) -> float:
    """Return the margin below the strip in printed mm, with the border if there is one."""
    return drafter.size(_FOOT if bordered(drafter) else 1.0)


def bordered(drafter: Drafter) -> bool:
    """Return whether the sheet is large enough for a border."""
    return drafter.context.scale >= _BORDERED_FROM


def rim(drafter: Drafter) -> float:
    """Return the free width outside the border in printed mm; 0 without a border."""
    return drafter.size(_BORDER) - drafter.width(_RULE) / 2 if bordered(drafter) else 0.0


def mat(field: Battlefield, drafter: Drafter) -> Iterator[Item]:
    """Draw the neat line just outside the board, inch ticks left and above, base-width ticks right and below."""
    board = field.board
    yield from _neat_line(board, drafter)
    tick, hand = drafter.size(_TICK), drafter.hand(Font.FIGURES, 9, "ink-secondary")
    inch, every = _inches(drafter)
    ticks: list[Line] = []
    wide, deep = board.playing_size
    for number in range(int(wide / inch + 1e-6) + 1):
        at = board.beyond.left + number * inch
        ticks.append(np.array([(at, board.depth), (at, board.depth + tick)]))
        if number and number % every == 0 and wide - number * inch > inch / 2:
            yield from drafter.text(
                str(number), (at, board.depth + tick + drafter.size(0.9)), hand, anchor=Anchor.MIDDLE
            )
    for number in range(int(deep / inch + 1e-6) + 1):
        at = board.beyond.near + number * inch
        ticks.append(np.array([(0, at), (-tick, at)]))
        if number and number % every == 0 and deep - number * inch > inch / 2:
            x = -tick - drafter.size(0.9)
            yield from drafter.text(str(number), (x, at), hand, anchor=Anchor.MIDDLE, angle=90)
    yield from drafter.outline(ticks, 0.30)
    yield from _base_widths(
        board, drafter, 0.0, drafter.size(1.8), drafter.hand(Font.FIGURES_ITALIC, 7.5, "ink-secondary")
    )


def full(field: Battlefield, drafter: Drafter, marks: Mapping[str, tuple[str, ...]]) -> Iterator[Item]:
    """Draw the full frame: inch band, figures left and above, base widths right and below, deployment marks."""
    board = field.board
    yield from _neat_line(board, drafter)
    yield from _band(board, drafter)
    yield from _inch_figures(board, drafter)
    outer = drafter.size(_GAP + _BAND)
    hand = drafter.hand(Font.FIGURES_ITALIC, 11.5, "ink-secondary")
    yield from _base_widths(board, drafter, outer, drafter.size(2.2), hand)
    foot = -outer - drafter.size(2.2) - 0.98 * hand.height
    bases = board.scale.has_bases(drafter.context.scale)
    unit = drafter.words.each()[0]("unit.base_width") if bases else _inch_word(drafter)
    yield from drafter.text(unit, (0, foot), hand, anchor=Anchor.MIDDLE)
    yield from _deployment(field, drafter, marks)


def border(width: float, height: float, drafter: Drafter) -> Iterator[Item]:
    """Draw the double rule round the sheet. The origin is the sheet's lower left corner."""
    for inset, mm in ((_BORDER, _RULE), (_BORDER + 2.6, 0.40)):
        by = drafter.size(inset)
        yield from drafter.outline(box(by, by, width - by, height - by).exterior, mm)


def _neat_line(board: Board, drafter: Drafter) -> Iterator[Item]:
    """Draw the neat line with its inner side on the board edge, so that the board keeps its full size."""
    by = drafter.context.width(_NEAT, minimum_mm=LEAST_MEANING) / 2
    yield from drafter.outline(box(-by, -by, board.width + by, board.depth + by).exterior, _NEAT)


def _inches(drafter: Drafter) -> tuple[float, int]:
    """Return the printed length of an inch in mm, and the interval of the figures in inches."""
    inch = MM_PER_INCH * drafter.context.scale
    return inch, next((every for every in _EVERY if every * inch >= _LEAST_APART), _EVERY[-1])


def _band(board: Board, drafter: Drafter) -> Iterator[Item]:
    inch, _ = _inches(drafter)
    near, half = drafter.size(_GAP), drafter.size(_BAND) / 2
    far = near + 2 * half
    dark: list[BaseGeometry] = []
    ticks: list[Line] = []
    strong: list[Line] = []
    sides = ((board.width, board.depth, board.beyond.left, False), (board.depth, board.width, board.beyond.near, True))
    for along, across, first_inch, upright in sides:
        # Inches count from the table edge, even if the board extends past it.
        before = int(np.ceil(first_inch / inch - 1e-6))
        for number in range(-before, int(np.ceil((along - first_inch) / inch - 1e-6))):
            start, end = max(first_inch + number * inch, 0.0), min(first_inch + (number + 1) * inch, along)
            low = near if number % 2 == 0 else near + half
            for first in (across + low, -low - half):
                cell = (first, start, first + half, end) if upright else (start, first, end, first + half)
                dark.append(box(*cell))
        for number in range(-int(first_inch / inch + 1e-6), int((along - first_inch) / inch + 1e-6) + 1):
            at = first_inch + number * inch
            for first, last in ((across, across + near), (-near, 0.0)):
                pair = [(first, at), (last, at)] if upright else [(at, first), (at, last)]
                (ticks if number % 6 else strong).append(np.asarray(pair))
    ink = drafter.style.solid("ink")
    yield from fill(dark, ink)
    rules = [_about(board, reach).exterior for reach in (near, far)]
    yield from drafter.outline(rules, 0.40)
    yield from drafter.outline(ticks, 0.30)
    yield from drafter.outline(strong, 0.70)
    yield from _corners(board, near, far, drafter)


def _corners(board: Board, near: float, far: float, drafter: Drafter) -> Iterator[Item]:
    squares, lozenges = [], []
    side, arm = far - near, drafter.size(2.4)
    for x in (-far, board.width + near):
        for y in (-far, board.depth + near):
            squares.append(box(x, y, x + side, y + side))
            middle = np.array((x + side / 2, y + side / 2))
            lozenges.append(Polygon(middle + np.array([(-arm, 0), (0, arm), (arm, 0), (0, -arm)])))
    yield from fill(squares, drafter.style.solid("sheet"))
    stroke = drafter.context.stroke(drafter.style.solid("ink"), 0.40, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    yield from outline(squares, stroke)
    yield from fill(lozenges, drafter.style.solid("ink"))


def _inch_figures(board: Board, drafter: Drafter) -> Iterator[Item]:
    inch, every = _inches(drafter)
    outer, hand = drafter.size(_GAP + _BAND), drafter.hand(Font.FIGURES, 12, "ink-secondary")
    wide, deep = board.playing_size
    for number in range(every, int(wide / inch + 1e-6) + 1, every):
        if wide - number * inch > inch / 2:
            y = board.depth + outer + drafter.size(2.2)
            yield from drafter.text(str(number), (board.beyond.left + number * inch, y), hand, anchor=Anchor.MIDDLE)
    x = -outer - drafter.size(2.4)
    for number in range(every, int(deep / inch + 1e-6) + 1, every):
        if deep - number * inch > inch / 2:
            foot = board.beyond.near + number * inch - 0.36 * hand.height
            yield from drafter.text(str(number), (x, foot), hand, anchor=Anchor.END)
    italic = drafter.hand(Font.FIGURES_ITALIC, 11.5, "ink-secondary")
    yield from drafter.text(_inch_word(drafter), (x, board.depth - 0.45 * italic.height), italic, anchor=Anchor.END)


def _base_widths(board: Board, drafter: Drafter, outer: float, tick: float, hand: TypeStyle) -> Iterator[Item]:
    """Draw a tick for each base width below and on the right, with figures where they fit."""
    step = board.scale.base_width
    every = next((count for count in (1, 5, 10, 20) if count * step >= 1.6 * hand.height), 20)
    ticks: list[Line] = []
    for number in range(int(board.playing_size[0] / step + 1e-6) + 1):
        at = board.beyond.left + number * step
        ticks.append(np.array([(at, -outer), (at, -outer - tick)]))
        if number and number % every == 0:
            foot = -outer - tick - 0.98 * hand.height
            yield from drafter.text(str(number), (at, foot), hand, anchor=Anchor.MIDDLE)
    for number in range(int(board.playing_size[1] / step + 1e-6) + 1):
        at = board.beyond.near + number * step
        ticks.append(np.array([(board.width + outer, at), (board.width + outer + tick, at)]))
        if number and number % every == 0:
            x = board.width + outer + tick + drafter.size(1)
            yield from drafter.text(str(number), (x, at - 0.36 * hand.height), hand)
    yield from drafter.outline(ticks, 0.40)


def _deployment_feet(drafter: Drafter) -> list[float]:
    """Return the baselines of the DEPLOYMENT rows, in mm right of the board; small sheets have a row per language."""
    figures = measure("88", drafter.hand(Font.FIGURES_ITALIC, 11.5))
    height = drafter.hand(Font.BANNER, 10).height
    first = drafter.size(_GAP + _BAND + 5.0) + 0.5 + figures + 0.72 * height
    return [first + row * 1.15 * height for row in range(len(_deployment_words(drafter)))]


def _deployment_words(drafter: Drafter) -> tuple[Words, ...]:
    """Return the words of each row. A sheet with a border has space for one row only."""
    return (drafter.words,) if bordered(drafter) else drafter.words.each()


def _deployment(field: Battlefield, drafter: Drafter, marks: Mapping[str, tuple[str, ...]]) -> Iterator[Item]:
    """Write DEPLOYMENT, or the side's text in ``marks``, along the right of each zone in the side's colour."""
    board = field.board
    for overlay in of_kind(field, DEPLOYMENT):
        if not along_near_or_far(overlay, board):
            continue
        token, depth = side_token(overlay, board), depth_of(overlay, board)
        middle = board.depth - depth / 2 if on_far_half(overlay, board) else depth / 2
        hand = drafter.hand(Font.BANNER, 10, token, track=1.6)
        feet = _deployment_feet(drafter)
        said = marks.get(overlay.side) or tuple(words("furniture.deployment") for words in drafter.words.each())
        if len(said) != len(feet):
            said = (SEPARATOR.join(said),)
        for text, foot in zip(said, feet, strict=True):
            fitting = shrink_to_fit(text.upper(), hand, depth - drafter.size(2))
            text = text.upper()
            yield from drafter.text(text, (board.width + foot, middle), fitting, anchor=Anchor.MIDDLE, angle=90)


def _inch_word(drafter: Drafter) -> str:
    return drafter.words.each()[0]("unit.inch")


def _about(board: Board, reach: float) -> Polygon:
    return box(-reach, -reach, board.width + reach, board.depth + reach)


# --- The frame of a grid board: its edge, its shadow on the sheet, figures of columns and rows ------------------------

_EDGE: Final = 1.30
_SHADOW: Final = (3.2, -3.6, 0.30)
_FIGURE_PT: Final = 19.0
_MAT_FIGURE_PT: Final = 12.0
_OFF: Final = 3.4
_CELL_SIDE: Final = 30.0
_BELOW: Final = 19.0
_HIGH: Final = 0.72


def cell_mat_margins(drafter: Drafter) -> FrameMargins:
    """Return the margins for the edge and its figures."""
    side = drafter.context.width(_EDGE) + drafter.size(_OFF) + drafter.hand(Font.FIGURES, _MAT_FIGURE_PT).height * 1.3
    return FrameMargins(side, side, side, side)


def cell_full_margins(drafter: Drafter) -> FrameMargins:
    """Return the margins for edge, figures and shadow; on a large sheet also for the border."""
    hand = drafter.hand(Font.FIGURES, _FIGURE_PT)
    side = drafter.context.width(_EDGE) + drafter.size(_OFF) + hand.height * 1.35
    if bordered(drafter):
        wide = drafter.size(_CELL_SIDE)
        return FrameMargins(wide, wide, wide, max(side, drafter.size(_BELOW)))
    return FrameMargins(side, side, side, side + drafter.size(-_SHADOW[1]))


def cell_mat(grid: Grid, drafter: Drafter) -> Iterator[Item]:
    """Draw the board edge and small figures for columns and rows."""
    yield from _edge(grid, drafter)
    yield from _figures(grid, drafter, drafter.hand(Font.FIGURES, _MAT_FIGURE_PT, "ink-secondary"))


def cell_full(grid: Grid, drafter: Drafter) -> Iterator[Item]:
    """Draw the board edge and the figures for columns and rows."""
    yield from _edge(grid, drafter)
    yield from _figures(grid, drafter, drafter.hand(Font.FIGURES, _FIGURE_PT, "ink-secondary"))


def shadow(grid: Grid, drafter: Drafter) -> Iterator[Item]:
    """Draw the shadow of the board to the south-east, if the style has shadows."""
    if drafter.style.shadows:
        across, down, cover = _SHADOW
        board = grid.hull().buffer(drafter.context.width(_EDGE), join_style="mitre")
        thrown = affinity.translate(board, drafter.size(across), drafter.size(down))
        yield from fill(shapely.difference(thrown, board), drafter.style.solid("shadow").with_alpha(cover))


def _edge(grid: Grid, drafter: Drafter) -> Iterator[Item]:
    """Draw the edge with its inner side on the cell edges, so that each cell keeps its full size."""
    by = drafter.context.width(_EDGE, minimum_mm=LEAST_MEANING) / 2
    yield from drafter.outline(grid.hull().buffer(by, join_style="mitre").exterior, _EDGE)


def _figures(grid: Grid, drafter: Drafter, hand: TypeStyle) -> Iterator[Item]:
    """Draw the figure of each column above and below it, and of each row at both ends."""
    off = drafter.context.width(_EDGE) + drafter.size(_OFF)
    high = _HIGH * hand.height
    for column in range(1, grid.columns + 1):
        first, last = (_bounds(grid, Cell(column, row)) for row in (1, grid.rows))
        figure, _ = line_figures(grid, Cell(column, 1))
        yield from drafter.text(figure, ((first[0] + first[2]) / 2, first[3] + off), hand, anchor=Anchor.MIDDLE)
        yield from drafter.text(figure, ((last[0] + last[2]) / 2, last[1] - off - high), hand, anchor=Anchor.MIDDLE)
    for row in range(1, grid.rows + 1):
        outer = Cell(1, row), Cell(grid.columns, row)
        left, right = _bounds(grid, outer[0])[0] - off, _bounds(grid, outer[1])[2] + off
        for x, cell, anchor in zip((left, right), outer, (Anchor.END, Anchor.START), strict=True):
            _, middle = grid.centre(cell)
            yield from drafter.text(line_figures(grid, cell)[1], (x, middle - high / 2), hand, anchor=anchor)


def _bounds(grid: Grid, cell: Cell) -> tuple[float, float, float, float]:
    outline: BaseGeometry = grid.outline(cell)
    left, low, right, high = outline.bounds
    return left, low, right, high
