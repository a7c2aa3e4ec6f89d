"""Hills: tint, light and shade, hachures, crests, contours, cliff and scree faces, and trees or scrub.

Source: the cartography, 9.2, 9.3 and 10.1.
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

from printkit.drawing.canvas.area_fill import inset_areas
from printkit.drawing.canvas.items import FillRule, LayeredItems, LayerName
from printkit.drawing.canvas.shapes import Line, fill, fills, outline, ribbon, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, SymbolContext
from printkit.drawing.scatter.crowns import standing
from printkit.drawing.signs.cover.scrub import bushes
from printkit.drawing.signs.cover.woods import GROWTHS, clear_of, forest, grove, left_open
from printkit.drawing.signs.lines.course_lines import floor, median, on
from printkit.drawing.signs.relief.form_lines import form_lines
from printkit.drawing.signs.relief.hachures import APRON, STEP, Hachure, Slope, crest_widths, prepared, strokes
from printkit.drawing.signs.relief.landforms import ON_CONTOUR, Numbers, massif, together
from printkit.drawing.signs.relief.relief_field import Regions, Relief, Shade, shades
from printkit.drawing.signs.relief.rocks import cliff_along, scree_within
from printkit.drawing.signs.relief.spine_strokes import spine_strokes
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Hill, HillFace, Kind

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
    """Draw the trees or bushes of a hill.

    Args:
        hill: the hill with a cover.
        relief: relief of the complete ground; the hill may be a part of it.
        context: gives the style, sizes and random streams.
        field: the battlefield in printed mm.
    """
    within = shapely.intersection(hill.outline, field.board.shape)
    stream = context.stream(f"draw/{hill.id}/trees")
    if hill.cover is Kind.SCRUB:
        room = shapely.intersection(_room(relief, context.size(_SCRUB_RADIUS), context), within)
        stand = clear_of(left_open(field, context), bushes(room, context.clear, context, stream), radii=1.0)
        yield from standing(stand, context, LayerName.GROUND_PATTERN)
    elif hill.cover is not None and (growth := GROWTHS.get(hill.cover)) is not None:
        large, spacing = growth.on_hill
        radius = context.size(large)
        room = shapely.intersection(_room(relief, radius, context), within)
        if growth.closed:
            ground = shapely.intersection(room.buffer(_TO_MIDDLE * radius), within)
            yield from forest(shapely.difference(ground, left_open(field, context)), growth, radius, context, stream)
            return
        stand = grove(room, growth, radius, context, stream, spacing=spacing, edge=False)
        stand = clear_of(left_open(field, context), stand, radii=1.0)
        yield from standing(stand, context)


def _room(relief: Relief, radius: float, context: SymbolContext) -> BaseGeometry:
    """Return the area for the centres of trees: above the hachures of one contour, below the next contour."""
    room: BaseGeometry = Polygon()
    insets = _INSET if len(relief.levels) == 1 else _INSET_NARROW
    for level in relief.levels:
        inset = float(np.interp(level.deepest / context.size(1), _ON, insets))
        crest = min(_INSET_STEEP, 0.78 * level.deepest / context.size(1) + 4.0)
        wanted = context.size(1) * (inset + max(0.0, crest - inset) * level.slope)
        above = relief.grid.above(level.inside - wanted, 0.0)
        below = shapely.difference(room, level.contour.buffer(_BELOW_CONTOUR * radius))
        room = shapely.union(below, shapely.intersection(above, level.contour))
    return room


# --- Faces of a hill with a separate symbol ---------------------------------------------------------------------------

_CLIFF_INSET: Final = 6.0
_CLIFF_DEPTH: Final = 5.6
_CLIFF_WITHIN: Final = 0.15
_SCREE_INSET: Final = 0.9
_SHARE_OF_HILL: Final = 0.78
_RINGS: Final = ((2.4, 0.07), (1.1, 0.10))


def faces(hill: Hill, relief: Relief, slope: Slope, context: SymbolContext) -> LayeredItems:
    """Draw the cliffs and scree along the outermost contour of a hill.

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
        for spots in _stretches(face, slope):
            if face.kind is Kind.CLIFF:
                yield from _cliff(spots, slope, context, name)
            else:
                yield from _scree(spots, relief, slope, context, name)


