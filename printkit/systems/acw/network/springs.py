"""Where a stream may rise by nature: at the foot of a hill, in a swamp or pool, or from a hill next door (AC-N25)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from printkit.systems.acw.network.network import Arm, To
from printkit.systems.acw.terms.pieces import HILLS, Piece
from printkit.systems.acw.terms.plan import Side, ZoneGrid, ZoneLog


def natural_springs(grid: ZoneGrid, log: ZoneLog, zone: int, used: Collection[Side]) -> Iterator[Arm]:
    """Yield the natural sources of a zone: its hills, its swamp, its pools, then sides towards hills, unused ones."""
    lying = log.lying(zone)
    yield from (Arm(to=To.HILL, roll=result.roll) for result in lying if result.piece in HILLS)
    if log.has(zone, Piece.SWAMP):
        yield Arm(to=To.SWAMP)
    yield from (Arm(to=To.POOL, roll=result.roll) for result in lying if result.piece is Piece.POOL)
    for side, other in grid.neighbours(zone):
        if side not in used and log.has(other, *HILLS):
            yield Arm(to=To.HILLSIDE, side=side)
