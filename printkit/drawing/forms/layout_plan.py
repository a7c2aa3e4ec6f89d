"""The plan for building a board: its map at a round scale with grid, rulers, points and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Rect, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, line
from printkit.drawing.text.text_styles import drawing_of, lozenge_corners, make_line, oblong, patch
from printkit.terrain.field.battlefield import OuterMargins

# Margins around the board for ticks and figures, in mm.
LEFT: Final = 11.0
RIGHT: Final = 12.0
BELOW: Final = 9.0
ABOVE: Final = 9.0

_SCALES: Final = (4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 30, 32, 40, 50, 60, 80, 100)
_LEAST_BETWEEN_TICKS: Final = 1.15
_LEAST_BETWEEN_FIGURES: Final = 7.5
_NET: Final = 25.0
_INCHES: Final = (1, 2, 3, 6, 12, 24, 48)
_CENTIMETRES: Final = (1, 2, 5, 10, 20, 50, 100)
_TICK: Final = 1.4
_LONG_TICK: Final = 2.4
_FIGURES_PT: Final = 7.0
_POINT_PT: Final = 7.5
_POINT: Final = 0.85
_CHALK: Final = (1.6, 1.2)
_NOTHING_BEYOND: Final = OuterMargins()


class PlanMark(NamedTuple):
    """A named point of the board, in mm of the board."""

    name: str
    x: float
    y: float


class PlanPiece(NamedTuple):
    """A piece on the board: its number, its outline, and the corner to measure to, in mm of the board."""

    name: str
    outline: tuple[tuple[float, float], ...]
    corner: tuple[float, float]


def plan_scale(width: float, depth: float, room_width: float, room_height: float) -> float:
    """Return the largest round scale, for example 0.25 for 1:4, at which a board fits with its rulers.

    ``width`` and ``depth`` are in mm of the board, ``room_width`` and ``room_height`` in printed mm. The scales are
    from 1:4 to 1:100. If no scale fits, the smallest is returned.
    """
    for ratio in _SCALES:
        fits_across = width / ratio + LEFT + RIGHT <= room_width
        if fits_across and depth / ratio + ABOVE + BELOW <= room_height:
            return 1 / ratio
    return 1 / _SCALES[-1]


def layout_plan(
    board: Drawing,
    marks: Sequence[PlanMark],
    *,
    scale: float,
    style: Style,
    surround: OuterMargins = _NOTHING_BEYOND,
    pieces: Sequence[PlanPiece] = (),
    chalk: Sequence[Sequence[tuple[float, float]]] = (),
) -> Drawing:
    """Return the board with rulers in inches (left, near) and centimetres (right, far), marks and pieces.

    Args:
        board: pale drawing of the board at ``scale``.
        marks: named points in mm of the table; those on its edges are ends of linear features.
        scale: printed mm per mm of the board.
        style: the inks.
        surround: width in mm of the ground shown beyond each edge of the table; the rulers measure the table.
        pieces: the pieces on the board.
        chalk: outlines of ground that no piece covers, in mm of the board.
    """
    ink, second = style.solid("ink"), style.solid("ink-secondary")
    left, near, right, far = (reach * scale for reach in surround)
    width, height = board.width - left - right, board.height - near - far
    items: list[Item] = [*_draw_net(width, height, scale, second)]
    stroke = Stroke(ink, 0.4 * style.line_factor)
    items.append(patch(oblong(0.0, 0.0, width, height), None, stroke))
    if surround != _NOTHING_BEYOND:
        items.append(patch(oblong(-left, -near, board.width, board.height), None, stroke))
    items += _draw_ruler(Rect(-left, -near, board.width, board.height), width, height, scale, style)
    for outline in chalk:
        items.append(patch([(x * scale, y * scale) for x, y in outline], None, Stroke(ink, 0.35, dash=_CHALK)))
    for piece in pieces:
        items += _draw_piece(piece, scale, style)
    for mark in marks:
        items += _draw_mark(mark, (mark.x * scale, mark.y * scale), (width, height), style)
    size = LEFT + board.width + RIGHT, BELOW + board.height + ABOVE
    overlay = PlacedDrawing(drawing_of(width, height, items), LEFT + left, BELOW + near)
    return joined(*size, [PlacedDrawing(board, LEFT, BELOW), overlay])


def net_step(scale: float) -> int:
    """Return the distance between grid lines in inches of the board, at ``scale`` (printed mm per mm of the board).

    It is the first of 1, 2, 3, 6, 12, 24 and 48 that is at least 25 printed mm, otherwise 48.
    """
    return _find_step(_INCHES, MM_PER_INCH * scale, _NET)


def _find_step(steps: Sequence[int], unit: float, minimum_mm: float) -> int:
    """Return the first of ``steps`` that is at least ``minimum_mm`` printed mm long; otherwise the last.

    ``unit`` is the printed length of 1 in mm.
    """
    return next((step for step in steps if step * unit >= minimum_mm), steps[-1])


def _draw_net(width: float, height: float, scale: float, ink: Ink) -> Iterator[Item]:
    """Yield the lines of a grid in inches of the board over a drawing of ``width`` by ``height`` printed mm.

    The grid begins in the lower left corner; the edges have no lines. ``scale`` is printed mm per mm of the board.
    """
    step = net_step(scale) * MM_PER_INCH * scale
    pale = ink.mix(Ink(255, 255, 255), 0.45)
    for place in range(1, int(width / step + 0.999)):
        yield make_line([(place * step, 0.0), (place * step, height)], pale, 0.12)
    for place in range(1, int(height / step + 0.999)):
        yield make_line([(0.0, place * step), (width, place * step)], pale, 0.12)


def _draw_ruler(frame: Rect, width: float, height: float, scale: float, style: Style) -> Iterator[Item]:
    """Yield ticks and figures around a drawing: inches below and left, centimetres above and right.

    ``frame`` is the edge for the ticks, and ``width`` and ``height`` the measured size, in printed mm. Both rulers
    count from the origin, the lower left corner of the measured size. ``scale`` is printed mm per mm of the board.
    """
    ink = style.solid("ink")
    for unit, steps, far in ((MM_PER_INCH, _INCHES, False), (10.0, _CENTIMETRES, True)):
        type_style = TypeStyle.for_style(style, Font.FIGURES_ITALIC if far else Font.FIGURES, _FIGURES_PT, ink)
        tick = _find_step(steps, unit * scale, _LEAST_BETWEEN_TICKS)
        figure = _find_step([step for step in steps if step % tick == 0], unit * scale, _LEAST_BETWEEN_FIGURES)
        name = "cm" if far else "in"
        for length, is_vertical in ((width, False), (height, True)):
            for count in range(0, int(length / (unit * scale) + 1e-6) + 1, tick):
                position = count * unit * scale
                is_long = count % figure == 0
                reach = _LONG_TICK if is_long else _TICK
                base = (frame.right if is_vertical else frame.top) if far else (frame.x if is_vertical else frame.y)
                end = base + reach if far else base - reach
                ends = [(base, position), (end, position)] if is_vertical else [(position, base), (position, end)]
                yield make_line(ends, ink, 0.3 if is_long else 0.18)
                if is_long:
                    yield from _draw_figure(str(count), position, end, type_style, is_vertical=is_vertical, far=far)
        corner = (frame.right + 3.0, frame.top + 5.6) if far else (frame.x - 4.2, frame.y - 6.4)
        yield from line(name, corner, type_style, anchor=Anchor.START if far else Anchor.MIDDLE)


def _draw_figure(
    text: str, position: float, end: float, style: TypeStyle, *, is_vertical: bool, far: bool
) -> Iterator[Item]:
    """Yield the figure ``text`` of a tick, beyond its end.

    ``position`` is the tick's place along the ruler and ``end`` its outer end across, in printed mm. ``is_vertical`` is
    True for a ruler along a side, and ``far`` for the ruler above or on the right.
    """
    gap = 0.9
    middle = 0.36 * style.height
    if is_vertical:
        x = end + gap if far else end - gap
        yield from line(text, (x, position - middle), style, anchor=Anchor.START if far else Anchor.END)
    else:
        y = end + gap if far else end - gap - 2 * middle
        yield from line(text, (position, y), style, anchor=Anchor.MIDDLE)


def _draw_piece(piece: PlanPiece, scale: float, style: Style) -> Iterator[Item]:
    """Yield the outline of a piece, its number in the middle, and a lozenge at the corner to measure to.

    ``scale`` is printed mm per mm of the board.
    """
    ink = style.solid("ink")
    outline = [(x * scale, y * scale) for x, y in piece.outline]
    yield patch(outline, None, Stroke(Ink(255, 255, 255), 1.1))
    yield patch(outline, None, Stroke(ink, 0.45))
    yield patch(lozenge_corners(piece.corner[0] * scale, piece.corner[1] * scale, _POINT, _POINT), ink)
    middle = plain_sum(x for x, _ in outline) / len(outline), plain_sum(y for _, y in outline) / len(outline)
    type_style = TypeStyle.for_style(style, Font.BANNER, _POINT_PT, ink).with_halo(Stroke(Ink(255, 255, 255), 1.2))
    yield from line(piece.name, (middle[0], middle[1] - 0.34 * type_style.height), type_style, anchor=Anchor.MIDDLE)


def _draw_mark(
    mark: PlanMark, position: tuple[float, float], size: tuple[float, float], style: Style
) -> Iterator[Item]:
    """Yield a small lozenge at ``position`` and the name next to it, on the inner side near an edge.

    ``position`` and the ``size`` of the board (width, height) are in printed mm.
    """
    ink, paper = style.solid("ink"), Ink(255, 255, 255)
    x, y = position
    type_style = TypeStyle.for_style(style, Font.BANNER, _POINT_PT, ink).with_halo(Stroke(paper, 1.0))
    yield patch(lozenge_corners(x, y, _POINT, _POINT), paper, Stroke(ink, 0.3))
    is_left = x > size[0] - 9.0
    is_below = y > size[1] - 5.0
    foot = y - 1.2 - 0.72 * type_style.height if is_below else y + 1.1
    yield from line(
        mark.name, (x - 1.4 if is_left else x + 1.4, foot), type_style, anchor=Anchor.END if is_left else Anchor.START
    )
