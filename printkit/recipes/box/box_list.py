"""Piece list for a terrain box: needed, owned, missing and fetched pieces, and the plan for a board built from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import shapely
from shapely import Polygon

from printkit.content.prose import Align, Block, Bullets, CheckBoxes, Heading, Paragraph, Table
from printkit.core.words import Words
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.map.cell_marks import cell_address
from printkit.drawing.map.layout_plan import PlanPiece
from printkit.kit.provenance import append_note
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Page
from printkit.recipes.box.piece_box import BoxPiece, shape_of
from printkit.recipes.box.piece_matching import MatchedPieces, MissingPiece, Need, PieceTally, Use, need_shares
from printkit.recipes.box.refit import match_record, recorded_attempts
from printkit.recipes.output.handout import HandoutContext, LengthFormatter
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.features import KIND_ROWS, Kind, Shape, find_family
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record

_SHARES: Final = (2.2, 1.6, 1.6, 1.6, 3.0)
_RIGHT: Final[Align] = "right"
_LEFT: Final[Align] = "left"
_ALIGNS: Final[tuple[Align, ...]] = (_LEFT, _RIGHT, _RIGHT, _RIGHT, _LEFT)
_HEAD: Final = ("kind", "needed", "owned", "missing", "instead")
_NOTHING: Final = "–"
# Smallest uncovered share or overhang of an area that the list mentions.
_LEAST_SHARE: Final = 0.05


def box_pages(record: Record, system: RuleSystem, order: SheetContext) -> tuple[Page, ...]:
    """Return the piece list as separate pages for a map.

    Raises:
        PageError: the paper is too small.
        BookError: the box of the record is wrong.
    """
    handout = HandoutContext.from_record(record, system, order)
    return handout.build_pages(order.words("box.title"), box_blocks(record, order.words), subtitle=handout.title)


def box_blocks(record: Record, words: Words) -> Iterator[Block]:
    """Yield a summary, the piece list, the pieces to fetch, and the missing ones; nothing if the record has no box.

    Raises:
        BookError: the box of the record is wrong.
    """
    match = match_record(record)
    if match is None:
        return
    for language in words.each():
        yield Paragraph(language(f"box.summary.{_match_state(match)}"))
        uncovered_share, overhang = match.worst_shares()
        if max(uncovered_share, overhang) >= _LEAST_SHARE:
            yield Paragraph(
                language("box.shares", bare=f"{100 * uncovered_share:.0f}", over=f"{100 * overhang:.0f}"), "note"
            )
        yield from (Paragraph(text, "note") for text in _reroll_notes(record, language))
    tallies = match.tallies()
    if not tallies:
        return
    yield Heading(words("box.list"), remark=match.box.title)
    head = tuple(words(f"box.{name}") for name in _HEAD)
    rows = tuple(_row(tally, words) for tally in tallies)
    yield Table(rows=rows, head=head, shares=_SHARES, aligns=_ALIGNS)
    for language in words.each():
        lines = _FeatureLines(record, language)
        if match.uses:
            yield Heading(language("box.fetch"), remark=language("box.fetch-aside"))
            yield CheckBoxes(tuple(lines.use_lines(match)))
        if match.missing_pieces:
            yield Heading(language("box.nothing"))
            yield Bullets(tuple(lines.missing_lines(match.missing_pieces)))


def add_piece_notes(accounts: Mapping[str, str], record: Record, words: Words) -> dict[str, str]:
    """Return the account of each feature, with a note where a piece of another kind replaces it.

    Accounts are texts by feature ID.

    Raises:
        BookError: the box of the record is wrong.
    """
    match = match_record(record)
    for use in match.uses if match is not None else ():
        if use.is_substitute:
            notes = [language("box.stands", piece=_kind_name(use.piece.kind, language)) for language in words.each()]
            accounts = append_note(accounts, use.need.feature, notes)
    return dict(accounts)


def _match_state(match: MatchedPieces) -> str:
    """Return the worst fault of a match, as part of a text key.

    It is ``missing`` for missing pieces, ``replaced`` for pieces of other kinds, ``other`` for other sizes, and
    ``whole`` without a fault.
    """
    if match.missing_pieces:
        return "missing"
    if any(use.is_substitute for use in match.uses):
        return "replaced"
    return "other" if any(not use.fits for use in match.uses) else "whole"


def _reroll_notes(record: Record, words: Words) -> Iterator[str]:
    """Yield a text about the stages that were rolled again for the box."""
    attempts = recorded_attempts(record)
    if attempts:
        kinds = dict.fromkeys(kind for attempt in attempts for kind in attempt.wanting)
        stages = dict.fromkeys(stage for attempt in attempts for stage in attempt.stages)
        kind_names = ", ".join(_kind_name(kind, words) for kind in kinds)
        yield words("box.again", count=len(attempts), stages=", ".join(stages), kinds=kind_names)


def _row(tally: PieceTally, words: Words) -> tuple[str, ...]:
    """Return a row of the piece list: kind, needed, owned, missing, and replacements.

    Cells are text; amounts of courses are lengths, others counts, and a dash stands for 0.
    """
    measures = LengthFormatter(words)
    course = shape_of(tally.kind) is Shape.COURSE

    def amount(value: float) -> str:
        """Return an amount as text: a length for mm of a course on the board, otherwise a count; a dash for 0."""
        if not value:
            return _NOTHING
        return measures.format_two_lines(value) if course else f"{value:g}"

    instead = [
        words("box.amount", amount=measures.format_one_line(value), piece=_kind_name(kind, words))
        if course
        else words("box.pieces", count=f"{value:g}", piece=_kind_name(kind, words))
        for kind, value in tally.instead
    ]
    missing = amount(tally.missing_amount)
    if tally.missing_amount:
        missing = "\n".join(f"**{line}**" for line in missing.split("\n"))
    return (
        words(f"kind.{tally.kind}"),
        amount(tally.needed_amount),
        amount(tally.owned_amount),
        missing,
        "\n".join(instead) or _NOTHING,
    )


class _FeatureLines:
    """Writes lines about the pieces of each feature, in one language."""

    def __init__(self, record: Record, words: Words) -> None:
        self._field = record.battlefield
        self._words = words
        self._said = LengthFormatter(words)

    def use_lines(self, match: MatchedPieces) -> Iterator[str]:
        """Yield a line for each feature with its pieces; cells of one feature with equal pieces share a line.

        It has the uncovered share and the overhang in percent if they are large.
        """
        groups: dict[tuple[str, tuple[tuple[BoxPiece, bool], ...]], list[tuple[Use, ...]]] = {}
        for uses in match.group_by_need():
            kinds = tuple(dict.fromkeys((use.piece, use.fits) for use in uses))
            groups.setdefault((uses[0].need.feature, kinds), []).append(uses)
        for (_, kinds), equal_uses in groups.items():
            all_uses = [use for uses in equal_uses for use in uses]
            pieces = [
                self._describe_pieces(piece, [use for use in all_uses if use.piece == piece]) for piece, _ in kinds
            ]
            state = ("stand" if any(use.is_substitute for use in all_uses) else "take") + (
                "" if all(use.fits for use in all_uses) else "-other"
            )
            line = self._words(
                f"box.{state}",
                what=self._describe_feature([uses[0].need for uses in equal_uses]),
                piece=", ".join(pieces),
            )
            shares = need_shares(equal_uses[0]) if len(equal_uses) == 1 else None
            if shares is None or max(shares) < _LEAST_SHARE:
                yield line
            else:
                uncovered_share, overhang = (f"{100 * share:.0f}" for share in shares)
                yield self._words("box.with-shares", line=line, bare=uncovered_share, over=overhang)

    def missing_lines(self, missing_pieces: Sequence[MissingPiece]) -> Iterator[str]:
        """Yield a line for each feature with missing pieces.

        It has the missing length for a course, otherwise the number of pieces.
        """
        groups: dict[str, list[MissingPiece]] = {}
        for missing_piece in missing_pieces:
            groups.setdefault(missing_piece.need.feature, []).append(missing_piece)
        for feature_pieces in groups.values():
            description = self._describe_feature([missing_piece.need for missing_piece in feature_pieces])
            length = feature_pieces[0].length
            if length is None:
                yield self._words("box.lack", what=description, count=len(feature_pieces))
            else:
                yield self._words("box.lack-course", what=description, length=self._said.format_one_line(length))

    def _describe_feature(self, needs: Sequence[Need]) -> str:
        """Return the number or cells of a feature on the map, its kind and its size, as text.

        ``needs`` are those of one feature, at least one.
        """
        need = needs[0]
        feature = self._field.features[need.number - 1]
        kind = describe_feature(feature, self._words, named=False)
        grid = self._field.grid
        reference = str(need.number)
        if grid is not None and feature.cells:
            cells = [need_part.cell for need_part in needs if need_part.cell is not None] or list(feature.cells[:1])
            reference = " ".join(cell_address(grid, Cell(*cell)) for cell in cells)
        size = "" if need.cell is not None else self._size(need)
        return self._words("box.what-sized" if size else "box.what", place=reference, kind=kind, size=size)

    def _size(self, need: Need) -> str:
        """Return the length of a course, or length and width of an area; empty for a crossing."""
        if need.length is None:
            return ""
        if shape_of(need.kind) is Shape.COURSE:
            return self._said.format_one_line(need.length)
        return self._said.format_size_inline(need.length, need.width or 0.0)

    def _describe_pieces(self, piece: BoxPiece, uses: Sequence[Use]) -> str:
        """Return the name and size of a piece, the count, and their numbers."""
        name = piece_name(piece, self._words)
        if len(uses) > 1:
            name = self._words("box.pieces", count=len(uses), piece=name)
        return self._words("box.numbered", piece=name, numbers=number_ranges([use.number for use in uses]))


def piece_name(piece: BoxPiece, words: Words) -> str:
    """Return the name of a piece, with its size."""
    name, measures = piece.name or _kind_name(piece.kind, words), LengthFormatter(words)
    if piece.length is None:
        return name
    if piece.shape is Shape.COURSE:
        return words("box.strip-sized", piece=name, length=measures.format_one_line(piece.length))
    return words(
        "box.piece-sized", piece=name, size=measures.format_size_inline(piece.length, piece.width or piece.length)
    )


def missing_text(match: MatchedPieces, words: Words) -> str:
    """Return the missing pieces by kind as text: how many, or which length of a course; empty if none is missing.

    Kinds are in the order of the key, separated by commas.
    """
    lengths: dict[Kind, list[float | None]] = {}
    for missing_piece in match.missing_pieces:
        lengths.setdefault(missing_piece.need.kind, []).append(missing_piece.length)
    return ", ".join(
        words("box.pieces", count=len(amounts), piece=_kind_name(kind, words))
        if amounts[0] is None
        else words(
            "box.amount",
            amount=LengthFormatter(words).format_one_line(sum(amount or 0.0 for amount in amounts)),
            piece=_kind_name(kind, words),
        )
        for kind, amounts in lengths.items()
    )


def number_ranges(numbers: Sequence[int]) -> str:
    """Return numbers of pieces as text in ascending order, with ranges: ``3–6, 9``; empty without numbers."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _kind_name(kind: Kind, words: Words) -> str:
    """Return the word for a kind in the middle of a sentence."""
    name = words(f"kind.{kind}")
    return name[:1].lower() + name[1:]


