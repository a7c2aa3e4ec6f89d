"""Build the roads (links, ends, side roads) and the railroad (a line across the table, branches)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, field

from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import Branch, End, Rail, RailBranch, Roads, To, ZoneExit
from printkit.systems.acw.network.network_builder import (
    NetworkBuilder,
    add_run,
    best_path,
    find_links,
    group_zones,
    load_preferences,
    trace_run,
)
from printkit.systems.acw.terms.pieces import PLACES, ROADS, TREES, Piece
from printkit.systems.acw.terms.plan import RollResult, Water, ZoneAxis, ZoneLog, ZonePlan, ZoneSide

# --- The railroad: one line across the table, and branches to the other rail zones ------------------------------------


def build_railroad(grid: ZonePlan, log: ZoneLog, water: Water | None) -> Rail | None:
    """Return the railroad through all rail zones, or None without rail zones (AC-N31, AC-N32).

    It has the line from edge to edge, the branches to zones off the line, and its part in each zone. ``water`` is the
    water along an edge of the table, or None; the line is parallel to that edge.
    """
    zones = tuple(zone for zone in grid.zones if log.has(zone, Piece.RAILROAD))
    if not zones:
        return None
    edge = water.edge if water is not None else None
    axis = choose_rail_axis(grid, zones, edge)
    path, bypassed_zones = _trace_line(grid, zones, axis)
    network = NetworkBuilder(grid, (Piece.RAILROAD,))
    for zone in path:
        network.add_zone(zone, Piece.RAILROAD)
    network.add_arm(path[0], ZoneExit(to=To.EDGE, side=axis.sides[0]))
    for start, end in pairwise(path):
        network.join_zones(start, end)
    network.add_arm(path[-1], ZoneExit(to=To.EDGE, side=axis.sides[1]))
    branches = tuple(_build_branch(network, zone, axis, edge) for zone in bypassed_zones if not network.has_zone(zone))
    rolls = {
        zone: tuple(result.roll for result in log.placed_rolls(zone) if result.piece is Piece.RAILROAD)
        for zone in zones
    }
    return Rail(axis=axis, path=path, branches=branches, reaches=network.build_reaches(rolls))


def choose_rail_axis(grid: ZonePlan, zones: Sequence[int], water: ZoneSide | None) -> ZoneAxis:
    """Return the axis of the line: along the water, otherwise the one with more columns or rows to visit (AC-N31).

    On a tie it is the longer axis of the table, W-E if both are equal. ``zones`` are the rail zones. ``water`` is the
    edge with water, or None.
    """
    if water is not None:
        return ZoneAxis.NORTH_SOUTH if water in ZoneAxis.WEST_EAST.sides else ZoneAxis.WEST_EAST
    columns = len({grid.column(zone) for zone in zones})
    rows = len({grid.row(zone) for zone in zones})
    if columns != rows:
        return ZoneAxis.WEST_EAST if columns > rows else ZoneAxis.NORTH_SOUTH
    return ZoneAxis.WEST_EAST if grid.columns >= grid.rows else ZoneAxis.NORTH_SOUTH


def _trace_line(grid: ZonePlan, zones: Sequence[int], axis: ZoneAxis) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return two tuples of zones: the line from edge to edge, and the rail zones that it does not visit (AC-N32).

    At each column or row along ``axis`` the line goes to the nearest rail zone, on a tie to the lower number.
    """
    first = min(zones, key=lambda zone: (_station(grid, zone, axis), zone))
    lane = _lane(grid, first, axis)
    path: list[int] = []
    bypassed_zones: list[int] = []
    for station in range(1, (grid.columns if axis is ZoneAxis.WEST_EAST else grid.rows) + 1):
        station_zones = [zone for zone in zones if _station(grid, zone, axis) == station]
        # On a tie the line visits the zone with the lower number.
        line_zone = min(station_zones, key=lambda zone: (abs(_lane(grid, zone, axis) - lane), zone), default=None)
        target = lane if line_zone is None else _lane(grid, line_zone, axis)
        lanes = range(lane, target + 1) if target >= lane else range(lane, target - 1, -1)
        path += [_zone_at(grid, station, lane_index, axis) for lane_index in lanes]
        bypassed_zones += [zone for zone in station_zones if zone != line_zone]
        lane = target
    return tuple(path), tuple(bypassed_zones)


