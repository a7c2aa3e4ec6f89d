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

from printkit.terrain.field.battlefield import dimensions

# Largest share of an area that several pieces may leave uncovered.
MOST_BARE: Final = 0.25

# Largest overhang of several pieces, as a share of the area; a rectangle around a circle has 0.27.
MOST_OVER: Final = 0.45

_TURNS: Final = (0.0, 30.0, 60.0)
_MOST_PIECES: Final = 24
# The search divides the square root of an area by this to get the side of its squares.
_CELLS: Final = 48

_LEAST_SQUARE: Final = 4.0
# Value of a square for a piece that covers it: uncovered area, outside the outline, already covered.
_INSIDE: Final = 20
_OUTSIDE: Final = -14
_TWICE: Final = -7

# Least value of a piece to be placed, as a share of the greatest possible value.
_WORTH: Final = 0.3

# Cost of uncovered area and of each piece; the same share of overhang costs 1.
_BARE: Final = 1.5
_APIECE: Final = 0.03

_ROWS: Final = 5
# Least tolerance between a course and the axis of a straight strip, in mm; half the strip width if that is more.
_ASIDE: Final = 12.0

_BEND_SLACK: Final = 20.0
_AHEAD: Final = 16

# Length and width of a piece in mm, and the number of such pieces.
SizeStock: TypeAlias = tuple[float, float, int]

# Length of a strip in mm, its bend in degrees, and the number of such strips.
StripStock: TypeAlias = tuple[float, float, int]


