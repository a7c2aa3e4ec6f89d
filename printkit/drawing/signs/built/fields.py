"""Fields of plough, crops, pasture, trees and vines: borders, and rows of tilled ground (cartography, 10.7)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise, product
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, dots, lines, normals, polygons, resampled
from printkit.drawing.canvas.symbol_context import FAINT_RINGS, SymbolContext, wash
from printkit.drawing.scatter.crowns import grown, poisson_points, standing
from printkit.drawing.signs.built.borders import (
    ExistingWork,
    divide_into_strips,
    draw_balks,
    open_gate,
    place_gate,
    split_by_kind,
)
from printkit.drawing.signs.built.buildings import find_road_point
from printkit.drawing.signs.built.streets import find_long_axis
from printkit.drawing.signs.cover.low_plants import Tufts
from printkit.drawing.signs.lines.course_lines import WATERS, MeasuredLine, covered, drawn_width, on_layer, stroke_shape
from printkit.drawing.signs.lines.walls_and_hedges import (
    SHARED,
    WIDTHS,
    draw_work,
    own_width,
    remove_shared_border,
    runs_beside,
    snap_border,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, ROUTES, Area, Course, Kind, find_family

# --- Parcels: straight sides, rounded corners, and shared borders -----------------------------------------------------

# Default border for each kind of field.
BORDERS: Final = {kind: Kind(KIND_ROWS[kind].look["border"]) for kind in find_family("field")}

AMERICAN_BORDERS: Final[Mapping[Kind, Kind]] = dict.fromkeys(BORDERS, Kind.WORM_FENCE)

_WOBBLE: Final = (1.2, 30.0)
_CORNER: Final = 2.0
_BESIDE: Final[Mapping[Kind, float]] = {
    # A fenced road needs no second fence: the field ends at the fence of the road.
    Kind.FENCED_ROAD: 1.5,
    Kind.SUNKEN_LANE: 3.9,
    Kind.ROAD: 2.2,
    Kind.RAILWAY: 2.2,
    Kind.TRACK: 1.9,
    Kind.PATH: 1.9,
    **dict.fromkeys(WATERS, 2.2),
}
_OPENED: Final = 1.2
_LEAST: Final = 150.0
_HEADLAND: Final = 1.3
_ALIKE: Final = math.radians(25)
_STRIP: Final = 2.5
_SOLIDITY: Final = (Kind.FENCE, Kind.WORM_FENCE, Kind.HEDGE, Kind.WALL)


class FieldPlot(Struct, frozen=True, kw_only=True):
    """A field before it is drawn, in printed mm.

    Attributes:
        ground: its ground.
        border: the line to draw its border on.
        inner: area of its pattern, clear of borders and labels.
        angle: direction of its rows in radians.
        tint_area: area of its tint, up to the inner side of a worm fence.
        shortest: least length of a row, in mm at 1:1.
        existing_works: walls, fences and hedges of other features along its edge.
    """

    ground: BaseGeometry
    border: BaseGeometry
    inner: BaseGeometry
    angle: float
    tint_area: BaseGeometry = Polygon()
    shortest: float = 0.0
    existing_works: tuple[ExistingWork, ...] = ()


def roughen_outline(outline: Polygon, context: SymbolContext) -> Polygon:
    """Return an outline, in printed mm, with slightly uneven sides and rounded corners.

    The shift of every point depends only on the noise of the map, so two outlines keep their shared border. If it falls
    apart, the largest piece is returned; if nothing remains, the outline unchanged.
    """
    amount, wave = (mm * context.scale for mm in _WOBBLE)

    def shift_points(points: Line) -> Line:
        """Return points in printed mm, each moved by the noise of the map at its position."""
        x, y = points.T
        shift_x, shift_y = context.noise.at(x, y, wave), context.noise.at(x + 7.3 * wave, y - 5.9 * wave, wave)
        return np.column_stack([x + amount * shift_x, y + amount * shift_y])

    dense_outline = shapely.segmentize(outline, wave / 12)
    ground = shapely.make_valid(shapely.transform(dense_outline, shift_points))
    radius = min(_CORNER * context.scale, 0.15 * math.sqrt(outline.area))
    pieces = polygons(ground.buffer(-radius).buffer(radius, quad_segs=6))
    return max(pieces, key=lambda piece: piece.area) if pieces else outline


def make_plot(
    area: Area, context: SymbolContext, field: Battlefield, borders: Mapping[Kind, Kind] = BORDERS
) -> FieldPlot:
    """Return a field fitted to its neighbours, roads and waters, with its border to draw, in printed mm.

    Of two neighbours, the one with the more solid kind of border draws the shared side; of two with the same kind, the
    earlier. ``borders`` gives the kind of border for each kind of field.
    """
    excluded_ground = covered(field, (*ROUTES, *WATERS), context, _BESIDE)
    ground = _find_own_ground(area, context, field)
    standing = [
        existing_work
        for existing_work in _find_works(field, context)
        if existing_work.line.dwithin(ground, context.size(SHARED))
    ]
    for other in _find_leading_neighbours(area, context, field, borders):
        neighbour_ground = _find_own_ground(other, context, field)
        if runs_beside(neighbour_ground.boundary, ground.boundary, context):
            ground = shapely.difference(snap_border(ground, neighbour_ground.boundary, context), excluded_ground)
        ground = shapely.difference(ground, neighbour_ground)
        standing.append(
            ExistingWork(neighbour_ground.boundary, own_width(borders[other.kind], context) / 2, borders[other.kind])
        )
    ground = shapely.MultiPolygon([piece for piece in polygons(ground) if piece.area > context.size(1.0) ** 2])
    headland = context.size(_HEADLAND)
    work_margins = [existing_work.line.buffer(existing_work.reach + headland) for existing_work in standing]
    inner = ground.buffer(-(own_width(borders[area.kind], context) / 2 + headland), join_style="mitre")
    zigzags = [
        existing_work.line.buffer(existing_work.reach, cap_style="flat")
        for existing_work in standing
        if existing_work.kind is Kind.WORM_FENCE
    ]
    if borders[area.kind] is Kind.WORM_FENCE:
        zigzags.append(ground.boundary.buffer(own_width(Kind.WORM_FENCE, context) / 2))
    return FieldPlot(
        ground=ground,
        existing_works=tuple(standing),
        tint_area=shapely.difference(ground, shapely.union_all(zigzags)) if zigzags else ground,
        border=remove_shared_border(ground.boundary, [existing_work.line for existing_work in standing], context),
        inner=shapely.difference(inner, shapely.union_all([*work_margins, context.clear])),
        angle=context.once(lambda: _compute_row_angles(field, context), field, by="ways of rows")[area.id],
    )


def _find_own_ground(area: Area, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of a field in printed mm, before its neighbours are subtracted.

    It is cut back from roads and waters and fitted to works along it. It is computed once for each context.
    """

    def compute_ground() -> BaseGeometry:
        """Return the ground of the field in printed mm, for the memo of the context."""
        excluded_ground = covered(field, (*ROUTES, *WATERS), context, _BESIDE)
        ground = _remove_courses(roughen_outline(area.outline, context), excluded_ground, context)
        for nearby_work in _find_works(field, context):
            if runs_beside(nearby_work.line, ground.boundary, context):
                ground = shapely.difference(snap_border(ground, nearby_work.line, context), excluded_ground)
        return ground

    return context.once(compute_ground, field, area, by="ground of a field alone")


