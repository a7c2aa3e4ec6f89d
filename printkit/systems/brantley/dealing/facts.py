"""The data of a game in its record, without the features: zones, hill dice, courses, deployment and deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import Struct, field

from printkit.core.errors import Sentence
from printkit.core.typed import TextValue
from printkit.systems.brantley.dealing.cards import read_card
from printkit.terrain.field.geojson import Json
from printkit.terrain.field.record import Record, read_members

# The members about the deal; no roll of the game decides them.
SETTLED_BEFORE: Final = ("seal", "salt", "sealed", "journal", "numbers")

# Where a course may end, as in records.
ENDS: Final = ("edge", "lake", "bua", "river", "road")


class CardCode(str, TextValue):
    """The code of a card in a record."""

    right = Sentence("a card such as 10S or QH")

    @classmethod
    def read(cls, text: str) -> CardCode:
        """Return the code of a card as ``PlayingCard`` has it.

        Raises:
            DiceError: there is no such card.
        """
        return cls(read_card(text))


class ZoneFacts(Struct, frozen=True, kw_only=True):
    """A zone: the code of its card, its player and turn, and its result; empty if the record does not have them."""

    number: int = field(name="n")
    card: CardCode = CardCode()
    placed_by: Literal["A", "B", ""] = ""
    turn: int | None = None
    is_blind: bool = field(name="blind", default=False)
    result: str = ""


class HillDice(Struct, frozen=True, kw_only=True):
    """The dice of a hill: the slope rolled and what it counts as, and the woods, None if they were not rolled."""

    zone: int = 0
    slope: int
    modified: int
    woods: int | None = None


class CourseFacts(Struct, frozen=True, kw_only=True):
    """A river or road: its ID, its start, and its end by one of ``ENDS``; empty where the record has nothing."""

    id: str
    start: str = ""
    end_by_kind: Mapping[str, str | float] = field(name="end", default={})

    @property
    def ends_in(self) -> str:
        """Return which of ``ENDS`` the course ends in, or nothing."""
        return next((kind for kind in ENDS if self.end_by_kind.get(kind)), "")

    @property
    def end(self) -> str:
        """Return the point or the ID at its end, or nothing."""
        return str(self.end_by_kind.get(self.ends_in, ""))


class DeploymentFacts(Struct, frozen=True, kw_only=True):
    """Which player deploys and moves first, and the depth of the deployment areas in mm."""

    deploys_first: str = ""
    moves_first: str = ""
    depth_mm: float | None = None


def group_digits(code: str) -> str:
    """Return a code in groups of four digits."""
    return " ".join(code[place : place + 4] for place in range(0, len(code), 4))


class Seal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The name of a sealed game and its commitment, which all its sheets show.

    ``is_open``: nothing is hidden, because the seed gives all cards.
    """

    game: str = ""
    commitment: str = ""
    is_open: bool = field(name="open", default=False)

    @property
    def grouped_commitment(self) -> str:
        """Return the commitment in groups of four digits, as people compare it."""
        return group_digits(self.commitment)


class GameFacts(Struct, frozen=True, kw_only=True):
    """The data of a game in its record, without the features; a missing member is empty.

    Attributes:
        zones: the zones.
        hills: the dice of the hills.
        rivers: the rivers.
        roads: the roads.
        deck: the codes of the cards in the shuffled pack, the top one first.
        hands: the codes of the cards of each player, by player.
        first: the player who places the first card.
        deployment: the order and edges of deployment.
        inputs: the lists of the scenario by name.
        seal: the game name and commitment on the sheets of a sealed game.
        salt: the salt of the commitment.
        sealed: the sealed part of the game, as in the file; ``closed_game.sealed_of`` reads it.
        journal: the lines of the journal of the game, without their codes.
        numbers: the number of each player, by player, in a game of version 0.2.
    """

    zones: tuple[ZoneFacts, ...] = ()
    hills: tuple[HillDice, ...] = ()
    rivers: tuple[CourseFacts, ...] = ()
    roads: tuple[CourseFacts, ...] = ()
    deck: tuple[str, ...] = ()
    hands: Mapping[str, tuple[str, ...]] = {}
    first: str = ""
    deployment: DeploymentFacts = DeploymentFacts()
    inputs: Mapping[str, tuple[str, ...]] = {}
    seal: Seal | None = None
    salt: str = ""
    sealed: Json | None = None
    journal: tuple[str, ...] = ()
    numbers: Mapping[str, int] = {}


def facts_of(record: Record) -> GameFacts:
    """Return the data of a game in its record, without the features.

    Raises:
        RecordError: a member is missing or has the wrong type; names it.
    """
    return read_members(_without_nulls(record.details), GameFacts, record.rules)


def _without_nulls(value: Any) -> Any:
    """Return a value without the members that are null: they are the same as missing ones."""
    match value:
        case Mapping():
            return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
        case list():
            return [_without_nulls(inner) for inner in value]
        case _:
            return value
