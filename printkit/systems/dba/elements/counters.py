"""Counters to cut out: bases at true size side by side in strips of one depth, with the lines along which one cuts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.drawing.canvas.items import Drawing, Item
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.setting import part, rule
from printkit.systems.dba.elements.camp_face import camp_face
from printkit.systems.dba.elements.element_face import Face, element_face

TICK: Final = 4.0
"""How far in mm the lines to cut along reach beyond a strip."""

_CUT: Final = 0.12


class Counter(Struct, frozen=True, kw_only=True):
    """One counter: its face, and the width and depth of its base in mm."""

    face: Face
    width: float
    depth: float


def strips(counters: Sequence[Counter], width: float, height: float, style: Style) -> tuple[Drawing, ...]:
    """Return counters as blocks no larger than ``width`` by ``height`` mm, each of one base size, deep ones first.

    Neighbours share the line between them. Counters keep their order within a size.
    """
    sizes = sorted({(each.depth, each.width) for each in counters}, reverse=True)
    found: list[Drawing] = []
    for depth, wide in sizes:
        alike = [each for each in counters if (each.depth, each.width) == (depth, wide)]
        columns = max(1, int((width - 2 * TICK) // wide))
        rows = max(1, int((height - 2 * TICK) // depth))
        starts = range(0, len(alike), columns * rows)
        found += [_block(alike[start : start + columns * rows], columns, style) for start in starts]
    return tuple(found)


def camp_tile(said: str, side: str, size: float, style: Style) -> Drawing:
    """Return a camp to cut out, ``size`` mm square, with room for its garrison in front of the tents."""
    middle, whole = TICK + size / 2, size + 2 * TICK
    items = camp_face(said, side, middle, middle, size, style)
    ink, width = style.solid("ink"), _CUT * style.line_factor
    for at in (TICK, TICK + size):
        # Its own border is the line to cut along, so that only the ends stand out.
        for start, end in ((0.0, TICK), (TICK + size, whole)):
            items += [rule([(at, start), (at, end)], ink, width), rule([(start, at), (end, at)], ink, width)]
    return part(whole, whole, items)


def _block(counters: Sequence[Counter], columns: int, style: Style) -> Drawing:
    """Return counters of one size in rows, from the upper left."""
    wide, deep = counters[0].width, counters[0].depth
    across = min(columns, len(counters))
    rows = -(-len(counters) // columns)
    height = rows * deep + 2 * TICK
    items: list[Item] = []
    for number, each in enumerate(counters):
        row, column = divmod(number, columns)
        x, y = TICK + (column + 0.5) * wide, height - TICK - (row + 0.5) * deep
        items += element_face(each.face, x, y, wide, deep, style)
    items += _cuts(across, rows, wide, deep, len(counters) - (rows - 1) * columns, style)
    return part(across * wide + 2 * TICK, height, items)


def _cuts(columns: int, rows: int, wide: float, deep: float, last: int, style: Style) -> Iterator[Item]:
    """Yield the lines to cut along; the last row has ``last`` counters."""
    ink, line = style.solid("ink"), _CUT * style.line_factor
    top = 2 * TICK + rows * deep
    for column in range(columns + 1):
        reach = rows if column <= last else rows - 1
        foot = top - TICK - reach * deep
        yield rule([(TICK + column * wide, top), (TICK + column * wide, foot - TICK)], ink, line)
    for row in range(rows + 1):
        many = columns if row < rows else last
        y = top - TICK - row * deep
        yield rule([(0.0, y), (2 * TICK + many * wide, y)], ink, line)
