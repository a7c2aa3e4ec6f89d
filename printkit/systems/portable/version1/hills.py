"""Hills and mountains of version 1: number, heights, positions, optional chains (PW1-30..PW1-33, PW1-62)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import (
    JOINS,
    DirectionResult,
    PlacementFacts,
    Series,
    counting_facts,
    direction_facts,
    log_positions,
    roll_direction,
    scenario_facts,
)
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.grid.terms import MOUNTAIN, Height
from printkit.systems.portable.version1.terms import PlacingRow, Version1Terms, check_given_area
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

HILL: Final = "hill"


class _HillCounts(Struct, frozen=True):
    """The numbers of hills and mountains, and the score that gave them; None if the user gave both."""

    hills: int
    mountains: int
    score: int | None


_MOUNTAIN: Final = Height(0)


def place_hills(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its hills and mountains, those of the scenario first (PW1-33).

    Raises:
        PlacementError: a given hill or mountain cannot go where the user put it.
    """
    given_hills, given_mountains = terms.terrain.find_places(HILL), terms.terrain.find_places(MOUNTAIN)
    mark = len(dice.log)
    numbers = _roll_numbers(terms, len(given_hills), len(given_mountains), dice)
    first = log_positions(dice, mark)
    given_contours = [place.contours for place in given_hills]
    given_contours += [None] * (numbers.hills - len(given_contours))
    table = f"height_{terms.geography.relief}"
    heights = [terms.roll_height(contours, table, number, dice) for number, contours in enumerate(given_contours, 1)]
    row = _HillRow(terms, sketch, first, {"number_score": numbers.score})
    for given_place, height in zip(given_hills, heights, strict=False):
        row = row.add_hill(check_given_area(given_place, row.can_take), height, scenario_facts(), ())
    for given_place in given_mountains:
        row = row.add_hill(check_given_area(given_place, row.can_take), _MOUNTAIN, scenario_facts(), ())
    return row.locate_hills(heights[len(given_hills) :], numbers.mountains - len(given_mountains), dice).sketch


def _roll_numbers(terms: Version1Terms, hills: int, mountains: int, dice: Dice) -> _HillCounts:
    """Return both numbers; roll for those that neither the settings nor the lists give (PW1-30, PW0-13).

    ``hills`` and ``mountains`` are the numbers that the scenario lists. The result also has the score, None without a
    roll.
    """
    known_counts = terms.known_count("hills", hills), terms.known_count("mountains", mountains)
    table = terms.rules.outcomes(f"hills_{terms.geography.hills_table}")
    has_mountains = any("+" in row.outcome for row in table.rows)
    if known_counts[0] is not None and (known_counts[1] is not None or not has_mountains):
        return _HillCounts(known_counts[0], known_counts[1] or 0, None)
    outcome = table.roll(dice, Sentence("number of hills"))
    hill_text, _, mountain_text = outcome.partition("+")
    return _HillCounts(
        hills=terms.scale_number(int(hill_text)) if known_counts[0] is None else known_counts[0],
        mountains=terms.scale_number(int(mountain_text or 0)) if known_counts[1] is None else known_counts[1],
        score=int(dice.log[-1].answer),
    )


class _HillRow(PlacingRow, frozen=True):
    """Places hills and mountains one after another."""

    def locate_hills(self, heights: list[Height], mountains: int, dice: Dice) -> _HillRow:
        """Place hills of these heights, then as many mountains, and return the row after them.

        Mountains are counted on from the last hill (PW1-32, PW1-33). The row itself does not change.
        """
        if not heights and mountains < 1:
            return self
        series = Series.start(self.terms.grid, dice, Sentence("start row of the hills"), may=self.can_take)
        row = replace(self, throws=(*self.throws, *series.throws))
        heights_left = list(heights)
        number = len(list(self.sketch.of(Kind.HILL, Kind.MOUNTAIN)))
        while heights_left:
            number += 1
            result, series = series.locate(dice, f"hill {number}", "PW1-32", may=row.can_take)
            row = row.add_hill(result.cell, heights_left.pop(0), counting_facts(result), result.throws)
            last_cell = result.cell
            while last_cell is not None and heights_left and row.roll_joins(number + 1, dice):
                mark = len(dice.log) - 1
                number += 1
                direction_result = row.roll_neighbour(last_cell, f"hill {number}", dice)
                if direction_result.cell is None:
                    number -= 1
                    break
                row = row.add_hill(
                    direction_result.cell,
                    heights_left.pop(0),
                    direction_facts(direction_result, last_cell),
                    log_positions(dice, mark),
                )
                series, last_cell = series.resume_at(direction_result.cell), direction_result.cell
        for mountain in range(1, mountains + 1):
            result, series = series.locate(dice, f"mountain {mountain}", "PW1-32", may=row.can_take)
            row = row.add_hill(result.cell, _MOUNTAIN, counting_facts(result), result.throws)
        return row

    def can_take(self, cell: Cell) -> bool:
        """Return whether an area may take a hill: it must be empty (PW1-32)."""
        return self.terms.is_bare(self.sketch, cell)

    def add_hill(self, cell: Cell | None, height: Height, facts: PlacementFacts, throws: tuple[int, ...]) -> _HillRow:
        """Return the row with one more hill or mountain, or with a note if no area was free (PW0-11).

        Args:
            cell: its area, or None if no area was free.
            height: its contours, 0 for a mountain, with their roll.
            facts: for the record, about its position.
            throws: positions in the log, from 1, of the rolls for its position.
        """
        kind, cells = Kind.HILL if height.contours else Kind.MOUNTAIN, () if cell is None else (cell,)
        facts = {**facts, "height_score": height.score}
        return self.add_feature(cells, kind, facts, (*height.throws, *throws), contours=height.contours)

    def roll_joins(self, number: int, dice: Dice) -> bool:
        """Roll whether hill ``number`` joins the last one (PW1-62).

        Return False without a roll if chains are off or no area is free.
        """
        if self.terms.rules.choice("pw1.chains") == "off" or not any(map(self.can_take, self.terms.grid.cells())):
            return False
        reason = Sentence("does {feature} join the last one", feature=f"hill {number}")
        return self.terms.rules.outcomes("chain").roll(dice, reason) == JOINS

    def roll_neighbour(self, last: Cell, name: str, dice: Dice) -> DirectionResult:
        """Roll for an area next to ``last`` for a hill that joins it; no cell in the result if none is free."""
        return roll_direction(
            self.terms.grid,
            last,
            dice=dice,
            reason=Sentence("direction of {feature}", feature=name),
            clause="PW1-62",
            may=self.can_take,
        )
