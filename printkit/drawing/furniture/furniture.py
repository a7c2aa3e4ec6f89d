"""Furniture: all that stands about the board on a sheet, as blocks, or as a strip below a framed board."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import count
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import box

from printkit.core.errors import PageError
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, joined, padded, stacked
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.furniture import cartouche, frame
from printkit.drawing.furniture.cartouche import cartouche_block
from printkit.drawing.furniture.compass import HEIGHT as COMPASS_HEIGHT
from printkit.drawing.furniture.compass import compass, scales_block
from printkit.drawing.furniture.key import key_blocks, key_columns, key_width
from printkit.drawing.furniture.legend import entries_of, legend_block, legend_columns
from printkit.drawing.map.board_drawing import scaled
from printkit.drawing.map.cells import cell_context
from printkit.drawing.map.map_layout import FurnitureRoom, MapLayout
from printkit.drawing.map.overlays import painters_of
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield

# --- The strip below a framed board: legend, cartouche, compass and scales side by side, the key before or beneath ----

_GAP: Final = 9.0
_STRIP_ASIDE: Final = 13.0
_RADIUS: Final = 30.0
_LEAST_PLATE: Final = 96.0
_LEAST_ROW: Final = 118.0
_STRIP_PLATE_SHARE: Final = 0.42
_FEW: Final = 4

_WIDE: Final = 1150.0
"""Above so many mm a strip is one row: beside a short legend a key beneath would leave most of it empty."""

_BETWEEN_BLOCKS: Final = 16.0
_LEGEND_PITCH: Final = 86.0
_LEGEND_COLUMNS: Final = (3, 4)
_MANY_KINDS: Final = 15
"""Above so many kinds a legend that stands between others has the larger number of columns."""

_LEAST_PLATE_SHARE: Final = 0.165
_LEAST_KEY: Final = 110.0
_LOWER: Final = 0.9
_HIGHEST_KEY: Final = 1.25
"""By how much a key may be higher than its neighbours before it stands beneath them after all."""

_ROSE_AIR: Final = 3.0
_ROW_AIR: Final = 5.0
_KEY_SIZES: Final = (1.2, 1.0)


class FurnitureStrip(Struct, frozen=True):
    """The parts of a strip, its lower left corner their origin, and its height in mm."""

    parts: list[PlacedDrawing]
    height: float


def strip(layout: MapLayout, drafter: Drafter, width: float) -> FurnitureStrip:
    """Return the strip of a sheet, ``width`` mm wide.

    Below a wide board all stands in one row, the key first. Else the legend stands beside the cartouche where it has
    room for three columns there, or in rows of its own, and the key is beneath them.
    """
    bars = scales_block(layout.field, drafter, scale=layout.scale)
    if width > _WIDE and (row := _in_one_row(layout, drafter, width, bars)) is not None:
        return row
    plate_width = min(drafter.size(cartouche.WIDTH), _STRIP_PLATE_SHARE * width)
    left = width - plate_width - bars.width - 2 * drafter.size(_STRIP_ASIDE)
    rows: list[FurnitureStrip] = []
    if legend_columns(left, drafter) >= 3 or len(entries_of(layout.field, dressed=layout.dressed)) <= _FEW:
        legend = legend_block(layout.field, drafter, left, dressed=layout.dressed)
        rows.append(_beside(layout, drafter, width, plate_width, bars, legend))
    else:
        legend = legend_block(layout.field, drafter, width, dressed=layout.dressed)
        rows.append(_apart(layout, drafter, width, plate_width, bars))
        rows.append(FurnitureStrip([PlacedDrawing(legend, 0.0, 0.0)], legend.height))
    key = key_blocks(layout.field, drafter, layout.accounts, width)
    rows.extend(FurnitureStrip([PlacedDrawing(block, 0.0, 0.0)], block.height) for block in key)
    return _below_one_another(rows, drafter.size(_GAP))


def column(layout: MapLayout, drafter: Drafter, width: float) -> FurnitureStrip:
    """Return the same parts as a column ``width`` mm wide, to stand beside a board."""
    bars = scales_block(layout.field, drafter, scale=layout.scale)
    legend = legend_block(layout.field, drafter, width, dressed=layout.dressed)
    plate = cartouche_block(layout, drafter, min(width, drafter.size(cartouche.WIDTH)))
    rows = [FurnitureStrip([PlacedDrawing(plate, (width - plate.width) / 2, 0.0)], plate.height)]
    radius = min(drafter.size(_RADIUS), bars.height / COMPASS_HEIGHT)
    rose = compass(drafter, radius, letters=layout.caption.north)
    beside = width - bars.width - rose.width
    if beside >= 0:
        rows.append(
            FurnitureStrip(
                [PlacedDrawing(rose, beside / 2, 0.0), PlacedDrawing(bars, width - bars.width, 0.0)], bars.height
            )
        )
    else:
        rows.append(FurnitureStrip([PlacedDrawing(bars, 0.0, 0.0)], bars.height))
    rows.append(FurnitureStrip([PlacedDrawing(legend, 0.0, 0.0)], legend.height))
    key = key_blocks(layout.field, drafter, layout.accounts, width)
    rows.extend(FurnitureStrip([PlacedDrawing(block, 0.0, 0.0)], block.height) for block in key)
    return _below_one_another(rows, drafter.size(_GAP))


def _in_one_row(layout: MapLayout, drafter: Drafter, width: float, bars: Drawing) -> FurnitureStrip | None:
    """Return key, legend, cartouche, compass over scales about one middle; None where a key has no room, or is too high.

    What they leave of the width is shared out between them.
    """
    plate_width = max(drafter.size(cartouche.WIDTH), _LEAST_PLATE_SHARE * width)
    plate = cartouche_block(layout, drafter, plate_width, least=drafter.size(_LEAST_PLATE))
    kinds = len(entries_of(layout.field, dressed=layout.dressed))
    columns = min(_LEGEND_COLUMNS[kinds > _MANY_KINDS], max(1, kinds))
    pitch = drafter.size(_LEGEND_PITCH)
    legend = legend_block(layout.field, drafter, columns * pitch, columns=columns, dressed=layout.dressed)
    rose = compass(drafter, drafter.size(_RADIUS), letters=layout.caption.north)
    tower = rose.height + drafter.size(_ROSE_AIR) + bars.height
    gap = drafter.size(_BETWEEN_BLOCKS)
    left = width - legend.width - plate.width - bars.width - 3 * gap
    height = max(legend.height, plate.height, tower)
    if left < drafter.size(_LEAST_KEY):
        return None
    key = _key_beside(layout, drafter, left, height)
    if key is not None and key.height > _HIGHEST_KEY * height:
        return None
    blocks = (legend, plate) if key is None else (key, legend, plate)
    height = max(height, *(block.height for block in blocks))
    gap = (width - bars.width - plain_sum(block.width for block in blocks)) / len(blocks)
    at = 0.0
    parts: list[PlacedDrawing] = []
    for block in blocks:
        parts.append(PlacedDrawing(block, at, (height - block.height) / 2))
        at += block.width + gap
    foot = (height - tower) / 2
    parts.append(PlacedDrawing(rose, at + (0.8 * bars.width - rose.width) / 2, foot + tower - rose.height))
    parts.append(PlacedDrawing(bars, at, foot))
    return FurnitureStrip(parts, height + drafter.size(_ROW_AIR))


def _key_beside(layout: MapLayout, drafter: Drafter, width: float, height: float) -> Drawing | None:
    """Return the key in as few columns, and as large, as keep it lower than its neighbours.

    It takes of the width what its columns need; None where there is nothing to be told.
    """
    found: Drawing | None = None
    for larger in _KEY_SIZES:
        hand = replace(drafter, grown=drafter.grown * larger)
        for columns in count(1):
            wanted = key_width(layout.field, hand, layout.accounts, columns)
            if wanted > width and columns > key_columns(width, hand):
                break
            blocks = key_blocks(layout.field, hand, layout.accounts, min(wanted, width), columns=columns)
            if not blocks:
                return None
            found = blocks[0]
            if found.height <= _LOWER * height:
                return found
    return found


def _below_one_another(rows: list[FurnitureStrip], gap: float) -> FurnitureStrip:
    height = plain_sum(row.height for row in rows) + gap * max(0, len(rows) - 1)
    parts: list[PlacedDrawing] = []
    top = height
    for row in rows:
        top -= row.height
        parts += [PlacedDrawing(part.drawing, part.x, part.y + top) for part in row.parts]
        top -= gap
    return FurnitureStrip(parts, height)


def _beside(
    layout: MapLayout, drafter: Drafter, width: float, plate_width: float, bars: Drawing, legend: Drawing
) -> FurnitureStrip:
    """Return legend, cartouche, and the compass above the scales, in one row."""
    least = drafter.size(_LEAST_ROW)
    plate = cartouche_block(layout, drafter, plate_width, least=drafter.size(_LEAST_PLATE))
    height = max(legend.height, plate.height, least)
    radius = min(drafter.size(_RADIUS), (height - bars.height - drafter.size(3)) / COMPASS_HEIGHT)
    rose = compass(drafter, radius, letters=layout.caption.north)
    right = width - bars.width
    over_bars = right + (0.8 * bars.width - rose.width) / 2
    parts = [
        PlacedDrawing(legend, 0.0, (height - legend.height) / 2),
        PlacedDrawing(plate, right - drafter.size(_STRIP_ASIDE) - plate_width, (height - plate.height) / 2),
        PlacedDrawing(rose, over_bars, height - rose.height),
        PlacedDrawing(bars, right, 0.0),
    ]
    return FurnitureStrip(parts, height)


def _apart(layout: MapLayout, drafter: Drafter, width: float, plate_width: float, bars: Drawing) -> FurnitureStrip:
    """Return cartouche, compass and scales in one row, each about its middle."""
    plate = cartouche_block(layout, drafter, plate_width)
    height = max(plate.height, bars.height)
    between = width - plate_width - bars.width
    radius = min(drafter.size(_RADIUS), height / COMPASS_HEIGHT, between * 0.36)
    rose = compass(drafter, radius, letters=layout.caption.north)
    parts = [
        PlacedDrawing(plate, 0.0, (height - plate.height) / 2),
        PlacedDrawing(rose, plate_width + (between - rose.width) / 2, (height - rose.height) / 2),
        PlacedDrawing(bars, width - bars.width, (height - bars.height) / 2),
    ]
    return FurnitureStrip(parts, height)


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
    """A sheet's drawing, its lower left corner the origin, where on it the board lies, and the free rim about all."""

    drawing: Drawing
    board_at: Rect
    rim: float = 0.0


