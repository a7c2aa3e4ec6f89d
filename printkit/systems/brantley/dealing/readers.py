"""The contents of each sheet of a sealed game: values made from a deal or a record.

A value has only the facts that the reader of its sheet may know, so no secret can get onto the sheet (BR-204, BR-M12,
BR-M15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from printkit.content.cards import Card
from printkit.core.errors import RecordError
from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.cards import RevealTable, read_card
from printkit.systems.brantley.dealing.deal import CARDS_NEEDED, ZONES, Deal, HiddenZone, ZoneCard, next_player
from printkit.systems.brantley.dealing.deal import hide_cards as hide_cards
from printkit.systems.brantley.dealing.decks import build_face, describe_card, distinct_faces
from printkit.systems.brantley.dealing.facts import GameFacts, HillDice, Seal, ZoneFacts, facts_of
from printkit.systems.brantley.dealing.progress import recorded_progress
from printkit.terrain.field.record import Record


def seal_line(seal: Seal, words: Words) -> str:
    """Return game and commitment as sheets and screens show them; for an open game, with a note that it is open."""
    text = words("dealing.seal", game=seal.game, commitment=seal.grouped_commitment)
    return f"{text}. {words('dealing.open')}" if seal.is_open else text


def numbers_line(numbers: Mapping[str, int], words: Words) -> str:
    """Return the players' numbers for the dice, as sheets and screens show them."""
    return words("dealing.numbers", numbers=", ".join(f"{player} {number}" for player, number in numbers.items()))


class HeldCard(Struct, frozen=True, kw_only=True):
    """A card as its player sees it: its name in the hand, its face, and its feature on the board."""

    slot: str
    card: Card
    becomes: str


class HandSheet(Struct, frozen=True, kw_only=True):
    """The private sheet of one player: their four cards in deal order, and the first player (BR-A05).

    ``kinds`` has one card of the pack for each wording. It is the same in every game, so it reveals nothing.
    """

    seal: Seal
    player: str
    first: str
    cards: tuple[HeldCard, ...]
    kinds: tuple[Card, ...] = ()


class NinthSheet(Struct, frozen=True, kw_only=True):
    """The sheet of the ninth card, opened when all other cards are placed (BR-A06); ``kinds`` is as in a hand."""

    seal: Seal
    card: Card
    becomes: str
    kinds: tuple[Card, ...] = ()


class HiddenBoard(Struct, frozen=True, kw_only=True):
    """The board with its cards face down, for everybody (BR-A08).

    Attributes:
        zones: the zones.
        next: the player who places the next card; empty after eight cards.
        blind: the zone of the ninth card; None before eight cards are placed, or if the last zone stays clear.
        seal: the game name and commitment; None without a secret deal.
        codes: by zone, the number of the line that placed its card, and the code of that line.
        last: the last line of the game, such as ``8 A a4 9``, and its code.
    """

    zones: tuple[HiddenZone, ...]
    next: str = ""
    blind: int | None = None
    seal: Seal | None = None
    codes: Mapping[int, tuple[int, str]] = {}
    last: tuple[str, str] = ("", "")

    @property
    def placed_count(self) -> int:
        """Return how many cards the players have placed."""
        return sum(zone.turn is not None for zone in self.zones)


class TurnedZone(Struct, frozen=True, kw_only=True):
    """A zone after the reveal: its card, the player and turn of the card, the player of its feature, its hill dice.

    A zone that stays clear has no card. ``turned_by`` is the player of the feature; it is empty without a feature.
    """

    zone: int
    card: Card | None
    becomes: str
    placed_by: str = ""
    turn: int | None = None
    is_blind: bool = False
    turned_by: str = ""
    dice: HillDice | None = None


class CourseAccount(Struct, frozen=True, kw_only=True):
    """The origin of a river, road or crossing: its ID, its name or an empty text, and its account in sentences."""

    id: str
    name: str
    account: str


class RevealedGame(Struct, frozen=True, kw_only=True):
    """Everything about a game after its reveal (BR-A09).

    Attributes:
        title: the title of the battlefield.
        zones: the zones.
        courses: the accounts of rivers, roads and crossings.
        deploys_first: the player who deploys first.
        moves_first: the player who moves first.
        order: the dice for the order of deployment, A and B in turn.
        pack: the codes of all cards in shuffled order; empty if only the cards of the zones are known.
        seal: the game name and commitment of a secret deal, which prove the pack together with ``salt``.
        salt: the salt of a secret deal.
        seed: the seed of the dice; the numbers change it.
        numbers: the players' numbers, by player.
        settings: the names and values of settings that differ from their defaults.
        dice: every roll with its reason, in order.
    """

    title: str
    zones: tuple[TurnedZone, ...]
    courses: tuple[CourseAccount, ...]
    deploys_first: str
    moves_first: str
    order: tuple[int, ...] = ()
    pack: tuple[str, ...] = ()
    seal: Seal | None = None
    salt: str = ""
    seed: int | None = None
    numbers: Mapping[str, int] = {}
    settings: tuple[tuple[str, str], ...] = ()
    dice: tuple[tuple[str, str], ...] = ()


