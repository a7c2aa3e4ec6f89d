"""Borders of fields: the kind of wall, fence or hedge along each side, and a gate towards a nearby road.

Source: the cartography, 10.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import Line, lines, polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.lines.walls_and_hedges import SHARED
from printkit.terrain.field.features import Kind

GATE: Final = 6.0  # Width of a gate in mm at 1:1

_CORNER: Final = 0.5
_CALM: Final = 3.0
_MOSTLY: Final = 0.5
_OFF: Final = 14.0
_FROM_END: Final = 9.0
_WHOLE: Final = 24.0
_BESIDE: Final = 0.3


class ExistingWork(Struct, frozen=True):
    """A wall, fence or hedge of another feature: its line, half its width (both in printed mm) and its kind."""

    line: BaseGeometry
    reach: float
    kind: Kind


def split_by_kind(
    ground: BaseGeometry,
    border: BaseGeometry,
    default_kind: Kind,
    existing_works: Sequence[ExistingWork],
    context: SymbolContext,
) -> list[tuple[Kind, BaseGeometry]]:
    """Return the border that a field draws, split by kind of work: pairs of kind and line in printed mm.

    Where another work is along more than half of a side, the rest of that side gets the same kind. The first line is
    empty if nothing remains for the usual kind.

    Args:
        ground: the field in printed mm, fitted to the walls, fences and hedges (works) of other features.
        border: the part of its edge without another work.
        default_kind: the field's usual kind of work; its part comes first in the result.
        existing_works: the works of other features along the rest.
        context: gives the scale.
    """
    kind_parts: list[tuple[Kind, BaseGeometry]] = []
    remaining, tolerance = border, context.size(SHARED)
    for side in _find_sides(ground, context) if existing_works else ():
        side_band = side.buffer(context.size(_BESIDE), cap_style="flat")
        part = shapely.intersection(remaining, side_band)
        if part.is_empty or part.length > _MOSTLY * side.length:
            continue
        shares = [
            (shapely.intersection(side, work.line.buffer(tolerance)).length, work.kind) for work in existing_works
        ]
        longest, kind = max(shares)
        if kind is not default_kind and longest > _MOSTLY * side.length:
            kind_parts.append((kind, part))
            remaining = shapely.difference(remaining, side_band)
    return [(default_kind, remaining), *kind_parts]


def place_gate(border: BaseGeometry, road_point: Point | None, context: SymbolContext) -> Point | None:
    """Return the middle of a border's gate, as near as possible to a road, in printed mm.

    ``road_point`` is the point of the field's edge nearest to a road. The result is None if there is no road, if the
    border is too short for a gate, or if the gate would be too far from ``road_point``.
    """
    if road_point is None or border.is_empty or border.length < context.size(_WHOLE):
        return None
    parts = [part for part in lines(_merge_border(border)) if part.length > context.size(_WHOLE)]
    if not parts:
        return None
    part = min(parts, key=lambda part: part.distance(road_point))
    position, end_margin = part.project(road_point), context.size(_FROM_END)
    # Stay away from the ends, where another border begins.
    point = part.interpolate(position if part.is_closed else min(max(position, end_margin), part.length - end_margin))
    return point if point.distance(road_point) < context.size(_OFF) else None


def _merge_border(border: BaseGeometry) -> BaseGeometry:
    """Return the parts of a border, with touching ends merged, in its unit."""
    return shapely.line_merge(shapely.multilinestrings(lines(border)))


def _find_sides(ground: BaseGeometry, context: SymbolContext) -> list[LineString]:
    """Return the sides of a field, each from one corner to the next, in printed mm.

    They are piece by piece, along the outer edge. A piece of ground with fewer than two corners has no sides.
    """
    side_lines: list[LineString] = []
    for piece in polygons(ground):
        points = shapely.get_coordinates(piece.exterior)
        corner_positions = [piece.exterior.project(Point(corner)) for corner in _find_corners(piece, context)]
        if len(corner_positions) < 2:
            continue
        distances = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        ring, length = np.vstack([points, points[1:]]), float(distances[-1])
        distances = np.concatenate([distances, distances[1:] + length])
        positions = sorted(corner_positions)
        for first, last in zip(positions, [*positions[1:], positions[0] + length], strict=True):
            inner = ring[(distances > first) & (distances < last)]
            ends = np.column_stack([np.interp([first, last], distances, ring[:, axis]) for axis in (0, 1)])
            side_lines.append(LineString(np.vstack([ends[:1], inner, ends[1:]])))
    return side_lines


def _find_corners(piece: Polygon, context: SymbolContext) -> Line:
    """Return the points where the edge of a field turns sharply, as an n x 2 array in printed mm.

    A sharp turn is 30 to 150 degrees on the simplified edge. ``piece`` is one piece of the field's ground.
    """
    points = shapely.get_coordinates(piece.exterior.simplify(context.size(_CALM)))[:-1]
    incoming, outgoing = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    turns = incoming[:, 0] * outgoing[:, 1] - incoming[:, 1] * outgoing[:, 0]
    share = turns / np.maximum(
        np.hypot(incoming[:, 0], incoming[:, 1]) * np.hypot(outgoing[:, 0], outgoing[:, 1]), 1e-9
    )
    return np.asarray(points[np.abs(share) > _CORNER])


def open_gate(
    border: BaseGeometry, gate_point: Point | None, context: SymbolContext
) -> tuple[BaseGeometry, list[Point]]:
    """Return a border with a gap at its gate, and the positions of the two gateposts, in printed mm.

    Without a ``gate_point`` the border is unchanged and there are no posts. The gap is 6 mm at 1:1 wide. A gate at the
    end of a line has only one post.
    """
    if gate_point is None:
        return border, []
    border_line = _merge_border(border)
    gap = gate_point.buffer(context.size(GATE) / 2)
    posts = shapely.get_parts(shapely.intersection(border_line, gap.exterior))
    return shapely.difference(border_line, gap), [post for post in posts.tolist() if post.geom_type == "Point"]
