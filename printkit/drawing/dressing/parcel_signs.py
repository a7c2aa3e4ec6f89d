"""Draw decorative parcels: pale tints with rows, tufts or dots, inside a fine dashed line.

Old furlongs have no border. The ink-saver style draws strokes at the headlands instead of tints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Ink, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, outline, resampled
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.dressing.countryside_types import FieldUse
from printkit.drawing.dressing.parcels import Parcel
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.lines.course_lines import on_layer

# Ink token and alpha of each use.
TINTS: Final = {
    FieldUse.PLOUGH: ("plough", 0.25),
    FieldUse.CROPS: ("crops", 0.28),
    FieldUse.PASTURE: ("pasture", 0.48),
    FieldUse.FALLOW: ("plough", 0.08),
    FieldUse.OLD_PASTURE: ("pasture", 0.45),
    FieldUse.OLD_FALLOW: ("crops", 0.24),
}

# Factor of these alphas in a high-contrast style.
PALER: Final = 0.55

_RIM: Final = 1.5
_RIM_INK: Final = (0.35, 0.11)
_TOWARDS: Final = 0.30
_FINE: Final = 0.62
_FINE_PALE: Final = 0.5
_BORDER: Final = 0.24
_BORDER_INK: Final = 0.95
_BORDER_DASH: Final = (17.0, 1.1, 29.0, 1.5)

# Rows: distance, line width and dashes, in mm at 1:1.
_ROW: Final = {FieldUse.PLOUGH: (3.0, 0.17, ()), FieldUse.CROPS: (3.3, 0.22, (1.5, 1.3))}

_HEADLAND: Final = (4.6, 0.16, 5.5)
_WITHIN: Final = 1.7
_BOW: Final = 0.035
_ROW_POINTS: Final = 7
_STRAY: Final = 0.1
_TUFT_SPACING: Final = 8.2
_DOT_SPACING: Final = 6.4
_TUFT: Final = (1.1, 1.7)
_TUFT_LINE: Final = 0.24
_DOT: Final = 0.24


def draw_parcels(
    parcels: Sequence[Parcel], board: BaseGeometry, clear: BaseGeometry, context: SymbolContext
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the parcels of a board in printed mm.

    Args:
        parcels: the parcels, in mm of the board.
        board: the area of the board in printed mm.
        clear: area in printed mm without lines, for example labels; tints may be under it.
        context: style and scale.
    """
    if not parcels:
        return
    printed_parcels = [_scale_parcel(parcel, context.scale) for parcel in parcels]
    if context.style.washes:
        yield from _draw_tints(printed_parcels, context)
    stream = context.stream("draw/dressing/rows")
    tilled_parcels = [parcel for parcel in printed_parcels if not parcel.use.is_old]
    visible_area = shapely.difference(board, clear)
    shapely.prepare(visible_area)
    if context.style.hatched:
        yield from _draw_headlands(tilled_parcels, visible_area, context, stream)
    else:
        yield from _draw_rows(tilled_parcels, visible_area, context, stream)
        yield from _draw_plants(printed_parcels, visible_area, context, stream)
    if tilled_parcels:
        border = shapely.intersection([parcel.ground.exterior for parcel in tilled_parcels], visible_area)
        stroke = context.stroke(row_ink(context.style, _BORDER_INK), _BORDER, dash=_BORDER_DASH)
        yield from on_layer(LayerName.MOTTLE, outline(lines(border), stroke))


def row_ink(style: Style, alpha: float) -> Ink:
    """Return the ink of rows and borders, slightly darker than grass, with opacity ``alpha`` (0 to 1).

    A hatched style keeps it opaque.
    """
    if style.hatched:
        return style.solid("tuft")
    ink = style.solid("tuft").mix(style.solid("contour"), _TOWARDS)
    return ink.with_alpha(min(alpha, _FINE_PALE) if style.line_factor > 1 else alpha)


def tint(style: Style, use: FieldUse) -> Ink | None:
    """Return the tint of a land use with its opacity, or None if the style has no washes or no such ink."""
    token, alpha = TINTS[use]
    ink = style.ink(token)
    if ink is None or not style.washes:
        return None
    return ink.with_alpha(alpha * (PALER if style.line_factor > 1 else 1.0))


def _scale_parcel(parcel: Parcel, scale: float) -> Parcel:
    """Return a parcel in printed mm; ``scale`` is printed mm per mm of the board."""
    if scale == 1:
        return parcel
    ground = shapely.transform(parcel.ground, lambda points: points * scale)
    return Parcel(ground, parcel.front * scale, parcel.back * scale, parcel.use, parcel.is_along_front)


