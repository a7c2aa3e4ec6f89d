"""The dressing of a board: computed once in mm of the board, then drawn at any scale, in any style.

Records and checkers ignore it, and it has no going. The legend says that it is decorative.

Old furlongs have no border. The ink-saver style draws strokes at the headlands instead of tints.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Cap, Ink, LayeredItems, LayerName
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, outline, polygons, resampled
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SMALL_SCALE, Memo, SymbolContext
from printkit.drawing.dressing import bushes
from printkit.drawing.dressing.bushes import VISIBLE_BAND as SEEN_ROUGH
from printkit.drawing.dressing.bushes import hedges, thickets
from printkit.drawing.dressing.countryside_types import HARDLY_TINTED, FieldUse, OpenCountry
from printkit.drawing.dressing.free_ground import OpenGround
from printkit.drawing.dressing.land_relief import draw_slope_strokes, find_slope_strokes
from printkit.drawing.dressing.lanes import WIDTH, lanes
from printkit.drawing.dressing.parcels import Parcel, parcels
from printkit.drawing.scatter.crowns import grown, poisson_points, standing
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.terrain.field.battlefield import Battlefield

# Ink token and alpha of each use.
TINTS: Final = {
    FieldUse.PLOUGH: ("plough", 0.25),
    FieldUse.CROPS: ("crops", 0.28),
    FieldUse.PASTURE: ("pasture", 0.48),
    FieldUse.FALLOW: ("plough", 0.08),
    FieldUse.OLD_PASTURE: ("pasture", 0.45),
    FieldUse.OLD_FALLOW: ("crops", 0.24),
}

# Factor of these alphas in a high-contrast style, and on a lightly dressed board.
PALER: Final = 0.55
_PALE_SHARE: Final = 0.60

_RIM: Final = 1.5
_RIM_INK: Final = (0.35, 0.11)
_PARCEL_TOWARDS: Final = 0.30
_FINE: Final = 0.62
_FINE_PALE: Final = 0.5
_PARCEL_BORDER_INK: Final = 0.95
_BORDER_DASH: Final = (17.0, 1.1, 29.0, 1.5)

# Rows: distance, line width and dashes, in mm at 1:1.
_ROW: Final = {FieldUse.PLOUGH: (3.0, 0.17, ()), FieldUse.CROPS: (3.3, 0.22, (1.5, 1.3))}

# Land that was tilled in the past: the radius of its corners and the distance of its ridges, in mm at 1:1. Ridges and
# border have a line width, an opacity and dashes.
_OLD_CORNER: Final = 4.0
_RIDGE_PITCH: Final = 3.6
_RIDGE: Final = (0.17, 0.30, ())
_OLD_BORDER: Final = (0.18, 0.50, (4.0, 1.6, 7.0, 2.4))

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
    parcels: Sequence[Parcel], board: BaseGeometry, clear: BaseGeometry, context: SymbolContext, *, pale: bool = False
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the parcels of a board in printed mm.

    Args:
        parcels: the parcels, in mm of the board.
        board: the area of the board in printed mm.
        clear: area in printed mm without lines, for example labels; tints may be under it.
        context: style and scale.
        pale: True for paler parcels without rows and plants.
    """
    if not parcels:
        return
    printed_parcels = [_round_old_parcel(_scale_parcel(parcel, context.scale), context) for parcel in parcels]
    if context.style.washes:
        yield from _draw_tints(printed_parcels, context, _PALE_SHARE if pale else 1.0)
    stream = context.stream("draw/dressing/rows")
    tilled_parcels = [parcel for parcel in printed_parcels if not parcel.use.is_old]
    visible_area = shapely.difference(board, clear)
    shapely.prepare(visible_area)
    if not pale:
        yield from _draw_tillage(printed_parcels, visible_area, context, stream)
    if tilled_parcels:
        border = shapely.intersection([parcel.ground.exterior for parcel in tilled_parcels], visible_area)
        alpha = _PARCEL_BORDER_INK * (_PALE_SHARE if pale else 1.0)
        stroke = context.stroke(row_ink(context.style, alpha), _BORDER, dash=_BORDER_DASH)
        yield from on_layer(LayerName.MOTTLE, outline(lines(border), stroke))


