"""The command that prints decks of cards."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.core.errors import Sentence, UsageError
from printkit.core.units import parse_length

if TYPE_CHECKING:
    from printkit.kit.system import RuleSystem
    from printkit.page.sheet import Document
    from printkit.recipes.prints.decks import CardOrder, Found
    from printkit.terrain.field.record import Record

_FOLDER: Final = Path("output")

Name = Annotated[
    str,
    typer.Argument(
        metavar="DECK",
        help="terrain, reference ... of a rule system, kit (all that its cards are played with), blank; npg, bound, "
        "summary, booklet of the solo game, pair of its armies; with --from also zones, cut-outs, hidden, reveal.",
    ),
]
Margin = Annotated[
    str | None,
    typer.Option("--margin", metavar="LENGTH", help="The edge that is not printed [5mm, or the printer's]."),
]
Gutter = Annotated[str, typer.Option("--gutter", metavar="LENGTH", help="Left between cards; 0mm saves a cut.")]
Bleed = Annotated[
    str, typer.Option("--bleed", metavar="LENGTH", help="Colour beyond the cut, where nobody stands; 3mm is usual.")
]
Outline = Annotated[bool, typer.Option("--outline/--no-outline", help="Hairlines on the cuts.")]
Blanks = Annotated[
    int | None, typer.Option("--count", metavar="N", min=1, help="How many blank cards [as many as a sheet holds].")
]
Copies = Annotated[
    int | None, typer.Option("--copies", metavar="N", min=1, help="How often each card of the bound deck is there [1].")
]


def cards_(
    deck: Name,
    rules: options.Rules = None,
    from_: options.From = None,
    settings: options.Setting = None,
    size: options.CardSize = "",
    gutter: Gutter = "0mm",
    bleed: Bleed = "0mm",
    backs: options.Backs = "",
    flip: options.FlipEdge = None,
    fold: options.Fold = False,
    outline: Outline = True,
    count: Blanks = None,
    copies: Copies = None,
    seed: options.Seed = None,
    sheet: options.Paper = "a4",
    margin: Margin = None,
    printer: options.Printer = None,
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    to: options.Format = None,
    out: options.Out = _FOLDER,
    force: options.Force = False,
    plan: options.Plan = False,
    quiet: options.Quiet = False,
) -> None:
    """Print a deck of cards, as many on a sheet as it holds, backs behind their fronts."""
    from printkit.core import words as languages
    from printkit.drawing.cards.sizes import find_size
    from printkit.export.writers import known_document
    from printkit.kit import registry as systems
    from printkit.recipes.output.files import find_style
    from printkit.recipes.output.printers import parse_flip
    from printkit.recipes.prints.decks import CardOrder, card_file, find_deck, usual_size
    from printkit.recipes.prints.printing import STREAM
    from printkit.systems.brantley.sheets.print_decks import KIT, PIECES, piece_document
    from printkit.systems.solo.cards.bound_deck import BOUND
    from printkit.systems.solo.sheets.booklet import BOOKLET, booklet_document, booklet_lines
    from printkit.systems.solo.sheets.sheet_sets import PAIR, found_pair

    words = languages.find(lang or terminal.language())
    formats = tuple(dict.fromkeys(known_document(name) for name in to or ["pdf"]))
    if out == STREAM and len(formats) > 1:
        raise UsageError("--out - writes one file; give one --to")
    order = CardOrder(
        sheet=sheet,
        words=words,
        style=find_style(style),
        size=find_size(size or usual_size(deck), bleed=parse_length(bleed)),
        margin=None if margin is None else parse_length(margin),
        gutter=parse_length(gutter),
        backs=backs,
        flip=None if flip is None else parse_flip(flip),
        fold=fold,
        outlined=outline,
        count=count,
        profile=terminal.profile(printer),
    )
    if deck == KIT:
        _print_kit(order, formats, out, force=force, plan=plan, quiet=quiet)
        return
    if deck == BOOKLET:
        folded = booklet_document(order)
        name = card_file(order, deck)
        said = booklet_lines(folded)
        _print_pieces(folded.document, name, formats, out, force=force, plan=plan, quiet=quiet, said=said)
        return
    game = None if from_ is None else _game(from_)
    if deck == PAIR:
        seed = seed if seed is not None or game is not None else terminal.fresh_seed()
        pair = found_pair(game, settings or (), seed or 0, words)
        name = card_file(order, deck, game=game and game[1], seed=None if game else seed, settings=settings or ())
        _print_deck(pair.found, name, order, formats, out, said=pair.said, force=force, plan=plan, quiet=quiet)
        return
    if settings:
        raise UsageError(
            "--set goes with the deck {pair}, whose armies it names; deck {deck} has no settings", pair=PAIR, deck=deck
        )
    if deck in PIECES:
        document = piece_document(deck, game, order, record=from_ or Path())
        name = card_file(order, deck, game=game and game[1])
        _print_pieces(document, name, formats, out, force=force, plan=plan, quiet=quiet)
        return
    if game is not None:
        holders: Mapping[str, RuleSystem] = {game[0].name: game[0]}
    else:
        holders = systems.every() if rules is None else {rules: systems.find(rules)}
    record = None if game is None else game[1]
    if deck == BOUND and seed is None:
        seed = record.seed if record is not None and record.seed is not None else terminal.fresh_seed()
    found = find_deck(deck, words, holders, record=record, seed=seed, copies=copies)
    _print_deck(
        found,
        card_file(order, deck, game=record, seed=seed, copies=copies),
        order,
        formats,
        out,
        said=[] if seed is None else [Sentence("  shuffled by seed {seed}", seed=seed)],
        force=force,
        plan=plan,
        quiet=quiet,
    )


def _print_deck(
    found: Found,
    name: str,
    order: CardOrder,
    formats: Sequence[str],
    out: Path,
    *,
    said: Iterable[str],
    force: bool,
    plan: bool,
    quiet: bool,
) -> None:
    """Write the sheets of a deck, and say what they take and where they are; or say what would be written."""
    from printkit.recipes.prints.decks import deck_document, deck_lines, files_of
    from printkit.recipes.prints.printing import STREAM, document_bytes, would_write, write_document

    printed = deck_document(found, order)
    lines = [*deck_lines(printed, order), *said]
    if plan:
        terminal.show([*lines, *would_write(files_of(name, formats, out))])
        return
    if out == STREAM:
        sys.stdout.buffer.write(document_bytes(printed.document, formats[0]))
        return
    written = write_document(printed.document, name, formats, out, force=force)
    if not quiet:
        terminal.tell([*lines, *(f"  {path}" for path in written)])


def _game(path: Path) -> tuple[RuleSystem, Record]:
    from printkit.kit.registry import read_record
    from printkit.recipes.game.request import read_text

    text = read_text(path)
    with terminal.naming(path):
        return read_record(text)


def _print_pieces(
    document: Document,
    name: str,
    formats: Sequence[str],
    out: Path,
    *,
    force: bool,
    plan: bool,
    quiet: bool,
    said: Iterable[str] = (),
) -> None:
    """Write sheets that are no deck, and say where; or say what would be written."""
    from printkit.recipes.prints.decks import files_of
    from printkit.recipes.prints.printing import STREAM, document_bytes, would_write, write_document

    title, count = document.title, len(document.pages)
    one = Sentence("{title}: 1 page", title=title)
    lines = list(said) or [one if count == 1 else Sentence("{title}: {count} pages", title=title, count=count)]
    if plan:
        terminal.show([*lines, *would_write(files_of(name, formats, out))])
        return
    if out == STREAM:
        sys.stdout.buffer.write(document_bytes(document, formats[0]))
        return
    written = write_document(document, name, formats, out, force=force)
    if not quiet:
        terminal.tell([*lines, *(f"  {path}" for path in written)])


def _print_kit(order: CardOrder, formats: Sequence[str], out: Path, *, force: bool, plan: bool, quiet: bool) -> None:
    """Write all that is needed to play the card system, and say where; or say what would be written."""
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.printing import STREAM, would_write
    from printkit.systems.brantley.sheets.print_decks import kit_files

    if out == STREAM:
        raise UsageError("--out - writes one file; the kit has several, so name a folder")
    if tuple(formats) != ("pdf",):
        raise UsageError("the kit is written as pdf; for another --to print its decks one by one")
    files = kit_files(order)
    if plan:
        terminal.show(would_write(out / name for name in files))
        return
    written = write_folder(files, out, force=force)
    if not quiet:
        terminal.tell(str(path) for path in written)
