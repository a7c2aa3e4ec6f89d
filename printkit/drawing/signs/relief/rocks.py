"""Rock: boulders, stone heaps, scree that grows coarser downhill, and cliffs.

Source: the cartography, 10.8.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.drawing.canvas.area_fill import draw_hatching
from printkit.drawing.canvas.items import Join, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.scatter import edge_row, poisson_points, thin_out
from printkit.drawing.signs.lines.channels import ashore, kept_clear
from printkit.drawing.signs.lines.course_lines import (
    Measured,
    extend_past_edge,
    floor,
    on,
    shadow,
    sized,
    stippled,
    stroke_shape,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Hill

# --- Cliffs: a sharp crest above a wall of buttresses, each with a face in the light and a face in shade --------------

DEPTH: Final = 6.5  # Depth of a cliff on a hill, in mm at 1:1

_STEP: Final = 0.5
_MEAN: Final = 0.76
_WAVER: Final = 0.24
_WAVE: Final = 16.0
_END: Final = 7.0
_END_DEPTH: Final = 0.30
_BUTTRESS: Final = (2.0, 4.5)
_RIDGE: Final = (0.38, 0.62)
_FOOT: Final = (0.86, 1.0)
_BETWEEN: Final = 0.55  # Share of the depth where the wall is closed between its buttresses

_SHADE_STROKES: Final = (0.2, 0.4, 0.6, 0.8)
_TO_LIGHT: Final = np.array([-0.7071, 0.7071])


class _Buttress(NamedTuple):
    """A buttress of a cliff: two triangles, one in the light and one in shade.

    Attributes:
        first: its start on the crest.
        last: its end on the crest.
        head: the upper end of its ridge, on the crest.
        foot: the lower end of its ridge.
        shaded: ``first`` or ``last``, the corner of the half in shade.
    """

    first: Line
    last: Line
    head: Line
    foot: Line
    shaded: Line

    @property
    def lit(self) -> Line:
        """Return the corner of the half in the light."""
        return self.first if self.shaded is self.last else self.last


def cliff(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a free-standing cliff. The course is its crest; the drop is on the right of its direction."""
    course = sized(course, context)
    line, stream = extend_past_edge(course, field), context.stream(f"draw/{course.id}/cliff")
    yield from cliff_along(line, context, stream, depth=course.width, layer=LayerName.WORKS)


def cliff_along(
    line: BaseGeometry,
    context: SymbolContext,
    stream: Stream,
    *,
    depth: float | None = None,
    layer: LayerName = LayerName.CONTOUR,
) -> LayeredItems:
    """Draw a cliff along any lines. Each line is a crest with the drop on its right.

    Args:
        line: lines in printed mm.
        context: gives the style and sizes.
        stream: random stream for the widths and feet of the buttresses.
        depth: printed mm from the crest to the foot; None for the depth on a hill, ``DEPTH``.
        layer: the layer of all items; the shadow is drawn first.
    """
    deep = context.size(DEPTH) if depth is None else depth
    for part in lines(line):
        if part.length > context.size(_BUTTRESS[1]):
            yield from _wall(resampled(part, context.size(_STEP)), deep, context, stream, layer)


def _wall(crest: Line, depth: float, context: SymbolContext, stream: Stream, layer: LayerName) -> LayeredItems:
    foot = _foot(crest, depth, context)
    found = _buttresses(crest, foot, context, stream)
    between = crest + (foot - crest) * _BETWEEN
    pieces = np.stack([crest[:-1], crest[1:], between[1:], between[:-1], crest[:-1]], axis=1)
    fronts = [Polygon([each.first, each.last, each.foot]) for each in found]
    body = shapely.union_all([*shapely.convex_hull(shapely.polygons(pieces)), *fronts])
    yield from on(layer, shadow(body, context, (1.2, 1.2), 0.22, off=body))
    yield from on(layer, fill(body, context.style.ink("cliff")))
    lit = [Polygon([each.head, each.lit, each.foot]) for each in found]
    yield from on(layer, fill(lit, context.style.ink("cliff-lit")))
    shaded = [Polygon([each.head, each.shaded, each.foot]) for each in found]
    yield from on(layer, fill(shaded, context.style.ink("cliff-shaded")))
    edges = [np.array([each.first, each.foot, each.last]) for each in found]
    ridges = [np.array([each.head, each.foot]) for each in found]
    yield from on(layer, stroke_shape([*edges, *ridges], context, "rock-line", 0.26, join=Join.MITRE))
    if context.style.hatched:
        yield from on(layer, wedges(_shade_strokes(found, context), context.style.ink("rock-line")))
    yield from on(layer, stroke_shape(crest, context, "rock-line", 1.05, least=LEAST_MEANING))


