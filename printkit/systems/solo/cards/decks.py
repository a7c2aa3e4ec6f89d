"""The decks that do not depend on a battle: reference cards, the summary card, and the bound deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Heading, Paragraph, ScoreTable, Steps
from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.systems.solo.armies.rules import BOOK, SoloRules, load_solo_rules
from printkit.systems.solo.cards.bound_deck import BOUND, build_bound_deck
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.reference import NPG, build_reference_deck
from printkit.systems.solo.cards.tables import move_names
from printkit.systems.solo.tactics.tactics_tables import Stance
from printkit.terrain.field.record import Record

# --- The summary of the tactical engine on one large card: level, stance, allowed moves, override ---------------------

SUMMARY: Final = "summary"
FACE: Final = "npg-summary"

# Default size in mm; on smaller cards the moves are on the back.
SIZE: Final = "150x150"

STANCES: Final = (Stance.AGGRESSIVE, Stance.CAUTIOUS, Stance.DEFENSIVE)


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
    tables = tuple(build_die_section(text, name, str(number)) for number, name in enumerate(("level", "stance"), 1))
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


def build_die_section(text: CardText, name: str, number: str) -> tuple[Block, ...]:
    """Return three blocks for one die: its heading, its table and its modifiers.

    ``name`` is ``level`` or ``stance``, and ``number`` the number in the heading.
    """
    table = text.rules.outcomes(name)
    rows = tuple((text.format_span(row.span), text(f"{name}.{row.outcome}")) for row in table.rows)
    return (
        Heading(text(f"summary.{name}"), number, text(f"summary.{name}-aside")),
        ScoreTable(rows, title="", dice=""),
        text.build_modifiers(name),
    )


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
