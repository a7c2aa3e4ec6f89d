"""Where each group goes: two dice and their modifiers, places that cannot be, landings that are too many (SD-4.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import (
    AppliedModifier,
    Fact,
    ModifierState,
    Procedure,
    Step,
    all_of,
    at_least,
    open_of,
    settled,
    sum_of,
)
from printkit.systems.solo.tactics.grouping import Group, lead_type, written
from printkit.systems.solo.tactics.situation import GROUP, Place, Situation

_TOTALS: Final = range(2, 13)
_HIGH_FACTORS: Final = ("Bd", "Sp", "Pk")
_OTHER: Final = {Place.LEFT: Place.RIGHT, Place.RIGHT: Place.LEFT}


class PositionCase(Struct, frozen=True, kw_only=True):
    """One group that is to be placed; ``number`` is its own, from 1."""

    group: Group
    number: int = 1
    npg: Force
    you: Force
    situation: Situation
    rules: SoloRules

    @property
    def lead(self) -> str:
        """Return the type that the group is taken for."""
        return lead_type(self.group, self.npg, self.rules)

    @property
    def about(self) -> str:
        """Return the name of the group where the ground ahead is judged for each by itself (AMB-33), or nothing."""
        return GROUP.format(self.number) if self.rules.choice("ground_ahead") == "group" else ""

    @property
    def faces_good_going(self) -> Fact:
        """Return whether the ground ahead is good going: that before the Centre, or before the group's part of it."""
        return self.situation.fact(f"{self.about}.ground_ahead_good" if self.about else "ground_ahead_good")

    def any_lead(self, *types: str) -> bool:
        """Return whether the lead type is one of these; by another reading, any element's type (AMB-32)."""
        return any(self.npg.type_of(element) in types for element in self._speaking)

    @property
    def infantry(self) -> bool:
        """Return whether the group is taken for infantry."""
        return any(self.npg.is_infantry(element) for element in self._speaking)

    @property
    def mounted(self) -> bool:
        """Return whether the group is taken for mounted."""
        return any(self.npg.is_mounted(element) for element in self._speaking)

    @property
    def bad_goers(self) -> bool:
        """Return whether the group is taken for bad-going troops."""
        return any(self.npg.is_bad_goer(element) for element in self._speaking)

    @property
    def wheels(self) -> bool:
        """Return whether an element of the group cannot enter bad going."""
        return any(not element.troop.enters_bad_going for element in self.group.elements)

    @property
    def lone_mounted_general(self) -> bool:
        """Return whether this is the mounted general, and nobody else of the army is mounted."""
        return self.npg.mounted == 1 and any(
            element.general and self.npg.is_mounted(element) for element in self.group.elements
        )

    @property
    def _speaking(self) -> Sequence[Element]:
        if self.rules.choice("lead") == "any":
            return self.group.elements
        lead = self.lead
        return [element for element in self.group.elements if self.npg.type_of(element) == lead]

    def outmatched(self) -> bool:
        """Return whether YOU have more foot with high combat factors, and the NPG more mounted (AMB-33)."""
        types = [kind for kind in _HIGH_FACTORS if kind.lower() in self.rules.choice("high_cf")]
        return self.you.count(*types) > self.npg.count(*types) and self.npg.mounted > self.you.mounted


POSITION: Final[Procedure[PositionCase]] = Procedure(
    "position",
    {
        "SD-4.7-m1": lambda case, _: case.lone_mounted_general,
        "SD-4.7-m2": lambda case, _: all_of(case.infantry, case.outmatched(), case.faces_good_going),
        "SD-4.7-m3": lambda case, its: all_of(
            case.any_lead("Cv", "Cm", "Kn", "Bd", "Sp"),
            at_least(case.situation.number("you_reserved_landing"), its("SD-4.7-m3")),
        ),
        "SD-4.7-m4": lambda case, _: all_of(case.mounted, case.situation.both_flanks_bad),
        "SD-4.7-m5": lambda case, _: case.any_lead("Ps", "Ax"),
        "SD-4.7-m6": lambda case, _: (
            not case.lone_mounted_general
            and any(case.npg.type_of(element) in ("El", "Kn") for element in case.group.elements)
        ),
        "SD-4.7-m7": lambda case, _: all_of(case.bad_goers, case.situation.both_flanks_bad),
        "SD-4.7-m8": lambda case, _: not case.lone_mounted_general and case.any_lead("Cv", "Cm", "LH"),
    },
)


