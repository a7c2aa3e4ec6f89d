"""Place the chosen features one after the other, with a die each for the quarter (D3-28..D3-31).

Features without a legal place in their quarter are discarded (D3-39).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence
from printkit.core.numbers import is_number
from printkit.kit.placement import PlacementFailure
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.placed_pieces import BlockedPiece, PlacedPiece, PlacedTerrain, order_picks
from printkit.systems.dba.ground.placing_turns import PieceTurn, PlacementResult, place_pieces, place_waterway
from printkit.systems.dba.ground.terrain_limits import COURSES, PiecePick, Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainRules
from printkit.systems.dba3.placing.place_features import find_axes, place_area, place_course
from printkit.systems.dba3.placing.placement import Dba3Placement, KeepOut, keep_nothing_free
from printkit.systems.dba3.placing.terms import Terms
from printkit.systems.dba3.placing.terrain_rules import PLACED_RULES
from printkit.systems.dba3.placing.zones import QUARTER_NUMBERS, quarter_edges
from printkit.terrain.field.battlefield import Edge

_ONE_EACH: Final = (Terrain.WATERWAY, Terrain.RIVER, Terrain.BUA, Terrain.OASIS, Terrain.GULLY)
# Terrain that roads avoid most.
_HARD_TERRAIN: Final = (Terrain.STEEP_HILL, Terrain.MARSH, Terrain.GULLY, Terrain.BUA)
_DEFENDER: Final = "defender"


def place_features(
    picks: tuple[PiecePick, ...],
    terms: Terms,
    dice: Dice,
    jitter: Jitter,
    *,
    keep_out: KeepOut = keep_nothing_free,
    more_rules: TerrainRules | None = None,
) -> PlacedTerrain:
    """Return the chosen features, placed by dice, and those that were discarded without room.

    Args:
        picks: the compulsory features first.
        terms: the rules of the game and its board.
        dice: the dice of the placement stage; its name is also the prefix of the random streams.
        jitter: the source of the random streams for shapes and positions.
        keep_out: gets a terrain type, the board and the waterway, and returns additional ground that features avoid.
        more_rules: rules for placing features, in addition to those of DBA 3.
    """
    more = more_rules or {}
    placement = Dba3Placement(
        terms=terms,
        placed_rules={terrain: (*rules, *more.get(terrain, ())) for terrain, rules in PLACED_RULES.items()},
        hard=_HARD_TERRAIN,
        dice=dice,
        jitter=jitter,
        picks=picks,
        keep_out=keep_out,
    )

    def start_turn(pick: PiecePick, identity: str) -> _FeatureTurn:
        """Return the turn of a feature."""
        return _FeatureTurn(placement=placement, pick=pick, identity=identity, roll_count=len(dice.log))

    discarded = place_pieces(placement, order_features(picks), start_turn)
    return PlacedTerrain(placed_pieces=tuple(placement.placed_pieces), blocked_pieces=discarded)


def order_features(picks: Sequence[PiecePick]) -> tuple[tuple[PiecePick, str], ...]:
    """Return the picks in placing order, each with the ID of its feature (D3-28).

    After waterway and compulsory features the river comes first, because it needs most space. Then come areas, then
    roads, which can pass everything.
    """

    def turn(pick: PiecePick) -> int:
        """Return the placing turn of a pick, from 0; lower turns are placed first."""
        if pick.terrain is Terrain.WATERWAY:
            return 0
        if pick.compulsory:
            return 1
        return {Terrain.RIVER: 2, Terrain.BUA: 3, Terrain.ROAD: 5}.get(pick.terrain, 4)

    return order_picks(picks, turn, _ONE_EACH, {Terrain.STEEP_HILL: "difficult-hill"})


def warn_of_discarded(feature: BlockedPiece) -> Sentence:
    """Return the message that a feature is discarded, with its quarter and its obstacles (D3-39)."""
    return Sentence(
        "{identity} is discarded: it is blocked in quarter {quarter} by {blocked} (D3-39)",
        identity=feature.identity,
        quarter=int(feature.result),
        blocked=PlacementFailure(feature.blockers),
    )


def warn_of_turned(course: PlacedPiece) -> Sentence:
    """Return the message that a course does not run in the chosen direction (D3-35)."""
    return Sentence(
        "{identity} does not run in the chosen direction: it is blocked there by {blocked} (D3-35)",
        identity=course.identity,
        blocked=PlacementFailure(course.turned_by),
    )


class _FeatureTurn(PieceTurn, kw_only=True):
    """The turn of one feature; the results of its dice are the numbers of quarters, 1 to 4.

    Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    """

    placement: Dba3Placement

    def roll_results(self) -> Iterator[str]:
        """Yield the quarters to try: that of the die, or those that a side chooses until the feature fits.

        The defender sees that there is no space and chooses another quarter; the invader may have wanted that.
        """
        reason = Sentence("quarter of {feature}", feature=self.identity)
        result = self.placement.terms.rules.outcomes("quarter").roll(self.placement.dice, reason)
        if is_number(result):
            yield result
            return
        tried_quarters: list[int] = []
        for _ in QUARTER_NUMBERS if result == _DEFENDER else QUARTER_NUMBERS[:1]:
            tried_quarters.append(self._choose_quarter(result, tried_quarters))
            yield str(tried_quarters[-1])

    def place_at(self, result: str) -> PlacedPiece | PlacementFailure:
        """Return the feature placed in a quarter, or the obstacles that block it."""
        quarter, terrain, edge, turned_by = int(result), self.pick.terrain, None, tuple[str, ...]()
        outcome: PlacementResult
        if terrain is Terrain.WATERWAY:
            edge = self._choose_edge(quarter)
            outcome = place_waterway(self.placement, self.pick, self.identity, edge, self.make_origin(quarter))
        elif terrain in COURSES:
            outcome, turned_by = self._place_course(quarter)
        else:
            outcome = place_area(self.placement, self.pick, self.identity, quarter, self.make_origin(quarter))
        return self.take_place(result, outcome, edge=edge, turned_by=turned_by)

    def _choose_quarter(self, role: str, tried_quarters: Sequence[int]) -> int:
        """Return the quarter that a side chooses from those not tried yet (D3-30, D3-31).

        ``role`` is ``defender`` or ``invader``. The question is logged.
        """
        options = tuple(number for number in QUARTER_NUMBERS if number not in tried_quarters)
        clause = "D3-30" if role == _DEFENDER else "D3-31"
        reason = Sentence("quarter of {feature} for the {side}", feature=self.identity, side=role)
        if tried_quarters:
            reason = Sentence("{reason} again", reason=reason)
        return self.placement.dice.choose(options, reason, clause, asks=True)

    def _choose_edge(self, quarter: int) -> Edge:
        """Return the edge for a waterway in a quarter: the defender chooses one of two (D3-45)."""
        reason = Sentence("edge of {feature}", feature=self.identity)
        edges = [edge.value for edge in quarter_edges(quarter)]
        return Edge(self.placement.dice.choose(edges, reason, "D3-45", asks=True))

    def _place_course(self, quarter: int) -> tuple[PlacementResult, tuple[str, ...]]:
        """Return a course along the axis that the defender chooses, otherwise along the other (D3-35).

        The second result are the obstacles along the chosen axis. If both axes are blocked, so is the first.
        """
        possible_axes = find_axes(self.placement, self.pick.terrain, quarter)
        first_axis = possible_axes[0]
        if len(possible_axes) > 1:
            names = [axis.value for axis in possible_axes]
            reason = Sentence("which way {feature} runs", feature=self.identity)
            first_axis = Axis(self.placement.dice.choose(names, reason, "D3-35", asks=True))
        outcome: PlacementResult = PlacementFailure(())
        turned_by: tuple[str, ...] = ()
        for axis in dict.fromkeys((first_axis, *possible_axes)):
            origin = self.make_origin(quarter)
            outcome = place_course(self.placement, self.pick, self.identity, quarter, axis, origin)
            if not isinstance(outcome, PlacementFailure):
                break
            turned_by = turned_by or outcome.obstacles
        return outcome, turned_by
