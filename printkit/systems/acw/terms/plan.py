"""The defender's plan of the board: its division into zones (AC-201, AC-202), what lies in each, and the courses.

North is the far edge of the board, south the near one where the defender sits. Zones are numbered row by row from the
north-west corner, as a page is read; columns and rows are counted from 1, rows southwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field
from shapely import LineString, Polygon, box

from printkit.core.sums import plain_sum
from printkit.systems.acw.terms.pieces import CAMPAIGN_PLACES, Piece

if TYPE_CHECKING:
    from printkit.kit.rules import Rules


class ZoneSide(StrEnum):
    """A side of a zone or an edge of the table, in the order in which the rules go through them."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def opposite(self) -> ZoneSide:
        """Return the side across the zone."""
        return _OPPOSITE[self]


_OPPOSITE: Final = {
    ZoneSide.NORTH: ZoneSide.SOUTH,
    ZoneSide.EAST: ZoneSide.WEST,
    ZoneSide.SOUTH: ZoneSide.NORTH,
    ZoneSide.WEST: ZoneSide.EAST,
}

_STEPS: Final = {ZoneSide.NORTH: (0, -1), ZoneSide.EAST: (1, 0), ZoneSide.SOUTH: (0, 1), ZoneSide.WEST: (-1, 0)}


class ZoneAxis(StrEnum):
    """A way straight across the table."""

    WEST_EAST = "W-E"
    NORTH_SOUTH = "N-S"

    @property
    def sides(self) -> tuple[ZoneSide, ZoneSide]:
        """Return the edges where it starts and ends: west or north first."""
        return (ZoneSide.WEST, ZoneSide.EAST) if self is ZoneAxis.WEST_EAST else (ZoneSide.NORTH, ZoneSide.SOUTH)


class ZoneBox(NamedTuple):
    """A rectangle on the board in mm, by its near left corner."""

    left: float
    near: float
    width: float
    depth: float

    @property
    def shape(self) -> Polygon:
        """Return it as a shape."""
        return box(self.left, self.near, self.left + self.width, self.near + self.depth)


def side_of(shape: Polygon, side: ZoneSide) -> LineString:
    """Return a side of a rectangle, running west to east or south to north."""
    left, low, right, high = shape.bounds
    across, up = (high if side is ZoneSide.NORTH else low), (right if side is ZoneSide.EAST else left)
    flat = side in (ZoneSide.NORTH, ZoneSide.SOUTH)
    return LineString([(left, across), (right, across)] if flat else [(up, low), (up, high)])


