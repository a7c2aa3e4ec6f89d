"""Cards and decks as values: what a card says, not how it looks."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct, field

from printkit.content.prose import Block
from printkit.terrain.field.features import Kind


class Suit(StrEnum):
    """The suits of playing cards; a figure of the suit stands in the corner, red suits are red."""

    SPADES = "S"
    CLUBS = "C"
    HEARTS = "H"
    DIAMONDS = "D"


class Banner(StrEnum):
    """How the going is told on a terrain card, by word, fill and pattern."""

    GOOD = "good"
    BAD = "bad"
    IMPASSABLE = "impassable"
    DIE = "die"


class Index(Struct, frozen=True):
    """What stands in the corners: a rank or a short code, and a suit where there is one."""

    text: str
    suit: Suit | None = None


class Art(Struct, frozen=True):
    """A picture from the map's own signs: the kinds shown together, on grass; ``levels`` of a hill."""

    kinds: tuple[Kind, ...]
    levels: int = 1


class Card(Struct, frozen=True, kw_only=True):
    """One card: an ID that errors name, a title, and below it art, a banner of the going, and blocks of text.

    ``back`` is content for the other side of this card alone; empty where the deck's own back stands there.
    ``foot`` is the small line at the foot, as the number in the deck. ``face`` names what else the drawing must put
    on it, with the facts that it needs in ``facts``: an ordinary card has none.
    """

    id: str
    title: str
    blocks: tuple[Block, ...] = ()
    index: Index | None = None
    art: Art | None = None
    banner: tuple[Banner, str] | None = None
    back: tuple[Block, ...] = ()
    foot: str = ""
    face: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    copies: int = 1


class Deck(Struct, frozen=True, kw_only=True):
    """Cards that are printed together. ``name`` is that of ``printkit cards NAME`` and of ``cards-NAME.pdf``.

    ``backs``: ``secret`` is one picture on all, which gives nothing away, with the words of the key ``legend``;
    ``content`` is what each card says on its back; ``none`` leaves them blank. ``reference`` decks are also set as
    pages of ``reference.pdf``. ``back_edge`` is the white edge in mm of secret backs that must not tell a card by how
    it was cut: 4 for bound decks.
    """

    name: str
    title: str
    cards: tuple[Card, ...]
    backs: Literal["secret", "content", "none"] = "none"
    reference: bool = False
    back_edge: float = 0.0
    legend: str = "faces.hidden_ground"


class CardSize(Struct, frozen=True, kw_only=True):
    """A card in mm, upright. ``safe`` is the edge inside the cut that bears no type; ``bleed`` the colour beyond it."""

    name: str
    width: float
    height: float
    safe: float = 3.0
    bleed: float = 0.0
    corner: float = 3.0