class BoxPieceSpot(Struct, frozen=True, kw_only=True):
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
        """Return the outline of the piece on the board."""
        left, right = self._sides()
        return Polygon([*right, *reversed(left)])

    @property
    def corner(self) -> tuple[float, float]:
        """Return the corner that is nearest to the near left corner of the board, in mm."""
        left, right = self._sides()
        corners = (left[0], left[-1], right[0], right[-1])
        return min(corners, key=lambda point: (round(point[0] + point[1], 3), point))

    def _sides(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Return the points of the left and the right side, seen in the direction of ``turn``."""
        steps = 8 if self.bend else 1
        turn = math.radians(self.turn - self.bend / 2)
        x, y = 0.0, 0.0
        way = [(x, y, turn)]
        for _ in range(steps):
            turn += math.radians(self.bend) / steps / 2
            x, y = x + self.length / steps * math.cos(turn), y + self.length / steps * math.sin(turn)
            turn += math.radians(self.bend) / steps / 2
            way.append((x, y, turn))
        # Move the midpoint between the two ends to (x, y).
        aside = self.x - (way[0][0] + way[-1][0]) / 2, self.y - (way[0][1] + way[-1][1]) / 2
        half = self.width / 2
        left = [(px + aside[0] - half * math.sin(t), py + aside[1] + half * math.cos(t)) for px, py, t in way]
        right = [(px + aside[0] + half * math.sin(t), py + aside[1] - half * math.cos(t)) for px, py, t in way]
        return left, right


class PieceCover(Struct, frozen=True):
    """Pieces that cover one area: size and position of each, uncovered area, overhang.

    ``spots`` has the index of the size with each position. ``bare`` and ``over`` are shares of the area.
    """

    spots: tuple[tuple[int, BoxPieceSpot], ...]
    bare: float
    over: float

    @property
    def holds(self) -> bool:
        """Return whether the pieces cover the area well enough."""
        return bool(self.spots) and self.bare <= MOST_BARE and self.over <= MOST_OVER

    @property
    def cost(self) -> float:
        """Return the cost; the cover with the least cost is the best."""
        return _BARE * self.bare + self.over + _APIECE * len(self.spots)


def alone(ground: BaseGeometry, length: float, width: float) -> BoxPieceSpot:
    """Return the position of a single piece: at the centre of the area, along its long side."""
    envelope = shapely.oriented_envelope(ground)
    middle, turned = envelope.centroid, dimensions(ground).turned
    return BoxPieceSpot(x=middle.x, y=middle.y, length=length, width=width, turn=turned or 0.0)


def covered(ground: BaseGeometry, spots: Sequence[BoxPieceSpot]) -> tuple[float, float]:
    """Return the uncovered area and the overhang of pieces, both as shares of the area."""
    laid = shapely.union_all([spot.shape for spot in spots])
    whole = max(ground.area, 1.0)
    return ground.difference(laid).area / whole, laid.difference(ground).area / whole


def cover(ground: BaseGeometry, sizes: Sequence[SizeStock]) -> PieceCover:
    """Return the best cover of an area by pieces of these sizes; empty if none of them is useful.

    Args:
        ground: the outline of the area, in mm.
        sizes: the sizes of the remaining pieces.
    """
    found = [_one_by_one(ground, sizes), *_in_rows(ground, sizes)]
    laid = [each for each in found if each.spots]
    return min(laid, key=lambda each: (not each.holds, each.cost), default=PieceCover((), 1.0, 0.0))


def _cover_of(ground: BaseGeometry, spots: Sequence[tuple[int, BoxPieceSpot]]) -> PieceCover:
    if not spots:
        return PieceCover((), 1.0, 0.0)
    return PieceCover(tuple(spots), *covered(ground, [spot for _, spot in spots]))


def _in_rows(ground: BaseGeometry, sizes: Sequence[SizeStock]) -> Iterator[PieceCover]:
    """Yield covers by even rows of equal pieces; pieces that cover little of the area are left out."""
    size = dimensions(ground)
    turn = size.turned or 0.0
    middle = shapely.oriented_envelope(ground).centroid
    across = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    for place, (length, width, count) in enumerate(sizes):
        for long, short, turned in ((length, width, turn), (width, length, (turn + 90.0) % 180.0)):
            for columns in range(1, _ROWS + 1):
                for rows in range(1, _ROWS + 1):
                    most = columns * rows
                    enough = 0.5 * ground.area <= most * length * width <= 2.0 * ground.area
                    if not enough or most > min(2 * count, _MOST_PIECES):
                        continue
                    spots = []
                    for along in _even(size.length, long, columns):
                        for aside in _even(size.width, short, rows):
                            x = middle.x + along * across[0] - aside * across[1]
                            y = middle.y + along * across[1] + aside * across[0]
                            spot = BoxPieceSpot(x=x, y=y, length=length, width=width, turn=turned)
                            if spot.shape.intersection(ground).area >= 0.4 * length * width:
                                spots.append((place, spot))
                    if spots and len(spots) <= count:
                        yield _cover_of(ground, spots)


def _even(whole: float, part: float, count: int) -> list[float]:
    """Return the centres of parts along a length, measured from its centre: spread evenly, or side by side."""
    if count == 1:
        return [0.0]
    step = max(part, (whole - part) / (count - 1))
    return [(place - (count - 1) / 2) * step for place in range(count)]


def _one_by_one(ground: BaseGeometry, sizes: Sequence[SizeStock]) -> PieceCover:
    """Return a cover by pieces one after the other, each where it covers most of the uncovered area."""
    step = max(_LEAST_SQUARE, math.sqrt(ground.area) / _CELLS)
    longest = max((length for length, _, _ in sizes), default=0.0)
    base = dimensions(ground).turned or 0.0
    nets = [_Net(ground, base + turn, step, longest) for turn in _TURNS]
    left = [count for _, _, count in sizes]
    spots: list[tuple[int, BoxPieceSpot]] = []
    while len(spots) < _MOST_PIECES:
        best: tuple[int, int, BoxPieceSpot] | None = None
        for place, (length, width, _) in enumerate(sizes):
            if not left[place]:
                continue
            for net in nets:
                for upright in (False, True):
                    found = net.best(length, width, upright=upright)
                    if found is not None and (best is None or found[0] > best[0]):
                        best = found[0], place, found[1]
        if best is None:
            break
        _, place, spot = best
        left[place] -= 1
        spots.append((place, spot))
        for net in nets:
            net.take(spot)
    return _cover_of(ground, spots)


class _Net:
    """A rotated grid of squares over an area, each with its value for a piece that covers it."""

    def __init__(self, ground: BaseGeometry, turn: float, step: float, beyond: float) -> None:
        self._turn, self._step = turn, step
        self._across = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        cos, sin = self._across
        turned = shapely.transform(
            ground, lambda at: np.column_stack((at[:, 0] * cos + at[:, 1] * sin, at[:, 1] * cos - at[:, 0] * sin))
        )
        left, near, right, far = turned.bounds
        reach = min(beyond, right - left, far - near) / 2 + step
        self._x = np.arange(left - reach + step / 2, right + reach, step)
        self._y = np.arange(near - reach + step / 2, far + reach, step)
        inside = shapely.contains_xy(turned, *np.meshgrid(self._x, self._y))
        self._worth: NDArray[np.int64] = np.where(inside, _INSIDE, _OUTSIDE).astype(np.int64)

    def best(self, length: float, width: float, *, upright: bool) -> tuple[int, BoxPieceSpot] | None:
        """Return the best value and position for a piece, or None if the value is too low."""
        wide, deep = (width, length) if upright else (length, width)
        columns, rows = max(1, round(wide / self._step)), max(1, round(deep / self._step))
        if columns > len(self._x) or rows > len(self._y):
            return None
        total = np.zeros((len(self._y) + 1, len(self._x) + 1), dtype=np.int64)
        total[1:, 1:] = self._worth.cumsum(axis=0).cumsum(axis=1)
        sums = total[rows:, columns:] - total[:-rows, columns:] - total[rows:, :-columns] + total[:-rows, :-columns]
        place = int(np.argmax(sums))
        row, column = divmod(place, sums.shape[1])
        worth = int(sums[row, column])
        if worth < _WORTH * _INSIDE * rows * columns:
            return None
        x = float(self._x[column]) + (columns - 1) * self._step / 2
        y = float(self._y[row]) + (rows - 1) * self._step / 2
        cos, sin = self._across
        turn = (self._turn + (90.0 if upright else 0.0)) % 180.0
        return worth, BoxPieceSpot(x=x * cos - y * sin, y=x * sin + y * cos, length=length, width=width, turn=turn)

    def take(self, spot: BoxPieceSpot) -> None:
        """Mark the squares under a piece as covered."""
        cos, sin = self._across
        x, y = np.meshgrid(self._x, self._y)
        east, north = x * cos - y * sin - spot.x, x * sin + y * cos - spot.y
        along = math.cos(math.radians(spot.turn)), math.sin(math.radians(spot.turn))
        under = (np.abs(east * along[0] + north * along[1]) <= spot.length / 2) & (
            np.abs(north * along[0] - east * along[1]) <= spot.width / 2
        )
        self._worth[under & (self._worth == _INSIDE)] = _TWICE


def strips_along(
    line: LineString, width: float, strips: Sequence[StripStock]
) -> Iterator[tuple[int, float, BoxPieceSpot]]:
    """Place strips along a course from its start; yield the index, covered length in mm and position of each.

    Args:
        line: the course on the board, in mm.
        width: the width of the strips, in mm.
        strips: the remaining strips; each index is yielded at most as often as its number.
    """
    upto = line.length
    left = [count for _, _, count in strips]
    aside = max(_ASIDE, width / 2)
    at = 0.0
    while at < upto - 0.5 and any(left):
        place = _next_strip(line, at, upto, aside, strips, left)
        length, bend, _ = strips[place]
        left[place] -= 1
        # The last strip ends with the course and overlaps the one before it, so it stays on the board.
        begins = max(0.0, min(at, line.length - length))
        yield place, min(length, upto - at), _spot(line, begins, length, width, bend)
        at += length


def _spot(line: LineString, at: float, length: float, width: float, bend: float) -> BoxPieceSpot:
    """Return the position of a strip that begins at a distance along a course."""
    stop = min(at + length, line.length)
    start, end = line.interpolate(at), line.interpolate(stop)
    turn = _bearing(start, end) if start.distance(end) > 1.0 else _heading(line, at)
    if bend:
        middle = (start.x + end.x) / 2, (start.y + end.y) / 2
        bend = math.copysign(bend, _turned(line, at, stop))
    else:
        half = length / 2
        middle = start.x + half * math.cos(math.radians(turn)), start.y + half * math.sin(math.radians(turn))
    backwards = not 0.0 <= turn < 180.0
    return BoxPieceSpot(
        x=middle[0],
        y=middle[1],
        length=length,
        width=width,
        turn=turn % 180.0,
        bend=-bend if backwards else bend,
    )


def _next_strip(
    line: LineString, at: float, upto: float, aside: float, strips: Sequence[StripStock], left: Sequence[int]
) -> int:
    """Return the index of the next strip: the longest that stays on the course, or else the shortest.

    Among strips that reach the end of the course, the shortest is enough.
    """
    there = [place for place in range(len(strips)) if left[place]]
    lying = [place for place in there if _lies(line, at, strips[place], aside)]
    if not lying:
        return min(there, key=lambda place: (strips[place][0], place))
    rest = upto - at
    enough = [place for place in lying if strips[place][0] >= rest]
    if enough:
        return min(enough, key=lambda place: (strips[place][0], place))
    return max(lying, key=lambda place: (strips[place][0], -place))


def _lies(line: LineString, at: float, strip: StripStock, aside: float) -> bool:
    """Return whether a strip that begins at a distance along the course stays on it."""
    length, bend, _ = strip
    end = min(at + length, line.length)
    if bend:
        return abs(abs(_turned(line, at, end)) - bend) <= _BEND_SLACK
    start, stop = line.interpolate(at), line.interpolate(end)
    chord = LineString([start, stop])
    if chord.length < 1.0:
        return True
    return all(
        chord.distance(line.interpolate(at + (end - at) * share / _AHEAD)) <= aside for share in range(1, _AHEAD)
    )


def _turned(line: LineString, start: float, end: float) -> float:
    """Return the turn of a course between two distances, in degrees; positive to the left."""
    return (_heading(line, min(end, line.length) - 1.0) - _heading(line, start) + 180.0) % 360.0 - 180.0


def _heading(line: LineString, at: float) -> float:
    at = max(0.0, min(at, line.length - 1.0))
    return _bearing(line.interpolate(at), line.interpolate(at + 1.0))


def _bearing(start: Point, end: Point) -> float:
    return math.degrees(math.atan2(end.y - start.y, end.x - start.x))
