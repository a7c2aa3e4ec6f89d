"""The command that calibrates a printer: a test sheet first, then what was measured on it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.options import Output
from printkit.console.parameters import Opt, flag, made_of
from printkit.core.errors import UsageError


class CalibrateOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit calibrate``."""

    printer: Annotated[str | None, Opt("--printer", "NAME", "Save what was measured under this name.")] = None
    across: Annotated[str | None, Opt("--measured-across", "LENGTH", "Line A of the test sheet as it was printed.")] = (
        None
    )
    along: Annotated[str | None, Opt("--measured-along", "LENGTH", "Line B of the test sheet as it was printed.")] = (
        None
    )
    right: Annotated[str, Opt("--back-right", "LENGTH", "Number G at the pin hole in the back; may be -1mm.")] = ""
    up: Annotated[str, Opt("--back-up", "LENGTH", "Number H at the pin hole in the back; may be -1mm.")] = ""
    margins: Annotated[str, Opt("--margins", "LENGTHS", "Left, right, top, bottom, by the ladders: '4 4 3 12mm'.")] = ""
    flip: Annotated[str, Opt("--flip", "EDGE", "How the sheet is turned over: long-edge or short-edge.")] = "long-edge"
    listed: Annotated[bool, flag("--list", "Show the saved printers.")] = False
    sheet: options.SizedPaperName = "a4"
    lang: options.Language = None
    out: options.Out = options.FOLDER
    force: options.Force = False
    quiet: options.Quiet = False


def calibrate(asked: CalibrateOptions) -> None:
    """Print a test sheet, save what was measured on it, or list the printers."""
    from printkit.recipes.output.printers import Reading, list_lines, parse_flip, profile_of, save, saved_lines

    if asked.listed:
        terminal.show(list_lines(terminal.printers()))
        return
    edge, reading = parse_flip(asked.flip), (asked.across, asked.along, asked.right, asked.up, asked.margins)
    if not any((asked.printer, *reading)):
        _print_test_sheet(asked)
        return
    if asked.printer is None or asked.across is None or asked.along is None:
        raise UsageError("a printer is saved from --printer, --measured-across and --measured-along; give all three")
    profile = profile_of(asked.printer, asked.sheet, edge, made_of(Reading, asked))
    path = save(profile, terminal.printers())
    if not asked.quiet:
        terminal.tell(saved_lines(profile, path))


def _print_test_sheet(asked: CalibrateOptions) -> None:
    from printkit.console.documents import give
    from printkit.page.sheet import Flip
    from printkit.recipes.output.printers import calibration_document, parse_flip
    from printkit.recipes.prints.file_names import marked, printing_marks

    words, flip = terminal.words(asked.lang), parse_flip(asked.flip)
    document = calibration_document(asked.sheet, flip, words)
    turned = "" if flip is Flip.LONG_EDGE else "short-edge"
    name = marked(f"calibration-{document.keywords[0]}", turned, *printing_marks(words))
    give(document, name, ("pdf",), made_of(Output, asked), quiet=asked.quiet)
