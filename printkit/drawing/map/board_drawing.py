"""Draw a battlefield: its layout, the board at a scale with each symbol on its layer, cells, and small maps for pages.

Source: the cartography, 3, 14 and 20.10.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property, partial
from itertools import chain
from typing import Any, Final

import msgspec
import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.ink import symbol_inks
from printkit.drawing.canvas.items import Drawing, Font, Join, Layer, LayeredItems, LayerName, PathRun, Rect, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, deferred, drawing_of, group_by_layer, joined
from printkit.drawing.canvas.plain import NOTHING, make_rectangle
from printkit.drawing.canvas.shapes import fill, runs
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SymbolContext, large_board
from printkit.drawing.dressing.countryside_types import OpenCountry
from printkit.drawing.dressing.dressing import draw_dressing, find_dressing
from printkit.drawing.lettering.lettering import TypeStyle, measure
from printkit.drawing.map.labels import Labels, labels
from printkit.drawing.map.overlays import (
    OverlayPainter,
    cell_mark_opacities,
    deployment_lines,
    draw_cell_lines,
    grid_lines,
    keep_clear_squares,
    painters_of,
    playing_edge,
    quarter_lines,
    zone_crosses,
    zone_number_ground,
)
from printkit.drawing.scatter.crowns import draw_trees, poisson_points
from printkit.drawing.signs import catalogue
from printkit.drawing.signs.lines.course_lines import WATERS, all_sized, covered, on_layer
from printkit.drawing.signs.lines.course_lines import ground as course_ground
from printkit.drawing.signs.relief.open_ground import ground
from printkit.drawing.signs.routes.roads import wayside_trees
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, OuterMargins
from printkit.terrain.field.features import ROUTES, Area, Course, Crossing, Feature, Hill, Kind, transform_shapes
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.field.names import NO_NAMES
from printkit.terrain.field.transforms import extend_board

# Width across flats in mm of a printed cell whose symbols have the sizes in the cartography.
REFERENCE: Final = 74.0

_POWER: Final = 0.8
_LEAST_SIZE: Final = 0.40
_MOST_SIZE: Final = 1.25

_DOT: Final = 0.55
_DOT_HALO: Final = 1.0
_NUMBER_PT: Final = 9.5
_NUMBER_HALO: Final = 1.1
_BELOW: Final = 1.5
_ASIDE: Final = 1.7
_UNDER_CORNER: Final = 2.9
_LETTER_HIGH: Final = 0.72
# The share of a cell's width that its number may fill.
_NUMBER_SHARE: Final = 0.5

_OFF_LINES: Final = 2.0
_OFF_MARKS: Final = 3.0
_CLUMPS: Final = 44.0
_TREE: Final = (3.6, 4.8)
_FROM_EDGE: Final = 3.0


def cell_context(context: SymbolContext, grid: Grid | None) -> SymbolContext:
    """Return the context with symbols sized for the cells of a grid; unchanged without a grid.

    The grid is in printed mm.
    """
    if grid is None:
        return context
    share = min(_MOST_SIZE, max(_LEAST_SIZE, float(grid.cell / REFERENCE) ** _POWER))
    return context.smaller(share / context.symbol_scale)


def cell_address(grid: Grid, cell: Cell) -> str:
    """Return the number of a cell: column and row, both from 1: ``0304`` for a hex and ``C4`` for a square."""
    return grid.address(cell)


def line_figures(grid: Grid, cell: Cell) -> tuple[str, str]:
    """Return the column figure and the row figure of a cell as it appears on the sheet.

    On a board turned by a quarter turn the two are exchanged.
    """
    cell_number = grid.printed_cell(cell)
    figures = column_figure(grid, cell_number.column), str(cell_number.row)
    return figures if grid.turns % 2 == 0 else (figures[1], figures[0])


def column_figure(grid: Grid, column: int) -> str:
    """Return the figure of a hex column, or the letter of a square column: A to Z, then AA.

    ``column`` counts from 1.
    """
    return grid.column_label(column)


def cell_marks(grid: Grid, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs of the lines between cells, and the centre dot and number of each cell, in printed mm.

    They are above all terrain. The grid is in printed mm.
    """
    halo, ink = cell_mark_opacities(drafter)
    pale, dark = drafter.style.solid("halo").with_alpha(halo), drafter.style.solid("grid").with_alpha(ink)
    yield from draw_cell_lines(_inner_sides(grid), drafter)
    middles = shapely.points([grid.centre(cell) for cell in grid.cells()])
    for radius, shade in ((_DOT_HALO, pale), (_DOT, dark)):
        yield from on_layer(
            LayerName.GRID, fill(shapely.buffer(middles, drafter.size(radius), quad_segs=4).tolist(), shade)
        )
    style = _number_style(drafter)
    for cell in _numbered_cells(grid, drafter):
        x, y = _number_baseline(grid, cell, drafter)
        yield from on_layer(LayerName.GRID, drafter.text(cell_address(grid, cell), (x, y), style))


