"""Build the network of the zones: roads, streams, railroad, joined swamps and crossings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import BookError
from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import Branch, Network, NetworkMeeting, ZoneReach
from printkit.systems.acw.network.roads_and_rails import build_railroad, build_roads
from printkit.systems.acw.network.streams import build_creek_reaches, build_streams
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Water, ZoneLog, ZonePlan, ZoneSide
from printkit.terrain.field.features import Kind

# --- Crossings of two courses: ford, bridge or level crossing (AC-N40) ------------------------------------------------


class CrossingRules(Struct, frozen=True):
    """The rules for crossings: upper pieces, lower pieces, kind. The first matching row applies."""

    rows: tuple[tuple[tuple[Piece, ...], tuple[Piece, ...], Kind], ...]

    @classmethod
    def from_rules(cls, rules: Rules) -> CrossingRules:
        """Return the crossing rules of a game."""
        return cls(
            tuple(
                (row.need("over", tuple[Piece, ...]), row.need("under", tuple[Piece, ...]), row.need("kind", Kind))
                for row in rules.rows("crossings")
            )
        )

    def kind(self, upper: Piece, lower: Piece) -> Kind:
        """Return the kind of crossing of the course ``upper`` over the course ``lower``.

        Raises:
            BookError: no row has both pieces.
        """
        for upper_pieces, lower_pieces, kind in self.rows:
            if upper in upper_pieces and lower in lower_pieces:
                return kind
        raise BookError("[rows] crossings has no row for {over} over {under}", over=upper, under=lower)


def find_meetings(network: Network, rules: Rules) -> tuple[NetworkMeeting, ...]:
    """Return the pairs of courses in the same zone with their kind of crossing, sorted by zone.

    Equal pairs in one zone appear once.
    """
    crossing_rules = CrossingRules.from_rules(rules)
    waters = (*network.streams.reaches, *network.creek_reaches)
    road_parts: tuple[ZoneReach | Branch, ...] = (*network.roads.reaches, *network.roads.branches)
    rails = network.rail.reaches if network.rail is not None else ()
    pairs = (*_pair_by_zone(road_parts, waters), *_pair_by_zone(rails, waters), *_pair_by_zone(road_parts, rails))
    candidates = (NetworkMeeting(zone, upper, lower, crossing_rules.kind(upper, lower)) for zone, upper, lower in pairs)
    return tuple(sorted(dict.fromkeys(candidates), key=lambda meeting: meeting.zone))


def _pair_by_zone(
    upper_parts: Iterable[ZoneReach | Branch], lower_parts: Iterable[ZoneReach | Branch]
) -> Iterator[tuple[int, Piece, Piece]]:
    """Yield each zone that has parts of both groups, with the piece of the upper and of the lower part."""
    lower_list = tuple(lower_parts)
    for upper in upper_parts:
        for lower in lower_list:
            if upper.zone == lower.zone:
                yield upper.zone, upper.piece, lower.piece


# --- Swamps of neighbouring zones that grow together ------------------------------------------------------------------


def find_joined_swamps(grid: ZonePlan, log: ZoneLog) -> tuple[tuple[int, int], ...]:
    """Return the pairs of neighbouring zones with swamps, the lower number first (AC-N33)."""
    return tuple(
        (zone, neighbour)
        for zone in grid.zones
        for side, neighbour in grid.neighbours(zone)
        if side in (ZoneSide.EAST, ZoneSide.SOUTH) and log.has(zone, Piece.SWAMP) and log.has(neighbour, Piece.SWAMP)
    )


def build_network(
    grid: ZonePlan,
    log: ZoneLog,
    rules: Rules,
    *,
    water: Water | None = None,
    creek: CreekPath | None = None,
) -> Network:
    """Return the network of a table: roads, streams, railroad, joined swamps and their meetings.

    It depends only on the zones and uses no dice (AC-211). ``water`` is the water along an edge, ``creek`` the creek
    across the table; None without it.
    """
    network = Network(
        roads=build_roads(grid, log, water, rules),
        streams=build_streams(grid, log, rules, water=water, creek=creek),
        rail=build_railroad(grid, log, water),
        swamps=find_joined_swamps(grid, log),
        creek=creek,
        creek_reaches=build_creek_reaches(grid, creek),
    )
    return replace(network, meetings=find_meetings(network, rules))
