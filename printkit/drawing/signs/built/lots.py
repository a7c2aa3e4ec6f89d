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
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.built.buildings import House
from printkit.drawing.signs.built.settlement_types import SettlementType
from printkit.drawing.signs.built.streets import Street
from printkit.drawing.signs.lines.course_lines import Measured, on, stroke_shape

# --- Neighbours: find the houses that are near enough to block another ------------------------------------------------

_HAIR = 1e-6


class _Circles(NamedTuple):
    """The centre of a house and two circles around it.

    Attributes:
        x: x of the centre.
        y: y of the centre.
        within: radius of the circle inside its outline.
        about: radius of a circle through its corners.
    """

    x: float
    y: float
    within: float
    about: float

    @classmethod
    def of(cls, house: House) -> _Circles:
        """Return the circles of a house."""
        return cls(house.x, house.y, min(house.width, house.depth) / 2, math.hypot(house.width, house.depth) / 2)


class Neighbours(Struct):
    """The houses of a settlement by number, indexed by square cells of ``cell`` mm for fast queries."""

    cell: float
    _numbers: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    _standing: dict[int, _Circles] = field(default_factory=dict)
    _reach: float = 0.0

    def put(self, number: int, house: House) -> None:
        """Add a house, or replace it if the number is known."""
        if number in self._standing:
            self._numbers[self._cell(self._standing[number])].remove(number)
        own = self._standing[number] = _Circles.of(house)
        self._numbers.setdefault(self._cell(own), []).append(number)
        self._reach = max(self._reach, own.about)

    def near(self, house: House, apart: float, *, besides: int | None = None) -> list[int] | None:
        """Return the numbers of houses that may be within ``apart`` mm; None if one certainly overlaps.

        ``besides`` is the number of a house to ignore.
        """
        (x, y, within, about), cell = _Circles.of(house), self.cell
        clear = about + apart + _HAIR
        far = clear + self._reach
        rows = range(int((y - far) // cell), int((y + far) // cell) + 1)
        found: list[int] = []
        for column in range(int((x - far) // cell), int((x + far) // cell) + 1):
            for row in rows:
                for number in self._numbers.get((column, row), ()):
                    if number == besides:
                        continue
                    other = self._standing[number]
                    between = math.hypot(x - other.x, y - other.y)
                    if between < within + other.within:
                        return None
                    if between <= clear + other.about:
                        found.append(number)
        return found

    def _cell(self, circles: _Circles) -> tuple[int, int]:
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
        ground: its outline.
        angle: direction of its rows in radians.
        shade: index of its ink.
    """

    ground: Polygon
    angle: float
    shade: int


class Aim(Struct, frozen=True, kw_only=True):
    """The goals of a settlement plan.

    Attributes:
        wanted: number of houses.
        unit: size of the houses as a factor of their usual size.
        spread: share of the unused frontage that is left between houses, 0 to 1.
        crowded: whether smaller houses may be added to reach the least number.
    """

    wanted: float
    unit: float = 1.0
    spread: float = 0.0
    crowded: bool = True


class Lot(Struct, frozen=True):
    """Ground for a house along a street.

    Attributes:
        way: centre line of the street.
        gone: distance along the street, in mm.
        front: width of the lot in mm.
        side: 1 for the left of the street, -1 for the right.
        half: distance from the street's centre line to the lot.
        share: depth of its building as a share of the usual depth.
    """

    way: Measured
    gone: float
    front: float
    side: int
    half: float
    share: float

    def frame(self, step: float) -> tuple[_Pair, _Pair, _Pair] | None:
        """Return its middle on the street, and unit vectors along the street and into the lot; None at the end."""
        middle = self.gone + self.front / 2
        (x0, y0), (x1, y1) = self.way.spot(middle), self.way.spot(min(self.way.length, middle + step))
        if math.hypot(x1 - x0, y1 - y0) < 1e-6:
            return None
        angle = math.atan2(y1 - y0, x1 - x0)
        cosine, sine = math.cos(angle), math.sin(angle)
        return (x0, y0), (cosine, sine), (-sine * self.side, cosine * self.side)


class Builder(Struct):
    """Places houses and gardens on free ground, one after another.

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
    def on(cls, free: BaseGeometry, context: SymbolContext, stream: Stream, settling: SettlementType) -> Builder:
        """Return a builder without any houses."""
        return cls(free, context, stream, settling, Neighbours(context.size(_WIDEST[0])))

    @property
    def full(self) -> bool:
        """Return whether the greatest number of houses is reached."""
        most = self.settling.houses[1]
        return most is not None and len(self.houses) >= most

    @property
    def built(self) -> MultiPolygon:
        """Return the ground of all houses. They never overlap, so no union is needed."""
        ground: MultiPolygon = shapely.multipolygons(np.array(self.footprints, dtype=object))
        return ground

    def along(self, street: Street, *, spare: float = 0.0) -> None:
        """Build along both sides of a street where there is room, with ``spare`` mm more between lots."""
        way, context, stream = Measured.of(street.line), self.context, self.stream
        for side in (1, -1):
            gone = context.size(stream.between(0, 3)) + (spare * stream.between(0.2, 0.8) if spare else 0.0)
            while gone < way.length - context.size(5):
                front = context.size(stream.between(*_FRONTAGE))
                lots = (Lot(way, gone, front * share, side, street.width / 2, share) for share in self.settling.shares)
                if lot := next((lot for lot in lots if self._lot(lot, spare)), None):
                    gone += lot.front + context.size(stream.between(*self.settling.gaps))
                    gone += spare * stream.between(0.6, 1.4) if spare else 0.0
                else:
                    gone += context.size(1.1)

    def between(self, through: Sequence[Street], *, small: float = 1.0, tries: float = _SPARSE) -> None:
        """Build on ground away from the streets; houses are aligned with the nearest street.

        Args:
            through: the streets.
            small: size factor of the houses.
            tries: spacing of the tried places, in depths of a house.
        """
        context, stream = self.context, self.stream
        rest = self.free.buffer(-context.size(2.6 * small), quad_segs=2)
        if self.footprints:
            rest = shapely.difference(rest, self.built.buffer(context.size(3.0 * small), quad_segs=2))
        places = poisson_points(rest, context.size(_DEPTH[0] * tries), stream)
        inside = shapely.contains_xy(self.free, places)
        for (x, y), bearing, free in zip(places.tolist(), _bearings(through, places), inside.tolist(), strict=True):
            angle = bearing + stream.between(-0.08, 0.08)
            angle += math.pi / 2 if stream.draw_unit() < 0.3 else 0.0
            width, depth = context.size(stream.between(*_FRONTAGE)) * 0.82, context.size(stream.between(*_DEPTH)) * 0.86
            for size in (1.0, 0.8, 0.66) if free else ():
                if self._build(x, y, (width * size * small, depth * size * small), angle):
                    break

    def widen(self) -> None:
        """Enlarge every house as far as its neighbours allow, as in dense towns."""
        widest, deepest = self.context.size(_WIDEST[0]), self.context.size(_WIDEST[1])
        for along, across in _GROWTH:
            for number, house in enumerate(self.houses):
                width, depth = house.width * along, house.depth * across
                if width > widest or depth > min(deepest, width):
                    continue
                for side in (0, 1, -1):
                    ((x, y),) = house.placed([(side * (width - house.width) / 2, side * (depth - house.depth) / 2)])
                    grown = replace(house, x=float(x), y=float(y), width=width, depth=depth)
                    if (ground := self._fitting(grown, besides=number)) is not None:
                        self.houses[number], self.footprints[number] = grown, ground
                        self.standing.put(number, grown)
                        break

    def lay_gardens(self) -> None:
        """Add gardens behind the houses, cut to free ground. They are then no longer free for houses."""
        context = self.context
        plots = np.array([plot for plot, _ in self.plots], dtype=object)
        taken = np.array(
            polygons(shapely.union_all(self.footprints).buffer(context.size(0.6), quad_segs=3)), dtype=object
        )
        built = _met(taken, plots, 0.0)
        others = _met(plots, plots, context.size(_NEXT_BED))
        laid: dict[int, list[Polygon]] = {}
        open_ground = shapely.intersection(plots, self.free)
        for number, (_, angle) in enumerate(self.plots):
            covered = [*taken[built[number]]]
            covered += [bed for other in others[number].tolist() for bed in laid.get(other, ())]
            left = shapely.difference(open_ground[number], shapely.union_all(covered))
            for piece in polygons(
                left.buffer(-context.size(0.3), quad_segs=3).buffer(context.size(0.3), join_style="mitre")
            ):
                if piece.area > _LEAST_GARDEN * context.size(1) ** 2:
                    self.gardens.append(Garden(piece, angle, self.stream.draw_index(4)))
                    laid.setdefault(number, []).append(piece.buffer(context.size(0.3), quad_segs=3))
        beds = shapely.union_all([garden.ground for garden in self.gardens])
        self.free = shapely.difference(self.free, beds.buffer(context.size(0.3), quad_segs=3))
        shapely.prepare(self.free)

    def _lot(self, lot: Lot, spare: float) -> bool:
        context, stream = self.context, self.stream
        if (laid := lot.frame(context.size(1))) is None:
            return False
        spot, ahead, aside = laid
        front, angle = lot.front, math.atan2(ahead[1], ahead[0])
        setback = lot.half + context.size(stream.between(*self.settling.setback))
        depth = lot.share * context.size(stream.between(*_DEPTH))
        turned, gable = angle + stream.between(-0.05, 0.05), stream.draw_unit() < 0.22
        wide, deep = front, depth
        if gable:
            wide, deep = min(front, context.size(8)) * 0.85, max(depth, lot.share * context.size(9.5))
        inwards = setback + deep / 2
        x, y = spot[0] + aside[0] * inwards, spot[1] + aside[1] * inwards
        if not shapely.contains_xy(self.free, x, y) or not self._build(x, y, (wide, deep), turned):
            return False
        at, along, across = np.array(spot), np.array(ahead), np.array(aside)
        if not gable and stream.draw_unit() < 0.28:
            wing = along * (1 if stream.draw_unit() < 0.5 else -1) * (wide / 2 - context.size(2.4))
            x, y = at + wing + across * (setback + deep + context.size(0.6 + 2.8))
            self._build(float(x), float(y), (context.size(4.6), context.size(5.6)), turned)
        near, far = setback + deep + context.size(1.0), setback + deep + context.size(stream.between(10, 17))
        reach = (front + min(spare, front)) / 2
        left, right = at - along * reach, at + along * reach
        corners = [left + across * near, right + across * near, right + across * far, left + across * far]
        self.plots.append((Polygon(corners), angle))
        return True

    def _build(self, x: float, y: float, size: tuple[float, float], angle: float) -> bool:
        """Add a house of ``size`` along and across ``angle``. Return False if it does not fit."""
        if self.full:
            return False
        along, across = size
        house = House(
            x=x, y=y, width=max(size), depth=min(size), angle=angle + (math.pi / 2 if across > along else 0.0)
        )
        if (ground := self._fitting(house)) is None:
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
        self.standing.put(len(self.houses) - 1, house)
        return True

    def _fitting(self, house: House, *, besides: int | None = None) -> Polygon | None:
        """Return the ground of a house if it is free and clear of other houses (``besides`` excepted), or None."""
        apart = self.context.size(_APART)
        near = self.standing.near(house, apart, besides=besides)
        if near is None:
            return None
        corners = house.corners
        # Test the corners first: most places fail there, and it is faster than testing the full outline.
        if not shapely.intersects_xy(self.free, corners).all():
            return None
        ground: Polygon = shapely.polygons(corners)
        if not shapely.contains(self.free, ground):
            return None
        if near and shapely.dwithin(ground, [self.footprints[number] for number in near], apart).any():
            return None
        return ground


def build(
    through: Sequence[Street],
    free: BaseGeometry,
    settling: SettlementType,
    aim: Aim,
    context: SymbolContext,
    stream: Stream,
) -> Builder:
    """Return a builder with houses along all streets, gardens, and houses on the remaining ground.

    With much room, houses are further apart. With little room, a crowded place gets smaller houses off the streets
    before the gardens.
    """
    shapely.prepare(free)
    least = settling.houses[0]
    builder = Builder.on(free, context, stream, settling)
    lot = context.size((plain_sum(_FRONTAGE) + plain_sum(settling.gaps)) / 2)
    fronts = 2 * plain_sum(street.line.length - street.lead for street in through)
    spare = aim.spread * max(0.0, fronts * _HOUSES_A_LOT / aim.wanted - lot)
    builder.spared = spare > 0.0
    for street in through:
        builder.along(street, spare=spare)
    for small in settling.infill:
        builder.between(through, small=small, tries=_DENSE * small)
    if settling.infill:
        builder.widen()
    for small in _SMALLER:
        if aim.crowded and len(builder.houses) < least:
            builder.between(through, small=small)
    builder.lay_gardens()
    for small in settling.afterwards:
        builder.between(through, small=small)
    return builder


def _met(grounds: NDArray[np.object_], plots: NDArray[np.object_], reach: float) -> list[NDArray[np.int64]]:
    """Return for each plot the indices of the grounds within ``reach`` mm."""
    plot, found = shapely.STRtree(grounds).query(plots, predicate="dwithin", distance=reach)
    order = np.argsort(plot, kind="stable")
    return np.split(found[order], np.searchsorted(plot[order], np.arange(1, len(plots))))


def _bearings(through: Sequence[Street], places: Line) -> list[float]:
    """Return the direction of the nearest street at each place."""
    points, lines = shapely.points(places), np.array([street.line for street in through])
    nearest = shapely.distance(lines[:, None], points[None]).argmin(axis=0)
    gone = shapely.line_locate_point(lines[nearest], points)
    ways = [Measured.of(line) for line in lines]
    found: list[float] = []
    for number, at in zip(nearest.tolist(), gone.tolist(), strict=True):
        way = ways[number]
        (x0, y0), (x1, y1) = way.spot(max(0.0, at - 1)), way.spot(min(way.length, at + 1))
        found.append(math.atan2(y1 - y0, x1 - x0))
    return found


def rows(garden: Garden, context: SymbolContext) -> list[LineString]:
    """Return the rows of beds in a garden, 1.55 mm apart at 1:1."""
    inner = garden.ground.buffer(-context.size(0.7))
    middle, reach = garden.ground.centroid, math.hypot(*np.subtract(garden.ground.bounds[2:], garden.ground.bounds[:2]))
    along = np.array([math.cos(garden.angle), math.sin(garden.angle)]) * reach
    across = np.array([-math.sin(garden.angle), math.cos(garden.angle)])
    pitch = context.size(1.55)
    count = int(reach / 2 / pitch) + 1
    spots = np.array([middle.x, middle.y]) + across * pitch * np.arange(-count, count + 1)[:, None]
    return list(shapely.intersection(shapely.linestrings(np.stack([spots - along, spots + along], axis=1)), inner))


def draw_gardens(gardens: Sequence[Garden], context: SymbolContext) -> LayeredItems:
    """Draw the gardens, one path for each ink. Three in four have rows of beds."""
    inks = context.style.family("gardens")
    for number, ink in enumerate(inks):
        chosen = [garden.ground for garden in gardens if garden.shade % len(inks) == number]
        yield from on(LayerName.GARDEN, fill(chosen, ink))
    beds = [row for garden in gardens if garden.shade != 2 for row in rows(garden, context)]
    yield from on(LayerName.GARDEN, stroke_shape(beds, context, "pasture-tuft", 0.22, alpha=0.9))
    yield from on(LayerName.GARDEN, stroke_shape([garden.ground for garden in gardens], context, "hedge-line", 0.32))
