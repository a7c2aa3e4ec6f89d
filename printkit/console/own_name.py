"""The command by which the user started printkit, for the commands that messages and help print."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import Final

PROGRAM: Final = "printkit"

# How the program was started, and a function that returns the names of all commands.
_STARTED: Final[ContextVar[tuple[str, Callable[[], Iterable[str]]] | None]] = ContextVar("started", default=None)


def set_own_name(typed: str, commands: Callable[[], Iterable[str]]) -> None:
    """Let messages print commands as the user has to type them; ``typed`` is ``sys.argv[0]``."""
    _STARTED.set((typed, commands))


def find_own_name(typed: str) -> str:
    """Return how to start this program from the current folder, quoted for the shell.

    ``printkit`` if the shell finds this program under that name, ``python -m printkit`` if it was started so, otherwise
    its path, relative if it is below the current folder.
    """
    program = Path(typed)
    if typed == program.name != "__main__.py":
        # Without a folder the shell has found it, and finds it again.
        return typed
    from shutil import which

    if program.name == "__main__.py":
        found = which("python")
        # The Python of an environment is a link to another one, so the links are not followed.
        is_found = found is not None and Path(found).parent == Path(sys.executable).parent
        return f"{'python' if is_found else _quote_program(Path(sys.executable))} -m {PROGRAM}"
    found = which(PROGRAM)
    if found and Path(found).resolve().with_suffix("") == program.resolve().with_suffix(""):
        return PROGRAM
    return _quote_program(program)


def _quote_program(program: Path) -> str:
    """Return the path of a program for the shell, relative if it is below the current folder."""
    path = Path(os.path.abspath(program))
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    # The shell does not look for a bare name in the current folder.
    text = str(path) if len(path.parts) > 1 else os.path.join(os.curdir, path)
    if os.name == "nt":
        return f'"{text}"' if " " in text else text
    from shlex import quote

    return quote(text)


def use_own_name(text: str) -> str:
    """Return a text whose printkit commands start with the own name of the program."""
    started = _STARTED.get()
    if started is None or f"{PROGRAM} " not in text:
        return text
    typed, commands = started
    own_name = find_own_name(typed)
    if own_name == PROGRAM:
        return text
    names = "|".join(sorted({name.split()[0] for name in commands()}))
    pattern = rf"(?<![\w./-]){PROGRAM}(?= (?:--\w|[A-Z]{{3,}}\b|(?:{names})\b))"
    return re.sub(pattern, lambda _: own_name, text)
