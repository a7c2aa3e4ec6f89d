"""The decks that do not depend on a battle: reference cards, the summary card, and the bound deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Heading, Paragraph
from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.systems.solo.armies.rules import BOOK, SoloRules, load_solo_rules
from printkit.systems.solo.cards.bound_deck import BOUND, build_bound_deck
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.reference import FACE, NPG, build_reference_deck
from printkit.systems.solo.cards.tables import moves
from printkit.terrain.field.record import Record

# --- The summary of the tactical engine on one large card: level, stance, allowed moves, override ---------------------

SUMMARY: Final = "summary"

# Default size in mm; on smaller cards the summary continues on the back.
SIZE: Final = "150x150"

# Type sizes to try, in points.
_SUMMARY_SIZES: Final = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0)


def build_summary_deck(words: Words, rules: SoloRules) -> Deck:
    """Return the summary deck, with one card per language."""
    several = len(words.each()) > 1
    return Deck(
        name=SUMMARY,
        title=words("npg.cards.summary-deck"),
        cards=tuple(_build_summary_card(CardText(language, rules), several=several) for language in words.each()),
        backs="content",
    )


def _build_summary_card(text: CardText, *, several: bool) -> Card:
    """Return the summary card in one language.

    With ``several`` its ID names the language, because there are cards in other languages too.
    """
    subtitle, dice = Paragraph(text("summary.subtitle"), "note"), build_summary_dice(text)
    return Card(
        id=f"S-{text.words.code}" if several else "S",
        title=text("summary.title"),
        blocks=(subtitle, *dice, *build_summary_moves(text)),
        face=FACE,
        facts={"sizes": _SUMMARY_SIZES, "columns": range(1, 1 + len(dice)), "back_from": 1 + len(dice)},
    )


def build_summary_dice(text: CardText) -> tuple[Block, ...]:
    """Return the dice for level and stance, each as its heading, its modifiers and its results."""
    blocks: list[Block] = []
    for number, name in enumerate(("level", "stance"), 1):
        heading = Heading(text(f"summary.{name}"), str(number), text(f"summary.{name}-aside"))
        blocks += [heading, *text.build_die_table(name)]
    return tuple(blocks)


def build_summary_moves(text: CardText) -> tuple[Block, ...]:
    """Return the permitted moves with their heading, and the override."""
    heading = Heading(text("summary.moves"), "3", text("summary.moves-aside"))
    return heading, moves(text), Paragraph(text("summary.override"))


_SIMPLE_DECKS: Final[Mapping[str, Callable[[Words, SoloRules], Deck]]] = {
    NPG: build_reference_deck,
    SUMMARY: build_summary_deck,
}

NAMES: Final = (*_SIMPLE_DECKS, BOUND)

# Default sizes of decks that are not hand-sized cards.
SIZES: Final[Mapping[str, str]] = {SUMMARY: SIZE}


def deck(
    name: str,
    words: Words,
    record: Record | None = None,
    settings: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    copies: int = 1,
) -> Deck:
    """Return the deck with a name from ``NAMES``.

    Args:
        name: the name of the deck.
        words: the words of one or several languages.
        record: the record of a game; the deck uses its settings.
        settings: the settings to use without a record; others have their defaults.
        seed: shuffles the print order of the bound deck; 0 is a seed too.
        copies: the number of copies of each card of the bound deck, 1 to 4.

    Raises:
        UsageError: the number of copies is out of range.
        ScenarioError: a setting or value is unknown.
    """
    rules = load_solo_rules(settings or {}) if record is None else SoloRules.of_record(read_book(BOOK), record)
    return _build_named_deck(name, words, rules, seed=seed, copies=copies)


def _build_named_deck(name: str, words: Words, rules: SoloRules, *, seed: int, copies: int) -> Deck:
    """Return the deck with a name from ``NAMES``; ``seed`` and ``copies`` are for the bound deck.

    Raises:
        UsageError: the number of copies is out of range.
    """
    return (
        build_bound_deck(words, rules, seed=seed, copies=copies) if name == BOUND else _SIMPLE_DECKS[name](words, rules)
    )


def decks(words: Words, rules: SoloRules, *, seed: int = 0, copies: int = 1) -> tuple[Deck, ...]:
    """Return the decks of hand-sized cards, without the summary.

    Args:
        words: the words of one or several languages.
        rules: the rules of the game.
        seed: shuffles the print order of the bound deck; 0 is a seed too.
        copies: the number of copies of each card of the bound deck, 1 to 4.

    Raises:
        UsageError: the number of copies is out of range.
    """
    return tuple(_build_named_deck(name, words, rules, seed=seed, copies=copies) for name in NAMES if name not in SIZES)
