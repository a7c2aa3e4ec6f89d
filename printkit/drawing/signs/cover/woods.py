"""Woods of every kind: closed woods as a canopy of crowns, open woods as single trees.

Source: the cartography, 10.3, and 20.7 for the depth of heavy woods.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec import Struct, convert
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, outline, polygons
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SMALL_SCALE, SymbolContext, wash
from printkit.drawing.scatter.crowns import Tree, draw_crowns, draw_shadows, edge_row, grown, poisson_points, standing
from printkit.drawing.signs.lines.course_lines import WATERS, areas, covered, on_layer, stipple_area, stroke_shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, ROUTES, WOODS, Area, Hill, Kind, find_family

# --- Trees of every kind of wood: families, sizes and spacing ---------------------------------------------------------


class Growth(Struct, frozen=True, kw_only=True):
    """The trees of one kind of wood.

    Attributes:
        families: names of rows of ``crowns.FAMILIES``, each with its share of the trees; the shares add up to 1.
        radius: usual radius of a crown in mm at 1:1.
        spacing: least distance between two trees, in radii.
        closed: True for a canopy over a dark floor; False for single trees on a wash with a dotted edge.
        on_hill: radius in mm at 1:1, and spacing in radii, where the wood covers a hill.
        snags: share of dead trees among the inner trees of a closed wood, 0 to 1.
    """

    families: tuple[tuple[str, float], ...]
    radius: float
    spacing: float
    closed: bool
    on_hill: tuple[float, float]
    snags: float = 0.0


# The growth of every kind of wood.
GROWTHS: Final = {kind: convert(KIND_ROWS[kind].look, Growth) for kind in WOODS}

_SPREAD: Final = 0.18
_EDGE_INSET: Final = 0.85
_EDGE_STEP: Final = 0.98
_GREAT_SHARE: Final = 0.10
_GREAT: Final = 1.35

# Open woods grow in clumps: points are placed too close, then thinned where the noise of the map is low.
_OPEN_STEP: Final = 0.86
_OPEN_PITCH: Final = 0.70
_CLOSEST: Final = 1.5
_WIDEST_CLUMP: Final = 6.5
# Width and dashes of the edge of an open wood on a small map without washes, in mm at 1:1.
_FAINT_EDGE: Final = (0.90, (5.4, 3.6))
_BUSH: Final = (0.22, 0.58)
_GREAT_OPEN: Final = (0.12, 1.22)
# A wood smaller than a square with this side, in radii, is thinned more at its edge than inside.
_SMALL_WOOD: Final = 15.0

_COVERED: Final = 0.98
_UNDERSTOREY: Final = (0.55, 0.68)
_UNDERSTOREY_SPACING: Final = 0.8
_SNAG_SIZE: Final = (0.66, 0.84)
_LABEL_ROOM: Final = 1.0

_LARGEST: Final = 1.2  # Greatest crown radius, as a share of the radius of a circle with the wood's area

_BESIDE_COURSES: Final = 1.5
_BESIDE_CONTOUR: Final = 0.5
_BESIDE_CLEARING: Final = 2.0
_OPEN_COURSES: Final = (*ROUTES, *WATERS, *find_family("cut"))
_GOLDEN: Final = (5**0.5 - 1) / 2
_NOBODY: Final = np.zeros((0, 2))
_HANDFUL: Final = 8


def heavy_woods(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs of a closed wood of any kind: dark floor, touching crowns, open along roads and waters.

    Over a hill, the contours are drawn again on top, so that the hill's edge stays visible. Shapes and items are in
    printed mm.
    """
    growth = GROWTHS[area.kind]
    ground = shapely.difference(area.outline, find_treeless_ground(field, context))
    yield from draw_forest(
        ground, growth, context.size(growth.radius), context, context.stream(f"draw/{area.id}/trees")
    )
    contours = [contour.exterior for hill in _hills(field) for contour in hill.contours]
    visible = shapely.intersection(shapely.union_all(contours), ground)
    for token, width, alpha in (("halo", 1.6, 0.60), ("contour", 0.45, 1.0)):
        yield from on_layer(
            LayerName.CROWN, stroke_shape(visible, context, token, width, alpha=alpha, minimum_mm=LEAST_MEANING)
        )


def _hills(field: Battlefield) -> list[Hill]:
    """Return the hills of a battlefield, in the order of its features."""
    return [feature for feature in field.features if isinstance(feature, Hill)]


def find_treeless_ground(field: Battlefield, context: SymbolContext) -> BaseGeometry:
    """Return the ground without trees: clearings and courses, each with a margin, in printed mm."""
    margin = context.size(_BESIDE_CLEARING)
    clearings = [clearing.buffer(margin) for clearing in areas(field, Kind.CLEARING)]
    return shapely.union_all([treeless_course_ground(field, context), *clearings])


