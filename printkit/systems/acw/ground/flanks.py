"""Flanks of swamps: wet ground keeps to no ruler, so an edge that runs along a side of its zone draws back in waves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.terrain.geometry.measure import stations

_NEAR: Final = 0.012
"""So near a ruled line, as a part of the unit, an edge runs along it."""

_FROM: Final = 0.15
"""So long a run along it, as a part of the unit, is seen."""

_SEEN: Final = 0.02
_BREAK: Final = 0.06
_DEEP: Final = (0.035, 0.055)
_WAVES: Final = (0.5, 0.9)
_STEPS: Final = 24


def unruled(swamp: Polygon, lines: Iterable[LineString], *, unit: float, neck: float, stream: Stream) -> Polygon:
    """Return a swamp whose edge runs along none of some lines for long; the same where it does not anyway.

    Args:
        swamp: its outline in mm.
        lines: sides of zones and of the room in them.
        unit: of the zone.
        neck: how wide in mm it stays where it is wide enough for that now.
        stream: of the waves.
    """
    for line in lines:
        for run in _runs(swamp, line, unit):
            carved = swamp.difference(_bite(run, swamp, unit, stream))
            if isinstance(carved, Polygon) and _pieces(carved, neck) == _pieces(swamp, neck):
                swamp = carved
    return swamp


def ruled_lines(boxes: Iterable[Polygon]) -> Iterator[LineString]:
    """Yield the sides of some rectangles."""
    for box in boxes:
        yield from (LineString(side) for side in pairwise(box.exterior.coords))


def _runs(swamp: Polygon, line: LineString, unit: float) -> list[LineString]:
    """Return the stretches of a straight line along which the edge of a swamp runs, short breaks in them left out."""
    strip = line.buffer(_NEAR * unit, cap_style="flat")
    stretches = []
    for part in shapely.get_parts(shapely.intersection(swamp.boundary, strip)):
        if part.is_empty:
            continue
        gone = shapely.line_locate_point(line, shapely.points(shapely.get_coordinates(part)))
        stretches.append((float(gone.min()), float(gone.max())))
    joined: list[tuple[float, float]] = []
    for low, high in sorted(stretches):
        if joined and low - joined[-1][1] < _BREAK * unit:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    long = ((low, high) for low, high in joined if high - low >= _FROM * unit)
    return [LineString([line.interpolate(low), line.interpolate(high)]) for low, high in long]


def _bite(run: LineString, swamp: Polygon, unit: float, stream: Stream) -> BaseGeometry:
    """Return the ground that a swamp gives up along a run: a bay with waves in its shore, that ends in nothing."""
    share = np.linspace(0.0, 1.0, _STEPS + 1)
    points = stations(run, share * run.length)
    (x0, y0), (x1, y1) = run.coords
    aside = np.array([y0 - y1, x1 - x0]) / run.length
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    # Of the two sides of the line that is meant on which the swamp lies.
    if not shapely.intersects_xy(swamp, *(middle + aside * 2 * _NEAR * unit)):
        aside = -aside
    deep, waves, phase = stream.between(*_DEEP) * unit, stream.between(*_WAVES), stream.between(0.0, math.tau)
    count = max(1.0, waves * run.length / (0.2 * unit))
    wave = 0.65 + 0.35 * elementary.sin(math.tau * count * share + phase)
    depth = deep * elementary.sin(math.pi * share) * wave
    inner, outer = points + depth[:, None] * aside, points - 2 * _NEAR * unit * aside
    return shapely.make_valid(Polygon(np.vstack([inner, outer[::-1]])))


def _pieces(shape: Polygon, neck: float) -> int:
    """Return into how many parts a swamp falls where it is narrower than a neck, but for the smallest."""
    return sum(part.area > _SEEN * neck**2 for part in shapely.get_parts(shape.buffer(-neck / 2)))
