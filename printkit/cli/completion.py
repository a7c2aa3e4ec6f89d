"""The command that writes what a shell needs to complete commands, options and values of printkit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Final

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.parameters import argument, parameters
from printkit.console.terminal import explained
from printkit.core.errors import UsageError

_OWN: Final = ("--help", "--version", "--lang", "--debug")
"""Options of the program itself."""


class CompletionOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit completion``."""

    shell: Annotated[str, argument("SHELL", "bash, zsh or fish.")]
    lang: options.Language = None


def completion(asked: CompletionOptions) -> None:
    """Write the script of a shell to standard output.

    Raises:
        UsageError: there is none for that shell.
    """
    from printkit.cli.app import all_commands

    if asked.shell not in _SHELLS:
        raise UsageError("no completion for {shell}; there are {known}", shell=asked.shell, known=", ".join(_SHELLS))
    terminal.words(asked.lang)
    abouts = {name: explained(command.about) for name, command in all_commands().items()}
    terminal.show(_SHELLS[asked.shell](abouts))


def _flags(name: str) -> tuple[str, ...]:
    """Return the options of a command as they are typed."""
    from printkit.cli.app import all_commands
    from printkit.console.parser import options_of

    command = all_commands()[name]
    if not command.call:
        return ("--help", "--lang")
    known = parameters(options_of(command))
    return (*(flag for each in known if each.told.flags for flag in each.told.flags.split("/")), "--help")


def _values() -> Mapping[str, tuple[str, ...]]:
    """Return the values of options that have few, by the option."""
    from printkit.core.resources import names
    from printkit.core.words import languages_known
    from printkit.drawing.dressing.country import DressingLevel
    from printkit.drawing.furniture.furniture import Furniture
    from printkit.export.writers import PAGES, RECORDS
    from printkit.kit import registry
    from printkit.recipes.prints.map_key import KeyKind

    return {
        "--rules": tuple(registry.names()),
        "--style": tuple(names("templates/styles", ".toml")),
        "--lang": tuple(languages_known()),
        "--to": (*PAGES, *RECORDS),
        "--dressing": tuple(DressingLevel),
        "--furniture": tuple(Furniture),
        "--key": tuple(KeyKind),
    }


def _bash(abouts: Mapping[str, str]) -> Iterator[str]:
    """Yield a script for bash: words of a command line, and files where there are none."""
    groups: dict[str, list[str]] = {}
    for name in abouts:
        group, _, inner = name.partition(" ")
        groups.setdefault(group, [])
        if inner:
            groups[group].append(inner)
    yield "_printkit() {"
    yield '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""'
    yield '  case "$prev" in'
    for option, values in _values().items():
        yield f'    {option}) COMPREPLY=($(compgen -W "{" ".join(values)}" -- "$cur")); return;;'
    yield "  esac"
    yield '  if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f'    words="{" ".join((*groups, *_OWN))}"'
    yield "  else"
    yield '    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in'
    for name in sorted(abouts, key=lambda each: -each.count(" ")):
        group, _, inner = name.partition(" ")
        more = groups[group] if not inner else []
        yield (
            f'      "{name}"*) words="{" ".join((*more, *_flags(name)))}";;'
            if inner
            else (f'      "{group} "*) words="{" ".join((*more, *_flags(name)))}";;')
        )
    yield "    esac"
    yield "  fi"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$cur"))'
    yield "}"
    yield "complete -o default -F _printkit printkit"


def _zsh(abouts: Mapping[str, str]) -> Iterator[str]:
    """Yield the script for zsh, which reads that of bash."""
    yield "autoload -U +X bashcompinit && bashcompinit"
    yield from _bash(abouts)


def _fish(abouts: Mapping[str, str]) -> Iterator[str]:
    """Yield a script for fish, where each command has its line beside it."""
    for name, about in abouts.items():
        group, _, inner = name.partition(" ")
        line = about.split(". ")[0].rstrip(".").replace("'", "\\'")
        where = f"__fish_seen_subcommand_from {group}" if inner else "__fish_use_subcommand"
        yield f"complete -c printkit -n '{where}' -a '{inner or group}' -d '{line}'"
    values = _values()
    for name in abouts:
        where = f"__fish_seen_subcommand_from {name.split()[-1]}"
        for flag in _flags(name):
            known = f" -xa '{' '.join(values[flag])}'" if flag in values else ""
            yield f"complete -c printkit -n '{where}' -l '{flag.removeprefix('--')}'{known}"


_SHELLS: Final[Mapping[str, Callable[[Mapping[str, str]], Iterator[str]]]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
