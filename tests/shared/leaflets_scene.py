"""Handouts to test pages with: of a game that was played, and of a field drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Text
from printkit.drawing.lettering.lettering import width
from printkit.kit.registry import read_record
from printkit.kit.system import RuleSystem
from printkit.page import sheet as sheets
from printkit.page.sheet import Page
from printkit.recipes.output.handout import HandoutContext
from printkit.terrain.field.record import Record

HAND_DRAWN = Path(__file__).parents[1] / "fixtures" / "brantley-by-hand.json"


def handout(
    game: tuple[RuleSystem, Record], *, language: str = "en", sheet: str = "a4", in_style: str = "campaign"
) -> HandoutContext:
    """Return what pages of a game are made from."""
    system, record = game
    return HandoutContext(
        record=record,
        system=system,
        sheet=sheets.find_sheet(sheet),
        style=style.find(in_style),
        words=find_words(language),
    )


def by_hand() -> tuple[RuleSystem, Record]:
    """Return a record without log and seed."""
    return read_record(HAND_DRAWN.read_text(encoding="utf-8"))


def texts(page: Page) -> list[Text]:
    """Return all type of a page."""
    return [item for place in page.placements for _, item in place.drawing.items() if isinstance(item, Text)]


def tells(pages: Sequence[Page], text: str) -> bool:
    """Return whether a text stands on a row of the pages; spaces do not count, for type is set in pieces."""
    return "".join(text.split()) in squeezed(pages)


def squeezed(pages: Sequence[Page]) -> str:
    """Return the type of the pages row by row from the top, without spaces."""
    said = []
    for page in pages:
        rows = sorted(texts(page), key=lambda text: (-round(text.at[1], 1), text.at[0]))
        said += ["".join(text.content.split()) for text in rows]
    return "".join(said)


def assert_inside(pages: Sequence[Page]) -> None:
    """Assert that no type leaves the part of the paper that a printer reaches."""
    for page in pages:
        for place in page.placements:
            for item in (item for layer in place.drawing.layers for item in layer.items):
                if isinstance(item, Text) and not item.angle and not item.glyphs:
                    left, foot = place.transform.at(*item.at)
                    right = left + width(item.content, item.font, item.size_pt, track=item.track)
                    free = page.sheet.printable
                    assert free.x - 0.05 <= left
                    assert right <= free.right + 0.05
                    assert free.y - 0.05 <= foot <= free.top
