"""Wet ground: marsh, swamp with pools and dead trees, and pale, sparse boggy ground.

Source: the cartography, 10.4. Reeds, tufts and dead trees are in ``wet_plants``.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.area_fill import RINGS
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, circles, fill, lines, rotate_points, uneven_oval
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.lines.channels import find_reserved_ground, subtract_waters
from printkit.drawing.signs.lines.course_lines import draw_area_ground, on_layer, stroke_shape
from printkit.drawing.signs.lines.wet_plants import Tufts, draw_dead_trees, draw_reeds
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

_NOTHING: Final = Polygon()
_SNAG_SPACING: Final = 19.0
_SNAG_ROOM: Final = 7.0
_TUFT_SPACING: Final = 9.5
_REED_SHARE: Final = 0.5
_BOG_SPACING: Final = 9.8
_BOG_TUFT: Final = 2.4
_MARSH: Final = ("marsh", "marsh-wash-edge")
_SWAMP_GREEN: Final = 0.34
_BOG_PALE: Final = 0.55


class _Rows(Struct, frozen=True, kw_only=True):
    """Rows of horizontal strokes; lengths in mm at 1:1.

    Attributes:
        pitch: mm between rows.
        strokes: least and greatest length of a stroke in mm.
        gaps: least and greatest gap in mm.
        firm: share of the strokes, 0 to 1, that are left out where the ground is firmest.
    """

    pitch: float = 2.5
    strokes: tuple[float, float] = (4.0, 13.0)
    gaps: tuple[float, float] = (1.6, 5.0)
    firm: float = 0.2


class _Pools(Struct, frozen=True, kw_only=True):
    """Open pools; lengths in mm at 1:1.

    Attributes:
        spacing: mm between pools.
        inside: mm between a pool and the edge.
        long: range of half the length in mm.
        broad: range of half the breadth in mm.
    """

    spacing: float = 30.0
    inside: float = 13.0
    long: tuple[float, float] = (5.0, 9.0)
    broad: tuple[float, float] = (2.2, 3.4)


_SWAMP_POOLS: Final = _Pools(spacing=19.0, inside=8.0, long=(5.0, 9.5), broad=(2.6, 4.2))


def marsh(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a marsh.

    It stays off river banks, and roads through it are dry. Shapes and items are in printed mm.
    """
    ground, dry = subtract_waters(area, context, field), find_reserved_ground(context, field)
    yield from draw_area_ground(ground, context, _MARSH, edge=("marsh-stroke", 0.50, (2.6, 1.6)))
    open_water = _make_pools(area, ground, dry, context, _Pools())
    rows = _make_level_strokes(area, ground, open_water, context, _Rows())
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(rows, context, "marsh-stroke", 0.34, alpha=0.85))
    yield from _draw_pools(open_water, context)
    stream = context.stream(f"draw/{area.id}/tufts")
    avoid = shapely.union_all([open_water.buffer(context.size(2.0)), dry])
    tuft_points = poisson_points(ground.buffer(-context.size(3.5)), context.size(_TUFT_SPACING), stream, avoid=avoid)
    yield from _draw_tufts(area, tuft_points.tolist(), context)


