"""What every page for a game night is made from: a record with its rules, and how it is printed."""

from __future__ import annotations

from msgspec import Struct

from printkit.chance.streams import Jitter
from printkit.core.words import Words
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.leaflet import Leaflet, leaflet_pages
from printkit.kit.system import RuleSystem
from printkit.page.leaflets import leaflet_sheets, room
from printkit.page.sheet import Page, Sheet
from printkit.terrain.field.record import Record


class Handout(Struct, frozen=True, kw_only=True):
    """A record, the rule system that made it, and paper, style and language."""

    record: Record
    system: RuleSystem
    sheet: Sheet
    style: Style
    words: Words

    @property
    def jitter(self) -> Jitter:
        """Return the irregularity of the record's drawings, the same on every sheet."""
        return Jitter(self.record.seed or 0, self.record.reseeded)

    @property
    def title(self) -> str:
        """Return the name of the battlefield, or what stands for it where it has none."""
        return self.record.battlefield.title or self.words("leaflets.untitled")

    @property
    def origin(self) -> str:
        """Return the line that tells which game a page belongs to."""
        rules = self.system.book.title
        if self.record.seed is None:
            return self.words("leaflets.by-hand", title=self.title, rules=rules)
        return self.words("leaflets.origin", title=self.title, rules=rules, seed=self.record.seed)

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
        drawings = leaflet_pages(leaflet, width, height, style=self.style, words=self.words)
        return leaflet_sheets(
            drawings, self.sheet, words=self.words, bookmark=bookmark, label=bookmark, measured=measured
        )
