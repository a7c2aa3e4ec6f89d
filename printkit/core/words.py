"""Texts in one language or two: look up a key, get a sentence.

Each language is a folder. A missing text falls back to English and is noted for one notice (``incomplete_languages``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Self

from msgspec import Struct

from printkit.core.errors import Decimal, FileError, ResourceError, Sentence, UsageError, recognised, translate_sentence
from printkit.core.resources import names, resource

SEPARATOR: Final = " · "

# The language that has every text; the fallback of the others.
ENGLISH: Final = "en"

# Languages that had no text for a requested key. Only for the notice; drawings do not depend on it.
_LACKED: Final[dict[str, None]] = {}

# The error of each file of words or messages that cannot be read, by path. Such a file is skipped.
_UNREADABLE: Final[dict[Path, Sentence]] = {}

# The first one or two words of a table header; every sentence of a words file is in such a table.
_HEAD: Final = re.compile(r"^\[([\w-]+(?:\.[\w-]+)?)", re.MULTILINE)

_WORDS: Final = "templates/words"
_MESSAGES: Final = "templates/messages/{}"
# Files of the messages folder without sentences of the code: articles, values, help texts and log texts.
_PHRASES: Final = ("articles.toml", "help.toml", "throws.toml", "values.toml")

# Prefix of the files of the messages folder that contain the lines of a rule book.
_BOOK: Final = "book-"

# Files of the messages folder with the lines of logs: reasons for rolls, and the names and answers in them.
_OF_LOGS: Final = ("log", "throws")


class Words(Struct, frozen=True):
    """Sentences by dotted key, in one or two languages.

    Attributes:
        languages: ``("en",)``, or two codes for both languages together.
        dialects: a rule system and a period, for example ``("acw", "american")``. The text of the first dialect that
            has the key replaces the usual text.
    """

    languages: tuple[str, ...]
    dialects: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """Return the language code of the document: the first if there are two languages."""
        return self.languages[0]

    def __call__(self, key: str, **values: object) -> str:
        """Return the sentence of ``key`` with its ``{names}`` filled in.

        A key with the forms ``one`` and ``other`` is chosen by the value ``count``. Two languages are separated by a
        raised dot; a text that is equal in both appears once. A missing text falls back to English. Numbers get the
        decimal sign of the language. A dialect's own text is preferred.

        Raises:
            ResourceError: the key is missing in English too.
        """
        sentences = [_fill_sentence(language, self._dialect_key(language, key), values) for language in self.languages]
        return SEPARATOR.join(dict.fromkeys(sentences))

    def each(self) -> tuple[Words, ...]:
        """Return a ``Words`` for each language, for sheets that set each language separately."""
        return tuple(Words((language,), self.dialects) for language in self.languages)

    def book_line(self, books: tuple[str, ...], part: str, key: str, english: str) -> str:
        """Return a line of the first rule book that has it, for example the title of a clause by its ID.

        Args:
            books: names of rule books in order of preference; empty ones are skipped.
            part: the part of the book, for example ``clauses``.
            key: the key in that part.
            english: the line for a language that does not have it. Two languages are separated by a raised dot; equal
                lines appear once.
        """
        lines = []
        for language in self.languages:
            sources = (book_lines(language, name).get(part, {}) for name in books if name)
            lines.append(next((source[key] for source in sources if key in source), english))
        return SEPARATOR.join(dict.fromkeys(lines))

    def translate(self, text: str) -> str:
        """Return a sentence in the first language, for the terminal; any other text unchanged."""
        return translate_sentence(
            text, messages(self.code), partial(translate_value, language=self.code), decimal_sign(self.code)
        )

    def in_dialect(self, *dialects: str) -> Words:
        """Return the same languages with these dialects instead of the present ones; the first has priority.

        A dialect is a word in front of a key, for example the name of a rule system or a period.
        """
        return Words(self.languages, dialects)

    def _dialect_key(self, language: str, key: str) -> str:
        """Return the key in the first dialect that has it in a language; otherwise the key itself.

        The result is for example ``acw.title`` for the key ``title``.
        """
        keys = (f"{dialect}.{key}" for dialect in self.dialects)
        return next((special for special in keys if special in _table_for_key(language, special)), key)

    def sentence_with_article(self, key: str, name: str) -> str:
        """Return the sentence of ``key`` about a place, with the article that its name has in the language.

        The first word of the name selects the article from a list of the language. The article and the word before it
        are contracted if the list has the pair.
        """
        articles = phrases(self.code, "articles")
        article = articles.get(name.partition(" ")[0], "")
        sentence = self(key, name=f"{article} {name}" if article else name)
        for pair in filter(lambda phrase: " " in phrase, articles):
            sentence = sentence.replace(f" {pair} ", f" {articles[pair]} ")
        return sentence

    def has(self, key: str) -> bool:
        """Return whether every language has a text for the key, English included as a fallback."""
        return all(
            key in _table_for_key(language, key) or key in _table_for_key(ENGLISH, key) for language in self.languages
        )


class ClauseText(str):
    """A text of a rule book as a value of a sentence; each language reads it from its translation of the book.

    Attributes:
        books: the names of the rule book and of the book whose lines it shares.
        clause: the clause ID, or the key of another text.
        part: the part of the book with the text.
    """

    books: tuple[str, ...] = ()
    clause: str = ""
    part: str = "clauses"

    @classmethod
    def create(cls, english: str, books: tuple[str, ...], clause: str, part: str = "clauses") -> Self:
        """Return a text with its books, its ID and its part.

        ``english`` is the text, ``books`` are the names of its books, ``clause`` is its ID, and ``part`` the part
        of the book with it.
        """
        text = cls(english)
        text.books, text.clause, text.part = books, clause, part
        return text


# English texts, for output that is not translated.
IN_ENGLISH: Final = Words((ENGLISH,))


def capitalise_text(text: str) -> str:
    """Return a text with its first letter as a capital; the others are unchanged."""
    return text[:1].upper() + text[1:]


def find_words(text: str) -> Words:
    """Return the texts of a language or of two, for example ``en``, ``es`` or ``en+es``.

    The first of two languages comes first in texts.

    Raises:
        UsageError: a language does not exist, or there are more than two.
    """
    codes = available_languages()
    languages = tuple(text.split("+"))
    if not languages or len(languages) > 2 or any(code not in codes for code in languages):
        raise UsageError(
            "unknown language {text!r}; use {known}, or two together: en+es", text=text, known=", ".join(codes)
        )
    return Words(languages)


def available_languages() -> list[str]:
    """Return the codes of all languages that have a folder of words, English first."""
    return [ENGLISH, *(code for code in names(_WORDS) if code != ENGLISH)]


def incomplete_languages() -> tuple[str, ...]:
    """Return the languages that had no text for a key, so that English was used, in the order found.

    The list starts again when ``clear_caches`` is called.
    """
    return tuple(_LACKED)


def unreadable_files() -> tuple[Sentence, ...]:
    """Return a notice for each file of a language that was skipped because it cannot be read."""
    return tuple(_UNREADABLE.values())


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return all sentences of a language by key, from all files of its folder."""
    return {
        key: sentence
        for head in _files_by_header(language)
        for key, sentence in _header_sentences(language, head).items()
    }


