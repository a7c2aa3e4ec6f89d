"""The common context of game-night pages: the record, its rules, the print settings, and lengths in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from printkit.chance.streams import Jitter
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import load_plugin_field
from printkit.kit.rules import Rules
from printkit.kit.sides import PlayerSide, format_sides, has_players, sides_of
from printkit.kit.system import RuleSystem
from printkit.page.leaflets import leaflet_area, print_leaflet, reading_sheet
from printkit.page.sheet import Document, Flip, Page, Sheet
from printkit.recipes.output.printed_files import PartUse
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.content.cards import Deck
    from printkit.drawing.canvas.items import Drawing
    from printkit.drawing.text.leaflet import Content, Leaflet

# --- Lengths on the board in words: inches, and below them centimetres ------------------------------------------------

_ANGLE_TOLERANCE: Final = 8.0  # tolerance in degrees within which a thing counts as parallel to an edge


class LengthFormatter(Struct, frozen=True):
    """A formatter of lengths in mm for texts of a language."""

    words: Words

    def format_two_lines(self, mm: float) -> str:
        """Return a real length, given in mm, as text on two lines: in inches and in centimetres, with one decimal."""
        return f"{self._format_inches(mm)}\n{self._format_cm(mm)}"

    def format_one_line(self, mm: float) -> str:
        """Return a real length, given in mm, as text on one line: in inches and in centimetres."""
        return f"{self._format_inches(mm)}, {self._format_cm(mm)}"

    def said(self, mm: float) -> str:
        """Return a length, given in mm, as text for a sentence: in inches, with centimetres in brackets."""
        return f"{self._format_inches(mm)} ({self._format_cm(mm)})"

    def format_range(self, start: float, end: float) -> str:
        """Return a range of lengths, given in mm, as text on two lines: in inches and in centimetres."""
        return "\n".join(self._format_pair(start, end, "–"))

    def format_size(self, length: float, width: float) -> str:
        """Return length × width, given in mm, as text on two lines: in inches and in centimetres."""
        return "\n".join(self._format_pair(length, width, " × "))

    def format_size_inline(self, length: float, width: float) -> str:
        """Return length × width, given in mm, as text on one line: in inches and in centimetres."""
        return ", ".join(self._format_pair(length, width, " × "))

    def _format_pair(self, first: float, last: float, separator: str) -> tuple[str, str]:
        """Return two lengths in mm as text in inches and in centimetres, each with its unit at the end."""
        inches = f"{self._format_number(first / MM_PER_INCH)}{separator}{self._format_inches(last)}"
        return inches, f"{self._format_number(first / 10)}{separator}{self._format_cm(last)}"

    def describe_rotation(self, degrees: float | None) -> str:
        """Return an orientation in words: along an edge, or by how many degrees its right or left end is up.

        ``degrees`` is anticlockwise from the near edge, 0 to 180; None for a round shape. Angles close to an edge count
        as along it.
        """
        if degrees is None:
            return self.words("layout.round")
        if min(degrees, 180 - degrees) <= _ANGLE_TOLERANCE:
            return self.words("layout.along-near")
        if abs(degrees - 90) <= _ANGLE_TOLERANCE:
            return self.words("layout.along-left")
        if degrees < 90:
            return self.words("layout.right-up", degrees=round(degrees))
        return self.words("layout.left-up", degrees=round(180 - degrees))

    def _format_inches(self, mm: float) -> str:
        """Return a length in mm as text in inches, with the unit."""
        return self.words.each()[0]("leaflets.inches", number=self._format_number(mm / MM_PER_INCH))

    def _format_cm(self, mm: float) -> str:
        """Return a length in mm as text in centimetres, with the unit."""
        return f"{self._format_number(mm / 10)} cm"

    def _format_number(self, value: float) -> str:
        """Return the absolute value with one decimal and the decimal mark of the first language."""
        text = f"{abs(round(value, 1)):.1f}"
        return text.replace(".", self.words.each()[0]("leaflets.decimal"))


class HandoutContext(Struct, frozen=True, kw_only=True):
    """The context of a handout: record, rule system, paper, style and language, and whether pages show the seed.

    ``blank``: the pages are forms for any game, or lists of several games, so they do not name the sides. ``of_game``:
    the pages belong to a game night. Other pages name the sides only if the record contains facts about them.
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
    def from_record(
        cls, record: Record, system: RuleSystem, order: SheetContext, *, sheet: Sheet | None = None
    ) -> HandoutContext:
        """Return the handout of a record for a print context; the default sheet is one for reading."""
        return cls(
            record=record,
            system=system,
            sheet=reading_sheet(order.sheet) if sheet is None else sheet,
            style=order.style,
            words=order.words.in_dialect(system.name, system.book.names),
            show_seed=order.asked.show_seed,
            of_game=order.of_game,
        )

    @property
    def rules(self) -> Rules:
        """Return the rules of the record; all numbers on its sheets come from here."""
        return Rules.of_record(self.system.book, self.record)

    @property
    def jitter(self) -> Jitter:
        """Return the jitter of the record's drawings, the same on every sheet."""
        return Jitter(self.record.seed or 0, self.record.reseeded)

    @property
    def drafter(self) -> Drafter:
        """Return the drafter for its sheets."""
        return Drafter.sheet(self.style, self.words)

    def map_drafter(self, scale: float = 1.0) -> Drafter:
        """Return the drafter for its maps, in the first language only.

        ``scale`` is in printed mm per mm of the board.
        """
        return Drafter.map(self.style, self.words.each()[0], self.jitter, scale=scale)

    @property
    def title(self) -> str:
        """Return the name of the battlefield, or the text for an untitled one."""
        return self.record.battlefield.title or self.words("leaflets.untitled")

    @property
    def sides(self) -> tuple[PlayerSide, ...]:
        """Return the sides of the game."""
        return sides_of(self.record, self.system.book)

    @property
    def who(self) -> tuple[str, ...]:
        """Return the line with the sides for every sheet, once for each language; empty if it is not wanted."""
        if self.blank or not (self.of_game or has_players(self.sides)):
            return ()
        return format_sides(self.sides, self.words, colours=self.style.washes)

    @property
    def game_line(self) -> str:
        """Return the line with the title of the game and the name of its rules."""
        return self.words("handouts.origin", title=self.title, rules=self._rules_name)

    @property
    def origin(self) -> str:
        """Return the line that identifies the game of a page: title, rules, and seed if pages show it."""
        if self.record.seed is None:
            return self.words("leaflets.by-hand", title=self.title, rules=self._rules_name)
        if not self.show_seed:
            return self.game_line
        return self.words("leaflets.origin", title=self.title, rules=self._rules_name, seed=self.record.seed)

    @property
    def _rules_name(self) -> str:
        """Return the name of the rules in the first language."""
        return self.system.book.title_in(self.words.each()[0])

    def plugin_parts(self, field_name: str) -> tuple[Any, ...]:
        """Return the additions of the rule system for a field of ``Plugin``: pages, files or decks; often empty.

        Raises:
            PageError: the paper is too small, or a text does not fit its area.
            ScenarioError: the data in the record cannot be read.
        """
        build_parts = load_plugin_field(self.system.name, field_name)
        return () if build_parts is None else build_parts(self)

    def page_size(self, *, has_check_bar: bool = False) -> tuple[float, float]:
        """Return the width and height in mm on paper of the type area of a page.

        With ``has_check_bar`` there is room for the bar that checks the scale.
        """
        area = leaflet_area(self.sheet, measured=has_check_bar)
        return area.width, area.height

    def build_pages(
        self,
        title: str,
        contents: Iterable[Content],
        *,
        subtitle: str = "",
        origin: str = "",
        bookmark: str = "",
        level: bool = True,
        has_check_bar: bool = False,
    ) -> tuple[Page, ...]:
        """Return contents under a title as pages. The PDF bookmark is ``bookmark`` or the title.

        ``origin`` replaces the line that identifies the game. With ``level`` all pages get about the same height. With
        ``has_check_bar`` they have a bar that checks the scale.

        Raises:
            PageError: the paper is too small.
        """
        leaflet = self._build_leaflet(title, contents, subtitle=subtitle, origin=origin, level=level)
        name = bookmark or title
        return print_leaflet(
            leaflet, self.sheet, self.style, self.words, bookmark=name, label=name, measured=has_check_bar
        )

    def height_below(self, title: str, *, subtitle: str = "", origin: str = "") -> float:
        """Return the height in mm on paper between title and footer on the first page of a leaflet.

        ``subtitle`` and ``origin`` are lines of the heading; an empty ``origin`` means the line of the game.
        """
        from printkit.drawing.text.leaflet import leaflet_text_heights

        width, height = self.page_size()
        leaflet = self._build_leaflet(title, (), subtitle=subtitle, origin=origin)
        return leaflet_text_heights(leaflet, width, height, style=self.style, words=self.words)[0]

    def _build_leaflet(
        self, title: str, contents: Iterable[Content], *, subtitle: str, origin: str, level: bool = True
    ) -> Leaflet:
        """Return contents under a title as a leaflet, which is not divided into pages yet.

        With ``level`` all pages get about the same height. An empty ``origin`` means the line of the game.
        """
        from printkit.drawing.text.leaflet import Leaflet

        return Leaflet(
            title=title,
            subtitle=subtitle,
            contents=tuple(contents),
            origin=origin or self.origin,
            has_level_pages=level,
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
    """Return a document with its rule system as subject and first keyword; ``rules`` is its name.

    ``title`` is its title, and ``keywords`` follow the first one. ``flip`` is the edge on which sheets are flipped,
    None for one-sided pages.
    """
    subject = words(f"rules.{rules}.subtitle")
    return Document(
        title=title, pages=pages, language=words.code, subject=subject, keywords=(rules, *keywords), flip=flip
    )


class PluginFile(Struct, frozen=True, kw_only=True):
    """A printed file that a rule system adds to a game night.

    Attributes:
        name: its name in the folder.
        key: the key of its description in the contents: ``handouts.file.KEY``.
        pages: the pages to print.
        use: its purpose.
        cuts: the number of straight cuts that separate its parts.
        card: whether it needs thicker paper.
    """

    name: str
    key: str
    pages: tuple[Page, ...]
    use: PartUse = PartUse.TONIGHT
    cuts: int = 0
    card: bool = False


class PluginText(Struct, frozen=True, kw_only=True):
    """A file of a rule system that is not printed: a web page, or a file for a command.

    Attributes:
        name: its name in the folder, for example ``you/table-aid.html``.
        key: the key of its description in the contents: ``handouts.file.KEY``.
        text: its content.
        use: its purpose.
    """

    name: str
    key: str
    text: str
    use: PartUse = PartUse.TONIGHT


class DrawnPiece(Struct, frozen=True, kw_only=True):
    """A movable piece of the board: its name, and its drawing at actual size."""

    name: str
    drawing: Drawing


class SidePieces(Struct, frozen=True, kw_only=True):
    """The cards and pieces of one side on a virtual tabletop, or the common ones.

    Attributes:
        folder: the folder of the side, for example ``player-a``; empty for common pieces.
        title: the title of the set.
        hand: cards that only this side sees, the first on top.
        pieces: the movable pieces.
        far: whether it is at the far edge of the table.
    """

    folder: str
    title: str
    hand: Deck | None = None
    pieces: tuple[DrawnPiece, ...] = ()
    far: bool = False
