"""Arrange frame, legend, cartouche, compass, scale bars and key round the board (the furniture of a sheet)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import box

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, joined, padded, stack_blocks
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.furniture import cartouche, frame
from printkit.drawing.furniture.cartouche import cartouche_block
from printkit.drawing.furniture.compass import scales_block
from printkit.drawing.furniture.key import key_blocks
from printkit.drawing.furniture.legend import legend_block
from printkit.drawing.furniture.strips import FurnitureStrip, column, key_rows, strip
from printkit.drawing.map.board_drawing import scaled
from printkit.drawing.map.cells import cell_context
from printkit.drawing.map.map_layout import FurnitureRoom, MapLayout
from printkit.drawing.map.overlays import painters_of
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield

_INSET: Final = 12.0
_SMALLEST: Final = 0.02
_STEP: Final = 0.9
_HALVINGS: Final = 8
_IN_THE_HAND: Final = 0.30
_PLATE_SHARE: Final = 0.46
_BESIDE: Final = 10.0
_ASIDE: Final = 10.0
_PAD: Final = 1.5
_LONGEST_BAR: Final = 102.0
_LEAST_COLUMN: Final = 110.0
_LEAST_SHARE: Final = 0.16
_LOW: Final = 0.9
# Sizes to try for the furniture, relative to its normal size, largest first.
_LARGER: Final = (1.5, 1.35, 1.2, 1.1, 1.0)

_LOOSE: Final = 1e-6


class Furniture(StrEnum):
    """The furniture of a board: none, neat line and ticks, or frame, legend, cartouche, compass, scales and key."""

    NONE = "none"
    MAT = "mat"
    FULL = "full"


class FramedBoard(Struct, frozen=True):
    """The drawing of a sheet (origin at its lower left), the position of its board, and the free rim round it in mm."""

    drawing: Drawing
    board_at: Rect
    rim: float = 0.0


def furnished(board: Drawing, layout: MapLayout, kind: Furniture, *, draft: bool = False) -> FramedBoard:
    """Return the board with its furniture. The board does not change.

    Full furniture has a strip below the board, as wide as the board. If the layout has a ``room``, board and strip
    fill it: the strip is beside the board, beside it with the key below, or below it. Its type is as large as fits.

    Args:
        board: the result of ``board_drawing`` for the layout's battlefield at its scale.
        layout: the battlefield and its print settings.
        kind: how much furniture.
        draft: measure only; leave pictures and text empty.
    """
    drafter = Drafter.furniture(layout.style, layout.words, scale=layout.scale, draft=draft)
    # The furniture needs the board but draws none of its features.
    printed = scaled(replace(layout.field, features=()), layout.scale)
    grid = printed.grid
    grown = layout.grown if kind is Furniture.FULL else 1.0
    drafter = replace(drafter, context=cell_context(drafter.context, grid), grown=grown)
    match kind:
        case Furniture.NONE:
            return FramedBoard(board, Rect(0, 0, board.width, board.height))
        case Furniture.MAT if grid is not None:
            return _framed(board, frame.cell_mat_margins(drafter), frame.cell_mat(grid, drafter))
        case Furniture.MAT:
            margins = frame.mat_margins(drafter)
            return _with_margins(_framed(board, margins, frame.mat(printed, drafter)), printed, drafter, margins)
        case Furniture.FULL:
            if grid is not None:
                about = () if draft else frame.cell_full(grid, drafter)
                beneath = () if draft else frame.shadow(grid, drafter)
                framed = _framed(board, frame.cell_full_margins(drafter), about, beneath)
            else:
                margins = frame.full_margins(drafter)
                framed = _framed(board, margins, () if draft else frame.full(printed, drafter, layout.caption.marks))
                framed = _with_margins(framed, printed, drafter, frame.inside_border(margins, drafter))
            if layout.room is None or frame.bordered(drafter):
                return _with_strip_below(framed, layout, drafter)
            ways = (_with_strip_beside, _with_strip_about)
            # A column beside a low board leaves empty bands above and below the board; a key below fills them.
            for arranged in ways if framed.drawing.height >= _LOW * layout.room.height else ways[::-1]:
                if (made := arranged(framed, layout, drafter, layout.room)) is not None:
                    return made
            return _with_strip_below(framed, layout, drafter, layout.room)


def size(layout: MapLayout, kind: Furniture) -> tuple[float, float]:
    """Return width and height in mm of a board with its furniture, without drawing the board."""
    board = layout.field.board
    empty = Drawing(board.width * layout.scale, board.depth * layout.scale, ())
    made = furnished(empty, layout, kind, draft=True).drawing
    return made.width, made.height


def fitting(layout: MapLayout, width: float, height: float, kind: Furniture = Furniture.FULL) -> MapLayout:
    """Return the layout at the largest scale, at most 1, that fits ``width`` by ``height`` mm.

    Raises:
        PageError: no scale fits, because type has a minimum size.
    """
    board, room = layout.field.board, FurnitureRoom(width, height)

    def placed(scale: float) -> MapLayout:
        return replace(layout, scale=scale, room=room)

    def fits(scale: float) -> bool:
        wide, high = size(placed(scale), kind)
        return wide <= width + _LOOSE and high <= height + _LOOSE

    low = high = min(1.0, width / board.width, height / board.depth)
    while not fits(low):
        low, high = low * _STEP, low
        if low < _SMALLEST:
            raise PageError(
                "{width:g} x {height:g} mm is too small for an overview; use a larger sheet",
                width=width,
                height=height,
            )
    for _ in range(_HALVINGS if low < high else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return placed(low)


def assembly_blocks(layout: MapLayout, width: float, height: float) -> tuple[Drawing, ...]:
    """Return the blocks that a mat does not show, for sheets of ``width`` by ``height`` mm.

    These are cartouche, legend, scale bars and key. Type and symbols have a size for reading in the hand; the bars are
    true to the layout's scale.
    """
    drafter = _held(layout)
    inner, limit = width - 2 * _PAD, height - 2 * _PAD
    plate = cartouche_block(layout, drafter, min(_PLATE_SHARE * inner, drafter.size(cartouche.WIDTH)))
    legend = legend_block(layout.field, drafter, inner - plate.width - _BESIDE, country=layout.country)
    bars = scales_block(layout.field, drafter, scale=layout.scale, longest=min(_LONGEST_BAR, inner / 2))
    key = key_blocks(layout, drafter, inner, height=limit)
    return tuple(padded(block, _PAD) for block in (plate, legend, bars, *key))


def key_sheets(layout: MapLayout, width: float, height: float) -> tuple[Drawing, ...]:
    """Return the key on as few drawings of ``width`` by ``height`` mm as possible."""
    drafter = _held(layout)
    return stack_blocks(width, height, key_blocks(layout, drafter, width, height=height))


def legend_sheet(layout: MapLayout, width: float) -> Drawing:
    """Return the legend, ``width`` mm wide, for a page that is read in the hand."""
    return padded(legend_block(layout.field, _held(layout), width - 2 * _PAD, country=layout.country), _PAD)


def _held(layout: MapLayout) -> Drafter:
    """Return the drafter for furniture on a sheet that is read in the hand."""
    return Drafter.furniture(layout.style, layout.words, scale=_IN_THE_HAND)


def _framed(
    board: Drawing, margins: frame.FrameMargins, about: Iterable[Item], beneath: Iterable[Item] = ()
) -> FramedBoard:
    """Return the board with margins: ``about`` is drawn in the frame layer, ``beneath`` under the board."""
    width = margins.left + board.width + margins.right
    height = margins.bottom + board.height + margins.top
    layers = (Layer(LayerName.PAPER, tuple(beneath)), Layer(LayerName.FRAME, tuple(about)))
    around = Drawing(board.width, board.height, tuple(layer for layer in layers if layer.items))
    parts = [PlacedDrawing(part, margins.left, margins.bottom) for part in (around, board)]
    return FramedBoard(joined(width, height, parts), Rect(margins.left, margins.bottom, board.width, board.height))


def _with_margins(
    framed: FramedBoard, printed: Battlefield, drafter: Drafter, about: frame.FrameMargins
) -> FramedBoard:
    """Return the framed board with the drawings that rule systems add outside its frame."""
    made = (framed.drawing, framed.board_at)
    for painter in painters_of(printed):
        if painter.margin is not None:
            made = painter.margin(made, printed, drafter, about)
    return FramedBoard(*made)


def _with_strip_below(
    framed: FramedBoard, layout: MapLayout, drafter: Drafter, room: FurnitureRoom | None = None
) -> FramedBoard:
    """Return the sheet with the strip below the board, and a border if the sheet is large enough."""
    board, bordered = framed.board_at, frame.bordered(drafter)
    inset = drafter.size(_INSET) if bordered else 0.0
    wide = board.width + 2 * inset if room is None else room.width - 2 * _PAD
    foot = frame.foot(drafter)
    free = 0.0 if room is None else room.height - foot - framed.drawing.height
    below = _largest(drafter, free, lambda hand: strip(layout, hand, wide, height=free)) or strip(layout, drafter, wide)
    width = framed.drawing.width if room is None else max(framed.drawing.width, room.width)
    height = foot + below.height + framed.drawing.height
    # On a sheet that is wider than both, centre the board, not the frame with its uneven margins.
    left = 0.0 if room is None else min(max(0.0, (width - board.width) / 2 - board.x), width - framed.drawing.width)
    start = board.x - inset if room is None else (width - wide) / 2
    ground = [] if drafter.draft else [*_ground(width, height, layout)]
    rules = [*frame.border(width, height, drafter)] if bordered and not drafter.draft else []
    layers = (Layer(LayerName.SHEET, tuple(ground)), Layer(LayerName.FRAME, tuple(rules)))
    parts = [
        PlacedDrawing(framed.drawing, left, foot + below.height),
        *(PlacedDrawing(part.drawing, part.x + start, part.y + foot) for part in below.parts),
        PlacedDrawing(Drawing(width, height, layers), 0.0, 0.0),
    ]
    at = board._replace(x=board.x + left, y=board.y + foot + below.height)
    return FramedBoard(joined(width, height, parts), at, frame.rim(drafter))


def _with_strip_beside(
    framed: FramedBoard, layout: MapLayout, drafter: Drafter, room: FurnitureRoom
) -> FramedBoard | None:
    """Return the sheet with the strip as a column right of the board, or None if it does not fit."""
    wide = room.width - framed.drawing.width - drafter.size(_ASIDE) - _PAD
    beside = _beside(layout, drafter, wide, room)
    if beside is None or framed.drawing.height > room.height:
        return None
    foot = (room.height - framed.drawing.height) / 2
    return _filling(framed, foot, layout, room, _aside(beside, room.width - wide - _PAD, _PAD), drafter)


def _with_strip_about(
    framed: FramedBoard, layout: MapLayout, drafter: Drafter, room: FurnitureRoom
) -> FramedBoard | None:
    """Return the sheet with the key below the board and the other parts on the right, or None if they do not fit."""
    board = framed.board_at
    wide = room.width - framed.drawing.width - drafter.size(_ASIDE) - _PAD
    free = room.height - framed.drawing.height - 2 * _PAD
    key = _largest(drafter, free, lambda hand: _rows(key_rows(layout, hand, board.width)))
    if key is None or not key.parts:
        return None
    beside = _beside(layout, drafter, wide, room, keyed=False)
    if beside is None:
        return None
    parts = [*_aside(key, board.x, _PAD + (free - key.height) / 2), *_aside(beside, room.width - wide - _PAD, _PAD)]
    return _filling(framed, room.height - framed.drawing.height, layout, room, parts, drafter)


def _beside(
    layout: MapLayout, drafter: Drafter, width: float, room: FurnitureRoom, *, keyed: bool = True
) -> FurnitureStrip | None:
    """Return the column beside a board, as high as the available area, or None if it does not fit."""
    free = room.height - 2 * _PAD

    def made(hand: Drafter, *, rosed: bool) -> FurnitureStrip | None:
        least = max(hand.size(_LEAST_COLUMN), _LEAST_SHARE * room.width)
        if layout.style.least_pt:
            # Scale bars do not shrink with their figures.
            least = max(least, scales_block(layout.field, hand, scale=layout.scale).width)
        wide_enough = width >= least
        return column(layout, hand, width, height=free, keyed=keyed, rosed=rosed) if wide_enough else None

    plain = partial(made, rosed=False)
    if drafter.draft:
        return _largest(drafter, free, plain)
    return _largest(drafter, free, partial(made, rosed=True)) or _largest(drafter, free, plain)


def _largest(
    drafter: Drafter, height: float, made: Callable[[Drafter], FurnitureStrip | None]
) -> FurnitureStrip | None:
    """Return the strip with the largest type and symbols that fit in ``height`` mm, or None if no size fits."""
    for larger in _LARGER[-1:] if drafter.draft else _LARGER:
        hand = replace(drafter, grown=drafter.grown * larger)
        found = made(replace(hand, draft=True))
        if found is not None and found.height <= height + _LOOSE:
            return found if drafter.draft else made(hand)
    return None


def _rows(rows: Sequence[FurnitureStrip]) -> FurnitureStrip:
    """Return the only row as a strip, or an empty strip."""
    return rows[0] if rows else FurnitureStrip([], 0.0)


def _aside(strip_: FurnitureStrip, x: float, y: float) -> list[PlacedDrawing]:
    return [PlacedDrawing(part.drawing, part.x + x, part.y + y) for part in strip_.parts]


def _filling(
    framed: FramedBoard,
    foot: float,
    layout: MapLayout,
    room: FurnitureRoom,
    parts: Sequence[PlacedDrawing],
    drafter: Drafter,
) -> FramedBoard:
    """Return a sheet that fills its area: the board on the left, ``foot`` mm above the bottom, and the parts."""
    tone = () if drafter.draft else tuple(_ground(room.width, room.height, layout))
    ground = Drawing(room.width, room.height, (Layer(LayerName.SHEET, tone),))
    placed = [PlacedDrawing(framed.drawing, 0.0, foot), *parts, PlacedDrawing(ground, 0.0, 0.0)]
    board = framed.board_at
    return FramedBoard(joined(room.width, room.height, placed), board._replace(y=board.y + foot))


def _ground(width: float, height: float, layout: MapLayout) -> Iterable[Item]:
    """Return the background colour of the sheet, if the style has washes."""
    return fill(box(0, 0, width, height), layout.style.ink("sheet")) if layout.style.washes else ()
