"""Furniture: everything about the board on a sheet, put together; and its parts as blocks for sheets of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

from shapely import box

from printkit.chance.streams import Jitter
from printkit.drawing import cartouche, frame
from printkit.drawing.cartouche import Caption, cartouche_block
from printkit.drawing.compass import compass
from printkit.drawing.composing import Placed, joined, stacked
from printkit.drawing.desk import Desk
from printkit.drawing.items import Drawing, Item, Layer, LayerName, Rect
from printkit.drawing.key import key_blocks
from printkit.drawing.legend import entries_of, legend_block, legend_columns
from printkit.drawing.pen import Pen
from printkit.drawing.plan import scaled
from printkit.drawing.scales import scales_block
from printkit.drawing.shapes import fill
from printkit.drawing.style import Style
from printkit.errors import PageError
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.noise import Noise
from printkit.words import Words

Kind: TypeAlias = Literal["none", "mat", "full"]

_INSET: Final = 12.0
_GAP: Final = 8.0
_ASIDE: Final = 16.0
_SMALLEST: Final = 0.05
_HALVINGS: Final = 12
_ASSEMBLY_SCALE: Final = 0.45


@dataclass(frozen=True, slots=True)
class Furnished:
    """A sheet's drawing, its lower left corner the origin, and where on it the board lies."""

    drawing: Drawing
    board_at: Rect


def furnished(
    board: Drawing,
    field: Battlefield,
    kind: Kind,
    *,
    style: Style,
    words: Words,
    scale: float = 1.0,
    caption: Caption,
    accounts: Mapping[str, str],
) -> Furnished:
    """Return the board with its furniture about it; the board keeps its size, and nothing is drawn upon it.

    Args:
        board: what ``plan.board_drawing`` returned at the same ``scale``.
        field: its battlefield, in mm of the board.
        kind: ``none``: the board alone; ``mat``: neat line and ticks; ``full``: frame, and the strip of legend,
            cartouche, compass, scales and key below.
        style: colours and manner.
        words: one language or two.
        scale: printed mm per mm of the board.
        caption: title and what else the cartouche says.
        accounts: by the ID of a feature, the sentence that tells how it came about.
    """
    desk = desk_of(style, words, scale)
    printed = scaled(field, scale)
    match kind:
        case "none":
            return Furnished(board, Rect(0, 0, board.width, board.height))
        case "mat":
            margins = frame.mat_margins(desk)
            return _assembled(board, margins, list(frame.mat(printed, desk)), [], 0.0, desk)
        case "full":
            margins = frame.full_margins(printed, desk)
            width = _strip_width(board.width, desk)
            blocks, height = _strip(field, desk, caption, accounts, width, scale)
            below = margins.bottom + height
            return _assembled(board, margins, list(frame.full(printed, desk)), blocks, below, desk)


def desk_of(style: Style, words: Words, scale: float = 1.0) -> Desk:
    """Return the desk at which furniture is drawn; its legend looks the same on every map."""
    pen = Pen(style=style, jitter=Jitter(0), noise=_noise(), scale=scale)
    return Desk(pen=pen, words=words)


def fitting_scale(
    field: Battlefield,
    width: float,
    height: float,
    *,
    style: Style,
    words: Words,
    kind: Kind = "full",
    caption: Caption,
    accounts: Mapping[str, str],
) -> float:
    """Return the largest scale, at most 1, at which a furnished board fits ``width`` by ``height`` mm.

    Raises:
        PageError: not even a twentieth of the size fits.
    """

    def fits(scale: float) -> bool:
        wide, high = furnished_size(
            field, kind, style=style, words=words, scale=scale, caption=caption, accounts=accounts
        )
        return wide <= width + 1e-6 and high <= height + 1e-6

    if fits(1.0):
        return 1.0
    low, high = _SMALLEST, 1.0
    if not fits(low):
        raise PageError(f"a sheet of {width:g} x {height:g} mm is too small for an overview; take a larger one")
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def furnished_size(
    field: Battlefield,
    kind: Kind,
    *,
    style: Style,
    words: Words,
    scale: float,
    caption: Caption,
    accounts: Mapping[str, str],
) -> tuple[float, float]:
    """Return width and height in mm of a furnished board, without drawing the board."""
    empty = Drawing(field.board.width * scale, field.board.depth * scale, ())
    made = furnished(
        empty, field, kind, style=style, words=words, scale=scale, caption=caption, accounts=accounts
    ).drawing
    return made.width, made.height


def assembly_blocks(
    field: Battlefield,
    width: float,
    height: float,
    *,
    style: Style,
    words: Words,
    scale: float = 1.0,
    caption: Caption,
    accounts: Mapping[str, str],
) -> tuple[Drawing, ...]:
    """Return what a mat leaves over, for sheets ``width`` by ``height`` mm: cartouche, legend, scales and key.

    ``scale`` is that of the board; the blocks themselves have the size that suits a sheet held in the hand.
    """
    desk = desk_of(style, words, _ASSEMBLY_SCALE)
    plate = cartouche_block(field, desk, caption, min(width, desk.size(cartouche.WIDTH)), scale=scale)
    legend = legend_block(field, desk, width)
    bars = scales_block(field.board, desk_of(style, words, 0.80), scale=scale)
    return plate, legend, bars, *key_blocks(field, desk, accounts, width, height=height)


