"""The option table: options of the commands, the Python API and the forms of the studio.

An options class is a frozen ``msgspec.Struct`` whose fields are plain data: text, numbers, truth values and sequences
of texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from pathlib import PurePath
from types import FunctionType
from typing import (
    Any,
    Concatenate,
    Final,
    Generic,
    NamedTuple,
    ParamSpec,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from printkit.core.errors import Sentence, UsageError
from printkit.kit.plugin import Command, load

Options = TypeVar("Options", bound=Struct)
P = ParamSpec("P")
First = TypeVar("First")
Second = TypeVar("Second")
Third = TypeVar("Third")
Returned = TypeVar("Returned")

_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII)

# The default upper limit of numbers, for example of a count of battlefields or cards.
MOST: Final = 100_000

# The maximum number of digits to parse; every limit has fewer.
_DIGITS: Final = 100


class Option(NamedTuple):
    """The declaration of one option.

    Attributes:
        value: the name of its value in the help; empty for a switch.
        help: one English sentence, which is also the key of its translations. ``{names}`` stands for the choices.
        group: its section of the help: a key of ``console.help.OPTIONS``.
        first: whether the short help has it too.
        flag: its flag, if it differs from the name of the field.
        argument: whether it is a positional argument.
        choices: tables, or functions that return names (``module:name``); loaded only when needed.
        aliases: its flags in other programs, for suggestions in error messages.
        usual: the default in words, if it is not a fixed value: "a new one".
        least: the least valid number.
        most: the greatest valid number.
        empty: whether a required argument may be an empty text.
    """

    value: str
    help: str
    group: str = "field"
    first: bool = False
    flag: str = ""
    argument: bool = False
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    usual: str = ""
    least: int | None = None
    most: int = MOST
    empty: bool = False


class Row(NamedTuple):
    """An option with the field that declares it.

    Attributes:
        name: the name of the field.
        option: the declaration.
        kind: ``str``, ``int`` or ``bool``.
        many: whether it is repeatable.
        default: its default value; ``NODEFAULT`` if it is required.
    """

    name: str
    option: Option
    kind: type
    many: bool
    default: Any

    @property
    def flag(self) -> str:
        """Return the flag to type, or the value name of an argument."""
        if self.option.argument:
            return self.option.value
        return self.option.flag or "--" + self.name.strip("_").replace("_", "-")

    @property
    def required(self) -> bool:
        """Return whether a command requires it."""
        return self.default is NODEFAULT

    def choices(self) -> tuple[str, ...]:
        """Return the valid names; empty if any text is valid."""
        found = (load(each) for each in self.option.choices)
        return tuple(name for each in found for name in (each() if isinstance(each, FunctionType) else each))

    def value(self, text: str) -> Any:
        """Return the value of a text: an integer or the text itself.

        Raises:
            OptionError: the number is not valid or out of range, or the text has a zero byte.
        """
        if "\0" in text:
            raise OptionError(self, Sentence("a text cannot have a zero byte"))
        return self.number(text) if self.kind is int else text

    def number(self, text: str) -> int:
        """Return the integer of a text, within the range of the option.

        Raises:
            OptionError: the text is not an integer, or it is out of range.
        """
        if not _WHOLE.fullmatch(text.strip()):
            raise OptionError(self, Sentence("{value} is not a whole number", value=repr(text)))
        # int() raises an error for thousands of digits.
        found = int(text.strip()[:_DIGITS])
        least, most = self.option.least, self.option.most
        if least is not None and found < least:
            raise OptionError(self, Sentence("{value} is less than {bound}", value=found, bound=least))
        if found > most:
            raise OptionError(self, Sentence("{value} is more than {bound}", value=found, bound=most))
        return found


class OptionError(UsageError):
    """A value of an option is wrong.

    Attributes:
        row: the option, so that each interface can name it in its form: ``--sheet``, ``sheet=``, or a label.
        reason: the fault of the value.
    """

    def __init__(self, row: Row, reason: Sentence) -> None:
        self.row, self.reason = row, reason
        super().__init__("{option}: {reason}", option=row.flag, reason=reason)


class UnknownOptionError(UsageError):
    """A word of a command line is not an option or argument.

    Attributes:
        word: the unknown word.
        told: whether the message suggests a replacement.
    """

    def __init__(self, word: str, template: str, *, told: bool = True, **values: str) -> None:
        self.word, self.told = word, told
        super().__init__(template, word=word, **values)


@cache
def rows(options: type[Struct]) -> tuple[Row, ...]:
    """Return the rows of an options class, in the order of its fields."""
    hints = get_type_hints(options, include_extras=True)
    return tuple(_row(field.name, hints[field.name], field.default) for field in fields(options))


def _row(name: str, hint: Any, default: Any) -> Row:
    wanted, option = get_args(hint)
    many = get_origin(wanted) is Sequence
    kinds = [each for each in (*get_args(wanted), wanted) if isinstance(each, type)]
    return Row(name, option, str if str in kinds else kinds[0], many, default)


# --- Commands ---------------------------------------------------------------------------------------------------------


def options_of(command: Command) -> tuple[type[Struct], ...]:
    """Return the options classes of the function of a command, in the order of its parameters.

    Raises:
        UsageError: a rule system of another package declares its options in the form of printkit 0.2.
    """
    try:
        hints = get_type_hints(load(command.call))
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("printkit.console"):
            raise
        package = command.call.partition(":")[0]
        raise UsageError(
            "{package} declares its options in the form of printkit 0.2; declare them as docs/dev/own-rules.md shows",
            package=package,
        ) from None
    return tuple(hint for name, hint in hints.items() if name != "return")


def rows_of(command: Command) -> tuple[Row, ...]:
    """Return the rows of a command, with the defaults and formats of the command."""
    found = {row.name: row for options in options_of(command) for row in rows(options)}
    named = command.takes.split()
    takes = found.keys() - {name[1:] for name in named} if command.takes.startswith("-") else {*(named or found)}
    return tuple(_own(row, command) for row in found.values() if row.name in takes)


def _own(row: Row, command: Command) -> Row:
    if row.name == "to" and command.formats:
        row = row._replace(option=row.option._replace(choices=command.formats))
    if row.name in command.usual:
        row = row._replace(default=command.usual[row.name], option=row.option._replace(usual=""))
    return row


def read_command(command: Command, words: Sequence[str]) -> tuple[Struct, ...]:
    """Parse the words of a command line into the options values for the function of a command.

    A required argument that the command does not accept gets an empty value.

    Raises:
        UsageError: a word is not an option of the command, or a value is missing, wrong or unexpected.
    """
    needed = (row for options in options_of(command) for row in rows(options) if row.required)
    empty = {row.name: () if row.many else "" for row in needed}
    values = {**empty, **command.usual, **read_words(rows_of(command), words)}
    return tuple(_built(options, values) for options in options_of(command))


def _built(options: type[Options], values: Mapping[str, Any]) -> Options:
    return options(**{name: values[name] for name in options.__struct_fields__ if name in values})


# --- The command line -------------------------------------------------------------------------------------------------


def read_words(table: Sequence[Row], words: Sequence[str]) -> dict[str, Any]:
    """Parse words of a command line into values by field name.

    Args:
        table: the rows of the valid options.
        words: the typed words without the command.

    Raises:
        UsageError: a word is not an option of the table, or a value is missing, wrong or unexpected.
    """
    by_flag = {row.flag: row for row in table if not row.option.argument}
    values: dict[str, Any] = {}
    plain: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            # The rest are arguments, even if they begin with a dash.
            plain += rest
            break
        if not word.startswith("-") or word == "-" or _is_negative(word):
            plain.append(word)
            continue
        flag, equals, text = word.partition("=")
        if (row := by_flag.get(flag)) is None:
            raise _unknown(flag, table)
        if row.kind is bool:
            if equals:
                raise OptionError(row, Sentence("takes no value"))
            values[row.name] = True
            continue
        if not equals:
            if not rest:
                raise OptionError(
                    row, Sentence("a value is missing: {option} {value}", option=flag, value=row.option.value)
                )
            text = rest.pop(0)
        found = row.value(text)
        values[row.name] = (*values.get(row.name, ()), found) if row.many else found
    return values | _arguments([row for row in table if row.option.argument], plain)


def _is_negative(word: str) -> bool:
    return "0" <= word[1:2] <= "9"


def _arguments(table: Sequence[Row], plain: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for row in table:
        if row.many:
            values[row.name], plain = tuple(map(row.value, plain)), []
        elif plain:
            values[row.name] = row.value(plain.pop(0))
        if row.required and not values.get(row.name) and not (row.option.empty and row.name in values):
            raise UsageError("{argument} is missing", argument=row.option.value)
    if plain:
        raise UnknownOptionError(plain[0], "unexpected value {word}", told=False)
    return values


def _unknown(flag: str, table: Sequence[Row]) -> UnknownOptionError:
    from printkit.options.gone import GONE

    typed = [row for row in table if not row.option.argument]
    if flag in GONE:
        says = GONE[flag]
        return UnknownOptionError(flag, says)
    meant = next((row.flag for row in typed if flag in row.option.aliases), None)
    if meant is not None:
        return UnknownOptionError(flag, "unknown option {word}; use {meant}", meant=meant)
    from difflib import get_close_matches

    near = get_close_matches(flag, [row.flag for row in typed], 1, 0.75)
    if near:
        return UnknownOptionError(flag, "unknown option {word}; did you mean {meant}?", meant=near[0])
    return UnknownOptionError(flag, "unknown option {word}", told=False)


def words_of(options: Struct) -> Iterator[str]:
    """Yield the words of a command line for an options value, without defaults."""
    for row in rows(type(options)):
        value = getattr(options, row.name)
        if value == row.default:
            continue
        if row.kind is bool:
            yield row.flag
        else:
            yield from (f"{row.flag}={each}" for each in (value if row.many else (value,)))


# --- The Python API ---------------------------------------------------------------------------------------------------


def keywords(options: Callable[P, Options]) -> _Keywords[P, Options]:
    """Return a decorator that replaces the last parameter, an options value, by one keyword for each field.

    The other parameters, at most three, become positional-only. Type checkers and ``help`` see every keyword.
    """
    return _Keywords(options)


class _Keywords(Generic[P, Options]):
    """The decorator from ``keywords``, with a signature for each number of positional parameters."""

    def __init__(self, options: Callable[P, Options]) -> None:
        self._options = cast("type[Options]", options)

    @overload
    def __call__(self, function: Callable[[First, Options], Returned]) -> Callable[Concatenate[First, P], Returned]: ...

    @overload
    def __call__(
        self, function: Callable[[First, Second, Options], Returned]
    ) -> Callable[Concatenate[First, Second, P], Returned]: ...

    @overload
    def __call__(
        self, function: Callable[[First, Second, Third, Options], Returned]
    ) -> Callable[Concatenate[First, Second, Third, P], Returned]: ...

    def __call__(self, function: Callable[..., Returned]) -> Callable[..., Returned]:
        @wraps(function)
        def call(*positional: Any, **given: Any) -> Returned:
            return function(*positional, from_keywords(self._options, **given))

        seen, hints = signature(function), get_type_hints(self._options)
        *first, _ = (each.replace(kind=Parameter.POSITIONAL_ONLY) for each in seen.parameters.values())
        named = (
            Parameter(row.name, Parameter.KEYWORD_ONLY, default=row.default, annotation=hints[row.name])
            for row in rows(self._options)
        )
        call.__dict__["__signature__"] = seen.replace(parameters=(*first, *named))
        return call


def from_keywords(options: type[Options], /, **given: Any) -> Options:
    """Return an options value from keywords; a single text counts as a sequence of one.

    Raises:
        TypeError: a keyword is unknown.
        UsageError: a value has the wrong type or is out of range; the message names the keyword.
    """
    table = {row.name: row for row in rows(options)}
    unknown = [name for name in given if name not in table]
    if unknown:
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}; there are {', '.join(table)}")
    return options(**{name: _given(table[name], value) for name, value in given.items()})


def _given(row: Row, value: Any) -> Any:
    try:
        if value is None and row.default is None:
            return None
        if row.many:
            return tuple(_single(row, each) for each in _several(row, value))
        return _single(row, value)
    except OptionError as error:
        raise UsageError("{option}: {reason}", option=row.name, reason=error.reason) from None


def _several(row: Row, value: Any) -> Sequence[Any]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Sequence):
        raise OptionError(row, Sentence("{value} is neither a text nor a list of texts", value=repr(value)))
    return value


def _single(row: Row, value: Any) -> Any:
    if row.kind is bool:
        if value not in (True, False):
            raise OptionError(row, Sentence("{value} is neither True nor False", value=repr(value)))
        return bool(value)
    if row.kind is str and (isinstance(value, bool) or not isinstance(value, str | int | PurePath)):
        raise OptionError(row, Sentence("{value} is not a text", value=repr(value)))
    return row.value(str(value))
