"""A network while it is being laid: which arms each zone has, of which type, and straight runs out of it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from msgspec import Struct, field

from printkit.systems.acw.network.network import Arm, Reach, To
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Side, ZoneGrid


class Web(Struct):
    """The arms and the type of every zone that a network has reached; ``order`` ranks types, the least first."""

    grid: ZoneGrid
    order: tuple[Piece, ...]
    arms: dict[int, list[Arm]] = field(default_factory=dict)
    pieces: dict[int, Piece] = field(default_factory=dict)

    def reach(self, zone: int, piece: Piece) -> None:
        """Bring the network into a zone; where it was before it keeps its type."""
        self.arms.setdefault(zone, [])
        self.pieces.setdefault(zone, piece)

    def has(self, zone: int) -> bool:
        """Return whether the network has reached a zone."""
        return zone in self.arms

    def used(self, zone: int) -> tuple[Side, ...]:
        """Return the sides by which the network leaves a zone, in the order they came."""
        return tuple(arm.side for arm in self.arms.get(zone, ()) if arm.side is not None)

    def put(self, zone: int, arm: Arm) -> None:
        """Give a zone another arm."""
        self.arms[zone].append(arm)

    def step(self, zone: int, other: int) -> None:
        """Join two neighbouring zones, both of which the network has reached."""
        side = self.grid.side_between(zone, other)
        self.put(zone, Arm(to=To.ZONE, side=side))
        self.put(other, Arm(to=To.ZONE, side=side.opposite))

    def follow(self, path: tuple[int, ...]) -> None:
        """Lay a link; zones without a type of their own take the lesser one of its two ends (AC-N04)."""
        lesser = self.lesser(self.pieces[path[0]], self.pieces[path[-1]])
        for zone in path:
            self.reach(zone, lesser)
        for one, other in pairwise(path):
            self.step(one, other)

    def lesser(self, one: Piece, other: Piece) -> Piece:
        """Return the lesser of two types."""
        return min(one, other, key=self.order.index)

    def reaches(self, rolls: dict[int, tuple[int, ...]]) -> tuple[Reach, ...]:
        """Return the part of the network in each zone, in number order."""
        return tuple(
            Reach(zone=zone, piece=self.pieces[zone], arms=tuple(self.arms[zone]), rolls=rolls.get(zone, ()))
            for zone in sorted(self.arms)
        )


class Run(Struct, frozen=True):
    """A straight way out of a zone: the zones passed, and the one that it meets; None where it comes to the edge."""

    zone: int
    side: Side
    via: tuple[int, ...]
    meets: int | None


def run_of(grid: ZoneGrid, zone: int, side: Side, stops: Iterable[int]) -> Run:
    """Return the run from a zone over a side until one of ``stops``, or to the edge of the table (AC-N14)."""
    held = frozenset(stops)
    via: list[int] = []
    for passed in grid.beyond(zone, side):
        if passed in held:
            return Run(zone=zone, side=side, via=tuple(via), meets=passed)
        via.append(passed)
    return Run(zone=zone, side=side, via=tuple(via), meets=None)


def lay_run(web: Web, run: Run, ending: To) -> None:
    """Lay a run; where it comes to the edge, the last zone's arm is one of ``ending``.

    The zone that it meets has to be of the web. The others take the type of the zone where the run starts, or the
    lesser one of the two that it joins (AC-N04).
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
        web.put(last, Arm(to=ending, side=run.side))
    else:
        web.step(last, run.meets)
