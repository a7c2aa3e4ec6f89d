"""The table while terrain is placed: what lies on it, what a new piece keeps clear of, what came of each throw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter, Stream
from printkit.kit.placement import Closed
from printkit.systems.dba.ground.frame import Quarter
from printkit.systems.dba.ground.legal import SLACK, holding
from printkit.systems.dba.ground.pieces import Pick, Terrain
from printkit.systems.solo.terrain.placing_terms import PlacingTerms
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill
from printkit.terrain.geometry.measure import ribbon

COURSES: Final = (Terrain.RIVER, Terrain.ROAD)
_LEAST_LENGTH_P: Final = 50.0
"""Paces of a river or road that a quarter holds at least for it to count."""


class Laid(Struct, frozen=True, kw_only=True):
    """A piece on the table: the pick, its ID, the result that it follows, its features (crossings go with roads).

    ``throws`` are the places of its dice in the log, ``clauses`` what they were thrown by.
    """

    pick: Pick
    identity: str
    result: str
    features: tuple[Feature, ...]
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()

    @property
    def shape(self) -> BaseGeometry:
        """Return the ground of the piece, or the centre line of a course."""
        feature = self.features[0]
        if isinstance(feature, Course):
            return feature.line
        assert isinstance(feature, Area | Hill)
        return feature.outline


class Step(Struct, frozen=True, kw_only=True):
    """One throw for a piece: its result, the places of its dice in the log, and why it could not stand, or nothing."""

    identity: str
    terrain: Terrain
    result: str
    throws: tuple[int, ...]
    refused: str = ""


class Outlines(Struct):
    """The outlines of a piece about the origin, the preferred one first; each is made once, and only when asked for."""

    source: Iterator[Polygon]
    made: list[Polygon] = field(default_factory=list)

    def __iter__(self) -> Iterator[Polygon]:
        yield from self.made
        for outline in self.source:
            self.made.append(outline)
            yield outline


class Table(Struct):
    """The pieces laid so far and the dice; it grows piece by piece."""

    board: Board
    terms: PlacingTerms
    dice: Dice
    jitter: Jitter
    picks: tuple[Pick, ...]
    laid: list[Laid] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    outlines: dict[str, Outlines] = field(default_factory=dict)

    def stream(self, name: str) -> Stream:
        """Return a stream of chance for shapes; its name begins with the stage, so that it can be thrown anew."""
        return self.jitter.stream(f"{self.dice.stage}/{name}")

    def of(self, *terrains: Terrain) -> list[Laid]:
        """Return the pieces of some sorts that lie already."""
        return [piece for piece in self.laid if piece.pick.terrain in terrains]

    def areas(self) -> list[Laid]:
        """Return the area pieces, towns among them; no water."""
        return [piece for piece in self.laid if piece.pick.terrain not in (*COURSES, Terrain.WATERWAY)]

    def first(self, terrain: Terrain) -> Laid | None:
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
        found = []
        for piece in self.of(*terrains):
            course = piece.features[0]
            assert isinstance(course, Course)
            found.append((piece.identity, ribbon(course.line, course.width)))
        return found

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

    def crossings(self) -> int:
        """Return how many crossings there are already."""
        return sum(isinstance(feature, Crossing) for piece in self.laid for feature in piece.features)
