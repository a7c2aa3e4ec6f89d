"""Slight relief of the open ground: pale strokes that follow the fall of the land, for the eye only.

The land falls to waters and rises at the foot of hills. Strokes form no line at a foot and no ring, so that nobody
takes them for a hill. Each is a stamp, so that files stay small.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import Affine, Artwork, Ink, LayeredItems, LayerName, Path, Stamp
from printkit.drawing.canvas.shapes import runs
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.dressing.free_ground import OpenGround
from printkit.drawing.signs.relief.relief_field import make_contour_generator
from printkit.terrain.field.features import Hill
from printkit.terrain.geometry.outlines import Noise

_Numbers = NDArray[np.float64]

# Height of the land: wave in mm of the board and greatest height in mm of each noise
_LAND: Final = ((620.0, 26.0), (260.0, 11.0), (110.0, 3.2))
_ABOVE_WATER: Final = 20.0
_TO_WATER: Final = (
    170.0,
    0.12,
)  # Distance in mm from water where the land begins to fall, and the least height share
_FOOT: Final = (15.0, 95.0)  # Rise at the foot of a hill in mm, and its reach in mm

_CELL: Final = 12.0
_COARSE: Final = 3  # Distances are measured at every third node.
_ROUGHLY: Final = 2.0  # Tolerance in mm of the outlines that distances are measured from
_STEP: Final = 2.6  # Difference in height in mm between two rows of strokes
_STEEP_FROM: Final = 0.085
_FULL: Final = 0.30  # Slope of the heaviest strokes
_BETWEEN: Final = (3.1, 2.3)  # Distance between strokes in mm, on gentle and on steep land
_LENGTHS: Final = (7.0, 24.0)
_GAPS: Final = ((75.0, 1.0), (24.0, 0.5))  # Strokes are drawn where the sum of these noises is above the limit.
_SHOWN_FROM: Final = 0.05
_CLEAR: Final = 6.0
_RAGGED: Final = 0.45
_TURN: Final = 0.10
_ASTRAY: Final = 0.5  # Greatest shift of a stroke up or down the land, in lengths

_WEIGHTS: Final = (0.18, 0.55)  # Width of strokes in mm at 1:1 on gentle and on steep land
_LIT: Final = 0.35
_UNIT: Final = 10.0  # Length in mm of the wedge that is stamped
_INK: Final = ("contour", 0.37)


def find_slope_strokes(ground: OpenGround, noise: Noise, stream: Stream) -> _Numbers:
    """Return the strokes of a board: head x and y, foot x and y in mm of the board, and steepness 0 to 1, n x 5.

    They keep 6 mm off all features and the edges of the board.
    """
    board = ground.field.board
    columns, rows = (max(2, int(np.ceil(size / _CELL)) + 1) for size in (board.width, board.depth))
    x, y = np.meshgrid(np.arange(columns) * _CELL, np.arange(rows) * _CELL)
    height = _measure_height(ground, noise, x, y)
    down_y, down_x = (-np.asarray(slope) for slope in np.gradient(height, _CELL))
    heads = _place_heads(x, y, height, stream)
    column, row = heads[:, 0] / _CELL, heads[:, 1] / _CELL
    falls = np.column_stack([_sample(field, column, row) for field in (down_x, down_y)])
    steep = np.hypot(*falls.T)
    total_noise = np.zeros(len(heads))
    for wave, weight in _GAPS:
        total_noise += weight * noise.at(heads[:, 0], heads[:, 1], wave)
    # Steeper land has fewer gaps.
    is_drawn = (steep > _STEEP_FROM) & (total_noise + 0.8 * steep / _FULL > _SHOWN_FROM + 0.4)
    heads, falls, steep = heads[is_drawn], falls[is_drawn], steep[is_drawn]
    lengths = np.clip(_STEP / np.maximum(steep, 1e-9), *_LENGTHS) * (1 - _RAGGED * stream.draw_array(len(heads)))
    turn = _TURN * (2 * stream.draw_array(len(heads)) - 1)
    unit = falls / np.maximum(steep, 1e-9)[:, None]
    unit = unit + turn[:, None] * np.column_stack([-unit[:, 1], unit[:, 0]])
    # Heads exactly on contours would form tiers.
    heads = heads + unit * (lengths * _ASTRAY * (2 * stream.draw_array(len(heads)) - 1))[:, None]
    feet = heads + unit * lengths[:, None]
    blocked_area = shapely.union_all([ground.solid, ground.road_area, board.shape.exterior]).buffer(_CLEAR, quad_segs=4)
    shapely.prepare(blocked_area)
    is_clear = shapely.contains_xy(board.shape, *feet.T)
    is_clear &= ~shapely.intersects(blocked_area, shapely.linestrings(np.stack([heads, feet], axis=1)))
    share = np.clip((steep - _STEEP_FROM) / (_FULL - _STEEP_FROM), 0.0, 1.0)
    return np.asarray(np.column_stack([heads, feet, share])[is_clear])


def _measure_height(ground: OpenGround, noise: Noise, x: _Numbers, y: _Numbers) -> _Numbers:
    """Return the height of the land in mm at nodes of the board, given by arrays of x and y in mm."""
    height = np.full(x.shape, _ABOVE_WATER)
    for wave, most in _LAND:
        height += most * noise.at(x + 3 * wave, y, wave)
    waters = shapely.union_all([*(river.line for river in ground.rivers), *(lake.outline for lake in ground.lakes)])
    if not waters.is_empty:
        reach, least = _TO_WATER
        height *= np.clip(_measure_distance(waters, x, y) / reach, least, 1.0)
    hills = shapely.union_all([feature.outline for feature in ground.field.features if isinstance(feature, Hill)])
    if not hills.is_empty:
        rise, reach = _FOOT
        squares = (_measure_distance(hills, x, y) / reach) ** 2
        height += rise * exact_math.exp(-squares)
    return np.asarray(height)


def _measure_distance(shape: BaseGeometry, x: _Numbers, y: _Numbers) -> _Numbers:
    """Return the distance of nodes from a shape in mm, measured at every third node and interpolated for speed."""
    # One row and one column more than needed, so that every node is between measured ones.
    columns, rows = (np.arange(-(-count // _COARSE) + 1) * _COARSE * _CELL for count in (x.shape[1], x.shape[0]))
    coarse_x, coarse_y = np.meshgrid(columns, rows)
    distances = shapely.distance(shapely.points(coarse_x, coarse_y), shape.simplify(_ROUGHLY))
    column, row = x / (_COARSE * _CELL), y / (_COARSE * _CELL)
    return _sample(distances, column, row)


def _place_heads(x: _Numbers, y: _Numbers, height: _Numbers, stream: Stream) -> _Numbers:
    """Return the upper ends of strokes along contours of the land, n x 2 in mm of the board."""
    contours: Any = make_contour_generator(x, y, height)
    heads: list[_Numbers] = []
    for level in np.arange(np.floor(height.min() / _STEP) * _STEP, height.max(), _STEP).tolist():
        for line in contours.lines(level):
            steps = np.hypot(*np.diff(line, axis=0).T)
            distances = np.concatenate([[0.0], np.cumsum(steps)])
            count = int(distances[-1] / _BETWEEN[1])
            places = (np.arange(count) + 0.7 * stream.draw_array(count)) * _BETWEEN[1]
            heads.append(np.column_stack([np.interp(places, distances, line[:, axis]) for axis in (0, 1)]))
    return np.vstack(heads) if heads else np.zeros((0, 2))


def _sample(field: _Numbers, column: _Numbers, row: _Numbers) -> _Numbers:
    """Return bilinear values of a field at fractional columns and rows."""
    left = np.clip(column.astype(int), 0, field.shape[1] - 2)
    low = np.clip(row.astype(int), 0, field.shape[0] - 2)
    right, up = column - left, row - low
    lower = field[low, left] * (1 - right) + field[low, left + 1] * right
    upper = field[low + 1, left] * (1 - right) + field[low + 1, left + 1] * right
    return np.asarray(lower * (1 - up) + upper * up)


def slope_ink(style: Style) -> Ink | None:
    """Return the pale ink of the strokes; None in styles that have no washes or bold lines, which stay clean."""
    return style.solid(_INK[0]).with_alpha(_INK[1]) if style.washes and style.line_factor <= 1 else None


def draw_slope_strokes(strokes: _Numbers, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw strokes as stamps of one wedge, in printed mm, but not under labels.

    ``strokes`` are those of ``find_slope_strokes``.
    """
    ink = slope_ink(context.style)
    if ink is None or not len(strokes):
        return
    heads, feet = strokes[:, :2] * context.scale, strokes[:, 2:4] * context.scale
    middles = (heads + feet) / 2
    shapely.prepare(context.clear)
    is_seen = ~shapely.dwithin(context.clear, shapely.points(middles), context.size(_LENGTHS[1] / 2))
    heads, falls, steep = heads[is_seen], (feet - heads)[is_seen], strokes[is_seen, 4]
    lengths = np.maximum(np.hypot(*falls.T), 1e-9)
    # Strokes are heavier where the land faces away from the light in the north-west.
    lit = (falls[:, 1] - falls[:, 0]) * 0.7071 / lengths
    least, most = _WEIGHTS
    widths = context.size(1.0) * (least + (most - least) * steep) * (1 - _LIT * lit)
    cross_offsets = np.column_stack([-falls[:, 1], falls[:, 0]]) * (widths / lengths)[:, None]
    # The unit wedge falls from (0, 0) to (1, 0) and is 1 wide at its head.
    wedge = np.array([(0.0, -0.5), (0.0, 0.5), (1.0, 0.08), (1.0, -0.08)]) * _UNIT
    artwork = Artwork("slope-stroke", (Path(runs([shapely.Polygon(wedge)], closed=True), fill=ink),))
    rows = np.round(np.column_stack([falls / _UNIT, cross_offsets / _UNIT, heads]), 4).tolist()
    yield LayerName.MOTTLE, Stamp(artwork, tuple(Affine(a, b, c, d, e, f) for a, b, c, d, e, f in rows))
