"""Puts drawings together: gathers what signs laid, moves, joins, stacks on pages, and fades towards paper."""

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

# --- Fades a drawing towards paper, so that one can write and draw upon it --------------------------------------------

_PAPER: Final = Ink(255, 255, 255)


def tinted_towards_paper(drawing: Drawing, share: float, *, paper: Ink = _PAPER) -> Drawing:
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


_Step: TypeAlias = tuple[int, int]
"""How far something is moved across and up, on the grid of the display list."""

_ORDER: Final = {name: place for place, name in enumerate(LayerName)}


class PlacedDrawing(Struct, frozen=True):
    """A drawing and where its lower left corner comes to lie, in mm."""

    drawing: Drawing
    x: float
    y: float


def gathered(laid: Iterable[tuple[LayerName, Item]], *, clip: Rect | PathRun | None = None) -> tuple[Layer, ...]:
    """Return the layers of what was laid, in painting order; items of a layer keep the order in which they came."""
    found: dict[LayerName, list[Item]] = {}
    for name, item in laid:
        found.setdefault(name, []).append(item)
    return tuple(Layer(name, tuple(found[name]), clip) for name in LayerName if name in found)


def joined(width: float, height: float, parts: Iterable[PlacedDrawing]) -> Drawing:
    """Return one drawing of several; equal layers follow one another in the order of the parts."""
    return _Joined.of(width, height, tuple(parts))


class _Joined(Drawing):
    """A drawing whose parts are moved to their places when its layers are first asked for.

    Pages are set closer or wider until they fit, and what is set in vain is only measured. A part within a part within
    a page is moved once.
    """

    __slots__ = ("parts",)
    parts: tuple[PlacedDrawing, ...]

    @classmethod
    def of(cls, width: float, height: float, parts: tuple[PlacedDrawing, ...]) -> _Joined:
        """Return a drawing that does not have its layers yet."""
        made = object.__new__(cls)
        for name, value in (("width", width), ("height", height), ("parts", parts)):
            object.__setattr__(made, name, value)
        return made

    def __getattr__(self, name: str) -> Any:
        # Python asks here for what was not set: the layers, once.
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
    """Yield the layers of parts where they come to lie, moved on by the steps of all that they are parts of."""
    for part in parts:
        steps = (*_steps(part.x, part.y), *beyond)
        if isinstance(part.drawing, _Joined) and part.drawing.parts:
            yield from _placed_layers(part.drawing.parts, steps)
        else:
            yield from _moved_layers(part.drawing.layers, steps)


def _merged(placed: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return layers in painting order, those that are cut alike put together."""
    found: list[Layer] = []
    for (name, clip), alike in groupby(
        sorted(placed, key=lambda layer: _ORDER[layer.name]), key=lambda layer: (layer.name, layer.clip)
    ):
        found.append(Layer(name, tuple(item for layer in alike for item in layer.items), clip))
    return tuple(found)


def padded(drawing: Drawing, by: float) -> Drawing:
    """Return the drawing with ``by`` mm of room on every side."""
    return joined(drawing.width + 2 * by, drawing.height + 2 * by, [PlacedDrawing(drawing, by, by)])


def moved(layers: Iterable[Layer], by_x: float, by_y: float) -> tuple[Layer, ...]:
    """Return layers moved by mm, to the hundredth that the grid of the display list knows."""
    return tuple(_moved_layers(layers, _steps(by_x, by_y)))


def _steps(by_x: float, by_y: float) -> tuple[_Step, ...]:
    """Return a move in mm as a step on the grid, or none."""
    step = round(by_x / GRID), round(by_y / GRID)
    return (step,) if any(step) else ()


def _moved_layers(layers: Iterable[Layer], steps: Sequence[_Step]) -> Iterator[Layer]:
    """Yield layers moved by one step after the other."""
    for layer in layers:
        if steps:
            items = tuple([_moved(item, steps) for item in layer.items])
            yield Layer(layer.name, items, _moved_clip(layer.clip, steps))
        else:
            yield layer


def flattened(layers: Iterable[Layer], name: LayerName, clip: Rect | None) -> Layer:
    """Return all items in painting order on one layer, as a picture within a picture needs."""
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
    """Return runs moved: all numbers in one go, for most runs are short."""
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
            # Type stands between the points of the grid: step by step, that the last digit is that of each step.
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
    """Return drawings of ``width`` by ``height`` mm with the blocks from top to bottom, each centred.

    A block that no longer fits below the others begins the next drawing; one that is higher than a page gets a page
    of its own and must be cut by the caller beforehand.
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


# --- Turns a drawing by a quarter, so that it is read up the page -----------------------------------------------------


def quarter_turned(drawing: Drawing) -> Drawing:
    """Return a drawing of lines and straight type turned anticlockwise by a quarter; its height is its width before."""
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