def number_ground(grid: Grid, drafter: Drafter) -> BaseGeometry:
    """Return the area of the cell numbers in printed mm, which names must avoid.

    It is one box with a small margin for each number; empty without numbers.
    """
    style = _number_style(drafter)
    letter_height, spare = _LETTER_HIGH * style.height, drafter.size(0.6)
    boxes = []
    for cell in _numbered_cells(grid, drafter):
        x, y = _number_baseline(grid, cell, drafter)
        width = measure(cell_address(grid, cell), style)
        boxes.append(shapely.box(x - spare, y - spare, x + width + spare, y + letter_height + spare))
    ground: BaseGeometry = shapely.union_all(boxes)
    return ground


def cell_trees(
    field: Battlefield, grid: Grid, drafter: Drafter, free_ground: BaseGeometry, *, marked: bool
) -> LayeredItems:
    """Yield (layer, item) pairs that draw groups of one to three trees on free ground, clear of labels and cell marks.

    Args:
        field: the battlefield in printed mm.
        grid: its cells in printed mm.
        drafter: style, scale and random variation.
        free_ground: the ground without features, in printed mm.
        marked: whether lines, dots and numbers of cells are drawn.
    """
    context = drafter.context
    free_area = shapely.difference(
        free_ground.intersection(field.ground.buffer(-context.size(_FROM_EDGE))), context.clear
    )
    if marked:
        margin = context.size(_OFF_MARKS)
        dots = shapely.MultiPoint([grid.centre(cell) for cell in grid.cells()]).buffer(margin, quad_segs=4)
        marks_area = shapely.union(dots, number_ground(grid, drafter).buffer(margin, join_style="mitre"))
        free_area = shapely.difference(shapely.intersection(free_area, _inner_cells(grid, context)), marks_area)
    stream = context.stream("draw/cells/trees")
    points: list[tuple[float, float]] = []
    radii: list[float] = []
    for x, y in poisson_points(free_area.buffer(-context.size(_TREE[1]), quad_segs=4), context.size(_CLUMPS), stream):
        angle = stream.between(0, 2 * np.pi)
        for number in range(1 + stream.draw_index(3)):
            radius = context.size(stream.between(*_TREE)) * (1.0 if number == 0 else 0.85)
            distance = 0.0 if number == 0 else context.size(stream.between(5.2, 6.8))
            point = (float(x + distance * exact_math.cos(angle)), float(y + distance * exact_math.sin(angle)))
            angle += stream.between(1.2, 2.4)
            if free_area.contains(Point(point).buffer(radius, quad_segs=4)):
                points.append(point)
                radii.append(radius)
    order = sorted(range(len(points)), key=lambda number: -points[number][1])
    yield from draw_trees(
        [points[number] for number in order], [radii[number] for number in order], "crown", context, stream
    )


def _inner_cells(grid: Grid, context: SymbolContext) -> BaseGeometry:
    """Return the ground of all cells without the strips along their sides, in printed mm."""
    cells = [grid.outline(cell) for cell in grid.cells()]
    inner = shapely.buffer(cells, -context.size(_OFF_LINES), join_style="mitre")
    ground: BaseGeometry = shapely.multipolygons(inner[~shapely.is_empty(inner)])
    return ground


def _inner_sides(grid: Grid) -> BaseGeometry:
    """Return the sides between cells as lines in the mm of the grid, each once, without the board edge.

    Lines that touch are merged.
    """
    sides = []
    for cell in grid.cells():
        corners = grid.corners(cell)
        sides += [
            (corner, following)
            for direction, (corner, following) in enumerate(zip(corners, (*corners[1:], corners[0]), strict=True))
            if (neighbour := grid.neighbour(cell, direction)) is not None and cell < neighbour
        ]
    merged: BaseGeometry = shapely.line_merge(shapely.union_all(shapely.linestrings(np.array(sides).reshape(-1, 2, 2))))
    return merged


