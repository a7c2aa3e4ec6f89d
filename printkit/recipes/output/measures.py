"""Lengths of the board as people read them off a ruler: inches, and below them centimetres."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.terrain.field.battlefield import Board

_SAME: Final = 1e-6

_SQUARE: Final = 8.0
"""Degrees by which a thing may be turned and still lies along an edge."""


class Measures(Struct, frozen=True):
    """Says lengths, given in mm, in the words of a language."""

    words: Words

    def length(self, mm: float) -> str:
        """Return one length, inches and centimetres one below the other."""
        return f"{self._in(mm)}\n{self._cm(mm)}"

    def flat(self, mm: float) -> str:
        """Return one length on one line."""
        return f"{self._in(mm)}, {self._cm(mm)}"

    def span(self, start: float, end: float) -> str:
        """Return from where to where."""
        inches = f"{self._number(start / MM_PER_INCH)}–{self._in(end)}"
        return f"{inches}\n{self._number(start / 10)}–{self._cm(end)}"

    def size(self, length: float, width: float) -> str:
        """Return length by width."""
        inches = f"{self._number(length / MM_PER_INCH)} × {self._in(width)}"
        return f"{inches}\n{self._number(length / 10)} × {self._cm(width)}"

    def about(self, length: float, width: float) -> str:
        """Return length by width on one line."""
        inches = f"{self._number(length / MM_PER_INCH)} × {self._in(width)}"
        return f"{inches}, {self._number(length / 10)} × {self._cm(width)}"

    def turned(self, degrees: float | None) -> str:
        """Return how a thing lies: along an edge, or with its right or left end how far up."""
        if degrees is None:
            return self.words("layout.round")
        if min(degrees, 180 - degrees) <= _SQUARE:
            return self.words("layout.along-near")
        if abs(degrees - 90) <= _SQUARE:
            return self.words("layout.along-left")
        if degrees < 90:
            return self.words("layout.right-up", degrees=round(degrees))
        return self.words("layout.left-up", degrees=round(180 - degrees))

    def _in(self, mm: float) -> str:
        return f"{self._number(mm / MM_PER_INCH)} in"

    def _cm(self, mm: float) -> str:
        return f"{self._number(mm / 10)} cm"

    def _number(self, value: float) -> str:
        said = f"{abs(round(value, 1)):.1f}"
        return said.replace(".", self.words.each()[0]("leaflets.decimal"))


def size_name(board: Board) -> str:
    """Return the size of a board for the name of a file: ``24in``, ``72x48in``; ``15bw`` where inches do not come out.

    Inches to a tenth come out; else base widths, where they do; else millimetres.
    """
    for unit, size, parts in (("in", MM_PER_INCH, 10), ("bw", board.scale.base_width, 2)):
        counts = [side / size * parts for side in (board.width, board.depth)]
        if all(abs(count - round(count)) < _SAME for count in counts):
            return _sides([round(count) / parts for count in counts]) + unit
    return _sides([board.width, board.depth]) + "mm"


def _sides(lengths: Sequence[float]) -> str:
    """Return lengths joined by ``x``, equal ones once."""
    return "x".join(dict.fromkeys(f"{length:g}" for length in lengths))
