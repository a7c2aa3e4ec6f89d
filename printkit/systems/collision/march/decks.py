"""The reference cards: eleven in each language, or English on the front and Spanish on the back (CC-C01 to C11)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Diagram, Paragraph
from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.collision.march.column_text import said
from printkit.systems.collision.march.columns_check import column_sizes

COLUMNS: Final = "columns"
TWO_SIDED: Final = "columns-two-sided"
# The card face: large type, and a separate title on a back with text.
LARGE: Final = "large-text"

NUMBERS: Final = tuple(range(1, 12))


def decks(words: Words, rules: Rules, *, is_standalone: bool = False) -> tuple[Deck, ...]:
    """Return the reference deck, with two languages one after the other.

    With two languages and ``is_standalone``, also return the two-sided deck. A game's files contain each card only
    once, so there the two-sided deck must be requested by name.

    Args:
        words: one language or two.
        rules: of the game.
        is_standalone: whether the deck is requested without a game.
    """
    cards = tuple(card for language in words.each() for card in _build_cards(language, rules))
    deck = Deck(name=COLUMNS, title=words("columns.cards.deck"), cards=cards, reference=True)
    if not is_standalone or len(words.languages) == 1:
        return (deck,)
    front, back = words.each()
    title, two_sided_cards = words("columns.cards.deck-two"), _build_two_sided_cards(front, back, rules)
    return deck, Deck(name=TWO_SIDED, title=title, cards=two_sided_cards, backs="content")


def card_texts(words: Words, rules: Rules) -> tuple[tuple[str, tuple[Paragraph, ...]], ...]:
    """Return the title and the paragraphs of each reference card in one language."""
    return tuple((words(f"columns.card.c{number:02}.title"), _card_text(number, words, rules)) for number in NUMBERS)


def _card_text(number: int, words: Words, rules: Rules) -> tuple[Paragraph, ...]:
    """Return the text of card ``number`` (from 1) in one language."""
    return tuple(Paragraph(line) for line in words(f"columns.card.c{number:02}.text", **said(rules, words)).split("\n"))


def _build_plans(words: Words, rules: Rules) -> dict[int, Diagram]:
    """Return the small plans below the text of some cards, by card number, from 1; other cards do not have a plan."""

    def plan(name: str, *labels: str, **numbers: float) -> Diagram:
        """Return a diagram with labels in the language of the card; numbers are in base widths or elements."""
        texts = {label: words(f"columns.plan.{label}") for label in labels}
        return Diagram(name=name, labels=texts, numbers=numbers, max_height=34.0)

    usual, second, third = column_sizes(rules, one_ally=True)
    square, deep = rules.number("edge_square_bw"), rules.number("edge_square_depth_bw")
    return {
        1: plan("edge-squares", "clear", board=rules.number("board_bw_min"), square=square, depth=deep),
        3: plan("column-order", "none", "one", "two", usual=usual, second=second, third=third),
        5: plan("column-entry", "on", "off"),
        7: plan("column-stands", "edge"),
        8: plan("column-landing", "water"),
    }


def _card_blocks(number: int, words: Words, rules: Rules) -> tuple[Block, ...]:
    """Return the text of card ``number`` (from 1), then its small plan if it has one."""
    plan = _build_plans(words, rules).get(number)
    return (*_card_text(number, words, rules), *(() if plan is None else (plan,)))


def _build_cards(words: Words, rules: Rules) -> tuple[Card, ...]:
    """Return the reference cards in one language, in the order of their numbers (IDs ``CC-C01`` and so on)."""
    return tuple(
        Card(
            id=f"CC-C{number:02}",
            title=title,
            blocks=_card_blocks(number, words, rules),
            foot=_card_footer(number, words),
            face=LARGE,
        )
        for number, (title, _) in zip(NUMBERS, card_texts(words, rules), strict=True)
    )


def _build_two_sided_cards(front: Words, back: Words, rules: Rules) -> tuple[Card, ...]:
    """Return the reference cards with the language ``front`` on one side and ``back`` on the other."""
    return tuple(
        replace(
            card, back=_card_blocks(number, back, rules), facts={"title": title, "foot": _card_footer(number, back)}
        )
        for number, card, (title, _) in zip(NUMBERS, _build_cards(front, rules), card_texts(back, rules), strict=True)
    )


def _card_footer(number: int, words: Words) -> str:
    """Return the text at the foot of card ``number``, from 1."""
    return words("columns.cards.foot", number=number)
