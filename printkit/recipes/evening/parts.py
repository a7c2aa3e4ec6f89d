"""The parts of a game night: their use, and the choice of parts for a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.cards import Deck
from printkit.core.errors import UsageError
from printkit.core.words import SEPARATOR, Words
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions, EveningOptions
from printkit.page.sheet import Document
from printkit.recipes.game.roll_text import join_languages
from printkit.recipes.output.printed_files import FilePart, PartUse
from printkit.recipes.output.printers import PrintContext, SheetContext
from printkit.recipes.prints.decks import BACKS
from printkit.terrain.field.record import Record

# The name of all decks together.
ALL_DECKS: Final = "cards"

# Most similar names that an error about an unknown name shows.
_MOST_SUGGESTIONS: Final = 3


class OptionalPart(Struct, frozen=True, kw_only=True):
    """A part that a game night can have: its path in the folder, its description and use, and its builder.

    A ``usual`` part is printed by default. ``make`` returns its files; a map can have a second file with its plan.
    """

    name: str
    description: str
    use: PartUse = PartUse.TONIGHT
    usual: bool = True
    make: Callable[[], Iterable[FilePart]]

    @property
    def part_name(self) -> str:
        """Return the name of the part in options: ``map``, ``cards-terrain``, ``player-a``."""
        return PurePosixPath(self.name).stem

    @property
    def folder(self) -> str:
        """Return the folder of the part, for example ``player-a``; empty for the top folder."""
        return self.name.rpartition("/")[0]

    @property
    def deck(self) -> bool:
        """Return whether the part is a deck."""
        return self.part_name.startswith(f"{ALL_DECKS}-")


class TilePlan(NamedTuple):
    """The sheets for laying tiles; ``outside`` labels pages that extend beyond the printable area."""

    document: Document
    outside: tuple[str, ...] = ()


Tiler: TypeAlias = Callable[[Record, RuleSystem, SheetContext], TilePlan]

# The function that plans tiles; it is loaded only if a game night has them.
TILER: Final = "printkit.hexon.job:evening_tiles"


class PlacedBy(StrEnum):
    """How the table is made: from a printed map, the user's terrain pieces, or Hexon tiles."""

    PRINT = "print"
    BUILD = "build"
    HEXON = "hexon"


# How the table is made with each of these parts.
TABLE_KINDS: Final = {"map": PlacedBy.PRINT, "layout": PlacedBy.BUILD, "hexon": PlacedBy.HEXON}


def validate_parts(options: EveningOptions) -> None:
    """Reject part options that contradict each other. The game checks later that the parts exist.

    Raises:
        UsageError: ``--table`` has an unknown value, or options contradict each other.
    """
    if options.laid not in list(PlacedBy):
        raise _unknown_name_error("--table", options.laid, list(PlacedBy))
    for name in options.wanted:
        if name in options.unwanted:
            raise UsageError("--with {name} and --without {name} cannot be combined; use one of them", name=name)
    if options.only and (options.wanted or options.unwanted):
        raise UsageError("--only prints just the parts it names; leave out --with and --without")


def choose_parts(
    offers: Sequence[OptionalPart], options: EveningOptions
) -> tuple[tuple[OptionalPart, ...], tuple[OptionalPart, ...]]:
    """Return the parts to print, and the rest, both in the order of the offers.

    With ``--only`` just the named parts are printed. The name of a deck takes priority over ``cards``, which means all
    decks. A folder name, allowed only there, means its usual parts.

    Raises:
        UsageError: an option names an unknown part.
    """
    part_names = {offer.part_name for offer in offers} | {ALL_DECKS for offer in offers if offer.deck}
    folders = {offer.folder for offer in offers if offer.folder}
    for option, names in (("--with", options.wanted), ("--without", options.unwanted), ("--only", options.only)):
        accepted_names = part_names | folders if option == "--only" else part_names
        for name in names:
            if name not in accepted_names:
                raise _unknown_name_error(option, name, sorted(accepted_names))

    def is_printed(offer: OptionalPart) -> bool:
        """Return whether the options choose a part; without an option about it, whether it is usual."""
        names = (offer.part_name, ALL_DECKS) if offer.deck else (offer.part_name,)
        if options.only:
            return not {*names}.isdisjoint(options.only) or (offer.usual and offer.folder in options.only)
        for name in names:
            if name in options.wanted or name in options.unwanted:
                return name in options.wanted
        return offer.usual

    return tuple(filter(is_printed, offers)), tuple(offer for offer in offers if not is_printed(offer))


def _unknown_name_error(option: str, text: str, accepted_names: Sequence[str]) -> UsageError:
    """Return the error about an unknown name, with similar names, or with all names.

    ``option`` is the option that has it.
    """
    similar_names = get_close_matches(text, accepted_names, n=_MOST_SUGGESTIONS)
    if similar_names:
        return UsageError(
            "{option}: there is no {text!r}; did you mean {near}?",
            option=option,
            text=text,
            near=", ".join(similar_names),
        )
    return UsageError(
        "{option}: there is no {text!r}; use one of {known}", option=option, text=text, known=", ".join(accepted_names)
    )


def describe_deck(deck: Deck, count: int, words: Words) -> str:
    """Return the title of a deck and its number of cards, in each language.

    The title has one part per language, separated by ``SEPARATOR``, or one for all.
    """
    key = f"handouts.file.deck.{deck.name.partition('-')[0]}"
    if words.has(f"{key}.other"):
        return join_languages(words, lambda language: language(key, count=count))
    titles = deck.title.split(SEPARATOR)
    language_titles = titles if len(titles) == len(words.languages) else [deck.title] * len(words.languages)
    descriptions = (
        language("handouts.file.cards", deck=title, count=count)
        for language, title in zip(words.each(), language_titles, strict=True)
    )
    return SEPARATOR.join(dict.fromkeys(descriptions))


def fit_card_options(order: PrintContext[CardOptions], deck: Deck) -> PrintContext[CardOptions]:
    """Return the context of one deck, without the options that it cannot use.

    ``backs=content`` is dropped if no card has a back of its own, and ``fold`` if the deck is printed without backs.
    Other values of ``backs`` stay.
    """
    options = order.asked
    if BACKS.get(options.backs) == "content" and not any(card.back for card in deck.cards):
        options = replace(options, backs="")
    fold = options.fold and BACKS.get(options.backs, deck.backs) != "none"
    return replace(order, asked=replace(options, fold=fold))
