"""Lines of courses through chains of grid cells.

Directions count from 0, clockwise from the top, like those of the grid. Lengths are mm on the board.

Source: the cartography, 14; PW2-33 and PW2-36.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from shapely import LineString

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.errors import PlacementError
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.routing import smooth_curve
from printkit.terrain.gridded.cell_shapes import REFERENCE_CELL_MM

_Point = NDArray[np.float64]
_Line = NDArray[np.float64]
XY = tuple[float, float]

# Distance that a course continues past the outer side, in cells.
_OVERRUN: Final = 0.35

_SPACING: Final = 2.0

# Minimum and maximum offset of a course from the centre of a cell, in cells.
_WAVER: Final = (0.06, 0.10)

# Share of that offset at faces.
_FACE_SHARE: Final = 0.25

# How much a sharp turn cuts its corner in a cell: the share of the distance from the centre to the chord.
_CORNER_CUT: Final = 0.42


# Gap between two courses that share a face, in cells.
_COURSE_GAP: Final = 0.17

_MAX_OFFSET: Final = 0.25

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
_WIDE_RIVER_WIDTH: Final = 1.12
# Distances of the points of a wide river past the board edge, from the centre of its last cell, in cells.
_OUTER_DISTANCES: Final = (0.55, 1.1)

# Minimum distance of a wide river from its first cell's centre, as a share of the distance to the second's. Smoothing a
# bend would pull the river out of its second cell.
_MIN_SHARE: Final = 0.2


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
    """Return the width of a course in mm on the board, which shrinks more slowly than the cell.

    For a wide river it is a fixed share of the cell, whatever the kind.

    Args:
        grid: the grid, for the size of its cells.
        kind: the kind of the course.
        cells: how many cells wide a river is; more than 1 for a wide river.
    """
    if cells > 1:
        return _WIDE_RIVER_WIDTH * grid.cell
    return _WIDTHS[kind] * math.pow(grid.cell / REFERENCE_CELL_MM, 0.8)


def thread_course(
    grid: Grid,
    cells: Sequence[Cell],
    stream: Stream,
    *,
    enters: int | None = None,
    leaves: int | None = None,
    calm: Collection[Cell] = (),
    offsets: Mapping[int, float] | None = None,
) -> LineString:
    """Return the centre line, in mm on the board, of a course through a chain of neighbouring cells.

    It runs near the centres of cells and faces, with small random offsets. An end on the board is near the centre of
    its cell. It is a smooth curve from the first cell to the last.

    Args:
        grid: the grid.
        cells: the chain of cells.
        stream: the random numbers for the offsets.
        enters: direction (from 0) of the outer face where the course enters the board, in the first cell; None for an
            end on the board.
        leaves: direction of the outer face where it leaves, in the last cell; None for an end on the board. Past a face
            the line continues beyond the board.
        calm: cells without a random offset, for example crossings and towns.
        offsets: one result of ``compute_offsets``: offsets by index in the chain, in mm to the left of the direction of
            travel. Index -1 is before the first cell, and the number of cells is after the last.

    Raises:
        PlacementError: consecutive cells do not share a side, or a course of one cell has neither face.
    """
    _validate_chain(grid, cells, enters, leaves)
    shift = offsets or {}
    faces = _chain_faces(grid, Chain(tuple(cells), enters, leaves))
    points: list[XY] = []
    if enters is not None:
        points += _edge_points(grid, cells[0], enters, stream, -shift.get(-1, 0.0))[::-1]
    for index, cell in enumerate(cells):
        point = grid.centre(cell)
        if cell not in calm:
            point = _offset_point(grid, cell, faces[index], stream, shift.get(index, 0.0))
        points.append(point)
        if index + 1 < len(cells):
            points.append(_face_point(grid, cell, cells[index + 1], stream, _face_offset(shift, index)))
    if leaves is not None:
        points += _edge_points(grid, cells[-1], leaves, stream, shift.get(len(cells), 0.0))
    return LineString(smooth_curve(np.array(points), _SPACING))


def thread_wide_river(
    grid: Grid,
    cells: Sequence[Cell],
    neighbours: Sequence[Cell | None],
    stream: Stream,
    *,
    enters: int | None = None,
    leaves: int | None = None,
) -> tuple[LineString, float]:
    """Return the centre line and the width, both in mm on the board, of a river two cells wide (PW2-36).

    The line runs between the cells of the chain and their neighbours. At an outer face it continues past the board.

    Args:
        grid: the grid.
        cells: the chain of cells, each sharing a side with the next.
        neighbours: for each cell the neighbour that the river also takes; None where it is one cell wide. As many as
            cells.
        stream: the random numbers for small offsets.
        enters: direction of the outer face where the river enters, in the first cell; None for an end on the board.
        leaves: direction of the outer face where it leaves, in the last cell; None for an end on the board.

    Raises:
        PlacementError: see ``thread_course``.
        ValueError: there are not as many neighbours as cells.
    """
    _validate_chain(grid, cells, enters, leaves)
    points: list[XY] = []
    for cell, neighbour in zip(cells, neighbours, strict=True):
        centre = grid.centre(cell)
        waver = 0.3 * _WAVER[1] * grid.cell
        x, y = _midpoint(centre, centre if neighbour is None else grid.centre(neighbour))
        points.append((x + stream.between(-waver, waver), y + stream.between(-waver, waver)))
    for end, cell, direction in ((0, cells[0], enters), (-1, cells[-1], leaves)):
        if direction is None:
            continue
        # The river leaves parallel to the line from the cell to its outer neighbour, with the same offset.
        x, y = points[end]
        centre, outer_centre = grid.centre(cell), grid.centre(grid.step(cell, direction))
        for share in _OUTER_DISTANCES:
            point = (x + share * (outer_centre[0] - centre[0]), y + share * (outer_centre[1] - centre[1]))
            points.insert(0 if end == 0 else len(points), point)
    line = np.array(points)
    # Smooth the line, because a wide river must not bend within its own width.
    line[1:-1] = line[1:-1] / 2 + (line[:-2] + line[2:]) / 4
    first = 0 if enters is None else len(_OUTER_DISTANCES)
    for index, (cell, neighbour) in enumerate(zip(cells, neighbours, strict=True), first):
        if neighbour is not None:
            line[index] = _pull_to_second(line[index], np.array(grid.centre(cell)), np.array(grid.centre(neighbour)))
    return LineString(smooth_curve(line, _SPACING)), course_width(grid, Kind.RIVER, cells=2)


def compute_offsets(grid: Grid, chains: Sequence[Chain]) -> tuple[dict[int, float], ...]:
    """Return the offset of each chain from the centres of the faces that it shares with earlier chains.

    The earlier chain keeps the centre. A later one stays on the side from which it arrives. If it must cross, it does
    so in the last shared cell, with offset 0. Where both leave the board by one face, the later one crosses in the cell
    before and leaves next to the earlier one. Chains that meet in a single cell do not get an offset.

    Returns:
        For each chain, offsets by index in the chain, in mm to the left of the direction of travel. The indices before
        the first cell and after the last are at the edge of the board.
    """
    face_offsets: dict[tuple[Cell, Cell], list[float]] = {}
    offsets: list[dict[int, float]] = []
    outer_chains = [_extend_chain(grid, chain) for chain in chains]
    for number, chain in enumerate(chains):
        before = 0 if chain.enters is None else 1
        edges = {
            index
            for index, end in ((0, chain.enters), (len(outer_chains[number].cells) - 1, chain.leaves))
            if end is not None
        }
        shift = _chain_offsets(grid, outer_chains[number], outer_chains[:number], face_offsets, edges)
        for index, (cell, neighbour) in enumerate(pairwise(outer_chains[number].cells)):
            offset = _face_offset(shift, index)
            face_offsets.setdefault((cell, neighbour), []).append(offset)
            face_offsets.setdefault((neighbour, cell), []).append(-offset)
        offsets.append({index - before: offset for index, offset in shift.items()})
    return tuple(offsets)


def _extend_chain(grid: Grid, chain: Chain) -> Chain:
    """Return the chain with an extra cell off the board at each end that crosses the edge."""
    cells = chain.cells
    first = () if chain.enters is None else (grid.step(cells[0], chain.enters),)
    last = () if chain.leaves is None else (grid.step(cells[-1], chain.leaves),)
    return Chain((*first, *cells, *last))


def _chain_offsets(
    grid: Grid,
    chain: Chain,
    earlier: Sequence[Chain],
    face_offsets: Mapping[tuple[Cell, Cell], Sequence[float]],
    edges: Collection[int],
) -> dict[int, float]:
    """Return the offsets of one chain by index in the chain, in mm to the left of the direction of travel.

    Args:
        grid: the grid.
        chain: the chain, with extra cells off the board at its ends.
        earlier: the chains before it.
        face_offsets: offsets in use, by the cells on both sides of a face.
        edges: indices of the cells off the board.
    """
    shift: dict[int, float] = {}
    for first, last in _find_shared_runs(chain.cells, face_offsets):
        # A run may follow one course first and another later, so each end uses the course that it meets there.
        before, after = (
            next(
                candidate
                for candidate in earlier
                if _shares_face(candidate, chain.cells[index], chain.cells[index + 1])
            )
            for index in (first, last - 1)
        )
        start = _find_side(grid, chain, first, before)
        end = _find_side(grid, chain, last, after)
        used_offsets = [offset for pair in pairwise(chain.cells[first : last + 1]) for offset in face_offsets[pair]]
        sides = (start or end,) if start or end else (1, -1)
        offset = _find_free_offset(sides, used_offsets, grid.cell)
        shift.update(dict.fromkeys(range(first, last + 1), offset))
        if start and end and start != end:
            shift[last] = 0.0
        elif last in edges and first not in edges:
            shift.update({last - 1: 0.0, last: -offset})
        elif first in edges and last not in edges:
            shift.update({first + 1: 0.0, first: -offset})
    return shift


def _find_free_offset(sides: Sequence[int], used_offsets: Sequence[float], cell: float) -> float:
    """Return the first free offset of a course at a face, in mm, going outwards from its centre.

    ``sides`` are 1 for offsets above 0 and -1 for those below. ``cell`` is the size of a cell in mm on the board. If
    all offsets are used, it returns the last of them.
    """
    for count, side in product((1, 2, 3), sides):
        offset = side * min(_COURSE_GAP * count, _MAX_OFFSET) * cell
        if all(abs(offset - used_offset) > _COURSE_GAP * cell / 2 for used_offset in used_offsets):
            break
    return offset


def _find_shared_runs(
    cells: Sequence[Cell], face_offsets: Mapping[tuple[Cell, Cell], Sequence[float]]
) -> list[tuple[int, int]]:
    """Return the first and last index, from 0, of each run of cells whose faces earlier courses use.

    ``face_offsets`` has those faces, by the cells on both sides. The pairs of cells in ``face_offsets`` count only in
    this direction of travel. The second index is that of the last cell, inclusive.
    """
    runs: list[tuple[int, int]] = []
    for index, pair in enumerate(pairwise(cells)):
        if pair not in face_offsets:
            continue
        if runs and runs[-1][1] == index:
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    return runs


def _shares_face(chain: Chain, cell: Cell, neighbour: Cell) -> bool:
    """Return whether a chain crosses the face between two cells, in either direction."""
    return any({cell, neighbour} == {*pair} for pair in pairwise(chain.cells))


def _find_side(grid: Grid, chain: Chain, index: int, other: Chain) -> int:
    """Return on which side of the course ``other`` this course joins or leaves it: 1 left, -1 right.

    The side is seen in this course's direction of travel. The result is 0 if either course ends in the cell, or if both
    use the same faces. ``index`` is that of the cell in ``chain``.
    """
    faces, other_faces = _chain_faces(grid, chain), _chain_faces(grid, other)
    other_index = other.cells.index(chain.cells[index])
    before, after = faces[index]
    shared_face = before if before in other_faces[other_index] else after
    free_face = after if shared_face == before else before
    far_face = next((face for face in other_faces[other_index] if face != shared_face), None)
    if free_face is None or shared_face is None or far_face is None or free_face == far_face:
        return 0
    count = grid.direction_count()
    # Clockwise from the shared face, faces before the other course's far face are on the right when leaving by the
    # shared face.
    right = (free_face - shared_face) % count < (far_face - shared_face) % count
    leaving = shared_face == after
    return (-1 if right else 1) * (1 if leaving else -1)


def _chain_faces(grid: Grid, chain: Chain) -> list[tuple[int | None, int | None]]:
    """Return the directions (from 0) of the entry and exit faces for each cell of a chain.

    The result for an end on the board is ``None``.
    """
    out = [grid.find_direction(one, other) for one, other in pairwise(chain.cells)]
    half = grid.direction_count() // 2
    back = [(direction + half) % grid.direction_count() for direction in out]
    return list(zip([chain.enters, *back], [*out, chain.leaves], strict=True))


def _validate_chain(grid: Grid, cells: Sequence[Cell], enters: int | None, leaves: int | None) -> None:
    """Reject a chain of cells that a course cannot run through.

    ``enters`` and ``leaves`` are the directions of the outer sides, from 0; None if the course ends on the board.

    Raises:
        PlacementError: consecutive cells do not share a side, or a single cell has neither an entry nor an exit face.
    """
    for one, other in pairwise(cells):
        if other not in [grid.step(one, direction) for direction in range(grid.direction_count())]:
            raise PlacementError(
                "cells {one} and {other} do not share a side, so a course cannot run between them",
                one=tuple(one),
                other=tuple(other),
            )
    if not cells or (len(cells) == 1 and enters is None and leaves is None):
        raise PlacementError("a course needs two cells, or one cell and a side where it enters or leaves")


def _face_offset(shift: Mapping[int, float], index: int) -> float:
    """Return the offset at the face after cell ``index`` (from 0), in mm to the left of the direction of travel.

    ``shift`` has the offsets by index in the chain. The result is 0 unless it has both cell ``index`` and the next one;
    otherwise it is the offset of the first of them that is not 0.
    """
    if index not in shift or index + 1 not in shift:
        return 0.0
    return shift[index] or shift[index + 1]


def _offset_point(grid: Grid, cell: Cell, faces: tuple[int | None, int | None], stream: Stream, offset: float) -> XY:
    """Return the point of a course in a cell, x and y in mm on the board: beside its centre.

    In a sharp turn it is on the inner side. ``faces`` are the directions of entry and exit, None for an end. ``offset``
    is in mm to the left.
    """
    x, y = grid.centre(cell)
    ends = [(x, y) if face is None else _midpoint(*grid.face(cell, face).coords) for face in faces]
    (from_x, from_y), (to_x, to_y) = ends
    length = math.hypot(to_x - from_x, to_y - from_y) or 1.0
    normal = (-(to_y - from_y) / length, (to_x - from_x) / length)
    waver = grid.cell * stream.between(*_WAVER) * (1 if stream.draw_unit() < 0.5 else -1)
    if None in faces:
        waver = 0.0
    elif length < 0.9 * grid.cell:
        # The entry and exit faces are near each other: cut the corner on the inner side.
        chord_x, chord_y = _midpoint(*ends)
        x, y = x + _CORNER_CUT * (chord_x - x), y + _CORNER_CUT * (chord_y - y)
        waver *= 0.5
    if offset:
        waver = 0.25 * waver + offset
    return x + waver * normal[0], y + waver * normal[1]


def _face_point(grid: Grid, cell: Cell, neighbour: Cell, stream: Stream, offset: float) -> XY:
    """Return the point (x, y), in mm on the board, where a course crosses the face to the next cell.

    ``offset`` is in mm to the left of the direction of travel.
    """
    (x, y), (to_x, to_y) = grid.face(cell, grid.find_direction(cell, neighbour)).coords
    length = math.hypot(to_x - x, to_y - y)
    waver = _FACE_SHARE * _WAVER[1] * grid.cell
    share = 0.5 + (stream.between(-waver, waver) - offset) / length
    return x + share * (to_x - x), y + share * (to_y - y)


def _edge_points(grid: Grid, cell: Cell, direction: int, stream: Stream, offset: float) -> list[XY]:
    """Return a point on an outer face and one beyond it, each as x and y in mm on the board.

    ``offset`` is in mm to the left when leaving. ``direction`` is that of the face. The first point is moved a little
    along the face at random, one number of the stream.
    """
    (x, y), (to_x, to_y) = grid.face(cell, direction).coords
    waver = _FACE_SHARE * _WAVER[1]
    share = 0.5 + stream.between(-waver, waver) - offset / math.hypot(to_x - x, to_y - y)
    edge_point = (x + share * (to_x - x), y + share * (to_y - y))
    centre, outer_centre = grid.centre(cell), grid.centre(grid.step(cell, direction))
    return [
        edge_point,
        (
            edge_point[0] + _OVERRUN * (outer_centre[0] - centre[0]),
            edge_point[1] + _OVERRUN * (outer_centre[1] - centre[1]),
        ),
    ]


def _midpoint(first: XY, second: XY) -> XY:
    """Return the point halfway between two points."""
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


def _pull_to_second(point: _Point, first: _Point, second: _Point) -> _Point:
    """Return a point of a wide river, moved towards its second cell if smoothing pulled it away.

    ``first`` and ``second`` are the centres of its two cells. All points are x and y in mm on the board.
    """
    towards = second - first
    missing_share = _MIN_SHARE - float(
        exact_math.product(point - first, towards) / exact_math.product(towards, towards)
    )
    return point + max(0.0, missing_share) * towards
