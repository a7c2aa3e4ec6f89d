"""A map whole on one sheet: the largest scale that fits it, and its key behind it where there is no room beside it."""

from __future__ import annotations

import math
from typing import Final

from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Affine, Rect
from printkit.drawing.furniture.furniture import Furniture, fitting, key_sheets, size
from printkit.drawing.map.map_layout import Edition
from printkit.page.overview import fit
from printkit.page.overview import room as overview_room
from printkit.page.sheet import Page, Placement, Sheet
from printkit.terrain.field.record import Record

_KEY_BESIDE: Final = 0.8
"""How much smaller a map may become for its key to stand on the same page."""


def fits_one(edition: Edition, furniture: Furniture, sheet: Sheet) -> bool:
    """Return whether a map fits one sheet with all that stands about it; a board that is too large alone settles it."""
    board, scale = edition.field.board, edition.scale
    alone = fit(board.width * scale, board.depth * scale, sheet)
    return alone.scale >= 1 and fit(*size(edition, furniture), sheet).scale >= 1


def whole_on_one(edition: Edition, sheet: Sheet, furniture: Furniture) -> Edition:
    """Return the edition at the largest scale that fits one sheet, whichever way the paper lies.

    Where the key would take too much of the map, the edition has no key, which then stands on a page of its own.
    """
    if math.isinf(sheet.height):
        raise PageError(
            "sheet {sheet} is as long as it needs to be, so nothing fits it; name another sheet", sheet=sheet.name
        )

    def largest(wanted: Edition) -> Edition:
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

    alone = largest(replace(edition, accounts={}))
    if not edition.accounts or furniture is not Furniture.FULL:
        return alone
    try:
        whole = largest(edition)
    except PageError:
        return alone
    return whole if whole.scale >= _KEY_BESIDE * alone.scale else alone


def key_pages(edition: Edition, record: Record, sheet: Sheet) -> tuple[Page, ...]:
    """Return the key on pages of its own, for the back of an overview that has no room for it."""
    upright = sheet.turned() if sheet.width > sheet.height else sheet
    room = upright.printable
    return tuple(
        Page(
            sheet=upright,
            placements=(Placement(drawing, Affine(e=room.x, f=room.y)),),
            trim=Rect(0.0, 0.0, upright.width, upright.height),
            label=str(number),
            bookmark=record.battlefield.title if number == 2 else "",
        )
        for number, drawing in enumerate(key_sheets(edition, room.width, room.height), 2)
    )
