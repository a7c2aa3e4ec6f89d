"""Scattered points over areas with a Poisson-disk pattern, and trees from above: crowns, drawn once and stamped often.

A shrub that touches no other plant has its shadow in its stamp.

All have light from the north-west. ``tools/patterns/drawn_crowns.py`` draws them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct, convert
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.resources import resource, template
from printkit.drawing.canvas.items import (
    Affine,
    Artwork,
    Cap,
    FillRule,
    Ink,
    LayeredItems,
    LayerName,
    Path,
    PathRun,
    Stamp,
    Stroke,
)
from printkit.drawing.canvas.shapes import Line, dots, fill, polygons, runs
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.terrain.geometry.measure import interpolate_points

# Radius of artwork in mm: large enough to hide the grid of 0.01 mm.
UNIT: Final = 10.0

# The parts of a crown that are filled, and those that are lines.
SURFACES: Final = ("body", "shade", "rim", "light", "edge")
LINES: Final = ("leaves", "strokes")


class Parts(Struct, frozen=True):
    """The filled and stroked parts of one crown as runs on the grid, with radius ``UNIT``.

    ``body`` is its outline, ``shade`` the shaded part, ``rim`` the deepest shade, ``light`` the lit part, and ``edge``
    the outlines of its pieces. ``leaves`` are fine lines. ``strokes`` replace the shade in a style with hatching.
    Without them ``hatch`` does: evenly spaced strokes over the shade, each with its length in mm of the artwork.
    ``shadow`` is the outline of the shadow on the ground, and ``heart`` the radius of the dot, both at radius 1.
    """

    body: tuple[PathRun, ...]
    shade: tuple[PathRun, ...]
    rim: tuple[PathRun, ...]
    light: tuple[PathRun, ...]
    edge: tuple[PathRun, ...]
    leaves: tuple[PathRun, ...]
    strokes: tuple[PathRun, ...]
    hatch: tuple[tuple[PathRun, float], ...]
    heart: float
    shadow: Line


@cache
def parts(shape: str, variant: int) -> Parts:
    """Return the parts of a variant, counted from 0, of the crown shape with this name.

    Raises:
        IndexError: there is no such variant.
    """
    plain = _load_parts(shape)[variant]
    surfaces = {name: tuple([PathRun(tuple(points)) for points in plain[name]]) for name in SURFACES}
    lines = {name: tuple([PathRun(tuple(points), False) for points in plain[name]]) for name in LINES}
    hatch = tuple([(PathRun(tuple(points), False), length) for points, length in plain["hatch"]])
    return Parts(**surfaces, **lines, hatch=hatch, heart=plain["heart"], shadow=np.array(plain["shadow"]))


def pieces(shape: str, variant: int, first: int, step: int) -> tuple[PathRun, ...]:
    """Return the outline of the pieces of a crown that share one ink, as closed runs with radius ``UNIT`` (10 mm).

    These are the pieces ``first``, ``first + step`` and so on, counted from 0, merged into one shape. A crown in one
    piece has it in ``first`` = 0; any other ``first`` returns ().

    Raises:
        IndexError: there is no such variant.
    """
    all_pieces = _load_parts(shape)[variant].get("pieces")
    if all_pieces is None:
        return () if first else parts(shape, variant).body
    merged = shapely.union_all(shapely.from_wkb(all_pieces[first::step]))
    return runs(affinity.scale(merged, UNIT, UNIT, origin=(0, 0)), closed=True)


@cache
def _load_parts(shape: str) -> list[dict[str, Any]]:
    """Return the stored parts of all variants of a crown shape, in the form of JSON values."""
    entries: list[dict[str, Any]] = json.loads(resource("templates/patterns", f"crowns-{shape}.json").read_bytes())
    return entries


# Side of the square, in spacings; the square is repeated over an area.
SIDE: Final = 40


@cache
def load_pattern() -> Line:
    """Return the points of the pattern, n x 2: a square of side 40 that repeats in both directions.

    The unit is the minimum distance between points. The array is cached: do not change it.
    """
    return parse_points(resource("templates/patterns", "planting.txt").read_text(encoding="utf-8"))


def parse_points(text: str) -> Line:
    """Return the points of a text that ``tools/patterns/patterns.py`` made, n x 2, in the same unit."""
    return np.array([float.fromhex(number) for number in text.split()]).reshape(-1, 2)


# Distance of trial points that fill holes, in spacings: small enough to find every hole.
_TRIAL_STEP: Final = 0.34

# Maximum number of trial points across a very small area, for example a sliver between two borders.
_MOST: Final = 1000

# Random offset of points along an edge row, in steps.
_WAVER: Final = 0.16

_NO_POINTS: Final = np.zeros((0, 2))


def poisson_points(
    area: BaseGeometry,
    spacing: float,
    stream: Stream,
    *,
    existing: Line | Sequence[tuple[float, float]] = (),
    avoid: BaseGeometry | None = None,
) -> NDArray[np.float64]:
    """Return Poisson-disk points inside an area without holes between them, from north to south.

    They are x and y, n x 2; all lengths are in the unit of the area (printed mm, or mm of the board). An empty area has
    no points.

    Args:
        area: the area; may be empty.
        spacing: minimum distance between points.
        stream: random numbers that mirror and shift the pattern.
        existing: existing points; new points keep ``spacing`` from them too. They are not returned.
        avoid: area without points; None for no such area.
    """
    ground = area if avoid is None or avoid.is_empty else shapely.difference(area, avoid)
    if ground.is_empty:
        return _NO_POINTS
    shapely.prepare(ground)
    existing_points = np.asarray(existing, dtype=float).reshape(-1, 2)
    places = _drop_crowded(
        _points_inside(ground, _repeat_pattern(ground.bounds, spacing, stream)), existing_points, spacing
    )
    # Few trial points are in a hole. Test only these for being inside the area.
    all_points = np.vstack([existing_points, places])
    trial_points = _drop_crowded(_trial_points(ground, all_points, spacing, stream), all_points, spacing)
    inner_points = _points_inside(ground, trial_points)
    gap_points = thin_out(inner_points, np.full(len(inner_points), spacing))
    points = np.vstack([places, gap_points])
    return points[np.lexsort((points[:, 0], -points[:, 1]))]


def thin_out(places: Line, spacings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the places (n x 2) that keep a minimum distance from all earlier places that stay, in their order.

    ``spacings`` has one distance for each place, in the unit of the places; the smaller one of a pair counts. Varying
    spacings make stones sparser across an area. Put required places first: the first place always stays.
    """
    cell = max(float(spacings.max(initial=0.0)), 1e-6)
    places_by_cell: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
    indexes: list[int] = []
    for number, ((x, y), spacing) in enumerate(zip(places.tolist(), spacings.tolist(), strict=True)):
        column, row = int(x // cell), int(y // cell)
        near = (
            place
            for near_column in (column - 1, column, column + 1)
            for near_row in (row - 1, row, row + 1)
            for place in places_by_cell.get((near_column, near_row), ())
        )
        if all((x - px) ** 2 + (y - py) ** 2 >= min(spacing, near_spacing) ** 2 for px, py, near_spacing in near):
            places_by_cell.setdefault((column, row), []).append((x, y, spacing))
            indexes.append(number)
    return np.asarray(places[indexes])


def edge_row(area: BaseGeometry, inset: float, step: float, stream: Stream) -> NDArray[np.float64]:
    """Return points ``inset`` printed mm inside every edge of an area (mm) and its holes, n x 2.

    They are about ``step`` mm apart along the edge, with random variation. A narrow area gives an empty array.
    """
    rows = [_NO_POINTS]
    for part in polygons(area.buffer(-inset)):
        for ring in (part.exterior, *part.interiors):
            count = max(3, round(ring.length / step))
            strays = (2 * stream.draw_array(count) - 1) * _WAVER
            distances = (np.arange(count) + strays) % count * (ring.length / count)
            rows.append(interpolate_points(ring, distances))
    return np.vstack(rows)


def _trial_points(ground: BaseGeometry, existing: Line, spacing: float, stream: Stream) -> Line:
    """Return a jittered lattice over an area, as points in the unit of the area, n x 2.

    It is fine enough to find every hole between points that are ``spacing`` apart, and to hit small areas. Lattice
    points next to an existing point are always closer than the spacing, and are left out.
    """
    left, low, right, high = ground.bounds
    least_step = max(math.sqrt(ground.area) / 4, max(right - left, high - low) / _MOST)
    step = min(spacing * _TRIAL_STEP, least_step)
    x, y = np.arange(left, right + step, step), np.arange(low, high + step, step)
    jitter = stream.draw_array(2 * len(x) * len(y)).reshape(2, -1) - 0.5
    # Half a step to the node, one step to the next node, half a step of jitter: 2 steps on each axis, 2.83 in all.
    # This is less than the spacing, which is at least 2.94 steps.
    is_taken = np.zeros((len(y) + 2, len(x) + 2), dtype=bool)
    nodes = np.rint((existing - (left, low)) / step).astype(np.int64) + 1
    near = nodes[((nodes >= 0) & (nodes <= (len(x) + 1, len(y) + 1))).all(axis=1)]
    is_taken[near[:, 1], near[:, 0]] = True
    is_taken = is_taken[:-2] | is_taken[1:-1] | is_taken[2:]
    is_taken = is_taken[:, :-2] | is_taken[:, 1:-1] | is_taken[:, 2:]
    row, column = np.nonzero(~is_taken)
    strays = jitter[:, row * len(x) + column] * step
    return np.column_stack([x[column] + strays[0], y[row] + strays[1]])


def _drop_crowded(places: Line, existing: Line, spacing: float) -> Line:
    """Return the places that are at least ``spacing`` from all existing points.

    Places and points are n x 2, in the unit of ``spacing``. The order is kept, and places are not compared with each
    other.
    """
    if not len(places) or not len(existing):
        return places
    # Sort existing points by square cells as wide as the spacing: points that are too near are in adjacent cells.
    corner = existing.min(axis=0)
    cells = np.floor((existing - corner) / spacing).astype(np.int64)
    columns, rows = cells.max(axis=0) + 3
    keys = (cells[:, 1] + 1) * columns + cells[:, 0] + 1
    starts = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=(rows + 1) * columns))])
    existing = existing[np.argsort(keys, kind="stable")]
    place_cells = np.floor((places - corner) / spacing).astype(np.int64)
    is_free = np.ones(len(places), dtype=bool)
    for row in (0, -1, 1):
        row_cells = place_cells + np.array([0, row])
        indexes = np.flatnonzero(
            is_free & (row_cells >= -1).all(axis=1) & (row_cells < (columns - 1, rows - 2)).all(axis=1)
        )
        key = (row_cells[indexes, 1] + 1) * columns + row_cells[indexes, 0]
        first, last = starts[np.maximum(key, 0)], starts[key + 3]
        counts = last - first
        place = np.repeat(indexes, counts)
        existing_indexes = np.arange(len(place)) + np.repeat(first - np.cumsum(counts) + counts, counts)
        steps = places[place] - existing[existing_indexes]
        distances = np.sqrt(steps[:, 0] * steps[:, 0] + steps[:, 1] * steps[:, 1])
        # Use slightly less than the spacing, so that pattern points at exactly that distance do not exclude each other.
        is_free[place[distances <= spacing * (1 - 1e-9)]] = False
    return places[is_free]


