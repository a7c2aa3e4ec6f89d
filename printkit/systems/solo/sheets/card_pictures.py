"""The small pictures in the titles of reference cards and pair cards: map symbols, troops, or plans.

A card names its picture in its facts. The picture is left of the title, in a window with hollow corners as on the
terrain cards, and helps players to find a card. It is left out if the title would need a second row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from msgspec.structs import replace
from shapely import Point, Polygon, box

from printkit.content.cards import Art, Card
from printkit.core.errors import BookError
from printkit.drawing.canvas.items import Ink, Item, Join, Layer, Rect, Stroke
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.cards.art import picture
from printkit.drawing.cards.layouts import CardLayout
from printkit.drawing.cards.parts import cut_corners
from printkit.drawing.cards.text_card import strip_foot, title_fits
from printkit.systems.dba.elements.deployed_overlay import NPG, SYMBOLS, YOU, draw_symbol
from printkit.systems.dba.elements.element_face import ground_ink, side_ink
from printkit.terrain.field.features import Kind

# The fact of a card that names its picture: a kind of ground, a troop code, or a name in ``PLANS``.
FACT: Final = "picture"

# Free space above and below the window, in mm.
_MARGIN_MM: Final = 0.45

_TITLE_GAP: Final = 1.4
_HOLLOW: Final = 0.11
_RULE: Final = 0.25
# Size of map symbols, as a share of their size at 1:1.
_SYMBOL_SHARE: Final = 0.22

_TROOP_SHARE: Final = 0.82
_PIPS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    1: ((0, 0),),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
}
# Shares of the side of a die: radius of its corners, radius of its pips, step from its centre to a pip.
_CORNER_SHARE: Final = 0.16
_PIP_SHARE: Final = 0.10
_STEP_SHARE: Final = 0.25

PlanPainter: TypeAlias = Callable[[Rect, CardLayout], Iterator[Item]]


def find_window(card: Card, plan: CardLayout) -> Rect | None:
    """Return the window of a card's picture in mm on paper; None without a picture or enough space."""
    if FACT not in card.facts:
        return None
    bottom = strip_foot(plan) + plan.text.scaled("band", "strip") + _MARGIN_MM
    band = plan.text.band
    side = band.top - _MARGIN_MM - bottom
    window = Rect(band.x, bottom, side, side)
    return window if title_fits(card, plan, left_mm=side + _TITLE_GAP) else None


def compute_title_inset(window: Rect | None) -> float:
    """Return the width that a window takes from the title, in mm on paper."""
    return 0.0 if window is None else window.width + _TITLE_GAP


def draw_picture(card: Card, window: Rect, plan: CardLayout) -> tuple[tuple[Layer, ...], tuple[Item, ...]]:
    """Return the picture of a card in its window: the layers below, and the items above them.

    Only a kind of ground has a layer. All are in printed mm.

    Raises:
        BookError: the name of the picture is unknown.
    """
    name = str(card.facts[FACT])
    pane, corners = cut_corners(window, _HOLLOW * window.width)
    frame_stroke = Stroke(plan.drafter.style.solid("ink"), plan.drafter.width(_RULE), join=Join.MITRE)
    frame = tuple(outline(pane.exterior, frame_stroke))
    if name in list(Kind):
        window_layout = replace(plan.terrain, picture=window, share=_SYMBOL_SHARE * plan.text.share)
        ground_layer = picture(Art((Kind(name),)), replace(plan, terrain=window_layout))
        # The shapes that cover the corners extend past the picture, but not to the line below the band.
        corner_shapes = corners.intersection(
            box(*window[:2], window.right, window.top).buffer(_MARGIN_MM / 2, join_style="mitre")
        )
        return (ground_layer,), (*fill(corner_shapes, plan.drafter.style.ink("card-band")), *frame)
    paper = tuple(fill(pane, plan.drafter.style.solid("halo")))
    if name in SYMBOLS:
        ink, halo = plan.drafter.style.solid("ink"), plan.drafter.style.solid("halo")
        middle = (window.x + window.width / 2, window.y + window.height / 2)
        return (), (*paper, *draw_symbol(name, *middle, _TROOP_SHARE * window.width, ink, halo), *frame)
    if name in PLANS:
        return (), (*paper, *PLANS[name](window, plan), *frame)
    raise BookError(
        "card {card}: no picture {name!r}; use a kind of ground, a troop code, or one of {plans}",
        card=card.id,
        name=name,
        plans=", ".join(PLANS),
    )


# --- Plans: dice, cards, boxes, and elements on a field ---------------------------------------------------------------


