"""The command ``completion``: scripts that complete commands, options and values in a shell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from printkit.console import terminal
from printkit.console.terminal import translate_help
from printkit.core.errors import UsageError
from printkit.core.resources import resource
from printkit.kit.plugin import Command
from printkit.options.commands import CompletionOptions
from printkit.options.printing import LanguageOptions
from printkit.options.table import Row, command_rows, rows

# The supported shells; each has a template for its script in templates/completion.
SHELLS: Final = ("bash", "zsh", "fish", "powershell")

_PROGRAM: Final = ("--help", "--version", "--lang", "--debug")
_GROUP: Final = ("--help", "--lang")
_SETTINGS: Final = "--set"

# Names of values that are files or folders.
_FILE: Final = re.compile(r"\b(PATH|FILE|FOLDER|RECORD|GAME)\b|\.toml\b")

# The values of an option: empty for any text, None for a file name.
_Values = tuple[str, ...] | None


class CompletedCommand(NamedTuple):
    """The completions of one command.

    Attributes:
        summary: its description of one line.
        words: the commands of a group, or the choices of its arguments.
        files: whether an argument is a file.
        flags: its options.
        values: the values of each option that takes a value.
        rules: the rule system whose settings ``--set`` completes without ``--rules``.
    """

    summary: str
    words: tuple[str, ...]
    files: bool
    flags: tuple[str, ...]
    values: Mapping[str, _Values]
    rules: str


class Completion(NamedTuple):
    """All completions: commands by name (``""`` is the program), and settings by rule system."""

    commands: Mapping[str, CompletedCommand]
    settings: Mapping[str, tuple[str, ...]]


def write_completion(options: CompletionOptions) -> None:
    """Write the completion script of a shell to standard output.

    Raises:
        UsageError: there is no script for this shell.
    """
    if options.shell not in SHELLS:
        raise UsageError("no completion script for {shell}; use {known}", shell=options.shell, known=", ".join(SHELLS))
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    terminal.words(options.lang)
    completion = _completion()
    folder = resource("templates/completion", options.shell).parent
    templates = Environment(
        loader=FileSystemLoader(folder), trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    script = templates.get_template(options.shell).render(
        **completion._asdict(),
        options_by_values=_options_by_values(completion),
        default_rules=_default_rules(completion),
    )
    terminal.show([script.rstrip()])


def _completion() -> Completion:
    """Return the completions of all commands, from the option table."""
    from printkit.cli.app import ABOUT, all_commands
    from printkit.kit import registry

    available = all_commands()
    owners = {name: system for system in registry.names() for name in registry.plugin(system).commands}
    commands = {"": _group_completion("", ABOUT, available, _PROGRAM)}
    for name, command in available.items():
        if command.call:
            commands[name] = _command_completion(command, owners.get(name, registry.DEFAULT))
        else:
            commands[name] = _group_completion(f"{name} ", command.about, available, _GROUP)
    settings = {
        name: tuple(f"{setting.name}=" for setting in registry.find(name).book.settings) for name in registry.names()
    }
    return Completion(commands, settings)


def _group_completion(
    start: str, description: str, available: Mapping[str, Command], flags: tuple[str, ...]
) -> CompletedCommand:
    """Return the completions of a group of commands, or of the program.

    ``start`` is the start of the names of its commands, for example ``npg`` and a space.
    """
    inner = (name.removeprefix(start) for name in available if name.startswith(start))
    words = tuple(name for name in inner if " " not in name)
    values = {row.flag: _values(row) for row in rows(LanguageOptions)}
    return CompletedCommand(_summary_line(description), words, files=False, flags=flags, values=values, rules="")


def _command_completion(command: Command, rules: str) -> CompletedCommand:
    """Return the completions of a command; ``rules`` is the rule system whose settings it takes."""
    table = command_rows(command)
    arguments = [_values(row) for row in table if row.option.argument]
    options = [row for row in table if not row.option.argument]
    return CompletedCommand(
        summary=_summary_line(command.about),
        words=tuple(word for values in arguments for word in values or ()),
        files=None in arguments,
        flags=(*(row.flag for row in options), "--help"),
        values={row.flag: _values(row) for row in options if row.kind is not bool},
        rules=rules,
    )


def _values(row: Row) -> _Values:
    """Return the values that complete an option or argument; None means the name of a file."""
    return None if not row.option.choices and _FILE.search(row.option.value) else row.choices()


def _summary_line(description: str) -> str:
    """Return the first sentence of a description, translated and without a full stop."""
    return translate_help(description).split(". ")[0].rstrip(".")


def _options_by_values(completion: Completion) -> Mapping[_Values, list[str]]:
    """Return the options with a value (such as ``map --style``), grouped by their values; without ``--set``."""
    options: dict[_Values, list[str]] = {}
    for name, command in completion.commands.items():
        for flag, values in command.values.items():
            if flag != _SETTINGS:
                options.setdefault(values, []).append(f"{name} {flag}")
    return options


def _default_rules(completion: Completion) -> Mapping[str, str]:
    """Return the default rule system of each command that takes ``--set``."""
    return {name: command.rules for name, command in completion.commands.items() if _SETTINGS in command.values}
