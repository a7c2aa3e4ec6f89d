"""Wheel tracks on wide roads: a winding track between grassy verges, in places a second one.

A track runs through chains of connected roads, so that it does not stop where a road is fenced or sunken. The casing
does not change; only the surface inside it is drawn here.

Source: the cartography, 10.5.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import Cap, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, resampled, ribbon
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.lines.course_lines import (
    TOUCH,
    courses,
    drawn_width,
    extend_past_edge,
    on_layer,
    stroke_shape,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Kind

ROADS: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE)  # Kinds of roads with a casing

_WIDE: Final = 15.0
_ALIKE: Final = 0.8
_STRAIGHT_ON: Final = 0.5

_STEP: Final = 2.0
_GAUGE: Final = 2.6
_FREE: Final = 2.6
_WANDER: Final = (0.55, 150.0)
_FARTHEST: Final = 0.8
_BODY: Final = ((0.16, 8.8), (0.14, 6.0))
_VERGE: Final = (3.0, 0.4, 26.0)
_VERGE_ALPHA: Final = 0.34
_INSIDE: Final = 0.7
_SECOND: Final = (0.25, 190.0)
_SECOND_ASIDE: Final = 0.62
_SECOND_LEAST: Final = 20
_BELL: Final = 20
_SMOOTH: Final = 0.06
_THINNING: Final = 11.0


class RoadChain(Struct, frozen=True):
    """Connected roads: their IDs in the order of the battlefield, and one line through all of them.

    The line is in printed mm.
    """

    members: tuple[str, ...]
    line: LineString


def is_wide(width: float, context: SymbolContext) -> bool:
    """Return whether a road of this printed width, in mm, has room for a wheel track: more than 15 mm at 1:1."""
    return width > context.size(_WIDE)


def goes_on(course: Course, other: Course, context: SymbolContext) -> bool:
    """Return whether two roads meet end to end, with similar widths and nearly in a straight line.

    The narrower has at least 0.8 of the other's width, and the bend is less than 60 degrees. A road does not continue
    itself.
    """
    if course.id == other.id:
        return False
    widths = sorted((drawn_width(course, context), drawn_width(other, context)))
    if widths[0] < _ALIKE * widths[1]:
        return False
    for tip, inner in _find_tips(course):
        for other_tip, other_inner in _find_tips(other):
            if np.hypot(*(tip - other_tip)) <= TOUCH:
                cosine = exact_math.product(_normalise(tip - inner), _normalise(other_inner - other_tip))
                return bool(cosine > _STRAIGHT_ON)
    return False


def chain_of(course: Course, context: SymbolContext, field: Battlefield) -> RoadChain:
    """Return the chain of a wide road; a single road is a chain too.

    The chains are computed once for each context and battlefield.

    Raises:
        KeyError: the road is not wide, or has no casing.
    """

    def build_chains() -> dict[str, RoadChain]:
        """Return the chains of all wide roads, by the ID of each road.

        Roads that continue each other share one chain, whose line is in printed mm and extends past the board edge.
        """
        waiting = [road for road in courses(field, *ROADS) if is_wide(drawn_width(road, context), context)]
        order = [feature.id for feature in field.features]
        chains: dict[str, RoadChain] = {}
        while waiting:
            members = [waiting.pop(0)]
            points = _extend_line(
                _extend_line(_get_points(members[0]), members, waiting, context)[::-1], members, waiting, context
            )
            # Extend the line past the board's edge like that of a single road.
            full_course = replace(members[0], line=LineString(points), width=drawn_width(members[0], context))
            ids = sorted((member.id for member in members), key=order.index)
            chains |= dict.fromkeys(ids, RoadChain(tuple(ids), extend_past_edge(full_course, field)))
        return chains

    return context.once(build_chains, field, by="chains of wide roads")[course.id]


def _extend_line(points: Line, members: list[Course], waiting: list[Course], context: SymbolContext) -> Line:
    """Return a line extended through the roads that continue it, as an n x 2 array in printed mm.

    These roads move from ``waiting`` to ``members``. ``points`` is the line before. It grows at its last point only,
    and stops where several roads continue it.
    """
    while True:
        tip = Point(points[-1])
        next_roads = [road for road in waiting if any(tip.distance(Point(end)) <= TOUCH for end, _ in _find_tips(road))]
        next_roads = [road for road in next_roads if any(goes_on(member, road, context) for member in members)]
        if len(next_roads) != 1:
            return points
        next_points = _get_points(next_roads[0])
        if np.hypot(*(next_points[-1] - points[-1])) <= TOUCH:
            next_points = next_points[::-1]
        points = np.vstack([points, next_points[1:]])
        members.append(next_roads[0])
        waiting.remove(next_roads[0])


def _get_points(course: Course) -> Line:
    """Return the points of a course as an n x 2 array in printed mm."""
    return np.asarray(shapely.get_coordinates(course.line))


def _find_tips(course: Course) -> tuple[tuple[Line, Line], tuple[Line, Line]]:
    """Return both ends of a course in printed mm, each with a point up to three points further in.

    The result is a pair for the start and a pair for the end: end point and inner point, each an array (x, y).
    """
    points = _get_points(course)
    reach = min(3, len(points) - 1)
    return (points[0], points[reach]), (points[-1], points[-1 - reach])


def _normalise(step: Line) -> Line:
    """Return the vector of length 1 in the direction of a vector (x, y)."""
    return np.asarray(step / max(float(np.hypot(*step)), 1e-9))


def draw_wheel_tracks(
    line: BaseGeometry, width: float, context: SymbolContext, *, cut: BaseGeometry, mouths: BaseGeometry
) -> LayeredItems:
    """Yield (layer, item) pairs that draw verges, worn ground and ruts within a road.

    Args:
        line: centre line of the road, in printed mm.
        width: printed width in mm, casings included.
        context: gives the scale and the noise of the map.
        cut: ground without a track, for example the water of a ford.
        mouths: ground of other roads that come in; it has no verge.
    """
    for part in lines(line):
        if part.length > context.size(_FREE):
            yield from _draw_part(resampled(part, context.size(_STEP)), width, context, cut, mouths)


def _draw_part(
    line: Line, width: float, context: SymbolContext, cut: BaseGeometry, mouths: BaseGeometry
) -> LayeredItems:
    """Yield (layer, item) pairs that draw verges, worn ground and ruts along one piece of a road.

    Everything is in printed mm.

    Args:
        line: evenly spaced points of its centre line, n x 2.
        width: its width, casings included.
        context: gives the scale and the noise of the map.
        cut: ground without a track.
        mouths: ground of other roads; it has no verge.
    """
    unit, noise, side_normals = context.size(1.0), context.noise, normals(line)
    x, y = line.T
    span = max(0.0, width / 2 - (_GAUGE + _FREE) * unit)
    amount, wave = _WANDER
    wander = np.clip(amount * noise.at(x, y, wave * unit), -_FARTHEST, _FARTHEST) * span
    middle = line + side_normals * wander[:, None]
    if context.style.washes:
        half_width = width / 2 - _INSIDE * unit
        distances = np.arange(len(line)) * float(np.hypot(*(line[1] - line[0])))
        # Taper both where the road reaches a town or another road, to hide the flat end.
        taper = np.clip(np.minimum(distances, distances[::-1]) / (_THINNING * unit), 0.0, 1.0)
        breadth, variation, wave = _VERGE
        left, right = (
            half_width - taper * breadth * unit * (1 + variation * noise.at(x + shift * unit, y, wave * unit))
            for shift in (55.0, -55.0)
        )
        left_edge, right_edge = line + side_normals * left[:, None], line - side_normals * right[:, None]
        worn_strip = shapely.make_valid(shapely.Polygon(np.vstack([left_edge, right_edge[::-1]])))
        road_strip = LineString(line).buffer(half_width, quad_segs=8, cap_style="flat")
        verges = shapely.difference(road_strip, shapely.union_all([worn_strip, cut, mouths])).simplify(_SMOOTH * unit)
        yield from on_layer(LayerName.COURSE_DETAIL, fill(verges, context.tint("pasture", _VERGE_ALPHA)))
        for alpha, breadth in _BODY:
            body = ribbon(middle, breadth * unit * np.sqrt(taper))
            visible_body = shapely.difference(body, cut).simplify(_SMOOTH * unit)
            yield from on_layer(LayerName.COURSE_DETAIL, fill(visible_body, context.tint("wheel-rut", alpha)))
    yield from _draw_ruts(middle, side_normals, context, cut, 0.50, 0.95, (13.0, 2.2, 6.0, 3.0), (0.0, 5.0))
    threshold, wave = _SECOND
    second_offsets = np.where(wander > 0, -1.0, 1.0) * _SECOND_ASIDE * span
    bell = 0.5 - 0.5 * exact_math.cos(2 * np.pi * np.arange(1, 2 * _BELL + 2) / (2 * _BELL + 2))
    smooth_offsets = exact_math.convolve(np.pad(second_offsets, _BELL, mode="edge"), bell / bell.sum())
    second_middle = line + side_normals * smooth_offsets[:, None]
    for run in _find_long_runs(noise.at(x + 300 * unit, y, wave * unit) > threshold):
        dash, phases = (6.0, 4.0, 3.0, 6.0), (2.0, 7.0)
        yield from _draw_ruts(second_middle[run], side_normals[run], context, cut, 0.40, 0.75, dash, phases)


def _draw_ruts(
    middle: Line,
    side_normals: Line,
    context: SymbolContext,
    cut: BaseGeometry,
    mm: float,
    alpha: float,
    dash: tuple[float, ...],
    phases: tuple[float, float],
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the two ruts of a wheel track as dashed lines.

    Args:
        middle: line between the ruts, an n x 2 array in printed mm.
        side_normals: unit normal to the left at each of its points.
        context: gives the style and sizes.
        cut: ground without ruts, in printed mm.
        mm: width of a rut in mm at 1:1.
        alpha: opacity, 0 to 1.
        dash: lengths of dashes and gaps in mm at 1:1.
        phases: start of the dashes in the left and in the right rut, in mm at 1:1.
    """
    for side, phase in zip((1, -1), phases, strict=True):
        rut = LineString(middle + side_normals * (side * context.size(_GAUGE) / 2)).simplify(
            _SMOOTH * context.size(1.0)
        )
        visible_parts = lines(shapely.difference(rut, cut))
        paths = stroke_shape(visible_parts, context, "wheel-rut", mm, alpha=alpha, dash=dash, phase=phase, cap=Cap.BUTT)
        yield from on_layer(LayerName.COURSE_DETAIL, paths)


def _find_long_runs(flags: NDArray[np.bool_]) -> list[slice]:
    """Return the runs of true flags with more than 20 flags, as slices.

    Indices count from 0; the stop is past the end.
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int))).tolist()
    runs = [slice(first, last) for first, last in zip(edges[::2], edges[1::2], strict=True)]
    return [run for run in runs if run.stop - run.start > _SECOND_LEAST]
