"""The pages of terrain by playing cards in a game-night folder."""

from __future__ import annotations

from printkit.core.errors import RecordError
from printkit.options.printing import PrintOptions
from printkit.page.sheet import Page
from printkit.recipes.output.handout import HandoutContext


def umpire_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the pages for the umpire with the revealed cards by zone and all cards of the pack.

    The result is empty for a battlefield that was drawn by hand.
    """
    from printkit.recipes.output.printers import PrintContext
    from printkit.systems.brantley.sheets.documents import reveal_pages

    order = PrintContext(asked=PrintOptions(), sheet=handout.sheet, words=handout.words, style=handout.style)
    try:
        return reveal_pages(handout.record, order)
    except RecordError:
        return ()
