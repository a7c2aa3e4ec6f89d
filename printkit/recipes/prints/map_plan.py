"""Plan a map from bounds alone: its layout, sheets and pages. The pages are drawn when they are written."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace
from shapely import affinity, box, union_all
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.ink import estimate_ink
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.canvas.layers import defer_drawing
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.dressing.countryside_types import OpenCountry
from printkit.drawing.furniture.furniture import FramedBoard, Furniture, frame_board
from printkit.drawing.map.board_drawing import BoardPlan, MapCaption, MapLayout
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import load_plugin_field
from printkit.kit.rules import NAMES_KEY
from printkit.kit.system import RuleSystem, SubtitleSystem
from printkit.page import sheet as sheets
from printkit.page.assembly import assembly_plan_pages, zone_assembly
from printkit.page.assembly import plan_area as plan_room
from printkit.page.bleed import with_bleed
from printkit.page.lattice import Lattice
from printkit.page.leaflets import RIM, overview, ratio, reading_sheet, with_bars
from printkit.page.marks import Imprint
from printkit.page.printer import Corrected, apply_profile, with_line
from printkit.page.sheet import Document, Page, Sheet
from printkit.page.tiling import (
    FewerSheets,
    Tiling,
    Zone,
    find_cheapest_change,
    seam_areas,
    tile_drawing,
    visible_area,
    zone_lattice,
)
from printkit.recipes.box.box_parts import box_pages
from printkit.recipes.output.handout import rules_document
from printkit.recipes.prints.map_ground import apply_countryside, build_cover
from printkit.recipes.prints.map_key import caption_sides, key_accounts, side_rows
from printkit.recipes.prints.map_parts import (
    fit_to_sheet,
    fits_one_sheet,
    key_pages,
    plan_blocks,
    select_zones,
    zones_on_drawing,
)
from printkit.recipes.prints.maps import SHOWN, MapContext
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.names import NO_NAMES
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import extend_board

# The minimum side of a printed board in mm: on a smaller board the symbols hide the features.
MIN_SIDE_MM: Final = 40.0


def find_subtitle(system: RuleSystem, record: Record, words: Words) -> str:
    """Return the subtitle of a map: the opponents, or a general text of the rule system."""
    subtitle = system.subtitle(record, words) if isinstance(system, SubtitleSystem) else ""
    return subtitle or words(f"rules.{system.name}.subtitle")


# The least scale of a map in large print, relative to the usual print. Below it the legend and the key get extra pages.
_LEAST_LARGE_PRINT: Final = 0.9


def plan_map(record: Record, system: RuleSystem, order: MapContext, *, pieces: bool = True) -> MapPlan:
    """Return the plan of a map, with its document. With ``pieces`` it includes the list of the terrain box, if any.

    The paper ``one`` is a sheet of the size of the map. The scale ``fit``, or a map that is small enough, gives one
    sheet. Otherwise the document has the assembly plan and the sheets of the board or of each zone. A roll contains
    only the map; the other pages are in a separate document.

    Raises:
        PageError: the paper is too small.
        UsageError: a zone or sheet is unknown, or all sheets are skipped.
    """
    plan = divide_map(record, system, order, pieces=pieces)
    if not plan.map_pages:
        raise UsageError("no sheet of this map has terrain features; remove --skip-bare, or print with --scale fit")
    # A sheet to print again may be unknown.
    if order.reprint:
        _ = plan.reprinted_sheets
    return plan


def divide_map(record: Record, system: RuleSystem, order: MapContext, *, pieces: bool = False) -> MapPlan:
    """Return the plan of a map; only its layout, scale and furniture are known, and the rest follows when it is read.

    Its kind is zones, one sheet of the size of the map, the map fitted to one sheet, or several sheets. A map on one
    sheet has full furniture by default.

    Raises:
        PageError: the paper is too small, or the scale makes the board too small or too large.
    """
    order = apply_countryside(order, system, record)
    record = record_with_overlays(record, order)
    layout = _build_layout(record, system, order)
    furniture = order.furniture or Furniture.FULL

    def plan(kind: MapKind, layout: MapLayout, furniture: Furniture, *, has_key_pages: bool = False) -> MapPlan:
        """Return the plan of a kind of map."""
        return MapPlan(
            record=record,
            system=system,
            order=order,
            kind=kind,
            layout=layout,
            furniture=furniture,
            has_key_pages=has_key_pages,
            has_pieces=pieces,
        )

    if order.scale is not None:
        _validate_size(record, layout.scale)
    if order.zones is not None:
        return plan("zones", layout, order.furniture or Furniture.MAT)
    if math.isinf(order.sheet.width):
        return plan("one", layout, furniture)
    if order.scale is None:
        fitted_layout, furniture = _fit_map(layout, order)
        cover = build_cover(record, system, order.asked.dressing, fitted_layout.scale)
        fitted_layout = replace(fitted_layout, cover=cover)
        _validate_size(record, fitted_layout.scale)
        has_key_pages = bool(layout.accounts) and not fitted_layout.accounts
        return plan("whole", fitted_layout, furniture, has_key_pages=has_key_pages)
    if math.isinf(order.sheet.height) or not fits_one_sheet(layout, furniture, order.sheet):
        return plan("tiled", layout, order.furniture or Furniture.MAT)
    return plan("whole", layout, furniture)


def _fit_map(layout: MapLayout, order: MapContext) -> tuple[MapLayout, Furniture]:
    """Return the layout of a map on one sheet and its furniture.

    In large print a long legend can leave little space for the map, or none. Title, legend and key then get extra
    pages.

    Raises:
        PageError: the paper is too small.
    """
    furniture = order.furniture or Furniture.FULL
    try:
        fitted_layout = fit_to_sheet(layout, order.sheet, furniture)
    except PageError:
        if order.furniture is not None:
            raise
    else:
        if order.furniture is not None or not layout.style.least_pt:
            return fitted_layout, furniture
        usual_layout = fit_to_sheet(replace(layout, style=replace(layout.style, least_pt=0.0)), order.sheet, furniture)
        if fitted_layout.scale >= _LEAST_LARGE_PRINT * usual_layout.scale:
            return fitted_layout, furniture
    return fit_to_sheet(layout, order.sheet, Furniture.MAT), Furniture.MAT


# A sheet of the size of the map, the map on one sheet, the board on several sheets, or each zone on several sheets.
MapKind = Literal["one", "whole", "tiled", "zones"]


class MapPlan(Struct, frozen=True, kw_only=True, dict=True):
    """A map as it is printed. Its sheets, pages and work are computed from bounds when they are first read.

    Attributes:
        record: the record as the map shows it.
        system: its rules.
        order: how to print it.
        kind: how the map is divided.
        layout: the layout of the map with its texts and scale.
        furniture: the furniture around the board.
        has_key_pages: whether the key of a map on one sheet is on further pages.
        has_pieces: whether the document has the list of the terrain box.
    """

    record: Record
    system: RuleSystem
    order: MapContext
    kind: MapKind
    layout: MapLayout
    furniture: Furniture
    has_key_pages: bool = False
    has_pieces: bool = False

    @property
    def scale(self) -> float:
        """Return printed mm per mm of the board."""
        return self.layout.scale

    @property
    def ratio(self) -> str:
        """Return the scale, printed to board, as text: 1:1, 1:3.42."""
        return ratio(self.scale)

    @property
    def is_tiled(self) -> bool:
        """Return whether the sheets are cut and glued together; their backs then stay blank."""
        return self.kind in ("tiled", "zones")

    @property
    def sheet(self) -> Sheet:
        """Return the paper in its orientation."""
        return self._largest_lattice.sheet if self.is_tiled else self.map_pages[0].sheet

    @property
    def pages(self) -> int:
        """Return the number of pages of the map."""
        return len(self.map_pages) - len(self._key_pages)

    @property
    def columns(self) -> int:
        """Return the columns of sheets; with several zones those of the largest zone."""
        return self._largest_lattice.columns if self.is_tiled else 1

    @property
    def rows(self) -> int:
        """Return the rows of sheets; with several zones those of the largest zone."""
        return self._largest_lattice.rows if self.is_tiled else 1

    @property
    def overlap(self) -> float:
        """Return the overlap of neighbouring sheets in mm on paper; 0 for a map on one sheet."""
        return self._largest_lattice.overlap if self.is_tiled else 0.0

    @property
    def cuts(self) -> int:
        """Return the number of straight cuts."""
        if self.reprinted_sheets:
            # The left and lower edge of each are trimmed.
            return 2 * len(self.reprinted_sheets)
        return 0 if math.isinf(self.order.sheet.width) else sum(tiling.cuts for tiling in self.tilings)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Return the names of sheets that are left out because they would be empty."""
        return tuple(name for tiling in self.tilings for name in tiling.dropped)

    @property
    def empty_sheets(self) -> tuple[str, ...]:
        """Return the names of sheets without terrain features; the dressing does not count."""
        return tuple(name for tiling in self.tilings for name in tiling.bare)

    @property
    def skips_empty(self) -> bool:
        """Return whether the sheets in ``empty_sheets`` are left out."""
        return self.order.asked.skip_bare and self.is_tiled

    @property
    def additional_pages(self) -> int:
        """Return the number of further pages: the assembly plan, or the key of a map on one sheet."""
        return len(self._assembly_pages) + len(self._key_pages)

    @property
    def box_pages(self) -> int:
        """Return the number of pages with the list of the terrain box."""
        return len(self._box_pages)

    @property
    def zone_pages(self) -> tuple[tuple[str, int], ...]:
        """Return the zones that are printed separately, each with its number of pages."""
        if self.kind != "zones":
            return ()
        return tuple((tiling.lattice.zone, len(tiling.pages)) for tiling in self.tilings)

    @property
    def clipped_pages(self) -> tuple[str, ...]:
        """Return the labels of pages that the printer cannot print completely."""
        main, separate = self._documents
        outside = (*(() if separate is None else separate.outside), *main.outside)
        return tuple(name for name in outside if not self.reprinted_sheets or name in self.reprinted_sheets)

    @property
    def document(self) -> Document:
        """Return the map as a document, corrected for a printer; only the sheets to print again, if any are named."""
        document = replace(self._documents[0].document, dpi=self.order.dpi)
        return document.select_pages(self.reprinted_sheets) if self.reprinted_sheets else document

    @property
    def separate_document(self) -> Document | None:
        """Return the assembly plan and the list as a separate document, for a map on a roll; otherwise None."""
        separate = self._documents[1]
        is_printed = separate is not None and not self.reprinted_sheets
        return replace(separate.document, dpi=self.order.dpi) if separate is not None and is_printed else None

    @cached_property
    def reprinted_sheets(self) -> tuple[str, ...]:
        """Return the names of the sheets to print again, in the order of the map.

        Raises:
            UsageError: a sheet is unknown, or the map has only one sheet.
        """
        if not self.order.reprint:
            return ()
        if not self.is_tiled:
            raise UsageError("--only needs a map on several sheets; this one fits on a single sheet")
        labels = [page.label for page in self.map_pages]
        for name in self.order.reprint:
            if name not in labels:
                raise UsageError(
                    "this map does not print a sheet {name!r}; use one of {sheets}", name=name, sheets=", ".join(labels)
                )
        return tuple(name for name in labels if name in self.order.reprint)

    @property
    def saving(self) -> FewerSheets | None:
        """Return a change that needs fewer sheets, or None if there is none.

        A roll does not have one, nor a map without its empty sheets. Measured margins of a printer do not change.
        """
        order, tilings = self.order, self.tilings
        if not self.is_tiled or math.isinf(order.sheet.width) or self.dropped:
            return None
        sizes = [(tiling.lattice.width, tiling.lattice.height) for tiling in tilings]
        has_margins = order.profile is not None and order.profile.margins is not None
        return find_cheapest_change(
            sizes,
            order.sheet,
            overlap=order.overlap,
            can_change_margin=not has_margins,
            narrow=self.kind == "tiled",
        )

    @property
    def sheet_areas(self) -> Mapping[str, Rect]:
        """Return the area of each sheet by its name, in mm of the board; empty for a map on one sheet."""
        board, areas = self._framed_board.board_rect, {}
        for lattice in self._lattices:
            for tile in lattice.tiles():
                area = visible_area(lattice, tile)
                x, y = (area.x - board.x) / self.scale, (area.y - board.y) / self.scale
                areas[tile.name] = Rect(x, y, area.width / self.scale, area.height / self.scale)
        return areas

    @cached_property
    def tilings(self) -> tuple[Tiling, ...]:
        """Return the tiling of the board or of each zone that is printed; empty for a map on one sheet."""
        if not self.is_tiled:
            return ()
        outlines = frame_board(self.board.outlines, self.layout, self.furniture).drawing
        return tuple(
            tile_drawing(
                self._framed_board.drawing,
                self.order.sheet,
                imprint=self._imprint,
                words=self.order.words,
                overlap=self.order.overlap,
                zone=zone,
                skip_bare=self.skips_empty,
                outlines=outlines,
            )
            for zone in self._parts
        )

    @cached_property
    def map_pages(self) -> tuple[Page, ...]:
        """Return the pages of the map, then those of its key."""
        order, framed_board, imprint = self.order, self._framed_board, self._imprint
        match self.kind:
            case "one":
                page = sheets.page_of(framed_board.drawing, bookmark=self.record.battlefield.title)
                if framed_board.rim >= RIM:
                    return (with_bars(page, framed_board.rim, imprint, order.words, scale=self.scale),)
                return (_add_profile_line(page, order),)
            case "whole":
                page = overview(framed_board.drawing, order.sheet, imprint, order.words, scale=self.scale)
                return (page, *self._key_pages)
            case _:
                return tuple(page for tiling in self.tilings for page in tiling.pages)

    @cached_property
    def _key_pages(self) -> tuple[Page, ...]:
        """Return the pages with the key, or with title, legend and key, of a map on one sheet without them."""
        has_title = self.furniture is not (self.order.furniture or Furniture.FULL)
        if self.kind != "whole" or not (has_title or self.has_key_pages):
            return ()
        layout = replace(_build_layout(self.record, self.system, self.order), scale=self.scale)
        pages = key_pages(layout, self.record, self.order.sheet, has_title=has_title)
        return tuple(_add_profile_line(page, self.order) for page in pages)

    @cached_property
    def _assembly_pages(self) -> tuple[Page, ...]:
        """Return the pages with the plan to join the sheets; empty for a map on one sheet."""
        order, drawing = self.order, self._framed_board.drawing
        if not self.is_tiled:
            return ()
        paper = reading_sheet(order.sheet) if order.sheet.is_endless else order.sheet
        # A board with full furniture has the blocks around it.
        is_full = self.furniture is Furniture.FULL
        blocks = () if is_full else plan_blocks(self.layout, self.record, plan_room(paper))
        if self.kind == "tiled":
            (tiling,) = self.tilings
            return assembly_plan_pages(tiling, drawing, blocks, paper, imprint=self._imprint, words=order.words)
        zones = zones_on_drawing(self.layout.field, self._framed_board, self.scale)
        return zone_assembly(self.tilings, zones, drawing, blocks, paper, imprint=self._imprint, words=order.words)

    @cached_property
    def _box_pages(self) -> tuple[Page, ...]:
        """Return the pages with the list of the terrain box, if the game used one."""
        return box_pages(self.record, self.system, self.order) if self.has_pieces else ()

    @cached_property
    def _documents(self) -> tuple[Corrected, Corrected | None]:
        """Return the document and the separate one, both corrected for the printer."""
        order, words, title = self.order, self.order.words, self.record.battlefield.title
        keywords = (f"seed {self.record.seed}",) if self._imprint.seed else ()
        pages, further_pages = self.map_pages, (*self._assembly_pages, *self._box_pages)
        separate = None
        if order.sheet.is_endless and further_pages:
            plan_title = f"{words('marks.plan-bookmark' if self._assembly_pages else 'box.title')} – {title}"
            document = rules_document(plan_title, further_pages, self.system.name, words, keywords=keywords)
            separate = apply_profile(document, order.profile)
        else:
            pages = (*self._assembly_pages, *pages, *self._box_pages)
        document = rules_document(title, pages, self.system.name, words, keywords=keywords)
        corrected = apply_profile(replace(document, one_sided=self.is_tiled), order.profile)
        # Only a document with the map alone has a bleed.
        if order.bleed:
            board = self._framed_board.board_rect if order.furniture is Furniture.MAT else None
            bleed_pages = tuple(with_bleed(page, order.bleed, board) for page in corrected.document.pages)
            corrected = replace(corrected, document=replace(corrected.document, pages=bleed_pages))
        return corrected, separate

    @cached_property
    def _imprint(self) -> Imprint:
        """Return the name of the map and its seed, as its sheets show them."""
        order, seed = self.order, self.record.seed if self.order.asked.show_seed else None
        return Imprint(
            title=self.record.battlefield.title,
            seed="" if seed is None else str(seed),
            profile=order.printer,
            who=side_rows(self.record, self.system, order),
        )

    @cached_property
    def _framed_board(self) -> FramedBoard:
        """Return the board with its furniture; the board is drawn when it is first read."""
        board, scale = self.layout.field.board, self.scale
        drawing = defer_drawing(
            board.width * scale,
            board.depth * scale,
            lambda: self.board.drawing.layers,
            ink=lambda: estimate_ink(self.board.drawing),
        )
        return frame_board(drawing, self.layout, self.furniture)

    @cached_property
    def board(self) -> BoardPlan:
        """Return what the board shows."""
        return plan_board(self.record, self.order, self.scale, self.layout.cover, self.seams)

    @cached_property
    def seams(self) -> BaseGeometry:
        """Return the areas along the cuts between sheets, in printed mm from the near left corner of the board."""
        areas = [area for part in self._parts for area in seam_areas(part, self.order.sheet, self.order.overlap)]
        if not areas:
            return NOTHING
        board = self._framed_board.board_rect
        seams = union_all([box(area.x, area.y, area.right, area.top) for area in areas])
        return affinity.translate(seams, -board.x, -board.y)

    @cached_property
    def _parts(self) -> tuple[Zone, ...]:
        """Return the parts of the drawing that are divided into sheets: the whole, or each zone that is printed."""
        if self.kind == "zones":
            zones = zones_on_drawing(self.layout.field, self._framed_board, self.scale)
            return select_zones(zones, self.order.zones or ())
        drawing = self._framed_board.drawing
        return (Zone("", Rect(0.0, 0.0, drawing.width, drawing.height)),) if self.is_tiled else ()

    @cached_property
    def _lattices(self) -> tuple[Lattice, ...]:
        """Return the layout of the sheets of each part."""
        return tuple(zone_lattice(part, self.order.sheet, self.order.overlap) for part in self._parts)

    @property
    def _largest_lattice(self) -> Lattice:
        """Return the layout of the part with the most sheets."""
        return max((tiling.lattice for tiling in self.tilings), key=lambda lattice: lattice.count)


