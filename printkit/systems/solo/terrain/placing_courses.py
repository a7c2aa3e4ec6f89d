"""Laying waterway, river and roads where their dice put them (SD-3.3.1, SD-3.3.3, SD-3.3.5), with fords and bridges."""

from __future__ import annotations

from typing import Final

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import Blocked
from printkit.systems.dba.ground import roads, waters
from printkit.systems.dba.ground.frame import Axis, third
from printkit.systems.dba.ground.legal import CourseLimits, apart
from printkit.systems.dba.ground.pieces import Terrain
from printkit.systems.dba.ground.roads import Lie, Passage
from printkit.systems.solo.terrain.placement import Table
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Kind, Origin
from printkit.terrain.geometry.measure import direction, meetings

_HARD: Final = (Terrain.STEEP_HILL, Terrain.MARSH)
"""What roads go farthest round."""

_DETAIL: Final = 0.5
_LOW, _HIGH = "low", "high"
"""The sides of the middle line on which a middle road may lie: near or left, far or right (AMB-22)."""


def lay_waterway(table: Table, identity: str, result: str, origin: Origin) -> tuple[Feature, ...] | Blocked:
    """Return a waterway along its edge."""
    board, sort = table.board, table.terms.sorts[Terrain.WATERWAY]
    water = waters.waterway(board, Edge(result), table.terms.depths(board), table.stream(f"{identity}/{result}"))
    near = [piece.identity for piece in table.areas() if not apart(piece.shape, [water], table.terms.gap(board))]
    if near:
        return Blocked(tuple(near))
    return (Area(id=identity, kind=sort.kind, outline=water, going=sort.going, origin=origin),)


def lay_river(table: Table, identity: str, result: str, origin: Origin) -> tuple[Feature, ...] | Blocked:
    """Return a river in its band, clear of towns, or what stands in the way."""
    board, sort = table.board, table.terms.sorts[Terrain.RIVER]
    limits = table.terms.river(result, board)
    shore = table.shore(*limits.axis.ends)
    closed = [piece.shape for piece in (*table.areas(), *table.of(Terrain.WATERWAY)) if piece.shape is not shore]
    stream = table.stream(f"{identity}/{result}")
    width = table.terms.width(Terrain.RIVER, board)
    line = waters.river(board, limits, width, stream, closed=shapely.union_all(closed), shore=shore)
    if line is None:
        near = [piece.identity for piece in table.laid if piece.shape.intersects(limits.band)]
        return Blocked(tuple(near) or (Sentence("the clearance from the edges"),))
    return (Course(id=identity, kind=sort.kind, line=line, width=width, going=sort.going, origin=origin),)


def road_sides(table: Table, result: str) -> tuple[str, ...]:
    """Return the sides of the middle line where a middle road may lie, that with fewer features first; none for others.

    Where a town must be touched, only the side that it reaches counts. Two equal sides are for a player, or chance, to
    choose from (AMB-22).
    """
    if _third_of(result) not in ("middle", "centre"):
        return ()
    town = _town_wanted(table)
    sides = [side for side in (_LOW, _HIGH) if town is None or _reaches(table, result, side, town)] or [_LOW, _HIGH]
    shapes = [piece.shape for piece in table.laid]
    return tuple(sorted(sides, key=lambda side: _met(table, shapes, result, side)))


def equal_sides(table: Table, result: str, sides: tuple[str, ...]) -> bool:
    """Return whether both sides of the middle line meet as many features."""
    shapes = [piece.shape for piece in table.laid]
    return len(sides) == 2 and _met(table, shapes, result, sides[0]) == _met(table, shapes, result, sides[1])


def lay_road(table: Table, identity: str, result: str, origin: Origin, side: str = "") -> tuple[Feature, ...] | Blocked:
    """Return a road along its row or column with its crossings, or what stands in the way.

    Args:
        side: of the middle line, for a middle road.
    """
    board, sort = table.board, table.terms.sorts[Terrain.ROAD]
    limits = road_limits(table, result, side)
    same = [piece.identity for piece in table.of(Terrain.ROAD) if piece.result.split("/")[0] == result]
    if same and not table.terms.readings.same_road:
        return Blocked((Sentence("{same} in the same place", same=same[0]),))
    town = _town(table)
    wanted = _town_wanted(table)
    # An earlier road may have been left out, so the roads on the table do not tell which is the last.
    last = identity == f"road-{sum(pick.terrain is Terrain.ROAD for pick in table.picks)}"
    width = table.terms.width(Terrain.ROAD, board)
    name = f"{identity}/{result}{side}"
    line = None
    if wanted is not None:
        line = roads.road(board, limits, width, _lie(table, limits, wanted), table.stream(f"{name}/town"))
        if line is None and table.terms.readings.road_bends_to_bua:
            wide = road_limits(table, result, side, bent=True)
            line = roads.road(board, wide, width, _lie(table, wide, wanted), table.stream(f"{name}/bent"))
        if line is None and last:
            return Blocked((Sentence("the way to {town}", town=town.id if town else Sentence("the town")),))
    if line is None:
        line = roads.road(board, limits, width, _lie(table, limits, None), table.stream(name))
    if line is None:
        return Blocked(tuple(piece.identity for piece in table.laid if piece.shape.intersects(limits.band)))
    course = Course(id=identity, kind=sort.kind, line=line, width=width, going=sort.going, origin=origin)
    return (course, *_crossings(table, course, origin))