def _foot(crest: Line, depth: float, context: SymbolContext) -> Line:
    """Return the foot below every point of the crest: uneven, and shallower towards both ends."""
    way = Measured.of(crest)
    waver = np.clip(context.noise.at(crest[:, 0], crest[:, 1], _WAVE * context.scale), -1.0, 1.0)
    to_end = np.minimum(way.gone, way.length - way.gone) / context.size(_END)
    ends = _END_DEPTH + (1 - _END_DEPTH) * elementary.sin(np.pi / 2 * np.minimum(1.0, to_end))
    return np.asarray(crest - normals(crest) * (depth * (_MEAN + _WAVER * waver) * ends)[:, None])


def _buttresses(crest: Line, foot: Line, context: SymbolContext, stream: Stream) -> list[_Buttress]:
    """Return buttresses side by side along the crest. The half that faces away from the light is in shade."""
    way, below = Measured.of(crest), Measured.of(foot)
    widths = [0.0]
    while widths[-1] < way.length:
        widths.append(widths[-1] + context.size(stream.between(*_BUTTRESS)))
    ends = np.array(widths) * (way.length / widths[-1])
    found: list[_Buttress] = []
    for begins, stops in pairwise(ends):
        middle = begins + (stops - begins) * stream.between(*_RIDGE)
        first, last, head = way.at([begins, stops, middle])
        place = float(np.interp(middle, way.gone, np.arange(len(crest))))
        tip = np.array([np.interp(place, np.arange(len(foot)), below.points[:, axis]) for axis in (0, 1)])
        tip = head + (tip - head) * stream.between(*_FOOT)
        shaded = last if float(elementary.product(last - first, _TO_LIGHT)) < 0 else first
        found.append(_Buttress(first, last, head, tip, shaded))
    return found


def _shade_strokes(found: list[_Buttress], context: SymbolContext) -> list[tuple[Line, float, float]]:
    """Return strokes that shade the dark halves in styles without tones. They converge towards the foot."""
    thick, thin = context.width(0.28), context.width(0.12)
    strokes = []
    for each, share in product(found, _SHADE_STROKES):
        head = each.head + (each.shaded - each.head) * share
        foot = each.foot + (each.shaded - each.foot) * 0.15 * share
        strokes.append((np.array([head, foot]), thick, thin))
    return strokes


# Large, medium and small stones: spacing, and least and greatest radius, in mm at 1:1
_ROCKS: Final = ((15.0, (4.5, 6.2)), (6.2, (2.8, 4.6)), (4.8, (1.7, 2.8)))

_GRIT_SPACING: Final = 2.8

# Spacing of scree: mm at the top, extra mm at the foot, and the exponent of the growth downhill
_SCREE_SPACING: Final = (1.1, 1.9, 1.3)
_SCREE_SIZE: Final = (0.28, 1.15, 1.4)  # Radius of scree stones, in the same form

_PEBBLE: Final = 0.55  # A scree stone with a smaller radius than this, in mm at 1:1, is drawn as a dot.

_SOUTH: Final = 270.0


class Stone(Struct, frozen=True):
    """A boulder seen from above: its corners (the hull is computed later) and its radius."""

    corners: tuple[tuple[float, float], ...]
    radius: float

    @classmethod
    def of(cls, at: tuple[float, float], radius: float, stream: Stream) -> Stone:
        """Return a stone with six to eight corners and a radius in printed mm."""
        count = 6 + stream.draw_index(3)
        turns = [(number + stream.between(-0.36, 0.36)) * (2 * math.pi / count) for number in range(count)]
        reaches = [radius * stream.between(0.8, 1.1) for _ in turns]
        x, y = at
        around = zip(turns, reaches, strict=True)
        return cls(tuple([(x + far * math.cos(turn), y + 0.8 * far * math.sin(turn)) for turn, far in around]), radius)


def hulls_of(chosen: Sequence[Stone]) -> NDArray[np.object_]:
    """Return the ground of every stone, computed in one call for speed."""
    corners = np.array([corner for stone in chosen for corner in stone.corners]).reshape(-1, 2)
    of = np.repeat(np.arange(len(chosen)), [len(stone.corners) for stone in chosen])
    return np.asarray(shapely.convex_hull(shapely.multipoints(corners, indices=of)))


