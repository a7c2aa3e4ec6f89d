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

from printkit.core import elementary
from printkit.drawing.canvas.decks import find_deep_water, find_water_span
from printkit.drawing.canvas.items import Cap, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, resampled, ribbon, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import draw_trees
from printkit.drawing.signs.lines.channels import water_ground
from printkit.drawing.signs.lines.course_lines import (
    TOUCH,
    WATERS,
    areas,
    band,
    courses,
    covered,
    drawn_width,
    extend_past_edge,
    ground,
    joins,
    median,
    meet,
    on,
    parallel,
    sized,
    stroke_shape,
)
from printkit.drawing.signs.lines.works import fence_along, own_width
from printkit.drawing.signs.ways.ravines import CUTS, cut_ground
from printkit.drawing.signs.ways.worn import ROADS, beaten, chain_of, goes_on, is_wide
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
_ASKED: Final = 40  # Number of points that decide on which side of a line the road is

_MITRE: Final = 4.0  # Casings that meet at a corner overlap within this many of their widths.

# Distance from the water or the rails to the end of a road's fences and banks, in mm at 1:1.
_BESIDE_CROSSING: Final = {
    Kind.BRIDGE: 7.0,
    Kind.TIMBER_BRIDGE: 6.5,
    Kind.FORD: 2.5,
    Kind.LEVEL_CROSSING: 5.5,
}

_BRIDGES: Final = (Kind.BRIDGE, Kind.TIMBER_BRIDGE, Kind.RAILWAY_BRIDGE)

_NOTHING: Final = Polygon()


