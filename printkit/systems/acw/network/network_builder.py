"""Build a network: links between zones, the arms in each zone, and straight runs out of a zone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct, field

from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import To, ZoneExit, ZoneReach
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZoneLog, ZonePlan, ZoneSide

# --- Links between zones with roads, or with streams ------------------------------------------------------------------

# The zones of a link in order, and the function that ranks a zone for links, lowest best.
ZonePath = tuple[int, ...]
Preference = Callable[[int], int]


def find_links(grid: ZonePlan, course_zones: Iterable[int], preference: Preference, reach: int) -> tuple[ZonePath, ...]:
    """Return the links that join groups of zones, as paths, in the order of joining (AC-N01, AC-N02).

    Args:
        grid: the zones of the table.
        course_zones: the zones with a course of the class; at first each zone is a separate group.
        preference: the rank of a zone on the path of a link; the lowest is best (AC-N03).
        reach: the maximum length of a link, in steps from zone to zone (AC-Q21).
    """
    group = {zone: zone for zone in sorted(course_zones)}
    paths: list[ZonePath] = []
    while (pair := _nearest_pair(grid, group, reach)) is not None:
        path = best_path(grid, *pair, preference)
        paths.append(path)
        kept_group, old_group = group[pair[0]], group[pair[1]]
        group = {zone: kept_group if number == old_group else number for zone, number in group.items()}
        group |= dict.fromkeys(path, kept_group)
    return tuple(paths)


def best_path(grid: ZonePlan, start: int, end: int, preference: Preference) -> ZonePath:
    """Return the shortest path from ``start`` to ``end`` with the lowest sum of the ranks of the zones between.

    The path includes both ends; steps are north, east, south or west. ``preference`` gets a zone and returns its rank.
    Ties go to the lowest zone numbers.
    """
    best: dict[int, tuple[int, ZonePath]] = {start: (0, (start,))}
    for _ in range(grid.distance(start, end)):
        following: dict[int, tuple[int, ZonePath]] = {}
        for zone, (cost, path) in best.items():
            for _side, neighbour in grid.neighbours(zone):
                if grid.distance(neighbour, end) < grid.distance(zone, end):
                    candidate = (cost + (0 if neighbour == end else preference(neighbour)), (*path, neighbour))
                    following[neighbour] = min(candidate, following.get(neighbour, candidate))
        best = following
    return best[end][1]


def load_preferences(rules: Rules, course: str, log: ZoneLog) -> Preference:
    """Return the function that ranks a zone for links of ``roads`` or ``streams``, lowest best (AC-N03).

    It gets a zone number and returns the lowest rank of the pieces in that zone, or the rank of no preference.
    ``course`` is ``roads`` or ``streams``.
    """
    ranks = {
        row.need("piece", Piece): row.need("rank", int)
        for row in rules.rows("preferences")
        if row.need("course", str) == course
    }
    no_preference = rules.whole("no_preference")
    return lambda zone: min((ranks.get(piece, no_preference) for piece in log.pieces(zone)), default=no_preference)


def steps(paths: Iterable[ZonePath]) -> Iterator[tuple[int, int]]:
    """Yield all steps of all paths, each a pair of neighbouring zones in the direction of the path."""
    for path in paths:
        yield from pairwise(path)


def group_zones(course_zones: Iterable[int], paths: Iterable[ZonePath]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of linked zones, sorted by their lowest zone; each group is sorted.

    The zones of a path belong to the group too. An unlinked zone is a group of its own.
    """
    group = {zone: zone for zone in course_zones}
    for start, end in steps(paths):
        old, new = group.setdefault(end, end), group.setdefault(start, start)
        group = {zone: new if number == old else number for zone, number in group.items()}
    return tuple(sorted(tuple(sorted(members)) for members in _zones_by_group(group).values()))


def _zones_by_group(group: Mapping[int, int]) -> dict[int, list[int]]:
    """Return the zones of each group; ``group`` has the group number of each zone."""
    members: dict[int, list[int]] = {}
    for zone, number in group.items():
        members.setdefault(number, []).append(zone)
    return members


def _nearest_pair(grid: ZonePlan, group: Mapping[int, int], reach: int) -> tuple[int, int] | None:
    """Return the nearest pair of zones from different groups, or None if none is within ``reach`` steps.

    ``group`` has the group number of each zone. Ties go to the lowest zone numbers.
    """
    zones = sorted(group)
    pairs = (
        (grid.distance(zone, other_zone), zone, other_zone)
        for index, zone in enumerate(zones)
        for other_zone in zones[index + 1 :]
        if group[zone] != group[other_zone]
    )
    best = min(pairs, default=None)
    return best[1:] if best is not None and best[0] <= reach else None


