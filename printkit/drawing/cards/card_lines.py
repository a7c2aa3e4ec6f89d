"""The few centred lines at the foot of a card with a picture, shorter beside the indices in the lower corners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from printkit.content.prose import Paragraph
from printkit.drawing.canvas.items import Text
from printkit.drawing.lettering.lettering import Hand, measure
from printkit.drawing.text.text_runs import Row, Word, words_of

_DESCENT: Final = 0.26
_LOOSE: Final = 1e-6
_MOST_KEPT: Final = 3
_SHARES: Final = tuple(share / 100 for share in range(98, 48, -2))


class Hands(NamedTuple):
    """The hands of running text, of strong words and of notes."""

    text: Hand
    strong: Hand
    note: Hand


class Measure(NamedTuple):
    """The room of lines in mm: the foot of the first, the distance of the next, and how wide they may be.

    A line that reaches below ``notched`` is no wider than ``narrow``.
    """

    foot: float
    leading: float
    width: float
    notched: float
    narrow: float

    def at(self, number: int, hand: Hand) -> float:
        """Return how wide a line may be, from 0 for the first."""
        lowest = self.foot - number * self.leading - _DESCENT * hand.height
        return self.width if lowest >= self.notched else self.narrow


def centred_rows(paragraphs: Iterable[Paragraph], hands: Hands, room: Measure) -> tuple[Row, ...]:
    """Return the lines of paragraphs, which follow one another without a gap; a word that is too long has its own."""
    found: list[Row] = []
    for paragraph in paragraphs:
        hand = {"plain": hands.text, "strong": hands.strong, "note": hands.note}[paragraph.manner]
        found += _rows(words_of(paragraph.text, hand, hands.strong), hand, room, first=len(found))
    return tuple(found)


def _rows(words: Iterator[Word], hand: Hand, room: Measure, *, first: int) -> list[Row]:
    space = measure("x x", hand) - measure("xx", hand)
    rows: list[Row] = []
    for kept in _kept(words, hand):
        longer = Row((*rows[-1].words, *kept), space) if rows else None
        if longer is not None and longer.width <= room.at(first + len(rows) - 1, hand):
            rows[-1] = longer
        else:
            rows.append(Row(kept, space))
    return rows


def _kept(words: Iterator[Word], hand: Hand) -> Iterator[tuple[Word, ...]]:
    """Yield the words that stay on one line: a strong one with the next, as a score with what it means."""
    held: tuple[Word, ...] = ()
    for word in words:
        held = (*held, word)
        if word[-1].hand == hand or len(held) == _MOST_KEPT:
            yield held
            held = ()
    if held:
        yield held


def balanced(paragraphs: Sequence[Paragraph], hands: Hands, room: Measure) -> tuple[Row, ...]:
    """Return the lines of paragraphs about equally long: as narrow as they may be set in no more lines."""
    rows = centred_rows(paragraphs, hands, room)
    for share in _SHARES:
        closer = room._replace(width=room.width * share, narrow=room.narrow * share)
        tried = centred_rows(paragraphs, hands, closer)
        if len(tried) > len(rows) or not fits(tried, hands.text, closer):
            break
        rows = tried
    return rows


def fits(rows: Sequence[Row], hand: Hand, room: Measure) -> bool:
    """Return whether no line is longer than its room; a single word may be."""
    return all(row.width <= room.at(number, hand) + _LOOSE for number, row in enumerate(rows))


def set_centred(rows: Sequence[Row], x: float, room: Measure) -> Iterator[Text]:
    """Yield the type of lines about ``x``."""
    for number, row in enumerate(rows):
        yield from row.items(x - row.width / 2, room.foot - number * room.leading)
