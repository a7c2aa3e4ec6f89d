"""Channels: the ground and banks of running water, junctions of waters, ravines, gullies and ditches.

Source: the cartography, 7 (order of width) and 10.4. Rivers keep the true width of the rules, BR-G31.

They are below all waters and roads: a stream can run in a ravine, and a bridge can cross a ditch.

Source: the cartography, 10.1.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct, convert, field
from numpy.typing import NDArray
from shapely import LineString, Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.drawing.canvas.items import Cap, Join, LayeredItems, LayerName
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import Line, fill, lines, normals, polygons, resampled, ribbon, tangents, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext, project_points
from printkit.drawing.signs.lines.course_lines import (
    TOUCH,
    WATERS,
    MeasuredLine,
    band,
    compute_curvature,
    courses,
    courses_meet,
    covered,
    drawn_width,
    ends_on,
    extend_past_edge,
    find_touching_basins,
    on_layer,
    set_drawn_width,
    stroke_shape,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, ROUTES, Area, Course, Kind, find_family

CUTS: Final = find_family("cut")

_STEP: Final = 1.0
_PINCHED: Final = 0.28
_POINT: Final = 0.03
_WAVER: Final = 0.22
_WAVE: Final = 26.0
_LONGEST: Final = 15.0
_LEAST_HALF: Final = 1.2
_STROKE_SHARE: Final = (0.55, 0.86)
_AWAY_FROM_LIGHT: Final = 0.30
_SHADES: Final = (0.0, 0.34, 0.68)
_SHADED: Final = 0.30
_LIT: Final = 0.35
_WATERED: Final = 0.25
_RAVINE_HAIR: Final = 0.05
_TO_LIGHT: Final = np.array([-0.7071, 0.7071])


class RavineStyle(Struct, frozen=True, kw_only=True):
    """Drawing settings for one kind of cut; lengths in mm at 1:1.

    Attributes:
        pitch: spacing of the strokes.
        stroke: width of a stroke.
        edge: width of the line along the brink.
        ink: ink of strokes and edge.
        even: whether the width stays constant, without tapered ends.
        bed: width of the bed line.
        dash: dashes of the bed line; None for no bed line.
    """

    pitch: float
    stroke: float
    edge: float
    ink: str
    even: bool = False
    bed: float = 0.0
    dash: tuple[float, float] | None = None


_STYLES: Final = {kind: convert(KIND_ROWS[kind].look, RavineStyle) for kind in CUTS}


class _Cut(Struct, frozen=True):
    """The shape of a cut, in printed mm.

    Attributes:
        bed: points of the bed, n x 2.
        brinks: points of the left and of the right brink, one for each point of the bed.
        half: half the width at each point.
    """

    bed: Line
    brinks: tuple[Line, Line]
    half: NDArray[np.float64]

    def quads(self, side: int) -> NDArray[np.object_]:
        """Return the pieces of one bank from brink to bed, as polygons in printed mm.

        ``side`` is 0 for the left bank and 1 for the right.
        """
        brink = self.brinks[side]
        return np.asarray(
            shapely.polygons(np.stack([brink[:-1], brink[1:], self.bed[1:], self.bed[:-1], brink[:-1]], axis=1))
        )

    @property
    def body(self) -> BaseGeometry:
        """Return the complete ground of the cut, in printed mm.

        Pieces may overlap inside a narrow bend; convex hulls prevent holes there.
        """
        pieces = np.concatenate([self.quads(0), self.quads(1)])
        return shapely.union_all(shapely.convex_hull(pieces))


def cut(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a ravine, a gully or a ditch between its brinks.

    Shapes and items are in printed mm.
    """
    style = _STYLES[course.kind]
    course = set_drawn_width(course, context)
    shape = _build_cut(course, style, context, field)
    body = shape.body
    yield from on_layer(LayerName.CUT, fill(body, context.style.ink("ravine-bed")))
    yield from _draw_shades(shape, body, context)
    yield from _draw_strokes(shape, course, style, context)
    yield from _draw_bed(shape, style, context, field)
    touching_grounds = [
        compute_cut_ground(neighbour, context, field)
        for neighbour in courses(field, *CUTS)
        if courses_meet(course, neighbour)
    ]
    # Slightly more than the ground of the others, or a line would separate two cuts that meet end to end.
    inside = shapely.buffer(shapely.union_all(touching_grounds), _RAVINE_HAIR)
    brinks = [shapely.difference(part.exterior, inside) for part in polygons(body)]
    edge = stroke_shape(brinks, context, style.ink, style.edge, join=Join.ROUND, minimum_mm=LEAST_MEANING)
    yield from on_layer(LayerName.CUT, edge)