def _points_inside(ground: BaseGeometry, places: Line) -> Line:
    """Return the places (n x 2, in the unit of the ground) that are inside the ground, in their order.

    Places on its edge are left out.
    """
    return np.asarray(places[shapely.contains_xy(ground, places[:, 0], places[:, 1])])


def _repeat_pattern(bounds: tuple[float, float, float, float], spacing: float, stream: Stream) -> Line:
    """Return the pattern, randomly mirrored and shifted, repeated over the bounds, as points, n x 2.

    Bounds (left, bottom, right, top), spacing and points have one unit.
    """
    tile = load_pattern()
    if stream.draw_unit() < 0.5:
        tile = tile[:, ::-1]
    for axis in (0, 1):
        if stream.draw_unit() < 0.5:
            tile = tile * np.where(np.arange(2) == axis, -1.0, 1.0)
    tile = (tile + np.array([stream.draw_unit(), stream.draw_unit()]) * SIDE) % SIDE
    left, low, right, high = (value / spacing for value in bounds)
    columns = np.arange(np.floor(left / SIDE), np.floor(right / SIDE) + 1) * SIDE
    rows = np.arange(np.floor(low / SIDE), np.floor(high / SIDE) + 1) * SIDE
    corners = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2)
    places = (corners + tile[None]).reshape(-1, 2)
    is_visible = (places >= (left, low)).all(axis=1) & (places <= (right, high)).all(axis=1)
    return np.asarray(places[is_visible] * spacing)


