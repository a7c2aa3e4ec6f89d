"""Furniture: everything about the board on a sheet, put together; and its parts as blocks for sheets of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from shapely import box

from printkit.chance.streams import Jitter
from printkit.drawing import cartouche, frame
from printkit.drawing.cartouche import cartouche_block
from printkit.drawing.composing import Placed, joined, stacked
from printkit.drawing.desk import Desk
from printkit.drawing.edition import Edition
from printkit.drawing.items import Drawing, Item, Layer, LayerName, Rect
from printkit.drawing.key import key_blocks
from printkit.drawing.legend import legend_block
from printkit.drawing.pen import Pen
from printkit.drawing.plan import scaled
from printkit.drawing.scales import scales_block
from printkit.drawing.shapes import fill
from printkit.drawing.strip import Strip, strip
from printkit.errors import PageError
from printkit.terrain.noise import Noise

_INSET: Final = 12.0
_SMALLEST: Final = 0.02
_STEP: Final = 0.9
_HALVINGS: Final = 8
_IN_THE_HAND: Final = 0.45
_NO_STRIP: Final = Strip([], 0.0)


class Furniture(StrEnum):
    """What stands about the board: nothing; neat line and ticks; or frame, legend, cartouche, compass, scales, key."""

    NONE = "none"
    MAT = "mat"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Furnished:
    """A sheet's drawing, its lower left corner the origin, and where on it the board lies."""

    drawing: Drawing
    board_at: Rect


def furnished(board: Drawing, edition: Edition, kind: Furniture, *, draft: bool = False) -> Furnished:
    """Return the board with its furniture about it; the board keeps its size, and nothing is drawn upon it.

    Args:
        board: what ``plan.board_drawing`` returned of the edition's battlefield at its scale.
        edition: the battlefield and how it is printed.
        kind: how much furniture.
        draft: only the size is wanted; the swatches of the legend stay empty.
    """
    desk = _desk(edition, edition.scale, draft=draft)
    printed = scaled(edition.field, edition.scale)
    match kind:
        case Furniture.NONE:
            return Furnished(board, Rect(0, 0, board.width, board.height))
        case Furniture.MAT:
            return _assembled(board, frame.mat_margins(desk), frame.mat(printed, desk), _NO_STRIP, desk)
        case Furniture.FULL:
            below = strip(edition, desk, board.width + 2 * _inset(desk))
            return _assembled(board, frame.full_margins(printed, desk), frame.full(printed, desk), below, desk)


def size(edition: Edition, kind: Furniture) -> tuple[float, float]:
    """Return width and height in mm of a furnished board, without drawing the board."""
    board = edition.field.board
    empty = Drawing(board.width * edition.scale, board.depth * edition.scale, ())
    made = furnished(empty, edition, kind, draft=True).drawing
    return made.width, made.height


def fitting(edition: Edition, width: float, height: float, kind: Furniture = Furniture.FULL) -> Edition:
    """Return the edition at the largest scale, at most 1, at which all of it fits ``width`` by ``height`` mm.

    Raises:
        PageError: it fits at no scale, for type may not shrink as far as the board.
    """
    board = edition.field.board

    def fits(scale: float) -> bool:
        wide, high = size(edition.at(scale), kind)
        return wide <= width + 1e-6 and high <= height + 1e-6

    low = high = min(1.0, width / board.width, height / board.depth)
    while not fits(low):
        low, high = low * _STEP, low
        if low < _SMALLEST:
            raise PageError(f"{width:g} x {height:g} mm is too small for an overview; take a larger sheet")
    for _ in range(_HALVINGS if low < high else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return edition.at(low)


def assembly_blocks(edition: Edition, width: float, height: float) -> tuple[Drawing, ...]:
    """Return what a mat leaves over, for sheets ``width`` by ``height`` mm: cartouche, legend, scales and key.

    Type and signs have the size that suits a sheet held in the hand; the bars are true to the edition's scale.
    """
    desk = _desk(edition, _IN_THE_HAND)
    plate = cartouche_block(edition, desk, min(width, desk.size(cartouche.WIDTH)))
    legend = legend_block(edition.field, desk, width)
    bars = scales_block(edition.field.board, _desk(edition, 1.0), scale=edition.scale)
    return plate, legend, bars, *key_blocks(edition.field, desk, edition.accounts, width, height=height)


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


def _inset(desk: Desk) -> float:
    """Return how far the strip stands out beyond the board on either side."""
    return desk.size(_INSET) if frame.bordered(desk) else 0.0


def _assembled(board: Drawing, margins: frame.Margins, about: Iterable[Item], below: Strip, desk: Desk) -> Furnished:
    """Return the sheet: ground, board, frame and strip, moved so that its lower left corner is the origin."""
    foot = frame.foot(desk) if below.parts else 0.0
    board_foot = foot + below.height + margins.bottom
    width = margins.left + board.width + margins.right
    height = board_foot + board.height + margins.top
    around = Drawing(board.width, board.height, (Layer(LayerName.FRAME, tuple(about)),))
    parts = [Placed(board, margins.left, board_foot), Placed(around, margins.left, board_foot)]
    if below.parts:
        left = margins.left - _inset(desk)
        parts += [Placed(part.drawing, part.x + left, part.y + foot) for part in below.parts]
        ground = fill(box(0, 0, width, height), desk.style.ink("sheet")) if desk.style.washes else []
        rules = frame.border(width, height, desk) if frame.bordered(desk) else ()
        layers = (Layer(LayerName.SHEET, tuple(ground)), Layer(LayerName.FRAME, tuple(rules)))
        parts.append(Placed(Drawing(width, height, layers), 0.0, 0.0))
    return Furnished(joined(width, height, parts), Rect(margins.left, board_foot, board.width, board.height))
