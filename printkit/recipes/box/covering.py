"""Place terrain pieces: rectangles on an area, strips along a course.

Several pieces can cover one area. They are placed in even rows, or one after the other where each covers most. The way
with less uncovered area and less overhang is used. Strips are placed end to end along a course. A bent strip is placed
where the course bends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.terrain.field.battlefield import measure_shape

# Largest share of an area that several pieces may leave uncovered.
MOST_UNCOVERED: Final = 0.25

# Largest overhang of several pieces, as a share of the area; a rectangle around a circle has 0.27.
MOST_OVERHANG: Final = 0.45

_TURNS: Final = (0.0, 30.0, 60.0)
_MOST_PIECES: Final = 24
# The search divides the square root of an area by this to get the side of its squares.
_SQUARES_PER_SIDE: Final = 48

_LEAST_SQUARE: Final = 4.0
# Value of a square for a piece that covers it: uncovered area, outside the outline, already covered.
_INSIDE: Final = 20
_OUTSIDE: Final = -14
_COVERED: Final = -7

# Least value of a piece to be placed, as a share of the greatest possible value.
_LEAST_VALUE: Final = 0.3

# Cost of uncovered area and of each piece; the same share of overhang costs 1.
_UNCOVERED_COST: Final = 1.5
_PIECE_COST: Final = 0.03

_ROWS: Final = 5
# Least tolerance between a course and the axis of a straight strip, in mm; half the strip width if that is more.
_LEAST_TOLERANCE_MM: Final = 12.0

_BEND_SLACK: Final = 20.0
_CHECK_POINTS: Final = 16

# Length and width of a piece in mm, and the number of such pieces.
SizeStock: TypeAlias = tuple[float, float, int]

# Length of a strip in mm, its bend in degrees, and the number of such strips.
StripStock: TypeAlias = tuple[float, float, int]


class PiecePosition(Struct, frozen=True, kw_only=True):
    """The position of a piece: its centre and sides in mm, and the direction of its long side in degrees.

    ``turn`` is anticlockwise from the near edge, 0 to 180. ``bend`` is the total bend of a strip in degrees, positive
    to the left. For a bent strip, ``turn`` is the direction between its ends, and the centre is their midpoint.
    """

    x: float
    y: float
    length: float
    width: float
    turn: float
    bend: float = 0.0

    @property
    def shape(self) -> Polygon:
        """Return the outline of the piece, in mm on the board."""
        left, right = self._sides()
        return Polygon([*right, *reversed(left)])

    @property
    def corner(self) -> tuple[float, float]:
        """Return the corner (x, y) of the piece that is nearest to the near left corner of the board.

        It is in mm on the board, and is the corner marked on the piece list. Nearest means the least sum of x and y.
        """
        left, right = self._sides()
        corners = (left[0], left[-1], right[0], right[-1])
        return min(corners, key=lambda point: (round(point[0] + point[1], 3), point))

    def _sides(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Return the points of the left and the right side, seen along ``turn``, from start to end.

        Points are x and y in mm on the board; a bent piece has nine on each side.
        """
        steps = 8 if self.bend else 1
        turn = math.radians(self.turn - self.bend / 2)
        x, y = 0.0, 0.0
        points = [(x, y, turn)]
        for _ in range(steps):
            turn += math.radians(self.bend) / steps / 2
            x, y = x + self.length / steps * math.cos(turn), y + self.length / steps * math.sin(turn)
            turn += math.radians(self.bend) / steps / 2
            points.append((x, y, turn))
        # Move the midpoint between the two ends to (x, y).
        shift = self.x - (points[0][0] + points[-1][0]) / 2, self.y - (points[0][1] + points[-1][1]) / 2
        half = self.width / 2
        left = [(px + shift[0] - half * math.sin(t), py + shift[1] + half * math.cos(t)) for px, py, t in points]
        right = [(px + shift[0] + half * math.sin(t), py + shift[1] - half * math.cos(t)) for px, py, t in points]
        return left, right


class PieceCover(Struct, frozen=True):
    """Pieces that cover one area: size and position of each, uncovered area, overhang.

    ``positions`` has the index of the size with each position. ``uncovered_share`` and ``overhang`` are shares of the
    area.
    """

    positions: tuple[tuple[int, PiecePosition], ...]
    uncovered_share: float
    overhang: float

    @property
    def is_good_enough(self) -> bool:
        """Return whether at most 25 % of the area is uncovered and the overhang is at most 45 % of it."""
        return bool(self.positions) and self.uncovered_share <= MOST_UNCOVERED and self.overhang <= MOST_OVERHANG

    @property
    def cost(self) -> float:
        """Return the cost without a unit: of uncovered area, overhang and each piece; less is better."""
        return _UNCOVERED_COST * self.uncovered_share + self.overhang + _PIECE_COST * len(self.positions)


