"""Fields: plough, crops, pasture, orchards, olives and vines; their borders, and the rows of tilled ground.

Source: the cartography, 10.7.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise, product
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.drawing.canvas.area_fill import FAINT_RINGS, wash
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, dots, lines, normals, polygons, resampled
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.scatter.crowns import grown, standing
from printkit.drawing.scatter.scatter import poisson_points
from printkit.drawing.signs.built.borders import StandingWork, by_kind, gate, opened_lines
from printkit.drawing.signs.built.buildings import nearest_way
from printkit.drawing.signs.built.streets import long_axis
from printkit.drawing.signs.built.strips import draw_balks, in_strips
from printkit.drawing.signs.lines.course_lines import WATERS, Measured, covered, drawn_width, on, stroke_shape
from printkit.drawing.signs.lines.wet_plants import Tufts
from printkit.drawing.signs.lines.works import SHARED, WIDTHS, along, fitted, left_over, own_width, runs_beside
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import ROUTES, Area, Course, Kind

# --- Parcels: straight sides, rounded corners, and shared borders -----------------------------------------------------

# Default border for each kind of field.
BORDERS: Final[Mapping[Kind, Kind]] = {
    Kind.PLOUGH: Kind.HEDGE,
    Kind.CROPS: Kind.HEDGE,
    Kind.PASTURE: Kind.FENCE,
    Kind.ORCHARD: Kind.HEDGE,
    Kind.OLIVES: Kind.WALL,
    Kind.VINEYARD: Kind.WALL,
    Kind.ENCLOSURE: Kind.HEDGE,
}

AMERICAN_BORDERS: Final[Mapping[Kind, Kind]] = dict.fromkeys(BORDERS, Kind.WORM_FENCE)

_WOBBLE: Final = (1.2, 30.0)
_CORNER: Final = 2.0
_BESIDE: Final[Mapping[Kind, float]] = {
    # A fenced road needs no second fence: the field ends at the fence of the road.
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


class FieldPlot(Struct, frozen=True, kw_only=True):
    """A field before it is drawn.

    Attributes:
        ground: its ground.
        border: the line to draw its border on.
        inner: area of its pattern, clear of borders and labels.
        angle: direction of its rows in radians.
        floor: area of its tint, up to the inner side of a worm fence.
        shortest: least length of a row, in mm at 1:1.
        standing: works of other features along its edge.
    """

    ground: BaseGeometry
    border: BaseGeometry
    inner: BaseGeometry
    angle: float
    floor: BaseGeometry = Polygon()
    shortest: float = 0.0
    standing: tuple[StandingWork, ...] = ()


def man_made(outline: Polygon, context: SymbolContext) -> Polygon:
    """Return an outline with slightly uneven sides and rounded corners.

    The shift of every point depends only on the noise of the map, so two outlines keep their shared border.
    """
    amount, wave = (mm * context.scale for mm in _WOBBLE)

    def moved(points: Line) -> Line:
        x, y = points.T
        across, along = context.noise.at(x, y, wave), context.noise.at(x + 7.3 * wave, y - 5.9 * wave, wave)
        return np.column_stack([x + amount * across, y + amount * along])

    fine = shapely.segmentize(outline, wave / 12)
    ground = shapely.make_valid(shapely.transform(fine, moved))
    radius = min(_CORNER * context.scale, 0.15 * math.sqrt(outline.area))
    pieces = polygons(ground.buffer(-radius).buffer(radius, quad_segs=6))
    return max(pieces, key=lambda piece: piece.area) if pieces else outline


def plot(area: Area, context: SymbolContext, field: Battlefield, borders: Mapping[Kind, Kind] = BORDERS) -> FieldPlot:
    """Return a field cut back from roads and waters and fitted to its neighbours, with its border to draw.

    Of two neighbours, the one with the more solid kind of border draws the shared side; of two with the same kind, the
    earlier.
    """
    taken = covered(field, (*ROUTES, *WATERS), context, _BESIDE)
    ground = _alone(area, context, field)
    standing = [each for each in _works(field, context) if each.line.dwithin(ground, context.size(SHARED))]
    for other in _before(area, context, field, borders):
        theirs = _alone(other, context, field)
        if runs_beside(theirs.boundary, ground.boundary, context):
            ground = shapely.difference(fitted(ground, theirs.boundary, context), taken)
        ground = shapely.difference(ground, theirs)
        standing.append(StandingWork(theirs.boundary, own_width(borders[other.kind], context) / 2, borders[other.kind]))
    ground = shapely.MultiPolygon([piece for piece in polygons(ground) if piece.area > context.size(1.0) ** 2])
    headland = context.size(_HEADLAND)
    kept_off = [each.line.buffer(each.reach + headland) for each in standing]
    inner = ground.buffer(-(own_width(borders[area.kind], context) / 2 + headland), join_style="mitre")
    zigzags = [each.line.buffer(each.reach, cap_style="flat") for each in standing if each.kind is Kind.WORM_FENCE]
    if borders[area.kind] is Kind.WORM_FENCE:
        zigzags.append(ground.boundary.buffer(own_width(Kind.WORM_FENCE, context) / 2))
    return FieldPlot(
        ground=ground,
        standing=tuple(standing),
        floor=shapely.difference(ground, shapely.union_all(zigzags)) if zigzags else ground,
        border=left_over(ground.boundary, [each.line for each in standing], context),
        inner=shapely.difference(inner, shapely.union_all([*kept_off, context.clear])),
        angle=context.once(lambda: _row_angles(field, context), field, by="ways of rows")[area.id],
    )


def _alone(area: Area, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of a field without its neighbours: cut back, and fitted to works along it."""

    def measured() -> BaseGeometry:
        taken = covered(field, (*ROUTES, *WATERS), context, _BESIDE)
        ground = _cut(man_made(area.outline, context), taken, context)
        for each in _works(field, context):
            if runs_beside(each.line, ground.boundary, context):
                ground = shapely.difference(fitted(ground, each.line, context), taken)
        return ground

    return context.once(measured, field, area, by="ground of a field alone")