def compute_cut_ground(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of a ravine, a gully or a ditch from brink to brink, in printed mm.

    Raises:
        KeyError: the course is of another kind.
    """
    return _build_cut(set_drawn_width(course, context), _STYLES[course.kind], context, field).body


def _build_cut(course: Course, style: RavineStyle, context: SymbolContext, field: Battlefield) -> _Cut:
    """Return the cut along its course, in printed mm.

    An end tapers to a point, unless another cut or the board's edge is there.
    """
    bed = resampled(extend_past_edge(course, field), context.size(_STEP))
    half_widths = np.full(len(bed), course.width / 2)
    if not style.even:
        shares = np.linspace(0.0, 1.0, len(bed))
        taper = np.ones(len(bed))
        other_cuts = [cut.line for cut in courses(field, *CUTS) if cut.id != course.id]
        for end, distance_shares in ((course.line.coords[0], shares), (course.line.coords[-1], 1.0 - shares)):
            end_point = Point(end)
            if all(line.distance(end_point) > TOUCH for line in (field.board.shape.exterior, *other_cuts)):
                taper *= _POINT + (1 - _POINT) * exact_math.sin(np.pi / 2 * np.minimum(1.0, distance_shares / _PINCHED))
        waver = np.clip(context.noise.at(bed[:, 0], bed[:, 1], _WAVE * context.scale), -1.0, 1.0)
        half_widths = half_widths * taper * (1.0 - _WAVER * (1.0 - waver) / 2)
    offsets = normals(bed) * half_widths[:, None]
    return _Cut(bed, (bed + offsets, bed - offsets), half_widths)


def _draw_shades(shape: _Cut, body: BaseGeometry, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the banks, dark on the side away from the light and pale on the side towards it.

    Each tone has three depths. ``body`` is the ground of the cut, in printed mm.
    """
    if not context.style.washes:
        return
    pieces = np.concatenate([shape.quads(0), shape.quads(1)])
    bank_normals = normals(shape.bed)
    middles = (bank_normals[:-1] + bank_normals[1:]) / 2
    lit = exact_math.product(np.concatenate([-middles, middles]), _TO_LIGHT)
    for token, alpha, facing in (("ravine-shaded", _SHADED, -lit), ("ravine-lit", _LIT, lit)):
        for threshold in _SHADES:
            facing_pieces = shapely.convex_hull(pieces[facing > threshold])
            tone = shapely.intersection(shapely.union_all(facing_pieces), body)
            yield from on_layer(LayerName.CUT, fill(tone, context.tint(token, alpha / len(_SHADES))))


def _draw_strokes(shape: _Cut, course: Course, style: RavineStyle, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw strokes down both banks, heavier where the bank faces away from the light.

    They are evenly spaced along each brink. Shapes and items are in printed mm.
    """
    stream = context.stream(f"draw/{course.id}/banks")
    strokes: list[tuple[Line, float, float]] = []
    for brink in shape.brinks:
        brink_line = MeasuredLine.from_line(brink)
        distance = 0.0
        while distance < brink_line.length:
            index = float(np.interp(distance, brink_line.distances, np.arange(len(brink))))
            low = min(int(index), len(shape.bed) - 2)
            top = brink_line.at(distance)[0]
            bottom = shape.bed[low] + (shape.bed[low + 1] - shape.bed[low]) * (index - low)
            depth = float(np.hypot(*(bottom - top)))
            share = stream.between(*_STROKE_SHARE)
            distance += context.size(style.pitch) * stream.between(0.85, 1.15)
            if depth >= context.size(_LEAST_HALF):
                down = (bottom - top) / depth
                stroke_width = style.stroke * (1 - _AWAY_FROM_LIGHT * float(exact_math.product(down, _TO_LIGHT)))
                foot = top + down * min(share * depth, context.size(_LONGEST) * share)
                strokes.append(
                    (np.array([top, foot]), context.width(stroke_width, minimum_mm=LEAST_MEANING), context.width(0.12))
                )
    yield from on_layer(LayerName.CUT, wedges(strokes, context.style.ink(style.ink)))


def _draw_bed(shape: _Cut, style: RavineStyle, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw the dry bed where it has room.

    A cut with a stream in it has no bed line. Shapes and items are in printed mm.
    """
    if style.dash is None:
        return
    wet = covered(field, WATERS, context)
    line = LineString(shape.bed)
    if shapely.intersection(line, wet).length > _WATERED * line.length:
        return
    wide_indices = np.flatnonzero(shape.half >= context.size(2 * _LEAST_HALF))
    if len(wide_indices) > 1:
        piece = shape.bed[wide_indices[0] : wide_indices[-1] + 1]
        cap = Cap.ROUND if style.dash[0] < 0.1 else Cap.BUTT
        stroke_options = {"dash": style.dash, "cap": cap, "minimum_mm": LEAST_MEANING}
        yield from on_layer(LayerName.CUT, stroke_shape(piece, context, "hachure-gentle", style.bed, **stroke_options))


# Share of the full width at the source, for waters without a width in the rules.
_TAPER: Final = {Kind.STREAM: 0.47, Kind.CREEK: 0.55}

# Radii for the inner bank of the sharpest bends, as shares of the width, in order of preference.
_ROUNDINGS: Final = (0.55, 0.35, 0.2)

_NOTCH: Final = 1.6  # A land corner of 40 degrees or more loses less than this share of the squared radius.

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
    rounded.
    """

    line: LineString
    width: float
    ground: BaseGeometry
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
        end_circles = [
            Point(end).buffer(radius) for end, radius, is_open in zip(
                (points[0], points[-1]), (share * width / 2, width / 2), open_ends, strict=True
            ) if is_open
        ]  # fmt: skip
        long_points = _extend_ends(points, width, open_ends)
        run_on = shapely.union_all([_make_band(long_points, width, share), *end_circles])
        roundings = _eased_bends(run_on, line, width)
        ground = shapely.union_all([_make_band(points, width, share), *end_circles, *roundings])
        run_on = shapely.union_all([run_on, *roundings])
        overshoot = _find_overshoot(course, ground, field)
        cuts = shapely.union(_make_end_cuts(points, width, open_ends), overshoot.buffer(0.1))
        return cls(line, width, shapely.difference(ground, overshoot), run_on, cuts)

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
