"""Laying waterway, river and roads, each in its quarter and an adjacent one (D3-35, D3-44..D3-54)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import Blocked
from printkit.systems.dba.ground import roads, waters
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.legal import CourseLimits
from printkit.systems.dba.ground.pieces import Terrain
from printkit.systems.dba.ground.roads import Lie, Passage
from printkit.systems.dba3.placing.placement import COURSES, HILLS, Laid, Table
from printkit.systems.dba3.placing.quarters import strip
from printkit.systems.dba3.placing.terms import ON
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Kind, Origin
from printkit.terrain.geometry.measure import direction, meetings

_HARD: Final = (Terrain.STEEP_HILL, Terrain.MARSH, Terrain.GULLY)
"""What roads go farthest round."""

_DETAIL: Final = 0.5


def lay_waterway(table: Table, identity: str, edge: Edge, origin: Origin) -> tuple[Feature, ...]:
    """Return a waterway along an edge; it is placed before everything else (D3-28)."""
    board, sort = table.board, table.terms.sorts[Terrain.WATERWAY]
    water = waters.waterway(board, edge, table.terms.depths(board), table.stream(f"{identity}/{edge}"))
    return (Area(id=identity, kind=sort.kind, outline=water, going=sort.going, origin=origin),)


def lay_river(table: Table, identity: str, quarter: int, axis: Axis, origin: Origin) -> tuple[Feature, ...] | Blocked:
    """Return a river that runs along an axis through a quarter, or what stands in the way.

    It passes everything by if it can, and never crosses a hill or a built-up area (D3-53).
    """
    board, sort = table.board, table.terms.sorts[Terrain.RIVER]
    limits = table.terms.river(axis, quarter, board)
    width, shore = table.terms.width(Terrain.RIVER, board), _shore(table, limits)
    for number, closed in enumerate(_off_areas(table, shore)):
        stream = table.stream(f"{identity}/{quarter}/{axis}/{number}")
        line = waters.river(board, limits, width, stream, closed=closed, shore=shore)
        if line is not None:
            return (Course(id=identity, kind=sort.kind, line=line, width=width, going=sort.going, origin=origin),)
    return Blocked(_near(table, limits) or (Sentence("the clearance from the edges"),))


def lay_road(table: Table, identity: str, quarter: int, axis: Axis, origin: Origin) -> tuple[Feature, ...] | Blocked:
    """Return a road that runs along an axis through a quarter with its crossings, or what stands in the way."""
    board, sort = table.board, table.terms.sorts[Terrain.ROAD]
    limits, width = table.terms.road(axis, quarter, board), table.terms.width(Terrain.ROAD, board)
    beside = [road.identity for road in table.of(Terrain.ROAD) if _runs_in(road, table, limits)]
    if beside:
        return Blocked((Sentence("{beside} in the same place", beside=beside[0]),))
    town = _town_wanted(table, limits)
    for through in (town, None) if town is not None else (None,):
        stream = table.stream(f"{identity}/{quarter}/{axis}/{'town' if through is not None else 'plain'}")
        line = roads.road(board, limits, width, _lie(table, limits, through), stream)
        if line is not None:
            course = Course(id=identity, kind=sort.kind, line=line, width=width, going=sort.going, origin=origin)
            return (course, *_crossings(table, course, origin))
    return Blocked(_near(table, limits) or (Sentence("the limits of its ground"),))


def axis_of(laid: Laid, table: Table) -> Axis:
    """Return which way a river or road runs: along the axis whose edges its ends are nearer to."""
    line = laid.shape
    left, low, right, high = line.bounds
    board = table.board
    return Axis.ACROSS if (right - left) / board.width >= (high - low) / board.depth else Axis.UP


def _runs_in(road: Laid, table: Table, limits: CourseLimits) -> bool:
    """Return whether a road runs the same way in the same half of the board."""
    return axis_of(road, table) is limits.axis and limits.band.covers(road.shape.centroid)


def _off_areas(table: Table, shore: Polygon | None) -> Iterator[BaseGeometry]:
    """Yield the ground that a river keeps off: everything, then only what it may not cross."""
    free = table.free(Terrain.RIVER)
    water = [each.shape for each in table.of(Terrain.WATERWAY) if each.shape is not shore]
    areas = table.areas()
    barred = [each for each in areas if each.pick.terrain in (*HILLS, Terrain.BUA, Terrain.GULLY)]
    yield shapely.union_all([free, *water, *(each.shape for each in areas)])
    if len(barred) < len(areas):
        yield shapely.union_all([free, *water, *(each.shape for each in barred)])


def _shore(table: Table, limits: CourseLimits) -> Polygon | None:
    """Return the waterway where a course ends at its edge: it then ends at the shore."""
    shore = table.shore
    return shore.water if shore is not None and shore.edge in limits.axis.ends else None


def _near(table: Table, limits: CourseLimits) -> tuple[str, ...]:
    return tuple(each.identity for each in table.laid if each.shape.intersects(limits.band))


def _town_wanted(table: Table, limits: CourseLimits) -> Polygon | None:
    """Return the town to which no road leads yet, if a road in that band can (D3-51)."""
    if table.terms.settings["road_to_bua"] != ON:
        return None
    for town in table.of(Terrain.BUA):
        reached = any(road.ground.intersects(town.shape) for road in table.of(Terrain.ROAD))
        if not reached and town.shape.intersects(limits.band) and isinstance(town.shape, Polygon):
            return town.shape
    return None


def _lie(table: Table, limits: CourseLimits, through: Polygon | None) -> Lie:
    shore = _shore(table, limits)
    water = [each.shape for each in table.of(Terrain.WATERWAY) if each.shape is not shore]
    areas = [each for each in table.areas() if each.shape is not through]
    hard = [_plainer(each.shape) for each in areas if each.pick.terrain in (*_HARD, Terrain.BUA)]
    soft = [_plainer(each.shape) for each in areas if each.pick.terrain not in (*_HARD, Terrain.BUA)]
    passages = []
    for each in table.of(*COURSES):
        course = each.features[0]
        assert isinstance(course, Course)
        along = axis_of(each, table) is limits.axis
        passages.append(Passage(line=course.line, wide=course.width, along=along))
    return Lie(
        water=shapely.union_all([*water, table.free(Terrain.ROAD)]),
        hard=shapely.union_all(hard),
        soft=shapely.union_all(soft),
        passages=tuple(passages),
        shore=shore,
        through=through,
    )


def _crossings(table: Table, road: Course, origin: Origin) -> tuple[Crossing, ...]:
    """Return the fords of a road (D3-54)."""
    found: list[Crossing] = []
    for each in table.of(Terrain.RIVER):
        river = each.features[0]
        assert isinstance(river, Course)
        for meeting in meetings(road.line, river.line):
            found.append(
                Crossing(
                    id=f"crossing-{table.crossings() + len(found) + 1}",
                    kind=Kind.FORD,
                    at=meeting.at,
                    bearing=direction(road.line, meeting.along, river.width),
                    way=road.id,
                    water=river.id,
                    going=road.going,
                    origin=Origin(clauses=("D3-54",), throws=origin.throws),
                )
            )
    return tuple(found)


def axes(table: Table, terrain: Terrain, quarter: int) -> tuple[Axis, ...]:
    """Return the ways that a river or road may take through a quarter, those beside an earlier road last."""
    taken = [road for road in table.of(Terrain.ROAD) if terrain is Terrain.ROAD]
    free = [
        axis
        for axis in Axis
        if not any(
            axis_of(road, table) is axis and strip(table.board, quarter, axis).covers(road.shape.centroid)
            for road in taken
        )
    ]
    return tuple(free) or tuple(Axis)


def _plainer(shape: BaseGeometry) -> BaseGeometry:
    """Return a shape with few points: what a road goes round need not be exact."""
    return shapely.simplify(shape, _DETAIL)
