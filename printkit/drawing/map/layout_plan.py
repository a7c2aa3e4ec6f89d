"""The plan for building a board, the battlefield as one player sees it, and the grid of nine zones on sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_INCH, MM_PER_POINT
from printkit.core.words import SEPARATOR
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Join, Rect, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import (
    WHITE,
    make_disc,
    make_line,
    make_lozenge,
    make_polygon,
    make_rectangle,
    rectangle_corners,
)
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, line, measure, shrink_to_fit, wrap_words
from printkit.drawing.map.board_drawing import board_drawing, in_frame
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield, Edge, OuterMargins

ZONES: Final = tuple(range(1, 10))
_ACROSS: Final = 3
_LETTER: Final = 1.25


class GridPlayer(NamedTuple):
    """A player: their letter, the name of their edge, and the ink and dashes of their lines (mm at 1:1)."""

    name: str
    edge: str
    token: str
    dash: tuple[float, ...] = ()


class ZoneGrid(Struct, frozen=True, kw_only=True):
    """Nine equal cells in a rectangle; ``turned`` by 180 degrees for the player at the far edge."""

    place: Rect
    turned: bool = False

    def cell(self, zone: int) -> Rect:
        """Return the rectangle of a zone (1 to 9) in printed mm.

        Zone 1 is in the upper left corner, and zone 3 in the upper right one; in a turned grid zone 1 is in the lower
        right one.
        """
        number = (10 - zone if self.turned else zone) - 1
        row, column = divmod(number, _ACROSS)
        width, height = self.place.width / _ACROSS, self.place.height / _ACROSS
        return Rect(self.place.x + column * width, self.place.top - (row + 1) * height, width, height)

    def lines(self, drafter: Drafter, *, outer: float = 0.6, inner: float = 0.25) -> Iterator[Item]:
        """Yield the lines between zones and the frame around them; ``inner`` and ``outer`` are their widths.

        Widths are in mm at 1:1.
        """
        place = self.place
        for part in (1, 2):
            x, y = place.x + part * place.width / _ACROSS, place.y + part * place.height / _ACROSS
            yield drafter.rule([(x, place.y), (x, place.top)], inner)
            yield drafter.rule([(place.x, y), (place.right, y)], inner)
        yield drafter.box(place, outer)

    def numbers(self, drafter: Drafter, size_pt: float, *, inset: float) -> Iterator[Item]:
        """Yield the number of each zone, in the upper left corner of its cell.

        ``size_pt`` is the type size in points, and ``inset`` the distance from the sides of the cell in printed mm.
        """
        style = drafter.type_style(Font.HEAVY, size_pt)
        for zone in ZONES:
            cell = self.cell(zone)
            position = (cell.x + inset, cell.top - inset - 0.72 * style.height)
            yield from drafter.text(str(zone), position, style, max_width_mm=cell.width)

    def edges(
        self, far: GridPlayer, near: GridPlayer, drafter: Drafter, *, size_pt: float = 10.0, gap: float = 1.6
    ) -> Iterator[Item]:
        """Yield the names of the players' edges above and below the grid, each between two lines.

        The far player is above, or below if the grid is turned. ``size_pt`` is the type size in points; ``gap`` is the
        distance of the names from the grid, in printed mm.
        """
        upper, lower = (near, far) if self.turned else (far, near)
        style = drafter.type_style(Font.BANNER, size_pt)
        capital = 0.72 * style.height
        for side, foot in ((upper, self.place.top + gap), (lower, self.place.y - gap - capital)):
            yield from draw_edge_name(
                side, Rect(self.place.x, foot, self.place.width, capital), drafter, size_pt=size_pt
            )


def draw_edge_name(side: GridPlayer, place: Rect, drafter: Drafter, *, size_pt: float = 10.0) -> Iterator[Item]:
    """Yield the name of a player's edge in the middle of a strip in printed mm, with a line on each side.

    ``size_pt`` is the preferred type size in points; a long name is smaller. A line that would be at most 1 mm long is
    left out.
    """
    style = drafter.type_style(Font.BANNER, size_pt, side.token, track=0.12 * size_pt / 10)
    length = measure(side.edge, shrink_to_fit(side.edge, style, place.width - 8.0))
    x, y = place.x + place.width / 2, place.y + place.height / 2
    yield from drafter.centred_text(side.edge, (x, y), style, max_width_mm=place.width - 8.0)
    for ends in ((place.x, x - length / 2 - 2.0), (x + length / 2 + 2.0, place.right)):
        if ends[1] - ends[0] > 1.0:
            yield drafter.dashed_line([(ends[0], y), (ends[1], y)], 0.5, side.dash, side.token)


def draw_medallion(
    text: str,
    centre: tuple[float, float],
    radius: float,
    drafter: Drafter,
    *,
    token: str = "ink",
    font: Font = Font.HEAVY,
) -> Iterator[Item]:
    """Yield a white letter or figure on a solid disc; centre and radius are in printed mm.

    ``token`` is the name of the ink of the disc.
    """
    style = TypeStyle.for_style(drafter.style, font, _LETTER * radius / MM_PER_POINT, WHITE)
    yield make_disc(centre, radius, drafter.style.solid(token))
    yield from drafter.centred_text(text, centre, style, max_width_mm=1.6 * radius)


# Height of a band with one row of text, in mm.
BAND: Final = 6.5

# Number of attempts to find the scale: on a smaller map the bands are narrower and may need more rows.
_TRIES: Final = 3

_GAP: Final = 1.2
_FRAME: Final = 0.8
_TYPE_PT: Final = 11.0
# Smallest share of the type size at which a text stays in one row.
_LEAST: Final = 0.65
_OUTLINE: Final = 0.45
# Half width and half length of the north arrow, in mm.
_ARROW: Final = (1.3, 2.1)
_INSET: Final = 2.5
_BESIDE: Final = 12.0


class EdgeNote(NamedTuple):
    """The text along an edge, and the style token of the ink of the player."""

    text: str
    token: str


def draw_player_view(
    field: Battlefield,
    width: float,
    height: float,
    drafter: Drafter,
    *,
    own_note: EdgeNote,
    enemy_note: EdgeNote,
    north: Edge,
) -> Drawing:
    """Return a board with its bands, as large as fits in ``width`` by ``height`` mm, at most at 1:1.

    Args:
        field: the battlefield, rotated so that the player's own edge is near.
        width: available width in mm.
        height: available height in mm.
        drafter: drawing tools with the random streams of the record, so that the ground looks the same as on its map.
        own_note: the note of the near edge; its band is solid, so that the two bands also differ in print without
            colour.
        enemy_note: the note of the far edge.
        north: the northern edge of the rotated field; an arrow in the near band points to it.
    """
    board = field.board
    words, style = drafter.words, drafter.style
    bands = 2 * BAND
    for _ in range(_TRIES):
        margins = bands + 2 * _GAP + _FRAME
        scale = min((width - _FRAME) / board.width, (height - margins) / board.depth, 1.0)
        bands = plain_sum(_band_height(*_fit_note(note, board.width * scale, style)) for note in (own_note, enemy_note))
    drawing = board_drawing(field, replace(drafter.at(scale), words=words.each()[0]), zones=False)
    framed_map = in_frame(drawing, style)
    own_band = _draw_band(own_note, framed_map.width, style, solid=True, north=north, letter=words("handouts.north"))
    enemy_band = _draw_band(enemy_note, framed_map.width, style, solid=False)
    foot = own_band.height + _GAP
    parts = [
        PlacedDrawing(own_band, 0.0, 0.0),
        PlacedDrawing(framed_map, 0.0, foot),
        PlacedDrawing(enemy_band, 0.0, foot + framed_map.height + _GAP),
    ]
    return joined(framed_map.width, foot + framed_map.height + _GAP + enemy_band.height, parts)


def _fit_note(note: EdgeNote, width: float, style: Style) -> tuple[tuple[str, ...], TypeStyle]:
    """Return the rows of a band ``width`` printed mm wide, and their type style.

    If a text in two languages does not fit in one row, each language begins a row of its own, and may need several. The
    type is made smaller, down to 0.65 of its size, before that.
    """
    type_style = TypeStyle.for_style(style, Font.ROMAN, _TYPE_PT, style.solid(note.token), track=0.2)
    available_mm = width - 2 * _BESIDE
    rows, type_style = fit_text(note.text, type_style, available_mm, lines=1, least_share=_LEAST)
    if len(rows) == 1:
        return rows, type_style
    parts = note.text.split(SEPARATOR)
    type_style = min(
        (fit_text(part, type_style, available_mm, lines=1, least_share=0.9)[1] for part in parts),
        key=lambda part_style: part_style.size_pt,
    )
    return tuple(row for part in parts for row in wrap_words(part, type_style, available_mm)), type_style


def _band_height(rows: Sequence[str], style: TypeStyle) -> float:
    """Return the height of a band with these rows, in printed mm.

    It is 6.5 mm, and the type size more for each row after the first.
    """
    return BAND + (len(rows) - 1) * style.height


def _draw_band(
    note: EdgeNote, width: float, style: Style, *, solid: bool, north: Edge | None = None, letter: str = ""
) -> Drawing:
    """Return a band ``width`` printed mm wide, solid or an outline, with the text of a note in the middle.

    It is 6.5 mm high, and the type size more for each row of text after the first. ``north`` adds an arrow that points
    to that edge, at the right end, with ``letter`` to its left; without it there is no arrow and no letter.
    """
    ink = style.solid(note.token)
    line_width = _OUTLINE * style.line_factor
    rows, type_style = _fit_note(note, width, style)
    height = _band_height(rows, type_style)
    inside = rectangle_corners(line_width / 2, line_width / 2, width - line_width, height - line_width)
    items: list[Item] = [make_polygon(inside, ink if solid else None, Stroke(ink, line_width, join=Join.MITRE))]
    text_ink = WHITE if solid else ink
    type_style = replace(type_style, ink=text_ink)
    for number, row in enumerate(rows):
        y = height - BAND / 2 - (number + 0.30) * type_style.height
        items += line(row, (width / 2, y), type_style, anchor=Anchor.MIDDLE)
    if north is not None:
        items += _draw_arrow(north, (width - _INSET, height / 2), text_ink, letter, style)
    return drawing_of(width, height, items)


def _draw_arrow(north: Edge, end: tuple[float, float], ink: Ink, letter: str, style: Style) -> list[Item]:
    """Return a north arrow with its letter to the left.

    ``end`` is the middle of the right end of the space for the arrow, in printed mm.
    """
    half, reach = _ARROW
    x, y = end[0] - reach, end[1]
    corners = {
        Edge.FAR: ((x, y + reach), (x - half, y - reach), (x, y - reach / 2), (x + half, y - reach)),
        Edge.NEAR: ((x, y - reach), (x + half, y + reach), (x, y + reach / 2), (x - half, y + reach)),
        Edge.LEFT: ((x - reach, y), (x + reach, y - half), (x + reach / 2, y), (x + reach, y + half)),
        Edge.RIGHT: ((x + reach, y), (x - reach, y + half), (x - reach / 2, y), (x - reach, y - half)),
    }
    type_style = TypeStyle.for_style(style, Font.FIGURES, 8.0, ink)
    foot = (x - reach - 1.0 - measure(letter, type_style), y - 0.36 * type_style.height)
    return [make_polygon(corners[north], ink), *line(letter, foot, type_style)]


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
    items.append(make_rectangle((0.0, 0.0, width, height), None, stroke))
    if surround != _NOTHING_BEYOND:
        items.append(make_rectangle((-left, -near, board.width, board.height), None, stroke))
    items += _draw_ruler(Rect(-left, -near, board.width, board.height), width, height, scale, style)
    for outline in chalk:
        items.append(make_polygon([(x * scale, y * scale) for x, y in outline], None, Stroke(ink, 0.35, dash=_CHALK)))
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
    pale = ink.mix(WHITE, 0.45)
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
    yield make_polygon(outline, None, Stroke(WHITE, 1.1))
    yield make_polygon(outline, None, Stroke(ink, 0.45))
    yield make_lozenge((piece.corner[0] * scale, piece.corner[1] * scale), _POINT, _POINT, ink)
    middle = plain_sum(x for x, _ in outline) / len(outline), plain_sum(y for _, y in outline) / len(outline)
    type_style = TypeStyle.for_style(style, Font.BANNER, _POINT_PT, ink).with_halo(Stroke(WHITE, 1.2))
    yield from line(piece.name, (middle[0], middle[1] - 0.34 * type_style.height), type_style, anchor=Anchor.MIDDLE)


def _draw_mark(
    mark: PlanMark, position: tuple[float, float], size: tuple[float, float], style: Style
) -> Iterator[Item]:
    """Yield a small lozenge at ``position`` and the name next to it, on the inner side near an edge.

    ``position`` and the ``size`` of the board (width, height) are in printed mm.
    """
    ink, paper = style.solid("ink"), WHITE
    x, y = position
    type_style = TypeStyle.for_style(style, Font.BANNER, _POINT_PT, ink).with_halo(Stroke(paper, 1.0))
    yield make_lozenge((x, y), _POINT, _POINT, paper, Stroke(ink, 0.3))
    is_left = x > size[0] - 9.0
    is_below = y > size[1] - 5.0
    foot = y - 1.2 - 0.72 * type_style.height if is_below else y + 1.1
    yield from line(
        mark.name, (x - 1.4 if is_left else x + 1.4, foot), type_style, anchor=Anchor.END if is_left else Anchor.START
    )
