"""Ladders at the four edges of a test sheet: the outermost rung that is printed tells what a printer leaves white."""

from __future__ import annotations

from typing import Final, NamedTuple

from printkit.drawing.canvas.items import Anchor, Item
from printkit.drawing.lettering.lettering import line
from printkit.page.ruling import BLACK, GREY, SMALL, lines
from printkit.page.sheet import Sheet

RUNGS: Final = 16
"""How many rungs a ladder has, a millimetre apart."""

DEPTH: Final = 21.0
"""How far in mm ladders and their numbers reach into the sheet."""

WIDTH: Final = RUNGS * 4.2
"""How much of its edge a ladder takes, in mm."""

_RUNG: Final = 3.2
_FOOT: Final = 16.8
_NUMBER: Final = 17.6
_LINE: Final = 0.2
_RISE: Final = 1.65
"""The height of a figure in mm."""


class _Edge(NamedTuple):
    """An edge of the sheet: where its ladder begins, which way it runs, and which way is inwards."""

    start: tuple[float, float]
    along: tuple[int, int]
    inwards: tuple[int, int]

    def at(self, gone: float, away: float) -> tuple[float, float]:
        """Return a point ``gone`` mm along the ladder and ``away`` mm from the edge."""
        return (
            self.start[0] + gone * self.along[0] + away * self.inwards[0],
            self.start[1] + gone * self.along[1] + away * self.inwards[1],
        )


def ladders(sheet: Sheet) -> list[Item]:
    """Return a ladder in the middle of each edge: rung 7 lies 7 mm from the edge, its number at its foot."""
    left, low = (sheet.width - WIDTH) / 2, (sheet.height - WIDTH) / 2
    edges = (
        _Edge((left, 0.0), (1, 0), (0, 1)),
        _Edge((left, sheet.height), (1, 0), (0, -1)),
        _Edge((0.0, low), (0, 1), (1, 0)),
        _Edge((sheet.width, low), (0, 1), (-1, 0)),
    )
    return [item for edge in edges for item in _ladder(edge)]


def _ladder(edge: _Edge) -> list[Item]:
    rungs, feet = [], []
    numbers: list[Item] = []
    for number in range(1, RUNGS + 1):
        middle = (number - 0.5) * WIDTH / RUNGS
        rungs.append((*edge.at(middle - _RUNG / 2, number), *edge.at(middle + _RUNG / 2, number)))
        if number < _FOOT:
            feet.append((*edge.at(middle, number), *edge.at(middle, _FOOT)))
        numbers += _number(str(number), *edge.at(middle, _NUMBER), edge)
    return [lines(feet, GREY, _LINE / 2), lines(rungs, BLACK, _LINE), *numbers]


def _number(text: str, x: float, y: float, edge: _Edge) -> list[Item]:
    """Return a number that reads upright, on the inner side of ``x``, ``y``."""
    match edge.inwards:
        case (0, 1):
            return [*line(text, (x, y), SMALL, anchor=Anchor.MIDDLE)]
        case (0, -1):
            return [*line(text, (x, y - _RISE), SMALL, anchor=Anchor.MIDDLE)]
        case (1, 0):
            return [*line(text, (x, y - _RISE / 2), SMALL)]
        case _:
            return [*line(text, (x, y - _RISE / 2), SMALL, anchor=Anchor.END)]
