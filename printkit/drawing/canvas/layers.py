"""Combine drawings: group items by layer, move, join, stack on pages, rotate, and fade towards paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, cycle, groupby
from operator import add, mul
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.sums import plain_sum
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
from printkit.drawing.canvas.plain import WHITE

# --- Fade a drawing towards paper, to write and draw on it ------------------------------------------------------------


def fade_drawing(drawing: Drawing, share: float, *, paper: Ink = WHITE) -> Drawing:
    """Return the drawing with ``share`` of the paper colour in every ink (0: unchanged, 1: paper).

    In textures and sprites the share is white. It is drawn when it is first read.
    """
    artworks: dict[Artwork, Artwork] = {}

    def mix_ink(ink: Ink) -> Ink:
        """Return the ink mixed with paper."""
        return ink.mix(paper, share)

    def fade_item(item: Item) -> Item:
        """Return the item with its inks mixed with paper; an artwork is faded once and shared."""
        match item:
            case Path():
                return _fade_path(item, mix_ink)
            case Text():
                return replace(item, ink=mix_ink(item.ink), halo=_fade_stroke(item.halo, mix_ink))
            case Stamp():
                # Fade each artwork only once, because a writer stores it once.
                if item.artwork not in artworks:
                    paths = tuple(_fade_path(path, mix_ink) for path in item.artwork.paths)
                    pictures = tuple(_fade_picture(picture, mix_ink, share) for picture in item.artwork.pictures)
                    artworks[item.artwork] = Artwork(f"{item.artwork.name}/faded", paths, pictures)
                return replace(item, artwork=artworks[item.artwork])
            case Picture():
                return _fade_picture(item, mix_ink, share)

    def draw_layers() -> Iterator[Layer]:
        """Yield the layers of the drawing with faded items."""
        for layer in drawing.layers:
            yield Layer(layer.name, tuple(fade_item(item) for item in layer.items), layer.clip)

    ink = known_ink(drawing)
    faded_ink = None if ink is None else partial(mul, ink, 1 - share)
    return defer_drawing(drawing.width, drawing.height, draw_layers, ink=faded_ink)


def _fade_picture(picture: Picture, mix_ink: Callable[[Ink], Ink], share: float) -> Picture:
    """Return the picture with its ink mixed with paper, or its texture with ``share`` (0 to 1) of white."""
    if isinstance(picture.paint, Ink):
        return replace(picture, paint=mix_ink(picture.paint))
    return replace(picture, veil=1 - (1 - picture.veil) * (1 - share))


def _fade_path(path: Path, mix_ink: Callable[[Ink], Ink]) -> Path:
    """Return the path with the inks of its fill and its stroke mixed with paper.

    ``mix_ink`` returns the mixed ink of an ink.
    """
    return replace(path, fill=path.fill and mix_ink(path.fill), stroke=_fade_stroke(path.stroke, mix_ink))


def _fade_stroke(stroke: Stroke | None, mix_ink: Callable[[Ink], Ink]) -> Stroke | None:
    """Return the stroke with its ink mixed with paper; None stays None."""
    return None if stroke is None else replace(stroke, ink=mix_ink(stroke.ink))


# A shift to the right and up, in units of the display list grid.
_Step: TypeAlias = tuple[int, int]

_ORDER: Final = {name: place for place, name in enumerate(LayerName)}


class PlacedDrawing(Struct, frozen=True):
    """A drawing and the position of its lower left corner, in printed mm."""

    drawing: Drawing
    x: float
    y: float


def group_by_layer(
    layered_items: Iterable[tuple[LayerName, Item]], *, clip: Rect | PathRun | None = None
) -> tuple[Layer, ...]:
    """Return items grouped by layer, in painting order; the items of a layer keep their order.

    Every layer is clipped to ``clip``: a rectangle in printed mm, or a run. None does not clip.
    """
    items_by_layer: dict[LayerName, list[Item]] = {}
    for name, item in layered_items:
        items_by_layer.setdefault(name, []).append(item)
    return tuple(Layer(name, tuple(items_by_layer[name]), clip) for name in LayerName if name in items_by_layer)


def joined(width: float, height: float, parts: Iterable[PlacedDrawing]) -> Drawing:
    """Return one drawing of ``width`` by ``height`` printed mm made of several.

    Layers are in painting order, and in the order of the parts within a name. Neighbouring layers with the same name
    and the same clip become one. The layers are computed when they are first read.
    """
    return _Deferred(width, height, _Parts(tuple(parts)))


class _Deferred(Drawing):
    """A drawing that computes its layers when they are first read.

    The program tries several settings of a page until one fits, and only measures those it rejects; a plan of a print
    measures all of its pages.
    """

    __slots__ = ("draw_layers", "ink")
    draw_layers: Callable[[], Iterable[Layer]]
    ink: Callable[[], float] | None

    def __init__(
        self,
        width: float,
        height: float,
        draw_layers: Callable[[], Iterable[Layer]],
        ink: Callable[[], float] | None = None,
    ) -> None:
        for name, value in (("width", width), ("height", height), ("draw_layers", draw_layers), ("ink", ink)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        # Python calls this for attributes that are not set: the layers, on first use.
        if name != "layers":
            raise AttributeError(name)
        layers = tuple(self.draw_layers())
        share = _sum_known_inks(self) if parts_of(self) else 0.0
        ink = partial(float, share) if share else self.ink
        # The source of the layers is no longer needed.
        for field, value in (("layers", layers), ("ink", ink), ("draw_layers", tuple)):
            object.__setattr__(self, field, value)
        return layers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Drawing):
            return NotImplemented
        return (self.width, self.height, self.layers) == (other.width, other.height, other.layers)

    __hash__ = Drawing.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Drawing, (self.width, self.height, self.layers)


class _Parts(Struct, frozen=True):
    """The parts of a joined drawing whose layers are not computed yet."""

    parts: tuple[PlacedDrawing, ...]

    def __call__(self) -> tuple[Layer, ...]:
        """Return the layers of the parts at their positions, in painting order."""
        return _merged(_placed_layers(self.parts, ()))


def defer_drawing(
    width: float, height: float, draw_layers: Callable[[], Iterable[Layer]], *, ink: Callable[[], float] | None = None
) -> Drawing:
    """Return a drawing of ``width`` by ``height`` printed mm that calls ``draw_layers`` when it is first read.

    ``ink`` estimates its ink share without drawing it; None if nothing is known.
    """
    return _Deferred(width, height, draw_layers, ink)


def known_ink(drawing: Drawing) -> float | None:
    """Return the estimated ink share of a drawing if it was made with one, otherwise None."""
    return drawing.ink() if isinstance(drawing, _Deferred) and drawing.ink is not None else None


def _sum_known_inks(drawing: Drawing) -> float:
    """Return the ink share of a joined drawing as far as that of its parts is known."""
    share = known_ink(drawing)
    if share is not None:
        return share
    area = drawing.width * drawing.height
    parts = [part.drawing for part in parts_of(drawing)]
    return plain_sum(_sum_known_inks(part) * part.width * part.height for part in parts) / area if area else 0.0


def parts_of(drawing: Drawing) -> tuple[PlacedDrawing, ...]:
    """Return the parts of a joined drawing whose layers are not computed yet; empty for any other drawing."""
    if isinstance(drawing, _Deferred) and isinstance(drawing.draw_layers, _Parts):
        return drawing.draw_layers.parts
    return ()


def defer_items(
    width: float, height: float, draw_items: Callable[[], Iterable[Item]], layer: LayerName = LayerName.MARGIN
) -> Drawing:
    """Return a drawing of ``width`` by ``height`` printed mm that calls ``draw_items`` when it is first read.

    The items are on ``layer``.
    """
    return defer_drawing(width, height, lambda: [Layer(layer, tuple(draw_items()))])


def _placed_layers(parts: Iterable[PlacedDrawing], outer_steps: tuple[_Step, ...]) -> Iterator[Layer]:
    """Yield the layers of parts at their positions, shifted by the steps of all enclosing parts.

    Steps are to the right and up, in units of 0.01 mm.
    """
    for part in parts:
        steps = (*_steps(part.x, part.y), *outer_steps)
        inner_parts = parts_of(part.drawing)
        if inner_parts:
            # A nested part is moved only once.
            yield from _placed_layers(inner_parts, steps)
        else:
            yield from _translate_layers(part.drawing.layers, steps)


def _merged(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return layers in painting order; neighbours with the same name and clip become one.

    Layers with the same name keep their order, so equal clips with another clip between them stay apart.
    """
    merged_layers: list[Layer] = []
    for (name, clip), alike in groupby(
        sorted(layers, key=lambda layer: _ORDER[layer.name]), key=lambda layer: (layer.name, layer.clip)
    ):
        merged_layers.append(Layer(name, tuple(item for layer in alike for item in layer.items), clip))
    return tuple(merged_layers)


