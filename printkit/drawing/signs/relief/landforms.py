"""Hills of every kind, the joint ground of touching hills, and places around a contour with their faces.

Source: the cartography, 10.1.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import elementary
from printkit.drawing.canvas.shapes import Line, polygons
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.lines.course_lines import TOUCH
from printkit.terrain.field.battlefield import Battlefield, Board, Edge
from printkit.terrain.field.features import Hill, Kind
from printkit.terrain.geometry.measure import interpolate_points

# --- Places around a contour: positions, faces, and the places of another contour on the same bearing -----------------

Numbers = NDArray[np.float64]

# Spacing in mm at 1:1 of the places along a contour where steepness is known and hachures may begin.
_SAMPLE: Final = 0.5

# Length in mm of the window that softens the ends of a steep face; two thirds of the change fall within 12 mm.
SOFT_END: Final = 20.0

ON_CONTOUR: Final = 0.25  # Greatest distance in mm from a contour place to a face that covers it


def places_around(contour: Polygon, context: SymbolContext) -> Line:
    """Return evenly spaced places around a contour, counterclockwise; the first is not repeated."""
    ring = LineString(shapely.normalize(contour).exterior.coords)
    line = ring if shapely.is_ccw(ring) else ring.reverse()
    count = max(48, round(line.length / context.size(_SAMPLE)))
    return interpolate_points(line, np.arange(count) * (line.length / count))


def around(values: Numbers, length: float, whole: float) -> Numbers:
    """Return values around a ring of ``whole`` mm, smoothed by a window of ``length`` mm that fades to its ends."""
    count = len(values)
    reach = min(max(1, round(length / 2 / whole * count)), (count - 1) // 2)
    weights = 1 + elementary.cos(np.pi * np.arange(-reach, reach + 1) / (reach + 1))
    padded = np.concatenate([values[-reach:], values, values[:reach]])
    return elementary.convolve(padded, weights / weights.sum())


def faced(hill: Hill, places: Line, context: SymbolContext, kinds: Collection[Kind]) -> Numbers:
    """Return 1 along the faces of these kinds around the outermost contour, 0 elsewhere, with soft ends."""
    faces = [face.line for face in hill.faces if face.kind in kinds]
    if not faces:
        return np.zeros(len(places))
    near = shapely.distance(shapely.points(places), shapely.union_all(faces)) < ON_CONTOUR
    if near.all():
        return np.ones(len(places))
    softened = around(near.astype(float), context.size(SOFT_END), hill.outline.exterior.length)
    return np.clip(softened, 0.0, 1.0)


def same_bearing(places: Line, contour: Polygon, outer: Line, outline: Polygon) -> NDArray[np.int64]:
    """Return the index of the outer place on the same bearing for each place of an inner contour (BR-Q07).

    Bearings start at the centroid of the outline, or of the inner contour if that does not contain the outline's
    centroid (touching hills).
    """
    middle = outline.centroid if contour.contains(outline.centroid) else contour.centroid

    def bearings(points: Line, middle: BaseGeometry) -> Numbers:
        return np.asarray(elementary.arctan2(points[:, 1] - middle.y, points[:, 0] - middle.x))

    inner_bearing, outer_bearing = bearings(places, contour.centroid), bearings(outer, middle)
    apart = inner_bearing[:, None] - outer_bearing[None, :]
    return np.asarray(np.abs((apart + np.pi) % (2 * np.pi) - np.pi).argmin(axis=1))


# Length in mm at 1:1 along which two outlines must touch before their hills are joined.
_SHARED: Final = 6.0

_OVERLAP: Final = 0.06  # Overlap as a share of the smaller hill from which hills of any going are joined.

# Radius that rounds notches between hills, as a share of the square root of the smallest hill's area.
_WORN: Final = 0.16

# Half the width of the widest horn removed from an upper contour, as a share of its radius.
_HORN: Final = 0.06

_ARC: Final = 16

# Extension of a hill past the board's edge, beyond the reach of strokes and shade: least mm at 1:1, and radii of a
# circle with the hill's area. The larger value is used.
_BEYOND: Final = (45.0, 1.0)


class Landform(Struct, frozen=True, kw_only=True):
    """Drawing settings for one kind of hill.

    Attributes:
        height: height of a level in mm at 1:1, for light and shade.
        stroke: length of hachures as a share of the usual length.
        second_row: whether gentle ground has a second row of strokes.
        contour: width in mm of the contour line.
        dash: dashes of that line in mm; empty for a solid line.
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


_LOW: Final = Landform(height=4.0, stroke=0.7, second_row=False, contour=0.35, rank=2)

# The landform of every kind of climbable hill.
LANDFORMS: Final[Mapping[Kind, Landform]] = {
    Kind.HILL: Landform(),
    Kind.SPUR: _LOW,
    Kind.LONG_HILL: replace(_LOW, ridge=True),
    Kind.RISE: replace(_LOW, dash=(3.2, 1.8), rank=1),
}


