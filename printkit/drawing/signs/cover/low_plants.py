"""Motifs of area covers, and low plants: tufts, reeds, dead trees and bushes; and clearings in woods.

A motif is repeated all over the ground of a cover. The rows of the covers are in ``relief.open_ground``.

Source: the cartography, 10.3 and 10.4.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct, field
from numpy.typing import NDArray
from shapely import LineString, Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Item, LayeredItems, LayerName, Path
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, circles, fill, fill_and_stroke, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import Tree, grown, poisson_points, standing
from printkit.drawing.signs.cover.woods import treeless_course_ground
from printkit.drawing.signs.lines.course_lines import on_layer, stipple_area, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

_HEAD: Final = 0.26  # Length of a reed's head as a share of its height

_SNAG_HEIGHT: Final = (4.4, 6.0)
_WATER: Final = 2.6


class CoverGround(Struct, eq=False):
    """The ground of one area of cover, and the ground of the motifs drawn so far. Shapes are in printed mm.

    Attributes:
        area: the area; its ID names the random streams.
        context: gives the style and sizes.
        battlefield: the battlefield of the area.
        shape: the area without the waters through it.
        avoid: roads, labels and the ground of motifs, which later motifs avoid.
        stamps: separate shapes that later motifs avoid too, for example stones.
        marks: the ground of pools or tufts, between which rows of strokes are drawn.
    """

    area: Area
    context: SymbolContext
    battlefield: Battlefield
    shape: BaseGeometry
    avoid: BaseGeometry
    stamps: list[BaseGeometry] = field(default_factory=list)
    marks: BaseGeometry = NOTHING

    def stream(self, name: str) -> Stream:
        """Return a random stream of this area."""
        return self.context.stream(f"draw/{self.area.id}/{name}")

    def shrink(self, inset: float, quad_segs: int = 16) -> BaseGeometry:
        """Return the ground without a strip along its edge, ``inset`` mm wide at 1:1, in printed mm.

        ``quad_segs`` is the number of segments of a quarter circle in its outline.
        """
        return self.shape.buffer(-self.context.size(inset), quad_segs=quad_segs)

    def blocked_area(self, margin: float) -> BaseGeometry:
        """Return the ground that motifs avoid, with a margin in mm at 1:1, in printed mm."""
        if not margin:
            return shapely.union_all([self.avoid, *self.stamps])
        mm = self.context.size(margin)
        return shapely.union_all([self.avoid.buffer(mm), *shapely.buffer(self.stamps, mm)])


class Motif(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="motif"):
    """A motif of a cover with its settings. Lengths are in mm at 1:1.

    Attributes:
        is_lower: whether it is drawn below the motifs before it.
        spacing: least distance between two of them.
        from_edge: distance of their middles from the edge.
        margin: distance from roads, labels and earlier motifs.
        height: height of a plant; its foot is at least as far below the northern edge.
    """

    is_lower: ClassVar[bool] = False
    # Height of its middle above its foot, and distance that the middle keeps from labels, in mm at 1:1.
    label_distances: ClassVar[tuple[float, float]] = (0.0, 0.0)
    spacing: float = 0.0
    from_edge: float = 0.0
    margin: float = 0.0
    height: float = 0.0

    def draw(self, ground: CoverGround) -> LayeredItems:
        """Yield (layer, item) pairs that draw the motif all over the ground, in printed mm.

        The ground that later motifs avoid is added to ``ground``.
        """
        yield from on_layer(LayerName.GROUND_PATTERN, self.make_items(ground))

    def make_items(self, ground: CoverGround) -> Iterable[Item]:
        """Return the items of a motif that is drawn on one layer, in printed mm."""
        raise NotImplementedError

    def scatter(self, ground: CoverGround, stream: Stream) -> Line:
        """Return random places of the motif as an n x 2 array in printed mm, from north to south."""
        area, size = ground.shrink(self.from_edge), ground.context.size
        if self.height:
            area = shapely.intersection(area, affinity.translate(ground.shape, 0.0, -size(self.height)))
        places = poisson_points(area, size(self.spacing), stream, avoid=ground.blocked_area(self.margin))
        up, reach = self.label_distances
        return places[~is_near_label(places + np.array((0.0, size(up))), size(reach), ground.context)]


def is_near_label(places: Line, reach: float, context: SymbolContext) -> NDArray[np.bool_]:
    """Return for each place (n x 2) whether it is within ``reach`` of the clear ground of labels, all in printed mm."""
    shapely.prepare(context.clear)
    return np.asarray(shapely.dwithin(context.clear, shapely.points(places), reach))


class Stipple(Motif, frozen=True, kw_only=True, tag="stipple"):
    """Dots of undergrowth, sand or grit.

    Attributes:
        stream: name of the random stream.
        radii: least and greatest radius in mm at 1:1.
        ink: ink and opacity.
        quad_segs: see ``CoverGround.shrink``; a coarse outline is faster.
    """

    stream: str
    radii: tuple[float, float]
    ink: tuple[str, float]
    quad_segs: int = 16

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the dots as one path in printed mm."""
        (least, greatest), context = self.radii, ground.context
        sizes = (self.spacing, least, greatest - least)
        area, avoid = ground.shrink(self.from_edge, self.quad_segs), ground.blocked_area(self.margin)
        yield from stipple_area(area, avoid, context, ground.stream(self.stream), sizes, context.tint(*self.ink))


