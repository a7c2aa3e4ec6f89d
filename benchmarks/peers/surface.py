"""How a display list comes to a peer: sheet by sheet, and of each sheet only what its window shows.

A peer says how it draws a path, a text, a stamp; the way through the sheets is the same for all. Points are millimetres
with y up, as on paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import GRID, Affine, Artwork, Drawing, Item, Path, PathRun, Rect, Stamp, Text
from printkit.drawing.lettering.extent import Extent, box_of, extents, text_foot, window_of
from printkit.drawing.lettering.typefaces import typeface
from printkit.page.sheet import Document, Placement

MITRE_LIMIT = 10.0
"""That of PDF, which the display list takes for granted."""


class Surface(Protocol):
    """What a peer can do."""

    def page(self, width: float, height: float) -> None:
        """Begin a sheet of so many mm; what is drawn from then on stands on it."""

    def within(self, clip: Rect | PathRun | None, transform: Affine) -> AbstractContextManager[None]:
        """Cut what is drawn inside to ``clip``, then transform it."""

    def path(self, path: Path) -> None:
        """Draw a path."""

    def text(self, text: Text) -> None:
        """Draw a line of type."""

    def stamp(self, artwork: Artwork, places: Sequence[Affine]) -> None:
        """Draw a picture at several places, one after the other."""


class Letter(NamedTuple):
    """A piece of a text that stands at a place of its own: x, y in mm, angle in degrees."""

    content: str
    x: float
    y: float
    angle: float


def draw(document: Document, surface: Surface, *, culled: bool = True) -> None:
    """Draw every sheet; ``culled``: only what shows on it, as a careful person would have it."""
    bounds: dict[int, list[list[list[Extent]]]] = {}
    for page in document.pages:
        whole = Rect(0.0, 0.0, page.sheet.width, page.sheet.height)
        surface.page(whole.width, whole.height)
        for placement in page.placements:
            drawing = placement.drawing
            if culled and id(drawing) not in bounds:
                bounds[id(drawing)] = [[extents(item) for item in layer.items] for layer in drawing.layers]
            with surface.within(placement.clip, placement.transform):
                _layers(drawing, surface, _window(placement, whole), bounds.get(id(drawing)))


def _window(placement: Placement, whole: Rect) -> Extent:
    return window_of(whole if placement.clip is None else placement.clip, placement.transform)


def _layers(drawing: Drawing, surface: Surface, window: Extent, bounds: list[list[list[Extent]]] | None) -> None:
    for place, layer in enumerate(drawing.layers):
        if bounds is None:
            shown: list[tuple[Item, list[bool] | None]] = [(item, None) for item in layer.items]
        else:
            if isinstance(layer.clip, Rect) and not box_of(layer.clip).meets(window):
                continue
            met = [[box.meets(window) for box in boxes] for boxes in bounds[place]]
            shown = [(item, meets) for item, meets in zip(layer.items, met, strict=True) if any(meets)]
        if shown:
            with surface.within(layer.clip, Affine()):
                for item, meets in shown:
                    _item(item, surface, meets)


def _item(item: Item, surface: Surface, meets: list[bool] | None) -> None:
    match item:
        case Path():
            if item.runs and (item.fill is not None or item.stroke is not None):
                surface.path(item)
        case Text():
            if item.content.strip():
                surface.text(item)
        case Stamp():
            places = item.places
            if meets is not None:
                places = tuple(place for place, meet in zip(places, meets, strict=True) if meet)
            surface.stamp(item.artwork, places)


def points_of(run: PathRun) -> list[tuple[float, float]]:
    """Return the points of a run in mm."""
    values = [value * GRID for value in run.points]
    return list(zip(values[::2], values[1::2], strict=True))


def em(text: Text) -> float:
    """Return the size of a text in mm."""
    return text.size_pt * MM_PER_POINT


def lines_of(text: Text) -> Iterator[Letter]:
    """Yield the text in as few pieces as it can be set in: whole, or letter by letter along its curve."""
    if not text.glyphs:
        x, y = text_foot(text)
        yield Letter(text.content, x, y, text.angle)
        return
    letters = text.content if len(text.glyphs) == len(text.content) else text.content.replace(" ", "")
    for letter, (x, y, angle) in zip(letters, text.glyphs, strict=True):
        if letter != " ":
            yield Letter(letter, x, y, angle)


def letters_of(text: Text) -> Iterator[Letter]:
    """Yield the text letter by letter, for a peer that cannot space them."""
    if text.glyphs:
        yield from lines_of(text)
        return
    (x, y), turn = text_foot(text), math.radians(text.angle)
    for letter in text.content:
        if letter != " ":
            yield Letter(letter, x, y, text.angle)
        step = float(typeface(text.font).stringWidth(letter, 1.0)) * em(text) + text.track
        x, y = x + step * math.cos(turn), y + step * math.sin(turn)
