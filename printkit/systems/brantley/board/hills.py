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
from printkit.systems.brantley.board.features import FeaturePose, FeatureSite, choose_pose
from printkit.systems.brantley.dealing.deal import ENEMY_BEARINGS, HILL_SIDES
from printkit.terrain.field.features import Going, Hill, HillFace, Kind, Origin
from printkit.terrain.geometry import outlines
from printkit.terrain.geometry.measure import bearing, turn_between

_OPEN: Final = "open"
_ALL: Final = "all"
# The condition for the modifier of the slope die, as the rule book names it.
_TWO_LEVELS: Final = "two levels"

# Largest offset of a hill's summit from its middle, as a share of its sides.
_SUMMIT_OFFSET: Final = 0.06


class HillRolls(Struct, frozen=True, kw_only=True):
    """The two dice of a hill and their meaning.

    ``slope`` is the score of the die, ``slope_score`` the score with its modifier. ``steep`` is the number of steep
    sides; None means all of them. ``woods`` is the score of the second die; ``cover`` is its woods, or None for open
    ground. ``clauses`` are those of both rolls.
    """

    slope: int
    slope_score: int
    steep: int | None
    woods: int
    cover: Kind | None
    clauses: tuple[str, ...]


def roll_hill_dice(feature_site: FeatureSite, dice: Dice) -> HillRolls:
    """Roll both dice of a hill, the slope die first, and return them (BR-321, BR-328, BR-Q04, BR-Q05).

    The rolls are logged in ``dice``.
    """
    slopes, covers = feature_site.rules.outcomes("slope"), feature_site.rules.outcomes("woods")
    conditions = (_TWO_LEVELS,) if feature_site.result.levels > 1 else ()

    def find_row(score: int) -> DieRow[str]:
        """Return the row of the slope table for a score, with the modifier for two levels."""
        return slopes.row(slopes.apply_modifiers(score, conditions))

    slope = dice.d6(
        Sentence("slopes of {feature}", feature=feature_site.id),
        lambda score: find_row(score).clause,
        brings=lambda score: Sentence("steep sides: {outcome}", outcome=find_row(score).outcome),
    )
    woods = dice.d6(
        Sentence("woods on {feature}", feature=feature_site.id),
        lambda score: covers.row(score).clause,
        brings=covers.look_up,
    )
    row, cover = find_row(slope), covers.look_up(woods)
    return HillRolls(
        slope=slope,
        slope_score=slopes.apply_modifiers(slope, conditions),
        steep=None if row.outcome == _ALL else int(row.outcome),
        woods=woods,
        cover=None if cover == _OPEN else Kind(cover),
        clauses=(row.clause, covers.row(woods).clause),
    )


def place_hill(feature_site: FeatureSite, dice: Dice, jitter: Jitter) -> tuple[Hill, HillRolls]:
    """Return a hill, in mm on the board, and its dice.

    The order is: roll its dice, choose its steep sides, choose its pose. Steep sides that face the enemy are not
    chosen: they follow from the pose. Rolls and choices go into the log of ``dice``; ``jitter`` does not change.

    Raises:
        PlacementError: a recorded hill does not fit its zone (BR-X19).
        ScenarioError: the recorded steep sides differ from the dice in number, or have wrong numbers.
    """
    first_roll, rules = len(dice.log), feature_site.rules
    rolls = roll_hill_dice(feature_site, dice)
    chosen_sides = _choose_steep_sides(feature_site, rolls, dice)
    pose = choose_pose(feature_site, dice, jitter.stream(f"{dice.stage}/{feature_site.id}/outline"))
    contours = _draw_contours(feature_site, pose, jitter)
    ring = outlines.cut_arcs(pose.outline, pose.turn, HILL_SIDES)
    sides = (
        chosen_sides
        if chosen_sides is not None
        else _sort_facing_enemy(ring, pose.outline, feature_site.placer)[: rolls.steep]
    )
    result = Hill(
        id=feature_site.id,
        kind=Kind.HILL,
        contours=contours,
        going=going(rolls, rules),
        faces=tuple(
            HillFace(line=ring[side], kind=Kind.STEEP_SLOPE, going=_impassable_going(rules), side=side)
            for side in sorted(sides)
        ),
        cover=rolls.cover,
        origin=Origin(
            clauses=(feature_site.result.clause, *rolls.clauses),
            throws=tuple(range(first_roll + 1, len(dice.log) + 1)),
            zone=feature_site.zone,
            placed_by=feature_site.placer,
        ),
    )
    return result, rolls


