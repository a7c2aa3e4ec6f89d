"""Rivers with engraved lines between their banks; streams and creeks as plain water between two fine banks.

Source: the cartography, 7 (order of width) and 10.4. Rivers keep the true width of the rules, BR-G31.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.cover.low_plants import draw_reeds
from printkit.drawing.signs.lines.channels import (
    Channel,
    draw_bank_shadow,
    draw_damp_ground,
    find_covering_waters,
    find_reserved_ground,
    find_tributaries,
    smooth_line,
    width_at,
)
from printkit.drawing.signs.lines.course_lines import MeasuredLine, compute_curvature, on_layer, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course

_OVERLAP: Final = 0.2
_MOUTH: Final = 0.15
_BAR_BEND: Final = 0.0115
_BAR_LEAST: Final = 14.0
_BAR: Final = 0.20  # Greatest thickness of a bar as a share of the river's width
_BAR_FLAT: Final = 0.13  # Greatest thickness of a bar as a share of its length

_TICK_BEND: Final = 0.010
_TICK_PITCH: Final = 1.7
_TICKED_LEAST: Final = 12.0
_FROM_END: Final = 12.0
_SHORE_LINES: Final = ((1.5, 0.28, (14.0, 34.0), (2.5, 9.0)), (3.1, 0.20, (7.0, 20.0), (2.5, 9.0)))
_MORE_LINES: Final = ((4.9, 0.17, (6.0, 15.0), (7.0, 22.0)),)
# Length, as a share of the width, that smooths the line of mid-stream; it cuts bends short.
_EASED: Final = 0.3


def river(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a river at its true width, from bank to bank.

    Shapes and items are in printed mm.
    """
    channel = Channel.from_course(course, context, field)
    covering = find_covering_waters(course, context, field)
    mouths = find_tributaries(course, context, field)
    water = shapely.difference(channel.ground, covering.buffer(-_OVERLAP))
    yield from draw_damp_ground(course, ((3.4, 0.55), (1.7, 0.70)), context, field)
    yield from on_layer(LayerName.WATER, fill(water, context.style.ink("water")))
    yield from draw_depth(channel, covering, context)
    yield from draw_bank_shadow(water, shapely.union_all([channel.ground, covering, *mouths]), context, 0.9, 0.28)
    closed = shapely.union_all([covering, *(mouth.buffer(-_MOUTH) for mouth in mouths)])
    sand, brinks = _make_bars(channel, water, closed, context)
    yield from _draw_sand(course, sand, brinks, context)
    yield from draw_flow(course, channel, sand.union(covering), context, _SHORE_LINES + _MORE_LINES)
    yield from draw_banks(channel, closed, context, 0.62)
    yield from _draw_ticks(channel, shapely.union_all([closed, *mouths]), context)


def draw_banks(channel: Channel, closed: BaseGeometry, context: SymbolContext, mm: float) -> LayeredItems:
    """Yield (layer, item) pairs of the banks of a water as lines ``mm`` wide at 1:1, but not where other water is.

    ``closed`` is the ground of other water, in printed mm. Ends of the water have no bank.
    """
    visible = shapely.difference(shapely.MultiLineString([bank.points for bank in channel.banks()]), closed)
    yield from on_layer(LayerName.WATER_LINE, stroke_shape(visible, context, "bank-line", mm, minimum_mm=LEAST_MEANING))


