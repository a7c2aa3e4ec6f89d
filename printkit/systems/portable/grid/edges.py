"""The edge of the board: its sixteen quarters (PW2-30..PW2-32), its slots in version 1, and where courses cross it.

Quarters are numbered clockwise from the top left corner: 1-4 top edge, 5-8 right edge, 9-12 bottom edge from right to
left, 13-16 left edge from bottom to top.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from msgspec import Struct
from shapely import Point

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.overrides import CourseSpec, End
from printkit.terrain.field.grids import Cell, Grid

QUARTERS: Final = 16
_AN_EDGE: Final = 4


class Quarters(Struct, frozen=True, kw_only=True):
    """The reading of the quarters; ``onward`` is added to the second die (PW2-31, PW2-31a)."""

    onward: int = 0
    clause: str = "PW2-31"

    @classmethod
    def from_rules(cls, rules: Rules) -> Quarters:
        """Return the reading that the settings choose (PW2-30..PW2-31a)."""
        row = rules.row("exits", "reading", rules.choice("pw2.exit"))
        return cls(onward=row.need("add", int), clause=row.need("clause", str))

    def exit_quarter(self, entry: int, score: int) -> int:
        """Return the quarter of the exit, 1 to 16, for a course that enters through quarter ``entry``.

        ``score`` is that of the die for the exit. It is counted clockwise from the entry, with the addition of the
        setting.
        """
        return (entry - 1 + self.onward + score) % QUARTERS + 1

    def find_cells(self, grid: Grid, quarter: int) -> tuple[Cell, ...]:
        """Return the cells of a quarter of an edge, clockwise (PW2-30): those whose centre is in it.

        Quarters are numbered 1 to 16, four to an edge, clockwise from the left end of the top edge. A cell in the
        middle between two quarters belongs to both (PWA-06). Centres are counted in cells along the edge, so that
        hexes, whose columns overlap, and squares are divided in the same way.
        """
        edge, part = divmod(quarter - 1, _AN_EDGE)
        side_cells = edge_cells(grid)[edge]
        total = 2 * len(side_cells)
        low, high = total * part, total * (part + 1)
        return tuple(cell for index, cell in enumerate(side_cells) if low <= _AN_EDGE * (2 * index + 1) <= high)

    def choose_cell(
        self, grid: Grid, quarter: int, *, taken_cells: Collection[Cell], dice: Dice, reason: str
    ) -> Cell | None:
        """Return the cell of a quarter, 1 to 16, where a course begins or ends (PW2-32).

        There is no cell (None) if the whole edge is taken. If several cells are free, a die for each decides. If none
        is free, it is the next free cell of the edge clockwise, without a die. ``reason`` is the beginning of the
        reasons in the log.
        """
        free = [cell for cell in self.find_cells(grid, quarter) if cell not in taken_cells]
        if not free:
            return next_edge_cell(grid, quarter, taken_cells)
        return roll_highest(free, dice, reason=reason, clause="PW2-32")


def edge_cells(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of the four edges: top, right, bottom, left, each in clockwise order.

    The corner cells are in two of them.
    """
    columns, rows = range(1, grid.columns + 1), range(1, grid.rows + 1)
    return (
        tuple(Cell(column, 1) for column in columns),
        tuple(Cell(grid.columns, row) for row in rows),
        tuple(Cell(column, grid.rows) for column in reversed(columns)),
        tuple(Cell(1, row) for row in reversed(rows)),
    )


def next_edge_cell(grid: Grid, quarter: int, taken_cells: Collection[Cell]) -> Cell | None:
    """Return the first free cell of the edge, clockwise from the beginning of a quarter, 1 to 16 (PW2-32).

    None if the whole edge is taken.
    """
    edge, part = divmod(quarter - 1, _AN_EDGE)
    side_cells = edge_cells(grid)[edge]
    first_index = next(
        index for index in range(len(side_cells)) if _AN_EDGE * (2 * index + 1) >= 2 * len(side_cells) * part
    )
    return free_edge_cell(grid, side_cells[first_index], taken_cells)


