"""Turn a sketch into features: outlines for ground, lines for courses, and crossings.

Neighbouring hills, mountains and trees of one kind merge. Dice decide only the areas; shapes come from jitter, with one
stream for each feature.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter, Stream
from printkit.core import elementary
from printkit.systems.portable.drawn_ways import OFF, DrawnWay, bend_ways
from printkit.systems.portable.grid.bands import axis, passing
from printkit.systems.portable.grid.sketch import (
    FIELDS,
    HABITATION,
    HEIGHTS,
    ROADS,
    TREES,
    AreaFeature,
    CellCourse,
    Sketch,
)
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind, Origin
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.roughness import largest_polygon
from printkit.terrain.gridded.cell_courses import Chain, compute_offsets, course_width, thread_course, thread_wide_river
from printkit.terrain.gridded.cell_shapes import draw_fields, draw_plot, find_cell_groups, grow_contours, grow_outline

# --- From bands and chains to lines: rivers, roads and railways, and where they cross ---------------------------------

_Line = NDArray[np.float64]
# Return the random stream for the shape of a feature, by its kind and ID.
Streams = Callable[[Kind, str], Stream]

# How far a straight band sways to either side, in areas: rivers, then roads.
_SWAY: Final = {Kind.RIVER: 0.075}
_SWAY_OF_ROADS: Final = 0.035

# The waves of a band's sway: wavelength in areas, share of the sway.
_WAVES: Final = ((2.9, 0.7), (1.3, 0.3))

_STEP: Final = 0.04

# Gap between a road and a river that it does not cross, in areas. It allows for the sway of both.
_BETWEEN: Final = 0.14

# How far a band may leave its centre line, in areas. Two wide bands move aside by nearly as much (PW1-15).
_FARTHEST: Final = 0.74

# A band sways less within this distance of a crossing that sway would move too far, in areas.
_CALM: Final = 1.0

# Length of the end of a band that bends to reach the edge of the board, in areas.
_LED: Final = 1.0


def drawn_ways(sketch: Sketch, streams: Streams) -> tuple[DrawnWay, ...]:
    """Return every course of a sketch with its line and width, in order."""
    chained = [way for way in sketch.ways if way.band is None]
    shifts = dict(
        zip(
            [way.id for way in chained],
            compute_offsets(sketch.grid, [Chain(way.cells, way.enters, way.leaves) for way in chained]),
            strict=True,
        )
    )
    calm = sketch.cells_of(*HABITATION) | {passage.cells[-1] for passage in sketch.passages if passage.cells}
    found: list[DrawnWay] = []
    for way in sketch.ways:
        stream = streams(way.kind, way.id)
        if way.band is not None:
            found.append(_banded(sketch.grid, way, sketch.ways, stream))
        else:
            found.append(_chained(sketch.grid, way, stream, calm=calm, aside=shifts.get(way.id, {})))
    joined: list[DrawnWay] = []
    for drawn in bend_ways(sketch, tuple(_kept_apart(sketch, found, streams))):
        joined.append(_joined(drawn, joined))
    return tuple(joined)


def _kept_apart(sketch: Sketch, drawn: Sequence[DrawnWay], streams: Streams) -> Iterator[DrawnWay]:
    """Yield the courses. Bands that stray, miss a crossing or make a wrong one are drawn straight.

    A wide river along the edge of the board and a road that enters through it can move past each other.
    """
    hull, crossed = sketch.grid.hull(), {(each.way, each.water) for each in sketch.passages}
    rivers = [each for each in drawn if each.way.kind is Kind.RIVER]
    strayed = {each.way.id for each in drawn if each.way.band is not None and _strays(sketch.grid, each)}
    for one, river in product(drawn, rivers):
        if one.way.band is None or one.way.kind is Kind.RIVER:
            continue
        if one.line.intersection(river.line).intersects(hull) != ((one.way.id, river.way.id) in crossed):
            strayed |= {each.way.id for each in (one, river) if each.way.band is not None}
    for each in drawn:
        if each.way.id in strayed:
            yield _banded(sketch.grid, each.way, sketch.ways, streams(each.way.kind, each.way.id), straight=True)
        else:
            yield each


def _strays(grid: Grid, drawn: DrawnWay) -> bool:
    """Return whether a band on the board leaves its centre line farther than two wide bands move aside."""
    assert drawn.way.band is not None
    straight = axis(drawn.way.band, beyond=2 * grid.cell)
    shown = drawn.line.intersection(grid.hull())
    return bool(shapely.hausdorff_distance(shapely.union(shown, straight), straight) > _FARTHEST * grid.cell)


def _joined(drawn: DrawnWay, earlier: Sequence[DrawnWay]) -> DrawnWay:
    """Extend a road that ends in another road's area up to that road; it can be off-centre there."""
    way = drawn.way
    if way.kind not in ROADS or way.leaves is not None:
        return drawn
    end = Point(drawn.line.coords[-1])
    others = [each.line for each in earlier if each.way.kind in ROADS and way.cells[-1] in each.way.cells]
    if not others:
        return drawn
    other = min(others, key=lambda line: round(line.distance(end), 6))
    return replace(drawn, line=LineString([*drawn.line.coords, other.interpolate(other.project(end)).coords[0]]))


