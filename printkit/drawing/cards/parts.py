"""The ground of a card, its border of rounded rules, and the window of its picture with hollow corners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import shapely
from shapely import Point, box
from shapely.geometry.base import BaseGeometry

from printkit.content.cards import CardSize
from printkit.drawing.canvas.items import Cap, Drawing, Ink, Item, Join, Layer, LayerName, Path, Rect, Stroke
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.cards.card_desk import CardDesk
from printkit.drawing.cards.layouts import Rule

_ROUND: Final = 16
_OVER: Final = 0.5


def card_drawing(size: CardSize, grounds: Iterable[Item], items: Iterable[Item], *between: Layer) -> Drawing:
    """Return a side of a card, as large as the card is cut; only grounds reach over the cut, by the bleed.

    Args:
        size: of the card.
        grounds: what lies lowest.
        items: what lies uppermost.
        between: layers between the two.
    """
    below, above = tuple(grounds), tuple(items)
    layers = [Layer(LayerName.SHEET, below), *between, Layer(LayerName.MARGIN, above)]
    return Drawing(size.width, size.height, tuple(layer for layer in layers if layer.items))


def ground(bench: CardDesk, *, ink: Ink | None = None) -> list[Path]:
    """Return the ground of a card and of its bleed; a white one is the paper's own."""
    shown = ink or bench.ground
    return [] if shown[:3] == (255, 255, 255) else fill(box(*beyond(bench.size)), shown)


def beyond(size: CardSize) -> tuple[float, float, float, float]:
    """Return left, low, right and high of a card with its bleed."""
    return -size.bleed, -size.bleed, size.width + size.bleed, size.height + size.bleed


def rounded(size: CardSize, inset: float, radius: float) -> BaseGeometry:
    """Return a rounded oblong, ``inset`` mm inside the cut."""
    inner = inset + radius
    return box(inner, inner, size.width - inner, size.height - inner).buffer(radius, quad_segs=_ROUND)


def border(bench: CardDesk, rules: Iterable[Rule]) -> Iterator[Path]:
    """Yield the rules of the border."""
    for rule in rules:
        stroke = Stroke(bench.style.solid("ink"), bench.line(rule.line), join=Join.MITRE)
        yield from outline(rounded(bench.size, rule.inset, rule.radius), stroke)


def hollowed(picture: Rect, radius: float) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the window of a picture, its corners cut by arcs about them, and what the arcs cut away."""
    whole = box(picture.x, picture.y, picture.right, picture.top)
    spots = [Point(x, y) for x in (picture.x, picture.right) for y in (picture.y, picture.top)]
    cut = shapely.union_all([spot.buffer(radius, quad_segs=_ROUND) for spot in spots])
    # A printer would leave a hair of the picture where its edge and that of its cover fell together.
    return whole.difference(cut), cut.intersection(whole.buffer(_OVER, join_style="mitre"))


def straight(bench: CardDesk, points: list[tuple[float, float]], width: float, token: str = "ink") -> list[Path]:
    """Return a rule with square ends."""
    stroke = Stroke(bench.style.solid(token), bench.line(width), cap=Cap.BUTT, join=Join.MITRE)
    return outline(shapely.LineString(points), stroke)
