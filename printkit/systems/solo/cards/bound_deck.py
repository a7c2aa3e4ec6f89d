"""The bound deck: a card for each pair of PIP die and stance die, with the stance at every NET (8.5).

A seed shuffles the print order, so whoever cuts the sheets learns nothing about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from msgspec import Struct

from printkit.chance.streams import Jitter
from printkit.content.cards import Card, Deck
from printkit.core.errors import UsageError
from printkit.core.words import SEPARATOR, Words
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.tactics_tables import FACES, Stance, TacticsTables

T = TypeVar("T")

BOUND: Final = "bound"
FACE: Final = "bound"

MAX_COPIES: Final = 4

# Inset in mm of the frame on the card back; 4 mm stay white, so a cut that is 2 mm off reveals nothing.
_BACK_EDGE_MM: Final = 4.25

_STREAM: Final = "cards/bound"


class BoundCard(Struct, frozen=True):
    """A bound: number (from 1), both dice, stance at each NET, and the override die with its result."""

    number: int
    pips: int
    die: int
    strip: tuple[Stance, ...]
    is_free: bool
    override_die: int

    @classmethod
    def from_dice(cls, number: int, pips: int, die: int, tables: TacticsTables, *, override_die: int) -> BoundCard:
        """Return the bound of two dice.

        Args:
            number: its number in the deck, from 1.
            pips: the PIP die.
            die: the stance die.
            tables: the tactics tables.
            override_die: its override die.
        """
        is_free = tables.override.look_up(override_die) == "free"
        return cls(number, pips, die, tables.strip(pips, die), is_free, override_die)

    @property
    def sum(self) -> int:
        """Return the sum of both dice; the card replaces a roll of two dice."""
        return self.pips + self.die


def list_bounds(tables: TacticsTables) -> tuple[BoundCard, ...]:
    """Return the 36 bounds in number order from 1, one for each pair of PIP die and stance die.

    The stance die is the override die too.
    """
    pairs = [(pips, die) for pips in FACES for die in FACES]
    return tuple(
        BoundCard.from_dice(number, pips, die, tables, override_die=die) for number, (pips, die) in enumerate(pairs, 1)
    )


def shuffle_values(values: Sequence[T], seed: int) -> tuple[T, ...]:
    """Return the values shuffled by a seed; all orders are equally likely, and the same seed gives the same order.

    ``values`` does not change.
    """
    stream = Jitter(seed).stream(_STREAM)
    items = list(values)
    for last in range(len(items) - 1, 0, -1):
        index = stream.draw_index(last + 1)
        items[last], items[index] = items[index], items[last]
    return tuple(items)


def build_bound_deck(words: Words, rules: SoloRules, *, seed: int, copies: int = 1) -> Deck:
    """Return the deck in print order, shuffled by the seed.

    Args:
        words: the words of one or several languages.
        rules: the rules of the game.
        seed: the seed of the battle.
        copies: the number of copies of each card, 1 to 4; 2 makes counting cards harder.

    Raises:
        UsageError: the number of copies is out of range.
    """
    if not 1 <= copies <= MAX_COPIES:
        raise UsageError(
            "printkit prints 1 to {most_copies} copies of the bound deck, not {copies}",
            copies=copies,
            most_copies=MAX_COPIES,
        )
    text = CardText(words.each()[0], rules)
    cards = [_build_card(bound, text, words) for bound in list_bounds(text.tactics) for _ in range(copies)]
    return Deck(
        name=BOUND,
        title=words("npg.cards.bound-deck"),
        cards=shuffle_values(cards, seed),
        backs="secret",
        back_edge=_BACK_EDGE_MM,
        legend_key="npg.cards.bound-deck",
    )


def _build_card(bound: BoundCard, text: CardText, words: Words) -> Card:
    """Return the card of a bound.

    ``words`` has all languages of the card, ``text`` the numbers of the rules.
    """

    def translate(key: str, **values: object) -> str:
        """Return a text of the card in all its languages."""
        return words(f"npg.cards.{key}", **values)

    free = "yes" if bound.is_free else "no"
    # Build the complete sentence per language, so that languages do not mix within a sentence.
    override_texts = (
        language("npg.cards.bound.override", said=language(f"npg.cards.{free}")) for language in words.each()
    )
    return Card(
        id=f"B{bound.number:02}",
        title="",
        foot=f"{bound.pips}/{bound.die}",
        face=FACE,
        facts={
            "pips": bound.pips,
            "die": bound.die,
            "nets": tuple(text.format_signed(net) for net in text.tactics.nets()),
            "strip": tuple((str(stance), text(f"letter.{stance}")) for stance in bound.strip),
            "said": {
                "pips": translate("bound.pips"),
                "stance": translate("bound.stance"),
                "net": translate("bound.net"),
                "override": SEPARATOR.join(dict.fromkeys(override_texts)),
                "sum": translate("bound.sum", sum=bound.sum),
            },
        },
    )
