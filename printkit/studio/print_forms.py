"""Forms for printing, the options and tasks made from submitted forms, and the page of a finished job."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.api import Field
from printkit.core.errors import UsageError
from printkit.core.paths import toml_names
from printkit.core.words import Words
from printkit.export.writers import RECORDS
from printkit.kit import registry
from printkit.options.commands import GameOptions
from printkit.options.printing import CardOptions, EveningOptions, FileOptions, MapOptions, SheetOptions, TileOptions
from printkit.options.table import find_row, rows
from printkit.page.sheet import ONE
from printkit.page.sheet import named_sheets as papers
from printkit.recipes.evening.handouts import game_night_context, preview_parts
from printkit.recipes.evening.parts import PlacedBy
from printkit.recipes.game.request import GameNames
from printkit.recipes.output.printed_files import PrintedFile, PrintWork, sum_work
from printkit.recipes.output.printers import find as find_printer
from printkit.recipes.prints.map_plan import MapPlan
from printkit.recipes.prints.maps import PAPER_MAP, MapContext, map_context
from printkit.recipes.prints.printing import map_parts
from printkit.studio.app_state import AppState, Settings
from printkit.studio.forms import Control, name_paper, option_control, styles
from printkit.studio.jobs import Job
from printkit.studio.worker_process import Task

_LENGTH: Final = re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?\s*(mm|cm|in)")
_PAPER: Final = re.compile(r"[0-9]{1,5}(\.[0-9]{1,40})?\s*x\s*[0-9]{1,5}(\.[0-9]{1,40})?\s*(mm|cm|in)")
_PARTS: Final = re.compile(r"[a-z0-9-]+(,[a-z0-9-]+)*")
_SCALES: Final = ("1:1", "fit", "1:2", "1:4")
_ONE: Final = "one"
_FIRST: Final = ("a4", "letter", "a3")

# Less common options of a map, folded on its page.
_OTHERS: Final = ("margin", "overlap", "furniture", "dressing", "key", "skip_bare", "show_seed")

# The fields of ``MapOptions`` that a form may have.
_FIELDS: Final = ("sheet", "scale", "style", *_OTHERS, "large_print")

# The kinds of output for every battlefield; ``task_of`` also knows decks and formats for other programs.
KINDS: Final = ("map", "evening", "build", "picture", "drawing", "hexon", "record")


class PrintForm(Struct, frozen=True, kw_only=True):
    """The controls of the print pages: paper, scale, style, printer, less common options, and the names of a game."""

    paper: Control
    scale: Control
    style: Control
    printer: Control
    others: tuple[Control, ...]
    names: tuple[Control, ...]


def print_form(form: Mapping[str, str], printers: Path, words: Words) -> PrintForm:
    """Return the controls of the print page with the values that ``clean_form`` returns.

    ``printers`` is the folder of the printer profiles.
    """
    return PrintForm(
        paper=option_control(MapOptions, "sheet", form, words, tuple(dict.fromkeys((*_FIRST, *papers(), _ONE)))),
        scale=option_control(MapOptions, "scale", form, words, _SCALES),
        style=styles(form.get("style", "campaign"), words),
        printer=option_control(FileOptions, "printer", form, words, ("", *toml_names(printers))),
        others=tuple(option_control(MapOptions, name, form, words) for name in _OTHERS),
        names=tuple(option_control(GameOptions, name, form, words) for name in ("game_title", "player_names")),
    )


# The controls of the page of a finished job by kind of output: their names and their first choices.
_AGAIN: Final = {
    **dict.fromkeys(("evening", "build", "hexon", "cards"), ("sheet", "style")),
    "map": ("sheet", "style", "scale"),
}
_AGAIN_CHOICES: Final = {"sheet": _FIRST, "style": ("campaign", "ink-saver"), "scale": ("1:1", "fit")}


def again_controls(kind: str, form: Mapping[str, str], words: Words) -> tuple[Control, ...]:
    """Return the controls that print a kind of output again: paper, ink and size.

    ``form`` has the values that ``clean_form`` returns.
    """
    return tuple(option_control(MapOptions, name, form, words, _AGAIN_CHOICES[name]) for name in _AGAIN.get(kind, ()))


def read_print_form(app: AppState, form: Mapping[str, str]) -> dict[str, str]:
    """Return the valid values of a form for printing; the preferences give those that are missing.

    Raises:
        UsageError: a value is not valid.
    """
    preferences, printers = app.preferences, app.settings.printers
    # The file of the preferred printer may have been deleted.
    printer = preferences.printer if preferences.printer in toml_names(printers) else ""
    large_print = {"large-print": "on"} if preferences.large_print else {}
    usual = {"sheet": preferences.sheet, "style": preferences.style, "printer": printer, **large_print}
    return clean_form({**usual, **form}, printers)


def clean_form(form: Mapping[str, str], printers: Path) -> dict[str, str]:
    """Return the valid values of a form for printing, without defaults; a value cannot name a file.

    Raises:
        UsageError: a value is not valid.
    """
    # No printer is a choice too: a print again must not take the preferred one.
    values = {"printer": ""}
    names = {"sheet": (*papers(), _ONE), "printer": toml_names(printers)}
    for row in (find_row(name, MapOptions, FileOptions) for name in (*_FIELDS, "printer")):
        key, choices = row.flag.lstrip("-"), names.get(row.name) or row.choices()
        value = form.get(key, "").strip()
        # Pictures have another default scale.
        if not value or (key == "scale" and value == row.default):
            continue
        if choices and value not in choices and not (key == "sheet" and _PAPER.fullmatch(value)):
            there = ", ".join(choices)
            raise UsageError("{name} cannot be {value!r}; use one of {there}", name=key, value=value, there=there)
        if key in ("margin", "overlap") and not _LENGTH.fullmatch(value):
            raise UsageError("{name} {value!r} is not a length; write for example 10mm", name=key, value=value)
        values[key] = value
    values |= {name: text for name in GameNames.__struct_fields__ if (text := form.get(name, "").strip())}
    game_names(values)
    for name in ("with", "without"):
        if value := form.get(name, "").strip():
            if not _PARTS.fullmatch(value):
                raise UsageError("{name} {value!r} are not parts of a game night", name=name, value=value)
            values[name] = value
    return values


def map_options(form: Mapping[str, str], lang: str | None = None) -> MapOptions:
    """Return the options of a map from the values that ``clean_form`` returns."""
    given_rows = [row for row in rows(MapOptions) if row.name in _FIELDS and row.flag.lstrip("-") in form]
    values: dict[str, Any] = {row.name: row.kind is bool or form[row.flag.lstrip("-")] for row in given_rows}
    return MapOptions(lang=lang, **values)


def evening_options(form: Mapping[str, str], lang: str | None = None) -> EveningOptions:
    """Return the options of a game night from the values that ``clean_form`` returns."""
    map_part = map_options(form, lang)
    sheet_values = {name: getattr(map_part, name) for name in SheetOptions.__struct_fields__}
    return EveningOptions(**sheet_values, wanted=_split_names(form, "with"), unwanted=_split_names(form, "without"))


def game_names(form: Mapping[str, str]) -> GameNames:
    """Return the title and the players of a form.

    Raises:
        UsageError: a name is not valid.
    """
    return GameNames(**{name: form.get(name, "") for name in GameNames.__struct_fields__})


def order_of(form: Mapping[str, str], printers: Path, words: Words) -> MapContext:
    """Return the context that prints a map with the values that ``clean_form`` returns.

    Raises:
        PrintkitError: the paper, scale or printer is not valid.
    """
    profile = find_printer(form["printer"], printers) if form.get("printer") else None
    return map_context(map_options(form), words, profile)


def map_work(plan: MapPlan) -> PrintWork:
    """Return the work of a printed map: its sheets with the plan, the straight cuts, and the minutes."""
    return sum_work(map_parts(plan, "", ""))


def decks_of(field: Field) -> tuple[str, ...]:
    """Return the names of the decks of the rule system of a battlefield."""
    return registry.plugin(field.rules).decks


def record_formats() -> tuple[str, ...]:
    """Return the names of the record formats for other programs."""
    return tuple(name for name in RECORDS if name != "json")


def task_of(kind: str, record: Path, settings: Settings, form: Mapping[str, str], lang: str, *, field: Field) -> Task:
    """Return the task that prints something of a battlefield.

    Args:
        kind: one of ``KINDS``, ``cards:DECK`` or ``format:NAME``.
        record: the file of the battlefield.
        settings: the settings of the studio.
        form: the values that ``clean_form`` returns.
        lang: the language of the sheets.
        field: the battlefield.

    Raises:
        UsageError: the kind does not exist for this battlefield.
    """
    what, _, which = kind.partition(":")
    options = map_options(form, lang)
    task = Task(
        recipe="map",
        options=options,
        record=str(record),
        out=str(settings.out),
        printer=form.get("printer", ""),
        printers=str(settings.printers),
    )
    paper = {name: getattr(options, name) for name in ("sheet", "style", "margin", "large_print")}
    match what:
        case "map" if field.record.box:
            # Without the wish for the map, a battlefield with a terrain box prints only the plan to build it.
            return replace(task, options=replace(options, wanted=(PAPER_MAP,)))
        case "map":
            return task
        case "build" if field.record.box:
            return task
        case "evening":
            return replace(task, recipe="handouts", options=evening_options(form, lang), names=game_names(form))
        case "build":
            plan = replace(evening_options(form, lang), laid=PlacedBy.BUILD, only=("layout",))
            return replace(task, recipe="handouts", options=plan, names=game_names(form))
        case "picture" | "drawing":
            map_format = "png" if what == "picture" else "svg"
            return replace(task, options=replace(options, scale=form.get("scale", "fit")), to=(map_format,))
        case "hexon":
            return replace(task, recipe="hexon", options=TileOptions(lang=lang, **paper))
        case "record":
            return replace(task, options=MapOptions(lang=lang), to=("json",), printer="")
        case "cards" if which in decks_of(field):
            return replace(task, recipe="cards", options=CardOptions(lang=lang, **paper), deck=which)
        case "format" if which in record_formats():
            return replace(task, options=MapOptions(lang=lang), to=(which,), printer="")
        case _:
            raise UsageError("{kind!r} cannot be printed here", kind=kind)


def _split_names(form: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Return the names that a form value separates by commas; empty if there are none."""
    return tuple(filter(None, form.get(name, "").split(",")))


