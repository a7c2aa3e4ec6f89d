"""A great single building in a walled yard: a hall with wings about a court, as of a temple, an abbey or a villa.

Source: the cartography, 9.8 and 10.9.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.area_fill import wash
from printkit.drawing.canvas.items import Laid, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.scatter.crowns import trees
from printkit.drawing.scatter.scatter import planted
from printkit.drawing.signs.built.buildings import House, houses
from printkit.drawing.signs.built.single_buildings import well
from printkit.drawing.signs.built.site import Site, fitted, nearest_way, opened, shrunk, whole_lines
from printkit.drawing.signs.lines.course_lines import on, ruled
from printkit.drawing.signs.lines.works import wall_along
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

_PLAN: Final = (44.0, 31.0)
_LARGEST: Final = 2.4
_GATE: Final = 6.5
_WALL: Final = 1.5
_RINGS: Final = ((3.0, 0.06), (1.4, 0.10))
_HALL: Final = House(x=0.0, y=7.6, width=38.0, depth=12.0, angle=0.0, roof="slate", hipped=True)
_WINGS: Final = tuple(
    House(x=side * 14.6, y=-5.2, width=13.2, depth=8.0, angle=math.pi / 2, roof="slate", shade=1) for side in (-1, 1)
)
_GATEHOUSES: Final = tuple(
    House(x=side * 6.4, y=-10.6, width=7.4, depth=4.8, angle=0.0, roof="roof", shade=side + 1) for side in (-1, 1)
)
_COURT: Final = (19.6, 8.4)
_COURT_AT: Final = -3.2


class Edifice(Struct, frozen=True, kw_only=True):
    """The plan of a great building: how it lies, its roofs, its yard, the gap in the wall, the path, the court."""

    site: Site
    roofs: tuple[House, ...]
    yard: Polygon
    gate: Point
    path: BaseGeometry
    court: Polygon


def edifice(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a great building with its court, in a yard with a wall about it."""
    plan, style = laid_out(area, pen, field), pen.style
    unit = plan.site.size
    hand = pen.smaller(min(1.0, unit / pen.size(1.0)))
    yield from on(LayerName.GROUND_WASH, wash(area.outline, style.ink("churchyard"), None, hand, _RINGS))
    yield from on(LayerName.GARDEN, fill(plan.path, style.ink("road")))
    edges = shapely.difference(plan.path.boundary, plan.gate.buffer(_GATE * unit))
    yield from on(LayerName.GARDEN, ruled(edges, hand, "road-casing", 0.28))
    yield from on(LayerName.GARDEN, fill(plan.court, style.ink("gardens")))
    yield from on(LayerName.GARDEN, ruled(plan.court, hand, "hedge-line", 0.32, least=LEAST_MEANING))
    ((x, y),) = plan.site.placed([(0.0, _COURT_AT)])
    alleys = [plan.site.placed([(-_COURT[0] / 2, _COURT_AT), (_COURT[0] / 2, _COURT_AT)])]
    alleys += [plan.site.placed([(0.0, _COURT_AT - _COURT[1] / 2), (0.0, _COURT_AT + _COURT[1] / 2)])]
    yield from on(LayerName.GARDEN, ruled(alleys, hand, "hedge-line", 0.32))
    yield from well(Point(float(x), float(y)), pen.smaller(0.8 * unit / pen.size(1.0)))
    standing, _ = opened(LineString(plan.yard.exterior), plan.gate, _GATE * unit)
    stones = pen.stream(f"draw/{area.id}/wall")
    yield from wall_along(whole_lines(standing), hand, stones, _WALL * unit, LayerName.GARDEN)
    stream = pen.stream(f"draw/{area.id}/trees")
    covered = [*(roof.footprint.buffer(3.6 * unit) for roof in plan.roofs), plan.path.buffer(2.6 * unit)]
    taken = shapely.union_all([*covered, plan.court.buffer(2.6 * unit), pen.clear])
    lawn = shapely.difference(plan.yard.buffer(-4.2 * unit), taken)
    places = [
        (float(x), float(y)) for x, y in planted(lawn, max(9.5 * unit, 0.09 * math.sqrt(area.outline.area)), stream)
    ]
    radii = [unit * stream.between(2.2, 3.0) for _ in places]
    yield from trees(places, radii, "crown", hand, stream=stream, layer=LayerName.GARDEN)
    yield from houses(plan.roofs, hand)


def laid_out(area: Area, pen: Pen, field: Battlefield) -> Edifice:
    """Return the plan of a great building, its gate towards the way that passes."""
    ground = area.outline
    yard = shrunk(ground, pen.size(0.9))
    site = fitted(shrunk(yard, pen.size(2.2)), *_PLAN, most=pen.size(_LARGEST))
    goal = nearest_way(ground, field, pen)
    if goal and site.above(goal):
        site = replace(site, angle=site.angle + math.pi)
    front = LineString(site.placed([(0.0, 0.0), (0.0, -9e3)]))
    gate = Point(shapely.get_coordinates(shapely.intersection(front, yard.exterior))[0])
    line = LineString([site.placed([(0.0, _COURT_AT - _COURT[1] / 2)])[0], (gate.x, gate.y)])
    inner = site.polygon(_box(_COURT, _COURT_AT))
    path = shapely.difference(line.buffer(_GATE / 2 * 0.7 * site.size, cap_style="flat"), inner)
    roofs = tuple(site.house(house) for house in (_HALL, *_WINGS, *_GATEHOUSES))
    return Edifice(site=site, roofs=roofs, yard=yard, gate=gate, path=shapely.intersection(path, ground), court=inner)


def _box(size: tuple[float, float], level: float) -> list[tuple[float, float]]:
    w, d = size[0] / 2, size[1] / 2
    corners = np.array([(-w, level - d), (w, level - d), (w, level + d), (-w, level + d)])
    return [(float(x), float(y)) for x, y in corners]
