"""Borders of fields with their gates, and strips of large tilled fields with grassy balks between them.

Source: the cartography, 10.7.

Source: the cartography, 10.7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, lines, polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.cover.low_plants import Tufts
from printkit.drawing.signs.lines.course_lines import on_layer, stroke_shape
from printkit.drawing.signs.lines.walls_and_hedges import SHARED
from printkit.terrain.field.features import Kind

LARGE: Final = 9000.0  # Least area of a tilled field with strips, in mm² at 1:1

_WIDTH: Final = 44.0
_MOST: Final = 5
_UNEVEN: Final = 0.16
_BALK: Final = 1.8
_HEADLAND: Final = 7.0
_BEFORE_HEADLAND: Final = 1.2
_SPARE: Final = 20.0
_SLIVER: Final = 1.2
_STEPS: Final = 13
_BALK_ALPHA: Final = 0.45
_DARKER: Final = 0.07
_TUFTS: Final = (6.5, 1.5)


class TilledStrips(Struct, frozen=True):
    """The parts of a large field, in printed mm.

    Attributes:
        strips: the long narrow strips that are tilled, side by side.
        balks: the untilled ground between them.
        headlands: the ground at both ends where the teams turn.
    """

    strips: tuple[BaseGeometry, ...]
    balks: BaseGeometry
    headlands: tuple[BaseGeometry, ...]


def divide_into_strips(
    ground: BaseGeometry, angle: float, bend: float, context: SymbolContext, stream: Stream
) -> TilledStrips | None:
    """Return the long narrow strips in which a field is tilled, or None if it is too small for strips.

    There are two to five strips; a field needs 9000 mm² at 1:1. Parts may be empty.

    Args:
        ground: the field in printed mm.
        angle: direction of its rows in radians, anticlockwise.
        bend: sideways shift between the two ends of a row, as a share of its length. Balks have the same bend.
        context: gives the scale.
        stream: random stream for the widths of the strips.
    """
    unit = context.size(1.0)
    if ground.area < LARGE * unit**2:
        return None
    centre = ground.centroid
    rotated_field = affinity.rotate(ground, -angle, origin=centre, use_radians=True)
    left, low, right, high = rotated_field.bounds
    count = max(2, min(_MOST, round((high - low) / (_WIDTH * unit))))
    swing, middle, long = bend * (right - left) / 2, (left + right) / 2, right - left
    x = np.linspace(left - _SPARE * unit, right + _SPARE * unit, _STEPS)
    bow = swing * exact_math.sin(math.pi * np.clip(x - middle, -long / 2, long / 2) / long)

    def make_strip(bottom: float, top: float) -> Polygon:
        """Return the bent strip between two heights in the rotated field, in printed mm."""
        return Polygon(np.vstack([np.column_stack([x, bottom + bow]), np.column_stack([x, top + bow])[::-1]]))

    def rotate_back(shape: BaseGeometry) -> BaseGeometry:
        """Return a shape of the rotated field in printed mm, turned back to the direction of the rows."""
        return affinity.rotate(shape, angle, origin=centre, use_radians=True)

    cuts = [low + (high - low) * (k + stream.between(-_UNEVEN, _UNEVEN)) / count for k in range(1, count)]
    edges = [low - _SPARE * unit, *cuts, high + _SPARE * unit]
    half, head = _BALK / 2 * unit, _HEADLAND * unit
    # Remove ground within a headland of either end, measured along the rows, also where the ends slant.
    body = shapely.intersection(
        _shift_ground(rotated_field, head), shapely.intersection(rotated_field, _shift_ground(rotated_field, -head))
    )
    turning = head - _BEFORE_HEADLAND * unit
    return TilledStrips(
        strips=tuple(
            rotate_back(shapely.intersection(body, make_strip(bottom + half, top - half)))
            for bottom, top in pairwise(edges)
        ),
        balks=rotate_back(
            shapely.intersection(body, shapely.union_all([make_strip(cut - half, cut + half) for cut in cuts]))
        ),
        headlands=tuple(
            rotate_back(_remove_slivers(shapely.difference(rotated_field, _shift_ground(rotated_field, shift)), unit))
            for shift in (turning, -turning)
        ),
    )


def _shift_ground(ground: BaseGeometry, shift: float) -> BaseGeometry:
    """Return ground moved ``shift`` printed mm along x."""
    return affinity.translate(ground, shift, 0.0)


def _remove_slivers(ground: BaseGeometry, unit: float) -> BaseGeometry:
    """Return ground without the slivers along sides that are not quite parallel to the rows.

    ``ground`` is in printed mm, and ``unit`` is printed mm per mm at 1:1.
    """
    return ground.buffer(-_SLIVER * unit, join_style="mitre").buffer(_SLIVER * unit, join_style="mitre")


def draw_balks(
    field_strips: TilledStrips, label_area: BaseGeometry, ink: str, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Draw every second strip a little darker, and the balks with a few tufts of grass clear of labels.

    Yields (layer, item) pairs.

    Args:
        field_strips: the strips and balks of the field.
        label_area: boxes of labels, in printed mm.
        ink: name of the ink that darkens the strips.
        context: gives the style and sizes.
        stream: random stream for the tufts.
    """
    if context.style.washes:
        yield from on_layer(LayerName.FIELD, fill(list(field_strips.strips[1::2]), context.tint(ink, _DARKER)))
        yield from on_layer(LayerName.FIELD, fill(field_strips.balks, context.tint("pasture", _BALK_ALPHA)))
    spacing, height = (context.size(mm) for mm in _TUFTS)
    points = poisson_points(field_strips.balks.buffer(-context.size(_BALK) * 0.3), spacing, stream, avoid=label_area)
    tufts = Tufts.at(points.tolist(), height, 3, stream)
    yield from on_layer(LayerName.FIELD, stroke_shape(tufts.blades, context, "pasture-tuft", 0.26))


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

    The first pair is the usual kind with its line, which is empty if nothing remains for it. Where another work is
    along more than half of a side, the rest of that side gets the same kind. There is one pair for each such side, so
    a kind can occur several times.

    Args:
        ground: the field in printed mm, fitted to the walls, fences and hedges (works) of other features.
        border: the part of its edge without another work, in printed mm.
        default_kind: the field's usual kind of work.
        existing_works: the works of other features along the rest, in printed mm.
        context: gives the scale for tolerances; nothing is converted.
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
