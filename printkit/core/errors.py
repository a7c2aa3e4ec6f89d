"""What is said to a person: sentences that any language can say, and every error that printkit raises on purpose.

A sentence is written here in the code, in English, with a name for each value; the English is the key under which
``templates/messages`` gives it in another language. Errors are one such line, and the exit status that goes with it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Any, Final, Self

# Signs that a shell leaves as they are, also in the paths of Windows.
_UNQUOTED: Final = re.compile(r"[\w./\\:@%+,=-]+")


class Sentence(str):
    """A sentence for a person: its English text, which knows how it was made, so that another language can say it.

    It is a ``str`` wherever one is wanted. A value may be a sentence, or have one as its ``sentence``, as an error has,
    and is then said in that language too; so a sentence is put into another as a value, and never pasted.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Sentence:
        told = {name: getattr(value, "sentence", value) for name, value in values.items()}
        sentence = super().__new__(cls, template.format_map(told))
        sentence.template, sentence.values = template, told
        return sentence

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """Return by what it is made again in another process."""
        return (self.template,), dict(self.values)

    def __reduce__(self) -> tuple[partial[Sentence], tuple[str]]:
        return partial(Sentence, **self.values), (self.template,)


def typed_path(path: Path | str) -> str:
    """Return a path as it is typed in a command line of a shell: quoted where a shell would part or change it."""
    text = str(path)
    if _UNQUOTED.fullmatch(text):
        return text
    return shlex.quote(text) if set('"$`!') & set(text) else f'"{text}"'


class Decimal(float):
    """A number that is written with the decimal sign of a language."""

    point: str

    def __new__(cls, value: float, point: str) -> Self:
        """Return the number; ``point`` is the sign."""
        made = super().__new__(cls, value)
        made.point = point
        return made

    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(".", self.point)


def say(
    text: str,
    templates: Mapping[str, str],
    known: Callable[[str, str], str] = lambda _name, value: value,
    point: str = ".",
) -> str:
    """Return a sentence by the templates of a language, which stand under the English ones.

    What has no template there is said in English, and text that is no sentence stays as it is.

    Args:
        text: what is said.
        templates: of the language, by their English.
        known: says of a value, by its name, what it is called in the language, or returns it as it is.
        point: the decimal sign of the language.
    """
    if not isinstance(text, Sentence):
        return text
    told = {name: str(value) if isinstance(value, Exception) else value for name, value in text.values.items()}
    values = {
        name: say(known(name, value), templates, known, point) if isinstance(value, str) else _pointed(value, point)
        for name, value in told.items()
    }
    try:
        return templates.get(text.template, text.template).format_map(values)
    except (LookupError, ValueError, AttributeError, TypeError):
        # A translation that asks for other values than the English is as good as none.
        return text.template.format_map(values)


def _pointed(value: object, point: str) -> object:
    return Decimal(value, point) if isinstance(value, float) else value


# Characters of the longest text of a log that a template can make.
_LONGEST: Final = 1000


def recognised(text: str, templates: tuple[str, ...]) -> str:
    """Return the sentence that one of some templates makes of a text that was read back; or else the text.

    The template with most words of its own is tried first. What stands for a value is recognised in turn; a value with
    the format ``d`` is a whole number.
    """
    if isinstance(text, Sentence):
        return text
    if len(text) > _LONGEST:
        return text
    for pattern, template, numbers, parts in _patterns(templates):
        if _has_in_order(text, parts) and (match := pattern.fullmatch(text)):
            found = match.groupdict().items()
            values = {name: int(part) if name in numbers else recognised(part, templates) for name, part in found}
            return Sentence(template, **values)
    return text


@cache
def _patterns(
    templates: tuple[str, ...],
) -> tuple[tuple[re.Pattern[str], str, frozenset[str], tuple[str, ...]], ...]:
    """Return for each template the pattern of its texts, the template, the names of its numbers, and its own words."""
    found = []
    for template in templates:
        parts = tuple(Formatter().parse(template))
        pattern = "".join(re.escape(text) + _gap(name, form) for text, name, form, _ in parts)
        numbers = frozenset(name for _, name, form, _ in parts if name and form == "d")
        literals = tuple(text for text, *_ in parts)
        found.append((sum(map(len, literals)), (re.compile(pattern, re.DOTALL), template, numbers, literals)))
    return tuple(each for _, each in sorted(found, key=lambda each: -each[0]))


def _has_in_order(text: str, parts: tuple[str, ...]) -> bool:
    """Return whether a text has some parts one after another: a pattern of several gaps is slow to find out."""
    place = 0
    for part in parts:
        if (place := text.find(part, place)) < 0:
            return False
        place += len(part)
    return True


def _gap(name: str | None, form: str | None) -> str:
    """Return the pattern of a value in a template, or nothing after the last one."""
    return "" if name is None else rf"(?P<{name}>[0-9]{{1,40}})" if form == "d" else f"(?P<{name}>.+)"


def joined(parts: Iterable[str], between: str = ", ") -> Sentence:
    """Return several sentences or names as one: parted by commas, or by a sentence such as ``Sentence(" or ")``."""
    values: dict[str, object] = {f"part{number}": part for number, part in enumerate(parts)}
    return Sentence("{between}".join(f"{{{name}}}" for name in values), between=between, **values)


class SaidError(Exception):
    """An error of which a person is told: ``str`` of it is English, and its ``sentence`` can be said in any language.

    The ``sentence`` names the clause, the ``fault`` alone does not.

    Args:
        template: the English sentence with the names of the values in braces.
        clause: the ID of the rule that was broken, or empty.
        values: the values by name; also sentences, or the errors that are told on.
    """

    def __init__(self, template: str, /, *, clause: str = "", **values: object) -> None:
        self.fault = Sentence(template, **values)
        self.clause = clause
        self.sentence = Sentence("{fault} ({clause})", fault=self.fault, clause=clause) if clause else self.fault
        super().__init__(self.sentence)

    def __reduce__(self) -> tuple[Any, ...]:
        return _anew, (type(self), self.__dict__)


def _anew(kind: type[SaidError], state: Mapping[str, Any]) -> SaidError:
    """Return an error that came from another process as it was."""
    error = kind.__new__(kind, state["sentence"])
    error.__dict__.update(state)
    return error


OWN_FAULT = 70
"""The exit status where the fault is printkit's own."""


class PrintkitError(SaidError):
    """Something that a person can mend; its text says what is wrong, where, and what would be right."""

    exit_status = 1


class UsageError(PrintkitError):
    """The command line itself is wrong."""

    exit_status = 2


class ResourceError(PrintkitError):
    """A font, template or file that was asked for is not there or cannot be read."""


class BookError(PrintkitError):
    """A rule book or another template is wrong: names the file, the table and the row."""


class ScenarioError(PrintkitError):
    """A setting, a scenario file or an input of the rule system is wrong."""


class RetiredError(ScenarioError):
    """A setting no longer exists."""

    exit_status = 2


class DiceError(PrintkitError):
    """A recorded throw is missing, is left over, or cannot be what it says."""


class PlacementError(PrintkitError):
    """A feature or course cannot lie where it was put."""


class RecordError(PrintkitError):
    """A record cannot be read: names the member and what would be right."""


class PageError(PrintkitError):
    """A drawing cannot be put on the paper that was asked for."""


class TakenError(PageError):
    """Where a file is to stand another one stands already, which nobody said may be replaced."""
