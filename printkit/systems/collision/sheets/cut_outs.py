"""What is cut out to play with columns: markers and templates, true to size (CC-A07, CC-A08)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from printkit.content.prose import Paragraph
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.canvas.layers import Placed, joined
from printkit.drawing.text.leaflet_heads import running_head
from printkit.drawing.text.sheet_desk import SheetDesk, plain
from printkit.page.leaflets import leaflet_sheets, room
from printkit.page.sheet import Page
from printkit.page.shelves import shelved
from printkit.recipes.output.handout import Handout
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.columns_check import baggage_depth
from printkit.systems.collision.march.readings import Readings
from printkit.systems.collision.sheets.column_markers import Plate, baggage_tile, entry_arrow, plate, words_plate
from printkit.systems.collision.sheets.column_templates import TemplatesSaid, edge_corner, edge_square, queue, strip

_HEAD: Final = 16.0
_SQUARE: Final = 4
_ARM: Final = 2
_STRIPS: Final = (4, 2)
_TOKENS: Final = {Role.DEFENDER: "side-red", Role.ATTACKER: "side-blue"}
"""The colours of both sides, as on the blank edge map."""


def cut_pages(handout: Handout) -> tuple[Page, ...]:
    """Return markers and templates for the bases of a board.

    Raises:
        PageError: the paper is too small.
    """
    return (*marker_pages(handout), *template_pages(handout))


def marker_pages(handout: Handout) -> tuple[Page, ...]:
    """Return baggage, plates of the columns, arrows, plates "half on" and "out" for both sides (CC-A07).

    Raises:
        PageError: the paper is too small.
    """
    words, desk = handout.words, SheetDesk(style=handout.style, words=handout.words)
    base = handout.record.battlefield.board.scale.base_width
    depth = baggage_depth(Readings(handout.record.settings), base)
    blocks: list[Drawing] = []
    for role, token in _TOKENS.items():
        side = _each(words, f"columns.role.{role.value}")
        blocks += (plate(Plate(str(number), side, token), desk) for number in (1, 2, 3))
        blocks.append(entry_arrow(_each(words, "columns.markers.entry"), token, desk))
    blocks += [baggage_tile(base, depth, _each(words, "columns.markers.baggage"), desk)] * len(_TOKENS)
    half = words_plate(_each(words, "columns.markers.half"), desk)
    out = tuple(f"{one('columns.markers.general')}: {one('columns.markers.out')}" for one in words.each())
    blocks += [*([half] * 2 * len(_TOKENS)), *([words_plate(out, desk)] * len(_TOKENS))]
    return _pages(blocks, "markers", handout)


def template_pages(handout: Handout) -> tuple[Page, ...]:
    """Return the edge square whole and as two corners, measuring strips, the queue beside the board (CC-A08).

    Where a whole square is larger than the paper its four corners stand for it.

    Raises:
        PageError: the paper is too small.
    """
    words, desk = handout.words, SheetDesk(style=handout.style, words=handout.words)
    base = handout.record.battlefield.board.scale.base_width
    free, side = room(handout.sheet, measured=True), _SQUARE * base
    said = _said(words)
    whole = side <= min(free.width, free.height - _HEAD)
    blocks = [edge_square(side, base, said, desk)] if whole else []
    for count in _STRIPS:
        length = count * base
        text = words.each()[0]("columns.templates.strip", n=count)
        blocks.append(strip(length, base, text, desk, upright=length > free.width))
    blocks += [edge_corner(_ARM * base, base, said, desk)] * 4
    # A strip for each column that waits beside the board: the second and the third of both sides.
    deep = _place_depth(base, free.height - _HEAD)
    note = words.each()[0]("columns.templates.queue-note")
    for role, token in _TOKENS.items():
        for column in (2, 3):
            one = words.each()[0]
            name = one("columns.templates.queue-of", side=one(f"columns.role.{role.value}"), n=column)
            blocks.append(queue(base, deep, (name, note), token, desk))
    return _pages(blocks, "templates", handout)


def _place_depth(base: float, height: float) -> float:
    """Return how deep a place of the queue is: a base, or what six of them have on the paper."""
    return min(base, (height - 12.0) / 6 - 0.1)


def _said(words: Words) -> TemplatesSaid:
    return TemplatesSaid(
        square=words("columns.templates.square"),
        clear=words("columns.sheet.clear-square"),
        corner=_each(words, "columns.templates.corner"),
        clear_rows=_each(words, "columns.sheet.clear-square"),
        queue_note=words("columns.templates.queue-note"),
        edge=words("columns.templates.edge"),
    )


def _each(words: Words, key: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one(key) for one in words.each()))


def _pages(blocks: Sequence[Drawing], key: str, handout: Handout) -> tuple[Page, ...]:
    """Return blocks on as few pages as they fit, under a head that says what they are."""
    words = handout.words
    free = room(handout.sheet, measured=True)
    space = Rect(0.0, 0.0, free.width, free.height - _HEAD)
    spots = shelved(blocks, space, space)
    title = words(f"columns.{key}.title")
    top = running_head(title, free.width, handout.style)
    desk = SheetDesk(style=handout.style, words=words)
    how = desk.prose((Paragraph(words(f"columns.{key}.how")),), Rect(0.0, 1.0, free.width, _HEAD - top.height - 1.0))
    drawings = []
    for number in range(1 + max(spot.page for spot in spots)):
        parts = [Placed(spot.drawing, spot.x, spot.y) for spot in spots if spot.page == number]
        head = [Placed(top, 0.0, free.height - top.height), Placed(plain(free.width, _HEAD, how), 0.0, space.height)]
        drawings.append(joined(free.width, free.height, [*head, *parts]))
    name = words(f"columns.{key}.bookmark")
    return leaflet_sheets(drawings, handout.sheet, words=words, bookmark=name, label=name, measured=True)
