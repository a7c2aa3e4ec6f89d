"""Card policies of automatic players: random, terrain-hungry or clear-centre (BR-M21..M27)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.kit.book import BookRow
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.cards import PlayingCard, RevealTable
from printkit.systems.brantley.dealing.deal import HAND_SIZE, PLAYERS, ZONES, Deal, ZoneCard, opponent


class PolicyState(Struct, frozen=True, kw_only=True):
    """The state for the decision of a policy: hand in deal order, empty zones in ascending order, turn number."""

    player: str
    turn: int
    hand: tuple[PlayingCard, ...]
    empty: tuple[int, ...]
    table: RevealTable
    rules: Rules

    def first_empty(self, zones: Sequence[int]) -> int | None:
        """Return the first empty zone of a list written for A, or None; for B the list is mirrored (BR-M23).

        Mirrored means that zone 1 becomes 9, 2 becomes 8 and so on.
        """
        player_zones = zones if self.player == "A" else [len(ZONES) + 1 - zone for zone in zones]
        return next((zone for zone in player_zones if zone in self.empty), None)

    def result_name(self, card: PlayingCard) -> str:
        """Return the result of a card: the name of its feature in the rule book, or good going in words."""
        feature = self.table.look_up(card)
        return feature.name if feature else Sentence("good going")


ZoneNumber: TypeAlias = Annotated[int, Meta(ge=1, le=9)]
Turn: TypeAlias = tuple[PlayingCard, int]
Policy: TypeAlias = Callable[[PolicyState, Dice], Turn]


def place_all_cards(deal: Deal, first_player: str, rules: Rules, dice: Dice) -> tuple[ZoneCard, ...]:
    """Return the eight turns in which both players place their hands by their policies.

    Each has its number, from 1, and players take turns. The log contains only random choices. The decisions of a policy
    follow from the hands, so a replay repeats them. ``first_player`` is A or B; the policy of each player is a setting
    of the rules.
    """
    table, hands = RevealTable.from_book(rules.book), dict(deal.hands)
    turns: list[ZoneCard] = []
    player = first_player
    for number in range(1, len(PLAYERS) * HAND_SIZE + 1):
        state = PolicyState(
            player=player,
            turn=number,
            hand=hands[player],
            empty=tuple(zone for zone in ZONES if zone not in {turn.zone for turn in turns}),
            table=table,
            rules=rules,
        )
        card, zone = POLICIES[rules.choice(f"policy-{player.lower()}")](state, dice)
        turns.append(ZoneCard(zone=zone, card=card, placed_by=player, turn=number))
        hands[player] = tuple(hand_card for hand_card in hands[player] if hand_card != card)
        player = opponent(player)
    return tuple(turns)


def choose_at_random(state: PolicyState, dice: Dice) -> Turn:
    """Return any card of the hand and any empty zone, by chance (BR-M24).

    Both choices are logged in ``dice``, the card first.
    """
    values = {"player": state.player, "turn": state.turn}
    card = dice.choose(
        state.hand, Sentence("card of {player}, turn {turn:d}", **values), "BR-M24", asks=True, brings=state.result_name
    )
    return card, dice.choose(state.empty, Sentence("zone of {player}, turn {turn:d}", **values), "BR-M24", asks=True)


def choose_terrain_first(state: PolicyState, _dice: Dice) -> Turn:
    """Return the most restrictive card, and the first empty zone in the rule book's list (BR-M25).

    No dice are rolled.

    Raises:
        BookError: the rule book has no row for the policy.
        FileError: its list leaves a zone out.
    """
    row = state.rules.row("policies", "policy", "terrain-hungry")
    zone = state.first_empty(row.need("zones", list[ZoneNumber]))
    return state.table.sort_by_restriction(state.hand)[0], _require_zone(zone, row)


def choose_clear_centre(state: PolicyState, _dice: Dice) -> Turn:
    """Return a card and a zone: good going for the centre, terrain for the flanks, if possible (BR-M26).

    Zones come from the rule book's lists. The most restrictive card is placed on a flank. If only the centre is empty,
    the least restrictive terrain goes there. No dice are rolled.

    Raises:
        BookError: the rule book has no row for the policy.
        FileError: its lists leave a zone out.
    """
    row = state.rules.row("policies", "policy", "clear-centre")
    centre = state.first_empty(row.need("zones", list[ZoneNumber]))
    flank = state.first_empty(row.need("flanks", list[ZoneNumber]))
    cards = state.table.sort_by_restriction(state.hand)
    good_cards = [card for card in cards if state.table.look_up(card) is None]
    terrain_cards = [card for card in cards if state.table.look_up(card) is not None]
    if good_cards and centre is not None:
        return good_cards[0], centre
    if terrain_cards and flank is not None:
        return terrain_cards[0], flank
    if terrain_cards:
        return terrain_cards[-1], _require_zone(centre, row)
    return good_cards[0], _require_zone(flank, row)


POLICIES: Final[Mapping[str, Policy]] = {
    "random": choose_at_random,
    "terrain-hungry": choose_terrain_first,
    "clear-centre": choose_clear_centre,
}


def _require_zone(zone: int | None, row: BookRow) -> int:
    """Return a zone that is not None.

    Raises:
        FileError: there is no zone, because the lists of the policy's row leave one out.
    """
    if zone is None:
        raise row.error(Sentence("a zone is missing; the row must list all nine"))
    return zone