def swamp(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a swamp: a marsh with many pools, dead trees and clumps of bulrushes.

    Shapes and items are in printed mm.
    """
    ground, dry = subtract_waters(area, context, field), find_reserved_ground(context, field)
    edge = ("marsh-stroke", 0.50, (2.6, 1.4, 0.01, 1.4))
    yield from draw_area_ground(ground, context, _MARSH, towards=("heavy-woods", _SWAMP_GREEN), edge=edge)
    open_water = _make_pools(area, ground, dry, context, _SWAMP_POOLS)
    rows = _make_level_strokes(area, ground, open_water, context, _Rows(firm=0.3))
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(rows, context, "marsh-stroke", 0.34, alpha=0.85))
    yield from _draw_pools(open_water, context)
    blocked_area = shapely.union_all([open_water.buffer(context.size(1.2)), dry])
    stream = context.stream(f"draw/{area.id}/snags")
    plant_area = shapely.intersection(ground.buffer(-context.size(3.5)), _shift_south(ground, context.size(6.4)))
    dead_trees = poisson_points(
        plant_area, context.size(_SNAG_SPACING), stream, avoid=blocked_area.buffer(context.size(2.6))
    )
    yield from draw_dead_trees(dead_trees.tolist(), context, stream, area=ground)
    tuft_stream = context.stream(f"draw/{area.id}/tufts")
    tuft_avoid = shapely.union_all([blocked_area, *circles(dead_trees, context.size(_SNAG_ROOM / 2))])
    plant_area = shapely.intersection(ground.buffer(-context.size(3.5)), _shift_south(ground, context.size(4.6)))
    points = poisson_points(plant_area, context.size(_TUFT_SPACING), tuft_stream, avoid=tuft_avoid).tolist()
    has_reeds = [tuft_stream.draw_unit() < _REED_SHARE for _ in points]
    yield from _draw_tufts(
        area, [point for point, is_reedy in zip(points, has_reeds, strict=True) if not is_reedy], context
    )
    rushes = [point for point, is_reedy in zip(points, has_reeds, strict=True) if is_reedy]
    yield from draw_reeds(rushes, 4.2, context, tuft_stream, layer=LayerName.GROUND_PATTERN, area=ground)


def boggy_ground(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw boggy ground: pale, with small tufts over two or three short strokes and a few rows of strokes.

    Yields (layer, item) pairs in printed mm; shapes are in printed mm too.
    """
    ground, dry, style = subtract_waters(area, context, field), find_reserved_ground(context, field), context.style
    faint = [(inset, 0.6 * alpha) for inset, alpha in RINGS]
    edge = ("marsh-stroke", 0.46, (0.01, 1.3, 0.01, 2.7))
    yield from draw_area_ground(ground, context, _MARSH, towards=("paper", _BOG_PALE), rings=faint, edge=edge)
    stream = context.stream(f"draw/{area.id}/tufts")
    tuft_area = shapely.intersection(ground.buffer(-context.size(3.2)), _shift_south(ground, context.size(_BOG_TUFT)))
    points = poisson_points(tuft_area, context.size(_BOG_SPACING), stream, avoid=dry.buffer(context.size(2.5)))
    feet: list[Line] = []
    tufts = Tufts()
    for x, y in points.tolist():
        half_stroke = context.size(stream.between(1.9, 2.7))
        for row, share in enumerate((1.0, 0.62, 0.3)[: 2 + stream.draw_index(2)]):
            level, shift = y - context.size(0.15 + 0.8 * row), context.size(stream.between(-0.3, 0.3))
            feet.append(np.array([(x - half_stroke * share + shift, level), (x + half_stroke * share + shift, level)]))
        tufts.add((x, y), context.size(_BOG_TUFT), 3, stream)
    sparse = _Rows(pitch=4.6, strokes=(2.5, 6.0), gaps=(4.0, 13.0), firm=0.35)
    marks = shapely.buffer(shapely.multipoints(points), context.size(3.6))
    rows = _make_level_strokes(area, ground, marks, context, sparse)
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(rows, context, "marsh-stroke", 0.28, alpha=0.75))
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(feet, context, "marsh-stroke", 0.34))
    yield from on_layer(
        LayerName.GROUND_PATTERN, stroke_shape(tufts.blades, context, "marsh-tuft", 0.36 if style.washes else 0.28)
    )


def _shift_south(ground: BaseGeometry, height_mm: float) -> BaseGeometry:
    """Return the ground shifted south by a plant's height, both in printed mm.

    A plant on the result stays below the northern edge of the ground.
    """
    return shapely.affinity.translate(ground, 0.0, -height_mm)


def _make_pools(
    area: Area, ground: BaseGeometry, dry: BaseGeometry, context: SymbolContext, settings: _Pools
) -> BaseGeometry:
    """Return the pools of an area in printed mm; overlapping pools are merged.

    The result is empty if no pool fits. ``ground`` is the area without waters, and ``dry`` the roads and labels.
    """
    stream = context.stream(f"draw/{area.id}/pools")
    pool_area = shapely.difference(ground.buffer(-context.size(settings.inside)), dry.buffer(context.size(6)))
    pools: list[BaseGeometry] = []
    inner = ground.buffer(-context.size(1.5))
    shapely.prepare(inner)
    for x, y in poisson_points(pool_area, context.size(settings.spacing), stream):
        wide, high = context.size(stream.between(*settings.long)), context.size(stream.between(*settings.broad))
        oval = uneven_oval(wide, high, stream, 0.16, 40)
        pool = shapely.make_valid(Polygon(rotate_points(*oval, math.radians(stream.between(-8, 8)), (x, y))))
        if inner.contains(pool):
            pools.append(pool)
    return shapely.union_all(pools) if pools else _NOTHING


