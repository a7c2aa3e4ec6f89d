"""Parts of a map: the printed area of each zone, and a map that fits on one sheet.

The zones of a board come from the overlays of its rules. A board without them is divided into the fewest equal zones of
at most 24 inches, so that every table can be printed, and reprinted, in parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError, UsageError
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Affine, Drawing, Rect
from printkit.drawing.canvas.layers import stacked
from printkit.drawing.canvas.style import read_beside
from printkit.drawing.furniture.furniture import (
    FramedBoard,
    Furniture,
    assembly_blocks,
    fitting,
    furnished,
    key_sheets,
    size,
)
from printkit.drawing.map.board_drawing import small_map
from printkit.drawing.map.map_layout import MapLayout
from printkit.drawing.map.overlays import ZONE, of_kind
from printkit.drawing.text.drafter import Drafter
from printkit.page.overview import fit
from printkit.page.overview import room as overview_room
from printkit.page.sheet import Page, Placement, Sheet
from printkit.page.tiling import Zone, seams_of
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

# --- A map on one sheet -----------------------------------------------------------------------------------------------

# The least scale, relative to a map without key, at which the key is still put on the same page.
_KEY_BESIDE: Final = 0.8

# The width of the map with names, as a fraction of the width of the assembly plan.
_NAMED: Final = 0.8


def fits_one(map_layout: MapLayout, furniture: Furniture, sheet: Sheet) -> bool:
    """Return whether a map with its furniture fits on one sheet. The board is tested first because that is fast."""
    board, scale = map_layout.field.board, map_layout.scale
    alone = fit(board.width * scale, board.depth * scale, sheet)
    return alone.scale >= 1 and fit(*size(map_layout, furniture), sheet).scale >= 1


def whole_on_one(map_layout: MapLayout, sheet: Sheet, furniture: Furniture) -> MapLayout:
    """Return the map layout at the largest scale that fits on one sheet, in portrait or landscape.

    If the key would make the map too small, the layout has no key; the key is then on a separate page.

    Raises:
        PageError: the sheet has no fixed length, or is too small.
    """
    if math.isinf(sheet.height):
        raise PageError(
            "sheet {sheet} has no fixed length, so a map cannot be fitted to it; choose another", sheet=sheet.name
        )

    def largest(wanted: MapLayout) -> MapLayout:
        found, refused = [], None
        for lying in (sheet, sheet.turned()):
            free = overview_room(lying)
            try:
                found.append(fitting(wanted, free.width, free.height, furniture))
            except PageError as error:
                refused = error
        if not found and refused is not None:
            raise refused
        return max(found, key=lambda made: made.scale)

    alone = largest(replace(map_layout, accounts={}))
    if not map_layout.accounts or furniture is not Furniture.FULL:
        return alone
    try:
        whole = largest(map_layout)
    except PageError:
        return alone
    return whole if whole.scale >= _KEY_BESIDE * alone.scale else alone


def plan_blocks(map_layout: MapLayout, record: Record, room: Rect) -> tuple[Drawing, ...]:
    """Return the blocks of an assembly plan: title, legend, scale bars and key.

    If the board is printed without names, a small map with the names comes before the key.
    """
    blocks = assembly_blocks(map_layout, room.width, room.height)
    if not map_layout.style.bare:
        return blocks
    drafter = Drafter.map(read_beside(map_layout.style), map_layout.words, Jitter(record.seed or 0, record.reseeded))
    side = room.width * _NAMED
    plate, legend, bars, *key = blocks
    return (plate, legend, bars, small_map(map_layout.field, side, side, drafter, numbers=True), *key)


def key_pages(map_layout: MapLayout, record: Record, sheet: Sheet, *, titled: bool = False) -> tuple[Page, ...]:
    """Return the key on separate pages, for an overview without space for it.

    If ``titled``, the title, legend and scale bars come before the key.
    """
    upright = sheet.portrait
    room = upright.printable
    if titled:
        drawings = stacked(room.width, room.height, plan_blocks(map_layout, record, room))
    else:
        drawings = key_sheets(map_layout, room.width, room.height)
    return tuple(
        Page(
            sheet=upright,
            placements=(Placement(drawing, Affine(e=room.x, f=room.y)),),
            trim=Rect(0.0, 0.0, upright.width, upright.height),
            label=str(number),
            bookmark=record.battlefield.title if number == 2 else "",
        )
        for number, drawing in enumerate(drawings, 2)
    )


_SIDE: Final = 24 * MM_PER_INCH
_NEARLY: Final = 1e-6
_TOUCH: Final = 0.5


def zones_of(field: Battlefield) -> tuple[Zone, ...]:
    """Return the zones of a board in board mm, in the order of their numbers."""
    marked = [overlay for overlay in of_kind(field, ZONE) if overlay.label]
    if marked:
        return tuple(Zone(overlay.label, _rect(overlay.shape.bounds)) for overlay in marked)
    board = field.board
    columns, rows = (max(1, math.ceil(side / _SIDE - _NEARLY)) for side in (board.width, board.depth))
    shapes = board.zones(columns, rows)
    return tuple(Zone(str(number), _rect(shape.bounds)) for number, shape in enumerate(shapes, 1))


def drawn_zones(field: Battlefield, made: FramedBoard, scale: float) -> tuple[Zone, ...]:
    """Return the area of each zone in a framed drawing; zones at an edge include the furniture beyond it."""
    zones = zones_of(field)
    drawing, at = made.drawing, made.board_at
    ends = (
        min(zone.window.x for zone in zones),
        min(zone.window.y for zone in zones),
        max(zone.window.right for zone in zones),
        max(zone.window.top for zone in zones),
    )
    found = []
    for zone in zones:
        window = zone.window
        left = 0.0 if window.x < ends[0] + _TOUCH else at.x + window.x * scale
        low = 0.0 if window.y < ends[1] + _TOUCH else at.y + window.y * scale
        right = drawing.width if window.right > ends[2] - _TOUCH else at.x + window.right * scale
        high = drawing.height if window.top > ends[3] - _TOUCH else at.y + window.top * scale
        found.append(Zone(zone.name, Rect(left, low, right - left, high - low)))
    return tuple(found)


def board_seams(
    layout: MapLayout, furniture: Furniture, sheet: Sheet, overlap: float, only: Sequence[str] | None
) -> BaseGeometry:
    """Return the areas of the board along the cuts between sheets, in printed mm.

    Args:
        layout: the layout of the map.
        furniture: the furniture around the board, which is printed on the same sheets.
        sheet: the paper.
        overlap: the overlap of neighbouring sheets in mm.
        only: the zones that are printed separately, all if empty; None for the board in one piece.

    Raises:
        PageError: the sheet is too small.
        UsageError: a zone is unknown.
    """
    board = layout.field.board
    empty = Drawing(board.width * layout.scale, board.depth * layout.scale, ())
    made = furnished(empty, layout, furniture, draft=True)
    parts: tuple[Zone, ...] = (Zone("", Rect(0.0, 0.0, made.drawing.width, made.drawing.height)),)
    if only is not None:
        parts = chosen(drawn_zones(layout.field, made, layout.scale), only)
    seams = shapely.union_all(
        [shapely.box(seam.x, seam.y, seam.right, seam.top) for part in parts for seam in seams_of(part, sheet, overlap)]
    )
    return affinity.translate(seams, -made.board_at.x, -made.board_at.y)


def chosen(zones: Sequence[Zone], names: Sequence[str]) -> tuple[Zone, ...]:
    """Return the zones with these names in the order of the board, or all zones if there are no names.

    Raises:
        UsageError: a zone is unknown; the message names the known ones.
    """
    for name in names:
        if name not in [zone.name for zone in zones]:
            raise UsageError(
                "this board has no zone {name!r}; use one of {zones}",
                name=name,
                zones=", ".join(zone.name for zone in zones),
            )
    return tuple(zone for zone in zones if not names or zone.name in names)


def _rect(bounds: tuple[float, float, float, float]) -> Rect:
    left, low, right, high = bounds
    return Rect(left, low, right - left, high - low)