def _draw_dice(window: Rect, plan: CardLayout, *, faces: tuple[int, ...], dark_index: int = -1) -> Iterator[Item]:
    """Yield dice side by side; the die at index ``dark_index`` (from 0) is black, with -1 none.

    ``faces`` are their scores. Items are in printed mm.
    """
    style = plan.drafter.style
    ink, paper = style.solid("ink"), style.solid("halo")
    side = window.width * (0.62 if len(faces) == 1 else 0.40)
    for number, face in enumerate(faces):
        x = window.x + window.width * (number + 1) / (len(faces) + 1) + (number - (len(faces) - 1) / 2) * 0.14 * side
        y = window.y + window.height / 2
        half = side / 2 - _CORNER_SHARE * side
        body = box(x - half, y - half, x + half, y + half).buffer(_CORNER_SHARE * side, quad_segs=4)
        yield from fill(body, ink if number == dark_index else paper)
        yield from outline(body.exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))
        pips = [
            Point(x + step_x * _STEP_SHARE * side, y + step_y * _STEP_SHARE * side).buffer(
                _PIP_SHARE * side, quad_segs=4
            )
            for step_x, step_y in _PIPS[face]
        ]
        yield from fill(pips, paper if number == dark_index else ink)


def _draw_bases(window: Rect, plan: CardLayout, *, rows: tuple[tuple[str, int, float], ...]) -> Iterator[Item]:
    """Yield rows of small bases in a window in mm on paper.

    Each row has a side, a count, and its centre as a share of the height, 0 to 1.
    """
    style = plan.drafter.style
    wide = 0.86 * window.width
    for side, count, height_share in rows:
        base = wide / 4
        depth_mm = 0.62 * base
        left = window.x + (window.width - count * base) / 2
        middle = window.y + height_share * window.height
        ink = side_ink(side, style)
        for number in range(count):
            x = left + number * base
            body = box(x + 0.06 * base, middle - depth_mm / 2, x + 0.94 * base, middle + depth_mm / 2)
            yield from fill(body, ground_ink(side, style))
            yield from outline(body.exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))
            front_y = middle + depth_mm / 2 if side == NPG else middle - depth_mm / 2
            bar = box(x + 0.06 * base, front_y - 0.12 * base, x + 0.94 * base, front_y + 0.12 * base)
            yield from fill(bar, ink if side == NPG else style.solid("halo"))
            yield from outline(bar.exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))


def _draw_edge(window: Rect, plan: CardLayout) -> Iterator[Item]:
    """Yield a board with one black edge, and an arrow from that edge.

    Items are in printed mm.
    """
    ink = plan.drafter.style.solid("ink")
    inner = 0.18 * window.width
    left, low, right, top = window.x + inner, window.y + inner, window.right - inner, window.top - inner
    yield from outline(box(left, low, right, top).exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))
    yield from fill(box(left, low - 0.06 * window.width, right, low + 0.08 * window.width), ink)
    yield from _draw_arrow(window.x + window.width / 2, low + 0.14 * window.height, 0.34 * window.height, ink)


def _draw_arrow(x: float, foot: float, high: float, ink: Ink) -> Iterator[Item]:
    """Yield an arrow that points up, ``high`` mm high, from its ``foot`` at ``x``, both in mm on paper."""
    shaft = box(x - 0.10 * high, foot, x + 0.10 * high, foot + 0.6 * high)
    neck = foot + 0.5 * high
    head = Polygon([(x - 0.34 * high, neck), (x + 0.34 * high, neck), (x, foot + high)])
    yield from fill(shaft.union(head), ink)


def _draw_boxes(window: Rect, plan: CardLayout) -> Iterator[Item]:
    """Yield three boxes, the first one ticked.

    Items are in printed mm.
    """
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


def _draw_cards(window: Rect, plan: CardLayout) -> Iterator[Item]:
    """Yield two overlapping cards.

    Items are in printed mm.
    """
    ink, paper = plan.drafter.style.solid("ink"), plan.drafter.style.solid("halo")
    wide, high = 0.40 * window.width, 0.58 * window.height
    for x_share, y_share, front in ((0.20, 0.14, False), (0.38, 0.28, True)):
        left, low = window.x + x_share * window.width, window.y + y_share * window.height
        body = box(left, low, left + wide, low + high).buffer(0.05 * wide, quad_segs=4)
        yield from fill(body, paper if front else ink)
        yield from outline(body.exterior, Stroke(ink, plan.drafter.width(_RULE), join=Join.MITRE))
        if front:
            middle = (left + wide / 2, low + high / 2)
            yield from draw_symbol("general", *middle, 0.8 * wide, ink, paper)


# The function that draws each name that is neither a kind of ground nor a troop code.
PLANS: Final[Mapping[str, PlanPainter]] = {
    "die": partial(_draw_dice, faces=(5,)),
    "dice": partial(_draw_dice, faces=(4, 3), dark_index=0),
    "groups": partial(_draw_bases, rows=((NPG, 4, 0.70), (NPG, 3, 0.30))),
    "line": partial(_draw_bases, rows=((NPG, 4, 0.62), (NPG, 2, 0.28))),
    "facing": partial(_draw_bases, rows=((YOU, 3, 0.76), (NPG, 3, 0.24))),
    "edge": _draw_edge,
    "boxes": _draw_boxes,
    "cards": _draw_cards,
}
