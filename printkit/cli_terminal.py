"""The person at the terminal: his language, a fresh seed for him, questions, progress, and what is wrong."""

from __future__ import annotations

import locale
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from printkit.errors import PlacementError, RecordError, ScenarioError, UsageError

if TYPE_CHECKING:
    from printkit.chance.dice import Question
    from printkit.page.printer import Profile
    from printkit.recipes.games import Table

_SEEDS: Final = 999_999


def complain(message: str) -> None:
    """Say what is wrong, in one line."""
    print(f"printkit: {' '.join(message.split())}", file=sys.stderr)


@contextmanager
def naming(path: Path | None) -> Iterator[None]:
    """Name the file in an error about what it says."""
    try:
        yield
    except (RecordError, ScenarioError, PlacementError) as error:
        if path is not None:
            error.args = (f"{path}: {error}",)
        raise


def counted(seeds: range, quiet: bool) -> Iterator[int]:
    """Yield seeds, with a bar where there are several and a person watches."""
    if len(seeds) == 1 or quiet or not sys.stderr.isatty():
        yield from seeds
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(seeds, description="battlefields", console=Console(stderr=True))


def table() -> Table:
    """Return how a person is asked for each throw."""
    from printkit.recipes.games import Table

    def prompt(question: Question) -> str:
        if question.asks:
            print(", ".join(f"{number} {label}" for number, label in enumerate(question.labels, 1)), file=sys.stderr)
        print(
            f"{question.stage}: {question.reason} ({question.asked}; empty: thrown for you) ", end="", file=sys.stderr
        )
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise UsageError("the terminal gave no more answers; --ask needs somebody who types, or give --dice")
        return line

    return Table(prompt=prompt, complain=complain)


def printers() -> Path:
    """Return the folder in which the profiles of the person's printers are kept, by the custom of his system."""
    from platformdirs import user_config_path

    return user_config_path("printkit", appauthor=False) / "printers"


def profile(name: str | None) -> Profile | None:
    """Return the profile of the printer that is asked for, or None."""
    if name is None:
        return None
    from printkit.recipes.printers import find

    return find(name, printers())


def fresh_seed() -> int:
    """Return a seed of chance, short enough to be written down."""
    return 1 + secrets.randbelow(_SEEDS)


def fresh_salt() -> str:
    """Return hexadecimal digits that nobody can guess: 128 bits from the system."""
    return secrets.token_hex(16)


def language() -> str:
    """Return the language of the person's locale if there are words in it, else English."""
    found = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    if not found:
        found = locale.getlocale()[0] or ""
    return "es" if found.lower().startswith(("es", "spanish")) else "en"
