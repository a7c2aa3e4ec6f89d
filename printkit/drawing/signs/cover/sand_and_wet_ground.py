"""Sand and wet ground: dunes, tide lines of beaches, and the oasis; pools and rows of strokes of marshes.

Source: the cartography, 10.8 and 10.4. Tufts, reeds and dead trees are in ``low_plants``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar, Final, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import Item, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import (
    Line,
    circles,
    fill,
    lines,
    normals,
    polygons,
    resampled,
    rotate_points,
    uneven_oval,
    wedges,
)
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import grown, poisson_points, standing
from printkit.drawing.signs.cover.low_plants import CoverGround, Motif, Tufts, draw_reeds
from printkit.drawing.signs.cover.shores import draw_waterlines
from printkit.drawing.signs.lines.channels import draw_bank_shadow
from printkit.drawing.signs.lines.course_lines import (
    MeasuredLine,
    covered,
    find_touching_basins,
    on_layer,
    stroke_shape,
)
from printkit.terrain.field.features import ROUTES

# Square root of the area of small and of large wet ground, in mm at 1:1. Only large ground has pools of every size.
_VARIED: Final = (150.0, 300.0)

_VARIED_SIZES: Final = (3.0, 40.0)  # Least and greatest length of a pool of a large ground in mm at 1:1
_WET_WAVE: Final = 90.0
_DRY_BELOW: Final = -0.45  # Value of the noise below which there is no pool
_POOL_GAP: Final = 2.0
_SLENDER: Final = (0.34, 0.62)  # Breadth of such a pool as a share of its length
_DEEP_FROM: Final = 7.0  # Inset in mm at 1:1 of deep water in a large pool
_CHANNEL: Final = (40.0, 0.55, 1.0, 2.2)  # Greatest length, share of the pools, least and greatest width in mm at 1:1
_CANDIDATES: Final = 3  # Number of pools with the nearest middles; the pool with the nearest edge gets the channel.
_CHANNEL_WAVER: Final = (14.0, 3.2)  # Wave and greatest shift of a channel in mm at 1:1


class Pools(Motif, frozen=True, kw_only=True, tag="pools"):
    """Open pools, each completely inside the ground; pools that overlap are merged.

    On large ground with ``varied`` pools they are from 3 to 40 mm long, larger where the ground is wettest, and
    channels join some of them.

    Attributes:
        long: range of half the length in mm at 1:1.
        broad: range of half the breadth in mm at 1:1.
        clear: mm at 1:1 around a pool without plants.
        varied: whether pools of large ground have every size.
    """

    long: tuple[float, float]
    broad: tuple[float, float]
    clear: float
    varied: bool = False

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the water, its edge and one waterline, in printed mm."""
        context = ground.context
        low, high = _VARIED
        largeness = (math.sqrt(ground.shape.area) / context.size(1.0) - low) / (high - low)
        is_varied = self.varied and largeness > 0
        pools = self._place_varied_pools(ground, min(1.0, largeness)) if is_varied else self._place_even_pools(ground)
        ground.marks = water = shapely.union_all(pools)
        ground.avoid = shapely.union_all([water.buffer(context.size(self.clear)), ground.avoid])
        yield from fill(water, context.style.ink("water"))
        if is_varied:
            deep = water.buffer(-context.size(_DEEP_FROM), quad_segs=4)
            yield from fill(deep.buffer(0.5 * context.size(_DEEP_FROM), quad_segs=4), context.tint("water-deep", 0.30))
        yield from stroke_shape(water, context, "bank-line", 0.38, minimum_mm=LEAST_MEANING)
        yield from stroke_shape(water.buffer(-context.size(1.0)), context, "waterline", 0.22)

    def _place_even_pools(self, ground: CoverGround) -> list[BaseGeometry]:
        """Return pools of similar size all over the ground, in printed mm."""
        context, stream = ground.context, ground.stream("pools")
        pools: list[BaseGeometry] = []
        inner = shapely.difference(ground.shrink(1.5), context.clear)
        shapely.prepare(inner)
        for x, y in self.scatter(ground, stream):
            wide, high = context.size(stream.between(*self.long)), context.size(stream.between(*self.broad))
            oval = uneven_oval(wide, high, stream, 0.16, 40)
            pool = shapely.make_valid(Polygon(rotate_points(*oval, math.radians(stream.between(-8, 8)), (x, y))))
            if inner.contains(pool):
                pools.append(pool)
        return pools

    def _place_varied_pools(self, ground: CoverGround, largeness: float) -> list[BaseGeometry]:
        """Return pools of every size and the channels between them, in printed mm.

        ``largeness`` is above 0, up to 1 on large ground; the largest pools are shorter on smaller ground.
        """
        context, stream = ground.context, ground.stream("pools")
        free_ground = shapely.difference(ground.shrink(1.5), ground.blocked_area(self.margin / 2))
        shapely.prepare(free_ground)
        places = self.scatter(ground, stream)
        wet = context.noise.at(places[:, 0], places[:, 1], context.size(_WET_WAVE)) + 0.35 * (
            2 * stream.draw_array(len(places)) - 1
        )
        least, greatest = _VARIED_SIZES
        greatest = 2 * self.long[1] + (greatest - 2 * self.long[1]) * largeness
        shares = np.clip((wet - _DRY_BELOW) / (1.0 - _DRY_BELOW), 0.0, 1.0)
        lengths = context.size(1.0) * (least + (greatest - least) * exact_math.power(shares, 2.0))
        pools: list[BaseGeometry] = []
        kept_numbers: list[int] = []
        for number in np.argsort(-lengths, kind="stable").tolist():
            if wet[number] < _DRY_BELOW:
                break
            half = lengths[number] / 2
            oval = uneven_oval(half, half * stream.between(*_SLENDER), stream, 0.30, 40)
            turn = math.radians(stream.between(-24, 24))
            pool = shapely.make_valid(Polygon(rotate_points(*oval, turn, places[number])))
            # Only pools whose circles come near can touch.
            distances = np.hypot(*(places[kept_numbers] - places[number]).T)
            near = np.flatnonzero(distances < 0.8 * (lengths[kept_numbers] + lengths[number]) + context.size(_POOL_GAP))
            gap = context.size(_POOL_GAP)
            if free_ground.contains(pool) and not any(pools[index].dwithin(pool, gap) for index in near.tolist()):
                pools.append(pool)
                kept_numbers.append(number)
        return pools + _dig_channels(pools, free_ground, context, stream)


