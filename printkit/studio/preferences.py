"""How the user prints: language, paper, ink, type size, unit of length and printer, saved in the settings folder.

Other commands take only the paper from it, so that otherwise the same command writes the same files everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from printkit.core.errors import PrintkitError, Sentence, UsageError, quote_path
from printkit.core.typed import read_toml
from printkit.core.words import find_words
from printkit.export.placing import replace_file

# The map style of each ink.
_STYLES: Final = {"colour": "campaign", "little": "ink-saver"}


class Preferences(Struct, frozen=True, kw_only=True):
    """How the user prints.

    Attributes:
        lang: the language code, or two codes for sheets in both languages (``en+es``); empty for that of the locale.
        sheet: the paper.
        ink: ``colour``, or ``little`` for the ink-saver style.
        large_print: whether sheets and pages use large type.
        unit: the unit of lengths on pages.
        printer: the name of the calibrated printer; empty for none.
    """

    lang: str = ""
    sheet: Literal["a4", "letter", "a3"] = "a4"
    ink: Literal["colour", "little"] = "colour"
    large_print: bool = False
    unit: Literal["in", "mm"] = "in"
    printer: str = ""

    @property
    def page_lang(self) -> str:
        """Return the code of the language of pages, the first of two; empty for that of the locale."""
        return self.lang.partition("+")[0]

    @property
    def style(self) -> str:
        """Return the map style of the ink."""
        return _STYLES[self.ink]


def read_preferences(path: Path, usual: Preferences) -> tuple[Preferences, tuple[Sentence, ...]]:
    """Return the saved preferences, or the usual ones without a valid file; and a notice about a damaged file.

    A damaged file is renamed, with ``.bad`` at its end.
    """
    try:
        preferences = read_toml(path.read_text(encoding="utf-8"), Preferences, path.name)
        if preferences.lang:
            find_words(preferences.lang)
    except OSError:
        return usual, ()
    except (ValueError, PrintkitError):
        bad_path = path.with_name(f"{path.name}.bad")
        with suppress(OSError):
            path.replace(bad_path)
        return usual, (
            Sentence(
                "the saved preferences could not be read; the file is now {path}. Choose them again in the studio.",
                path=quote_path(bad_path),
            ),
        )
    return preferences, ()


def change_preferences(preferences: Preferences, form: Mapping[str, str], printers: Sequence[str] = ()) -> Preferences:
    """Return preferences with the values of a form; ``type`` is ``normal`` or ``large``.

    ``printers`` are the names of the calibrated printers.

    Raises:
        UsageError: a value is not valid.
    """
    values = {name: form[name] for name in ("lang", "sheet", "ink", "unit", "printer") if name in form}
    large_print = form["type"] == "large" if "type" in form else preferences.large_print
    if "lang" in values:
        find_words(values["lang"])
    try:
        if values.get("printer") and values["printer"] not in printers:
            raise msgspec.ValidationError
        return msgspec.convert({**asdict(preferences), **values, "large_print": large_print}, Preferences)
    except msgspec.ValidationError:
        raise UsageError("these preferences are not valid: {values}", values=", ".join(values.values())) from None


def save_preferences(path: Path, preferences: Preferences) -> None:
    """Write preferences to a file that only its owner may read.

    Raises:
        PageError: the file cannot be written.
    """
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in asdict(preferences).items()]
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path, private=True) as temporary:
        temporary.write_text("".join(lines), encoding="utf-8", newline="\n")
