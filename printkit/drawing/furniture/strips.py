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
from printkit.drawing.furniture.cartouche import build_cartouche
from printkit.drawing.furniture.compass import HEIGHT as COMPASS_HEIGHT
from printkit.drawing.furniture.compass import build_scale_bars, draw_compass
from printkit.drawing.furniture.key import build_key_blocks, key_columns, key_width
from printkit.drawing.furniture.legend import build_legend, legend_columns, legend_entries
from printkit.drawing.map.map_layout import MapLayout
from printkit.drawing.text.drafter import Drafter

# --- The strip below a framed board: legend, cartouche, compass and scales in a row, the key in front or below --------

_GAP: Final = 9.0
_PLATE_GAP: Final = 13.0
_RADIUS: Final = 30.0
_LEAST_PLATE: Final = 96.0
_LEAST_ROW: Final = 118.0
_STRIP_PLATE_SHARE: Final = 0.42
_FEW_ENTRIES: Final = 4
_WIDER_GAP: Final = 2.0

# Wider strips (mm at 1:1) are one row: a key below a short legend would leave most of the strip empty.
_SINGLE_ROW_WIDTH: Final = 1150.0

_BETWEEN_BLOCKS: Final = 16.0
_LEGEND_PITCH: Final = 86.0
_LEGEND_COLUMNS: Final = (3, 4)
# A legend in the row with more entries than this gets the larger number of columns.
_MANY_KINDS: Final = 15

_LEAST_PLATE_SHARE: Final = 0.165
_LEAST_KEY: Final = 110.0
_LOWER_SHARE: Final = 0.9
# A key that is more than this many times as high as its neighbours goes below them.
_HIGHEST_KEY: Final = 1.25

_ROSE_GAP: Final = 3.0
_ROW_MARGIN: Final = 5.0
_KEY_SIZES: Final = (1.2, 1.0)


class FurnitureStrip(Struct, frozen=True):
    """The parts of a strip and its height in printed mm. The origin is its lower left corner."""

    parts: list[PlacedDrawing]
    height: float


def build_strip(layout: MapLayout, drafter: Drafter, width: float, *, height: float = 0.0) -> FurnitureStrip:
    """Return the strip of a sheet, ``width`` printed mm wide and at least ``height`` mm high.

    Below a wide board everything is in one row, with the key first. Otherwise the key is the last row, and the legend
    is beside the cartouche if three columns fit there, or in a separate row.
    """
    bars = build_scale_bars(layout.field, drafter, scale=layout.scale)
    if (
        width > _SINGLE_ROW_WIDTH * drafter.context.symbol_scale
        and (row := _build_single_row(layout, drafter, width, bars)) is not None
    ):
        return _stack_rows([row], 0.0, height)
    plate_width = min(drafter.size(cartouche.WIDTH), _STRIP_PLATE_SHARE * width)
    legend_width = width - plate_width - bars.width - 2 * drafter.size(_PLATE_GAP)
    rows: list[FurnitureStrip] = []
    if legend_columns(legend_width, drafter) >= 3 or len(legend_entries(layout.field, layout.cover)) <= _FEW_ENTRIES:
        legend = build_legend(layout.field, drafter, legend_width, cover=layout.cover)
        rows.append(_build_legend_row(layout, drafter, width, plate_width, bars, legend))
    else:
        legend = build_legend(layout.field, drafter, width, cover=layout.cover)
        rows.append(_build_spread_row(layout, drafter, width, plate_width, bars))
        rows.append(FurnitureStrip([PlacedDrawing(legend, 0.0, 0.0)], legend.height))
    rows += build_key_rows(layout, drafter, width)
    return _stack_rows(rows, drafter.size(_GAP), height)


def build_key_rows(layout: MapLayout, drafter: Drafter, width: float) -> list[FurnitureStrip]:
    """Return the key as one row ``width`` printed mm wide; an empty list without features and notes."""
    blocks = build_key_blocks(layout, drafter, width)
    return [FurnitureStrip([PlacedDrawing(block, 0.0, 0.0)], block.height) for block in blocks]


