"""Terrain of DBA while it is placed: the pieces on the board, the outlines made for them, and its streams of chance."""

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

M = TypeVar("M")
"""An outline about the origin."""


class TerrainSort(Struct, frozen=True, kw_only=True):
    """What the rule book says of a sort of terrain: its sign and its going."""

    kind: Kind
    going: Going


class PlacedFeature(Struct, frozen=True, kw_only=True):
    """A piece on the table: the pick, its ID, its features (crossings go with the roads that make them)."""

    pick: Pick
    identity: str
    features: tuple[Feature, ...]

    @property
    def shape(self) -> BaseGeometry:
        """Return the ground of an area piece, a gully's too, or the centre line of a river or road."""
        return self.course.line if self.pick.terrain in COURSES else self.ground

    @property
    def ground(self) -> BaseGeometry:
        """Return the ground that the piece covers, a course its width."""
        match self.features[0]:
            case Area() | Hill() as feature:
                return feature.outline
            case Course() as course:
                return ribbon(course.line, course.width)
            case Crossing() as crossing:
                return crossing.at

    @property
    def course(self) -> Course:
        """Return the course that a river or road is."""
        course = self.features[0]
        assert isinstance(course, Course)
        return course


class LeftOut(Struct, frozen=True, kw_only=True):
    """A piece for which there is no room, and what stands in its way."""

    pick: Pick
    identity: str
    by: tuple[str, ...]


P = TypeVar("P", bound=Pick)


def in_turn(
    picks: Sequence[P], turn: Callable[[P], int], single: Collection[Terrain], names: Mapping[Terrain, str] = {}
) -> tuple[tuple[P, str], ...]:
    """Return picks in the order in which they are placed, each with the ID of its feature.

    Args:
        picks: in the order chosen, which those of one turn keep.
        turn: which picks come first.
        single: what a board has one of at most, so that its ID needs no number.
        names: how a sort is called that is not called by its name in the tables.
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
    """The outlines of a piece, the preferred one first; each is made once, and only when asked for."""

    source: Iterator[M]
    known: list[M] = field(default_factory=list)

    def __iter__(self) -> Iterator[M]:
        yield from self.known
        for each in self.source:
            self.known.append(each)
            yield each


L = TypeVar("L", bound=PlacedFeature)


class TerrainPlacement(Struct, Generic[L, M], kw_only=True):
    """The pieces laid so far and the dice; it grows piece by piece."""

    board: Board
    dice: Dice
    jitter: Jitter
    picks: tuple[Pick, ...]
    laid: list[L] = field(default_factory=list)
    outlines: dict[str, Outlines[M]] = field(default_factory=dict)

    def stream(self, name: str) -> Stream:
        """Return a stream of chance for shapes; its name begins with the stage, so that it can be thrown anew."""
        return self.jitter.stream(f"{self.dice.stage}/{name}")

    def of(self, *terrains: Terrain) -> list[L]:
        """Return the pieces of some sorts that lie already."""
        return [each for each in self.laid if each.pick.terrain in terrains]

    def areas(self) -> list[L]:
        """Return the area pieces, built-up areas and gullies among them; no water."""
        return [each for each in self.laid if each.pick.terrain not in (*COURSES, Terrain.WATERWAY)]

    def near(self, ground: BaseGeometry) -> tuple[str, ...]:
        """Return the IDs of the pieces that meet some ground."""
        return tuple(each.identity for each in self.laid if each.shape.intersects(ground))

    def kept_off(self, terrain: Terrain, gap: float) -> tuple[PlacementObstacle, ...]:
        """Return the ground of the courses of a sort, from which so many mm are kept."""
        return tuple(PlacementObstacle(each.identity, each.ground, gap) for each in self.of(terrain))

    def crossings(self) -> int:
        """Return how many crossings there are already."""
        return sum(isinstance(feature, Crossing) for each in self.laid for feature in each.features)
