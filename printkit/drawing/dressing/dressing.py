"""The dressing of a board: computed once in mm of the board, then drawn at any scale, in any style.

Records and checkers ignore it, and it has no going. The legend says that it is decorative.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Cap, Ink, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import Memo, SymbolContext
from printkit.drawing.dressing import drifts
from printkit.drawing.dressing.countryside_types import HARDLY_TINTED, OpenCountry
from printkit.drawing.dressing.hedges import hedges
from printkit.drawing.dressing.lanes import WIDTH, lanes
from printkit.drawing.dressing.open_ground import OpenGround
from printkit.drawing.dressing.parcel_signs import draw_parcels
from printkit.drawing.dressing.parcels import Parcel, parcels
from printkit.drawing.dressing.thickets import VISIBLE_BAND as SEEN_ROUGH
from printkit.drawing.dressing.thickets import thickets
from printkit.drawing.scatter.crowns import grown, standing
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.terrain.field.battlefield import Battlefield

_FROM_LABEL: Final = 2.2
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
_UNDER_LABEL: Final = 2.8

# Scale of bushes that are drawn as outlines.
_OUTLINED: Final = 0.8


class DressingShapes(Struct, frozen=True, eq=False):
    """The shapes of the dressing, in mm of the board.

    Attributes:
        lanes: centre lines of lanes.
        parcels: parcels of land.
        meadow: bands of meadow, the widest first.
        sward: patches of grass, the widest first.
        grass: name of the ink of the sward.
        rough: bands of rough grass in thickets and on commons, the widest first.
        bushes: x and y, and radius in mm at 1:1, n x 3.
    """

    lanes: tuple[LineString, ...] = ()
    parcels: tuple[Parcel, ...] = ()
    meadow: tuple[BaseGeometry, ...] = ()
    sward: tuple[BaseGeometry, ...] = ()
    grass: str = ""
    rough: tuple[BaseGeometry, ...] = ()
    bushes: NDArray[np.float64] = np.zeros((0, 3))

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
    plain = replace(context, scale=1.0, factor=1.0, clear=_NOWHERE, memo={})
    return _DRESSINGS.draw_once(lambda: _build_dressing(field, cover, context), plain, field, purpose=cover)


_NOWHERE: Final = Polygon()


def _build_dressing(field: Battlefield, cover: OpenCountry, context: SymbolContext) -> DressingShapes:
    """Return the dressing of a battlefield in mm of the board; compute it without the cache."""
    ground, noise = OpenGround(field), context.noise
    lane_lines = lanes(ground, cover, noise)
    land_parcels = parcels(ground, cover, lane_lines, noise, context.stream("draw/dressing/parcels"))
    parcel_area = shapely.union_all([parcel.ground for parcel in land_parcels])
    bush_area = drifts.find_bush_area(ground, lane_lines, parcel_area)
    bush_places = drifts.bushes(ground, cover, bush_area, noise, context.stream("draw/dressing/bushes"))
    tilled_area = shapely.union_all([parcel.ground for parcel in land_parcels if not parcel.use.is_old])
    second_growth = thickets(ground, cover, lane_lines, tilled_area, context.stream("draw/dressing/thickets"))
    hedge_bushes = hedges(land_parcels, cover, noise, context.stream("draw/dressing/hedges"))
    meadow = drifts.meadow(ground, cover, noise)
    visible_areas = [second_growth.grass[SEEN_ROUGH]] if second_growth.grass else []
    visible_areas += [parcel.ground for parcel in land_parcels if parcel.use not in HARDLY_TINTED]
    return DressingShapes(
        lanes=lane_lines,
        parcels=land_parcels,
        meadow=meadow,
        sward=drifts.sward(ground, cover, noise, meadow),
        grass=cover.sward,
        rough=drifts.commons(ground, cover, noise, second_growth.grass, tilled_area, visible_areas),
        bushes=np.vstack([bush_places, hedge_bushes, second_growth.bushes]),
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
    clear = context.clear.buffer(context.size(_FROM_LABEL)) if not context.clear.is_empty else context.clear
    if context.style.washes:
        if shapes.grass:
            yield from _draw_washes(shapes.sward, shapes.grass, repeat(_SWARD[shapes.grass]), board, context)
        rough = shapes.grass or "pasture"
        yield from _draw_washes(shapes.rough, rough, repeat(ROUGH[rough]), board, context)
        yield from _draw_washes(shapes.meadow, "pasture", _MEADOW, board, context)
    yield from draw_parcels(shapes.parcels, board, clear, context)
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
    """Yield (layer, item) pairs of the bushes that are not near the labels in ``clear``, an area in printed mm.

    ``shapes`` are in mm of the board. The look of a bush does not depend on the labels.
    """
    if not len(shapes.bushes):
        return
    shapely.prepare(clear)
    places = shapes.bushes[:, :2] * context.scale
    size = context.size(1.0) * (1.0 if context.style.washes else _OUTLINED)
    bushes = grown(places, (shapes.bushes[:, 2] * size).tolist(), "bush", context.stream("draw/dressing/look"))
    # Grow all bushes before removing those under labels, so that labels do not change how a bush looks.
    label_flags = shapely.dwithin(clear, shapely.points(places), context.size(_UNDER_LABEL))
    yield from standing(
        [bush for bush, is_hidden in zip(bushes, label_flags, strict=True) if not is_hidden], context, LayerName.GRASS
    )
