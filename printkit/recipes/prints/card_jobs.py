"""Card sheets: decks by name, and the card jobs of rule systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.core.errors import ScenarioError, Sentence, UsageError
from printkit.kit.plugin import load
from printkit.kit.registry import DEFAULT, card_jobs, every, find, known, names, plugin
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions
from printkit.page.sheet import Document
from printkit.recipes.game.request import parse_settings
from printkit.recipes.output.printers import PrintContext
from printkit.recipes.prints.decks import (
    BLANK,
    FoundDeck,
    card_file,
    deck_document,
    deck_lines,
    find_deck,
    is_shuffled,
    no_settings,
)
from printkit.terrain.field.record import Record


class DeckJob(Struct, frozen=True, kw_only=True):
    """A deck to print.

    Attributes:
        deck: the name of the deck.
        order: the print context.
        fresh: returns a random seed, for a deck that needs one.
        game: the rule system and the record, for a deck of one game.
        record: the file of that record.
        out: the output path.
    """

    deck: str
    order: PrintContext[CardOptions]
    fresh: Callable[[], int]
    game: tuple[RuleSystem, Record] | None = None
    record: Path | None = None
    out: Path = Path()

    @property
    def kept(self) -> Record | None:
        """Return the record of the game, or None."""
        return None if self.game is None else self.game[1]


class CardSheets(Struct, frozen=True, kw_only=True):
    """One document with its name without suffix and messages, or several files of a folder by name."""

    document: Document | None = None
    name: str = ""
    said: tuple[str, ...] = ()
    deck: FoundDeck | None = None
    files: Mapping[str, Document] = field(default_factory=dict)


Maker: TypeAlias = Callable[[DeckJob], CardSheets]


def card_sheets(job: DeckJob) -> CardSheets:
    """Return the sheets of a deck or a card job.

    Raises:
        UsageError: the deck is unknown, or it does not accept an option.
        PageError: a text does not fit its card, or no card fits on the paper.
    """
    settings, made_by = job.order.asked.settings, card_jobs().get(job.deck)
    if settings and made_by is not None and not made_by.settings:
        raise no_settings(job.deck)
    if settings and job.game is not None:
        raise UsageError("--from uses the settings of the record; leave out --set")
    make: Maker = _deck_sheets if made_by is None else load(made_by.make)
    try:
        return make(job)
    except ScenarioError as error:
        if not settings:
            raise
        raise UsageError("--set: {error}", error=error) from None


def listed_decks(rules: str | None = None) -> Iterator[str]:
    """Yield the available decks of all rule systems or of one, and an example command.

    Raises:
        UsageError: the rule system is unknown.
    """
    systems = names() if rules is None else (known(rules),)
    usual, wide = set(plugin(DEFAULT).decks), max(map(len, systems))
    for system in systems:
        brought = plugin(system)
        own = (*brought.decks, *brought.free_decks.names, *brought.card_jobs)
        if own:
            yield f"{system:<{wide}}  {', '.join(dict.fromkeys(own))}"
    if rules is None:
        yield f"{'':<{wide}}  {BLANK}"
    name, of = next((deck, each) for each in systems for deck in plugin(each).decks)
    typed = name if of == DEFAULT and name in usual else f"{name} --rules {of}"
    yield Sentence(
        "print a deck with: printkit cards {typed}; the decks of one game need --from RECORD.json", typed=typed
    )


def found_sheets(found: FoundDeck, job: DeckJob, *, name: str, said: Sequence[str] = ()) -> CardSheets:
    """Return the sheets of a deck.

    Raises:
        UsageError: the deck does not accept the given backs or count.
        PageError: a text does not fit its card, or no card fits on the paper.
    """
    printed = deck_document(found, job.order)
    lines = (*deck_lines(printed, job.order), *said)
    return CardSheets(document=printed.document, name=name, said=lines, deck=found)


def counted_pages(document: Document) -> str:
    """Return the title and the number of pages of a document in words."""
    count = len(document.pages)
    one = Sentence("{title}: 1 page", title=document.title)
    return one if count == 1 else Sentence("{title}: {count} pages", title=document.title, count=count)


def _deck_sheets(job: DeckJob) -> CardSheets:
    holders: Mapping[str, RuleSystem]
    order, asked = job.order, job.order.asked
    if job.game is not None:
        holders = {job.game[0].name: job.game[0]}
    else:
        holders = every() if asked.rules is None else {asked.rules: find(asked.rules)}
    seed, record, copies = asked.seed, job.kept, None
    if is_shuffled(job.deck):
        # For a shuffled deck, the option means copies of each card; for the others, blank cards.
        copies, order = asked.count, replace(order, asked=replace(asked, count=None))
        if seed is None:
            seed = record.seed if record is not None and record.seed is not None else job.fresh()
    settings = parse_settings(asked.settings)
    found = find_deck(
        job.deck, order.words, holders, record=record, settings=settings or None, seed=seed, copies=copies
    )
    name = card_file(order, job.deck, game=record, seed=seed, copies=copies, settings=asked.settings)
    said = () if seed is None else (shuffled_by(seed),)
    return found_sheets(found, replace(job, order=order), name=name, said=said)


def shuffled_by(seed: int) -> str:
    """Return a line with the seed of a shuffled deck."""
    return Sentence("  shuffled by seed {seed}", seed=seed)
