"""A fort: bastioned front on every side, ditch and glacis, barracks around the parade ground.

Each side follows the construction of 18th-century engineers. A perpendicular runs inwards from the middle of the side.
Lines of defence pass through its end. Faces are two sevenths of the side, and flanks end at the lines of defence.

Source: the cartography, 10.9.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.built.buildings import House, draw_houses, find_road_point, inset_ground
from printkit.drawing.signs.built.streets import find_long_axis
from printkit.drawing.signs.lines.course_lines import on_layer, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

_DITCH: Final = 3.6
_GLACIS: Final = 4.8
_RAMPART: Final = 3.0
_PARAPET: Final = 1.3
_STROKE: Final = 4.6
_SHARES: Final = (1.0, 0.75, 0.5, 0.3)
_PITCH: Final = 1.9
_CAUSEWAY: Final = 4.6
_USUAL: Final = 34.0  # Radius in mm at 1:1 of ground with a ditch and glacis of the widths above

_FACE: Final = 2 / 7
_PERPENDICULAR: Final = {4: 1 / 8, 5: 1 / 7, 6: 1 / 6}
_FIVE_FROM, _SIX_FROM = 25.0, 62.0  # Least radii in mm at 1:1 of forts with five and with six bastions

_EVEN: Final = 1.3  # Greatest distance of a bastion from the middle, as a factor of the nearest bastion's

# Least width at the centroid as a share of the widest place; below it the middle of the fort is moved.
_AS_WIDE: Final = 0.9

_SHRINK: Final = 0.97
_LEAST: Final = 0.25


class Fort(Struct, frozen=True, kw_only=True):
    """The works of a fort, in printed mm.

    Attributes:
        ground: the complete ground, with the glacis.
        ditch: the ditch and the body inside it.
        body: the outline of the ramparts.
        salients: points of the bastions, anticlockwise.
        unit: printed mm per mm of the works.
    """

    ground: Polygon
    ditch: BaseGeometry
    body: Polygon
    salients: Line
    unit: float

    @property
    def inner(self) -> BaseGeometry:
        """Return the ground inside the rampart, in printed mm."""
        return self.body.buffer(-_RAMPART * self.unit, join_style="mitre")


def fort(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a fort on the works layer, with a causeway towards the nearest road.

    Shapes and items are in printed mm.
    """
    plan, style = plan_fort(area, context), context.style
    small_context = context.smaller(min(1.0, plan.unit / context.size(1.0)))
    yield from on_layer(LayerName.WORKS, fill(plan.ground, style.ink("fort-glacis")))
    yield from on_layer(
        LayerName.WORKS, wedges(_make_slope_strokes(plan, small_context), context.tint("hachure", 0.85))
    )
    yield from on_layer(LayerName.WORKS, fill(plan.ditch, style.ink("fort-ditch")))
    yield from on_layer(
        LayerName.WORKS, stroke_shape(plan.ditch, small_context, "rock-line", 0.36, minimum_mm=LEAST_MEANING)
    )
    if style.shadows:
        body_shadow = affinity.translate(plan.body, 1.0 * plan.unit, -1.1 * plan.unit)
        yield from on_layer(LayerName.WORKS, fill(body_shadow, context.tint("shadow", 0.35)))
    yield from on_layer(LayerName.WORKS, fill(plan.body, style.ink("fort-rampart")))
    yield from on_layer(LayerName.WORKS, fill(plan.inner, style.ink("fort-body")))
    yield from on_layer(
        LayerName.WORKS,
        stroke_shape(plan.body, small_context, "rock-line", 0.75, join=Join.MITRE, minimum_mm=LEAST_MEANING),
    )
    parapet = plan.body.buffer(-_PARAPET * plan.unit, join_style="mitre")
    yield from on_layer(LayerName.WORKS, stroke_shape(parapet, small_context, "rock-line", 0.20, join=Join.MITRE))
    yield from on_layer(LayerName.WORKS, stroke_shape(plan.inner, small_context, "rock-line", 0.34, join=Join.MITRE))
    causeway_ground = make_causeway(plan, area, context, field)
    yield from on_layer(LayerName.WORKS, fill(causeway_ground, style.ink("road")))
    # The causeway is open towards the inside of the fort and just outside the glacis.
    outside = shapely.difference(plan.ground.buffer(1.0), plan.ground)
    sides = shapely.difference(causeway_ground.exterior, shapely.union(plan.inner, outside).buffer(0.05))
    yield from on_layer(
        LayerName.WORKS, stroke_shape(sides, small_context, "rock-line", 0.34, minimum_mm=LEAST_MEANING)
    )
    yield from draw_houses(place_barracks(plan, causeway_ground), small_context, layer=LayerName.WORKS)


