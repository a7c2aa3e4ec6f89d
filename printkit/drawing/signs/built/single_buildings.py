"""Single buildings: a church with its yard, a well, a great building in a walled yard, a house.

Source: the cartography, 10.9.
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

from printkit.chance.streams import Stream
from printkit.drawing.canvas.area_fill import FAINT_RINGS
from printkit.drawing.canvas.items import Cap, Ink, Join, LayeredItems, LayerName, Path
from printkit.drawing.canvas.shapes import Line, fill, fill_and_stroke, resampled, uneven_oval
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import draw_trees
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.built.buildings import (
    House,
    PlanSite,
    cast,
    fitted,
    houses,
    nearest_way,
    opened,
    shrunk,
    whole_lines,
)
from printkit.drawing.signs.lines.course_lines import floor, on, stroke_shape
from printkit.drawing.signs.lines.works import fence_along, wall_along
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

SHADOW: Final = (2.3, 2.5)
_NAVE: Final = ((-9.0, 0.0), (9.0, 0.0), 4.2)
_CROSSING: Final = ((3.5, -8.0), (3.5, 8.0), 2.5)
_APSE: Final = ((9.0, -3.2), (11.5, -2.2), (12.6, 0.0), (11.5, 2.2), (9.0, 3.2))
_TOWER: Final = ((-16.0, -4.6), (-7.0, -4.6), (-7.0, 4.6), (-16.0, 4.6))
_WHITE: Final = Ink(255, 255, 255)


class Church(PlanSite, frozen=True, kw_only=True):
    """A church along ``angle`` radians, apse first. ``size`` is printed mm per mm of its plan."""

    @property
    def footprint(self) -> BaseGeometry:
        """Return the ground of the church."""
        halves = [half for ridge in (_NAVE, _CROSSING) for half, _ in self.gable(ridge)]
        return shapely.union_all([*halves, Polygon(self.placed(_APSE)), Polygon(self.placed(_TOWER))])

    def gable(self, ridge: tuple[tuple[float, float], tuple[float, float], float]) -> list[tuple[Polygon, float]]:
        """Return the two roof planes along a ridge, each with its light from -1 to 1."""
        first, last, half = np.array(ridge[0]), np.array(ridge[1]), ridge[2]
        along = (last - first) / float(np.hypot(*(last - first)))
        across = np.array([-along[1], along[0]])
        origin = self.placed([(0, 0)])[0]
        found = []
        for side in (1, -1):
            out = side * half * across
            facing = self.placed([out])[0] - origin
            found.append((Polygon(self.placed([first, last, last + out, first + out])), float(facing[1] - facing[0])))
        return found


def church(building: Church, context: SymbolContext) -> LayeredItems:
    """Draw nave, crossing, apse, and a tower with a pyramid roof and a cross."""
    slate = context.style.family("slate")[0]
    yield from on(LayerName.HOUSE, cast([building.footprint], context, SHADOW, 0.32))
    for ridge in (_CROSSING, _NAVE):
        for plane, facing in building.gable(ridge):
            ink = slate.mix(_WHITE, 0.32) if facing > 0 else slate.mix(Ink(21, 21, 26), 0.30)
            yield from on(LayerName.HOUSE, _faced(plane, slate if context.style.hatched else ink, context))
        if context.style.hatched:
            yield from on(
                LayerName.HOUSE, stroke_shape(_hatching(building, ridge), context, "roof-line", 0.20, cap=Cap.BUTT)
            )
    apse = Polygon(building.placed(_APSE))
    yield from on(LayerName.HOUSE, _faced(apse, slate.mix(_WHITE, 0.10), context))
    yield from tower(building, _TOWER, context)


def _faced(plane: Polygon, ink: Ink, context: SymbolContext) -> list[Path]:
    return fill_and_stroke(plane, ink, context.stroke(context.style.solid("roof-line"), 0.30, join=Join.MITRE))


def _hatching(building: Church, ridge: tuple[tuple[float, float], tuple[float, float], float]) -> list[Line]:
    """Return strokes from ridge to eave on the plane away from the light."""
    dark = min(building.gable(ridge), key=lambda plane: plane[1])[0]
    first, last, eave_last, eave_first = (np.array(corner) for corner in dark.exterior.coords[:4])
    return [
        np.array([first + (last - first) * share, eave_first + (eave_last - eave_first) * share])
        for share in np.arange(0.04, 1.0, 0.07)
    ]


def tower(building: Church, foot: tuple[tuple[float, float], ...], context: SymbolContext) -> LayeredItems:
    """Draw the pyramid roof and cross of a tower; ``foot`` is its corners on the church's plan."""
    stone, corners = context.style.solid("stone"), np.array(foot)
    middle = corners.mean(axis=0)
    origin = building.placed([(0.0, 0.0)])[0]
    for first, last in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        out = building.placed([(first + last) / 2 - middle])[0] - origin
        facing = float(out[1] - out[0]) / (float(np.hypot(*out)) * math.sqrt(2))
        other = _WHITE if facing > 0 else Ink(42, 32, 24)
        ink = stone if context.style.hatched else stone.mix(Ink(120, 105, 92), 0.35).mix(other, abs(facing) * 0.55)
        yield from on(LayerName.HOUSE, _faced(Polygon(building.placed([first, last, middle])), ink, context))
    x, y = building.placed([middle])[0]
    size = building.size
    upright = np.array([(x, y - 2.6 * size), (x, y + 3.4 * size)])
    arms = np.array([(x - 2.0 * size, y + 1.3 * size), (x + 2.0 * size, y + 1.3 * size)])
    yield from on(LayerName.HOUSE, stroke_shape([upright, arms], context, "ink", 0.75, cap=Cap.BUTT))


