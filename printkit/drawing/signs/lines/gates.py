"""Gates in free-standing walls and fences: at roads, in front of farms, and one in each long wall.

Gates are only drawn. The record contains the complete wall or fence, and gates away from roads are drawn shut.

Source: the cartography, 10.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Cap, Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, lines
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.lines.course_lines import courses, on, shadow, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Kind

# A farm within this distance of a road, in mm at 1:1, has a track to it that passes walls and fences by gates.
FARM_REACH: Final = 45.0

_LEADING: Final = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH)
_WIDE: Final = 11.0
_FROM_END: Final = 6.0
# A wall of this length or more, in mm on the board, has a gate even without a farm track.
_LONG: Final = 120.0

_AT_HAND: Final = 160.0
_TOWARDS: Final = 0.82
_ABOUT_MIDDLE: Final = (0.36, 0.64)
_ASIDE: Final = (0.0, 0.07, -0.07, 0.13, -0.13)
# No gate where the line bends further than this from the straight between the posts, in mm at 1:1
_BENT: Final = 0.3

_POST: Final = 2.3
_TIMBER_POST: Final = 1.5
_BARS: Final = 4
_LEAF: Final = 1.1


class WorkGate(Struct, frozen=True):
    """A gate in a wall or fence: its two ends on the centre line, and whether a leaf closes it."""

    first: tuple[float, float]
    last: tuple[float, float]
    shut: bool

    @property
    def line(self) -> LineString:
        """Return the line from post to post."""
        return LineString([self.first, self.last])


def farm_lines(field: Battlefield, context: SymbolContext) -> list[LineString]:
    """Return the shortest line from each farm near a road to that road."""
    found = []
    for farm in field.select_features(Kind.FARM):
        ways = [way.line for way in courses(field, *_LEADING)]
        close = [way for way in ways if isinstance(farm, Area) and way.dwithin(farm.outline, context.size(FARM_REACH))]
        if close and isinstance(farm, Area):
            way = min(close, key=farm.outline.exterior.distance)
            found.append(LineString(shapely.shortest_line(farm.outline.exterior, way)))
    return found


def farm_gates(line: BaseGeometry, field: Battlefield, context: SymbolContext) -> list[WorkGate]:
    """Return the gates where farm tracks pass through a wall or fence. None of them is near an end.

    Args:
        line: the work as it is drawn, without existing openings.
        field: the battlefield in printed mm.
        context: gives the sizes.
    """
    found = []
    for track in farm_lines(field, context):
        for part in lines(line):
            met = shapely.intersection(part, track)
            if met.is_empty:
                continue
            gate = _gate(part, part.project(met.representative_point()), context)
            found += [gate] if gate is not None else []
    return found


def field_gate(line: BaseGeometry, field: Battlefield, context: SymbolContext, stream: Stream) -> list[WorkGate]:
    """Return the gate for carts in a long wall: towards a nearby farm, otherwise near the middle.

    Args:
        line: the work as it is drawn, without existing openings.
        field: the battlefield in printed mm.
        context: gives the sizes.
        stream: random stream for the position of the gate.
    """
    share = stream.between(*_ABOUT_MIDDLE)
    part = max(lines(line), key=lambda each: each.length, default=LineString())
    if part.length < _LONG * context.scale:
        return []
    farms = [farm.outline for farm in field.select_features(Kind.FARM) if isinstance(farm, Area)]
    close = [farm for farm in farms if farm.dwithin(part, _AT_HAND * context.scale)]
    if close:
        farm = min(close, key=part.distance)
        at = part.project(Point(shapely.shortest_line(part, farm).coords[0])) / part.length
        share = min(max(at, 1 - _TOWARDS), _TOWARDS)
    for aside in _ASIDE:
        gate = _gate(part, (share + aside) * part.length, context)
        if gate is not None and gate.line.interpolate(0.5, normalized=True).dwithin(part, context.size(_BENT)):
            return [gate]
    return []


def _gate(part: LineString, at: float, context: SymbolContext) -> WorkGate | None:
    """Return a shut gate at a distance along a line, or None if that is too near an end."""
    half = context.size(_WIDE) / 2
    if min(at, part.length - at) < half + context.size(_FROM_END):
        return None
    ends = [part.interpolate(at + by) for by in (-half, half)]
    return WorkGate((ends[0].x, ends[0].y), (ends[1].x, ends[1].y), shut=True)


def way_gates(line: BaseGeometry, openings: BaseGeometry, context: SymbolContext) -> list[WorkGate]:
    """Return the openings that roads make in a wall or fence, each between the two ends that remain."""
    found = []
    for gap in shapely.get_parts(shapely.intersection(line, openings)):
        if isinstance(gap, LineString) and gap.length > context.size(1.0):
            first, last = gap.coords[0], gap.coords[-1]
            rest = shapely.difference(line, openings)
            if all(rest.dwithin(Point(end), 0.1) for end in (first, last)):
                found.append(WorkGate(first, last, shut=False))
    return found


def opened_for(line: BaseGeometry, gates: Sequence[WorkGate]) -> BaseGeometry:
    """Return a line without its gates."""
    cut = [gate.line.buffer(0.3 * gate.line.length, cap_style="flat") for gate in gates]
    return shapely.difference(line, shapely.union_all(cut)) if cut else line


def draw_gates(gates: Sequence[WorkGate], kind: Kind, width: float, context: SymbolContext) -> LayeredItems:
    """Draw gate posts, of stone in walls and of timber elsewhere, and the leaf of each shut gate."""
    stone = kind is Kind.WALL
    side = max(context.size(_POST if stone else _TIMBER_POST), width * (1.15 if stone else 0.0))
    posts: list[Polygon] = []
    leaves: list[Line] = []
    for gate in gates:
        first, last = np.array(gate.first), np.array(gate.last)
        ahead = (last - first) / float(np.hypot(*(last - first)))
        aside = np.array([-ahead[1], ahead[0]])
        posts += [_square(end, ahead, aside, side) for end in (first, last)]
        if gate.shut:
            inner, by = (first + ahead * side / 2, last - ahead * side / 2), context.size(_LEAF) / 2
            leaves += [np.array([end + sign * by * aside for end in inner]) for sign in (1, -1)]
            shares = np.linspace(0.0, 1.0, _BARS)
            bars = [inner[0] + share * (inner[1] - inner[0]) for share in shares]
            leaves += [np.array([bar - by * aside, bar + by * aside]) for bar in bars]
    if not posts:
        return
    yield from on(LayerName.WORKS, stroke_shape(leaves, context, "timber", 0.34, cap=Cap.BUTT, least=LEAST_MEANING))
    yield from on(LayerName.WORKS, shadow(shapely.union_all(posts), context, (0.7, 0.8), 0.30))
    yield from on(LayerName.WORKS, fill(posts, context.style.ink("stone" if stone else "timber")))
    edge = "stone-line" if stone else "timber"
    yield from on(LayerName.WORKS, stroke_shape(posts, context, edge, 0.30, join=Join.MITRE, least=LEAST_MEANING))


def _square(at: Line, ahead: Line, aside: Line, side: float) -> Polygon:
    half = side / 2
    return Polygon([at + half * (x * ahead + y * aside) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
