"""Find space for labels: candidate positions, their penalties, and the ground that they must avoid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct, field
from numpy.typing import NDArray
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import elementary
from printkit.drawing.canvas.shapes import Line
from printkit.terrain.field.features import Feature, Hill

_NOTHING = Polygon()
_SHAPES: Final = 64
_WEIGHTS: Final = (1.0, 0.8)


class LabelSpace(Struct):
    """The free space for labels; every placed label reduces it.

    Attributes:
        inside: labels must be completely inside this area.
        barred: hard obstacle: roads, waters and guide marks.
        busy: soft obstacle: areas. Labels of other things avoid them if they can.
        seams: soft obstacle: strips along the cuts between sheets.
        cuts: the cuts themselves; a label crosses one only if it fits nowhere else.
        closed: crowns and roofs; labels of other features do not cover them.
        taken: boxes of other labels.
    """

    inside: BaseGeometry
    hard_obstacles: BaseGeometry = _NOTHING
    soft_obstacles: BaseGeometry = _NOTHING
    seams: BaseGeometry = _NOTHING
    cuts: BaseGeometry = _NOTHING
    closed: BaseGeometry = _NOTHING
    taken: list[BaseGeometry] = field(default_factory=list)

    @property
    def wholes(self) -> tuple[bool, ...]:
        """Return the values of ``whole`` to try in ``best``: first True if there are cuts, then False."""
        return (False,) if self.cuts.is_empty else (True, False)

    def take(self, shape: BaseGeometry) -> None:
        """Mark an area as used by a label."""
        self.taken.append(shape)

    def best(
        self,
        boxes: Any,
        dislike: Any,
        *,
        clear_of: BaseGeometry | Sequence[BaseGeometry] = (),
        avoid: BaseGeometry = _NOTHING,
        force: bool = False,
        whole: bool = False,
    ) -> int | None:
        """Return the index of the free candidate with the lowest cost, or None if none is free.

        Args:
            boxes: the area of each candidate.
            dislike: the penalty of each candidate, about 0 to 1.
            clear_of: further hard obstacles.
            avoid: a soft obstacle: touching it adds 1 to the cost, being completely on it adds 3.
            force: if none is free, return the candidate that overlaps obstacles least; other labels count most.
            whole: reject candidates that are cut between two sheets.
        """
        boxes = np.atleast_1d(np.asarray(boxes, dtype=object))
        if not len(boxes):
            return None
        grounds = [clear_of] if isinstance(clear_of, BaseGeometry) else clear_of
        shut = [self.hard_obstacles, *self.taken, *grounds]
        shapely.prepare([self.inside, self.hard_obstacles, *grounds])
        free = shapely.covers(self.inside, boxes)
        for ground in shut:
            free[free] = ~shapely.intersects(ground, boxes[free])
        uncut = free & ~_touching(boxes, self.cuts, free)
        if whole or uncut.any():
            free = uncut
        cost = np.asarray(dislike, dtype=float) + np.zeros(len(boxes))
        if free.any():
            return _lightest(boxes, np.where(free, cost, np.inf), (avoid, self.seams))
        if not force:
            return None
        covered = (
            shapely.area(shapely.intersection(boxes, shapely.union_all(shut)))
            + 10 * shapely.area(boxes - self.inside)
            + 100 * shapely.area(shapely.intersection(boxes, shapely.union_all(self.taken)))
        )
        return int(np.argmin(covered + 1e-3 * cost))


def _lightest(boxes: NDArray[Any], cost: NDArray[np.float64], grounds: Sequence[BaseGeometry]) -> int:
    """Return the index of the box with the lowest cost; overlap with ``grounds`` adds to it.

    Touching a ground adds 1 times its weight, and being covered by it 2 more. The weights are in ``_WEIGHTS``: the
    seams count less. Coverage is slow to compute, so only boxes that can still win are measured.
    """
    asked = np.isfinite(cost)
    touched = [asked & _touching(boxes, ground, asked) for ground in grounds]
    least = sum((weight * touching for weight, touching in zip(_WEIGHTS, touched, strict=True)), start=cost)
    first = int(np.argmin(least))
    if not any(touching[first] for touching in touched):
        return first
    (highest,) = _burdened(boxes, cost, grounds, touched, np.array([first]))
    rivals = np.flatnonzero(least <= highest)
    return int(rivals[np.argmin(_burdened(boxes, cost, grounds, touched, rivals))])


def _touching(boxes: NDArray[Any], ground: BaseGeometry, asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found = np.zeros(len(boxes), dtype=bool)
    if not ground.is_empty:
        shapely.prepare(ground)
        found[asked] = shapely.intersects(ground, boxes[asked])
    return found


def _burdened(
    boxes: NDArray[Any],
    cost: NDArray[np.float64],
    grounds: Sequence[BaseGeometry],
    touched: Sequence[NDArray[np.bool_]],
    which: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return the full cost of some of the boxes."""
    found = cost[which]
    for weight, ground, touching in zip(_WEIGHTS, grounds, touched, strict=True):
        on_it = touching[which]
        over = boxes[which[on_it]]
        share = shapely.area(shapely.intersection(over, ground)) / shapely.area(over)
        found[on_it] += weight * (1.0 + 2.0 * share)
    return found


