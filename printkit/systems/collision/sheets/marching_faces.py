"""Columns at true scale: faces of their elements, the number of the column at its lead, the marching order (CC-O08)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import shapely
from msgspec.structs import replace

from printkit.drawing.canvas.items import Anchor, Cap, Font, Item, Join, Laid, LayerName
from printkit.drawing.canvas.shapes import dots, fill, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.lettering.lettering import Hand, measure, shrunk
from printkit.drawing.map.overlays import side_token
from printkit.drawing.text.drafter import Desk
from printkit.systems.collision.sheets.marching import Marcher, marching
from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
from printkit.systems.dba.elements.element_face import Face, element_face
from printkit.terrain.field.battlefield import Battlefield, Board

DISC: Final = 3.6
"""Radius in mm at 1:1 of the disc with the number of a column."""

GAP: Final = 1.2
"""Between an element and what is lettered beside it, in mm at 1:1."""

GROUND: Final = 2 * DISC + GAP
"""What an element of a column and its lettering take around its base, in mm at 1:1."""

_NUMBER_PT: Final = 13.0
_TAG_PT: Final = 9.0
_TAG_SHARE: Final = 0.6
_CODE_PT: Final = 12.0
_BAR: Final = 0.065
_PALE: Final = 0.86
_LINE: Final = 0.34
_RED: Final = "side-red"


def standing_columns(field: Battlefield, desk: Desk) -> Laid:
    """Draw the columns that stand on a battlefield in printed mm."""
    found = marching(field)
    for each in found:
        yield from ((LayerName.OVERLAY, item) for item in marcher_face(each, field.board, desk))
    for each in found:
        yield from ((LayerName.OVERLAY, item) for item in _beside(each, field.board, desk))
    for lead in leads(found):
        yield from ((LayerName.OVERLAY, item) for item in column_disc(lead, field.board, desk))


def marcher_face(each: Marcher, board: Board, desk: Desk) -> Iterator[Item]:
    """Yield an element on its base: its symbol and code, or a block with its front edge where its type has none."""
    token = _token(each, board)
    if each.symbol:
        side = NPG if token == _RED else YOU
        face = Face(side=side, code=each.code, type=each.symbol, general=each.general)
        x, y = each.middle
        yield from element_face(face, x, y, each.width, each.depth, desk.style, facing=each.facing)
        return
    yield from _block(each, token, desk)


def column_disc(lead: Marcher, board: Board, desk: Desk) -> Iterator[Item]:
    """Yield the number of a column on a disc, left of the front corner of its lead."""
    radius = desk.size(DISC)
    aside = lead.width / 2 + desk.size(GAP) + radius
    forward = max(lead.depth / 2 - radius, 0.0)
    x, y = _off(lead, -aside, forward)
    ink = desk.style.solid(_token(lead, board))
    yield from dots([(x, y)], radius, ink)
    hand = replace(desk.hand(Font.HEAVY, _NUMBER_PT), ink=desk.style.solid("halo"))
    hand = shrunk(str(lead.column), hand, 1.5 * radius)
    yield from desk.text(str(lead.column), x, y - 0.36 * hand.height, hand, anchor=Anchor.MIDDLE)


def tag_behind(each: Marcher, board: Board, desk: Desk) -> Iterator[Item]:
    """Yield place and name of an element behind its rear, as it stands beside others."""
    text, hand = tag(each, board, desk)
    along = abs(each.ahead[0])
    half = along * measure(text, hand) / 2 + (1 - along) * 0.36 * hand.height
    x, y = _off(each, 0.0, -(each.depth / 2 + desk.size(GAP) + half))
    yield from desk.text(text, x, y - 0.36 * hand.height, hand, anchor=Anchor.MIDDLE)


def tag_room(found: Sequence[Marcher], board: Board, desk: Desk) -> float:
    """Return how far in mm ``tag_behind`` reaches behind the rear of any of these elements."""
    reach = 0.0
    for each in found:
        text, hand = tag(each, board, desk)
        reach = max(reach, measure(text, hand) if abs(each.ahead[0]) > abs(each.ahead[1]) else hand.height)
    return reach + 2 * desk.size(GAP)


def tag(each: Marcher, board: Board, desk: Desk) -> tuple[str, Hand]:
    """Return place and name of an element as they are lettered beside it."""
    text = f"{each.place}. {each.name}" if each.name else str(each.place)
    hand = desk.hand(Font.HEAVY, _TAG_PT, _token(each, board)).haloed(desk.halo("halo", 1.4))
    return text, shrunk(text, hand, _TAG_SHARE * each.width)


def _beside(each: Marcher, board: Board, desk: Desk) -> Iterator[Item]:
    """Yield place and name of an element right of it, where others of its column stand before and behind it."""
    text, hand = tag(each, board, desk)
    along = abs(each.right[0])
    half = along * measure(text, hand) / 2 + (1 - along) * 0.36 * hand.height
    x, y = _off(each, each.width / 2 + desk.size(GAP) + half, 0.0)
    # Beside somebody at an edge who looks along the line of type, it would reach beyond the board.
    within = measure(text, hand) / 2 + desk.size(GAP)
    x = min(max(x, within), board.width - within)
    yield from desk.text(text, x, y - 0.36 * hand.height, hand, anchor=Anchor.MIDDLE)


def _block(each: Marcher, token: str, desk: Desk) -> Iterator[Item]:
    """Yield a base with its code in the middle and a bar along its front."""
    style, ink = desk.style, desk.style.solid(token)
    paper = style.solid("halo")
    yield from fill(each.base, paper.towards(style.solid("plough"), 1 - _PALE) if style.washes else paper)
    points = [_off(each, side * each.width / 2, each.depth / 2) for side in (-1, 1)]
    bar = _BAR * each.width
    points += [_off(each, side * each.width / 2, each.depth / 2 - bar) for side in (1, -1)]
    yield from fill(shapely.Polygon(points), ink)
    stroke = desk.pen.stroke(ink, _LINE, cap=Cap.BUTT, join=Join.MITRE, least=LEAST_MEANING)
    yield from outline(each.base, stroke)
    if each.code:
        hand = shrunk(each.code, desk.hand(Font.HEAVY, _CODE_PT), 0.8 * each.width)
        x, y = _off(each, 0.0, -bar / 2)
        yield from desk.text(each.code, x, y - 0.36 * hand.height, hand, anchor=Anchor.MIDDLE)


def leads(found: Sequence[Marcher]) -> Iterator[Marcher]:
    """Yield the first element of each column that is there."""
    seen: set[tuple[str, int]] = set()
    for each in found:
        if (each.side, each.column) not in seen:
            seen.add((each.side, each.column))
            yield each


def _token(each: Marcher, board: Board) -> str:
    return side_token(each.overlay, board)


def _off(each: Marcher, aside: float, forward: float) -> tuple[float, float]:
    """Return the point so many mm to the right of the middle of an element, and before it."""
    x, y = each.middle
    return (
        x + aside * each.right[0] + forward * each.ahead[0],
        y + aside * each.right[1] + forward * each.ahead[1],
    )
