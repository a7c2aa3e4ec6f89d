"""From shapely and numpy to items: the only way geometry becomes numbers on the grid of the display list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from printkit.drawing.items import GRID, Ink, Path, Rule, Run, Stroke
from printkit.terrain.stations import stations

Line: TypeAlias = NDArray[np.float64]
"""Points of a line as an array of n x 2 millimetres."""

Shape: TypeAlias = BaseGeometry | Line | Iterable[Any]

_KEEP_WITHIN: Final = 0.02
_LINE, _RING, _POLYGON = 1, 2, 3
"""What shapely numbers the simple geometries by; those of higher numbers are collections."""


def fill(shape: Shape, ink: Ink | None, *, rule: Rule = Rule.EVEN_ODD) -> list[Path]:
    """Return a filled path of polygons, or nothing where the style has no such ink or the shape is empty."""
    found = runs(shape, closed=True) if ink is not None else ()
    return [Path(found, fill=ink, rule=rule)] if found else []


def outline(shape: Shape, stroke: Stroke | None) -> list[Path]:
    """Return a stroked path of polygons' rings and lines; empty shapes give nothing."""
    found = runs(shape) if stroke is not None else ()
    return [Path(found, stroke=stroke)] if found else []


def painted(shape: Shape, ink: Ink | None, stroke: Stroke) -> list[Path]:
    """Return one path that is filled and stroked."""
    found = runs(shape, closed=True)
    return [Path(found, fill=ink, stroke=stroke)] if found else []


def runs(shape: Shape, *, closed: bool = False) -> tuple[Run, ...]:
    """Return the runs of a shape on the grid. Points within 0.02 mm of the line without them are left out.

    Polygons give closed runs, exteriors before interiors; lines and arrays open ones, unless ``closed``.
    """
    found: list[_Lines] = []
    _gather(shape, closed, found)
    return tuple(_on_grid(found))


class _Lines(NamedTuple):
    """The points of many lines one after the other, how many each line has, and whether it is closed."""

    points: Line
    sizes: NDArray[np.int64]
    closed: NDArray[np.bool_]

    @classmethod
    def alike(cls, lines: Line, closed: bool) -> _Lines:
        """Return lines of as many points each, n x k x 2."""
        count, size = lines.shape[:2]
        return cls(lines.reshape(-1, 2), np.full(count, size), np.full(count, closed))


def _gather(shape: Any, closed: bool, found: list[_Lines]) -> None:
    """Add every line of a shape, those of many geometries together: each call of shapely costs more than its work."""
    if isinstance(shape, BaseGeometry):
        _gather_geometries(np.array([shape]), closed, found)
    elif isinstance(shape, np.ndarray) and shape.dtype != object:
        if shape.shape[-2] > 1:
            found.append(_Lines.alike(shape.reshape(-1, *shape.shape[-2:]), closed))
    else:
        for like, parts in groupby(shape, _sort):
            if like is BaseGeometry:
                _gather_geometries(np.array(list(parts)), closed, found)
            elif like is np.ndarray:
                drawn = [part for part in parts if len(part) > 1]
                if drawn:
                    sizes = np.array([len(part) for part in drawn])
                    found.append(_Lines(np.concatenate(drawn, dtype=float), sizes, np.full(len(drawn), closed)))
            else:
                for part in parts:
                    _gather(part, closed, found)


def _sort(part: Any) -> type | None:
    """Return what a part of a shape is: geometry, points of one line, or None for parts of its own."""
    found: type | None = None
    if isinstance(part, BaseGeometry):
        found = BaseGeometry
    elif isinstance(part, np.ndarray) and part.ndim == 2:
        found = np.ndarray
    return found


def _gather_geometries(shapes: NDArray[np.object_], closed: bool, found: list[_Lines]) -> None:
    thin = shapely.simplify(shapes, _KEEP_WITHIN, preserve_topology=False)
    gone = shapely.is_empty(thin)
    thin[gone] = shapes[gone]
    parts = shapely.get_parts(thin)
    parts = parts[~shapely.is_empty(parts)]
    kinds = shapely.get_type_id(parts)
    if (kinds > _POLYGON).any():
        for nested, part in zip(kinds > _POLYGON, parts, strict=True):
            if nested:
                _gather(part, closed, found)
            else:
                _gather_simple(np.array([part]), closed, found)
    else:
        _gather_simple(parts, closed, found)


def _gather_simple(parts: NDArray[np.object_], closed: bool, found: list[_Lines]) -> None:
    """Add simple lines and the rings of polygons, in their order; points are not drawn."""
    kinds = shapely.get_type_id(parts)
    rings, of = shapely.get_rings(parts[kinds == _POLYGON], return_index=True)
    others = np.flatnonzero((kinds == _LINE) | (kinds == _RING))
    lines = np.concatenate([rings, parts[others]])
    if not len(lines):
        return
    if len(rings) and len(others):
        lines = lines[np.argsort(np.concatenate([np.flatnonzero(kinds == _POLYGON)[of], others]), kind="stable")]
    rounded = shapely.get_type_id(lines) == _RING
    points, of = shapely.get_coordinates(lines, return_index=True)
    sizes = np.bincount(of)
    if rounded.any():
        # The last point of a ring is its first.
        kept = np.ones(len(points), dtype=bool)
        kept[(np.cumsum(sizes) - 1)[rounded]] = False
        points, sizes = points[kept], sizes - rounded
    found.append(_Lines(points, sizes, rounded | closed))


