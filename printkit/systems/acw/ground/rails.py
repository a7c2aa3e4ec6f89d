"""Draw the railroad: straights and wide arcs from side to side of each zone, and branches in a curve."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.core.exact_math import cubic
from printkit.core.sums import plain_sum
from printkit.systems.acw.ground.course_rules import keeps_rules
from printkit.systems.acw.ground.placement import XY, Leg, ZonePlacement
from printkit.systems.acw.ground.zone_crossings import CREEK, NORMAL, RAIL, STREAM, Joints
from printkit.systems.acw.network.network import ZoneReach
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.geometry.measure import line_bearing

# Distance between the points of a curve in mm, and the maximum turn of an arc from one point to the next.
_STEP: Final = 4.0
_KINK: Final = math.radians(3.0)

# Targets for a branch: minimum radius of its curves in units, maximum length relative to the straight line.
_RADIUS: Final = 0.44
_LONGER: Final = 1.13

_SPOTS: Final = 33
_LEANS: Final = (0.0, -20.0, 20.0, -40.0, 40.0, -60.0, 60.0)
_HANDLES: Final = (0.3, 0.38, 0.5, 0.62)
_TRIED: Final = 160
_TOUCHING: Final = 0.2
# Gap between rail junctions and the expected streams, as a fraction of the unit, and the score penalty inside it.
_OFF_STREAM: Final = 0.15
_WET: Final = 0.6


# A line as rows of x and y in mm on the table.
_Line = NDArray[np.float64]


def add_rails(placement: ZonePlacement, joints: Joints) -> None:
    """Add the legs of the railroad; ``placement.rails`` gets the lines by zone."""
    rail = placement.laying.network.rail
    for reach in rail.reaches if rail is not None else ():
        for leg in _build_legs(placement, joints, reach):
            placement.legs.append(leg)
            placement.rails.setdefault(reach.zone, []).append(leg.line)


def _build_legs(placement: ZonePlacement, joints: Joints, reach: ZoneReach) -> list[Leg]:
    """Return the legs of the railroad in one zone: its through line, then one for each branch.

    Lines are in mm on the board. The through line goes between the first two sides with an arm; a single side is joined
    to its opposite. A branch ends on the through line.
    """
    sides = [arm.side for arm in reach.arms if arm.side is not None]
    if len(sides) < 2:
        sides = [*sides, sides[0].opposite] if sides else [ZoneSide.WEST, ZoneSide.EAST]
    first, last, *branch_sides = sides
    start, stop = (_joint_point(placement, joints, reach.zone, side) for side in (first, last))
    main = _through_line(start, first, stop, last)
    legs = [_build_leg(joints, reach, main, first, last)]
    for side in branch_sides:
        point = _joint_point(placement, joints, reach.zone, side)
        waters = shapely.union_all(
            [*joints.straight_lines(STREAM, reach.zone), *joints.straight_lines(CREEK, reach.zone)]
        )
        line = _branch_line(placement, reach.zone, main, (point, side), waters)
        legs.append(
            Leg(
                piece=Piece.RAILROAD,
                zone=reach.zone,
                line=line,
                starts=(reach.zone, side),
                meets=Point(line.coords[-1]),
                clauses=("AC-N32",),
            )
        )
    return legs


def _build_leg(joints: Joints, reach: ZoneReach, line: LineString, first: ZoneSide, last: ZoneSide) -> Leg:
    """Return the leg of the through line (mm on the board) between the sides ``first`` and ``last``.

    It starts or ends at a joint only if the railroad has one on that side.
    """
    return Leg(
        piece=Piece.RAILROAD,
        zone=reach.zone,
        line=line,
        rolls=reach.rolls,
        starts=(reach.zone, first) if joints.has(RAIL, reach.zone, first) else None,
        ends=(reach.zone, last) if joints.has(RAIL, reach.zone, last) else None,
        clauses=("AC-N31",),
    )


def _joint_point(placement: ZonePlacement, joints: Joints, zone: int, side: ZoneSide) -> XY:
    """Return x and y of the railroad's joint on a side, or of its middle, in mm on the board."""
    if joints.has(RAIL, zone, side):
        return joints.of(RAIL, zone, side).at
    middle = placement.sites[zone].side(side).interpolate(0.5, normalized=True)
    return middle.x, middle.y


