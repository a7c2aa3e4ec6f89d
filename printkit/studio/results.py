"""The page of a finished job: the file to open first, the work to print it, and the form that prints it again."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from printkit.core.words import Words
from printkit.page.sheet import ONE
from printkit.recipes.output.printed_files import PrintedFile, sum_work
from printkit.studio.forms import name_paper
from printkit.studio.jobs import Job
from printkit.studio.print_forms import again_controls

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