class ZonePlan(Struct, frozen=True):
    """The zones of the table, in columns and rows; ``width`` and ``depth`` are those of a zone in mm."""

    columns: int
    rows: int
    width: float
    depth: float

    @property
    def zones(self) -> range:
        """Return the numbers of all zones."""
        return range(1, self.columns * self.rows + 1)

    def column(self, zone: int) -> int:
        """Return the column of a zone, from 1 in the west."""
        return (zone - 1) % self.columns + 1

    def row(self, zone: int) -> int:
        """Return the row of a zone, from 1 in the north."""
        return (zone - 1) // self.columns + 1

    def at(self, column: int, row: int) -> int:
        """Return the zone in a column and a row."""
        return (row - 1) * self.columns + column

    def box(self, zone: int) -> ZoneBox:
        """Return the rectangle of a zone."""
        return ZoneBox(
            left=plain_sum([self.width] * (self.column(zone) - 1)),
            near=plain_sum([self.depth] * (self.rows - self.row(zone))),
            width=self.width,
            depth=self.depth,
        )

    @property
    def unit(self) -> float:
        """Return the shorter side of a zone in mm, of which all sizes are parts (the Z of the rules)."""
        return min(self.width, self.depth)

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and the depth of the table in mm."""
        return plain_sum([self.width] * self.columns), plain_sum([self.depth] * self.rows)

    def neighbour(self, zone: int, side: ZoneSide) -> int | None:
        """Return the zone beyond a side, or None where the table ends."""
        across, down = _STEPS[side]
        column, row = self.column(zone) + across, self.row(zone) + down
        return self.at(column, row) if 1 <= column <= self.columns and 1 <= row <= self.rows else None

    def neighbours(self, zone: int) -> Iterator[tuple[ZoneSide, int]]:
        """Yield the zones next to a zone with the side between them, north first."""
        for side in ZoneSide:
            other = self.neighbour(zone, side)
            if other is not None:
                yield side, other

    def edges(self, zone: int) -> tuple[ZoneSide, ...]:
        """Return the sides of a zone that are edges of the table, north first."""
        return tuple(side for side in ZoneSide if self.neighbour(zone, side) is None)

    def side_between(self, zone: int, other: int) -> ZoneSide:
        """Return the side of ``zone`` beyond which its neighbour ``other`` lies."""
        return next(side for side, found in self.neighbours(zone) if found == other)

    def distance(self, zone: int, other: int) -> int:
        """Return how many steps north, east, south or west lead from one zone to another."""
        return abs(self.column(zone) - self.column(other)) + abs(self.row(zone) - self.row(other))

    def beyond(self, zone: int, side: ZoneSide) -> tuple[int, ...]:
        """Return the zones from a zone straight on to the edge of the table, nearest first, without the zone itself."""
        found: list[int] = []
        following = self.neighbour(zone, side)
        while following is not None:
            found.append(following)
            following = self.neighbour(following, side)
        return tuple(found)

    @property
    def edge_zones(self) -> tuple[int, ...]:
        """Return the zones that have an edge of the table, in number order (AC-D2)."""
        return tuple(zone for zone in self.zones if self.edges(zone))


class Fate(StrEnum):
    """What became of a roll."""

    KEPT = "kept"
    IGNORED = "ignored"  # a farm or settlement too many (AC-212), which counts as a blank (AC-Q05)
    BLANK = "blank"
    STOP = "stop"
    CHOSEN = "chosen"  # a CHOICE, and what the defender took
    DECLINED = "declined"  # a CHOICE, and he took nothing
    GIVEN = "given"  # no die: a campaign place, or what was known beforehand
    # Records of version 0.2 may have these too; nothing lies for them.
    ACROSS = "across"  # a CHOICE, and a creek that dice led across the table
    VOID = "void"  # thrown after a STOP
    MERGED = "merged"  # the same once more, taken together with the first


class RollResult(Struct, frozen=True, kw_only=True):
    """One roll of a zone: its column, its die and what came of it.

    ``die`` is None where nothing was thrown; ``cell`` is what the table says (``STOP``, ``CHOICE``, empty for a blank);
    ``piece`` what is thereby put in the zone, or would have been, and ``throw`` the place of the die in the log.
    """

    zone: int
    roll: int
    die: int | None
    cell: str
    fate: Fate
    piece: Piece | None = None
    throw: int | None = None

    @property
    def id(self) -> str:
        """Return the ID of the feature that comes of it, as ``z3-2``."""
        return f"z{self.zone}-{self.roll}"

    @property
    def lies(self) -> bool:
        """Return whether a piece of terrain comes of it."""
        return self.piece is not None and self.fate in (Fate.KEPT, Fate.CHOSEN, Fate.GIVEN)


class ZoneLog(Struct, frozen=True):
    """Everything that was rolled, in the order it came; names are those of campaign places by zone."""

    results: tuple[RollResult, ...]
    names: Mapping[int, str] = field(default_factory=dict)

    def of(self, zone: int) -> tuple[RollResult, ...]:
        """Return the rolls of a zone."""
        return tuple(result for result in self.results if result.zone == zone)

    def lying(self, zone: int) -> tuple[RollResult, ...]:
        """Return the rolls of a zone that put something there, in the order of the rolls."""
        return tuple(result for result in self.of(zone) if result.lies)

    def pieces(self, zone: int) -> tuple[Piece, ...]:
        """Return what lies in a zone, in the order of the rolls; two of a kind stand there twice (AC-Q17)."""
        return tuple(result.piece for result in self.lying(zone) if result.piece is not None)

    def has(self, zone: int, *pieces: Piece) -> bool:
        """Return whether one of these lies in a zone."""
        return any(piece in pieces for piece in self.pieces(zone))

    @property
    def places(self) -> tuple[RollResult, ...]:
        """Return the towns and forts of the campaign (AC-301)."""
        return tuple(result for result in self.results if result.piece in CAMPAIGN_PLACES and result.lies)


class Water(Struct, frozen=True):
    """Water along a whole edge of the table: a River or the Sea (AC-303)."""

    edge: ZoneSide
    piece: Piece


class CreekPath(Struct, frozen=True, kw_only=True):
    """A creek across the table: the zones of its way, and by which of their edges it enters and leaves (AC-N30)."""

    path: tuple[int, ...]
    entry: ZoneSide
    exit: ZoneSide


# --- How the table is divided into zones (AC-201, AC-202) -------------------------------------------------------------

_NEARLY: Final = 1e-6
"""By how much of a zone a side may be over and still not need another one: lengths are rounded."""


def zone_grid(rules: Rules) -> ZonePlan:
    """Return the zones of the board of a game, all of one size (AC-201, AC-Q02)."""
    assert rules.board is not None
    width, depth, size = rules.board.width, rules.board.depth, rules.length("zone")
    columns, rows = (max(1, math.ceil(length / size - _NEARLY)) for length in (width, depth))
    return ZonePlan(columns=columns, rows=rows, width=width / columns, depth=depth / rows)
