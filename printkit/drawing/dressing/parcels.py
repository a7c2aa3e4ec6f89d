"""Parcels of land along lanes and roads, in mm of the board.

Neighbours in a block have equal depth and slant. Parcels follow roads, as real fields do. Randomly scattered parcels
look like litter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, normals, polygons, resampled
from printkit.drawing.dressing.countryside_types import FieldUse, OpenCountry, Tillage, dressing_scale
from printkit.drawing.dressing.free_ground import OpenGround
from printkit.drawing.dressing.lanes import WIDTH
from printkit.terrain.geometry.outlines import Noise

_CLEAR: Final = 7.2
_CLEAR_OF_ROADS: Final = 5.0
_FROM_EDGE: Final = 2.5
_FROM_LANE: Final = 1.6
_TOLERANCE: Final = 0.2
_BESIDE_LANE: Final = 3.4
_BESIDE_ROAD: Final = 6.0

_STEP: Final = 3.0
_SMOOTHED: Final = 30.0
_FERTILITY: Final = 230.0

# Boards with few features get more parcels: the effect starts below 20 % cover and is complete at 4 %.
_EMPTY: Final = (0.20, 0.16)

_RICHER: Final = 0.20
_MORE_SECOND: Final = 0.12
_BLOCK: Final = (3, 5)
_GAPS: Final = 0.45
_GAP: Final = (6.0, 34.0)
_LEAN: Final = 0.22
_WIDER: Final = (0.14, 1.5)
_DEEPER: Final = (0.30, 0.7, 1.15)
_BEHIND: Final = 0.86
_BALKS: Final = (0.70, 0.6, 3.2)
_FLARE: Final = 1.42

# Cosines of 42 and 18 degrees: at a sharper bend there is no parcel, or no second row, because fans are ugly.
_BEND: Final = 0.743
_BEND_SECOND: Final = 0.951

_UNEVEN: Final = (1.2, 22.0)
_APART: Final = 0.55
_LEAST: Final = 330.0
_OF_QUAD: Final = 0.46
_OF_HULL: Final = 0.80
_THIN: Final = 5.0
_CORNER: Final = 2.2

# A lightly dressed board has one block of parcels for this area in mm2; the fewest and the most parcels of a block.
_AREA_PER_BLOCK: Final = 120_000.0
_PALE_BLOCK: Final = (4, 9)

# The least distance between the middles of such blocks, in mm of the board.
_BLOCKS_APART: Final = 140.0


class Parcel(Struct, frozen=True, eq=False):
    """A parcel of land, in mm of the board, or in printed mm after scaling.

    Sides are points, n x 2.

    Attributes:
        ground: its area.
        front: the side at the road.
        back: the side away from the road.
        use: its land use.
        is_along_front: True if rows are parallel to the road.
        fertility: the noise at its middle; land is tilled where it is high.
    """

    ground: Polygon
    front: Line
    back: Line
    use: FieldUse
    is_along_front: bool
    fertility: float = 0.0


def parcels(
    ground: OpenGround, cover: OpenCountry, lanes: tuple[LineString, ...], noise: Noise, stream: Stream
) -> tuple[Parcel, ...]:
    """Return the parcels of a board in mm of the board, first those along lanes; they do not overlap.

    ``lanes`` are centre lines. There are no parcels if the settings have no tillage.
    """
    if cover.tillage is None:
        return ()
    placer, board_area = _ParcelPlacer(ground, cover, cover.tillage, lanes, noise, stream), ground.board_area.area
    if cover.pale:
        return placer.place_best_blocks(max(1, round(board_area / _AREA_PER_BLOCK)))
    found_parcels = list(placer.place_parcels())
    if plain_sum(parcel.ground.area for parcel in found_parcels) < cover.tillage.shares[0] * board_area:
        # A second round fills the gaps between blocks.
        found_parcels += placer.place_parcels()
    return _keep_best_land(found_parcels, cover.tillage, board_area, placer.fertile)


def _keep_best_land(
    parcels: Sequence[Parcel], tillage: Tillage, board_area: float, fertility_level: float
) -> tuple[Parcel, ...]:
    """Return the parcels on the best land, in their order.

    They are all above ``fertility_level``. There are more if these cover less of ``board_area`` (mm2) than the least
    share of the settings, and fewer if these cover more than the largest share.
    """
    least_area, most_area = (share * board_area for share in tillage.shares)
    total_area, numbers = 0.0, set[int]()
    for number in sorted(range(len(parcels)), key=lambda number: -parcels[number].fertility):
        parcel = parcels[number]
        is_wanted = parcel.fertility >= fertility_level or total_area < least_area
        if not is_wanted or total_area + parcel.ground.area > most_area:
            break
        total_area += parcel.ground.area
        numbers.add(number)
    return tuple(parcel for number, parcel in enumerate(parcels) if number in numbers)


class _Bank(Struct, frozen=True):
    """One side of a road or lane.

    Attributes:
        points: points at equal distances on its centre line.
        exact_normals: normals at the points, to the left.
        outward: smoothed normals towards this side.
        inner: distance of the parcels from the centre line, in mm of the board.
    """

    points: Line
    exact_normals: Line
    outward: Line
    inner: float


class _Block(Struct):
    """Neighbouring parcels with equal depth and slant, in one row or two.

    Attributes:
        number: its number on the board.
        remaining: how many parcels remain.
        depth: depth of a parcel, in mm of the board.
        slant: shift of its sides along the bank, as a share of the distance from the road.
    """

    number: int
    remaining: int
    depth: float
    slant: float
    has_second_row: bool


class _Section(Struct, frozen=True, eq=False):
    """A section of a bank for one parcel, from point ``first`` to point ``last``; ``depth`` is in mm of the board."""

    bank: _Bank
    block: _Block
    first: int
    last: int
    depth: float

    @property
    def middle(self) -> Line:
        """Return the middle of the parcel in mm of the board: x and y."""
        index = (self.first + self.last) // 2
        return np.asarray(self.bank.points[index] + self.bank.outward[index] * (self.bank.inner + self.depth / 2))


class _ParcelPlacer:
    """The placement of parcels, road by road; each parcel reduces the free area for the next."""

    def __init__(
        self,
        ground: OpenGround,
        cover: OpenCountry,
        tillage: Tillage,
        lanes: tuple[LineString, ...],
        noise: Noise,
        stream: Stream,
    ) -> None:
        self.ground, self.lanes, self.tillage = ground, lanes, tillage
        self.noise, self.stream = noise, stream
        self.grown = dressing_scale(ground.field, cover)
        feature_share = ground.solid.area / ground.board_area.area
        emptiness = min(1.0, max(0.0, (_EMPTY[0] - feature_share) / _EMPTY[1]))
        self.fertile = tillage.fertility_level - _RICHER * emptiness
        # Poor land is tilled too if the board would have too few parcels without it.
        self.least_fertility = -math.inf if tillage.shares[0] else self.fertile
        self.second = tillage.second_row_share + _MORE_SECOND * emptiness
        reaches: list[tuple[BaseGeometry, float]] = [(ground.solid, _CLEAR), (ground.road_area, _CLEAR_OF_ROADS)]
        reaches += [(lane, WIDTH / 2 + _FROM_LANE) for lane in lanes]
        obstacles = [shape.buffer(reach + 2 * _TOLERANCE) for shape, reach in reaches]
        self.room = shapely.difference(
            ground.board_area.buffer(-_FROM_EDGE, join_style="mitre"),
            shapely.simplify(shapely.union_all(obstacles), _TOLERANCE),
        )
        shapely.prepare(self.room)
        self.taken: list[Polygon] = []
        self.last: FieldUse | None = None
        self.blocks = 0

    def place_parcels(self) -> Iterator[Parcel]:
        """Yield the parcels in mm of the board: first those along lanes, then those along roads."""
        for section in self._plan_sections():
            yield from self._place_rows(section)

    def place_best_blocks(self, count: int) -> tuple[Parcel, ...]:
        """Return the parcels of up to ``count`` blocks on the best land.

        Each block has four to nine parcels. Blocks are far from each other.
        """
        blocks = [tuple(block) for _, block in groupby(self._plan_sections(), key=lambda section: section.block.number)]
        chosen_blocks: list[tuple[Parcel, ...]] = []
        for block in sorted(blocks, key=lambda block: -max(map(self._find_fertility, block))):
            if len(chosen_blocks) == count:
                break
            middle = Point(block[len(block) // 2].middle)
            if any(other[0].ground.distance(middle) < _BLOCKS_APART * self.grown for other in chosen_blocks):
                continue
            placed_parcels = self._place_unbroken(block)
            if placed_parcels:
                chosen_blocks.append(placed_parcels)
        return tuple(chain.from_iterable(chosen_blocks))

    def _place_unbroken(self, block: tuple[_Section, ...]) -> tuple[Parcel, ...]:
        """Return four to nine parcels of a block without a gap between them, or none."""
        placed_parcels: tuple[Parcel, ...] = ()
        for section in block:
            rows = tuple(self._place_rows(section))
            if not rows and len(placed_parcels) >= _PALE_BLOCK[0]:
                break
            placed_parcels = placed_parcels + rows if rows else ()
        return placed_parcels[: _PALE_BLOCK[1]] if len(placed_parcels) >= _PALE_BLOCK[0] else ()

    def _plan_sections(self) -> Iterator[_Section]:
        """Yield the sections of lanes, then of roads, for one parcel or two each.

        Parcels are in blocks of similar depth with random gaps between them.
        """
        spines = [(lane, _BESIDE_LANE) for lane in self.lanes]
        spines += [(course.line, course.width / 2 + _BESIDE_ROAD) for course in self.ground.roadways]
        for line, inner in spines:
            for bank in _find_banks(line, inner, _SMOOTHED * self.grown):
                yield from self._plan_bank(bank)

    def _plan_bank(self, bank: _Bank) -> Iterator[_Section]:
        """Yield the sections of one side of a road or lane."""
        draw_between, scale = self.stream.between, self.grown
        count = len(bank.points)
        index = round(draw_between(2.0, 20.0) * scale / _STEP)
        block = _Block(0, 0, 0.0, 0.0, False)
        while index < count - 4:
            if not block.remaining:
                if self.stream.draw_unit() < _GAPS:
                    index = min(count - 5, index + round(draw_between(*_GAP) * scale / _STEP))
                block = self._start_block()
            width = (
                draw_between(*self.tillage.wide) * scale * (_WIDER[1] if self.stream.draw_unit() < _WIDER[0] else 1.0)
            )
            depth = block.depth * (draw_between(*_DEEPER[1:]) if self.stream.draw_unit() < _DEEPER[0] else 1.0)
            end = min(count - 1, index + max(4, round(width / _STEP)))
            yield _Section(bank, block, index, end, depth)
            block.remaining -= 1
            index = end

    def _start_block(self) -> _Block:
        """Return a block of neighbouring parcels whose number, depth, slant and second row are random.

        The depth is in mm of the board.
        """
        draw_between = self.stream.between
        self.blocks += 1
        return _Block(
            number=self.blocks,
            remaining=_BLOCK[0] + self.stream.draw_index(_BLOCK[1]),
            depth=draw_between(*self.tillage.deep) * self.grown,
            slant=draw_between(-_LEAN, _LEAN),
            has_second_row=self.stream.draw_unit() < self.second,
        )

    def _find_fertility(self, section: _Section) -> float:
        """Return the fertility of the land in the middle of a section, a value of the noise."""
        (x, y) = section.middle
        return float(self.noise.at(np.array([x]), np.array([y]), _FERTILITY * self.grown)[0])

    def _place_rows(self, section: _Section) -> Iterator[Parcel]:
        """Yield the parcel on a section of a bank, and one behind it if its block has two rows.

        Nothing is yielded where the land is too poor, the bend is too sharp or no space is free.
        """
        bank, block, first, last, depth = section.bank, section.block, section.first, section.last, section.depth
        fertility = self._find_fertility(section)
        if fertility < self.least_fertility:
            return
        first_normal, last_normal = (
            bank.exact_normals[max(0, first - 4)],
            bank.exact_normals[min(len(bank.exact_normals) - 1, last + 4)],
        )
        bend = float((first_normal * last_normal).sum())
        outer = bank.points[[first, last]] + bank.outward[[first, last]] * (bank.inner + depth)
        if bend < _BEND or _end_distance(outer) > _FLARE * max(_end_distance(bank.points[[first, last]]), 1e-6):
            return
        inner = bank.inner
        for row in range(2 if block.has_second_row and bend > _BEND_SECOND else 1):
            reach = depth * (_BEHIND if row else 1.0)
            front, back = self._build_sides(bank, block, first, last, inner, inner + reach)
            inner += reach + (_BALKS[1] * self.grown if self.stream.draw_unit() < _BALKS[0] else _BALKS[2] * self.grown)
            ground = self._clip_to_free_area(Polygon(np.vstack([front, back[::-1]])))
            if ground is not None:
                self.taken.append(ground)
                yield Parcel(
                    ground,
                    front,
                    back,
                    self._choose_use(),
                    is_along_front=_end_distance(front[[0, -1]]) > 1.15 * reach,
                    fertility=fertility,
                )

    def _build_sides(
        self, bank: _Bank, block: _Block, first: int, last: int, inner: float, outer: float
    ) -> tuple[Line, Line]:
        """Return the front and the back of a parcel, both from ``first`` to ``last``, in mm of the board.

        These are the indices of its first and its last point on the bank. Its front is ``inner`` mm and its back
        ``outer`` mm from the centre line of the road or lane. ``block`` gives the slant, except for straight parcels.
        """
        if self.tillage.straight:
            start, end = (bank.points[index] + bank.outward[index] * inner for index in (first, last))
            chord = end - start
            out = np.array([-chord[1], chord[0]]) / max(_end_distance(np.vstack([start, end])), 1e-9)
            out = out if float((out * bank.outward[first]).sum()) > 0 else -out
            near = start + np.linspace(0.0, 1.0, 3)[:, None] * chord
            return near, near + out * (outer - inner)
        indexes = np.arange(first, last + 1)
        points, out = bank.points[indexes], bank.outward[indexes]
        direction = np.column_stack([out[:, 1], -out[:, 0]])
        uneven = _UNEVEN[0] * self.noise.at(points[:, 0], points[:, 1] + inner, _UNEVEN[1])[:, None]
        near, far = (points + out * (offset + uneven) + block.slant * offset * direction for offset in (inner, outer))
        return near, far

    def _clip_to_free_area(self, quad: Polygon) -> Polygon | None:
        """Return the free part of a parcel in mm of the board, or None if it is too small or too irregular.

        The part is the largest piece of ``quad`` inside the free area, at a distance from earlier parcels, with rounded
        corners and without holes.
        """
        least_area = _LEAST * self.grown**2
        if not quad.is_valid or quad.area < least_area or not self.room.intersects(quad):
            return None
        shape: BaseGeometry = quad
        if not self.room.contains_properly(quad):
            shape = shapely.intersection(quad, self.room)
        neighbours = [parcel for parcel in self.taken if parcel.intersects(shape)] if self.taken else []
        if neighbours:
            shape = shapely.difference(shape, shapely.union_all(neighbours).buffer(_APART, quad_segs=2))
        if shape is not quad:
            rounded_shape = shape.buffer(-_CORNER, quad_segs=2).buffer(_CORNER, quad_segs=3)
            shape = shapely.intersection(shape, rounded_shape)
        largest = max(polygons(shape), key=lambda part: part.area, default=NOTHING)
        if largest.area < max(_OF_QUAD * quad.area, least_area) or largest.area < _OF_HULL * largest.convex_hull.area:
            return None
        return None if largest.buffer(-_THIN * self.grown).is_empty else Polygon(largest.exterior)

    def _choose_use(self) -> FieldUse:
        """Return a random use; one equal to that of the previous parcel is drawn again, up to twice."""
        uses = self.tillage.uses
        for _ in range(3):
            use = uses[self.stream.draw_index(len(uses))]
            if use is not self.last:
                break
        self.last = use
        return use


def _find_banks(line: LineString, inner: float, reach: float) -> Iterator[_Bank]:
    """Yield both sides of a road or lane, or nothing if it is too short for parcels.

    Args:
        line: its centre line in mm of the board.
        inner: distance of the parcels from the centre line, in mm.
        reach: normals are averaged over this length on both sides of a point, in mm.
    """
    points = resampled(line, _STEP)
    window = int(reach / _STEP)
    if len(points) < 2 * window + 2:
        return
    exact_normals = normals(points)
    smooth = _smoothed(exact_normals, window)
    for side in (1.0, -1.0):
        yield _Bank(points, exact_normals, side * smooth, inner)


def _smoothed(directions: Line, window: int) -> Line:
    """Return directions averaged over ``window`` points on both sides, as vectors of length 1, n x 2.

    The nearest points weigh most.
    """
    padded = np.pad(directions, ((window, window), (0, 0)), mode="edge")
    count = len(directions)
    total: NDArray[np.float64] = np.zeros_like(directions)
    for shift in range(-window, window + 1):
        total = total + (window + 1 - abs(shift)) * padded[window + shift : window + shift + count]
    return np.asarray(total / np.maximum(np.hypot(total[:, 0], total[:, 1]), 1e-9)[:, None])


def _end_distance(ends: Line) -> float:
    """Return the distance between the first and the last of several points (n x 2), in their unit."""
    step = ends[-1] - ends[0]
    return float(np.hypot(step[0], step[1]))
