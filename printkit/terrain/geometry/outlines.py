"""Irregular outlines: woods and lakes, hills, built-up areas; and the smooth value noise that roughens them.

Outlines are centred on the origin and fill an axis-parallel box of a given size. The caller rotates and moves them.
Lengths are mm on the board, except for specimens in a key, which are in printed mm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray
from shapely import LinearRing, LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.sums import plain_sum
from printkit.terrain.geometry.measure import interpolate_points

_SIZE = 256
_CELLS_PER_WAVE = 4.0


class Noise(Struct, frozen=True, eq=False):
    """A periodic field of 256 x 256 values, about -1 to 1, that can be sampled at any wavelength."""

    field: NDArray[np.float64]

    @classmethod
    def from_stream(cls, stream: Stream) -> Noise:
        """Return noise from a random stream: white noise, smoothed by five binomial passes and normalised.

        The field is random, wraps at its borders, and has a standard deviation of about 0.45.
        """
        field = stream.draw_array(_SIZE * _SIZE).reshape(_SIZE, _SIZE) - 0.5
        for _ in range(5):
            field = _smoothed_cell(_smoothed_cell(field).T).T
        return cls(field / (field.std() * 2.2))

    def at(self, x: ArrayLike, y: ArrayLike, wavelength: float) -> NDArray[np.float64]:
        """Return the noise, about -1 to 1, at points; peaks are about ``wavelength`` apart, in their mm.

        ``x`` and ``y`` are coordinates in mm; they have one shape, which is that of the result. Far away the noise
        repeats.
        """
        x_cells = np.asarray(x, dtype=float) * (_CELLS_PER_WAVE / wavelength)
        y_cells = np.asarray(y, dtype=float) * (_CELLS_PER_WAVE / wavelength)
        column, row = np.floor(x_cells), np.floor(y_cells)
        right, up = x_cells - column, y_cells - row
        left_index, low_index = column.astype(int) % _SIZE, row.astype(int) % _SIZE
        right_index, high_index = (left_index + 1) % _SIZE, (low_index + 1) % _SIZE
        low = self.field[low_index, left_index] * (1 - right) + self.field[low_index, right_index] * right
        high = self.field[high_index, left_index] * (1 - right) + self.field[high_index, right_index] * right
        value: NDArray[np.float64] = low * (1 - up) + high * up
        return value

    def fractal(self, x: ArrayLike, y: ArrayLike, wavelength: float, *, octaves: int = 3) -> NDArray[np.float64]:
        """Return the noise at points, about -1 to 1, as a weighted mean of layers of noise (octaves).

        The first has peaks about ``wavelength`` apart, in the mm of the points. Wavelength and weight halve with each
        octave.
        """
        x_values, y_values = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        total: Any = np.zeros(np.broadcast(x_values, y_values).shape)
        weight, total_weight = 1.0, 0.0
        for octave in range(octaves):
            total = total + weight * self.at(x_values + 37.7 * octave, y_values - 91.3 * octave, wavelength / 2**octave)
            total_weight, weight = total_weight + weight, weight / 2
        return np.asarray(total / total_weight)


def _smoothed_cell(field: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a field of noise with each row averaged 1 : 2 : 1 with its neighbours.

    The last row is next to the first.
    """
    smooth = field + field
    smooth[1:] += field[:-1]
    smooth[0] += field[-1]
    smooth[:-1] += field[1:]
    smooth[-1] += field[0]
    smooth *= 0.25
    return smooth


# --- Outlines without straight sides ----------------------------------------------------------------------------------


def waver_outline(
    ground: BaseGeometry,
    noise: Noise,
    *,
    spread: float,
    step: float,
    max_outwards: float,
    waves: Sequence[tuple[float, float]],
) -> Polygon:
    """Return the largest polygon of a ground, its outline smoothed and then moved by noise.

    All lengths are in the mm of the ground: on the board, or printed mm for a scaled battlefield. Holes waver too. The
    polygon is empty if the ground has no area.

    Args:
        spread: spread of the smoothing along the outline, in mm; it removes corners of about that size.
        step: mm between the points of the outline.
        max_outwards: maximum outward movement by the noise, in mm; larger values flatten towards it.
        waves: wavelength and height of each noise, in mm.
    """
    polygon = shapely.geometry.polygon.orient(largest_polygon(ground))
    rings = []
    # The ground is on the left of each ring; its last point repeats the first.
    for boundary in (polygon.exterior, *polygon.interiors):
        ring = shapely.get_coordinates(boundary)[:-1]
        smooth = _smoothed_ring(_resample_ring(ring, step), spread / step)
        inwards = _sum_noise(smooth, noise, waves)
        soft = max_outwards * exact_math.tanh(inwards / max_outwards)
        rings.append(smooth + np.where(inwards < 0, soft, inwards)[:, None] * _left_normals(smooth))
    return largest_polygon(shapely.make_valid(Polygon(rings[0], rings[1:])))


