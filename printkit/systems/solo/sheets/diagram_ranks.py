"""Plans of elements in ranks: pikes two deep, and a mass either two deep or with one element alone at each end."""

from __future__ import annotations

from typing import Final

from printkit.content.prose import Diagram
from printkit.drawing.canvas.items import Anchor, Drawing
from printkit.drawing.text.sketch import Sketch
from printkit.drawing.text.text_styles import Manner

_WIDEST: Final = 6.6
_DEEP: Final = 0.42
"""How deep an element is drawn, in shares of its width."""

_BESIDE: Final = 15.0
_AIR: Final = 1.3


def pikes(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return files of two. Labels: ``front`` and ``said``; number: ``elements``."""
    return _ranks(block, width, manner, (("said", 0),))


def deep_and_thin(block: Diagram, width: float, manner: Manner) -> Drawing:
    """Return a mass two deep, and below it with its end files one deep.

    Labels: ``front``; ``deep`` and ``thin``, die faces; number: ``elements``.
    """
    return _ranks(block, width, manner, (("deep", 0), ("thin", 2)))


def _ranks(block: Diagram, width: float, manner: Manner, forms: tuple[tuple[str, int], ...]) -> Drawing:
    """Return one plan below the other, each with so many files of one element at the ends."""
    count = int(block.numbers["elements"])
    most = max(_frontage(count, thin) for _, thin in forms)
    wide = min(_WIDEST, (width - _BESIDE) / most)
    deep = _DEEP * wide
    row = 1.35 * manner.size
    high = 2 * deep + _AIR + 0.8
    sketch = Sketch(width, row + len(forms) * high, manner)
    top = sketch.height - row
    middle = _BESIDE + (width - _BESIDE) / 2
    sketch.words(block.labels["front"], (middle, sketch.height - row / 2), room=width - _BESIDE)
    for name, thin in forms:
        files = _frontage(count, thin)
        left = middle - files * wide / 2
        backed = count - files
        first = (files - backed + 1) // 2 if thin else 0
        for place in range(files):
            x = left + (place + 0.5) * wide
            sketch.element(x, top - 0.5 * deep - 0.4, wide - 0.5, deep - 0.3, filled=True)
            if first <= place < first + backed:
                sketch.element(x, top - 1.5 * deep - 0.4, wide - 0.5, deep - 0.3)
        sketch.words(block.labels[name], (0.0, top - deep - 0.4), anchor=Anchor.START, strong=True)
        top -= high
    return sketch.drawing()


def _frontage(count: int, thin: int) -> int:
    """Return how many files a mass has, so many of which are one deep."""
    return thin + -(-(count - thin) // 2)
