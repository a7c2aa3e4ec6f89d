"""Checks of habitation and fields: kinds by size, ground, owners and uses of fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, combine_checks
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.places import bodies, kind_of
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, ROADS, AreaFeature
from printkit.systems.portable.judge.case import Check, PortableCase, cells_of, said
from printkit.systems.portable.judge.counting import (
    COUNTED,
    check_further_areas,
    find_missing,
    format_cells,
    located_by,
)
from printkit.systems.portable.judge.grid import unshared_check
from printkit.systems.portable.judge.ground import kinds_check
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

_BEFORE: Final = (Kind.RIVER, *ROADS)


# --- Version 2 -------------------------------------------------------------------------------------------------------


def _given_kinds(case: PortableCase, cells: tuple[Cell, ...]) -> tuple[Kind, ...]:
    """Return the kinds of the places that the scenario gives on any of these areas."""
    return tuple(Kind(place.kind) for place in case.terrain.find_places(*HABITATION) if set(place.cells) & set(cells))


def _check_kinds(case: PortableCase) -> Faults:
    """Check that connected areas are one place, and their number gives its kind (PW2-57)."""
    for group in _group_inhabited(case):
        due = max([kind_of(case.rules, len(group)), *_given_kinds(case, group)], key=HABITATION.index)
        there = {feature.kind for cell in group for feature in case.at(cell) if feature.kind in HABITATION}
        if there != {due}:
            names = ", ".join(sorted(there))
            yield Sentence(
                "{count} areas next to each other at {cells} are a {due}, but the record has {names}",
                count=len(group),
                cells=format_cells(group),
                due=due,
                names=names,
            )


def _check_sizes(case: PortableCase) -> Faults:
    """Check that the kind of a place fits its number of areas (PW2-58).

    A settlement has one area, a village two, a town three or four, a city five or more.
    """
    for feature in case.find_ground(*HABITATION):
        cells = cells_of(feature)
        if not cells:
            continue
        if feature.kind is not kind_of(case.rules, len(cells)) and feature.kind not in _given_kinds(case, cells):
            yield Sentence(
                "{feature} is a {feature_kind} of {count} areas, but that number makes a {kind}",
                feature=feature.id,
                feature_kind=feature.kind,
                count=len(cells),
                kind=kind_of(case.rules, len(cells)),
            )


def _check_hills(case: PortableCase) -> Faults:
    """Check that on hills there are only settlements of a single area (PWA-09)."""
    given_cells = {cell for place in case.terrain.find_places(*HABITATION) for cell in place.cells}
    for group in _group_inhabited(case):
        for cell in group if len(group) > 1 else ():
            if cell in case.find_cells(Kind.HILL) and cell not in given_cells:
                yield Sentence(
                    "the hill at {cell} is part of a village, town or city of {count} areas",
                    cell=address(cell),
                    count=len(group),
                )


def _group_inhabited(case: PortableCase) -> tuple[tuple[Cell, ...], ...]:
    """Return the groups of connected inhabited areas of the record."""
    inhabited_cells = [cell for feature in case.find_ground(*HABITATION) for cell in cells_of(feature)]
    return bodies(case.grid, list(dict.fromkeys(inhabited_cells)))


_SETTLED: Final = combine_checks(
    unshared_check(*HABITATION, ground_kinds=(Kind.HILL,), courses=_BEFORE, allow_sections=True),
    kinds_check(*HABITATION),
)


# --- Fields ----------------------------------------------------------------------------------------------------------


def _log_fields(case: PortableCase) -> tuple[AreaFeature, ...]:
    """Return the fields that the log gives, in the order placed."""
    return tuple(piece for piece in case.sketch_after("fields").of(*FIELDS))


def _check_owners(case: PortableCase) -> Faults:
    """Check that each field is at the place that got it (PW2-71)."""
    yield from find_missing(case, lambda part: bool(part.facts.get("of")), *FIELDS)


def _check_strips(case: PortableCase) -> Faults:
    """Check that a field is drawn in as many strips as the record states (PW2-72)."""
    strips_by_id = {entry.id: entry.outlines for entry in case.parsed_details.places}
    for piece in _log_fields(case):
        there = sum((each.kind, cells_of(each)) == (piece.kind, piece.cells) for each in case.ground)
        if (due := strips_by_id.get(piece.id)) is not None and due != there:
            yield Sentence("{feature} has {there} of its {due} strips", feature=piece.id, there=there, due=due)


def _check_uses(case: PortableCase) -> Faults:
    """Check that open fields and groves match the dice; some geographies have no groves (PW2-73)."""
    for piece in _log_fields(case):
        there = {feature.kind for feature in case.at(piece.cells[0]) if feature.kind in FIELDS}
        if there and there != {piece.kind}:
            names = ", ".join(map(said, sorted(there)))
            score = piece.told.get("use_score")
            yield Sentence(
                "{names} at {cell}, but die {score} makes it {kind}",
                names=names,
                cell=address(piece.cells[0]),
                score=score,
                kind=said(piece.kind),
            )


# --- Version 1 -------------------------------------------------------------------------------------------------------


def _check_version1_sizes(case: PortableCase) -> Faults:
    """Check that places have as many areas as the settings give (PW1-50, PW1-60).

    They have fewer if no area was free.
    """
    for piece in case.sketch_after("habitation").of(*HABITATION):
        for feature in case.at(piece.cells[0]):
            due, there = len(piece.cells), len(cells_of(feature))
            if feature.kind is piece.kind and due != there:
                yield Sentence(
                    "{feature} has {there} areas, but a {kind} has {due}",
                    feature=feature.id,
                    there=there,
                    kind=feature.kind,
                    due=due,
                )


def _check_version1_series(case: PortableCase) -> Faults:
    """Check that settlements, villages and towns are where counting places them, in one series (PW1-52)."""
    yield from find_missing(case, located_by(*COUNTED), *HABITATION)
    for piece in case.sketch_after("habitation").of(*HABITATION):
        there = {feature.kind for feature in case.at(piece.cells[0]) if feature.kind in HABITATION}
        if there and piece.kind not in there:
            yield Sentence(
                "{there} at {cell}, but it should be a {kind}",
                there=", ".join(sorted(there)),
                cell=address(piece.cells[0]),
                kind=piece.kind,
            )


def _check_cover(case: PortableCase) -> Faults:
    """Check that rivers and roads cover only part of the area, and the ground is allowed (PW1-54)."""
    yield from unshared_check(Kind.SETTLEMENT, ground_kinds=(Kind.HILL,), courses=())(case)
    yield from unshared_check(Kind.VILLAGE, Kind.TOWN, courses=())(case)
    log_sketch = case.sketch_after("habitation")
    for feature in case.find_ground(*HABITATION):
        most = case.rules.number("settlement_cover" if feature.kind is Kind.SETTLEMENT else "village_cover")
        for cell in cells_of(feature):
            if (cover := log_sketch.cover(cell)) >= most:
                yield Sentence(
                    "{cell} is {cover:.0%} river or road, but a {kind} allows less than {most:.0%}",
                    cell=address(cell),
                    cover=cover,
                    kind=feature.kind,
                    most=most,
                )


def _check_after_towns(case: PortableCase) -> Faults:
    """Check that counting continues from the first area of a place with several areas (PWA-10)."""
    several = {
        cell
        for piece in case.sketch_after("habitation").of(*HABITATION)
        if len(piece.cells) > 1
        for cell in piece.cells
    }
    yield from find_missing(case, lambda part: Cell(*part.facts.get("after", (0, 0))) in several, *HABITATION)


CHECKS: Final[Mapping[str, Check]] = {
    "PW1-50": _check_version1_sizes,
    "PW1-52": _check_version1_series,
    "PW1-53": check_further_areas,
    "PW1-54": _check_cover,
    "PW1-60": _check_version1_sizes,
    "PW2-56": _SETTLED,
    "PW2-57": combine_checks(_check_kinds, _check_hills),
    "PW2-58": _check_sizes,
    "PW2-71": _check_owners,
    "PW2-72": combine_checks(unshared_check(*FIELDS), kinds_check(*FIELDS), _check_strips),
    "PW2-73": _check_uses,
    "PWA-09": _check_hills,
    "PWA-10": _check_after_towns,
    "PWA-16": unshared_check(*FIELDS, ground_kinds=FIELDS),
    "PWA-18": _check_cover,
}
