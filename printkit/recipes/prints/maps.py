"""Print a record as a map: draw the board, add title and furniture, and divide it into sheets."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError, UsageError
from printkit.core.units import DPI, parse_length, validate_bleed
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.dressing.countryside_types import DressingLevel, OpenCountry
from printkit.drawing.furniture.furniture import FramedBoard, Furniture, frame_board
from printkit.drawing.map.board_drawing import BoardPlan, MapCaption, MapLayout
from printkit.drawing.text.drafter import Drafter
from printkit.kit.rules import NAMES_KEY
from printkit.kit.system import RuleSystem, SubtitleSystem
from printkit.options.printing import MapOptions, validate_parts
from printkit.options.table import MAX_NUMBER
from printkit.page import sheet as sheets
from printkit.page.assembly import assembly_plan_pages, zone_assembly
from printkit.page.assembly import plan_area as plan_room
from printkit.page.bleed import with_bleed
from printkit.page.leaflets import RIM, overview, ratio, reading_sheet, with_bars
from printkit.page.marks import Imprint
from printkit.page.printer import PrinterProfile, apply_profile, with_line
from printkit.page.sheet import Document, Page, Sheet
from printkit.page.tiling import FewerSheets, Tiling, find_cheapest_change, tile_drawing
from printkit.recipes.box.box_parts import box_pages
from printkit.recipes.output.handout import rules_document
from printkit.recipes.output.printers import PrintContext, print_context
from printkit.recipes.prints.map_ground import apply_countryside, build_cover, validate_climate
from printkit.recipes.prints.map_key import KeyKind, caption_sides, key_accounts, side_rows
from printkit.recipes.prints.map_parts import (
    board_seams,
    fit_to_sheet,
    fits_one_sheet,
    key_pages,
    plan_blocks,
    select_zones,
    zones_on_drawing,
)
from printkit.recipes.prints.map_scale import FIT, parse_scale
from printkit.recipes.prints.scenario_overlays import add_scenario_overlays
from printkit.terrain.field.names import NO_NAMES
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import extend_board

# --- The subtitle of a map: the text of the rule system for this game, or its default text ----------------------------


def find_subtitle(system: RuleSystem, record: Record, words: Words) -> str:
    """Return the subtitle of a map: the opponents, or a general text of the rule system."""
    subtitle = system.subtitle(record, words) if isinstance(system, SubtitleSystem) else ""
    return subtitle or words(f"rules.{system.name}.subtitle")


# The parts of a map that ``--hide`` can leave out.
SHOWN: Final = ("numbers", "zones", "deployment", "grid")

# The layouts whose sheets are cut and glued together, so their backs stay blank.
_TILED_LAYOUTS: Final = ("tiled", "zones")

# The minimum side of a printed board in mm: on a smaller board the symbols hide the features.
MIN_SIDE_MM: Final = 40.0


class MapContext(PrintContext[MapOptions], frozen=True, kw_only=True):
    """The context of a map; its properties parse the options that are text."""

    @property
    def scale(self) -> float | None:
        """Return printed mm per mm of the board, or None to fit the map on one page."""
        return parse_scale(self.asked.scale)

    @property
    def overlap(self) -> float:
        """Return the overlap of neighbouring sheets in mm on paper."""
        return parse_length(self.asked.overlap)

    @property
    def bleed(self) -> float:
        """Return the bleed in mm on paper on every side of a sheet as large as the map; 0 without bleed."""
        return validate_bleed(parse_length(self.asked.bleed))

    @property
    def furniture(self) -> Furniture | None:
        """Return the furniture around the board, or None for the default."""
        return None if self.asked.furniture is None else Furniture(self.asked.furniture)

    @property
    def zones(self) -> tuple[str, ...] | None:
        """Return the zones to print separately, empty for all zones; None to print the board in one piece."""
        return _parse_only(self.asked.only)[0]

    @property
    def reprint(self) -> tuple[str, ...]:
        """Return the names of the sheets to print again, empty for all sheets."""
        return _parse_only(self.asked.only)[1]

    @property
    def dpi(self) -> int:
        """Return the resolution of pictures in dots per inch."""
        return parse_dpi(self.asked.dpi)[0]

    @property
    def pixels(self) -> int | None:
        """Return the pixels per cell for a picture of the board only, or None for sheets."""
        return parse_dpi(self.asked.dpi)[1]

    def prints_plan(self, record: Record, formats: Sequence[str]) -> bool:
        """Return whether a PDF has the plan to build a battlefield, because the user has its pieces."""
        return bool(record.box) and "pdf" in formats and not self.asked.only

    def on_one_sheet(self, sheet: Sheet) -> MapContext:
        """Return a context that prints the complete map on one sheet, with title and legend."""
        return replace(self, asked=replace(self.asked, scale=FIT, furniture=None), sheet=sheet)


class MapSummary(Struct, frozen=True, kw_only=True):
    """The summary of a printed map.

    Attributes:
        scale: printed mm per mm of the board.
        sheet: the paper in its orientation.
        pages: the number of pages of the map.
        columns: the columns of sheets; with several zones those of the largest zone.
        rows: the rows of sheets; with several zones those of the largest zone.
        cuts: the number of straight cuts.
        dropped: the names of sheets that are left out because they would be empty.
        additional_pages: the number of further pages: the assembly plan, or the key of a map on one sheet.
        box_pages: the number of pages with the list of the terrain box.
        clipped_pages: the labels of pages that the printer cannot print completely.
        zones: the zones that are printed separately, each with its number of pages.
        saving: a change that needs fewer sheets.
        empty_sheets: the names of sheets without terrain features.
        skips_empty: whether the sheets in ``empty_sheets`` are left out.
        reprinted_sheets: the names of the sheets to print again.
        separate_document: the plan and the list as a separate document, if the map is on a roll or on a sheet of its
            size.
    """

    scale: float
    sheet: Sheet
    pages: int
    columns: int = 1
    rows: int = 1
    cuts: int = 0
    dropped: tuple[str, ...] = ()
    additional_pages: int = 0
    box_pages: int = 0
    clipped_pages: tuple[str, ...] = ()
    zones: tuple[tuple[str, int], ...] = ()
    saving: FewerSheets | None = None
    empty_sheets: tuple[str, ...] = ()
    skips_empty: bool = False
    reprinted_sheets: tuple[str, ...] = ()
    separate_document: Document | None = None

    @property
    def ratio(self) -> str:
        """Return the scale, printed to board, as text: 1:1, 1:3.42."""
        return ratio(self.scale)


# The value of ``--only`` for all zones separately, in capitals.
_ZONES: Final = "ZONES"
_ZONE: Final = re.compile(r"Z(\d{1,3})")
_DOTS: Final = re.compile(r"(\d{1,6})(/cell)?")

LABELS: Final = "labels"  # the value of ``--show`` for a painted board
PAPER_MAP: Final = "map"  # the value of ``--with`` for the paper map as well as the building plan


def map_context(options: MapOptions, words: Words, profile: PrinterProfile | None = None) -> MapContext:
    """Validate the options of a map and return their context.

    ``profile`` has the corrections of a printer; None without them.

    Raises:
        UsageError: a paper, length, furniture or scale is not valid, or cannot be combined with zones or a bleed.
        PrintkitError: a style file cannot be read.
    """
    parse_length(options.overlap)
    if options.furniture is not None and options.furniture not in list(Furniture):
        raise UsageError(
            "unknown --furniture {furniture!r}; use one of {known}",
            furniture=options.furniture,
            known=", ".join(Furniture),
        )
    if options.dressing not in list(DressingLevel):
        raise UsageError(
            "unknown --dressing {dressing!r}; use one of {known}",
            dressing=options.dressing,
            known=", ".join(DressingLevel),
        )
    if options.key not in list(KeyKind):
        raise UsageError("unknown --key {key!r}; use one of {known}", key=options.key, known=", ".join(KeyKind))
    has_zones, scale = _parse_only(options.only)[0] is not None, parse_scale(options.scale)
    if has_zones and scale is None:
        raise UsageError(
            "--scale fit prints the whole map on one sheet; for single zones give a scale, for example 1:1 or 1:4"
        )
    if has_zones and options.furniture == Furniture.FULL:
        raise UsageError("--furniture full needs the whole map; for single zones use mat or none")
    order = MapContext(**asdict(print_context(options, words, profile)))
    if order.bleed and not math.isinf(order.sheet.width):
        raise UsageError("--bleed needs a sheet the size of the map, cut to fit: add --sheet one")
    validate_parts(options.hide, SHOWN)
    validate_parts(options.show, (LABELS,), "--show")
    validate_parts(options.wanted, (PAPER_MAP,), "--with")
    parse_dpi(options.dpi)
    validate_climate(options.climate, order.style, labels=LABELS in options.show)
    return order


def parse_dpi(text: str | int) -> tuple[int, int | None]:
    """Parse ``300`` or ``70/cell``: return the dots per inch, and the pixels for each cell of the board.

    The pixels have the value None in the first form. In the second form the dots per inch have their default.

    Raises:
        UsageError: the text has neither form, or the number is out of range.
    """
    match = _DOTS.fullmatch(str(text).strip())
    number = int(match[1]) if match else 0
    if match is None or not 1 <= number <= MAX_NUMBER:
        raise UsageError(
            "--dpi {dpi!r} is not valid; write dots per inch, for example 300, or 70/cell; from 1 to {most}",
            dpi=text,
            most=MAX_NUMBER,
        )
    return (DPI, number) if match[2] else (number, None)


def _parse_only(texts: Sequence[str]) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Return the zones to print separately (empty: all, None: no zones), and the sheets to print again.

    Names of sheets are in capitals, each once.
    """
    names = tuple(dict.fromkeys(text.strip().upper() for text in texts))
    zones = tuple(match[1] for name in names if (match := _ZONE.fullmatch(name)))
    sheet_names = tuple(name for name in names if name != _ZONES and not _ZONE.fullmatch(name))
    return (None if not zones and _ZONES not in names else zones), sheet_names


