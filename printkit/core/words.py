"""The words of one language, or of two side by side: a key in, a sentence out.

A language is a folder. What it lacks is said in English, and remembered for one notice (``lacking``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Self

from msgspec import Struct

from printkit.core.errors import Decimal, ResourceError, Sentence, UsageError, recognised, say
from printkit.core.resources import names, resource

BETWEEN: Final = " · "

ENGLISH: Final = "en"
"""The language that has every word; what another lacks is said in it."""

_LACKED: Final[dict[str, None]] = {}
"""Languages of which a word was wanted that they lack. It is told, and changes nothing that is drawn."""

# What is wrong with each file of words or messages that cannot be read, by its path. Such a file is left out.
_UNREADABLE: Final[dict[Path, Sentence]] = {}

_HEAD: Final = re.compile(r"^\[([\w-]+(?:\.[\w-]+)?)", re.MULTILINE)
"""The first word or two of the head of a table; every sentence of a file of words stands below one."""

_WORDS: Final = "templates/words"
_MESSAGES: Final = "templates/messages/{}"
_PHRASES: Final = ("articles.toml", "help.toml", "throws.toml", "values.toml")
"""Files of that folder without sentences of the code: articles, values, and texts of help and logs."""

_BOOK: Final = "book-"
"""How the files of that folder are called that hold the lines of a rule book."""

_OF_LOGS: Final = ("log", "throws")
"""Files of that folder with the lines for logs: what is thrown for, and names and answers in that."""


class Words(Struct, frozen=True):
    """Sentences by dotted key. ``languages`` is ``("en",)``, or two codes for both side by side.

    ``dialects`` are a rule system and a period, as ``("acw", "american")``: what a language has under the first of
    them comes before the usual words.
    """

    languages: tuple[str, ...]
    dialects: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """Return the language of the document: the first of the two where there are two."""
        return self.languages[0]

    def __call__(self, key: str, **values: object) -> str:
        """Return the sentence of ``key`` with its ``{names}`` filled in.

        A key with forms ``one`` and ``other`` chooses by the value ``count``. Two languages stand side by side,
        parted by a raised dot; a word that is the same in both stands once. A word that a language lacks is English.

        Raises:
            ResourceError: the key is missing in English too.
        """
        said = [_say(language, self._own(language, key), values) for language in self.languages]
        return BETWEEN.join(dict.fromkeys(said))

    def each(self) -> tuple[Words, ...]:
        """Return one ``Words`` a language, for sheets that set them in columns."""
        return tuple(Words((language,), self.dialects) for language in self.languages)

    def of_book(self, books: tuple[str, ...], part: str, key: str, english: str) -> str:
        """Return a line of the first of some rule books that has it, as the title of a clause by its ID.

        A language that lacks the line says it in English; two languages stand side by side.
        """
        found = []
        for language in self.languages:
            shelves = (book_lines(language, name).get(part, {}) for name in books if name)
            found.append(next((shelf[key] for shelf in shelves if key in shelf), english))
        return BETWEEN.join(dict.fromkeys(found))

    def say(self, text: str) -> str:
        """Return what is said at the terminal: a sentence in the first of the languages, any other text as it is."""
        return say(text, messages(self.code), partial(value_said, language=self.code), point(self.code))

    def in_dialect(self, *dialects: str) -> Words:
        """Return the same words as a rule system or a period has them."""
        return Words(self.languages, dialects)

    def _own(self, language: str, key: str) -> str:
        """Return the key of the word of the first dialect that has one; else the key itself."""
        keys = (f"{dialect}.{key}" for dialect in self.dialects)
        return next((special for special in keys if special in _shelf(language, special)), key)

    def about(self, key: str, name: str) -> str:
        """Return the sentence of ``key`` about a place, with the article that its name takes in the language.

        The first word of a name decides, as a list of the language says; article and word before it are contracted
        where the list has both.
        """
        known = phrases(self.code, "articles")
        article = known.get(name.partition(" ")[0], "")
        said = self(key, name=f"{article} {name}" if article else name)
        for pair in filter(lambda each: " " in each, known):
            said = said.replace(f" {pair} ", f" {known[pair]} ")
        return said

    def has(self, key: str) -> bool:
        """Return whether there is a word for the key, in each language or in English."""
        return all(key in _shelf(language, key) or key in _shelf(ENGLISH, key) for language in self.languages)


class ClauseText(str):
    """The text of a clause as a value of a sentence; each language takes it from its own file of the rule book.

    Attributes:
        books: the rule book, and the one that it shares.
        clause: the ID.
    """

    books: tuple[str, ...] = ()
    clause: str = ""

    @classmethod
    def of(cls, english: str, books: tuple[str, ...], clause: str) -> Self:
        """Return the text of a clause of some books."""
        text = cls(english)
        text.books, text.clause = books, clause
        return text


IN_ENGLISH: Final = Words((ENGLISH,))
"""The words of the language in which printkit is written."""


def find(text: str) -> Words:
    """Return the words of ``en``, ``es`` or ``en+es``.

    Raises:
        UsageError: a language that is not there.
    """
    known = languages_known()
    languages = tuple(text.split("+"))
    if not languages or len(languages) > 2 or any(code not in known for code in languages):
        raise UsageError(
            "unknown language {text!r}; use {known}, or two together: en+es", text=text, known=", ".join(known)
        )
    return Words(languages)


def languages_known() -> list[str]:
    """Return the codes of all languages: English, then each that has a folder of words."""
    return [ENGLISH, *(code for code in names(_WORDS) if code != ENGLISH)]


def lacking() -> tuple[str, ...]:
    """Return the languages of which a word was wanted since ``forget`` that they lack, so that English stands there."""
    return tuple(_LACKED)


def unreadable() -> tuple[Sentence, ...]:
    """Return a notice for each file of a language that was left out because it cannot be read."""
    return tuple(_UNREADABLE.values())


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return every key of a language with its sentence; the files of its folder are the parts of one catalogue."""
    return {key: sentence for head in _holders(language) for key, sentence in _below(language, head).items()}


