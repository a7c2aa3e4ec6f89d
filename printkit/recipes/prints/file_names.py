"""File names of a game: its rules, board and seed, and marks for options that differ from the default."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from zlib import crc32

from printkit.chance.dice import matches_seed
from printkit.core.units import DPI
from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.drawing.dressing.countryside_types import DressingLevel
from printkit.export.files import check_file_name
from printkit.export.writers import PAGES, path_without_extension
from printkit.kit.countryside import default_name_list
from printkit.kit.registry import find
from printkit.kit.rules import NAMES_KEY
from printkit.page import sheet as sheets
from printkit.page.lattice import OVERLAP
from printkit.page.printer import PrinterProfile
from printkit.page.sheet import Sheet
from printkit.recipes.game.games import INPUTS
from printkit.recipes.output.handout import format_board_size
from printkit.recipes.prints.map_key import KeyKind
from printkit.recipes.prints.map_scale import FIT
from printkit.recipes.prints.maps import LABELS, SHOWN, MapContext
from printkit.terrain.field.record import Record

# The default paper, style and language have no mark in a file name.
_SHEET: Final = "a4"
_STYLE: Final = "campaign"
_LANGUAGE: Final = "en"

SHOWS_SEED: Final = "show-seed"  # the mark of sheets that show the seed of their game

LARGE: Final = "large"  # the mark of large print

BUILD: Final = "build"  # the kind of a building plan

# The maximum length of the settings in a file name. Longer ones, or special characters, become a digest of 4 digits.
_MAX_SETTINGS_LENGTH: Final = 24


def game_name(record: Record) -> str:
    """Return the file name of a game: ``brantley-24in-seed7``, with a grid ``portable-1-hex-9x8-100mm-seed7``.

    Marks follow for stages that were rolled again, settings that differ from the default, dice of the user, a terrain
    box and hand edits: ``brantley-24in-seed7-policy-terrain-hungry``, ``brantley-24in-seed7-dice5f02``.
    """
    size = format_board_size(record.battlefield.board)
    if (grid := record.battlefield.grid) is not None:
        size = f"{grid.name}-{grid.cell:g}mm"
    marks = [record.rules, size, _seed_mark(record)]
    marks += [f"{stage}{number}" for stage, number in sorted(record.reseeded.items())]
    marks += _setting_marks(record)
    if record.box:
        marks.append("box")
    if record.hand:
        marks.append(f"hand{digest([dict(entry) for entry in record.hand])}")
    return check_file_name("-".join(marks))


def map_name(record: Record, order: MapContext, kind: str = "") -> str:
    """Return the file name of a printed map: the name of the game, its kind and marks for print options.

    A map that is printed by zones has the mark ``zones``, or names its zones: ``acw-72x48in-seed7-zone-3``.
    """
    zones = [] if order.zones is None else [f"zone-{'-'.join(order.zones)}" if order.zones else "zones"]
    return add_marks(game_name(record), kind, *zones, *map_marks(order))


def add_marks(name: str, *marks: str) -> str:
    """Return a name followed by its marks, joined by hyphens; empty marks are left out.

    Raises:
        PageError: a mark has a character that is not valid in a file name.
    """
    return check_file_name("-".join([name, *(mark for mark in marks if mark)]))


def printing_marks(
    words: Words, style: Style | None = None, sheet: Sheet | str | None = None, profile: PrinterProfile | None = None
) -> Iterator[str]:
    """Yield the marks of a paper, a style, large print, a language and a printer that differ from the default.

    There is no mark for an argument that is not given. A mark is part of a file name, for example ``ink-saver`` or
    ``es``.
    """
    if sheet is not None:
        name = _paper_name(sheet) if isinstance(sheet, str) else sheets.unique_name(sheet)
        if name.strip().lower() != _SHEET:
            yield printing_slug(name)
    if style is not None and style.name != _STYLE:
        yield printing_slug(style.name)
    if style is not None and style.least_pt:
        yield LARGE
    languages = "-".join(language.code for language in words.each())
    if languages != _LANGUAGE:
        yield printing_slug(languages)
    if profile is not None:
        yield printing_slug(f"printer {profile.name}")


def margin_marks(sheet: Sheet, profile: PrinterProfile | None = None) -> Iterator[str]:
    """Yield the mark of margins that differ from those of the paper or printer.

    Nothing if they are equal, or for a roll.
    """
    if math.isinf(sheet.width):
        return
    default_sheet = Sheet(sheet.name, sheet.width, sheet.height, sheets.MARGIN)
    if profile is not None:
        default_sheet = profile.sheet(default_sheet)
    horizontal, vertical = sheet.printable[:2]
    if (horizontal, vertical) != default_sheet.printable[:2]:
        yield _margin_mark(horizontal, vertical)


def _paper_name(text: str) -> str:
    """Return the name of a paper. A user's paper has its size and margins added, because its name is not unique."""
    paper = sheets.own_paper(text)
    if paper is None:
        return text
    name = sheets.unique_name(Sheet(paper.name, paper.width, paper.height, 0.0))
    if paper.margin is None:
        return name
    return f"{name}-{_margin_mark(paper.margin, paper.margin if paper.head is None else paper.head)}"


