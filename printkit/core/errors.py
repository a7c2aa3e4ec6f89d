"""Messages for the user: translatable sentences, and every error that printkit raises on purpose.

The code writes a sentence in English, with a name for each value. The English text is the key of its translations in
``templates/messages``. An error is one such sentence and an exit status.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Any, Final, Self

# Text that a shell does not change, Windows paths included.
_UNQUOTED: Final = re.compile(r"[\w./\\:@%+,=-]+")


class Sentence(str):
    """An English sentence for the user, with the template and the values that other languages need to translate it.

    It works as a ``str``. A value may be a sentence itself, or have one as its ``sentence`` (an error does); it is then
    translated too. So put a sentence into another as a value, and never concatenate.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Sentence:
        arguments = {name: getattr(value, "sentence", value) for name, value in values.items()}
        sentence = super().__new__(cls, template.format_map(arguments))
        sentence.template, sentence.values = template, arguments
        return sentence

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """Return the arguments that rebuild the sentence in another process."""
        return (self.template,), dict(self.values)

    def __reduce__(self) -> tuple[partial[Sentence], tuple[str]]:
        return partial(Sentence, **self.values), (self.template,)


def quote_path(path: Path | str) -> str:
    """Return a path as text for a shell command, in quotation marks if a shell would split or change it."""
    text = str(path)
    if _UNQUOTED.fullmatch(text):
        return text
    return shlex.quote(text) if set('"$`!') & set(text) else f'"{text}"'


class Decimal(float):
    """A number that is formatted with the decimal sign of a language."""

    point: str

    def __new__(cls, value: float, point: str) -> Self:
        """Return the number with ``point`` as its decimal sign."""
        number = super().__new__(cls, value)
        number.point = point
        return number

    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(".", self.point)


def translate_sentence(
    text: str,
    templates: Mapping[str, str],
    translate_value: Callable[[str, str], str] = lambda _name, value: value,
    point: str = ".",
) -> str:
    """Return a sentence in another language.

    A sentence without a template stays in English, and so does one whose translation needs missing values. A text that
    is not a ``Sentence`` is returned unchanged. Nested sentences are translated too.

    Args:
        text: the sentence.
        templates: the templates of the language by their English template.
        translate_value: gets the name of a value and its text, and returns the text translated or unchanged.
        point: the decimal sign of the language.
    """
    if not isinstance(text, Sentence):
        return text
    arguments = {name: str(value) if isinstance(value, Exception) else value for name, value in text.values.items()}
    values = {
        name: translate_sentence(translate_value(name, value), templates, translate_value, point)
        if isinstance(value, str)
        else Decimal(value, point)
        if isinstance(value, float)
        else value
        for name, value in arguments.items()
    }
    try:
        return templates.get(text.template, text.template).format_map(values)
    except (LookupError, ValueError, AttributeError, TypeError):
        # The translation needs values that the English text does not have: use English.
        return text.template.format_map(values)


# Longest text of a log that can be matched to a template, in characters.
_LONGEST: Final = 1000


def recognised(text: str, templates: tuple[str, ...]) -> str:
    """Return the ``Sentence`` that a text read from a file was made from, so that it can be translated.

    A text that no template matches, a very long text and a ``Sentence`` are returned unchanged. Templates with the most
    fixed text are tried first. Values are matched recursively; a value with the format ``d`` is an integer.
    """
    if isinstance(text, Sentence):
        return text
    if len(text) > _LONGEST:
        return text
    for pattern, template, numbers, parts in _patterns(templates):
        if _has_in_order(text, parts) and (match := pattern.fullmatch(text)):
            groups = match.groupdict().items()
            values = {name: int(part) if name in numbers else recognised(part, templates) for name, part in groups}
            return Sentence(template, **values)
    return text