def place_single(ground: BaseGeometry, length: float, width: float) -> PiecePosition:
    """Return the position of a single piece: at the centre of the area, along its long side.

    Lengths are in mm on the board. The piece can be larger or smaller than the area; for a round area it is not
    rotated.
    """
    envelope = shapely.oriented_envelope(ground)
    centre, angle_deg = envelope.centroid, measure_shape(ground).angle_deg
    return PiecePosition(x=centre.x, y=centre.y, length=length, width=width, turn=angle_deg or 0.0)


def cover_shares(ground: BaseGeometry, positions: Sequence[PiecePosition]) -> tuple[float, float]:
    """Return the uncovered area and the area of pieces outside it, both as shares of the area of ``ground``.

    ``ground`` is in mm on the board. The first share is 0 to 1, the second can be larger. Without positions they are 1
    and 0.
    """
    union = shapely.union_all([position.shape for position in positions])
    area = max(ground.area, 1.0)
    return ground.difference(union).area / area, union.difference(ground).area / area


def cover(ground: BaseGeometry, sizes: Sequence[SizeStock]) -> PieceCover:
    """Return the cover of an area by pieces with the least cost.

    Covers that are good enough win over others. If no piece covers enough, the result has no positions and the
    uncovered share 1.

    Args:
        ground: the outline of the area, in mm on the board.
        sizes: the length and width in mm and the number of each size of piece.
    """
    covers = [_greedy_cover(ground, sizes), *_row_covers(ground, sizes)]
    useful_covers = [candidate for candidate in covers if candidate.positions]
    return min(
        useful_covers,
        key=lambda candidate: (not candidate.is_good_enough, candidate.cost),
        default=PieceCover((), 1.0, 0.0),
    )


def _build_cover(ground: BaseGeometry, positions: Sequence[tuple[int, PiecePosition]]) -> PieceCover:
    """Return a cover with its uncovered share and overhang.

    ``ground`` is in mm on the board. ``positions`` has the index, from 0, of the size with each position.
    """
    if not positions:
        return PieceCover((), 1.0, 0.0)
    return PieceCover(tuple(positions), *cover_shares(ground, [position for _, position in positions]))


def _row_covers(ground: BaseGeometry, sizes: Sequence[SizeStock]) -> Iterator[PieceCover]:
    """Yield covers by even rows of equal pieces; pieces with less than 40 % on the area are left out.

    ``ground`` is in mm on the board, and ``sizes`` are length and width in mm and the number of pieces.
    """
    size = measure_shape(ground)
    turn = size.angle_deg or 0.0
    centre = shapely.oriented_envelope(ground).centroid
    direction = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    for index, (length, width, count) in enumerate(sizes):
        for long, short, piece_turn in ((length, width, turn), (width, length, (turn + 90.0) % 180.0)):
            for columns in range(1, _ROWS + 1):
                for rows in range(1, _ROWS + 1):
                    most = columns * rows
                    enough = 0.5 * ground.area <= most * length * width <= 2.0 * ground.area
                    if not enough or most > min(2 * count, _MOST_PIECES):
                        continue
                    positions = []
                    for x_offset in _spread_centres(size.length, long, columns):
                        for y_offset in _spread_centres(size.width, short, rows):
                            x = centre.x + x_offset * direction[0] - y_offset * direction[1]
                            y = centre.y + x_offset * direction[1] + y_offset * direction[0]
                            position = PiecePosition(x=x, y=y, length=length, width=width, turn=piece_turn)
                            if position.shape.intersection(ground).area >= 0.4 * length * width:
                                positions.append((index, position))
                    if positions and len(positions) <= count:
                        yield _build_cover(ground, positions)


def _spread_centres(total_length: float, part_length: float, count: int) -> list[float]:
    """Return the centres of ``count`` equal parts along a length, as distances from its middle, in ascending order.

    All lengths are in mm on the board. The parts fill the length from end to end, or are side by side if they are
    longer together. ``count`` is at least 1.
    """
    if count == 1:
        return [0.0]
    step = max(part_length, (total_length - part_length) / (count - 1))
    return [(index - (count - 1) / 2) * step for index in range(count)]


