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
from printkit.drawing.lettering.extent import PER_MM, Extent, around, bounds_of, box_of, extents, stroke_reach
from printkit.page.printer import after, moved
from printkit.page.ruling import filled
from printkit.page.sheet import Page, Placement, common

# An item this close to the edge of a drawing, in mm, reaches it.
_NEAR: Final = 0.02

# The layers of text, with the discs below numbers.
_WRITING: Final = frozenset({LayerName.NUMBER, LayerName.LABEL})

# Coordinates of a rectangle: four corners and the first one again.
_RECTANGLE: Final = 10


def with_bleed(page: Page, bleed: float, board: Rect | None = None) -> Page:
    """Return the page with a bleed on all four sides; its trim is the original page.

    If the drawing continues beyond the page (as in a zone), the bleed shows it. If the drawing ends at the page edge,
    the bleed repeats its background colour and mirrors all items at the edge except text, so that a river continues.

    Args:
        page: its first placement is a drawing that fills it, and its trim is the full page.
        bleed: in mm, on every side.
        board: the part of the drawing that is extended, under its margin too; the whole drawing if None.
    """
    if not bleed:
        return page
    was = page.sheet
    sheet = replace(was, width=was.width + 2 * bleed, height=was.height + 2 * bleed)
    trim = Rect(bleed, bleed, was.width, was.height)
    shift = Affine(e=bleed, f=bleed)
    drawn, *lines = [_shifted(placement, shift) for placement in page.placements]
    full = Rect(0.0, 0.0, drawn.drawing.width, drawn.drawing.height)
    whole = moved(full, drawn.transform)
    covering, reaching = _at_the_edge(drawn.drawing, board or full)
    placements = [
        *_ground(covering, common(sheet.whole, whole.grown(bleed))),
        *_mirrored(reaching, drawn, _Sides(sheet.whole, trim, moved(board or full, drawn.transform))),
        replace(drawn, clip=common(sheet.whole, whole)),
        *lines,
    ]
    return replace(page, sheet=sheet, placements=tuple(placements), trim=trim, bleed=bleed)


def _shifted(placement: Placement, shift: Affine) -> Placement:
    clip = None if placement.clip is None else moved(placement.clip, shift)
    return Placement(placement.drawing, after(shift, placement.transform), clip)


def _ground(covering: Path | None, reach: Rect) -> Iterator[Placement]:
    """Yield the background colour of the drawing, extended over the bleed."""
    if covering is not None and covering.fill is not None:
        layer = Layer(LayerName.SHEET, (filled([reach], covering.fill),))
        yield Placement(Drawing(reach.right, reach.top, (layer,)), clip=reach)


class _Sides(Struct, frozen=True):
    """The sheet, its trim, and the ground on it, in mm."""

    sheet: Rect
    trim: Rect
    ground: Rect

    def across(self) -> Iterator[tuple[float, float, float | None]]:
        """Yield the columns of the sheet: start, end, and the axis to mirror at, or None."""
        sheet, trim, ground = self.sheet, self.trim, self.ground
        return _strips(sheet.x, sheet.right, _met(ground.x, trim.x), _met(ground.right, trim.right))

    def along(self) -> Iterator[tuple[float, float, float | None]]:
        """Yield the rows of the sheet: start, end, and the axis to mirror at, or None."""
        sheet, trim, ground = self.sheet, self.trim, self.ground
        return _strips(sheet.y, sheet.top, _met(ground.y, trim.y), _met(ground.top, trim.top))


def _met(edge: float, trim: float) -> float:
    """Return the trim edge if the ground edge is close to it, otherwise the ground edge."""
    return trim if abs(edge - trim) <= _NEAR else edge


def _strips(low: float, high: float, start: float, end: float) -> Iterator[tuple[float, float, float | None]]:
    """Yield the strips before, on and after the ground (``start`` to ``end``) of a sheet from ``low`` to ``high``."""
    if start > low:
        yield low, start, start
    yield max(low, start), min(high, end), None
    if end < high:
        yield end, high, end


def _mirrored(reaching: Drawing, drawn: Placement, sides: _Sides) -> Iterator[Placement]:
    """Yield the items at the ground edge, mirrored on each side where the sheet is larger than the ground."""
    if not reaching.layers:
        return
    for (left, right, at_x), (low, high, at_y) in product(sides.across(), sides.along()):
        if at_x is None and at_y is None:
            continue
        over = Affine(
            1.0 if at_x is None else -1.0,
            0.0,
            0.0,
            1.0 if at_y is None else -1.0,
            0.0 if at_x is None else 2 * at_x,
            0.0 if at_y is None else 2 * at_y,
        )
        yield Placement(reaching, after(over, drawn.transform), Rect(left, low, right - left, high - low))


def _at_the_edge(drawing: Drawing, ground: Rect) -> tuple[Path | None, Drawing]:
    """Return the background of the ground, if there is one, and a drawing of the items at the ground edge.

    A clipped layer at the edge is kept complete, so that a wood keeps its trees and their shadows.
    """
    whole, inner = box_of(ground), box_of(ground.grown(-_NEAR))
    covering: Path | None = None
    layers: list[Layer] = []
    for layer in drawing.layers:
        if layer.name in _WRITING or (layer.clip is not None and not _reaches(box_of(bounds_of(layer.clip)), inner)):
            continue
        items: list[Item] = []
        for item in layer.items:
            if isinstance(item, Text) or not extents(item):
                continue
            if isinstance(item, Path) and not layers and not items and _covers(item, layer, whole):
                covering = item
            elif layer.clip is not None or _reaches(_drawn(item), inner):
                items.append(item)
        if items:
            layers.append(replace(layer, items=tuple(items)))
    return covering, Drawing(drawing.width, drawing.height, tuple(layers))


def _covers(path: Path, layer: Layer, whole: Extent) -> bool:
    """Return whether a path is one opaque colour over the whole area."""
    if path.fill is None or path.fill.alpha < 1 or len(path.runs) != 1 or len(path.runs[0].points) > _RECTANGLE:
        return False
    if isinstance(layer.clip, PathRun):
        return False
    parts = [_drawn(path)] if layer.clip is None else [_drawn(path), box_of(layer.clip)]
    return all(
        part.left <= whole.left + 1
        and part.bottom <= whole.bottom + 1
        and part.right >= whole.right - 1
        and part.top >= whole.top - 1
        for part in parts
    )


def _drawn(item: Path | Stamp | Picture) -> Extent:
    """Return the visible bounds of an item; for a path without the space for mitred corners."""
    if not isinstance(item, Path) or item.stroke is None:
        return around(extents(item))
    (box,), spare = extents(item), (stroke_reach(item.stroke) - item.stroke.width / 2) * PER_MM
    return Extent(box.left + spare, box.bottom + spare, box.right - spare, box.top - spare)


def _reaches(box: Extent, inner: Extent) -> bool:
    return box.left < inner.left or box.bottom < inner.bottom or box.right > inner.right or box.top > inner.top