def map_document(
    record: Record, system: RuleSystem, order: MapContext, *, pieces: bool = True
) -> tuple[Document, MapSummary]:
    """Return a map as a document, and its summary.

    The paper ``one`` is a sheet of the size of the map. The scale ``fit``, or a map that is small enough, gives one
    sheet. Otherwise the document has the assembly plan and the sheets of the board or of each zone. A roll contains
    only the map; the other pages are in ``separate_document``. With ``pieces`` the document includes the list of the
    terrain box, if the game used one.

    Raises:
        PageError: the paper is too small.
        UsageError: a zone or sheet is unknown, or all sheets are skipped.
    """
    record, words, skips_empty = record_with_overlays(record, order), order.words, order.asked.skip_bare
    layout = divide_map(record, system, order)
    seed = record.seed if order.asked.show_seed else None
    seed_text = "" if seed is None else str(seed)
    name_rows = side_rows(record, system, order)
    imprint = Imprint(title=record.battlefield.title, seed=seed_text, profile=order.printer, who=name_rows)
    framed_board, outlines = _draw_map(record, order, layout)
    drawing = framed_board.drawing
    scale = layout.map_layout.scale
    paper = reading_sheet(order.sheet) if order.sheet.is_endless else order.sheet
    plan: tuple[Page, ...] = ()
    match layout.kind:
        case "one":
            page = sheets.page_of(drawing, bookmark=record.battlefield.title)
            has_bars = framed_board.rim >= RIM
            page = (
                with_bars(page, framed_board.rim, imprint, words, scale=scale)
                if has_bars
                else _add_profile_line(page, order)
            )
            pages: tuple[Page, ...] = (page,)
            summary = MapSummary(scale=scale, sheet=page.sheet, pages=1)
        case "whole":
            pages = (overview(drawing, order.sheet, imprint, words, scale=scale),)
            has_title = layout.furniture is not (order.furniture or Furniture.FULL)
            if has_title or layout.has_key_pages:
                key_layout = replace(_build_map_layout(record, system, order), scale=scale)
                key_sheets = key_pages(key_layout, record, order.sheet, has_title=has_title)
                pages += tuple(_add_profile_line(page, order) for page in key_sheets)
            summary = MapSummary(scale=scale, sheet=pages[0].sheet, pages=1, additional_pages=len(pages) - 1)
        case "tiled":
            tiling = tile_drawing(
                drawing,
                order.sheet,
                imprint=imprint,
                words=words,
                overlap=order.overlap,
                skip_bare=skips_empty,
                outlines=outlines,
            )
            _require_pages(tiling.pages)
            plan = assembly_plan_pages(
                tiling, drawing, _plan_blocks(record, layout, paper), paper, imprint=imprint, words=words
            )
            pages = tiling.pages
            summary = _build_summary((tiling,), scale, order, additional_pages=len(plan))
        case "zones":
            zones = zones_on_drawing(record.battlefield, framed_board, scale)
            tilings = tuple(
                tile_drawing(
                    drawing,
                    order.sheet,
                    imprint=imprint,
                    words=words,
                    overlap=order.overlap,
                    zone=zone,
                    skip_bare=skips_empty,
                    outlines=outlines,
                )
                for zone in select_zones(zones, order.zones or ())
            )
            _require_pages([page for tiling_of_zone in tilings for page in tiling_of_zone.pages])
            plan = zone_assembly(
                tilings, zones, drawing, _plan_blocks(record, layout, paper), paper, imprint=imprint, words=words
            )
            pages = tuple(page for tiling_of_zone in tilings for page in tiling_of_zone.pages)
            summary = replace(
                _build_summary(tilings, scale, order, additional_pages=len(plan)),
                zones=tuple((tiling_of_zone.lattice.zone, len(tiling_of_zone.pages)) for tiling_of_zone in tilings),
            )
    list_pages = box_pages(record, system, order) if pieces else ()
    keywords = () if seed is None else (f"seed {seed}",)
    title = record.battlefield.title
    summary = replace(summary, box_pages=len(list_pages))
    if order.sheet.is_endless and (plan or list_pages):
        plan_title = f"{words('marks.plan-bookmark' if plan else 'box.title')} – {title}"
        corrected_plan = apply_profile(
            rules_document(plan_title, (*plan, *list_pages), system.name, words, keywords=keywords), order.profile
        )
        summary = replace(summary, separate_document=corrected_plan.document, clipped_pages=corrected_plan.outside)
    else:
        pages = (*plan, *pages, *list_pages)
    document = rules_document(title, pages, system.name, words, keywords=keywords)
    corrected_map = apply_profile(replace(document, one_sided=layout.kind in _TILED_LAYOUTS), order.profile)
    summary = replace(summary, clipped_pages=(*summary.clipped_pages, *corrected_map.outside))
    # Only a document with the map alone has a bleed.
    if order.bleed:
        board = framed_board.board_rect if order.furniture is Furniture.MAT else None
        bleed_pages = tuple(with_bleed(page, order.bleed, board) for page in corrected_map.document.pages)
        corrected_map = replace(corrected_map, document=replace(corrected_map.document, pages=bleed_pages))
    return (
        _select_reprints(corrected_map.document, summary, order) if order.reprint else (corrected_map.document, summary)
    )


