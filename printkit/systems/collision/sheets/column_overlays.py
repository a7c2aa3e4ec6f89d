"""Overlays for columns: base lines, the centre line, boxes for two columns, the entry stretch for the third.

Each has the colour of its side; the centre line is neutral.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Cap, Font, Item, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, draw_hatching
from printkit.drawing.map.overlays import (
    CENTRE_LINE,
    OverlayPainter,
    guide_ink,
    guide_width,
    limit_lines,
    overlays_of_kind,
    side_look,
    side_token,
    stroke_with_halo,
)
from printkit.drawing.signs.lines.course_lines import on_layer
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.systems.collision.sheets.marching import column_ground
from printkit.terrain.field.battlefield import Battlefield, Overlay

BASE_LINE: Final = "base-line"
COLUMN: Final = "column"
ENTRY: Final = "entry"
ENTRY_FAST: Final = "entry-fast"
LANDING: Final = "landing"
FLANK: Final = "flank"

# Width in mm at 1:1, dashes and opacity of the lines of each kind.
_DASHES: Final = {
    FLANK: (0.42, (1.4, 2.2), 0.80),
    BASE_LINE: (0.55, (), 0.90),
    COLUMN: (0.55, (), 0.90),
    ENTRY: (3.6, (8.0, 3.0), 0.75),
    ENTRY_FAST: (3.6, (1.0, 2.4), 0.55),
    LANDING: (1.4, (0.2, 3.2), 0.90),
}

_HATCH: Final = 3.2
_FIGURE: Final = 15.0
_ALONG: Final = 0.5
# Positions of a number across its box, as shares: the first that is free.
_BESIDE: Final = (0.75, 0.10, 0.25, 0.90)

# Positions of a number along a stretch, as shares.
_AT: Final = (0.09, 0.91)


def draw_column_marks(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs of all overlays for columns, except their elements, on a battlefield in printed mm."""
    yield from _draw_centre_line(field, drafter)
    for kind in (FLANK, LANDING, ENTRY_FAST, ENTRY, BASE_LINE, COLUMN):
        for overlay in overlays_of_kind(field, kind):
            yield from on_layer(LayerName.OVERLAY, _draw_mark(kind, overlay, field, drafter))


def _draw_centre_line(field: Battlefield, drafter: Drafter) -> LayeredItems:
    """Yield (layer, item) pairs that draw the centre line of a battlefield in printed mm, with a halo."""
    for overlay in overlays_of_kind(field, CENTRE_LINE):
        ink, width = guide_ink(drafter, "ink"), guide_width(drafter)
        line = stroke_with_halo(overlay.shape, drafter, ink, width, halo=(0.55, 1.0), dash=(9, 2, 1.2, 2))
        yield from on_layer(LayerName.OVERLAY, line)