def open_shape(shape: BaseGeometry, radius: float) -> Polygon:
    """Return the largest polygon of a shape without spikes and notches narrower than 2 x ``radius``.

    The radius is in the mm of the shape. The polygon is empty if nothing is wide enough.
    """
    return largest_polygon(
        shape.buffer(-radius, quad_segs=8).buffer(2 * radius, quad_segs=8).buffer(-radius, quad_segs=8)
    )


def largest_polygon(shape: BaseGeometry) -> Polygon:
    """Return the largest polygon of a shape, in its mm, or an empty polygon if there is none."""
    pieces = [piece for piece in shapely.get_parts(shape) if isinstance(piece, Polygon)]
    return max(pieces, key=lambda piece: piece.area, default=Polygon())


def _sum_noise(ring: _Line, noise: Noise, waves: Sequence[tuple[float, float]]) -> _Line:
    """Return the sum of several noises at each point of a ring, in the mm of the ring.

    ``waves`` has the wavelength and height of each noise, in mm.
    """
    total = np.zeros(len(ring))
    for place, (length, height) in enumerate(waves):
        # Sample each noise at a different offset; otherwise all would have their hollows in the same places.
        total += height * noise.at(ring[:, 0] + 411.3 * place, ring[:, 1] - 173.9 * place, length)
    return total


def _resample_ring(ring: _Line, step: float) -> _Line:
    """Return a ring with evenly spaced points about ``step`` apart (mm of the ring), at least 12 of them.

    Neither ring repeats its first point. Rings are rows of x and y in mm; the new one starts at the same point.
    """
    closed = shapely.linestrings(np.vstack([ring, ring[:1]]))
    count = max(12, round(closed.length / step))
    return interpolate_points(closed, np.arange(count) / count * closed.length)