def _stretches(face: HillFace, slope: Slope) -> Iterator[NDArray[np.int64]]:
    """Yield the indices of contour places on a face, run by run; all of them for a face all round the hill."""
    near = shapely.distance(shapely.points(slope.level.places), face.line) < ON_CONTOUR
    if near.all():
        yield np.append(np.arange(len(near)), 0)
        return
    first = int(near.argmin())
    order = np.roll(np.arange(len(near)), -first)
    for stretch in np.split(order, np.flatnonzero(np.diff(near[order].astype(int))) + 1):
        if near[stretch[0]] and len(stretch) > 3:
            yield stretch


def _heads(spots: NDArray[np.int64], steps: Numbers, slope: Slope) -> Line:
    """Return the points ``steps`` above places of the contour, or at the end of their traces."""
    return slope.traces.at(spots.astype(float), np.minimum(steps, slope.traces.steps[spots]))


def _cliff(spots: NDArray[np.int64], slope: Slope, context: SymbolContext, name: str) -> LayeredItems:
    """Draw a cliff. The places run counterclockwise, so the drop is on the right."""
    crest = LineString(_heads(spots, np.full(len(spots), _CLIFF_INSET / STEP), slope))
    smooth = crest.simplify(context.size(_CLIFF_WITHIN))
    yield from cliff_along(smooth, context, context.stream(name), depth=context.size(_CLIFF_DEPTH))


def _scree(spots: NDArray[np.int64], relief: Relief, slope: Slope, context: SymbolContext, name: str) -> LayeredItems:
    """Draw scree from its fine top at the crest to its coarse foot at the contour."""
    level, grid = slope.level, relief.grid
    most = np.minimum(APRON / STEP, _SHARE_OF_HILL * level.deepest / context.size(STEP))
    high = _heads(spots, np.full(len(spots), most), slope)
    whole = Polygon(np.vstack([level.places[spots], high[::-1]])).buffer(0)
    apron = shapely.intersection(whole, level.contour.buffer(-context.size(_SCREE_INSET)))
    deep = max(median(grid.at(level.inside, high)), context.size(1.0))

    def fallen(places: Line) -> Numbers:
        return np.asarray(np.clip(1 - grid.at(level.inside, places) / deep, 0.0, 1.0))

    yield from floor(apron, context, ("scree-ground", "stones-wash-edge"), rings=_RINGS)
    room = shapely.difference(apron, context.clear)
    yield from scree_within(room, 0.0, context, context.stream(name), fallen=fallen)


_TINTS: Final = ("hill-1", "hill-2", "hill-3")
_SOFT_TINTS: Final = (5.0, 10.0, 16.0, 23.0)
_SOFT_TINT: Final = 0.10
_DARK: Final = Shade("relief-shade", -0.03, -0.42, 16, 0.031)
_LIT: Final = Shade("relief-light", 0.02, 0.24, 11, 0.052)
_CREST: Final = 0.75
_CREST_HORN: Final = 0.08
# Inks of strokes, each with its least steepness
_INKS: Final = (("hachure-gentle", 0.0), ("hachure", 0.35), ("hachure-steep", 0.75))

_SMALL: Final = (12.0, 25.0)
_SMALLER: Final = (0.62, 0.80)


