"""The reference of the site: commands, options and settings, from the option table and the rule books."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from printkit.cli.app import all_commands
from printkit.console.help import OPTIONS, typed_row
from printkit.console.terminal import translate_help
from printkit.core.words import find_words
from printkit.kit import registry
from printkit.kit.plugin import Command
from printkit.options.table import Row, command_rows

COMMAND_PAGE: Final = "reference/commands.md"
_TABLE: Final = re.compile(r"<!-- table (\w+) -->")


def command_page() -> str:
    """Return the page that lists each command, and under it each of its options."""
    lines = ["# Commands", "", "`printkit COMMAND --help` says the same at the terminal.", ""]
    for name, command in all_commands().items():
        if command.call:
            lines += _command(name, command)
    return "\n".join(lines) + "\n"


def _command(name: str, command: Command) -> Iterator[str]:
    table = command_rows(command)
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
            yield f"| `{typed_row(row)}` | {text} | {row.describe_default(translate_help)} |".replace("||", "\\|")
        yield ""


def option_table() -> str:
    """Return the table of all options, each with the commands that have it."""
    found: dict[str, list[str]] = {}
    for name, command in all_commands().items():
        for row in command_rows(command) if command.call else ():
            if not row.option.argument:
                found.setdefault(row.flag, []).append(name)
    rows = (f"| `{flag}` | {', '.join(names)} |" for flag, names in sorted(found.items()))
    return "\n".join(("| option | commands |", "| --- | --- |", *rows))


def setting_table() -> str:
    """Return the table of all rule systems, each with its settings and a link to its page."""
    lines = ["| rule system | `--rules` | settings |", "| --- | --- | --- |"]
    for name in registry.NAMES:
        book = registry.find(name).book
        settings = ", ".join(f"`{setting.name}`" for setting in book.settings)
        lines.append(f"| [{book.title_in(find_words('en'))}](../rules/{name}.md) | `{name}` | {settings} |")
    return "\n".join(lines)


TABLES: Final[Mapping[str, Callable[[], str]]] = {"options": option_table, "settings": setting_table}


def fill_tables(text: str) -> str:
    """Return a page with a table in place of each comment that names one."""
    return _TABLE.sub(lambda found: TABLES[found[1]](), text)
