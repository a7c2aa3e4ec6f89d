"""The terrain pieces that DBA names, their rules, and the limits of the shapes that are made for them."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import ClassVar, Final

import shapely
from msgspec import Struct
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import BookError
from printkit.kit.placement import PlacedOutline
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.frame import Axis, Quarter, find_quarters
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Course, Going, Hill, HillFace, Kind, Origin
from printkit.terrain.geometry import outlines


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

    @property
    def plain_name(self) -> str:
        """Return the English name with spaces for underscores, for the log."""
        return self.value.replace("_", " ")


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


class Depths(Struct, frozen=True, kw_only=True):
    """The limits of a waterway in mm on the board: minimum and maximum depth, and the limit for half of its length."""

    depth_min: float
    depth_max: float
    shallow_max: float


class TerrainType(Struct, frozen=True, kw_only=True):
    """The rules of a terrain type: its symbol kind, its going and the maximum number of pieces on a board.

    ``ratio_max`` is the maximum of length divided by width, or None without a limit.
    """

    kind: Kind
    going: Going
    count_max: int
    ratio_max: float | None

    def make_area(self, identity: str, outline: Polygon, origin: Origin) -> Area:
        """Return an area feature; ``outline`` is in mm on the board."""
        return Area(id=identity, kind=self.kind, outline=outline, going=self.going, origin=origin)

    def make_hill(self, identity: str, position: PlacedOutline, origin: Origin, *, is_steep: bool) -> Hill:
        """Return a hill at its place; a steep one is steep on every side."""
        arcs = outlines.cut_arcs(position.outline, position.angle_deg) if is_steep else ()
        faces = tuple(
            HillFace(line=line, kind=Kind.STEEP_SLOPE, going=self.going, side=side) for side, line in enumerate(arcs)
        )
        contours = (position.outline,)
        return Hill(id=identity, kind=self.kind, contours=contours, going=self.going, faces=faces, origin=origin)

    def make_course(self, identity: str, line: LineString, width: float, origin: Origin) -> Course:
        """Return a course; line and width are in mm on the board."""
        return Course(id=identity, kind=self.kind, line=line, width=width, going=self.going, origin=origin)


class TerrainTerms(Struct, frozen=True, kw_only=True):
    """The rules of a game with its types of terrain. Lengths are mm on the board."""

    # The name of the number in the rule book for the least width of an area piece.
    side_number: ClassVar[str]
    # The clause of the crossings of roads and rivers.
    crossing_clause: ClassVar[str]

    rules: Rules
    piece_rules: Mapping[Terrain, TerrainType]

    @property
    def board(self) -> Board:
        """Return the board.

        Raises:
            BookError: the rules do not have a board.
        """
        if self.rules.board is None:
            raise BookError("{file}: terrain needs a board", file=self.rules.book.file)
        return self.rules.board

    @property
    def crossing_kind(self) -> Kind:
        """Return the kind of crossing of roads and rivers."""
        return Kind.FORD

    def type_of(self, pick: PiecePick) -> TerrainType:
        """Return the terrain type of a pick."""
        return self.piece_rules[pick.terrain]

    def size_limits(self, terrain: Terrain) -> SizeLimits:
        """Return the size limits of an area piece: lengths in mm on the board, and length divided by width."""
        return SizeLimits(
            sides_max=self.rules.length("area_sides_bw_max"),
            side_min=self.rules.length(self.side_number),
            ratio_max=self.piece_rules[terrain].ratio_max,
        )

    def width(self, terrain: Terrain) -> float:
        """Return the width of a river or road, in mm on the board."""
        return self.rules.length(f"{terrain}_width_bw")

    @abstractmethod
    def waterway_depths(self) -> Depths:
        """Return the depths of a new waterway, in mm on the board."""


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
