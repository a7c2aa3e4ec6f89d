"""Add a bleed around a page for a print shop, so that an inexact cut shows no white."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.drawing.canvas.items import (
    Affine,
    Drawing,
    Item,
    Layer,
    LayerName,
    Path,
    PathRun,
    Picture,
    Rect,
    Stamp,
    Text,
)
from printkit.drawing.canvas.plain import make_rectangle
from printkit.drawing.lettering.extent import PER_MM, Extent, bounds_of, box_of, extents, stroke_reach, union_extents
from printkit.page.printer import after, moved
from printkit.page.sheet import Page, Placement, intersect_rects

# An item this close to the edge of a drawing, in mm, reaches it.
_NEAR: Final = 0.02

# The layers of text, with the discs below numbers.
_WRITING: Final = frozenset({LayerName.NUMBER, LayerName.LABEL})

# Coordinates of a rectangle: four corners and the first one again.
_RECTANGLE: Final = 10


def with_bleed(page: Page, bleed_mm: float, board: Rect | None = None) -> Page:
    """Return the page with a bleed on all four sides; its trim is the original page.

    A bleed of 0 returns the page unchanged. If the drawing continues beyond the page (as in a zone), the bleed shows
    it. If the drawing ends at the page edge, the bleed repeats its background colour and mirrors all items at the edge
    except text, so that a river continues.

    Args:
        page: its first placement is a drawing that fills it, and its trim is the full page.
        bleed_mm: in mm on paper, on every side.
        board: the part of the drawing that is extended, in mm of the drawing, under its margin too; the whole drawing
            if None.
    """
    if not bleed_mm:
        return page
    original = page.sheet
    sheet = replace(original, width=original.width + 2 * bleed_mm, height=original.height + 2 * bleed_mm)
    trim = Rect(bleed_mm, bleed_mm, original.width, original.height)
    shift = Affine(e=bleed_mm, f=bleed_mm)
    main, *lines = [_shift_placement(placement, shift) for placement in page.placements]
    full = Rect(0.0, 0.0, main.drawing.width, main.drawing.height)
    drawing_area = moved(full, main.transform)
    covering, reaching = _split_background(main.drawing, board or full)
    placements = [
        *_extend_background(covering, intersect_rects(sheet.area, drawing_area.padded(bleed_mm))),
        *_mirror_items(reaching, main, _Sides(sheet.area, trim, moved(board or full, main.transform))),
        replace(main, clip=intersect_rects(sheet.area, drawing_area)),
        *lines,
    ]
    return replace(page, sheet=sheet, placements=tuple(placements), trim=trim, bleed_mm=bleed_mm)


def _shift_placement(placement: Placement, shift: Affine) -> Placement:
    """Return a placement with its drawing and its clip moved."""
    clip = None if placement.clip is None else moved(placement.clip, shift)
    return Placement(placement.drawing, after(shift, placement.transform), clip)


def _extend_background(covering: Path | None, reach: Rect) -> Iterator[Placement]:
    """Yield the background colour over the area ``reach`` in mm on paper; nothing without a colour.

    ``covering`` is the path whose fill is the colour, or None.
    """
    if covering is not None and covering.fill is not None:
        layer = Layer(LayerName.SHEET, (make_rectangle(reach, covering.fill),))
        yield Placement(Drawing(reach.right, reach.top, (layer,)), clip=reach)


class _Sides(Struct, frozen=True):
    """The sheet, its trim, and the ground on it, in mm."""

    sheet: Rect
    trim: Rect
    ground: Rect

    def columns(self) -> Iterator[tuple[float, float, float | None]]:
        """Yield the columns of the sheet in mm on paper: start, end, and the x to mirror at, or None."""
        sheet, trim, ground = self.sheet, self.trim, self.ground
        return _split_strips(sheet.x, sheet.right, _snap_edge(ground.x, trim.x), _snap_edge(ground.right, trim.right))

    def rows(self) -> Iterator[tuple[float, float, float | None]]:
        """Yield the rows of the sheet in mm on paper: start, end, and the y to mirror at, or None."""
        sheet, trim, ground = self.sheet, self.trim, self.ground
        return _split_strips(sheet.y, sheet.top, _snap_edge(ground.y, trim.y), _snap_edge(ground.top, trim.top))


def _snap_edge(edge: float, trim: float) -> float:
    """Return ``trim`` if the ground's ``edge`` is close to it, otherwise ``edge``; both in mm on paper."""
    return trim if abs(edge - trim) <= _NEAR else edge


