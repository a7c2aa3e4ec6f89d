"""The decks of the solo game that belong to no battle: reference cards, their summary on one card, the bound deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Heading, Paragraph, ScoreTable, Steps
from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.systems.solo.armies.rules import BOOK, SoloRules, solo_rules
from printkit.systems.solo.cards.bound_deck import BOUND, bound_deck
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.reference import NPG, reference_deck
from printkit.systems.solo.cards.tables import move_names
from printkit.systems.solo.tactics.tactics_tables import Stance
from printkit.terrain.field.record import Record

# --- The summary of the tactical engine on one large card: level, stance, permitted moves, override -------------------

SUMMARY: Final = "summary"
FACE: Final = "npg-summary"

SIZE: Final = "150x150"
"""The size that is meant where nobody says anything; on a smaller one the moves stand on the back."""

STANCES: Final = (Stance.AGGRESSIVE, Stance.CAUTIOUS, Stance.DEFENSIVE)


def summary_deck(words: Words, rules: SoloRules) -> Deck:
    """Return the summary; two languages side by side have a card each."""
    several = len(words.each()) > 1
    return Deck(
        name=SUMMARY,
        title=words("npg.cards.summary-deck"),
        cards=tuple(_summary(CardText(one, rules), several=several) for one in words.each()),
        backs="content",
    )


def _summary(text: CardText, *, several: bool) -> Card:
    tables = tuple(section(text, name, str(number)) for number, name in enumerate(("level", "stance"), 1))
    moves = Heading(text("summary.moves"), "3", text("summary.moves-aside"))
    columns = tuple(
        (
            str(stance),
            text(f"stance.{stance}"),
            tuple(move_names(text, stance)),
        )
        for stance in STANCES
    )
    override = text("summary.override")
    lists = [block for _, name, rows in columns for block in (Paragraph(name, "strong"), Steps(rows))]
    return Card(
        id=f"S-{text.words.code}" if several else "S",
        title=text("summary.title"),
        blocks=(*(block for table in tables for block in table), moves, *lists, Paragraph(override)),
        face=FACE,
        facts={
            "subtitle": text("summary.subtitle"),
            "tables": tables,
            "moves": moves,
            "columns": columns,
            "override": override,
        },
    )


def section(text: CardText, name: str, number: str) -> tuple[Block, ...]:
    """Return the head, the table and the modifiers of one die."""
    table = text.rules.outcomes(name)
    rows = tuple((text.span(row.span), text(f"{name}.{row.outcome}")) for row in table.rows)
    return (
        Heading(text(f"summary.{name}"), number, text(f"summary.{name}-aside")),
        ScoreTable(rows, title="", dice=""),
        text.modifiers(name),
    )


_PLAIN: Final[Mapping[str, Callable[[Words, SoloRules], Deck]]] = {NPG: reference_deck, SUMMARY: summary_deck}

NAMES: Final = (*_PLAIN, BOUND)

SIZES: Final[Mapping[str, str]] = {SUMMARY: SIZE}
"""Sizes of decks whose cards are not those of a hand, where nobody says anything."""


def deck(
    name: str,
    words: Words,
    record: Record | None = None,
    settings: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    copies: int = 1,
) -> Deck:
    """Return one of the decks, ``NAMES``.

    Args:
        name: of the deck.
        words: the language.
        record: of a game, whose settings the deck follows.
        settings: those that it follows otherwise, where they are not the defaults.
        seed: shuffles the order in which the bound deck is printed.
        copies: of each card of the bound deck.

    Raises:
        UsageError: so many copies are not printed.
        ScenarioError: there is no such setting or value.
    """
    rules = solo_rules(settings or {}) if record is None else SoloRules.of_record(read_book(BOOK), record)
    return _made(name, words, rules, seed=seed, copies=copies)


def _made(name: str, words: Words, rules: SoloRules, *, seed: int, copies: int) -> Deck:
    return bound_deck(words, rules, seed=seed, copies=copies) if name == BOUND else _PLAIN[name](words, rules)


def decks(words: Words, rules: SoloRules, *, seed: int = 0, copies: int = 1) -> tuple[Deck, ...]:
    """Return the decks whose cards are those of a hand, as ``deck`` makes them."""
    return tuple(_made(name, words, rules, seed=seed, copies=copies) for name in NAMES if name not in SIZES)