def file_words(language: str, name: str) -> Mapping[str, str]:
    """Return the keys of one file of a language with their sentences."""
    return dict(_leaves(_parsed(f"{_WORDS}/{language}", name), ""))


def message_file(language: str, name: str) -> Mapping[str, Any]:
    """Return the lines of one file of messages of a language; none, with a notice, if it cannot be read."""
    return _parsed(_MESSAGES.format(language), name)


def _shelf(language: str, key: str) -> Mapping[str, str]:
    """Return the sentences among which that of a key stands; of the language little else is parsed."""
    first, _, more = key.partition(".")
    return _shelf_of(language, first, more.partition(".")[0])


@cache
def _shelf_of(language: str, first: str, second: str) -> Mapping[str, str]:
    """Return the sentences whose keys begin with two words, as ``npg.cards``, and those right below the first."""
    found = dict(_below(language, first))
    for key, sentence in _below(language, f"{first}.{second}").items():
        _once(language, "*", key, found)
        found[key] = sentence
    return found


@cache
def _below(language: str, head: str) -> Mapping[str, str]:
    """Return what stands below a head of one word, or of two with whatever follows them, by the keys."""
    first = head.partition(".")[0]
    found: dict[str, str] = {}
    for name in _holders(language).get(head, ()):
        for key, sentence in _leaves(_tree(language, name, head).get(first, {}), f"{first}."):
            _once(language, name, key, found)
            found[key] = sentence
    return found


def _once(language: str, name: str, key: str, found: Mapping[str, str]) -> None:
    """See that a key is not there yet.

    Raises:
        ResourceError: it is.
    """
    if key in found:
        raise ResourceError("words/{language}/{name}: {key!r} is in two files", language=language, name=name, key=key)


