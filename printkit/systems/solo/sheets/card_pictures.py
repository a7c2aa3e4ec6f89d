"""The small pictures in the heads of reference cards and pair cards: a sign of the map, troops, dice, or a plan.

A card names its picture in its facts. It stands at the left of the title, in a window with hollow corners as on the
cards of terrain, and a card is found by it in the hand. Where the title would need a second row it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from msgspec.structs import replace
from shapely import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.content.cards import Art, Card
from printkit.core.errors import BookError
from printkit.drawing.canvas.items import Ink, Item, Join, Layer, Rect, Stroke
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.cards.art import picture
from printkit.drawing.cards.layouts import CardLayout
from printkit.drawing.cards.parts import hollowed
from printkit.drawing.cards.text_card import strip_foot, title_room
from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
from printkit.systems.dba.elements.element_face import ground_ink, side_ink
from printkit.systems.dba.elements.troop_symbols import SYMBOLS, symbol
from printkit.terrain.field.features import Kind

FACT: Final = "picture"
"""The name of a picture among the facts of a card: a kind of ground, a code of troops, or a name of ``PLANS``."""

_ABOVE: Final = 0.45
"""Millimetres free above and below the window."""

_BESIDE: Final = 1.4
_HOLLOW: Final = 0.11
_RULE: Final = 0.25
_SIGN: Final = 0.22
"""How large the map's signs are, in shares of those at 1:1."""

_TROOPS: Final = 0.82
_PIPS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    1: ((0, 0),),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
}
_ROUND: Final = 0.16
_PIP: Final = 0.10
_SPREAD: Final = 0.25
"""The corners of a die, its pips, and how far they stand off its middle, in shares of its side."""

Plan: TypeAlias = Callable[[Rect, CardLayout], Iterator[Item]]


def window_of(card: Card, plan: CardLayout) -> Rect | None:
    """Return the window of a card's picture; None where it has none, or no room for one beside its title."""
    if FACT not in card.facts:
        return None
    low = strip_foot(plan) + plan.text.scaled("band", "strip") + _ABOVE
    band = plan.text.band
    side = band.top - _ABOVE - low
    window = Rect(band.x, low, side, side)
    return window if title_room(card, plan, beside=side + _BESIDE) else None


def beside(window: Rect | None) -> float:
    """Return how much of the band a window takes from the title, in mm."""
    return 0.0 if window is None else window.width + _BESIDE


def picture_of(card: Card, window: Rect, plan: CardLayout) -> tuple[tuple[Layer, ...], tuple[Item, ...]]:
    """Return the picture of a card in its window: what lies below, and the items above it.

    Raises:
        BookError: nobody draws a picture of that name.
    """
    name = str(card.facts[FACT])
    pane, corners = hollowed(window, _HOLLOW * window.width)
    frame = tuple(_framed(pane, plan))
    if name in list(Kind):
        small = replace(plan.terrain, picture=window, share=_SIGN * plan.text.share)
        ground = picture(Art((Kind(name),)), replace(plan, terrain=small))
        # What covers the corners of the picture reaches beyond them, but not to the line below the band.
        near = corners.intersection(box(*window[:2], window.right, window.top).buffer(_ABOVE / 2, join_style="mitre"))
        return (ground,), (*fill(near, plan.drafter.style.ink("card-band")), *frame)
    paper = tuple(fill(pane, plan.drafter.style.solid("halo")))
    if name in SYMBOLS:
        ink, halo = plan.drafter.style.solid("ink"), plan.drafter.style.solid("halo")
        middle = (window.x + window.width / 2, window.y + window.height / 2)
        return (), (*paper, *symbol(name, *middle, _TROOPS * window.width, ink, halo), *frame)
    if name in PLANS:
        return (), (*paper, *PLANS[name](window, plan), *frame)
    raise BookError(
        "card {card}: no picture {name!r}; use a kind of ground, a troop code, or one of {plans}",
        card=card.id,
        name=name,
        plans=", ".join(PLANS),
    )


def _framed(pane: BaseGeometry, plan: CardLayout) -> Iterator[Item]:
    ink = Stroke(plan.drafter.style.solid("ink"), plan.drafter.width(_RULE), join=Join.MITRE)
    yield from outline(pane.exterior, ink)


# --- Plans: dice, cards, boxes, and elements on a field ---------------------------------------------------------------


