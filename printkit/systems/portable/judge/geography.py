"""Checks of the geography: numbers by its tables, kinds of trees and of roads (PW0-16, PW0-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, combine_checks
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.geography import parse_count
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, HEIGHTS, ROADS, TREES
from printkit.systems.portable.judge.case import Check, PortableCase, cells_of, said
from printkit.systems.portable.judge.grid import find_inner_ends
from printkit.terrain.field.features import Kind


def count_check(stage: str, *kinds: Kind) -> Check:
    """Return the check that as many areas have these kinds as a number die, a setting or a list gives.

    ``stage`` is the stage that places them.
    """

    def check(case: PortableCase) -> Faults:
        """Yield a fault if the number of areas differs, or if the log of the stage does not fit."""
        if stage in case.recount.astray:
            yield case.recount.astray[stage]
        elif stage in case.recount.stages:
            due, there = len(case.sketch_after(stage).select_cells(*kinds)), len(case.find_cells(*kinds))
            if due != there:
                yield Sentence(
                    "there should be {due} areas of {kind}, but there are {there}",
                    due=due,
                    kind=said(kinds[0]),
                    there=there,
                )

    return check


def _check_preset(case: PortableCase) -> Faults:
    """Check that the geography in the record is the one that the settings give (PW0-17)."""
    geography = case.geography.facts
    for key, value in case.parsed_details.geography.items():
        if geography.get(key) != value:
            yield Sentence(
                "{key} is {value}, but what was requested gives {found}", key=key, value=value, found=geography.get(key)
            )


def check_tree_kinds(case: PortableCase) -> Faults:
    """Check that trees are of the kind that the climate has (PW0-16, PW1-42, PW2-51)."""
    for feature in case.find_ground(*TREES):
        if feature.kind is not case.geography.trees:
            yield Sentence(
                "{kind} at {cell}, but the climate has {trees}",
                kind=said(feature.kind),
                cell=address(cells_of(feature)[0]),
                trees=said(case.geography.trees),
            )


def _check_road_kinds(case: PortableCase) -> Faults:
    """Check that roads are of the kind of the region, unless a line gives the kind (PW2-40).

    Densely inhabited regions have metalled roads, others have tracks.
    """
    given_kinds = {spec.kind for spec in case.terrain.roads if spec.kind is not None}
    for course in case.find_courses(*ROADS):
        if course.kind is not case.geography.road_kind and course.kind not in given_kinds:
            yield Sentence(
                "{course} is a {kind}, but the region has a {way}",
                course=course.id,
                kind=course.kind,
                way=case.geography.road_kind,
            )


def _check_course_counts(case: PortableCase) -> Faults:
    """Check that there are as many courses from edge to edge as requested, if there are routes (PWA-12)."""
    notes = case.recount.sketch.notes if case.record.log else ()
    nowhere = Counter(note.values["what"].split()[0] for note in notes if note.key == "nowhere")
    course_groups: tuple[tuple[str, tuple[Kind, ...], int], ...] = (
        ("river", (Kind.RIVER,), len(case.terrain.rivers)),
        ("road", ROADS, len(case.terrain.roads)),
        ("railway", (Kind.RAILWAY,), len(case.terrain.railways)),
    )
    for key, kinds, given_count in course_groups:
        if key in case.rules.settings:
            due = max(parse_count(case.stated_setting(key)), given_count) - sum(nowhere[kind.value] for kind in kinds)
            there = sum(not find_inner_ends(case, course) for course in case.find_courses(*kinds))
            if due != there:
                yield Sentence("there should be {due} of {key}, but there are {there}", due=due, key=key, there=there)


_HILLS: Final = count_check("hills", *HEIGHTS)
_TREES: Final = count_check("trees", *TREES)
_HABITATION: Final = count_check("habitation", *HABITATION)
_FIELDS: Final = count_check("fields", *FIELDS)

CHECKS: Final[Mapping[str, Check]] = {
    "PW0-16": combine_checks(_HILLS, _TREES, _HABITATION, _FIELDS, check_tree_kinds),
    "PW0-17": _check_preset,
    "PW1-30": _HILLS,
    "PW1-40": _TREES,
    "PW1-42": check_tree_kinds,
    "PW1-51": combine_checks(*(count_check("habitation", kind) for kind in HABITATION)),
    "PW2-10": _HILLS,
    "PW2-40": _check_road_kinds,
    "PW2-51": check_tree_kinds,
    "PW2-55": _HABITATION,
    "PW2-70": _FIELDS,
    "PWA-12": _check_course_counts,
}
