"""Hills: tint, light and shade, hachures, crests, contours, form lines, cliff and scree faces, and trees or scrub.

Source: the cartography, 9.2, 9.3 and 10.1.

They waver and break off, and are thinner and paler than contours, so that nobody takes them for the edge of a level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import FillRule, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import (
    Line,
    fill,
    fills,
    lines,
    normals,
    outline,
    polygons,
    resampled,
    ribbon,
    wedges,
)
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext, inset_areas
from printkit.drawing.scatter.crowns import standing
from printkit.drawing.signs.cover.low_plants import place_bushes
from printkit.drawing.signs.cover.woods import (
    GROWTHS,
    draw_forest,
    find_treeless_ground,
    plant_grove,
    remove_trees_near,
)
from printkit.drawing.signs.lines.course_lines import draw_area_ground, median, on_layer
from printkit.drawing.signs.relief.hachures import (
    APRON,
    GENTLE,
    Hachure,
    Slope,
    compute_crest_widths,
    make_hachures,
    prepare_slope,
)
from printkit.drawing.signs.relief.landforms import ON_CONTOUR, Numbers, find_connected_hills, join_hills, smooth_ring
from printkit.drawing.signs.relief.large_hills import compute_largeness, find_tint_areas
from printkit.drawing.signs.relief.reentrants import add_reentrants
from printkit.drawing.signs.relief.relief_field import ContourLevel, Regions, Relief, Shade, clip_regions, draw_shades
from printkit.drawing.signs.relief.rocks import draw_cliff, draw_scree
from printkit.drawing.signs.relief.spine_strokes import find_crest_lines, make_spine_strokes
from printkit.drawing.signs.relief.traces import STEP
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Hill, HillFace, Kind

# Radius of the largest circle inside a level, in mm at 1:1, from which it has one form line.
_FROM: Final = 62.0
_TWO_FROM: Final = 110.0  # The same radius from which it has two form lines

_ONE: Final = (0.46,)  # Inset of a single form line, in radii
_TWO: Final = (0.34, 0.62)  # Insets of two form lines, in radii

_ROUNDED: Final = 0.10
_MOVED: Final = 0.10
_MOVED_WAVE: Final = 0.9
_SHOWN_WAVE: Final = 1.1
_SHOWN_FROM: Final = -0.35
# Shift of the noise that breaks a line, in radii. Unshifted noise would break lines always at the same bends.
_ELSEWHERE: Final = 41.0

# Least share of a line that is left out, because a closed line would look like a contour.
_LEAST_GAP: Final = 0.12

_STEP: Final = 3.0
_EVEN: Final = 0.6
_OFF_STROKES: Final = 1.2
_LEAST: Final = 16.0
_WITHIN: Final = 0.05

_INK: Final = 0.55
_LINE: Final = ("contour", 0.28, (6.5, 1.6))  # Ink, width and dash in mm at 1:1
# The line in styles without washes, where a black line would look like a stroke.
_LINE_ALONE: Final = ("tuft", 0.24, (5.0, 2.6))


def draw_form_lines(relief: Relief, hachures: Sequence[Hachure], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the form lines of a hill, or the crest line of a ridge, clear of its strokes.

    ``hachures`` are these strokes. Shapes and items are in printed mm.
    """
    if relief.spine is not None:
        line_pieces = find_crest_lines(relief.spine)
    else:
        line_pieces = [line for level in relief.levels for line in find_form_lines(level, relief, context)]
    if line_pieces:
        line_pieces = _remove_near_strokes(line_pieces, hachures, context)
    if line_pieces:
        token, width, dash = _LINE if context.style.washes else _LINE_ALONE
        ink = context.tint(token, _INK)
        yield from on_layer(
            LayerName.CONTOUR, outline(line_pieces, context.stroke(ink, width, dash=dash) if ink else None)
        )


def find_form_lines(level: ContourLevel, relief: Relief, context: SymbolContext) -> Iterator[Line]:
    """Yield the pieces of the form lines of a level, each an n x 2 array in printed mm.

    There are none if the level is small or has a contour above it.
    """
    radius = level.deepest
    if radius < context.size(_FROM) or relief.levels_above(level):
        return
    for inset in _ONE if radius < context.size(_TWO_FROM) else _TWO:
        inner_area = level.contour.buffer(-(inset + _ROUNDED) * radius).buffer(_ROUNDED * radius)
        for part in polygons(inner_area):
            ring = _make_wavy_ring(part, radius, context)
            yield from _find_drawn_parts(ring, relief.grid.at(level.slope, ring) < GENTLE, radius, context)