def furnished(board: Drawing, layout: MapLayout, kind: Furniture, *, draft: bool = False) -> Furnished:
    """Return the board with its furniture about it; the board keeps its size, and nothing is drawn upon it.

    The strip of a full one lies below the board, as wide as it; where the layout has a room, the strip takes its
    whole width, or stands beside the board if all fits so.

    Args:
        board: what ``plan.board_drawing`` returned of the layout's battlefield at its scale.
        layout: the battlefield and how it is printed.
        kind: how much furniture.
        draft: only the size is wanted; all pictures and the text of the plate, the scales and the key stay empty.
    """
    drafter = Drafter.furniture(layout.style, layout.words, scale=layout.scale, draft=draft)
    # Furniture stands about what lies on the board, and draws none of it.
    printed = scaled(replace(layout.field, features=()), layout.scale)
    grid = printed.grid
    grown = layout.grown if kind is Furniture.FULL else 1.0
    drafter = replace(drafter, context=cell_context(drafter.context, grid), grown=grown)
    match kind:
        case Furniture.NONE:
            return Furnished(board, Rect(0, 0, board.width, board.height))
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
                framed = _framed(board, margins, () if draft else frame.full(printed, drafter))
                framed = _with_margins(framed, printed, drafter, frame.inside_border(margins, drafter))
            room = None if frame.bordered(drafter) else layout.room
            beside = _with_strip_beside(framed, layout, drafter, room) if room is not None else None
            return beside or _with_strip_below(framed, layout, drafter, room)


