"""Words that people type in place of a command, an option or a value, by the table ``templates/help/synonyms.toml``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct, convert, field, structs

from printkit.core.errors import Sentence
from printkit.core.nearest import plain_key

# The size of a board, for example 24in, 6x4ft or 36".
_SIZE: Final = re.compile(r"\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?(?:in|inch|inches|cm|mm|ft|bw|\")", re.IGNORECASE)
_INCHES: Final = re.compile(r"inches|inch|\"", re.IGNORECASE)


class Replacements(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words with one meaning.

    Attributes:
        word: commands, by the first word of a command line.
        option: options, by another name of the same option.
        flag: an option with its value, by a flag or a single word.
        phrase: options, by a word before a value, for example ``seed 7``.
        value: values, by the name of their option without ``--``, then by the typed value.
        army: sample armies; rule systems read them.
    """

    word: dict[str, str] = field(default_factory=dict)
    option: dict[str, str] = field(default_factory=dict)
    flag: dict[str, str] = field(default_factory=dict)
    phrase: dict[str, str] = field(default_factory=dict)
    value: dict[str, dict[str, str]] = field(default_factory=dict)
    army: dict[str, str] = field(default_factory=dict)


class Synonyms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table of one language: words with one meaning, and answers about words without one."""

    replace: Replacements
    answers: dict[str, str]


class Resolved(NamedTuple):
    """A command line that printkit can read, and a notice for each word that it takes for another."""

    words: tuple[str, ...]
    notices: tuple[Sentence, ...]


def synonyms_of(language: str) -> Synonyms:
    """Return the table of a language. Words that it does not have are those of English."""
    from printkit.core.resources import names, template

    english = convert(template("help", "synonyms"), Synonyms)
    if f"synonyms-{language}" not in names("templates/help", ".toml"):
        return english
    other = convert(template("help", f"synonyms-{language}"), Synonyms)
    first, second = structs.asdict(english.replace), structs.asdict(other.replace)
    merged: dict[str, dict[str, Any]] = {name: {**first[name], **second[name]} for name in first}
    merged["value"] = {
        name: {**first["value"].get(name, {}), **second["value"].get(name, {})} for name in merged["value"]
    }
    return Synonyms(replace=Replacements(**merged), answers={**english.answers, **other.answers})


def resolve(
    words: Sequence[str],
    synonyms: Synonyms,
    commands: Collection[str],
    options_of: Callable[[str], Mapping[str, bool]],
) -> Resolved | str | None:
    """Return the command line that a user means, or a sentence about a word of it, or None if no word is in the table.

    Args:
        words: the words of a command line that printkit cannot read.
        synonyms: the table of words.
        commands: the names of all commands and groups, for example ``npg`` and ``npg new``.
        options_of: returns the options and arguments of a command, for example ``--seed`` and ``RECORD``, and whether
            each takes a value.
    """
    replacements, answers = synonyms.replace, _by_key(synonyms.answers)
    result, notices = list(words), list[Sentence]()
    first = 0
    while words[first : first + 1] and words[first].startswith("--lang"):
        first += 1 if "=" in words[first] else 2
    if not words[first : first + 1] or words[first].startswith("-"):
        return None
    if result[first] not in commands:
        key = plain_key(result[first])
        replacement = _by_key(replacements.word).get(key, "")
        if not replacement.startswith("-") and replacement not in commands:
            return answers.get(key)
        notices.append(Sentence("taking {typed} as {meant}", typed=result[first], meant=replacement))
        result[first] = replacement
    pair = " ".join(result[first : first + 2])
    command = pair if pair in commands else result[first]
    start = first + len(command.split())
    arguments = list[str]()
    options = options_of(command) if command in commands else {}
    # A word may be the argument of a command, for example the name of a file.
    takes_words = any(not name.startswith("-") for name in options)
    for part in _parts(result[start:], replacements, options):
        if takes_words and not part.original[0].startswith("-"):
            part = _Part(part.original)
        elif part.original[0] in synonyms.answers:
            return synonyms.answers[part.original[0]]
        elif len(part.original) == 1 and not part.replacement and plain_key(part.original[0]) in answers:
            return answers[plain_key(part.original[0])]
        if part.replacement:
            original, replacement = " ".join(part.original), " ".join(part.replacement)
            notices.append(Sentence("taking {typed} as {meant}", typed=original, meant=replacement))
        arguments += part.replacement or part.original
    return Resolved((*result[:start], *arguments), tuple(notices)) if notices else None


class _Part(NamedTuple):
    """Words of a command line, and what they mean; empty if they stay as they are."""

    original: tuple[str, ...]
    replacement: tuple[str, ...] = ()


def _parts(words: Sequence[str], replacements: Replacements, options: Mapping[str, bool]) -> Iterator[_Part]:
    """Yield the arguments of a command in parts: an option with its value, a word, or a word with its value.

    A part has the typed words and their replacement, which is empty if nothing changes. ``options`` has whether each
    option takes a value.
    """
    names, flags, phrases = _by_key(replacements.option), _by_key(replacements.flag), _by_key(replacements.phrase)
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        key = plain_key(name)
        flag = tuple(flags.get(key, "").split())
        option = name if name in options else names.get(key, "")
        if word.startswith("-") and option in options:
            original: tuple[str, ...] = (word,)
            if options[option] and not equals and rest:
                value = rest.pop(0)
                original = (word, value)
            values = _by_key(replacements.value.get(option[2:], {}))
            replacement = (option, values.get(plain_key(value), value)) if equals or len(original) > 1 else (option,)
            yield _Part(original, () if replacement in (original, (name, value)) else replacement)
        elif word.startswith("-") and not flag and rest and not rest[0].startswith("-"):
            # The next word may be the value of the unknown option.
            yield _Part((word,))
            yield _Part((rest.pop(0),))
        elif flag and not equals and flag[0] in options:
            yield _Part((word,), flag)
        elif phrases.get(key) in options and (equals or rest) and not word.startswith("-"):
            original = (word,) if equals else (word, rest.pop(0))
            yield _Part(original, (phrases[key], value or original[-1]))
        elif _SIZE.fullmatch(word) and "--board" in options:
            yield _Part((word,), ("--board", _INCHES.sub("in", word)))
        else:
            yield _Part((word,))


def _by_key(words: Mapping[str, str]) -> dict[str, str]:
    """Return the replacements of a table by ``plain_key`` of their words."""
    return {plain_key(word): replacement for word, replacement in words.items()}
