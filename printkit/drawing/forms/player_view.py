"""The battlefield as one player sees it, with bands along their own edge and the enemy's edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from printkit.core.sums import plain_sum
from printkit.core.words import SEPARATOR
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Join, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, line, measure, wrap_text
from printkit.drawing.map.board_drawing import board_drawing, in_frame
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.text_styles import drawing_of, oblong, patch
from printkit.terrain.field.battlefield import Battlefield, Edge

# Height of a band with one row of text, in mm.
BAND: Final = 6.5

# Number of attempts to find the scale: on a smaller map the bands are narrower and may need more rows.
_TRIES: Final = 3

_GAP: Final = 1.2
_FRAME: Final = 0.8
_TYPE_PT: Final = 11.0
# Smallest share of the type size at which a text stays in one row.
_LEAST: Final = 0.65
_PAPER: Final = Ink(255, 255, 255)
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
    return tuple(
        row
        for part in parts
        for row in wrap_text(part, type_style.font, type_style.size_pt, available_mm, track=type_style.track)
    ), type_style


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
    inside = oblong(line_width / 2, line_width / 2, width - line_width, height - line_width)
    items: list[Item] = [patch(inside, ink if solid else None, Stroke(ink, line_width, join=Join.MITRE))]
    text_ink = _PAPER if solid else ink
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
    return [patch(corners[north], ink), *line(letter, foot, type_style)]
