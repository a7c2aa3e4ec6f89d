"""Pages that this rule system adds to a game-night folder."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from printkit.page.sheet import Page
from printkit.recipes.output.handout import HandoutContext

# Settings for a location that is not rolled yet.
OPEN_SETTINGS: Final = {"state": "any", "geography": "by-state", "water": "auto"}


def layout_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the piece list and the network diagram as pages.

    Raises:
        PageError: the paper is too small.
    """
    from printkit.systems.acw.sheets.network_pages import network_pages
    from printkit.systems.acw.sheets.pages import piece_pages

    return (*piece_pages(handout), *network_pages(handout))


def form_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the blank form for sketching a table of this size, as one page.

    State, geography and other choices of the record are left open on it.

    Raises:
        PageError: the paper is too small.
    """
    from printkit.systems.acw.sheets.form import form_page

    open_record = replace(handout.record, settings={**handout.rules.settings, **OPEN_SETTINGS})
    return (form_page(replace(handout, record=open_record))[0],)
