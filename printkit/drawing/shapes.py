"""From shapely and numpy to items: the only way geometry becomes numbers on the grid of the display list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from printkit.drawing.items import GRID, Ink, Path, Rule, Run, Stroke

Line: TypeAlias = NDArray[np.float64]
"""Points of a line as an array of n x 2 millimetres."""

Shape: TypeAlias = BaseGeometry | Line | Iterable[Any]

_KEEP_WITHIN: Final = 0.02


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
    found: list[tuple[Line, bool]] = []
    _gather(shape, closed, found)
    return tuple(_on_grid(found))


def _gather(shape: Any, closed: bool, found: list[tuple[Line, bool]]) -> None:
    """Add the points of every line of a shape, and whether it is closed."""
    if isinstance(shape, np.ndarray):
        if len(shape) > 1:
            found.append((shape, closed))
    elif isinstance(shape, BaseGeometry):
        if shape.is_empty:
            return
        thin = shapely.simplify(shape, _KEEP_WITHIN, preserve_topology=False)
        for part in shapely.get_parts(thin if not thin.is_empty else shape):
            if part.geom_type == "Polygon":
                for ring in (part.exterior, *part.interiors):
                    found.append((shapely.get_coordinates(ring)[:-1], True))
            elif part.geom_type == "LinearRing":
                found.append((shapely.get_coordinates(part)[:-1], True))
            elif part.geom_type == "LineString":
                found.append((shapely.get_coordinates(part), closed))
            elif part.geom_type != "Point":
                _gather(part, closed, found)
    else:
        for part in shape:
            _gather(part, closed, found)


def _on_grid(lines: Sequence[tuple[Line, bool]]) -> Iterator[Run]:
    """Yield lines on the grid, without points that fall on the one before. All at once: most lines are short."""
    if not lines:
        return
    ends = np.cumsum([len(points) for points, _ in lines])
    grid = np.rint(np.concatenate([points for points, _ in lines], dtype=float) / GRID).astype(np.int64)
    fresh = np.ones(len(grid), dtype=bool)
    fresh[1:] = (np.diff(grid, axis=0) != 0).any(axis=1)
    fresh[ends[:-1]] = True
    kept = np.cumsum(fresh)[ends - 1].tolist()
    numbers = grid[fresh].ravel().tolist()
    for first, last, (_, closed) in zip([0, *kept], kept, lines, strict=False):
        if last - first > (2 if closed else 1):
            yield Run(tuple(numbers[2 * first : 2 * last]), closed)


def wedges(strokes: Iterable[tuple[Line, float, float]], ink: Ink | None) -> list[Path]:
    """Return tapered strokes as one filled path.

    Each is a centre line and its width in mm at the first and at the last point; the width falls evenly between.
    """
    found: list[tuple[Line, bool]] = []
    for points, first, last in strokes if ink is not None else ():
        line = np.asarray(points, dtype=float)
        if len(line) > 1:
            half = np.linspace(first, last, len(line))[:, None] / 2
            across = normals(line) * half
            found.append((np.vstack([line + across, (line - across)[::-1]]), True))
    drawn = tuple(_on_grid(found))
    return [Path(drawn, fill=ink, rule=Rule.NON_ZERO)] if drawn else []


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
    spots = shapely.line_interpolate_point(path, np.linspace(0, path.length, count))
    return np.asarray(shapely.get_coordinates(spots))


def ribbon(line: Line, width: Any) -> BaseGeometry:
    """Return the band of ``width`` mm (one number, or one a point) about a line."""
    across = normals(line) * (np.broadcast_to(np.asarray(width, dtype=float), len(line))[:, None] / 2)
    return shapely.make_valid(shapely.Polygon(np.vstack([line + across, (line - across)[::-1]])))


def polygons(shape: BaseGeometry) -> list[shapely.Polygon]:
    """Return the polygons of any geometry, nested collections opened."""
    if shape.geom_type == "Polygon":
        return [] if shape.is_empty else [shape]
    return [found for part in getattr(shape, "geoms", ()) for found in polygons(part)]


def lines(shape: BaseGeometry) -> list[shapely.LineString]:
    """Return the lines of any geometry, rings as lines."""
    if shape.geom_type in ("LineString", "LinearRing"):
        return [] if shape.is_empty else [shapely.LineString(shape.coords)]
    return [found for part in getattr(shape, "geoms", ()) for found in lines(part)]
