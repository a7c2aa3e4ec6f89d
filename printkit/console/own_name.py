"""How the user has to type printkit, for the commands in messages and help."""

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
_START: Final[ContextVar[tuple[str, Callable[[], Iterable[str]]] | None]] = ContextVar("start", default=None)


def set_own_name(program: str, commands: Callable[[], Iterable[str]]) -> None:
    """Let messages print commands as the user has to type them; ``program`` is ``sys.argv[0]``."""
    _START.set((program, commands))


def find_own_name(program: str) -> str:
    """Return how to start this program from the current folder, quoted for the shell.

    ``printkit`` if the shell finds this program under that name, ``python -m printkit`` if it was started so, otherwise
    its path, relative if it is below the current folder.
    """
    path = Path(program)
    if program == path.name != "__main__.py":
        # Without a folder the shell has found it, and finds it again.
        return program
    from shutil import which

    if path.name == "__main__.py":
        python = which("python")
        # The Python of an environment is a link to another one, so the links are not followed.
        is_found = python is not None and Path(python).parent == Path(sys.executable).parent
        return f"{'python' if is_found else _quote_program(Path(sys.executable))} -m {PROGRAM}"
    script = which(PROGRAM)
    if script and Path(script).resolve().with_suffix("") == path.resolve().with_suffix(""):
        return PROGRAM
    return _quote_program(path)


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
    """Return a text in which commands of printkit start as the user has to type them."""
    start = _START.get()
    if start is None or f"{PROGRAM} " not in text:
        return text
    program, commands = start
    own_name = find_own_name(program)
    if own_name == PROGRAM:
        return text
    names = "|".join(sorted({name.split()[0] for name in commands()}))
    pattern = rf"(?<![\w./-]){PROGRAM}(?= (?:--\w|[A-Z]{{3,}}\b|(?:{names})\b))"
    return re.sub(pattern, lambda _: own_name, text)
