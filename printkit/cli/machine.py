"""The commands ``studio``, ``play``, ``calibrate`` and ``specimen``."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from printkit.console import terminal
from printkit.console.documents import deliver_document
from printkit.core.errors import PrintkitError, Sentence
from printkit.core.paths import is_file
from printkit.options.commands import CalibrateOptions, StudioOptions
from printkit.options.printing import FileOptions, LanguageOptions, PrintOptions

# Bytes of the log of a studio that the launcher started.
_LOG_BYTES: Final = 200_000


def open_studio(options: StudioOptions, language: LanguageOptions, files: FileOptions) -> None:
    """Run the studio in the browser until Ctrl-C."""
    from printkit.studio.app_state import Settings
    from printkit.studio.preferences import Preferences, read_preferences
    from printkit.studio.server import serve
    from printkit.studio.tokens import fresh_token

    file = terminal.preferences_file()
    preferences, notices = read_preferences(file, Preferences(sheet=terminal.usual_sheet()))
    terminal.tell(notices)
    if language.lang is not None:
        preferences = replace(preferences, lang="")
    settings = Settings(
        out=files.place if files.out else terminal.files_folder(),
        key=fresh_token(),
        lang=terminal.words(language.lang).code,
        printers=terminal.printers(),
        preferences=preferences,
        preferences_file=file,
        port=options.port or 0,
        opens_phones=options.lan,
    )
    state_folder = terminal.state_folder()
    if options.child:
        _log_errors(state_folder / "printkit.log")
    show_event = _report_to_launcher if options.child else _report_to_user
    try:
        serve(
            settings,
            state_folder=state_folder,
            show_event=show_event,
            is_child=options.child,
            renews_key=options.new_key,
        )
    except PrintkitError as error:
        if options.child:
            _report_to_launcher({"stopped": terminal.said(error.sentence)}, [])
        raise


def _report_to_user(event: Mapping[str, object], lines: Sequence[str]) -> None:
    """Print what happens to the studio on the terminal."""
    del event
    terminal.tell(lines)


def _report_to_launcher(event: Mapping[str, object], lines: Sequence[str]) -> None:
    """Write what happens to the studio as one line of JSON, in characters that every code page has."""
    del lines
    with suppress(OSError):
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()


def _log_errors(file: Path) -> None:
    """Write what would appear on standard error to a file, which keeps its last 200 kB."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(file.read_bytes()[-_LOG_BYTES:] if is_file(file) else b"")
        sys.stderr = file.open("a", buffering=1, encoding="utf-8", errors="backslashreplace")


def answer_questions(language: LanguageOptions) -> int:
    """Ask what to print, run the command for it, show this command, and return its exit status."""
    from printkit.cli.app import run, saved_paper
    from printkit.console.play import ask_command
    from printkit.core.errors import quote_path

    words = ask_command(language.lang or terminal.language(), saved_paper() or "a4")
    # A secret deal has no seed that others may know, and a solo battle rolls later.
    if words[0] in ("handouts", "league"):
        words = (*words, "--seed", str(terminal.fresh_seed()))
    status = run(words)
    command = " ".join(map(quote_path, ("printkit", *words)))
    terminal.tell(["", Sentence("The same without questions:"), f"  {command}"])
    return status


def calibrate_printer(options: CalibrateOptions, print_options: PrintOptions, files: FileOptions) -> None:
    """Print a test sheet and list the saved printers, or save the measurements of a printer."""
    from printkit.recipes.output.printers import build_profile, save, saved_lines

    if not any((options.name, options.measured, options.back, options.margins)):
        _print_test_sheet(options, print_options, files)
        return
    profile = build_profile(options, print_options.sheet)
    path = save(profile, terminal.printers())
    if not files.quiet:
        terminal.tell(saved_lines(profile, path))


def _print_test_sheet(options: CalibrateOptions, print_options: PrintOptions, files: FileOptions) -> None:
    """Write the test sheet of a printer, and list the saved printers."""
    from printkit.page.sheet import Flip
    from printkit.recipes.output.printers import calibration_document, calibration_flip, list_lines
    from printkit.recipes.prints.file_names import add_marks, printing_marks

    words, flip = terminal.words(print_options.lang), calibration_flip(options)
    document = calibration_document(print_options.sheet, flip, words)
    flip_mark = "" if flip is Flip.LONG_EDGE else "short-edge"
    name = add_marks(f"calibration-{document.keywords[0]}", flip_mark, *printing_marks(words))
    step = Sentence(
        "Measure the two lengths, then add them to the command, for example --printer study --measured 179.2x269.1mm"
    )
    deliver_document(document, name, ("pdf",), files, force=print_options.force, steps=[step])
    if not (files.streams or files.quiet):
        terminal.show(list_lines(terminal.printers()))


def print_specimen(options: PrintOptions, files: FileOptions) -> None:
    """Print the symbol sheet of a style."""
    from printkit.export.writers import PAGES
    from printkit.kit import registry
    from printkit.recipes.prints.file_names import add_marks, printing_marks
    from printkit.recipes.prints.specimens import specimen_document

    words, formats = terminal.words(options.lang), files.formats(PAGES, is_single=True)
    profile = terminal.profile(files.printer)
    document = specimen_document(options.style, words, registry.all_systems(), profile=profile)
    name = add_marks(f"specimen-{document.keywords[0]}", *printing_marks(words, profile=profile))
    deliver_document(document, name, formats, files, force=options.force)
