"""Scatter points for trees, tufts and stones over areas, with a Poisson-disk pattern."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.resources import resource
from printkit.drawing.canvas.shapes import Line, polygons
from printkit.terrain.geometry.measure import stations

# --- The Poisson-disk pattern: a periodic square of points at least 1 apart -------------------------------------------

# Side of the square, in spacings; the square is repeated over an area.
SIDE: Final = 40

# Number of rounds of darts at every empty cell. Few holes remain after them; ``poisson_points`` fills these.
_ROUNDS: Final = 60


@cache
def pattern() -> Line:
    """Return the points of the pattern, n x 2."""
    return read(resource("templates/patterns", "planting.txt").read_text(encoding="utf-8"))


def read(text: str) -> Line:
    """Return the points of a text that ``written`` made, n x 2."""
    return np.array([float.fromhex(number) for number in text.split()]).reshape(-1, 2)


def written(places: Line) -> str:
    """Return points as text, one on each line: x and y as exact hexadecimal numbers."""
    return "".join(f"{x.hex()} {y.hex()}\n" for x, y in places.tolist())


def thrown() -> Line:
    """Compute the pattern: points at least 1 apart on a periodic square of side ``SIDE``.

    Each round throws one dart at every cell; a cell is too small for two points. Among darts that are too near each
    other, the one with the highest score stays. Only darts at empty cells are checked, and these soon become few.
    """
    stream = Stream("pattern of planting")
    count = int(np.ceil(SIDE * np.sqrt(2)))
    size = SIDE / count
    cells = np.arange(count * count)
    row, column = np.divmod(cells, count)
    reach = [(up, over) for up in range(-2, 3) for over in range(-2, 3) if up or over]
    # The nearest cells come first, because they reject most darts.
    reach.sort(key=lambda way: way[0] ** 2 + way[1] ** 2)
    around = np.stack([(row - up) % count * count + (column - over) % count for up, over in reach])
    stands = np.full(len(cells), False)
    x, y = np.full(len(cells), np.inf), np.full(len(cells), np.inf)
    for _ in range(_ROUNDS):
        draw = stream.draw_array(3 * len(cells)).reshape(3, -1)
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
    """Return where points of two arrays are less than 1 apart on the periodic square."""
    across, along = np.abs(x - other_x), np.abs(y - other_y)
    with np.errstate(invalid="ignore"):
        across, along = np.minimum(across, np.abs(SIDE - across)), np.minimum(along, np.abs(SIDE - along))
        return np.asarray(across**2 + along**2 < 1.0)


# Distance of trial points that fill holes, in spacings: small enough to find every hole.
_FILLING: Final = 0.34

# Maximum number of trial points across a very small area, for example a sliver between two borders.
_MOST: Final = 1000

# Random offset of points along an edge row, in steps.
_WAVER: Final = 0.16

_NONE: Final = np.zeros((0, 2))


def poisson_points(
    area: BaseGeometry,
    spacing: float,
    stream: Stream,
    *,
    kept: Line | Sequence[tuple[float, float]] = (),
    avoid: BaseGeometry | None = None,
) -> NDArray[np.float64]:
    """Return Poisson-disk points inside an area without holes between them, n x 2, from north to south.

    Args:
        area: the area; may be empty.
        spacing: minimum distance between points, in mm.
        stream: random numbers that mirror and shift the pattern.
        kept: existing points; new points keep ``spacing`` from them too. They are not returned.
        avoid: area without points.
    """
    ground = area if avoid is None or avoid.is_empty else shapely.difference(area, avoid)
    if ground.is_empty:
        return _NONE
    shapely.prepare(ground)
    standing = np.asarray(kept, dtype=float).reshape(-1, 2)
    places = _uncrowded(_inside(ground, _pattern(ground.bounds, spacing, stream)), standing, spacing)
    # Few trial points are in a hole. Test only these for being inside the area.
    taken = np.vstack([standing, places])
    tries = _uncrowded(_tries(ground, taken, spacing, stream), taken, spacing)
    inside = _inside(ground, tries)
    gaps = thinned(inside, np.full(len(inside), spacing))
    found = np.vstack([places, gaps])
    return found[np.lexsort((found[:, 0], -found[:, 1]))]


def thinned(places: Line, spacings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the places that keep a minimum distance from all earlier ones.

    ``spacings`` has one distance in mm for each place; the smaller one of a pair counts. Varying spacings make
    stones sparser across an area. Earlier places win, so put required places first.
    """
    cell = max(float(spacings.max(initial=0.0)), 1e-6)
    taken: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
    chosen: list[int] = []
    for number, ((x, y), spacing) in enumerate(zip(places.tolist(), spacings.tolist(), strict=True)):
        column, row = int(x // cell), int(y // cell)
        near = (
            place
            for over in (column - 1, column, column + 1)
            for up in (row - 1, row, row + 1)
            for place in taken.get((over, up), ())
        )
        if all((x - px) ** 2 + (y - py) ** 2 >= min(spacing, theirs) ** 2 for px, py, theirs in near):
            taken.setdefault((column, row), []).append((x, y, spacing))
            chosen.append(number)
    return np.asarray(places[chosen])


def edge_row(area: BaseGeometry, inset: float, step: float, stream: Stream) -> NDArray[np.float64]:
    """Return points ``inset`` mm inside every edge of an area and its holes, about ``step`` mm apart."""
    rows = [_NONE]
    for part in polygons(area.buffer(-inset)):
        for ring in (part.exterior, *part.interiors):
            count = max(3, round(ring.length / step))
            strays = (2 * stream.draw_array(count) - 1) * _WAVER
            spots = (np.arange(count) + strays) % count * (ring.length / count)
            rows.append(stations(ring, spots))
    return np.vstack(rows)


def _tries(ground: BaseGeometry, taken: Line, spacing: float, stream: Stream) -> Line:
    """Return a jittered lattice over an area, fine enough to find every hole and to hit small areas.

    Lattice points next to an existing point are always closer than the spacing, and are left out.
    """
    left, low, right, high = ground.bounds
    fine = max(math.sqrt(ground.area) / 4, max(right - left, high - low) / _MOST)
    step = min(spacing * _FILLING, fine)
    x, y = np.arange(left, right + step, step), np.arange(low, high + step, step)
    jitter = stream.draw_array(2 * len(x) * len(y)).reshape(2, -1) - 0.5
    # Half a step to the node, one step to the next node, half a step of jitter: 2 steps on each axis, 2.83 in all.
    # This is less than the spacing, which is at least 2.94 steps.
    held = np.zeros((len(y) + 2, len(x) + 2), dtype=bool)
    nodes = np.rint((taken - (left, low)) / step).astype(np.int64) + 1
    near = nodes[((nodes >= 0) & (nodes <= (len(x) + 1, len(y) + 1))).all(axis=1)]
    held[near[:, 1], near[:, 0]] = True
    held = held[:-2] | held[1:-1] | held[2:]
    held = held[:, :-2] | held[:, 1:-1] | held[:, 2:]
    row, column = np.nonzero(~held)
    strays = jitter[:, row * len(x) + column] * step
    return np.column_stack([x[column] + strays[0], y[row] + strays[1]])


def _uncrowded(places: Line, standing: Line, spacing: float) -> Line:
    """Return the places that are at least ``spacing`` from all existing points."""
    if not len(places) or not len(standing):
        return places
    # Sort existing points by square cells as wide as the spacing: points that are too near are in adjacent cells.
    corner = standing.min(axis=0)
    cells = np.floor((standing - corner) / spacing).astype(np.int64)
    columns, rows = cells.max(axis=0) + 3
    keys = (cells[:, 1] + 1) * columns + cells[:, 0] + 1
    begins = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=(rows + 1) * columns))])
    standing = standing[np.argsort(keys, kind="stable")]
    own = np.floor((places - corner) / spacing).astype(np.int64)
    free = np.ones(len(places), dtype=bool)
    for row in (0, -1, 1):
        beside = own + np.array([0, row])
        asked = np.flatnonzero(free & (beside >= -1).all(axis=1) & (beside < (columns - 1, rows - 2)).all(axis=1))
        key = (beside[asked, 1] + 1) * columns + beside[asked, 0]
        first, last = begins[np.maximum(key, 0)], begins[key + 3]
        counts = last - first
        place = np.repeat(asked, counts)
        other = np.arange(len(place)) + np.repeat(first - np.cumsum(counts) + counts, counts)
        # Use slightly less than the spacing, so that pattern points at exactly that distance do not exclude each other.
        free[place[_within(places[place], standing[other], spacing * (1 - 1e-9))]] = False
    return places[free]


