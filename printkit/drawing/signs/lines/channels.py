"""Channels: the ground and banks of running water, its springs, and junctions of waters.

Source: the cartography, 7 (order of width) and 10.4. Rivers keep the true width of the rules, BR-G31.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct, field
from numpy.typing import NDArray
from shapely import LineString, Point, affinity
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.core import exact_math
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, polygons, resampled, ribbon, tangents
from printkit.drawing.canvas.symbol_context import SymbolContext, project_points
from printkit.drawing.signs.lines.course_lines import (
    TOUCH,
    WATERS,
    band,
    compute_curvature,
    courses,
    covered,
    drawn_width,
    ends_on,
    extend_past_edge,
    find_touching_basins,
    on_layer,
    set_drawn_width,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import ROUTES, Area, Course, Kind

# Share of the full width at the source, for waters without a width in the rules.
_TAPER: Final = {Kind.STREAM: 0.47, Kind.CREEK: 0.55}

# Radii for the inner bank of the sharpest bends, as shares of the width, in order of preference.
_ROUNDINGS: Final = (0.55, 0.35, 0.2)

_NOTCH: Final = 1.6  # A land corner of 40 degrees or more loses less than this share of the squared radius.

SPRING_KINDS: Final = (Kind.STREAM, Kind.CREEK)  # Waters that begin at a spring
_NARROWS_FROM: Final = 5.0  # Least width in mm at 1:1 of a stream that narrows toward its spring
_OVERLAP: Final = 0.5

# The narrow part of a stream: its length, its breadth at the spring, and the radius of the pool there, in widths
_NARROWING: Final = (2.5, 0.30, 0.27)

_WAY_ROOM: Final = 1.0
_BANK_ROOM: Final = 2.0
_HAIR: Final = 0.02


class Bank(Struct, frozen=True):
    """A bank, or a line parallel to it: points about 1 mm apart, in the direction of flow.

    Attributes:
        points: the line, in printed mm.
        side: 1 for the left bank, -1 for the right.
        distances: distance of each point along the centre line, in printed mm.
        bend: curvature of the water at each point, from ``compute_curvature``; positive where the water turns left.
    """

    points: Line
    side: int
    distances: NDArray[np.float64]
    bend: NDArray[np.float64]

    @property
    def outward(self) -> Line:
        """Return the unit vector away from the water at every point of the bank, n x 2."""
        return normals(self.points) * self.side


class Channel(Struct, frozen=True, eq=False):
    """A water as it is drawn: its centre line, extended past the board and into lakes, and its ground.

    All are in printed mm. ``width`` is the greatest width. The inner bank of a bend sharper than half the width is
    rounded. Each of the ``springs`` is the end of a stream on the board (x, y), the direction away from the stream (x,
    y), and the radius of its pool.
    """

    line: LineString
    width: float
    ground: BaseGeometry
    springs: tuple[tuple[Line, Line, float], ...]
    _long: BaseGeometry
    _cuts: BaseGeometry
    _banks: dict[float, list[Bank]] = field(default_factory=dict)

    @classmethod
    def from_course(cls, course: Course, context: SymbolContext, field: Battlefield) -> Channel:
        """Return the channel of a course, computed once for each context, in printed mm.

        Without a width in the rules it widens downstream. A spring is round.
        """
        return context.once(lambda: cls._build(course, context, field), field, course, by="channel")

    @classmethod
    def _build(cls, course: Course, context: SymbolContext, field: Battlefield) -> Channel:
        """Return the channel of a course, in printed mm.

        Its line extends past the board edge, and its width is the drawn one. The ground has rounded open ends and
        bends, without the part that is beyond the far shore of a lake.
        """
        sized_course = set_drawn_width(course, context)
        line, width = extend_past_edge(sized_course, field), sized_course.width
        share = 1.0 if course.width else _TAPER.get(course.kind, 1.0)
        points = shapely.get_coordinates(line)
        open_ends = [
            _is_open(sized_course, Point(point), field) for point in (course.line.coords[0], course.line.coords[-1])
        ]
        narrows = course.kind in SPRING_KINDS and share == 1.0 and width >= context.size(_NARROWS_FROM)
        radii = (share * width / 2, width / 2) if not narrows else (_NARROWING[2] * width,) * 2
        outward = (-tangents(points)[0], tangents(points)[-1])
        open_heads = [
            (point, direction, radius)
            for point, direction, radius, is_open in zip(
                (points[0], points[-1]), outward, radii, open_ends, strict=True
            )
            if is_open
        ]
        end_circles = [Point(point).buffer(radius) for point, _, radius in open_heads]
        springs = tuple(open_heads) if course.kind in SPRING_KINDS else ()
        long_points = _extend_ends(points, width, open_ends)
        run_on = _make_band(long_points, width, share)
        roundings = _eased_bends(shapely.union_all([run_on, *end_circles]), line, width)
        body = _make_band(points, width, share)
        if narrows and springs:
            run_on, body = (
                _make_narrowing_band(line_points, width, open_ends) for line_points in (long_points, points)
            )
            near_springs = shapely.union_all([Point(point).buffer(_NARROWING[0] * width) for point, _, _ in springs])
            roundings = [shapely.difference(rounding, near_springs) for rounding in roundings]
        run_on = shapely.union_all([run_on, *end_circles, *roundings])
        ground = shapely.union_all([body, *end_circles, *roundings])
        overshoot = _find_overshoot(course, ground, field)
        cuts = shapely.union(_make_end_cuts(points, width, open_ends), overshoot.buffer(0.1))
        return cls(line, width, shapely.difference(ground, overshoot), springs, run_on, cuts)

    def banks(self, inset: float = 0.0) -> list[Bank]:
        """Return the banks of the water, or lines ``inset`` printed mm inside them, each in the direction of flow.

        The list is empty where the water is too narrow. Without gaps it has a left and a right bank, in no certain
        order. The result is cached.
        """
        if inset not in self._banks:
            self._banks[inset] = self._find_banks(inset)
        return self._banks[inset]

    def _find_banks(self, inset: float) -> list[Bank]:
        """Return the banks of the water, or lines ``inset`` printed mm inside them, each in the direction of flow.

        Parts at the ends, and parts of at most 1 mm, are left out.
        """
        spine = resampled(self.line, 1.0)
        turning = compute_curvature(spine, max(2.0, 0.4 * self.width))
        distances = np.linspace(0.0, self.line.length, len(spine))
        found_banks: list[Bank] = []
        for part in polygons(self._long.buffer(-inset, quad_segs=12) if inset else self._long):
            # Counterclockwise: the water is on the left of every ring.
            outline = shapely.geometry.polygon.orient(part)
            for ring in (outline.exterior, *outline.interiors):
                visible_ring = shapely.difference(LineString(ring.coords), self._cuts)
                pieces = lines(shapely.line_merge(visible_ring, directed=True))
                found_banks += [self._make_bank(piece, distances, turning) for piece in pieces if piece.length > 1.0]
        return found_banks

    def _make_bank(self, piece: LineString, spine_distances: Line, turning: NDArray[np.float64]) -> Bank:
        """Return the bank along a line, turned to the direction of flow.

        Args:
            piece: the line, with the water on its left, in printed mm.
            spine_distances: distances in mm along the centre line where its curvature is known.
            turning: curvature of the centre line at these distances.
        """
        points = resampled(piece, 1.0)
        # Locate every third point and interpolate: between them the water is as straight as its bank.
        indices = np.arange(len(points))
        sample_indices = np.append(indices[:-1:3], indices[-1])
        distances = np.interp(indices, sample_indices, project_points(self.line, points[sample_indices]))
        if distances[-1] >= distances[0]:
            return Bank(points, -1, distances, np.interp(distances, spine_distances, turning))
        return Bank(points[::-1], 1, distances[::-1], np.interp(distances[::-1], spine_distances, turning))


def find_tributaries(course: Course, context: SymbolContext, field: Battlefield) -> list[BaseGeometry]:
    """Return the ground of all waters that end on a water or branch off it, in printed mm; the list may be empty."""
    return [
        Channel.from_course(water, context, field).ground for water in courses(field, *WATERS) if _joins(water, course)
    ]


def find_receivers(course: Course, context: SymbolContext, field: Battlefield) -> list[Channel]:
    """Return the channels of the waters that a water ends on or branches off from; the list may be empty."""
    return [Channel.from_course(water, context, field) for water in courses(field, *WATERS) if _joins(course, water)]


def find_feeders(basin: Area, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of all waters that run into a lake or out of it, in printed mm; empty for none."""
    waters = [course for course in courses(field, *WATERS) if basin.outline.dwithin(course.line, TOUCH)]
    return (
        shapely.union_all([Channel.from_course(course, context, field).ground for course in waters])
        if waters
        else NOTHING
    )


