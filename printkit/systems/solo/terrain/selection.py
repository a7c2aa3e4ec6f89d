"""Select terrain (sections 3.1 and 3.2): compulsory pieces, then number and types of optional ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.dba.ground.legal import PiecePick, Terrain
from printkit.systems.solo.armies.force import Home
from printkit.systems.solo.armies.steps import AppliedModifier, Step, sum_of, throw_on
from printkit.systems.solo.terrain.topography import EitherPair, SelectionCase, modifiers

# --- Choose the optional pieces ---------------------------------------------------------------------------------------


class Candidate(Struct, frozen=True, kw_only=True):
    """A possible piece: the amount added to its die (SD-3.2.3-b), and whether its kind is required (-c)."""

    terrain: Terrain
    added: int = 0
    required: bool = False


class PieceChoice(Struct, frozen=True, kw_only=True):
    """The chosen pieces in order, the totals of all candidates, and every die in order."""

    chosen: tuple[Terrain, ...]
    scores: tuple[int, ...]
    dice: tuple[int, ...]


def choose(candidates: Sequence[Candidate], places: int, dice: Dice, *, required: bool) -> PieceChoice:
    """Roll for the candidates and return the chosen ones.

    Args:
        candidates: the candidates in the order of the topography table, which is the dice order.
        places: the number to choose; fewer if there are fewer candidates.
        dice: a die is rolled for each candidate, and again for those in a tie that decides.
        required: choose the best candidate of a required kind first (SD-3.2.3-c).
    """
    return _Choosing(tuple(candidates), dice).run(places, required=required)


class _Choosing(Struct):
    """A choice in progress; ``thrown`` are all dice so far."""

    candidates: tuple[Candidate, ...]
    dice: Dice
    thrown: list[int] = field(default_factory=list)

    def run(self, places: int, *, required: bool) -> PieceChoice:
        scores = self._throw(range(len(self.candidates)), "SD-3.2.3-a")
        chosen = self._first(scores, places, required=required)
        rest = [place for place in scores if place not in chosen]
        chosen += self._best(rest, scores, places - len(chosen))
        return PieceChoice(
            chosen=tuple(self.candidates[place].terrain for place in chosen),
            scores=tuple(scores.values()),
            dice=tuple(self.thrown),
        )

    def _first(self, scores: Mapping[int, int], places: int, *, required: bool) -> list[int]:
        """Return the best candidate of a required kind, if one is still required (SD-3.2.3-c)."""
        able = [place for place in scores if self.candidates[place].required]
        return self._best(able, scores, min(1, places)) if required else []

    def _best(self, able: Sequence[int], scores: Mapping[int, int], places: int) -> list[int]:
        """Return the candidates with the highest totals; a tie that decides is rolled again (AMB-13)."""
        ranked = sorted(able, key=lambda place: (-scores[place], place))
        if len(ranked) <= places or places <= 0:
            return ranked[: max(0, places)]
        line = scores[ranked[places - 1]]
        above = [place for place in ranked if scores[place] > line]
        tied = [place for place in ranked if scores[place] == line]
        if len(above) + len(tied) == places or len({self.candidates[place].terrain for place in tied}) == 1:
            return ranked[:places]
        return above + self._best(tied, self._throw(sorted(tied), "SD-3.2.3-e"), places - len(above))

    def _throw(self, places: Sequence[int] | range, clause: str) -> dict[int, int]:
        """Roll a die for each of these candidates in the given order and return their totals."""
        found = {}
        for place in places:
            candidate = self.candidates[place]
            score = self.dice.d6(self._reason(place), clause)
            self.thrown.append(score)
            found[place] = score + candidate.added
        return found

    def _reason(self, place: int) -> Sentence:
        """Return the reason of a candidate's die: its type, numbered if the type occurs twice."""
        own = self.candidates[place].terrain
        same = [other for other, candidate in enumerate(self.candidates) if candidate.terrain is own]
        if len(same) == 1:
            return Sentence("optional {kind}", kind=_plain(own))
        return Sentence("optional {kind} {number:d}", kind=_plain(own), number=same.index(place) + 1)


TWO: Final = "two"

_SUIT_BOTH: Final = "dice"


class Selection(Struct, frozen=True, kw_only=True):
    """The selected pieces, compulsory ones first, then optional ones in selection order; and the steps."""

    picks: tuple[PiecePick, ...]
    steps: tuple[Step, ...]


def select(case: SelectionCase, dice: Dice) -> Selection:
    """Roll for the terrain of the defender's home topography, in the order of 0.5."""
    feature, first = compulsory_feature(case, dice)
    compulsory, second = compulsory_pieces(case, feature, dice)
    places, number = optional_number(case, compulsory, dice)
    optional, pairs = optional_features(case, dice)
    chosen, choice = optional_pieces(case, compulsory, optional, places, dice)
    steps = (*first, *second, number, *pairs, choice)
    return Selection(picks=(*compulsory, *chosen), steps=steps)


def compulsory_feature(case: SelectionCase, dice: Dice) -> tuple[Terrain, tuple[Step, ...]]:
    """Return the compulsory feature of the home (SD-3.1-a); with two features roll for it (SD-3.1.1-b)."""
    offered = case.country.compulsory_of(case.home)
    inputs = {"home": case.home.value}
    if len(offered) > 1:
        step = _thrown("compulsory", case, dice, inputs={**inputs, **_armies(case)})
        return Terrain(step.result), (step,)
    clause = "SD-3.1.1-a" if len(case.country.topographies[case.home].compulsory) > 1 else "SD-3.1-a"
    return offered[0], (_told(clause, "compulsory", offered[0].value, inputs),)


