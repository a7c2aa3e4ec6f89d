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
from printkit.core import exact_math
from printkit.drawing.canvas.items import GRID, FillRule, Ink, Path, PathRun, Stroke
from printkit.terrain.geometry.measure import interpolate_points

# The points of a line: an n x 2 array in mm.
Line: TypeAlias = NDArray[np.float64]

_Shape: TypeAlias = BaseGeometry | Line | Iterable[Any]
Geometries: TypeAlias = NDArray[np.object_] | Sequence[BaseGeometry]

_SIMPLIFY_MM: Final = 0.02

# shapely's type IDs of simple geometries; higher numbers are collections.
_LINE, _RING, _POLYGON = 1, 2, 3


def fill(shape: _Shape, ink: Ink | None, *, rule: FillRule = FillRule.EVEN_ODD) -> list[Path]:
    """Return a filled path of a shape in printed mm, or an empty list without an ink or for an empty shape.

    The list has one path. Lines and arrays of points are closed first.
    """
    path_runs = runs(shape, closed=True) if ink is not None else ()
    return [Path(path_runs, fill=ink, rule=rule)] if path_runs else []


def fills(shapes: Geometries, inks: Iterable[Ink]) -> list[Path]:
    """Return a filled path for each geometry (printed mm) that is not empty, in its ink.

    The inks are in the order of the geometries.
    """
    return [
        Path(path_runs, fill=ink)
        for path_runs, ink in zip(runs_of_each(shapes, closed=True), inks, strict=False)
        if path_runs
    ]


def outline(shape: _Shape, stroke: Stroke | None) -> list[Path]:
    """Return a stroked path of lines and of the rings of polygons, in printed mm.

    The list is empty for an empty shape, or without a stroke.
    """
    path_runs = runs(shape) if stroke is not None else ()
    return [Path(path_runs, stroke=stroke)] if path_runs else []


def fill_and_stroke(shape: _Shape, ink: Ink | None, stroke: Stroke) -> list[Path]:
    """Return one path of a shape in printed mm, filled and stroked; an empty list for an empty shape.

    Without ``ink`` it is only stroked. Open lines are closed.
    """
    path_runs = runs(shape, closed=True)
    return [Path(path_runs, fill=ink, stroke=stroke)] if path_runs else []


def runs(shape: _Shape, *, closed: bool = False) -> tuple[PathRun, ...]:
    """Return the runs of a shape in mm on the grid (0.01 mm), simplified with a tolerance of 0.02 mm.

    Polygons give closed runs, exteriors before interiors. Lines and arrays give open runs, unless ``closed``; arrays
    are not simplified. A run that keeps fewer than two points on the grid, or three if it is closed, is left out.
    """
    line_groups: list[_Lines] = []
    _gather_lines(shape, closed, line_groups)
    return tuple(_snap_to_grid(_Lines.joined(line_groups))[0]) if line_groups else ()


def runs_of_each(shapes: Geometries, *, closed: bool = False) -> list[tuple[PathRun, ...]]:
    """Return the runs of each of many geometries in printed mm, computed in one batch.

    There is one tuple of runs for each geometry, in order: empty for an empty geometry. ``closed`` closes open lines.
    """
    parts, owners = _simplified_parts(shapes)
    if _is_collection(parts).any():
        return [runs(shape, closed=closed) for shape in shapes]
    lines, part_indexes = _simple_lines(parts, closed)
    path_runs, is_drawn = _snap_to_grid(lines)
    ends = np.cumsum(np.bincount(owners[part_indexes][is_drawn], minlength=len(shapes))).tolist()
    return [tuple(path_runs[first:last]) for first, last in pairwise([0, *ends])]


class _Lines(NamedTuple):
    """Many lines: their points in one array, the number of points of each line, and whether it is closed.

    ``rings`` marks lines whose last point repeats the first and is not drawn.
    """

    points: Line
    sizes: NDArray[np.int64]
    closed: NDArray[np.bool_]
    rings: NDArray[np.bool_]

    @classmethod
    def from_arrays(cls, points: Line, sizes: NDArray[np.int64], closed: bool) -> _Lines:
        """Return lines whose last point does not repeat the first.

        ``points`` has the points of all lines in printed mm, n x 2; ``sizes`` has the number of points of each line.
        ``closed`` says whether all of them are closed.
        """
        return cls(points, sizes, np.full(len(sizes), closed), np.zeros(len(sizes), dtype=bool))

    @classmethod
    def joined(cls, parts: Sequence[_Lines]) -> _Lines:
        """Return the lines of one or more parts together."""
        return parts[0] if len(parts) == 1 else cls(*map(np.concatenate, zip(*parts, strict=True)))


