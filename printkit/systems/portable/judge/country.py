"""Checks of the geography: numbers by its tables, kinds of trees and of roads (PW0-16, PW0-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, combine_checks
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.geography import count_of
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, HEIGHTS, ROADS, TREES
from printkit.systems.portable.judge.case import Check, PortableCase, cells_of, said
from printkit.systems.portable.judge.grid import ends_inside
from printkit.terrain.field.features import Kind


def counted(stage: str, *kinds: Kind) -> Check:
    """Return the check that as many areas have these kinds as a number die, a setting or a list gives."""

    def check(case: PortableCase) -> Faults:
        if stage in case.recount.astray:
            yield case.recount.astray[stage]
        elif stage in case.recount.stages:
            due, there = len(case.after(stage).cells_of(*kinds)), len(case.cells(*kinds))
            if due != there:
                yield Sentence(
                    "there should be {due} areas of {kind}, but there are {there}",
                    due=due,
                    kind=said(kinds[0]),
                    there=there,
                )

    return check


def _preset(case: PortableCase) -> Faults:
    """PW0-17: the geography in the record is the one that the settings give."""
    country = case.country.facts
    for key, value in case.kept.geography.items():
        if country.get(key) != value:
            yield Sentence(
                "{key} is {value}, but what was requested gives {found}", key=key, value=value, found=country.get(key)
            )


def trees_by_climate(case: PortableCase) -> Faults:
    """PW0-16, PW1-42, PW2-51: palms, conifers or deciduous trees, by the climate."""
    for feature in case.standing(*TREES):
        if feature.kind is not case.country.trees:
            yield Sentence(
                "{kind} at {cell}, but the climate has {trees}",
                kind=said(feature.kind),
                cell=address(cells_of(feature)[0]),
                trees=said(case.country.trees),
            )


def _roads_by_area(case: PortableCase) -> Faults:
    """PW2-40: metalled roads in densely inhabited regions, tracks elsewhere, unless a line gives the kind."""
    told = {way.kind for way in case.given.roads if way.kind is not None}
    for course in case.drawn(*ROADS):
        if course.kind is not case.country.way and course.kind not in told:
            yield Sentence(
                "{course} is a {kind}, but the region has a {way}",
                course=course.id,
                kind=course.kind,
                way=case.country.way,
            )


def _numbers_of_courses(case: PortableCase) -> Faults:
    """PWA-12: as many rivers, roads and railways from edge to edge as requested, if there are routes."""
    notes = case.recount.sketch.notes if case.record.log else ()
    nowhere = Counter(note.values["what"].split()[0] for note in notes if note.key == "nowhere")
    sorts: tuple[tuple[str, tuple[Kind, ...], int], ...] = (
        ("river", (Kind.RIVER,), len(case.given.rivers)),
        ("road", ROADS, len(case.given.roads)),
        ("railway", (Kind.RAILWAY,), len(case.given.railways)),
    )
    for key, kinds, given in sorts:
        if key in case.rules.settings:
            due = max(count_of(case.asked(key)), given) - sum(nowhere[kind.value] for kind in kinds)
            there = sum(not ends_inside(case, course) for course in case.drawn(*kinds))
            if due != there:
                yield Sentence("there should be {due} of {key}, but there are {there}", due=due, key=key, there=there)


_HILLS: Final = counted("hills", *HEIGHTS)
_TREES: Final = counted("trees", *TREES)
_HABITATION: Final = counted("habitation", *HABITATION)
_FIELDS: Final = counted("fields", *FIELDS)

CHECKS: Final[Mapping[str, Check]] = {
    "PW0-16": combine_checks(_HILLS, _TREES, _HABITATION, _FIELDS, trees_by_climate),
    "PW0-17": _preset,
    "PW1-30": _HILLS,
    "PW1-40": _TREES,
    "PW1-42": trees_by_climate,
    "PW1-51": combine_checks(*(counted("habitation", kind) for kind in HABITATION)),
    "PW2-10": _HILLS,
    "PW2-40": _roads_by_area,
    "PW2-51": trees_by_climate,
    "PW2-55": _HABITATION,
    "PW2-70": _FIELDS,
    "PWA-12": _numbers_of_courses,
}
