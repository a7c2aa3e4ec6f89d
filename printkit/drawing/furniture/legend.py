"""The legend: a swatch with the real sign, the name of the ground and its going, for the kinds on this map only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from shapely import box

from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Font, Item, Layer, LayerName, Rect
from printkit.drawing.canvas.kept import Kept
from printkit.drawing.canvas.layers import Placed, flattened, gathered, joined
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.furniture.frame import bordered
from printkit.drawing.furniture.legend_entries import ENTRIES, Entry, sample_field
from printkit.drawing.furniture.swatches import SAMPLE_SIZE, SWATCH
from printkit.drawing.lettering.lettering import Hand, fitted, least_size, wrapped
from printkit.drawing.map.board_drawing import scaled
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.text.drafter import Desk
from printkit.terrain.field.battlefield import Battlefield

_PITCH: Final = 82.0
_AIR: Final = 7.5
_LITTLE_AIR: Final = 4.0
_TO_TEXT: Final = 3.4
_BETWEEN: Final = 5.0
_LEADING: Final = 1.12
_SWATCHES: Final[Kept[Drawing]] = Kept(96)


class _Said(Struct, frozen=True):
    """The rows of text of an entry, each with its hand."""

    rows: tuple[tuple[str, Hand], ...]

    @property
    def height(self) -> float:
        return sum(hand.height * _LEADING for _, hand in self.rows)


def entries_of(field: Battlefield) -> tuple[Entry, ...]:
    """Return the entries that a map needs, in the order of the legend."""
    return tuple(entry for entry in ENTRIES if any(True for _ in entry.goings(field)))


def legend_columns(width: float, desk: Desk) -> int:
    """Return how many columns of the legend have room in ``width`` mm."""
    return max(1, int((width + desk.size(_BETWEEN)) / desk.size(_PITCH)))


def legend_block(field: Battlefield, desk: Desk, width: float, *, columns: int | None = None) -> Drawing:
    """Return the legend in columns of equal width, read along its rows; as high as its text needs."""
    entries = entries_of(field)
    columns = min(columns or legend_columns(width, desk), max(1, len(entries)))
    pitch = width / columns
    measure_mm = pitch - desk.size(SWATCH[0] + _TO_TEXT + _BETWEEN)
    said = [_said(entry, field, desk, measure_mm) for entry in entries]
    least, air = desk.size(SWATCH[1]), desk.size(_AIR if bordered(desk) else _LITTLE_AIR)
    heights = [
        max([least, *(each.height for each in said[first : first + columns])])
        for first in range(0, len(entries), columns)
    ]
    total = sum(heights) + air * max(0, len(heights) - 1)
    parts: list[Placed] = []
    top = total
    for row, height in enumerate(heights):
        for column, place in enumerate(range(row * columns, min((row + 1) * columns, len(entries)))):
            made = _line(entries[place], said[place], desk, pitch, height)
            parts.append(Placed(made, column * pitch, top - height))
        top -= height + air
    return joined(width, max(total, 0.0), parts)


def going_word(name: str, words: Words) -> str:
    """Return the word of a going, or its own name where a rule system brings one that has none; unstated is nothing."""
    key = f"going.{name.replace(' ', '_')}"
    return words(key) if words.has(key) else name


def _said(entry: Entry, field: Battlefield, desk: Desk, measure_mm: float) -> _Said:
    """Return the rows of an entry: its name, a row a language, then the going of what it stands for."""
    name_hand, going_hand = desk.hand(Font.ROMAN, 17), desk.hand(Font.ITALIC, 13.5, "ink-secondary")
    names = dict.fromkeys(words(f"legend.{entry.key}") for words in desk.words.each())
    if len(names) > 1:
        name_hand = name_hand.sized(0.85, least=least_size(Font.ROMAN))
    rows: list[tuple[str, Hand]] = []
    for name in names:
        lines, hand = fitted(name, name_hand, measure_mm, least=0.75)
        rows += [(line, hand) for line in lines]
    goings = sorted(set(entry.goings(field)))
    for words in desk.words.each():
        named = ", ".join(dict.fromkeys(going_word(going.name, words) for going in goings if going.name))
        lines = wrapped(named, going_hand.font, going_hand.size_pt, measure_mm)
        rows += [(line, going_hand) for line in lines if (line, going_hand) not in rows]
    return _Said(tuple(rows))


def _line(entry: Entry, said: _Said, desk: Desk, width: float, height: float) -> Drawing:
    """Return swatch and text of an entry, both about the same middle."""
    if desk.draft:
        return Drawing(width, height, ())
    swatch = swatch_drawing(entry, desk)
    items: list[Item] = []
    foot = (height + said.height) / 2
    for text, hand in said.rows:
        foot -= hand.height * _LEADING
        items.extend(desk.text(text, swatch.width + desk.size(_TO_TEXT), foot + 0.30 * hand.height, hand))
    words = Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))
    return joined(width, height, [Placed(swatch, 0.0, (height - swatch.height) / 2), Placed(words, 0.0, 0.0)])


def swatch_drawing(entry: Entry, desk: Desk) -> Drawing:
    """Return the sign itself in a bordered field, at 0.8 of its size on the map."""
    return _SWATCHES.once(lambda: _swatch(entry, desk), desk.pen, entry)


def _swatch(entry: Entry, desk: Desk) -> Drawing:
    width, height = (desk.size(side) for side in SWATCH)
    field = scaled(sample_field(entry), desk.size(1))
    pen = desk.pen.smaller(SAMPLE_SIZE)

    def laid() -> Iterator[tuple[LayerName, Item]]:
        for item in fill(box(0, 0, width, height), desk.style.ink("paper")):
            yield LayerName.PAPER, item
        yield from draw(field, pen)

    picture = flattened(gathered(laid()), LayerName.MARGIN, Rect(0, 0, width, height))
    border = Layer(LayerName.MARGIN, tuple(desk.rule(box(0, 0, width, height).exterior, 0.40)))
    return Drawing(width, height, (picture, border))
