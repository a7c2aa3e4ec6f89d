"""Find a position for a piece: rotate and move it at random in a region until it is clear of all obstacles.

The few tries come from a random stream, so the same piece on the same board always gets the same position. If no try
succeeds, the result names the most frequent obstacles.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.core.errors import Sentence, joined
from printkit.terrain.geometry.measure import points_of

_Numbers = NDArray[np.float64]
Test = Callable[[Polygon], bool]

EDGE: Final = Sentence("the edge of the board")
REGION: Final = Sentence("the limits of its ground")
QUARTERS: Final = Sentence("the line between two quarters")

SLACK: Final = 0.01  # tolerance in mm for rounding

_SHARE_SLACK: Final = 1e-4

_TRIES: Final = 40
# Tolerance for simplifying an outline for the tries, as a fraction of its size.
_COARSE: Final = 0.02

# Tolerance in mm for simplifying obstacles for the tries.
_COARSE_CLOSED: Final = 0.5

# Factor on the required share for the tries: their outlines are only approximate.
_EASE: Final = 0.97


class Closed(Struct, frozen=True):
    """An obstacle: its name in messages, its shape, and the gap in mm that a piece must keep from it."""

    name: str
    shape: BaseGeometry
    gap: float


class Room(Struct, frozen=True, kw_only=True):
    """The conditions for the position of a piece.

    Args:
        region: the required area: a sector, a quarter, or the square in a corner.
        share: the share of the piece that must be in the region; 1 for all of it.
        room: an axis-parallel rectangle that must contain all of the piece: the board minus the edge gap.
        closed: the obstacles.
        across: vertical and horizontal lines, ("x", mm) or ("y", mm); if any, the piece must cross one of them.
        reach: the area in mm² that must be on each side of that line.
    """

    region: Polygon
    share: float
    room: Polygon
    closed: tuple[Closed, ...] = ()
    across: tuple[tuple[str, float], ...] = ()
    reach: float = 0.0

    def takes(self, outline: Polygon) -> bool:
        """Return whether an outline meets all conditions."""
        return (
            inside(outline, self.room)
            and (inside(outline, self.region) if self.share >= 1 else lies_in(outline, self.region, self.share))
            and (not self.across or any(lies_across(outline, line, self.reach) for line in self.across))
            and not any(shapely.dwithin(closed.shape, outline, max(0.0, closed.gap - SLACK)) for closed in self.closed)
        )


class Spot(Struct, frozen=True):
    """A valid position: the placed outline, and its rotation in degrees anticlockwise."""

    outline: Polygon
    turn: float


class Blocked(Struct, frozen=True):
    """A failed search: the obstacles, the most frequent first."""

    by: tuple[str, ...]

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Sentence:
        """Return the obstacles in words."""
        return joined(self.by, Sentence(" and ")) if self.by else Sentence("everything")


def lies_across(outline: Polygon, line: tuple[str, float], reach: float) -> bool:
    """Return whether at least ``reach`` mm² of a piece are on each side of a line."""
    axis, at = line
    left, low, right, high = outline.bounds
    if axis == "x":
        parts = (shapely.box(left, low, at, high), shapely.box(at, low, right, high)) if left < at < right else ()
    else:
        parts = (shapely.box(left, low, right, at), shapely.box(left, at, right, high)) if low < at < high else ()
    return bool(parts) and all(outline.intersection(part).area >= reach for part in parts)


def find(
    ground: Room, drawn: Iterable[Polygon], stream: Stream, accept: Test | None = None, *, tries: int = _TRIES
) -> Spot | Blocked:
    """Return a position for the first outline that has a valid one.

    Args:
        ground: the conditions for the position.
        drawn: outlines about the origin with the long side along x, the preferred one first.
        stream: the random numbers for the tries.
        accept: a further condition of the board.
        tries: the number of positions and rotations to try for each outline.
    """
    blocks: Counter[str] = Counter()
    closed = [_coarse(each) for each in ground.closed]
    shapely.prepare([each.shape for each in ground.closed])
    for shape in drawn:
        if (spot := _tried(ground, closed, shape, stream, blocks, accept, tries)) is not None:
            return spot
    # Some tries always cross an edge. This is worth reporting only if there was no other obstacle.
    named = [name for name, count in blocks.most_common() if count and name != EDGE]
    return Blocked(tuple(named[:3]) or (EDGE,))


def _coarse(closed: Closed) -> Closed:
    """Return an obstacle with fewer points, prepared for many distance tests."""
    shape = shapely.simplify(closed.shape, _COARSE_CLOSED)
    shapely.prepare(shape)
    return Closed(closed.name, shape, closed.gap + _COARSE_CLOSED)


def _tried(
    ground: Room,
    closed: Sequence[Closed],
    shape: Polygon,
    stream: Stream,
    blocks: Counter[str],
    accept: Test | None,
    count: int,
) -> Spot | None:
    """Return the first try that meets all conditions. Each test runs only on tries that passed the previous test."""
    size = math.sqrt(shape.area)
    coarse = points_of(shapely.simplify(shape, _COARSE * size).exterior)
    stances = _stances(ground, shape, stream, count)
    turned = np.radians(stances[:, 2])
    cosine, sine = elementary.cos(turned)[:, None], elementary.sin(turned)[:, None]
    x = stances[:, 0, None] + cosine * coarse[:, 0] - sine * coarse[:, 1]
    y = stances[:, 1, None] + sine * coarse[:, 0] + cosine * coarse[:, 1]
    left, low, right, high = ground.room.bounds
    fits = (x.min(axis=1) >= left) & (x.max(axis=1) <= right) & (y.min(axis=1) >= low) & (y.max(axis=1) <= high)
    blocks[EDGE] += int((~fits).sum())
    open_ = np.flatnonzero(fits)
    tries = shapely.polygons(np.stack([x[open_], y[open_]], axis=2)) if len(open_) else np.array([])
    for each in closed:
        near = shapely.dwithin(tries, each.shape, each.gap)
        blocks[each.name] += int(near.sum())
        open_, tries = open_[~near], tries[~near]
    for place, rough in zip(open_, tries, strict=True):
        if not _rough_share(rough, ground):
            blocks[REGION] += 1
            continue
        turn = float(stances[place, 2])
        outline = affinity.rotate(shape, turn, origin=(0, 0))
        outline = affinity.translate(outline, float(stances[place, 0]), float(stances[place, 1]))
        if not ground.takes(outline):
            blocks[QUARTERS if ground.across else REGION] += 1
        elif accept is not None and not accept(outline):
            blocks[QUARTERS] += 1
        else:
            return Spot(outline, turn)
    return None


def _rough_share(piece: Polygon, ground: Room) -> bool:
    inner = shapely.clip_by_rect(piece, *ground.region.bounds).area / piece.area
    return bool(inner >= _EASE * ground.share)


def _stances(ground: Room, shape: Polygon, stream: Stream, count: int) -> _Numbers:
    """Return ``count`` rows of x, y and rotation to try: in the region, or near a line that must be crossed."""
    return np.array([_stance(ground, shape, stream, number) for number in range(count)])


def _stance(ground: Room, shape: Polygon, stream: Stream, number: int) -> tuple[float, float, float]:
    left, low, right, high = ground.region.bounds
    x, y, turn = stream.between(left, right), stream.between(low, high), stream.between(0, 360)
    if ground.share >= 1:
        # A piece that must be completely inside has its centre at least half its width from each side.
        half = 0.5 * min(shape.bounds[2] - shape.bounds[0], shape.bounds[3] - shape.bounds[1])
        x, y = (_moved_in(at, *span, half) for at, span in ((x, (left, right)), (y, (low, high))))
    if not ground.across:
        return x, y, turn
    axis, at = _chosen(ground.across, ground.region, number)
    near, far, reach = (left, right, shape.bounds[2]) if axis == "x" else (low, high, shape.bounds[2])
    along = 0.0 if axis == "x" else 90.0
    if near < at < far:
        place = min(max(at + stream.between(-0.6, 0.6) * reach, near), far)
    else:
        # The sector ends before the line. Only a long piece can reach the line, with half of it outside the sector.
        towards = far if at >= far else near
        place = towards + (near - far if at >= far else far - near) * stream.between(-0.015, 0.05)
        turn = along + 180.0 * stream.below(2) + stream.between(-14, 14)
    return (place, y, turn) if axis == "x" else (x, place, turn)


def _chosen(lines: Sequence[tuple[str, float]], region: Polygon, number: int) -> tuple[str, float]:
    """Return the line for a try: cycle through the lines that cross the region, or through all if none does."""
    left, low, right, high = region.bounds
    through = [line for line in lines if (left < line[1] < right if line[0] == "x" else low < line[1] < high)]
    return (through or lines)[number % len(through or lines)]


def _moved_in(at: float, low: float, high: float, half: float) -> float:
    return (
        (low + high) / 2 if high - low <= 2 * half else low + half + (at - low) / (high - low) * (high - low - 2 * half)
    )


def share_inside(outline: Polygon, region: Polygon) -> float:
    """Return the share of a piece that is in a region, 0 to 1."""
    return float(outline.intersection(region).area / outline.area)


def lies_in(outline: Polygon, region: Polygon, least: float = 0.5) -> bool:
    """Return whether at least this share of a piece is in a region (SD-3.3.4-b)."""
    return share_inside(outline, region) >= least - _SHARE_SLACK


def inside(outline: Polygon, region: Polygon) -> bool:
    """Return whether all of a piece is in a region (SD-3.3.2-a)."""
    return bool(region.buffer(SLACK, join_style="mitre").covers(outline))
