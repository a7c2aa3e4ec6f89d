"""Hills and mountains of version 1: number, heights, positions, optional chains (PW1-30..PW1-33, PW1-62)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import JOINS, Series, Told, Turned, counted, placed, since, turn, turned
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.grid.terms import MOUNTAIN, Height
from printkit.systems.portable.version1.terms import PlacingRow, Version1Terms, given_area
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

HILL: Final = "hill"


class _Numbers(Struct, frozen=True):
    """The numbers of hills and mountains, and the score that gave them; None if the user gave both."""

    hills: int
    mountains: int
    score: int | None


_MOUNTAIN: Final = Height(0)


def hills(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its hills and mountains, those of the scenario first (PW1-33).

    Raises:
        PlacementError: a given hill or mountain cannot go where the user put it.
    """
    given_hills, given_mountains = terms.given.of(HILL), terms.given.of(MOUNTAIN)
    mark = len(dice.log)
    numbers = _numbers(terms, len(given_hills), len(given_mountains), dice)
    first = since(dice, mark)
    known = [place.contours for place in given_hills]
    known += [None] * (numbers.hills - len(known))
    table = f"height_{terms.country.relief}"
    heights = [terms.height(contours, table, number, dice) for number, contours in enumerate(known, 1)]
    row = _Row(terms, sketch, first, {"number_score": numbers.score})
    for given, height in zip(given_hills, heights, strict=False):
        row = row.hill(given_area(given, row.may), height, placed(), ())
    for given in given_mountains:
        row = row.hill(given_area(given, row.may), _MOUNTAIN, placed(), ())
    return row.locate(heights[len(given_hills) :], numbers.mountains - len(given_mountains), dice).sketch


def _numbers(terms: Version1Terms, hills: int, mountains: int, dice: Dice) -> _Numbers:
    """Return both numbers; roll for those that neither the settings nor the lists give (PW1-30, PW0-13)."""
    known = terms.known("hills", hills), terms.known("mountains", mountains)
    table = terms.rules.outcomes(f"hills_{terms.country.hills_table}")
    has_mountains = any("+" in row.outcome for row in table.rows)
    if known[0] is not None and (known[1] is not None or not has_mountains):
        return _Numbers(known[0], known[1] or 0, None)
    outcome = table.roll(dice, Sentence("number of hills"))
    thrown, _, more = outcome.partition("+")
    return _Numbers(
        hills=int(thrown) if known[0] is None else known[0],
        mountains=int(more or 0) if known[1] is None else known[1],
        score=int(dice.log[-1].answer),
    )


class _Row(PlacingRow, frozen=True):
    """Places hills and mountains one after another."""

    def locate(self, heights: list[Height], mountains: int, dice: Dice) -> _Row:
        """Place hills of these heights. Then place mountains, counted on from the last hill (PW1-32, PW1-33)."""
        if not heights and mountains < 1:
            return self
        series = Series.start(self.terms.grid, dice, Sentence("start row of the hills"))
        row = replace(self, throws=(*self.throws, *series.throws))
        waiting = list(heights)
        number = len(list(self.sketch.of(Kind.HILL, Kind.MOUNTAIN)))
        while waiting:
            number += 1
            located, series = series.locate(dice, f"hill {number}", "PW1-32", may=row.may)
            row = row.hill(located.cell, waiting.pop(0), counted(located), located.throws)
            last = located.cell
            while last is not None and waiting and row.joins(number + 1, dice):
                mark = len(dice.log) - 1
                number += 1
                found = row.beside(last, f"hill {number}", dice)
                if found.cell is None:
                    number -= 1
                    break
                row = row.hill(found.cell, waiting.pop(0), turned(found, last), since(dice, mark))
                series, last = series.from_(found.cell), found.cell
        for mountain in range(1, mountains + 1):
            located, series = series.locate(dice, f"mountain {mountain}", "PW1-32", may=row.may)
            row = row.hill(located.cell, _MOUNTAIN, counted(located), located.throws)
        return row

    def may(self, cell: Cell) -> bool:
        """Return whether an area may take a hill: it must be empty (PW1-32)."""
        return self.terms.bare(self.sketch, cell)

    def hill(self, cell: Cell | None, height: Height, told: Told, throws: tuple[int, ...]) -> _Row:
        """Return the row with one more hill, or with a note if no area was free (PW0-11)."""
        kind, cells = Kind.HILL if height.contours else Kind.MOUNTAIN, () if cell is None else (cell,)
        told = {**told, "height_score": height.score}
        return self.put(cells, kind, told, (*height.throws, *throws), contours=height.contours)

    def joins(self, number: int, dice: Dice) -> bool:
        """With chains on, roll whether the next hill joins the last one (PW1-62)."""
        if self.terms.rules.choice("pw1.chains") == "off":
            return False
        reason = Sentence("does {feature} join the last one", feature=f"hill {number}")
        return self.terms.rules.outcomes("chain").roll(dice, reason) == JOINS

    def beside(self, last: Cell, name: str, dice: Dice) -> Turned:
        """Roll for the area next to ``last`` for a joining hill; without a free area there is no cell."""
        return turn(
            self.terms.grid,
            last,
            dice=dice,
            reason=Sentence("direction of {feature}", feature=name),
            clause="PW1-62",
            may=self.may,
        )
