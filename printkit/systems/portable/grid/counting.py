"""Counting along rows (PW0-04..PW0-11), the direction die (PW0-12), and locating series of areas (PW2-12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Dice
from printkit.chance.tables import DieTable
from printkit.core.errors import Sentence
from printkit.terrain.field.grids import Cell, Grid, neighbours

# Return whether an area may take a feature.
May = Callable[[Cell], bool]

_DICE: Final = 3


class CountResult(Struct, frozen=True, kw_only=True):
    """The result of counting: the area that takes the feature, or None if no area may (PW0-11).

    Attributes:
        dice: the scores; their sum is counted from ``after``.
        after: the area of the previous feature; None if the count began at the start of ``row``.
        skipped_cells: areas that could not take the feature.
        count: the number of the area from the start of the row (PW0-07).
        throws: positions of the dice in the log.
    """

    cell: Cell | None
    dice: tuple[int, ...]
    row: int
    after: Cell | None
    skipped_cells: tuple[Cell, ...]
    count: int
    throws: tuple[int, ...]


_NOWHERE: Final = CountResult(cell=None, dice=(), row=0, after=None, skipped_cells=(), count=0, throws=())


class Series(Struct, frozen=True, kw_only=True):
    """A series of features of one kind, each located from the previous one (PW0-10).

    Attributes:
        path: all areas, from the left end of ``row``; the first comes after the last (PW0-05).
        throws: positions of the start row's dice in the log.
        place: index of the last feature in ``path``; -1 before the first.
    """

    row: int
    path: tuple[Cell, ...]
    throws: tuple[int, ...]
    place: int = -1

    @classmethod
    def start(cls, grid: Grid, dice: Dice, reason: Sentence, clause: str = "PW0-06", *, may: May = bool) -> Series:
        """Return the series that begins at a rolled row; a score without a row is rolled again (PW0-14).

        Rows count from 1 at the top. The series contains all areas in reading order from that row, then those before
        it. ``reason`` and ``clause`` are for the log. If no area ``may`` take a feature, there is no roll (PW0-11), and
        the series begins at the first row.
        """
        if not any(map(may, grid.cells())):
            return cls(row=1, path=grid.cells(), throws=())
        mark = len(dice.log)

        def describe_row(score: int) -> Sentence:
            """Return the result of the die in words."""
            if score > grid.rows:
                return Sentence("no row: it is thrown again")
            return Sentence("row {number}", number=score)

        while (row := dice.d6(reason, clause, brings=describe_row)) > grid.rows:
            pass
        cells, first = grid.cells(), (row - 1) * grid.columns
        return cls(row=row, path=(*cells[first:], *cells[:first]), throws=log_positions(dice, mark))

    @property
    def last_cell(self) -> Cell | None:
        """Return the area from which the next one is counted, or None before the first."""
        return self.path[self.place] if self.place >= 0 else None

    def resume_at(self, cell: Cell) -> Series:
        """Return the series with ``cell`` as the area of the last feature (PW0-08).

        The next feature is counted from the area after it. The series itself does not change.
        """
        return replace(self, place=self.path.index(cell))

    def locate(self, dice: Dice, feature_name: str, clause: str, *, may: May) -> tuple[CountResult, Series]:
        """Roll 3D6 for ``feature_name``; return the result and the series after it (PW0-07..PW0-09).

        The sum is counted in reading order from the last area, or from the start of the row for the first feature.
        After the last area of the board the count wraps to the top. If the area may not take the feature, the next one
        that may is used. If no area may take it, nothing is rolled, the series does not change, and the result has no
        area (PW0-11).

        Args:
            dice: rolls the three dice, which are logged.
            feature_name: the feature, in English for the log.
            clause: the clause for the log.
            may: gets an area and returns whether it may take the feature.
        """
        if not any(map(may, self.path)):
            return _NOWHERE, self
        mark = len(dice.log)
        reasons = (
            Sentence("{feature}, die {number:d} of {count:d}", feature=feature_name, number=number, count=_DICE)
            for number in range(1, _DICE + 1)
        )
        scores = tuple(dice.d6(reason, clause) for reason in reasons)
        aim = self.place + sum(scores)
        skipped_cells: list[Cell] = []
        while not may(cell := self.path[(aim + len(skipped_cells)) % len(self.path)]):
            skipped_cells.append(cell)
        place = self.path.index(cell)
        result = CountResult(
            cell=cell,
            dice=scores,
            row=self.row,
            after=self.last_cell,
            skipped_cells=tuple(skipped_cells),
            count=place + 1,
            throws=log_positions(dice, mark),
        )
        return result, replace(self, place=place)


def log_positions(dice: Dice, mark: int) -> tuple[int, ...]:
    """Return the positions in the log, from 1, of all rolls after its first ``mark`` lines; empty if there are none."""
    return tuple(range(mark + 1, len(dice.log) + 1))


# --- The direction die: a side of an area by its number, and the next usable one clockwise (PW0-12) -------------------


class DirectionResult(Struct, frozen=True, kw_only=True):
    """The result of a direction die: the area, or None if no neighbour may take the feature.

    Attributes:
        score: the last die.
        skipped_scores: scores of the sides that were not usable.
    """

    cell: Cell | None
    score: int
    skipped_scores: tuple[int, ...]
    throws: tuple[int, ...]


def roll_direction(grid: Grid, cell: Cell, *, dice: Dice, reason: Sentence, clause: str, may: May) -> DirectionResult:
    """Roll for a neighbour of ``cell``; skip clockwise over those that may not take the feature.

    Sides are numbered from 1, clockwise from the top (PWA-08). A score without a side, for example 5 on squares, is
    rolled again. ``may`` gets a neighbour and returns whether it may take the feature. Without such a neighbour, the
    result has no cell. ``reason`` and ``clause`` are for the log.
    """
    mark, count = len(dice.log), grid.direction_count()

    def describe_refusal(score: int) -> str:
        """Return a text for a score without a side; "" for other scores."""
        return "" if score <= count else Sentence("no side: it is thrown again")

    while (score := dice.d6(reason, clause, brings=describe_refusal)) > count:
        pass
    skipped_scores: list[int] = []
    for step in range(count):
        direction = (score - 1 + step) % count
        neighbour = grid.neighbour(cell, direction)
        if neighbour is not None and may(neighbour):
            return DirectionResult(
                cell=neighbour, score=score, skipped_scores=tuple(skipped_scores), throws=log_positions(dice, mark)
            )
        skipped_scores.append(direction + 1)
    return DirectionResult(
        cell=None, score=score, skipped_scores=tuple(skipped_scores), throws=log_positions(dice, mark)
    )


# --- How a feature was located, as plain values for the record and the account ----------------------------------------

PlacementFacts = dict[str, Any]


def counting_facts(result: CountResult) -> PlacementFacts:
    """Return the facts about a counted area: from the start of a row, or on from an earlier area."""
    return {
        "by": "first" if result.after is None else "onward",
        "dice": list(result.dice),
        "row": result.row,
        "count": result.count,
        "passed": [list(cell) for cell in result.skipped_cells],
        **({} if result.after is None else {"after": list(result.after)}),
    }


def direction_facts(result: DirectionResult, neighbour: Cell) -> PlacementFacts:
    """Return the facts about an area that a direction die chose next to ``neighbour``."""
    return {
        "by": "beside",
        "score": result.score,
        "passed_sides": list(result.skipped_scores),
        "after": list(neighbour),
    }


def scenario_facts() -> PlacementFacts:
    """Return the fact that the scenario gives this position (PW0-13)."""
    return {"by": "given"}


# --- Locating a series of areas by 3D6 or, if the chain die says so, next to the last one (PW2-12, PW2-20) ------------

JOINS: Final = "joins"
_CHAIN: Final = "PW2-20"


class LocatedArea(Struct, frozen=True, kw_only=True):
    """A located area.

    Attributes:
        facts: facts for the record.
        chained_to: the area that it joins; None if it was counted.
        throws: positions in the log.
    """

    cell: Cell
    facts: PlacementFacts
    chained_to: Cell | None = None
    throws: tuple[int, ...] = ()


class Trial(Struct, frozen=True, kw_only=True):
    """A candidate area for the next feature.

    Attributes:
        located_areas: the areas located so far.
        chained_to: the area that it would join; None if it is counted.
    """

    cell: Cell
    located_areas: tuple[LocatedArea, ...]
    chained_to: Cell | None


ChainTest: TypeAlias = Callable[[Trial], bool]


class Chains(Struct, frozen=True, kw_only=True):
    """Locates series of areas on a grid.

    Attributes:
        table: the chain die; None without chains.
        reserved_cells: areas to skip.
    """

    grid: Grid
    table: DieTable[str] | None
    reserved_cells: frozenset[Cell] = frozenset()

    def locate(self, count: int, *, name: str, clause: str, dice: Dice, may: ChainTest) -> tuple[LocatedArea, ...]:
        """Return the areas of up to ``count`` features; fewer if no area may take the next one (PW0-11).

        Roll for the start row and 3D6. For each further feature, roll the chain die, then 3D6 or the direction die
        (PW2-21). If no neighbour may take a chained feature, roll 3D6 for it (PW2-20). With a count below 1 nothing is
        rolled and the result is empty.

        Args:
            count: the number to locate.
            name: their name in the log, for example "hill".
            clause: the clause of the 3D6.
            dice: rolled in this order.
            may: gets a ``Trial`` (an area and those located so far) and returns whether the area may take the next one.
        """
        if count < 1:
            return ()
        mark = len(dice.log)
        reason = Sentence("start row of the {kind} areas", kind=name)
        series = Series.start(self.grid, dice, reason, may=self._make_test(may, ()))
        located_areas: tuple[LocatedArea, ...] = ()
        while len(located_areas) < count and any(map(self._make_test(may, located_areas), series.path)):
            feature_name = f"{name} {len(located_areas) + 1}"
            area = self._try_chain(located_areas, feature_name, dice, may)
            if area is None:
                result, series = series.locate(dice, feature_name, clause, may=self._make_test(may, located_areas))
                if result.cell is None:
                    break
                area = LocatedArea(cell=result.cell, facts=counting_facts(result))
            series = series.resume_at(area.cell)
            located_areas = (*located_areas, replace(area, throws=log_positions(dice, mark)))
            mark = len(dice.log)
        return located_areas

    def _try_chain(
        self, located_areas: tuple[LocatedArea, ...], feature_name: str, dice: Dice, may: ChainTest
    ) -> LocatedArea | None:
        """Roll the chain die, except for the first; return an area next to the last if it says so (PW2-20).

        None if the feature is not chained, or if no neighbour may take it. ``located_areas`` are the earlier ones in
        order.
        """
        joins = Sentence("does {feature} join the last one", feature=feature_name)
        if not located_areas or self.table is None or self.table.roll(dice, joins) != JOINS:
            return None
        last = located_areas[-1].cell
        can_take = self._make_test(may, located_areas, last)
        if not any(map(can_take, neighbours(self.grid, last))):
            return None
        direction = Sentence("direction of {feature}", feature=feature_name)
        result = roll_direction(self.grid, last, dice=dice, reason=direction, clause=_CHAIN, may=can_take)
        if result.cell is None:
            return None
        return LocatedArea(cell=result.cell, facts=direction_facts(result, last), chained_to=last)

    def _make_test(
        self, may: ChainTest, located_areas: tuple[LocatedArea, ...], chained_to: Cell | None = None
    ) -> Callable[[Cell], bool]:
        """Return the test whether an area may take the next feature.

        The area must be free and not reserved, and ``may`` must allow it. ``chained_to`` is the area that the feature
        would join; None if it is counted.
        """
        taken_cells = {area.cell for area in located_areas}

        def can_take(cell: Cell) -> bool:
            """Return whether an area may take the next feature."""
            trial = Trial(cell=cell, located_areas=located_areas, chained_to=chained_to)
            return cell not in taken_cells and cell not in self.reserved_cells and may(trial)

        return can_take
