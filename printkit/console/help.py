"""``--help``: what a command or a group of commands may be told, in the language of the person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from printkit.console.terminal import explained, own_lines
from printkit.core.errors import recognised, say
from printkit.kit.plugin import load

if TYPE_CHECKING:
    from printkit.console.parameters import Parameter
    from printkit.kit.plugin import Command

GROUPS: Final = {"make": "To make fields", "play": "To play", "print": "To print", "check": "To check and to know"}
"""Under what the commands of a group stand, in the order of the groups."""

OWN: Final = (
    *("Usage", "Arguments", "Options", "Commands", "Examples", "default", "required", "OPTIONS", "COMMAND", "ARGS"),
    *GROUPS.values(),
)
"""What stands in every help beside the texts of the options."""

HELP: Final = ("-h, --help", "Show this message and exit.")

Row = tuple[str, str]

_WIDEST, _NARROWEST = 80, 50
_FIRST: Final = 30
"""How wide the column of options is at most; a longer one has its explanation below it."""

_NAME: Final = re.compile(r"(?<![\w.-])[A-Z](?:[\w.=,/]*\w)?")


def command_help(path: str, about: str, parameters: Sequence[Parameter]) -> str:
    """Return what a command is for, and its arguments and options.

    Args:
        path: how the command is called: ``printkit map``.
        about: what it does, in English.
        parameters: what it may be told.
    """
    arguments = [each for each in parameters if not each.told.flags]
    options = [each for each in parameters if each.told.flags]
    named = (f"{{{_shown(each)}}}" if each.required else f"[{_shown(each)}]" for each in arguments)
    return "\n".join(
        [
            *_usage(path, " ".join(("[OPTIONS]", *named))),
            *_text(about),
            *_section("Arguments", [(_typed(each), _explained(each)) for each in arguments]),
            *_section("Options", [*((_shown(each), _explained(each)) for each in options), _own_row(HELP)]),
            *_examples(path),
        ]
    )


def _examples(path: str) -> Iterator[str]:
    """Yield command lines that a person may begin with; a command of another package has none."""
    from printkit.core.resources import template

    command = path.removeprefix("printkit ")
    found = template("help", "examples").get(command, ())
    if found:
        yield from ("", f"{explained('Examples')}:", *(f"  printkit {command} {each}".rstrip() for each in found))


def group_help(path: str, about: str, options: Iterable[Row], commands: Mapping[str, Command]) -> str:
    """Return what a group of commands is for, its own options, and its commands with what they do.

    Args:
        path: how the group is called: ``printkit npg``.
        about: what it is for, in English.
        options: its options as they are typed, each with what it is for.
        commands: its commands by their names.
    """
    groups = dict.fromkeys((*GROUPS, *(each.group for each in commands.values())))
    widest = max(map(len, commands))
    listed = (
        _section(
            GROUPS.get(group, "Commands"),
            [(f"{name:{widest}}", _line(one.about)) for name, one in commands.items() if one.group == group],
        )
        for group in groups
    )
    return "\n".join(
        [
            *_usage(path, "[OPTIONS] COMMAND [ARGS]..."),
            *_text(about),
            *(line for section in listed for line in section),
            *_section("Options", [_own_row(row) for row in (*options, HELP)]),
        ]
    )


def _line(about: str) -> str:
    """Return the first sentence of what a command does."""
    return explained(about).split(". ")[0].rstrip(".") + "."


def names(text: str) -> str:
    """Return an option or a usage with the names of its values: ``--set NAME=VALUE`` is ``--set NOMBRE=VALOR``."""
    return _NAME.sub(lambda match: explained(match[0]), text)


def parsed(message: str) -> str:
    """Return what the parser says is wrong in the language of the person; what has no line there stays English."""
    own = own_lines("parser")
    return say(recognised(message.strip().rstrip("."), tuple(own)), own, lambda _name, value: names(value))


def _own_row(row: Row) -> Row:
    return names(row[0]), explained(row[1])


def _shown(parameter: Parameter) -> str:
    """Return how an option or argument is typed: ``--set NAME=VALUE``, ``--grid / --no-grid``."""
    return names(f"{parameter.told.flags.replace('/', ' / ')} {parameter.told.metavar}".strip())


def _typed(parameter: Parameter) -> str:
    """Return the name of an argument, in English with the kind of its value."""
    shown = _shown(parameter)
    kind = "str" if parameter.kind is str else "path"
    return f"{shown} <{kind}>" if shown == parameter.told.metavar else shown


def _explained(parameter: Parameter) -> str:
    """Return what an option or argument is for, and what holds if nobody gives it: ``[default: a4]``."""
    added, text = "; ".join(_added(parameter)), explained(parameter.told.help)
    if parameter.told.names:
        lists = [load(each) for each in parameter.told.names]
        text = text.format(names=", ".join(name for each in lists for name in (each() if callable(each) else each)))
    return text + (f"  [{added}]" if added else "")


def _added(parameter: Parameter) -> Iterator[str]:
    usual = _usual(parameter)
    if usual:
        yield f"{explained('default')}: {usual}"
    if parameter.told.least is not None:
        yield f"x>={parameter.told.least}"
    if parameter.required:
        yield explained("required")


def _usual(parameter: Parameter) -> str:
    """Return the default as it would be typed; nothing where it is to give nothing."""
    if parameter.required or parameter.many or parameter.default is None:
        return ""
    if parameter.kind is not bool:
        return str(parameter.default)
    flag, _, other = parameter.told.flags.partition("/")
    return (flag if parameter.default else other).removeprefix("--") if other else ""


# --- Lines ------------------------------------------------------------------------------------------------------------


def _width() -> int:
    return max(min(get_terminal_size().columns, _WIDEST) - 2, _NARROWEST)


def _usage(path: str, arguments: str) -> list[str]:
    start = f"{explained('Usage')}: {path} "
    return wrap(names(arguments), _width(), initial_indent=start, subsequent_indent=" " * len(start))


def _text(about: str) -> list[str]:
    return ["", *wrap(explained(about), _width(), initial_indent="  ", subsequent_indent="  ")]


def _section(title: str, rows: Sequence[Row]) -> Iterator[str]:
    """Yield rows of two columns under their title."""
    if not rows:
        return
    yield from ("", f"{explained(title)}:")
    first = min(max(len(row[0]) for row in rows), _FIRST) + 2
    for shown, text in rows:
        lines = wrap(text, max(_width() - 2 - first, 10)) or [""]
        if len(shown) > first - 2:
            lines.insert(0, "")
        yield f"  {shown:{first}}{lines[0]}".rstrip()
        yield from (f"  {'':{first}}{line}" for line in lines[1:])
