"""A plan drawn about an origin, fitted onto the ground of an area: where it lies, how it is turned, how large it is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import Line, lines, polygons
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.signs.built.buildings import House
from printkit.drawing.signs.built.streets import ENTERING, long_axis, middle
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course

_HALVINGS: Final = 18
_REACH: Final = 45.0


class Site(Struct, frozen=True, kw_only=True):
    """Where a plan lies: its origin, its x axis ``angle`` radians from that of the map, printed mm per mm of plan."""

    x: float
    y: float
    angle: float
    size: float

    def placed(self, points: Iterable[tuple[float, float]] | Line) -> Line:
        """Return points of the plan where they come to lie."""
        local = np.asarray(list(points), dtype=float) * self.size
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        return np.asarray(local @ np.array([[cosine, sine], [-sine, cosine]]) + (self.x, self.y))

    def polygon(self, points: Iterable[tuple[float, float]]) -> Polygon:
        """Return a polygon of the plan where it comes to lie."""
        return Polygon(self.placed(points))

    def box(self, width: float, depth: float) -> Polygon:
        """Return an upright box of the plan about its origin where it comes to lie."""
        w, d = width / 2, depth / 2
        return self.polygon([(-w, -d), (w, -d), (w, d), (-w, d)])

    def above(self, place: Point) -> bool:
        """Return whether a place lies above the x axis of the plan."""
        aside, up = float(place.x) - self.x, float(place.y) - self.y
        return up * math.cos(self.angle) > aside * math.sin(self.angle)

    def house(self, house: House) -> House:
        """Return a house of the plan where it comes to stand."""
        ((x, y),) = self.placed([(house.x, house.y)])
        width, depth = house.width * self.size, house.depth * self.size
        return replace(house, x=float(x), y=float(y), width=width, depth=depth, angle=house.angle + self.angle)


def shrunk(ground: BaseGeometry, by: float) -> Polygon:
    """Return the largest piece of ground ``by`` mm inside its edge; on ground too small for that, less far inside."""
    for share in (1.0, 0.5, 0.25, 0.1):
        inner = polygons(ground.buffer(-share * by, join_style="mitre"))
        if inner:
            return Polygon(max(inner, key=lambda part: part.area).exterior)
    return max(polygons(ground), key=lambda part: part.area)


def fitted(ground: Polygon, width: float, depth: float, *, angle: float | None = None, most: float = math.inf) -> Site:
    """Return the site of a plan of ``width`` x ``depth`` mm, as large as the ground has room for.

    Args:
        ground: in printed mm.
        angle: of the plan's long side; None takes that of the ground.
        most: printed mm per mm of plan at most.
    """
    turned = long_axis(ground) if angle is None else angle
    shapely.prepare(ground)
    spots = [middle(ground), shapely.maximum_inscribed_circle(ground, tolerance=1.0).coords[0]]
    sites = (_largest(ground, Site(x=x, y=y, angle=turned, size=0.0), (width, depth), most) for x, y in spots)
    return max(sites, key=lambda site: site.size)


def nearest_way(ground: Polygon, field: Battlefield, pen: Pen) -> Point | None:
    """Return the place of a ground's edge that lies nearest to a way which passes at hand; None where none does."""
    ways = [course.line for course in field.of(*ENTERING) if isinstance(course, Course)]
    close = [way for way in ways if way.dwithin(ground, pen.size(_REACH))]
    if not close:
        return None
    way = min(close, key=lambda line: line.distance(ground.exterior))
    return Point(shapely.shortest_line(ground.exterior, way).coords[0])


def opened(ring: LineString, at: Point, width: float) -> tuple[BaseGeometry, Point]:
    """Return a closed line with a gap of ``width`` mm at the place nearest to a point, and the middle of the gap."""
    middle_of_gap = ring.interpolate(ring.project(at))
    return shapely.difference(ring, middle_of_gap.buffer(width / 2)), middle_of_gap


def whole_lines(shape: BaseGeometry) -> BaseGeometry:
    """Return lines that touch end to end as one, as those of a ring that was cut somewhere else than at its start."""
    parts = lines(shape)
    return shapely.line_merge(shapely.multilinestrings(parts)) if parts else LineString()


def _largest(ground: Polygon, site: Site, plan: tuple[float, float], most: float) -> Site:
    low, high = 0.0, min(most, 2 * math.sqrt(ground.area / (plan[0] * plan[1])))
    if ground.contains(replace(site, size=high).box(*plan)):
        return replace(site, size=high)
    for _ in range(_HALVINGS):
        half = (low + high) / 2
        low, high = (half, high) if ground.contains(replace(site, size=half).box(*plan)) else (low, half)
    return replace(site, size=low)
