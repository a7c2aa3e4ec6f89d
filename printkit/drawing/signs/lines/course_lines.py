"""Lines of rivers and roads: drawn widths, covered ground, extension past the board, and pieces of a line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import Ink, Item, LayeredItems, LayerName, Path
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, outline, simple_parts, tangents
from printkit.drawing.canvas.symbol_context import RINGS, SymbolContext, wash
from printkit.drawing.scatter.crowns import poisson_points
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, STILL_WATERS, Area, Course, Kind, find_family

TOUCH: Final = 0.5  # Tolerance in printed mm: a point within this distance of a feature is on it.

# Extension of a course past the board's edge, in widths; the first sufficient value is used.
_BEYOND: Final = (1.5, 3.0, 6.0)

# Tolerance in mm: a point nearer than this to the end of a piece is not added as a corner.
_APART: Final = 1e-6


class MeasuredLine(Struct, frozen=True, dict=True):
    """A line with the distance from its start at every point, for fast cutting into pieces.

    Attributes:
        points: the points in printed mm, n x 2.
        distances: distance from the start at every point, in printed mm; the first is 0.
    """

    points: Line
    distances: NDArray[np.float64]

    @classmethod
    def from_line(cls, shape: LineString | Line) -> MeasuredLine:
        """Return a line in printed mm, measured from its first point."""
        points = shape if isinstance(shape, np.ndarray) else shapely.get_coordinates(shape)
        steps = np.hypot(*np.diff(points, axis=0).T)
        return cls(points, np.concatenate([[0.0], np.cumsum(steps)]))

    @property
    def length(self) -> float:
        """Return the total length of the line in printed mm."""
        return float(self.distances[-1])

    def at(self, positions: Any) -> Line:
        """Return the points at distances in printed mm from the start of the line, as an n x 2 array in mm.

        ``positions`` is one distance or a sequence. Beyond an end the result is that end.
        """
        positions = np.atleast_1d(np.asarray(positions, dtype=float))
        points = np.empty((len(positions), 2))
        for axis in (0, 1):
            points[:, axis] = np.interp(positions, self.distances, self.points[:, axis])
        return points

    def point_at(self, position: float) -> tuple[float, float]:
        """Return the point at one distance in printed mm from the start of the line, as x and y in mm.

        It is like ``at`` but faster for many single calls: beyond an end the result is that end.
        """
        distances, points = self._as_lists
        index = bisect_right(distances, position) - 1
        if not 0 <= index < len(distances) - 1:
            return points[max(index, 0)]
        (x0, y0), (x1, y1) = points[index : index + 2]
        segment, past = distances[index + 1] - distances[index], position - distances[index]
        return (x1 - x0) / segment * past + x0, (y1 - y0) / segment * past + y0

    @cached_property
    def _as_lists(self) -> tuple[list[float], list[tuple[float, float]]]:
        """Return the distances and the points of the line as lists, in printed mm, for fast access."""
        return self.distances.tolist(), [(x, y) for x, y in self.points.tolist()]

    def cut(self, first: float, last: float) -> Line:
        """Return the piece of the line between two distances in printed mm from its start.

        ``first`` and ``last`` are limited to the line. The n x 2 result includes the points between.
        """
        first, last = max(0.0, first), min(self.length, last)
        inner = self.distances[(self.distances > first + _APART) & (self.distances < last - _APART)]
        return self.at(np.concatenate([[first], inner, [last]]))

    def cut_dashes(self, dash_mm: tuple[float, float], gap_mm: tuple[float, float], stream: Stream) -> list[Line]:
        """Return the dashes of the line in order, each an n x 2 array in printed mm.

        Lengths of dashes and gaps are random. The line starts with a gap of 0 to ``gap_mm[1]``; the last dash may be
        cut short. The list may be empty.

        Args:
            dash_mm: shortest and longest dash in printed mm.
            gap_mm: shortest and longest gap in printed mm.
            stream: random stream for the lengths.
        """
        spans: list[tuple[float, float]] = []
        position, total = stream.between(0.0, gap_mm[1]), self.length
        while position < total - dash_mm[0] / 2:
            length = stream.between(*dash_mm)
            spans.append((position, min(total, position + length)))
            position += length + stream.between(*gap_mm)
        ends = self.at(np.ravel(spans)).reshape(-1, 2, 2)
        firsts, lasts = np.array(spans).reshape(-1, 2).T
        inner = zip(
            np.searchsorted(self.distances, firsts + _APART, side="right").tolist(),
            np.searchsorted(self.distances, lasts - _APART, side="left").tolist(),
            strict=True,
        )
        return [
            np.concatenate([end[:1], self.points[low:high], end[1:]])
            for end, (low, high) in zip(ends, inner, strict=True)
        ]


def courses(field: Battlefield, *kinds: Kind) -> list[Course]:
    """Return the courses of these kinds, kind by kind, each in the order of the battlefield."""
    return [feature for kind in kinds for feature in field.select_features(kind) if isinstance(feature, Course)]


def areas(field: Battlefield, *kinds: Kind) -> list[Polygon]:
    """Return the outlines of all areas of these kinds, kind by kind, in printed mm."""
    return [feature.outline for kind in kinds for feature in field.select_features(kind) if isinstance(feature, Area)]


def find_touching_basins(line: BaseGeometry, field: Battlefield, *, max_distance: float = TOUCH) -> list[Polygon]:
    """Return the outlines of all lakes and pools within ``max_distance`` printed mm of a line or a point.

    The list may be empty.
    """
    return [outline for outline in areas(field, *STILL_WATERS) if outline.dwithin(line, max_distance)]


def extend_past_edge(course: Course, field: Battlefield) -> LineString:
    """Return the centre line in printed mm, extended past the board's edge at each end that is on it.

    The map clips the rest. A river that begins or ends in a lake is extended too, so that its full width reaches the
    water on any shore.
    """
    points = shapely.get_coordinates(course.line)
    points = points[np.concatenate([[True], (np.diff(points, axis=0) != 0).any(axis=1)])]
    board_edge, directions = field.board.shape.exterior, tangents(points)

    def find_extension(end: Line, direction: Line) -> float:
        """Return how far to extend the line past one end, in printed mm; 0 in open ground.

        ``direction`` is the unit vector outwards along the line.
        """
        if board_edge.distance(Point(end)) <= TOUCH:
            half_normal = np.array([-direction[1], direction[0]]) * course.width / 2
            # A slanting course needs a longer extension, or a corner of its flat end would show on the board.
            for factor in _BEYOND:
                far_end = end + direction * (factor * course.width)
                if not LineString([far_end - half_normal, far_end + half_normal]).intersects(field.board.shape):
                    break
            return float(factor * course.width)
        return course.width if find_touching_basins(Point(end), field) else 0.0

    first, last = points[0], points[-1]
    if (extra := find_extension(first, -directions[0])) > 0:
        points = np.vstack([first - directions[0] * extra, points])
    if (extra := find_extension(last, directions[-1])) > 0:
        points = np.vstack([points, last + directions[-1] * extra])
    return LineString(points)


def band(line: BaseGeometry, width: float) -> BaseGeometry:
    """Return the ground that a course of ``width`` mm covers: square ends, rounded turns.

    Everything is in printed mm.
    """
    return line.buffer(width / 2, quad_segs=8, cap_style="flat", join_style="round")


def ends_on(course: Course, other: Course) -> bool:
    """Return whether the last point of a course is on the other's centre line.

    This is so for a tributary or a junction. A course does not end on itself.
    """
    return course.id != other.id and other.line.distance(Point(course.line.coords[-1])) <= TOUCH


def courses_meet(course: Course, other: Course) -> bool:
    """Return whether two courses touch or cross; False for a course and itself."""
    return course.id != other.id and course.line.distance(other.line) <= TOUCH


def branches_off(course: Course, other: Course) -> bool:
    """Return whether an end of a course is on the other's line, but not at an end of it.

    So the result is False for a road that continues the other at its end.
    """
    if course.id == other.id:
        return False
    tips = [Point(other.line.coords[index]) for index in (0, -1)]
    ends = [Point(course.line.coords[index]) for index in (0, -1)]
    on_it = [end for end in ends if other.line.distance(end) <= TOUCH]
    return any(min(end.distance(tip) for tip in tips) > TOUCH for end in on_it)


def offset_line(line: LineString, offset: float) -> list[LineString]:
    """Return the parts of a line moved sideways by ``offset`` printed mm, to the left if it is positive.

    Parts of at most 1 mm are left out, so the list may be empty.
    """
    if abs(offset) < _APART:
        # A rounding error for the middle line of several: GEOS would lose the line or its start.
        offset = 0.0
    return [part for part in lines(shapely.offset_curve(line, offset, quad_segs=8)) if part.length > 1.0]


def compute_curvature(points: Line, smooth: float) -> NDArray[np.float64]:
    """Return the curvature at every point in radians per printed mm, smoothed over ``smooth`` mm.

    Left turns are positive. ``points`` is an n x 2 array of evenly spaced points in mm.
    """
    directions = tangents(points)
    turns = np.gradient(np.unwrap(exact_math.arctan2(directions[:, 1], directions[:, 0])))
    step = float(np.hypot(*np.diff(points, axis=0).T).mean())
    radius = max(1, round(2.5 * smooth / step))
    kernel = exact_math.exp(-0.5 * (np.arange(-radius, radius + 1) * step / smooth) ** 2)
    padded = np.pad(turns / step, radius, mode="edge")
    return exact_math.convolve(padded, kernel / kernel.sum())


def median(values: NDArray[np.float64]) -> float:
    """Return the median of a one-dimensional array that is not empty, in its unit.

    ``numpy.median`` would import the masked arrays, which takes 11 ms.
    """
    sorted_values = np.sort(values)
    return float((sorted_values[(len(sorted_values) - 1) // 2] + sorted_values[len(sorted_values) // 2]) / 2)


def stroke_shape(shape: Any, context: SymbolContext, token: str, mm: float, **stroke_options: Any) -> list[Path]:
    """Return a shape stroked in an ink of the style, or an empty list if the style has no such ink.

    The shape is in printed mm, and the line is ``mm`` wide at 1:1. ``token`` names the ink, and ``alpha`` thins it in
    styles with washes. Other keywords are passed to ``SymbolContext.stroke``.
    """
    ink: Ink | None = context.tint(token, stroke_options.pop("alpha", 1.0))
    return outline(shape, context.stroke(ink, mm, **stroke_options)) if ink is not None else []


def shadow(
    shape: BaseGeometry,
    context: SymbolContext,
    offset_mm: tuple[float, float],
    alpha: float,
    *,
    avoid: BaseGeometry | None = None,
) -> list[Path]:
    """Return the shadow of a shape, or an empty list in styles without shadows.

    Args:
        shape: the shape in printed mm.
        context: gives the style and sizes.
        offset_mm: offset to the east and to the south, in mm at 1:1.
        alpha: strength of the shadow, 0 to 1.
        avoid: ground that the shadow does not cover, in printed mm.
    """
    if not context.style.shadows:
        return []
    cast = affinity.translate(shape, context.size(offset_mm[0]), -context.size(offset_mm[1]))
    return fill(cast if avoid is None else shapely.difference(cast, avoid), context.tint("shadow", alpha))


def draw_area_ground(
    area: BaseGeometry, context: SymbolContext, tokens: tuple[str, ...], rings: Sequence[tuple[float, float]] = RINGS
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the wash of an area.

    Args:
        area: the area in printed mm; may be empty.
        context: gives the style and sizes.
        tokens: ink of the wash, and optionally ink of its rim (default: mixed from the first).
        rings: rings of the rim, see ``wash``.
    """
    tone, rim = (*map(context.style.ink, tokens), None)[:2]
    yield from on_layer(LayerName.GROUND_WASH, wash(area, tone, rim, context, rings))


