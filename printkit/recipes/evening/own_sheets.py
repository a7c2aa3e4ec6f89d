"""What single rule systems add to the files of an evening, besides what every system has."""

from __future__ import annotations

from typing import Any

from printkit.content.cards import Deck
from printkit.drawing.text.leaflet import Content
from printkit.kit.registry import added
from printkit.page.sheet import Page
from printkit.recipes.evening.player_sheets import Side
from printkit.recipes.output.handout import Handout, OwnFile


def own_pages(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds to the umpire's copy; none for most.

    Raises:
        PageError: the paper is too small.
    """
    return _added(handout, "umpire_pages")


def own_layout(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds for whoever lays the table; none for most.

    Raises:
        PageError: the paper is too small.
    """
    return _added(handout, "layout_pages")


def own_form(handout: Handout) -> tuple[Page, ...]:
    """Return the form by which the next table is made by hand; none for most rule systems.

    Raises:
        PageError: the paper is too small.
    """
    return _added(handout, "form_pages")


def own_evening(handout: Handout) -> tuple[Page, ...]:
    """Return the pages that the rule system adds as a file of its own, for all; none for most.

    Raises:
        PageError: the paper is too small.
        ScenarioError: what the record gives for them cannot be read.
    """
    return _added(handout, "evening_pages")


def own_files(handout: Handout) -> tuple[OwnFile, ...]:
    """Return the files that the rule system adds to an evening; none for most.

    Raises:
        PageError: the paper is too small, or a text does not fit its place.
    """
    return _added(handout, "evening_files")


def own_decks(handout: Handout) -> tuple[Deck, ...]:
    """Return the decks that the rule system adds for whoever runs the game, and for nobody else; none for most."""
    return _added(handout, "umpire_decks")


def own_blocks(handout: Handout, side: Side) -> tuple[Content, ...]:
    """Return what the rule system adds to the sheets of a side; nothing for most."""
    return _added(handout, "side_blocks") if side.solo else ()


def _added(handout: Handout, what: str) -> tuple[Any, ...]:
    """Return what the rule system makes of a handout under the name of a field of ``Plugin``."""
    add = added(handout.system.name, what)
    return () if add is None else add(handout)
