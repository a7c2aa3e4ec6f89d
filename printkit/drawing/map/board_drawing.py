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
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.ink import symbol_inks
from printkit.drawing.canvas.items import Drawing, Join, Layer, LayeredItems, LayerName, PathRun, Rect, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, defer_drawing, drawing_of, group_by_layer, joined
from printkit.drawing.canvas.plain import NOTHING, make_rectangle
from printkit.drawing.canvas.shapes import fill, runs
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SymbolContext, large_board
from printkit.drawing.dressing.countryside_types import OpenCountry
from printkit.drawing.dressing.dressing import draw_dressing, find_dressing
from printkit.drawing.map.cell_marks import cell_context, cell_marks, cell_trees, number_ground
from printkit.drawing.map.labels import Labels, labels
from printkit.drawing.map.overlays import (
    OverlayPainter,
    deployment_lines,
    grid_lines,
    keep_clear_squares,
    painters_of,
    playing_edge,
    quarter_lines,
    zone_crosses,
    zone_number_ground,
)
from printkit.drawing.signs import catalogue
from printkit.drawing.signs.lines.course_lines import all_sized, covered, on_layer
from printkit.drawing.signs.relief.open_ground import ground
from printkit.drawing.signs.routes.roads import wayside_trees
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, OuterMargins
from printkit.terrain.field.features import ROUTES, Area, Course, Crossing, Hill, transform_shapes
from printkit.terrain.field.names import NO_NAMES
from printkit.terrain.field.transforms import extend_board


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


def board_drawing(
    field: Battlefield,
    drafter: Drafter,
    *,
    numbers: bool = True,
    names: bool = True,
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
        names=names,
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
        numbers: show the key number of each feature. A board with a grid does not show them.
        names: show the names of features and the destinations of roads. A crossing without its name shows its kind.
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
    names: bool = True
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

        return defer_drawing(*self._size, draw_layers, ink=self._estimate_ink)

    def _estimate_ink(self) -> float:
        """Return the estimated ink share of the board, from the ground that each kind of feature covers."""
        inks = symbol_inks(self.drafter.style)
        # The swatch of the dressing is about twice as full as a board.
        share = inks["ground"] if self.country is None else (inks["ground"] + inks[self.country.sign]) / 2
        area = self._printed_field.ground.area
        for feature in self._wide.features:
            if isinstance(feature, Crossing):
                continue
            covered_area = feature.line.length * feature.width if isinstance(feature, Course) else feature.outline.area
            # Features lie anywhere, so each covers as much of the others as of the board.
            covered_share = min(1.0, covered_area / area)
            share += covered_share * (inks.get(catalogue.legend_key(feature), share) - share)
        return share

    @property
    def outlines(self) -> Drawing:
        """Return the board as a quick drawing that shows which sheets show something.

        It has the ground, the outlines of the features in place of their symbols, the marks and the labels. It has no
        dressing.
        """
        context, printed = self._context, self._printed_field
        footprint = [catalogue.find_footprint(feature, printed, context) for feature in printed.features]
        ground = printed.ground if printed.grid is None else printed.grid.hull()
        outlines = shapely.intersection(shapely.union_all(footprint), ground)

        def draw_items() -> LayeredItems:
            """Yield (layer, item) pairs of ground, outlines and marks."""
            ink = self.drafter.style.solid("ink")
            yield from on_layer(LayerName.PAPER, fill(ground, ink))
            yield from on_layer(LayerName.FIELD, fill(outlines, ink))
            yield from self._mark_items()

        return defer_drawing(*self._size, lambda: group_by_layer(draw_items(), clip=self._clip))

    @cached_property
    def labels(self) -> Labels:
        """Return the labels in printed mm; names grow on large boards."""
        growth = math.pow(grown_by(self.field, self.drafter.context.scale), _NAMES_GROW)
        field = self._wide
        if not self.names:
            field = replace(field, features=tuple(replace(feature, name="") for feature in field.features))
        return labels(
            field,
            replace(self.drafter, context=self._cell_context, growth=growth),
            numbers=self.numbers and self.field.grid is None,
            kept_free=self._mark_ground,
            period=self.period if self.names else NO_NAMES,
            seams=self.seams,
        )

    @cached_property
    def _printed_field(self) -> Battlefield:
        """Return the battlefield in printed mm."""
        return scaled(self.field, self.drafter.context.scale)

    @cached_property
    def _wide(self) -> Battlefield:
        """Return the battlefield in printed mm, with features as wide as they are drawn."""
        return all_sized(self._printed_field, self._cell_context)

    @property
    def _size(self) -> tuple[float, float]:
        """Return the width and the depth of the board in printed mm."""
        return self._printed_field.board.width, self._printed_field.board.depth

    @property
    def _clip(self) -> Rect | PathRun:
        """Return the edge of the board, or of the cells of its grid, in printed mm or as a run."""
        cells = self._printed_field.grid
        return Rect(0, 0, *self._size) if cells is None else runs(cells.hull())[0]

    @cached_property
    def _cell_context(self) -> SymbolContext:
        """Return the context of the symbols; its labels are not placed yet."""
        return cell_context(self.drafter.context, self._printed_field.grid)

    @cached_property
    def _context(self) -> SymbolContext:
        """Return the context of the symbols, which stay clear of the labels."""
        clear = self.labels.clear
        if self.zones:
            clear = shapely.union(clear, zone_number_ground(self._printed_field, self._cell_drafter))
        return replace(self._cell_context, clear=clear)

    @property
    def _cell_drafter(self) -> Drafter:
        """Return the drafter with the context of the symbols."""
        return replace(self.drafter, context=self._cell_context)

    @cached_property
    def _painters(self) -> tuple[OverlayPainter, ...]:
        """Return the painters of rule systems for the overlays that are shown."""
        return painters_of(self._printed_field) if self.deployment else ()

    @cached_property
    def _mark_ground(self) -> BaseGeometry:
        """Return the area of the marks of rule systems and the numbers of cells, in printed mm, which labels avoid."""
        cells, drafter = self._printed_field.grid, self._cell_drafter
        mark_ground: BaseGeometry = number_ground(cells, drafter) if cells is not None and self.grid else NOTHING
        for painter in self._painters:
            if painter.ground is not None:
                mark_ground = shapely.union(mark_ground, painter.ground(self._printed_field, drafter))
        return mark_ground

    def _mark_items(self) -> LayeredItems:
        """Yield (layer, item) pairs of the marks on the terrain (cells, zones, deployment), then of the labels.

        Items are in printed mm.
        """
        if self.drafter.style.bare:
            return
        printed, drafter = self._printed_field, replace(self.drafter, context=self._context)
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
        printed, context, wide = self._printed_field, self._context, self._wide
        cells = printed.grid
        # A grid without features is a sheet to sketch on, so it gets no grass and no dressing.
        is_sketch = cells is not None and not printed.features
        dressing = None
        if self.country is not None and not is_sketch:
            dressing = find_dressing(self.field, self.country, context)
        if self.drafter.style.painted:
            yield from catalogue.draw(printed if self.grid else replace(printed, grid=None), context, dressing)
            return
        free = Polygon() if is_sketch else free_ground(wide, context)
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
