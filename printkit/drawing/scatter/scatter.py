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
from printkit.terrain.geometry.measure import interpolate_points

# Side of the square, in spacings; the square is repeated over an area.
SIDE: Final = 40


@cache
def load_pattern() -> Line:
    """Return the points of the pattern, n x 2: a square of side 40 that repeats in both directions.

    The unit is the minimum distance between points. The array is cached: do not change it.
    """
    return parse_points(resource("templates/patterns", "planting.txt").read_text(encoding="utf-8"))


def parse_points(text: str) -> Line:
    """Return the points of a text that ``tools/patterns/patterns.py`` made, n x 2, in the same unit."""
    return np.array([float.fromhex(number) for number in text.split()]).reshape(-1, 2)


# Distance of trial points that fill holes, in spacings: small enough to find every hole.
_TRIAL_STEP: Final = 0.34

# Maximum number of trial points across a very small area, for example a sliver between two borders.
_MOST: Final = 1000

# Random offset of points along an edge row, in steps.
_WAVER: Final = 0.16

_NO_POINTS: Final = np.zeros((0, 2))


def poisson_points(
    area: BaseGeometry,
    spacing: float,
    stream: Stream,
    *,
    existing: Line | Sequence[tuple[float, float]] = (),
    avoid: BaseGeometry | None = None,
) -> NDArray[np.float64]:
    """Return Poisson-disk points inside an area without holes between them, from north to south.

    They are x and y, n x 2; all lengths are in the unit of the area (printed mm, or mm of the board). An empty area has
    no points.

    Args:
        area: the area; may be empty.
        spacing: minimum distance between points.
        stream: random numbers that mirror and shift the pattern.
        existing: existing points; new points keep ``spacing`` from them too. They are not returned.
        avoid: area without points; None for no such area.
    """
    ground = area if avoid is None or avoid.is_empty else shapely.difference(area, avoid)
    if ground.is_empty:
        return _NO_POINTS
    shapely.prepare(ground)
    existing_points = np.asarray(existing, dtype=float).reshape(-1, 2)
    places = _drop_crowded(
        _points_inside(ground, _repeat_pattern(ground.bounds, spacing, stream)), existing_points, spacing
    )
    # Few trial points are in a hole. Test only these for being inside the area.
    all_points = np.vstack([existing_points, places])
    trial_points = _drop_crowded(_trial_points(ground, all_points, spacing, stream), all_points, spacing)
    inner_points = _points_inside(ground, trial_points)
    gap_points = thin_out(inner_points, np.full(len(inner_points), spacing))
    points = np.vstack([places, gap_points])
    return points[np.lexsort((points[:, 0], -points[:, 1]))]