def _remove_courses(ground: Polygon, excluded_ground: BaseGeometry, context: SymbolContext) -> BaseGeometry:
    """Return the ground without ``excluded_ground`` (roads and waters) and without slivers, in printed mm."""
    if not ground.intersects(excluded_ground):
        return ground
    reach = context.size(_OPENED)
    remaining = shapely.difference(ground, excluded_ground).buffer(-reach).buffer(reach, quad_segs=6)
    return shapely.MultiPolygon([piece for piece in polygons(remaining) if piece.area >= _LEAST * context.scale**2])


def _get_fields(field: Battlefield) -> list[Area]:
    """Return the fields of a battlefield, in the order of its features."""
    return [feature for feature in field.select_features(*BORDERS) if isinstance(feature, Area)]


def _find_leading_neighbours(
    area: Area, context: SymbolContext, field: Battlefield, borders: Mapping[Kind, Kind]
) -> list[Area]:
    """Return the neighbours that draw the border they share with this field.

    These are the fields within reach whose border is more solid, or equally solid and earlier on the battlefield.
    ``borders`` gives the kind of border for each kind of field.
    """
    ranks = {
        area_item.id: (-_SOLIDITY.index(borders[area_item.kind]), place)
        for place, area_item in enumerate(_get_fields(field))
    }
    reach = context.size(SHARED) + 2 * _WOBBLE[0] * context.scale
    return [
        candidate
        for candidate in _get_fields(field)
        if ranks[candidate.id] < ranks[area.id] and candidate.outline.dwithin(area.outline, reach)
    ]