# --- The parts of a game night ----------------------------------------------------------------------------------------


class PartRow(Struct, frozen=True, kw_only=True):
    """A possible part of a game night: its name for ``--with``, its file, its contents and its use."""

    name: str
    file: str
    what: str
    use: str
    printed: bool
    usual: bool


def part_rows(field: Field, form: Mapping[str, str], printers: Path, words: Words) -> tuple[PartRow, ...]:
    """Return the possible parts of a game night, those to be printed first.

    No part is drawn for this. ``form`` has the values that ``clean_form`` returns.

    Raises:
        PrintkitError: the paper or a part does not exist.
    """
    profile = find_printer(form["printer"], printers) if form.get("printer") else None
    order = game_night_context(evening_options(form), words, profile)
    groups = preview_parts(field.record, registry.find(field.rules), order)
    return tuple(
        PartRow(
            name=offer.part_name,
            file=offer.name,
            what=offer.description,
            use=words(f"handouts.use.{offer.use.value}"),
            printed=is_printed,
            usual=offer.usual,
        )
        for is_printed, group in zip((True, False), groups, strict=True)
        for offer in group
    )


def part_choices(form: Mapping[str, str], rows: Iterable[PartRow]) -> dict[str, str]:
    """Return the values of ``--with`` and ``--without`` from a form with a check box for each part."""
    rows = tuple(rows)
    checked_names = {row.name for row in rows if form.get(f"part-{row.name}")}
    choices = {
        "with": ",".join(row.name for row in rows if row.name in checked_names and not row.usual),
        "without": ",".join(row.name for row in rows if row.name not in checked_names and row.usual),
    }
    return {name: value for name, value in choices.items() if value}