def _draw_pools(water: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw pools: the water, its edge and one waterline.

    ``water`` is in printed mm.
    """
    yield from on_layer(LayerName.GROUND_PATTERN, fill(water, context.style.ink("water")))
    yield from on_layer(
        LayerName.GROUND_PATTERN, stroke_shape(water, context, "bank-line", 0.38, minimum_mm=LEAST_MEANING)
    )
    yield from on_layer(
        LayerName.GROUND_PATTERN, stroke_shape(water.buffer(-context.size(1.0)), context, "waterline", 0.22)
    )


def _make_level_strokes(
    area: Area, ground: BaseGeometry, blocked_area: BaseGeometry, context: SymbolContext, settings: _Rows
) -> list[LineString]:
    """Return the rows of broken horizontal strokes in printed mm, with gaps where the ground is firmest.

    Args:
        area: the area; its ID names the random stream.
        ground: its ground, in printed mm.
        blocked_area: ground without strokes, for example pools.
        context: gives the sizes.
        settings: spacing of rows, and lengths of strokes and gaps.
    """
    stream = context.stream(f"draw/{area.id}/strokes")
    left, low, right, high = ground.bounds
    strokes: list[tuple[tuple[float, float], ...]] = []
    starts: list[tuple[float, float]] = []
    y = low
    while y < high:
        y += context.size(settings.pitch) * stream.between(0.92, 1.08)
        x = left - context.size(stream.between(0, 6))
        while x < right:
            length = context.size(stream.between(*settings.strokes))
            level, sag = y + context.size(stream.between(-0.25, 0.25)), context.size(stream.between(-0.12, 0.12))
            strokes.append(((x, level), (x + length / 2, level + sag), (x + length, level)))
            starts.append((x, y))
            x += length + context.size(stream.between(*settings.gaps))
    if not starts:
        return []
    inside = shapely.difference(ground.buffer(-context.size(1.2)), blocked_area.buffer(context.size(1.0)))
    drawing_area = shapely.difference(inside, context.clear)
    shapely.prepare(drawing_area)
    start_x, start_y = np.array(starts).T
    wet = context.noise.at(start_x, 2.2 * start_y, context.size(38))
    # The quantile of the firm share. np.quantile would import the masked arrays (10 ms).
    firm_index = int(settings.firm * (len(wet) - 1))
    wet_strokes = shapely.linestrings(np.array(strokes)[wet > np.partition(wet, firm_index)[firm_index]])
    pieces = np.array(lines(_clip_strokes(wet_strokes, drawing_area)), dtype=object)
    return list(pieces[shapely.length(pieces) > context.size(0.8)])


def _clip_strokes(strokes: NDArray[np.object_], drawing_area: BaseGeometry) -> NDArray[np.object_]:
    """Return strokes clipped to ``drawing_area``, which is prepared; strokes outside it are left out.

    Strokes are an array of lines; all are in printed mm. A clipped stroke may be in several parts. Only strokes across
    its edge need the costly intersection.
    """
    hits = strokes[shapely.intersects(drawing_area, strokes)]
    inside = shapely.contains_properly(drawing_area, hits)
    clipped_strokes: NDArray[np.object_] = hits.copy()
    clipped_strokes[~inside] = shapely.intersection(hits[~inside], drawing_area)
    return clipped_strokes


def _draw_tufts(area: Area, points: list[list[float]], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of tufts, each on a stroke of water, with their feet at ``points`` in printed mm."""
    stream = context.stream(f"draw/{area.id}/blades")
    half_stroke, tufts = context.size(2.3), Tufts()
    for x, y in points:
        tufts.add((x, y), context.size(3.3), 4 + stream.draw_index(3), stream)
    feet = np.array(points).reshape(-1, 1, 2) + np.array([(-half_stroke, -0.15), (half_stroke, -0.15)])
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(feet, context, "marsh-stroke", 0.42))
    width = 0.40 if context.style.washes else 0.28
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(tufts.blades, context, "marsh-tuft", width))