def _find_works(field: Battlefield, context: SymbolContext) -> list[ExistingWork]:
    """Return all walls, fences and hedges in printed mm, then the two fences of each fenced road.

    Each has its line, half its width in printed mm, and its kind. The list is computed once for each context and
    battlefield.
    """

    def collect_works() -> list[ExistingWork]:
        """Return the list of ``_find_works``, for the memo of the context."""
        works = [
            ExistingWork(work.line, (work.width or own_width(work.kind, context)) / 2, work.kind)
            for work in field.select_features(*WIDTHS)
            if isinstance(work, Course)
        ]
        for road in field.select_features(Kind.FENCED_ROAD):
            if isinstance(road, Course):
                offset = drawn_width(road, context) / 2 + context.size(_BESIDE[Kind.FENCED_ROAD])
                fences = [road.line.parallel_offset(offset, side) for side in ("left", "right")]
                works.append(ExistingWork(shapely.union_all(fences), context.size(WIDTHS[Kind.FENCE]) / 2, Kind.FENCE))
        return works

    return context.once(collect_works, field, by="works that stand")


def _compute_row_angles(field: Battlefield, context: SymbolContext) -> dict[str, float]:
    """Return the direction of the rows of every field by ID, in radians: along its long side.

    A field whose neighbour has a similar direction is turned by 90 degrees, unless it is at least 2.5 times as long as
    wide.
    """
    angles: dict[str, float] = {}
    fields = _get_fields(field)
    for place, area in enumerate(fields):
        angle = _find_long_side(area.outline)
        rim = area.outline.exterior
        neighbours = [other for other in fields[:place] if runs_beside(other.outline.exterior, rim, context)]
        is_similar = any(_angle_between(angle, angles[other.id]) < _ALIKE for other in neighbours)
        angles[area.id] = angle + math.pi / 2 if is_similar and _length_by_width(area.outline) < _STRIP else angle
    return angles


def _find_long_side(outline: Polygon) -> float:
    """Return the direction of an outline's long sides, the mean of those nearly parallel, in radians from +x."""
    axis = find_long_axis(outline)
    sides = np.diff(shapely.get_coordinates(outline.exterior), axis=0)
    deviations = (exact_math.arctan2(sides[:, 1], sides[:, 0]) - axis + math.pi / 2) % math.pi - math.pi / 2
    length = np.hypot(sides[:, 0], sides[:, 1]) * (np.abs(deviations) < _ALIKE)
    return axis + float((deviations * length).sum() / max(length.sum(), 1e-9))


def _angle_between(one: float, other: float) -> float:
    """Return the angle between two directions in radians, ignoring their sense: 0 to a quarter turn."""
    turn = (one - other) % math.pi
    return min(turn, math.pi - turn)


def _length_by_width(outline: Polygon) -> float:
    """Return the ratio of the long to the short side of the smallest rectangle around an outline, 1 or more."""
    corners = shapely.get_coordinates(outline.minimum_rotated_rectangle)
    sides = [math.dist(first, last) for first, last in pairwise(corners[:3])]
    return max(sides) / max(min(sides), 1e-9)


