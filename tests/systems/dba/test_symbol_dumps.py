"""The symbols of troop types are those that they were, line by line."""

from __future__ import annotations

from collections.abc import Callable

from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName
from printkit.systems.dba.elements.troop_symbols import SYMBOLS, symbol

_SIDE = 12.0


def test_symbols_stay_as_they_were(golden: Callable[[Drawing, str], None]) -> None:
    ink, paper = Ink(0, 0, 0), Ink(255, 255, 255)
    items = [
        item
        for number, name in enumerate(SYMBOLS)
        for item in symbol(name, _SIDE * (number % 6 + 0.5), _SIDE * (number // 6 + 0.5), _SIDE, ink, paper)
    ]
    high = _SIDE * ((len(SYMBOLS) - 1) // 6 + 1)
    golden(Drawing(6 * _SIDE, high, (Layer(LayerName.LABEL, tuple(items)),)), "troop-symbols")
