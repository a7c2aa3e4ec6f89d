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

from printkit.core import elementary
from printkit.systems.portable.grid.bands import axis
from printkit.systems.portable.grid.sketch import CellCourse, Passage, Sketch
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Grid
from printkit.terrain.geometry.measure import crossing_angle, interpolate_points, line_bearing, ribbon

# How far sway may move the crossing of two bands out of its area, in areas.
OFF: Final = 0.25

# Length of line that gives the direction at a crossing, in areas.
_BEARING_OVER: Final = 0.12


class DrawnWay(Struct, frozen=True):
    """A linear feature with its line and width in mm."""

    way: CellCourse
    line: LineString
    width: float

    @property
    def ribbon(self) -> Polygon:
        """Return the outline of the ground that it covers."""
        return ribbon(self.line, self.width)

    def meets(self, other: DrawnWay, passage: Passage, grid: Grid) -> tuple[Point, float]:
        """Return the point where it crosses another, and its direction there in degrees.

        If there are several, take the one nearest to the place that the rules give. Lines that only run side by side
        count as crossing at the point where they are closest.
        """
        near = Point(passage.at) if passage.at else Point(grid.centre(passage.cells[-1]))
        ground = shapely.union_all([grid.outline(cell) for cell in passage.cells])
        met = [part.centroid for part in shapely.get_parts(self.line.intersection(other.line)) if not part.is_empty]
        off = (OFF if passage.at else 0.1) * grid.cell
        inside = [at for at in met if ground.is_empty or ground.distance(at) < off]
        if inside:
            at = min(inside, key=lambda each: round(each.distance(near), 6))
        else:
            piece = self.line.intersection(ground)
            at = Point(shapely.shortest_line(piece if not piece.is_empty else self.line, other.line).coords[0])
        return at, line_bearing(self.line, self.line.project(at), _BEARING_OVER * grid.cell)


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


def bend_ways(sketch: Sketch, drawn: Sequence[DrawnWay]) -> Iterator[DrawnWay]:
    """Yield all courses, with bends where they cross a river at a small angle and the rules allow it."""
    rivers = {each.way.id: each for each in drawn if each.way.kind is Kind.RIVER}
    for each in drawn:
        found = each
        for passage in sketch.passages:
            if passage.way == each.way.id and passage.water in rivers:
                bend = _Bend(sketch, found, rivers[passage.water], passage)
                found = bend.bent(tuple(rivers.values()))
        yield found


