"""List what a language lacks beside English, and write files in which to translate it.

python tools/languages/missing_texts.py CODE [--missing] [--out FOLDER] [--force]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from printkit.console import terminal
from printkit.core.errors import PrintkitError
from printkit.core.resources import names, resource
from printkit.core.words import ENGLISH, available_languages, catalogue, file_words, message_file, unreadable_files
from printkit.recipes.output.files import write_folder

# Files of words that the sheets of a game need first, in this order. The others follow by name.
FIRST: Final = (
    *("terrain", "sheets", "marks", "handouts", "deployment", "layout", "report", "imposition", "faces"),
    *("brantley", "brantley-cards", "brantley-sheets", "collision", "collision-columns", "dba3", "solo-dba"),
)

_BARE_KEY: Final = re.compile(r"[\w-]+", re.ASCII)
_CODE: Final = re.compile(r"[a-z]{2,3}(-[a-z]{2,4})?")


class MissingText(NamedTuple):
    """A sentence that a language lacks."""

    # The file of the language, below templates/.
    file: str
    # The key of the sentence; empty for a list of names, which is missing as one text.
    key: str
    english: str

    def __str__(self) -> str:
        """Return the line of ``--missing``."""
        return f"{self.file}: {self.key} = {_quote(self.english)}" if self.key else self.file


def find_missing(code: str) -> tuple[MissingText, ...]:
    """Return what a language lacks: words of sheets, then names, then sentences of the terminal."""
    return (*_missing_words(code), *_missing_names(code), *_missing_messages(code))


def build_files(missing: Iterable[MissingText]) -> dict[str, str]:
    """Return the text of each file to fill in, by its path in a folder laid out as ``templates``.

    A sentence becomes a comment: ``# title = "Legend"``. A list of names is copied from English. A file that the
    language already has is not replaced: its missing sentences go into a file with ``-missing`` in its name.
    """
    files: dict[str, dict[str, list[str]]] = {}
    for file, key, english in missing:
        tables = files.setdefault(_unused_path(file), {})
        if not key:
            tables[english] = []
        elif file.startswith("messages/"):
            tables.setdefault("", []).append(f"# {_quote(key)} = {_quote(english)}")
        else:
            table, _, last = key.rpartition(".")
            bare = last if _BARE_KEY.fullmatch(last) else _quote(last)
            tables.setdefault(f"[{table}]", []).append(f"# {bare} = {_quote(english)}")
    return {
        path: "\n\n".join("\n".join([*filter(None, [head]), *rows]) for head, rows in tables.items()) + "\n"
        for path, tables in files.items()
    }


def _missing_words(code: str) -> Iterator[MissingText]:
    translated = catalogue(code) if code in available_languages() else {}
    rank = {f"{name}.toml": number for number, name in enumerate(FIRST)}
    for file in sorted(names(f"templates/words/{ENGLISH}"), key=lambda name: (rank.get(name, len(rank)), name)):
        for key, english in file_words(ENGLISH, file).items():
            if key not in translated:
                yield MissingText(f"words/{code}/{file}", key, english)


def _missing_names(code: str) -> Iterator[MissingText]:
    if f"{code}.toml" not in names("templates/names"):
        english = resource("templates/names", f"{ENGLISH}.toml").read_text(encoding="utf-8").rstrip()
        yield MissingText(f"names/{code}.toml", "", english)


def _missing_messages(code: str) -> Iterator[MissingText]:
    """Yield the sentences that another language translates. Their key is the English of the code."""
    translated = {key for _, key in _message_keys(code)}
    others = [other for other in available_languages() if other not in (ENGLISH, code)]
    known = dict.fromkeys(place for other in others for place in _message_keys(other))
    for file, key in sorted(known, key=lambda place: place[0]):
        if key not in translated:
            yield MissingText(f"messages/{code}/{file}", key, key)


def _message_keys(code: str) -> Iterator[tuple[str, str]]:
    """Yield the file and key of each message of a language."""
    if code in names("templates/messages"):
        for file in names(f"templates/messages/{code}"):
            yield from ((file, key) for key in message_file(code, file))


def _unused_path(file: str) -> str:
    """Return the path of a file that the language does not have yet."""
    folder, _, name = file.rpartition("/")
    kind, _, code = folder.partition("/")
    taken = code in names(f"templates/{kind}") and name in names(f"templates/{folder}")
    return f"{folder}/{name.removesuffix('.toml')}-missing.toml" if taken else file


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _language_code(text: str) -> str:
    if text == ENGLISH or not _CODE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not the code of a language other than English, for example fr")
    return text


def main(arguments: Sequence[str] | None = None) -> None:
    """List what is missing, and write the files that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("code", metavar="CODE", type=_language_code, help="the code of a language, new or known: fr")
    parser.add_argument("--missing", action="store_true", help="list every missing sentence with its English")
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="write files to fill in, with English as comments")
    parser.add_argument("--force", action="store_true", help="overwrite other files with the same names")
    options = parser.parse_args(arguments)
    # A language in the folder of the user's settings counts too.
    terminal.languages_known()
    missing = find_missing(options.code)
    for text in missing if options.missing else ():
        print(text)
    counts = Counter(text.file for text in missing)
    for file, count in counts.items():
        print(f"{file}: {count} missing")
    print(f"{options.code}: {len(missing)} sentences are missing in {len(counts)} files")
    for notice in unreadable_files():
        print(notice, file=sys.stderr)
    if options.out is not None and missing:
        try:
            print(*write_folder(build_files(missing), options.out, force=options.force), sep="\n")
        except PrintkitError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