def _remove_near_strokes(
    line_pieces: Sequence[Line], hachures: Sequence[Hachure], context: SymbolContext
) -> list[Line]:
    """Return lines in printed mm without the parts near strokes.

    Short remaining pieces are dropped. Each line is n x 2; a line can become several.
    """
    shapes = np.array([shapely.linestrings(line) for line in line_pieces], dtype=object)
    if hachures:
        min_distance = context.size(_OFF_STROKES)
        strokes = shapely.linestrings(np.array([stroke.points[[0, -1]] for stroke in hachures]))
        _, stroke_indices = shapely.STRtree(strokes).query(shapes, predicate="dwithin", distance=min_distance)
        # ``np.unique`` would import the masked arrays.
        near_strokes = strokes[np.flatnonzero(np.bincount(stroke_indices))]
        shapes = shapely.difference(shapes, shapely.union_all(shapely.buffer(near_strokes, min_distance, quad_segs=2)))
    return [shapely.get_coordinates(line) for line in lines(shapes) if line.length > context.size(_LEAST)]


def _make_wavy_ring(part: shapely.Polygon, radius: float, context: SymbolContext) -> Line:
    """Return the points around a part of the ground, moved in or out by noise and smoothed.

    Coordinates are in printed mm. ``radius`` is that of the largest circle in the hill; it scales the waves.
    """
    line = shapely.normalize(part).exterior
    ring = resampled(line, context.size(_STEP))
    shifts = context.noise.at(ring[:, 0], ring[:, 1], _MOVED_WAVE * radius)
    shifted = (ring + normals(ring) * (_MOVED * radius * shifts)[:, None])[:-1]
    return np.column_stack([smooth_ring(axis, _EVEN * radius, line.length) for axis in shifted.T])


def _find_drawn_parts(ring: Line, gentle: NDArray[np.bool_], radius: float, context: SymbolContext) -> Iterator[Line]:
    """Yield the parts of a ring that are drawn, each an n x 2 array in printed mm.

    Steep faces have a crest instead of a form line. Neighbouring points are about 3 mm at 1:1 apart. At least 12
    percent of the ring is left out.

    Args:
        ring: points of the ring, n x 2.
        gentle: whether the ground is gentle at each point.
        radius: radius of the largest circle in the hill; it scales the breaks.
        context: gives sizes and noise.
    """
    noise = context.noise.at(ring[:, 0] + _ELSEWHERE * radius, ring[:, 1], _SHOWN_WAVE * radius)
    is_drawn = noise > max(_SHOWN_FROM, float(np.sort(noise)[int(_LEAST_GAP * len(noise))]))
    is_drawn &= gentle
    first = int(is_drawn.argmin())
    ring, is_drawn = np.roll(ring, -first, axis=0), np.roll(is_drawn, -first)
    for run in np.split(np.arange(len(ring)), np.flatnonzero(np.diff(is_drawn.astype(int))) + 1):
        if is_drawn[run[0]] and len(run) > 1:
            yield shapely.get_coordinates(shapely.linestrings(ring[run]).simplify(context.size(_WITHIN)))


# --- Trees and scrub on a hill, far enough inside its contours to leave the hachures visible --------------------------

# Distance of trees inside a contour in mm, on small and on large hills (radii in ``_ON``).
_INSET: Final = (8.0, 17.0)
_INSET_NARROW: Final = (8.0, 13.5)  # The same for hills with several contours

_ON: Final = (14.0, 32.0)  # Radii in mm of the largest circles inside those small and large hills

_INSET_STEEP: Final = 27.5
_TO_MIDDLE: Final = 0.85
_BELOW_CONTOUR: Final = 0.9
_SCRUB_RADIUS: Final = 3.0


