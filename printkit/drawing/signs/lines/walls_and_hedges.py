"""Walls, fences and hedges, and the irregular lines of dry-stone walls and old fences.

Source: the cartography, 10.6.

Only the drawing changes. Ends, gates, and stretches near a road or a field do not move.

Source: the cartography, 10.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, Point, affinity
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, normals, resampled
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.lines.course_lines import (
    WATERS,
    MeasuredLine,
    areas,
    covered,
    drawn_width,
    extend_past_edge,
    on_layer,
    scale_road_width,
    shadow,
    stroke_shape,
)
from printkit.drawing.signs.lines.gates import (
    WorkGate,
    cut_openings,
    draw_gates,
    find_road_gates,
    place_farm_gates,
    place_field_gate,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import ROUTES, Course, Crossing, Kind, find_family
from printkit.terrain.geometry.measure import interpolate_points

MAX_SHIFT: Final = 2.0  # Greatest distance of the drawn centre line from the true one, in mm at 1:1

_IRREGULAR_STEP: Final = 3.0
_PASSES: Final = 6
_WAVER: Final = (2.6, 60.0)
_FREE_FROM: Final = 5.0
_FADING: Final = 15.0
_IRREGULAR_HAIR: Final = 0.1


def waver_wall(line: LineString, context: SymbolContext, *, gaps: BaseGeometry, obstacles: BaseGeometry) -> LineString:
    """Return the centre line of a wall or fence as it is drawn, in printed mm.

    It is at most 2 mm at 1:1 from the true one, and its ends stay. A very short wall is returned unchanged.

    Args:
        line: the true centre line in printed mm.
        context: gives the scale and the noise of the map.
        gaps: the gaps for roads; the wall does not move near them.
        obstacles: ground that the wall must not come nearer to. The wall may waver where it is already on that ground.
    """
    step = context.size(_IRREGULAR_STEP)
    if line.length < 3 * step:
        return line
    points = resampled(line, step)
    point_shapes, reach = shapely.points(points), context.size(_FREE_FROM)
    distances = shapely.distance(obstacles, point_shapes)
    is_fixed = (distances > 0) & (distances < reach) | shapely.dwithin(gaps, point_shapes, reach)
    is_fixed[[0, -1]] = True
    numbers = np.arange(len(points))
    fixed_indices = np.flatnonzero(is_fixed)
    next_fixed = np.minimum(np.searchsorted(fixed_indices, numbers), len(fixed_indices) - 1)
    previous_fixed = np.maximum(next_fixed - 1, 0)
    steps = np.minimum(np.abs(fixed_indices[next_fixed] - numbers), np.abs(fixed_indices[previous_fixed] - numbers))
    freedom = np.asarray(np.minimum(1.0, steps * step / context.size(_FADING)))
    smooth_points = points.copy()
    for _ in range(_PASSES):
        smooth_points[1:-1] = (smooth_points[:-2] + smooth_points[1:-1] + smooth_points[2:]) / 3
    amount, wave = (context.size(mm) for mm in _WAVER)
    wavering = amount * context.noise.at(points[:, 0], points[:, 1], wave)
    shifts = freedom[:, None] * (smooth_points - points + normals(smooth_points) * wavering[:, None])
    lengths = np.hypot(shifts[:, 0], shifts[:, 1])
    limit = context.size(MAX_SHIFT - _IRREGULAR_HAIR)
    return LineString(points + shifts * np.minimum(1.0, limit / np.maximum(lengths, 1e-9))[:, None])


# --- Borders that neighbours share: the part that is left to draw next to existing borders ----------------------------

SHARED: Final = 3.0  # Two borders nearer than this count as one, in mm at 1:1

# Two borders must run together for this length in mm at 1:1; less is a crossing or a corner.
SHARED_FROM: Final = 10.0

_UNMOVED: Final = 5.0
_HAIR: Final = 0.05
_JOINED: Final = 0.6
_STUB: Final = 4.0
_STEP: Final = 0.5


def runs_beside(line: BaseGeometry, border: BaseGeometry, context: SymbolContext) -> bool:
    """Return whether a border is within 3 mm at 1:1 of a line for more than 10 mm, so that both count as one.

    Both are in printed mm; a gap starts a new length.
    """
    reach = context.size(SHARED)
    if not line.dwithin(border, reach):
        return False
    shared = shapely.intersection(border, line.buffer(reach))
    shared_parts = lines(shapely.line_merge(shared) if shared.geom_type == "MultiLineString" else shared)
    return max((part.length for part in shared_parts), default=0.0) > context.size(SHARED_FROM)


def snap_border(ground: BaseGeometry, line: BaseGeometry, context: SymbolContext) -> BaseGeometry:
    """Return the ground with its border moved onto a line where both run close together.

    Points within 3 mm at 1:1 of the line move onto it; the shift falls to 0 at 5 mm. Everything is in printed mm.
    """
    full_reach, no_reach = context.size(SHARED), context.size(_UNMOVED)

    def shift_points(points: Line) -> Line:
        """Return points in printed mm moved to the line, or part of the way if they are further from it."""
        targets = shapely.get_coordinates(shapely.shortest_line(shapely.points(points), line))[1::2]
        gap = np.hypot(*(targets - points).T)
        share = np.clip((no_reach - gap) / (no_reach - full_reach), 0.0, 1.0)
        return np.asarray(points + share[:, None] * (targets - points))

    bent_ground = shapely.make_valid(shapely.transform(shapely.segmentize(ground, context.size(_STEP)), shift_points))
    hair = context.size(_HAIR)
    result: BaseGeometry = bent_ground.buffer(-hair, join_style="mitre").buffer(hair, join_style="mitre")
    return result


def remove_shared_border(
    border: BaseGeometry, existing_borders: Sequence[BaseGeometry], context: SymbolContext
) -> BaseGeometry:
    """Return the parts of a border that no existing border replaces, with their ends extended to it.

    Args:
        border: rings in printed mm. Where two lines only cross or meet at a corner, both are kept.
        existing_borders: borders of other features; the ground has been fitted to them.
        context: gives the sizes.
    """
    if not existing_borders:
        return border
    existing_border = shapely.union_all(existing_borders)
    parts: list[LineString] = []
    for ring in lines(border):
        count = max(8, round(ring.length / context.size(_STEP)))
        points = interpolate_points(ring, np.arange(count) / count * ring.length)
        is_shared = shapely.dwithin(shapely.points(points), existing_border, context.size(_JOINED))
        step = ring.length / count
        is_shared = _flip_short_runs(is_shared, True, context.size(SHARED_FROM) / step)
        is_shared = _flip_short_runs(is_shared, False, context.size(_STUB) / step)
        if not is_shared.any():
            parts.append(ring)
        elif not is_shared.all():
            parts += [_extend_to_border(points[run], existing_border, context) for run in _find_runs(~is_shared)]
    return MultiLineString(parts)


def _flip_short_runs(flags: NDArray[np.bool_], value: bool, min_count: float) -> NDArray[np.bool_]:
    """Return flags around a ring, with runs of ``value`` shorter than ``min_count`` points flipped.

    The array is a copy. Runs may continue past the last index. Flags that are all equal do not change.
    """
    result = flags.copy()
    for run in _find_runs(flags == value):
        if len(run) < min(min_count, len(flags)):
            result[run] = not value
    return result


def _find_runs(flags: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Return the indices of each run of true flags around a ring; a run may continue past the last index.

    The indices of a run count from 0 and are in ring order.
    """
    if flags.all():
        return [np.arange(len(flags))]
    first = int(np.argmin(flags))
    shifted = np.roll(flags, -first)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], shifted, [False]]).astype(int)))
    return [(np.arange(start, stop) + first) % len(flags) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def _extend_to_border(points: Line, border: BaseGeometry, context: SymbolContext) -> LineString:
    """Return a line with each end extended to the border if that is near; all in printed mm."""
    ends = []
    for end in (points[0], points[-1]):
        target = shapely.get_coordinates(shapely.shortest_line(Point(end), border))[-1:]
        is_close = float(np.hypot(*(target[0] - end))) < context.size(SHARED)
        ends.append(target if is_close else np.zeros((0, 2)))
    return LineString(np.vstack([ends[0], points, ends[1]]))


_STONE: Final = (2.0, 3.4)
_JOINT: Final = 0.25
_POST: Final = 1.9
_POST_STEP: Final = 4.6
_ZIGZAG: Final = 0.8
_ZIGZAG_STEP: Final = 2.6
_TIE: Final = 1.8
_BUSH: Final = 1.25
_BUSH_STEP: Final = 1.8
_FROM_WAY: Final = 0.8
# For lighter and for darker leaves: the share of bushes that have them, their offset and their size, in radii.
_LEAVES: Final = ((0.6, 0.4), ((-0.20, 0.24), (0.22, -0.16)), (0.55, 0.50))

# Total width of a work in mm at 1:1, where the course has no width.
WIDTHS: Final[Mapping[Kind, float]] = {
    Kind.WALL: 1.7,
    Kind.FENCE: _POST,
    Kind.WORM_FENCE: 2 * _ZIGZAG + _TIE,
    Kind.HEDGE: 2 * _BUSH,
}

# Areas that a wall may enclose, or that draw a border.
_PARCELS: Final = (*find_family("field"), Kind.FARM)

WorkRoutine: TypeAlias = Callable[[BaseGeometry, SymbolContext, Stream, float, LayerName], LayeredItems]


def work(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a wall, fence, worm fence or hedge.

    It stops at water, and has gates at roads or in front of a farm. Shapes and items are in printed mm.
    """
    width = course.width or own_width(course.kind, context)
    line, openings = extend_past_edge(replace(course, width=width), field), _find_openings(course, context, field)
    if course.kind is not Kind.HEDGE:
        water_ground = covered(field, WATERS, context)
        obstacles = shapely.union_all([covered(field, ROUTES, context), *areas(field, *_PARCELS)])
        line = waver_wall(line, context, gaps=openings.union(water_ground), obstacles=obstacles)
    open_line = shapely.difference(shapely.difference(line, openings), covered(field, WATERS, context))
    gates: list[WorkGate] = []
    if course.kind is not Kind.HEDGE:
        gate_stream = context.stream(f"draw/{course.id}/gate")
        shut_gates = place_farm_gates(open_line, field, context)
        if course.kind is Kind.WALL and not shut_gates:
            shut_gates = place_field_gate(open_line, field, context, gate_stream)
        gates = [*shut_gates, *find_road_gates(line, openings, context)]
        open_line = cut_openings(open_line, shut_gates)
    stream = context.stream(f"draw/{course.id}/{course.kind}")
    loose: list[LineString] = []
    if course.kind in _LOOSE_KINDS:
        open_line, loose = split_loose_ends(open_line, replace(course, line=line), context, field)
    yield from draw_work(course.kind, open_line, context, stream, width=width)
    yield from draw_loose_rails(loose, context, context.stream(f"draw/{course.id}/ends"))
    yield from draw_gates(gates, course.kind, width if course.kind is Kind.WALL else 0.0, context)


def draw_work(
    kind: Kind,
    line: BaseGeometry,
    context: SymbolContext,
    stream: Stream,
    *,
    width: float | None = None,
    layer: LayerName = LayerName.WORKS,
) -> LayeredItems:
    """Yield (layer, item) pairs that draw a wall, fence, worm fence or hedge along any lines.

    Args:
        kind: a key of ``WIDTHS``.
        line: lines or rings in printed mm; a polygon's border is its ``exterior``.
        context: gives the style and sizes.
        stream: random stream for the irregular parts.
        width: total width in printed mm; None or 0 for the default width of the kind.
        layer: the layer of all items; the shadow is drawn first.

    Raises:
        KeyError: the kind is another one.
    """
    yield from _WORKS[kind](line, context, stream, width or own_width(kind, context), layer)


def own_width(kind: Kind, context: SymbolContext) -> float:
    """Return the printed width in mm of a work without a width in the rules.

    Walls shrink with the map like roads.
    """
    return scale_road_width(WIDTHS[kind], context) if kind is Kind.WALL else context.size(WIDTHS[kind])


def draw_wall(
    line: BaseGeometry, context: SymbolContext, stream: Stream, width: float, layer: LayerName = LayerName.WORKS
) -> LayeredItems:
    """Yield (layer, item) pairs of a wall of single stones along lines in printed mm, ``width`` printed mm thick."""
    joint = context.size(_JOINT)
    pieces = [piece for part in _measure_parts(line, context) for piece in _split_stones(part, joint, context, stream)]
    bodies = shapely.buffer(np.array([shapely.linestrings(piece) for piece in pieces]), width / 2, cap_style="flat")
    stones = shapely.buffer(shapely.buffer(bodies, -joint), joint, quad_segs=2)
    wall_shape = shapely.union_all(stones)
    yield from on_layer(layer, shadow(wall_shape, context, (0.7, 0.8), 0.30))
    yield from on_layer(layer, fill(wall_shape, context.style.ink("stone")))
    yield from on_layer(layer, stroke_shape(list(stones), context, "stone-line", 0.28, minimum_mm=LEAST_MEANING))


def draw_fence(
    line: BaseGeometry, context: SymbolContext, stream: Stream, width: float, layer: LayerName = LayerName.WORKS
) -> LayeredItems:
    """Yield (layer, item) pairs that draw a fence of posts and rails along lines in printed mm.

    Its posts are ``width`` printed mm long.
    """
    posts: list[Line] = []
    parts = list(_measure_parts(line, context))
    for part in parts:
        distances = _space_distances(part, max(1, round(part.length / context.size(_POST_STEP))), 0.06, stream)
        for foot, normal in zip(part.at(distances), compute_normals(part, distances), strict=True):
            # The posts of an old fence are not quite square to the rail.
            half_post = (normal + np.array([-normal[1], normal[0]]) * stream.between(-0.10, 0.10)) * width / 2
            posts.append(np.array([foot - half_post, foot + half_post]))
    yield from on_layer(
        layer, stroke_shape([part.points for part in parts], context, "timber", 0.34, minimum_mm=LEAST_MEANING)
    )
    yield from on_layer(layer, stroke_shape(posts, context, "timber", 0.46, minimum_mm=LEAST_MEANING))


def draw_worm_fence(
    line: BaseGeometry, context: SymbolContext, stream: Stream, width: float, layer: LayerName = LayerName.WORKS
) -> LayeredItems:
    """Yield (layer, item) pairs of a worm fence: zigzag rails staked at the corners, ``width`` printed mm in all.

    ``line`` is its centre line in printed mm.
    """
    zigzag, tie = (width * mm / WIDTHS[Kind.WORM_FENCE] for mm in (_ZIGZAG, _TIE))
    rails: list[Line] = []
    ties: list[Line] = []
    for part in _measure_parts(line, context):
        # An even number of rails, or a ring would not close.
        distances = _space_distances(
            part, 2 * max(1, round(part.length / context.size(2 * _ZIGZAG_STEP))), 0.05, stream
        )
        normal = compute_normals(part, distances)
        sides = np.where(np.arange(len(distances)) % 2 == 0, 1.0, -1.0)[:, None] * zigzag
        corners = part.at(distances) + normal * sides
        ties += list(np.stack([corners - normal * tie / 2, corners + normal * tie / 2], axis=1))
        rails.append(np.vstack([corners, corners[:1]]) if _is_closed(part) else corners)
    yield from on_layer(layer, stroke_shape(rails, context, "timber", 0.36, minimum_mm=LEAST_MEANING, join=Join.MITRE))
    yield from on_layer(layer, stroke_shape(ties, context, "timber", 0.30))


_LOOSE_KINDS: Final = (Kind.FENCE, Kind.WORM_FENCE)
# Length in mm at 1:1 of the loose end of a fence, and the least length of a fence with loose ends, in such lengths
_LOOSE: Final = (11.0, 4.0)
_AT_FEATURE: Final = (
    6.0  # A fence that ends within this distance of another feature, in mm at 1:1, does not end loosely.
)
_RAILS: Final = ((0.10, 0.34), (0.46, 0.66), (0.80, 0.97))  # Rails of that part, as shares of its length from the fence
_ASTRAY: Final = (0.9, 0.30)  # Greatest distance of a rail from the line in mm at 1:1, and greatest turn, as a slope


def split_loose_ends(
    line: BaseGeometry, course: Course, context: SymbolContext, field: Battlefield
) -> tuple[BaseGeometry, list[LineString]]:
    """Return a fence without its ends in open ground, and these ends, each from the fence outward, in printed mm.

    ``line`` is the fence without its openings. An end at another feature or at the board's edge belongs to the fence.
    """
    long, least = _LOOSE
    length, reach = context.size(long), context.size(_AT_FEATURE)
    if course.line.length < least * length:
        return line, []
    others = [
        feature.line if isinstance(feature, Course) else feature.outline
        for feature in field.features
        if feature.id != course.id and not isinstance(feature, Crossing)
    ]
    ends: list[LineString] = []
    for whole in (course.line, course.line.reverse()):
        end = Point(whole.coords[0])
        is_closed = end.distance(Point(whole.coords[-1])) < reach
        if is_closed or field.board.shape.exterior.distance(end) < reach or shapely.dwithin(others, end, reach).any():
            continue
        piece = substring(whole, 0.0, length)
        if line.buffer(_HAIR).contains(piece):
            ends.append(piece.reverse())
    parts = shapely.union_all([end.buffer(_HAIR) for end in ends])
    return shapely.difference(line, parts), ends


def draw_loose_rails(ends: Sequence[LineString], context: SymbolContext, stream: Stream) -> LayeredItems:
    """Yield (layer, item) pairs of the fallen rails at the ends of a fence, sparser with the distance from the fence.

    ``ends`` run from the fence outward, in printed mm.
    """
    rails: list[Line] = []
    max_shift, slope = _ASTRAY
    for end in ends:
        for first, last in _RAILS:
            rail = np.array([end.interpolate(share, normalized=True).coords[0] for share in (first, last)])
            normal = normals(rail)[0]
            shift = context.size(max_shift) * stream.between(-1.0, 1.0)
            turn = slope * stream.between(-0.5, 0.5) * float(np.hypot(*(rail[1] - rail[0])))
            rails.append(rail + normal * np.array([[shift - turn], [shift + turn]]))
    yield from on_layer(LayerName.WORKS, stroke_shape(rails, context, "timber", 0.34, minimum_mm=LEAST_MEANING))


# Half width in printed mm from which a hedge shows single bushes. Thinner hedges are plain bands.
_ROUND_FROM: Final = 0.6


def draw_hedge(
    line: BaseGeometry, context: SymbolContext, stream: Stream, width: float, layer: LayerName = LayerName.WORKS
) -> LayeredItems:
    """Yield (layer, item) pairs that draw a hedge of bushes, about ``width`` printed mm thick, lit from the north-west.

    ``line`` is its centre line in printed mm. Bushes thinner than 1.2 printed mm are drawn as one strip.
    """
    half = width / 2
    round_bushes = half > _ROUND_FROM
    bush_centres: list[Line] = []
    sizes: list[float] = []
    stems: list[BaseGeometry] = []
    for part in _measure_parts(line, context):
        stems.append(shapely.linestrings(part.points).buffer(half * (0.5 if round_bushes else 1.0), quad_segs=4))
        distances = _space_distances(part, max(1, round(part.length / (half * _BUSH_STEP / _BUSH))), 0.15, stream)
        jitter = (2 * stream.draw_array(2 * len(distances)).reshape(-1, 2) - 1) * 0.18 * half
        bush_centres.append(part.at(distances) + jitter)
        sizes += [half * stream.between(0.8, 1.2) for _ in distances]
    if not bush_centres:
        return
    centres, radii = np.vstack(bush_centres), np.array(sizes)
    # The stems close the gaps between small bushes: troops cannot walk through a hedge.
    crowns = shapely.buffer(shapely.points(centres), radii, quad_segs=4) if round_bushes else ()
    bushes = shapely.union_all([*stems, *crowns])
    yield from on_layer(layer, shadow(bushes, context, (0.55, 0.60), 0.25))
    base, *leaves = context.style.family("hedge")
    yield from on_layer(layer, fill(bushes, base))
    for ink, share, leaf_offset, size in zip(leaves, *_LEAVES, strict=False):
        has_leaf = stream.draw_array(len(centres)) < share
        leaf_centres = centres[has_leaf] + radii[has_leaf, None] * np.array(leaf_offset)
        yield from on_layer(layer, dots(leaf_centres, size * radii[has_leaf] if has_leaf.any() else 0.0, ink))
    if context.style.shadows:
        lit = affinity.translate(bushes, -context.size(0.45), context.size(0.50))
        yield from on_layer(layer, fill(shapely.difference(bushes, lit), context.tint("hedge-line", 0.45)))
    yield from on_layer(layer, stroke_shape(bushes, context, "hedge-line", 0.24, minimum_mm=LEAST_MEANING))


_WORKS: Final[Mapping[Kind, WorkRoutine]] = {
    Kind.WALL: draw_wall,
    Kind.FENCE: draw_fence,
    Kind.WORM_FENCE: draw_worm_fence,
    Kind.HEDGE: draw_hedge,
}


def _find_openings(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of roads where they cross a work, in printed mm.

    It is the width of the road with a margin; empty without roads. A road that only runs parallel makes no opening.
    """
    thick = course.width or own_width(course.kind, context)
    gaps: list[BaseGeometry] = []
    for road in field.select_features(*ROUTES):
        if isinstance(road, Course) and road.line.intersects(course.line):
            width = drawn_width(road, context)
            crossing_area = shapely.intersection(road.line, course.line).buffer(2 * width)
            gaps.append(
                shapely.intersection(road.line.buffer((width + thick) / 2 + context.size(_FROM_WAY)), crossing_area)
            )
    return shapely.union_all(gaps)


def _measure_parts(line: BaseGeometry, context: SymbolContext) -> Iterator[MeasuredLine]:
    """Yield the pieces of some lines, in printed mm, that are long enough to draw (1 mm at 1:1)."""
    for part in lines(line):
        if part.length > context.size(1.0):
            yield MeasuredLine.from_line(part)


def _is_closed(line: MeasuredLine) -> bool:
    """Return whether a line ends where it begins."""
    return bool(np.hypot(*(line.points[0] - line.points[-1])) < 1e-6)


def _split_stones(line: MeasuredLine, joint: float, context: SymbolContext, stream: Stream) -> list[Line]:
    """Return the centre lines of the stones that fill a line, with a joint between neighbours.

    ``joint`` is the gap between two stones; everything is in printed mm.
    """
    ends = [0.0]
    while ends[-1] < line.length:
        ends.append(ends[-1] + context.size(stream.between(*_STONE)))
    distances = np.array(ends) * (line.length / ends[-1])
    return [line.cut(first + joint / 2, last - joint / 2) for first, last in pairwise(distances)]


def _space_distances(line: MeasuredLine, count: int, waver: float, stream: Stream) -> NDArray[np.float64]:
    """Return distances in printed mm from the start of a line, in ``count`` roughly even steps.

    Each step varies by up to ``waver`` of a step. Both ends are included, or only the start of a ring.
    """
    inner_steps = np.arange(1, count) + waver * (2 * stream.draw_array(count - 1) - 1)
    last = [] if _is_closed(line) else [float(count)]
    return np.array([0.0, *inner_steps.tolist(), *last]) * (line.length / count)


def compute_normals(line: MeasuredLine, distances: NDArray[np.float64], reach: float = 0.3) -> Line:
    """Return the unit normals to the left of a line at distances in printed mm from its start, n x 2.

    They are measured over ``reach`` mm on either side.
    """
    if _is_closed(line):
        directions = line.at((distances + reach) % line.length) - line.at((distances - reach) % line.length)
    else:
        directions = line.at(np.minimum(distances + reach, line.length)) - line.at(np.maximum(distances - reach, 0.0))
    directions = directions / np.maximum(np.hypot(directions[:, 0], directions[:, 1]), 1e-9)[:, None]
    return np.column_stack([-directions[:, 1], directions[:, 0]])