def padded(drawing: Drawing, margin: float) -> Drawing:
    """Return the drawing with a margin of ``margin`` printed mm on every side."""
    return joined(drawing.width + 2 * margin, drawing.height + 2 * margin, [PlacedDrawing(drawing, margin, margin)])


def translated(layers: Iterable[Layer], shift_x: float, shift_y: float) -> tuple[Layer, ...]:
    """Return layers shifted right and up by distances in printed mm, rounded to the grid (0.01 mm)."""
    return tuple(_translate_layers(layers, _steps(shift_x, shift_y)))


def _steps(shift_x: float, shift_y: float) -> tuple[_Step, ...]:
    """Return a shift in mm as one step in units of 0.01 mm, or an empty tuple if it is zero."""
    step = round(shift_x / GRID), round(shift_y / GRID)
    return (step,) if any(step) else ()


def _translate_layers(layers: Iterable[Layer], steps: Sequence[_Step]) -> Iterator[Layer]:
    """Yield layers shifted by each of the steps in turn; steps are to the right and up, in units of 0.01 mm.

    Without steps the layers are yielded unchanged.
    """
    for layer in layers:
        if steps:
            items = tuple([_translate_item(item, steps) for item in layer.items])
            yield Layer(layer.name, items, _translate_clip(layer.clip, steps))
        else:
            yield layer


