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
from printkit.drawing.cards.sizes import find_size, larger
from printkit.kit.plugin import load
from printkit.kit.registry import BUILT_IN, DEFAULT, card_jobs, plugin
from printkit.kit.system import RuleSystem
from printkit.options.printing import CardOptions, hidden
from printkit.page.imposition import CutPlan, Imposed, impose
from printkit.page.marks import Imprint
from printkit.page.printer import LEAST_MARGIN, PrinterProfile, apply_profile
from printkit.page.sheet import Document, Flip, Sheet
from printkit.page.slots import Slots, lay_slots
from printkit.recipes.output.printers import PrintContext, edge_of, margin_of, parse_flip, print_context, sheet_for
from printkit.recipes.prints.file_names import SHOWS_SEED, digest, game_name, marked, printing_marks, printing_slug
from printkit.recipes.prints.printing import counted_sheets, lies, outside_lines
from printkit.terrain.field.record import Record

BLANK: Final = "blank"  # the deck of cards to write on; it does not belong to a rule system

Backs = Literal["secret", "content", "none"]

# The values of ``--backs``: blank, the same picture on all cards, or the text of each card.
BACKS: Final[Mapping[str, Backs]] = {"none": "none", "deck": "secret", "content": "content"}


OUTLINE: Final = "outline"  # the part of card sheets that ``--hide`` can leave out


def card_context(asked: CardOptions, words: Words, profile: PrinterProfile | None = None) -> PrintContext[CardOptions]:
    """Validate the options of cards and return their print context.

    Raises:
        UsageError: a paper, size, length or edge is not valid.
        PrintkitError: a style file cannot be read.
    """
    judge_cards(asked)
    return print_context(asked, words, profile)


def judge_cards(asked: CardOptions) -> None:
    """Reject unknown backs, sizes, lengths or edges of cards.

    Raises:
        UsageError: an option is not valid; the message gives the valid values.
    """
    if asked.backs and asked.backs not in BACKS:
        raise UsageError("unknown --backs {backs!r}; use one of {known}", backs=asked.backs, known=", ".join(BACKS))
    card_size(asked)
    parse_length(asked.gutter)
    if asked.flip is not None:
        parse_flip(asked.flip)
    hidden(asked.hide, (OUTLINE,))


def card_size(asked: CardOptions) -> CardSize:
    """Return the card size. The default in large print is the next larger size.

    Raises:
        UsageError: the size or bleed is not valid, or the cards are smaller than the default in large print.
    """
    text = asked.size
    if asked.large_print:
        usual, wanted = find_size(), find_size(text or larger())
        if wanted.width < usual.width or wanted.height < usual.height:
            raise UsageError(
                "--large-print needs cards of at least {width:g} x {height:g} mm; remove --size {size}",
                width=usual.width,
                height=usual.height,
                size=text,
            )
        text = wanted.name
    return find_size(text, bleed=parse_length(asked.bleed))


def card_flip(order: PrintContext[CardOptions]) -> Flip:
    """Return the edge to flip on: from the options, or from the printer profile, or the long edge."""
    if order.asked.flip is not None:
        return parse_flip(order.asked.flip)
    return Flip.LONG_EDGE if order.profile is None else order.profile.flip


class FoundDeck(NamedTuple):
    """A deck, and its rule system or None."""

    deck: Deck
    system: RuleSystem | None


class Printed(NamedTuple):
    """A deck on sheets.

    ``cards`` is the number of cards. ``outside`` has the labels of pages that the printer cannot print completely.
    """

    document: Document
    imposed: Imposed
    cards: int
    outside: tuple[str, ...]


