"""Cards and decks as values: their content without the design."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct, field

from printkit.content.prose import Block
from printkit.terrain.field.features import Kind


class Suit(StrEnum):
    """The suits of playing cards. The suit symbol is in the corner; hearts and diamonds are red."""

    SPADES = "S"
    CLUBS = "C"
    HEARTS = "H"
    DIAMONDS = "D"


class Banner(StrEnum):
    """The banner with the going on a terrain card, shown by word, fill and pattern."""

    GOOD = "good"
    BAD = "bad"
    IMPASSABLE = "impassable"
    DIE = "die"


class Index(Struct, frozen=True):
    """The index in the corners: a rank or a short code, and optionally a suit."""

    text: str
    suit: Suit | None = None


class Art(Struct, frozen=True):
    """A picture of map symbols: the kinds together, on grass; ``levels`` is the height of a hill.

    Pictures of the same kinds with different ``variant`` differ, as cards of different rank do.
    """

    kinds: tuple[Kind, ...]
    levels: int = 1
    variant: int = 0


class Card(Struct, frozen=True, kw_only=True):
    """One card: an ID for error messages, a title, and below it art, a banner with the going, and text blocks.

    ``back`` is the content of the back of this card; if empty, the card has the back of the deck. ``foot`` is the small
    line at the bottom, for example the number in the deck. ``face`` names a special drawing function of a plugin, and
    ``facts`` is its data; an ordinary card has neither.
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
    """Cards that are printed together. ``name`` is the NAME in ``printkit cards NAME`` and in ``cards-NAME.pdf``.

    ``backs`` is one of: ``secret``, the same picture on all cards, with the text of the key ``legend_key``;
    ``content``, the ``back`` of each card; ``none``, blank backs. ``reference`` decks are also pages of
    ``reference.pdf``. ``back_edge`` is the white edge in mm of secret backs, so that inexact cuts do not identify a
    card (4 for bound decks).
    """

    name: str
    title: str
    cards: tuple[Card, ...]
    backs: Literal["secret", "content", "none"] = "none"
    reference: bool = False
    back_edge: float = 0.0
    legend_key: str = "faces.hidden_ground"


class CardSize(Struct, frozen=True, kw_only=True):
    """A card size in mm, in portrait. ``safe`` is the margin without text; ``bleed`` is the colour beyond the trim."""

    name: str
    width: float
    height: float
    safe: float = 3.0
    bleed: float = 0.0
    corner: float = 3.0