def build_column(
    layout: MapLayout, drafter: Drafter, width: float, *, height: float, has_key: bool = True, has_rose: bool = True
) -> FurnitureStrip:
    """Return the parts as a column ``width`` printed mm wide beside a board, spread over ``height`` mm.

    ``has_key`` includes the key. If the compass does not fit beside the scale bars, ``has_rose`` places it above them;
    otherwise it is left out.
    """
    bars = build_scale_bars(layout.field, drafter, scale=layout.scale, max_width=width)
    legend = build_legend(layout.field, drafter, width, cover=layout.cover)
    plate = build_cartouche(layout, drafter, min(width, drafter.size(cartouche.WIDTH)))
    rows = [FurnitureStrip([PlacedDrawing(plate, (width - plate.width) / 2, 0.0)], plate.height)]
    radius = min(drafter.size(_RADIUS), bars.height / COMPASS_HEIGHT)
    rose = draw_compass(drafter, radius, letters=layout.caption.north)
    free_width = width - bars.width - rose.width
    if free_width >= 0:
        rows.append(
            FurnitureStrip(
                [PlacedDrawing(rose, free_width / 2, 0.0), PlacedDrawing(bars, width - bars.width, 0.0)], bars.height
            )
        )
    else:
        rows.append(FurnitureStrip([PlacedDrawing(bars, 0.0, 0.0)], bars.height))
    rows.append(FurnitureStrip([PlacedDrawing(legend, 0.0, 0.0)], legend.height))
    rows += build_key_rows(layout, drafter, width) if has_key else []
    gap = drafter.size(_GAP)
    if has_rose and free_width < 0:
        rows.insert(1, FurnitureStrip([PlacedDrawing(rose, (width - rose.width) / 2, 0.0)], rose.height))
    return _stack_rows(rows, gap, height)


def _build_single_row(layout: MapLayout, drafter: Drafter, width: float, bars: Drawing) -> FurnitureStrip | None:
    """Return key, legend, cartouche, and compass above scale bars in one row, ``width`` printed mm wide.

    Spare width goes into the gaps. Return None if the key does not fit or would be too high.
    """
    plate_width = max(drafter.size(cartouche.WIDTH), _LEAST_PLATE_SHARE * width)
    plate = build_cartouche(layout, drafter, plate_width, min_height=drafter.size(_LEAST_PLATE))
    kinds = len(legend_entries(layout.field, layout.cover))
    columns = min(_LEGEND_COLUMNS[kinds > _MANY_KINDS], max(1, kinds))
    pitch = drafter.size(_LEGEND_PITCH)
    legend = build_legend(layout.field, drafter, columns * pitch, columns=columns, cover=layout.cover)
    rose = draw_compass(drafter, drafter.size(_RADIUS), letters=layout.caption.north)
    tower = rose.height + drafter.size(_ROSE_GAP) + bars.height
    gap = drafter.size(_BETWEEN_BLOCKS)
    free_width = width - legend.width - plate.width - bars.width - 3 * gap
    height = max(legend.height, plate.height, tower)
    if free_width < drafter.size(_LEAST_KEY):
        return None
    key = _fit_key(layout, drafter, free_width, height)
    if key is not None and key.height > _HIGHEST_KEY * height:
        return None
    blocks = (legend, plate) if key is None else (key, legend, plate)
    height = max(height, *(block.height for block in blocks))
    gap = (width - bars.width - plain_sum(block.width for block in blocks)) / len(blocks)
    x = 0.0
    parts: list[PlacedDrawing] = []
    for block in blocks:
        parts.append(PlacedDrawing(block, x, (height - block.height) / 2))
        x += block.width + gap
    tower_bottom = (height - tower) / 2
    parts.append(PlacedDrawing(rose, x + (0.8 * bars.width - rose.width) / 2, tower_bottom + tower - rose.height))
    parts.append(PlacedDrawing(bars, x, tower_bottom))
    return FurnitureStrip(parts, height + drafter.size(_ROW_MARGIN))


