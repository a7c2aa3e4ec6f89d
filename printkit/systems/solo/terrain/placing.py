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
from printkit.systems.dba.ground.legal import PiecePick, Terrain
from printkit.systems.dba.ground.placed import COURSES, BlockedPiece, order_picks
from printkit.systems.solo.terrain.laying import (
    equal_sides,
    lay_area,
    lay_bua,
    lay_river,
    lay_road,
    lay_waterway,
    road_sides,
)
from printkit.systems.solo.terrain.placement import PlacedPiece, PlacementStep, PlacementTerms, SoloPlacement
from printkit.terrain.field.features import Course, Feature, Origin

# --- Roll for the position of a piece, and again if the result is illegal or impossible (SD-3.3-b, AMB-16) ------------

# Maximum rolls for one piece, in case the dice never give a result that fits.
_MOST: Final = 200

PlacementResult = tuple[Feature, ...] | PlacementFailure


class Result(Struct, frozen=True, kw_only=True):
    """The result of a roll for a piece, with the log numbers of its dice and their clauses."""

    name: str
    throws: tuple[int, ...]
    clauses: tuple[str, ...]

    @property
    def origin(self) -> Origin:
        """Return the origin of a feature placed by this roll."""
        return Origin(clauses=self.clauses, throws=self.throws)


class PieceInHand(Struct, frozen=True, kw_only=True):
    """A piece to place on the table.

    ``accept`` tests the conditions on the whole board; it is set if the piece is rolled again for them.
    """

    placement: SoloPlacement
    pick: PiecePick
    identity: str
    accept: Callable[[BaseGeometry], bool] | None = None

    @property
    def results(self) -> tuple[str, ...]:
        """Return every possible result of its dice."""
        tables = [self.placement.terms.rules.outcomes(name) for name in self._tables]
        found = [tuple(dict.fromkeys(row.outcome for row in placement.rows)) for placement in tables]
        return found[0] if len(found) == 1 else tuple(f"{one}/{two}" for one in found[0] for two in found[1])

    def throw(self, why: Sentence | None = None) -> Result:
        """Roll its dice: one die, or column and row of a sector (SD-3.3.4, AMB-17)."""
        dice, rules = self.placement.dice, self.placement.terms.rules
        before = len(dice.log)
        reasons = [Sentence("place of {feature}", feature=self.identity)]
        if len(self._tables) > 1:
            reasons = [
                Sentence("column of {feature}", feature=self.identity),
                Sentence("row of {feature}", feature=self.identity),
            ]
        found = []
        for name, reason in zip(self._tables, reasons, strict=True):
            again = Sentence("{reason} again: {why}", reason=reason, why=why) if why else reason
            found.append(rules.outcomes(name).roll(dice, again))
        return Result(
            name="/".join(found),
            throws=tuple(range(before + 1, len(dice.log) + 1)),
            clauses=tuple(throw.clause for throw in dice.log[before:]),
        )

    def lay(self, result: Result) -> tuple[str, PlacementResult]:
        """Return the result, with the side of a middle road, and the placed features or what blocks them."""
        placement, identity, name, origin = self.placement, self.identity, result.name, result.origin
        match self.pick.terrain:
            case Terrain.WATERWAY:
                return name, lay_waterway(placement, identity, name, origin)
            case Terrain.BUA:
                return name, lay_bua(placement, identity, name, origin)
            case Terrain.RIVER:
                return name, self._accepted(lay_river(placement, identity, name, origin))
            case Terrain.ROAD:
                return self._road(result)
            case _:
                return name, lay_area(placement, self.pick.terrain, identity, name, origin, self.accept)

    def _road(self, result: Result) -> tuple[str, PlacementResult]:
        """Place a road; a middle road goes on the side with fewer features, or on a chosen side if equal."""
        placement, name, origin = self.placement, result.name, result.origin
        sides = road_sides(placement, name)
        if not sides:
            return name, self._accepted(lay_road(placement, self.identity, name, origin))
        if result.throws and equal_sides(placement, name, sides) and _same_free(self, name):
            named = dict(zip(_side_names(name), ("low", "high"), strict=True))
            reason = Sentence("side of the middle line for {feature}", feature=self.identity)
            chosen = named[placement.dice.choose(tuple(named), reason, "AMB-22", asks=True)]
            sides = (chosen, *(side for side in sides if side != chosen))
            origin = Origin(clauses=(*origin.clauses, "AMB-22"), throws=(*origin.throws, len(placement.dice.log)))
        found: PlacementResult = PlacementFailure(())
        for side in sides:
            found = self._accepted(lay_road(placement, self.identity, name, origin, side))
            if not isinstance(found, PlacementFailure):
                return f"{name}/{side}", found
        return name, found

    def _accepted(self, found: PlacementResult) -> PlacementResult:
        """Return a placed course, or a failure if the whole board is still illegal with it."""
        if isinstance(found, PlacementFailure) or self.accept is None:
            return found
        course = found[0]
        assert isinstance(course, Course)
        return found if self.accept(course.line) else PlacementFailure((Sentence("the whole board"),))

    @property
    def _tables(self) -> tuple[str, ...]:
        match self.pick.terrain:
            case Terrain.WATERWAY | Terrain.BUA | Terrain.RIVER | Terrain.ROAD:
                return (self.pick.terrain.value,)
            case _:
                return "sector_column", "sector_row"


