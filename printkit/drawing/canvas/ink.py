"""Estimate the ink of drawings from areas, lengths and characters, without rendering them.

An ink share is the mean of C + M + Y + K: 0 for white paper, 1 for solid black, 2 for solid red.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Final

import msgspec

from printkit.core.resources import resource
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import GRID, Drawing, Ink, Item, Path, PathRun, Picture, Stamp, Text
from printkit.drawing.canvas.layers import known_ink, parts_of
from printkit.drawing.canvas.style import Style

_WHITE: Final = 255
# The share of a square as high as the type that the strokes of an average letter cover.
_LETTER_SHARE: Final = 0.075
# The ink of a texture or a sprite, and of paper with either of them.
_PICTURE_SHARE: Final = 0.6


def estimate_ink(drawing: Drawing) -> float:
    """Return the estimated ink share of a drawing. Boards and swatches are not drawn for it: their share is known."""
    share = known_ink(drawing)
    if share is not None:
        return share
    area = drawing.width * drawing.height
    if area <= 0:
        return 0.0
    parts = parts_of(drawing)
    if parts:
        drawings = [part.drawing for part in parts]
        return plain_sum(estimate_ink(part) * part.width * part.height for part in drawings) / area
    return _sum_items(item for _, item in drawing.items()) / area


def symbol_inks(style: Style) -> Mapping[str, float]:
    """Return the ink share of each symbol in a style, by the key of its legend entry; ``ground`` is open ground.

    The numbers are measured from the swatches of the built-in styles. The style of a user has the numbers of the most
    similar built-in style.
    """
    inks = _load_inks()
    similar_style = "painted" if style.painted else "campaign" if style.washes else "ink-saver"
    return inks.get(style.name, inks[similar_style])


@cache
def _load_inks() -> Mapping[str, Mapping[str, float]]:
    """Return the ink shares of the symbols of each built-in style."""
    return msgspec.json.decode(
        resource("templates/patterns", "ink.json").read_bytes(), type=dict[str, dict[str, float]]
    )


def ink_amount(ink: Ink) -> float:
    """Return the ink share of a solid colour, thinned by its opacity."""
    return (_WHITE + 2 * max(ink[:3]) - sum(ink[:3])) / _WHITE * ink.alpha


def _sum_items(items: Iterable[Item]) -> float:
    """Return the sum of ink share times covered area of items, in mm² on paper."""
    return plain_sum(_measure_item(item) for item in items)


def _measure_item(item: Item) -> float:
    """Return ink share times covered area of an item, in mm² on paper."""
    match item:
        case Path():
            fill_amount = (
                0.0 if item.fill is None else abs(plain_sum(map(_signed_area, item.runs))) * ink_amount(item.fill)
            )
            if item.stroke is None:
                return fill_amount
            length = plain_sum(map(_length, item.runs))
            return fill_amount + length * item.stroke.width * ink_amount(item.stroke.ink)
        case Text():
            height = item.size_pt * MM_PER_POINT
            return len(item.content.replace(" ", "")) * height * height * _LETTER_SHARE * ink_amount(item.ink)
        case Stamp():
            artwork = _sum_items((*item.artwork.paths, *item.artwork.pictures))
            return artwork * plain_sum(abs(place.a * place.d - place.b * place.c) for place in item.places)
        case Picture():
            amount = ink_amount(item.paint) if isinstance(item.paint, Ink) else _PICTURE_SHARE
            return item.frame.width * item.frame.height * amount * item.alpha * (1 - item.veil)


def _points(run: PathRun) -> list[tuple[int, int]]:
    """Return the points of a run in units of 0.01 mm; those of a closed run end with the first one."""
    points = list(zip(run.points[::2], run.points[1::2], strict=True))
    return [*points, points[0]] if run.closed else points


def _signed_area(run: PathRun) -> float:
    """Return the area inside a run in mm², negative if it runs clockwise; an open run is closed for it."""
    points = _points(run)
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise([*points, points[0]])) / 2 * GRID * GRID


def _length(run: PathRun) -> float:
    """Return the length of a run in mm."""
    return plain_sum(math.dist(first, last) for first, last in pairwise(_points(run))) * GRID
