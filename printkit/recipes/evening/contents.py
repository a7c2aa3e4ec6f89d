"""The contents of an evening's folder: every file with its sheets, cuts and minutes, in which order, and for whom.

Minutes are pages x 10 s for printing, straight cuts x 15 s, and joints of two sheets x 60 s, rounded up for each file.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Align, Block, Bullets, Heading, Paragraph, Steps, Table
from printkit.core.units import MM_PER_POINT
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Rect, Text
from printkit.drawing.lettering.lettering import width
from printkit.drawing.text.figures import Beside, Figure
from printkit.drawing.text.leaflet import Content
from printkit.kit.sides import PlayerSide, mentioned
from printkit.page.sheet import Document, FileLink, Flip, Page
from printkit.recipes.output.handout import Handout

PRINT_SECONDS: Final = 10
CUT_SECONDS: Final = 15
PASTE_SECONDS: Final = 60

MAP_PLAN: Final = "map-plan.pdf"
"""The plan of a map that is printed on other paper than the plan."""

_PIECES: Final = 6
"""Into so many pieces the name of a file is broken at most."""

_ABOVE: Final = 0.9
_BELOW: Final = 0.3
"""How far a link reaches above and below the foot of its line, as a share of the size of type."""

_SHARES: Final = (3.0, 4.4, 0.95, 2.3, 0.85, 0.85)
_RIGHT: Final[Align] = "right"
_LEFT: Final[Align] = "left"
_ALIGNS: Final[tuple[Align, ...]] = (_LEFT, _LEFT, _RIGHT, _LEFT, _RIGHT, _RIGHT)
_HEAD: Final = ("file", "what", "sheets", "paper", "cuts", "minutes")


class FilePart(Struct, frozen=True, kw_only=True):
    """One file to print: its path in the folder, what it is, and the work that it takes.

    ``sheets`` counts paper, so a sheet that is printed on both sides counts once. ``joints`` are the seams at which
    two sheets are pasted together. ``card`` wants stronger paper.
    """

    name: str
    what: str
    document: Document
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


def contents_pages(
    handout: Handout, shown: Drawing, parts: Sequence[FilePart], sides: Sequence[PlayerSide]
) -> tuple[Page, ...]:
    """Return the contents: one page, where the paper is no smaller than usual.

    Args:
        handout: the record, and how it is printed.
        shown: a small map.
        parts: all files but the contents, in the order in which they are printed.
        sides: those who get a folder.

    Raises:
        PageError: the paper is too small.
    """
    title, bookmark = (handout.words(f"handouts.contents.{name}") for name in ("title", "bookmark"))
    contents = _contents(handout, shown, parts, sides)
    return handout.leaflet(title, contents, subtitle=handout.title, bookmark=bookmark)


def linked(pages: Sequence[Page], names: Collection[str]) -> tuple[Page, ...]:
    """Return pages as they print, on which each name of a file leads to it; links stand in the order of reading."""

    def read(link: FileLink) -> tuple[float, float]:
        return -round(link.place.y, 1), link.place.x

    return tuple(replace(page, links=tuple(sorted(_links(page, names), key=read))) for page in pages)


def _links(page: Page, names: Collection[str]) -> Iterator[FileLink]:
    for placement in page.placements:
        type_ = [item for _, item in placement.drawing.items() if isinstance(item, Text)]
        left = 0
        while left < len(type_):
            # A name that is longer than its column goes over several rows, each with a piece of it.
            ends = range(left + 1, left + 1 + _PIECES)
            said = {end: "".join(text.content for text in type_[left:end]) for end in ends}
            end = next((end for end in ends if said[end] in names), None)
            if end is None:
                left += 1
                continue
            yield from (FileLink(_place(text, placement.transform), said[end]) for text in type_[left:end])
            left = end


def _place(text: Text, put: Affine) -> Rect:
    """Return what a line of type takes of a page."""
    long, high = width(text.content, text.font, text.size_pt, track=text.track), text.size_pt * MM_PER_POINT
    x, y = text.at
    left, low = put.at(x, y - _BELOW * high)
    right, top = put.at(x + long, y + _ABOVE * high)
    return Rect(left, low, right - left, top - low)


def _contents(
    handout: Handout, shown: Drawing, parts: Sequence[FilePart], sides: Sequence[PlayerSide]
) -> Iterator[Content]:
    words = handout.words
    yield Beside(Figure(shown), tuple(_for_whom(handout, sides)), side="right")
    yield Heading(words("handouts.contents.files"), aside=words("handouts.contents.files-aside"))
    yield _table(parts, words)
    yield Heading(words("handouts.contents.order"))
    for one in words.each():
        yield Steps(tuple(_steps(parts, one)))
    yield Paragraph(words("handouts.contents.note", print=PRINT_SECONDS, cut=CUT_SECONDS, paste=PASTE_SECONDS), "note")


def _for_whom(handout: Handout, sides: Sequence[PlayerSide]) -> Iterator[Block]:
    words = handout.words

    def intro(one: Words) -> str:
        said = one("handouts.contents.intro", rules=handout.system.book.title_in(one))
        seed = handout.record.seed if handout.show_seed else None
        return said if seed is None else f"{said} {one('handouts.contents.seed', seed=seed)}"

    for one in words.each():
        yield Paragraph(intro(one))
    yield Heading(words("handouts.contents.hand-over"), aside=words("handouts.contents.hand-over-aside"))
    for one in words.each():
        own = [
            one(
                f"handouts.contents.for-{'you' if side.solo else 'player'}",
                folder=side.folder,
                side=mentioned(side, one),
            )
            for side in sides
        ]
        yield Bullets((*own, one("handouts.contents.for-umpire"), one("handouts.contents.for-all")))


def _table(parts: Sequence[FilePart], words: Words) -> Table:
    rows = []
    for part in parts:
        cuts = str(part.cuts) if part.cuts else "–"
        paper = _paper(part, words)
        rows.append((f"**{part.name}**", part.what, str(part.sheets), paper, cuts, str(part.minutes)))
    sums = (sum(part.sheets for part in parts), sum(part.cuts for part in parts), sum(part.minutes for part in parts))
    sheets, cuts, minutes = (f"**{number}**" for number in sums)
    rows.append((f"**{words('handouts.contents.sum')}**", "", sheets, "", cuts, minutes))
    head = tuple(words(f"handouts.contents.{name}") for name in _HEAD)
    return Table(rows=tuple(rows), head=head, shares=_SHARES, aligns=_ALIGNS)


def _paper(part: FilePart, words: Words) -> str:
    """Return on what a file is printed, and whether on both sides."""
    # A map on a roll is longer than the plan that comes before it.
    sheet = part.document.pages[-1].sheet
    name = sheet.name.upper() if len(sheet.name) == len("a4") else sheet.name.capitalize()
    if sheet.cut:
        size = {"width": f"{sheet.width:.0f}", "height": f"{sheet.height:.0f}"}
        return words("handouts.contents.roll", paper=name, **size)
    both = part.flip is not None
    kind = ("card-both" if both else "card") if part.card else ("both" if both else "one")
    return words(f"handouts.contents.{kind}", paper=name)


def _steps(parts: Sequence[FilePart], words: Words) -> Iterator[str]:
    """Yield what is done one after the other."""
    by_name = {part.name: part for part in parts}
    yield words("handouts.step.check")
    the_map = by_name["map.pdf"]
    tiled = "tiled-apart" if MAP_PLAN in by_name else "tiled"
    yield words(f"handouts.step.map-{tiled if the_map.joints else 'one'}", count=the_map.joints + 1)
    cards = [part for part in parts if part.card]
    for flip in dict.fromkeys(part.flip for part in cards):
        names = _listed([part.name for part in cards if part.flip is flip])
        if flip is None:
            yield words("handouts.step.cards", names=names)
        else:
            yield words("handouts.step.cards-both", names=names, edge=words(f"handouts.edge.{flip}"))
    yield words("handouts.step.layout")
    folders = dict.fromkeys(f"{part.name.split('/')[0]}/" for part in parts if "/" in part.name)
    yield words("handouts.step.folders", names=_listed(list(folders)))
    yield words("handouts.step.table")
    if "battle-sheet.pdf" in by_name:
        yield words("handouts.step.solo")
    if "form.pdf" in by_name:
        yield words("handouts.step.form")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"**{name}**" for name in names)