def _numbered_cells(grid: Grid, drafter: Drafter) -> tuple[Cell, ...]:
    """Return the cells that show their numbers: all, or an empty tuple if the cells are too small for them.

    A number may be half as wide as a cell.
    """
    max_number_mm = measure(cell_address(grid, Cell(grid.columns, grid.rows)), _number_style(drafter))
    return grid.cells() if max_number_mm <= _NUMBER_SHARE * grid.cell else ()


def _number_style(drafter: Drafter) -> TypeStyle:
    """Return the type style of cell numbers."""
    style = drafter.type_style(Font.FIGURES_MEDIUM, _NUMBER_PT, "ink-secondary", track=0.25)
    return style.with_halo(drafter.halo("halo", _NUMBER_HALO))


def _number_baseline(grid: Grid, cell: Cell, drafter: Drafter) -> tuple[float, float]:
    """Return the left end of the baseline of a cell's number, as x and y in printed mm.

    It is under the top corner, or near the left end of the top side: a course may enter at the middle of that side.
    """
    style = _number_style(drafter)
    corners = grid.corners(cell)
    x, top = corners[0]
    if grid.grain.startswith("pointy"):
        half_width = measure(cell_address(grid, cell), style) / 2
        return x - half_width, top - drafter.size(_UNDER_CORNER) - _LETTER_HIGH * style.height
    offset = drafter.size(_ASIDE if grid.shape == "square" else 0.6)
    return x + offset, top - drafter.size(_BELOW) - _LETTER_HIGH * style.height


def grown_by(field: Battlefield, scale: float) -> float:
    """Return the growth factor of text, relative to a 24-inch board: at least 1.

    It is 1 for grids and below actual size. ``scale`` is printed mm per mm of the board; the board is in mm.
    """
    return large_board(field.board.width, field.board.depth) if scale >= 1 and field.grid is None else 1.0


class MapCaption(Struct, frozen=True, kw_only=True):
    """The caption of a sheet: title, subtitle, seed to print it again, and whether it shows north.

    ``who`` names the sides, and ``marks`` has the texts beside the zone of each side, both one per language.
    """

    title: str
    subtitle: str = ""
    seed: int | None = None
    north: bool = True
    who: tuple[str, ...] = ()
    marks: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class SheetArea(Struct, frozen=True):
    """The area of a sheet available for a drawing: width and height in printed mm."""

    width: float
    height: float


class MapLayout(Struct, frozen=True, kw_only=True):
    """A battlefield in mm of the board, printed at ``scale`` (printed mm per mm of the board) in a style and language.

    ``accounts`` has, by feature ID, the text of the key that explains how the feature was placed. ``sheet_area`` is the
    area for the furniture of an overview; without it the sheet is as wide as the framed board. ``cover`` is the
    dressing between the features; the legend says that it has no effect in play.
    """

    field: Battlefield
    style: Style
    words: Words
    caption: MapCaption
    scale: float = 1.0
    accounts: Mapping[str, str] = msgspec.field(default_factory=dict)
    sheet_area: SheetArea | None = None
    cover: OpenCountry | None = None

    @property
    def growth(self) -> float:
        """Return the growth factor of the furniture; 1 on a 24-inch board."""
        return grown_by(self.field, self.scale)


_CLEAR_OF_AREAS = 1.5
_CLEAR_OF_COURSES = 4.0
_CLEAR_OF_LANES = 1.2
# Names grow with this power of the growth factor of the furniture.
_NAMES_GROW: Final = 0.85
# How far the symbol of a feature goes beyond its outline, in mm at 1:1.
_REACH: Final = 1.0
_WATER_REACH: Final = 3.4
_CROSSING_REACH: Final = 5.0


def board_drawing(
    field: Battlefield,
    drafter: Drafter,
    *,
    numbers: bool = True,
    zones: bool = True,
    deployment: bool = True,
    grid: bool = True,
    country: OpenCountry | None = None,
    period: str = NO_NAMES,
    seams: BaseGeometry = NOTHING,
) -> Drawing:
    """Return the board at the scale of the drafter, in printed mm, without furniture.

    The arguments are the fields of ``BoardPlan``; the drawing is its ``drawing``.

    Raises:
        PageError: the scale is not greater than 0.
    """
    return BoardPlan(
        field=field,
        drafter=drafter,
        numbers=numbers,
        zones=zones,
        deployment=deployment,
        grid=grid,
        country=country,
        period=period,
        seams=seams,
    ).drawing


