"""Combine drawings: group items by layer, move, join, stack on pages, rotate, and fade towards paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, cycle, groupby
from operator import add
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.drawing.canvas.items import (
    GRID,
    Affine,
    Artwork,
    Drawing,
    Ink,
    Item,
    Layer,
    LayerName,
    Path,
    PathRun,
    Picture,
    Rect,
    Stamp,
    Stroke,
    Text,
)

# --- Fade a drawing towards paper, to write and draw on it ------------------------------------------------------------

_PAPER: Final = Ink(255, 255, 255)


def tinted_towards_paper(drawing: Drawing, share: float, *, paper: Ink = _PAPER) -> Drawing:
    """Return the drawing with ``share`` of the paper colour in every ink (0: unchanged, 1: paper)."""
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
                # Fade each artwork only once, because a writer stores it once.
                if item.artwork not in artworks:
                    paths = tuple(_path(path, mixed) for path in item.artwork.paths)
                    pictures = tuple(_faded(picture, mixed, share) for picture in item.artwork.pictures)
                    artworks[item.artwork] = Artwork(f"{item.artwork.name}/faded", paths, pictures)
                return replace(item, artwork=artworks[item.artwork])
            case Picture():
                return _faded(item, mixed, share)

    layers = tuple(
        Layer(layer.name, tuple(item_of(item) for item in layer.items), layer.clip) for layer in drawing.layers
    )
    return Drawing(drawing.width, drawing.height, layers)


def _faded(picture: Picture, mixed: Callable[[Ink], Ink], share: float) -> Picture:
    if isinstance(picture.paint, Ink):
        return replace(picture, paint=mixed(picture.paint))
    return replace(picture, veil=1 - (1 - picture.veil) * (1 - share))


def _path(path: Path, mixed: Callable[[Ink], Ink]) -> Path:
    return replace(path, fill=path.fill and mixed(path.fill), stroke=_stroke(path.stroke, mixed))


def _stroke(stroke: Stroke | None, mixed: Callable[[Ink], Ink]) -> Stroke | None:
    return None if stroke is None else replace(stroke, ink=mixed(stroke.ink))


# A shift to the right and up, in units of the display list grid.
_Step: TypeAlias = tuple[int, int]

_ORDER: Final = {name: place for place, name in enumerate(LayerName)}


class PlacedDrawing(Struct, frozen=True):
    """A drawing and the position of its lower left corner, in mm."""

    drawing: Drawing
    x: float
    y: float


def gathered(laid: Iterable[tuple[LayerName, Item]], *, clip: Rect | PathRun | None = None) -> tuple[Layer, ...]:
    """Return items grouped by layer, in painting order; the items of a layer keep their order."""
    found: dict[LayerName, list[Item]] = {}
    for name, item in laid:
        found.setdefault(name, []).append(item)
    return tuple(Layer(name, tuple(found[name]), clip) for name in LayerName if name in found)


def joined(width: float, height: float, parts: Iterable[PlacedDrawing]) -> Drawing:
    """Return one drawing made of several; items on the same layer are in the order of the parts."""
    return _Joined.of(width, height, tuple(parts))


class _Joined(Drawing):
    """A drawing that moves its parts to their positions when its layers are first read.

    The program tries several settings of a page until one fits, and only measures those it rejects. A nested part is
    moved only once.
    """

    __slots__ = ("parts",)
    parts: tuple[PlacedDrawing, ...]

    @classmethod
    def of(cls, width: float, height: float, parts: tuple[PlacedDrawing, ...]) -> _Joined:
        """Return a drawing whose layers are not computed yet."""
        made = object.__new__(cls)
        for name, value in (("width", width), ("height", height), ("parts", parts)):
            object.__setattr__(made, name, value)
        return made

    def __getattr__(self, name: str) -> Any:
        # Python calls this for attributes that are not set: the layers, on first use.
        if name != "layers":
            raise AttributeError(name)
        layers = _merged(_placed_layers(self.parts, ()))
        object.__setattr__(self, "layers", layers)
        object.__setattr__(self, "parts", ())
        return layers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Drawing):
            return NotImplemented
        return (self.width, self.height, self.layers) == (other.width, other.height, other.layers)

    __hash__ = Drawing.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Drawing, (self.width, self.height, self.layers)


def _placed_layers(parts: Iterable[PlacedDrawing], beyond: tuple[_Step, ...]) -> Iterator[Layer]:
    """Yield the layers of parts at their positions, shifted by the steps of all enclosing parts."""
    for part in parts:
        steps = (*_steps(part.x, part.y), *beyond)
        if isinstance(part.drawing, _Joined) and part.drawing.parts:
            yield from _placed_layers(part.drawing.parts, steps)
        else:
            yield from _moved_layers(part.drawing.layers, steps)


def _merged(placed: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return layers in painting order; layers with the same name and clip become one."""
    found: list[Layer] = []
    for (name, clip), alike in groupby(
        sorted(placed, key=lambda layer: _ORDER[layer.name]), key=lambda layer: (layer.name, layer.clip)
    ):
        found.append(Layer(name, tuple(item for layer in alike for item in layer.items), clip))
    return tuple(found)


def padded(drawing: Drawing, by: float) -> Drawing:
    """Return the drawing with a margin of ``by`` mm on every side."""
    return joined(drawing.width + 2 * by, drawing.height + 2 * by, [PlacedDrawing(drawing, by, by)])