def hill(feature: Hill, context: SymbolContext, field: Battlefield) -> LayeredItems:
    """Draw a hill with any number of contours. The first of several touching hills draws the ground of all."""
    whole = massif(feature, field, context)
    if whole is None:
        return
    members = together(feature, field, context)
    relief = Relief.of(whole, context, members)
    yield from _ground(whole, relief, context)
    found: list[Hachure] = []
    above: list[LayeredItems] = []
    small = context
    for number, level in enumerate(relief.levels):
        small = small if small.factor < context.factor else context.smaller(_stroke_size(level.deepest, context))
        slope = prepared(relief, level, small)
        found.extend(strokes(slope, small, f"draw/{feature.id}/hachures/{number}"))
        above.append(_crest(slope, small))
        if number == 0:
            above.append(faces(whole, relief, slope, small))
    if relief.spine is not None:
        found.extend(spine_strokes(relief.spine, relief.levels[0], found, small, f"draw/{feature.id}/hachures"))
    yield from _hachures(found, context)
    for laid in above:
        yield from laid
    form = relief.landform
    line = context.stroke(context.style.solid("contour"), form.contour, dash=form.dash, minimum_mm=LEAST_MEANING)
    yield from on(LayerName.CONTOUR, outline(list(whole.contours), line))
    if field.grid is None:  # A hill on grid cells takes the shape of its cells.
        yield from form_lines(relief, found, context)
    for member in members:
        if member.cover is not None:
            yield from cover(member, relief, context, field)


def _ground(feature: Hill, relief: Relief, context: SymbolContext) -> LayeredItems:
    """Draw the tints, deeper with each level, and the bands of light and shade over them."""
    style = context.style
    tints = [style.ink(token) for token in _TINTS]
    for level in relief.levels:
        contour, rank = level.contour, level.rank
        paths = fill(contour, tints[min(rank, 2)])
        following = tints[min(rank + 1, 2)]
        if rank == 0 and following is not None:
            insets = np.array([context.size(inset) for inset in _SOFT_TINTS])
            paths += fills(inset_areas(contour, insets, context), repeat(following.with_alpha(_SOFT_TINT)))
        yield from on(LayerName.HILL_TINT, paths)
    light = Regions.of(relief.light_grid, relief.light)
    dark, lit = _DARK.finer(relief.finer), _LIT.finer(relief.finer)
    yield from on(LayerName.RELIEF, shades(light, feature.outline, context, dark, lit))


def _stroke_size(deepest: float, context: SymbolContext) -> float:
    """Return the size factor for hachures of a hill by the radius of its largest circle in printed mm."""
    narrow, wide = (context.size(radius) for radius in _SMALL)
    return float(np.interp(deepest, (narrow, wide), _SMALLER)) if deepest < wide else 1.0


def _hachures(found: Sequence[Hachure], context: SymbolContext) -> LayeredItems:
    """Draw all strokes of a hill, one path for each of three inks, paler on gentler ground."""
    limits = [least for _, least in _INKS[1:]] + [np.inf]
    for (token, least), most in zip(_INKS, limits, strict=True):
        chosen = ((stroke.points, stroke.head, stroke.foot) for stroke in found if least <= stroke.steepness < most)
        yield from on(LayerName.HACHURE, wedges(chosen, context.style.ink(token)))


def _crest(slope: Slope, context: SymbolContext) -> LayeredItems:
    """Draw the line along the top of a steep face. It tapers at its ends."""
    ink = context.style.solid("hachure-steep")
    share = crest_widths(slope, context)
    full = context.width(_CREST, minimum_mm=LEAST_MEANING)
    if share.min() > 0:
        ring = shapely.make_valid(Polygon(slope.crest))
        thin = _CREST_HORN * slope.level.deepest
        ring = ring.buffer(-thin).buffer(thin) or ring  # Removes the spike that the crest of a spur end would have.
        yield from on(LayerName.HACHURE, outline(ring, context.stroke(ink, _CREST, minimum_mm=LEAST_MEANING)))
        return
    first = int(share.argmin())
    turned, heavy = np.roll(slope.crest, -first, axis=0), np.roll(share, -first)
    for stretch in np.split(np.arange(len(heavy)), np.flatnonzero(np.diff(heavy > 0)) + 1):
        if heavy[stretch[0]] > 0 and len(stretch) > 4:
            band = ribbon(turned[stretch], full * heavy[stretch])
            yield from on(LayerName.HACHURE, fill(band, ink, rule=FillRule.NON_ZERO))
