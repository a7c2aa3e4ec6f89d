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
from printkit.systems.portable.judge.counting import COUNTED, addressed, by, further_areas, missing
from printkit.systems.portable.judge.grid import alone
from printkit.systems.portable.judge.ground import of_kinds
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

_BEFORE: Final = (Kind.RIVER, *ROADS)
_PLOTTED: Final = (Kind.SETTLEMENT, Kind.VILLAGE)


# --- Version 2 -------------------------------------------------------------------------------------------------------


def _given_kind(case: PortableCase, cells: tuple[Cell, ...]) -> tuple[Kind, ...]:
    return tuple(Kind(place.kind) for place in case.given.of(*HABITATION) if set(place.cells) & set(cells))


def _what_they_are(case: PortableCase) -> Faults:
    """PW2-57: connected areas are one place, and their number gives its kind."""
    for group in _groups(case):
        due = max([kind_of(case.rules, len(group)), *_given_kind(case, group)], key=HABITATION.index)
        there = {feature.kind for cell in group for feature in case.at(cell) if feature.kind in HABITATION}
        if there != {due}:
            names = ", ".join(sorted(there))
            yield Sentence(
                "{count} areas next to each other at {cells} are a {due}, but the record has {names}",
                count=len(group),
                cells=addressed(group),
                due=due,
                names=names,
            )


def _sizes(case: PortableCase) -> Faults:
    """PW2-58: a settlement has one area, a village two, a town three or four, a city five or more."""
    for feature in case.standing(*HABITATION):
        cells = cells_of(feature)
        if feature.kind is not kind_of(case.rules, len(cells)) and feature.kind not in _given_kind(case, cells):
            yield Sentence(
                "{feature} is a {feature_kind} of {count} areas, but that number makes a {kind}",
                feature=feature.id,
                feature_kind=feature.kind,
                count=len(cells),
                kind=kind_of(case.rules, len(cells)),
            )


def _on_hills(case: PortableCase) -> Faults:
    """PWA-09: on hills there are only settlements of a single area."""
    given = {cell for place in case.given.of(*HABITATION) for cell in place.cells}
    for group in _groups(case):
        for cell in group if len(group) > 1 else ():
            if cell in case.cells(Kind.HILL) and cell not in given:
                yield Sentence(
                    "the hill at {cell} is part of a village, town or city of {count} areas",
                    cell=address(cell),
                    count=len(group),
                )


def _groups(case: PortableCase) -> tuple[tuple[Cell, ...], ...]:
    """Return the groups of connected inhabited areas."""
    inhabited = [cell for feature in case.standing(*HABITATION) for cell in cells_of(feature)]
    return bodies(case.grid, list(dict.fromkeys(inhabited)))


_SETTLED: Final = combine_checks(
    alone(*HABITATION, on=(Kind.HILL,), courses=_BEFORE, stretches=True), of_kinds(*HABITATION)
)


# --- Fields ----------------------------------------------------------------------------------------------------------


def _plots(case: PortableCase) -> tuple[AreaFeature, ...]:
    return tuple(piece for piece in case.after("fields").of(*FIELDS))


def _owners(case: PortableCase) -> Faults:
    """PW2-71: each field is at the place that got it."""
    yield from missing(case, lambda part: bool(part.told.get("of")), *FIELDS)


def _strips(case: PortableCase) -> Faults:
    """PW2-72: a field is drawn in as many strips as the record states."""
    said_of = {entry.id: entry.outlines for entry in case.kept.places}
    for piece in _plots(case):
        there = sum((each.kind, cells_of(each)) == (piece.kind, piece.cells) for each in case.ground)
        if (due := said_of.get(piece.id)) is not None and due != there:
            yield Sentence("{feature} has {there} of its {due} strips", feature=piece.id, there=there, due=due)


def _uses(case: PortableCase) -> Faults:
    """PW2-73: open fields and groves match the dice, and there are no groves in a geography without them."""
    for piece in _plots(case):
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


def _sizes_1(case: PortableCase) -> Faults:
    """PW1-50, PW1-60: places have the number of areas in the settings, or fewer if no area was free."""
    for piece in case.after("habitation").of(*HABITATION):
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


def _series_1(case: PortableCase) -> Faults:
    """PW1-52: one series of settlements, then villages, then towns, each where counting places it."""
    yield from missing(case, by(*COUNTED), *HABITATION)
    for piece in case.after("habitation").of(*HABITATION):
        there = {feature.kind for feature in case.at(piece.cells[0]) if feature.kind in HABITATION}
        if there and piece.kind not in there:
            yield Sentence(
                "{there} at {cell}, but it should be a {kind}",
                there=", ".join(sorted(there)),
                cell=address(piece.cells[0]),
                kind=piece.kind,
            )


def _may_stand(case: PortableCase) -> Faults:
    """PW1-54: rivers and roads cover only part of the area, and the ground is allowed."""
    yield from alone(Kind.SETTLEMENT, on=(Kind.HILL,), courses=())(case)
    yield from alone(Kind.VILLAGE, Kind.TOWN, courses=())(case)
    laid = case.after("habitation")
    for feature in case.standing(*HABITATION):
        most = case.rules.number("settlement_cover" if feature.kind is Kind.SETTLEMENT else "village_cover")
        for cell in cells_of(feature):
            if (cover := laid.cover(cell)) >= most:
                yield Sentence(
                    "{cell} is {cover:.0%} river or road, but a {kind} allows less than {most:.0%}",
                    cell=address(cell),
                    cover=cover,
                    kind=feature.kind,
                    most=most,
                )


def _after_towns(case: PortableCase) -> Faults:
    """PWA-10: after a place of several areas, counting continues from its first area."""
    several = {
        cell for piece in case.after("habitation").of(*HABITATION) if len(piece.cells) > 1 for cell in piece.cells
    }
    yield from missing(case, lambda part: Cell(*part.told.get("after", (0, 0))) in several, *HABITATION)


CHECKS: Final[Mapping[str, Check]] = {
    "PW1-50": _sizes_1,
    "PW1-52": _series_1,
    "PW1-53": further_areas,
    "PW1-54": _may_stand,
    "PW1-60": _sizes_1,
    "PW2-56": _SETTLED,
    "PW2-57": combine_checks(_what_they_are, _on_hills),
    "PW2-58": _sizes,
    "PW2-71": _owners,
    "PW2-72": combine_checks(alone(*FIELDS), of_kinds(*FIELDS), _strips),
    "PW2-73": _uses,
    "PWA-09": _on_hills,
    "PWA-10": _after_towns,
    "PWA-16": alone(*FIELDS, on=FIELDS),
    "PWA-18": _may_stand,
}