def file_words(language: str, name: str) -> Mapping[str, str]:
    """Return the sentences of one file of a language by dotted key.

    ``name`` is that of the file with ``.toml``. The result is empty, with a notice, if the file cannot be read.

    Raises:
        ResourceError: there is no such file.
    """
    return dict(_leaves(_parse_file(f"{_WORDS}/{language}", name), ""))


def message_file(language: str, name: str) -> Mapping[str, Any]:
    """Return the lines of a messages file of a language, by their English text; empty, with a notice, if unreadable.

    ``name`` is that of the file with ``.toml``. A notice is an entry of ``unreadable_files``.

    Raises:
        ResourceError: there is no such file.
    """
    return _parse_file(_MESSAGES.format(language), name)


def _table_for_key(language: str, key: str) -> Mapping[str, str]:
    """Return the sentences near a key, so that only this part of a language is parsed.

    The result has the sentences by complete key.
    """
    first, _, more = key.partition(".")
    return _load_table(language, first, more.partition(".")[0])


@cache
def _load_table(language: str, first: str, second: str) -> Mapping[str, str]:
    """Return the sentences of a language whose keys start with two words, for example ``npg.cards``, by complete key.

    Those directly below the first word are included. The result is empty if there are none. Both words are given
    separately, for example "npg" and "cards".

    Raises:
        ResourceError: a key is in both tables.
    """
    sentences = dict(_header_sentences(language, first))
    for key, sentence in _header_sentences(language, f"{first}.{second}").items():
        _check_unique(language, "*", key, sentences)
        sentences[key] = sentence
    return sentences


@cache
def _header_sentences(language: str, head: str) -> Mapping[str, str]:
    """Return the sentences of the tables whose header starts with ``head``, by complete key.

    ``head`` is one or two words, for example ``npg.cards``. The result is empty if there are none.

    Raises:
        ResourceError: a key is in two files.
    """
    first = head.partition(".")[0]
    sentences: dict[str, str] = {}
    for name in _files_by_header(language).get(head, ()):
        for key, sentence in _leaves(_parse_tables(language, name, head).get(first, {}), f"{first}."):
            _check_unique(language, name, key, sentences)
            sentences[key] = sentence
    return sentences


