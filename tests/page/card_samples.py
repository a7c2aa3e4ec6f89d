"""Cards that tell where they lie and which way up: an L of its own size on each, its back as it shows through."""

from __future__ import annotations

from msgspec import Struct

from printkit.content.cards import CardSize
from printkit.drawing.canvas.items import Drawing, Layer, LayerName
from printkit.drawing.canvas.plain import BLACK, make_polygon

POKER = CardSize(name="poker-63x88", width=63.0, height=88.0)
US = CardSize(name="us-2.5x3.5in", width=63.5, height=88.9)
MINI = CardSize(name="mini", width=44.0, height=68.0)
TAROT = CardSize(name="tarot", width=70.0, height=120.0)


class Sample(Struct, frozen=True):
    """A card for tests."""

    front: Drawing
    back: Drawing | None


def sample(number: int, size: CardSize, *, backed: bool = True) -> Sample:
    """Return a card whose back is the mirror image of its front: held against the light the two are one."""
    foot, stem = 16.0 + 2.0 * number, 28.0 + number
    corners = [(6.0, 8.0), (foot, 8.0), (foot, 14.0), (10.0, 14.0), (10.0, stem), (6.0, stem)]
    mirrored = [(size.width - x, y) for x, y in corners]
    return Sample(_drawing(corners, size), _drawing(mirrored, size) if backed else None)


def samples(count: int, size: CardSize, *, backed: bool = True) -> list[Sample]:
    """Return cards that are all different."""
    return [sample(number, size, backed=backed) for number in range(count)]


def _drawing(corners: list[tuple[float, float]], size: CardSize) -> Drawing:
    letter = make_polygon(corners, BLACK)
    return Drawing(size.width, size.height, (Layer(LayerName.LABEL, (letter,)),))
