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
from printkit.drawing.canvas.area_fill import FAINT_RINGS, wash
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import grown, standing
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.built.buildings import House, PlanSite, opened, whole_lines
from printkit.drawing.signs.built.fields import FieldPlot, lattice
from printkit.drawing.signs.built.lots import Garden, draw_gardens
from printkit.drawing.signs.lines.course_lines import on, stroke_shape
from printkit.drawing.signs.lines.works import worm_fence_along

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
    """The orchard, gardens and woodlot inside a farm's outline; all are empty on a small farm."""

    orchard: Polygon
    gardens: tuple[Garden, ...]
    woodlot: Polygon = Polygon()


def laid_grounds(ground: Polygon, taken: BaseGeometry, site: PlanSite) -> FarmGrounds:
    """Return the grounds on the largest rectangle without houses and track, aligned with the houses.

    Args:
        ground: outline of the farm, in printed mm.
        taken: houses, track and labels.
        site: site of the farm's plan. Its size scales every distance here.
    """
    unit = site.size
    free = shapely.difference(ground.buffer(-_INSET * unit, join_style="mitre"), taken)
    found = _largest_box(affinity.rotate(free, -site.angle, origin=(site.x, site.y), use_radians=True))
    left, low, right, high = found.bounds if not found.is_empty else (0.0, 0.0, 0.0, 0.0)
    wide, deep = right - left, high - low
    if wide * deep < _LEAST * unit**2 or min(wide, deep) < _NARROWEST * unit:
        return FarmGrounds(Polygon(), ())
    gap = _APART * unit
    # The orchard is on the side away from the houses.
    if wide >= deep:
        away = (left + right) / 2 > site.x
        cut = left + wide * (1 - _ORCHARD_SHARE) if away else right - wide * (1 - _ORCHARD_SHARE)
        orchard = box(cut + gap / 2, low, right, high) if away else box(left, low, cut - gap / 2, high)
        near, far = (left, cut - gap / 2) if away else (cut + gap / 2, right)
        beds = [box(near, low, far, (low + high - gap) / 2), box(near, (low + high + gap) / 2, far, high)]
    else:
        away = (low + high) / 2 > site.y
        cut = low + deep * (1 - _ORCHARD_SHARE) if away else high - deep * (1 - _ORCHARD_SHARE)
        orchard = box(left, cut + gap / 2, right, high) if away else box(left, low, right, cut - gap / 2)
        near, far = (low, cut - gap / 2) if away else (cut + gap / 2, high)
        beds = [box(left, near, (left + right - gap) / 2, far), box((left + right + gap) / 2, near, right, far)]
    orchard, *turned = (
        affinity.rotate(part, site.angle, origin=(site.x, site.y), use_radians=True) for part in (orchard, *beds)
    )
    gardens = tuple(Garden(bed, site.angle, shade) for shade, bed in enumerate(turned))
    return FarmGrounds(orchard, gardens, _woodlot(free, shapely.union_all([orchard, *turned]), site))


def _woodlot(free: BaseGeometry, borne: BaseGeometry, site: PlanSite) -> Polygon:
    """Return a rounded woodlot in the largest remaining rectangle, or an empty polygon if that is too small."""
    unit = site.size
    left_over = shapely.difference(free, borne.buffer(_BESIDE_BEDS * unit, join_style="mitre"))
    found = _largest_box(affinity.rotate(left_over, -site.angle, origin=(site.x, site.y), use_radians=True))
    if found.is_empty:
        return found
    left, low, right, high = found.bounds
    if min(right - left, high - low) < _LOT_NARROWEST * unit or found.area < _LOT_LEAST * unit**2:
        return Polygon()
    # Round the corners of the woodlot.
    by = min(0.4 * min(right - left, high - low), _LOT_ROUND * unit)
    most = _LOT_MOST * unit
    lot = box(max(left, (left + right - most) / 2), low, min(right, (left + right + most) / 2), high)
    turned: Polygon = affinity.rotate(lot, site.angle, origin=(site.x, site.y), use_radians=True)
    return turned.buffer(-by).buffer(by, quad_segs=6)


