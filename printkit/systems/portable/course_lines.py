"""Lines of rivers, roads and railways: crossing points, and bends where one runs along a river before it crosses.

Lengths are in mm on the board, unless a comment says areas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.systems.portable.grid.bands import axis
from printkit.systems.portable.grid.sketch import CellCourse, Passage, Sketch
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Grid
from printkit.terrain.geometry.measure import crossing_angle, interpolate_points, line_bearing, ribbon

# How far sway may move the crossing of two bands out of its area, in areas.
OFF: Final = 0.25

# Length of line that gives the direction at a crossing, in areas.
_BEARING_OVER: Final = 0.12


class DrawnCourse(Struct, frozen=True):
    """A linear feature with its line and width in mm on the board."""

    course: CellCourse
    line: LineString
    width: float

    @property
    def ribbon(self) -> Polygon:
        """Return the outline of the ground that the course covers, in mm on the board."""
        return ribbon(self.line, self.width)

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
        near = Point(passage.at) if passage.at else Point(grid.centre(passage.cells[-1]))
        ground = shapely.union_all([grid.outline(cell) for cell in passage.cells])
        points = [part.centroid for part in shapely.get_parts(self.line.intersection(other.line)) if not part.is_empty]
        tolerance = (OFF if passage.at else 0.1) * grid.cell
        inside = [point for point in points if ground.is_empty or ground.distance(point) < tolerance]
        if inside:
            point = min(inside, key=lambda candidate: round(candidate.distance(near), 6))
        else:
            piece = self.line.intersection(ground)
            point = Point(shapely.shortest_line(piece if not piece.is_empty else self.line, other.line).coords[0])
        return point, line_bearing(self.line, self.line.project(point), _BEARING_OVER * grid.cell)


# --- The bend: along one bank, over the river, and along the other ----------------------------------------------------

_Points = NDArray[np.float64]

# A crossing at a smaller angle than this gets a bend, in degrees.
_LEAST_ANGLE: Final = 30.0

# How far a bend may leave the centre line of a band (PW1-15) or the areas of a chain (PW0-18), in areas.
_OFF_BAND: Final = 0.74
_OFF_CHAIN: Final = 0.09

# Step between points of a bent line, in areas.
_STEP: Final = 0.02

# Dry ground between a river and a course that follows its bank, in areas.
_BANK: Final = 0.07

# Distance along the river for 1 mm across it: a crossing at 66 degrees.
_SLANT: Final = 0.45

# Rounding length at the corners of a bend, in areas; at most half the length of the crossing.
_ROUNDING: Final = 0.36

# Length of river that gives the direction of its bank, in areas.
_REACH: Final = 0.5


def bend_courses(sketch: Sketch, drawn_courses: Sequence[DrawnCourse]) -> Iterator[DrawnCourse]:
    """Yield all courses, with bends where they cross a river at a small angle and the rules allow it.

    A small angle is under 30 degrees. The order is kept. Courses that need no bend are yielded unchanged.
    """
    rivers = {
        drawn_course.course.id: drawn_course for drawn_course in drawn_courses if drawn_course.course.kind is Kind.RIVER
    }
    for drawn_course in drawn_courses:
        bent_course = drawn_course
        for passage in sketch.passages:
            if passage.way == drawn_course.course.id and passage.water in rivers:
                bend = _Bend(sketch, bent_course, rivers[passage.water], passage)
                bent_course = bend.bend_course(tuple(rivers.values()))
        yield bent_course


class _Bend(Struct, frozen=True):
    """A course and a river that it crosses."""

    sketch: Sketch
    drawn_course: DrawnCourse
    river: DrawnCourse
    passage: Passage

    @property
    def centre_distance(self) -> float:
        """Return the distance between both centre lines that leaves dry ground, in mm on the board."""
        return (self.drawn_course.width + self.river.width) / 2 + _BANK * self.sketch.grid.cell

    def bend_course(self, rivers: Sequence[DrawnCourse]) -> DrawnCourse:
        """Return the course with a bend, or unchanged if a bend is not needed or would break the rules.

        ``rivers`` are all drawn rivers, whose crossings must stay. The line is in mm on the board.
        """
        grid, line = self.sketch.grid, self.drawn_course.line
        point, _ = self.drawn_course.find_crossing_point(self.river, self.passage, grid)
        crosses = not line.intersection(self.river.line).is_empty
        is_steep = crosses and crossing_angle(point, line, self.river.line, _BEARING_OVER * grid.cell) >= _LEAST_ANGLE
        if is_steep and not self._leaves_beside_river(point):
            return self.drawn_course
        bent_line = self._build_bent_line(point)
        if bent_line is None or not bent_line.is_simple:
            return self.drawn_course
        bent_course = replace(self.drawn_course, line=bent_line)
        return bent_course if self._keeps_rules(bent_course, rivers) else self.drawn_course

    def _leaves_beside_river(self, point: Point) -> bool:
        """Return whether the course leaves the board beside the river that it crosses at ``point``.

        The point is in mm on the board.
        """
        river_part = self.drawn_course.line.intersection(self.river.line.buffer(self.centre_distance))
        part = min(shapely.get_parts(river_part), key=lambda candidate: float(candidate.distance(point)))
        return not part.within(self.sketch.grid.hull())

    def _keeps_rules(self, bent_course: DrawnCourse, rivers: Sequence[DrawnCourse]) -> bool:
        """Return whether a bent course keeps its river crossings, its ends and the areas of its chain.

        A course that is a band only keeps its crossings and ends.
        """
        grid = self.sketch.grid
        hull = grid.hull()
        if hull.intersects(bent_course.line.boundary.difference(self.drawn_course.line.boundary)):
            return False
        for river in rivers:
            crossings, old_crossings = (
                line.intersection(river.line).intersection(hull) for line in (bent_course.line, self.drawn_course.line)
            )
            if river.course.id != self.river.course.id:
                if shapely.get_num_geometries(crossings) != shapely.get_num_geometries(old_crossings):
                    return False
                if self._leaves_areas(river, crossings) and not self._leaves_areas(river, old_crossings):
                    return False
            elif len(shapely.get_parts(crossings)) > self._count_crossings():
                return False
            elif not crossings.is_empty and self.passage.cells:
                ground = shapely.union_all([grid.outline(cell) for cell in self.passage.cells])
                if ground.distance(crossings) > _OFF_CHAIN * grid.cell:
                    return False
        if bent_course.course.band is not None:
            return True
        faces = [
            grid.face(first, grid.find_direction(first, second)) for first, second in pairwise(bent_course.course.cells)
        ]
        tolerance, chain_ground = _OFF_CHAIN * grid.cell, self._chain_ground()
        return chain_ground.covers(bent_course.line.intersection(hull)) and all(
            bent_course.line.distance(face) <= tolerance for face in faces
        )

    def _leaves_areas(self, river: DrawnCourse, crossings: BaseGeometry) -> bool:
        """Return whether the course does not cross another river near the areas that the rules give for it.

        ``crossings`` are the points where both lines cross, in mm on the board.
        """
        grid, road, water = self.sketch.grid, self.passage.way, river.course.id
        return any(
            shapely.union_all([grid.outline(cell) for cell in passage.cells]).distance(crossings) > OFF * grid.cell
            for passage in self.sketch.passages
            if (passage.way, passage.water) == (road, water) and passage.cells
        )

    def _chain_ground(self) -> BaseGeometry:
        """Return the ground where a bent chain may run: its areas and a strip around them, in mm on the board."""
        grid = self.sketch.grid
        return shapely.union_all([grid.outline(cell) for cell in self.drawn_course.course.cells]).buffer(
            _OFF_CHAIN * grid.cell
        )

    def _count_crossings(self) -> int:
        """Return how many times the course crosses the river by the rules, from the passages of the sketch."""
        course, water = self.passage.way, self.passage.water
        return sum(passage.way == course and passage.water == water for passage in self.sketch.passages)

    def _allowed_area(self) -> BaseGeometry:
        """Return the area in which the centre line of the course may run, in mm on the board.

        It includes ground beyond the edge of the board.
        """
        grid, course = self.sketch.grid, self.drawn_course.course
        if course.band is not None:
            return axis(course.band, extension_mm=3 * grid.cell).buffer(_OFF_BAND * grid.cell, cap_style="flat")
        outside = grid.hull().buffer(2 * grid.cell).difference(grid.hull().buffer(0.01))
        return shapely.union(self._chain_ground(), outside)

    def _build_bent_line(self, point: Point) -> LineString | None:
        """Return the line bent along the banks near ``point``, and across the river there, in mm on the board.

        If the course leaves on the side from which it came, the line keeps to that bank and does not cross. None if the
        course is not close to the river at ``point``, or if it ends on the board beside the river, because there is no
        bank to follow.
        """
        line, river = self.drawn_course.line, self.river.line
        step = _STEP * self.sketch.grid.cell
        line_distances = np.linspace(0.0, line.length, max(3, round(line.length / step) + 1))
        points = interpolate_points(line, line_distances)
        distances, offsets = self._measure_position(points)
        middle = int(np.argmin(np.abs(line_distances - line.project(point))))
        is_near = np.abs(offsets) < self.centre_distance
        if not is_near[middle]:
            return None
        first, last = _find_run(is_near, middle)
        sides = self._find_sides(points, offsets, first, last)
        if sides is None:
            return None
        before, after = sides
        allowed_area, run_slice = self._allowed_area(), slice(first, last + 1)
        heading = 1.0 if distances[last] >= distances[first] else -1.0
        crossing = float(river.project(point))
        distance_past = heading * (distances[run_slice] - crossing)
        if before == after:
            bank = self._place_on_bank(allowed_area, distances[run_slice], np.full(len(distance_past), before))
            return _round_corners(np.vstack([points[:first], bank, points[last + 1 :]]), step, _ROUNDING / _STEP, line)
        half_length = _SLANT * self.centre_distance
        ends = crossing + heading * half_length * np.array([-1.0, 1.0])
        route = [
            points[:first],
            self._place_on_bank(
                allowed_area,
                distances[run_slice][distance_past < -half_length],
                np.full(int((distance_past < -half_length).sum()), before),
            ),
            self._place_on_bank(allowed_area, ends, np.array([before, after])),
            self._place_on_bank(
                allowed_area,
                distances[run_slice][distance_past > half_length],
                np.full(int((distance_past > half_length).sum()), after),
            ),
            points[last + 1 :],
        ]
        window = min(_ROUNDING / _STEP, self.centre_distance / step)
        return _round_corners(np.vstack(route), step, window, line)

    def _measure_position(self, points: _Points) -> tuple[_Points, _Points]:
        """Return the distance of each point along the river, and its offset to the left of the river, in mm.

        The points are rows of x and y in mm on the board.
        """
        distances = shapely.line_locate_point(self.river.line, shapely.points(points))
        river_points, normals = self._measure_frames(distances)
        return distances, ((points - river_points) * normals).sum(axis=1)

    def _measure_frames(self, distances: _Points) -> tuple[_Points, _Points]:
        """Return points on the river's centre line, and the unit normal to its left at each point.

        Both are rows of x and y, the points in mm on the board. ``distances`` along the river are in mm; those before
        its start or past its end count as that end.
        """
        line, reach = self.river.line, _REACH * self.sketch.grid.cell / 2
        line_distances = np.clip(distances, 0.0, line.length)
        course = interpolate_points(line, np.minimum(line_distances + reach, line.length)) - interpolate_points(
            line, np.maximum(line_distances - reach, 0.0)
        )
        course /= np.sqrt((course * course).sum(axis=1))[:, None]
        return interpolate_points(line, line_distances), np.column_stack([-course[:, 1], course[:, 0]])

    def _place_on_bank(self, allowed_area: BaseGeometry, distances: _Points, sides: _Points) -> _Points:
        """Return points beside the river, each moved to the nearest point in ``allowed_area``.

        Points are rows of x and y, and all lengths are in mm on the board.

        Args:
            allowed_area: where the course may run.
            distances: along the river, one for each point.
            sides: of the river, one for each point: 1 for left, -1 for right.
        """
        river_points, normals = self._measure_frames(distances)
        points = river_points + normals * (sides * self.centre_distance)[:, None]
        places = shapely.points(points)
        is_outside = ~shapely.covers(allowed_area, places)
        if is_outside.any():
            points[is_outside] = shapely.get_coordinates(shapely.shortest_line(allowed_area, places[is_outside]))[::2]
        return points

    def _find_sides(self, points: _Points, offsets: _Points, first: int, last: int) -> tuple[float, float] | None:
        """Return the sides of the river where the course arrives and leaves: 1 for left, -1 for right.

        A course that enters the board in the river counts as arriving on the opposite side. None if it ends on the
        board.

        Args:
            points: of the course, as rows of x and y in mm on the board.
            offsets: of the points to the left of the river, in mm.
            first: index of the first point near the river.
            last: index of the last point near the river. Indexes count from 0.
        """
        hull = self.sketch.grid.hull()
        is_open = first == 0, last == len(points) - 1
        if any(at_end and hull.contains(Point(points[index])) for at_end, index in zip(is_open, (0, -1), strict=True)):
            return None
        before, after = (1.0 if offsets[index] >= 0 else -1.0 for index in (first, last))
        if is_open[0] and not is_open[1]:
            before = -after
        elif is_open[1] and not is_open[0]:
            after = -before
        return before, after


def _find_run(is_near: NDArray[np.bool_], middle: int) -> tuple[int, int]:
    """Return the first and last index (from 0, both included) of the run of true values that contains ``middle``.

    ``is_near`` has a value for each point; ``middle`` is the index of a true value.
    """
    far_indices = np.flatnonzero(~is_near)
    return int(max(far_indices[far_indices < middle], default=-1)) + 1, int(
        min(far_indices[far_indices > middle], default=len(is_near))
    ) - 1


def _round_corners(points: _Points, step: float, window: float, line: LineString) -> LineString:
    """Return the line through points; where it differs from ``line``, round its corners.

    Args:
        points: rows of x and y in mm on the board.
        step: distance between points of the result, in mm on the board.
        window: length of a rounded corner, in steps.
        line: the line before the bend, returned if no point has moved.
    """
    raw_line = LineString(points)
    dense = interpolate_points(raw_line, np.linspace(0.0, raw_line.length, max(3, round(raw_line.length / step) + 1)))
    reach = max(1, round(window / 2))
    share = np.full(2 * reach + 1, 1.0 / (2 * reach + 1))
    wide = np.pad(dense, ((reach, reach), (0, 0)), mode="edge")
    mean = np.column_stack([exact_math.convolve(wide[:, axis], share) for axis in (0, 1)])
    moved_indices = np.flatnonzero(shapely.distance(line, shapely.points(dense)) > step / 4)
    if not len(moved_indices):
        return line
    eased_slice = slice(max(reach, moved_indices[0] - reach), min(len(dense) - reach, moved_indices[-1] + reach + 1))
    dense[eased_slice] = mean[eased_slice]
    return LineString(dense)
