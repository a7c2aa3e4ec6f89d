"""Roads (unfenced, fenced and sunken), tracks and paths; single trees along roads and rivers.

Casings, surfaces and details have separate layers, so that road surfaces merge where roads meet.

Source: the cartography, 10.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, takewhile
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.decks import find_deep_water, find_water_span
from printkit.drawing.canvas.items import Cap, LayeredItems, LayerName
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, resampled, ribbon, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import draw_trees
from printkit.drawing.signs.lines.channels import water_ground
from printkit.drawing.signs.lines.course_lines import (
    TOUCH,
    WATERS,
    areas,
    band,
    branches_off,
    courses,
    courses_meet,
    covered,
    drawn_width,
    extend_past_edge,
    ground,
    median,
    offset_line,
    on_layer,
    set_drawn_width,
    stroke_shape,
)
from printkit.drawing.signs.lines.cuts import CUTS, compute_cut_ground
from printkit.drawing.signs.lines.walls_and_hedges import draw_fence, own_width
from printkit.drawing.signs.routes.wheel_tracks import ROADS, chain_of, draw_wheel_tracks, goes_on, is_wide
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import interpolate_points

# Places whose streets continue a road from their edge
TOWNS: Final = (Kind.BUA, Kind.SETTLEMENT, Kind.HAMLET, Kind.VILLAGE, Kind.TOWN, Kind.CITY)

_CASING: Final = 0.55
_SOFT: Final = 1.0
_HAIR: Final = 0.1
_RUTS: Final = (0.13, 0.27)
_FENCE: Final = 1.5
_BANK: Final = 2.6
_BANK_PITCH: Final = 1.5
_BANK_STROKE: Final = 2.9
_BANK_TONE: Final = 0.24
_RUN_OUT: Final = 22.0
_LEAST_BANK: Final = 0.12
_EASED: Final = 3.0
_MOUTH: Final = 1.5
_TAPER: Final = 5.0
_SLIVER: Final = 0.05
_SAMPLES: Final = 40  # Number of points that decide on which side of a line the road is

_MITRE: Final = 4.0  # Casings that meet at a corner overlap within this many of their widths.

# Distance from the water or the rails to the end of a road's fences and banks, in mm at 1:1.
_BESIDE_CROSSING: Final = {
    Kind.BRIDGE: 7.0,
    Kind.TIMBER_BRIDGE: 6.5,
    Kind.FORD: 2.5,
    Kind.LEVEL_CROSSING: 5.5,
}

_BRIDGES: Final = (Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.RAILWAY_BRIDGE)


def road(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a road at its true width.

    It stops at a built-up area and leaves out the water of a ford. Shapes and items are in printed mm.
    """
    course = set_drawn_width(course, context)
    line, open_water = open_centre_line(course, field), find_open_water(course, context, field)
    width = course.width
    joints = _find_joints(course, context, field)
    casing = casing_width(context)
    # The casing stops before the surface, or its edge would show as a hairline where both are cut.
    casing_ground = shapely.difference(_make_tapered_ground(line, width, joints, 0.0), open_water.buffer(_HAIR))
    if context.style.washes:
        halo = shapely.difference(_make_tapered_ground(line, width, joints, 2 * context.size(_SOFT)), open_water)
        yield from on_layer(LayerName.CASING, fill(halo, context.tint("relief-shade", 0.10)))
    yield from on_layer(LayerName.CASING, fill(casing_ground, context.style.ink("road-casing")))
    surface = shapely.difference(_make_tapered_ground(line, width, joints, -2 * casing), open_water)
    yield from on_layer(LayerName.COURSE, fill(surface, context.style.ink("road")))
    if is_wide(course.width, context):
        yield from _draw_wheel_tracks(course, context, field)
    else:
        joined_grounds = [
            ground(main_road, field, context) for main_road in courses(field, *ROADS) if branches_off(course, main_road)
        ]
        yield from draw_ruts(line, course.width, context, cut=shapely.union_all([open_water, *joined_grounds]))
    yield from _draw_corners(course, context, field)


class _Joint(Struct, frozen=True):
    """An end where a road continues in another, and the smaller of their printed widths in mm."""

    at: Point
    width: float


