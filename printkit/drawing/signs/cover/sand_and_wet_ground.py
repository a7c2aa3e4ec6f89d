"""Sand, beaches and oases, and wet ground: marsh, swamp with pools and dead trees, and boggy ground.

Source: the cartography, 10.8 and 10.4 (coast).

Source: the cartography, 10.4. Reeds, tufts and dead trees are in ``wet_plants``.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, circles, fill, lines, polygons, rotate_points, uneven_oval, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, RINGS, SymbolContext
from printkit.drawing.scatter.crowns import grown, poisson_points, standing
from printkit.drawing.signs.cover.low_plants import Tufts, draw_dead_trees, draw_reeds
from printkit.drawing.signs.cover.shores import draw_waterlines
from printkit.drawing.signs.lines.channels import draw_bank_shadow, find_reserved_ground, subtract_waters
from printkit.drawing.signs.lines.course_lines import (
    MeasuredLine,
    covered,
    draw_area_ground,
    find_touching_basins,
    on_layer,
    stipple_area,
    stroke_shape,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import ROUTES, Area

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
    """Return the pools of an area in printed mm; overlapping pools are merged. Empty if no pool fits.

    Args:
        area: the area; its ID names the random stream.
        ground: the area without waters, in printed mm; pools are completely inside.
        dry: roads and labels, in printed mm; the middles of pools stay 6 mm at 1:1 away from them.
        context: gives the sizes.
        settings: spacing of the pools and ranges of their size.
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
    return shapely.union_all(pools) if pools else NOTHING


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


_SAND: Final = ("sand", "sand-wash-edge")
# Range of the wind's bearing in degrees anticlockwise from +x; the slip faces are then in shade.
_WIND: Final = (-16.0, 10.0)

_WIND_STRAYS: Final = 11.0
# Spacing of dunes in mm at 1:1. Dunes that would touch another are left out, so the rest are about 11 mm apart.
_DUNE_SPACING: Final = 6.0

_DUNE: Final = (4.6, 7.0)
_COMBS: Final = 18
_COMB: Final = (1.8, 3.1)
_STIPPLE: Final = 2.6

_BEACH_STIPPLE: Final = 2.0
_TIDES: Final = (2.4, 5.6, 9.6)
_TIDE_STROKES: Final = ((4.0, 12.0), (3.5, 12.0))

_POOL_SHARE: Final = 0.40
_BESIDE_WAYS: Final = 2.5
_BESIDE_EDGE: Final = 6.0
_GREEN: Final = 7.0
_PALM: Final = 4.6
_PALM_SPACING: Final = 1.55
_FAR_PALM_SPACING: Final = 3.4


def dunes(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw dunes: crescents whose horns point downwind, with combed slip faces.

    Shapes and items are in printed mm.
    """
    ground, avoid = subtract_waters(area, context, field), find_reserved_ground(context, field)
    yield from draw_area_ground(ground, context, _SAND, edge=("sand-line", 0.42, (0.01, 1.9)))
    wind = context.stream("draw/wind").between(*_WIND)
    stream = context.stream(f"draw/{area.id}/dunes")
    hulls: list[BaseGeometry] = []
    bodies: list[Polygon] = []
    slips: list[Polygon] = []
    crests: list[Line] = []
    backs: list[Line] = []
    combs: list[tuple[Line, float, float]] = []
    free_ground = shapely.difference(ground, avoid)
    for x, y in poisson_points(
        ground.buffer(-context.size(5.0)), context.size(_DUNE_SPACING), stream, avoid=avoid
    ).tolist():
        half_width = context.size(stream.between(*_DUNE))
        turn = math.radians(wind + stream.between(-_WIND_STRAYS, _WIND_STRAYS))
        back, crest, foot = _make_crescent(
            (x, y), half_width, turn, (stream.between(0.82, 1.1), stream.between(0.82, 1.1))
        )
        hull = Polygon(np.vstack([back, foot[::-1]])).buffer(context.size(1.7))
        if not free_ground.contains(hull) or any(hull.intersects(placed_hull) for placed_hull in hulls):
            continue
        hulls.append(hull)
        bodies.append(Polygon(np.vstack([back, crest[::-1]])))
        slips.append(Polygon(np.vstack([crest, foot[::-1]])))
        crests.append(crest)
        backs.append(back)
        combs += _make_comb_strokes(crest, foot, context, [stream.between(*_COMB) for _ in range(_COMBS)])
    yield from on_layer(LayerName.GROUND_PATTERN, fill(bodies, context.tint("dune", 0.95)))
    yield from on_layer(LayerName.GROUND_PATTERN, fill(slips, context.tint("slip-face", 0.55)))
    yield from on_layer(LayerName.GROUND_PATTERN, wedges(combs, context.style.ink("sand-line")))
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(crests, context, "sand-line", 0.55))
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(backs, context, "sand-line", 0.22))
    drawn_ground = shapely.union_all([avoid, *hulls])
    yield from _draw_stipple(
        area, ground.buffer(-context.size(1.5)), drawn_ground, context, spacing=_STIPPLE, radii=(0.13, 0.24)
    )


def beach(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a beach: sand, grains, and broken tide lines along the nearest water.

    Shapes and items are in printed mm.
    """
    ground, avoid = subtract_waters(area, context, field), find_reserved_ground(context, field)
    yield from draw_area_ground(ground, context, _SAND, edge=("sand-line", 0.42, (0.01, 1.6)))
    inside = shapely.difference(ground.buffer(-context.size(1.2)), avoid)
    stream = context.stream(f"draw/{area.id}/tides")
    # Tide lines run along the water next to the beach, or inside its edge if there is no water.
    basins = find_touching_basins(area.outline, field, max_distance=context.size(8.0))
    water, side = (shapely.union_all(basins), 1.0) if basins else (ground, -1.0)
    strokes: list[Line] = []
    for distance in _TIDES:
        line = water.buffer(side * context.size(distance)).boundary
        for part in lines(shapely.line_merge(shapely.intersection(line, inside))):
            if part.length > context.size(4.0):
                dash_range, gap_range = ((context.size(low), context.size(high)) for low, high in _TIDE_STROKES)
                strokes += MeasuredLine.from_line(part).cut_dashes(dash_range, gap_range, stream)
    tide_lines = shapely.MultiLineString([stroke for stroke in strokes if len(stroke) > 1])
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(tide_lines, context, "sand-line", 0.26))
    drawn_ground = shapely.union(avoid, tide_lines.buffer(context.size(0.6)))
    yield from _draw_stipple(
        area, ground.buffer(-context.size(0.9)), drawn_ground, context, spacing=_BEACH_STIPPLE, radii=(0.14, 0.26)
    )


