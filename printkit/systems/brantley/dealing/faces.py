"""Faces of playing cards: what each card of the pack says of the ground that it stands for (BR-A01, BR-M03)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.content.cards import Art, Banner, Card, Index, Suit
from printkit.content.prose import Block, Paragraph, Scores, scores_of
from printkit.core.words import BETWEEN, Words
from printkit.kit.book import RuleBook
from printkit.systems.brantley.dealing.cards import GOOD_GOING, PlayingCard, Result, RevealTable
from printkit.terrain.field.features import Kind

WOODS_FIRST: Final = "woods-first"
"""The value of BR-Q04 that turns the two dice of a hill round."""

_ENDS: Final = (Kind.BUA, Kind.LAKE)
"""Ground in which a road or a river may end (BR-406, BR-506)."""


def face(card: PlayingCard, book: RuleBook, words: Words, *, hill_dice: str = "slope-first") -> Card:
    """Return the face of a playing card: terrain, going, and what is thrown for it, by the tables of the book."""
    result = RevealTable.of(book).look_up(card)
    index = Index(card.rank, Suit(card.suit))
    if result is None:
        return Card(
            id=str(card),
            title=words(f"brantley.cards.title.{GOOD_GOING}"),
            index=index,
            art=Art(()),
            banner=(Banner.GOOD, words("brantley.cards.going.good")),
            blocks=(Paragraph(words("brantley.cards.nothing")),),
        )
    return Card(
        id=str(card),
        title=words(f"brantley.cards.title.{result.name}"),
        index=index,
        art=Art((result.kind,), levels=max(1, result.levels)),
        banner=_banner(result, words),
        blocks=_blocks(result, book, words, hill_dice),
    )


def becomes(card: PlayingCard | None, book: RuleBook, words: Words) -> str:
    """Return in a line what a card is and what it puts on the board; None is a zone left clear (BR-Q20)."""
    return BETWEEN.join(_becomes(card, book, language) for language in words.each())


def hill_scores(book: RuleBook, words: Words, *, levels: int, hill_dice: str = "slope-first") -> tuple[Scores, Scores]:
    """Return the two tables of a hill in the order thrown; what a second level adds is worked into the scores."""
    slope = scores_of(
        book.tables["slope"],
        lambda steep: words(f"brantley.cards.slope.{steep}"),
        title=words("brantley.cards.slope_die"),
        add=added_to_slope(book) if levels > 1 else 0,
    )
    woods = scores_of(
        book.tables["woods"],
        lambda cover: words(f"brantley.cards.woods.{cover}"),
        title=words("brantley.cards.woods_die"),
    )
    return (woods, slope) if hill_dice == WOODS_FIRST else (slope, woods)


def added_to_slope(book: RuleBook) -> int:
    """Return what a second level adds to the slope die (BR-321)."""
    return sum(modifier.amount for modifier in book.tables["slope"].modifiers)


def _becomes(card: PlayingCard | None, book: RuleBook, words: Words) -> str:
    if card is None:
        return words("brantley.cards.left_clear")
    named = words("brantley.card", rank=words(f"brantley.rank.{card.rank}"), suit=words(f"brantley.suit.{card.suit}"))
    result = RevealTable.of(book).look_up(card)
    if result is None:
        return words("brantley.cards.becomes_good", card=named, result=words(f"brantley.result.{GOOD_GOING}"))
    ground = words(f"brantley.result.{result.name}")
    if result.going is None:
        return words("brantley.cards.becomes_hill", card=named, result=ground)
    return words("brantley.cards.becomes", card=named, result=ground, going=words(f"going.{result.going.name}"))


def _banner(result: Result, words: Words) -> tuple[Banner, str]:
    if result.going is None:
        return Banner.DIE, words("brantley.cards.going.die")
    return _BANNERS[result.going.name], words(f"brantley.cards.going.{result.going.name}")


_BANNERS: Final[Mapping[str, Banner]] = {
    "good": Banner.GOOD,
    "bad": Banner.BAD,
    "impassable": Banner.IMPASSABLE,
}
"""The banner of each going that the rule book knows."""


def _blocks(result: Result, book: RuleBook, words: Words, hill_dice: str) -> tuple[Block, ...]:
    """Return what stands below the banner: the dice of a hill; else whose ground it is, and what may end in it."""
    if result.going is None:
        return hill_scores(book, words, levels=result.levels, hill_dice=hill_dice)
    if result.kind in _ENDS:
        return (Paragraph(words(f"brantley.cards.ends.{result.kind}")),)
    return (Paragraph(words("brantley.cards.place")),)