def treeless_course_ground(field: Battlefield, context: SymbolContext) -> BaseGeometry:
    """Return the ground of courses with a margin, where no trees grow, in printed mm."""
    return covered(field, _OPEN_COURSES, context, dict.fromkeys(_OPEN_COURSES, _BESIDE_COURSES))


def draw_forest(
    area: BaseGeometry, growth: Growth, radius: float, context: SymbolContext, stream: Stream
) -> LayeredItems:
    """Yield (layer, item) pairs that draw a closed wood on any ground, with crowns of about ``radius`` printed mm.

    ``area`` is the ground in printed mm.
    """
    style = context.style
    floor_ink, dark_ink = style.ink("heavy-woods"), style.ink("heavy-woods-dark")
    if floor_ink is not None and dark_ink is not None and style.washes:
        yield from on_layer(LayerName.WOOD_FLOOR, fill(area.buffer(-0.55 * radius), floor_ink.mix(dark_ink, 0.45)))
        yield from on_layer(LayerName.WOOD_FLOOR, fill(area.buffer(-1.6 * radius), floor_ink.with_alpha(0.35)))
    lower, upper = draw_canopy(area, growth, radius, context, stream)
    yield from draw_shadows(lower + upper, context)
    yield from draw_crowns(lower, context)
    yield from draw_crowns(upper, context)


