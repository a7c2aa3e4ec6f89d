"""Means that all area signs share: the wash that pools at its edge, and the hatching that stands in for shade."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from shapely import LineString, affinity
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Cap, Ink, Path, Stroke
from printkit.drawing.canvas.shapes import fill, fills, lines, outline
from printkit.drawing.canvas.symbol_context import Pen

RINGS: Final = ((4.5, 0.07), (2.4, 0.09), (1.1, 0.12))
"""Insets in mm at 1:1 and alphas of the rings in which a wash pools where the brush stops."""

_POOLED: Final = 0.55
_THROUGH: Final = 0.50


def wash(
    area: BaseGeometry,
    ink: Ink | None,
    edge: Ink | None,
    pen: Pen,
    rings: Sequence[tuple[float, float]] = RINGS,
    *,
    through: BaseGeometry | None = None,
) -> list[Path]:
    """Return a flat fill with darker rings along the edge; nothing in a style that has no such ink.

    Args:
        edge: the ink of the rings; None mixes it from ``ink``.
        through: ground that shows through the fill, as a hill does whose hachures must be read.
    """
    if ink is None or not pen.style.washes:
        return []
    pooled = edge or ink.towards(pen.style.solid("wash-edge"), _POOLED)
    if through is None or through.is_empty:
        found = fill(area, ink)
    else:
        found = fill(shapely.difference(area, through), ink)
        found += fill(shapely.intersection(area, through), ink.thin(_THROUGH))
    insets = np.array([-pen.size(inset) for inset, _ in rings])
    pools = shapely.difference(area, shapely.buffer(area, insets, quad_segs=6))
    return found + fills(pools, [pooled.thin(alpha) for _, alpha in rings])


def hatched(
    area: BaseGeometry | Iterable[BaseGeometry],
    ink: Ink | None,
    pitch: float,
    width: float,
    angle: float = 45.0,
) -> list[Path]:
    """Return an area drawn as parallel strokes, one path; pitch and width in printed mm, the angle in degrees.

    The strokes of all areas lie on one lattice through the origin, so neighbours match.
    """
    ground = area if isinstance(area, BaseGeometry) else shapely.union_all(list(area))
    if ink is None:
        return []
    strokes = [stroke for stroke in hatching(ground, pitch, angle) if stroke.length > width]
    return outline(strokes, Stroke(ink, width, cap=Cap.BUTT))


def hatching(ground: BaseGeometry, pitch: float, angle: float = 45.0) -> list[LineString]:
    """Return parallel strokes over some ground on a lattice through the origin, the shortest of them as well."""
    if ground.is_empty:
        return []
    level = affinity.rotate(ground, -angle, origin=(0, 0))
    left, low, right, high = level.bounds
    rows = np.arange(math.ceil(low / pitch), math.floor(high / pitch) + 1) * pitch
    if not len(rows):
        return []
    ends = np.array([[[left - 1, y], [right + 1, y]] for y in rows])
    shown = shapely.intersection(shapely.multilinestrings(shapely.linestrings(ends)), level)
    return lines(affinity.rotate(shown, angle, origin=(0, 0)))
