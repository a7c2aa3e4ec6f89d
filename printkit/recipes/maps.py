"""A record as a printed map: the board drawn, furnished, and laid over sheets of paper."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from printkit.chance.streams import Jitter
from printkit.drawing.edition import Caption, Edition
from printkit.drawing.furniture import Furniture, assembly_blocks, fitting, furnished, key_sheets, size
from printkit.drawing.items import Affine, Drawing, Rect
from printkit.drawing.plan import board_drawing
from printkit.drawing.style import Style
from printkit.errors import PageError, UsageError
from printkit.page import paper
from printkit.page.assembly import assembly
from printkit.page.assembly import room as plan_room
from printkit.page.lattice import Lattice
from printkit.page.marks import Imprint
from printkit.page.overview import fit, overview, ratio
from printkit.page.overview import room as overview_room
from printkit.page.printer import Profile, corrected, with_line
from printkit.page.sheet import Document, Page, Placement, Sheet
from printkit.page.tiling import tile
from printkit.recipes.printers import sheet_for
from printkit.recipes.styles import find_style
from printkit.recipes.terrain_box import box_pages, with_pieces
from printkit.rules.system import RuleSystem
from printkit.terrain.record import Record
from printkit.words import Words

FIT: Final = "fit"
SMALLEST: Final = 40.0
"""The shortest side in mm of a printed board: below it a symbol covers what it stands for."""
_KEY_BESIDE: Final = 0.8
"""How much smaller a map may become for its key to stand on the same page."""
_RATIO: Final = re.compile(r"1\s*:\s*([0-9]+(?:\.[0-9]+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSheet:
    """How a map is to be printed; ``pieces``: with the list of the terrain box, where a game was held to one."""

    sheet: Sheet
    words: Words
    style: Style
    overlap: float = 10.0
    furniture: Furniture | None = None
    scale: float | None = 1.0
    numbers: bool = True
    zones: bool = True
    deployment: bool = True
    grid: bool = True
    pieces: bool = True
    profile: Profile | None = None

    @property
    def printer(self) -> str:
        """Return the name of the printer whose profile is used, or nothing."""
        return "" if self.profile is None else self.profile.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What a map takes: printed mm per mm of the board, the paper as it lies, pages of map, cuts, sheets left out.

    ``beside`` counts the pages that go with the map: the assembly plan, or the key behind an overview, ``listed``
    those of the terrain box. ``outside`` labels the pages of which the printer does not reach everything.
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

    @property
    def ratio(self) -> str:
        """Return the scale as people write it: 1:1, 1:3.42."""
        return ratio(self.scale)

    @property
    def lies(self) -> bool:
        """Return whether the paper is turned."""
        return self.sheet.width > self.sheet.height


def map_sheet(
    *,
    sheet: str,
    margin: float | None,
    overlap: float,
    words: Words,
    style: str,
    furniture: str | None,
    scale: str,
    numbers: bool = True,
    zones: bool = True,
    deployment: bool = True,
    grid: bool = True,
    profile: Profile | None = None,
) -> MapSheet:
    """Return how to print a map, from the texts of a command line.

    Raises:
        UsageError: a paper, furniture or scale that is not known.
        PrintkitError: a style that cannot be read.
    """
    if furniture is not None and furniture not in list(Furniture):
        raise UsageError(f"no furniture {furniture!r}; there are {', '.join(Furniture)}")
    return MapSheet(
        sheet=sheet_for(sheet, margin=margin, default=paper.MARGIN, profile=profile),
        words=words,
        style=find_style(style),
        overlap=overlap,
        furniture=None if furniture is None else Furniture(furniture),
        scale=parse_scale(scale),
        numbers=numbers,
        zones=zones,
        deployment=deployment,
        grid=grid,
        profile=profile,
    )


def parse_scale(text: str) -> float | None:
    """Return printed mm per mm of the board of ``1:4``; None for ``fit``.

    Raises:
        UsageError: it is neither.
    """
    if text.strip().lower() == FIT:
        return None
    found = _RATIO.fullmatch(text.strip())
    if found is None or float(found[1]) == 0:
        raise UsageError(f"--scale {text!r} is no scale; write 1:1, 1:4 or fit")
    return 1.0 / float(found[1])


def map_document(record: Record, system: RuleSystem, order: MapSheet) -> tuple[Document, Planned]:
    """Return a battlefield as a document, and what it takes.

    A sheet as large as the map for ``one``; one sheet with the whole map for ``fit``, and wherever the map fits on
    one; otherwise the assembly plan and as many sheets as it takes.

    Raises:
        PageError: the paper is too small.
    """
    words = order.words
    layout = _layout(record, system, order)
    seed = "" if record.seed is None else str(record.seed)
    imprint = Imprint(title=record.battlefield.title, seed=seed, profile=order.printer)
    drawing = _drawn(record, order, layout)
    scale = layout.edition.scale
    match layout.way:
        case "one":
            pages: tuple[Page, ...] = (_stated(paper.page_of(drawing, bookmark=record.battlefield.title), order),)
            planned = Planned(scale=scale, sheet=pages[0].sheet, pages=1)
        case "whole":
            pages = (overview(drawing, order.sheet, imprint, words, scale=scale),)
            if layout.key_apart:
                keys = _key_pages(_edition(record, system, order), record, order.sheet)
                pages += tuple(_stated(page, order) for page in keys)
            planned = Planned(scale=scale, sheet=pages[0].sheet, pages=1, beside=len(pages) - 1)
        case "tiled":
            tiling = tile(drawing, order.sheet, imprint=imprint, words=words, overlap=order.overlap)
            free = plan_room(tiling.lattice.sheet)
            full = layout.furniture is Furniture.FULL
            blocks = () if full else assembly_blocks(layout.edition, free.width, free.height)
            plan = assembly(tiling, drawing, blocks, order.sheet, imprint=imprint, words=words)
            pages = (*plan, *tiling.pages)
            planned = _plan_of(tiling.lattice, scale, len(tiling.pages), tiling.dropped, beside=len(plan))
    listed = box_pages(record, system, sheet=order.sheet, style=order.style, words=words) if order.pieces else ()
    made = corrected(_document(record, system, words, (*pages, *listed)), order.profile)
    return made.document, replace(planned, outside=made.outside, listed=len(listed))


def _stated(page: Page, order: MapSheet) -> Page:
    """Return a page that names the profile of the printer, where one is used and the page has no imprint."""
    return page if order.profile is None else with_line(page, order.words("marks.profile", name=order.printer))


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a map comes to paper: on a sheet of its own size, whole on one sheet, or over several."""

    way: Literal["one", "whole", "tiled"]
    edition: Edition
    furniture: Furniture
    key_apart: bool = False


