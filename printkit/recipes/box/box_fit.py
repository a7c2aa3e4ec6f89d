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
from printkit.recipes.box.piece_matching import MatchedPieces, Use, asking, fetched, needs_of, shares_of
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.handout import HandoutContext, rules_document
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.record import Record

# Number of the best battlefields that get a small map.
SHOWN: Final = 6

# Factor for a feature with a piece of another size.
_AS_WELL_AS: Final = 0.5

_PICTURE_HEIGHT: Final = 62.0
_SHARES: Final = (0.8, 0.8, 3.4, 3.4)
_HEAD: Final = ("seed", "score", "missing", "instead")


class FieldFit(Struct, frozen=True, kw_only=True):
    """A battlefield, and how well a box builds it: 100 means fitting pieces for every feature."""

    record: Record
    found: MatchedPieces
    score: int

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the kinds with missing pieces."""
        return tuple(dict.fromkeys(lack.need.kind.value for lack in self.found.lacks))

    @property
    def replaced(self) -> tuple[str, ...]:
        """Return the kinds that pieces of other kinds replace."""
        return tuple(dict.fromkeys(use.need.kind.value for use in self.found.uses if use.is_substitute))


def score_of(found: MatchedPieces, asked: int) -> int:
    """Return how well a box builds a battlefield, from 0 to 100; ``asked`` is the number of needs.

    A feature counts 1 minus half of the uncovered share and the overhang. It counts half of that if its pieces do not
    fit. A course counts only for the share that strips cover.
    """
    if not asked:
        return 100
    lacking = plain_sum(lack.weight for lack in found.lacks)
    lost = plain_sum(_lost(uses) for uses in found.by_need())
    return max(0, round(100 * (asked - lacking - lost) / asked))


def _lost(uses: Sequence[Use]) -> float:
    bare, over = shares_of(uses) or (0.0, 0.0)
    kept = max(0.0, 1.0 - (bare + over) / 2)
    return 1.0 - (kept if all(use.fits for use in uses) else kept * _AS_WELL_AS)


def fits(system: RuleSystem, orders: Orders, box: PieceBox, seeds: Iterable[int], words: Words) -> Iterator[FieldFit]:
    """Yield the battlefield of each seed with its score.

    Raises:
        PrintkitError: the orders cannot be played.
    """
    for seed in seeds:
        record = play(system, orders, seed, words).record
        needs = asking(needs_of(record.battlefield), box)
        asked = sum(len(need.parts) or 1 for need in needs)
        found = fetched(needs, box)
        yield FieldFit(record=record, found=found, score=score_of(found, asked))


def best_first(found: Iterable[FieldFit]) -> tuple[FieldFit, ...]:
    """Return battlefields by score, the best first; with equal scores the lower seed first."""
    return tuple(sorted(found, key=lambda each: (-each.score, each.record.seed or 0)))


def fit_lines(found: Sequence[FieldFit]) -> Iterator[Sentence]:
    """Yield a line for each battlefield: its seed, its score, the missing kinds."""
    for each in found:
        if each.missing:
            missing = ", ".join(kind.replace("_", " ") for kind in each.missing)
            yield Sentence(
                "seed {seed}: {score} of 100; missing: {kinds}", seed=each.record.seed, score=each.score, kinds=missing
            )
        else:
            yield Sentence("seed {seed}: {score} of 100", seed=each.record.seed, score=each.score)


def fit_document(found: Sequence[FieldFit], system: RuleSystem, order: SheetContext) -> Document:
    """Return a document with small maps of the best battlefields, and the list of all.

    Args:
        found: the battlefields, the best first; at least one.
        system: their rules.
        order: how to print it.

    Raises:
        PageError: the paper is too small.
    """
    words = order.words
    title = words("box.fit-title")
    first = replace(HandoutContext.of(found[0].record, system, order), blank=True)
    origin = words("box.fit-origin", rules=system.book.title_in(words.each()[0]))
    pages = first.leaflet(
        title, _contents(found, system, order), subtitle=found[0].found.box.title, origin=origin, level=False
    )
    return rules_document(title, pages, system.name, words)


def _contents(found: Sequence[FieldFit], system: RuleSystem, order: SheetContext) -> Iterator[Content]:
    words = order.words
    for one in words.each():
        yield Paragraph(one("box.fit-how"))
    blocks: list[Heading | Figure] = []
    shown = found[:SHOWN]
    # Columns fill downwards, but the best battlefields go from left to right.
    for each in (*shown[::2], *shown[1::2]):
        handout = HandoutContext.of(each.record, system, order)
        width = (handout.size()[0] - 8.0) / 2
        picture = small_map(each.record.battlefield, width, _PICTURE_HEIGHT, handout.map_drafter())
        blocks.append(Figure(picture, caption=words("box.fit-caption", seed=each.record.seed, score=each.score)))
    yield Columns(tuple(blocks))
    yield Heading(words("box.fit-list"))
    rows = tuple(
        (str(each.record.seed), str(each.score), _kinds(each.missing, words), _kinds(each.replaced, words))
        for each in found
    )
    yield Table(rows=rows, head=tuple(words(f"box.fit-{name}") for name in _HEAD), shares=_SHARES)


def _kinds(kinds: Sequence[str], words: Words) -> str:
    return ", ".join(words(f"kind.{kind}") for kind in kinds) or "–"