def _banded(
    grid: Grid, way: CellCourse, others: Sequence[CellCourse], stream: Stream, *, straight: bool = False
) -> DrawnWay:
    """Return a straight band that extends over the edge of the board.

    It sways about its centre line and gives way to other bands, unless it must be ``straight``.
    """
    assert way.band is not None
    width = way.width * grid.cell
    (x, y), (to_x, to_y) = axis(way.band, beyond=width).coords
    length = math.hypot(to_x - x, to_y - y)
    left = np.array([-(to_y - y), to_x - x]) / length
    along = np.linspace(0.0, length, max(3, round(length / (_STEP * grid.cell))))
    points: _Line = np.array([x, y]) + along[:, None] / length * np.array([to_x - x, to_y - y])
    given = [_given_way(grid, way, other, points) for other in others]
    # Two bands on the same side move this band only as far as the one that needs more space.
    aside: _Line = np.maximum.reduce([np.zeros(len(along)), *given]) + np.minimum.reduce([np.zeros(len(along)), *given])
    calm = _calmed(grid, way, others, points, float(np.abs(aside).max()))
    if straight:
        calm = np.zeros(len(along))
    aside *= calm
    for wave, share in _WAVES:
        turn = stream.between(0.0, 2 * math.pi)
        aside += (
            share
            * (_sway(grid, way) * calm)
            * elementary.sin(2 * math.pi * along / (wave * grid.cell * stream.between(0.85, 1.15)) + turn)
        )
    aside = np.clip(aside, -_FARTHEST * grid.cell, _FARTHEST * grid.cell)
    return DrawnWay(way, LineString(_led_off(grid, points + aside[:, None] * left, width)), width)


def _led_off(grid: Grid, points: _Line, width: float) -> _Line:
    """Move the ends of a band off the board; along the edge, giving way can leave an end on it."""
    hull = grid.hull()
    for end, way_along in ((0, points), (-1, points[::-1])):
        at = Point(points[end])
        if hull.exterior.distance(at) <= width / 2 or not hull.contains(at):
            continue
        edge = np.array(hull.exterior.interpolate(hull.exterior.project(at)).coords[0])
        out = (edge - points[end]) * (1.0 + width / hull.exterior.distance(at))
        run = np.hypot(*np.diff(way_along, axis=0).T).cumsum()
        share = np.clip(1.0 - np.concatenate(([0.0], run)) / (_LED * grid.cell), 0.0, 1.0)
        way_along += (share**2 * (3.0 - 2.0 * share))[:, None] * out
    return points


def _sway(grid: Grid, way: CellCourse) -> float:
    """Return how far a band sways to either side, in mm."""
    return _SWAY.get(way.kind, _SWAY_OF_ROADS) * grid.cell