def _cut(ground: Polygon, taken: BaseGeometry, context: SymbolContext) -> BaseGeometry:
    """Return the ground without roads, waters and slivers."""
    if not ground.intersects(taken):
        return ground
    opened = context.size(_OPENED)
    left = shapely.difference(ground, taken).buffer(-opened).buffer(opened, quad_segs=6)
    return shapely.MultiPolygon([piece for piece in polygons(left) if piece.area >= _LEAST * context.scale**2])


def _fields(field: Battlefield) -> list[Area]:
    return [feature for feature in field.select_features(*BORDERS) if isinstance(feature, Area)]


def _before(area: Area, context: SymbolContext, field: Battlefield, borders: Mapping[Kind, Kind]) -> list[Area]:
    """Return the neighbours that draw the border they share with this field."""
    ranks = {each.id: (-_SOLIDITY.index(borders[each.kind]), place) for place, each in enumerate(_fields(field))}
    reach = context.size(SHARED) + 2 * _WOBBLE[0] * context.scale
    return [
        other
        for other in _fields(field)
        if ranks[other.id] < ranks[area.id] and other.outline.dwithin(area.outline, reach)
    ]


def _works(field: Battlefield, context: SymbolContext) -> list[StandingWork]:
    """Return all walls, fences and hedges, including those of roads."""

    def measured() -> list[StandingWork]:
        found = [
            StandingWork(work.line, (work.width or own_width(work.kind, context)) / 2, work.kind)
            for work in field.select_features(*WIDTHS)
            if isinstance(work, Course)
        ]
        for road in field.select_features(Kind.FENCED_ROAD):
            if isinstance(road, Course):
                aside = drawn_width(road, context) / 2 + context.size(_BESIDE[Kind.FENCED_ROAD])
                fences = [road.line.parallel_offset(aside, side) for side in ("left", "right")]
                found.append(StandingWork(shapely.union_all(fences), context.size(WIDTHS[Kind.FENCE]) / 2, Kind.FENCE))
        return found

    return context.once(measured, field, by="works that stand")


