"""A base edge with the columns of a side at scale: what stands on the board, and what waits beside it (CC-O08)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Rect
from printkit.drawing.forms.zone_grid import medallion
from printkit.drawing.text.sheet_desk import SheetDesk, plain

_WHITE: Final = Ink(255, 255, 255)
_PALE: Final = 0.82
_ABOVE: Final = 3.0
_BELOW: Final = 4.0
_DISC: Final = 2.2


class Piece(Struct, frozen=True, kw_only=True):
    """An element: what stands on it, its depth in mm, and whether it is the baggage."""

    text: str
    depth: float
    baggage: bool = False


class March(Struct, frozen=True, kw_only=True):
    """A column from front to rear: its number, the middle of its front and how far that is inland, in base widths."""

    number: int
    middle: float
    front: float
    pieces: tuple[Piece, ...]


class Edge(Struct, frozen=True, kw_only=True):
    """A base edge: base widths of the board, mm of one, the box of column 1, the edge's name, the side's ink."""

    side: float
    base_width: float
    aside: float
    deep: float
    name: str
    token: str


def column_picture(edge: Edge, marches: Sequence[March], width: float, desk: SheetDesk) -> Drawing:
    """Return the edge over ``width`` mm with its columns; march numbers stand beside what waits off the board."""
    scale = width / (edge.side * edge.base_width)
    step = edge.base_width * scale
    off = max((_off(march, edge) for march in marches), default=0.0) * scale
    line = off + _BELOW
    height = line + (edge.deep * step) + _ABOVE
    middle = width / 2
    items: list[Item] = []
    box = Rect(middle - edge.aside * step, line, 2 * edge.aside * step, edge.deep * step)
    items.append(desk.box(box, 0.3, "ink-secondary", dash=(2.0, 1.2)))
    items.append(desk.dashed([(middle, line), (middle, height)], 0.15, (2.4, 1.6)))
    for march in marches:
        items += _march(march, edge, line, scale, desk)
    items.append(desk.rule([(0.0, line), (width, line)], 0.7, edge.token))
    hand = desk.hand(Font.BANNER, 9.0, edge.token)
    items += desk.text(edge.name, (width, line + 1.6), hand, room=0.4 * width, anchor=Anchor.END)
    return plain(width, height, items)


def _off(march: March, edge: Edge) -> float:
    """Return how far in mm of the table a column reaches beyond the edge."""
    return max(0.0, sum(piece.depth for piece in march.pieces) - march.front * edge.base_width)


def _march(march: March, edge: Edge, line: float, scale: float, desk: SheetDesk) -> Iterator[Item]:
    step = edge.base_width * scale
    x, top = march.middle * step - step / 2, line + march.front * step
    pale = desk.style.solid(edge.token).towards(_WHITE, _PALE)
    hand = desk.hand(Font.FIGURES, 7.0)
    number = desk.hand(Font.HEAVY, 7.0, edge.token)
    for place, piece in enumerate(march.pieces, 1):
        high = piece.depth * scale
        rect = Rect(x, top - high, step, high)
        yield desk.box(rect, 0.25, fill=desk.style.solid("plough") if piece.baggage else pale)
        foot = rect.y + high / 2 - 0.36 * hand.height
        yield from desk.text(piece.text, (x + step / 2, foot), hand, room=step - 1.0, anchor=Anchor.MIDDLE)
        yield from desk.text(str(place), (x + step + 1.2, foot), number, room=4.0)
        top -= high
    at = (x - _DISC - 1.2, line + march.front * step - _DISC)
    yield from medallion(str(march.number), at, _DISC, desk, token=edge.token)
