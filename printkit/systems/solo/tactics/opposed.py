"""Whom the NPG faces where YOUR line is known: no Ps before horse, no El or WWg before guns (SD-4.7-d3, d4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString

from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.tactics.deployed import Deployment
from printkit.systems.solo.tactics.ground import Ground

_HORSE: Final = ("Cv", "Cm", "Kn")
_RULES: Final = (("SD-4.7-d3", ("Ps",), _HORSE, 0.5), ("SD-4.7-d4", ("WWg", "El"), ("Art",), 1.5))
"""Clause, whom it keeps out, of whom, and within how many base widths of straight opposite, middle to middle."""


class Opponent(Struct, frozen=True):
    """A deployed element of YOURS: its type, and mm from the left end of the NPG's base edge, as the NPG looks."""

    type: str
    along: float


def facing_faults(
    deployment: Deployment, line: Sequence[Opponent], npg: Force, ground: Ground
) -> tuple[tuple[str, int], ...]:
    """Return which elements stand opposite those that they should not: the clause, and the place of the footprint.

    Only front ranks count. Ps may face horse across bad going (SD-4.7-d3).
    """
    return tuple(_faults(deployment, line, npg, ground))


def mended(deployment: Deployment, line: Sequence[Opponent], npg: Force, ground: Ground) -> Deployment:
    """Return the deployment after elements of a place have changed places as long as that leaves fewer faults.

    What is left is noted with its clause and group; d3 goes before d4, for the lower number wins (AMB-39).
    """
    found = deployment
    while faults := _ranked(found, line, npg, ground):
        better = next(
            (
                tried
                for _, place in faults
                for other in range(len(found.footprints))
                if found.footprints[other].place is found.footprints[place].place
                and (tried := _exchanged(found, place, other)) is not found
                and _ranked(tried, line, npg, ground) < faults
                and len(_ranked(tried, line, npg, ground)) < len(faults)
            ),
            None,
        )
        if better is None:
            break
        found = better
    left = [(clause, found.footprints[place].group) for clause, place in _ranked(found, line, npg, ground)]
    return replace(found, notes=(*found.notes, *left))


def _ranked(
    deployment: Deployment, line: Sequence[Opponent], npg: Force, ground: Ground
) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(_faults(deployment, line, npg, ground)))


def _faults(deployment: Deployment, line: Sequence[Opponent], npg: Force, ground: Ground) -> Iterator[tuple[str, int]]:
    base, bad = ground.frame.board.scale.base_width, ground.all_bad
    front, far = ground.baseline + ground.frame.zone_depth, ground.frame.depth - ground.frame.zone_depth
    for clause, kept_out, foes, reach in _RULES:
        for place, footprint in enumerate(deployment.footprints):
            if footprint.rank != 1 or npg.type_of(footprint.element) not in kept_out:
                continue
            along = deployment.along[place]
            for foe in line:
                near = foe.type in foes and abs(foe.along - along) < reach * base
                covered = clause == "SD-4.7-d3" and LineString([(along, front), (foe.along, far)]).intersects(bad)
                if near and not covered:
                    yield clause, place
                    break


def _exchanged(deployment: Deployment, one: int, other: int) -> Deployment:
    """Return the deployment with two elements in each other's place; the same where their bases differ."""
    first, second = deployment.footprints[one], deployment.footprints[other]
    if first.element.troop.code == second.element.troop.code or first.depth != second.depth or second.rank != 1:
        return deployment
    places = list(deployment.footprints)
    places[one] = replace(first, element=second.element)
    places[other] = replace(second, element=first.element)
    return replace(deployment, footprints=tuple(places))
