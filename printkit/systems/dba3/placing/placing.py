"""Place the chosen features one after the other, with a die each for the quarter (D3-28..D3-31).

Features without a legal place in their quarter are discarded (D3-39).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence
from printkit.core.numbers import is_number
from printkit.kit.placement import PlacementFailure
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.placed_pieces import COURSES, BlockedPiece, order_picks
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba.ground.terrain_rules import TerrainRules
from printkit.systems.dba3.placing.place_features import find_axes, place_area, place_river, place_road, place_waterway
from printkit.systems.dba3.placing.placement import Dba3Placement, KeepOut, PlacedPick, keep_nothing_free
from printkit.systems.dba3.placing.selection import FeaturePick
from printkit.systems.dba3.placing.terms import Terms
from printkit.systems.dba3.placing.zones import QUARTER_NUMBERS, quarter_edges
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Feature, Origin

_ONE_EACH: Final = (Terrain.WATERWAY, Terrain.RIVER, Terrain.BUA, Terrain.OASIS, Terrain.GULLY)
_DEFENDER: Final = "defender"


class Discarded(BlockedPiece, frozen=True, kw_only=True):
    """A feature without a legal place in its quarter (D3-39)."""

    pick: FeaturePick
    quarter: int

    @property
    def sentence(self) -> Sentence:
        """Return the message that the feature is discarded, with its quarter and its obstacles.

        It is in English and can be translated.
        """
        return Sentence(
            "{identity} is discarded: it is blocked in quarter {quarter} by {blocked} (D3-39)",
            identity=self.identity,
            quarter=self.quarter,
            blocked=PlacementFailure(self.blockers),
        )


class PlacedTerrain(Struct, frozen=True, kw_only=True):
    """The terrain of a battlefield in placing order, and the discarded features."""

    placed_features: tuple[PlacedPick, ...]
    discarded: tuple[Discarded, ...]

    @property
    def features(self) -> tuple[Feature, ...]:
        """Return the features in placing order; crossings follow their roads."""
        return tuple(feature for placed_feature in self.placed_features for feature in placed_feature.features)


def place_features(
    picks: tuple[FeaturePick, ...],
    board: Board,
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
        board: the board.
        terms: the rules of the game.
        dice: the dice of the placement stage; its name is also the prefix of the random streams.
        jitter: the source of the random streams for shapes and positions.
        keep_out: gets a terrain type, the board and the waterway, and returns additional ground that features avoid.
        more_rules: rules for placing features, in addition to those of DBA 3.
    """
    placement = Dba3Placement(
        board=board,
        terms=terms,
        dice=dice,
        jitter=jitter,
        picks=picks,
        keep_out=keep_out,
        more_rules=more_rules or {},
    )
    discarded: list[Discarded] = []
    for pick, identity in order_features(picks):
        result = _FeaturePlacer(placement, pick, identity).place_feature()
        if isinstance(result, PlacedPick):
            placement.placed_pieces.append(result)
        else:
            discarded.append(result)
    return PlacedTerrain(placed_features=tuple(placement.placed_pieces), discarded=tuple(discarded))


def order_features(picks: Sequence[FeaturePick]) -> tuple[tuple[FeaturePick, str], ...]:
    """Return the picks in placing order, each with the ID of its feature (D3-28).

    After waterway and compulsory features the river comes first, because it needs most space. Then come areas, then
    roads, which can pass everything.
    """

    def turn(pick: FeaturePick) -> int:
        """Return the placing turn of a pick, from 0; lower turns are placed first."""
        if pick.terrain is Terrain.WATERWAY:
            return 0
        if pick.compulsory:
            return 1
        return {Terrain.RIVER: 2, Terrain.BUA: 3, Terrain.ROAD: 5}.get(pick.terrain, 4)

    return order_picks(picks, turn, _ONE_EACH, {Terrain.STEEP_HILL: "difficult-hill"})


