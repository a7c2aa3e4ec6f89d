"""How far the back of a sheet lies beside its front, told by a pin: a ring to prick through, and a grid behind it."""

from __future__ import annotations

import math
from typing import Final

from printkit.core.words import Words
from printkit.drawing.canvas.items import Anchor, Cap, Item, Path, Run, Stroke
from printkit.drawing.lettering.lettering import line
from printkit.page.ruling import BLACK, GREY, SMALL, lines, on_grid

REACH: Final = 5
"""How many mm the grid reaches to every side of its middle."""

ROOM: Final = 27.0
"""What the grid takes with its numbers above its middle, in mm."""

_RING: Final = (1.6, 5.0)
_CROSS: Final = 9.0
_HAIR: Final = 0.12
_FINE: Final = 0.06
_BOLD: Final = 0.3
_STEPS: Final = 2
"""Lines a millimetre."""
_NUMBER: Final = SMALL.sized(1.25)
_RISE: Final = 2.05
_NECK: Final = 1.5
# The numbers at the right stand farther out than those above, so that the two fans keep clear of each other.
_SPREAD_ABOVE: Final = 4.0
_FAN_ABOVE: Final = 11.0
_SPREAD_BESIDE: Final = 3.2
_FAN_BESIDE: Final = 19.0
_HEAD: Final = 6.0


def ring(x: float, y: float) -> list[Item]:
    """Return a cross in two rings: where its hairlines meet, the pin goes through the sheet."""
    items: list[Item] = [lines([(x - _CROSS, y, x + _CROSS, y), (x, y - _CROSS, x, y + _CROSS)], BLACK, _HAIR)]
    return items + [_circle(x, y, radius) for radius in _RING]


def grid(x: float, y: float, words: Words) -> list[Item]:
    """Return the grid that stands behind the ring, each line with the number to type where the pin comes through it.

    A hole at the right of the middle means that the back came too far to the left: there numbers are below 0.
    """
    fine: list[tuple[float, float, float, float]] = []
    plain: list[tuple[float, float, float, float]] = []
    bold: list[tuple[float, float, float, float]] = []
    for step in range(-REACH * _STEPS, REACH * _STEPS + 1):
        by = step / _STEPS
        pair = [(x + by, y - REACH, x + by, y + REACH), (x - REACH, y + by, x + REACH, y + by)]
        (bold if step == 0 else plain if step % _STEPS == 0 else fine).extend(pair)
    items: list[Item] = [lines(fine, GREY, _FINE), lines(plain, BLACK, _HAIR), lines(bold, BLACK, _BOLD)]
    for by in range(-REACH, REACH + 1):
        items += _across(x, y, by)
        items += _up(x, y, by)
    above, beside = y + REACH + _NECK + _FAN_ABOVE + _HEAD, x + REACH + _NECK + _FAN_BESIDE + _HEAD
    items += line(words("calibration.right"), (x, above), _NUMBER, anchor=Anchor.MIDDLE)
    items += line(words("calibration.up"), (beside, y - _RISE / 2), _NUMBER)
    return items


def _across(x: float, y: float, by: int) -> list[Item]:
    """Return the number of an upright line, above the grid where there is room for it."""
    at, neck = x + by * _SPREAD_ABOVE, y + REACH + _NECK
    leader = _leader(x + by, y + REACH, x + by, neck, at, neck + _FAN_ABOVE - 0.8)
    return [leader, *line(_signed(-by), (at, neck + _FAN_ABOVE), _NUMBER, anchor=Anchor.MIDDLE)]


def _up(x: float, y: float, by: int) -> list[Item]:
    """Return the number of a lying line, at the right of the grid."""
    at, neck = y + by * _SPREAD_BESIDE, x + REACH + _NECK
    leader = _leader(x + REACH, y + by, neck, y + by, neck + _FAN_BESIDE - 0.8, at)
    return [leader, *line(_signed(-by), (neck + _FAN_BESIDE, at - _RISE / 2), _NUMBER)]


def _leader(*points: float) -> Path:
    return Path((Run(on_grid(*points), closed=False),), stroke=Stroke(GREY, _HAIR, cap=Cap.BUTT))


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else str(number)


def _circle(x: float, y: float, radius: float) -> Path:
    corners = [math.radians(degrees) for degrees in range(0, 360, 5)]
    points = [value for turn in corners for value in (x + radius * math.cos(turn), y + radius * math.sin(turn))]
    return Path((Run(on_grid(*points)),), stroke=Stroke(BLACK, _HAIR))
