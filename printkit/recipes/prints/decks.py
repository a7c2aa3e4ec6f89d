"""Find decks of cards by name in all rule systems, draw them, and arrange them on sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from printkit.content.cards import CardSize, Deck
from printkit.core.errors import Sentence, UsageError, joined
from printkit.core.units import parse_length
from printkit.core.words import Words
from printkit.drawing.cards.faces import CardFace, blank_faces, faces
from printkit.drawing.cards.layouts import find_size, next_larger_name
from printkit.kit.plugin import load
from printkit.kit.registry import BUILT_IN, DEFAULT, card_jobs, plugin
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions, validate_parts
from printkit.page.imposition import CutPlan, ImposedCards, impose
from printkit.page.marks import Imprint
from printkit.page.printer import LEAST_MARGIN, PrinterProfile, apply_profile
from printkit.page.sheet import Document, Flip, Sheet
from printkit.page.slots import Slots, fit_slots
from printkit.recipes.output.printers import PrintContext, flip_edge, margin_of, parse_flip, print_context, sheet_for
from printkit.recipes.prints.file_names import add_marks, printing_marks, slug
from printkit.recipes.prints.printing import format_orientation, outside_lines
from printkit.terrain.field.record import Record

BLANK: Final = "blank"  # the deck of cards to write on; it does not belong to a rule system

Backs = Literal["secret", "content", "none"]

# The values of ``--backs``: blank, the same picture on all cards, or the text of each card.
BACKS: Final[Mapping[str, Backs]] = {"none": "none", "deck": "secret", "content": "content"}


OUTLINE: Final = "outline"  # the part of card sheets that ``--hide`` can leave out


def card_context(
    options: CardOptions, words: Words, profile: PrinterProfile | None = None
) -> PrintContext[CardOptions]:
    """Validate the options of cards and return their print context.

    ``profile`` has the corrections of a printer; None without them.

    Raises:
        UsageError: a paper, size, length or edge is not valid.
        PrintkitError: a style file cannot be read.
    """
    validate_cards(options)
    return print_context(options, words, profile)


def validate_cards(options: CardOptions) -> None:
    """Reject unknown backs, sizes, lengths or edges of cards.

    Raises:
        UsageError: an option is not valid; the message gives the valid values.
    """
    if options.backs and options.backs not in BACKS:
        raise UsageError("unknown --backs {backs!r}; use one of {known}", backs=options.backs, known=", ".join(BACKS))
    card_size(options)
    parse_length(options.gutter)
    if options.flip is not None:
        parse_flip(options.flip)
    validate_parts(options.hide, (OUTLINE,))


def card_size(options: CardOptions) -> CardSize:
    """Return the card size in mm on paper. The default in large print is the next larger size.

    Raises:
        UsageError: the size or bleed is not valid, or the cards are smaller than the default in large print.
    """
    text = options.size
    if options.large_print:
        default_size, chosen_size = find_size(), find_size(text or next_larger_name())
        if chosen_size.width < default_size.width or chosen_size.height < default_size.height:
            raise UsageError(
                "--large-print needs cards of at least {width:g} x {height:g} mm; remove --size {size}",
                width=default_size.width,
                height=default_size.height,
                size=text,
            )
        text = chosen_size.name
    return find_size(text, bleed=parse_length(options.bleed))


def card_flip(order: PrintContext[CardOptions]) -> Flip:
    """Return the edge to flip on: from the options, otherwise from the printer profile, otherwise the long edge.

    Raises:
        UsageError: the edge is unknown.
    """
    if order.asked.flip is not None:
        return parse_flip(order.asked.flip)
    return Flip.LONG_EDGE if order.profile is None else order.profile.flip


class SystemDeck(NamedTuple):
    """A deck, and its rule system or None."""

    deck: Deck
    system: RuleSystem | None


class DeckOnSheets(NamedTuple):
    """A deck on sheets.

    ``cards`` is the number of cards. ``clipped_pages`` has the labels of pages that the printer cannot print
    completely.
    """

    document: Document
    imposition: ImposedCards
    cards: int
    clipped_pages: tuple[str, ...]

    @property
    def cuts(self) -> int:
        """Return the number of straight cuts for all sheets."""
        return self.imposition.slots.cuts * self.imposition.sheets


def find_deck(
    name: str,
    words: Words,
    systems: Mapping[str, RuleSystem],
    *,
    record: Record | None = None,
    settings: Mapping[str, str] | None = None,
    seed: int | None = None,
    copies: int | None = None,
) -> SystemDeck:
    """Return a deck by its name, with the settings of ``record``, or with ``settings`` without a record.

    If several systems have a deck with that name, that of the default system is returned. Decks without a game are
    included; ``seed`` shuffles one of them, and ``copies`` is the number of copies of each of its cards. Only the rule
    system of the deck is loaded.

    Raises:
        UsageError: the deck is unknown, or several systems have it but not the default one; the message names the
            choices. Or the deck does not accept a seed, copies or settings.
        ScenarioError: a setting or value is unknown in the rules of the deck.
    """
    single_system = systems.keys() - BUILT_IN.keys() if len(systems) == 1 else ()
    free = {key: free_decks for key in (*BUILT_IN, *single_system) if (free_decks := plugin(key).free_decks).names}
    shuffled_decks = [free_decks.shuffled for free_decks in free.values()]
    if name not in shuffled_decks and (copies is not None or seed is not None):
        option = "--seed" if copies is None else "--count"
        raise UsageError(
            "{option} works only with the deck {bound}; deck {name} has a fixed order and number of cards",
            option=option,
            bound=", ".join(shuffled_decks),
            name=name,
        )
    free = {key: free_decks for key, free_decks in free.items() if len(systems) != 1 or key in systems}
    for key, free_decks in free.items():
        if name in free_decks.names:
            deck_of_plugin = load(free_decks.deck)(name, words, record, settings, seed=seed or 0, copies=copies or 1)
            return SystemDeck(deck_of_plugin, systems.get(key))
    if name == BLANK:
        if settings:
            raise no_settings_error(name)
        return SystemDeck(Deck(name=BLANK, title=words("imposition.blank"), cards=(), backs="secret"), None)
    holders = [key for key in BUILT_IN if key in systems and name in plugin(key).decks]
    # Use rules of other packages only if no built-in system has the deck.
    holders = holders or [key for key in systems if name in plugin(key).decks]
    if DEFAULT in holders:
        holders = [DEFAULT]
    if len(holders) > 1:
        raise UsageError(
            "several rules have a deck {name!r}: {holders}; choose with --rules",
            name=name,
            holders=joined(holders, Sentence(" and ")),
        )
    for key in holders:
        # Rule systems of other packages accept no settings here.
        if settings and key not in BUILT_IN:
            raise no_settings_error(name)
        extra_arguments = (settings,) if settings else ()
        for deck in systems[key].decks(words, record, *extra_arguments):
            if deck.name == name:
                return SystemDeck(deck, systems[key])
    decks = (deck.name for system in systems.values() for deck in system.decks(words, record))
    free_names = (deck for free_decks in free.values() for deck in free_decks.names)
    known_names = ", ".join(dict.fromkeys([*decks, *free_names, BLANK, *card_jobs()]))
    raise UsageError("unknown deck {name!r}; use one of {there}", name=name, there=known_names)


def no_settings_error(deck: str) -> UsageError:
    """Return the error for ``--set`` with a deck without settings."""
    return UsageError("deck {deck} has no settings; remove --set", deck=deck)


def deck_document(system_deck: SystemDeck, order: PrintContext[CardOptions]) -> DeckOnSheets:
    """Return a deck as sheets to cut, with the numbers of cards and cuts and the labels of clipped pages.

    A reference deck is repeated to fill one sheet, for all players. The pages are corrected for the printer profile.

    Raises:
        UsageError: the deck does not accept the given backs or count, or the paper is unknown.
        PageError: a text does not fit its card, or no card fits on the paper.
    """
    deck, words, profile = _apply_backs(system_deck.deck, order.asked), order.words, order.profile
    options, size = order.asked, card_size(order.asked)
    if options.fold and deck.backs == "none":
        raise UsageError(
            "--fold prints each back next to its front, but deck {deck} has no backs; add --backs deck", deck=deck.name
        )
    backs = deck.backs != "none" and not options.fold
    sheet = sheet_for(options.sheet, margin=margin_of(options), default=LEAST_MARGIN, profile=profile, backs=backs)
    margins = None if profile is None else profile.margins
    cutting = CutPlan(
        size=size,
        gutter=parse_length(options.gutter),
        flip=card_flip(order),
        fold=options.fold,
        outlined=OUTLINE not in options.hide,
        least_margin=LEAST_MARGIN if margins is None else min(margins.across, margins.along),
    )
    if deck.name == BLANK:
        count = options.count or _count_slots(options, sheet)
        card_faces: Sequence[CardFace] = blank_faces(count, size, style=order.style, words=words, deck=deck)
    else:
        card_faces = faces(deck, size, style=order.style, words=words)
        if deck.reference and card_faces:
            card_faces = tuple(card_faces) * max(1, _count_slots(options, sheet) // len(card_faces))
    imprint = Imprint(title=deck.title, profile=order.printer)
    imposition = impose(card_faces, sheet, cutting, imprint=imprint, words=words)
    document = Document(
        title=deck.title,
        pages=imposition.pages,
        language=words.code,
        subject="" if system_deck.system is None else words(f"rules.{system_deck.system.name}.subtitle"),
        keywords=(*(() if system_deck.system is None else (system_deck.system.name,)), deck.name, size.name),
        flip=imposition.flip,
    )
    corrected_deck = apply_profile(document, profile)
    return DeckOnSheets(corrected_deck.document, imposition, len(card_faces), corrected_deck.outside)


def deck_faces(system_deck: SystemDeck, order: PrintContext[CardOptions]) -> tuple[CardFace, ...]:
    """Return the drawn cards of a deck, with all copies; blank cards in the number of the options.

    Raises:
        PageError: a text does not fit its card.
    """
    deck, size = _apply_backs(system_deck.deck, order.asked), card_size(order.asked)
    if deck.name == BLANK:
        return tuple(blank_faces(order.asked.count or 1, size, style=order.style, words=order.words, deck=deck))
    return tuple(faces(deck, size, style=order.style, words=order.words))


def _count_slots(options: CardOptions, sheet: Sheet) -> int:
    """Return the number of cards, or of pairs to fold, on one sheet."""
    size = card_size(options)
    return fit_slots(
        size.width * (2 if options.fold else 1), size.height, sheet, gutter=parse_length(options.gutter)
    ).count


def _apply_backs(deck: Deck, options: CardOptions) -> Deck:
    """Return the deck with the selected backs.

    Raises:
        UsageError: the deck does not accept the given backs or count.
    """
    if options.count is not None and deck.name != BLANK:
        raise UsageError("--count is only for blank cards; deck {deck} has a fixed number of cards", deck=deck.name)
    if not options.backs:
        return deck
    has_back_text = deck.backs == "content" or any(card.back for card in deck.cards)
    if options.backs == "content" and deck.name != BLANK and not has_back_text:
        raise UsageError("deck {deck} has no text for its backs; use --backs deck or none", deck=deck.name)
    return replace(deck, backs=BACKS[options.backs])


def describe_deck(deck_on_sheets: DeckOnSheets, order: PrintContext[CardOptions]) -> Sentence:
    """Return a printed deck in words: its cards, and their places on the sheets."""
    slots = deck_on_sheets.imposition.slots
    return joined(
        (
            _format_card_count(deck_on_sheets.cards, card_size(order.asked).name),
            _format_per_sheet(slots, fold=order.asked.fold),
            format_orientation(slots.sheet.is_landscape),
        )
    )


def deck_notes(deck_on_sheets: DeckOnSheets, order: PrintContext[CardOptions]) -> Iterator[str]:
    """Yield notes before printing a deck: backs without correction, and incomplete pages."""
    imposition, profile = deck_on_sheets.imposition, order.profile
    if profile is not None and profile.moves_backs and imposition.flip not in (None, profile.flip):
        yield Sentence(
            "Backs are not corrected: {profile} was measured for flipping on the {edge}. Remove --flip, "
            "or calibrate with --flip {flip}.",
            profile=profile.name,
            edge=flip_edge(profile.flip),
            flip=imposition.flip,
        )
    yield from outside_lines(deck_on_sheets.clipped_pages)


def file_name(deck: Deck) -> str:
    """Return the file name of a deck in a game-night folder, without suffix."""
    return f"cards-{deck.name}"


def is_shuffled(deck: str) -> bool:
    """Return whether a seed shuffles the cards of a deck."""
    return any(deck == plugin(name).free_decks.shuffled for name in BUILT_IN)


def special_size(deck: str) -> str:
    """Return the special card size of a deck; empty for the default size."""
    sizes = (plugin(name).free_decks.sizes for name in BUILT_IN)
    return next((size_table[deck] for size_table in sizes if deck in size_table), "")


def card_file_name(order: PrintContext[CardOptions], deck: str, *, seed: int | None = None) -> str:
    """Return the file name of a separate deck without suffix, for example ``cards-terrain-a4``.

    An unusual card size, and the seed of shuffled cards, are part of it: ``cards-bound-seed4-a4``. The deck of a
    battlefield gets the name of the battlefield in front.
    """
    size = card_size(order.asked)
    size_mark = "" if size.name == find_size(special_size(deck)).name else slug(size.name)
    marks = printing_marks(order.words, order.style, order.sheet, order.profile)
    return add_marks(f"cards-{deck}", "" if seed is None else f"seed{seed}", size_mark, *marks)


def _format_card_count(count: int, size: str) -> Sentence:
    """Return a number of cards with the name of their size, in words."""
    return (
        Sentence("1 card ({size})", size=size)
        if count == 1
        else Sentence("{count} cards ({size})", count=count, size=size)
    )


def _format_per_sheet(slots: Slots, *, fold: bool) -> Sentence:
    """Return in words how many cards, or pairs to fold, one sheet has."""
    columns, rows = slots.columns, slots.rows
    if fold:
        return Sentence("{columns} x {rows} pairs to fold per sheet", columns=columns, rows=rows)
    return Sentence("{columns} x {rows} per sheet", columns=columns, rows=rows)
