"""The joined courses of the table: which zones are linked, where roads and streams end, and each zone's part of it.

A *reach* is the part of a network inside one zone: all its arms meet there. An arm with a ``side`` leaves the zone, at
one point that the zone beyond uses too (AC-G07); an arm without one ends at something in the zone.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Water, ZoneAxis, ZoneLog, ZonePlan, ZoneSide
from printkit.terrain.field.features import Kind


class To(StrEnum):
    """To what an arm of a reach, a road's end or a stream's end goes."""

    ZONE = "zone"  # the neighbouring zone, where the same network goes on
    EDGE = "edge"  # the edge of the table, never the water edge
    WATER = "water"  # the water edge
    PLACE = "place"  # a settlement, town or fort: of a road's end that in the zone ``zone``
    FARM = "farm"  # of a side road: a farm or building of its zone
    TREES = "trees"  # of a side road: a wood of its zone
    HILL = "hill"  # foot of a hill of the zone; ``roll`` says which
    HILLSIDE = "hillside"  # the shared side beyond which a hill lies
    SWAMP = "swamp"
    POOL = "pool"
    CREEK = "creek"  # flows into the creek that crosses the table
    JUNCTION = "junction"  # meets another part of its network in the zone ``zone``
    OPEN = "open"  # a spring, or a way that ends in the open


class Arm(Struct, frozen=True, kw_only=True):
    """One way out of the middle of a reach; ``roll`` is the roll of the hill at whose foot a stream rises."""

    to: To
    side: ZoneSide | None = None
    roll: int | None = None


class Reach(Struct, frozen=True, kw_only=True):
    """The part of a network inside one zone, and its type there.

    ``arms`` meet in the zone. Of a stream the first arm runs downstream; of a railroad the first two are the through
    line. ``rolls`` are the rolls of the zone that put it there, none where it only passes.
    """

    zone: int
    piece: Piece
    arms: tuple[Arm, ...]
    rolls: tuple[int, ...] = ()


class Branch(Struct, frozen=True, kw_only=True):
    """A side road inside a zone: it leaves the zone's main road and ends at ``arm`` (AC-N04)."""

    zone: int
    piece: Piece
    arm: Arm
    roll: int


class End(Struct, frozen=True, kw_only=True):
    """Where a road ends, or a stream rises or leaves: seen from the zone whose end it is.

    ``via`` are the zones that it still passes, ``zone_at`` the zone where it ends if not ``zone`` itself, ``side`` the
    first side by which it leaves ``zone``, ``roll`` the roll of a hill.
    """

    zone: int
    to: To
    side: ZoneSide | None = None
    via: tuple[int, ...] = ()
    zone_at: int | None = None
    piece: Piece | None = None
    roll: int | None = None


class Roads(Struct, frozen=True, kw_only=True):
    """The roads: links as paths of zones, ends, the reach of each zone, side roads."""

    links: tuple[tuple[int, ...], ...] = ()
    ends: tuple[End, ...] = ()
    reaches: tuple[Reach, ...] = ()
    branches: tuple[Branch, ...] = ()


class Streams(Struct, frozen=True, kw_only=True):
    """The streams: links as paths of zones, mouths, sources, the reach of each zone.

    Where a stream runs along a creek that crosses the table the two are one (AC-N26): the step has no reach.
    """

    links: tuple[tuple[int, ...], ...] = ()
    mouths: tuple[End, ...] = ()
    sources: tuple[End, ...] = ()
    reaches: tuple[Reach, ...] = ()


class RailBranch(Struct, frozen=True, kw_only=True):
    """A branch of the railroad: the zones from its junction in the line to the table edge ``side`` of the last one.

    ``path`` begins in the zone of the junction; the rail zone that it serves is ``zone``.
    """

    zone: int
    path: tuple[int, ...]
    side: ZoneSide | None


class Rail(Struct, frozen=True, kw_only=True):
    """The railroad: its axis, the zones of its line from west or north, its branches, the reach of each zone."""

    axis: ZoneAxis
    path: tuple[int, ...]
    branches: tuple[RailBranch, ...] = ()
    reaches: tuple[Reach, ...] = ()


class NetworkMeeting(Struct, frozen=True):
    """Where two courses share a zone: should they cross there, they do so by this kind (AC-N40)."""

    zone: int
    over: Piece
    under: Piece
    kind: Kind


class Network(Struct, frozen=True, kw_only=True):
    """Everything that joins the zones; ``swamps`` are the pairs of zones whose swamps grow together (AC-N33)."""

    roads: Roads = Roads()
    streams: Streams = Streams()
    rail: Rail | None = None
    swamps: tuple[tuple[int, int], ...] = ()
    creek: CreekPath | None = None
    creek_reaches: tuple[Reach, ...] = ()
    meetings: tuple[NetworkMeeting, ...] = ()


class GroundPlan(Struct, frozen=True, kw_only=True):
    """All that is settled before shapes are drawn: zones, rolls, water along an edge, courses, the country."""

    grid: ZonePlan
    log: ZoneLog
    water: Water | None = None
    network: Network = field(default_factory=Network)
    geography: str = ""
