"""Tents from above, each a cone of twelve facets lit from the north-west, and the pennon of the general's.

Source: the cartography, 10.9; the sides differ in mark as well as in colour, 17.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import Point, Polygon, affinity

from printkit.drawing.canvas.items import Cap, Ink, Join, Laid, LayerName
from printkit.drawing.canvas.shapes import Line, fill, painted
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.signs.lines.course_lines import on, ruled

_FACETS: Final = 12
_SHADOW: Final = (1.5, 1.6)
_DARK_FROM: Final = -0.2
_LIT, _SHADED = 0.8, 0.75
_MAST: Final = 1.9
_LEAST_RADIUS: Final = 1.5


class Tent(Struct, frozen=True):
    """A round tent by its middle and its radius in printed mm."""

    x: float
    y: float
    radius: float

    @property
    def ground(self) -> Polygon:
        """Return the ground it covers."""
        return Point(self.x, self.y).buffer(self.radius, quad_segs=9)

    @property
    def seams(self) -> list[Line]:
        """Return the lines from the peak to the ground, one between each two facets."""
        turns = np.arange(_FACETS) * (2 * math.pi / _FACETS)
        return [np.array([(self.x, self.y), self.at(turn)]) for turn in turns]

    def at(self, turn: float) -> tuple[float, float]:
        """Return the foot of the tent in a direction."""
        return self.x + self.radius * math.cos(turn), self.y + self.radius * math.sin(turn)

    def facet(self, number: int) -> tuple[Polygon, float]:
        """Return a facet, and how it faces the light, 1 full and -1 away from it."""
        share = 2 * math.pi / _FACETS
        turn = (number + 0.5) * share
        rim = [self.at(number * share + part * share / 4) for part in range(5)]
        return Polygon([(self.x, self.y), *rim]), (math.sin(turn) - math.cos(turn)) * math.sqrt(0.5)


def tents(pitched: Sequence[Tent], pen: Pen) -> Laid:
    """Draw tents, their shadows beneath all of them."""
    if not pitched:
        return
    style = pen.style
    if style.shadows:
        east, south = pen.size(_SHADOW[0]), pen.size(_SHADOW[1])
        hulls = [tent.ground.union(affinity.translate(tent.ground, east, -south)).convex_hull for tent in pitched]
        yield from on(LayerName.CAMP, fill(shapely.union_all(hulls), pen.tint("shadow", 0.30)))
    if style.hatched:
        yield from on(LayerName.CAMP, fill([tent.ground for tent in pitched], style.ink("tent")))
        strokes = [stroke for tent in pitched for stroke in _shade(tent)]
        yield from on(LayerName.CAMP, ruled(strokes, pen, "tent-line", 0.18))
    else:
        inks: dict[Ink, list[Polygon]] = {}
        for number in range(_FACETS):
            for tent in pitched:
                facet, facing = tent.facet(number)
                inks.setdefault(_toned(facing, pen), []).append(facet)
        for ink, facets in inks.items():
            yield from on(LayerName.CAMP, fill(facets, ink))
    seams = [seam for tent in pitched if tent.radius > _LEAST_RADIUS for seam in tent.seams]
    yield from on(LayerName.CAMP, ruled(seams, pen, "tent-line", 0.16))
    yield from on(LayerName.CAMP, ruled([tent.ground for tent in pitched], pen, "tent-line", 0.34, least=LEAST_MEANING))


def pennon(tent: Tent, side: str, pen: Pen) -> Laid:
    """Draw the mast of a tent and its pennon: the red side's full and pointed, the blue side's open and forked."""
    style, radius = pen.style, tent.radius
    top = tent.y + mast(radius)
    yield from on(LayerName.CAMP, ruled([np.array([(tent.x, tent.y), (tent.x, top)])], pen, "ink", 0.40, cap=Cap.BUTT))
    half, length = 0.30 * radius, 1.25 * radius
    middle, fly = top - half, tent.x + length
    line = pen.stroke(style.solid(side), 0.50, join=Join.MITRE, least=LEAST_MEANING)
    if side == "side-red":
        full = Polygon([(tent.x, top), (fly, middle), (tent.x, top - 2 * half)])
        yield from on(LayerName.CAMP, painted(full, style.solid(side), line))
    else:
        fork = (tent.x + 0.62 * length, middle)
        upper, lower = [(tent.x, top), (fly, top - 0.1 * half)], [(fly, top - 1.9 * half), (tent.x, top - 2 * half)]
        forked = Polygon([*upper, fork, *lower])
        yield from on(LayerName.CAMP, painted(forked, style.solid("tent"), line))


def mast(radius: float) -> float:
    """Return how far the pennon's top stands above the middle of its tent."""
    return _MAST * radius


def _toned(facing: float, pen: Pen) -> Ink:
    """Return the ink of a facet between that of full light and that of full shade."""
    if facing > 0:
        return pen.style.solid("tent-lit").towards(Ink(255, 255, 255), facing * _LIT)
    return pen.style.solid("tent-shaded").towards(pen.style.solid("tent-dark"), -facing * _SHADED)


def _shade(tent: Tent) -> list[Line]:
    """Return strokes from the peak down the facets away from the light."""
    share = 2 * math.pi / _FACETS
    dark = [number for number in range(_FACETS) if tent.facet(number)[1] < _DARK_FROM]
    return [
        np.array([(tent.x, tent.y), tent.at((number + part) * share)]) for number in dark for part in (1 / 3, 2 / 3)
    ]
