"""What stands at head and foot of the pages of a leaflet: the title, the running head, the origin and the number."""

from __future__ import annotations

from typing import Final

from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import Hand, fitted, line, measure
from printkit.drawing.text.setting import lozenge, part, patch, rule

HEAD: Final = 8.5
FOOT: Final = 6.5
"""How high in mm the running head and the foot are."""

_TITLE_PT: Final = 25.0
_SUBTITLE_PT: Final = 11.5
_RUNNING_PT: Final = 9.0
_SMALL_PT: Final = 7.0
_LINE: Final = 0.25
_LOZENGE: Final = 1.7
_LEADING: Final = 1.12


def title_block(title: str, subtitle: str, width: float, style: Style) -> Drawing:
    """Return the title over the whole width, below it the subtitle and a rule with a lozenge."""
    ink, second = style.solid("ink"), style.solid("ink-secondary")
    rows, hand = fitted(title, Hand(font=Font.ROMAN, size_pt=_TITLE_PT, ink=ink, track=0.25), width, lines=1, least=0.7)
    italic = Hand(font=Font.ITALIC, size_pt=_SUBTITLE_PT, ink=second, track=0.1)
    under, small = fitted(subtitle, italic, width, lines=1, least=0.8) if subtitle else ((), italic)
    height = len(rows) * hand.height * _LEADING + len(under) * small.height * 1.3 + 7.0
    items: list[Item] = []
    y = height
    for row in rows:
        y -= hand.height * _LEADING
        items += line(row, (width / 2, y + 0.26 * hand.height), hand, anchor=Anchor.MIDDLE)
    for row in under:
        y -= small.height * 1.3
        items += line(row, (width / 2, y + 0.30 * small.height), small, anchor=Anchor.MIDDLE)
    y -= 2.2
    gap = _LOZENGE + 0.8
    stroke = _LINE * style.line_factor
    items.append(rule([(0.0, y), (width / 2 - gap, y)], ink, stroke))
    items.append(rule([(width / 2 + gap, y), (width, y)], ink, stroke))
    items.append(patch(lozenge(width / 2, y, _LOZENGE, 0.45 * _LOZENGE), ink))
    return part(width, height, items)


def running_head(title: str, width: float, style: Style) -> Drawing:
    """Return the title small, over a rule."""
    hand = Hand(font=Font.SMALL_CAPITALS, size_pt=_RUNNING_PT, ink=style.solid("ink-secondary"), track=0.12)
    rows, hand = fitted(title, hand, width, lines=1, least=0.8)
    items: list[Item] = [*line(rows[0] if rows else "", (0.0, HEAD - 3.6), hand)]
    y = HEAD - 5.0
    items.append(rule([(0.0, y), (width, y)], style.solid("ink"), _LINE * style.line_factor))
    return part(width, HEAD, items)


def running_foot(origin: str, number: str, width: float, style: Style) -> Drawing:
    """Return the game to which a page belongs at the left, and its number at the right."""
    hand = Hand(font=Font.FIGURES, size_pt=_SMALL_PT, ink=style.solid("ink-secondary"))
    free = width - measure(number, hand) - 6.0
    said = origin
    while said and measure(f"{said}…", hand) > free and measure(origin, hand) > free:
        said = said[:-1].rstrip()
    items: list[Item] = [*line(said if said == origin else f"{said}…", (0.0, 0.8), hand)]
    items += line(number, (width, 0.8), hand, anchor=Anchor.END)
    return part(width, FOOT, items)


def numbered(words: Words, number: int, count: int) -> str:
    """Return what a page is called: page 2 of 3, and nothing where there is but one."""
    return words("leaflets.page", number=number, count=count) if count > 1 else ""
