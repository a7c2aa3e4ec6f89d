"""What terrain by playing cards adds to an evening."""

from __future__ import annotations

from printkit.core.errors import RecordError
from printkit.page.sheet import Page
from printkit.recipes.output.handout import Handout


def umpire_pages(handout: Handout) -> tuple[Page, ...]:
    """Return the cards turned up, zone by zone, and the whole pack; nothing for a field drawn by hand."""
    from printkit.recipes.output.printers import SheetRequest
    from printkit.systems.brantley.dealing.readers import revealed
    from printkit.systems.brantley.sheets.documents import reveal_sheets

    system, words = handout.system, handout.words
    try:
        facts = revealed(handout.record, system.account(handout.record, words), book=system.book, words=words)
    except RecordError:
        return ()
    order = SheetRequest(sheet=handout.sheet, words=words, style=handout.style)
    return reveal_sheets(facts, order, handout.record)
