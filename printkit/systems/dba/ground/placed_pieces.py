"""DBA terrain during placement: the pieces on the board, the outlines made for new ones, and the random streams."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct, field
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter, Stream
from printkit.kit.placement import PlacementObstacle
from printkit.kit.provenance import AccountLine
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain, TerrainSurroundings
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.terrain_limits import COURSES, PiecePick, Terrain, TerrainTerms
from printkit.systems.dba.ground.terrain_rules import TerrainRules
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Crossing, Feature


class PlacedPiece(Struct, frozen=True, kw_only=True, dict=True):
    """A piece on the board: the pick, its ID, the result of its dice, and its features.

    A crossing belongs to its road. ``edge`` is that of a waterway. ``turned_by`` are the obstacles of a course in the
    direction that was chosen; it runs in the other one.
    """

    pick: PiecePick
    identity: str
    result: str
    features: tuple[Feature, ...]
    edge: Edge | None = None
    turned_by: tuple[str, ...] = ()

    @cached_property
    def view(self) -> CheckedTerrain:
        """Return the piece as one to measure, without the crossings of a road."""
        feature = self.features[0]
        assert not isinstance(feature, Crossing)
        return CheckedTerrain(self.identity, self.pick.terrain, feature)

    @property
    def shape(self) -> BaseGeometry:
        """Return the area of an area piece or gully, or the line of a river or road, in mm on the board."""
        return self.view.line if self.pick.terrain in COURSES else self.view.ground


class BlockedPiece(Struct, frozen=True, kw_only=True):
    """A piece without a place: the last result of its dice, and the obstacles that block it there."""

    pick: PiecePick
    identity: str
    result: str
    blockers: tuple[str, ...]


class PlacedTerrain(Struct, frozen=True, kw_only=True):
    """The terrain of a battlefield in placing order, and the pieces without a place."""

    placed_pieces: tuple[PlacedPiece, ...]
    blocked_pieces: tuple[BlockedPiece, ...]

    @property
    def features(self) -> tuple[Feature, ...]:
        """Return the features in placing order; crossings follow their roads."""
        return tuple(feature for piece in self.placed_pieces for feature in piece.features)


def order_picks(
    picks: Sequence[PiecePick],
    turn: Callable[[PiecePick], int],
    single: Collection[Terrain],
    names: Mapping[Terrain, str] = {},
) -> tuple[tuple[PiecePick, str], ...]:
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


def choice_facts(pick: PiecePick, picks: Sequence[PiecePick]) -> dict[str, Any]:
    """Return whether a pick is compulsory, and how many of all picks are so too, for the record."""
    return {"compulsory": pick.compulsory, "of": sum(each.compulsory is pick.compulsory for each in picks)}


class ChosenPiece(Struct, frozen=True, kw_only=True):
    """A chosen piece in a record: compulsory or not, and the number of such choices in ``choice_count``."""

    id: str
    is_compulsory: bool = field(name="compulsory")
    choice_count: int = field(name="of")


def explain_choice(
    feature: Feature, piece: ChosenPiece | None, *, prefix: str, home: str, crossing_clause: str
) -> Iterator[AccountLine]:
    """Yield the sentence about how a piece was chosen, or about the kind of a crossing; nothing for another feature.

    Args:
        feature: the feature on the map.
        piece: the choice of its piece; None if the record does not have it.
        prefix: the start of the keys of the texts.
        home: the home topography.
        crossing_clause: the clause of crossings.
    """
    if isinstance(feature, Crossing):
        if crossing_clause in feature.origin.clauses:
            yield AccountLine(f"{prefix}.account.crossing", kind=AccountLine(f"kind.{feature.kind}"))
    elif piece is not None and piece.is_compulsory:
        key = "compulsory" if piece.choice_count == 1 else "compulsory_two"
        yield AccountLine(f"{prefix}.account.{key}", home=AccountLine(f"{prefix}.home.{home}"))
    elif piece is not None:
        yield AccountLine(f"{prefix}.account.optional", of=piece.choice_count)


class TerrainPlacement(Struct, kw_only=True):
    """The pieces placed so far and the dice; it grows piece by piece.

    ``placed_rules`` are the rules that a new piece of each type must keep; ``hard`` is the terrain that roads avoid
    most.
    """

    terms: TerrainTerms
    placed_rules: TerrainRules
    hard: tuple[Terrain, ...]
    dice: Dice
    jitter: Jitter
    picks: tuple[PiecePick, ...]
    placed_pieces: list[PlacedPiece] = field(default_factory=list)

    @property
    def board(self) -> Board:
        """Return the board."""
        return self.terms.board

    def stream(self, name: str) -> Stream:
        """Return a random stream for shapes; its name begins with the stage, so a re-roll of the stage changes it."""
        return self.jitter.stream(f"{self.dice.stage}/{name}")

    def select_pieces(self, *terrains: Terrain) -> list[PlacedPiece]:
        """Return the placed pieces of some types."""
        return [piece for piece in self.placed_pieces if piece.pick.terrain in terrains]

    def area_pieces(self) -> list[PlacedPiece]:
        """Return the area pieces, with built-up areas and gullies but without water."""
        return [piece for piece in self.placed_pieces if piece.pick.terrain not in (*COURSES, Terrain.WATERWAY)]

    def find_overlapping(self, ground: BaseGeometry) -> tuple[str, ...]:
        """Return the IDs of the placed pieces that intersect an area in mm on the board; empty if none do."""
        return tuple(piece.identity for piece in self.placed_pieces if piece.shape.intersects(ground))

    def find_shore(self, axis: Axis) -> Polygon | None:
        """Return the waterway at an end of courses along an axis, in mm on the board, or None; they end there."""
        return next((piece.shape for piece in self.select_pieces(Terrain.WATERWAY) if piece.edge in axis.ends), None)

    def closed_areas(self, gap: Callable[[PlacedPiece], float], *left_out: str) -> tuple[PlacementObstacle, ...]:
        """Return the placed areas and the waterway as ground that pieces avoid.

        Args:
            gap: returns the distance to keep from a piece, in mm on the board.
            left_out: the IDs of pieces that are not avoided.
        """
        return tuple(
            PlacementObstacle(piece.identity, piece.shape, gap(piece))
            for piece in self.placed_pieces
            if piece.pick.terrain not in COURSES and piece.identity not in left_out
        )

    def closed_courses(self, terrain: Terrain, gap: float) -> tuple[PlacementObstacle, ...]:
        """Return the placed courses of a type as ground that pieces avoid by ``gap`` mm on the board."""
        return tuple(PlacementObstacle(piece.identity, piece.view.ground, gap) for piece in self.select_pieces(terrain))

    def reserved_ground(self, terrain: Terrain) -> tuple[PlacementObstacle, ...]:
        """Return further ground that a piece of a type avoids."""
        del terrain
        return ()

    def count_crossings(self) -> int:
        """Return the number of crossings so far."""
        return sum(isinstance(feature, Crossing) for piece in self.placed_pieces for feature in piece.features)

    @abstractmethod
    def find_surroundings(self, identity: str, result: str) -> TerrainSurroundings:
        """Return what a new piece with this ID and result of its dice is measured against: the pieces so far."""
