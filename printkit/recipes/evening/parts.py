"""The parts of an evening: what each is for, what it takes to print it, and which of them serve this game.

Minutes are pages x 10 s for printing, straight cuts x 15 s, and joints of two sheets x 60 s, rounded up for each file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.kit.system import RuleSystem
from printkit.options.printing import EveningOptions
from printkit.page.sheet import Document, Flip
from printkit.recipes.output.handout import PartUse
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.record import Record

PRINT_SECONDS: Final = 10
CUT_SECONDS: Final = 15
PASTE_SECONDS: Final = 60

CARDS: Final = "cards"
"""The name of all decks together."""

_NEAREST: Final = 3
"""So many names are told at most where a person has typed one that there is not."""


class FilePart(Struct, frozen=True, kw_only=True):
    """One file to print: its path in the folder, what it is and is for, and the work that it takes.

    ``sheets`` counts paper, so a sheet that is printed on both sides counts once. ``joints`` are the seams at which
    two sheets are pasted together. ``card`` wants stronger paper.
    """

    name: str
    what: str
    document: Document
    use: PartUse = PartUse.TONIGHT
    cuts: int = 0
    joints: int = 0
    card: bool = False

    @property
    def pages(self) -> int:
        """Return how many sides are printed."""
        return len(self.document.pages)

    @property
    def sheets(self) -> int:
        """Return how many sheets of paper it takes."""
        return sum(not page.back for page in self.document.pages)

    @property
    def flip(self) -> Flip | None:
        """Return over which edge the sheets are turned to be printed on the back too."""
        return self.document.flip if self.sheets < self.pages else None

    @property
    def minutes(self) -> int:
        """Return the minutes that a person is busy with it, roughly."""
        seconds = self.pages * PRINT_SECONDS + self.cuts * CUT_SECONDS + self.joints * PASTE_SECONDS
        return math.ceil(seconds / 60)


class Offer(Struct, frozen=True, kw_only=True):
    """A part that an evening may have: its path in the folder, what it is and is for, and what makes it.

    A ``usual`` one is printed where nobody says anything. ``make`` returns its files, for a map may have its plan
    beside it.
    """

    name: str
    what: str
    use: PartUse = PartUse.TONIGHT
    usual: bool = True
    make: Callable[[], Iterable[FilePart]]

    @property
    def part(self) -> str:
        """Return the name by which a person asks for it: ``map``, ``cards-terrain``, ``player-a``."""
        return PurePosixPath(self.name).stem

    @property
    def folder(self) -> str:
        """Return the folder in which it lies: ``player-a``; empty where it lies on top."""
        return self.name.rpartition("/")[0]

    @property
    def deck(self) -> bool:
        """Return whether it is one of the decks."""
        return self.part.startswith(f"{CARDS}-")


class TilePlan(NamedTuple):
    """The sheets by which a field is laid of tiles; ``outside`` labels those that the printer does not reach wholly."""

    document: Document
    outside: tuple[str, ...] = ()


Tiler: TypeAlias = Callable[[Record, RuleSystem, SheetContext], TilePlan]

TILER: Final = "printkit.hexon.job:evening_tiles"
"""What lays a field of tiles, which is loaded for an evening that has them."""


class LaidBy(StrEnum):
    """How the table is made: by a printed map, of a person's own pieces, or of Hexon tiles."""

    PRINT = "print"
    BUILD = "build"
    HEXON = "hexon"


MADE_BY: Final = {"map": LaidBy.PRINT, "layout": LaidBy.BUILD, "hexon": LaidBy.HEXON}
"""The part by which a table of each kind is made."""


def part_marks(asked: EveningOptions) -> tuple[str, ...]:
    """Return the options of parts that differ from the defaults, for the name of the folder."""
    made = () if asked.laid == LaidBy.PRINT else (f"table-{asked.laid}",)
    named = (("with", asked.wanted), ("without", asked.unwanted), ("only", asked.only))
    return (*made, *("-".join((word, *sorted(set(names)))) for word, names in named if names))


def judge_parts(asked: EveningOptions) -> None:
    """Refuse options of parts that contradict each other. The game checks later that the parts exist.

    Raises:
        UsageError: a table is made in no such way, or options contradict each other.
    """
    if asked.laid not in list(LaidBy):
        raise _unknown("--table", asked.laid, list(LaidBy))
    for name in asked.wanted:
        if name in asked.unwanted:
            raise UsageError("--with {name} and --without {name} cannot be combined; use one of them", name=name)
    if asked.only and (asked.wanted or asked.unwanted):
        raise UsageError("--only prints just the parts it names; leave out --with and --without")


def chosen(offers: Sequence[Offer], asked: EveningOptions) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """Return the parts that are printed, and the rest, both in the order of the offers.

    A part that is named itself goes before all decks together. A folder is the usual parts in it.

    Raises:
        UsageError: there is no part of a name that is asked for or left out.
    """
    known = {offer.part for offer in offers} | {CARDS for offer in offers if offer.deck}
    folders = {offer.folder for offer in offers if offer.folder}
    for option, names in (("--with", asked.wanted), ("--without", asked.unwanted), ("--only", asked.only)):
        there = known | folders if option == "--only" else known
        for name in names:
            if name not in there:
                raise _unknown(option, name, sorted(there))

    def printed(offer: Offer) -> bool:
        names = (offer.part, CARDS) if offer.deck else (offer.part,)
        if asked.only:
            return not {*names}.isdisjoint(asked.only) or (offer.usual and offer.folder in asked.only)
        for name in names:
            if name in asked.wanted or name in asked.unwanted:
                return name in asked.wanted
        return offer.usual

    return tuple(filter(printed, offers)), tuple(offer for offer in offers if not printed(offer))


def _unknown(option: str, text: str, known: Sequence[str]) -> UsageError:
    """Return that there is no such name, with those most like it, or all."""
    near = get_close_matches(text, known, n=_NEAREST)
    if near:
        return UsageError(
            "{option}: there is no {text!r}; did you mean {near}?", option=option, text=text, near=", ".join(near)
        )
    return UsageError(
        "{option}: there is no {text!r}; use one of {known}", option=option, text=text, known=", ".join(known)
    )