class PlacedGroup(Struct, frozen=True, kw_only=True):
    """A group in its place, and how it came there."""

    group: Group
    place: Place
    step: Step

    @property
    def elements(self) -> int:
        """Return how many elements it has."""
        return len(self.group.elements)


def position_modifiers(case: PositionCase) -> tuple[AppliedModifier, ...]:
    """Return the eight modifiers of a group.

    By another reading mixed mounted take only the larger of m6 and m8 (AMB-32).

    Raises:
        ScenarioError: ``unknown`` is ``ask`` and a fact is not known.
    """
    found = settled(POSITION.judge(case, case.rules, case.about), case.rules)
    both = [each for each in found if each.clause in ("SD-4.7-m6", "SD-4.7-m8") and each.state is ModifierState.ON]
    if case.rules.choice("mixed_mounted") != "max" or len(both) < 2:
        return found
    smaller = min(both, key=lambda each: each.amount)
    return tuple(replace(each, state=ModifierState.OFF) if each is smaller else each for each in found)


def place_at(total: int, rules: SoloRules, *, landing: bool) -> tuple[Place, str]:
    """Return the place of a total and the clause of its row (SD-4.7-r1..r5).

    A landing that is not allowed is the Right Flank. Left and right are the NPG's, or by another reading those of the
    person who faces him (AMB-15).
    """
    row = rules.outcomes(POSITION.table).row(total)
    place = Place(row.outcome)
    if place is Place.LANDING and not landing:
        place = Place.RIGHT
    if rules.choice("flank_view") == "human":
        place = _OTHER.get(place, place)
    return place, row.clause


def position(case: PositionCase, dice: Dice, *, landing: bool) -> PlacedGroup:
    """Throw two dice for a group, again while the place cannot be used, and send it there (SD-4.7-e, SD-4.7-j).

    Where no place that can come has room, no more dice are thrown: the person places the group.
    """
    modifiers = position_modifiers(case)
    added = sum_of(modifiers)
    text = written(case.group, case.npg)
    possible = {
        place for total in _TOTALS if _usable(case, place := place_at(total + added, case.rules, landing=landing)[0])
    }
    step = Step(
        clause="SD-4.7-e",
        title="npg.battle.step.position",
        inputs={"group": text, "lead": case.lead},
        modifiers=modifiers,
        open=open_of(modifiers),
    )
    if not possible:
        lost = replace(step, row="SD-4.7-j", result=Place.RESERVE.value, needs_person="npg.battle.person.no_place")
        return PlacedGroup(group=case.group, place=Place.RESERVE, step=lost)
    thrown, refused = list[int](), list[str]()
    while True:
        pair = [
            dice.d6(Sentence("place of {group}, die {number:d}", group=text, number=die), "SD-4.7-e") for die in (1, 2)
        ]
        thrown += pair
        total = sum(pair) + added
        place, row = place_at(total, case.rules, landing=landing)
        if place in possible:
            break
        refused.append(place.value)
    moved = _other_flank(case, place)
    inputs = {**step.inputs, "refused": refused, **({"rolled": place.value} if moved is not place else {})}
    done = replace(
        step,
        inputs=inputs,
        dice=tuple(thrown),
        total=total,
        row=row if moved is place else "SD-4.7-d10",
        result=moved.value,
    )
    return PlacedGroup(group=case.group, place=moved, step=done)


