"""A terrain box at the terminal: the person is asked once for what the file does not list, and the answer is kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from printkit.console import terminal
from printkit.core.errors import Sentence, UsageError

if TYPE_CHECKING:
    from printkit.recipes.box.piece_box import BoxPiece, PieceBox
    from printkit.terrain.field.features import Kind
    from printkit.terrain.field.record import Record

_STRIP: Final = 304.8
"""How long in mm a strip is taken to be of a course of which only the whole length is given."""

_LOOSE: Final = "*"


def asked_box(name: str, box: PieceBox, record: Record, *, quiet: bool) -> PieceBox:
    """Return a box with what the person answers for the kinds that a field asks for and the file does not list.

    Only who sits at a terminal is asked; the answers are added to a file of one's own, so that nobody is asked twice.
    """
    from printkit.recipes.box.holding import unlisted

    kinds = unlisted(record, box)
    if not kinds or quiet or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return box
    answers = tuple(_answer(kind) for kind in kinds)
    path = Path(name)
    if name.endswith(".toml") and path.is_file():
        _keep(path, answers)
    return replace(box, pieces=(*box.pieces, *answers))


def _answer(kind: Kind) -> BoxPiece:
    """Return what a person says of a kind; an empty line says none."""
    from printkit.recipes.box.piece_box import BoxPiece, shape_of
    from printkit.terrain.field.record_features import Shape

    course = shape_of(kind) is Shape.COURSE
    asking = (
        Sentence(
            "your box does not list {kind}: how much of it have you, end to end? (as 6ft; empty: none)",
            kind=_plain(kind),
        )
        if course
        else Sentence(
            "your box does not list {kind}: how many have you? (* for as much as is asked for; empty: none)",
            kind=_plain(kind),
        )
    )
    while True:
        line = terminal.ask(asking).strip()
        if not line or line == "0":
            return BoxPiece(kind=kind, number=0, length=_STRIP if course else None)
        try:
            return _strips(kind, line) if course else _pieces(kind, line)
        except UsageError as error:
            terminal.complain(error.sentence)


def _strips(kind: Kind, line: str) -> BoxPiece:
    from printkit.core.units import parse_length
    from printkit.recipes.box.piece_box import MOST_PIECES, BoxPiece

    count = round(parse_length(line) / _STRIP + 0.49)
    return BoxPiece(kind=kind, number=max(1, min(count, MOST_PIECES)), length=_STRIP)


def _pieces(kind: Kind, line: str) -> BoxPiece:
    from printkit.recipes.box.piece_box import MOST_PIECES, BoxPiece

    if line == _LOOSE:
        return BoxPiece(kind=kind, number=MOST_PIECES)
    if not line.isdecimal() or int(line) > MOST_PIECES:
        raise UsageError("{line!r} is no count; write a whole number from 0 to {most}", line=line, most=MOST_PIECES)
    return BoxPiece(kind=kind, number=int(line))


def _keep(path: Path, answers: tuple[BoxPiece, ...]) -> None:
    """Add answers to a person's own file, behind what stands there."""
    from printkit.recipes.box.piece_box import piece_lines
    from printkit.recipes.game.request import read_text
    from printkit.recipes.output.files import write_folder

    text = read_text(path).rstrip("\n")
    added = "\n".join(line for piece in answers for line in ("", *piece_lines(piece)))
    write_folder({path.name: f"{text}\n{added}\n"}, path.parent, force=True)
    terminal.tell([Sentence("kept in {path}", path=path)])


def _plain(kind: Kind) -> str:
    return kind.value.replace("_", " ")
