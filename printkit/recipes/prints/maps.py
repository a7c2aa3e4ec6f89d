"""Print a record as a map: draw the board, add title and furniture, and divide it into sheets."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final, Literal, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import asdict, replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError, UsageError
from printkit.core.units import DPI, judged_bleed, parse_length
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.dressing.country import DressingLevel, OpenCountry
from printkit.drawing.furniture.furniture import FramedBoard, Furniture, furnished
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.map.map_layout import MapCaption, MapLayout
from printkit.drawing.text.drafter import Drafter
from printkit.kit.rules import NAMES_KEY
from printkit.kit.system import RuleSystem
from printkit.options.printing import MapOptions, hidden
from printkit.options.table import MOST
from printkit.page import sheet as sheets
from printkit.page.assembly import assembly, zone_assembly
from printkit.page.assembly import room as plan_room
from printkit.page.bleed import with_bleed
from printkit.page.lattice import Lattice
from printkit.page.leaflets import reading_sheet
from printkit.page.marks import Imprint
from printkit.page.overview import RIM, overview, ratio, with_bars
from printkit.page.printer import PrinterProfile, apply_profile, with_line
from printkit.page.savings import FewerSheets, cheapest
from printkit.page.sheet import Document, Page, Sheet
from printkit.page.tiling import Tiling, tile
from printkit.recipes.box.box_parts import box_pages
from printkit.recipes.output.handout import rules_document
from printkit.recipes.output.printers import PrintContext, print_context
from printkit.recipes.prints.map_country import country_about, judge_climate, of_the_country
from printkit.recipes.prints.map_key import KeyKind, key_accounts, sides_told, who_told
from printkit.recipes.prints.map_parts import (
    board_seams,
    chosen,
    drawn_zones,
    fits_one,
    key_pages,
    plan_blocks,
    whole_on_one,
)
from printkit.recipes.prints.map_scale import FIT, parse_scale
from printkit.recipes.prints.own_overlays import with_own_overlays
from printkit.terrain.field.names import NO_NAMES
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import with_beyond

# --- The subtitle of a map: the text of the rule system for this game, or its default text ----------------------------


@runtime_checkable
class NamesSides(Protocol):
    """A rule system that names the opponents of a battlefield."""

    def subtitle(self, record: Record, words: Words) -> str:
        """Return the subtitle of a map, or an empty text if the record does not name the opponents."""
        ...


def subtitle_of(system: RuleSystem, record: Record, words: Words) -> str:
    """Return the subtitle of a map."""
    own = system.subtitle(record, words) if isinstance(system, NamesSides) else ""
    return own or words(f"rules.{system.name}.subtitle")


# The parts of a map that ``--hide`` can leave out.
SHOWN: Final = ("numbers", "zones", "deployment", "grid")

_NOTHING: Final = Polygon()
# The layouts whose sheets are cut and glued together, so their backs stay blank.
_JOINED: Final = ("tiled", "zones")

# The minimum side of a printed board in mm: on a smaller board the symbols hide the features.
SMALLEST: Final = 40.0


class MapContext(PrintContext[MapOptions], frozen=True, kw_only=True):
    """The context of a map; its properties parse the options that are text."""

    @property
    def scale(self) -> float | None:
        """Return printed mm per mm of the board, or None to fit the map on one page."""
        return parse_scale(self.asked.scale)

    @property
    def overlap(self) -> float:
        """Return the overlap of neighbouring sheets in mm."""
        return parse_length(self.asked.overlap)

    @property
    def bleed(self) -> float:
        """Return the bleed in mm on every side of a sheet as large as the map."""
        return judged_bleed(parse_length(self.asked.bleed))

    @property
    def furniture(self) -> Furniture | None:
        """Return the furniture around the board, or None for the default."""
        return None if self.asked.furniture is None else Furniture(self.asked.furniture)

    @property
    def zones(self) -> tuple[str, ...] | None:
        """Return the zones to print separately, empty for all zones; None to print the board in one piece."""
        return _only(self.asked.only)[0]

    @property
    def reprint(self) -> tuple[str, ...]:
        """Return the names of the sheets to print again, empty for all sheets."""
        return _only(self.asked.only)[1]

    @property
    def dpi(self) -> int:
        """Return the resolution of pictures in dots per inch."""
        return dots_of(self.asked.dpi)[0]

    @property
    def pixels(self) -> int | None:
        """Return the pixels per cell for a picture of the board only, or None for sheets."""
        return dots_of(self.asked.dpi)[1]

    def whole(self, sheet: Sheet) -> MapContext:
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
        beside: the number of further pages: the assembly plan, or the key of a map on one sheet.
        listed: the number of pages with the list of the terrain box.
        outside: the labels of pages that the printer cannot print completely.
        zones: the zones that are printed separately, each with its number of pages.
        saving: a change that needs fewer sheets.
        bare: the names of sheets without terrain features.
        skipped: whether the sheets in ``bare`` are left out.
        reprinted: the names of the sheets to print again.
        apart: the plan and the list as a separate document, if the map is on a roll or on a sheet of its size.
    """

    scale: float
    sheet: Sheet
    pages: int
    columns: int = 1
    rows: int = 1
    cuts: int = 0
    dropped: tuple[str, ...] = ()
    beside: int = 0
    listed: int = 0
    outside: tuple[str, ...] = ()
    zones: tuple[tuple[str, int], ...] = ()
    saving: FewerSheets | None = None
    bare: tuple[str, ...] = ()
    skipped: bool = False
    reprinted: tuple[str, ...] = ()
    apart: Document | None = None

    @property
    def ratio(self) -> str:
        """Return the scale as text: 1:1, 1:3.42."""
        return ratio(self.scale)