def _calmed(grid: Grid, way: CellCourse, others: Sequence[CellCourse], points: _Line, aside: float) -> _Line:
    """Return the share of its sway for each point of a band's centre line; 0 at a difficult crossing.

    Two bands that cross at a small angle could cross far from the place that the rules give, in another area.

    Args:
        aside: how far the band gives way to others at most, in mm.
    """
    share = np.ones(len(points))
    for other in others:
        if way.band is None or other.band is None or (way.kind is Kind.RIVER) == (other.kind is Kind.RIVER):
            continue
        at = passing(grid, way.band, other.band)
        if at is None:
            continue
        (x, y), (to_x, to_y) = (np.subtract(*band) / math.dist(*band) for band in (way.band, other.band))
        cell = grid.at(*at)
        # A crossing near the edge of a hex grid can be outside all areas. It must not move into one.
        room = 0.0 if cell is None else grid.outline(cell).exterior.distance(Point(at)) + OFF * grid.cell
        if aside + _sway(grid, way) + _sway(grid, other) > room * abs(x * to_y - y * to_x):
            off = np.clip(np.hypot(*(points - np.array(at)).T) / (_CALM * grid.cell), 0.0, 1.0)
            share *= off**2 * (3.0 - 2.0 * off)
    return share


def _given_way(grid: Grid, way: CellCourse, other: CellCourse, points: _Line) -> _Line:
    """Return how far a band moves left at each point, to give way to a band that it does not cross.

    A road and a river that enter at the same place would overlap there, so each moves aside by half.
    """
    if way.id == other.id or other.band is None or (way.kind is Kind.RIVER) == (other.kind is Kind.RIVER):
        return np.zeros(len(points))
    assert way.band is not None
    if passing(grid, way.band, other.band) is not None:
        return np.zeros(len(points))
    apart = (way.width + other.width) / 2 + _BETWEEN
    line = axis(other.band, beyond=2 * apart * grid.cell)
    lacking = np.maximum(0.0, apart * grid.cell - shapely.distance(shapely.points(points), line)) / 2
    (x, y), (to_x, to_y) = line.coords
    turns = (to_x - x) * (points[:, 1] - y) - (to_y - y) * (points[:, 0] - x)
    # The side of the other band decides. Of two bands on the same line, the river moves to one side and the road to the
    # other.
    farthest = turns[np.argmax(np.abs(turns))]
    side = float(np.sign(farthest)) if abs(farthest) > 1e-3 else (1.0 if way.kind is Kind.RIVER else -1.0)
    same = (to_x - x) * (points[-1, 0] - points[0, 0]) + (to_y - y) * (points[-1, 1] - points[0, 1])
    moved: _Line = lacking * side * (1.0 if same >= 0 else -1.0)
    return _eased(moved, round(0.5 / _STEP))


def _eased(values: _Line, reach: int) -> _Line:
    """Return each value as the mean of its neighbours, so that the line has no sharp corners."""
    wide = np.pad(values, reach, mode="edge")
    found: _Line = elementary.convolve(wide, np.full(2 * reach + 1, 1.0 / (2 * reach + 1)))
    return found


def _chained(
    grid: Grid, way: CellCourse, stream: Stream, *, calm: frozenset[Cell], aside: dict[int, float]
) -> DrawnWay:
    if any(way.beside):
        line, width = thread_wide_river(grid, way.cells, way.beside, stream, enters=way.enters, leaves=way.leaves)
        return DrawnWay(way, line, width)
    line = thread_course(grid, way.cells, stream, enters=way.enters, leaves=way.leaves, calm=calm, offsets=aside)
    return DrawnWay(way, line, course_width(grid, way.kind))


_GROWING_TOGETHER: Final = (*HEIGHTS, *TREES)
# How far along the edge of the board the sea fills its areas completely, in areas.
_COAST: Final = 0.3

# Gap between ground and a river or road next to it, in areas.
_VERGE: Final = 0.03

# The smallest part of a place beyond a river that still belongs to it, in square areas.
_PART: Final = 0.06

