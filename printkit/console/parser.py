"""The parser of the command line, set up for one run: the command that is called has its options, the others a name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from printkit.console import terminal
from printkit.console.help import command_help, group_help

if TYPE_CHECKING:
    from msgspec import Struct

    from printkit.console.parameters import Parameter
    from printkit.kit.plugin import Command

_PLAIN: Final[dict[str, Any]] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": []},
}
"""The parser says nothing by itself: ``--help`` is ours, and what is wrong is said in the person's language."""

LANGUAGE: Final = ("--lang CODE", "A language as es, or two as en+es [from the locale, else en].")
VERSION: Final = ("--version", "Show the version and stop.")
DEBUG: Final = ("--debug", "Where printkit itself fails, show where the fault lies.")


class _AsTyped:
    """Leaves a value as it was typed: ``parameters`` reads it, and the parser need not load what else would."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value."""
        del param, ctx
        return value


def _as_typed(params: list[Any]) -> list[Any]:
    """Leave values as they were typed, where the parser still lets us; else it checks texts to be texts, slowly."""
    for each in params:
        if getattr(each, "_runtime_param", 0) is None:
            each._runtime_param = _AsTyped()
    return params


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        return _as_typed(super().get_params(ctx))


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return _as_typed(super().get_params(ctx))


def parser_of(commands: Mapping[str, Command], about: str, version: str, words: Sequence[str]) -> typer.Typer:
    """Return the parser of a command line.

    Args:
        commands: by their names; ``npg armies`` belongs to the group ``npg``, which is one of them and calls nothing.
        about: what the program is for, in English.
        version: what ``--version`` says.
        words: what was typed: a command that is not among them needs no options.
    """
    top = {name: command for name, command in commands.items() if " " not in name}
    whole = typer.Typer(name="printkit", cls=_Group, **_PLAIN)
    whole.callback()(_started(version, lambda: group_help("printkit", about, (VERSION, LANGUAGE, DEBUG), top)))
    # Each command that the parser knows takes it a while; where one is typed first, no other can be meant.
    asked = {words[0]: top[words[0]]} if words and words[0] in top else top
    for name, command in asked.items():
        within = {key.removeprefix(f"{name} "): one for key, one in commands.items() if key.startswith(f"{name} ")}
        if within:
            whole.add_typer(_group(name, command.about, within, words), name=name)
        else:
            _add(whole, f"printkit {name}", name, command, words)
    return whole


def _group(name: str, about: str, commands: Mapping[str, Command], words: Sequence[str]) -> typer.Typer:
    group = typer.Typer(name=name, cls=_Group, **_PLAIN)
    path = f"printkit {name}"
    group.callback(invoke_without_command=True)(_entered(lambda: group_help(path, about, (LANGUAGE,), commands)))
    for each, command in commands.items():
        _add(group, f"{path} {each}", each, command, words)
    return group


def _add(group: typer.Typer, path: str, name: str, command: Command, words: Sequence[str]) -> None:
    callback = _called(command, path) if name in words else _unused
    group.command(name, cls=_Command, context_settings=_PLAIN["context_settings"])(callback)


def _unused() -> None:
    """Stand for a command that is not called."""


def options_of(command: Command) -> type[Struct]:
    """Return the structure that a command takes; each of its fields is an option, an argument or a group of them."""
    from printkit.kit.plugin import load

    (options,) = (hint for name, hint in get_type_hints(load(command.call)).items() if name != "return")
    found: type[Struct] = options
    return found


def _called(command: Command, path: str) -> Callable[..., Any]:
    """Return a callback with an option for each field of the structure that a command takes."""
    from printkit.console.parameters import filled, parameters
    from printkit.kit.plugin import load

    function, options = load(command.call), options_of(command)
    known = parameters(options)

    def callback(**typed: Any) -> Any:
        return function(filled(options, typed))

    explained = _help(lambda: command_help(path, command.about, known))
    return _signed(callback, [*map(_parameter, known), _parameter_of("help", bool, explained, default=False)])


def _parameter(parameter: Parameter) -> inspect.Parameter:
    """Return what the parser is told of an option or argument: its flags, and whether it takes a text or several."""
    told = parameter.told
    info = typer.Option(told.flags) if told.flags else typer.Argument(metavar=told.metavar)
    if parameter.kind is bool:
        return _parameter_of(parameter.name, bool, info, default=parameter.default)
    kind: Any = list[str] if parameter.many else str
    if parameter.required:
        return _parameter_of(parameter.name, kind, info, default=inspect.Parameter.empty)
    return _parameter_of(parameter.name, kind | None, info, default=None)


def _parameter_of(name: str, kind: Any, info: Any, *, default: Any) -> inspect.Parameter:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=Annotated[kind, info])


def _signed(callback: Callable[..., Any], known: Iterable[inspect.Parameter]) -> Callable[..., Any]:
    """Return a callback that says to the parser which parameters it takes."""
    signature = inspect.Signature(list(known))
    callback.__signature__ = signature  # type: ignore[attr-defined]
    callback.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()}
    return callback


# --- What every command line may hold ---------------------------------------------------------------------------------


def _help(text: Callable[[], str]) -> Any:
    """Return the option that shows a help, which is set only if it is asked for."""

    def show(wanted: bool) -> None:
        if wanted:
            terminal.show([text()])
            raise typer.Exit

    return typer.Option("--help", "-h", is_eager=True, callback=show)


def _started(version: str, text: Callable[[], str]) -> Callable[..., None]:
    def show(wanted: bool) -> None:
        if wanted:
            terminal.show([f"printkit {version}"])
            raise typer.Exit

    def start(*, lang: str | None = None, **shown: bool) -> None:
        del shown  # Callbacks have shown it.
        terminal.prefer(lang)

    shows_version = typer.Option("--version", is_eager=True, callback=show)
    return _signed(
        start,
        [
            _parameter_of("version", bool, shows_version, default=False),
            _parameter_of("lang", str | None, typer.Option("--lang"), default=None),
            _parameter_of("help", bool, _help(text), default=False),
        ],
    )


def _entered(text: Callable[[], str]) -> Callable[..., None]:
    def enter(*, context: typer.Context, lang: str | None = None, **shown: bool) -> None:
        del shown
        terminal.prefer(lang)
        if context.invoked_subcommand is None:
            terminal.show([text()])

    return _signed(
        enter,
        [
            inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context),
            _parameter_of("lang", str | None, typer.Option("--lang"), default=None),
            _parameter_of("help", bool, _help(text), default=False),
        ],
    )