def _row_angles(field: Battlefield, context: SymbolContext) -> dict[str, float]:
    """Return the direction of rows of every field by ID: along its long side.

    A field whose neighbour has a similar direction is turned by 90 degrees, unless it is a long strip.
    """
    found: dict[str, float] = {}
    fields = _fields(field)
    for place, area in enumerate(fields):
        angle = _long_side(area.outline)
        rim = area.outline.exterior
        beside = [other for other in fields[:place] if runs_beside(other.outline.exterior, rim, context)]
        alike = any(_between(angle, found[other.id]) < _ALIKE for other in beside)
        found[area.id] = angle + math.pi / 2 if alike and _length_by_width(area.outline) < _STRIP else angle
    return found


def _long_side(outline: Polygon) -> float:
    """Return the direction of the long sides in radians: the mean of the nearly parallel sides."""
    axis = long_axis(outline)
    sides = np.diff(shapely.get_coordinates(outline.exterior), axis=0)
    apart = (elementary.arctan2(sides[:, 1], sides[:, 0]) - axis + math.pi / 2) % math.pi - math.pi / 2
    length = np.hypot(sides[:, 0], sides[:, 1]) * (np.abs(apart) < _ALIKE)
    return axis + float((apart * length).sum() / max(length.sum(), 1e-9))


def _between(one: float, other: float) -> float:
    """Return the angle between two directions, ignoring their sense, at most a quarter turn."""
    apart = (one - other) % math.pi
    return min(apart, math.pi - apart)


def _length_by_width(outline: Polygon) -> float:
    corners = shapely.get_coordinates(outline.minimum_rotated_rectangle)
    sides = [math.dist(first, last) for first, last in pairwise(corners[:3])]
    return max(sides) / max(min(sides), 1e-9)


# --- The rows of tilled ground: parallel, a little uneven, slightly S-shaped as ox teams plough -----------------------

_NOISE: Final = (0.22, 9.0)
_WAVER: Final = 0.07
_STEP: Final = 1.5
_STRAY: Final = 0.35
_PHASES: Final = tuple(np.arange(6) / 6)
_NOTHING: Final = np.zeros((0, 2))


def rows(
    plot: FieldPlot, spacing: float, context: SymbolContext, stream: Stream, *, bend: float = 0.0, noise: float = 1.0
) -> list[Line]:
    """Return rows that cover a field and extend past it; ``kept`` clips them.

    Args:
        plot: the field; rows follow its angle.
        spacing: mm at 1:1 between rows.
        context: gives the scale and the noise of the map.
        stream: random stream for the spacing.
        bend: sideways shift between the two ends of a row as a share of the field's length, in a slight S.
        noise: share of the usual unevenness.
    """
    if plot.inner.is_empty:
        return []
    middle, along, across = _frame(plot)
    places = elementary.product(shapely.get_coordinates(plot.inner) - middle, np.column_stack([along, across]))
    (left, low), (right, high) = places.min(axis=0), places.max(axis=0)
    long = max(right - left, 1e-9)
    swing = bend * long / 2
    count = max(3, math.ceil(long / context.size(_STEP)) + 1)
    way = np.linspace(left, right, count)
    bow = swing * elementary.sin(math.pi * (way - (left + right) / 2) / long)
    offsets: list[float] = []
    offset = low - swing + context.size(spacing) * stream.between(0.1, 0.6)
    while offset < high + swing:
        offsets.append(offset)
        offset += context.size(spacing) * stream.between(1 - _WAVER, 1 + _WAVER)
    aside = np.array(offsets)[:, None] + bow
    points = middle + way[:, None] * along + aside[..., None] * across
    uneven = noise * context.size(_NOISE[0]) * context.noise.at(points[..., 0], points[..., 1], context.size(_NOISE[1]))
    return list(points + uneven[..., None] * across)


