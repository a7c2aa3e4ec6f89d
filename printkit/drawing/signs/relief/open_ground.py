"""Open ground: the board with its mottle and grass, and broken or rough ground with stones.

Source: the cartography, 10.8.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, cycle
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import Affine, Artwork, Ink, LayeredItems, LayerName, Path, Stamp, Stroke
from printkit.drawing.canvas.shapes import Line, dots, fill, fills, lines, outline, runs, wedges
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.cover.low_plants import Tufts
from printkit.drawing.signs.lines.channels import find_reserved_ground, subtract_waters
from printkit.drawing.signs.lines.course_lines import draw_area_ground, on_layer, stroke_shape
from printkit.drawing.signs.relief.relief_field import Regions, ReliefGrid
from printkit.drawing.signs.relief.rocks import Stone, draw_grit, hulls_of, stones
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

# --- The ground of the board: paper tone, its mottle, and the grass of good going -------------------------------------

_MOTTLE_WAVE: Final = 210.0
_MOTTLE_LEVELS: Final = (0.04, 0.60, 10)
_MOTTLE: Final = 0.20
_MOTTLE_CELL: Final = 5.0
_MOTTLE_WITHIN: Final = 0.2

_TUFT_SPACING: Final = 15.0
_TUFT_HEIGHT: Final = 2.6
_TUFT_WAVE: Final = 150.0
_TUFTS_FROM: Final = -0.05
_DOTS_FROM: Final = -0.5
_TUFT_LINE: Final = 0.32
_TUFT_INK: Final = 0.80
_DOT_INK: Final = 0.64
_FROM_BOARD_EDGE: Final = 6.0
_FROM_LABEL: Final = 1.0

_DRIFT_SPACING: Final = 9.5
_DRIFT_WAVES: Final = (150.0, 52.0)
_DRIFT_SHARE: Final = 0.75
_DRIFTS_FROM: Final = 0.22
# Tufts in drifts: height, line width, and share of the tufts.
_HEIGHTS: Final = (
    *((1.05, 0.26, 0.15), (1.4, 0.26, 0.15), (1.8, 0.28, 0.15)),
    *((2.1, 0.32, 0.20), (2.6, 0.32, 0.20), (3.15, 0.32, 0.15)),
)

_HEIGHTS_UP_TO: Final = tuple(accumulate(share for *_, share in _HEIGHTS))[:-1]
_SHAPES: Final = 4  # Number of tuft shapes in drifts


def ground(board: BaseGeometry, context: SymbolContext, free: BaseGeometry, *, drifts: bool = False) -> LayeredItems:
    """Yield (layer, item) pairs that draw the ground of a board.

    Args:
        board: the complete board in printed mm; the paper tone covers it to its edge.
        context: gives the style, sizes and noise. Its labels stay free of grass.
        free: the part that no feature covers, where grass grows, in printed mm.
        drifts: True for grass in drifts, as on dressed boards; False for even grass.
    """
    style = context.style
    yield from on_layer(LayerName.PAPER, fill(board, style.ink("paper")))
    yield from _draw_mottle(board, context)
    area = shapely.intersection(free, board.buffer(-context.size(_FROM_BOARD_EDGE), join_style="mitre"))
    draw_tufts = _draw_drifts if drifts else _draw_grass
    yield from draw_tufts(shapely.difference(area, context.clear.buffer(context.size(_FROM_LABEL))), context)


def _draw_mottle(board: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw clouds of a darker and a lighter tone over the board, in printed mm.

    They have many levels so pale that no edge shows.
    """
    inks = context.style.family("mottle")
    if len(inks) < 2:
        return
    grid = ReliefGrid.covering(board, 0.0, context.size(_MOTTLE_CELL))
    x, y = grid.nodes()
    clouds = Regions.from_field(grid, context.noise.fractal(x, y, context.size(_MOTTLE_WAVE), octaves=4))
    first, last, count = _MOTTLE_LEVELS
    levels = np.linspace(first, last, count).tolist()
    regions = [region for level in levels for region in (clouds.area_above(level), clouds.area_below(-level))]
    # The layer is clipped to the board, and a self-crossing does not show in clouds this pale.
    visible = shapely.simplify(regions, context.size(_MOTTLE_WITHIN), preserve_topology=False)
    yield from on_layer(LayerName.MOTTLE, fills(visible, cycle(ink.with_alpha(_MOTTLE) for ink in inks[:2])))