def _die(window: Rect, plan: CardLayout, *, faces: tuple[int, ...], dark: int = -1) -> Iterator[Item]:
    """Yield dice side by side; the one of the number ``dark`` is black."""
    style = plan.drafter.style
    ink, paper = style.solid("ink"), style.solid("halo")
    side = window.width * (0.62 if len(faces) == 1 else 0.40)
    for number, face in enumerate(faces):
        x = window.x + window.width * (number + 1) / (len(faces) + 1) + (number - (len(faces) - 1) / 2) * 0.14 * side
        y = window.y + window.height / 2
        half = side / 2 - _ROUND * side
        body = box(x - half, y - half, x + half, y + half).buffer(_ROUND * side, quad_segs=4)
        yield from fill(body, ink if number == dark else paper)
        yield from outline(body.exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))
        spots = [
            Point(x + across * _SPREAD * side, y + up * _SPREAD * side).buffer(_PIP * side, quad_segs=4)
            for across, up in _PIPS[face]
        ]
        yield from fill(spots, paper if number == dark else ink)


def _bases(window: Rect, plan: CardLayout, *, rows: tuple[tuple[str, int, float], ...]) -> Iterator[Item]:
    """Yield rows of small bases, each of a side, so many abreast, its middle at a share of the height."""
    style = plan.drafter.style
    wide = 0.86 * window.width
    for side, count, at in rows:
        base = wide / 4
        deep = 0.62 * base
        left = window.x + (window.width - count * base) / 2
        middle = window.y + at * window.height
        ink = side_ink(side, style)
        for number in range(count):
            x = left + number * base
            body = box(x + 0.06 * base, middle - deep / 2, x + 0.94 * base, middle + deep / 2)
            yield from fill(body, ground_ink(side, style))
            yield from outline(body.exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))
            ahead = middle + deep / 2 if side == NPG else middle - deep / 2
            bar = box(x + 0.06 * base, ahead - 0.12 * base, x + 0.94 * base, ahead + 0.12 * base)
            yield from fill(bar, ink if side == NPG else style.solid("halo"))
            yield from outline(bar.exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))


def _edge(window: Rect, plan: CardLayout) -> Iterator[Item]:
    """Yield a board with one edge of it black, and an arrow from there."""
    ink = plan.drafter.style.solid("ink")
    inner = 0.18 * window.width
    left, low, right, top = window.x + inner, window.y + inner, window.right - inner, window.top - inner
    yield from outline(box(left, low, right, top).exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))
    yield from fill(box(left, low - 0.06 * window.width, right, low + 0.08 * window.width), ink)
    yield from _arrow(window.x + window.width / 2, low + 0.14 * window.height, 0.34 * window.height, ink)


def _arrow(x: float, foot: float, high: float, ink: Ink) -> Iterator[Item]:
    shaft = box(x - 0.10 * high, foot, x + 0.10 * high, foot + 0.6 * high)
    neck = foot + 0.5 * high
    head = Polygon([(x - 0.34 * high, neck), (x + 0.34 * high, neck), (x, foot + high)])
    yield from fill(shaft.union(head), ink)


def _boxes(window: Rect, plan: CardLayout) -> Iterator[Item]:
    """Yield three boxes, the first of them ticked."""
    ink = plan.drafter.style.solid("ink")
    side = 0.22 * window.width
    for number in range(3):
        x = window.x + window.width / 2 + (number - 1.5) * 1.22 * side + 0.11 * side
        y = window.y + (window.height - side) / 2
        yield from outline(
            box(x, y, x + side, y + side).exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE)
        )
        if not number:
            yield from fill(box(x + 0.25 * side, y + 0.25 * side, x + 0.75 * side, y + 0.75 * side), ink)


def _cards(window: Rect, plan: CardLayout) -> Iterator[Item]:
    """Yield two cards, one upon the other."""
    ink, paper = plan.drafter.style.solid("ink"), plan.drafter.style.solid("halo")
    wide, high = 0.40 * window.width, 0.58 * window.height
    for across, up, front in ((0.20, 0.14, False), (0.38, 0.28, True)):
        left, low = window.x + across * window.width, window.y + up * window.height
        body = box(left, low, left + wide, low + high).buffer(0.05 * wide, quad_segs=4)
        yield from fill(body, paper if front else ink)
        yield from outline(body.exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))
        if front:
            middle = (left + wide / 2, low + high / 2)
            yield from symbol("general", *middle, 0.8 * wide, ink, paper)


PLANS: Final[Mapping[str, Plan]] = {
    "die": partial(_die, faces=(5,)),
    "dice": partial(_die, faces=(4, 3), dark=0),
    "groups": partial(_bases, rows=((NPG, 4, 0.70), (NPG, 3, 0.30))),
    "line": partial(_bases, rows=((NPG, 4, 0.62), (NPG, 2, 0.28))),
    "facing": partial(_bases, rows=((YOU, 3, 0.76), (NPG, 3, 0.24))),
    "edge": _edge,
    "boxes": _boxes,
    "cards": _cards,
}
"""What is drawn for a name that is neither a kind of ground nor a code of troops."""
