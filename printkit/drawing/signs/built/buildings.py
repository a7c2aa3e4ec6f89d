"""Houses from above with roof planes lit from the north-west, and building plans fitted to an area.

Source: the cartography, 9.8 and 10.9.

Houses never overlap, so all houses of a town are drawn together, one path for each ink.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import Cap, Ink, Join, LayeredItems, LayerName, Path
from printkit.drawing.canvas.shapes import Line, fill, lines, polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.built.streets import ENTERING, find_long_axis, find_middle
from printkit.drawing.signs.lines.course_lines import on_layer, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course

SHADOW: Final = (1.7, 1.8)
_LIGHT: Final = (-math.sqrt(0.5), math.sqrt(0.5))
_HIP: Final = 0.46
_LIT, _DARK, _GRAZED = 0.30, 0.28, 0.18
_TILE: Final = 1.15
_LEAST_TILE: Final = 0.5  # Least spacing of tile lines in printed mm; closer lines are left out.
_LEAST_SHADE: Final = 0.42  # Least spacing of shade strokes, in printed mm


class House(Struct, frozen=True, kw_only=True):
    """A building whose ridge runs along ``width``.

    ``angle`` is that of the ridge, in radians anticlockwise from the x axis. Position (the middle) and sizes are in
    printed mm, or in mm of a plan until ``PlanSite.place_house``. ``roof`` is roof, thatch or slate; ``shade`` selects
    an ink of it, by its remainder; ``hipped`` slopes the gables too.
    """

    x: float
    y: float
    width: float
    depth: float
    angle: float
    roof: str = "roof"
    shade: int = 0
    hipped: bool = False
    chimney: bool = False

    def to_map(self, points: Sequence[tuple[float, float]]) -> Line:
        """Return points on the map from its frame, as an n x 2 array in printed mm.

        The frame has its origin at the middle of the building and its x axis along the ridge.
        """
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        # For so few points plain arithmetic is faster than numpy.
        return np.array([(x * cosine - y * sine + self.x, x * sine + y * cosine + self.y) for x, y in points])

    @property
    def corners(self) -> Line:
        """Return the four corners of a building's ground in printed mm, anticlockwise."""
        w, d = self.width / 2, self.depth / 2
        return self.to_map([(-w, -d), (w, -d), (w, d), (-w, d)])

    @property
    def footprint(self) -> Polygon:
        """Return the rectangle of a building's ground, in printed mm."""
        ground: Polygon = shapely.polygons(self.corners)
        return ground

    @property
    def ridge(self) -> Line:
        """Return the two ends of the roof's ridge as a 2 x 2 array, in printed mm."""
        end = self.width / 2 - (self.depth * _HIP if self.hipped else 0.0)
        return self.to_map([(-end, 0), (end, 0)])

    @property
    def planes(self) -> tuple[tuple[Line, float], ...]:
        """Return the planes of the roof: corners in printed mm, and light from 1 (full) to -1 (away).

        The two slopes along the ridge come first, then the two gables of a hipped roof.
        """
        w, d = self.width / 2, self.depth / 2
        end = w - (self.depth * _HIP if self.hipped else 0.0)
        faces: list[tuple[list[tuple[float, float]], tuple[float, float]]] = [
            ([(-w, d), (w, d), (end, 0), (-end, 0)], (0, 1)),
            ([(-w, -d), (w, -d), (end, 0), (-end, 0)], (0, -1)),
        ]
        if self.hipped:
            faces += [([(s * w, d), (s * w, -d), (s * end, 0)], (s, 0)) for s in (1, -1)]
        return tuple((self.to_map(corners), self.compute_light(outward)) for corners, outward in faces)

    def compute_light(self, outward: tuple[float, float]) -> float:
        """Return the light on a roof plane, from 1 (faces the light) to -1 (faces away from it).

        ``outward`` is the unit vector down the plane, in a frame with x along the ridge.
        """
        (x, y), cosine, sine = outward, math.cos(self.angle), math.sin(self.angle)
        return (x * cosine - y * sine) * _LIGHT[0] + (x * sine + y * cosine) * _LIGHT[1]


