"""Still water: lakes, pools, the sea and waterways along the board's edge, engraved with lines along their shore.

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

from printkit.drawing.canvas.items import Laid, LayerName, Path
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.scatter.scatter import planted
from printkit.drawing.signs.lines.channels import feeders, kept_clear, sunk
from printkit.drawing.signs.lines.course_lines import TOUCH, on, ruled, stippled
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
_SEAM: Final = 0.06
"""Within so many mm of the board's edge an outline lies on it, and is no shore."""

_BEACH: Final = 6.5
_BEACH_WAVER: Final = 0.28
_BEACH_WAVE: Final = 55.0
_WET: Final = 2.6
_SURF: Final = 21.0
_WAVES: Final = 15.0

_WEDGE_PITCH: Final = 2.2
_WEDGE: Final = (2.6, 0.3)


class Basin(Struct, frozen=True, eq=False):
    """Still water as it is drawn: its outline, the water that runs in, and all of it joined, beyond the board too."""

    outline: BaseGeometry
    inflow: BaseGeometry
    open: BaseGeometry
    joined: BaseGeometry
    board: Polygon

    @classmethod
    def of(cls, area: Area, pen: Pen, field: Battlefield) -> Basin:
        """Return the basin of an area; where it lies on the board's edge its water goes on beyond it."""
        board = field.board.shape
        touched = shapely.line_merge(shapely.intersection(board.exterior, area.outline.buffer(_SEAM)))
        beyond = shapely.difference(touched.buffer(pen.size(_BEYOND), cap_style="flat"), board)
        water = shapely.union_all([area.outline, *([beyond.buffer(_SEAM)] if touched.length > TOUCH else [])])
        inflow = feeders(area, pen, field)
        return cls(area.outline, inflow, water, water.union(inflow), board)

    @property
    def shore(self) -> list[LineString]:
        """Return the line between water and land, open where other water runs in and where the board ends."""
        shown = shapely.intersection(self.outline.boundary, self.board.buffer(_SEAM))
        taken = shapely.union(self.board.exterior.buffer(_SEAM), self.inflow.buffer(-_MOUTH))
        return lines(shapely.line_merge(shapely.difference(shown, taken)))


