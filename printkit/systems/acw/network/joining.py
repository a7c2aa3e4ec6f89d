"""Build the network of the zones: roads, streams, railroad, joined swamps and crossings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import BookError
from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import Branch, Network, NetworkMeeting, ZoneReach
from printkit.systems.acw.network.roads_and_rails import railroad, roads
from printkit.systems.acw.network.streams import creek_reaches, streams
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Water, ZoneLog, ZonePlan, ZoneSide
from printkit.systems.acw.terms.tables import pieces_of
from printkit.terrain.field.features import Kind

# --- Crossings of two courses: ford, bridge or level crossing (AC-N40) ------------------------------------------------


class CrossingRules(Struct, frozen=True):
    """The rules for crossings: upper pieces, lower pieces, kind. The first matching row applies."""

    rows: tuple[tuple[tuple[Piece, ...], tuple[Piece, ...], Kind], ...]

    @classmethod
    def of(cls, rules: Rules) -> CrossingRules:
        """Return the crossing rules of a game."""
        return cls(
            tuple(
                (pieces_of(row, "over"), pieces_of(row, "under"), Kind(row.need("kind", str)))
                for row in rules.rows("crossings")
            )
        )

    def kind(self, over: Piece, under: Piece) -> Kind:
        """Return the kind of crossing of one course over another.

        Raises:
            BookError: no row has both pieces.
        """
        for overs, unders, kind in self.rows:
            if over in overs and under in unders:
                return kind
        raise BookError("[rows] crossings has no row for {over} over {under}", over=over, under=under)


def meetings(network: Network, rules: Rules) -> tuple[NetworkMeeting, ...]:
    """Return the pairs of courses in the same zone with their kind of crossing, sorted by zone."""
    passings = CrossingRules.of(rules)
    waters = (*network.streams.reaches, *network.creek_reaches)
    ways: tuple[ZoneReach | Branch, ...] = (*network.roads.reaches, *network.roads.branches)
    rails = network.rail.reaches if network.rail is not None else ()
    pairs = (*_sharing(ways, waters), *_sharing(rails, waters), *_sharing(ways, rails))
    found = (NetworkMeeting(zone, over, under, passings.kind(over, under)) for zone, over, under in pairs)
    return tuple(sorted(dict.fromkeys(found), key=lambda meeting: meeting.zone))


def _sharing(
    overs: Iterable[ZoneReach | Branch], unders: Iterable[ZoneReach | Branch]
) -> Iterator[tuple[int, Piece, Piece]]:
    below = tuple(unders)
    for over in overs:
        for under in below:
            if over.zone == under.zone:
                yield over.zone, over.piece, under.piece


# --- Swamps of neighbouring zones that grow together ------------------------------------------------------------------


def joined_swamps(grid: ZonePlan, log: ZoneLog) -> tuple[tuple[int, int], ...]:
    """Return the pairs of neighbouring zones with swamps, the lower number first (AC-N33)."""
    return tuple(
        (zone, other)
        for zone in grid.zones
        for side, other in grid.neighbours(zone)
        if side in (ZoneSide.EAST, ZoneSide.SOUTH) and log.has(zone, Piece.SWAMP) and log.has(other, Piece.SWAMP)
    )


def join(
    grid: ZonePlan,
    log: ZoneLog,
    rules: Rules,
    *,
    water: Water | None = None,
    creek: CreekPath | None = None,
) -> Network:
    """Return the network of a table. It depends only on the zones and uses no dice (AC-211)."""
    network = Network(
        roads=roads(grid, log, water, rules),
        streams=streams(grid, log, rules, water=water, creek=creek),
        rail=railroad(grid, log, water),
        swamps=joined_swamps(grid, log),
        creek=creek,
        creek_reaches=creek_reaches(grid, creek),
    )
    return replace(network, meetings=meetings(network, rules))
