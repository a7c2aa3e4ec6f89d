"""Who holds the NPG's camp, and where it stands (SD-4.2, SD-4.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from shapely import box

from printkit.chance.dice import Dice
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.procedures import Procedure, number
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.tactics.ground import Ground, enemy_road_ends

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
        "SD-4.2-m1": lambda case, least: case.you.count("LH") >= least,
        "SD-4.2-m2": lambda case, _: case.npg.count("Sp") % 2 == 1,
        "SD-4.2-m3": lambda case, _: case.you.mounted > case.npg.mounted,
    },
)


class Spot(Struct, frozen=True, kw_only=True):
    """A place for the camp on the base edge: mm from its left end, and what the preferences ask of it."""

    along: float
    waterway_flank: bool = False
    enemy_road: bool = False
    behind_bad_going: bool = False


def camp_garrison(npg: Force, you: Force, settings: Mapping[str, str], dice: Dice) -> Step:
    """Return who holds the camp: ``followers``, ``spear``, or ``no_camp``; a die only where there is a Sp."""
    inputs = {"camp": npg.camp, "spears": npg.count("Sp")}
    if not npg.camp or npg.count("Sp") == 0:
        result = FOLLOWERS if npg.camp else NO_CAMP
        return Step(clause="SD-4.2-a", title="npg.battle.step.camp", inputs=inputs, row="SD-4.2-a", result=result)
    return CAMP.throw(
        CampCase(npg, you), dice, settings, reason="garrison of the camp", clause="SD-4.2-b", inputs=inputs
    )


def preferred_spots(
    spots: Sequence[Spot], *, you_littoral: bool, middle: float
) -> tuple[tuple[Spot, ...], tuple[str, ...]]:
    """Return the best spots and the preferences that they satisfy (SD-4.3-p1..p4).

    A preference that no remaining spot satisfies is skipped. Several spots are left where they are equally near the
    middle; the person chooses.
    """
    preferences: tuple[tuple[str, Callable[[Spot], bool]], ...] = (
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


def camp_spots(ground: Ground) -> tuple[Spot, ...]:
    """Return the legal spots on the base edge, every 100 p from its left end (SD-4.3, F-09).

    A camp stands on good going, clear of water and towns; bad going covers it where it lies in front of half of its
    width or more, on the NPG's half of the board.
    """
    frame = ground.frame
    side, step = frame.board.paces(number("camp_side")), frame.board.paces(number("camp_step"))
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
            Spot(
                along=along,
                waterway_flank=bool(flank) and _waterway_on(ground, flank),
                enemy_road=any(abs(end - along) <= side / 2 for end in ends),
                behind_bad_going=_covered(ground, along, side) >= side / 2,
            )
        )
    return tuple(found)


def camp_place(npg: Force, you: Force, ground: Ground | None) -> Step:
    """Return where the camp stands, in mm from the left end of the NPG's base edge; ``by_hand`` without a map.

    Where several spots are equally good, or where none is legal, the person chooses.
    """
    step = Step(clause="SD-4.3-p1", title="npg.battle.step.camp_place")
    if not npg.camp:
        return Step(clause="SD-4.2-a", title=step.title, result=NO_CAMP)
    question = "npg.battle.person.camp_place"
    if ground is None or not (spots := camp_spots(ground)):
        return Step(clause=step.clause, title=step.title, result=BY_HAND, needs_person=question)
    best, kept = preferred_spots(spots, you_littoral=you.littoral, middle=ground.frame.width / 2)
    places = [round(spot.along, 2) for spot in best]
    return Step(
        clause=step.clause,
        title=step.title,
        inputs={"kept": list(kept), "spots_mm": places},
        row=kept[-1],
        result=f"{places[0]:g}",
        needs_person=question if len(places) > 1 else "",
    )


def _waterway_on(ground: Ground, flank: str) -> bool:
    """Return whether a waterway runs along the left or the right edge of the side."""
    edge = 0.0 if flank == "left" else ground.frame.width
    strip = box(edge - 1, 0, edge + 1, ground.frame.depth)
    return any(shape.intersection(strip).area > ground.frame.depth / 2 for shape in ground.waterway)


def _covered(ground: Ground, along: float, side: float) -> float:
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
