"""Place the terrain of a battlefield piece by piece; illegal results roll again (SD-3.3, AMB-16).

Each piece rolls until its result is legal and possible. Then the whole board is checked. If too few quarters have
terrain, area pieces roll again, the last first; then roads, or the river if there are no roads (SD-3.3-b).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import field
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence
from printkit.kit.placement import PlacementFailure
from printkit.systems.dba.ground.placed_pieces import PlacedPiece, PlacedTerrain, order_picks
from printkit.systems.dba.ground.placing_turns import PieceTurn, PlacementResult, place_pieces, place_waterway
from printkit.systems.dba.ground.terrain_limits import COURSES, PiecePick, Terrain
from printkit.systems.solo.terrain.place_pieces import (
    PlacementStep,
    SoloPlacement,
    find_road_sides,
    find_same_roads,
    has_equal_sides,
    place_area,
    place_river,
    place_road,
)
from printkit.systems.solo.terrain.placement import HIGH, LOW, PlacementTerms
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Course

# --- Roll for the position of a piece, and again if the result is illegal or impossible (SD-3.3-b, AMB-16) ------------

# Maximum rolls for one piece, in case the dice never give a result that fits.
_MAX_ROLLS: Final = 200


class SoloTurn(PieceTurn, kw_only=True):
    """The turn of a piece; results of dice are for example ``left/near``, or ``across-middle`` for a road.

    ``accept`` tests the conditions on the whole board, and ``cause`` says why the piece is rolled again for them.
    ``failures`` has what blocks the piece, by result.
    """

    placement: SoloPlacement
    accept: Callable[[BaseGeometry], bool] | None = None
    cause: Sentence | None = None
    failures: dict[str, PlacementFailure] = field(default_factory=dict)

    @property
    def possible_results(self) -> tuple[str, ...]:
        """Return every possible result of its dice; column and row of a sector as ``left/near``."""
        tables = [self.placement.terms.rules.outcomes(name) for name in self._table_names]
        first, *others = [tuple(dict.fromkeys(row.outcome for row in table.rows)) for table in tables]
        return tuple(f"{column}/{row}" for column in first for row in others[0]) if others else first

    def roll_results(self) -> Iterator[str]:
        """Yield the results of its dice, rolled again while one is possible that was not blocked yet."""
        cause, is_feasible = self.cause, False
        for _ in range(_MAX_ROLLS):
            result = self.roll(cause)
            yield result
            cause = Sentence("{result} cannot be", result=result)
            is_feasible = is_feasible or self._has_feasible_result()
            if not is_feasible:
                return

    def roll(self, cause: Sentence | None = None) -> str:
        """Roll its dice and return the result: one die, or column and row of a sector (SD-3.3.4, AMB-17).

        ``cause`` is the reason for a re-roll; None for the first roll.
        """
        self.roll_count = len(self.placement.dice.log)
        reasons = [Sentence("place of {feature}", feature=self.identity)]
        if len(self._table_names) > 1:
            reasons = [
                Sentence("column of {feature}", feature=self.identity),
                Sentence("row of {feature}", feature=self.identity),
            ]
        outcomes = []
        for name, reason in zip(self._table_names, reasons, strict=True):
            roll_reason = Sentence("{reason} again: {why}", reason=reason, why=cause) if cause else reason
            outcomes.append(self.placement.terms.rules.outcomes(name).roll(self.placement.dice, roll_reason))
        return "/".join(outcomes)

    def place_at(self, result: str) -> PlacedPiece | PlacementFailure:
        """Return the piece at a result of its dice, or what blocks it there; add the step of the roll."""
        throws = self.make_origin().throws
        outcome = self.failures.get(result) or self.try_result(result, asks=True)
        if isinstance(outcome, PlacedPiece):
            self._add_step(outcome.result, self.make_origin().throws)
        else:
            self.failures[result] = outcome
            self._add_step(result, throws, refusal=str(outcome))
        return outcome

    def try_result(self, result: str, *, asks: bool = False) -> PlacedPiece | PlacementFailure:
        """Return the piece at a result of its dice, or what blocks it there.

        A middle road goes on the side with fewer features. If both have as many and ``asks`` is set, the user or a
        roll chooses; the result of the piece then has its side.
        """
        placement, pick, identity, terrain = self.placement, self.pick, self.identity, self.pick.terrain
        if terrain is Terrain.ROAD:
            return self._place_road(result, asks=asks)
        origin = self.make_origin()
        if terrain is Terrain.WATERWAY:
            edge = Edge(result)
            return self.take_place(result, place_waterway(placement, pick, identity, edge, origin), edge=edge)
        if terrain is Terrain.RIVER:
            return self.take_place(result, self._check_course(place_river(placement, pick, identity, result, origin)))
        return self.take_place(result, place_area(placement, pick, identity, result, origin, self.accept))

    def _place_road(self, result: str, *, asks: bool) -> PlacedPiece | PlacementFailure:
        """Return a road with its side in the result, or what blocks it."""
        placement, sides = self.placement, find_road_sides(self.placement, result)
        # AMB-23: the sides are chosen only if no road has this position yet.
        if asks and has_equal_sides(placement, result, sides) and not find_same_roads(placement, result):
            side_names = ("near", "far") if result.startswith("across") else ("left", "right")
            sides_by_name = dict(zip(side_names, (LOW, HIGH), strict=True))
            reason = Sentence("side of the middle line for {feature}", feature=self.identity)
            chosen_side = sides_by_name[placement.dice.choose(tuple(sides_by_name), reason, "AMB-22", asks=True)]
            sides = (chosen_side, *(side for side in sides if side != chosen_side))
        outcome: PlacedPiece | PlacementFailure = PlacementFailure(())
        for side in sides or ("",):
            road = place_road(placement, self.pick, self.identity, result, self.make_origin(), side)
            outcome = self.take_place(f"{result}/{side}" if side else result, self._check_course(road))
            if isinstance(outcome, PlacedPiece):
                break
        return outcome

    def _check_course(self, outcome: PlacementResult) -> PlacementResult:
        """Return a placed course, or a failure if the whole board is still illegal with it."""
        if isinstance(outcome, PlacementFailure) or self.accept is None:
            return outcome
        course = outcome[0]
        assert isinstance(course, Course)
        return outcome if self.accept(course.line) else PlacementFailure((Sentence("the whole board"),))

    def _has_feasible_result(self) -> bool:
        """Return whether a result that is not in ``failures`` is possible.

        Impossible ones before it are added to ``failures``. Nothing is placed.
        """
        for result in self.possible_results:
            if result not in self.failures:
                outcome = self.try_result(result)
                if isinstance(outcome, PlacedPiece):
                    return True
                self.failures[result] = outcome
        return False

    def _add_step(self, result: str, throws: tuple[int, ...], refusal: str = "") -> None:
        """Add the step of a roll; ``refusal`` says why its result is not possible, if so.

        ``throws`` are the numbers of its rolls in the log, from 1.
        """
        step = PlacementStep(
            identity=self.identity, terrain=self.pick.terrain, result=result, throws=throws, refusal=refusal
        )
        self.placement.steps.append(step)

    @property
    def _table_names(self) -> tuple[str, ...]:
        """Return the names of the die tables for its position: one, or two for a sector."""
        if self.pick.terrain in (*COURSES, Terrain.WATERWAY, Terrain.BUA):
            return (self.pick.terrain.value,)
        return "sector_column", "sector_row"


# Placed first, in this order, one of each at most; then area pieces, then roads (SD-3.3-c).
_ORDER: Final = (Terrain.WATERWAY, Terrain.BUA, Terrain.RIVER)

# The log has these texts, so they stay as they are: a replay compares them.
_CONDITIONS: Final = {
    "features": Sentence("fewer than three quarters hold a feature"),
    "cover": Sentence("fewer than two quarters hold a river, a waterway or bad going"),
}


class PlacementOutcome(PlacedTerrain, frozen=True, kw_only=True):
    """The placed terrain, with every roll and the warnings for the user; blocked pieces are left out (AMB-16)."""

    steps: tuple[PlacementStep, ...]
    warnings: tuple[str, ...] = ()


def place_terrain(picks: tuple[PiecePick, ...], terms: PlacementTerms, dice: Dice, jitter: Jitter) -> PlacementOutcome:
    """Return the picked pieces placed by dice, with those left out, the steps and warnings.

    Pieces are rolled again if the whole board is not legal.

    Args:
        picks: compulsory pieces first, then the optional ones in selection order.
        terms: the rules and the board.
        dice: the dice of the stage; the names of the jitter streams begin with the stage name.
        jitter: the random streams for shapes.
    """
    placement = SoloPlacement(terms=terms, dice=dice, jitter=jitter, picks=picks)

    def start_turn(pick: PiecePick, identity: str) -> SoloTurn:
        """Return the turn of a piece."""
        return SoloTurn(placement=placement, pick=pick, identity=identity)

    blocked_pieces = place_pieces(placement, sort_picks(picks), start_turn)
    _reroll_pieces(placement)
    warnings = [
        Sentence(
            "{identity} is left out: {blocked} blocks it (AMB-16)",
            identity=piece.identity,
            blocked=PlacementFailure(piece.blockers),
        )
        for piece in blocked_pieces
    ]
    warnings += [
        Sentence("{condition}, and no roll can change that (SD-3.3-b)", condition=_CONDITIONS[name])
        for name in placement.failed_conditions()
    ]
    return PlacementOutcome(
        placed_pieces=tuple(placement.placed_pieces),
        blocked_pieces=blocked_pieces,
        steps=tuple(placement.steps),
        warnings=tuple(warnings),
    )


def sort_picks(picks: Sequence[PiecePick]) -> tuple[tuple[PiecePick, str], ...]:
    """Return the picks in placement order, each with the ID of its feature (SD-3.3-c, 0.5).

    Types with a fixed place come first, then other compulsory pieces, optional ones, and roads.
    """

    def turn(pick: PiecePick) -> int:
        """Return the place of a piece in the order, lowest first."""
        if pick.terrain in _ORDER:
            return _ORDER.index(pick.terrain)
        return len(_ORDER) + (2 if pick.terrain is Terrain.ROAD else 0 if pick.compulsory else 1)

    return order_picks(picks, turn, _ORDER)


def _reroll_pieces(placement: SoloPlacement) -> None:
    """Roll pieces again until both conditions on the whole board are met, if a piece can meet them.

    It changes ``placement.placed_pieces`` and ``placement.steps`` in place. Area pieces come first, the last one before
    the others; then roads, or the river if there are none.
    """
    failed_conditions = placement.failed_conditions()
    if not failed_conditions:
        return
    cause, *other_causes = (_CONDITIONS[name] for name in failed_conditions)
    if other_causes:
        cause = Sentence("{one} and {other}", one=cause, other=other_causes[0])
    # Area pieces, then roads or the river, the last first. The river may move only if there are no roads, because a
    # road can cross it.
    areas = [piece for piece in placement.placed_pieces if piece.pick.terrain not in (*_ORDER, *COURSES)]
    roads = placement.select_pieces(Terrain.ROAD)
    rivers = [] if roads else placement.select_pieces(Terrain.RIVER)
    for piece in (*reversed(areas), *reversed(roads), *rivers):
        if "cover" in failed_conditions and not placement.terms.is_cover(piece.pick.terrain):
            continue
        index = placement.placed_pieces.index(piece)
        placement.placed_pieces.remove(piece)
        turn = SoloTurn(
            placement=placement,
            pick=piece.pick,
            identity=piece.identity,
            accept=_build_board_test(placement, piece.pick),
            cause=cause,
        )
        can_be_legal = any(isinstance(turn.try_result(result), PlacedPiece) for result in turn.possible_results)
        outcome = turn.place() if can_be_legal else piece
        placement.placed_pieces.insert(index, outcome if isinstance(outcome, PlacedPiece) else piece)
        if not placement.failed_conditions():
            return


def _build_board_test(placement: SoloPlacement, pick: PiecePick) -> Callable[[BaseGeometry], bool]:
    """Return a test whether a new shape of this type makes the whole board legal (SD-3.3-b).

    The test gets the shape in mm on the board and returns True or False. The piece itself must not be on the board.
    """
    features, cover, is_cover = (
        placement.find_quarters(),
        placement.find_quarters(cover=True),
        placement.terms.is_cover(pick.terrain),
    )

    def makes_legal(shape: BaseGeometry) -> bool:
        """Return whether the board meets both conditions with this shape."""
        quarters = placement.terms.find_quarters(shape)
        return not placement.check_conditions(features | quarters, cover | quarters if is_cover else cover)

    return makes_legal
