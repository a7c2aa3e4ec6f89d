"""The command that prints decks of cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from printkit.console import options, terminal
from printkit.console.options import DeckOutput
from printkit.console.parameters import Opt, argument, flag, made_of
from printkit.core.errors import UsageError
from printkit.core.units import DPI

if TYPE_CHECKING:
    from printkit.recipes.prints.card_jobs import CardSheets
    from printkit.recipes.prints.decks import CardOrder


class CardOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit cards``."""

    deck: Annotated[
        str | None,
        argument(
            "DECK",
            "None lists them all; terrain, reference ... of a rule system, kit (all that its cards are played with), "
            "blank; npg, bound, summary, booklet of the solo game, pair of its armies; with --from also zones, "
            "cut-outs, hidden, reveal.",
        ),
    ] = None
    rules: options.Rules = None
    record: options.From = None
    settings: options.Settings = ()
    size: options.CardSize = ""
    gutter: Annotated[str, Opt("--gutter", "LENGTH", "Left between cards; 0mm saves a cut.")] = "0mm"
    bleed: Annotated[str, Opt("--bleed", "LENGTH", "Colour beyond the cut, where nobody stands; 3mm is usual.")] = "0mm"
    backs: options.Backs = ""
    flip: options.FlipEdge = None
    fold: options.Fold = False
    outlined: Annotated[bool, flag("--outline/--no-outline", "Hairlines on the cuts.")] = True
    count: Annotated[int | None, Opt("--count", "N", "How many blank cards [as many as a sheet holds].", least=1)] = (
        None
    )
    copies: Annotated[
        int | None, Opt("--copies", "N", "How often each card of the bound deck is there [1].", least=1)
    ] = None
    seed: options.Seed = None
    sheet: options.SizedPaperName = "a4"
    margin: Annotated[
        str | None, Opt("--margin", "LENGTH", "The edge that is not printed [5mm, or the printer's].")
    ] = None
    printer: options.Printer = None
    show_seed: options.ShowSeed = False
    large_print: options.LargePrint = False
    style: options.StyleName = "campaign"
    lang: options.Language = None
    output: DeckOutput
    url_base: options.UrlBase = ""
    dpi: options.Dpi = DPI
    plan: options.Plan = False
    quiet: options.Quiet = False


def cards(asked: CardOptions) -> None:
    """Print a deck, or what goes by the name of one."""
    from printkit.console.documents import give, give_files
    from printkit.console.games import recorded
    from printkit.export.writers import PAGES
    from printkit.recipes.prints.card_jobs import CardAsk, card_sheets
    from printkit.recipes.prints.decks import CardRequest, card_order, usual_size
    from printkit.recipes.prints.file_names import dots_mark, marked

    if asked.deck is None:
        from printkit.recipes.prints.card_jobs import listed_decks

        terminal.show(listed_decks(asked.rules))
        return
    words, formats = terminal.words(asked.lang), asked.output.deck_formats()
    request = replace(made_of(CardRequest, asked), size=asked.size or usual_size(asked.deck))
    order = card_order(request, words, terminal.profile(asked.printer))
    made = card_sheets(
        CardAsk(
            deck=asked.deck,
            order=order,
            fresh=terminal.fresh_seed,
            rules=asked.rules,
            game=None if asked.record is None else recorded(asked.record),
            record=asked.record,
            settings=asked.settings,
            seed=asked.seed,
            copies=asked.copies,
            formats=formats,
            out=asked.output.out,
        )
    )
    sheets = tuple(each for each in formats if each in PAGES)
    if len(sheets) < len(formats):
        _give_virtual_deck(asked, made, order)
    if not sheets:
        return
    if made.document is None:
        give_files(made.files, asked.output, plan=asked.plan, quiet=asked.quiet)
    else:
        give(
            replace(made.document, dpi=asked.dpi),
            marked(made.name, *dots_mark(asked.dpi)),
            sheets,
            asked.output,
            said=made.said,
            plan=asked.plan,
            quiet=asked.quiet,
        )


def _give_virtual_deck(asked: CardOptions, made: CardSheets, order: CardOrder) -> None:
    """Write a deck for a virtual table, and say where; or say what would be written."""
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.decks import deck_faces
    from printkit.recipes.prints.file_names import document_stem
    from printkit.recipes.prints.printing import would_write
    from printkit.recipes.prints.virtual_decks import virtual_deck

    if made.deck is None:
        raise UsageError("--to tts takes a deck of cards, and {deck} is none; leave it", deck=asked.deck)
    to = document_stem(made.name, asked.output.out)
    secret = made.deck.deck.backs == "secret" and not asked.backs
    drawn = deck_faces(made.deck, order)
    files = virtual_deck(drawn, order.size, title=made.deck.deck.title, secret=secret, to=to, url_base=asked.url_base)
    if asked.plan:
        terminal.show(would_write(to.parent / name for name in files))
        return
    written = write_folder(files, to.parent, force=asked.output.force)
    if not asked.quiet:
        terminal.tell(str(path) for path in written)
