"""Build a network: links between zones, the arms in each zone, and straight runs out of a zone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct, field

from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import To, ZoneExit, ZoneReach
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZoneLog, ZonePlan, ZoneSide
from printkit.systems.acw.terms.tables import piece_of

# --- Links between zones with roads, or with streams ------------------------------------------------------------------

ZonePath = tuple[int, ...]
Preference = Callable[[int], int]


def links(grid: ZonePlan, rolled: Iterable[int], preference: Preference, reach: int) -> tuple[ZonePath, ...]:
    """Return the links that join groups of zones, as paths, in the order of joining (AC-N01, AC-N02).

    Args:
        grid: the zones of the table.
        rolled: the zones with a course of the class; at first each zone is a separate group.
        preference: the rank of a zone on the path of a link; the lowest is best (AC-N03).
        reach: the maximum length of a link, in steps (AC-Q21).
    """
    group = {zone: zone for zone in sorted(rolled)}
    found: list[ZonePath] = []
    while (pair := _nearest(grid, group, reach)) is not None:
        path = best_path(grid, *pair, preference)
        found.append(path)
        joined, old = group[pair[0]], group[pair[1]]
        group = {zone: joined if number == old else number for zone, number in group.items()}
        group |= dict.fromkeys(path, joined)
    return tuple(found)


def best_path(grid: ZonePlan, start: int, end: int, preference: Preference) -> ZonePath:
    """Return the shortest path with the lowest sum of ranks; ties go to the lowest zone numbers."""
    best: dict[int, tuple[int, ZonePath]] = {start: (0, (start,))}
    for _ in range(grid.distance(start, end)):
        following: dict[int, tuple[int, ZonePath]] = {}
        for zone, (cost, path) in best.items():
            for _side, other in grid.neighbours(zone):
                if grid.distance(other, end) < grid.distance(zone, end):
                    reached = (cost + (0 if other == end else preference(other)), (*path, other))
                    following[other] = min(reached, following.get(other, reached))
        best = following
    return best[end][1]


def preferences(rules: Rules, course: str, log: ZoneLog) -> Preference:
    """Return the function that ranks a zone for links of ``roads`` or ``streams``, lowest best (AC-N03)."""
    ranks = {
        piece_of(row, row.need("piece", str)): row.need("rank", int)
        for row in rules.rows("preferences")
        if row.need("course", str) == course
    }
    none = rules.whole("no_preference")
    return lambda zone: min((ranks.get(piece, none) for piece in log.pieces(zone)), default=none)


def steps(paths: Iterable[ZonePath]) -> Iterator[tuple[int, int]]:
    """Yield all steps of all paths, each a pair of neighbouring zones."""
    for path in paths:
        yield from pairwise(path)


def groups(rolled: Iterable[int], paths: Iterable[ZonePath]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of linked zones, sorted by their lowest zone; each group is sorted."""
    group = {zone: zone for zone in rolled}
    for one, other in steps(paths):
        old, new = group.setdefault(other, other), group.setdefault(one, one)
        group = {zone: new if number == old else number for zone, number in group.items()}
    return tuple(sorted(tuple(sorted(members)) for members in _by_number(group).values()))


def _by_number(group: Mapping[int, int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for zone, number in group.items():
        found.setdefault(number, []).append(zone)
    return found


def _nearest(grid: ZonePlan, group: Mapping[int, int], reach: int) -> tuple[int, int] | None:
    """Return the nearest pair of zones from different groups, or None if none is within ``reach``."""
    zones = sorted(group)
    pairs = (
        (grid.distance(one, other), one, other)
        for place, one in enumerate(zones)
        for other in zones[place + 1 :]
        if group[one] != group[other]
    )
    best = min(pairs, default=None)
    return best[1:] if best is not None and best[0] <= reach else None


class NetworkBuilder(Struct):
    """The arms and the type of a course in each zone; ``order`` ranks the types, least first."""

    grid: ZonePlan
    order: tuple[Piece, ...]
    arms: dict[int, list[ZoneExit]] = field(default_factory=dict)
    pieces: dict[int, Piece] = field(default_factory=dict)

    def reach(self, zone: int, piece: Piece) -> None:
        """Add a zone to the network; a zone that is already in it keeps its type."""
        self.arms.setdefault(zone, [])
        self.pieces.setdefault(zone, piece)

    def has(self, zone: int) -> bool:
        """Return whether a zone is in the network."""
        return zone in self.arms

    def used(self, zone: int) -> tuple[ZoneSide, ...]:
        """Return the sides where the network leaves a zone, in the order of its arms."""
        return tuple(arm.side for arm in self.arms.get(zone, ()) if arm.side is not None)

    def put(self, zone: int, arm: ZoneExit) -> None:
        """Add an arm to a zone."""
        self.arms[zone].append(arm)

    def step(self, zone: int, other: int) -> None:
        """Join two neighbouring zones of the network."""
        side = self.grid.side_between(zone, other)
        self.put(zone, ZoneExit(to=To.ZONE, side=side))
        self.put(other, ZoneExit(to=To.ZONE, side=side.opposite))

    def follow(self, path: tuple[int, ...]) -> None:
        """Add a link; zones without a type get the lesser type of its two ends (AC-N04)."""
        lesser = self.lesser(self.pieces[path[0]], self.pieces[path[-1]])
        for zone in path:
            self.reach(zone, lesser)
        for one, other in pairwise(path):
            self.step(one, other)

    def lesser(self, one: Piece, other: Piece) -> Piece:
        """Return the lesser of two types."""
        return min(one, other, key=self.order.index)

    def reaches(self, rolls: dict[int, tuple[int, ...]]) -> tuple[ZoneReach, ...]:
        """Return the part of the network in each zone, in number order, with the given rolls."""
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


def run_of(grid: ZonePlan, zone: int, side: ZoneSide, stops: Iterable[int]) -> StraightRun:
    """Return the run across a side of a zone to the first of ``stops`` or the table edge (AC-N14)."""
    held = frozenset(stops)
    via: list[int] = []
    for passed in grid.beyond(zone, side):
        if passed in held:
            return StraightRun(zone=zone, side=side, via=tuple(via), meets=passed)
        via.append(passed)
    return StraightRun(zone=zone, side=side, via=tuple(via), meets=None)


def lay_run(web: NetworkBuilder, run: StraightRun, ending: To) -> None:
    """Add a run to the network; at the table edge its last arm goes to ``ending``.

    The zone that the run meets must be in the network. New zones get the type of the zone where the run starts, or the
    lesser type of the two zones that it joins (AC-N04).
    """
    piece = web.pieces[run.zone]
    if run.meets is not None and run.meets in web.pieces:
        piece = web.lesser(piece, web.pieces[run.meets])
    last = run.zone
    for zone in run.via:
        web.reach(zone, piece)
        web.step(last, zone)
        last = zone
    if run.meets is None:
        web.put(last, ZoneExit(to=ending, side=run.side))
    else:
        web.step(last, run.meets)
