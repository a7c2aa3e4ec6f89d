"""What a rule system adds beside its rules, each a text that names what is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

if TYPE_CHECKING:
    from printkit.content.cards import Deck


class Plugin(Struct, frozen=True, kw_only=True):
    """A rule system to the rest of printkit: ``module:name`` for each thing, so that a name costs nothing.

    Attributes:
        name: of the system.
        system: a function or class that returns the rule system.
        faces: what draws the fronts of cards, by ``Card.face``.
        backs: what draws the content of their backs, where it is not that of a card of text.
        diagrams: small plans beside words, by their names.
        painters: what draws the overlays of a kind on a map.
        overlays: returns the battlefield of a record with what its scenario gave besides.
        umpire_pages: pages of the umpire's copy, of a handout; so are the next four.
        layout_pages: pages for whoever lays the table.
        form_pages: the form by which the next table is made by hand.
        evening_pages: a file of its own for all.
        evening_files: several files, each with its name.
        umpire_decks: decks for whoever runs the game, and nobody else.
        side_blocks: what stands on the sheets of a side.
        blank_form: all that a table made by hand takes, as a document.
        free_decks: decks that belong to no battle.
    """

    name: str
    system: str
    faces: Mapping[str, str] = field(default_factory=dict)
    backs: Mapping[str, str] = field(default_factory=dict)
    diagrams: Mapping[str, str] = field(default_factory=dict)
    painters: Mapping[str, str] = field(default_factory=dict)
    overlays: str = ""
    umpire_pages: str = ""
    layout_pages: str = ""
    form_pages: str = ""
    evening_pages: str = ""
    evening_files: str = ""
    umpire_decks: str = ""
    side_blocks: str = ""
    blank_form: str = ""
    free_decks: str = ""


class FreeDecks(Struct, frozen=True, kw_only=True):
    """Decks of a rule system that belong to no game.

    ``deck`` makes one of the ``names`` in a language, by a ``seed`` and ``copies``, which go with the ``shuffled`` one
    alone; ``sizes`` are those of decks whose cards are not those of a hand.
    """

    system: str
    names: tuple[str, ...]
    shuffled: str
    deck: Callable[..., Deck]
    sizes: Mapping[str, str] = field(default_factory=dict)


def load(text: str) -> Any:
    """Return what a text ``module:name`` names.

    Raises:
        ImportError: there is no such module.
        AttributeError: it has no such name.
    """
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)
