"""The judge of the country: numbers by the tables it chooses, what grows, what roads are (PW0-16, PW0-17)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.geography import count_of
from printkit.systems.portable.grid.sketch import HABITATION, ROADS, TREES
from printkit.systems.portable.judge.case import FIELDS, HEIGHTS, Case, Check, cells_of, said
from printkit.systems.portable.judge.grid import ends_inside
from printkit.terrain.field.features import Kind

_DIE: Final = "die"
_PLACES: Final = re.compile(r"(\d+)s (\d+)v (\d+)t")
_SCORES: Final = range(1, 7)

Amount = Callable[[Case, int], int]
"""How many areas the score of a number die gives."""


# --- Version 2: a die and what the table adds ------------------------------------------------------------------------


def _sum(what: str, table: Callable[[Case], str]) -> Amount:
    def amount(case: Case, score: int) -> int:
        name = table(case)
        rows = [row for row in case.rules.rows(what) if row.need("table", str) == name]
        return max(0, score + rows[0].need("add", int)) if rows else 0

    return amount


_HILLS: Final = _sum("hills", lambda case: case.country.hills_table)
_LAKES: Final = _sum("lakes", lambda _: "all")
_MARSHES: Final = _sum("marshes", lambda _: "all")
_GROUPS: Final = _sum("trees", lambda case: case.country.trees_table)
_PEOPLE: Final = _sum("habitation", lambda case: case.country.habitation_table)
_PLOTS: Final = _sum("fields", lambda case: case.country.fields_table)


# --- Version 1: a table ----------------------------------------------------------------------------------------------


def _hills_1(case: Case, score: int) -> int:
    hills, _, mountains = case.rules.outcomes(f"hills_{case.country.hills_table}").look_up(score).partition("+")
    return int(hills) + int(mountains or 0)


def _trees_1(case: Case, score: int) -> int:
    return int(case.rules.outcomes(f"trees_{case.country.trees_table}").look_up(score))


def _places_1(case: Case, score: int) -> tuple[int, int, int]:
    found = _PLACES.fullmatch(case.rules.outcomes(f"habitation_{case.country.habitation_table}").look_up(score))
    assert found is not None
    settlements, villages, towns = (int(text) for text in found.groups())
    return settlements, villages, towns


def counted(setting: str, stage: str, reason: str, kinds: tuple[Kind, ...], amount: Amount, case: Case) -> Faults:
    """As many areas hold some kinds as the number die, a setting or a list says."""
    there, given = len(case.cells(*kinds)), _given(case, kinds)
    asked = case.asked(setting)
    if asked not in (_DIE, "no"):
        due = max(int(float(asked)), given)
    elif asked == "no" or given:
        due = given
    else:
        score = case.score(stage, reason)
        if score is None and amount(case, _SCORES[-1]) > 0:
            raise UnseenError("no number die was thrown")
        due = amount(case, score or _SCORES[-1])
    if there > due or there < due - case.recount.dropped(*kinds):
        yield Sentence("{due} areas of {kind} are due, there are {there}", due=due, kind=said(kinds[0]), there=there)


def _given(case: Case, kinds: tuple[Kind, ...]) -> int:
    names = {*kinds, *(("trees",) if kinds == TREES else ()), *(("field",) if kinds == FIELDS else ())}
    return sum(len(place.cells) for place in case.given.of(*sorted(names)))


def _places_by_table(case: Case) -> Faults:
    """PW1-51: settlements, villages and towns as the die says."""
    score = case.score("habitation", "number of places")
    due = _places_1(case, score) if score is not None else (0, 0, 0)
    there = Counter(feature.kind for feature in case.standing(*HABITATION))
    for kind, setting, number in zip(HABITATION, ("settlements", "villages", "towns"), due, strict=False):
        asked, given = case.asked(setting), len(case.given.of(kind))
        wanted = (given or number) if asked == _DIE else max(int(float(asked)), given)
        if there[kind] > wanted or there[kind] < wanted - case.recount.dropped(kind):
            yield Sentence("{wanted} of {kind} are due, there are {there}", wanted=wanted, kind=kind, there=there[kind])


def _hills_by_table(case: Case) -> Faults:
    """PW1-30: hills and mountains as the die says; hills that a bonus adds are not counted."""
    if case.asked("chain.cost") == "bonus" and case.asked("pw1.chains") == "on":
        raise UnseenError("joined hills are a bonus")
    if case.asked("mountains") != _DIE or case.given.of(Kind.MOUNTAIN, Kind.HILL):
        raise UnseenError("hills and mountains were given apart")
    yield from counted("hills", "hills", "number of hills", HEIGHTS, _hills_1, case)


def _tables(case: Case) -> Faults:
    """PW0-16: whatever was thrown, the numbers lie in the range of the tables that the country chooses."""
    first = case.rules.book.name == "portable-1"
    ranges: tuple[tuple[str, tuple[Kind, ...], Amount], ...] = (
        ("hills", HEIGHTS, _hills_1 if first else _HILLS),
        ("trees", TREES, _trees_1 if first else _GROUPS),
        *(() if first else (("habitation", HABITATION, _PEOPLE), ("fields", FIELDS, _PLOTS))),
    )
    for setting, kinds, amount in ranges:
        bonus = first and setting == "hills" and case.rules.choice("pw1.chains") == "on"
        fixed = setting == "hills" and case.rules.settings.get("mountains", _DIE) != _DIE
        if case.asked(setting) != _DIE or _given(case, kinds) or _given(case, HEIGHTS) or bonus or fixed:
            continue
        numbers = [amount(case, score) for score in _SCORES]
        there = len(case.cells(*kinds))
        if there > max(numbers) or (there < min(numbers) and not _is_crowded(case)):
            yield Sentence(
                "{setting}: {there} areas, and the table has {low} to {high}",
                setting=setting,
                there=there,
                low=min(numbers),
                high=max(numbers),
            )
    for feature in case.standing(*TREES):
        if feature.kind is not case.country.trees:
            yield Sentence(
                "{kind} at {cell} does not grow in this climate",
                kind=said(feature.kind),
                cell=address(cells_of(feature)[0]),
            )


def _is_crowded(case: Case) -> bool:
    """Return whether so much lies on the board that something may have found no room (PW0-11)."""
    return sum(not case.at(cell) and not case.through(cell) for cell in case.grid.cells()) < len(case.grid.cells()) / 3


def _preset(case: Case) -> Faults:
    """PW0-17: the terrain asked for is one of the author's, and the record tells of no other country."""
    country = case.country.facts
    told = case.record.details.get("geography", {})
    if not isinstance(told, Mapping):
        raise UnseenError("the record does not tell of a country")
    for key, value in told.items():
        if country.get(key) != value:
            yield Sentence(
                "{key} is {value}, by what was asked for {found}", key=key, value=value, found=country.get(key)
            )


