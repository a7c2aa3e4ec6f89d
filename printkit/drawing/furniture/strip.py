"""The strip below a framed board: legend, cartouche, compass and scales side by side, and the key beneath them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import Placed
from printkit.drawing.furniture import cartouche
from printkit.drawing.furniture.cartouche import cartouche_block
from printkit.drawing.furniture.compass import HEIGHT as COMPASS_HEIGHT
from printkit.drawing.furniture.compass import compass
from printkit.drawing.furniture.key import key_blocks
from printkit.drawing.furniture.legend import entries_of, legend_block, legend_columns
from printkit.drawing.furniture.scales import scales_block
from printkit.drawing.map.map_layout import Edition
from printkit.drawing.text.drafter import Desk

_GAP: Final = 9.0
_ASIDE: Final = 13.0
_RADIUS: Final = 30.0
_LEAST_PLATE: Final = 96.0
_LEAST_ROW: Final = 118.0
_PLATE_SHARE: Final = 0.42
_FEW: Final = 4


class Strip(Struct, frozen=True):
    """The parts of a strip, its lower left corner their origin, and its height in mm."""

    parts: list[Placed]
    height: float


def strip(edition: Edition, desk: Desk, width: float) -> Strip:
    """Return the strip of a sheet, ``width`` mm wide.

    The legend stands beside the cartouche where it has room for three columns there; else in rows of its own.
    """
    bars = scales_block(edition.field, desk, scale=edition.scale)
    plate_width = min(desk.size(cartouche.WIDTH), _PLATE_SHARE * width)
    left = width - plate_width - bars.width - 2 * desk.size(_ASIDE)
    rows: list[Strip] = []
    if legend_columns(left, desk) >= 3 or len(entries_of(edition.field)) <= _FEW:
        legend = legend_block(edition.field, desk, left)
        rows.append(_beside(edition, desk, width, plate_width, bars, legend))
    else:
        legend = legend_block(edition.field, desk, width)
        rows.append(_apart(edition, desk, width, plate_width, bars))
        rows.append(Strip([Placed(legend, 0.0, 0.0)], legend.height))
    key = key_blocks(edition.field, desk, edition.accounts, width)
    rows.extend(Strip([Placed(block, 0.0, 0.0)], block.height) for block in key)
    return _below_one_another(rows, desk.size(_GAP))


def column(edition: Edition, desk: Desk, width: float) -> Strip:
    """Return the same parts as a column ``width`` mm wide, to stand beside a board."""
    bars = scales_block(edition.field, desk, scale=edition.scale)
    legend = legend_block(edition.field, desk, width)
    plate = cartouche_block(edition, desk, min(width, desk.size(cartouche.WIDTH)))
    rows = [Strip([Placed(plate, (width - plate.width) / 2, 0.0)], plate.height)]
    radius = min(desk.size(_RADIUS), bars.height / COMPASS_HEIGHT)
    rose = compass(desk, radius, letters=edition.caption.north)
    beside = width - bars.width - rose.width
    if beside >= 0:
        rows.append(Strip([Placed(rose, beside / 2, 0.0), Placed(bars, width - bars.width, 0.0)], bars.height))
    else:
        rows.append(Strip([Placed(bars, 0.0, 0.0)], bars.height))
    rows.append(Strip([Placed(legend, 0.0, 0.0)], legend.height))
    key = key_blocks(edition.field, desk, edition.accounts, width)
    rows.extend(Strip([Placed(block, 0.0, 0.0)], block.height) for block in key)
    return _below_one_another(rows, desk.size(_GAP))


def _below_one_another(rows: list[Strip], gap: float) -> Strip:
    height = sum(row.height for row in rows) + gap * max(0, len(rows) - 1)
    parts: list[Placed] = []
    top = height
    for row in rows:
        top -= row.height
        parts += [Placed(part.drawing, part.x, part.y + top) for part in row.parts]
        top -= gap
    return Strip(parts, height)


def _beside(edition: Edition, desk: Desk, width: float, plate_width: float, bars: Drawing, legend: Drawing) -> Strip:
    """Return legend, cartouche, and the compass above the scales, in one row."""
    least = desk.size(_LEAST_ROW)
    plate = cartouche_block(edition, desk, plate_width, least=desk.size(_LEAST_PLATE))
    height = max(legend.height, plate.height, least)
    radius = min(desk.size(_RADIUS), (height - bars.height - desk.size(3)) / COMPASS_HEIGHT)
    rose = compass(desk, radius, letters=edition.caption.north)
    right = width - bars.width
    over_bars = right + (0.8 * bars.width - rose.width) / 2
    parts = [
        Placed(legend, 0.0, (height - legend.height) / 2),
        Placed(plate, right - desk.size(_ASIDE) - plate_width, (height - plate.height) / 2),
        Placed(rose, over_bars, height - rose.height),
        Placed(bars, right, 0.0),
    ]
    return Strip(parts, height)


def _apart(edition: Edition, desk: Desk, width: float, plate_width: float, bars: Drawing) -> Strip:
    """Return cartouche, compass and scales in one row, each about its middle."""
    plate = cartouche_block(edition, desk, plate_width)
    height = max(plate.height, bars.height)
    between = width - plate_width - bars.width
    radius = min(desk.size(_RADIUS), height / COMPASS_HEIGHT, between * 0.36)
    rose = compass(desk, radius, letters=edition.caption.north)
    parts = [
        Placed(plate, 0.0, (height - plate.height) / 2),
        Placed(rose, plate_width + (between - rose.width) / 2, (height - rose.height) / 2),
        Placed(bars, width - bars.width, (height - bars.height) / 2),
    ]
    return Strip(parts, height)
