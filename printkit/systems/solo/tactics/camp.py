"""The NPG's camp (SD-4.2, SD-4.3), the garrison of a built-up area (SD-4.4), and troops kept back to land (SD-4.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import box

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import (
    Fact,
    Procedure,
    Step,
    all_facts,
    any_fact,
    is_at_least,
)
from printkit.systems.solo.tactics.ground import SideGround, enemy_road_ends
from printkit.systems.solo.tactics.situation import Situation, facing
from printkit.terrain.field.battlefield import Edge

FOLLOWERS: Final = "followers"
SPEAR: Final = "spear"
NO_CAMP: Final = "no_camp"
BY_HAND: Final = "by_hand"

_LEGAL: Final = 1.0
"""mm² of overlap that a camp may have with ground on which it cannot stand."""


class CampCase(Struct, frozen=True):
    """Both armies, whole."""

    npg: Force
    you: Force


CAMP: Final[Procedure[CampCase]] = Procedure(
    "camp",
    {
        "SD-4.2-m1": lambda case, its: case.you.count("LH") >= its("SD-4.2-m1"),
        "SD-4.2-m2": lambda case, _: case.npg.count("Sp") % 2 == 1,
        "SD-4.2-m3": lambda case, _: case.you.mounted_count > case.npg.mounted_count,
    },
)


class CampSpot(Struct, frozen=True, kw_only=True):
    """A place for the camp on the base edge: mm from its left end, and what the preferences ask of it."""

    along: float
    waterway_flank: bool = False
    enemy_road: bool = False
    behind_bad_going: bool = False


def camp_garrison(npg: Force, you: Force, rules: SoloRules, dice: Dice) -> Step:
    """Return who holds the camp: ``followers``, ``spear``, or ``no_camp``; a die only where there is a Sp."""
    inputs = {"camp": npg.camp, "spears": npg.count("Sp")}
    if not npg.camp or npg.count("Sp") == 0:
        result = FOLLOWERS if npg.camp else NO_CAMP
        return Step(clause="SD-4.2-a", title="npg.battle.step.camp", inputs=inputs, row="SD-4.2-a", result=result)
    return CAMP.roll(
        CampCase(npg, you), dice, rules, reason=Sentence("garrison of the camp"), clause="SD-4.2-b", inputs=inputs
    )


def preferred_spots(
    spots: Sequence[CampSpot], *, you_littoral: bool, middle: float
) -> tuple[tuple[CampSpot, ...], tuple[str, ...]]:
    """Return the best spots and the preferences that they satisfy (SD-4.3-p1..p4).

    A preference that no remaining spot satisfies is skipped. Several spots are left where they are equally near the
    middle; the person chooses.
    """
    preferences: tuple[tuple[str, Callable[[CampSpot], bool]], ...] = (
        ("SD-4.3-p1", lambda spot: not (you_littoral and spot.waterway_flank)),
        ("SD-4.3-p2", lambda spot: not spot.enemy_road),
        ("SD-4.3-p3", lambda spot: spot.behind_bad_going),
    )
    left, kept = tuple(spots), list[str]()
    for clause, suits in preferences:
        suiting = tuple(spot for spot in left if suits(spot))
        if suiting:
            left = suiting
            kept.append(clause)
    nearest = min((abs(spot.along - middle) for spot in left), default=0.0)
    best = tuple(spot for spot in left if abs(spot.along - middle) <= nearest + 1e-6)
    return best, (*kept, "SD-4.3-p4")


def camp_spots(ground: SideGround) -> tuple[CampSpot, ...]:
    """Return the legal spots on the base edge, every 100 p from its left end (SD-4.3, F-09).

    A camp stands on good going, clear of water and towns; bad going covers it where it lies in front of half of its
    width or more, on the NPG's half of the board.
    """
    frame = ground.frame
    side, step = ground.rules.length("camp_p_side"), ground.rules.length("camp_p_step")
    covering = ground.rules.number("camp_covered_share_min") * side
    low, high = frame.middle()
    ends = enemy_road_ends(ground)
    barred = (*ground.bad, *ground.impassable, *ground.built_up, *ground.rivers)
    found = []
    for place in range(round(frame.width / step) + 1):
        along = place * step
        camp = box(along - side / 2, ground.baseline, along + side / 2, ground.baseline + side)
        if along - side / 2 < 0 or along + side / 2 > frame.width:
            continue
        if any(shape.intersection(camp).area > _LEGAL for shape in barred):
            continue
        flank = "left" if along < low else "right" if along > high else ""
        found.append(
            CampSpot(
                along=along,
                waterway_flank=bool(flank) and _waterway_on(ground, flank),
                enemy_road=any(abs(end - along) <= side / 2 for end in ends),
                behind_bad_going=_covered(ground, along, side) >= covering,
            )
        )
    return tuple(found)


def camp_place(npg: Force, you: Force, ground: SideGround | None) -> Step:
    """Return where the camp stands, in mm from the left end of the NPG's base edge; ``by_hand`` without a map.

    Where several spots are equally good, or where none is legal, the person chooses.
    """
    step = Step(clause="SD-4.3-p1", title="npg.battle.step.camp_place")
    if not npg.camp:
        return Step(clause="SD-4.2-a", title=step.title, result=NO_CAMP)
    question = "npg.battle.person.camp_place"
    if ground is None or not (spots := camp_spots(ground)):
        return Step(clause=step.clause, title=step.title, result=BY_HAND, question_key=question)
    best, kept = preferred_spots(spots, you_littoral=you.is_littoral, middle=ground.frame.width / 2)
    places = [round(spot.along, 2) for spot in best]
    return Step(
        clause=step.clause,
        title=step.title,
        inputs={"kept": list(kept), "spots_mm": places},
        row=kept[-1],
        result=f"{places[0]:g}",
        question_key=question if len(places) > 1 else "",
    )


def camp_along(step: Step) -> float | None:
    """Return where a step puts the camp, mm from the left end of the base edge; None without one, or by hand."""
    return None if step.result in (NO_CAMP, BY_HAND) else float(step.result)


def _waterway_on(ground: SideGround, flank: str) -> bool:
    """Return whether a waterway runs along the left or the right edge of the side."""
    edge = 0.0 if flank == "left" else ground.frame.width
    strip = box(edge - 1, 0, edge + 1, ground.frame.depth)
    return any(shape.intersection(strip).area > ground.frame.depth / 2 for shape in ground.waterway)


def _covered(ground: SideGround, along: float, side: float) -> float:
    """Return over how many mm of the camp's width bad going lies in front of it, in the NPG's half."""
    corridor = box(along - side / 2, ground.baseline + side, along + side / 2, ground.frame.depth / 2)
    spans = sorted(
        (part.bounds[0], part.bounds[2]) for shape in ground.bad if (part := shape.intersection(corridor)).area > _LEGAL
    )
    covered, reached = 0.0, along - side / 2
    for start, end in spans:
        covered += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return covered


# --- Whether a defending NPG garrisons the built-up area, and with which element (SD-4.4) -----------------------------

NONE: Final = "none"

_WHEN: Final = {
    "any": lambda number: number >= 1,
    "odd": lambda number: number % 2 == 1,
    "not_threes": lambda number: number % 3 != 0,
}


class GarrisonCase(Struct, frozen=True):
    """The defender after his camp is held, the attacker whole, and whether the town is on the defender's side."""

    defender: Force
    attacker: Force
    own_side: Fact

    @property
    def screened(self) -> bool:
        """Return whether the attacker has Ps with Ax, Sp or Bd."""
        return self.attacker.count("Ps") >= 1 and self.attacker.count("Ax", "Sp", "Bd") >= 1