def road(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a road at its true width. It stops at a built-up area and leaves out the water of a ford."""
    course = sized(course, context)
    line, wet = open_ground(course, field), forded(course, context, field)
    yield from laid(line, course.width, context, cut=wet, joints=_joints(course, context, field))
    if is_wide(course.width, context):
        yield from _track(course, context, field)
    else:
        crossed = [ground(other, field, context) for other in courses(field, *ROADS) if joins(course, other)]
        yield from ruts(line, course.width, context, cut=shapely.union_all([wet, *crossed]))
    yield from _eased(course, context, field)


class _Joint(Struct, frozen=True):
    """An end where a road continues in another, and the smaller of their printed widths."""

    at: Point
    width: float


def _joints(course: Course, context: SymbolContext, field: Battlefield) -> list[_Joint]:
    """Return the ends where a road continues in another, outside towns."""
    towns = shapely.union_all(areas(field, *TOWNS))
    found = []
    for other in courses(field, *ROADS):
        if goes_on(course, other, context):
            tips = [Point(other.line.coords[place]) for place in (0, -1)]
            width = min(course.width, drawn_width(other, context))
            ends = [Point(course.line.coords[place]) for place in (0, -1)]
            found += [_Joint(end, width) for end in ends if any(end.dwithin(tip, TOUCH) for tip in tips)]
    return [joint for joint in found if not towns.intersects(joint.at)]


def _tapered(line: BaseGeometry, width: float, joints: Sequence[_Joint], spare: float) -> BaseGeometry:
    """Return the ground of a road, ``spare`` mm wider than ``width``.

    Towards a narrower road that continues it, the road tapers. Each joint is rounded, or a gap would show between the
    flat ends at a bend.
    """
    found = band(line, width + spare)
    for joint in joints:
        found = found.union(joint.at.buffer((joint.width + spare) / 2))
        part = min(lines(line), key=lambda part: part.distance(joint.at))
        reach = min(_TAPER * (width - joint.width), 0.4 * part.length)
        if reach <= _SLIVER:
            continue
        whole = part if joint.at.distance(Point(part.coords[0])) <= TOUCH else part.reverse()
        points = interpolate_points(whole, np.linspace(0.0, reach, 9))
        narrowing = ribbon(points, np.linspace(joint.width, width, 9) + spare)
        end = LineString(points).buffer(width + spare, cap_style="flat")
        found = shapely.union_all([found.difference(end), narrowing, joint.at.buffer((joint.width + spare) / 2)])
    return found


def _track(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw the wheel tracks of a chain of wide roads, once, with the first road of the chain."""
    chain = chain_of(course, context, field)
    if course.id != chain.members[0]:
        return
    members = [member for member in courses(field, *ROADS) if member.id in chain.members]
    others = [other for other in courses(field, *ROADS, Kind.TRACK, Kind.PATH) if other.id not in chain.members]
    through = [other for other in others if other.kind in ROADS and any(joins(member, other) for member in members)]
    cut = [forded(member, context, field) for member in members]
    cut += [ground(other, field, context) for other in through]
    mouths = [
        ground(other, field, context, spare=context.size(_MOUTH))
        for other in others
        if any(meet(member, other) for member in members)
    ]
    width = min(drawn_width(member, context) for member in members)
    line = shapely.difference(chain.line, shapely.union_all([*areas(field, *TOWNS), *cut]))
    yield from beaten(line, width, context, cut=shapely.union_all(cut), mouths=shapely.union_all(mouths))


def fenced_road(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a road between two fences with gaps for other roads."""
    yield from road(course, context, field)
    fences = shapely.MultiLineString(list(_sides(course, _FENCE, context, field)))
    stream = context.stream(f"draw/{course.id}/fences")
    yield from fence_along(fences, context, stream, own_width(Kind.FENCE, context))


def sunken_lane(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a road between two banks that fall towards it; the bank away from the light is in shade."""
    course = sized(course, context)
    stream = context.stream(f"draw/{course.id}/banks")
    thick, thin = context.width(0.62, minimum_mm=LEAST_MEANING), context.width(0.12)
    brinks: list[LineString] = []
    strokes: list[tuple[Line, float, float]] = []
    for brink in _sides(course, _BANK, context, field):
        points = resampled(brink, context.size(_BANK_PITCH))
        down = _inward(points, course)
        high = _height(points, course, context, field)
        # The brink comes down to the fence of the next road, or to the edge of an open road.
        points = points + down * (context.size(_BANK - _FENCE) * (1.0 - high))[:, None]
        reach = high * context.size(_BANK_STROKE) * (0.84 + 0.16 * stream.draw_array(len(points)))
        feet = points + down * reach[:, None]
        strokes += [(np.array(ends), thick, thin) for ends in list(zip(points, feet, strict=True))[1:-1]]
        yield from _bank_tone(points, down, high, context)
        brinks.append(LineString(points) if high.min() < 1.0 else brink)
    yield from road(course, context, field)
    yield from on(LayerName.COURSE_DETAIL, stroke_shape(brinks, context, "hachure", 0.40, least=LEAST_MEANING))
    yield from on(LayerName.COURSE_DETAIL, wedges(strokes, context.style.ink("hachure")))


def _height(points: Line, course: Course, context: SymbolContext, field: Battlefield) -> Line:
    """Return the height of a bank at points of its brink, 1 for full. It drops where the next road is not sunken."""
    high = np.ones(len(points))
    for other in courses(field, *ROADS):
        if other.kind is Kind.SUNKEN_LANE or not goes_on(course, other, context):
            continue
        for end in (Point(course.line.coords[place]) for place in (0, -1)):
            if other.line.dwithin(end, TOUCH):
                gone = np.hypot(*(points - np.array(end.coords[0])).T) - course.width / 2 - context.size(_BANK)
                high = np.minimum(high, np.clip(gone / context.size(_RUN_OUT), _LEAST_BANK, 1.0))
    return high


def open_ground(course: Course, field: Battlefield) -> BaseGeometry:
    """Return the centre line extended past the board's edges, without its parts in built-up areas."""
    towns = areas(field, *TOWNS)
    return (
        shapely.difference(extend_past_edge(course, field), shapely.union_all(towns))
        if towns
        else extend_past_edge(course, field)
    )


def laid(
    line: BaseGeometry,
    width: float,
    context: SymbolContext,
    *,
    cut: BaseGeometry = _NOTHING,
    joints: Sequence[_Joint] = (),
) -> LayeredItems:
    """Draw the casing and surface of a road of ``width`` mm in all, but not on ``cut``."""
    casing = casing_width(context)
    # The casing stops before the surface, or its edge would show as a hairline where both are cut.
    whole = shapely.difference(_tapered(line, width, joints, 0.0), cut.buffer(_HAIR))
    if context.style.washes:
        soft = shapely.difference(_tapered(line, width, joints, 2 * context.size(_SOFT)), cut)
        yield from on(LayerName.CASING, fill(soft, context.tint("relief-shade", 0.10)))
    yield from on(LayerName.CASING, fill(whole, context.style.ink("road-casing")))
    surface = shapely.difference(_tapered(line, width, joints, -2 * casing), cut)
    yield from on(LayerName.COURSE, fill(surface, context.style.ink("road")))


def ruts(line: BaseGeometry, width: float, context: SymbolContext, *, cut: BaseGeometry = _NOTHING) -> LayeredItems:
    """Draw wheel ruts: one pair on a narrow road, two where carts can pass."""
    pairs = _RUTS if width > context.size(13) else (0.17,)
    for number, share in enumerate(pairs):
        for side in (1, -1):
            tracks = beside(line, side * share * width, cut)
            phase = 3 + 3 * side + 7.5 * number
            dashes = stroke_shape(tracks, context, "wheel-rut", 0.45, alpha=0.85, dash=(9, 3.5, 4, 5), phase=phase)
            yield from on(LayerName.COURSE_DETAIL, dashes)


def casing_width(context: SymbolContext) -> float:
    """Return the printed width of the dark line at each side of a road."""
    return context.width(_CASING, minimum_mm=LEAST_MEANING)


def beside(line: BaseGeometry, offset: float, cut: BaseGeometry = _NOTHING) -> list[BaseGeometry]:
    """Return lines moved sideways, to the left where ``offset`` is positive, without their parts on ``cut``."""
    return [shapely.difference(moved, cut) for part in lines(line) for moved in parallel(part, offset)]


def forded(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the water that shows through a road: that of its fords, and that next to its bridge decks."""
    return shapely.union_all([_open_water(course, *passed, context, field) for passed in _crossed(course, field)])


def _open_water(
    course: Course, crossing: Crossing, water: Course, context: SymbolContext, field: Battlefield
) -> BaseGeometry:
    if crossing.kind is not Kind.FORD and crossing.kind not in _BRIDGES:
        return _NOTHING
    ground, width = passed_ground(water, context, field), drawn_width(course, context)
    if crossing.kind is Kind.FORD:
        return ground
    k = context.size(1.0)
    deep = find_deep_water(crossing, find_water_span(crossing, course, width, ground, k), width, ground, k)
    # No opening is needed where the deck covers all of it.
    return deep if shapely.area(shapely.intersection(deep, band(course.line, width))) > k * k else _NOTHING


def passed_ground(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of a crossed course as it is drawn: a water, a cut, or another road."""
    if course.kind in WATERS:
        return water_ground(course, context, field)
    return cut_ground(course, context, field) if course.kind in CUTS else ground(course, field, context)


def _crossed(course: Course, field: Battlefield) -> Iterator[tuple[Crossing, Course]]:
    """Yield the crossings of a road, each with the water or railway that it crosses."""
    for crossing in field.features:
        if isinstance(crossing, Crossing) and crossing.route == course.id and crossing.kind is not Kind.JUNCTION:
            other = field.find(crossing.water)
            if isinstance(other, Course):
                yield crossing, other


def _sides(course: Course, apart: float, context: SymbolContext, field: Battlefield) -> Iterator[LineString]:
    """Yield the lines ``apart`` mm at 1:1 from a road's edges, with gaps at other roads and at crossings."""
    course, off = sized(course, context), context.size(apart)
    own = ground(course, field, context)
    others = courses(field, *ROADS, Kind.TRACK, Kind.PATH)
    gaps = [ground(other, field, context, spare=off) for other in others if other.id != course.id]
    corners = [_corners(own, ground(other, field, context), context) for other in _roads_met(course, context, field)]
    gaps += [corner.buffer(off) for corner in corners]
    gaps.append(covered(field, (Kind.RAILWAY,), context))
    for crossing, other in _crossed(course, field):
        clear = passed_ground(other, context, field).buffer(context.size(_BESIDE_CROSSING.get(crossing.kind, 0.0)))
        gaps.append(shapely.intersection(clear, crossing.at.buffer(3 * course.width + other.width)))
    cut = shapely.union_all(gaps)
    for side in (1, -1):
        for part in beside(open_ground(course, field), side * (course.width / 2 + off), cut):
            yield from (line for line in lines(part) if line.length > context.size(1.0))


def _inward(points: Line, course: Course) -> Line:
    """Return the unit direction from the points of a side line towards the road's centre line."""
    across = normals(points)
    # A few points are enough to find the side of the centre line.
    few = slice(None, None, max(1, len(points) // _ASKED))
    gone = shapely.line_locate_point(course.line, shapely.points(points[few]))
    middle = interpolate_points(course.line, gone)
    ahead = ((middle - points[few]) * across[few]).sum(axis=1)
    return np.asarray(across * np.sign(median(ahead)))


def _bank_tone(points: Line, down: Line, high: Line, context: SymbolContext) -> LayeredItems:
    """Draw the fall of a bank as a wash, dark where it faces away from the light and pale where it faces it."""
    foot = points + down * (context.size(_BANK) * high)[:, None]
    lit = float(np.mean(elementary.product(down, [-0.7071, 0.7071])))
    token = "ravine-lit" if lit > 0 else "ravine-shaded"
    if context.style.washes:
        strip = shapely.make_valid(Polygon(np.vstack([points, foot[::-1]])))
        yield from on(LayerName.CASING, fill(strip, context.tint(token, abs(lit) * _BANK_TONE)))


def _roads_met(course: Course, context: SymbolContext, field: Battlefield) -> list[Course]:
    """Return the roads that meet this road at a corner, without those that continue it."""
    return [other for other in courses(field, *ROADS) if meet(course, other) and not goes_on(course, other, context)]


def _corners(own: BaseGeometry, other: BaseGeometry, context: SymbolContext) -> BaseGeometry:
    """Return the ground between two roads where wheels cut their corners."""
    whole, radius = own.union(other), context.size(_EASED)
    closed = whole.buffer(radius).buffer(-radius)
    # The closing leaves slivers along curved edges; drop them, and extend true corners into the roads.
    taken = shapely.difference(closed, whole).buffer(-_SLIVER)
    return shapely.intersection(taken.buffer(3 * _SLIVER), closed)


def _eased(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw the rounded corners where this road meets earlier roads outside towns."""
    casing, own = casing_width(context), ground(course, field, context)
    towns = shapely.union_all(areas(field, *TOWNS))
    for other in _roads_met(course, context, field):
        if field.features.index(other) < field.features.index(field.find(course.id)):
            theirs = ground(other, field, context)
            corners = _corners(own, theirs, context)
            near = shapely.difference(corners.buffer(_MITRE * casing), towns)
            pale = shapely.union_all([own, theirs, corners]).buffer(-casing)
            dark = shapely.difference(corners, towns)
            yield from on(LayerName.CASING, fill(dark, context.style.ink("road-casing")))
            yield from on(LayerName.COURSE, fill(shapely.intersection(pale, near), context.style.ink("road")))


# --- Tracks and paths: a strip between two dashed lines, and one fine dashed line -------------------------------------

_DASH: Final = (3.4, 1.8)
_STAGGER: Final = 1.2
_LINE: Final = 0.42
_PATH_DASH: Final = (2.2, 1.5)


def track(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a track: a pale strip between two dashed lines with staggered gaps."""
    course = sized(course, context)
    line, wet, roads = open_ground(course, field), forded(course, context, field), covered(field, ROADS, context)
    tracks = courses(field, Kind.TRACK)
    before = [ground(other, field, context) for other in takewhile(lambda other: other.id != course.id, tracks)]
    strip = shapely.difference(band(line, course.width), shapely.union_all([roads, wet, *before]))
    yield from on(LayerName.COURSE, fill(strip, context.tint("track", 0.75)))
    yield from _mouths(course, context, field)
    others = [ground(other, field, context, spare=-_HAIR) for other in tracks if other.id != course.id]
    cut = shapely.union_all([roads, wet, *others])
    for side, phase in ((1, 0.0), (-1, _STAGGER)):
        border = beside(line, side * course.width / 2, cut)
        dashed = stroke_shape(
            border, context, "road-casing", _LINE, dash=_DASH, phase=phase, cap=Cap.BUTT, least=LEAST_MEANING
        )
        yield from on(LayerName.COURSE_DETAIL, dashed)


def path(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a path: one fine dashed line on a thin strip of pale ground."""
    wider = covered(field, (*ROADS, Kind.TRACK), context)
    course = sized(course, context)
    line = shapely.difference(open_ground(course, field), wider.union(forded(course, context, field)))
    if context.style.washes:
        yield from on(LayerName.COURSE, stroke_shape(line, context, "track", 1.5, alpha=0.6, cap=Cap.BUTT))
    dashed = stroke_shape(line, context, "road-casing", _LINE, dash=_PATH_DASH, cap=Cap.BUTT, least=LEAST_MEANING)
    yield from on(LayerName.COURSE_DETAIL, dashed)


def _mouths(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw the surface of roads over their casing where a track joins them."""
    inner = band(open_ground(course, field), course.width - context.width(_LINE, minimum_mm=LEAST_MEANING))
    for road in courses(field, *ROADS):
        surface = ground(road, field, context, spare=-2 * casing_width(context))
        rim = shapely.difference(ground(road, field, context, spare=_HAIR), surface)
        yield from on(LayerName.COURSE, fill(shapely.intersection(inner, rim), context.style.ink("road")))


# --- Single trees along roads and rivers ------------------------------------------------------------------------------

# Distance in mm at 1:1 between trees along a course; other kinds have no trees.
_STEP: Final = {
    Kind.ROAD: 46.0,
    Kind.FENCED_ROAD: 46.0,
    Kind.TRACK: 60.0,
    Kind.RIVER: 40.0,
    Kind.CREEK: 40.0,
    Kind.STREAM: 44.0,
}

_KEPT: Final = 0.7
_OFF: Final = (9.2, 14.0)
_RADII: Final = (3.6, 4.8)
_APART: Final = 12.0
_FROM_EDGE: Final = 8.0


def wayside_trees(field: Battlefield, context: SymbolContext, free: BaseGeometry) -> LayeredItems:
    """Draw trees along the courses of a battlefield in printed mm, on free ground and clear of labels."""
    room = free.intersection(field.board.shape.buffer(-context.size(_FROM_EDGE))).difference(context.clear)
    stream = context.stream("draw/wayside/trees")
    places: list[tuple[float, float]] = []
    for course in field.features:
        if isinstance(course, Course) and course.kind in _STEP:
            places += _beside(course, context)
    kept: list[tuple[float, float]] = []
    shapely.prepare([room, room.boundary])
    spots = shapely.points(np.reshape(places, (-1, 2)))
    fits = shapely.contains_properly(room, spots) & ~shapely.dwithin(room.boundary, spots, context.size(_RADII[1]))
    for x, y in compress(places, fits.tolist()):
        if all(np.hypot(x - other[0], y - other[1]) >= context.size(_APART) for other in kept):
            kept.append((x, y))
    kept.sort(key=lambda place: -place[1])
    yield from draw_trees(kept, [context.size(stream.between(*_RADII)) for _ in kept], "crown", context, stream)


def _beside(course: Course, context: SymbolContext) -> list[tuple[float, float]]:
    """Return tree positions along a course, randomly to its left or right, some left out."""
    stream = context.stream(f"draw/{course.id}/wayside")
    line = resampled(course.line, context.size(_STEP[course.kind]))
    found = []
    for (x, y), (across, up) in zip(line, normals(line), strict=True):
        side = 1 if stream.draw_unit() < 0.5 else -1
        off = side * (course.width / 2 + context.size(stream.between(*_OFF)))
        if stream.draw_unit() < _KEPT:
            found.append((x + off * across, y + off * up))
    return found