def _greedy_cover(ground: BaseGeometry, sizes: Sequence[SizeStock]) -> PieceCover:
    """Return a cover by pieces one after the other, each where it covers most of the uncovered area.

    ``ground`` is in mm on the board, and ``sizes`` are length and width in mm and the number of pieces.
    """
    step = max(_LEAST_SQUARE, math.sqrt(ground.area) / _SQUARES_PER_SIDE)
    longest = max((length for length, _, _ in sizes), default=0.0)
    base = measure_shape(ground).angle_deg or 0.0
    grids = [_ValueGrid(ground, base + turn, step, longest) for turn in _TURNS]
    remaining = [count for _, _, count in sizes]
    positions: list[tuple[int, PiecePosition]] = []
    while len(positions) < _MOST_PIECES:
        best: tuple[int, int, PiecePosition] | None = None
        for index, (length, width, _) in enumerate(sizes):
            if not remaining[index]:
                continue
            for grid in grids:
                for upright in (False, True):
                    candidate = grid.best(length, width, is_rotated=upright)
                    if candidate is not None and (best is None or candidate[0] > best[0]):
                        best = candidate[0], index, candidate[1]
        if best is None:
            break
        _, index, position = best
        remaining[index] -= 1
        positions.append((index, position))
        for grid in grids:
            grid.take(position)
    return _build_cover(ground, positions)


class _ValueGrid:
    """A rotated grid of squares over an area, each with its value for a piece that covers it."""

    def __init__(self, ground: BaseGeometry, turn: float, step: float, longest: float) -> None:
        self._turn, self._step = turn, step
        self._across = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        cos, sin = self._across
        rotated = shapely.transform(
            ground,
            lambda points: np.column_stack(
                (points[:, 0] * cos + points[:, 1] * sin, points[:, 1] * cos - points[:, 0] * sin)
            ),
        )
        left, near, right, far = rotated.bounds
        reach = min(longest, right - left, far - near) / 2 + step
        self._x = np.arange(left - reach + step / 2, right + reach, step)
        self._y = np.arange(near - reach + step / 2, far + reach, step)
        inside = shapely.contains_xy(rotated, *np.meshgrid(self._x, self._y))
        self._worth: NDArray[np.int64] = np.where(inside, _INSIDE, _OUTSIDE).astype(np.int64)

    def best(self, length: float, width: float, *, is_rotated: bool) -> tuple[int, PiecePosition] | None:
        """Return the highest value and its position for a piece, or None if it covers too little or is too large.

        The sides are in mm on the board. ``is_rotated`` turns the piece by 90 degrees on the grid. The value counts
        squares of the grid: uncovered ones add to it, others subtract. ``length`` is along x without the turn.
        """
        size_x, size_y = (width, length) if is_rotated else (length, width)
        columns, rows = max(1, round(size_x / self._step)), max(1, round(size_y / self._step))
        if columns > len(self._x) or rows > len(self._y):
            return None
        total = np.zeros((len(self._y) + 1, len(self._x) + 1), dtype=np.int64)
        total[1:, 1:] = self._worth.cumsum(axis=0).cumsum(axis=1)
        sums = total[rows:, columns:] - total[:-rows, columns:] - total[rows:, :-columns] + total[:-rows, :-columns]
        flat_index = int(np.argmax(sums))
        row, column = divmod(flat_index, sums.shape[1])
        value = int(sums[row, column])
        if value < _LEAST_VALUE * _INSIDE * rows * columns:
            return None
        x = float(self._x[column]) + (columns - 1) * self._step / 2
        y = float(self._y[row]) + (rows - 1) * self._step / 2
        cos, sin = self._across
        turn = (self._turn + (90.0 if is_rotated else 0.0)) % 180.0
        return value, PiecePosition(x=x * cos - y * sin, y=x * sin + y * cos, length=length, width=width, turn=turn)

    def take(self, position: PiecePosition) -> None:
        """Mark the squares under a piece as covered."""
        cos, sin = self._across
        x, y = np.meshgrid(self._x, self._y)
        east, north = x * cos - y * sin - position.x, x * sin + y * cos - position.y
        direction = math.cos(math.radians(position.turn)), math.sin(math.radians(position.turn))
        is_covered = (np.abs(east * direction[0] + north * direction[1]) <= position.length / 2) & (
            np.abs(north * direction[0] - east * direction[1]) <= position.width / 2
        )
        self._worth[is_covered & (self._worth == _INSIDE)] = _COVERED


