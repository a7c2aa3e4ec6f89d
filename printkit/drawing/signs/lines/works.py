"""Man-made lines: stone walls, fences and hedges, free-standing or as borders that neighbours share.

Source: the cartography, 10.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, Point, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, dots, fill, lines
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.signs.lines.course_lines import (
    WATERS,
    Measured,
    areas,
    covered,
    drawn_width,
    extend_past_edge,
    on,
    shadow,
    stroke_shape,
    way_size,
)
from printkit.drawing.signs.lines.gates import WorkGate, draw_gates, farm_gates, field_gate, opened_for, way_gates
from printkit.drawing.signs.lines.wandering import wandered
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import ROUTES, Course, Kind
from printkit.terrain.geometry.measure import interpolate_points

# --- Borders that neighbours share: the part that is left to draw next to existing borders ----------------------------

SHARED: Final = 3.0  # Two borders nearer than this count as one, in mm at 1:1

# Two borders must run together for this length in mm at 1:1; less is a crossing or a corner.
SHARED_FROM: Final = 10.0

_UNMOVED: Final = 5.0
_HAIR: Final = 0.05
_JOINED: Final = 0.6
_STUB: Final = 4.0
_STEP: Final = 0.5


def runs_beside(line: BaseGeometry, border: BaseGeometry, context: SymbolContext) -> bool:
    """Return whether a border runs near a line for long enough to count as the same line."""
    near = context.size(SHARED)
    if not line.dwithin(border, near):
        return False
    together = lines(_merged(shapely.intersection(border, line.buffer(near))))
    return max((part.length for part in together), default=0.0) > context.size(SHARED_FROM)


def fitted(ground: BaseGeometry, line: BaseGeometry, context: SymbolContext) -> BaseGeometry:
    """Return the ground with its border moved onto a line where both run close together, tapering off further away."""
    near, far = context.size(SHARED), context.size(_UNMOVED)

    def moved(points: Line) -> Line:
        reached = shapely.get_coordinates(shapely.shortest_line(shapely.points(points), line))[1::2]
        gap = np.hypot(*(reached - points).T)
        share = np.clip((far - gap) / (far - near), 0.0, 1.0)
        return np.asarray(points + share[:, None] * (reached - points))

    drawn = shapely.make_valid(shapely.transform(shapely.segmentize(ground, context.size(_STEP)), moved))
    hair = context.size(_HAIR)
    whole: BaseGeometry = drawn.buffer(-hair, join_style="mitre").buffer(hair, join_style="mitre")
    return whole


def left_over(border: BaseGeometry, standing: Sequence[BaseGeometry], context: SymbolContext) -> BaseGeometry:
    """Return the parts of a border that no existing border replaces, with their ends extended to it.

    Args:
        border: rings. Where two lines only cross or meet at a corner, both are kept.
        standing: borders of other features; the ground has been fitted to them.
    """
    if not standing:
        return border
    reached = shapely.union_all(standing)
    found: list[LineString] = []
    for ring in lines(border):
        count = max(8, round(ring.length / context.size(_STEP)))
        points = interpolate_points(ring, np.arange(count) / count * ring.length)
        near = shapely.dwithin(shapely.points(points), reached, context.size(_JOINED))
        step = ring.length / count
        near = _without_short(near, True, context.size(SHARED_FROM) / step)
        near = _without_short(near, False, context.size(_STUB) / step)
        if not near.any():
            found.append(ring)
        elif not near.all():
            found += [_run_on(points[stretch], reached, context) for stretch in _stretches(~near)]
    return MultiLineString(found)


def _merged(shape: BaseGeometry) -> BaseGeometry:
    return shapely.line_merge(shape) if shape.geom_type == "MultiLineString" else shape


def _without_short(flags: NDArray[np.bool_], value: bool, least: float) -> NDArray[np.bool_]:
    """Return flags around a ring, with runs of ``value`` shorter than ``least`` points flipped."""
    found = flags.copy()
    for stretch in _stretches(flags == value):
        if len(stretch) < min(least, len(flags)):
            found[stretch] = not value
    return found


def _stretches(flags: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Return the indices of each run of true flags around a ring."""
    if flags.all():
        return [np.arange(len(flags))]
    first = int(np.argmin(flags))
    turned = np.roll(flags, -first)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], turned, [False]]).astype(int)))
    return [(np.arange(start, stop) + first) % len(flags) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def _run_on(points: Line, standing: BaseGeometry, context: SymbolContext) -> LineString:
    """Return a line with its ends extended to the border near them."""
    ends = []
    for end in (points[0], points[-1]):
        reached = shapely.get_coordinates(shapely.shortest_line(Point(end), standing))[-1:]
        close = float(np.hypot(*(reached[0] - end))) < context.size(SHARED)
        ends.append(reached if close else np.zeros((0, 2)))
    return LineString(np.vstack([ends[0], points, ends[1]]))


_STONE: Final = (2.0, 3.4)
_JOINT: Final = 0.25
_POST: Final = 1.9
_POST_STEP: Final = 4.6
_ZIGZAG: Final = 0.8
_ZIGZAG_STEP: Final = 2.6
_TIE: Final = 1.8
_BUSH: Final = 1.25
_BUSH_STEP: Final = 1.8
_FROM_WAY: Final = 0.8
# For lighter and for darker leaves: the share of bushes that have them, their offset and their size, in radii.
_LEAVES: Final = ((0.6, 0.4), ((-0.20, 0.24), (0.22, -0.16)), (0.55, 0.50))

# Total width of a work in mm at 1:1, where the course has no width.
WIDTHS: Final[Mapping[Kind, float]] = {
    Kind.WALL: 1.7,
    Kind.FENCE: _POST,
    Kind.WORM_FENCE: 2 * _ZIGZAG + _TIE,
    Kind.HEDGE: 2 * _BUSH,
}

# Areas that a wall may enclose, or that draw a border.
_PARCELS: Final = (
    Kind.PLOUGH,
    Kind.CROPS,
    Kind.PASTURE,
    Kind.ORCHARD,
    Kind.OLIVES,
    Kind.VINEYARD,
    Kind.ENCLOSURE,
    Kind.FARM,
)

Along: TypeAlias = Callable[[BaseGeometry, SymbolContext, Stream, float, LayerName], LayeredItems]


def work(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a wall, fence, worm fence or hedge. It stops at water, and has gates at roads or in front of a farm."""
    width = course.width or own_width(course.kind, context)
    line, openings = extend_past_edge(replace(course, width=width), field), _openings(course, context, field)
    if course.kind is Kind.WALL:
        wet = covered(field, WATERS, context)
        beside = shapely.union_all([covered(field, ROUTES, context), *areas(field, *_PARCELS)])
        line = wandered(line, context, crossed=openings.union(wet), beside=beside)
    free = shapely.difference(shapely.difference(line, openings), covered(field, WATERS, context))
    gates: list[WorkGate] = []
    if course.kind is not Kind.HEDGE:
        chance = context.stream(f"draw/{course.id}/gate")
        shut = farm_gates(free, field, context)
        if course.kind is Kind.WALL and not shut:
            shut = field_gate(free, field, context, chance)
        gates = [*shut, *way_gates(line, openings, context)]
        free = opened_for(free, shut)
    yield from along(course.kind, free, context, context.stream(f"draw/{course.id}/{course.kind}"), width=width)
    yield from draw_gates(gates, course.kind, width if course.kind is Kind.WALL else 0.0, context)


def along(
    kind: Kind,
    line: BaseGeometry,
    context: SymbolContext,
    stream: Stream,
    *,
    width: float | None = None,
    layer: LayerName = LayerName.WORKS,
) -> LayeredItems:
    """Draw a wall, fence, worm fence or hedge along any lines.

    Args:
        kind: a key of ``WIDTHS``.
        line: lines or rings in printed mm; a polygon's border is its ``exterior``.
        stream: random stream for the irregular parts.
        width: total width in printed mm; None for the default width of the kind.
        layer: the layer of all items; the shadow is drawn first.
    """
    yield from _WORKS[kind](line, context, stream, width or own_width(kind, context), layer)


def own_width(kind: Kind, context: SymbolContext) -> float:
    """Return the printed width of a work without a width in the rules. Walls shrink with the map like roads."""
    return way_size(WIDTHS[kind], context) if kind is Kind.WALL else context.size(WIDTHS[kind])


def wall_along(
    line: BaseGeometry, context: SymbolContext, stream: Stream, width: float, layer: LayerName = LayerName.WORKS
) -> LayeredItems:
    """Draw a wall of single stones, ``width`` printed mm thick."""
    joint = context.size(_JOINT)
    pieces = [piece for way in _measured(line, context) for piece in _stones(way, joint, context, stream)]
    bodies = shapely.buffer(np.array([shapely.linestrings(piece) for piece in pieces]), width / 2, cap_style="flat")
    stones = shapely.buffer(shapely.buffer(bodies, -joint), joint, quad_segs=2)
    whole = shapely.union_all(stones)
    yield from on(layer, shadow(whole, context, (0.7, 0.8), 0.30))
    yield from on(layer, fill(whole, context.style.ink("stone")))
    yield from on(layer, stroke_shape(list(stones), context, "stone-line", 0.28, least=LEAST_MEANING))


def fence_along(
    line: BaseGeometry, context: SymbolContext, stream: Stream, width: float, layer: LayerName = LayerName.WORKS
) -> LayeredItems:
    """Draw a fence of posts and rails. Its posts are ``width`` printed mm long."""
    posts: list[Line] = []
    ways = list(_measured(line, context))
    for way in ways:
        spots = _steps(way, max(1, round(way.length / context.size(_POST_STEP))), 0.06, stream)
        for at, aside in zip(way.at(spots), across(way, spots), strict=True):
            # The posts of an old fence are not quite square to the rail.
            half = (aside + np.array([-aside[1], aside[0]]) * stream.between(-0.10, 0.10)) * width / 2
            posts.append(np.array([at - half, at + half]))
    yield from on(layer, stroke_shape([way.points for way in ways], context, "timber", 0.34, least=LEAST_MEANING))
    yield from on(layer, stroke_shape(posts, context, "timber", 0.46, least=LEAST_MEANING))


def worm_fence_along(
    line: BaseGeometry, context: SymbolContext, stream: Stream, width: float, layer: LayerName = LayerName.WORKS
) -> LayeredItems:
    """Draw a worm fence: zigzag rails tied by stakes at the corners, ``width`` printed mm in all."""
    zigzag, tie = (width * mm / WIDTHS[Kind.WORM_FENCE] for mm in (_ZIGZAG, _TIE))
    rails: list[Line] = []
    ties: list[Line] = []
    for way in _measured(line, context):
        # An even number of rails, or a ring would not close.
        spots = _steps(way, 2 * max(1, round(way.length / context.size(2 * _ZIGZAG_STEP))), 0.05, stream)
        aside = across(way, spots)
        sides = np.where(np.arange(len(spots)) % 2 == 0, 1.0, -1.0)[:, None] * zigzag
        corners = way.at(spots) + aside * sides
        ties += list(np.stack([corners - aside * tie / 2, corners + aside * tie / 2], axis=1))
        rails.append(np.vstack([corners, corners[:1]]) if _closed(way) else corners)
    yield from on(layer, stroke_shape(rails, context, "timber", 0.36, least=LEAST_MEANING, join=Join.MITRE))
    yield from on(layer, stroke_shape(ties, context, "timber", 0.30))


# Half width in printed mm from which a hedge shows single bushes. Thinner hedges are plain bands.
_ROUND_FROM: Final = 0.6


def hedge_along(
    line: BaseGeometry, context: SymbolContext, stream: Stream, width: float, layer: LayerName = LayerName.WORKS
) -> LayeredItems:
    """Draw a hedge of bushes, about ``width`` printed mm thick, lit from the north-west."""
    half = width / 2
    round_bushes = half > _ROUND_FROM
    places: list[Line] = []
    sizes: list[float] = []
    stems: list[BaseGeometry] = []
    for way in _measured(line, context):
        stems.append(shapely.linestrings(way.points).buffer(half * (0.5 if round_bushes else 1.0), quad_segs=4))
        spots = _steps(way, max(1, round(way.length / (half * _BUSH_STEP / _BUSH))), 0.15, stream)
        strays = (2 * stream.draw_array(2 * len(spots)).reshape(-1, 2) - 1) * 0.18 * half
        places.append(way.at(spots) + strays)
        sizes += [half * stream.between(0.8, 1.2) for _ in spots]
    if not places:
        return
    spread, radii = np.vstack(places), np.array(sizes)
    # The stems close the gaps between small bushes: troops cannot walk through a hedge.
    crowns = shapely.buffer(shapely.points(spread), radii, quad_segs=4) if round_bushes else ()
    bushes = shapely.union_all([*stems, *crowns])
    yield from on(layer, shadow(bushes, context, (0.55, 0.60), 0.25))
    base, *leaves = context.style.family("hedge")
    yield from on(layer, fill(bushes, base))
    for ink, share, aside, size in zip(leaves, *_LEAVES, strict=False):
        chosen = stream.draw_array(len(spread)) < share
        moved = spread[chosen] + radii[chosen, None] * np.array(aside)
        yield from on(layer, dots(moved, size * radii[chosen] if chosen.any() else 0.0, ink))
    if context.style.shadows:
        lit = affinity.translate(bushes, -context.size(0.45), context.size(0.50))
        yield from on(layer, fill(shapely.difference(bushes, lit), context.tint("hedge-line", 0.45)))
    yield from on(layer, stroke_shape(bushes, context, "hedge-line", 0.24, least=LEAST_MEANING))


_WORKS: Final[Mapping[Kind, Along]] = {
    Kind.WALL: wall_along,
    Kind.FENCE: fence_along,
    Kind.WORM_FENCE: worm_fence_along,
    Kind.HEDGE: hedge_along,
}


def _openings(course: Course, context: SymbolContext, field: Battlefield) -> BaseGeometry:
    """Return the ground of roads where they cross a work. A road that only runs parallel makes no opening."""
    thick = course.width or own_width(course.kind, context)
    gaps: list[BaseGeometry] = []
    for way in field.select_features(*ROUTES):
        if isinstance(way, Course) and way.line.intersects(course.line):
            width = drawn_width(way, context)
            near = shapely.intersection(way.line, course.line).buffer(2 * width)
            gaps.append(shapely.intersection(way.line.buffer((width + thick) / 2 + context.size(_FROM_WAY)), near))
    return shapely.union_all(gaps)


def _measured(line: BaseGeometry, context: SymbolContext) -> Iterator[Measured]:
    """Yield the pieces of some lines that are long enough to draw."""
    for part in lines(line):
        if part.length > context.size(1.0):
            yield Measured.of(part)


def _closed(way: Measured) -> bool:
    return bool(np.hypot(*(way.points[0] - way.points[-1])) < 1e-6)


def _stones(way: Measured, joint: float, context: SymbolContext, stream: Stream) -> list[Line]:
    """Return the centre lines of the stones that fill a line, with a joint between neighbours."""
    ends = [0.0]
    while ends[-1] < way.length:
        ends.append(ends[-1] + context.size(stream.between(*_STONE)))
    fitted = np.array(ends) * (way.length / ends[-1])
    return [way.cut(first + joint / 2, last - joint / 2) for first, last in pairwise(fitted)]


def _steps(way: Measured, count: int, waver: float, stream: Stream) -> NDArray[np.float64]:
    """Return ``count`` roughly even steps along a line, as distances from its start.

    Each step varies by up to ``waver`` of a step. Both ends are included, or only the start of a ring.
    """
    inner = np.arange(1, count) + waver * (2 * stream.draw_array(count - 1) - 1)
    last = [] if _closed(way) else [float(count)]
    return np.array([0.0, *inner.tolist(), *last]) * (way.length / count)


def across(way: Measured, spots: NDArray[np.float64], reach: float = 0.3) -> Line:
    """Return the unit normals to the left at distances from the start, measured over ``reach`` mm on either side."""
    if _closed(way):
        along = way.at((spots + reach) % way.length) - way.at((spots - reach) % way.length)
    else:
        along = way.at(np.minimum(spots + reach, way.length)) - way.at(np.maximum(spots - reach, 0.0))
    along = along / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    return np.column_stack([-along[:, 1], along[:, 0]])