def size(layout: MapLayout, kind: Furniture) -> tuple[float, float]:
    """Return width and height in mm of a furnished board, without drawing the board."""
    board = layout.field.board
    empty = Drawing(board.width * layout.scale, board.depth * layout.scale, ())
    made = furnished(empty, layout, kind, draft=True).drawing
    return made.width, made.height


def fitting(layout: MapLayout, width: float, height: float, kind: Furniture = Furniture.FULL) -> MapLayout:
    """Return the layout with ``width`` by ``height`` mm as its room, at the largest scale, at most 1, that fits it.

    Raises:
        PageError: it fits at no scale, for type may not shrink as far as the board.
    """
    board, room = layout.field.board, FurnitureRoom(width, height)

    def placed(scale: float) -> MapLayout:
        return replace(layout, scale=scale, room=room)

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


def assembly_blocks(layout: MapLayout, width: float, height: float) -> tuple[Drawing, ...]:
    """Return what a mat leaves over, for sheets ``width`` by ``height`` mm: cartouche, legend, scales and key.

    Type and signs have the size that suits a sheet held in the hand; the bars are true to the layout's scale.
    """
    drafter = _held(layout)
    inner, limit = width - 2 * _PAD, height - 2 * _PAD
    plate = cartouche_block(layout, drafter, min(_PLATE_SHARE * inner, drafter.size(cartouche.WIDTH)))
    legend = legend_block(layout.field, drafter, inner - plate.width - _BESIDE, dressed=layout.dressed)
    bars = scales_block(layout.field, drafter, scale=layout.scale, longest=min(_LONGEST_BAR, inner / 2))
    key = key_blocks(layout.field, drafter, layout.accounts, inner, height=limit)
    return tuple(padded(block, _PAD) for block in (plate, legend, bars, *key))