def plan_board(
    record: Record, order: MapContext, scale: float, cover: OpenCountry | None, seams: BaseGeometry = NOTHING
) -> BoardPlan:
    """Return what a board shows, without furniture.

    ``scale`` is in printed mm per mm of the board. ``cover`` is the open ground, and ``seams`` the areas along cuts
    between sheets, in printed mm.
    """
    jitter = Jitter(record.seed or 0, record.reseeded)
    visible_parts = {name: name not in order.asked.hide for name in SHOWN}
    return BoardPlan(
        field=record.battlefield,
        drafter=Drafter.map(order.style, order.words, jitter, scale=scale),
        country=cover,
        period=record.settings.get(NAMES_KEY, NO_NAMES),
        seams=seams,
        **visible_parts,
    )


def board_picture(record: Record, system: RuleSystem, order: MapContext) -> Drawing:
    """Return the drawing of the board without furniture, at the scale of the context.

    If the context does not give a scale, it is actual size: its mm are mm on the board.
    """
    order, scale = apply_countryside(order, system, record), order.scale or 1.0
    record = record_with_overlays(record, order)
    return plan_board(record, order, scale, build_cover(record, system, order.asked.dressing, scale)).drawing


def add_scenario_overlays(record: Record) -> Battlefield:
    """Return the battlefield of a record with the overlays of its scenario, for example army columns (CC-O08).

    Raises:
        ScenarioError: an army or a position in the record cannot be read.
    """
    add_overlays = load_plugin_field(record.rules, "overlays")
    battlefield: Battlefield = record.battlefield if add_overlays is None else add_overlays(record)
    return battlefield


