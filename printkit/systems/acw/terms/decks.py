"""Reference cards with the dice tables: States, the eight roll tables and a reminder (AC-A02)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from printkit.content.cards import Card, Deck
from printkit.content.prose import Paragraph, Steps, Table
from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.tables import BLANK, CHOICE, STOP, Geography, Tables, choice_list

TABLES: Final = "tables"

_SCORES: Final = range(1, 7)
_ROLLS: Final = range(1, 5)
# Keys of the texts of the reminder card.
_STEPS: Final = ("zones", "stop", "choice", "sketch", "join", "limit")
_NOTES: Final = ("place", "water", "creek", "pick")
# Texts of the reminder card that depend on a setting.
_SETTING_TEXTS: Final = {"join": "ac-q20", "water": "ac-q24"}

_STATE_SHARES: Final = (3.4, 1, 1, 1, 1, 1, 1)
_ROLL_SHARES: Final = (0.4, 1.4, 1.4, 1.4, 1.4)


def decks(rules: Rules, words: Words) -> tuple[Deck, ...]:
    """Return the deck of dice tables for the current settings, with separate cards for each language.

    The tuple has one deck.
    """
    tables = Tables.from_rules(rules)
    cards = tuple(
        card
        for language in words.each()
        for card in _build_cards(tables, rules, language, several=len(words.each()) > 1)
    )
    return (Deck(name=TABLES, title=words("acw.cards.deck"), cards=cards, backs="content", reference=True),)


def _build_cards(tables: Tables, rules: Rules, words: Words, *, several: bool) -> Iterator[Card]:
    """Yield the cards in one language: the State table, the reminder and the roll tables.

    With ``several`` languages the card IDs end in the code of the language.
    """
    rolls = (_build_roll_card(geography, choice_list(geography, rules), words) for geography in tables.geographies)
    cards = (_build_state_card(tables, words), _build_reminder_card(rules, words), *rolls)
    for card in cards:
        yield replace(card, id=f"{card.id}-{words.code}") if several else card


def _build_state_card(tables: Tables, words: Words) -> Card:
    """Return the card of the State table; the second half and the geography letters are on the back."""
    head = (words("acw.cards.state"), *map(str, _SCORES))
    rows = tuple(
        (words(f"acw.region.{row.clause[3:]}"), *(tables.geography(name).letter for name in row.geographies))
        for row in tables.regions
    )
    half = (len(rows) + 1) // 2
    letters = (f"**{geography.letter}** {words(f'acw.geography.{geography.name}')}" for geography in tables.geographies)
    return Card(
        id="states",
        title=words("acw.cards.states"),
        blocks=(Table(rows=rows[:half], head=head, shares=_STATE_SHARES),),
        back=(Table(rows=rows[half:], head=head, shares=_STATE_SHARES), Paragraph(", ".join(letters), "note")),
    )


def _build_roll_card(geography: Geography, options: tuple[Piece, ...], words: Words) -> Card:
    """Return the card of the roll table of a geography.

    It has a row for each score of the die and a column for each roll. ``options`` are the pieces that a CHOICE may
    take.
    """
    return Card(
        id=f"rolls-{geography.name}",
        title=words("acw.cards.rolls", geography=words(f"acw.geography.{geography.name}")),
        blocks=(
            Table(
                rows=tuple(
                    (f"**{die}**", *(format_cell(geography.rolls.cell(die, roll), words) for roll in _ROLLS))
                    for die in _SCORES
                ),
                head=("", *(words(f"acw.cards.roll.{roll}") for roll in _ROLLS)),
                shares=_ROLL_SHARES,
            ),
            *_build_choice_note(geography, options, words),
        ),
        foot=words("acw.cards.number", number=geography.rolls.number),
    )


def _build_choice_note(geography: Geography, options: tuple[Piece, ...], words: Words) -> Iterator[Paragraph]:
    """Yield a note with the pieces that a CHOICE may take, if the table has a CHOICE (AC-410).

    ``options`` are these pieces.
    """
    if any(CHOICE in row for row in geography.rolls.cells):
        pieces = ", ".join(words(f"acw.piece.{piece.key}").lower() for piece in options)
        yield Paragraph(words("acw.cards.choice", pieces=pieces), "note")


def format_cell(cell: str, words: Words) -> str:
    """Return the text of a cell of a roll table: a piece, STOP, CHOICE, or a dash for a blank."""
    if cell in (STOP, CHOICE):
        return f"**{words(f'acw.cell.{cell.lower()}')}**"
    return "–" if cell == BLANK else words(f"acw.piece.{Piece(cell).key}")


def _build_reminder_card(rules: Rules, words: Words) -> Card:
    """Return the card with the steps of the rules, and notes on its back."""
    return Card(
        id="reminder",
        title=words("acw.cards.reminder"),
        blocks=(Steps(tuple(_format_reminder(f"acw.cards.steps.{step}", rules, words) for step in _STEPS)),),
        back=tuple(Paragraph(_format_reminder(f"acw.cards.notes.{note}", rules, words)) for note in _NOTES),
    )


def _format_reminder(key: str, rules: Rules, words: Words) -> str:
    """Return the text of a step or note, with the numbers from the rules.

    ``key`` is the key of the text in the words; for some texts the setting selects a version.
    """
    values = {name: f"{rules.number(name):g}" for name in ("zone", "rolls", "limit")}
    setting = _SETTING_TEXTS.get(key.rpartition(".")[2])
    text_key = f"{key}.{rules.choice(setting)}" if setting else key
    return words(text_key, **values, reach=rules.choice("ac-q21"))
