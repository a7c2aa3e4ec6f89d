"""Irregular closed shapes: woods and lakes, hills with their upper contours and sides, built-up ground.

Every outline is made about the origin and fills an upright box of the size asked for; the caller turns and moves it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LinearRing, LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.core.sums import plain_sum
from printkit.terrain.geometry.measure import stations

_Line = NDArray[np.float64]

_ROUND: Final = 240
"""Points of a first, coarse outline: a step of 1 to 2 mm on features of a few inches."""

_STEP: Final = 1.25
"""Millimetres between the points of a finished outline."""

_FINE: Final = 0.014
"""Spread of the fine noise, as a share of the radius: what an etcher's needle would waver."""


_SPURS: Final = 0.040
_SPURS_FROM: Final = 90.0
_SPURS_GROW: Final = 160.0
"""Spread of the spurs of a hill of 250 mm, as a share of its radius; one of 90 mm, by its short side, has none."""

_SHARPER: Final = 0.06
"""How much less such a hill is smoothed, or its spurs would go again."""

_SIZES: Final = (0.05, 2.0)
"""Between which factors the size of an upper contour is sought."""

_HALVINGS: Final = 24
_PLAIN_HALVINGS: Final = 5
_CLOSINGS: Final = 6
_STRADDLED: Final = 2e-8
"""How a number is sought: halvings, those that are all asked, rounds of closing in, and how near the last come."""


def blob(width: float, depth: float, stream: Stream, *, roughness: float = 0.22, bend: float = 0.0) -> Polygon:
    """Return the outline of natural ground that fills a box of ``width`` x ``depth`` mm about the origin.

    Args:
        roughness: 0.16 for a calm outline to 0.28 for a ragged one.
        bend: -0.15 to 0.15; bows the whole shape, as a wood about the foot of a hill.
    """
    angles = _angles(_ROUND)
    radius = 1.0 + roughness * _waves(angles, range(2, 8), 0.95, 0.85, stream)
    radius += _FINE * _unit_spread(_waves(angles, range(8, 36), 1.5, 1.0, stream))
    # A deep notch would part the outline when it is smoothed.
    radius = np.maximum(radius / radius.mean(), 0.45)
    x, y = width / 2 * radius * elementary.cos(angles), depth / 2 * radius * elementary.sin(angles)
    y += bend * ((2 * x / width) ** 2 - 0.4) * depth / 2
    return _boxed(_smoothed(Polygon(np.column_stack([x, y])), 0.05 * min(width, depth) / 2), width, depth)


def rounded(width: float, depth: float, stream: Stream) -> Polygon:
    """Return the smooth outline of a hill, bulging everywhere and hardly ever hollow, in a box about the origin.

    The larger the hill, the more spurs it has, and shallow re-entrants between them.
    """
    angles = _angles(_ROUND)
    waves = _waves(angles, range(2, 7), 1.45, 1.0, stream)
    # The curvature of a wave grows with the square of its number: this keeps each from turning the outline inwards.
    radius = 1.0 + 0.24 * waves / max(1.0, float(np.abs(waves).max()) / 0.75)
    radius += _FINE / 5 * _unit_spread(_waves(angles, range(7, 20), 1.6, 1.0, stream))
    large = min(1.0, max(0.0, (min(width, depth) - _SPURS_FROM) / _SPURS_GROW))
    if large > 0:
        radius += _SPURS * large * _unit_spread(_waves(angles, range(4, 9), 0.9, 1.0, stream))
    points = np.column_stack([width / 2 * radius * elementary.cos(angles), depth / 2 * radius * elementary.sin(angles)])
    smooth = (0.2 - _SHARPER * large) * min(width, depth) / 2
    return _boxed(_smoothed(Polygon(points), smooth), width, depth)


def settled(width: float, depth: float, stream: Stream, *, corners: tuple[int, int] = (5, 8)) -> Polygon:
    """Return the outline of built-up ground: a few corners, hardly rounded, sides not quite straight (BR-G11).

    Like the others it fills a box of ``width`` x ``depth`` mm about the origin. It has at least the first and at most
    the second number of ``corners``.
    """
    fewest, most = corners
    count = fewest + stream.draw_index(most - fewest + 1)
    share = math.tau / count
    first = stream.between(0, share)
    angles = np.array([first + share * (corner + stream.between(-0.18, 0.18)) for corner in range(count)])
    radius = np.array([stream.between(0.86, 1.08) for _ in range(count)])
    points = np.column_stack([width / 2 * radius * elementary.cos(angles), depth / 2 * radius * elementary.sin(angles)])
    plot = _boxed(_smoothed(Polygon(points), 0.02 * min(width, depth)), width, depth)
    ring = shapely.get_coordinates(plot.exterior)[:-1]
    waver = 0.25 * _unit_spread(_waves(_angles(len(ring)), range(6, 24), 0.8, 1.0, stream))
    return _boxed(Polygon(ring + waver[:, None] * _normals(ring)), width, depth)


