"""The pieces of terrain by name, as the roll tables spell them, and the classes into which the rules sort them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Piece(StrEnum):
    """Every piece of terrain; its value is how the tables of the rule book spell it."""

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
        """Return the name as it stands in keys of words and in the record, as ``hill_cliff``."""
        return self.name.lower()


BEND_OVER: Final = 0.1
"""About how much of its way the bend of a railroad is measured, as a part of the unit (AC-F26)."""

ROADS: Final = (Piece.TRACK, Piece.SUNKEN_LANE, Piece.UNFENCED_ROAD, Piece.ROAD, Piece.FENCED_ROAD)
"""The road class, the least first (AC-N01, AC-N04)."""

STREAMS: Final = (Piece.STREAM, Piece.CREEK)
"""The stream class, the lesser first (AC-N01, AC-N04)."""

HILLS: Final = (
    Piece.STEEP_HILL,
    Piece.HILL,
    Piece.SPUR,
    Piece.LONG_HILL,
    Piece.HILL_CLIFF,
    Piece.HILL_SCREE,
    Piece.STEEP_HILL_CLIFF,
)
"""Heights at whose foot a stream may rise; a Rise is none (AC-N25)."""

PLACES: Final = (Piece.SETTLEMENT, Piece.TOWN, Piece.FORT)
"""Places to which roads go, and through which they pass (AC-N10, AC-N16)."""

CAMPAIGN_PLACES: Final = (Piece.TOWN, Piece.FORT)
"""Places that only a campaign map can mark (AC-301)."""

TREES: Final = (Piece.WOOD, Piece.WOODLAND, Piece.FOREST)
"""Ground in which a side road may end (AC-N04), and in which a Clearing is an opening (AC-F13)."""

WATERS: Final = (Piece.RIVER, Piece.SEA)
"""Water along an edge of the table (AC-303)."""
