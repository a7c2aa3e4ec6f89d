"""Hills: tint, light and shade, hachures, crests, faces and contours, and what grows on them.

Source: the cartography, 9.2, 9.3 and 10.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Final

import numpy as np
import shapely
from shapely import Polygon

from printkit.drawing.canvas.items import Laid, LayerName, Rule
from printkit.drawing.canvas.shapes import fill, fills, outline, ribbon, wedges
from printkit.drawing.canvas.symbol_context import LEAST_MEANING, Pen
from printkit.drawing.signs.relief.hachures import Stroke, strokes
from printkit.drawing.signs.relief.hill_cover import cover
from printkit.drawing.signs.relief.hill_faces import faces
from printkit.drawing.signs.relief.landforms import covered_hills, massif
from printkit.drawing.signs.relief.relief_field import Regions, Relief
from printkit.drawing.signs.relief.slopes import Slope, crest_widths, prepared
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Hill

_TINTS: Final = ("hill-1", "hill-2", "hill-3")
_SOFT_TINTS: Final = (5.0, 10.0, 16.0, 23.0)
_SOFT_TINT: Final = 0.10
_DARK: Final = (-0.03, -0.42, 16, 0.031)
_LIT: Final = (0.02, 0.24, 11, 0.052)
"""First and last level of the light, how many bands between, and how much each of them covers."""

_BAND_WITHIN: Final = 0.06
_CREST: Final = 0.75
_INKS: Final = (("hachure-gentle", 0.0), ("hachure", 0.35), ("hachure-steep", 0.75))
"""Inks of strokes, each with the least steepness it is for."""

_SMALL: Final = (12.0, 25.0)
_SMALLER: Final = (0.62, 0.80)


def hill(feature: Hill, pen: Pen, field: Battlefield) -> Laid:
    """Draw a hill of any number of contours; where hills run on into one another the first draws the whole ground."""
    whole = massif(feature, field, pen)
    if whole is None:
        return
    relief = Relief.of(whole, pen)
    yield from _ground(whole, relief, pen)
    found: list[Stroke] = []
    above: list[Laid] = []
    small = pen
    for number, level in enumerate(relief.levels):
        small = small if small.factor < pen.factor else pen.smaller(_stroke_size(level.deepest, pen))
        slope = prepared(relief, level, small)
        found.extend(strokes(slope, small, f"draw/{feature.id}/hachures/{number}"))
        above.append(_crest(slope, small))
        if number == 0:
            above.append(faces(whole, relief, slope, small))
    yield from _hachures(found, pen)
    for laid in above:
        yield from laid
    form = relief.landform
    line = pen.stroke(pen.style.solid("contour"), form.contour, dash=form.dash, least=LEAST_MEANING)
    for path in outline(list(whole.contours), line):
        yield LayerName.CONTOUR, path
    for covered in covered_hills(feature, field, pen):
        yield from cover(covered, relief, pen, field)


def _ground(feature: Hill, relief: Relief, pen: Pen) -> Laid:
    """Draw the tints, deepening as the ground rises, and above them the bands of light and shade."""
    style = pen.style
    tints = [style.ink(token) for token in _TINTS]
    for level in relief.levels:
        contour, rank = level.contour, level.rank
        paths = fill(contour, tints[min(rank, 2)])
        following = tints[min(rank + 1, 2)]
        if rank == 0 and following is not None:
            insets = np.array([pen.size(inset) for inset in _SOFT_TINTS])
            paths += fills(shapely.buffer(contour, -insets, quad_segs=6), repeat(following.thin(_SOFT_TINT)))
        for path in paths:
            yield LayerName.HILL_TINT, path
    light = Regions.of(relief.grid, relief.light)
    for token, (first, last, count, alpha), region in (
        ("relief-shade", _DARK, light.below),
        ("relief-light", _LIT, light.above),
    ):
        ink = style.ink(token)
        if ink is None:
            continue
        found = [region(level) for level in np.linspace(first, last, count).tolist()]
        bands = shapely.simplify(shapely.intersection(found, feature.outline), pen.size(_BAND_WITHIN))
        for path in fills(bands, repeat(ink.thin(alpha))):
            yield LayerName.RELIEF, path


def _stroke_size(deepest: float, pen: Pen) -> float:
    """Return how much smaller hachures are on a hill whose largest inscribed circle has this radius in printed mm."""
    narrow, wide = (pen.size(radius) for radius in _SMALL)
    return float(np.interp(deepest, (narrow, wide), _SMALLER)) if deepest < wide else 1.0


def _hachures(found: Sequence[Stroke], pen: Pen) -> Laid:
    """Draw all strokes of a hill: one path for each of three inks, paler where the ground is gentler."""
    limits = [least for _, least in _INKS[1:]] + [np.inf]
    for (token, least), most in zip(_INKS, limits, strict=True):
        chosen = ((stroke.points, stroke.head, stroke.foot) for stroke in found if least <= stroke.steepness < most)
        for path in wedges(chosen, pen.style.ink(token)):
            yield LayerName.HACHURE, path


def _crest(slope: Slope, pen: Pen) -> Laid:
    """Draw the line along the heads of a steep face; at its ends it thins out."""
    ink = pen.style.solid("hachure-steep")
    share = crest_widths(slope, pen)
    full = pen.width(_CREST, least=LEAST_MEANING)
    if share.min() > 0:
        for path in outline(Polygon(slope.crest), pen.stroke(ink, _CREST, least=LEAST_MEANING)):
            yield LayerName.HACHURE, path
        return
    first = int(share.argmin())
    turned, heavy = np.roll(slope.crest, -first, axis=0), np.roll(share, -first)
    for stretch in np.split(np.arange(len(heavy)), np.flatnonzero(np.diff(heavy > 0)) + 1):
        if heavy[stretch[0]] > 0 and len(stretch) > 4:
            band = ribbon(turned[stretch], full * heavy[stretch])
            for path in fill(band, ink, rule=Rule.NON_ZERO):
                yield LayerName.HACHURE, path
