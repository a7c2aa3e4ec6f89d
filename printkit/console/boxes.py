"""Ask at the terminal for pieces that a terrain box or Hexon stock does not list.

The answers are added to the user's file, so that each question is asked once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec.structs import replace

from printkit.console import terminal
from printkit.core.errors import FileError, Sentence, UsageError
from printkit.core.numbers import parse_int
from printkit.core.paths import is_file

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.hexon.layout.stock import Stock
    from printkit.recipes.box.piece_box import BoxPiece, PieceBox
    from printkit.terrain.field.features import Kind
    from printkit.terrain.field.record import Record

T = TypeVar("T")

# Assumed length in mm of one strip of road or river, if only the total length is known: 1 ft.
_STRIP: Final = 304.8

_LOOSE: Final = "*"

# The heading of the table in a stock file that counts the owned pieces.
_OWN: Final = re.compile(r"^[ \t]*\[own\][^\n]*$", re.MULTILINE)


def complete_box(name: str, box: PieceBox, record: Record, *, quiet: bool) -> PieceBox:
    """Return a box with the user's answers for needed kinds that its file does not list.

    ``name`` is the path of the file, which gets the answers too.
    """
    from printkit.recipes.box.piece_box import piece_lines
    from printkit.recipes.box.refit import unlisted_kinds

    kinds = unlisted_kinds(record, box)
    if not kinds or not may_ask(quiet):
        return box
    answers = tuple(_ask_piece(kind) for kind in kinds)
    new_lines = "\n".join(line for piece in answers for line in ("", *piece_lines(piece)))
    _save_answers(name, lambda text: f"{text}\n{new_lines}\n")
    return replace(box, pieces=(*box.pieces, *answers))


def complete_stock(name: str, stock: Stock, missing_names: Sequence[str], words: Words) -> Stock:
    """Return a stock with the user's answers for pieces that the file does not list.

    Args:
        name: the path of the stock file.
        stock: the stock from the file.
        missing_names: the stock names of the needed pieces that are not listed.
        words: the words of the language.
    """
    from printkit.hexon.files import part_name
    from printkit.hexon.layout.stock_rows import with_rows

    if not missing_names:
        return stock
    answers: dict[str, int] = {}
    for piece in missing_names:
        asking = Sentence(
            "{piece} is not in your stock file. How many do you have? (*: enough for any battlefield; Enter: none)",
            piece=part_name(piece, words.each()[0]),
        )
        answers[piece] = _ask_until_valid(asking, _parse_count, 0)
    add_answers = with_rows if name.lower().endswith(".csv") else _add_counts
    _save_answers(name, lambda text: add_answers(text, answers))
    return replace(stock, own={**stock.own, **answers})


def may_ask(quiet: bool) -> bool:
    """Return whether questions are possible: a terminal, and no ``--quiet``."""
    return not quiet and sys.stdin.isatty() and sys.stderr.isatty()


def _ask_piece(kind: Kind) -> BoxPiece:
    """Ask for the owned pieces of a kind, and return them as an entry; an empty line means none."""
    from printkit.recipes.box.piece_box import BoxPiece, shape_of
    from printkit.terrain.field.features import Shape

    course = shape_of(kind) is Shape.COURSE
    length = _STRIP if course else None
    asking = (
        Sentence(
            "{kind} is not in your box file. How much do you have, end to end? (for example 6ft; Enter: none)",
            kind=_kind_name(kind),
        )
        if course
        else Sentence(
            "{kind} is not in your box file. How many do you have? (*: enough for any battlefield; Enter: none)",
            kind=_kind_name(kind),
        )
    )
    return BoxPiece(
        kind=kind, number=_ask_until_valid(asking, _parse_strips if course else _parse_count, 0), length=length
    )


def _ask_until_valid(asking: Sentence, read: Callable[[str], T], none: T) -> T:
    """Ask until ``read`` accepts the answer and return its value; an empty line or 0 gives ``none``."""
    while True:
        line = terminal.ask(asking).strip()
        if not line or line == "0":
            return none
        try:
            return read(line)
        except UsageError as error:
            terminal.report_error(error.sentence)


def _parse_strips(line: str) -> int:
    """Return how many strips of one foot give the length in a text, rounded up; at least one.

    Raises:
        UsageError: the text is not a length.
    """
    from printkit.core.units import parse_length
    from printkit.recipes.box.piece_box import MOST_PIECES

    return max(1, min(round(parse_length(line) / _STRIP + 0.49), MOST_PIECES))


def _parse_count(line: str) -> int:
    """Return the number of pieces in a text, from 0; loose pieces have the greatest number.

    Raises:
        UsageError: the text is not a valid number.
    """
    from printkit.recipes.box.piece_box import MOST_PIECES

    if line == _LOOSE:
        return MOST_PIECES
    count = parse_int(line, MOST_PIECES)
    if count is None:
        raise UsageError("{line!r} is not a count; write a whole number from 0 to {most}", line=line, most=MOST_PIECES)
    return count


def _add_counts(text: str, answers: Mapping[str, int]) -> str:
    """Return the text of a stock file with new lines at the start of its ``[own]`` table."""
    lines = "\n".join(f"{piece} = {count}" for piece, count in answers.items())
    if _OWN.search(text) is None:
        return f"{text}\n\n[own]\n{lines}\n"
    return _OWN.sub(lambda head: f"{head[0]}\n{lines}", text, count=1) + "\n"


def _save_answers(name: str, add_answers: Callable[[str], str]) -> None:
    """Add answers to the user's file, unless the result is not valid TOML. Built-in files do not change.

    ``name`` is the path, and ``add_answers`` returns the new text of the file.
    """
    from printkit.core.typed import parse_toml
    from printkit.recipes.game.request import read_text
    from printkit.recipes.output.files import write_folder

    path = Path(name)
    if not name.lower().endswith((".toml", ".csv")) or not is_file(path):
        return
    text = add_answers(read_text(path).rstrip("\n"))
    try:
        if not name.lower().endswith(".csv"):
            parse_toml(text, name)
    except FileError:
        return
    write_folder({path.name: text}, path.parent, force=True)
    terminal.tell([Sentence("saved in {path}", path=path)])


def _kind_name(kind: Kind) -> str:
    """Return a kind as English words, with spaces for underscores."""
    return kind.value.replace("_", " ")