def _draw_mark(kind: str, overlay: Overlay, field: Battlefield, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw an overlay of a kind in the colour of its side, with its number if it has one.

    Items are in printed mm.
    """
    width, usual, cover = _DASHES[kind]
    look = side_look(overlay, field.board)
    dash, token = look.dash(usual), look.ink
    cap = Cap.ROUND if kind == LANDING else Cap.BUTT
    ink = drafter.tint(token, cover)
    if kind == FLANK:
        ink, width = guide_ink(drafter, token), guide_width(drafter)
    stroke = drafter.context.stroke(ink, width, dash=dash, cap=cap, minimum_mm=LEAST_MEANING)
    halo = drafter.context.stroke(drafter.style.solid("halo").with_alpha(0.55), width + 0.9, cap=Cap.BUTT)
    shape = _flank_lines(overlay, field) if kind == FLANK else overlay.shape
    if kind == ENTRY_FAST:
        shape = _fast_part(overlay, field)
    left, low, right, high = overlay.shape.bounds
    is_strip = max(right - left, high - low) > 2.5 * min(right - left, high - low)
    if kind == COLUMN and is_strip:
        yield from draw_hatching(
            overlay.shape, drafter.tint(token, 0.45), drafter.context.size(_HATCH), drafter.context.width(0.24)
        )
    if kind not in (ENTRY, ENTRY_FAST):
        yield from outline(shape, halo)
    yield from outline(shape, stroke)
    if overlay.label:
        yield from _draw_number(overlay, field, drafter)


def _draw_number(overlay: Overlay, field: Battlefield, drafter: Drafter) -> tuple[Item, ...]:
    """Return the texts of a column's number: one in its box, or one near each end of its stretch.

    The number is the overlay's label. ``overlay`` and ``field`` are in printed mm already, as are the texts.
    """
    token = side_token(overlay, field.board)
    type_style = drafter.type_style(Font.FIGURES, _FIGURE, token).with_halo(drafter.halo("halo", 1.6))
    items: list[Item] = []
    for x, y in _find_number_points(overlay, field, type_style.height):
        items += drafter.centred_text(overlay.label, (x, y), type_style)
    return tuple(items)


def _flank_lines(overlay: Overlay, field: Battlefield) -> BaseGeometry:
    """Return the lines that limit the wider deployment zone of a side, in printed mm; may be empty.

    That is the zone for troops that may deploy nearer to the sides of the board (D3-59). Parts along the side's usual
    deployment zone and on the board edge are left out. ``overlay`` is of the kind ``flank``; all is in printed mm.
    """
    own_shapes = [each.shape for each in overlays_of_kind(field, DEPLOYMENT) if each.side == overlay.side]
    return shapely.difference(limit_lines(overlay, field.board), shapely.union_all(own_shapes).buffer(_ALONG))


def _fast_part(overlay: Overlay, field: Battlefield) -> BaseGeometry:
    """Return the part of a fast entry stretch that is outside the side's normal one, in printed mm."""
    own_shapes = [each.shape for each in overlays_of_kind(field, ENTRY) if each.side == overlay.side]
    return shapely.difference(overlay.shape, shapely.union_all(own_shapes).buffer(_ALONG))


def _is_centre_vertical(field: Battlefield) -> bool:
    """Return whether the centre line runs from the near edge to the far edge; True if there is none."""
    for overlay in overlays_of_kind(field, CENTRE_LINE):
        left, low, right, high = overlay.shape.bounds
        return bool(high - low >= right - left)
    return True


def _find_number_points(overlay: Overlay, field: Battlefield, height: float) -> Iterator[tuple[float, float]]:
    """Yield the positions of a number: one in a box, or two next to the ends of a line.

    In a box it is beside the centre line, if possible where no element of a column covers it. At a line the positions
    are on the side towards the middle of the board. They are x and y in printed mm. ``height`` is the height of the
    type in printed mm.
    """
    if overlay.shape.area > 0:
        left, low, right, high = overlay.shape.bounds
        # The number goes next to the centre line, which runs through every box.
        level = _is_centre_vertical(field)
        candidates = [
            (left + (share if level else 0.5) * (right - left), low + (0.5 if level else share) * (high - low))
            for share in _BESIDE
        ]
        # Skip positions that elements of a column cover, if possible.
        column_area = column_ground(field, height / 2)
        yield next(
            (candidate for candidate in candidates if not shapely.Point(candidate).intersects(column_area)),
            candidates[0],
        )
        return
    line = shapely.line_merge(overlay.shape) if overlay.shape.geom_type == "MultiLineString" else overlay.shape
    for share in _AT:
        point = shapely.line_interpolate_point(line, share, normalized=True)
        left, low, right, high = line.bounds
        level = right - left >= high - low
        offset = 1.25 * height
        yield (
            point.x if level else point.x + (offset if point.x < field.board.width / 2 else -offset),
            point.y + (offset if point.y < field.board.depth / 2 else -offset) if level else point.y,
        )


# Draws all overlays for columns, except the columns themselves.
PAINTER: Final = OverlayPainter(marks=draw_column_marks)