# The value of ``--only`` for all zones separately, in capitals.
_ZONES: Final = "ZONES"

_ZONE: Final = re.compile(r"Z(\d{1,3})")
_DOTS: Final = re.compile(r"(\d{1,6})(/cell)?")

LABELS: Final = "labels"  # the value of ``--show`` for a painted board


def map_context(asked: MapOptions, words: Words, profile: PrinterProfile | None = None) -> MapContext:
    """Validate the options of a map and return their context.

    Raises:
        UsageError: a paper, length, furniture or scale is not valid, or cannot be combined with zones or a bleed.
        PrintkitError: a style file cannot be read.
    """
    parse_length(asked.overlap)
    if asked.furniture is not None and asked.furniture not in list(Furniture):
        raise UsageError(
            "unknown --furniture {furniture!r}; use one of {known}",
            furniture=asked.furniture,
            known=", ".join(Furniture),
        )
    if asked.dressing not in list(DressingLevel):
        raise UsageError(
            "unknown --dressing {dressing!r}; use one of {known}",
            dressing=asked.dressing,
            known=", ".join(DressingLevel),
        )
    if asked.key not in list(KeyKind):
        raise UsageError("unknown --key {key!r}; use one of {known}", key=asked.key, known=", ".join(KeyKind))
    apart, scale = _only(asked.only)[0] is not None, parse_scale(asked.scale)
    if apart and scale is None:
        raise UsageError(
            "--scale fit prints the whole map on one sheet; for single zones give a scale, for example 1:1 or 1:4"
        )
    if apart and asked.furniture == Furniture.FULL:
        raise UsageError("--furniture full needs the whole map; for single zones use mat or none")
    order = MapContext(**asdict(print_context(asked, words, profile)))
    if order.bleed and not math.isinf(order.sheet.width):
        raise UsageError("--bleed needs a sheet the size of the map, cut to fit: add --sheet one")
    hidden(asked.hide, SHOWN)
    hidden(asked.show, (LABELS,), "--show")
    dots_of(asked.dpi)
    judge_climate(asked.climate, order.style, labels=LABELS in asked.show)
    return order


def dots_of(text: str | int) -> tuple[int, int | None]:
    """Parse ``300`` or ``70/cell``: return the resolution in dpi, and pixels per cell for a picture of the board only.

    Raises:
        UsageError: the text has neither form, or the number is out of range.
    """
    match = _DOTS.fullmatch(str(text).strip())
    number = int(match[1]) if match else 0
    if match is None or not 1 <= number <= MOST:
        raise UsageError(
            "--dpi {dpi!r} is not valid; write dots per inch, for example 300, or 70/cell; from 1 to {most}",
            dpi=text,
            most=MOST,
        )
    return (DPI, number) if match[2] else (number, None)