def _require_pages(pages: Sequence[Page]) -> None:
    """Reject a map without sheets.

    Raises:
        UsageError: all sheets are skipped.
    """
    if not pages:
        raise UsageError("no sheet of this map has terrain features; remove --skip-bare, or print with --scale fit")


def _select_reprints(document: Document, summary: MapSummary, order: MapContext) -> tuple[Document, MapSummary]:
    """Return a document with only the sheets to print again, unchanged, and its summary.

    Raises:
        UsageError: a sheet is unknown, or the map has only one sheet.
    """
    if not document.one_sided:
        raise UsageError("--only needs a map on several sheets; this one fits on a single sheet")
    first, last = (0, 0) if summary.separate_document else (summary.additional_pages, summary.box_pages)
    labels = [page.label for page in document.pages[first : len(document.pages) - last]]
    for name in order.reprint:
        if name not in labels:
            raise UsageError(
                "this map does not print a sheet {name!r}; use one of {sheets}", name=name, sheets=", ".join(labels)
            )
    reprints = tuple(name for name in labels if name in order.reprint)
    outside = tuple(name for name in summary.clipped_pages if name in reprints)
    return document.select_pages(reprints), replace(
        summary,
        reprinted_sheets=reprints,
        # The left and lower edge of each are trimmed.
        cuts=2 * len(reprints),
        clipped_pages=outside,
        separate_document=None,
    )