def _check_unique(language: str, name: str, key: str, sentences: Mapping[str, str]) -> None:
    """Check that a key is new.

    ``name`` is the name of the file, for the error. ``sentences`` are those read so far, by key.

    Raises:
        ResourceError: it is in two files.
    """
    if key in sentences:
        raise ResourceError("words/{language}/{name}: {key!r} is in two files", language=language, name=name, key=key)


@cache
def _files_by_header(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the files of a language by the first word or two of their keys.

    The words come from the table headers of the files. A header in several files has several names.
    """
    files: dict[str, tuple[str, ...]] = {}
    for name in names(f"templates/words/{language}"):
        for head in dict.fromkeys(_HEAD.findall(_text(language, name))):
            files[head] = (*files.get(head, ()), name)
    return files


def _parse_tables(language: str, name: str, header: str) -> Mapping[str, Any]:
    """Return the values of only those tables of a file that are below one header, for example ``npg.cards``.

    Most lookups need one or two tables of a long file. The tables keep their nesting. If these tables are not valid
    TOML, the complete file is parsed, which gives a notice.
    """
    text = _text(language, name)
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    parts = (text[head.start() : end] for head, end in zip(heads, ends, strict=True) if head[1] == header)
    from printkit.core.typed import parse_toml

    try:
        return parse_toml("".join(parts), name)
    except FileError:
        # Parse the complete file, so that the error has the correct line.
        return _parse_file(f"{_WORDS}/{language}", name)


def _text(language: str, name: str) -> str:
    """Return the text of one file of a language; empty, with a notice, if it cannot be read."""
    return _read_text(f"{_WORDS}/{language}", name)


@cache
def _read_text(folder: str, name: str) -> str:
    """Return the text of a file of a language; empty, with a notice, if it cannot be read.

    ``folder`` is that of the language, for example ``templates/words/es``. A notice is an entry of
    ``unreadable_files``.

    Raises:
        ResourceError: there is no such file.
    """
    from printkit.core.reading import read_utf8

    path = resource(folder, name)
    try:
        return read_utf8(path)
    except OSError as error:
        _UNREADABLE[path] = Sentence("skipped {path}: {reason}", path=str(path), reason=error.strerror or str(error))
    return ""


@cache
def _parse_file(folder: str, name: str) -> Mapping[str, Any]:
    """Return the values of a TOML file of a language.

    The result is empty, with a notice (an entry of ``unreadable_files``), if the file cannot be read or is not TOML.

    Raises:
        ResourceError: there is no such file.
    """
    from printkit.core.typed import parse_toml

    path = resource(folder, name)
    try:
        return parse_toml(_read_text(folder, name), str(path))
    except FileError as error:
        _UNREADABLE[path] = Sentence("skipped {reason}", reason=error)
        return {}


def _text_lines(tree: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the entries of a messages file that are texts: the English text and its translation."""
    return ((english, text) for english, text in tree.items() if isinstance(text, str))


@cache
def messages(language: str) -> Mapping[str, str]:
    """Return the message templates of a language by their English text.

    English itself has only the sentences whose wording on sheets differs from the log.

    Raises:
        ResourceError: a sentence is in two files.
    """
    templates: dict[str, str] = {}
    for name in names(_MESSAGES.format(language)) if language in names("templates/messages") else ():
        if name in _PHRASES or name.startswith(_BOOK):
            continue
        for english, template in _text_lines(_parse_file(_MESSAGES.format(language), name)):
            if english in templates:
                raise ResourceError(
                    "messages/{language}/{name}: {english!r} is in two files",
                    language=language,
                    name=name,
                    english=english,
                )
            templates[english] = template
    return templates


@cache
def log_templates() -> tuple[str, ...]:
    """Return the templates to match texts of a log: those that any language translates."""
    sources = (phrases(language, name) for language in names("templates/messages") for name in _OF_LOGS)
    return tuple(dict.fromkeys(template for lines in sources for template in lines))


@cache
def log_lines(language: str) -> Mapping[str, str]:
    """Return the templates of a language for log texts and for the values in them, by their English text."""
    return {**messages(language), **phrases(language, "throws")}


@cache
def phrases(language: str, name: str) -> Mapping[str, str]:
    """Return the texts of a messages file, for example ``help``, by their English text.

    ``name`` is that of the file without ``.toml``. The result is empty if there is no such file. For a rule book
    (``book-...``) it also has its tables.
    """
    if language not in names("templates/messages") or f"{name}.toml" not in names(_MESSAGES.format(language)):
        return {}
    entries = _parse_file(_MESSAGES.format(language), f"{name}.toml")
    return entries if name.startswith(_BOOK) else dict(_text_lines(entries))


# Values whose names end with these words may be an edge, a side, a home, a going, or an error text about a file.
_TRANSLATED_ENDINGS: Final = (
    *("edge", "home", "role", "side", "by", "chosen", "invader", "defender", "given", "going", "due", "found"),
    *("wanted", "opposite", "reason", "error", "group"),
)


def translate_value(name: str, value: str, language: str) -> str:
    """Return a value of a sentence, for example an edge or a going, in a language.

    ``name`` is that of the value in the sentence; only values with certain endings of the name are translated. A
    sentence and an unknown value are returned unchanged.
    """
    if isinstance(value, ClauseText):
        return Words((language,)).book_line(value.books, value.part, value.clause, value)
    if isinstance(value, Sentence) or not name.endswith(_TRANSLATED_ENDINGS):
        return value
    translations = phrases(language, "values")
    sentence = recognised(value, tuple(translations))
    return (
        translate_sentence(sentence, translations) if isinstance(sentence, Sentence) else translations.get(value, value)
    )


def book_lines(language: str, name: str) -> Mapping[str, Mapping[str, str]]:
    """Return the translated lines of a rule book by part, for example ``clauses`` by ID.

    ``name`` is that of the book. The result is empty if there is no file for the language.
    """
    entries = phrases(language, f"{_BOOK}{name}")
    return {part: dict(_text_lines(lines)) for part, lines in entries.items() if isinstance(lines, Mapping)}


def clear_caches() -> None:
    """Clear all caches, so that files are read again.

    Call it after new templates were added (``resources.add_template_folder``).
    """
    _LACKED.clear()
    _UNREADABLE.clear()
    for function in (
        catalogue,
        _load_table,
        _header_sentences,
        _files_by_header,
        _read_text,
        _parse_file,
        messages,
        phrases,
        log_templates,
        log_lines,
    ):
        function.cache_clear()


def _leaves(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Yield each text of a tree of tables with its dotted key.

    ``prefix`` is the start of every key, with a dot at its end.
    """
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", str(value)


def _fill_sentence(language: str, key: str, values: Mapping[str, object]) -> str:
    """Return the sentence of a key with its values filled in, in English if the language does not have it.

    Raises:
        ResourceError: the key is missing in English too.
    """
    sentence = _find_sentence(language, key, values)
    if sentence is not None:
        if not values:
            return sentence
        arguments = {
            name: value if name in _WHOLE else _localise_number(value, language) for name, value in values.items()
        }
        try:
            return sentence.format(**arguments)
        except (LookupError, ValueError):
            # The translation needs values that the caller does not give: use English.
            if language == ENGLISH:
                raise
    if language == ENGLISH:
        raise ResourceError("no text for {key!r}; add it to the folder words/en of its rules", key=key)
    _LACKED[language] = None
    return _fill_sentence(ENGLISH, key, values)


def _find_sentence(language: str, key: str, values: Mapping[str, object]) -> str | None:
    """Return the sentence of a key, not filled in, or None if the language does not have it.

    A key that is missing is looked up as ``key.one`` if the value ``count`` is 1, and as ``key.other`` for another
    count.
    """
    sentences = _table_for_key(language, key)
    if key not in sentences and "count" in values:
        key = f"{key}.one" if values["count"] == 1 else f"{key}.other"
    return sentences.get(key)


# The key of the decimal sign.
_POINT: Final = "leaflets.decimal"

# Values with a point that is not a decimal sign.
_WHOLE: Final = ("version", "clause", "clauses")

# A formatted number with a fraction, optionally with a unit, or a scale.
_NUMBER: Final = re.compile(r"(?:1:)?[+−-]?\d+\.\d+(?: (?:mm|cm|in|BW²?|%))?")


def _localise_number(value: object, language: str) -> object:
    """Return a number with the decimal sign of the language; any other value unchanged.

    A text that is a decimal number, with or without a unit, changes too.
    """
    if isinstance(value, float):
        return Decimal(value, decimal_sign(language))
    if isinstance(value, str) and "." in value and _NUMBER.fullmatch(value):
        return value.replace(".", decimal_sign(language))
    return value


def decimal_sign(language: str) -> str:
    """Return the decimal sign of a language, for example a comma; a point if the language does not say."""
    return _table_for_key(language, _POINT).get(_POINT, ".")
