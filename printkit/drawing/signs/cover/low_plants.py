"""Scrub: clumps of low bushes in a dotted edge; clearings in woods; and plants of wet ground: tufts, reeds, dead trees.

Source: the cartography, 10.3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, circles, fill, fill_and_stroke, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import Tree, grown, poisson_points, standing
from printkit.drawing.signs.cover.woods import treeless_course_ground
from printkit.drawing.signs.lines.channels import find_reserved_ground, subtract_waters
from printkit.drawing.signs.lines.course_lines import draw_area_ground, on_layer, stipple_area, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

_HEAD: Final = 0.26  # Length of a reed's head as a share of its height

_SNAG_HEIGHT: Final = (4.4, 6.0)
_WATER: Final = 2.6


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
    points: Sequence[Sequence[float]],
    height: float,
    context: SymbolContext,
    stream: Stream,
    *,
    layer: LayerName,
    area: BaseGeometry,
) -> LayeredItems:
    """Yield (layer, item) pairs that draw clumps of reeds: stiff blades, two or three with a dark head.

    Args:
        points: base points of the clumps in printed mm; may be empty.
        height: height of a clump in mm at 1:1.
        context: gives the style and sizes.
        stream: random stream for the shapes.
        layer: the layer of all items.
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
    yield from on_layer(layer, stroke_shape(blades, context, "marsh-tuft", 0.32 if context.style.washes else 0.24))
    yield from on_layer(layer, stroke_shape(heads, context, "timber", 0.78))


def draw_dead_trees(
    points: Sequence[Sequence[float]], context: SymbolContext, stream: Stream, *, area: BaseGeometry
) -> LayeredItems:
    """Yield (layer, item) pairs that draw dead trees: a trunk with a few broken boughs over rings of water.

    ``points`` are the feet of the trunks and ``area`` is the ground, in printed mm. Trees that do not fit in it are
    left out.
    """
    wood: list[tuple[Line, float, float]] = []
    rings: list[Line] = []
    shapely.prepare(area)
    for x, y in points:
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
        if all(shapely.contains_xy(area, limb).all() for limb, _, _ in tree):
            wood += tree
            half_width = context.size(_WATER) * stream.between(0.8, 1.1)
            for lower, share in ((0.15, 1.0), (0.85, 0.55)):
                level = y - context.size(lower)
                rings.append(np.array([(x - half_width * share, level), (x + half_width * share, level)]))
    visible_rings = [shapely.intersection(LineString(ring), area) for ring in rings]
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(visible_rings, context, "marsh-stroke", 0.40))
    yield from on_layer(LayerName.GROUND_PATTERN, wedges(wood, context.style.ink("timber")))


# --- Clearing: an opening in a wood, shaded along its north-western edge ----------------------------------------------

_SHADE: Final = 2.0
_SHADE_ALPHA: Final = 0.18
_CLEARING_FROM_EDGE: Final = 3.0
_TUFT_SPACING: Final = 7.5
_TUFT_HEIGHT: Final = 2.4
_STUMP: Final = 0.9
_RING: Final = 0.5
_STUMP_SPACING: Final = 15.0
_BESIDE_STUMP: Final = 2.6


def clearing(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a clearing.

    Woods leave its ground open and have a row of trees around it. Shapes and items are in printed mm.
    """
    ground, style = area.outline, context.style
    yield from on_layer(LayerName.WOOD_FLOOR, fill(ground, style.ink("paper")))
    if style.shadows:
        shifted = affinity.translate(ground, context.size(_SHADE), -context.size(_SHADE))
        shade = shapely.difference(ground, shifted)
        yield from on_layer(LayerName.WOOD_FLOOR, fill(shade, context.tint("shadow", _SHADE_ALPHA)))
    blocked_area = shapely.union_all([context.clear, treeless_course_ground(field, context)])
    stumps = _place_stumps(area, blocked_area, context)
    stump_areas = circles(stumps, context.size(_BESIDE_STUMP))
    blades = _make_grass(area, shapely.union_all([blocked_area, *stump_areas]), context)
    yield from on_layer(LayerName.WOOD_FLOOR, stroke_shape(blades, context, "pasture-tuft", 0.32))
    edge = stroke_shape(ground, context, "light-woods-edge", 0.50, dash=(2.2, 1.5), minimum_mm=LEAST_MEANING)
    yield from on_layer(LayerName.WOOD_FLOOR, edge)
    line = context.stroke(style.solid("timber"), 0.22)
    for x, y in stumps:
        for share in (1.0, _RING):
            disc = Point(x, y).buffer(share * context.size(_STUMP), quad_segs=4)
            yield from on_layer(LayerName.WOOD_FLOOR, fill_and_stroke(disc, style.ink("timber-deck"), line))


def _place_stumps(area: Area, blocked_area: BaseGeometry, context: SymbolContext) -> Line:
    """Return the positions of tree stumps in a clearing as an n x 2 array, clear of ``blocked_area``.

    Coordinates are in printed mm.
    """
    stream = context.stream(f"draw/{area.id}/stumps")
    stump_area = area.outline.buffer(-context.size(_CLEARING_FROM_EDGE + _STUMP))
    return poisson_points(
        stump_area, context.size(_STUMP_SPACING), stream, avoid=blocked_area.buffer(context.size(_STUMP))
    )


def _make_grass(area: Area, blocked_area: BaseGeometry, context: SymbolContext) -> Line:
    """Return the blades of grass in a clearing as an array of n curves, clear of ``blocked_area``.

    A curve is a row of points (x, y), so the array has three dimensions. Coordinates are in printed mm.
    """
    stream = context.stream(f"draw/{area.id}/grass")
    points = poisson_points(
        area.outline.buffer(-context.size(_CLEARING_FROM_EDGE)), context.size(_TUFT_SPACING), stream, avoid=blocked_area
    )
    return Tufts.at(points.tolist(), context.size(_TUFT_HEIGHT), 4, stream).blades


_CLUMP_SPACING: Final = 6.4
_ASIDE: Final = (1.5, 1.1)
_BUSH: Final = (0.9, 1.75)
_ROOM: Final = 2.0
_FROM_EDGE: Final = 3.4
_DOT_SPACING: Final = 4.6


def scrub(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw scrub, brush or gorse.

    Roads and waters through it are open. Shapes and items are in printed mm.
    """
    ground, avoid = subtract_waters(area, context, field), find_reserved_ground(context, field)
    yield from draw_area_ground(ground, context, ("scrub-ground",), edge=("scrub-line", 0.40, (0.01, 2.4)))
    dot_stream = context.stream(f"draw/{area.id}/undergrowth")
    inner_area, ink = ground.buffer(-context.size(_ROOM), quad_segs=4), context.tint("scrub-line", 0.8)
    yield from on_layer(
        LayerName.GROUND_PATTERN, stipple_area(inner_area, avoid, context, dot_stream, (_DOT_SPACING, 0.16, 0.14), ink)
    )
    stream = context.stream(f"draw/{area.id}/bushes")
    bush_list = place_bushes(inner_area.buffer(context.size(_ROOM - _FROM_EDGE), quad_segs=4), avoid, context, stream)
    yield from standing(bush_list, context, LayerName.GROUND_PATTERN)


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
