"""Find space for labels: candidate positions, their penalties, and the ground that they must avoid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct, field
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line
from printkit.terrain.field.features import Feature, Hill

_SHAPES: Final = 64
_WEIGHTS: Final = (1.0, 0.8)


class LabelSpace(Struct):
    """The free space for labels in printed mm; every placed label reduces it.

    Attributes:
        inside: labels must be completely inside this area.
        hard_obstacles: hard obstacle: roads, waters and guide marks.
        soft_obstacles: soft obstacle: areas. Labels of other things avoid them if they can.
        seams: soft obstacle: strips along the cuts between sheets.
        cuts: the cuts themselves; a label crosses one only if it fits nowhere else.
        canopies: crowns and roofs; labels of other features do not cover them.
        label_boxes: boxes of other labels.
    """

    inside: BaseGeometry
    hard_obstacles: BaseGeometry = NOTHING
    soft_obstacles: BaseGeometry = NOTHING
    seams: BaseGeometry = NOTHING
    cuts: BaseGeometry = NOTHING
    canopies: BaseGeometry = NOTHING
    label_boxes: list[BaseGeometry] = field(default_factory=list)

    @property
    def cut_rules(self) -> tuple[bool, ...]:
        """Return the values of ``reject_cut`` to try in ``find_best``, in order.

        They are True, then False; only False if no sheet cuts cross the space.
        """
        return (False,) if self.cuts.is_empty else (True, False)

    def take(self, shape: BaseGeometry) -> None:
        """Add an area (in printed mm) to the boxes of labels, which later labels do not overlap."""
        self.label_boxes.append(shape)

    def find_best(
        self,
        boxes: Any,
        penalties: Any,
        *,
        clear_of: BaseGeometry | Sequence[BaseGeometry] = (),
        avoid: BaseGeometry = NOTHING,
        force: bool = False,
        reject_cut: bool = False,
    ) -> int | None:
        """Return the index of the free candidate with the lowest cost, or None if none is free.

        A free candidate is inside ``inside``, and touches no hard obstacle and no other label. If at least one free
        candidate is not cut between two sheets, the cut ones do not count. Nothing is reserved: call ``take`` for that.
        All areas are in printed mm.

        Args:
            boxes: the area of each candidate.
            penalties: the penalty of each candidate, about 0 to 1.
            clear_of: further hard obstacles.
            avoid: a soft obstacle: touching it adds 1 to the cost, being completely on it adds 3.
            force: if none is free, return the candidate that overlaps obstacles least; other labels count most.
            reject_cut: reject candidates that are cut between two sheets.
        """
        boxes = np.atleast_1d(np.asarray(boxes, dtype=object))
        if not len(boxes):
            return None
        grounds = [clear_of] if isinstance(clear_of, BaseGeometry) else clear_of
        obstacles = [self.hard_obstacles, *self.label_boxes, *grounds]
        shapely.prepare([self.inside, self.hard_obstacles, *grounds])
        is_free = shapely.covers(self.inside, boxes)
        for ground in obstacles:
            is_free[is_free] = ~shapely.intersects(ground, boxes[is_free])
        is_uncut = is_free & ~_find_touching(boxes, self.cuts, is_free)
        if reject_cut or is_uncut.any():
            is_free = is_uncut
        cost = np.asarray(penalties, dtype=float) + np.zeros(len(boxes))
        if is_free.any():
            return _find_cheapest(boxes, np.where(is_free, cost, np.inf), (avoid, self.seams))
        if not force:
            return None
        overlap = (
            shapely.area(shapely.intersection(boxes, shapely.union_all(obstacles)))
            + 10 * shapely.area(boxes - self.inside)
            + 100 * shapely.area(shapely.intersection(boxes, shapely.union_all(self.label_boxes)))
        )
        return int(np.argmin(overlap + 1e-3 * cost))


def _find_cheapest(boxes: NDArray[Any], cost: NDArray[np.float64], grounds: Sequence[BaseGeometry]) -> int:
    """Return the index of the box with the lowest cost; overlap with ``grounds`` adds to it.

    Boxes and grounds are in printed mm; costs have no unit. A box with an infinite cost is not a candidate. Touching a
    ground adds 1 times its weight, and being covered by it 2 more. The weights are in ``_WEIGHTS``: the seams count
    less. Coverage is slow to compute, so only boxes that can still win are measured.
    """
    is_candidate = np.isfinite(cost)
    touch_flags = [is_candidate & _find_touching(boxes, ground, is_candidate) for ground in grounds]
    least_costs = sum(
        (weight * is_touching for weight, is_touching in zip(_WEIGHTS, touch_flags, strict=True)), start=cost
    )
    first = int(np.argmin(least_costs))
    if not any(is_touching[first] for is_touching in touch_flags):
        return first
    (highest,) = _full_costs(boxes, cost, grounds, touch_flags, np.array([first]))
    rivals = np.flatnonzero(least_costs <= highest)
    return int(rivals[np.argmin(_full_costs(boxes, cost, grounds, touch_flags, rivals))])


def _find_touching(boxes: NDArray[Any], ground: BaseGeometry, is_candidate: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each box whether it is a candidate and touches ``ground``, all in printed mm.

    ``is_candidate`` has a flag for each of ``boxes``.
    """
    is_touching = np.zeros(len(boxes), dtype=bool)
    if not ground.is_empty:
        shapely.prepare(ground)
        is_touching[is_candidate] = shapely.intersects(ground, boxes[is_candidate])
    return is_touching


