"""The judge on automatic players: whether each card was laid where its policy lays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from printkit.chance.dice import Act
from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.judge.cards import hands, laid
from printkit.systems.brantley.judge.case import PLAYERS, Case, Check
from printkit.systems.brantley.judge.judge_pack import RANKS, SUITS, laying_order

Turn: TypeAlias = tuple[str, int]
"""The card laid and the zone that it goes to."""


def terrain_hungry(case: Case, hand: Sequence[str], empty: Sequence[int], player: str) -> Turn:
    """Return a turn of BR-M25: the worst card of the hand to the first empty zone of the list."""
    zones, _ = laying_order(case.book, "terrain-hungry")
    return sorted(hand, key=partial(_strictness, case))[0], _first(zones, empty, player) or empty[0]


def clear_centre(case: Case, hand: Sequence[str], empty: Sequence[int], player: str) -> Turn:
    """Return a turn of BR-M26: good going to the middle, else terrain to the flanks, else what must be."""
    ordered = sorted(hand, key=partial(_strictness, case))
    good = [card for card in ordered if case.reveal(card) is None]
    terrain = [card for card in ordered if case.reveal(card) is not None]
    centre, flank = (_first(zones, empty, player) for zones in laying_order(case.book, "clear-centre"))
    if good and centre:
        return good[0], centre
    if terrain and flank:
        return terrain[0], flank
    if terrain and centre:
        return terrain[-1], centre
    return good[0], flank or empty[0]


def played_by(policy: str) -> Check:
    """Return the check that each turn of a player with this policy is the one that it makes."""
    turn = {"terrain-hungry": terrain_hungry, "clear-centre": clear_centre}[policy]

    def check(case: Case) -> Faults:
        players = [player for player in PLAYERS if case.setting(f"policy-{player.lower()}") == policy]
        if not players:
            raise UnseenError("nobody played {policy}", policy=policy)
        left = {player: list(hand) for player, hand in hands(case).items()}
        empty = list(range(1, 10))
        for slot in laid(case):
            hand = left.get(slot.placed_by, [])
            if slot.placed_by in players and hand:
                card, zone = turn(case, hand, empty, slot.placed_by)
                if (card, zone) != (slot.card, slot.number):
                    yield Sentence(
                        "turn {turn}: {placed_by} laid {slot_card} in {number}, not {card} in {zone}",
                        turn=slot.turn,
                        placed_by=slot.placed_by,
                        slot_card=slot.card,
                        number=slot.number,
                        card=card,
                        zone=zone,
                    )
            if slot.card not in hand or slot.number not in empty:
                return
            hand.remove(slot.card)
            empty.remove(slot.number)

    return check


def as_chosen(case: Case) -> Faults:
    """BR-M24: the cards and zones on the board are those that chance chose, turn by turn."""
    chosen = [throw.answer for throw in case.throws("placing") if throw.act is Act.CHOICE and throw.clause == "BR-M24"]
    random = [slot for slot in laid(case) if case.setting(f"policy-{slot.placed_by.lower()}") == "random"]
    if not chosen:
        raise UnseenError("the log has no turn left to chance")
    played = [text for slot in random for text in (slot.card, str(slot.number))]
    if chosen != played:
        place = next((n for n, (one, two) in enumerate(zip(chosen, played, strict=False)) if one != two), 0)
        yield Sentence(
            "by the log the cards and zones were {chosen}; from the {number}. on the board differs",
            chosen=" ".join(chosen),
            number=place + 1,
        )


def _strictness(case: Case, card: str) -> tuple[int, int, int]:
    """Return the place of a card in the order of BR-M22."""
    found = case.reveal(card)
    return found.order if found else len(case.table), RANKS.index(card[:-1]), SUITS.index(card[-1])


def _first(zones: Sequence[int], empty: Sequence[int], player: str) -> int | None:
    """Return the first empty zone of a list that is written for A; B reads it from his own side (BR-M23)."""
    mine = zones if player == "A" else [10 - zone for zone in zones]
    return next((zone for zone in mine if zone in empty), None)


CHECKS: Final[Mapping[str, Check]] = {
    "BR-M24": as_chosen,
    "BR-M25": played_by("terrain-hungry"),
    "BR-M26": played_by("clear-centre"),
}