GARRISON: Final[Procedure[GarrisonCase]] = Procedure(
    "garrison",
    {
        "SD-4.4-m1": lambda case, _: case.defender.count("Bd") >= 1,
        "SD-4.4-m2": lambda case, _: case.attacker.infantry_count == case.attacker.count("Ps"),
        "SD-4.4-m3": lambda case, _: case.defender.count("Sp") >= 1,
        "SD-4.4-m4": lambda case, _: case.attacker.count("Sp", "El") >= 1,
        "SD-4.4-m5": lambda case, its: case.screened or case.attacker.count("Sp") >= its("SD-4.4-m5"),
        "SD-4.4-m6": lambda case, its: case.attacker.count("Bd") >= 1 or case.attacker.count("Pk") >= its("SD-4.4-m6"),
        "SD-4.4-m7": lambda case, _: case.defender.infantry_count == case.defender.count("Bw", "Ps"),
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
    spears = [element for element in npg.elements if element.troop.code == "Sp"]
    return next(iter(sorted(spears, key=lambda element: element.general)))


def after_camp(npg: Force, camp: str) -> Force:
    """Return the army less the Sp in its camp (AMB-29)."""
    return without(npg, camp_spear(npg)) if camp == SPEAR else npg


def garrison_choice(left: Force, rules: SoloRules) -> tuple[Element, str] | None:
    """Return who would garrison, and by which clause (SD-4.4-p1..p9); None where nobody can (AMB-28).

    The general stays out: a type of which only he is left is passed over. He goes in only where no type gives another
    (AMB-29).

    Args:
        left: the elements that are not in the camp.
        rules: of the game.
    """
    offers = list(_offers(left, rules))
    others = [offer for offer in offers if not offer[0].general]
    return next(iter(others or offers), None)


def bua_garrison(
    npg: Force, you: Force, camp: str, situation: Situation, rules: SoloRules, dice: Dice, edge: Edge | None
) -> tuple[Element | None, Step]:
    """Return the element in the built-up area, or None, for a defending NPG (SD-4.4).

    No die is thrown without a built-up area, without foot, or where the order yields nobody.

    Args:
        npg: the defender, whole.
        you: the attacker.
        camp: who holds the camp.
        situation: facts of the table.
        rules: of the game.
        dice: throws.
        edge: the NPG's base edge where it is known.
    """
    left = after_camp(npg, camp)
    inputs = {"bua": situation.bua, "foot": left.infantry_count}
    choice = garrison_choice(left, rules) if left.infantry_count >= 1 else None
    if not situation.bua or choice is None:
        why = "npg.battle.person.bua" if situation.bua is None else ""
        step = Step(clause="SD-4.4-a", title="npg.battle.step.garrison", inputs=inputs, result=NONE, question_key=why)
        return None, step
    case = GarrisonCase(left, you, situation.bua_own_side(edge))
    step = GARRISON.roll(
        case, dice, rules, reason=Sentence("garrison of the built-up area"), clause="SD-4.4-a", inputs=inputs
    )
    if step.result == NONE:
        return None, step
    element, clause = choice
    return element, replace(step, result=element.code, inputs={**inputs, "chosen_by": clause})


def _offers(left: Force, rules: SoloRules) -> Iterator[tuple[Element, str]]:
    """Yield what each place of the order offers; of a type the general last."""
    for choice in rules.garrison_choices:
        of_type = [element for element in left.elements if element.troop.code == choice.type]
        if of_type and _WHEN[choice.when](left.count(choice.type)):
            yield min(of_type, key=lambda element: element.general), choice.clause


# --- Whether a littoral NPG may keep troops back to land from the waterway (SD-4.6) -----------------------------------

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
        return any_fact(all_facts(rough, self.npg.count("Ax") >= 1), all_facts(dunes, self.npg.count("Ax", "Cm") >= 1))

    @property
    def water_at_your_rear(self) -> Fact:
        """Return whether a waterway runs along YOUR base edge, which is opposite the NPG's: True, False, or None.

        None means unknown: the NPG's base edge or the edge of the waterway is not given. False means no waterway there.
        """
        return None if self.edge is None else self.situation.waterway_at(facing(self.edge))


def _slow_general(case: LandingCase, its: Callable[[str], int]) -> Fact:
    return None if case.npg.general is None else case.npg.general.troop.move <= its("SD-4.6-m9_paces")


LANDING: Final[Procedure[LandingCase]] = Procedure(
    "landing",
    {
        "SD-4.6-m1": lambda case, _: case.npg_attacks,
        "SD-4.6-m2": lambda case, _: case.situation.fact("your_camp_within_6in_of_waterway"),
        "SD-4.6-m3": lambda case, _: case.cover_at_shore,
        "SD-4.6-m4": lambda case, its: case.you.count_moving_at_most(its("SD-4.6-m4_paces")) >= its("SD-4.6-m4"),
        "SD-4.6-m5": lambda case, its: case.npg.count_moving_at_least(its("SD-4.6-m5_paces")) >= its("SD-4.6-m5"),
        "SD-4.6-m6": lambda case, _: not case.you.is_littoral,
        "SD-4.6-m7": lambda case, _: case.you.count(*HEAVY_FOOT) > case.npg.count(*HEAVY_FOOT),
        "SD-4.6-m8": lambda case, _: case.npg.count("El", "Art", "Hd", "WWg") >= 1,
        "SD-4.6-m9": _slow_general,
        "SD-4.6-m10": lambda case, _: all_facts(not case.npg_attacks, case.water_at_your_rear),
        "SD-4.6-m11": lambda case, _: all_facts(
            case.npg_attacks, case.situation.fact("your_troops_within_3in_of_your_camp")
        ),
        "SD-4.6-m12": lambda case, its: all_facts(
            case.npg_attacks, is_at_least(case.situation.number("you_reserved_landing"), its("SD-4.6-m12"))
        ),
    },
)


def landing(case: LandingCase, rules: SoloRules, dice: Dice) -> Step:
    """Return whether the NPG may land: ``allowed`` or ``none``; no die without littoral home and waterway."""
    inputs = {"littoral": case.npg.is_littoral, "waterway": case.situation.waterway}
    if not case.npg.is_littoral or not case.situation.waterway:
        unsure = case.npg.is_littoral and case.situation.waterway is None
        return Step(
            clause="SD-4.6-a",
            title="npg.battle.step.landing",
            inputs=inputs,
            result=NOT_ALLOWED,
            question_key="npg.battle.person.waterway" if unsure else "",
        )
    return LANDING.roll(case, dice, rules, reason=Sentence("littoral landing"), clause="SD-4.6-a", inputs=inputs)