def _only(texts: Sequence[str]) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Return the zones to print separately (empty: all, None: no zones), and the sheets to print again."""
    names = tuple(dict.fromkeys(text.strip().upper() for text in texts))
    zones = tuple(match[1] for name in names if (match := _ZONE.fullmatch(name)))
    sheets_again = tuple(name for name in names if name != _ZONES and not _ZONE.fullmatch(name))
    return (None if not zones and _ZONES not in names else zones), sheets_again


def map_document(
    record: Record, system: RuleSystem, order: MapContext, *, pieces: bool = True
) -> tuple[Document, MapSummary]:
    """Return a map as a document, and its summary.

    The paper ``one`` is a sheet of the size of the map. The scale ``fit``, or a map that is small enough, gives one
    sheet. Otherwise the document has the assembly plan and the sheets of the board or of each zone. A roll contains
    only the map; the other pages are in ``apart``. With ``pieces`` the document includes the list of the terrain box,
    if the game used one.

    Raises:
        PageError: the paper is too small.
        UsageError: a zone or sheet is unknown, or all sheets are skipped.
    """
    record, words, skips = shown_record(record, order), order.words, order.asked.skip_bare
    layout = map_way(record, system, order)
    seed = record.seed if order.asked.show_seed else None
    said = "" if seed is None else str(seed)
    who = who_told(record, system, order)
    imprint = Imprint(title=record.battlefield.title, seed=said, profile=order.printer, who=who)
    made = _drawn(record, order, layout)
    drawing = made.drawing
    scale = layout.map_layout.scale
    paper = reading_sheet(order.sheet) if order.sheet.endless else order.sheet
    plan: tuple[Page, ...] = ()
    match layout.way:
        case "one":
            page = sheets.page_of(drawing, bookmark=record.battlefield.title)
            barred = made.rim >= RIM
            page = with_bars(page, made.rim, imprint, words, scale=scale) if barred else _stated(page, order)
            pages: tuple[Page, ...] = (page,)
            planned = MapSummary(scale=scale, sheet=page.sheet, pages=1)
        case "whole":
            pages = (overview(drawing, order.sheet, imprint, words, scale=scale),)
            titled = layout.furniture is not (order.furniture or Furniture.FULL)
            if titled or layout.key_apart:
                keyed = replace(_map_layout(record, system, order), scale=scale)
                keys = key_pages(keyed, record, order.sheet, titled=titled)
                pages += tuple(_stated(page, order) for page in keys)
            planned = MapSummary(scale=scale, sheet=pages[0].sheet, pages=1, beside=len(pages) - 1)
        case "tiled":
            tiling = tile(
                drawing,
                order.sheet,
                imprint=imprint,
                words=words,
                overlap=order.overlap,
                skip_bare=skips,
            )
            _judge_left(tiling.pages)
            plan = assembly(tiling, drawing, _blocks(record, layout, paper), paper, imprint=imprint, words=words)
            pages = tiling.pages
            planned = _plan_of(tiling.lattice, scale, len(pages), tiling.dropped, beside=len(plan))
            planned = replace(planned, saving=_saving((tiling,), order), bare=tiling.bare, skipped=skips)
        case "zones":
            zones = drawn_zones(record.battlefield, made, scale)
            tilings = tuple(
                tile(
                    drawing,
                    order.sheet,
                    imprint=imprint,
                    words=words,
                    overlap=order.overlap,
                    zone=zone,
                    skip_bare=skips,
                )
                for zone in chosen(zones, order.zones or ())
            )
            _judge_left([page for each in tilings for page in each.pages])
            largest = max((each.lattice for each in tilings), key=lambda lattice: lattice.count)
            plan = zone_assembly(
                tilings, zones, drawing, _blocks(record, layout, paper), paper, imprint=imprint, words=words
            )
            pages = tuple(page for each in tilings for page in each.pages)
            dropped = tuple(name for each in tilings for name in each.dropped)
            planned = replace(
                _plan_of(largest, scale, len(pages), dropped, beside=len(plan)),
                zones=tuple((each.lattice.zone, len(each.pages)) for each in tilings),
                saving=_saving(tilings, order),
                bare=tuple(name for each in tilings for name in each.bare),
                skipped=skips,
                cuts=0 if math.isinf(order.sheet.width) else sum(each.lattice.cuts for each in tilings),
            )
    listed = box_pages(record, system, order) if pieces else ()
    keywords = () if seed is None else (f"seed {seed}",)
    title = record.battlefield.title
    planned = replace(planned, listed=len(listed))
    if order.sheet.endless and (plan or listed):
        named = f"{words('marks.plan-bookmark' if plan else 'box.title')} – {title}"
        beside = apply_profile(
            rules_document(named, (*plan, *listed), system.name, words, keywords=keywords), order.profile
        )
        planned = replace(planned, apart=beside.document, outside=beside.outside)
    else:
        pages = (*plan, *pages, *listed)
    whole = rules_document(title, pages, system.name, words, keywords=keywords)
    printed = apply_profile(replace(whole, one_sided=layout.way in _JOINED), order.profile)
    planned = replace(planned, outside=(*planned.outside, *printed.outside))
    # Only a document with the map alone has a bleed.
    if order.bleed:
        board = made.board_at if order.furniture is Furniture.MAT else None
        bled = tuple(with_bleed(page, order.bleed, board) for page in printed.document.pages)
        printed = replace(printed, document=replace(printed.document, pages=bled))
    return _again(printed.document, planned, order) if order.reprint else (printed.document, planned)


def _judge_left(pages: Sequence[Page]) -> None:
    """Reject a map without sheets.

    Raises:
        UsageError: all sheets are skipped.
    """
    if not pages:
        raise UsageError("no sheet of this map has terrain features; remove --skip-bare, or print with --scale fit")


def _again(document: Document, planned: MapSummary, order: MapContext) -> tuple[Document, MapSummary]:
    """Return a document with only the sheets to print again, unchanged, and its summary.

    Raises:
        UsageError: a sheet is unknown, or the map has only one sheet.
    """
    if not document.one_sided:
        raise UsageError("--only needs a map on several sheets; this one fits on a single sheet")
    first, behind = (0, 0) if planned.apart else (planned.beside, planned.listed)
    there = [page.label for page in document.pages[first : len(document.pages) - behind]]
    for name in order.reprint:
        if name not in there:
            raise UsageError(
                "this map does not print a sheet {name!r}; use one of {sheets}", name=name, sheets=", ".join(there)
            )
    again = tuple(name for name in there if name in order.reprint)
    outside = tuple(name for name in planned.outside if name in again)
    return document.alone(again), replace(planned, reprinted=again, outside=outside, apart=None)


def board_picture(record: Record, system: RuleSystem, order: MapContext) -> Drawing:
    """Return the drawing of the board without furniture, at the scale of the context; the default is actual size."""
    shown, scale = shown_record(record, order), order.scale or 1.0
    order = of_the_country(order, system, record)
    return _board(shown, order, scale, country_about(shown, system, order.asked.dressing, scale))


def shown_record(record: Record, order: MapContext) -> Record:
    """Return the record as a map shows it: with its scenario overlays, and with areas beyond the board edge.

    If the deployment is hidden, the overlays are left out.
    """
    field = with_own_overlays(record) if "deployment" not in order.asked.hide else record.battlefield
    return replace(record, battlefield=with_beyond(field))


def _blocks(record: Record, layout: MapWay, paper: Sheet) -> tuple[Drawing, ...]:
    """Return the blocks of the assembly plan; empty if the board has them around it."""
    return () if layout.furniture is Furniture.FULL else plan_blocks(layout.map_layout, record, plan_room(paper))


def _stated(page: Page, order: MapContext) -> Page:
    """Return the page with the name of the printer profile added, if there is one."""
    return page if order.profile is None else with_line(page, order.words("marks.profile", name=order.printer))


class MapWay(Struct, frozen=True):
    """The division of a map into sheets: a sheet of its size, one sheet, several sheets, or sheets for each zone."""

    way: Literal["one", "whole", "tiled", "zones"]
    map_layout: MapLayout
    furniture: Furniture
    key_apart: bool = False


def map_way(record: Record, system: RuleSystem, order: MapContext) -> MapWay:
    """Return the division of a map into sheets. A map on one sheet has full furniture by default."""
    map_layout = _map_layout(record, system, order)
    if order.scale is not None:
        _judge_size(record, map_layout.scale)
    furniture = order.furniture or Furniture.FULL
    if order.zones is not None:
        return MapWay("zones", map_layout, order.furniture or Furniture.MAT)
    if math.isinf(order.sheet.width):
        return MapWay("one", map_layout, furniture)
    if order.scale is None:
        try:
            fitted = whole_on_one(map_layout, order.sheet, furniture)
        except PageError:
            if order.furniture is not None:
                raise
            # In large print a long legend can leave no space for the map. Title, legend and key then get extra pages.
            furniture = Furniture.MAT
            fitted = whole_on_one(map_layout, order.sheet, furniture)
        level = of_the_country(order, system, record).asked.dressing
        fitted = replace(fitted, country=country_about(record, system, level, fitted.scale))
        _judge_size(record, fitted.scale)
        return MapWay("whole", fitted, furniture, key_apart=bool(map_layout.accounts) and not fitted.accounts)
    if math.isinf(order.sheet.height) or not fits_one(map_layout, furniture, order.sheet):
        return MapWay("tiled", map_layout, order.furniture or Furniture.MAT)
    return MapWay("whole", map_layout, furniture)


def _judge_size(record: Record, scale: float) -> None:
    """Reject a scale that makes the printed board too small or too large.

    Raises:
        PageError: a side is out of range; the message gives the size of the board.
    """
    board = record.battlefield.board
    sides = (board.width * scale, board.depth * scale)
    # A board may be longer than the largest page, because it is tiled. The scale must not enlarge it further.
    largest = max(sheets.LARGEST, board.width, board.depth)
    if min(sides) < SMALLEST or max(sides) > largest:
        raise PageError(
            "at {scale} the board would be {width:.4g} x {height:.4g} mm on paper; each side must be "
            "{smallest:g} to {largest:g} mm",
            scale=ratio(scale),
            width=sides[0],
            height=sides[1],
            smallest=SMALLEST,
            largest=largest,
        )


def _map_layout(record: Record, system: RuleSystem, order: MapContext) -> MapLayout:
    """Return the layout of the map with its texts, at the scale of the context; the default is actual size."""
    order = of_the_country(order, system, record)
    bare = order.style.bare or "numbers" in order.asked.hide
    return MapLayout(
        field=record.battlefield,
        style=order.style,
        words=order.words,
        caption=_caption(record, system, order),
        scale=order.scale or 1.0,
        country=country_about(record, system, order.asked.dressing, order.scale or 1.0),
        accounts={} if bare else key_accounts(record, system, order.words, order.asked.key),
    )


def _drawn(record: Record, order: MapContext, layout: MapWay) -> FramedBoard:
    """Draw the board and its furniture."""
    shown = layout.map_layout
    board = _board(
        record, replace(order, words=shown.words, style=shown.style), shown.scale, shown.country, _seams(order, layout)
    )
    return furnished(board, shown, layout.furniture)


def _seams(order: MapContext, layout: MapWay) -> BaseGeometry:
    """Return the areas along the cuts between sheets, in printed mm; empty for a map on one sheet."""
    if layout.way not in _JOINED:
        return _NOTHING
    zones = None if layout.way == "tiled" else order.zones
    return board_seams(layout.map_layout, layout.furniture, order.sheet, order.overlap, zones)


def _board(
    record: Record, order: MapContext, scale: float, country: OpenCountry | None, seams: BaseGeometry = _NOTHING
) -> Drawing:
    jitter = Jitter(record.seed or 0, record.reseeded)
    drafter = Drafter.map(order.style, order.words, jitter, scale=scale)
    period = record.settings.get(NAMES_KEY, NO_NAMES)
    shown = {name: name not in order.asked.hide for name in SHOWN}
    return board_drawing(record.battlefield, drafter, **shown, country=country, period=period, seams=seams)


def _plan_of(lattice: Lattice, scale: float, pages: int, dropped: tuple[str, ...], *, beside: int = 0) -> MapSummary:
    counted = {name: getattr(lattice, name) for name in ("sheet", "columns", "rows", "cuts")}
    return MapSummary(scale=scale, pages=pages, dropped=dropped, beside=beside, **counted)


def _saving(tilings: Sequence[Tiling], order: MapContext) -> FewerSheets | None:
    """Return a change that needs fewer sheets; None for a roll, or if empty sheets were dropped."""
    if math.isinf(order.sheet.width) or any(each.dropped for each in tilings):
        return None
    sizes = [(each.lattice.width, each.lattice.height) for each in tilings]
    measured = order.profile is not None and order.profile.margins is not None
    whole = not any(each.lattice.zone for each in tilings)
    return cheapest(sizes, order.sheet, overlap=order.overlap, own_margin=not measured, narrow=whole)


def _caption(record: Record, system: RuleSystem, order: MapContext) -> MapCaption:
    subtitle, seed = subtitle_of(system, record, order.words), record.seed if order.asked.show_seed else None
    sides = sides_told(record, system, order)
    return MapCaption(title=record.battlefield.title, subtitle=subtitle, seed=seed, **sides)
