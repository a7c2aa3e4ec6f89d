"""The key of a field as a list: where each feature is found on the map, what it is, and its going."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.content.prose import Heading, Table
from printkit.core.words import Words
from printkit.drawing.furniture.key import described
from printkit.drawing.furniture.legend import going_word
from printkit.drawing.map.cells import address
from printkit.drawing.map.labels import numbered
from printkit.drawing.text.leaflet import Columns, Content
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Crossing, Feature, Hill
from printkit.terrain.field.grid import Cell

_SHARES: Final = (0.7, 3.4, 1.9)
_CELL_SHARES: Final = (1.7, 2.6, 1.7)
_MANY: Final = 12
"""From so many features on the key stands in two columns."""


def field_key(field: Battlefield, words: Words) -> Iterator[Content]:
    """Yield the key under its head; nothing where nothing lies on the field.

    Parts of one thing that stand in the same cells, as the lots of a field, are told once.
    """
    told = [
        (place_of(number, feature, field), described(feature, words), "\n".join(_goings(feature, words)))
        for number, feature in numbered(field)
    ]
    rows = tuple(dict.fromkeys(told))
    if not rows:
        return
    first, shares = ("number", _SHARES) if field.grid is None else ("cells", _CELL_SHARES)
    head = tuple(words(f"handouts.key.{name}") for name in (first, "what", "going"))
    yield Heading(words("handouts.key.title"), aside=words(f"handouts.key.aside-{first}"))
    if len(rows) < _MANY:
        yield Table(rows=rows, head=head, shares=shares)
        return
    middle = (len(rows) + 1) // 2
    yield Columns(tuple(Table(rows=half, head=head, shares=shares) for half in (rows[:middle], rows[middle:])))


def place_of(number: int, feature: Feature, field: Battlefield) -> str:
    """Return how a feature is found on the map: by its number, or by the cells in which it lies."""
    grid = field.grid
    if grid is None or not feature.cells:
        return f"**{number}**"
    said = sorted((grid.numbered(Cell(*each)), Cell(*each)) for each in feature.cells)
    return " ".join(address(grid, cell) for _, cell in said)


def _goings(feature: Feature, words: Words) -> Iterator[str]:
    """Yield the going of a feature, and of the sides of a hill that differ from it."""
    if said := going_word(feature.going.name, words):
        yield said
    else:
        yield words(f"handouts.key.{'crossing' if isinstance(feature, Crossing) else 'unstated'}")
    if isinstance(feature, Hill):
        for kind, going in dict.fromkeys((face.kind, face.going.name) for face in feature.faces):
            named, said = words(f"kind.{kind}"), going_word(going, words)
            yield words("handouts.key.faces", kind=named, going=said) if said else named