def flattened(layers: Iterable[Layer], name: LayerName, clip: Rect | None) -> Layer:
    """Return all items in painting order on one layer, for a picture inside a picture.

    ``name`` is the new layer, ``clip`` a rectangle in printed mm or None. The clips of the old layers are dropped.
    """
    return Layer(name, tuple(item for layer in layers for item in layer.items), clip)


def _translate_clip(clip: Rect | PathRun | None, steps: Sequence[_Step]) -> Rect | PathRun | None:
    """Return the clip shifted by each of the steps in turn (units of 0.01 mm); None stays None.

    A Rect is in mm, a run in units of 0.01 mm.
    """
    match clip:
        case None:
            return None
        case Rect():
            for shift_x, shift_y in steps:
                clip = clip._replace(x=clip.x + shift_x * GRID, y=clip.y + shift_y * GRID)
            return clip
        case PathRun():
            return _moved_runs((clip,), _total_step(steps))[0]


def _total_step(steps: Sequence[_Step]) -> _Step:
    """Return the sum of the steps: to the right and up, in units of 0.01 mm."""
    return sum(step_x for step_x, _ in steps), sum(step_y for _, step_y in steps)


def _moved_runs(runs: Sequence[PathRun], step: _Step) -> tuple[PathRun, ...]:
    """Return runs shifted by a step in units of 0.01 mm.

    All numbers are shifted together, because most runs are short.
    """
    numbers = tuple(map(add, chain.from_iterable([run.points for run in runs]), cycle(step)))
    shifted_runs: list[PathRun] = []
    first = 0
    for run in runs:
        last = first + len(run.points)
        shifted_runs.append(PathRun(numbers[first:last], run.closed))
        first = last
    return tuple(shifted_runs)


def _translate_item(item: Item, steps: Sequence[_Step]) -> Item:
    """Return the item shifted by each of the steps in turn; steps are in units of 0.01 mm.

    Points of paths remain integers; other positions are in mm and shift by the same distance.
    """
    match item:
        case Path():
            return Path(_moved_runs(item.runs, _total_step(steps)), item.fill, item.stroke, item.rule)
        case Text():
            # Text is off the grid. Add the steps one by one, so that rounding does not depend on nesting.
            position, glyphs = item.at, item.glyphs
            for x, y in ((shift_x * GRID, shift_y * GRID) for shift_x, shift_y in steps):
                position = position[0] + x, position[1] + y
                glyphs = tuple([(foot_x + x, foot_y + y, angle) for foot_x, foot_y, angle in glyphs])
            return replace(item, at=position, glyphs=glyphs)
        case Stamp():
            places = item.places
            for x, y in ((shift_x * GRID, shift_y * GRID) for shift_x, shift_y in steps):
                places = tuple([place._replace(e=place.e + x, f=place.f + y) for place in places])
            return Stamp(item.artwork, places)
        case Picture():
            shift_x, shift_y = (step * GRID for step in _total_step(steps))
            frame = item.frame._replace(x=item.frame.x + shift_x, y=item.frame.y + shift_y)
            clip = item.clip and _moved_runs((item.clip,), _total_step(steps))[0]
            return replace(item, frame=frame, clip=clip, origin=(item.origin[0] + shift_x, item.origin[1] + shift_y))


