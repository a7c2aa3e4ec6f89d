"""Match the pieces of a terrain box to the features of a map: needed, owned and missing pieces, and their positions.

Each kind uses pieces of that kind first. A single piece fits if its length times width is within 25 % of the size on
the map. Several pieces fit together if they leave little uncovered and have little overhang. Loose pieces fit any size.
If pieces of a kind run out, its named substitutes replace it, then other kinds of its family. If none of these fits,
the remaining pieces of the closest size are used. Strips are placed end to end along a course.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.core.sums import plain_sum
from printkit.recipes.box.covering import MOST_BARE, BoxPieceSpot, alone, cover, covered, strips_along
from printkit.recipes.box.families import nothing
from printkit.recipes.box.piece_box import BoxPiece, PieceBox, shape_of
from printkit.terrain.field.battlefield import Battlefield, dimensions, outline_of
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record_features import Shape

# Smallest and largest area of a fitting piece, or width of a fitting strip, relative to the map.
SMALLER: Final = 0.75
LARGER: Final = 1.25

# Share of a course that is enough for strips to cover, because strips are straighter than the drawn course.
ENOUGH: Final = 0.9

# Least share of an area that a piece must cover to be used although it does not fit.
_LEAST: Final = 0.3


class Need(Struct, frozen=True, kw_only=True):
    """The need of one feature for pieces.

    Attributes:
        feature: the ID of the feature.
        number: its number in the key.
        kind: its kind.
        length: its length in mm; None for a crossing.
        width: its width in mm; None for a crossing.
        ground: its outline or line on the board.
        cell: its cell, if the need is a part.
        parts: on a grid, one need for each cell of the feature.
    """

    feature: str
    number: int
    kind: Kind
    length: float | None = None
    width: float | None = None
    ground: BaseGeometry | None = None
    cell: tuple[int, int] | None = None
    parts: tuple[Need, ...] = ()


class Use(Struct, frozen=True, kw_only=True):
    """A piece that is used for a need.

    Attributes:
        need: the need.
        piece: the entry of the piece in the box.
        number: the number of the piece in the box.
        fits: whether the size of the piece fits the need.
        length: for a course, the length that the strip covers, in mm.
        spot: the position; None for crossings and loose pieces, which go where the map shows them.
    """

    need: Need
    piece: BoxPiece
    number: int
    fits: bool
    length: float | None = None
    spot: BoxPieceSpot | None = None

    @property
    def is_substitute(self) -> bool:
        """Return whether the piece is of another kind than the map shows."""
        return self.piece.kind is not self.need.kind


class MissingPiece(Struct, frozen=True):
    """A need without a piece in the box; for a course, ``length`` is the uncovered length in mm."""

    need: Need
    length: float | None = None

    @property
    def weight(self) -> float:
        """Return the weight for the score: 1 for a piece, the uncovered share for a course."""
        return 1.0 if self.length is None else self.length / (self.need.length or self.length)


class PieceTally(Struct, frozen=True, kw_only=True):
    """A row of the piece list: a number of pieces, or mm of a course; ``instead`` counts replacements by kind."""

    kind: Kind
    needed: float
    owned: float
    used: float
    instead: tuple[tuple[Kind, float], ...] = ()

    @property
    def missing(self) -> float:
        """Return the needed amount that pieces of the kind itself do not cover."""
        return max(0.0, self.needed - self.used)


class MatchedPieces(Struct, frozen=True):
    """The pieces of a box that are used for a map, and the missing pieces."""

    box: PieceBox
    uses: tuple[Use, ...]
    lacks: tuple[MissingPiece, ...]

    def tallies(self) -> tuple[PieceTally, ...]:
        """Return a row for each needed kind, in the order of the key."""
        asked = sorted([*(use.need for use in self.uses), *(lack.need for lack in self.lacks)], key=_order)
        return tuple(self._tally(kind) for kind in dict.fromkeys(need.kind for need in asked))

    def by_need(self) -> tuple[tuple[Use, ...], ...]:
        """Return the pieces for each need, in the order of the key."""
        found: dict[tuple[int, tuple[int, int]], list[Use]] = {}
        for use in self.uses:
            found.setdefault(_order(use.need), []).append(use)
        return tuple(tuple(found[place]) for place in sorted(found))

    def shares(self) -> tuple[float, float]:
        """Return the largest uncovered share and the largest overhang of any area."""
        found = [shares_of(uses) for uses in self.by_need()]
        known = [each for each in found if each is not None]
        return max((bare for bare, _ in known), default=0.0), max((over for _, over in known), default=0.0)

    def _tally(self, kind: Kind) -> PieceTally:
        used, instead = 0.0, dict[Kind, float]()
        for uses in self.by_need():
            if uses[0].need.kind is not kind:
                continue
            others = [use for use in uses if use.is_substitute]
            if uses[0].length is None:
                by = others[0].piece.kind if others else None
                used += by is None
                if by is not None:
                    instead[by] = instead.get(by, 0.0) + 1.0
            else:
                used += plain_sum(use.length or 0.0 for use in uses if not use.is_substitute)
                for use in others:
                    instead[use.piece.kind] = instead.get(use.piece.kind, 0.0) + (use.length or 0.0)
        lacking = plain_sum(_amount(lack.length) for lack in self.lacks if lack.need.kind is kind)
        return PieceTally(
            kind=kind,
            needed=used + plain_sum(instead.values()) + lacking,
            owned=plain_sum(piece.number * _amount(_strip(piece)) for piece in self.box.pieces if piece.kind is kind),
            used=used,
            instead=tuple(instead.items()),
        )


def shares_of(uses: Sequence[Use]) -> tuple[float, float] | None:
    """Return the uncovered share and the overhang of a need; None for courses and loose pieces."""
    spots = [use.spot for use in uses if use.spot is not None]
    ground = uses[0].need.ground
    if uses[0].length is not None or ground is None or len(spots) < len(uses):
        return None
    return covered(ground, spots)


def needs_of(field: Battlefield) -> tuple[Need, ...]:
    """Return the needs of a battlefield, feature by feature; features of one kind in the same cell count once."""
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


def asking(needs: Sequence[Need], box: PieceBox) -> tuple[Need, ...]:
    """Return the needs that require a piece; kinds that do not need one count only if the box has some."""
    own = {piece.kind for piece in box.pieces}
    return tuple(need for need in needs if need.kind not in nothing() or need.kind in own)


def fetched(needs: Sequence[Need], box: PieceBox) -> MatchedPieces:
    """Match the pieces of a box to needs."""
    asked = asking(needs, box)
    store = _Store(box)
    laid, rest = _Things(store).lay([need for need in asked if shape_of(need.kind) is not Shape.COURSE])
    laid_along, rest_along = _Strips(store).lay([need for need in asked if shape_of(need.kind) is Shape.COURSE])
    uses = sorted([*laid, *laid_along], key=lambda use: _order(use.need))
    lacks = sorted([*rest, *rest_along], key=lambda lack: _order(lack.need))
    return MatchedPieces(box, tuple(uses), tuple(lacks))


def _need(number: int, feature: Feature, field: Battlefield) -> Need:
    bare = Need(feature=feature.id, number=number, kind=feature.kind)
    match feature:
        case Crossing():
            return bare
        case Course():
            seen = feature.line.intersection(field.board.shape)
            return replace(bare, length=float(seen.length), width=feature.width, ground=seen)
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
    return replace(need, length=size.length, width=size.width, ground=shape)


class _Store:
    """The remaining pieces of each entry of a box."""

    def __init__(self, box: PieceBox) -> None:
        self.box = box
        self.left = [piece.number for piece in box.pieces]

    def of(self, kinds: Sequence[Kind]) -> list[int]:
        """Return the indexes of the entries of these kinds that have remaining pieces."""
        return [place for place, piece in enumerate(self.box.pieces) if piece.kind in kinds and self.left[place]]

    def take(
        self, place: int, need: Need, spot: BoxPieceSpot | None, *, fits: bool, length: float | None = None
    ) -> Use:
        """Take the next piece of an entry for a need."""
        piece = self.box.pieces[place]
        number = self.box.first_numbers[place] + piece.number - self.left[place]
        self.left[place] -= 1
        return Use(need=need, piece=piece, number=number, fits=fits, length=length, spot=spot)

    def stages(self, kind: Kind) -> Iterator[tuple[Kind, ...]]:
        """Yield the kinds that can replace a kind, step by step: each named substitute, then the family."""
        named = self.box.substitutes(kind)
        for each in named:
            yield (each,)
        if relatives := tuple(each for each in self.box.relatives(kind) if each not in named):
            yield relatives


class _Things:
    """Matches areas, hills and crossings: one piece or several for each, or on a grid one piece for each cell."""

    def __init__(self, store: _Store) -> None:
        self._store = store

    def lay(self, needs: Sequence[Need]) -> tuple[list[Use], list[MissingPiece]]:
        uses: list[Use] = []

        def each_kind(
            rest: Sequence[Need], lay: Callable[[Kind, list[Need]], tuple[list[Use], list[Need]]]
        ) -> list[Need]:
            found: list[Need] = []
            for kind in dict.fromkeys(need.kind for need in rest):
                laid, short = lay(kind, [need for need in rest if need.kind is kind])
                uses.extend(laid)
                found += short
            return found

        rest = each_kind(needs, lambda kind, asked: self._fitting((kind,), asked))
        rest = each_kind(rest, self._by_others)
        rest = each_kind(rest, self._as_well_as_can_be)
        return uses, [MissingPiece(need) for need in sorted(rest, key=_order)]

    def _by_others(self, kind: Kind, needs: list[Need]) -> tuple[list[Use], list[Need]]:
        """Return fitting substitutes and relatives for needs, and the remaining needs."""
        uses: list[Use] = []
        for kinds in self._store.stages(kind):
            laid, needs = self._fitting(kinds, needs)
            uses += laid
        return uses, needs

    def _as_well_as_can_be(self, kind: Kind, needs: list[Need]) -> tuple[list[Use], list[Need]]:
        """Return pieces that do not fit, pieces of the kind itself first, and the remaining needs."""
        uses: list[Use] = []
        for kinds in ((kind,), *self._store.stages(kind)):
            laid, needs = self._paired(needs, self._sized(kinds), fitting=False)
            uses += laid
        return uses, needs

    def _fitting(self, kinds: tuple[Kind, ...], needs: list[Need]) -> tuple[list[Use], list[Need]]:
        """Return fitting pieces of some kinds, and the remaining needs."""
        uses, rest = self._paired(needs, self._sized(kinds), fitting=True)
        parts = [part for need in rest for part in (need.parts or (need,))]
        if len(parts) > len(rest):
            more, parts = self._paired(parts, self._sized(kinds), fitting=True)
            uses += more
        left: list[Need] = []
        for need in sorted(parts, key=lambda need: (-_ground(need), _order(need))):
            found = self._together(need, self._sized(kinds)) or self._loose(need, kinds)
            uses += found
            if not found:
                left.append(need)
        return uses, sorted(left, key=_order)

    def _together(self, need: Need, places: list[int]) -> list[Use]:
        """Return several pieces that together cover the area of a need, or an empty list."""
        ground = need.ground
        if ground is None or need.cell is not None or not places:
            return []
        pieces, left = self._store.box.pieces, self._store.left
        if plain_sum(_ground(pieces[place]) * left[place] for place in places) < (1 - MOST_BARE) * ground.area:
            return []
        found = cover(ground, [(*_sides(pieces[place]), left[place]) for place in places])
        if not found.holds:
            return []
        return [self._store.take(places[place], need, spot, fits=True) for place, spot in found.spots]

    def _loose(self, need: Need, kinds: tuple[Kind, ...]) -> list[Use]:
        """Return one piece without a size: a loose piece or a crossing; or an empty list."""
        there = (place for place in self._store.of(kinds) if self._store.box.pieces[place].length is None)
        return [self._store.take(place, need, None, fits=True) for place in [*there][:1]]

    def _paired(self, needs: list[Need], places: list[int], *, fitting: bool) -> tuple[list[Use], list[Need]]:
        """Match as many needs as possible to single pieces, with the least difference in size; return the rest too."""
        if not places:
            return [], needs
        wanted = sorted(
            (need for need in needs if need.ground is not None), key=lambda need: (_ground(need), _order(need))
        )
        left, pieces = self._store.left, self._store.box.pieces
        copies = [place for place in places for _ in range(min(left[place], len(wanted)))]
        copies.sort(key=lambda place: (_ground(pieces[place]), place))
        grounds = [_ground(pieces[place]) for place in copies]
        pairs = dict(_pairs([_ground(need) for need in wanted], grounds, fitting=fitting))
        uses: list[Use] = []
        for row, need in enumerate(wanted):
            if row in pairs and need.ground is not None:
                spot = alone(need.ground, *_sides(pieces[copies[pairs[row]]]))
                bare, _ = covered(need.ground, [spot])
                if bare <= (MOST_BARE if fitting else 1 - _LEAST):
                    uses.append(self._store.take(copies[pairs[row]], need, spot, fits=fitting))
        laid = [use.need for use in uses]
        return uses, [need for need in needs if not any(need is each for each in laid)]

    def _sized(self, kinds: Sequence[Kind]) -> list[int]:
        return [place for place in self._store.of(kinds) if self._store.box.pieces[place].length is not None]


class _Strips:
    """Matches courses: the strips of the nearest width first, end to end until they run out."""

    def __init__(self, store: _Store) -> None:
        self._store = store

    def lay(self, needs: Sequence[Need]) -> tuple[list[Use], list[MissingPiece]]:
        uses: list[Use] = []
        bare: list[list[LineString]] = []
        for need in needs:
            laid, rest = self._along(need, (need.kind,), _runs(need))
            uses += laid
            bare.append(rest)
        lacks: list[MissingPiece] = []
        for need, runs in zip(needs, bare, strict=True):
            for kinds in self._store.stages(need.kind):
                if runs:
                    laid, runs = self._along(need, kinds, runs)
                    uses += laid
            if runs:
                lacks.append(MissingPiece(need, _long(runs)))
        return uses, lacks

    def _along(self, need: Need, kinds: Sequence[Kind], runs: list[LineString]) -> tuple[list[Use], list[LineString]]:
        """Place strips along parts of a course; return them and the uncovered parts, none if enough is covered."""
        uses: list[Use] = []
        pieces = self._store.box.pieces
        for places in self._by_width(need, kinds):
            rest: list[LineString] = []
            for run in runs:
                at = 0.0
                strips = [(pieces[each].length or 0.0, pieces[each].bend, self._store.left[each]) for each in places]
                wide = pieces[places[0]].width or need.width or 0.0
                for place, length, spot in strips_along(run, wide, strips):
                    piece = places[place]
                    fits = _is_as_wide(need, pieces[piece])
                    uses.append(self._store.take(piece, need, spot, fits=fits, length=length))
                    at += length
                if run.length - at > 1.0:
                    rest.append(substring(run, at, run.length))
            runs = rest
            if _long(runs) <= (1 - ENOUGH) * (need.length or 0.0):
                return uses, []
        return uses, runs

    def _by_width(self, need: Need, kinds: Sequence[Kind]) -> Iterator[list[int]]:
        """Yield groups of entries: all strips of a fitting width, then each other strip, the nearest width first."""
        own = sorted(self._store.of(kinds), key=lambda place: (_apart(need, self._store.box.pieces[place]), place))
        fitting = [place for place in own if _is_as_wide(need, self._store.box.pieces[place])]
        if fitting:
            yield fitting
        yield from ([place] for place in own if place not in fitting)


def _runs(need: Need) -> list[LineString]:
    """Return the parts of a course that are on the board."""
    parts = shapely.get_parts(need.ground) if need.ground is not None else ()
    return [part for part in parts if isinstance(part, LineString)]


def _long(runs: Sequence[LineString]) -> float:
    return plain_sum(float(run.length) for run in runs)


def _apart(need: Need, piece: BoxPiece) -> float:
    """Return the difference of a strip and a need in width, as the absolute logarithm of their ratio."""
    return 0.0 if piece.width is None or not need.width else abs(math.log(piece.width / need.width))


def _is_as_wide(need: Need, piece: BoxPiece) -> bool:
    return piece.width is None or not need.width or SMALLER <= piece.width / need.width <= LARGER


def _pairs(needs: Sequence[float], pieces: Sequence[float], *, fitting: bool) -> Iterator[tuple[int, int]]:
    """Yield pairs of indexes into two ascending lists of areas: as many as possible, then the most similar.

    Pairs that cross are never better, so dynamic programming over the first n needs and m pieces finds the best match.
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
    """Return length times width in mm²; 0 without a size."""
    return (thing.length or 0.0) * (thing.width or 0.0)


def _sides(piece: BoxPiece) -> tuple[float, float]:
    return piece.length or 0.0, piece.width or 0.0


def _strip(piece: BoxPiece) -> float | None:
    return piece.length if piece.shape is Shape.COURSE else None


def _amount(length: float | None) -> float:
    """Return the mm of a course, or 1 for a piece."""
    return 1.0 if length is None else length


def _order(need: Need) -> tuple[int, tuple[int, int]]:
    return need.number, need.cell or (0, 0)
