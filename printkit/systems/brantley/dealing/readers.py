"""What each reader of a sheet may know: values made of a deal or a record, which lack everything else.

A secret is not painted over on a sheet; it is not in the value of which the sheet is drawn (BR-204, BR-M12, BR-M15).
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
from printkit.systems.brantley.dealing.deal import hide_cards as hidden_zones
from printkit.systems.brantley.dealing.decks import build_face, describe_card, distinct_faces
from printkit.systems.brantley.dealing.facts import GameFacts, HillDice, Seal, ZoneFacts, facts_of
from printkit.systems.brantley.dealing.progress import recorded_progress
from printkit.terrain.field.record import Record


def seal_line(seal: Seal, words: Words) -> str:
    """Return game and commitment as they stand on sheets and screens; of an open game, that it hides nothing."""
    told = words("dealing.seal", game=seal.game, commitment=seal.grouped)
    return f"{told}. {words('dealing.open')}" if seal.is_open else told


def numbers_line(numbers: Mapping[str, int], words: Words) -> str:
    """Return the numbers that players have given for the dice, as sheets and screens have them."""
    return words("dealing.numbers", numbers=", ".join(f"{player} {number}" for player, number in numbers.items()))


class Held(Struct, frozen=True, kw_only=True):
    """A card as its holder sees it: his name for it, its face, and what it will put on the board."""

    slot: str
    card: Card
    becomes: str


class HandSheet(Struct, frozen=True, kw_only=True):
    """The private sheet of one player: his four cards in the order dealt, and whose turn comes first (BR-A05).

    ``distinct_faces`` are cards of the whole pack, one of each wording: the same in every game, so that they give
    nothing away.
    """

    seal: Seal
    player: str
    first: str
    held: tuple[Held, ...]
    kinds: tuple[Card, ...] = ()


class Sealed(Struct, frozen=True, kw_only=True):
    """The sheet of the ninth card, which nobody opens before all others lie (BR-A06); ``distinct_faces`` as of a
    hand."""

    seal: Seal
    card: Card
    becomes: str
    kinds: tuple[Card, ...] = ()


class Hidden(Struct, frozen=True, kw_only=True):
    """The board with its cards face down, for everybody (BR-A08).

    ``next`` lays the next card; it is empty once eight lie, and ``blind`` then is the zone of the ninth card: None
    before, and where the players agreed to leave the last zone clear. ``seal`` is None where nothing was dealt in
    secret. ``codes`` has, by zone, the number of the line that placed its card, and the code of
    that line; ``last`` is the last line of the game, such as ``8 A a4 9``, and its code.
    """

    zones: tuple[HiddenZone, ...]
    next: str = ""
    blind: int | None = None
    seal: Seal | None = None
    codes: Mapping[int, tuple[int, str]] = {}
    last: tuple[str, str] = ("", "")

    @property
    def laid(self) -> int:
        """Return how many cards the players have laid."""
        return sum(zone.turn is not None for zone in self.zones)


class TurnedZone(Struct, frozen=True, kw_only=True):
    """A zone after the reveal: its card, who laid it and when, who put its feature down, and the dice of its hill.

    ``card`` is None where the last zone was left clear; ``turned_by`` is empty where nothing was put down.
    """

    zone: int
    card: Card | None
    becomes: str
    laid_by: str = ""
    turn: int | None = None
    is_blind: bool = False
    turned_by: str = ""
    dice: HillDice | None = None


class Told(Struct, frozen=True, kw_only=True):
    """How one river, road or crossing came about: its ID, its name where it has one, and a few plain sentences."""

    id: str
    name: str
    account: str


class Revealed(Struct, frozen=True, kw_only=True):
    """Everything about a game after its reveal (BR-A09).

    ``pack`` is the whole pack in the order shuffled, by code; empty where only the cards of the zones are known.
    ``order`` are the dice for the order of deployment, A and B by turns. ``seal`` and ``salt`` are those of a game
    that was dealt in secret, with which anybody can prove the pack. ``seed`` is that of the dice, which the ``numbers``
    of the players change. ``settings`` are those that are not
    the usual ones, and ``dice`` all that were thrown, with what for, in their order.
    """

    title: str
    zones: tuple[TurnedZone, ...]
    courses: tuple[Told, ...]
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


def hand_sheet(dealt: Deal, player: str, first: str, *, seal: Seal, rules: Rules, words: Words) -> HandSheet:
    """Return what one player may know; of the rest of the pack nothing is in it."""
    held = tuple(
        Held(
            slot=f"{player.lower()}{place}",
            card=build_face(card, rules, words),
            becomes=describe_card(card, rules, words),
        )
        for place, card in enumerate(dealt.hands[player], 1)
    )
    return HandSheet(seal=seal, player=player, first=first, held=held, kinds=distinct_faces(rules, words))


def sealed_ninth(dealt: Deal, *, seal: Seal, rules: Rules, words: Words) -> Sealed:
    """Return the ninth card."""
    ninth = dealt.ninth
    told = describe_card(ninth, rules, words)
    return Sealed(seal=seal, card=build_face(ninth, rules, words), becomes=told, kinds=distinct_faces(rules, words))


def hidden(turns: Sequence[ZoneCard], first: str, *, seal: Seal | None = None, ninth: str = "blind") -> Hidden:
    """Return the board with its cards face down, as far as they lie.

    Args:
        turns: those laid so far.
        first: who lays the first card.
        seal: what the sheets of the deal bear.
        ninth: ``blind``, or ``clear`` where the last zone stays empty (BR-Q20).
    """
    zones = hidden_zones(turns)
    complete = len(turns) == CARDS_NEEDED - 1
    last = next(zone.zone for zone in zones if zone.turn is None)
    return Hidden(
        zones=zones,
        next="" if complete else next_player(turns, first),
        blind=last if complete and ninth == "blind" else None,
        seal=seal,
    )


def hidden_of(record: Record) -> Hidden:
    """Return the board of a record as it lay before its reveal.

    Raises:
        RecordError: the record does not say which card was laid when, as one of given zones.
    """
    facts = facts_of(record)
    zones = _zones(facts)
    if sum(zone.turn is not None for zone in zones) != CARDS_NEEDED - 1:
        raise RecordError(
            "the record does not give the eight turns in which its cards were placed, so no card was hidden"
        )
    shown = tuple(HiddenZone(zone.number, zone.placed_by, zone.turn) for zone in zones)
    blind = next((zone.number for zone in zones if zone.is_blind), None)
    return Hidden(zones=shown, blind=blind, seal=facts.seal)


def revealed(record: Record, accounts: Mapping[str, str], *, rules: Rules, words: Words) -> Revealed:
    """Return everything about a game after its reveal, from its record alone.

    Args:
        record: of this rule system.
        accounts: how each feature came about, by ID, as the rule system tells it.
        rules: of the game.
        words: the language of the cards.

    Raises:
        RecordError: the record does not tell the cards of its nine zones.
    """
    placers = {feature.id: feature.origin.placed_by for feature in record.battlefield.features}
    facts = facts_of(record)
    hills = {hill.zone: hill for hill in facts.hills}
    return Revealed(
        title=record.battlefield.title,
        zones=tuple(
            _turned(zone, placers.get(f"z{zone.number}", ""), hills.get(zone.number), rules, words)
            for zone in _zones(facts)
        ),
        courses=tuple(
            Told(id=feature.id, name=feature.name, account=accounts.get(feature.id, ""))
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


def _turned(zone: ZoneFacts, placer: str, dice: HillDice | None, rules: Rules, words: Words) -> TurnedZone:
    card = read_card(zone.card) if zone.card else None
    return TurnedZone(
        zone=zone.number,
        card=build_face(card, rules, words) if card else None,
        becomes=describe_card(card, rules, words),
        laid_by=zone.placed_by,
        turn=zone.turn,
        is_blind=zone.is_blind,
        turned_by=placer if card and RevealTable.from_book(rules.book).look_up(card) else "",
        dice=dice,
    )


def _zones(facts: GameFacts) -> tuple[ZoneFacts, ...]:
    """Return the facts of each zone, 1 to 9.

    Raises:
        RecordError: they are not there.
    """
    found = {zone.number: zone for zone in facts.zones if zone.card or zone.turn is None}
    if sorted(found) != list(ZONES) or sum(not zone.card for zone in found.values()) > 1:
        raise RecordError("the record does not give the cards of zones 1 to 9; it was drawn by hand")
    return tuple(found[zone] for zone in ZONES)
