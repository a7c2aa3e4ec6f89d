"""State of terrain placement: the pieces on the board, the rolls, and the rules that apply."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import BookError
from printkit.kit.book_file import BookEntry
from printkit.kit.placement import SLACK, PlacementObstacle
from printkit.systems.dba.ground.frame import Axis, Quarter, corner_area
from printkit.systems.dba.ground.placed_pieces import COURSES, PlacedFeature, TerrainPlacement
from printkit.systems.dba.ground.shapes import load_measures
from printkit.systems.dba.ground.terrain_limits import CourseLimits, SizeLimits, Terrain, find_all_quarters
from printkit.systems.dba.ground.waterways import Depths
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.terrain.topography import PieceRule, read_piece_rules
from printkit.terrain.field.battlefield import Board, Edge

# --- The rules and settings for placing terrain by dice ---------------------------------------------------------------


class Band(BookEntry, frozen=True, kw_only=True):
    """A result of the river die: its direction, and its band in inches of the 24-inch board."""

    band: str
    axis: Axis = field(name="runs")
    low: float = field(name="from_in")
    high: float = field(name="to_in")


class PlacementTerms(Struct, frozen=True, kw_only=True):
    """The rules and the board, with the types of terrain and the river bands."""

    rules: SoloRules
    board: Board
    piece_rules: Mapping[Terrain, PieceRule]
    bands: Mapping[str, Band]

    @classmethod
    def from_rules(cls, rules: SoloRules) -> PlacementTerms:
        """Build the terms from the rules of a game.

        Raises:
            FileError: a row is not valid.
            BookError: the rules do not have a board.
        """
        bands = {band.band: band for band in rules.read("river_bands", Band)}
        if rules.board is None:
            raise BookError("{file}: terrain needs a board", file=rules.book.file)
        return cls(rules=rules, board=rules.board, piece_rules=rules.compute_once(read_piece_rules), bands=bands)

    def is_bad(self, terrain: Terrain) -> bool:
        """Return whether a type of terrain is bad going; a built-up area is not (AMB-14)."""
        return self.piece_rules[terrain].is_bad

    def is_cover(self, terrain: Terrain) -> bool:
        """Return whether a type of terrain is a river, a waterway or bad going."""
        return terrain in (Terrain.RIVER, Terrain.WATERWAY) or self.is_bad(terrain)

    def size_limits(self, terrain: Terrain) -> SizeLimits:
        """Return the size limits of an area piece: lengths in mm on the board, and length divided by width."""
        return SizeLimits(
            sides_max=self.rules.length("area_sides_bw_max"),
            side_min=self.rules.length("area_sides_bw_min"),
            ratio_max=self.piece_rules[terrain].ratio,
        )

    @property
    def gap(self) -> float:
        """Return the gap between area pieces, and from these to a waterway, in mm on the board."""
        return self.rules.length("area_gap_bw_min")

    @property
    def min_straddle_area(self) -> float:
        """Return the minimum area in each of two quarters, in mm² on the board (AMB-18)."""
        return self.rules.number("straddle_sqp_min") * self.board.scale.pace**2

    @property
    def depths(self) -> Depths:
        """Return the depths of a waterway, in mm on the board."""
        return Depths(
            depth_min=self.rules.length("waterway_depth_bw_min"),
            depth_max=self.rules.length("waterway_depth_bw_max"),
            shallow_max=float(load_measures("waterway")["shallow"]) * self.board.scale.base_width,
        )

    def corner_square(self, name: str) -> Polygon:
        """Return the square in a corner for a built-up area, in mm on the board (SD-3.3.2-a)."""
        side = self.rules.length("bua_corner_p")
        return corner_area(self.board, Quarter(name), side, side)

    def river_limits(self, name: str) -> CourseLimits:
        """Return the limits of a river with this result, for example ``across-near`` (SD-3.3.3).

        Lengths are in mm on the board. They apply to its centre line (AMB-20).
        """
        band = self.bands[name]
        unit = band.axis.breadth(self.board) / self.rules.number("board_in_15mm")
        return CourseLimits(
            axis=band.axis,
            band=band.axis.edge_strip(self.board, band.low * unit, band.high * unit),
            longest=self.rules.number("river_sinuosity_max"),
            clearance=self.rules.length("river_clearance_p_min"),
        )

    def road_limits(self, axis: Axis, band: Polygon) -> CourseLimits:
        """Return the limits, in mm on the board, of a road along a row or column, its band (SD-3.3.5)."""
        return CourseLimits(axis=axis, band=band, longest=self.rules.number("road_sinuosity_max"))

    def width(self, terrain: Terrain) -> float:
        """Return the width of a river or road, in mm on the board."""
        return self.rules.length(f"{terrain}_width_bw")

    def find_quarters(self, *shapes: BaseGeometry) -> set[Quarter]:
        """Return the quarters that contain a large enough part of one of the shapes (SD-3.3-b).

        The shapes are outlines and lines in mm on the board.
        """
        return find_all_quarters(
            shapes, self.board, self.min_straddle_area - SLACK, self.rules.length("course_in_quarter_p_min")
        )


class PlacedPiece(PlacedFeature, frozen=True, kw_only=True):
    """A piece on the table, with the result of its dice."""

    result: str


class PlacementStep(Struct, frozen=True, kw_only=True):
    """A roll for a piece: its result, the log numbers of its dice, and why it was refused, or empty."""

    identity: str
    terrain: Terrain
    result: str
    throws: tuple[int, ...]
    refusal: str = ""


class SoloPlacement(TerrainPlacement[PlacedPiece, Polygon], kw_only=True):
    """The pieces placed so far, the dice, and the rolls made."""

    terms: PlacementTerms
    steps: list[PlacementStep] = field(default_factory=list)

    def find_first(self, terrain: Terrain) -> PlacedPiece | None:
        """Return the first placed piece of a type, or None if there is none."""
        return next(iter(self.select_pieces(terrain)), None)

    def find_shore(self, *edges: Edge) -> Polygon | None:
        """Return the outline of the waterway if its die gave one of these edges, otherwise None.

        It is in mm on the board.
        """
        water = self.find_first(Terrain.WATERWAY)
        shape = None if water is None or water.result not in edges else water.shape
        return shape if isinstance(shape, Polygon) else None

    def area_obstacles(self) -> tuple[PlacementObstacle, ...]:
        """Return the pieces that an area piece keeps a gap from: area pieces and the waterway."""
        return tuple(
            PlacementObstacle(piece.identity, piece.shape, self.terms.gap)
            for piece in self.placed_pieces
            if piece.pick.terrain not in COURSES
        )

    def failed_conditions(self) -> tuple[str, ...]:
        """Return the failed conditions on the whole board: ``features``, ``cover`` or both (SD-3.3-b)."""
        return self.check_conditions(self.find_quarters(), self.find_quarters(cover=True))

    def check_conditions(self, features: set[Quarter], cover: set[Quarter]) -> tuple[str, ...]:
        """Return the failed conditions (``features``, ``cover``), given the quarters with each; may be empty."""
        quarters_by_condition, minimum = {"features": features, "cover": cover}, self.terms.rules.number
        return tuple(
            name
            for name, quarters in quarters_by_condition.items()
            if len(quarters) < minimum(f"quarters_with_{name}_min")
        )

    def find_quarters(self, *, cover: bool = False) -> set[Quarter]:
        """Return the quarters with part of a piece; with ``cover``, of a river, waterway or bad going."""
        return self.terms.find_quarters(
            *(piece.shape for piece in self.placed_pieces if not cover or self.terms.is_cover(piece.pick.terrain))
        )
