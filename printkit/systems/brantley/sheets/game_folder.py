"""The folder of a sealed game: the sealed game itself, and the files next to it during play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

from printkit.core.errors import PrintkitError, ScenarioError
from printkit.core.paths import exists, is_file, is_folder
from printkit.export.placing import replace_file
from printkit.kit.rules import TITLE_KEY
from printkit.options.printing import FOLDER
from printkit.recipes.game.request import read_text
from printkit.recipes.prints.file_names import slug
from printkit.systems.brantley.dealing.closed_game import ClosedGame
from printkit.systems.brantley.dealing.numbers import read_numbers, write_numbers
from printkit.systems.brantley.dealing.reveal_note import RevealNote, read_note, write_note

# File name of the sealed game in the folder of its deal.
SEALED_GAME_NAME: Final = "closed-game.json"

# File name of the turns next to a sealed game, one per line.
PLACEMENTS: Final = "placements.txt"

# File name of the players' numbers next to a sealed game, one per line.
NUMBERS: Final = "numbers.txt"

# File name of the note of the reveal next to a sealed game.
REVEALED: Final = "revealed.json"

# How many games an error message lists.
_LISTED_GAMES: Final = 5


def name_deal(out: Path, game: ClosedGame) -> Path:
    """Return the folder for the sheets of a deal in ``out``: ``deal-jorub-lijom``, or named after its title.

    A folder with another deal, or without one, is never used; the name then ends in ``-2``, ``-3`` and so on.
    """
    name = slug(game.settings.get(TITLE_KEY, "")) or f"deal-{game.seal.game}"
    folders = (out / (name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(folder for folder in folders if not exists(folder) or _has_deal(folder, game))


def _has_deal(folder: Path, game: ClosedGame) -> bool:
    """Return whether a folder has the sheets of a deal; its commitment identifies it."""
    path = folder / SEALED_GAME_NAME
    return is_file(path) and game.commitment in read_text(path)


def find_game_file(text: str) -> Path:
    """Return the file of a sealed game, given as the file, its folder, a folder with only that game, or by its name.

    A part of the name of its folder is enough; the folder is looked up in the folder ``output``.

    Raises:
        ScenarioError: there is no such game, or there are several.
    """
    path, part = Path(text), ""
    if is_folder(path) and exists(path / SEALED_GAME_NAME):
        return path / SEALED_GAME_NAME
    if not is_folder(path):
        if exists(path) or path.suffix or len(path.parts) != 1:
            return path
        path, part = FOLDER, text
    games = {file.parent.name: file for file in sorted(path.glob(f"*/{SEALED_GAME_NAME}"))}
    matches = [part] if part in games else [name for name in games if part in name]
    if len(matches) == 1:
        return games[matches[0]]
    if not games:
        raise ScenarioError("{path} contains no sealed game; printkit deal makes one", path=path)
    names = ", ".join((matches or list(games))[:_LISTED_GAMES])
    raise ScenarioError("name one of the sealed games in {path}: {names}", path=path, names=names)


def read_saved_turns(path: Path, *, is_required: bool) -> str:
    """Return the text of a file of turns; empty if it is missing and not required.

    Raises:
        ScenarioError: the file cannot be read.
    """
    return read_text(path) if is_required or exists(path) else ""


def write_turns(path: Path, text: str) -> None:
    """Write a file of turns in one step, so that it is never incomplete; only its owner can read it.

    Raises:
        PageError: the folder cannot be written to.
    """
    _write_private(path, text)


def read_saved_numbers(game_file: Path) -> dict[str, int]:
    """Return the numbers that players have added to a sealed game, by player; empty without their file.

    Raises:
        ScenarioError: their file cannot be read, or a line is not a number; names the file.
    """
    path = game_file.with_name(NUMBERS)
    if not exists(path):
        return {}
    text = read_text(path)
    try:
        return read_numbers(text)
    except ScenarioError as error:
        raise ScenarioError("{path}: {error}", path=path, error=error) from None


def save_numbers(game_file: Path, numbers: Mapping[str, int]) -> None:
    """Write the numbers of the players next to a sealed game; only its owner can read the file.

    Raises:
        PageError: the folder cannot be written to.
    """
    _write_private(game_file.with_name(NUMBERS), write_numbers(numbers))


def read_saved_note(game_file: Path) -> RevealNote | None:
    """Return the note of the reveal of a sealed game; None before the reveal.

    Raises:
        ScenarioError: the file cannot be read.
        FileError: the file is not a note; names it.
    """
    path = game_file.with_name(REVEALED)
    if not exists(path):
        return None
    return read_note(read_text(path), str(path))


@contextmanager
def note_written(game_file: Path, note: RevealNote) -> Iterator[None]:
    """Write the note of a reveal next to a sealed game, then run the ``with`` block.

    The block writes the revealed files. If it raises a ``PrintkitError``, the note is deleted, because nothing was
    revealed.

    Raises:
        PageError: the folder cannot be written to.
    """
    path = game_file.with_name(REVEALED)
    _write_private(path, write_note(note))
    try:
        yield
    except PrintkitError:
        path.unlink(missing_ok=True)
        raise


def _write_private(path: Path, text: str) -> None:
    """Write a text file (UTF-8) in one step; only its owner can read it.

    Raises:
        PageError: the folder cannot be written to.
    """
    with replace_file(path, private=True) as temporary_file:
        temporary_file.write_text(text, encoding="utf-8", newline="\n")