class BoardPlan(Struct, frozen=True, kw_only=True, dict=True):
    """What a board shows at a scale, without furniture. Its parts are made when they are first read.

    Attributes:
        field: the battlefield in mm of the board.
        drafter: style, scale, random variation, and words for crossings.
        numbers: show the key number of each feature. Features on a grid have none.
        zones: show crosses and pale numbers for zones, and lines between quarters.
        deployment: show the deployment lines of the sides.
        grid: show the lines, dots and numbers of cells.
        country: the dressing between the features; None for none.
        period: the name of a period in the name book, for road destinations.
        seams: the printed area round the cuts between sheets, which labels avoid where they can.

    Raises:
        PageError: the scale is not greater than 0.
    """

    field: Battlefield
    drafter: Drafter
    numbers: bool = True
    zones: bool = True
    deployment: bool = True
    grid: bool = True
    country: OpenCountry | None = None
    period: str = NO_NAMES
    seams: BaseGeometry = NOTHING

    def __post_init__(self) -> None:
        validate_scale(self.drafter.context.scale)

    @cached_property
    def drawing(self) -> Drawing:
        """Return the board as a drawing of its size at the scale; it is drawn when it is first read.

        Each layer is clipped to the board edge, or to the cells of a grid. If the style is set to draw terrain only
        (``bare``), it has no marks and no labels.
        """

        def draw_layers() -> tuple[Layer, ...]:
            """Return the layers of terrain and marks."""
            return group_by_layer(chain(self._terrain_items(), self._mark_items()), clip=self._clip)

        return deferred(*self._size, draw_layers, ink=self._estimate_ink)

    def _estimate_ink(self) -> float:
        """Return the estimated ink share of the board, from the ground that each kind of feature covers."""
        inks = symbol_inks(self.drafter.style)
        share = inks["ground" if self.country is None else self.country.sign]
        area = self._printed.ground.area
        for feature in self._wide.features:
            if isinstance(feature, Crossing):
                continue
            covered_area = feature.line.length * feature.width if isinstance(feature, Course) else feature.outline.area
            # Features lie anywhere, so each covers as much of the others as of the board.
            covered_share = min(1.0, covered_area / area)
            share += covered_share * (inks.get(_ink_key(feature), share) - share)
        return share

    @property
    def outlines(self) -> Drawing:
        """Return the board as a quick drawing that shows which sheets show something.

        It has the ground, the outlines of the features in place of their symbols, the marks and the labels. It has no
        dressing.
        """
        context, printed = self._context, self._printed
        footprint = [_find_footprint(feature, printed, context) for feature in printed.features]
        ground = printed.ground if printed.grid is None else printed.grid.hull()
        outlines = shapely.intersection(shapely.union_all(footprint), ground)

        def draw_items() -> LayeredItems:
            """Yield (layer, item) pairs of ground, outlines and marks."""
            ink = self.drafter.style.solid("ink")
            yield from on_layer(LayerName.PAPER, fill(ground, ink))
            yield from on_layer(LayerName.FIELD, fill(outlines, ink))
            yield from self._mark_items()

        return deferred(*self._size, lambda: group_by_layer(draw_items(), clip=self._clip))

    @cached_property
    def labels(self) -> Labels:
        """Return the labels in printed mm; names grow on large boards."""
        growth = math.pow(grown_by(self.field, self.drafter.context.scale), _NAMES_GROW)
        return labels(
            self._wide,
            replace(self.drafter, context=self._cell_context, growth=growth),
            numbers=self.numbers and self.field.grid is None,
            kept_free=self._mark_ground,
            period=self.period,
            seams=self.seams,
        )

    @cached_property
    def _printed(self) -> Battlefield:
        """Return the battlefield in printed mm."""
        return scaled(self.field, self.drafter.context.scale)

    @cached_property
    def _wide(self) -> Battlefield:
        """Return the battlefield in printed mm, with features as wide as they are drawn."""
        return all_sized(self._printed, self._cell_context)

    @property
    def _size(self) -> tuple[float, float]:
        """Return the width and the depth of the board in printed mm."""
        return self._printed.board.width, self._printed.board.depth

    @property
    def _clip(self) -> Rect | PathRun:
        """Return the edge of the board, or of the cells of its grid, in printed mm or as a run."""
        cells = self._printed.grid
        return Rect(0, 0, *self._size) if cells is None else runs(cells.hull())[0]

    @cached_property
    def _cell_context(self) -> SymbolContext:
        """Return the context of the symbols; its labels are not placed yet."""
        return cell_context(self.drafter.context, self._printed.grid)

    @cached_property
    def _context(self) -> SymbolContext:
        """Return the context of the symbols, which stay clear of the labels."""
        clear = self.labels.clear
        if self.zones:
            clear = shapely.union(clear, zone_number_ground(self._printed, self._cell_drafter))
        return replace(self._cell_context, clear=clear)

    @property
    def _cell_drafter(self) -> Drafter:
        """Return the drafter with the context of the symbols."""
        return replace(self.drafter, context=self._cell_context)

    @cached_property
    def _painters(self) -> tuple[OverlayPainter, ...]:
        """Return the painters of rule systems for the overlays that are shown."""
        return painters_of(self._printed) if self.deployment else ()

    @cached_property
    def _mark_ground(self) -> BaseGeometry:
        """Return the area of the marks of rule systems and the numbers of cells, in printed mm, which labels avoid."""
        cells, drafter = self._printed.grid, self._cell_drafter
        mark_ground: BaseGeometry = number_ground(cells, drafter) if cells is not None and self.grid else NOTHING
        for painter in self._painters:
            if painter.ground is not None:
                mark_ground = shapely.union(mark_ground, painter.ground(self._printed, drafter))
        return mark_ground

    def _mark_items(self) -> LayeredItems:
        """Yield (layer, item) pairs of the marks on the terrain (cells, zones, deployment), then of the labels.

        Items are in printed mm.
        """
        if self.drafter.style.bare:
            return
        printed, drafter = self._printed, replace(self.drafter, context=self._context)
        if printed.grid is not None and self.grid:
            yield from cell_marks(printed.grid, drafter)
        yield from grid_lines(printed, drafter)
        yield from keep_clear_squares(printed, drafter)
        yield from playing_edge(printed, drafter)
        if self.deployment:
            yield from deployment_lines(printed, drafter)
            for painter in self._painters:
                yield from painter.marks(printed, drafter)
        if self.zones:
            yield from quarter_lines(printed, drafter)
            yield from zone_crosses(printed, drafter)
        yield from self.labels.items

    def _terrain_items(self) -> LayeredItems:
        """Yield (layer, item) pairs of the ground, the dressing, the symbols of the features, and trees.

        Items are in printed mm. A grid without features has no grass and no dressing.
        """
        printed, context, wide = self._printed, self._context, self._wide
        cells = printed.grid
        if self.drafter.style.painted:
            yield from catalogue.draw(printed if self.grid else replace(printed, grid=None), context)
            return
        # A grid without features is a sheet to sketch on, so it gets no grass and no dressing.
        is_sketch = cells is not None and not printed.features
        free = Polygon() if is_sketch else free_ground(wide, context)
        dressing = None
        if self.country is not None and not is_sketch:
            dressing = find_dressing(self.field, self.country, context)
        grassy = free
        if dressing is not None:
            lane_ground = dressing.lane_ground(context).buffer(context.size(_CLEAR_OF_LANES), quad_segs=3)
            free = shapely.difference(free, lane_ground)
            grassy = shapely.difference(free, dressing.tilled_ground(context))
        open_ground = shapely.difference(grassy, self._mark_ground)
        yield from ground(printed.ground, context, open_ground, drifts=dressing is not None)
        if dressing is not None:
            clear_context = replace(context, clear=shapely.union(context.clear, self._mark_ground))
            yield from draw_dressing(dressing, printed.ground, covered(printed, ROUTES, context), clear_context)
        yield from catalogue.draw(printed, context)
        if cells is None:
            yield from wayside_trees(wide, context, free)
        else:
            drafter = replace(self.drafter, context=context)
            yield from cell_trees(wide, cells, drafter, free, marked=self.grid)


