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
from printkit.drawing.signs.lines.course_lines import courses, on_layer, shadow, stroke_shape
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
    """A gate in a wall or fence: its two ends on the centre line, and whether a leaf closes it.

    The ends are in printed mm.
    """

    first: tuple[float, float]
    last: tuple[float, float]
    shut: bool

    @property
    def line(self) -> LineString:
        """Return the line from post to post, in printed mm."""
        return LineString([self.first, self.last])


def find_farm_tracks(field: Battlefield, context: SymbolContext) -> list[LineString]:
    """Return a line from each farm near a road to the nearest road, in printed mm.

    It is the shortest line from the farm's edge. Farms without a road near them have no line.
    """
    tracks = []
    for farm in field.select_features(Kind.FARM):
        road_lines = [road_line.line for road_line in courses(field, *_LEADING)]
        near_lines = [
            road_line
            for road_line in road_lines
            if isinstance(farm, Area) and road_line.dwithin(farm.outline, context.size(FARM_REACH))
        ]
        if near_lines and isinstance(farm, Area):
            road_line = min(near_lines, key=farm.outline.exterior.distance)
            tracks.append(LineString(shapely.shortest_line(farm.outline.exterior, road_line)))
    return tracks


def place_farm_gates(line: BaseGeometry, field: Battlefield, context: SymbolContext) -> list[WorkGate]:
    """Return the gates, all shut, where farm tracks pass through a wall or fence.

    None of them is near an end; the list may be empty.

    Args:
        line: the work as it is drawn, without existing openings, in printed mm.
        field: the battlefield in printed mm.
        context: gives the sizes.
    """
    gates = []
    for track in find_farm_tracks(field, context):
        for part in lines(line):
            crossing = shapely.intersection(part, track)
            if crossing.is_empty:
                continue
            gate = _make_gate(part, part.project(crossing.representative_point()), context)
            gates += [gate] if gate is not None else []
    return gates


def place_field_gate(line: BaseGeometry, field: Battlefield, context: SymbolContext, stream: Stream) -> list[WorkGate]:
    """Return the gate for carts in a long wall: towards a nearby farm, otherwise near the middle.

    The list has one shut gate. A wall is long from 120 mm of the board, and a farm is near within 160. The list is
    empty if the wall is shorter or bends at every place for the gate.

    Args:
        line: the wall or fence as it is drawn, without existing openings, in printed mm.
        field: the battlefield in printed mm.
        context: gives the sizes.
        stream: random stream for the position of the gate.
    """
    share = stream.between(*_ABOUT_MIDDLE)
    part = max(lines(line), key=lambda line_part: line_part.length, default=LineString())
    if part.length < _LONG * context.scale:
        return []
    farms = [farm.outline for farm in field.select_features(Kind.FARM) if isinstance(farm, Area)]
    near_farms = [farm for farm in farms if farm.dwithin(part, _AT_HAND * context.scale)]
    if near_farms:
        farm = min(near_farms, key=part.distance)
        nearest_share = part.project(Point(shapely.shortest_line(part, farm).coords[0])) / part.length
        share = min(max(nearest_share, 1 - _TOWARDS), _TOWARDS)
    for share_offset in _ASIDE:
        gate = _make_gate(part, (share + share_offset) * part.length, context)
        if gate is not None and gate.line.interpolate(0.5, normalized=True).dwithin(part, context.size(_BENT)):
            return [gate]
    return []


def _make_gate(part: LineString, distance: float, context: SymbolContext) -> WorkGate | None:
    """Return a shut gate at a distance along a line, or None if that is too near an end.

    ``part`` and ``distance`` from its start are in printed mm.
    """
    half_width = context.size(_WIDE) / 2
    if min(distance, part.length - distance) < half_width + context.size(_FROM_END):
        return None
    ends = [part.interpolate(distance + offset) for offset in (-half_width, half_width)]
    return WorkGate((ends[0].x, ends[0].y), (ends[1].x, ends[1].y), shut=True)


def find_road_gates(line: BaseGeometry, openings: BaseGeometry, context: SymbolContext) -> list[WorkGate]:
    """Return the openings that roads make in a wall or fence, each between the two ends that remain.

    They are gates without a leaf. An opening at the end of the work is left out. ``line`` is the wall or fence and
    ``openings`` the ground of the roads, in printed mm.
    """
    gates = []
    for gap in shapely.get_parts(shapely.intersection(line, openings)):
        if isinstance(gap, LineString) and gap.length > context.size(1.0):
            first, last = gap.coords[0], gap.coords[-1]
            remainder = shapely.difference(line, openings)
            if all(remainder.dwithin(Point(end), 0.1) for end in (first, last)):
                gates.append(WorkGate(first, last, shut=False))
    return gates


def cut_openings(line: BaseGeometry, gates: Sequence[WorkGate]) -> BaseGeometry:
    """Return a line in printed mm without its gates."""
    openings = [gate.line.buffer(0.3 * gate.line.length, cap_style="flat") for gate in gates]
    return shapely.difference(line, shapely.union_all(openings)) if openings else line


def draw_gates(gates: Sequence[WorkGate], kind: Kind, width: float, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of gate posts, of stone in walls and else of timber, and the leaf of each shut gate.

    ``kind`` is the kind of wall, fence or hedge and ``width`` its width in printed mm; posts of a wall are wider than
    it.
    """
    stone = kind is Kind.WALL
    side = max(context.size(_POST if stone else _TIMBER_POST), width * (1.15 if stone else 0.0))
    posts: list[Polygon] = []
    leaves: list[Line] = []
    for gate in gates:
        first, last = np.array(gate.first), np.array(gate.last)
        direction = (last - first) / float(np.hypot(*(last - first)))
        normal = np.array([-direction[1], direction[0]])
        posts += [_make_post(end, direction, normal, side) for end in (first, last)]
        if gate.shut:
            leaf_ends, half_leaf = (first + direction * side / 2, last - direction * side / 2), context.size(_LEAF) / 2
            leaves += [np.array([end + sign * half_leaf * normal for end in leaf_ends]) for sign in (1, -1)]
            shares = np.linspace(0.0, 1.0, _BARS)
            bars = [leaf_ends[0] + share * (leaf_ends[1] - leaf_ends[0]) for share in shares]
            leaves += [np.array([bar - half_leaf * normal, bar + half_leaf * normal]) for bar in bars]
    if not posts:
        return
    yield from on_layer(
        LayerName.WORKS, stroke_shape(leaves, context, "timber", 0.34, cap=Cap.BUTT, minimum_mm=LEAST_MEANING)
    )
    yield from on_layer(LayerName.WORKS, shadow(shapely.union_all(posts), context, (0.7, 0.8), 0.30))
    yield from on_layer(LayerName.WORKS, fill(posts, context.style.ink("stone" if stone else "timber")))
    edge = "stone-line" if stone else "timber"
    yield from on_layer(
        LayerName.WORKS, stroke_shape(posts, context, edge, 0.30, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    )


def _make_post(centre: Line, direction: Line, normal: Line, side: float) -> Polygon:
    """Return a square post with sides of ``side`` mm along two unit vectors, in printed mm.

    ``centre`` is its middle; ``direction`` and ``normal`` are the vectors.
    """
    half = side / 2
    return Polygon([centre + half * (x * direction + y * normal) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
