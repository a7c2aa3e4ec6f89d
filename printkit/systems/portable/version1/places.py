"""Trees and habitation of version 1: numbers, positions, towns of several areas (PW1-40..PW1-42, PW1-50..PW1-55)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import PlacementError, Sentence
from printkit.systems.portable.grid.counting import (
    May,
    PlacementFacts,
    Series,
    counting_facts,
    log_positions,
    roll_direction,
    scenario_facts,
)
from printkit.systems.portable.grid.overrides import PlaceSpec
from printkit.systems.portable.grid.sketch import Sketch, SketchNote
from printkit.systems.portable.version1.terms import PlacingRow, Version1Terms, check_given_area, check_given_areas
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, neighbours

# The kind that a line of the features uses for a group of trees of any species.
TREES_LINE: Final = "trees"

PLACES: Final = (Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN)
_NUMBERS: Final = {Kind.SETTLEMENT: "settlements", Kind.VILLAGE: "villages", Kind.TOWN: "towns"}
_OUTCOME: Final = re.compile(r"([0-9]{1,40})s ([0-9]{1,40})v ([0-9]{1,40})t")


def place_trees(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its groups of trees, those of the scenario first (PW1-40, PW1-41).

    Raises:
        PlacementError: a given group cannot go where the user put it.
    """
    given_places = terms.terrain.find_places(TREES_LINE)
    mark = len(dice.log)
    number = terms.known_count("trees", len(given_places))
    facts: PlacementFacts = {"number_score": None}
    if number is None:
        number = int(
            terms.rules.outcomes(f"trees_{terms.geography.trees_table}").roll(
                dice, Sentence("number of groups of trees")
            )
        )
        number, facts = terms.scale_number(number), {"number_score": int(dice.log[-1].answer)}
    row = _PlaceRow(terms, sketch, log_positions(dice, mark), facts)
    for place in given_places:
        row = row.add_feature(
            (check_given_area(place, row.can_take_trees),), terms.geography.trees, scenario_facts(), ()
        )
    if number == len(given_places):
        return row.sketch
    series = Series.start(terms.grid, dice, Sentence("start row of the trees"), may=row.can_take_trees)
    row = replace(row, throws=(*row.throws, *series.throws))
    # A group of trees takes only its own area, so the set of free areas stays valid between groups.
    free = {cell for cell in series.path if row.can_take_trees(cell)}
    for group in range(len(given_places) + 1, number + 1):
        result, series = series.locate(dice, f"trees {group}", "PW1-41", may=free.__contains__)
        cells = () if result.cell is None else (result.cell,)
        free.difference_update(cells)
        row = row.add_feature(cells, terms.geography.trees, counting_facts(result), result.throws)
    return row.sketch