# --- The rows of tilled ground: parallel, a little uneven, slightly S-shaped as ox teams plough -----------------------

_NOISE: Final = (0.22, 9.0)
_WAVER: Final = 0.07
_STEP: Final = 1.5
_STRAY: Final = 0.35
_PHASES: Final = tuple(np.arange(6) / 6)
_NOTHING: Final = np.zeros((0, 2))


def rows(
    plot: FieldPlot, spacing: float, context: SymbolContext, stream: Stream, *, bend: float = 0.0, noise: float = 1.0
) -> list[Line]:
    """Return rows that cover a field and extend past it, as lines in printed mm; ``clip_rows`` clips them.

    Args:
        plot: the field; rows follow its angle. Without room for a pattern the list is empty.
        spacing: mm at 1:1 between rows.
        context: gives the scale and the noise of the map.
        stream: random stream for the spacing.
        bend: sideways shift between the two ends of a row as a share of the field's length, in a slight S.
        noise: share of the usual unevenness.
    """
    if plot.inner.is_empty:
        return []
    middle, row_direction, row_normal = _find_frame(plot)
    local_points = exact_math.product(
        shapely.get_coordinates(plot.inner) - middle, np.column_stack([row_direction, row_normal])
    )
    (left, low), (right, high) = local_points.min(axis=0), local_points.max(axis=0)
    long = max(right - left, 1e-9)
    swing = bend * long / 2
    count = max(3, math.ceil(long / context.size(_STEP)) + 1)
    positions = np.linspace(left, right, count)
    bow = swing * exact_math.sin(math.pi * (positions - (left + right) / 2) / long)
    offsets: list[float] = []
    offset = low - swing + context.size(spacing) * stream.between(0.1, 0.6)
    while offset < high + swing:
        offsets.append(offset)
        offset += context.size(spacing) * stream.between(1 - _WAVER, 1 + _WAVER)
    row_offsets = np.array(offsets)[:, None] + bow
    points = middle + positions[:, None] * row_direction + row_offsets[..., None] * row_normal
    uneven = noise * context.size(_NOISE[0]) * context.noise.at(points[..., 0], points[..., 1], context.size(_NOISE[1]))
    return list(points + uneven[..., None] * row_normal)


def clip_rows(row_points: list[Line], ground: BaseGeometry, min_length: float) -> list[Line]:
    """Return the parts of rows inside some ground that are at least ``min_length`` printed mm long.

    Rows and ground are in printed mm. The order is that of the rows; the list may be empty.
    """
    if not row_points or ground.is_empty:
        return []
    row_indices = np.repeat(np.arange(len(row_points)), [len(row) for row in row_points])
    row_lines = shapely.linestrings(np.concatenate(row_points), indices=row_indices)
    row_parts = np.array(lines(shapely.intersection(row_lines, ground)), dtype=object)
    return [shapely.get_coordinates(part) for part in row_parts[shapely.length(row_parts) >= min_length]]


def shift_row(row: Line, shift_mm: float) -> Line:
    """Return a row with each point moved ``shift_mm`` mm at a right angle to the row, away from the light.

    Of its two sides, this is the one nearer to the south-east. All lengths are in printed mm.
    """
    row_normals = normals(row)
    left = row_normals.mean(axis=0)
    side = 1.0 if left[0] - left[1] > 0 else -1.0
    return np.asarray(row + side * shift_mm * row_normals)


def make_wavy(row: Line, swing: float, wave: float, phase: float) -> Line:
    """Return a row as a wavy line, ``swing`` mm to each side, one wave per ``wave`` mm; all in printed mm.

    ``phase`` is the phase of the wave at the start of the row, in radians.
    """
    points = resampled(row, wave / 8)
    distances = np.arange(len(points)) * (wave / 8)
    return np.asarray(points + swing * exact_math.sin(2 * np.pi * distances / wave + phase)[:, None] * normals(points))