def oasis(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw an oasis: sand, a pool with a green rim, and palms around it.

    Shapes and items are in printed mm.
    """
    ground, avoid, style = subtract_waters(area, context, field), find_reserved_ground(context, field), context.style
    yield from draw_area_ground(ground, context, _SAND, edge=("sand-line", 0.42, (0.01, 2.6)))
    water = _make_pool(area, ground, context, field)
    green = shapely.intersection(water.buffer(context.size(_GREEN)), ground.buffer(-context.size(1.5)))
    rim_stream = context.stream(f"draw/{area.id}/rim")
    for breadth, alpha in ((_GREEN, 0.55), (0.55 * _GREEN, 0.65)):
        rim = shapely.intersection(water.buffer(context.size(breadth * rim_stream.between(0.9, 1.1))), green)
        yield from on_layer(LayerName.GROUND_WASH, fill(shapely.difference(rim, water), context.tint("pasture", alpha)))
    drawn_ground = shapely.union(avoid, green)
    yield from _draw_stipple(
        area, ground.buffer(-context.size(1.6)), drawn_ground, context, spacing=3.2, radii=(0.13, 0.24)
    )
    yield from on_layer(LayerName.GROUND_PATTERN, fill(water, style.ink("water")))
    yield from on_layer(
        LayerName.GROUND_PATTERN, fill(water.buffer(-context.size(2.4)), context.tint("water-deep", 0.35))
    )
    for _, item in draw_bank_shadow(water, water, context, 0.9, 0.35):
        yield LayerName.GROUND_PATTERN, item
    yield from on_layer(LayerName.GROUND_PATTERN, draw_waterlines(water, context, 3, clip_area=water))
    yield from on_layer(
        LayerName.GROUND_PATTERN, stroke_shape(water, context, "bank-line", 0.55, minimum_mm=LEAST_MEANING)
    )
    stream = context.stream(f"draw/{area.id}/palms")
    middles = _place_palms(area, ground, context, water=water, green=green, avoid=avoid)
    crown_room = shapely.union_all([avoid, *circles(middles, context.size(0.9 * _PALM))])
    wet_rim = shapely.difference(green, water.buffer(context.size(0.8)))
    growth = context.stream(f"draw/{area.id}/growth")
    feet = poisson_points(wet_rim, context.size(4.6), growth, avoid=crown_room)
    blades = Tufts.at(feet.tolist(), context.size(2.0), 3, growth).blades
    visible = lines(shapely.intersection(shapely.linestrings(blades), ground))
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(visible, context, "pasture-tuft", 0.32))
    shallows = water.buffer(-context.size(1.0)) - water.buffer(-context.size(2.6))
    rushes = poisson_points(shallows, context.size(7.5), growth, avoid=crown_room)
    yield from draw_reeds(rushes.tolist(), 2.8, context, growth, layer=LayerName.GROUND_PATTERN, area=ground)
    radii = [context.size(_PALM) * stream.between(0.84, 1.08) for _ in middles]
    palm_trees = grown(middles, radii, "palm", stream)
    yield from standing(palm_trees, context)


def _draw_stipple(
    area: Area,
    ground: BaseGeometry,
    avoid: BaseGeometry,
    context: SymbolContext,
    *,
    spacing: float,
    radii: tuple[float, float],
) -> LayeredItems:
    """Yield (layer, item) pairs that draw grains of sand over some ground, in printed mm, but not on ``avoid``.

    Args:
        area: the area; its ID names the random stream.
        ground: where the grains are.
        avoid: ground without grains.
        context: gives the style and sizes.
        spacing: distance between grains in mm at 1:1.
        radii: smallest and largest radius of a grain, in mm at 1:1.
    """
    stream = context.stream(f"draw/{area.id}/stipple")
    low, high = radii
    grains = stipple_area(ground, avoid, context, stream, (spacing, low, high - low), context.tint("sand-line", 0.85))
    yield from on_layer(LayerName.GROUND_PATTERN, grains)


def _make_crescent(
    centre: tuple[float, float], half: float, wind: float, horns: tuple[float, float]
) -> tuple[Line, Line, Line]:
    """Return the back of a dune, its crest and the foot of its slip face, each from horn to horn.

    All are n x 2 arrays in printed mm. ``horns`` has the side to the right of the wind first.

    Args:
        centre: centre of the dune, in printed mm.
        half: half the distance from horn to horn, in printed mm.
        wind: direction that the wind blows to, in radians.
        horns: length of each side as a share of ``half``.
    """
    positions = np.linspace(-1.0, 1.0, 25)
    reach = np.abs(positions)
    side = half * positions * np.where(positions < 0, *horns)
    back = half * (-0.56 + 0.88 * exact_math.power(reach, 2.4))
    crest = half * (-0.10 + 0.42 * exact_math.power(reach, 1.9))
    foot = half * (0.20 + 0.12 * exact_math.power(reach, 1.5))
    return (
        rotate_points(back, side, wind, centre),
        rotate_points(crest, side, wind, centre),
        rotate_points(foot, side, wind, centre),
    )


def _make_comb_strokes(
    crest: Line, foot: Line, context: SymbolContext, lengths: list[float]
) -> list[tuple[Line, float, float]]:
    """Return the strokes down a slip face from its crest. They shorten towards the horns.

    Each is a line from head to foot, its width at the head and its width at the foot, in printed mm.

    Args:
        crest: the crest of the dune, in printed mm.
        foot: the foot of its slip face.
        context: gives the sizes.
        lengths: greatest length of each stroke, in mm at 1:1.
    """
    strokes: list[tuple[Line, float, float]] = []
    for share, length in zip(np.linspace(0.06, 0.94, len(lengths)), lengths, strict=True):
        index_position = share * (len(crest) - 1)
        indices = np.arange(len(crest))
        head, base = (
            np.array([np.interp(index_position, indices, line[:, axis]) for axis in (0, 1)]) for line in (crest, foot)
        )
        fall = base - head
        depth = float(np.hypot(*fall))
        if depth > context.size(0.3):
            strokes.append((np.vstack([head, head + fall * min(0.98, context.size(length) / depth)]),
                          context.width(0.40), context.width(0.10)))  # fmt: skip
    return strokes


def _make_pool(area: Area, ground: BaseGeometry, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the pool of an oasis in printed mm: near its middle, a smoothed copy of its outline.

    It is clear of roads. An empty polygon means that there is no room. ``ground`` is the oasis without other waters.
    """
    small = affinity.scale(area.outline, _POOL_SHARE, _POOL_SHARE, origin=area.outline.representative_point())
    smoothing = 0.2 * math.sqrt(small.area)
    smooth_shape = small.buffer(-smoothing).buffer(2 * smoothing).buffer(-smoothing)
    dry = covered(field, ROUTES, context, dict.fromkeys(ROUTES, _BESIDE_WAYS))
    pool_area = shapely.intersection(smooth_shape, shapely.difference(ground.buffer(-context.size(_BESIDE_EDGE)), dry))
    pools = polygons(pool_area.buffer(-0.5 * smoothing).buffer(0.5 * smoothing))
    return max(pools, key=lambda part: part.area) if pools else Polygon()


def _place_palms(
    area: Area,
    ground: BaseGeometry,
    context: SymbolContext,
    *,
    water: BaseGeometry,
    green: BaseGeometry,
    avoid: BaseGeometry,
) -> Line:
    """Return the positions of palms in printed mm: close together on the green, scattered on the sand.

    The result is an n x 2 array. Palms on the green come first.

    Args:
        area: the oasis; its ID names the random stream.
        ground: its ground, in printed mm.
        context: gives the sizes.
        water: the pool.
        green: the pool and its green rim.
        avoid: roads and labels.
    """
    stream = context.stream(f"draw/{area.id}/grove")
    blocked_area = shapely.union(avoid.buffer(context.size(_PALM)), water.buffer(context.size(0.55 * _PALM)))
    palm_area = ground.buffer(-context.size(1.1 * _PALM))
    near_palms = poisson_points(
        shapely.intersection(palm_area, green), context.size(_PALM_SPACING * _PALM), stream, avoid=blocked_area
    )
    far_palms = poisson_points(
        palm_area, context.size(_FAR_PALM_SPACING * _PALM), stream, existing=near_palms, avoid=blocked_area
    )
    return np.vstack([near_palms, far_palms])
