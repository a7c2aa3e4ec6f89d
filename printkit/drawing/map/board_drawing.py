"""Draw a battlefield: the board at a scale with each symbol on its layer, and small maps for pages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import shapely
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Item, Join, LayerName, Rect, Stroke
from printkit.drawing.canvas.layers import PlacedDrawing, group_by_layer, joined
from printkit.drawing.canvas.shapes import runs
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.dressing.countryside_types import OpenCountry
from printkit.drawing.dressing.dressing import draw_dressing, find_dressing
from printkit.drawing.map.cells import cell_context, cell_marks, cell_trees, number_ground
from printkit.drawing.map.labels import Labels, labels
from printkit.drawing.map.map_layout import grown_by
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
from printkit.drawing.signs.lines.course_lines import all_sized, covered
from printkit.drawing.signs.relief.open_ground import ground
from printkit.drawing.signs.routes.roads import wayside_trees
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.text_styles import drawing_of, oblong, patch
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, OuterMargins
from printkit.terrain.field.features import ROUTES, Area, Course, Crossing, Hill, transform_shapes
from printkit.terrain.field.names import NO_NAMES
from printkit.terrain.field.transforms import extend_board

_CLEAR_OF_AREAS = 1.5
_CLEAR_OF_COURSES = 4.0
_CLEAR_OF_LANES = 1.2
_NOTHING: Final = Polygon()
# Names grow with this power of the growth factor of the furniture.
_NAMES_GROW: Final = 0.85


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
    seams: BaseGeometry = _NOTHING,
) -> Drawing:
    """Return the board at the scale of the drafter, in printed mm, without furniture.

    The drawing is as large as the board at that scale. Each layer is clipped to the board edge, or to the cells of a
    grid. If the style is set to draw terrain only (``bare``), it has no marks and no labels, whatever the arguments ask
    for.

    Args:
        field: the battlefield in mm of the board.
        drafter: style, scale, random variation, and words for crossings.
        numbers: draw the key number of each feature.
        zones: draw crosses and pale numbers for zones, and lines between quarters.
        deployment: draw the deployment lines of the sides.
        grid: draw the lines, dots and numbers of cells. Features on a grid have no key numbers.
        country: the dressing between the features; by default none.
        period: the name of a period in the name book, for road destinations; by default there are none.
        seams: the printed area round the cuts between sheets, which labels avoid where they can.

    Raises:
        PageError: the scale is not greater than 0.
    """
    printed = scaled(field, drafter.context.scale)
    cells = printed.grid
    context = cell_context(drafter.context, cells)
    drafter = replace(drafter, context=context)
    wide = all_sized(printed, context)
    painters = painters_of(printed) if deployment else ()
    mark_ground = _find_mark_ground(printed, drafter, painters, grid=grid)
    named = _lettered(field, wide, drafter, mark_ground, numbers=numbers, period=period, seams=seams)
    clear = shapely.union(named.clear, zone_number_ground(printed, drafter)) if zones else named.clear
    context = replace(context, clear=clear)
    drafter = replace(drafter, context=context)

    def board_items() -> Iterator[tuple[LayerName, Item]]:
        """Yield (layer, item) pairs of all items of the board, in printed mm."""
        if drafter.style.painted:
            yield from catalogue.draw(printed if grid else replace(printed, grid=None), context)
        else:
            yield from terrain_items()
        if not drafter.style.bare:
            yield from mark_items()

    def mark_items() -> Iterator[tuple[LayerName, Item]]:
        """Yield (layer, item) pairs of the marks on the terrain (cells, zones, deployment), then of the labels.

        Items are in printed mm. The arguments of ``board_drawing`` decide which marks there are.
        """
        if cells is not None and grid:
            yield from cell_marks(cells, drafter)
        yield from grid_lines(printed, drafter)
        yield from keep_clear_squares(printed, drafter)
        yield from playing_edge(printed, drafter)
        if deployment:
            yield from deployment_lines(printed, drafter)
            for painter in painters:
                yield from painter.marks(printed, drafter)
        if zones:
            yield from quarter_lines(printed, drafter)
            yield from zone_crosses(printed, drafter)
        yield from named.items

    def terrain_items() -> Iterator[tuple[LayerName, Item]]:
        """Yield (layer, item) pairs of the ground, the dressing, the symbols of the features, and trees.

        Items are in printed mm. A grid without features has no grass and no dressing.
        """
        # A grid without features is a sheet to sketch on, so it gets no grass and no dressing.
        is_sketch = cells is not None and not printed.features
        free = Polygon() if is_sketch else free_ground(wide, context)
        dressing = None if country is None or is_sketch else find_dressing(field, country, drafter.context)
        grassy = free
        if dressing is not None:
            free = shapely.difference(
                free, dressing.lane_ground(context).buffer(context.size(_CLEAR_OF_LANES), quad_segs=3)
            )
            grassy = shapely.difference(free, dressing.tilled_ground(context))
        yield from ground(printed.ground, context, shapely.difference(grassy, mark_ground), drifts=dressing is not None)
        if dressing is not None:
            clear_context = replace(context, clear=shapely.union(clear, mark_ground))
            yield from draw_dressing(dressing, printed.ground, covered(printed, ROUTES, context), clear_context)
        yield from catalogue.draw(printed, context)
        if cells is None:
            yield from wayside_trees(wide, context, free)
        else:
            yield from cell_trees(wide, cells, drafter, free, marked=grid)

    width, depth = printed.board.width, printed.board.depth
    clip = Rect(0, 0, width, depth) if cells is None else runs(cells.hull())[0]
    return Drawing(width, depth, group_by_layer(board_items(), clip=clip))


def board_labels(
    field: Battlefield,
    drafter: Drafter,
    *,
    numbers: bool = True,
    period: str = NO_NAMES,
    seams: BaseGeometry = _NOTHING,
) -> Labels:
    """Return the labels of a board in printed mm, placed as ``board_drawing`` places them.

    Args:
        field: the battlefield in mm of the board.
        drafter: style, scale and words.
        numbers: include the key number of each feature.
        period: the period of the names of road destinations; by default there are none.
        seams: the printed area round the cuts between sheets, which labels avoid where they can.

    Raises:
        PageError: the scale is not greater than 0.
    """
    printed = scaled(field, drafter.context.scale)
    drafter = replace(drafter, context=cell_context(drafter.context, printed.grid))
    mark_ground = _find_mark_ground(printed, drafter, painters_of(printed), grid=True)
    wide = all_sized(printed, drafter.context)
    return _lettered(field, wide, drafter, mark_ground, numbers=numbers, period=period, seams=seams)


def _find_mark_ground(
    printed: Battlefield, drafter: Drafter, painters: Sequence[OverlayPainter], *, grid: bool
) -> BaseGeometry:
    """Return the area of the marks of rule systems and the numbers of cells, in printed mm.

    Labels must not cover it. ``printed`` is the battlefield in printed mm. Without ``grid`` the numbers of cells do not
    count. The area is empty without painters and numbers.
    """
    cells = printed.grid
    mark_ground: BaseGeometry = number_ground(cells, drafter) if cells is not None and grid else _NOTHING
    for painter in painters:
        if painter.ground is not None:
            mark_ground = shapely.union(mark_ground, painter.ground(printed, drafter))
    return mark_ground


def _lettered(
    field: Battlefield,
    wide: Battlefield,
    drafter: Drafter,
    mark_ground: BaseGeometry,
    *,
    numbers: bool,
    period: str,
    seams: BaseGeometry,
) -> Labels:
    """Return the labels of a board in printed mm; names grow on large boards.

    Args:
        field: the battlefield in mm of the board.
        wide: the same battlefield in printed mm, with features as wide as they are drawn.
        drafter: style, scale and words.
        mark_ground: area of marks, which labels must not cover, in printed mm.
        numbers: include the key number of each feature; never on a grid.
        period: the period of the names of road destinations.
        seams: area round the cuts between sheets, in printed mm.
    """
    lettering = replace(drafter, growth=math.pow(grown_by(field, drafter.context.scale), _NAMES_GROW))
    numbers = numbers and field.grid is None
    return labels(wide, lettering, numbers=numbers, kept_free=mark_ground, period=period, seams=seams)


def scaled(field: Battlefield, scale: float) -> Battlefield:
    """Return the battlefield in printed mm: shapes, widths, paces and base widths multiplied by ``scale``.

    A scale of 1 returns the same battlefield.

    Raises:
        PageError: the scale is not greater than 0.
    """
    if not scale > 0:
        raise PageError("a scale of {scale:g} is not possible; 1 is actual size, 0.25 a quarter of it", scale=scale)
    if scale == 1:
        return field
    board = field.board
    ground_scale = GroundScale(pace=board.scale.pace * scale, base_width=board.scale.base_width * scale)
    beyond = OuterMargins(*(reach * scale for reach in board.outer_margins))
    scale_shape = partial(_sized, scale=scale)
    features = (
        replace(feature, width=feature.width * scale) if isinstance(feature, Course) else feature
        for feature in field.features
    )
    return replace(
        field,
        board=Board(board.width * scale, board.depth * scale, ground_scale, beyond),
        features=tuple(transform_shapes(feature, scale_shape) for feature in features),
        grid=None if field.grid is None else replace(field.grid, cell=field.grid.cell * scale),
        overlays=tuple(replace(overlay, shape=scale_shape(overlay.shape)) for overlay in field.overlays),
    )


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
    frame = patch(oblong(_PAD / 2, _PAD / 2, width - _PAD, height - _PAD), None, stroke)
    return joined(
        width, height, [PlacedDrawing(board, _PAD, _PAD), PlacedDrawing(drawing_of(width, height, [frame]), 0.0, 0.0)]
    )