def inner_contour(
    outer: Polygon,
    stream: Stream,
    *,
    share: tuple[float, float] = (0.25, 0.45),
    inset: float,
    lean: tuple[float, float] = (0.0, 0.0),
) -> Polygon:
    """Return the upper contour of a hill: a shape of its own well inside the outer one (BR-G17).

    Args:
        share: least and most of the outer area; where the inset leaves too little room, the contour takes that room.
        inset: mm that it keeps from the outer contour everywhere.
        lean: mm by which the top stands off the middle.
    """
    room = _largest(outer.buffer(-1.02 * inset, quad_segs=16))
    low, high = share
    wanted = min(outer.area * stream.between(low + 0.15 * (high - low), high - 0.15 * (high - low)), 0.97 * room.area)
    depth = math.sqrt(outer.area / math.pi)
    seed = shapely.get_coordinates(shapely.segmentize(room.simplify(0.06 * depth).exterior, _STEP))[:-1]
    angles = _angles(len(seed))
    waver = 0.11 * depth * _waves(angles, range(2, 8), 0.9, 0.55, stream)
    waver += 0.5 * _FINE * depth * _unit_spread(_waves(angles, range(9, 32), 1.5, 1.0, stream))
    free = affinity.translate(_largest(Polygon(seed + waver[:, None] * _normals(seed)).buffer(0)), *lean)
    centre = room.centroid if not room.contains(free.centroid) else free.centroid
    size = _halved_in(*_SIZES, lambda factor: _top(free, room, centre, factor).area - wanted)
    return _evenly(_top(free, room, centre, size))


def _halved_in(small: float, large: float, over: Callable[[float], float]) -> float:
    """Return the number between two that halving their distance again and again ends below: where ``over`` turns to 0.

    It is the very number of ``_HALVINGS``, but after the first few of them ``over`` is taken for steady: it is closed
    in from both sides along straight lines, and only halves that lie between these sides are asked.
    """
    asked: dict[float, float] = {}
    below, above = -math.inf, math.inf
    for turn in range(_HALVINGS):
        middle = (small + large) / 2
        if turn == _PLAIN_HALVINGS and math.isfinite(below + above):
            below, above = _closed_in(asked, below, above, over)
        if below < middle < above:
            asked[middle] = over(middle)
            below, above = (middle, above) if asked[middle] < 0 else (below, middle)
        small, large = (middle, large) if middle <= below else (small, middle)
    return small


def _closed_in(
    asked: dict[float, float], below: float, above: float, over: Callable[[float], float]
) -> tuple[float, float]:
    """Return two numbers nearer to each other, below and above where ``over`` turns to 0, by what it was there."""
    for turn in range(_CLOSINGS):
        slope = (asked[above] - asked[below]) / (above - below)
        guess = below - asked[below] / slope
        # At last a step to either side of the guess, or but one of the sides would come near.
        for step in (0.0,) if turn < 2 else (-_STRADDLED, _STRADDLED):
            place = guess + step
            if below < place < above:
                asked[place] = over(place)
                below, above = (place, above) if asked[place] < 0 else (below, place)
        if above - below <= 2 * _STRADDLED * (1 + 1e-6):
            break
    return below, above


def arcs(outline: Polygon, bearing: float, count: int = 4) -> tuple[LineString, ...]:
    """Return the sides of a hill: its outline cut by its own axes (BR-G21, BR-Q06).

    Each runs counterclockwise, so that the hill lies on its left; each begins where the last one ended. Of four, arc 0
    is the right end, 1 the upper flank, 2 the left end, 3 the lower flank, in the hill's own frame.

    Args:
        outline: as it lies on the board.
        bearing: degrees anticlockwise from +x of the long axis, towards the right end.
        count: four, or six.
    """
    ring = _counterclockwise(shapely.normalize(outline.exterior))
    level = affinity.rotate(outline, -bearing, origin=(0, 0))
    left, low, right, high = level.bounds
    middle = ((left + right) / 2, (low + high) / 2)
    cuts = [
        _leaving(ring, middle, bearing, ((right - left) * math.cos(angle), (high - low) * math.sin(angle)))
        for angle in ((side - 0.5) * math.tau / count for side in range(count))
    ]
    even = _evened(cuts, ring.length)
    return tuple(_stretch(ring, start, stop) for start, stop in zip(even, [*even[1:], even[0]], strict=True))


def fitted(
    outline: Polygon, room: Polygon, *, size: tuple[float, float], least: tuple[float, float]
) -> tuple[Polygon, float] | None:
    """Return the outline inside ``room`` and the factor it was scaled by, or None if it became too small (BR-G05).

    It is shifted no further than it must be, and scaled down only where shifting is not enough.

    Args:
        outline: turned and placed already.
        room: an upright rectangle.
        size: long and short side of the outline before it was turned.
        least: the least that these may become.
    """
    left, low, right, high = room.bounds
    west, south, east, north = outline.bounds
    factor = min(1.0, (right - left) / (east - west), (high - low) / (north - south))
    if min(size[0] * factor - least[0], size[1] * factor - least[1]) < -1e-9:
        return None
    small = affinity.scale(outline, factor, factor, origin=outline.centroid) if factor < 1 else outline
    west, south, east, north = small.bounds
    across = max(0.0, left - west) - max(0.0, east - right)
    along = max(0.0, low - south) - max(0.0, north - high)
    return affinity.translate(small, across, along), factor


