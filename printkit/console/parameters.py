"""What a command may be told, as a value: a structure whose fields are options, arguments, or groups of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from printkit.core.errors import Sentence, UsageError

Options = TypeVar("Options", bound=Struct)

_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII)

# The greatest number that an option takes, for example a count of battlefields or cards.
MOST: Final = 100_000

# Digits of a number that are read: more than any bound has.
_DIGITS: Final = 100


class Opt(NamedTuple):
    """How a field is typed, and what it is for.

    Attributes:
        flags: of an option; ``--one/--other`` where there is one for either of yes and no, empty for an argument.
        metavar: the name of its value; empty where the flag says all.
        help: what it is for, in English.
        least: the least number that is allowed.
        most: the greatest number that is allowed.
        names: tables as ``module:name``, or functions that return names, which stand for ``{names}`` in the help;
            loaded for that alone.
    """

    flags: str
    metavar: str
    help: str
    least: int | None = None
    names: tuple[str, ...] = ()
    most: int = MOST


def flag(flags: str, text: str) -> Opt:
    """Return an option that is there or is not."""
    return Opt(flags, "", text)


def argument(metavar: str, text: str) -> Opt:
    """Return a value that is typed without an option before it."""
    return Opt("", metavar, text)


class Parameter(NamedTuple):
    """A field that a person fills from the command line.

    Attributes:
        name: of the field.
        told: how it is written and what it is for.
        kind: ``str``, ``int``, ``Path`` or ``bool``.
        many: it may be given several times.
        default: what it is where nothing is given; ``NODEFAULT`` where something has to be.
    """

    name: str
    told: Opt
    kind: type
    many: bool
    default: Any

    @property
    def required(self) -> bool:
        """Return whether a command does not run without it."""
        return self.default is NODEFAULT

    def value(self, given: Any) -> Any:
        """Return what was typed as the field wants it, and its default where nothing was.

        Raises:
            UsageError: a number is wanted, and it is none, too small or too great; or a text has a zero byte.
        """
        if given is None or (self.many and not given):
            return self.default
        if any("\0" in str(each) for each in (given if self.many else (given,))):
            raise self._wrong(Sentence("a text cannot have a zero byte"))
        if self.many:
            return tuple(given)
        return self._number(given) if self.kind is int else self.kind(given)

    def _number(self, text: str) -> int:
        if not _WHOLE.fullmatch(text.strip()):
            raise self._wrong(Sentence("{value} is no whole number", value=repr(text)))
        # Python refuses to read thousands of digits.
        number = int(text.strip()[:_DIGITS])
        if self.told.least is not None and number < self.told.least:
            raise self._wrong(Sentence("{value} is less than {bound}", value=number, bound=self.told.least))
        if number > self.told.most:
            raise self._wrong(Sentence("{value} is more than {bound}", value=number, bound=self.told.most))
        return number

    def _wrong(self, reason: Sentence) -> UsageError:
        where = repr(self.told.flags or self.told.metavar)
        fault = Sentence("Invalid value for {where}: {reason}", where=where, reason=reason)
        return UsageError("{fault}; see printkit --help", fault=fault)


def parameters(options: type[Struct]) -> tuple[Parameter, ...]:
    """Return what a person may fill in of a structure, in its order, the fields of a group where the group stands."""
    return _parameters(options)


def filled(options: type[Options], given: Mapping[str, Any]) -> Options:
    """Return a structure with what was typed, texts by the names of its fields and of those of its groups.

    Raises:
        UsageError: a value is not of its field's kind.
    """
    own = {each.name: each for each in _parameters(options, deep=False)}
    groups = _groups(options)
    values = {name: own[name].value(given.get(name)) for name in own}
    return options(**values, **{name: filled(group, given) for name, group in groups.items()})


def made_of(kind: type[Options], *groups: Struct) -> Options:
    """Return a structure of a kind with every field that one of the groups has under the same name."""
    names = {field.name for field in fields(kind)}
    found = {name: getattr(each, name) for each in groups for name in each.__struct_fields__ if name in names}
    return kind(**found)


@cache
def _parameters(options: type[Struct], *, deep: bool = True) -> tuple[Parameter, ...]:
    hints, groups = get_type_hints(options, include_extras=True), _groups(options)
    found: list[Parameter] = []
    for field in fields(options):
        if field.name in groups:
            if deep:
                found += _parameters(groups[field.name])
            continue
        wanted, told = get_args(hints[field.name])
        many = get_origin(wanted) is tuple
        kind = next(each for each in (*get_args(wanted), wanted) if isinstance(each, type))
        found.append(Parameter(field.name, told, kind, many, field.default))
    return tuple(found)


@cache
def _groups(options: type[Struct]) -> Mapping[str, type[Struct]]:
    """Return the fields that are groups of options; names of types are looked up once, for each takes long."""
    return {
        name: hint
        for name, hint in get_type_hints(options).items()
        if isinstance(hint, type) and issubclass(hint, Struct)
    }