def board_picture(record: Record, system: RuleSystem, order: MapContext) -> Drawing:
    """Return the drawing of the board without furniture, at the scale of the context.

    If the context does not give a scale, it is actual size: its mm are mm on the board.
    """
    record_to_draw, scale = record_with_overlays(record, order), order.scale or 1.0
    order = apply_countryside(order, system, record)
    cover = build_cover(record_to_draw, system, order.asked.dressing, scale)
    return _plan_board(record_to_draw, order, scale, cover).drawing


def record_with_overlays(record: Record, order: MapContext) -> Record:
    """Return the record as a map shows it: with its scenario overlays, and with areas beyond the board edge.

    If the deployment is hidden, the overlays are left out.
    """
    field = add_scenario_overlays(record) if "deployment" not in order.asked.hide else record.battlefield
    return replace(record, battlefield=extend_board(field))


def _plan_blocks(record: Record, layout: MapDivision, paper: Sheet) -> tuple[Drawing, ...]:
    """Return the blocks of the assembly plan; empty if the board has them around it."""
    return () if layout.furniture is Furniture.FULL else plan_blocks(layout.map_layout, record, plan_room(paper))


def _add_profile_line(page: Page, order: MapContext) -> Page:
    """Return the page with the name of the printer profile added, if there is one."""
    return page if order.profile is None else with_line(page, order.words("marks.profile", name=order.printer))