def _through_line(start: XY, first: ZoneSide, stop: XY, last: ZoneSide) -> LineString:
    """Return the line from ``start`` on the side ``first`` to ``stop`` on the side ``last``.

    It is in mm on the board: two arcs to the opposite side, or one to an adjacent side.
    """
    if last is first.opposite:
        middle = (start[0] + stop[0]) / 2, (start[1] + stop[1]) / 2
        run = abs(plain_sum((stop[axis] - start[axis]) * NORMAL[first][axis] for axis in (0, 1)))
        shift = math.dist(start, stop) ** 2 / 4 / run
        corners = [
            (point[0] - shift * NORMAL[side][0], point[1] - shift * NORMAL[side][1])
            for point, side in ((start, first), (stop, last))
        ]
        return LineString([*_round_corner(start, corners[0], middle), *_round_corner(middle, corners[1], stop)[1:]])
    corner = (stop[0], start[1]) if first in (ZoneSide.WEST, ZoneSide.EAST) else (start[0], stop[1])
    return LineString(_round_corner(start, corner, stop))


def _round_corner(start: XY, corner: XY, stop: XY) -> _Line:
    """Return a line around a corner as rows of x and y, rounded by the widest arc that fits.

    It is in mm on the board. It has only two points if the line is nearly straight.
    """
    reach = min(math.dist(start, corner), math.dist(corner, stop))
    if reach < 1e-6:
        return np.array([start, stop])
    corner_point = np.array(corner)
    to_start, to_stop = ((np.array(end) - corner_point) / math.dist(end, corner) for end in (start, stop))
    angle = math.acos(float(np.clip(exact_math.product(to_start, to_stop), -1.0, 1.0)))
    radius = reach * math.tan(angle / 2)
    half = to_start + to_stop
    size = float(np.hypot(*half))
    if min(size, angle) < 1e-6 or radius > 1e5:
        return np.array([start, stop])
    centre = corner_point + half / size * (radius / math.sin(angle / 2))
    begin, end = corner_point + reach * to_start - centre, corner_point + reach * to_stop - centre
    turn = math.remainder(math.atan2(end[1], end[0]) - math.atan2(begin[1], begin[0]), math.tau)
    steps = max(6, math.ceil(abs(turn) * radius / _STEP), math.ceil(abs(turn) / _KINK))
    angles = math.atan2(begin[1], begin[0]) + np.linspace(0, turn, steps)
    arc = centre + radius * np.column_stack([exact_math.cos(angles), exact_math.sin(angles)])
    points = np.vstack([[start], arc, [stop]])
    is_distinct = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-6])
    return np.asarray(points[is_distinct])