def _smoothed_ring(ring: _Line, spread: float) -> _Line:
    """Return a ring of evenly spaced points, in its mm, smoothed by a bell curve.

    ``spread`` is its standard deviation in points of the ring.
    """
    reach = min(max(1, round(3 * spread)), len(ring) // 2 - 1)
    bell = exact_math.exp(-0.5 * (np.arange(-reach, reach + 1) / spread) ** 2)
    padded = np.vstack([ring[-reach:], ring, ring[:reach]])
    return np.column_stack([exact_math.convolve(padded[:, axis], bell / bell.sum()) for axis in (0, 1)])


def _left_normals(ring: _Line) -> _Line:
    """Return the unit normal to the left at each point of a ring, as rows of x and y."""
    tangents = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
    tangents = tangents / (np.hypot(tangents[:, 0], tangents[:, 1])[:, None] + 1e-12)
    return np.column_stack([-tangents[:, 1], tangents[:, 0]])


_Line = NDArray[np.float64]

# Number of points of the first, coarse outline: 1 to 2 mm apart on features of a few inches.
_COARSE_POINTS: Final = 240

# Distance between the points of a finished outline, in mm.
_STEP: Final = 1.25

# Standard deviation of the fine noise, as a share of the radius: the waver of an etching needle.
_FINE_SPREAD: Final = 0.014


# Standard deviation of a large hill's spurs, as a share of its radius. They grow from 0 at a short side of 90 mm to
# this value at 250 mm.
_SPUR_SPREAD: Final = 0.040
_SPUR_MIN_SIZE: Final = 90.0
_SPUR_GROWTH: Final = 160.0

# Reduction of the smoothing for a large hill: otherwise smoothing would remove its spurs.
_LESS_SMOOTHING: Final = 0.06

# Range of the scale factor in the search for the size of an upper contour.
_SIZE_RANGE: Final = (0.05, 2.0)

# Bisection: number of halvings, and how many of them come before closing in.
_HALVINGS: Final = 24
_PLAIN_HALVINGS: Final = 5

# Closing in: maximum number of rounds, and the half-width of the final bracket.
_MAX_CLOSINGS: Final = 6
_BRACKET_HALF: Final = 2e-8


def blob(width: float, depth: float, stream: Stream, *, roughness: float = 0.22, bend: float = 0.0) -> Polygon:
    """Return an outline of natural ground that exactly fills a box of ``width`` x ``depth`` mm around the origin.

    The mm are those on the board, or printed mm for a specimen in a key. The outline has no holes.

    Args:
        width: size of the box along x, in mm.
        depth: size of the box along y, in mm.
        stream: the random numbers for its waves.
        roughness: 0.16 for a calm outline to 0.28 for a ragged one.
        bend: -0.15 to 0.15; bows the shape along x, for example a wood around the foot of a hill. Above 0 both ends
            point to +y.
    """
    angles = _angles(_COARSE_POINTS)
    radius = 1.0 + roughness * _sum_waves(angles, range(2, 8), 0.95, 0.85, stream)
    radius += _FINE_SPREAD * _unit_spread(_sum_waves(angles, range(8, 36), 1.5, 1.0, stream))
    # Smoothing would split an outline with a deep notch.
    radius = np.maximum(radius / radius.mean(), 0.45)
    x, y = width / 2 * radius * exact_math.cos(angles), depth / 2 * radius * exact_math.sin(angles)
    y += bend * ((2 * x / width) ** 2 - 0.4) * depth / 2
    return _fit_box(_smoothed(Polygon(np.column_stack([x, y])), 0.05 * min(width, depth) / 2), width, depth)


def rounded(width: float, depth: float, stream: Stream) -> Polygon:
    """Return the smooth outline of a hill, nearly convex, that fills a box centred on the origin.

    Large hills have more pronounced spurs, with shallow re-entrants between them. The box is ``width`` x ``depth`` mm
    on the board. The box is filled exactly. The stream draws the waves of the outline.
    """
    angles = _angles(_COARSE_POINTS)
    waves = _sum_waves(angles, range(2, 7), 1.45, 1.0, stream)
    # The curvature of a wave grows with the square of its number. This limit keeps the outline convex.
    radius = 1.0 + 0.24 * waves / max(1.0, float(np.abs(waves).max()) / 0.75)
    radius += _FINE_SPREAD / 5 * _unit_spread(_sum_waves(angles, range(7, 20), 1.6, 1.0, stream))
    large = min(1.0, max(0.0, (min(width, depth) - _SPUR_MIN_SIZE) / _SPUR_GROWTH))
    if large > 0:
        radius += _SPUR_SPREAD * large * _unit_spread(_sum_waves(angles, range(4, 9), 0.9, 1.0, stream))
    points = np.column_stack([width / 2 * radius * exact_math.cos(angles), depth / 2 * radius * exact_math.sin(angles)])
    smooth = (0.2 - _LESS_SMOOTHING * large) * min(width, depth) / 2
    return _fit_box(_smoothed(Polygon(points), smooth), width, depth)


def draw_plot_outline(width: float, depth: float, stream: Stream, *, corners: tuple[int, int] = (5, 8)) -> Polygon:
    """Return the outline of a built-up area: a few blunt corners, sides not quite straight (BR-G11).

    It fills a box of ``width`` x ``depth`` mm, on the board or printed, centred on the origin. ``corners`` is the
    minimum and maximum number of corners. The stream draws the number of corners and their positions.
    """
    fewest, most = corners
    count = fewest + stream.draw_index(most - fewest + 1)
    share = math.tau / count
    first = stream.between(0, share)
    angles = np.array([first + share * (corner + stream.between(-0.18, 0.18)) for corner in range(count)])
    radius = np.array([stream.between(0.86, 1.08) for _ in range(count)])
    points = np.column_stack([width / 2 * radius * exact_math.cos(angles), depth / 2 * radius * exact_math.sin(angles)])
    plot = _fit_box(_smoothed(Polygon(points), 0.02 * min(width, depth)), width, depth)
    ring = shapely.get_coordinates(plot.exterior)[:-1]
    waver = 0.25 * _unit_spread(_sum_waves(_angles(len(ring)), range(6, 24), 0.8, 1.0, stream))
    return _fit_box(Polygon(ring + waver[:, None] * _outward_normals(ring)), width, depth)


def inner_contour(
    outer: Polygon,
    stream: Stream,
    *,
    share: tuple[float, float] = (0.25, 0.45),
    inset: float,
    lean: tuple[float, float] = (0.0, 0.0),
) -> Polygon:
    """Return the upper contour of a hill: an independent shape well inside the outer contour (BR-G17).

    Shapes are in mm on the board. The result has no holes.

    Args:
        outer: the outer contour.
        stream: the random numbers for its size and waves.
        share: minimum and maximum share of the outer area, 0 to 1; less if the inset does not leave enough.
        inset: minimum distance from the outer contour in mm.
        lean: offset of the top from the middle in mm, as x and y.
    """
    free_area = _largest(outer.buffer(-1.02 * inset, quad_segs=16))
    low, high = share
    target_area = min(
        outer.area * stream.between(low + 0.15 * (high - low), high - 0.15 * (high - low)), 0.97 * free_area.area
    )
    depth = math.sqrt(outer.area / math.pi)
    seed = shapely.get_coordinates(shapely.segmentize(free_area.simplify(0.06 * depth).exterior, _STEP))[:-1]
    angles = _angles(len(seed))
    waver = 0.11 * depth * _sum_waves(angles, range(2, 8), 0.9, 0.55, stream)
    waver += 0.5 * _FINE_SPREAD * depth * _unit_spread(_sum_waves(angles, range(9, 32), 1.5, 1.0, stream))
    free_shape = affinity.translate(_largest(Polygon(seed + waver[:, None] * _outward_normals(seed)).buffer(0)), *lean)
    centre = free_area.centroid if not free_area.contains(free_shape.centroid) else free_shape.centroid
    size = _bisect(*_SIZE_RANGE, lambda factor: _build_top(free_shape, free_area, centre, factor).area - target_area)
    return _resample_outline(_build_top(free_shape, free_area, centre, size))


def _bisect(small: float, large: float, function: Callable[[float], float]) -> float:
    """Return the number from ``small`` to ``large`` where ``function`` changes from negative to positive.

    The result is exactly that of ``_HALVINGS`` bisection steps, but with fewer calls. After the first few steps a
    bracket around the zero is narrowed by linear interpolation. Only midpoints inside the bracket are evaluated. A
    function that is negative everywhere gives about ``large``, one that is never negative gives ``small``.
    """
    values: dict[float, float] = {}
    lower, upper = -math.inf, math.inf
    for turn in range(_HALVINGS):
        midpoint = (small + large) / 2
        if turn == _PLAIN_HALVINGS and math.isfinite(lower + upper):
            lower, upper = _narrow_bracket(values, lower, upper, function)
        if lower < midpoint < upper:
            values[midpoint] = function(midpoint)
            lower, upper = (midpoint, upper) if values[midpoint] < 0 else (lower, midpoint)
        small, large = (midpoint, large) if midpoint <= lower else (small, midpoint)
    return small


def _narrow_bracket(
    values: dict[float, float], lower: float, upper: float, function: Callable[[float], float]
) -> tuple[float, float]:
    """Return a narrower bracket, ``lower`` and ``upper``, around the zero of ``function``.

    It adds the new values of the function to ``values``, by their argument.
    """
    for turn in range(_MAX_CLOSINGS):
        slope = (values[upper] - values[lower]) / (upper - lower)
        guess = lower - values[lower] / slope
        # In later rounds evaluate both sides of the guess; otherwise only one end of the bracket would move.
        for step in (0.0,) if turn < 2 else (-_BRACKET_HALF, _BRACKET_HALF):
            position = guess + step
            if lower < position < upper:
                values[position] = function(position)
                lower, upper = (position, upper) if values[position] < 0 else (lower, position)
        if upper - lower <= 2 * _BRACKET_HALF * (1 + 1e-6):
            break
    return lower, upper


def cut_arcs(outline: Polygon, bearing: float, count: int = 4) -> tuple[LineString, ...]:
    """Return the sides of a hill: its outline cut into arcs in the hill's own frame (BR-G21, BR-Q06).

    Each arc runs anticlockwise, with the hill on its left, and starts where the previous one ends; the last ends where
    arc 0 starts. With four arcs, arc 0 is the right end, 1 the upper flank, 2 the left end and 3 the lower flank, seen
    with the long axis pointing right.

    Args:
        outline: in its position on the board, in mm.
        bearing: degrees anticlockwise from +x of the long axis, towards the right end.
        count: four or six.
    """
    ring = _orient_ring(shapely.normalize(outline.exterior))
    level = affinity.rotate(outline, -bearing, origin=(0, 0))
    left, low, right, high = level.bounds
    middle = ((left + right) / 2, (low + high) / 2)
    cuts = [
        _find_exit(ring, middle, bearing, ((right - left) * math.cos(angle), (high - low) * math.sin(angle)))
        for angle in ((side - 0.5) * math.tau / count for side in range(count))
    ]
    even = _even_cuts(cuts, ring.length)
    return tuple(_ring_part(ring, start, stop) for start, stop in zip(even, [*even[1:], even[0]], strict=True))


def fit_outline(
    outline: Polygon, free_area: Polygon, *, size: tuple[float, float], min_size: tuple[float, float]
) -> tuple[Polygon, float] | None:
    """Return the outline moved into ``free_area`` and its scale factor, or None if too small (BR-G05).

    It moves as little as necessary, and it is scaled down only if it is too large for ``free_area``. Shapes are in mm
    on the board. The factor is above 0 and at most 1.

    Args:
        outline: already rotated and placed.
        free_area: an axis-parallel rectangle.
        size: long and short side of the outline before its rotation, in mm on the board.
        min_size: minimum of these sides in mm after scaling; None is the result if one is shorter.
    """
    left, low, right, high = free_area.bounds
    west, south, east, north = outline.bounds
    factor = min(1.0, (right - left) / (east - west), (high - low) / (north - south))
    if min(size[0] * factor - min_size[0], size[1] * factor - min_size[1]) < -1e-9:
        return None
    scaled = affinity.scale(outline, factor, factor, origin=outline.centroid) if factor < 1 else outline
    west, south, east, north = scaled.bounds
    x_shift = max(0.0, left - west) - max(0.0, east - right)
    y_shift = max(0.0, low - south) - max(0.0, north - high)
    return affinity.translate(scaled, x_shift, y_shift), factor


def _angles(count: int) -> _Line:
    """Return ``count`` angles at equal steps around a full turn, in radians from 0.

    The last one is one step below a full turn.
    """
    return np.linspace(0.0, math.tau, count, endpoint=False)


def _sum_waves(angles: _Line, numbers: Sequence[int], fall: float, spread: float, stream: Stream) -> _Line:
    """Return a sum of random waves around an outline: one value for each angle in radians.

    Args:
        angles: the angles, in radians.
        numbers: how many times each wave fits around the outline; wave ``number`` is scaled by ``number ** -fall``.
        fall: the exponent of that scale.
        spread: standard deviation of the random heights.
        stream: the random numbers.
    """
    total = np.zeros_like(angles)
    for number in numbers:
        height, phase = stream.draw_normal(spread), stream.between(0, math.tau)
        total += height / number**fall * exact_math.cos(number * angles + phase)
    return total


def _unit_spread(values: _Line) -> _Line:
    """Return the values divided by their standard deviation."""
    spread: _Line = values / (values.std() + 1e-12)
    return spread


def _outward_normals(ring: _Line) -> _Line:
    """Return the outward unit normals of an anticlockwise ring of points, the first not repeated."""
    tangents = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
    tangents /= np.hypot(tangents[:, 0], tangents[:, 1])[:, None] + 1e-12
    return np.column_stack([tangents[:, 1], -tangents[:, 0]])


def _largest(shape: BaseGeometry) -> Polygon:
    """Return the largest polygon of a shape in mm on the board, without its holes.

    The shape must have at least one polygon, otherwise this raises ValueError.
    """
    pieces = [piece for piece in shapely.get_parts(shape) if isinstance(piece, Polygon)]
    piece = max(pieces, key=lambda polygon: polygon.area)
    return Polygon(piece.exterior)


def _smoothed(shape: Polygon, radius: float) -> Polygon:
    """Return the shape without notches and spikes narrower than 2 x ``radius``, in mm on the board.

    Of several parts only the largest remains, without its holes.
    """
    closed_shape = shape.buffer(0).buffer(radius, quad_segs=16).buffer(-2 * radius, quad_segs=16)
    return _largest(closed_shape.buffer(radius, quad_segs=16))


def _resample_outline(shape: Polygon) -> Polygon:
    """Return the outline with evenly spaced points about 1.25 mm apart (mm on the board), anticlockwise."""
    ring = _orient_ring(shapely.normalize(shape).exterior)
    count = max(24, round(ring.length / _STEP))
    return Polygon(interpolate_points(ring, _angles(count) / math.tau * ring.length))


def _orient_ring(ring: LinearRing) -> LineString:
    """Return a ring in mm on the board as a line that runs anticlockwise."""
    points = shapely.get_coordinates(ring)
    return shapely.linestrings(points if ring.is_ccw else points[::-1])


def _fit_box(shape: Polygon, width: float, depth: float) -> Polygon:
    """Return the shape scaled to fill a box centred on the origin, in mm on the board."""
    points = shapely.get_coordinates(_resample_outline(shape).exterior)
    lowest, highest = points.min(axis=0), points.max(axis=0)
    return Polygon((points - (lowest + highest) / 2) / (highest - lowest) * (width, depth))


def _build_top(free_shape: Polygon, free_area: Polygon, centre: Point, factor: float) -> Polygon:
    """Return the shape scaled by ``factor`` about ``centre``, clipped to an area, with rounded corners.

    Shapes are in mm on the board.
    """
    cut = _largest(affinity.scale(free_shape, factor, factor, origin=centre).intersection(free_area))
    radius = 0.16 * math.sqrt(cut.area / math.pi)
    return _largest(cut.buffer(-radius, quad_segs=16).buffer(radius, quad_segs=16))


def _find_exit(ring: LineString, middle: tuple[float, float], bearing: float, towards: tuple[float, float]) -> float:
    """Return the distance along a ring, in mm on the board, where a ray from the middle crosses it last.

    The ray ends at twice the vector ``towards``, in mm.

    Args:
        ring: the outline of a hill on the board.
        middle: the start of the ray, as x and y in the hill's frame: the board rotated by -``bearing`` about its
            corner.
        bearing: direction of the hill's long axis, in degrees anticlockwise from +x.
        towards: direction of the ray in the hill's frame, as x and y.
    """
    ray = LineString([middle, (middle[0] + 2 * towards[0], middle[1] + 2 * towards[1])])
    ray = affinity.rotate(ray, bearing, origin=(0, 0))
    meets = shapely.get_coordinates(ring.intersection(ray))
    last = max(meets, key=lambda point: math.dist(point, ray.coords[0]))
    return float(ring.project(Point(last)))


def _even_cuts(cuts: Sequence[float], length: float) -> list[float]:
    """Return the cuts moved towards equal spacing, until each share is 2/3 to 3/2 of an equal share.

    Cuts are distances in mm along a ring that is ``length`` mm long.
    """
    share = length / len(cuts)
    positions = [(cut - cuts[0]) % length for cut in cuts]
    equal = [number * share for number in range(len(cuts))]
    shift = plain_sum(positions) / len(cuts) - plain_sum(equal) / len(cuts)
    for tenth in range(11):
        new_cuts = [
            position + tenth / 10 * (level + shift - position) for position, level in zip(positions, equal, strict=True)
        ]
        steps = np.diff([*new_cuts, new_cuts[0] + length]) / share
        if steps.min() >= 2 / 3 and steps.max() <= 1.5:
            break
    return [(cuts[0] + cut) % length for cut in new_cuts]


def _ring_part(ring: LineString, start: float, stop: float) -> LineString:
    """Return the part of a closed line from ``start`` to ``stop``, across its end if ``stop`` is less.

    Both are distances along it in mm on the board.
    """
    if start < stop:
        return substring(ring, start, stop)
    tail, head = substring(ring, start, ring.length), substring(ring, 0, stop)
    points = [shapely.get_coordinates(part) for part in (tail, head) if part.geom_type == "LineString"]
    joined = np.concatenate(points)
    is_distinct = np.concatenate([[True], (np.diff(joined, axis=0) != 0).any(axis=1)])
    return LineString(joined[is_distinct])
