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
from printkit.drawing.signs.lines.works import SHARED
from printkit.terrain.field.features import Kind

GATE: Final = 6.0  # Width of a gate in mm at 1:1

_CORNER: Final = 0.5
_CALM: Final = 3.0
_MOSTLY: Final = 0.5
_OFF: Final = 14.0
_FROM_END: Final = 9.0
_WHOLE: Final = 24.0
_BESIDE: Final = 0.3


class StandingWork(Struct, frozen=True):
    """A wall, fence or hedge of another feature: its line, half its printed width and its kind."""

    line: BaseGeometry
    reach: float
    kind: Kind


def by_kind(
    ground: BaseGeometry, border: BaseGeometry, own: Kind, standing: Sequence[StandingWork], context: SymbolContext
) -> list[tuple[Kind, BaseGeometry]]:
    """Return the border that a field draws, split by kind of work.

    Where another work is along most of a side, the rest of that side gets the same kind.

    Args:
        ground: the field, fitted to the works of other features.
        border: the part of its edge without another work.
        own: the field's usual kind of work.
        standing: the works of other features along the rest.
        context: gives the scale.
    """
    found: list[tuple[Kind, BaseGeometry]] = []
    left, near = border, context.size(SHARED)
    for side in _sides(ground, context) if standing else ():
        band = side.buffer(context.size(_BESIDE), cap_style="flat")
        part = shapely.intersection(left, band)
        if part.is_empty or part.length > _MOSTLY * side.length:
            continue
        shares = [(shapely.intersection(side, work.line.buffer(near)).length, work.kind) for work in standing]
        longest, kind = max(shares)
        if kind is not own and longest > _MOSTLY * side.length:
            found.append((kind, part))
            left = shapely.difference(left, band)
    return [(own, left), *found]


def gate(border: BaseGeometry, way: Point | None, context: SymbolContext) -> Point | None:
    """Return the gate of a border, as near as possible to the point ``way`` at a road, or None."""
    if way is None or border.is_empty or border.length < context.size(_WHOLE):
        return None
    parts = [part for part in lines(_merged(border)) if part.length > context.size(_WHOLE)]
    if not parts:
        return None
    part = min(parts, key=lambda part: part.distance(way))
    gone, spare = part.project(way), context.size(_FROM_END)
    # Stay away from the ends, where another border begins.
    at = part.interpolate(gone if part.is_closed else min(max(gone, spare), part.length - spare))
    return at if at.distance(way) < context.size(_OFF) else None


def _merged(border: BaseGeometry) -> BaseGeometry:
    return shapely.line_merge(shapely.multilinestrings(lines(border)))


def _sides(ground: BaseGeometry, context: SymbolContext) -> list[LineString]:
    """Return the sides of a field, from corner to corner."""
    found: list[LineString] = []
    for piece in polygons(ground):
        points = shapely.get_coordinates(piece.exterior)
        places = [piece.exterior.project(Point(corner)) for corner in _corners(piece, context)]
        if len(places) < 2:
            continue
        gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        ring, round_once = np.vstack([points, points[1:]]), float(gone[-1])
        gone = np.concatenate([gone, gone[1:] + round_once])
        ordered = sorted(places)
        for first, last in zip(ordered, [*ordered[1:], ordered[0] + round_once], strict=True):
            inner = ring[(gone > first) & (gone < last)]
            ends = np.column_stack([np.interp([first, last], gone, ring[:, axis]) for axis in (0, 1)])
            found.append(LineString(np.vstack([ends[:1], inner, ends[1:]])))
    return found


def _corners(piece: Polygon, context: SymbolContext) -> Line:
    """Return the points where the edge of a field turns sharply."""
    points = shapely.get_coordinates(piece.exterior.simplify(context.size(_CALM)))[:-1]
    into, out = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    turned = into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0]
    share = turned / np.maximum(np.hypot(into[:, 0], into[:, 1]) * np.hypot(out[:, 0], out[:, 1]), 1e-9)
    return np.asarray(points[np.abs(share) > _CORNER])


def opened_lines(border: BaseGeometry, at: Point | None, context: SymbolContext) -> tuple[BaseGeometry, list[Point]]:
    """Return a border with its gate left open, and the positions of the two gateposts."""
    if at is None:
        return border, []
    whole = _merged(border)
    hole = at.buffer(context.size(GATE) / 2)
    posts = shapely.get_parts(shapely.intersection(whole, hole.exterior))
    return shapely.difference(whole, hole), [post for post in posts.tolist() if post.geom_type == "Point"]
