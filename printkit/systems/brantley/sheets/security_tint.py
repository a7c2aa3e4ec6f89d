"""The tint on the covers of secret sheets: suits of all kinds, sizes and bearings, close together on a full ground.

What is printed behind it has the same shapes at the same size, so that against a lamp one cannot tell them apart. It
is the same for every game and every card, and so gives nothing away itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Final

from printkit.chance.streams import Jitter
from printkit.content.cards import Suit
from printkit.drawing.canvas.items import Affine, Artwork, Ink, Join, Layer, LayerName, Path, Rect, Run, Stamp, Stroke
from printkit.drawing.canvas.shapes import runs
from printkit.drawing.canvas.style import Style
from printkit.drawing.cards.suits import suit_shape
from printkit.drawing.text.setting import oblong, patch

_PITCH: Final = 4.2
_HEIGHT: Final = 4.3
_SIZES: Final = (0.70, 1.06)
_ASIDE: Final = 0.85
_CLOSE: Final = 0.84
_FRAME: Final = ((0.0, 1.0), (2.0, 0.4))
"""How far inside the rectangle the rules of its frame lie, and how wide they are."""


def tinted(place: Rect, style: Style) -> tuple[Layer, ...]:
    """Return the ground, the pattern and the frame of a tint that fills a rectangle."""
    ground = patch(oblong(*place), style.solid("card-back"))
    ink = style.solid("card-back" if style.washes else "ink")
    frame = tuple(
        patch(oblong(*place.grown(-inset)), None, Stroke(ink, width, join=Join.MITRE)) for inset, width in _FRAME
    )
    suits = tuple(Stamp(_artwork(suit, style.solid("card-back-line")), places) for suit, places in _strewn(place))
    return (
        Layer(LayerName.PAPER, (ground,)),
        Layer(LayerName.GROUND_PATTERN, suits, place),
        Layer(LayerName.FRAME, frame),
    )


def _strewn(place: Rect) -> Iterator[tuple[Suit, tuple[Affine, ...]]]:
    """Yield each suit with its places: rows closer than the suits are high, every other row half a step aside."""
    stream = Jitter(0).stream("sheets/tint")
    found: dict[Suit, list[Affine]] = {suit: [] for suit in Suit}
    kinds = list(Suit)
    rows = math.ceil(place.height / (_CLOSE * _PITCH)) + 1
    columns = math.ceil(place.width / _PITCH) + 2
    for row in range(rows):
        for column in range(columns):
            x = place.x + (column - 0.5 * (row % 2)) * _PITCH + stream.between(-_ASIDE, _ASIDE)
            y = place.y + _CLOSE * row * _PITCH + stream.between(-_ASIDE, _ASIDE)
            turn, size = stream.between(0.0, 2 * math.pi), stream.between(*_SIZES)
            across, up = size * math.cos(turn), size * math.sin(turn)
            found[kinds[stream.below(len(kinds))]].append(Affine(across, up, -up, across, x, y))
    for suit, places in found.items():
        yield suit, tuple(places)


@cache
def _artwork(suit: Suit, ink: Ink) -> Artwork:
    return Artwork(f"tint-{suit.name.lower()}", (Path(_shape(suit), fill=ink),))


def _shape(suit: Suit) -> tuple[Run, ...]:
    return runs(suit_shape(suit, _HEIGHT, (0.0, 0.0)))
