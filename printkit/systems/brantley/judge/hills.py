"""Checks of the dice and choices of hills: their results and their order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, NamedTuple

from printkit.chance.dice import Act, Throw
from printkit.chance.tables import DieRow
from printkit.core.errors import Sentence, joined
from printkit.kit.case import score
from printkit.kit.checks import Faults, UnseenError, combine_checks, ignoring_hand_edits
from printkit.systems.brantley.dealing.deal import SIDES
from printkit.systems.brantley.dealing.game_rules import HILL_DICE
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.slopes import JudgedRelief, in_words, reliefs, sides_are_named
from printkit.terrain.field.features import Kind

# The outcome of the slope table that makes every side steep.
_ALL: Final = "all"

_COVERS: Final[Mapping[str, Kind | None]] = {
    "heavy_woods": Kind.HEAVY_WOODS,
    "light_woods": Kind.LIGHT_WOODS,
    "open": None,
}


class HillRows(NamedTuple):
    """The rows of the slope and woods tables from the two dice of a hill; None if the log lacks a die."""

    relief: JudgedRelief
    slope: DieRow[str] | None
    woods: DieRow[str] | None

    @property
    def all_round(self) -> bool:
        """Return whether the slope die made the hill steep on every side."""
        return self.slope is not None and self.slope.outcome == _ALL


class HillDie(NamedTuple):
    """A logged hill die: its roll, the ID of its hill, and its table (slope or woods)."""

    throw: Throw
    hill: str
    sort: str


def hill_dice(case: BrantleyCase) -> tuple[HillRows, ...]:
    """Return the table rows of each hill.

    Raises:
        UnseenError: there is no log.
    """
    dice = {(die.hill, die.sort): die.throw for die in _dice(case)}
    slopes, covers = case.rules.outcomes("slope"), case.rules.outcomes("woods")
    found = []
    for relief in reliefs(case):
        holds = ("two levels",) if len(relief.hill.contours) > 1 else ()
        slope, woods = (dice.get((relief.id, sort)) for sort in ("slope", "woods"))
        found.append(
            HillRows(
                relief,
                slopes.row(slopes.apply_modifiers(score(slope), holds)) if slope else None,
                covers.row(score(woods)) if woods else None,
            )
        )
    return tuple(found)


def slope_is_thrown(case: BrantleyCase) -> Faults:
    """Check that each hill has a slope die; the modifier for two levels shows in its slopes (BR-321)."""
    yield from (
        Sentence("the log has no slope die for {relief}", relief=thrown.relief.id)
        for thrown in hill_dice(case)
        if not thrown.slope
    )


def woods_are_thrown(case: BrantleyCase) -> Faults:
    """Check that each hill has a woods die (BR-328, BR-Q05)."""
    yield from (
        Sentence("the log has no woods die for {relief}", relief=thrown.relief.id)
        for thrown in hill_dice(case)
        if not thrown.woods
    )


def slopes_by(clause: str, case: BrantleyCase) -> Faults:
    """Check that hills with a slope score in the row of a clause have the steep sides of that row."""
    for relief, slope, _ in hill_dice(case):
        if slope is None or slope.clause != clause:
            continue
        due = SIDES if slope.outcome == _ALL else int(slope.outcome)
        if len(relief.steep) != due:
            yield Sentence(
                "{relief} has {count} steep slopes; the slope score {span} gives {due}",
                relief=relief.id,
                count=len(relief.steep),
                span=slope.span,
                due=due,
            )
        if slope.outcome == _ALL and not relief.says("impassable"):
            yield Sentence(
                "{relief} is {going} going; a hill that is steep on every side is impassable",
                relief=relief.id,
                going=relief.hill.going.name,
            )


def woods_by(clause: str, case: BrantleyCase) -> Faults:
    """Check that hills with a woods die in the row of a clause have the cover and going of that row."""
    for thrown in hill_dice(case):
        relief, woods = thrown.relief, thrown.woods
        if woods is None or woods.clause != clause:
            continue
        cover = _COVERS[woods.outcome]
        if relief.hill.cover is not cover:
            yield Sentence(
                "{relief} is {relief_cover}; the woods die {span} makes it {cover}",
                relief=relief.id,
                relief_cover=relief.cover,
                span=woods.span,
                cover=in_words(cover),
            )
        due = "impassable" if thrown.all_round else relief.cover_going(cover)
        if not relief.says(due):
            yield Sentence(
                "{relief} is {going} going; the woods die {span} makes it {due}",
                relief=relief.id,
                going=relief.hill.going.name,
                span=woods.span,
                due=due,
            )


def dice_in_order(case: BrantleyCase) -> Faults:
    """Check the order of the dice: by zone, the slope before the woods, without further dice (BR-D2, BR-Q04)."""
    due = _places(case)
    found = [(die.hill, die.sort) for die in _dice(case)]
    if [place for place in due if place in found] != found:
        thrown = joined(
            Sentence("{sort} of {hill}", sort=sort, hill=hill or Sentence("no hill")) for hill, sort in found
        )
        yield Sentence(
            "the hill dice are in the order {thrown}; it should be {due}",
            thrown=thrown,
            due=joined(Sentence("{sort} of {hill}", sort=sort, hill=hill) for hill, sort in due),
        )


def turned_after_the_dice(case: BrantleyCase) -> Faults:
    """Check that a hill is rotated after its dice are known (BR-332)."""
    turned: dict[str, int] = {}
    thrown: dict[str, int] = {}
    for place, throw in enumerate(case.throws("hills")):
        when = turned if throw.clause == "BR-342" else thrown if throw.act is Act.DIE else {}
        when.update(dict.fromkeys(case.named_in(throw), place))
    if case.hills() and not turned:
        raise UnseenError("the log does not say when the hills were turned")
    for hill, place in turned.items():
        if place < thrown.get(hill, place):
            yield Sentence("{hill} was turned before its dice were rolled", hill=hill)


def sides_as_chosen(case: BrantleyCase) -> Faults:
    """Check that the steep sides are those that the placer chose, if the log has them (BR-327)."""
    for throw in (throw for throw in case.record.log if throw.clause == "BR-327"):
        for relief in (relief for relief in reliefs(case) if relief.id in case.named_in(throw)):
            sides = ",".join(str(face.side) for face in sorted(relief.steep, key=lambda face: face.side))
            if throw.answer != sides:
                yield Sentence(
                    "the steep slopes of {relief} are {sides}; whoever placed it named {answer}",
                    relief=relief.id,
                    sides=sides or Sentence("none"),
                    answer=throw.answer,
                )


def _places(case: BrantleyCase) -> list[tuple[str, str]]:
    """Return the expected dice of all hills in order (BR-D2)."""
    return [(hill.id, die) for hill in case.hills() for die in HILL_DICE]


def _dice(case: BrantleyCase) -> list[HillDie]:
    """Return the hill dice of the log; the order decides if clause and reason do not identify a die."""
    places, found = _places(case), []
    for place, throw in enumerate(case.dice("hills")):
        hill, sort = places[place] if place < len(places) else ("", HILL_DICE[place % 2])
        named = case.named_in(throw)
        found.append(HillDie(throw, named[0] if named else hill, _sort(case, throw) or sort))
    return found


def _sort(case: BrantleyCase, throw: Throw) -> str:
    """Return the table of a hill die by its clauses (slope or woods), or an empty text."""
    cited = set(throw.clause.split(","))
    dice = (die for die in HILL_DICE if cited & {row.clause for row in case.rules.outcomes(die).rows})
    return next(dice, "")


CHECKS: Final[Mapping[str, Check]] = {
    "BR-321": slope_is_thrown,
    **{clause: partial(slopes_by, clause) for clause in ("BR-322", "BR-323", "BR-324", "BR-325")},
    "BR-327": combine_checks(sides_are_named, sides_as_chosen),
    "BR-328": woods_are_thrown,
    **{clause: partial(woods_by, clause) for clause in ("BR-329", "BR-330", "BR-331")},
    "BR-332": turned_after_the_dice,
    "BR-D2": ignoring_hand_edits(dice_in_order),
    "BR-Q04": ignoring_hand_edits(dice_in_order),
    "BR-Q05": woods_are_thrown,
}