def taken_by(houses: list[House], track: BaseGeometry, clear: BaseGeometry, unit: float) -> BaseGeometry:
    """Return the ground of houses, of the track from gate to yard, and of labels, with margins."""
    yard = shapely.union_all([house.footprint for house in houses]).convex_hull
    return shapely.union_all([yard.buffer(_BESIDE_HOUSES * unit), track.buffer(_BESIDE_TRACK * unit), clear])


def draw_grounds(grounds: FarmGrounds, identity: str, site: PlanSite, context: SymbolContext) -> LayeredItems:
    """Draw the orchard, gardens and woodlot.

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
    yield from on(LayerName.GARDEN, wash(sward, style.ink("orchard"), None, context, FAINT_RINGS))
    yield from draw_gardens(grounds.gardens, context)
    stream = context.stream(f"draw/{identity}/orchard")
    fence, _ = opened(LineString(orchard.exterior), Point(site.x, site.y), context.size(_GATE))
    yield from worm_fence_along(whole_lines(fence), context, stream, context.size(_FENCE), LayerName.GARDEN)
    radius = _TREE * context.size(_TREES_APART[0])
    plot = FieldPlot(ground=orchard, border=Polygon(), inner=orchard, angle=site.angle)
    places = lattice(plot, orchard.buffer(-(radius + context.size(_WITHIN))), _TREES_APART, context, stream)
    stand = grown(places, [radius * stream.between(0.85, 1.15) for _ in places], "light-crown", stream)
    yield from standing(stand, context, LayerName.GARDEN)
    yield from _draw_woodlot(grounds.woodlot, context.stream(f"draw/{identity}/woodlot"), context)


def _draw_woodlot(lot: Polygon, stream: Stream, context: SymbolContext) -> LayeredItems:
    """Draw forest trees with touching crowns on a woodland floor without an edge line."""
    if lot.is_empty:
        return
    yield from on(LayerName.GARDEN, fill(lot, context.style.ink("light-woods")))
    least, most = (context.size(mm) for mm in _LOT_TREES)
    places = poisson_points(lot.buffer(-least), _LOT_PITCH * least, stream)
    stand = grown(places, [stream.between(least, most) for _ in places], "crown", stream)
    yield from standing(stand, context, LayerName.GARDEN)


def draw_woodpile(at: Point, angle: float, ground: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Draw a stack of logs, if there is room on the ground."""
    wide, deep = context.size(_STACK[0]), context.size(_STACK[1])
    stack = box(at.x - wide / 2, at.y - deep / 2, at.x + wide / 2, at.y + deep / 2)
    rows = np.linspace(at.y - deep / 2, at.y + deep / 2, _LOGS)[1:-1].tolist()
    logs = shapely.multilinestrings([[(at.x - wide / 2, y), (at.x + wide / 2, y)] for y in rows])
    stack, logs = (affinity.rotate(part, angle, origin=at, use_radians=True) for part in (stack, logs))
    if not shapely.contains(ground, stack):
        return
    yield from on(LayerName.GARDEN, fill(stack, context.style.ink("timber-deck")))
    yield from on(LayerName.GARDEN, stroke_shape(logs, context, "timber", 0.20))
    yield from on(LayerName.GARDEN, stroke_shape(stack, context, "timber", 0.28, least=LEAST_MEANING))


def _largest_box(free: BaseGeometry) -> Polygon:
    """Return the largest axis-aligned box inside some ground, to the step of a fine grid."""
    if free.is_empty:
        return Polygon()
    left, low, right, high = free.bounds
    x, y = np.linspace(left, right, _CELLS + 1), np.linspace(low, high, _CELLS + 1)
    shapely.prepare(free)
    middles = np.meshgrid((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2)
    open_cells = shapely.contains_xy(free, middles[0], middles[1])
    # For each row: count the open cells below in every column, then find the widest box for each height.
    best, most = (0, 0, 0, 0), 0.0
    depth = np.zeros(_CELLS, dtype=int)
    for row in range(_CELLS):
        depth = np.where(open_cells[row], depth + 1, 0)
        for first in np.flatnonzero(depth).tolist():
            lowest = np.minimum.accumulate(depth[first:])
            area = lowest * np.arange(1, len(lowest) + 1)
            place = int(np.argmax(area))
            if area[place] > most:
                most = float(area[place])
                best = (first, row + 1 - int(lowest[place]), first + place + 1, row + 1)
    return box(x[best[0]], y[best[1]], x[best[2]], y[best[3]]) if most else Polygon()