def _layout(record: Record, system: RuleSystem, order: MapSheet) -> _Layout:
    """Return the way to print: everything about the board stands on its sheet unless it has to be tiled."""
    edition = _edition(record, system, order)
    if order.scale is not None:
        _judge_size(record, edition.scale)
    furniture = order.furniture or Furniture.FULL
    if math.isinf(order.sheet.width):
        return _Layout("one", edition, furniture)
    if order.scale is None:
        fitted = _fitted(edition, order.sheet, furniture)
        _judge_size(record, fitted.scale)
        return _Layout("whole", fitted, furniture, key_apart=bool(edition.accounts) and not fitted.accounts)
    if math.isinf(order.sheet.height) or fit(*size(edition, furniture), order.sheet).scale < 1:
        return _Layout("tiled", edition, order.furniture or Furniture.MAT)
    return _Layout("whole", edition, furniture)


def _judge_size(record: Record, scale: float) -> None:
    """Refuse a scale at which the board comes out too small to show a thing, or too large to be drawn.

    Raises:
        PageError: it does; names the size that the board would have.
    """
    board = record.battlefield.board
    sides = (board.width * scale, board.depth * scale)
    if min(sides) < SMALLEST or max(sides) > paper.LARGEST:
        raise PageError(
            f"at {ratio(scale)} the board would be {sides[0]:.4g} x {sides[1]:.4g} mm on paper; "
            f"its sides must come to {SMALLEST:g} mm at least and {paper.LARGEST:g} mm at most"
        )


def _edition(record: Record, system: RuleSystem, order: MapSheet) -> Edition:
    """Return the battlefield with all that is said of it, at the scale asked for, or true size."""
    return Edition(
        field=record.battlefield,
        style=order.style,
        words=order.words,
        caption=_caption(record, system, order.words),
        scale=order.scale or 1.0,
        accounts=with_pieces(system.account(record, order.words), record, order.words) if order.numbers else {},
    )


def _fitted(edition: Edition, sheet: Sheet, furniture: Furniture) -> Edition:
    """Return the edition at the largest scale that fits one sheet, whichever way the paper lies.

    Where the key would take too much of the map, the edition has no key, which then stands on a page of its own.
    """
    if math.isinf(sheet.height):
        raise PageError(f"sheet {sheet.name} is as long as it needs to be, so nothing fits it; name another sheet")

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


def _key_pages(edition: Edition, record: Record, sheet: Sheet) -> tuple[Page, ...]:
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


def _drawn(record: Record, order: MapSheet, layout: _Layout) -> Drawing:
    """Return the board with its furniture."""
    board = board_drawing(
        record.battlefield,
        style=order.style,
        words=order.words,
        jitter=Jitter(record.seed or 0, record.reseeded),
        scale=layout.edition.scale,
        numbers=order.numbers,
        zones=order.zones,
        deployment=order.deployment,
        grid=order.grid,
    )
    return furnished(board, layout.edition, layout.furniture).drawing


def _plan_of(lattice: Lattice, scale: float, pages: int, dropped: tuple[str, ...], *, beside: int = 0) -> Planned:
    return Planned(
        scale=scale,
        sheet=lattice.sheet,
        pages=pages,
        columns=lattice.columns,
        rows=lattice.rows,
        cuts=lattice.cuts,
        dropped=dropped,
        beside=beside,
    )


def _caption(record: Record, system: RuleSystem, words: Words) -> Caption:
    return Caption(title=record.battlefield.title, subtitle=words(f"rules.{system.name}.subtitle"), seed=record.seed)


def _document(record: Record, system: RuleSystem, words: Words, pages: tuple[Page, ...]) -> Document:
    seed = () if record.seed is None else (f"seed {record.seed}",)
    return Document(
        title=record.battlefield.title,
        pages=pages,
        language=words.code,
        subject=words(f"rules.{system.name}.subtitle"),
        keywords=(system.name, *seed),
    )
