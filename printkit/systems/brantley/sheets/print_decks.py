"""The kit of the card system: all that is needed to play it with printed pages and one die (BR-M01, BR-M02)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import UsageError
from printkit.kit.registry import find
from printkit.page import paper
from printkit.page.sheet import Document
from printkit.recipes.output.printers import sheet_for
from printkit.recipes.prints.decks import CardOrder, deck_document, find_deck
from printkit.systems.brantley.dealing.closed_game import RULES
from printkit.systems.brantley.dealing.decks import REFERENCE, TERRAIN
from printkit.systems.brantley.sheets.documents import SheetOrder, board_document, form_document

KIT: Final = "kit"
"""What is asked for as if it were a deck."""


def kit_files(order: CardOrder) -> Mapping[str, Document]:
    """Return the terrain deck, the quick-reference card, the zone board and the record form by their files' names.

    Raises:
        UsageError: something is asked for that only a single deck can have, or no such paper.
        PageError: the paper is too small.
    """
    if order.count is not None or order.backs:
        raise UsageError("--count and --backs go with one deck; the kit has what it needs")
    system = {RULES: find(RULES)}
    decks = {
        f"cards-{name}.pdf": deck_document(find_deck(name, order.words, system), order).document
        for name in (TERRAIN, REFERENCE)
    }
    private = SheetOrder(
        sheet=sheet_for(order.sheet, margin=order.margin, default=paper.MARGIN, profile=order.profile),
        words=order.words,
        style=order.style,
        profile=order.profile,
    )
    return {
        **decks,
        "zone-board.pdf": board_document(private, order.size),
        "record-form.pdf": form_document(private),
    }
