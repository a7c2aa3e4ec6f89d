"""``--help``: the commands and options in groups, in the language of the user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from printkit.console.terminal import explained

if TYPE_CHECKING:
    from printkit.kit.plugin import Command
    from printkit.options.table import Row

# The titles of command groups, by ``Command.group``. Commands without a group are not listed.
COMMANDS: Final = {
    "make": "Make and print",
    "play": "Play",
    "own": "Your terrain, your club",
    "look": "Look and check",
}

# The group of the commands that program help lists in one line.
MORE: Final = "more"

# The titles of option groups, by ``Option.group``.
OPTIONS: Final = {
    "field": "Which battlefield",
    "paper": "Paper and size",
    "look": "Look",
    "files": "Files",
    "batch": "Several at once",
    "other": "For other programs",
}

# Commands with more options than this have a short help.
SHORT: Final = 12

# All texts of the help except the texts of commands and options.
WORDS: Final = (
    *(
        "Usage",
        "Arguments",
        "Options",
        "Commands",
        "Examples",
        "required",
        "OPTIONS",
        "COMMAND",
        "ARGUMENTS",
        "more",
        "More",
    ),
    *("show this help", "All {count} options: {command} --help-all"),
    *COMMANDS.values(),
    *OPTIONS.values(),
)

HELP_FLAGS: Final = ("-h", "--help")
HELP_ALL: Final = "--help-all"

_Line = tuple[str, str]

# Line widths in characters.
_WIDEST, _NARROWEST = 80, 50

# The widest column of options in characters. The text of a longer option starts on the next line.
_FIRST: Final = 30

_NAME: Final = re.compile(r"(?<![\w.-])[A-Z](?:[\w.=,/|]*\w)?")


def command_help(path: str, about: str, table: Sequence[Row], *, everything: bool = False) -> str:
    """Return the help of a command, with its arguments and options.

    Args:
        path: the command as typed: ``printkit map``.
        about: the description, in English.
        table: the rows of the arguments and options.
        everything: whether to list options that the short help leaves out.
    """
    arguments = [row for row in table if row.option.argument]
    options = [row for row in table if not row.option.argument]
    named = (row.flag if row.required else f"[{row.flag}]" for row in arguments)
    first = [row for row in options if row.option.first] if len(options) > SHORT else options
    lines = [*_usage(path, " ".join(("[OPTIONS]", *named))), *_text(about)]
    lines += _section("Arguments", [(typed_row(row), _explained(row)) for row in arguments])
    if everything and len(options) > SHORT:
        for group, title in OPTIONS.items():
            lines += _section(
                title, [(typed_row(row), _explained(row)) for row in options if row.option.group == group]
            )
    else:
        lines += _section("", [*((typed_row(row), _explained(row)) for row in first)])
    lines += _examples(path)
    if len(first) < len(options) and not everything:
        told = explained("All {count} options: {command} --help-all")
        lines += ["", told.format(count=len(options), command=path)]
    return "\n".join(lines)


def _examples(path: str) -> Iterator[str]:
    """Yield example command lines; commands of other packages do not have examples."""
    from printkit.core.resources import template

    command = path.removeprefix("printkit ")
    found = template("help", "examples").get(command, ())
    if found:
        yield from ("", f"{explained('Examples')}:", *(f"  printkit {command} {each}".rstrip() for each in found))


def program_help(about: str, commands: Mapping[str, Command]) -> str:
    """Return the help of the program, with its commands in groups."""
    lines = [*_usage("printkit", "COMMAND [OPTIONS]"), *_text(about)]
    listed = {name: command for name, command in commands.items() if " " not in name}
    widest = max(map(len, listed))
    lines.append("")
    others = {command.group for command in listed.values()} - {*COMMANDS, MORE, ""}
    for group, title in {**COMMANDS, **dict.fromkeys(sorted(others), "Commands")}.items():
        rows = [(name, _line(one.about)) for name, one in listed.items() if one.group == group]
        if group == [*COMMANDS][-1]:
            rows.append((explained("more"), ", ".join(name for name, one in listed.items() if one.group == MORE)))
        lines += [*_section(title, [(f"{name:{widest}}", text) for name, text in rows])][1:]
    options = f"{explained('Options')}: --lang {names('CODE')}, --version, --debug, --help"
    return "\n".join([*lines, "", options, f"{explained('More')}: printkit {names('COMMAND')} --help"])


def group_help(path: str, about: str, commands: Mapping[str, Command]) -> str:
    """Return the help of a group of commands.

    Args:
        path: the group as typed: ``printkit npg``.
        about: the description, in English.
        commands: its commands by name.
    """
    lines = [*_usage(path, "COMMAND [OPTIONS]"), *_text(about)]
    lines += _section("Commands", [(name, _line(one.about)) for name, one in commands.items()])
    return "\n".join([*lines, "", f"{explained('More')}: {path} {names('COMMAND')} --help"])


def _line(about: str) -> str:
    """Return the first sentence of a description, in the language of the user."""
    return explained(about).split(". ")[0].rstrip(".") + "."


def names(text: str) -> str:
    """Translate the names of values in an option or usage: ``--set NAME=VALUE`` to ``--set NOMBRE=VALOR``."""
    return _NAME.sub(lambda match: explained(match[0]), text)


def typed_row(row: Row) -> str:
    """Return an option or argument as it is typed: ``--set NAME=VALUE``."""
    return names(row.flag if row.option.argument else f"{row.flag} {row.option.value}".rstrip())


def _explained(row: Row) -> str:
    """Return the help text of an option or argument, with its default: ``[a4]``."""
    text, usual = explained(row.option.help), usual_value(row)
    if row.option.choices:
        text = text.format(names=", ".join(row.choices()))
    return text + (f"  [{usual}]" if usual else "")


def usual_value(row: Row) -> str:
    """Return the default value as typed, or the description of the default."""
    if row.required or row.kind is bool or row.default in (None, "", ()):
        return explained(row.option.usual)
    return ", ".join(row.default) if row.is_repeatable else str(row.default)


def _width() -> int:
    return max(min(get_terminal_size().columns, _WIDEST) - 2, _NARROWEST)


def _usage(path: str, arguments: str) -> list[str]:
    start = f"{explained('Usage')}: {path} "
    return wrap(names(arguments), _width(), initial_indent=start, subsequent_indent=" " * len(start))


def _text(about: str) -> list[str]:
    return ["", *wrap(explained(about), _width(), initial_indent="  ", subsequent_indent="  ")]


def _section(title: str, rows: Sequence[_Line]) -> Iterator[str]:
    """Yield the lines of a title and its rows in two columns."""
    if not rows:
        return
    yield from ("", f"{explained(title)}:") if title else ("",)
    first = min(max(len(row[0]) for row in rows), _FIRST) + 2
    for shown, text in rows:
        lines = wrap(text, max(_width() - 2 - first, 10), break_on_hyphens=False) or [""]
        if len(shown) > first - 2:
            lines.insert(0, "")
        yield f"  {shown:{first}}{lines[0]}".rstrip()
        yield from (f"  {'':{first}}{line}" for line in lines[1:])
