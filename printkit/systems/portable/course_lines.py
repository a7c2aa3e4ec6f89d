"""Lines of rivers, roads and railways, and where they cross.

A line is a straight band that sways, or a curve through the sides of the areas of a chain. Each line keeps apart from
the earlier ones, except where it crosses them. Lengths are in mm on the board, unless a comment says areas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points, substring

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.systems.portable.grid.bands import axis, find_crossing
from printkit.systems.portable.grid.sketch import HABITATION, ROADS, CellCourse, Passage, Sketch
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.measure import interpolate_points, line_bearing, ribbon
from printkit.terrain.gridded.cell_courses import course_width, thread_course, thread_wide_river

_Points = NDArray[np.float64]
# Return the random stream for the shape of a feature, by its kind and ID.
Streams = Callable[[Kind, str], Stream]

# How far a crossing of two bands may be outside its area, in areas.
_OFF: Final = 0.25

# Length of line that gives the direction at a crossing, in areas.
_BEARING_OVER: Final = 0.12

# How far a straight band sways to either side, in areas: rivers, then roads.
_SWAY: Final = {Kind.RIVER: 0.075}
_SWAY_OF_ROADS: Final = 0.06

# The waves of a band's sway: wavelength in areas, share of the sway.
_WAVES: Final = ((2.9, 0.7), (1.3, 0.3))

# Length of a band past the edge of the board, and step between points of a line, in areas.
_PAST_EDGE: Final = 1.5
_STEP: Final = 0.02

# How far a line may leave the centre line of its band (PW1-15) or the areas of its chain (PW0-18), in areas.
_OFF_BAND: Final = 0.74
_OFF_CHAIN: Final = 0.09

# Dry ground between two courses that run side by side, in areas.
_BANK: Final = 0.07

# Distance along the other course for 1 mm across it: a crossing at 60 degrees.
_SLANT: Final = 0.6

# A course that passes another within this length is steep enough already, in gaps: a crossing at about 45 degrees.
_STEEP: Final = 2.2

# Length of a rounded corner, and of the other course that gives the direction of its bank, in areas.
_ROUNDING: Final = 0.36
_REACH: Final = 0.5


class DrawnCourse(Struct, frozen=True):
    """A linear feature with its line and width in mm on the board."""

    course: CellCourse
    line: LineString
    width: float

    @property
    def ribbon(self) -> Polygon:
        """Return the outline of the ground that the course covers, in mm on the board."""
        return ribbon(self.line, self.width)

    def count_meetings(self, other: DrawnCourse, grid: Grid) -> int:
        """Return how often the course meets another on the board."""
        points = self.line.intersection(other.line).intersection(grid.hull())
        return 0 if points.is_empty else int(shapely.get_num_geometries(points))

    def find_crossing_point(self, other: DrawnCourse, passage: Passage, grid: Grid) -> tuple[Point, float]:
        """Return the point where the course crosses another, and the course's bearing there in degrees.

        The point is in mm on the board, the bearing anticlockwise from +x, -180 to 180. If there are several points, it
        is the one nearest to the place that the rules give. Lines that only run side by side count as crossing at the
        point where they are closest.

        Args:
            other: the other course.
            passage: the crossing in the rules, with its areas or its point.
            grid: the grid.
        """
        near = _passage_point(passage, grid)
        ground = shapely.union_all([grid.outline(cell) for cell in passage.cells])
        points = [part.centroid for part in shapely.get_parts(self.line.intersection(other.line)) if not part.is_empty]
        tolerance = (_OFF if passage.at else 0.1) * grid.cell
        inside = [point for point in points if ground.is_empty or ground.distance(point) < tolerance]
        if inside:
            point = min(inside, key=lambda candidate: round(candidate.distance(near), 6))
        else:
            piece = self.line.intersection(ground.buffer(tolerance))
            point = Point(shapely.shortest_line(piece if not piece.is_empty else self.line, other.line).coords[0])
        return point, line_bearing(self.line, self.line.project(point), _BEARING_OVER * grid.cell)


def _passage_point(passage: Passage, grid: Grid) -> Point:
    """Return the place that the rules give for a crossing, in mm on the board."""
    return Point(passage.at or grid.centre(passage.cells[-1]))


def draw_courses(sketch: Sketch, streams: Streams) -> tuple[DrawnCourse, ...]:
    """Return every course of a sketch with its line and width in mm on the board, in the same order.

    Each keeps apart from the earlier ones, and roads are joined to earlier ones. ``streams`` gets a kind and an ID and
    returns the random stream of that course.
    """
    calm = sketch.select_cells(*HABITATION) | {passage.cells[-1] for passage in sketch.passages if passage.cells}
    drawn_courses: list[DrawnCourse] = []
    for course in sketch.ways:
        drawn_course = _draw_course(sketch, course, streams(course.kind, course.id), calm)
        rivers = [each for each in drawn_courses if each.course.kind is Kind.RIVER and course.kind is not Kind.RIVER]
        for earlier in drawn_courses:
            if not (course.kind is earlier.course.kind is Kind.RIVER and (course.is_wide or course.band is not None)):
                other_rivers = [each for each in rivers if each is not earlier]
                drawn_course = _keep_apart(sketch, drawn_course, earlier, other_rivers=other_rivers)
        drawn_courses.append(_join_road(drawn_course, drawn_courses))
    return _straighten_strays(sketch, tuple(drawn_courses))


def _straighten_strays(sketch: Sketch, drawn_courses: tuple[DrawnCourse, ...]) -> tuple[DrawnCourse, ...]:
    """Return the courses with as few straight bands as possible, so that roads cross rivers where the rules say.

    Wide bands in the same areas cannot always keep apart. Where straight bands do not help either, nothing changes.
    """
    if _has_strays(sketch, drawn_courses):
        bands = {each.course.id: each.course.band for each in drawn_courses if each.course.band is not None}
        for count in range(1, len(bands) + 1):
            for ids in combinations(bands, count):
                straight_courses = tuple(
                    replace(each, line=axis(bands[each.course.id], _PAST_EDGE * sketch.grid.cell))
                    if each.course.id in ids
                    else each
                    for each in drawn_courses
                )
                if not _has_strays(sketch, straight_courses):
                    return straight_courses
    return drawn_courses


def _has_strays(sketch: Sketch, drawn_courses: Sequence[DrawnCourse]) -> bool:
    """Return whether the bands of a road and a river do not meet once, and in the areas that the rules say."""
    grounds = {
        (passage.way, passage.water): shapely.union_all([sketch.grid.outline(cell) for cell in passage.cells])
        for passage in sketch.passages
    }
    for road, river in product(drawn_courses, drawn_courses):
        if None in (road.course.band, river.course.band):
            continue
        if road.course.kind is Kind.RIVER or river.course.kind is not Kind.RIVER:
            continue
        points = road.line.intersection(river.line).intersection(sketch.grid.hull())
        ground = grounds.get((road.course.id, river.course.id))
        if ground is None and not points.is_empty:
            return True
        if ground is not None and (
            shapely.get_num_geometries(points) != 1 or ground.distance(points) > _OFF * sketch.grid.cell
        ):
            return True
    return False


def _draw_course(sketch: Sketch, course: CellCourse, stream: Stream, calm: frozenset[Cell]) -> DrawnCourse:
    """Return a course with its line and width in mm on the board, as if there were no others."""
    grid = sketch.grid
    if course.band is not None:
        drawn_course = _draw_band(grid, course, stream)
        if course.kind is not Kind.RIVER:
            return drawn_course
        # A road that enters at the same place cannot give way far enough alone.
        for other in sketch.ways:
            if other.kind is Kind.RIVER or other.band is None:
                continue
            if find_crossing(grid, course.band, other.band) is None:
                line = axis(other.band, _PAST_EDGE * grid.cell)
                drawn_course = _keep_apart(sketch, drawn_course, DrawnCourse(other, line, other.width * grid.cell), 0.5)
        return drawn_course
    if any(course.beside):
        line, width = thread_wide_river(
            grid, course.cells, course.beside, stream, enters=course.enters, leaves=course.leaves
        )
        return DrawnCourse(course, line, width)
    line = thread_course(grid, course.cells, stream, enters=course.enters, leaves=course.leaves, calm=calm)
    return DrawnCourse(course, line, course_width(grid, course.kind))


def _draw_band(grid: Grid, course: CellCourse, stream: Stream) -> DrawnCourse:
    """Return a straight band that sways about its centre line, with its line and width in mm on the board.

    It extends over the edge of the board.
    """
    assert course.band is not None
    straight = axis(course.band, _PAST_EDGE * grid.cell)
    distances = np.linspace(0.0, straight.length, round(straight.length / (_STEP * grid.cell)) + 1)
    (x, y), (to_x, to_y) = straight.coords
    left = np.array([-(to_y - y), to_x - x]) / straight.length
    offsets = np.zeros(len(distances))
    for wave, share in _WAVES:
        turn, length = stream.between(0.0, 2 * math.pi), wave * grid.cell * stream.between(0.85, 1.15)
        offsets += share * exact_math.sin(2 * math.pi * distances / length + turn)
    offsets *= _SWAY.get(course.kind, _SWAY_OF_ROADS) * grid.cell
    points = interpolate_points(straight, distances) + offsets[:, None] * left
    return DrawnCourse(course, LineString(points), course.width * grid.cell)


# --- Lines that keep apart --------------------------------------------------------------------------------------------


def _keep_apart(
    sketch: Sketch,
    drawn_course: DrawnCourse,
    other: DrawnCourse,
    share: float = 1.0,
    other_rivers: Sequence[DrawnCourse] = (),
) -> DrawnCourse:
    """Return a course moved aside where it is too near another; the line is in mm on the board.

    If it changes sides, it crosses the other course once, at the place of the rules if they give one. Where there is no
    room in its areas, it moves less or not at all.

    Args:
        sketch: the grid and the crossings of the rules.
        drawn_course: the course to move.
        other: the course that stays.
        share: how much of the missing distance it moves, 0 to 1.
        other_rivers: courses that it must cross as often as before.
    """
    grid, line = sketch.grid, drawn_course.line
    gap, step = (drawn_course.width + other.width) / 2 + _BANK * grid.cell, _STEP * grid.cell
    if line.distance(other.line) >= gap:
        return drawn_course
    points = interpolate_points(line, np.linspace(0.0, line.length, max(3, round(line.length / step) + 1)))
    distances = shapely.line_locate_point(other.line, shapely.points(points))
    bases, normals = _measure_frames(other.line, distances, _REACH * grid.cell / 2)
    offsets = ((points - bases) * normals).sum(axis=1)
    is_near = np.hypot(*(points - bases).T) < gap
    is_inside = shapely.contains_xy(grid.hull(), points)
    crossings = _find_crossings(sketch, drawn_course.course, other.course)
    allowed_area = _allowed_area(grid, drawn_course.course)
    is_bound = is_inside | (drawn_course.course.band is not None)
    moves, result = np.zeros(len(points)), drawn_course
    for run in _find_runs(is_near):
        has_board_end = (run.start == 0 and is_inside[0]) or (run.stop == len(points) and is_inside[-1])
        if has_board_end or not is_inside[run].any():
            continue
        due_point = _find_due(crossings, points[run], gap + grid.cell / 2)
        targets = _find_targets(
            distances[run], offsets[run], is_inside[run], other.line, due_point, gap, _OFF * grid.cell
        )
        # A course that is far enough on the right side stays where it is.
        goal_offsets = np.sign(targets) * np.maximum(np.sign(targets) * offsets[run], np.abs(targets))
        for part in (share, share / 2, share / 4):
            trial_moves = moves.copy()
            trial_moves[run] = part * (goal_offsets - offsets[run])
            new_points = points + normals * trial_moves[:, None]
            places = shapely.points(new_points)
            is_outside = (trial_moves != 0) & is_bound & ~shapely.covers(allowed_area, places)
            if is_outside.any():
                shortest_lines = shapely.shortest_line(allowed_area, places[is_outside])
                new_points[is_outside] = shapely.get_coordinates(shortest_lines)[::2]
            moved_course = replace(drawn_course, line=_round_corners(new_points, line, step, _ROUNDING * grid.cell))
            if _keeps_areas(grid, moved_course) and all(
                moved_course.count_meetings(each, grid) == drawn_course.count_meetings(each, grid)
                for each in other_rivers
            ):
                moves, result = trial_moves, moved_course
                break
    return result


def _keeps_areas(grid: Grid, drawn_course: DrawnCourse) -> bool:
    """Return whether a line has no loops, ends where its course ends, and a chain passes through its sides."""
    course, line = drawn_course.course, drawn_course.line
    ends = [course.enters, course.leaves] if course.band is None else [0, 0]
    if not line.is_simple or any(
        side is not None and grid.hull().contains(Point(line.coords[index]))
        for index, side in zip((0, -1), ends, strict=True)
    ):
        return False
    sides = pairwise(course.cells) if course.band is None and not any(course.beside) else ()
    return _allowed_area(grid, course).buffer(0.01 * grid.cell).covers(line.intersection(grid.hull())) and all(
        grid.face(cell, grid.find_direction(cell, other)).distance(line) <= _OFF_CHAIN * grid.cell
        for cell, other in sides
    )


def _find_runs(is_near: NDArray[np.bool_]) -> Iterator[slice]:
    """Yield each run of true values."""
    steps = np.diff(np.concatenate([[0], is_near.astype(int), [0]]))
    for first, last in zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1), strict=True):
        yield slice(int(first), int(last))


def _find_crossings(sketch: Sketch, course: CellCourse, other: CellCourse) -> list[Point]:
    """Return the places where the rules let a course cross another, in mm on the board."""
    if course.band is not None and other.band is not None:
        crossing = find_crossing(sketch.grid, course.band, other.band)
        return [] if crossing is None else [Point(crossing)]
    return [
        _passage_point(passage, sketch.grid)
        for passage in sketch.passages
        if {passage.way, passage.water} == {course.id, other.id}
    ]


def _find_due(crossings: Sequence[Point], points: _Points, reach: float) -> Point | None:
    """Return the crossing of the rules that is nearest to a run of points, if one is in ``reach`` mm."""
    line = LineString(points) if len(points) > 1 else Point(points[0])
    return min(
        (point for point in crossings if point.distance(line) < reach),
        key=lambda point: round(point.distance(line), 6),
        default=None,
    )


def _find_targets(
    distances: _Points,
    offsets: _Points,
    is_inside: NDArray[np.bool_],
    other: LineString,
    due_point: Point | None,
    gap: float,
    tolerance: float,
) -> _Points:
    """Return how far to the left of another line each point of a run should be, in mm; negative to the right.

    Args:
        distances: the distance along the other line, of each point.
        offsets: how far to the left each point is.
        is_inside: whether each point is on the board.
        other: the other line.
        due_point: the crossing of the rules, if one is due.
        gap: the distance at which the lines are apart.
        tolerance: how far from ``due`` the lines may cross, along the other line.
    """
    arrival_side = np.sign(offsets[0]) if is_inside[0] else 0.0
    leaving_side = np.sign(offsets[-1]) if is_inside[-1] else 0.0
    if (
        arrival_side * leaving_side
        and (due_point is not None or arrival_side != leaving_side)
        and abs(distances[-1] - distances[0]) < _STEEP * gap
    ):
        return offsets
    if due_point is not None and not arrival_side * leaving_side:
        arrival_side, leaving_side = arrival_side or -leaving_side, leaving_side or -arrival_side
    if arrival_side * leaving_side >= 0 and (arrival_side or leaving_side or due_point is None):
        board_offsets = offsets[is_inside]
        side = arrival_side or leaving_side or np.sign(board_offsets[np.argmax(np.abs(board_offsets))]) or 1.0
        return np.full(len(offsets), gap * side)
    if not arrival_side:
        arrival_side, leaving_side = np.sign(offsets[0]) or 1.0, -(np.sign(offsets[0]) or 1.0)
    crossing = float(np.median(distances)) if due_point is None else float(other.project(due_point))
    crossing_indexes = np.flatnonzero(np.diff(np.sign(offsets)))
    if len(crossing_indexes) == 1 and (due_point is None or abs(distances[crossing_indexes[0]] - crossing) < tolerance):
        crossing = float(distances[crossing_indexes[0]])
    heading = 1.0 if distances[-1] >= distances[0] else -1.0
    targets: _Points = gap * leaving_side * np.clip(heading * (distances - crossing) / (_SLANT * gap), -1.0, 1.0)
    return targets


def _measure_frames(line: LineString, distances: _Points, reach: float) -> tuple[_Points, _Points]:
    """Return points on a line, and the unit normal to its left at each; both are rows of x and y in mm on the board.

    ``distances`` along the line are in mm. The line from ``reach`` mm before to as much after gives the direction.
    """
    course = interpolate_points(line, np.minimum(distances + reach, line.length)) - interpolate_points(
        line, np.maximum(distances - reach, 0.0)
    )
    course /= np.sqrt((course * course).sum(axis=1))[:, None]
    return interpolate_points(line, distances), np.column_stack([-course[:, 1], course[:, 0]])


def _allowed_area(grid: Grid, course: CellCourse) -> BaseGeometry:
    """Return the area in which the centre line of a course may run, in mm on the board."""
    if course.band is not None:
        return axis(course.band, extension_mm=3 * grid.cell).buffer(_OFF_BAND * grid.cell, cap_style="flat")
    cells = {*course.cells, *filter(None, course.beside)}
    return shapely.union_all([grid.outline(cell) for cell in sorted(cells)]).buffer(_OFF_CHAIN * grid.cell)


def _round_corners(points: _Points, old_line: LineString, step: float, window: float) -> LineString:
    """Return the line through points, with rounded corners where it differs from ``old_line``.

    ``step`` is the distance between points of the result, and ``window`` the length of a rounded corner, in mm.
    """
    raw_line = LineString(points)
    dense = interpolate_points(raw_line, np.linspace(0.0, raw_line.length, max(3, round(raw_line.length / step) + 1)))
    reach = max(1, round(window / step / 2))
    share = np.full(2 * reach + 1, 1.0 / (2 * reach + 1))
    wide = np.pad(dense, ((reach, reach), (0, 0)), mode="edge")
    mean = np.column_stack([exact_math.convolve(wide[:, axis], share) for axis in (0, 1)])
    moved_indices = np.flatnonzero(shapely.distance(old_line, shapely.points(dense)) > step / 4)
    if not len(moved_indices):
        return old_line
    eased_slice = slice(max(reach, moved_indices[0] - reach), min(len(dense) - reach, moved_indices[-1] + reach + 1))
    dense[eased_slice] = mean[eased_slice]
    return LineString(dense)


# --- Roads that join others -------------------------------------------------------------------------------------------


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
    rivers = [
        each for each in last_courses if each.course.kind is Kind.RIVER and not each.course.share(course.cells[-2])
    ]
    meetings = [
        (joined.line.project(Point(point)), Point(point), river)
        for river in rivers
        for point in shapely.get_coordinates(joined.line.intersection(river.line))
    ]
    if not meetings:
        return joined
    _, met, river = min(meetings, key=lambda meeting: round(meeting[0], 6))
    return _join_before_river(joined, road, river, met)


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