# The kinds of output whose sheets have check bars.
_MEASURED: Final = ("map", "evening", "cards")

# The kinds of output with a title and a button of their own.
_TITLED: Final = (*_MEASURED, "build", "hexon", "calibrate")

# The kind of the files with a battlefield or a layout as data, which nobody opens first.
_DATA: Final = "json"


class PrintTotals(Struct, frozen=True, kw_only=True):
    """The work to print all files in the order of printing; ``ink`` is in per cent of the paper."""

    sheets: int
    cuts: int
    minutes: int
    ink: int


def result_values(job: Job, title: str, words: Words) -> dict[str, Any]:
    """Return the values of the page of a finished job.

    Args:
        job: the job.
        title: the title of its battlefield, or empty.
        words: the words of the page.
    """
    what, _, which = job.kind.partition(":")
    kind = what if what in _TITLED else "file"
    # The file to open first is a PDF, or a file for another program.
    main = next((file for file in job.files if file.sheets or file.kind != _DATA), job.files[0])
    printed_files = tuple(file for file in job.files if file.sheets)
    totals = _sum_work(printed_files)
    opener = f"studio.result.opens.{which or what}"
    bare = tuple(name for file in printed_files for name in file.bare)
    return {
        "kind": kind,
        "title": words(f"studio.result.title-{kind}", title=title),
        "main": main,
        "lead": _describe_main(main, kind, words),
        "totals": totals,
        "opener": words(opener) if words.has(opener) else "",
        "has_check_bar": what in _MEASURED,
        "bare": bare,
        "sheets_without": totals.sheets - len(bare) if totals else 0,
        "controls": again_controls(what, job.asked, words) if job.field else (),
        "again": dict(job.asked),
    }


def _sum_work(files: tuple[PrintedFile, ...]) -> PrintTotals | None:
    """Return the sums of files to print; None if there are none."""
    if not files:
        return None
    sides = sum(file.sides for file in files)
    return PrintTotals(
        **sum_work(files)._asdict(),
        ink=round(sum(file.ink * file.sides for file in files) / sides),
    )


def _describe_main(file: PrintedFile, kind: str, words: Words) -> str:
    """Return the sheets of a file in words; of a file that is not printed its name."""
    name = file.file.rpartition("/")[2]
    if not file.sheets:
        return name
    key = "sheets-plain" if file.paper == ONE else "sheets"
    text = words(f"studio.result.{key}", count=file.sheets, paper=name_paper(file.paper, words))
    if kind == "evening":
        return words("studio.result.lead-evening", name=name, sheets=text)
    if kind == "hexon":
        return words("studio.result.lead-hexon", sheets=text)
    text = ", ".join((text, words(f"studio.print.{'across' if file.landscape else 'upright'}")))
    if file.flip:
        return words("studio.result.lead-both", sheets=text, edge=words(f"handouts.edge.{file.flip}"))
    if file.plan_sheets:
        map_sheets = file.sheets - file.plan_sheets
        return words("studio.result.lead-plan", sheets=text, plan=file.plan_sheets, map=map_sheets)
    return text
