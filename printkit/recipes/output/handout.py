"""What every page for a game night is made from: a record, its rules, how it is printed, lengths off a ruler."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from printkit.chance.streams import Jitter
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import added
from printkit.kit.rules import Rules
from printkit.kit.sides import PlayerSide, has_players, sides_of, who_lines
from printkit.kit.system import RuleSystem
from printkit.page.leaflets import in_hand, leaflet_sheets, room
from printkit.page.sheet import Document, Flip, Page, Sheet
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck
    from printkit.drawing.canvas.items import Drawing
    from printkit.drawing.text.leaflet import Content, Leaflet

# --- Lengths of the board as people read them off a ruler: inches, and below them centimetres -------------------------

_SAME: Final = 1e-6

_SQUARE: Final = 8.0
"""Degrees by which a thing may be turned and still lies along an edge."""


class Measures(Struct, frozen=True):
    """Says lengths, given in mm, in the words of a language."""

    words: Words

    def length(self, mm: float) -> str:
        """Return one length, inches and centimetres one below the other."""
        return f"{self._in(mm)}\n{self._cm(mm)}"

    def flat(self, mm: float) -> str:
        """Return one length on one line."""
        return f"{self._in(mm)}, {self._cm(mm)}"

    def said(self, mm: float) -> str:
        """Return one length within a sentence."""
        return f"{self._in(mm)} ({self._cm(mm)})"

    def span(self, start: float, end: float) -> str:
        """Return from where to where."""
        return "\n".join(self._two(start, end, "–"))

    def size(self, length: float, width: float) -> str:
        """Return length by width."""
        return "\n".join(self._two(length, width, " × "))

    def about(self, length: float, width: float) -> str:
        """Return length by width on one line."""
        return ", ".join(self._two(length, width, " × "))

    def _two(self, first: float, last: float, between: str) -> tuple[str, str]:
        """Return two lengths with the unit behind the second, in inches and in centimetres."""
        inches = f"{self._number(first / MM_PER_INCH)}{between}{self._in(last)}"
        return inches, f"{self._number(first / 10)}{between}{self._cm(last)}"

    def turned(self, degrees: float | None) -> str:
        """Return how a thing lies: along an edge, or with its right or left end how far up."""
        if degrees is None:
            return self.words("layout.round")
        if min(degrees, 180 - degrees) <= _SQUARE:
            return self.words("layout.along-near")
        if abs(degrees - 90) <= _SQUARE:
            return self.words("layout.along-left")
        if degrees < 90:
            return self.words("layout.right-up", degrees=round(degrees))
        return self.words("layout.left-up", degrees=round(180 - degrees))

    def _in(self, mm: float) -> str:
        return self.words.each()[0]("leaflets.inches", number=self._number(mm / MM_PER_INCH))

    def _cm(self, mm: float) -> str:
        return f"{self._number(mm / 10)} cm"

    def _number(self, value: float) -> str:
        said = f"{abs(round(value, 1)):.1f}"
        return said.replace(".", self.words.each()[0]("leaflets.decimal"))


def size_name(board: Board) -> str:
    """Return the size of a board for the name of a file: ``24in``, ``72x48in``; ``15bw`` where inches do not come out.

    Inches to a tenth come out; else base widths, where they do; else millimetres.
    """
    for unit, size, parts in (("in", MM_PER_INCH, 10), ("bw", board.scale.base_width, 2)):
        counts = [side / size * parts for side in (board.width, board.depth)]
        if all(abs(count - round(count)) < _SAME for count in counts):
            return _sides([round(count) / parts for count in counts]) + unit
    return _sides([board.width, board.depth]) + "mm"


def _sides(lengths: Sequence[float]) -> str:
    """Return lengths joined by ``x``, equal ones once."""
    return "x".join(dict.fromkeys(f"{length:g}" for length in lengths))


class Handout(Struct, frozen=True, kw_only=True):
    """A record, the rule system that made it, paper, style and language, and whether its pages name the seed.

    ``blank``: the pages are forms for any game or lists of several, and so say nothing of who is who in this one.
    ``of_game``: they belong to a game night; other pages say who is who only where the record tells of players.
    """

    record: Record
    system: RuleSystem
    sheet: Sheet
    style: Style
    words: Words
    show_seed: bool = False
    blank: bool = False
    of_game: bool = True

    @classmethod
    def of(cls, record: Record, system: RuleSystem, order: SheetContext, *, sheet: Sheet | None = None) -> Handout:
        """Return a handout printed as asked, on a sheet that is held in the hand unless another one is given."""
        return cls(
            record=record,
            system=system,
            sheet=in_hand(order.sheet) if sheet is None else sheet,
            style=order.style,
            words=order.words.in_dialect(system.name, system.book.names),
            show_seed=order.asked.show_seed,
            of_game=order.of_game,
        )

    @property
    def rules(self) -> Rules:
        """Return the rules by which the record was made, the only source of numbers for its sheets."""
        return Rules.of_record(self.system.book, self.record)

    @property
    def jitter(self) -> Jitter:
        """Return the irregularity of the record's drawings, the same on every sheet."""
        return Jitter(self.record.seed or 0, self.record.reseeded)

    @property
    def drafter(self) -> Drafter:
        """Return what its sheets are drawn with."""
        return Drafter.sheet(self.style, self.words)

    def map_drafter(self, scale: float = 1.0) -> Drafter:
        """Return what its maps are drawn with, in the first language alone."""
        return Drafter.map(self.style, self.words.each()[0], self.jitter, scale=scale)

    @property
    def title(self) -> str:
        """Return the name of the battlefield, or what stands for it where it has none."""
        return self.record.battlefield.title or self.words("leaflets.untitled")

    @property
    def sides(self) -> tuple[PlayerSide, ...]:
        """Return who plays."""
        return sides_of(self.record, self.system.book)

    @property
    def who(self) -> tuple[str, ...]:
        """Return the line that tells on every sheet of a game who is who, once a language."""
        if self.blank or not (self.of_game or has_players(self.sides)):
            return ()
        return who_lines(self.sides, self.words, colours=self.style.washes)

    @property
    def origin(self) -> str:
        """Return the line that tells which game a page belongs to."""
        rules = self.system.book.title_in(self.words.each()[0])
        if self.record.seed is None:
            return self.words("leaflets.by-hand", title=self.title, rules=rules)
        if not self.show_seed:
            return self.words("handouts.origin", title=self.title, rules=rules)
        return self.words("leaflets.origin", title=self.title, rules=rules, seed=self.record.seed)

    def added(self, what: str) -> tuple[Any, ...]:
        """Return what the rule system adds under a field of ``Plugin``: pages, files or decks; nothing for most.

        Raises:
            PageError: the paper is too small, or a text does not fit its place.
            ScenarioError: what the record gives for it cannot be read.
        """
        add = added(self.system.name, what)
        return () if add is None else add(self)

    def size(self, *, measured: bool = False) -> tuple[float, float]:
        """Return width and height in mm of a page of a leaflet."""
        free = room(self.sheet, measured=measured)
        return free.width, free.height

    def pages(self, leaflet: Leaflet, *, bookmark: str, measured: bool = False) -> tuple[Page, ...]:
        """Return a leaflet as pages; ``measured`` ones bear the check bar.

        Raises:
            PageError: the paper is too small.
        """
        width, height = self.size(measured=measured)
        from printkit.drawing.text.leaflet import leaflet_pages

        drawings = leaflet_pages(leaflet, width, height, style=self.style, words=self.words)
        return leaflet_sheets(
            drawings,
            self.sheet,
            words=self.words,
            bookmark=bookmark,
            label=bookmark,
            measured=measured,
            least_pt=self.style.least_pt,
        )

    def leaflet(
        self,
        title: str,
        contents: Iterable[Content],
        *,
        subtitle: str = "",
        origin: str = "",
        bookmark: str = "",
        level: bool = True,
        measured: bool = False,
    ) -> tuple[Page, ...]:
        """Return contents under a title as pages, which the title lists or a bookmark; ``origin``: if not the game's.

        Raises:
            PageError: the paper is too small.
        """
        said = self._titled(title, contents, subtitle=subtitle, origin=origin, level=level)
        return self.pages(said, bookmark=bookmark or title, measured=measured)

    def room_below(self, title: str, *, subtitle: str = "", origin: str = "") -> float:
        """Return how many mm in height the first page of a leaflet has between title and foot."""
        from printkit.drawing.text.leaflet import leaflet_rooms

        width, height = self.size()
        said = self._titled(title, (), subtitle=subtitle, origin=origin)
        return leaflet_rooms(said, width, height, style=self.style, words=self.words).first

    def _titled(
        self, title: str, contents: Iterable[Content], *, subtitle: str, origin: str, level: bool = True
    ) -> Leaflet:
        from printkit.drawing.text.leaflet import Leaflet

        return Leaflet(
            title=title,
            subtitle=subtitle,
            contents=tuple(contents),
            origin=origin or self.origin,
            level=level,
            who=self.who,
        )