# Smallest uncovered area that is drawn in chalk, in mm².
LEAST_CHALK_MM2: Final = 600.0

# Half the width in mm of the widest uncovered strip that is not drawn.
_HALF_NARROW_MM: Final = 6.0

_WATERS: Final = find_family("running-water", "cut", "still-water")
_PLAN_SHARES: Final = (0.6, 3.2, 1.4, 1.4, 1.9, 0.9)
_PLAN_ALIGNS: Final[tuple[Align, ...]] = (_LEFT, _LEFT, _RIGHT, _RIGHT, _LEFT, _LEFT)
_PLAN_HEAD: Final = ("piece", "what", "left", "near", "lies", "for")


def sort_for_placing(match: MatchedPieces) -> tuple[Use, ...]:
    """Return the pieces in placing order: hills, waters, other areas, roads and railways, crossings."""
    return tuple(sorted(match.uses, key=lambda use: (_placing_rank(use.need.kind), use.need.number, use.number)))


def _placing_rank(kind: Kind) -> int:
    """Return the rank of a kind in the placing order, 0 to 4."""
    if KIND_ROWS[kind].shape is Shape.HILL:
        return 0
    if kind in _WATERS:
        return 1
    return {Shape.AREA: 2, Shape.COURSE: 3}.get(shape_of(kind), 4)