def settle(hand: PieceInHand, why: Sentence | None = None) -> PlacedPiece | PlacementFailure:
    """Roll for a piece until a result is possible, or until no result can be.

    Args:
        hand: the piece to place.
        why: the reason for a re-roll, or None.

    Returns:
        The piece, not yet added to the table; or what blocks the last result, if the piece does not fit anywhere.
    """
    placement, seen, feasible, last = hand.placement, dict[str, PlacementFailure](), False, PlacementFailure(())
    for _ in range(_MOST):
        result = hand.throw(why)
        name, found = (result.name, seen[result.name]) if result.name in seen else hand.lay(result)
        if not isinstance(found, PlacementFailure):
            placement.steps.append(_step(hand, name, found[0].origin.throws))
            return PlacedPiece(pick=hand.pick, identity=hand.identity, result=name, features=found)
        seen[result.name] = last = found
        why = Sentence("{result} cannot be", result=result.name)
        placement.steps.append(_step(hand, result.name, result.throws, refused=str(found)))
        if not feasible:
            feasible = _any_feasible(hand, seen)
            if not feasible:
                break
    return last


def _any_feasible(hand: PieceInHand, seen: dict[str, PlacementFailure]) -> bool:
    """Return whether a result not rolled yet is possible; impossible ones are added to ``seen``."""
    for name in hand.results:
        if name in seen:
            continue
        _, found = hand.lay(Result(name=name, throws=(), clauses=()))
        if not isinstance(found, PlacementFailure):
            return True
        seen[name] = found
    return False


def _step(hand: PieceInHand, result: str, throws: tuple[int, ...], refused: str = "") -> PlacementStep:
    return PlacementStep(
        identity=hand.identity, terrain=hand.pick.terrain, result=result, throws=throws, refused=refused
    )


def _side_names(result: str) -> tuple[str, str]:
    return ("near", "far") if result.startswith("across") else ("left", "right")


def _same_free(hand: PieceInHand, result: str) -> bool:
    """Return whether the position is free of roads (AMB-23)."""
    return all(road.result.split("/")[0] != result for road in hand.placement.select_pieces(Terrain.ROAD))


# Placed first, in this order, one of each at most; then area pieces, then roads (SD-3.3-c).
_ORDER: Final = (Terrain.WATERWAY, Terrain.BUA, Terrain.RIVER)

_CONDITIONS: Final = {
    "features": Sentence("fewer than three quarters have a feature"),
    "cover": Sentence("fewer than two quarters have a river, a waterway or bad going"),
}


class PlacementOutcome(Struct, frozen=True, kw_only=True):
    """The placed terrain in order, every roll, the dropped pieces (AMB-16), and warnings for the user."""

    features: tuple[Feature, ...]
    laid: tuple[PlacedPiece, ...]
    steps: tuple[PlacementStep, ...]
    dropped: tuple[BlockedPiece, ...] = ()
    warnings: tuple[str, ...] = ()


