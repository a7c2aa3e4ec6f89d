"""Replace straight edges of swamps along the sides of zones by wavy ones."""

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
from printkit.core import exact_math
from printkit.terrain.geometry.measure import interpolate_points

# An edge within this distance of a straight line follows it; a fraction of the unit.
_NEAR: Final = 0.012

_FROM: Final = 0.15  # minimum length of a straight edge that is replaced, as a fraction of the unit

_SEEN: Final = 0.02
_BREAK: Final = 0.06
_DEEP: Final = (0.035, 0.055)
_WAVES: Final = (0.5, 0.9)
_STEPS: Final = 24


def roughen_straight_edges(
    swamp: Polygon, lines: Iterable[LineString], *, unit: float, neck: float, stream: Stream
) -> Polygon:
    """Return the outline of a swamp in mm on the board without long straight edges along the given lines.

    A bay is cut out of each such edge, unless that would split the swamp or part of its width.

    Args:
        swamp: the outline in mm.
        lines: the sides of zones, and of the area for placement in them.
        unit: the unit of the zone, in mm.
        neck: a width in mm; parts of the swamp that are this wide stay joined.
        stream: the random stream of the waves.
    """
    for line in lines:
        for run in _edge_runs(swamp, line, unit):
            smaller_swamp = swamp.difference(_bay_outline(run, swamp, unit, stream))
            if isinstance(smaller_swamp, Polygon) and _count_parts(smaller_swamp, neck) == _count_parts(swamp, neck):
                swamp = smaller_swamp
    return swamp


def box_sides(boxes: Iterable[Polygon]) -> Iterator[LineString]:
    """Yield the four sides of each rectangle as lines, in the unit of the rectangle."""
    for box in boxes:
        yield from (LineString(side) for side in pairwise(box.exterior.coords))


def _edge_runs(swamp: Polygon, line: LineString, unit: float) -> list[LineString]:
    """Return the parts of a straight line, in mm on the board, that the edge of a swamp follows.

    Short gaps are ignored, and short parts left out; the order is that of the line. ``unit`` is the shorter side of the
    zone in mm.
    """
    strip = line.buffer(_NEAR * unit, cap_style="flat")
    spans = []
    for part in shapely.get_parts(shapely.intersection(swamp.boundary, strip)):
        if part.is_empty:
            continue
        distances = shapely.line_locate_point(line, shapely.points(shapely.get_coordinates(part)))
        spans.append((float(distances.min()), float(distances.max())))
    merged_spans: list[tuple[float, float]] = []
    for low, high in sorted(spans):
        if merged_spans and low - merged_spans[-1][1] < _BREAK * unit:
            merged_spans[-1] = merged_spans[-1][0], max(high, merged_spans[-1][1])
        else:
            merged_spans.append((low, high))
    long_spans = ((low, high) for low, high in merged_spans if high - low >= _FROM * unit)
    return [LineString([line.interpolate(low), line.interpolate(high)]) for low, high in long_spans]


def _bay_outline(run: LineString, swamp: Polygon, unit: float, stream: Stream) -> BaseGeometry:
    """Return the ground in mm that a swamp loses along the line ``run``: a bay with a wavy edge.

    The bay gets narrow towards both ends. ``unit`` is the shorter side of the zone in mm on the board.
    """
    share = np.linspace(0.0, 1.0, _STEPS + 1)
    points = interpolate_points(run, share * run.length)
    (x0, y0), (x1, y1) = run.coords
    normal = np.array([y0 - y1, x1 - x0]) / run.length
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    # Carve on the side of the line where the swamp is.
    if not shapely.intersects_xy(swamp, *(middle + normal * 2 * _NEAR * unit)):
        normal = -normal
    maximum_depth, waves, phase = stream.between(*_DEEP) * unit, stream.between(*_WAVES), stream.between(0.0, math.tau)
    count = max(1.0, waves * run.length / (0.2 * unit))
    wave = 0.65 + 0.35 * exact_math.sin(math.tau * count * share + phase)
    depth = maximum_depth * exact_math.sin(math.pi * share) * wave
    inner, outer = points + depth[:, None] * normal, points - 2 * _NEAR * unit * normal
    return shapely.make_valid(Polygon(np.vstack([inner, outer[::-1]])))


def _count_parts(shape: Polygon, neck: float) -> int:
    """Return how many parts of a swamp are wider than ``neck`` mm on the board, without tiny ones."""
    return sum(part.area > _SEEN * neck**2 for part in shapely.get_parts(shape.buffer(-neck / 2)))