def _gather_lines(shape: Any, closed: bool, line_groups: list[_Lines]) -> None:
    """Append the lines of a shape in printed mm to ``line_groups``.

    The shape is a geometry, an array of points, or a nested iterable of them. ``closed`` also closes open lines.
    Geometries are processed in batches, because each shapely call is slow.
    """
    if isinstance(shape, BaseGeometry):
        _gather_geometries([shape], closed, line_groups)
    elif isinstance(shape, np.ndarray) and shape.dtype != object:
        count, size = math.prod(shape.shape[:-2]), shape.shape[-2]
        if size > 1:
            line_groups.append(
                _Lines.from_arrays(np.asarray(shape.reshape(-1, 2), dtype=float), np.full(count, size), closed)
            )
    else:
        for part_class, parts in groupby(shape, _part_class):
            if part_class is BaseGeometry:
                _gather_geometries(list(parts), closed, line_groups)
            elif part_class is np.ndarray:
                long_parts = [part for part in parts if len(part) > 1]
                if long_parts:
                    sizes = np.array([len(part) for part in long_parts])
                    line_groups.append(_Lines.from_arrays(np.concatenate(long_parts, dtype=float), sizes, closed))
            else:
                for part in parts:
                    _gather_lines(part, closed, line_groups)


def _part_class(part: Any) -> type | None:
    """Return BaseGeometry for a geometry, ndarray for the points of one line, otherwise None.

    None means a nested iterable of parts.
    """
    part_class: type | None = None
    if isinstance(part, BaseGeometry):
        part_class = BaseGeometry
    elif isinstance(part, np.ndarray) and part.ndim == 2:
        part_class = np.ndarray
    return part_class


def _gather_geometries(shapes: Geometries, closed: bool, line_groups: list[_Lines]) -> None:
    """Append the simplified lines and polygon rings of geometries in printed mm to ``line_groups``, in place.

    Each entry is a group of lines. Collections are split into their parts, and ``closed`` also closes open lines.
    """
    parts, _ = _simplified_parts(shapes)
    collection_flags = _is_collection(parts)
    if collection_flags.any():
        for is_collection, part in zip(collection_flags, parts, strict=True):
            if is_collection:
                _gather_lines(part, closed, line_groups)
            else:
                line_groups.append(_simple_lines(np.array([part]), closed)[0])
    else:
        line_groups.append(_simple_lines(parts, closed)[0])


def _simplified_parts(shapes: Geometries) -> tuple[NDArray[np.object_], NDArray[np.intp]]:
    """Return the simplified, non-empty parts of geometries, and for each the index of its geometry.

    Geometries are in printed mm; the tolerance is 0.02 mm.
    """
    originals = np.array(shapes, dtype=object)
    thin = shapely.simplify(originals, _SIMPLIFY_MM, preserve_topology=False)
    is_lost = shapely.is_empty(thin)
    if is_lost.any():
        thin[is_lost] = originals[is_lost]
    parts, owners = shapely.get_parts(thin, return_index=True)
    empty = shapely.is_empty(parts)
    return (parts[~empty], owners[~empty]) if empty.any() else (parts, owners)


