"""Whether a littoral NPG may keep troops back to land from the waterway (SD-4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.procedures import Procedure, number
from printkit.systems.solo.armies.steps import Fact, Step, all_of, any_of, at_least
from printkit.systems.solo.tactics.situation import Situation, facing
from printkit.terrain.field.battlefield import Edge

ALLOWED: Final = "allowed"
NOT_ALLOWED: Final = "none"

HEAVY_FOOT: Final = ("Pk", "Bd", "Sp")


class LandingCase(Struct, frozen=True, kw_only=True):
    """Both armies, who attacks, the table, and the NPG's base edge where it is known."""

    npg: Force
    you: Force
    npg_attacks: bool
    situation: Situation
    edge: Edge | None = None

    @property
    def cover_at_shore(self) -> Fact:
        """Return whether bad going near line and shore suits troops of the NPG: Ax, and in dunes Cm too (AMB-35)."""
        rough, dunes = self.situation.fact("bad_going_at_shore"), self.situation.fact("dunes_at_shore")
        return any_of(all_of(rough, self.npg.count("Ax") >= 1), all_of(dunes, self.npg.count("Ax", "Cm") >= 1))

    @property
    def water_at_your_rear(self) -> Fact:
        """Return whether a waterway runs along YOUR base edge."""
        return None if self.edge is None else self.situation.waterway_at(facing(self.edge))


def _slow_general(case: LandingCase, paces: int) -> Fact:
    return None if case.npg.general is None else case.npg.general.troop.move <= paces


LANDING: Final[Procedure[LandingCase]] = Procedure(
    "landing",
    {
        "SD-4.6-m1": lambda case, _: case.npg_attacks,
        "SD-4.6-m2": lambda case, _: case.situation.fact("your_camp_within_6in_of_waterway"),
        "SD-4.6-m3": lambda case, _: case.cover_at_shore,
        "SD-4.6-m4": lambda case, least: case.you.moving_at_most(number("slow")) >= least,
        "SD-4.6-m5": lambda case, least: case.npg.moving_at_least(number("fast")) >= least,
        "SD-4.6-m6": lambda case, _: not case.you.littoral,
        "SD-4.6-m7": lambda case, _: case.you.count(*HEAVY_FOOT) > case.npg.count(*HEAVY_FOOT),
        "SD-4.6-m8": lambda case, _: case.npg.count("El", "Art", "Hd", "WWg") >= 1,
        "SD-4.6-m9": _slow_general,
        "SD-4.6-m10": lambda case, _: all_of(not case.npg_attacks, case.water_at_your_rear),
        "SD-4.6-m11": lambda case, _: all_of(
            case.npg_attacks, case.situation.fact("your_troops_within_3in_of_your_camp")
        ),
        "SD-4.6-m12": lambda case, least: all_of(
            case.npg_attacks, at_least(case.situation.number("you_reserved_landing"), least)
        ),
    },
)


def landing(case: LandingCase, settings: Mapping[str, str], dice: Dice) -> Step:
    """Return whether the NPG may land: ``allowed`` or ``none``; no die without littoral home and waterway.

    Raises:
        ScenarioError: ``unknown`` is ``ask`` and a fact is not known.
    """
    inputs = {"littoral": case.npg.littoral, "waterway": case.situation.waterway}
    if not case.npg.littoral or not case.situation.waterway:
        unsure = case.npg.littoral and case.situation.waterway is None
        return Step(
            clause="SD-4.6-a",
            title="npg.battle.step.landing",
            inputs=inputs,
            result=NOT_ALLOWED,
            needs_person="npg.battle.person.waterway" if unsure else "",
        )
    return LANDING.throw(case, dice, settings, reason="littoral landing", clause="SD-4.6-a", inputs=inputs)
