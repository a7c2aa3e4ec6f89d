"""Convert shapely and numpy geometry to items on the grid of the display list."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.drawing.canvas.items import GRID, FillRule, Ink, Path, PathRun, Stroke
from printkit.terrain.geometry.measure import stations

# The points of a line: an n x 2 array in mm.
Line: TypeAlias = NDArray[np.float64]

_Shape: TypeAlias = BaseGeometry | Line | Iterable[Any]
Geometries: TypeAlias = NDArray[np.object_] | Sequence[BaseGeometry]

_KEEP_WITHIN: Final = 0.02

# shapely's type IDs of simple geometries; higher numbers are collections.
_LINE, _RING, _POLYGON = 1, 2, 3


def fill(shape: _Shape, ink: Ink | None, *, rule: FillRule = FillRule.EVEN_ODD) -> list[Path]:
    """Return a filled path of polygons; an empty list if there is no ink or the shape is empty."""
    found = runs(shape, closed=True) if ink is not None else ()
    return [Path(found, fill=ink, rule=rule)] if found else []


def fills(shapes: Geometries, inks: Iterable[Ink]) -> list[Path]:
    """Return one filled path for each geometry that is not empty, in its ink."""
    return [Path(found, fill=ink) for found, ink in zip(runs_of_each(shapes, closed=True), inks, strict=False) if found]


def outline(shape: _Shape, stroke: Stroke | None) -> list[Path]:
    """Return a stroked path of lines and of the rings of polygons; an empty list for an empty shape."""
    found = runs(shape) if stroke is not None else ()
    return [Path(found, stroke=stroke)] if found else []


def painted(shape: _Shape, ink: Ink | None, stroke: Stroke) -> list[Path]:
    """Return one path that is filled and stroked; an empty list for an empty shape."""
    found = runs(shape, closed=True)
    return [Path(found, fill=ink, stroke=stroke)] if found else []


def runs(shape: _Shape, *, closed: bool = False) -> tuple[PathRun, ...]:
    """Return the runs of a shape on the grid, simplified with a tolerance of 0.02 mm.

    Polygons give closed runs, exteriors before interiors. Lines and arrays give open runs, unless ``closed``.
    """
    found: list[_Lines] = []
    _gather(shape, closed, found)
    return tuple(_on_grid(_Lines.joined(found))[0]) if found else ()


def runs_of_each(shapes: Geometries, *, closed: bool = False) -> list[tuple[PathRun, ...]]:
    """Return what ``runs`` returns for each of many geometries, computed in one batch."""
    parts, of = _parts(shapes)
    if _nested(parts).any():
        return [runs(shape, closed=closed) for shape in shapes]
    lines, lie = _simple_lines(parts, closed)
    drawn, kept = _on_grid(lines)
    ends = np.cumsum(np.bincount(of[lie][kept], minlength=len(shapes))).tolist()
    return [tuple(drawn[first:last]) for first, last in pairwise([0, *ends])]


class _Lines(NamedTuple):
    """Many lines: their points in one array, the number of points of each line, and whether it is closed.

    ``rings`` marks lines whose last point repeats the first and is not drawn.
    """

    points: Line
    sizes: NDArray[np.int64]
    closed: NDArray[np.bool_]
    rings: NDArray[np.bool_]

    @classmethod
    def of(cls, points: Line, sizes: NDArray[np.int64], closed: bool) -> _Lines:
        """Return lines whose last point does not repeat the first."""
        return cls(points, sizes, np.full(len(sizes), closed), np.zeros(len(sizes), dtype=bool))

    @classmethod
    def joined(cls, parts: Sequence[_Lines]) -> _Lines:
        """Return the lines of one or more parts together."""
        return parts[0] if len(parts) == 1 else cls(*map(np.concatenate, zip(*parts, strict=True)))


def _gather(shape: Any, closed: bool, found: list[_Lines]) -> None:
    """Append every line of a shape to ``found``; in batches, because each shapely call is slow."""
    if isinstance(shape, BaseGeometry):
        _gather_geometries([shape], closed, found)
    elif isinstance(shape, np.ndarray) and shape.dtype != object:
        count, size = math.prod(shape.shape[:-2]), shape.shape[-2]
        if size > 1:
            found.append(_Lines.of(np.asarray(shape.reshape(-1, 2), dtype=float), np.full(count, size), closed))
    else:
        for like, parts in groupby(shape, _sort):
            if like is BaseGeometry:
                _gather_geometries(list(parts), closed, found)
            elif like is np.ndarray:
                drawn = [part for part in parts if len(part) > 1]
                if drawn:
                    sizes = np.array([len(part) for part in drawn])
                    found.append(_Lines.of(np.concatenate(drawn, dtype=float), sizes, closed))
            else:
                for part in parts:
                    _gather(part, closed, found)


def _sort(part: Any) -> type | None:
    """Return BaseGeometry, ndarray for the points of one line, or None for a nested iterable."""
    found: type | None = None
    if isinstance(part, BaseGeometry):
        found = BaseGeometry
    elif isinstance(part, np.ndarray) and part.ndim == 2:
        found = np.ndarray
    return found


def _gather_geometries(shapes: Geometries, closed: bool, found: list[_Lines]) -> None:
    parts, _ = _parts(shapes)
    nested = _nested(parts)
    if nested.any():
        for within, part in zip(nested, parts, strict=True):
            if within:
                _gather(part, closed, found)
            else:
                found.append(_simple_lines(np.array([part]), closed)[0])
    else:
        found.append(_simple_lines(parts, closed)[0])


def _parts(shapes: Geometries) -> tuple[NDArray[np.object_], NDArray[np.intp]]:
    """Return the simplified, non-empty parts of geometries, and for each the index of its geometry."""
    whole = np.array(shapes, dtype=object)
    thin = shapely.simplify(whole, _KEEP_WITHIN, preserve_topology=False)
    gone = shapely.is_empty(thin)
    if gone.any():
        thin[gone] = whole[gone]
    parts, of = shapely.get_parts(thin, return_index=True)
    empty = shapely.is_empty(parts)
    return (parts[~empty], of[~empty]) if empty.any() else (parts, of)


def _nested(parts: NDArray[np.object_]) -> NDArray[np.bool_]:
    return np.asarray(shapely.get_type_id(parts) > _POLYGON)


def _simple_lines(parts: NDArray[np.object_], closed: bool) -> tuple[_Lines, NDArray[np.intp]]:
    """Return lines and polygon rings in order, and for each the index of its part; points are skipped."""
    kinds = shapely.get_type_id(parts)
    lines, of = parts, np.arange(len(parts))
    if shapely.get_num_interior_rings(parts).any():
        rings, within = shapely.get_rings(parts, return_index=True)
        others = np.flatnonzero(kinds != _POLYGON)
        order = np.argsort(np.concatenate([within, others]), kind="stable")
        lines, of = np.concatenate([rings, parts[others]])[order], np.concatenate([within, others])[order]
    # A polygon without holes has only the points of its exterior ring.
    kinds = kinds[of]
    if not kinds.all():
        lines, of, kinds = lines[kinds > 0], of[kinds > 0], kinds[kinds > 0]
    points, line = shapely.get_coordinates(lines, return_index=True)
    rings = kinds != _LINE
    return _Lines(points, np.bincount(line, minlength=len(lines)), rings | closed, rings), of


def _on_grid(lines: _Lines) -> tuple[list[PathRun], NDArray[np.bool_]]:
    """Return lines on the grid without repeated points, and which lines have enough points to be drawn.

    All lines are processed together, because most are short.
    """
    if not len(lines.sizes):
        return [], np.zeros(0, dtype=bool)
    ends = lines.sizes.cumsum()
    grid = np.rint(lines.points / GRID).astype(np.int64)
    fresh = np.ones(len(grid), dtype=bool)
    fresh[1:] = (grid[1:, 0] != grid[:-1, 0]) | (grid[1:, 1] != grid[:-1, 1])
    fresh[ends[:-1]] = True
    fresh[ends[lines.rings] - 1] = False
    lasts = fresh.cumsum()[ends - 1]
    firsts = np.concatenate([[0], lasts[:-1]])
    drawn = lasts - firsts > 1 + lines.closed
    numbers = grid[fresh].ravel().tolist()
    spans = zip(firsts[drawn].tolist(), lasts[drawn].tolist(), lines.closed[drawn].tolist(), strict=True)
    return [PathRun(tuple(numbers[2 * first : 2 * last]), whole) for first, last, whole in spans], drawn


def wedges(strokes: Iterable[tuple[Line, float, float]], ink: Ink | None) -> list[Path]:
    """Return tapered strokes as one filled path.

    Each stroke is a centre line and its width in mm at the first and the last point, linear in between.
    """
    kept = [stroke for stroke in strokes if len(stroke[0]) > 1] if ink is not None else []
    # There are thousands of short strokes: process those with the same number of points together.
    alike: dict[int, list[int]] = {}
    for place, (points, _, _) in enumerate(kept):
        alike.setdefault(len(points), []).append(place)
    found: dict[int, Line] = {}
    for places in alike.values():
        lines = np.array([kept[place][0] for place in places], dtype=float)
        widths = np.array([kept[place][1:] for place in places], dtype=float)
        found.update(zip(places, _widened(lines, widths), strict=True))
    drawn = runs([found[place] for place in range(len(kept))], closed=True)
    return [Path(drawn, fill=ink, rule=FillRule.NON_ZERO)] if drawn else []


def _widened(lines: Line, widths: Line) -> Line:
    """Return the rings of n tapered strokes, n x k x 2; ``widths`` has n pairs: first and last point."""
    first, last, count = widths[:, :1], widths[:, 1:], lines.shape[1]
    wide = np.arange(count) * ((last - first) / (count - 1)) + first
    wide[:, -1:] = last
    along = np.gradient(lines, axis=1)
    along = along / np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-9)[..., None]
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1) * (wide / 2)[..., None]
    return np.concatenate([lines + across, (lines - across)[:, ::-1]], axis=1)


def dots(places: Line | Sequence[tuple[float, float]], radius: Any, ink: Ink | None) -> list[Path]:
    """Return discs as one path of polygons; ``radius`` in mm is one number, or one for each place."""
    points = np.asarray(places, dtype=float).reshape(-1, 2)
    if ink is None or not len(points):
        return []
    sides = 8 if float(np.max(radius)) < 0.8 else 20
    turn = np.arange(sides) * (2 * np.pi / sides)
    ring = np.column_stack([elementary.cos(turn), elementary.sin(turn)])
    sizes = np.broadcast_to(np.asarray(radius, dtype=float), len(points))
    grid = np.rint((points[:, None, :] + ring[None] * sizes[:, None, None]) / GRID).astype(np.int64)
    found = tuple(PathRun(tuple(disc), True) for disc in grid.reshape(len(points), -1).tolist())
    return [Path(found, fill=ink, rule=FillRule.NON_ZERO)]


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
    """Return points on a line at equal distances of about ``step`` mm, both ends included."""
    path = shapely.linestrings(line) if isinstance(line, np.ndarray) else shapely.LineString(line.coords)
    count = max(2, round(path.length / step) + 1)
    return stations(path, np.linspace(0, path.length, count))


def ribbon(line: Line, width: Any) -> BaseGeometry:
    """Return the band along a line; ``width`` in mm is one number, or one for each point."""
    across = normals(line) * (np.broadcast_to(np.asarray(width, dtype=float), len(line))[:, None] / 2)
    return shapely.make_valid(shapely.Polygon(np.vstack([line + across, (line - across)[::-1]])))


def turned(along: Line, aside: Line, angle: float, at: tuple[float, float] = (0.0, 0.0)) -> Line:
    """Return points from offsets along a direction of ``angle`` radians and to its left, origin ``at``."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.column_stack([at[0] + along * cosine - aside * sine, at[1] + along * sine + aside * cosine])