def find_deck(
    name: str,
    words: Words,
    systems: Mapping[str, RuleSystem],
    *,
    record: Record | None = None,
    settings: Mapping[str, str] | None = None,
    seed: int | None = None,
    copies: int | None = None,
) -> FoundDeck:
    """Return a deck by its name, with the settings of ``record``, or with ``settings`` without a record.

    If several systems have a deck with that name, that of the default system is returned. Decks without a game are
    included; ``seed`` shuffles one of them, and ``copies`` is the number of copies of each of its cards. Only the rule
    system of the deck is loaded.

    Raises:
        UsageError: the deck is unknown, or several systems have it but not the default one; the message names the
            choices. Or the deck does not accept a seed, copies or settings.
        ScenarioError: a setting or value is unknown in the rules of the deck.
    """
    alone = systems.keys() - BUILT_IN.keys() if len(systems) == 1 else ()
    free = {key: each for key in (*BUILT_IN, *alone) if (each := plugin(key).free_decks).names}
    shuffled = [each.shuffled for each in free.values()]
    if name not in shuffled and (copies is not None or seed is not None):
        option = "--seed" if copies is None else "--count"
        raise UsageError(
            "{option} works only with the deck {bound}; deck {name} has a fixed order and number of cards",
            option=option,
            bound=", ".join(shuffled),
            name=name,
        )
    free = {key: each for key, each in free.items() if len(systems) != 1 or key in systems}
    for key, each in free.items():
        if name in each.names:
            made = load(each.deck)(name, words, record, settings, seed=seed or 0, copies=copies or 1)
            return FoundDeck(made, systems.get(key))
    if name == BLANK:
        if settings:
            raise no_settings(name)
        return FoundDeck(Deck(name=BLANK, title=words("imposition.blank"), cards=(), backs="secret"), None)
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
            raise no_settings(name)
        given = (settings,) if settings else ()
        for deck in systems[key].decks(words, record, *given):
            if deck.name == name:
                return FoundDeck(deck, systems[key])
    decks = (deck.name for system in systems.values() for deck in system.decks(words, record))
    own = (deck for each in free.values() for deck in each.names)
    there = ", ".join(dict.fromkeys([*decks, *own, BLANK, *card_jobs()]))
    raise UsageError("unknown deck {name!r}; use one of {there}", name=name, there=there)


def no_settings(deck: str) -> UsageError:
    """Return the error for ``--set`` with a deck without settings."""
    return UsageError("deck {deck} has no settings; remove --set", deck=deck)