def record_with_overlays(record: Record, order: MapContext) -> Record:
    """Return the record as a map shows it: with its scenario overlays, and with areas beyond the board edge.

    If the deployment is hidden, the overlays are left out.
    """
    field = add_scenario_overlays(record) if "deployment" not in order.asked.hide else record.battlefield
    return replace(record, battlefield=extend_board(field))


def _validate_size(record: Record, scale: float) -> None:
    """Reject a scale that makes the printed board too small or too large.

    ``scale`` is in printed mm per mm of the board.

    Raises:
        PageError: a side is out of range; the message gives the size of the board.
    """
    board = record.battlefield.board
    sides = (board.width * scale, board.depth * scale)
    # A board may be longer than the largest page, because it is tiled. The scale must not enlarge it further.
    largest = max(sheets.LARGEST, board.width, board.depth)
    if min(sides) < MIN_SIDE_MM or max(sides) > largest:
        raise PageError(
            "at {scale} the board would be {width:.4g} x {height:.4g} mm on paper; each side must be "
            "{smallest:g} to {largest:g} mm",
            scale=ratio(scale),
            width=sides[0],
            height=sides[1],
            smallest=MIN_SIDE_MM,
            largest=largest,
        )


def _add_profile_line(page: Page, order: MapContext) -> Page:
    """Return the page with the name of the printer profile added, if there is one."""
    return page if order.profile is None else with_line(page, order.words("marks.profile", name=order.printer))


def _build_layout(record: Record, system: RuleSystem, order: MapContext) -> MapLayout:
    """Return the layout of the map with its texts, at the scale of the context; the default is actual size."""
    hides_numbers = order.style.bare or "numbers" in order.asked.hide
    caption = MapCaption(
        title=record.battlefield.title,
        subtitle=find_subtitle(system, record, order.words),
        seed=record.seed if order.asked.show_seed else None,
        **caption_sides(record, system, order),
    )
    return MapLayout(
        field=record.battlefield,
        style=order.style,
        words=order.words,
        caption=caption,
        scale=order.scale or 1.0,
        cover=build_cover(record, system, order.asked.dressing, order.scale or 1.0),
        accounts={} if hides_numbers else key_accounts(record, system, order.words, order.asked.key),
    )
