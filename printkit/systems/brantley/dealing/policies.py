"""Card policies of automatic players: random, terrain-hungry or clear-centre (BR-M21..M27)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import BookError, Sentence
from printkit.kit.book import BookRow
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.cards import PlayingCard, RevealTable
from printkit.systems.brantley.dealing.deal import HAND, PLAYERS, ZONES, Deal, ZoneCard, other


class PolicyState(Struct, frozen=True, kw_only=True):
    """The state for the decision of a policy: hand in deal order, empty zones in ascending order, turn number."""

    player: str
    turn: int
    hand: tuple[PlayingCard, ...]
    empty: tuple[int, ...]
    table: RevealTable
    rules: Rules

    def first_empty(self, zones: Sequence[int]) -> int | None:
        """Return the first empty zone of a list written for A; for B the list is mirrored (BR-M23)."""
        own = zones if self.player == "A" else [len(ZONES) + 1 - zone for zone in zones]
        return next((zone for zone in own if zone in self.empty), None)

    def result(self, card: PlayingCard) -> str:
        """Return the result of a card: the name of its feature, or good going."""
        found = self.table.look_up(card)
        return found.name if found else Sentence("good going")


Turn: TypeAlias = tuple[PlayingCard, int]
Policy: TypeAlias = Callable[[PolicyState, Dice], Turn]


def lay_all(dealt: Deal, first: str, rules: Rules, dice: Dice) -> tuple[ZoneCard, ...]:
    """Return the eight turns that place both hands.

    The log contains only random choices. The decisions of a policy follow from the hands, so a replay repeats them.
    """
    table, hands = RevealTable.of(rules.book), dict(dealt.hands)
    turns: list[ZoneCard] = []
    player = first
    for number in range(1, len(PLAYERS) * HAND + 1):
        moment = PolicyState(
            player=player,
            turn=number,
            hand=hands[player],
            empty=tuple(zone for zone in ZONES if zone not in {turn.zone for turn in turns}),
            table=table,
            rules=rules,
        )
        card, zone = POLICIES[rules.choice(f"policy-{player.lower()}")](moment, dice)
        turns.append(ZoneCard(zone=zone, card=card, placed_by=player, turn=number))
        hands[player] = tuple(held for held in hands[player] if held != card)
        player = other(player)
    return tuple(turns)


def at_random(moment: PolicyState, dice: Dice) -> Turn:
    """Choose any card of the hand, then any empty zone (BR-M24)."""
    turn = {"player": moment.player, "turn": moment.turn}
    card = dice.choose(
        moment.hand, Sentence("card of {player}, turn {turn:d}", **turn), "BR-M24", asks=True, brings=moment.result
    )
    return card, dice.choose(moment.empty, Sentence("zone of {player}, turn {turn:d}", **turn), "BR-M24", asks=True)


def terrain_hungry(moment: PolicyState, _dice: Dice) -> Turn:
    """Choose the most restrictive card, and the empty zone nearest to the middle (BR-M25)."""
    row = _row(moment.rules, "terrain-hungry")
    zone = moment.first_empty(_zones(row, "zones"))
    return moment.table.most_restrictive_first(moment.hand)[0], _found(zone, row)


def clear_centre(moment: PolicyState, _dice: Dice) -> Turn:
    """Choose good going for the central zones and terrain for the flanks, while that is possible (BR-M26)."""
    row = _row(moment.rules, "clear-centre")
    centre = moment.first_empty(_zones(row, "zones"))
    flank = moment.first_empty(_zones(row, "flanks"))
    cards = moment.table.most_restrictive_first(moment.hand)
    good = [card for card in cards if moment.table.look_up(card) is None]
    terrain = [card for card in cards if moment.table.look_up(card) is not None]
    if good and centre is not None:
        return good[0], centre
    if terrain and flank is not None:
        return terrain[0], flank
    if terrain:
        return terrain[-1], _found(centre, row)
    return good[0], _found(flank, row)


POLICIES: Final[Mapping[str, Policy]] = {
    "random": at_random,
    "terrain-hungry": terrain_hungry,
    "clear-centre": clear_centre,
}


def _row(rules: Rules, policy: str) -> BookRow:
    for row in rules.rows("policies"):
        if row.need("policy", str) == policy:
            return row
    raise BookError(
        "{file}: [rows] policies has no row for {policy!r}; add its zones", file=rules.book.file, policy=policy
    )


def _zones(row: BookRow, name: str) -> list[int]:
    zones: list[int] = row.need(name, list)
    if any(zone not in ZONES for zone in zones):
        raise BookError(
            "{place}: {name} = {zones} contains a number that is not a zone from 1 to 9",
            place=row.place,
            name=name,
            zones=zones,
        )
    return zones


def _found(zone: int | None, row: BookRow) -> int:
    if zone is None:
        raise BookError("{place} leaves out a zone; its lists must contain all nine", place=row.place)
    return zone