def plan_pieces(match: MatchedPieces) -> Iterator[PlanPiece]:
    """Yield every piece with a position, in placing order; its outline is in mm on the board."""
    for use in sort_for_placing(match):
        if use.position is not None:
            outline = tuple((float(x), float(y)) for x, y in shapely.get_coordinates(use.position.shape)[:-1])
            yield PlanPiece(str(use.number), outline, use.position.corner)


def chalk_outlines(match: MatchedPieces) -> Iterator[tuple[tuple[float, float], ...]]:
    """Yield outlines of areas that pieces leave uncovered, and of features without a piece.

    The points (x, y) are in mm on the board. Gaps narrower than 12 mm are left out, and courses have no outline.
    """
    for uses in match.group_by_need():
        ground = uses[0].need.ground
        shapes = [use.position.shape for use in uses if use.position is not None]
        if ground is not None and uses[0].length is None and len(shapes) == len(uses):
            yield from _outlines(
                shapely.difference(ground, shapely.union_all(shapes)).buffer(-_HALF_NARROW_MM).buffer(_HALF_NARROW_MM)
            )
    for missing_piece in match.missing_pieces:
        if missing_piece.need.ground is not None and missing_piece.length is None:
            yield from _outlines(missing_piece.need.ground)


def _outlines(ground: shapely.Geometry) -> Iterator[tuple[tuple[float, float], ...]]:
    """Yield the outer points (x, y) of each part of a shape that has at least 600 mm².

    Lengths are in mm on the board.
    """
    for part in shapely.get_parts(ground):
        if isinstance(part, Polygon) and part.area >= LEAST_CHALK_MM2:
            yield tuple((float(x), float(y)) for x, y in shapely.get_coordinates(part.exterior))


