"""Select terrain (sections 3.1 and 3.2): compulsory pieces, then number and types of optional ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.armies.force import Home
from printkit.systems.solo.armies.steps import AppliedModifier, Step, roll_on_table, sum_modifiers
from printkit.systems.solo.terrain.topography import EitherPair, SelectionCase, find_modifiers

# --- Choose the optional pieces ---------------------------------------------------------------------------------------


class Candidate(Struct, frozen=True, kw_only=True):
    """A possible piece: the amount added to its die (SD-3.2.3-b), and whether its kind is required (-c)."""

    terrain: Terrain
    modifier: int = 0
    required: bool = False


class PieceChoice(Struct, frozen=True, kw_only=True):
    """The chosen pieces in order, the totals of all candidates, and every die in order."""

    types: tuple[Terrain, ...]
    scores: tuple[int, ...]
    dice: tuple[int, ...]


def choose_pieces(candidates: Sequence[Candidate], count: int, dice: Dice, *, required: bool) -> PieceChoice:
    """Roll for the candidates and return the chosen ones, the totals of all candidates and all scores.

    Args:
        candidates: the candidates in the order of the topography table, which is the dice order.
        count: the number to choose; fewer if there are fewer candidates.
        dice: a die is rolled for each candidate, and again for those in a tie that decides.
        required: first choose the highest candidate of a required kind (SD-3.2.3-c).
    """
    return _PieceRolls(tuple(candidates), dice).run(count, required=required)


class _PieceRolls(Struct):
    """A choice in progress; ``rolled_scores`` are all dice so far."""

    candidates: tuple[Candidate, ...]
    dice: Dice
    rolled_scores: list[int] = field(default_factory=list)

    def run(self, count: int, *, required: bool) -> PieceChoice:
        """Roll for all candidates and return the chosen types.

        The result also has the totals of all candidates in order, and the scores of all dice. With ``required``, the
        candidate of a required kind with the highest total is chosen first. ``count`` is the number to choose.
        """
        scores = self._roll(range(len(self.candidates)), "SD-3.2.3-a")
        # SD-3.2.3-c: first the best candidate of a required kind, if one is still required.
        required_indices = [index for index in scores if self.candidates[index].required]
        chosen_indices = self._choose_best(required_indices, scores, min(1, count)) if required else []
        other_indices = [index for index in scores if index not in chosen_indices]
        chosen_indices += self._choose_best(other_indices, scores, count - len(chosen_indices))
        return PieceChoice(
            types=tuple(self.candidates[index].terrain for index in chosen_indices),
            scores=tuple(scores.values()),
            dice=tuple(self.rolled_scores),
        )

    def _choose_best(self, indices: Sequence[int], scores: Mapping[int, int], count: int) -> list[int]:
        """Return the indices, from 0, of the ``count`` candidates with the highest totals, highest first.

        Dice decide a tie for the last place again (AMB-13). ``scores`` has the totals by index.
        """
        ranking = sorted(indices, key=lambda index: (-scores[index], index))
        if len(ranking) <= count or count <= 0:
            return ranking[: max(0, count)]
        cutoff = scores[ranking[count - 1]]
        higher_indices = [index for index in ranking if scores[index] > cutoff]
        tied_indices = [index for index in ranking if scores[index] == cutoff]
        if (
            len(higher_indices) + len(tied_indices) == count
            or len({self.candidates[index].terrain for index in tied_indices}) == 1
        ):
            return ranking[:count]
        return higher_indices + self._choose_best(
            tied_indices, self._roll(sorted(tied_indices), "SD-3.2.3-e"), count - len(higher_indices)
        )

    def _roll(self, indices: Sequence[int] | range, clause: str) -> dict[int, int]:
        """Roll a die for each of these candidates in the given order and return their totals by index.

        Indexes count from 0. Each die is logged under ``clause``, and its score is added to ``rolled_scores``.
        """
        totals = {}
        for index in indices:
            candidate = self.candidates[index]
            score = self.dice.d6(self._build_reason(index), clause)
            self.rolled_scores.append(score)
            totals[index] = score + candidate.modifier
        return totals

    def _build_reason(self, index: int) -> Sentence:
        """Return the reason of a candidate's die: its type, numbered if the type occurs twice."""
        terrain = self.candidates[index].terrain
        same_indices = [
            candidate_index for candidate_index, candidate in enumerate(self.candidates) if candidate.terrain is terrain
        ]
        if len(same_indices) == 1:
            return Sentence("optional {kind}", kind=terrain.plain_name)
        return Sentence("optional {kind} {number:d}", kind=terrain.plain_name, number=same_indices.index(index) + 1)


