"""Marks of the three stances, different in shape, letter and fill; a mark as a diagram in text.

Aggressive is a black triangle that points up, with a white letter. Cautious is a diamond whose lower half is black.
Defensive is a white square with a heavy outline. The shapes are paths, not characters of a typeface.

Source: the specification of the solo game, 8.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from printkit.content.prose import Diagram
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Join, Stroke, Text
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import WHITE, make_lozenge, make_polygon, rectangle_corners
from printkit.drawing.lettering.lettering import TypeStyle, line
from printkit.drawing.lettering.lettering import width as width_of
from printkit.drawing.text.text_styles import LEAST_PT, TextStyle

# Line width of the square's outline, in mm.
OUTLINE: Final = 1.5 * MM_PER_POINT

_FINE_WIDTH: Final = 0.75 * MM_PER_POINT
_CAPITALS: Final = 0.72
_LETTER_FONT: Final = Font.HEAVY

MarkPainter = Callable[[str, tuple[float, float], float, float, Ink], Iterator[Item]]


def draw_stance_mark(
    stance: str,
    letter: str,
    middle: tuple[float, float],
    width: float,
    height: float,
    *,
    ink: Ink,
    least_pt: float = 0.0,
) -> tuple[Item, ...]:
    """Return the mark of a stance in a box of ``width`` by ``height`` mm on paper around ``middle``.

    Its letter has at least ``least_pt`` points, for large print.
    """
    items = MARKS[stance](letter, middle, width, height, ink)
    return tuple(_enlarge_letter(item, least_pt) if isinstance(item, Text) else item for item in items)


def _enlarge_letter(letter: Text, least_pt: float) -> Text:
    """Return the letter with at least ``least_pt`` points of type, around the same centre."""
    if letter.size_pt >= least_pt:
        return letter
    growth = least_pt / letter.size_pt - 1
    added_width = growth * width_of(letter.content, letter.font, letter.size_pt)
    added_height = growth * _CAPITALS * letter.size_pt * MM_PER_POINT
    return replace(letter, size_pt=least_pt, at=(letter.at[0] - added_width / 2, letter.at[1] - added_height / 2))


def _draw_triangle(letter: str, middle: tuple[float, float], width: float, height: float, ink: Ink) -> Iterator[Item]:
    """Yield the mark of the aggressive stance around ``middle``; width and height are in mm on paper.

    ``letter`` is drawn on it.
    """
    x, y = middle
    bottom = y - height / 2
    points = ((x - width / 2, bottom), (x + width / 2, bottom), (x, bottom + height))
    yield make_polygon(points, ink)
    # The letter is near the bottom, where the triangle is wide.
    size = min(0.52 * height, 0.50 * width)
    yield from _draw_letter(letter, x, bottom + 0.10 * height, size, WHITE)


def _draw_diamond(letter: str, middle: tuple[float, float], width: float, height: float, ink: Ink) -> Iterator[Item]:
    """Yield the mark of the cautious stance around ``middle``; width and height are in mm on paper.

    ``letter`` is drawn on it.
    """
    x, y = middle
    yield make_lozenge((x, y), width / 2, height / 2, WHITE, Stroke(ink, _FINE_WIDTH, join=Join.MITRE))
    yield make_polygon(((x - width / 2, y), (x + width / 2, y), (x, y - height / 2)), ink)
    yield from _draw_letter(letter, x, y + 0.045 * height, min(0.36 * height, 0.42 * width), ink)


def _draw_square(letter: str, middle: tuple[float, float], width: float, height: float, ink: Ink) -> Iterator[Item]:
    """Yield the mark of the defensive stance around ``middle``; width and height are in mm on paper.

    The square is as large as fits. ``letter`` is drawn on it.
    """
    x, y = middle
    side = min(width, height) - OUTLINE
    points = rectangle_corners(x - side / 2, y - side / 2, side, side)
    yield make_polygon(points, WHITE, Stroke(ink, OUTLINE, join=Join.MITRE))
    size = 0.80 * side
    yield from _draw_letter(letter, x, y - _CAPITALS * size / 2, size, ink)


def _draw_letter(letter: str, x: float, baseline: float, size: float, ink: Ink) -> Iterator[Item]:
    """Yield a letter of ``size`` mm, centred on ``x``, with its baseline at ``baseline``, in mm on paper."""
    style = TypeStyle(font=_LETTER_FONT, size_pt=max(LEAST_PT, size / MM_PER_POINT), ink=ink)
    yield from line(letter, (x, baseline), style, anchor=Anchor.MIDDLE)


# The function that draws each stance.
MARKS: Final[Mapping[str, MarkPainter]] = {
    "aggressive": _draw_triangle,
    "cautious": _draw_diamond,
    "defensive": _draw_square,
}


# --- The mark of a stance as a diagram in text, 18 mm high as on the stance cards -------------------------------------

# Height and width of the mark, in mm.
SIDE: Final = 18.0


def stance(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the mark in the middle of a column ``width`` mm wide on paper.

    Labels: ``stance`` and ``letter``.
    """
    side = min(SIDE, block.max_height or SIDE)
    mark = draw_stance_mark(
        block.labels["stance"], block.labels["letter"], (width / 2, side / 2), side, side, ink=style.rule
    )
    return drawing_of(width, side, mark)
