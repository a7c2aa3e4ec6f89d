"""A church, its yard, a well. Source: the cartography, 10.9."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Cap, Ink, Join, Laid, LayerName, Path
from printkit.drawing.canvas.shapes import Line, fill, painted
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.signs.built.buildings import cast
from printkit.drawing.signs.lines.course_lines import on, ruled

SHADOW: Final = (2.3, 2.5)
_NAVE: Final = ((-9.0, 0.0), (9.0, 0.0), 4.2)
_CROSSING: Final = ((3.5, -8.0), (3.5, 8.0), 2.5)
_APSE: Final = ((9.0, -3.2), (11.5, -2.2), (12.6, 0.0), (11.5, 2.2), (9.0, 3.2))
_TOWER: Final = ((-16.0, -4.6), (-7.0, -4.6), (-7.0, 4.6), (-16.0, 4.6))
_WHITE: Final = Ink(255, 255, 255)


class Church(Struct, frozen=True, kw_only=True):
    """A church whose nave runs along ``angle`` radians, apse first; ``size`` is printed mm per mm of its plan."""

    x: float
    y: float
    angle: float
    size: float

    def placed(self, points: object) -> Line:
        """Return points of the church's own plan where they come to lie."""
        local = np.asarray(points, dtype=float) * self.size
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        return np.asarray(local @ np.array([[cosine, sine], [-sine, cosine]]) + (self.x, self.y))

    @property
    def footprint(self) -> BaseGeometry:
        """Return the ground it stands on."""
        halves = [half for ridge in (_NAVE, _CROSSING) for half, _ in self.gable(ridge)]
        return shapely.union_all([*halves, Polygon(self.placed(_APSE)), Polygon(self.placed(_TOWER))])

    def gable(self, ridge: tuple[tuple[float, float], tuple[float, float], float]) -> list[tuple[Polygon, float]]:
        """Return the two planes along a ridge, and how each faces the light."""
        first, last, half = np.array(ridge[0]), np.array(ridge[1]), ridge[2]
        along = (last - first) / float(np.hypot(*(last - first)))
        across = np.array([-along[1], along[0]])
        origin = self.placed([(0, 0)])[0]
        found = []
        for side in (1, -1):
            out = side * half * across
            facing = self.placed([out])[0] - origin
            found.append((Polygon(self.placed([first, last, last + out, first + out])), float(facing[1] - facing[0])))
        return found


def church(building: Church, pen: Pen) -> Laid:
    """Draw nave, crossing, apse and a tower with a pyramid roof and a cross."""
    slate = pen.style.family("slate")[0]
    yield from on(LayerName.HOUSE, cast([building.footprint], pen, SHADOW, 0.32))
    for ridge in (_CROSSING, _NAVE):
        for plane, facing in building.gable(ridge):
            ink = slate.towards(_WHITE, 0.32) if facing > 0 else slate.towards(Ink(21, 21, 26), 0.30)
            yield from on(LayerName.HOUSE, _faced(plane, slate if pen.style.hatched else ink, pen))
        if pen.style.hatched:
            yield from on(LayerName.HOUSE, ruled(_hatching(building, ridge), pen, "roof-line", 0.20, cap=Cap.BUTT))
    apse = Polygon(building.placed(_APSE))
    yield from on(LayerName.HOUSE, _faced(apse, slate.towards(_WHITE, 0.10), pen))
    yield from _tower(building, pen)


def _faced(plane: Polygon, ink: Ink, pen: Pen) -> list[Path]:
    return painted(plane, ink, pen.stroke(pen.style.solid("roof-line"), 0.30, join=Join.MITRE))


def _hatching(building: Church, ridge: tuple[tuple[float, float], tuple[float, float], float]) -> list[Line]:
    """Return strokes from ridge to eave on the plane away from the light."""
    dark = min(building.gable(ridge), key=lambda plane: plane[1])[0]
    first, last, eave_last, eave_first = (np.array(corner) for corner in dark.exterior.coords[:4])
    return [
        np.array([first + (last - first) * share, eave_first + (eave_last - eave_first) * share])
        for share in np.arange(0.04, 1.0, 0.07)
    ]


def _tower(building: Church, pen: Pen) -> Laid:
    stone, corners = pen.style.solid("stone"), np.array(_TOWER)
    middle = corners.mean(axis=0)
    origin = building.placed([(0.0, 0.0)])[0]
    for first, last in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        out = building.placed([(first + last) / 2 - middle])[0] - origin
        facing = float(out[1] - out[0]) / (float(np.hypot(*out)) * math.sqrt(2))
        other = _WHITE if facing > 0 else Ink(42, 32, 24)
        ink = stone if pen.style.hatched else stone.towards(Ink(120, 105, 92), 0.35).towards(other, abs(facing) * 0.55)
        yield from on(LayerName.HOUSE, _faced(Polygon(building.placed([first, last, middle])), ink, pen))
    x, y = building.placed([middle])[0]
    size = building.size
    upright = np.array([(x, y - 2.6 * size), (x, y + 3.4 * size)])
    arms = np.array([(x - 2.0 * size, y + 1.3 * size), (x + 2.0 * size, y + 1.3 * size)])
    yield from on(LayerName.HOUSE, ruled([upright, arms], pen, "ink", 0.75, cap=Cap.BUTT))


def yard(building: Church, stream: Stream) -> Polygon:
    """Return the churchyard: an uneven oval about the church."""
    turn = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    reach = np.ones(len(turn))
    for wave in range(2, 6):
        reach += stream.bell(0.055) / wave**0.9 * np.cos(wave * turn + stream.between(0, 2 * np.pi))
    # The church lies about 1.7 west of its plan's origin; the yard keeps 5 or more about it.
    ring = np.column_stack([22.0 * reach * np.cos(turn) - 1.7, 14.0 * reach * np.sin(turn)])
    return Polygon(building.placed(ring))


def well(at: Point, pen: Pen) -> Laid:
    """Draw a well with its kerb of stone."""
    kerb, water = at.buffer(pen.size(2.0)), at.buffer(pen.size(1.0))
    yield from on(LayerName.GARDEN, fill(kerb, pen.style.ink("stone")))
    yield from on(LayerName.GARDEN, ruled(kerb, pen, "stone-line", 0.50))
    yield from on(LayerName.GARDEN, fill(water, pen.style.ink("bank-line")))