def _dig_channels(
    pools: list[BaseGeometry], free_ground: BaseGeometry, context: SymbolContext, stream: Stream
) -> list[BaseGeometry]:
    """Return winding channels from pools to a neighbour that is smaller, in printed mm.

    ``pools`` are sorted, largest first. Channels are inside ``free_ground``, which is prepared, and do not touch a
    third pool.
    """
    longest, share, narrow, wide = _CHANNEL
    wave, shift = _CHANNEL_WAVER
    channels: list[BaseGeometry] = []
    tree, centres = shapely.STRtree(pools), shapely.get_coordinates(shapely.centroid(pools))
    for number, pool in enumerate(pools[1:], 1):
        chance, width = stream.draw_unit(), context.size(stream.between(narrow, wide))
        if chance > share:
            continue
        squares = ((centres[:number] - centres[number]) ** 2).sum(axis=1)
        candidates = np.argsort(squares, kind="stable")[:_CANDIDATES].tolist()
        nearest = min(candidates, key=lambda index: float(pools[index].distance(pool)))
        line = shapely.shortest_line(pools[nearest], pool)
        if line.length > context.size(longest):
            continue
        points = resampled(line, context.size(2.0))
        bow = exact_math.sin(np.linspace(0, np.pi, len(points)))
        offsets = context.size(shift) * bow * context.noise.at(points[:, 0], points[:, 1], context.size(wave))
        channel = LineString(points + normals(points) * offsets[:, None]).buffer(width / 2, quad_segs=4)
        if free_ground.contains(channel) and len(tree.query(channel, predicate="intersects")) == 2:
            channels.append(channel)
    return channels


