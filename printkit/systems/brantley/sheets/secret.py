"""The secret sheets of the card system as drawings: a hand and the sealed ninth card, each with cover and inner side.

A cover is made without the cards, so that it cannot reveal them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Bullets, Heading, Paragraph, Table, WriteLines
from printkit.core.errors import PageError
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.sizes import find_size
from printkit.drawing.cards.terrain_card import run_in
from printkit.drawing.text.drafter import Drafter
from printkit.systems.brantley.dealing.closed_game import Seal
from printkit.systems.brantley.dealing.deal import HAND
from printkit.systems.brantley.dealing.readers import HandSheet, Sealed, seal_line
from printkit.systems.brantley.sheets.secret_sheet import (
    HandCard,
    Inside,
    SheetCover,
    cover_drawing,
    hand_inside,
    hand_tint,
    ninth_inside,
)
from printkit.systems.brantley.sheets.zone_board import sides, who

_LOG_ROW: Final = 9.0
_CLOSING: Final = ("print", "fold", "close")
_NINTH_TOKEN: Final = "ink"


def hand_sides(hand: HandSheet, width: float, height: float, drafter: Drafter) -> tuple[Drawing, Drawing]:
    """Return cover and inner side of a hand, for landscape paper of ``width`` by ``height`` mm inside its margins.

    Raises:
        PageError: the paper is too small.
    """
    size, words, player = find_size(), drafter.words, hand.player
    far, near = sides(words)
    first = words(f"dealing.hand.{'first_you' if hand.first == player else 'first_other'}", player=hand.first)
    cover = SheetCover(
        title=words("dealing.hand.title", player=player),
        lead=words("dealing.hand.cover", player=player),
        front=(*_seal(hand.seal, words), Paragraph(first), _name(words)),
        steps=tuple(
            words(f"brantley.sheets.cover.{step}", player=player) for step in ("print", "fold", "close", "hand_over")
        ),
        letter=player,
        token=(far if player == far.name else near).token,
        signed=words("brantley.sheets.cover.signed"),
    )
    inside = Inside(
        title=words("dealing.hand.title", player=player),
        origin=_origin(hand.seal, words),
        cards=_held([(held.slot, held.card, held.becomes) for held in hand.held], drafter),
        log=_log(hand, words),
        how=(
            Heading(words("brantley.sheets.hand.how")),
            Bullets(_how(hand, first, words)),
        ),
        turned=player == far.name,
    )
    tint = hand_tint(width, height, size, drafter.style)
    return (
        _told(drafter, lambda who: cover_drawing(_before_last(cover, who), width, height, tint, drafter)),
        _told(drafter, lambda who: hand_inside(_with_who(inside, who), width, height, size, drafter)),
    )


def ninth_sides(ninth: Sealed, width: float, height: float, drafter: Drafter) -> tuple[Drawing, Drawing]:
    """Return cover and inner side of the sealed sheet, for landscape paper.

    Raises:
        PageError: the paper is too small.
    """
    size, words = find_size(), drafter.words
    cover = SheetCover(
        title=words("dealing.ninth.title"),
        lead=words("brantley.sheets.cover.ninth_lead"),
        front=(*_seal(ninth.seal, words), Paragraph(words("dealing.ninth.rule"))),
        steps=tuple(words(f"brantley.sheets.cover.{step}") for step in (*_CLOSING, "keep")),
        letter=words.each()[0]("brantley.sheets.cover.letter_ninth"),
        token=_NINTH_TOKEN,
        signed=words("brantley.sheets.cover.ninth_signed"),
    )
    inside = Inside(
        title=words("dealing.ninth.title"),
        origin=_origin(ninth.seal, words),
        cards=_held([(words("dealing.ninth.card"), ninth.card, ninth.becomes)], drafter),
        how=(Bullets(tuple(words(f"brantley.sheets.ninth.{key}") for key in ("who", "where", "proof"))),),
        log=(
            Heading(words("brantley.sheets.ninth.opened")),
            WriteLines(
                tuple(words(f"brantley.sheets.ninth.{key}") for key in ("zone", "date", "by_a", "by_b")), pitch=9.0
            ),
        ),
    )
    tint = hand_tint(width, height, size, drafter.style)
    return (
        _told(
            drafter,
            lambda who: cover_drawing(replace(cover, front=(*cover.front, *who)), width, height, tint, drafter),
        ),
        _told(drafter, lambda who: ninth_inside(_with_who(inside, who), width, height, size, drafter)),
    )


def _held(cards: Sequence[tuple[str, Card, str]], drafter: Drafter) -> tuple[HandCard, ...]:
    """Return cards with their faces at the size for cutting out."""
    return tuple(HandCard(slot, _sides_of(card, drafter)[0], becomes) for slot, card, becomes in cards)


def _sides_of(card: Card, drafter: Drafter) -> tuple[Drawing, ...]:
    """Return the faces of a card: one with its picture; if its text is too long, without the picture.

    Text that is still too long continues on more faces.
    """
    drawn = _drawn(card, drafter)
    return drawn if len(drawn) == 1 else _drawn(_without_picture(card, drafter), drafter)


def _drawn(card: Card, drafter: Drafter) -> tuple[Drawing, ...]:
    deck = Deck(name="held", title="", cards=(card,))
    return tuple(face.front for face in faces(deck, find_size(), style=drafter.style, words=drafter.words))


def _without_picture(card: Card, drafter: Drafter) -> Card:
    return replace(card, art=None, blocks=tuple(run_in(block, drafter.words) for block in card.blocks))


def running_on(kinds: Sequence[Card], drafter: Drafter) -> tuple[Block, ...]:
    """Return the full text of cards that need a second face at the default size; empty if every text fits.

    It checks all kinds of cards, not those of a hand, so that neither the sheet nor its length reveals the hand.
    """
    long = [card for card in kinds if len(_drawn(_without_picture(card, drafter), drafter)) > 1]
    found: list[Block] = []
    for card in long:
        found += [Heading(card.title), *card.blocks]
    return tuple(found)


def _seal(seal: Seal, words: Words) -> tuple[Block, ...]:
    return (Paragraph(seal_line(seal, words)),)


def _told(drafter: Drafter, draw: Callable[[tuple[Paragraph, ...]], Drawing]) -> Drawing:
    """Return a side of a sheet with the list of players; large print omits the list if there is no space.

    Then only the zones on the same sheet show the players, by their edges, colours and lines.
    """
    try:
        return draw(tuple(Paragraph(said, "note") for said in who(drafter.words, drafter.style)))
    except PageError:
        if not drafter.style.least_pt:
            raise
        return draw(())


def _before_last(cover: SheetCover, who: tuple[Paragraph, ...]) -> SheetCover:
    """Return a cover with the list of players above the line for a name."""
    return replace(cover, front=(*cover.front[:-1], *who, cover.front[-1]))


def _with_who(inside: Inside, who: tuple[Paragraph, ...]) -> Inside:
    return replace(inside, how=(*inside.how, *who))


def _origin(seal: Seal, words: Words) -> str:
    return words.each()[0]("brantley.sheets.seal", game=seal.game, commitment=seal.grouped)


def _name(words: Words) -> WriteLines:
    return WriteLines((words("brantley.sheets.cover.name"),))


def _log(hand: HandSheet, words: Words) -> tuple[Block, ...]:
    """Return the form for a player's turns: the card and its zone for each."""
    begins = 1 if hand.first == hand.player else 2
    rows = tuple((str(begins + 2 * number), "", "") for number in range(HAND))
    table = Table(rows=rows, head=columns("brantley.sheets.hand.columns", words), shares=(1, 2, 2), min_height=_LOG_ROW)
    return Heading(words("brantley.sheets.hand.log")), table


def _how(hand: HandSheet, first: str, words: Words) -> tuple[str, ...]:
    slot = hand.held[1].slot
    return (
        words("brantley.sheets.hand.look"),
        f"{words('brantley.sheets.hand.lay')} {first}",
        words("brantley.sheets.hand.write", slot=slot),
    )


def columns(key: str, words: Words) -> tuple[str, ...]:
    """Return column headings; the text has one line per column, so that every language has all headings."""
    told = [one(key).split("\n") for one in words.each()]
    return tuple(SEPARATOR.join(dict.fromkeys(heads)) for heads in zip(*told, strict=True))