def roll_highest(cells: Collection[Cell], dice: Dice, *, reason: str, clause: str) -> Cell:
    """Roll a die for each cell in turn and return the one with the highest score; ties roll again (PW2-32).

    A single cell needs no die. ``reason`` begins the reasons in the log, ``clause`` is their clause.
    """
    tied_cells = list(cells)
    while len(tied_cells) > 1:
        scores = [
            dice.d6(Sentence("{reason}, area {cell}", reason=reason, cell=address(cell)), clause) for cell in tied_cells
        ]
        tied_cells = [cell for cell, score in zip(tied_cells, scores, strict=True) if score == max(scores)]
    return tied_cells[0]


def address(cell: Cell) -> str:
    """Return a cell in the notation of the rules, ``(3;5)``: row, then column, from the top left (PW0-02)."""
    return f"({cell.row};{cell.column})"


# --- Where a course enters the board and where it leaves it -----------------------------------------------------------

# The outward directions of the four edges; y points to the far edge.
_OUT: Final = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))


class CourseEnd(NamedTuple):
    """An area where a course crosses the edge of the board, and its quarter; 0 if only the area was given."""

    cell: Cell
    quarter: int


class CourseEnds(NamedTuple):
    """Where a course enters and where it leaves."""

    entry: CourseEnd
    exit: CourseEnd