# Width of the neck that connects the parts of a place across a river, in areas.
_NECK: Final = 0.16

# The smallest width of a settlement next to a river or road, in areas.
_LEAST: Final = 0.2


class Shaper(Struct, frozen=True):
    """Builds the features of a sketch.

    Attributes:
        goings: the going in the rule book, by kind.
        stages: the stage that places a kind; it names the jitter stream.
    """

    sketch: Sketch
    goings: Mapping[str, Going]
    jitter: Jitter
    stages: Mapping[Kind, str]

    def features(self) -> tuple[Feature, ...]:
        """Return every feature: ground in the order placed, then courses, then crossings."""
        drawn = drawn_ways(self.sketch, self._stream)
        ground = tuple(self._ground(drawn))
        courses = tuple(self._course(each) for each in drawn)
        return (*ground, *courses, *self._crossings(drawn))

    def _stream(self, kind: Kind, name: str) -> Stream:
        return self.jitter.stream(f"{self.stages[kind]}/{name}/shape")

    def _going(self, kind: Kind) -> Going:
        return self.goings[kind.value]

    def _ground(self, drawn: Sequence[DrawnWay]) -> Iterator[Feature]:
        water = shapely.union_all([each.ribbon for each in drawn if each.way.kind is Kind.RIVER])
        roads = shapely.union_all([each.ribbon for each in drawn if each.way.kind is not Kind.RIVER])
        done: set[str] = set()
        for piece in self.sketch.placings:
            if piece.id in done:
                continue
            together = self._together(piece)
            done.update(each.id for each in together)
            yield from self._shaped(together, water, roads)

    def _together(self, piece: AreaFeature) -> tuple[AreaFeature, ...]:
        """Return a feature and all connected features of its kind, in the order placed."""
        if piece.kind not in _GROWING_TOGETHER:
            return (piece,)
        alike = tuple(self.sketch.of(piece.kind))
        group = next(
            cells
            for cells in find_cell_groups(self.sketch.grid, [cell for each in alike for cell in each.cells])
            if piece.cells[0] in cells
        )
        return tuple(each for each in alike if each.cells[0] in group)

    def _shaped(self, pieces: tuple[AreaFeature, ...], water: BaseGeometry, roads: BaseGeometry) -> Iterator[Feature]:
        grid, first = self.sketch.grid, pieces[0]
        cells = tuple(cell for each in pieces for cell in each.cells)
        stream = self._stream(first.kind, first.id)
        origin = _origin(pieces)
        if first.kind in HEIGHTS:
            upper = tuple(cell for each in pieces if each.contours > 1 for cell in each.cells)
            yield Hill(
                id=first.id,
                kind=first.kind,
                contours=grow_contours(grid, cells, upper, stream),
                going=self._going(first.kind),
                origin=origin,
                cells=cells,
            )
            return
        for number, outline in enumerate(self._outlines(first.kind, cells, stream, water, roads), 1):
            yield Area(
                id=first.id if number == 1 else f"{first.id}-{number}",
                kind=first.kind,
                outline=outline,
                going=self._going(first.kind),
                origin=origin,
                cells=cells,
            )

    def _outlines(
        self, kind: Kind, cells: tuple[Cell, ...], stream: Stream, water: BaseGeometry, roads: BaseGeometry
    ) -> tuple[Polygon, ...]:
        """Return the outlines of ground other than hills; a field has one for each strip."""
        grid = self.sketch.grid
        if kind in FIELDS:
            return tuple(quad for cell in cells for quad in draw_fields(grid, cell, stream))
        if kind is Kind.SETTLEMENT and len(cells) == 1:
            return (_beside(grid, cells[0], stream, shapely.union(water, roads)),)
        outline = grow_outline(grid, cells, stream)
        if kind is Kind.SEA:
            return (_to_the_rim(grid, cells, outline),)
        if kind in (*HABITATION, *TREES):
            return (_dry(outline, water, grid),)
        return (outline,)

    def _course(self, drawn: DrawnWay) -> Course:
        way = drawn.way
        return Course(
            id=way.id,
            kind=way.kind,
            line=drawn.line,
            width=drawn.width,
            going=self._going(way.kind),
            origin=Origin(clauses=way.clauses, throws=way.throws),
            cells=way.cells,
        )

    def _crossings(self, drawn: Sequence[DrawnWay]) -> Iterator[Crossing]:
        by_id = {each.way.id: each for each in drawn}
        for passage in self.sketch.passages:
            at, bearing = by_id[passage.way].meets(by_id[passage.water], passage, self.sketch.grid)
            yield Crossing(
                id=passage.id,
                kind=passage.kind,
                at=at,
                bearing=bearing,
                route=passage.way,
                water=passage.water,
                going=self._going(passage.kind),
                origin=Origin(clauses=passage.clauses, throws=passage.throws),
                cells=passage.cells,
            )