def uneven_oval(
    long: float, broad: float, stream: Stream, spread: float, count: int, waves: int = 4, fading: float = 0.9
) -> tuple[Line, Line]:
    """Return x and y of an irregular oval about the origin.

    Args:
        long: half its length in mm.
        broad: half its breadth in mm.
        stream: random numbers for the waves.
        spread: amplitude of the waves, as a share of the radius.
        count: number of points.
        waves: number of waves; the first has two periods around the oval.
        fading: exponent that weakens each wave by its number.
    """
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = np.ones(count)
    for wave in range(2, 2 + waves):
        reach += stream.draw_normal(spread) / wave**fading * elementary.cos(wave * turn + stream.between(0, 2 * np.pi))
    return long * reach * elementary.cos(turn), broad * reach * elementary.sin(turn)


def polygons(shape: BaseGeometry) -> list[shapely.Polygon]:
    """Return the polygons of any geometry, including those in nested collections."""
    parts = simple_parts(shape)
    return list(parts[shapely.get_type_id(parts) == _POLYGON])


def lines(shape: BaseGeometry | NDArray[np.object_]) -> list[shapely.LineString]:
    """Return the lines of a geometry or an array of geometries; rings become lines."""
    parts = simple_parts(shape)
    kinds = shapely.get_type_id(parts)
    return [
        part if kind == _LINE else shapely.LineString(part.coords)
        for part, kind in zip(parts.tolist(), kinds.tolist(), strict=True)
        if kind in (_LINE, _RING)
    ]


def simple_parts(shape: Any) -> NDArray[np.object_]:
    """Return the non-empty simple parts of one or many geometries; nested collections are unpacked."""
    parts = shapely.get_parts(shape)
    while (shapely.get_type_id(parts) > _POLYGON).any():
        parts = shapely.get_parts(parts)
    found: NDArray[np.object_] = parts[~shapely.is_empty(parts)]
    return found


def circles(places: Line, radius: float) -> NDArray[np.object_]:
    """Return a disc of ``radius`` mm about each place, bit-identical to the buffer of a point."""
    ring = shapely.get_coordinates(shapely.buffer(shapely.Point(0, 0), radius))
    return np.asarray(shapely.polygons(np.asarray(places, dtype=float)[:, None] + ring[None]))