def draw_houses(
    house_list: Sequence[House], context: SymbolContext, *, layer: LayerName = LayerName.HOUSE
) -> LayeredItems:
    """Yield (layer, item) pairs that draw houses that do not overlap, north to south, with all shadows below them.

    Shapes and items are in printed mm. It yields nothing for an empty sequence. ``layer`` is the layer of all items.
    """
    if not house_list:
        return
    house_list = sorted(house_list, key=lambda house: -house.y)
    footprints = shapely.polygons(np.array([house.corners for house in house_list])).tolist()
    yield from on_layer(layer, draw_shadows(footprints, context, SHADOW, 0.34))
    if context.style.hatched:
        yield from on_layer(layer, fill(footprints, context.style.ink("roof")))
        strokes = [
            stroke
            for house in house_list
            for stroke in _make_shade_strokes(house, max(context.size(0.85), _LEAST_SHADE))
        ]
        yield from on_layer(layer, stroke_shape(strokes, context, "roof-line", 0.20, cap=Cap.BUTT))
    else:
        yield from _draw_planes(house_list, context, layer)
        if context.size(_TILE) >= _LEAST_TILE:
            tiles = [
                stroke
                for house in house_list
                for stroke in _make_tile_lines(house, context.size(_TILE), context.size(0.3))
            ]
            yield from on_layer(layer, stroke_shape(tiles, context, "roof-line", 0.10, alpha=0.5, cap=Cap.BUTT))
    yield from on_layer(
        layer, stroke_shape([house.ridge for house in house_list], context, "roof-line", 0.34, cap=Cap.BUTT)
    )
    hips = [line for house in house_list if house.hipped for line in _make_hip_lines(house)]
    yield from on_layer(layer, stroke_shape(hips, context, "roof-line", 0.24))
    yield from on_layer(layer, stroke_shape(footprints, context, "roof-line", 0.38, join=Join.MITRE))
    stacks = [_make_chimney(house, context) for house in house_list if house.chimney]
    yield from on_layer(layer, fill(stacks, context.style.ink("chimney")))
    yield from on_layer(layer, stroke_shape(stacks, context, "roof-line", 0.25, join=Join.MITRE))


def draw_shadows(
    footprints: Sequence[BaseGeometry], context: SymbolContext, offset_mm: tuple[float, float], alpha: float
) -> list[Path]:
    """Return the shadows of buildings as one path, or an empty list in a style without shadows.

    For each building it is the hull of its ground and a copy moved south-east.

    Args:
        footprints: the grounds of the buildings, in printed mm.
        context: gives the style and sizes.
        offset_mm: how far the shadows fall to the east and to the south, in mm at 1:1.
        alpha: opacity of the shadows, 0 to 1.
    """
    if not context.style.shadows:
        return []
    grounds, shift = np.array(footprints, dtype=object), (context.size(offset_mm[0]), -context.size(offset_mm[1]))
    hulls = shapely.convex_hull(shapely.union(grounds, shapely.transform(grounds, lambda points: points + shift)))
    return fill(shapely.union_all(hulls), context.tint("shadow", alpha))


def mix_plane_ink(ink: Ink, facing: float, context: SymbolContext, *, gable: bool = False) -> Ink:
    """Return the ink of a roof plane: paler towards the light, darker away from it.

    ``ink`` is the ink of the roof. ``facing`` is the light on the plane from 1 to -1; only its sign counts. A hipped
    ``gable`` differs less from ``ink``.
    """
    if facing > 0:
        return ink.mix(context.style.solid("roof-lit"), _GRAZED if gable else _LIT)
    return ink.mix(context.style.solid("roof-dark"), _GRAZED if gable else _DARK)


def _draw_planes(house_list: Sequence[House], context: SymbolContext, layer: LayerName) -> LayeredItems:
    """Yield (layer, item) pairs that draw all planes of one ink as one path.

    ``house_list`` must have a house. Shapes and items are in printed mm.
    """
    corners: list[Line] = []
    plane_indices: dict[Ink, list[int]] = {}
    for house in house_list:
        inks = context.style.family(house.roof)
        for number, (plane, facing) in enumerate(house.planes):
            ink = mix_plane_ink(inks[house.shade % len(inks)], facing, context, gable=number > 1)
            plane_indices.setdefault(ink, []).append(len(corners))
            corners.append(plane)
    plane_numbers = np.repeat(np.arange(len(corners)), [len(plane) for plane in corners])
    planes = shapely.polygons(shapely.linearrings(np.concatenate(corners), indices=plane_numbers))
    for ink, numbers in plane_indices.items():
        yield from on_layer(layer, fill(planes[numbers], ink))


