"""A record prepared for checking: rolls, zones and graph, and its features as pieces in zones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.core.errors import DiceError, RecordError, ScenarioError
from printkit.kit.case import JudgedRecord
from printkit.kit.checks import Faults, UnseenError
from printkit.kit.rules import Rules
from printkit.systems.acw.terms.facts import Facts, RecordedGraph
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import HILLS, ROADS, Piece
from printkit.systems.acw.terms.plan import CreekPath, RollResult, ZoneLog, ZonePlan, ZoneSide, side_line, zone_grid
from printkit.systems.acw.terms.profile import Measure, PieceProfile
from printkit.systems.acw.terms.tables import Geography, Tables
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Crossing, Hill, HillFace, Kind

# --- The ground of a record: each feature as a piece of the rules, in its zone ----------------------------------------

ALL_HILLS: Final = (*HILLS, Piece.RISE)
STEEP: Final = (Piece.STEEP_HILL, Piece.STEEP_HILL_CLIFF)
CLIFFS: Final = (Piece.HILL_CLIFF, Piece.STEEP_HILL_CLIFF)
ROUTES: Final = (*ROADS, Piece.RAILROAD)

_ROLL: Final = re.compile(r"z([0-9]{1,40})-([0-9]{1,40})(-[0-9]{1,40})?")

# Rotations of the bounding box of a shape that are tried, in radians.
_BOX_ANGLES: Final = np.radians(np.arange(0.0, 180.0, 2.0))

# Boxes up to this factor larger than the smallest box are considered.
_BOX_TOLERANCE: Final = 1.3


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


class JudgedGround(Struct, frozen=True, kw_only=True):
    """All pieces on the table, with the zones as rectangles and the sizes of all pieces.

    ``boxes`` has the rectangles by zone number. ``touch`` is the largest gap at which two shapes count as touching. All
    are in mm on the board.
    """

    grid: ZonePlan
    profile: PieceProfile
    all_pieces: tuple[CheckedPiece, ...]
    crossings: tuple[Crossing, ...]
    boxes: Mapping[int, Polygon]
    touch: float

    @classmethod
    def from_battlefield(
        cls, field: Battlefield, grid: ZonePlan, profile: PieceProfile, rolls: Iterable[RollResult], rules: Rules
    ) -> JudgedGround:
        """Return the ground of a battlefield, its features matched to pieces.

        Features of a kind without a piece are left out; crossings are kept apart.

        Args:
            field: the battlefield, in mm on the board.
            grid: the zones of the table.
            profile: the measures of the pieces, and their kinds.
            rolls: the rolls of the record; empty for a battlefield drawn by hand.
            rules: the rules of the record.
        """
        boxes = {zone: grid.box(zone).shape for zone in grid.zones}
        kinds = profile.kinds
        rolled_pieces = {
            (roll.zone, roll.roll): roll.piece for roll in rolls if roll.is_placed and roll.piece is not None
        }
        clearings = [feature.outline for feature in field.select_features(Kind.CLEARING) if isinstance(feature, Area)]
        belt_distance = rules.number("belt_beside") * grid.unit
        pieces = [
            _identify_piece(feature, kinds[feature.kind], boxes, rolled_pieces, clearings, belt_distance)
            for feature in field.features
            if not isinstance(feature, Crossing) and feature.kind in kinds
        ]
        crossings = tuple(feature for feature in field.features if isinstance(feature, Crossing))
        touch = rules.length("touch")
        return cls(grid=grid, profile=profile, all_pieces=tuple(pieces), crossings=crossings, boxes=boxes, touch=touch)

    def measure(self, piece: Piece) -> Measure:
        """Return the allowed size of a piece, in fractions of the unit, and its going."""
        return self.profile.piece_measure(piece)

    @property
    def unit(self) -> float:
        """Return the shorter side of a zone in mm on the board, the unit of all sizes."""
        return self.grid.unit

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

    @property
    def water(self) -> Polygon:
        """Return the water along an edge of the table in mm on the board, or an empty polygon."""
        return next((piece.shape for piece in self.select(Piece.RIVER, Piece.SEA)), Polygon())

    def has_water(self, zone: int) -> bool:
        """Return whether edge water is in a zone, or next to it outside the table (AC-Q24)."""
        return bool(self.water.buffer(self.touch).intersection(self.boxes[zone]).area > self.touch * self.unit / 2)

    @property
    def water_edge(self) -> ZoneSide | None:
        """Return the table edge with water, or None.

        It is the edge that the water follows for the greatest length.
        """
        shape = self.water.buffer(self.touch)
        return (
            None if self.water.is_empty else max(ZoneSide, key=lambda side: shape.intersection(self.edge(side)).length)
        )


def fit_box(shape: Polygon, long: tuple[float, float], short: tuple[float, float]) -> tuple[float, float, float]:
    """Return width, depth and deviation in mm of the tight box around a shape that fits two ranges best.

    The box may have any rotation; width is the side compared with ``long``, depth the one compared with ``short``. The
    deviation is how far the worse side is out of its range, 0 if both are within their range.

    Args:
        shape: the shape in mm on the board.
        long: the least and the largest long side, in mm.
        short: the least and the largest short side, in mm.
    """
    points = shapely.get_coordinates(shape.convex_hull)
    cosine, sine = exact_math.cos(_BOX_ANGLES)[:, None], exact_math.sin(_BOX_ANGLES)[:, None]
    widths = np.ptp(points[:, 0] * cosine + points[:, 1] * sine, axis=1)
    depths = np.ptp(points[:, 1] * cosine - points[:, 0] * sine, axis=1)
    deviations = np.max(
        [long[0] - widths, widths - long[1], short[0] - depths, depths - short[1], np.zeros_like(widths)], axis=0
    )
    deviations = np.where(widths * depths <= _BOX_TOLERANCE * (widths * depths).min(), deviations, np.inf)
    best = int(np.argmin(deviations))
    return float(widths[best]), float(depths[best]), float(deviations[best])


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


# Yields the faults against a clause; no faults mean that the record keeps the clause.
Check: TypeAlias = "Callable[[AcwCase], Faults]"


class AbsentError(UnseenError):
    """A clause does not apply: the table does not have its pieces, so all parts of its check are skipped."""


class AcwCase(JudgedRecord, frozen=True, kw_only=True, eq=False, dict=True):
    """A record to check. Zones and edges come from the board; rolls, graph and ground are checked."""

    @cached_property
    def tables(self) -> Tables:
        """Return the die tables under the settings of the record."""
        return Tables.from_rules(self.rules)

    @cached_property
    def grid(self) -> ZonePlan:
        """Return the zones of the board."""
        return zone_grid(self.rules)

    @cached_property
    def facts(self) -> Facts:
        """Return the facts in the record, without its shapes."""
        return Facts.from_record(self.record, self.rules)

    @cached_property
    def inputs(self) -> Inputs:
        """Return the lists of the scenario.

        Raises:
            RecordError: a list is not valid.
        """
        with _as_record_error():
            return Inputs.read(self.facts.inputs, self.grid)

    @cached_property
    def layout(self) -> JudgedGround:
        """Return the features on the table as pieces of the rules.

        Raises:
            RecordError: a list of the scenario is not valid.
        """
        with _as_record_error():
            profile = PieceProfile.from_rules(self.rules, self.inputs.profile)
        return JudgedGround.from_battlefield(self.record.battlefield, self.grid, profile, self.facts.rolls, self.rules)

    @cached_property
    def geography(self) -> Geography:
        """Return the geography that the record states.

        Raises:
            UnseenError: the record does not state it.
        """
        if not self.facts.geography:
            raise UnseenError("the record does not state its geography")
        return self.tables.geography(self.facts.geography)

    @cached_property
    def zones(self) -> ZoneLog:
        """Return the rolls of the record as a log of zones.

        Raises:
            UnseenError: the record has no rolls.
        """
        if not self.facts.rolls:
            raise UnseenError("the record has no rolls")
        return ZoneLog(self.facts.rolls)

    @property
    def graph(self) -> RecordedGraph:
        """Return the network of the record.

        Raises:
            UnseenError: the record does not state it.
        """
        if self.facts.graph is None:
            raise UnseenError("the record does not state its network")
        return self.facts.graph

    @property
    def creek(self) -> CreekPath | None:
        """Return the creek across the table, or None.

        Raises:
            UnseenError: the record does not state its network.
        """
        return None if self.graph.creek is None else self.facts.creek

    @property
    def touch(self) -> float:
        """Return the largest gap, in mm on the board, at which two shapes count as touching."""
        return self.rules.length("touch")

    @property
    def meets(self) -> float:
        """Return the largest gap, in mm on the board, at which a course's end counts as on another one."""
        return self.rules.length("meets")

    def part(self, name: str) -> float:
        """Return a length of the rule book, given as a share of the zone's unit, in mm on the board."""
        return self.rules.number(name) * self.grid.unit

    def rolled_twice(self, zone: int, piece: Piece) -> bool:
        """Return whether a zone has a piece twice; always True for a record without rolls."""
        return not self.facts.rolls or self.zones.pieces(zone).count(piece) > 1


@contextmanager
def _as_record_error() -> Iterator[None]:
    """Turn a DiceError or ScenarioError in the ``with`` block into a RecordError with the same message.

    It is for reading the lists of the scenario that the record contains.

    Raises:
        RecordError: a list in the record is not valid.
    """
    try:
        yield
    except (DiceError, ScenarioError) as error:
        raise RecordError("{error}", error=error) from None


def combine_checks(*checks: Check) -> Check:
    """Return one check that runs several checks and skips those that cannot be made.

    Raises:
        UnseenError: none of the checks can be made (raised by the returned check, the error of the first one).
        AbsentError: one of the checks finds that its piece is not on the table (raised by the returned check).
    """

    def check(case: AcwCase) -> Faults:
        """Yield the faults of all checks, and skip those that cannot be made."""
        errors: list[UnseenError] = []
        for single_check in checks:
            try:
                yield from single_check(case)
            except AbsentError:
                raise
            except UnseenError as error:
                errors.append(error)
        if errors and len(errors) == len(checks):
            raise errors[0]

    return check