def _is_collection(parts: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Return for each geometry whether it is a collection, not a point, line, ring or polygon.

    The result has one value for each geometry, in order.
    """
    return np.asarray(shapely.get_type_id(parts) > _POLYGON)


def _simple_lines(parts: NDArray[np.object_], closed: bool) -> tuple[_Lines, NDArray[np.intp]]:
    """Return the lines and polygon rings of parts in printed mm, and for each the index of its part.

    They are in the order of the parts; points are skipped. ``closed`` also closes open lines.
    """
    kinds = shapely.get_type_id(parts)
    lines, owners = parts, np.arange(len(parts))
    if shapely.get_num_interior_rings(parts).any():
        rings, ring_owners = shapely.get_rings(parts, return_index=True)
        others = np.flatnonzero(kinds != _POLYGON)
        order = np.argsort(np.concatenate([ring_owners, others]), kind="stable")
        lines, owners = np.concatenate([rings, parts[others]])[order], np.concatenate([ring_owners, others])[order]
    # A polygon without holes has only the points of its exterior ring.
    kinds = kinds[owners]
    if not kinds.all():
        lines, owners, kinds = lines[kinds > 0], owners[kinds > 0], kinds[kinds > 0]
    points, line = shapely.get_coordinates(lines, return_index=True)
    rings = kinds != _LINE
    return _Lines(points, np.bincount(line, minlength=len(lines)), rings | closed, rings), owners


def _snap_to_grid(lines: _Lines) -> tuple[list[PathRun], NDArray[np.bool_]]:
    """Return lines in mm as runs on the grid (0.01 mm), and for each line whether it is drawn.

    Repeated points are dropped. A line with too few points is not drawn and has no run. All lines are processed
    together, because most are short.
    """
    if not len(lines.sizes):
        return [], np.zeros(0, dtype=bool)
    ends = lines.sizes.cumsum()
    grid = np.rint(lines.points / GRID).astype(np.int64)
    is_new = np.ones(len(grid), dtype=bool)
    is_new[1:] = (grid[1:, 0] != grid[:-1, 0]) | (grid[1:, 1] != grid[:-1, 1])
    is_new[ends[:-1]] = True
    is_new[ends[lines.rings] - 1] = False
    lasts = is_new.cumsum()[ends - 1]
    firsts = np.concatenate([[0], lasts[:-1]])
    is_drawn = lasts - firsts > 1 + lines.closed
    numbers = grid[is_new].ravel().tolist()
    spans = zip(firsts[is_drawn].tolist(), lasts[is_drawn].tolist(), lines.closed[is_drawn].tolist(), strict=True)
    return [PathRun(tuple(numbers[2 * first : 2 * last]), is_closed) for first, last, is_closed in spans], is_drawn


def wedges(strokes: Iterable[tuple[Line, float, float]], ink: Ink | None) -> list[Path]:
    """Return tapered strokes as one filled path; an empty list without an ink or without strokes.

    Each stroke is a centre line (n x 2, in printed mm) and its width in mm at the first and the last point, linear in
    between. A stroke with fewer than two points is left out.
    """
    drawable = [stroke for stroke in strokes if len(stroke[0]) > 1] if ink is not None else []
    # There are thousands of short strokes: process those with the same number of points together.
    places_by_count: dict[int, list[int]] = {}
    for place, (points, _, _) in enumerate(drawable):
        places_by_count.setdefault(len(points), []).append(place)
    rings: dict[int, Line] = {}
    for places in places_by_count.values():
        lines = np.array([drawable[place][0] for place in places], dtype=float)
        widths = np.array([drawable[place][1:] for place in places], dtype=float)
        rings.update(zip(places, _taper_rings(lines, widths), strict=True))
    path_runs = runs([rings[place] for place in range(len(drawable))], closed=True)
    return [Path(path_runs, fill=ink, rule=FillRule.NON_ZERO)] if path_runs else []


def _taper_rings(lines: Line, widths: Line) -> Line:
    """Return the outlines of n tapered strokes, n x 2k x 2, in printed mm: left side, then right side backwards.

    ``lines`` has the centre lines, n x k x 2. ``widths`` has n pairs in mm: at the first and the last point.
    """
    first, last, count = widths[:, :1], widths[:, 1:], lines.shape[1]
    wide = np.arange(count) * ((last - first) / (count - 1)) + first
    wide[:, -1:] = last
    tangent = np.gradient(lines, axis=1)
    tangent = tangent / np.maximum(np.hypot(tangent[..., 0], tangent[..., 1]), 1e-9)[..., None]
    offsets = np.stack([-tangent[..., 1], tangent[..., 0]], axis=-1) * (wide / 2)[..., None]
    return np.concatenate([lines + offsets, (lines - offsets)[:, ::-1]], axis=1)


def dots(centres: Line | Sequence[tuple[float, float]], radius: Any, ink: Ink | None) -> list[Path]:
    """Return discs as one path of polygons; an empty list without an ink or without places.

    Centres are in printed mm. ``radius`` in mm is one number, or one for each place. The polygons have 20 corners, or 8
    if every radius is below 0.8 mm.
    """
    points = np.asarray(centres, dtype=float).reshape(-1, 2)
    if ink is None or not len(points):
        return []
    sides = 8 if float(np.max(radius)) < 0.8 else 20
    turn = np.arange(sides) * (2 * np.pi / sides)
    ring = np.column_stack([exact_math.cos(turn), exact_math.sin(turn)])
    sizes = np.broadcast_to(np.asarray(radius, dtype=float), len(points))
    grid = np.rint((points[:, None, :] + ring[None] * sizes[:, None, None]) / GRID).astype(np.int64)
    discs = tuple(PathRun(tuple(disc), True) for disc in grid.reshape(len(points), -1).tolist())
    return [Path(discs, fill=ink, rule=FillRule.NON_ZERO)]


def tangents(line: Line) -> Line:
    """Return the direction at every point of a line as a vector of length 1, n x 2.

    ``line`` is n x 2, in any unit; the ends have the direction of their segment.
    """
    gradient = np.gradient(line, axis=0)
    length = np.hypot(gradient[:, 0], gradient[:, 1])[:, None]
    return np.asarray(gradient / np.maximum(length, 1e-9))


def normals(line: Line) -> Line:
    """Return the direction to the left at every point of a line as a vector of length 1, n x 2.

    ``line`` is n x 2, in any unit.
    """
    directions = tangents(line)
    return np.column_stack([-directions[:, 1], directions[:, 0]])


def resampled(line: BaseGeometry | Line, step: float) -> Line:
    """Return points on a line at equal distances of about ``step``, both ends included, n x 2; at least two points.

    ``step`` and the points are in the unit of the line (mm of the board, or printed mm).
    """
    path = shapely.linestrings(line) if isinstance(line, np.ndarray) else shapely.LineString(line.coords)
    count = max(2, round(path.length / step) + 1)
    return interpolate_points(path, np.linspace(0, path.length, count))


def ribbon(line: Line, width: Any) -> BaseGeometry:
    """Return the band along a line, in the unit of the line (mm of the board, or printed mm).

    ``line`` is n x 2. ``width`` in that unit is one number, or one for each point. A band that overlaps itself is made
    valid, and may then have several polygons.
    """
    offsets = normals(line) * (np.broadcast_to(np.asarray(width, dtype=float), len(line))[:, None] / 2)
    return shapely.make_valid(shapely.Polygon(np.vstack([line + offsets, (line - offsets)[::-1]])))


def rotate_points(forward: Line, leftward: Line, angle: float, origin: tuple[float, float] = (0.0, 0.0)) -> Line:
    """Return points, n x 2, from offsets along a direction and to its left.

    ``forward`` and ``leftward`` are arrays of n offsets, and all lengths have one unit. The direction is ``angle``
    radians anticlockwise from the x-axis, and offsets start at ``origin``.
    """
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.column_stack(
        [origin[0] + forward * cosine - leftward * sine, origin[1] + forward * sine + leftward * cosine]
    )


def uneven_oval(
    half_length: float,
    half_breadth: float,
    stream: Stream,
    spread: float,
    count: int,
    waves: int = 4,
    fading: float = 0.9,
) -> tuple[Line, Line]:
    """Return x and y of the points of an irregular oval about the origin, as two arrays, anticlockwise.

    Args:
        half_length: half its length along the x-axis; the result has the same unit.
        half_breadth: half its breadth, in the same unit.
        stream: random numbers; each wave draws two, its amplitude and its phase.
        spread: standard deviation of the amplitudes, as a share of the radius.
        count: number of points.
        waves: number of waves; the first has two periods around the oval, each next one period more.
        fading: the amplitude of the wave with n periods is divided by n to this power.
    """
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = np.ones(count)
    for wave in range(2, 2 + waves):
        reach += stream.draw_normal(spread) / wave**fading * exact_math.cos(wave * turn + stream.between(0, 2 * np.pi))
    return half_length * reach * exact_math.cos(turn), half_breadth * reach * exact_math.sin(turn)


def polygons(shape: BaseGeometry) -> list[shapely.Polygon]:
    """Return the polygons of any geometry, including those in nested collections, in its unit.

    Lines and points are left out, as ``simple_parts`` gives them.
    """
    parts = simple_parts(shape)
    return list(parts[shapely.get_type_id(parts) == _POLYGON])


def lines(shape: BaseGeometry | NDArray[np.object_]) -> list[shapely.LineString]:
    """Return the lines of a geometry or an array of geometries, in their unit; rings become lines."""
    parts = simple_parts(shape)
    kinds = shapely.get_type_id(parts)
    return [
        part if kind == _LINE else shapely.LineString(part.coords)
        for part, kind in zip(parts.tolist(), kinds.tolist(), strict=True)
        if kind in (_LINE, _RING)
    ]


def simple_parts(shape: Any) -> NDArray[np.object_]:
    """Return the non-empty simple parts of one or many geometries, in their unit.

    Nested collections are unpacked.
    """
    parts = shapely.get_parts(shape)
    while (shapely.get_type_id(parts) > _POLYGON).any():
        parts = shapely.get_parts(parts)
    nonempty_parts: NDArray[np.object_] = parts[~shapely.is_empty(parts)]
    return nonempty_parts


def circles(places: Line, radius: float) -> NDArray[np.object_]:
    """Return a disc of ``radius`` about each place (n x 2), as an array of polygons.

    Radius, places and discs have one unit, usually printed mm. Each disc is bit-identical to the buffer of a point.
    """
    ring = shapely.get_coordinates(shapely.buffer(shapely.Point(0, 0), radius))
    return np.asarray(shapely.polygons(np.asarray(places, dtype=float)[:, None] + ring[None]))