def place(picks: tuple[PiecePick, ...], terms: PlacementTerms, dice: Dice, jitter: Jitter) -> PlacementOutcome:
    """Return the picked pieces placed by dice.

    Args:
        picks: compulsory pieces first, then the optional ones in selection order.
        terms: the rules and the board.
        dice: the dice of the stage; the names of the jitter streams begin with the stage name.
        jitter: the random streams for shapes.
    """
    placement = SoloPlacement(board=terms.board, terms=terms, dice=dice, jitter=jitter, picks=picks)
    dropped: list[BlockedPiece] = []
    for pick, identity in ordered(picks):
        found = settle(PieceInHand(placement=placement, pick=pick, identity=identity))
        if isinstance(found, PlacementFailure):
            dropped.append(BlockedPiece(pick=pick, identity=identity, blockers=found.obstacles))
        else:
            placement.placed_pieces.append(found)
    _mend(placement)
    warnings = [
        Sentence(
            "{identity} is left out: {blocked} blocks it (AMB-16)",
            identity=each.identity,
            blocked=PlacementFailure(each.blockers),
        )
        for each in dropped
    ]
    warnings += [
        Sentence("{condition}, and no roll can change that (SD-3.3-b)", condition=_CONDITIONS[name])
        for name in placement.wanting()
    ]
    return PlacementOutcome(
        features=tuple(feature for piece in placement.placed_pieces for feature in piece.features),
        laid=tuple(placement.placed_pieces),
        steps=tuple(placement.steps),
        dropped=tuple(dropped),
        warnings=tuple(warnings),
    )


def ordered(picks: Sequence[PiecePick]) -> tuple[tuple[PiecePick, str], ...]:
    """Return the picks in placement order, each with the ID of its feature (SD-3.3-c, 0.5)."""

    def turn(pick: PiecePick) -> int:
        if pick.terrain in _ORDER:
            return _ORDER.index(pick.terrain)
        return len(_ORDER) + (2 if pick.terrain is Terrain.ROAD else 0 if pick.compulsory else 1)

    return order_picks(picks, turn, _ORDER)


def _mend(placement: SoloPlacement) -> None:
    """Roll pieces again until both conditions on the whole board are met, if a piece can meet them."""
    wanting = placement.wanting()
    if not wanting:
        return
    why, *more = (_CONDITIONS[name] for name in wanting)
    if more:
        why = Sentence("{one} and {other}", one=why, other=more[0])
    for piece in _movable(placement):
        if "cover" in wanting and not placement.terms.covers(piece.pick.terrain):
            continue
        place_in_order = placement.placed_pieces.index(piece)
        placement.placed_pieces.remove(piece)
        hand = PieceInHand(
            placement=placement, pick=piece.pick, identity=piece.identity, accept=_mending(placement, piece.pick)
        )
        found = settle(hand, why) if _can_mend(hand) else piece
        placement.placed_pieces.insert(place_in_order, piece if isinstance(found, PlacementFailure) else found)
        if not placement.wanting():
            return


def _movable(placement: SoloPlacement) -> list[PlacedPiece]:
    """Return the pieces that may be rolled again: area pieces, then roads or the river, the last first.

    The river may move only if there are no roads, because a road can cross it.
    """
    areas = [piece for piece in placement.placed_pieces if piece.pick.terrain not in (*_ORDER, *COURSES)]
    roads = placement.select_pieces(Terrain.ROAD)
    return [*reversed(areas), *reversed(roads), *([] if roads else placement.select_pieces(Terrain.RIVER))]


def _mending(placement: SoloPlacement, pick: PiecePick) -> Callable[[BaseGeometry], bool]:
    """Return a test whether a new shape of this type makes the whole board legal."""
    features, cover, covers = placement.held(), placement.held(cover=True), placement.terms.covers(pick.terrain)

    def mends(shape: BaseGeometry) -> bool:
        more = placement.terms.held(shape)
        return not placement.wanting_with(features | more, cover | more if covers else cover)

    return mends


def _can_mend(hand: PieceInHand) -> bool:
    """Return whether any result of the piece is possible and makes the whole board legal."""
    return any(
        not isinstance(hand.lay(Result(name=name, throws=(), clauses=()))[1], PlacementFailure) for name in hand.results
    )
