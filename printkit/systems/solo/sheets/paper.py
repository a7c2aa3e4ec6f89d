"""The paper of Solo DBA sheets: A4 or Letter, margins of 12 mm, a heading, shared drawing tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import fit_text, line
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.form_parts import draw_cell_text
from printkit.drawing.text.leaflet import running_footer
from printkit.drawing.text.text_styles import LEAST_PT
from printkit.page.leaflets import reading_sheet
from printkit.page.sheet import Page, Placement, Sheet
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.cards.card_text import CardText

MARGIN_MM: Final = 12.0
# Height of the heading of a sheet, in mm.
HEADING_MM: Final = 11.0

_LARGE_PRINT_FACTOR: Final = 2.0
_LEAST_AREA: Final = (180.0, 250.0)
_FOOT: Final = 4.0


class SheetPaper(Struct, frozen=True, dict=True):
    """Paper, style and language of a set of sheets, and the area inside their margins.

    ``who`` are the footer lines that name both armies. It is empty if the armies are not known.
    """

    sheet: Sheet
    style: Style
    words: Words
    rules: SoloRules
    who: tuple[str, ...] = ()

    @cached_property
    def portrait_sheet(self) -> Sheet:
        """Return the sheet in portrait with margins of 12 mm; A4 or Letter if the sheet is larger.

        Raises:
            PageError: the sheet is smaller than A4 or Letter.
        """
        portrait = replace(reading_sheet(self.sheet), margin=MARGIN_MM, head=None)
        printable = portrait.printable
        if printable.width < _LEAST_AREA[0] or printable.height < _LEAST_AREA[1]:
            raise PageError(
                "the solo game sheets need {least_width:.0f} x {least_height:.0f} mm inside {margin:.0f} "
                "mm margins; use a4 or letter, not {sheet}",
                least_width=_LEAST_AREA[0],
                least_height=_LEAST_AREA[1],
                margin=MARGIN_MM,
                sheet=self.sheet.name,
            )
        return portrait

    @property
    def area(self) -> Rect:
        """Return the rectangle of the drawing in mm on paper, from 0, 0. The footer is below it."""
        printable = self.portrait_sheet.printable
        return Rect(0.0, 0.0, printable.width, printable.height - self._footer.height)

    @cached_property
    def _footer(self) -> Drawing:
        """Return the footer that names both armies; 0 mm high if they are not known."""
        width = self.portrait_sheet.printable.width
        return running_footer("", "", width, self.style, self.who) if self.who else Drawing(width, 0.0, ())

    @property
    def is_large_print(self) -> bool:
        """Return whether the sheets are in large print, which needs two pages where others need one."""
        return self.style.least_pt > 0

    def scale_height(self, height_mm: float) -> float:
        """Return a height for one or two lines of type, in mm on paper. It doubles in large print."""
        return height_mm * (_LARGE_PRINT_FACTOR if self.is_large_print else 1.0)

    @cached_property
    def drafter(self) -> Drafter:
        """Return the drafter of the sheets."""
        return Drafter.sheet(self.style, self.words)

    @cached_property
    def text(self) -> CardText:
        """Return the texts, with the numbers of the rules filled in."""
        return CardText(self.words, self.rules)

    def get_text(self, key: str, **values: object) -> str:
        """Return a text of the sheets by key, with the numbers of the rules filled in."""
        return self.text.translate(f"npg.sheet.{key}", **values)

    def draw_heading(self, title: str, subtitle: str) -> Iterator[Item]:
        """Yield the heading of a sheet: its title, and ``subtitle`` at the right, above a rule.

        Items are in mm on paper, at the top of ``area``.

        Raises:
            PageError: ``subtitle`` is too long.
        """
        area = self.area
        rule_y = area.top - HEADING_MM + 1.0
        title_width = 0.44 * area.width
        yield from draw_cell_text(
            title, Rect(-0.9, rule_y, title_width, HEADING_MM - 2.0), self.drafter, size_pt=15.0, font=Font.HEAVY
        )  # fmt: skip
        style = self.drafter.type_style(Font.FIGURES, 9.0)
        rows, style = fit_text(subtitle, style, area.width - title_width, lines=2, least_share=LEAST_PT / 9.0)
        if len(rows) > 2 or style.size_pt < LEAST_PT:
            raise PageError("{aside!r} is too long for the sheet heading; shorten the title", aside=subtitle)
        for number, row in enumerate(reversed(rows)):
            position = (area.width, rule_y + 1.4 + 1.15 * number * style.height)
            yield from line(row, position, style, anchor=Anchor.END)
        yield self.drafter.rule([(0.0, rule_y), (area.width, rule_y)], 0.5)

    def make_titled_page(self, items: Iterable[Item], key: str) -> Page:
        """Return items, in mm on paper from the lower left corner of ``area``, as a page with the footer.

        The text of ``key`` is its label and its bookmark.
        """
        return self.page(items, self.get_text(key), bookmark=self.get_text(key))

    def page(self, items: Iterable[Item], label: str, *, bookmark: str = "", back: bool = False) -> Page:
        """Return items, in mm on paper from the lower left corner of ``area``, as a page with the footer.

        Args:
            items: the items of the page.
            label: the name of the page.
            bookmark: its bookmark in the PDF; empty for none.
            back: whether the page is for the back of the one before it.
        """
        drawing = drawing_of(self.area.width, self.area.height, items)
        placements = [Placement(drawing, Affine(e=MARGIN_MM, f=MARGIN_MM + self._footer.height))]
        if self.who:
            placements.append(Placement(self._footer, Affine(e=MARGIN_MM, f=MARGIN_MM)))
        return self.portrait_sheet.page(*placements, label=label, bookmark=bookmark, back=back)
