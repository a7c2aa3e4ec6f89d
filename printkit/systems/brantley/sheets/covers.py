"""Covers of secret sheets: folded once, the writing inwards, closed over the open edge, tinted behind what is secret.

A cover lies across its paper. Folded on the middle, its right half is the front and its left half the back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from printkit.content.prose import Block, Paragraph, Steps
from printkit.drawing.canvas.items import Anchor, Cap, Drawing, Font, Item, Path, Rect, Stroke
from printkit.drawing.forms.zone_grid import medallion
from printkit.drawing.lettering.lettering import shrunk
from printkit.drawing.text.sheet_desk import SheetDesk, plain
from printkit.systems.brantley.sheets.security_tint import tinted

FOLD: Final = 6.0
"""What stays free in mm on either side of the fold."""

_DASH: Final = (3.0, 2.0)
_FOLD_DASH: Final = (5.0, 2.0, 1.0, 2.0)
_FLAP: Final = (30.0, 34.0)
_GAP: Final = 4.0
_RADIUS: Final = 19.0
_TITLE_PT: Final = 25.0
_LEAD_PT: Final = 12.0


class Cover(Struct, frozen=True, kw_only=True):
    """What a cover says: on its front the title, for whom it is and more of it; on its back what is done with it.

    ``letter`` stands large over the tint, in a colour; ``closing`` are the lines in the box over the open edge, of
    which the back has the second.
    """

    title: str
    lead: str
    front: tuple[Block, ...]
    steps_title: str
    steps: tuple[str, ...]
    letter: str
    token: str
    fold: str
    closing: tuple[str, str]


def cover_drawing(said: Cover, width: float, height: float, tint: Rect, desk: SheetDesk) -> Drawing:
    """Return a cover as a drawing of ``width`` by ``height`` mm.

    Args:
        said: what it says.
        width: of the sheet inside its margins.
        height: of it.
        tint: what lies behind the secret, and must not let it through.
        desk: style and words.

    Raises:
        PageError: the texts have no room below the tint.
    """
    middle = width / 2
    flap_wide, flap_high = _FLAP[0], min(_FLAP[1], tint.y - _GAP)
    at = (middle + FOLD + (width - middle - FOLD) / 2, tint.y + tint.height / 2)
    items: list[Item] = [*_letter(said, at, desk)]
    free = tint.y - _GAP
    front = Rect(middle + FOLD, 0.0, width - middle - FOLD - flap_wide - _GAP, free)
    back = Rect(flap_wide + _GAP, 0.0, middle - FOLD - flap_wide - _GAP, free)
    items += _front(said, front, desk)
    items += desk.prose((Paragraph(said.steps_title, "strong"), *_steps(said)), back)
    items += _flap(Rect(width - flap_wide, (free - flap_high) / 2, flap_wide, flap_high), said.closing[0], desk)
    items += _flap(Rect(0.0, (free - flap_high) / 2, flap_wide, flap_high), said.closing[1], desk, left=True)
    items += fold_line(said.fold, middle, height, tint, desk)
    return plain(width, height, items, *tinted(tint, desk.style))


def fold_line(said: str, x: float, height: float, tint: Rect, desk: SheetDesk) -> Iterator[Item]:
    """Yield the line to fold on, with its name; over the tint it is white where the tint is dark."""
    over = desk.stroke(0.35, "card-back-line", dash=_FOLD_DASH)
    free = min(tint.y, height)
    for low, high in ((0.0, free), (tint.top, height)):
        if high - low > 1.0:
            yield desk.dashed([(x, low), (x, high)], 0.35, _FOLD_DASH)
    hand = desk.hand(Font.FIGURES_ITALIC, 7.5, "ink-secondary")
    yield from desk.text(said, (x - 1.2, free / 2), hand, room=free, anchor=Anchor.MIDDLE, angle=90.0)
    if desk.style.washes:
        bare = desk.rule([(x, tint.y), (x, tint.top)], 0.35)
        yield Path(bare.runs, stroke=Stroke(over.ink, over.width, over.dash, cap=Cap.BUTT))


def _letter(said: Cover, at: tuple[float, float], desk: SheetDesk) -> Iterator[Item]:
    """Yield the large letter on its disc, which is as close as the tint about it."""
    rim = list(medallion("", at, _RADIUS + 1.8, desk, token="card-back-line"))
    yield from rim
    yield from medallion(said.letter, at, _RADIUS, desk, token=said.token, font=Font.INDEX)


def _front(said: Cover, place: Rect, desk: SheetDesk) -> Iterator[Item]:
    title = shrunk(said.title, desk.hand(Font.ROMAN, _TITLE_PT, track=0.2), place.width)
    lead = shrunk(said.lead, desk.hand(Font.BANNER, _LEAD_PT, said.token), place.width)
    y = place.top - 0.80 * title.height
    yield from desk.text(said.title, (place.x, y), title, room=place.width)
    y -= 0.55 * title.height + 0.72 * lead.height
    yield from desk.text(said.lead, (place.x, y), lead, room=place.width)
    y -= 0.9 * lead.height
    yield desk.rule([(place.x, y), (place.right, y)], 0.5, said.token)
    below = Rect(place.x, place.y, place.width, y - 2.0 - place.y)
    yield from desk.prose(said.front, below)


def _steps(said: Cover) -> tuple[Block, ...]:
    return (Steps(said.steps),)


def _flap(place: Rect, said: str, desk: SheetDesk, *, left: bool = False) -> Iterator[Item]:
    """Yield one half of the box for a sticker: three dashed sides, open at the edge of the paper."""
    outer, inner = (place.x, place.right) if left else (place.right, place.x)
    points = [(outer, place.y), (inner, place.y), (inner, place.top), (outer, place.top)]
    yield desk.dashed(points, 0.4, _DASH)
    room = Rect(place.x + 2.0, place.y + 2.0, place.width - 4.0, place.height - 4.0)
    yield from desk.prose((Paragraph(said),), room, sizes=(9.5, 9.0, 8.5, 8.0, 7.5), middle=True)