def compulsory_pieces(
    case: SelectionCase, feature: Terrain, dice: Dice
) -> tuple[tuple[PiecePick, ...], tuple[Step, ...]]:
    """Return one or two compulsory pieces; roll for types that can have two (SD-3.1.2-a)."""
    one = PiecePick(feature, compulsory=True)
    if not case.country.pieces[feature].doubled:
        return (one,), ()
    inputs = {"terrain": feature.value, "defender.bad_goers": case.defender.bad_goers}
    step = _thrown("second_piece", case, dice, inputs=inputs, compulsory=(one,))
    return (one, one) if step.result == TWO else (one,), (step,)


def optional_number(case: SelectionCase, compulsory: Sequence[PiecePick], dice: Dice) -> tuple[int, Step]:
    """Roll for the number of optional features (SD-3.2.1-a)."""
    inputs = {**_armies(case), "compulsory": [pick.terrain.value for pick in compulsory]}
    step = _thrown("optional", case, dice, inputs=inputs, compulsory=compulsory)
    return int(step.result), step


def optional_features(case: SelectionCase, dice: Dice) -> tuple[tuple[Terrain, ...], tuple[Step, ...]]:
    """Return the optional types; the army file or dice choose one of a littoral pair (SD-3.2.2-a, -b)."""
    offered = case.country.optional_of(case.home)
    steps = []
    if case.home is Home.LITTORAL:
        for pair in case.country.pairs:
            kept, step = _one_of(pair, case, dice)
            offered = tuple(terrain for terrain in offered if terrain is kept or terrain not in pair.either)
            steps.append(step)
    return offered, tuple(steps)


def optional_pieces(
    case: SelectionCase, compulsory: Sequence[PiecePick], optional: Sequence[Terrain], places: int, dice: Dice
) -> tuple[tuple[PiecePick, ...], Step]:
    """Roll for the optional pieces; choose a required one first if none is present (SD-3.2.3-a..e)."""
    able = candidates(case, compulsory, optional)
    required = case.country.lacks_required(compulsory)
    choice = choose(able, places, dice, required=required)
    step = Step(
        clause="SD-3.2.3-a",
        title="solo-dba.step.optional_pieces",
        inputs={
            "candidates": [candidate.terrain.value for candidate in able],
            "scores": list(choice.scores),
            "places": places,
            "required": required,
        },
        dice=choice.dice,
        modifiers=_of_candidates(case) if Terrain.WATERWAY in optional else (),
        row="SD-3.2.3-c" if required else "SD-3.2.3-d",
        result=" ".join(terrain.value for terrain in choice.chosen),
    )
    return tuple(PiecePick(terrain) for terrain in choice.chosen), step


def candidates(
    case: SelectionCase, compulsory: Sequence[PiecePick], optional: Sequence[Terrain]
) -> tuple[Candidate, ...]:
    """Return the pieces to roll for, each with the amount added to its die (SD-3.2.3-a, -b)."""
    added = sum_of(_of_candidates(case))
    return tuple(
        Candidate(
            terrain=terrain,
            added=added if terrain is Terrain.WATERWAY else 0,
            required=case.country.is_required(terrain),
        )
        for terrain in case.country.candidates(optional, compulsory)
    )


def _of_candidates(case: SelectionCase) -> tuple[AppliedModifier, ...]:
    return modifiers("candidate", case, about=Terrain.WATERWAY.value)


def _one_of(pair: EitherPair, case: SelectionCase, dice: Dice) -> tuple[Terrain, Step]:
    """Return the type of a pair that stays in the selection, and the step."""
    suits = str(getattr(case.defender.pairs, pair.key))
    if suits != _SUIT_BOTH:
        return Terrain(suits), _told(pair.clause, pair.key, suits, {"army": suits})
    thrown: list[int] = []
    while True:
        scores = [dice.d6(Sentence("{kind} or not", kind=_plain(terrain)), pair.clause) for terrain in pair.either]
        thrown += scores
        if scores[0] != scores[1]:
            break
    kept = pair.either[scores.index(max(scores))]
    step = Step(
        clause=pair.clause,
        title=f"solo-dba.step.{pair.key}",
        inputs={"army": suits},
        dice=tuple(thrown),
        total=max(scores),
        row=pair.clause,
        result=kept.value,
    )
    return kept, step


def _thrown(
    table: str, case: SelectionCase, dice: Dice, *, inputs: dict[str, Any], compulsory: Sequence[PiecePick] = ()
) -> Step:
    """Roll the die of a table with its modifiers and return the step."""
    clause, title, reason = _THROWN[table]
    found, title = modifiers(table, case, compulsory), f"solo-dba.step.{title}"
    return throw_on(case.rules.outcomes(table), found, dice, reason=reason, clause=clause, title=title, inputs=inputs)


# For each table: the clause of its die, the name of its step, and the reason of the die in the log.
_THROWN: Final = {
    "compulsory": ("SD-3.1.1-b", "compulsory", Sentence("compulsory feature")),
    "second_piece": ("SD-3.1.2-a", "second_piece", Sentence("second compulsory piece")),
    "optional": ("SD-3.2.1-a", "optional_number", Sentence("number of optional features")),
}


def _told(clause: str, title: str, result: str, inputs: dict[str, Any]) -> Step:
    return Step(clause=clause, title=f"solo-dba.step.{title}", inputs=inputs, row=clause, result=result)


def _armies(case: SelectionCase) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for side, force in (("defender", case.defender), ("attacker", case.attacker)):
        found |= {f"{side}.mounted": force.mounted, f"{side}.bad_goers": force.bad_goers}
        found |= {f"{side}.spears_and_blades": force.count("Sp", "Bd"), f"{side}.artillery": force.count("Art")}
    return found


def _plain(terrain: Terrain) -> str:
    return terrain.value.replace("_", " ")