def _branch_line(
    placement: ZonePlacement, zone: int, main: LineString, start_joint: tuple[XY, ZoneSide], waters: BaseGeometry
) -> LineString:
    """Return a line in mm from a side of the zone to the main line, in the best wide and short curve.

    The branch crosses a side to the next zone at a right angle, so that it continues smoothly there. At a table edge it
    may slant. The junction avoids the expected streams if possible.

    Args:
        zone: the zone of the branch.
        main: the through line of the railroad in the zone, in mm on the board.
        start_joint: x and y in mm of the joint where the branch starts, and its side.
        waters: the expected lines of the streams, in mm; may be empty.
    """
    start_point, side = start_joint
    zone_ground, wet = placement.sites[zone], waters.buffer(_OFF_STREAM * placement.sites[zone].unit)
    is_edge = placement.laying.grid.neighbour(zone, side) is None
    inwards = math.atan2(-NORMAL[side][1], -NORMAL[side][0])
    curves: list[tuple[float, LineString]] = []
    for share in np.linspace(0.02, 0.98, _SPOTS):
        distance = share * main.length
        end = main.interpolate(distance)
        bearing = math.radians(line_bearing(main, distance, 4 * _STEP))
        for heading in (bearing, bearing + math.pi):
            for lean in _LEANS if is_edge else (0.0,):
                start = inwards + math.radians(lean)
                curves += (
                    (_curve_score(curve, zone_ground.unit) - _WET * end.intersects(wet), LineString(curve))
                    for curve in _draw_curves(start_point, start, (end.x, end.y), heading)
                )
    curves.sort(key=lambda candidate: -candidate[0])
    zone_area = zone_ground.box.buffer(1.0)
    for _, line in curves[:_TRIED]:
        end = Point(line.coords[-1])
        if (
            keeps_rules(placement, zone, Piece.RAILROAD, line)
            and zone_area.contains(line)
            and line.intersection(main).distance(end) < _STEP
        ):
            overlap = line.difference(end.buffer(_TOUCHING * zone_ground.unit)).intersection(main)
            if overlap.is_empty:
                return line
    return curves[0][1]


def _draw_curves(start: XY, out_bearing: float, end: XY, heading: float) -> Iterator[_Line]:
    """Yield curves from ``start`` to ``end``, each as rows of x and y in mm on the board.

    ``out_bearing`` is the direction at the start and ``heading`` that at the end, in radians. The best is first: soft
    curves, then an arc if one is possible.
    """
    yield from (_draw_curve(start, out_bearing, end, heading, handle) for handle in _HANDLES)
    cross = math.sin(heading - out_bearing)
    distance = ((end[0] - start[0]) * math.sin(heading) - (end[1] - start[1]) * math.cos(heading)) / (cross or math.inf)
    back = ((end[0] - start[0]) * math.sin(out_bearing) - (end[1] - start[1]) * math.cos(out_bearing)) / -(
        cross or math.inf
    )
    if distance > 0 and back > 0:
        arc = _round_corner(
            start, (start[0] + distance * math.cos(out_bearing), start[1] + distance * math.sin(out_bearing)), end
        )
        # An arc of two points is straight, like the curves above.
        if len(arc) > 2:
            yield arc


def _draw_curve(start: XY, out_bearing: float, end: XY, heading: float, handle: float) -> _Line:
    """Return a curve from ``start`` to ``end`` as rows of x and y in mm on the board.

    Args:
        start: x and y in mm.
        out_bearing: the direction at the start, in radians.
        end: x and y in mm.
        heading: the direction at the end, in radians.
        handle: the length of both handles of the curve, as a share of its straight length.
    """
    far = handle * math.dist(start, end)
    first, last = np.array(start), np.array(end)
    lead = first + far * np.array([math.cos(out_bearing), math.sin(out_bearing)])
    tail = last - far * np.array([math.cos(heading), math.sin(heading)])
    shares = np.linspace(0.0, 1.0, max(8, math.ceil(math.dist(start, end) / _STEP)) + 1)[:, None]
    curve = cubic(first, lead, tail, last, shares)
    return np.asarray(curve)


def _curve_score(curve: _Line, unit: float) -> float:
    """Return the score of a branch, highest best: best with wide bends, nearly straight, and short.

    ``curve`` has rows of x and y in mm on the board. ``unit`` is the shorter side of the zone in mm.
    """
    steps = np.diff(curve, axis=0)
    lengths = np.hypot(*steps.T)
    turns = np.abs(np.diff(np.unwrap(exact_math.arctan2(steps[:, 1], steps[:, 0]))))
    radius = float(np.min((lengths[1:] + lengths[:-1]) / 2 / np.maximum(turns, 1e-6))) / unit
    length = float(lengths.sum())
    length_ratio = length / (math.dist(curve[0], curve[-1]) + 1e-6)
    return -20 * max(0.0, _RADIUS - radius) - 20 * max(0.0, length_ratio - _LONGER) - length / unit
