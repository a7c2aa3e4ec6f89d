"""The rules for placing terrain by dice, with the bands of rivers and the squares of towns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from msgspec import field
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.kit.book_file import BookEntry
from printkit.kit.placement import SLACK
from printkit.systems.dba.ground.frame import Axis, Quarter, corner_area, third_range
from printkit.systems.dba.ground.shapes import load_measures
from printkit.systems.dba.ground.terrain_limits import CourseLimits, Depths, Terrain, TerrainTerms, find_all_quarters
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.terrain.topography import PieceRule, read_piece_rules
from printkit.terrain.field.features import Kind

# The sides of the middle line for a middle road: near or left, far or right (AMB-22).
LOW: Final = "low"
HIGH: Final = "high"


class Band(BookEntry, frozen=True, kw_only=True):
    """A result of the river die: its direction, and its band in inches of the 24-inch board."""

    band: str
    axis: Axis = field(name="runs")
    low: float = field(name="from_in")
    high: float = field(name="to_in")


class PlacementTerms(TerrainTerms, frozen=True, kw_only=True):
    """The rules of a game, with the types of terrain and the river bands."""

    side_number: ClassVar[str] = "area_sides_bw_min"
    crossing_clause: ClassVar[str] = "SD-3.3.5-d"

    rules: SoloRules
    piece_rules: Mapping[Terrain, PieceRule]
    bands: Mapping[str, Band]

    @classmethod
    def from_rules(cls, rules: SoloRules) -> PlacementTerms:
        """Build the terms from the rules of a game.

        Raises:
            FileError: a row is not valid.
        """
        bands = {band.band: band for band in rules.read("river_bands", Band)}
        return cls(rules=rules, piece_rules=rules.compute_once(read_piece_rules), bands=bands)

    def is_bad(self, terrain: Terrain) -> bool:
        """Return whether a type of terrain is bad going; a built-up area is not (AMB-14)."""
        return self.piece_rules[terrain].is_bad

    def is_cover(self, terrain: Terrain) -> bool:
        """Return whether a type of terrain is a river, a waterway or bad going."""
        return terrain in (Terrain.RIVER, Terrain.WATERWAY) or self.is_bad(terrain)

    @property
    def gap(self) -> float:
        """Return the gap between area pieces, and from these to a waterway, in mm on the board."""
        return self.rules.length("area_gap_bw_min")

    @property
    def min_straddle_area(self) -> float:
        """Return the minimum area in each of two quarters, in mm² on the board (AMB-18)."""
        return self.rules.number("straddle_sqp_min") * self.board.scale.pace**2

    @property
    def crossing_kind(self) -> Kind:
        """Return the kind of crossing of roads and rivers: a bridge if the players have a model (SD-3.3.5-d)."""
        return Kind.BRIDGE if self.rules.is_on("bridge_model") else Kind.FORD

    def waterway_depths(self) -> Depths:
        """Return the depths of a new waterway, in mm on the board."""
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

    def road_limits(self, name: str, side: str = "") -> CourseLimits:
        """Return the limits of a road with this result, for example ``across-near``, in mm on the board (SD-3.3.5).

        A middle road stays on its ``side`` of the middle line: ``low`` (near or left) or ``high`` (far or right).
        """
        direction, third = name.split("-")
        axis = Axis(direction)
        breadth = axis.breadth(self.board)
        low, high = third_range(breadth, third)
        low, high = breadth / 2 if side == HIGH else low, breadth / 2 if side == LOW else high
        band = axis.edge_strip(self.board, low, high)
        return CourseLimits(axis=axis, band=band, longest=self.rules.number("road_sinuosity_max"))

    def find_quarters(self, *shapes: BaseGeometry) -> set[Quarter]:
        """Return the quarters that contain a large enough part of one of the shapes (SD-3.3-b).

        The shapes are outlines and lines in mm on the board.
        """
        return find_all_quarters(
            shapes, self.board, self.min_straddle_area - SLACK, self.rules.length("course_in_quarter_p_min")
        )
