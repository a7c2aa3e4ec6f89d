"""How sorts of courses run: where they are held, how wide they swing, how sharply they bend."""

from __future__ import annotations

import math
from typing import Final

from msgspec import Struct

from printkit.terrain.geometry.routing import XY


class Terminal(Struct, frozen=True):
    """An end of a course. With a lead the course runs straight between ``at`` and ``lead``, whatever lies there."""

    at: XY
    lead: XY | None = None

    @property
    def inner(self) -> XY:
        """Return the place from which the course is free."""
        return self.lead or self.at

    @property
    def lead_length(self) -> float:
        """Return the length of the straight lead."""
        return math.dist(self.at, self.inner)


class Manner(Struct, frozen=True, kw_only=True):
    """How a sort of course runs; lengths in mm.

    Args:
        wavelength, swing: of its bends; the swing is to one side.
        bow: how far the whole course bows, as a share of its length.
        swings: the shares of the swing to try about the straight line, each ``draws`` times.
        tamed: the same, about a way round obstacles, for each margin.
        margins: what it keeps from forbidden ground beside its way, tried in this order.
        bend_over, bend_most: no bend over so many mm of way is sharper than so many degrees.
        calm: mm over which the finished line is evened out.
        square_below: degrees; a crossing that is flatter is bent to be square.
    """

    wavelength: tuple[float, float]
    swing: tuple[float, float]
    bow: float
    swings: tuple[float, ...]
    tamed: tuple[float, ...]
    draws: int
    margins: tuple[float, ...]
    bend_over: float
    bend_most: float
    calm: float
    square_below: float = 0.0


MEANDERING: Final = Manner(
    wavelength=(190.0, 275.0),
    swing=(40.0, 68.0),
    bow=0.05,
    swings=(1.0, 0.8, 0.6),
    tamed=(1.0, 0.7, 0.45, 0.2, 0.0),
    draws=2,
    margins=(24.0, 10.0, 3.0, 0.5),
    bend_over=40.0,
    bend_most=68.0,
    calm=19.0,
)
"""A lowland river: a bend every eight to eleven widths."""

STRAIGHTISH: Final = Manner(
    wavelength=(260.0, 480.0),
    swing=(7.0, 15.0),
    bow=0.025,
    swings=(1.0, 0.5),
    tamed=(1.0, 0.4, 0.0),
    draws=1,
    margins=(22.0, 9.0, 3.0, 0.5),
    bend_over=50.8,
    bend_most=56.0,
    calm=18.0,
    square_below=64.0,
)
"""A country road: it leaves the straight line only for a reason, and comes square to a river."""
