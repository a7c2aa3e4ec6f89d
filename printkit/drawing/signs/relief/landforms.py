"""Hills of every kind, the joint ground of touching hills, and places around a contour with their faces.

Source: the cartography, 10.1.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct, convert
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.shapes import Line, polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.lines.course_lines import TOUCH
from printkit.terrain.field.battlefield import Battlefield, Board, Edge
from printkit.terrain.field.features import KIND_ROWS, Hill, Kind
from printkit.terrain.geometry.measure import interpolate_points

# --- Places around a contour: positions, faces, and the places of another contour on the same bearing -----------------

Numbers = NDArray[np.float64]

# Spacing in mm at 1:1 of the places along a contour where steepness is known and hachures may begin.
_SAMPLE: Final = 0.5

# Length in mm of the window that softens the ends of a steep face; two thirds of the change fall within 12 mm.
SOFT_END: Final = 20.0

ON_CONTOUR: Final = 0.25  # Greatest distance in mm from a contour place to a face that covers it


def sample_contour(contour: Polygon, context: SymbolContext) -> Line:
    """Return evenly spaced places around a contour, counterclockwise, n x 2; the first is not repeated.

    Contour and places are in printed mm.
    """
    ring = LineString(shapely.normalize(contour).exterior.coords)
    line = ring if shapely.is_ccw(ring) else ring.reverse()
    count = max(48, round(line.length / context.size(_SAMPLE)))
    return interpolate_points(line, np.arange(count) * (line.length / count))


def smooth_ring(values: Numbers, length: float, ring_mm: float) -> Numbers:
    """Return values around a ring, smoothed by a window of ``length`` printed mm that fades to its ends.

    ``ring_mm`` is the length of the ring; the values are evenly spaced along it.
    """
    count = len(values)
    half_window = min(max(1, round(length / 2 / ring_mm * count)), (count - 1) // 2)
    weights = 1 + exact_math.cos(np.pi * np.arange(-half_window, half_window + 1) / (half_window + 1))
    padded = np.concatenate([values[-half_window:], values, values[:half_window]])
    return exact_math.convolve(padded, weights / weights.sum())


def compute_face_weights(hill: Hill, points: Line, context: SymbolContext, kinds: Collection[Kind]) -> Numbers:
    """Return 1 along the faces of these kinds around the outermost contour, 0 elsewhere, with soft ends.

    There is one value for each of ``points`` around the contour, an n x 2 array of evenly spaced points in printed mm.
    All values are 0 without such faces.
    """
    faces = [face.line for face in hill.faces if face.kind in kinds]
    if not faces:
        return np.zeros(len(points))
    is_on_face = shapely.distance(shapely.points(points), shapely.union_all(faces)) < ON_CONTOUR
    if is_on_face.all():
        return np.ones(len(points))
    soft_weights = smooth_ring(is_on_face.astype(float), context.size(SOFT_END), hill.outline.exterior.length)
    return np.clip(soft_weights, 0.0, 1.0)


def match_bearings(inner_places: Line, contour: Polygon, outer: Line, outline: Polygon) -> NDArray[np.int64]:
    """Return the index of the outer place on the same bearing for each place of an inner contour (BR-Q07).

    Bearings start at the centroid of the outline, or of the inner contour if that does not contain the outline's
    centroid (touching hills). All coordinates are in printed mm.

    Args:
        inner_places: points around the inner contour, n x 2.
        contour: the inner contour.
        outer: points around the outline, n x 2.
        outline: the outline of the hill.
    """
    middle = outline.centroid if contour.contains(outline.centroid) else contour.centroid

    def bearings(points: Line, middle: BaseGeometry) -> Numbers:
        """Return the bearing of each point from the middle, in radians."""
        return np.asarray(exact_math.arctan2(points[:, 1] - middle.y, points[:, 0] - middle.x))

    inner_bearing, outer_bearing = bearings(inner_places, contour.centroid), bearings(outer, middle)
    bearing_gaps = inner_bearing[:, None] - outer_bearing[None, :]
    return np.asarray(np.abs((bearing_gaps + np.pi) % (2 * np.pi) - np.pi).argmin(axis=1))


# Length in mm at 1:1 along which two outlines must touch before their hills are joined.
_SHARED: Final = 6.0

_OVERLAP: Final = 0.06  # Overlap as a share of the smaller hill from which hills of any going are joined.

# Radius that rounds notches between hills, as a share of the square root of the smallest hill's area.
_WORN: Final = 0.16

# Half the width of the widest horn or notch removed from an upper contour, as a share of its radius.
_HORN: Final = 0.06

_ARC: Final = 16

# Extension of a hill past the board's edge, beyond the reach of strokes and shade: least mm at 1:1, and radii of a
# circle with the hill's area. The larger value is used.
_BEYOND: Final = (45.0, 1.3)


class Landform(Struct, frozen=True, kw_only=True):
    """Drawing settings for one kind of hill.

    Attributes:
        height: height of a level in mm at 1:1, for light and shade.
        stroke: length of hachures as a share of the usual length.
        second_row: whether gentle ground has a second row of strokes.
        contour: width of the contour line in mm at 1:1.
        dash: dashes of that line in mm at 1:1; empty for a solid line.
        ridge: whether a hill of this kind is a ridge if it is long enough.
        rank: the kind with the highest rank sets the style of touching hills.
    """

    height: float = 13.0
    stroke: float = 1.0
    second_row: bool = True
    contour: float = 0.45
    dash: tuple[float, ...] = ()
    ridge: bool = False
    rank: int = 3


# The landform of every kind of climbable hill.
LANDFORMS: Final = {
    kind: convert(row.look, Landform) for kind, row in KIND_ROWS.items() if row.sign == "relief.relief:hill"
}


def join_hills(hill: Hill, field: Battlefield, context: SymbolContext) -> Hill | None:
    """Return the joint ground of a hill and its neighbours as one hill, in printed mm.

    Return None if an earlier hill covers it. Hills of the same going are joined if their outlines touch; hills of any
    going are joined if they overlap. The joint hill has the ID of its first hill on the battlefield and the kind of the
    highest rank. Ground that ends on the board's edge is mirrored beyond it, so that no slope seems to fall towards the
    edge.
    """
    group = find_connected_hills(hill, field, context)
    if group[0].id != hill.id:
        return None
    kind = max((member.kind for member in group), key=lambda kind: LANDFORMS[kind].rank)
    faces = tuple(face for member in group for face in member.faces)
    # Radius in mm that rounds the notches between the hills. Hills on grid cells keep them.
    softness = 0.0 if field.grid is not None else _WORN * math.sqrt(min(member.outline.area for member in group))
    contours = hill.contours if len(group) == 1 else tuple(_join_contours(group, softness))
    if field.grid is None:
        contours = (contours[0], *map(_remove_horns, contours[1:]))
    return extend_past_board(replace(hill, kind=kind, contours=contours, faces=faces), field.board, context)


def find_connected_hills(hill: Hill, field: Battlefield, context: SymbolContext) -> list[Hill]:
    """Return all hills connected to a hill, itself included, in the order of the battlefield.

    Hills that would enclose lower ground are not joined, because that ground would be lost. The result is then the hill
    alone.
    """
    hills = [neighbour for neighbour in field.features if isinstance(neighbour, Hill) and neighbour.kind in LANDFORMS]
    connected_ids, queue = {hill.id}, [hill]
    while queue:
        current = queue.pop()
        for neighbour in hills:
            if neighbour.id not in connected_ids and _are_joined(current, neighbour, context):
                connected_ids.add(neighbour.id)
                queue.append(neighbour)
    group = [neighbour for neighbour in hills if neighbour.id in connected_ids]
    return group if len(group) > 1 and not any(level.interiors for level in _join_contours(group)) else [hill]


def _are_joined(first: Hill, second: Hill, context: SymbolContext) -> bool:
    """Return whether two hills are joined: of the same going if they touch, of any going if they overlap.

    Touching counts along more than 6 mm at 1:1; overlapping counts from 6 percent of the smaller hill.
    """
    if not shapely.dwithin(first.outline, second.outline, TOUCH):
        return False
    overlap = shapely.intersection(first.outline, second.outline).area
    if overlap > _OVERLAP * min(first.outline.area, second.outline.area):
        return True
    common_border = shapely.intersection(first.outline.exterior, second.outline.buffer(TOUCH))
    return first.going == second.going and bool(common_border.length > context.size(_SHARED))


def _join_contours(group: list[Hill], soft: float = 0.0) -> Iterator[Polygon]:
    """Yield the contours of a group of hills in printed mm, lowest first. Hairline gaps are closed.

    Args:
        group: the hills.
        soft: radius in mm that rounds notches where hills meet; 0 for none.
    """
    for number in range(max(len(member.contours) for member in group)):
        contours = [member.contours[number] for member in group if len(member.contours) > number]
        joined_ground = shapely.union_all(contours)
        if len(polygons(joined_ground)) > 1:
            joined_ground = shapely.union_all([contour.buffer(TOUCH) for contour in contours]).buffer(-TOUCH)
        for part in polygons(joined_ground):
            yield _round_notches(part, contours, soft) if soft and len(contours) > 1 else part


def _round_notches(contour: Polygon, level: list[Polygon], soft: float) -> Polygon:
    """Return a joint contour with the notches between its hills rounded, in printed mm.

    Bends of a single hill do not change.

    Args:
        contour: the joint contour.
        level: the contours of the single hills.
        soft: radius that rounds the notches, in printed mm.
    """
    closed = contour.buffer(soft, quad_segs=_ARC).buffer(-soft, quad_segs=_ARC)
    notches = [
        part
        for part in polygons(shapely.difference(closed, contour))
        if np.count_nonzero(shapely.distance(np.array(level, dtype=object), part) < TOUCH) > 1
    ]
    rounded = shapely.union_all([contour, *(part.buffer(TOUCH) for part in notches)])
    return rounded if isinstance(rounded, Polygon) and not rounded.interiors else contour


def _remove_horns(contour: Polygon) -> Polygon:
    """Return an upper contour without sharp corners and without parts too thin for strokes, in printed mm."""
    half_width = _HORN * math.sqrt(contour.area / math.pi)
    opened_area = contour.buffer(-half_width, quad_segs=_ARC).buffer(2 * half_width, quad_segs=_ARC)
    parts = polygons(opened_area.buffer(-half_width, quad_segs=_ARC))
    return max(parts, key=lambda part: part.area) if parts else contour


def extend_past_board(hill: Hill, board: Board, context: SymbolContext) -> Hill:
    """Return a hill with its mirror image beyond every board edge that part of its outline is on.

    The image is clipped to a strip around the board. A hill away from the edges is returned unchanged. Coordinates are
    in printed mm.
    """
    min_mm, radii = _BEYOND
    reach = max(context.size(min_mm), radii * math.sqrt(hill.outline.area / math.pi))
    clip_area = board.shape.buffer(reach, join_style="mitre")
    for edge in map(board.edge, Edge):
        on_edge = shapely.intersection(hill.outline.exterior, edge.buffer(TOUCH, cap_style="flat"))
        if on_edge.length > context.size(_SHARED):
            contours = tuple(_add_mirror_image(contour, edge, clip_area) for contour in hill.contours)
            mirrored_faces = (replace(face, line=_reflect_shape(face.line, edge).reverse()) for face in hill.faces)
            hill = replace(hill, contours=contours, faces=(*hill.faces, *mirrored_faces))
    return hill


def _add_mirror_image(contour: Polygon, edge: LineString, clip_area: BaseGeometry) -> Polygon:
    """Return a contour joined with its mirror image beyond an edge, clipped to ``clip_area``.

    It is unchanged if it does not reach the edge. Everything is in printed mm.
    """
    if shapely.distance(contour, edge) > TOUCH:
        return contour
    joined_ground = shapely.union(contour.buffer(TOUCH), _reflect_shape(contour, edge).buffer(TOUCH)).buffer(-TOUCH)
    largest = max(polygons(shapely.intersection(joined_ground, clip_area)), key=lambda part: part.area)
    return Polygon(largest.exterior)


def _reflect_shape(shape: BaseGeometry, edge: LineString) -> Any:
    """Return a shape mirrored in an edge of the board, which is parallel to an axis, in its unit."""
    (x, y), (to_x, _) = edge.coords
    factor_x, factor_y = (-1.0, 1.0) if x == to_x else (1.0, -1.0)
    return affinity.scale(shape, factor_x, factor_y, origin=(x, y))