class NetworkBuilder(Struct):
    """The arms and the type of a course in each zone; ``order`` ranks the types, least first."""

    grid: ZonePlan
    order: tuple[Piece, ...]
    arms: dict[int, list[ZoneExit]] = field(default_factory=dict)
    pieces: dict[int, Piece] = field(default_factory=dict)

    def add_zone(self, zone: int, piece: Piece) -> None:
        """Add a zone to the network; a zone that is already in it keeps its type."""
        self.arms.setdefault(zone, [])
        self.pieces.setdefault(zone, piece)

    def has_zone(self, zone: int) -> bool:
        """Return whether a zone is in the network."""
        return zone in self.arms

    def used_sides(self, zone: int) -> tuple[ZoneSide, ...]:
        """Return the sides where the network leaves a zone, in the order of its arms.

        Arms that end inside the zone have no side. A zone outside the network gives an empty tuple.
        """
        return tuple(arm.side for arm in self.arms.get(zone, ()) if arm.side is not None)

    def add_arm(self, zone: int, arm: ZoneExit) -> None:
        """Add an arm to a zone of the network, after its earlier arms.

        Raises:
            KeyError: the zone is not in the network.
        """
        self.arms[zone].append(arm)

    def join_zones(self, zone: int, other: int) -> None:
        """Join two neighbouring zones of the network: add an arm to each, across the side between them.

        Both must be in the network already.
        """
        side = self.grid.side_between(zone, other)
        self.add_arm(zone, ZoneExit(to=To.ZONE, side=side))
        self.add_arm(other, ZoneExit(to=To.ZONE, side=side.opposite))

    def add_path(self, path: tuple[int, ...]) -> None:
        """Add a link, its arms included; zones without a type get the lesser type of its two ends (AC-N04).

        Both ends of ``path``, zone by zone, must be in the network.
        """
        lesser = self.lesser_piece(self.pieces[path[0]], self.pieces[path[-1]])
        for zone in path:
            self.add_zone(zone, lesser)
        for start, end in pairwise(path):
            self.join_zones(start, end)

    def lesser_piece(self, a: Piece, b: Piece) -> Piece:
        """Return the lesser of two types of course: the one that is first in the order."""
        return min(a, b, key=self.order.index)

    def build_reaches(self, rolls: dict[int, tuple[int, ...]]) -> tuple[ZoneReach, ...]:
        """Return the part of the network in each zone, in number order; ``rolls`` has rolls by zone."""
        return tuple(
            ZoneReach(zone=zone, piece=self.pieces[zone], arms=tuple(self.arms[zone]), rolls=rolls.get(zone, ()))
            for zone in sorted(self.arms)
        )


class StraightRun(Struct, frozen=True):
    """A straight run out of a zone: the zones it passes, and the zone it meets (None at the table edge)."""

    zone: int
    side: ZoneSide
    via: tuple[int, ...]
    meets: int | None


def trace_run(grid: ZonePlan, zone: int, side: ZoneSide, stops: Iterable[int]) -> StraightRun:
    """Return the run across a side of a zone to the first of ``stops`` or the table edge (AC-N14).

    It has the zones between, without the start and the stop; ``meets`` has the value None at the table edge.
    """
    stop_zones = frozenset(stops)
    via: list[int] = []
    for next_zone in grid.zones_beyond(zone, side):
        if next_zone in stop_zones:
            return StraightRun(zone=zone, side=side, via=tuple(via), meets=next_zone)
        via.append(next_zone)
    return StraightRun(zone=zone, side=side, via=tuple(via), meets=None)


def add_run(network: NetworkBuilder, run: StraightRun, edge_target: To) -> None:
    """Add a run to the network; at the table edge its last arm goes to ``edge_target``.

    The zone that the run meets must be in the network. New zones get the type of the zone where the run starts, or the
    lesser type of the two zones that it joins (AC-N04).
    """
    piece = network.pieces[run.zone]
    if run.meets is not None and run.meets in network.pieces:
        piece = network.lesser_piece(piece, network.pieces[run.meets])
    last = run.zone
    for zone in run.via:
        network.add_zone(zone, piece)
        network.join_zones(last, zone)
        last = zone
    if run.meets is None:
        network.add_arm(last, ZoneExit(to=edge_target, side=run.side))
    else:
        network.join_zones(last, run.meets)