def kept(found: list[Line], ground: BaseGeometry, least: float) -> list[Line]:
    """Return the parts of rows inside some ground that are at least ``least`` printed mm long."""
    if not found or ground.is_empty:
        return []
    shown = np.array(lines(shapely.intersection(_linestrings(found), ground)), dtype=object)
    return [shapely.get_coordinates(part) for part in shown[shapely.length(shown) >= least]]


def _linestrings(found: list[Line]) -> NDArray[np.object_]:
    """Return rows as lines, built in one call."""
    of = np.repeat(np.arange(len(found)), [len(row) for row in found])
    return np.asarray(shapely.linestrings(np.concatenate(found), indices=of))


def beside(row: Line, by: float) -> Line:
    """Return a row moved ``by`` mm away from the light, to the south-east."""
    across = normals(row)
    left = across.mean(axis=0)
    side = 1.0 if left[0] - left[1] > 0 else -1.0
    return np.asarray(row + side * by * across)


def waved(row: Line, swing: float, wave: float, phase: float) -> Line:
    """Return a row as a wavy line, ``swing`` mm to each side, one wave per ``wave`` mm."""
    points = resampled(row, wave / 8)
    gone = np.arange(len(points)) * (wave / 8)
    return np.asarray(points + swing * elementary.sin(2 * np.pi * gone / wave + phase)[:, None] * normals(points))


def lattice(
    plot: FieldPlot, ground: BaseGeometry, steps: tuple[float, float], context: SymbolContext, stream: Stream
) -> Line:
    """Return as many points as fit in staggered rows on some ground, like the trees of an orchard.

    Args:
        plot: the field; rows follow its angle.
        ground: area for the points; each piece of it has separate rows.
        steps: mm at 1:1 along a row and between rows.
        context: gives the scale.
        stream: random stream that moves every point a little.
    """
    pieces = polygons(ground)
    if not pieces:
        return _NOTHING
    step, pitch = (context.size(mm) for mm in steps)
    found = [_NOTHING]
    middle, along, across = _frame(plot)
    for piece in pieces:
        places = elementary.product(shapely.get_coordinates(piece) - middle, np.column_stack([along, across]))
        (left, low), (right, high) = places.min(axis=0), places.max(axis=0)
        # Every second row is shifted by half a step.
        u, v = np.meshgrid(np.arange(left, right + step, step / 2), np.arange(low, high + pitch, pitch))
        odd = np.add.outer(np.arange(u.shape[0]), np.arange(u.shape[1])) % 2 == 1
        shapely.prepare(piece)
        tried = []
        for over, up in product(_PHASES, repeat=2):
            spots = middle + (u[odd] - over * step)[:, None] * along + (v[odd] - up * pitch)[:, None] * across
            tried.append(spots[shapely.contains_xy(piece, spots[:, 0], spots[:, 1])])
        most = max(map(len, tried))
        found.append(min((spots for spots in tried if len(spots) == most), key=partial(_astray, ground=piece)))
    trees = np.vstack(found)
    trees = trees + (2 * stream.draw_array(2 * len(trees)).reshape(-1, 2) - 1) * context.size(_STRAY)
    return np.asarray(trees[shapely.contains_xy(ground, trees[:, 0], trees[:, 1])])


def _astray(places: Line, ground: Polygon) -> float:
    """Return the distance between the mean of points and the centroid of their ground, to a tenth of a mm."""
    if not len(places):
        return 0.0
    return round(float(ground.centroid.distance(Point(places.mean(axis=0)))), 1)


def _frame(plot: FieldPlot) -> tuple[Line, Line, Line]:
    """Return the middle of a field, and the unit directions along and across its rows."""
    at: Point = plot.ground.centroid
    cosine, sine = math.cos(plot.angle), math.sin(plot.angle)
    return np.array([at.x, at.y]), np.array([cosine, sine]), np.array([-sine, cosine])


