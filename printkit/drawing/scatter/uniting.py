"""One ground of many shadows, most of which touch no other: what ``shapely.union_all`` gives, without its detours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

_Places: TypeAlias = NDArray[np.int64]

_IN_A_NODE: Final = 10
"""How many shapes lie in a node of the tree by which GEOS sorts what it is to unite."""

_ALONE: Final = 0.5
"""Where a smaller share of the shapes touches no other, all are united by GEOS."""


class _Piece(NamedTuple):
    """A polygon, the place of the first shape on its rim, and how many unions with what it does not touch it saw."""

    ground: Polygon
    place: int
    idle: int


def united(shapes: NDArray[np.object_]) -> list[Polygon]:
    """Return the polygons that cover what some polygons without holes cover; the fewer touch the sooner.

    GEOS sorts shapes by columns, halves them again and again, and unites the halves from the smallest up. Each time all
    that lies in either is laid out anew, though the rings of what touches nothing are only turned by a point. Here
    those that touch are united in the same order, and the turns of all others are counted. So points are to the last
    bit those of ``shapely.union_all``, and rings begin and follow one another as there.
    """
    ordered = shapes[_order(shapes)]
    group = _touching(ordered)
    alone = np.bincount(group, minlength=len(group))[group] == 1
    if np.count_nonzero(alone) < _ALONE * len(ordered):
        return list(shapely.get_parts(shapely.union_all(shapes)))
    parts = _parts(len(ordered))
    groups = group.tolist()
    pieces = [_Piece(ordered[place], place, 0) for place in np.flatnonzero(~alone).tolist()]
    for first, last in reversed(parts):
        pieces = _halves_joined(pieces, groups, first.tolist(), last.tolist())
    depths = np.sum([last - first > 1 for first, last in parts], axis=0, initial=0) + np.zeros_like(group)
    pieces += [_Piece(ordered[place], place, int(depths[place])) for place in np.flatnonzero(alone).tolist()]
    pieces.sort(key=lambda piece: piece.place)
    return list(_turned(pieces))


def _order(shapes: NDArray[np.object_]) -> NDArray[np.intp]:
    """Return the order of shapes in the tree of GEOS: by columns from the west, in each from the south."""
    west, south, east, north = shapely.bounds(shapes).T
    columns = math.ceil(math.sqrt(math.ceil(len(shapes) / _IN_A_NODE)))
    column = np.empty(len(shapes), dtype=np.int64)
    column[np.argsort(west + east, kind="stable")] = np.arange(len(shapes)) // math.ceil(len(shapes) / columns)
    return np.lexsort((south + north, column))


def _touching(shapes: NDArray[np.object_]) -> NDArray[np.intp]:
    """Return the group of each shape, by its first: those of a group touch, or are joined by others of it that do."""
    one, other = shapely.STRtree(shapes).query(shapes, "intersects")
    group = np.arange(len(shapes))
    while True:
        joined = group.copy()
        np.minimum.at(joined, one, group[other])
        joined = joined[joined]
        if (joined == group).all():
            return group
        group = joined


def _parts(count: int) -> list[tuple[_Places, _Places]]:
    """Return where the part begins and ends in which each of ``count`` shapes lies: of all, of half, until alone."""
    places, first, last = np.arange(count), np.zeros(count, dtype=np.int64), np.full(count, count)
    found = []
    while (last - first > 1).any():
        found.append((first, last))
        middle = np.where(last - first > 1, (first + last) // 2, last)
        first, last = np.where(places < middle, first, middle), np.where(places < middle, middle, last)
    return found


def _halves_joined(pieces: Sequence[_Piece], group: list[int], first: list[int], last: list[int]) -> list[_Piece]:
    """Return the pieces when both halves of each part have been united: those of all parts and groups at once."""
    halves: dict[tuple[int, int], tuple[list[_Piece], list[_Piece]]] = {}
    for piece in sorted(pieces, key=lambda piece: piece.place):
        begin, end = first[piece.place], last[piece.place]
        later = end - begin > 1 and piece.place >= (begin + end) // 2
        halves.setdefault((group[piece.place], begin), ([], []))[later].append(piece)
    found: list[_Piece] = []
    meeting: list[list[_Piece]] = []
    for left, right in halves.values():
        if left and right and _meet(left, right):
            meeting += [left, right]
        else:
            found += [
                piece._replace(idle=piece.idle + 1) if last[piece.place] - first[piece.place] > 1 else piece
                for piece in (*left, *right)
            ]
    if meeting:
        grounds = _turned([piece for side in meeting for piece in side])
        sides = shapely.multipolygons(grounds, indices=np.repeat(np.arange(len(meeting)), [*map(len, meeting)]))
        joined, of = shapely.get_parts(shapely.union(sides[::2], sides[1::2]), return_index=True)
        found += [
            _Piece(ground, _first_on_rim(ground, (*meeting[2 * pair], *meeting[2 * pair + 1])), 0)
            for ground, pair in zip(joined.tolist(), of.tolist(), strict=True)
        ]
    return found


def _first_on_rim(ground: Polygon, pieces: Sequence[_Piece]) -> int:
    """Return the place of the first of some pieces that is part of the rim of their union; others lie within it."""
    rim = set(map(tuple, shapely.get_coordinates(ground.exterior).tolist()))
    for piece in pieces:
        if not rim.isdisjoint(map(tuple, shapely.get_coordinates(piece.ground.exterior).tolist())):
            return piece.place
    return pieces[0].place


def _meet(left: Sequence[_Piece], right: Sequence[_Piece]) -> bool:
    """Return whether the boxes of two sides meet: where they do not, shapely only puts the sides together."""
    one, other = (shapely.bounds([piece.ground for piece in side]) for side in (left, right))
    below = one[:, :2].min(axis=0) <= other[:, 2:].max(axis=0)
    return bool((below & (other[:, :2].min(axis=0) <= one[:, 2:].max(axis=0))).all())


def _turned(pieces: Sequence[_Piece]) -> NDArray[np.object_]:
    """Return the grounds of pieces; rings that were idle run as GEOS has them, and begin as many points later."""
    grounds = np.array([piece.ground for piece in pieces], dtype=object)
    rings, of = shapely.get_rings(grounds, return_index=True)
    outer = np.diff(of, prepend=-1) > 0
    idle = np.array([piece.idle for piece in pieces])[of]
    points, ring = shapely.get_coordinates(rings, return_index=True)
    sizes = np.bincount(ring) - 1
    begins = np.cumsum(sizes + 1) - sizes - 1
    step = np.where(outer & (idle > 0) & shapely.is_ccw(rings), -1, 1)
    along = np.arange(len(points)) - begins[ring] + idle[ring]
    turned = shapely.linearrings(points[begins[ring] + step[ring] * along % sizes[ring]], indices=ring)
    found = np.asarray(shapely.polygons(turned[outer]))
    for place in dict.fromkeys(of[~outer].tolist()):
        within = turned[of == place]
        found[place] = Polygon(within[0], within[1:])
    return found
