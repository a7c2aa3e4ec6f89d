"""What lies on a battlefield: areas, hills, courses and crossings, with shapely shapes in mm."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point, Polygon


class Kind(StrEnum):
    """Every kind of feature; its value is the ``kind`` of the record and the key of its word."""

    # relief; the last three are faces of a hill, a cliff may also stand alone
    HILL = "hill"
    RISE = "rise"
    SPUR = "spur"
    LONG_HILL = "long_hill"
    MOUNTAIN = "mountain"
    STEEP_SLOPE = "steep_slope"
    CLIFF = "cliff"
    SCREE = "scree"
    # wood
    LIGHT_WOODS = "light_woods"
    HEAVY_WOODS = "heavy_woods"
    WOODLAND = "woodland"
    FOREST = "forest"
    LIGHT_CONIFERS = "light_conifers"
    CONIFER_FOREST = "conifer_forest"
    MIXED_WOODS = "mixed_woods"
    LIGHT_PALMS = "light_palms"
    PALM_FOREST = "palm_forest"
    CLEARING = "clearing"
    # rough and bare ground
    SCRUB = "scrub"
    BROKEN_GROUND = "broken_ground"
    ROUGH_GROUND = "rough_ground"
    ROCKS = "rocks"
    DUNES = "dunes"
    OASIS = "oasis"
    BEACH = "beach"
    # wet ground and water
    MARSH = "marsh"
    SWAMP = "swamp"
    BOGGY_GROUND = "boggy_ground"
    LAKE = "lake"
    POOL = "pool"
    SEA = "sea"
    WATERWAY = "waterway"
    RIVER = "river"
    STREAM = "stream"
    CREEK = "creek"
    # cuts in the ground
    DITCH = "ditch"
    RAVINE = "ravine"
    GULLY = "gully"
    # ways
    ROAD = "road"
    FENCED_ROAD = "fenced_road"
    SUNKEN_LANE = "sunken_lane"
    TRACK = "track"
    PATH = "path"
    RAILWAY = "railway"
    # where courses meet
    FORD = "ford"
    BRIDGE = "bridge"
    TIMBER_BRIDGE = "timber_bridge"
    RAILWAY_BRIDGE = "railway_bridge"
    LEVEL_CROSSING = "level_crossing"
    JUNCTION = "junction"
    # works
    WALL = "wall"
    FENCE = "fence"
    WORM_FENCE = "worm_fence"
    HEDGE = "hedge"
    # fields
    PLOUGH = "plough"
    CROPS = "crops"
    PASTURE = "pasture"
    ORCHARD = "orchard"
    OLIVES = "olives"
    VINEYARD = "vineyard"
    ENCLOSURE = "enclosure"
    # buildings; a built-up area is whatever its rule system leaves open
    BUILDING = "building"
    FARM = "farm"
    SETTLEMENT = "settlement"
    HAMLET = "hamlet"
    VILLAGE = "village"
    TOWN = "town"
    CITY = "city"
    EDIFICE = "edifice"
    FORT = "fort"
    BUA = "bua"
    CAMP = "camp"
    BAGGAGE = "baggage"


WOODS: Final = (
    *(Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, Kind.WOODLAND, Kind.FOREST, Kind.LIGHT_CONIFERS, Kind.CONIFER_FOREST),
    *(Kind.MIXED_WOODS, Kind.LIGHT_PALMS, Kind.PALM_FOREST),
)
"""Ground under trees."""

WAYS: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH, Kind.RAILWAY)
"""What people and trains go along."""

STILL_WATERS: Final = (Kind.LAKE, Kind.POOL, Kind.SEA, Kind.WATERWAY)
"""The areas of water that courses run into and out of."""

BUILT: Final = (
    *(Kind.BUILDING, Kind.FARM, Kind.SETTLEMENT, Kind.HAMLET, Kind.VILLAGE, Kind.TOWN, Kind.CITY, Kind.EDIFICE),
    *(Kind.FORT, Kind.BUA, Kind.CAMP, Kind.BAGGAGE),
)
"""What people built and live in: names and numbers stand beside it, never on its roofs."""


_IMPASSABLE: Final = 3


class Going(Struct, frozen=True, order=True):
    """How troops move: a name of the rule system's own table; rank 0 is free, 3 impassable."""

    rank: int
    name: str

    @property
    def is_impassable(self) -> bool:
        """Return whether nobody may enter."""
        return self.rank >= _IMPASSABLE


class Origin(Struct, frozen=True, kw_only=True):
    """How a feature came about: the clauses, the places of its throws in the log (from 1), its zone and its placer."""

    clauses: tuple[str, ...] = ()
    throws: tuple[int, ...] = ()
    zone: int | None = None
    placed_by: str = ""


class Area(Struct, frozen=True, kw_only=True):
    """Ground of one kind inside an outline."""

    id: str
    kind: Kind
    outline: Polygon
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


class HillFace(Struct, frozen=True, kw_only=True):
    """A stretch of a hill's side that differs from the rest: ``line`` runs along the contour, crest on its left.

    ``side`` is the number of the arc of the hill that it covers.
    """

    line: LineString
    kind: Kind
    going: Going
    side: int


class Hill(Struct, frozen=True, kw_only=True):
    """Raised ground.

    ``contours`` run outermost first; ``faces`` lie on the outermost; ``cover`` is what grows on it.
    """

    id: str
    kind: Kind
    contours: tuple[Polygon, ...]
    going: Going
    faces: tuple[HillFace, ...] = ()
    cover: Kind | None = None
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def outline(self) -> Polygon:
        """Return the outermost contour."""
        return self.contours[0]


class Course(Struct, frozen=True, kw_only=True):
    """A river, road, wall: a centre line with a true width. It may overrun the board; what is drawn is clipped."""

    id: str
    kind: Kind
    line: LineString
    width: float
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


class Crossing(Struct, frozen=True, kw_only=True):
    """Where a way passes a water: ``bearing`` is the way's direction, degrees anticlockwise from +x."""

    id: str
    kind: Kind
    at: Point
    bearing: float
    way: str
    water: str
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


Feature: TypeAlias = Area | Hill | Course | Crossing


def reshaped(feature: Feature, change: Callable[[Any], Any]) -> Feature:
    """Return a feature with every shape of it changed, those of a hill's faces too; all else stays as it is."""
    match feature:
        case Area():
            return replace(feature, outline=change(feature.outline))
        case Hill():
            contours = tuple(change(contour) for contour in feature.contours)
            faces = tuple(replace(face, line=change(face.line)) for face in feature.faces)
            return replace(feature, contours=contours, faces=faces)
        case Course():
            return replace(feature, line=change(feature.line))
        case Crossing():
            return replace(feature, at=change(feature.at))