def _find_joints(course: Course, context: SymbolContext, field: Battlefield) -> list[_Joint]:
    """Return the ends where a road continues in another road outside towns, with the smaller of both widths.

    Points and widths are in printed mm.
    """
    towns = shapely.union_all(areas(field, *TOWNS))
    joints = []
    for next_road in courses(field, *ROADS):
        if goes_on(course, next_road, context):
            tips = [Point(next_road.line.coords[index]) for index in (0, -1)]
            width = min(course.width, drawn_width(next_road, context))
            ends = [Point(course.line.coords[index]) for index in (0, -1)]
            joints += [_Joint(end, width) for end in ends if any(end.dwithin(tip, TOUCH) for tip in tips)]
    return [joint for joint in joints if not towns.intersects(joint.at)]


def _make_tapered_ground(line: BaseGeometry, width: float, joints: Sequence[_Joint], spare: float) -> BaseGeometry:
    """Return the ground of a road, ``spare`` mm wider than ``width``, all in printed mm.

    Towards a narrower road that continues it, the road tapers. Each joint is rounded, or a gap would show between the
    flat ends at a bend.
    """
    ground_shape = band(line, width + spare)
    for joint in joints:
        ground_shape = ground_shape.union(joint.at.buffer((joint.width + spare) / 2))
        part = min(lines(line), key=lambda part: part.distance(joint.at))
        reach = min(_TAPER * (width - joint.width), 0.4 * part.length)
        if reach <= _SLIVER:
            continue
        directed_part = part if joint.at.distance(Point(part.coords[0])) <= TOUCH else part.reverse()
        points = interpolate_points(directed_part, np.linspace(0.0, reach, 9))
        narrowing = ribbon(points, np.linspace(joint.width, width, 9) + spare)
        end = LineString(points).buffer(width + spare, cap_style="flat")
        ground_shape = shapely.union_all(
            [ground_shape.difference(end), narrowing, joint.at.buffer((joint.width + spare) / 2)]
        )
    return ground_shape


