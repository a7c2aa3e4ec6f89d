"""Tile a large drawing over many sheets, each with its marks; and suggestions to save sheets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Layer, LayerName, Path, PathRun, Rect
from printkit.drawing.lettering.extent import PER_MM, Extent, bounds_of, box_of, extents_of, stroke_reach
from printkit.page.lattice import OVERLAP, Lattice, fit_lattice
from printkit.page.marks import Imprint, common_marks, tile_marks
from printkit.page.sheet import Page, Placement, Sheet, Tile, intersect_rects, page_of

# The smallest margin in mm that most printers can print, and the smallest overlap that is still easy to glue.
LEAST: Final = 5.0


class FewerSheets(Struct, frozen=True, kw_only=True):
    """A change of options (for example ``--margin 7mm``), the sheets with it, and the sheets without it."""

    change: str
    sheets: int
    instead_of: int


def find_cheapest_change(
    sizes: Sequence[tuple[float, float]], sheet: Sheet, *, overlap: float, can_change_margin: bool, narrow: bool = True
) -> FewerSheets | None:
    """Return the change in whole mm on paper that saves the most sheets, or None if no change saves any.

    One change is preferred to both together, then the smaller change, then the margin before the overlap. No length
    goes below 5 mm. A sheet with separate top and bottom margins keeps its margins.

    Args:
        sizes: width and height in printed mm of each drawing or zone that is tiled.
        sheet: the paper.
        overlap: the overlap of neighbouring sheets, in mm.
        can_change_margin: whether the margin may change; False if it was measured on the printer.
        narrow: whether the bands for marks may be narrow if that saves sheets.

    Raises:
        PageError: the drawings cannot be tiled on the sheet with ``overlap``.
    """
    current = _count_sheets(sizes, sheet, overlap, narrow=narrow)
    margins = list(_smaller_lengths(sheet.margin)) if can_change_margin and sheet.head is None else []
    overlaps = list(_smaller_lengths(overlap))
    single_changes = [(sheet.margin - margin, margin, overlap) for margin in margins]
    single_changes += [(overlap - new_overlap, sheet.margin, new_overlap) for new_overlap in overlaps]
    both = [(0.0, margins[-1], overlaps[-1])] if margins and overlaps else []
    for changes in (sorted(single_changes, key=lambda change: change[0]), both):
        candidates = [
            (
                _count_sheets(sizes, replace(sheet, margin=margin), new_overlap, narrow=narrow),
                _format_change(sheet, overlap, margin, new_overlap),
            )
            for _, margin, new_overlap in changes
        ]
        count, change = min(candidates, key=lambda candidate: candidate[0], default=(current, ""))
        if count < current:
            return FewerSheets(change=change, sheets=count, instead_of=current)
    return None


def _smaller_lengths(length: float) -> Iterator[float]:
    """Yield the whole mm below a length in mm on paper, from the largest down to 5 mm; none for a length up to 5 mm."""
    return (float(value) for value in range(math.ceil(length) - 1, int(LEAST) - 1, -1))


def _format_change(sheet: Sheet, overlap: float, margin: float, new_overlap: float) -> str:
    """Return the changed options as typed, for example ``--margin 7mm``; lengths are in mm on paper.

    ``margin`` and ``new_overlap`` are the new values, those of ``sheet`` and ``overlap`` the present ones. The text is
    empty if nothing changes.
    """
    changes = (("--margin", margin, sheet.margin), ("--overlap", new_overlap, overlap))
    return " ".join(f"{option} {length:g}mm" for option, length, current in changes if length != current)


def _count_sheets(sizes: Sequence[tuple[float, float]], sheet: Sheet, overlap: float, *, narrow: bool) -> int:
    """Return how many sheets the drawings need together; ``sizes`` and ``overlap`` are in mm on paper.

    ``sizes`` has width and height of each drawing. With ``narrow``, bands may be narrow if that saves sheets.
    """
    return sum(fit_lattice(width, height, sheet, overlap=overlap, narrow=narrow).count for width, height in sizes)


# The layers of open ground: colour, grass, lines of cells, and the neat line of the board.
_GROUND: Final = frozenset(
    {
        LayerName.SHEET,
        LayerName.PAPER,
        LayerName.MOTTLE,
        LayerName.GRASS,
        LayerName.GRID,
        LayerName.FRAME,
    }
)
_Numbers: TypeAlias = NDArray[np.float64]

# Labels keep this distance in mm from the middle of the overlap of two sheets, and the second from its edges.
_ABOUT_SEAM: Final = 12.0
_CLEAR_OF_CUT: Final = 7.0


class Zone(Struct, frozen=True):
    """A part of a drawing that is assembled separately: its name and its area in the drawing, in mm."""

    name: str
    window: Rect


class Tiling(Struct, frozen=True, kw_only=True):
    """A drawing, or a zone of it, tiled over sheets.

    Attributes:
        drawing: the whole drawing.
        lattice: the layout of the sheets.
        pages: the printed pages in reading order.
        dropped: the names of empty sheets, which are not printed.
        bare: the names of sheets that show only open ground.
        skipped: whether the ``bare`` sheets are not printed.
    """

    drawing: Drawing
    lattice: Lattice
    pages: tuple[Page, ...]
    dropped: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    skipped: bool = False

    @property
    def cuts(self) -> int:
        """Return the number of straight cuts of the printed sheets."""
        return self.lattice.count_cuts((*self.dropped, *self.bare) if self.skipped else self.dropped)


def zone_lattice(part: Zone, sheet: Sheet, overlap: float = OVERLAP) -> Lattice:
    """Return the lattice of sheets for a part of a drawing.

    ``overlap`` is that of neighbouring sheets in mm on paper. Bands for marks may be narrow only if the part has no
    name.

    Raises:
        PageError: the sheet is too small, the overlap is not possible, or there are too many sheets.
    """
    # The sheet names of a zone are too long for a narrow band.
    lattice = fit_lattice(part.window.width, part.window.height, sheet, overlap=overlap, narrow=not part.name)
    return replace(lattice, at=(part.window.x, part.window.y), zone=part.name)


def seam_areas(part: Zone, sheet: Sheet, overlap: float = OVERLAP) -> tuple[Rect, ...]:
    """Return the areas around the cuts between sheets, in drawing mm; empty if the drawing is not tiled.

    ``overlap`` is that of neighbouring sheets in mm. An area is a strip across the whole part, at least 24 mm wide.

    Raises:
        PageError: the sheet is too small.
    """
    if math.isinf(sheet.width) and math.isinf(sheet.height):
        return ()
    lattice, area = zone_lattice(part, sheet, overlap), part.window
    half_width = max(_ABOUT_SEAM, overlap / 2 + _CLEAR_OF_CUT)
    x_positions = [lattice.tile(0, column).window.x + overlap / 2 - half_width for column in range(1, lattice.columns)]
    y_positions = [lattice.tile(row, 0).window.y + overlap / 2 - half_width for row in range(lattice.rows - 1)]
    return (
        *(Rect(area.x + x, area.y, 2 * half_width, area.height) for x in x_positions),
        *(Rect(area.x, area.y + y, area.width, 2 * half_width) for y in y_positions),
    )


def tile_drawing(
    drawing: Drawing,
    sheet: Sheet,
    *,
    imprint: Imprint,
    words: Words,
    overlap: float = OVERLAP,
    zone: Zone | None = None,
    skip_bare: bool = False,
    outlines: Drawing | None = None,
) -> Tiling:
    """Tile a drawing, or one zone of it, over sheets at actual size.

    The paper is turned if that saves sheets. A sheet as large as the drawing (``one``) has no marks.

    Args:
        drawing: the drawing, whose mm are printed at 1:1.
        sheet: the paper.
        imprint: the name of the pack and its seed.
        words: the language or languages of the marks.
        overlap: the overlap of neighbouring sheets in mm.
        zone: the zone to tile; the whole drawing if None.
        skip_bare: whether to skip sheets that show only open ground.
        outlines: a quicker drawing that shows what each sheet shows; None for the drawing itself.

    Raises:
        PageError: the sheet is too small.
    """
    part = zone or Zone("", Rect(0.0, 0.0, drawing.width, drawing.height))
    if math.isinf(sheet.width) and math.isinf(sheet.height):
        return _single_page_tiling(drawing, sheet, part, words)
    lattice = zone_lattice(part, sheet, overlap)
    tiles = list(lattice.tiles())
    layers = [_LayerVisibility(layer) for layer in (outlines or drawing).layers]
    feature_layers = [look for look in layers if look.layer.name not in _GROUND]
    # Test every sheet for features first, and for ground only if it has no features: that is faster.
    windows = [visible_area(lattice, sheet_tile) for sheet_tile in tiles]
    has_features = [_any_visible(feature_layers, window) for window in windows]
    ground = [look for look in layers if look.layer.name in _GROUND]
    visible_tiles = [
        sheet_tile
        for sheet_tile, window, is_full in zip(tiles, windows, has_features, strict=True)
        if is_full or _any_visible(ground, window)
    ]
    feature_names = {sheet_tile.name for sheet_tile, is_full in zip(tiles, has_features, strict=True) if is_full}
    bare = tuple(sheet_tile.name for sheet_tile in visible_tiles if sheet_tile.name not in feature_names)
    printed_tiles = [sheet_tile for sheet_tile in visible_tiles if not (skip_bare and sheet_tile.name in bare)]
    names = dict.fromkeys(sheet_tile.name for sheet_tile in printed_tiles)
    shared_marks = common_marks(lattice, words)
    pages = []
    for sheet_tile in printed_tiles:
        marks = tile_marks(lattice, sheet_tile, imprint, words, sheet_names=names)
        bookmark = words("marks.sheet-bookmark", name=sheet_tile.name)
        pages.append(_make_page(lattice, sheet_tile, (drawing, shared_marks, marks), bookmark))
    visible_names = {sheet_tile.name for sheet_tile in visible_tiles}
    dropped = tuple(sheet_tile.name for sheet_tile in tiles if sheet_tile.name not in visible_names)
    return Tiling(drawing=drawing, lattice=lattice, pages=tuple(pages), dropped=dropped, bare=bare, skipped=skip_bare)


def _single_page_tiling(drawing: Drawing, sheet: Sheet, part: Zone, words: Words) -> Tiling:
    """Return a tiling with one page, exactly as large as the part of the drawing.

    A ``part`` without a name is the complete drawing. ``sheet`` gives only the name of the paper.
    """
    width, height = part.window.width, part.window.height
    window = Rect(0.0, 0.0, width, height)
    lattice = Lattice(
        width=width,
        height=height,
        sheet=Sheet(sheet.name, width, height, 0.0, cut=True),
        columns=1,
        rows=1,
        window=window,
        overlap=0.0,
        at=(part.window.x, part.window.y),
        zone=part.name,
    )
    if not part.name:
        return Tiling(drawing=drawing, lattice=lattice, pages=(page_of(drawing),))
    page = Page(
        sheet=lattice.sheet,
        placements=(Placement(drawing, Affine(e=-part.window.x, f=-part.window.y), window),),
        trim=window,
        label=lattice.tile(0, 0).name,
        bookmark=words("zoning.zone", name=part.name),
    )
    return Tiling(drawing=drawing, lattice=lattice, pages=(page,))


def visible_area(lattice: Lattice, tile: Tile) -> Rect:
    """Return the area that a sheet shows after assembly, in mm of the whole drawing."""
    x, y = lattice.at
    right, top = min(tile.window.right, lattice.width), min(tile.window.top, lattice.height)
    return Rect(tile.window.x + x, tile.window.y + y, right - tile.window.x, top - tile.window.y)


def _make_page(lattice: Lattice, tile: Tile, drawings: tuple[Drawing, Drawing, Drawing], bookmark: str) -> Page:
    """Return the page of a tile: the map clipped to its window, then the shared marks, then its own marks.

    ``drawings`` are these three, in this order. ``bookmark`` is the page's bookmark; its label is the name of the tile.
    """
    drawing, shared_marks, marks = drawings
    place = lattice.window
    # The last windows may extend a little beyond the drawing; clip the items that cross its edge.
    visible = visible_area(lattice, tile)
    offset_x, offset_y = place.x - visible.x, place.y - visible.y
    clip = Rect(place.x, place.y, visible.width, visible.height)
    return Page(
        sheet=lattice.sheet,
        placements=(
            Placement(drawing, Affine(e=offset_x, f=offset_y), clip),
            Placement(shared_marks),
            Placement(marks),
        ),
        trim=clip,
        label=tile.name,
        bookmark=bookmark,
    )


def is_visible(drawing: Drawing, window: Rect) -> bool:
    """Return whether anything of a drawing is visible in a window, in mm of the drawing.

    A frame counts only where its lines are.
    """
    return _any_visible([_LayerVisibility(layer) for layer in drawing.layers], window)


def _any_visible(layers: Sequence[_LayerVisibility], window: Rect) -> bool:
    """Return whether anything in the layers is visible in a window in mm of the drawing.

    The fast test for the starts of runs is usually enough.
    """
    parts = [(layer, layer.clip_window(window)) for layer in layers]
    return any(part and layer.begins(part) for layer, part in parts) or any(
        part and layer.crosses(part) for layer, part in parts
    )


class _LayerVisibility:
    """Visibility tests for one layer, with cached results that all sheets share."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        self.bounds = None if layer.clip is None else bounds_of(layer.clip)
        self.known: dict[int, _Numbers] = {}

    def clip_window(self, window: Rect) -> Extent | None:
        """Return the part of a window (mm of the drawing) inside the layer's clip, or None without one.

        The result is in units of 0.01 mm.
        """
        part = window if self.bounds is None else intersect_rects(window, self.bounds)
        return box_of(part) if part.width > 0 and part.height > 0 else None

    @cached_property
    def starts(self) -> _Numbers:
        """Return the first points (x, y) of all visible paths, one in each row, in units of 0.01 mm."""
        visible_runs = (item.runs for item in self.layer.items if isinstance(item, Path) and (item.fill or item.stroke))
        return np.array([run.points[:2] for runs in visible_runs for run in runs], dtype=float).reshape(-1, 2)

    @cached_property
    def boxes(self) -> tuple[_Numbers, NDArray[np.intp]]:
        """Return the bounds of all parts of the items, and the index of the item of each.

        Bounds are left, bottom, right and top in units of 0.01 mm; indexes count from 0.
        """
        item_boxes = extents_of(self.layer.items)
        boxes = np.array([box for group in item_boxes for box in group], dtype=float).reshape(-1, 4)
        return boxes, np.repeat(np.arange(len(item_boxes)), [len(group) for group in item_boxes])

    def begins(self, window: Extent) -> bool:
        """Return whether a visible path starts in a window, in units of 0.01 mm of the drawing."""
        x, y = self.starts.T
        left, bottom, right, top = window
        return bool(((left <= x) & (x <= right) & (bottom <= y) & (y <= top)).any())

    def crosses(self, window: Extent) -> bool:
        """Return whether any item is visible in a window, in units of 0.01 mm of the drawing."""
        boxes, owners = self.boxes
        left, bottom, right, top = boxes.T
        hits = (left <= window.right) & (window.left <= right) & (bottom <= window.top) & (window.bottom <= top)
        return any(self._item_visible(number, window) for number in sorted(set(owners[hits].tolist())))

    def _item_visible(self, number: int, window: Extent) -> bool:
        """Return whether an item, by its index from 0, is visible in a window, in units of 0.01 mm.

        Items other than paths always count as visible.
        """
        item = self.layer.items[number]
        if not isinstance(item, Path):
            return True
        if item.fill is not None and _fills(item.runs, window):
            return True
        reach = stroke_reach(item.stroke) * PER_MM if item.stroke is not None else 0.0
        outer = Extent(window.left - reach, window.bottom - reach, window.right + reach, window.top + reach)
        if number not in self.known:
            self.known[number] = np.vstack([_segments(run) for run in item.runs])
        return _any_crosses(self.known[number], outer)


