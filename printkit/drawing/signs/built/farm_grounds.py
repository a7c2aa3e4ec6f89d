"""Grounds of a large farm: an orchard in a worm fence, gardens, a woodlot and a woodpile.

All of them are inside the farm's outline and part of its symbol.

Source: the cartography, 10.9.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import FAINT_RINGS, LEAST_MEANING, SymbolContext, wash
from printkit.drawing.scatter.crowns import grown, poisson_points, standing
from printkit.drawing.signs.built.buildings import House, PlanSite, merge_lines, open_ring
from printkit.drawing.signs.built.fields import FieldPlot, plant_lattice
from printkit.drawing.signs.built.lots import Garden, draw_gardens
from printkit.drawing.signs.lines.course_lines import on_layer, stroke_shape
from printkit.drawing.signs.lines.walls_and_hedges import draw_worm_fence

_CELLS: Final = 44
_INSET: Final = 3.2
_BESIDE_HOUSES: Final = 3.0
_BESIDE_TRACK: Final = 3.4
_LEAST: Final = 620.0
_NARROWEST: Final = 13.0
_ORCHARD_SHARE: Final = 2 / 3
_APART: Final = 1.6
_TREES_APART: Final = (8.2, 7.4)
_TREE: Final = 0.31
_WITHIN: Final = 1.2
_FENCE: Final = 2.1
_GATE: Final = 5.0
_BESIDE_BEDS: Final = 1.8
_LOT_LEAST: Final = 150.0
_LOT_NARROWEST: Final = 9.0
_LOT_MOST: Final = 34.0
_LOT_ROUND: Final = 5.0
_LOT_TREES: Final = (2.5, 3.5)
_LOT_PITCH: Final = 1.7
_STACK: Final = (6.4, 2.4)
_LOGS: Final = 5


class FarmGrounds(Struct, frozen=True):
    """The orchard, gardens and woodlot inside a farm's outline, in printed mm.

    All are empty on a small farm.
    """

    orchard: Polygon
    gardens: tuple[Garden, ...]
    woodlot: Polygon = Polygon()


def plan_grounds(ground: Polygon, occupied_ground: BaseGeometry, site: PlanSite) -> FarmGrounds:
    """Return orchard, gardens and woodlot on the largest rectangle without houses and track.

    The rectangle has the angle of the houses. All parts are empty if it is too small. The orchard has two thirds of the
    rectangle's long side, away from the houses; two gardens share the rest. The woodlot is on other free ground.

    Args:
        ground: outline of the farm, in printed mm.
        occupied_ground: houses, track and labels.
        site: site of the farm's plan. Its size scales every distance here.
    """
    unit = site.size
    free = shapely.difference(ground.buffer(-_INSET * unit, join_style="mitre"), occupied_ground)
    free_box = _find_largest_box(affinity.rotate(free, -site.angle, origin=(site.x, site.y), use_radians=True))
    left, low, right, high = free_box.bounds if not free_box.is_empty else (0.0, 0.0, 0.0, 0.0)
    width, depth = right - left, high - low
    if width * depth < _LEAST * unit**2 or min(width, depth) < _NARROWEST * unit:
        return FarmGrounds(Polygon(), ())
    gap = _APART * unit
    # The orchard is on the side away from the houses.
    if width >= depth:
        is_beyond = (left + right) / 2 > site.x
        split_line = left + width * (1 - _ORCHARD_SHARE) if is_beyond else right - width * (1 - _ORCHARD_SHARE)
        orchard = (
            box(split_line + gap / 2, low, right, high) if is_beyond else box(left, low, split_line - gap / 2, high)
        )
        bed_start, bed_end = (left, split_line - gap / 2) if is_beyond else (split_line + gap / 2, right)
        beds = [
            box(bed_start, low, bed_end, (low + high - gap) / 2),
            box(bed_start, (low + high + gap) / 2, bed_end, high),
        ]
    else:
        is_beyond = (low + high) / 2 > site.y
        split_line = low + depth * (1 - _ORCHARD_SHARE) if is_beyond else high - depth * (1 - _ORCHARD_SHARE)
        orchard = (
            box(left, split_line + gap / 2, right, high) if is_beyond else box(left, low, right, split_line - gap / 2)
        )
        bed_start, bed_end = (low, split_line - gap / 2) if is_beyond else (split_line + gap / 2, high)
        beds = [
            box(left, bed_start, (left + right - gap) / 2, bed_end),
            box((left + right + gap) / 2, bed_start, right, bed_end),
        ]
    orchard, *rotated_beds = (
        affinity.rotate(part, site.angle, origin=(site.x, site.y), use_radians=True) for part in (orchard, *beds)
    )
    gardens = tuple(Garden(bed, site.angle, shade) for shade, bed in enumerate(rotated_beds))
    return FarmGrounds(orchard, gardens, _find_woodlot(free, shapely.union_all([orchard, *rotated_beds]), site))


def _find_woodlot(free: BaseGeometry, planted_ground: BaseGeometry, site: PlanSite) -> Polygon:
    """Return a rounded woodlot in the largest remaining rectangle; an empty polygon if that is too small.

    Everything is in printed mm. ``free`` is ground without houses and track; ``planted_ground`` is orchard and gardens.
    """
    unit = site.size
    remaining = shapely.difference(free, planted_ground.buffer(_BESIDE_BEDS * unit, join_style="mitre"))
    free_box = _find_largest_box(affinity.rotate(remaining, -site.angle, origin=(site.x, site.y), use_radians=True))
    if free_box.is_empty:
        return free_box
    left, low, right, high = free_box.bounds
    if min(right - left, high - low) < _LOT_NARROWEST * unit or free_box.area < _LOT_LEAST * unit**2:
        return Polygon()
    # Round the corners of the woodlot.
    corner_radius = min(0.4 * min(right - left, high - low), _LOT_ROUND * unit)
    max_width = _LOT_MOST * unit
    lot = box(max(left, (left + right - max_width) / 2), low, min(right, (left + right + max_width) / 2), high)
    rotated_lot: Polygon = affinity.rotate(lot, site.angle, origin=(site.x, site.y), use_radians=True)
    return rotated_lot.buffer(-corner_radius).buffer(corner_radius, quad_segs=6)


def find_occupied_ground(houses: list[House], track: BaseGeometry, clear: BaseGeometry, unit: float) -> BaseGeometry:
    """Return the ground of houses, of the track from gate to yard, and of labels, with margins.

    Everything is in printed mm.

    Args:
        houses: the houses of the farm.
        track: the line of the track.
        clear: the boxes of labels; they have no margin.
        unit: printed mm per mm of the farm's plan; it scales the margins.
    """
    yard = shapely.union_all([house.footprint for house in houses]).convex_hull
    return shapely.union_all([yard.buffer(_BESIDE_HOUSES * unit), track.buffer(_BESIDE_TRACK * unit), clear])


def draw_grounds(grounds: FarmGrounds, identity: str, site: PlanSite, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the orchard, gardens and woodlot.

    Shapes and items are in printed mm.

    Args:
        grounds: the parts to draw.
        identity: ID of the farm; it names the random streams.
        site: site of the houses; the orchard's gate faces it.
        context: context with the size of the houses.
    """
    if grounds.orchard.is_empty:
        return
    style, orchard = context.style, grounds.orchard
    # The grass ends inside the zigzag fence.
    sward = orchard.buffer(-context.size(_FENCE) / 2, join_style="mitre")
    yield from on_layer(LayerName.GARDEN, wash(sward, style.ink("orchard"), None, context, FAINT_RINGS))
    yield from draw_gardens(grounds.gardens, context)
    stream = context.stream(f"draw/{identity}/orchard")
    fence, _ = open_ring(LineString(orchard.exterior), Point(site.x, site.y), context.size(_GATE))
    yield from draw_worm_fence(merge_lines(fence), context, stream, context.size(_FENCE), LayerName.GARDEN)
    radius = _TREE * context.size(_TREES_APART[0])
    plot = FieldPlot(ground=orchard, border=Polygon(), inner=orchard, angle=site.angle)
    points = plant_lattice(plot, orchard.buffer(-(radius + context.size(_WITHIN))), _TREES_APART, context, stream)
    tree_list = grown(points, [radius * stream.between(0.85, 1.15) for _ in points], "light-crown", stream)
    yield from standing(tree_list, context, LayerName.GARDEN)
    yield from _draw_woodlot(grounds.woodlot, context.stream(f"draw/{identity}/woodlot"), context)


