"""From cards to drawings: the front and the back of every card of a deck, each exactly as large as the card is cut.

With a bleed the ground reaches beyond the drawing's own width and height, by ``CardSize.bleed`` on every side.
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
from printkit.drawing.cards.plans import clashes, has_plan
from printkit.drawing.cards.running import paired, running_fronts, running_text
from printkit.drawing.cards.terrain_card import terrain_face
from printkit.drawing.cards.text_card import content_back, large_face, other_side, ruled_face, text_face
from printkit.kit.plugin import load
from printkit.kit.registry import texts

FaceMaker: TypeAlias = Callable[[Card, CardLayout], Drawing]

SPECIAL: Final[Mapping[str, FaceMaker]] = {"large-text": large_face}
"""What draws the fronts of cards that are neither a picture nor a text, by ``Card.face``; rule systems add theirs."""

BackMaker: TypeAlias = Callable[[Card, CardLayout], Drawing | None]

BACKS: Final[Mapping[str, BackMaker]] = {"large-text": other_side}
"""What draws the content of their backs, where it is not that of a card of text."""


class CardFace(Struct, frozen=True):
    """The two sides of one card; no back is a blank one."""

    id: str
    front: Drawing
    back: Drawing | None = None


def faces(deck: Deck, size: CardSize, *, style: Style, words: Words) -> tuple[CardFace, ...]:
    """Return the cards of a deck in its order, each as often as it is printed.

    Text that is too long runs on: on the back where a card's own back is free, else on another card that follows it.
    Where all cards bear one secret back, such cards come last, with white backs, for they are not shuffled in.

    Args:
        deck: what the cards say.
        size: of every card.
        style: colours and manner.
        words: for what is printed on backs.

    Raises:
        PageError: what cannot be broken does not fit a card, or one asks for a face that nobody draws; names the card.
    """
    plan = card_layout(size, style=style, words=words)
    common = _common_back(deck, plan)
    found: list[CardFace] = []
    aside: dict[tuple[object, ...], list[CardFace]] = {}
    for card in deck.cards:
        first, *more = _faces_of(card, deck, common, plan)
        if deck.backs == "secret":
            found += [first] * card.copies
            aside.setdefault((card.title, card.blocks), more)
        else:
            found += [first, *more] * card.copies
    return (*found, *(face for more in aside.values() for face in more))


def _faces_of(card: Card, deck: Deck, common: Drawing | None, plan: CardLayout) -> Sequence[CardFace]:
    """Return a card, and those on which its text runs on."""
    fronts = running_fronts(card, plan, front)
    try:
        backs = [made] if (made := _back(card, deck, common, plan)) is not None else []
        if made is not None and card.back and has_plan(card.back) and clashes(made):
            backs = list(running_text(_turned(card), card.back, plan))
    except PageError:
        if not card.back and not card.blocks:
            raise
        # Where a face of its own draws the back from what the card says, all of that runs on as text.
        backs = list(running_text(_turned(card), card.back, plan)) if card.back else []
        fronts = fronts if card.back else running_text(card, card.blocks, plan)
    if deck.backs == "content" and (len(fronts) > 1 or len(backs) > 1):
        pairs = paired(fronts, backs if card.back else (), card, plan)
        return [CardFace(card.id, *pair) for pair in pairs]
    behind = [*backs, *[None] * len(fronts)]
    return [CardFace(card.id, one, other) for one, other in zip(fronts, behind, strict=False)]


def _turned(card: Card) -> Card:
    """Return a card as its back is titled, where that has a title and a foot of its own."""
    title, foot = card.facts.get("title"), card.facts.get("foot")
    own = card.face in BACKS and isinstance(title, str) and isinstance(foot, str)
    return replace(card, title=title, foot=foot) if own else card


def blank_faces(
    count: int, size: CardSize, *, style: Style, words: Words, deck: Deck | None = None
) -> tuple[CardFace, ...]:
    """Return cards to write on, framed and ruled, with the back of a deck; without a deck, the secret back.

    Raises:
        PageError: fewer than none are asked for.
    """
    if count < 0:
        raise PageError("{count} blank cards cannot be printed; ask for 0 or more", count=count)
    plan = card_layout(size, style=style, words=words)
    card = Card(id="", title="")
    front_side = ruled_face(card, plan)
    if deck is not None and deck.backs == "content":
        return (CardFace("blank", front_side, front_side),) * count
    back = secret_back(plan) if deck is None else _common_back(deck, plan)
    return (CardFace("blank", front_side, back),) * count


def front(card: Card, plan: CardLayout) -> Drawing:
    """Return the front of one card.

    Raises:
        PageError: its text does not fit, or it asks for a face that nobody draws.
    """
    if card.face:
        own = texts("faces")
        if card.face in own:
            made: Drawing = load(own[card.face])(card, plan)
            return made
        if card.face not in SPECIAL:
            raise PageError(
                "card {card}: there is no face {face!r}; known faces: {known}",
                card=card.id,
                face=card.face,
                known=", ".join((*own, *SPECIAL)) or Sentence("none"),
            )
        return SPECIAL[card.face](card, plan)
    return text_face(card, plan) if card.art is None else terrain_face(card, plan)


def _common_back(deck: Deck, plan: CardLayout) -> Drawing | None:
    return secret_back(plan, edge=deck.back_edge, legend=deck.legend) if deck.backs == "secret" else None


def _back(card: Card, deck: Deck, common: Drawing | None, plan: CardLayout) -> Drawing | None:
    match deck.backs:
        case "none":
            return None
        case "content":
            return _content(card, plan)
        case "secret":
            return _content(card, plan) if card.back else common


def _content(card: Card, plan: CardLayout) -> Drawing | None:
    own = texts("backs")
    maker: BackMaker = load(own[card.face]) if card.face in own else BACKS.get(card.face, content_back)
    return maker(card, plan)
