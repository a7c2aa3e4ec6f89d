"""Place the terrain of a battlefield piece by piece; illegal results roll again (SD-3.3, AMB-16).

Each piece rolls until its result is legal and possible. Then the whole board is checked. If too few quarters have
terrain, area pieces roll again, the last first; then roads, or the river if there are no roads (SD-3.3-b).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence
from printkit.kit.placement import PlacementFailure
from printkit.systems.dba.ground.placed_pieces import COURSES, BlockedPiece, order_picks
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.terrain.place_pieces import (
    find_road_sides,
    has_equal_sides,
    place_area,
    place_bua,
    place_river,
    place_road,
    place_waterway,
)
from printkit.systems.solo.terrain.placement import PlacedPiece, PlacementStep, PlacementTerms, SoloPlacement
from printkit.terrain.field.features import Course, Feature, Origin

# --- Roll for the position of a piece, and again if the result is illegal or impossible (SD-3.3-b, AMB-16) ------------

# Maximum rolls for one piece, in case the dice never give a result that fits.
_MAX_ROLLS: Final = 200

PlacementResult = tuple[Feature, ...] | PlacementFailure


class RollResult(Struct, frozen=True, kw_only=True):
    """The result of a roll for a piece, with the log numbers of its dice and their clauses."""

    name: str
    throws: tuple[int, ...]
    clauses: tuple[str, ...]

    @property
    def origin(self) -> Origin:
        """Return the origin of a feature placed by this roll."""
        return Origin(clauses=self.clauses, throws=self.throws)


class PendingPiece(Struct, frozen=True, kw_only=True):
    """A piece to place on the table.

    ``accept`` tests the conditions on the whole board; it is set if the piece is rolled again for them.
    """

    placement: SoloPlacement
    pick: PiecePick
    identity: str
    accept: Callable[[BaseGeometry], bool] | None = None

    @property
    def possible_results(self) -> tuple[str, ...]:
        """Return every possible result of its dice; column and row of a sector as ``left/near``."""
        tables = [self.placement.terms.rules.outcomes(name) for name in self._table_names]
        outcomes = [tuple(dict.fromkeys(row.outcome for row in table.rows)) for table in tables]
        return (
            outcomes[0]
            if len(outcomes) == 1
            else tuple(f"{first}/{second}" for first in outcomes[0] for second in outcomes[1])
        )

    def roll(self, cause: Sentence | None = None) -> RollResult:
        """Roll its dice and return the result: one die, or column and row of a sector (SD-3.3.4, AMB-17).

        The result has the numbers of the rolls in the log, from 1. A sector is named ``column/row``. ``cause`` is the
        reason for a re-roll; None for the first roll.
        """
        dice, rules = self.placement.dice, self.placement.terms.rules
        log_length = len(dice.log)
        reasons = [Sentence("place of {feature}", feature=self.identity)]
        if len(self._table_names) > 1:
            reasons = [
                Sentence("column of {feature}", feature=self.identity),
                Sentence("row of {feature}", feature=self.identity),
            ]
        outcomes = []
        for name, reason in zip(self._table_names, reasons, strict=True):
            roll_reason = Sentence("{reason} again: {why}", reason=reason, why=cause) if cause else reason
            outcomes.append(rules.outcomes(name).roll(dice, roll_reason))
        return RollResult(
            name="/".join(outcomes),
            throws=tuple(range(log_length + 1, len(dice.log) + 1)),
            clauses=tuple(log_entry.clause for log_entry in dice.log[log_length:]),
        )

    def place(self, result: RollResult) -> tuple[str, PlacementResult]:
        """Return the result, with the side of a middle road, and the placed features or what blocks them.

        The features are not added to the board.
        """
        placement, identity, name, origin = self.placement, self.identity, result.name, result.origin
        match self.pick.terrain:
            case Terrain.WATERWAY:
                return name, place_waterway(placement, identity, name, origin)
            case Terrain.BUA:
                return name, place_bua(placement, identity, name, origin)
            case Terrain.RIVER:
                return name, self._check_course(place_river(placement, identity, name, origin))
            case Terrain.ROAD:
                return self._place_road(result)
            case _:
                return name, place_area(placement, self.pick.terrain, identity, name, origin, self.accept)

    def _place_road(self, result: RollResult) -> tuple[str, PlacementResult]:
        """Return the result of a road with its side, and the placed features or what blocks them.

        A middle road goes on the side with fewer features. If both have as many, the user or a roll chooses.
        """
        placement, name, origin = self.placement, result.name, result.origin
        sides = find_road_sides(placement, name)
        if not sides:
            return name, self._check_course(place_road(placement, self.identity, name, origin))
        # AMB-23: the sides are chosen only if no road has this position yet.
        if (
            result.throws
            and has_equal_sides(placement, name, sides)
            and all(road.result.split("/")[0] != name for road in placement.select_pieces(Terrain.ROAD))
        ):
            side_names = ("near", "far") if name.startswith("across") else ("left", "right")
            sides_by_name = dict(zip(side_names, ("low", "high"), strict=True))
            reason = Sentence("side of the middle line for {feature}", feature=self.identity)
            chosen_side = sides_by_name[placement.dice.choose(tuple(sides_by_name), reason, "AMB-22", asks=True)]
            sides = (chosen_side, *(side for side in sides if side != chosen_side))
            origin = Origin(clauses=(*origin.clauses, "AMB-22"), throws=(*origin.throws, len(placement.dice.log)))
        outcome: PlacementResult = PlacementFailure(())
        for side in sides:
            outcome = self._check_course(place_road(placement, self.identity, name, origin, side))
            if not isinstance(outcome, PlacementFailure):
                return f"{name}/{side}", outcome
        return name, outcome

    def _check_course(self, outcome: PlacementResult) -> PlacementResult:
        """Return a placed course, or a failure if the whole board is still illegal with it."""
        if isinstance(outcome, PlacementFailure) or self.accept is None:
            return outcome
        course = outcome[0]
        assert isinstance(course, Course)
        return outcome if self.accept(course.line) else PlacementFailure((Sentence("the whole board"),))

    @property
    def _table_names(self) -> tuple[str, ...]:
        """Return the names of the die tables for its position: one, or two for a sector."""
        match self.pick.terrain:
            case Terrain.WATERWAY | Terrain.BUA | Terrain.RIVER | Terrain.ROAD:
                return (self.pick.terrain.value,)
            case _:
                return "sector_column", "sector_row"


def place_piece(pending: PendingPiece, cause: Sentence | None = None) -> PlacedPiece | PlacementFailure:
    """Roll for a piece until a result is possible, or until no result can be.

    Each roll is added to ``placement.steps``.

    Args:
        pending: the piece to place.
        cause: the reason for a re-roll, or None.

    Returns:
        The piece, not yet added to the table; or what blocks the last result, if the piece does not fit anywhere.
    """
    placement, failures, is_feasible, last_failure = (
        pending.placement,
        dict[str, PlacementFailure](),
        False,
        PlacementFailure(()),
    )
    for _ in range(_MAX_ROLLS):
        result = pending.roll(cause)
        name, outcome = (result.name, failures[result.name]) if result.name in failures else pending.place(result)
        if not isinstance(outcome, PlacementFailure):
            placement.steps.append(_build_step(pending, name, outcome[0].origin.throws))
            return PlacedPiece(pick=pending.pick, identity=pending.identity, result=name, features=outcome)
        failures[result.name] = last_failure = outcome
        cause = Sentence("{result} cannot be", result=result.name)
        placement.steps.append(_build_step(pending, result.name, result.throws, refusal=str(outcome)))
        if not is_feasible:
            is_feasible = _has_feasible_result(pending, failures)
            if not is_feasible:
                break
    return last_failure


def _has_feasible_result(pending: PendingPiece, failures: dict[str, PlacementFailure]) -> bool:
    """Return whether a result that is not in ``failures`` is possible.

    Impossible ones before it are added to ``failures``, by name. Nothing is placed.
    """
    for name in pending.possible_results:
        if name in failures:
            continue
        _, outcome = pending.place(RollResult(name=name, throws=(), clauses=()))
        if not isinstance(outcome, PlacementFailure):
            return True
        failures[name] = outcome
    return False


def _build_step(pending: PendingPiece, result: str, throws: tuple[int, ...], refusal: str = "") -> PlacementStep:
    """Return the step of a roll for a piece; ``refusal`` says why its result is not possible, if so.

    ``throws`` are the numbers of its rolls in the log, from 1.
    """
    return PlacementStep(
        identity=pending.identity, terrain=pending.pick.terrain, result=result, throws=throws, refusal=refusal
    )


# Placed first, in this order, one of each at most; then area pieces, then roads (SD-3.3-c).
_ORDER: Final = (Terrain.WATERWAY, Terrain.BUA, Terrain.RIVER)

# The log has these texts, so they stay as they are: a replay compares them.
_CONDITIONS: Final = {
    "features": Sentence("fewer than three quarters hold a feature"),
    "cover": Sentence("fewer than two quarters hold a river, a waterway or bad going"),
}


class PlacementOutcome(Struct, frozen=True, kw_only=True):
    """The placed terrain in order, every roll, the dropped pieces (AMB-16), and warnings for the user."""

    features: tuple[Feature, ...]
    placed_pieces: tuple[PlacedPiece, ...]
    steps: tuple[PlacementStep, ...]
    dropped: tuple[BlockedPiece, ...] = ()
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
    placement = SoloPlacement(board=terms.board, terms=terms, dice=dice, jitter=jitter, picks=picks)
    dropped: list[BlockedPiece] = []
    for pick, identity in sort_picks(picks):
        outcome = place_piece(PendingPiece(placement=placement, pick=pick, identity=identity))
        if isinstance(outcome, PlacementFailure):
            dropped.append(BlockedPiece(pick=pick, identity=identity, blockers=outcome.obstacles))
        else:
            placement.placed_pieces.append(outcome)
    _reroll_pieces(placement)
    warnings = [
        Sentence(
            "{identity} is left out: {blocked} blocks it (AMB-16)",
            identity=dropped_piece.identity,
            blocked=PlacementFailure(dropped_piece.blockers),
        )
        for dropped_piece in dropped
    ]
    warnings += [
        Sentence("{condition}, and no roll can change that (SD-3.3-b)", condition=_CONDITIONS[name])
        for name in placement.failed_conditions()
    ]
    return PlacementOutcome(
        features=tuple(feature for piece in placement.placed_pieces for feature in piece.features),
        placed_pieces=tuple(placement.placed_pieces),
        steps=tuple(placement.steps),
        dropped=tuple(dropped),
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
        pending = PendingPiece(
            placement=placement,
            pick=piece.pick,
            identity=piece.identity,
            accept=_build_board_test(placement, piece.pick),
        )
        outcome = place_piece(pending, cause) if _has_legal_result(pending) else piece
        placement.placed_pieces.insert(index, piece if isinstance(outcome, PlacementFailure) else outcome)
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


def _has_legal_result(pending: PendingPiece) -> bool:
    """Return whether any result of the piece is possible and makes the whole board legal."""
    return any(
        not isinstance(pending.place(RollResult(name=name, throws=(), clauses=()))[1], PlacementFailure)
        for name in pending.possible_results
    )
