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
from printkit.recipes.box.covering import MOST_UNCOVERED, PiecePosition, cover, cover_shares, place_single, place_strips
from printkit.recipes.box.families import pieceless_kinds
from printkit.recipes.box.piece_box import BoxPiece, PieceBox, shape_of
from printkit.terrain.field.battlefield import Battlefield, clip_to_board, measure_shape
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind, Shape
from printkit.terrain.field.grids import Cell

# Smallest and largest area of a fitting piece, or width of a fitting strip, relative to the map.
LEAST_RATIO: Final = 0.75
MOST_RATIO: Final = 1.25

# Share of a course that is enough for strips to cover, because strips are straighter than the drawn course.
ENOUGH_SHARE: Final = 0.9

# Least share of an area that a piece must cover to be used although it does not fit.
_LEAST_SHARE: Final = 0.3


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
        position: the position; None for crossings and loose pieces, which go where the map shows them.
    """

    need: Need
    piece: BoxPiece
    number: int
    fits: bool
    length: float | None = None
    position: PiecePosition | None = None

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
        """Return the weight for the score: 1 for a piece, the uncovered share (0 to 1) for a course."""
        return 1.0 if self.length is None else self.length / (self.need.length or self.length)


class PieceTally(Struct, frozen=True, kw_only=True):
    """A row of the piece list: a number of pieces, or mm of a course; ``instead`` counts replacements by kind."""

    kind: Kind
    needed_amount: float
    owned_amount: float
    used_amount: float
    instead: tuple[tuple[Kind, float], ...] = ()

    @property
    def missing_amount(self) -> float:
        """Return the needed amount without pieces of the kind: a number, or mm of a course on the board."""
        return max(0.0, self.needed_amount - self.used_amount)


class MatchedPieces(Struct, frozen=True):
    """The pieces of a box that are used for a map, and the missing pieces."""

    box: PieceBox
    uses: tuple[Use, ...]
    missing_pieces: tuple[MissingPiece, ...]

    def tallies(self) -> tuple[PieceTally, ...]:
        """Return a row for each needed kind, in the order of the key."""
        needs = sorted(
            [*(use.need for use in self.uses), *(missing_piece.need for missing_piece in self.missing_pieces)],
            key=_key_order,
        )
        return tuple(self._tally(kind) for kind in dict.fromkeys(need.kind for need in needs))

    def group_by_need(self) -> tuple[tuple[Use, ...], ...]:
        """Return the used pieces of each need that has some, in the order of the key."""
        groups: dict[tuple[int, tuple[int, int]], list[Use]] = {}
        for use in self.uses:
            groups.setdefault(_key_order(use.need), []).append(use)
        return tuple(tuple(groups[position_key]) for position_key in sorted(groups))

    def worst_shares(self) -> tuple[float, float]:
        """Return the largest uncovered share and the largest overhang of any area; 0 without areas.

        Both are shares of the area.
        """
        all_shares = [need_shares(uses) for uses in self.group_by_need()]
        shares_list = [share_pair for share_pair in all_shares if share_pair is not None]
        return max((uncovered_share for uncovered_share, _ in shares_list), default=0.0), max(
            (overhang for _, overhang in shares_list), default=0.0
        )

    def _tally(self, kind: Kind) -> PieceTally:
        """Return the row of the piece list for a kind: numbers of pieces, or mm of a course on the board."""
        used_amount, instead = 0.0, dict[Kind, float]()
        for uses in self.group_by_need():
            if uses[0].need.kind is not kind:
                continue
            substitutes = [use for use in uses if use.is_substitute]
            if uses[0].length is None:
                substitute_kind = substitutes[0].piece.kind if substitutes else None
                used_amount += substitute_kind is None
                if substitute_kind is not None:
                    instead[substitute_kind] = instead.get(substitute_kind, 0.0) + 1.0
            else:
                used_amount += plain_sum(use.length or 0.0 for use in uses if not use.is_substitute)
                for use in substitutes:
                    instead[use.piece.kind] = instead.get(use.piece.kind, 0.0) + (use.length or 0.0)
        missing_amount = plain_sum(
            _amount(missing_piece.length) for missing_piece in self.missing_pieces if missing_piece.need.kind is kind
        )
        return PieceTally(
            kind=kind,
            needed_amount=used_amount + plain_sum(instead.values()) + missing_amount,
            owned_amount=plain_sum(
                piece.number * _amount(piece.length if piece.shape is Shape.COURSE else None)
                for piece in self.box.pieces
                if piece.kind is kind
            ),
            used_amount=used_amount,
            instead=tuple(instead.items()),
        )


def need_shares(uses: Sequence[Use]) -> tuple[float, float] | None:
    """Return the uncovered share and the overhang of a need, as shares of its area (1 is all of it).

    ``uses`` are all pieces of one need, at least one. Return None for courses, crossings and pieces without a size.
    """
    positions = [use.position for use in uses if use.position is not None]
    ground = uses[0].need.ground
    if uses[0].length is not None or ground is None or len(positions) < len(uses):
        return None
    return cover_shares(ground, positions)


def find_needs(field: Battlefield) -> tuple[Need, ...]:
    """Return the needs of a battlefield, feature by feature; features of one kind in the same cell count once.

    Numbers of needs count features from 1. Courses that are not on the board are left out.
    """
    needs: list[Need] = []
    seen_parts: set[tuple[Kind, tuple[int, int]]] = set()
    for number, feature in enumerate(field.features, 1):
        need = _build_need(number, feature, field)
        new_parts = tuple(part for part in need.parts if (part.kind, part.cell or (0, 0)) not in seen_parts)
        if need.parts and not new_parts:
            continue
        seen_parts.update((part.kind, part.cell or (0, 0)) for part in new_parts)
        if not (isinstance(feature, Course) and not need.length):
            needs.append(replace(need, parts=new_parts))
    return tuple(needs)


def select_needs(needs: Sequence[Need], box: PieceBox) -> tuple[Need, ...]:
    """Return the needs that require a piece; kinds that do not need one count only if the box has some.

    They stay in order.
    """
    box_kinds = {piece.kind for piece in box.pieces}
    return tuple(need for need in needs if need.kind not in pieceless_kinds() or need.kind in box_kinds)


def match_pieces(needs: Sequence[Need], box: PieceBox) -> MatchedPieces:
    """Match the pieces of a box to needs and return the uses and the missing pieces, both in the order of the key.

    Each piece of the box is used once at most; the box does not change. Needs that the box does not have to fill are
    ignored.
    """
    required = select_needs(needs, box)
    stock = _BoxStock(box)
    area_uses, missing_areas = _AreaMatcher(stock).lay(
        [need for need in required if shape_of(need.kind) is not Shape.COURSE]
    )
    course_uses, missing_courses = _CourseMatcher(stock).lay(
        [need for need in required if shape_of(need.kind) is Shape.COURSE]
    )
    uses = sorted([*area_uses, *course_uses], key=lambda use: _key_order(use.need))
    missing_pieces = sorted(
        [*missing_areas, *missing_courses], key=lambda missing_piece: _key_order(missing_piece.need)
    )
    return MatchedPieces(box, tuple(uses), tuple(missing_pieces))


def _build_need(number: int, feature: Feature, field: Battlefield) -> Need:
    """Return the need of a feature, in mm on the board; on a grid it has a part for each cell.

    ``number`` is its number in the key, from 1.
    """
    base_need = Need(feature=feature.id, number=number, kind=feature.kind)
    match feature:
        case Crossing():
            return base_need
        case Course():
            visible = feature.line.intersection(field.board.shape)
            return replace(base_need, length=float(visible.length), width=feature.width, ground=visible)
        case Area() | Hill():
            sized_need = _set_size(base_need, clip_to_board(feature.outline, field.board))
            if field.grid is None or not feature.cells:
                return sized_need
            parts = (
                _set_size(replace(base_need, cell=cell), Polygon(field.grid.corners(Cell(*cell))))
                for cell in feature.cells
            )
            return replace(sized_need, parts=tuple(parts))


def _set_size(need: Need, shape: BaseGeometry) -> Need:
    """Return the need with a shape as its ground and with its length and width, in mm on the board."""
    size = measure_shape(shape)
    return replace(need, length=size.length, width=size.width, ground=shape)


class _BoxStock:
    """The remaining pieces of each entry of a box."""

    def __init__(self, box: PieceBox) -> None:
        self.box = box
        self.left = [piece.number for piece in box.pieces]

    def available(self, kinds: Sequence[Kind]) -> list[int]:
        """Return the indexes, from 0, of the entries of these kinds that have remaining pieces."""
        return [index for index, piece in enumerate(self.box.pieces) if piece.kind in kinds and self.left[index]]

    def take_piece(
        self, index: int, need: Need, position: PiecePosition | None, *, fits: bool, length: float | None = None
    ) -> Use:
        """Take the next piece of the entry ``index`` (from 0) for a need, and return its use.

        ``fits`` says whether its size fits. ``length`` is the length of a course that a strip covers, in mm on the
        board; None for other pieces. The stock has one piece less afterwards. A piece whose place does not matter
        has the ``position`` None.
        """
        piece = self.box.pieces[index]
        number = self.box.first_numbers[index] + piece.number - self.left[index]
        self.left[index] -= 1
        return Use(need=need, piece=piece, number=number, fits=fits, length=length, position=position)

    def substitute_steps(self, kind: Kind) -> Iterator[tuple[Kind, ...]]:
        """Yield the kinds that can replace a kind, step by step: each named substitute, then the family."""
        substitutes = self.box.substitutes(kind)
        for substitute in substitutes:
            yield (substitute,)
        if relatives := tuple(substitute for substitute in self.box.relatives(kind) if substitute not in substitutes):
            yield relatives


class _AreaMatcher:
    """Matches areas, hills and crossings: one piece or several for each, or on a grid one piece for each cell."""

    def __init__(self, stock: _BoxStock) -> None:
        self._store = stock

    def lay(self, needs: Sequence[Need]) -> tuple[list[Use], list[MissingPiece]]:
        """Return the pieces for areas, hills and crossings, and the needs without a piece in the order of the key.

        Fitting pieces of the kind come first, then fitting substitutes, then pieces of another size.
        """
        uses: list[Use] = []

        def match_each_kind(
            open_needs: Sequence[Need], match: Callable[[Kind, list[Need]], tuple[list[Use], list[Need]]]
        ) -> list[Need]:
            """Call ``match`` for each kind, keep the uses, and return the needs that have no piece yet."""
            unmatched_needs: list[Need] = []
            for kind in dict.fromkeys(need.kind for need in open_needs):
                new_uses, unmatched_kind = match(kind, [need for need in open_needs if need.kind is kind])
                uses.extend(new_uses)
                unmatched_needs += unmatched_kind
            return unmatched_needs

        remaining = match_each_kind(needs, lambda kind, kind_needs: self._use_fitting((kind,), kind_needs))
        remaining = match_each_kind(remaining, self._use_substitutes)
        remaining = match_each_kind(remaining, self._use_misfits)
        return uses, [MissingPiece(need) for need in sorted(remaining, key=_key_order)]

    def _use_substitutes(self, kind: Kind, needs: list[Need]) -> tuple[list[Use], list[Need]]:
        """Return fitting pieces of the kinds that can replace this one for needs, and the remaining needs."""
        uses: list[Use] = []
        for kinds in self._store.substitute_steps(kind):
            new_uses, needs = self._use_fitting(kinds, needs)
            uses += new_uses
        return uses, needs

    def _use_misfits(self, kind: Kind, needs: list[Need]) -> tuple[list[Use], list[Need]]:
        """Return pieces that do not fit, pieces of the kind itself first, and the remaining needs."""
        uses: list[Use] = []
        for kinds in ((kind,), *self._store.substitute_steps(kind)):
            new_uses, needs = self._pair_pieces(needs, self._sized_entries(kinds), fitting=False)
            uses += new_uses
        return uses, needs

    def _use_fitting(self, kinds: tuple[Kind, ...], needs: list[Need]) -> tuple[list[Use], list[Need]]:
        """Return the uses of fitting pieces of some kinds, and the remaining needs.

        Single pieces come first, then pieces for the parts of a need, then combinations of pieces and loose pieces. The
        remaining needs can be parts.
        """
        uses, remaining = self._pair_pieces(needs, self._sized_entries(kinds), fitting=True)
        parts = [part for need in remaining for part in (need.parts or (need,))]
        if len(parts) > len(remaining):
            part_uses, parts = self._pair_pieces(parts, self._sized_entries(kinds), fitting=True)
            uses += part_uses
        unmatched_needs: list[Need] = []
        for need in sorted(parts, key=lambda need: (-_area_mm2(need), _key_order(need))):
            new_uses = self._combine_pieces(need, self._sized_entries(kinds)) or self._use_loose(need, kinds)
            uses += new_uses
            if not new_uses:
                unmatched_needs.append(need)
        return uses, sorted(unmatched_needs, key=_key_order)

    def _combine_pieces(self, need: Need, indexes: list[int]) -> list[Use]:
        """Return pieces that together cover the area of a need well enough, or an empty list.

        ``indexes``, from 0, are the entries of the box to use. These pieces are taken from the store.
        """
        ground = need.ground
        if ground is None or need.cell is not None or not indexes:
            return []
        pieces, remaining = self._store.box.pieces, self._store.left
        if (
            plain_sum(_area_mm2(pieces[index]) * remaining[index] for index in indexes)
            < (1 - MOST_UNCOVERED) * ground.area
        ):
            return []
        best_cover = cover(ground, [(*_sides(pieces[index]), remaining[index]) for index in indexes])
        if not best_cover.is_good_enough:
            return []
        return [
            self._store.take_piece(indexes[index], need, position, fits=True)
            for index, position in best_cover.positions
        ]

    def _use_loose(self, need: Need, kinds: tuple[Kind, ...]) -> list[Use]:
        """Return one piece without a size, a loose piece or a crossing; an empty list if none is left.

        Only pieces of ``kinds`` count; the piece is taken from the stock.
        """
        indexes = (index for index in self._store.available(kinds) if self._store.box.pieces[index].length is None)
        return [self._store.take_piece(index, need, None, fits=True) for index in [*indexes][:1]]

    def _pair_pieces(self, needs: list[Need], indexes: list[int], *, fitting: bool) -> tuple[list[Use], list[Need]]:
        """Match needs to single pieces, as many as possible; return the uses and the remaining needs.

        ``indexes``, from 0, are the entries of the box to use. With ``fitting``, only pieces with 75 to 125 % of the
        area count. The pieces used are taken from the store.
        """
        if not indexes:
            return [], needs
        sorted_needs = sorted(
            (need for need in needs if need.ground is not None), key=lambda need: (_area_mm2(need), _key_order(need))
        )
        remaining, pieces = self._store.left, self._store.box.pieces
        copies = [index for index in indexes for _ in range(min(remaining[index], len(sorted_needs)))]
        copies.sort(key=lambda index: (_area_mm2(pieces[index]), index))
        grounds = [_area_mm2(pieces[index]) for index in copies]
        pairs = dict(_best_pairs([_area_mm2(need) for need in sorted_needs], grounds, fitting=fitting))
        uses: list[Use] = []
        for row, need in enumerate(sorted_needs):
            if row in pairs and need.ground is not None:
                position = place_single(need.ground, *_sides(pieces[copies[pairs[row]]]))
                uncovered_share, _ = cover_shares(need.ground, [position])
                if uncovered_share <= (MOST_UNCOVERED if fitting else 1 - _LEAST_SHARE):
                    uses.append(self._store.take_piece(copies[pairs[row]], need, position, fits=fitting))
        used_needs = [use.need for use in uses]
        return uses, [need for need in needs if not any(need is used_need for used_need in used_needs)]

    def _sized_entries(self, kinds: Sequence[Kind]) -> list[int]:
        """Return the indexes of the entries of these kinds that have a size and remaining pieces.

        Indexes count from 0 in the box.
        """
        return [index for index in self._store.available(kinds) if self._store.box.pieces[index].length is not None]


class _CourseMatcher:
    """Matches courses: the strips of the nearest width first, end to end until they run out."""

    def __init__(self, stock: _BoxStock) -> None:
        self._store = stock

    def lay(self, needs: Sequence[Need]) -> tuple[list[Use], list[MissingPiece]]:
        """Return the strips for courses, and for each course with uncovered parts their length in mm on the board.

        Strips of the kind itself come first for all courses, then substitutes. The strips used are taken from the stock
        of this object.
        """
        uses: list[Use] = []
        open_runs: list[list[LineString]] = []
        for need in needs:
            ground_parts = shapely.get_parts(need.ground) if need.ground is not None else ()
            course_parts = [part for part in ground_parts if isinstance(part, LineString)]
            new_uses, open_parts = self._cover_runs(need, (need.kind,), course_parts)
            uses += new_uses
            open_runs.append(open_parts)
        missing_pieces: list[MissingPiece] = []
        for need, runs in zip(needs, open_runs, strict=True):
            for kinds in self._store.substitute_steps(need.kind):
                if runs:
                    new_uses, runs = self._cover_runs(need, kinds, runs)
                    uses += new_uses
            if runs:
                missing_pieces.append(MissingPiece(need, _total_length(runs)))
        return uses, missing_pieces

    def _cover_runs(
        self, need: Need, kinds: Sequence[Kind], runs: list[LineString]
    ) -> tuple[list[Use], list[LineString]]:
        """Place strips along parts of a course; return them and the uncovered parts.

        ``runs`` are the parts to cover, as lines in mm on the board. The second result is empty if 90 % is covered. The
        strips used are taken from the store.
        """
        uses: list[Use] = []
        pieces = self._store.box.pieces
        for indexes in self._by_width(need, kinds):
            open_parts: list[LineString] = []
            for run in runs:
                distance = 0.0
                strips = [
                    (pieces[entry].length or 0.0, pieces[entry].bend, self._store.left[entry]) for entry in indexes
                ]
                strip_width = pieces[indexes[0]].width or need.width or 0.0
                for index, length, position in place_strips(run, strip_width, strips):
                    entry_index = indexes[index]
                    fits = _is_width_fitting(need, pieces[entry_index])
                    uses.append(self._store.take_piece(entry_index, need, position, fits=fits, length=length))
                    distance += length
                if run.length - distance > 1.0:
                    open_parts.append(substring(run, distance, run.length))
            runs = open_parts
            if _total_length(runs) <= (1 - ENOUGH_SHARE) * (need.length or 0.0):
                return uses, []
        return uses, runs

    def _by_width(self, need: Need, kinds: Sequence[Kind]) -> Iterator[list[int]]:
        """Yield groups of entry indexes of the box: strips of a fitting width, then the others one by one.

        Both are sorted by the difference from the width of the need. Indexes count from 0.
        """
        sorted_entries = sorted(
            self._store.available(kinds),
            key=lambda index: (_width_difference(need, self._store.box.pieces[index]), index),
        )
        fitting_entries = [index for index in sorted_entries if _is_width_fitting(need, self._store.box.pieces[index])]
        if fitting_entries:
            yield fitting_entries
        yield from ([index] for index in sorted_entries if index not in fitting_entries)


def _total_length(runs: Sequence[LineString]) -> float:
    """Return the total length of lines, in mm on the board; 0 without lines."""
    return plain_sum(float(run.length) for run in runs)


def _width_difference(need: Need, piece: BoxPiece) -> float:
    """Return the absolute logarithm of the ratio between the widths of strip and need.

    Return 0 if one of them has no width.
    """
    return 0.0 if piece.width is None or not need.width else abs(math.log(piece.width / need.width))


def _is_width_fitting(need: Need, piece: BoxPiece) -> bool:
    """Return whether a strip has 75 to 125 % of the width of the course; True if either has no width."""
    return piece.width is None or not need.width or LEAST_RATIO <= piece.width / need.width <= MOST_RATIO


def _best_pairs(needs: Sequence[float], pieces: Sequence[float], *, fitting: bool) -> Iterator[tuple[int, int]]:
    """Yield pairs of indexes into two ascending lists of areas, as many as possible.

    Among matches with equal counts, the most similar areas win. Areas are in mm², and indexes count from 0. With
    ``fitting``, only pieces with 75 to 125 % of the needed area are paired. Pairs that cross are never better, so
    dynamic programming over the first n needs and m pieces finds the best match.
    """
    best = [[(0, 0.0)] * (len(pieces) + 1) for _ in range(len(needs) + 1)]
    for row, need in enumerate(needs, 1):
        for column, piece in enumerate(pieces, 1):
            candidate = max(best[row - 1][column], best[row][column - 1])
            if not fitting or LEAST_RATIO * need <= piece <= MOST_RATIO * need:
                count, cost = best[row - 1][column - 1]
                candidate = max(candidate, (count + 1, cost - abs(math.log(piece / max(need, 1.0)))))
            best[row][column] = candidate
    row, column = len(needs), len(pieces)
    while row and column:
        if best[row][column] == best[row - 1][column]:
            row -= 1
        elif best[row][column] == best[row][column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            yield row, column


def _area_mm2(thing: Need | BoxPiece) -> float:
    """Return length times width in mm²; 0 without a size."""
    return (thing.length or 0.0) * (thing.width or 0.0)


def _sides(piece: BoxPiece) -> tuple[float, float]:
    """Return the length and width of a piece in mm on the board, 0 where the box does not give it."""
    return piece.length or 0.0, piece.width or 0.0


def _amount(length: float | None) -> float:
    """Return the length of a course in mm on the board, or 1 for None, a piece without length."""
    return 1.0 if length is None else length


def _key_order(need: Need) -> tuple[int, tuple[int, int]]:
    """Return the sort key of a need: its number in the key, then its cell."""
    return need.number, need.cell or (0, 0)
