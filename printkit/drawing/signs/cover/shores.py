"""Still water: lakes, pools, the sea and waterways on the board's edge, with engraved lines along the shore.

Source: the cartography, 9.6 and 10.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import elementary
from printkit.drawing.canvas.items import LayeredItems, LayerName, Path
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.lines.channels import feeders, kept_clear, sunk
from printkit.drawing.signs.lines.course_lines import TOUCH, on, stippled, stroke_shape
from printkit.drawing.signs.lines.wet_plants import reeds
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Hill

_LAKE_LINES: Final = 5
_POOL_LINES: Final = 3
_SEA_LINES: Final = 7
_WATERWAY_LINES: Final = 6
_FIRST: Final = 1.5
_WIDENING: Final = 1.3
_BEYOND: Final = 40.0
_MOUTH: Final = 0.15
_SEAM: Final = 0.06  # Tolerance in mm: an outline this near the board's edge is on it and is not a shore.

_BEACH: Final = 6.5
_BEACH_WAVER: Final = 0.28
_BEACH_WAVE: Final = 55.0
_WET: Final = 2.6
_SURF: Final = 21.0
_WAVES: Final = 15.0

_WEDGE_PITCH: Final = 2.2
_WEDGE: Final = (2.6, 0.3)


class Basin(Struct, frozen=True, eq=False):
    """Still water as it is drawn.

    Attributes:
        outline: its outline.
        inflow: ground of the waters that run in or out.
        open: its water, extended past the board.
        joined: its water and the inflow.
        board: the board.
    """

    outline: BaseGeometry
    inflow: BaseGeometry
    open: BaseGeometry
    joined: BaseGeometry
    board: Polygon

    @classmethod
    def of(cls, area: Area, context: SymbolContext, field: Battlefield) -> Basin:
        """Return the basin of an area. On the board's edge, its water continues past the board."""
        board = field.board.shape
        touched = shapely.line_merge(shapely.intersection(board.exterior, area.outline.buffer(_SEAM)))
        beyond = shapely.difference(touched.buffer(context.size(_BEYOND), cap_style="flat"), board)
        water = shapely.union_all([area.outline, *([beyond.buffer(_SEAM)] if touched.length > TOUCH else [])])
        inflow = feeders(area, context, field)
        return cls(area.outline, inflow, water, water.union(inflow), board)

    @property
    def shore(self) -> list[LineString]:
        """Return the line between water and land, with gaps at other waters and along the board's edge."""
        shown = shapely.intersection(self.outline.boundary, self.board.buffer(_SEAM))
        taken = shapely.union(self.board.exterior.buffer(_SEAM), self.inflow.buffer(-_MOUTH))
        return lines(shapely.line_merge(shapely.difference(shown, taken)))


