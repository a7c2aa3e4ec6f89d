"""Joints: the points where courses cross the sides of zones.

A joint is usually at least a quarter of the side away from the corners. Both zones share it. It also has a direction,
so that the course continues smoothly in the next zone (AC-G07).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon

from printkit.core.sums import plain_sum
from printkit.systems.acw.ground.placement import XY, ZonePlacement
from printkit.systems.acw.network.network import Branch, ZoneExit, ZoneReach
from printkit.systems.acw.terms.plan import ZoneSide

RAIL, ROAD, STREAM, CREEK = "rail", "road", "stream", "creek"

# The direction out of a zone across each side.
NORMAL: Final[Mapping[ZoneSide, XY]] = {
    ZoneSide.NORTH: (0.0, 1.0),
    ZoneSide.EAST: (1.0, 0.0),
    ZoneSide.SOUTH: (0.0, -1.0),
    ZoneSide.WEST: (-1.0, 0.0),
}

_PLAY: Final = 0.04
# A side road on the edge of another road: minimum distance from a corner (share of the side), factor on the required
# distance of both roads. The last number counts the positions to test.
_CORNER, _APART, _SPOTS = 0.08, 1.08, 33

# Factors on the required radius of a railroad: for its line, and for a branch.
_RAIL_EASE, _BRANCH_EASE = 1.08, 1.2

# Extra inset, at both ends of the free part of a side, of a course that crosses the side alone. The differences keep
# tables of the standard rules bit-identical.
_LONE: Final = (0.30 - 0.25, 0.75 - 0.70)

_OFF_WATER: Final = 0.07
_TURN: Final = math.radians(32.0)
_AFTER_NORMAL: Final = 0.75

# The key of a joint: course, zone and side.
Key = tuple[str, int, ZoneSide]


class Joint(Struct, frozen=True):
    """A point on a side of a zone, and the direction of a course there, out of the given zone."""

    at: XY
    out: XY


class Joints:
    """All joints of a table, by course, zone and side."""

    def __init__(self, placement: ZonePlacement) -> None:
        self._table = placement
        self._low, self._high = (placement.rules.number(f"side_crossing_{end}") for end in ("min", "max"))
        self._at: dict[Key, XY] = {}
        self._reaches: dict[tuple[str, int], ZoneReach] = {}
        keys = list(self._joint_keys())
        is_flipped = placement.stream("board", "lanes").draw_index(2) == 1
        for zone, side in sorted({(zone, side) for _, zone, side in keys}):
            courses = [name for name, key_zone, key_side in keys if (key_zone, key_side) == (zone, side)]
            order = sorted(dict.fromkeys(courses), key=lambda name: _lane_rank(name, is_flipped=is_flipped))
            main = [name for name in order if name in (RAIL, CREEK, STREAM, ROAD)] if ROAD in order else order
            shares = dict(zip(main, self._shares(zone, side, main), strict=True))
            for name in order:
                share = shares[name] if name in shares else self._side_road_share(zone, side, shares)
                joint_point = placement.sites[zone].side(side).interpolate(share, normalized=True)
                shares[name], self._at[name, zone, side] = share, (joint_point.x, joint_point.y)
        placement.joints = [Point(point) for point in self._at.values()]
        placement.straights = {
            zone: tuple(line for course in (RAIL, CREEK, STREAM, ROAD) for line in self.straight_lines(course, zone))
            for zone in placement.sites
        }

    def of(self, course: str, zone: int, side: ZoneSide) -> Joint:
        """Return the joint of a course on a side of a zone, with the direction out of that zone.

        ``course`` is one of ``RAIL``, ``ROAD``, ``STREAM``, ``CREEK``, or a name from ``side_road``.

        Raises:
            KeyError: the course does not cross the side.
        """
        key = self._joint_key(course, zone, side)
        return Joint(self._at[key], self._direction(course, zone, side))

    def has(self, course: str, zone: int, side: ZoneSide) -> bool:
        """Return whether a course crosses a side of a zone.

        ``course`` is one of ``RAIL``, ``ROAD``, ``STREAM``, ``CREEK``, or a name from ``side_road``.
        """
        return self._joint_key(course, zone, side) in self._at

    def straight_lines(self, course: str, zone: int) -> Iterator[LineString]:
        """Yield the approximate lines of a course in a zone, in mm on the board; nothing without the course.

        They are between joints, or from a joint to the middle.
        """
        reach = self._reaches.get((course, zone))
        sides = [arm.side for arm in reach.arms if arm.side is not None] if reach is not None else []
        points = [self._at[self._joint_key(course, zone, side)] for side in sides]
        if len(points) == 1:
            points.append(self._table.sites[zone].middle)
        if len(points) > 2:
            middle = tuple(plain_sum(point[axis] for point in points) / len(points) for axis in (0, 1))
            yield from (LineString([point, middle]) for point in points)
        elif points:
            yield LineString(points)

    def _joint_key(self, course: str, zone: int, side: ZoneSide) -> Key:
        """Return the key of a joint, the same for both zones: it uses the western or northern zone."""
        neighbour = self._table.laying.grid.neighbour(zone, side)
        if neighbour is not None and neighbour < zone:
            return course, neighbour, side.opposite
        return course, zone, side

    def _joint_keys(self) -> Iterator[Key]:
        """Yield the key of every joint: railroad, creek, streams, roads, then side roads; a key can repeat.

        It stores the reaches by course and zone in ``_reaches``.
        """
        network = self._table.laying.network
        rail = network.rail.reaches if network.rail is not None else ()
        for course, reaches in (
            (RAIL, rail),
            (CREEK, network.creek_reaches),
            (STREAM, network.streams.reaches),
            (ROAD, network.roads.reaches),
        ):
            for reach in reaches:
                self._reaches[course, reach.zone] = reach
                yield from (self._joint_key(course, reach.zone, arm.side) for arm in reach.arms if arm.side is not None)
        for branch in network.roads.branches:
            if branch.arm.side is not None:
                yield self._joint_key(side_road(branch), branch.zone, branch.arm.side)

    def _shares(self, zone: int, side: ZoneSide, order: list[str]) -> list[float]:
        """Return the positions of courses along a side, spread out, a railroad near the middle.

        A position is the share of the side's length from its west or south end, 0 to 1. ``order`` has the courses from
        the start of the side to its end; the positions are in the same order.
        """
        low, high = self._free_span(zone, side, self._wet_box(zone, side) if RAIL in order else self._table.water)
        stream = self._table.stream(f"z{zone}", f"joints/{side}")
        if order == [RAIL]:
            return [self._rail_share(zone, side, (low, high), (low + high) / 2 + stream.between(-_PLAY, _PLAY) / 2)]
        if len(order) == 1:
            return [stream.between(low + _LONE[0], high - _LONE[1])]
        shares = [low + index / (len(order) - 1) * (high - low) for index in range(len(order))]
        if RAIL in order:
            # Place the railroad first, because it cannot turn sharply. Spread the other courses evenly on both sides.
            rail_index = order.index(RAIL)
            rail = self._rail_share(zone, side, (low, high), shares[rail_index])
            shares = [
                low + index / rail_index * (rail - low)
                if index < rail_index
                else high - places_left / (len(order) - 1 - rail_index) * (high - rail)
                for index, places_left in enumerate(reversed(range(len(order))))
                if index != rail_index
            ]
            shares.insert(rail_index, rail)
        offsets = [0.0 if name == RAIL else stream.between(0, _PLAY) for name in order]
        return [
            min(max(share + (offset if share < 0.5 else -offset), low), high)
            for share, offset in zip(shares, offsets, strict=True)
        ]

    def _side_road_share(self, zone: int, side: ZoneSide, shares: Mapping[str, float]) -> float:
        """Return the position (0 to 1) of a side road on a side, a quarter unit from the main road (AC-Q27).

        ``shares`` has the positions (0 to 1) of the other courses on this side. Their keys are the names of the
        courses.
        """
        low, high = self._free_span(zone, side, self._table.water)
        low, high = low if low > self._low else _CORNER, high if high < self._high else 1.0 - _CORNER
        wanted_gap = (
            _APART
            * self._table.rules.number("roads_apart")
            * self._table.sites[zone].unit
            / self._table.sites[zone].side(side).length
        )
        roads = [share for name, share in shares.items() if name not in (RAIL, CREEK, STREAM)]
        positions = np.linspace(low, high, _SPOTS)
        road_gaps = [min(abs(position - share) for share in roads) for position in positions]
        all_gaps = [min(abs(position - share) for share in shares.values()) for position in positions]
        return float(max(zip(np.minimum(road_gaps, wanted_gap), all_gaps, positions, strict=True))[2])

    def _rail_share(self, zone: int, side: ZoneSide, free: tuple[float, float], target: float) -> float:
        """Return the position (0 to 1) of a railroad on a side, far enough from corners for its bends.

        The bends are those of the line and of branches, in both zones.

        Args:
            free: the start and end of the part of the side that it may cross, 0 to 1.
            target: the preferred position, 0 to 1.
        """
        length = self._table.sites[zone].side(side).length
        low, high = free
        for turn_zone, shared_side in ((zone, side), (self._table.laying.grid.neighbour(zone, side), side.opposite)):
            reach = self._reaches.get((RAIL, turn_zone)) if turn_zone is not None else None
            if turn_zone is None or reach is None or shared_side not in (arm.side for arm in reach.arms[:2]):
                continue
            radius = self._table.rules.number("rail_radius") * self._table.sites[turn_zone].unit / length
            for number, arm in enumerate(reach.arms):
                ease = _RAIL_EASE if number < 2 else _BRANCH_EASE
                if arm.side in (ZoneSide.SOUTH, ZoneSide.WEST) and arm.side not in (shared_side, shared_side.opposite):
                    low = max(low, ease * radius)
                elif arm.side not in (shared_side, shared_side.opposite):
                    high = min(high, 1.0 - ease * radius)
        return min(max(target, low), high) if low <= high else (low + high) / 2

    def _wet_box(self, zone: int, side: ZoneSide) -> Polygon:
        """Return the bounds, in mm on the board, of the edge water in both zones of a side; may be empty."""
        zones = (zone, self._table.laying.grid.neighbour(zone, side))
        boxes = shapely.union_all([self._table.sites[side_zone].box for side_zone in zones if side_zone is not None])
        water = self._table.water.intersection(boxes)
        return Polygon() if water.is_empty else shapely.box(*water.bounds)

    def _free_span(self, zone: int, side: ZoneSide, water: Polygon) -> tuple[float, float]:
        """Return the start and end of the part of a side that courses may cross (0 to 1).

        It is away from corners and from ``water``, in mm on the board. If water covers most of the side, it does not
        count.
        """
        line = self._table.sites[zone].side(side)
        wet = line.intersection(water.buffer(_OFF_WATER * self._table.sites[zone].unit))
        if wet.is_empty or wet.length > 0.9 * line.length:
            return self._low, self._high
        begin, end = (line.project(Point(point)) / line.length for point in (wet.coords[0], wet.coords[-1]))
        if min(begin, end) < 1e-6:
            return min(max(self._low, begin, end), self._high - 0.02), self._high
        return self._low, max(min(self._high, begin, end), self._low + 0.02)

    def _direction(self, course: str, zone: int, side: ZoneSide) -> XY:
        """Return the direction of a course across a side, out of the zone, as x and y of length 1.

        It is between the directions of its routes in both zones, near a right angle to the side.
        """
        normal = NORMAL[side]
        point = self._at[self._joint_key(course, zone, side)]
        neighbour = self._table.laying.grid.neighbour(zone, side)
        if course == RAIL or neighbour is None or course not in (ROAD, STREAM, CREEK):
            return normal
        back_point, front_point = (
            self._anchor(course, zone, side, point),
            self._anchor(course, neighbour, side.opposite, point),
        )
        chord = (front_point[0] - back_point[0], front_point[1] - back_point[1])
        length = math.hypot(*chord) or 1.0
        turn = math.remainder(
            math.atan2(chord[1] / length, chord[0] / length) - math.atan2(normal[1], normal[0]), math.tau
        )
        turn = min(max(_AFTER_NORMAL * turn, -_TURN), _TURN)
        bearing = math.atan2(normal[1], normal[0]) + turn
        return math.cos(bearing), math.sin(bearing)

    def _anchor(self, course: str, zone: int, side: ZoneSide, point: XY) -> XY:
        """Return x and y of the point that a course comes from to the point ``point`` on a side.

        Points are in mm on the board. It is the mean of its other joints in the zone, or the middle of the zone.
        """
        reach = self._reaches.get((course, zone))
        arms: tuple[ZoneExit, ...] = reach.arms if reach is not None else ()
        keys = [self._joint_key(course, zone, arm.side) for arm in arms if arm.side not in (None, side)]
        points = [self._at[key] for key in keys if key in self._at] or [self._table.sites[zone].middle]
        x, y = (plain_sum(other_point[axis] for other_point in points) / len(points) for axis in (0, 1))
        return (x, y) if (x, y) != point else self._table.sites[zone].middle


def side_road(branch: Branch) -> str:
    """Return the course name of a side road in joint keys.

    The name is different for each side road.
    """
    return f"side road {branch.zone}-{branch.roll}"


def _lane_rank(course: str, *, is_flipped: bool) -> int:
    """Return the rank of a course along a side, the same everywhere so that courses rarely cross.

    ``is_flipped`` reverses the order for the entire table.
    """
    order = (CREEK, STREAM, RAIL, ROAD)
    rank = order.index(course) if course in order else len(order)
    return -rank if is_flipped else rank