class MapDivision(Struct, frozen=True):
    """The division of a map into sheets: a sheet of its size, one sheet, several sheets, or sheets for each zone."""

    kind: Literal["one", "whole", "tiled", "zones"]
    map_layout: MapLayout
    furniture: Furniture
    has_key_pages: bool = False


def divide_map(record: Record, system: RuleSystem, order: MapContext) -> MapDivision:
    """Return the division of a map into sheets, with its layout and its furniture.

    Its kind is zones, one sheet of the size of the map, the map fitted to one sheet, or several sheets. A map on one
    sheet has full furniture by default.

    Raises:
        PageError: the paper is too small, or the scale makes the board too small or too large.
    """
    map_layout = _build_map_layout(record, system, order)
    if order.scale is not None:
        _validate_size(record, map_layout.scale)
    furniture = order.furniture or Furniture.FULL
    if order.zones is not None:
        return MapDivision("zones", map_layout, order.furniture or Furniture.MAT)
    if math.isinf(order.sheet.width):
        return MapDivision("one", map_layout, furniture)
    if order.scale is None:
        try:
            fitted_layout = fit_to_sheet(map_layout, order.sheet, furniture)
        except PageError:
            if order.furniture is not None:
                raise
            # In large print a long legend can leave no space for the map. Title, legend and key then get extra pages.
            furniture = Furniture.MAT
            fitted_layout = fit_to_sheet(map_layout, order.sheet, furniture)
        level = apply_countryside(order, system, record).asked.dressing
        fitted_layout = replace(fitted_layout, cover=build_cover(record, system, level, fitted_layout.scale))
        _validate_size(record, fitted_layout.scale)
        return MapDivision(
            "whole", fitted_layout, furniture, has_key_pages=bool(map_layout.accounts) and not fitted_layout.accounts
        )
    if math.isinf(order.sheet.height) or not fits_one_sheet(map_layout, furniture, order.sheet):
        return MapDivision("tiled", map_layout, order.furniture or Furniture.MAT)
    return MapDivision("whole", map_layout, furniture)


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