class LevelStrokes(Motif, frozen=True, kw_only=True, tag="level_strokes"):
    """Rows of broken horizontal strokes between pools or tufts, with gaps where the ground is firmest.

    Attributes:
        pitch: mm at 1:1 between rows.
        strokes: least and greatest length of a stroke in mm at 1:1.
        gaps: least and greatest gap in mm at 1:1.
        firm: share of the strokes, 0 to 1, that are left out where the ground is firmest.
        width: width of the line in mm at 1:1.
        alpha: opacity of the line.
    """

    is_lower: ClassVar[bool] = True
    pitch: float
    strokes: tuple[float, float]
    gaps: tuple[float, float]
    firm: float
    width: float
    alpha: float

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the strokes as one path in printed mm."""
        context, stream = ground.context, ground.stream("strokes")
        left, low, right, high = ground.shape.bounds
        strokes: list[tuple[tuple[float, float], ...]] = []
        starts: list[tuple[float, float]] = []
        y = low
        while y < high:
            y += context.size(self.pitch) * stream.between(0.92, 1.08)
            x = left - context.size(stream.between(0, 6))
            while x < right:
                length = context.size(stream.between(*self.strokes))
                level, sag = y + context.size(stream.between(-0.25, 0.25)), context.size(stream.between(-0.12, 0.12))
                strokes.append(((x, level), (x + length / 2, level + sag), (x + length, level)))
                starts.append((x, y))
                x += length + context.size(stream.between(*self.gaps))
        if not starts:
            return
        inside = shapely.difference(ground.shrink(1.2), ground.marks.buffer(context.size(1.0)))
        drawing_area = shapely.difference(inside, context.clear)
        shapely.prepare(drawing_area)
        start_x, start_y = np.array(starts).T
        wet = context.noise.at(start_x, 2.2 * start_y, context.size(38))
        # The quantile of the firm share. np.quantile would import the masked arrays (10 ms).
        firm_index = int(self.firm * (len(wet) - 1))
        wet_strokes = shapely.linestrings(np.array(strokes)[wet > np.partition(wet, firm_index)[firm_index]])
        pieces = np.array(lines(_clip_strokes(wet_strokes, drawing_area)), dtype=object)
        long_pieces = pieces[shapely.length(pieces) > context.size(0.8)]
        yield from stroke_shape(list(long_pieces), context, "marsh-stroke", self.width, alpha=self.alpha)


def _clip_strokes(strokes: NDArray[np.object_], drawing_area: BaseGeometry) -> NDArray[np.object_]:
    """Return strokes clipped to ``drawing_area``, which is prepared; strokes outside it are left out.

    Strokes are an array of lines; all are in printed mm. A clipped stroke may be in several parts. Only strokes across
    its edge need the costly intersection.
    """
    hits = strokes[shapely.intersects(drawing_area, strokes)]
    inside = shapely.contains_properly(drawing_area, hits)
    clipped_strokes: NDArray[np.object_] = hits.copy()
    clipped_strokes[~inside] = shapely.intersection(hits[~inside], drawing_area)
    return clipped_strokes


# Range of the wind's bearing in degrees anticlockwise from +x; the slip faces are then in shade.
_WIND: Final = (-16.0, 10.0)

_WIND_STRAYS: Final = 11.0
_DUNE: Final = (4.6, 7.0)
_COMBS: Final = 18
_COMB: Final = (1.8, 3.1)


class Dunes(Motif, frozen=True, tag="dunes"):
    """Crescents whose horns point downwind, with combed slip faces. Dunes that would touch another are left out."""

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the bodies, slip faces and combs of all dunes, then their lines, in printed mm."""
        context, stream = ground.context, ground.stream("dunes")
        wind = context.stream("draw/wind").between(*_WIND)
        hulls: list[BaseGeometry] = []
        placed_dunes: list[tuple[Line, Line, Line]] = []
        combs: list[tuple[Line, float, float]] = []
        free_ground = shapely.difference(ground.shape, ground.avoid)
        for x, y in self.scatter(ground, stream).tolist():
            half_width = context.size(stream.between(*_DUNE))
            turn = math.radians(wind + stream.between(-_WIND_STRAYS, _WIND_STRAYS))
            back, crest, foot = _make_crescent(
                (x, y), half_width, turn, (stream.between(0.82, 1.1), stream.between(0.82, 1.1))
            )
            hull = Polygon(np.vstack([back, foot[::-1]])).buffer(context.size(1.7))
            if not free_ground.contains(hull) or any(hull.intersects(placed_hull) for placed_hull in hulls):
                continue
            hulls.append(hull)
            placed_dunes.append((back, crest, foot))
            combs += _make_comb_strokes(crest, foot, context, [stream.between(*_COMB) for _ in range(_COMBS)])
        ground.stamps += hulls
        bodies = [Polygon(np.vstack([back, crest[::-1]])) for back, crest, _ in placed_dunes]
        slip_faces = [Polygon(np.vstack([crest, foot[::-1]])) for _, crest, foot in placed_dunes]
        yield from fill(bodies, context.tint("dune", 0.95))
        yield from fill(slip_faces, context.tint("slip-face", 0.55))
        yield from wedges(combs, context.style.ink("sand-line"))
        yield from stroke_shape([crest for _, crest, _ in placed_dunes], context, "sand-line", 0.55)
        yield from stroke_shape([back for back, _, _ in placed_dunes], context, "sand-line", 0.22)


