"""A record as a printed map: the board drawn, titled with what its rule system says, furnished, laid over sheets."""

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
from printkit.drawing.furniture.furniture import Furnished, Furniture, furnished
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
from printkit.page.leaflets import in_hand
from printkit.page.marks import Imprint
from printkit.page.overview import RIM, overview, ratio, with_bars
from printkit.page.printer import PrinterProfile, corrected, with_line
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

# --- What stands under the title of a map: what the rule system says of one game, or else of all its games ------------


@runtime_checkable
class NamesSides(Protocol):
    """A rule system that knows who fights on a field."""

    def subtitle(self, record: Record, words: Words) -> str:
        """Return a line for under the title, or an empty text where the record does not tell."""
        ...


def subtitle_of(system: RuleSystem, record: Record, words: Words) -> str:
    """Return the line under the title of a map."""
    own = system.subtitle(record, words) if isinstance(system, NamesSides) else ""
    return own or words(f"rules.{system.name}.subtitle")


SHOWN: Final = ("numbers", "zones", "deployment", "grid")
"""What may be left out of a map, as the options call it."""

_NOTHING: Final = Polygon()
_JOINED: Final = ("tiled", "zones")
"""The ways of printing of which sheets are cut and glued, so that nothing may stand on their backs."""

SMALLEST: Final = 40.0
"""The shortest side in mm of a printed board: below it a symbol covers what it stands for."""


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
        """Return what surrounds the board, or None for the default."""
        return None if self.asked.furniture is None else Furniture(self.asked.furniture)

    @property
    def zones(self) -> tuple[str, ...] | None:
        """Return the zones to print one by one, empty for all; None to print the board as a whole."""
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
        """Return pixels per cell for a picture of the board alone, or None for sheets."""
        return dots_of(self.asked.dpi)[1]

    def whole(self, sheet: Sheet) -> MapContext:
        """Return the context that prints the whole map on one sheet, with title and legend."""
        return replace(self, asked=replace(self.asked, scale=FIT, furniture=None), sheet=sheet)


class Planned(Struct, frozen=True, kw_only=True):
    """What a map takes: printed mm per mm of the board, the paper as it lies, pages of map, cuts, sheets left out.

    ``beside`` counts the pages that go with the map: the assembly plan, or the key behind an overview, ``listed``
    those of the terrain box. ``outside`` labels the pages of which the printer does not reach everything.
    ``zones`` are those that are laid out by themselves, each with its pages: columns and rows are then of the largest.
    ``apart`` are plan and list on sheets for a printer, where the map is on a roll or a sheet as large as itself.
    ``saving`` is what would take fewer sheets, ``bare`` the sheets that show ground alone, left out where ``skipped``;
    ``reprinted`` are the sheets that are printed again alone.
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
        """Return the scale as people write it: 1:1, 1:3.42."""
        return ratio(self.scale)


_ZONES: Final = "ZONES"
"""What ``only`` calls all zones, each by itself, in capitals."""

_ZONE: Final = re.compile(r"Z(\d{1,3})")
_DOTS: Final = re.compile(r"(\d{1,6})(/cell)?")

LABELS: Final = "labels"
"""What may be shown on a painted board besides."""


def map_context(asked: MapOptions, words: Words, profile: PrinterProfile | None = None) -> MapContext:
    """Check the options of a map and find what they name.

    Raises:
        UsageError: a paper, length, furniture or scale that is not known, or does not go with zones or a bleed.
        PrintkitError: a style that cannot be read.
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
    """Return dots an inch, and pixels to a cell if a picture of the board alone is meant: ``300``, ``70/cell``.

    Raises:
        UsageError: it is neither.
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
    """Return the zones that are printed by themselves, all if empty, None if none; and the sheets printed again."""
    names = tuple(dict.fromkeys(text.strip().upper() for text in texts))
    zones = tuple(match[1] for name in names if (match := _ZONE.fullmatch(name)))
    sheets_again = tuple(name for name in names if name != _ZONES and not _ZONE.fullmatch(name))
    return (None if not zones and _ZONES not in names else zones), sheets_again


def map_document(
    record: Record, system: RuleSystem, order: MapContext, *, pieces: bool = True
) -> tuple[Document, Planned]:
    """Return a battlefield as a document, and what it takes.

    A sheet as large as the map for ``one``; one sheet with the whole map for ``fit``, and wherever the map fits on
    one; otherwise the assembly plan and as many sheets as it takes, for the whole or zone by zone. Of a roll nothing
    is taken but the map: the rest is ``apart``. With ``pieces`` the list of the terrain box comes too, where a game was
    held to one.

    Raises:
        PageError: the paper is too small.
        UsageError: a zone or a sheet that the map does not have, or no sheet is left of it.
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
    paper = in_hand(order.sheet) if order.sheet.endless else order.sheet
    plan: tuple[Page, ...] = ()
    match layout.way:
        case "one":
            page = sheets.page_of(drawing, bookmark=record.battlefield.title)
            barred = made.rim >= RIM
            page = with_bars(page, made.rim, imprint, words, scale=scale) if barred else _stated(page, order)
            pages: tuple[Page, ...] = (page,)
            planned = Planned(scale=scale, sheet=page.sheet, pages=1)
        case "whole":
            pages = (overview(drawing, order.sheet, imprint, words, scale=scale),)
            titled = layout.furniture is not (order.furniture or Furniture.FULL)
            if titled or layout.key_apart:
                keyed = replace(_map_layout(record, system, order), scale=scale)
                keys = key_pages(keyed, record, order.sheet, titled=titled)
                pages += tuple(_stated(page, order) for page in keys)
            planned = Planned(scale=scale, sheet=pages[0].sheet, pages=1, beside=len(pages) - 1)
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
        beside = corrected(
            rules_document(named, (*plan, *listed), system.name, words, keywords=keywords), order.profile
        )
        planned = replace(planned, apart=beside.document, outside=beside.outside)
    else:
        pages = (*plan, *pages, *listed)
    whole = rules_document(title, pages, system.name, words, keywords=keywords)
    printed = corrected(replace(whole, one_sided=layout.way in _JOINED), order.profile)
    planned = replace(planned, outside=(*planned.outside, *printed.outside))
    # Only a map that stands alone, with nothing else in its file, has a bleed.
    if order.bleed:
        board = made.board_at if order.furniture is Furniture.MAT else None
        bled = tuple(with_bleed(page, order.bleed, board) for page in printed.document.pages)
        printed = replace(printed, document=replace(printed.document, pages=bled))
    return _again(printed.document, planned, order) if order.reprint else (printed.document, planned)


