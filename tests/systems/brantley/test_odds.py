"""The exact chances of the system, worked out from the pack and the tables of the rule book, and what the dice do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from playing import BOOK, BRANTLEY, dice_of, play, rules

from printkit.chance.dice import Dice, Scripted, Seeded
from printkit.chance.tables import DieTable
from printkit.core.errors import DiceError
from printkit.systems.brantley.board.features import site
from printkit.systems.brantley.board.hills import going, throw
from printkit.systems.brantley.dealing.cards import GOOD_GOING, PACK, RevealTable
from printkit.systems.brantley.dealing.deal import NEEDED, deal, roll_off, shuffle

F = Fraction
TABLE = RevealTable.of(BOOK)
OF_CARD = [result.name if (result := TABLE.look_up(card)) else GOOD_GOING for card in PACK]
COUNTS = Counter(OF_CARD)


def drawn(count: int, found: int, hand: int = NEEDED) -> Fraction:
    """Return the chance of exactly ``found`` among the cards on the board, of ``count`` such cards in the pack."""
    return F(comb(count, found) * comb(len(PACK) - count, hand - found), comb(len(PACK), hand))


def shares(table: DieTable[str], holds: tuple[str, ...] = ()) -> Mapping[str, Fraction]:
    """Return the chance of each outcome of a die table."""
    found: Counter[str] = Counter()
    for score in range(1, table.sides + 1):
        found[table.look_up(table.modified(score, holds))] += 1
    return {outcome: F(count, table.sides) for outcome, count in found.items()}


def hill_going(levels: int) -> Mapping[str, Fraction]:
    """Return the chances of a hill's going, by throwing every pair of dice."""
    result = next(found for found in TABLE.by_rank.values() if found.levels == levels)
    found: Counter[str] = Counter()
    for pair in product("123456", repeat=2):
        spot = site(rules(), BRANTLEY.board(), 1, result=result, placer="A", recorded=None)
        thrown = throw(spot, Dice(Scripted(pair, Seeded(1))))
        found[going(thrown, rules()).name] += 1
    return {name: F(count, 36) for name, count in found.items()}


@pytest.mark.clause("BR-P01")
def test_the_number_of_terrain_cards_on_a_board():
    terrain = len(PACK) - COUNTS[GOOD_GOING]
    chances = [drawn(terrain, count) for count in range(10)]
    half = [F(19, 22372), F(247, 22372), F(325, 5593), F(130, 799), F(1495, 5593)]
    assert chances == half + half[::-1]
    assert comb(52, 9) == 3_679_075_400
    assert sum(count * chance for count, chance in enumerate(chances)) == F(9, 2)


@pytest.mark.clause("BR-P02")
def test_black_cards_in_a_hand():
    black, hand = sum(card.is_black for card in PACK), len(deal(PACK, "block").hands["A"])
    chances = [drawn(black, count, hand) for count in range(hand + 1)]
    assert chances == [F(46, 833), F(208, 833), F(325, 833), F(208, 833), F(46, 833)]


@pytest.mark.clause("BR-P03")
@pytest.mark.parametrize(
    ("name", "in_zone", "mean", "none"),
    [
        ("good_going", F(1, 2), F(9, 2), F(19, 22372)),
        ("bua", F(1, 13), F(9, 13), F(3526, 7735)),
        ("heavy_woods", F(1, 26), F(9, 26), F(301, 442)),
        ("broken_ground", F(1, 26), F(9, 26), F(301, 442)),
        ("light_woods", F(3, 26), F(27, 26), F(33497, 111860)),
        ("marsh", F(1, 13), F(9, 13), F(3526, 7735)),
        ("hill_1", F(1, 13), F(9, 13), F(3526, 7735)),
        ("hill_2", F(1, 26), F(9, 26), F(301, 442)),
        ("lake", F(1, 26), F(9, 26), F(301, 442)),
    ],
)
def test_each_result_by_zone_and_board(name, in_zone, mean, none):
    assert F(COUNTS[name], len(PACK)) == in_zone
    assert sum(count * drawn(COUNTS[name], count) for count in range(10)) == mean
    assert drawn(COUNTS[name], 0) == none


@pytest.mark.clause("BR-P04")
@pytest.mark.parametrize("name", ["lake", "heavy_woods", "broken_ground", "hill_2"])
def test_how_many_of_what_the_pack_has_twice(name):
    assert [drawn(COUNTS[name], count) for count in range(3)] == [F(301, 442), F(129, 442), F(6, 221)]


@pytest.mark.clause("BR-P05")
@pytest.mark.parametrize("name", ["bua", "marsh", "hill_1"])
def test_how_many_of_what_the_pack_has_four_times(name):
    assert [drawn(COUNTS[name], count) for count in range(5)] == [
        F(3526, 7735), F(15867, 38675), F(4644, 38675), F(516, 38675), F(18, 38675),
    ]  # fmt: skip