def _build_map_layout(record: Record, system: RuleSystem, order: MapContext) -> MapLayout:
    """Return the layout of the map with its texts, at the scale of the context; the default is actual size."""
    order = apply_countryside(order, system, record)
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


def _draw_map(record: Record, order: MapContext, layout: MapDivision) -> tuple[FramedBoard, Drawing]:
    """Return the drawing of the board with its furniture, in printed mm, and the quick one that shows the outlines."""
    map_layout = layout.map_layout
    board = _plan_board(
        record,
        replace(order, words=map_layout.words, style=map_layout.style),
        map_layout.scale,
        map_layout.cover,
        _find_seams(order, layout),
    )
    framed_board = frame_board(board.drawing, map_layout, layout.furniture)
    return framed_board, frame_board(board.outlines, map_layout, layout.furniture).drawing


def _find_seams(order: MapContext, layout: MapDivision) -> BaseGeometry:
    """Return the areas along the cuts between sheets, in printed mm; empty for a map on one sheet."""
    if layout.kind not in _TILED_LAYOUTS:
        return NOTHING
    zones = None if layout.kind == "tiled" else order.zones
    return board_seams(layout.map_layout, layout.furniture, order.sheet, order.overlap, zones)


def _plan_board(
    record: Record, order: MapContext, scale: float, cover: OpenCountry | None, seams: BaseGeometry = NOTHING
) -> BoardPlan:
    """Return what the board shows, in printed mm.

    ``scale`` is in printed mm per mm of the board. ``cover`` is the open ground, and ``seams`` the areas along cuts
    between sheets, in printed mm.
    """
    jitter = Jitter(record.seed or 0, record.reseeded)
    drafter = Drafter.map(order.style, order.words, jitter, scale=scale)
    period = record.settings.get(NAMES_KEY, NO_NAMES)
    visible_parts = {name: name not in order.asked.hide for name in SHOWN}
    return BoardPlan(
        field=record.battlefield, drafter=drafter, country=cover, period=period, seams=seams, **visible_parts
    )


def _build_summary(tilings: Sequence[Tiling], scale: float, order: MapContext, *, additional_pages: int) -> MapSummary:
    """Return the summary of a map on several sheets; ``scale`` is in printed mm per mm of the board.

    ``additional_pages`` is the number of pages with the assembly plan.
    """
    largest = max((tiling.lattice for tiling in tilings), key=lambda lattice: lattice.count)
    return MapSummary(
        scale=scale,
        sheet=largest.sheet,
        pages=sum(len(tiling.pages) for tiling in tilings),
        columns=largest.columns,
        rows=largest.rows,
        cuts=0 if math.isinf(order.sheet.width) else sum(tiling.cuts for tiling in tilings),
        dropped=tuple(name for tiling in tilings for name in tiling.dropped),
        additional_pages=additional_pages,
        saving=_find_saving(tilings, order),
        empty_sheets=tuple(name for tiling in tilings for name in tiling.bare),
        skips_empty=order.asked.skip_bare,
    )


def _find_saving(tilings: Sequence[Tiling], order: MapContext) -> FewerSheets | None:
    """Return a change that needs fewer sheets, or None if there is none.

    A roll does not have one, nor a map without its empty sheets. Measured margins of a printer do not change.
    """
    if math.isinf(order.sheet.width) or any(tiling.dropped for tiling in tilings):
        return None
    sizes = [(tiling.lattice.width, tiling.lattice.height) for tiling in tilings]
    has_margins = order.profile is not None and order.profile.margins is not None
    is_single_map = not any(tiling.lattice.zone for tiling in tilings)
    return find_cheapest_change(
        sizes, order.sheet, overlap=order.overlap, can_change_margin=not has_margins, narrow=is_single_map
    )
