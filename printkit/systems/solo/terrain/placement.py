"""Terrain while it is placed: what lies on the board, what came of each throw, what book and settings ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.tables import DieTable
from printkit.kit.book import RuleBook
from printkit.kit.placement import SLACK, Closed
from printkit.systems.dba.ground.frame import Axis, Quarter
from printkit.systems.dba.ground.legal import CourseLimits, SizeLimits, Terrain, holding
from printkit.systems.dba.ground.placed import COURSES, PlacedFeature, TerrainPlacement, TerrainSort
from printkit.systems.dba.ground.shapes import measures
from printkit.systems.dba.ground.waters import Depths
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Going, Kind
from printkit.terrain.geometry.measure import ribbon

# --- What placing terrain by dice needs of the rule book and of the settings ------------------------------------------

_INCH: Final = 25.4


class Readings(Struct, frozen=True, kw_only=True):
    """How the ambiguous places are read: the settings AMB-14 to AMB-23, and whether there is a model of a bridge."""

    bua_is_bad_going: bool = False
    no_fit_asks: bool = False
    straddle_if_needed: bool = False
    bands_in_inches: bool = False
    river_by_banks: bool = False
    road_bends_to_bua: bool = False
    same_road: bool = False
    bridge_model: bool = False

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Readings:
        """Return the readings of settings by the keys of the register; what is missing is read by default."""
        return cls(
            bua_is_bad_going=settings.get("bua_is_bad_going") == "true",
            no_fit_asks=settings.get("no_fit") == "ask",
            straddle_if_needed=settings.get("straddle") == "if_needed",
            bands_in_inches=settings.get("bands") == "inches",
            river_by_banks=settings.get("river_measure") == "bank",
            road_bends_to_bua=settings.get("bua_road") == "bend",
            same_road=settings.get("same_road") == "true",
            bridge_model=settings.get("bridge_model") == "true",
        )


class Sort(TerrainSort, frozen=True, kw_only=True):
    """What the rule book says of a sort of terrain, and the most it may be longer than wide."""

    ratio: float | None


class Band(Struct, frozen=True, kw_only=True):
    """What a result of the river die means: which way it runs, and its band in inches of the 24-inch board."""

    axis: Axis
    low: float
    high: float


class PlacementTerms(Struct, frozen=True, kw_only=True):
    """Tables, sorts of terrain, numbers and readings."""

    tables: Mapping[str, DieTable[str]]
    sorts: Mapping[Terrain, Sort]
    bands: Mapping[str, Band]
    goings: Mapping[str, Going]
    numbers: Mapping[str, float]
    readings: Readings

    @classmethod
    def of(cls, book: RuleBook, settings: Mapping[str, str]) -> PlacementTerms:
        """Return the terms of a rule book of Solo DBA and of settled settings.

        Raises:
            BookError: a row lacks something; names it.
        """
        readings = Readings.of(settings)
        sorts = {}
        for row in book.own("pieces"):
            terrain = Terrain(row.need("piece", str))
            going = row.need("going", str)
            if terrain is Terrain.BUA and readings.bua_is_bad_going:
                going = "bad"
            ratio = float(row.get("ratio", int, 0)) or None
            sorts[terrain] = Sort(kind=Kind(row.need("kind", str)), going=book.going[going], ratio=ratio)
        bands = {
            row.need("band", str): Band(
                axis=Axis(row.need("runs", str)), low=row.need("from_in", float), high=row.need("to_in", float)
            )
            for row in book.own("river_bands")
        }
        return cls(
            tables=book.tables,
            sorts=sorts,
            bands=bands,
            goings=book.going,
            numbers=book.numbers,
            readings=readings,
        )

    def is_bad(self, terrain: Terrain) -> bool:
        """Return whether a sort of terrain is bad going (AMB-14)."""
        return self.sorts[terrain].going == self.goings["bad"]

    def size(self, terrain: Terrain, board: Board) -> SizeLimits:
        """Return how large an area piece may be."""
        base = board.scale.base_width
        return SizeLimits(
            both=self.numbers["area_sides_bw_max"] * base,
            least=self.numbers["area_sides_bw_min"] * base,
            longest=self.sorts[terrain].ratio,
        )

    def gap(self, board: Board) -> float:
        """Return the mm between any two area pieces, and between an area piece and a waterway."""
        return self.numbers["area_gap_bw_min"] * board.scale.base_width

    def straddle(self, board: Board) -> float:
        """Return the mm² that must lie in each of two quarters (AMB-18)."""
        return self.numbers["straddle_sqp_min"] * board.scale.pace**2

    def depths(self, board: Board) -> Depths:
        """Return how deep a waterway is."""
        base = board.scale.base_width
        return Depths(
            least=self.numbers["waterway_depth_bw_min"] * base,
            most=self.numbers["waterway_depth_bw_max"] * base,
            shallow=float(measures("waterway")["shallow"]) * base,
        )

    def river_band(self, name: str, board: Board) -> tuple[Axis, Polygon]:
        """Return which way a river of this result runs, and its band on this board (AMB-19)."""
        band = self.bands[name]
        unit = _INCH if self.readings.bands_in_inches else band.axis.breadth(board) / self.numbers["board_in_15mm"]
        return band.axis, band.axis.belt(board, band.low * unit, band.high * unit)

    def river(self, name: str, board: Board) -> CourseLimits:
        """Return what a river of this result keeps (SD-3.3.3, AMB-20)."""
        axis, band = self.river_band(name, board)
        return CourseLimits(
            axis=axis,
            band=band,
            longest=self.numbers["river_sinuosity_max"],
            quarters=int(self.numbers["course_quarters_max"]),
            clearance=board.paces(self.numbers["river_clearance_p_min"]),
            half_width=self.width(Terrain.RIVER, board) / 2 if self.readings.river_by_banks else 0.0,
        )

    def road(self, axis: Axis, band: Polygon, *, short: float, bent: bool = False) -> CourseLimits:
        """Return what a road along a row or column keeps (SD-3.3.5); one bent to a town may be a little longer.

        Args:
            short: mm that its end may stay away from a shore.
        """
        longest = self.numbers["road_sinuosity_max"]
        return CourseLimits(
            axis=axis,
            band=band,
            longest=1 + 2 * (longest - 1) if bent else longest,
            quarters=int(self.numbers["course_quarters_max"]),
            short=short,
        )

    def width(self, terrain: Terrain, board: Board) -> float:
        """Return the mm across a river or a road."""
        return self.numbers[f"{terrain}_width_bw"] * board.scale.base_width


_LEAST_LENGTH_P: Final = 50.0
"""Paces of a river or road that a quarter holds at least for it to count."""


class PlacedPiece(PlacedFeature, frozen=True, kw_only=True):
    """A piece on the table, and the result that it follows."""

    result: str


class PlacementStep(Struct, frozen=True, kw_only=True):
    """One throw for a piece: its result, the places of its dice in the log, and why it could not stand, or nothing."""

    identity: str
    terrain: Terrain
    result: str
    throws: tuple[int, ...]
    refused: str = ""


class SoloPlacement(TerrainPlacement[PlacedPiece, Polygon], kw_only=True):
    """The pieces laid so far and the dice; it grows piece by piece."""

    terms: PlacementTerms
    steps: list[PlacementStep] = field(default_factory=list)

    def first(self, terrain: Terrain) -> PlacedPiece | None:
        """Return the one piece of a sort, if it lies already."""
        return next(iter(self.of(terrain)), None)

    def shore(self, *edges: Edge) -> Polygon | None:
        """Return the waterway if it lies along one of these edges."""
        water = self.first(Terrain.WATERWAY)
        shape = None if water is None or water.result not in edges else water.shape
        return shape if isinstance(shape, Polygon) else None

    def closed(self) -> tuple[Closed, ...]:
        """Return what an area piece keeps a gap from: all areas, and the waterway."""
        gap = self.terms.gap(self.board)
        return tuple(
            Closed(piece.identity, piece.shape, gap) for piece in self.laid if piece.pick.terrain not in COURSES
        )

    def ribbons(self, *terrains: Terrain) -> list[tuple[str, Polygon]]:
        """Return the courses of some sorts with the ground that they cover."""
        return [(each.identity, ribbon(each.course.line, each.course.width)) for each in self.of(*terrains)]

    def wanting(self) -> tuple[str, ...]:
        """Return which of the two conditions on the whole board fail: ``features``, ``cover`` or both (SD-3.3-b)."""
        return self.wanting_with(self.held(), self.held(cover=True))

    def wanting_with(self, features: set[Quarter], cover: set[Quarter]) -> tuple[str, ...]:
        """Return which conditions fail where these quarters hold a feature, and these water or bad going."""
        numbers = self.terms.numbers
        found = []
        if len(features) < numbers["quarters_with_features_min"]:
            found.append("features")
        if len(cover) < numbers["quarters_with_cover_min"]:
            found.append("cover")
        return tuple(found)

    def held(self, *, cover: bool = False) -> set[Quarter]:
        """Return the quarters that hold part of a piece; with ``cover``, of a river, a waterway or bad going."""
        return self.held_by(*(piece.shape for piece in self.laid if not cover or self.covers(piece.pick.terrain)))

    def held_by(self, *shapes: BaseGeometry) -> set[Quarter]:
        """Return the quarters that hold a part of some shapes that is worth the name."""
        return holding(shapes, self.board, self.terms.straddle(self.board) - SLACK, self.board.paces(_LEAST_LENGTH_P))

    def covers(self, terrain: Terrain) -> bool:
        """Return whether a sort of terrain is a river, a waterway or bad going."""
        return terrain in (Terrain.RIVER, Terrain.WATERWAY) or self.terms.is_bad(terrain)
