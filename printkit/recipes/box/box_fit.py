"""Find the battlefields that a box builds best: a score for each seed, and small maps of the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Heading, Paragraph, Table
from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.drawing.map.board_drawing import small_map
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Columns, Content
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Document
from printkit.recipes.box.piece_box import PieceBox
from printkit.recipes.box.piece_matching import MatchedPieces, Use, find_needs, match_pieces, need_shares, select_needs
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.handout import HandoutContext, rules_document
from printkit.recipes.output.printers import SheetContext
from printkit.recipes.output.report import report_lines
from printkit.terrain.field.record import Record

# Number of the best battlefields that get a small map.
SHOWN: Final = 6

# Factor for a feature with a piece of another size.
_MISFIT_FACTOR: Final = 0.5

_PICTURE_HEIGHT: Final = 62.0
_SHARES: Final = (0.8, 0.8, 0.8, 3.0, 3.0)
_HEAD: Final = ("seed", "score", "pieces", "missing", "instead")


class FieldFit(Struct, frozen=True, kw_only=True):
    """A battlefield, and how well a box builds it: 100 means fitting pieces for every feature."""

    record: Record
    match: MatchedPieces
    score: int

    @property
    def piece_count(self) -> int:
        """Return the number of pieces that it uses."""
        return len(self.match.uses)

    @property
    def missing_kinds(self) -> tuple[str, ...]:
        """Return the names of the kinds with missing pieces, each once."""
        return tuple(dict.fromkeys(missing_piece.need.kind.value for missing_piece in self.match.missing_pieces))

    @property
    def replaced_kinds(self) -> tuple[str, ...]:
        """Return the names of the kinds that pieces of other kinds replace, each once."""
        return tuple(dict.fromkeys(use.need.kind.value for use in self.match.uses if use.is_substitute))


def score_box(match: MatchedPieces, need_count: int) -> int:
    """Return how well a box builds a battlefield, a whole number from 0 to 100.

    ``need_count`` is the number of features, on a grid of their cells; 0 gives 100. A feature counts 1 minus half of
    the uncovered share and the overhang. It counts half of that if its pieces do not fit. A course counts only for the
    share that strips cover.
    """
    if not need_count:
        return 100
    missing_weight = plain_sum(missing_piece.weight for missing_piece in match.missing_pieces)
    lost_weight = plain_sum(_lost_weight(uses) for uses in match.group_by_need())
    return max(0, round(100 * (need_count - missing_weight - lost_weight) / need_count))


def _lost_weight(uses: Sequence[Use]) -> float:
    """Return the score that one feature loses by uncovered area, overhang and misfits, 0 to 1."""
    uncovered_share, overhang = need_shares(uses) or (0.0, 0.0)
    value = max(0.0, 1.0 - (uncovered_share + overhang) / 2)
    return 1.0 - (value if all(use.fits for use in uses) else value * _MISFIT_FACTOR)


def find_fits(
    system: RuleSystem, orders: Orders, box: PieceBox, seeds: Iterable[int], words: Words
) -> Iterator[FieldFit]:
    """Yield the battlefield of each seed with its score from 0 to 100.

    Raises:
        PrintkitError: the orders cannot be played.
    """
    yield from (fit_record(play(system, orders, seed, words).record, box) for seed in seeds)


def fit_record(record: Record, box: PieceBox) -> FieldFit:
    """Return a battlefield with the pieces of a box that build it, and its score from 0 to 100."""
    needs = select_needs(find_needs(record.battlefield), box)
    match = match_pieces(needs, box)
    return FieldFit(record=record, match=match, score=score_box(match, sum(len(need.parts) or 1 for need in needs)))


def sort_fits(field_fits: Iterable[FieldFit]) -> tuple[FieldFit, ...]:
    """Return battlefields, the best first.

    Those with nothing missing come first, then those with most pieces used, then the highest score, then the lowest
    seed.
    """
    return tuple(
        sorted(
            field_fits,
            key=lambda fit: (bool(fit.missing_kinds), -fit.piece_count, -fit.score, fit.record.seed or 0),
        )
    )


def fit_lines(field_fits: Sequence[FieldFit], words: Words) -> Iterator[str]:
    """Yield a table of battlefields: the seed, the score, the number of pieces and the missing kinds of each."""
    head = Sentence("{count} battlefields, best first:", count=len(field_fits))
    columns = (Sentence("seed"), Sentence("score"), Sentence("pieces used"), Sentence("missing"))
    rows = (
        (
            str(fit.record.seed),
            str(fit.score),
            str(fit.piece_count),
            _kind_names(fit.missing_kinds, words, Sentence("nothing")),
        )
        for fit in field_fits
    )
    return report_lines(head, (columns, *rows))


def fit_document(field_fits: Sequence[FieldFit], system: RuleSystem, order: SheetContext) -> Document:
    """Return a document with small maps of the best battlefields, and the list of all.

    Args:
        field_fits: the battlefields, the best first; at least one.
        system: their rules.
        order: how to print it.

    Raises:
        PageError: the paper is too small.
    """
    words = order.words
    title = words("box.fit-title")
    first_handout = replace(HandoutContext.from_record(field_fits[0].record, system, order), blank=True)
    origin = words("box.fit-origin", rules=system.book.title_in(words.each()[0]))
    pages = first_handout.build_pages(
        title, _contents(field_fits, system, order), subtitle=field_fits[0].match.box.title, origin=origin, level=False
    )
    return rules_document(title, pages, system.name, words)


def _contents(field_fits: Sequence[FieldFit], system: RuleSystem, order: SheetContext) -> Iterator[Content]:
    """Yield the explanation, small maps of the best battlefields, and the table of all.

    ``field_fits`` are sorted, the best first.
    """
    words = order.words
    for language in words.each():
        yield Paragraph(language("box.fit-how"))
    blocks: list[Heading | Figure] = []
    best_fits = field_fits[:SHOWN]
    # Columns fill downwards, but the best battlefields go from left to right.
    for field_fit in (*best_fits[::2], *best_fits[1::2]):
        handout = HandoutContext.from_record(field_fit.record, system, order)
        width = (handout.page_size()[0] - 8.0) / 2
        picture = small_map(field_fit.record.battlefield, width, _PICTURE_HEIGHT, handout.map_drafter())
        blocks.append(
            Figure(picture, caption=words("box.fit-caption", seed=field_fit.record.seed, score=field_fit.score))
        )
    yield Columns(tuple(blocks))
    yield Heading(words("box.fit-list"))
    rows = tuple(
        (
            str(field_fit.record.seed),
            str(field_fit.score),
            str(field_fit.piece_count),
            _kind_names(field_fit.missing_kinds, words),
            _kind_names(field_fit.replaced_kinds, words),
        )
        for field_fit in field_fits
    )
    yield Table(rows=rows, head=tuple(words(f"box.fit-{name}") for name in _HEAD), shares=_SHARES)


def _kind_names(kinds: Sequence[str], words: Words, none: str = "–") -> str:
    """Return the kinds as words with commas, or the text ``none`` if there are none."""
    return ", ".join(words(f"kind.{kind}") for kind in kinds) or none
