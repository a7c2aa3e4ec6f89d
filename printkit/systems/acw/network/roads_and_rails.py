"""Build the roads (links, ends, side roads) and the railroad (a line across the table, branches)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, field

from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import Branch, End, Rail, RailBranch, Roads, To, ZoneExit
from printkit.systems.acw.network.network_builder import (
    NetworkBuilder,
    StraightRun,
    best_path,
    groups,
    lay_run,
    links,
    preferences,
    run_of,
)
from printkit.systems.acw.terms.pieces import PLACES, ROADS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult, Water, ZoneAxis, ZoneLog, ZonePlan, ZoneSide

# --- The railroad: one line across the table, and branches to the other rail zones ------------------------------------


def railroad(grid: ZonePlan, log: ZoneLog, water: Water | None) -> Rail | None:
    """Return the railroad through all rail zones, or None without rail zones (AC-N31, AC-N32)."""
    zones = tuple(zone for zone in grid.zones if log.has(zone, Piece.RAILROAD))
    if not zones:
        return None
    edge = water.edge if water is not None else None
    axis = rail_axis(grid, zones, edge)
    path, aside = _line(grid, zones, axis)
    web = NetworkBuilder(grid, (Piece.RAILROAD,))
    for zone in path:
        web.reach(zone, Piece.RAILROAD)
    web.put(path[0], ZoneExit(to=To.EDGE, side=axis.sides[0]))
    for one, other in pairwise(path):
        web.step(one, other)
    web.put(path[-1], ZoneExit(to=To.EDGE, side=axis.sides[1]))
    branches = tuple(_branch(web, zone, axis, edge) for zone in aside if not web.has(zone))
    rolls = {zone: tuple(result.roll for result in log.lying(zone) if result.piece is Piece.RAILROAD) for zone in zones}
    return Rail(axis=axis, path=path, branches=branches, reaches=web.reaches(rolls))


def rail_axis(grid: ZonePlan, zones: Sequence[int], water: ZoneSide | None) -> ZoneAxis:
    """Return the axis of the line: away from water, or with more columns or rows to visit (AC-N31)."""
    if water is not None:
        return ZoneAxis.NORTH_SOUTH if water in ZoneAxis.WEST_EAST.sides else ZoneAxis.WEST_EAST
    columns = len({grid.column(zone) for zone in zones})
    rows = len({grid.row(zone) for zone in zones})
    if columns != rows:
        return ZoneAxis.WEST_EAST if columns > rows else ZoneAxis.NORTH_SOUTH
    return ZoneAxis.WEST_EAST if grid.columns >= grid.rows else ZoneAxis.NORTH_SOUTH


def _line(grid: ZonePlan, zones: Sequence[int], axis: ZoneAxis) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the zones of the line, and the rail zones that it does not visit (AC-N32)."""
    first = min(zones, key=lambda zone: (_station(grid, zone, axis), zone))
    lane = _lane(grid, first, axis)
    path: list[int] = []
    aside: list[int] = []
    for station in range(1, (grid.columns if axis is ZoneAxis.WEST_EAST else grid.rows) + 1):
        here = [zone for zone in zones if _station(grid, zone, axis) == station]
        carried = _carried(grid, here, lane, axis)
        target = lane if carried is None else _lane(grid, carried, axis)
        way = range(lane, target + 1) if target >= lane else range(lane, target - 1, -1)
        path += [_zone(grid, station, across, axis) for across in way]
        aside += [zone for zone in here if zone != carried]
        lane = target
    return tuple(path), tuple(aside)


def _carried(grid: ZonePlan, here: Sequence[int], lane: int, axis: ZoneAxis) -> int | None:
    """Return the rail zone nearest to the lane of the line, the lower number on a tie; or None."""
    return min(here, key=lambda zone: (abs(_lane(grid, zone, axis) - lane), zone), default=None)


def _branch(web: NetworkBuilder, zone: int, axis: ZoneAxis, water: ZoneSide | None) -> RailBranch:
    """Add a branch from the nearest line zone of the same station through a rail zone to its edge."""
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
        web.put(path[-1], ZoneExit(to=To.EDGE, side=side))
    return RailBranch(zone=zone, path=tuple(path), side=side if run.meets is None else None)


def _nearest_in_line(web: NetworkBuilder, zone: int, axis: ZoneAxis) -> int:
    grid = web.grid
    abreast = [other for other in web.arms if _station(grid, other, axis) == _station(grid, zone, axis)]
    return min(abreast, key=lambda other: (grid.distance(zone, other), other))


def _nearer(grid: ZonePlan, zone: int, other: int, end: int) -> bool:
    return grid.distance(zone, end) < grid.distance(other, end)


