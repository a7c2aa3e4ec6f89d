"""Terrain during placement: features on the board, ground that new features avoid, and outlines to try."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import elementary
from printkit.kit.placement import PlacementObstacle
from printkit.systems.dba.ground.legal import SizeLimits, Terrain, sides, size_kept
from printkit.systems.dba.ground.placed import COURSES, Outlines, PlacedFeature, TerrainPlacement
from printkit.systems.dba.ground.shapes import OutlineLook, SizeSpan, drawn_size, looks, measures, outline, within
from printkit.systems.dba.ground.waters import edge_along
from printkit.systems.dba3.placing.selection import FeaturePick
from printkit.systems.dba3.placing.terms import Terms
from printkit.terrain.field.battlefield import Battlefield, Board, Edge
from printkit.terrain.field.features import Area, Kind
from printkit.terrain.geometry.measure import ribbon

# --- Outlines of area features around the origin: first a typical size, then smaller legal ones -----------------------

# Factor for minimum lengths, so that rounding never makes a feature too short.
_OVER: Final = 1.012

# Sizes in base widths of the one small feature that a board may have, if no ordinary size fits.
_SMALL: Final = ((2.5, 1.9), (1.8, 1.4))

_ROUNDS: Final = 4
_BENDS: Final = 24


class PieceOutline(Struct, frozen=True):
    """An outline around the origin with its long side along x; for a gully also its bed and width."""

    outline: Polygon
    bed: LineString | None = None
    width: float = 0.0


def made(pick: FeaturePick, terms: Terms, board: Board, stream: Stream, *, small: bool) -> Iterator[PieceOutline]:
    """Yield outlines of a feature, the preferred one first, then those of the next smaller legal sizes.

    Args:
        small: whether both sides may be under three base widths (D3-24).
    """
    if pick.terrain is Terrain.GULLY:
        yield from _gullies(terms, board, stream)
        return
    base = board.scale.base_width
    limits, least = terms.limits(pick.terrain), terms.rules.length("ordinary_long_bw_min") * _OVER
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


def _fitted(look: OutlineLook, size: SizeSpan, limits: SizeLimits, least: float, stream: Stream) -> PieceOutline:
    """Return an outline that keeps its limits and has at least the given length."""
    calm = replace(look, bend=0.5 * look.bend) if size[0] > 1.8 * size[1] else look
    shape = outline(calm, within(*size, limits), limits, stream)
    for _ in range(_ROUNDS):
        long, short = sides(shape)
        if long >= least:
            break
        wider = max(1.0, _OVER * least / long)
        # An outline at the limit for the sum of its sides becomes longer, but not wider.
        both = min(wider, 0.985 * (limits.both - wider * long) / short)
        shape = affinity.scale(shape, wider, max(both, 0.9), origin=(0, 0))
    return PieceOutline(shape)


def _gullies(terms: Terms, board: Board, stream: Stream) -> Iterator[PieceOutline]:
    """Yield gullies from a medium length downwards, at least three times as long as wide (D3-26)."""
    base, start = board.scale.base_width, stream.draw_index(2)
    for long, short in terms.gullies[start:]:
        width = short * base * stream.between(0.86, 1.0)
        width = max(width, terms.rules.length("area_side_bw_min") * _OVER)
        bend = stream.between(-1, 1)
        for share in (1.0, 0.5, 0.0):
            found = _gully(long * base, width, share * bend, stream.between(0.35, 0.65), base)
            length, across = sides(found.outline)
            kept = length + across <= terms.rules.length("area_sides_bw_max") - 0.01 * base
            if kept and length >= _OVER * (terms.sorts[Terrain.GULLY].shortest or 0.0) * across:
                yield found
                break


def _gully(length: float, width: float, bend: float, turn: float, base: float) -> PieceOutline:
    """Return a gully with a bed that curves to one side and slightly back."""
    at = np.linspace(0.0, 1.0, _BENDS)
    aside = bend * 0.22 * base * (elementary.sin(np.pi * at) + 0.5 * elementary.sin(np.pi * at / turn))
    aside -= (aside.max() + aside.min()) / 2
    bed = LineString(np.column_stack([(at - 0.5) * length, aside]))
    return PieceOutline(ribbon(bed, width), bed, width)


# Gap in base widths between a built-up area and other features; it may be closer than they are, without contact
# (D3-38).
_TOWN_GAP: Final = 0.3


class Shore(Struct, frozen=True):
    """The waterway of a board, and the edge along it."""

    edge: Edge
    water: Polygon


_WATERS: Final = (Kind.WATERWAY, Kind.SEA, Kind.LAKE)


def shore_on(field: Battlefield) -> Shore | None:
    """Return the waterway along an edge of a battlefield, if there is one."""
    for feature in field.features:
        if feature.kind in _WATERS and isinstance(feature, Area):
            edge = edge_along(feature.outline, field.board)
            if edge is not None:
                return Shore(edge, feature.outline)
    return None


# Returns ground that a piece avoids in addition to the rules of DBA 3, given the waterway if there is one.
KeepOut: TypeAlias = Callable[[Terrain, Board, Shore | None], tuple[PlacementObstacle, ...]]


def nothing(_terrain: Terrain, _board: Board, _shore: Shore | None) -> tuple[PlacementObstacle, ...]:
    """Return no ground: DBA 3 has no such areas."""
    return ()


class PlacedPick(PlacedFeature, frozen=True, kw_only=True):
    """A placed feature, the quarter of its die, and the edge of a waterway."""

    quarter: int
    edge: Edge | None = None


class Dba3Placement(TerrainPlacement[PlacedPick, PieceOutline], kw_only=True):
    """The features placed so far and the dice; it grows feature by feature."""

    terms: Terms
    keep_out: KeepOut = nothing

    def outlined(self, pick: FeaturePick, identity: str) -> Outlines[PieceOutline]:
        """Return the outlines of a feature; they are the same in every quarter that is tried."""
        if identity not in self.outlines:
            stream = self.stream(f"{identity}/outline")
            limits = self.terms.limits(pick.terrain)
            shapes = made(pick, self.terms, self.board, stream, small=self.may_be_small)
            # A curved outline may become more slender with each try to make it fit.
            legal = (each for each in shapes if each.bed is not None or size_kept(each.outline, limits))
            self.outlines[identity] = Outlines(legal)
        return self.outlines[identity]

    @property
    def shore(self) -> Shore | None:
        """Return the waterway, if it is placed already."""
        for each in self.of(Terrain.WATERWAY):
            assert each.edge is not None
            assert isinstance(each.shape, Polygon)
            return Shore(each.edge, each.shape)
        return None

    def closed(self, terrain: Terrain, *, beside: str = "") -> tuple[PlacementObstacle, ...]:
        """Return the ground that an area feature avoids: all areas, the waterway, and ground that must stay free.

        Args:
            beside: the ID of the hill for a town on a hill.
        """
        return (*self._kept_from(terrain, beside), *self.keep_out(terrain, self.board, self.shore))

    def rivers(self) -> tuple[PlacementObstacle, ...]:
        """Return the rivers as closed ground."""
        return self.kept_off(Terrain.RIVER, float(measures("room")["river"]) * self._base)

    def free(self, terrain: Terrain) -> BaseGeometry:
        """Return the ground that a course avoids in addition to the rules of DBA 3."""
        return shapely.union_all([each.shape for each in self.keep_out(terrain, self.board, self.shore)])

    @property
    def may_be_small(self) -> bool:
        """Return whether another feature may have both sides under three base widths (D3-24)."""
        least = self.terms.rules.length("ordinary_long_bw_min")
        small = sum(sides(each.ground)[0] < least for each in self.areas())
        return small < self.terms.rules.number("small_features_max")

    @property
    def _base(self) -> float:
        return self.board.scale.base_width

    def _kept_from(self, terrain: Terrain, beside: str) -> Iterator[PlacementObstacle]:
        for each in self.laid:
            if each.pick.terrain in COURSES or each.identity == beside:
                continue
            if each.pick.terrain is Terrain.WATERWAY:
                gap = self.terms.rules.length("water_gap_bw_min")
                gap = min(gap, _TOWN_GAP * self._base) if terrain is Terrain.BUA else gap
            elif Terrain.BUA in (terrain, each.pick.terrain):
                gap = _TOWN_GAP * self._base
            else:
                gap = self.terms.rules.length("area_gap_bw_min")
            yield PlacementObstacle(each.identity, each.shape, gap)