def road_limits(table: Table, result: str, side: str, *, bent: bool = False) -> CourseLimits:
    """Return what a road keeps; one that bends to a town may leave its row on its own side of the middle."""
    axis, board = Axis(result.split("-")[0]), table.board
    breadth = axis.breadth(board)
    low, high = third(breadth, _third_of(result))
    if side == _LOW:
        high = breadth / 2
    elif side == _HIGH:
        low = breadth / 2
    if bent:
        low, high = (0.0, breadth / 2) if low + high < breadth else (breadth / 2, breadth)
    short = table.terms.width(Terrain.ROAD, board) / 2
    return table.terms.road(axis, axis.belt(board, low, high), short=short, bent=bent)


def crossing_kind(*, bridge_model: bool) -> Kind:
    """Return what lies where a road meets a river: a bridge where there is a model of one (SD-3.3.5-d)."""
    return Kind.BRIDGE if bridge_model else Kind.FORD


def _crossings(table: Table, road: Course, origin: Origin) -> tuple[Crossing, ...]:
    found: list[Crossing] = []
    for piece in table.of(Terrain.RIVER):
        river = piece.features[0]
        assert isinstance(river, Course)
        for meeting in meetings(road.line, river.line):
            found.append(
                Crossing(
                    id=f"crossing-{table.crossings() + len(found) + 1}",
                    kind=crossing_kind(bridge_model=table.terms.readings.bridge_model),
                    at=meeting.at,
                    bearing=direction(road.line, meeting.along, river.width),
                    way=road.id,
                    water=river.id,
                    going=road.going,
                    origin=Origin(clauses=("SD-3.3.5-d",), throws=origin.throws),
                )
            )
    return tuple(found)


def _lie(table: Table, limits: CourseLimits, through: Polygon | None) -> Lie:
    shore = table.shore(*limits.axis.ends)
    water = [piece.shape for piece in table.of(Terrain.WATERWAY) if piece.shape is not shore]
    areas = [piece for piece in table.areas() if piece.shape is not through]
    hard = [_plainer(piece.shape) for piece in areas if piece.pick.terrain in _HARD]
    soft = [_plainer(piece.shape) for piece in areas if piece.pick.terrain not in _HARD]
    passages = []
    for piece in table.of(Terrain.RIVER, Terrain.ROAD):
        course = piece.features[0]
        assert isinstance(course, Course)
        passages.append(Passage(line=course.line, wide=course.width, along=_axis(piece.result) is limits.axis))
    return Lie(
        water=shapely.union_all(water),
        hard=shapely.union_all(hard),
        soft=shapely.union_all(soft),
        passages=tuple(passages),
        shore=shore,
        through=through,
    )


def _plainer(shape: BaseGeometry) -> BaseGeometry:
    """Return a shape with few points: what a road goes round need not be exact."""
    return shapely.simplify(shape, _DETAIL)


def _axis(result: str) -> Axis:
    return Axis(result.split("-")[0])


def _third_of(result: str) -> str:
    return result.split("-")[1]


def _town(table: Table) -> Area | None:
    piece = table.first(Terrain.BUA)
    feature = None if piece is None else piece.features[0]
    return feature if isinstance(feature, Area) else None


def _town_wanted(table: Table) -> Polygon | None:
    """Return the town if no road touches it yet (SD-3.3.5-a)."""
    town = _town(table)
    if town is None or any(piece.shape.distance(town.outline) <= 0 for piece in table.of(Terrain.ROAD)):
        return None
    return town.outline


def _reaches(table: Table, result: str, side: str, town: BaseGeometry) -> bool:
    return bool(road_limits(table, result, side).band.intersects(town))


def _met(table: Table, shapes: list[BaseGeometry], result: str, side: str) -> int:
    return roads.features_met(shapes, road_limits(table, result, side).band)