def _out(web: NetworkBuilder, zone: int, water: ZoneSide | None) -> ZoneSide:
    """Return the side where a branch leaves its zone: a table edge, if possible straight ahead."""
    used = web.used(zone)
    free = [side for side in _order(used) if side not in used and side is not water]
    return next((side for side in free if side in web.grid.edges(zone)), free[0])


def _order(used: Sequence[ZoneSide]) -> Iterator[ZoneSide]:
    yield used[0].opposite
    yield from ZoneSide


def _station(grid: ZonePlan, zone: int, axis: ZoneAxis) -> int:
    """Return the position of a zone along the axis: its column or row."""
    return grid.column(zone) if axis is ZoneAxis.WEST_EAST else grid.row(zone)


def _lane(grid: ZonePlan, zone: int, axis: ZoneAxis) -> int:
    """Return the row of a zone for a line from west to east, its column for a line from north to south."""
    return grid.row(zone) if axis is ZoneAxis.WEST_EAST else grid.column(zone)


def _zone(grid: ZonePlan, station: int, lane: int, axis: ZoneAxis) -> int:
    return grid.at(station, lane) if axis is ZoneAxis.WEST_EAST else grid.at(lane, station)


_ENDS: int = 2
_HOUSES = (Piece.FARM, Piece.BUILDING)


def roads(grid: ZonePlan, log: ZoneLog, water: Water | None, rules: Rules) -> Roads:
    """Return the roads of a table with links, ends and side roads (AC-N01..N04, AC-N10..N16)."""
    rolled = {zone: found for zone in grid.zones if (found := _of_class(log, zone))}
    preference = preferences(rules, "roads", log)
    paths = links(grid, rolled, preference, int(rules.choice("ac-q21")))
    web = NetworkBuilder(grid, ROADS)
    for zone, results in rolled.items():
        web.reach(zone, _piece(_main(results)))
    for path in paths:
        web.follow(path)
    ender = _Ender(grid=grid, log=log, water=water.edge if water is not None else None, web=web)
    for group in groups(rolled, paths):
        ender.end_group(group, rolled)
    lanes = tuple(_lanes(ender)) if rules.choice("ac-q20") == "lanes" else ()
    return Roads(
        links=(*paths, *lanes),
        ends=tuple(ender.ends),
        reaches=web.reaches({zone: (_main(results).roll,) for zone, results in rolled.items()}),
        branches=tuple(branch for zone, results in rolled.items() for branch in _branches(ender, zone, results)),
    )


def straight_axis(grid: ZonePlan, water: ZoneSide | None) -> ZoneAxis:
    """Return the axis with fewer zones, W-E on a tie, but never one that ends in water (AC-N12, N13)."""
    free = [axis for axis in ZoneAxis if water not in axis.sides]
    if len(free) == 1:
        return free[0]
    return ZoneAxis.WEST_EAST if grid.columns <= grid.rows else ZoneAxis.NORTH_SOUTH


