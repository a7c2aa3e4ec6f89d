"""Places around a contour: where they lie, on which faces, and on the same bearing as those of another contour.

Source: the cartography, 9.2.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import Line
from printkit.drawing.canvas.symbol_context import Pen
from printkit.terrain.field.features import Hill, Kind
from printkit.terrain.geometry.stations import stations

Numbers = NDArray[np.float64]

_SAMPLE: Final = 0.5
"""Millimetres between the places along a contour where steepness is known and hachures may begin."""

SOFT_END: Final = 20.0
"""Length of the window that softens the ends of a steep face; two thirds of the change lie within 12 mm."""

ON_CONTOUR: Final = 0.25
"""How far in mm a place of the contour may lie from a face that covers it."""


def places_around(contour: Polygon, pen: Pen) -> Line:
    """Return places around a contour, counterclockwise, evenly spaced; the first is not repeated."""
    ring = LineString(shapely.normalize(contour).exterior.coords)
    line = ring if shapely.is_ccw(ring) else ring.reverse()
    count = max(48, round(line.length / pen.size(_SAMPLE)))
    return stations(line, np.arange(count) * (line.length / count))


def around(values: Numbers, length: float, whole: float) -> Numbers:
    """Return values around a ring of ``whole`` mm, averaged over a window of ``length`` mm that fades to its ends."""
    count = len(values)
    reach = min(max(1, round(length / 2 / whole * count)), (count - 1) // 2)
    weights = 1 + np.cos(np.pi * np.arange(-reach, reach + 1) / (reach + 1))
    padded = np.concatenate([values[-reach:], values, values[:reach]])
    return np.convolve(padded, weights / weights.sum(), mode="valid")


def faced(hill: Hill, places: Line, pen: Pen, kinds: Collection[Kind]) -> Numbers:
    """Return 1 along the faces of these kinds around the outermost contour, 0 elsewhere, with soft ends."""
    faces = [face.line for face in hill.faces if face.kind in kinds]
    if not faces:
        return np.zeros(len(places))
    near = shapely.distance(shapely.points(places), shapely.union_all(faces)) < ON_CONTOUR
    softened = around(near.astype(float), pen.size(SOFT_END), hill.outline.exterior.length)
    return np.clip(softened, 0.0, 1.0)


def same_bearing(places: Line, contour: Polygon, outer: Line, outline: Polygon) -> NDArray[np.int64]:
    """Return for each place of an inner contour the place of the outer one that lies on the same bearing (BR-Q07).

    An inner contour that does not hold the middle of the whole, as on hills that touch, is its own measure.
    """
    middle = outline.centroid if contour.contains(outline.centroid) else contour.centroid

    def bearings(points: Line, middle: BaseGeometry) -> Numbers:
        return np.asarray(np.arctan2(points[:, 1] - middle.y, points[:, 0] - middle.x))

    inner_bearing, outer_bearing = bearings(places, contour.centroid), bearings(outer, middle)
    apart = inner_bearing[:, None] - outer_bearing[None, :]
    return np.asarray(np.abs((apart + np.pi) % (2 * np.pi) - np.pi).argmin(axis=1))