@cache
def _holders(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the files that hold keys by the first word or two of the keys, told from the heads of their tables."""
    found: dict[str, tuple[str, ...]] = {}
    for name in names(f"templates/words/{language}"):
        for head in dict.fromkeys(_HEAD.findall(_text(language, name))):
            found[head] = (*found.get(head, ()), name)
    return found


def _tree(language: str, name: str, wanted: str) -> Mapping[str, Any]:
    """Return what a file holds below a head of a word or two: of a long file most words want a table or two."""
    text = _text(language, name)
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    parts = (text[head.start() : end] for head, end in zip(heads, ends, strict=True) if head[1] == wanted)
    from printkit.core.reading import toml_of

    try:
        return toml_of("".join(parts))
    except ValueError:
        # Read as a whole the error has its line.
        return _parsed(f"{_WORDS}/{language}", name)


def _text(language: str, name: str) -> str:
    return _read(f"{_WORDS}/{language}", name)


@cache
def _read(folder: str, name: str) -> str:
    """Return the text of a file of a language; empty, with a notice, if it cannot be read."""
    from printkit.core.reading import text_of

    path = resource(folder, name)
    try:
        return text_of(path)
    except OSError as error:
        _UNREADABLE[path] = Sentence("skipped {path}: {reason}", path=str(path), reason=error.strerror or str(error))
    return ""


@cache
def _parsed(folder: str, name: str) -> Mapping[str, Any]:
    """Return the values of a file of a language; none, with a notice, if it cannot be read or is not TOML."""
    from printkit.core.reading import toml_of

    try:
        return toml_of(_read(folder, name))
    except ValueError as error:
        path = resource(folder, name)
        _UNREADABLE[path] = Sentence("skipped {path}: not valid TOML: {error}", path=str(path), error=str(error))
        return {}


def _text_lines(tree: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the entries of a file of messages that are texts."""
    return ((english, text) for english, text in tree.items() if isinstance(text, str))


@cache
def messages(language: str) -> Mapping[str, str]:
    """Return the templates of a language for what is said at the terminal, by their English.

    Of English there is only what sheets say otherwise than the log.

    Raises:
        ResourceError: a sentence stands in two files.
    """
    found: dict[str, str] = {}
    for name in names(_MESSAGES.format(language)) if language in names("templates/messages") else ():
        if name in _PHRASES or name.startswith(_BOOK):
            continue
        for english, template in _text_lines(_parsed(_MESSAGES.format(language), name)):
            if english in found:
                raise ResourceError(
                    "messages/{language}/{name}: {english!r} is in two files",
                    language=language,
                    name=name,
                    english=english,
                )
            found[english] = template
    return found


@cache
def log_templates() -> tuple[str, ...]:
    """Return the templates by which texts of a log are recognised: those that any language has a line for."""
    known = (phrases(language, name) for language in names("templates/messages") for name in _OF_LOGS)
    return tuple(dict.fromkeys(template for lines in known for template in lines))


@cache
def log_lines(language: str) -> Mapping[str, str]:
    """Return the templates of a language for texts of a log and for all that may stand in them, by their English."""
    return {**messages(language), **phrases(language, "throws")}


@cache
def phrases(language: str, name: str) -> Mapping[str, str]:
    """Return the texts of a file of messages in a language, as ``help``, by their English; none where it has none."""
    if language not in names("templates/messages") or f"{name}.toml" not in names(_MESSAGES.format(language)):
        return {}
    found = _parsed(_MESSAGES.format(language), f"{name}.toml")
    return found if name.startswith(_BOOK) else dict(_text_lines(found))


_NAMED: Final = (
    *("edge", "home", "role", "side", "by", "chosen", "invader", "defender", "given", "going", "due", "found"),
    *("wanted", "opposite", "reason", "error"),
)
"""What the names of values end with that may be an edge, a side, a home, a going, or what others say of a file."""


def value_said(name: str, value: str, language: str) -> str:
    """Return a value of a sentence by its name, as an edge or a going, in a language; a sentence stays as it is."""
    if isinstance(value, ClauseText):
        return Words((language,)).of_book(value.books, "clauses", value.clause, value)
    if isinstance(value, Sentence) or not name.endswith(_NAMED):
        return value
    own = phrases(language, "values")
    found = recognised(value, tuple(own))
    return say(found, own) if isinstance(found, Sentence) else own.get(value, value)


def book_lines(language: str, name: str) -> Mapping[str, Mapping[str, str]]:
    """Return what a language says of a rule book, as ``clauses`` by their ID; nothing where it has no file for it."""
    found = phrases(language, f"{_BOOK}{name}")
    return {part: dict(_text_lines(lines)) for part, lines in found.items() if isinstance(lines, Mapping)}


def forget() -> None:
    """Read all files anew when a word or a message is next asked for: templates have joined (``resources.bring``)."""
    _LACKED.clear()
    _UNREADABLE.clear()
    for kept in (catalogue, _shelf_of, _below, _holders, _read, _parsed, messages, phrases, log_templates, log_lines):
        kept.cache_clear()


def _leaves(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", str(value)


def _say(language: str, key: str, values: Mapping[str, object]) -> str:
    sentence = _found(language, key, values)
    if sentence is not None:
        if not values:
            return sentence
        told = {name: value if name in _WHOLE else _pointed(value, language) for name, value in values.items()}
        try:
            return sentence.format(**told)
        except (LookupError, ValueError):
            # A sentence that asks for other values than English gives is as good as none.
            if language == ENGLISH:
                raise
    if language == ENGLISH:
        raise ResourceError("no text for {key!r}; add it to the folder words/en of its rules", key=key)
    _LACKED[language] = None
    return _say(ENGLISH, key, values)


def _found(language: str, key: str, values: Mapping[str, object]) -> str | None:
    """Return the sentence of a key, of its forms that which its number wants, or None."""
    sentences = _shelf(language, key)
    if key not in sentences and "count" in values:
        key = f"{key}.one" if values["count"] == 1 else f"{key}.other"
    return sentences.get(key)


_POINT: Final = "leaflets.decimal"
"""The key of the sign between a number and its fraction."""

_WHOLE: Final = ("version", "clause", "clauses")
"""Values with a point that parts no fraction."""

_NUMBER: Final = re.compile(r"(?:1:)?[+−-]?\d+\.\d+(?: (?:mm|cm|in|BW²?|%))?")
"""A number with a fraction as it is handed to a sentence, also one with its unit, or a scale."""


def _pointed(value: object, language: str) -> object:
    """Return a value as its language writes it: of a number with a fraction the decimal sign."""
    if isinstance(value, float):
        return Decimal(value, point(language))
    if isinstance(value, str) and "." in value and _NUMBER.fullmatch(value):
        return value.replace(".", point(language))
    return value


def point(language: str) -> str:
    """Return the sign that a language has between a number and its fraction."""
    return _shelf(language, _POINT).get(_POINT, ".")
