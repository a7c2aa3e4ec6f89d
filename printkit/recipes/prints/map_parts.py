"""Parts of a map: the zones of any board with what each takes of the print, and a map whole on one sheet.

A board has the zones that its rules mark on it. Where they mark none, it is divided into the fewest equal zones of two
feet at most, so that every table can be printed, and mended, in parts.
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
    Furnished,
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

# --- A map whole on one sheet -----------------------------------------------------------------------------------------

_KEY_BESIDE: Final = 0.8
"""How much smaller a map may become for its key to stand on the same page."""

_NAMED: Final = 0.8
"""How much of the width of a plan the map takes that has the names of a bare board."""


def fits_one(map_layout: MapLayout, furniture: Furniture, sheet: Sheet) -> bool:
    """Return whether a map fits one sheet with all that stands about it; a board that is too large alone settles it."""
    board, scale = map_layout.field.board, map_layout.scale
    alone = fit(board.width * scale, board.depth * scale, sheet)
    return alone.scale >= 1 and fit(*size(map_layout, furniture), sheet).scale >= 1


def whole_on_one(map_layout: MapLayout, sheet: Sheet, furniture: Furniture) -> MapLayout:
    """Return the map layout at the largest scale that fits one sheet, whichever way the paper lies.

    Where the key would take too much of the map, the map layout has no key, which then stands on a page of its own.
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
    """Return legend, scales and title for an assembly plan; before the key a map with the names of a bare board."""
    blocks = assembly_blocks(map_layout, room.width, room.height)
    if not map_layout.style.bare:
        return blocks
    drafter = Drafter.map(read_beside(map_layout.style), map_layout.words, Jitter(record.seed or 0, record.reseeded))
    side = room.width * _NAMED
    plate, legend, bars, *key = blocks
    return (plate, legend, bars, small_map(map_layout.field, side, side, drafter, numbers=True), *key)


def key_pages(map_layout: MapLayout, record: Record, sheet: Sheet, *, titled: bool = False) -> tuple[Page, ...]:
    """Return the key on pages of its own, for the back of an overview that has no room for it, or to go with one.

    If ``titled``, the title, legend and scales come before the key.
    """
    upright = sheet.upright
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
    """Return the zones of a board in mm of the board, in the order of their numbers."""
    marked = [overlay for overlay in of_kind(field, ZONE) if overlay.label]
    if marked:
        return tuple(Zone(overlay.label, _rect(overlay.shape.bounds)) for overlay in marked)
    board = field.board
    columns, rows = (max(1, math.ceil(side / _SIDE - _NEARLY)) for side in (board.width, board.depth))
    shapes = board.zones(columns, rows)
    return tuple(Zone(str(number), _rect(shape.bounds)) for number, shape in enumerate(shapes, 1))


def drawn_zones(field: Battlefield, made: Furnished, scale: float) -> tuple[Zone, ...]:
    """Return what each zone takes of a furnished drawing: those along an edge take the furniture beyond it too."""
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
    """Return the ground on a board about the cuts between its sheets, in printed mm.

    Args:
        layout: the battlefield and how it is printed.
        furniture: what stands about it, and is laid over sheets with it.
        sheet: the paper.
        overlap: how far neighbouring sheets repeat each other.
        only: the zones that are laid over sheets one by one, all if empty; None for the whole board at once.

    Raises:
        PageError: the sheet is too small.
        UsageError: a zone that the map does not have.
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
    """Return the zones of these names in the order of the board; all of them where none is named.

    Raises:
        UsageError: there is no such zone; names those there are.
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