def _build_branch(network: NetworkBuilder, zone: int, axis: ZoneAxis, water: ZoneSide | None) -> RailBranch:
    """Add a branch from the nearest line zone of the same station through a rail zone to its edge.

    Return the branch. The stations are the columns or rows along ``axis``. ``water`` is the edge with water, or None.
    """
    grid = network.grid
    junction_zone = _nearest_line_zone(network, zone, axis)
    path = [junction_zone]
    while path[-1] != zone:
        distance = grid.distance(path[-1], zone)
        path.append(
            next(next_zone for _, next_zone in grid.neighbours(path[-1]) if grid.distance(next_zone, zone) < distance)
        )
    for previous_zone, next_zone in pairwise(path):
        network.add_zone(next_zone, Piece.RAILROAD)
        if grid.side_between(previous_zone, next_zone) not in network.used_sides(previous_zone):
            network.join_zones(previous_zone, next_zone)
    # A branch leaves its zone at a table edge, if possible straight ahead.
    used_sides = network.used_sides(zone)
    free_sides = [side for side in (used_sides[0].opposite, *ZoneSide) if side not in used_sides and side is not water]
    side = next((side for side in free_sides if side in grid.edges(zone)), free_sides[0])
    run = trace_run(grid, zone, side, network.arms)
    for run_zone in (*run.via, *((run.meets,) if run.meets is not None else ())):
        network.add_zone(run_zone, Piece.RAILROAD)
        network.join_zones(path[-1], run_zone)
        path.append(run_zone)
    if run.meets is None:
        network.add_arm(path[-1], ZoneExit(to=To.EDGE, side=side))
    return RailBranch(zone=zone, path=tuple(path), side=side if run.meets is None else None)


def _nearest_line_zone(network: NetworkBuilder, zone: int, axis: ZoneAxis) -> int:
    """Return the zone of the line nearest to a zone in the same column or row; the lower on a tie."""
    grid = network.grid
    line_zones = [
        line_zone for line_zone in network.arms if _station(grid, line_zone, axis) == _station(grid, zone, axis)
    ]
    return min(line_zones, key=lambda line_zone: (grid.distance(zone, line_zone), line_zone))


def _station(grid: ZonePlan, zone: int, axis: ZoneAxis) -> int:
    """Return the position of a zone along the axis: its column or row, from 1."""
    return grid.column(zone) if axis is ZoneAxis.WEST_EAST else grid.row(zone)


def _lane(grid: ZonePlan, zone: int, axis: ZoneAxis) -> int:
    """Return the row of a zone for a line from west to east, its column for a line from north to south."""
    return grid.row(zone) if axis is ZoneAxis.WEST_EAST else grid.column(zone)


def _zone_at(grid: ZonePlan, station: int, lane: int, axis: ZoneAxis) -> int:
    """Return the zone at a station along the axis and in a lane across it, both counted from 1."""
    return grid.at(station, lane) if axis is ZoneAxis.WEST_EAST else grid.at(lane, station)


_ENDS: int = 2
_HOUSES = (Piece.FARM, Piece.BUILDING)


def build_roads(grid: ZonePlan, log: ZoneLog, water: Water | None, rules: Rules) -> Roads:
    """Return the roads of a table with links, ends and side roads (AC-N01..N04, AC-N10..N16).

    ``water`` is the water along an edge of the table, or None; no road ends there.
    """
    rolls = {zone: tuple(result for result in log.placed_rolls(zone) if result.piece in ROADS) for zone in grid.zones}
    results_by_zone = {zone: results for zone, results in rolls.items() if results}
    preference = load_preferences(rules, "roads", log)
    paths = find_links(grid, results_by_zone, preference, int(rules.choice("ac-q21")))
    network = NetworkBuilder(grid, ROADS)
    for zone, results in results_by_zone.items():
        network.add_zone(zone, _rolled_piece(_main_road(results)))
    for path in paths:
        network.add_path(path)
    builder = _RoadEndBuilder(grid=grid, log=log, water=water.edge if water is not None else None, network=network)
    for group in group_zones(results_by_zone, paths):
        builder.end_group(group, results_by_zone)
    lanes = tuple(_add_lanes(builder)) if rules.choice("ac-q20") == "lanes" else ()
    return Roads(
        links=(*paths, *lanes),
        ends=tuple(builder.ends),
        reaches=network.build_reaches({zone: (_main_road(results).roll,) for zone, results in results_by_zone.items()}),
        branches=tuple(
            branch for zone, results in results_by_zone.items() for branch in _build_branches(builder, zone, results)
        ),
    )


