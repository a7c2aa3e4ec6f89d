"""Words that people type in place of a command, an option or a value, by the table ``templates/help/synonyms.toml``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, convert, field, structs

from printkit.core.errors import Sentence

# The size of a board, for example 24in, 6x4ft or 36".
_SIZE: Final = re.compile(r"\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?(?:in|inch|inches|cm|mm|ft|bw|\")", re.IGNORECASE)
_INCHES: Final = re.compile(r"inches|inch|\"", re.IGNORECASE)


class Taken(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words with one meaning.

    Attributes:
        word: commands, by the first word of a command line.
        option: options, by another name of the same option.
        flag: an option with its value, by a flag or a bare word.
        phrase: options, by a bare word in front of a value, for example ``seed 7``.
        value: values, by the name of their option without ``--`` and by what was typed.
    """

    word: dict[str, str] = field(default_factory=dict)
    option: dict[str, str] = field(default_factory=dict)
    flag: dict[str, str] = field(default_factory=dict)
    phrase: dict[str, str] = field(default_factory=dict)
    value: dict[str, dict[str, str]] = field(default_factory=dict)


class Synonyms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table of one language: words with one meaning, and sentences about words without one."""

    take: Taken
    say: dict[str, str]


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
    values = english.take.value
    tables = {name: {**table, **getattr(other.take, name)} for name, table in structs.asdict(english.take).items()}
    tables["value"] = {
        name: {**values.get(name, {}), **other.take.value.get(name, {})} for name in {**values, **other.take.value}
    }
    return Synonyms(take=Taken(**tables), say={**english.say, **other.say})


def plain_key(word: str) -> str:
    """Return a word without case, accents, hyphens, and the ``s`` of a plural, to compare it with others."""
    text = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode().casefold()
    text = re.sub(r"[-_ ]", "", text)
    return text[:-1] if len(text) > 3 and text.endswith("s") else text


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
        options_of: returns the options of a command, for example ``--seed``, and whether each takes a value.
    """
    taken, sentences = synonyms.take, _by_key(synonyms.say)
    result, notices = list(words), list[Sentence]()
    before = ["", *words]
    first = next((at for at, word in enumerate(words) if word[0:1] != "-" and before[at] != "--lang"), len(words))
    if first == len(words):
        return None
    if result[first] not in commands:
        key = plain_key(result[first])
        meant = _by_key(taken.word).get(key, "")
        if not meant.startswith("-") and meant not in commands:
            return sentences.get(key)
        notices.append(Sentence("taking {typed} as {meant}", typed=result[first], meant=meant))
        result[first] = meant
    pair = " ".join(result[first : first + 2])
    command = pair if pair in commands else result[first]
    start = first + len(command.split())
    arguments = list[str]()
    for part in _parts(result[start:], taken, options_of(command) if command in commands else {}):
        if len(part.typed) == 1 and not part.meant and plain_key(part.typed[0]) in sentences:
            return sentences[plain_key(part.typed[0])]
        if part.meant:
            typed, meant = " ".join(part.typed), " ".join(part.meant)
            notices.append(Sentence("taking {typed} as {meant}", typed=typed, meant=meant))
        arguments += part.meant or part.typed
    return Resolved((*result[:start], *arguments), tuple(notices)) if notices else None


class _Part(NamedTuple):
    """Words of a command line, and what they mean; empty if they stay as they are."""

    typed: tuple[str, ...]
    meant: tuple[str, ...] = ()


def _parts(words: Sequence[str], taken: Taken, options: Mapping[str, bool]) -> Iterator[_Part]:
    """Yield the arguments of a command in parts: an option with its value, a bare word, or a word with its value."""
    names, flags, phrases = _by_key(taken.option), _by_key(taken.flag), _by_key(taken.phrase)
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        key = plain_key(name)
        flag = tuple(flags.get(key, "").split())
        option = name if name in options else names.get(key, "")
        if word.startswith("-") and option in options:
            typed: tuple[str, ...] = (word,)
            if options[option] and not equals and rest:
                value = rest.pop(0)
                typed = (word, value)
            values = {plain_key(text): meant for text, meant in taken.value.get(option[2:], {}).items()}
            meant = (option, values.get(plain_key(value), value)) if equals or len(typed) > 1 else (option,)
            yield _Part(typed, () if meant in (typed, (name, value)) else meant)
        elif flag and not equals and flag[0] in options:
            yield _Part((word,), flag)
        elif phrases.get(key) in options and rest and not word.startswith("-"):
            following = rest.pop(0)
            yield _Part((word, following), (phrases[key], following))
        elif _SIZE.fullmatch(word) and "--board" in options:
            yield _Part((word,), ("--board", _INCHES.sub("in", word)))
        else:
            yield _Part((word,))


def _by_key(table: Mapping[str, str]) -> dict[str, str]:
    return {plain_key(word): meant for word, meant in table.items()}
