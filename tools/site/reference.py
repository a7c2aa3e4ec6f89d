"""The reference of the site: every command with its options, from the option table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from printkit.cli.app import all_commands
from printkit.console.help import OPTIONS, typed_row, usual_value
from printkit.kit.plugin import Command
from printkit.options.table import Row, rows_of

COMMAND_PAGE: Final = "reference/commands.md"
OPTION_PAGE: Final = "reference/options.md"


def command_page() -> str:
    """Return the page that lists each command, and under it each of its options."""
    lines = ["# Commands", "", "`printkit COMMAND --help` says the same at the terminal.", ""]
    for name, command in all_commands().items():
        if command.call:
            lines += _command(name, command)
    return "\n".join(lines) + "\n"


def _command(name: str, command: Command) -> Iterator[str]:
    table = rows_of(command)
    yield from (f"## {name}", "", command.about, "")
    yield from _table([row for row in table if row.option.argument], "argument")
    options = [row for row in table if not row.option.argument]
    for group, title in OPTIONS.items():
        yield from _table([row for row in options if row.option.group == group], title)


def _table(table: Sequence[Row], title: str) -> Iterator[str]:
    if table:
        yield from (f"| {title} | what it is for | usual |", "| --- | --- | --- |")
        for row in table:
            choices = ", ".join(row.choices()).replace("|", "\\|")
            text = row.option.help.replace("{names}", choices).replace("|", "\\|")
            yield f"| `{typed_row(row)}` | {text} | {usual_value(row)} |".replace("||", "\\|")
        yield ""


def option_page() -> str:
    """Return the page that lists each option once, with the commands that have it."""
    found: dict[str, list[str]] = {}
    for name, command in all_commands().items():
        for row in rows_of(command) if command.call else ():
            if not row.option.argument:
                found.setdefault(row.flag, []).append(name)
    lines = ["# Options", "", "An option has the same meaning in every command that has it.", ""]
    lines += ["| option | commands |", "| --- | --- |"]
    lines += [f"| `{flag}` | {', '.join(names)} |" for flag, names in sorted(found.items())]
    return "\n".join(lines) + "\n"
