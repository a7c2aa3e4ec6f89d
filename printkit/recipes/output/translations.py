"""What a language lacks beside English, and the files in which somebody fills it in: the sheets of an evening first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from printkit.core.errors import Sentence, UsageError
from printkit.core.resources import names, resource
from printkit.core.words import ENGLISH, catalogue, file_words, languages_known, message_file

_WORDS, _MESSAGES, _NAMES = "words", "messages", "names"

FIRST: Final = (
    *("terrain", "sheets", "marks", "handouts", "deployment", "layout", "report", "imposition", "faces"),
    *("brantley", "brantley-cards", "brantley-sheets", "collision", "collision-columns", "dba3", "solo-dba"),
)
"""Files of words that an evening needs before others, in this order; then all others by their names."""

_BARE: Final = re.compile(r"[\w-]+", re.ASCII)
_CODE: Final = re.compile(r"[a-z]{2,3}(-[a-z]{2,4})?")


class MissingText(NamedTuple):
    """A sentence that a language lacks: in which file English has it, by which key, and what it says there."""

    file: str
    key: str
    english: str


def lacks_of(language: str) -> tuple[MissingText, ...]:
    """Return what a language lacks, the most important first: words of sheets, names, sentences of the terminal.

    Raises:
        UsageError: it is no code of a language, or English, which lacks nothing.
    """
    if language == ENGLISH or not _CODE.fullmatch(language):
        raise UsageError("{language!r} is no code of a language other than English, as fr", language=language)
    return (*_words_lacking(language), *_names_lacking(language), *_messages_lacking(language))


def lack_lines(language: str, lacks: Iterable[MissingText], *, each: bool) -> Iterator[str]:
    """Yield how much a language lacks of each file; where ``each`` is asked for, every key with its English."""
    counts: dict[str, int] = {}
    for lack in lacks:
        counts[lack.file] = counts.get(lack.file, 0) + 1
        if each:
            yield f"{lack.file}: {lack.key} = {_quoted(lack.english)}" if lack.key else lack.file
    for file, count in counts.items():
        yield Sentence("{file}: {count} are missing", file=file, count=count)
    yield Sentence(
        "{language}: {count} sentences are missing in {files} files",
        language=language,
        count=sum(counts.values()),
        files=len(counts),
    )


def lack_files(lacks: Iterable[MissingText]) -> Mapping[str, str]:
    """Return files below a folder laid out as ``templates`` in which what lacks is filled in.

    Every sentence is a comment: ``# title = "Legend"``. Names, which are lists and no sentences, are those of English.
    A file that the language has already is not touched: what it lacks goes into another, with ``-missing`` in its name.
    """
    texts: dict[str, dict[str, list[str]]] = {}
    for lack in lacks:
        heads = texts.setdefault(_free(lack.file), {})
        if lack.file.startswith(_NAMES):
            heads[lack.english] = []
        elif lack.file.startswith(_MESSAGES):
            heads.setdefault("", []).append(f"# {_quoted(lack.key)} = {_quoted(lack.english)}")
        else:
            head, _, last = lack.key.rpartition(".")
            shown = last if _BARE.fullmatch(last) else _quoted(last)
            heads.setdefault(f"[{head}]", []).append(f"# {shown} = {_quoted(lack.english)}")
    return {
        name: "\n\n".join("\n".join([*([head] if head else []), *rows]) for head, rows in heads.items()) + "\n"
        for name, heads in texts.items()
    }


def _words_lacking(language: str) -> Iterator[MissingText]:
    there = catalogue(language) if language in languages_known() else {}
    files = names(f"templates/{_WORDS}/{ENGLISH}")
    rank = {f"{name}.toml": number for number, name in enumerate(FIRST)}
    for file in sorted(files, key=lambda name: (rank.get(name, len(rank)), name)):
        for key, english in file_words(ENGLISH, file).items():
            if key not in there:
                yield MissingText(f"{_WORDS}/{language}/{file}", key, english)


def _names_lacking(language: str) -> Iterator[MissingText]:
    if f"{language}.toml" not in names(f"templates/{_NAMES}"):
        english = resource(f"templates/{_NAMES}", f"{ENGLISH}.toml").read_text(encoding="utf-8").rstrip()
        yield MissingText(f"{_NAMES}/{language}.toml", "", english)


def _messages_lacking(language: str) -> Iterator[MissingText]:
    """Yield sentences that any language has and this one lacks; that of the code itself is their key."""
    there = _message_files(language)
    has = {key for tree in there.values() for key in tree}
    known: dict[str, dict[str, None]] = {}
    for other in languages_known():
        if other not in (ENGLISH, language):
            for file, tree in _message_files(other).items():
                known.setdefault(file, {}).update(dict.fromkeys(tree))
    for file, keys in sorted(known.items()):
        for key in keys:
            if key not in has:
                yield MissingText(f"{_MESSAGES}/{language}/{file}", key, key)


def _message_files(language: str) -> dict[str, Mapping[str, Any]]:
    folder = f"templates/{_MESSAGES}/{language}"
    if language not in names(f"templates/{_MESSAGES}"):
        return {}
    return {name: message_file(language, name) for name in names(folder)}


def _free(file: str) -> str:
    """Return the name of a file that the language does not have yet."""
    folder, _, name = file.rpartition("/")
    above, _, last = folder.rpartition("/")
    kinds = f"templates/{above}" if above else "templates"
    taken = last in names(kinds) and name in names(f"templates/{folder}")
    return f"{folder}/{name.removesuffix('.toml')}-missing.toml" if taken else file


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