Pattern: TypeAlias = Callable[[FieldPlot, str, SymbolContext], LayeredItems]

_LEAST_ROW: Final = 2.0
_SHORTEST: Final = 9.0
_TREE: Final = 2.75
_TREES_APART: Final = (8.6, 7.7)
_FROM_BORDER: Final = 0.4
_GATEPOST: Final = 0.75


def farmland(
    area: Area, context: SymbolContext, field: Battlefield, *, borders: Mapping[Kind, Kind] = BORDERS
) -> LayeredItems:
    """Draw a field of any use with its border. Neighbours share a border.

    Args:
        area: the field.
        context: gives the style and sizes.
        field: the battlefield in printed mm.
        borders: kind of border for each kind of field: ``BORDERS`` or ``AMERICAN_BORDERS``.
    """
    laid = plot(area, context, field, borders)
    token, pattern = _USES[use(area, context)]
    own, floor = borders[area.kind], laid.floor
    about = by_kind(laid.ground, laid.border, own, laid.standing, context)
    for kind, border in about:
        if kind is Kind.WORM_FENCE and kind is not own:
            floor = shapely.difference(floor, border.buffer(own_width(kind, context) / 2))
    yield from on(LayerName.FIELD, wash(floor, context.style.ink(token), None, context, FAINT_RINGS))
    yield from _tilled(laid, area, context, pattern)
    stream = context.stream(f"draw/{area.id}/border")
    for kind, border in about:
        at = gate(border, nearest_way(area.outline, field, context), context) if kind is own else None
        whole, posts = opened_lines(border, at, context)
        yield from along(kind, whole, context, stream)
        places = [(post.x, post.y) for post in posts]
        yield from on(LayerName.WORKS, dots(places, context.size(_GATEPOST), context.style.ink("timber")))


def _tilled(laid: FieldPlot, area: Area, context: SymbolContext, pattern: Pattern) -> LayeredItems:
    """Draw the pattern of a field. A large tilled field is drawn strip by strip, with headlands at the ends."""
    kind, stream = use(area, context), context.stream(f"draw/{area.id}/strips")
    bend, ink = _STRIPS.get(kind, (0.0, ""))
    found = in_strips(laid.ground, laid.angle, bend, context, stream) if ink else None
    if found is None:
        yield from pattern(laid, area.id, context)
        return
    yield from draw_balks(found, context.clear, ink, context, stream)
    for number, strip in enumerate(found.strips):
        part = replace(laid, inner=shapely.intersection(laid.inner, strip), shortest=_SHORTEST)
        yield from pattern(part, f"{area.id}/{number}", context)
    for number, end in enumerate(found.headlands):
        long = max(polygons(end), key=lambda piece: piece.area, default=None)
        turned = laid.angle + math.pi / 2 if long is None else long_axis(long)
        part = replace(laid, inner=shapely.intersection(laid.inner, end), angle=turned, shortest=_SHORTEST)
        yield from pattern(part, f"{area.id}/head{number}", context)


def use(area: Area, context: SymbolContext) -> Kind:
    """Return the use of a field; an enclosure is crops or plough by chance."""
    if area.kind is not Kind.ENCLOSURE:
        return area.kind
    return Kind.PLOUGH if context.stream(f"draw/{area.id}/use").draw_unit() < 0.5 else Kind.CROPS


def _furrows(field: FieldPlot, identity: str, context: SymbolContext) -> LayeredItems:
    """Draw furrows, and along each the lit side of its ridge."""
    found = rows(field, 2.5, context, context.stream(f"draw/{identity}/rows"), bend=_STRIPS[Kind.PLOUGH][0])
    lit = [beside(row, context.size(0.75)) for row in found]
    least = context.size(max(_LEAST_ROW, field.shortest))
    yield from on(LayerName.FIELD, stroke_shape(kept(lit, field.inner, least), context, "furrow-light", 0.50))
    yield from on(LayerName.FIELD, stroke_shape(kept(found, field.inner, least), context, "furrow", 0.42))