def find_covering_waters(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of the lakes and larger waters that a water runs into, in printed mm.

    They are drawn over it. The result is empty if there are none.
    """
    greater = (channel.ground for channel in find_receivers(course, context, field))
    return shapely.union_all([*find_touching_basins(course.line, field), *greater])


def draw_damp_ground(
    course: Course, breadths: tuple[tuple[float, float], ...], context: SymbolContext, field: Battlefield
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the damp ground along a water, only once where two waters meet.

    Args:
        course: the water.
        breadths: pairs of breadth in mm at 1:1 and opacity.
        context: gives the style and sizes.
        field: the battlefield in printed mm.
    """
    ground = Channel.from_course(course, context, field).ground
    receiver_grounds = [channel.ground for channel in find_receivers(course, context, field)]
    for breadth, alpha in breadths:
        covered_area = (
            shapely.union_all([channel_ground.buffer(context.size(breadth)) for channel_ground in receiver_grounds])
            if receiver_grounds
            else NOTHING
        )
        wet = shapely.difference(ground.buffer(context.size(breadth), quad_segs=8), covered_area)
        yield from on_layer(LayerName.BANK, fill(wet, context.tint("bank-damp", alpha)))


def draw_bank_shadow(
    water: BaseGeometry, joined: BaseGeometry, context: SymbolContext, shift_mm: float, alpha: float
) -> LayeredItems:
    """Yield (layer, item) pairs of the shadow that the north-western bank of ``joined`` waters casts on one of them.

    Both are in printed mm. ``shift_mm`` is the length of the shadow to the east and to the south in mm at 1:1, and
    ``alpha`` its opacity.
    """
    if context.style.shadows:
        shifted = affinity.translate(joined, context.size(shift_mm), -context.size(shift_mm))
        yield from on_layer(LayerName.WATER, fill(shapely.difference(water, shifted), context.tint("bank-line", alpha)))


def subtract_waters(area: Area, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of an area in printed mm, without the waters through it and a margin along them."""
    return shapely.difference(area.outline, covered(field, WATERS, context, dict.fromkeys(WATERS, _BANK_ROOM)))


def find_reserved_ground(context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground that stamps avoid, in printed mm: roads with a margin, and labels."""
    return shapely.union_all([covered(field, ROUTES, context, dict.fromkeys(ROUTES, _WAY_ROOM)), context.clear])


def water_ground(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of a water from bank to bank in printed mm, for features that cross it."""
    return Channel.from_course(course, context, field).ground


def smooth_line(points: Line, smooth: float) -> Line:
    """Return the points of a line smoothed over the length ``smooth``, n x 2; points in are evenly spaced.

    ``smooth`` is the standard deviation of a bell curve, and ``points`` has the same unit. The ends stay fixed and
    bends are cut short.
    """
    step = float(np.hypot(*np.diff(points, axis=0).T).mean())
    reach = min(max(1, round(2.5 * smooth / step)), len(points) - 1)
    bell = exact_math.exp(-0.5 * (np.arange(-reach, reach + 1) * step / smooth) ** 2)
    padded = np.pad(points, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    smoothed_axes = [exact_math.convolve(axis, bell / bell.sum()) for axis in padded.T]
    return np.column_stack(smoothed_axes)


def _is_open(course: Course, end: Point, field: Battlefield) -> bool:
    """Return whether a water ends at ``end`` in open ground.

    The result is False at the board's edge and in other water. ``end`` is in printed mm.
    """
    if field.board.shape.exterior.distance(end) <= TOUCH or not field.board.shape.contains(end):
        return False
    other_waters = (other for other in courses(field, *WATERS) if other.id != course.id)
    return not find_touching_basins(end, field) and not any(other.line.dwithin(end, TOUCH) for other in other_waters)


def _joins(course: Course, other: Course) -> bool:
    """Return whether a water is drawn under the other: it ends on the other, or branches off its middle."""
    if ends_on(course, other):
        return True
    start = Point(course.line.coords[0])
    starts_on_other = course.id != other.id and other.line.dwithin(start, TOUCH)
    return starts_on_other and all(
        Point(end).distance(start) > TOUCH for end in (other.line.coords[0], other.line.coords[-1])
    )


def _find_overshoot(course: Course, ground: BaseGeometry, field: Battlefield) -> BaseGeometry:
    """Return the ground that a water extended into a lake covers beyond the far shore.

    ``ground`` is the ground of the water; all are in printed mm. The result is empty if the water touches no lake.
    """
    if not (basins := find_touching_basins(course.line, field)):
        return NOTHING
    dry = polygons(shapely.difference(ground, shapely.union_all(basins)))
    return shapely.union_all([part for part in dry if shapely.intersection(part, course.line).length < TOUCH])


def _make_band(points: Line, width: float, share: float) -> BaseGeometry:
    """Return the band about a line; its width grows from ``share`` of ``width`` to all of it.

    ``points`` is the line from source to mouth; everything is in printed mm.
    """
    if share == 1.0:
        return band(LineString(points), width)
    even = resampled(points, 1.0)
    return shapely.union_all(polygons(ribbon(even, width * np.linspace(share, 1.0, len(even)))))


def _make_narrowing_band(points: Line, width: float, open_ends: list[bool]) -> BaseGeometry:
    """Return the band about a stream that narrows toward the springs at its open ends, in printed mm.

    Args:
        points: the centre line.
        width: the width of the stream.
        open_ends: whether the first and the last end are springs.
    """
    long, narrow, _ = _NARROWING
    line, parts = LineString(points), []
    # A short stream with a spring at each end is widest in the middle.
    reach = min(long * width, line.length / (0.5 + sum(open_ends)))
    for is_open, whole in zip(open_ends, (line, line.reverse()), strict=True):
        if is_open:
            even = resampled(shapely.get_coordinates(substring(whole, 0.0, reach + _OVERLAP)), 1.0)
            shares = np.linspace(0.0, 1.0, len(even))
            breadths = width * (narrow + (1 - narrow) * shares * shares * (3 - 2 * shares))
            parts += polygons(ribbon(even, breadths))
    first, last = (reach if is_open else 0.0 for is_open in open_ends)
    return shapely.union_all([band(substring(line, first, line.length - last), width), *parts])


def _eased_bends(ground: BaseGeometry, line: LineString, width: float) -> list[BaseGeometry]:
    """Return the areas that round the inner banks of a water, in printed mm.

    Where the greatest radius would close the land between two bends, a smaller radius is tried.

    Args:
        ground: the ground of the water before rounding.
        line: its centre line.
        width: its greatest width.
    """
    all_roundings: list[BaseGeometry] = []
    for share in _ROUNDINGS:
        radius = share * width
        closed = ground.buffer(radius, quad_segs=8).buffer(-radius, quad_segs=8)
        notches = np.array(polygons(shapely.difference(closed, ground)), dtype=object)
        areas = shapely.area(notches)
        if not (areas > _HAIR).any():
            # A smaller circle closes no more than a larger one.
            break
        roundings = [
            notch.buffer(_HAIR)
            for notch in notches[(areas > _HAIR) & (areas < _NOTCH * radius**2)].tolist()
            if shapely.intersection(line, notch.buffer(1.5 * width)).geom_type == "LineString"
        ]
        if roundings:
            ground = shapely.union_all([ground, *roundings])
            all_roundings += roundings
    return all_roundings


def _extend_ends(points: Line, width: float, open_ends: list[bool]) -> Line:
    """Return a line extended straight by ``width`` beyond its square ends, to hide the ends of the band.

    Everything is in printed mm. ``open_ends``: whether the first and the last end are round; these are not extended.
    """
    directions = tangents(points)
    first = points[:1] - directions[:1] * width * (not open_ends[0])
    last = points[-1:] + directions[-1:] * width * (not open_ends[1])
    pieces = [*([] if open_ends[0] else [first]), points, *([] if open_ends[1] else [last])]
    return np.vstack(pieces)


def _make_end_cuts(points: Line, width: float, open_ends: list[bool]) -> BaseGeometry:
    """Return the ground at both ends that separates the left bank from the right.

    It is wide at square ends, and a hairline at round ones. Everything is in printed mm.

    Args:
        points: the centre line.
        width: the greatest width of the water.
        open_ends: whether the first and the last end are round.
    """
    directions = tangents(points)
    cuts: list[BaseGeometry] = []
    for end, outward, is_open in (
        (points[0], -directions[0], open_ends[0]),
        (points[-1], directions[-1], open_ends[1]),
    ):
        start, breadth = (end - outward * 0.2 * width, _HAIR / 2) if is_open else (end, 1.5 * width)
        cuts.append(band(LineString([start, end + outward * 1.5 * width]), breadth))
    return shapely.union_all(cuts)


def width_at(course: Course, context: SymbolContext, share: float) -> float:
    """Return the printed width in mm of a water at a share of its length, from 0 (source) to 1 (mouth)."""
    start = 1.0 if course.width else _TAPER.get(course.kind, 1.0)
    return drawn_width(course, context) * (start + (1.0 - start) * share)
