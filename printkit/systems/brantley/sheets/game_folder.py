"""The folder of a dealt game: the closed game, and what is kept beside it while it is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from printkit.core.errors import PrintkitError, RecordError, ScenarioError
from printkit.core.paths import exists, is_folder
from printkit.export.placing import replacing
from printkit.recipes.game.request import read_text
from printkit.systems.brantley.dealing.numbers import read_numbers, write_numbers
from printkit.systems.brantley.dealing.reveal_note import RevealNote, read_note, write_note

CLOSED: Final = "closed-game.json"
"""The name of the closed game in the folder of its deal."""

PLACEMENTS: Final = "placements.txt"
"""The name of the file beside a closed game in which the turns are kept, one a line."""

NUMBERS: Final = "numbers.txt"
"""The name of the file beside a closed game in which the numbers of the players are kept, one a line."""

REVEALED: Final = "revealed.json"
"""The name of the note beside a closed game that says with what it was revealed."""

_NAMED: Final = 5
"""So many games of a folder are named where one is to be chosen."""


def closed_file(path: Path) -> Path:
    """Return the file of a closed game that a person names by itself, by its folder, or by one that holds that alone.

    Raises:
        ScenarioError: the folder holds several games.
    """
    if not is_folder(path) or exists(path / CLOSED):
        return path / CLOSED if is_folder(path) else path
    found = sorted(path.glob(f"*/{CLOSED}"))
    if len(found) > 1:
        names = ", ".join(file.parent.name for file in found[:_NAMED])
        raise ScenarioError(
            "{path} contains {count} games, {names}; give the folder of one", path=path, count=len(found), names=names
        )
    return found[0] if found else path / CLOSED


def kept_turns(path: Path, *, asked_for: bool) -> str:
    """Return the text of a file of turns; one that is not there yet is empty, unless a person asked for it.

    Raises:
        ScenarioError: it cannot be read.
    """
    return read_text(path) if asked_for or exists(path) else ""


def keep_turns(path: Path, text: str) -> None:
    """Write a file of turns, whole or not at all.

    Raises:
        PageError: the folder cannot be written to.
    """
    _keep(path, text)


def kept_numbers(closed: Path) -> dict[str, int]:
    """Return the numbers that players have added to the closed game of a file.

    Raises:
        ScenarioError: their file cannot be read, or a line is no number; names the file.
    """
    path = closed.with_name(NUMBERS)
    if not exists(path):
        return {}
    text = read_text(path)
    try:
        return read_numbers(text)
    except ScenarioError as error:
        raise ScenarioError("{path}: {error}", path=path, error=error) from None


def keep_numbers(closed: Path, numbers: Mapping[str, int]) -> None:
    """Write the numbers of the players beside the closed game of a file, for its owner's eyes.

    Raises:
        PageError: the folder cannot be written to.
    """
    _keep(closed.with_name(NUMBERS), write_numbers(numbers))


def kept_note(closed: Path) -> RevealNote | None:
    """Return the note of the reveal of the closed game of a file; None before that.

    Raises:
        ScenarioError: it cannot be read.
        RecordError: it is none; names the file.
    """
    path = closed.with_name(REVEALED)
    if not exists(path):
        return None
    text = read_text(path)
    try:
        return read_note(text)
    except RecordError as error:
        raise RecordError("{path}: {error}", path=path, error=error) from None


@contextmanager
def keeping_note(closed: Path, note: RevealNote) -> Iterator[None]:
    """Write the note of a reveal beside a closed game, before what is revealed is put down elsewhere.

    Where that cannot be put down, the note goes again, for nothing was revealed.

    Raises:
        PageError: the folder cannot be written to.
    """
    path = closed.with_name(REVEALED)
    _keep(path, write_note(note))
    try:
        yield
    except PrintkitError:
        path.unlink(missing_ok=True)
        raise


def _keep(path: Path, text: str) -> None:
    with replacing(path, private=True) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