def moved(layers: Iterable[Layer], by_x: float, by_y: float) -> tuple[Layer, ...]:
    """Return layers shifted by a distance in mm, rounded to the grid of the display list (0.01 mm)."""
    return tuple(_moved_layers(layers, _steps(by_x, by_y)))


def _steps(by_x: float, by_y: float) -> tuple[_Step, ...]:
    """Return a shift in mm as one step on the grid, or an empty tuple if it is zero."""
    step = round(by_x / GRID), round(by_y / GRID)
    return (step,) if any(step) else ()


def _moved_layers(layers: Iterable[Layer], steps: Sequence[_Step]) -> Iterator[Layer]:
    """Yield layers shifted by each of the steps in turn."""
    for layer in layers:
        if steps:
            items = tuple([_moved(item, steps) for item in layer.items])
            yield Layer(layer.name, items, _moved_clip(layer.clip, steps))
        else:
            yield layer


def flattened(layers: Iterable[Layer], name: LayerName, clip: Rect | None) -> Layer:
    """Return all items in painting order on one layer, for a picture inside a picture."""
    return Layer(name, tuple(item for layer in layers for item in layer.items), clip)


def _moved_clip(clip: Rect | PathRun | None, steps: Sequence[_Step]) -> Rect | PathRun | None:
    match clip:
        case None:
            return None
        case Rect():
            for across, up in steps:
                clip = clip._replace(x=clip.x + across * GRID, y=clip.y + up * GRID)
            return clip
        case PathRun():
            return _moved_runs((clip,), _whole(steps))[0]


def _whole(steps: Sequence[_Step]) -> _Step:
    return sum(across for across, _ in steps), sum(up for _, up in steps)


def _moved_runs(runs: Sequence[PathRun], step: _Step) -> tuple[PathRun, ...]:
    """Return runs shifted by a step; all numbers together, because most runs are short."""
    numbers = tuple(map(add, chain.from_iterable([run.points for run in runs]), cycle(step)))
    found: list[PathRun] = []
    first = 0
    for run in runs:
        last = first + len(run.points)
        found.append(PathRun(numbers[first:last], run.closed))
        first = last
    return tuple(found)


def _moved(item: Item, steps: Sequence[_Step]) -> Item:
    match item:
        case Path():
            return Path(_moved_runs(item.runs, _whole(steps)), item.fill, item.stroke, item.rule)
        case Text():
            # Text is off the grid. Add the steps one by one, so that rounding does not depend on nesting.
            at, glyphs = item.at, item.glyphs
            for x, y in ((across * GRID, up * GRID) for across, up in steps):
                at = at[0] + x, at[1] + y
                glyphs = tuple([(foot_x + x, foot_y + y, angle) for foot_x, foot_y, angle in glyphs])
            return replace(item, at=at, glyphs=glyphs)
        case Stamp():
            places = item.places
            for x, y in ((across * GRID, up * GRID) for across, up in steps):
                places = tuple([place._replace(e=place.e + x, f=place.f + y) for place in places])
            return Stamp(item.artwork, places)
        case Picture():
            across, up = (step * GRID for step in _whole(steps))
            frame = item.frame._replace(x=item.frame.x + across, y=item.frame.y + up)
            clip = item.clip and _moved_runs((item.clip,), _whole(steps))[0]
            return replace(item, frame=frame, clip=clip, origin=(item.origin[0] + across, item.origin[1] + up))


def stacked(width: float, height: float, blocks: Sequence[Drawing], *, gap: float = 6.0) -> tuple[Drawing, ...]:
    """Return pages of ``width`` by ``height`` mm with the blocks from top to bottom, each centred.

    A block that does not fit below the others starts a new page. The caller must split blocks higher than a page.
    """
    pages: list[list[PlacedDrawing]] = []
    left = 0.0
    for made in blocks:
        if not pages or made.height > left + 1e-6:
            pages.append([])
            left = height
        pages[-1].append(PlacedDrawing(made, (width - made.width) / 2, left - made.height))
        left -= made.height + gap
    return tuple(joined(width, height, parts) for parts in pages)


# --- Rotate a drawing by a quarter turn, to read it up the page -------------------------------------------------------


def quarter_turned(drawing: Drawing) -> Drawing:
    """Return a drawing rotated 90 degrees anticlockwise, with width and height swapped.

    Raises:
        ValueError: it contains a painted picture, whose light cannot be rotated.
    """
    across = round(drawing.height / GRID)

    def item_of(item: Item) -> Item:
        match item:
            case Path():
                return replace(item, runs=tuple(_quarter_run(run, across) for run in item.runs))
            case Text():
                x, y = item.at
                glyphs = tuple((drawing.height - up, along, angle + 90.0) for along, up, angle in item.glyphs)
                return replace(item, at=(drawing.height - y, x), angle=item.angle + 90.0, glyphs=glyphs)
            case Stamp():
                places = tuple(
                    Affine(-place.b, place.a, -place.d, place.c, drawing.height - place.f, place.e)
                    for place in item.places
                )
                return replace(item, places=places)
            case Picture():
                raise ValueError("a painted picture has its light in it, and is not turned")

    layers = tuple(Layer(layer.name, tuple(map(item_of, layer.items))) for layer in drawing.layers)
    return Drawing(drawing.height, drawing.width, layers)


def _quarter_run(run: PathRun, across: int) -> PathRun:
    found = [value for x, y in zip(run.points[::2], run.points[1::2], strict=True) for value in (across - y, x)]
    return PathRun(tuple(found), run.closed)