def _angles(count: int) -> _Line:
    return np.linspace(0.0, math.tau, count, endpoint=False)


def _waves(angles: _Line, numbers: Sequence[int], fall: float, spread: float, stream: Stream) -> _Line:
    """Return a sum of waves around the outline, each weaker than the one before by ``number ** -fall``."""
    total = np.zeros_like(angles)
    for number in numbers:
        height, phase = stream.draw_normal(spread), stream.between(0, math.tau)
        total += height / number**fall * elementary.cos(number * angles + phase)
    return total


def _unit_spread(values: _Line) -> _Line:
    spread: _Line = values / (values.std() + 1e-12)
    return spread


def _normals(ring: _Line) -> _Line:
    """Return the outward normals of a counterclockwise ring of points, the first not repeated."""
    along = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
    along /= np.hypot(along[:, 0], along[:, 1])[:, None] + 1e-12
    return np.column_stack([along[:, 1], -along[:, 0]])


def _largest(shape: BaseGeometry) -> Polygon:
    """Return the largest piece of a shape, without its holes."""
    pieces = [piece for piece in shapely.get_parts(shape) if isinstance(piece, Polygon)]
    piece = max(pieces, key=lambda one: one.area)
    return Polygon(piece.exterior)


def _smoothed(shape: Polygon, radius: float) -> Polygon:
    """Return the shape opened and closed by a radius: no spike and no notch is narrower."""
    opened = shape.buffer(0).buffer(radius, quad_segs=16).buffer(-2 * radius, quad_segs=16)
    return _largest(opened.buffer(radius, quad_segs=16))


def _evenly(shape: Polygon) -> Polygon:
    """Return the outline with a point about every millimetre and a quarter, counterclockwise."""
    ring = _counterclockwise(shapely.normalize(shape).exterior)
    count = max(24, round(ring.length / _STEP))
    return Polygon(stations(ring, _angles(count) / math.tau * ring.length))


def _counterclockwise(ring: LinearRing) -> LineString:
    """Return a ring as a line that runs counterclockwise."""
    points = shapely.get_coordinates(ring)
    return shapely.linestrings(points if ring.is_ccw else points[::-1])


def _boxed(shape: Polygon, width: float, depth: float) -> Polygon:
    """Return the shape with even points, scaled and moved so that its upright box is exactly the one asked for."""
    points = shapely.get_coordinates(_evenly(shape).exterior)
    low, high = points.min(axis=0), points.max(axis=0)
    return Polygon((points - (low + high) / 2) / (high - low) * (width, depth))


def _top(free: Polygon, room: Polygon, centre: Point, factor: float) -> Polygon:
    """Return the free shape at a size, kept inside the room, its corners rounded; opening never leaves the room."""
    cut = _largest(affinity.scale(free, factor, factor, origin=centre).intersection(room))
    radius = 0.16 * math.sqrt(cut.area / math.pi)
    return _largest(cut.buffer(-radius, quad_segs=16).buffer(radius, quad_segs=16))


def _leaving(ring: LineString, middle: tuple[float, float], bearing: float, towards: tuple[float, float]) -> float:
    """Return how far along the ring a ray from the middle leaves it for good; both given in the hill's own frame."""
    ray = LineString([middle, (middle[0] + 2 * towards[0], middle[1] + 2 * towards[1])])
    ray = affinity.rotate(ray, bearing, origin=(0, 0))
    meets = shapely.get_coordinates(ring.intersection(ray))
    last = max(meets, key=lambda point: math.dist(point, ray.coords[0]))
    return float(ring.project(Point(last)))


def _evened(cuts: Sequence[float], whole: float) -> list[float]:
    """Return the cuts moved towards equal shares just so far that no share is under 2/3 or over 3/2 of an equal one."""
    share = whole / len(cuts)
    ahead = [(cut - cuts[0]) % whole for cut in cuts]
    equal = [number * share for number in range(len(cuts))]
    shift = plain_sum(ahead) / len(cuts) - plain_sum(equal) / len(cuts)
    for tenth in range(11):
        moved = [own + tenth / 10 * (level + shift - own) for own, level in zip(ahead, equal, strict=True)]
        steps = np.diff([*moved, moved[0] + whole]) / share
        if steps.min() >= 2 / 3 and steps.max() <= 1.5:
            break
    return [(cuts[0] + cut) % whole for cut in moved]


def _stretch(ring: LineString, start: float, stop: float) -> LineString:
    """Return the part of a closed line from one distance on to another, over its end if need be."""
    if start < stop:
        return substring(ring, start, stop)
    tail, head = substring(ring, start, ring.length), substring(ring, 0, stop)
    points = [shapely.get_coordinates(part) for part in (tail, head) if part.geom_type == "LineString"]
    joined = np.concatenate(points)
    new = np.concatenate([[True], (np.diff(joined, axis=0) != 0).any(axis=1)])
    return LineString(joined[new])
