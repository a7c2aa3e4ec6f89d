"""Hills: two dice each for slopes and woods, and the going they give (BR-321..BR-332, BR-G21..BR-G25)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct
from shapely import LineString, Polygon

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.chance.tables import DieRow
from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.brantley.board.features import FeatureSite, Stance, stand
from printkit.systems.brantley.dealing.deal import ENEMY, SIDES
from printkit.terrain.field.features import Going, Hill, HillFace, Kind, Origin
from printkit.terrain.geometry import outlines
from printkit.terrain.geometry.measure import bearing, turn_between

_OPEN: Final = "open"
_ALL: Final = "all"
# The condition for the modifier of the slope die, as the rule book names it.
_TWO_LEVELS: Final = "two levels"

# Largest offset of a hill's summit from its middle, as a share of its sides.
_LEAN: Final = 0.06


class HillThrow(Struct, frozen=True, kw_only=True):
    """The two dice of a hill and their meaning.

    ``slope`` is the score of the die, ``modified`` the score with its modifier. ``steep`` is the number of steep sides;
    None means all of them.
    """

    slope: int
    modified: int
    steep: int | None
    woods: int
    cover: Kind | None
    clauses: tuple[str, ...]


def throw(spot: FeatureSite, dice: Dice) -> HillThrow:
    """Roll both dice of a hill, the slope die first (BR-321, BR-328, BR-Q04, BR-Q05)."""
    slopes, covers = spot.rules.outcomes("slope"), spot.rules.outcomes("woods")
    holds = (_TWO_LEVELS,) if spot.result.levels > 1 else ()

    def row_of(score: int) -> DieRow[str]:
        return slopes.row(slopes.apply_modifiers(score, holds))

    slope = dice.d6(
        Sentence("slopes of {feature}", feature=spot.id),
        lambda score: row_of(score).clause,
        brings=lambda score: Sentence("steep sides: {outcome}", outcome=row_of(score).outcome),
    )
    woods = dice.d6(
        Sentence("woods on {feature}", feature=spot.id),
        lambda score: covers.row(score).clause,
        brings=covers.look_up,
    )
    row, cover = row_of(slope), covers.look_up(woods)
    return HillThrow(
        slope=slope,
        modified=slopes.apply_modifiers(slope, holds),
        steep=None if row.outcome == _ALL else int(row.outcome),
        woods=woods,
        cover=None if cover == _OPEN else Kind(cover),
        clauses=(row.clause, covers.row(woods).clause),
    )


def hill(spot: FeatureSite, dice: Dice, jitter: Jitter) -> tuple[Hill, HillThrow]:
    """Return a hill and its dice: roll the dice, choose its pose, then its steep sides.

    Raises:
        PlacementError: a recorded hill does not fit its zone (BR-X19).
        ScenarioError: the number of recorded steep sides differs from the dice.
    """
    before, rules = len(dice.log), spot.rules
    thrown = throw(spot, dice)
    named = _named(spot, thrown, dice)
    stance = stand(spot, dice, jitter.stream(f"{dice.stage}/{spot.id}/outline"))
    contours = _contours(spot, stance, jitter)
    ring = outlines.cut_arcs(stance.outline, stance.turn, SIDES)
    sides = named if named is not None else _facing_enemy(ring, stance.outline, spot.placer)[: thrown.steep]
    made = Hill(
        id=spot.id,
        kind=Kind.HILL,
        contours=contours,
        going=going(thrown, rules),
        faces=tuple(
            HillFace(line=ring[side], kind=Kind.STEEP_SLOPE, going=_worst(rules), side=side) for side in sorted(sides)
        ),
        cover=thrown.cover,
        origin=Origin(
            clauses=(spot.result.clause, *thrown.clauses),
            throws=tuple(range(before + 1, len(dice.log) + 1)),
            zone=spot.zone,
            placed_by=spot.placer,
        ),
    )
    return made, thrown


def going(thrown: HillThrow, rules: Rules) -> Going:
    """Return the going of a hill: the worse of its slopes and its cover (BR-G25)."""
    if thrown.steep is None or thrown.cover is Kind.HEAVY_WOODS:
        return _worst(rules)
    if thrown.cover is Kind.LIGHT_WOODS:
        return rules.book.going["bad"]
    return rules.book.going["good"]


def _worst(rules: Rules) -> Going:
    return rules.book.going["impassable"]


def _named(spot: FeatureSite, thrown: HillThrow, dice: Dice) -> tuple[int, ...] | None:
    """Return the recorded or chosen steep sides (BR-327, BR-G22); None if they face the enemy."""
    recorded = spot.recorded.steep if spot.recorded else None
    due = SIDES if thrown.steep is None else thrown.steep
    if recorded is not None:
        if len(set(recorded)) != due or len(recorded) != due or any(side >= SIDES for side in recorded):
            raise ScenarioError(
                "line {line} of the features gives {spot} the steep slopes {recorded}; its dice require "
                "{due} of the sides 0 to {last}",
                line=spot.recorded.line if spot.recorded else 0,
                recorded=", ".join(map(str, recorded)),
                spot=spot.id,
                due=due,
                last=SIDES - 1,
                clause="BR-327",
            )
        return recorded
    if due in (0, SIDES):
        return tuple(range(due))
    if spot.rules.choice("steep") == "facing-enemy":
        return None
    choices = {",".join(map(str, sides)): sides for sides in combinations(range(SIDES), due)}
    reason = Sentence("steep sides of {feature}, placed by {player}", feature=spot.id, player=spot.placer)
    return choices[dice.choose(tuple(choices), reason, "BR-327", asks=True)]


def _contours(spot: FeatureSite, stance: Stance, jitter: Jitter) -> tuple[Polygon, ...]:
    """Return the outline, and for a hill of two levels the upper contour inside it (BR-G17)."""
    if spot.result.levels < 2:
        return (stance.outline,)
    stream = jitter.stream(f"hills/{spot.id}/top")
    left, low, right, high = stance.outline.bounds
    top = outlines.inner_contour(
        stance.outline,
        stream,
        share=(spot.rules.number("inner_share_min"), spot.rules.number("inner_share_max")),
        inset=spot.rules.length("inner_gap_min"),
        lean=((right - left) * stream.between(-_LEAN, _LEAN), (high - low) * stream.between(-_LEAN, _LEAN)),
    )
    return stance.outline, top


def _facing_enemy(sides: Sequence[LineString], outline: Polygon, placer: str) -> tuple[int, ...]:
    """Return all sides, sorted by how directly they face the opponent's edge (BR-M28)."""
    centre = outline.centroid
    off = [turn_between(bearing(centre, side.interpolate(0.5, normalized=True)), ENEMY[placer]) for side in sides]
    return tuple(sorted(range(len(sides)), key=lambda side: (round(off[side], 6), side)))