def plan_fort(area: Area, context: SymbolContext) -> Fort:
    """Return the largest fort for an area, with four to six bastions by its size.

    The glacis covers the rest of the ground, so that its foot is the edge of the area. On narrow ground the ditch may
    be nearer to the edge.
    """
    ground = area.outline
    radius = math.sqrt(ground.area / math.pi)
    unit = min(1.6 * context.size(1.0), radius / _USUAL)
    board_radius = radius / context.scale
    count = 4 if board_radius < _FIVE_FROM else 5 if board_radius < _SIX_FROM else 6
    glacis_limit = ground.buffer(-_GLACIS * unit)
    corners = _find_corners(inset_ground(ground, (_GLACIS + _DITCH) * unit), count)
    size = 1.0
    while True:
        body = trace_works(corners.at(size))
        ditch = body.buffer(_DITCH * unit, quad_segs=6)
        if glacis_limit.contains(ditch) or size < _LEAST:
            return Fort(ground=ground, ditch=ditch, body=body, salients=corners.at(size), unit=unit)
        size *= _SHRINK


def trace_works(salients: Line) -> Polygon:
    """Return the outline of the bastioned works for the given salients, anticlockwise, in printed mm.

    ``salients`` are the points of four to six bastions, anticlockwise.
    """
    depth_share = _PERPENDICULAR[len(salients)]
    outline_points: list[Line] = []
    for first, last in zip(salients, np.roll(salients, -1, axis=0), strict=True):
        side = last - first
        length = float(np.hypot(*side))
        inward = np.array([-side[1], side[0]]) / length
        crossing = (first + last) / 2 + inward * length * depth_share
        along_first, along_last = (crossing - first, crossing - last)
        along_first, along_last = along_first / np.hypot(*along_first), along_last / np.hypot(*along_last)
        shoulder, far_shoulder = first + along_first * _FACE * length, last + along_last * _FACE * length
        chord = float(np.hypot(*(far_shoulder - shoulder)))
        outline_points += [
            first,
            shoulder,
            far_shoulder + along_last * chord,
            shoulder + along_first * chord,
            far_shoulder,
        ]
    return Polygon(np.array(outline_points))


def make_causeway(plan: Fort, area: Area, context: SymbolContext, field: Battlefield) -> Polygon:
    """Return the causeway over glacis and ditch, in printed mm.

    It is on the side nearest to a road, or on the left without a road. It runs from inside the rampart to the edge of
    the ground.
    """
    middles = (plan.salients + np.roll(plan.salients, -1, axis=0)) / 2
    road_point = find_road_point(area.outline, field, context)
    aim = (
        np.array([road_point.x, road_point.y])
        if road_point
        else np.array([area.outline.bounds[0] - 9e3, plan.body.centroid.y])
    )
    gate = middles[int(np.argmin(np.hypot(*(middles - aim).T)))]
    centre = np.array([plan.body.centroid.x, plan.body.centroid.y])
    outward = (gate - centre) / np.hypot(*(gate - centre))
    reach = np.array([centre + outward * 0.2 * np.hypot(*(gate - centre)), centre + outward * 9e3])
    line = shapely.intersection(LineString(reach), plan.ground)
    band = max(polygons(line.buffer(_CAUSEWAY / 2 * plan.unit, cap_style="flat")), key=lambda part: part.area)
    causeway_area = shapely.difference(shapely.intersection(band, plan.ground), plan.inner.buffer(-0.6 * plan.unit))
    return max(polygons(causeway_area), key=lambda part: part.area)


