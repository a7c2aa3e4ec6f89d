"""The option table: options of the commands, the Python API and the forms of the studio.

An options class is a frozen ``msgspec.Struct`` whose fields are plain data: text, numbers, truth values and sequences
of texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from pathlib import PurePath
from types import FunctionType
from typing import (
    TYPE_CHECKING,
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

if TYPE_CHECKING:
    from printkit.core.words import Words

Options = TypeVar("Options", bound=Struct)
P = ParamSpec("P")
First = TypeVar("First")
Second = TypeVar("Second")
Third = TypeVar("Third")
Returned = TypeVar("Returned")

_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII)

# The default upper limit of numbers, for example of a count of battlefields or cards.
MAX_NUMBER: Final = 100_000

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
        usual: the default in words, if it is not a fixed value: "a new one".
        least: the least valid number.
        most: the greatest valid number.
        empty: whether a required argument may be an empty text.
        hidden: whether it is for programs only, so that no help lists it.
        title: its title in forms, which is also the key of its translations; empty if no form has it.
    """

    value: str
    help: str
    group: str = "field"
    first: bool = False
    flag: str = ""
    argument: bool = False
    choices: tuple[str, ...] = ()
    usual: str = ""
    least: int | None = None
    most: int = MAX_NUMBER
    empty: bool = False
    hidden: bool = False
    title: str = ""


class Row(NamedTuple):
    """An option with the field that declares it.

    Attributes:
        name: the name of the field.
        option: the declaration.
        kind: ``str``, ``int`` or ``bool``.
        is_repeatable: whether it is repeatable.
        default: its default value; ``NODEFAULT`` if it is required.
    """

    name: str
    option: Option
    kind: type
    is_repeatable: bool
    default: Any

    @property
    def flag(self) -> str:
        """Return the flag to type, or the name of the value for an argument."""
        if self.option.argument:
            return self.option.value
        return self.option.flag or "--" + self.name.strip("_").replace("_", "-")

    @property
    def required(self) -> bool:
        """Return whether the option must be given, because it has no default."""
        return self.default is NODEFAULT

    def title_in(self, words: Words) -> str:
        """Return its title in forms."""
        from printkit.core.words import phrases

        return phrases(words.code, "help").get(self.option.title, self.option.title)

    def describe(self, translate: Callable[[str], str]) -> str:
        """Return its help with its default: ``[a4]``; ``translate`` translates a text of the table."""
        text, usual = translate(self.option.help), self.describe_default(translate)
        if self.option.choices:
            text = text.format(names=", ".join(self.choices()))
        return text + (f"  [{usual}]" if usual else "")

    def describe_default(self, translate: Callable[[str], str]) -> str:
        """Return the default value as typed, or the description of the default."""
        if self.required or self.kind is bool or self.default in (None, "", ()):
            return translate(self.option.usual)
        return ", ".join(self.default) if self.is_repeatable else str(self.default)

    def choices(self) -> tuple[str, ...]:
        """Return the valid names; empty if any text is valid."""
        sources = (load(source) for source in self.option.choices)
        return tuple(name for source in sources for name in (source() if isinstance(source, FunctionType) else source))

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
        number = int(text.strip()[:_DIGITS])
        minimum, maximum = self.option.least, self.option.most
        if minimum is not None and number < minimum:
            raise OptionError(self, Sentence("{value} is less than {bound}", value=number, bound=minimum))
        if number > maximum:
            raise OptionError(self, Sentence("{value} is more than {bound}", value=number, bound=maximum))
        return number


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

    def __init__(self, word: str, template: str, *, has_suggestion: bool = True, **values: str) -> None:
        self.word, self.told = word, has_suggestion
        super().__init__(template, word=word, **values)


@cache
def rows(options: type[Struct]) -> tuple[Row, ...]:
    """Return the rows of an options class, in the order of its fields."""
    hints = get_type_hints(options, include_extras=True)
    return tuple(_build_row(field.name, hints[field.name], field.default) for field in fields(options))


def _build_row(name: str, hint: Any, default: Any) -> Row:
    """Return the row of a field; ``hint`` is its annotated type with an ``Option``."""
    value_type, option = get_args(hint)
    is_repeatable = get_origin(value_type) is Sequence
    kinds = [candidate for candidate in (*get_args(value_type), value_type) if isinstance(candidate, type)]
    return Row(name, option, str if str in kinds else kinds[0], is_repeatable, default)


