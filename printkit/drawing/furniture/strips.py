"""Arrange legend, cartouche, compass, scale bars and key in a strip below a framed board or a column beside it."""

from __future__ import annotations

from itertools import count
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import PlacedDrawing
from printkit.drawing.furniture import cartouche
from printkit.drawing.furniture.cartouche import cartouche_block
from printkit.drawing.furniture.compass import HEIGHT as COMPASS_HEIGHT
from printkit.drawing.furniture.compass import compass, scales_block
from printkit.drawing.furniture.key import key_blocks, key_columns, key_width
from printkit.drawing.furniture.legend import entries_of, legend_block, legend_columns
from printkit.drawing.map.map_layout import MapLayout
from printkit.drawing.text.drafter import Drafter

# --- The strip below a framed board: legend, cartouche, compass and scales in a row, the key in front or below --------

_GAP: Final = 9.0
_STRIP_ASIDE: Final = 13.0
_RADIUS: Final = 30.0
_LEAST_PLATE: Final = 96.0
_LEAST_ROW: Final = 118.0
_STRIP_PLATE_SHARE: Final = 0.42
_FEW: Final = 4
_WIDER_GAP: Final = 2.0

# Wider strips (mm at 1:1) are one row: a key below a short legend would leave most of the strip empty.
_WIDE: Final = 1150.0

_BETWEEN_BLOCKS: Final = 16.0
_LEGEND_PITCH: Final = 86.0
_LEGEND_COLUMNS: Final = (3, 4)
# A legend in the row with more entries than this gets the larger number of columns.
_MANY_KINDS: Final = 15

_LEAST_PLATE_SHARE: Final = 0.165
_LEAST_KEY: Final = 110.0
_LOWER: Final = 0.9
# A key that is more than this many times as high as its neighbours goes below them.
_HIGHEST_KEY: Final = 1.25

_ROSE_AIR: Final = 3.0
_ROW_AIR: Final = 5.0
_KEY_SIZES: Final = (1.2, 1.0)


class FurnitureStrip(Struct, frozen=True):
    """The parts of a strip and its height in mm. The origin is its lower left corner."""

    parts: list[PlacedDrawing]
    height: float


def strip(layout: MapLayout, drafter: Drafter, width: float, *, height: float = 0.0) -> FurnitureStrip:
    """Return the strip of a sheet, ``width`` mm wide. Rows that need less than ``height`` mm are spread over it.

    Below a wide board everything is in one row, with the key first. Otherwise the key is the last row, and the legend
    is beside the cartouche if three columns fit there, or in a separate row.
    """
    bars = scales_block(layout.field, drafter, scale=layout.scale)
    if width > _WIDE * drafter.context.symbol_scale and (row := _in_one_row(layout, drafter, width, bars)) is not None:
        return _below_one_another([row], 0.0, height)
    plate_width = min(drafter.size(cartouche.WIDTH), _STRIP_PLATE_SHARE * width)
    left = width - plate_width - bars.width - 2 * drafter.size(_STRIP_ASIDE)
    rows: list[FurnitureStrip] = []
    if legend_columns(left, drafter) >= 3 or len(entries_of(layout.field, layout.country)) <= _FEW:
        legend = legend_block(layout.field, drafter, left, country=layout.country)
        rows.append(_beside(layout, drafter, width, plate_width, bars, legend))
    else:
        legend = legend_block(layout.field, drafter, width, country=layout.country)
        rows.append(_apart(layout, drafter, width, plate_width, bars))
        rows.append(FurnitureStrip([PlacedDrawing(legend, 0.0, 0.0)], legend.height))
    rows += key_rows(layout, drafter, width)
    return _below_one_another(rows, drafter.size(_GAP), height)


def key_rows(layout: MapLayout, drafter: Drafter, width: float) -> list[FurnitureStrip]:
    """Return the key as rows ``width`` mm wide; none if the battlefield has no features or notes."""
    blocks = key_blocks(layout, drafter, width)
    return [FurnitureStrip([PlacedDrawing(block, 0.0, 0.0)], block.height) for block in blocks]


def column(
    layout: MapLayout, drafter: Drafter, width: float, *, height: float, keyed: bool = True, rosed: bool = True
) -> FurnitureStrip:
    """Return the parts as a column ``width`` mm wide beside a board, spread over ``height`` mm.

    ``keyed`` includes the key. If the compass does not fit beside the scale bars, ``rosed`` places it above them;
    otherwise it is left out.
    """
    bars = scales_block(layout.field, drafter, scale=layout.scale, within=width)
    legend = legend_block(layout.field, drafter, width, country=layout.country)
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
    rows += key_rows(layout, drafter, width) if keyed else []
    gap = drafter.size(_GAP)
    if rosed and beside < 0:
        rows.insert(1, FurnitureStrip([PlacedDrawing(rose, (width - rose.width) / 2, 0.0)], rose.height))
    return _below_one_another(rows, gap, height)


def _in_one_row(layout: MapLayout, drafter: Drafter, width: float, bars: Drawing) -> FurnitureStrip | None:
    """Return key, legend, cartouche, and compass above scale bars in one vertically centred row.

    Spare width goes into the gaps. Return None if the key does not fit or would be too high.
    """
    plate_width = max(drafter.size(cartouche.WIDTH), _LEAST_PLATE_SHARE * width)
    plate = cartouche_block(layout, drafter, plate_width, least=drafter.size(_LEAST_PLATE))
    kinds = len(entries_of(layout.field, layout.country))
    columns = min(_LEGEND_COLUMNS[kinds > _MANY_KINDS], max(1, kinds))
    pitch = drafter.size(_LEGEND_PITCH)
    legend = legend_block(layout.field, drafter, columns * pitch, columns=columns, country=layout.country)
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
    """Return the key in the largest type and fewest columns that keep it lower than its neighbours.

    It is only as wide as its columns need. Return None if the key has no entries.
    """
    found: Drawing | None = None
    for larger in _KEY_SIZES:
        hand = replace(drafter, grown=drafter.grown * larger)
        for columns in count(1):
            wanted = key_width(layout, hand, columns)
            if wanted > width and columns > key_columns(width, hand):
                break
            blocks = key_blocks(layout, hand, min(wanted, width), columns=columns)
            if not blocks:
                return None
            found = blocks[0]
            if found.height <= _LOWER * height:
                return found
    return found


def _below_one_another(rows: list[FurnitureStrip], gap: float, height: float = 0.0) -> FurnitureStrip:
    """Return the rows stacked. Spare ``height`` widens the gaps up to a limit, then goes above and below."""
    between = max(0, len(rows) - 1)
    taken = plain_sum(row.height for row in rows) + gap * between
    left = max(0.0, height - taken)
    wider = min(left / max(1, between), _WIDER_GAP * gap)
    gap, height = gap + wider, taken + left
    parts: list[PlacedDrawing] = []
    top = height - (left - wider * between) / 2
    for row in rows:
        top -= row.height
        parts += [PlacedDrawing(part.drawing, part.x, part.y + top) for part in row.parts]
        top -= gap
    return FurnitureStrip(parts, height)


def _beside(
    layout: MapLayout, drafter: Drafter, width: float, plate_width: float, bars: Drawing, legend: Drawing
) -> FurnitureStrip:
    """Return one row: legend, cartouche, and the compass above the scale bars."""
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
    """Return one vertically centred row: cartouche, compass and scale bars."""
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