def choose_straight_axis(grid: ZonePlan, water: ZoneSide | None) -> ZoneAxis:
    """Return the axis with fewer zones, W-E on a tie, but never one that ends in water (AC-N12, N13).

    ``water`` is the edge with water, or None.
    """
    free = [axis for axis in ZoneAxis if water not in axis.sides]
    if len(free) == 1:
        return free[0]
    return ZoneAxis.WEST_EAST if grid.columns <= grid.rows else ZoneAxis.NORTH_SOUTH


class _RoadEndBuilder(Struct):
    """A builder of the missing ends of roads, after the links."""

    grid: ZonePlan
    log: ZoneLog
    water: ZoneSide | None
    network: NetworkBuilder
    ends: list[End] = field(default_factory=list)
    group: tuple[int, ...] = ()

    def end_group(self, group: tuple[int, ...], road_zones: Iterable[int]) -> None:
        """Give every zone with a rolled road two connections, and the group an exit (AC-N15).

        The ends are added to ``ends``, and their arms to the network. ``group`` has the zones of the group;
        ``road_zones`` are those with a rolled road.
        """
        self.group, old_count = group, len(self.ends)
        for zone in group:
            if zone in road_zones:
                self._end_zone(zone)
        new_ends = self.ends[old_count:]
        # A run of another group that meets this group is an exit too.
        has_exit = (
            any(arm.to is To.EDGE for zone in group for arm in self.network.arms[zone])
            or any(end.target in (To.EDGE, To.JUNCTION) for end in new_ends)
            or any(
                end.target is To.JUNCTION and end.target_zone in group and end.zone not in group for end in self.ends
            )
        )
        if not has_exit:
            place_zone = next(end.target_zone for end in reversed(new_ends) if end.target_zone is not None)
            self._add_run(place_zone, next(self.free_edges(place_zone), None) or self._choose_side(place_zone))

    def _end_zone(self, zone: int) -> None:
        """Add ends to a road zone until it has two arms: a place, straight runs or the best side.

        It changes ``ends`` and the network in place.
        """
        is_lone = not self.network.arms[zone]
        while len(self.network.arms[zone]) < _ENDS:
            side = self._side_to_place(zone)
            if side is not None:
                self._add_place_end(zone, side)
            elif is_lone and not self.network.arms[zone]:
                for edge in choose_straight_axis(self.grid, self.water).sides:
                    self._add_run(zone, edge)
            elif is_lone:
                # AC-N12: with a place on one side, the road leaves on the opposite side, unless that is water.
                opposite = self.network.used_sides(zone)[0].opposite
                self._add_run(zone, opposite if opposite is not self.water else self._choose_side(zone))
            else:
                self._add_run(zone, self._choose_side(zone))

    def _side_to_place(self, zone: int) -> ZoneSide | None:
        """Return the side towards a neighbouring place without a road, or None (AC-N10).

        The first such side counts, north first.
        """
        for side, neighbour in self.grid.neighbours(zone):
            if (
                side not in self.network.used_sides(zone)
                and self.log.has(neighbour, *PLACES)
                and not self.network.has_zone(neighbour)
            ):
                return side
        return None

    def _add_place_end(self, zone: int, side: ZoneSide) -> None:
        """Add an end at the place across a side of a zone, and the place to the network (AC-N10).

        The end is added to ``ends``; the piece of the place becomes the piece of the end. There must be a place across
        the side.
        """
        place_zone = next(
            neighbour for neighbour_side, neighbour in self.grid.neighbours(zone) if neighbour_side is side
        )
        self.network.add_zone(place_zone, self.network.pieces[zone])
        self.network.join_zones(zone, place_zone)
        self.network.add_arm(place_zone, ZoneExit(to=To.PLACE))
        piece = next(piece for piece in self.log.pieces(place_zone) if piece in PLACES)
        self.ends.append(End(zone=zone, target=To.PLACE, side=side, target_zone=place_zone, piece=piece))

    def _choose_side(self, zone: int) -> ZoneSide:
        """Return the free side for another road: a table edge, if possible one that suits its network (AC-N11, N13).

        It is opposite an edge where its group of roads leaves the table already, opposite its first side, or another
        edge than those. If no table edge is free, it is a side inside the table. The water edge is never chosen.
        """
        used_sides = self.network.used_sides(zone)
        exits = [arm.side for each in self.group for arm in self.network.arms[each] if arm.to is To.EDGE and arm.side]
        order: tuple[ZoneSide, ...] = (
            *(side.opposite for side in exits),
            *(side.opposite for side in used_sides[:1] if side.opposite not in exits),
            *(side for side in ZoneSide if side not in exits),
            *ZoneSide,
        )
        free_sides = [side for side in order if side not in used_sides and side is not self.water]
        edges = self.grid.edges(zone)
        return next((side for side in free_sides if side in edges), free_sides[0])

    def _add_run(self, zone: int, side: ZoneSide) -> None:
        """Add a straight road across a side of a zone, to the table edge or another road, with its end.

        The road is added to the network, and the end to ``ends``.
        """
        run = trace_run(self.grid, zone, side, self.network.arms)
        add_run(self.network, run, To.EDGE)
        target = To.EDGE if run.meets is None else To.JUNCTION
        self.ends.append(End(zone=run.zone, target=target, side=run.side, via=run.via, target_zone=run.meets))

    def free_edges(self, zone: int) -> Iterator[ZoneSide]:
        """Yield the table edges of a zone that are free for another road, north first."""
        return (
            side
            for side in self.grid.edges(zone)
            if side is not self.water and side not in self.network.used_sides(zone)
        )