def _find_footprint(feature: Feature, printed: Battlefield, context: SymbolContext) -> BaseGeometry:
    """Return the area of the symbol of a feature, in printed mm; ``printed`` is its battlefield in printed mm."""
    match feature:
        case Crossing():
            return feature.at.buffer(context.size(_CROSSING_REACH), quad_segs=4)
        case Course():
            reach = _WATER_REACH if feature.kind in WATERS else _REACH
            return course_ground(feature, printed, context, spare=context.size(reach))
        case _:
            return feature.outline.buffer(context.size(_REACH), quad_segs=4)


def _ink_key(feature: Feature) -> str:
    """Return the key of the legend entry of a feature."""
    if not isinstance(feature, Hill):
        return feature.kind
    if feature.cover is not None:
        return f"{feature.cover}_hill"
    return "gentle_slope" if feature.kind is Kind.HILL else feature.kind


def scaled(field: Battlefield, scale: float) -> Battlefield:
    """Return the battlefield in printed mm: shapes, widths, paces and base widths multiplied by ``scale``.

    A scale of 1 returns the same battlefield.

    Raises:
        PageError: the scale is not greater than 0.
    """
    validate_scale(scale)
    if scale == 1:
        return field
    board = field.board
    ground_scale = GroundScale(pace=board.scale.pace * scale, base_width=board.scale.base_width * scale)
    outer_margins = OuterMargins(*(reach * scale for reach in board.outer_margins))
    scale_shape = partial(_sized, scale=scale)
    features = (
        replace(feature, width=feature.width * scale) if isinstance(feature, Course) else feature
        for feature in field.features
    )
    return replace(
        field,
        board=Board(board.width * scale, board.depth * scale, ground_scale, outer_margins),
        features=tuple(transform_shapes(feature, scale_shape) for feature in features),
        grid=None if field.grid is None else replace(field.grid, cell=field.grid.cell * scale),
        overlays=tuple(replace(overlay, shape=scale_shape(overlay.shape)) for overlay in field.overlays),
    )