def _draw_grass(area: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw tufts at high noise and groups of dots at medium noise.

    ``area`` is the ground for grass, in printed mm.
    """
    stream = context.stream("draw/grass")
    points = poisson_points(area, context.size(_TUFT_SPACING), stream)
    if not len(points):
        return
    growth = context.noise.at(points[:, 0], points[:, 1], context.size(_TUFT_WAVE))
    tufts = Tufts()
    grains: list[tuple[float, float]] = []
    sizes: list[float] = []
    for (x, y), value in zip(points.tolist(), growth.tolist(), strict=True):
        if value > _TUFTS_FROM:
            height = context.size(_TUFT_HEIGHT) * stream.between(0.8, 1.2)
            tufts.add((x, y), height, 3 + stream.draw_index(3), stream)
        elif value > _DOTS_FROM:
            for _ in range(3):
                grains.append((x + context.size(stream.between(-3, 3)), y + context.size(stream.between(-2, 2))))
                sizes.append(context.size(stream.between(0.18, 0.30)))
    ink = context.tint("tuft", _TUFT_INK)
    yield from on_layer(
        LayerName.GRASS, outline(tufts.blades, context.stroke(ink, _TUFT_LINE) if ink is not None else None)
    )
    if grains:
        yield from on_layer(LayerName.GRASS, dots(grains, np.asarray(sizes), context.tint("tuft", _DOT_INK)))


def _draw_drifts(area: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw tufts of all sizes where the combined noise is high.

    ``area`` is the ground for grass, in printed mm.
    """
    stream = context.stream("draw/dressing/grass")
    points = poisson_points(area, context.size(_DRIFT_SPACING), stream)
    if not len(points):
        return
    drift = np.zeros(len(points))
    for wave in _DRIFT_WAVES:
        drift = drift + _DRIFT_SHARE * context.noise.at(points[:, 0], points[:, 1], context.size(wave))
    yield from _stamp_tufts(points[drift > _DRIFTS_FROM], context, stream)


class _Tuft(Struct, frozen=True):
    """The look of a tuft in a drift; sizes in printed mm."""

    height: float
    shape: int
    line: float
    ink: Ink


def _stamp_tufts(points: Line, context: SymbolContext, stream: Stream) -> LayeredItems:
    """Yield (layer, item) pairs that draw tufts of a few heights and shapes at points, an n x 2 array in printed mm.

    Each kind is drawn once and stamped at its places.
    """
    ink = context.tint("tuft", _TUFT_INK)
    if ink is None or not len(points):
        return
    chance = stream.draw_array(2 * len(points)).reshape(2, -1)
    height = np.searchsorted(_HEIGHTS_UP_TO, chance[0], side="right")
    shape = (chance[1] * _SHAPES).astype(np.int64)
    for number, (size, line, _) in enumerate(_HEIGHTS):
        for kind in range(_SHAPES):
            positions = points[(height == number) & (shape == kind)].tolist()
            if positions:
                look = _Tuft(context.size(size), kind, context.width(line), ink)
                yield LayerName.GRASS, Stamp(_draw_tuft(look), tuple(Affine(e=x, f=y) for x, y in positions))


@cache
def _draw_tuft(look: _Tuft) -> Artwork:
    """Return the artwork of one tuft with its foot at the origin."""
    tufts, name = Tufts(), f"tuft-{look.shape + 1}"
    tufts.add((0.0, 0.0), look.height, 3 + look.shape % 2, Stream(name))
    return Artwork(name, (Path(runs(tufts.blades), stroke=Stroke(look.ink, look.line)),))


_FROM_EDGE: Final = 4.7
_TUSSOCK_HEIGHT: Final = 1.9


class _Litter(Struct, frozen=True, kw_only=True):
    """Settings for ground with stones: wash, edge, scarps, stones, grit and tussocks.

    Lengths are in mm at 1:1.

    Attributes:
        edge: the edge line, see ``draw_area_ground``.
        towards: the second ink of the wash, see ``draw_area_ground``.
        scarps: spacing of scarps in mm.
        stones: spacing of stones in mm.
        radii: least and greatest radius of a stone in mm.
        share: share of the stone places that get a stone.
        grit: spacing of grit in mm.
        tussocks: spacing of tussocks in mm; 0 for none.
    """

    edge: tuple[str, float, tuple[float, ...]]
    towards: tuple[str, float] | None = None

    scarps: float
    stones: float
    radii: tuple[float, float]
    share: float
    grit: float
    tussocks: float = 0.0


_BROKEN: Final = _Litter(
    edge=("rock-line", 0.42, (1.0, 1.5)), scarps=11.5, stones=9.0, radii=(1.2, 2.9), share=0.6, grit=3.4
)
_ROUGH: Final = _Litter(
    edge=("rock-line", 0.50, (0.01, 1.5)),
    towards=("paper", 0.55),
    scarps=21.0,
    stones=14.0,
    radii=(0.9, 1.7),
    share=0.55,
    grit=6.5,
    tussocks=7.4,
)


class _Scarps(Struct, frozen=True, eq=False):
    """Short steps in the ground: arcs, strokes outward from them, and the ground that they cover.

    Coordinates are in printed mm.
    """

    arcs: list[LineString]
    strokes: list[tuple[Line, float, float]]
    covered_ground: BaseGeometry

    @classmethod
    def scatter(
        cls, area: Area, ground: BaseGeometry, avoid: BaseGeometry, context: SymbolContext, litter: _Litter
    ) -> _Scarps:
        """Return scarps that face in all directions, scattered over an area.

        Args:
            area: the area; its ID names the random stream.
            ground: its ground without waters, in printed mm.
            avoid: roads and labels, which stay free of scarps.
            context: gives the sizes.
            litter: gives the spacing.
        """
        stream = context.stream(f"draw/{area.id}/scarps")
        arcs: list[Line] = []
        strokes: list[tuple[Line, float, float]] = []
        flat = np.array([1.0, 0.8])
        inside = ground.buffer(-context.size(0.6))
        shapely.prepare(inside)
        inner_area = ground.buffer(-context.size(6.5))
        for x, y in poisson_points(
            inner_area, context.size(litter.scarps), stream, avoid=avoid.buffer(context.size(5.0))
        ):
            start, span = stream.between(0, 2 * np.pi), stream.between(1.5, 2.4)
            radius, middle = context.size(stream.between(3.0, 5.0)), np.array([x, y])
            turn = np.linspace(start, start + span, 12)
            arcs.append(middle + radius * np.column_stack([exact_math.cos(turn), exact_math.sin(turn)]) * flat)
            turn = np.linspace(start + 0.08, start + span - 0.08, max(2, round(span * radius / context.size(1.05))))
            outward = np.column_stack([exact_math.cos(turn), exact_math.sin(turn)]) * flat
            reach = np.array([radius + context.size(stream.between(1.5, 2.7)) for _ in turn])
            points = np.stack([middle + radius * outward, middle + reach[:, None] * outward], axis=1)
            is_inside = shapely.contains_xy(inside, points[..., 0], points[..., 1]).all(axis=1)
            strokes += [(line, context.width(0.46), context.width(0.10)) for line in points[is_inside]]
        visible_arcs = lines(shapely.intersection(np.array([LineString(arc) for arc in arcs], dtype=object), inside))
        covered_ground = shapely.union_all([LineString(points) for points, _, _ in strokes]).buffer(context.size(1.0))
        return cls(visible_arcs, strokes, covered_ground)

    def draw_items(self, context: SymbolContext) -> LayeredItems:
        """Yield (layer, item) pairs that draw the scarps: their strokes, then their arcs.

        Shapes and items are in printed mm.
        """
        yield from on_layer(LayerName.GROUND_PATTERN, wedges(self.strokes, context.tint("hachure", 0.9)))
        yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(self.arcs, context, "hachure", 0.34))


