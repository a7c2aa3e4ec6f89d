"""Re-entrants: small valleys that run up into a large gentle hill, drawn by the strokes on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.shapes import Line, normals
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.relief.hachures import GENTLE, Hachure, Slope, make_gentle_stroke
from printkit.drawing.signs.relief.relief_field import Relief

_EACH: Final = 250.0  # Length of outline in mm at 1:1 for each valley

_PITCH: Final = 2.7  # Distance in mm at 1:1 between strokes along a valley
_DEEP: Final = (0.26, 0.30, 60.0)  # Length of a valley: least share and range, in radii, and greatest in mm at 1:1
_LEAST: Final = 18.0  # Least length of a valley in mm at 1:1
_MOUTH: Final = 3.0  # Distance in mm at 1:1 from the contour to the first strokes
_STROKES: Final = (12.0, 4.0)  # Length of strokes at the mouth and at the head of a valley in mm at 1:1
_OFF_AXIS: Final = (6.5, 0.8)  # Distance of their feet from the middle of the valley, at the mouth and at the head
_LEAN: Final = 0.6  # How far strokes lean uphill, from 0 (across the valley) upward
_BEND: Final = (40.0, 0.9)  # Wave in mm at 1:1 of the bends of a valley, and greatest turn in radians
_RAGGED: Final = 0.45
_HEAVY: Final = 0.95
_HEAD: Final = (-0.9, 0.0, 0.9)  # Directions in radians of the strokes around the head of a valley
_INSIDE: Final = 1.0  # Least distance in mm at 1:1 from strokes to the contour
_BELOW_NEXT: Final = 14.0
_APART: Final = 1.0  # Least distance in mm at 1:1 between other strokes and those of a valley


def add_reentrants(
    relief: Relief, slope: Slope, hachures: Sequence[Hachure], context: SymbolContext, name: str
) -> list[Hachure]:
    """Return the strokes of a hill with its valleys cut in, one for every 250 mm of the outline of a large hill.

    Strokes that would meet those of a valley are left out. Points and widths are in printed mm.

    Args:
        relief: the relief of the hill.
        slope: the slope of its lowest contour.
        hachures: the other strokes of the hill.
        context: gives sizes and noise.
        name: prefix of the random stream.
    """
    stream = context.stream(f"{name}/reentrants")
    ground = slope.level.contour.buffer(-context.size(_INSIDE))
    valleys = [
        _remove_strays(list(_make_valley_strokes(axis, context, stream)), ground)
        for axis in _find_axes(relief, slope, context, stream)
    ]
    if not valleys:
        return list(hachures)
    covered_area = shapely.union_all(
        [
            shapely.MultiPoint(np.vstack([stroke.points for stroke in valley])).convex_hull.buffer(context.size(_APART))
            for valley in valleys
            if valley
        ]
    )
    other_strokes = np.array([LineString(stroke.points) for stroke in hachures], dtype=object)
    is_clear = ~shapely.intersects(other_strokes, covered_area)
    return [stroke for stroke, clear in zip(hachures, is_clear, strict=True) if clear] + [
        stroke for valley in valleys for stroke in valley
    ]


def _find_axes(relief: Relief, slope: Slope, context: SymbolContext, stream: Stream) -> Iterator[Line]:
    """Yield the middle line of each valley from its mouth to its head, n x 2 in printed mm.

    Mouths are at hollows of the outline, on gentle ground, about evenly spaced.
    """
    level, ring = slope.level, slope.level.contour.exterior
    valley_count = round(slope.largeness * ring.length / context.size(_EACH))
    places = level.places
    if not valley_count or relief.spine is not None:
        return
    reach = max(1, round(len(places) * context.size(30.0) / ring.length))
    middle = (np.roll(places, reach, axis=0) + np.roll(places, -reach, axis=0)) / 2
    hollow = np.where(shapely.contains_xy(level.contour, *middle.T), -1.0, 1.0) * np.hypot(*(middle - places).T)
    hollow = np.where((level.steepness < GENTLE) & ~level.bare, hollow, -np.inf)
    length_shares, shift = stream.draw_array(valley_count), stream.draw_index(len(places))
    for number, indices in enumerate(np.array_split(np.roll(np.arange(len(places)), shift), valley_count)):
        inner = indices[len(indices) // 6 : -max(1, len(indices) // 6)]
        mouth = inner[hollow[inner].argmax()]
        if hollow[mouth] > -np.inf:
            least, spread, longest = _DEEP
            length = min((least + spread * float(length_shares[number])) * level.deepest, context.size(longest))
            axis = _trace_axis(relief, slope, places[mouth], length, context)
            if len(axis) * context.size(_PITCH) > context.size(_LEAST):
                yield axis


def _trace_axis(relief: Relief, slope: Slope, mouth: Line, length: float, context: SymbolContext) -> Line:
    """Return points up the slope from the mouth of a valley, with bends, 2.7 mm at 1:1 apart; n x 2 in printed mm.

    The line ends below the next contour, and where the ground has no slope.
    """
    level, step = slope.level, context.size(_PITCH)
    wave, turn = _BEND
    above = relief.levels_above(level)
    points = [mouth]
    for _ in range(int(length / step)):
        uphill = relief.grid.at(level.uphill, points[-1])
        steepness = float(np.hypot(*uphill))
        if steepness < 0.35 or any(
            float(relief.grid.at(upper.inside, points[-1])) > -context.size(_BELOW_NEXT) for upper in above
        ):
            break
        x, y = points[-1]
        bearing = turn * float(np.clip(context.noise.at(x, y, context.size(wave)), -1, 1))
        cosine, sine = float(exact_math.cos(bearing)), float(exact_math.sin(bearing))
        east, north = uphill / steepness
        points.append(points[-1] + step * np.array([cosine * east - sine * north, sine * east + cosine * north]))
    return np.array(points)


def _remove_strays(strokes: list[Hachure], ground: BaseGeometry) -> list[Hachure]:
    """Return the strokes that are on the ground, without those that cross an earlier one."""
    stroke_lines = np.array([LineString(stroke.points) for stroke in strokes], dtype=object)
    later, earlier = shapely.STRtree(stroke_lines).query(stroke_lines, predicate="intersects")
    crossing = set(later[later > earlier].tolist())
    inside = shapely.covers(ground, stroke_lines)
    return [stroke for number, stroke in enumerate(strokes) if inside[number] and number not in crossing]


def _make_valley_strokes(axis: Line, context: SymbolContext, stream: Stream) -> Iterator[Hachure]:
    """Yield the strokes that fall into a valley from both sides and around its head, in printed mm.

    ``axis`` is the middle line from the mouth to the head, n x 2.
    """
    axis_directions = np.diff(axis, axis=0)
    axis_directions = (
        np.vstack([axis_directions, axis_directions[-1:]]) / np.maximum(np.hypot(*axis_directions.T), 1e-9).max()
    )
    shares = np.linspace(0.0, 1.0, len(axis))
    lengths = context.size(1.0) * (_STROKES[0] + (_STROKES[1] - _STROKES[0]) * shares)
    starts = context.size(1.0) * (_OFF_AXIS[0] + (_OFF_AXIS[1] - _OFF_AXIS[0]) * shares)
    first = max(1, int(_MOUTH / _PITCH))
    for side in (1.0, -1.0):
        cross_directions = side * normals(axis)
        directions = cross_directions + _LEAN * axis_directions
        directions /= np.hypot(*directions.T)[:, None]
        feet = axis + cross_directions * starts[:, None]
        reach = lengths * (1 - _RAGGED * stream.draw_array(len(axis)))
        for foot, direction, mm in zip(feet[first:], directions[first:], reach[first:], strict=True):
            yield _make_stroke(foot, foot + direction * mm, context)
    (east, north), head = axis_directions[-1], axis[-1]
    for bearing in _HEAD:
        cosine, sine = float(exact_math.cos(bearing)), float(exact_math.sin(bearing))
        direction = np.array([cosine * east - sine * north, sine * east + cosine * north])
        foot = head + direction * context.size(1.6)
        yield _make_stroke(foot, foot + direction * context.size(_STROKES[1]), context)


def _make_stroke(foot: Line, head: Line, context: SymbolContext) -> Hachure:
    """Return a stroke down from ``head`` to ``foot``, both in printed mm."""
    return make_gentle_stroke(np.stack([head, (head + foot) / 2, foot]), _HEAVY, context)