def validate_scale(scale: float) -> None:
    """Reject a scale (printed mm per mm of the board) that is not greater than 0.

    Raises:
        PageError: the scale is not possible.
    """
    if not scale > 0:
        raise PageError("a scale of {scale:g} is not possible; 1 is actual size, 0.25 a quarter of it", scale=scale)


def _sized(shape: Any, scale: float) -> Any:
    """Return a geometry with all coordinates multiplied by ``scale``: from mm of the board to printed mm."""
    return shapely.transform(shape, lambda points: points * scale)


def free_ground(field: Battlefield, context: SymbolContext, *, beside: float = _CLEAR_OF_COURSES) -> BaseGeometry:
    """Return the board without features and their borders, in printed mm: the open ground, for grass.

    Borders round courses are ``beside`` mm wide at 1:1, those round areas and hills 1.5 mm. Crossings are ignored. The
    battlefield is in printed mm.
    """
    borders: list[BaseGeometry] = []
    for feature in field.features:
        match feature:
            case Area() | Hill():
                borders.append(feature.outline.buffer(context.size(_CLEAR_OF_AREAS), quad_segs=4))
            case Course():
                borders.append(feature.line.buffer(feature.width / 2 + context.size(beside), quad_segs=4))
            case Crossing():
                pass
    board: Polygon = field.ground
    return shapely.difference(board, shapely.union_all(borders)) if borders else board


# --- A small map for a page: the board at a scale that fits, with a thin frame ----------------------------------------

_LINE: Final = 0.35
_PAD: Final = 0.4


def small_map(field: Battlefield, width: float, height: float, drafter: Drafter, *, numbers: bool = False) -> Drawing:
    """Return the framed board at the largest scale that fits ``width`` by ``height`` printed mm.

    The scale is at most actual size, and the frame is inside the size. The map has no zones and no deployment lines;
    ``numbers`` draws the key numbers of the features.

    Args:
        field: the battlefield in mm of the board.
        width: available width in printed mm.
        height: available height in printed mm.
        drafter: style and words; its scale is replaced.
        numbers: draw the key numbers.

    Raises:
        PageError: the size has no room for a map inside its frame.
    """
    field = extend_board(field)
    scale = min((width - 2 * _PAD) / field.board.width, (height - 2 * _PAD) / field.board.depth, 1.0)
    board = board_drawing(field, drafter.at(scale), numbers=numbers, zones=False, deployment=False)
    return in_frame(board, drafter.style)


def in_frame(board: Drawing, style: Style) -> Drawing:
    """Return a drawing with a thin frame; it becomes 0.8 printed mm wider and higher."""
    stroke = Stroke(style.solid("ink"), _LINE * style.line_factor, join=Join.MITRE)
    width, height = board.width + 2 * _PAD, board.height + 2 * _PAD
    frame = make_rectangle((_PAD / 2, _PAD / 2, width - _PAD, height - _PAD), None, stroke)
    return joined(
        width, height, [PlacedDrawing(board, _PAD, _PAD), PlacedDrawing(drawing_of(width, height, [frame]), 0.0, 0.0)]
    )
