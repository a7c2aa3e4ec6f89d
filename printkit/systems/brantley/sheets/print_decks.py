"""The kit of the card system (BR-M01, BR-M02) and the sheets of one record, printed by the deck command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from printkit.core.errors import UsageError
from printkit.drawing.cards.layouts import find_size, next_larger_name
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions
from printkit.page.sheet import Document, Flip, Page
from printkit.recipes.game.request import parse_settings
from printkit.recipes.output.printers import PrintContext, SheetContext
from printkit.recipes.prints.card_jobs import CardSheets, DeckJob
from printkit.recipes.prints.decks import card_file_name, card_flip, card_size, deck_document, find_deck
from printkit.systems.brantley.dealing.decks import REFERENCE, TERRAIN
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.systems.brantley.sheets.cut_outs import cut_out_document
from printkit.systems.brantley.sheets.documents import (
    build_board_document,
    build_form_document,
    hidden_pages,
    reveal_pages,
)
from printkit.systems.brantley.sheets.zones import build_zone_document
from printkit.terrain.field.record import Record

# --- Sheets of one recorded battlefield that players cut, fold or turn over; printed like decks -----------------------

# Each feature to scale on a separate tile, for any rule system (BR-A10).
CUT_OUTS: Final = "cut-outs"

DeckMaker = Callable[[Record, SheetContext, Flip], Document]


def _zones_document(record: Record, order: SheetContext, flip: Flip) -> Document:
    """Return the zone sheets of a record."""
    return build_zone_document(record, order, flip=flip)


def _cut_outs_document(record: Record, order: SheetContext, _: Flip) -> Document:
    """Return the cut-outs of a record; they have no backs, so the flip has no effect."""
    return cut_out_document(record, order)


def _board_maker(name: str, pages: Callable[[Record, SheetContext], tuple[Page, ...]]) -> DeckMaker:
    """Return a function that makes the document of the board, with its cards face down or revealed.

    ``name`` is ``hidden`` or ``reveal``, for the title. ``pages`` takes the record and the print settings and returns
    the pages.
    """

    def make_document(record: Record, order: SheetContext, _: Flip) -> Document:
        """Return the document of the board; it has no backs, so the flip has no effect."""
        title = order.words(f"dealing.{name}.title")
        return Document(title=title, pages=pages(record, order), language=order.words.code, keywords=(RULES,))

    return make_document


# The sheets of a record: zone sheets, cut-outs, the board face down (BR-A08), the cards revealed (BR-A09).
PIECES: Final[Mapping[str, DeckMaker]] = {
    "zones": _zones_document,
    CUT_OUTS: _cut_outs_document,
    "hidden": _board_maker("hidden", hidden_pages),
    "reveal": _board_maker("reveal", reveal_pages),
}


def build_piece_document(
    name: str, game: tuple[RuleSystem, Record] | None, order: PrintContext[CardOptions], *, record: Path
) -> Document:
    """Return the document of zone sheets, cut-outs, hidden board or reveal for a recorded game.

    Args:
        name: the key in ``PIECES``.
        game: the rule system and the record; None if the user gave none.
        order: the print settings.
        record: the file of the record, for the message.

    Raises:
        UsageError: there is no record, it is of another rule system, or an option applies only to decks.
        PageError: the paper is too small.
    """
    if game is None:
        raise UsageError("{name} need a saved battlefield; add --from RECORD.json", name=name)
    if order.asked.count is not None or order.asked.backs or order.asked.fold:
        raise UsageError("--count, --backs and --fold work only with a deck; remove them for {name}", name=name)
    system, saved_record = game
    if name != CUT_OUTS and system.name != RULES:
        raise UsageError(
            "{name} need a record of {rules}, but {record} is of {system}",
            name=name,
            rules=RULES,
            record=record,
            system=system.name,
        )
    return PIECES[name](saved_record, order, card_flip(order))


def piece_sheets(job: DeckJob) -> CardSheets:
    """Return the sheets that a deck job asks for: zone sheets, cut-outs, hidden board or reveal.

    Raises:
        PrintkitError: the same errors as ``build_piece_document``.
    """
    document = build_piece_document(job.deck, job.game, job.order, record=job.record or Path())
    name = card_file_name(job.order, job.deck)
    return CardSheets(document=document, name=name)


def kit_sheets(job: DeckJob) -> CardSheets:
    """Return the files of the printed kit for a deck job.

    Raises:
        UsageError: the output is a single file or another format, or an error of ``build_kit_files``.
        PageError: the paper is too small.
    """
    if str(job.out) == "-":
        raise UsageError("--out - writes a single file, but the kit has several; name a folder")
    if tuple(job.order.asked.to) != ("pdf",):
        raise UsageError("the kit is always written as PDF; for another format print its decks one by one")
    return CardSheets(files=build_kit_files(job.order, parse_settings(job.order.asked.settings)))


def build_kit_files(
    order: PrintContext[CardOptions], settings: Mapping[str, str] | None = None
) -> Mapping[str, Document]:
    """Return the terrain deck, the quick-reference card, the zone board and the record form by file name.

    ``settings`` are rule settings by key; None means the defaults. Large print uses the default card size instead of
    the next larger one.

    Raises:
        UsageError: an option applies only to a single deck, or the paper is unknown.
        PageError: the paper is too small.
    """
    if order.asked.count is not None or order.asked.backs:
        raise UsageError("--count and --backs are for a single deck; the kit has what it needs")
    if order.style.least_pt and card_size(order.asked).name == next_larger_name():
        # Nine cards share one board, so they keep the default size in large print too. Long texts continue on a second
        # card.
        order = replace(order, asked=replace(order.asked, size=find_size().name))
    system = {RULES: find(RULES)}
    decks = {
        f"cards-{name}.pdf": deck_document(find_deck(name, order.words, system, settings=settings), order).document
        for name in (TERRAIN, REFERENCE)
    }
    return {
        **decks,
        "zone-board.pdf": build_board_document(order, card_size(order.asked)),
        "record-form.pdf": build_form_document(order, Rules.of(system[RULES].book, settings or {})),
    }