def plant_lattice(
    plot: FieldPlot, ground: BaseGeometry, steps: tuple[float, float], context: SymbolContext, stream: Stream
) -> Line:
    """Return as many points as fit in staggered rows on some ground, like the trees of an orchard.

    The result is an n x 2 array in printed mm. The array is empty (0 x 2) if there is no ground.

    Args:
        plot: the field; rows follow its angle.
        ground: area for the points, in printed mm; each piece of it has separate rows.
        steps: mm at 1:1 along a row and between rows.
        context: gives the scale.
        stream: random stream that moves every point a little.
    """
    pieces = polygons(ground)
    if not pieces:
        return _NOTHING
    step, pitch = (context.size(mm) for mm in steps)
    chosen_sets = [_NOTHING]
    middle, row_direction, row_normal = _find_frame(plot)
    for piece in pieces:
        local_points = exact_math.product(
            shapely.get_coordinates(piece) - middle, np.column_stack([row_direction, row_normal])
        )
        (left, low), (right, high) = local_points.min(axis=0), local_points.max(axis=0)
        # Every second row is shifted by half a step.
        u, v = np.meshgrid(np.arange(left, right + step, step / 2), np.arange(low, high + pitch, pitch))
        is_used = np.add.outer(np.arange(u.shape[0]), np.arange(u.shape[1])) % 2 == 1
        shapely.prepare(piece)
        candidate_sets = []
        for shift_u, shift_v in product(_PHASES, repeat=2):
            candidates = (
                middle
                + (u[is_used] - shift_u * step)[:, None] * row_direction
                + (v[is_used] - shift_v * pitch)[:, None] * row_normal
            )
            candidate_sets.append(candidates[shapely.contains_xy(piece, candidates[:, 0], candidates[:, 1])])
        max_count = max(map(len, candidate_sets))
        chosen_sets.append(
            min(
                (candidates for candidates in candidate_sets if len(candidates) == max_count),
                key=partial(_measure_offset, ground=piece),
            )
        )
    trees = np.vstack(chosen_sets)
    trees = trees + (2 * stream.draw_array(2 * len(trees)).reshape(-1, 2) - 1) * context.size(_STRAY)
    return np.asarray(trees[shapely.contains_xy(ground, trees[:, 0], trees[:, 1])])


def _measure_offset(places: Line, ground: Polygon) -> float:
    """Return the distance in printed mm between the mean of points and the centroid of their ground.

    It is rounded to a tenth of a mm, and 0 if there are no points.
    """
    if not len(places):
        return 0.0
    return round(float(ground.centroid.distance(Point(places.mean(axis=0)))), 1)


def _find_frame(plot: FieldPlot) -> tuple[Line, Line, Line]:
    """Return the middle of a field in printed mm, and the unit vectors along and across its rows, as x and y."""
    centre: Point = plot.ground.centroid
    cosine, sine = math.cos(plot.angle), math.sin(plot.angle)
    return np.array([centre.x, centre.y]), np.array([cosine, sine]), np.array([-sine, cosine])


Pattern: TypeAlias = Callable[[FieldPlot, str, SymbolContext], LayeredItems]

_LEAST_ROW: Final = 2.0
_SHORTEST: Final = 9.0
_TREE: Final = 2.75
_TREES_APART: Final = (8.6, 7.7)
_FROM_BORDER: Final = 0.4
_GATEPOST: Final = 0.75