def assembly_sheets(
    field: Battlefield,
    width: float,
    height: float,
    *,
    style: Style,
    words: Words,
    scale: float = 1.0,
    caption: Caption,
    accounts: Mapping[str, str],
) -> tuple[Drawing, ...]:
    """Return the blocks of ``assembly_blocks`` stacked on as few drawings of ``width`` by ``height`` mm as they need."""
    blocks = assembly_blocks(
        field, width, height, style=style, words=words, scale=scale, caption=caption, accounts=accounts
    )
    return stacked(width, height, blocks)


@cache
def _noise() -> Noise:
    return Noise.of(Jitter(0).stream("draw/noise"))


def _strip_width(board_width: float, desk: Desk) -> float:
    return board_width + (2 * desk.size(_INSET) if frame.bordered(desk) else 0.0)


def _strip(
    field: Battlefield, desk: Desk, caption: Caption, accounts: Mapping[str, str], width: float, scale: float
) -> tuple[list[Placed], float]:
    """Return the parts of the strip below the board, the left end of its foot their origin, and its height.

    Legend, cartouche, compass and scales stand side by side where the board is wide enough; else the legend stands
    in rows of its own. The key runs below in columns.
    """
    gap = desk.size(_GAP)
    bars = scales_block(field.board, desk, scale=scale)
    plate_width = min(desk.size(cartouche.WIDTH), 0.42 * width)
    left = width - plate_width - bars.width - 2 * desk.size(_ASIDE)
    beside = legend_columns(left, desk) >= 3 or len(entries_of(field)) <= 4
    rows: list[tuple[list[Placed], float]] = []
    if beside:
        legend = legend_block(field, desk, left)
        rows.append(_row(field, desk, caption, width, scale, plate_width, bars, legend))
    else:
        rows.append(_row(field, desk, caption, width, scale, plate_width, bars, None))
        legend = legend_block(field, desk, width)
        rows.append(([Placed(legend, 0.0, 0.0)], legend.height))
    rows += [([Placed(block, 0.0, 0.0)], block.height) for block in key_blocks(field, desk, accounts, width)]
    height = sum(row_height for _, row_height in rows) + gap * (len(rows) - 1)
    parts: list[Placed] = []
    top = height
    for row, row_height in rows:
        top -= row_height
        parts += [Placed(part.drawing, part.x, part.y + top) for part in row]
        top -= gap
    return parts, height


def _row(
    field: Battlefield,
    desk: Desk,
    caption: Caption,
    width: float,
    scale: float,
    plate_width: float,
    bars: Drawing,
    legend: Drawing | None,
) -> tuple[list[Placed], float]:
    """Return the row of cartouche, compass and scales, with the legend to its left where there is one."""
    least = max(legend.height if legend else 0.0, desk.size(cartouche.HEIGHT if legend else 0.0))
    plate = cartouche_block(field, desk, caption, plate_width, scale=scale, least=desk.size(96))
    height = max(least, plate.height, bars.height)
    parts: list[Placed] = []
    if legend is not None:
        radius = min(desk.size(30), (height - bars.height - desk.size(4)) / 2.64)
        rose = compass(desk, radius, letters=caption.north)
        right = width - bars.width
        parts.append(Placed(legend, 0.0, height - legend.height))
        parts.append(Placed(plate, right - desk.size(_ASIDE) - plate_width, (height - plate.height) / 2))
        parts.append(Placed(rose, right + (bars.width - desk.size(30) - rose.width) / 2, height - rose.height))
        parts.append(Placed(bars, right, 0.0))
        return parts, height
    rose = compass(desk, min(desk.size(30), height / 2.64), letters=caption.north)
    middle = (width - plate_width - bars.width - rose.width) / 2
    parts.append(Placed(plate, 0.0, (height - plate.height) / 2))
    parts.append(Placed(rose, plate_width + middle, (height - rose.height) / 2))
    parts.append(Placed(bars, width - bars.width, (height - bars.height) / 2))
    return parts, height


def _assembled(
    board: Drawing, margins: frame.Margins, about: list[Item], strip: list[Placed], below: float, desk: Desk
) -> Furnished:
    """Return the sheet: ground, board, frame and strip, moved so that its lower left corner is the origin."""
    foot = margins.bottom if not strip else below + desk.size(frame.FOOT if frame.bordered(desk) else 1.0)
    width = margins.left + board.width + margins.right
    height = foot + board.height + margins.top
    around = Drawing(board.width, board.height, (Layer(LayerName.FRAME, tuple(about)),))
    parts = [Placed(board, margins.left, foot), Placed(around, margins.left, foot)]
    if strip:
        inset = margins.left - (desk.size(_INSET) if frame.bordered(desk) else 0.0)
        parts += [Placed(part.drawing, part.x + inset, part.y + foot - below) for part in strip]
        ground: list[Item] = []
        if desk.style.washes:
            ground = [*fill(box(0, 0, width, height), desk.style.ink("sheet"))]
        rules = [*frame.border(width, height, desk)] if frame.bordered(desk) else []
        layers = (Layer(LayerName.SHEET, tuple(ground)), Layer(LayerName.FRAME, tuple(rules)))
        parts.append(Placed(Drawing(width, height, layers), 0.0, 0.0))
    return Furnished(joined(width, height, parts), Rect(margins.left, foot, board.width, board.height))
