"""The hidden sheet and the reveal sheet of any record of the card system, also of one that nobody dealt in secret."""

from __future__ import annotations

from printkit.kit.registry import find
from printkit.page.sheet import Page
from printkit.systems.brantley.dealing.closed_game import RULES
from printkit.systems.brantley.dealing.readers import Revealed, hidden_of, revealed
from printkit.systems.brantley.sheets.documents import SheetOrder, hidden_sheets, reveal_sheets
from printkit.terrain.field.record import Record


def hidden_pages(record: Record, order: SheetOrder) -> tuple[Page, ...]:
    """Return the board of a record as it lay before its reveal (BR-A08).

    Raises:
        RecordError: the record does not tell how its cards were laid.
        PageError: the paper is too small.
    """
    return hidden_sheets(hidden_of(record), order)


def reveal_pages(record: Record, order: SheetOrder) -> tuple[Page, ...]:
    """Return everything about the game of a record (BR-A09).

    Raises:
        RecordError: the record does not tell the cards of its zones.
        PageError: the paper is too small.
    """
    return reveal_sheets(revealed_facts(record, order), order, record)


def revealed_facts(record: Record, order: SheetOrder) -> Revealed:
    """Return what a record tells once its cards are turned up, in the language of an order.

    Raises:
        RecordError: the record does not tell the cards of its zones.
    """
    system = find(RULES)
    return revealed(record, system.account(record, order.words), book=system.book, words=order.words)