def cover(hill: Hill, relief: Relief, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw the trees or bushes of a hill; nothing on a hill without a cover.

    Args:
        hill: the hill.
        relief: relief of the complete ground; the hill may be a part of it.
        context: gives the style, sizes and random streams.
        field: the battlefield in printed mm.
    """
    board_area = shapely.intersection(hill.outline, field.board.shape)
    stream = context.stream(f"draw/{hill.id}/trees")
    if hill.cover is Kind.SCRUB:
        tree_area = shapely.intersection(_find_tree_area(relief, context.size(_SCRUB_RADIUS), context), board_area)
        tree_stand = remove_trees_near(
            find_treeless_ground(field, context), place_bushes(tree_area, context.clear, context, stream), radii=1.0
        )
        yield from standing(tree_stand, context, LayerName.GROUND_PATTERN)
    elif hill.cover is not None and (growth := GROWTHS.get(hill.cover)) is not None:
        crown_mm, spacing = growth.on_hill
        radius = context.size(crown_mm)
        tree_area = shapely.intersection(_find_tree_area(relief, radius, context), board_area)
        if growth.closed:
            ground = shapely.intersection(tree_area.buffer(_TO_MIDDLE * radius), board_area)
            yield from draw_forest(
                shapely.difference(ground, find_treeless_ground(field, context)), growth, radius, context, stream
            )
            return
        tree_stand = plant_grove(tree_area, growth, radius, context, stream, spacing=spacing, edge=False)
        tree_stand = remove_trees_near(find_treeless_ground(field, context), tree_stand, radii=1.0)
        yield from standing(tree_stand, context)


def _find_tree_area(relief: Relief, radius: float, context: SymbolContext) -> BaseGeometry:
    """Return the area for the centres of trees, in printed mm; empty if the hill is too small.

    It is above the hachures of each contour and below the next contour. ``radius`` is that of a tree in printed mm.
    """
    tree_area: BaseGeometry = Polygon()
    insets = _INSET if len(relief.levels) == 1 else _INSET_NARROW
    for level in relief.levels:
        inset = float(np.interp(level.deepest / context.size(1), _ON, insets))
        crest = min(_INSET_STEEP, 0.78 * level.deepest / context.size(1) + 4.0)
        needed_mm = context.size(1) * (inset + max(0.0, crest - inset) * level.slope)
        above = relief.grid.area_above(level.inside - needed_mm, 0.0)
        below = shapely.difference(tree_area, level.contour.buffer(_BELOW_CONTOUR * radius))
        tree_area = shapely.union(below, shapely.intersection(above, level.contour))
    return tree_area


# --- Faces of a hill with a separate symbol ---------------------------------------------------------------------------

_CLIFF_INSET: Final = 6.0
_CLIFF_DEPTH: Final = 5.6
_CLIFF_WITHIN: Final = 0.15
_SCREE_INSET: Final = 0.9
_SHARE_OF_HILL: Final = 0.78
_RINGS: Final = ((2.4, 0.07), (1.1, 0.10))


def faces(hill: Hill, relief: Relief, slope: Slope, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the cliffs and scree along the outermost contour of a hill.

    Shapes and items are in printed mm.

    Args:
        hill: the hill with its faces.
        relief: its relief.
        slope: slope of the outermost contour.
        context: context with the stroke size of this hill.
    """
    for number, face in enumerate(hill.faces):
        if face.kind not in (Kind.CLIFF, Kind.SCREE):
            continue
        name = f"draw/{hill.id}/face/{number}"
        for indices in _find_face_runs(face, slope):
            if face.kind is Kind.CLIFF:
                yield from _draw_cliff(indices, slope, context, name)
            else:
                yield from _draw_scree(indices, relief, slope, context, name)


def _find_face_runs(face: HillFace, slope: Slope) -> Iterator[NDArray[np.int64]]:
    """Yield the indices of contour places on a face, run by run.

    For a face all round the hill they are all places, and the first again. Each run has at least four places, in the
    order of the contour; indices count from 0.
    """
    is_on_face = shapely.distance(shapely.points(slope.level.places), face.line) < ON_CONTOUR
    if is_on_face.all():
        yield np.append(np.arange(len(is_on_face)), 0)
        return
    first = int(is_on_face.argmin())
    order = np.roll(np.arange(len(is_on_face)), -first)
    for run in np.split(order, np.flatnonzero(np.diff(is_on_face[order].astype(int))) + 1):
        if is_on_face[run[0]] and len(run) > 3:
            yield run


def _find_heads(indices: NDArray[np.int64], steps: Numbers, slope: Slope) -> Line:
    """Return the points ``steps`` above places of the contour, or at the end of their traces.

    ``indices`` are those of the places, from 0. A step is 0.7 mm at 1:1. The result is an n x 2 array in printed mm.
    """
    return slope.traces.at(indices.astype(float), np.minimum(steps, slope.traces.steps[indices]))


def _draw_cliff(indices: NDArray[np.int64], slope: Slope, context: SymbolContext, name: str) -> LayeredItems:
    """Yield (layer, item) pairs that draw a cliff along contour places, given by their indices.

    ``name`` names the random stream. The places run counterclockwise, so the drop is on the right. Shapes and items are
    in printed mm.
    """
    crest = LineString(_find_heads(indices, np.full(len(indices), _CLIFF_INSET / STEP), slope))
    simple_crest = crest.simplify(context.size(_CLIFF_WITHIN))
    yield from draw_cliff(simple_crest, context, context.stream(name), depth=context.size(_CLIFF_DEPTH))


def _draw_scree(
    indices: NDArray[np.int64], relief: Relief, slope: Slope, context: SymbolContext, name: str
) -> LayeredItems:
    """Yield (layer, item) pairs that draw scree above contour places, given by their indices.

    ``name`` names the random stream. It has a fine top at the crest and a coarse foot at the contour. Shapes and items
    are in printed mm.
    """
    level, grid = slope.level, relief.grid
    max_steps = np.minimum(APRON / STEP, _SHARE_OF_HILL * level.deepest / context.size(STEP))
    top_points = _find_heads(indices, np.full(len(indices), max_steps), slope)
    slope_area = Polygon(np.vstack([level.places[indices], top_points[::-1]])).buffer(0)
    apron = shapely.intersection(slope_area, level.contour.buffer(-context.size(_SCREE_INSET)))
    full_depth = max(median(grid.at(level.inside, top_points)), context.size(1.0))

    def compute_fall(points: Line) -> Numbers:
        """Return how far down points in printed mm are, from 0 at the top to 1 at the contour."""
        return np.asarray(np.clip(1 - grid.at(level.inside, points) / full_depth, 0.0, 1.0))

    yield from draw_area_ground(apron, context, ("scree-ground", "stones-wash-edge"), rings=_RINGS)
    scree_area = shapely.difference(apron, context.clear)
    stones = draw_scree(scree_area, 0.0, context, context.stream(name), fall_share=compute_fall)
    yield from on_layer(LayerName.GROUND_PATTERN, stones)


_TINTS: Final = ("hill-1", "hill-2", "hill-3")
_SOFT_TINTS: Final = (5.0, 10.0, 16.0, 23.0)
_SOFT_TINT: Final = 0.10
_LARGE_TINT: Final = 0.113  # Five bands of it are 45 percent of the next level's tint.
_DARK: Final = Shade("relief-shade", -0.03, -0.42, 16, 0.031)
_LIT: Final = Shade("relief-light", 0.02, 0.24, 11, 0.052)
_CREST: Final = 0.75
_CREST_HORN: Final = 0.08
# Inks of strokes, each with its least steepness
_INKS: Final = (("hachure-gentle", 0.0), ("hachure", 0.35), ("hachure-steep", 0.75))

_SMALL: Final = (12.0, 25.0)
_SMALLER: Final = (0.62, 0.80)


def hill(feature: Hill, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Yield (layer, item) pairs that draw a hill with any number of contours.

    The first of several touching hills draws the ground of all. Shapes and items are in printed mm.
    """
    ground_hill = join_hills(feature, field, context)
    if ground_hill is None:
        return
    members = find_connected_hills(feature, field, context)
    relief = Relief.from_hill(ground_hill, context, members)
    yield from _draw_tints(ground_hill, relief, context)
    hachures: list[Hachure] = []
    above: list[LayeredItems] = []
    stroke_context = context
    for number, level in enumerate(relief.levels):
        stroke_context = (
            stroke_context
            if stroke_context.factor < context.factor
            else context.smaller(_compute_stroke_size(level.deepest, context))
        )
        slope = prepare_slope(relief, level, stroke_context)
        hachures.extend(make_hachures(slope, stroke_context, f"draw/{feature.id}/hachures/{number}"))
        if number == 0 and field.grid is None:
            hachures = add_reentrants(relief, slope, hachures, stroke_context, f"draw/{feature.id}/hachures")
        above.append(_draw_crest(slope, stroke_context))
        if number == 0:
            above.append(faces(ground_hill, relief, slope, stroke_context))
    if relief.spine is not None:
        hachures.extend(
            make_spine_strokes(relief.spine, relief.levels[0], hachures, stroke_context, f"draw/{feature.id}/hachures")
        )
    yield from _draw_hachures(hachures, context)
    for items in above:
        yield from items
    form = relief.landform
    line = context.stroke(context.style.solid("contour"), form.contour, dash=form.dash, minimum_mm=LEAST_MEANING)
    yield from on_layer(LayerName.CONTOUR, outline(list(ground_hill.contours), line))
    if field.grid is None:  # A hill on grid cells takes the shape of its cells.
        yield from draw_form_lines(relief, hachures, context)
    for member in members:
        if member.cover is not None:
            yield from cover(member, relief, context, field)


def _draw_tints(feature: Hill, relief: Relief, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the tints, deeper with each level, and the bands of light and shade over them.

    Shapes and items are in printed mm.
    """
    style = context.style
    tints = [style.ink(token) for token in _TINTS]
    for level in relief.levels:
        contour, rank = level.contour, level.rank
        paths = fill(contour, tints[min(rank, 2)])
        following = tints[min(rank + 1, 2)]
        if rank == 0 and following is not None:
            if compute_largeness(level.deepest, context) > 0:
                areas = find_tint_areas(level, relief, context)
                paths += clip_regions(areas, contour, following.with_alpha(_LARGE_TINT), context)
            else:
                insets = np.array([context.size(inset) for inset in _SOFT_TINTS])
                paths += fills(inset_areas(contour, insets, context), repeat(following.with_alpha(_SOFT_TINT)))
        yield from on_layer(LayerName.HILL_TINT, paths)
    light = Regions.from_field(relief.light_grid, relief.light)
    dark, lit = _DARK.finer(relief.finer), _LIT.finer(relief.finer)
    yield from on_layer(LayerName.RELIEF, draw_shades(light, feature.outline, context, dark, lit))


def _compute_stroke_size(deepest: float, context: SymbolContext) -> float:
    """Return the size factor for hachures of a hill, 0.62 to 1.

    ``deepest`` is the radius of the largest circle inside it, in printed mm.
    """
    narrow, wide = (context.size(radius) for radius in _SMALL)
    return float(np.interp(deepest, (narrow, wide), _SMALLER)) if deepest < wide else 1.0


def _draw_hachures(hachures: Sequence[Hachure], context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of all strokes of a hill, one path for each of three inks, paler on gentler ground.

    Shapes and items are in printed mm.
    """
    limits = [min_steepness for _, min_steepness in _INKS[1:]] + [np.inf]
    for (token, min_steepness), max_steepness in zip(_INKS, limits, strict=True):
        wedge_strokes = (
            (stroke.points, stroke.head, stroke.foot)
            for stroke in hachures
            if min_steepness <= stroke.steepness < max_steepness
        )
        yield from on_layer(LayerName.HACHURE, wedges(wedge_strokes, context.style.ink(token)))


def _draw_crest(slope: Slope, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw the line along the top of a steep face, which tapers at its ends.

    Shapes and items are in printed mm.
    """
    ink = context.style.solid("hachure-steep")
    weights = compute_crest_widths(slope, context)
    full_width = context.width(_CREST, minimum_mm=LEAST_MEANING)
    if weights.min() > 0:
        ring = shapely.make_valid(Polygon(slope.crest))
        thin = _CREST_HORN * slope.level.deepest
        ring = ring.buffer(-thin).buffer(thin) or ring  # Removes the spike that the crest of a spur end would have.
        yield from on_layer(LayerName.HACHURE, outline(ring, context.stroke(ink, _CREST, minimum_mm=LEAST_MEANING)))
        return
    first = int(weights.argmin())
    ring_points, ring_weights = np.roll(slope.crest, -first, axis=0), np.roll(weights, -first)
    for run in np.split(np.arange(len(ring_weights)), np.flatnonzero(np.diff(ring_weights > 0)) + 1):
        if ring_weights[run[0]] > 0 and len(run) > 4:
            band = ribbon(ring_points[run], full_width * ring_weights[run])
            yield from on_layer(LayerName.HACHURE, fill(band, ink, rule=FillRule.NON_ZERO))
