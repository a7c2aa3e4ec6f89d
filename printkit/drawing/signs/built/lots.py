"""Lots along the streets of a settlement: houses, gardens, and the search for neighbouring houses.

Source: the cartography, 9.9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import shapely
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.built.buildings import House
from printkit.drawing.signs.built.streets import SettlementType, Street
from printkit.drawing.signs.lines.course_lines import MeasuredLine, on_layer, stroke_shape

# --- Neighbours: find the houses that are near enough to block another ------------------------------------------------

_HAIR = 1e-6


class _Circles(NamedTuple):
    """The centre of a house and two circles around it, in printed mm.

    Attributes:
        x: x of the centre.
        y: y of the centre.
        inner_radius: radius of the circle inside its outline.
        outer_radius: radius of a circle through its corners.
    """

    x: float
    y: float
    inner_radius: float
    outer_radius: float

    @classmethod
    def for_house(cls, house: House) -> _Circles:
        """Return the circles of a house."""
        return cls(house.x, house.y, min(house.width, house.depth) / 2, math.hypot(house.width, house.depth) / 2)


class Neighbours(Struct):
    """The houses of a settlement by number, indexed by square cells of ``cell`` printed mm."""

    cell: float
    _numbers: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    _standing: dict[int, _Circles] = field(default_factory=dict)
    _reach: float = 0.0

    def add(self, number: int, house: House) -> None:
        """Add a house to the index; it replaces an earlier house with the same ``number`` (any integer)."""
        if number in self._standing:
            self._numbers[self._cell(self._standing[number])].remove(number)
        circles = self._standing[number] = _Circles.for_house(house)
        self._numbers.setdefault(self._cell(circles), []).append(number)
        self._reach = max(self._reach, circles.outer_radius)

    def find_near(self, house: House, min_distance: float, *, ignored_number: int | None = None) -> list[int] | None:
        """Return the numbers of houses that may be within ``min_distance`` printed mm of a new one.

        The list may be empty. Return None if one is so near that it must overlap. ``ignored_number`` is the number of a
        house to ignore.
        """
        (x, y, inner_radius, outer_radius), cell = _Circles.for_house(house), self.cell
        clear_distance = outer_radius + min_distance + _HAIR
        search_radius = clear_distance + self._reach
        rows = range(int((y - search_radius) // cell), int((y + search_radius) // cell) + 1)
        numbers: list[int] = []
        for column in range(int((x - search_radius) // cell), int((x + search_radius) // cell) + 1):
            for row in rows:
                for number in self._numbers.get((column, row), ()):
                    if number == ignored_number:
                        continue
                    other_circles = self._standing[number]
                    distance = math.hypot(x - other_circles.x, y - other_circles.y)
                    if distance < inner_radius + other_circles.inner_radius:
                        return None
                    if distance <= clear_distance + other_circles.outer_radius:
                        numbers.append(number)
        return numbers

    def _cell(self, circles: _Circles) -> tuple[int, int]:
        """Return the column and row, as integers, of the index cell that contains the centre of a house."""
        return int(circles.x // self.cell), int(circles.y // self.cell)


_FRONTAGE: Final = (8.0, 12.5)
_DEPTH: Final = (6.4, 8.2)
_APART: Final = 0.45
_ROOFS: Final = ("roof", "roof", "roof", "thatch", "roof", "slate", "roof")
_LEAST_GARDEN: Final = 26.0
# Greatest distance in mm at 1:1 that a garden with its hedge reaches beyond its plot
_NEXT_BED: Final = 2.0

_SHADES: Final = 12
_SMALLER: Final = (1.0, 0.8, 0.65, 0.5)
_SPARSE: Final = 0.72
_DENSE: Final = 0.3
_WIDEST: Final = (15.5, 10.5)
_GROWTH: Final = ((1.14, 1.0), (1.0, 1.14)) * 4
_HOUSES_A_LOT: Final = 1.2

_Pair: TypeAlias = tuple[float, float]


class Garden(Struct, frozen=True):
    """A garden of a settlement.

    Attributes:
        ground: its outline in printed mm.
        angle: direction of its rows in radians.
        shade: index of its ink, from 0.
    """

    ground: Polygon
    angle: float
    shade: int


class Aim(Struct, frozen=True, kw_only=True):
    """The goals of a settlement plan.

    Attributes:
        target_count: number of houses; infinity for a ground filled with houses.
        unit: size of the houses as a factor of their usual size.
        spread: share of the unused frontage that is left between houses, 0 to 1.
        crowded: whether smaller houses may be added to reach the least number.
    """

    target_count: float
    unit: float = 1.0
    spread: float = 0.0
    crowded: bool = True


class Lot(Struct, frozen=True):
    """Ground for a house along a street, in printed mm.

    Attributes:
        street_line: centre line of the street.
        distance: distance along the street to the near side of the lot, in printed mm.
        front: width of the lot in printed mm.
        side: 1 for the left of the street, -1 for the right.
        half: distance from the street's centre line to the lot.
        share: depth of its building as a share of the usual depth.
    """

    street_line: MeasuredLine
    distance: float
    front: float
    side: int
    half: float
    share: float

    def frame(self, step: float) -> tuple[_Pair, _Pair, _Pair] | None:
        """Return the lot's middle on the street, and unit vectors along the street and into the lot.

        Each is a pair (x, y); the middle is in printed mm. The direction is measured over ``step`` printed mm. Return
        None at the end of the street.
        """
        middle = self.distance + self.front / 2
        (x0, y0), (x1, y1) = (
            self.street_line.point_at(middle),
            self.street_line.point_at(min(self.street_line.length, middle + step)),
        )
        if math.hypot(x1 - x0, y1 - y0) < 1e-6:
            return None
        angle = math.atan2(y1 - y0, x1 - x0)
        cosine, sine = math.cos(angle), math.sin(angle)
        return (x0, y0), (cosine, sine), (-sine * self.side, cosine * self.side)


class Builder(Struct):
    """Places houses and gardens on free ground, one after another, in printed mm.

    Attributes:
        free: ground without streets, reserved areas and gardens.
        settling: settings of the settlement, with its greatest number of houses.
        standing: the houses indexed by position.
        houses: the houses so far.
        footprints: their outlines.
        plots: ground behind houses for gardens, each with its angle.
        gardens: the gardens so far.
        spared: whether frontage was left free between houses.
    """

    free: BaseGeometry
    context: SymbolContext
    stream: Stream
    settling: SettlementType
    standing: Neighbours
    houses: list[House] = field(default_factory=list)
    footprints: list[Polygon] = field(default_factory=list)
    plots: list[tuple[Polygon, float]] = field(default_factory=list)
    gardens: list[Garden] = field(default_factory=list)
    spared: bool = False

    @classmethod
    def for_ground(
        cls, free: BaseGeometry, context: SymbolContext, stream: Stream, settling: SettlementType
    ) -> Builder:
        """Return a builder without any houses; ``free`` is the ground for houses, in printed mm."""
        return cls(free, context, stream, settling, Neighbours(context.size(_WIDEST[0])))

    @property
    def is_full(self) -> bool:
        """Return whether the greatest number of houses is reached; False if there is no greatest number."""
        max_houses = self.settling.most_houses
        return max_houses is not None and len(self.houses) >= max_houses

    @property
    def houses_ground(self) -> MultiPolygon:
        """Return the ground of all houses in printed mm. They never overlap, so no union is needed."""
        ground: MultiPolygon = shapely.multipolygons(np.array(self.footprints, dtype=object))
        return ground

    def build_street(self, street: Street, *, spare: float = 0.0) -> None:
        """Add the houses along both sides of a street, where there is room.

        Lots have random fronts; ``spare`` is the mean additional gap between them in printed mm.
        """
        street_line, context, stream = MeasuredLine.from_line(street.line), self.context, self.stream
        for side in (1, -1):
            distance = context.size(stream.between(0, 3)) + (spare * stream.between(0.2, 0.8) if spare else 0.0)
            while distance < street_line.length - context.size(5):
                frontage = context.size(stream.between(*_FRONTAGE))
                lots = (
                    Lot(street_line, distance, frontage * share, side, street.width / 2, share)
                    for share in self.settling.shares
                )
                if lot := next((lot for lot in lots if self._build_lot(lot, spare)), None):
                    distance += lot.front + context.size(stream.between(*self.settling.gaps))
                    distance += spare * stream.between(0.6, 1.4) if spare else 0.0
                else:
                    distance += context.size(1.1)

    def build_infill(self, all_streets: Sequence[Street], *, small: float = 1.0, tries: float = _SPARSE) -> None:
        """Build on ground away from the streets; houses are aligned with the nearest street.

        It adds houses at random places where there is room, and stops at the greatest number.

        Args:
            all_streets: the streets.
            small: size factor of the houses.
            tries: spacing of the tried places, in depths of a house.
        """
        context, stream = self.context, self.stream
        free_rest = self.free.buffer(-context.size(2.6 * small), quad_segs=2)
        if self.footprints:
            free_rest = shapely.difference(free_rest, self.houses_ground.buffer(context.size(3.0 * small), quad_segs=2))
        points = poisson_points(free_rest, context.size(_DEPTH[0] * tries), stream)
        inside = shapely.contains_xy(self.free, points)
        for (x, y), bearing, is_free in zip(
            points.tolist(), _find_street_bearings(all_streets, points), inside.tolist(), strict=True
        ):
            angle = bearing + stream.between(-0.08, 0.08)
            angle += math.pi / 2 if stream.draw_unit() < 0.3 else 0.0
            width, depth = context.size(stream.between(*_FRONTAGE)) * 0.82, context.size(stream.between(*_DEPTH)) * 0.86
            for size in (1.0, 0.8, 0.66) if is_free else ():
                if self._build(x, y, (width * size * small, depth * size * small), angle):
                    break

    def widen_houses(self) -> None:
        """Enlarge every house in place as far as its neighbours allow, as in dense towns.

        A house grows in steps of 14 percent, to at most 15.5 x 10.5 mm at 1:1.
        """
        widest, deepest = self.context.size(_WIDEST[0]), self.context.size(_WIDEST[1])
        for width_factor, depth_factor in _GROWTH:
            for number, house in enumerate(self.houses):
                width, depth = house.width * width_factor, house.depth * depth_factor
                if width > widest or depth > min(deepest, width):
                    continue
                for side in (0, 1, -1):
                    ((x, y),) = house.to_map([(side * (width - house.width) / 2, side * (depth - house.depth) / 2)])
                    larger_house = replace(house, x=float(x), y=float(y), width=width, depth=depth)
                    if (ground := self._fit_ground(larger_house, ignored_number=number)) is not None:
                        self.houses[number], self.footprints[number] = larger_house, ground
                        self.standing.add(number, larger_house)
                        break

    def add_gardens(self) -> None:
        """Add gardens behind the houses, cut to free ground. They are then no longer free for houses."""
        context = self.context
        plots = np.array([plot for plot, _ in self.plots], dtype=object)
        house_grounds = np.array(
            polygons(shapely.union_all(self.footprints).buffer(context.size(0.6), quad_segs=3)), dtype=object
        )
        near_houses = _find_near_grounds(house_grounds, plots, 0.0)
        near_plots = _find_near_grounds(plots, plots, context.size(_NEXT_BED))
        beds_by_plot: dict[int, list[Polygon]] = {}
        open_ground = shapely.intersection(plots, self.free)
        for number, (_, angle) in enumerate(self.plots):
            covered_parts = [*house_grounds[near_houses[number]]]
            covered_parts += [
                bed for plot_number in near_plots[number].tolist() for bed in beds_by_plot.get(plot_number, ())
            ]
            remaining = shapely.difference(open_ground[number], shapely.union_all(covered_parts))
            for piece in polygons(
                remaining.buffer(-context.size(0.3), quad_segs=3).buffer(context.size(0.3), join_style="mitre")
            ):
                if piece.area > _LEAST_GARDEN * context.size(1) ** 2:
                    self.gardens.append(Garden(piece, angle, self.stream.draw_index(4)))
                    beds_by_plot.setdefault(number, []).append(piece.buffer(context.size(0.3), quad_segs=3))
        beds = shapely.union_all([garden.ground for garden in self.gardens])
        self.free = shapely.difference(self.free, beds.buffer(context.size(0.3), quad_segs=3))
        shapely.prepare(self.free)

    def _build_lot(self, lot: Lot, spare: float) -> bool:
        """Build a house on a lot, perhaps with a wing, and reserve ground for its garden.

        Return False if it does not fit. ``spare`` is the extra distance between lots in printed mm, which the garden
        may use.
        """
        context, stream = self.context, self.stream
        if (frame := lot.frame(context.size(1))) is None:
            return False
        base_pair, ahead, inward_pair = frame
        front, angle = lot.front, math.atan2(ahead[1], ahead[0])
        setback = lot.half + context.size(stream.between(*self.settling.setback))
        depth = lot.share * context.size(stream.between(*_DEPTH))
        house_angle, is_gabled = angle + stream.between(-0.05, 0.05), stream.draw_unit() < 0.22
        width, house_depth = front, depth
        if is_gabled:
            width, house_depth = min(front, context.size(8)) * 0.85, max(depth, lot.share * context.size(9.5))
        inwards = setback + house_depth / 2
        x, y = base_pair[0] + inward_pair[0] * inwards, base_pair[1] + inward_pair[1] * inwards
        if not shapely.contains_xy(self.free, x, y) or not self._build(x, y, (width, house_depth), house_angle):
            return False
        base_point, ahead_vector, inward = np.array(base_pair), np.array(ahead), np.array(inward_pair)
        if not is_gabled and stream.draw_unit() < 0.28:
            wing = ahead_vector * (1 if stream.draw_unit() < 0.5 else -1) * (width / 2 - context.size(2.4))
            x, y = base_point + wing + inward * (setback + house_depth + context.size(0.6 + 2.8))
            self._build(float(x), float(y), (context.size(4.6), context.size(5.6)), house_angle)
        front_distance, rear_distance = (
            setback + house_depth + context.size(1.0),
            setback + house_depth + context.size(stream.between(10, 17)),
        )
        reach = (front + min(spare, front)) / 2
        left, right = base_point - ahead_vector * reach, base_point + ahead_vector * reach
        corners = [
            left + inward * front_distance,
            right + inward * front_distance,
            right + inward * rear_distance,
            left + inward * rear_distance,
        ]
        self.plots.append((Polygon(corners), angle))
        return True

    def _build(self, x: float, y: float, size: tuple[float, float], angle: float) -> bool:
        """Add a house at ``x``, ``y`` and return True; return False if it does not fit or enough are built.

        ``x`` and ``y`` are its middle. ``size`` is its extent along and across the direction ``angle`` (radians), in
        printed mm; its ridge runs along the longer side. Roof and chimney are random.
        """
        if self.is_full:
            return False
        width_size, depth_size = size
        house = House(
            x=x, y=y, width=max(size), depth=min(size), angle=angle + (math.pi / 2 if depth_size > width_size else 0.0)
        )
        if (ground := self._fit_ground(house)) is None:
            return False
        choice = self.stream.draw_index(_SHADES * len(_ROOFS) * 9)
        self.houses.append(
            replace(
                house,
                roof=_ROOFS[choice % len(_ROOFS)],
                shade=choice // len(_ROOFS),
                hipped=choice % 9 == 0 and house.width > 1.3 * house.depth,
                chimney=self.stream.draw_unit() < 0.45 and house.width > self.context.size(8),
            )
        )
        self.footprints.append(ground)
        self.standing.add(len(self.houses) - 1, house)
        return True

    def _fit_ground(self, house: House, *, ignored_number: int | None = None) -> Polygon | None:
        """Return the ground of a house in printed mm, or None if it is not free or too near to another house.

        ``ignored_number`` is the number of a house that does not count.
        """
        min_distance = self.context.size(_APART)
        near_numbers = self.standing.find_near(house, min_distance, ignored_number=ignored_number)
        if near_numbers is None:
            return None
        corners = house.corners
        # Test the corners first: most places fail there, and it is faster than testing the full outline.
        if not shapely.intersects_xy(self.free, corners).all():
            return None
        ground: Polygon = shapely.polygons(corners)
        if not shapely.contains(self.free, ground):
            return None
        if (
            near_numbers
            and shapely.dwithin(ground, [self.footprints[number] for number in near_numbers], min_distance).any()
        ):
            return None
        return ground


def build_houses(
    all_streets: Sequence[Street],
    free: BaseGeometry,
    settling: SettlementType,
    aim: Aim,
    context: SymbolContext,
    stream: Stream,
) -> Builder:
    """Return a builder with houses along all streets, gardens, and houses on the remaining ground.

    With much room, houses are further apart. With little room, a crowded place gets smaller houses off the streets
    before the gardens.

    Args:
        all_streets: the streets and lanes.
        free: ground for houses and gardens, in printed mm.
        settling: settings of the settlement.
        aim: the number, size and spread of houses.
        context: context with the size of the houses.
        stream: random stream of the houses.
    """
    shapely.prepare(free)
    min_houses = settling.least_houses
    builder = Builder.for_ground(free, context, stream, settling)
    lot = context.size((plain_sum(_FRONTAGE) + plain_sum(settling.gaps)) / 2)
    fronts = 2 * plain_sum(street.line.length - street.lead for street in all_streets)
    spare = aim.spread * max(0.0, fronts * _HOUSES_A_LOT / aim.target_count - lot)
    builder.spared = spare > 0.0
    for street in all_streets:
        builder.build_street(street, spare=spare)
    for small in settling.infill:
        builder.build_infill(all_streets, small=small, tries=_DENSE * small)
    if settling.infill:
        builder.widen_houses()
    for small in _SMALLER:
        if aim.crowded and len(builder.houses) < min_houses:
            builder.build_infill(all_streets, small=small)
    builder.add_gardens()
    for small in settling.afterwards:
        builder.build_infill(all_streets, small=small)
    return builder


def _find_near_grounds(
    grounds: NDArray[np.object_], plots: NDArray[np.object_], reach: float
) -> list[NDArray[np.int64]]:
    """Return for each plot the indices of the grounds within ``reach`` printed mm.

    ``grounds`` and ``plots`` are arrays of shapes in printed mm; indices are those in ``grounds``, from 0.
    """
    plot_index, ground_index = shapely.STRtree(grounds).query(plots, predicate="dwithin", distance=reach)
    order = np.argsort(plot_index, kind="stable")
    return np.split(ground_index[order], np.searchsorted(plot_index[order], np.arange(1, len(plots))))


def _find_street_bearings(all_streets: Sequence[Street], positions: Line) -> list[float]:
    """Return the direction of the nearest street at each position, in radians.

    ``positions`` is an n x 2 array in printed mm. Directions are anticlockwise from the x axis, along the line of the
    street; the order is that of ``positions``.
    """
    points, lines = shapely.points(positions), np.array([street.line for street in all_streets])
    nearest = shapely.distance(lines[:, None], points[None]).argmin(axis=0)
    distances = shapely.line_locate_point(lines[nearest], points)
    street_lines = [MeasuredLine.from_line(line) for line in lines]
    bearings: list[float] = []
    for number, position in zip(nearest.tolist(), distances.tolist(), strict=True):
        street_line = street_lines[number]
        (x0, y0), (x1, y1) = (
            street_line.point_at(max(0.0, position - 1)),
            street_line.point_at(min(street_line.length, position + 1)),
        )
        bearings.append(math.atan2(y1 - y0, x1 - x0))
    return bearings


def rows(garden: Garden, context: SymbolContext) -> list[LineString]:
    """Return the rows of beds in a garden as lines in printed mm, 1.55 mm apart at 1:1.

    They run along the garden's angle, inside its edge. Some lines may be empty.
    """
    inner = garden.ground.buffer(-context.size(0.7))
    middle, reach = garden.ground.centroid, math.hypot(*np.subtract(garden.ground.bounds[2:], garden.ground.bounds[:2]))
    half_row = np.array([math.cos(garden.angle), math.sin(garden.angle)]) * reach
    normal = np.array([-math.sin(garden.angle), math.cos(garden.angle)])
    pitch = context.size(1.55)
    count = int(reach / 2 / pitch) + 1
    centres = np.array([middle.x, middle.y]) + normal * pitch * np.arange(-count, count + 1)[:, None]
    return list(
        shapely.intersection(shapely.linestrings(np.stack([centres - half_row, centres + half_row], axis=1)), inner)
    )


def draw_gardens(gardens: Sequence[Garden], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the gardens, one path for each ink.

    Gardens have rows of beds, except those with shade 2. Shapes and items are in printed mm.
    """
    inks = context.style.family("gardens")
    for number, ink in enumerate(inks):
        grounds = [garden.ground for garden in gardens if garden.shade % len(inks) == number]
        yield from on_layer(LayerName.GARDEN, fill(grounds, ink))
    beds = [row for garden in gardens if garden.shade != 2 for row in rows(garden, context)]
    yield from on_layer(LayerName.GARDEN, stroke_shape(beds, context, "pasture-tuft", 0.22, alpha=0.9))
    yield from on_layer(
        LayerName.GARDEN, stroke_shape([garden.ground for garden in gardens], context, "hedge-line", 0.32)
    )