class _Ender(Struct):
    """A builder of the missing ends of roads, after the links."""

    grid: ZonePlan
    log: ZoneLog
    water: ZoneSide | None
    web: NetworkBuilder
    ends: list[End] = field(default_factory=list)

    def end_group(self, group: tuple[int, ...], rolled: Iterable[int]) -> None:
        """Give every zone with a rolled road two connections, and the group an exit (AC-N15)."""
        before = len(self.ends)
        for zone in group:
            if zone in rolled:
                self._end_zone(zone)
        made = self.ends[before:]
        leads = any(arm.to is To.EDGE for zone in group for arm in self.web.arms[zone])
        leads = leads or any(end.to in (To.EDGE, To.JUNCTION) for end in made) or self._met(group)
        if not leads:
            place = next(end.zone_at for end in reversed(made) if end.zone_at is not None)
            self._run(place, next(self.edges_of(place), None) or self._way_out(place))

    def _end_zone(self, zone: int) -> None:
        alone = not self.web.arms[zone]
        while len(self.web.arms[zone]) < _ENDS:
            side = self._place_beside(zone)
            if side is not None:
                self._go_to_place(zone, side)
            elif alone and not self.web.arms[zone]:
                for edge in straight_axis(self.grid, self.water).sides:
                    self._run(zone, edge)
            elif alone:
                self._run(zone, self._straight_on(zone))
            else:
                self._run(zone, self._way_out(zone))

    def _place_beside(self, zone: int) -> ZoneSide | None:
        """Return the side towards a neighbouring place without a road, or None (AC-N10)."""
        for side, other in self.grid.neighbours(zone):
            if side not in self.web.used(zone) and self.log.has(other, *PLACES) and not self.web.has(other):
                return side
        return None

    def _go_to_place(self, zone: int, side: ZoneSide) -> None:
        other = next(found for beside, found in self.grid.neighbours(zone) if beside is side)
        self.web.reach(other, self.web.pieces[zone])
        self.web.step(zone, other)
        self.web.put(other, ZoneExit(to=To.PLACE))
        piece = next(piece for piece in self.log.pieces(other) if piece in PLACES)
        self.ends.append(End(zone=zone, to=To.PLACE, side=side, zone_at=other, piece=piece))

    def _straight_on(self, zone: int) -> ZoneSide:
        """Return the exit side of a lone zone with a place on one side (AC-N12)."""
        opposite: ZoneSide = self.web.used(zone)[0].opposite
        return opposite if opposite is not self.water else self._way_out(zone)

    def _way_out(self, zone: int) -> ZoneSide:
        """Return the exit side of a road: a table edge, if possible opposite its first side (AC-N11, N13)."""
        used = self.web.used(zone)
        order: tuple[ZoneSide, ...] = (*(side.opposite for side in used[:1]), *ZoneSide)
        free = [side for side in order if side not in used and side is not self.water]
        own = self.grid.edges(zone)
        return next((side for side in free if side in own), free[0])

    def _run(self, zone: int, side: ZoneSide) -> None:
        run = run_of(self.grid, zone, side, self.web.arms)
        lay_run(self.web, run, To.EDGE)
        self.ends.append(_end_of(run))

    def _met(self, group: tuple[int, ...]) -> bool:
        """Return whether a run of another group meets this group."""
        return any(end.to is To.JUNCTION and end.zone_at in group and end.zone not in group for end in self.ends)

    def edges_of(self, zone: int) -> Iterator[ZoneSide]:
        """Yield the table edges of a zone that are free for another road, north first."""
        return (side for side in self.grid.edges(zone) if side is not self.water and side not in self.web.used(zone))


def _end_of(run: StraightRun) -> End:
    to = To.EDGE if run.meets is None else To.JUNCTION
    return End(zone=run.zone, to=to, side=run.side, via=run.via, zone_at=run.meets)


def _lanes(ender: _Ender) -> Iterator[tuple[int, ...]]:
    """Add a track from each place without a road to the nearest zone with one; yield its zones (AC-Q20)."""
    web, grid = ender.web, ender.grid
    for zone in grid.zones:
        if web.has(zone) or not web.arms or not ender.log.has(zone, *PLACES):
            continue
        nearest = min(web.arms, key=lambda other: (grid.distance(zone, other), other))
        path = best_path(grid, zone, nearest, lambda _zone: 0)
        web.reach(zone, Piece.TRACK)
        web.follow(path)
        web.put(zone, ZoneExit(to=To.PLACE))
        piece = next(piece for piece in ender.log.pieces(zone) if piece in PLACES)
        ender.ends.append(End(zone=nearest, to=To.PLACE, via=path[-2:0:-1], zone_at=zone, piece=piece))
        yield path


def _branches(ender: _Ender, zone: int, results: tuple[RollResult, ...]) -> Iterator[Branch]:
    """Yield the side roads of a zone (AC-N04).

    They lead to a farm or building, a wood, a free edge, a used edge or open ground, in this order. A side road to a
    used edge stays clear of the road there (AC-Q27).
    """
    pieces = ender.log.pieces(zone)
    targets = [ZoneExit(to=To.FARM)] * any(piece in _HOUSES for piece in pieces)
    targets += [ZoneExit(to=To.TREES)] * any(piece in TREES for piece in pieces)
    targets += [ZoneExit(to=To.EDGE, side=side) for side in ender.edges_of(zone)]
    used = [side for side in ender.grid.edges(zone) if side is not ender.water and side in ender.web.used(zone)]
    targets += [ZoneExit(to=To.EDGE, side=side) for side in used] * len(results)
    main = _main(results)
    for result in results:
        if result is not main:
            arm = targets.pop(0) if targets else ZoneExit(to=To.OPEN)
            yield Branch(zone=zone, piece=_piece(result), arm=arm, roll=result.roll)


def _of_class(log: ZoneLog, zone: int) -> tuple[RollResult, ...]:
    return tuple(result for result in log.lying(zone) if result.piece in ROADS)


def _main(results: tuple[RollResult, ...]) -> RollResult:
    """Return the main road of a zone: the best type, the first roll on a tie."""
    return max(results, key=lambda result: ROADS.index(_piece(result)))


def _piece(result: RollResult) -> Piece:
    assert result.piece is not None
    return result.piece