def stipple_area(
    area: BaseGeometry,
    avoid: BaseGeometry,
    context: SymbolContext,
    stream: Stream,
    sizes: tuple[float, float, float],
    ink: Ink | None,
) -> list[Path]:
    """Return dots scattered over an area as paths.

    Args:
        area: area for the centres of the dots, in printed mm.
        avoid: area without dots, in printed mm.
        context: gives the sizes.
        stream: random stream for positions and sizes.
        sizes: least distance between dots, smallest radius, and the range of the radius above it, in mm at 1:1.
        ink: None draws nothing.
    """
    spacing, min_radius, radius_range = (context.size(size) for size in sizes)
    grains = poisson_points(area, spacing, stream, avoid=avoid)
    return dots(grains, min_radius + radius_range * stream.draw_array(len(grains)), ink)


def nearest_part(shape: BaseGeometry, point: Point) -> BaseGeometry:
    """Return the part of a shape that is nearest to a point, or the shape itself if it is empty.

    Both have the same unit.
    """
    parts = simple_parts(shape)
    return parts[int(np.argmin(shapely.distance(parts, point)))] if len(parts) else shape


def on_layer(layer: LayerName, items: Iterable[Item]) -> LayeredItems:
    """Yield items paired with their layer."""
    for item in items:
        yield layer, item


