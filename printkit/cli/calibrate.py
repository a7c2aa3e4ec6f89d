"""The command that calibrates a printer: a test sheet first, then what was measured on it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.core.errors import UsageError

_FOLDER: Final = Path("output")

Name = Annotated[str | None, typer.Option("--printer", metavar="NAME", help="Save what was measured under this name.")]
Across = Annotated[
    str | None, typer.Option("--measured-across", metavar="LENGTH", help="Line A of the test sheet as it was printed.")
]
Along = Annotated[
    str | None, typer.Option("--measured-along", metavar="LENGTH", help="Line B of the test sheet as it was printed.")
]
Right = Annotated[
    str, typer.Option("--back-right", metavar="LENGTH", help="Number G at the pin hole in the back; may be -1mm.")
]
Up = Annotated[
    str, typer.Option("--back-up", metavar="LENGTH", help="Number H at the pin hole in the back; may be -1mm.")
]
Margins = Annotated[
    str,
    typer.Option("--margins", metavar="LENGTHS", help="Left, right, top, bottom, by the ladders: '4 4 3 12mm'."),
]
FlipEdge = Annotated[
    str, typer.Option("--flip", metavar="EDGE", help="How the sheet is turned over: long-edge or short-edge.")
]
Listed = Annotated[bool, typer.Option("--list", help="Show the saved printers.")]


def calibrate_(
    printer: Name = None,
    across: Across = None,
    along: Along = None,
    right: Right = "",
    up: Up = "",
    margins: Margins = "",
    flip: FlipEdge = "long-edge",
    listed: Listed = False,
    sheet: options.Paper = "a4",
    lang: options.Language = None,
    out: options.Out = _FOLDER,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Print a test sheet for a printer; with the lengths measured on it, save the printer's profile."""
    from printkit.recipes.output.printers import Reading, list_lines, parse_flip, profile_of, save, saved_lines

    if listed:
        terminal.show(list_lines(terminal.printers()))
        return
    edge = parse_flip(flip)
    given = any((printer, across, along, right, up, margins))
    if not given:
        _print_test_sheet(sheet, flip, lang, out, force=force, quiet=quiet)
        return
    if printer is None or across is None or along is None:
        raise UsageError("a printer is saved from --printer, --measured-across and --measured-along; give all three")
    reading = Reading(across=across, along=along, right=right, up=up, margins=margins)
    profile = profile_of(printer, sheet, edge, reading)
    path = save(profile, terminal.printers())
    if not quiet:
        terminal.tell(saved_lines(profile, path))


def _print_test_sheet(sheet: str, flip: str, lang: str | None, out: Path, *, force: bool, quiet: bool) -> None:
    from printkit.core import words as languages
    from printkit.page.sheet import Flip
    from printkit.recipes.output.printers import calibration_document, parse_flip
    from printkit.recipes.prints.file_names import marked, printing_marks
    from printkit.recipes.prints.printing import STREAM, document_bytes, write_document

    words = languages.find(lang or terminal.language())
    document = calibration_document(sheet, parse_flip(flip), words)
    if out == STREAM:
        sys.stdout.buffer.write(document_bytes(document, "pdf"))
        return
    turned = "" if parse_flip(flip) is Flip.LONG_EDGE else "short-edge"
    name = marked(f"calibration-{document.keywords[0]}", turned, *printing_marks(words))
    written = write_document(document, name, ("pdf",), out, force=force)
    if not quiet:
        terminal.tell(str(path) for path in written)
