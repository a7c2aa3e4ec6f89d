"""Fades a drawing towards paper, so that one can write and draw upon it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from printkit.drawing.canvas.items import Artwork, Drawing, Ink, Item, Layer, Path, Stamp, Stroke, Text

_PAPER: Final = Ink(255, 255, 255)


def faded(drawing: Drawing, share: float, *, paper: Ink = _PAPER) -> Drawing:
    """Return the drawing with every ink mixed with ``share`` of the paper's; 0 leaves it, 1 leaves nothing."""
    artworks: dict[Artwork, Artwork] = {}

    def mixed(ink: Ink) -> Ink:
        return ink.towards(paper, share)

    def item_of(item: Item) -> Item:
        match item:
            case Path():
                return _path(item, mixed)
            case Text():
                return replace(item, ink=mixed(item.ink), halo=_stroke(item.halo, mixed))
            case Stamp():
                # One artwork stays one, for a writer holds it once.
                if item.artwork not in artworks:
                    paths = tuple(_path(path, mixed) for path in item.artwork.paths)
                    artworks[item.artwork] = Artwork(f"{item.artwork.name}/faded", paths)
                return replace(item, artwork=artworks[item.artwork])

    layers = tuple(
        Layer(layer.name, tuple(item_of(item) for item in layer.items), layer.clip) for layer in drawing.layers
    )
    return Drawing(drawing.width, drawing.height, layers)


def _path(path: Path, mixed: Callable[[Ink], Ink]) -> Path:
    return replace(path, fill=path.fill and mixed(path.fill), stroke=_stroke(path.stroke, mixed))


def _stroke(stroke: Stroke | None, mixed: Callable[[Ink], Ink]) -> Stroke | None:
    return None if stroke is None else replace(stroke, ink=mixed(stroke.ink))