def _draw_tints(parcels: Sequence[Parcel], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the tint of each parcel (in printed mm), a little darker at its edge."""
    style = context.style
    for use in FieldUse:
        grounds = [parcel.ground for parcel in parcels if parcel.use is use]
        if not grounds:
            continue
        yield from on_layer(LayerName.MOTTLE, fill(grounds, tint(style, use)))
        ink = style.ink(TINTS[use][0])
        if ink is not None and not use.is_old:
            # The wash is a little darker at its edge.
            rims = [ground.difference(ground.buffer(-context.size(_RIM))) for ground in grounds]
            edge_share, alpha = _RIM_INK
            rim = ink.mix(style.solid("wash-edge"), edge_share).with_alpha(alpha)
            yield from on_layer(LayerName.MOTTLE, fill(rims, rim))


def _draw_rows(
    parcels: Sequence[Parcel], visible_area: BaseGeometry, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Yield (layer, item) pairs of the rows of tilled parcels inside ``visible_area``; both are in printed mm."""
    for use, (pitch, width, dash) in _ROW.items():
        rows: list[LineString] = []
        for parcel in parcels:
            inner = _inner_area(parcel, context)
            if parcel.use is use and not inner.is_empty:
                rows += lines(shapely.intersection(_build_furrows(parcel, context.size(pitch), stream), inner))
        if rows:
            stroke = context.stroke(row_ink(context.style, _FINE), width, dash=dash)
            yield from on_layer(LayerName.MOTTLE, outline(_clip_rows(rows, visible_area), stroke))


def _draw_headlands(
    parcels: Sequence[Parcel], visible_area: BaseGeometry, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Yield (layer, item) pairs that draw short strokes at the ends of rows in ploughed fields and crops.

    Parcels and ``visible_area``, to which strokes are cut, are in printed mm.
    """
    pitch, width, depth = _HEADLAND
    strokes: list[LineString] = []
    for parcel in parcels:
        inner = _inner_area(parcel, context)
        if parcel.use in _ROW and not inner.is_empty:
            band = shapely.difference(inner, inner.buffer(-context.size(depth)))
            rows = lines(shapely.intersection(_build_furrows(parcel, context.size(pitch), stream), band))
            strokes += [row for row in rows if row.length > context.size(1.2)]
    if strokes:
        stroke = context.stroke(row_ink(context.style, 1.0), width)
        yield from on_layer(LayerName.MOTTLE, outline(_clip_rows(strokes, visible_area), stroke))


def _draw_plants(
    parcels: Sequence[Parcel], visible_area: BaseGeometry, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Yield (layer, item) pairs that draw small tufts on pasture and dots on fallow ground.

    Parcels and ``visible_area``, in which plants may be, are in printed mm.
    """
    blades: list[Line] = []
    grains: list[Line] = []
    for parcel in parcels:
        is_pasture = parcel.use in (FieldUse.PASTURE, FieldUse.OLD_PASTURE)
        if not is_pasture and parcel.use not in (FieldUse.FALLOW, FieldUse.OLD_FALLOW):
            continue
        area = _inner_area(parcel, context).buffer(-context.size(1.2))
        places = poisson_points(area, context.size(_TUFT_SPACING if is_pasture else _DOT_SPACING), stream)
        places = places[shapely.contains_xy(visible_area, places[:, 0], places[:, 1])]
        if is_pasture:
            for place in places:
                height = context.size(stream.between(*_TUFT))
                blades.append(
                    place + height * np.array([(-0.55, 0.8), (-0.1, 0.0), (0.0, 1.05), (0.1, 0.0), (0.6, 0.72)])
                )
        elif len(places):
            grains.append(places)
    ink = row_ink(context.style, _FINE)
    if blades:
        stroke = context.stroke(ink, _TUFT_LINE)
        yield from on_layer(LayerName.MOTTLE, outline([LineString(blade) for blade in blades], stroke))
    if grains:
        yield from on_layer(LayerName.MOTTLE, dots(np.vstack(grains), context.size(_DOT), ink))


def _inner_area(parcel: Parcel, context: SymbolContext) -> Polygon | BaseGeometry:
    """Return the ground of a parcel inside its border, in printed mm; it may be empty."""
    return parcel.ground.buffer(-context.size(_WITHIN), quad_segs=2)


def _clip_rows(strokes: Sequence[LineString], visible_area: BaseGeometry) -> list[LineString]:
    """Return the parts of rows inside an area, both in printed mm; most rows are completely visible."""
    rows = np.array(strokes)
    is_visible = shapely.contains_properly(visible_area, rows)
    return [*rows[is_visible].tolist(), *lines(shapely.intersection(rows[~is_visible], visible_area))]


def _build_furrows(parcel: Parcel, pitch: float, stream: Stream) -> NDArray[np.object_]:
    """Return rows about ``pitch`` apart, as lines; ``pitch``, parcel and lines are in printed mm.

    They are along the front of a parcel, or run from front to back.
    """
    front, back = (resampled(side, LineString(side).length / (_ROW_POINTS - 1)) for side in (parcel.front, parcel.back))
    count = min(len(front), len(back))
    front, back = front[:count], back[:count]
    depth = float(np.hypot(*(front.mean(axis=0) - back.mean(axis=0))))
    width = (LineString(front).length + LineString(back).length) / 2
    number = max(2, int((depth if parcel.is_along_front else width) / pitch))
    strays = (2 * stream.draw_array(number) - 1) * _STRAY
    share = ((np.arange(number) + 0.5 + strays) / number)[:, None, None]
    if parcel.is_along_front:
        rows = front * (1 - share) + back * share
    else:
        positions = np.linspace(0.0, 1.0, count)
        starts, ends = (
            np.column_stack([np.interp(share.ravel(), positions, side[:, axis]) for axis in (0, 1)])[:, None]
            for side in (front, back)
        )
        down = np.linspace(0.0, 1.0, 5)[None, :, None]
        # An S-shape, the trace of ox teams that swing out before they turn; zero at the ends and in the middle.
        bow = _BOW * depth * np.array([0.0, -1.0, 0.0, 1.0, 0.0])[None, :, None]
        side = (front[-1] - front[0]) / max(width, 1e-9)
        rows = starts + down * (ends - starts) + bow * side
    return np.asarray(shapely.linestrings(rows))
