"""Parts of a map: the printed area of each zone, and a map that fits on one sheet.

The zones of a board come from the overlays of its rules. A board without them is divided into the fewest equal zones of
at most 24 inches, so that every table can be printed, and reprinted, in parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError, UsageError
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Affine, Drawing, Rect
from printkit.drawing.canvas.layers import stack_blocks
from printkit.drawing.canvas.style import read_beside
from printkit.drawing.furniture.furniture import (
    FramedBoard,
    Furniture,
    assembly_blocks,
    fit_layout,
    framed_size,
    key_sheets,
)
from printkit.drawing.map.board_drawing import MapLayout, small_map
from printkit.drawing.map.overlays import ZONE, overlays_of_kind
from printkit.drawing.text.drafter import Drafter
from printkit.page.leaflets import fit
from printkit.page.leaflets import overview_area as overview_room
from printkit.page.sheet import Page, Placement, Sheet
from printkit.page.tiling import Zone
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

# --- A map on one sheet -----------------------------------------------------------------------------------------------

# The least scale, relative to a map without key, at which the key is still put on the same page.
_MIN_KEY_SCALE: Final = 0.8

# The width of the map with names, as a fraction of the width of the assembly plan.
_SMALL_MAP_SHARE: Final = 0.8


def fits_one_sheet(map_layout: MapLayout, furniture: Furniture, sheet: Sheet) -> bool:
    """Return whether a map with its furniture fits on one sheet. The board is tested first because that is fast."""
    board, scale = map_layout.field.board, map_layout.scale
    board_fit = fit(board.width * scale, board.depth * scale, sheet)
    return board_fit.scale >= 1 and fit(*framed_size(map_layout, furniture), sheet).scale >= 1


def fit_to_sheet(map_layout: MapLayout, sheet: Sheet, furniture: Furniture) -> MapLayout:
    """Return the map layout at the largest scale that fits on one sheet, in portrait or landscape.

    If the key would make the map too small, the layout has no key; the key is then on a separate page.

    Raises:
        PageError: the sheet has no fixed length, or is too small.
    """
    if math.isinf(sheet.height):
        raise PageError(
            "sheet {sheet} has no fixed length, so a map cannot be fitted to it; choose another", sheet=sheet.name
        )

    board = map_layout.field.board
    areas = [overview_room(oriented_sheet) for oriented_sheet in (sheet, sheet.rotated())]
    # The orientation with more space for the board comes first: the other is then rejected after few trials.
    areas.sort(key=lambda area: -min(1.0, area.width / board.width, area.height / board.depth))

    def largest(layout: MapLayout, min_scale: float = 0.0) -> MapLayout:
        """Return the layout at the larger of its scales on the sheet in portrait and in landscape.

        If neither is above ``min_scale``, the scale of the result is at most ``min_scale``.
        """
        layouts: list[MapLayout] = []
        errors: list[PageError] = []
        for area in areas:
            limit = max(min_scale, *(candidate.scale for candidate in layouts), 0.0)
            try:
                layouts.append(fit_layout(layout, area.width, area.height, furniture, min_scale=limit))
            except PageError as error:
                errors.append(error)
        if not layouts:
            raise errors[-1]
        return max(layouts, key=lambda candidate: candidate.scale)

    without_key = largest(replace(map_layout, accounts={}))
    if not map_layout.accounts or furniture is not Furniture.FULL:
        return without_key
    try:
        with_key = largest(map_layout, math.nextafter(_MIN_KEY_SCALE * without_key.scale, 0.0))
    except PageError:
        return without_key
    return with_key if with_key.scale >= _MIN_KEY_SCALE * without_key.scale else without_key


def plan_blocks(map_layout: MapLayout, record: Record, area: Rect) -> tuple[Drawing, ...]:
    """Return the blocks of an assembly plan: title, legend, scale bars and key, in printed mm.

    ``area`` is the printable area in mm on paper. If the board is printed without names, a small map with the names
    comes before the key.
    """
    blocks = assembly_blocks(map_layout, area.width, area.height)
    if not map_layout.style.bare:
        return blocks
    drafter = Drafter.map(read_beside(map_layout.style), map_layout.words, Jitter(record.seed or 0, record.reseeded))
    side = area.width * _SMALL_MAP_SHARE
    plate, legend, bars, *key = blocks
    return (plate, legend, bars, small_map(map_layout.field, side, side, drafter, numbers=True), *key)


def key_pages(map_layout: MapLayout, record: Record, sheet: Sheet, *, has_title: bool = False) -> tuple[Page, ...]:
    """Return the key on separate pages, for an overview without space for it.

    If ``has_title``, the title, legend and scale bars come before the key. The labels of the pages count from 2.
    """
    portrait_sheet = sheet.portrait
    area = portrait_sheet.printable
    if has_title:
        drawings = stack_blocks(area.width, area.height, plan_blocks(map_layout, record, area))
    else:
        drawings = key_sheets(map_layout, area.width, area.height)
    return tuple(
        Page(
            sheet=portrait_sheet,
            placements=(Placement(drawing, Affine(e=area.x, f=area.y)),),
            trim=Rect(0.0, 0.0, portrait_sheet.width, portrait_sheet.height),
            label=str(number),
            bookmark=record.battlefield.title if number == 2 else "",
        )
        for number, drawing in enumerate(drawings, 2)
    )


_SIDE: Final = 24 * MM_PER_INCH
_NEARLY: Final = 1e-6
_TOUCH: Final = 0.5


def zones_of(field: Battlefield) -> tuple[Zone, ...]:
    """Return the zones of a board, in mm on the board, in the order of their numbers from 1.

    They are those that the rules draw; otherwise equal rectangles in reading order from the far left.
    """
    labelled_overlays = [overlay for overlay in overlays_of_kind(field, ZONE) if overlay.label]
    if labelled_overlays:
        return tuple(Zone(overlay.label, _rect(overlay.shape.bounds)) for overlay in labelled_overlays)
    board = field.board
    columns, rows = (max(1, math.ceil(side / _SIDE - _NEARLY)) for side in (board.width, board.depth))
    shapes = board.zones(columns, rows)
    return tuple(Zone(str(number), _rect(shape.bounds)) for number, shape in enumerate(shapes, 1))


def zones_on_drawing(field: Battlefield, framed_board: FramedBoard, scale: float) -> tuple[Zone, ...]:
    """Return the area of each zone in a framed drawing, in printed mm.

    Zones at an edge include the furniture beyond it. ``scale`` is in printed mm per mm of the board.
    """
    zones = zones_of(field)
    drawing, origin = framed_board.drawing, framed_board.board_rect
    zone_bounds = (
        min(zone.window.x for zone in zones),
        min(zone.window.y for zone in zones),
        max(zone.window.right for zone in zones),
        max(zone.window.top for zone in zones),
    )
    result = []
    for zone in zones:
        window = zone.window
        left = 0.0 if window.x < zone_bounds[0] + _TOUCH else origin.x + window.x * scale
        low = 0.0 if window.y < zone_bounds[1] + _TOUCH else origin.y + window.y * scale
        right = drawing.width if window.right > zone_bounds[2] - _TOUCH else origin.x + window.right * scale
        high = drawing.height if window.top > zone_bounds[3] - _TOUCH else origin.y + window.top * scale
        result.append(Zone(zone.name, Rect(left, low, right - left, high - low)))
    return tuple(result)


def select_zones(zones: Sequence[Zone], names: Sequence[str]) -> tuple[Zone, ...]:
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
    """Return bounds (left, near, right, far) as a rectangle, in the same unit."""
    left, low, right, high = bounds
    return Rect(left, low, right - left, high - low)
