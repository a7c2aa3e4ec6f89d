"""Paint the dressing of a board on a mat: grass, parcels of land, lanes and bushes, all with soft edges.

The shapes are those of the drawn map. A parcel has no line, and is about as light as the lawn beside it, so that
players do not take it for a feature.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line
from printkit.drawing.mats.painter import ClimateLook, Painter, ParcelLook, TextureLattice
from printkit.drawing.mats.raster import (
    Dots,
    Raster,
    blurred,
    bump,
    distance_to_line,
    inside,
    raster_about,
    raster_noise,
    smoothstep,
)

# The use whose look replaces one with rows, on a board without rows.
_WITHOUT_ROWS: Final = {"plough": "fallow", "crops": "fallow"}

# Dots per inch of the masks of lanes and parcels, and of the soft grass.
_FINE: Final = 42.0
_LANES: Final = 48.0
_GRASSY: Final = 25.4 / 4

# Edges of parcels in mm at 1:1: how far they fade, and how far inside the outline they start, on average and at most.
_FADE: Final = 1.8
_INSET: Final = (0.35, 0.5)
# So light that a veil lightens it: a dark rim would look like an outline there.
_RIM_INK: Final = (76, 70, 34)
_RIM_WIDTH: Final = 1.6
_RIM_LEVELS: Final = 7
_PASTURE_INK: Final = (150, 166, 84)
_TURN_DEG: Final = 1.6

# Lanes: half the width of the verge and of the track, and the distance of the ruts from the middle, in mm at 1:1.
_VERGE: Final = 3.0
_TRACK: Final = 1.6
_RUT: Final = 0.9
_TRACK_INK: Final = (204, 190, 138)
_PALE: Final = 0.65
_RUT_INK: Final = (84, 64, 38)
_RUT_WIDTH: Final = 0.4
_RUT_ALPHA: Final = 0.30

# The size of the sprite of a bush with a radius of 1 mm, and its distance from labels in mm at 1:1.
_BUSH: Final = 0.32
_UNDER_LABEL: Final = 2.8

# Ground in mm at 1:1 beside a lane without tufts and stones.
_FREE_OF_TUFTS: Final = 2.0


class LandParcel(Protocol):
    """A parcel of land in mm of the board, with the points of its front and its back, n x 2."""

    @property
    def ground(self) -> Polygon:
        """Return its area."""

    @property
    def front(self) -> Line:
        """Return the side at the road."""

    @property
    def back(self) -> Line:
        """Return the side away from the road."""

    @property
    def use(self) -> str:
        """Return its use, for example ``plough``."""

    @property
    def is_along_front(self) -> bool:
        """Return whether its rows are parallel to the road."""


class CountryShapes(Protocol):
    """The shapes of the dressing in mm of the board; bands of grass have the widest first.

    Bushes are x and y, and radius in mm at 1:1, n x 3.
    """

    @property
    def lanes(self) -> Sequence[LineString]:
        """Return the centre lines of lanes."""

    @property
    def parcels(self) -> Sequence[LandParcel]:
        """Return the parcels of land."""

    @property
    def pale(self) -> bool:
        """Return whether the parcels have no rows."""

    @property
    def meadow(self) -> Sequence[BaseGeometry]:
        """Return the bands of meadow."""

    @property
    def sward(self) -> Sequence[BaseGeometry]:
        """Return the patches of grass."""

    @property
    def rough(self) -> Sequence[BaseGeometry]:
        """Return the bands of rough grass."""

    @property
    def bushes(self) -> NDArray[np.float64]:
        """Return the bushes."""


def paint_dressing(painter: Painter, shapes: CountryShapes, climate_look: ClimateLook) -> BaseGeometry:
    """Paint the dressing of a board, and return the ground in printed mm where no tufts and stones may be.

    The items are added to ``painter``.
    """
    look, k = climate_look.dressing, painter.k
    for bands, (texture, gain) in ((shapes.sward, look.grass), (shapes.meadow, look.grass), (shapes.rough, look.rough)):
        _paint_grass(painter, bands, texture, gain)
    tilled_grounds = []
    for number, parcel in enumerate(shapes.parcels):
        ground = _to_print(parcel.ground, painter)
        parcel_look = look.parcels[_WITHOUT_ROWS.get(parcel.use, parcel.use) if shapes.pale else parcel.use]
        _paint_parcel(painter, ground, _row_bearing(parcel), parcel_look, climate_look, f"dressing/parcel{number}")
        if parcel_look.bare:
            tilled_grounds.append(ground)
    lanes = [_to_print(lane, painter) for lane in shapes.lanes]
    _paint_lanes(painter, lanes, climate_look)
    _paint_bushes(painter, shapes.bushes)
    free_area = [lane.buffer(_FREE_OF_TUFTS * k, quad_segs=2) for lane in lanes]
    return shapely.union_all([*tilled_grounds, *free_area]) if tilled_grounds or free_area else NOTHING


def _to_print(shape: BaseGeometry, painter: Painter) -> BaseGeometry:
    """Return a shape in printed mm, from one in mm of the board."""
    scale = painter.context.scale
    return shape if scale == 1 else shapely.transform(shape, lambda points: points * scale)


def _paint_grass(painter: Painter, bands: Sequence[BaseGeometry], texture: str, gain: float) -> None:
    """Paint nested bands of grass (in mm of the board) with a texture that is strongest in the innermost.

    ``gain`` is its opacity there, 0 to 1. The items are added to ``painter``.
    """
    if not bands:
        return
    raster = raster_about(painter.board.bounds, 0, _GRASSY)
    points = raster.dot_positions(np.ones((raster.height, raster.width), dtype=bool)) / painter.context.scale
    shapely.prepare(list(bands))
    depth = sum(shapely.contains_xy(band, points[:, 0], points[:, 1]).astype(np.float32) for band in bands)
    mask = blurred(np.reshape(depth, (raster.height, raster.width)) / len(bands), 1)
    painter.paint_texture(texture, raster, mask * gain, lattice=TextureLattice(64, (31.0, 57.0)))


def _row_bearing(parcel: LandParcel) -> float:
    """Return the bearing of the rows of a parcel, in degrees anticlockwise from the right."""
    if parcel.is_along_front:
        dx, dy = (parcel.front[-1] - parcel.front[0]).tolist()
    else:
        dx, dy = (parcel.back.mean(axis=0) - parcel.front.mean(axis=0)).tolist()
    return math.degrees(math.atan2(dy, dx))


def _paint_parcel(
    painter: Painter, ground: Polygon, bearing: float, look: ParcelLook, climate_look: ClimateLook, key: str
) -> None:
    """Paint a parcel in printed mm: bare earth, its crop in rows along ``bearing`` (degrees), and a darker edge.

    The soft edge is inside the outline. ``key`` names the random stream. The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(key)
    raster = painter.make_raster(ground, 1, _FINE)
    waver = raster_noise("middle", raster, 60 * k, stream) + 0.6 * raster_noise("middle", raster, 17 * k, stream)
    mean, most = _INSET
    depth = inside(ground, raster) / k - np.clip(mean + most * waver, 0.0, 2 * most + mean)
    mask = smoothstep(depth / (_FADE * look.soft))
    if look.bare:
        painter.paint_ink(climate_look.dressing.soil, raster, mask, alpha=look.bare)
    if look.texture:
        left, bottom, _, _ = ground.bounds
        origin = (left + stream.between(0, 90) * k, bottom + stream.between(0, 90) * k)
        lattice = TextureLattice(bearing + stream.draw_normal(_TURN_DEG), origin)
        painter.paint_texture(look.texture, raster, mask, lattice=lattice, alpha=look.gain)
    if look.tint:
        painter.paint_ink(_PASTURE_INK, raster, mask, alpha=look.tint)
    if look.rim:
        rim = bump(depth - _RIM_WIDTH / 2, _RIM_WIDTH / 2)
        painter.paint_ink(_RIM_INK, raster, rim, levels=_RIM_LEVELS, alpha=look.rim)


