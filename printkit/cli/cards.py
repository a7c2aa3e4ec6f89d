"""The command ``cards``: print decks of cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from printkit.console import terminal
from printkit.core.errors import UsageError
from printkit.options.commands import DeckOptions
from printkit.options.printing import CardOptions, FileOptions

if TYPE_CHECKING:
    from printkit.recipes.output.printers import PrintContext
    from printkit.recipes.prints.card_jobs import CardSheets


def print_cards(deck: DeckOptions, asked: CardOptions, files: FileOptions) -> None:
    """Print a deck or other cards by name, or list all decks."""
    from printkit.console.documents import give, give_files
    from printkit.console.games import recorded
    from printkit.export.writers import DECKS, PAGES
    from printkit.recipes.prints.card_jobs import DeckJob, card_sheets
    from printkit.recipes.prints.decks import card_context, special_size
    from printkit.recipes.prints.file_names import add_marks, dots_mark

    if deck.deck is None:
        from printkit.recipes.prints.card_jobs import deck_list_lines

        terminal.show(deck_list_lines(asked.rules))
        return
    words, formats = terminal.words(asked.lang), files.formats(PAGES, DECKS, is_single=True)
    asked = replace(asked, to=formats, size=asked.size or special_size(deck.deck))
    order = card_context(asked, words, terminal.profile(files.printer))
    record = None if deck.record is None else Path(deck.record)
    game = None if record is None else recorded(record)
    if game is not None and asked.rules not in (None, game[0].name):
        raise UsageError("--from prints a game of {name}; remove --rules {rules}", name=game[0].name, rules=asked.rules)
    job = DeckJob(deck=deck.deck, order=order, draw_seed=terminal.fresh_seed, game=game, record=record, out=files.place)
    made = card_sheets(job)
    sheets = tuple(each for each in formats if each in PAGES)
    if len(sheets) < len(formats):
        _give_virtual_deck(deck.deck, files, made, order)
    if not sheets:
        return
    if made.document is None:
        give_files(made.files, files.place, files, force=asked.force)
        return
    name = add_marks(made.name, *dots_mark(asked.dpi))
    give(replace(made.document, dpi=asked.dpi), name, sheets, files, force=asked.force, said=made.said)


def _give_virtual_deck(name: str, files: FileOptions, made: CardSheets, order: PrintContext[CardOptions]) -> None:
    """Write a deck for a virtual tabletop and show the paths; with ``--plan`` show them without writing."""
    from printkit.console.documents import give_files
    from printkit.recipes.prints.decks import card_size, deck_faces
    from printkit.recipes.prints.file_names import document_stem
    from printkit.recipes.prints.virtual_decks import virtual_deck

    if made.deck is None:
        raise UsageError("--to tts works only for decks of cards, and {deck} is not one; remove it", deck=name)
    to = document_stem(made.name, files.place)
    deck, asked = made.deck.deck, order.asked
    secret = deck.backs == "secret" and not asked.backs
    drawn, size = deck_faces(made.deck, order), card_size(asked)
    contents = virtual_deck(drawn, size, title=deck.title, secret=secret, target=to, url_base=files.url_base)
    give_files(contents, to.parent, files, force=asked.force)
