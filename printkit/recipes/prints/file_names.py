"""What the files of a game are called: by its rules, board and seed, and by what differs from the usual."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from zlib import crc32

from printkit.chance.dice import thrown_by_seed
from printkit.core.units import DPI
from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.drawing.dressing.country import DressingLevel
from printkit.export.files import file_name
from printkit.export.writers import PAGES, named_by
from printkit.kit.countryside import usual_names
from printkit.kit.registry import find
from printkit.kit.rules import NAMES_KEY
from printkit.page import sheet as sheets
from printkit.page.lattice import OVERLAP
from printkit.page.printer import PrinterProfile
from printkit.page.sheet import Sheet
from printkit.recipes.game.games import INPUTS
from printkit.recipes.output.handout import size_name
from printkit.recipes.prints.map_key import KeyKind
from printkit.recipes.prints.map_scale import FIT
from printkit.recipes.prints.maps import LABELS, SHOWN, MapContext
from printkit.terrain.field.record import Record

_SHEET: Final = "a4"
_STYLE: Final = "campaign"
_LANGUAGE: Final = "en"
"""What has no mark in a name: the usual paper, style and language."""

SHOWS_SEED: Final = "show-seed"
"""The mark of sheets that name the seed of their game."""

LARGE: Final = "large"
"""The mark of large print."""

_LONGEST: Final = 24
"""The characters that the settings of a game may take in a name; more, or other than letters, are a mark of four."""


def game_name(record: Record) -> str:
    """Return what a game is called: ``brantley-24in-seed7``, by its areas ``portable-1-hex-9x8-100mm-seed7``.

    Stages that were thrown anew, a person's own dice, a terrain box, and settings that are not the usual ones follow:
    ``brantley-24in-seed7-policy-terrain-hungry``, ``brantley-24in-seed7-dice5f02``.
    """
    size = size_name(record.battlefield.board)
    if (grid := record.battlefield.grid) is not None:
        size = f"{grid.name}-{grid.cell:g}mm"
    marks = [record.rules, size, _seed(record)]
    marks += [f"{stage}{number}" for stage, number in sorted(record.reseeded.items())]
    marks += _own(record)
    if record.box:
        marks.append("box")
    if record.hand:
        marks.append(f"hand{digest([dict(entry) for entry in record.hand])}")
    return file_name("-".join(marks))


def map_name(record: Record, order: MapContext) -> str:
    """Return what a printed map is called: the game, and what is not the usual printing of it.

    What is printed zone by zone says so, or says which: ``acw-72x48in-seed7-zone-3``.
    """
    zones = [] if order.zones is None else [f"zone-{'-'.join(order.zones)}" if order.zones else "zones"]
    return marked(game_name(record), *zones, *map_marks(order))


def marked(name: str, *marks: str) -> str:
    """Return a name with marks behind it.

    Raises:
        PageError: a mark holds what no name of a file can.
    """
    return file_name("-".join([name, *(mark for mark in marks if mark)]))


def printing_marks(
    words: Words, style: Style | None = None, sheet: Sheet | str | None = None, profile: PrinterProfile | None = None
) -> Iterator[str]:
    """Yield the marks of a language, a style, a paper and a printer that are not the usual ones."""
    if sheet is not None:
        name = _paper(sheet) if isinstance(sheet, str) else sheets.called(sheet)
        if name.strip().lower() != _SHEET:
            yield printing_slug(name)
    if style is not None and style.name != _STYLE:
        yield printing_slug(style.name)
    if style is not None and style.least_pt:
        yield LARGE
    languages = "-".join(one.code for one in words.each())
    if languages != _LANGUAGE:
        yield printing_slug(languages)
    if profile is not None:
        yield printing_slug(f"printer {profile.name}")


def margin_marks(sheet: Sheet, profile: PrinterProfile | None = None) -> Iterator[str]:
    """Yield the mark of margins that are not those which the paper has by itself, or by the profile of the printer."""
    if math.isinf(sheet.width):
        return
    usual = Sheet(sheet.name, sheet.width, sheet.height, sheets.MARGIN)
    if profile is not None:
        usual = profile.sheet(usual)
    across, along = sheet.printable[:2]
    if (across, along) != usual.printable[:2]:
        yield _margins(across, along)


def _paper(text: str) -> str:
    """Return what a person calls a paper; one of his own with its size and margins, for others may be called so."""
    paper = sheets.own_paper(text)
    if paper is None:
        return text
    name = sheets.called(Sheet(paper.name, paper.width, paper.height, 0.0))
    if paper.margin is None:
        return name
    return f"{name}-{_margins(paper.margin, paper.margin if paper.head is None else paper.head)}"


def _margins(across: float, along: float) -> str:
    return "margin" + printing_slug(f"{across:g}" if across == along else f"{across:g}-{along:g}")


def dots_mark(dpi: int) -> Iterator[str]:
    """Yield the mark of dots an inch that are not the usual ones."""
    if dpi != DPI:
        yield f"{dpi}dpi"


def stem(record: Record, out: Path, count: int, order: MapContext | None = None) -> Path:
    """Return folder and name without ending: ``output/brantley-24in-seed7``, or what a person named.

    Args:
        record: the game.
        out: a folder, or a file with the ending of a format.
        count: how many games are printed; several get their seeds into the name that a person gave.
        order: how the map is printed; None: the game alone.
    """
    if (named := named_by(out)) is not None:
        return named if count == 1 else named.with_name(f"{named.name}-{_seed(record)}")
    return out / (game_name(record) if order is None else map_name(record, order))


def document_stem(name: str, out: Path) -> Path:
    """Return folder and name without ending of sheets that have no record, or what a person named."""
    return out.with_name(out.stem) if out.suffix.lower().lstrip(".") in PAGES else out / file_name(name)


def digest(value: object) -> str:
    """Return four hexadecimal digits that tell values apart, of what JSON can hold."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return f"{crc32(text.encode()) & 0xFFFF:04x}"


