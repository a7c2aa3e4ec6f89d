"""Puts drawings together: gathers what signs laid, moves it, joins it, and stacks blocks on pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from operator import add

from printkit.drawing.items import GRID, Affine, Drawing, Item, Layer, LayerName, Path, Rect, Run, Stamp, Text


@dataclass(frozen=True, slots=True)
class Placed:
    """A drawing and where its lower left corner comes to lie, in mm."""

    drawing: Drawing
    x: float
    y: float


def gathered(laid: Iterable[tuple[LayerName, Item]], *, clip: Rect | Run | None = None) -> tuple[Layer, ...]:
    """Return the layers of what was laid, in painting order; items of a layer keep the order in which they came."""
    found: dict[LayerName, list[Item]] = {}
    for name, item in laid:
        found.setdefault(name, []).append(item)
    return tuple(Layer(name, tuple(found[name]), clip) for name in LayerName if name in found)


def joined(width: float, height: float, parts: Iterable[Placed]) -> Drawing:
    """Return one drawing of several; equal layers follow one another in the order of the parts."""
    layers = [layer for part in parts for layer in moved(part.drawing.layers, part.x, part.y)]
    order = {name: place for place, name in enumerate(LayerName)}
    layers.sort(key=lambda layer: order[layer.name])
    found: list[Layer] = []
    for layer in layers:
        if found and (found[-1].name, found[-1].clip) == (layer.name, layer.clip):
            found[-1] = Layer(layer.name, found[-1].items + layer.items, layer.clip)
        else:
            found.append(layer)
    return Drawing(width, height, tuple(found))


def padded(drawing: Drawing, by: float) -> Drawing:
    """Return the drawing with ``by`` mm of room on every side."""
    return joined(drawing.width + 2 * by, drawing.height + 2 * by, [Placed(drawing, by, by)])


def moved(layers: Iterable[Layer], by_x: float, by_y: float) -> tuple[Layer, ...]:
    """Return layers moved by mm, to the hundredth that the grid of the display list knows."""
    across, up = round(by_x / GRID), round(by_y / GRID)
    if not across and not up:
        return tuple(layers)
    return tuple(
        Layer(
            layer.name,
            tuple(_moved(item, across, up) for item in layer.items),
            _moved_clip(layer.clip, across, up),
        )
        for layer in layers
    )


def flattened(layers: Iterable[Layer], name: LayerName, clip: Rect | None) -> Layer:
    """Return all items in painting order on one layer, as a picture within a picture needs."""
    return Layer(name, tuple(item for layer in layers for item in layer.items), clip)


def _moved_clip(clip: Rect | Run | None, across: int, up: int) -> Rect | Run | None:
    match clip:
        case None:
            return None
        case Rect():
            return clip._replace(x=clip.x + across * GRID, y=clip.y + up * GRID)
        case Run():
            return _moved_run(clip, across, up)


def _moved_run(run: Run, across: int, up: int) -> Run:
    return Run(tuple(map(add, run.points, cycle((across, up)))), run.closed)


def _moved(item: Item, across: int, up: int) -> Item:
    match item:
        case Path():
            runs = tuple([_moved_run(run, across, up) for run in item.runs])
            return Path(runs, item.fill, item.stroke, item.rule)
        case Text():
            x, y = across * GRID, up * GRID
            glyphs = tuple((foot_x + x, foot_y + y, angle) for foot_x, foot_y, angle in item.glyphs)
            return replace(item, at=(item.at[0] + x, item.at[1] + y), glyphs=glyphs)
        case Stamp():
            x, y = across * GRID, up * GRID
            return Stamp(item.artwork, tuple([_shifted(place, x, y) for place in item.places]))


def _shifted(place: Affine, x: float, y: float) -> Affine:
    return place._replace(e=place.e + x, f=place.f + y)


def stacked(width: float, height: float, blocks: Sequence[Drawing], *, gap: float = 6.0) -> tuple[Drawing, ...]:
    """Return drawings of ``width`` by ``height`` mm with the blocks from top to bottom, each centred.

    A block that no longer fits below the others begins the next drawing; one that is higher than a page gets a page
    of its own and must be cut by the caller beforehand.
    """
    pages: list[list[Placed]] = []
    left = 0.0
    for made in blocks:
        if not pages or made.height > left + 1e-6:
            pages.append([])
            left = height
        pages[-1].append(Placed(made, (width - made.width) / 2, left - made.height))
        left -= made.height + gap
    return tuple(joined(width, height, parts) for parts in pages)