@lru_cache(maxsize=_SHAPES)
def centre(shape: BaseGeometry) -> tuple[float, float]:
    """Return the centre of the largest circle inside a polygon; it suits labels better than the centroid."""
    tolerance = max(0.2, float(np.sqrt(shape.area)) / 100)
    point = shapely.get_coordinates(shapely.maximum_inscribed_circle(shape, tolerance))[0]
    return float(point[0]), float(point[1])


def inside(shape: BaseGeometry, pitch: float) -> Line:
    """Return the ``centre`` of a shape, then the lattice points inside it, ``pitch`` mm apart."""
    if shape.is_empty:
        return np.empty((0, 2))
    left, low, right, high = shape.bounds
    across, up = np.meshgrid(np.arange(left, right + pitch, pitch), np.arange(low, high + pitch, pitch))
    lattice = np.column_stack([across.ravel(), up.ravel()])
    lattice = lattice[shapely.contains_xy(shape, lattice[:, 0], lattice[:, 1])]
    return np.vstack([[centre(shape)], lattice])


def about(at: tuple[float, float], reach: float, directions: int = 16) -> Line:
    """Return points on a circle of radius ``reach``, anticlockwise, the first to the right."""
    turn = np.arange(directions) * (2 * np.pi / directions)
    return np.asarray(at) + reach * np.column_stack([elementary.cos(turn), elementary.sin(turn)])


def boxes_at(places: Line, width: float, height: float, *, angle: float = 0.0) -> NDArray[Any]:
    """Return rectangles centred on places, rotated by ``angle`` degrees."""
    cosine, sine = elementary.cos(np.radians(angle)), elementary.sin(np.radians(angle))
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * (width / 2, height / 2)
    turned = np.column_stack(
        [elementary.product(corners, (cosine, -sine)), elementary.product(corners, (sine, cosine))]
    )
    return np.asarray(shapely.polygons(np.asarray(places)[:, None, :] + turned[None]))


def boxed(width: float, height: float, *, angle: float = 0.0) -> tuple[float, float]:
    """Return the width and height of the bounding box of a rotated rectangle."""
    cosine, sine = abs(elementary.cos(np.radians(angle))), abs(elementary.sin(np.radians(angle)))
    return float(width * cosine + height * sine), float(width * sine + height * cosine)


def distance(places: Line, at: tuple[float, float]) -> NDArray[np.float64]:
    """Return the distances of places from a point, in mm."""
    return np.asarray(np.hypot(places[:, 0] - at[0], places[:, 1] - at[1]))


def from_centre(places: Line, shape: BaseGeometry) -> NDArray[np.float64]:
    """Return the distances of places from the ``centre`` of a shape, in square roots of its area."""
    return distance(places, centre(shape)) / max(float(np.sqrt(shape.area)), 1e-6)


def steep_ground(feature: Feature, depth: float) -> BaseGeometry:
    """Return the area of a hill's steep faces, within ``depth`` mm of each contour; empty otherwise.

    Inner contours are steep on the same bearings as the outer one, as in the hill symbol.
    """
    if not isinstance(feature, Hill) or not feature.faces:
        return _NOTHING
    found = []
    for contour in feature.contours:
        middle, base = contour.centroid, feature.outline.centroid
        smaller = float(np.sqrt(contour.area / feature.outline.area))
        for face in feature.faces:
            line = affinity.scale(face.line, smaller, smaller, origin=base)
            found.append(affinity.translate(line, middle.x - base.x, middle.y - base.y).buffer(depth, quad_segs=4))
    return shapely.union_all(found)


def aside(places: Line, at: tuple[float, float]) -> NDArray[np.float64]:
    """Return penalties (0 to 1) of label positions around a point: upper right is best, lower left worst."""
    turn = elementary.arctan2(places[:, 1] - at[1], places[:, 0] - at[0]) - np.pi / 5
    return np.asarray((1 - elementary.cos(turn)) / 2)


def joined_ground(shapes: Sequence[BaseGeometry]) -> BaseGeometry:
    """Return the union of several areas; empty if there are none."""
    return shapely.union_all(list(shapes)) if shapes else _NOTHING