class TideLines(Motif, frozen=True, kw_only=True, tag="tide_lines"):
    """Rows of strokes along the nearest water, or inside the edge of the ground if there is no water.

    Attributes:
        distances: distance of each line from the water or edge in mm at 1:1.
        strokes: least and greatest length of a stroke in mm at 1:1.
        gaps: least and greatest gap in mm at 1:1.
    """

    distances: tuple[float, ...]
    strokes: tuple[float, float]
    gaps: tuple[float, float]

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the lines as one path in printed mm."""
        context, stream = ground.context, ground.stream("tides")
        inside = shapely.difference(ground.shrink(self.from_edge), ground.avoid)
        basins = find_touching_basins(ground.area.outline, ground.battlefield, max_distance=context.size(8.0))
        water, side = (shapely.union_all(basins), 1.0) if basins else (ground.shape, -1.0)
        dash_range, gap_range = ((context.size(low), context.size(high)) for low, high in (self.strokes, self.gaps))
        strokes: list[Line] = []
        for distance in self.distances:
            line = water.buffer(side * context.size(distance)).boundary
            for part in lines(shapely.line_merge(shapely.intersection(line, inside))):
                if part.length > context.size(4.0):
                    strokes += MeasuredLine.from_line(part).cut_dashes(dash_range, gap_range, stream)
        tide_lines = shapely.MultiLineString([stroke for stroke in strokes if len(stroke) > 1])
        ground.stamps.append(tide_lines.buffer(context.size(0.6)))
        yield from stroke_shape(tide_lines, context, "sand-line", 0.26)


_POOL_SHARE: Final = 0.40
_BESIDE_WAYS: Final = 2.5
_BESIDE_EDGE: Final = 6.0
_GREEN: Final = 7.0
_PALM: Final = 4.6
_PALM_SPACING: Final = 1.55
_FAR_PALM_SPACING: Final = 3.4


class GreenRim(Motif, frozen=True, tag="green_rim"):
    """The green around the pool of an oasis."""

    def draw(self, ground: CoverGround) -> LayeredItems:
        """Yield (layer, item) pairs that draw two tones of green, in printed mm."""
        context, stream = ground.context, ground.stream("rim")
        water, green = _find_oasis_ground(ground)
        for breadth, alpha in ((_GREEN, 0.55), (0.55 * _GREEN, 0.65)):
            rim = shapely.intersection(water.buffer(context.size(breadth * stream.between(0.9, 1.1))), green)
            tone = fill(shapely.difference(rim, water), context.tint("pasture", alpha))
            yield from on_layer(LayerName.GROUND_WASH, tone)
        ground.stamps.append(green)


class OasisPool(Motif, frozen=True, tag="oasis_pool"):
    """The pool of an oasis."""

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the water, the shadow of its bank, waterlines and the bank line, in printed mm."""
        context, (water, _) = ground.context, _find_oasis_ground(ground)
        yield from fill(water, context.style.ink("water"))
        yield from fill(water.buffer(-context.size(2.4)), context.tint("water-deep", 0.35))
        for _, item in draw_bank_shadow(water, water, context, 0.9, 0.35):
            yield item
        yield from draw_waterlines(water, context, 3, clip_area=water)
        yield from stroke_shape(water, context, "bank-line", 0.55, minimum_mm=LEAST_MEANING)


class PalmGrove(Motif, frozen=True, tag="palm_grove"):
    """Palms around the pool of an oasis, grass on its green rim and reeds along its bank."""

    def draw(self, ground: CoverGround) -> LayeredItems:
        """Yield (layer, item) pairs that draw grass and reeds, then the palms, in printed mm."""
        context, stream, growth = ground.context, ground.stream("palms"), ground.stream("growth")
        water, green = _find_oasis_ground(ground)
        palms = _place_palms(ground, water, green)
        crown_room = shapely.union_all([ground.avoid, *circles(palms, context.size(0.9 * _PALM))])
        wet_rim = shapely.difference(green, water.buffer(context.size(0.8)))
        feet = poisson_points(wet_rim, context.size(4.6), growth, avoid=crown_room)
        blades = Tufts.at(feet.tolist(), context.size(2.0), 3, growth).blades
        visible = lines(shapely.intersection(shapely.linestrings(blades), ground.shape))
        yield from on_layer(LayerName.GROUND_PATTERN, stroke_shape(visible, context, "pasture-tuft", 0.32))
        shallows = water.buffer(-context.size(1.0)) - water.buffer(-context.size(2.6))
        rushes = poisson_points(shallows, context.size(7.5), growth, avoid=crown_room)
        reeds = draw_reeds(rushes.tolist(), 2.8, context, growth, area=ground.shape)
        yield from on_layer(LayerName.GROUND_PATTERN, reeds)
        radii = [context.size(_PALM) * stream.between(0.84, 1.08) for _ in palms]
        yield from standing(grown(palms, radii, "palm", stream), context)