def farmland(
    area: Area, context: SymbolContext, field: Battlefield, *, borders: Mapping[Kind, Kind] = BORDERS
) -> LayeredItems:
    """Yield (layer, item) pairs that draw a field of any use with its border.

    Neighbours share a border.

    Args:
        area: the field.
        context: gives the style and sizes.
        field: the battlefield in printed mm.
        borders: kind of border for each kind of field: ``BORDERS`` or ``AMERICAN_BORDERS``.
    """
    field_plot = make_plot(area, context, field, borders)
    row = KIND_ROWS[choose_use(area, context)]
    token, pattern = row.inks[0], _PATTERNS[row.look["pattern"]]
    default_kind, tint_area = borders[area.kind], field_plot.tint_area
    kind_borders = split_by_kind(field_plot.ground, field_plot.border, default_kind, field_plot.existing_works, context)
    for kind, border in kind_borders:
        if kind is Kind.WORM_FENCE and kind is not default_kind:
            tint_area = shapely.difference(tint_area, border.buffer(own_width(kind, context) / 2))
    yield from on_layer(LayerName.FIELD, wash(tint_area, context.style.ink(token), None, context, FAINT_RINGS))
    yield from _draw_pattern(field_plot, area, context, pattern)
    stream = context.stream(f"draw/{area.id}/border")
    for kind, border in kind_borders:
        gate_point = (
            place_gate(border, find_road_point(area.outline, field, context), context) if kind is default_kind else None
        )
        open_border, posts = open_gate(border, gate_point, context)
        yield from draw_work(kind, open_border, context, stream)
        post_points = [(post.x, post.y) for post in posts]
        yield from on_layer(LayerName.WORKS, dots(post_points, context.size(_GATEPOST), context.style.ink("timber")))


def _draw_pattern(field_plot: FieldPlot, area: Area, context: SymbolContext, pattern: Pattern) -> LayeredItems:
    """Yield (layer, item) pairs that draw the pattern of a field.

    A large tilled field has strips, with headlands at the ends. ``pattern`` draws the rows, trees or tufts of one plot.
    Shapes and items are in printed mm.
    """
    kind, stream = choose_use(area, context), context.stream(f"draw/{area.id}/strips")
    bend, ink = _STRIPS.get(kind, (0.0, ""))
    field_strips = divide_into_strips(field_plot.ground, field_plot.angle, bend, context, stream) if ink else None
    if field_strips is None:
        yield from pattern(field_plot, area.id, context)
        return
    yield from draw_balks(field_strips, context.clear, ink, context, stream)
    for number, strip in enumerate(field_strips.strips):
        part = replace(field_plot, inner=shapely.intersection(field_plot.inner, strip), shortest=_SHORTEST)
        yield from pattern(part, f"{area.id}/{number}", context)
    for number, end in enumerate(field_strips.headlands):
        largest_piece = max(polygons(end), key=lambda piece: piece.area, default=None)
        end_angle = field_plot.angle + math.pi / 2 if largest_piece is None else find_long_axis(largest_piece)
        part = replace(
            field_plot, inner=shapely.intersection(field_plot.inner, end), angle=end_angle, shortest=_SHORTEST
        )
        yield from pattern(part, f"{area.id}/head{number}", context)


def choose_use(area: Area, context: SymbolContext) -> Kind:
    """Return the use of a field: its own kind, but crops or plough for an enclosure.

    Both are equally likely. The draw depends on the ID of the area, so each call gives the same use.
    """
    if area.kind is not Kind.ENCLOSURE:
        return area.kind
    return Kind.PLOUGH if context.stream(f"draw/{area.id}/use").draw_unit() < 0.5 else Kind.CROPS