def lake(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a lake with waterlines along its shore, open where a river runs in."""
    basin = Basin.of(area, context, field)
    yield from _strand(basin, ((3.0, "bank-damp", 0.7), (1.6, "sand", 0.35)), context)
    yield from _water(basin, context, _LAKE_LINES)
    yield from _shoreline(basin, context)


def pool(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a pool: few waterlines, and reeds in the shallows of its southern shore."""
    basin = Basin.of(area, context, field)
    yield from _strand(basin, ((2.4, "bank-damp", 0.7),), context)
    yield from _water(basin, context, _POOL_LINES)
    yield from _shoreline(basin, context)
    stream = context.stream(f"draw/{area.id}/reeds")
    left, low, right, high = area.outline.bounds
    # Reeds at the southern shore are drawn upwards and stay over the water.
    shallows = shapely.difference(area.outline.buffer(-context.size(1.6)), area.outline.buffer(-context.size(3.4)))
    southern = shapely.intersection(shallows, shapely.box(left, low, right, low + 0.55 * (high - low)))
    clear = shapely.union_all([kept_clear(context, field), basin.inflow]).buffer(context.size(1.5))
    places = poisson_points(southern, context.size(8.5), stream, avoid=clear)
    inside = area.outline.buffer(-context.size(0.4))
    chosen = [place for place in places.tolist() if stream.draw_unit() < 0.7]
    yield from reeds(chosen, 3.4, context, stream, layer=LayerName.WATER_LINE, within=inside)


def sea(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw the sea: waterlines, small waves off the shore, and a sandy beach."""
    basin = Basin.of(area, context, field)
    yield from _beach(area, basin, context, field)
    yield from _water(basin, context, _SEA_LINES)
    stream = context.stream(f"draw/{area.id}/waves")
    board = field.board.shape.buffer(-context.size(4.0), join_style="mitre")
    calm = shapely.intersection_all([basin.open.buffer(-context.size(_SURF)), area.outline, board])
    crests: list[Line] = []
    for x, y in poisson_points(
        calm, context.size(_WAVES), stream, avoid=kept_clear(context, field).buffer(context.size(3))
    ):
        crests.append(_wave(x, y, context.size(stream.between(2.2, 3.4)), context.size(stream.between(0.5, 0.8))))
    shown = [part for crest in crests for part in lines(shapely.intersection(LineString(crest), area.outline))]
    yield from on(LayerName.WATER_LINE, stroke_shape(shown, context, "waterline", 0.22, alpha=0.7))
    yield from _shoreline(basin, context)


def waterway(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a waterway along the board's edge: waterlines, and a bank of strokes that fall to the water."""
    basin = Basin.of(area, context, field)
    yield from _water(basin, context, _WATERWAY_LINES)
    yield from _shoreline(basin, context)
    far, near = _WEDGE
    wet = shapely.union_all([basin.open, basin.inflow.buffer(context.size(1.5))]).buffer(context.size(near) / 2)
    shapely.prepare(wet)
    strokes: list[tuple[Line, float, float]] = []
    for piece in basin.shore:
        if piece.length > context.size(2 * _WEDGE_PITCH):
            points = resampled(piece, context.size(_WEDGE_PITCH))
            for at, across in zip(points, _landward(points, basin), strict=True):
                foot = at + across * context.size(near)
                if not shapely.contains_xy(wet, *(foot + across * context.size(0.4))):
                    strokes.append(
                        (np.array([at + across * context.size(far), foot]), context.width(0.45), context.width(0.12))
                    )
    yield from on(LayerName.WATER_LINE, wedges(strokes, context.tint("hachure", 0.9)))


def waterlines(shape: BaseGeometry, context: SymbolContext, count: int, *, within: BaseGeometry) -> Iterable[Path]:
    """Return ``count`` lines along the shore of ``shape``, clipped to ``within``. Each gap is 1.3 times the last."""
    inset = gap = _FIRST
    for number in range(count):
        line = shape.buffer(-context.size(inset), quad_segs=6).boundary.intersection(within)
        width = 0.34 - 0.20 * number / max(1, count - 1)
        yield from stroke_shape(line, context, "waterline", width, alpha=0.9 - 0.06 * number)
        gap *= _WIDENING
        inset += gap


def _strand(basin: Basin, rims: tuple[tuple[float, str, float], ...], context: SymbolContext) -> LayeredItems:
    """Draw damp or sandy ground along the water. Each rim has a width in mm, an ink and an alpha."""
    rivers = basin.inflow.buffer(context.size(3.4))
    for width, token, alpha in rims:
        rim = shapely.difference(basin.outline.buffer(context.size(width)), rivers)
        yield from on(LayerName.BANK, fill(rim, context.tint(token, alpha)))


def _water(basin: Basin, context: SymbolContext, count: int) -> LayeredItems:
    yield from on(LayerName.WATER, fill(basin.outline, context.style.ink("water")))
    for inset in np.linspace(3, 26, 9):
        deep = shapely.intersection(basin.open.buffer(-context.size(float(inset))), basin.outline)
        yield from on(LayerName.WATER, fill(polygons(deep), context.tint("water-deep", 0.13)))
    yield from sunk(basin.outline, basin.joined, context, 1.1, 0.35)
    yield from on(LayerName.WATER_LINE, waterlines(basin.joined, context, count, within=basin.outline))


def _shoreline(basin: Basin, context: SymbolContext) -> LayeredItems:
    yield from on(LayerName.WATER_LINE, stroke_shape(basin.shore, context, "bank-line", 0.62, least=LEAST_MEANING))


def _beach(area: Area, basin: Basin, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw sand of varying width along the shore, but not on other areas that reach the shore."""
    others = [
        other.outline
        for other in field.features
        if isinstance(other, Area | Hill)
        and other.id != area.id
        and other.outline.dwithin(area.outline, context.size(12))
    ]
    taken = shapely.union_all([basin.joined, basin.inflow.buffer(context.size(2.0)), *others])
    dry, wet = (shapely.difference(_along_shore(basin, breadth, context), taken) for breadth in (_BEACH, _WET))
    style, stream = context.style, context.stream(f"draw/{area.id}/beach")
    sand = style.ink("sand")
    yield from on(LayerName.BANK, fill(dry, context.tint("sand", 0.85)))
    if sand is not None:
        yield from on(LayerName.BANK, fill(wet, sand.mix(style.solid("sand-line"), 0.25).with_alpha(0.6)))
    room = shapely.difference(dry.buffer(-context.size(0.5)), basin.joined.buffer(context.size(0.8)))
    grains = stippled(
        room, kept_clear(context, field), context, stream, (2.0, 0.14, 0.12), context.tint("sand-line", 0.9)
    )
    yield from on(LayerName.BANK, grains)
    landward = shapely.difference(dry.boundary, taken.buffer(context.size(0.3)))
    edge = lines(shapely.line_merge(landward))
    yield from on(LayerName.BANK, stroke_shape(edge, context, "sand-line", 0.38, dash=(0.01, 1.6), least=LEAST_MEANING))


def _along_shore(basin: Basin, breadth: float, context: SymbolContext) -> BaseGeometry:
    """Return the ground within about ``breadth`` mm of the shore, varied by noise."""
    discs: list[BaseGeometry] = []
    for piece in basin.shore:
        points = resampled(piece, context.size(2.0))
        waver = 1 + _BEACH_WAVER * context.noise.at(points[:, 0], points[:, 1], context.size(_BEACH_WAVE))
        discs += [Point(at).buffer(context.size(breadth) * much) for at, much in zip(points, waver, strict=True)]
    even = context.size(2.0)
    return shapely.union_all(discs).buffer(even).buffer(-even)


def _landward(points: Line, basin: Basin) -> Line:
    """Return the unit directions away from the water at points of its shore."""
    across = normals(points)
    wet = shapely.contains_xy(basin.open, points + across * 0.3)
    return np.where(wet[:, None], -across, across)


def _wave(x: float, y: float, half: float, high: float) -> Line:
    """Return two troughs with a crest between them."""
    along = np.linspace(-1.0, 1.0, 13)
    return np.column_stack([x + half * along, y - high * np.abs(elementary.sin(np.pi * along))])
