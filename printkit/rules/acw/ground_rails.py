"""The railroad as lines: straights and wide arcs from side to side of each zone, branches that leave it in a curve."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, Point

from printkit.rules.acw.ground_joints import NORMAL, RAIL, Joints
from printkit.rules.acw.ground_table import XY, Leg, Table
from printkit.rules.acw.network import Reach
from printkit.rules.acw.pieces import Piece
from printkit.rules.acw.plan import Side

_STEP: Final = 4.0
_BRANCH: Final = 0.46
"""How far from its junction a branch turns, as a part of the unit: its radius where it meets the line square."""

Line = NDArray[np.float64]


def lay_rails(table: Table, joints: Joints) -> None:
    """Lay the railroad; ``table.rails`` then holds its lines by zone, round which hills are laid."""
    rail = table.laying.network.rail
    for reach in rail.reaches if rail is not None else ():
        for leg in _legs(table, joints, reach):
            table.legs.append(leg)
            table.rails.setdefault(reach.zone, []).append(leg.line)


def _legs(table: Table, joints: Joints, reach: Reach) -> list[Leg]:
    sides = [arm.side for arm in reach.arms if arm.side is not None]
    if len(sides) < 2:
        sides = [*sides, sides[0].opposite] if sides else [Side.WEST, Side.EAST]
    first, last, *others = sides
    start, stop = (_spot(table, joints, reach.zone, side) for side in (first, last))
    main = _through(start, first, stop, last)
    found = [_leg(joints, reach, main, first, last)]
    for side in others:
        at = _spot(table, joints, reach.zone, side)
        line = _branch(main, at, side, table.sites[reach.zone].unit)
        found.append(
            Leg(
                piece=Piece.RAILROAD,
                zone=reach.zone,
                line=line,
                starts=(reach.zone, side),
                meets=Point(line.coords[-1]),
                clauses=("AC-N32",),
            )
        )
    return found


def _leg(joints: Joints, reach: Reach, line: LineString, first: Side, last: Side) -> Leg:
    return Leg(
        piece=Piece.RAILROAD,
        zone=reach.zone,
        line=line,
        rolls=reach.rolls,
        starts=(reach.zone, first) if joints.has(RAIL, reach.zone, first) else None,
        ends=(reach.zone, last) if joints.has(RAIL, reach.zone, last) else None,
        clauses=("AC-N31",),
    )


def _spot(table: Table, joints: Joints, zone: int, side: Side) -> XY:
    if joints.has(RAIL, zone, side):
        return joints.of(RAIL, zone, side).at
    middle = table.sites[zone].side(side).interpolate(0.5, normalized=True)
    return middle.x, middle.y


def _through(start: XY, first: Side, stop: XY, last: Side) -> LineString:
    """Return the line from side to side: an easy double curve to the side across, an arc to one beside it."""
    if last is first.opposite:
        count = max(8, math.ceil(math.dist(start, stop) / _STEP))
        at = np.linspace(0.0, 1.0, count + 1)
        ease = at**2 * (3 - 2 * at)
        across, along = (ease, at) if first in (Side.NORTH, Side.SOUTH) else (at, ease)
        x = start[0] + (stop[0] - start[0]) * across
        y = start[1] + (stop[1] - start[1]) * along
        return LineString(np.column_stack([x, y]))
    corner = (stop[0], start[1]) if first in (Side.WEST, Side.EAST) else (start[0], stop[1])
    return LineString(_arced(start, corner, stop))


def _arced(start: XY, corner: XY, stop: XY) -> Line:
    """Return the way by a corner, rounded by the widest arc that there is room for."""
    reach = min(math.dist(start, corner), math.dist(corner, stop))
    if reach < 1e-6:
        return np.array([start, stop])
    here = np.array(corner)
    to, fro = ((np.array(end) - here) / math.dist(end, corner) for end in (start, stop))
    angle = math.acos(float(np.clip(to @ fro, -1.0, 1.0)))
    radius = reach * math.tan(angle / 2)
    half = to + fro
    size = float(np.hypot(*half))
    if size < 1e-6 or radius > 1e5:
        return np.array([start, stop])
    centre = here + half / size * (radius / math.sin(angle / 2))
    begin, end = here + reach * to - centre, here + reach * fro - centre
    turn = math.remainder(math.atan2(end[1], end[0]) - math.atan2(begin[1], begin[0]), math.tau)
    angles = math.atan2(begin[1], begin[0]) + np.linspace(0, turn, max(6, math.ceil(abs(turn) * radius / _STEP)))
    arc = centre + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    whole = np.vstack([[start], arc, [stop]])
    kept = np.concatenate([[True], np.hypot(*np.diff(whole, axis=0).T) > 1e-6])
    return np.asarray(whole[kept])


def _branch(main: LineString, at: XY, side: Side, unit: float) -> LineString:
    """Return a line from a side of the zone that runs into the main line in an arc."""
    normal = NORMAL[side]
    ray = LineString([at, (at[0] - 4 * unit * normal[0], at[1] - 4 * unit * normal[1])])
    meets = main.intersection(ray)
    foot = (
        main.interpolate(main.project(Point(at)))
        if meets.is_empty
        else Point(meets.geoms[0] if hasattr(meets, "geoms") else meets)
    )
    along = main.project(foot)
    reach = min(_BRANCH * unit, 0.98 * math.dist(at, (foot.x, foot.y)))
    ahead = along + reach if along < main.length / 2 else along - reach
    end = main.interpolate(min(max(ahead, 0.0), main.length))
    return LineString(_arced(at, (foot.x, foot.y), (end.x, end.y)))