def _within(places: Line, others: Line, reach: float) -> NDArray[np.bool_]:
    steps = places - others
    return np.asarray(np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1]) <= reach)


def _inside(ground: BaseGeometry, places: Line) -> Line:
    return np.asarray(places[shapely.contains_xy(ground, places[:, 0], places[:, 1])])


def _pattern(bounds: tuple[float, float, float, float], spacing: float, stream: Stream) -> Line:
    """Return the pattern, randomly mirrored and shifted, repeated over the bounds."""
    tile = pattern()
    if stream.draw_unit() < 0.5:
        tile = tile[:, ::-1]
    for axis in (0, 1):
        if stream.draw_unit() < 0.5:
            tile = tile * np.where(np.arange(2) == axis, -1.0, 1.0)
    tile = (tile + np.array([stream.draw_unit(), stream.draw_unit()]) * SIDE) % SIDE
    left, low, right, high = (value / spacing for value in bounds)
    columns = np.arange(np.floor(left / SIDE), np.floor(right / SIDE) + 1) * SIDE
    rows = np.arange(np.floor(low / SIDE), np.floor(high / SIDE) + 1) * SIDE
    corners = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2)
    places = (corners + tile[None]).reshape(-1, 2)
    shown = (places >= (left, low)).all(axis=1) & (places <= (right, high)).all(axis=1)
    return np.asarray(places[shown] * spacing)
