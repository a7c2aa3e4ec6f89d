"""Piece list for a terrain box: needed, owned, missing, and fetched pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from printkit.content.prose import Align, Block, Bullets, CheckBoxes, Heading, Paragraph, Table
from printkit.core.words import BETWEEN, Words
from printkit.drawing.furniture.key import described
from printkit.drawing.map.cells import address
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Page
from printkit.recipes.box.holding import fetched_for, thrown_again
from printkit.recipes.box.piece_box import BoxPiece, shape_of
from printkit.recipes.box.piece_matching import MatchedPieces, MissingPiece, Need, PieceTally, Use, shares_of
from printkit.recipes.output.handout import HandoutContext, Measures
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record
from printkit.terrain.field.record_features import Shape

_SHARES: Final = (2.2, 1.6, 1.6, 1.6, 3.0)
_RIGHT: Final[Align] = "right"
_LEFT: Final[Align] = "left"
_ALIGNS: Final[tuple[Align, ...]] = (_LEFT, _RIGHT, _RIGHT, _RIGHT, _LEFT)
_HEAD: Final = ("kind", "needed", "owned", "missing", "instead")
_NOTHING: Final = "–"
# Smallest uncovered share or overhang of an area that the list mentions.
_SAID: Final = 0.05


def box_pages(record: Record, system: RuleSystem, order: SheetContext) -> tuple[Page, ...]:
    """Return the piece list as separate pages for a map.

    Raises:
        PageError: the paper is too small.
        BookError: the box of the record is wrong.
    """
    handout = HandoutContext.of(record, system, order)
    return handout.leaflet(order.words("box.title"), box_blocks(record, order.words), subtitle=handout.title)


def box_blocks(record: Record, words: Words) -> Iterator[Block]:
    """Yield the piece list, then the pieces to fetch, if the record has a box.

    Raises:
        BookError: the box of the record is wrong.
    """
    found = fetched_for(record)
    if found is None:
        return
    for one in words.each():
        yield Paragraph(one(f"box.summary.{_state(found)}"))
        bare, over = found.shares()
        if max(bare, over) >= _SAID:
            yield Paragraph(one("box.shares", bare=f"{100 * bare:.0f}", over=f"{100 * over:.0f}"), "note")
        yield from (Paragraph(text, "note") for text in _again(record, one))
    tallies = found.tallies()
    if not tallies:
        return
    yield Heading(words("box.list"), aside=found.box.title)
    head = tuple(words(f"box.{name}") for name in _HEAD)
    rows = tuple(_row(tally, words) for tally in tallies)
    yield Table(rows=rows, head=head, shares=_SHARES, aligns=_ALIGNS)
    for one in words.each():
        lines = _Lines(record, one)
        if found.uses:
            yield Heading(one("box.fetch"), aside=one("box.fetch-aside"))
            yield CheckBoxes(tuple(lines.fetched(found)))
        if found.lacks:
            yield Heading(one("box.nothing"))
            yield Bullets(tuple(lines.lacking(found.lacks)))


def with_pieces(accounts: Mapping[str, str], record: Record, words: Words) -> dict[str, str]:
    """Return the accounts of a key, with a note where a piece of another kind replaces a feature.

    Raises:
        BookError: the box of the record is wrong.
    """
    found = fetched_for(record)
    told = dict(accounts)
    for use in found.uses if found is not None else ():
        if use.is_substitute:
            said = told.get(use.need.feature, "").split(BETWEEN)
            each = words.each()
            parts = said if len(said) == len(each) else [said[0]] * len(each)
            told[use.need.feature] = BETWEEN.join(
                _joined(part, one("box.stands", piece=_kind(use.piece.kind, one)))
                for part, one in zip(parts, each, strict=True)
            )
    return told


def _joined(account: str, said: str) -> str:
    """Add a sentence to an account, unless it is already there."""
    if said in account:
        return account
    return f"{account.rstrip('.')}. {said}" if account else said


def _state(found: MatchedPieces) -> str:
    if found.lacks:
        return "missing"
    if any(use.is_substitute for use in found.uses):
        return "replaced"
    return "other" if any(not use.fits for use in found.uses) else "whole"


def _again(record: Record, words: Words) -> Iterator[str]:
    """Yield a text about the stages that were rolled again for the box."""
    again = thrown_again(record)
    if again:
        kinds = dict.fromkeys(kind for attempt in again for kind in attempt.wanting)
        stages = dict.fromkeys(stage for attempt in again for stage in attempt.stages)
        named = ", ".join(_kind(kind, words) for kind in kinds)
        yield words("box.again", count=len(again), stages=", ".join(stages), kinds=named)


def _row(tally: PieceTally, words: Words) -> tuple[str, ...]:
    said = Measures(words)
    course = shape_of(tally.kind) is Shape.COURSE

    def amount(value: float) -> str:
        if not value:
            return _NOTHING
        return said.length(value) if course else f"{value:g}"

    instead = [
        words("box.amount", amount=said.flat(value), piece=_kind(kind, words))
        if course
        else words("box.pieces", count=f"{value:g}", piece=_kind(kind, words))
        for kind, value in tally.instead
    ]
    missing = amount(tally.missing)
    return (
        words(f"kind.{tally.kind}"),
        amount(tally.needed),
        amount(tally.owned),
        _strong(missing) if tally.missing else missing,
        "\n".join(instead) or _NOTHING,
    )


def _strong(text: str) -> str:
    return "\n".join(f"**{line}**" for line in text.split("\n"))


class _Lines:
    """Writes lines about the pieces of each feature, in one language."""

    def __init__(self, record: Record, words: Words) -> None:
        self._field = record.battlefield
        self._words = words
        self._said = Measures(words)

    def fetched(self, found: MatchedPieces) -> Iterator[str]:
        """Yield a line for each feature with its pieces; cells of one feature with equal pieces share a line."""
        groups: dict[tuple[str, tuple[tuple[BoxPiece, bool], ...]], list[tuple[Use, ...]]] = {}
        for uses in found.by_need():
            kinds = tuple(dict.fromkeys((use.piece, use.fits) for use in uses))
            groups.setdefault((uses[0].need.feature, kinds), []).append(uses)
        for (_, kinds), alike in groups.items():
            every = [use for uses in alike for use in uses]
            pieces = [self._piece(piece, [use for use in every if use.piece == piece]) for piece, _ in kinds]
            state = ("stand" if any(use.is_substitute for use in every) else "take") + (
                "" if all(use.fits for use in every) else "-other"
            )
            line = self._words(
                f"box.{state}",
                what=self._what([uses[0].need for uses in alike]),
                piece=", ".join(pieces),
            )
            shares = shares_of(alike[0]) if len(alike) == 1 else None
            if shares is None or max(shares) < _SAID:
                yield line
            else:
                bare, over = (f"{100 * share:.0f}" for share in shares)
                yield self._words("box.with-shares", line=line, bare=bare, over=over)

    def lacking(self, lacks: Sequence[MissingPiece]) -> Iterator[str]:
        """Yield a line for each feature with missing pieces."""
        groups: dict[str, list[MissingPiece]] = {}
        for lack in lacks:
            groups.setdefault(lack.need.feature, []).append(lack)
        for alike in groups.values():
            what = self._what([lack.need for lack in alike])
            length = alike[0].length
            if length is None:
                yield self._words("box.lack", what=what, count=len(alike))
            else:
                yield self._words("box.lack-course", what=what, length=self._said.flat(length))

    def _what(self, needs: Sequence[Need]) -> str:
        """Return the number or cells of a feature on the map, its kind and its size."""
        need = needs[0]
        feature = self._field.features[need.number - 1]
        kind = described(feature, self._words, named=False)
        grid = self._field.grid
        place = str(need.number)
        if grid is not None and feature.cells:
            cells = [each.cell for each in needs if each.cell is not None] or list(feature.cells[:1])
            place = " ".join(address(grid, Cell(*cell)) for cell in cells)
        size = "" if need.cell is not None else self._size(need)
        return self._words("box.what-sized" if size else "box.what", place=place, kind=kind, size=size)

    def _size(self, need: Need) -> str:
        if need.length is None:
            return ""
        if shape_of(need.kind) is Shape.COURSE:
            return self._said.flat(need.length)
        return self._said.about(need.length, need.width or 0.0)

    def _piece(self, piece: BoxPiece, uses: Sequence[Use]) -> str:
        """Return the name and size of a piece, the count, and their numbers."""
        name = piece_name(piece, self._words)
        if len(uses) > 1:
            name = self._words("box.pieces", count=len(uses), piece=name)
        return self._words("box.numbered", piece=name, numbers=spans([use.number for use in uses]))


def piece_name(piece: BoxPiece, words: Words) -> str:
    """Return the name of a piece, with its size."""
    name, said = piece.name or _kind(piece.kind, words), Measures(words)
    if piece.length is None:
        return name
    if piece.shape is Shape.COURSE:
        return words("box.strip-sized", piece=name, length=said.flat(piece.length))
    return words("box.piece-sized", piece=name, size=said.about(piece.length, piece.width or piece.length))


def spans(numbers: Sequence[int]) -> str:
    """Return numbers of pieces as ranges: 3–6, 9."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in found)


def _kind(kind: Kind, words: Words) -> str:
    """Return the word for a kind in the middle of a sentence."""
    said = words(f"kind.{kind}")
    return said[:1].lower() + said[1:]
