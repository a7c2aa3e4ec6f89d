"""Trees and habitation of version 1: numbers, positions, towns of several areas (PW1-40..PW1-42, PW1-50..PW1-55)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import PlacementError, Sentence
from printkit.systems.portable.grid.counting import May, Series, Told, counted, placed, since, turn
from printkit.systems.portable.grid.overrides import PlaceSpec
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.version1.terms import PlacingRow, Version1Terms, given_area, given_areas
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, neighbours

# The kind that a line of the features uses for a group of trees of any species.
TREES_LINE: Final = "trees"

PLACES: Final = (Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN)
_NUMBERS: Final = {Kind.SETTLEMENT: "settlements", Kind.VILLAGE: "villages", Kind.TOWN: "towns"}
_OUTCOME: Final = re.compile(r"([0-9]{1,40})s ([0-9]{1,40})v ([0-9]{1,40})t")


def trees(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its groups of trees, those of the scenario first (PW1-40, PW1-41).

    Raises:
        PlacementError: a given group cannot go where the user put it.
    """
    given = terms.given.of(TREES_LINE)
    mark = len(dice.log)
    number = terms.known("trees", len(given))
    facts: Told = {"number_score": None}
    if number is None:
        number = int(
            terms.rules.outcomes(f"trees_{terms.country.trees_table}").roll(dice, Sentence("number of groups of trees"))
        )
        facts = {"number_score": int(dice.log[-1].answer)}
    row = _Row(terms, sketch, since(dice, mark), facts)
    for place in given:
        row = row.put((given_area(place, row.takes_trees),), terms.country.trees, placed(), ())
    if number == len(given):
        return row.sketch
    series = Series.start(terms.grid, dice, Sentence("start row of the trees"))
    row = replace(row, throws=(*row.throws, *series.throws))
    # A group of trees takes only its own area, so the set of free areas stays valid between groups.
    free = {cell for cell in series.path if row.takes_trees(cell)}
    for group in range(len(given) + 1, number + 1):
        located, series = series.locate(dice, f"trees {group}", "PW1-41", may=free.__contains__)
        cells = () if located.cell is None else (located.cell,)
        free.difference_update(cells)
        row = row.put(cells, terms.country.trees, counted(located), located.throws)
    return row.sketch


def habitation(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its inhabited places, those of the scenario first (PW1-51..PW1-55).

    Raises:
        PlacementError: a given place cannot go where the user put it, or its areas are not connected.
    """
    mark = len(dice.log)
    given = {kind: terms.given.of(kind.value) for kind in PLACES}
    numbers, score = _numbers(terms, given, dice)
    row = _Row(terms, sketch, since(dice, mark), {"number_score": score})
    for kind in PLACES:
        for place in given[kind]:
            row = row.put(_given_cells(row, place, kind), kind, placed(), ())
    waiting = [kind for kind in PLACES for _ in range(numbers[kind] - len(given[kind]))]
    if not waiting:
        return row.sketch
    series = Series.start(terms.grid, dice, Sentence("start row of habitation"))
    row = replace(row, throws=(*row.throws, *series.throws))
    for kind in waiting:
        mark = len(dice.log)
        name = row.sketch.next_id(kind.value).replace("-", " ")
        located, series = series.locate(dice, name, "PW1-52", may=row.takes(kind))
        if located.cell is None:
            row = row.put((), kind, {}, ())
            continue
        cells, sides = _spread(row, located.cell, kind, name, dice)
        row = row.put(cells, kind, {**counted(located), "sides": sides}, since(dice, mark))
    return row.sketch


def _numbers(
    terms: Version1Terms, given: dict[Kind, tuple[PlaceSpec, ...]], dice: Dice
) -> tuple[dict[Kind, int], int | None]:
    """Return the number of places of each kind, and the score if a die was needed (PW1-51, PW0-13)."""
    known = {kind: terms.known(_NUMBERS[kind], len(given[kind])) for kind in PLACES}
    score = None
    thrown = dict.fromkeys(PLACES, 0)
    if None in known.values():
        table = terms.rules.outcomes(f"habitation_{terms.country.habitation_table}")
        outcome = table.roll(dice, Sentence("number of places"), describe=_counts)
        found = _OUTCOME.fullmatch(outcome)
        assert found is not None, outcome
        thrown = dict(zip(PLACES, (int(count) for count in found.groups()), strict=True))
        score = int(dice.log[-1].answer)
    return {kind: thrown[kind] if (number := known[kind]) is None else number for kind in PLACES}, score


def _counts(outcome: str) -> Sentence:
    """Return the numbers of a table row in words."""
    found = _OUTCOME.fullmatch(outcome)
    settlements, villages, towns = found.groups() if found else ("", "", "")
    return Sentence(
        "{settlements} settlements, {villages} villages, {towns} towns",
        settlements=settlements,
        villages=villages,
        towns=towns,
    )


def _areas(terms: Version1Terms, kind: Kind) -> int:
    """Return the number of areas of a place (PW1-50, PW1-60)."""
    village, town = map(int, terms.rules.choice("pw1.places").split("-"))
    return {Kind.SETTLEMENT: 1, Kind.VILLAGE: village, Kind.TOWN: town}[kind]


def _spread(row: _Row, first: Cell, kind: Kind, name: str, dice: Dice) -> tuple[tuple[Cell, ...], list[int]]:
    """Roll for the further areas of a place, each next to the previous one (PW1-53, PW1-60).

    Returns its areas and the scores. If no neighbour is free, the place stays smaller.
    """
    cells: tuple[Cell, ...] = (first,)
    sides: list[int] = []
    takes = row.takes(kind)
    for number in range(2, _areas(row.terms, kind) + 1):
        found = turn(
            row.terms.grid,
            cells[-1],
            dice=dice,
            reason=Sentence("direction of {feature}, area {number:d}", feature=name, number=number),
            clause="PW1-53",
            may=_but(cells, takes),
        )
        sides.append(found.score)
        if found.cell is None:
            break
        cells = (*cells, found.cell)
    return cells, sides


def _but(cells: tuple[Cell, ...], may: May) -> May:
    return lambda cell: cell not in cells and may(cell)


def _given_cells(row: _Row, given: PlaceSpec, kind: Kind) -> tuple[Cell, ...]:
    """Return the areas of a given place.

    Raises:
        PlacementError: the areas are not connected, or cannot take it.
    """
    cells = given_areas(given, _areas(row.terms, kind), row.takes(kind))
    for one, other in pairwise(cells):
        if other not in neighbours(row.terms.grid, one):
            raise PlacementError(
                "{place}: each area of a {kind} must share a side with the one before it",
                place=given.place,
                kind=kind.value,
            )
    return cells


class _Row(PlacingRow, frozen=True):
    """Places trees and inhabited places one after another."""

    def takes_trees(self, cell: Cell) -> bool:
        """Return whether an area may take trees: it is empty or has only a hill (PW1-41, PWA-14)."""
        return self.terms.bare(self.sketch, cell, Kind.HILL)

    def takes(self, kind: Kind) -> May:
        """Return the test whether an area may take a place of this kind (PW1-54)."""
        is_settlement = kind is Kind.SETTLEMENT
        cover = self.terms.rules.number("settlement_cover" if is_settlement else "village_cover")
        ground = (Kind.HILL,) if is_settlement else ()

        def may(cell: Cell) -> bool:
            standing = all(each.kind in ground for each in self.sketch.on(cell))
            return standing and self.sketch.cover(cell) < cover

        return may
