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

from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName, Path
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.cover.low_plants import draw_reeds
from printkit.drawing.signs.lines.channels import draw_bank_shadow, find_feeders, find_reserved_ground
from printkit.drawing.signs.lines.course_lines import TOUCH, on_layer, stipple_area, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Hill

_LAKE_LINES: Final = 5
_POOL_LINES: Final = 3
_SEA_LINES: Final = 7
_WATERWAY_LINES: Final = 6
_FIRST: Final = 1.5
_WIDENING: Final = 1.3
# Level lines on wide water in a style without washes: pitch and width, and range of strokes and of gaps, in mm at 1:1.
_OPEN_WATER: Final = (9.0, 0.16, (8.0, 26.0), (16.0, 46.0))
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
    """Still water as it is drawn, in printed mm.

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
    def from_area(cls, area: Area, context: SymbolContext, field: Battlefield) -> Basin:
        """Return the basin of an area, in printed mm.

        Where the area touches the board's edge, its water continues 40 mm at 1:1 past the board.
        """
        board = field.board.shape
        edge_line = shapely.line_merge(shapely.intersection(board.exterior, area.outline.buffer(_SEAM)))
        outside_strip = shapely.difference(edge_line.buffer(context.size(_BEYOND), cap_style="flat"), board)
        water = shapely.union_all([area.outline, *([outside_strip.buffer(_SEAM)] if edge_line.length > TOUCH else [])])
        inflow = find_feeders(area, context, field)
        return cls(area.outline, inflow, water, water.union(inflow), board)

    @property
    def shore(self) -> list[LineString]:
        """Return the line between water and land in printed mm.

        It has gaps at other waters and along the board's edge.
        """
        shore_on_board = shapely.intersection(self.outline.boundary, self.board.buffer(_SEAM))
        excluded_ground = shapely.union(self.board.exterior.buffer(_SEAM), self.inflow.buffer(-_MOUTH))
        return lines(shapely.line_merge(shapely.difference(shore_on_board, excluded_ground)))


def lake(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a lake with waterlines along its shore, open where a river runs in.

    Shapes and items are in printed mm.
    """
    basin = Basin.from_area(area, context, field)
    yield from _draw_rims(basin, ((3.0, "bank-damp", 0.7), (1.6, "sand", 0.35)), context)
    yield from _draw_water(basin, context, _LAKE_LINES)
    yield from _draw_shoreline(basin, context)


