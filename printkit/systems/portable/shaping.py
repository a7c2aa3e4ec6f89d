"""Turn a sketch into features: outlines for ground, lines for courses, and crossings.

Neighbouring hills, mountains and trees of one kind merge. Dice decide only the areas; shapes come from jitter, with one
stream for each feature.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points, substring

from printkit.chance.streams import Jitter, Stream
from printkit.core import exact_math
from printkit.systems.portable.course_lines import OFF, DrawnCourse, bend_courses
from printkit.systems.portable.grid.bands import axis, find_crossing
from printkit.systems.portable.grid.sketch import (
    FIELDS,
    HABITATION,
    HEIGHTS,
    ROADS,
    TREES,
    AreaFeature,
    CellCourse,
    Sketch,
)
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind, Origin
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.outlines import largest_polygon
from printkit.terrain.gridded.cell_courses import Chain, compute_offsets, course_width, thread_course, thread_wide_river
from printkit.terrain.gridded.cell_shapes import draw_fields, draw_plot, find_cell_groups, grow_contours, grow_outline

# --- From bands and chains to lines: rivers, roads and railways, and where they cross ---------------------------------

_Line = NDArray[np.float64]
# Return the random stream for the shape of a feature, by its kind and ID.
Streams = Callable[[Kind, str], Stream]

# How far a straight band sways to either side, in areas: rivers, then roads.
_SWAY: Final = {Kind.RIVER: 0.075}
_SWAY_OF_ROADS: Final = 0.035

# The waves of a band's sway: wavelength in areas, share of the sway.
_WAVES: Final = ((2.9, 0.7), (1.3, 0.3))

_STEP: Final = 0.04

# Gap between a road and a river that it does not cross, in areas. It allows for the sway of both.
_BETWEEN: Final = 0.14

# How far a band may leave its centre line, in areas. Two wide bands move aside by nearly as much (PW1-15).
_FARTHEST: Final = 0.74

# A band sways less within this distance of a crossing that sway would move too far, in areas.
_CALM: Final = 1.0

# Length of the end of a band that bends to reach the edge of the board, in areas.
_LED: Final = 1.0


def draw_courses(sketch: Sketch, streams: Streams) -> tuple[DrawnCourse, ...]:
    """Return every course of a sketch with its line and width in mm on the board, in the same order.

    Courses that share areas are moved apart, and roads are joined to earlier ones. ``streams`` gets a kind and an ID
    and returns the random stream of that course.
    """
    chain_courses = [course for course in sketch.ways if course.band is None]
    shifts = dict(
        zip(
            [course.id for course in chain_courses],
            compute_offsets(
                sketch.grid, [Chain(course.cells, course.enters, course.leaves) for course in chain_courses]
            ),
            strict=True,
        )
    )
    calm = sketch.select_cells(*HABITATION) | {passage.cells[-1] for passage in sketch.passages if passage.cells}
    drawn_courses: list[DrawnCourse] = []
    for course in sketch.ways:
        stream = streams(course.kind, course.id)
        if course.band is not None:
            drawn_courses.append(_draw_band(sketch.grid, course, sketch.ways, stream))
        else:
            drawn_courses.append(_draw_chain(sketch.grid, course, stream, calm=calm, offsets=shifts.get(course.id, {})))
    joined: list[DrawnCourse] = []
    for drawn_course in bend_courses(sketch, tuple(_straighten_strays(sketch, drawn_courses, streams))):
        joined.append(_join_road(drawn_course, joined))
    return tuple(joined)


def _straighten_strays(sketch: Sketch, drawn_courses: Sequence[DrawnCourse], streams: Streams) -> Iterator[DrawnCourse]:
    """Yield the courses. Bands that leave their areas, miss a crossing, or make a wrong or second one become straight.

    A wide river along the edge of the board and a road that enters through it can move past each other.
    """
    hull, crossing_ids = sketch.grid.hull(), {(each.way, each.water) for each in sketch.passages}
    rivers = [each for each in drawn_courses if each.course.kind is Kind.RIVER]
    stray_ids = {
        each.course.id for each in drawn_courses if each.course.band is not None and _is_astray(sketch.grid, each)
    }
    for drawn_course, river in product(drawn_courses, rivers):
        if drawn_course.course.band is None or drawn_course.course.kind is Kind.RIVER:
            continue
        met = drawn_course.line.intersection(river.line).intersection(hull)
        crossing_count = 0 if met.is_empty else len(shapely.get_parts(met))
        if crossing_count != ((drawn_course.course.id, river.course.id) in crossing_ids):
            stray_ids |= {each.course.id for each in (drawn_course, river) if each.course.band is not None}
    for each in drawn_courses:
        if each.course.id in stray_ids:
            yield _draw_band(
                sketch.grid, each.course, sketch.ways, streams(each.course.kind, each.course.id), straight=True
            )
        else:
            yield each


def _is_astray(grid: Grid, drawn_course: DrawnCourse) -> bool:
    """Return whether a band on the board leaves its centre line farther than two wide bands move aside."""
    assert drawn_course.course.band is not None
    straight = axis(drawn_course.course.band, extension_mm=2 * grid.cell)
    board_line = drawn_course.line.intersection(grid.hull())
    return bool(shapely.hausdorff_distance(shapely.union(board_line, straight), straight) > _FARTHEST * grid.cell)


def _join_road(drawn_course: DrawnCourse, earlier: Sequence[DrawnCourse]) -> DrawnCourse:
    """Return a road section extended up to the road in whose area it ends; other courses are unchanged.

    The other road is one of ``earlier`` and can be off the centre of that area. If it is beyond a river that only that
    area has, the section joins it in front of its crossing. Lines are in mm on the board.
    """
    course = drawn_course.course
    if course.kind not in ROADS or course.band is not None or course.leaves is not None:
        return drawn_course
    last_courses = [each for each in earlier if each.course.share(course.cells[-1])]
    roads = [each for each in last_courses if each.course.kind in ROADS]
    if not roads:
        return drawn_course
    line, end = drawn_course.line, Point(drawn_course.line.coords[-1])
    road = min(roads, key=lambda each: round(each.line.distance(end), 6))
    joined = replace(
        drawn_course, line=LineString([*line.coords, road.line.interpolate(road.line.project(end)).coords[0]])
    )
    for river in last_courses:
        if river.course.kind is Kind.RIVER and not river.course.share(course.cells[-2]):
            met = joined.line.intersection(river.line)
            if not met.is_empty:
                return _join_before_river(joined, road, river, Point(shapely.get_coordinates(met)[0]))
    return joined


def _join_before_river(section: DrawnCourse, road: DrawnCourse, river: DrawnCourse, met: Point) -> DrawnCourse:
    """Return a road section that turns along the near bank of a river to the crossing of the road that it joins.

    Without such a way it ends in front of the river. ``met`` is the point where it would cross the river, in mm on the
    board.
    """
    gap = (river.width + section.width) / 2
    # A wide river fills the area up to its side, which the road has to reach.
    head = substring(section.line, 0.0, section.line.project(met) - min(gap, 1.5 * section.width))
    crossings = road.line.intersection(river.line)
    distance = road.line.project(met if crossings.is_empty else nearest_points(crossings, met)[0])
    ends = [road.line.interpolate(distance + step) for step in (-gap, gap)]
    bank = [point for point in ends if not LineString([head.coords[-1], point]).intersects(river.line)]
    return replace(section, line=LineString([*head.coords, *(point.coords[0] for point in bank[:1])]))


def _draw_band(
    grid: Grid, course: CellCourse, other_courses: Sequence[CellCourse], stream: Stream, *, straight: bool = False
) -> DrawnCourse:
    """Return a straight band with its line and width; it extends over the edge of the board.

    Lengths are in mm on the board. It sways about its centre line and gives way to ``other_courses``, unless it must be
    ``straight``.
    """
    assert course.band is not None
    width = course.width * grid.cell
    (x, y), (to_x, to_y) = axis(course.band, extension_mm=width).coords
    length = math.hypot(to_x - x, to_y - y)
    left = np.array([-(to_y - y), to_x - x]) / length
    distances = np.linspace(0.0, length, max(3, round(length / (_STEP * grid.cell))))
    points: _Line = np.array([x, y]) + distances[:, None] / length * np.array([to_x - x, to_y - y])
    yield_offsets = [_measure_yield(grid, course, other, points) for other in other_courses]
    # Two bands on the same side move this band only as far as the one that needs more space.
    offsets: _Line = np.maximum.reduce([np.zeros(len(distances)), *yield_offsets]) + np.minimum.reduce(
        [np.zeros(len(distances)), *yield_offsets]
    )
    calm = _measure_calm(grid, course, other_courses, points, float(np.abs(offsets).max()))
    if straight:
        calm = np.zeros(len(distances))
    offsets *= calm
    for wave, share in _WAVES:
        turn = stream.between(0.0, 2 * math.pi)
        offsets += (
            share
            * (_sway_mm(grid, course) * calm)
            * exact_math.sin(2 * math.pi * distances / (wave * grid.cell * stream.between(0.85, 1.15)) + turn)
        )
    offsets = np.clip(offsets, -_FARTHEST * grid.cell, _FARTHEST * grid.cell)
    return DrawnCourse(course, LineString(_extend_off_board(grid, points + offsets[:, None] * left, width)), width)


def _extend_off_board(grid: Grid, points: _Line, width: float) -> _Line:
    """Return the points of a band with its ends moved off the board; changes ``points`` in place.

    If a band gives way along the edge, an end can be left on the board. The points are rows of x and y in mm, and
    ``width`` is that of the band in mm on the board.
    """
    hull = grid.hull()
    for end, ordered_points in ((0, points), (-1, points[::-1])):
        point = Point(points[end])
        if hull.exterior.distance(point) <= width / 2 or not hull.contains(point):
            continue
        edge = np.array(hull.exterior.interpolate(hull.exterior.project(point)).coords[0])
        shift = (edge - points[end]) * (1.0 + width / hull.exterior.distance(point))
        distances = np.hypot(*np.diff(ordered_points, axis=0).T).cumsum()
        share = np.clip(1.0 - np.concatenate(([0.0], distances)) / (_LED * grid.cell), 0.0, 1.0)
        ordered_points += (share**2 * (3.0 - 2.0 * share))[:, None] * shift
    return points


def _sway_mm(grid: Grid, course: CellCourse) -> float:
    """Return how far a band sways to either side, in mm on the board."""
    return _SWAY.get(course.kind, _SWAY_OF_ROADS) * grid.cell


def _measure_calm(
    grid: Grid, course: CellCourse, other_courses: Sequence[CellCourse], points: _Line, offset_mm: float
) -> _Line:
    """Return the share of its sway, 0 to 1, for each point of a band; 0 at a difficult crossing.

    Two bands that cross at a small angle could cross far from the place that the rules give, in another area.

    Args:
        points: of the centre line, as rows of x and y in mm on the board.
        offset_mm: how far the band gives way to others at most, in mm on the board.
    """
    share = np.ones(len(points))
    for other in other_courses:
        if course.band is None or other.band is None or (course.kind is Kind.RIVER) == (other.kind is Kind.RIVER):
            continue
        point = find_crossing(grid, course.band, other.band)
        if point is None:
            continue
        (x, y), (to_x, to_y) = (np.subtract(*band) / math.dist(*band) for band in (course.band, other.band))
        cell = grid.at(*point)
        # A crossing near the edge of a hex grid can be outside all areas. It must not move into one.
        allowed_mm = 0.0 if cell is None else grid.outline(cell).exterior.distance(Point(point)) + OFF * grid.cell
        if offset_mm + _sway_mm(grid, course) + _sway_mm(grid, other) > allowed_mm * abs(x * to_y - y * to_x):
            distances = np.clip(np.hypot(*(points - np.array(point)).T) / (_CALM * grid.cell), 0.0, 1.0)
            share *= distances**2 * (3.0 - 2.0 * distances)
    return share


def _measure_yield(grid: Grid, course: CellCourse, other: CellCourse, points: _Line) -> _Line:
    """Return how far a band moves left at each point in mm, to give way to a band that it does not cross.

    All are 0 if it crosses ``other``, or if both are rivers or neither is. A road and a river that enter at the same
    place would overlap there, so each moves aside by half. ``points`` are rows of x and y in mm on the board. Negative
    values are to the right, as seen along the band.
    """
    if course.id == other.id or other.band is None or (course.kind is Kind.RIVER) == (other.kind is Kind.RIVER):
        return np.zeros(len(points))
    assert course.band is not None
    if find_crossing(grid, course.band, other.band) is not None:
        return np.zeros(len(points))
    distance = (course.width + other.width) / 2 + _BETWEEN
    line = axis(other.band, extension_mm=2 * distance * grid.cell)
    missing_mm = np.maximum(0.0, distance * grid.cell - shapely.distance(shapely.points(points), line)) / 2
    (x, y), (to_x, to_y) = line.coords
    turns = (to_x - x) * (points[:, 1] - y) - (to_y - y) * (points[:, 0] - x)
    # The side of the other band decides. Of two bands on the same line, the river moves to one side and the road to the
    # other.
    farthest = turns[np.argmax(np.abs(turns))]
    side = float(np.sign(farthest)) if abs(farthest) > 1e-3 else (1.0 if course.kind is Kind.RIVER else -1.0)
    same = (to_x - x) * (points[-1, 0] - points[0, 0]) + (to_y - y) * (points[-1, 1] - points[0, 1])
    offsets: _Line = missing_mm * side * (1.0 if same >= 0 else -1.0)
    # Each offset becomes the mean of its neighbours, so that the line has no sharp corners.
    reach = round(0.5 / _STEP)
    weights = np.full(2 * reach + 1, 1.0 / (2 * reach + 1))
    means: _Line = exact_math.convolve(np.pad(offsets, reach, mode="edge"), weights)
    return means


def _draw_chain(
    grid: Grid, course: CellCourse, stream: Stream, *, calm: frozenset[Cell], offsets: dict[int, float]
) -> DrawnCourse:
    """Return a chain of areas with its line and width in mm on the board.

    Args:
        calm: areas without random offsets, for example crossings and towns.
        offsets: sideways, by index in the chain, in mm to the left of the direction of travel.
    """
    if any(course.beside):
        line, width = thread_wide_river(
            grid, course.cells, course.beside, stream, enters=course.enters, leaves=course.leaves
        )
        return DrawnCourse(course, line, width)
    line = thread_course(
        grid, course.cells, stream, enters=course.enters, leaves=course.leaves, calm=calm, offsets=offsets
    )
    return DrawnCourse(course, line, course_width(grid, course.kind))


_GROWING_TOGETHER: Final = (*HEIGHTS, *TREES)
# How far along the edge of the board the sea fills its areas completely, in areas.
_COAST: Final = 0.3

# Gap between ground and a river or road next to it, in areas.
_VERGE: Final = 0.03

# The smallest part of a place beyond a river that still belongs to it, in square areas.
_PART: Final = 0.06

# Width of the neck that connects the parts of a place across a river, in areas.
_NECK: Final = 0.16

# The smallest width of a settlement next to a river or road, in areas.
_LEAST: Final = 0.2

# How far a settlement or a neck may be outside its areas, in areas.
_OFF_AREA: Final = 0.02


class Shaper(Struct, frozen=True):
    """Builds the features of a sketch.

    Attributes:
        goings: the going in the rule book, by kind.
        stages: the stage that places a kind; it names the jitter stream.
    """

    sketch: Sketch
    goings: Mapping[str, Going]
    jitter: Jitter
    stages: Mapping[Kind, str]

    def features(self) -> tuple[Feature, ...]:
        """Return every feature: ground in the order placed, then courses, then crossings."""
        drawn_courses = draw_courses(self.sketch, self._stream)
        ground = tuple(self._build_ground(drawn_courses))
        courses = tuple(self._build_course(drawn_course) for drawn_course in drawn_courses)
        return (*ground, *courses, *self._build_crossings(drawn_courses))

    def _stream(self, kind: Kind, name: str) -> Stream:
        """Return the random stream for the shape of a feature, by its kind and ID."""
        return self.jitter.stream(f"{self.stages[kind]}/{name}/shape")

    def _going(self, kind: Kind) -> Going:
        """Return the going of a kind of feature."""
        return self.goings[kind.value]

    def _build_ground(self, drawn_courses: Sequence[DrawnCourse]) -> Iterator[Feature]:
        """Yield the areas and hills in the order placed; connected features of a kind that merge are one.

        Shapes are in mm on the board.
        """
        water = shapely.union_all([each.ribbon for each in drawn_courses if each.course.kind is Kind.RIVER])
        roads = shapely.union_all([each.ribbon for each in drawn_courses if each.course.kind is not Kind.RIVER])
        done_ids: set[str] = set()
        for piece in self.sketch.placings:
            if piece.id in done_ids:
                continue
            group = self._find_group(piece)
            done_ids.update(each.id for each in group)
            yield from self._build_features(group, water, roads)

    def _find_group(self, piece: AreaFeature) -> tuple[AreaFeature, ...]:
        """Return a feature and all connected features of its kind, in the order placed.

        Kinds that do not merge give only the feature.
        """
        if piece.kind not in _GROWING_TOGETHER:
            return (piece,)
        same_kind = tuple(self.sketch.of(piece.kind))
        group = next(
            cells
            for cells in find_cell_groups(self.sketch.grid, [cell for feature in same_kind for cell in feature.cells])
            if piece.cells[0] in cells
        )
        return tuple(feature for feature in same_kind if feature.cells[0] in group)

    def _build_features(
        self, pieces: tuple[AreaFeature, ...], water: BaseGeometry, roads: BaseGeometry
    ) -> Iterator[Feature]:
        """Yield one hill, or an area for each outline, from features of one kind that merge.

        ``water`` and ``roads`` are the outlines of all rivers and of all roads and railways, in mm on the board.
        """
        grid, first = self.sketch.grid, pieces[0]
        cells = tuple(cell for each in pieces for cell in each.cells)
        stream = self._stream(first.kind, first.id)
        clauses = dict.fromkeys(clause for piece in pieces for clause in piece.clauses)
        throws = sorted({throw for piece in pieces for throw in piece.throws})
        origin = Origin(clauses=tuple(clauses), throws=tuple(throws))
        if first.kind in HEIGHTS:
            upper = tuple(cell for each in pieces if each.contours > 1 for cell in each.cells)
            yield Hill(
                id=first.id,
                kind=first.kind,
                contours=grow_contours(grid, cells, upper, stream),
                going=self._going(first.kind),
                origin=origin,
                cells=cells,
            )
            return
        for number, outline in enumerate(self._build_outlines(first.kind, cells, stream, water, roads), 1):
            yield Area(
                id=first.id if number == 1 else f"{first.id}-{number}",
                kind=first.kind,
                outline=outline,
                going=self._going(first.kind),
                origin=origin,
                cells=cells,
            )

    def _build_outlines(
        self, kind: Kind, cells: tuple[Cell, ...], stream: Stream, water: BaseGeometry, roads: BaseGeometry
    ) -> tuple[Polygon, ...]:
        """Return the outlines of ground other than hills, in mm on the board; a field has one for each strip.

        ``water`` and ``roads`` are the outlines of all rivers and of all roads and railways.
        """
        grid = self.sketch.grid
        if kind in FIELDS:
            return tuple(quad for cell in cells for quad in draw_fields(grid, cell, stream))
        if kind is Kind.SETTLEMENT and len(cells) == 1:
            return (_settlement_outline(grid, cells[0], stream, shapely.union(water, roads)),)
        outline = grow_outline(grid, cells, stream)
        if kind is Kind.SEA:
            return (_extend_to_edge(grid, cells, outline),)
        if kind in (*HABITATION, *TREES):
            return (_subtract_water(outline, water, grid, cells),)
        return (outline,)

    def _build_course(self, drawn_course: DrawnCourse) -> Course:
        """Return the feature of a course, with the going of its kind."""
        course = drawn_course.course
        return Course(
            id=course.id,
            kind=course.kind,
            line=drawn_course.line,
            width=drawn_course.width,
            going=self._going(course.kind),
            origin=Origin(clauses=course.clauses, throws=course.throws),
            cells=course.cells,
        )

    def _build_crossings(self, drawn_courses: Sequence[DrawnCourse]) -> Iterator[Crossing]:
        """Yield the crossing of each passage of the sketch, at the point where the drawn lines cross.

        Positions are in mm on the board, bearings in degrees anticlockwise from +x.
        """
        by_id = {drawn_course.course.id: drawn_course for drawn_course in drawn_courses}
        for passage in self.sketch.passages:
            point, bearing = by_id[passage.way].find_crossing_point(by_id[passage.water], passage, self.sketch.grid)
            yield Crossing(
                id=passage.id,
                kind=passage.kind,
                at=point,
                bearing=bearing,
                route=passage.way,
                water=passage.water,
                going=self._going(passage.kind),
                origin=Origin(clauses=passage.clauses, throws=passage.throws),
                cells=passage.cells,
            )


def _subtract_water(outline: Polygon, water: BaseGeometry, grid: Grid, cells: Sequence[Cell]) -> Polygon:
    """Return ground without the river that runs through it; a neck connects large parts on both banks.

    Outlines are in mm on the board. Small parts on the other bank are dropped. A wide river beside an area of
    ``cells`` can cover all of it; the ground then keeps that area.
    """
    if water.is_empty or not outline.intersects(water):
        return outline
    parts = shapely.get_parts(outline.difference(water.buffer(_VERGE * grid.cell)))
    main_part, *other_parts = sorted(parts, key=lambda part: -part.area)
    areas = np.array([grid.outline(cell) for cell in cells], dtype=object)
    for part in other_parts:
        if part.area >= _PART * grid.cell**2:
            neck = _find_neck(main_part, part, outline, grid).buffer(_NECK * grid.cell / 2)
            ground = shapely.union_all([outline, *areas])
            if not ground.buffer(_OFF_AREA * grid.cell).contains(neck):
                neck = neck.intersection(ground)
            main_part = largest_polygon(shapely.union_all([main_part, part, neck]))
    covered_areas = areas[shapely.area(shapely.intersection(areas, main_part)) < _PART * grid.cell**2]
    if len(covered_areas):
        return _subtract_water(outline, water.difference(shapely.union_all(covered_areas)), grid, ())
    return main_part


def _find_neck(main_part: Polygon, part: Polygon, outline: Polygon, grid: Grid) -> LineString:
    """Return the shortest line between two parts whose neck stays on the ground, if there is one.

    Shapes are in mm on the board. Without such a line, return the shortest line of all. Ground has a waist between two
    areas, and the shortest line along a waist leaves the ground.

    Args:
        main_part: the largest part of the ground.
        part: the part to connect.
        outline: the ground before the river was subtracted.
    """
    wide = _NECK * grid.cell
    shortest: LineString = shapely.shortest_line(main_part, part)
    if outline.buffer(wide / 2).contains(shortest.buffer(wide / 2)):
        return shortest
    starts = shapely.points(shapely.get_coordinates(shapely.segmentize(main_part.exterior, wide)))
    lines = shapely.shortest_line(starts, part)
    inner_lines = lines[shapely.covers(outline.buffer(-wide / 2), lines)]
    return min(inner_lines, key=lambda line: round(line.length, 6), default=shortest)


def _settlement_outline(grid: Grid, cell: Cell, stream: Stream, taken_area: BaseGeometry) -> Polygon:
    """Return the outline of a settlement in mm on the board: in the centre of its cell if that is free.

    Otherwise it is moved off ``taken_area``, the ground of rivers and roads, and can be smaller.
    """
    plot = draw_plot(grid, cell, stream)
    free_area = grid.outline(cell).buffer(-_VERGE * grid.cell).difference(taken_area.buffer(_VERGE * grid.cell))
    if free_area.contains(plot) or free_area.is_empty:
        return plot
    radius_line = shapely.maximum_inscribed_circle(largest_polygon(free_area), tolerance=grid.cell / 200)
    (x, y), radius = radius_line.coords[0], max(float(radius_line.length), _LEAST * grid.cell / 2)
    reach = float(shapely.hausdorff_distance(plot.centroid, plot.exterior))
    size = min(1.0, 1.15 * radius / reach)
    outline = _move_plot(plot, x, y, size)
    if not grid.outline(cell).buffer(_OFF_AREA * grid.cell).contains(outline):
        # The free ground at the edge of the area is narrower than the smallest settlement.
        inner_area = grid.outline(cell).buffer(-size * reach)
        x, y = nearest_points(inner_area, Point(x, y))[0].coords[0]
        outline = _move_plot(plot, x, y, size)
    return outline


def _move_plot(plot: Polygon, x: float, y: float, size: float) -> Polygon:
    """Return a plot with its centre at a point, scaled by the factor ``size``; lengths are in mm on the board."""
    middle = plot.centroid
    moved_outline = shapely.affinity.translate(plot, x - middle.x, y - middle.y)
    return shapely.affinity.scale(moved_outline, size, size, origin=(x, y))


def _extend_to_edge(grid: Grid, cells: Sequence[Cell], outline: Polygon) -> Polygon:
    """Return the outline of a sea in mm on the board. It fills its cells completely along the board edge.

    ``outline`` is the natural outline of the sea in these cells.
    """
    rim = grid.hull().exterior.buffer(_COAST * grid.cell)
    cell_area = shapely.union_all([grid.outline(cell) for cell in cells])
    return largest_polygon(
        shapely.union(outline, cell_area.intersection(rim)).buffer(0.05 * grid.cell).intersection(cell_area)
    )