def stones(chosen: list[Stone], context: SymbolContext, layer: LayerName) -> LayeredItems:
    """Draw stones: shadow, faces and edges, one path each. A southern stone covers a northern one."""
    if not chosen:
        return
    hulls, radii = hulls_of(chosen), np.array([stone.radius for stone in chosen])
    nearer, tops = _nearer(hulls), _tops(hulls, radii)
    seen = _pieces(shapely.difference(hulls, nearer))
    dark = _pieces(shapely.difference(_dark(hulls, radii), nearer))
    if context.style.shadows:
        cast = _moved(hulls, np.outer(radii, (0.45, -0.50)))
        yield from on(layer, fill(shapely.union_all(cast), context.tint("shadow", 0.28)))
    yield from on(layer, fill(seen, context.style.ink("rock")))
    if context.style.hatched:
        yield from on(
            layer, draw_hatching(dark, context.style.ink("rock-line"), context.size(0.8), context.width(0.18))
        )
    else:
        yield from on(layer, fill(dark, context.tint("rock-shade", 0.75)))
        lit = _pieces(shapely.difference(tops, nearer))
        yield from on(layer, fill(lit, context.tint("stone-lit", 0.65)))
    edges = [_edges(top, hull) for top, hull in zip(tops, hulls, strict=True)]
    drawn = lines(shapely.difference(np.array(edges), nearer))
    yield from on(layer, stroke_shape(drawn, context, "rock-line", 0.15, alpha=0.7))
    yield from on(layer, stroke_shape(seen, context, "rock-line", 0.32, join=Join.MITRE))


def _pieces(shapes: NDArray[np.object_]) -> list[Polygon]:
    return polygons(shapely.geometrycollections(shapes))