def _margin_mark(horizontal: float, vertical: float) -> str:
    """Return the mark of a margin: the left margin and, if it differs, the bottom margin, in mm on paper."""
    return "margin" + printing_slug(f"{horizontal:g}" if horizontal == vertical else f"{horizontal:g}-{vertical:g}")


def dots_mark(dpi: int) -> Iterator[str]:
    """Yield the mark of a resolution that differs from the default."""
    if dpi != DPI:
        yield f"{dpi}dpi"


def stem(record: Record, out: Path, count: int, order: MapContext | None = None, kind: str = "") -> Path:
    """Return the folder and the name without suffix: ``output/brantley-24in-seed7``, or the user's file.

    Args:
        record: the record of the game.
        out: a folder, or a file with the suffix of a format.
        count: the number of games; with several games, the name from the user gets the seed at its end.
        order: the print context of the map; None for only the name of the game.
        kind: what is printed, if it is not the map: ``BUILD``.
    """
    if (user_path := path_without_extension(out)) is not None:
        return user_path if count == 1 else user_path.with_name(f"{user_path.name}-{_seed_mark(record)}")
    return out / (game_name(record) if order is None else map_name(record, order, kind))


def document_stem(name: str, out: Path) -> Path:
    """Return the folder and the name without suffix of sheets without a record.

    If ``out`` has the suffix of a page format, it is the user's file; otherwise it is a folder for the file ``name``.
    """
    return out.with_name(out.stem) if out.suffix.lower().lstrip(".") in PAGES else out / check_file_name(name)


def digest(value: object) -> str:
    """Return a digest of a JSON value: four hexadecimal digits. The order of keys does not matter."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return f"{crc32(text.encode()) & 0xFFFF:04x}"


def _seed_mark(record: Record) -> str:
    """Return the mark of the seed, for example ``seed7``, or ``drawn`` for a record without a seed."""
    return "drawn" if record.seed is None else f"seed{record.seed}"


def _setting_marks(record: Record) -> Iterator[str]:
    """Yield the marks of settings that differ from the default, and of dice of the user.

    Each is at most one mark.
    """
    system = find(record.rules)
    defaults: Mapping[str, str] = {**system.book.settle(), NAMES_KEY: default_name_list(system, record.details)}
    grid = record.battlefield.grid
    grid_name = "" if grid is None else grid.name
    differences = {
        key: text for key, text in sorted(record.settings.items()) if text not in (defaults.get(key), grid_name)
    }
    given_inputs = record.details.get(INPUTS)
    if differences or given_inputs:
        settings_text = "-".join(f"{key}-{text}" for key, text in differences.items()).lower().replace(".", "-")
        is_plain = (
            not given_inputs
            and len(settings_text) <= _MAX_SETTINGS_LENGTH
            and re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", settings_text)
        )
        yield settings_text if is_plain else f"set{digest([differences, given_inputs or {}])}"
    has_overrides = any(throw.was for throw in record.log)
    if record.seed is not None and (has_overrides or not matches_seed(record.log, record.seed, record.reseeded)):
        yield f"dice{digest([throw.answer for throw in record.log])}"


def map_marks(order: MapContext) -> Iterator[str]:
    """Yield the marks of print options of a map that differ from the default, the scale first."""
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
        yield f"only-{names}" if len(names) <= _MAX_SETTINGS_LENGTH else f"only{digest(order.reprint)}"
    yield from (f"no-{name}" for name in SHOWN if name in order.asked.hide)
    if order.style.painted:
        yield from (LABELS,) * (LABELS in order.asked.show)
        yield from (order.asked.climate,) * bool(order.asked.climate)


def printing_slug(text: str) -> str:
    """Return a text as part of a file name: lower-case letters and digits; other characters become hyphens.

    Several of them become one hyphen, and there is none at either end. Letters outside a to z are lost.
    """
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")
