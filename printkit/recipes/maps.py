"""A record as a printed map: the board drawn, furnished, and laid over sheets of paper."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from printkit.chance.streams import Jitter
from printkit.drawing import style as styles
from printkit.drawing.cartouche import Caption
from printkit.drawing.furniture import Kind, assembly_blocks, fitting_scale, furnished
from printkit.drawing.items import Drawing
from printkit.drawing.plan import board_drawing
from printkit.drawing.style import Style
from printkit.errors import UsageError
from printkit.page import paper
from printkit.page.assembly import assembly
from printkit.page.lattice import Lattice, lay
from printkit.page.marks import Imprint
from printkit.page.overview import fit, overview, ratio
from printkit.page.sheet import Document, Page, Sheet
from printkit.page.tiling import tile
from printkit.rules.system import RuleSystem
from printkit.terrain.record import Record
from printkit.words import Words

FIT: Final = "fit"
FURNITURE: Final[tuple[Kind, ...]] = ("mat", "full", "none")
_RATIO: Final = re.compile(r"1\s*:\s*([0-9]+(?:\.[0-9]+)?)")
_SIDE_OF_PLAN: Final = 9.0
_FOOT_OF_PLAN: Final = 14.0
_HEAD_OF_PLAN: Final = 19.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSheet:
    """How a map is to be printed: paper, furniture, scale, style and language."""

    sheet: Sheet
    words: Words
    style: Style
    overlap: float = 10.0
    furniture: Kind | None = None
    scale: float | None = 1.0
    numbers: bool = True
    zones: bool = True
    deployment: bool = True

    @property
    def tiled(self) -> bool:
        """Return whether the map goes over sheets of a size of their own at a scale that is asked for."""
        return self.scale is not None and not _is_one(self.sheet)

    @property
    def kind(self) -> Kind:
        """Return the furniture: a mat for tiled sheets, everything otherwise, unless a person chose."""
        return self.furniture or ("mat" if self.tiled else "full")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What a map takes: printed mm per mm of the board, the paper as it lies, pages, cuts, sheets left out."""

    scale: float
    sheet: Sheet
    pages: int
    columns: int = 1
    rows: int = 1
    cuts: int = 0
    dropped: tuple[str, ...] = ()

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
    margin: float,
    overlap: float,
    words: Words,
    style: str,
    furniture: str | None,
    scale: str,
    numbers: bool = True,
    zones: bool = True,
    deployment: bool = True,
) -> MapSheet:
    """Return how to print a map, from the texts of a command line.

    Raises:
        UsageError: a paper, furniture or scale that is not known.
        PrintkitError: a style that cannot be read.
    """
    if furniture is not None and furniture not in FURNITURE:
        raise UsageError(f"no furniture {furniture!r}; there are {', '.join(FURNITURE)}")
    return MapSheet(
        sheet=paper.find(sheet, margin=margin),
        words=words,
        style=styles.find(style),
        overlap=overlap,
        furniture=next((kind for kind in FURNITURE if kind == furniture), None),
        scale=parse_scale(scale),
        numbers=numbers,
        zones=zones,
        deployment=deployment,
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

    One sheet as large as the map where ``one`` is asked for, one sheet with the whole map for ``fit``, and otherwise
    the assembly plan and as many sheets as it takes.

    Raises:
        PageError: the paper is too small.
    """
    accounts = system.account(record, order.words)
    caption = _caption(record, system, order.words)
    imprint = Imprint(title=record.battlefield.title, seed="" if record.seed is None else str(record.seed))
    scale = order.scale if order.scale is not None else _fitting(record, order, caption, accounts)
    drawing = _drawn(record, order, scale, caption, accounts)
    if order.scale is None:
        page = overview(drawing, order.sheet, imprint, order.words, scale=scale)
        pages: tuple[Page, ...] = (page,)
        planned = Planned(scale=scale, sheet=page.sheet, pages=1)
    elif _is_one(order.sheet):
        page = paper.page_of(drawing, bookmark=record.battlefield.title)
        pages, planned = (page,), Planned(scale=scale, sheet=page.sheet, pages=1)
    else:
        tiling = tile(drawing, order.sheet, imprint=imprint, words=order.words, overlap=order.overlap)
        first = _assembly(tiling.lattice, record, order, scale, caption, accounts)
        pages = (*assembly(tiling, drawing, first, order.sheet, imprint, order.words), *tiling.pages)
        planned = _plan_of(tiling.lattice, scale, len(pages), tiling.dropped)
    return _document(record, system, order.words, pages), planned


def map_plan(record: Record, order: MapSheet) -> Planned:
    """Return what printing a map at a given scale will take, without drawing it; pages without the assembly plan."""
    board = record.battlefield.board
    if order.scale is None:
        found = fit(board.width, board.depth, order.sheet)
        return Planned(scale=found.scale, sheet=found.sheet, pages=1)
    empty = Drawing(board.width * order.scale, board.depth * order.scale, ())
    whole = furnished(
        empty,
        record.battlefield,
        order.kind,
        style=order.style,
        words=order.words,
        scale=order.scale,
        caption=Caption(title=record.battlefield.title),
        accounts={},
    ).drawing
    if _is_one(order.sheet):
        return Planned(scale=order.scale, sheet=Sheet(paper.ONE, whole.width, whole.height, 0.0), pages=1)
    lattice = lay(whole.width, whole.height, order.sheet, overlap=order.overlap)
    return _plan_of(lattice, order.scale, lattice.count, ())


def _plan_of(lattice: Lattice, scale: float, pages: int, dropped: tuple[str, ...]) -> Planned:
    return Planned(
        scale=scale,
        sheet=lattice.sheet,
        pages=pages,
        columns=lattice.columns,
        rows=lattice.rows,
        cuts=lattice.cuts,
        dropped=dropped,
    )


def _is_one(sheet: Sheet) -> bool:
    return math.isinf(sheet.width) and math.isinf(sheet.height)


def _drawn(record: Record, order: MapSheet, scale: float, caption: Caption, accounts: Mapping[str, str]) -> Drawing:
    """Return the board with its furniture at a scale."""
    field = record.battlefield
    board = board_drawing(
        field,
        style=order.style,
        words=order.words,
        jitter=_jitter(record),
        scale=scale,
        numbers=order.numbers,
        zones=order.zones,
        deployment=order.deployment,
    )
    return furnished(
        board,
        field,
        order.kind,
        style=order.style,
        words=order.words,
        scale=scale,
        caption=caption,
        accounts=accounts if order.numbers else {},
    ).drawing


def _fitting(record: Record, order: MapSheet, caption: Caption, accounts: Mapping[str, str]) -> float:
    """Return the scale at which the furnished board fills the printable part of one sheet, its check bar left room."""
    room = fit(1.0, 1.0, order.sheet).sheet.printable
    found = []
    for width, height in ((room.width, room.height), (room.height, room.width)):
        found.append(
            fitting_scale(
                record.battlefield,
                width,
                height - 10.0,
                style=order.style,
                words=order.words,
                kind=order.kind,
                caption=caption,
                accounts=accounts if order.numbers else {},
            )
        )
    return max(found)


def _assembly(
    lattice: Lattice,
    record: Record,
    order: MapSheet,
    scale: float,
    caption: Caption,
    accounts: Mapping[str, str],
) -> tuple[Drawing, ...]:
    """Return what the mat leaves over for the first sheet; a map with full furniture has it all already."""
    if order.kind == "full":
        return ()
    sheet = lattice.sheet
    room = (sheet.turned() if sheet.width > sheet.height else sheet).printable
    return assembly_blocks(
        record.battlefield,
        room.width - _SIDE_OF_PLAN,
        room.height - _FOOT_OF_PLAN - _HEAD_OF_PLAN,
        style=order.style,
        words=order.words,
        scale=scale,
        caption=caption,
        accounts=accounts if order.numbers else {},
    )


def _jitter(record: Record) -> Jitter:
    return Jitter(record.seed or 0, record.reseeded)


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
