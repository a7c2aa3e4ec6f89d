"""Arrange frame, legend, cartouche, compass, scale bars and key round the board (the furniture of a sheet)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import box

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, defer_drawing, defer_items, joined, padded, stack_blocks
from printkit.drawing.canvas.plain import TOLERANCE
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.furniture import frame
from printkit.drawing.furniture.compass import CARTOUCHE_WIDTH, build_cartouche, build_scale_bars
from printkit.drawing.furniture.key import FurnitureStrip, build_column, build_key_blocks, build_key_rows, build_strip
from printkit.drawing.furniture.legend import build_legend
from printkit.drawing.furniture.stored_swatches import READING_SCALE
from printkit.drawing.map.board_drawing import MapLayout, SheetArea, scaled
from printkit.drawing.map.cell_marks import cell_context
from printkit.drawing.map.overlays import painters_of
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield

_INSET: Final = 12.0
_SMALLEST: Final = 0.02
_STEP: Final = 0.9
_HALVINGS: Final = 8
_PLATE_SHARE: Final = 0.46
_PLATE_GAP: Final = 10.0
_COLUMN_GAP: Final = 10.0
_PAD: Final = 1.5
_LONGEST_BAR: Final = 102.0
_LEAST_COLUMN: Final = 110.0
_LEAST_SHARE: Final = 0.16
_LOW_SHARE: Final = 0.9
# Sizes to try for the furniture, relative to its normal size, largest first.
_FACTORS: Final = (1.5, 1.35, 1.2, 1.1, 1.0)


class Furniture(StrEnum):
    """The furniture of a board: none, neat line and ticks, or frame, legend, cartouche, compass, scales and key."""

    NONE = "none"
    MAT = "mat"
    FULL = "full"


class FramedBoard(Struct, frozen=True):
    """The drawing of a sheet, the position of its board, and the free rim round it, in printed mm.

    The origin is the lower left corner of the sheet.
    """

    drawing: Drawing
    board_rect: Rect
    rim: float = 0.0


def frame_board(board: Drawing, layout: MapLayout, kind: Furniture, *, measures: bool = False) -> FramedBoard:
    """Return the board with its furniture. The board does not change.

    Full furniture has a strip below the board, as wide as the board. If the layout has a ``sheet_area``, board and
    strip fill it: the strip is beside the board, beside it with the key below, or below it. Its type is as large as
    fits.

    Args:
        board: the result of ``board_drawing`` for the layout's battlefield at its scale.
        layout: the battlefield and its print settings.
        kind: how much furniture.
        measures: only the size of the sheet counts; furniture beside the board has the smallest type.
    """
    drafter = Drafter.furniture(layout.style, layout.words, scale=layout.scale)
    # The furniture needs the board but draws none of its features.
    printed_field = scaled(replace(layout.field, features=()), layout.scale)
    grid = printed_field.grid
    growth = layout.growth if kind is Furniture.FULL else 1.0
    drafter = replace(drafter, context=cell_context(drafter.context, grid), growth=growth)
    match kind:
        case Furniture.NONE:
            return FramedBoard(board, Rect(0, 0, board.width, board.height))
        case Furniture.MAT if grid is not None:
            return _add_frame(board, frame.cell_mat_margins(drafter), frame.draw_cell_mat_frame(grid, drafter))
        case Furniture.MAT:
            margins = frame.mat_margins(drafter)
            return _add_margin_drawings(
                _add_frame(board, margins, frame.draw_mat_frame(printed_field, drafter)),
                printed_field,
                drafter,
                margins,
            )
        case Furniture.FULL:
            if grid is not None:
                framed_board = _add_frame(
                    board,
                    frame.cell_full_margins(drafter),
                    frame.draw_cell_full_frame(grid, drafter),
                    frame.draw_shadow(grid, drafter),
                )
            else:
                margins = frame.full_margins(drafter)
                framed_board = _add_frame(
                    board, margins, frame.draw_full_frame(printed_field, drafter, layout.caption.marks)
                )
                framed_board = _add_margin_drawings(
                    framed_board, printed_field, drafter, frame.margins_inside_border(margins, drafter)
                )
            if layout.sheet_area is None or frame.has_border(drafter):
                return _add_strip_below(framed_board, layout, drafter)
            arrangements, factors = (_add_strip_beside, _with_strip_about), _FACTORS[-1:] if measures else _FACTORS
            # A column beside a low board leaves empty bands above and below the board; a key below fills them.
            for arrange in (
                arrangements
                if framed_board.drawing.height >= _LOW_SHARE * layout.sheet_area.height
                else arrangements[::-1]
            ):
                if (sheet := arrange(framed_board, layout, drafter, layout.sheet_area, factors)) is not None:
                    return sheet
            return _add_strip_below(framed_board, layout, drafter, layout.sheet_area, factors)


def framed_size(layout: MapLayout, kind: Furniture) -> tuple[float, float]:
    """Return width and height in printed mm of a board with its furniture, without drawing the board."""
    board = layout.field.board
    empty = Drawing(board.width * layout.scale, board.depth * layout.scale, ())
    sheet = frame_board(empty, layout, kind, measures=True).drawing
    return sheet.width, sheet.height


def fit_layout(
    layout: MapLayout, width: float, height: float, kind: Furniture = Furniture.FULL, *, min_scale: float = 0.0
) -> MapLayout:
    """Return the layout at the largest scale, at most 1, that fits ``width`` by ``height`` printed mm.

    The result has this size as its ``sheet_area``. The scale is found by halving, so it is nearly the largest. The
    search stops when no scale above ``min_scale`` can fit. The scale is then at most ``min_scale`` and may not fit.

    Raises:
        PageError: no scale down to 0.02 fits, because type has a minimum size.
    """
    board, sheet_area = layout.field.board, SheetArea(width, height)

    def layout_at_scale(scale: float) -> MapLayout:
        """Return the layout at a scale, in printed mm per mm of the board."""
        return replace(layout, scale=scale, sheet_area=sheet_area)

    def fits(scale: float) -> bool:
        """Return whether the sheet at a scale, in printed mm per mm of the board, fits the available size."""
        sheet_width, sheet_height = framed_size(layout_at_scale(scale), kind)
        return sheet_width <= width + TOLERANCE and sheet_height <= height + TOLERANCE

    lower = upper = min(1.0, width / board.width, height / board.depth)
    while upper > min_scale and not fits(lower):
        lower, upper = lower * _STEP, lower
        if lower < _SMALLEST:
            raise PageError(
                "{width:g} x {height:g} mm is too small for an overview; use a larger sheet",
                width=width,
                height=height,
            )
    for _ in range(_HALVINGS if lower < upper else 0):
        if upper <= min_scale:
            break
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if fits(middle) else (lower, middle)
    return layout_at_scale(lower)


def assembly_blocks(layout: MapLayout, width: float, height: float) -> tuple[Drawing, ...]:
    """Return the blocks that a mat does not show, for sheets of ``width`` by ``height`` printed mm.

    These are cartouche, legend, scale bars and key. Type and symbols have a size for reading in the hand; the bars are
    true to the layout's scale.
    """
    drafter = _reading_drafter(layout)
    inner, limit = width - 2 * _PAD, height - 2 * _PAD
    plate = build_cartouche(layout, drafter, min(_PLATE_SHARE * inner, drafter.size(CARTOUCHE_WIDTH)))
    legend = build_legend(layout.field, drafter, inner - plate.width - _PLATE_GAP, cover=layout.cover)
    bars = build_scale_bars(layout.field, drafter, scale=layout.scale, max_bar_mm=min(_LONGEST_BAR, inner / 2))
    key = build_key_blocks(layout, drafter, inner, height=limit)
    return tuple(padded(block, _PAD) for block in (plate, legend, bars, *key))


def key_sheets(layout: MapLayout, width: float, height: float) -> tuple[Drawing, ...]:
    """Return the key on as few drawings of ``width`` by ``height`` printed mm as possible.

    The tuple is empty if the battlefield has no features and no notes.
    """
    drafter = _reading_drafter(layout)
    return stack_blocks(width, height, build_key_blocks(layout, drafter, width, height=height))


def legend_sheet(layout: MapLayout, width: float, *, scale: float = READING_SCALE) -> Drawing:
    """Return the legend, ``width`` printed mm wide, for a page that is read in the hand.

    ``scale`` is that of its symbols and type, in printed mm per mm of the board.
    """
    drafter = Drafter.furniture(layout.style, layout.words, scale=scale)
    return padded(build_legend(layout.field, drafter, width - 2 * _PAD, cover=layout.cover), _PAD)


def _reading_drafter(layout: MapLayout) -> Drafter:
    """Return the drafter for furniture on a sheet that is read in the hand."""
    return Drafter.furniture(layout.style, layout.words, scale=READING_SCALE)


def _add_frame(
    board: Drawing, margins: frame.FrameMargins, frame_items: Iterable[Item], shadow_items: Iterable[Item] = ()
) -> FramedBoard:
    """Return the board with margins: ``frame_items`` is drawn in the frame layer, ``shadow_items`` under the board."""
    width = margins.left + board.width + margins.right
    height = margins.bottom + board.height + margins.top

    def draw_layers() -> Iterator[Layer]:
        """Yield the layers of the shadow and the frame, if they have items."""
        for name, items in ((LayerName.PAPER, tuple(shadow_items)), (LayerName.FRAME, tuple(frame_items))):
            if items:
                yield Layer(name, items)

    frame_drawing = defer_drawing(board.width, board.height, draw_layers)
    parts = [PlacedDrawing(part, margins.left, margins.bottom) for part in (frame_drawing, board)]
    return FramedBoard(joined(width, height, parts), Rect(margins.left, margins.bottom, board.width, board.height))


def _add_margin_drawings(
    framed_board: FramedBoard, printed_field: Battlefield, drafter: Drafter, margins: frame.FrameMargins
) -> FramedBoard:
    """Return the framed board with the drawings that rule systems add outside its frame.

    ``printed_field`` is in printed mm. ``margins`` are the margins inside the border, in printed mm.
    """
    sheet = (framed_board.drawing, framed_board.board_rect)
    for painter in painters_of(printed_field):
        if painter.margin is not None:
            sheet = painter.margin(sheet, printed_field, drafter, margins)
    return FramedBoard(*sheet)


def _add_strip_below(
    framed_board: FramedBoard,
    layout: MapLayout,
    drafter: Drafter,
    sheet_area: SheetArea | None = None,
    factors: Sequence[float] = _FACTORS,
) -> FramedBoard:
    """Return the sheet with the strip below the board, and a border if the sheet is large enough.

    Without ``sheet_area`` the sheet is as wide as the framed board. The result also has the position of the board on
    it, in printed mm.
    """
    board, has_border = framed_board.board_rect, frame.has_border(drafter)
    inset = drafter.size(_INSET) if has_border else 0.0
    strip_width = board.width + 2 * inset if sheet_area is None else sheet_area.width - 2 * _PAD
    bottom = frame.bottom_margin(drafter)
    free_height = 0.0 if sheet_area is None else sheet_area.height - bottom - framed_board.drawing.height
    strip_below = _build_largest(
        drafter,
        free_height,
        lambda larger_drafter: build_strip(layout, larger_drafter, strip_width, height=free_height),
        factors,
    ) or build_strip(layout, drafter, strip_width)
    width = framed_board.drawing.width if sheet_area is None else max(framed_board.drawing.width, sheet_area.width)
    height = bottom + strip_below.height + framed_board.drawing.height
    # On a sheet that is wider than both, centre the board, not the frame with its uneven margins.
    left = (
        0.0
        if sheet_area is None
        else min(max(0.0, (width - board.width) / 2 - board.x), width - framed_board.drawing.width)
    )
    start = board.x - inset if sheet_area is None else (width - strip_width) / 2

    def draw_layers() -> Iterator[Layer]:
        """Yield the layers of the background and the border."""
        yield Layer(LayerName.SHEET, tuple(_draw_background(width, height, layout)))
        yield Layer(LayerName.FRAME, tuple(frame.draw_border(width, height, drafter)) if has_border else ())

    parts = [
        PlacedDrawing(framed_board.drawing, left, bottom + strip_below.height),
        *(PlacedDrawing(part.drawing, part.x + start, part.y + bottom) for part in strip_below.parts),
        PlacedDrawing(defer_drawing(width, height, draw_layers), 0.0, 0.0),
    ]
    board_rect = board._replace(x=board.x + left, y=board.y + bottom + strip_below.height)
    return FramedBoard(joined(width, height, parts), board_rect, frame.rim_width(drafter))


def _add_strip_beside(
    framed_board: FramedBoard, layout: MapLayout, drafter: Drafter, sheet_area: SheetArea, factors: Sequence[float]
) -> FramedBoard | None:
    """Return the sheet with the strip as a column right of the board, or None if it does not fit.

    The board is at half the height of the sheet.
    """
    column_width = sheet_area.width - framed_board.drawing.width - drafter.size(_COLUMN_GAP) - _PAD
    side_column = _fit_column(layout, drafter, column_width, sheet_area, factors)
    if side_column is None or framed_board.drawing.height > sheet_area.height:
        return None
    bottom = (sheet_area.height - framed_board.drawing.height) / 2
    return _fill_area(
        framed_board,
        bottom,
        layout,
        sheet_area,
        _offset_parts(side_column, sheet_area.width - column_width - _PAD, _PAD),
    )


def _with_strip_about(
    framed_board: FramedBoard, layout: MapLayout, drafter: Drafter, sheet_area: SheetArea, factors: Sequence[float]
) -> FramedBoard | None:
    """Return the sheet with the key below the board and the other parts on the right.

    Return None if they do not fit, or if the key is empty.
    """
    board = framed_board.board_rect
    column_width = sheet_area.width - framed_board.drawing.width - drafter.size(_COLUMN_GAP) - _PAD
    free_height = sheet_area.height - framed_board.drawing.height - 2 * _PAD
    key = _build_largest(
        drafter,
        free_height,
        lambda larger_drafter: _first_row(build_key_rows(layout, larger_drafter, board.width)),
        factors,
    )
    if key is None or not key.parts:
        return None
    side_column = _fit_column(layout, drafter, column_width, sheet_area, factors, keyed=False)
    if side_column is None:
        return None
    parts = [
        *_offset_parts(key, board.x, _PAD + (free_height - key.height) / 2),
        *_offset_parts(side_column, sheet_area.width - column_width - _PAD, _PAD),
    ]
    return _fill_area(framed_board, sheet_area.height - framed_board.drawing.height, layout, sheet_area, parts)


def _fit_column(
    layout: MapLayout,
    drafter: Drafter,
    width: float,
    sheet_area: SheetArea,
    factors: Sequence[float],
    *,
    keyed: bool = True,
) -> FurnitureStrip | None:
    """Return the column beside a board, ``width`` printed mm wide, or None if it does not fit the area.

    It is as high as the area. ``keyed`` includes the key.
    """
    free_height = sheet_area.height - 2 * _PAD

    def build_sized_column(larger_drafter: Drafter, *, has_rose: bool) -> FurnitureStrip | None:
        """Return the column in this size of type, with a compass if ``has_rose``, or None if it is too narrow."""
        min_width = max(larger_drafter.size(_LEAST_COLUMN), _LEAST_SHARE * sheet_area.width)
        if layout.style.least_pt:
            # Scale bars do not shrink with their figures.
            min_width = max(min_width, build_scale_bars(layout.field, larger_drafter, scale=layout.scale).width)
        wide_enough = width >= min_width
        return (
            build_column(layout, larger_drafter, width, height=free_height, has_key=keyed, has_rose=has_rose)
            if wide_enough
            else None
        )

    for has_rose in (True, False):
        column = _build_largest(drafter, free_height, partial(build_sized_column, has_rose=has_rose), factors)
        if column is not None:
            return column
    return None


def _build_largest(
    drafter: Drafter, height: float, build: Callable[[Drafter], FurnitureStrip | None], factors: Sequence[float]
) -> FurnitureStrip | None:
    """Return the strip with the largest type and symbols that fit, or None if no size fits.

    ``height`` is the height that is free, in printed mm. ``build`` makes the strip with a drafter of this size, or
    returns None. ``factors`` are the sizes to try, largest first.
    """
    for factor in factors:
        strip = build(replace(drafter, growth=drafter.growth * factor))
        if strip is not None and strip.height <= height + TOLERANCE:
            return strip
    return None


def _first_row(rows: Sequence[FurnitureStrip]) -> FurnitureStrip:
    """Return the first of some rows as a strip, or a strip without parts and with height 0 if there are none."""
    return rows[0] if rows else FurnitureStrip([], 0.0)


def _offset_parts(strip_: FurnitureStrip, x: float, y: float) -> list[PlacedDrawing]:
    """Return the parts of a strip, moved right by ``x`` and up by ``y`` printed mm."""
    return [PlacedDrawing(part.drawing, part.x + x, part.y + y) for part in strip_.parts]


def _fill_area(
    framed_board: FramedBoard,
    foot: float,
    layout: MapLayout,
    sheet_area: SheetArea,
    parts: Sequence[PlacedDrawing],
) -> FramedBoard:
    """Return a sheet that fills its area: the board on the left, and the parts.

    The board is ``foot`` printed mm above the bottom.
    """
    ground = defer_items(
        *(sheet_area.width, sheet_area.height),
        lambda: _draw_background(sheet_area.width, sheet_area.height, layout),
        LayerName.SHEET,
    )
    drawings = [PlacedDrawing(framed_board.drawing, 0.0, foot), *parts, PlacedDrawing(ground, 0.0, 0.0)]
    board = framed_board.board_rect
    return FramedBoard(joined(sheet_area.width, sheet_area.height, drawings), board._replace(y=board.y + foot))


def _draw_background(width: float, height: float, layout: MapLayout) -> Iterable[Item]:
    """Yield the background of a sheet of ``width`` by ``height`` printed mm; nothing without washes."""
    return fill(box(0, 0, width, height), layout.style.ink("sheet")) if layout.style.washes else ()
