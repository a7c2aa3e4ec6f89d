"""Scale bars: two chequered rows a bar, for inches, centimetres, paces and base widths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from shapely import box

from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Layer, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.drawing.lettering.lettering import Hand, measure
from printkit.drawing.text.drafter import Desk
from printkit.terrain.field.battlefield import Battlefield, Board

_LONGEST: Final = 102.0
_LEAST_STEP: Final = 18.0
_MOST_STEPS: Final = 5
_HEIGHT: Final = 3.0
_PITCH: Final = 13.0
_LENGTHS: Final = ("inches", "centimetres")
_ROUND: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Bar(Struct, frozen=True):
    """A bar of ``steps`` steps of ``step`` mm on paper, each of which stands for ``worth`` units."""

    unit: str
    step: float
    worth: float
    steps: int


def scales_block(field: Battlefield, desk: Desk, *, scale: float = 1.0, longest: float | None = None) -> Drawing:
    """Return the scale bars of a battlefield printed at ``scale``, one under another, each with its unit.

    ``longest`` is what a bar may measure in mm; else 102 at 1:1.
    """
    bars = bars_of(field.board, desk, scale, longest or desk.size(_LONGEST))
    if field.grid is not None:
        # On cells one counts; paces and base widths measure nothing.
        bars = tuple(bar for bar in bars if bar.unit in _LENGTHS)
    unit, figures = desk.hand(Font.ITALIC, 12.5), desk.hand(Font.FIGURES, 9)
    rows = len(desk.words.languages)
    over = desk.size(2.4) + figures.height
    pitch = max(desk.size(_PITCH), desk.size(_HEIGHT) + over, rows * unit.height * 1.08)
    left = figures.height
    reach = left + max(bar.step * bar.steps for bar in bars) + figures.height
    width = reach + max(measure(word, unit) for bar in bars for word in _said(bar, desk)) + desk.size(1)
    # The word of the lowest bar may hang below it.
    foot = max(0.0, rows * unit.height / 2 - desk.size(_HEIGHT) / 2)
    height = foot + pitch * (len(bars) - 1) + desk.size(_HEIGHT) + over
    if desk.draft:
        return Drawing(width, height, ())
    items: list[Item] = []
    for row, bar in enumerate(reversed(bars)):
        items.extend(_bar(bar, left, foot + row * pitch, desk))
        items.extend(_unit(bar, reach, foot + row * pitch, desk, unit))
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))


def bars_of(board: Board, desk: Desk, scale: float, longest: float) -> tuple[Bar, ...]:
    """Return the bars: steps of round numbers, long enough for their figures, bars no longer than ``longest`` mm."""
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
        steps = max(1, min(_MOST_STEPS, int(longest / step + 1e-6)))
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


def _unit(bar: Bar, x: float, y: float, desk: Desk, hand: Hand) -> Iterator[Item]:
    """Yield the word of a unit at the end of its bar, a row a language."""
    said = _said(bar, desk)
    foot = y + desk.size(_HEIGHT) / 2 - 0.26 * hand.height + 0.52 * hand.height * (len(said) - 1)
    for row, word in enumerate(said):
        yield from desk.text(word, x, foot - row * 1.04 * hand.height, hand)


def _said(bar: Bar, desk: Desk) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words(f"unit.{bar.unit}") for words in desk.words.each()))
