"""File names: a battlefield is named after its title and seed, and a print adds its kind, paper, ink and language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.core.errors import PageError
from printkit.core.paths import exists
from printkit.core.reading import read_utf8
from printkit.core.resources import names
from printkit.core.words import Words, available_languages, file_words
from printkit.drawing.canvas.style import Style
from printkit.export.placing import check_file_name, path_below, record_content, replace_file
from printkit.export.writers import PAGES, path_without_extension
from printkit.page.printer import PrinterProfile
from printkit.page.sheet import Sheet, unique_name
from printkit.recipes.prints.maps import MapContext
from printkit.terrain.field.record import Record, write

RECORD_FOLDER: Final = "records"  # the folder with the record of each battlefield, inside the output folder

LARGE: Final = "large"  # the mark of large print

BUILD: Final = "build"  # the kind of a building plan

_LONGEST: Final = 60  # the most characters of the name of a battlefield
_LONGEST_REPRINT: Final = 24  # the most characters of the names of sheets to print again; more become their number

_LANGUAGE: Final = "en"  # the language without a mark
_OVERVIEW: Final = "overview"
_INKS: Final = {"campaign": "", "ink-saver": "ink", "high-contrast": "contrast"}
_ARTICLES: Final = ("files.toml", "files.articles")
_IGNORED: Final = ("box",)  # members of a record that do not belong to its battlefield


# --- Names of battlefields --------------------------------------------------------------------------------------------


def slug(text: str, longest: int = _LONGEST) -> str:
    """Return a text as part of a file name: ``[a-z0-9-]``, without accents, cut at a word; empty if nothing is left."""
    letters = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("’", ""))
    words = re.findall("[a-z0-9]+", "".join(char for char in letters if not unicodedata.combining(char)))
    name = "-".join(words)
    if len(name) > longest:
        name = name[: longest + 1].rpartition("-")[0] or name[:longest]
    return name


def battlefield_name(record: Record, number: int = 1) -> str:
    """Return the name of a battlefield for files: ``field-of-mutila-seed7``, or without a title ``acw-seed3``.

    A battlefield that was drawn or changed by hand has ``own`` in place of its seed. ``number`` distinguishes
    battlefields with the same name, from 2.
    """
    tail = f"-{seed_mark(record)}" + (f"-{number}" if number > 1 else "")
    first, _, others = slug(record.battlefield.title, 10 * _LONGEST).partition("-")
    title = others if others and first in _articles() else f"{first}-{others}"
    return f"{slug(title, _LONGEST - len(tail)) or slug(record.rules)}{tail}"


def sealed_name(record: Record) -> str:
    """Return the name of the battlefield of a sealed game, without its seed: ``field-of-mutila``."""
    return battlefield_name(record).removesuffix(f"-{seed_mark(record)}")


def seed_mark(record: Record) -> str:
    """Return the seed of a record for file names, for example ``seed7``, or ``own`` for one that a user changed."""
    return "own" if record.seed is None or record.hand else f"seed{record.seed}"


@cache
def _articles() -> frozenset[str]:
    """Return the articles of all languages, because a title keeps its language when it is printed in another."""
    file, key = _ARTICLES
    languages = [code for code in available_languages() if file in names(f"templates/words/{code}")]
    return frozenset(article for code in languages for article in file_words(code, file)[key].split())


def name_battlefield(record: Record, folder: Path, tails: Sequence[str] = ()) -> str:
    """Save a record in ``folder/records``, and return its name for the files in the folder.

    The name is free, or the saved record with this name is the same except for its terrain box. Otherwise the name
    ends in ``-2``, ``-3`` and so on.

    Args:
        record: the record.
        folder: the output folder; it is created.
        tails: the ends of the names of the files to be written, for example ``-a4.pdf``. A name is not free if there is
            such a file without a record.

    Raises:
        PageError: the folder cannot be written to.
    """
    return _save_record(record, folder, tails)[0]


def given_path(record: Record, out: Path, count: int) -> Path | None:
    """Return the path without suffix of the file that the user names, or None for a folder.

    With several games it gets the seed of the record.
    """
    path = path_without_extension(out)
    return path if path is None or count == 1 else path.with_name(f"{path.name}-{seed_mark(record)}")


def find_name(record: Record, folder: Path, tails: Sequence[str] = ()) -> str:
    """Return the name that ``name_battlefield`` would return, without saving anything."""

    def is_free(name: str) -> bool:
        """Return whether the battlefield may have a name."""
        path = _record_path(folder, name)
        if exists(path):
            return has_same_record(path, record)
        return not any(exists(folder / f"{name}{tail}") for tail in tails)

    return next(name for number in count(1) if is_free(name := battlefield_name(record, number)))


def has_same_record(path: Path, record: Record) -> bool:
    """Return whether the file at a path is a record of the same battlefield; its terrain box does not count."""
    text = write(record)
    try:
        saved_text = read_utf8(path)
    except OSError:
        return False
    return saved_text == text or record_content(saved_text, _IGNORED) == record_content(text, _IGNORED)


def _record_path(folder: Path, name: str) -> Path:
    """Return the path of the record of a battlefield in an output folder."""
    return folder / RECORD_FOLDER / f"{name}.json"


def _save_record(record: Record, folder: Path, tails: Sequence[str]) -> tuple[str, bool]:
    """Save a record under a free name or its own; return the name, and whether the record is new there."""
    from filelock import FileLock

    try:
        path_below(folder, f"{RECORD_FOLDER}/.lock").parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / RECORD_FOLDER / ".lock", thread_local=False) as lock:
            name = find_name(record, folder, tails)
            path = _record_path(folder, name)
            is_new = not exists(path)
            with replace_file(path) as temporary:
                temporary.write_text(write(record), encoding="utf-8", newline="\n")
            # A waiting process sees that the file is gone and creates a new one.
            with suppress(OSError):
                Path(lock.lock_file).unlink(missing_ok=True)
    except OSError as error:
        raise PageError(
            "cannot write to {folder}: {reason}; choose another --out", folder=folder, reason=error.strerror or error
        ) from None
    return name, is_new


class BattlefieldFiles(Struct, frozen=True, kw_only=True):
    """Where the files of a battlefield are written.

    Attributes:
        folder: the output folder.
        name: the start of all file names.
        record: the path of the record in the folder.
        is_given: whether the user gave the name, which is then complete.
        may_replace: whether earlier files with these names are of the same battlefield.
        is_replacing: whether there are such files.
    """

    folder: Path
    name: str
    record: str
    is_given: bool = False
    may_replace: bool = False
    is_replacing: bool = False

    def with_marks(self, *marks: str) -> str:
        """Return the name of sheets without suffix: the name with the marks of a print, or the user's name."""
        return self.name if self.is_given else add_marks(self.name, *marks)


