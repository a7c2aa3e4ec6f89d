"""Card sheets: decks by name, and the card jobs of rule systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.core.errors import ScenarioError, Sentence, UsageError
from printkit.kit.plugin import load
from printkit.kit.registry import DEFAULT, all_systems, card_jobs, find, names, plugin, validate_name
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions
from printkit.page.sheet import Document
from printkit.recipes.game.request import parse_settings
from printkit.recipes.output.printers import PrintContext
from printkit.recipes.prints.decks import (
    BLANK,
    SystemDeck,
    card_file_name,
    deck_document,
    deck_notes,
    describe_deck,
    find_deck,
    is_shuffled,
    no_settings_error,
)
from printkit.recipes.prints.file_names import BattlefieldFiles, battlefield_files, document_path
from printkit.terrain.field.record import Record


class DeckJob(Struct, frozen=True, kw_only=True):
    """A deck to print.

    Attributes:
        deck: the name of the deck.
        order: the print context.
        draw_seed: returns a random seed, for a deck that needs one.
        game: the rule system and the record, for a deck of one game.
        record: the file of that record.
        out: the output path.
    """

    deck: str
    order: PrintContext[CardOptions]
    draw_seed: Callable[[], int]
    game: tuple[RuleSystem, Record] | None = None
    record: Path | None = None
    out: Path = Path()

    @property
    def game_record(self) -> Record | None:
        """Return the record of the game, or None."""
        return None if self.game is None else self.game[1]


class CardSheets(Struct, frozen=True, kw_only=True):
    """One document with its name without suffix and its straight cuts, or several files of a folder by name.

    ``detail`` says what the document has, and ``notes`` what to know before printing. ``seed`` shuffles the cards.
    """

    document: Document | None = None
    name: str = ""
    detail: str = ""
    notes: tuple[str, ...] = ()
    seed: int | None = None
    cuts: int = 0
    deck: SystemDeck | None = None
    files: Mapping[str, Document] = field(default_factory=dict)


Maker: TypeAlias = Callable[[DeckJob], CardSheets]


def card_sheets(job: DeckJob) -> CardSheets:
    """Return the sheets of a deck or a card job.

    Raises:
        UsageError: the deck is unknown, or it does not accept an option.
        PageError: a text does not fit its card, or no card fits on the paper.
    """
    settings, card_job = job.order.asked.settings, card_jobs().get(job.deck)
    if settings and card_job is not None and not card_job.settings:
        raise no_settings_error(job.deck)
    if settings and job.game is not None:
        raise UsageError("--from uses the settings of the record; leave out --set")
    make: Maker = _deck_sheets if card_job is None else load(card_job.make)
    try:
        return make(job)
    except ScenarioError as error:
        if not settings:
            raise
        raise UsageError("--set: {error}", error=error) from None


def deck_list_lines(rules: str | None = None) -> Iterator[str]:
    """Yield a line for each rule system, or for one, with the names of its decks, and an example command.

    Raises:
        UsageError: the rule system is unknown.
    """
    systems = names() if rules is None else (validate_name(rules),)
    default_decks, name_width = set(plugin(DEFAULT).decks), max(map(len, systems))
    for system in systems:
        system_plugin = plugin(system)
        deck_names = (*system_plugin.decks, *system_plugin.free_decks.names, *system_plugin.card_jobs)
        if deck_names:
            yield f"{system:<{name_width}}  {', '.join(dict.fromkeys(deck_names))}"
    if rules is None:
        yield f"{'':<{name_width}}  {BLANK}"
    name, system_name = next((deck, candidate) for candidate in systems for deck in plugin(candidate).decks)
    example = name if system_name == DEFAULT and name in default_decks else f"{name} --rules {system_name}"
    yield Sentence("Print a deck: printkit cards {typed}", typed=example)
    yield Sentence("The decks of one game need --from RECORD.json.")


@contextmanager
def card_files(
    job: DeckJob, sheets: CardSheets, formats: Sequence[str], *, plan: bool = False
) -> Iterator[BattlefieldFiles]:
    """Yield where the sheets of a job are written: after the name of their battlefield, if they belong to one.

    ``plan``: nothing is saved.

    Raises:
        PageError: the folder cannot be written to.
    """
    record, user_path = job.game_record, document_path(job.out)
    if record is None or user_path is not None:
        yield BattlefieldFiles(folder=job.out, name=sheets.name, record="", is_given=True)
        return
    tails = [f"-{sheets.name}.{name}" for name in formats]
    with battlefield_files(record, job.out, tails=tails, plan=plan) as target:
        yield target


def build_deck_sheets(system_deck: SystemDeck, job: DeckJob, *, name: str, notes: Sequence[str] = ()) -> CardSheets:
    """Return the sheets of a deck.

    ``name`` is the file name without its ending. ``messages`` follow the lines about the sheets.

    Raises:
        UsageError: the deck does not accept the given backs or count.
        PageError: a text does not fit its card, or no card fits on the paper.
    """
    deck_on_sheets = deck_document(system_deck, job.order)
    return CardSheets(
        document=deck_on_sheets.document,
        name=name,
        detail=describe_deck(deck_on_sheets, job.order),
        notes=(*notes, *deck_notes(deck_on_sheets, job.order)),
        cuts=deck_on_sheets.cuts,
        deck=system_deck,
    )


def _deck_sheets(job: DeckJob) -> CardSheets:
    """Return the sheets of a deck by its name, with the seed of its order if it is shuffled."""
    holders: Mapping[str, RuleSystem]
    order, options = job.order, job.order.asked
    if job.game is not None:
        holders = {job.game[0].name: job.game[0]}
    else:
        holders = all_systems() if options.rules is None else {options.rules: find(options.rules)}
    seed, record, copies = options.seed, job.game_record, None
    if is_shuffled(job.deck):
        # For a shuffled deck, the option means copies of each card; for the others, blank cards.
        copies, order = options.count, replace(order, asked=replace(options, count=None))
        if seed is None:
            seed = record.seed if record is not None and record.seed is not None else job.draw_seed()
    settings = parse_settings(options.settings)
    system_deck = find_deck(
        job.deck, order.words, holders, record=record, settings=settings or None, seed=seed, copies=copies
    )
    # The name of the battlefield already has the seed of its record.
    is_named = record is not None and seed == record.seed
    name = card_file_name(order, job.deck, seed=None if is_named else seed)
    notes = () if seed is None else (Sentence("Shuffled by seed {seed}.", seed=seed),)
    return replace(build_deck_sheets(system_deck, replace(job, order=order), name=name, notes=notes), seed=seed)