def _seed(record: Record) -> str:
    return "drawn" if record.seed is None else f"seed{record.seed}"


def _own(record: Record) -> Iterator[str]:
    """Yield the marks of settings that are not the usual ones, and of a person's own dice."""
    system = find(record.rules)
    usual: Mapping[str, str] = {**system.book.settle(), NAMES_KEY: usual_names(system, record.details)}
    grid = record.battlefield.grid
    said = "" if grid is None else grid.name
    changed = {key: text for key, text in sorted(record.settings.items()) if text not in (usual.get(key), said)}
    given = record.details.get(INPUTS)
    if changed or given:
        told = "-".join(f"{key}-{text}" for key, text in changed.items()).lower().replace(".", "-")
        plain = not given and len(told) <= _LONGEST and re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", told)
        yield told if plain else f"set{digest([changed, given or {}])}"
    laid_over = any(throw.was for throw in record.log)
    if record.seed is not None and (laid_over or not thrown_by_seed(record.log, record.seed, record.reseeded)):
        yield f"dice{digest([throw.answer for throw in record.log])}"


def map_marks(order: MapContext) -> Iterator[str]:
    """Yield the marks of what is not usual about the printing of a map, the scale first."""
    if order.scale is None:
        yield FIT
    elif order.scale != 1:
        yield f"1to{1 / order.scale:.4g}".replace(".", "-")
    yield from printing_marks(order.words, order.style, order.sheet, order.profile)
    if order.asked.furniture is not None:
        yield f"furniture-{order.asked.furniture}"
    yield from margin_marks(order.sheet, order.profile)
    if order.overlap != OVERLAP:
        yield f"overlap{printing_slug(f'{order.overlap:g}')}"
    if order.bleed:
        yield f"bleed{printing_slug(f'{order.bleed:g}')}"
    if order.pixels is not None:
        yield f"{order.pixels}px"
    else:
        yield from dots_mark(order.dpi)
    if order.asked.dressing != DressingLevel.LIGHT:
        yield f"dressing-{order.asked.dressing}"
    if order.asked.key != KeyKind.PLAIN:
        yield f"key-{order.asked.key}"
    if order.asked.skip_bare:
        yield "skip-bare"
    if order.asked.show_seed:
        yield SHOWS_SEED
    if order.reprint:
        names = "-".join(printing_slug(name) for name in order.reprint)
        yield f"only-{names}" if len(names) <= _LONGEST else f"only{digest(order.reprint)}"
    yield from (f"no-{name}" for name in SHOWN if name in order.asked.hide)
    if order.style.painted:
        yield from (LABELS,) * (LABELS in order.asked.show)
        yield from (order.asked.climate,) * bool(order.asked.climate)


def printing_slug(text: str) -> str:
    """Return a text as a part of a name: small letters and figures, all else a hyphen."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")
