"""Find a position for a piece: rotate and move it at random in a region until it is clear of all obstacles.

The few tries come from a random stream, so the same piece on the same board always gets the same position. If no try
succeeds, the result names the most frequent obstacles. A search on a grid finds the places that the tries missed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.errors import Sentence, joined
from printkit.terrain.geometry.measure import line_points

_Numbers = NDArray[np.float64]
_ORIGIN: Final = shapely.Point(0, 0)
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

# The grid of a complete search: its step as a share of the shorter side of a piece, and its rotations in degrees.
_GRID_SHARE: Final = 0.05
_GRID_ANGLES: Final = tuple(range(0, 360, 15))

# Factor on the required share for the tries: their outlines are only approximate.
_EASE: Final = 0.97


class PlacementObstacle(Struct, frozen=True):
    """An obstacle: its name in messages, its shape, and the gap in mm on the board to keep from it."""

    name: str
    shape: BaseGeometry
    gap: float


class PlacementArea(Struct, frozen=True, kw_only=True):
    """The conditions for the position of a piece.

    Args:
        region: the required area: a sector, a quarter, or the square in a corner.
        share: the share of the piece that must be in the region; 1 for all of it.
        bounds: an axis-parallel rectangle that must contain all of the piece: the board minus the edge gap.
        obstacles: the obstacles.
        crossed_lines: lines ("x", mm on the board) if vertical, ("y", mm) if horizontal; if any, the piece must cross
            one.
        min_area: the area in mm² on the board that must be on each side of that line.
    """

    region: Polygon
    share: float
    bounds: Polygon
    obstacles: tuple[PlacementObstacle, ...] = ()
    crossed_lines: tuple[tuple[str, float], ...] = ()
    min_area: float = 0.0

    def accepts(self, outline: Polygon) -> bool:
        """Return whether a piece with this outline, in mm on the board, meets all conditions.

        It is inside ``bounds`` and has at least the share ``share`` of its area in the region; with a share of 1 all of
        it. It also straddles one of the lines if there are any, and keeps the gaps from obstacles.
        """
        return (
            is_inside(outline, self.bounds)
            and (
                is_inside(outline, self.region)
                if self.share >= 1
                else has_share_inside(outline, self.region, self.share)
            )
            and (
                not self.crossed_lines
                or any(straddles_line(outline, line, self.min_area) for line in self.crossed_lines)
            )
            and not any(
                shapely.dwithin(obstacle.shape, outline, max(0.0, obstacle.gap - SLACK)) for obstacle in self.obstacles
            )
        )


class PlacedOutline(Struct, frozen=True):
    """A valid position: the placed outline, and its rotation in degrees anticlockwise."""

    outline: Polygon
    angle_deg: float


class PlacementFailure(Struct, frozen=True):
    """A failed search: the names of at most three obstacles, the most frequent first."""

    obstacles: tuple[str, ...]

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Sentence:
        """Return the names of the obstacles, joined by "and", or "everything" if there are none.

        It is an English sentence that can be translated.
        """
        return joined(self.obstacles, Sentence(" and ")) if self.obstacles else Sentence("everything")


def straddles_line(outline: Polygon, line: tuple[str, float], min_area: float) -> bool:
    """Return whether at least ``min_area`` mm² (on the board) of a piece are on each side of a line.

    The line is ("x", mm) if it is vertical, or ("y", mm) if it is horizontal. The result is False for a piece that does
    not cross the line, also if ``min_area`` is 0.
    """
    axis, position = line
    left, low, right, high = outline.bounds
    if axis == "x":
        parts = (
            (shapely.box(left, low, position, high), shapely.box(position, low, right, high))
            if left < position < right
            else ()
        )
    else:
        parts = (
            (shapely.box(left, low, right, position), shapely.box(left, position, right, high))
            if low < position < high
            else ()
        )
    return bool(parts) and all(outline.intersection(part).area >= min_area for part in parts)


def find_placement(
    area: PlacementArea, outlines: Iterable[Polygon], stream: Stream, accept: Test | None = None, *, tries: int = _TRIES
) -> PlacedOutline | PlacementFailure:
    """Return a random valid position for the first outline that has one, or a failure.

    The position is a ``PlacedOutline``: the outline moved there and its rotation in degrees anticlockwise. A failure
    names up to three obstacles, the most frequent first; the board edge only if there was no other. Lengths are in mm
    on the board.

    Args:
        area: the conditions for the position.
        outlines: outlines about the origin with the long side along x, the preferred one first.
        stream: the random numbers for the tries; each outline that is tried draws all its positions at once.
        accept: gets a placed outline and returns whether it meets a further condition; None for no further condition.
        tries: the number of positions and rotations to try for each outline.
    """
    blocks: Counter[str] = Counter()
    obstacles = [_simplify_obstacle(obstacle) for obstacle in area.obstacles]
    shapely.prepare([obstacle.shape for obstacle in area.obstacles])
    for outline in outlines:
        # Each pose is x, y and rotation: in the region, or near a line that must be crossed.
        poses = np.array([_draw_pose(area, outline, stream, number) for number in range(tries)])
        if (placement := _try_positions(area, obstacles, outline, poses, blocks, accept)) is not None:
            return placement
    # Some tries always cross an edge. This is worth reporting only if there was no other obstacle.
    names = [name for name, count in blocks.most_common() if count and name != EDGE]
    return PlacementFailure(tuple(names[:3]) or (EDGE,))


def search_placement(area: PlacementArea, outline: Polygon, accept: Test | None = None) -> PlacedOutline | None:
    """Return the first valid position of an outline on a grid of positions and rotations, or None.

    The grid covers the ground where the circle around the origin that the outline contains keeps clear of everything.
    If there is no such ground, there is no valid position at all. Lengths are in mm on the board.

    Args:
        area: the conditions for the position.
        outline: the outline about the origin.
        accept: gets a placed outline and returns whether it meets a further condition; None for no further condition.
    """
    # A grid meets limits exactly, so it needs a margin for the slack of the conditions.
    region, bounds = (ground.buffer(-2 * SLACK, join_style="mitre") for ground in (area.region, area.bounds))
    area = replace(area, region=region, bounds=bounds)
    radius = outline.exterior.distance(_ORIGIN) if outline.covers(_ORIGIN) else 0.0
    ground = (region if area.share >= 1 else bounds).buffer(-radius, join_style="mitre")
    for obstacle in area.obstacles:
        ground = ground.difference(obstacle.shape.buffer(max(0.0, radius + obstacle.gap - 2 * SLACK)))
    if ground.is_empty:
        return None
    left, low, right, high = ground.bounds
    step = _GRID_SHARE * min(outline.bounds[2] - outline.bounds[0], outline.bounds[3] - outline.bounds[1])
    spans = np.arange(left, right + step, step), np.arange(low, high + step, step)
    x, y = (axis.ravel() for axis in np.meshgrid(*spans))
    is_free = shapely.intersects_xy(ground, x, y)
    # A part may be too narrow for the grid.
    inner_points = shapely.get_coordinates(shapely.point_on_surface(shapely.get_parts(ground)))
    places = np.vstack([np.column_stack([x[is_free], y[is_free]]), inner_points])
    obstacles = [_simplify_obstacle(obstacle) for obstacle in area.obstacles]
    for angle_deg in _GRID_ANGLES:
        poses = np.column_stack([places, np.full(len(places), float(angle_deg))])
        poses = poses[_find_crossing(area, outline, poses)]
        placement = _try_positions(area, obstacles, outline, poses, Counter(), accept)
        if placement is not None:
            return placement
    return None


def _find_crossing(area: PlacementArea, outline: Polygon, poses: _Numbers) -> NDArray[np.bool_]:
    """Return for each of some positions with one rotation whether the piece straddles a line that it must cross.

    All do if it need not cross any. ``poses`` has rows of x and y in mm on the board, and degrees anticlockwise.
    """
    is_crossing = np.full(len(poses), not area.crossed_lines)
    rotated = affinity.rotate(outline, float(poses[0, 2]), origin=(0, 0))
    for axis, position in area.crossed_lines:
        # The areas on both sides depend on the distance from the line alone.
        distances, rows = np.unique(position - poses[:, "xy".index(axis)], return_inverse=True)
        is_crossing |= np.array([straddles_line(rotated, (axis, each), area.min_area) for each in distances])[rows]
    return is_crossing


def _simplify_obstacle(obstacle: PlacementObstacle) -> PlacementObstacle:
    """Return an obstacle with fewer points, prepared for many distance tests.

    Its gap is larger by the tolerance, 0.5 mm on the board.
    """
    shape = shapely.simplify(obstacle.shape, _COARSE_CLOSED)
    shapely.prepare(shape)
    return PlacementObstacle(obstacle.name, shape, obstacle.gap + _COARSE_CLOSED)


def _try_positions(
    area: PlacementArea,
    obstacles: Sequence[PlacementObstacle],
    shape: Polygon,
    poses: _Numbers,
    blocks: Counter[str],
    accept: Test | None,
) -> PlacedOutline | None:
    """Return the first of the positions that meets all conditions, or None.

    Each test runs only on tries that passed the previous test.

    Args:
        area: the conditions for the position.
        obstacles: the simplified obstacles of the area.
        shape: the outline of the piece about the origin, in mm on the board.
        poses: a row for each try: x and y in mm on the board, and degrees anticlockwise.
        blocks: how many tries each obstacle or condition blocked, by its name; the function adds to it in place.
        accept: gets a placed outline and returns whether it meets a further condition, or None.
    """
    size = math.sqrt(shape.area)
    coarse = line_points(shapely.simplify(shape, _COARSE * size).exterior)
    angles = np.radians(poses[:, 2])
    cosine, sine = exact_math.cos(angles)[:, None], exact_math.sin(angles)[:, None]
    x = poses[:, 0, None] + cosine * coarse[:, 0] - sine * coarse[:, 1]
    y = poses[:, 1, None] + sine * coarse[:, 0] + cosine * coarse[:, 1]
    left, low, right, high = area.bounds.bounds
    fits = (x.min(axis=1) >= left) & (x.max(axis=1) <= right) & (y.min(axis=1) >= low) & (y.max(axis=1) <= high)
    blocks[EDGE] += int((~fits).sum())
    candidates = np.flatnonzero(fits)
    tries = shapely.polygons(np.stack([x[candidates], y[candidates]], axis=2)) if len(candidates) else np.array([])
    for obstacle in obstacles:
        is_near = shapely.dwithin(tries, obstacle.shape, obstacle.gap)
        blocks[obstacle.name] += int(is_near.sum())
        candidates, tries = candidates[~is_near], tries[~is_near]
    for index, rough_outline in zip(candidates, tries, strict=True):
        rough_share = shapely.clip_by_rect(rough_outline, *area.region.bounds).area / rough_outline.area
        if rough_share < _EASE * area.share:
            blocks[REGION] += 1
            continue
        angle_deg = float(poses[index, 2])
        outline = affinity.rotate(shape, angle_deg, origin=(0, 0))
        outline = affinity.translate(outline, float(poses[index, 0]), float(poses[index, 1]))
        if not area.accepts(outline):
            blocks[QUARTERS if area.crossed_lines else REGION] += 1
        elif accept is not None and not accept(outline):
            blocks[QUARTERS] += 1
        else:
            return PlacedOutline(outline, angle_deg)
    return None


def _draw_pose(area: PlacementArea, shape: Polygon, stream: Stream, number: int) -> tuple[float, float, float]:
    """Return a random position and rotation to try: x and y in mm on the board, and degrees anticlockwise.

    The centre is in the region, or near a line that the piece must cross.

    Args:
        area: the conditions for the position.
        shape: the outline of the piece about the origin, in mm.
        stream: the random numbers.
        number: the number of the try, from 0; tries use the lines in turn.
    """
    left, low, right, high = area.region.bounds
    x, y, angle_deg = stream.between(left, right), stream.between(low, high), stream.between(0, 360)
    if area.share >= 1:
        # A piece that must be completely inside has its centre at least half its width from each side.
        half_width = 0.5 * min(shape.bounds[2] - shape.bounds[0], shape.bounds[3] - shape.bounds[1])
        x, y = (
            _shrink_position(position, *span, half_width) for position, span in ((x, (left, right)), (y, (low, high)))
        )
    if not area.crossed_lines:
        return x, y, angle_deg
    crossing_lines = [
        line for line in area.crossed_lines if (left < line[1] < right if line[0] == "x" else low < line[1] < high)
    ]
    # Cycle through the lines that cross the region, or through all if none does.
    candidates = crossing_lines or area.crossed_lines
    axis, position = candidates[number % len(candidates)]
    near, far, reach = (left, right, shape.bounds[2]) if axis == "x" else (low, high, shape.bounds[2])
    line_angle = 0.0 if axis == "x" else 90.0
    if near < position < far:
        coordinate = min(max(position + stream.between(-0.6, 0.6) * reach, near), far)
    else:
        # The sector ends before the line. Only a long piece can reach the line, with half of it outside the sector.
        near_side = far if position >= far else near
        coordinate = near_side + (near - far if position >= far else far - near) * stream.between(-0.015, 0.05)
        angle_deg = line_angle + 180.0 * stream.draw_index(2) + stream.between(-14, 14)
    return (coordinate, y, angle_deg) if axis == "x" else (x, coordinate, angle_deg)


def _shrink_position(position: float, low: float, high: float, half_width: float) -> float:
    """Return a position between ``low`` and ``high``, moved to keep ``half_width`` from both.

    Lengths are in mm on the board. If there is not enough space, it is the middle. Otherwise the share of the way from
    ``low`` to ``high`` stays the same in the smaller span.
    """
    return (
        (low + high) / 2
        if high - low <= 2 * half_width
        else low + half_width + (position - low) / (high - low) * (high - low - 2 * half_width)
    )


def share_inside(outline: Polygon, region: Polygon) -> float:
    """Return the share of a piece's area that is in a region, 0 to 1; outlines are in mm on the board."""
    return float(outline.intersection(region).area / outline.area)


def has_share_inside(outline: Polygon, region: Polygon, minimum: float = 0.5) -> bool:
    """Return whether at least the share ``minimum`` of a piece's area is in a region (SD-3.3.4-b).

    The share is 0 to 1, and both outlines are in mm on the board.
    """
    return share_inside(outline, region) >= minimum - _SHARE_SLACK


def is_inside(outline: Polygon, region: Polygon) -> bool:
    """Return whether all of a piece is in a region, within 0.01 mm on the board (SD-3.3.2-a)."""
    return bool(region.buffer(SLACK, join_style="mitre").covers(outline))