def build_hand_sheet(dealt: Deal, player: str, first: str, *, seal: Seal, rules: Rules, words: Words) -> HandSheet:
    """Return the sheet of one player, without any other card of the pack."""
    cards = tuple(
        HeldCard(
            slot=f"{player.lower()}{place}",
            card=build_face(card, rules, words),
            becomes=describe_card(card, rules, words),
        )
        for place, card in enumerate(dealt.hands[player], 1)
    )
    return HandSheet(seal=seal, player=player, first=first, cards=cards, kinds=distinct_faces(rules, words))


def build_ninth_sheet(dealt: Deal, *, seal: Seal, rules: Rules, words: Words) -> NinthSheet:
    """Return the sheet of the ninth card."""
    ninth = dealt.ninth
    becomes = describe_card(ninth, rules, words)
    return NinthSheet(
        seal=seal, card=build_face(ninth, rules, words), becomes=becomes, kinds=distinct_faces(rules, words)
    )


def hide_board(turns: Sequence[ZoneCard], first: str, *, seal: Seal | None = None, ninth: str = "blind") -> HiddenBoard:
    """Return the board with its cards face down.

    Args:
        turns: the cards placed so far.
        first: the player who places the first card.
        seal: the game name and commitment on the sheets of the deal.
        ninth: ``blind``, or ``clear`` if the last zone stays empty (BR-Q20).
    """
    zones = hide_cards(turns)
    complete = len(turns) == CARDS_NEEDED - 1
    last = next(zone.zone for zone in zones if zone.turn is None)
    return HiddenBoard(
        zones=zones,
        next="" if complete else next_player(turns, first),
        blind=last if complete and ninth == "blind" else None,
        seal=seal,
    )


def read_hidden_board(record: Record) -> HiddenBoard:
    """Return the board of a record as it was before the reveal.

    Raises:
        RecordError: the record does not give the turn of each card, for example because its zones were given.
    """
    facts = facts_of(record)
    zones = _zones(facts)
    if sum(zone.turn is not None for zone in zones) != CARDS_NEEDED - 1:
        raise RecordError(
            "the record does not give the eight turns in which its cards were placed, so no card was hidden"
        )
    hidden_zones = tuple(HiddenZone(zone.number, zone.placed_by, zone.turn) for zone in zones)
    blind = next((zone.number for zone in zones if zone.is_blind), None)
    return HiddenBoard(zones=hidden_zones, blind=blind, seal=facts.seal)


def read_revealed_game(record: Record, accounts: Mapping[str, str], *, rules: Rules, words: Words) -> RevealedGame:
    """Return everything about a game after its reveal, from its record alone.

    Args:
        record: of this rule system.
        accounts: the account of each feature by the rule system, by ID.
        rules: of the game.
        words: the language of the cards.

    Raises:
        RecordError: the record does not give the cards of its nine zones.
    """
    placers = {feature.id: feature.origin.placed_by for feature in record.battlefield.features}
    facts = facts_of(record)
    hills = {hill.zone: hill for hill in facts.hills}
    return RevealedGame(
        title=record.battlefield.title,
        zones=tuple(
            _build_turned_zone(zone, placers.get(f"z{zone.number}", ""), hills.get(zone.number), rules, words)
            for zone in _zones(facts)
        ),
        courses=tuple(
            CourseAccount(id=feature.id, name=feature.name, account=accounts.get(feature.id, ""))
            for feature in record.battlefield.features
            if feature.origin.zone is None
        ),
        deploys_first=facts.deployment.deploys_first,
        moves_first=facts.deployment.moves_first,
        order=tuple(int(throw.answer) for throw in record.log if throw.stage == "order" and throw.asked == "d6"),
        pack=facts.deck,
        seal=facts.seal,
        salt=facts.salt,
        seed=record.seed,
        numbers=progress.numbers if (progress := recorded_progress(facts)) else {},
        settings=tuple(
            (setting.name, text)
            for setting in rules.book.settings
            if (text := record.settings.get(setting.key, setting.default)) != setting.default
        ),
    )


def _build_turned_zone(zone: ZoneFacts, placer: str, dice: HillDice | None, rules: Rules, words: Words) -> TurnedZone:
    card = read_card(zone.card) if zone.card else None
    return TurnedZone(
        zone=zone.number,
        card=build_face(card, rules, words) if card else None,
        becomes=describe_card(card, rules, words),
        placed_by=zone.placed_by,
        turn=zone.turn,
        is_blind=zone.is_blind,
        turned_by=placer if card and RevealTable.from_book(rules.book).look_up(card) else "",
        dice=dice,
    )


def _zones(facts: GameFacts) -> tuple[ZoneFacts, ...]:
    """Return the facts of each zone, 1 to 9.

    Raises:
        RecordError: a zone or its card is missing.
    """
    zones = {zone.number: zone for zone in facts.zones if zone.card or zone.turn is None}
    if sorted(zones) != list(ZONES) or sum(not zone.card for zone in zones.values()) > 1:
        raise RecordError("the record does not give the cards of zones 1 to 9; it was drawn by hand")
    return tuple(zones[zone] for zone in ZONES)