def yard(building: Church, stream: Stream) -> Polygon:
    """Return the churchyard: an uneven oval around the church."""
    x, y = uneven_oval(22.0, 14.0, stream, 0.055, 90)
    # The middle of the church is about 1.7 west of its plan's origin; the yard leaves at least 5 around it.
    return Polygon(building.placed(np.column_stack([x - 1.7, y])))


def well(at: Point, context: SymbolContext) -> LayeredItems:
    """Draw a well with a stone kerb."""
    kerb, water = at.buffer(context.size(2.0)), at.buffer(context.size(1.0))
    yield from on(LayerName.GARDEN, fill(kerb, context.style.ink("stone")))
    yield from on(LayerName.GARDEN, stroke_shape(kerb, context, "stone-line", 0.50))
    yield from on(LayerName.GARDEN, fill(water, context.style.ink("bank-line")))


# --- A great single building in a walled yard -------------------------------------------------------------------------

_PLAN: Final = (44.0, 31.0)
_EDIFICE_LARGEST: Final = 2.4
_EDIFICE_GATE: Final = 6.5
_WALL: Final = 1.5
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
    """The plan of a great building.

    Attributes:
        site: position and scale of the plan.
        roofs: its buildings.
        yard: the walled yard.
        gate: middle of the gap in the wall.
        path: the path from the gate.
        court: the garden court.
    """

    site: PlanSite
    roofs: tuple[House, ...]
    yard: Polygon
    gate: Point
    path: BaseGeometry
    court: Polygon