def _make_tile_lines(house: House, pitch: float, short: float) -> list[Line]:
    """Return the lines between the tiles, down both slopes, in printed mm.

    Lines are ``pitch`` mm apart and end ``short`` mm from the eaves.
    """
    reach = house.depth / 2 - short
    line_positions = (np.arange(pitch * 0.8, house.width, pitch) - house.width / 2).tolist()
    ends = [end for x in line_positions for end in ((x, -reach), (x, reach))]
    return list(house.to_map(ends).reshape(-1, 2, 2)) if ends else []


def _make_shade_strokes(house: House, pitch: float) -> list[Line]:
    """Return strokes down the slope that faces away from the light, limited by the hips, in printed mm.

    ``pitch`` is the distance between strokes in mm.
    """
    half, eave = house.width / 2, house.depth / 2
    end = half - (house.depth * _HIP if house.hipped else 0.0)
    side = -1 if house.compute_light((0, 1)) > 0 else 1
    ends: list[tuple[float, float]] = []
    for x in (np.arange(pitch * 0.7, house.width, pitch) - half).tolist():
        upper = eave * max(0.0, abs(x) - end) / (half - end) if house.hipped else 0.0
        ends += [(x, side * upper), (x, side * eave)]
    return list(house.to_map(ends).reshape(-1, 2, 2)) if ends else []


def _make_hip_lines(house: House) -> list[Line]:
    """Return the four lines from the ends of the ridge of a hipped roof to its corners, in printed mm."""
    half, eave = house.width / 2, house.depth / 2
    end = half - house.depth * _HIP
    ends = [point for s in (-1, 1) for t in (-1, 1) for point in ((s * end, 0), (s * half, t * eave))]
    return list(house.to_map(ends).reshape(-1, 2, 2))


def _make_chimney(house: House, context: SymbolContext) -> Polygon:
    """Return the outline of the chimney on the ridge of a house, in printed mm."""
    middle_x, half = house.width * 0.28, context.size(0.7)
    return Polygon(
        house.to_map(
            [(middle_x - half, -half), (middle_x + half, -half), (middle_x + half, half), (middle_x - half, half)]
        )
    )


# --- Plans around an origin, fitted to the ground of an area ----------------------------------------------------------

_HALVINGS: Final = 18
_REACH: Final = 45.0


class PlanSite(Struct, frozen=True, kw_only=True):
    """The position of a plan on the map.

    ``x`` and ``y`` are its origin in printed mm, and ``angle`` is that of its x axis in radians, anticlockwise.
    ``size`` is printed mm per mm of plan.
    """

    x: float
    y: float
    angle: float
    size: float

    def to_map(self, points: Iterable[Any]) -> Line:
        """Return points of the plan (x and y in mm of plan) on the map, as an n x 2 array in printed mm."""
        local = np.asarray(list(points), dtype=float) * self.size
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        return np.asarray(exact_math.product(local, [[cosine, sine], [-sine, cosine]]) + np.array((self.x, self.y)))

    def polygon(self, points: Iterable[tuple[float, float]]) -> Polygon:
        """Return a polygon of the plan (corners in mm of plan) on the map, in printed mm."""
        return Polygon(self.to_map(points))

    def box(self, width: float, depth: float, *, level: float = 0.0) -> Polygon:
        """Return a rectangle with sides along the axes of the plan, on the map in printed mm.

        ``width``, ``depth`` and ``level``, the height of its centre above the origin, are in mm of plan.
        """
        w, d = width / 2, depth / 2
        return self.polygon([(-w, level - d), (w, level - d), (w, level + d), (-w, level + d)])

    def is_above(self, point: Point) -> bool:
        """Return whether a point, in printed mm, is on the positive side of the plan's x axis."""
        dx, dy = float(point.x) - self.x, float(point.y) - self.y
        return dy * math.cos(self.angle) > dx * math.sin(self.angle)

    def place_house(self, house: House) -> House:
        """Return a house of the plan, in mm of plan, with position, sizes and angle on the map, in printed mm."""
        ((x, y),) = self.to_map([(house.x, house.y)])
        width, depth = house.width * self.size, house.depth * self.size
        return replace(house, x=float(x), y=float(y), width=width, depth=depth, angle=house.angle + self.angle)


