"""The piece list: the models for a table, and lengths of road, rail, stream and fence (AC-A07)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from printkit.core.sums import plain_sum
from printkit.kit.rules import Rules
from printkit.systems.acw.terms.facts import Facts
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZonePlan, zone_grid
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.terrain.field.battlefield import Battlefield, measure_shape
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.record import Record

# The pieces of the rules for kinds of courses, in the order of the list; unfenced roads are roads (AC-F29).
_COURSE_PIECES: Final = {
    Kind.RAILWAY: Piece.RAILROAD,
    Kind.FENCED_ROAD: Piece.FENCED_ROAD,
    Kind.ROAD: Piece.ROAD,
    Kind.SUNKEN_LANE: Piece.SUNKEN_LANE,
    Kind.TRACK: Piece.TRACK,
    Kind.STREAM: Piece.STREAM,
    Kind.CREEK: Piece.CREEK,
    Kind.DITCH: Piece.DITCH,
    Kind.WORM_FENCE: Piece.FENCE_LINE,
    Kind.WALL: Piece.WALL,
}


class PieceModel(Struct, frozen=True, kw_only=True):
    """All pieces of one type.

    Attributes:
        word: the key of their name.
        zones: the zone of each piece.
        sizes: length and width of each piece in mm on the board; empty for crossings.
    """

    word: str
    zones: tuple[int, ...]
    sizes: tuple[tuple[float, float], ...] = ()

    @property
    def count(self) -> int:
        """Return the number of pieces."""
        return len(self.zones)


class CourseTotal(Struct, frozen=True, kw_only=True):
    """All courses of one kind: their number, total length and largest width in mm on the board."""

    kind: Kind
    count: int
    length: float
    width: float


class PieceList(Struct, frozen=True):
    """Areas and hills by piece, crossings by kind and courses by kind, in the order of the rules."""

    areas: tuple[PieceModel, ...]
    crossings: tuple[PieceModel, ...]
    courses: tuple[CourseTotal, ...]


def build_piece_list(record: Record, rules: Rules) -> PieceList:
    """Return the pieces that a record needs, measured in mm on the parts of its shapes on the board.

    The list has areas and hills by type with their zones and sizes, crossings by kind, and the courses of each kind
    together. Types without a feature are left out.
    """
    field, grid = record.battlefield, zone_grid(rules)
    rolled_pieces, kinds = Facts.from_record(record, rules).placed_pieces, PieceProfile.from_rules(rules).kinds
    areas_by_word: dict[str, list[Area | Hill]] = {f"acw.piece.{piece.key}": [] for piece in Piece}
    crossings_by_word: dict[str, list[Crossing]] = {}
    courses_by_kind: dict[Kind, list[Course]] = {kind: [] for kind in _COURSE_PIECES}
    for feature in field.features:
        match feature:
            case Area() | Hill():
                piece = rolled_pieces.get(feature.id, kinds.get(feature.kind))
                word = f"kind.{feature.kind}" if piece is None else f"acw.piece.{piece.key}"
                areas_by_word.setdefault(word, []).append(feature)
            case Crossing():
                crossings_by_word.setdefault(f"kind.{feature.kind}", []).append(feature)
            case Course():
                courses_by_kind.setdefault(feature.kind, []).append(feature)
    return PieceList(
        areas=tuple(
            PieceModel(
                word=word, zones=_list_zones(members, grid), sizes=tuple(_measure_area(area, field) for area in members)
            )
            for word, members in areas_by_word.items()
            if members
        ),
        crossings=tuple(
            PieceModel(word=word, zones=_list_zones(members, grid)) for word, members in crossings_by_word.items()
        ),
        courses=tuple(_sum_courses(kind, members, field) for kind, members in courses_by_kind.items() if members),
    )


def course_word(kind: Kind) -> str:
    """Return the key of the name of a kind of course, for ``Words``.

    It is that of the piece of the rules if there is one, otherwise that of the kind.
    """
    return f"acw.piece.{_COURSE_PIECES[kind].key}" if kind in _COURSE_PIECES else f"kind.{kind}"


def find_zone(grid: ZonePlan, x: float, y: float) -> int:
    """Return the zone of a point, x and y in mm of the board; for a point off the table the nearest zone.

    Zones count from 1, and on a tie the first one counts.
    """

    def zone_distance(zone: int) -> float:
        """Return the distance of the point from a zone in mm on the board, as x plus y; 0 inside."""
        box = grid.box(zone)
        x_gap = max(box.left - x, 0.0, x - box.left - box.width)
        return x_gap + max(box.near - y, 0.0, y - box.near - box.depth)

    return min(grid.zones, key=zone_distance)


def feature_zone(feature: Feature, grid: ZonePlan) -> int:
    """Return the zone, from 1, of a feature: that of its roll, or the one at a point inside it."""
    if feature.origin.zone is not None and feature.origin.zone in grid.zones:
        return feature.origin.zone
    middle = feature_shape(feature).representative_point()
    return find_zone(grid, middle.x, middle.y)


def feature_shape(feature: Feature) -> BaseGeometry:
    """Return the shape of any feature in mm of the board: an outline, a line or a point.

    A hill gives its lowest contour, a course its centre line, a crossing its point.
    """
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line
        case Crossing():
            return feature.at


def _list_zones(features: Sequence[Feature], grid: ZonePlan) -> tuple[int, ...]:
    """Return the zone of each feature, in the same order."""
    return tuple(feature_zone(feature, grid) for feature in features)


def _measure_area(feature: Area | Hill, field: Battlefield) -> tuple[float, float]:
    """Return the length and the width of the part of an area or hill on the board, in mm on the board.

    If no part is on the board, return those of the entire feature.
    """
    # Water along an edge may be outside the table (AC-Q24).
    visible = feature.outline.intersection(field.board.shape)
    size = measure_shape(visible if visible.area > 0 else feature.outline)
    return size.length, size.width


def _sum_courses(kind: Kind, courses: Sequence[Course], field: Battlefield) -> CourseTotal:
    """Return the number, the total length and the largest width of courses, in mm on the board.

    Only parts on the board count for the length. ``courses`` must not be empty.
    """
    return CourseTotal(
        kind=kind,
        count=len(courses),
        length=plain_sum(course.line.intersection(field.board.shape).length for course in courses),
        width=max(course.width for course in courses),
    )
