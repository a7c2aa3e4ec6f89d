"""Commands that are set up when they are needed: one is run of many, and nobody waits for the options of the others.

The parser would also load a library of validation to turn texts into texts. Options here are texts, whole numbers,
paths and flags, and are read without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from printkit.console.help import Formatter, shortened
from printkit.console.terminal import showable

Function = TypeVar("Function", bound=Callable[..., Any])

_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII)


class Commands(typer.Typer):
    """A group of commands, each of which reads the options of its function only when it is run or explained."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=_PlainGroup, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """Take a function into the group, as ``typer.Typer.command`` does."""

        def take(function: Function) -> Function:
            def explained() -> None:
                """Stand for the function until its options are needed; the group only shows what it does."""

            explained.__doc__ = function.__doc__
            super(Commands, self).command(name, cls=_late(function), **settings)(explained)
            return function

        return take


class _PlainGroup(TyperGroup):
    """A group whose own flags are read plainly."""

    plain: tuple[Any, ...] = ()

    def get_params(self, ctx: Any) -> list[Any]:
        self.plain = self.plain or tuple(map(_plain, super().get_params(ctx)))
        return list(self.plain)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, Formatter(formatter))  # type: ignore[arg-type]

    def get_help(self, ctx: Any) -> str:
        # The parser would write UTF-8 on a terminal of ASCII.
        return showable(super().get_help(ctx))

    def get_short_help_str(self, limit: int = 45) -> str:
        return shortened(self.help, limit) or super().get_short_help_str(limit)


def _late(function: Callable[..., Any]) -> type[TyperCommand]:
    """Return the class of a command that takes its options from a function when they are first asked for."""

    class Late(TyperCommand):
        plain: tuple[Any, ...] = ()

        def get_params(self, ctx: Any) -> list[Any]:
            if not self.plain:
                alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
                alone.command(self.name)(function)
                whole = typer.main.get_command(alone)
                self.params, self.callback = whole.params, whole.callback
                self.plain = tuple(map(_plain, super().get_params(ctx)))
            return list(self.plain)

        def format_help(self, ctx: Any, formatter: Any) -> None:
            super().format_help(ctx, Formatter(formatter))  # type: ignore[arg-type]

        def get_help(self, ctx: Any) -> str:
            return showable(super().get_help(ctx))

        def get_short_help_str(self, limit: int = 45) -> str:
            return shortened(self.help, limit) or super().get_short_help_str(limit)

    return Late


class _Plain:
    """Reads the value of one option or argument in the place of the parser's validation."""

    type_descriptor: Any
    min: float | None
    max: float | None

    def get_runtime_param(self) -> Any:
        return self

    def coerce(self, value: Any, param: Any, ctx: typer.Context) -> Any:
        """Return the value as its function wants it; None where there is none, and () where there may be several.

        Raises:
            typer.BadParameter: a text that is no whole number, or a number beyond the range of the option.
        """
        if param.multiple or param.nargs == -1:
            return tuple(value or ())
        wanted = self.type_descriptor.annotation
        if value is None or isinstance(value, wanted):
            return value
        if wanted is Path:
            return Path(value)
        if not _WHOLE.fullmatch(value.strip()):
            raise typer.BadParameter(f"{value!r} is no whole number", ctx=ctx, param=param)
        number = int(value)
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            bound = f"less than {self.min}" if self.min is not None and number < self.min else f"more than {self.max}"
            raise typer.BadParameter(f"{number} is {bound}", ctx=ctx, param=param)
        return number


class _PlainOption(_Plain, TyperOption):
    pass


class _PlainArgument(_Plain, TyperArgument):
    pass


def _plain(param: Any) -> Any:
    """Return an option or argument that is read plainly; as it is where its type is another, or the parser older."""
    wanted = getattr(getattr(param, "type_descriptor", None), "annotation", None)
    if wanted not in (bool, str, int, Path, list[str]):
        return param
    kind = _PlainOption if isinstance(param, TyperOption) else _PlainArgument
    plain = kind.__new__(kind)
    plain.__dict__.update(param.__dict__)
    return plain