def thin_out(places: Line, spacings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the places (n x 2) that keep a minimum distance from all earlier places that stay, in their order.

    ``spacings`` has one distance for each place, in the unit of the places; the smaller one of a pair counts. Varying
    spacings make stones sparser across an area. Put required places first: the first place always stays.
    """
    cell = max(float(spacings.max(initial=0.0)), 1e-6)
    places_by_cell: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
    indexes: list[int] = []
    for number, ((x, y), spacing) in enumerate(zip(places.tolist(), spacings.tolist(), strict=True)):
        column, row = int(x // cell), int(y // cell)
        near = (
            place
            for near_column in (column - 1, column, column + 1)
            for near_row in (row - 1, row, row + 1)
            for place in places_by_cell.get((near_column, near_row), ())
        )
        if all((x - px) ** 2 + (y - py) ** 2 >= min(spacing, near_spacing) ** 2 for px, py, near_spacing in near):
            places_by_cell.setdefault((column, row), []).append((x, y, spacing))
            indexes.append(number)
    return np.asarray(places[indexes])


def edge_row(area: BaseGeometry, inset: float, step: float, stream: Stream) -> NDArray[np.float64]:
    """Return points ``inset`` printed mm inside every edge of an area (mm) and its holes, n x 2.

    They are about ``step`` mm apart along the edge, with random variation. A narrow area gives an empty array.
    """
    rows = [_NO_POINTS]
    for part in polygons(area.buffer(-inset)):
        for ring in (part.exterior, *part.interiors):
            count = max(3, round(ring.length / step))
            strays = (2 * stream.draw_array(count) - 1) * _WAVER
            distances = (np.arange(count) + strays) % count * (ring.length / count)
            rows.append(interpolate_points(ring, distances))
    return np.vstack(rows)


def _trial_points(ground: BaseGeometry, existing: Line, spacing: float, stream: Stream) -> Line:
    """Return a jittered lattice over an area, as points in the unit of the area, n x 2.

    It is fine enough to find every hole between points that are ``spacing`` apart, and to hit small areas. Lattice
    points next to an existing point are always closer than the spacing, and are left out.
    """
    left, low, right, high = ground.bounds
    least_step = max(math.sqrt(ground.area) / 4, max(right - left, high - low) / _MOST)
    step = min(spacing * _TRIAL_STEP, least_step)
    x, y = np.arange(left, right + step, step), np.arange(low, high + step, step)
    jitter = stream.draw_array(2 * len(x) * len(y)).reshape(2, -1) - 0.5
    # Half a step to the node, one step to the next node, half a step of jitter: 2 steps on each axis, 2.83 in all.
    # This is less than the spacing, which is at least 2.94 steps.
    is_taken = np.zeros((len(y) + 2, len(x) + 2), dtype=bool)
    nodes = np.rint((existing - (left, low)) / step).astype(np.int64) + 1
    near = nodes[((nodes >= 0) & (nodes <= (len(x) + 1, len(y) + 1))).all(axis=1)]
    is_taken[near[:, 1], near[:, 0]] = True
    is_taken = is_taken[:-2] | is_taken[1:-1] | is_taken[2:]
    is_taken = is_taken[:, :-2] | is_taken[:, 1:-1] | is_taken[:, 2:]
    row, column = np.nonzero(~is_taken)
    strays = jitter[:, row * len(x) + column] * step
    return np.column_stack([x[column] + strays[0], y[row] + strays[1]])


def _drop_crowded(places: Line, existing: Line, spacing: float) -> Line:
    """Return the places that are at least ``spacing`` from all existing points.

    Places and points are n x 2, in the unit of ``spacing``. The order is kept, and places are not compared with each
    other.
    """
    if not len(places) or not len(existing):
        return places
    # Sort existing points by square cells as wide as the spacing: points that are too near are in adjacent cells.
    corner = existing.min(axis=0)
    cells = np.floor((existing - corner) / spacing).astype(np.int64)
    columns, rows = cells.max(axis=0) + 3
    keys = (cells[:, 1] + 1) * columns + cells[:, 0] + 1
    starts = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=(rows + 1) * columns))])
    existing = existing[np.argsort(keys, kind="stable")]
    place_cells = np.floor((places - corner) / spacing).astype(np.int64)
    is_free = np.ones(len(places), dtype=bool)
    for row in (0, -1, 1):
        row_cells = place_cells + np.array([0, row])
        indexes = np.flatnonzero(
            is_free & (row_cells >= -1).all(axis=1) & (row_cells < (columns - 1, rows - 2)).all(axis=1)
        )
        key = (row_cells[indexes, 1] + 1) * columns + row_cells[indexes, 0]
        first, last = starts[np.maximum(key, 0)], starts[key + 3]
        counts = last - first
        place = np.repeat(indexes, counts)
        existing_indexes = np.arange(len(place)) + np.repeat(first - np.cumsum(counts) + counts, counts)
        steps = places[place] - existing[existing_indexes]
        distances = np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1])
        # Use slightly less than the spacing, so that pattern points at exactly that distance do not exclude each other.
        is_free[place[distances <= spacing * (1 - 1e-9)]] = False
    return places[is_free]


def _points_inside(ground: BaseGeometry, places: Line) -> Line:
    """Return the places (n x 2, in the unit of the ground) that are inside the ground, in their order.

    Places on its edge are left out.
    """
    return np.asarray(places[shapely.contains_xy(ground, places[:, 0], places[:, 1])])


def _repeat_pattern(bounds: tuple[float, float, float, float], spacing: float, stream: Stream) -> Line:
    """Return the pattern, randomly mirrored and shifted, repeated over the bounds, as points, n x 2.

    Bounds (left, bottom, right, top), spacing and points have one unit.
    """
    tile = load_pattern()
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
    is_visible = (places >= (left, low)).all(axis=1) & (places <= (right, high)).all(axis=1)
    return np.asarray(places[is_visible] * spacing)
