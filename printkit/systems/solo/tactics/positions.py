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
    Procedure,
    Step,
    all_facts,
    is_at_least,
    list_open_clauses,
    sum_modifiers,
)
from printkit.systems.solo.tactics.grouping import Group, lead_type, written
from printkit.systems.solo.tactics.situation import Place, Situation

_TOTALS: Final = range(2, 13)
_HIGH_FACTORS: Final = ("Bd", "Sp", "Pk")
_OTHER: Final = {Place.LEFT: Place.RIGHT, Place.RIGHT: Place.LEFT}


class PositionCase(Struct, frozen=True, kw_only=True):
    """One group that is to be placed."""

    group: Group
    npg: Force
    you: Force
    situation: Situation
    rules: SoloRules

    @property
    def lead(self) -> str:
        """Return the type that the group is taken for."""
        return lead_type(self.group, self.rules)

    @property
    def leader(self) -> Element:
        """Return an element of the type that the group is taken for (AMB-32)."""
        lead = self.lead
        return next(element for element in self.group.elements if element.troop.code == lead)

    @property
    def bad_goers(self) -> bool:
        """Return whether the group is taken for bad-going troops."""
        return self.leader.troop.bad_goer

    @property
    def wheels(self) -> bool:
        """Return whether an element of the group cannot enter bad going."""
        return any(not element.troop.enters_bad_going for element in self.group.elements)

    @property
    def lone_mounted_general(self) -> bool:
        """Return whether this is the mounted general, and nobody else of the army is mounted."""
        return self.npg.mounted_count == 1 and any(
            element.general and element.troop.mounted for element in self.group.elements
        )

    def outmatched(self) -> bool:
        """Return whether YOU have more foot with high combat factors, and the NPG more mounted (AMB-33)."""
        return (
            self.you.count(*_HIGH_FACTORS) > self.npg.count(*_HIGH_FACTORS)
            and self.npg.mounted_count > self.you.mounted_count
        )


POSITION: Final[Procedure[PositionCase]] = Procedure(
    "position",
    {
        "SD-4.7-m1": lambda case, _: case.lone_mounted_general,
        "SD-4.7-m2": lambda case, _: all_facts(
            case.leader.troop.infantry, case.outmatched(), case.situation.fact("ground_ahead_good")
        ),
        "SD-4.7-m3": lambda case, its: all_facts(
            case.lead in ("Cv", "Cm", "Kn", "Bd", "Sp"),
            is_at_least(case.situation.number("you_reserved_landing"), its("SD-4.7-m3")),
        ),
        "SD-4.7-m4": lambda case, _: all_facts(case.leader.troop.mounted, case.situation.both_flanks_bad),
        "SD-4.7-m5": lambda case, _: case.lead in ("Ps", "Ax"),
        "SD-4.7-m6": lambda case, _: (
            not case.lone_mounted_general and any(element.troop.code in ("El", "Kn") for element in case.group.elements)
        ),
        "SD-4.7-m7": lambda case, _: all_facts(case.bad_goers, case.situation.both_flanks_bad),
        "SD-4.7-m8": lambda case, _: not case.lone_mounted_general and case.lead in ("Cv", "Cm", "LH"),
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
    """Return the eight modifiers of a group."""
    return POSITION.judge(case, case.rules)


def place_at(total: int, rules: SoloRules, *, landing: bool) -> tuple[Place, str]:
    """Return the place of any total of dice and modifiers, and the clause of its row (SD-4.7-r1..r5).

    ``landing`` says whether a landing is allowed. One that is not is the Right Flank, with the clause of the landing.
    Left and right are the NPG's (AMB-15).
    """
    row = rules.outcomes(POSITION.table).row(total)
    place = Place(row.outcome)
    if place is Place.LANDING and not landing:
        place = Place.RIGHT
    return place, row.clause


def position(case: PositionCase, dice: Dice, *, landing: bool) -> PlacedGroup:
    """Throw two dice for a group, again while the place cannot be used, and send it there (SD-4.7-e, SD-4.7-j).

    Where no place that can come has room, no more dice are thrown: the person places the group.
    """
    modifiers = position_modifiers(case)
    added = sum_modifiers(modifiers)
    text = written(case.group)
    possible = {
        place for total in _TOTALS if _usable(case, place := place_at(total + added, case.rules, landing=landing)[0])
    }
    step = Step(
        clause="SD-4.7-e",
        title="npg.battle.step.position",
        inputs={"group": text, "lead": case.lead},
        modifiers=modifiers,
        open=list_open_clauses(modifiers),
    )
    if not possible:
        lost = replace(step, row="SD-4.7-j", result=Place.RESERVE.value, question_key="npg.battle.person.no_place")
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
        position(PositionCase(group=group, npg=npg, you=you, situation=situation, rules=rules), dice, landing=landing)
        for group in groups
    )
    return landed(found, rules, dice)


def landed(
    groups: Sequence[PlacedGroup], rules: SoloRules, dice: Dice
) -> tuple[tuple[PlacedGroup, ...], tuple[Step, ...]]:
    """Return the groups with at most four elements that land (SD-4.7-d2, AMB-37).

    Where more were sent, each such group throws a die: the highest lands, the others go to the Right Flank. Tied
    groups dice again.
    """
    sent = [placed for placed in groups if placed.place is Place.LANDING]
    if sum(placed.elements for placed in sent) <= rules.whole("landing_elements_max"):
        return tuple(groups), ()
    landing, thrown = _highest(sent, dice)
    found = tuple(
        replace(placed, place=Place.RIGHT) if placed.place is Place.LANDING and placed is not landing else placed
        for placed in groups
    )
    step = Step(
        clause="SD-4.7-d2",
        title="npg.battle.step.landing_groups",
        inputs={"sent": [written(placed.group) for placed in sent]},
        dice=tuple(thrown),
        row="SD-4.7-d2",
        result=written(landing.group),
    )
    return found, (step,)


def _highest(sent: Sequence[PlacedGroup], dice: Dice) -> tuple[PlacedGroup, list[int]]:
    """Return the group with the highest die, and every die; groups that tie for it throw again."""
    tied, thrown = list(sent), list[int]()
    while len(tied) > 1:
        reasons = [Sentence("landing of {group}", group=written(placed.group)) for placed in tied]
        scores = [dice.d6(reason, "SD-4.7-d2") for reason in reasons]
        thrown += scores
        tied = [placed for placed, die in zip(tied, scores, strict=True) if die == max(scores)]
    return tied[0], thrown


def _usable(case: PositionCase, place: Place) -> bool:
    """Return whether a place may take the group; ground that nobody knows is taken to be open."""
    held: Fact = case.situation.holds(place, len(case.group.elements), wheels=case.wheels)
    return held is not False


def _other_flank(case: PositionCase, place: Place) -> Place:
    """Return the other flank for troops that are no bad-going troops, off one with bad going (SD-4.7-d10)."""
    if place not in _OTHER or case.bad_goers:
        return place
    other = _OTHER[place]
    leaves = case.situation.flank_bad(place) is True and case.situation.flank_clear(other) is True
    return other if leaves and _usable(case, other) else place
