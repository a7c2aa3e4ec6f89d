"""The terrain pieces of a record under check, for every edition of DBA."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.kit.case import JudgedRecord
from printkit.kit.checks import UnseenError
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.terrain_limits import COURSES, Terrain, TerrainTerms, side_lengths
from printkit.systems.dba.ground.waterways import find_water_edge, measure_depths
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.geometry.measure import ribbon

# The kinds of features of each type of terrain that both editions have.
COMMON_KINDS: Final[Mapping[Terrain, tuple[Kind, ...]]] = {
    Terrain.WATERWAY: (Kind.WATERWAY, Kind.SEA, Kind.LAKE),
    Terrain.RIVER: (Kind.RIVER,),
    Terrain.ROAD: (Kind.ROAD, Kind.TRACK),
    Terrain.BUA: (Kind.BUA, Kind.SETTLEMENT, Kind.HAMLET, Kind.VILLAGE, Kind.TOWN, Kind.CITY, Kind.FORT),
    Terrain.WOODS: (
        Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, Kind.WOODLAND, Kind.FOREST, Kind.LIGHT_CONIFERS, Kind.CONIFER_FOREST,
        Kind.MIXED_WOODS, Kind.LIGHT_PALMS, Kind.PALM_FOREST,
    ),
    Terrain.MARSH: (Kind.MARSH, Kind.SWAMP),
    Terrain.DUNES: (Kind.DUNES,),
    Terrain.OASIS: (Kind.OASIS,),
}  # fmt: skip


class CheckedTerrain(Struct, frozen=True, eq=False, dict=True):
    """A piece of terrain on the board, or a candidate for a place there; crossings are not pieces."""

    id: str
    terrain: Terrain
    feature: Area | Hill | Course

    @property
    def shape(self) -> BaseGeometry:
        """Return the outline of an area or hill, or the centre line of a course, in mm on the board."""
        return self.feature.line if isinstance(self.feature, Course) else self.feature.outline

    @cached_property
    def ground(self) -> BaseGeometry:
        """Return the area of the piece in mm on the board; for a course, its full width."""
        return ribbon(self.feature.line, self.feature.width) if isinstance(self.feature, Course) else self.shape

    @property
    def line(self) -> LineString:
        """Return the centre line of a course, in mm on the board.

        Raises:
            UnseenError: the piece is drawn as something else.
        """
        if not isinstance(self.feature, Course):
            raise UnseenError("{id} is drawn as an area and has no centre line", id=self.id)
        return self.feature.line

    @property
    def width(self) -> float:
        """Return the width of a course in mm on the board; 0 for a piece that is drawn as an area."""
        return self.feature.width if isinstance(self.feature, Course) else 0.0

    @cached_property
    def side_lengths(self) -> tuple[float, float]:
        """Return length and width of the smallest rectangle around the piece, in mm on the board."""
        return side_lengths(self.ground)


def sort_features(
    features: Iterable[Feature], own_kinds: Mapping[Terrain, tuple[Kind, ...]]
) -> tuple[tuple[CheckedTerrain, ...], tuple[str, ...]]:
    """Return the terrain pieces and the IDs of features that are not terrain of these rules; crossings are in neither.

    Args:
        features: the features of the record.
        own_kinds: further kinds of features of each terrain type in the edition. The going and the faces of a hill
            decide whether it is steep.
    """
    kinds = {kind: terrain for group in (COMMON_KINDS, own_kinds) for terrain in group for kind in group[terrain]}
    pieces, unknown_ids = [], []
    for feature in features:
        if isinstance(feature, Crossing):
            continue
        terrain: Terrain | None
        if isinstance(feature, Hill):
            is_gentle = feature.going.rank == 0 and not feature.faces
            terrain = Terrain.GENTLE_HILL if is_gentle else Terrain.STEEP_HILL
        else:
            terrain = kinds.get(feature.kind)
        if terrain is None:
            unknown_ids.append(feature.id)
        else:
            pieces.append(CheckedTerrain(feature.id, terrain, feature))
    return tuple(pieces), tuple(unknown_ids)


class TerrainSurroundings(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """The surroundings of a piece of terrain: the rules, the board and the pieces on it.

    A candidate for a place is not among the pieces. ``rounding_mm`` is the tolerance while terrain is placed, in mm on
    the board; None for a check, which uses those of the book.
    """

    terms: TerrainTerms
    pieces: tuple[CheckedTerrain, ...]
    rounding_mm: float | None = None

    @cached_property
    def board(self) -> Board:
        """Return the board."""
        return self.terms.board

    @property
    def rules(self) -> Rules:
        """Return the rules of the game."""
        return self.terms.rules

    @property
    def unit_mm(self) -> float:
        """Return a base width in mm on the board."""
        return self.board.scale.base_width

    def tolerance(self, name: str) -> float:
        """Return the tolerance for a length of the book, in mm on the board."""
        return self.rules.slack(name) if self.rounding_mm is None else self.rounding_mm

    def pieces_of_type(self, *terrains: Terrain) -> tuple[CheckedTerrain, ...]:
        """Return the pieces of some types; empty if there are none."""
        return tuple(piece for piece in self.pieces if piece.terrain in terrains)

    def find_others(self, identity: str, *left_out: Terrain) -> tuple[CheckedTerrain, ...]:
        """Return all pieces but one, without courses and some further types; ``identity`` is its ID."""
        closed = (*COURSES, *left_out)
        return tuple(other for other in self.pieces if other.id != identity and other.terrain not in closed)

    @cached_property
    def water_edges(self) -> Mapping[str, Edge | None]:
        """Return the edge that each waterway covers completely, or None, by its ID."""
        waters = self.pieces_of_type(Terrain.WATERWAY)
        return {water.id: find_water_edge(water.ground, self.board) for water in waters}

    @cached_property
    def water_depths(self) -> Mapping[str, tuple[float, float]]:
        """Return the least and the greatest depth in mm on the board of each waterway along an edge, by its ID."""
        return {
            water.id: (float(depths.min()), float(depths.max()))
            for water in self.pieces_of_type(Terrain.WATERWAY)
            if (edge := self.water_edges[water.id]) is not None
            for depths in [measure_depths(water.ground, self.board, edge)]
        }

    def find_edge(self, water: CheckedTerrain) -> Edge:
        """Return the edge that a waterway covers completely.

        Raises:
            UnseenError: the waterway does not cover any edge completely.
        """
        edge = self.water_edges[water.id]
        if edge is None:
            raise UnseenError("{water} does not cover any edge from end to end", water=water.id)
        return edge


class LeftOutPiece(Struct, frozen=True):
    """A recorded piece that was chosen and is not on the board, by its ID."""

    id: str


class DbaCase(JudgedRecord, frozen=True, kw_only=True, eq=False, dict=True):
    """A record under check. ``unknown_ids`` lists features that are not terrain of its edition."""

    pieces: tuple[CheckedTerrain, ...]
    unknown_ids: tuple[str, ...]

    @property
    @abstractmethod
    def surroundings(self) -> TerrainSurroundings:
        """Return what the pieces of terrain are measured against."""

    @property
    def base_width_mm(self) -> float:
        """Return a base width in mm on the board."""
        return self.board.scale.base_width

    @property
    def area_pieces(self) -> tuple[CheckedTerrain, ...]:
        """Return the area pieces, with built-up areas and gullies but without water."""
        return tuple(piece for piece in self.pieces if piece.terrain not in (*COURSES, Terrain.WATERWAY))

    def pieces_of_type(self, *terrains: Terrain) -> tuple[CheckedTerrain, ...]:
        """Return the pieces of some types; empty if there are none."""
        return tuple(piece for piece in self.pieces if piece.terrain in terrains)
