"""Where courses cross the sides of zones: one point for each, the same for both zones, a quarter in from the corners.

At a joint a course has a direction too, so that it runs on smoothly from one zone into the next (AC-G07).
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
from printkit.systems.acw.network.network import Arm, Branch, Reach
from printkit.systems.acw.terms.plan import ZoneSide

RAIL, ROAD, STREAM, CREEK = "rail", "road", "stream", "creek"

NORMAL: Final[Mapping[ZoneSide, XY]] = {
    ZoneSide.NORTH: (0.0, 1.0),
    ZoneSide.EAST: (1.0, 0.0),
    ZoneSide.SOUTH: (0.0, -1.0),
    ZoneSide.WEST: (-1.0, 0.0),
}
"""The direction out of a zone by each side."""

_PLAY: Final = 0.04
_CORNER, _APART, _SPOTS = 0.08, 1.08, 33
"""How near a corner a side road may leave by the edge of another road, how much farther from that than it has to, and
the spots that are looked at."""

_RAIL_EASE, _BRANCH_EASE = 1.08, 1.2
"""How much wider than it has to be a railroad turns, and how much more room a branch of it takes."""

_LONE: Final = (0.30 - 0.25, 0.75 - 0.70)
"""How far inside the part of a side that a course may cross one keeps that crosses it alone; each is told by both ends,
so that a table of the usual rules lies to the last bit as it always did."""

_OFF_WATER: Final = 0.07
_TURN: Final = math.radians(32.0)
_AFTER_NORMAL: Final = 0.75

Key = tuple[str, int, ZoneSide]


class Joint(Struct, frozen=True):
    """A point on a side of a zone, and the direction of a course there, out of the zone asked about."""

    at: XY
    out: XY


class Joints:
    """All joints of a table."""

    def __init__(self, placement: ZonePlacement) -> None:
        self._table = placement
        self._low, self._high = (placement.rules.number(f"side_crossing_{end}") for end in ("min", "max"))
        self._at: dict[Key, XY] = {}
        self._reaches: dict[tuple[str, int], Reach] = {}
        asked = list(self._asked())
        flipped = placement.stream("board", "lanes").below(2) == 1
        for zone, side in sorted({(zone, side) for _, zone, side in asked}):
            courses = [name for name, where, beside in asked if (where, beside) == (zone, side)]
            order = sorted(dict.fromkeys(courses), key=lambda name: _lane(name, flipped=flipped))
            main = [name for name in order if name in (RAIL, CREEK, STREAM, ROAD)] if ROAD in order else order
            shares = dict(zip(main, self._shares(zone, side, main), strict=True))
            for name in order:
                share = shares[name] if name in shares else self._beside_road(zone, side, shares)
                spot = placement.sites[zone].side(side).interpolate(share, normalized=True)
                shares[name], self._at[name, zone, side] = share, (spot.x, spot.y)
        placement.joints = [Point(at) for at in self._at.values()]
        placement.straights = {
            zone: tuple(line for course in (RAIL, CREEK, STREAM, ROAD) for line in self.straights(course, zone))
            for zone in placement.sites
        }

    def of(self, course: str, zone: int, side: ZoneSide) -> Joint:
        """Return the joint of a course on a side of a zone."""
        key = self._key(course, zone, side)
        return Joint(self._at[key], self._direction(course, zone, side))

    def has(self, course: str, zone: int, side: ZoneSide) -> bool:
        """Return whether a course crosses a side of a zone."""
        return self._key(course, zone, side) in self._at

    def straights(self, course: str, zone: int) -> Iterator[LineString]:
        """Yield about where a course will run in a zone: from joint to joint, or from a lone one to the middle."""
        reach = self._reaches.get((course, zone))
        sides = [arm.side for arm in reach.arms if arm.side is not None] if reach is not None else []
        spots = [self._at[self._key(course, zone, side)] for side in sides]
        if len(spots) == 1:
            spots.append(self._table.sites[zone].middle)
        if len(spots) > 2:
            middle = tuple(plain_sum(spot[axis] for spot in spots) / len(spots) for axis in (0, 1))
            yield from (LineString([spot, middle]) for spot in spots)
        elif spots:
            yield LineString(spots)

    def _key(self, course: str, zone: int, side: ZoneSide) -> Key:
        """Return the name of a joint, which is the same from both zones: that of the western or northern one."""
        other = self._table.laying.grid.neighbour(zone, side)
        if other is not None and other < zone:
            return course, other, side.opposite
        return course, zone, side

    def _asked(self) -> Iterator[Key]:
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
                yield from (self._key(course, reach.zone, arm.side) for arm in reach.arms if arm.side is not None)
        for branch in network.roads.branches:
            if branch.arm.side is not None:
                yield self._key(side_road(branch), branch.zone, branch.arm.side)

    def _shares(self, zone: int, side: ZoneSide, order: list[str]) -> list[float]:
        """Return how far along a side each course crosses it; they stand apart, a railroad about the middle."""
        low, high = self._free(zone, side, self._wet(zone, side) if RAIL in order else self._table.water)
        stream = self._table.stream(f"z{zone}", f"joints/{side}")
        if order == [RAIL]:
            return [self._rail_share(zone, side, (low, high), (low + high) / 2 + stream.between(-_PLAY, _PLAY) / 2)]
        if len(order) == 1:
            return [stream.between(low + _LONE[0], high - _LONE[1])]
        shares = [low + place / (len(order) - 1) * (high - low) for place in range(len(order))]
        if RAIL in order:
            # The railroad has its place first, for it cannot turn sharply; the others stand evenly to both sides of it.
            at = order.index(RAIL)
            rail = self._rail_share(zone, side, (low, high), shares[at])
            shares = [
                low + place / at * (rail - low) if place < at else high - left / (len(order) - 1 - at) * (high - rail)
                for place, left in enumerate(reversed(range(len(order))))
                if place != at
            ]
            shares.insert(at, rail)
        plays = [0.0 if name == RAIL else stream.between(0, _PLAY) for name in order]
        return [
            min(max(share + (play if share < 0.5 else -play), low), high)
            for share, play in zip(shares, plays, strict=True)
        ]

    def _beside_road(self, zone: int, side: ZoneSide, shares: Mapping[str, float]) -> float:
        """Return where a side road leaves by the edge of the road that it left, a quarter of the unit away (AC-Q27)."""
        low, high = self._free(zone, side, self._table.water)
        low, high = low if low > self._low else _CORNER, high if high < self._high else 1.0 - _CORNER
        apart = (
            _APART
            * self._table.rules.number("roads_apart")
            * self._table.sites[zone].unit
            / self._table.sites[zone].side(side).length
        )
        roads = [share for name, share in shares.items() if name not in (RAIL, CREEK, STREAM)]
        spots = np.linspace(low, high, _SPOTS)
        clear = [min(abs(spot - share) for share in roads) for spot in spots]
        others = [min(abs(spot - share) for share in shares.values()) for spot in spots]
        return float(max(zip(np.minimum(clear, apart), others, spots, strict=True))[2])

    def _rail_share(self, zone: int, side: ZoneSide, free: tuple[float, float], wanted: float) -> float:
        """Return the place of a railroad on a side: so far from the corners about which it turns as its bends need.

        It turns where its line does, and where a branch leaves that.
        """
        length = self._table.sites[zone].side(side).length
        low, high = free
        for each, beside in ((zone, side), (self._table.laying.grid.neighbour(zone, side), side.opposite)):
            reach = self._reaches.get((RAIL, each)) if each is not None else None
            if each is None or reach is None or beside not in (arm.side for arm in reach.arms[:2]):
                continue
            radius = self._table.rules.number("rail_radius") * self._table.sites[each].unit / length
            for number, arm in enumerate(reach.arms):
                ease = _RAIL_EASE if number < 2 else _BRANCH_EASE
                if arm.side in (ZoneSide.SOUTH, ZoneSide.WEST) and arm.side not in (beside, beside.opposite):
                    low = max(low, ease * radius)
                elif arm.side not in (beside, beside.opposite):
                    high = min(high, 1.0 - ease * radius)
        return min(max(wanted, low), high) if low <= high else (low + high) / 2

    def _wet(self, zone: int, side: ZoneSide) -> Polygon:
        """Return the water of an edge as far inland as it comes in the zones of a side: a railroad runs straight by."""
        zones = (zone, self._table.laying.grid.neighbour(zone, side))
        boxes = shapely.union_all([self._table.sites[each].box for each in zones if each is not None])
        water = self._table.water.intersection(boxes)
        return Polygon() if water.is_empty else shapely.box(*water.bounds)

    def _free(self, zone: int, side: ZoneSide, water: Polygon) -> tuple[float, float]:
        """Return the part of a side that a course may cross: off the corners and off the water of an edge."""
        line = self._table.sites[zone].side(side)
        wet = line.intersection(water.buffer(_OFF_WATER * self._table.sites[zone].unit))
        if wet.is_empty or wet.length > 0.9 * line.length:
            return self._low, self._high
        begin, end = (line.project(Point(at)) / line.length for at in (wet.coords[0], wet.coords[-1]))
        if min(begin, end) < 1e-6:
            return min(max(self._low, begin, end), self._high - 0.02), self._high
        return self._low, max(min(self._high, begin, end), self._low + 0.02)

    def _direction(self, course: str, zone: int, side: ZoneSide) -> XY:
        """Return the direction of a course over a side: between its ways in the two zones, not too far from square."""
        normal = NORMAL[side]
        at = self._at[self._key(course, zone, side)]
        other = self._table.laying.grid.neighbour(zone, side)
        if course == RAIL or other is None or course not in (ROAD, STREAM, CREEK):
            return normal
        behind, ahead = self._anchor(course, zone, side, at), self._anchor(course, other, side.opposite, at)
        chord = (ahead[0] - behind[0], ahead[1] - behind[1])
        length = math.hypot(*chord) or 1.0
        turn = math.remainder(
            math.atan2(chord[1] / length, chord[0] / length) - math.atan2(normal[1], normal[0]), math.tau
        )
        turn = min(max(_AFTER_NORMAL * turn, -_TURN), _TURN)
        bearing = math.atan2(normal[1], normal[0]) + turn
        return math.cos(bearing), math.sin(bearing)

    def _anchor(self, course: str, zone: int, side: ZoneSide, at: XY) -> XY:
        """Return from where a course comes to a joint: from its other joints in the zone, or its middle."""
        reach = self._reaches.get((course, zone))
        arms: tuple[Arm, ...] = reach.arms if reach is not None else ()
        keys = [self._key(course, zone, arm.side) for arm in arms if arm.side not in (None, side)]
        spots = [self._at[key] for key in keys if key in self._at] or [self._table.sites[zone].middle]
        x, y = (plain_sum(spot[axis] for spot in spots) / len(spots) for axis in (0, 1))
        return (x, y) if (x, y) != at else self._table.sites[zone].middle


def side_road(branch: Branch) -> str:
    """Return the name of a side road among the joints."""
    return f"side road {branch.zone}-{branch.roll}"


def _lane(course: str, *, flipped: bool) -> int:
    """Return the order of courses along a side: one for the whole table, so that they need not change places."""
    order = (CREEK, STREAM, RAIL, ROAD)
    place = order.index(course) if course in order else len(order)
    return -place if flipped else place