def _add_lanes(builder: _RoadEndBuilder) -> Iterator[tuple[int, ...]]:
    """Add a track from each place or farm without a road to the nearest zone with one; yield its zones (AC-Q20).

    The zones begin at the place or farm. Each track is added to the network and to the ends of ``builder``.
    """
    network, grid = builder.network, builder.grid
    for zone in grid.zones:
        homes = [piece for piece in builder.log.pieces(zone) if piece in (*PLACES, Piece.FARM)]
        if network.has_zone(zone) or not network.arms or not homes:
            continue
        piece = min(homes, key=(*PLACES, Piece.FARM).index)
        nearest = min(network.arms, key=lambda road_zone: (grid.distance(zone, road_zone), road_zone))
        path = best_path(grid, zone, nearest, lambda _zone: 0)
        network.add_zone(zone, Piece.TRACK)
        network.add_path(path)
        network.add_arm(zone, ZoneExit(to=To.FARM if piece is Piece.FARM else To.PLACE))
        builder.ends.append(End(zone=nearest, target=To.PLACE, via=path[-2:0:-1], target_zone=zone, piece=piece))
        yield path


def _build_branches(builder: _RoadEndBuilder, zone: int, results: tuple[RollResult, ...]) -> Iterator[Branch]:
    """Yield the side roads of a zone: all of its roads except the main one (AC-N04).

    They lead to a farm or building, a wood, a free edge, a used edge or open ground, in this order. A side road to a
    used edge stays clear of the road there (AC-Q27).
    """
    pieces = builder.log.pieces(zone)
    targets = [ZoneExit(to=To.FARM)] * any(piece in _HOUSES for piece in pieces)
    targets += [ZoneExit(to=To.TREES)] * any(piece in TREES for piece in pieces)
    targets += [ZoneExit(to=To.EDGE, side=side) for side in builder.free_edges(zone)]
    used_edges = [
        side
        for side in builder.grid.edges(zone)
        if side is not builder.water and side in builder.network.used_sides(zone)
    ]
    targets += [ZoneExit(to=To.EDGE, side=side) for side in used_edges] * len(results)
    main = _main_road(results)
    for result in results:
        if result is not main:
            arm = targets.pop(0) if targets else ZoneExit(to=To.OPEN)
            yield Branch(zone=zone, piece=_rolled_piece(result), arm=arm, roll=result.roll)


def _main_road(results: tuple[RollResult, ...]) -> RollResult:
    """Return the main road of a zone: the roll with the best type of road, the first roll on a tie.

    ``results`` are the rolls for roads in this zone, at least one.
    """
    return max(results, key=lambda result: ROADS.index(_rolled_piece(result)))


def _rolled_piece(result: RollResult) -> Piece:
    """Return the piece of a roll that placed one."""
    assert result.piece is not None
    return result.piece
