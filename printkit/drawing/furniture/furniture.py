"""Furniture: everything about the board on a sheet, put together; and its parts as blocks for sheets of their own."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import box

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import Placed, joined, padded, stacked
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.furniture import cartouche, cell_frame, frame
from printkit.drawing.furniture.cartouche import cartouche_block
from printkit.drawing.furniture.key import key_blocks
from printkit.drawing.furniture.legend import legend_block
from printkit.drawing.furniture.scales import scales_block
from printkit.drawing.furniture.strip import column, strip
from printkit.drawing.map.board_drawing import scaled
from printkit.drawing.map.cells import cell_pen
from printkit.drawing.map.map_layout import Edition, Room
from printkit.drawing.text.drafter import Desk
from printkit.systems.collision.sheets.margin_strip import with_waiting
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.geometry.roughness import Noise

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


class Furniture(StrEnum):
    """What stands about the board: nothing; neat line and ticks; or frame, legend, cartouche, compass, scales, key."""

    NONE = "none"
    MAT = "mat"
    FULL = "full"


class Furnished(Struct, frozen=True):
    """A sheet's drawing, its lower left corner the origin, and where on it the board lies."""

    drawing: Drawing
    board_at: Rect


def furnished(board: Drawing, edition: Edition, kind: Furniture, *, draft: bool = False) -> Furnished:
    """Return the board with its furniture about it; the board keeps its size, and nothing is drawn upon it.

    The strip of a full one lies below the board, as wide as it; where the edition has a room, the strip takes its
    whole width, or stands beside the board if all fits so.

    Args:
        board: what ``plan.board_drawing`` returned of the edition's battlefield at its scale.
        edition: the battlefield and how it is printed.
        kind: how much furniture.
        draft: only the size is wanted; all pictures and the text of the plate, the scales and the key stay empty.
    """
    desk = _desk(edition, edition.scale, draft=draft)
    # Furniture stands about what lies on the board, and draws none of it.
    printed = scaled(replace(edition.field, features=()), edition.scale)
    grid = printed.grid
    desk = replace(desk, pen=cell_pen(desk.pen, grid))
    match kind:
        case Furniture.NONE:
            return Furnished(board, Rect(0, 0, board.width, board.height))
        case Furniture.MAT if grid is not None:
            return _framed(board, cell_frame.mat_margins(desk), cell_frame.mat(grid, desk))
        case Furniture.MAT:
            margins = frame.mat_margins(desk)
            return _with_columns(_framed(board, margins, frame.mat(printed, desk)), printed, desk, margins)
        case Furniture.FULL:
            if grid is not None:
                about = () if draft else cell_frame.full(grid, desk)
                beneath = () if draft else cell_frame.shadow(grid, desk)
                framed = _framed(board, cell_frame.full_margins(desk), about, beneath)
            else:
                margins = frame.full_margins(desk)
                framed = _framed(board, margins, () if draft else frame.full(printed, desk))
                framed = _with_columns(framed, printed, desk, frame.inside_border(margins, desk))
            room = None if frame.bordered(desk) else edition.room
            beside = _with_strip_beside(framed, edition, desk, room) if room is not None else None
            return beside or _with_strip_below(framed, edition, desk, room)


def size(edition: Edition, kind: Furniture) -> tuple[float, float]:
    """Return width and height in mm of a furnished board, without drawing the board."""
    board = edition.field.board
    empty = Drawing(board.width * edition.scale, board.depth * edition.scale, ())
    made = furnished(empty, edition, kind, draft=True).drawing
    return made.width, made.height