def find_row(name: str, *options: type[Struct]) -> Row:
    """Return the row of an option by the name of its field, from the first class that has it."""
    return next(row for option_class in options for row in rows(option_class) if row.name == name)


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


def command_rows(command: Command, *, with_hidden: bool = False) -> tuple[Row, ...]:
    """Return the rows of a command, with the defaults and formats of the command.

    ``command.takes`` selects rows by field name, or leaves them out after a minus sign; all rows if it is empty.
    ``with_hidden`` is whether options that no help lists are included.
    """
    all_rows = {row.name: row for options in options_of(command) for row in rows(options)}
    field_names = command.takes.split()
    accepted_names = (
        all_rows.keys() - {name[1:] for name in field_names}
        if command.takes.startswith("-")
        else {*(field_names or all_rows)}
    )
    return tuple(
        _apply_command(row, command)
        for row in all_rows.values()
        if row.name in accepted_names and (with_hidden or not row.option.hidden)
    )


def _apply_command(row: Row, command: Command) -> Row:
    """Return a row with the formats and the default that the command sets, if any."""
    if row.name == "to" and command.formats:
        row = row._replace(option=row.option._replace(choices=command.formats))
    if row.name in command.usual:
        row = row._replace(default=command.usual[row.name], option=row.option._replace(usual=""))
    return row


def read_command(
    command: Command, words: Sequence[str], saved_paper: Callable[[], str] = lambda: ""
) -> tuple[Struct, ...]:
    """Parse the words of a command line into the options values for the function of a command.

    A required argument that the command does not accept gets an empty value. ``saved_paper`` returns the paper for a
    command line that does not name one, or an empty text for the default.

    Raises:
        UsageError: a word is not an option of the command, or a value is missing, wrong or unexpected.
    """
    required_rows = (row for options in options_of(command) for row in rows(options) if row.required)
    empty_values = {row.name: () if row.is_repeatable else "" for row in required_rows}
    table = command_rows(command, with_hidden=True)
    values = {**empty_values, **command.usual, **parse_words(table, words)}
    if "sheet" not in values and any(row.name == "sheet" for row in table) and (sheet := saved_paper()):
        values["sheet"] = sheet
    return tuple(
        options(**{name: values[name] for name in options.__struct_fields__ if name in values})
        for options in options_of(command)
    )


# --- The command line -------------------------------------------------------------------------------------------------


def parse_words(table: Sequence[Row], words: Sequence[str]) -> dict[str, Any]:
    """Parse words of a command line into values by field name.

    Args:
        table: the rows of the valid options.
        words: the typed words without the command.

    Raises:
        UsageError: a word is not an option of the table, or a value is missing, wrong or unexpected.
    """
    by_flag = {row.flag: row for row in table if not row.option.argument}
    values: dict[str, Any] = {}
    arguments: list[str] = []
    remaining = list(words)
    while remaining:
        word = remaining.pop(0)
        if word == "--":
            # The rest are arguments, even if they begin with a dash.
            arguments += remaining
            break
        is_negative_number = word.startswith("-") and "0" <= word[1:2] <= "9"
        if not word.startswith("-") or word == "-" or is_negative_number:
            arguments.append(word)
            continue
        flag, equals, text = word.partition("=")
        if (row := by_flag.get(flag)) is None:
            raise _build_unknown_error(flag, table)
        if row.kind is bool:
            if equals:
                raise OptionError(row, Sentence("takes no value"))
            values[row.name] = True
            continue
        if not equals:
            if not remaining or remaining[0].partition("=")[0] in by_flag:
                raise OptionError(
                    row, Sentence("a value is missing: {option} {argument}", option=flag, argument=row.option.value)
                )
            text = remaining.pop(0)
        value = row.value(text)
        values[row.name] = (*values.get(row.name, ()), value) if row.is_repeatable else value
    return values | _parse_arguments([row for row in table if row.option.argument], arguments)


def _parse_arguments(table: Sequence[Row], arguments: list[str]) -> dict[str, Any]:
    """Return the values of positional arguments by field name.

    A repeatable argument takes all that remain, as a tuple.

    Raises:
        UsageError: an argument is missing, wrong or unexpected.
    """
    values: dict[str, Any] = {}
    for row in table:
        if row.is_repeatable:
            values[row.name], arguments = tuple(map(row.value, arguments)), []
        elif arguments:
            values[row.name] = row.value(arguments.pop(0))
        if row.required and not values.get(row.name) and not (row.option.empty and row.name in values):
            raise UsageError("{argument} is missing", argument=row.option.value)
    if arguments:
        raise UnknownOptionError(arguments[0], "unexpected value {word}", has_suggestion=False)
    return values


