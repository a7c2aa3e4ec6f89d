"""A dealt game while its cards are laid: the closed file, the file of turns, and the board as all may see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from printkit.core.words import Words
from printkit.export.files import replacing
from printkit.recipes.game.request import read_text
from printkit.systems.brantley.dealing.closed_game import ClosedGame
from printkit.systems.brantley.dealing.deal import NEEDED, PLAYERS, ZoneCard, read_turns, write_turn
from printkit.systems.brantley.dealing.readers import Hidden, hidden
from printkit.systems.brantley.sheets.dealing import CLOSED
from printkit.systems.brantley.sheets.documents import hidden_lines, next_line

PLACEMENTS: Final = "placements.txt"
"""The name of the file beside a closed game in which the turns are kept, one a line."""

_NINTH: Final = "br-q20"
_COLUMNS: Final = 3


def closed_file(path: Path) -> Path:
    """Return the file of a closed game that a person names by itself or by its folder."""
    return path / CLOSED if path.is_dir() else path


def kept_turns(path: Path, *, asked_for: bool) -> str:
    """Return the text of a file of turns; one that is not there yet is empty, unless a person asked for it.

    Raises:
        ScenarioError: it cannot be read.
    """
    return read_text(path) if asked_for or path.exists() else ""


def keep_turns(path: Path, text: str) -> None:
    """Write a file of turns, whole or not at all.

    Raises:
        PageError: the folder cannot be written to.
    """
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")


def turns_of(game: ClosedGame, text: str) -> tuple[ZoneCard, ...]:
    """Return the turns of a file of placements, one a line; empty lines and what follows ``#`` are not read.

    Raises:
        ScenarioError: a line breaks BR-X01 to BR-X05; names the line of the file.
    """
    numbered = [
        (number, bare) for number, line in enumerate(text.splitlines(), 1) if (bare := line.split("#")[0].strip())
    ]
    numbers, lines = [number for number, _ in numbered], [line for _, line in numbered]
    return read_turns(lines, game.dealt, game.first, numbers=numbers)


def with_turns(game: ClosedGame, text: str, added: Sequence[str]) -> str:
    """Return a file of placements with more turns, each written so that it names no card.

    Raises:
        ScenarioError: one of them, or a line that was there before, breaks BR-X01 to BR-X05.
    """
    before = text if not text or text.endswith("\n") else f"{text}\n"
    turns = turns_of(game, before + "".join(f"{line}\n" for line in added))
    fresh = turns[len(turns) - len(added) :] if added else ()
    return before + "".join(f"{write_turn(turn, game.dealt)}\n" for turn in fresh)


def hidden_board(game: ClosedGame, turns: Sequence[ZoneCard]) -> Hidden:
    """Return what may be shown of the board (BR-M16)."""
    return hidden(turns, game.first, seal=game.seal, ninth=game.settings[_NINTH])


def status_lines(board: Hidden, words: Words) -> Iterator[str]:
    """Yield the hidden board as text: its zones as they lie, A's edge on top, and whose turn it is (BR-A08)."""
    if board.seal is not None:
        yield words("dealing.seal", game=board.seal.game, commitment=board.seal.grouped)
        yield ""
    cells = [[str(zone.zone), *hidden_lines(zone, board.blind, words)] for zone in board.zones]
    width = max(len(line) for line in _longest(words)) + 2
    whole = _COLUMNS * (width + 1) + 1
    rule = f"+{'+'.join(['-' * width] * _COLUMNS)}+"
    yield words("dealing.player", player=PLAYERS[0]).center(whole).rstrip()
    yield rule
    for first in range(0, len(cells), _COLUMNS):
        for lines in zip(*cells[first : first + _COLUMNS], strict=True):
            yield f"|{'|'.join(f' {line}'.ljust(width) for line in lines)}|"
        yield rule
    yield words("dealing.player", player=PLAYERS[1]).center(whole).rstrip()
    yield ""
    yield next_line(board, words)


def _longest(words: Words) -> tuple[str, ...]:
    """Return what may come to stand in a zone, so that the board keeps its width from turn to turn."""
    turn = words("dealing.laid", player=PLAYERS[0], turn=NEEDED - 1)
    return words("dealing.face_down"), words("dealing.blind"), turn
