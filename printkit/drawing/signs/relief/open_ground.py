"""Ground: the board with its mottle and grass; and area covers, for example marsh, as rows of wash, edge and motifs.

Source: the cartography, 10.3, 10.4 and 10.8.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate, cycle
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct, convert
from shapely import LineString, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import Affine, Artwork, Ink, Item, LayeredItems, LayerName, Path, Stamp, Stroke
from printkit.drawing.canvas.shapes import Line, dots, fill, fills, lines, outline, runs, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, RINGS, SymbolContext, wash
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.cover.low_plants import CoverGround, Motif, PlantMotif, Stipple, Tufts
from printkit.drawing.signs.cover.sand_and_wet_ground import SandMotif, WaterMotif
from printkit.drawing.signs.lines.channels import find_reserved_ground, subtract_waters
from printkit.drawing.signs.lines.course_lines import on_layer, stroke_shape
from printkit.drawing.signs.relief.relief_field import Regions, ReliefGrid
from printkit.drawing.signs.relief.rocks import Boulders, Scree, Stone, draw_stones, hulls_of
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, Area

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
# Height of the middle of a tuft above its foot, and distance that the middle keeps from labels, in mm at 1:1.
_TUFT_MIDDLE: Final = 1.2
_FROM_LABEL: Final = 1.5

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
    tufted_labels = affinity.translate(
        context.clear.buffer(context.size(_FROM_LABEL), quad_segs=2), 0.0, -context.size(_TUFT_MIDDLE)
    )
    yield from draw_tufts(shapely.difference(area, tufted_labels), context)


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


# --- Motifs of broken and rough ground --------------------------------------------------------------------------------


class Scarps(Motif, frozen=True, tag="scarps"):
    """Short steps in the ground that face in all directions: arcs, and strokes outward from them."""

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the strokes, then the arcs, in printed mm."""
        context, stream = ground.context, ground.stream("scarps")
        arcs: list[Line] = []
        strokes: list[tuple[Line, float, float]] = []
        flat = np.array([1.0, 0.8])
        inside = shapely.difference(ground.shrink(0.6), context.clear)
        shapely.prepare(inside)
        for middle in self.scatter(ground, stream):
            start, span = stream.between(0, 2 * np.pi), stream.between(1.5, 2.4)
            radius = context.size(stream.between(3.0, 5.0))
            turn = np.linspace(start, start + span, 12)
            arcs.append(middle + radius * np.column_stack([exact_math.cos(turn), exact_math.sin(turn)]) * flat)
            turn = np.linspace(start + 0.08, start + span - 0.08, max(2, round(span * radius / context.size(1.05))))
            outward = np.column_stack([exact_math.cos(turn), exact_math.sin(turn)]) * flat
            reach = np.array([radius + context.size(stream.between(1.5, 2.7)) for _ in turn])
            points = np.stack([middle + radius * outward, middle + reach[:, None] * outward], axis=1)
            is_inside = shapely.contains_xy(inside, points[..., 0], points[..., 1]).all(axis=1)
            strokes += [(line, context.width(0.46), context.width(0.10)) for line in points[is_inside]]
        covered_ground = shapely.union_all([LineString(points) for points, _, _ in strokes]).buffer(context.size(1.0))
        ground.avoid = ground.avoid.union(covered_ground)
        yield from wedges(strokes, context.tint("hachure", 0.9))
        visible_arcs = lines(shapely.intersection(np.array([LineString(arc) for arc in arcs], dtype=object), inside))
        yield from stroke_shape(visible_arcs, context, "hachure", 0.34)


