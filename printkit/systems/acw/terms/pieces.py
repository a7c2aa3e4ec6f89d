"""The pieces of terrain, spelled as in the roll tables, the classes that the rules use, and their positions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from printkit.kit.rules import Rules


class Piece(StrEnum):
    """A piece of terrain; the value is the spelling in the tables of the rule book."""

    STEEP_HILL = "Steep Hill"
    HILL = "Hill"
    RISE = "Rise"
    LONG_HILL = "Long Hill"
    SPUR = "Spur"
    HILL_CLIFF = "Hill + Cliff"
    HILL_SCREE = "Hill + Scree"
    STEEP_HILL_CLIFF = "Steep Hill + Cliff"
    WOOD = "Wood"
    WOODLAND = "Woodland"
    FOREST = "Forest"
    SCRUB = "Scrub"
    CLEARING = "Clearing"
    FIELD = "Field"
    WALL = "Wall"
    FENCE_LINE = "Fence Line"
    DITCH = "Ditch"
    STREAM = "Stream"
    CREEK = "Creek"
    RAVINE = "Ravine"
    POOL = "Pool"
    SWAMP = "Swamp"
    SAND_DUNES = "Sand Dunes"
    ROCKS = "Rocks"
    SCREE = "Scree"
    RAILROAD = "Railroad"
    FENCED_ROAD = "Fenced Road"
    UNFENCED_ROAD = "Unfenced Road"
    ROAD = "Road"
    SUNKEN_LANE = "Sunken Lane"
    TRACK = "Track"
    SETTLEMENT = "Settlement"
    FARM = "Farm"
    BUILDING = "Building"
    TOWN = "Town"
    FORT = "Fort"
    RIVER = "River"
    SEA = "Sea"

    @property
    def key(self) -> str:
        """Return the name for keys of words and for the record, for example ``hill_cliff``."""
        return self.name.lower()


# The bend of a railroad is measured over this length, a fraction of the unit (AC-F26).
BEND_LENGTH: Final = 0.1

# The road class, least road first (AC-N01, AC-N04).
ROADS: Final = (Piece.TRACK, Piece.SUNKEN_LANE, Piece.UNFENCED_ROAD, Piece.ROAD, Piece.FENCED_ROAD)

# Roads and railroads.
ROUTES: Final = (*ROADS, Piece.RAILROAD)

# The stream class, lesser stream first (AC-N01, AC-N04).
STREAMS: Final = (Piece.STREAM, Piece.CREEK)

# Hills with a foot where a stream may rise; a Rise does not count (AC-N25).
HILLS: Final = (
    Piece.STEEP_HILL,
    Piece.HILL,
    Piece.SPUR,
    Piece.LONG_HILL,
    Piece.HILL_CLIFF,
    Piece.HILL_SCREE,
    Piece.STEEP_HILL_CLIFF,
)

# All hills, those with steep sides, and those with a cliff.
ALL_HILLS: Final = (*HILLS, Piece.RISE)
STEEP: Final = (Piece.STEEP_HILL, Piece.STEEP_HILL_CLIFF)
CLIFFS: Final = (Piece.HILL_CLIFF, Piece.STEEP_HILL_CLIFF)

# Places that roads go to and pass through (AC-N10, AC-N16).
PLACES: Final = (Piece.SETTLEMENT, Piece.TOWN, Piece.FORT)

# Places that only a campaign map can mark (AC-301).
CAMPAIGN_PLACES: Final = (Piece.TOWN, Piece.FORT)

# Pieces where a side road may end (AC-N04) and where a Clearing makes an opening (AC-F13).
TREES: Final = (Piece.WOOD, Piece.WOODLAND, Piece.FOREST)

# Water along an edge of the table (AC-303).
WATERS: Final = (Piece.RIVER, Piece.SEA)


class HillClass(StrEnum):
    """The hills that a piece may cover (AC-G02)."""

    NONE = "none"
    GENTLE = "gentle"
    ANY = "any"


class CourseClass(StrEnum):
    """The courses that pieces keep away from; routes are roads and railroads."""

    ROUTES = "routes"
    RAILS = "rails"
    STREAMS = "streams"
    RAVINES = "ravines"


class Neighbour(StrEnum):
    """Something that a piece must be near, if its zone has it."""

    ROADS = "roads"
    HILLS = "hills"
    SHORE = "shore"


COURSE_PIECES: Final[Mapping[CourseClass, tuple[Piece, ...]]] = {
    CourseClass.ROUTES: ROUTES,
    CourseClass.RAILS: (Piece.RAILROAD,),
    CourseClass.STREAMS: STREAMS,
    CourseClass.RAVINES: (Piece.RAVINE,),
}

_HILLS: Final[Mapping[HillClass, tuple[Piece, ...]]] = {
    HillClass.NONE: (),
    HillClass.GENTLE: (Piece.HILL, Piece.RISE),
    HillClass.ANY: ALL_HILLS,
}


class PlaceRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the list ``place``: the positions that are allowed for some pieces.

    Attributes:
        on: the hills that these pieces may cover.
        off: the gap that they keep from courses, as a fraction of the shorter side of a zone.
        closed: the courses that may not run through them; ``check`` reports a course that does.
        near: they must be near this, if their zone has it.
        within: the number of the rule book with the greatest distance from it; empty if they must touch it.
        reaches: they may reach the sides of their zone (AC-G01).
    """

    pieces: tuple[Piece, ...]
    clause: str
    on: HillClass = HillClass.NONE
    off: Mapping[CourseClass, float] = {}
    closed: tuple[CourseClass, ...] = ()
    near: Neighbour | None = None
    within: str = ""
    reaches: bool = False


_NO_RULE: Final = PlaceRule(pieces=(), clause="")


class PlaceRules(Struct, frozen=True):
    """The rows ``place`` by piece."""

    rows: Mapping[Piece, PlaceRule]

    @classmethod
    def from_rules(cls, rules: Rules) -> PlaceRules:
        """Return the rows of the rule book.

        Raises:
            FileError: a row has an unknown piece, class or member.
        """
        return cls({piece: row for row in rules.read("place", PlaceRule) for piece in row.pieces})

    def __getitem__(self, piece: Piece) -> PlaceRule:
        # A record drawn by hand may have an area of a kind that is a line.
        return self.rows.get(piece, _NO_RULE)

    def may_cover(self, piece: Piece, hill: Piece) -> bool:
        """Return whether a piece may be on a hill (AC-G02)."""
        return hill in _HILLS[self[piece].on]

    def find_closed_to(self, course: CourseClass) -> tuple[Piece, ...]:
        """Return the pieces through which courses of a class may not run, in the order of the rows."""
        return tuple(piece for piece, row in self.rows.items() if course in row.closed)