class Tufts:
    """Tufts of blades that rise from a common foot. Their shapes are computed together."""

    def __init__(self) -> None:
        self._grown: list[tuple[float, float, float, float]] = []

    def add(self, foot: tuple[float, float], height: float, blades: int, stream: Stream) -> None:
        """Add one tuft of ``blades`` blades with its foot at ``foot``; position and ``height`` are in printed mm.

        ``stream`` varies lean and length of each blade.
        """
        x, y = foot
        for number in range(blades):
            lean = 2 * number / max(1, blades - 1) - 1 + stream.between(-0.12, 0.12)
            length = height * (1.05 - 0.32 * abs(lean)) * stream.between(0.9, 1.1)
            self._grown.append((x + 0.22 * height * lean, y, lean, length))

    @classmethod
    def at(cls, points: Iterable[tuple[float, float]], height: float, blades: int, stream: Stream) -> Tufts:
        """Return tufts of one height and number of blades at the given points, all in printed mm."""
        tufts = cls()
        for x, y in points:
            tufts.add((x, y), height, blades, stream)
        return tufts

    @property
    def blades(self) -> Line:
        """Return all blades as curves of five points in printed mm, n x 5 x 2, in the order they were added."""
        rows = np.array(self._grown).reshape(-1, 4)
        lean, length = rows[:, 2], rows[:, 3]
        foot = rows[:, :2]
        middle = foot + np.column_stack([0.16 * length * lean, 0.56 * length])
        tip = foot + np.column_stack([0.62 * length * lean, length * (1 - 0.16 * lean * lean)])
        # A parabola through foot, middle and tip: the blade bends outwards under its weight.
        bow = 2 * middle - (foot + tip) / 2
        foot, bow, tip = foot[:, None], bow[:, None], tip[:, None]
        shares = np.linspace(0, 1, 5)[:, None]
        return np.asarray((1 - shares) ** 2 * foot + 2 * shares * (1 - shares) * bow + shares**2 * tip)


def draw_reeds(
    points: Sequence[Sequence[float]], height: float, context: SymbolContext, stream: Stream, *, area: BaseGeometry
) -> list[Path]:
    """Return clumps of reeds: stiff blades, two or three with a dark head.

    Args:
        points: base points of the clumps in printed mm; may be empty.
        height: height of a clump in mm at 1:1.
        context: gives the style and sizes.
        stream: random stream for the shapes.
        area: area for the reeds, in printed mm; a clump that does not fit in it is left out.
    """
    blades: list[Line] = []
    heads: list[Line] = []
    shapely.prepare(area)
    for x, y in points:
        clump: list[Line] = []
        count = 4 + stream.draw_index(2)
        for number in range(count):
            lean = 2 * number / (count - 1) - 1 + stream.between(-0.15, 0.15)
            length = context.size(height) * (1.0 - 0.30 * abs(lean)) * stream.between(0.85, 1.1)
            foot = np.array([x + 0.14 * length * lean, y])
            bow = np.array([(0.0, 0.0), (0.12 * lean, 0.6), (0.30 * lean, 1.0)])
            clump.append(foot + length * bow)
        headed_blades = [blade for blade in clump[1:-1] if stream.draw_unit() < 0.8] or clump[1:2]
        if all(shapely.contains_xy(area, blade).all() for blade in clump):
            blades += clump
            heads += [blade[-1] + (blade[1] - blade[-1]) * np.array([[0.0], [2.2 * _HEAD]]) for blade in headed_blades]
    reeds = stroke_shape(blades, context, "marsh-tuft", 0.32 if context.style.washes else 0.24)
    return reeds + stroke_shape(heads, context, "timber", 0.78)