def _draw_tillage(
    parcels: Sequence[Parcel], visible_area: BaseGeometry, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Yield (layer, item) pairs of rows, plants and old ridges; parcels and ``visible_area`` are in printed mm."""
    tilled_parcels = [parcel for parcel in parcels if not parcel.use.is_old]
    old_parcels = [parcel for parcel in parcels if parcel.use.is_old]
    if context.style.hatched:
        yield from _draw_headlands(tilled_parcels, visible_area, context, stream)
    else:
        yield from _draw_rows(tilled_parcels, visible_area, context, stream)
        yield from _draw_plants(parcels, visible_area, context, stream)
    if old_parcels:
        yield from _draw_old_parcels(old_parcels, visible_area, context, stream)


def row_ink(style: Style, alpha: float) -> Ink:
    """Return the ink of rows and borders, slightly darker than grass, with opacity ``alpha`` (0 to 1).

    A hatched style keeps it opaque.
    """
    if style.hatched:
        return style.solid("tuft")
    ink = style.solid("tuft").mix(style.solid("contour"), _PARCEL_TOWARDS)
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


def _round_old_parcel(parcel: Parcel, context: SymbolContext) -> Parcel:
    """Return a parcel that was tilled in the past with round corners; any other is returned as it is."""
    if not parcel.use.is_old:
        return parcel
    reach = context.size(_OLD_CORNER)
    ground = max(
        polygons(parcel.ground.buffer(-reach).buffer(reach)), key=lambda part: part.area, default=parcel.ground
    )
    return replace(parcel, ground=ground)


def _draw_old_parcels(
    parcels: Sequence[Parcel], visible_area: BaseGeometry, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Yield (layer, item) pairs of faint ridges and half a border of parcels that were tilled in the past.

    Parcels and ``visible_area``, in which lines may be, are in printed mm.
    """
    ridges: list[LineString] = []
    borders: list[BaseGeometry] = []
    for parcel in parcels:
        inner = _inner_area(parcel, context)
        if not inner.is_empty:
            ridges += lines(shapely.intersection(_build_furrows(parcel, context.size(_RIDGE_PITCH), stream), inner))
        # The front and one side of the border remain.
        reach = context.size(_OLD_CORNER)
        remains = LineString(np.vstack([parcel.back[:1], parcel.front])).buffer(reach)
        borders.append(shapely.intersection(parcel.ground.exterior, remains))
    for shapes, width, alpha, dash in ((ridges, *_RIDGE), (lines(borders), *_OLD_BORDER)):
        stroke = context.stroke(row_ink(context.style, alpha), width, dash=dash)
        yield from on_layer(LayerName.MOTTLE, outline(_clip_rows(shapes, visible_area), stroke))


def _draw_tints(parcels: Sequence[Parcel], context: SymbolContext, share: float) -> LayeredItems:
    """Yield (layer, item) pairs that draw the tint of each parcel (in printed mm), a little darker at its edge.

    ``share`` is the factor of its opacity.
    """
    style = context.style
    for use in FieldUse:
        grounds = [parcel.ground for parcel in parcels if parcel.use is use]
        if not grounds:
            continue
        wash = tint(style, use)
        yield from on_layer(LayerName.MOTTLE, fill(grounds, wash and wash.with_alpha(wash.alpha * share)))
        ink = style.ink(TINTS[use][0])
        if ink is not None and not use.is_old:
            # The wash is a little darker at its edge.
            rims = [ground.difference(ground.buffer(-context.size(_RIM))) for ground in grounds]
            edge_share, alpha = _RIM_INK
            rim = ink.mix(style.solid("wash-edge"), edge_share).with_alpha(alpha * share)
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


_MEADOW: Final = (0.15, 0.13, 0.10)

# Alpha of each band of the sward, by ink token.
_SWARD: Final = {"pasture": 0.075, "crops": 0.042}

# Alpha of each band of rough grass, by ink token.
ROUGH: Final = {"pasture": 0.24, "crops": 0.09}

# Factor of these alphas in a high-contrast style.
_PALE: Final = 0.5

_STRIP: Final = 0.85
_BORDER: Final = 0.24
_BORDER_INK: Final = 0.80
_TOWARDS: Final = 0.62
_TOWARDS_PALE: Final = 0.1
_DASH: Final = (3.6, 1.5, 2.2, 1.8)
_STAGGER: Final = 2.1

# On a small map only one bush in this many is drawn, in this share of its size.
_SMALL_STEP: Final = 3
_SMALL_SIZE: Final = 0.45

# A bush in a style without washes: two strokes, in radii from its foot, and their width in mm at 1:1.
_TICK: Final = ((-0.8, 0.9), (-0.1, -0.3), (0.7, 1.1))
_TICK_LINE: Final = 0.3


class DressingShapes(Struct, frozen=True, eq=False):
    """The shapes of the dressing, in mm of the board.

    Attributes:
        lanes: centre lines of lanes.
        parcels: parcels of land.
        pale: True if the parcels are paler and have no rows.
        meadow: bands of meadow, the widest first.
        sward: patches of grass, the widest first.
        grass: name of the ink of the sward.
        rough: bands of rough grass in thickets and on commons, the widest first.
        bushes: x and y, and radius in mm at 1:1, n x 3.
        slopes: strokes of the relief of the land; see ``find_slope_strokes``.
    """

    lanes: tuple[LineString, ...] = ()
    parcels: tuple[Parcel, ...] = ()
    pale: bool = False
    meadow: tuple[BaseGeometry, ...] = ()
    sward: tuple[BaseGeometry, ...] = ()
    grass: str = ""
    rough: tuple[BaseGeometry, ...] = ()
    bushes: NDArray[np.float64] = np.zeros((0, 3))
    slopes: NDArray[np.float64] = np.zeros((0, 5))

    @property
    def is_empty(self) -> bool:
        """Return whether there are no lanes, parcels, meadow or bushes."""
        return not (self.lanes or self.parcels or self.meadow or len(self.bushes))

    def lane_ground(self, context: SymbolContext) -> BaseGeometry:
        """Return the ground of the lanes, in printed mm."""
        width = context.size(WIDTH)
        return shapely.union_all(
            [line.buffer(width / 2, cap_style="flat") for line in _scale_shapes(self.lanes, context)]
        )

    def tilled_ground(self, context: SymbolContext) -> BaseGeometry:
        """Return the ground of the parcels, in printed mm."""
        return shapely.union_all(_scale_shapes(tuple(parcel.ground for parcel in self.parcels), context))


_DRESSINGS: Final[Memo[DressingShapes]] = Memo(8)


def find_dressing(field: Battlefield, cover: OpenCountry, context: SymbolContext) -> DressingShapes:
    """Return the dressing of a battlefield in mm of the board, independent of the printed scale."""
    plain = replace(context, scale=1.0, factor=1.0, clear=NOTHING, memo={})
    return _DRESSINGS.draw_once(lambda: _build_dressing(field, cover, context), plain, field, purpose=cover)


def _build_dressing(field: Battlefield, cover: OpenCountry, context: SymbolContext) -> DressingShapes:
    """Return the dressing of a battlefield in mm of the board; compute it without the cache."""
    ground, noise = OpenGround(field), context.noise
    lane_lines = lanes(ground, cover, noise)
    land_parcels = parcels(ground, cover, lane_lines, noise, context.stream("draw/dressing/parcels"))
    parcel_area = shapely.union_all([parcel.ground for parcel in land_parcels])
    bush_area = bushes.find_bush_area(ground, lane_lines, parcel_area)
    bush_places = bushes.bushes(ground, cover, bush_area, lane_lines, noise, context.stream("draw/dressing/bushes"))
    tilled_area = shapely.union_all([parcel.ground for parcel in land_parcels if not parcel.use.is_old])
    second_growth = thickets(ground, cover, lane_lines, tilled_area, context.stream("draw/dressing/thickets"))
    hedge_bushes = hedges(land_parcels, cover, noise, context.stream("draw/dressing/hedges"))
    meadow = bushes.meadow(ground, cover, noise)
    visible_areas = [second_growth.grass[SEEN_ROUGH]] if second_growth.grass else []
    visible_areas += [parcel.ground for parcel in land_parcels if parcel.use not in HARDLY_TINTED]
    return DressingShapes(
        lanes=lane_lines,
        parcels=land_parcels,
        pale=cover.pale,
        meadow=meadow,
        sward=bushes.sward(ground, cover, noise, meadow),
        grass=cover.sward,
        rough=bushes.commons(ground, cover, noise, second_growth.grass, tilled_area, visible_areas),
        bushes=np.vstack([bush_places, hedge_bushes, second_growth.bushes]),
        slopes=(
            find_slope_strokes(ground, noise, context.stream("draw/dressing/slopes"))
            if cover.relief
            else np.zeros((0, 5))
        ),
    )


def draw_dressing(
    shapes: DressingShapes, board: BaseGeometry, road_area: BaseGeometry, context: SymbolContext
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the dressing of a board in printed mm.

    Args:
        shapes: the dressing, in mm of the board.
        board: the area of the board in printed mm.
        road_area: area in printed mm that the borders of lanes avoid, for example roads.
        context: style and scale; the dressing avoids its ``clear`` ground.
    """
    clear = context.clear
    if context.style.washes:
        if shapes.grass:
            yield from _draw_washes(shapes.sward, shapes.grass, repeat(_SWARD[shapes.grass]), board, context)
        rough = shapes.grass or "pasture"
        yield from _draw_washes(shapes.rough, rough, repeat(ROUGH[rough]), board, context)
        yield from _draw_washes(shapes.meadow, "pasture", _MEADOW, board, context)
    yield from draw_slope_strokes(shapes.slopes, context)
    yield from draw_parcels(shapes.parcels, board, clear, context, pale=shapes.pale)
    yield from _draw_lanes(shapes, shapely.difference(board, clear), road_area, context)
    yield from _draw_bushes(shapes, clear, context)


def _scale_shapes(shapes: tuple[BaseGeometry, ...], context: SymbolContext) -> list[BaseGeometry]:
    """Return shapes in printed mm, from shapes in mm of the board."""
    if context.scale == 1:
        return list(shapes)
    return [shapely.transform(shape, lambda points: points * context.scale) for shape in shapes]


def _draw_washes(
    grounds: tuple[BaseGeometry, ...], token: str, alphas: Iterable[float], board: BaseGeometry, context: SymbolContext
) -> LayeredItems:
    """Yield (layer, item) pairs that draw nested bands of a wash, each on top of the one around it.

    Args:
        grounds: the bands in mm of the board, the widest first.
        token: the name of the ink of the wash.
        alphas: the opacity of each band, 0 to 1.
        board: the area of the board in printed mm.
        context: style and scale.
    """
    share = _PALE if context.style.line_factor > 1 else 1.0
    for shape, alpha in zip(_scale_shapes(grounds, context), alphas, strict=False):
        ground = shapely.intersection(shape, board)
        yield from on_layer(LayerName.MOTTLE, fill(ground, context.tint(token, alpha * share)))


def _draw_lanes(
    shapes: DressingShapes, board: BaseGeometry, road_area: BaseGeometry, context: SymbolContext
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the lanes inside ``board``: pale bands with dashed borders.

    ``board`` and ``road_area``, which the borders avoid, are in printed mm.
    """
    if not shapes.lanes:
        return
    width = context.size(WIDTH)
    middles = _scale_shapes(shapes.lanes, context)
    bands = [line.buffer(width / 2, cap_style="flat") for line in middles]
    yield from on_layer(
        LayerName.GRASS, fill(shapely.intersection(shapely.union_all(bands), board), context.tint("track", _STRIP))
    )
    ink = lane_ink(context.style)
    shapely.prepare(bands)
    for number, line in enumerate(middles):
        others = [band for band in (*bands[:number], *bands[number + 1 :]) if band.intersects(bands[number])]
        for side, phase in ((1, 0.0), (-1, _STAGGER)):
            border = shapely.intersection(shapely.difference(line.offset_curve(side * width / 2), road_area), board)
            for other in others:
                border = shapely.difference(border, other)
            stroke = context.stroke(ink, _BORDER, dash=_DASH, phase=phase, cap=Cap.BUTT)
            yield from on_layer(LayerName.GRASS, outline(border, stroke))


def lane_ink(style: Style) -> Ink:
    """Return the ink of the borders of lanes, paler than the borders of roads."""
    if not style.washes:
        return style.solid("ink-secondary")
    share = _TOWARDS_PALE if style.line_factor > 1 else _TOWARDS
    return style.solid("tuft").mix(style.solid("road-casing"), share).with_alpha(_BORDER_INK)


def _draw_bushes(shapes: DressingShapes, clear: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the bushes that do not touch the labels in ``clear``, an area in printed mm.

    ``shapes`` are in mm of the board. The look of a bush does not depend on the labels. At a small scale there are
    fewer and smaller bushes, so that they are not taken for the trees of woods. A style without washes has ticks.
    """
    is_small = context.scale < SMALL_SCALE
    plants = shapes.bushes[:: _SMALL_STEP if is_small else 1]
    if not len(plants):
        return
    shapely.prepare(clear)
    places = plants[:, :2] * context.scale
    radii = plants[:, 2] * context.size(1.0) * (_SMALL_SIZE if is_small else 1.0)
    if not context.style.washes:
        is_free = ~shapely.dwithin(clear, shapely.points(places), radii)
        ticks = places[is_free, None] + radii[is_free, None, None] * np.array(_TICK)
        yield from on_layer(
            LayerName.GRASS,
            outline(shapely.linestrings(ticks).tolist(), context.stroke(row_ink(context.style, 1.0), _TICK_LINE)),
        )
        return
    bushes = grown(places, radii.tolist(), "bush", context.stream("draw/dressing/look"))
    # Grow all bushes before removing those under labels, so that labels do not change how a bush looks.
    label_flags = shapely.dwithin(clear, shapely.points(places), radii)
    yield from standing(
        [bush for bush, is_hidden in zip(bushes, label_flags, strict=True) if not is_hidden], context, LayerName.GRASS
    )
