"""The areas of a gridded board: addresses, neighbours, outlines and cheapest chains (PW0-01 to PW0-12, PW2-33)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator

from shapely import LineString, Point, Polygon

Cell = tuple[int, int]
"""Column from the left, row from the top, both counted from 1 (PW0-02)."""


class Areas:
    """A grid of squares or hexes. Direction 1 is the top, then clockwise (PW0-12)."""

    def __init__(self, grid: dict, board: dict) -> None:
        self.columns, self.rows = int(grid["columns"]), int(grid["rows"])
        self.cell, self.depth = float(grid["cell_mm"]), float(board["depth_mm"])
        self.width = float(board["width_mm"])
        self.square, self.grain = grid["shape"] == "square", grid["grain"]
        self.cells = [(column, row) for row in range(1, self.rows + 1) for column in range(1, self.columns + 1)]
        self.sides = 4 if self.square else 6
        self._flat = self.grain.startswith("flat")

    def _shifted(self, cell: Cell) -> bool:
        """Return whether the column of a cell is half a hex lower, or its row half a hex further right (PW0-03)."""
        odd = cell[0 if self._flat else 1] % 2 == 1
        return odd == self.grain.endswith(("odd-low", "odd-right"))

    def neighbour(self, cell: Cell, direction: int) -> Cell | None:
        """Return the area across a side, or None off the grid."""
        column, row = cell
        if self.square:
            across, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[direction - 1]
        elif self._flat:
            low = self._shifted(cell)
            up, down_ = (0, 1) if low else (-1, 0)
            across, down = ((0, -1), (1, up), (1, down_), (0, 1), (-1, down_), (-1, up))[direction - 1]
        else:
            right = self._shifted(cell)
            left_, right_ = (0, 1) if right else (-1, 0)
            across, down = ((right_, -1), (1, 0), (right_, 1), (left_, 1), (-1, 0), (left_, -1))[direction - 1]
        found = (column + across, row + down)
        return found if 1 <= found[0] <= self.columns and 1 <= found[1] <= self.rows else None

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the areas that share a side with an area, clockwise (PW0-18)."""
        return [near for side in range(1, self.sides + 1) if (near := self.neighbour(cell, side))]

    def clockwise(self, cell: Cell, direction: int) -> list[Cell]:
        """Return the neighbours clockwise from a direction (PW0-12)."""
        turns = [(direction - 1 + step) % self.sides + 1 for step in range(self.sides)]
        return [near for side in turns if (near := self.neighbour(cell, side))]

    def onward(self, cell: Cell, count: int) -> Iterator[Cell]:
        """Yield every area in reading order with wrap, from the one ``count`` areas further on (PW0-04, 05, 08, 09)."""
        start = self.cells.index(cell) + count
        return (self.cells[(start + step) % len(self.cells)] for step in range(len(self.cells)))

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the centre of an area in mm."""
        column, row, size = *cell, self.cell
        half = size / 2
        if self.square:
            return (column - 0.5) * size, self.depth - (row - 0.5) * size
        radius = size / math.sqrt(3)
        if self._flat:
            return radius * (1 + 1.5 * (column - 1)), self.depth - (row - 0.5) * size - half * self._shifted(cell)
        return (column - 0.5) * size + half * self._shifted(cell), self.depth - radius * (1 + 1.5 * (row - 1))

    def outline(self, cell: Cell) -> Polygon:
        """Return the outline of an area."""
        (x, y), radius = self.centre(cell), self.cell / math.sqrt(2 if self.square else 3)
        first = 45.0 if self.square else 0.0 if self._flat else 30.0
        turns = [math.radians(first + 360 / self.sides * step) for step in range(self.sides)]
        return Polygon([(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns])

    def edge(self) -> list[tuple[Cell, set[int]]]:
        """Return edge areas clockwise from the top left, each with its quarters (PW2-30): closed, so some have two."""
        columns, rows = range(1, self.columns + 1), range(1, self.rows + 1)
        found = [((column, 1), 0, column, self.columns) for column in columns]
        found += [((self.columns, row), 4, row, self.rows) for row in rows]
        found += [((column, self.rows), 8, self.columns + 1 - column, self.columns) for column in reversed(columns)]
        found += [((1, row), 12, self.rows + 1 - row, self.rows) for row in reversed(rows)]
        return [
            (
                cell,
                {
                    first + quarter
                    for quarter in (1, 2, 3, 4)
                    if (quarter - 1) * count <= 4 * place - 2 <= quarter * count
                },
            )
            for cell, first, place, count in found
        ]

    def cheapest(
        self,
        starts: Iterable[Cell],
        ends: Iterable[Cell],
        cost: Callable[[Cell], float | None],
        line: LineString | None = None,
    ) -> tuple[float, float] | None:
        """Return the least cost of a chain, and of the cheapest the least sum of squared distances from a line.

        ``cost`` is None for an area that no chain enters.
        """
        goal = set(ends)
        heap = [(self._step(cell, cost, line), cell) for cell in starts if cost(cell) is not None]
        heapq.heapify(heap)
        seen = set()
        while heap:
            (paid, bent), cell = heapq.heappop(heap)
            if cell in goal:
                return paid, bent
            if cell in seen:
                continue
            seen.add(cell)
            for near in self.neighbours(cell):
                if near not in seen and cost(near) is not None:
                    more = self._step(near, cost, line)
                    heapq.heappush(heap, ((round(paid + more[0], 3), round(bent + more[1], 3)), near))
        return None

    def price(
        self, chain: list[Cell], cost: Callable[[Cell], float | None], line: LineString | None = None
    ) -> tuple[float, float]:
        """Return the cost of a chain and its sum of squared distances from a line."""
        steps = [self._step(cell, lambda each: cost(each) or 0.0, line) for cell in chain]
        return sum(step[0] for step in steps), sum(step[1] for step in steps)

    def _step(self, cell: Cell, cost: Callable[[Cell], float | None], line: LineString | None) -> tuple[float, float]:
        off = line.distance(Point(self.centre(cell))) / self.cell if line is not None else 0.0
        return cost(cell) or 0.0, off * off
