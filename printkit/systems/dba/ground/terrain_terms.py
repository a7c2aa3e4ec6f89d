"""The rules of a game that both editions of DBA apply to terrain: the types of pieces, their sizes and the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct
from shapely import LineString, Polygon

from printkit.core.errors import BookError
from printkit.kit.placement import PlacedOutline
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.terrain_limits import PiecePick, SizeLimits, Terrain
from printkit.systems.dba.ground.waterways import Depths
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Course, Going, Hill, HillFace, Kind, Origin
from printkit.terrain.geometry import outlines


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

    def waterway_depths(self) -> Depths:
        """Return the depths of a new waterway, in mm on the board."""
        raise NotImplementedError
