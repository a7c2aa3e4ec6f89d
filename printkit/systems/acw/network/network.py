"""The network of courses on the table: links, ends, and the part in each zone.

A *reach* is the part of a course inside one zone, where all its arms meet. An arm with a ``side`` leaves the zone at a
point that the neighbouring zone uses too (AC-G07). An arm without a side ends at something in the zone.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, Water, ZoneAxis, ZoneLog, ZonePlan, ZoneSide
from printkit.terrain.field.features import Kind


class To(StrEnum):
    """The target of an arm of a reach or of an end of a road or stream."""

    ZONE = "zone"  # the neighbouring zone, where the same course continues
    EDGE = "edge"  # an edge of the table without water
    WATER = "water"  # the water edge
    PLACE = "place"  # a settlement, town or fort; for a road's end, the one in the zone ``target_zone``
    FARM = "farm"  # for a side road: a farm or building of its zone
    TREES = "trees"  # for a side road: a wood of its zone
    HILL = "hill"  # foot of a hill of the zone; ``roll`` selects the hill
    HILLSIDE = "hillside"  # the side shared with a zone that has a hill
    SWAMP = "swamp"
    POOL = "pool"
    CREEK = "creek"  # flows into the creek that crosses the table
    JUNCTION = "junction"  # meets another part of its network in the zone ``target_zone``
    OPEN = "open"  # a spring, or an end in open ground


class ZoneExit(Struct, frozen=True, kw_only=True):
    """One arm of a reach; if a stream rises at the foot of a hill, ``roll`` is the roll of the hill."""

    to: To
    side: ZoneSide | None = None
    roll: int | None = None


class ZoneReach(Struct, frozen=True, kw_only=True):
    """The part of a course inside one zone, with its type there.

    ``arms`` meet in the zone. The first arm of a stream runs downstream. The first two arms of a railroad are the
    through line. ``rolls`` are the rolls of the zone that placed it, empty if it only passes through.
    """

    zone: int
    piece: Piece
    arms: tuple[ZoneExit, ...]
    rolls: tuple[int, ...] = ()


class Branch(Struct, frozen=True, kw_only=True):
    """A side road inside a zone: it leaves the zone's main road and ends at ``arm`` (AC-N04)."""

    zone: int
    piece: Piece
    arm: ZoneExit
    roll: int


class End(Struct, frozen=True, kw_only=True):
    """An end of a road, or a source or mouth of a stream, as it continues from ``zone``.

    ``side`` is the side where it leaves ``zone``. ``via`` are the zones that it passes after that. ``target_zone`` is
    the last zone, if that is another one. ``roll`` is the roll of the hill or pool at the end.
    """

    zone: int
    target: To
    side: ZoneSide | None = None
    via: tuple[int, ...] = ()
    target_zone: int | None = None
    piece: Piece | None = None
    roll: int | None = None


class Roads(Struct, frozen=True, kw_only=True):
    """The roads: links as paths of zones, ends, the reach in each zone, side roads."""

    links: tuple[tuple[int, ...], ...] = ()
    ends: tuple[End, ...] = ()
    reaches: tuple[ZoneReach, ...] = ()
    branches: tuple[Branch, ...] = ()


class Streams(Struct, frozen=True, kw_only=True):
    """The streams: links as paths of zones, mouths, sources, the reach in each zone.

    A step that follows the creek across the table belongs to the creek (AC-N26): no reach has arms for it.
    """

    links: tuple[tuple[int, ...], ...] = ()
    mouths: tuple[End, ...] = ()
    sources: tuple[End, ...] = ()
    reaches: tuple[ZoneReach, ...] = ()


class RailBranch(Struct, frozen=True, kw_only=True):
    """A branch of the railroad for the rail zone ``zone``.

    ``path`` has its zones from the junction with the line to the last one. ``side`` is the table edge where the branch
    ends, or None if it ends on another part of the railroad.
    """

    zone: int
    path: tuple[int, ...]
    side: ZoneSide | None


class Rail(Struct, frozen=True, kw_only=True):
    """The railroad: its axis, the zones of its line from west or north, branches, reaches by zone."""

    axis: ZoneAxis
    path: tuple[int, ...]
    branches: tuple[RailBranch, ...] = ()
    reaches: tuple[ZoneReach, ...] = ()


class NetworkMeeting(Struct, frozen=True):
    """Two courses in the same zone, and the kind of crossing if they cross there (AC-N40)."""

    zone: int
    upper: Piece
    lower: Piece
    kind: Kind


class Network(Struct, frozen=True, kw_only=True):
    """All courses that join zones; ``swamps`` are the pairs of zones with joined swamps (AC-N33)."""

    roads: Roads = Roads()
    streams: Streams = Streams()
    rail: Rail | None = None
    swamps: tuple[tuple[int, int], ...] = ()
    creek: CreekPath | None = None
    creek_reaches: tuple[ZoneReach, ...] = ()
    meetings: tuple[NetworkMeeting, ...] = ()


class GroundPlan(Struct, frozen=True, kw_only=True):
    """The input for drawing shapes: zones, rolls, water along an edge, courses and the local geography."""

    grid: ZonePlan
    log: ZoneLog
    water: Water | None = None
    network: Network = field(default_factory=Network)
    geography: str = ""