def deck_document(found: FoundDeck, order: PrintContext[CardOptions]) -> Printed:
    """Return a deck as sheets to cut. A reference deck is repeated to fill one sheet, for all players.

    Raises:
        UsageError: the deck does not accept the given backs or count, or the paper is unknown.
        PageError: a text does not fit its card, or no card fits on the paper.
    """
    deck, words, profile = _backed(found.deck, order.asked), order.words, order.profile
    asked, size = order.asked, card_size(order.asked)
    if asked.fold and deck.backs == "none":
        raise UsageError(
            "--fold prints each back next to its front, but deck {deck} has no backs; add --backs deck", deck=deck.name
        )
    backs = deck.backs != "none" and not asked.fold
    sheet = sheet_for(asked.sheet, margin=margin_of(asked), default=LEAST_MARGIN, profile=profile, backs=backs)
    measured = None if profile is None else profile.margins
    cutting = CutPlan(
        size=size,
        gutter=parse_length(asked.gutter),
        flip=card_flip(order),
        fold=asked.fold,
        outlined=OUTLINE not in asked.hide,
        least=LEAST_MARGIN if measured is None else min(measured.across, measured.along),
    )
    if deck.name == BLANK:
        count = asked.count or _slots(asked, sheet)
        drawn: Sequence[CardFace] = blank_faces(count, size, style=order.style, words=words, deck=deck)
    else:
        drawn = faces(deck, size, style=order.style, words=words)
        if deck.reference and drawn:
            drawn = tuple(drawn) * max(1, _slots(asked, sheet) // len(drawn))
    imprint = Imprint(title=deck.title, profile=order.printer)
    imposed = impose(drawn, sheet, cutting, imprint=imprint, words=words)
    document = Document(
        title=deck.title,
        pages=imposed.pages,
        language=words.code,
        subject="" if found.system is None else words(f"rules.{found.system.name}.subtitle"),
        keywords=(*(() if found.system is None else (found.system.name,)), deck.name, size.name),
        flip=imposed.flip,
    )
    made = apply_profile(document, profile)
    return Printed(made.document, imposed, len(drawn), made.outside)


def deck_faces(found: FoundDeck, order: PrintContext[CardOptions]) -> tuple[CardFace, ...]:
    """Return the drawn cards of a deck, with all copies.

    Raises:
        PageError: a text does not fit its card.
    """
    deck, size = _backed(found.deck, order.asked), card_size(order.asked)
    if deck.name == BLANK:
        return tuple(blank_faces(order.asked.count or 1, size, style=order.style, words=order.words, deck=deck))
    return tuple(faces(deck, size, style=order.style, words=order.words))


def _slots(asked: CardOptions, sheet: Sheet) -> int:
    """Return the number of cards, or of pairs to fold, on one sheet."""
    size = card_size(asked)
    return lay_slots(size.width * (2 if asked.fold else 1), size.height, sheet, gutter=parse_length(asked.gutter)).count


def _backed(deck: Deck, asked: CardOptions) -> Deck:
    """Return the deck with the selected backs.

    Raises:
        UsageError: the deck does not accept the given backs or count.
    """
    if asked.count is not None and deck.name != BLANK:
        raise UsageError("--count is only for blank cards; deck {deck} has a fixed number of cards", deck=deck.name)
    if not asked.backs:
        return deck
    if asked.backs == "content" and deck.name != BLANK and not (deck.backs == "content" or _any_back(deck)):
        raise UsageError("deck {deck} has no text for its backs; use --backs deck or none", deck=deck.name)
    return replace(deck, backs=BACKS[asked.backs])


def _any_back(deck: Deck) -> bool:
    return any(card.back for card in deck.cards)


def deck_lines(printed: Printed, order: PrintContext[CardOptions]) -> Iterator[str]:
    """Yield lines about a printed deck: cards, sheets, orientation, duplex and cuts."""
    slots, imposed, profile = printed.imposed.slots, printed.imposed, order.profile
    yield Sentence(
        "{title}: {cards} on {sheets} ({lies}), {each}, {sides}",
        title=printed.document.title,
        cards=_cards(printed.cards, card_size(order.asked).name),
        sheets=counted_sheets(imposed.sheets, slots.sheet.name),
        lies=lies(slots.sheet.lies),
        each=_each(slots, fold=order.asked.fold),
        sides=_sides(imposed.flip),
    )
    yield Sentence("  {cuts} straight cuts per full sheet", cuts=slots.cuts)
    if profile is not None and profile.moves_backs and imposed.flip not in (None, profile.flip):
        yield Sentence(
            "  backs are not corrected: {profile} was measured for flipping on the {edge}; remove --flip, "
            "or calibrate with --flip {flip}",
            profile=profile.name,
            edge=edge_of(profile.flip),
            flip=imposed.flip,
        )
    yield from outside_lines(printed.outside)


def file_name(deck: Deck) -> str:
    """Return the file name of a deck in a game-night folder, without suffix."""
    return f"cards-{deck.name}"


def is_shuffled(deck: str) -> bool:
    """Return whether a seed shuffles the cards of a deck."""
    return any(deck == plugin(name).free_decks.shuffled for name in BUILT_IN)


def usual_size(deck: str) -> str:
    """Return the special card size of a deck; empty for the default size."""
    sizes = (plugin(name).free_decks.sizes for name in BUILT_IN)
    return next((each[deck] for each in sizes if deck in each), "")


def card_file(
    order: PrintContext[CardOptions],
    deck: str,
    *,
    game: Record | None = None,
    seed: int | None = None,
    copies: int | None = None,
    settings: Sequence[str] = (),
) -> str:
    """Return the file name of a separate deck without suffix, with marks for options that differ from the default.

    Examples: ``cards-terrain``, ``cards-terrain-mini-es``, ``cards-bound-seed4``, ``cards-zones-brantley-24in-seed7``.
    """
    marks = [] if game is None else [game_name(game)]
    if seed is not None:
        marks.append(f"seed{seed}")
    if settings:
        marks.append(f"set{digest(list(settings))}")
    asked, size = order.asked, card_size(order.asked)
    if size.name != find_size(usual_size(deck)).name:
        marks.append(printing_slug(size.name))
    outlined = OUTLINE not in asked.hide
    own = (margin_of(asked), parse_length(asked.gutter), size.bleed, asked.flip, outlined, asked.count, copies)
    if own != (None, 0.0, 0.0, None, True, None, None):
        marks.append(f"cut{digest([str(each) for each in own])}")
    if asked.backs:
        marks.append(f"backs-{printing_slug(asked.backs)}")
    if asked.fold:
        marks.append("fold")
    if asked.show_seed:
        marks.append(SHOWS_SEED)
    return marked(f"cards-{deck}", *marks, *printing_marks(order.words, order.style, asked.sheet, order.profile))


def _cards(count: int, size: str) -> Sentence:
    return (
        Sentence("1 card ({size})", size=size)
        if count == 1
        else Sentence("{count} cards ({size})", count=count, size=size)
    )


def _each(slots: Slots, *, fold: bool) -> Sentence:
    columns, rows = slots.columns, slots.rows
    if fold:
        return Sentence("{columns} x {rows} pairs to fold per sheet", columns=columns, rows=rows)
    return Sentence("{columns} x {rows} cards per sheet", columns=columns, rows=rows)


def _sides(flip: Flip | None) -> Sentence:
    if flip is None:
        return Sentence("printed on one side")
    return Sentence("printed on both sides (flip on the {edge})", edge=edge_of(flip))
