"""The pieces of terrain, spelled as in the roll tables, and the classes that the rules use."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


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