def _tops(hulls: NDArray[np.object_], radii: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return the flat top of every stone, shifted towards the light as far as its hull allows."""
    corners = shapely.bounds(hulls)
    flat = _scaled(hulls, (corners[:, 2:] + corners[:, :2]) / 2.0, np.array([0.60, 0.55]))
    tops = _scaled(hulls, shapely.get_coordinates(shapely.centroid(hulls)), np.array([0.5, 0.5]))
    lacking = np.ones(len(hulls), dtype=bool)
    for far in (1.0, 0.7, 0.4, 0.1):
        tried = _moved(flat, np.outer(radii, (-0.16, 0.22)) * far)
        fits = lacking & shapely.contains(hulls, tried)
        tops[fits] = tried[fits]
        lacking &= ~fits
    return tops


def _dark(hulls: NDArray[np.object_], radii: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return the side of every stone that is away from the light."""
    return np.asarray(shapely.difference(hulls, _moved(hulls, np.outer(radii, (-0.32, 0.36)))))


def _edges(top: Polygon, hull: Polygon) -> shapely.MultiLineString:
    """Return the outline of a stone's top, and edges down from every second corner of it."""
    upper, lower = shapely.get_coordinates(top), shapely.get_coordinates(hull)
    down = shapely.linestrings(np.stack([upper[:-1:2], lower[:-1:2]], axis=1))
    found: shapely.MultiLineString = shapely.multilinestrings([shapely.linestrings(upper), *down])
    return found


def _moved(shapes: NDArray[np.object_], by: Line) -> NDArray[np.object_]:
    """Return shapes, each moved by a separate offset in mm."""
    points, of = shapely.get_coordinates(shapes, return_index=True)
    return np.asarray(shapely.set_coordinates(shapes.copy(), points + by[of]))


def _scaled(shapes: NDArray[np.object_], about: Line, by: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return shapes scaled in x and y, each about a separate point."""
    points, of = shapely.get_coordinates(shapes, return_index=True)
    return np.asarray(shapely.set_coordinates(shapes.copy(), by * points + (about - about * by)[of]))


def _nearer(hulls: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return the area of the stones that cover each stone."""
    middles = shapely.get_coordinates(shapely.centroid(hulls))
    order = np.lexsort((middles[:, 0], -middles[:, 1]))
    rank = np.empty(len(order), dtype=int)
    rank[order] = np.arange(len(order))
    found = np.array([Polygon()] * len(hulls), dtype=object)
    one, other = shapely.STRtree(hulls).query(hulls, predicate="intersects")
    for place in sorted(set(one[rank[other] > rank[one]].tolist())):
        found[place] = shapely.union_all(hulls[other[(one == place) & (rank[other] > rank[place])]])
    return found


def rocks(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw rocks: heaped boulders of three sizes without an edge line."""
    ground, avoid = ashore(area, context, field), kept_clear(context, field)
    yield from floor(ground, context, ("rocks-ground", "stones-wash-edge"))
    yield from grit(area, ground.buffer(-context.size(1.0)), avoid, context, _GRIT_SPACING)
    stream = context.stream(f"draw/{area.id}/stones")
    room = shapely.difference(ground, avoid)
    chosen: list[Stone] = []
    places = np.zeros((0, 2))
    for spacing, (least, most) in _ROCKS:
        # Every corner of a stone is within 1.1 of its radius.
        fresh = poisson_points(room.buffer(-1.12 * context.size(least)), context.size(spacing), stream, existing=places)
        space = shapely.distance(shapely.points(fresh), room.boundary) / 1.12
        for (x, y), radius in zip(fresh.tolist(), space.tolist(), strict=True):
            chosen.append(Stone.of((x, y), min(context.size(stream.between(least, most)), radius), stream))
        places = np.vstack([places, fresh])
    yield from stones(chosen, context, LayerName.GROUND_PATTERN)


def grit(area: Area, room: BaseGeometry, avoid: BaseGeometry, context: SymbolContext, spacing: float) -> LayeredItems:
    """Draw the smallest stones of an area as dots, ``spacing`` mm apart."""
    stream = context.stream(f"draw/{area.id}/grit")
    grains = stippled(room, avoid, context, stream, (spacing, 0.15, 0.15), context.tint("rock-line", 0.75))
    yield from on(LayerName.GROUND_PATTERN, grains)


def scree(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw scree below the nearest hill, or falling to the south if there is no hill."""
    ground = ashore(area, context, field)
    yield from floor(ground, context, ("scree-ground", "stones-wash-edge"))
    room = shapely.difference(ground, kept_clear(context, field))
    yield from scree_within(room, downhill(ground, field), context, context.stream(f"draw/{area.id}/stones"))


def scree_within(
    area: BaseGeometry,
    down_bearing: float,
    context: SymbolContext,
    stream: Stream,
    *,
    fallen: Callable[[Line], NDArray[np.float64]] | None = None,
) -> LayeredItems:
    """Draw the stones of scree: dots at the top and small boulders at the foot. No wash, no edge line.

    Args:
        area: no stone is outside it.
        down_bearing: bearing downhill, in degrees anticlockwise from +x.
        context: gives the style and sizes.
        stream: random stream for positions and shapes.
        fallen: how far down points are, from 0 at the top to 1 at the foot; None to compute it from ``down_bearing``.
    """
    if area.is_empty:
        return
    way = np.array([math.cos(math.radians(down_bearing)), math.sin(math.radians(down_bearing))])
    reach = elementary.product(shapely.get_coordinates(area), way)
    top, whole = float(reach.min()), max(float(np.ptp(reach)), 1e-6)

    def grown(places: Line, sort: tuple[float, float, float]) -> NDArray[np.float64]:
        first, more, power = sort
        share = np.clip((elementary.product(places, way) - top) / whole, 0.0, 1.0) if fallen is None else fallen(places)
        return np.asarray((first + more * elementary.power(share, power)) * context.size(1.0))

    row = edge_row(area, context.size(0.6), context.size(_SCREE_SPACING[0]), stream)
    tries = np.vstack([row, poisson_points(area.buffer(-context.size(0.6)), context.size(_SCREE_SPACING[0]), stream)])
    places = thin_out(tries, grown(tries, _SCREE_SPACING))
    radii = grown(places, _SCREE_SIZE) * (0.8 + 0.4 * stream.draw_array(len(places)))
    radii = np.minimum(radii, shapely.distance(shapely.points(places), area.boundary))
    fine = radii < context.size(_PEBBLE)
    yield from on(LayerName.GROUND_PATTERN, dots(places[fine], radii[fine], context.tint("rock-line", 0.9)))
    coarse = [_chip(at, radius, stream) for at, radius in zip(places[~fine], radii[~fine].tolist(), strict=True)]
    if not coarse:
        return
    if context.style.shadows:
        cast = shapely.union_all([affinity.translate(chip, context.size(0.35), -context.size(0.40)) for chip in coarse])
        yield from on(LayerName.GROUND_PATTERN, fill(cast, context.tint("shadow", 0.30)))
    yield from on(LayerName.GROUND_PATTERN, fill(coarse, context.style.ink("rock")))
    how = {"join": Join.MITRE, "least": LEAST_MEANING}
    yield from on(LayerName.GROUND_PATTERN, stroke_shape(coarse, context, "rock-line", 0.26, **how))


def downhill(ground: BaseGeometry, field: Battlefield) -> float:
    """Return the bearing away from the nearest hill, in degrees anticlockwise from +x; south without a hill."""
    hills = [feature.outline for feature in field.features if isinstance(feature, Hill)]
    if not hills or ground.is_empty:
        return _SOUTH
    nearest = min(hills, key=lambda outline: (outline.distance(ground), outline.centroid.distance(ground.centroid)))
    across, along = ground.centroid.x - nearest.centroid.x, ground.centroid.y - nearest.centroid.y
    return math.degrees(math.atan2(along, across)) % 360 if math.hypot(across, along) > 1e-9 else _SOUTH


def _chip(at: Line, radius: float, stream: Stream) -> Polygon:
    """Return a stone with three to five corners."""
    corners = 3 + stream.draw_index(3)
    turn = stream.between(0, 2 * np.pi) + np.arange(corners) * (2 * np.pi / corners)
    return Polygon(
        np.column_stack([at[0] + radius * elementary.cos(turn), at[1] + 0.85 * radius * elementary.sin(turn)])
    )