# --- How wide courses are drawn where the rules give them no width, and the ground that they cover --------------------

WATERS: Final = find_family("running-water")

_OWN: Final = {kind: row.width for kind, row in KIND_ROWS.items() if row.width}


def scale_road_width(mm: float, context: SymbolContext) -> float:
    """Return the printed width in mm of a road that has no width in the rules and is ``mm`` wide at 1:1.

    It shrinks faster than other symbols.
    """
    return float(mm * context.symbol_scale**0.4 * min(1.0, context.scale * context.factor) ** 0.6)


def drawn_width(course: Course, context: SymbolContext) -> float:
    """Return the printed width in mm of a course: from the rules, otherwise the default for its kind.

    Raises:
        KeyError: the course has no width in the rules, and its kind no default.
    """
    return course.width or default_width(course.kind, context)


def default_width(kind: Kind, context: SymbolContext) -> float:
    """Return the default printed width in mm for a kind of course.

    Raises:
        KeyError: the kind has no default, for example a wall or a crossing.
    """
    return scale_road_width(_OWN[kind], context)


def set_drawn_width(course: Course, context: SymbolContext) -> Course:
    """Return the course with the width at which it is drawn."""
    return course if course.width else replace(course, width=drawn_width(course, context))


def all_sized(field: Battlefield, context: SymbolContext) -> Battlefield:
    """Return the battlefield with the drawn width set on every course, for spacing next to courses.

    Drawing routines need the unchanged battlefield, because a stream without a width in the rules widens downstream.
    """
    features = tuple(
        set_drawn_width(feature, context) if isinstance(feature, Course) and feature.kind in _OWN else feature
        for feature in field.features
    )
    return replace(field, features=features)