def going(rolls: HillRolls, rules: Rules) -> Going:
    """Return the going of a hill: the worse of its slopes and its cover (BR-G25).

    It is impassable if all sides are steep or with heavy woods, bad with light woods, and good otherwise.
    """
    if rolls.steep is None or rolls.cover is Kind.HEAVY_WOODS:
        return _impassable_going(rules)
    if rolls.cover is Kind.LIGHT_WOODS:
        return rules.book.going["bad"]
    return rules.book.going["good"]


def _impassable_going(rules: Rules) -> Going:
    """Return the impassable going of the rule book."""
    return rules.book.going["impassable"]


def _choose_steep_sides(feature_site: FeatureSite, rolls: HillRolls, dice: Dice) -> tuple[int, ...] | None:
    """Return the recorded or chosen steep sides, numbered from 0 (BR-327, BR-G22).

    There are as many as the dice say; all of them if no die decides, and perhaps none. None means the sides that face
    the enemy: the pose decides them later. A choice is logged in ``dice``.

    Raises:
        ScenarioError: the recorded steep sides differ from the dice in number, or have wrong numbers.
    """
    recorded_sides = feature_site.recorded_feature.steep if feature_site.recorded_feature else None
    expected_count = HILL_SIDES if rolls.steep is None else rolls.steep
    if recorded_sides is not None:
        if (
            len(set(recorded_sides)) != expected_count
            or len(recorded_sides) != expected_count
            or any(side >= HILL_SIDES for side in recorded_sides)
        ):
            raise ScenarioError(
                "line {line} of the features gives {spot} the steep slopes {recorded}; its dice require "
                "{due} of the sides 0 to {last}",
                line=feature_site.recorded_feature.line if feature_site.recorded_feature else 0,
                recorded=", ".join(map(str, recorded_sides)),
                spot=feature_site.id,
                due=expected_count,
                last=HILL_SIDES - 1,
                clause="BR-327",
            )
        return recorded_sides
    if expected_count in (0, HILL_SIDES):
        return tuple(range(expected_count))
    if feature_site.rules.choice("steep") == "facing-enemy":
        return None
    choices = {",".join(map(str, sides)): sides for sides in combinations(range(HILL_SIDES), expected_count)}
    reason = Sentence(
        "steep sides of {feature}, placed by {player}", feature=feature_site.id, player=feature_site.placer
    )
    return choices[dice.choose(tuple(choices), reason, "BR-327", asks=True)]


def _draw_contours(feature_site: FeatureSite, pose: FeaturePose, jitter: Jitter) -> tuple[Polygon, ...]:
    """Return the outline, and for two levels the contour inside it, in mm on the board (BR-G17).

    A hill of one level has only its outline. The lowest contour is first.
    """
    if feature_site.result.levels < 2:
        return (pose.outline,)
    stream = jitter.stream(f"hills/{feature_site.id}/top")
    left, low, right, high = pose.outline.bounds
    top = outlines.inner_contour(
        pose.outline,
        stream,
        share=(feature_site.rules.number("inner_share_min"), feature_site.rules.number("inner_share_max")),
        inset=feature_site.rules.length("inner_gap_min"),
        lean=(
            (right - left) * stream.between(-_SUMMIT_OFFSET, _SUMMIT_OFFSET),
            (high - low) * stream.between(-_SUMMIT_OFFSET, _SUMMIT_OFFSET),
        ),
    )
    return pose.outline, top


def _sort_facing_enemy(sides: Sequence[LineString], outline: Polygon, placer: str) -> tuple[int, ...]:
    """Return the numbers of all sides from 0, sorted by how directly they face the enemy (BR-M28).

    The side that faces the enemy most directly is first. The enemy is at the edge opposite to ``placer``. The sides and
    the outline of the hill are in mm on the board.
    """
    centre = outline.centroid
    angles = [
        turn_between(bearing(centre, side.interpolate(0.5, normalized=True)), ENEMY_BEARINGS[placer]) for side in sides
    ]
    return tuple(sorted(range(len(sides)), key=lambda side: (round(angles[side], 6), side)))
