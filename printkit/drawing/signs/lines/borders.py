"""Borders that neighbours share: what is left to draw of one where others stand already.

Source: the cartography, 20.11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, Point
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import Line, lines
from printkit.drawing.canvas.symbol_context import Pen
from printkit.terrain.geometry.stations import stations

SHARED: Final = 3.0
"""So near in mm at 1:1 two borders are one."""

SHARED_FROM: Final = 10.0
"""So many mm at 1:1 must two borders run side by side; less is a crossing or a corner."""

_UNMOVED: Final = 5.0
_HAIR: Final = 0.05
_JOINED: Final = 0.6
_STUB: Final = 4.0
_STEP: Final = 0.5


def runs_beside(line: BaseGeometry, border: BaseGeometry, pen: Pen) -> bool:
    """Return whether a border runs so near a line for so long that the two are one."""
    near = pen.size(SHARED)
    if not line.dwithin(border, near):
        return False
    together = lines(_merged(shapely.intersection(border, line.buffer(near))))
    return max((part.length for part in together), default=0.0) > pen.size(SHARED_FROM)


def fitted(ground: BaseGeometry, line: BaseGeometry, pen: Pen) -> BaseGeometry:
    """Return some ground whose border is drawn to a line wherever it runs beside it; farther off it bends away."""
    near, far = pen.size(SHARED), pen.size(_UNMOVED)

    def moved(points: Line) -> Line:
        reached = shapely.get_coordinates(shapely.shortest_line(shapely.points(points), line))[1::2]
        gap = np.hypot(*(reached - points).T)
        share = np.clip((far - gap) / (far - near), 0.0, 1.0)
        return np.asarray(points + share[:, None] * (reached - points))

    drawn = shapely.make_valid(shapely.transform(shapely.segmentize(ground, pen.size(_STEP)), moved))
    hair = pen.size(_HAIR)
    whole: BaseGeometry = drawn.buffer(-hair, join_style="mitre").buffer(hair, join_style="mitre")
    return whole


def left_over(border: BaseGeometry, standing: Sequence[BaseGeometry], pen: Pen) -> BaseGeometry:
    """Return what of a border no other border stands for, run on to where it meets one.

    Args:
        border: rings; where two lines only cross or meet at a corner, both are kept.
        standing: the borders that stand already; the ground has been fitted to them.
    """
    if not standing:
        return border
    reached = shapely.union_all(standing)
    found: list[LineString] = []
    for ring in lines(border):
        count = max(8, round(ring.length / pen.size(_STEP)))
        points = stations(ring, np.arange(count) / count * ring.length)
        near = shapely.dwithin(shapely.points(points), reached, pen.size(_JOINED))
        step = ring.length / count
        near = _without_short(near, True, pen.size(SHARED_FROM) / step)
        near = _without_short(near, False, pen.size(_STUB) / step)
        if not near.any():
            found.append(ring)
        elif not near.all():
            found += [_run_on(points[stretch], reached, pen) for stretch in _stretches(~near)]
    return MultiLineString(found)


def _merged(shape: BaseGeometry) -> BaseGeometry:
    return shapely.line_merge(shape) if shape.geom_type == "MultiLineString" else shape


def _without_short(flags: NDArray[np.bool_], value: bool, least: float) -> NDArray[np.bool_]:
    """Return flags around a ring, stretches of ``value`` shorter than ``least`` places turned over."""
    found = flags.copy()
    for stretch in _stretches(flags == value):
        if len(stretch) < min(least, len(flags)):
            found[stretch] = not value
    return found


def _stretches(flags: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Return the places of every stretch of flags that hold, around a ring."""
    if flags.all():
        return [np.arange(len(flags))]
    first = int(np.argmin(flags))
    turned = np.roll(flags, -first)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], turned, [False]]).astype(int)))
    return [(np.arange(start, stop) + first) % len(flags) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def _run_on(points: Line, standing: BaseGeometry, pen: Pen) -> LineString:
    """Return a line whose ends are led to the border that they end at."""
    ends = []
    for end in (points[0], points[-1]):
        reached = shapely.get_coordinates(shapely.shortest_line(Point(end), standing))[-1:]
        close = float(np.hypot(*(reached[0] - end))) < pen.size(SHARED)
        ends.append(reached if close else np.zeros((0, 2)))
    return LineString(np.vstack([ends[0], points, ends[1]]))
