"""Swamps of neighbouring zones, which grow together."""

from __future__ import annotations

from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Side, ZoneGrid, ZoneLog


def joined_swamps(grid: ZoneGrid, log: ZoneLog) -> tuple[tuple[int, int], ...]:
    """Return the pairs of neighbouring zones with swamps, the lower number first (AC-N33)."""
    return tuple(
        (zone, other)
        for zone in grid.zones
        for side, other in grid.neighbours(zone)
        if side in (Side.EAST, Side.SOUTH) and log.has(zone, Piece.SWAMP) and log.has(other, Piece.SWAMP)
    )