def positions(
    groups: Sequence[Group],
    npg: Force,
    you: Force,
    situation: Situation,
    rules: SoloRules,
    dice: Dice,
    *,
    landing: bool,
) -> tuple[tuple[PlacedGroup, ...], tuple[Step, ...]]:
    """Place every group in its order, then settle a landing of too many; returns the groups and that step, if any."""
    found = tuple(
        position(
            PositionCase(group=group, number=number, npg=npg, you=you, situation=situation, rules=rules),
            dice,
            landing=landing,
        )
        for number, group in enumerate(groups, 1)
    )
    return landed(found, npg, rules, dice)


def landed(
    groups: Sequence[PlacedGroup], npg: Force, rules: SoloRules, dice: Dice
) -> tuple[tuple[PlacedGroup, ...], tuple[Step, ...]]:
    """Return the groups with at most four elements that land (SD-4.7-d2, AMB-37).

    Where more were sent, each such group throws a die: the highest lands, the others go to the Right Flank. Tied
    groups dice again. By another reading lower ones land too while no more than four elements do.
    """
    sent = [placed for placed in groups if placed.place is Place.LANDING]
    most = rules.whole("landing_elements_max")
    if sum(placed.elements for placed in sent) <= most:
        return tuple(groups), ()
    ranked, thrown = _ranked(sent, npg, dice)
    landing, room = [ranked[0]], most - ranked[0].elements
    if rules.on("landing_fill"):
        for placed in ranked[1:]:
            if placed.elements <= room:
                landing.append(placed)
                room -= placed.elements
    right = Place.LEFT if rules.choice("flank_view") == "human" else Place.RIGHT
    found = tuple(
        replace(placed, place=right)
        if placed.place is Place.LANDING and not any(placed is each for each in landing)
        else placed
        for placed in groups
    )
    step = Step(
        clause="SD-4.7-d2",
        title="npg.battle.step.landing_groups",
        inputs={"sent": [written(placed.group, npg) for placed in sent]},
        dice=tuple(thrown),
        row="SD-4.7-d2",
        result=" ".join(written(placed.group, npg) for placed in landing),
    )
    return found, (step,)


def _ranked(sent: Sequence[PlacedGroup], npg: Force, dice: Dice) -> tuple[list[PlacedGroup], list[int]]:
    """Return the groups with the highest die first, and every die; only groups that tie throw again."""
    thrown: list[int] = []

    def order(tied: Sequence[PlacedGroup]) -> list[PlacedGroup]:
        if len(tied) == 1:
            return list(tied)
        reasons = [Sentence("landing of {group}", group=written(placed.group, npg)) for placed in tied]
        scores = [dice.d6(reason, "SD-4.7-d2") for reason in reasons]
        thrown.extend(scores)
        found: list[PlacedGroup] = []
        for score in sorted(set(scores), reverse=True):
            alike = [placed for placed, die in zip(tied, scores, strict=True) if die == score]
            # Below the first only the order matters to those who fill up; a tie there stays in group order.
            found += order(alike) if not found else alike
        return found

    return order(sent), thrown


def _usable(case: PositionCase, place: Place) -> bool:
    """Return whether a place may take the group; ground that nobody knows is taken to be open."""
    held: Fact = case.situation.holds(place, len(case.group.elements), wheels=case.wheels)
    return held is not False


def _other_flank(case: PositionCase, place: Place) -> Place:
    """Return the other flank for troops that are no bad-going troops, off one with bad going (SD-4.7-d10)."""
    if place not in _OTHER or case.npg.is_bad_goer(_leader(case)):
        return place
    other = _OTHER[place]
    leaves = case.situation.flank_bad(place) is True and case.situation.flank_clear(other) is True
    return other if leaves and _usable(case, other) else place


def _leader(case: PositionCase) -> Element:
    lead = case.lead
    return next(element for element in case.group.elements if case.npg.type_of(element) == lead)