def stack_blocks(width: float, height: float, blocks: Sequence[Drawing], *, gap: float = 6.0) -> tuple[Drawing, ...]:
    """Return pages of ``width`` by ``height`` printed mm with the blocks in a column, each centred.

    The first block is at the top. Blocks are ``gap`` mm apart. A block that does not fit below the others starts a new
    page. The caller must split blocks higher than a page. Without blocks there are no pages.
    """
    pages: list[list[PlacedDrawing]] = []
    remaining_mm = 0.0
    for block in blocks:
        if not pages or block.height > remaining_mm + 1e-6:
            pages.append([])
            remaining_mm = height
        pages[-1].append(PlacedDrawing(block, (width - block.width) / 2, remaining_mm - block.height))
        remaining_mm -= block.height + gap
    return tuple(joined(width, height, parts) for parts in pages)


# --- Rotate a drawing by a quarter turn, to read it up the page -------------------------------------------------------


def rotate_quarter_turn(drawing: Drawing) -> Drawing:
    """Return a drawing rotated 90 degrees anticlockwise, with width and height swapped.

    The clips of its layers are dropped.

    Raises:
        ValueError: it contains a painted picture, whose light cannot be rotated.
    """
    grid_height = round(drawing.height / GRID)

    def rotate_item(item: Item) -> Item:
        """Return the item rotated 90 degrees anticlockwise, and moved back into the drawing."""
        match item:
            case Path():
                return replace(item, runs=tuple(_rotate_run(run, grid_height) for run in item.runs))
            case Text():
                x, y = item.at
                glyphs = tuple(
                    (drawing.height - glyph_y, glyph_x, angle + 90.0) for glyph_x, glyph_y, angle in item.glyphs
                )
                return replace(item, at=(drawing.height - y, x), angle=item.angle + 90.0, glyphs=glyphs)
            case Stamp():
                places = tuple(
                    Affine(-place.b, place.a, -place.d, place.c, drawing.height - place.f, place.e)
                    for place in item.places
                )
                return replace(item, places=places)
            case Picture():
                raise ValueError("a painted picture has its light in it, and is not turned")

    layers = tuple(Layer(layer.name, tuple(map(rotate_item, layer.items))) for layer in drawing.layers)
    return Drawing(drawing.height, drawing.width, layers)


def _rotate_run(run: PathRun, grid_height: int) -> PathRun:
    """Return the run rotated 90 degrees anticlockwise.

    ``grid_height`` is the old height of the drawing in units of 0.01 mm.
    """
    coordinates = [
        value for x, y in zip(run.points[::2], run.points[1::2], strict=True) for value in (grid_height - y, x)
    ]
    return PathRun(tuple(coordinates), run.closed)


def drawing_of(width: float, height: float, items: Iterable[Item], *lower_layers: Layer) -> Drawing:
    """Return items as a drawing of ``width`` by ``height`` printed mm, above the layers ``lower_layers``.

    The origin is the lower left corner.
    """
    item_tuple = tuple(items)
    return Drawing(width, height, (*lower_layers, *((Layer(LayerName.MARGIN, item_tuple),) if item_tuple else ())))


def drawing_items(drawing: Drawing, x: float = 0.0, y: float = 0.0) -> list[Item]:
    """Return the items of a drawing, moved so that its lower left corner is at ``x``, ``y`` (printed mm)."""
    return [item for layer in translated(drawing.layers, x, y) for item in layer.items]


def marks_drawing(width: float, height: float, items: Iterable[Item]) -> Drawing:
    """Return items as a drawing of ``width`` by ``height`` mm on paper, in the layer of printer's marks."""
    return Drawing(width, height, (Layer(LayerName.PRINTER, tuple(items)),))
