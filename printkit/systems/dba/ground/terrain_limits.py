"""The terrain pieces that DBA names, and the limits of the shapes that are made for them; lengths are in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum
from itertools import pairwise
from typing import Final

import shapely
from msgspec import Struct
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.systems.dba.ground.frame import Axis, Quarter, find_quarters
from printkit.terrain.field.battlefield import Board


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


COURSES: Final = (Terrain.RIVER, Terrain.ROAD)
HILLS: Final = (Terrain.STEEP_HILL, Terrain.GENTLE_HILL)


class PiecePick(Struct, frozen=True):
    """A piece chosen for a battlefield, and whether its home topography makes it compulsory.

    ``town`` is the type of a built-up area, if the edition has several.
    """

    terrain: Terrain
    compulsory: bool = False
    town: str = ""


class SizeLimits(Struct, frozen=True, kw_only=True):
    """Limits of the bounding rectangle of an area piece: length + width, the shorter side, length / width.

    Sides are mm on the board. A missing ``ratio_max`` means that any ratio is legal.
    """

    sides_max: float
    side_min: float
    ratio_max: float | None = 2.0


class CourseLimits(Struct, frozen=True, kw_only=True):
    """The limits of a course between opposite edges.

    Args:
        axis: its direction.
        band: the strip for its centre line, ends included.
        longest: its maximum length per mm of the straight distance between its ends.
        clearance: its minimum distance in mm on the board from every edge, except near its ends.
        half_width: distance in mm on the board to its bank if banks are measured; 0 for the centre line.
    """

    axis: Axis
    band: Polygon
    longest: float
    clearance: float = 0.0
    half_width: float = 0.0


def side_lengths(outline: BaseGeometry) -> tuple[float, float]:
    """Return length and width, in mm on the board, of the smallest rectangle around a shape."""
    corners = shapely.get_coordinates(shapely.oriented_envelope(outline))
    lengths = sorted(math.dist(start, end) for start, end in pairwise(corners[:3]))
    return lengths[1], lengths[0]


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
