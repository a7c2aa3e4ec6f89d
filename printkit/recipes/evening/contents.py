"""The contents page of a game-night folder: each file with its use, sheets, cuts and minutes, and the steps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Align, Block, Bullets, Heading, Paragraph, Steps, Table
from printkit.core.units import MM_PER_POINT
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Rect, Text
from printkit.drawing.lettering.lettering import width
from printkit.drawing.text.figures import Figure, SideFigure
from printkit.drawing.text.leaflet import Content
from printkit.kit.sides import PlayerSide, mentioned
from printkit.page.sheet import FileLink, Page
from printkit.recipes.evening.folder import Folders
from printkit.recipes.evening.parts import CUT_SECONDS, MADE_BY, PASTE_SECONDS, PRINT_SECONDS, FilePart, OptionalPart
from printkit.recipes.evening.steps import steps
from printkit.recipes.output.handout import HandoutContext, OwnText, PartUse

# Greatest number of lines for one file name.
_PIECES: Final = 6

# Extent of a link above and below the baseline of its text, as a share of the type size.
_ABOVE: Final = 0.9
_BELOW: Final = 0.3

_SHARES: Final = (2.8, 3.9, 1.15, 0.95, 2.35, 0.8, 0.8)
_REST: Final = (2.4, 6.0, 1.4)
_RIGHT: Final[Align] = "right"
_LEFT: Final[Align] = "left"
_ALIGNS: Final[tuple[Align, ...]] = (_LEFT, _LEFT, _LEFT, _RIGHT, _LEFT, _RIGHT, _RIGHT)
_HEAD: Final = ("file", "what", "use", "sheets", "paper", "cuts", "minutes")
_NONE: Final = "–"

# Defaults, which a command does not need to name.
_STYLE: Final = "campaign"
_LANGUAGE: Final = "en"


class Listed(Struct, frozen=True, kw_only=True):
    """The entries of the contents page.

    Attributes:
        parts: files to print, in order.
        texts: files that are not for printing.
        rest: parts that this game night leaves out.
        sides: the sides that get a folder.
        folders: the paths of the files.
    """

    parts: tuple[FilePart, ...]
    texts: tuple[OwnText, ...] = ()
    rest: tuple[OptionalPart, ...] = ()
    sides: tuple[PlayerSide, ...]
    folders: Folders


def contents_pages(handout: HandoutContext, shown: Drawing, listed: Listed) -> tuple[Page, ...]:
    """Return the contents: one page, if the paper is of normal size and there is one language.

    Args:
        handout: the record, and how to print it.
        shown: a small map.
        listed: all files except the contents.

    Raises:
        PageError: the paper is too small.
    """
    title, bookmark = (handout.words(f"handouts.contents.{name}") for name in ("title", "bookmark"))
    contents = _contents(handout, shown, listed)
    return handout.leaflet(title, contents, subtitle=handout.title, bookmark=bookmark)


def linked(pages: Sequence[Page], names: Collection[str]) -> tuple[Page, ...]:
    """Return final pages with a link on each file name, in reading order."""

    def read(link: FileLink) -> tuple[float, float]:
        return -round(link.place.y, 1), link.place.x

    return tuple(replace(page, links=tuple(sorted(_links(page, names), key=read))) for page in pages)


def _links(page: Page, names: Collection[str]) -> Iterator[FileLink]:
    for placement in page.placements:
        type_ = [item for _, item in placement.drawing.items() if isinstance(item, Text)]
        left = 0
        while left < len(type_):
            # A name that is longer than its column is set in several lines; together they give the name.
            ends = range(left + 1, left + 1 + _PIECES)
            said = {end: "".join(text.content for text in type_[left:end]) for end in ends}
            end = next((end for end in ends if said[end] in names), None)
            if end is None:
                left += 1
                continue
            yield from (FileLink(_place(text, placement.transform), said[end]) for text in type_[left:end])
            left = end


def _place(text: Text, put: Affine) -> Rect:
    """Return the rectangle that a line of type takes on the page."""
    long, high = width(text.content, text.font, text.size_pt, track=text.track), text.size_pt * MM_PER_POINT
    x, y = text.at
    left, low = put.at(x, y - _BELOW * high)
    right, top = put.at(x + long, y + _ABOVE * high)
    return Rect(left, low, right - left, top - low)


def _contents(handout: HandoutContext, shown: Drawing, listed: Listed) -> Iterator[Content]:
    words = handout.words
    yield SideFigure(Figure(shown), tuple(_for_whom(handout, listed)), side="right")
    yield Heading(words("handouts.contents.files"), aside=words("handouts.contents.files-aside"))
    yield _table(listed, words)
    yield Heading(words("handouts.contents.order"))
    for one in words.each():
        yield Steps(tuple(steps(listed.parts, one, listed.texts)))
    yield Paragraph(words("handouts.contents.note", print=PRINT_SECONDS, cut=CUT_SECONDS, paste=PASTE_SECONDS), "note")
    if listed.rest:
        yield Heading(words("handouts.contents.rest"), aside=words("handouts.contents.rest-aside"))
        yield _rest(listed, words)
        command = _command(handout, listed.folders)
        for one in words.each():
            yield Paragraph(one("handouts.contents.rest-how", command=command))


def _for_whom(handout: HandoutContext, listed: Listed) -> Iterator[Block]:
    words = handout.words

    def intro(one: Words) -> str:
        said = one("handouts.contents.intro", rules=handout.system.book.title_in(one))
        seed = handout.record.seed if handout.show_seed else None
        return said if seed is None else f"{said} {one('handouts.contents.seed', seed=seed)}"

    for one in words.each():
        yield Paragraph(intro(one))
    if listed.folders.solo:
        yield Heading(words("handouts.contents.hand-over-you"))
    else:
        yield Heading(words("handouts.contents.hand-over"), aside=words("handouts.contents.hand-over-aside"))
    for one in words.each():
        own = [
            one(
                f"handouts.contents.for-{'you' if side.solo else 'player'}",
                folder=side.folder,
                side=mentioned(side, one),
            )
            for side in listed.sides
        ]
        kept = one(f"handouts.contents.for-{listed.folders.kept}")
        yield Bullets((*own, kept) if listed.folders.solo else (*own, kept, one("handouts.contents.for-all")))


def _table(listed: Listed, words: Words) -> Table:
    rows, parts, solo = [], listed.parts, listed.folders.solo
    for part in parts:
        cuts = str(part.cuts) if part.cuts else _NONE
        told = (f"**{part.name}**", part.what, _use(part.use, words, solo=solo))
        rows.append((*told, str(part.sheets), _paper(part, words), cuts, str(part.minutes)))
    for own in listed.texts:
        told = (f"**{own.name}**", words(f"handouts.file.{own.key}"), _use(own.use, words, solo=solo))
        rows.append((*told, _NONE, _NONE, _NONE, _NONE))
    sums = (sum(part.sheets for part in parts), sum(part.cuts for part in parts), sum(part.minutes for part in parts))
    sheets, cuts, minutes = (f"**{number}**" for number in sums)
    rows.append((f"**{words('handouts.contents.sum')}**", "", "", sheets, "", cuts, minutes))
    head = tuple(_stacked(f"handouts.contents.{name}", words) for name in _HEAD)
    return Table(rows=tuple(rows), head=head, shares=_SHARES, aligns=_ALIGNS)


def _rest(listed: Listed, words: Words) -> Table:
    """Return the table of parts that are not printed, by their names in options."""
    solo = listed.folders.solo
    rows = []
    for offer in listed.rest:
        table = MADE_BY.get(offer.part)
        use = _use(offer.use, words, solo=solo) if table is None else f"--table {table}"
        rows.append((f"**{offer.part}**", offer.what, use))
    return Table(rows=tuple(rows), shares=_REST)


def _use(use: PartUse, words: Words, *, solo: bool) -> str:
    return _stacked("handouts.use.sealed" if solo and use is PartUse.UMPIRE else f"handouts.use.{use.value}", words)


def _stacked(key: str, words: Words) -> str:
    """Return a text for a narrow column, one language below the other."""
    return "\n".join(dict.fromkeys(one(key) for one in words.each()))


def _command(handout: HandoutContext, folders: Folders) -> str:
    """Return the command that prints this game again, with its style and languages if they are not the default."""
    words = [f"printkit handouts --from {folders.record}"]
    if handout.style.name != _STYLE:
        words.append(f"--style {handout.style.name}")
    languages = "+".join(one.code for one in handout.words.each())
    if languages != _LANGUAGE:
        words.append(f"--lang {languages}")
    return " ".join(words)


def _paper(part: FilePart, words: Words) -> str:
    """Return the paper of a file, and whether both sides are printed."""
    # The last page counts: a map on a roll is longer than the plan before it.
    sheet = part.document.pages[-1].sheet
    name = sheet.name.upper() if len(sheet.name) == len("a4") else sheet.name.capitalize()
    if sheet.cut:
        size = {"width": f"{sheet.width:.0f}", "height": f"{sheet.height:.0f}"}
        return words("handouts.contents.roll", paper=name, **size)
    both = part.flip is not None
    kind = ("card-both" if both else "card") if part.card else ("both" if both else "one")
    return words(f"handouts.contents.{kind}", paper=name)