def _paint_lanes(painter: Painter, lanes: Sequence[LineString], climate_look: ClimateLook) -> None:
    """Paint lanes along centre lines in printed mm: verges, then tracks, then ruts, so that junctions join.

    The items are added to ``painter``.
    """
    k, look = painter.k, climate_look.dressing
    visible_area = painter.board.buffer(4 * k)
    rasters: list[tuple[Raster, Dots]] = []
    for number, lane in enumerate(lanes):
        raster = painter.make_raster(shapely.intersection(lane, visible_area), 6, _LANES)
        stream = painter.stream(f"dressing/lane{number}")
        waver = raster_noise("middle", raster, 34 * k, stream)
        rasters.append((raster, distance_to_line(lane, raster) / k + 0.5 * waver))
    for raster, distance in rasters:
        painter.paint_ink(look.soil, raster, smoothstep((_VERGE - distance) / 2.4), levels=15, alpha=look.verge)
    for raster, distance in rasters:
        mask = smoothstep((_TRACK - distance) / 1.1 + 0.5)
        painter.paint_texture(climate_look.bare, raster, mask, alpha=look.track)
        painter.paint_ink(_TRACK_INK, raster, mask, alpha=look.track * _PALE)
    for raster, distance in rasters:
        painter.paint_ink(_RUT_INK, raster, bump(distance - _RUT, _RUT_WIDTH), levels=_RIM_LEVELS, alpha=_RUT_ALPHA)


def _paint_bushes(painter: Painter, bushes: NDArray[np.float64]) -> None:
    """Paint bushes (x and y in mm of the board, radius in mm at 1:1), except under labels.

    The items are added to ``painter``.
    """
    points = bushes[:, :2] * painter.context.scale
    puts = painter.choose_sprites(points, "bush", (1.0, 1.0), painter.stream("dressing/bushes"))
    label_flags = shapely.dwithin(painter.context.clear, shapely.points(points), _UNDER_LABEL * painter.k)
    puts = [
        put._replace(size=radius * _BUSH)
        for put, radius, is_hidden in zip(puts, bushes[:, 2].tolist(), label_flags.tolist(), strict=True)
        if not is_hidden
    ]
    painter.paint_shadows(puts, 2.8, 0.55, 0.45)
    painter.paint_sprites(puts, overlapping=False)
