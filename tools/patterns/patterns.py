"""Fixed data in ``templates/patterns``: trees, troop types, suits, scattered points, swatches, and the ink of symbols.

Usage: python tools/patterns/patterns.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
import numpy as np
from drawn_crowns import SHAPES, dump_parts
from drawn_suits import SUITS
from drawn_swatches import ink_text, swatch_files
from drawn_symbols import SYMBOLS
from numpy.typing import NDArray

from printkit.chance.streams import Stream
from printkit.drawing.canvas.shapes import Line
from printkit.drawing.scatter.crowns import SIDE

_FOLDER: Final = Path(__file__).parents[2] / "templates" / "patterns"

# Number of rounds of darts at every empty cell. Few holes remain after them; ``poisson_points`` fills these.
_ROUNDS: Final = 60


def patterns() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each text file."""
    yield "troop-symbols.json", msgspec.json.encode(SYMBOLS).decode() + "\n"
    yield "suits.json", msgspec.json.encode({suit: draw().wkb_hex for suit, draw in SUITS.items()}).decode() + "\n"
    yield "ink.json", ink_text()
    yield "planting.txt", dump_points(compute_pattern())
    for name, (draw, count) in SHAPES.items():
        yield f"crowns-{name}.json", dump_parts(map(draw, range(count)))


def dump_points(places: Line) -> str:
    """Return points (n x 2) as text, one on each line: x and y as exact hexadecimal numbers."""
    return "".join(f"{x.hex()} {y.hex()}\n" for x, y in places.tolist())


def compute_pattern() -> Line:
    """Compute the pattern: points at least 1 apart on a periodic square of side ``SIDE``, n x 2.

    The unit is the minimum distance between points. Each round throws one dart at every cell; a cell is too small for
    two points. Among darts that are too near each other, the one with the highest score stays. Only darts at empty
    cells are checked, and these soon become few.
    """
    stream = Stream("pattern of planting")
    count = int(np.ceil(SIDE * np.sqrt(2)))
    size = SIDE / count
    cells = np.arange(count * count)
    row, column = np.divmod(cells, count)
    cell_offsets = [
        (row_step, column_step) for row_step in range(-2, 3) for column_step in range(-2, 3) if row_step or column_step
    ]
    # The nearest cells come first, because they reject most darts.
    cell_offsets.sort(key=lambda cell_offset: cell_offset[0] ** 2 + cell_offset[1] ** 2)
    neighbour_cells = np.stack(
        [(row - row_step) % count * count + (column - column_step) % count for row_step, column_step in cell_offsets]
    )
    is_filled = np.full(len(cells), False)
    x, y = np.full(len(cells), np.inf), np.full(len(cells), np.inf)
    for _ in range(_ROUNDS):
        draw = stream.draw_array(3 * len(cells)).reshape(3, -1)
        new_x, new_y = (column + draw[0]) * size, (row + draw[1]) * size
        candidates = np.flatnonzero(~is_filled)
        for neighbours in neighbour_cells:
            near_cells = neighbours[candidates]
            candidates = candidates[~_is_near(new_x[candidates], new_y[candidates], x[near_cells], y[near_cells])]
        score = np.full(len(cells), -1.0)
        score[candidates] = draw[2, candidates]
        near_cells = neighbour_cells[:, candidates]
        is_beaten = (score[near_cells] > score[candidates]) & _is_near(
            new_x[candidates], new_y[candidates], new_x[near_cells], new_y[near_cells]
        )
        winners = candidates[~is_beaten.any(axis=0)]
        x[winners], y[winners], is_filled[winners] = new_x[winners], new_y[winners], True
    return np.column_stack([x[is_filled], y[is_filled]])


def _is_near(
    x: NDArray[np.float64], y: NDArray[np.float64], other_x: NDArray[np.float64], other_y: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return where points of two arrays are less than 1 apart on the periodic square.

    The unit is the minimum distance between points of the pattern.
    """
    distance_x, distance_y = np.abs(x - other_x), np.abs(y - other_y)
    with np.errstate(invalid="ignore"):
        distance_x, distance_y = (
            np.minimum(distance_x, np.abs(SIDE - distance_x)),
            np.minimum(distance_y, np.abs(SIDE - distance_y)),
        )
        return np.asarray(distance_x**2 + distance_y**2 < 1.0)


if __name__ == "__main__":
    for file, text in patterns():
        (_FOLDER / file).write_text(text, encoding="utf-8", newline="\n")
    for file, parts in swatch_files():
        with ZipFile(_FOLDER / file, "w", ZIP_DEFLATED) as archive:
            for name, part in parts.items():
                # A fixed date: the same parts are the same file.
                archive.writestr(ZipInfo(name), part, ZIP_DEFLATED)
