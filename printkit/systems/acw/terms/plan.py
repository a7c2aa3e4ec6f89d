"""The plan of the board: zones (AC-201, AC-202), the rolls of each zone, edge water and a creek.

North is the far edge of the board. South is the near edge, where the defender sits. Zones are numbered row by row from
the north-west corner. Columns count from 1 in the west, rows from 1 in the north.
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
    """A side of a zone or an edge of the table, in the order of the rules."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def opposite(self) -> ZoneSide:
        """Return the opposite side."""
        return _OPPOSITE[self]


_OPPOSITE: Final = {
    ZoneSide.NORTH: ZoneSide.SOUTH,
    ZoneSide.EAST: ZoneSide.WEST,
    ZoneSide.SOUTH: ZoneSide.NORTH,
    ZoneSide.WEST: ZoneSide.EAST,
}

_STEPS: Final = {ZoneSide.NORTH: (0, -1), ZoneSide.EAST: (1, 0), ZoneSide.SOUTH: (0, 1), ZoneSide.WEST: (-1, 0)}


class ZoneAxis(StrEnum):
    """A straight direction across the table."""

    WEST_EAST = "W-E"
    NORTH_SOUTH = "N-S"

    @property
    def sides(self) -> tuple[ZoneSide, ZoneSide]:
        """Return the two edges at the ends of the axis: west or north first."""
        return (ZoneSide.WEST, ZoneSide.EAST) if self is ZoneAxis.WEST_EAST else (ZoneSide.NORTH, ZoneSide.SOUTH)


class ZoneBox(NamedTuple):
    """A rectangle in mm on the board; ``left`` and ``near`` give its south-west corner."""

    left: float
    near: float
    width: float
    depth: float

    @property
    def shape(self) -> Polygon:
        """Return the rectangle as a polygon, in mm on the board."""
        return box(self.left, self.near, self.left + self.width, self.near + self.depth)


def side_line(shape: Polygon, side: ZoneSide) -> LineString:
    """Return a side of a rectangle as a line from west to east or from south to north, in its unit."""
    left, low, right, high = shape.bounds
    y, x = (high if side is ZoneSide.NORTH else low), (right if side is ZoneSide.EAST else left)
    is_horizontal = side in (ZoneSide.NORTH, ZoneSide.SOUTH)
    return LineString([(left, y), (right, y)] if is_horizontal else [(x, low), (x, high)])