def _fit_key(layout: MapLayout, drafter: Drafter, width: float, height: float) -> Drawing | None:
    """Return the key in the largest type and fewest columns that keep it lower than its neighbours.

    It is at most ``width`` printed mm wide; its neighbours are ``height`` mm high. It is only as wide as its columns
    need. Return None if the key has no entries.
    """
    key: Drawing | None = None
    for factor in _KEY_SIZES:
        larger_drafter = replace(drafter, growth=drafter.growth * factor)
        for columns in count(1):
            wanted_width = key_width(layout, larger_drafter, columns)
            if wanted_width > width and columns > key_columns(width, larger_drafter):
                break
            blocks = build_key_blocks(layout, larger_drafter, min(wanted_width, width), columns=columns)
            if not blocks:
                return None
            key = blocks[0]
            if key.height <= _LOWER_SHARE * height:
                return key
    return key


def _stack_rows(rows: list[FurnitureStrip], gap: float, height: float = 0.0) -> FurnitureStrip:
    """Return the rows as one strip, with gaps of ``gap`` printed mm, at least ``height`` mm high.

    Spare height widens the gaps up to a limit, then goes above and below.
    """
    gap_count = max(0, len(rows) - 1)
    used_height = plain_sum(row.height for row in rows) + gap * gap_count
    free_height = max(0.0, height - used_height)
    extra_gap = min(free_height / max(1, gap_count), _WIDER_GAP * gap)
    gap, height = gap + extra_gap, used_height + free_height
    parts: list[PlacedDrawing] = []
    top = height - (free_height - extra_gap * gap_count) / 2
    for row in rows:
        top -= row.height
        parts += [PlacedDrawing(part.drawing, part.x, part.y + top) for part in row.parts]
        top -= gap
    return FurnitureStrip(parts, height)


def _build_legend_row(
    layout: MapLayout, drafter: Drafter, width: float, plate_width: float, bars: Drawing, legend: Drawing
) -> FurnitureStrip:
    """Return one row: legend, cartouche, and the compass above the scale bars.

    ``width`` is that of the row and ``plate_width`` that of the cartouche, in printed mm.
    """
    min_height = drafter.size(_LEAST_ROW)
    plate = build_cartouche(layout, drafter, plate_width, min_height=drafter.size(_LEAST_PLATE))
    height = max(legend.height, plate.height, min_height)
    radius = min(drafter.size(_RADIUS), (height - bars.height - drafter.size(3)) / COMPASS_HEIGHT)
    rose = draw_compass(drafter, radius, letters=layout.caption.north)
    right = width - bars.width
    over_bars = right + (0.8 * bars.width - rose.width) / 2
    parts = [
        PlacedDrawing(legend, 0.0, (height - legend.height) / 2),
        PlacedDrawing(plate, right - drafter.size(_PLATE_GAP) - plate_width, (height - plate.height) / 2),
        PlacedDrawing(rose, over_bars, height - rose.height),
        PlacedDrawing(bars, right, 0.0),
    ]
    return FurnitureStrip(parts, height)


def _build_spread_row(
    layout: MapLayout, drafter: Drafter, width: float, plate_width: float, bars: Drawing
) -> FurnitureStrip:
    """Return one vertically centred row: cartouche, compass and scale bars.

    ``width`` is that of the row and ``plate_width`` that of the cartouche, in printed mm.
    """
    plate = build_cartouche(layout, drafter, plate_width)
    height = max(plate.height, bars.height)
    free_width = width - plate_width - bars.width
    radius = min(drafter.size(_RADIUS), height / COMPASS_HEIGHT, free_width * 0.36)
    rose = draw_compass(drafter, radius, letters=layout.caption.north)
    parts = [
        PlacedDrawing(plate, 0.0, (height - plate.height) / 2),
        PlacedDrawing(rose, plate_width + (free_width - rose.width) / 2, (height - rose.height) / 2),
        PlacedDrawing(bars, width - bars.width, (height - bars.height) / 2),
    ]
    return FurnitureStrip(parts, height)
