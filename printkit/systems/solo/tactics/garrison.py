"""Whether a defending NPG garrisons the built-up area, and with which element (SD-4.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.procedures import Procedure, garrison_choices, is_yes
from printkit.systems.solo.armies.steps import Fact, Step
from printkit.systems.solo.tactics.camp import SPEAR
from printkit.systems.solo.tactics.situation import Situation
from printkit.terrain.field.battlefield import Edge

NONE: Final = "none"

_WHEN: Final = {
    "any": lambda number: number >= 1,
    "odd": lambda number: number % 2 == 1,
    "not_threes": lambda number: number % 3 != 0,
}


class GarrisonCase(Struct, frozen=True, kw_only=True):
    """The defender as he is counted, the attacker whole, and the side on which the built-up area lies."""

    defender: Force
    attacker: Force
    own_side: Fact
    needs_psiloi: bool = False

    @property
    def screened(self) -> bool:
        """Return whether the attacker has Ps with Ax, Sp or Bd (AMB-27)."""
        return self.attacker.count("Ps") >= 1 and self.attacker.count("Ax", "Sp", "Bd") >= 1


GARRISON: Final[Procedure[GarrisonCase]] = Procedure(
    "garrison",
    {
        "SD-4.4-m1": lambda case, _: case.defender.count("Bd") >= 1,
        "SD-4.4-m2": lambda case, _: case.attacker.infantry == case.attacker.count("Ps"),
        "SD-4.4-m3": lambda case, _: case.defender.count("Sp") >= 1,
        "SD-4.4-m4": lambda case, _: case.attacker.count("Sp", "El") >= 1,
        "SD-4.4-m5": lambda case, least: (
            case.screened or (not case.needs_psiloi and case.attacker.count("Sp") >= least)
        ),
        "SD-4.4-m6": lambda case, least: case.attacker.count("Bd") >= 1 or case.attacker.count("Pk") >= least,
        "SD-4.4-m7": lambda case, _: case.defender.infantry == case.defender.count("Bw", "Ps"),
        "SD-4.4-m8": lambda case, _: case.own_side,
    },
)


def without(force: Force, *elements: Element) -> Force:
    """Return a force without elements that stand elsewhere; each is taken out once."""
    left = list(force.elements)
    for element in elements:
        left.remove(element)
    return replace(force, elements=tuple(left))


def camp_spear(npg: Force) -> Element:
    """Return the Sp that holds the camp: the general's only where there is no other.

    Raises:
        StopIteration: the army has no Sp.
    """
    spears = [element for element in npg.elements if npg.type_of(element) == "Sp"]
    return next(iter(sorted(spears, key=lambda element: element.general)))


def after_camp(npg: Force, camp: str) -> Force:
    """Return the army less the Sp in its camp (AMB-29)."""
    return without(npg, camp_spear(npg)) if camp == SPEAR else npg


def garrison_choice(left: Force, counted: Force, settings: Mapping[str, str]) -> tuple[Element, str] | None:
    """Return who would garrison, and by which clause (SD-4.4-p1..p9); None where nobody can (AMB-28).

    The general stays out: a type of which only he is left is passed over. He goes in only where no type gives another
    (AMB-29).

    Args:
        left: the elements that are not in the camp.
        counted: the army by whose numbers the order goes: the same, or the one of the start.
        settings: the readings.
    """
    offers = list(_offers(left, counted, settings))
    others = [offer for offer in offers if not offer[0].general]
    return next(iter(others or offers), None)


def bua_garrison(
    npg: Force, you: Force, camp: str, situation: Situation, settings: Mapping[str, str], dice: Dice, edge: Edge | None
) -> tuple[Element | None, Step]:
    """Return the element in the built-up area, or None, for a defending NPG (SD-4.4).

    No die is thrown without a built-up area, without foot, or where the order yields nobody.

    Args:
        npg: the defender, whole.
        you: the attacker.
        camp: who holds the camp.
        situation: facts of the table.
        settings: the readings.
        dice: throws.
        edge: the NPG's base edge where it is known.
    """
    left = after_camp(npg, camp)
    counted = npg if settings.get("garrison_counts") == "start" else left
    inputs = {"bua": situation.bua, "foot": left.infantry}
    choice = garrison_choice(left, counted, settings) if left.infantry >= 1 else None
    if not situation.bua or choice is None:
        why = "npg.battle.person.bua" if situation.bua is None else ""
        step = Step(clause="SD-4.4-a", title="npg.battle.step.garrison", inputs=inputs, result=NONE, needs_person=why)
        return None, step
    case = GarrisonCase(
        defender=counted,
        attacker=you,
        own_side=situation.bua_own_side(edge),
        needs_psiloi=settings.get("m5_reading") == "ps_needed",
    )
    step = GARRISON.throw(
        case, dice, settings, reason="garrison of the built-up area", clause="SD-4.4-a", inputs=inputs
    )
    if step.result == NONE:
        return None, step
    element, clause = choice
    return element, replace(step, result=element.code, inputs={**inputs, "chosen_by": clause})


def _offers(left: Force, counted: Force, settings: Mapping[str, str]) -> Iterator[tuple[Element, str]]:
    """Yield what each place of the order offers; of a type the general last."""
    for choice in garrison_choices():
        of_type = [element for element in left.elements if left.type_of(element) == choice.type]
        if of_type and _WHEN[choice.when](counted.count(choice.type)):
            yield min(of_type, key=lambda element: element.general), choice.clause
    if is_yes(settings, "garrison_even_pk"):
        pikes = [element for element in left.elements if left.type_of(element) == "Pk"]
        if pikes:
            yield min(pikes, key=lambda element: element.general), "AMB-28"
