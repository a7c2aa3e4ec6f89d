"""The bound deck: every pair of two dice once, and at every level and loss the odds of two dice, counted out."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solo_games import RULES

from printkit.core.errors import UsageError
from printkit.core.words import Words
from printkit.systems.solo.cards.bound_deck import build_bound_deck, list_bounds, shuffle_values
from printkit.systems.solo.tactics.tactics_tables import Action, Level, Stance, tactics

ENGLISH = Words(("en",))
TABLES = tactics(RULES)
DECK = list_bounds(TABLES)
LETTERS = {Stance.DEFENSIVE: "D", Stance.CAUTIOUS: "C", Stance.AGGRESSIVE: "A"}

ODDS = {
    -3: (30, 6, 0), -2: (24, 10, 2), -1: (18, 12, 6), 0: (12, 12, 12),
    1: (6, 12, 18), 2: (2, 10, 24), 3: (0, 6, 30), 4: (0, 2, 34),
}  # fmt: skip
"""Defensive, cautious, aggressive of 36 throws by NET, as the specification prints them (5.3)."""


def by_the_rules(level: Level, npg: int, you: int, pips: int, die: int) -> str:
    """Return the stance as the clauses say it, modifier by modifier, with no help of the tables."""
    total = die - npg + you
    total += {Level.DEFENSIVE: -1, Level.NEUTRAL: 0, Level.AGGRESSIVE: 1}[level]
    total += -1 if pips in (1, 2) else 1 if pips in (5, 6) else 0
    total += 4 if npg == 3 and you <= 2 else 0
    return "D" if total <= 2 else "C" if total <= 4 else "A"


@pytest.mark.clause("ST-72", "SD-5.4-b", "SD-5.4-c")
def test_every_pair_of_two_dice_is_there_once_and_the_sums_are_those_of_two_dice() -> None:
    assert [bound.number for bound in DECK] == list(range(1, 37))
    assert {(bound.pips, bound.die) for bound in DECK} == set(product(range(1, 7), repeat=2))
    assert all((bound.pips, bound.die) == ((n - 1) // 6 + 1, (n - 1) % 6 + 1) for n, bound in enumerate(DECK, 1))
    sums = Counter(bound.sum for bound in DECK)
    assert [sums[total] for total in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert Counter(bound.die for bound in DECK) == dict.fromkeys(range(1, 7), 6)
    # Two cards in three let an override pass.
    assert {bound.die for bound in DECK if bound.is_free} == {3, 4, 5, 6}
    assert sum(bound.is_free for bound in DECK) == 24


@pytest.mark.clause("ST-73")
def test_strips_of_the_specification() -> None:
    strips = {(1, 1): "DDDDDDCC", (2, 5): "DDCCAAAA", (4, 5): "DCCAAAAA", (6, 6): "CAAAAAAA"}
    for number, pair in zip((1, 11, 23, 36), strips, strict=True):
        bound = DECK[number - 1]
        assert (bound.pips, bound.die) == pair
        assert "".join(LETTERS[stance] for stance in bound.strip) == strips[pair]


@pytest.mark.clause("ST-74", "ST-67", "SD-5.3-r1", "SD-5.3-r2", "SD-5.3-r3", "SD-5.3-b")
@pytest.mark.parametrize("net", ODDS)
def test_every_column_of_the_strips_has_the_odds_of_two_dice(net: int) -> None:
    column = Counter(bound.strip[net + 3] for bound in DECK)
    order = (Stance.DEFENSIVE, Stance.CAUTIOUS, Stance.AGGRESSIVE)
    assert tuple(column[stance] for stance in order) == ODDS[net]
    assert tuple(TABLES.odds(net)[stance] for stance in order) == ODDS[net]


@pytest.mark.clause("SD-5.3-m1..SD-5.3-m7", "SD-5.3-a", "ST-74")
def test_at_every_level_and_loss_the_deck_is_two_dice() -> None:
    """Every one of 3 x 16 states by all 36 throws: the card of the throw, read at NET, says what the rules say."""
    nets = list(TABLES.nets())
    for level, npg, you in product(Level, range(4), range(4)):
        column = nets.index(TABLES.net_of(level, npg, you))
        for bound in DECK:
            said = LETTERS[bound.strip[column]]
            assert said == by_the_rules(level, npg, you, bound.pips, bound.die), (level, npg, you, bound)


@pytest.mark.clause("ST-68", "SD-5.3-m7")
def test_the_loss_index_is_the_table_of_the_specification() -> None:
    found = [[TABLES.loss_index(npg, you) for you in range(4)] for npg in range(4)]
    assert found == [[0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1], [1, 2, 3, 0]]
    assert TABLES.loss_index(4, 1) == -3


@pytest.mark.clause("ST-69", "SD-5.3-A1..SD-5.3-A11", "SD-5.3-C1..SD-5.3-C10", "SD-5.3-D1..SD-5.3-D9")
def test_the_places_of_the_lists() -> None:
    order = (Stance.AGGRESSIVE, Stance.CAUTIOUS, Stance.DEFENSIVE)
    assert [len(TABLES.permitted[stance]) for stance in order] == [11, 10, 9]
    places = {
        Action.RECKLESS_ATTACK: (6, None, None),
        Action.FORM_COLUMN: (None, 9, None),
        Action.REARRANGE_LINE: (None, None, None),
        Action.REPAIR_LINE: (10, 10, 1),
        Action.AGGRESSIVE_ATTACK: (4, None, None),
        Action.SAFE_ATTACK: (1, 2, 6),
        Action.SUPPORT_ATTACK: (2, 3, 7),
        Action.CALCULATED_ATTACK: (3, 5, 8),
        Action.AGGRESSIVE_MANOEUVRE: (5, 6, 9),
        Action.OCCUPY_TERRAIN: (7, 4, 5),
        Action.DEFENSIVE_MANOEUVRE: (8, 1, 2),
        Action.REENFORCE: (9, 8, 3),
        Action.FORM_LINE: (11, 7, 4),
    }
    assert {action: tuple(TABLES.place(stance, action) for stance in order) for action in Action} == places
    for stance in order:
        clauses = [each.clause for each in TABLES.permitted[stance]]
        assert clauses == [f"SD-5.3-{LETTERS[stance]}{each.place}" for each in TABLES.permitted[stance]]


@given(seed=st.integers(min_value=0, max_value=10**9))
@settings(max_examples=20, deadline=None)
def test_a_seed_shuffles_and_loses_nothing(seed: int) -> None:
    found = shuffle_values(DECK, seed)
    assert sorted(found, key=lambda bound: bound.number) == list(DECK)
    assert found == shuffle_values(DECK, seed)


def test_the_printed_order_is_that_of_the_seed_alone_and_two_copies_are_72_cards_in_one_shuffle() -> None:
    every = [f"B{number:02}" for number in range(1, 37)]
    orders = {tuple(card.id for card in build_bound_deck(ENGLISH, RULES, seed=seed).cards) for seed in (1, 2, 3)}
    assert len(orders) == 3
    assert tuple(every) not in orders
    two = build_bound_deck(ENGLISH, RULES, seed=4, copies=2)
    assert Counter(card.id for card in two.cards) == dict.fromkeys(every, 2)
    with pytest.raises(UsageError, match="printkit prints 1 to 4 copies of the bound deck, not 0"):
        build_bound_deck(ENGLISH, RULES, seed=4, copies=0)


def test_what_a_card_says() -> None:
    deck = build_bound_deck(ENGLISH, RULES, seed=1)
    card = next(card for card in deck.cards if card.id == "B23")
    assert card.foot == "4/5"
    assert card.facts["said"] == {
        "pips": "PIPS", "stance": "STANCE", "net": "NET", "override": "OVERRIDE YES", "sum": "2D6 = 9",
    }  # fmt: skip
    assert card.facts["nets"] == ("−3", "−2", "−1", "0", "+1", "+2", "+3", "+4")
    assert (deck.backs, deck.back_edge) == ("secret", 4.25)
    spanish = next(card for card in build_bound_deck(Words(("es",)), RULES, seed=1).cards if card.id == "B01")
    assert spanish.facts["said"]["override"] == "ANULAR: NO"  # type: ignore[index]
