"""The summary of the tactical engine on one large card: level, stance, permitted moves, override.

Source: the cartography, 16.
"""

from __future__ import annotations

from typing import Final

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Heading, Paragraph, Scores, Steps
from printkit.core.words import Words
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.tactics_tables import Stance

SUMMARY: Final = "summary"
FACE: Final = "npg-summary"

SIZE: Final = "150x150"
"""The size that is meant where nobody says anything; on a smaller one the moves stand on the back."""

_STANCES: Final = (Stance.AGGRESSIVE, Stance.CAUTIOUS, Stance.DEFENSIVE)


def summary_deck(words: Words) -> Deck:
    """Return the summary; two languages side by side have a card each."""
    several = len(words.each()) > 1
    return Deck(
        name=SUMMARY,
        title=words("npg.cards.summary-deck"),
        cards=tuple(_summary(one, several=several) for one in words.each()),
        backs="content",
    )


def _summary(words: Words, *, several: bool) -> Card:
    text = CardText.of(words)
    tables = tuple(_section(text, name, str(number)) for number, name in enumerate(("level", "stance"), 1))
    moves = Heading(text("summary.moves"), "3", text("summary.moves-aside"))
    columns = tuple(
        (
            str(stance),
            text(f"stance.{stance}"),
            tuple(text(f"action.{each.action}") for each in text.tactics.permitted[stance]),
        )
        for stance in _STANCES
    )
    override = text("summary.override")
    lists = [block for _, name, rows in columns for block in (Paragraph(name, "strong"), Steps(rows))]
    return Card(
        id=f"S-{words.code}" if several else "S",
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


def _section(text: CardText, name: str, number: str) -> tuple[Block, ...]:
    """Return the head, the table and the modifiers of one die."""
    table = text.book.tables[name]
    rows = tuple((text.span(row.span), text(f"{name}.{row.outcome}")) for row in table.rows)
    return (
        Heading(text(f"summary.{name}"), number, text(f"summary.{name}-aside")),
        Scores(rows, title="", dice=""),
        text.modifiers(name),
    )
