"""The command ``completion``: scripts that complete commands, options and values in a shell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from printkit.console import terminal
from printkit.console.terminal import translate_help
from printkit.core.errors import UsageError
from printkit.kit.plugin import Command
from printkit.options.commands import CompletionOptions
from printkit.options.printing import LanguageOptions
from printkit.options.table import Row, command_rows, rows

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
    terminal.words(options.lang)
    terminal.show(SHELLS[options.shell](_completion()))


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


# --- Shells -----------------------------------------------------------------------------------------------------------


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


def _bash_script(completion: Completion) -> Iterator[str]:
    """Yield the lines of the completion script for bash."""
    yield from ("_printkit_settings() {", '  case "$1" in')
    yield from (f'    {rules}) echo "{" ".join(names)}";;' for rules, names in completion.settings.items())
    yield from ("  esac", "}", "_printkit() {")
    yield '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"'
    yield '  local at="" rules="" words="" joined="=" i'
    # Bash splits --style=ink into three words.
    yield '  if [ "$cur" = "=" ]; then cur=""'
    yield '  elif [ "$prev" = "=" ]; then prev="${COMP_WORDS[COMP_CWORD-2]}"'
    yield '  else joined=""; fi'
    yield "  for ((i = 1; i < COMP_CWORD; i++)); do"
    yield '    case "${at:+$at }${COMP_WORDS[i]}" in'
    yield f'      {_patterns(name for name in completion.commands if name)}) at="${{at:+$at }}${{COMP_WORDS[i]}}";;'
    yield '      *" --rules") rules="${COMP_WORDS[i+1]}"; [ "$rules" != "=" ] || rules="${COMP_WORDS[i+2]}";;'
    yield '      *" --rules="*) rules="${COMP_WORDS[i]#--rules=}";;'
    yield from ("    esac", "  done", '  case "$at $prev" in')
    for values, options in _options_by_values(completion).items():
        if values is None:
            offers = "return"
        elif values:
            offers = f'words="{" ".join(values)}"'
        else:
            offers = "compopt +o default 2>/dev/null; return"
        yield f"    {_patterns(options)}) {offers};;"
    for rules in completion.settings:
        if takers := [name for name, owner in _default_rules(completion).items() if owner == rules]:
            yield f"    {_patterns(f'{name} {_SETTINGS}' for name in takers)})"
            yield f'      words="$(_printkit_settings "${{rules:-{rules}}}")"; compopt -o nospace 2>/dev/null;;'
    yield from ('    *) [ -z "$joined" ] || return', '      case "$at" in')
    for name, command in completion.commands.items():
        flags, words = " ".join(command.flags), " ".join(command.words)
        yield f'        "{name}") words="{flags}"'
        if command.files:
            yield '          [[ "$cur" == -* ]] || return;;'
        elif words:
            yield f'          [[ "$cur" == -* ]] || words="{words}";;'
        else:
            yield "          ;;"
    yield from ("      esac;;", "  esac", '  COMPREPLY=($(compgen -W "$words" -- "$cur"))', "}")
    yield "complete -o default -F _printkit printkit"


def _patterns(names: Iterable[str]) -> str:
    """Return names as quoted patterns of a ``case`` in bash."""
    return "|".join(f'"{name}"' for name in names)


def _zsh_script(completion: Completion) -> Iterator[str]:
    """Yield the lines of the completion script for zsh, which uses the bash script."""
    yield "autoload -U +X compinit bashcompinit && compinit && bashcompinit"
    yield from _bash_script(completion)


def _fish_script(completion: Completion) -> Iterator[str]:
    """Yield the lines of the completion script for fish."""
    yield from ("function __printkit_settings", "  set -l rules $argv[1]")
    yield r"  set -l typed (string replace -rf '.*--rules[= ]+(\S+).*' '$1' -- (commandline -cp))"
    yield from ("  set -q typed[1]; and set rules $typed[1]", "  switch $rules")
    for rules, names in completion.settings.items():
        yield from (f"    case {rules}", f"      printf '%s\\n' {' '.join(names)}")
    yield from ("  end", "end", "complete -c printkit -f")
    for name, command in completion.commands.items():
        conditions = [f"__fish_seen_subcommand_from {word}" for word in name.split()]
        if name and (inner := [inner_name for inner_name in completion.commands if inner_name.startswith(f"{name} ")]):
            conditions.append(
                f"not __fish_seen_subcommand_from {' '.join(inner_name.split()[-1] for inner_name in inner)}"
            )
        start = f"complete -c printkit -n '{'; and '.join(conditions) or '__fish_use_subcommand'}'"
        for word in command.words:
            inner_command = completion.commands.get(f"{name} {word}".strip())
            yield f"{start} -a '{word}'" + (f" -d {_fish_text(inner_command.summary)}" if inner_command else "")
        if command.files:
            yield f"{start} -F"
        for flag in command.flags:
            option = f"{start} -l '{flag.removeprefix('--')}'"
            values = command.values.get(flag, ())
            if flag == _SETTINGS:
                yield f"{option} -xa '(__printkit_settings {command.rules})'"
            elif values is None:
                yield f"{option} -rF"
            elif values:
                yield f"{option} -xa '{' '.join(values)}'"
            else:
                yield option + (" -x" if flag in command.values else "")


def _fish_text(text: str) -> str:
    """Return a text in single quotes for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _powershell_script(completion: Completion) -> Iterator[str]:
    """Yield the lines of the completion script for PowerShell."""
    yield "Register-ArgumentCompleter -Native -CommandName printkit -ScriptBlock {"
    yield "  param($cur, $ast, $cursor)"
    # A single space is never offered, so PowerShell completes file names.
    words = {name: (" ",) if command.files else command.words for name, command in completion.commands.items()}
    yield from _powershell_table("words", words)
    yield from _powershell_table("flags", {name: command.flags for name, command in completion.commands.items()})
    values = {option: values or () for values, options in _options_by_values(completion).items() for option in options}
    yield from _powershell_table("values", values)
    yield from _powershell_table("settings", completion.settings)
    yield from _powershell_table("takers", {name: (rules,) for name, rules in _default_rules(completion).items()})
    yield '  $at = ""; $rules = ""; $last = ""'
    yield "  foreach ($element in $ast.CommandElements | Select-Object -Skip 1) {"
    yield "    if ($element.Extent.EndOffset -ge $cursor) { break }"
    yield '    $word = "$element"'
    yield '    if ($words.ContainsKey("$at $word".Trim())) { $at = "$at $word".Trim() }'
    yield '    if ($last -eq "--rules") { $rules = $word }'
    yield '    if ($word -like "--rules=*") { $rules = $word.Substring(8) }'
    yield from ("    $last = $word", "  }")
    yield f'  if ($last -eq "{_SETTINGS}" -and $takers.ContainsKey($at)) {{'
    yield "    if (-not $rules) { $rules = $takers[$at] }"
    yield '    $offered = "$($settings[$rules])"'
    yield '  } elseif ($values.ContainsKey("$at $last")) { $offered = $values["$at $last"] }'
    yield '  elseif ($cur -like "-*" -or -not $words[$at]) { $offered = $flags[$at] }'
    yield "  else { $offered = $words[$at] }"
    yield '  $offered.Split(" ") | Where-Object { $_ -and $_.StartsWith($cur) } | ForEach-Object {'
    yield "    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)"
    yield from ("  }", "}")


def _powershell_table(name: str, table: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a table in PowerShell: ``name`` is its variable, each value a text of words."""
    yield f"  ${name} = @{{"
    yield from (f"    '{key}' = '{' '.join(values)}'" for key, values in table.items())
    yield "  }"


# The supported shells, each with the function that writes its script.
SHELLS: Final[Mapping[str, Callable[[Completion], Iterator[str]]]] = {
    "bash": _bash_script,
    "zsh": _zsh_script,
    "fish": _fish_script,
    "powershell": _powershell_script,
}