def draw_depth(channel: Channel, covering: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the deep middle of a water in two widths.

    Both taper to a point towards ``covering``. ``covering`` is the ground of the water it runs into, in printed mm; it
    may be empty.
    """
    points = smooth_line(resampled(channel.line, context.size(3.0)), _EASED * channel.width)
    fade = np.ones(len(points))
    if not covering.is_empty:
        fade = np.clip(shapely.distance(shapely.points(points), covering) / (1.6 * channel.width), 0, 1)
    side_normals = normals(points)
    for share, alpha in ((0.52, 0.35), (0.26, 0.30)):
        half_offsets = side_normals * (channel.width * share / 2 * exact_math.sin(fade * np.pi / 2))[:, None]
        deep = shapely.make_valid(Polygon(np.vstack([points + half_offsets, (points - half_offsets)[::-1]])))
        yield from on_layer(LayerName.WATER, fill(polygons(deep), context.tint("water-deep", alpha)))


def draw_flow(
    course: Course,
    channel: Channel,
    covering: BaseGeometry,
    context: SymbolContext,
    lines_along: tuple[tuple[float, float, tuple[float, float], tuple[float, float]], ...],
) -> LayeredItems:
    """Yield (layer, item) pairs of dashed lines along the banks, and dashes in mid-stream that are heavier in bends.

    A line is left out if the water is too narrow for it.

    Args:
        course: the course; its ID names the random stream.
        channel: its channel.
        covering: ground without lines, in printed mm.
        context: gives the style and sizes.
        lines_along: for each line: distance from the bank, width, and range of strokes and of gaps, in mm at 1:1.
    """
    stream, half = context.stream(f"draw/{course.id}/flow"), channel.width / 2
    bank_lines = [row for row in lines_along if half - context.size(row[0]) > context.size(1.2)]
    for inset, width, ons, offs in bank_lines:
        pieces: list[Line] = []
        for bank in channel.banks(context.size(inset)):
            pieces += MeasuredLine.from_line(bank.points).cut_dashes(
                _scale_range(ons, context), _scale_range(offs, context), stream
            )
        yield from draw_strokes(pieces, covering, context, width, 0.85)
    lane_reach = half - context.size(bank_lines[-1][0] if bank_lines else 0.5) - context.size(1.0)
    lane_count = max(1, round(2 * lane_reach / context.size(3.2)) + 1) if lane_reach > 0 else 1
    calm: list[Line] = []
    quick: list[Line] = []
    spine = MeasuredLine.from_line(smooth_line(resampled(channel.line, context.size(2.0)), _EASED * channel.width))
    bend = np.abs(compute_curvature(spine.points, context.size(10.0))) * context.scale
    for offset in np.linspace(-lane_reach, lane_reach, lane_count) if lane_count > 1 else [0.0]:
        position = stream.between(0, context.size(34))
        while position < spine.length - context.size(6):
            length = context.size(stream.between(5, 11))
            piece = spine.cut(position, position + length)
            offset_mm = float(offset) + context.size(stream.between(-0.9, 0.9))
            curvature = float(np.interp(position + length / 2, spine.distances, bend))
            (quick if curvature > _BAR_BEND else calm).append(piece + normals(piece) * offset_mm)
            position += length + context.size(stream.between(10, 26)) * (1.0 if lane_count == 1 else 1.5)
    inside = channel.ground.buffer(-context.size(bank_lines[-1][0] + 0.6 if bank_lines else 0.5))
    yield from draw_strokes(calm, covering, context, 0.20, 0.75, clip_area=inside)
    yield from draw_strokes(quick, covering, context, 0.28, 0.85, clip_area=inside)


def draw_strokes(
    pieces: list[Line],
    covering: BaseGeometry,
    context: SymbolContext,
    width: float,
    alpha: float,
    *,
    clip_area: BaseGeometry | None = None,
) -> LayeredItems:
    """Yield (layer, item) pairs that draw lines in the waterline ink, clipped to ``clip_area`` and not on ``covering``.

    ``pieces`` and areas are in printed mm, and ``width`` is in mm at 1:1. ``alpha`` is the opacity, 0 to 1. Pieces of
    fewer than two points are left out.
    """
    line_shapes = [LineString(piece) for piece in pieces if len(piece) > 1]
    visible = shapely.difference(shapely.MultiLineString(line_shapes), covering) if line_shapes else NOTHING
    visible = shapely.intersection(visible, clip_area) if clip_area is not None else visible
    yield from on_layer(LayerName.WATER_LINE, stroke_shape(lines(visible), context, "waterline", width, alpha=alpha))


def _make_bars(
    channel: Channel, water: BaseGeometry, closed: BaseGeometry, context: SymbolContext
) -> tuple[BaseGeometry, list[BaseGeometry]]:
    """Return the sand bars on the inside of bends, and their edges towards the water, in printed mm.

    ``water`` is the ground of the river, and ``closed`` ground of other water without bars. The bars are one shape;
    each has a line as its edge. If there are no bars, the result is an empty polygon and an empty list.
    """
    bars: list[BaseGeometry] = []
    brinks: list[BaseGeometry] = []
    for bank in channel.banks():
        inside = bank.bend * bank.side * context.scale > _BAR_BEND
        outward = bank.outward
        for first, last in _find_runs(inside, min_length=max(6, round(context.size(_BAR_LEAST)))):
            bank_points, outward_part = bank.points[first:last], outward[first:last]
            max_thickness = min(_BAR * channel.width, _BAR_FLAT * (last - first))
            thicknesses = max_thickness * exact_math.power(exact_math.sin(np.linspace(0, np.pi, last - first)), 1.3)
            brink = bank_points - outward_part * thicknesses[:, None]
            bar = shapely.make_valid(Polygon(np.vstack([bank_points, brink[::-1]])))
            bars.append(shapely.difference(shapely.intersection(bar, water), closed))
            brinks.append(shapely.difference(LineString(brink), closed))
    return shapely.union_all(bars) if bars else NOTHING, brinks


def _draw_sand(course: Course, sand: BaseGeometry, brinks: list[BaseGeometry], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of sand bars with their edges (``brinks``) and grains of sand, all in printed mm."""
    stream = context.stream(f"draw/{course.id}/bars")
    yield from on_layer(LayerName.WATER, fill(sand, context.tint("sand", 0.9)))
    yield from on_layer(LayerName.WATER_LINE, stroke_shape(brinks, context, "waterline", 0.24))
    beaches = polygons(sand.buffer(-context.size(0.3)))
    grains = [place for beach in beaches for place in poisson_points(beach, context.size(1.1), stream)]
    yield from on_layer(LayerName.WATER_LINE, dots(grains, context.size(0.14), context.tint("sand-line", 0.9)))


def _draw_ticks(channel: Channel, mouths: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw short strokes on the outer bank of bends, where the water undercuts it.

    There are none near ``mouths``, the ground of other water, in printed mm.
    """
    keep_off = mouths.buffer(context.size(1.5))
    shapely.prepare(keep_off)
    tick_strokes: list[tuple[Line, float, float]] = []
    wide, narrow = context.width(0.50), context.width(0.12)
    for bank in channel.banks():
        edge = MeasuredLine.from_line(bank.points)
        outward = MeasuredLine(bank.outward, edge.distances)
        turning = -bank.bend * bank.side * context.scale
        for first, last in _find_runs(turning > _TICK_BEND, min_length=max(4, round(context.size(_TICKED_LEAST)))):
            start, end = max(edge.distances[first], context.size(_FROM_END)), edge.distances[last - 1]
            positions = np.arange(start, min(end, edge.length - context.size(_FROM_END)), context.size(_TICK_PITCH))
            outward_normals = outward.at(positions)
            feet = edge.at(positions) + outward_normals * context.size(0.35)
            lengths = context.size(1.0) * np.minimum(3.6, 1.4 + np.interp(positions, edge.distances, turning) * 55)
            ticks = np.stack([feet + outward_normals * lengths[:, None], feet], axis=1)
            tick_strokes += [(tick, wide, narrow) for tick in ticks[~shapely.contains_xy(keep_off, feet)]]
    yield from on_layer(LayerName.WATER_LINE, wedges(tick_strokes, context.tint("hachure", 0.8)))


def _find_runs(flags: NDArray[np.bool_], *, min_length: int) -> list[tuple[int, int]]:
    """Return first and past-the-end index of every run of true values with at least ``min_length`` values.

    Indexes count from 0, and the runs are in order.
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= min_length]


def _scale_range(span: tuple[float, float], context: SymbolContext) -> tuple[float, float]:
    """Return a range, two lengths in mm at 1:1, in printed mm."""
    return context.size(span[0]), context.size(span[1])


# --- Streams and creeks: small waters, a stream with two fine banks, a wider creek with reeds -------------------------

_WIDE: Final = 9.0  # Least width in mm at 1:1 of a stream with lines along its banks

_STREAM_LINES: Final = ((1.3, 0.22, (8.0, 22.0), (5.0, 14.0)),)
_CREEK_LINES: Final = ((1.4, 0.26, (10.0, 26.0), (3.0, 9.0)), (3.0, 0.18, (6.0, 15.0), (6.0, 18.0)))
_DASH: Final = 5.0
_DASH_PITCH: Final = 13.0
_DASHED_FROM: Final = 2.4
_REED_PITCH: Final = (10.0, 26.0)
_REED_HEIGHT: Final = 3.0
# Strokes around a spring: half the angle in radians, then pitch, distance from the pool, least and greatest length in
# mm at 1:1
_SPRING: Final = (1.9, 1.25, 0.9, 1.2, 3.2)


def stream(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a stream.

    Without a width in the rules it widens from 1.6 to 3.4 mm at 1:1.
    """
    channel, covering = Channel.from_course(course, context, field), find_covering_waters(course, context, field)
    mouths = find_tributaries(course, context, field)
    yield from draw_damp_ground(course, ((1.5, 0.60),), context, field)
    yield from _draw_water(channel, covering, mouths, context, 0.5)
    if channel.width > context.size(_WIDE):
        yield from draw_flow(course, channel, covering, context, _STREAM_LINES)
    else:
        yield from _draw_dashes(course, channel, covering, context)
    yield from draw_banks(channel, _find_bankless_ground(covering, mouths), context, 0.42)
    yield from _draw_springs(course, channel, context)


def creek(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs of a creek: wider than a stream, deep in the middle, with reeds along its banks.

    Shapes and items are in printed mm.
    """
    channel, covering = Channel.from_course(course, context, field), find_covering_waters(course, context, field)
    mouths = find_tributaries(course, context, field)
    yield from draw_damp_ground(course, ((2.6, 0.55), (1.3, 0.60)), context, field)
    yield from _draw_water(channel, covering, mouths, context, 0.7)
    yield from draw_depth(channel, covering, context)
    yield from draw_flow(course, channel, covering, context, _CREEK_LINES)
    yield from draw_banks(channel, _find_bankless_ground(covering, mouths), context, 0.52)
    yield from _draw_springs(course, channel, context)
    yield from _draw_reeds(course, channel, shapely.union_all([covering, *mouths]), context, field)


def _draw_water(
    channel: Channel, covering: BaseGeometry, mouths: list[BaseGeometry], context: SymbolContext, shade: float
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the water of a stream or creek, with the shadow of its bank.

    Args:
        channel: its channel.
        covering: the water it runs into, which is drawn over it, in printed mm.
        mouths: the waters that run into it.
        context: gives the style and sizes.
        shade: how far the bank's shadow falls, in mm at 1:1.
    """
    water = shapely.difference(channel.ground, covering.buffer(-_OVERLAP))
    yield from on_layer(LayerName.WATER, fill(water, context.style.ink("water")))
    yield from draw_bank_shadow(water, shapely.union_all([channel.ground, covering, *mouths]), context, shade, 0.28)


def _draw_springs(course: Course, channel: Channel, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the springs of a stream: a deep eye, and strokes around the hollow that it is in.

    Shapes and items are in printed mm.
    """
    chance = context.stream(f"draw/{course.id}/springs")
    arc, pitch, gap, length, most = _SPRING
    strokes: list[tuple[Line, float, float]] = []
    for point, outward, radius in channel.springs:
        ring = radius + context.size(gap)
        reach = min(context.size(most), context.size(length) + 0.5 * radius)
        count = max(4, round(2 * arc * ring / context.size(pitch)))
        for bearing in np.linspace(-arc, arc, 2 * count + 1)[::2]:
            cosine, sine = float(exact_math.cos(bearing)), float(exact_math.sin(bearing))
            direction = np.array([cosine * outward[0] - sine * outward[1], sine * outward[0] + cosine * outward[1]])
            # Strokes shorten toward the open side of the hollow.
            mm = reach * (1 - 0.6 * (bearing / arc) ** 2) * chance.between(0.75, 1.0)
            strokes.append((np.stack([point + direction * (ring + mm), point + direction * ring]),
                            context.width(0.44), context.width(0.12)))  # fmt: skip
        yield from on_layer(LayerName.WATER_LINE, dots(point[None], 0.42 * radius, context.tint("water-deep", 0.9)))
    yield from on_layer(LayerName.WATER_LINE, wedges(strokes, context.tint("hachure", 0.85)))


def _find_bankless_ground(covering: BaseGeometry, mouths: list[BaseGeometry]) -> BaseGeometry:
    """Return the ground without banks, because other water is there, in printed mm.

    ``covering`` is the water it runs into, and ``mouths`` are the waters that run into it.
    """
    return shapely.union_all([covering, *(mouth.buffer(-_MOUTH) for mouth in mouths)])


def _draw_dashes(course: Course, channel: Channel, covering: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of dashes in mid-stream where the water is wide enough, and not on ``covering``.

    ``covering`` is the ground of the water it runs into, in printed mm.
    """
    spine = MeasuredLine.from_line(smooth_line(resampled(channel.line, context.size(1.0)), 0.3 * channel.width))
    chance = context.stream(f"draw/{course.id}/flow")
    dashes: list[Line] = []
    position = context.size(chance.between(2.0, 6.0))
    while position < spine.length - context.size(_DASH):
        if width_at(course, context, position / spine.length) >= context.size(_DASHED_FROM):
            dashes.append(spine.cut(position, position + context.size(_DASH)))
        position += context.size(_DASH_PITCH) * chance.between(0.8, 1.2)
    yield from draw_strokes(dashes, covering, context, 0.20, 0.9)


def _draw_reeds(
    course: Course, channel: Channel, water: BaseGeometry, context: SymbolContext, field: Battlefield
) -> LayeredItems:
    """Yield (layer, item) pairs that draw scattered clumps of reeds with their feet on the banks.

    ``water`` is the ground of other water, which has no reeds here, in printed mm.
    """
    chance = context.stream(f"draw/{course.id}/reeds")
    blocked_area = shapely.union_all([find_reserved_ground(context, field), water]).buffer(context.size(2.0))
    shapely.prepare(blocked_area)
    feet: list[list[float]] = []
    for bank in channel.banks(context.size(0.2)):
        edge = MeasuredLine.from_line(bank.points)
        position = context.size(chance.between(4.0, _REED_PITCH[1]))
        while position < edge.length - context.size(3.0):
            foot = edge.at(position)[0]
            if not shapely.contains_xy(blocked_area, *foot):
                feet.append(foot.tolist())
            position += context.size(chance.between(*_REED_PITCH))
    room = channel.ground.buffer(context.size(_REED_HEIGHT + 1.0))
    yield from on_layer(LayerName.WATER_LINE, draw_reeds(feet, _REED_HEIGHT, context, chance, area=room))