def ground(course: Course, field: Battlefield, context: SymbolContext, *, spare: float = 0.0) -> BaseGeometry:
    """Return the ground that a course covers, with ``spare`` mm on either side, all in printed mm."""

    def measure_ground() -> BaseGeometry:
        """Return the ground of the course in printed mm, for the memo of the context."""
        sized_course = set_drawn_width(course, context)
        return band(extend_past_edge(sized_course, field), sized_course.width + 2 * spare)

    return context.once(measure_ground, field, course, by=("ground of a course", spare))


def covered(
    field: Battlefield, kinds: Iterable[Kind], context: SymbolContext, spare: Mapping[Kind, float] | None = None
) -> BaseGeometry:
    """Return the ground of all courses of these kinds in printed mm.

    It has a margin by kind (``spare``) in mm at 1:1. An empty polygon means that there is no such course.
    """
    spares = tuple((kind, context.size((spare or {}).get(kind, 0.0))) for kind in kinds)

    def measure_ground() -> BaseGeometry:
        """Return the ground of all courses of the kinds in printed mm, for the memo of the context; may be empty."""
        grounds = [
            ground(course, field, context, spare=margin) for kind, margin in spares for course in courses(field, kind)
        ]
        return shapely.union_all(grounds) if grounds else Polygon()

    return context.once(measure_ground, field, by=("covered by courses", spares))