@cache
def _patterns(
    templates: tuple[str, ...],
) -> tuple[tuple[re.Pattern[str], str, frozenset[str], tuple[str, ...]], ...]:
    """Return a tuple for each template: regular expression, template, names of integers, fixed texts.

    Templates with the most fixed text are first. Cached. The order is that of the length of the fixed texts together.
    """
    patterns = []
    for template in templates:
        parts = tuple(Formatter().parse(template))
        pattern = "".join(re.escape(text) + _value_pattern(name, form) for text, name, form, _ in parts)
        numbers = frozenset(name for _, name, form, _ in parts if name and form == "d")
        literals = tuple(text for text, *_ in parts)
        patterns.append((sum(map(len, literals)), (re.compile(pattern, re.DOTALL), template, numbers, literals)))
    return tuple(entry for _, entry in sorted(patterns, key=lambda entry: -entry[0]))


def _has_in_order(text: str, parts: tuple[str, ...]) -> bool:
    """Return whether a text contains some parts in this order, without overlap.

    This is a fast test before the slow regular expression. Without parts the result is True.
    """
    position = 0
    for part in parts:
        if (position := text.find(part, position)) < 0:
            return False
        position += len(part)
    return True


def _value_pattern(name: str | None, form: str | None) -> str:
    """Return the regular expression of a value in a template.

    ``form`` is its format, for example ``d`` for an integer. Without a name, after the last value, it is empty.
    """
    return "" if name is None else rf"(?P<{name}>[0-9]{{1,40}})" if form == "d" else f"(?P<{name}>.+)"


def joined(parts: Iterable[str], separator: str = ", ") -> Sentence:
    """Return sentences or names joined by a separator into one sentence; empty without parts.

    ``separator`` may be a sentence, for example ``Sentence(" or ")``. The parts and the separator can still be
    translated.
    """
    values: dict[str, object] = {f"part{number}": part for number, part in enumerate(parts)}
    return Sentence("{between}".join(f"{{{name}}}" for name in values), between=separator, **values)


class TranslatedError(Exception):
    """An error with a message for the user: ``str`` gives English, ``sentence`` can be translated.

    ``sentence`` ends with the clause ID; ``fault`` is the message without it.

    Args:
        template: the English sentence with the names of the values in braces.
        clause: the ID of the rule that was broken, or empty.
        values: the values by name; a value may be a sentence or another error.
    """

    def __init__(self, template: str, /, *, clause: str = "", **values: object) -> None:
        self.fault = Sentence(template, **values)
        self.clause = clause
        self.sentence = Sentence("{fault} ({clause})", fault=self.fault, clause=clause) if clause else self.fault
        super().__init__(self.sentence)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_error, (type(self), self.__dict__)


def _rebuild_error(kind: type[TranslatedError], state: Mapping[str, Any]) -> TranslatedError:
    """Rebuild an error that came from another process.

    ``state`` has the attributes of the error by name, with its text under ``sentence``.
    """
    error = kind.__new__(kind, state["sentence"])
    error.__dict__.update(state)
    return error


# The exit status for a bug in printkit itself.
BUG_EXIT_STATUS = 70


class PrintkitError(TranslatedError):
    """An error the user can fix. The message gives the fault, its place and the correct form.

    ``member`` are the keys that lead to the wrong member of a file, if they are known.
    """

    exit_status = 1
    member: tuple[str | int, ...] = ()


class UsageError(PrintkitError):
    """An error in the command line."""

    exit_status = 2


class MissingError(UsageError):
    """Something that the user names and that does not exist, for example a battlefield of the studio."""


class ResourceError(PrintkitError):
    """A font, template or file that does not exist or cannot be read."""


class FileError(PrintkitError):
    """A file with a mistake; the message gives the file, the line, the member and a correct value."""


class BookError(PrintkitError):
    """An error in a rule book or another template; the message gives the file, the table and the row."""


class ScenarioError(PrintkitError):
    """An error in a setting, a scenario file or an input of the rule system."""


class RetiredError(ScenarioError):
    """A setting that no longer exists."""

    exit_status = 2


class DiceError(PrintkitError):
    """A recorded roll that is missing, unused or impossible."""


class PlacementError(PrintkitError):
    """A feature or course at a position that is not possible."""


class RecordError(PrintkitError):
    """A record that cannot be read; the message gives the member and its correct form."""


class PageError(PrintkitError):
    """A drawing that does not fit the requested paper."""


class FileTakenError(PageError):
    """A file that already exists and may not be overwritten."""