def fitting(edition: Edition, width: float, height: float, kind: Furniture = Furniture.FULL) -> Edition:
    """Return the edition with ``width`` by ``height`` mm as its room, at the largest scale, at most 1, that fits it.

    Raises:
        PageError: it fits at no scale, for type may not shrink as far as the board.
    """
    board, room = edition.field.board, Room(width, height)

    def placed(scale: float) -> Edition:
        return replace(edition, scale=scale, room=room)

    def fits(scale: float) -> bool:
        wide, high = size(placed(scale), kind)
        return wide <= width + 1e-6 and high <= height + 1e-6

    low = high = min(1.0, width / board.width, height / board.depth)
    while not fits(low):
        low, high = low * _STEP, low
        if low < _SMALLEST:
            raise PageError(
                "{width:g} x {height:g} mm is too small for an overview; take a larger sheet",
                width=width,
                height=height,
            )
    for _ in range(_HALVINGS if low < high else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return placed(low)


def assembly_blocks(edition: Edition, width: float, height: float) -> tuple[Drawing, ...]:
    """Return what a mat leaves over, for sheets ``width`` by ``height`` mm: cartouche, legend, scales and key.

    Type and signs have the size that suits a sheet held in the hand; the bars are true to the edition's scale.
    """
    desk = _desk(edition, _IN_THE_HAND)
    inner, limit = width - 2 * _PAD, height - 2 * _PAD
    plate = cartouche_block(edition, desk, min(_PLATE_SHARE * inner, desk.size(cartouche.WIDTH)))
    legend = legend_block(edition.field, desk, inner - plate.width - _BESIDE)
    bars = scales_block(edition.field, desk, scale=edition.scale, longest=min(_LONGEST_BAR, inner / 2))
    key = key_blocks(edition.field, desk, edition.accounts, inner, height=limit)
    return tuple(padded(block, _PAD) for block in (plate, legend, bars, *key))


def key_sheets(edition: Edition, width: float, height: float) -> tuple[Drawing, ...]:
    """Return the key alone on as few drawings of ``width`` by ``height`` mm as it needs."""
    desk = _desk(edition, _IN_THE_HAND)
    return stacked(width, height, key_blocks(edition.field, desk, edition.accounts, width, height=height))


def legend_sheet(edition: Edition, width: float) -> Drawing:
    """Return the legend alone, ``width`` mm wide, for a page that is held in the hand."""
    return padded(legend_block(edition.field, _desk(edition, _IN_THE_HAND), width - 2 * _PAD), _PAD)


def assembly_sheets(edition: Edition, width: float, height: float) -> tuple[Drawing, ...]:
    """Return the blocks of ``assembly_blocks`` on as few drawings of ``width`` by ``height`` mm as they need."""
    return stacked(width, height, assembly_blocks(edition, width, height))


def _desk(edition: Edition, scale: float, *, draft: bool = False) -> Desk:
    """Return the desk for furniture; its jitter is always the same, so that a legend looks alike on every map."""
    pen = Pen(style=edition.style, jitter=Jitter(0), noise=_noise(), scale=scale)
    return Desk(pen=pen, words=edition.words, draft=draft)


@cache
def _noise() -> Noise:
    return Noise.of(Jitter(0).stream("draw/noise"))


def _framed(board: Drawing, margins: frame.Margins, about: Iterable[Item], beneath: Iterable[Item] = ()) -> Furnished:
    """Return the board and what is drawn about it within the margins, above the sheet and beneath the board."""
    width = margins.left + board.width + margins.right
    height = margins.bottom + board.height + margins.top
    layers = (Layer(LayerName.PAPER, tuple(beneath)), Layer(LayerName.FRAME, tuple(about)))
    around = Drawing(board.width, board.height, tuple(layer for layer in layers if layer.items))
    parts = [Placed(part, margins.left, margins.bottom) for part in (around, board)]
    return Furnished(joined(width, height, parts), Rect(margins.left, margins.bottom, board.width, board.height))


def _with_columns(framed: Furnished, printed: Battlefield, desk: Desk, about: frame.Margins) -> Furnished:
    """Return the framed board with the columns that wait outside its frame."""
    return Furnished(*with_waiting((framed.drawing, framed.board_at), printed, desk, about))


def _with_strip_below(framed: Furnished, edition: Edition, desk: Desk, room: Room | None) -> Furnished:
    """Return the sheet with the strip below the board, and both in their border where the sheet is large enough."""
    board, bordered = framed.board_at, frame.bordered(desk)
    inset = desk.size(_INSET) if bordered else 0.0
    wide = board.width + 2 * inset if room is None else room.width - 2 * _PAD
    below = strip(edition, desk, wide)
    width = framed.drawing.width if room is None else max(framed.drawing.width, room.width)
    foot = frame.foot(desk)
    height = foot + below.height + framed.drawing.height
    # The board, not the frame with its uneven margins, stands in the middle of a sheet that is wider than both.
    left = 0.0 if room is None else min(max(0.0, (width - board.width) / 2 - board.x), width - framed.drawing.width)
    start = board.x - inset if room is None else (width - wide) / 2
    ground = [] if desk.draft else [*_ground(width, height, edition)]
    rules = [*frame.border(width, height, desk)] if bordered and not desk.draft else []
    layers = (Layer(LayerName.SHEET, tuple(ground)), Layer(LayerName.FRAME, tuple(rules)))
    parts = [
        Placed(framed.drawing, left, foot + below.height),
        *(Placed(part.drawing, part.x + start, part.y + foot) for part in below.parts),
        Placed(Drawing(width, height, layers), 0.0, 0.0),
    ]
    at = board._replace(x=board.x + left, y=board.y + foot + below.height)
    return Furnished(joined(width, height, parts), at)


def _with_strip_beside(framed: Furnished, edition: Edition, desk: Desk, room: Room) -> Furnished | None:
    """Return the sheet with the parts of the strip in a column right of the board, or None where they do not fit."""
    gap = desk.size(_ASIDE)
    wide = room.width - framed.drawing.width - gap - _PAD
    if wide < desk.size(_LEAST_COLUMN):
        return None
    beside = column(edition, desk, wide)
    height = max(framed.drawing.height, beside.height + 2 * _PAD)
    if height > room.height:
        return None
    width = framed.drawing.width + gap + wide + _PAD
    foot = (height - framed.drawing.height) / 2
    start = (height - beside.height) / 2
    tone = () if desk.draft else tuple(_ground(width, height, edition))
    ground = Drawing(width, height, (Layer(LayerName.SHEET, tone),))
    parts = [
        Placed(framed.drawing, 0.0, foot),
        *(Placed(part.drawing, part.x + width - wide - _PAD, part.y + start) for part in beside.parts),
        Placed(ground, 0.0, 0.0),
    ]
    return Furnished(joined(width, height, parts), framed.board_at._replace(y=framed.board_at.y + foot))


def _ground(width: float, height: float, edition: Edition) -> Iterable[Item]:
    """Return the tone of the sheet, where the style has washes."""
    return fill(box(0, 0, width, height), edition.style.ink("sheet")) if edition.style.washes else ()