def _origin(pieces: Sequence[AreaFeature]) -> Origin:
    clauses = dict.fromkeys(clause for piece in pieces for clause in piece.clauses)
    return Origin(clauses=tuple(clauses), throws=tuple(sorted({each for piece in pieces for each in piece.throws})))


def _dry(outline: Polygon, water: BaseGeometry, grid: Grid) -> Polygon:
    """Return ground without the river that runs through it; a neck connects large parts on both banks."""
    if water.is_empty or not outline.intersects(water):
        return outline
    parts = shapely.get_parts(outline.difference(water.buffer(_VERGE * grid.cell)))
    whole, *others = sorted(parts, key=lambda part: -part.area)
    for part in others:
        if part.area >= _PART * grid.cell**2:
            neck = _neck(whole, part, outline, grid).buffer(_NECK * grid.cell / 2)
            whole = largest_polygon(shapely.union_all([whole, part, neck]))
    return whole


def _neck(whole: Polygon, part: Polygon, outline: Polygon, grid: Grid) -> LineString:
    """Return the shortest line between two parts whose neck stays on the ground, if there is one.

    Ground has a waist between two areas, and the shortest line along a waist leaves the ground.
    """
    wide = _NECK * grid.cell
    shortest: LineString = shapely.shortest_line(whole, part)
    if outline.buffer(wide / 2).contains(shortest.buffer(wide / 2)):
        return shortest
    starts = shapely.points(shapely.get_coordinates(shapely.segmentize(whole.exterior, wide)))
    lines = shapely.shortest_line(starts, part)
    within = lines[shapely.covers(outline.buffer(-wide / 2), lines)]
    return min(within, key=lambda line: round(line.length, 6), default=shortest)


def _beside(grid: Grid, cell: Cell, stream: Stream, taken: BaseGeometry) -> Polygon:
    """Return the outline of a settlement: in the centre of its cell, or off its rivers and roads."""
    plot = draw_plot(grid, cell, stream)
    room = grid.outline(cell).buffer(-_VERGE * grid.cell).difference(taken.buffer(_VERGE * grid.cell))
    if room.contains(plot) or room.is_empty:
        return plot
    radius_line = shapely.maximum_inscribed_circle(largest_polygon(room), tolerance=grid.cell / 200)
    (x, y), radius = radius_line.coords[0], max(float(radius_line.length), _LEAST * grid.cell / 2)
    reach = float(shapely.hausdorff_distance(plot.centroid, plot.exterior))
    size = min(1.0, 1.15 * radius / reach)
    middle = plot.centroid
    moved = shapely.affinity.translate(plot, x - middle.x, y - middle.y)
    return shapely.affinity.scale(moved, size, size, origin=(x, y))


def _to_the_rim(grid: Grid, cells: Sequence[Cell], outline: Polygon) -> Polygon:
    """Return the outline of a sea. It fills its cells completely along the edge of the board."""
    rim = grid.hull().exterior.buffer(_COAST * grid.cell)
    own = shapely.union_all([grid.outline(cell) for cell in cells])
    return largest_polygon(shapely.union(outline, own.intersection(rim)).buffer(0.05 * grid.cell).intersection(own))
