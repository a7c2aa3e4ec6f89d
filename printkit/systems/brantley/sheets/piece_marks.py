"""What is drawn upon pieces of a board: tabs about a cut-out feature, number and bearing on the back of a zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.forms.zone_grid import Side, disc, medallion
from printkit.drawing.text.sheet_desk import SheetDesk, plain

TAB: Final = 8.0
"""How far the tabs of a cut-out reach, in mm."""

_SLANT: Final = 4.0
_CUT: Final = 0.3
_FOLD: Final = (2.4, 1.4)
_NUMBER: Final = 0.085
_RIM: Final = 1.6
_PLATE: Final = (0.42, 9.0, 12.0)
"""The width of the plate with the bearing as a share of the zone, its height, and how far below the edge it is."""


def tabbed(width: float, height: float, said: tuple[str, str], desk: SheetDesk) -> Drawing:
    """Return the tabs of a tile of ``width`` by ``height`` mm, as large as both together.

    Args:
        width: of the tile alone.
        height: of the tile alone.
        said: what stands on the upper tab, which names the piece, and on the others.
        desk: style and words.
    """
    tile = Rect(TAB, TAB, width, height)
    items: list[Item] = [desk.dashed(_ring(tile), 0.25, _FOLD)]
    items += [desk.rule(points, _CUT) for points in _tabs(tile)]
    hand = desk.hand(Font.FIGURES, 7.5, "ink-secondary")
    middle = 0.36 * hand.height
    x, y = tile.x + width / 2, tile.y + height / 2
    for text, at, angle in (
        (said[0], (x, tile.top + TAB / 2 - middle), 0.0),
        (said[1], (x, TAB / 2 - middle), 0.0),
        (said[1], (TAB / 2 + middle, y), 90.0),
        (said[1], (tile.right + TAB / 2 + middle, y), 90.0),
    ):
        room = (height if angle else width) - 2 * _SLANT
        items += desk.text(text, at, hand, room=room, anchor=Anchor.MIDDLE, angle=angle)
    return plain(width + 2 * TAB, height + 2 * TAB, items)


def zone_back(number: str, side: float, upwards: Side, desk: SheetDesk) -> Drawing:
    """Return what stands upon the secret back of a zone: its number, and which side goes to the far player."""
    middle = (side / 2, side / 2)
    radius = _NUMBER * side
    items: list[Item] = [disc(middle, radius + _RIM, desk.style.solid("card-back-line"))]
    items += medallion(number, middle, radius, desk)
    share, high, inset = _PLATE
    plate = Rect(side * (1 - share) / 2, side - inset - high, share * side, high)
    items += _bearing(upwards, plate, desk)
    return plain(side, side, items)


def _bearing(upwards: Side, plate: Rect, desk: SheetDesk) -> Iterator[Item]:
    yield desk.box(plate, 0.5, upwards.token, fill=desk.style.solid("cartouche"))
    hand = desk.hand(Font.BANNER, 11.0, upwards.token)
    at = (plate.x + plate.width / 2, plate.y + plate.height / 2 - 0.36 * hand.height)
    yield from desk.text(f"↑ {upwards.edge} ↑", at, hand, room=plate.width - 4.0, anchor=Anchor.MIDDLE)


def _ring(tile: Rect) -> list[tuple[float, float]]:
    return [(tile.x, tile.y), (tile.right, tile.y), (tile.right, tile.top), (tile.x, tile.top), (tile.x, tile.y)]


def _tabs(tile: Rect) -> Iterator[list[tuple[float, float]]]:
    """Yield the four tabs, each from one corner of the tile to the next, its outer corners cut away."""
    corners = _ring(tile)
    outwards = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
    along = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    for number, ((out_x, out_y), (by_x, by_y)) in enumerate(zip(outwards, along, strict=True)):
        (x0, y0), (x1, y1) = corners[number], corners[number + 1]
        yield [
            (x0, y0),
            (x0 + out_x * TAB + by_x * _SLANT, y0 + out_y * TAB + by_y * _SLANT),
            (x1 + out_x * TAB - by_x * _SLANT, y1 + out_y * TAB - by_y * _SLANT),
            (x1, y1),
        ]
