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
from printkit.drawing.lettering.lettering import TypeStyle, line
from printkit.drawing.lettering.lettering import width as width_of
from printkit.drawing.text.text_styles import LEAST_PT, TextStyle, drawing_of, lozenge_corners, oblong, patch

# Line width of the square's outline, in mm.
OUTLINE: Final = 1.5 * MM_PER_POINT

_FINE: Final = 0.75 * MM_PER_POINT
_WHITE: Final = Ink(255, 255, 255)
_CAPITALS: Final = 0.72
_LETTER: Final = Font.HEAVY

Mark = Callable[[str, tuple[float, float], float, float, Ink], Iterator[Item]]


def stance_mark(
    stance: str,
    letter: str,
    middle: tuple[float, float],
    width: float,
    height: float,
    *,
    ink: Ink,
    least_pt: float = 0.0,
) -> tuple[Item, ...]:
    """Return the mark of a stance in a box of ``width`` by ``height`` mm around ``middle``.

    Its letter has at least ``least_pt`` points, for large print.
    """
    made = MARKS[stance](letter, middle, width, height, ink)
    return tuple(_at_least(item, least_pt) if isinstance(item, Text) else item for item in made)


def _at_least(letter: Text, least_pt: float) -> Text:
    """Return the letter with at least ``least_pt`` points, around the same centre."""
    if letter.size_pt >= least_pt:
        return letter
    more = least_pt / letter.size_pt - 1
    wider = more * width_of(letter.content, letter.font, letter.size_pt)
    higher = more * _CAPITALS * letter.size_pt * MM_PER_POINT
    return replace(letter, size_pt=least_pt, at=(letter.at[0] - wider / 2, letter.at[1] - higher / 2))


def _triangle(letter: str, middle: tuple[float, float], width: float, height: float, ink: Ink) -> Iterator[Item]:
    x, y = middle
    foot = y - height / 2
    points = ((x - width / 2, foot), (x + width / 2, foot), (x, foot + height))
    yield patch(points, ink)
    # The letter is near the bottom, where the triangle is wide.
    size = min(0.52 * height, 0.50 * width)
    yield from _letter(letter, x, foot + 0.10 * height, size, _WHITE)


def _diamond(letter: str, middle: tuple[float, float], width: float, height: float, ink: Ink) -> Iterator[Item]:
    x, y = middle
    yield patch(lozenge_corners(x, y, width / 2, height / 2), _WHITE, Stroke(ink, _FINE, join=Join.MITRE))
    yield patch(((x - width / 2, y), (x + width / 2, y), (x, y - height / 2)), ink)
    yield from _letter(letter, x, y + 0.045 * height, min(0.36 * height, 0.42 * width), ink)


def _square(letter: str, middle: tuple[float, float], width: float, height: float, ink: Ink) -> Iterator[Item]:
    x, y = middle
    side = min(width, height) - OUTLINE
    points = oblong(x - side / 2, y - side / 2, side, side)
    yield patch(points, _WHITE, Stroke(ink, OUTLINE, join=Join.MITRE))
    size = 0.80 * side
    yield from _letter(letter, x, y - _CAPITALS * size / 2, size, ink)


def _letter(letter: str, x: float, foot: float, size: float, ink: Ink) -> Iterator[Item]:
    """Yield a letter centred on ``x``, of a size in mm, with its baseline at ``foot``."""
    hand = TypeStyle(font=_LETTER, size_pt=max(LEAST_PT, size / MM_PER_POINT), ink=ink)
    yield from line(letter, (x, foot), hand, anchor=Anchor.MIDDLE)


# The function that draws each stance.
MARKS: Final[Mapping[str, Mark]] = {"aggressive": _triangle, "cautious": _diamond, "defensive": _square}


# --- The mark of a stance as a diagram in text, 18 mm high as on the stance cards -------------------------------------

# Height and width of the mark, in mm.
SIDE: Final = 18.0


def stance(block: Diagram, width: float, style: TextStyle) -> Drawing:
    """Return the mark in the middle of its column. Labels: ``stance`` and ``letter``."""
    side = min(SIDE, block.max_height or SIDE)
    mark = stance_mark(
        block.labels["stance"], block.labels["letter"], (width / 2, side / 2), side, side, ink=style.rule
    )
    return drawing_of(width, side, mark)