class _Bend(Struct, frozen=True):
    """A course and a river that it crosses."""

    sketch: Sketch
    drawn: DrawnWay
    river: DrawnWay
    passage: Passage

    @property
    def apart(self) -> float:
        """Return the distance between both centre lines that leaves dry ground between them."""
        return (self.drawn.width + self.river.width) / 2 + _BANK * self.sketch.grid.cell

    def bent(self, rivers: Sequence[DrawnWay]) -> DrawnWay:
        """Return the course with a bend, or unchanged if a bend is not needed or would break the rules."""
        grid, line = self.sketch.grid, self.drawn.line
        at, _ = self.drawn.meets(self.river, self.passage, grid)
        crosses = not line.intersection(self.river.line).is_empty
        is_steep = crosses and crossing_angle(at, line, self.river.line, _BEARING_OVER * grid.cell) >= _LEAST_ANGLE
        if is_steep and not self._leaves_beside_river(at):
            return self.drawn
        led = self._led(at)
        if led is None or not led.is_simple:
            return self.drawn
        bent = replace(self.drawn, line=led)
        return bent if self._keeps_rules(bent, rivers) else self.drawn

    def _leaves_beside_river(self, at: Point) -> bool:
        """Return whether the course leaves the board beside the river that it crosses at ``at``."""
        beside = self.drawn.line.intersection(self.river.line.buffer(self.apart))
        part = min(shapely.get_parts(beside), key=lambda each: float(each.distance(at)))
        return not part.within(self.sketch.grid.hull())

    def _keeps_rules(self, bent: DrawnWay, rivers: Sequence[DrawnWay]) -> bool:
        """Return whether a bent course keeps its river crossings, its ends and the areas of its chain."""
        grid = self.sketch.grid
        hull = grid.hull()
        if hull.intersects(bent.line.boundary.difference(self.drawn.line.boundary)):
            return False
        for river in rivers:
            met, was = (line.intersection(river.line).intersection(hull) for line in (bent.line, self.drawn.line))
            if river.way.id != self.river.way.id:
                if shapely.get_num_geometries(met) != shapely.get_num_geometries(was):
                    return False
            elif len(shapely.get_parts(met)) > self._crossings():
                return False
            elif not met.is_empty and self.passage.cells:
                ground = shapely.union_all([grid.outline(cell) for cell in self.passage.cells])
                if ground.distance(met) > _OFF_CHAIN * grid.cell:
                    return False
        if bent.way.band is not None:
            return True
        faces = [grid.face(one, grid.find_direction(one, other)) for one, other in pairwise(bent.way.cells)]
        near, own = _OFF_CHAIN * grid.cell, self._own_ground()
        return own.covers(bent.line.intersection(hull)) and all(bent.line.distance(face) <= near for face in faces)

    def _own_ground(self) -> BaseGeometry:
        """Return the areas of a chain, plus a strip around them in which the bent centre line may run."""
        grid = self.sketch.grid
        return shapely.union_all([grid.outline(cell) for cell in self.drawn.way.cells]).buffer(_OFF_CHAIN * grid.cell)

    def _crossings(self) -> int:
        """Return how many times the course crosses the river."""
        way, water = self.passage.way, self.passage.water
        return sum(each.way == way and each.water == water for each in self.sketch.passages)

    def _room(self) -> BaseGeometry:
        """Return the area in which the centre line of the course may run."""
        grid, way = self.sketch.grid, self.drawn.way
        if way.band is not None:
            return axis(way.band, beyond=3 * grid.cell).buffer(_OFF_BAND * grid.cell, cap_style="flat")
        beyond = grid.hull().buffer(2 * grid.cell).difference(grid.hull().buffer(0.01))
        return shapely.union(self._own_ground(), beyond)

    def _led(self, at: Point) -> LineString | None:
        """Return the line bent along the banks near ``at``, and across the river there.

        If the course leaves on the side from which it came, the line keeps to that bank and does not cross. None if the
        course ends on the board beside the river, because there is no bank to follow.
        """
        line, river = self.drawn.line, self.river.line
        step = _STEP * self.sketch.grid.cell
        gone = np.linspace(0.0, line.length, max(3, round(line.length / step) + 1))
        points = interpolate_points(line, gone)
        along, off = self._position(points)
        middle = int(np.argmin(np.abs(gone - line.project(at))))
        near = np.abs(off) < self.apart
        if not near[middle]:
            return None
        first, last = _run(near, middle)
        sides = self._sides(points, off, first, last)
        if sides is None:
            return None
        before, after = sides
        room, run = self._room(), slice(first, last + 1)
        heading = 1.0 if along[last] >= along[first] else -1.0
        crossing = float(river.project(at))
        place = heading * (along[run] - crossing)
        if before == after:
            bank = self._on_bank(room, along[run], np.full(len(place), before))
            return _rounded(np.vstack([points[:first], bank, points[last + 1 :]]), step, _ROUNDING / _STEP, line)
        half = _SLANT * self.apart
        ends = crossing + heading * half * np.array([-1.0, 1.0])
        route = [
            points[:first],
            self._on_bank(room, along[run][place < -half], np.full(int((place < -half).sum()), before)),
            self._on_bank(room, ends, np.array([before, after])),
            self._on_bank(room, along[run][place > half], np.full(int((place > half).sum()), after)),
            points[last + 1 :],
        ]
        window = min(_ROUNDING / _STEP, self.apart / step)
        return _rounded(np.vstack(route), step, window, line)

    def _position(self, points: _Points) -> tuple[_Points, _Points]:
        """Return the distance of each point along the river, and its offset to the left of the river."""
        along = shapely.line_locate_point(self.river.line, shapely.points(points))
        on, left = self._frames(along)
        return along, ((points - on) * left).sum(axis=1)

    def _frames(self, along: _Points) -> tuple[_Points, _Points]:
        """Return points on the river's centre line, and the unit normal to its left at each."""
        line, reach = self.river.line, _REACH * self.sketch.grid.cell / 2
        held = np.clip(along, 0.0, line.length)
        course = interpolate_points(line, np.minimum(held + reach, line.length)) - interpolate_points(
            line, np.maximum(held - reach, 0.0)
        )
        course /= np.sqrt((course * course).sum(axis=1))[:, None]
        return interpolate_points(line, held), np.column_stack([-course[:, 1], course[:, 0]])

    def _on_bank(self, room: BaseGeometry, along: _Points, sides: _Points) -> _Points:
        """Return points beside the river, each moved to the nearest point where the course may run."""
        on, left = self._frames(along)
        points = on + left * (sides * self.apart)[:, None]
        places = shapely.points(points)
        out = ~shapely.covers(room, places)
        if out.any():
            points[out] = shapely.get_coordinates(shapely.shortest_line(room, places[out]))[::2]
        return points

    def _sides(self, points: _Points, off: _Points, first: int, last: int) -> tuple[float, float] | None:
        """Return the sides of the river where the course arrives and leaves: 1 for left, -1 for right.

        A course that enters the board in the river counts as arriving on the opposite side. None if it ends on the
        board.
        """
        hull = self.sketch.grid.hull()
        is_open = first == 0, last == len(points) - 1
        if any(at_end and hull.contains(Point(points[place])) for at_end, place in zip(is_open, (0, -1), strict=True)):
            return None
        before, after = (1.0 if off[place] >= 0 else -1.0 for place in (first, last))
        if is_open[0] and not is_open[1]:
            before = -after
        elif is_open[1] and not is_open[0]:
            after = -before
        return before, after


def _run(near: NDArray[np.bool_], middle: int) -> tuple[int, int]:
    """Return the first and last index of the run of true values that contains ``middle``."""
    far = np.flatnonzero(~near)
    return int(max(far[far < middle], default=-1)) + 1, int(min(far[far > middle], default=len(near))) - 1


def _rounded(points: _Points, step: float, window: float, line: LineString) -> LineString:
    """Return the line through points; where it differs from ``line``, round corners over ``window`` steps."""
    led = LineString(points)
    dense = interpolate_points(led, np.linspace(0.0, led.length, max(3, round(led.length / step) + 1)))
    reach = max(1, round(window / 2))
    share = np.full(2 * reach + 1, 1.0 / (2 * reach + 1))
    wide = np.pad(dense, ((reach, reach), (0, 0)), mode="edge")
    mean = np.column_stack([elementary.convolve(wide[:, axis], share) for axis in (0, 1)])
    moved = np.flatnonzero(shapely.distance(line, shapely.points(dense)) > step / 4)
    if not len(moved):
        return line
    eased = slice(max(reach, moved[0] - reach), min(len(dense) - reach, moved[-1] + reach + 1))
    dense[eased] = mean[eased]
    return LineString(dense)