@contextmanager
def battlefield_files(
    record: Record,
    out: Path,
    *,
    user_path: Path | None = None,
    tails: Sequence[str] = (),
    force: bool = False,
    plan: bool = False,
) -> Iterator[BattlefieldFiles]:
    """Yield where the files of a record are written, and save the record there first; after an error it is removed.

    Args:
        record: the record.
        out: the output folder.
        user_path: the user's path without suffix, or None; its record is not saved here.
        tails: see ``name_battlefield``.
        force: whether such files without a record are replaced too.
        plan: whether nothing is saved.

    Raises:
        PageError: the folder cannot be written to.
    """
    if user_path is not None:
        name = check_file_name(user_path.name)
        yield BattlefieldFiles(folder=user_path.parent, name=name, record=f"{name}.json", is_given=True)
        return
    had_folder = exists(out)
    strange_tails = () if force else tails
    name, is_new = (find_name(record, out, strange_tails), False) if plan else _save_record(record, out, strange_tails)
    is_replacing = any(exists(out / f"{name}{tail}") for tail in tails)
    try:
        yield BattlefieldFiles(
            folder=out, name=name, record=f"{RECORD_FOLDER}/{name}.json", may_replace=True, is_replacing=is_replacing
        )
    except BaseException:
        if is_new:
            with suppress(OSError):
                _record_path(out, name).unlink(missing_ok=True)
                (out / RECORD_FOLDER).rmdir()
                if not had_folder:
                    out.rmdir()
        raise


# --- Marks of prints --------------------------------------------------------------------------------------------------


def add_marks(name: str, *marks: str) -> str:
    """Return a name followed by its marks, joined by hyphens; empty marks are left out.

    Raises:
        PageError: a mark has a character that is not valid in a file name.
    """
    return check_file_name("-".join([name, *(mark for mark in marks if mark)]))


def printing_marks(
    words: Words, style: Style | None = None, sheet: Sheet | None = None, profile: PrinterProfile | None = None
) -> Iterator[str]:
    """Yield the marks of a print: paper, ink, large print, languages and printer.

    Arguments that are missing do not have a mark, and neither do the usual style and language.
    """
    if sheet is not None:
        yield slug(unique_name(sheet))
    if style is not None:
        yield _INKS.get(style.name, slug(style.name))
        if style.least_pt:
            yield LARGE
    languages = "-".join(language.code for language in words.each())
    if languages != _LANGUAGE:
        yield slug(languages)
    if profile is not None:
        yield slug(f"printer {profile.name}")


def map_marks(order: MapContext, kind: str = "") -> tuple[str, ...]:
    """Return the marks of a printed map: its kind, for example ``overview``, ``zone-3`` or ``B3``, then its print.

    ``kind`` is what is printed, if it is not the map: ``BUILD``.
    """
    kinds = [kind] if kind else _map_kinds(order)
    return tuple(filter(None, (*kinds, *_map_print(order))))


def _map_kinds(order: MapContext) -> Iterator[str]:
    """Yield the marks of a map that is not the complete map at 1:1."""
    if order.zones is not None:
        yield f"zone-{'-'.join(order.zones)}" if order.zones else "zones"
    if order.reprint:
        sheets = "-".join(order.reprint)
        yield sheets if len(sheets) <= _LONGEST_REPRINT else f"{len(order.reprint)}-sheets"
    if order.pixels is not None:
        yield "board"
    elif order.scale is None:
        yield _OVERVIEW
    elif order.scale != 1:
        yield f"1to{1 / order.scale:.4g}".replace(".", "-")


def _map_print(order: MapContext) -> Iterator[str]:
    """Yield the marks of the paper and look of a map; a picture of the board only has no paper."""
    sheet = order.sheet if order.pixels is None else None
    return printing_marks(order.words, order.style, sheet, order.profile)


def document_stem(name: str, out: Path) -> Path:
    """Return the folder and the name without suffix of sheets without a record, or the user's file."""
    return document_path(out) or out / check_file_name(name)


def document_path(out: Path) -> Path | None:
    """Return the path without suffix of the file of sheets that the user names, or None for a folder."""
    return out.with_name(out.stem) if out.suffix.lower().lstrip(".") in PAGES else None