class ScatteredStones(Motif, frozen=True, kw_only=True, tag="stones"):
    """Single stones.

    Attributes:
        radii: least and greatest radius in mm at 1:1.
        share: share of the places that get a stone, 0 to 1.
    """

    radii: tuple[float, float]
    share: float

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the stones in printed mm."""
        context, stream = ground.context, ground.stream("stones")
        placed_stones = [
            Stone.of((x, y), context.size(stream.between(*self.radii)), stream)
            for x, y in self.scatter(ground, stream).tolist()
            if stream.draw_unit() < self.share
        ]
        hulls = hulls_of(placed_stones)
        is_free = ~shapely.intersects(context.clear, hulls)
        placed_stones = [stone for stone, fits in zip(placed_stones, is_free, strict=True) if fits]
        ground.stamps += hulls_of(placed_stones).tolist()
        yield from draw_stones(placed_stones, context)


class Tussocks(Motif, frozen=True, tag="tussocks"):
    """Tussocks of grass with a ground line each."""

    label_distances = (0.9, 1.7)

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the blades, then the ground lines, in printed mm."""
        context, stream = ground.context, ground.stream("tussocks")
        tufts = Tufts()
        seats: list[Line] = []
        bow = np.linspace(-1.0, 1.0, 7)
        for x, y in self.scatter(ground, stream).tolist():
            height = context.size(1.9) * stream.between(0.85, 1.2)
            tufts.add((x, y), height, 3 + stream.draw_index(2), stream)
            seats.append(np.column_stack([x + 0.72 * height * bow, y - 0.10 * height - 0.16 * height * (1 - bow**2)]))
        yield from stroke_shape(tufts.blades, context, "pasture-tuft", 0.32)
        yield from stroke_shape(seats, context, "rock-line", 0.30)


_StoneMotif: TypeAlias = Boulders | Scarps | ScatteredStones | Scree | Tussocks


class GroundCover(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one kind of cover is drawn: the ``look`` of its row in ``templates/symbols/kinds.toml``.

    Attributes:
        wash: ink of the wash, and optionally ink of its rim.
        second_ink: another ink and its share, 0 to 1, in the mixed wash. A style with only one of the inks has no wash.
        rim: strength of the rim; 1 is the usual one.
        edge: ink, width and dashes of the line around it, in mm at 1:1; None for no line.
        motifs: what is drawn on it, in order. A later motif avoids an earlier one.
    """

    wash: tuple[str, ...]
    second_ink: tuple[str, float] | None = None
    rim: float = 1.0
    edge: tuple[str, float, tuple[float, ...]] | None = None
    motifs: tuple[Stipple | PlantMotif | SandMotif | WaterMotif | _StoneMotif, ...]


_COVERS: Final = {
    kind: convert(row.look, GroundCover)
    for kind, row in KIND_ROWS.items()
    if row.sign == "relief.open_ground:draw_cover"
}


def draw_cover(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw an area of cover by the row of its kind.

    Waters through it are open, and motifs stay off roads and labels. Shapes and items are in printed mm.
    """
    cover, style = _COVERS[area.kind], context.style
    shape, avoid = subtract_waters(area, context, field), find_reserved_ground(context, field)
    tone, rim = (*map(style.ink, cover.wash), None)[:2]
    if cover.second_ink is not None:
        other_ink = style.ink(cover.second_ink[0])
        tone, rim = (tone.mix(other_ink, cover.second_ink[1]), rim) if tone and other_ink else (None, None)
    rings = [(inset, cover.rim * alpha) for inset, alpha in RINGS]
    yield from on_layer(LayerName.GROUND_WASH, wash(shape, tone, rim, context, rings))
    if cover.edge is not None:
        token, mm, dash = cover.edge
        edge = stroke_shape(shape, context, token, mm, dash=dash, minimum_mm=LEAST_MEANING)
        yield from on_layer(LayerName.GROUND_EDGE, edge)
    ground = CoverGround(area, context, field, shape, avoid)
    pairs: list[tuple[LayerName, Item]] = []
    for motif in cover.motifs:
        motif_pairs = list(motif.draw(ground))
        pairs = motif_pairs + pairs if motif.is_lower else pairs + motif_pairs
    yield from pairs
