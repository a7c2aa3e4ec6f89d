"""The table while terrain is placed: what lies on it, what a new feature keeps clear of, and regions kept free."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import numpy as np
import shapely
from msgspec import Struct, field
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter, Stream
from printkit.kit.placement import Closed
from printkit.systems.dba.ground.legal import SizeLimits, Terrain, sides
from printkit.systems.dba.ground.shapes import Look, Span, drawn_size, looks, outline, within
from printkit.systems.dba3.placing.selection import Pick
from printkit.systems.dba3.placing.terms import Terms
from printkit.systems.dba3.placing.zones import numbers_held
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill
from printkit.terrain.geometry.measure import ribbon

# --- Outlines of area features about the origin: of a size as people make them, then ever smaller legal ones ----------

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


COURSES: Final = (Terrain.RIVER, Terrain.ROAD)
HILLS: Final = (Terrain.STEEP_HILL, Terrain.GENTLE_HILL)

_TOWN_GAP: Final = 0.3
"""Base widths between a built-up area and other features: it may be nearer than they may, but touches none (D3-38)."""


class Shore(Struct, frozen=True):
    """The waterway of a board, and the edge along which it lies."""

    edge: Edge
    water: Polygon


KeepOut: TypeAlias = Callable[[Terrain, Board, Shore | None], tuple[Closed, ...]]
"""Which ground a piece keeps off while it is placed, beyond what DBA 3 asks; given the waterway, if there is one."""


def nothing(_terrain: Terrain, _board: Board, _shore: Shore | None) -> tuple[Closed, ...]:
    """Return no ground: DBA 3 keeps none free."""
    return ()


class Laid(Struct, frozen=True, kw_only=True):
    """A feature on the table: the pick, its ID, the quarter of its die, the edge of a waterway, features and crossings.

    ``throws`` are the places of its dice and choices in the log, ``clauses`` what they were thrown by.
    """

    pick: Pick
    identity: str
    quarter: int
    features: tuple[Feature, ...]
    throws: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    edge: Edge | None = None

    @property
    def shape(self) -> BaseGeometry:
        """Return the ground of an area feature, a gully's too, or the centre line of a river or road."""
        return ground_of(self.features[0]) if self.pick.terrain not in COURSES else line_of(self.features[0])

    @property
    def ground(self) -> BaseGeometry:
        """Return the ground that the feature covers, a course its width."""
        return ground_of(self.features[0])


def ground_of(feature: Feature) -> BaseGeometry:
    """Return the ground that a feature covers."""
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return ribbon(feature.line, feature.width)
        case Crossing():
            return feature.at


def line_of(feature: Feature) -> BaseGeometry:
    """Return the centre line of a course."""
    assert isinstance(feature, Course)
    return feature.line


class Outlines(Struct):
    """The outlines of a feature, the preferred one first; each is made once, and only when asked for."""

    source: Iterator[Made]
    known: list[Made] = field(default_factory=list)

    def __iter__(self) -> Iterator[Made]:
        yield from self.known
        for each in self.source:
            self.known.append(each)
            yield each


class Table(Struct):
    """The features laid so far and the dice; it grows feature by feature."""

    board: Board
    terms: Terms
    dice: Dice
    jitter: Jitter
    picks: tuple[Pick, ...]
    keep_out: KeepOut = nothing
    laid: list[Laid] = field(default_factory=list)
    outlines: dict[str, Outlines] = field(default_factory=dict)

    def stream(self, name: str) -> Stream:
        """Return a stream of chance for shapes; its name begins with the stage, so that it can be thrown anew."""
        return self.jitter.stream(f"{self.dice.stage}/{name}")

    def outlined(self, pick: Pick, identity: str) -> Outlines:
        """Return the outlines of a feature, which it keeps in whatever quarter it is tried."""
        if identity not in self.outlines:
            stream = self.stream(f"{identity}/outline")
            self.outlines[identity] = Outlines(made(pick, self.terms, self.board, stream, small=self.may_be_small))
        return self.outlines[identity]

    def of(self, *terrains: Terrain) -> list[Laid]:
        """Return the features of some pieces that lie already."""
        return [each for each in self.laid if each.pick.terrain in terrains]

    def areas(self) -> list[Laid]:
        """Return the area features, built-up areas and gullies among them; no water."""
        return [each for each in self.laid if each.pick.terrain not in (*COURSES, Terrain.WATERWAY)]

    @property
    def shore(self) -> Shore | None:
        """Return the waterway, if it lies already."""
        for each in self.of(Terrain.WATERWAY):
            assert each.edge is not None
            assert isinstance(each.shape, Polygon)
            return Shore(each.edge, each.shape)
        return None

    def closed(self, terrain: Terrain, *, beside: str = "") -> tuple[Closed, ...]:
        """Return what an area feature keeps clear of: all areas, the waterway, and ground that is kept free.

        Args:
            beside: the hill on which it is to stand.
        """
        return (*self._kept_from(terrain, beside), *self.keep_out(terrain, self.board, self.shore))

    def rivers(self) -> tuple[Closed, ...]:
        """Return the rivers, for what keeps off them."""
        return tuple(Closed(each.identity, each.ground, 0.25 * self._base) for each in self.of(Terrain.RIVER))

    def free(self, terrain: Terrain) -> BaseGeometry:
        """Return the ground that a course keeps off, beyond what DBA 3 asks."""
        return shapely.union_all([each.shape for each in self.keep_out(terrain, self.board, self.shore)])

    @property
    def may_be_small(self) -> bool:
        """Return whether a feature with both sides under three base widths may still come (D3-24)."""
        least = self.terms.mm("ordinary_long_bw_min", self.board)
        small = sum(sides(each.ground)[0] < least for each in self.areas())
        return small < self.terms.numbers["small_features_max"]

    def load(self, quarter: int) -> float:
        """Return how much lies in a quarter: a feature counts by the share of it that is there."""
        return float(sum(1 / len(held) for each in self.laid if quarter in (held := self.held(each))))

    def held(self, laid: Laid) -> tuple[int, ...]:
        """Return the numbers of the quarters in which a feature lies."""
        return numbers_held(laid.shape, self.board, 1.0)

    def crossings(self) -> int:
        """Return how many crossings there are already."""
        return sum(isinstance(feature, Crossing) for each in self.laid for feature in each.features)

    @property
    def _base(self) -> float:
        return self.board.scale.base_width

    def _kept_from(self, terrain: Terrain, beside: str) -> Iterator[Closed]:
        for each in self.laid:
            if each.pick.terrain in COURSES or each.identity == beside:
                continue
            if each.pick.terrain is Terrain.WATERWAY:
                gap = self.terms.mm("water_gap_bw_min", self.board)
                gap = min(gap, _TOWN_GAP * self._base) if terrain is Terrain.BUA else gap
            elif Terrain.BUA in (terrain, each.pick.terrain):
                gap = _TOWN_GAP * self._base
            else:
                gap = self.terms.mm("area_gap_bw_min", self.board)
            yield Closed(each.identity, each.shape, gap)