def place_barracks(plan: Fort, causeway_ground: Polygon) -> list[House]:
    """Return up to three barracks around the parade ground, in printed mm.

    They are clear of the rampart and of the causeway, and smaller or fewer if there is not enough room. The list may be
    empty.
    """
    centre = plan.body.centroid
    free_ground = shapely.difference(plan.inner.buffer(-1.0 * plan.unit), causeway_ground.buffer(1.0 * plan.unit))
    reach = math.sqrt(plan.inner.area / math.pi)
    gate = math.atan2(causeway_ground.centroid.y - centre.y, causeway_ground.centroid.x - centre.x)
    buildings: list[House] = []
    for number in range(3):
        turn = gate + math.pi * (1 + (number - 1) * 0.62)
        x, y = centre.x + 0.56 * reach * math.cos(turn), centre.y + 0.56 * reach * math.sin(turn)
        for size in (1.0, 0.85, 0.7, 0.55, 0.42):
            width, depth = 0.66 * reach * size, 0.38 * reach * size
            house = House(x=x, y=y, width=width, depth=depth, angle=turn + math.pi / 2, roof="slate", shade=number)
            if free_ground.contains(house.footprint):
                buildings.append(house)
                break
    return buildings


class _Corners(Struct, frozen=True):
    """The possible corners of a fort: the middle, and the vector from it to each corner, anticlockwise.

    Coordinates are in printed mm.
    """

    middle: Line
    vectors: Line

    def at(self, size: float) -> Line:
        """Return the corners at a share ``size`` of their vectors from the middle, in printed mm."""
        return np.asarray(self.middle + size * self.vectors)


def _find_corners(ground: Polygon, count: int) -> _Corners:
    """Return the ``count`` corners of a fort as far out as there is room, with a limit on the longest.

    Four are in the corners of the ground's box, five point away from its long side, six have two on its long axis.
    ``ground`` and corners are in printed mm.
    """
    middle = _find_middle(ground)
    first = find_long_axis(ground) + {4: math.pi / 4, 5: math.pi / 2, 6: 0.0}[count]
    turns = first + np.arange(count) * (2 * math.pi / count)
    directions = np.column_stack([exact_math.cos(turns), exact_math.sin(turns)])
    rays = [LineString([middle, middle + direction * 9e3]) for direction in directions]
    reach = np.array([shapely.intersection(ray, ground).length for ray in rays])
    return _Corners(middle, directions * np.minimum(reach, _EVEN * reach.min())[:, None])


def _find_middle(ground: Polygon) -> Line:
    """Return the middle of a fort as an array (x, y) in printed mm.

    It is the centroid of its ground. If that is less than 0.9 times as far from the edge as the widest place, it is the
    point half way between. On a long ground the widest place differs between GEOS versions.
    """
    heavy, widest = ground.centroid, shapely.maximum_inscribed_circle(ground, tolerance=0.5)
    middle: Line = shapely.get_coordinates(heavy)[0]
    if ground.contains(heavy) and ground.exterior.distance(heavy) >= _AS_WIDE * widest.length:
        return middle
    return np.asarray((np.array(widest.coords[0]) + middle) / 2)


def _make_slope_strokes(plan: Fort, context: SymbolContext) -> list[tuple[Line, float, float]]:
    """Return strokes down the glacis to its foot at the edge of the ground.

    Each is a line from head to foot, its width at the head and its width at the foot, in printed mm. Strokes are
    shorter in corners, so that they do not cross.
    """
    rim = resampled(LineString(plan.ground.exterior), _PITCH * plan.unit)
    inward = normals(rim) if plan.ground.exterior.is_ccw else -normals(rim)
    slope = shapely.difference(plan.ground, plan.ditch.buffer(0.5 * plan.unit))
    shapely.prepare(slope)
    strokes: list[tuple[Line, float, float]] = []
    for foot, upward in zip(rim[:-1], inward[:-1], strict=True):
        for share in _SHARES:
            length = share * _STROKE * plan.unit
            head = foot + upward * length
            edge_distance = float(plan.ground.exterior.distance(Point(head)))
            if edge_distance > 0.9 * length and slope.covers(Point(head)):
                strokes.append((np.array([head, foot]), context.width(0.34), context.width(0.10)))
                break
    return strokes