def _on_grid(found: Sequence[_Lines]) -> Iterator[Run]:
    """Yield lines on the grid, without points that fall on the one before. All at once: most lines are short."""
    if not found:
        return
    ends = np.cumsum(np.concatenate([lines.sizes for lines in found]))
    grid = np.rint(np.concatenate([lines.points for lines in found], dtype=float) / GRID).astype(np.int64)
    fresh = np.ones(len(grid), dtype=bool)
    fresh[1:] = (grid[1:, 0] != grid[:-1, 0]) | (grid[1:, 1] != grid[:-1, 1])
    fresh[ends[:-1]] = True
    kept = np.cumsum(fresh)[ends - 1].tolist()
    numbers = grid[fresh].ravel().tolist()
    closed = np.concatenate([lines.closed for lines in found]).tolist()
    for first, last, whole in zip([0, *kept], kept, closed, strict=False):
        if last - first > (2 if whole else 1):
            yield Run(tuple(numbers[2 * first : 2 * last]), whole)


def wedges(strokes: Iterable[tuple[Line, float, float]], ink: Ink | None) -> list[Path]:
    """Return tapered strokes as one filled path.

    Each is a centre line and its width in mm at the first and at the last point; the width falls evenly between.
    """
    kept = [stroke for stroke in strokes if len(stroke[0]) > 1] if ink is not None else []
    # There are thousands, and most have few points: those of as many points are widened together.
    alike: dict[int, list[int]] = {}
    for place, (points, _, _) in enumerate(kept):
        alike.setdefault(len(points), []).append(place)
    found: dict[int, Line] = {}
    for places in alike.values():
        lines = np.array([kept[place][0] for place in places], dtype=float)
        widths = np.array([kept[place][1:] for place in places], dtype=float)
        found.update(zip(places, _widened(lines, widths), strict=True))
    rings: list[_Lines] = []
    _gather([found[place] for place in range(len(kept))], True, rings)
    drawn = tuple(_on_grid(rings))
    return [Path(drawn, fill=ink, rule=Rule.NON_ZERO)] if drawn else []


def _widened(lines: Line, widths: Line) -> Line:
    """Return the rings of tapered strokes, n x k x 2 points; ``widths`` are n pairs at the first and last point."""
    first, last, count = widths[:, :1], widths[:, 1:], lines.shape[1]
    wide = np.arange(count) * ((last - first) / (count - 1)) + first
    wide[:, -1:] = last
    along = np.gradient(lines, axis=1)
    along = along / np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-9)[..., None]
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1) * (wide / 2)[..., None]
    return np.concatenate([lines + across, (lines - across)[:, ::-1]], axis=1)


def dots(places: Line | Sequence[tuple[float, float]], radius: Any, ink: Ink | None) -> list[Path]:
    """Return discs as one path of octagons; ``radius`` in mm is one number or one a place."""
    points = np.asarray(places, dtype=float).reshape(-1, 2)
    if ink is None or not len(points):
        return []
    sides = 8 if float(np.max(radius)) < 0.8 else 20
    turn = np.arange(sides) * (2 * np.pi / sides)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    sizes = np.broadcast_to(np.asarray(radius, dtype=float), len(points))
    grid = np.rint((points[:, None, :] + ring[None] * sizes[:, None, None]) / GRID).astype(np.int64)
    found = tuple(Run(tuple(disc), True) for disc in grid.reshape(len(points), -1).tolist())
    return [Path(found, fill=ink, rule=Rule.NON_ZERO)]


def tangents(line: Line) -> Line:
    """Return the unit direction at every point of a line."""
    along = np.gradient(line, axis=0)
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    return np.asarray(along / np.maximum(length, 1e-9))


def normals(line: Line) -> Line:
    """Return the unit normal to the left at every point of a line."""
    along = tangents(line)
    return np.column_stack([-along[:, 1], along[:, 0]])


def resampled(line: BaseGeometry | Line, step: float) -> Line:
    """Return the points of a line at even distances of about ``step`` mm, both ends kept."""
    path = shapely.linestrings(line) if isinstance(line, np.ndarray) else shapely.LineString(line.coords)
    count = max(2, round(path.length / step) + 1)
    return stations(path, np.linspace(0, path.length, count))


def ribbon(line: Line, width: Any) -> BaseGeometry:
    """Return the band of ``width`` mm (one number, or one a point) about a line."""
    across = normals(line) * (np.broadcast_to(np.asarray(width, dtype=float), len(line))[:, None] / 2)
    return shapely.make_valid(shapely.Polygon(np.vstack([line + across, (line - across)[::-1]])))


def polygons(shape: BaseGeometry) -> list[shapely.Polygon]:
    """Return the polygons of any geometry, nested collections opened."""
    parts = _simple(shape)
    return list(parts[shapely.get_type_id(parts) == _POLYGON])


def lines(shape: BaseGeometry | NDArray[np.object_]) -> list[shapely.LineString]:
    """Return the lines of any geometry, or of an array of them, rings as lines."""
    parts = _simple(shape)
    kinds = shapely.get_type_id(parts)
    return [
        part if kind == _LINE else shapely.LineString(part.coords)
        for part, kind in zip(parts.tolist(), kinds.tolist(), strict=True)
        if kind in (_LINE, _RING)
    ]


def _simple(shape: Any) -> NDArray[np.object_]:
    """Return the simple parts of one geometry or of an array of them that are not empty, nested collections opened."""
    parts = shapely.get_parts(shape)
    while (shapely.get_type_id(parts) > _POLYGON).any():
        parts = shapely.get_parts(parts)
    found: NDArray[np.object_] = parts[~shapely.is_empty(parts)]
    return found


def circles(places: Line, radius: float) -> NDArray[np.object_]:
    """Return the ground within ``radius`` mm of each of some places, to the last bit as buffers of points give it."""
    ring = shapely.get_coordinates(shapely.buffer(shapely.Point(0, 0), radius))
    return np.asarray(shapely.polygons(np.asarray(places, dtype=float)[:, None] + ring[None]))
