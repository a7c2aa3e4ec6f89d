"""The secret sheets of the card system as drawings: a hand and the sealed ninth card, each with cover and inner side.

A cover is made without the cards, so that it cannot reveal them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from printkit.content.cards import Card, CardSize, Deck
from printkit.content.prose import Block, Bullets, Heading, Paragraph, Table, WriteLines
from printkit.core.errors import PageError
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.layouts import find_size
from printkit.drawing.cards.text_card import run_in
from printkit.drawing.text.drafter import Drafter
from printkit.systems.brantley.dealing.deal import HAND_SIZE
from printkit.systems.brantley.dealing.facts import Seal
from printkit.systems.brantley.dealing.readers import HandSheet, NinthSheet, seal_line
from printkit.systems.brantley.sheets.secret_sheet import (
    Inside,
    PrintedCard,
    SheetCover,
    draw_cover,
    draw_hand_inside,
    draw_ninth_inside,
    hand_tint_area,
)
from printkit.systems.brantley.sheets.zone_board import sides, who

# Draws the inner side of a sheet for its width and height in mm and the size of a card.
InsideDrawer: TypeAlias = Callable[[Inside, float, float, CardSize, Drafter], Drawing]

_LOG_ROW: Final = 8.4
_LOG_SHARES: Final = (1.1, 1.4, 1.4, 2.6)
_CLOSING: Final = ("print", "fold", "close")
_NINTH_TOKEN: Final = "ink"


def draw_hand_sides(hand: HandSheet, width: float, height: float, drafter: Drafter) -> tuple[Drawing, Drawing]:
    """Return cover and inner side of a hand, for landscape paper.

    ``width`` and ``height`` are those of the paper inside its margins, in mm on paper; both drawings have this size.

    Raises:
        PageError: the paper is too small.
    """
    words, player = drafter.words, hand.player
    far, near = sides(words)
    first_text = words(f"dealing.hand.{'first_you' if hand.first == player else 'first_other'}", player=hand.first)
    cover = SheetCover(
        title=words("dealing.hand.title", player=player),
        lead=words("dealing.hand.cover", player=player),
        front=(*seal_blocks(hand.seal, words), Paragraph(first_text)),
        write_lines=(WriteLines((words("brantley.sheets.cover.name"),)),),
        steps=tuple(
            words(f"brantley.sheets.cover.{step}", player=player) for step in ("print", "fold", "close", "hand_over")
        ),
        letter=player,
        token=(far if player == far.name else near).token,
        signature_text=words("brantley.sheets.cover.signed"),
    )
    inside = Inside(
        head=(_make_head(words("dealing.hand.title", player=player), hand.seal, words),),
        cards=_make_hand_cards(
            [(hand_card.slot, hand_card.card, hand_card.becomes) for hand_card in hand.cards], drafter
        ),
        log=_log_blocks(hand, words),
        how=(
            Heading(words("brantley.sheets.hand.how")),
            Bullets(_how_texts(hand, first_text, words)),
        ),
        is_rotated=player == far.name,
    )
    return _draw_sides(cover, inside, draw_hand_inside, width, height, drafter)


def draw_ninth_sides(ninth: NinthSheet, width: float, height: float, drafter: Drafter) -> tuple[Drawing, Drawing]:
    """Return cover and inner side of the sealed sheet, for landscape paper.

    ``width`` and ``height`` are those of the paper inside its margins, in mm on paper.

    Raises:
        PageError: the paper is too small.
    """
    words = drafter.words
    cover = SheetCover(
        title=words("dealing.ninth.title"),
        lead=words("brantley.sheets.cover.ninth_lead"),
        front=(*seal_blocks(ninth.seal, words), Paragraph(words("dealing.ninth.rule"))),
        steps=tuple(words(f"brantley.sheets.cover.{step}") for step in (*_CLOSING, "keep")),
        letter=words.each()[0]("brantley.sheets.cover.letter_ninth"),
        token=_NINTH_TOKEN,
        signature_text=words("brantley.sheets.cover.ninth_signed"),
    )
    inside = Inside(
        head=(_make_head(words("dealing.ninth.title"), ninth.seal, words),),
        cards=_make_hand_cards([(words("dealing.ninth.card"), ninth.card, ninth.becomes)], drafter),
        how=(Bullets(tuple(words(f"brantley.sheets.ninth.{key}") for key in ("who", "where", "proof"))),),
        log=(
            Heading(words("brantley.sheets.ninth.opened")),
            WriteLines(
                tuple(words(f"brantley.sheets.ninth.{key}") for key in ("zone", "date", "by_a", "by_b")), pitch=9.0
            ),
        ),
    )
    return _draw_sides(cover, inside, draw_ninth_inside, width, height, drafter)


def _draw_sides(
    cover: SheetCover, inside: Inside, draw_inside: InsideDrawer, width: float, height: float, drafter: Drafter
) -> tuple[Drawing, Drawing]:
    """Return cover and inner side of a sheet of ``width`` by ``height`` mm on paper, with the list of players on both.

    Raises:
        PageError: the sheet is too small.
    """
    size = find_size()
    tint = hand_tint_area(width, height, size, drafter.style)

    def draw_outside(players: tuple[Paragraph, ...]) -> Drawing:
        """Return the cover with the list of players above the lines to write on."""
        front = (*cover.front, *players, *cover.write_lines)
        return draw_cover(replace(cover, front=front), width, height, tint, drafter)

    def draw_inner_side(players: tuple[Paragraph, ...]) -> Drawing:
        """Return the inner side with the list of players below its instructions."""
        return draw_inside(replace(inside, how=(*inside.how, *players)), width, height, size, drafter)

    return _draw_with_players(drafter, draw_outside), _draw_with_players(drafter, draw_inner_side)


def _make_hand_cards(cards: Sequence[tuple[str, Card, str]], drafter: Drafter) -> tuple[PrintedCard, ...]:
    """Return cards with their faces at the size for cutting out.

    Each of ``cards`` has its name in the hand, the card, and the feature that it places.
    """
    return tuple(PrintedCard(slot, _card_faces(card, drafter)[0], becomes) for slot, card, becomes in cards)


def _card_faces(card: Card, drafter: Drafter) -> tuple[Drawing, ...]:
    """Return the faces of a card: one with its picture; if its text is too long, without the picture.

    Text that is still too long continues on more faces, so the result may have several.
    """
    card_faces = _draw_faces(card, drafter)
    return card_faces if len(card_faces) == 1 else _draw_faces(_remove_picture(card, drafter), drafter)


def _draw_faces(card: Card, drafter: Drafter) -> tuple[Drawing, ...]:
    """Return the faces of a card at the default size; more than one if its text is too long."""
    deck = Deck(name="held", title="", cards=(card,))
    return tuple(face.front for face in faces(deck, find_size(), style=drafter.style, words=drafter.words))


def _remove_picture(card: Card, drafter: Drafter) -> Card:
    """Return a card without its picture, and with its die tables as running text."""
    return replace(card, art=None, blocks=tuple(run_in(block, drafter.words) for block in card.blocks))


def find_long_texts(kinds: Sequence[Card], drafter: Drafter) -> tuple[Block, ...]:
    """Return the full text of cards that need a second face at the default size.

    The result is empty if every text fits. It checks all kinds of cards, not those of a hand, so that neither the sheet
    nor its length reveals the hand.
    """
    long_cards = [card for card in kinds if len(_draw_faces(_remove_picture(card, drafter), drafter)) > 1]
    blocks: list[Block] = []
    for card in long_cards:
        blocks += [Heading(card.title), *card.blocks]
    return tuple(blocks)


def seal_blocks(seal: Seal | None, words: Words) -> tuple[Paragraph, ...]:
    """Return the line with the seal of a game; empty without a seal."""
    return () if seal is None else (Paragraph(seal_line(seal, words)),)


def _draw_with_players(drafter: Drafter, draw: Callable[[tuple[Paragraph, ...]], Drawing]) -> Drawing:
    """Return a side of a sheet with the list of players; large print omits the list if there is no space.

    Then only the zones on the same sheet show the players, by their edges, colours and lines. ``draw`` takes the
    paragraphs of the list, perhaps none, and returns the side.

    Raises:
        PageError: the sheet is too small.
    """
    try:
        return draw(tuple(Paragraph(player_line, "note") for player_line in who(drafter.words, drafter.style)))
    except PageError:
        if not drafter.style.least_pt:
            raise
        return draw(())


def _make_head(title: str, seal: Seal, words: Words) -> Heading:
    """Return the title of a sheet with the name and the commitment of its game, in the first language."""
    origin = words.each()[0]("brantley.sheets.seal", game=seal.game, commitment=seal.grouped_commitment)
    return Heading(title, remark=origin)


def _log_blocks(hand: HandSheet, words: Words) -> tuple[Block, ...]:
    """Return the form for a player's turns: a heading, and a table with the card, its zone and its code for each.

    The turns are numbered 1, 3, 5, 7 for the player who begins, and 2, 4, 6, 8 for the other.
    """
    first_turn = 1 if hand.first == hand.player else 2
    rows = tuple((str(first_turn + 2 * number), "", "", "") for number in range(HAND_SIZE))
    table = Table(
        rows=rows, head=column_heads("brantley.sheets.hand.columns", words), shares=_LOG_SHARES, min_height=_LOG_ROW
    )
    return Heading(words("brantley.sheets.hand.log")), table


def _how_texts(hand: HandSheet, first: str, words: Words) -> tuple[str, ...]:
    """Return the instructions for a hand; ``first`` is the sentence with the first player."""
    slot = hand.cards[1].slot
    return (
        words("brantley.sheets.hand.look"),
        f"{words('brantley.sheets.hand.lay')} {first}",
        words("brantley.sheets.hand.write", slot=slot),
    )


def column_heads(key: str, words: Words) -> tuple[str, ...]:
    """Return column headings; the text has one line per column, so that every language has all headings.

    ``key`` is the key of that text. The heading of each column has all languages; equal ones only once.
    """
    head_lines = [language(key).split("\n") for language in words.each()]
    return tuple(SEPARATOR.join(dict.fromkeys(heads)) for heads in zip(*head_lines, strict=True))