def trees_by_climate(case: Case) -> Faults:
    """PW1-42, PW2-51: palms, conifers or deciduous trees, by the climate."""
    for feature in case.standing(*TREES):
        if feature.kind is not case.country.trees:
            yield Sentence(
                "{kind} at {cell}, the climate has {trees}",
                kind=said(feature.kind),
                cell=address(cells_of(feature)[0]),
                trees=said(case.country.trees),
            )


def roads_by_area(case: Case) -> Faults:
    """PW2-40: metalled roads where people live close, tracks elsewhere, unless a line says otherwise."""
    told = {way.kind for way in case.given.roads if way.kind is not None}
    for course in case.drawn(*ROADS):
        if course.kind is not case.country.way and course.kind not in told:
            yield Sentence(
                "{course} is a {kind}, the country has a {way}",
                course=course.id,
                kind=course.kind,
                way=case.country.way,
            )


def numbers_of_courses(case: Case) -> Faults:
    """PWA-12: as many rivers, roads and railways as were asked for, each from edge to edge."""
    nowhere = sum(note.key == "nowhere" for note in case.recount.sketch.notes) if case.record.log else 0
    sorts: tuple[tuple[str, tuple[Kind, ...], int], ...] = (
        ("river", (Kind.RIVER,), len(case.given.rivers)),
        ("road", ROADS, len(case.given.roads)),
        ("railway", (Kind.RAILWAY,), len(case.given.railways)),
    )
    for key, kinds, given in sorts:
        if key in case.rules.settings:
            due = max(count_of(case.asked(key)), given)
            there = sum(not ends_inside(case, course) for course in case.drawn(*kinds))
            if not due - nowhere <= there <= due:
                yield Sentence("{due} of {key} are due, there are {there}", due=due, key=key, there=there)


CHECKS: Final[Mapping[str, Check]] = {
    "PW0-16": _tables,
    "PW0-17": _preset,
    "PW1-30": _hills_by_table,
    "PW1-40": partial(counted, "trees", "trees", "number of groups of trees", TREES, _trees_1),
    "PW1-42": trees_by_climate,
    "PW1-51": _places_by_table,
    "PW2-10": partial(counted, "hills", "hills", "number of hills", HEIGHTS, _HILLS),
    "PW2-38": partial(counted, "lakes", "lakes", "number of lakes", (Kind.LAKE,), _LAKES),
    "PW2-39": partial(counted, "marshes", "marshes", "number of marshes", (Kind.MARSH,), _MARSHES),
    "PW2-40": roads_by_area,
    "PW2-50": partial(counted, "trees", "trees", "number of trees", TREES, _GROUPS),
    "PW2-51": trees_by_climate,
    "PW2-55": partial(counted, "habitation", "habitation", "number of habitation", HABITATION, _PEOPLE),
    "PW2-70": partial(counted, "fields", "fields", "number of fields", FIELDS, _PLOTS),
    "PWA-12": numbers_of_courses,
}