def _stalks(field: FieldPlot, identity: str, context: SymbolContext) -> LayeredItems:
    """Draw crops as rows of short strokes."""
    stream = context.stream(f"draw/{identity}/rows")
    on_off = (context.size(1.3), context.size(2.5)), (context.size(0.9), context.size(1.7))
    found = kept(
        rows(field, 2.1, context, stream, bend=_STRIPS[Kind.CROPS][0]),
        field.inner,
        context.size(max(1.3, field.shortest)),
    )
    strokes = [stroke for row in found for stroke in Measured.of(row).broken(*on_off, stream)]
    yield from on(LayerName.FIELD, stroke_shape(strokes, context, "crops-dash", 0.34))


def _meadow(field: FieldPlot, identity: str, context: SymbolContext) -> LayeredItems:
    stream = context.stream(f"draw/{identity}/tufts")
    places = poisson_points(field.inner.buffer(-context.size(1.5)), context.size(6.6), stream)
    blades = Tufts.at(places.tolist(), context.size(1.9), 3, stream).blades
    yield from on(LayerName.FIELD, stroke_shape(blades, context, "pasture-tuft", 0.30))


def _trees(field: FieldPlot, identity: str, context: SymbolContext, *, family: str) -> LayeredItems:
    """Draw trees in rows. Olive trees have grey crowns with a dot for the trunk."""
    stream = context.stream(f"draw/{identity}/trees")
    radius = context.size(_TREE)
    places = lattice(field, field.inner.buffer(context.size(_FROM_BORDER) - radius), _TREES_APART, context, stream)
    stand = grown(places, [radius * stream.between(0.9, 1.1) for _ in places], family, stream)
    yield from standing(stand, context, LayerName.FIELD)
    if family == "olive-crown":
        trunks = [(tree.x - 0.1 * tree.radius, tree.y + 0.1 * tree.radius) for tree in stand]
        sizes = [0.30 * tree.radius for tree in stand]
        yield from on(LayerName.FIELD, dots(trunks, sizes or 0.0, context.tint("olive-crown-line", 0.55)))


def _vines(field: FieldPlot, identity: str, context: SymbolContext) -> LayeredItems:
    """Draw vines that wind along wires from stake to stake."""
    stream = context.stream(f"draw/{identity}/rows")
    found = kept(
        rows(field, 3.9, context, stream, noise=0.25), field.inner.buffer(-context.size(0.6)), context.size(4.0)
    )
    vines = [waved(row, context.size(0.55), context.size(3.3), stream.between(0, 6.28)) for row in found]
    stakes: list[tuple[float, float]] = []
    for row in found:
        way = Measured.of(row)
        count = max(1, round(way.length / context.size(5.2)))
        stakes += [(float(x), float(y)) for x, y in way.at([way.length * step / count for step in range(count + 1)])]
    yield from on(LayerName.FIELD, stroke_shape(found, context, "timber", 0.18))
    yield from on(LayerName.FIELD, stroke_shape(vines, context, "vine-row", 0.36))
    yield from on(LayerName.FIELD, dots(stakes, context.size(0.42), context.style.ink("timber")))


# Bend of the rows in strips, and the ink that darkens every second strip.
_STRIPS: Final = {Kind.PLOUGH: (0.05, "furrow"), Kind.CROPS: (0.03, "crops-dash")}

_USES: Final[Mapping[Kind, tuple[str, Pattern]]] = {
    Kind.PLOUGH: ("plough", _furrows),
    Kind.CROPS: ("crops", _stalks),
    Kind.PASTURE: ("pasture", _meadow),
    Kind.ORCHARD: ("orchard", partial(_trees, family="light-crown")),
    Kind.OLIVES: ("olives-ground", partial(_trees, family="olive-crown")),
    Kind.VINEYARD: ("vineyard", _vines),
}
