"""Outlines of area features about the origin: of a size as people make them, then ever smaller legal ones.

A gully is narrow ground about a bed; its outline is the strip on both sides of that bed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity

from printkit.chance.streams import Stream
from printkit.systems.dba.ground.legal import SizeLimits, sides
from printkit.systems.dba.ground.pieces import Terrain
from printkit.systems.dba.ground.shapes import Look, Span, drawn_size, looks, outline, within
from printkit.systems.dba3.placing.selection import Pick
from printkit.systems.dba3.placing.terms import Terms
from printkit.terrain.field.battlefield import Board
from printkit.terrain.geometry.measure import ribbon

_OVER: Final = 1.012
"""By how much a feature is longer than it must be, so that rounding never makes it short."""

_SMALL: Final = ((2.5, 1.9), (1.8, 1.4))
"""Base widths of the one small feature that a board may have, where nothing ordinary finds room."""

_ROUNDS: Final = 4
_BENDS: Final = 24


class Made(Struct, frozen=True):
    """An outline about the origin, its long side along x; a gully with its bed."""

    outline: Polygon
    bed: LineString | None = None
    width: float = 0.0


def made(pick: Pick, terms: Terms, board: Board, stream: Stream, *, small: bool) -> Iterator[Made]:
    """Yield outlines of a feature, the preferred one first, then those of the next smaller legal sizes.

    Args:
        small: whether it may have both sides under three base widths (D3-24).
    """
    if pick.terrain is Terrain.GULLY:
        yield from _gullies(terms, board, stream)
        return
    base = board.scale.base_width
    limits, least = terms.limits(pick.terrain, board), terms.mm("ordinary_long_bw_min", board) * _OVER
    look = terms.towns[pick.town].look if pick.town else looks()[pick.terrain]
    first = drawn_size(look, limits, base, stream)
    if not small and first[0] < least:
        first = least, max(first[1], least / 1.7)
    yield _fitted(look, first, limits, 0.0 if small and first[0] < least else least, stream)
    ordinary = sorted(terms.sizes, key=lambda size: (-size[0] * size[1], -size[0]))
    for long, short in ordinary:
        if long * short * base**2 < 0.97 * first[0] * first[1]:
            yield _fitted(look, (long * base, short * base), limits, least, stream)
    for long, short in _SMALL if small else ():
        if long * base < first[0]:
            yield _fitted(look, (long * base, short * base), limits, 0.0, stream)


def _fitted(look: Look, size: Span, limits: SizeLimits, least: float, stream: Stream) -> Made:
    """Return an outline that keeps its limits and is at least so long."""
    calm = replace(look, bend=0.5 * look.bend) if size[0] > 1.8 * size[1] else look
    shape = outline(calm, within(*size, limits), limits, stream)
    for _ in range(_ROUNDS):
        long, short = sides(shape)
        if long >= least:
            break
        wider = max(1.0, _OVER * least / long)
        # What reaches the sum of both sides grows longer and not wider.
        both = min(wider, 0.985 * (limits.both - wider * long) / short)
        shape = affinity.scale(shape, wider, max(both, 0.9), origin=(0, 0))
    return Made(shape)


def _gullies(terms: Terms, board: Board, stream: Stream) -> Iterator[Made]:
    """Yield gullies from a middling length downwards: at least three times as long as wide (D3-26)."""
    base, start = board.scale.base_width, stream.below(2)
    for long, short in terms.gullies[start:]:
        width = short * base * stream.between(0.86, 1.0)
        width = max(width, terms.mm("area_side_bw_min", board) * _OVER)
        bend = stream.between(-1, 1)
        for share in (1.0, 0.5, 0.0):
            found = _gully(long * base, width, share * bend, stream.between(0.35, 0.65), base)
            length, across = sides(found.outline)
            kept = length + across <= terms.mm("area_sides_bw_max", board) - 0.01 * base
            if kept and length >= _OVER * (terms.sorts[Terrain.GULLY].shortest or 0.0) * across:
                yield found
                break


def _gully(length: float, width: float, bend: float, turn: float, base: float) -> Made:
    """Return a gully whose bed bows to one side, and a little back."""
    at = np.linspace(0.0, 1.0, _BENDS)
    aside = bend * 0.22 * base * (np.sin(np.pi * at) + 0.5 * np.sin(np.pi * at / turn))
    aside -= (aside.max() + aside.min()) / 2
    bed = LineString(np.column_stack([(at - 0.5) * length, aside]))
    return Made(ribbon(bed, width), bed, width)
