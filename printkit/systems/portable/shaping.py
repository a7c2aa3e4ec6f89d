"""Turn a sketch into features: outlines for ground, lines for courses, and crossings.

Neighbouring hills, mountains and trees of one kind merge. Dice decide only the areas; shapes come from jitter, with one
stream for each feature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from printkit.chance.streams import Jitter, Stream
from printkit.systems.portable.course_lines import DrawnCourse, draw_courses
from printkit.systems.portable.grid.sketch import (
    FIELDS,
    HABITATION,
    HEIGHTS,
    TREES,
    AreaFeature,
    Sketch,
)
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind, Origin
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.outlines import largest_polygon
from printkit.terrain.gridded.cell_shapes import draw_fields, draw_plot, find_cell_groups, grow_contours, grow_outline

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

# How far a settlement or a neck may be outside its areas, in areas.
_OFF_AREA: Final = 0.02


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
        drawn_courses = draw_courses(self.sketch, self._stream)
        ground = tuple(self._build_ground(drawn_courses))
        courses = tuple(self._build_course(drawn_course) for drawn_course in drawn_courses)
        return (*ground, *courses, *self._build_crossings(drawn_courses))

    def _stream(self, kind: Kind, name: str) -> Stream:
        """Return the random stream for the shape of a feature, by its kind and ID."""
        return self.jitter.stream(f"{self.stages[kind]}/{name}/shape")

    def _going(self, kind: Kind) -> Going:
        """Return the going of a kind of feature."""
        return self.goings[kind.value]

    def _build_ground(self, drawn_courses: Sequence[DrawnCourse]) -> Iterator[Feature]:
        """Yield the areas and hills in the order placed; connected features of a kind that merge are one.

        Shapes are in mm on the board.
        """
        water = shapely.union_all([each.ribbon for each in drawn_courses if each.course.kind is Kind.RIVER])
        roads = shapely.union_all([each.ribbon for each in drawn_courses if each.course.kind is not Kind.RIVER])
        done_ids: set[str] = set()
        for piece in self.sketch.placings:
            if piece.id in done_ids:
                continue
            group = self._find_group(piece)
            done_ids.update(each.id for each in group)
            yield from self._build_features(group, water, roads)

    def _find_group(self, piece: AreaFeature) -> tuple[AreaFeature, ...]:
        """Return a feature and all connected features of its kind, in the order placed.

        Kinds that do not merge give only the feature.
        """
        if piece.kind not in _GROWING_TOGETHER:
            return (piece,)
        same_kind = tuple(self.sketch.of(piece.kind))
        group = next(
            cells
            for cells in find_cell_groups(self.sketch.grid, [cell for feature in same_kind for cell in feature.cells])
            if piece.cells[0] in cells
        )
        return tuple(feature for feature in same_kind if feature.cells[0] in group)

    def _build_features(
        self, pieces: tuple[AreaFeature, ...], water: BaseGeometry, roads: BaseGeometry
    ) -> Iterator[Feature]:
        """Yield one hill, or an area for each outline, from features of one kind that merge.

        ``water`` and ``roads`` are the outlines of all rivers and of all roads and railways, in mm on the board.
        """
        grid, first = self.sketch.grid, pieces[0]
        cells = tuple(cell for each in pieces for cell in each.cells)
        stream = self._stream(first.kind, first.id)
        clauses = dict.fromkeys(clause for piece in pieces for clause in piece.clauses)
        throws = sorted({throw for piece in pieces for throw in piece.throws})
        origin = Origin(clauses=tuple(clauses), throws=tuple(throws))
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
        for number, outline in enumerate(self._build_outlines(first.kind, cells, stream, water, roads), 1):
            yield Area(
                id=first.id if number == 1 else f"{first.id}-{number}",
                kind=first.kind,
                outline=outline,
                going=self._going(first.kind),
                origin=origin,
                cells=cells,
            )

    def _build_outlines(
        self, kind: Kind, cells: tuple[Cell, ...], stream: Stream, water: BaseGeometry, roads: BaseGeometry
    ) -> tuple[Polygon, ...]:
        """Return the outlines of ground other than hills, in mm on the board; a field has one for each strip.

        ``water`` and ``roads`` are the outlines of all rivers and of all roads and railways.
        """
        grid = self.sketch.grid
        if kind in FIELDS:
            return tuple(quad for cell in cells for quad in draw_fields(grid, cell, stream))
        if kind is Kind.SETTLEMENT and len(cells) == 1:
            return (_settlement_outline(grid, cells[0], stream, shapely.union(water, roads)),)
        outline = grow_outline(grid, cells, stream)
        if kind is Kind.SEA:
            return (_extend_to_edge(grid, cells, outline),)
        if kind in (*HABITATION, *TREES):
            return (_subtract_water(outline, water, grid, cells),)
        return (outline,)

    def _build_course(self, drawn_course: DrawnCourse) -> Course:
        """Return the feature of a course, with the going of its kind."""
        course = drawn_course.course
        return Course(
            id=course.id,
            kind=course.kind,
            line=drawn_course.line,
            width=drawn_course.width,
            going=self._going(course.kind),
            origin=Origin(clauses=course.clauses, throws=course.throws),
            cells=course.cells,
        )

    def _build_crossings(self, drawn_courses: Sequence[DrawnCourse]) -> Iterator[Crossing]:
        """Yield the crossing of each passage of the sketch, at the point where the drawn lines cross.

        Positions are in mm on the board, bearings in degrees anticlockwise from +x.
        """
        by_id = {drawn_course.course.id: drawn_course for drawn_course in drawn_courses}
        for passage in self.sketch.passages:
            point, bearing = by_id[passage.way].find_crossing_point(by_id[passage.water], passage, self.sketch.grid)
            yield Crossing(
                id=passage.id,
                kind=passage.kind,
                at=point,
                bearing=bearing,
                route=passage.way,
                water=passage.water,
                going=self._going(passage.kind),
                origin=Origin(clauses=passage.clauses, throws=passage.throws),
                cells=passage.cells,
            )


def _subtract_water(outline: Polygon, water: BaseGeometry, grid: Grid, cells: Sequence[Cell]) -> Polygon:
    """Return ground without the river that runs through it; a neck connects large parts on both banks.

    Outlines are in mm on the board. Small parts on the other bank are dropped. A wide river beside an area of
    ``cells`` can cover all of it; the ground then keeps that area.
    """
    if water.is_empty or not outline.intersects(water):
        return outline
    parts = shapely.get_parts(outline.difference(water.buffer(_VERGE * grid.cell)))
    main_part, *other_parts = sorted(parts, key=lambda part: -part.area)
    areas = np.array([grid.outline(cell) for cell in cells], dtype=object)
    for part in other_parts:
        if part.area >= _PART * grid.cell**2:
            neck = _find_neck(main_part, part, outline, grid).buffer(_NECK * grid.cell / 2)
            ground = shapely.union_all([outline, *areas])
            if not ground.buffer(_OFF_AREA * grid.cell).contains(neck):
                neck = neck.intersection(ground)
            main_part = largest_polygon(shapely.union_all([main_part, part, neck]))
    covered_areas = areas[shapely.area(shapely.intersection(areas, main_part)) < _PART * grid.cell**2]
    if len(covered_areas):
        return _subtract_water(outline, water.difference(shapely.union_all(covered_areas)), grid, ())
    return main_part


def _find_neck(main_part: Polygon, part: Polygon, outline: Polygon, grid: Grid) -> LineString:
    """Return the shortest line between two parts whose neck stays on the ground, if there is one.

    Shapes are in mm on the board. Without such a line, return the shortest line of all. Ground has a waist between two
    areas, and the shortest line along a waist leaves the ground.

    Args:
        main_part: the largest part of the ground.
        part: the part to connect.
        outline: the ground before the river was subtracted.
    """
    wide = _NECK * grid.cell
    shortest: LineString = shapely.shortest_line(main_part, part)
    if outline.buffer(wide / 2).contains(shortest.buffer(wide / 2)):
        return shortest
    starts = shapely.points(shapely.get_coordinates(shapely.segmentize(main_part.exterior, wide)))
    lines = shapely.shortest_line(starts, part)
    inner_lines = lines[shapely.covers(outline.buffer(-wide / 2), lines)]
    return min(inner_lines, key=lambda line: round(line.length, 6), default=shortest)


def _settlement_outline(grid: Grid, cell: Cell, stream: Stream, taken_area: BaseGeometry) -> Polygon:
    """Return the outline of a settlement in mm on the board: in the centre of its cell if that is free.

    Otherwise it is moved off ``taken_area``, the ground of rivers and roads, and can be smaller.
    """
    plot = draw_plot(grid, cell, stream)
    free_area = grid.outline(cell).buffer(-_VERGE * grid.cell).difference(taken_area.buffer(_VERGE * grid.cell))
    if free_area.contains(plot) or free_area.is_empty:
        return plot
    radius_line = shapely.maximum_inscribed_circle(largest_polygon(free_area), tolerance=grid.cell / 200)
    (x, y), radius = radius_line.coords[0], max(float(radius_line.length), _LEAST * grid.cell / 2)
    reach = float(shapely.hausdorff_distance(plot.centroid, plot.exterior))
    size = min(1.0, 1.15 * radius / reach)
    outline = _move_plot(plot, x, y, size)
    if not grid.outline(cell).buffer(_OFF_AREA * grid.cell).contains(outline):
        # The free ground at the edge of the area is narrower than the smallest settlement.
        inner_area = grid.outline(cell).buffer(-size * reach)
        x, y = nearest_points(inner_area, Point(x, y))[0].coords[0]
        outline = _move_plot(plot, x, y, size)
    return outline


def _move_plot(plot: Polygon, x: float, y: float, size: float) -> Polygon:
    """Return a plot with its centre at a point, scaled by the factor ``size``; lengths are in mm on the board."""
    middle = plot.centroid
    moved_outline = shapely.affinity.translate(plot, x - middle.x, y - middle.y)
    return shapely.affinity.scale(moved_outline, size, size, origin=(x, y))


def _extend_to_edge(grid: Grid, cells: Sequence[Cell], outline: Polygon) -> Polygon:
    """Return the outline of a sea in mm on the board. It fills its cells completely along the board edge.

    ``outline`` is the natural outline of the sea in these cells.
    """
    rim = grid.hull().exterior.buffer(_COAST * grid.cell)
    cell_area = shapely.union_all([grid.outline(cell) for cell in cells])
    return largest_polygon(
        shapely.union(outline, cell_area.intersection(rim)).buffer(0.05 * grid.cell).intersection(cell_area)
    )
