"""The plugin of a rule system: names of objects that printkit loads only when it needs them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from printkit.core.errors import Sentence

NONE: Final[Mapping[str, Any]] = MappingProxyType({})


class Command(NamedTuple):
    """A command of the command line.

    Attributes:
        call: the function to call (``module:name``); each of its parameters is an options class like those in
            ``printkit.options``. Empty for a group of commands.
        about: the help text in English; the first sentence, of at most 55 characters, is its line in the list.
        group: its section of that list: ``make``, ``play``, ``own`` or ``look``; those of other packages share one.
        takes: the field names of its options classes that it accepts, separated by spaces; with a minus before each,
            the fields that it does not accept; empty for all.
        usual: defaults by field name. A required argument with a default is optional.
        formats: the tables of valid ``--to`` values (``module:name``).
    """

    call: str
    about: str
    group: str = ""
    takes: str = ""
    usual: Mapping[str, Any] = NONE
    formats: tuple[str, ...] = ()


class FileFormat(NamedTuple):
    """The format of a file that users write.

    Attributes:
        type: ``module:name`` of the type for its values.
        example: the folder in ``templates`` and the name of an example to fill in; a name without an ending is of TOML.
        purpose: what the file is.
    """

    type: str
    example: tuple[str, str]
    purpose: Sentence


class CardJob(NamedTuple):
    """A print job that has the name of a deck but its own function; ``settings``: whether it accepts ``--set``."""

    make: str
    settings: bool = False


class FreeDecks(NamedTuple):
    """Decks of a rule system that do not belong to a game.

    Attributes:
        names: the names of the decks.
        deck: the function that returns a deck for a language, a seed and a number of copies.
        shuffled: the deck that accepts a seed and copies.
        sizes: the card sizes of decks that do not use the default size.
    """

    names: tuple[str, ...] = ()
    deck: str = ""
    shuffled: str = ""
    sizes: Mapping[str, str] = NONE


class Plugin(NamedTuple):
    """Registration of a rule system. Each part is a text ``module:name`` that is imported only when needed.

    printkit reads it before it parses a command line.

    Attributes:
        name: the name of the system.
        data: the folder with its templates, in the same structure as those of printkit; None for built-in systems.
        system: a function or class that returns the rule system.
        faces: the functions that draw the fronts of cards, by ``Card.face``.
        backs: the functions that draw the content of card backs, if that is not plain text.
        diagrams: the functions that draw small plans next to text, by name.
        painters: the functions that draw overlays on a map, by kind of overlay.
        overlays: a function that returns the battlefield of a record with the additions of its scenario.
        sides: a function that returns the facts of a record about each side, by its name (``kit.sides.RecordedSide``).
        deploying: a function for the sentences that say where a side deploys, in place of the default sentence. It
            gets the record, the side, the words and a function that formats a length in mm.
        umpire_pages: a function that takes a handout and returns pages for the umpire; the next six take one too.
        layout_pages: pages for whoever builds the table.
        form_pages: the form for making the next table by hand.
        reference_pages: short rules, which replace the texts of the decks in the reference.
        reference_blocks: short rules at the start of the reference of every game night.
        sheets: sheets of a game night for everybody, by the name of their file: functions that take a handout and
            return blocks. ``handouts.file.NAME`` is the title of each.
        evening_files: several files of a game night, each with its name.
        evening_texts: other files of the folder that are not printed, each with its name.
        umpire_decks: decks for the umpire only.
        side_blocks: text blocks on the sheets of a side.
        side_pieces: the pieces of each side, and the common ones, for a virtual tabletop.
        sealed_games: the functions of the studio for games that are dealt in secret.
        lone_battles: the functions of the studio for battles against the NPG.
        blank_form: a document with all forms for a table made by hand.
        decks: the names of the decks that its games may have.
        spare: optional parts of a game night, for example ``cards-terrain``, each with its use
            (``recipes.output.handout.PartUse``).
        free_decks: decks that do not belong to a game.
        card_jobs: other print jobs that have the name of a deck, by that name.
        commands: its commands by name; ``npg armies`` belongs to the group ``npg``.
        file_formats: the formats of its files that users write, by the kind of file.
        elements: whether its armies have elements and play bounds, as in DBA; other systems have units and turns.
        shapes: a version number. It increases, at most once a release, when the same dice give other outlines. Records
            store it, so that outlines of older records are not reported as wrong.
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
    sheets: Mapping[str, str] = NONE
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
    file_formats: Mapping[str, FileFormat] = NONE
    elements: bool = False
    shapes: int = 1


def load(text: str) -> Any:
    """Import the module of a text ``module:name`` and return the object with that name.

    Raises:
        ImportError: there is no such module.
        AttributeError: the module does not have that name.
    """
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)
