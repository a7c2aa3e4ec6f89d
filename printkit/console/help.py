"""``--help``: what the program and each command can be told, in groups and in the language of the person."""

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

COMMANDS: Final = {
    "make": "Make and print",
    "play": "Play",
    "own": "Your terrain, your club",
    "look": "Look and check",
}
"""The titles of the commands of the program, by ``Command.group``; a command without a group is in no list."""

MORE: Final = "more"
"""The group of commands that the list names in one line."""

OPTIONS: Final = {
    "field": "Which battlefield",
    "paper": "Paper and size",
    "look": "Look",
    "files": "Files",
    "batch": "Several at once",
    "other": "For other programs",
}
"""The titles of options, by ``Option.group``."""

SHORT: Final = 12
"""So many options at most are in the short help of a command."""

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
"""What stands in every help besides the texts of the options."""

HELP_FLAGS: Final = ("-h", "--help")
HELP_ALL: Final = "--help-all"

_Line = tuple[str, str]

_WIDEST, _NARROWEST = 80, 50
_FIRST: Final = 30
"""How wide the column of options is at most; a longer one has its explanation below it."""

_NAME: Final = re.compile(r"(?<![\w.-])[A-Z](?:[\w.=,/|]*\w)?")


def command_help(path: str, about: str, table: Sequence[Row], *, everything: bool = False) -> str:
    """Return what a command is for, with its arguments and options.

    Args:
        path: how the command is called: ``printkit map``.
        about: what it does, in English.
        table: what it can be told.
        everything: whether options are in it that the short help leaves out.
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
    """Yield command lines that a person may begin with; a command of another package has none."""
    from printkit.core.resources import template

    command = path.removeprefix("printkit ")
    found = template("help", "examples").get(command, ())
    if found:
        yield from ("", f"{explained('Examples')}:", *(f"  printkit {command} {each}".rstrip() for each in found))


def program_help(about: str, commands: Mapping[str, Command]) -> str:
    """Return what printkit is for, and its commands in groups."""
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
    """Return what a group of commands is for, and its commands.

    Args:
        path: how the group is called: ``printkit npg``.
        about: what it is for, in English.
        commands: its commands by their names.
    """
    lines = [*_usage(path, "COMMAND [OPTIONS]"), *_text(about)]
    lines += _section("Commands", [(name, _line(one.about)) for name, one in commands.items()])
    return "\n".join([*lines, "", f"{explained('More')}: {path} {names('COMMAND')} --help"])


def _line(about: str) -> str:
    """Return the first sentence of what a command does."""
    return explained(about).split(". ")[0].rstrip(".") + "."


def names(text: str) -> str:
    """Return an option or a usage with the names of its values: ``--set NAME=VALUE`` is ``--set NOMBRE=VALOR``."""
    return _NAME.sub(lambda match: explained(match[0]), text)


def typed_row(row: Row) -> str:
    """Return how an option or argument is typed: ``--set NAME=VALUE``."""
    return names(row.flag if row.option.argument else f"{row.flag} {row.option.value}".rstrip())


def _explained(row: Row) -> str:
    """Return what an option or argument is for, and what holds if nobody gives it: ``[a4]``."""
    text, usual = explained(row.option.help), usual_value(row)
    if row.option.choices:
        text = text.format(names=", ".join(row.choices()))
    return text + (f"  [{usual}]" if usual else "")


def usual_value(row: Row) -> str:
    """Return the default as it would be typed, or what holds where nothing is given."""
    if row.required or row.kind is bool or row.default in (None, "", ()):
        return explained(row.option.usual)
    return ", ".join(row.default) if row.many else str(row.default)


def _width() -> int:
    return max(min(get_terminal_size().columns, _WIDEST) - 2, _NARROWEST)


def _usage(path: str, arguments: str) -> list[str]:
    start = f"{explained('Usage')}: {path} "
    return wrap(names(arguments), _width(), initial_indent=start, subsequent_indent=" " * len(start))


def _text(about: str) -> list[str]:
    return ["", *wrap(explained(about), _width(), initial_indent="  ", subsequent_indent="  ")]


def _section(title: str, rows: Sequence[_Line]) -> Iterator[str]:
    """Yield rows of two columns under their title."""
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