def _make_crescent(
    centre: tuple[float, float], half: float, wind: float, horns: tuple[float, float]
) -> tuple[Line, Line, Line]:
    """Return the back of a dune, its crest and the foot of its slip face, each from horn to horn.

    All are n x 2 arrays in printed mm. ``horns`` has the side to the right of the wind first.

    Args:
        centre: centre of the dune, in printed mm.
        half: half the distance from horn to horn, in printed mm.
        wind: direction that the wind blows to, in radians.
        horns: length of each side as a share of ``half``.
    """
    positions = np.linspace(-1.0, 1.0, 25)
    reach = np.abs(positions)
    side = half * positions * np.where(positions < 0, *horns)
    back = half * (-0.56 + 0.88 * exact_math.power(reach, 2.4))
    crest = half * (-0.10 + 0.42 * exact_math.power(reach, 1.9))
    foot = half * (0.20 + 0.12 * exact_math.power(reach, 1.5))
    back, crest, foot = (rotate_points(line, side, wind, centre) for line in (back, crest, foot))
    return back, crest, foot


def _make_comb_strokes(
    crest: Line, foot: Line, context: SymbolContext, lengths: list[float]
) -> list[tuple[Line, float, float]]:
    """Return the strokes down a slip face from its crest. They shorten towards the horns.

    Each is a line from head to foot, its width at the head and its width at the foot, in printed mm.

    Args:
        crest: the crest of the dune, in printed mm.
        foot: the foot of its slip face.
        context: gives the sizes.
        lengths: greatest length of each stroke, in mm at 1:1.
    """
    strokes: list[tuple[Line, float, float]] = []
    for share, length in zip(np.linspace(0.06, 0.94, len(lengths)), lengths, strict=True):
        index_position = share * (len(crest) - 1)
        indices = np.arange(len(crest))
        head, base = (
            np.array([np.interp(index_position, indices, line[:, axis]) for axis in (0, 1)]) for line in (crest, foot)
        )
        fall = base - head
        depth = float(np.hypot(*fall))
        if depth > context.size(0.3):
            strokes.append((np.vstack([head, head + fall * min(0.98, context.size(length) / depth)]),
                          context.width(0.40), context.width(0.10)))  # fmt: skip
    return strokes


def _find_oasis_ground(ground: CoverGround) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the pool of an oasis, and the pool with its green rim, in printed mm.

    The pool is a smoothed copy of the outline near the middle, clear of roads. Both are empty if there is no room.
    """
    outline, context = ground.area.outline, ground.context
    small = affinity.scale(outline, _POOL_SHARE, _POOL_SHARE, origin=outline.representative_point())
    smoothing = 0.2 * math.sqrt(small.area)
    smooth_shape = small.buffer(-smoothing).buffer(2 * smoothing).buffer(-smoothing)
    dry = covered(ground.battlefield, ROUTES, context, dict.fromkeys(ROUTES, _BESIDE_WAYS))
    pool_area = shapely.intersection(smooth_shape, shapely.difference(ground.shrink(_BESIDE_EDGE), dry))
    pools = polygons(pool_area.buffer(-0.5 * smoothing).buffer(0.5 * smoothing))
    water = max(pools, key=lambda part: part.area, default=Polygon())
    return water, shapely.intersection(water.buffer(context.size(_GREEN)), ground.shrink(1.5))


def _place_palms(ground: CoverGround, water: BaseGeometry, green: BaseGeometry) -> Line:
    """Return the positions of palms in printed mm: close together on the green, scattered on the sand.

    The result is an n x 2 array. Palms on the green come first. ``water`` is the pool, and ``green`` the pool with its
    rim, in printed mm.
    """
    stream, size = ground.stream("grove"), ground.context.size
    blocked_area = shapely.union(ground.avoid.buffer(size(_PALM)), water.buffer(size(0.55 * _PALM)))
    palm_area = ground.shrink(1.1 * _PALM)
    near_area, far_spacing = shapely.intersection(palm_area, green), size(_FAR_PALM_SPACING * _PALM)
    near_palms = poisson_points(near_area, size(_PALM_SPACING * _PALM), stream, avoid=blocked_area)
    far_palms = poisson_points(palm_area, far_spacing, stream, existing=near_palms, avoid=blocked_area)
    return np.vstack([near_palms, far_palms])


# The motifs of sand and of water that a row of a cover may have.
SandMotif: TypeAlias = Dunes | PalmGrove | TideLines
WaterMotif: TypeAlias = GreenRim | LevelStrokes | OasisPool | Pools