def _draw_woodlot(lot: Polygon, stream: Stream, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw forest trees with touching crowns on a woodland floor without an edge line.

    ``lot`` is the outline of the woodlot in printed mm; it may be empty.
    """
    if lot.is_empty:
        return
    yield from on_layer(LayerName.GARDEN, fill(lot, context.style.ink("light-woods")))
    min_radius, max_radius = (context.size(mm) for mm in _LOT_TREES)
    points = poisson_points(lot.buffer(-min_radius), _LOT_PITCH * min_radius, stream)
    tree_list = grown(points, [stream.between(min_radius, max_radius) for _ in points], "crown", stream)
    yield from standing(tree_list, context, LayerName.GARDEN)


def draw_woodpile(centre: Point, angle: float, ground: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw a stack of logs, if it fits on the ground.

    It yields nothing if the stack does not fit.

    Args:
        centre: centre of the stack, in printed mm.
        angle: direction of the logs in radians.
        ground: where the stack may be, in printed mm.
        context: gives the style and sizes.
    """
    width, depth = context.size(_STACK[0]), context.size(_STACK[1])
    stack = box(centre.x - width / 2, centre.y - depth / 2, centre.x + width / 2, centre.y + depth / 2)
    rows = np.linspace(centre.y - depth / 2, centre.y + depth / 2, _LOGS)[1:-1].tolist()
    logs = shapely.multilinestrings([[(centre.x - width / 2, y), (centre.x + width / 2, y)] for y in rows])
    stack, logs = (affinity.rotate(part, angle, origin=centre, use_radians=True) for part in (stack, logs))
    if not shapely.contains(ground, stack):
        return
    yield from on_layer(LayerName.GARDEN, fill(stack, context.style.ink("timber-deck")))
    yield from on_layer(LayerName.GARDEN, stroke_shape(logs, context, "timber", 0.20))
    yield from on_layer(LayerName.GARDEN, stroke_shape(stack, context, "timber", 0.28, minimum_mm=LEAST_MEANING))


def _find_largest_box(free: BaseGeometry) -> Polygon:
    """Return the largest axis-aligned box inside some ground in printed mm, to the step of a fine grid.

    The grid has 44 x 44 cells. An empty polygon means that the ground is empty or too narrow.
    """
    if free.is_empty:
        return Polygon()
    left, low, right, high = free.bounds
    x, y = np.linspace(left, right, _CELLS + 1), np.linspace(low, high, _CELLS + 1)
    shapely.prepare(free)
    middles = np.meshgrid((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2)
    open_cells = shapely.contains_xy(free, middles[0], middles[1])
    # For each row: count the open cells below in every column, then find the widest box for each height.
    best, max_cells = (0, 0, 0, 0), 0.0
    depth = np.zeros(_CELLS, dtype=int)
    for row in range(_CELLS):
        depth = np.where(open_cells[row], depth + 1, 0)
        for first in np.flatnonzero(depth).tolist():
            lowest = np.minimum.accumulate(depth[first:])
            area = lowest * np.arange(1, len(lowest) + 1)
            index = int(np.argmax(area))
            if area[index] > max_cells:
                max_cells = float(area[index])
                best = (first, row + 1 - int(lowest[index]), first + index + 1, row + 1)
    return box(x[best[0]], y[best[1]], x[best[2]], y[best[3]]) if max_cells else Polygon()
