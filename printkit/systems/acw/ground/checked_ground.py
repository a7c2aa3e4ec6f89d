"""The pieces on a table with their zones, as the rules of courses and the checks see them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.kit.rules import Rules
from printkit.systems.acw.terms.facts import Facts
from printkit.systems.acw.terms.pieces import Piece, PlaceRules
from printkit.systems.acw.terms.plan import ZonePlan, ZoneSide, side_line
from printkit.systems.acw.terms.profile import Measure, PieceProfile
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Crossing, Hill, HillFace, Kind

_ROLL: Final = re.compile(r"z([0-9]{1,40})-([0-9]{1,40})(-[0-9]{1,40})?")


class CheckedPiece(Struct, frozen=True, kw_only=True):
    """A feature of the record, matched to the terrain piece it should be.

    Attributes:
        belt: True for the trees around a clearing.
    """

    piece: Piece
    zone: int
    feature: Area | Hill | Course
    roll: int | None = None
    belt: bool = False

    @property
    def id(self) -> str:
        """Return the ID of the feature."""
        return self.feature.id

    @property
    def shape(self) -> Polygon:
        """Return the area that the feature covers, in mm on the board."""
        if isinstance(self.feature, Course):
            return self.feature.line.buffer(self.feature.width / 2, cap_style="flat", quad_segs=4)
        return self.feature.outline

    @property
    def line(self) -> LineString:
        """Return the centre line of a course, or the outline of an area or hill, in mm on the board."""
        feature = self.feature
        return feature.line if isinstance(feature, Course) else LineString(feature.outline.exterior.coords)

    @property
    def width(self) -> float:
        """Return the width of a course in mm on the board; 0 for an area or hill."""
        return self.feature.width if isinstance(self.feature, Course) else 0.0

    @property
    def faces(self) -> tuple[HillFace, ...]:
        """Return the sides of a hill with their own kind, for example cliffs."""
        return self.feature.faces if isinstance(self.feature, Hill) else ()


class CheckedGround(Struct, frozen=True, kw_only=True, dict=True):
    """All pieces on the table, with the zones and the sizes of all pieces: what a course is measured against.

    Attributes:
        boxes: the zones as rectangles in mm on the board, by number.
        facts: what the record says without shapes; empty while the ground is placed.
        rounding_mm: the tolerance in mm while the ground is placed; None for a check.
    """

    rules: Rules
    grid: ZonePlan
    profile: PieceProfile
    all_pieces: tuple[CheckedPiece, ...]
    boxes: Mapping[int, Polygon]
    crossings: tuple[Crossing, ...] = ()
    facts: Facts = Facts()
    rounding_mm: float | None = None

    @classmethod
    def from_battlefield(
        cls, field: Battlefield, grid: ZonePlan, profile: PieceProfile, facts: Facts, rules: Rules
    ) -> CheckedGround:
        """Return the ground of a battlefield, its features matched to pieces.

        Features of a kind without a piece are left out; crossings are kept apart.

        Args:
            field: the battlefield, in mm on the board.
            grid: the zones of the table.
            profile: the measures of the pieces, and their kinds.
            facts: what the record says; empty for a battlefield drawn by hand.
            rules: the rules of the record.
        """
        boxes = {zone: grid.box(zone).shape for zone in grid.zones}
        kinds = profile.kinds
        rolled_pieces = {
            (roll.zone, roll.roll): roll.piece for roll in facts.rolls if roll.is_placed and roll.piece is not None
        }
        clearings = [feature.outline for feature in field.select_features(Kind.CLEARING) if isinstance(feature, Area)]
        belt_distance = rules.number("belt_beside") * grid.unit
        pieces = [
            _identify_piece(feature, kinds[feature.kind], boxes, rolled_pieces, clearings, belt_distance)
            for feature in field.features
            if not isinstance(feature, Crossing) and feature.kind in kinds
        ]
        return cls(
            rules=rules,
            grid=grid,
            profile=profile,
            all_pieces=tuple(pieces),
            boxes=boxes,
            crossings=tuple(feature for feature in field.features if isinstance(feature, Crossing)),
            facts=facts,
        )

    def measure(self, piece: Piece) -> Measure:
        """Return the allowed size of a piece, in fractions of the unit, and its going."""
        return self.profile.piece_measure(piece)

    @cached_property
    def place_rules(self) -> PlaceRules:
        """Return the rules for the positions of pieces."""
        return PlaceRules.from_rules(self.rules)

    @property
    def unit(self) -> float:
        """Return the shorter side of a zone in mm on the board, the unit of all sizes."""
        return self.grid.unit

    @property
    def unit_mm(self) -> float:
        """Return 1: sentences give lengths in mm on the board."""
        return 1.0

    @property
    def touch(self) -> float:
        """Return the largest gap, in mm on the board, at which two shapes count as touching."""
        return self.rules.length("touch") if self.rounding_mm is None else self.rounding_mm

    @property
    def meets(self) -> float:
        """Return the largest gap, in mm on the board, at which a course's end counts as on another one."""
        return self.rules.length("meets")

    def part(self, name: str) -> float:
        """Return a length of the rule book, given as a share of the zone's unit, in mm on the board."""
        return self.rules.number(name) * self.unit

    @property
    def playing_area(self) -> Polygon:
        """Return the area of the table as a rectangle in mm on the board."""
        return shapely.box(0.0, 0.0, *self.grid.size)

    def edge(self, side: ZoneSide) -> LineString:
        """Return an edge of the table in mm on the board, as a line from west to east or south to north."""
        return side_line(self.playing_area, side)

    def side(self, zone: int, side: ZoneSide) -> LineString:
        """Return a side of a zone in mm on the board, as a line from west to east or south to north."""
        return side_line(self.boxes[zone], side)

    def select(self, *pieces: Piece) -> Iterator[CheckedPiece]:
        """Return an iterator over all pieces of these types."""
        return (piece for piece in self.all_pieces if piece.piece in pieces)

    def in_zone(self, zone: int, *pieces: Piece) -> Iterator[CheckedPiece]:
        """Return an iterator over the pieces of these types that belong to a zone.

        A piece belongs to the zone of its roll, otherwise to the zone that contains most of it.
        """
        return (piece for piece in self.all_pieces if piece.zone == zone and piece.piece in pieces)

    def lines(self, *pieces: Piece, zone: int | None = None) -> BaseGeometry:
        """Return the centre lines of courses of these types, clipped to a zone if one is given.

        They are in mm on the board, and empty without such courses. The outlines of areas of these types count too.
        """
        union = shapely.union_all([piece.line for piece in self.select(*pieces)])
        return union if zone is None else union.intersection(self.boxes[zone])

    def areas(self) -> Iterator[CheckedPiece]:
        """Return an iterator over the areas and hills."""
        return (piece for piece in self.all_pieces if not isinstance(piece.feature, Course))

    @cached_property
    def water(self) -> Polygon:
        """Return the water along an edge of the table in mm on the board, or an empty polygon."""
        return next((piece.shape for piece in self.select(Piece.RIVER, Piece.SEA)), Polygon())

    def has_water(self, zone: int) -> bool:
        """Return whether edge water is in a zone, or next to it outside the table (AC-Q24)."""
        return bool(self.water.buffer(self.touch).intersection(self.boxes[zone]).area > self.touch * self.unit / 2)

    @cached_property
    def water_edge(self) -> ZoneSide | None:
        """Return the table edge with water, or None.

        It is the edge that the water follows for the greatest length.
        """
        shape = self.water.buffer(self.touch)
        return (
            None if self.water.is_empty else max(ZoneSide, key=lambda side: shape.intersection(self.edge(side)).length)
        )