def massif(hill: Hill, field: Battlefield, context: SymbolContext) -> Hill | None:
    """Return the joint ground of a hill and its neighbours as one hill, or None if an earlier hill returns it.

    Hills of the same going are joined if their outlines touch; hills of any going are joined if they overlap. Ground
    that ends on the board's edge is mirrored beyond it, so that no slope seems to fall towards the edge.
    """
    group = together(hill, field, context)
    if group[0].id != hill.id:
        return None
    kind = max((member.kind for member in group), key=lambda kind: LANDFORMS[kind].rank)
    faces = tuple(face for member in group for face in member.faces)
    contours = hill.contours if len(group) == 1 else tuple(_joined(group, _softness(group, field)))
    if field.grid is None:
        contours = (contours[0], *map(_without_horns, contours[1:]))
    return run_on(replace(hill, kind=kind, contours=contours, faces=faces), field.board, context)


def together(hill: Hill, field: Battlefield, context: SymbolContext) -> list[Hill]:
    """Return all hills connected to a hill, itself included, in the order of the battlefield.

    Hills that would enclose lower ground are not joined, because that ground would be lost.
    """
    others = [other for other in field.features if isinstance(other, Hill) and other.kind in LANDFORMS]
    found, waiting = {hill.id}, [hill]
    while waiting:
        at = waiting.pop()
        for other in others:
            if other.id not in found and _runtogether(at, other, context):
                found.add(other.id)
                waiting.append(other)
    group = [other for other in others if other.id in found]
    return group if len(group) > 1 and not any(level.interiors for level in _joined(group)) else [hill]


def _runtogether(one: Hill, other: Hill, context: SymbolContext) -> bool:
    """Return whether two hills are joined: of the same going if they touch, of any going if they overlap."""
    if not shapely.dwithin(one.outline, other.outline, TOUCH):
        return False
    overlap = shapely.intersection(one.outline, other.outline).area
    if overlap > _OVERLAP * min(one.outline.area, other.outline.area):
        return True
    shared = shapely.intersection(one.outline.exterior, other.outline.buffer(TOUCH))
    return one.going == other.going and bool(shared.length > context.size(_SHARED))


def _softness(group: list[Hill], field: Battlefield) -> float:
    """Return the radius in mm that rounds the notches between a group of hills; 0 for hills on grid cells."""
    return 0.0 if field.grid is not None else _WORN * math.sqrt(min(member.outline.area for member in group))


def _joined(group: list[Hill], soft: float = 0.0) -> Iterator[Polygon]:
    """Yield the contours of a group of hills, lowest first. Hairline gaps are closed.

    Args:
        group: the hills.
        soft: radius in mm that rounds notches where hills meet.
    """
    for number in range(max(len(member.contours) for member in group)):
        level = [member.contours[number] for member in group if len(member.contours) > number]
        whole = shapely.union_all(level)
        if len(polygons(whole)) > 1:
            whole = shapely.union_all([contour.buffer(TOUCH) for contour in level]).buffer(-TOUCH)
        for part in polygons(whole):
            yield _worn(part, level, soft) if soft and len(level) > 1 else part


def _worn(contour: Polygon, level: list[Polygon], soft: float) -> Polygon:
    """Return a joint contour with the notches between its hills rounded. Bends of a single hill do not change."""
    closed = contour.buffer(soft, quad_segs=_ARC).buffer(-soft, quad_segs=_ARC)
    between = [
        part
        for part in polygons(shapely.difference(closed, contour))
        if np.count_nonzero(shapely.distance(np.array(level, dtype=object), part) < TOUCH) > 1
    ]
    whole = shapely.union_all([contour, *(part.buffer(TOUCH) for part in between)])
    return whole if isinstance(whole, Polygon) and not whole.interiors else contour


def _without_horns(contour: Polygon) -> Polygon:
    """Return an upper contour without parts too thin for strokes on both sides."""
    thin = _HORN * math.sqrt(contour.area / math.pi)
    opened = polygons(contour.buffer(-thin, quad_segs=_ARC).buffer(thin, quad_segs=_ARC))
    return max(opened, key=lambda part: part.area) if opened else contour


def run_on(hill: Hill, board: Board, context: SymbolContext) -> Hill:
    """Return a hill with its mirror image beyond every board edge that part of its outline is on."""
    least, radii = _BEYOND
    far = max(context.size(least), radii * math.sqrt(hill.outline.area / math.pi))
    room = board.shape.buffer(far, join_style="mitre")
    for edge in map(board.edge, Edge):
        on_edge = shapely.intersection(hill.outline.exterior, edge.buffer(TOUCH, cap_style="flat"))
        if on_edge.length > context.size(_SHARED):
            contours = tuple(_mirrored(contour, edge, room) for contour in hill.contours)
            beyond = (replace(face, line=_reflected(face.line, edge).reverse()) for face in hill.faces)
            hill = replace(hill, contours=contours, faces=(*hill.faces, *beyond))
    return hill


def _mirrored(contour: Polygon, edge: LineString, room: BaseGeometry) -> Polygon:
    """Return a contour joined with its mirror image beyond an edge; unchanged if it does not reach the edge."""
    if shapely.distance(contour, edge) > TOUCH:
        return contour
    whole = shapely.union(contour.buffer(TOUCH), _reflected(contour, edge).buffer(TOUCH)).buffer(-TOUCH)
    found = max(polygons(shapely.intersection(whole, room)), key=lambda part: part.area)
    return Polygon(found.exterior)


def _reflected(shape: BaseGeometry, edge: LineString) -> Any:
    (x, y), (to_x, _) = edge.coords
    across, up = (-1.0, 1.0) if x == to_x else (1.0, -1.0)
    return affinity.scale(shape, across, up, origin=(x, y))