def light_woods(area: Area, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs of an open wood of any kind: a wash with a dotted edge, undergrowth, single trees.

    Shapes and items are in printed mm.
    """
    style, growth = context.style, GROWTHS[area.kind]
    ground = shapely.difference(area.outline, shapely.union_all(areas(field, Kind.CLEARING)))
    hills = _hills(field)
    hill_ground = shapely.union_all([hill.outline for hill in hills])
    wash_paths = wash(
        ground, style.ink("light-woods"), style.ink("light-woods-wash-edge"), context, visible_ground=hill_ground
    )
    yield from on_layer(LayerName.WOOD_FLOOR, wash_paths)
    # On a small map without washes the edge is dashed and the undergrowth larger, or the wood looks like single trees.
    is_faint = not style.washes and context.scale < SMALL_SCALE
    edge_mm, dash = _FAINT_EDGE if is_faint else (0.50, (0.01, 2.0))
    edge = context.stroke(style.solid("light-woods-edge"), edge_mm, dash=dash, minimum_mm=LEAST_MEANING)
    yield from on_layer(LayerName.WOOD_FLOOR, outline(ground, edge))
    stream = context.stream(f"draw/{area.id}/undergrowth")
    room, ink = ground.buffer(-context.size(1.5)), context.tint("light-woods-edge", 0.75)
    dot = 0.36 if is_faint else 0.18
    yield from on_layer(LayerName.WOOD_FLOOR, stipple_area(room, context.clear, context, stream, (4.2, dot, dot), ink))
    trees_stream = context.stream(f"draw/{area.id}/trees")
    tree_list = plant_grove(ground, growth, context.size(growth.radius), context, trees_stream, spacing=growth.spacing)
    tree_list = remove_trees_near(treeless_course_ground(field, context), tree_list, radii=1.0)
    contours = [contour.exterior for hill in hills for contour in hill.contours]
    tree_list = remove_trees_near(shapely.union_all(contours), tree_list, radii=_BESIDE_CONTOUR)
    yield from standing(tree_list, context)


def draw_canopy(
    area: BaseGeometry, growth: Growth, radius: float, context: SymbolContext, stream: Stream
) -> tuple[list[Tree], list[Tree]]:
    """Return the crowns of a closed wood as a lower and an upper storey; the lower one is drawn first.

    A row of trees marks the edge; it is first in the upper storey. Hatched styles leave out trees under a label, except
    in that row.

    Args:
        area: area for the centres of the crowns, in printed mm.
        growth: the trees of the wood.
        radius: usual crown radius in printed mm. One in ten is larger; crowns of the lower storey are smaller. On small
            ground all are smaller.
        context: gives the style and labels.
        stream: random stream for positions, sizes and families.
    """
    radius = min(radius, _LARGEST * math.sqrt(area.area / math.pi))
    row = _make_edge_row(area, growth.spacing, radius, stream)
    inner = poisson_points(area.buffer(-_EDGE_INSET * radius), growth.spacing * radius, stream, existing=row)
    points = np.vstack([row, inner])
    factors = np.where(stream.draw_array(len(inner)) < _GREAT_SHARE, _GREAT, 1.0)
    sizes = _draw_sizes(len(points), radius, stream) * np.concatenate([np.ones(len(row)), factors])
    upper = _make_trees(points, sizes, growth, stream)
    crown_area = shapely.buffer(shapely.multipoints(points), _COVERED * radius)
    gaps = shapely.difference(area.buffer(-0.9 * radius), crown_area)
    lower_points = poisson_points(gaps, _UNDERSTOREY_SPACING * radius, stream)
    low, high = _UNDERSTOREY
    lower = _make_trees(
        lower_points, radius * (low + (high - low) * stream.draw_array(len(lower_points))), growth, stream
    )
    lower, upper = _add_dead_trees(lower, upper, growth, len(row), stream)
    if context.style.hatched:
        # The row marks the edge of the wood and stays complete, even under a label.
        edge, inner_crowns = upper[: len(row)], upper[len(row) :]
        lower, inner_crowns = (
            remove_trees_near(context.clear, storey, radii=_LABEL_ROOM) for storey in (lower, inner_crowns)
        )
        return lower, edge + inner_crowns
    return lower, upper


def plant_grove(
    area: BaseGeometry,
    growth: Growth,
    radius: float,
    context: SymbolContext,
    stream: Stream,
    *,
    spacing: float,
    edge: bool = True,
) -> list[Tree]:
    """Return trees in clumps, on average ``spacing`` radii apart, none under a label.

    One tree in five is a bush, and one in eight is larger than usual. Near a label, trees are reduced to bushes or left
    out. Those of the edge row come first; the list is empty if the area is.

    Args:
        area: area for the trees, in printed mm.
        growth: the trees of the wood.
        radius: usual crown radius in printed mm.
        context: gives noise and labels.
        stream: random stream for positions, sizes and families.
        spacing: average distance between trees, in radii.
        edge: True for a row of trees with gaps along the edge; False to use all of the area for tree centres.
    """
    radius = min(radius, _LARGEST * math.sqrt(area.area / math.pi))
    is_small = area.area < (_SMALL_WOOD * radius) ** 2
    row = _NOBODY
    if edge:
        rim = _make_edge_row(area, _OPEN_STEP / _EDGE_STEP * spacing, radius, stream)
        row = _thin_to_clumps(
            rim,
            0.38 if is_small else 0.24,
            9.0 * radius,
            0.35,
            context,
            stream,
            is_fixed=_find_opening_rows(rim, area, radius),
        )
    inner_area = area.buffer(-_EDGE_INSET * radius) if edge else area
    pitch = max(_OPEN_PITCH * spacing, min(spacing, _CLOSEST)) * radius
    inner = poisson_points(inner_area, pitch, stream, existing=row)
    wave = min(0.4 * math.sqrt(area.area), _WIDEST_CLUMP * radius)
    inner = _thin_to_clumps(inner, 0.10 if is_small else 0.26, wave, 0.9, context, stream)
    points = np.vstack([row, inner])
    chance = stream.draw_array(len(points))
    is_bush, is_great = chance < _BUSH[0], chance > 1 - _GREAT_OPEN[0]
    sizes = _draw_sizes(len(points), radius, stream) * np.where(
        is_bush, _BUSH[1], np.where(is_great, _GREAT_OPEN[1], 1.0)
    )
    return _fit_to_labels(_make_trees(points, sizes, growth, stream), context)


def _thin_to_clumps(
    points: Line,
    drop: float,
    wave: float,
    chance: float,
    context: SymbolContext,
    stream: Stream,
    *,
    is_fixed: NDArray[np.bool_] | None = None,
) -> Line:
    """Return points without the share ``drop`` that is lowest in the noise of the map and random numbers.

    Up to eight points are a handful. The order is kept.

    Args:
        points: n x 2, in printed mm; a handful of points is returned unchanged.
        drop: share of points to remove.
        wave: printed mm between clumps.
        chance: weight of the random part next to the noise.
        context: gives the noise of the map.
        stream: random stream that makes the edges of clumps uneven.
        is_fixed: flags of points that are never removed.
    """
    if len(points) <= _HANDFUL:
        return points
    scores = context.noise.at(points[:, 0] + 7.0 * wave, points[:, 1], wave)
    scores = scores + chance * (stream.draw_array(len(points)) - 0.5)
    is_kept = scores >= np.sort(scores)[int(drop * len(points))]
    return np.asarray(points[is_kept if is_fixed is None else is_kept | is_fixed])


def _find_opening_rows(row: Line, area: BaseGeometry, radius: float) -> NDArray[np.bool_]:
    """Return for each tree of an edge row whether it is around an opening inside the wood.

    Only that row shows the opening. The result has a flag for each point. ``row`` is n x 2, and all lengths are in
    printed mm: ``area`` is the wood, and ``radius`` the usual radius of its crowns.
    """
    openings = [ring for part in polygons(area) for ring in part.interiors]
    if not openings:
        return np.zeros(len(row), dtype=bool)
    return np.asarray(shapely.dwithin(shapely.multilinestrings(openings), shapely.points(row), 2.0 * radius))


def _fit_to_labels(tree_list: list[Tree], context: SymbolContext) -> list[Tree]:
    """Return the trees that stay clear of labels, in their order; sizes are in printed mm.

    A tree near a label is reduced to a bush if it is too large.
    """
    if not tree_list or context.clear.is_empty:
        return tree_list
    gaps = shapely.distance(context.clear, shapely.points([(tree.x, tree.y) for tree in tree_list])).tolist()
    fitted_trees: list[Tree] = []
    for tree, gap in zip(tree_list, gaps, strict=True):
        if gap >= _BUSH[1] * tree.radius:
            fitted_trees.append(tree if gap >= tree.radius else replace(tree, radius=gap))
    return fitted_trees


def remove_trees_near(ground: BaseGeometry, tree_list: list[Tree], *, radii: float) -> list[Tree]:
    """Return the trees whose centres are more than ``radii`` of their radii from some ground.

    The order is kept. ``ground`` is in printed mm; empty ground leaves all trees.
    """
    if not tree_list or ground.is_empty:
        return tree_list
    points = shapely.points([(tree.x, tree.y) for tree in tree_list])
    shapely.prepare(ground)
    near_flags = shapely.dwithin(ground, points, [radii * tree.radius for tree in tree_list])
    return [tree for tree, is_near in zip(tree_list, near_flags.tolist(), strict=True) if not is_near]


def _draw_sizes(count: int, radius: float, stream: Stream) -> Line:
    """Return ``count`` random radii of crowns within 18 % of ``radius``, in printed mm."""
    return np.asarray(radius * (1 - _SPREAD + 2 * _SPREAD * stream.draw_array(count)))


def _make_edge_row(area: BaseGeometry, spacing: float, radius: float, stream: Stream) -> Line:
    """Return the points of the row of trees along the edge as an n x 2 array in printed mm.

    It is one point if the ground is too small for a row, and empty without ground.

    Args:
        area: the wood, in printed mm.
        spacing: distance between trees, in radii.
        radius: usual radius of a crown in printed mm.
        stream: random stream for the positions.
    """
    row = edge_row(area, _EDGE_INSET * radius, spacing * _EDGE_STEP * radius, stream)
    if len(row) or area.is_empty:
        return row
    return np.asarray(shapely.get_coordinates(shapely.point_on_surface(area)))


def _make_trees(points: Line, sizes: Line, growth: Growth, stream: Stream) -> list[Tree]:
    """Return a tree at every point, mixing the families of the growth by their shares.

    ``points`` is n x 2 and ``sizes`` are radii of the crowns, both in printed mm.
    """
    families = [name for name, _ in growth.families]
    if len(families) == 1:
        return grown(points, sizes.tolist(), families[0], stream)
    shares = np.cumsum([share for _, share in growth.families])
    # Golden-section steps mix the families evenly along rows; random choice would cluster them.
    turn = (stream.draw_unit() + _GOLDEN * np.arange(len(points))) % 1.0
    family_indices = np.minimum(np.searchsorted(shares, turn, side="right"), len(families) - 1)
    trees = zip(points, sizes.tolist(), family_indices.tolist(), strict=True)
    return [grown([point], [size], families[number], stream)[0] for point, size, number in trees]


def _add_dead_trees(
    lower: list[Tree], upper: list[Tree], growth: Growth, rim: int, stream: Stream
) -> tuple[list[Tree], list[Tree]]:
    """Return both storeys with a few dead inner trees above crowns of the lower storey.

    A dead tree has limbs without leaves. ``rim`` is the number of trees at the start of ``upper`` that are never dead.
    """
    dead_indices = np.flatnonzero(stream.draw_array(max(0, len(upper) - rim)) < growth.snags) + rim
    dead_trees = {number: upper[number] for number in dead_indices.tolist()}
    low, high = _SNAG_SIZE
    snags = [
        grown([(tree.x, tree.y)], [tree.radius * stream.between(low, high)], "snag", stream)[0]
        for tree in dead_trees.values()
    ]
    living = [tree for number, tree in enumerate(upper) if number not in dead_trees]
    return lower + list(dead_trees.values()), living + snags