class _FeaturePlacer(Struct, frozen=True):
    """The placing of one feature."""

    placement: Dba3Placement
    pick: FeaturePick
    identity: str

    def place_feature(self) -> PlacedPick | Discarded:
        """Roll for the quarter of the feature and place it there, or return it as discarded with its obstacles."""
        roll_count = len(self.placement.dice.log)
        result = self.placement.terms.rules.outcomes("quarter").roll(
            self.placement.dice, Sentence("quarter of {feature}", feature=self.identity)
        )
        tried_quarters: list[int] = []
        while True:
            quarter = int(result) if is_number(result) else self._choose_quarter(result, tried_quarters)
            outcome = self._place_in_quarter(quarter, roll_count)
            if isinstance(outcome, PlacedPick):
                return outcome
            tried_quarters.append(quarter)
            # The defender sees that there is no space and chooses another quarter; the invader may have wanted that.
            if result != _DEFENDER or len(tried_quarters) == len(QUARTER_NUMBERS):
                return Discarded(pick=self.pick, identity=self.identity, quarter=quarter, blockers=outcome.obstacles)

    def _place_in_quarter(self, quarter: int, roll_count: int) -> PlacedPick | PlacementFailure:
        """Return the feature placed in a quarter (1 to 4), or the obstacles that block it.

        ``roll_count`` is the number of rolls before those of this feature. Quarters are 1 near left, 2 far left, 3 far
        right and 4 near right.
        """
        terrain, edge, turned_by = self.pick.terrain, None, tuple[str, ...]()
        result: tuple[Feature, ...] | PlacementFailure
        if terrain is Terrain.WATERWAY:
            edge = self._choose_edge(quarter)
            result = place_waterway(self.placement, self.identity, edge, self._make_origin(roll_count, quarter))
        elif terrain in COURSES:
            result, turned_by = self._place_course(quarter, roll_count)
        else:
            result = place_area(
                self.placement, self.pick, self.identity, quarter, self._make_origin(roll_count, quarter)
            )
        if isinstance(result, PlacementFailure):
            return result
        return PlacedPick(
            pick=self.pick,
            identity=self.identity,
            quarter=quarter,
            features=result,
            edge=edge,
            turned_by=turned_by,
        )

    def _choose_quarter(self, role: str, tried_quarters: Sequence[int]) -> int:
        """Return the quarter (1 to 4) that a side chooses from those not tried yet (D3-30, D3-31).

        ``role`` is ``defender`` or ``invader``. The question is logged. Quarters are 1 near left, 2 far left, 3 far
        right and 4 near right.
        """
        options = tuple(number for number in QUARTER_NUMBERS if number not in tried_quarters)
        clause = "D3-30" if role == _DEFENDER else "D3-31"
        reason = Sentence("quarter of {feature} for the {side}", feature=self.identity, side=role)
        if tried_quarters:
            reason = Sentence("{reason} again", reason=reason)
        return self.placement.dice.choose(options, reason, clause, asks=True)

    def _choose_edge(self, quarter: int) -> Edge:
        """Return the edge for a waterway in a quarter (1 to 4): the defender chooses one of two (D3-45).

        Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
        """
        reason = Sentence("edge of {feature}", feature=self.identity)
        return Edge(
            self.placement.dice.choose([edge.value for edge in quarter_edges(quarter)], reason, "D3-45", asks=True)
        )

    def _place_course(
        self, quarter: int, roll_count: int
    ) -> tuple[tuple[Feature, ...] | PlacementFailure, tuple[str, ...]]:
        """Return a course along the axis that the defender chooses, otherwise along the other (D3-35).

        The second result are the obstacles along the chosen axis. If both axes are blocked, so is the first.
        ``roll_count`` is the number of earlier rolls. ``quarter`` is the quarter of the course, 1 near left, 2 far
        left, 3 far right or 4 near right.
        """
        possible_axes = find_axes(self.placement, self.pick.terrain, quarter)
        first_axis = possible_axes[0]
        if len(possible_axes) > 1:
            names = [axis.value for axis in possible_axes]
            reason = Sentence("which way {feature} runs", feature=self.identity)
            first_axis = Axis(self.placement.dice.choose(names, reason, "D3-35", asks=True))
        place_line = place_river if self.pick.terrain is Terrain.RIVER else place_road
        result: tuple[Feature, ...] | PlacementFailure = PlacementFailure(())
        turned_by: tuple[str, ...] = ()
        for axis in dict.fromkeys((first_axis, *possible_axes)):
            result = place_line(self.placement, self.identity, quarter, axis, self._make_origin(roll_count, quarter))
            if not isinstance(result, PlacementFailure):
                break
            turned_by = turned_by or result.obstacles
        return result, turned_by

    def _make_origin(self, roll_count: int, quarter: int) -> Origin:
        """Return the origin of the feature: the rolls after the first ``roll_count``, and their clauses.

        Rolls count from 1 in the log. ``quarter`` becomes the zone of the origin.
        """
        log = self.placement.dice.log
        clauses = tuple(dict.fromkeys(throw.clause for throw in log[roll_count:]))
        return Origin(clauses=clauses, throws=tuple(range(roll_count + 1, len(log) + 1)), zone=quarter)
