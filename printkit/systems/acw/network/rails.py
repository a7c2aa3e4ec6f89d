"""The railroad: one line across the table, and branches to the rail zones that it leaves aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from printkit.systems.acw.network.network import Arm, Rail, RailBranch, To
from printkit.systems.acw.network.network_builder import Web, run_of
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Axis, Side, Water, ZoneGrid, ZoneLog


def railroad(grid: ZoneGrid, log: ZoneLog, water: Water | None) -> Rail | None:
    """Return the line that all rail zones share, or None where there are none (AC-N31, AC-N32)."""
    zones = tuple(zone for zone in grid.zones if log.has(zone, Piece.RAILROAD))
    if not zones:
        return None
    edge = water.edge if water is not None else None
    axis = rail_axis(grid, zones, edge)
    path, aside = _line(grid, zones, axis)
    web = Web(grid, (Piece.RAILROAD,))
    for zone in path:
        web.reach(zone, Piece.RAILROAD)
    web.put(path[0], Arm(to=To.EDGE, side=axis.sides[0]))
    for one, other in pairwise(path):
        web.step(one, other)
    web.put(path[-1], Arm(to=To.EDGE, side=axis.sides[1]))
    branches = tuple(_branch(web, zone, axis, edge) for zone in aside if not web.has(zone))
    rolls = {zone: tuple(result.roll for result in log.lying(zone) if result.piece is Piece.RAILROAD) for zone in zones}
    return Rail(axis=axis, path=path, branches=branches, reaches=web.reaches(rolls))


def rail_axis(grid: ZoneGrid, zones: Sequence[int], water: Side | None) -> Axis:
    """Return which way the line runs: never into the water, else along the columns it has to reach (AC-N31)."""
    if water is not None:
        return Axis.NORTH_SOUTH if water in Axis.WEST_EAST.sides else Axis.WEST_EAST
    columns = len({grid.column(zone) for zone in zones})
    rows = len({grid.row(zone) for zone in zones})
    if columns != rows:
        return Axis.WEST_EAST if columns > rows else Axis.NORTH_SOUTH
    return Axis.WEST_EAST if grid.columns >= grid.rows else Axis.NORTH_SOUTH


def _line(grid: ZoneGrid, zones: Sequence[int], axis: Axis) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the zones of the line and the rail zones that it leaves aside (AC-N32)."""
    first = min(zones, key=lambda zone: (_station(grid, zone, axis), zone))
    lane = _lane(grid, first, axis)
    path: list[int] = []
    aside: list[int] = []
    for station in range(1, (grid.columns if axis is Axis.WEST_EAST else grid.rows) + 1):
        here = [zone for zone in zones if _station(grid, zone, axis) == station]
        carried = _carried(grid, here, lane, axis)
        target = lane if carried is None else _lane(grid, carried, axis)
        way = range(lane, target + 1) if target >= lane else range(lane, target - 1, -1)
        path += [_zone(grid, station, across, axis) for across in way]
        aside += [zone for zone in here if zone != carried]
        lane = target
    return tuple(path), tuple(aside)


def _carried(grid: ZoneGrid, here: Sequence[int], lane: int, axis: Axis) -> int | None:
    """Return which rail zone of a column the line runs through: the one nearest to its row, the lower of two."""
    return min(here, key=lambda zone: (abs(_lane(grid, zone, axis) - lane), zone), default=None)


def _branch(web: Web, zone: int, axis: Axis, water: Side | None) -> RailBranch:
    """Lay a branch from the nearest zone of the line in the same column, or row, through a rail zone to its edge."""
    grid = web.grid
    line = _nearest_in_line(web, zone, axis)
    path = [line]
    while path[-1] != zone:
        path.append(next(other for _, other in grid.neighbours(path[-1]) if _nearer(grid, other, path[-1], zone)))
    for one, other in pairwise(path):
        web.reach(other, Piece.RAILROAD)
        if grid.side_between(one, other) not in web.used(one):
            web.step(one, other)
    side = _out(web, zone, water)
    run = run_of(grid, zone, side, web.arms)
    for passed in (*run.via, *((run.meets,) if run.meets is not None else ())):
        web.reach(passed, Piece.RAILROAD)
        web.step(path[-1], passed)
        path.append(passed)
    if run.meets is None:
        web.put(path[-1], Arm(to=To.EDGE, side=side))
    return RailBranch(zone=zone, path=tuple(path), side=side if run.meets is None else None)


def _nearest_in_line(web: Web, zone: int, axis: Axis) -> int:
    grid = web.grid
    abreast = [other for other in web.arms if _station(grid, other, axis) == _station(grid, zone, axis)]
    return min(abreast, key=lambda other: (grid.distance(zone, other), other))


def _nearer(grid: ZoneGrid, zone: int, other: int, end: int) -> bool:
    return grid.distance(zone, end) < grid.distance(other, end)


def _out(web: Web, zone: int, water: Side | None) -> Side:
    """Return by which side a branch leaves its zone: its own edge, straight on if it can."""
    used = web.used(zone)
    free = [side for side in _order(used) if side not in used and side is not water]
    return next((side for side in free if side in web.grid.edges(zone)), free[0])


def _order(used: Sequence[Side]) -> Iterator[Side]:
    yield used[0].opposite
    yield from Side


def _station(grid: ZoneGrid, zone: int, axis: Axis) -> int:
    """Return how far along the axis a zone lies."""
    return grid.column(zone) if axis is Axis.WEST_EAST else grid.row(zone)


def _lane(grid: ZoneGrid, zone: int, axis: Axis) -> int:
    """Return the row of a zone for a line west to east, its column for one north to south."""
    return grid.row(zone) if axis is Axis.WEST_EAST else grid.column(zone)


def _zone(grid: ZoneGrid, station: int, lane: int, axis: Axis) -> int:
    return grid.at(station, lane) if axis is Axis.WEST_EAST else grid.at(lane, station)
