"""Draw the front and the back of every card of a deck, at its trimmed size.

With a bleed the ground extends ``CardSize.bleed`` mm beyond the drawing's width and height on every side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.cards import Card, CardSize, Deck
from printkit.core.errors import PageError, Sentence
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.style import Style
from printkit.drawing.cards.back import secret_back
from printkit.drawing.cards.layouts import CardLayout, card_layout
from printkit.drawing.cards.long_text import has_clash, has_plan, pair_sides, running_fronts, running_text
from printkit.drawing.cards.text_card import content_back, large_face, other_side, ruled_face, terrain_face, text_face
from printkit.kit.plugin import load
from printkit.kit.registry import merge_plugin_table

FaceMaker: TypeAlias = Callable[[Card, CardLayout], Drawing]

# Functions that draw special fronts, by ``Card.face``. Rule systems add more as plugins.
SPECIAL: Final[Mapping[str, FaceMaker]] = {"large-text": large_face}

BackMaker: TypeAlias = Callable[[Card, CardLayout], Drawing | None]

# Functions that draw special backs, by ``Card.face``; other cards have a text back.
BACKS: Final[Mapping[str, BackMaker]] = {"large-text": other_side}


class CardFace(Struct, frozen=True):
    """The two sides of one card; without ``back`` the reverse is blank."""

    id: str
    front: Drawing
    back: Drawing | None = None


def faces(deck: Deck, size: CardSize, *, style: Style, words: Words) -> tuple[CardFace, ...]:
    """Return the cards of a deck in order, with all their copies.

    Text that is too long continues on the card's back if that is free, otherwise on another card after it. In a deck
    with a secret back these extra cards come last, with white backs, because they are not shuffled in.

    Args:
        deck: the content of the cards.
        size: the size of every card.
        style: colours and drawing style.
        words: translations for texts on the cards.

    Raises:
        PageError: a block that cannot be split does not fit on a card, or a card names an unknown face.
    """
    plan = card_layout(size, style=style, words=words)
    common = _draw_common_back(deck, plan)
    card_faces: list[CardFace] = []
    continuations: dict[tuple[object, ...], list[CardFace]] = {}
    for card in deck.cards:
        first, *more = _draw_card_faces(card, deck, common, plan)
        if deck.backs == "secret":
            card_faces += [first] * card.copies
            continuations.setdefault((card.title, card.blocks), more)
        else:
            card_faces += [first, *more] * card.copies
    return (*card_faces, *(face for more in continuations.values() for face in more))


def _draw_card_faces(card: Card, deck: Deck, common: Drawing | None, plan: CardLayout) -> Sequence[CardFace]:
    """Return a card, followed by the cards on which its text continues.

    ``common`` is the back that all cards of the deck share; None if they have different backs or none. A missing side
    has the value None.
    """
    fronts = running_fronts(card, plan, draw_front)
    try:
        backs = [back_drawing] if (back_drawing := _draw_back(card, deck, common, plan)) is not None else []
        if back_drawing is not None and card.back and has_plan(card.back) and has_clash(back_drawing):
            backs = list(running_text(_back_card(card), card.back, plan))
    except PageError:
        if not card.back and not card.blocks:
            raise
        # If a special face draws the back from the card's blocks, all of them are set as continued text.
        backs = list(running_text(_back_card(card), card.back, plan)) if card.back else []
        fronts = fronts if card.back else running_text(card, card.blocks, plan)
    if deck.backs == "content" and (len(fronts) > 1 or len(backs) > 1):
        pairs = pair_sides(fronts, backs if card.back else (), card, plan)
        return [CardFace(card.id, *pair) for pair in pairs]
    padded_backs = [*backs, *[None] * len(fronts)]
    return [
        CardFace(card.id, front_side, back_side) for front_side, back_side in zip(fronts, padded_backs, strict=False)
    ]


def _back_card(card: Card) -> Card:
    """Return a card with the title and footer of its back, if its facts give them."""
    title, foot = card.facts.get("title"), card.facts.get("foot")
    has_own_texts = card.face in BACKS and isinstance(title, str) and isinstance(foot, str)
    return replace(card, title=title, foot=foot) if has_own_texts else card


def blank_faces(
    count: int, size: CardSize, *, style: Style, words: Words, deck: Deck | None = None
) -> tuple[CardFace, ...]:
    """Return ``count`` equal blank cards with lines to write on; empty for 0.

    The back is the deck's, or the secret one without a deck. In a deck with backs of the card's content it is the front
    again.

    Raises:
        PageError: ``count`` is negative.
    """
    if count < 0:
        raise PageError("{count} blank cards cannot be printed; ask for 0 or more", count=count)
    plan = card_layout(size, style=style, words=words)
    card = Card(id="", title="")
    front_side = ruled_face(card, plan)
    if deck is not None and deck.backs == "content":
        return (CardFace("blank", front_side, front_side),) * count
    back = secret_back(plan) if deck is None else _draw_common_back(deck, plan)
    return (CardFace("blank", front_side, back),) * count


def draw_front(card: Card, plan: CardLayout) -> Drawing:
    """Return the front of one card.

    A card with a ``face`` is drawn by the plugin or function of that name. Other cards have a picture if they have
    ``art``, and otherwise only text.

    Raises:
        PageError: its text does not fit, or it names an unknown face.
    """
    if card.face:
        custom = merge_plugin_table("faces")
        if card.face in custom:
            drawing: Drawing = load(custom[card.face])(card, plan)
            return drawing
        if card.face not in SPECIAL:
            raise PageError(
                "card {card}: there is no face {face!r}; known faces: {known}",
                card=card.id,
                face=card.face,
                known=", ".join((*custom, *SPECIAL)) or Sentence("none"),
            )
        return SPECIAL[card.face](card, plan)
    return text_face(card, plan) if card.art is None else terrain_face(card, plan)


def _draw_common_back(deck: Deck, plan: CardLayout) -> Drawing | None:
    """Return the back that all cards of a deck share, or None if they have different backs or none."""
    return secret_back(plan, edge=deck.back_edge, legend=deck.legend_key) if deck.backs == "secret" else None


def _draw_back(card: Card, deck: Deck, common: Drawing | None, plan: CardLayout) -> Drawing | None:
    """Return the back of a card, or None for a blank back.

    In a deck with secret backs it is ``common``, unless the card has a back text.
    """
    match deck.backs:
        case "none":
            return None
        case "content":
            return _draw_content_back(card, plan)
        case "secret":
            return _draw_content_back(card, plan) if card.back else common


def _draw_content_back(card: Card, plan: CardLayout) -> Drawing | None:
    """Return the back with the card's text, by a plugin if its face has one; None if it is blank."""
    custom = merge_plugin_table("backs")
    maker: BackMaker = load(custom[card.face]) if card.face in custom else BACKS.get(card.face, content_back)
    return maker(card, plan)