def _judge_left(pages: Sequence[Page]) -> None:
    """Refuse a map of which no sheet is left.

    Raises:
        UsageError: there is none.
    """
    if not pages:
        raise UsageError("no sheet of this map has terrain features; remove --skip-bare, or print with --scale fit")


def _again(document: Document, planned: Planned, order: MapContext) -> tuple[Document, Planned]:
    """Return the sheets of a map that are printed again by themselves, each as it is in the whole.

    Raises:
        UsageError: the map has no such sheet, or is not laid over sheets at all.
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
    """Return the board alone, at the scale asked for or at true size: without furniture, and on no paper."""
    shown, scale = shown_record(record, order), order.scale or 1.0
    order = of_the_country(order, system, record)
    return _board(shown, order, scale, country_about(shown, system, order.asked.dressing, scale))


def shown_record(record: Record, order: MapContext) -> Record:
    """Return a record with all that a map shows of it."""
    field = with_own_overlays(record) if "deployment" not in order.asked.hide else record.battlefield
    return replace(record, battlefield=with_beyond(field))


def _blocks(record: Record, layout: MapWay, paper: Sheet) -> tuple[Drawing, ...]:
    """Return legend, scales and title for the assembly plan, unless they stand about the board."""
    return () if layout.furniture is Furniture.FULL else plan_blocks(layout.map_layout, record, plan_room(paper))


def _stated(page: Page, order: MapContext) -> Page:
    """Return a page that names the profile of the printer, where one is used and the page has no imprint."""
    return page if order.profile is None else with_line(page, order.words("marks.profile", name=order.printer))


class MapWay(Struct, frozen=True):
    """How a map comes to paper: on a sheet of its own size, whole on one sheet, over several, or zone by zone."""

    way: Literal["one", "whole", "tiled", "zones"]
    map_layout: MapLayout
    furniture: Furniture
    key_apart: bool = False


def map_way(record: Record, system: RuleSystem, order: MapContext) -> MapWay:
    """Return the way to print: everything about the board stands on its sheet unless it has to be tiled."""
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
            # In large print a long legend leaves no room for the map, so title, legend and key get their own pages.
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
    """Refuse a scale at which the board comes out too small to show a thing, or too large to be drawn.

    Raises:
        PageError: it does; names the size that the board would have.
    """
    board = record.battlefield.board
    sides = (board.width * scale, board.depth * scale)
    # A table may be longer than a page can be, for it is tiled; but nothing is made larger than that.
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
    """Return the battlefield with all that is said of it, at the scale asked for, or true size."""
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


def _drawn(record: Record, order: MapContext, layout: MapWay) -> Furnished:
    """Return the board with its furniture."""
    shown = layout.map_layout
    board = _board(
        record, replace(order, words=shown.words, style=shown.style), shown.scale, shown.country, _seams(order, layout)
    )
    return furnished(board, shown, layout.furniture)


def _seams(order: MapContext, layout: MapWay) -> BaseGeometry:
    """Return the ground on the board about the cuts between its sheets, in printed mm; none where it is not cut."""
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


def _plan_of(lattice: Lattice, scale: float, pages: int, dropped: tuple[str, ...], *, beside: int = 0) -> Planned:
    counted = {name: getattr(lattice, name) for name in ("sheet", "columns", "rows", "cuts")}
    return Planned(scale=scale, pages=pages, dropped=dropped, beside=beside, **counted)


def _saving(tilings: Sequence[Tiling], order: MapContext) -> FewerSheets | None:
    """Return what would save sheets; of a map with empty sheets, which need not be printed, nothing is known."""
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