def lake(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a lake with waterlines along its shore, open where a river runs in."""
    basin = Basin.of(area, pen, field)
    yield from _strand(basin, ((3.0, "bank-damp", 0.7), (1.6, "sand", 0.35)), pen)
    yield from _water(basin, pen, _LAKE_LINES)
    yield from _shoreline(basin, pen)


def pool(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a pool: few waterlines, and reeds in the shallows of its southern shore."""
    basin = Basin.of(area, pen, field)
    yield from _strand(basin, ((2.4, "bank-damp", 0.7),), pen)
    yield from _water(basin, pen, _POOL_LINES)
    yield from _shoreline(basin, pen)
    stream = pen.stream(f"draw/{area.id}/reeds")
    left, low, right, high = area.outline.bounds
    # Reeds that grow upwards from the southern shore stay over the water.
    shallows = shapely.difference(area.outline.buffer(-pen.size(1.6)), area.outline.buffer(-pen.size(3.4)))
    southern = shapely.intersection(shallows, shapely.box(left, low, right, low + 0.55 * (high - low)))
    clear = shapely.union_all([kept_clear(pen, field), basin.inflow]).buffer(pen.size(1.5))
    places = planted(southern, pen.size(8.5), stream, avoid=clear)
    inside = area.outline.buffer(-pen.size(0.4))
    chosen = [place for place in places.tolist() if stream.unit() < 0.7]
    yield from reeds(chosen, 3.4, pen, stream, layer=LayerName.WATER_LINE, within=inside)


def sea(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw the sea: waterlines, small waves farther out, and a beach of sand along the shore."""
    basin = Basin.of(area, pen, field)
    yield from _beach(area, basin, pen, field)
    yield from _water(basin, pen, _SEA_LINES)
    stream = pen.stream(f"draw/{area.id}/waves")
    board = field.board.shape.buffer(-pen.size(4.0), join_style="mitre")
    calm = shapely.intersection_all([basin.open.buffer(-pen.size(_SURF)), area.outline, board])
    crests: list[Line] = []
    for x, y in planted(calm, pen.size(_WAVES), stream, avoid=kept_clear(pen, field).buffer(pen.size(3))):
        crests.append(_wave(x, y, pen.size(stream.between(2.2, 3.4)), pen.size(stream.between(0.5, 0.8))))
    shown = [part for crest in crests for part in lines(shapely.intersection(LineString(crest), area.outline))]
    yield from on(LayerName.WATER_LINE, ruled(shown, pen, "waterline", 0.22, alpha=0.7))
    yield from _shoreline(basin, pen)


def waterway(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw a waterway along the board's edge: waterlines, and a bank of wedges that fall to the water."""
    basin = Basin.of(area, pen, field)
    yield from _water(basin, pen, _WATERWAY_LINES)
    yield from _shoreline(basin, pen)
    far, near = _WEDGE
    wet = shapely.union_all([basin.open, basin.inflow.buffer(pen.size(1.5))]).buffer(pen.size(near) / 2)
    shapely.prepare(wet)
    strokes: list[tuple[Line, float, float]] = []
    for piece in basin.shore:
        if piece.length > pen.size(2 * _WEDGE_PITCH):
            points = resampled(piece, pen.size(_WEDGE_PITCH))
            for at, across in zip(points, _landward(points, basin), strict=True):
                foot = at + across * pen.size(near)
                if not shapely.contains_xy(wet, *(foot + across * pen.size(0.4))):
                    strokes.append((np.array([at + across * pen.size(far), foot]), pen.width(0.45), pen.width(0.12)))
    yield from on(LayerName.WATER_LINE, wedges(strokes, pen.tint("hachure", 0.9)))


def waterlines(shape: BaseGeometry, pen: Pen, count: int, *, within: BaseGeometry) -> Iterable[Path]:
    """Return lines along the shore of ``shape``, each gap 1.3 times the last, as far as they lie in ``within``."""
    inset = gap = _FIRST
    for number in range(count):
        line = shape.buffer(-pen.size(inset), quad_segs=6).boundary.intersection(within)
        width = 0.34 - 0.20 * number / max(1, count - 1)
        yield from ruled(line, pen, "waterline", width, alpha=0.9 - 0.06 * number)
        gap *= _WIDENING
        inset += gap


def _strand(basin: Basin, rims: tuple[tuple[float, str, float], ...], pen: Pen) -> Laid:
    """Draw damp or sandy ground beside the water: for each rim its breadth in mm, its ink and alpha."""
    rivers = basin.inflow.buffer(pen.size(3.4))
    for width, token, alpha in rims:
        rim = shapely.difference(basin.outline.buffer(pen.size(width)), rivers)
        yield from on(LayerName.BANK, fill(rim, pen.tint(token, alpha)))


def _water(basin: Basin, pen: Pen, count: int) -> Laid:
    yield from on(LayerName.WATER, fill(basin.outline, pen.style.ink("water")))
    for inset in np.linspace(3, 26, 9):
        deep = shapely.intersection(basin.open.buffer(-pen.size(float(inset))), basin.outline)
        yield from on(LayerName.WATER, fill(polygons(deep), pen.tint("water-deep", 0.13)))
    yield from sunk(basin.outline, basin.joined, pen, 1.1, 0.35)
    yield from on(LayerName.WATER_LINE, waterlines(basin.joined, pen, count, within=basin.outline))


def _shoreline(basin: Basin, pen: Pen) -> Laid:
    yield from on(LayerName.WATER_LINE, ruled(basin.shore, pen, "bank-line", 0.62, least=LEAST_MEANING))


def _beach(area: Area, basin: Basin, pen: Pen, field: Battlefield) -> Laid:
    """Draw sand along the shore, of a breadth that wavers; other ground that reaches the shore keeps its own."""
    others = [
        other.outline
        for other in field.features
        if isinstance(other, Area | Hill) and other.id != area.id and other.outline.dwithin(area.outline, pen.size(12))
    ]
    taken = shapely.union_all([basin.joined, basin.inflow.buffer(pen.size(2.0)), *others])
    dry, wet = (shapely.difference(_along_shore(basin, breadth, pen), taken) for breadth in (_BEACH, _WET))
    style, stream = pen.style, pen.stream(f"draw/{area.id}/beach")
    sand = style.ink("sand")
    yield from on(LayerName.BANK, fill(dry, pen.tint("sand", 0.85)))
    if sand is not None:
        yield from on(LayerName.BANK, fill(wet, sand.towards(style.solid("sand-line"), 0.25).thin(0.6)))
    room = shapely.difference(dry.buffer(-pen.size(0.5)), basin.joined.buffer(pen.size(0.8)))
    grains = stippled(room, kept_clear(pen, field), pen, stream, (2.0, 0.14, 0.12), pen.tint("sand-line", 0.9))
    yield from on(LayerName.BANK, grains)
    landward = shapely.difference(dry.boundary, taken.buffer(pen.size(0.3)))
    edge = lines(shapely.line_merge(landward))
    yield from on(LayerName.BANK, ruled(edge, pen, "sand-line", 0.38, dash=(0.01, 1.6), least=LEAST_MEANING))


def _along_shore(basin: Basin, breadth: float, pen: Pen) -> BaseGeometry:
    """Return the ground within ``breadth`` mm of the shore, give or take what noise adds."""
    discs: list[BaseGeometry] = []
    for piece in basin.shore:
        points = resampled(piece, pen.size(2.0))
        waver = 1 + _BEACH_WAVER * pen.noise.at(points[:, 0], points[:, 1], pen.size(_BEACH_WAVE))
        discs += [Point(at).buffer(pen.size(breadth) * much) for at, much in zip(points, waver, strict=True)]
    even = pen.size(2.0)
    return shapely.union_all(discs).buffer(even).buffer(-even)


def _landward(points: Line, basin: Basin) -> Line:
    """Return the unit directions away from the water at points of its shore."""
    across = normals(points)
    wet = shapely.contains_xy(basin.open, points + across * 0.3)
    return np.where(wet[:, None], -across, across)


def _wave(x: float, y: float, half: float, high: float) -> Line:
    """Return two hollows with a crest between them, as a swell is drawn."""
    along = np.linspace(-1.0, 1.0, 13)
    return np.column_stack([x + half * along, y - high * np.abs(np.sin(np.pi * along))])