def pool(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a pool: few waterlines, and reeds in the shallows of its southern shore.

    Shapes and items are in printed mm.
    """
    basin = Basin.from_area(area, context, field)
    yield from _draw_rims(basin, ((2.4, "bank-damp", 0.7),), context)
    yield from _draw_water(basin, context, _POOL_LINES)
    yield from _draw_shoreline(basin, context)
    stream = context.stream(f"draw/{area.id}/reeds")
    left, bottom, right, top = area.outline.bounds
    # Reeds at the southern shore are drawn upwards and stay over the water.
    shallows = shapely.difference(area.outline.buffer(-context.size(1.6)), area.outline.buffer(-context.size(3.4)))
    southern = shapely.intersection(shallows, shapely.box(left, bottom, right, bottom + 0.55 * (top - bottom)))
    clear = shapely.union_all([find_reserved_ground(context, field), basin.inflow]).buffer(context.size(1.5))
    points = poisson_points(southern, context.size(8.5), stream, avoid=clear)
    inside = area.outline.buffer(-context.size(0.4))
    reed_points = [point for point in points.tolist() if stream.draw_unit() < 0.7]
    yield from on_layer(LayerName.WATER_LINE, draw_reeds(reed_points, 3.4, context, stream, area=inside))


def sea(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw the sea: waterlines, small waves off the shore, and a sandy beach.

    Shapes and items are in printed mm.
    """
    basin = Basin.from_area(area, context, field)
    yield from _draw_beach(area, basin, context, field)
    yield from _draw_water(basin, context, _SEA_LINES)
    stream = context.stream(f"draw/{area.id}/waves")
    board = field.board.shape.buffer(-context.size(4.0), join_style="mitre")
    wave_area = shapely.intersection_all([basin.open.buffer(-context.size(_SURF)), area.outline, board])
    # A wave is two troughs with a crest between them.
    positions = np.linspace(-1.0, 1.0, 13)
    depths = np.abs(exact_math.sin(np.pi * positions))
    waves: list[Line] = []
    for x, y in poisson_points(
        wave_area, context.size(_WAVES), stream, avoid=find_reserved_ground(context, field).buffer(context.size(3))
    ):
        half_length, height = context.size(stream.between(2.2, 3.4)), context.size(stream.between(0.5, 0.8))
        waves.append(np.column_stack([x + half_length * positions, y - height * depths]))
    visible_parts = [part for wave in waves for part in lines(shapely.intersection(LineString(wave), area.outline))]
    yield from on_layer(LayerName.WATER_LINE, stroke_shape(visible_parts, context, "waterline", 0.22, alpha=0.7))
    yield from _draw_shoreline(basin, context)


def waterway(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a waterway along the board's edge: waterlines, and a bank of strokes that fall to the water.

    Yields (layer, item) pairs in printed mm; shapes are in printed mm too.
    """
    basin = Basin.from_area(area, context, field)
    yield from _draw_water(basin, context, _WATERWAY_LINES)
    yield from _draw_shoreline(basin, context)
    outer_mm, inner_mm = _WEDGE
    wet = shapely.union_all([basin.open, basin.inflow.buffer(context.size(1.5))]).buffer(context.size(inner_mm) / 2)
    shapely.prepare(wet)
    strokes: list[tuple[Line, float, float]] = []
    for piece in basin.shore:
        if piece.length > context.size(2 * _WEDGE_PITCH):
            points = resampled(piece, context.size(_WEDGE_PITCH))
            side_normals = normals(points)
            is_in_water = shapely.contains_xy(basin.open, points + side_normals * 0.3)
            landward_directions = np.where(is_in_water[:, None], -side_normals, side_normals)
            for point, landward in zip(points, landward_directions, strict=True):
                foot = point + landward * context.size(inner_mm)
                if not shapely.contains_xy(wet, *(foot + landward * context.size(0.4))):
                    strokes.append(
                        (
                            np.array([point + landward * context.size(outer_mm), foot]),
                            context.width(0.45),
                            context.width(0.12),
                        )
                    )
    yield from on_layer(LayerName.WATER_LINE, wedges(strokes, context.tint("hachure", 0.9)))


def draw_waterlines(
    shape: BaseGeometry, context: SymbolContext, count: int, *, clip_area: BaseGeometry
) -> Iterable[Path]:
    """Yield ``count`` lines along the shore of ``shape``, clipped to ``clip_area``, as paths.

    The first is 1.5 mm at 1:1 inside the shore, and each gap between lines is 1.3 times the last. Shape and clip area
    are in printed mm. Lines that do not fit are left out.
    """
    inset = gap = _FIRST
    for number in range(count):
        line = shape.buffer(-context.size(inset), quad_segs=6).boundary.intersection(clip_area)
        width = 0.34 - 0.20 * number / max(1, count - 1)
        yield from stroke_shape(line, context, "waterline", width, alpha=0.9 - 0.06 * number)
        gap *= _WIDENING
        inset += gap


def _draw_rims(basin: Basin, rims: tuple[tuple[float, str, float], ...], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw damp or sandy ground along the water.

    Each of ``rims`` has a width in mm at 1:1, an ink and an opacity from 0 to 1.
    """
    rivers = basin.inflow.buffer(context.size(3.4))
    for width, token, alpha in rims:
        rim = shapely.difference(basin.outline.buffer(context.size(width)), rivers)
        yield from on_layer(LayerName.BANK, fill(rim, context.tint(token, alpha)))


def _draw_water(basin: Basin, context: SymbolContext, count: int) -> LayeredItems:
    """Draw still water, deeper away from the shore, with the bank's shadow and ``count`` waterlines.

    Yields (layer, item) pairs in printed mm; shapes are in printed mm too.
    """
    yield from on_layer(LayerName.WATER, fill(basin.outline, context.style.ink("water")))
    for inset in np.linspace(3, 26, 9):
        deep = shapely.intersection(basin.open.buffer(-context.size(float(inset))), basin.outline)
        yield from on_layer(LayerName.WATER, fill(polygons(deep), context.tint("water-deep", 0.13)))
    yield from draw_bank_shadow(basin.outline, basin.joined, context, 1.1, 0.35)
    yield from on_layer(LayerName.WATER_LINE, draw_waterlines(basin.joined, context, count, clip_area=basin.outline))
    if not context.style.washes:
        yield from on_layer(LayerName.WATER_LINE, _draw_open_water(basin, context, count))


def _draw_open_water(basin: Basin, context: SymbolContext, count: int) -> Iterable[Path]:
    """Yield the paths of broken level lines on the water beyond its ``count`` waterlines.

    In a style without washes wide water would be blank there. Shapes and items are in printed mm.
    """
    last_line = _FIRST * (_WIDENING**count - 1) / (_WIDENING - 1)
    pitch, width, ons, offs = _OPEN_WATER
    middle = basin.open.buffer(-context.size(last_line + pitch / 2)).intersection(basin.outline)
    middle = middle.intersection(basin.board.buffer(-context.size(pitch / 3), join_style="mitre"))
    if middle.is_empty:
        return
    stream = context.stream("draw/water/open")
    left, low, right, high = middle.bounds
    strokes: list[LineString] = []
    for y in np.arange(low, high, context.size(pitch)).tolist():
        x = left - context.size(stream.between(*offs))
        while x < right:
            end, level = x + context.size(stream.between(*ons)), y + context.size(stream.between(-1.0, 1.0))
            strokes.append(LineString([(x, level), (end, level)]))
            x = end + context.size(stream.between(*offs))
    visible = shapely.intersection(shapely.MultiLineString(strokes), middle)
    yield from stroke_shape(lines(visible), context, "waterline", width, alpha=0.85)


def _draw_shoreline(basin: Basin, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the line between water and land.

    Shapes and items are in printed mm.
    """
    yield from on_layer(
        LayerName.WATER_LINE, stroke_shape(basin.shore, context, "bank-line", 0.62, minimum_mm=LEAST_MEANING)
    )


def _draw_beach(area: Area, basin: Basin, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs of sand of varying width along the shore, but not on other areas that reach the shore.

    Shapes and items are in printed mm.
    """
    other_outlines = [
        other_feature.outline
        for other_feature in field.features
        if isinstance(other_feature, Area | Hill)
        and other_feature.id != area.id
        and other_feature.outline.dwithin(area.outline, context.size(12))
    ]
    excluded_ground = shapely.union_all([basin.joined, basin.inflow.buffer(context.size(2.0)), *other_outlines])
    dry, wet = (
        shapely.difference(_find_shore_ground(basin, breadth, context), excluded_ground) for breadth in (_BEACH, _WET)
    )
    style, stream = context.style, context.stream(f"draw/{area.id}/beach")
    sand = style.ink("sand")
    yield from on_layer(LayerName.BANK, fill(dry, context.tint("sand", 0.85)))
    if sand is not None:
        yield from on_layer(LayerName.BANK, fill(wet, sand.mix(style.solid("sand-line"), 0.25).with_alpha(0.6)))
    grain_area = shapely.difference(dry.buffer(-context.size(0.5)), basin.joined.buffer(context.size(0.8)))
    grains = stipple_area(
        grain_area,
        find_reserved_ground(context, field),
        context,
        stream,
        (2.0, 0.14, 0.12),
        context.tint("sand-line", 0.9),
    )
    yield from on_layer(LayerName.BANK, grains)
    landward = shapely.difference(dry.boundary, excluded_ground.buffer(context.size(0.3)))
    edge = lines(shapely.line_merge(landward))
    yield from on_layer(
        LayerName.BANK, stroke_shape(edge, context, "sand-line", 0.38, dash=(0.01, 1.6), minimum_mm=LEAST_MEANING)
    )


def _find_shore_ground(basin: Basin, breadth: float, context: SymbolContext) -> BaseGeometry:
    """Return the ground within about ``breadth`` mm at 1:1 of the shore, varied by noise, in printed mm.

    It is on both sides of the shore line.
    """
    discs: list[BaseGeometry] = []
    for piece in basin.shore:
        points = resampled(piece, context.size(2.0))
        waver = 1 + _BEACH_WAVER * context.noise.at(points[:, 0], points[:, 1], context.size(_BEACH_WAVE))
        discs += [
            Point(point).buffer(context.size(breadth) * factor) for point, factor in zip(points, waver, strict=True)
        ]
    smoothing = context.size(2.0)
    return shapely.union_all(discs).buffer(smoothing).buffer(-smoothing)