def inset_ground(ground: BaseGeometry, inset_mm: float) -> Polygon:
    """Return the largest piece of ground ``inset_mm`` mm inside its edge, without holes, in printed mm.

    On small ground the inset is smaller, down to 0; then holes stay.

    Raises:
        ValueError: the ground is empty.
    """
    for share in (1.0, 0.5, 0.25, 0.1):
        inner = polygons(ground.buffer(-share * inset_mm, join_style="mitre"))
        if inner:
            return Polygon(max(inner, key=lambda part: part.area).exterior)
    return max(polygons(ground), key=lambda part: part.area)


def fit_site(
    ground: Polygon, width: float, depth: float, *, angle: float | None = None, max_size: float = math.inf
) -> PlanSite:
    """Return the largest site on the ground for a plan of ``width`` x ``depth`` mm of plan.

    The middle of the plan is at the middle of the ground or at its widest place, where the plan can be larger. The size
    is 0 if the plan does not fit at all.

    Args:
        ground: the ground in printed mm.
        width: width of the plan in mm of plan.
        depth: depth of the plan in mm of plan.
        angle: angle of the plan's x axis in radians, anticlockwise; None for the long axis of the ground.
        max_size: greatest size, in printed mm per mm of plan.
    """
    plan_angle = find_long_axis(ground) if angle is None else angle
    shapely.prepare(ground)
    centres = [find_middle(ground), shapely.maximum_inscribed_circle(ground, tolerance=1.0).coords[0]]
    sites = (
        _find_largest_site(ground, PlanSite(x=x, y=y, angle=plan_angle, size=0.0), (width, depth), max_size)
        for x, y in centres
    )
    return max(sites, key=lambda site: site.size)


def find_road_point(ground: Polygon, field: Battlefield, context: SymbolContext) -> Point | None:
    """Return the point of a ground's edge nearest to a road, or None if no road is near.

    A road is near within 45 mm at 1:1. The ground and the point are in printed mm.
    """
    roads = [course.line for course in field.select_features(*ENTERING) if isinstance(course, Course)]
    near_roads = [road for road in roads if road.dwithin(ground, context.size(_REACH))]
    if not near_roads:
        return None
    road = min(near_roads, key=lambda line: line.distance(ground.exterior))
    return Point(shapely.shortest_line(ground.exterior, road).coords[0])


def open_ring(ring: LineString, target: Point, width: float) -> tuple[BaseGeometry, Point]:
    """Return a closed line with a gap at the point nearest to ``target``, and the middle of the gap.

    Everything is in printed mm, ``width`` of the gap too. The result has two parts if the line starts away from the
    gap; ``merge_lines`` joins them.
    """
    middle_of_gap = ring.interpolate(ring.project(target))
    return shapely.difference(ring, middle_of_gap.buffer(width / 2)), middle_of_gap


def merge_lines(shape: BaseGeometry) -> BaseGeometry:
    """Return lines with touching ends merged, in their unit: for example a ring cut away from its start.

    An empty line means that the shape contains no lines.
    """
    parts = lines(shape)
    return shapely.line_merge(shapely.multilinestrings(parts)) if parts else LineString()


def _find_largest_site(ground: Polygon, site: PlanSite, plan: tuple[float, float], max_size: float) -> PlanSite:
    """Return the site with the largest size at which a plan fits on the ground.

    Args:
        ground: the ground in printed mm.
        site: gives the origin and the angle of the plan.
        plan: width and depth in mm of plan; its middle is the origin.
        max_size: greatest size, in printed mm per mm of plan.
    """
    low, high = 0.0, min(max_size, 2 * math.sqrt(ground.area / (plan[0] * plan[1])))
    if ground.contains(replace(site, size=high).box(*plan)):
        return replace(site, size=high)
    for _ in range(_HALVINGS):
        half = (low + high) / 2
        low, high = (half, high) if ground.contains(replace(site, size=half).box(*plan)) else (low, half)
    return replace(site, size=low)