TWO: Final = "two"

_SUIT_BOTH: Final = "dice"


class Selection(Struct, frozen=True, kw_only=True):
    """The selected pieces, compulsory ones first, then optional ones in selection order; and the steps."""

    picks: tuple[PiecePick, ...]
    steps: tuple[Step, ...]


def select_terrain(case: SelectionCase, dice: Dice) -> Selection:
    """Roll for the terrain of the defender's home topography, in the order of 0.5."""
    feature, first = choose_compulsory_feature(case, dice)
    compulsory, second = choose_compulsory_pieces(case, feature, dice)
    places, number = roll_optional_number(case, compulsory, dice)
    optional, pairs = choose_optional_features(case, dice)
    optional_picks, choice = choose_optional_pieces(case, compulsory, optional, places, dice)
    steps = (*first, *second, number, *pairs, choice)
    return Selection(picks=(*compulsory, *optional_picks), steps=steps)


def choose_compulsory_feature(case: SelectionCase, dice: Dice) -> tuple[Terrain, tuple[Step, ...]]:
    """Return the compulsory feature of the home, and its step (SD-3.1-a).

    If the home has two features, roll for it (SD-3.1.1-b).
    """
    features = case.tables.compulsory_types(case.home)
    inputs = {"home": case.home.value}
    if len(features) > 1:
        step = _roll_step("compulsory", case, dice, inputs={**inputs, **_army_inputs(case)})
        return Terrain(step.result), (step,)
    clause = "SD-3.1.1-a" if len(case.tables.topographies[case.home].compulsory) > 1 else "SD-3.1-a"
    return features[0], (_build_step(clause, "compulsory", features[0].value, inputs),)


def choose_compulsory_pieces(
    case: SelectionCase, feature: Terrain, dice: Dice
) -> tuple[tuple[PiecePick, ...], tuple[Step, ...]]:
    """Return one or two compulsory pieces; roll for types that can have two (SD-3.1.2-a).

    The second value has the step of the roll; it is an empty tuple without a roll.
    """
    pick = PiecePick(feature, compulsory=True)
    if not case.tables.pieces[feature].doubled:
        return (pick,), ()
    inputs = {"terrain": feature.value, "defender.bad_goers": case.defender.bad_goer_count}
    step = _roll_step("second_piece", case, dice, inputs=inputs, compulsory=(pick,))
    return (pick, pick) if step.result == TWO else (pick,), (step,)


def roll_optional_number(case: SelectionCase, compulsory: Sequence[PiecePick], dice: Dice) -> tuple[int, Step]:
    """Roll for the number of optional features; return the number and the step (SD-3.2.1-a)."""
    inputs = {**_army_inputs(case), "compulsory": [pick.terrain.value for pick in compulsory]}
    step = _roll_step("optional", case, dice, inputs=inputs, compulsory=compulsory)
    return int(step.result), step


def choose_optional_features(case: SelectionCase, dice: Dice) -> tuple[tuple[Terrain, ...], tuple[Step, ...]]:
    """Return the optional types, and a step for each littoral pair (SD-3.2.2-a, -b).

    The army file or dice choose one type of a pair. Homes that are not littoral have no steps.
    """
    types = case.tables.optional_types(case.home)
    steps = []
    if case.home is Home.LITTORAL:
        for pair in case.tables.pairs:
            chosen_type, step = _choose_type(pair, case, dice)
            types = tuple(terrain for terrain in types if terrain is chosen_type or terrain not in pair.types)
            steps.append(step)
    return types, tuple(steps)


def choose_optional_pieces(
    case: SelectionCase, compulsory: Sequence[PiecePick], optional: Sequence[Terrain], count: int, dice: Dice
) -> tuple[tuple[PiecePick, ...], Step]:
    """Roll for the optional pieces and return them with the step (SD-3.2.3-a..e).

    If ``compulsory`` has no piece of a required kind, one is chosen first. ``optional`` are the possible types;
    ``count`` is the number to choose.
    """
    options = list_candidates(case, compulsory, optional)
    required = case.tables.lacks_required(compulsory)
    choice = choose_pieces(options, count, dice, required=required)
    step = Step(
        clause="SD-3.2.3-a",
        title="solo-dba.step.optional_pieces",
        inputs={
            "candidates": [candidate.terrain.value for candidate in options],
            "scores": list(choice.scores),
            "places": count,
            "required": required,
        },
        dice=choice.dice,
        modifiers=_candidate_modifiers(case) if Terrain.WATERWAY in optional else (),
        row="SD-3.2.3-c" if required else "SD-3.2.3-d",
        result=" ".join(terrain.value for terrain in choice.types),
    )
    return tuple(PiecePick(terrain) for terrain in choice.types), step


