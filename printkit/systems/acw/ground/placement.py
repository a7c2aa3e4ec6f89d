"""The state of the table during placement: its zones as shapes, and everything placed so far."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Final

import shapely
from msgspec import Struct, field
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter, Stream
from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.acw.network.network import GroundPlan, To
from printkit.systems.acw.terms.pieces import HILLS, ROADS, Neighbour, Piece, PlaceRules
from printkit.systems.acw.terms.plan import RollResult, ZoneSide, side_line
from printkit.systems.acw.terms.profile import Measure, PieceProfile
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Course, Crossing, Going, Hill, Kind, Origin

# x and y: a point in mm on the table, or a direction.
XY = tuple[float, float]

# Gap between hills and the points where courses cross the sides of zones, as a fraction of the unit.
JOINT: Final = 0.09

# Maximum distance between a hill and a stream that rises at its foot, as a fraction of the unit (AC-N25).
AT_FOOT: Final = 0.06

# Maximum half width that a course keeps free, as a fraction of the unit. It is less than AT_FOOT.
_THIN: Final = 0.045

TRIES: Final = 100  # number of positions to try before a piece is made smaller (AC-G04)

# Gap between areas and the sides of their zone, as a fraction of its shorter side (AC-G01).
INSET: Final = 0.04


class ZoneGround(Struct, frozen=True, kw_only=True, dict=True):
    """A zone: its rectangle in mm on the board, and its shorter side in mm, the unit of all sizes."""

    zone: int
    box: Polygon
    unit: float

    @cached_property
    def room(self) -> Polygon:
        """Return the part of the zone where areas may be placed, in mm on the board (AC-G01)."""
        return self.inset_box(INSET)

    @property
    def middle(self) -> XY:
        """Return x and y of the middle of the zone, in mm on the board."""
        left, low, right, high = self.box.bounds
        return (left + right) / 2, (low + high) / 2

    def inset_box(self, share: float) -> Polygon:
        """Return the zone as a rectangle in mm on the board, inset on each side by a share of the unit.

        The unit is the shorter side of a zone. The inset is a quarter of the width or depth at most.
        """
        left, low, right, high = self.box.bounds
        inset = min(share * self.unit, (right - left) / 4, (high - low) / 4)
        return shapely.box(left + inset, low + inset, right - inset, high - inset)

    def side(self, side: ZoneSide) -> LineString:
        """Return a side in mm on the board, as a line from west to east or from south to north.

        The sides are those of the complete zone.
        """
        return side_line(self.box, side)


class PlacedGround(Struct, frozen=True, kw_only=True):
    """An area or hill on the table, with its piece and zone."""

    piece: Piece
    zone: int
    feature: Area | Hill

    @property
    def outline(self) -> Polygon:
        """Return the outline of the ground that the piece covers, in mm on the board."""
        return self.feature.outline


class Leg(Struct, frozen=True, kw_only=True):
    """The part of a course in one zone; a stream runs downstream.

    ``starts`` and ``ends`` are the joints at its ends as (zone, side), or None for an end inside the zone. ``meets`` is
    the point where a side leg joins another leg.
    """

    piece: Piece
    zone: int
    line: LineString
    rolls: tuple[int, ...] = ()
    starts: tuple[int, ZoneSide] | None = None
    ends: tuple[int, ZoneSide] | None = None
    meets: Point | None = None
    clauses: tuple[str, ...] = ()


class ZonePlacement(Struct, kw_only=True):
    """The state of the placement of all pieces.

    ``anchors`` are the points where courses begin or end inside a zone, by zone and target. ``left_out`` has the failed
    attempts of each result without room (AC-G04).
    """

    laying: GroundPlan
    board: Board
    profile: PieceProfile
    rules: Rules
    jitter: Jitter
    sites: dict[int, ZoneGround] = field(default_factory=dict)
    placed: list[PlacedGround] = field(default_factory=list)
    legs: list[Leg] = field(default_factory=list)
    works: list[Course] = field(default_factory=list)
    courses: list[Course] = field(default_factory=list)
    crossings: list[Crossing] = field(default_factory=list)
    anchors: dict[tuple[int, To], Point] = field(default_factory=dict)
    rails: dict[int, list[LineString]] = field(default_factory=dict)
    joints: list[Point] = field(default_factory=list)
    straights: dict[int, tuple[LineString, ...]] = field(default_factory=dict)
    edge_water: Area | None = None
    left_out: dict[RollResult, Sentence] = field(default_factory=dict)
    place_rules: PlaceRules = field(default_factory=lambda: PlaceRules({}))
    _simplified_shapes: dict[tuple[int, float], tuple[Polygon, BaseGeometry]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.place_rules = PlaceRules.from_rules(self.rules)
        grid = self.laying.grid
        for zone in grid.zones:
            self.sites[zone] = ZoneGround(zone=zone, box=grid.box(zone).shape, unit=grid.unit)

    @property
    def water(self) -> Polygon:
        """Return the water along an edge in mm on the board; empty without water."""
        return Polygon() if self.edge_water is None else self.edge_water.outline

    def shore(self, zone: int) -> BaseGeometry:
        """Return the line where edge water begins in a zone: the shore or the table edge (AC-Q24).

        The line is in mm on the board, and empty if the zone has no such water. A shore inside the table counts only
        within the zone's area for placement.
        """
        zone_ground, water = self.sites[zone], self.laying.water
        if self.rules.choice("ac-q24") == "outside":
            is_edge_zone = water is not None and water.edge in self.laying.grid.edges(zone)
            return zone_ground.side(water.edge) if water is not None and is_edge_zone else LineString()
        return (
            self.water.exterior.intersection(zone_ground.room)
            if self.water.intersects(zone_ground.room)
            else LineString()
        )

    @property
    def creek(self) -> BaseGeometry:
        """Return the lines of the creek across the table in mm on the board (AC-304); empty without a creek."""
        legs = [leg.line for leg in self.legs if leg.piece is Piece.CREEK and "AC-N30" in leg.clauses]
        return shapely.MultiLineString(legs)

    def measure(self, piece: Piece) -> Measure:
        """Return the measure of a piece: its going, and its lengths as fractions of the unit."""
        return self.profile.piece_measure(piece)

    def stream(self, identity: str, purpose: str) -> Stream:
        """Return the random stream of the feature ``identity`` for one purpose.

        ``purpose`` is any name; the same names give the same stream from its start.
        """
        return self.jitter.stream(f"ground/{identity}/{purpose}")

    def going(self, sign: str) -> Going:
        """Return the going for the name of a symbol, for example ``cliff``.

        Raises:
            KeyError: the rule book has no such symbol.
        """
        return self.rules.book.going[self.rules.goings()[sign]]

    def in_zone(self, zone: int, pieces: Collection[Piece]) -> Iterator[PlacedGround]:
        """Yield the placed ground of these pieces in a zone."""
        return (
            placed_piece for placed_piece in self.placed if placed_piece.zone == zone and placed_piece.piece in pieces
        )

    def find_pieces(self, pieces: Collection[Piece]) -> Iterator[PlacedGround]:
        """Yield the placed ground of these pieces on the table."""
        return (placed_piece for placed_piece in self.placed if placed_piece.piece in pieces)

    def neighbours(self, near: Neighbour, zone: int) -> BaseGeometry:
        """Return what pieces of a zone must be near, in mm on the board; empty if the zone does not have it."""
        match near:
            case Neighbour.ROADS:
                return self.lines(ROADS, zone)
            case Neighbour.HILLS:
                return shapely.union_all([hill.outline for hill in self.in_zone(zone, HILLS)])
            case Neighbour.SHORE:
                return Polygon() if self.shore(zone).is_empty else self.water

    def find_results(self, *pieces: Piece) -> Iterator[RollResult]:
        """Yield the results that place these pieces, zone by zone, in the order of the rolls."""
        for zone in self.laying.grid.zones:
            yield from (result for result in self.laying.log.placed_rolls(zone) if result.piece in pieces)

    def ribbons(self, pieces: Collection[Piece], *, gap: float = 0.0, zone: int | None = None) -> BaseGeometry:
        """Return the ground that courses of these pieces cover, with ``gap`` mm on both sides.

        It is in mm on the board. It is that of one zone, or of the entire table without ``zone``; empty without
        courses. Ravines are always those of the entire table, because they may reach into the next zone.
        """
        legs = (leg for leg in self.legs if leg.piece in pieces and (zone is None or leg.zone == zone))
        lines = [(leg.line, self.width(leg)) for leg in legs]
        if Piece.RAVINE in pieces:
            lines += [(work.line, work.width) for work in self.works if work.kind is Kind.RAVINE]
        return shapely.union_all([line.buffer(width / 2 + gap, quad_segs=4) for line, width in lines])

    def simplify_shape(self, shape: Polygon, tolerance: float, gap: float) -> BaseGeometry:
        """Return a shape simplified within ``tolerance``, plus ``gap`` around it, in mm on the board.

        The result is cached for the shape object and the gap; the tolerance of the first call counts.
        """
        key = (id(shape), gap)
        cached = self._simplified_shapes.get(key)
        if cached is None or cached[0] is not shape:
            cached = self._simplified_shapes[key] = shape, shape.simplify(tolerance).buffer(gap, quad_segs=4)
        return cached[1]

    def lines(self, pieces: Collection[Piece], zone: int | None = None) -> BaseGeometry:
        """Return the centre lines of courses of these pieces, in mm on the board; empty without courses.

        They are those of one zone, or of the entire table without ``zone``.
        """
        legs = (leg for leg in self.legs if leg.piece in pieces and (zone is None or leg.zone == zone))
        return shapely.MultiLineString([leg.line for leg in legs])

    def width(self, leg: Leg) -> float:
        """Return the width of a leg in mm on the board."""
        return (self.measure(leg.piece).width or 0.0) * self.unit

    @property
    def unit(self) -> float:
        """Return the shorter side of a zone in mm on the board: the unit of all sizes."""
        return self.laying.grid.unit

    def half(self, piece: Piece) -> float:
        """Return half the width, in mm on the board, that the course of a piece keeps free while it is routed.

        It is half its drawn width, up to a limit.
        """
        return min((self.measure(piece).width or 0.0) / 2, _THIN) * self.unit

    def leave_out(self, result: RollResult, position: Sentence | None = None, tries: int = TRIES) -> None:
        """Record in ``left_out`` that a result has no room, with a text for its note (AC-G04).

        ``position`` says where positions were tried, by default anywhere in the zone; ``tries`` is their number. An
        earlier text for the result is replaced.
        """
        self.left_out[result] = Sentence(
            "tried {tries} places {where}, at its usual size and at its smallest",
            tries=tries,
            where=position or Sentence("anywhere in its zone"),
        )


def build_origin(zone: int, results: Iterable[RollResult], clauses: Iterable[str]) -> Origin:
    """Return the origin of a feature of a zone: its clauses, and the numbers of the dice of its results.

    Clauses keep their order without repeats. Numbers count from 1 in the log and are sorted; results without a die add
    none. ``zone`` is 0 for a feature that belongs to no zone.
    """
    throws = sorted({result.throw for result in results if result.throw is not None})
    return Origin(clauses=tuple(dict.fromkeys(clauses)), throws=tuple(throws), zone=zone)


def build_area(
    placement: ZonePlacement, result: RollResult, outline: Polygon, *, kind: Kind | None = None, extra_clause: str = ""
) -> Area:
    """Return the area feature of a result, with an outline in mm on the board; it is not placed yet.

    Args:
        placement: the table, for the measures and the names of places.
        result: the roll that gave the piece; the feature has its ID.
        outline: the outline.
        kind: the kind; by default that of the piece.
        extra_clause: a clause to add to its origin. Only towns and forts have a name.
    """
    assert result.piece is not None
    measure = placement.measure(result.piece)
    clauses = (measure.clause, extra_clause) if extra_clause else (measure.clause,)
    return Area(
        id=result.id,
        kind=kind or measure.kind,
        outline=outline,
        going=measure.going,
        origin=build_origin(result.zone, (result,), clauses),
        name=placement.laying.log.names.get(result.zone, "") if result.piece in (Piece.TOWN, Piece.FORT) else "",
    )
