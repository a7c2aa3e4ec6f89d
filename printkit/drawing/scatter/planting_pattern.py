"""The pattern by which places are planted: a square of places at least 1 apart whose opposite edges join.

It is the same for every board, and kept in ``templates/patterns`` as ``thrown`` made it, to the last bit.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from printkit.chance.streams import Stream
from printkit.core.resources import resource
from printkit.drawing.canvas.shapes import Line

SIDE: Final = 40
"""Side of the square, in spacings; it is laid over an area again and again."""

_ROUNDS: Final = 60
"""After so many darts at every empty cell hardly any hole is left; ``planting.planted`` closes the rest."""


@cache
def pattern() -> Line:
    """Return the places of the pattern, n x 2."""
    return read(resource("templates/patterns", "planting.txt").read_text(encoding="utf-8"))


def read(text: str) -> Line:
    """Return the places of a text that ``written`` wrote."""
    return np.array([float.fromhex(number) for number in text.split()]).reshape(-1, 2)


def written(places: Line) -> str:
    """Return places as text, one a line, x and y as hexadecimal numbers that lose nothing."""
    return "".join(f"{x.hex()} {y.hex()}\n" for x, y in places.tolist())


def thrown() -> Line:
    """Return the pattern thrown anew: places at least 1 apart on a square of side ``SIDE`` whose opposite edges join.

    Darts are thrown at all cells at once; a cell is too small for two. Of darts that lie too near to one another
    the one with the highest score sticks. Only darts at cells still empty are looked at: they soon are few.
    """
    stream = Stream("pattern of planting")
    count = int(np.ceil(SIDE * np.sqrt(2)))
    size = SIDE / count
    cells = np.arange(count * count)
    row, column = np.divmod(cells, count)
    reach = [(up, over) for up in range(-2, 3) for over in range(-2, 3) if up or over]
    # The nearest cells first: they turn most darts away.
    reach.sort(key=lambda way: way[0] ** 2 + way[1] ** 2)
    around = np.stack([(row - up) % count * count + (column - over) % count for up, over in reach])
    stands = np.full(len(cells), False)
    x, y = np.full(len(cells), np.inf), np.full(len(cells), np.inf)
    for _ in range(_ROUNDS):
        draw = stream.array(3 * len(cells)).reshape(3, -1)
        new_x, new_y = (column + draw[0]) * size, (row + draw[1]) * size
        tried = np.flatnonzero(~stands)
        for beside in around:
            near = beside[tried]
            tried = tried[~_near(new_x[tried], new_y[tried], x[near], y[near])]
        score = np.full(len(cells), -1.0)
        score[tried] = draw[2, tried]
        near = around[:, tried]
        beaten = (score[near] > score[tried]) & _near(new_x[tried], new_y[tried], new_x[near], new_y[near])
        stuck = tried[~beaten.any(axis=0)]
        x[stuck], y[stuck], stands[stuck] = new_x[stuck], new_y[stuck], True
    return np.column_stack([x[stands], y[stands]])


def _near(
    x: NDArray[np.float64], y: NDArray[np.float64], other_x: NDArray[np.float64], other_y: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return where two fields of places lie nearer than 1, on a square whose opposite edges join."""
    across, along = np.abs(x - other_x), np.abs(y - other_y)
    with np.errstate(invalid="ignore"):
        across, along = np.minimum(across, np.abs(SIDE - across)), np.minimum(along, np.abs(SIDE - along))
        return np.asarray(across**2 + along**2 < 1.0)
