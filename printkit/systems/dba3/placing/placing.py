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
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba.ground.placed import COURSES, LeftOut, in_turn
from printkit.systems.dba3.placing.laying import axes, lay_area, lay_river, lay_road, lay_waterway
from printkit.systems.dba3.placing.placement import Dba3Placement, KeepOut, PlacedPick, nothing
from printkit.systems.dba3.placing.selection import FeaturePick
from printkit.systems.dba3.placing.terms import Terms
from printkit.systems.dba3.placing.zones import NUMBERS, edges_of
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Feature, Origin

_ONE_EACH: Final = (Terrain.WATERWAY, Terrain.RIVER, Terrain.BUA, Terrain.OASIS, Terrain.GULLY)
_DEFENDER: Final = "defender"


class Discarded(LeftOut, frozen=True, kw_only=True):
    """A feature without a legal place in its quarter (D3-39)."""

    pick: FeaturePick
    quarter: int

    @property
    def sentence(self) -> Sentence:
        """Return a message for the user."""
        return Sentence(
            "{identity} is discarded: it is blocked in quarter {quarter} by {blocked} (D3-39)",
            identity=self.identity,
            quarter=self.quarter,
            blocked=PlacementFailure(self.by),
        )


class PlacedTerrain(Struct, frozen=True, kw_only=True):
    """The terrain of a battlefield in placing order, and the discarded features."""

    laid: tuple[PlacedPick, ...]
    discarded: tuple[Discarded, ...]

    @property
    def features(self) -> tuple[Feature, ...]:
        """Return the features; crossings follow their roads."""
        return tuple(feature for each in self.laid for feature in each.features)


def place(
    picks: tuple[FeaturePick, ...],
    board: Board,
    terms: Terms,
    dice: Dice,
    jitter: Jitter,
    *,
    keep_out: KeepOut = nothing,
) -> PlacedTerrain:
    """Return the chosen features, placed by dice.

    Args:
        picks: the compulsory features first.
        dice: the dice of the placement stage; its name is also the prefix of the random streams.
        keep_out: additional ground that pieces avoid.
    """
    placement = Dba3Placement(board=board, terms=terms, dice=dice, jitter=jitter, picks=picks, keep_out=keep_out)
    discarded: list[Discarded] = []
    for pick, identity in ordered(picks):
        found = _Hand(placement, pick, identity).lay()
        if isinstance(found, PlacedPick):
            placement.laid.append(found)
        else:
            discarded.append(found)
    return PlacedTerrain(laid=tuple(placement.laid), discarded=tuple(discarded))


def ordered(picks: Sequence[FeaturePick]) -> tuple[tuple[FeaturePick, str], ...]:
    """Return the picks in placing order, each with the ID of its feature (D3-28).

    After waterway and compulsory features the river comes first, because it needs most space. Then come areas, then
    roads, which can pass everything.
    """

    def turn(pick: FeaturePick) -> int:
        if pick.terrain is Terrain.WATERWAY:
            return 0
        if pick.compulsory:
            return 1
        return {Terrain.RIVER: 2, Terrain.BUA: 3, Terrain.ROAD: 5}.get(pick.terrain, 4)

    return in_turn(picks, turn, _ONE_EACH, {Terrain.STEEP_HILL: "difficult-hill"})


class _Hand(Struct, frozen=True):
    """The placing of one feature."""

    placement: Dba3Placement
    pick: FeaturePick
    identity: str

    def lay(self) -> PlacedPick | Discarded:
        """Roll for the quarter of the feature and place it there, or return it as discarded with its obstacles."""
        before = len(self.placement.dice.log)
        result = self.placement.terms.rules.outcomes("quarter").roll(
            self.placement.dice, Sentence("quarter of {feature}", feature=self.identity)
        )
        tried: list[int] = []
        while True:
            quarter = int(result) if is_number(result) else self._chosen(result, tried)
            found = self._placed(quarter, before)
            if isinstance(found, PlacedPick):
                return found
            tried.append(quarter)
            # The defender sees that there is no space and chooses another quarter; the invader may have wanted that.
            if result != _DEFENDER or len(tried) == len(NUMBERS):
                return Discarded(pick=self.pick, identity=self.identity, quarter=quarter, by=found.obstacles)

    def _placed(self, quarter: int, before: int) -> PlacedPick | PlacementFailure:
        """Return the feature placed in a quarter, or the obstacles that block it."""
        terrain, edge = self.pick.terrain, None
        found: tuple[Feature, ...] | PlacementFailure
        if terrain is Terrain.WATERWAY:
            edge = self._edge(quarter)
            found = lay_waterway(self.placement, self.identity, edge, self._origin(before, quarter))
        elif terrain in COURSES:
            found = self._course(quarter, before)
        else:
            found = lay_area(self.placement, self.pick, self.identity, quarter, self._origin(before, quarter))
        if isinstance(found, PlacementFailure):
            return found
        return PlacedPick(pick=self.pick, identity=self.identity, quarter=quarter, features=found, edge=edge)

    def _chosen(self, who: str, tried: Sequence[int]) -> int:
        """Return the quarter that a side chooses from those not tried yet (D3-30, D3-31)."""
        offered = tuple(number for number in NUMBERS if number not in tried)
        clause = "D3-30" if who == _DEFENDER else "D3-31"
        reason = Sentence("quarter of {feature} for the {side}", feature=self.identity, side=who)
        if tried:
            reason = Sentence("{reason} again", reason=reason)
        return self.placement.dice.choose(offered, reason, clause, asks=True)

    def _edge(self, quarter: int) -> Edge:
        """Return the edge of a waterway: one of the two edges of its quarter, as the defender chooses (D3-45)."""
        reason = Sentence("edge of {feature}", feature=self.identity)
        return Edge(self.placement.dice.choose([e.value for e in edges_of(quarter)], reason, "D3-45", asks=True))

    def _course(self, quarter: int, before: int) -> tuple[Feature, ...] | PlacementFailure:
        """Return a course along the axis that the defender chooses, otherwise along the other (D3-35)."""
        able = axes(self.placement, self.pick.terrain, quarter)
        first = able[0]
        if len(able) > 1:
            names = [axis.value for axis in able]
            reason = Sentence("which way {feature} runs", feature=self.identity)
            first = Axis(self.placement.dice.choose(names, reason, "D3-35", asks=True))
        lay = lay_river if self.pick.terrain is Terrain.RIVER else lay_road
        found: tuple[Feature, ...] | PlacementFailure = PlacementFailure(())
        for axis in dict.fromkeys((first, *able)):
            found = lay(self.placement, self.identity, quarter, axis, self._origin(before, quarter))
            if not isinstance(found, PlacementFailure):
                break
        return found

    def _origin(self, before: int, quarter: int) -> Origin:
        log = self.placement.dice.log
        clauses = tuple(dict.fromkeys(throw.clause for throw in log[before:]))
        return Origin(clauses=clauses, throws=tuple(range(before + 1, len(log) + 1)), zone=quarter)
