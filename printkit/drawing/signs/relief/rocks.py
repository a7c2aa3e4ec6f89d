"""Rock: boulders, stone heaps, scree that grows coarser downhill, and cliffs.

Source: the cartography, 10.8.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import Item, Join, LayeredItems, LayerName, Path
from printkit.drawing.canvas.shapes import Line, dots, fill, lines, normals, polygons, resampled, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext, draw_hatching
from printkit.drawing.scatter.crowns import edge_row, poisson_points, thin_out
from printkit.drawing.signs.cover.low_plants import CoverGround, Motif
from printkit.drawing.signs.lines.course_lines import (
    MeasuredLine,
    extend_past_edge,
    on_layer,
    set_drawn_width,
    shadow,
    stroke_shape,
)
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Hill

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
    """A buttress of a cliff in printed mm: two triangles, one in the light and one in shade.

    Attributes:
        first: its start on the crest.
        last: its end on the crest.
        head: the upper end of its ridge, on the crest.
        foot: the lower end of its ridge.
        shade_corner: ``first`` or ``last``, the corner of the half in shade.
    """

    first: Line
    last: Line
    head: Line
    foot: Line
    shade_corner: Line

    @property
    def light_corner(self) -> Line:
        """Return the corner on the crest of the buttress's half in the light, in printed mm."""
        return self.first if self.shade_corner is self.last else self.last