@pytest.mark.clause("BR-P06", "BR-401", "BR-501")
def test_rivers_and_roads():
    rivers, roads = shares(BOOK.tables["rivers"]), shares(BOOK.tables["roads"])
    assert rivers == {"0": F(1, 2), "1": F(1, 3), "2": F(1, 6)}
    assert roads == {"0": F(1, 3), "1": F(1, 2), "2": F(1, 6)}
    assert sum(int(count) * chance for count, chance in rivers.items()) == F(2, 3)
    assert sum(int(count) * chance for count, chance in roads.items()) == F(5, 6)


@pytest.mark.clause("BR-P07")
def test_rivers_and_roads_together():
    found = Counter()
    for one, two in product(range(1, 7), repeat=2):
        found[int(BOOK.tables["rivers"].look_up(one)), int(BOOK.tables["roads"].look_up(two))] += F(1, 36)
    assert found == {
        (0, 0): F(1, 6), (0, 1): F(1, 4), (0, 2): F(1, 12), (1, 0): F(1, 9), (1, 1): F(1, 6), (1, 2): F(1, 18),
        (2, 0): F(1, 18), (2, 1): F(1, 12), (2, 2): F(1, 36),
    }  # fmt: skip


@pytest.mark.clause("BR-P08")
def test_steep_sides():
    one, two = shares(BOOK.tables["slope"]), shares(BOOK.tables["slope"], ("two levels",))
    assert one == {"0": F(2, 3), "1": F(1, 6), "2": F(1, 6)}
    assert two == {"0": F(1, 2), "1": F(1, 6), "2": F(1, 6), "all": F(1, 6)}
    low, high = COUNTS["hill_1"], COUNTS["hill_2"]
    both = {name: (low * one.get(name, 0) + high * two[name]) / (low + high) for name in two}
    assert both == {"0": F(11, 18), "1": F(1, 6), "2": F(1, 6), "all": F(1, 18)}


@pytest.mark.clause("BR-P09")
def test_woods_on_a_hill():
    assert shares(BOOK.tables["woods"]) == {"heavy_woods": F(1, 6), "light_woods": F(1, 3), "open": F(1, 2)}


@pytest.mark.clause("BR-P10", "BR-G25")
def test_the_going_of_a_hill():
    assert hill_going(1) == {"impassable": F(1, 6), "bad": F(1, 3), "good": F(1, 2)}
    assert hill_going(2) == {"impassable": F(11, 36), "bad": F(5, 18), "good": F(5, 12)}


@pytest.mark.clause("BR-P11")
def test_the_going_of_a_zone():
    found: Counter[str] = Counter()
    for card in PACK:
        result = TABLE.look_up(card)
        if result is None:
            found["good"] += F(1, 52)
        elif result.going is not None:
            found[result.going.name] += F(1, 52)
        else:
            for name, chance in hill_going(result.levels).items():
                found[name] += F(1, 52) * chance
    assert found == {"impassable": F(95, 936), "bad": F(161, 468), "good": F(173, 312)}


@pytest.mark.clause("BR-P12", "BR-Q17", "BR-402", "BR-502")
def test_a_roll_off():
    found: Counter[str] = Counter()
    for pair in product("123456", repeat=2):
        try:
            found[roll_off(Dice(Scripted(pair, Seeded(1))), "x", "", rules())] += F(1, 36)
        except DiceError:
            found["tie"] += F(1, 36)
    assert found == {"A": F(5, 12), "B": F(5, 12), "tie": F(1, 6)}
    assert 1 / (1 - found["tie"]) == F(6, 5)


@pytest.mark.clause("BR-P13")
def test_an_end_in_a_lake_or_a_town():
    some_river = 1 - shares(BOOK.tables["rivers"])["0"]
    some_road = 1 - shares(BOOK.tables["roads"])["0"]
    assert some_river * (1 - drawn(COUNTS["lake"], 0)) == F(141, 884)
    assert some_road * (1 - drawn(COUNTS["bua"], 0)) == F(2806, 7735)


@pytest.mark.clause("BR-P14")
def test_the_fewest_dice_of_a_game_are_four():
    found = {
        len(dice_of(play(f"{river} {road} 1 2", zones="AH 2H 3H 4H 5H 6H 7H 8H 9H")))
        for river in "456"
        for road in "56"
    }
    assert found == {4}


@pytest.mark.clause("BR-P01", "BR-P02", "BR-202")
def test_a_hundred_deals_follow_the_chances():
    """Within four standard deviations: a mean of 4.5, and the share of each number of terrain cards."""
    boards, hands = Counter(), Counter()
    for seed in range(100):
        pack = shuffle(Dice(Seeded(seed), "deal"))
        boards[sum(card.is_black for card in pack[:NEEDED])] += 1
        hands[sum(card.is_black for card in deal(pack, "block").hands["B"])] += 1
    for counted, size in ((boards, NEEDED), (hands, 4)):
        for count in range(size + 1):
            chance = float(drawn(26, count, size))
            assert abs(counted[count] - 100 * chance) <= 4 * (100 * chance * (1 - chance)) ** 0.5 + 1
