"""``--help``: the commands and options in groups, in the language of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from printkit.console.terminal import translate_help, translate_names

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

# The group of the commands of other packages.
OTHERS: Final = "others"

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

# The commands of the first screen, each with its text.
FIRST_SCREEN: Final = {
    "studio": "everything in your browser: the easy way",
    "play": "six questions, then it prints what you need",
    "map": "one DBA battlefield, 24 inches, 13 sheets of A4",
    "handouts": "everything for a game night",
    "hexon": "a plan of Hexon tiles",
    "npg": "play DBA alone, against a non-player general",
    "deal": "a secret deal for two players",
    "--help": "all commands",
    "map --help": "one command",
}

# All texts of the help except the texts of commands and options.
WORDS: Final = (
    *("Usage", "Arguments", "Options", "Commands", "required", "OPTIONS", "COMMAND", "ARGUMENTS", "more", "More"),
    *("From other packages", "show this help", "All {count} options: {command} --help-all"),
    *COMMANDS.values(),
    *OPTIONS.values(),
    *FIRST_SCREEN.values(),
)

HELP_FLAGS: Final = ("-h", "--help")
HELP_ALL: Final = "--help-all"

_Line = tuple[str, str]

# Line widths in characters.
_WIDEST, _NARROWEST = 80, 50

# The widest column of options in characters. The text of a longer option starts on the next line.
_FIRST: Final = 30


def command_help(path: str, description: str, table: Sequence[Row], *, everything: bool = False) -> str:
    """Return the help of a command, with its arguments and options.

    Args:
        path: the command as typed: ``printkit map``.
        description: the description, in English.
        table: the rows of the arguments and options.
        everything: whether to list options that the short help leaves out.
    """
    arguments = [row for row in table if row.option.argument]
    options = [row for row in table if not row.option.argument]
    argument_names = (row.flag if row.required else f"[{row.flag}]" for row in arguments)
    first = [row for row in options if row.option.first] if len(options) > SHORT else options
    is_short = len(first) < len(options) and not everything
    text = _first_sentence(description) if is_short else translate_help(description)
    lines = [*_usage_lines(path, " ".join(("[OPTIONS]", *argument_names))), *_wrap_text(text)]
    lines += _section_lines("Arguments", [(typed_row(row), row.describe(translate_help)) for row in arguments])
    if everything and len(options) > SHORT:
        for group, title in OPTIONS.items():
            lines += _section_lines(
                title, [(typed_row(row), row.describe(translate_help)) for row in options if row.option.group == group]
            )
    else:
        lines += _section_lines("", [*((typed_row(row), row.describe(translate_help)) for row in first)])
    lines += _examples(path)
    if is_short:
        hint = translate_help("All {count} options: {command} --help-all")
        lines += ["", hint.format(count=len(options), command=path)]
    return "\n".join(lines)


def _examples(path: str) -> Iterator[str]:
    """Yield the lines with example commands; commands of other packages do not have examples.

    ``path`` is the name of the command, with or without ``printkit``.
    """
    from printkit.core.resources import template

    command = path.removeprefix("printkit ")
    if examples := template("help", "examples").get(command, ()):
        yield ""
        yield from (f"  printkit {command} {example}".rstrip() for example in examples)


def first_screen(description: str) -> str:
    """Return what printkit shows without a command: the ways to begin.

    ``description`` is that of the program, in English.
    """
    width = max(map(len, FIRST_SCREEN)) + 2
    rows = [f"  printkit {command:{width}}{translate_help(text)}" for command, text in FIRST_SCREEN.items()]
    return "\n".join([*wrap(translate_help(description), _line_width()), "", *rows[:-2], "", *rows[-2:]])


def program_help(commands: Mapping[str, Command]) -> str:
    """Return the help of the program, with its commands in groups.

    Only commands without a space in their name are listed; those of the group of minor commands share a line.
    """
    lines = _usage_lines("printkit", "COMMAND [OPTIONS]")
    top_commands = {name: command for name, command in commands.items() if " " not in name}
    widest = max(map(len, top_commands))
    lines.append("")
    for group, title in {**COMMANDS, OTHERS: "From other packages"}.items():
        rows = [(name, _first_sentence(entry.about)) for name, entry in top_commands.items() if entry.group == group]
        if group == [*COMMANDS][-1]:
            rows.append(
                (translate_help("more"), ", ".join(name for name, entry in top_commands.items() if entry.group == MORE))
            )
        lines += [*_section_lines(title, [(f"{name:{widest}}", text) for name, text in rows])][1:]
    options = f"{translate_help('Options')}: --lang {translate_names('CODE')}, --version, --help"
    more = f"{translate_help('More')}: printkit {translate_names('COMMAND')} --help"
    return "\n".join([*lines, "", f"{options}   {more}"])


def group_help(path: str, description: str, commands: Mapping[str, Command]) -> str:
    """Return the help of a group of commands.

    Args:
        path: the group as typed: ``printkit npg``.
        description: the description, in English.
        commands: its commands by name.
    """
    lines = [*_usage_lines(path, "COMMAND [OPTIONS]"), *_wrap_text(translate_help(description))]
    lines += _section_lines("Commands", [(name, _first_sentence(command.about)) for name, command in commands.items()])
    return "\n".join([*lines, "", f"{translate_help('More')}: {path} {translate_names('COMMAND')} --help"])


def _first_sentence(description: str) -> str:
    """Return the first sentence of a description, in the language of the user."""
    return translate_help(description).split(". ")[0].rstrip(".") + "."


def typed_row(row: Row) -> str:
    """Return an option or argument as it is typed: ``--set NAME=VALUE``."""
    return translate_names(row.flag if row.option.argument else f"{row.flag} {row.option.value}".rstrip())


def _line_width() -> int:
    """Return the number of characters per line for the help, by the width of the terminal: 50 to 78."""
    return max(min(get_terminal_size().columns, _WIDEST) - 2, _NARROWEST)


def _usage_lines(path: str, arguments: str) -> list[str]:
    """Return the lines that show how to type a command: ``Usage: printkit map [OPTIONS]``.

    ``path`` is the command as typed (``printkit map``), ``arguments`` the rest, in English. Long lines are wrapped.
    """
    start = f"{translate_help('Usage')}: {path} "
    return wrap(translate_names(arguments), _line_width(), initial_indent=start, subsequent_indent=" " * len(start))


def _wrap_text(text: str) -> list[str]:
    """Return a text in indented lines."""
    return wrap(text, _line_width(), initial_indent="  ", subsequent_indent="  ")


def _section_lines(title: str, rows: Sequence[_Line]) -> Iterator[str]:
    """Yield the lines of a title and its rows in two columns; nothing without rows."""
    if not rows:
        return
    yield from ("", f"{translate_help(title)}:") if title else ("",)
    first = min(max(len(row[0]) for row in rows), _FIRST) + 2
    for left, text in rows:
        lines = wrap(text, max(_line_width() - 2 - first, 10), break_on_hyphens=False) or [""]
        if len(left) > first - 2:
            lines.insert(0, "")
        yield f"  {left:{first}}{lines[0]}".rstrip()
        yield from (f"  {'':{first}}{line}" for line in lines[1:])
