"""From shapely and numpy to items: the only way geometry becomes numbers on the grid of the display list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

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
                rings = (part.exterior, *part.interiors)
                found.extend((shapely.get_coordinates(ring)[:-1], True) for ring in rings)
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
    kept = [stroke for stroke in strokes if len(stroke[0]) > 1] if ink is not None else []
    # There are thousands, and most have few points: those of as many points are widened together.
    alike: dict[int, list[int]] = {}
    for place, (points, _, _) in enumerate(kept):
        alike.setdefault(len(points), []).append(place)
    found: dict[int, tuple[Line, bool]] = {}
    for places in alike.values():
        lines = np.array([kept[place][0] for place in places], dtype=float)
        widths = np.array([kept[place][1:] for place in places], dtype=float)
        found.update((place, (ring, True)) for place, ring in zip(places, _widened(lines, widths), strict=True))
    drawn = tuple(_on_grid([found[place] for place in range(len(kept))]))
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
    if shape.geom_type == "Polygon":
        return [] if shape.is_empty else [shape]
    return [found for part in getattr(shape, "geoms", ()) for found in polygons(part)]


def lines(shape: BaseGeometry) -> list[shapely.LineString]:
    """Return the lines of any geometry, rings as lines."""
    if shape.geom_type in ("LineString", "LinearRing"):
        return [] if shape.is_empty else [shapely.LineString(shape.coords)]
    return [found for part in getattr(shape, "geoms", ()) for found in lines(part)]