def placing_blocks(match: MatchedPieces, words: Words, *, chalk: bool) -> Iterator[Block]:
    """Yield the list of pieces in placing order: number, position of the marked corner, and rotation.

    Args:
        match: the matched pieces.
        words: the languages.
        chalk: whether the plan shows uncovered areas.
    """
    rows = tuple(_rows(sort_for_placing(match), words))
    if not rows:
        return
    yield Heading(words("box.laying"), remark=words("box.laying-aside"))
    for language in words.each():
        yield Paragraph(language("box.laying-how") + (" " + language("box.chalk") if chalk else ""), "note")
    head = tuple(words(f"box.head-{name}") for name in _PLAN_HEAD)
    yield Table(rows=rows, head=head, shares=_PLAN_SHARES, aligns=_PLAN_ALIGNS)


def _rows(uses: Sequence[Use], words: Words) -> Iterator[tuple[str, ...]]:
    """Yield a row of the list for each piece: number, piece, x, y, rotation, and number in the key.

    x and y are the distances of the marked corner from the left and the near edge, as texts.
    """
    measures = LengthFormatter(words)
    for use in uses:
        name = piece_name(use.piece, words)
        if use.position is None:
            position = ("", "", words("box.as-drawn"))
        else:
            x, y = use.position.corner
            bend = words("box.bent", degrees=f"{abs(use.position.bend):.0f}") if use.position.bend else ""
            rotation = measures.describe_rotation(use.position.turn)
            position = (
                measures.format_two_lines(max(x, 0.0)),
                measures.format_two_lines(max(y, 0.0)),
                f"{rotation}, {bend}" if bend else rotation,
            )
        yield (f"**{use.number}**", name, *position, str(use.need.number))
