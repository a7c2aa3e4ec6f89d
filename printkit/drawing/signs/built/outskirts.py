"""The outskirts of villages: ground that fades out, gardens up to the edge, clumps of trees, and lanes.

Lengths are mm at 1:1. The outline of the village keeps a thin dashed line, because it counts in play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName, Path
from printkit.drawing.canvas.shapes import Line, fill, fills, normals, polygons, ribbon
from printkit.drawing.canvas.symbol_context import SymbolContext, inset_areas
from printkit.drawing.signs.built.lots import Garden
from printkit.drawing.signs.built.streets import Street
from printkit.drawing.signs.lines.course_lines import drawn_width, on_layer, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing

# Opacity of the ground from its edge inward, at every sixth of the strip that fades
_FADE: Final = (0.06, 0.20, 0.38, 0.57, 0.74, 0.88, 1.0)
_FADES_OVER: Final = 6.0

_GARDEN_REACH: Final = 34.0  # Greatest distance between a garden and the edge that it is extended to
_FROM_EDGE: Final = 0.9
_NEAR_ENOUGH: Final = 2.5  # Distance from the edge within which an extended garden reaches it
_FROM_HOUSES: Final = 1.0

_RIM: Final = 12.0
_CLUMP_WAVE: Final = 30.0
_CLUMPS_FROM: Final = (0.12, -0.45)  # Least noise for a tree near the edge, and elsewhere

_LANE: Final = (20.0, 40.0)  # Least and greatest length of a lane
_LANE_STEP: Final = 1.0
_LANE_END: Final = 3.0  # Width at its far end
_LANE_BENDS: Final = (26.0, 0.30)  # Wave, and greatest turn in radians
_LANE_ROOM: Final = 6.0  # Least distance from all other features
_LANE_ALPHA: Final = 0.85
_LANE_PARTS: Final = 6
_BORDER: Final = (0.24, (3.6, 1.5, 2.2, 1.8), 0.8)


def fade_ground(ground: Polygon, context: SymbolContext) -> list[Path]:
    """Return the tint of a village, which fades out over 6 mm at 1:1 to its edge; empty in a style without washes.

    ``ground`` is in printed mm.
    """
    ink = context.style.ink("town")
    if ink is None or not context.style.washes:
        return []
    covered_shares = (0.0, *_FADE)
    alphas = [1 - (1 - share) / (1 - before) for before, share in zip(covered_shares, _FADE, strict=False)]
    insets = np.linspace(0.0, context.size(_FADES_OVER), len(_FADE))
    return fills(inset_areas(ground, insets, context), [ink.with_alpha(alpha) for alpha in alphas])


def extend_gardens(
    gardens: Sequence[Garden],
    ground: Polygon,
    free: BaseGeometry,
    houses_ground: BaseGeometry,
    street_list: Sequence[Street],
    context: SymbolContext,
) -> list[Garden]:
    """Return the gardens of a village; those near its edge and behind the houses reach it.

    Args:
        gardens: the gardens.
        ground: the ground of the village, in printed mm.
        free: ground without streets, churchyard and waters.
        houses_ground: the ground of the houses.
        street_list: the streets; a garden is extended away from the nearest.
        context: gives the sizes.
    """
    streets = shapely.union_all([street.line for street in street_list])
    room = shapely.difference(
        shapely.intersection(free.buffer(context.size(2.0)), ground.buffer(-context.size(_FROM_EDGE))),
        houses_ground.buffer(context.size(_FROM_HOUSES), quad_segs=3),
    )
    new_gardens = list(gardens)
    for number, garden in enumerate(gardens):
        foot, middle = (np.array(point) for point in shapely.shortest_line(streets, garden.ground.centroid).coords)
        offset = (middle - foot) / max(float(np.hypot(*(middle - foot))), 1e-9) * context.size(_GARDEN_REACH)
        others = [other.ground for index, other in enumerate(new_gardens) if index != number]
        swept_area = shapely.union(garden.ground, affinity.translate(garden.ground, *offset)).convex_hull
        taken_area = shapely.union_all(others).buffer(context.size(0.6), quad_segs=3)
        plot = shapely.difference(shapely.intersection(swept_area, room), taken_area)
        if not plot.buffer(0.1).contains(garden.ground.buffer(-context.size(0.8))):
            plot = shapely.union(plot, garden.ground)
        pieces = [part for part in polygons(plot) if part.intersects(garden.ground.buffer(-context.size(1.0)))]
        piece = max(pieces, key=lambda part: part.area, default=garden.ground)
        if ground.exterior.distance(piece) < context.size(_NEAR_ENOUGH) and piece.area > garden.ground.area:
            new_gardens[number] = replace(garden, ground=piece)
    return new_gardens


def thin_trees(trees: Line, ground: Polygon, context: SymbolContext) -> Line:
    """Return the trees of a village in clumps, n x 2 in printed mm, with gaps along its edge."""
    if not len(trees):
        return trees
    noise = context.noise.at(trees[:, 0], trees[:, 1], context.size(_CLUMP_WAVE))
    near_edge = shapely.distance(shapely.points(trees), ground.exterior) < context.size(_RIM)
    near, elsewhere = _CLUMPS_FROM
    return trees[noise > np.where(near_edge, near, elsewhere)]


def find_lanes(
    street_list: Sequence[Street], ground: Polygon, context: SymbolContext, field: Battlefield, own_id: str
) -> list[tuple[Line, float]]:
    """Return the lanes that continue the streets without a road: points from the edge, and width at the edge.

    Points and widths are in printed mm. A lane keeps 6 mm at 1:1 off all other features and is at least 20 mm long.

    Args:
        street_list: the streets of the village.
        ground: its outline.
        context: gives sizes and noise.
        field: the battlefield in printed mm.
        own_id: the ID of the village.
    """
    others = [
        feature.line.buffer(drawn_width(feature, context) / 2) if isinstance(feature, Course) else feature.outline
        for feature in field.features
        if feature.id != own_id and not isinstance(feature, Crossing)
    ]
    blocked_area = shapely.union_all([*others, context.clear]).buffer(context.size(_LANE_ROOM), quad_segs=4)
    shapely.prepare(blocked_area)
    lanes: list[tuple[Line, float]] = []
    for street in street_list:
        if street.mouth or not street.main:
            continue
        for end, before in _get_ends(street, context):
            if ground.exterior.distance(Point(end)) > street.width or blocked_area.intersects(Point(end)):
                continue
            points = _walk(end, end - before, blocked_area, field, context)
            if (len(points) - 1) * _LANE_STEP >= _LANE[0]:
                lanes.append((points, street.width))
    return lanes


def _get_ends(street: Street, context: SymbolContext) -> Iterator[tuple[Line, Line]]:
    """Yield both end points of a street, each with the point of the street 6 mm at 1:1 before it, in printed mm."""
    line = street.line
    for whole in (line.reverse(), line):
        before = whole.interpolate(max(0.0, whole.length - context.size(6.0)))
        yield np.array(whole.coords[-1]), np.array(before.coords[0])


def _walk(end: Line, direction: Line, blocked_area: BaseGeometry, field: Battlefield, context: SymbolContext) -> Line:
    """Return points 1 mm at 1:1 apart from the end of a street into the country, at most 40 mm, n x 2 in printed mm.

    The line ends before blocked ground and at the board's edge.
    """
    wave, turn = _LANE_BENDS
    bearing = float(exact_math.arctan2(direction[1], direction[0]))
    points = [end]
    while (len(points) - 1) * _LANE_STEP < _LANE[1]:
        x, y = points[-1]
        bend = bearing + turn * float(np.clip(context.noise.at(x, y, context.size(wave)), -1, 1)) * min(
            1.0, len(points) * _LANE_STEP / 10.0
        )
        ahead = np.array([x, y]) + context.size(_LANE_STEP) * np.array(
            [float(exact_math.cos(bend)), float(exact_math.sin(bend))]
        )
        if blocked_area.intersects(Point(ahead)) or not field.board.shape.contains(Point(ahead)):
            break
        points.append(ahead)
    return np.array(points)


def draw_lanes(lanes: Sequence[tuple[Line, float]], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw lanes as pale tracks that narrow and fade out, with broken borders.

    Shapes and items are in printed mm.
    """
    for points, width in lanes:
        shares = np.linspace(0.0, 1.0, len(points))
        widths = width + (context.size(_LANE_END) - width) * shares
        # Nested parts, the longest first: the lane is densest at the edge of the village.
        parts = [
            ribbon(points[: len(points) * number // _LANE_PARTS + 1], widths[: len(points) * number // _LANE_PARTS + 1])
            for number in range(_LANE_PARTS, 0, -1)
        ]
        ink = context.tint("track", 1 - (1 - _LANE_ALPHA) ** (1 / _LANE_PARTS))
        for part in parts:
            yield from on_layer(LayerName.GRASS, fill(part, ink))
        half = normals(points) * widths[:, None] / 2
        most = max(2, round(0.75 * len(points)))
        border_mm, dash, alpha = _BORDER
        borders = [(points + half)[:most], (points - half)[: max(2, most - 5)]]
        yield from on_layer(
            LayerName.GRASS, stroke_shape(borders, context, "road-casing", border_mm, dash=dash, alpha=alpha)
        )
