"""Sand: dunes with slip faces away from the wind, a beach, and an oasis with palms around a pool.

Source: the cartography, 10.8 and 10.4 (coast).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, circles, fill, lines, polygons, rotate_points, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import grown, standing
from printkit.drawing.scatter.scatter import poisson_points
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
from printkit.drawing.signs.lines.wet_plants import Tufts, draw_reeds
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import ROUTES, Area

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
