"""The DBA limits of pieces and courses as functions of shapes, and the terrain pieces that DBA names.

Lengths are mm. Limits have only a tolerance for rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum
from itertools import pairwise

import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.kit.placement import SLACK
from printkit.systems.dba.ground.frame import Axis, Quarter, find_quarters
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.geometry.measure import sinuosity

# --- The terrain pieces of DBA, and the pieces chosen for one battlefield before they are placed ----------------------


class Terrain(StrEnum):
    """Every type of terrain of DBA 2.2 and 3; the value is its name in the tables."""

    WATERWAY = "waterway"
    RIVER = "river"
    ROAD = "road"
    BUA = "bua"
    WOODS = "woods"
    STEEP_HILL = "steep_hill"  # DBA 3: difficult hill
    GENTLE_HILL = "gentle_hill"
    ROUGH = "rough"
    MARSH = "marsh"
    DUNES = "dunes"
    OASIS = "oasis"
    # DBA 3 alone
    PLOUGH = "plough"
    ENCLOSURES = "enclosures"
    SCRUB = "scrub"
    BOGGY = "boggy"
    ROCKY = "rocky"
    GULLY = "gully"


class PiecePick(Struct, frozen=True):
    """A piece chosen for a battlefield, and whether its home topography makes it compulsory."""

    terrain: Terrain
    compulsory: bool = False


class SizeLimits(Struct, frozen=True, kw_only=True):
    """Limits of the bounding rectangle of an area piece: length + width, the shorter side, length / width.

    Sides are mm on the board. A missing ``ratio_max`` means that any ratio is legal.
    """

    sides_max: float
    side_min: float
    ratio_max: float | None = 2.0


class Fault(StrEnum):
    """A fault of a course."""

    ENDS = "ends"
    BAND = "band"
    LENGTH = "length"
    CLEARANCE = "clearance"
    QUARTERS = "quarters"


class CourseLimits(Struct, frozen=True, kw_only=True):
    """The limits of a course between opposite edges.

    Args:
        axis: its direction.
        band: the strip for its centre line, ends included.
        longest: its maximum length per mm of the straight distance between its ends.
        clearance: its minimum distance in mm on the board from every edge, except near its ends.
        quarters: the maximum number of quarters that it may enter.
        half_width: distance in mm on the board to its bank if banks are measured; 0 for the centre line.
        short: maximum gap in mm on the board between its end and a shore.
    """

    axis: Axis
    band: Polygon
    longest: float
    quarters: int = 2
    clearance: float = 0.0
    half_width: float = 0.0
    short: float = 0.0


def side_lengths(outline: BaseGeometry) -> tuple[float, float]:
    """Return length and width, in mm on the board, of the smallest rectangle around a shape."""
    corners = shapely.get_coordinates(shapely.oriented_envelope(outline))
    lengths = sorted(math.dist(start, end) for start, end in pairwise(corners[:3]))
    return lengths[1], lengths[0]


def keeps_size(outline: BaseGeometry, limits: SizeLimits) -> bool:
    """Return whether the smallest rectangle around a piece keeps its size limits, in mm on the board."""
    length, width = side_lengths(outline)
    is_too_slender = limits.ratio_max is not None and length > limits.ratio_max * width + SLACK
    return length + width <= limits.sides_max + SLACK and width >= limits.side_min - SLACK and not is_too_slender


def straddles(outline: Polygon, board: Board, min_area: float) -> bool:
    """Return whether two or more quarters each have ``min_area`` mm² (on the board) of a piece (AMB-18)."""
    return len(find_quarters(outline, board, min_area - SLACK)) >= 2


def keeps_gap(outline: BaseGeometry, other_shapes: Iterable[BaseGeometry], gap: float) -> bool:
    """Return whether a piece keeps a gap of ``gap`` mm on the board from all other shapes."""
    return all(outline.distance(shape) >= gap - SLACK for shape in other_shapes)


def find_course_faults(
    line: LineString, board: Board, limits: CourseLimits, shore: BaseGeometry | None = None
) -> set[Fault]:
    """Return all faults of a course, by its centre line in mm on the board; empty if it is legal.

    Args:
        shore: the waterway along one of the edges of its ends; the course then ends on the shore instead (AMB-20).
    """
    faults: set[Fault] = set()
    if not _has_legal_ends(line, board, limits, shore):
        faults.add(Fault.ENDS)
    band = limits.band.buffer(SLACK - limits.half_width, join_style="mitre")
    if not _extend_band(band, board, limits.axis).covers(line):
        faults.add(Fault.BAND)
    if sinuosity(line) > limits.longest + 1e-9:
        faults.add(Fault.LENGTH)
    if limits.clearance and not _keeps_clearance(line, board, limits):
        faults.add(Fault.CLEARANCE)
    bank = line.buffer(limits.half_width) if limits.half_width else line
    if len(find_quarters(bank, board)) > limits.quarters:
        faults.add(Fault.QUARTERS)
    return faults


def find_all_quarters(
    shapes: Iterable[BaseGeometry], board: Board, least_area: float, least_length: float
) -> set[Quarter]:
    """Return the quarters of the board that contain enough of at least one shape.

    Enough is more than ``least_area`` mm² of an area, or ``least_length`` mm of a line, both on the board.
    """
    quarters: set[Quarter] = set()
    for shape in shapes:
        quarters.update(find_quarters(shape, board, least_area if shape.area > 0 else least_length))
    return quarters


def _extend_band(band: Polygon, board: Board, axis: Axis) -> Polygon:
    """Return the band of a course in mm on the board, extended slightly beyond the edges at its ends."""
    left, bottom, right, top = band.bounds
    if axis is Axis.ACROSS:
        return shapely.box(-SLACK, bottom, board.width + SLACK, top)
    return shapely.box(left, -SLACK, right, board.depth + SLACK)


def _has_legal_ends(line: LineString, board: Board, limits: CourseLimits, shore: BaseGeometry | None) -> bool:
    """Return whether a course has an end at each edge of its axis, or at the shore along that edge.

    The centre line is in mm on the board; ``shore`` is the waterway, or None.
    """
    first, last = (Point(line.coords[index]) for index in (0, -1))
    start, end = (board.edge(edge) for edge in limits.axis.ends)
    return any(
        all(_meets(point, edge, shore, limits.short) for point, edge in pairs)
        for pairs in (((first, start), (last, end)), ((first, end), (last, start)))
    )


def _meets(point: Point, edge: LineString, shore: BaseGeometry | None, short: float) -> bool:
    """Return whether an end of a course is on an edge, or near the shore if water covers part of the edge.

    ``shore`` is the waterway, or None; ``short`` is the maximum distance from it, in mm on the board.
    """
    if shore is not None and edge.dwithin(shore, SLACK) and edge.intersection(shore).length > SLACK:
        return bool(point.distance(shore) <= short + SLACK)
    return bool(point.distance(edge) <= SLACK)


def _keeps_clearance(line: LineString, board: Board, limits: CourseLimits) -> bool:
    """Return whether a course is near the board edges only at its two ends (SD-3.3.3-c).

    ``line`` is its centre line in mm on the board; the limits have the clearance.
    """
    strip_width = limits.clearance + limits.half_width - SLACK
    ends = [Point(line.coords[0]), Point(line.coords[-1])]
    for edge in Edge:
        strip = board.edge(edge).buffer(strip_width, cap_style="flat")
        overlap = line.intersection(strip)
        if overlap.geom_type == "MultiLineString":
            overlap = shapely.line_merge(overlap)
        parts = [part for part in shapely.get_parts(overlap) if part.length > SLACK]
        if edge not in limits.axis.ends:
            if parts:
                return False
        elif len(parts) > 1 or any(min(part.distance(end) for end in ends) > SLACK for part in parts):
            return False
    return True