def cliff(course: Course, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a free-standing cliff.

    The course is its crest; the drop is on the right of its direction. Shapes and items are in printed mm.
    """
    course = set_drawn_width(course, context)
    line, stream = extend_past_edge(course, field), context.stream(f"draw/{course.id}/cliff")
    yield from draw_cliff(line, context, stream, depth=course.width, layer=LayerName.WORKS)


def draw_cliff(
    line: BaseGeometry,
    context: SymbolContext,
    stream: Stream,
    *,
    depth: float | None = None,
    layer: LayerName = LayerName.CONTOUR,
) -> LayeredItems:
    """Yield (layer, item) pairs that draw a cliff along any lines.

    Each line is a crest with the drop on its right.

    Args:
        line: lines in printed mm.
        context: gives the style and sizes.
        stream: random stream for the widths and feet of the buttresses.
        depth: printed mm from the crest to the foot; None for the depth on a hill, ``DEPTH``.
        layer: the layer of all items; the shadow is drawn first.
    """
    depth_mm = context.size(DEPTH) if depth is None else depth
    for part in lines(line):
        if part.length > context.size(_BUTTRESS[1]):
            yield from _draw_wall(resampled(part, context.size(_STEP)), depth_mm, context, stream, layer)


def _draw_wall(crest: Line, depth: float, context: SymbolContext, stream: Stream, layer: LayerName) -> LayeredItems:
    """Yield (layer, item) pairs that draw a cliff below one crest, with the drop on the right of the crest.

    ``crest`` is an n x 2 array and ``depth`` the distance from crest to foot, in printed mm.
    """
    foot = _compute_foot(crest, depth, context)
    buttresses = _make_buttresses(crest, foot, context, stream)
    middle_line = crest + (foot - crest) * _BETWEEN
    pieces = np.stack([crest[:-1], crest[1:], middle_line[1:], middle_line[:-1], crest[:-1]], axis=1)
    fronts = [Polygon([buttress.first, buttress.last, buttress.foot]) for buttress in buttresses]
    body = shapely.union_all([*shapely.convex_hull(shapely.polygons(pieces)), *fronts])
    yield from on_layer(layer, shadow(body, context, (1.2, 1.2), 0.22, avoid=body))
    yield from on_layer(layer, fill(body, context.style.ink("cliff")))
    light_faces = [Polygon([buttress.head, buttress.light_corner, buttress.foot]) for buttress in buttresses]
    yield from on_layer(layer, fill(light_faces, context.style.ink("cliff-lit")))
    shade_faces = [Polygon([buttress.head, buttress.shade_corner, buttress.foot]) for buttress in buttresses]
    yield from on_layer(layer, fill(shade_faces, context.style.ink("cliff-shaded")))
    edges = [np.array([buttress.first, buttress.foot, buttress.last]) for buttress in buttresses]
    ridges = [np.array([buttress.head, buttress.foot]) for buttress in buttresses]
    yield from on_layer(layer, stroke_shape([*edges, *ridges], context, "rock-line", 0.26, join=Join.MITRE))
    if context.style.hatched:
        yield from on_layer(layer, wedges(_make_shade_strokes(buttresses, context), context.style.ink("rock-line")))
    yield from on_layer(layer, stroke_shape(crest, context, "rock-line", 1.05, minimum_mm=LEAST_MEANING))


def _compute_foot(crest: Line, depth: float, context: SymbolContext) -> Line:
    """Return the foot below every point of a cliff's crest: uneven, and shallower towards both ends.

    ``crest`` and the result are n x 2 arrays and ``depth`` is the greatest depth, all in printed mm.
    """
    crest_line = MeasuredLine.from_line(crest)
    waver = np.clip(context.noise.at(crest[:, 0], crest[:, 1], _WAVE * context.scale), -1.0, 1.0)
    to_end = np.minimum(crest_line.distances, crest_line.length - crest_line.distances) / context.size(_END)
    ends = _END_DEPTH + (1 - _END_DEPTH) * exact_math.sin(np.pi / 2 * np.minimum(1.0, to_end))
    return np.asarray(crest - normals(crest) * (depth * (_MEAN + _WAVER * waver) * ends)[:, None])


def _make_buttresses(crest: Line, foot: Line, context: SymbolContext, stream: Stream) -> list[_Buttress]:
    """Return buttresses side by side along the crest. The half that faces away from the light is in shade.

    ``crest`` and ``foot`` are n x 2 arrays in printed mm.
    """
    crest_line, foot_line = MeasuredLine.from_line(crest), MeasuredLine.from_line(foot)
    widths = [0.0]
    while widths[-1] < crest_line.length:
        widths.append(widths[-1] + context.size(stream.between(*_BUTTRESS)))
    ends = np.array(widths) * (crest_line.length / widths[-1])
    buttresses: list[_Buttress] = []
    for start, end in pairwise(ends):
        middle = start + (end - start) * stream.between(*_RIDGE)
        first, last, head = crest_line.at([start, end, middle])
        crest_index = float(np.interp(middle, crest_line.distances, np.arange(len(crest))))
        tip = np.array([np.interp(crest_index, np.arange(len(foot)), foot_line.points[:, axis]) for axis in (0, 1)])
        tip = head + (tip - head) * stream.between(*_FOOT)
        shade_corner = last if float(exact_math.product(last - first, _TO_LIGHT)) < 0 else first
        buttresses.append(_Buttress(first, last, head, tip, shade_corner))
    return buttresses


def _make_shade_strokes(buttresses: list[_Buttress], context: SymbolContext) -> list[tuple[Line, float, float]]:
    """Return strokes that shade the dark halves in styles without tones. They converge towards the foot.

    Each is a line from head to foot, its width at the head and its width at the foot, in printed mm.
    """
    thick, thin = context.width(0.28), context.width(0.12)
    strokes = []
    for buttress, share in product(buttresses, _SHADE_STROKES):
        head = buttress.head + (buttress.shade_corner - buttress.head) * share
        foot = buttress.foot + (buttress.shade_corner - buttress.foot) * 0.15 * share
        strokes.append((np.array([head, foot]), thick, thin))
    return strokes


# Spacing of scree: mm at the top, extra mm at the foot, and the exponent of the growth downhill
_SCREE_SPACING: Final = (1.1, 1.9, 1.3)
_SCREE_SIZE: Final = (0.28, 1.15, 1.4)  # Radius of scree stones, in the same form

_PEBBLE: Final = 0.55  # A scree stone with a smaller radius than this, in mm at 1:1, is drawn as a dot.

_SOUTH: Final = 270.0


class Stone(Struct, frozen=True):
    """A boulder seen from above: its corners (the hull is computed later) and its radius, in printed mm."""

    corners: tuple[tuple[float, float], ...]
    radius: float

    @classmethod
    def of(cls, centre: tuple[float, float], radius: float, stream: Stream) -> Stone:
        """Return a stone with six to eight corners; centre and radius are in printed mm.

        It is a little wider than deep, and corners are anticlockwise.
        """
        count = 6 + stream.draw_index(3)
        turns = [(number + stream.between(-0.36, 0.36)) * (2 * math.pi / count) for number in range(count)]
        reaches = [radius * stream.between(0.8, 1.1) for _ in turns]
        x, y = centre
        corner_data = zip(turns, reaches, strict=True)
        return cls(
            tuple(
                [(x + distance * math.cos(turn), y + 0.8 * distance * math.sin(turn)) for turn, distance in corner_data]
            ),
            radius,
        )


def hulls_of(placed_stones: Sequence[Stone]) -> NDArray[np.object_]:
    """Return the ground of every stone as an array of polygons in printed mm, computed in one call for speed."""
    corners = np.array([corner for stone in placed_stones for corner in stone.corners]).reshape(-1, 2)
    stone_indices = np.repeat(np.arange(len(placed_stones)), [len(stone.corners) for stone in placed_stones])
    return np.asarray(shapely.convex_hull(shapely.multipoints(corners, indices=stone_indices)))


def draw_stones(placed_stones: list[Stone], context: SymbolContext) -> Iterator[Path]:
    """Yield stones in printed mm: shadow, faces and edges, one path each. A southern stone covers a northern one."""
    if not placed_stones:
        return
    hulls, radii = hulls_of(placed_stones), np.array([stone.radius for stone in placed_stones])
    covering, tops = _find_covering_area(hulls), _tops(hulls, radii)
    visible = _merge_polygons(shapely.difference(hulls, covering))
    dark_sides = _merge_polygons(shapely.difference(_dark(hulls, radii), covering))
    if context.style.shadows:
        shadows = _shift_shapes(hulls, np.outer(radii, (0.45, -0.50)))
        yield from fill(shapely.union_all(shadows), context.tint("shadow", 0.28))
    yield from fill(visible, context.style.ink("rock"))
    if context.style.hatched:
        yield from draw_hatching(dark_sides, context.style.ink("rock-line"), context.size(0.8), context.width(0.18))
    else:
        yield from fill(dark_sides, context.tint("rock-shade", 0.75))
        light_tops = _merge_polygons(shapely.difference(tops, covering))
        yield from fill(light_tops, context.tint("stone-lit", 0.65))
    edges = [_make_edges(top, hull) for top, hull in zip(tops, hulls, strict=True)]
    edge_lines = lines(shapely.difference(np.array(edges), covering))
    yield from stroke_shape(edge_lines, context, "rock-line", 0.15, alpha=0.7)
    yield from stroke_shape(visible, context, "rock-line", 0.32, join=Join.MITRE)


def _merge_polygons(shapes: NDArray[np.object_]) -> list[Polygon]:
    """Return all polygons of some shapes in one list, in their unit."""
    return polygons(shapely.geometrycollections(shapes))


def _tops(hulls: NDArray[np.object_], radii: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return the flat top of every stone, shifted towards the light as far as its hull allows.

    ``hulls`` are the grounds of the stones and ``radii`` their radii, in printed mm.
    """
    corners = shapely.bounds(hulls)
    flat = _scale_shapes(hulls, (corners[:, 2:] + corners[:, :2]) / 2.0, np.array([0.60, 0.55]))
    tops = _scale_shapes(hulls, shapely.get_coordinates(shapely.centroid(hulls)), np.array([0.5, 0.5]))
    is_unplaced = np.ones(len(hulls), dtype=bool)
    for share in (1.0, 0.7, 0.4, 0.1):
        candidates = _shift_shapes(flat, np.outer(radii, (-0.16, 0.22)) * share)
        fits = is_unplaced & shapely.contains(hulls, candidates)
        tops[fits] = candidates[fits]
        is_unplaced &= ~fits
    return tops


def _dark(hulls: NDArray[np.object_], radii: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return the side of every stone that is away from the light, an array of shapes.

    ``hulls`` are the grounds of the stones and ``radii`` their radii, in printed mm.
    """
    return np.asarray(shapely.difference(hulls, _shift_shapes(hulls, np.outer(radii, (-0.32, 0.36)))))


def _make_edges(top: Polygon, hull: Polygon) -> shapely.MultiLineString:
    """Return the outline of a stone's top, and edges down from every second corner of it.

    All are in printed mm; ``hull`` is the ground of the stone.
    """
    upper, lower = shapely.get_coordinates(top), shapely.get_coordinates(hull)
    side_edges = shapely.linestrings(np.stack([upper[:-1:2], lower[:-1:2]], axis=1))
    edge_lines: shapely.MultiLineString = shapely.multilinestrings([shapely.linestrings(upper), *side_edges])
    return edge_lines


def _shift_shapes(shapes: NDArray[np.object_], offsets: Line) -> NDArray[np.object_]:
    """Return shapes, each moved by a separate offset in printed mm."""
    points, shape_indices = shapely.get_coordinates(shapes, return_index=True)
    return np.asarray(shapely.set_coordinates(shapes.copy(), points + offsets[shape_indices]))


def _scale_shapes(shapes: NDArray[np.object_], origins: Line, factors: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return shapes scaled in x and y by two factors, each about a separate point.

    ``origins`` is an n x 2 array in the unit of the shapes.
    """
    points, shape_indices = shapely.get_coordinates(shapes, return_index=True)
    return np.asarray(
        shapely.set_coordinates(shapes.copy(), factors * points + (origins - origins * factors)[shape_indices])
    )


def _find_covering_area(hulls: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return for each stone the area of the stones that cover it, in printed mm; empty for none.

    ``hulls`` are the grounds of the stones. A stone further south covers one further north.
    """
    middles = shapely.get_coordinates(shapely.centroid(hulls))
    order = np.lexsort((middles[:, 0], -middles[:, 1]))
    rank = np.empty(len(order), dtype=int)
    rank[order] = np.arange(len(order))
    covering = np.array([Polygon()] * len(hulls), dtype=object)
    stone_index, neighbour_index = shapely.STRtree(hulls).query(hulls, predicate="intersects")
    for index in sorted(set(stone_index[rank[neighbour_index] > rank[stone_index]].tolist())):
        covering[index] = shapely.union_all(
            hulls[neighbour_index[(stone_index == index) & (rank[neighbour_index] > rank[index])]]
        )
    return covering


class Boulders(Motif, frozen=True, kw_only=True, tag="boulders"):
    """Heaped boulders that fill the ground.

    Attributes:
        sizes: spacing, and least and greatest radius, of large, medium and small boulders in mm at 1:1.
    """

    sizes: tuple[tuple[float, tuple[float, float]], ...]

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the boulders in printed mm."""
        context, stream = ground.context, ground.stream("stones")
        stone_area = shapely.difference(ground.shape, ground.avoid)
        placed_stones: list[Stone] = []
        all_centres = np.zeros((0, 2))
        for spacing, (min_radius, max_radius) in self.sizes:
            # Every corner of a stone is within 1.1 of its radius.
            area = stone_area.buffer(-1.12 * context.size(min_radius))
            centres = poisson_points(area, context.size(spacing), stream, existing=all_centres)
            available_mm = shapely.distance(shapely.points(centres), stone_area.boundary) / 1.12
            for (x, y), available in zip(centres.tolist(), available_mm.tolist(), strict=True):
                radius = min(context.size(stream.between(min_radius, max_radius)), available)
                placed_stones.append(Stone.of((x, y), radius, stream))
            all_centres = np.vstack([all_centres, centres])
        yield from draw_stones(placed_stones, context)


class Scree(Motif, frozen=True, tag="scree"):
    """Scree below the nearest hill, or falling to the south if there is no hill."""

    def make_items(self, ground: CoverGround) -> Iterator[Item]:
        """Yield the stones in printed mm."""
        area, bearing = shapely.difference(ground.shape, ground.avoid), downhill(ground.shape, ground.battlefield)
        yield from draw_scree(area, bearing, ground.context, ground.stream("stones"))


def draw_scree(
    area: BaseGeometry,
    down_bearing: float,
    context: SymbolContext,
    stream: Stream,
    *,
    fall_share: Callable[[Line], NDArray[np.float64]] | None = None,
) -> Iterator[Path]:
    """Yield the stones of scree: dots at the top and small boulders at the foot.

    They have no wash and no edge line.

    Args:
        area: no stone is outside it; in printed mm.
        down_bearing: bearing downhill, in degrees anticlockwise from +x; not used with ``fall_share``.
        context: gives the style and sizes.
        stream: random stream for positions and shapes.
        fall_share: takes n x 2 points in printed mm and returns how far down they are: 0 at the top, 1 at the foot.
            None computes it from ``down_bearing``.
    """
    if area.is_empty:
        return
    direction = np.array([math.cos(math.radians(down_bearing)), math.sin(math.radians(down_bearing))])
    reach = exact_math.product(shapely.get_coordinates(area), direction)
    top, length = float(reach.min()), max(float(np.ptp(reach)), 1e-6)

    def scale_downhill(points: Line, growth: tuple[float, float, float]) -> NDArray[np.float64]:
        """Return a length in printed mm for each point, which grows downhill.

        ``growth`` is the length at the top, the extra length at the foot (mm at 1:1), and the exponent of the growth.
        """
        base, extra, power = growth
        share = (
            np.clip((exact_math.product(points, direction) - top) / length, 0.0, 1.0)
            if fall_share is None
            else fall_share(points)
        )
        return np.asarray((base + extra * exact_math.power(share, power)) * context.size(1.0))

    row = edge_row(area, context.size(0.6), context.size(_SCREE_SPACING[0]), stream)
    tries = np.vstack([row, poisson_points(area.buffer(-context.size(0.6)), context.size(_SCREE_SPACING[0]), stream)])
    centres = thin_out(tries, scale_downhill(tries, _SCREE_SPACING))
    radii = scale_downhill(centres, _SCREE_SIZE) * (0.8 + 0.4 * stream.draw_array(len(centres)))
    radii = np.minimum(radii, shapely.distance(shapely.points(centres), area.boundary))
    fine = radii < context.size(_PEBBLE)
    yield from dots(centres[fine], radii[fine], context.tint("rock-line", 0.9))
    coarse = [
        _make_chip(centre, radius, stream) for centre, radius in zip(centres[~fine], radii[~fine].tolist(), strict=True)
    ]
    if not coarse:
        return
    if context.style.shadows:
        cast = shapely.union_all([affinity.translate(chip, context.size(0.35), -context.size(0.40)) for chip in coarse])
        yield from fill(cast, context.tint("shadow", 0.30))
    yield from fill(coarse, context.style.ink("rock"))
    yield from stroke_shape(coarse, context, "rock-line", 0.26, join=Join.MITRE, minimum_mm=LEAST_MEANING)


def downhill(ground: BaseGeometry, field: Battlefield) -> float:
    """Return the bearing away from the nearest hill, in degrees anticlockwise from +x, 0 to below 360.

    It is south (270) without a hill. ``ground`` is in printed mm.
    """
    hills = [feature.outline for feature in field.features if isinstance(feature, Hill)]
    if not hills or ground.is_empty:
        return _SOUTH
    nearest = min(hills, key=lambda outline: (outline.distance(ground), outline.centroid.distance(ground.centroid)))
    dx, dy = ground.centroid.x - nearest.centroid.x, ground.centroid.y - nearest.centroid.y
    return math.degrees(math.atan2(dy, dx)) % 360 if math.hypot(dx, dy) > 1e-9 else _SOUTH


def _make_chip(centre: Line, radius: float, stream: Stream) -> Polygon:
    """Return a stone with three to five corners; centre and radius are in printed mm."""
    corners = 3 + stream.draw_index(3)
    turn = stream.between(0, 2 * np.pi) + np.arange(corners) * (2 * np.pi / corners)
    return Polygon(
        np.column_stack([centre[0] + radius * exact_math.cos(turn), centre[1] + 0.85 * radius * exact_math.sin(turn)])
    )
