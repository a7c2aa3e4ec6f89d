"""Large hills: faces of varying width, gaps in crests and rows of strokes, and tints that deepen toward the crest.

A small hill has none of these. In between, every change grows with the radius of the hill.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.landforms import Numbers
from printkit.drawing.signs.relief.relief_field import USUAL_RADIUS, ContourLevel, Regions, Relief

# Radius of the largest circle in a small and in a large hill, in usual radii. A hill between them is between in looks.
_LARGE: Final = (0.9, 2.0)

# Change of the width of a steep face: wave in mm at 1:1 and weight of each noise. The first wave grows with the hill.
_FACE_NOISE: Final = ((85.0, 0.75), (27.0, 0.34))
_FACE_WAVE_GROWTH: Final = 0.55  # Exponent of the radius for that wave
_FACE_RANGE: Final = (0.42, 1.75)  # Least and greatest width of a steep face, as a factor of the usual width

# Greatest change of that width per mm along the contour, and half the width in mm at 1:1 of dips that are closed.
# Without both a spur would have a slit without strokes, because its traces meet early.
_FACE_GROWTH: Final = 0.6
_FACE_DIP: Final = 14.0

# The crest line is drawn where the sum of these noises (wave in mm at 1:1, weight) is above the limit.
_CREST_NOISE: Final = ((60.0, 1.0), (18.0, 0.5))
_CREST_SHOWN_FROM: Final = -0.34

# Gentle strokes are drawn where the sum of these noises (wave in mm at 1:1, weight) and of the shade is greatest.
_ROW_NOISE: Final = ((60.0, 1.0), (24.0, 0.6))
_ROW_SHADE: Final = 0.35  # Extra of places that face south-east, away from the light
_ROW_GAPS: Final = 0.28  # Share of a gentle ring without strokes; a little more has short strokes.
_ROW_FADE: Final = 0.25  # Change of the sum between no stroke and one of the usual length
_ROW_LONGER: Final = 0.7  # Greatest extra length of a stroke, as a share, where the sum is greatest
_AROUND: Final = 8.0  # Distance in mm at 1:1 along the contour in which its direction is measured

_TINT_INSETS: Final = (5.0, 10.0, 16.0, 23.0)  # Insets of the tint bands of a small hill, in mm at 1:1
# Insets of the tint bands of a large hill, as shares of its radius
_TINT_SHARES: Final = (0.10, 0.26, 0.42, 0.58, 0.74)
_TINT_SMOOTH: Final = 0.16  # Smoothing of the bands, as a share of the radius
_TINT_WAVES: Final = ((0.8, 0.16), (0.35, 0.05))  # Waves of their edges, and how far they move them, in radii


def compute_largeness(radius: float, context: SymbolContext) -> float:
    """Return how large a hill is for its drawing, from 0 (a radius up to 40 mm at 1:1) to 1 (from 90 mm).

    ``radius`` is that of the largest circle inside it, in printed mm.
    """
    low, high = _LARGE
    return min(1.0, max(0.0, (radius / context.size(USUAL_RADIUS) - low) / (high - low)))


def compute_face_factors(level: ContourLevel, context: SymbolContext) -> Numbers:
    """Return the width of a steep face of a large hill at each place of a contour, as a factor of the usual width."""
    share = max(1.0, level.deepest / context.size(USUAL_RADIUS))
    (broad, broad_weight), (fine, fine_weight) = _FACE_NOISE
    x, y = level.places.T
    noise = broad_weight * context.noise.at(x, y, context.size(broad * math.pow(share, _FACE_WAVE_GROWTH)))
    noise = noise + fine_weight * context.noise.at(x, y, context.size(fine))
    return np.asarray(np.clip(1 + noise, *_FACE_RANGE))


def even_out_spurs(widths: Numbers, level: ContourLevel, context: SymbolContext) -> Numbers:
    """Return the widths of a face at each place of a contour without dips and fast changes, in printed mm."""
    spacing = level.contour.exterior.length / len(widths)
    dip = max(1, round(context.size(_FACE_DIP) / spacing))
    closed_widths = -_find_highest(-_find_highest(widths, dip), dip)
    rise = _FACE_GROWTH * spacing * np.arange(3 * len(closed_widths))
    repeated_widths = np.tile(closed_widths, 3)
    before = np.minimum.accumulate(repeated_widths - rise) + rise
    after = np.minimum.accumulate((repeated_widths + rise)[::-1])[::-1] - rise
    return np.asarray(np.minimum(before, after)[len(closed_widths) : 2 * len(closed_widths)])


def _find_highest(values: Numbers, reach: int) -> Numbers:
    """Return the highest of the values up to ``reach`` places away, for each place of a ring."""
    padded = np.concatenate([values[-reach:], values, values[:reach]])
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1))


def has_crest_line(level: ContourLevel, largeness: float, context: SymbolContext) -> NDArray[np.bool_]:
    """Return for each place of a contour whether the crest above it may have a line."""
    if largeness == 0.0:
        return np.ones(len(level.steepness), dtype=bool)
    x, y = level.places.T
    noise = np.zeros(len(x))
    for wave, weight in _CREST_NOISE:
        noise += weight * context.noise.at(x, y, context.size(wave))
    return noise > _CREST_SHOWN_FROM / largeness


def compute_row_shares(level: ContourLevel, largeness: float, context: SymbolContext) -> Numbers:
    """Return the length of the strokes on gentle ground at each place, as a share of the usual length, from 0 to 1.7.

    It is 0 along about a quarter of the ring of a large hill, mostly where the hill faces the light.
    """
    x, y = level.places.T
    neighbour_count = max(1, round(context.size(_AROUND) / level.contour.exterior.length * len(x)))
    directions = np.roll(level.places, -neighbour_count, axis=0) - np.roll(level.places, neighbour_count, axis=0)
    # The places run counterclockwise, so (y, -x) points outward; this is its part toward the south-east.
    south_east_parts = 0.7071 * directions.sum(axis=1) / np.maximum(np.hypot(*directions.T), 1e-9)
    total = _ROW_SHADE * south_east_parts
    for wave, weight in _ROW_NOISE:
        total += weight * context.noise.at(x, y, context.size(wave))
    hidden_count = int(largeness * _ROW_GAPS * len(total))
    if not hidden_count:
        return np.ones(len(total))
    above = (total - np.sort(total)[hidden_count]) / largeness
    longer = largeness * _ROW_LONGER * np.clip(above - _ROW_FADE, 0.0, 1.0)
    return np.asarray(np.clip(above / _ROW_FADE, 0.0, 1.0) + longer)


def find_tint_areas(level: ContourLevel, relief: Relief, context: SymbolContext) -> list[BaseGeometry]:
    """Return the grounds of the tint bands of a hill that is not small, lowest first, in printed mm.

    Their edges waver and do not follow the contour. They may reach past it.
    """
    largeness, radius = compute_largeness(level.deepest, context), level.deepest
    grid = relief.light_grid
    x, y = grid.nodes()
    inside = grid.blur(relief.grid.resample_on(level.inside, grid), largeness * _TINT_SMOOTH * radius)
    for wave, shift in _TINT_WAVES:
        inside = inside + largeness * shift * radius * context.noise.at(x, y, wave * radius)
    regions = Regions.from_field(grid, inside)
    # The last band is that of a large hill; it comes from the crest of smaller ones.
    small_insets = [context.size(inset) for inset in _TINT_INSETS] + [radius]
    insets = [
        (1 - largeness) * small + largeness * share * radius
        for small, share in zip(small_insets, _TINT_SHARES, strict=True)
    ]
    return [regions.area_above(inset) for inset in insets]