def broken_ground(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Return (layer, item) pairs that draw broken ground.

    Roads and rivers through it are free of stones. Shapes and items are in printed mm.
    """
    return _draw_stony_ground(area, context, field, _BROKEN)


def rough_ground(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw rough ground: paler than broken ground, with tussocks among few scarps and small stones.

    Yields (layer, item) pairs in printed mm; shapes are in printed mm too.
    """
    return _draw_stony_ground(area, context, field, _ROUGH)


def _draw_stony_ground(area: Area, context: SymbolContext, field: Battlefield, litter: _Litter) -> LayeredItems:
    """Yield (layer, item) pairs that draw the wash and edge of an area, then its grit, scarps, stones and tussocks.

    Shapes and items are in printed mm.
    """
    ground, avoid = subtract_waters(area, context, field), find_reserved_ground(context, field)
    tokens = ("broken-ground", "broken-ground-wash-edge")
    yield from draw_area_ground(ground, context, tokens, towards=litter.towards, edge=litter.edge)
    yield from draw_grit(area, ground.buffer(-context.size(2.0)), avoid, context, litter.grit)
    scarps = _Scarps.scatter(area, ground, avoid, context, litter)
    yield from scarps.draw_items(context)
    avoid = avoid.union(scarps.covered_ground)
    stream = context.stream(f"draw/{area.id}/stones")
    stone_area = ground.buffer(-context.size(_FROM_EDGE))
    points = poisson_points(stone_area, context.size(litter.stones), stream, avoid=avoid.buffer(context.size(1.5)))
    placed_stones = [
        Stone.of((x, y), context.size(stream.between(*litter.radii)), stream)
        for x, y in points.tolist()
        if stream.draw_unit() < litter.share
    ]
    yield from stones(placed_stones, context, LayerName.GROUND_PATTERN)
    if litter.tussocks:
        yield from _draw_tussocks(area, ground, avoid, placed_stones, context, litter.tussocks)


def _draw_tussocks(
    area: Area,
    ground: BaseGeometry,
    avoid: BaseGeometry,
    placed_stones: list[Stone],
    context: SymbolContext,
    spacing: float,
) -> LayeredItems:
    """Yield (layer, item) pairs that draw tussocks of grass with a ground line each, clear of stones.

    Args:
        area: the area; its ID names the random stream.
        ground: its ground without waters, in printed mm.
        avoid: ground without tussocks.
        placed_stones: the stones of the area.
        context: gives the style and sizes.
        spacing: distance between tussocks in mm at 1:1.
    """
    stream = context.stream(f"draw/{area.id}/tussocks")
    tussock_area = ground.buffer(-context.size(3.2))
    blocked_parts = [avoid.buffer(context.size(1.8)), *shapely.buffer(hulls_of(placed_stones), context.size(1.8))]
    tufts = Tufts()
    seats: list[Line] = []
    for x, y in poisson_points(
        tussock_area, context.size(spacing), stream, avoid=shapely.union_all(blocked_parts)
    ).tolist():
        height = context.size(_TUSSOCK_HEIGHT) * stream.between(0.85, 1.2)
        tufts.add((x, y), height, 3 + stream.draw_index(2), stream)
        bow = np.linspace(-1.0, 1.0, 7)
        seats.append(np.column_stack([x + 0.72 * height * bow, y - 0.10 * height - 0.16 * height * (1 - bow**2)]))
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(tufts.blades, context, "pasture-tuft", 0.32))
    yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(seats, context, "rock-line", 0.30))
