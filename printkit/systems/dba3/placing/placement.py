"""Terrain during placement: features on the board, ground that new features avoid, and outlines to try."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.kit.placement import SLACK, PlacementObstacle
from printkit.systems.dba.ground.checked_pieces import COMMON_KINDS
from printkit.systems.dba.ground.placed_pieces import TerrainPlacement
from printkit.systems.dba.ground.shapes import (
    OutlineLook,
    PieceOutline,
    SizeSpan,
    draw_size,
    fit_sides,
    load_looks,
    outline,
)
from printkit.systems.dba.ground.terrain_limits import PiecePick, SizeLimits, Terrain, side_lengths
from printkit.systems.dba.ground.waterways import find_water_edge
from printkit.systems.dba3.placing.terms import Terms
from printkit.systems.dba3.placing.terrain_rules import Dba3Surroundings
from printkit.terrain.field.battlefield import Battlefield, Board, Edge
from printkit.terrain.field.features import Area
from printkit.terrain.geometry.measure import ribbon

# --- Outlines of area features around the origin: first a typical size, then smaller legal ones -----------------------

# Factor for minimum lengths, so that rounding never makes a feature too short.
_MIN_FACTOR: Final = 1.012

# Sizes in base widths of the one small feature that a board may have, if no ordinary size fits.
_SMALL_SIZES: Final = ((2.5, 1.9), (1.8, 1.4))

_MAX_ROUNDS: Final = 4
_POINT_COUNT: Final = 24


def make_outlines(pick: PiecePick, terms: Terms, stream: Stream, *, may_be_small: bool) -> Iterator[PieceOutline]:
    """Yield outlines of a feature, the preferred one first, then the next smaller legal sizes.

    They are around the origin with the long side along x, in mm on the board.

    Args:
        pick: the type of the feature, and of a town.
        terms: the rules of the game.
        stream: the random numbers for size and shape.
        may_be_small: whether both sides may be under three base widths (D3-24).
    """
    if pick.terrain is Terrain.GULLY:
        yield from _make_gullies(terms, stream)
        return
    base = terms.board.scale.base_width
    limits, min_length = terms.size_limits(pick.terrain), terms.rules.length("ordinary_long_bw_min") * _MIN_FACTOR
    look = terms.towns[pick.town].look if pick.town else load_looks()[pick.terrain]
    first_size = draw_size(look, limits, base, stream)
    if not may_be_small and first_size[0] < min_length:
        first_size = min_length, max(first_size[1], min_length / 1.7)
    yield _fit_outline(
        look, first_size, limits, 0.0 if may_be_small and first_size[0] < min_length else min_length, stream
    )
    ordinary = sorted(terms.sizes, key=lambda size: (-size[0] * size[1], -size[0]))
    for long, short in ordinary:
        if long * short * base**2 < 0.97 * first_size[0] * first_size[1]:
            yield _fit_outline(look, (long * base, short * base), limits, min_length, stream)
    for long, short in _SMALL_SIZES if may_be_small else ():
        if long * base < first_size[0]:
            yield _fit_outline(look, (long * base, short * base), limits, 0.0, stream)


def _fit_outline(
    look: OutlineLook, size: SizeSpan, limits: SizeLimits, min_length: float, stream: Stream
) -> PieceOutline:
    """Return an outline that keeps its limits and is at least ``min_length`` mm long (on the board).

    ``size`` is its long and short side in mm on the board. It is around the origin, without a bed.
    """
    calm_look = replace(look, bend=0.5 * look.bend) if size[0] > 1.8 * size[1] else look
    shape = outline(calm_look, fit_sides(*size, limits), limits, stream)
    for _ in range(_MAX_ROUNDS):
        long, short = side_lengths(shape)
        if long >= min_length:
            break
        length_factor = max(1.0, _MIN_FACTOR * min_length / long)
        # An outline at the limit for the sum of its sides becomes longer, but not wider.
        width_factor = min(length_factor, 0.985 * (limits.sides_max - length_factor * long) / short)
        shape = affinity.scale(shape, length_factor, max(width_factor, 0.9), origin=(0, 0))
    return PieceOutline(shape)


def _make_gullies(terms: Terms, stream: Stream) -> Iterator[PieceOutline]:
    """Yield gullies from a medium length downwards, at least three times as long as wide (D3-26).

    They are around the origin, in mm on the board. A length that breaks the limits is left out.
    """
    base, start = terms.board.scale.base_width, stream.draw_index(2)
    for long, short in terms.gullies[start:]:
        width = short * base * stream.between(0.86, 1.0)
        width = max(width, terms.rules.length("area_side_bw_min") * _MIN_FACTOR)
        bend = stream.between(-1, 1)
        for share in (1.0, 0.5, 0.0):
            gully = _make_gully(long * base, width, share * bend, stream.between(0.35, 0.65), base)
            length, breadth = side_lengths(gully.outline)
            is_within_limit = length + breadth <= terms.rules.length("area_sides_bw_max") - 0.01 * base
            if (
                is_within_limit
                and length >= _MIN_FACTOR * (terms.piece_rules[Terrain.GULLY].ratio_min or 0.0) * breadth
            ):
                yield gully
                break


def _make_gully(length: float, width: float, bend: float, turn: float, base: float) -> PieceOutline:
    """Return a gully with a bed that curves to one side and slightly back.

    Args:
        length: of the bed, in mm on the board.
        width: of the gully, in mm on the board.
        bend: strength and side of the curve, -1 to 1; 0 is straight.
        turn: where the second curve changes sides, as a share of the length.
        base: a base width in mm on the board.
    """
    positions = np.linspace(0.0, 1.0, _POINT_COUNT)
    offsets = bend * 0.22 * base * (exact_math.sin(np.pi * positions) + 0.5 * exact_math.sin(np.pi * positions / turn))
    offsets -= (offsets.max() + offsets.min()) / 2
    bed = LineString(np.column_stack([(positions - 0.5) * length, offsets]))
    return PieceOutline(ribbon(bed, width), bed, width)


class Shore(Struct, frozen=True):
    """The waterway of a board as its outline in mm on the board, and the edge along it."""

    edge: Edge
    water: Polygon


def find_shore(field: Battlefield) -> Shore | None:
    """Return the waterway along an edge of a battlefield with that edge; None if no edge has one."""
    for feature in field.features:
        if feature.kind in COMMON_KINDS[Terrain.WATERWAY] and isinstance(feature, Area):
            edge = find_water_edge(feature.outline, field.board)
            if edge is not None:
                return Shore(edge, feature.outline)
    return None


# Returns ground that a piece avoids in addition to the rules of DBA 3, given the waterway if there is one.
KeepOut: TypeAlias = Callable[[Terrain, Board, Shore | None], tuple[PlacementObstacle, ...]]


class Dba3Placement(TerrainPlacement, kw_only=True):
    """The features placed so far and the dice; it grows feature by feature."""

    terms: Terms
    keep_out: KeepOut | None = None

    @property
    def shore(self) -> Shore | None:
        """Return the waterway with its edge if it is placed already, otherwise None."""
        return next(
            (Shore(water.edge, water.shape) for water in self.select_pieces(Terrain.WATERWAY) if water.edge), None
        )

    def reserved_ground(self, terrain: Terrain) -> tuple[PlacementObstacle, ...]:
        """Return the ground that a piece avoids in addition to the rules of DBA 3."""
        return () if self.keep_out is None else self.keep_out(terrain, self.board, self.shore)

    def find_surroundings(self, identity: str, result: str) -> Dba3Surroundings:
        """Return what a new feature is measured against: the features placed so far."""
        del identity, result
        pieces = tuple(piece.view for piece in self.placed_pieces)
        return Dba3Surroundings(terms=self.terms, pieces=pieces, rounding_mm=SLACK)