# Shadows of smaller crowns, by radius in printed mm, use only every second point.
_ROUND_FROM: Final = 2.5

# Maximum distance of a crown and its outline from its middle, in radii.
_REACH: Final = 1.1


class Family(Struct, frozen=True, kw_only=True):
    """A family of trees: variants, inks and line widths; widths in mm at 1:1.

    Attributes:
        inks: name of the ink of its crowns, and prefix of that of their lines.
        shade: name of the ink of the shade.
        variants: number of variants, without mirror images.
        crown: the name of its crown shape.
        light: name of the ink of the lit part.
        shadow: opacity of the shadow on the ground.
        hatch: width of hatching and fine lines in a style with hatching; 0 for no hatching.
        hatched_leaves: number of fine lines in such a style.
        cover: opacities of shade, deepest shade, light and fine lines.
        outline: width of the outline.
        hatched_outline: width of the outline in a style with hatching.
        fine: width of fine lines.
    """

    inks: str
    shade: str
    variants: int = 18
    crown: str = "lobed"
    light: str = "crown-light"
    shadow: float = 0.22
    hatch: float = 0.16
    hatched_leaves: int = 0
    cover: tuple[float, float, float, float] = (0.58, 0.45, 0.55, 0.55)
    outline: float = 0.26
    hatched_outline: float = 0.34
    fine: float = 0.16

    @property
    def line(self) -> str:
        """Return the name of the ink of outlines and fine lines."""
        return f"{self.inks}-line"


