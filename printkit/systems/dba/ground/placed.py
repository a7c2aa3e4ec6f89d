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
from printkit.systems.dba.ground.legal import Pick, Terrain
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind
from printkit.terrain.geometry.measure import ribbon

COURSES: Final = (Terrain.RIVER, Terrain.ROAD)
HILLS: Final = (Terrain.STEEP_HILL, Terrain.GENTLE_HILL)

# The type of an outline around the origin.
M = TypeVar("M")


class TerrainSort(Struct, frozen=True, kw_only=True):
    """The symbol kind and the going of a terrain type in the rule book."""

    kind: Kind
    going: Going


class PlacedFeature(Struct, frozen=True, kw_only=True):
    """A placed piece: the pick, its ID and its features; a crossing belongs to its road."""

    pick: Pick
    identity: str
    features: tuple[Feature, ...]

    @property
    def shape(self) -> BaseGeometry:
        """Return the area of an area piece or gully, or the centre line of a river or road."""
        return self.course.line if self.pick.terrain in COURSES else self.ground

    @property
    def ground(self) -> BaseGeometry:
        """Return the area of the piece; for a course, its full width."""
        match self.features[0]:
            case Area() | Hill() as feature:
                return feature.outline
            case Course() as course:
                return ribbon(course.line, course.width)
            case Crossing() as crossing:
                return crossing.at

    @property
    def course(self) -> Course:
        """Return the course of a river or road."""
        course = self.features[0]
        assert isinstance(course, Course)
        return course


class LeftOut(Struct, frozen=True, kw_only=True):
    """A piece without space, and the obstacles that block it."""

    pick: Pick
    identity: str
    by: tuple[str, ...]


P = TypeVar("P", bound=Pick)


def in_turn(
    picks: Sequence[P], turn: Callable[[P], int], single: Collection[Terrain], names: Mapping[Terrain, str] = {}
) -> tuple[tuple[P, str], ...]:
    """Return picks in placing order, each with the ID of its feature.

    Args:
        picks: in the order chosen, which picks of the same turn keep.
        turn: returns the placing turn of a pick.
        single: the types with at most one piece on a board; their IDs need no number.
        names: the ID names of types that are not called by their table name.
    """
    counted: Counter[Terrain] = Counter()
    found = []
    for pick in sorted(picks, key=turn):
        terrain = pick.terrain
        counted[terrain] += 1
        name = names.get(terrain, terrain.value.replace("_", "-"))
        found.append((pick, name if terrain in single else f"{name}-{counted[terrain]}"))
    return tuple(found)


class Outlines(Struct, Generic[M]):
    """The outlines of a piece, the preferred one first; each is made once, on demand."""

    source: Iterator[M]
    known: list[M] = field(default_factory=list)

    def __iter__(self) -> Iterator[M]:
        yield from self.known
        for each in self.source:
            self.known.append(each)
            yield each


L = TypeVar("L", bound=PlacedFeature)


class TerrainPlacement(Struct, Generic[L, M], kw_only=True):
    """The pieces placed so far and the dice; it grows piece by piece."""

    board: Board
    dice: Dice
    jitter: Jitter
    picks: tuple[Pick, ...]
    laid: list[L] = field(default_factory=list)
    outlines: dict[str, Outlines[M]] = field(default_factory=dict)

    def stream(self, name: str) -> Stream:
        """Return a random stream for shapes; its name begins with the stage, so a re-roll of the stage changes it."""
        return self.jitter.stream(f"{self.dice.stage}/{name}")

    def of(self, *terrains: Terrain) -> list[L]:
        """Return the placed pieces of some types."""
        return [each for each in self.laid if each.pick.terrain in terrains]

    def areas(self) -> list[L]:
        """Return the area pieces, with built-up areas and gullies but without water."""
        return [each for each in self.laid if each.pick.terrain not in (*COURSES, Terrain.WATERWAY)]

    def near(self, ground: BaseGeometry) -> tuple[str, ...]:
        """Return the IDs of the pieces that intersect an area."""
        return tuple(each.identity for each in self.laid if each.shape.intersects(ground))

    def kept_off(self, terrain: Terrain, gap: float) -> tuple[PlacementObstacle, ...]:
        """Return the courses of a type as closed ground with a gap in mm."""
        return tuple(PlacementObstacle(each.identity, each.ground, gap) for each in self.of(terrain))

    def crossings(self) -> int:
        """Return the number of crossings so far."""
        return sum(isinstance(feature, Crossing) for each in self.laid for feature in each.features)
