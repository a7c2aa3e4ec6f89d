"""The specimen sheet: every sign of a style in a field of its own, with its name and its going where systems differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

from shapely import box

from printkit.chance.streams import Jitter
from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import Placed, flattened, gathered, joined
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.furniture.samples import Specimen, overlay_specimens, specimens
from printkit.drawing.lettering.lettering import fitted
from printkit.drawing.map.overlays import overlaid
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.signs.relief.ground import ground
from printkit.drawing.text.drafter import Desk
from printkit.terrain.geometry.roughness import Noise

FIELD: Final = (66.0, 46.0)
COLUMNS: Final = 12
_GAP: Final = (6.0, 15.0)
_MARGIN: Final = 20.0
_HEAD: Final = 34.0

Goings = Callable[[Specimen], str]
"""What the rule systems say of the ground that a specimen shows, in words; empty where none knows it."""


def specimen_sheet(style: Style, words: Words, goings: Goings) -> Drawing:
    """Return all signs on one sheet at the size of a 1:1 board.

    Args:
        style: the symbol set.
        words: for titles and names; the keys ``kind.*`` and ``specimen.*``.
        goings: see ``Goings``.
    """
    pen = Pen(style=style, jitter=Jitter(0), noise=Noise.of(Jitter(0).stream("draw/noise")))
    desk = Desk(pen=pen, words=words)
    shown = [*specimens(), *overlay_specimens()]
    rows = math.ceil(len(shown) / COLUMNS)
    width = 2 * _MARGIN + COLUMNS * FIELD[0] + (COLUMNS - 1) * _GAP[0]
    height = 2 * _MARGIN + _HEAD + rows * (FIELD[1] + _GAP[1])
    parts = [Placed(_sheet(width, height, desk), 0.0, 0.0)]
    for place, specimen in enumerate(shown):
        row, column = divmod(place, COLUMNS)
        x = _MARGIN + column * (FIELD[0] + _GAP[0])
        y = height - _MARGIN - _HEAD - row * (FIELD[1] + _GAP[1]) - FIELD[1]
        parts.append(Placed(specimen_field(specimen, pen), x, y))
        parts.append(Placed(_named(specimen, desk, goings(specimen)), x, y - _GAP[1]))
    return joined(width, height, parts)


def specimen_field(specimen: Specimen, pen: Pen) -> Drawing:
    """Return one sign on its ground in a ruled field."""
    width, height = FIELD
    field = specimen.field(width, height)
    board = box(0, 0, width, height)

    def laid() -> Iterator[tuple[LayerName, Item]]:
        yield from ground(board, pen, box(0, 0, 0, 0))
        yield from draw(field, pen)
        yield from overlaid(field, Desk(pen=pen, words=Words(("en",))))

    clip = Rect(0.0, 0.0, width, height)
    picture = flattened(gathered(laid()), LayerName.MARGIN, clip)
    rule = Desk(pen=pen, words=Words(("en",))).rule(board, 0.45)
    return Drawing(width, height, (picture, Layer(LayerName.MARGIN, tuple(rule))))


def specimen_name(specimen: Specimen, words: Words) -> str:
    """Return the name of a specimen: the word of its kind, or of what is special about it."""
    key = f"specimen.{specimen.key}"
    return words(key) if words.has(key) else words(f"kind.{specimen.key}")


def _sheet(width: float, height: float, desk: Desk) -> Drawing:
    items: list[Item] = []
    if desk.style.washes:
        items += fill(box(0, 0, width, height), desk.style.ink("sheet"))
    items += desk.rule(box(7, 7, width - 7, height - 7), 1.2)
    items += desk.rule(box(9, 9, width - 9, height - 9), 0.35)
    top = height - _MARGIN
    title = desk.words("specimen.title")
    items += desk.text(title, width / 2, top - 11, desk.hand(Font.ROMAN, 44, track=0.8), anchor=Anchor.MIDDLE)
    under = desk.words("specimen.subtitle", style=desk.style.name)
    hand = desk.hand(Font.ITALIC, 18, "ink-secondary", track=0.2)
    items += desk.text(under, width / 2, top - 21, hand, anchor=Anchor.MIDDLE)
    return Drawing(width, height, (Layer(LayerName.SHEET, tuple(items)),))


def _named(specimen: Specimen, desk: Desk, going: str) -> Drawing:
    """Return name and going, centred in what lies below a field."""
    width, height = FIELD[0], _GAP[1]
    items: list[Item] = []
    foot = height - 5.6
    for text, font, size, token in (
        (specimen_name(specimen, desk.words), Font.ROMAN, 15.0, "ink"),
        (going, Font.ITALIC, 9.5, "ink-secondary"),
    ):
        lines, hand = fitted(text, desk.hand(font, size, token), width, least=0.6)
        for line in lines[:1] if text else ():
            items += desk.text(line, width / 2, foot, hand, anchor=Anchor.MIDDLE)
        foot -= 4.6
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))