class ZonePlan(Struct, frozen=True):
    """The zones in columns and rows; ``width`` and ``depth`` of one zone are in mm on the board."""

    columns: int
    rows: int
    width: float
    depth: float

    @property
    def zones(self) -> range:
        """Return the numbers of all zones, from 1 in the north-west, row by row."""
        return range(1, self.columns * self.rows + 1)

    def column(self, zone: int) -> int:
        """Return the column of a zone, from 1 in the west."""
        return (zone - 1) % self.columns + 1

    def row(self, zone: int) -> int:
        """Return the row of a zone, from 1 in the north."""
        return (zone - 1) // self.columns + 1

    def at(self, column: int, row: int) -> int:
        """Return the zone in a column and a row, both counted from 1 in the north-west."""
        return (row - 1) * self.columns + column

    def box(self, zone: int) -> ZoneBox:
        """Return the rectangle of a zone, in mm on the board."""
        return ZoneBox(
            left=plain_sum([self.width] * (self.column(zone) - 1)),
            near=plain_sum([self.depth] * (self.rows - self.row(zone))),
            width=self.width,
            depth=self.depth,
        )

    @property
    def unit(self) -> float:
        """Return the shorter side of a zone in mm on the board: the unit of all sizes (the Z of the rules)."""
        return min(self.width, self.depth)

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and the depth of the table in mm on the board."""
        return plain_sum([self.width] * self.columns), plain_sum([self.depth] * self.rows)

    def neighbour(self, zone: int, side: ZoneSide) -> int | None:
        """Return the zone next to a side of a zone, or None at the edge of the table."""
        column_step, row_step = _STEPS[side]
        column, row = self.column(zone) + column_step, self.row(zone) + row_step
        return self.at(column, row) if 1 <= column <= self.columns and 1 <= row <= self.rows else None

    def neighbours(self, zone: int) -> Iterator[tuple[ZoneSide, int]]:
        """Yield each zone next to a zone with the side between them, north first."""
        for side in ZoneSide:
            adjacent_zone = self.neighbour(zone, side)
            if adjacent_zone is not None:
                yield side, adjacent_zone

    def edges(self, zone: int) -> tuple[ZoneSide, ...]:
        """Return the sides of a zone that are edges of the table, north first."""
        return tuple(side for side in ZoneSide if self.neighbour(zone, side) is None)

    def side_between(self, zone: int, other: int) -> ZoneSide:
        """Return the side of ``zone`` that it shares with its neighbour ``other``.

        Raises:
            StopIteration: the zones are not neighbours.
        """
        return next(side for side, adjacent_zone in self.neighbours(zone) if adjacent_zone == other)

    def distance(self, zone: int, other: int) -> int:
        """Return the number of steps between two zones, each step north, east, south or west."""
        return abs(self.column(zone) - self.column(other)) + abs(self.row(zone) - self.row(other))

    def zones_beyond(self, zone: int, side: ZoneSide) -> tuple[int, ...]:
        """Return the zones between a zone and the edge of the table on one side, nearest first.

        The zone itself is not included; at the edge the tuple is empty.
        """
        zones: list[int] = []
        next_zone = self.neighbour(zone, side)
        while next_zone is not None:
            zones.append(next_zone)
            next_zone = self.neighbour(next_zone, side)
        return tuple(zones)

    @property
    def edge_zones(self) -> tuple[int, ...]:
        """Return the zones at an edge of the table, in number order (AC-D2)."""
        return tuple(zone for zone in self.zones if self.edges(zone))


class RollOutcome(StrEnum):
    """The outcome of a roll."""

    KEPT = "kept"
    IGNORED = "ignored"  # a farm or settlement over the limit (AC-212): counts as a blank (AC-Q05)
    BLANK = "blank"
    STOP = "stop"
    CHOSEN = "chosen"  # a CHOICE: the defender took a piece
    DECLINED = "declined"  # a CHOICE: the defender took no piece
    GIVEN = "given"  # without a die: a campaign place, or a piece that was known before the game
    # Records of version 0.2 may also have these; they place no piece.
    ACROSS = "across"  # a CHOICE: dice led a creek across the table
    VOID = "void"  # rolled after a STOP
    MERGED = "merged"  # the same piece again, merged with the first


class RollResult(Struct, frozen=True, kw_only=True):
    """One roll of a zone: its column in the table, its die and its outcome.

    ``cell`` is the cell of the table: a piece, ``STOP``, ``CHOICE``, or empty for a blank. ``piece`` is the piece that
    the roll places, or would have placed. ``throw`` is the number of the die in the log. A roll without a die has no
    ``die`` and no ``throw``.
    """

    zone: int
    roll: int
    die: int | None
    cell: str
    outcome: RollOutcome
    piece: Piece | None = None
    throw: int | None = None

    @property
    def id(self) -> str:
        """Return the ID of the feature from this roll, for example ``z3-2``."""
        return f"z{self.zone}-{self.roll}"

    @property
    def is_placed(self) -> bool:
        """Return whether the roll places a piece of terrain: it was kept, chosen or given, and not ignored or empty."""
        return self.piece is not None and self.outcome in (RollOutcome.KEPT, RollOutcome.CHOSEN, RollOutcome.GIVEN)


class ZoneLog(Struct, frozen=True):
    """All rolls, in order; ``names`` are the names of campaign places, by zone."""

    results: tuple[RollResult, ...]
    names: Mapping[int, str] = field(default_factory=dict)

    def zone_rolls(self, zone: int) -> tuple[RollResult, ...]:
        """Return all rolls of a zone in roll order, also those that place nothing; empty for a zone without rolls."""
        return tuple(result for result in self.results if result.zone == zone)

    def placed_rolls(self, zone: int) -> tuple[RollResult, ...]:
        """Return the rolls of a zone that place a piece, in order."""
        return tuple(result for result in self.zone_rolls(zone) if result.is_placed)

    def pieces(self, zone: int) -> tuple[Piece, ...]:
        """Return the pieces of a zone in roll order; a piece that was rolled twice is listed twice (AC-Q17)."""
        return tuple(result.piece for result in self.placed_rolls(zone) if result.piece is not None)

    def has(self, zone: int, *pieces: Piece) -> bool:
        """Return whether at least one of these pieces is placed in a zone."""
        return any(piece in pieces for piece in self.pieces(zone))

    @property
    def places(self) -> tuple[RollResult, ...]:
        """Return the results for towns and forts of the campaign (AC-301).

        They are in the order of the log; places without room are left out.
        """
        return tuple(result for result in self.results if result.piece in CAMPAIGN_PLACES and result.is_placed)


class Water(Struct, frozen=True):
    """Water along a whole edge of the table: a River or the Sea (AC-303)."""

    edge: ZoneSide
    piece: Piece


class CreekPath(Struct, frozen=True, kw_only=True):
    """A creek across the table: its zones in order, its entry edge and its exit edge (AC-N30)."""

    path: tuple[int, ...]
    entry: ZoneSide
    exit: ZoneSide


# --- How the table is divided into zones (AC-201, AC-202) -------------------------------------------------------------

# Rounding tolerance, as a fraction of a zone: a board that is this much too long needs no extra zone.
_NEARLY: Final = 1e-6


def zone_grid(rules: Rules) -> ZonePlan:
    """Return the zones of the board of a game, all of the same size (AC-201, AC-Q02).

    There are as few columns and rows as possible with zones up to the size in the book. The rules must have a board.
    """
    assert rules.board is not None
    width, depth, size = rules.board.width, rules.board.depth, rules.length("zone")
    columns, rows = (max(1, math.ceil(length / size - _NEARLY)) for length in (width, depth))
    return ZonePlan(columns=columns, rows=rows, width=width / columns, depth=depth / rows)
