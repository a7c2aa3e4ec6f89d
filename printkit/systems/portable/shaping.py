"""From areas to ground: a shape for everything on a sketch, with the areas that it fills.

Hills, mountains and trees that stand side by side grow together. Dice have decided where things are; what is drawn of
them comes from jitter alone, a stream for each feature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import shapely
from msgspec import Struct
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter, Stream
from printkit.systems.portable.coursing import Drawn, drawn_ways
from printkit.systems.portable.grid.sketch import HABITATION, TREES, Placing, Sketch
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind, Origin
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.wavering import largest
from printkit.terrain.gridded.cell_shapes import field_quads, groups, grown, hill_contours, within

FIELDS: Final = (Kind.CROPS, Kind.PLOUGH, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD)
_GROWING_TOGETHER: Final = (Kind.HILL, Kind.MOUNTAIN, *TREES)
_COAST: Final = 0.3
"""How far along the edge of the board the sea fills its areas to the rim, in areas."""

_VERGE: Final = 0.03
"""How far ground keeps from water that runs past it, in areas."""

_PART: Final = 0.06
"""The least ground beyond a water that still belongs to a place, in square areas."""

_NECK: Final = 0.16
"""The breadth of the neck by which the ground of a place reaches over a water, in areas."""

_LEAST: Final = 0.2
"""The least breadth of a settlement beside a river or road, in areas."""


class Shaper(Struct, frozen=True):
    """Shapes a sketch; ``goings`` are those of the rule book by kind, ``stages`` the stage of each kind's dice."""

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

    def _ground(self, drawn: Sequence[Drawn]) -> Iterator[Feature]:
        water = shapely.union_all([each.ribbon for each in drawn if each.way.kind is Kind.RIVER])
        roads = shapely.union_all([each.ribbon for each in drawn if each.way.kind is not Kind.RIVER])
        done: set[str] = set()
        for piece in self.sketch.placings:
            if piece.id in done:
                continue
            together = self._together(piece)
            done.update(each.id for each in together)
            yield from self._shaped(together, water, roads)

    def _together(self, piece: Placing) -> tuple[Placing, ...]:
        """Return a feature and all of its kind that stand side by side with it, in the order placed."""
        if piece.kind not in _GROWING_TOGETHER:
            return (piece,)
        alike = tuple(self.sketch.of(piece.kind))
        group = next(
            cells
            for cells in groups(self.sketch.grid, [cell for each in alike for cell in each.cells])
            if piece.cells[0] in cells
        )
        return tuple(each for each in alike if each.cells[0] in group)

    def _shaped(self, pieces: tuple[Placing, ...], water: BaseGeometry, roads: BaseGeometry) -> Iterator[Feature]:
        grid, first = self.sketch.grid, pieces[0]
        cells = tuple(cell for each in pieces for cell in each.cells)
        stream = self._stream(first.kind, first.id)
        origin = _origin(pieces)
        if first.kind in (Kind.HILL, Kind.MOUNTAIN):
            upper = tuple(cell for each in pieces if each.contours > 1 for cell in each.cells)
            yield Hill(
                id=first.id,
                kind=first.kind,
                contours=hill_contours(grid, cells, upper, stream),
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
        """Return the outlines of ground that is no hill; fields have one a strip."""
        grid = self.sketch.grid
        if kind in FIELDS:
            return tuple(quad for cell in cells for quad in field_quads(grid, cell, stream))
        if kind is Kind.SETTLEMENT and len(cells) == 1:
            return (_beside(grid, cells[0], stream, shapely.union(water, roads)),)
        outline = grown(grid, cells, stream)
        if kind is Kind.SEA:
            return (_to_the_rim(grid, cells, outline),)
        if kind in (*HABITATION, *TREES):
            return (_dry(outline, water, grid),)
        return (outline,)

    def _course(self, drawn: Drawn) -> Course:
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

    def _crossings(self, drawn: Sequence[Drawn]) -> Iterator[Crossing]:
        by_id = {each.way.id: each for each in drawn}
        for passage in self.sketch.passages:
            at, bearing = by_id[passage.way].meets(by_id[passage.water], passage, self.sketch.grid)
            yield Crossing(
                id=passage.id,
                kind=passage.kind,
                at=at,
                bearing=bearing,
                way=passage.way,
                water=passage.water,
                going=self._going(passage.kind),
                origin=Origin(clauses=passage.clauses, throws=passage.throws),
                cells=passage.cells,
            )


def _origin(pieces: Sequence[Placing]) -> Origin:
    clauses = dict.fromkeys(clause for piece in pieces for clause in piece.clauses)
    return Origin(clauses=tuple(clauses), throws=tuple(sorted({each for piece in pieces for each in piece.throws})))


def _dry(outline: Polygon, water: BaseGeometry, grid: Grid) -> Polygon:
    """Return ground without the water that runs through it; large parts on both banks hold together by a neck."""
    if water.is_empty or not outline.intersects(water):
        return outline
    parts = shapely.get_parts(outline.difference(water.buffer(_VERGE * grid.cell)))
    whole, *others = sorted(parts, key=lambda part: -part.area)
    for part in others:
        if part.area >= _PART * grid.cell**2:
            neck = shapely.shortest_line(whole, part).buffer(_NECK * grid.cell / 2)
            whole = largest(shapely.union_all([whole, part, neck]))
    return whole


def _beside(grid: Grid, cell: Cell, stream: Stream, taken: BaseGeometry) -> Polygon:
    """Return the ground of a settlement in its cell: in the middle, or where rivers and roads leave the most room."""
    plot = within(grid, cell, stream)
    room = grid.outline(cell).buffer(-_VERGE * grid.cell).difference(taken.buffer(_VERGE * grid.cell))
    if room.contains(plot) or room.is_empty:
        return plot
    radius_line = shapely.maximum_inscribed_circle(largest(room), tolerance=grid.cell / 200)
    (x, y), radius = radius_line.coords[0], max(float(radius_line.length), _LEAST * grid.cell / 2)
    reach = float(shapely.hausdorff_distance(plot.centroid, plot.exterior))
    size = min(1.0, 1.15 * radius / reach)
    middle = plot.centroid
    moved = shapely.affinity.translate(plot, x - middle.x, y - middle.y)
    return shapely.affinity.scale(moved, size, size, origin=(x, y))


def _to_the_rim(grid: Grid, cells: Sequence[Cell], outline: Polygon) -> Polygon:
    """Return the outline of a sea that fills its cells where they lie along the edge of the board."""
    rim = grid.hull().exterior.buffer(_COAST * grid.cell)
    own = shapely.union_all([grid.outline(cell) for cell in cells])
    return largest(shapely.union(outline, own.intersection(rim)).buffer(0.05 * grid.cell).intersection(own))
