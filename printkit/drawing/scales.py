"""Scale bars: two chequered rows a bar, for inches, centimetres, paces and base widths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from shapely import box

from printkit.drawing.desk import Desk
from printkit.drawing.items import Anchor, Drawing, Font, Item, Layer, LayerName
from printkit.drawing.lettering import fitted, measure
from printkit.drawing.shapes import fill
from printkit.terrain.battlefield import Board
from printkit.units import MM_PER_INCH

_LONGEST: Final = 102.0
_LEAST_STEP: Final = 18.0
_MOST_STEPS: Final = 5
_HEIGHT: Final = 3.0
_PITCH: Final = 13.0
_LABEL: Final = 25.0
_ROUND: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Bar(NamedTuple):
    """A bar of ``steps`` steps of ``step`` mm on paper, each of which stands for ``worth`` units."""

    unit: str
    step: float
    worth: float
    steps: int


def scales_block(board: Board, desk: Desk, *, scale: float = 1.0) -> Drawing:
    """Return the scale bars of a board printed at ``scale``, one under another, each with its unit."""
    bars = bars_of(board, desk, scale)
    left = desk.size(3)
    longest = max(bar.step * bar.steps for bar in bars)
    width = left + longest + desk.size(4) + desk.size(_LABEL)
    height = desk.size(_PITCH) * len(bars) - desk.size(_PITCH - _HEIGHT - 6)
    items: list[Item] = []
    for row, bar in enumerate(bars):
        items.extend(_bar(bar, left, height - desk.size(6 + _HEIGHT) - row * desk.size(_PITCH), desk))
        items.extend(_unit(bar, left + longest, height - desk.size(6 + _HEIGHT) - row * desk.size(_PITCH), desk))
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))


def bars_of(board: Board, desk: Desk, scale: float) -> tuple[Bar, ...]:
    """Return the bars: steps of round numbers, long enough for their figures, none longer than 102 mm at 1:1."""
    units = (
        ("inches", MM_PER_INCH, 1.0),
        ("centimetres", 10.0, 1.0),
        ("paces", board.scale.pace * 100, 100.0),
        ("base_widths", board.scale.base_width / 2, 0.5),
    )
    found = []
    for unit, millimetres, worth in units:
        often = next((by for by in _ROUND if millimetres * scale * by >= desk.size(_LEAST_STEP)), _ROUND[-1])
        step = millimetres * scale * often
        steps = max(1, min(_MOST_STEPS, int(desk.size(_LONGEST) / step + 1e-6)))
        found.append(Bar(unit, step, worth * often, steps))
    return tuple(found)


def _bar(bar: Bar, x: float, y: float, desk: Desk) -> Iterator[Item]:
    high, half = desk.size(_HEIGHT), desk.size(_HEIGHT) / 2
    dark, light = [], []
    for step in range(bar.steps):
        left, right = x + step * bar.step, x + (step + 1) * bar.step
        lower, upper = box(left, y, right, y + half), box(left, y + half, right, y + high)
        dark.append(lower if step % 2 == 0 else upper)
        light.append(upper if step % 2 == 0 else lower)
    yield from fill(light, desk.style.solid("cartouche"))
    yield from fill(dark, desk.style.solid("ink"))
    yield from desk.rule(box(x, y, x + bar.steps * bar.step, y + high).exterior, 0.35)
    hand = desk.hand(Font.FIGURES, 9)
    for step in range(bar.steps + 1):
        at = x + step * bar.step
        yield from desk.line((at, y + high), (at, y + desk.size(_HEIGHT + 1.4)), mm=0.35)
        yield from desk.text(f"{step * bar.worth:g}", at, y + desk.size(_HEIGHT + 2.4), hand, anchor=Anchor.MIDDLE)


def _unit(bar: Bar, x: float, y: float, desk: Desk) -> Iterator[Item]:
    """Yield the word of a unit at the end of its bar, a line for each language."""
    hand = desk.hand(Font.ITALIC, 12.5)
    said = tuple(dict.fromkeys(words(f"unit.{bar.unit}") for words in desk.words.each()))
    longest = max(said, key=lambda word: measure(word, hand))
    hand = fitted(longest, hand, desk.size(_LABEL))[1]
    low = y + desk.size(_HEIGHT) / 2 - 0.28 * hand.height + 0.5 * hand.height * (len(said) - 1)
    for row, word in enumerate(said):
        yield from desk.text(word, x + desk.size(4), low - row * hand.height, hand)
