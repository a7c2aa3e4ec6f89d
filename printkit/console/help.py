"""``--help`` in the language of the person: every text of it is looked up by its English as it is written out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from textwrap import shorten
from typing import Any, Final

from printkit.console.terminal import explained

PARSERS_OWN: Final = (
    "Usage",
    "Arguments",
    "Options",
    "Commands",
    "Show this message and exit.",
    "default",
    "required",
    "OPTIONS",
    "COMMAND",
    "ARGS",
)
"""What the parser adds to the texts of ours."""

_NAME: Final = re.compile(r"(?<![\w.-])[A-Z](?:[\w.=,/]*\w)?")
_TYPE: Final = re.compile(r" <\w+>$")
_ADDED: Final = re.compile(r"(?s)(.*?)(?:(?:^|  )\[(default: .*|required|x[<>]=.*)\])?")


class Formatter:
    """A formatter of the parser, to which all that is written is written in the language of the person.

    Args:
        formatter: the one that sets the lines.
    """

    def __init__(self, formatter: Any) -> None:
        self._formatter = formatter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._formatter, name)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        self._formatter.write_usage(prog, names(args), f"{explained('Usage')}: " if prefix is None else prefix)

    def write_text(self, text: str) -> None:
        """Write what a command does."""
        self._formatter.write_text(explained(text))

    def section(self, name: str) -> AbstractContextManager[None]:
        """Write a heading, below which everything is indented."""
        section: AbstractContextManager[None] = self._formatter.section(explained(name))
        return section

    def write_dl(self, rows: Sequence[tuple[str, str]], *layout: int) -> None:
        """Write options, arguments or commands, each with what it is for."""
        self._formatter.write_dl([(names(first), _said(second)) for first, second in rows], *layout)


def shortened(text: str | None, limit: int) -> str | None:
    """Return what a command does, cut to the length of its line in a list; None where its English is said."""
    if not text or (own := explained(text)) == text:
        return None
    return shorten(own, limit, placeholder="...")


def names(text: str) -> str:
    """Return an option or a usage with the names of its values: ``--set KEY=VALUE`` is ``--set CLAVE=VALOR``."""
    said = _NAME.sub(lambda match: explained(match[0]), text)
    return text if said == text else _TYPE.sub("", said)


def _said(text: str) -> str:
    """Return what an option is for, and what the parser adds: ``[default: a4; x>=1]``."""
    match = _ADDED.fullmatch(text)
    if match is None or match[2] is None:
        return explained(text)
    added = "; ".join(map(_added, match[2].split("; ")))
    return f"{explained(match[1])}  [{added}]"


def _added(text: str) -> str:
    word, colon, value = text.partition(": ")
    return f"{explained(word)}{colon}{value}"