def rules_document(
    title: str,
    pages: tuple[Page, ...],
    rules: str,
    words: Words,
    *,
    keywords: tuple[str, ...] = (),
    flip: Flip | None = None,
) -> Document:
    """Return a document that names its rule system as subject and first keyword."""
    subject = words(f"rules.{rules}.subtitle")
    return Document(
        title=title, pages=pages, language=words.code, subject=subject, keywords=(rules, *keywords), flip=flip
    )


class PartUse(StrEnum):
    """For what a file of an evening is there: this game, the making of the next one, or whoever runs the game alone."""

    TONIGHT = "tonight"
    NEXT = "next-time"
    UMPIRE = "umpire"


class OwnFile(Struct, frozen=True, kw_only=True):
    """A file that a rule system adds to an evening.

    Attributes:
        name: in the folder.
        key: of the words that say in the contents what it is: ``handouts.file.KEY``.
        pages: what is printed.
        use: what it is for.
        cuts: straight cuts by which it is parted.
        card: it wants stronger paper.
    """

    name: str
    key: str
    pages: tuple[Page, ...]
    use: PartUse = PartUse.TONIGHT
    cuts: int = 0
    card: bool = False


class OwnText(Struct, frozen=True, kw_only=True):
    """A file that a rule system adds and that is not printed: a page for a browser, a file that a command reads.

    Attributes:
        name: in the folder, as ``you/table-aid.html``.
        key: of the words that say in the contents what it is: ``handouts.file.KEY``.
        text: what it holds.
        use: what it is for.
    """

    name: str
    key: str
    text: str
    use: PartUse = PartUse.TONIGHT


class DrawnPiece(Struct, frozen=True, kw_only=True):
    """A piece to be moved on the board: what it is called, and how it is drawn, as large as it is."""

    name: str
    drawing: Drawing


class SidePieces(Struct, frozen=True, kw_only=True):
    """What somebody has at a virtual table.

    Attributes:
        folder: in which it stands, as ``player-a``; empty for what lies there for all.
        title: what it is called.
        hand: cards that nobody else sees, the first on top.
        pieces: what is moved on the board.
        far: whether it lies at the far side of the table.
    """

    folder: str
    title: str
    hand: Deck | None = None
    pieces: tuple[DrawnPiece, ...] = ()
    far: bool = False
