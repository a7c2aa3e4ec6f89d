"""Lines of courses through chains of grid cells.

Directions count from 0, clockwise from the top, like those of the grid. Lengths are mm on the board.

Source: the cartography, 14; PW2-33 and PW2-36.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from shapely import LineString

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.core.errors import PlacementError
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.routing import smooth_curve
from printkit.terrain.gridded.cell_shapes import REFERENCE

_Point = NDArray[np.float64]
_Line = NDArray[np.float64]
XY = tuple[float, float]

# Distance that a course continues past the outer side, in cells.
_BEYOND: Final = 0.35

_SPACING: Final = 2.0

# Minimum and maximum offset of a course from the centre of a cell, in cells.
_WAVER: Final = (0.06, 0.10)

# Share of that offset at faces.
_FACE_SHARE: Final = 0.25

# How much a sharp turn cuts its corner in a cell: the share of the distance from the centre to the chord.
_CUT: Final = 0.42


# Gap between two courses that share a face, in cells.
_APART: Final = 0.17

_MOST_ASIDE: Final = 0.25

_WIDTHS: Final[Mapping[Kind, float]] = {
    Kind.RIVER: 15.0,
    Kind.CREEK: 4.6,
    Kind.STREAM: 3.6,
    Kind.ROAD: 8.6,
    Kind.FENCED_ROAD: 8.6,
    Kind.SUNKEN_LANE: 8.0,
    Kind.TRACK: 5.4,
    Kind.PATH: 3.0,
    Kind.RAILWAY: 7.5,
}
_BANDED: Final = 1.12
# Distances of the points of a wide river past the board edge, from the centre of its last cell, in cells.
_OUTWARDS: Final = (0.55, 1.1)

# Minimum distance of a wide river from its first cell's centre, as a share of the distance to the second's. Smoothing a
# bend would pull the river out of its second cell.
_HELD: Final = 0.2


class Chain(NamedTuple):
    """A course as a sequence of neighbouring cells.

    Attributes:
        enters, leaves: directions of the outer faces where the course crosses the board edge, in the first and the last
            cell; None where it ends on the board.
    """

    cells: tuple[Cell, ...]
    enters: int | None = None
    leaves: int | None = None


def course_width(grid: Grid, kind: Kind, *, cells: int = 1) -> float:
    """Return the width of a course in mm, which shrinks more slowly than the cell.

    Args:
        cells: more than 1 for a wide river.
    """
    if cells > 1:
        return _BANDED * grid.cell
    return _WIDTHS[kind] * math.pow(grid.cell / REFERENCE, 0.8)


def threaded(
    grid: Grid,
    cells: Sequence[Cell],
    stream: Stream,
    *,
    enters: int | None = None,
    leaves: int | None = None,
    calm: Collection[Cell] = (),
    aside: Mapping[int, float] | None = None,
) -> LineString:
    """Return the line of a course through a chain of neighbouring cells.

    It runs near the centres of cells and faces, with small random offsets. An end on the board is near the centre of
    its cell.

    Args:
        enters: direction of the outer face where the course enters the board, in the first cell.
        leaves: direction of the outer face where it leaves, in the last cell. Both ends continue past the board.
        calm: cells without a random offset, for example crossings and towns.
        aside: one result of ``asides``: offsets by index in the chain, in mm to the left of the direction of
            travel. Index -1 is before the first cell, and the number of cells is after the last.

    Raises:
        PlacementError: consecutive cells do not share a side, or a course of one cell has neither face.
    """
    _judge(grid, cells, enters, leaves)
    shift = aside or {}
    faces = _faces(grid, Chain(tuple(cells), enters, leaves))
    points: list[XY] = []
    if enters is not None:
        points += _over_edge(grid, cells[0], enters, stream, -shift.get(-1, 0.0))[::-1]
    for place, cell in enumerate(cells):
        middle = grid.centre(cell)
        if cell not in calm:
            middle = _wavered(grid, cell, faces[place], stream, shift.get(place, 0.0))
        points.append(middle)
        if place + 1 < len(cells):
            points.append(_on_face(grid, cell, cells[place + 1], stream, _at_face(shift, place)))
    if leaves is not None:
        points += _over_edge(grid, cells[-1], leaves, stream, shift.get(len(cells), 0.0))
    return LineString(smooth_curve(np.array(points), _SPACING))


def banded(
    grid: Grid,
    cells: Sequence[Cell],
    beside: Sequence[Cell | None],
    stream: Stream,
    *,
    enters: int | None = None,
    leaves: int | None = None,
) -> tuple[LineString, float]:
    """Return the line and width of a river two cells wide (PW2-36).

    The line runs between the cells of the chain and their neighbours.

    Args:
        beside: for each cell the neighbour that the river also takes; None where it is one cell wide.

    Raises:
        PlacementError: see ``threaded``.
    """
    _judge(grid, cells, enters, leaves)
    points: list[XY] = []
    for cell, other in zip(cells, beside, strict=True):
        own = grid.centre(cell)
        waver = 0.3 * _WAVER[1] * grid.cell
        x, y = _halfway(own, own if other is None else grid.centre(other))
        points.append((x + stream.between(-waver, waver), y + stream.between(-waver, waver)))
    for end, cell, direction in ((0, cells[0], enters), (-1, cells[-1], leaves)):
        if direction is None:
            continue
        # The river leaves parallel to the line from the cell to its outer neighbour, with the same offset.
        x, y = points[end]
        own, out = grid.centre(cell), grid.centre(grid.step(cell, direction))
        for share in _OUTWARDS:
            point = (x + share * (out[0] - own[0]), y + share * (out[1] - own[1]))
            points.insert(0 if end == 0 else len(points), point)
    line = _eased(np.array(points))
    first = 0 if enters is None else len(_OUTWARDS)
    for place, (cell, other) in enumerate(zip(cells, beside, strict=True), first):
        if other is not None:
            line[place] = _held(line[place], np.array(grid.centre(cell)), np.array(grid.centre(other)))
    return LineString(smooth_curve(line, _SPACING)), course_width(grid, Kind.RIVER, cells=2)


def asides(grid: Grid, chains: Sequence[Chain]) -> tuple[dict[int, float], ...]:
    """Return the offsets of each chain from the centres of the faces that it shares with earlier chains.

    The earlier chain keeps the centre. A later one stays on the side from which it arrives. If it must cross, it does
    so in the last shared cell, with offset 0. Where both leave the board by one face, the later one crosses in the
    cell before and leaves next to the earlier one. Chains that meet in a single cell do not get an offset.

    Returns:
        For each chain, offsets by index in the chain, in mm to the left of the direction of travel. The indices before
        the first cell and after the last are at the edge of the board.
    """
    taken: dict[tuple[Cell, Cell], list[float]] = {}
    found: list[dict[int, float]] = []
    whole = [_with_outside(grid, chain) for chain in chains]
    for number, chain in enumerate(chains):
        before = 0 if chain.enters is None else 1
        edges = {
            place for place, end in ((0, chain.enters), (len(whole[number].cells) - 1, chain.leaves)) if end is not None
        }
        shift = _aside_of(grid, whole[number], whole[:number], taken, edges)
        for place, (one, other) in enumerate(pairwise(whole[number].cells)):
            by = _at_face(shift, place)
            taken.setdefault((one, other), []).append(by)
            taken.setdefault((other, one), []).append(-by)
        found.append({place - before: by for place, by in shift.items()})
    return tuple(found)


def _with_outside(grid: Grid, chain: Chain) -> Chain:
    """Return the chain with an extra cell off the board at each end that crosses the edge."""
    cells = chain.cells
    first = () if chain.enters is None else (grid.step(cells[0], chain.enters),)
    last = () if chain.leaves is None else (grid.step(cells[-1], chain.leaves),)
    return Chain((*first, *cells, *last))


def _aside_of(
    grid: Grid,
    chain: Chain,
    earlier: Sequence[Chain],
    taken: Mapping[tuple[Cell, Cell], Sequence[float]],
    edges: Collection[int],
) -> dict[int, float]:
    shift: dict[int, float] = {}
    for first, last in _runs(chain.cells, taken):
        # A run may follow one course first and another later, so each end uses the course that it meets there.
        before, after = (
            next(each for each in earlier if _follows(each, chain.cells[place], chain.cells[place + 1]))
            for place in (first, last - 1)
        )
        start = _side(grid, chain, first, before)
        end = _side(grid, chain, last, after)
        side = start or end or 1
        used = [by for pair in pairwise(chain.cells[first : last + 1]) for by in taken[pair]]
        by = _free_place(side, used, grid.cell)
        shift.update(dict.fromkeys(range(first, last + 1), by))
        if start and end and start != end:
            shift[last] = 0.0
        elif last in edges and first not in edges:
            shift.update({last - 1: 0.0, last: -by})
        elif first in edges and last not in edges:
            shift.update({first + 1: 0.0, first: -by})
    return shift


def _free_place(side: int, used: Sequence[float], cell: float) -> float:
    """Return the first free offset on one side of the centre of a face, in mm, going outwards."""
    for count in (1, 2, 3):
        by = side * min(_APART * count, _MOST_ASIDE) * cell
        if all(abs(by - each) > _APART * cell / 2 for each in used):
            break
    return by


def _runs(cells: Sequence[Cell], taken: Mapping[tuple[Cell, Cell], Sequence[float]]) -> list[tuple[int, int]]:
    """Return the first and last index of each run of cells whose faces earlier courses use."""
    found: list[tuple[int, int]] = []
    for place, pair in enumerate(pairwise(cells)):
        if pair not in taken:
            continue
        if found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


def _follows(chain: Chain, one: Cell, other: Cell) -> bool:
    return any({one, other} == {*pair} for pair in pairwise(chain.cells))


def _side(grid: Grid, chain: Chain, place: int, other: Chain) -> int:
    """Return the side of another course on which this course joins or leaves it: 1 left, -1 right.

    The side is seen in this course's direction of travel. The result is 0 if either course ends in the cell, or if both
    use the same faces.
    """
    own, theirs = _faces(grid, chain), _faces(grid, other)
    at = other.cells.index(chain.cells[place])
    before, after = own[place]
    shared = before if before in theirs[at] else after
    alone = after if shared == before else before
    far = next((face for face in theirs[at] if face != shared), None)
    if alone is None or shared is None or far is None or alone == far:
        return 0
    count = grid.directions()
    # Clockwise from the shared face, faces before the other course's far face are on the right when leaving by the
    # shared face.
    right = (alone - shared) % count < (far - shared) % count
    leaving = shared == after
    return (-1 if right else 1) * (1 if leaving else -1)


def _faces(grid: Grid, chain: Chain) -> list[tuple[int | None, int | None]]:
    """Return the directions of the entry and exit faces for each cell of a chain."""
    out = [grid.turn(one, other) for one, other in pairwise(chain.cells)]
    half = grid.directions() // 2
    back = [(direction + half) % grid.directions() for direction in out]
    return list(zip([chain.enters, *back], [*out, chain.leaves], strict=True))


def _judge(grid: Grid, cells: Sequence[Cell], enters: int | None, leaves: int | None) -> None:
    for one, other in pairwise(cells):
        if other not in [grid.step(one, direction) for direction in range(grid.directions())]:
            raise PlacementError(
                "cells {one} and {other} do not share a side, so a course cannot run between them",
                one=tuple(one),
                other=tuple(other),
            )
    if not cells or (len(cells) == 1 and enters is None and leaves is None):
        raise PlacementError("a course needs two cells, or one cell and a side where it enters or leaves")


def _at_face(shift: Mapping[int, float], place: int) -> float:
    """Return the offset at the face after a cell in mm: that of the cell, or of the next cell if it is 0."""
    if place not in shift or place + 1 not in shift:
        return 0.0
    return shift[place] or shift[place + 1]


def _wavered(grid: Grid, cell: Cell, faces: tuple[int | None, int | None], stream: Stream, aside: float) -> XY:
    """Return the point of a course in a cell: moved sideways from the centre, or inside a sharp turn."""
    x, y = grid.centre(cell)
    ends = [(x, y) if face is None else _middle(grid, cell, face) for face in faces]
    (from_x, from_y), (to_x, to_y) = ends
    along = math.hypot(to_x - from_x, to_y - from_y) or 1.0
    left = (-(to_y - from_y) / along, (to_x - from_x) / along)
    waver = grid.cell * stream.between(*_WAVER) * (1 if stream.draw_unit() < 0.5 else -1)
    if None in faces:
        waver = 0.0
    elif along < 0.9 * grid.cell:
        # The entry and exit faces are near each other: cut the corner on the inner side.
        chord_x, chord_y = _halfway(*ends)
        x, y = x + _CUT * (chord_x - x), y + _CUT * (chord_y - y)
        waver *= 0.5
    if aside:
        waver = 0.25 * waver + aside
    return x + waver * left[0], y + waver * left[1]


def _on_face(grid: Grid, cell: Cell, other: Cell, stream: Stream, aside: float) -> XY:
    """Return the point where a course crosses the face between two cells; the face starts on its left."""
    (x, y), (to_x, to_y) = grid.face(cell, grid.turn(cell, other)).coords
    length = math.hypot(to_x - x, to_y - y)
    waver = _FACE_SHARE * _WAVER[1] * grid.cell
    share = 0.5 + (stream.between(-waver, waver) - aside) / length
    return x + share * (to_x - x), y + share * (to_y - y)


def _over_edge(grid: Grid, cell: Cell, direction: int, stream: Stream, aside: float) -> list[XY]:
    """Return a point on an outer face and one beyond it; ``aside`` is mm to the left when leaving."""
    (x, y), (to_x, to_y) = grid.face(cell, direction).coords
    waver = _FACE_SHARE * _WAVER[1]
    share = 0.5 + stream.between(-waver, waver) - aside / math.hypot(to_x - x, to_y - y)
    at = (x + share * (to_x - x), y + share * (to_y - y))
    own, out = grid.centre(cell), grid.centre(grid.step(cell, direction))
    return [at, (at[0] + _BEYOND * (out[0] - own[0]), at[1] + _BEYOND * (out[1] - own[1]))]


def _middle(grid: Grid, cell: Cell, direction: int) -> XY:
    (x, y), (to_x, to_y) = grid.face(cell, direction).coords
    return _halfway((x, y), (to_x, to_y))


def _halfway(one: XY, other: XY) -> XY:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _held(point: _Point, own: _Point, other: _Point) -> _Point:
    """Return a point of a wide river, moved towards its second cell if smoothing pulled it away."""
    towards = other - own
    lacks = _HELD - float(elementary.product(point - own, towards) / elementary.product(towards, towards))
    return point + max(0.0, lacks) * towards


def _eased(points: _Line) -> _Line:
    """Return the points smoothed, because a wide river must not bend within its own width."""
    eased = points.copy()
    eased[1:-1] = points[1:-1] / 2 + (points[:-2] + points[2:]) / 4
    return eased