class Tree(Struct, frozen=True):
    """One tree with its position and radius in printed mm.

    ``variant`` counts the shapes of its family, then their mirror images. ``shaded`` is True if its shadow is part of
    its stamp, which is possible if it touches no other tree.
    """

    x: float
    y: float
    radius: float
    family: str
    variant: int
    shaded: bool = False


class _Look(Struct, frozen=True):
    """The inks and line widths of a family in a style; widths in mm of the artwork."""

    inks: tuple[Ink, ...]
    shadow: Ink | None
    shade: Ink | None
    light: Ink | None
    line: Ink
    hatched: bool
    outline: float
    leaf: float


def draw_trees(
    centres: Line | Sequence[tuple[float, float]],
    radii: Sequence[float],
    family: str,
    context: SymbolContext,
    stream: Stream,
    layer: LayerName = LayerName.CROWN,
) -> LayeredItems:
    """Yield (layer, item) pairs of trees of one family: all shadows as one shape, then crowns from north to south.

    Args:
        centres: the middles of the crowns, x and y in printed mm; may be empty.
        radii: radius of each crown in printed mm.
        family: key in ``FAMILIES``.
        context: style and scale.
        stream: random numbers for the variants.
        layer: the layer of the crowns. Shadows are on the same layer, but for ``CROWN`` they are on ``WOOD_SHADOW``.
    """
    yield from standing(grown(centres, radii, family, stream), context, layer)


