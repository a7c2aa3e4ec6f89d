"""Whom the NPG faces where YOUR line is known: no Ps before horse, no El or WWg before guns (SD-4.7-d3, d4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString

from printkit.systems.solo.tactics.deployed import Deployment
from printkit.systems.solo.tactics.ground import SideGround

_TOUCH: Final = 1.0
_HORSE: Final = ("Cv", "Cm", "Kn")
_RULES: Final = (
    ("SD-4.7-d3", ("Ps",), _HORSE, "opposite_horse_bw"),
    ("SD-4.7-d4", ("WWg", "El"), ("Art",), "opposite_guns_bw"),
)
"""Clause, whom it keeps out, of whom, and the number within which of straight opposite, middle to middle."""


class FrontElement(Struct, frozen=True):
    """A deployed element of the NPG: its type, and its middle and its front as he looks, in mm."""

    type: str
    along: float
    front: float


class Opponent(Struct, frozen=True):
    """A deployed element of YOURS: its type, and mm from the left end of the NPG's base edge, as the NPG looks."""

    type: str
    along: float


def facing_faults(deployment: Deployment, line: Sequence[Opponent], ground: SideGround) -> tuple[tuple[str, int], ...]:
    """Return which elements stand opposite those that they should not: clause and place of the footprint, in order.

    Only front ranks count. Ps may face horse across bad going (SD-4.7-d3).
    """
    return tuple(sorted(_faults(deployment, line, ground)))


def mended(deployment: Deployment, line: Sequence[Opponent], ground: SideGround) -> Deployment:
    """Return the deployment after elements of a place have changed places as long as that leaves fewer faults.

    What is left is noted with its clause and group; d3 goes before d4, for the lower number wins (AMB-39).
    """
    found = deployment
    while faults := facing_faults(found, line, ground):
        better = next(
            (
                tried
                for _, place in faults
                for other in range(len(found.footprints))
                if found.footprints[other].place is found.footprints[place].place
                and (tried := _exchanged(found, place, other)) is not found
                and facing_faults(tried, line, ground) < faults
                and len(facing_faults(tried, line, ground)) < len(faults)
            ),
            None,
        )
        if better is None:
            break
        found = better
    left = [(clause, found.footprints[place].group) for clause, place in facing_faults(found, line, ground)]
    return replace(found, notes=(*found.notes, *left))


def _faults(deployment: Deployment, line: Sequence[Opponent], ground: SideGround) -> Iterator[tuple[str, int]]:
    front, far = ground.front, ground.frame.depth - ground.zone_depth
    for clause, kept_out, foes, number in _RULES:
        reach = ground.rules.length(number)
        for place, footprint in enumerate(deployment.footprints):
            if footprint.rank != 1 or footprint.element.troop.code not in kept_out:
                continue
            along = deployment.along[place]
            for foe in line:
                near = foe.type in foes and abs(foe.along - along) < reach
                covered = clause == "SD-4.7-d3" and LineString([(along, front), (foe.along, far)]).intersects(
                    ground.all_bad
                )
                if near and not covered:
                    yield clause, place
                    break


def _exchanged(deployment: Deployment, one: int, other: int) -> Deployment:
    """Return the deployment with two elements in each other's place; the same where their bases differ.

    Who cannot enter bad going changes places with his like alone, so that he does not come to stand in it.
    """
    first, second = deployment.footprints[one], deployment.footprints[other]
    if first.element.troop.code == second.element.troop.code or first.depth != second.depth or second.rank != 1:
        return deployment
    if first.element.troop.enters_bad_going != second.element.troop.enters_bad_going:
        return deployment
    places = list(deployment.footprints)
    places[one] = replace(first, element=second.element)
    places[other] = replace(second, element=first.element)
    return replace(deployment, footprints=tuple(places))


# --- Who faces whom, where both lines are known (SD-4.8-b) -----------------------------------------------------------


def facing_pairs(
    npg: Sequence[FrontElement], line: Sequence[Opponent], ground: SideGround
) -> tuple[tuple[FrontElement, Opponent, bool], ...]:
    """Return who faces whom from the NPG's left to his right, and whether the ground between them is open.

    Of each side those count who have nobody of their own before them. Two face each other where their bases overlap as
    they look; each faces one, the nearest to straight opposite first. Ground is open where neither bad going nor
    impassable ground lies between their fronts.
    """
    base = ground.frame.board.scale.base_width - _TOUCH
    front = [
        each
        for number, each in enumerate(npg)
        if not any(
            abs(other.along - each.along) < base and (other.front, -place) > (each.front, -number)
            for place, other in enumerate(npg)
            if place != number
        )
    ]
    yours = [
        each for number, each in enumerate(line) if all(abs(each.along - one.along) >= base for one in line[:number])
    ]
    near = sorted(
        (abs(one.along - other.along), mine, theirs)
        for mine, one in enumerate(front)
        for theirs, other in enumerate(yours)
        if abs(one.along - other.along) < base
    )
    taken, facing = set[tuple[str, int]](), list[tuple[FrontElement, Opponent, bool]]()
    for _, mine, theirs in near:
        if not {("npg", mine), ("you", theirs)} & taken:
            taken |= {("npg", mine), ("you", theirs)}
            facing.append((front[mine], yours[theirs], _open_between(front[mine], yours[theirs], ground)))
    return tuple(sorted(facing, key=lambda pair: pair[0].along))


def _open_between(one: FrontElement, other: Opponent, ground: SideGround) -> bool:
    far = ground.frame.depth - ground.zone_depth
    between = LineString([(one.along, one.front), (other.along, far)])
    return not (between.intersects(ground.all_bad) or any(between.intersects(shape) for shape in ground.impassable))