def edifice(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a great building with its court, in a walled yard."""
    plan, style = laid_out(area, context, field), context.style
    unit = plan.site.size
    hand = context.smaller(min(1.0, unit / context.size(1.0)))
    yield from floor(area.outline, hand, ("churchyard",), rings=FAINT_RINGS)
    yield from on(LayerName.GARDEN, fill(plan.path, style.ink("road")))
    edges = shapely.difference(plan.path.boundary, plan.gate.buffer(_EDIFICE_GATE * unit))
    yield from on(LayerName.GARDEN, stroke_shape(edges, hand, "road-casing", 0.28))
    yield from on(LayerName.GARDEN, fill(plan.court, style.ink("gardens")))
    yield from on(LayerName.GARDEN, stroke_shape(plan.court, hand, "hedge-line", 0.32, least=LEAST_MEANING))
    ((x, y),) = plan.site.placed([(0.0, _COURT_AT)])
    alleys = [plan.site.placed([(-_COURT[0] / 2, _COURT_AT), (_COURT[0] / 2, _COURT_AT)])]
    alleys += [plan.site.placed([(0.0, _COURT_AT - _COURT[1] / 2), (0.0, _COURT_AT + _COURT[1] / 2)])]
    yield from on(LayerName.GARDEN, stroke_shape(alleys, hand, "hedge-line", 0.32))
    yield from well(Point(float(x), float(y)), context.smaller(0.8 * unit / context.size(1.0)))
    standing, _ = opened(LineString(plan.yard.exterior), plan.gate, _EDIFICE_GATE * unit)
    stones = context.stream(f"draw/{area.id}/wall")
    yield from wall_along(whole_lines(standing), hand, stones, _WALL * unit, LayerName.GARDEN)
    stream = context.stream(f"draw/{area.id}/trees")
    covered = [*(roof.footprint.buffer(3.6 * unit) for roof in plan.roofs), plan.path.buffer(2.6 * unit)]
    taken = shapely.union_all([*covered, plan.court.buffer(2.6 * unit), context.clear])
    lawn = shapely.difference(plan.yard.buffer(-4.2 * unit), taken)
    places = poisson_points(lawn, max(9.5 * unit, 0.09 * math.sqrt(area.outline.area)), stream)
    radii = [unit * stream.between(2.2, 3.0) for _ in places]
    yield from draw_trees(places, radii, "crown", hand, stream=stream, layer=LayerName.GARDEN)
    yield from houses(plan.roofs, hand)


def laid_out(area: Area, context: SymbolContext, field: Battlefield) -> Edifice:
    """Return the plan of a great building. Its gate faces a nearby road."""
    ground = area.outline
    yard = shrunk(ground, context.size(0.9))
    site = fitted(shrunk(yard, context.size(2.2)), *_PLAN, most=context.size(_EDIFICE_LARGEST))
    goal = nearest_way(ground, field, context)
    if goal and site.above(goal):
        site = replace(site, angle=site.angle + math.pi)
    front = LineString(site.placed([(0.0, 0.0), (0.0, -9e3)]))
    gate = Point(shapely.get_coordinates(shapely.intersection(front, yard.exterior))[0])
    line = LineString([site.placed([(0.0, _COURT_AT - _COURT[1] / 2)])[0], (gate.x, gate.y)])
    inner = site.box(*_COURT, level=_COURT_AT)
    path = shapely.difference(line.buffer(_EDIFICE_GATE / 2 * 0.7 * site.size, cap_style="flat"), inner)
    roofs = tuple(site.house(house) for house in (_HALL, *_WINGS, *_GATEHOUSES))
    return Edifice(site=site, roofs=roofs, yard=yard, gate=gate, path=shapely.intersection(path, ground), court=inner)


# --- A single building ------------------------------------------------------------------------------------------------

_BUILDING_LARGEST: Final = 2.2
POST: Final = 1.9
_HOUSE: Final = (24.0, 18.0)
_BESIDE: Final = ((-10.2, -6.5), (-10.9, 2.0), (-9.8, 7.6), (-1.0, 7.9))


def building(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw one house with a piece of fence, its front towards a nearby road. It is larger on larger ground."""
    stream = context.stream(f"draw/{area.id}/house")
    site = fitted(area.outline, *_HOUSE, most=context.size(_BUILDING_LARGEST))
    if (front := nearest_way(area.outline, field, context)) and site.above(front):
        site = replace(site, angle=site.angle + math.pi)
    mirrored = 1 if stream.draw_unit() < 0.5 else -1
    fence = LineString(site.placed([(mirrored * x, y) for x, y in _BESIDE]))
    hand = context.smaller(min(1.0, site.size / context.size(1.0)))
    posts = context.stream(f"draw/{area.id}/fence")
    yield from fence_along(LineString(resampled(fence, 0.5)), hand, posts, hand.size(POST), LayerName.GARDEN)
    plan = House(x=1.2 * mirrored, y=-1.2, width=17.0, depth=11.0, angle=stream.between(-0.05, 0.05), chimney=True)
    yield from houses([site.house(plan)], hand)
