"""Which piece of a person's box stands for what on the map: needed, owned, missing.

A piece of ground fits if length times width are within a quarter of what the map shows. As many as can are laid by
pieces that fit, as near in size as can be; loose pieces take the largest of the rest, and what then remains is laid by
the nearest pieces of the same kind. Strips of a course are laid end to end. Only where a kind has run out do pieces of
its substitute stand for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.sums import plain_sum
from printkit.recipes.box.piece_box import BoxPiece, PieceBox, shape_of
from printkit.terrain.field.battlefield import Battlefield, dimensions, outline_of
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record_features import Shape

SMALLER: Final = 0.75
LARGER: Final = 1.25
"""How much smaller and larger, in area or in the width of a course, a piece may be and still fits."""

ENOUGH: Final = 0.9
"""The share of a course that strips have to cover: they are laid straighter than it is drawn."""

_ON_ITS_OWN: Final = (Kind.FORD, Kind.JUNCTION)
"""What needs no piece to be seen on the table; counted only if the box has some."""


class Need(Struct, frozen=True, kw_only=True):
    """What one feature asks for: ``number`` is its own in the key; lengths are mm, None of a crossing.

    On a map of cells ``parts`` are its cells one by one, of which each bears its ``cell``.
    """

    feature: str
    number: int
    kind: Kind
    length: float | None = None
    width: float | None = None
    cell: tuple[int, int] | None = None
    parts: tuple[Need, ...] = ()


class Use(Struct, frozen=True, kw_only=True):
    """A piece laid for a need; of a course, so many mm of its strips. ``fits`` says whether it is about as large."""

    need: Need
    piece: BoxPiece
    fits: bool
    length: float | None = None

    @property
    def stands_for(self) -> bool:
        """Return whether it is of another kind than the map shows."""
        return self.piece.kind is not self.need.kind


class Lack(Struct, frozen=True):
    """A need for which nothing is left in the box; of a course, so many mm of it."""

    need: Need
    length: float | None = None

    @property
    def weight(self) -> float:
        """Return how bad it is: a whole piece counts 1, a course the share that is lacking."""
        return 1.0 if self.length is None else self.length / (self.need.length or self.length)


class PieceTally(Struct, frozen=True, kw_only=True):
    """A row of the list: pieces of a kind, or mm of a course. ``instead`` is what substitutes make good."""

    kind: Kind
    needed: float
    owned: float
    used: float
    instead: tuple[tuple[Kind, float], ...] = ()

    @property
    def missing(self) -> float:
        """Return how much of the kind itself is lacking."""
        return max(0.0, self.needed - self.used)


class Fetched(Struct, frozen=True):
    """What is laid of which piece, and what is lacking."""

    box: PieceBox
    uses: tuple[Use, ...]
    lacks: tuple[Lack, ...]

    def tallies(self) -> tuple[PieceTally, ...]:
        """Return a row for each kind that is needed, in the order in which the map first shows it."""
        asked = sorted([*(use.need for use in self.uses), *(lack.need for lack in self.lacks)], key=_order)
        return tuple(self._tally(kind) for kind in dict.fromkeys(need.kind for need in asked))

    def _tally(self, kind: Kind) -> PieceTally:
        own = [use for use in self.uses if use.need.kind is kind]
        lacking = plain_sum(_amount(lack.length) for lack in self.lacks if lack.need.kind is kind)
        instead: dict[Kind, float] = {}
        for use in own:
            if use.stands_for:
                instead[use.piece.kind] = instead.get(use.piece.kind, 0.0) + _amount(use.length)
        used = plain_sum(_amount(use.length) for use in own if not use.stands_for)
        return PieceTally(
            kind=kind,
            needed=used + plain_sum(instead.values()) + lacking,
            owned=plain_sum(piece.number * _amount(_strip(piece)) for piece in self.box.pieces if piece.kind is kind),
            used=used,
            instead=tuple(instead.items()),
        )


def needs_of(field: Battlefield) -> tuple[Need, ...]:
    """Return what a battlefield asks for, feature by feature. Parts of one thing in the same cell ask once."""
    found: list[Need] = []
    taken: set[tuple[Kind, tuple[int, int]]] = set()
    for number, feature in enumerate(field.features, 1):
        need = _need(number, feature, field)
        fresh = tuple(part for part in need.parts if (part.kind, part.cell or (0, 0)) not in taken)
        if need.parts and not fresh:
            continue
        taken.update((part.kind, part.cell or (0, 0)) for part in fresh)
        if not (isinstance(feature, Course) and not need.length):
            found.append(replace(need, parts=fresh))
    return tuple(found)


def fetched(needs: Sequence[Need], box: PieceBox) -> Fetched:
    """Return which pieces are laid for which needs, each kind from its own first and then from its substitutes."""
    asked = [need for need in needs if need.kind not in _ON_ITS_OWN or _has(box, need.kind)]
    things = _Things(box)
    laid, rest = things.lay([need for need in asked if shape_of(need.kind) is not Shape.COURSE])
    strips = _Strips(box)
    laid_along, rest_along = strips.lay([need for need in asked if shape_of(need.kind) is Shape.COURSE])
    uses = sorted([*laid, *laid_along], key=lambda use: (_order(use.need), use.stands_for))
    lacks = sorted([*rest, *rest_along], key=lambda lack: _order(lack.need))
    return Fetched(box, tuple(uses), tuple(lacks))


def _need(number: int, feature: Feature, field: Battlefield) -> Need:
    bare = Need(feature=feature.id, number=number, kind=feature.kind)
    match feature:
        case Crossing():
            return bare
        case Course():
            length = float(feature.line.intersection(field.board.shape).length)
            return replace(bare, length=length, width=feature.width)
        case Area() | Hill():
            whole = _sized(bare, outline_of(feature.outline, field.board))
            if field.grid is None or not feature.cells:
                return whole
            parts = (
                _sized(replace(bare, cell=cell), Polygon(field.grid.corners(Cell(*cell)))) for cell in feature.cells
            )
            return replace(whole, parts=tuple(parts))


def _sized(need: Need, shape: BaseGeometry) -> Need:
    size = dimensions(shape)
    return replace(need, length=size.length, width=size.width)


class _Things:
    """Lays areas, hills and crossings: each takes a piece, or on cells a piece a cell."""

    def __init__(self, box: PieceBox) -> None:
        self._box = box
        self._left = [piece.number for piece in box.pieces]

    def lay(self, needs: Sequence[Need]) -> tuple[list[Use], list[Lack]]:
        uses: list[Use] = []
        rest: list[Need] = []
        for kind in dict.fromkeys(need.kind for need in needs):
            laid, short = self._take(kind, [need for need in needs if need.kind is kind])
            uses, rest = uses + laid, rest + short
        lacks: list[Lack] = []
        for kind in dict.fromkeys(need.kind for need in rest):
            short = [need for need in rest if need.kind is kind]
            for substitute in self._box.substitutes(kind):
                laid, short = self._take(substitute, short)
                uses += laid
            lacks += [Lack(need) for need in short]
        return uses, lacks

    def _take(self, kind: Kind, needs: list[Need]) -> tuple[list[Use], list[Need]]:
        """Return what pieces of a kind are laid for, and the needs for which none is left."""
        sized = [place for place in self._places(kind) if self._box.pieces[place].length is not None]
        loose = [place for place in self._places(kind) if self._box.pieces[place].length is None]
        uses, rest = self._paired(needs, sized, fitting=True)
        parts = [part for need in rest for part in (need.parts or (need,))]
        if len(parts) > len(rest):
            more, parts = self._paired(parts, sized, fitting=True)
            uses += more
        left: list[Need] = []
        for need in sorted(parts, key=lambda need: -_ground(need)):
            place = next((place for place in loose if self._left[place]), None)
            if place is None:
                left.append(need)
            else:
                uses.append(self._use(need, place, fits=True))
        more, left = self._paired(left, sized, fitting=False)
        return uses + more, sorted(left, key=_order)

    def _paired(self, needs: list[Need], places: list[int], *, fitting: bool) -> tuple[list[Use], list[Need]]:
        """Return as many needs as can be with pieces, the sum of the differences in size as small as it can be."""
        wanted = sorted(needs, key=lambda need: (_ground(need), _order(need)))
        copies = [place for place in places for _ in range(min(self._left[place], len(wanted)))]
        copies.sort(key=lambda place: (_ground(self._box.pieces[place]), place))
        grounds = [_ground(self._box.pieces[place]) for place in copies]
        pairs = dict(_pairs([_ground(need) for need in wanted], grounds, fitting=fitting))
        uses = [self._use(need, copies[pairs[row]], fits=fitting) for row, need in enumerate(wanted) if row in pairs]
        return uses, [need for row, need in enumerate(wanted) if row not in pairs]

    def _use(self, need: Need, place: int, *, fits: bool) -> Use:
        self._left[place] -= 1
        return Use(need=need, piece=self._box.pieces[place], fits=fits)

    def _places(self, kind: Kind) -> list[int]:
        return [place for place, piece in enumerate(self._box.pieces) if piece.kind is kind and self._left[place]]


class _Strips:
    """Lays courses: the strips that are nearest in width first, end to end until they run out."""

    def __init__(self, box: PieceBox) -> None:
        self._box = box
        self._left = [piece.number * (_strip(piece) or 0.0) for piece in box.pieces]

    def lay(self, needs: Sequence[Need]) -> tuple[list[Use], list[Lack]]:
        uses: list[Use] = []
        gaps: dict[int, float] = {}
        for place, need in enumerate(needs):
            laid = list(self._along(need, need.kind, need.length or 0.0))
            uses += laid
            gaps[place] = _gap(need, laid)
        lacks: list[Lack] = []
        for place, need in enumerate(needs):
            for substitute in self._box.substitutes(need.kind):
                uses += self._along(need, substitute, gaps[place])
                gaps[place] = _gap(need, [use for use in uses if use.need is need])
            if gaps[place]:
                lacks.append(Lack(need, gaps[place]))
        return uses, lacks

    def _along(self, need: Need, kind: Kind, length: float) -> Iterator[Use]:
        """Yield so many mm of the strips of a kind."""
        own = [place for place, piece in enumerate(self._box.pieces) if piece.kind is kind]
        for place in sorted(own, key=lambda place: (_apart(need, self._box.pieces[place]), place)):
            taken = min(length, self._left[place])
            if taken > 0:
                self._left[place] -= taken
                length -= taken
                piece = self._box.pieces[place]
                yield Use(need=need, piece=piece, fits=_is_as_wide(need, piece), length=taken)


def _gap(need: Need, uses: Sequence[Use]) -> float:
    """Return the mm of a course that lie bare; nothing where the strips are enough."""
    length, laid = need.length or 0.0, plain_sum(use.length or 0.0 for use in uses)
    return 0.0 if laid >= ENOUGH * length else length - laid


def _apart(need: Need, piece: BoxPiece) -> float:
    """Return how much the width of a strip differs, as the logarithm of their ratio without its sign."""
    return 0.0 if piece.width is None or not need.width else abs(math.log(piece.width / need.width))


def _is_as_wide(need: Need, piece: BoxPiece) -> bool:
    return piece.width is None or not need.width or SMALLER <= piece.width / need.width <= LARGER


def _pairs(needs: Sequence[float], pieces: Sequence[float], *, fitting: bool) -> Iterator[tuple[int, int]]:
    """Yield pairs of places in two rows of areas in ascending order: as many as can be, then as like as can be.

    Nothing is won by pairs that cross, so the best of the first so many needs and pieces is found from fewer of them.
    """
    best = [[(0, 0.0)] * (len(pieces) + 1) for _ in range(len(needs) + 1)]
    for row, need in enumerate(needs, 1):
        for column, piece in enumerate(pieces, 1):
            found = max(best[row - 1][column], best[row][column - 1])
            if not fitting or SMALLER * need <= piece <= LARGER * need:
                count, cost = best[row - 1][column - 1]
                found = max(found, (count + 1, cost - abs(math.log(piece / max(need, 1.0)))))
            best[row][column] = found
    row, column = len(needs), len(pieces)
    while row and column:
        if best[row][column] == best[row - 1][column]:
            row -= 1
        elif best[row][column] == best[row][column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            yield row, column


def _ground(thing: Need | BoxPiece) -> float:
    """Return length times width in mm²; 0 of what has no size."""
    return (thing.length or 0.0) * (thing.width or 0.0)


def _strip(piece: BoxPiece) -> float | None:
    return piece.length if piece.shape is Shape.COURSE else None


def _amount(length: float | None) -> float:
    """Return mm of a course, or one piece."""
    return 1.0 if length is None else length


def _has(box: PieceBox, kind: Kind) -> bool:
    return any(piece.kind is kind for piece in box.pieces)


def _order(need: Need) -> tuple[int, tuple[int, int]]:
    return need.number, need.cell or (0, 0)
