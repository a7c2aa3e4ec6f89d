"""Planting: where trees, tufts and stones stand, scattered but never crowded."""

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
from printkit.drawing.shapes import Line, polygons
from printkit.terrain.stations import stations

_TILE: Final = 40
"""Side of the pattern that is laid over an area again and again, in spacings."""

_ROUNDS: Final = 60
"""After so many darts at every empty cell hardly any hole is left; ``planted`` closes the rest."""

_FILLING: Final = 0.34
"""Distance of the places tried where holes are left, in spacings: none wider than a stamp escapes them."""

_WAVER: Final = 0.16
"""How far a place of an edge row strays from its even step."""

_NONE: Final = np.zeros((0, 2))


def planted(
    area: BaseGeometry,
    spacing: float,
    stream: Stream,
    *,
    kept: Line | Sequence[tuple[float, float]] = (),
    avoid: BaseGeometry | None = None,
) -> NDArray[np.float64]:
    """Return places inside an area as n x 2, from north to south: a Poisson-disk pattern without holes.

    Args:
        area: where to plant; may be empty.
        spacing: the least distance in mm of any two places.
        stream: turns and shifts the pattern.
        kept: places that stand already; the new ones keep ``spacing`` from them too. They are not returned.
        avoid: ground that stays clear.
    """
    ground = area if avoid is None or avoid.is_empty else shapely.difference(area, avoid)
    if ground.is_empty:
        return _NONE
    shapely.prepare(ground)
    standing = np.asarray(kept, dtype=float).reshape(-1, 2)
    places = _uncrowded(_inside(ground, _pattern(ground.bounds, spacing, stream)), standing, spacing)
    tries = _inside(ground, _tries(ground, spacing, stream))
    gaps = _apart(_uncrowded(tries, np.vstack([standing, places]), spacing), spacing)
    found = np.vstack([places, gaps])
    return found[np.lexsort((found[:, 0], -found[:, 1]))]


def thinned(places: Line, spacings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return those of some places that keep a distance from all before them, each its own, in mm.

    So stones grow coarser and sparser over their ground. Earlier places win; put first what must stand.
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
    """Return places ``inset`` mm inside every edge of an area, about ``step`` mm apart; holes have edges too."""
    rows = [_NONE]
    for part in polygons(area.buffer(-inset)):
        for ring in (part.exterior, *part.interiors):
            count = max(3, round(ring.length / step))
            strays = (2 * stream.array(count) - 1) * _WAVER
            spots = (np.arange(count) + strays) % count * (ring.length / count)
            rows.append(stations(ring, spots))
    return np.vstack(rows)


def _tries(ground: BaseGeometry, spacing: float, stream: Stream) -> Line:
    """Return a jittered lattice over some ground, fine enough to find every hole, and small ground at all."""
    left, low, right, high = ground.bounds
    step = min(spacing * _FILLING, math.sqrt(ground.area) / 4)
    x, y = (
        axis.ravel() for axis in np.meshgrid(np.arange(left, right + step, step), np.arange(low, high + step, step))
    )
    jitter = stream.array(2 * len(x)).reshape(2, -1) - 0.5
    return np.column_stack([x + jitter[0] * step, y + jitter[1] * step])


def _apart(places: Line, spacing: float) -> Line:
    """Return the places that keep ``spacing`` from all that were taken before them."""
    taken: dict[tuple[int, int], list[tuple[float, float]]] = {}
    chosen: list[tuple[float, float]] = []
    least = spacing**2
    for x, y in places.tolist():
        column, row = int(x // spacing), int(y // spacing)
        near = (
            place
            for over in (column - 1, column, column + 1)
            for up in (row - 1, row, row + 1)
            for place in taken.get((over, up), ())
        )
        if all((x - px) ** 2 + (y - py) ** 2 >= least for px, py in near):
            taken.setdefault((column, row), []).append((x, y))
            chosen.append((x, y))
    return np.asarray(chosen, dtype=float).reshape(-1, 2)


def _uncrowded(places: Line, standing: Line, spacing: float) -> Line:
    """Return the places that keep ``spacing`` from all that stand."""
    if not len(places) or not len(standing):
        return places
    tree = shapely.STRtree(shapely.points(standing))
    # A hair less than the spacing: places of the pattern that just touch it must not drive one another out.
    near, _ = tree.query(shapely.points(places), predicate="dwithin", distance=spacing * (1 - 1e-9))
    free = np.ones(len(places), dtype=bool)
    free[near] = False
    return places[free]


def _inside(ground: BaseGeometry, places: Line) -> Line:
    return np.asarray(places[shapely.contains_xy(ground, places[:, 0], places[:, 1])])


def _pattern(bounds: tuple[float, float, float, float], spacing: float, stream: Stream) -> Line:
    """Return the tile mirrored, turned and shifted by the stream, repeated over the bounds."""
    tile = _tile()
    if stream.unit() < 0.5:
        tile = tile[:, ::-1]
    for axis in (0, 1):
        if stream.unit() < 0.5:
            tile = tile * np.where(np.arange(2) == axis, -1.0, 1.0)
    tile = (tile + np.array([stream.unit(), stream.unit()]) * _TILE) % _TILE
    left, low, right, high = (value / spacing for value in bounds)
    columns = np.arange(np.floor(left / _TILE), np.floor(right / _TILE) + 1) * _TILE
    rows = np.arange(np.floor(low / _TILE), np.floor(high / _TILE) + 1) * _TILE
    corners = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2)
    places = (corners + tile[None]).reshape(-1, 2)
    shown = (places >= (left, low)).all(axis=1) & (places <= (right, high)).all(axis=1)
    return np.asarray(places[shown] * spacing)


@cache
def _tile() -> Line:
    """Return places at least 1 apart on a square of side ``_TILE`` whose opposite edges join.

    Darts are thrown at all cells at once; a cell is too small for two. Of darts that lie too near to one another
    the one with the highest score sticks. Only darts at cells still empty are looked at: they soon are few.
    """
    stream = Stream("pattern of planting")
    count = int(np.ceil(_TILE * np.sqrt(2)))
    size = _TILE / count
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
        across, along = np.minimum(across, np.abs(_TILE - across)), np.minimum(along, np.abs(_TILE - along))
        return np.asarray(across**2 + along**2 < 1.0)