def standing(grown_trees: Sequence[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN) -> LayeredItems:
    """Yield (layer, item) pairs of trees in printed mm: all shadows as one shape, then crowns from north to south.

    On other layers than ``CROWN``, a tree that touches no other has its shadow in its stamp. For ``CROWN``, the shadows
    are on the layer ``WOOD_SHADOW``.
    """
    if layer is not LayerName.CROWN and context.style.shadows:
        grown_trees = _mark_separate_trees(grown_trees)
    yield from draw_shadows([tree for tree in grown_trees if not tree.shaded], context, layer)
    yield from draw_crowns(grown_trees, context, layer)


def _mark_separate_trees(grown_trees: Sequence[Tree]) -> list[Tree]:
    """Return the trees, with ``shaded`` set if tree and shadow touch no other tree or shadow.

    The order is kept. Boxes around tree and shadow are compared.
    """
    if not grown_trees:
        return []
    feet = np.array([(tree.x, tree.y, tree.radius) for tree in grown_trees])
    x, y, radius = feet.T
    left, low, right, high = np.array([_bounds(tree.family, tree.variant) for tree in grown_trees]).T * radius
    boxes = shapely.box(x + left, y + low, x + right, y + high)
    indexes, _ = shapely.STRtree(boxes).query(boxes, "intersects")
    separate_flags = np.bincount(indexes, minlength=len(grown_trees)) == 1
    return [
        replace(tree, shaded=True) if is_separate else tree
        for tree, is_separate in zip(grown_trees, separate_flags, strict=True)
    ]


def grown(
    places: Line | Sequence[tuple[float, float]], radii: Sequence[float], family: str, stream: Stream
) -> list[Tree]:
    """Return a tree of random variant at every place, in order; places (x and y) and ``radii`` are in printed mm.

    Each tree draws one number from ``stream``. Mirror images count as variants. ``family`` is a key in ``FAMILIES``.
    """
    count = 2 * FAMILIES[family].variants
    points = np.asarray(places, dtype=float).reshape(-1, 2).tolist()
    return [
        Tree(x, y, float(radius), family, stream.draw_index(count))
        for (x, y), radius in zip(points, radii, strict=True)
    ]


def draw_shadows(
    grown_trees: Sequence[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN
) -> LayeredItems:
    """Yield (layer, item) pairs that draw the shadows of trees in printed mm, as one path with non-zero winding.

    Overlapping shadows are not darker. Nothing is drawn in a style without shadows. The opacity of all is that of the
    darkest family. They are on ``layer``, but for ``CROWN`` on ``WOOD_SHADOW``.
    """
    if not grown_trees or not context.style.shadows:
        return
    shadow_layer = LayerName.WOOD_SHADOW if layer is LayerName.CROWN else layer
    alpha = max(FAMILIES[name].shadow for name in dict.fromkeys(tree.family for tree in grown_trees))
    yield from (
        (shadow_layer, path)
        for path in fill(_shadow_rings(grown_trees), context.tint("shadow", alpha), rule=FillRule.NON_ZERO)
    )


def _shadow_rings(grown_trees: Sequence[Tree]) -> list[Line]:
    """Return the ring of every shadow as points in printed mm; all rings have the same direction."""
    rings = [
        _shadow_outline(tree.family, tree.variant)[:: 1 if tree.radius > _ROUND_FROM else 2] for tree in grown_trees
    ]
    sizes = np.array([len(ring) for ring in rings])
    feet = np.repeat(np.array([(tree.x, tree.y, tree.radius) for tree in grown_trees]), sizes, axis=0)
    points = feet[:, :2] + feet[:, 2:] * np.concatenate(rings)
    return np.split(points, np.cumsum(sizes)[:-1])


def draw_crowns(
    grown_trees: Iterable[Tree], context: SymbolContext, layer: LayerName = LayerName.CROWN
) -> LayeredItems:
    """Yield (layer, item) pairs of crowns in printed mm from north to south, so that nearer trees overlap farther ones.

    Trees with ``shaded`` touch no others; they come first, with one stamp for all that look alike.
    """
    tree_order = sorted(grown_trees, key=lambda tree: (-tree.y, tree.x))
    if not tree_order:
        return
    middle_radius = sorted(tree.radius for tree in tree_order)[len(tree_order) // 2]
    looks = {
        name: _build_look(FAMILIES[name], context, middle_radius)
        for name in dict.fromkeys(tree.family for tree in tree_order)
    }
    equal_trees: dict[tuple[str, int], list[Tree]] = {}
    for tree in tree_order:
        if tree.shaded:
            equal_trees.setdefault((tree.family, _shape_number(tree)), []).append(tree)
    for (family, shape), separate_trees in equal_trees.items():
        yield (
            layer,
            Stamp(_draw_artwork(family, shape, looks[family], True), tuple(map(_stamp_transform, separate_trees))),
        )
    for tree in tree_order:
        if not tree.shaded:
            yield (
                layer,
                Stamp(
                    _draw_artwork(tree.family, _shape_number(tree), looks[tree.family], False),
                    (_stamp_transform(tree),),
                ),
            )


def _stamp_transform(tree: Tree) -> Affine:
    """Return the transform of a crown's stamp, from its artwork to printed mm.

    Sizes are rounded, so that writers need only a few hundred transforms. Mirror images are mirrored along the
    direction of light, so that the shade stays in the south-east.
    """
    size = round(tree.radius / UNIT, 3)
    is_mirrored = tree.variant >= FAMILIES[tree.family].variants
    return Affine(*((0.0, -size, -size, 0.0) if is_mirrored else (size, 0.0, 0.0, size)), tree.x, tree.y)


def _shape_number(tree: Tree) -> int:
    """Return the number of a tree's shape in its family, without the mirror images."""
    return tree.variant % FAMILIES[tree.family].variants


def _build_look(family: Family, context: SymbolContext, radius: float) -> _Look:
    """Return the look of a family for trees of about ``radius`` printed mm.

    Its line widths are in mm of the artwork. Strokes scale with the artwork, so their widths are correct at this
    radius. Radii are rounded to steps of the square root of 2, so that neighbouring woods share artworks.
    """
    radius_class = 2 ** (round(2 * math.log2(max(radius, 0.1))) / 2)
    style, share = context.style, UNIT / radius_class
    is_hatched = style.hatched
    return _Look(
        inks=style.family(family.inks),
        shadow=context.tint("shadow", family.shadow) if style.shadows else None,
        shade=style.ink(family.shade),
        light=style.ink(family.light),
        line=style.solid(family.line),
        hatched=is_hatched,
        outline=context.width(family.hatched_outline if is_hatched else family.outline) * share,
        leaf=context.width(family.hatch if is_hatched else family.fine) * share,
    )


@cache
def _draw_artwork(name: str, variant: int, look: _Look, shaded: bool) -> Artwork:
    """Return the artwork of a crown of radius ``UNIT`` (10 mm), with its shadow if it is ``shaded``.

    ``name`` is the family, and ``variant`` the number of the shape in it.
    """
    family = FAMILIES[name]
    crown, count = parts(family.crown, variant), len(look.inks)
    shade, rim, light, lines = family.cover
    layers: list[tuple[tuple[PathRun, ...], Ink | None, Stroke | None]] = []
    if shaded:
        layers.append((runs(crown.shadow * UNIT, closed=True), look.shadow, None))
    for number, ink in enumerate(look.inks):
        layers.append((pieces(family.crown, variant, (number - variant) % count, count), ink, None))
    if look.hatched:
        fine = Stroke(look.line, look.leaf)
        if crown.strokes:
            layers.append((crown.strokes, None, fine))
        elif family.hatch:
            strokes = tuple([run for run, length in crown.hatch if length > look.leaf])
            layers.append((strokes, None, Stroke(look.line, look.leaf, cap=Cap.BUTT)))
        layers.append((crown.leaves[: family.hatched_leaves], None, fine))
    else:
        if look.shade is not None:
            layers += [(crown.shade, look.shade.with_alpha(shade), None), (crown.rim, look.shade.with_alpha(rim), None)]
        if look.light is not None:
            layers.append((crown.light, look.light.with_alpha(light), None))
        layers.append((crown.leaves, None, Stroke(look.line.with_alpha(lines), look.leaf)))
    layers.append((crown.edge, None, Stroke(look.line, look.outline)))
    paths = [Path(path_runs, fill=ink, stroke=stroke) for path_runs, ink, stroke in layers if path_runs]
    if crown.heart:
        paths += dots([(0.0, 0.0)], crown.heart * UNIT, look.line)
    return Artwork(f"{name}-{variant + 1}{'s' if shaded else ''}", tuple(paths))


@cache
def _shadow_outline(name: str, variant: int) -> Line:
    """Return a coarse outline of the shadow of a tree of radius 1, as points, n x 2.

    ``variant`` counts from 0; from the number of shapes of the family on, shapes are mirrored.
    """
    family = FAMILIES[name]
    points = parts(family.crown, variant % family.variants).shadow
    # Reverse the points, because mirroring reverses the direction of the ring.
    return -points[::-1, ::-1] if variant >= family.variants else points


@cache
def _bounds(name: str, variant: int) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a crown and its shadow, in radii of the crown."""
    east, north = np.vstack([_shadow_outline(name, variant), ((-_REACH, -_REACH), (_REACH, _REACH))]).T
    return float(east.min()), float(north.min()), float(east.max()), float(north.max())


# Every family by the token of its inks.
FAMILIES: Final = {inks: convert({"inks": inks, **row}, Family) for inks, row in template("symbols", "crowns").items()}
