"""DBA terrain during placement: the pieces on the board, the outlines made for them, and the random streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, Generic, TypeVar

from msgspec import Struct, field
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter, Stream
from printkit.kit.placement import PlacementObstacle
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind
from printkit.terrain.geometry.measure import ribbon

COURSES: Final = (Terrain.RIVER, Terrain.ROAD)
HILLS: Final = (Terrain.STEEP_HILL, Terrain.GENTLE_HILL)

# The type of an outline around the origin.
M = TypeVar("M")


class TerrainType(Struct, frozen=True, kw_only=True):
    """The symbol kind and the going of a terrain type in the rule book."""

    kind: Kind
    going: Going


class PlacedFeature(Struct, frozen=True, kw_only=True):
    """A placed piece: the pick, its ID and its features; a crossing belongs to its road."""

    pick: PiecePick
    identity: str
    features: tuple[Feature, ...]

    @property
    def shape(self) -> BaseGeometry:
        """Return the area of an area piece or gully, or the line of a river or road, in mm on the board."""
        return self.course.line if self.pick.terrain in COURSES else self.ground

    @property
    def ground(self) -> BaseGeometry:
        """Return the area of the piece in mm on the board; for a course, its full width."""
        feature = self.course_or_area
        return ribbon(feature.line, feature.width) if isinstance(feature, Course) else feature.outline

    @property
    def course_or_area(self) -> Area | Hill | Course:
        """Return its main feature, without the crossings of a road."""
        feature = self.features[0]
        assert not isinstance(feature, Crossing)
        return feature

    @property
    def course(self) -> Course:
        """Return the course of a river or road."""
        course = self.features[0]
        assert isinstance(course, Course)
        return course


class BlockedPiece(Struct, frozen=True, kw_only=True):
    """A piece without space, and the obstacles that block it."""

    pick: PiecePick
    identity: str
    blockers: tuple[str, ...]


P = TypeVar("P", bound=PiecePick)


def order_picks(
    picks: Sequence[P], turn: Callable[[P], int], single: Collection[Terrain], names: Mapping[Terrain, str] = {}
) -> tuple[tuple[P, str], ...]:
    """Return picks in placing order, each with the ID of its feature.

    Args:
        picks: in the order chosen, which picks of the same turn keep.
        turn: returns the placing turn of a pick; lower turns come first.
        single: the types with at most one piece on a board; their IDs need no number.
        names: the ID names of types that are not called by their table name.
    """
    counts: Counter[Terrain] = Counter()
    ordered_picks = []
    for pick in sorted(picks, key=turn):
        terrain = pick.terrain
        counts[terrain] += 1
        name = names.get(terrain, terrain.value.replace("_", "-"))
        ordered_picks.append((pick, name if terrain in single else f"{name}-{counts[terrain]}"))
    return tuple(ordered_picks)


class Outlines(Struct, Generic[M]):
    """The outlines of a piece, the preferred one first; each is made once, on demand."""

    source: Iterator[M]
    cached_outlines: list[M] = field(default_factory=list)

    def __iter__(self) -> Iterator[M]:
        yield from self.cached_outlines
        for outline in self.source:
            self.cached_outlines.append(outline)
            yield outline


L = TypeVar("L", bound=PlacedFeature)


class TerrainPlacement(Struct, Generic[L, M], kw_only=True):
    """The pieces placed so far and the dice; it grows piece by piece."""

    board: Board
    dice: Dice
    jitter: Jitter
    picks: tuple[PiecePick, ...]
    placed_pieces: list[L] = field(default_factory=list)
    outlines: dict[str, Outlines[M]] = field(default_factory=dict)

    def stream(self, name: str) -> Stream:
        """Return a random stream for shapes; its name begins with the stage, so a re-roll of the stage changes it."""
        return self.jitter.stream(f"{self.dice.stage}/{name}")

    def select_pieces(self, *terrains: Terrain) -> list[L]:
        """Return the placed pieces of some types."""
        return [piece for piece in self.placed_pieces if piece.pick.terrain in terrains]

    def area_pieces(self) -> list[L]:
        """Return the area pieces, with built-up areas and gullies but without water."""
        return [piece for piece in self.placed_pieces if piece.pick.terrain not in (*COURSES, Terrain.WATERWAY)]

    def find_overlapping(self, ground: BaseGeometry) -> tuple[str, ...]:
        """Return the IDs of the placed pieces that intersect an area in mm on the board; empty if none do."""
        return tuple(piece.identity for piece in self.placed_pieces if piece.shape.intersects(ground))

    def closed_courses(self, terrain: Terrain, gap: float) -> tuple[PlacementObstacle, ...]:
        """Return the placed courses of a type as ground that pieces avoid by ``gap`` mm on the board."""
        return tuple(PlacementObstacle(piece.identity, piece.ground, gap) for piece in self.select_pieces(terrain))

    def count_crossings(self) -> int:
        """Return the number of crossings so far."""
        return sum(isinstance(feature, Crossing) for piece in self.placed_pieces for feature in piece.features)