class DeadTrees(Motif, frozen=True, kw_only=True, tag="dead_trees"):
    """Dead trees: a trunk with a few broken boughs over rings of water. Trees that do not fit are left out.

    Attributes:
        clear: mm at 1:1 around a trunk without other plants.
    """

    label_distances = (3.2, 3.2)
    clear: float

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the rings, then the wood of all trees, in printed mm."""
        context, stream = ground.context, ground.stream("snags")
        places = self.scatter(ground, stream)
        wood: list[tuple[Line, float, float]] = []
        rings: list[Line] = []
        shapely.prepare(ground.shape)
        for x, y in places.tolist():
            height = context.size(stream.between(*_SNAG_HEIGHT))
            top = np.array([x + height * stream.between(-0.16, 0.16), y + height])
            trunk = np.vstack([(x, y), (x + 0.3 * (top[0] - x), y + 0.5 * height), top])
            tree: list[tuple[Line, float, float]] = [(trunk, context.width(0.85), context.width(0.26))]
            side = 1 if stream.draw_unit() < 0.5 else -1
            for share in (0.42, 0.60, 0.76, 0.88)[: 3 + stream.draw_index(2)]:
                fork = np.array([np.interp(share, (0, 0.5, 1), trunk[:, axis]) for axis in (0, 1)])
                length = height * stream.between(0.26, 0.40) * (1.25 - 0.6 * share)
                elbow = fork + np.array([0.75 * side * length, 0.30 * length])
                bough = np.vstack([fork, elbow, elbow + np.array([0.30 * side * length, 0.72 * length])])
                tree.append((bough, context.width(0.42), context.width(0.16)))
                side = -side
            if all(shapely.contains_xy(ground.shape, limb).all() for limb, _, _ in tree):
                wood += tree
                half_width = context.size(_WATER) * stream.between(0.8, 1.1)
                for lower, share in ((0.15, 1.0), (0.85, 0.55)):
                    level = y - context.size(lower)
                    rings.append(np.array([(x - half_width * share, level), (x + half_width * share, level)]))
        ground.stamps += circles(places, context.size(self.clear)).tolist()
        visible_rings = [shapely.intersection(LineString(ring), ground.shape) for ring in rings]
        yield from stroke_shape(visible_rings, context, "marsh-stroke", 0.40)
        yield from wedges(wood, context.style.ink("timber"))


class WaterTufts(Motif, frozen=True, kw_only=True, tag="water_tufts"):
    """Tufts, each on a stroke of water, and clumps of reeds among them.

    Attributes:
        reeds: share of the places that have reeds, 0 to 1.
    """

    label_distances = (1.7, 2.5)
    reeds: float = 0.0

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the strokes and blades of the tufts, then the reeds, in printed mm."""
        context, stream, blade_stream = ground.context, ground.stream("tufts"), ground.stream("blades")
        places = self.scatter(ground, stream)
        is_reedy = np.array([stream.draw_unit() < self.reeds for _ in places], dtype=bool)
        half_stroke, tufts = context.size(2.3), Tufts()
        for x, y in places[~is_reedy].tolist():
            tufts.add((x, y), context.size(3.3), 4 + blade_stream.draw_index(3), blade_stream)
        feet = places[~is_reedy][:, None] + np.array([(-half_stroke, -0.15), (half_stroke, -0.15)])
        yield from stroke_shape(feet, context, "marsh-stroke", 0.42)
        yield from stroke_shape(tufts.blades, context, "marsh-tuft", 0.40 if context.style.washes else 0.28)
        yield from draw_reeds(places[is_reedy].tolist(), 4.2, context, stream, area=ground.shape)


