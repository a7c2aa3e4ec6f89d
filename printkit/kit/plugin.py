"""What a rule system adds beside its rules, each a text that names what is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

NONE: Final[Mapping[str, Any]] = MappingProxyType({})


class Command(NamedTuple):
    """A command of the command line.

    Attributes:
        call: the function that it calls, as ``module:name``; each of its parameters is an options class, as in
            ``printkit.options``. A group of commands calls nothing.
        about: in English what it does; the first sentence is its line in a list, of at most 55 characters.
        group: where it stands in that list: ``make``, ``play``, ``own`` or ``look``.
        takes: the names of the fields that it takes of its options classes, with spaces between; with a minus before
            each, those that it leaves; empty for all.
        usual: its own defaults, by the names of fields. A required argument with one may be left out.
        formats: the tables of what ``--to`` may be, as ``module:name``.
    """

    call: str
    about: str
    group: str = ""
    takes: str = ""
    usual: Mapping[str, Any] = NONE
    formats: tuple[str, ...] = ()


class CardJob(NamedTuple):
    """What is asked for as if it were a deck, and is made otherwise; ``settings`` where it goes with ``--set``."""

    make: str
    settings: bool = False


class FreeDecks(NamedTuple):
    """Decks of a rule system that belong to no game.

    Attributes:
        names: of the decks.
        deck: returns one of them in a language, by a seed and copies.
        shuffled: the one with which seed and copies go.
        sizes: of decks whose cards are not those of a hand.
    """

    names: tuple[str, ...] = ()
    deck: str = ""
    shuffled: str = ""
    sizes: Mapping[str, str] = NONE


class Plugin(NamedTuple):
    """A rule system to the rest of printkit: ``module:name`` for each thing, so that a name costs nothing.

    It is read before anything is known of a command line, and so holds nothing that would have to be loaded for it.

    Attributes:
        name: of the system.
        data: the folder with its templates, laid out as ours; of ours None, whose templates are there already.
        system: a function or class that returns the rule system.
        faces: what draws the fronts of cards, by ``Card.face``.
        backs: what draws the content of their backs, where it is not that of a card of text.
        diagrams: small plans beside words, by their names.
        painters: what draws the overlays of a kind on a map.
        overlays: returns the battlefield of a record with what its scenario gave besides.
        sides: what a record tells of each side, by its name (``kit.sides.ToldSide``).
        deploying: sentences that tell a side where it deploys, in place of the one for all: of record, side, words
            and what says a length in mm.
        umpire_pages: pages of the umpire's copy, of a handout; so are the next six.
        layout_pages: pages for whoever lays the table.
        form_pages: the form by which the next table is made by hand.
        reference_pages: rules in short, which stand in the reference in place of the texts of its decks.
        reference_blocks: rules in short, which stand first in the reference of every evening.
        evening_files: several files, each with its name.
        evening_texts: what is in the folder besides and is not printed, each with its name.
        umpire_decks: decks for whoever runs the game, and nobody else.
        side_blocks: what stands on the sheets of a side.
        side_pieces: what each side has of its own at a virtual table, and what lies there for all.
        sealed_games: what a screen may do with games that are dealt in secret.
        lone_battles: what a screen may do with battles against a general without a player.
        blank_form: all that a table made by hand takes, as a document.
        decks: the names of the decks that its games may have.
        spare: parts of an evening that are printed only when they are asked for, as ``cards-terrain``, each with its
            use (``recipes.output.handout.PartUse``).
        free_decks: decks that belong to no game.
        card_jobs: what else is printed as if it were a deck, by its name.
        commands: of its own, by their names; ``npg armies`` is one of a group ``npg``.
        elements: whether its armies are of elements, which play bounds, as those of DBA; others have units and turns.
        shapes: goes up, at most once a release, when the same dice give other outlines. Records keep it, so that an
            older one is not called wrong for its outlines.
    """

    name: str
    system: str
    data: Path | None = None
    faces: Mapping[str, str] = NONE
    backs: Mapping[str, str] = NONE
    diagrams: Mapping[str, str] = NONE
    painters: Mapping[str, str] = NONE
    overlays: str = ""
    sides: str = ""
    deploying: str = ""
    umpire_pages: str = ""
    layout_pages: str = ""
    form_pages: str = ""
    reference_pages: str = ""
    reference_blocks: str = ""
    evening_files: str = ""
    evening_texts: str = ""
    umpire_decks: str = ""
    side_blocks: str = ""
    side_pieces: str = ""
    blank_form: str = ""
    sealed_games: str = ""
    lone_battles: str = ""
    decks: tuple[str, ...] = ()
    spare: Mapping[str, str] = NONE
    free_decks: FreeDecks = FreeDecks()
    card_jobs: Mapping[str, CardJob] = NONE
    commands: Mapping[str, Command] = NONE
    elements: bool = False
    shapes: int = 1


def load(text: str) -> Any:
    """Return what a text ``module:name`` names.

    Raises:
        ImportError: there is no such module.
        AttributeError: it has no such name.
    """
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)
