"""The files of a print: the sheets of each, the work that they take, and the facts about them as plain values.

Minutes are pages x 10 s for printing, straight cuts x 15 s, and joints of two sheets x 60 s, rounded up for each file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import count
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field

if TYPE_CHECKING:
    from printkit.page.sheet import Document, Flip
    from printkit.recipes.output.files import FileContent

PRINT_SECONDS: Final = 10
CUT_SECONDS: Final = 15
PASTE_SECONDS: Final = 60


class PartUse(StrEnum):
    """The purpose of a game-night file: this game, preparation of the next game, or the umpire only."""

    TONIGHT = "tonight"
    NEXT = "next-time"
    UMPIRE = "umpire"


class FilePart(Struct, frozen=True, kw_only=True):
    """One file to print: its path in the folder, its description and use, and the work that it takes.

    ``cuts`` counts straight cuts, ``joints`` the seams between two pasted sheets. ``card`` means stronger paper.
    ``kind`` is what it shows; by default its name. ``bare`` has the names of sheets without terrain features, and
    ``plan_sheets`` counts the sheets of an assembly plan.
    """

    name: str
    description: str
    document: Document
    use: PartUse = PartUse.TONIGHT
    cuts: int = 0
    joints: int = 0
    card: bool = False
    kind: str = ""
    bare: tuple[str, ...] = ()
    plan_sheets: int = 0

    @property
    def pages(self) -> int:
        """Return the number of printed sides."""
        return len(self.document.pages)

    @property
    def sheets(self) -> int:
        """Return the number of sheets of paper: pages that are not the back of another one."""
        return sum(not page.back for page in self.document.pages)

    @property
    def flip(self) -> Flip | None:
        """Return the edge for flipping the sheets; None if only one side is printed."""
        return self.document.flip if self.sheets < self.pages else None

    @property
    def minutes(self) -> int:
        """Return the approximate work for the file in minutes, rounded up: printing, cutting and joining."""
        seconds = self.pages * PRINT_SECONDS + self.cuts * CUT_SECONDS + self.joints * PASTE_SECONDS
        return math.ceil(seconds / 60)


class PrintedFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The facts about a written file.

    Attributes:
        file: its path below the output folder, with slashes.
        kind: what it shows: ``map``, ``map-plan``, ``overview``, ``cards-terrain``; of a file that is not for printing
            its suffixes, for example ``json`` or ``tts.json``.
        order: its place in the order of printing, from 1; 0 for a file that is not printed in this order.
        audience: its folder, which names who gets it, ``player-a`` or ``umpire``; empty for everybody.
        description: what it is, in the language of the sheets.
        sheets: sheets of paper.
        sides: printed sides.
        plan_sheets: sheets of the assembly plan among them.
        cuts: straight cuts.
        minutes: the time to print, cut and paste it, rounded up.
        ink: the share of the paper that ink covers, in per cent.
        paper: the name of the paper.
        landscape: whether the last sheet is wider than high.
        flip: the edge to flip the sheets on; empty if only one side is printed.
        bare: the names of sheets without terrain features.
    """

    file: str
    kind: str
    order: int = 0
    audience: str = field(default="", name="for")
    description: str = ""
    sheets: int = 0
    sides: int = 0
    plan_sheets: int = 0
    cuts: int = 0
    minutes: int = 0
    ink: int = 0
    paper: str = ""
    landscape: bool = False
    flip: str = ""
    bare: tuple[str, ...] = ()


class PrintWork(NamedTuple):
    """The work to print several files: sheets of paper, straight cuts and minutes."""

    sheets: int
    cuts: int
    minutes: int


def sum_work(files: Iterable[FilePart | PrintedFile]) -> PrintWork:
    """Return the work to print all of these files."""
    rows = [(file.sheets, file.cuts, file.minutes) for file in files]
    return PrintWork(*map(sum, zip(*rows, strict=True))) if rows else PrintWork(0, 0, 0)


def document_parts(files: Mapping[str, FileContent], kind: str) -> tuple[FilePart, ...]:
    """Return the documents among files by name as parts without further work.

    ``kind`` becomes the kind of each part. Files that are not documents are left out.
    """
    from printkit.page.sheet import Document

    return tuple(
        FilePart(name=name, description=content.title, document=content, kind=kind)
        for name, content in files.items()
        if isinstance(content, Document)
    )


def describe_files(names: Iterable[str], parts: Sequence[FilePart], *, first_order: int = 1) -> tuple[PrintedFile, ...]:
    """Return the facts about written files by name, the parts to print first and in their order.

    ``first_order`` is the place of the first part in the order of printing, or 0.
    """
    part_names = {part.name for part in parts}
    others = (PurePosixPath(name) for name in names if name not in part_names)
    return (
        *map(_describe_part, parts, count(first_order)),
        *(PrintedFile(file=str(path), kind="".join(path.suffixes)[1:]) for path in others),
    )


def _describe_part(part: FilePart, order: int) -> PrintedFile:
    """Return the facts about a file to print; ``order`` is its place in the order of printing, or 0."""
    from printkit.export.png import ink_estimate

    paper = part.document.pages[-1].sheet
    return PrintedFile(
        file=part.name,
        kind=part.kind or PurePosixPath(part.name).stem,
        order=order,
        audience=part.name.rpartition("/")[0],
        description=part.description,
        sheets=part.sheets,
        sides=part.pages,
        plan_sheets=part.plan_sheets,
        cuts=part.cuts,
        minutes=part.minutes,
        ink=round(100 * ink_estimate(part.document)),
        paper=paper.name,
        landscape=paper.is_landscape,
        flip=part.flip or "",
        bare=part.bare,
    )
