"""What single rule systems add to the umpire's copy of an evening, besides what every system has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from printkit.errors import RecordError
from printkit.page.sheet import Page
from printkit.recipes.handout import Handout


def own_pages(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds; none for most.

    Raises:
        PageError: the paper is too small.
    """
    add = _OWN.get(handout.system.name)
    return () if add is None else add(handout)


def _brantley(handout: Handout) -> tuple[Page, ...]:
    """Return the cards turned up, zone by zone, and the whole pack; nothing for a field drawn by hand."""
    from printkit.recipes.brantley_sheets import SheetOrder, reveal_sheets
    from printkit.rules.brantley.sheets import revealed

    system, words = handout.system, handout.words
    try:
        facts = revealed(handout.record, system.account(handout.record, words), book=system.book, words=words)
    except RecordError:
        return ()
    order = SheetOrder(sheet=handout.sheet, words=words, style=handout.style)
    return reveal_sheets(facts, order, handout.record)


_OWN: Final[Mapping[str, Callable[[Handout], tuple[Page, ...]]]] = {"brantley": _brantley}