def place_habitation(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its inhabited places, those of the scenario first (PW1-51..PW1-55).

    Raises:
        PlacementError: a given place cannot go where the user put it, or its areas are not connected.
    """
    mark = len(dice.log)
    given_places = {kind: terms.terrain.find_places(kind.value) for kind in PLACES}
    numbers, score = _roll_numbers(terms, given_places, dice)
    row = _PlaceRow(terms, sketch, log_positions(dice, mark), {"number_score": score})
    for kind in PLACES:
        for place in given_places[kind]:
            row = row.add_feature(_check_given_cells(row, place, kind), kind, scenario_facts(), ())
    kinds_left = [kind for kind in PLACES for _ in range(numbers[kind] - len(given_places[kind]))]
    if not kinds_left:
        return row.sketch
    tests = [row.make_test(kind) for kind in dict.fromkeys(kinds_left)]
    row_reason = Sentence("start row of habitation")
    series = Series.start(terms.grid, dice, row_reason, may=lambda cell: any(test(cell) for test in tests))
    row = replace(row, throws=(*row.throws, *series.throws))
    for kind in kinds_left:
        mark = len(dice.log)
        name = row.sketch.next_id(kind.value).replace("-", " ")
        result, series = series.locate(dice, name, "PW1-52", may=row.make_test(kind))
        if result.cell is None:
            row = row.add_feature((), kind, {}, ())
            continue
        cells, sides = _roll_further_areas(row, result.cell, kind, name, dice)
        row = row.add_feature(cells, kind, {**counting_facts(result), "sides": sides}, log_positions(dice, mark))
        if len(cells) < _count_areas(terms, kind):
            note = SketchNote(key="smaller", clause="PW1-53", feature=row.sketch.placings[-1].id)
            row = replace(row, sketch=row.sketch.add(note))
    return row.sketch


def _roll_numbers(
    terms: Version1Terms, given_places: dict[Kind, tuple[PlaceSpec, ...]], dice: Dice
) -> tuple[dict[Kind, int], int | None]:
    """Return the number of places of each kind, and the score if a die was needed (PW1-51, PW0-13).

    Without a roll there is no score (None). ``given_places`` are those of the scenario.
    """
    known_counts = {kind: terms.known_count(_NUMBERS[kind], len(given_places[kind])) for kind in PLACES}
    score = None
    rolled_counts = dict.fromkeys(PLACES, 0)
    if None in known_counts.values():
        table = terms.rules.outcomes(f"habitation_{terms.geography.habitation_table}")
        outcome = table.roll(dice, Sentence("number of places"), describe=_format_counts)
        match = _OUTCOME.fullmatch(outcome)
        assert match is not None, outcome
        rolled_counts = dict(zip(PLACES, (terms.scale_number(int(count)) for count in match.groups()), strict=True))
        score = int(dice.log[-1].answer)
    return {kind: rolled_counts[kind] if (number := known_counts[kind]) is None else number for kind in PLACES}, score


def _format_counts(outcome: str) -> Sentence:
    """Return the numbers of a table row in words; the row is a text such as ``2s 1v 0t``."""
    match = _OUTCOME.fullmatch(outcome)
    settlements, villages, towns = match.groups() if match else ("", "", "")
    return Sentence(
        "{settlements} settlements, {villages} villages, {towns} towns",
        settlements=settlements,
        villages=villages,
        towns=towns,
    )


def _count_areas(terms: Version1Terms, kind: Kind) -> int:
    """Return how many areas a place of this kind has by the settings (PW1-50, PW1-60)."""
    village, town = map(int, terms.rules.choice("pw1.places").split("-"))
    return {Kind.SETTLEMENT: 1, Kind.VILLAGE: village, Kind.TOWN: town}[kind]


def _roll_further_areas(
    row: _PlaceRow, first: Cell, kind: Kind, name: str, dice: Dice
) -> tuple[tuple[Cell, ...], list[int]]:
    """Roll for the areas of a place after its ``first``, each next to the previous one (PW1-53, PW1-60).

    Return all its areas with the first, and the scores of the direction dice. If no neighbour is free, the place stays
    smaller. ``name`` is its name in the log.
    """
    cells: tuple[Cell, ...] = (first,)
    sides: list[int] = []
    can_take = row.make_test(kind)
    for number in range(2, _count_areas(row.terms, kind) + 1):
        if not any(map(_exclude_cells(cells, can_take), neighbours(row.terms.grid, cells[-1]))):
            break
        result = roll_direction(
            row.terms.grid,
            cells[-1],
            dice=dice,
            reason=Sentence("direction of {feature}, area {number:d}", feature=name, number=number),
            clause="PW1-53",
            may=_exclude_cells(cells, can_take),
        )
        sides.append(result.score)
        if result.cell is None:
            break
        cells = (*cells, result.cell)
    return cells, sides


def _exclude_cells(cells: tuple[Cell, ...], may: May) -> May:
    """Return a test that a cell passes ``may`` and is not one of ``cells``."""
    return lambda cell: cell not in cells and may(cell)


def _check_given_cells(row: _PlaceRow, given_place: PlaceSpec, kind: Kind) -> tuple[Cell, ...]:
    """Return the areas of a given place, in their order.

    Raises:
        PlacementError: the areas are not connected, or cannot take it.
    """
    cells = check_given_areas(given_place, _count_areas(row.terms, kind), row.make_test(kind))
    for cell, next_cell in pairwise(cells):
        if next_cell not in neighbours(row.terms.grid, cell):
            raise PlacementError(
                "{place}: each area of a {kind} must share a side with the one before it",
                place=given_place.place,
                kind=kind.value,
            )
    return cells


class _PlaceRow(PlacingRow, frozen=True):
    """Places trees and inhabited places one after another."""

    def can_take_trees(self, cell: Cell) -> bool:
        """Return whether an area may take trees: it is empty or has only a hill (PW1-41, PWA-14)."""
        return self.terms.is_bare(self.sketch, cell, Kind.HILL)

    def make_test(self, kind: Kind) -> May:
        """Return the test whether an area may take a place of this kind (PW1-54)."""
        is_settlement = kind is Kind.SETTLEMENT
        cover = self.terms.rules.number("settlement_cover" if is_settlement else "village_cover")
        ground_kinds = (Kind.HILL,) if is_settlement else ()

        def can_take(cell: Cell) -> bool:
            """Return whether the ground on an area is allowed, and rivers and roads cover little enough of it."""
            is_allowed = all(feature.kind in ground_kinds for feature in self.sketch.features_at(cell))
            return is_allowed and self.sketch.cover(cell) < cover

        return can_take
