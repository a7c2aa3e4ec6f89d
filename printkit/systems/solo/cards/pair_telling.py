"""What pair cards are told with: two armies, the texts of a language, faces and open modifiers as blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from printkit.content.prose import Block, Modifiers, Paragraph, Results
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.cards.pair_faces import Resolved, Shifted, Throws, said

HIGHEST: Final = 6.5
LOWEST: Final = 3.6
"""How high rows that are written into may be, in mm."""


class Telling(Struct, frozen=True):
    """Two armies, and the texts of a language."""

    pair: Pair
    text: CardText

    def say(self, key: str, **values: object) -> str:
        """Return a text of the pair cards."""
        return self.text.words(f"npg.pair.{key}", **values)

    def results(self, faces: Mapping[str, Throws], key: str, throws: Sequence[int] = range(1, 7)) -> Results:
        """Return outcomes in boxes side by side, each after its faces."""
        cells = tuple((said(found, self.text, throws), self.say(f"{key}.{name}")) for name, found in faces.items())
        return Results((cells,))

    def piece(self, name: str) -> str:
        """Return the name of a type of terrain."""
        return self.text(f"piece.{name}")

    def sum(self, found: Resolved) -> Paragraph:
        """Return what is added to the die for certain."""
        return Paragraph(self.say("sum", sum=self.text.signed(found.sum)))

    def open(self, found: Resolved, outcome: str) -> tuple[Block, ...]:
        """Return the open modifiers with a box each, and the faces for an outcome where that one counts."""
        if not found.open:
            return ()
        rows = tuple(
            (
                self.text.signed(each.modifier.amount),
                self.say("shifted", what=self.modifier(each), faces=said(each.faces[outcome], self.text)),
            )
            for each in found.open
        )
        return Modifiers(rows, boxes=1), Paragraph(self.say("several"), "note")

    def modifier(self, each: Shifted) -> str:
        """Return what an open modifier asks of the table."""
        return self.say(f"landing.{each.modifier.clause}")


def listed(tell: Telling, terrains: Iterable[str]) -> str:
    return tell.text.list(tell.piece(each) for each in terrains)


def runs(letters: Sequence[str]) -> str:
    """Return letters of groups in a row, as ``A–C E``."""
    found: list[list[str]] = []
    for letter in letters:
        if found and ord(letter) == ord(found[-1][-1]) + 1:
            found[-1].append(letter)
        else:
            found.append([letter])
    return " ".join(
        run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" if len(run) > 2 else "".join(run) for run in found
    )


def high(rows: int, room: float) -> float:
    """Return how high rows may be that are written into, where so many share the room."""
    return max(LOWEST, min(HIGHEST, room / max(1, rows)))
