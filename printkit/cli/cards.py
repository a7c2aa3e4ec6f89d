"""The command ``cards``: print decks of cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from printkit.console import terminal
from printkit.console.documents import deliver_document, deliver_files
from printkit.core.errors import Sentence, UsageError
from printkit.options.commands import DeckOptions
from printkit.options.printing import CardOptions, FileOptions

if TYPE_CHECKING:
    from printkit.recipes.output.printers import PrintContext
    from printkit.recipes.prints.card_jobs import CardSheets


def print_cards(deck: DeckOptions, options: CardOptions, files: FileOptions) -> None:
    """Print a deck or other cards by name, or list all decks."""
    from printkit.console.games import find_record, load_record
    from printkit.export.writers import DECKS, PAGES
    from printkit.recipes.prints.card_jobs import DeckJob, card_files, card_sheets
    from printkit.recipes.prints.decks import card_context, special_size
    from printkit.recipes.prints.printing import replacing_lines

    if deck.deck is None:
        from printkit.recipes.prints.card_jobs import deck_list_lines

        terminal.show(deck_list_lines(options.rules))
        return
    words, formats = terminal.words(options.lang), files.formats(PAGES, DECKS, is_single=True)
    options = replace(options, to=formats, size=options.size or special_size(deck.deck))
    order = card_context(options, words, terminal.profile(files.printer))
    record = None if deck.record is None else find_record(deck.record)
    game = None if record is None else load_record(record)
    if game is not None and options.rules not in (None, game[0].name):
        raise UsageError(
            "--from prints a game of {name}; remove --rules {rules}", name=game[0].name, rules=options.rules
        )
    job = DeckJob(deck=deck.deck, order=order, draw_seed=terminal.fresh_seed, game=game, record=record, out=files.place)
    terminal.stage(Sentence("drawing the sheets"))
    result = card_sheets(job)
    sheets = tuple(page_format for page_format in formats if page_format in PAGES)
    with card_files(job, result, formats, plan=files.plan or files.streams) as target:
        name, force = target.with_marks(result.name), options.force or target.may_replace
        if len(sheets) < len(formats):
            _write_virtual_deck(deck.deck, name, files, result, order)
        if not sheets:
            return
        if result.document is None:
            title = Sentence("The kit of cards and sheets")
            deliver_files(result.files, files.place, files, title=title, force=options.force)
            return
        is_replacing = target.is_replacing and not files.plan
        notes = () if game is None else replacing_lines(game[1], is_replacing=is_replacing)
        deliver_document(
            replace(result.document, dpi=options.dpi),
            name,
            sheets,
            files,
            force=force,
            cuts=result.cuts,
            detail=result.detail,
            notes=(*notes, *result.notes),
            seed=result.seed,
        )


def _write_virtual_deck(
    deck_name: str, name: str, files: FileOptions, result: CardSheets, order: PrintContext[CardOptions]
) -> None:
    """Write a deck for a virtual tabletop and show the paths; with ``--plan`` show them without writing.

    ``name`` is that of its files.
    """
    from printkit.recipes.prints.decks import card_size, deck_faces
    from printkit.recipes.prints.file_names import document_stem
    from printkit.recipes.prints.virtual_decks import virtual_deck

    if result.deck is None:
        raise UsageError("--to tts works only for decks of cards, and {deck} is not one; remove it", deck=deck_name)
    target = document_stem(name, files.place)
    deck, options = result.deck.deck, order.asked
    secret = deck.backs == "secret" and not options.backs
    card_faces, size = deck_faces(result.deck, order), card_size(options)
    contents = virtual_deck(card_faces, size, title=deck.title, secret=secret, target=target, url_base=files.url_base)
    deliver_files(contents, target.parent, files, title=deck.title, force=options.force)