def _build_unknown_error(flag: str, table: Sequence[Row]) -> UnknownOptionError:
    """Return the error for an unknown flag, with the replacement of a removed flag, or a similar flag of ``table``."""
    from printkit.options.removed import GONE

    flag_rows = [row for row in table if not row.option.argument]
    if flag in GONE:
        template = GONE[flag]
        return UnknownOptionError(flag, template)
    from difflib import get_close_matches

    close_flags = get_close_matches(flag, [row.flag for row in flag_rows], 1, 0.75)
    if close_flags:
        return UnknownOptionError(flag, "unknown option {word}; did you mean {meant}?", meant=close_flags[0])
    return UnknownOptionError(flag, "unknown option {word}", has_suggestion=False)


def format_words(options: Struct) -> Iterator[str]:
    """Yield the words of a command line for an options value, in the order of its fields, without defaults.

    A bool gives ``--flag``; any other value gives ``--flag=value``, a repeatable option once for each value.
    """
    for row in rows(type(options)):
        value = getattr(options, row.name)
        if value == row.default:
            continue
        if row.kind is bool:
            yield row.flag
        else:
            yield from (f"{row.flag}={item}" for item in (value if row.is_repeatable else (value,)))


# --- The Python API ---------------------------------------------------------------------------------------------------


def keywords(options: Callable[P, Options]) -> _Keywords[P, Options]:
    """Return a decorator that replaces the last parameter, an options value, by a keyword for each field.

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
        def call(*positional: Any, **keyword_values: Any) -> Returned:
            return function(*positional, from_keywords(self._options, **keyword_values))

        function_signature, hints = signature(function), get_type_hints(self._options)
        *first, _ = (
            parameter.replace(kind=Parameter.POSITIONAL_ONLY) for parameter in function_signature.parameters.values()
        )
        keyword_parameters = (
            Parameter(row.name, Parameter.KEYWORD_ONLY, default=row.default, annotation=hints[row.name])
            for row in rows(self._options)
        )
        call.__dict__["__signature__"] = function_signature.replace(parameters=(*first, *keyword_parameters))
        return call


def from_keywords(options: type[Options], /, **keyword_values: Any) -> Options:
    """Return an options value from keywords; a single text counts as a sequence of one.

    Raises:
        TypeError: a keyword is unknown.
        UsageError: a value has the wrong type or is out of range; the message names the keyword.
    """
    table = {row.name: row for row in rows(options)}
    unknown = [name for name in keyword_values if name not in table]
    if unknown:
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}; there are {', '.join(table)}")
    return options(**{name: _parse_keyword(table[name], value) for name, value in keyword_values.items()})


def _parse_keyword(row: Row, value: Any) -> Any:
    """Return the value of a keyword of the Python API, in the type of its option.

    Raises:
        UsageError: the value has the wrong type or is out of range.
    """
    try:
        if value is None and row.default is None:
            return None
        if row.is_repeatable:
            return tuple(_parse_single(row, item) for item in _as_sequence(row, value))
        return _parse_single(row, value)
    except OptionError as error:
        raise UsageError("{option}: {reason}", option=row.name, reason=error.reason) from None


def _as_sequence(row: Row, value: Any) -> Sequence[Any]:
    """Return a list of values; a single text becomes a list of one.

    Raises:
        OptionError: the value is neither a text nor a list.
    """
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Sequence):
        raise OptionError(row, Sentence("{value} is neither a text nor a list of texts", value=repr(value)))
    return value


def _parse_single(row: Row, value: Any) -> Any:
    """Return one value of a keyword as a bool, a number or a text, as its option requires.

    Raises:
        OptionError: the value has the wrong type or is out of range.
    """
    if row.kind is bool:
        if value not in (True, False):
            raise OptionError(row, Sentence("{value} is neither True nor False", value=repr(value)))
        return bool(value)
    if row.kind is str and (isinstance(value, bool) or not isinstance(value, str | int | PurePath)):
        raise OptionError(row, Sentence("{value} is not a text", value=repr(value)))
    return row.value(str(value))
