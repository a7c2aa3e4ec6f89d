"""The piece list: the models for a table, and lengths of road, rail, stream and fence (AC-A07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from printkit.core.sums import plain_sum
from printkit.kit.rules import Rules
from printkit.systems.acw.terms.facts import Facts
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZonePlan, zone_grid
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.terrain.field.battlefield import Battlefield, dimensions
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.record import Record

# The pieces of the rules for kinds of courses, in the order of the list; unfenced roads are roads (AC-F29).
_NAMES: Final = {
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


class Model(Struct, frozen=True, kw_only=True):
    """All pieces of one type.

    Attributes:
        word: the key of their name.
        zones: the zone of each piece.
        sizes: length and width of each piece in mm; empty for crossings.
    """

    word: str
    zones: tuple[int, ...]
    sizes: tuple[tuple[float, float], ...] = ()

    @property
    def count(self) -> int:
        """Return the number of pieces."""
        return len(self.zones)


class CourseStretch(Struct, frozen=True, kw_only=True):
    """All courses of one kind: their number, total length on the board and largest width, in mm."""

    kind: Kind
    count: int
    length: float
    width: float


class PieceList(Struct, frozen=True):
    """Areas and hills by piece, crossings by kind and courses by kind, in the order of the rules."""

    areas: tuple[Model, ...]
    crossings: tuple[Model, ...]
    stretches: tuple[CourseStretch, ...]


def piece_list(record: Record, rules: Rules) -> PieceList:
    """Return the pieces that a record needs, measured on the parts of its shapes on the board."""
    field, grid = record.battlefield, zone_grid(rules)
    rolled, kinds = Facts.of(record, rules).lying, PieceProfile.of(rules).kinds
    words: dict[str, list[Area | Hill]] = {f"acw.piece.{piece.key}": [] for piece in Piece}
    marks: dict[str, list[Crossing]] = {}
    courses: dict[Kind, list[Course]] = {kind: [] for kind in _NAMES}
    for feature in field.features:
        match feature:
            case Area() | Hill():
                words.setdefault(_word(feature, rolled, kinds), []).append(feature)
            case Crossing():
                marks.setdefault(f"kind.{feature.kind}", []).append(feature)
            case Course():
                courses.setdefault(feature.kind, []).append(feature)
    return PieceList(
        areas=tuple(
            Model(word=word, zones=_zones(found, grid), sizes=tuple(_size(one, field) for one in found))
            for word, found in words.items()
            if found
        ),
        crossings=tuple(Model(word=word, zones=_zones(found, grid)) for word, found in marks.items()),
        stretches=tuple(_stretch(kind, found, field) for kind, found in courses.items() if found),
    )


def course_word(kind: Kind) -> str:
    """Return the key of the name for a kind of course, from the rules if they have one."""
    return f"acw.piece.{_NAMES[kind].key}" if kind in _NAMES else f"kind.{kind}"


def zone_at(grid: ZonePlan, x: float, y: float) -> int:
    """Return the zone of a point in mm of the board; for a point off the table the nearest zone."""

    def off(zone: int) -> float:
        box = grid.box(zone)
        across = max(box.left - x, 0.0, x - box.left - box.width)
        return across + max(box.near - y, 0.0, y - box.near - box.depth)

    return min(grid.zones, key=off)


def zone_of(feature: Feature, grid: ZonePlan) -> int:
    """Return the zone of a feature: that of its roll, or the one at its middle."""
    if feature.origin.zone is not None and feature.origin.zone in grid.zones:
        return feature.origin.zone
    middle = shape_of(feature).representative_point()
    return zone_at(grid, middle.x, middle.y)


def shape_of(feature: Feature) -> BaseGeometry:
    """Return the shape of any feature: an outline, a line or a point."""
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line
        case Crossing():
            return feature.at


def _word(feature: Area | Hill, rolled: Mapping[str, Piece], kinds: Mapping[Kind, Piece]) -> str:
    piece = rolled.get(feature.id, kinds.get(feature.kind))
    return f"kind.{feature.kind}" if piece is None else f"acw.piece.{piece.key}"


def _zones(features: Sequence[Feature], grid: ZonePlan) -> tuple[int, ...]:
    return tuple(zone_of(feature, grid) for feature in features)


def _size(feature: Area | Hill, field: Battlefield) -> tuple[float, float]:
    # Water along an edge may be outside the table (AC-Q24).
    seen = feature.outline.intersection(field.board.shape)
    size = dimensions(seen if seen.area > 0 else feature.outline)
    return size.length, size.width


def _stretch(kind: Kind, courses: Sequence[Course], field: Battlefield) -> CourseStretch:
    return CourseStretch(
        kind=kind,
        count=len(courses),
        length=plain_sum(course.line.intersection(field.board.shape).length for course in courses),
        width=max(course.width for course in courses),
    )