def _draw_wheel_tracks(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs of the wheel tracks of a chain of wide roads, once, with the first road of the chain.

    Shapes and items are in printed mm.
    """
    chain = chain_of(course, context, field)
    if course.id != chain.members[0]:
        return
    members = [member for member in courses(field, *ROADS) if member.id in chain.members]
    other_courses = [
        course_item
        for course_item in courses(field, *ROADS, Kind.TRACK, Kind.PATH)
        if course_item.id not in chain.members
    ]
    through_roads = [
        course_item
        for course_item in other_courses
        if course_item.kind in ROADS and any(branches_off(member, course_item) for member in members)
    ]
    openings = [find_open_water(member, context, field) for member in members]
    openings += [ground(course_item, field, context) for course_item in through_roads]
    mouths = [
        ground(course_item, field, context, spare=context.size(_MOUTH))
        for course_item in other_courses
        if any(courses_meet(member, course_item) for member in members)
    ]
    width = min(drawn_width(member, context) for member in members)
    line = shapely.difference(chain.line, shapely.union_all([*areas(field, *TOWNS), *openings]))
    yield from draw_wheel_tracks(
        line, width, context, cut=shapely.union_all(openings), mouths=shapely.union_all(mouths)
    )


def fenced_road(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a road between two fences with gaps for other roads.

    Shapes and items are in printed mm.
    """
    yield from road(course, context, field)
    fences = shapely.MultiLineString(list(_make_side_lines(course, _FENCE, context, field)))
    stream = context.stream(f"draw/{course.id}/fences")
    yield from draw_fence(fences, context, stream, own_width(Kind.FENCE, context))


def sunken_lane(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs of a road between banks that fall towards it; the bank away from the light is in shade.

    Shapes and items are in printed mm.
    """
    course = set_drawn_width(course, context)
    stream = context.stream(f"draw/{course.id}/banks")
    thick, thin = context.width(0.62, minimum_mm=LEAST_MEANING), context.width(0.12)
    brinks: list[LineString] = []
    strokes: list[tuple[Line, float, float]] = []
    for brink in _make_side_lines(course, _BANK, context, field):
        points = resampled(brink, context.size(_BANK_PITCH))
        down = _find_inward_directions(points, course)
        high = _compute_bank_height(points, course, context, field)
        # The brink comes down to the fence of the next road, or to the edge of an open road.
        points = points + down * (context.size(_BANK - _FENCE) * (1.0 - high))[:, None]
        reach = high * context.size(_BANK_STROKE) * (0.84 + 0.16 * stream.draw_array(len(points)))
        feet = points + down * reach[:, None]
        strokes += [(np.array(ends), thick, thin) for ends in list(zip(points, feet, strict=True))[1:-1]]
        yield from _draw_bank_tone(points, down, high, context)
        brinks.append(LineString(points) if high.min() < 1.0 else brink)
    yield from road(course, context, field)
    yield from on_layer(
        LayerName.COURSE_DETAIL, stroke_shape(brinks, context, "hachure", 0.40, minimum_mm=LEAST_MEANING)
    )
    yield from on_layer(LayerName.COURSE_DETAIL, wedges(strokes, context.style.ink("hachure")))


def _compute_bank_height(points: Line, course: Course, context: SymbolContext, field: Battlefield) -> Line:
    """Return the relative height of a bank at points of its brink, from 0.12 to 1 for full.

    It drops where the next road is not sunken. ``points`` is an n x 2 array in printed mm.
    """
    heights = np.ones(len(points))
    for next_road in courses(field, *ROADS):
        if next_road.kind is Kind.SUNKEN_LANE or not goes_on(course, next_road, context):
            continue
        for end in (Point(course.line.coords[index]) for index in (0, -1)):
            if next_road.line.dwithin(end, TOUCH):
                distances = np.hypot(*(points - np.array(end.coords[0])).T) - course.width / 2 - context.size(_BANK)
                heights = np.minimum(heights, np.clip(distances / context.size(_RUN_OUT), _LEAST_BANK, 1.0))
    return heights


def open_centre_line(course: Course, field: Battlefield) -> BaseGeometry:
    """Return the centre line in printed mm, without its parts in built-up areas.

    It is extended past the board's edges.
    """
    towns = areas(field, *TOWNS)
    return (
        shapely.difference(extend_past_edge(course, field), shapely.union_all(towns))
        if towns
        else extend_past_edge(course, field)
    )


def draw_ruts(line: BaseGeometry, width: float, context: SymbolContext, *, cut: BaseGeometry = NOTHING) -> LayeredItems:
    """Yield (layer, item) pairs that draw wheel ruts: one pair on a narrow road, two where carts can pass.

    Carts can pass from a width of 13 mm at 1:1. ``line`` is the centre line and ``width`` the width of the road in
    printed mm. There are no ruts on ``cut``.
    """
    pairs = _RUTS if width > context.size(13) else (0.17,)
    for number, share in enumerate(pairs):
        for side in (1, -1):
            rut_lines = offset_lines(line, side * share * width, cut)
            phase = 3 + 3 * side + 7.5 * number
            dashes = stroke_shape(rut_lines, context, "wheel-rut", 0.45, alpha=0.85, dash=(9, 3.5, 4, 5), phase=phase)
            yield from on_layer(LayerName.COURSE_DETAIL, dashes)


def casing_width(context: SymbolContext) -> float:
    """Return the printed width in mm of the dark line at each side of a road."""
    return context.width(_CASING, minimum_mm=LEAST_MEANING)


def offset_lines(line: BaseGeometry, offset: float, cut: BaseGeometry = NOTHING) -> list[BaseGeometry]:
    """Return lines moved sideways by ``offset`` printed mm, without their parts on ``cut``.

    They move to the left where ``offset`` is positive. Some lines may be empty.
    """
    return [shapely.difference(shifted_line, cut) for part in lines(line) for shifted_line in offset_line(part, offset)]


def find_open_water(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the water that shows through a road, in printed mm.

    That is the water of its fords, and next to its bridge decks.
    """
    return shapely.union_all(
        [_open_water_at(course, *crossing_pair, context, field) for crossing_pair in _find_crossings(course, field)]
    )


def _open_water_at(
    course: Course, crossing: Crossing, water: Course, context: SymbolContext, field: Battlefield
) -> BaseGeometry:
    """Return the water that shows through a road at one crossing, in printed mm; empty for none.

    ``water`` is the course that the road crosses.
    """
    if crossing.kind is not Kind.FORD and crossing.kind not in _BRIDGES:
        return NOTHING
    ground, width = crossed_ground(water, context, field), drawn_width(course, context)
    if crossing.kind is Kind.FORD:
        return ground
    unit_mm = context.size(1.0)
    deep = find_deep_water(crossing, find_water_span(crossing, course, width, ground, unit_mm), width, ground, unit_mm)
    # No opening is needed where the deck covers all of it.
    return deep if shapely.area(shapely.intersection(deep, band(course.line, width))) > unit_mm * unit_mm else NOTHING


def crossed_ground(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of a crossed course as it is drawn: a water, a cut, or another road.

    It is in printed mm.
    """
    if course.kind in WATERS:
        return water_ground(course, context, field)
    return compute_cut_ground(course, context, field) if course.kind in CUTS else ground(course, field, context)


def _find_crossings(course: Course, field: Battlefield) -> Iterator[tuple[Crossing, Course]]:
    """Yield the crossings of a road, each with the water or railway that it crosses.

    Junctions are left out, and so are crossings whose other course does not exist.
    """
    for crossing in field.features:
        if isinstance(crossing, Crossing) and crossing.route == course.id and crossing.kind is not Kind.JUNCTION:
            crossed_course = field.find(crossing.water)
            if isinstance(crossed_course, Course):
                yield crossing, crossed_course


def _make_side_lines(
    course: Course, distance: float, context: SymbolContext, field: Battlefield
) -> Iterator[LineString]:
    """Yield the lines ``distance`` mm at 1:1 from a road's edges, in printed mm.

    They have gaps at other roads and at crossings. Lines of at most 1 mm at 1:1 are left out.
    """
    course, offset = set_drawn_width(course, context), context.size(distance)
    own_ground = ground(course, field, context)
    other_courses = courses(field, *ROADS, Kind.TRACK, Kind.PATH)
    gaps = [
        ground(course_item, field, context, spare=offset)
        for course_item in other_courses
        if course_item.id != course.id
    ]
    corners = [
        _find_corners(own_ground, ground(course_item, field, context), context)
        for course_item in _find_meeting_roads(course, context, field)
    ]
    gaps += [corner.buffer(offset) for corner in corners]
    gaps.append(covered(field, (Kind.RAILWAY,), context))
    for crossing, course_item in _find_crossings(course, field):
        crossing_area = crossed_ground(course_item, context, field).buffer(
            context.size(_BESIDE_CROSSING.get(crossing.kind, 0.0))
        )
        gaps.append(shapely.intersection(crossing_area, crossing.at.buffer(3 * course.width + course_item.width)))
    cut = shapely.union_all(gaps)
    for side in (1, -1):
        for part in offset_lines(open_centre_line(course, field), side * (course.width / 2 + offset), cut):
            yield from (line for line in lines(part) if line.length > context.size(1.0))


def _find_inward_directions(points: Line, course: Course) -> Line:
    """Return the unit vectors from the points of a side line towards the road's centre line.

    ``points`` is an n x 2 array in printed mm.
    """
    side_normals = normals(points)
    # A few points are enough to find the side of the centre line.
    sampling = slice(None, None, max(1, len(points) // _SAMPLES))
    distances = shapely.line_locate_point(course.line, shapely.points(points[sampling]))
    middle = interpolate_points(course.line, distances)
    projections = ((middle - points[sampling]) * side_normals[sampling]).sum(axis=1)
    return np.asarray(side_normals * np.sign(median(projections)))


def _draw_bank_tone(points: Line, down: Line, high: Line, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the fall of a bank as a wash, dark away from the light and pale towards it.

    Args:
        points: its brink, n x 2, in printed mm.
        down: unit vector towards the road at each point.
        high: height of the bank at each point, 1 for full.
        context: gives the style and sizes.
    """
    foot = points + down * (context.size(_BANK) * high)[:, None]
    lit = float(np.mean(exact_math.product(down, [-0.7071, 0.7071])))
    token = "ravine-lit" if lit > 0 else "ravine-shaded"
    if context.style.washes:
        strip = shapely.make_valid(Polygon(np.vstack([points, foot[::-1]])))
        yield from on_layer(LayerName.CASING, fill(strip, context.tint(token, abs(lit) * _BANK_TONE)))


def _find_meeting_roads(course: Course, context: SymbolContext, field: Battlefield) -> list[Course]:
    """Return the roads that meet this road at a corner, without those that continue it."""
    return [
        road_item
        for road_item in courses(field, *ROADS)
        if courses_meet(course, road_item) and not goes_on(course, road_item, context)
    ]


def _find_corners(first: BaseGeometry, second: BaseGeometry, context: SymbolContext) -> BaseGeometry:
    """Return the ground between two roads where wheels cut their corners; all in printed mm.

    ``first`` and ``second`` are the grounds of the roads. The result may be empty.
    """
    union, radius = first.union(second), context.size(_EASED)
    closed = union.buffer(radius).buffer(-radius)
    # The closing leaves slivers along curved edges; drop them, and extend true corners into the roads.
    corner_core = shapely.difference(closed, union).buffer(-_SLIVER)
    return shapely.intersection(corner_core.buffer(3 * _SLIVER), closed)


def _draw_corners(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw the rounded corners where this road meets earlier roads outside towns.

    Shapes and items are in printed mm.
    """
    casing, own_ground = casing_width(context), ground(course, field, context)
    towns = shapely.union_all(areas(field, *TOWNS))
    for other_road in _find_meeting_roads(course, context, field):
        if field.features.index(other_road) < field.features.index(field.find(course.id)):
            other_ground = ground(other_road, field, context)
            corners = _find_corners(own_ground, other_ground, context)
            corner_area = shapely.difference(corners.buffer(_MITRE * casing), towns)
            surface = shapely.union_all([own_ground, other_ground, corners]).buffer(-casing)
            casing_corners = shapely.difference(corners, towns)
            yield from on_layer(LayerName.CASING, fill(casing_corners, context.style.ink("road-casing")))
            yield from on_layer(
                LayerName.COURSE, fill(shapely.intersection(surface, corner_area), context.style.ink("road"))
            )


# --- Tracks and paths: a strip between two dashed lines, and one fine dashed line -------------------------------------

_DASH: Final = (3.4, 1.8)
_STAGGER: Final = 1.2
_LINE: Final = 0.42
_PATH_DASH: Final = (2.2, 1.5)


def track(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a track: a pale strip between two dashed lines with staggered gaps.

    Shapes and items are in printed mm.
    """
    course = set_drawn_width(course, context)
    line, wet, roads = (
        open_centre_line(course, field),
        find_open_water(course, context, field),
        covered(field, ROADS, context),
    )
    tracks = courses(field, Kind.TRACK)
    earlier_grounds = [
        ground(other_track, field, context)
        for other_track in takewhile(lambda other_track: other_track.id != course.id, tracks)
    ]
    strip = shapely.difference(band(line, course.width), shapely.union_all([roads, wet, *earlier_grounds]))
    yield from on_layer(LayerName.COURSE, fill(strip, context.tint("track", 0.75)))
    yield from _draw_track_mouths(course, context, field)
    other_grounds = [
        ground(other_track, field, context, spare=-_HAIR) for other_track in tracks if other_track.id != course.id
    ]
    cut = shapely.union_all([roads, wet, *other_grounds])
    for side, phase in ((1, 0.0), (-1, _STAGGER)):
        border = offset_lines(line, side * course.width / 2, cut)
        dashed_lines = stroke_shape(
            border, context, "road-casing", _LINE, dash=_DASH, phase=phase, cap=Cap.BUTT, minimum_mm=LEAST_MEANING
        )
        yield from on_layer(LayerName.COURSE_DETAIL, dashed_lines)


def path(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a path: one fine dashed line on a thin strip of pale ground.

    Shapes and items are in printed mm.
    """
    wider_ground = covered(field, (*ROADS, Kind.TRACK), context)
    course = set_drawn_width(course, context)
    line = shapely.difference(
        open_centre_line(course, field), wider_ground.union(find_open_water(course, context, field))
    )
    if context.style.washes:
        yield from on_layer(LayerName.COURSE, stroke_shape(line, context, "track", 1.5, alpha=0.6, cap=Cap.BUTT))
    dashed_line = stroke_shape(
        line, context, "road-casing", _LINE, dash=_PATH_DASH, cap=Cap.BUTT, minimum_mm=LEAST_MEANING
    )
    yield from on_layer(LayerName.COURSE_DETAIL, dashed_line)


def _draw_track_mouths(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw the surface of roads over their casing where a track joins them.

    Shapes and items are in printed mm.
    """
    inner = band(open_centre_line(course, field), course.width - context.width(_LINE, minimum_mm=LEAST_MEANING))
    for road in courses(field, *ROADS):
        surface = ground(road, field, context, spare=-2 * casing_width(context))
        rim = shapely.difference(ground(road, field, context, spare=_HAIR), surface)
        yield from on_layer(LayerName.COURSE, fill(shapely.intersection(inner, rim), context.style.ink("road")))


# --- Single trees along roads and rivers ------------------------------------------------------------------------------

# Average distance in mm at 1:1 between groups of trees along a course; other kinds have no trees.
_STEP: Final = {
    Kind.ROAD: 46.0,
    Kind.FENCED_ROAD: 46.0,
    Kind.TRACK: 60.0,
    Kind.RIVER: 40.0,
    Kind.CREEK: 40.0,
    Kind.STREAM: 44.0,
}

# Positions along a course are tried at this share of the distance. The next group is 2 to 14 of them further on.
_FINENESS: Final = 8
_GROUP_STEPS: Final = (2, 13)

# The share of groups without a tree, and of those with a second one, which is this many positions further on.
_EMPTY: Final = 0.3
_PAIRS: Final = 0.35
_PAIR_STEPS: Final = (2, 2)
_OFF: Final = (9.2, 14.0)
_RADII: Final = (3.6, 4.8)
_APART: Final = 12.0
_FROM_EDGE: Final = 8.0


def wayside_trees(field: Battlefield, context: SymbolContext, free: BaseGeometry) -> LayeredItems:
    """Yield (layer, item) pairs that draw trees along the courses of a battlefield, on free ground and clear of labels.

    Courses must have their drawn widths, as from ``all_sized``. ``free`` is the ground; everything is in printed mm.
    """
    planting_area = free.intersection(field.board.shape.buffer(-context.size(_FROM_EDGE))).difference(context.clear)
    stream = context.stream("draw/wayside/trees")
    candidates: list[tuple[float, float]] = []
    for course in field.features:
        if isinstance(course, Course) and course.kind in _STEP:
            candidates += _choose_tree_positions(course, context)
    chosen_positions: list[tuple[float, float]] = []
    shapely.prepare([planting_area, planting_area.boundary])
    candidate_points = shapely.points(np.reshape(candidates, (-1, 2)))
    is_free = shapely.contains_properly(planting_area, candidate_points) & ~shapely.dwithin(
        planting_area.boundary, candidate_points, context.size(_RADII[1])
    )
    for x, y in compress(candidates, is_free.tolist()):
        if all(np.hypot(x - position[0], y - position[1]) >= context.size(_APART) for position in chosen_positions):
            chosen_positions.append((x, y))
    chosen_positions.sort(key=lambda tree_point: -tree_point[1])
    yield from draw_trees(
        chosen_positions, [context.size(stream.between(*_RADII)) for _ in chosen_positions], "crown", context, stream
    )


def _choose_tree_positions(course: Course, context: SymbolContext) -> list[tuple[float, float]]:
    """Return tree positions along a course in printed mm, x and y: single trees and pairs, at irregular distances.

    They are randomly to its left or right. ``course`` must have its drawn width.
    """
    stream = context.stream(f"draw/{course.id}/wayside")
    line = resampled(course.line, context.size(_STEP[course.kind]) / _FINENESS)
    places, directions = line.tolist(), normals(line).tolist()
    positions = []
    index = stream.draw_index(_GROUP_STEPS[1])
    while index < len(places):
        side = 1 if stream.draw_unit() < 0.5 else -1
        is_empty, has_pair = stream.draw_unit() < _EMPTY, stream.draw_unit() < _PAIRS
        second = index + _PAIR_STEPS[0] + stream.draw_index(_PAIR_STEPS[1])
        numbers = [] if is_empty else [index, second] if has_pair else [index]
        for number in numbers:
            offset = side * (course.width / 2 + context.size(stream.between(*_OFF)))
            if number < len(places):
                (x, y), (normal_x, normal_y) = places[number], directions[number]
                positions.append((x + offset * normal_x, y + offset * normal_y))
        index += _GROUP_STEPS[0] + stream.draw_index(_GROUP_STEPS[1])
    return positions
