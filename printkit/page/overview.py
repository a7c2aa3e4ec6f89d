"""The whole map on one sheet, with its scale and with check bars on both axes."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Drawing, Item, Rect
from printkit.drawing.lettering.lettering import line
from printkit.page.mark_shapes import SMALL, marks_drawing, shorten
from printkit.page.marks import Imprint, check_bar
from printkit.page.sheet import Page, Placement, Sheet

_BAND: Final = 10.0
_SIDE: Final = 8.0
_CLEAR: Final = 1.2
# Baselines of the two lines of type next to the bars, in mm below the map.
_LINES: Final = (3.0, 5.8)

# The free width around the border that the bars need, in mm.
RIM: Final = 7.0


class Fit(NamedTuple):
    """The sheet, portrait or landscape, and the scale in printed mm per mm of the drawing, at most 1."""

    sheet: Sheet
    scale: float


def fit(width: float, height: float, sheet: Sheet) -> Fit:
    """Return the sheet position and scale that show a drawing as large as possible, at most 1:1.

    ``width`` and ``height`` are those of the drawing in its mm. The bands for the check bars stay free.

    Raises:
        PageError: the sheet has no fixed size or is too small.
    """
    if math.isinf(sheet.width + sheet.height):
        raise PageError('{sheet} has no fixed size, so "fit" cannot use it. Choose another paper.', sheet=sheet.name)
    candidates = []
    for paper in (sheet, sheet.rotated()):
        free = overview_area(paper)
        candidates.append(Fit(paper, min(free.width / width, free.height / height, 1.0)))
    best = max(candidates, key=lambda candidate: candidate.scale)
    if best.scale <= 0:
        raise PageError("{sheet} is too small for an overview; use larger paper or narrower margins", sheet=sheet.name)
    return best


def overview_area(sheet: Sheet) -> Rect:
    """Return the area for the overview in mm on paper, without the margins and the bands of check bars."""
    free = sheet.printable
    return Rect(free.x + _SIDE, free.y + _BAND, free.width - _SIDE, free.height - _BAND)


def ratio(scale: float) -> str:
    """Return a scale (printed mm per mm) as text: ``1:3.42``, ``1:4``, ``1:1``."""
    return f"1:{1 / scale:.2f}".rstrip("0").rstrip(".")


def overview(drawing: Drawing, sheet: Sheet, imprint: Imprint, words: Words, *, scale: float = 1.0) -> Page:
    """Return one sheet with the drawing centred, and check bars below and on the left.

    Args:
        drawing: the map; it is reduced if it does not fit.
        sheet: the paper; it is turned if the drawing is larger that way.
        imprint: the name of the pack and its seed.
        words: the language.
        scale: the scale of the drawing itself, in mm per mm of the board.

    Raises:
        PageError: the sheet is too small.
    """
    paper, smaller = fit(drawing.width, drawing.height, sheet)
    free = overview_area(paper)
    width, height = drawing.width * smaller, drawing.height * smaller
    # Centre on the sheet, unless the bars on the left need the space.
    left = max(free.x, (paper.width - width) / 2)
    place = Rect(left, free.y + (free.height - height) / 2, width, height)
    area = Rect(free.x - _CLEAR, free.y - _CLEAR, free.width + _CLEAR, free.height + _CLEAR)
    items = _draw_bars(area, paper.printable.x, scale * smaller, imprint, words)
    return paper.page(
        Placement(drawing, Affine(smaller, 0.0, 0.0, smaller, place.x, place.y), place),
        Placement(marks_drawing(paper.width, paper.height, items)),
        label=words.each()[0]("marks.overview-label"),
        bookmark=words("marks.overview-bookmark"),
    )


def with_bars(page: Page, rim: float, imprint: Imprint, words: Words, *, scale: float) -> Page:
    """Return a page as large as its map, with check bars and their texts on the rim outside the border.

    The bars are below the map and on its left.

    Args:
        page: a page with an empty rim.
        rim: the width of the empty border in mm on paper, at least ``RIM`` (7 mm).
        imprint: the name of the pack and its seed.
        words: the language.
        scale: printed mm per mm of the board.
    """
    sheet = page.sheet
    area = Rect(rim, rim, sheet.width - 2 * rim, sheet.height - 2 * rim)
    bars = marks_drawing(sheet.width, sheet.height, _draw_bars(area, rim, scale, imprint, words))
    return replace(page, placements=(*page.placements, Placement(bars)))


def _draw_bars(area: Rect, left: float, scale: float, imprint: Imprint, words: Words) -> list[Item]:
    """Return check bars below and left of an area, and two lines of type next to the lower bars.

    Args:
        area: the area of the map, in mm on paper.
        left: the x of the left end of the lower bars, in mm on paper.
        scale: printed mm per mm of the board.
        imprint: the name of the pack and its seed.
        words: the language.
    """
    true, label = ratio(scale), words("marks.true-size")
    first = label if true == "1:1" else f"{words('marks.as-scale', scale=true)}. {label}"
    horizontal, vertical = check_bar(area.right - left, words), check_bar(area.height, words)
    items: list[Item] = [*horizontal.draw_horizontal(left, area.y), *vertical.draw_vertical(area.x, area.y)]
    start = left + horizontal.total_length + 2.0
    for text, row in zip((first, imprint.said(words)), _LINES, strict=True):
        items += line(shorten(text, SMALL, area.right - start), (start, area.y - row), SMALL)
    return items
