"""Place the terrain of a battlefield piece by piece; illegal results roll again (SD-3.3, AMB-16).

Each piece rolls until its result is legal and possible. Then the whole board is checked. If too few quarters have
terrain, area pieces roll again, the last first; then roads, or the river if there are no roads (SD-3.3-b).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence
from printkit.kit.placement import PlacementFailure
from printkit.systems.dba.ground.placed_pieces import PlacedPiece, PlacedTerrain, choice_facts, order_picks
from printkit.systems.dba.ground.placing_turns import place_pieces
from printkit.systems.dba.ground.terrain_limits import COURSES, PiecePick, Terrain
from printkit.systems.solo.armies.force import Home
from printkit.systems.solo.armies.steps import steps_facts
from printkit.systems.solo.terrain.place_pieces import PlacementStep, SoloPlacement, SoloTurn
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.systems.solo.terrain.selection import Selection

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
    features, cover = placement.find_quarters(), placement.find_quarters(cover=True)
    is_cover = placement.terms.is_cover(pick.terrain)

    def makes_legal(shape: BaseGeometry) -> bool:
        """Return whether the board meets both conditions with this shape."""
        quarters = placement.terms.find_quarters(shape)
        return not placement.check_conditions(features | quarters, cover | quarters if is_cover else cover)

    return makes_legal


def terrain_facts(home: Home, selection: Selection | None, outcome: PlacementOutcome | None) -> dict[str, Any]:
    """Return the facts of the terrain for the record: pieces in placement order, dropped ones, and the steps.

    The keys are ``home``, ``by``, ``pieces``, ``left_out``, ``selection`` and ``placement``. If the player chooses the
    terrain, there is no selection and only the home topography is returned (AMB-10).
    """
    if selection is None or outcome is None:
        return {"home": home.value, "by": "person"}
    results = {piece.identity: piece.result for piece in outcome.placed_pieces}
    return {
        "home": home.value,
        "by": "dice",
        "pieces": [
            {
                "id": identity,
                "terrain": pick.terrain.value,
                **choice_facts(pick, selection.picks),
                "result": results.get(identity),
            }
            for pick, identity in sort_picks(selection.picks)
        ],
        "left_out": [{"id": piece.identity, "by": list(piece.blockers)} for piece in outcome.blocked_pieces],
        "selection": steps_facts(selection.steps),
        "placement": [
            {"id": step.identity, "result": step.result, "throws": list(step.throws), "refused": step.refusal or None}
            for step in outcome.steps
        ],
    }
