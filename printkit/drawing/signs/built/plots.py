"""Ground that people parcelled out: straight sides, rounded corners, and neighbours that share their border.

Source: the cartography, 7 (man-made quads, cutting), 10.7 and 20.11.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import Line, polygons
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.signs.built.streets import long_axis
from printkit.drawing.signs.lines.borders import SHARED, fitted, left_over, runs_beside
from printkit.drawing.signs.lines.widths import WATERS, WAYS, covered, drawn_width
from printkit.drawing.signs.lines.works import WIDTHS, own_width
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Kind

BORDERS: Final[Mapping[Kind, Kind]] = {
    Kind.PLOUGH: Kind.HEDGE,
    Kind.CROPS: Kind.HEDGE,
    Kind.PASTURE: Kind.FENCE,
    Kind.ORCHARD: Kind.HEDGE,
    Kind.OLIVES: Kind.WALL,
    Kind.VINEYARD: Kind.WALL,
    Kind.ENCLOSURE: Kind.HEDGE,
}
"""The work about a field of each kind where nothing else is said."""

AMERICAN_BORDERS: Final[Mapping[Kind, Kind]] = dict.fromkeys(BORDERS, Kind.WORM_FENCE)

_WOBBLE: Final = (1.2, 30.0)
_CORNER: Final = 2.0
_BESIDE: Final[Mapping[Kind, float]] = {
    # A road fenced on both sides needs no second fence: there the field ends where the road's own fence stands.
    Kind.FENCED_ROAD: 1.5,
    Kind.SUNKEN_LANE: 3.9,
    Kind.ROAD: 2.2,
    Kind.RAILWAY: 2.2,
    Kind.TRACK: 1.9,
    Kind.PATH: 1.9,
    **dict.fromkeys(WATERS, 2.2),
}
_OPENED: Final = 1.2
_LEAST: Final = 150.0
_HEADLAND: Final = 1.3
_ALIKE: Final = math.radians(25)
_STRIP: Final = 2.5
_SOLIDITY: Final = (Kind.FENCE, Kind.WORM_FENCE, Kind.HEDGE, Kind.WALL)


class Plot(Struct, frozen=True, kw_only=True):
    """A field before it is drawn.

    ``border`` is where its own border runs, ``inner`` what its pattern covers, clear of every border and label;
    ``angle`` is the way of its rows in radians.
    """

    ground: BaseGeometry
    border: BaseGeometry
    inner: BaseGeometry
    angle: float


class _Standing(Struct, frozen=True):
    """A border that stands already, and half its printed width."""

    line: BaseGeometry
    reach: float


def man_made(outline: Polygon, pen: Pen) -> Polygon:
    """Return an outline as people lay them out: its sides not quite straight, its corners rounded.

    Every place is moved by the noise of the map alone, so what two outlines share they still share afterwards.
    """
    amount, wave = (mm * pen.scale for mm in _WOBBLE)

    def moved(points: Line) -> Line:
        x, y = points.T
        across, along = pen.noise.at(x, y, wave), pen.noise.at(x + 7.3 * wave, y - 5.9 * wave, wave)
        return np.column_stack([x + amount * across, y + amount * along])

    fine = shapely.segmentize(outline, wave / 12)
    ground = shapely.make_valid(shapely.transform(fine, moved))
    radius = min(_CORNER * pen.scale, 0.15 * math.sqrt(outline.area))
    pieces = polygons(ground.buffer(-radius).buffer(radius, quad_segs=6))
    return max(pieces, key=lambda piece: piece.area) if pieces else outline


def plot(area: Area, pen: Pen, field: Battlefield, borders: Mapping[Kind, Kind] = BORDERS) -> Plot:
    """Return a field cut back from ways and waters, fitted to its neighbours, with what is left to border.

    Of two neighbours the one with the more solid border draws it on the side they share; of two alike the earlier.
    """
    taken = covered(field, (*WAYS, *WATERS), pen, _BESIDE)
    ground = _alone(area, pen, field)
    standing = [each for each in _works(field, pen) if each.line.dwithin(ground, pen.size(SHARED))]
    for other in _before(area, pen, field, borders):
        theirs = _alone(other, pen, field)
        if runs_beside(theirs.boundary, ground.boundary, pen):
            ground = shapely.difference(fitted(ground, theirs.boundary, pen), taken)
        ground = shapely.difference(ground, theirs)
        standing.append(_Standing(theirs.boundary, own_width(borders[other.kind], pen) / 2))
    ground = shapely.MultiPolygon([piece for piece in polygons(ground) if piece.area > pen.size(1.0) ** 2])
    headland = pen.size(_HEADLAND)
    kept_off = [each.line.buffer(each.reach + headland) for each in standing]
    inner = ground.buffer(-(own_width(borders[area.kind], pen) / 2 + headland), join_style="mitre")
    return Plot(
        ground=ground,
        border=left_over(ground.boundary, [each.line for each in standing], pen),
        inner=shapely.difference(inner, shapely.union_all([*kept_off, pen.clear])),
        angle=pen.once(lambda: _row_angles(field, pen), field, by="ways of rows")[area.id],
    )


def shares_side(one: Polygon, other: Polygon, pen: Pen) -> bool:
    """Return whether two outlines run side by side within 3 mm for more than a corner's length."""
    return runs_beside(other.exterior, one.exterior, pen)