def key_sheets(layout: MapLayout, width: float, height: float) -> tuple[Drawing, ...]:
    """Return the key alone on as few drawings of ``width`` by ``height`` mm as it needs."""
    drafter = _held(layout)
    return stacked(width, height, key_blocks(layout.field, drafter, layout.accounts, width, height=height))


def legend_sheet(layout: MapLayout, width: float) -> Drawing:
    """Return the legend alone, ``width`` mm wide, for a page that is held in the hand."""
    return padded(legend_block(layout.field, _held(layout), width - 2 * _PAD, dressed=layout.dressed), _PAD)


def assembly_sheets(layout: MapLayout, width: float, height: float) -> tuple[Drawing, ...]:
    """Return the blocks of ``assembly_blocks`` on as few drawings of ``width`` by ``height`` mm as they need."""
    return stacked(width, height, assembly_blocks(layout, width, height))


def _held(layout: MapLayout) -> Drafter:
    """Return the drafter of furniture on a sheet that is held in the hand."""
    return Drafter.furniture(layout.style, layout.words, scale=_IN_THE_HAND)


def _framed(
    board: Drawing, margins: frame.FrameMargins, about: Iterable[Item], beneath: Iterable[Item] = ()
) -> Furnished:
    """Return the board and what is drawn about it within the margins, above the sheet and beneath the board."""
    width = margins.left + board.width + margins.right
    height = margins.bottom + board.height + margins.top
    layers = (Layer(LayerName.PAPER, tuple(beneath)), Layer(LayerName.FRAME, tuple(about)))
    around = Drawing(board.width, board.height, tuple(layer for layer in layers if layer.items))
    parts = [PlacedDrawing(part, margins.left, margins.bottom) for part in (around, board)]
    return Furnished(joined(width, height, parts), Rect(margins.left, margins.bottom, board.width, board.height))


def _with_margins(framed: Furnished, printed: Battlefield, drafter: Drafter, about: frame.FrameMargins) -> Furnished:
    """Return the framed board with what rule systems draw outside its frame."""
    made = (framed.drawing, framed.board_at)
    for painter in painters_of(printed):
        if painter.margin is not None:
            made = painter.margin(made, printed, drafter, about)
    return Furnished(*made)


def _with_strip_below(framed: Furnished, layout: MapLayout, drafter: Drafter, room: FurnitureRoom | None) -> Furnished:
    """Return the sheet with the strip below the board, and both in their border where the sheet is large enough."""
    board, bordered = framed.board_at, frame.bordered(drafter)
    inset = drafter.size(_INSET) if bordered else 0.0
    wide = board.width + 2 * inset if room is None else room.width - 2 * _PAD
    below = strip(layout, drafter, wide)
    width = framed.drawing.width if room is None else max(framed.drawing.width, room.width)
    foot = frame.foot(drafter)
    height = foot + below.height + framed.drawing.height
    # The board, not the frame with its uneven margins, stands in the middle of a sheet that is wider than both.
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
    return Furnished(joined(width, height, parts), at, frame.rim(drafter))


def _with_strip_beside(framed: Furnished, layout: MapLayout, drafter: Drafter, room: FurnitureRoom) -> Furnished | None:
    """Return the sheet with the parts of the strip in a column right of the board, or None where they do not fit."""
    gap = drafter.size(_ASIDE)
    wide = room.width - framed.drawing.width - gap - _PAD
    if wide < drafter.size(_LEAST_COLUMN):
        return None
    beside = column(layout, drafter, wide)
    height = max(framed.drawing.height, beside.height + 2 * _PAD)
    if height > room.height:
        return None
    width = framed.drawing.width + gap + wide + _PAD
    foot = (height - framed.drawing.height) / 2
    start = (height - beside.height) / 2
    tone = () if drafter.draft else tuple(_ground(width, height, layout))
    ground = Drawing(width, height, (Layer(LayerName.SHEET, tone),))
    parts = [
        PlacedDrawing(framed.drawing, 0.0, foot),
        *(PlacedDrawing(part.drawing, part.x + width - wide - _PAD, part.y + start) for part in beside.parts),
        PlacedDrawing(ground, 0.0, 0.0),
    ]
    return Furnished(joined(width, height, parts), framed.board_at._replace(y=framed.board_at.y + foot))


def _ground(width: float, height: float, layout: MapLayout) -> Iterable[Item]:
    """Return the tone of the sheet, where the style has washes."""
    return fill(box(0, 0, width, height), layout.style.ink("sheet")) if layout.style.washes else ()