def place_strips(
    line: LineString, width: float, strips: Sequence[StripStock]
) -> Iterator[tuple[int, float, PiecePosition]]:
    """Place strips along a course from its start; yield index, covered length in mm and position of each.

    The index, from 0, is that of the strip in ``strips``. The last strip ends with the course and can overlap the one
    before it. The rest of the course stays uncovered when no strips are left.

    Args:
        line: the course, in mm on the board.
        width: the width of the strips, in mm on the board.
        strips: length in mm, bend in degrees and number of the remaining strips; each index is yielded at most as often
            as its number.
    """
    end = line.length
    remaining = [count for _, _, count in strips]
    tolerance = max(_LEAST_TOLERANCE_MM, width / 2)
    distance = 0.0
    while distance < end - 0.5 and any(remaining):
        index = _choose_strip(line, distance, end, tolerance, strips, remaining)
        length, bend, _ = strips[index]
        remaining[index] -= 1
        # The last strip ends with the course and overlaps the one before it, so it stays on the board.
        start = max(0.0, min(distance, line.length - length))
        yield index, min(length, end - distance), _strip_position(line, start, length, width, bend)
        distance += length


def _strip_position(line: LineString, distance: float, length: float, width: float, bend: float) -> PiecePosition:
    """Return the position of a strip that begins at ``distance`` along a course.

    Lengths are in mm on the board. ``bend`` is the bend of the strip in degrees, without a sign. Its rotation is at
    least 0 and below 180 degrees. ``line`` is the centre line of the course; ``length`` and ``width`` are those of the
    strip.
    """
    stop = min(distance + length, line.length)
    start, end = line.interpolate(distance), line.interpolate(stop)
    turn = _bearing(start, end) if start.distance(end) > 1.0 else _heading(line, distance)
    if bend:
        centre = (start.x + end.x) / 2, (start.y + end.y) / 2
        bend = math.copysign(bend, _turn_between(line, distance, stop))
    else:
        half = length / 2
        centre = start.x + half * math.cos(math.radians(turn)), start.y + half * math.sin(math.radians(turn))
    backwards = not 0.0 <= turn < 180.0
    return PiecePosition(
        x=centre[0],
        y=centre[1],
        length=length,
        width=width,
        turn=turn % 180.0,
        bend=-bend if backwards else bend,
    )


def _choose_strip(
    line: LineString,
    distance: float,
    course_end: float,
    tolerance: float,
    strips: Sequence[StripStock],
    remaining: Sequence[int],
) -> int:
    """Return the index of the next strip: the longest that stays on the course, or else the shortest.

    Among strips that reach the end of the course, the shortest is enough. ``distance`` is the start of the strip and
    ``course_end`` the end of the course, both along the line. Lengths are in mm on the board. ``remaining`` has the
    number of strips left of each index.
    """
    available = [index for index in range(len(strips)) if remaining[index]]
    fitting = [index for index in available if _stays_on_course(line, distance, strips[index], tolerance)]
    if not fitting:
        return min(available, key=lambda index: (strips[index][0], index))
    rest_length = course_end - distance
    long_enough = [index for index in fitting if strips[index][0] >= rest_length]
    if long_enough:
        return min(long_enough, key=lambda index: (strips[index][0], index))
    return max(fitting, key=lambda index: (strips[index][0], -index))


def _stays_on_course(line: LineString, distance: float, strip: StripStock, tolerance: float) -> bool:
    """Return whether a strip that begins at ``distance`` along the course stays on it.

    A bent strip does if the course turns by about its bend. ``distance`` and ``tolerance``, the largest gap between the
    course and a straight strip, are in mm on the board. ``strip`` is its length in mm, its bend in degrees and the
    number of pieces.
    """
    length, bend, _ = strip
    end = min(distance + length, line.length)
    if bend:
        return abs(abs(_turn_between(line, distance, end)) - bend) <= _BEND_SLACK
    start, stop = line.interpolate(distance), line.interpolate(end)
    chord = LineString([start, stop])
    if chord.length < 1.0:
        return True
    return all(
        chord.distance(line.interpolate(distance + (end - distance) * share / _CHECK_POINTS)) <= tolerance
        for share in range(1, _CHECK_POINTS)
    )


def _turn_between(line: LineString, start: float, end: float) -> float:
    """Return the turn of a course between two distances along it, in degrees; positive to the left.

    Distances are in mm on the board.
    """
    return (_heading(line, min(end, line.length) - 1.0) - _heading(line, start) + 180.0) % 360.0 - 180.0


def _heading(line: LineString, distance: float) -> float:
    """Return the direction of a course at a distance along it, in mm on the board.

    The direction is in degrees, anticlockwise from the x axis.
    """
    distance = max(0.0, min(distance, line.length - 1.0))
    return _bearing(line.interpolate(distance), line.interpolate(distance + 1.0))


def _bearing(start: Point, end: Point) -> float:
    """Return the direction between two points in degrees, anticlockwise from the x axis, -180 to 180."""
    return math.degrees(math.atan2(end.y - start.y, end.x - start.x))
