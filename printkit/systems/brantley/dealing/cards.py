"""Playing cards, and the reveal table of the rule book."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from printkit.chance.dice import split_scores
from printkit.core.errors import BookError, DiceError, Sentence
from printkit.kit.book import RuleBook
from printkit.kit.provenance import AccountLine
from printkit.terrain.field.features import Going, Kind

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("S", "C", "H", "D")
_BLACK: Final = "SC"

# The name of the result of a red card.
GOOD_GOING: Final = "good_going"


class PlayingCard(Struct, frozen=True):
    """A card of the pack; its text is its code, for example ``10S`` or ``QC``.

    ``rank`` is ``A``, ``2`` to ``10``, ``J``, ``Q`` or ``K``; ``suit`` is ``S``, ``C``, ``H`` or ``D``.
    """

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def is_black(self) -> bool:
        """Return whether the card is black: a spade or a club."""
        return self.suit in _BLACK


# The 52 cards without jokers (BR-201).
PACK: Final = tuple(PlayingCard(rank, suit) for suit in SUITS for rank in RANKS)

# The cards by code.
CARDS_BY_CODE: Final = {str(card): card for card in PACK}


def name_card(card: PlayingCard) -> AccountLine:
    """Return the name of a card for a sentence."""
    rank, suit = AccountLine(f"brantley.rank.{card.rank}"), AccountLine(f"brantley.suit.{card.suit}")
    return AccountLine("brantley.card", rank=rank, suit=suit)


def read_card(text: str) -> PlayingCard:
    """Return the card with a code; lower case and T for 10 are allowed.

    Raises:
        DiceError: there is no such card (BR-X06).
    """
    codes = split_scores(text)
    if len(codes) != 1 or codes[0] not in CARDS_BY_CODE:
        raise DiceError(
            "{number!r} is not a card; write rank and suit, for example 10S, QC, AH or 2D",
            number=text.strip(),
            clause="BR-X06",
        )
    return CARDS_BY_CODE[codes[0]]


class CardResult(Struct, frozen=True, kw_only=True):
    """The feature that a black card places.

    ``name`` is the name in the rule book, for example ``hill_2``. ``levels`` is the number of levels of a hill, 0 for
    other features. A hill has no ``going``; its dice decide it. ``clause`` is the row of the reveal table.
    """

    name: str
    kind: Kind
    levels: int
    going: Going | None
    clause: str

    @property
    def area_going(self) -> Going:
        """Return the going of a feature other than a hill.

        Raises:
            BookError: the rule book does not give its going.
        """
        if self.going is None:
            raise BookError(
                "the result {name!r} has no going in the row for {rule}; add it", name=self.name, rule=self.clause
            )
        return self.going


class RevealTable(Struct, frozen=True):
    """The reveal table of a rule book, and the order of its results by how much they restrict movement.

    ``by_rank`` applies to black cards. Every red card is good going. ``severity`` gives the place of each result, by
    its name: 0 for the most restrictive.
    """

    by_rank: Mapping[str, CardResult]
    severity: Mapping[str, int]

    @classmethod
    def from_book(cls, book: RuleBook) -> RevealTable:
        """Return the reveal table of a rule book.

        Raises:
            BookError: a rank is missing.
            FileError: a rank is listed twice, or a result or kind is unknown; names the row.
        """
        result_rows = {row.need("result", str): row for row in book.own("results")}
        results: dict[str, CardResult] = {}
        for row in book.own("reveal"):
            rank, result = row.need("rank", str), row.find("result", result_rows)
            if rank not in RANKS or rank in results:
                reason = Sentence("the rank {rank!r} is not in the deck, or is listed twice", rank=rank)
                raise row.error(reason, "rank")
            results[rank] = CardResult(
                name=row.need("result", str),
                kind=result.need("kind", Kind),
                levels=result.get("levels", int, 0),
                going=row.find("going", book.going) if "going" in row.values else None,
                clause=row.need("clause", str),
            )
        if missing := [rank for rank in RANKS if rank not in results]:
            raise BookError(
                "{file}: [rows] reveal has no row for {missing}", file=book.file, missing=", ".join(missing)
            )
        return cls(results, {name: place for place, name in enumerate([*result_rows, GOOD_GOING])})

    def look_up(self, card: PlayingCard) -> CardResult | None:
        """Return the feature that a card places; None means good going (BR-344)."""
        return self.by_rank[card.rank] if card.is_black else None

    def sort_by_restriction(self, cards: Iterable[PlayingCard]) -> list[PlayingCard]:
        """Return cards in restriction order, the most restrictive first (BR-M22).

        The order is by result, then by rank from the ace, then by suit: spades, clubs, hearts, diamonds.
        """
        return sorted(cards, key=self._restriction_key)

    def _restriction_key(self, card: PlayingCard) -> tuple[int, int, int]:
        """Return the sort key of a card: severity of its result, then rank from the ace, then suit."""
        result = self.look_up(card)
        name = result.name if result else GOOD_GOING
        return self.severity[name], RANKS.index(card.rank), SUITS.index(card.suit)
