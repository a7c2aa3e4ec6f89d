"""Kinds of features and their table, and the features of a battlefield, with shapely shapes in mm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias

import shapely
from msgspec import Struct, convert
from msgspec.structs import replace
from shapely import LineString, Point, Polygon

from printkit.core.resources import template


class Kind(StrEnum):
    """A kind of feature. Its value is the ``kind`` in the record and the key in the word files."""

    # relief; the last three are sides of a hill; cliff and scree may also be features without a hill
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
    # rough, rocky and sandy ground
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
    # roads and railways
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
    # walls, fences and hedges
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
    # buildings and camps; a BUA is a built-up area whose type the rule system leaves open
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


class Shape(StrEnum):
    """The shape of a kind in the record; a face is a section of a hill's side."""

    AREA = "area"
    HILL = "hill"
    FACE = "face"
    COURSE = "course"
    CROSSING = "crossing"


KindFamily: TypeAlias = Literal[
    "relief", "wood", "open", "wet", "cut", "built", "field", "border", "route", "running-water", "still-water",
    "crossing",
]  # fmt: skip


class KindRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the table: a kind of feature, or an entry of the legend for a part or the cover of a hill.

    Attributes:
        slope: for an entry of the legend alone: the kind of the faces of hills that it explains.
        cover: for an entry of the legend alone: the kind of the cover of the hills that it explains.
        legend: the key of its entry in the legend, if this is not the key of the row.
        family: the kinds that it belongs to.
        shape: its shape in the record.
        sign: the routine that draws its symbol: ``folder.module:function`` in ``printkit.drawing.signs``.
        look: the values of this routine, if it draws several kinds; see its module.
        sample: the form of its samples; see ``printkit.drawing.furniture.swatches``.
        swatch: the values of this form for the swatch of the legend.
        sheet: the values of this form for the symbol sheet.
        width: the width in mm at 1:1 of a course without a width in the rules; 0 if its symbol decides.
        label: the type of its name on the map.
        halo: the ink of the halo of a name on it.
        mat: the way that painted mats paint it, if its family has several.
        paint: the values of this way; see the modules of ``printkit.drawing.mats``.
        inks: ink tokens of its ground and of its line, for other programs; symbols of fields take that of the ground.
        export: for other programs: ``sight`` if it blocks sight, ``crest`` if its highest contour does, and ``score``
            if a cutter scores it.
    """

    slope: Kind | None = None
    cover: Kind | None = None
    legend: str = ""
    family: KindFamily | None = None
    shape: Shape = Shape.AREA
    sign: str = ""
    look: dict[str, Any] = {}
    sample: str = "ground"
    swatch: tuple[float | Kind, ...] = ()
    sheet: tuple[float | Kind, ...] = ()
    width: float = 0.0
    label: Literal["", "town", "forest", "grove", "water"] = ""
    halo: str = "halo"
    mat: str = ""
    paint: dict[str, Any] = {}
    inks: tuple[str, str] = ("", "")
    export: Literal["", "sight", "crest", "score"] = ""


# The rows by their keys, in the order of the legend.
ROWS: Final = convert(template("symbols", "kinds"), dict[str, KindRow])

# The row of each kind.
KIND_ROWS: Final[Mapping[Kind, KindRow]] = {
    Kind(key): row for key, row in ROWS.items() if row.slope is None and row.cover is None
}


def find_family(*families: KindFamily) -> tuple[Kind, ...]:
    """Return the kinds of some families, in the order of the legend."""
    return tuple(kind for kind, row in KIND_ROWS.items() if row.family in families)


# Ground under trees.
WOODS: Final = find_family("wood")

# Roads, paths and railways.
ROUTES: Final = find_family("route")

# Areas of water that rivers and streams flow into and out of.
STILL_WATERS: Final = find_family("still-water")

# Buildings and camps: names and numbers are placed next to them, never on their roofs.
BUILT: Final = find_family("built")


_IMPASSABLE_RANK: Final = 3


class Going(Struct, frozen=True, order=True):
    """A class of going, named as in the rule system; rank 0 is good going, 3 impassable."""

    rank: int
    name: str

    @property
    def is_impassable(self) -> bool:
        """Return whether troops cannot enter.

        Their rank is then 3 or more.
        """
        return self.rank >= _IMPASSABLE_RANK


class Origin(Struct, frozen=True, kw_only=True):
    """The origin of a feature: clauses, roll numbers in the log (from 1), zone and placing player."""

    clauses: tuple[str, ...] = ()
    throws: tuple[int, ...] = ()
    zone: int | None = None
    placed_by: str = ""


class Area(Struct, frozen=True, kw_only=True):
    """Ground of one kind inside an outline in mm of the board.

    ``cells`` are pairs of column and row from 1; empty without a grid.
    """

    id: str
    kind: Kind
    outline: Polygon
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


class HillFace(Struct, frozen=True, kw_only=True):
    """A section of a hill's side with its own kind and going.

    The line is in mm of the board.

    Attributes:
        line: runs along the outermost contour, with the crest on its left.
        side: the number of the hill's arc that it covers.
    """

    line: LineString
    kind: Kind
    going: Going
    side: int


class Hill(Struct, frozen=True, kw_only=True):
    """A hill, with contours in mm of the board.

    ``cells`` are pairs of column and row from 1; empty without a grid.

    Attributes:
        contours: the outermost first.
        faces: sections of the outermost contour with their own going.
        cover: the vegetation on the hill.
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
        """Return the outermost contour, in mm on the board.

        It is the first of the hill's contours.
        """
        return self.contours[0]

    @property
    def levels(self) -> int:
        """Return the height of the hill: the most contours, one inside another, that are round a point.

        Several tops of the same height count once.
        """
        inner_points = shapely.point_on_surface(self.contours)
        return max(int(shapely.intersects(self.contours, point).sum()) for point in inner_points)


class Course(Struct, frozen=True, kw_only=True):
    """A river, road or wall: a centre line with a width in mm on the board.

    It may extend past the board; drawings clip it.
    """

    id: str
    kind: Kind
    line: LineString
    width: float
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


class Crossing(Struct, frozen=True, kw_only=True):
    """A place where a road or railway crosses water or another course.

    Attributes:
        bearing: direction of the road or railway, in degrees anticlockwise from +x.
        route: ID of the road or railway.
        water: ID of the course that it crosses.
    """

    id: str
    kind: Kind
    at: Point
    bearing: float
    route: str
    water: str
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


Feature: TypeAlias = Area | Hill | Course | Crossing


def transform_shapes(feature: Feature, change: Callable[[Any], Any]) -> Feature:
    """Return the feature with ``change`` applied to each of its shapes, including the faces of a hill.

    ``change`` gets one shapely geometry in mm on the board and returns its new form. Other fields stay the same, for
    example bearing and cells.
    """
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