def list_candidates(
    case: SelectionCase, compulsory: Sequence[PiecePick], optional: Sequence[Terrain]
) -> tuple[Candidate, ...]:
    """Return the optional pieces to roll for, each with the amount added to its die (SD-3.2.3-a, -b).

    Only a waterway has an amount other than 0.
    """
    modifier = sum_modifiers(_candidate_modifiers(case))
    return tuple(
        Candidate(
            terrain=terrain,
            modifier=modifier if terrain is Terrain.WATERWAY else 0,
            required=case.tables.is_required(terrain),
        )
        for terrain in case.tables.list_candidates(optional, compulsory)
    )


def _candidate_modifiers(case: SelectionCase) -> tuple[AppliedModifier, ...]:
    """Return the modifiers for the die of a waterway, with their states."""
    return find_modifiers("candidate", case, option=Terrain.WATERWAY.value)


def _choose_type(pair: EitherPair, case: SelectionCase, dice: Dice) -> tuple[Terrain, Step]:
    """Return the type of a pair that stays in the selection, and the step.

    Two dice choose it, rolled again while equal, unless the army file does.
    """
    army_choice = str(getattr(case.defender.pairs, pair.key))
    if army_choice != _SUIT_BOTH:
        return Terrain(army_choice), _build_step(pair.clause, pair.key, army_choice, {"army": army_choice})
    all_scores: list[int] = []
    while True:
        scores = [dice.d6(Sentence("{kind} or not", kind=terrain.plain_name), pair.clause) for terrain in pair.types]
        all_scores += scores
        if scores[0] != scores[1]:
            break
    chosen_type = pair.types[scores.index(max(scores))]
    step = Step(
        clause=pair.clause,
        title=f"solo-dba.step.{pair.key}",
        inputs={"army": army_choice},
        dice=tuple(all_scores),
        total=max(scores),
        row=pair.clause,
        result=chosen_type.value,
    )
    return chosen_type, step


def _roll_step(
    table: str, case: SelectionCase, dice: Dice, *, inputs: dict[str, Any], compulsory: Sequence[PiecePick] = ()
) -> Step:
    """Roll the die of a table with its modifiers and return the step.

    ``inputs`` are the facts for the log; ``compulsory`` are the compulsory pieces so far.
    """
    clause, title, reason = _ROLLS[table]
    applied_modifiers, title = find_modifiers(table, case, compulsory), f"solo-dba.step.{title}"
    return roll_on_table(
        case.rules.outcomes(table), applied_modifiers, dice, reason=reason, clause=clause, title=title, inputs=inputs
    )


# For each table: the clause of its die, the name of its step, and the reason of the die in the log.
_ROLLS: Final = {
    "compulsory": ("SD-3.1.1-b", "compulsory", Sentence("compulsory feature")),
    "second_piece": ("SD-3.1.2-a", "second_piece", Sentence("second compulsory piece")),
    "optional": ("SD-3.2.1-a", "optional_number", Sentence("number of optional features")),
}


def _build_step(clause: str, title: str, result: str, inputs: dict[str, Any]) -> Step:
    """Return a step without dice; the rule of ``clause`` gives the result.

    ``title`` is the end of the key of its title.
    """
    return Step(clause=clause, title=f"solo-dba.step.{title}", inputs=inputs, row=clause, result=result)


def _army_inputs(case: SelectionCase) -> dict[str, Any]:
    """Return the element counts of both armies that modifiers compare, for the log."""
    inputs: dict[str, Any] = {}
    for side, force in (("defender", case.defender), ("attacker", case.attacker)):
        inputs |= {f"{side}.mounted": force.mounted_count, f"{side}.bad_goers": force.bad_goer_count}
        inputs |= {f"{side}.spears_and_blades": force.count("Sp", "Bd"), f"{side}.artillery": force.count("Art")}
    return inputs