def _alone(area: Area, pen: Pen, field: Battlefield) -> BaseGeometry:
    """Return the ground of a field before its neighbours are looked at: cut back, and fitted to works beside it."""

    def measured() -> BaseGeometry:
        taken = covered(field, (*WAYS, *WATERS), pen, _BESIDE)
        ground = _cut(man_made(area.outline, pen), taken, pen)
        for each in _works(field, pen):
            if runs_beside(each.line, ground.boundary, pen):
                ground = shapely.difference(fitted(ground, each.line, pen), taken)
        return ground

    return pen.once(measured, field, area, by="ground of a field alone")


def _cut(ground: Polygon, taken: BaseGeometry, pen: Pen) -> BaseGeometry:
    """Return the ground beside ways and waters, without slivers that nobody would till."""
    if not ground.intersects(taken):
        return ground
    opened = pen.size(_OPENED)
    left = shapely.difference(ground, taken).buffer(-opened).buffer(opened, quad_segs=6)
    return shapely.MultiPolygon([piece for piece in polygons(left) if piece.area >= _LEAST * pen.scale**2])


def _fields(field: Battlefield) -> list[Area]:
    return [feature for feature in field.of(*BORDERS) if isinstance(feature, Area)]


def _before(area: Area, pen: Pen, field: Battlefield, borders: Mapping[Kind, Kind]) -> list[Area]:
    """Return the neighbours whose border stands where it meets this one's."""
    ranks = {each.id: (-_SOLIDITY.index(borders[each.kind]), place) for place, each in enumerate(_fields(field))}
    reach = pen.size(SHARED) + 2 * _WOBBLE[0] * pen.scale
    return [
        other
        for other in _fields(field)
        if ranks[other.id] < ranks[area.id] and other.outline.dwithin(area.outline, reach)
    ]


def _works(field: Battlefield, pen: Pen) -> list[_Standing]:
    """Return all walls, fences and hedges, those of roads among them."""

    def measured() -> list[_Standing]:
        found = [
            _Standing(work.line, (work.width or own_width(work.kind, pen)) / 2)
            for work in field.of(*WIDTHS)
            if isinstance(work, Course)
        ]
        for road in field.of(Kind.FENCED_ROAD):
            if isinstance(road, Course):
                aside = drawn_width(road, pen) / 2 + pen.size(_BESIDE[Kind.FENCED_ROAD])
                fences = [road.line.parallel_offset(aside, side) for side in ("left", "right")]
                found.append(_Standing(shapely.union_all(fences), pen.size(WIDTHS[Kind.FENCE]) / 2))
        return found

    return pen.once(measured, field, by="works that stand")


def _row_angles(field: Battlefield, pen: Pen) -> dict[str, float]:
    """Return the way of the rows of every field: along the long side, but across it where a neighbour's run so.

    Long strips keep to their long side whatever the neighbours do.
    """
    found: dict[str, float] = {}
    fields = _fields(field)
    for place, area in enumerate(fields):
        angle = _long_side(area.outline)
        beside = [other for other in fields[:place] if shares_side(area.outline, other.outline, pen)]
        alike = any(_between(angle, found[other.id]) < _ALIKE for other in beside)
        found[area.id] = angle + math.pi / 2 if alike and _length_by_width(area.outline) < _STRIP else angle
    return found


def _long_side(outline: Polygon) -> float:
    """Return the direction of the long sides in radians, the mean of those that run nearly alike."""
    axis = long_axis(outline)
    sides = np.diff(shapely.get_coordinates(outline.exterior), axis=0)
    apart = (np.arctan2(sides[:, 1], sides[:, 0]) - axis + math.pi / 2) % math.pi - math.pi / 2
    length = np.hypot(sides[:, 0], sides[:, 1]) * (np.abs(apart) < _ALIKE)
    return axis + float((apart * length).sum() / max(length.sum(), 1e-9))


def _between(one: float, other: float) -> float:
    """Return the angle between two directions without arrows, at most a quarter turn."""
    apart = (one - other) % math.pi
    return min(apart, math.pi - apart)


def _length_by_width(outline: Polygon) -> float:
    corners = shapely.get_coordinates(outline.minimum_rotated_rectangle)
    sides = [math.dist(first, last) for first, last in pairwise(corners[:3])]
    return max(sides) / max(min(sides), 1e-9)