def _draw_furrows(field: FieldPlot, identity: str, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw furrows, and along each the lit side of its ridge.

    ``identity`` names the random streams. Shapes and items are in printed mm.
    """
    row_lines = rows(field, 2.5, context, context.stream(f"draw/{identity}/rows"), bend=_STRIPS[Kind.PLOUGH][0])
    lit_lines = [shift_row(row, context.size(0.75)) for row in row_lines]
    min_length = context.size(max(_LEAST_ROW, field.shortest))
    yield from on_layer(
        LayerName.FIELD, stroke_shape(clip_rows(lit_lines, field.inner, min_length), context, "furrow-light", 0.50)
    )
    yield from on_layer(
        LayerName.FIELD, stroke_shape(clip_rows(row_lines, field.inner, min_length), context, "furrow", 0.42)
    )


def _draw_stalks(field: FieldPlot, identity: str, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw crops as rows of short strokes.

    ``identity`` names the random streams. Shapes and items are in printed mm.
    """
    stream = context.stream(f"draw/{identity}/rows")
    dash_and_gap = (context.size(1.3), context.size(2.5)), (context.size(0.9), context.size(1.7))
    row_lines = clip_rows(
        rows(field, 2.1, context, stream, bend=_STRIPS[Kind.CROPS][0]),
        field.inner,
        context.size(max(1.3, field.shortest)),
    )
    strokes = [stroke for row in row_lines for stroke in MeasuredLine.from_line(row).cut_dashes(*dash_and_gap, stream)]
    yield from on_layer(LayerName.FIELD, stroke_shape(strokes, context, "crops-dash", 0.34))


def _draw_meadow(field: FieldPlot, identity: str, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of tufts of grass on a pasture, in printed mm, placed at random by ``identity``."""
    stream = context.stream(f"draw/{identity}/tufts")
    places = poisson_points(field.inner.buffer(-context.size(1.5)), context.size(6.6), stream)
    blades = Tufts.at(places.tolist(), context.size(1.9), 3, stream).blades
    yield from on_layer(LayerName.FIELD, stroke_shape(blades, context, "pasture-tuft", 0.30))


def _draw_trees(field: FieldPlot, identity: str, context: SymbolContext, *, family: str) -> LayeredItems:
    """Yield (layer, item) pairs that draw trees in rows.

    Olive trees have grey crowns with a dot for the trunk. ``identity`` names the random streams, and ``family`` the
    shape and inks of the crowns. Shapes and items are in printed mm.
    """
    stream = context.stream(f"draw/{identity}/trees")
    radius = context.size(_TREE)
    places = plant_lattice(
        field, field.inner.buffer(context.size(_FROM_BORDER) - radius), _TREES_APART, context, stream
    )
    tree_list = grown(places, [radius * stream.between(0.9, 1.1) for _ in places], family, stream)
    yield from standing(tree_list, context, LayerName.FIELD)
    if family == "olive-crown":
        trunks = [(tree.x - 0.1 * tree.radius, tree.y + 0.1 * tree.radius) for tree in tree_list]
        sizes = [0.30 * tree.radius for tree in tree_list]
        yield from on_layer(LayerName.FIELD, dots(trunks, sizes or 0.0, context.tint("olive-crown-line", 0.55)))


def _draw_vines(field: FieldPlot, identity: str, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw vines that wind along wires from stake to stake.

    ``identity`` names the random streams. Shapes and items are in printed mm.
    """
    stream = context.stream(f"draw/{identity}/rows")
    row_lines = clip_rows(
        rows(field, 3.9, context, stream, noise=0.25), field.inner.buffer(-context.size(0.6)), context.size(4.0)
    )
    vines = [make_wavy(row, context.size(0.55), context.size(3.3), stream.between(0, 6.28)) for row in row_lines]
    stakes: list[tuple[float, float]] = []
    for row in row_lines:
        row_line = MeasuredLine.from_line(row)
        count = max(1, round(row_line.length / context.size(5.2)))
        stakes += [
            (float(x), float(y)) for x, y in row_line.at([row_line.length * step / count for step in range(count + 1)])
        ]
    yield from on_layer(LayerName.FIELD, stroke_shape(row_lines, context, "timber", 0.18))
    yield from on_layer(LayerName.FIELD, stroke_shape(vines, context, "vine-row", 0.36))
    yield from on_layer(LayerName.FIELD, dots(stakes, context.size(0.42), context.style.ink("timber")))


# Bend of the rows in strips, and the ink that darkens every second strip.
_STRIPS: Final = {Kind.PLOUGH: (0.05, "furrow"), Kind.CROPS: (0.03, "crops-dash")}

# The patterns that rows of the table of kinds name.
_PATTERNS: Final[Mapping[str, Pattern]] = {
    "furrows": _draw_furrows,
    "stalks": _draw_stalks,
    "meadow": _draw_meadow,
    "light-crown": partial(_draw_trees, family="light-crown"),
    "olive-crown": partial(_draw_trees, family="olive-crown"),
    "vines": _draw_vines,
}
