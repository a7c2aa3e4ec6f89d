"""What single rule systems add to the files of an evening, besides what every system has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from printkit.errors import RecordError
from printkit.page.sheet import Page
from printkit.recipes.handout import Handout


def own_pages(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds to the umpire's copy; none for most.

    Raises:
        PageError: the paper is too small.
    """
    add = _OWN.get(handout.system.name)
    return () if add is None else add(handout)


def own_layout(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds for whoever lays the table; none for most.

    Raises:
        PageError: the paper is too small.
    """
    add = _LAID.get(handout.system.name)
    return () if add is None else add(handout)


def own_form(handout: Handout) -> tuple[Page, ...]:
    """Return the form by which the next table is made by hand; none for most rule systems.

    Raises:
        PageError: the paper is too small.
    """
    add = _FORMS.get(handout.system.name)
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


def _acw(handout: Handout) -> tuple[Page, ...]:
    """Return the log of the zones."""
    from printkit.recipes.acw_sheets import log_pages

    return log_pages(handout)


def _acw_layout(handout: Handout) -> tuple[Page, ...]:
    """Return the network from zone to zone, the list of pieces, and what each feature is like."""
    from printkit.recipes.acw_network import network_pages
    from printkit.recipes.acw_sheets import key_pages, piece_pages

    return (*piece_pages(handout), *network_pages(handout), *key_pages(handout))


def _acw_form(handout: Handout) -> tuple[Page, ...]:
    """Return the form on which the defender sketches a table of this size."""
    from printkit.recipes.acw_form import FormOrder, form_page
    from printkit.rules.acw.sheets import settings_of

    book, record = handout.system.book, handout.record
    order = FormOrder(
        book=book,
        board=record.battlefield.board,
        settings={**settings_of(record, book), **OPEN},
        sheet=handout.sheet,
        style=handout.style,
        words=handout.words,
    )
    return (form_page(order)[0],)


OPEN: Final = {"state": "any", "geography": "by-state", "water": "auto"}
"""Settings of a country that is still to be diced for."""

_OWN: Final[Mapping[str, Callable[[Handout], tuple[Page, ...]]]] = {"acw": _acw, "brantley": _brantley}
_LAID: Final[Mapping[str, Callable[[Handout], tuple[Page, ...]]]] = {"acw": _acw_layout}
_FORMS: Final[Mapping[str, Callable[[Handout], tuple[Page, ...]]]] = {"acw": _acw_form}