class GridEdge(Struct, frozen=True, kw_only=True):
    """The edge of a grid with a reading of its quarters."""

    grid: Grid
    quarters: Quarters

    def find_ends(self, spec: CourseSpec, *, name: str, taken_cells: Collection[Cell], dice: Dice) -> CourseEnds | None:
        """Return where a course enters and leaves, or None if the whole edge is taken.

        Roll for the quarter of the entry, then of the exit, then for the areas of both (PW2-37), except for given
        values. The two areas always differ. ``name`` is the name of the course in the log. The quarter of an end that
        the scenario gives by its area is 0.

        Raises:
            ScenarioError: an end is not valid in version 2, or one area is both ends.
        """
        entry, exit_ = self._parse_end(spec, spec.start), self._parse_end(spec, spec.end)
        if entry is not None and exit_ is not None and entry.cell and entry.cell == exit_.cell:
            raise ScenarioError(
                "{place}: {cell} cannot be both ends of a linear feature", place=spec.place, cell=address(entry.cell)
            )
        entry_of, exit_of = Sentence("entry of {course}", course=name), Sentence("exit of {course}", course=name)
        first = entry.quarter if entry else dice.d6(entry_of, self.quarters.clause)
        last = exit_.quarter if exit_ else self._roll_exit(entry, first, exit_of, dice)
        start = entry.cell if entry else None
        if start is None:
            barred_cells = {*taken_cells, *((exit_.cell,) if exit_ and exit_.cell else ())}
            start = self.quarters.choose_cell(self.grid, first, taken_cells=barred_cells, dice=dice, reason=entry_of)
        if start is None:
            return None
        end = exit_.cell if exit_ else None
        if end is None:
            end = self.quarters.choose_cell(
                self.grid, last, taken_cells={*taken_cells, start}, dice=dice, reason=exit_of
            )
        return None if end is None else CourseEnds(CourseEnd(start, first), CourseEnd(end, last))

    def find_side(self, course_end: CourseEnd, onward: Cell) -> int:
        """Return the direction, from 0, of the outer side where a course crosses the edge, in its end area.

        It is the straightest one on the way to the area ``onward``. It faces the edge of the rolled quarter. If the
        scenario gave the area, it can be any outer side.
        """
        cell = course_end.cell
        edges = [(course_end.quarter - 1) // _AN_EDGE] if course_end.quarter else range(_AN_EDGE)
        outer = [
            direction
            for direction in range(self.grid.direction_count())
            if self.grid.neighbour(cell, direction) is None
            and any(_dot(self._direction_to(cell, self.grid.step(cell, direction)), _OUT[edge]) > 0.1 for edge in edges)
            and any(cell in edge_cells(self.grid)[edge] for edge in edges)
        ]
        if not outer:
            outer = [side for side in range(self.grid.direction_count()) if self.grid.neighbour(cell, side) is None]
        ahead = self._direction_to(cell, onward)
        return min(outer, key=lambda side: round(_dot(self._direction_to(cell, self.grid.step(cell, side)), ahead), 6))

    def _roll_exit(self, entry: _EndSpec | None, first: int, reason: Sentence, dice: Dice) -> int:
        """Roll for the quarter of the exit, counted on from that of the entry, and return it, 1 to 16 (PW2-31).

        ``first`` is the quarter of the entry; 0 if the scenario gives only its area.
        """
        begin = first
        if entry is not None and entry.cell is not None and not first:
            # The first quarter clockwise that has the area of the entry.
            begin = next(
                number for number in range(1, QUARTERS + 1) if entry.cell in self.quarters.find_cells(self.grid, number)
            )
        return self.quarters.exit_quarter(
            begin,
            dice.d6(
                reason,
                self.quarters.clause,
                brings=lambda score: Sentence("quarter {number}", number=self.quarters.exit_quarter(begin, score)),
            ),
        )

    def _parse_end(self, spec: CourseSpec, end: End) -> _EndSpec | None:
        """Return the area or the quarter that a line gives for an end; None if it gives neither.

        Raises:
            ScenarioError: the end is not valid in version 2, or its area is not on the edge.
        """
        if end == End():
            return None
        if end.quarter is not None:
            return _EndSpec(None, end.quarter)
        cell = end.cell
        if "-" in end.slot or end.share is not None:
            cell = edge_cell(self.grid, EdgePosition(end.slot, end.share or 0.0))
        if cell is None:
            raise ScenarioError(
                "{place}: version 2 has no edge positions. Write for example a quarter of the edge as q3, "
                "an area as (1;5), a corner as top-left, or a share of a side as top 40%",
                place=spec.place,
                clause="PW2-30",
            )
        if not any(cell in side_cells for side_cells in edge_cells(self.grid)):
            raise ScenarioError(
                "{place}: {cell} is not on the edge of {grid}",
                place=spec.place,
                cell=address(cell),
                grid=self.grid.name,
                clause="PW2-30",
            )
        return _EndSpec(cell, 0)

    def _direction_to(self, cell: Cell, other: Cell) -> tuple[float, float]:
        """Return the direction from an area to another as a unit vector."""
        (x, y), (to_x, to_y) = self.grid.centre(cell), self.grid.centre(other)
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        return (to_x - x) / length, (to_y - y) / length


class _EndSpec(NamedTuple):
    """An end of a course in the scenario: its area, or only its quarter."""

    cell: Cell | None
    quarter: int


def _dot(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Return the dot product of two vectors (x, y)."""
    return first[0] * second[0] + first[1] * second[1]


# --- The edge of the board in version 1 -------------------------------------------------------------------------------


class Slot(NamedTuple):
    """A side or corner of the board and its scores."""

    name: str
    scores: tuple[int, ...]

    @property
    def is_corner(self) -> bool:
        """Return whether it is a corner, which needs no station."""
        return "-" in self.name


class EdgePosition(NamedTuple):
    """A slot of the edge, and for a side the ``share`` (0 to 1) from its left or top end."""

    slot: str
    share: float = 0.0


class Ring(Struct, frozen=True):
    """The slots clockwise from the top, and the station of each score as a share of a side."""

    slots: tuple[Slot, ...]
    stations: Mapping[int, float]

    @classmethod
    def from_rules(cls, rules: Rules) -> Ring:
        """Return the ring of slots and stations in the rule book."""
        slots = tuple(Slot(row.need("slot", str), row.need("scores", tuple[int, ...])) for row in rules.rows("ring"))
        stations = {
            score: float(Fraction(share))
            for row in rules.rows("stations")
            for score, share in zip(row.need("scores", list[int]), row.need("at", list[str]), strict=True)
        }
        return cls(slots, stations)

    def find_slot(self, name: str) -> Slot:
        """Return the slot with this name, for example ``top`` or ``top-left``.

        Raises:
            StopIteration: there is no such slot.
        """
        return next(slot for slot in self.slots if slot.name == name)

    def entry_slot(self, score: int) -> Slot:
        """Return the first slot of a score, clockwise from and including the top (PW1-11)."""
        return next(slot for slot in self.slots if score in slot.scores)

    def exit_slot(self, entry: Slot, score: int) -> Slot:
        """Return the first slot of a score, clockwise after the entry (PW1-12).

        A score that the slot of the entry has gives the opposite slot.
        """
        index = self.slots.index(entry)
        onward = (*self.slots[index + 1 :], *self.slots[:index])
        return next(slot for slot in onward if score in slot.scores)

    def station(self, score: int) -> float:
        """Return the station of a score as a share of the side, 0 to 1 (PW1-13, PWA-02).

        The share counts from the left or top end.
        """
        return self.stations[score]


def edge_point(grid: Grid, position: EdgePosition) -> tuple[float, float]:
    """Return the point (x, y), in mm on the board, of an edge position on the grid's rectangle (PW1-15).

    The slot is a side, with a share from the left or the top, or a corner.
    """
    near_far = {"top": grid.depth, "bottom": 0.0}
    left_right = {"left": 0.0, "right": grid.width}
    first, _, second = position.slot.partition("-")
    if second:
        return left_right[second], near_far[first]
    if first in near_far:
        return position.share * grid.width, near_far[first]
    return left_right[first], (1.0 - position.share) * grid.depth


def edge_cell(grid: Grid, position: EdgePosition) -> Cell:
    """Return the edge area of an edge position, for courses that are chains of areas.

    A corner gives the corner area. A side gives the area at its share of the side.
    """
    first, _, second = position.slot.partition("-")
    if second:
        return Cell(1 if second == "left" else grid.columns, 1 if first == "top" else grid.rows)
    column, row = (min(int(position.share * count) + 1, count) for count in (grid.columns, grid.rows))
    match first:
        case "top":
            return Cell(column, 1)
        case "bottom":
            return Cell(column, grid.rows)
        case "left":
            return Cell(1, row)
        case _:
            return Cell(grid.columns, row)


def free_edge_cell(grid: Grid, cell: Cell, barred_cells: Collection[Cell]) -> Cell | None:
    """Return a cell of the edge, or the next one clockwise that is not barred; None if all are (PW2-32)."""
    ring = list(dict.fromkeys(cell for edge in edge_cells(grid) for cell in edge))
    index = ring.index(cell)
    return next((candidate for candidate in (*ring[index:], *ring[:index]) if candidate not in barred_cells), None)


def find_end_cells(
    grid: Grid, entry: EdgePosition, exit_: EdgePosition, barred_cells: Collection[Cell]
) -> tuple[Cell, Cell]:
    """Return the areas where a chain enters and leaves: those of its positions, or the next free ones clockwise.

    If one free area is the next one for two different ends, the course leaves by another one. Without a free area an
    end keeps its own, although it is one of ``barred_cells`` (PW2-35).
    """
    first, last = edge_cell(grid, entry), edge_cell(grid, exit_)
    start = free_edge_cell(grid, first, barred_cells) or first
    shut_cells = {*barred_cells, start} if first != last else barred_cells
    return start, free_edge_cell(grid, last, shut_cells) or last


def outer_side(grid: Grid, cell: Cell, toward: tuple[float, float]) -> int | None:
    """Return the side of an edge cell that leads off the board, the nearest one to ``toward``.

    A side is a direction of the grid. ``toward`` is a point (x, y) in mm on the board. None if every side leads to
    another cell. The sides count from 0, clockwise from the top.
    """
    outer = [direction for direction in range(grid.direction_count()) if grid.neighbour(cell, direction) is None]

    def measure_distance(direction: int) -> float:
        """Return the distance from the middle of a side to the point, in mm on the board."""
        middle = grid.face(cell, direction).interpolate(0.5, normalized=True)
        return round(float(middle.distance(Point(toward))), 3)

    return min(outer, key=measure_distance, default=None)
