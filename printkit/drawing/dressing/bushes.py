"""Bushes of the open country: meadows and commons from noise, thickets, and hedges along parcels, in mm of the board.

Thickets are added one by one, near the middle of the largest empty circle, until no empty circle is wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.shapes import Line, polygons, resampled, ribbon
from printkit.drawing.dressing.countryside_types import OpenCountry, dressing_scale
from printkit.drawing.dressing.free_ground import OpenGround
from printkit.drawing.dressing.lanes import WIDTH
from printkit.drawing.dressing.parcels import Parcel
from printkit.drawing.scatter.crowns import poisson_points
from printkit.drawing.signs.relief.relief_field import Regions, ReliefGrid
from printkit.terrain.geometry.measure import interpolate_points
from printkit.terrain.geometry.outlines import Noise, blob

_HEDGE_RADII: Final = (0.75, 1.25)
_SPACING: Final = (1.5, 2.6)
_BROKEN: Final = (34.0, -0.2)
_TREES: Final = 0.26
_TREE_RADII: Final = (2.0, 2.8)
_CORNER: Final = 3.0

# Shorter sides, in mm, are cut corners and have no hedge.
_LEAST_SIDE: Final = 9.0

# Factor of the share of hedged sides: with too many hedges parcels look like walled gardens.
_HEDGE_FACTOR: Final = 0.6

_TOO_NEAR: Final = 1.1


def hedges(parcels: Sequence[Parcel], cover: OpenCountry, noise: Noise, stream: Stream) -> NDArray[np.float64]:
    """Return the bushes of hedges and field trees, n x 3.

    Each is x and y in mm of the board, and radius in mm at 1:1. The array is empty without hedges. ``stream`` decides
    which sides have a hedge; ``noise`` makes gaps in it. A side next to an earlier hedge does not get another.
    """
    bushes: list[tuple[float, float, float]] = []
    hedge_share = 0.0 if cover.tillage is None else cover.tillage.hedge_share * _HEDGE_FACTOR
    hedge_lines: list[BaseGeometry] = []
    for parcel in parcels:
        sides = _find_sides(parcel)
        for side in sides:
            if stream.draw_unit() >= hedge_share:
                continue
            line = shapely.LineString(side)
            middle = line.interpolate(0.5, normalized=True)
            if any(neighbour.distance(middle) < 3 * _TOO_NEAR for neighbour in hedge_lines):
                continue
            hedge_lines.append(line)
            bushes += _plant_hedge(line, noise, stream)
        if hedge_share and stream.draw_unit() < _TREES and sides:
            x, y = sides[stream.draw_index(len(sides))][0].tolist()
            bushes.append((x, y, stream.between(*_TREE_RADII)))
    return np.array(bushes).reshape(-1, 3)


def _plant_hedge(line: shapely.LineString, noise: Noise, stream: Stream) -> list[tuple[float, float, float]]:
    """Return the bushes of one hedge along a line in mm of the board, with gaps where the noise is low.

    Each bush is x and y in mm of the board, and radius in mm at 1:1.
    """
    distances, distance = [], stream.between(0.5, 2.0)
    while distance < line.length:
        distances.append(distance)
        distance += stream.between(*_SPACING)
    places = interpolate_points(line, np.array(distances))
    grows = noise.at(places[:, 0], places[:, 1], _BROKEN[0]) >= _BROKEN[1]
    return [
        (x + stream.between(-0.3, 0.3), y + stream.between(-0.3, 0.3), stream.between(*_HEDGE_RADII))
        for (x, y), is_grown in zip(places.tolist(), grows.tolist(), strict=True)
        if is_grown
    ]


def _find_sides(parcel: Parcel) -> list[Line]:
    """Return the sides of a parcel from corner to corner, as points in mm of the board, n x 2 for each side.

    Sides include their bends. Cut corners and other sides of at most 9 mm are left out.
    """
    ring = shapely.get_coordinates(parcel.ground.exterior)
    corners = shapely.get_coordinates(shapely.simplify(parcel.ground.exterior, _CORNER))
    indexes = [int(np.argmin(np.hypot(*(ring[:-1] - corner).T))) for corner in corners[:-1]] + [len(ring) - 1]
    pairs = ((first, last) for first, last in pairwise(indexes) if last > first)
    return [
        ring[first : last + 1] for first, last in pairs if float(np.hypot(*(ring[last] - ring[first]))) > _LEAST_SIDE
    ]


_CLEAR: Final = 7.0
_CLEAR_OF_WAYS: Final = 5.0
_FROM_EDGE: Final = 4.0
_FROM_LANE: Final = 2.2
_FROM_PARCEL: Final = 2.5
_WAVES: Final = ((1.0, 120.0), (0.5, 46.0))

# The distance of groups of bushes, in the spacing of the settings.
_GROUPS_APART: Final = 1.75

# The share of strings among the groups of bushes.
_STRINGS: Final = 0.6

# A string: the fewest bushes and the range above, their distance in mm at 1:1, and the share that is missing.
_STRING: Final = (4, 8)
_STRING_STEP: Final = (2.4, 4.4)
_STRING_GAPS: Final = 0.22

# The largest bend of a string, as a share of half its length.
_BEND: Final = 0.22

# Strings turned from the nearest lane: the most in radians, and the share that runs across it.
_ASKEW: Final = 0.25
_ACROSS: Final = 0.35
_BANK_REACH: Final = 6.0

# A thicket: the fewest bushes and the further range, and the axes of its oval in mm at 1:1.
_GROUP: Final = (3, 5)
_OVAL: Final = (8.5, 6.0)

# Smallest and largest radius of a bush in mm at 1:1: larger ones look like the trees of a wood.
_SMALLEST: Final = 0.9
_LARGEST: Final = 2.8

# Width in mm of the bands of meadow from the bank, the outermost first.
_MEADOWS: Final = (30.0, 21.0, 13.0)

_SWELL: Final = 0.42
_SWELL_WAVE: Final = 130.0
_STEP: Final = 9.0
_SWARD_WAVES: Final = ((1.0, 140.0), (0.45, 40.0))
_SWARD_LEVELS: Final = (-0.10, -0.02, 0.06, 0.14, 0.22)
_SWARD_CELL: Final = 6.0

# The largest deviation of the points of a band that are left out, in mm of the board.
_ROUNDING_MM: Final = 0.04

# Noise levels of the bands of grass, relative to the level from which grass is visible. Each band is pale: light grass
# is visible from the third band, rough grass from the second.
_SWARD_STEPS: Final = (-0.16, -0.08, 0.0, 0.08, 0.18)
_COMMONS_STEPS: Final = (-0.12, 0.0, 0.14)

# Share of a tilled board that shows more than open ground, if there is space.
_VISIBLE_SHARE: Final = 0.40

# Index of the widest band of meadow that is visible.
_VISIBLE_MEADOW: Final = 1


def bushes(
    ground: OpenGround,
    cover: OpenCountry,
    area: BaseGeometry,
    lanes: Sequence[LineString],
    noise: Noise,
    stream: Stream,
) -> NDArray[np.float64]:
    """Return the bushes in an area: x and y in mm of the board and radius in mm at 1:1, n x 3.

    They grow in strings along old banks and in thickets, where ``noise`` is above the level of the settings. A string
    runs like the nearest of ``lanes`` and roads, or across it. The area and lanes are in mm of the board. An empty area
    gives an empty array.
    """
    scale = dressing_scale(ground.field, cover)
    places = poisson_points(area, cover.bush_spacing * _GROUPS_APART * scale, stream)
    if not len(places):
        return np.zeros((0, 3))
    drift = sum(
        (share * noise.at(places[:, 0], places[:, 1], wave * scale) for share, wave in _WAVES), np.zeros(len(places))
    )
    places = places[drift > cover.bush_level]
    bearings = _find_bearings(places, [*ground.road_lines, *lanes], stream)
    plants: list[tuple[float, float, float]] = []
    for (x, y), bearing in zip(places.tolist(), bearings, strict=True):
        make_group = _make_string if stream.draw_unit() < _STRINGS else _make_thicket
        cosine, sine = _cosine(bearing), _sine(bearing)
        plants += [
            (x + scale * (distance * cosine - offset * sine), y + scale * (distance * sine + offset * cosine), radius)
            for distance, offset, radius in make_group(stream)
        ]
    plant_array = np.array(plants).reshape(-1, 3)
    shapely.prepare(area)
    return np.asarray(plant_array[shapely.contains_xy(area, plant_array[:, 0], plant_array[:, 1])])


def _find_bearings(places: Line, lines: Sequence[LineString], stream: Stream) -> list[float]:
    """Return the bearing in radians of each group of bushes: that of the nearest line, or across it.

    Places (n x 2) and lines are in mm of the board. Without lines the bearings are random.
    """
    turns = [stream.between(-_ASKEW, _ASKEW) for _ in places]
    crossings = [np.pi / 2 if stream.draw_unit() < _ACROSS else 0.0 for _ in places]
    if not lines:
        return [stream.between(0.0, np.pi) for _ in places]
    nearest = shapely.STRtree(lines).nearest(shapely.points(places))
    bearings = []
    for place, number, turn, crossing in zip(shapely.points(places), nearest.tolist(), turns, crossings, strict=True):
        line = lines[number]
        distance = line.project(place)
        start, end = (line.interpolate(max(0.0, distance + step)) for step in (-_BANK_REACH, _BANK_REACH))
        bearings.append(float(exact_math.arctan2(end.y - start.y, end.x - start.x)) + turn + crossing)
    return bearings


def _make_string(stream: Stream) -> Iterator[tuple[float, float, float]]:
    """Yield the bushes of a string: its distance along and across an old bank, and the radius, in mm at 1:1."""
    count, bend = _STRING[0] + stream.draw_index(_STRING[1]), stream.between(-_BEND, _BEND)
    steps = [stream.between(*_STRING_STEP) for _ in range(count)]
    middle, distance = plain_sum(steps) / 2, 0.0
    for step in steps:
        distance += step
        if stream.draw_unit() >= _STRING_GAPS:
            offset = bend * ((distance - middle) / middle) ** 2 * middle + stream.between(-0.6, 0.6)
            yield distance - middle, offset, _draw_radius(stream)


def _make_thicket(stream: Stream) -> Iterator[tuple[float, float, float]]:
    """Yield the bushes of a thicket: along and across an oval, and the radius, in mm at 1:1."""
    for number in range(_GROUP[0] + stream.draw_index(_GROUP[1])):
        turn, share = stream.between(0.0, 2 * np.pi), float(np.sqrt(stream.draw_unit())) if number else 0.0
        yield _OVAL[0] / 2 * share * _cosine(turn), _OVAL[1] / 2 * share * _sine(turn), _draw_radius(stream)


def _draw_radius(stream: Stream) -> float:
    """Return a random radius of a bush in mm at 1:1; small bushes are most frequent."""
    return _SMALLEST + (_LARGEST - _SMALLEST) * stream.draw_unit() ** 2


def find_bush_area(ground: OpenGround, lanes: tuple[LineString, ...], parcel_area: BaseGeometry) -> BaseGeometry:
    """Return the area for bushes, in mm of the board.

    It is away from the board edge, features, roads, lanes (centre lines) and parcels (``parcel_area``, in mm of the
    board).
    """
    inner_area = ground.board_area.buffer(-_FROM_EDGE, join_style="mitre")
    obstacles = [ground.solid.buffer(_CLEAR, quad_segs=4), ground.road_area.buffer(_CLEAR_OF_WAYS, quad_segs=4)]
    obstacles += [lane.buffer(WIDTH / 2 + _FROM_LANE, quad_segs=4) for lane in lanes]
    if not parcel_area.is_empty:
        obstacles.append(parcel_area.buffer(_FROM_PARCEL, quad_segs=2))
    return shapely.difference(inner_area, shapely.union_all(obstacles))


def meadow(ground: OpenGround, cover: OpenCountry, noise: Noise) -> tuple[BaseGeometry, ...]:
    """Return the bands of meadow along rivers, streams and lakes, in mm of the board, the widest first.

    Without water there are none. There is one band for each reach in ``_MEADOWS``, varied by ``noise``.
    """
    if not (ground.rivers or ground.lakes):
        return ()
    scale = dressing_scale(ground.field, cover)
    wash_area = ground.wash_area
    bands_by_reach = []
    for reach in _MEADOWS:
        bands: list[BaseGeometry] = [
            ribbon(points, course.width + 2 * scale * _vary_reach(points, reach, noise, scale))
            for course in ground.rivers
            if len(points := resampled(course.line, _STEP)) > 1
        ]
        for area in ground.lakes:
            points = resampled(area.outline.exterior, _STEP)
            bands.append(ribbon(points, scale * _vary_reach(points, reach, noise, scale)))
        bands_by_reach.append(shapely.intersection(wash_area, shapely.union_all(shapely.make_valid(bands))))
    return tuple(bands_by_reach)


def sward(
    ground: OpenGround, cover: OpenCountry, noise: Noise, meadow: tuple[BaseGeometry, ...]
) -> tuple[BaseGeometry, ...]:
    """Return patches of grass in mm of the board, the widest first.

    There are none if the settings have no grass, or if features and meadow cover the share
    of the board that the settings ask for.
    """
    if not cover.sward:
        return ()
    wash_area = ground.wash_area
    if cover.grassy is None:
        return _GrowthNoise(ground, cover, noise, _SWARD_WAVES).areas_above(_SWARD_LEVELS, wash_area)
    visible_bands = meadow[_VISIBLE_MEADOW : _VISIBLE_MEADOW + 1]
    missing_area = cover.grassy * ground.board_area.area - _visible_area(ground, visible_bands)
    return _GrowthNoise(ground, cover, noise, _SWARD_WAVES).areas_of_size(
        missing_area, wash_area, visible_bands, _SWARD_STEPS
    )


def commons(
    ground: OpenGround,
    cover: OpenCountry,
    noise: Noise,
    thickets: tuple[BaseGeometry, ...],
    tilled_area: BaseGeometry,
    visible_areas: Sequence[BaseGeometry],
) -> tuple[BaseGeometry, ...]:
    """Return the rough grass of thickets and commons in mm of the board, the widest first.

    Land with tilled parcels gets commons between them, until 0.4 of the board shows more than open ground.

    Args:
        ground: the board.
        cover: settings of its dressing.
        noise: commons are in the same places as most bushes.
        thickets: bands of grass in thickets.
        tilled_area: area of tilled parcels.
        visible_areas: visible areas of the dressing.
    """
    missing_area = _VISIBLE_SHARE * ground.board_area.area - _visible_area(ground, visible_areas)
    if cover.sward or cover.sign != "parcels" or missing_area <= 0.0:
        return thickets
    free_area = shapely.difference(ground.wash_area, tilled_area)
    common_bands = _GrowthNoise(ground, cover, noise, _WAVES).areas_of_size(
        missing_area, free_area, visible_areas, _COMMONS_STEPS
    )
    if not thickets or not common_bands:
        return common_bands or thickets
    return tuple(shapely.union(thicket, common) for thicket, common in zip(thickets, common_bands, strict=True))


def _visible_area(ground: OpenGround, areas: Sequence[BaseGeometry]) -> float:
    """Return the total area in mm2 of the features of a board and of other areas, all in mm of the board."""
    features = shapely.intersection(ground.board_area, shapely.union(ground.solid, ground.road_area))
    return float(features.area + sum(area.area for area in areas))


class _GrowthNoise:
    """A field of noise over a board; plants grow where it is high."""

    def __init__(
        self, ground: OpenGround, cover: OpenCountry, noise: Noise, waves: Sequence[tuple[float, float]]
    ) -> None:
        self.ground, self.noise, self.waves = ground, noise, waves
        self.grown = dressing_scale(ground.field, cover)

    @cached_property
    def _grid(self) -> tuple[ReliefGrid, NDArray[np.float64]]:
        """Return a grid over the board, in mm of the board, and the value of the noise at each node."""
        # The margin keeps the round corners of a band off the board.
        grid = ReliefGrid.covering(self.ground.board_area, 2 * _SWARD_CELL * self.grown, _SWARD_CELL * self.grown)
        x, y = grid.nodes()
        thick = np.zeros_like(x)
        for share, wave in self.waves:
            thick = thick + share * self.noise.at(x, y, wave * self.grown)
        return grid, thick

    def areas_above(self, levels: Sequence[float], limits: BaseGeometry) -> tuple[BaseGeometry, ...]:
        """Return the areas where the noise is above each of some levels, one for each level, cut to ``limits``.

        Areas are in mm of the board; levels are values of the noise, without a unit. An area may be empty.
        """
        regions = Regions.from_field(*self._grid)
        return tuple(shapely.intersection(_round_corners(regions.area_above(level)), limits) for level in levels)

    def areas_of_size(
        self, area: float, limits: BaseGeometry, grassy_areas: Sequence[BaseGeometry], level_steps: Sequence[float]
    ) -> tuple[BaseGeometry, ...]:
        """Return areas above levels near the one that gives ``area`` mm2 of ground outside ``grassy_areas``.

        ``level_steps`` has the differences from that level, without a unit. All areas are in mm of the board and cut to
        ``limits``. The result is empty if no area is needed or free.
        """
        if area <= 0.0:
            return ()
        free = shapely.difference(limits, shapely.union_all(list(grassy_areas))) if grassy_areas else limits
        shapely.prepare(free)
        grid, thick = self._grid
        heights = np.sort(thick[shapely.contains_xy(free, *grid.nodes())])
        if not len(heights):
            return ()
        level = float(heights[-min(len(heights), 1 + int(len(heights) * area / free.area))])
        return self.areas_above([level + step for step in level_steps], limits)


def _round_corners(area: BaseGeometry) -> BaseGeometry:
    """Return an area in mm of the board with round corners, so that the grid of its noise does not show."""
    parts = []
    for part in polygons(area):
        shell, *holes = (_cut_corners(shapely.get_coordinates(ring)) for ring in (part.exterior, *part.interiors))
        parts.append(Polygon(shell, holes))
    return shapely.simplify(shapely.make_valid(shapely.union_all(parts)), _ROUNDING_MM)


def _cut_corners(ring: Line) -> Line:
    """Return a closed line, n x 2, whose corners are cut twice at a quarter of both sides."""
    points = ring[:-1]
    for _ in range(2):
        following = np.roll(points, -1, axis=0)
        points = np.stack([0.75 * points + 0.25 * following, 0.25 * points + 0.75 * following], axis=1).reshape(-1, 2)
    return points


def _vary_reach(points: NDArray[np.float64], reach: float, noise: Noise, scale: float) -> NDArray[np.float64]:
    """Return the width of a band at each point, in mm of the board: ``reach`` varied by noise.

    Points (n x 2) and ``reach`` are in mm of the board; ``scale`` is that of the dressing, 1 on a 24-inch board.
    """
    swell = noise.at(points[:, 0], points[:, 1], _SWELL_WAVE * scale)
    return np.asarray(reach * np.maximum(0.25, 1.0 + _SWELL * swell))


# Diameter of the largest empty circle that may remain, as a share of the board's depth.
_EMPTY_CIRCLE: Final = 0.24

_THICKET_STEP: Final = 10.0
_ROUGHLY: Final = 1.5

# Narrower courses, in mm, do not make the ground next to them look less empty.
_LEAST_WIDTH: Final = 7.0

_MOST: Final = 24

# Distance of a thicket from the middle of its circle, in radii: the random offset, and the maximum.
_STRAY: Final = 0.30
_FAR: Final = 0.62

_LONG: Final = (26.0, 46.0)
_NARROWER: Final = (0.55, 0.85)
_ROUGHNESS: Final = 0.26

# Scale of each band of grass, the outermost first.
_BANDS: Final = (1.0, 0.84, 0.66)

# Index of the widest band that is visible.
VISIBLE_BAND: Final = 1

# The fewest bushes of a thicket and the range above, how far they spread, as a share of its length, and their radii.
_BUSHES: Final = (6, 5)
_THICKET_SPREAD: Final = 0.36
_THICKET_RADII: Final = (1.2, 2.8)


class Thickets(Struct, frozen=True, eq=False):
    """Bands of rough grass, the widest first, and bushes as x, y and radius, n x 3.

    Areas, x and y are in mm of the board; the radius is in mm at 1:1.
    """

    grass: tuple[BaseGeometry, ...] = ()
    bushes: NDArray[np.float64] = np.zeros((0, 3))


def thickets(
    ground: OpenGround, cover: OpenCountry, lanes: tuple[LineString, ...], tilled_area: BaseGeometry, stream: Stream
) -> Thickets:
    """Return the thickets of a board, in mm of the board; none if the board is only lightly dressed.

    Args:
        ground: the board.
        cover: settings of its dressing.
        lanes: centre lines of lanes, which stay clear.
        tilled_area: area of tilled parcels. Old furlongs count as empty ground and get thickets.
        stream: random numbers.
    """
    if not cover.overgrown:
        return Thickets()
    scale = dressing_scale(ground.field, cover)
    bands: list[list[BaseGeometry]] = [[] for _ in _BANDS]
    plants: list[tuple[float, float, float]] = []
    area = find_bush_area(ground, lanes, tilled_area)
    shapely.prepare(area)
    for x, y, bearing in _find_empty_places(ground, tilled_area, area, scale, stream):
        length, narrowness = stream.between(*_LONG) * scale, stream.between(*_NARROWER)
        patch = blob(length, length * narrowness, stream, roughness=_ROUGHNESS)
        for shapes, share in zip(bands, _BANDS, strict=True):
            shapes.append(_place_patch(patch, x, y, bearing, share))
        cosine, sine = _cosine(bearing), _sine(bearing)
        for _ in range(_BUSHES[0] + stream.draw_index(_BUSHES[1])):
            turn, offset = stream.between(0.0, 2 * np.pi), _THICKET_SPREAD * length * float(np.sqrt(stream.draw_unit()))
            run, rise = offset * _cosine(turn), offset * narrowness * _sine(turn)
            place = (x + run * cosine - rise * sine, y + run * sine + rise * cosine)
            plants.append((*place, stream.between(*_THICKET_RADII)))
    bushes = np.array(plants).reshape(-1, 3)
    wash_area = shapely.difference(ground.wash_area, tilled_area)
    return Thickets(
        grass=tuple(shapely.intersection(wash_area, shapely.union_all(shapes)) for shapes in bands),
        bushes=bushes[shapely.contains_xy(area, bushes[:, 0], bushes[:, 1])],
    )


def _find_empty_places(
    ground: OpenGround, tilled_area: BaseGeometry, area: BaseGeometry, scale: float, stream: Stream
) -> Iterator[tuple[float, float, float]]:
    """Yield x and y in mm of the board, and bearing in radians, of places for thickets.

    There may be none. Each is near the middle of the largest empty circle that remains.

    Args:
        ground: the board.
        tilled_area: area of tilled parcels in mm of the board; it does not count as empty.
        area: area in mm of the board where thickets may be.
        scale: scale of the dressing, 1 on a 24-inch board.
        stream: random numbers.
    """
    left, low, right, high = ground.board_area.bounds
    step = _THICKET_STEP * scale
    nodes = np.stack(np.meshgrid(np.arange(left, right, step), np.arange(low, high, step)), axis=-1).reshape(-1, 2)
    visible_shapes = np.array(
        polygons(shapely.simplify(shapely.union(ground.dark_area(_LEAST_WIDTH), tilled_area), _ROUGHLY))
    )
    clearance = np.min([nodes[:, 0] - left, right - nodes[:, 0], nodes[:, 1] - low, high - nodes[:, 1]], axis=0)
    if len(visible_shapes):
        points = shapely.points(nodes)
        nearest = shapely.STRtree(visible_shapes).nearest(points)
        clearance = np.minimum(clearance, shapely.distance(visible_shapes[nearest], points))
    open_radius = clearance
    free = shapely.contains_xy(area, nodes[:, 0], nodes[:, 1])
    least_radius = _EMPTY_CIRCLE * (high - low) / 2
    for _ in range(_MOST):
        index = int(np.argmax(open_radius))
        radius = float(open_radius[index])
        if radius <= least_radius:
            return
        turn, offset = stream.between(0.0, 2 * np.pi), stream.between(0.0, _STRAY) * radius
        target = nodes[index] + offset * np.array([_cosine(turn), _sine(turn)])
        distances = np.where(free, np.hypot(*(nodes - target).T), np.inf)
        place = int(np.argmin(distances))
        if distances[place] > _FAR * radius:
            # No place near the middle allows a thicket, so leave this circle empty.
            open_radius = np.minimum(open_radius, np.hypot(*(nodes - nodes[index]).T) + least_radius / 2)
            continue
        open_radius = np.minimum(
            open_radius, np.maximum(np.hypot(*(nodes - nodes[place]).T) - _LONG[0] * scale / 3, 0.0)
        )
        yield float(nodes[place, 0]), float(nodes[place, 1]), turn


def _place_patch(patch: BaseGeometry, x: float, y: float, bearing: float, share: float) -> BaseGeometry:
    """Return a patch drawn about the origin, scaled by ``share``, rotated and moved to x and y.

    All lengths are in mm of the board. ``bearing`` is in radians, anticlockwise.
    """
    cosine, sine = share * _cosine(bearing), share * _sine(bearing)
    return shapely.transform(
        patch,
        lambda points: np.column_stack(
            [x + points[:, 0] * cosine - points[:, 1] * sine, y + points[:, 0] * sine + points[:, 1] * cosine]
        ),
    )


def _cosine(turn: float) -> float:
    """Return the cosine of an angle in radians, the same on every machine."""
    return float(exact_math.cos(turn))


def _sine(turn: float) -> float:
    """Return the sine of an angle in radians, the same on every machine."""
    return float(exact_math.sin(turn))
