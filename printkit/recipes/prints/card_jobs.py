"""What is printed as cards: a deck by its name, or what a rule system prints as if it were one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field

from printkit.core.errors import ScenarioError, Sentence, UsageError
from printkit.kit.plugin import load
from printkit.kit.registry import DEFAULT, card_jobs, every, find, known, names, plugin
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Document
from printkit.recipes.game.request import pairs
from printkit.recipes.prints.decks import (
    BLANK,
    CardOrder,
    FoundDeck,
    card_file,
    deck_document,
    deck_lines,
    find_deck,
    is_shuffled,
    no_settings,
)
from printkit.terrain.field.record import Record


class CardAsk(Struct, frozen=True, kw_only=True):
    """What is asked for.

    Attributes:
        deck: its name.
        order: how it is printed.
        fresh: a seed that nobody has chosen, where one is needed.
        rules: of which rule system it is; None for any.
        game: the rule system and the record of a game, where it is of one; ``record`` is the file.
        settings: as ``NAME=VALUE``.
        seed: as it was chosen, or None.
        copies: of each card, or None.
        formats: in which it is written.
        out: where it goes.
    """

    deck: str
    order: CardOrder
    fresh: Callable[[], int]
    rules: str | None = None
    game: tuple[RuleSystem, Record] | None = None
    record: Path | None = None
    settings: Sequence[str] = ()
    seed: int | None = None
    copies: int | None = None
    formats: Sequence[str] = ("pdf",)
    out: Path = Path()

    @property
    def kept(self) -> Record | None:
        """Return the record of the game."""
        return None if self.game is None else self.game[1]


class CardSheets(Struct, frozen=True, kw_only=True):
    """One document under a name without ending, with what is told of it; or files of a folder by their names."""

    document: Document | None = None
    name: str = ""
    said: tuple[str, ...] = ()
    deck: FoundDeck | None = None
    files: Mapping[str, Document] = field(default_factory=dict)


Maker: TypeAlias = Callable[[CardAsk], CardSheets]


def card_sheets(ask: CardAsk) -> CardSheets:
    """Return what is asked for.

    Raises:
        UsageError: there is no such deck, or something goes with another one.
        PageError: a text does not fit its card, or not one card fits the paper.
    """
    jobs = card_jobs()
    job = jobs.get(ask.deck)
    if ask.settings and job is not None and not job.settings:
        raise no_settings(ask.deck)
    if ask.settings and ask.game is not None:
        raise UsageError("--from has its own settings; leave out --set")
    make: Maker = _deck_sheets if job is None else load(job.make)
    try:
        return make(ask)
    except ScenarioError as error:
        if not ask.settings:
            raise
        raise UsageError("--set: {error}", error=error) from None


def listed_decks(rules: str | None = None) -> Iterator[str]:
    """Yield the decks that there are, of every rule system or of one, and what a person types for one.

    Raises:
        UsageError: there is no such rule system.
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
    yield Sentence("print one with: printkit cards {typed}; those of one game want --from RECORD.json", typed=typed)


def found_sheets(found: FoundDeck, ask: CardAsk, *, name: str, said: Sequence[str] = ()) -> CardSheets:
    """Return the sheets of a deck.

    Raises:
        UsageError: what is asked of the backs or the count does not go with it.
        PageError: a text does not fit its card, or not one card fits the paper.
    """
    printed = deck_document(found, ask.order)
    lines = (*deck_lines(printed, ask.order), *said)
    return CardSheets(document=printed.document, name=name, said=lines, deck=found)


def counted_pages(document: Document) -> str:
    """Return how many pages a document has."""
    count = len(document.pages)
    one = Sentence("{title}: 1 page", title=document.title)
    return one if count == 1 else Sentence("{title}: {count} pages", title=document.title, count=count)


def _deck_sheets(ask: CardAsk) -> CardSheets:
    holders: Mapping[str, RuleSystem]
    if ask.game is not None:
        holders = {ask.game[0].name: ask.game[0]}
    else:
        holders = every() if ask.rules is None else {ask.rules: find(ask.rules)}
    seed, record = ask.seed, ask.kept
    if seed is None and is_shuffled(ask.deck):
        seed = record.seed if record is not None and record.seed is not None else ask.fresh()
    settings = pairs(ask.settings)
    found = find_deck(
        ask.deck, ask.order.words, holders, record=record, settings=settings or None, seed=seed, copies=ask.copies
    )
    name = card_file(ask.order, ask.deck, game=record, seed=seed, copies=ask.copies, settings=ask.settings)
    return found_sheets(found, ask, name=name, said=() if seed is None else (shuffled_by(seed),))


def shuffled_by(seed: int) -> str:
    """Return by which seed a deck was shuffled."""
    return Sentence("  shuffled by seed {seed}", seed=seed)