def _split_strips(low: float, high: float, start: float, end: float) -> Iterator[tuple[float, float, float | None]]:
    """Yield the parts of a sheet from ``low`` to ``high`` before, on and after the ground, along one axis, in order.

    All values are in mm on paper. The ground is from ``start`` to ``end``. Each part has its start, its end, and the
    position to mirror at: ``start`` before the ground, ``end`` after it, None on it. The part on the ground is always
    there; the others are left out if they have no length.
    """
    if start > low:
        yield low, start, start
    yield max(low, start), min(high, end), None
    if end < high:
        yield end, high, end


def _mirror_items(reaching: Drawing, placement: Placement, sides: _Sides) -> Iterator[Placement]:
    """Yield the items at the ground edge, mirrored on each side where the sheet is larger than the ground.

    Each is clipped to one of up to eight rectangles around the ground, in mm on paper.
    """
    if not reaching.layers:
        return
    for (left, right, axis_x), (low, high, axis_y) in product(sides.columns(), sides.rows()):
        if axis_x is None and axis_y is None:
            continue
        mirror = Affine(
            1.0 if axis_x is None else -1.0,
            0.0,
            0.0,
            1.0 if axis_y is None else -1.0,
            0.0 if axis_x is None else 2 * axis_x,
            0.0 if axis_y is None else 2 * axis_y,
        )
        yield Placement(reaching, after(mirror, placement.transform), Rect(left, low, right - left, high - low))


def _split_background(drawing: Drawing, ground: Rect) -> tuple[Path | None, Drawing]:
    """Return the path with the background colour, or None, and a drawing of the items at the edge.

    A clipped layer at the edge is kept complete, so that a wood keeps its trees and their shadows. ``ground`` is in mm
    of the drawing.
    """
    full_box, inner = box_of(ground), box_of(ground.padded(-_NEAR))
    covering: Path | None = None
    layers: list[Layer] = []
    for layer in drawing.layers:
        if layer.name in _WRITING or (layer.clip is not None and not _reaches(box_of(bounds_of(layer.clip)), inner)):
            continue
        items: list[Item] = []
        for item in layer.items:
            if isinstance(item, Text) or not extents(item):
                continue
            if isinstance(item, Path) and not layers and not items and _covers(item, layer, full_box):
                covering = item
            elif layer.clip is not None or _reaches(_visible_bounds(item), inner):
                items.append(item)
        if items:
            layers.append(replace(layer, items=tuple(items)))
    return covering, Drawing(drawing.width, drawing.height, tuple(layers))


def _covers(path: Path, layer: Layer, area: Extent) -> bool:
    """Return whether a path is one opaque colour over the whole area, in units of 0.01 mm.

    Only a simple rectangle counts, also inside the clip of its ``layer``; a layer clipped to a line does not.
    """
    if path.fill is None or path.fill.alpha < 1 or len(path.runs) != 1 or len(path.runs[0].points) > _RECTANGLE:
        return False
    if isinstance(layer.clip, PathRun):
        return False
    parts = [_visible_bounds(path)] if layer.clip is None else [_visible_bounds(path), box_of(layer.clip)]
    return all(
        part.left <= area.left + 1
        and part.bottom <= area.bottom + 1
        and part.right >= area.right - 1
        and part.top >= area.top - 1
        for part in parts
    )


def _visible_bounds(item: Path | Stamp | Picture) -> Extent:
    """Return the visible bounds of an item, in units of 0.01 mm.

    Those of a path do not include the space for mitred corners.
    """
    if not isinstance(item, Path) or item.stroke is None:
        return union_extents(extents(item))
    (box,), spare = extents(item), (stroke_reach(item.stroke) - item.stroke.width / 2) * PER_MM
    return Extent(box.left + spare, box.bottom + spare, box.right - spare, box.top - spare)


def _reaches(box: Extent, inner: Extent) -> bool:
    """Return whether a box extends past another one, ``inner``, on any side; both have one unit."""
    return box.left < inner.left or box.bottom < inner.bottom or box.right > inner.right or box.top > inner.top