def _fills(runs: tuple[PathRun, ...], window: Extent) -> bool:
    """Return whether the centre of a window is inside a path filled by the even-odd rule, in units of 0.01 mm.

    Partial overlap is found by the outline.
    """
    x, y = (window.left + window.right) / 2, (window.bottom + window.top) / 2
    inside = False
    for run in runs:
        points = list(zip(run.points[::2], run.points[1::2], strict=True))
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                inside = not inside
    return inside


def _segments(run: PathRun) -> _Numbers:
    """Return the segments of a run, each as a row x, y, x, y in units of 0.01 mm.

    A single point gives a segment of length 0.
    """
    points = np.array(run.points, dtype=float).reshape(-1, 2)
    if run.closed:
        points = np.vstack([points, points[:1]])
    if len(points) == 1:
        points = np.vstack([points, points])
    return np.hstack([points[:-1], points[1:]])


def _any_crosses(segments: _Numbers, window: Extent) -> bool:
    """Return whether any segment, a row x, y, x, y, touches the window; both have the same units.

    A segment inside the window counts.
    """
    x0, y0, x1, y1 = segments.T
    first, last = np.zeros(len(segments)), np.ones(len(segments))
    sides = (
        (x0 - x1, x0 - window.left),
        (x1 - x0, window.right - x0),
        (y0 - y1, y0 - window.bottom),
        (y1 - y0, window.top - y0),
    )
    for delta, distance in sides:
        share = np.divide(distance, delta, out=np.zeros_like(distance), where=delta != 0)
        first = np.where(delta < 0, np.maximum(first, share), first)
        last = np.where(delta > 0, np.minimum(last, share), last)
        first[(delta == 0) & (distance < 0)] = 2.0
    return bool((first <= last).any())
