"""The sheets of the card system as documents: hands, ninth card, hidden board, reveal, zone board and record form.

Each is made only from the facts that its reader may know. Secrets therefore cannot appear in its text, properties,
names or page order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeAlias

from msgspec import to_builtins
from msgspec.structs import replace

from printkit.chance.dice import Act
from printkit.chance.streams import Jitter
from printkit.content.cards import Card, CardSize
from printkit.content.prose import Paragraph
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Affine, Drawing, Rect
from printkit.drawing.cards.layouts import find_size
from printkit.drawing.map.board_drawing import small_map
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import Leaflet
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.page.leaflets import leaflet_area, print_leaflet, reading_sheet
from printkit.page.printer import LEAST_MARGIN, apply_profile
from printkit.page.sheet import Document, Flip, Page, Placement
from printkit.recipes.game.roll_text import ThrowText
from printkit.recipes.output.printers import SheetContext
from printkit.recipes.output.web_page import build_page, page_texts, page_words, read_part
from printkit.systems.brantley.dealing.facts import Seal
from printkit.systems.brantley.dealing.game_rules import RULES, recorded_rules
from printkit.systems.brantley.dealing.readers import (
    HandSheet,
    HiddenBoard,
    NinthSheet,
    RevealedGame,
    read_hidden_board,
    read_revealed_game,
    seal_line,
)
from printkit.systems.brantley.sheets.boards import (
    build_form_leaflet,
    build_reveal_contents,
    draw_hidden_board,
    draw_reveal_board,
    origin_line,
)
from printkit.systems.brantley.sheets.card_board import CardPage, SmallCard
from printkit.systems.brantley.sheets.secret import draw_hand_sides, draw_ninth_sides, find_long_texts
from printkit.systems.brantley.sheets.zone_board import draw_zone_board, who
from printkit.terrain.field.record import Record

# Draws the cover and the inner side of a folded sheet, for a width and a height in mm.
Sides: TypeAlias = Callable[[float, float, Drafter], tuple[Drawing, Drawing]]

# The name of the proof page, of its folder in ``templates`` and of its words.
PROOF: Final = "proof"

# Width of the small map of a reveal, as a share of the page width.
_MAP_SHARE: Final = 0.70


def build_hand_document(hand: HandSheet, order: SheetContext) -> Document:
    """Return the private sheet of one player: a cover to fold over, and the cards of the hand (BR-A05).

    Raises:
        PageError: the paper is too small.
    """
    title = order.words("dealing.hand.title", player=hand.player)
    sides = partial(draw_hand_sides, hand)
    return _build_folded_sheet(sides, title, hand.seal, order, more=_full_text_pages(hand.kinds, hand.seal, order))


def build_ninth_document(ninth: NinthSheet, order: SheetContext) -> Document:
    """Return the sealed sheet of the ninth card: a cover with the rule for opening it, and the card.

    It is the sheet of BR-A06.

    Raises:
        PageError: the paper is too small.
    """
    title = order.words("dealing.ninth.title")
    sides = partial(draw_ninth_sides, ninth)
    return _build_folded_sheet(sides, title, ninth.seal, order, more=_full_text_pages(ninth.kinds, ninth.seal, order))


def build_hidden_document(facts: HiddenBoard, order: SheetContext, record: Record | None = None) -> Document:
    """Return the document with the board and its cards face down (BR-A08).

    ``record`` is the record of the game, if it exists.

    Raises:
        PageError: the paper is too small.
    """
    printable, title = leaflet_area(order.sheet), order.words("dealing.hidden.title")
    card_page = draw_hidden_board(
        facts, next_turn_line(facts, order.words), printable.width, printable.height, order.drafter, record
    )
    return _make_document(title, (_make_card_page(card_page, order, title),), order, facts.seal)


def build_reveal_document(facts: RevealedGame, order: SheetContext, record: Record | None = None) -> Document:
    """Return everything about a game after its reveal, and the proof of its pack (BR-A09).

    Args:
        facts: the deal, the turns, the dice and the features.
        order: the print settings.
        record: the record of the game, for a small map.

    Raises:
        PageError: the paper is too small.
    """
    words, printable = order.words, leaflet_area(order.sheet)
    title = words("dealing.reveal.title")
    map_drawing = None
    if record is not None:
        side = _MAP_SHARE * printable.width
        drafter = Drafter.map(order.style, words, Jitter(record.seed or 0, record.reseeded))
        map_drawing = small_map(record.battlefield, side, side, drafter, numbers=True)
    first = _make_card_page(
        draw_reveal_board(facts, printable.width, printable.height, order.drafter, record), order, title
    )
    leaflet = Leaflet(
        title=title,
        subtitle=facts.title,
        contents=tuple(build_reveal_contents(facts, map_drawing, words)),
        origin=origin_line(facts.seal, words),
        who=who(words, order.style, record),
    )
    return _make_document(title, (first, *_leaflet_pages(leaflet, order, "", first=2)), order, facts.seal)


def build_board_document(order: SheetContext, size: CardSize | None = None, seal: Seal | None = None) -> Document:
    """Return the zone board for cards, turns and players (BR-A02).

    It extends to the edge that printers can reach, because nine cards leave little space.

    Args:
        order: the print settings.
        size: the card size; None means the default size.
        seal: the seal that the sheets of a deal show; None for a board without a game.

    Raises:
        PageError: the paper is too small.
    """
    title = order.words("dealing.board.title")
    sheet = reading_sheet(order.sheet)
    printable = sheet.printable
    margin = min(printable.x, printable.y, LEAST_MARGIN)
    available_mm, game = (
        (sheet.width - 2 * margin, sheet.height - 2 * margin),
        seal_line(seal, order.words) if seal else "",
    )
    drawing = draw_zone_board(*available_mm, size or find_size(), order.drafter, game=game)
    page = sheet.page(Placement(drawing, Affine(e=margin, f=margin)), label="1", bookmark=title)
    return _make_document(title, (page,), order, seal)


def build_form_document(order: SheetContext, rules: Rules, seal: Seal | None = None) -> Document:
    """Return the document with the blank record form: eight turns, and boxes for the dice (BR-A04).

    The boxes are in the order of BR-D1 to BR-D6. ``seal`` names the game on the form; None means a form for any game.

    Raises:
        PageError: the paper is too small.
    """
    title = order.words("dealing.form.title")
    leaflet = build_form_leaflet(leaflet_area(order.sheet).width, order.drafter, rules, seal)
    return _make_document(title, _leaflet_pages(leaflet, order, title), order, seal)


def next_turn_line(facts: HiddenBoard, words: Words) -> str:
    """Return a line with the number of placed cards and the next player, in every language.

    After the eighth card it says instead that all cards are placed.
    """
    if not facts.next:
        return SEPARATOR.join(language("dealing.complete") for language in words.each())
    return SEPARATOR.join(
        f"{language('dealing.count', count=facts.placed_count)} {language('dealing.to_lay', player=facts.next)}"
        for language in words.each()
    )


def _build_folded_sheet(
    sides: Sides, title: str, seal: Seal, order: SheetContext, *, more: tuple[Page, ...]
) -> Document:
    """Return a document of a folded landscape sheet: its cover and its inner side, then more pages.

    The sheet is flipped on the short edge. ``sides`` takes the width and the height of the printable area in mm and a
    drafter, and returns cover and inner side. ``more`` are the pages of another sheet, which goes inside the folded
    one.
    """
    sheet = reading_sheet(order.sheet).rotated()
    printable = sheet.printable
    cover, inside = sides(printable.width, printable.height, order.drafter)
    transform = Affine(e=printable.x, f=printable.y)
    front = sheet.page(Placement(cover, transform), label="1", bookmark=title)
    back = sheet.page(Placement(inside, transform), label="2", back=True)
    return _make_document(title, (front, back, *more), order, seal, flip=Flip.SHORT_EDGE)


def _full_text_pages(kinds: Sequence[Card], seal: Seal, order: SheetContext) -> tuple[Page, ...]:
    """Return pages with the full text of cards that lack space for it; empty if every text fits."""
    words, blocks = order.words, find_long_texts(kinds, order.drafter)
    if not blocks:
        return ()
    title = words("brantley.sheets.hand.full")
    contents = (Paragraph(words("brantley.sheets.hand.full_use")), *blocks)
    return _leaflet_pages(
        Leaflet(title=title, contents=contents, origin=origin_line(seal, words)), order, title, first=3
    )


def _make_card_page(card_page: CardPage, order: SheetContext, bookmark: str) -> Page:
    """Return a page with cards below its own drawing; equal cards share one drawing.

    ``bookmark`` is the text of the PDF bookmark.
    """
    printable = leaflet_area(order.sheet)
    cards = (Placement(card.drawing, _card_transform(card, printable)) for card in card_page.cards)
    board = Placement(card_page.drawing, Affine(e=printable.x, f=printable.y))
    return reading_sheet(order.sheet).page(*cards, board, label="1", bookmark=bookmark)


def _card_transform(card: SmallCard, free: Rect) -> Affine:
    """Return the transform from a card to its rectangle; ``free`` is the printable area in printed mm.

    The card keeps its proportions: its width fills the rectangle.
    """
    scale = card.place.width / card.drawing.width
    return Affine(scale, 0.0, 0.0, scale, free.x + card.place.x, free.y + card.place.y)


def _leaflet_pages(leaflet: Leaflet, order: SheetContext, bookmark: str, *, first: int = 1) -> tuple[Page, ...]:
    """Return the pages of a leaflet, labelled from ``first``.

    ``bookmark`` is the text of the PDF bookmark; empty for pages without one.
    """
    pages = print_leaflet(leaflet, order.sheet, order.style, order.words, bookmark=bookmark)
    return tuple(replace(page, label=str(number)) for number, page in enumerate(pages, first))


def _make_document(
    title: str, pages: tuple[Page, ...], order: SheetContext, seal: Seal | None = None, *, flip: Flip | None = None
) -> Document:
    """Return pages as a document; its properties contain only what the pages show.

    ``seal`` gives the subject; None for no subject. ``flip`` is the edge on which the printer turns the sheets; None if
    there are no backs.
    """
    subject = origin_line(seal, order.words)
    document = Document(title=title, pages=pages, language=order.words.code, subject=subject, flip=flip)
    return apply_profile(document, order.profile).document


# --- The hidden sheet and the reveal sheet of any record of the card system -------------------------------------------


def hidden_pages(record: Record, order: SheetContext) -> tuple[Page, ...]:
    """Return the page with the board of a record before its reveal: cards face down (BR-A08).

    Raises:
        RecordError: the record does not say how its cards were placed.
        PageError: the paper is too small.
    """
    return build_hidden_document(read_hidden_board(record), order, record).pages


def reveal_pages(record: Record, order: SheetContext) -> tuple[Page, ...]:
    """Return the pages with everything about the game of a record after its reveal (BR-A09).

    Raises:
        RecordError: the record does not contain the cards of its zones.
        PageError: the paper is too small.
    """
    return build_reveal_document(read_reveal_facts(record, order), order, record).pages


def read_reveal_facts(record: Record, order: SheetContext) -> RevealedGame:
    """Return the facts of a record after the reveal, in the languages of ``order``.

    The record must be of this rule system.

    Raises:
        RecordError: the record does not contain the cards of its zones.
    """
    system = find(RULES)
    rules, words = recorded_rules(system.book, record), order.words
    facts = read_revealed_game(record, system.account(record, words), rules=rules, words=words)
    return replace(facts, dice=tuple(_dice_reasons(record, words)))


def _dice_reasons(record: Record, words: Words) -> Iterator[tuple[str, str]]:
    """Yield the reason and the score of each die, in the order of the log.

    The reason is in the languages of ``words``; the score is text. Cards and choices are left out.
    """
    texts = tuple(ThrowText(language) for language in words.each())
    for throw in record.log:
        if throw.act is Act.DIE:
            yield SEPARATOR.join(dict.fromkeys(text.reason(throw) for text in texts)), throw.answer


def build_proof_page(record: Record, words: Words) -> str:
    """Return the HTML of the page that checks a revealed game in a browser, in the first language of ``words``.

    It has the sums of ``verifying`` in JavaScript, so a player without printkit can check the deal, the codes, the
    cards, the number and the dice. It does not check the map.
    """
    dice = [throw for throw in record.log if throw.act is Act.DIE]
    texts = {each.code: page_texts(each, f"{PROOF}.") for each in page_words(words)}
    reasons = {each.code: {throw.reason: ThrowText(each).reason(throw) for throw in dice} for each in page_words(words)}
    members = {
        "rules": record.rules,
        "title": record.battlefield.title,
        "seed": record.seed,
        "reseeded": dict(record.reseeded),
        "log": to_builtins(record.log),
        RULES: to_builtins(record.details),
    }
    return build_page(
        PROOF,
        PROOF,
        texts,
        {"record": members, "reasons": reasons},
        title=texts[words.code]["title"],
        style=read_part(PROOF, f"{PROOF}.css"),
        scripts=("chance.js", "checks.js", f"{PROOF}.js"),
    )