class BogTufts(Motif, frozen=True, tag="bog_tufts"):
    """Small tufts, each over two or three short strokes."""

    label_distances = (0.7, 2.4)

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the strokes, then the blades, in printed mm."""
        context, stream = ground.context, ground.stream("tufts")
        places = self.scatter(ground, stream)
        feet: list[Line] = []
        tufts = Tufts()
        for x, y in places.tolist():
            half_stroke = context.size(stream.between(1.9, 2.7))
            for row, share in enumerate((1.0, 0.62, 0.3)[: 2 + stream.draw_index(2)]):
                level, middle = y - context.size(0.15 + 0.8 * row), x + context.size(stream.between(-0.3, 0.3))
                feet.append(np.array([(middle - half_stroke * share, level), (middle + half_stroke * share, level)]))
            tufts.add((x, y), context.size(self.height), 3, stream)
        ground.marks = shapely.buffer(shapely.multipoints(places), context.size(3.6))
        yield from stroke_shape(feet, context, "marsh-stroke", 0.34)
        yield from stroke_shape(tufts.blades, context, "marsh-tuft", 0.36 if context.style.washes else 0.28)


# --- Clearing: an opening in a wood, shaded along its north-western edge ----------------------------------------------

_SHADE: Final = 2.0
_SHADE_ALPHA: Final = 0.18
_STUMP: Final = 0.9
_RING: Final = 0.5
_STUMPS: Final = Motif(spacing=15.0, from_edge=3.9, margin=_STUMP)
_GRASS: Final = Motif(spacing=7.5, from_edge=3.0)


def clearing(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a clearing.

    Woods leave its ground open and have a row of trees around it. Shapes and items are in printed mm.
    """
    shape, style = area.outline, context.style
    yield from on_layer(LayerName.WOOD_FLOOR, fill(shape, style.ink("paper")))
    if style.shadows:
        shifted = affinity.translate(shape, context.size(_SHADE), -context.size(_SHADE))
        shade = shapely.difference(shape, shifted)
        yield from on_layer(LayerName.WOOD_FLOOR, fill(shade, context.tint("shadow", _SHADE_ALPHA)))
    blocked_area = shapely.union_all([context.clear, treeless_course_ground(field, context)])
    ground = CoverGround(area, context, field, shape, blocked_area)
    stumps, grass_stream = _STUMPS.scatter(ground, ground.stream("stumps")), ground.stream("grass")
    ground.stamps += circles(stumps, context.size(2.6)).tolist()
    tufts = Tufts.at(_GRASS.scatter(ground, grass_stream).tolist(), context.size(2.4), 4, grass_stream)
    yield from on_layer(LayerName.WOOD_FLOOR, stroke_shape(tufts.blades, context, "pasture-tuft", 0.32))
    edge = stroke_shape(shape, context, "light-woods-edge", 0.50, dash=(2.2, 1.5), minimum_mm=LEAST_MEANING)
    yield from on_layer(LayerName.WOOD_FLOOR, edge)
    line = context.stroke(style.solid("timber"), 0.22)
    for x, y in stumps:
        for share in (1.0, _RING):
            disc = Point(x, y).buffer(share * context.size(_STUMP), quad_segs=4)
            yield from on_layer(LayerName.WOOD_FLOOR, fill_and_stroke(disc, style.ink("timber-deck"), line))


_CLUMP_SPACING: Final = 6.4
_ASIDE: Final = (1.5, 1.1)
_BUSH: Final = (0.9, 1.75)


class Bushes(Motif, frozen=True, tag="bushes"):
    """Clumps of bushes."""

    def draw(self, ground: CoverGround) -> LayeredItems:
        """Yield (layer, item) pairs that draw the bushes, in printed mm."""
        context = ground.context
        area = ground.shrink(2.0, 4).buffer(-context.size(self.from_edge - 2.0), quad_segs=4)
        bushes = place_bushes(area, ground.avoid, context, ground.stream("bushes"))
        yield from standing(bushes, context, LayerName.GROUND_PATTERN)


def place_bushes(area: BaseGeometry, avoid: BaseGeometry, context: SymbolContext, stream: Stream) -> list[Tree]:
    """Return clumps of one to three bushes, in printed mm; empty if there is no room.

    The first bush of a clump is in ``area``; clumps keep 3.4 mm at 1:1 off ``avoid``. Both areas are in printed mm.
    ``stream`` gives places and sizes.
    """
    points: list[tuple[float, float]] = []
    radii: list[float] = []
    for x, y in poisson_points(
        area, context.size(_CLUMP_SPACING), stream, avoid=avoid.buffer(context.size(3.4), quad_segs=4)
    ).tolist():
        for number in range(1 + stream.draw_index(3)):
            turn = stream.between(0, 2 * math.pi)
            reach_x, reach_y = (context.size(reach) * (number > 0) for reach in _ASIDE)
            points.append((x + reach_x * math.cos(turn), y + reach_y * math.sin(turn)))
            radii.append(context.size(stream.between(*_BUSH)))
    return grown(points, radii, "scrub", stream)


# The motifs of plants that a row of a cover may have.
PlantMotif: TypeAlias = BogTufts | Bushes | DeadTrees | WaterTufts