def _full_costs(
    boxes: NDArray[Any],
    cost: NDArray[np.float64],
    grounds: Sequence[BaseGeometry],
    touch_flags: Sequence[NDArray[np.bool_]],
    indexes: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return the full cost of the boxes with these indexes: their cost, and that of touching ``grounds``.

    Costs have no unit. ``touch_flags`` has for each ground whether each box touches it.
    """
    costs = cost[indexes]
    for weight, ground, is_touching in zip(_WEIGHTS, grounds, touch_flags, strict=True):
        touching_boxes = is_touching[indexes]
        touching_shapes = boxes[indexes[touching_boxes]]
        share = shapely.area(shapely.intersection(touching_shapes, ground)) / shapely.area(touching_shapes)
        costs[touching_boxes] += weight * (1.0 + 2.0 * share)
    return costs


@lru_cache(maxsize=_SHAPES)
def centre(shape: BaseGeometry) -> tuple[float, float]:
    """Return x and y of the centre of the largest circle inside a polygon, in printed mm.

    It suits labels better than the centroid.
    """
    tolerance = max(0.2, float(np.sqrt(shape.area)) / 100)
    point = shapely.get_coordinates(shapely.maximum_inscribed_circle(shape, tolerance))[0]
    return float(point[0]), float(point[1])


def lattice_points(shape: BaseGeometry, pitch: float) -> Line:
    """Return the ``centre`` of a shape, then the lattice points inside it, ``pitch`` apart, n x 2.

    Shape, ``pitch`` and points are in printed mm. An empty shape has no points.
    """
    if shape.is_empty:
        return np.empty((0, 2))
    left, low, right, high = shape.bounds
    grid_x, grid_y = np.meshgrid(np.arange(left, right + pitch, pitch), np.arange(low, high + pitch, pitch))
    lattice = np.column_stack([grid_x.ravel(), grid_y.ravel()])
    lattice = lattice[shapely.contains_xy(shape, lattice[:, 0], lattice[:, 1])]
    return np.vstack([[centre(shape)], lattice])


def circle_points(centre_point: tuple[float, float], reach: float, directions: int = 16) -> Line:
    """Return ``directions`` points on a circle of radius ``reach`` printed mm, as x and y in mm, n x 2.

    They are in anticlockwise order; the first is to the right of the centre.
    """
    turn = np.arange(directions) * (2 * np.pi / directions)
    return np.asarray(centre_point) + reach * np.column_stack([exact_math.cos(turn), exact_math.sin(turn)])


def boxes_at(places: Line, width: float, height: float, *, angle: float = 0.0) -> NDArray[Any]:
    """Return rectangles of ``width`` by ``height`` centred on places (n x 2), as polygons.

    All lengths are in printed mm. They are rotated by ``angle`` degrees anticlockwise.
    """
    cosine, sine = exact_math.cos(np.radians(angle)), exact_math.sin(np.radians(angle))
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * (width / 2, height / 2)
    rotated_corners = np.column_stack(
        [exact_math.product(corners, (cosine, -sine)), exact_math.product(corners, (sine, cosine))]
    )
    return np.asarray(shapely.polygons(np.asarray(places)[:, None, :] + rotated_corners[None]))


def rotated_size(width: float, height: float, *, angle: float = 0.0) -> tuple[float, float]:
    """Return the width and height of the bounding box of a rectangle rotated by ``angle`` degrees.

    ``width`` and ``height`` of the rectangle, and the result, are in printed mm.
    """
    cosine, sine = abs(exact_math.cos(np.radians(angle))), abs(exact_math.sin(np.radians(angle)))
    return float(width * cosine + height * sine), float(width * sine + height * cosine)


def distance(places: Line, point: tuple[float, float]) -> NDArray[np.float64]:
    """Return the distances in printed mm of places (n x 2) from a point, all in mm."""
    return np.asarray(np.hypot(places[:, 0] - point[0], places[:, 1] - point[1]))


def centre_distance(places: Line, shape: BaseGeometry) -> NDArray[np.float64]:
    """Return the distances of places from the ``centre`` of a shape, in square roots of its area.

    Places (n x 2) and shape are in printed mm.
    """
    return distance(places, centre(shape)) / max(float(np.sqrt(shape.area)), 1e-6)


def steep_ground(feature: Feature, depth: float) -> BaseGeometry:
    """Return the area of a hill's steep faces in printed mm: all ground within ``depth`` printed mm of them.

    It is empty for other features. Each contour has the faces of the outline, made smaller and moved to its middle, as
    in the hill symbol.
    """
    if not isinstance(feature, Hill) or not feature.faces:
        return NOTHING
    steep_areas = []
    for contour in feature.contours:
        middle, base = contour.centroid, feature.outline.centroid
        smaller = float(np.sqrt(contour.area / feature.outline.area))
        for face in feature.faces:
            line = affinity.scale(face.line, smaller, smaller, origin=base)
            steep_areas.append(
                affinity.translate(line, middle.x - base.x, middle.y - base.y).buffer(depth, quad_segs=4)
            )
    return shapely.union_all(steep_areas)


def side_penalties(places: Line, point: tuple[float, float]) -> NDArray[np.float64]:
    """Return penalties (0 to 1) of label positions around a point: upper right is best, lower left worst.

    Places (n x 2) and point are in printed mm. It is 0 at 36 degrees anticlockwise from the x-axis, and 1 opposite.
    """
    turn = exact_math.arctan2(places[:, 1] - point[1], places[:, 0] - point[0]) - np.pi / 5
    return np.asarray((1 - exact_math.cos(turn)) / 2)


def joined_ground(shapes: Sequence[BaseGeometry]) -> BaseGeometry:
    """Return the union of several areas, in their unit (printed mm); empty if there are none."""
    return shapely.union_all(list(shapes)) if shapes else NOTHING