def find_crossings(line: BaseGeometry, other: BaseGeometry) -> list[Point]:
    """Return the points where two lines (in mm on the board) meet; a shared section gives its middle.

    The points are in no fixed order; the list is empty if they do not meet.
    """
    parts = [part for part in shapely.get_parts(line.intersection(other)) if not part.is_empty]
    return [part if isinstance(part, Point) else part.interpolate(0.5, normalized=True) for part in parts]


def end_points(line: LineString) -> tuple[Point, Point]:
    """Return the first and the last point of a line, in its unit."""
    return Point(line.coords[0]), Point(line.coords[-1])


def _identify_piece(
    feature: Area | Hill | Course,
    default_piece: Piece,
    boxes: Mapping[int, Polygon],
    rolled_pieces: Mapping[tuple[int, int], Piece],
    clearings: list[Polygon],
    belt_distance: float,
) -> CheckedPiece:
    """Return a feature as a piece, by the roll in its ID or by its kind and place.

    Its zone is that of the roll, otherwise the zone that contains most of it.

    Args:
        feature: the feature, in mm on the board.
        default_piece: the piece for its kind.
        boxes: the rectangle of each zone, in mm.
        rolled_pieces: the pieces by zone and roll.
        clearings: the outlines of the clearings, in mm.
        belt_distance: the largest distance in mm of the trees around a clearing from it.
    """
    match = _ROLL.fullmatch(feature.id)
    piece = _identify_hill(feature, default_piece)
    shape = feature.line if isinstance(feature, Course) else feature.outline
    shares = {zone: box.intersection(shape) for zone, box in boxes.items()}
    main_zone = max(shares, key=lambda zone: (shares[zone].area, shares[zone].length))
    if match is not None and (roll_key := (int(match[1]), int(match[2]))) in rolled_pieces:
        belt = match[3] is not None
        return CheckedPiece(
            piece=piece if belt else rolled_pieces[roll_key],
            zone=roll_key[0],
            feature=feature,
            roll=roll_key[1],
            belt=belt,
        )
    belt = not rolled_pieces and piece is Piece.WOOD and _is_belt(feature, clearings, belt_distance)
    return CheckedPiece(piece=piece, zone=main_zone, feature=feature, belt=belt)


def _is_belt(feature: Area | Hill | Course, clearings: list[Polygon], belt_distance: float) -> bool:
    """Return whether an area is next to a clearing, but does not surround it.

    ``clearings`` are outlines in mm on the board. ``belt_distance`` is the largest distance in mm.
    """
    return isinstance(feature, Area) and any(
        feature.outline.distance(clearing) < belt_distance and not Polygon(feature.outline.exterior).contains(clearing)
        for clearing in clearings
    )


def _identify_hill(feature: Area | Hill | Course, default_piece: Piece) -> Piece:
    """Return the type of a hill by its contours and faces; ``default_piece`` for everything else."""
    if default_piece is not Piece.HILL or not isinstance(feature, Hill):
        return default_piece
    steep, faces = len(feature.contours) > 1, [face.kind for face in feature.faces]
    if Kind.CLIFF in faces:
        return Piece.STEEP_HILL_CLIFF if steep else Piece.HILL_CLIFF
    if steep:
        return Piece.STEEP_HILL
    return Piece.HILL_SCREE if Kind.SCREE in faces else Piece.HILL
