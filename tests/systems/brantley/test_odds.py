"""The exact chances of the system, worked out from the pack and the tables of the rule book, and what the dice do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from playing import BOOK, BRANTLEY, RED, dice_of, play, rules

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.tables import DieTable
from printkit.core.errors import DiceError
from printkit.systems.brantley.board.features import build_site
from printkit.systems.brantley.board.hills import going, roll_hill_dice
from printkit.systems.brantley.dealing.cards import GOOD_GOING, PACK, RevealTable
from printkit.systems.brantley.dealing.deal import CARDS_NEEDED, deal_hands, roll_off, shuffle

F = Fraction
TABLE = RevealTable.from_book(BOOK)
OF_CARD = [result.name if (result := TABLE.look_up(card)) else GOOD_GOING for card in PACK]
COUNTS = Counter(OF_CARD)


def drawn(count: int, found: int, hand: int = CARDS_NEEDED) -> Fraction:
    """Return the chance of exactly ``found`` among the cards on the board, of ``count`` such cards in the pack."""
    return F(comb(count, found) * comb(len(PACK) - count, hand - found), comb(len(PACK), hand))


def shares(table: DieTable[str], holds: tuple[str, ...] = ()) -> Mapping[str, Fraction]:
    """Return the chance of each outcome of a die table."""
    found: Counter[str] = Counter()
    for score in range(1, table.sides + 1):
        found[table.look_up(table.apply_modifiers(score, holds))] += 1
    return {outcome: F(count, table.sides) for outcome, count in found.items()}


def hill_going(levels: int) -> Mapping[str, Fraction]:
    """Return the chances of a hill's going, by throwing every pair of dice."""
    result = next(found for found in TABLE.by_rank.values() if found.levels == levels)
    found: Counter[str] = Counter()
    for pair in product("123456", repeat=2):
        spot = build_site(rules(), BRANTLEY.board(), 1, result=result, placer="A", recorded_feature=None)
        thrown = roll_hill_dice(spot, Dice(ScriptedSource(pair, Seeded(1))))
        found[going(thrown, rules()).name] += 1
    return {name: F(count, 36) for name, count in found.items()}


@pytest.mark.clause("BR-P01", "BR-P02")
def test_the_number_of_terrain_cards_on_a_board_and_in_a_hand():
    terrain = len(PACK) - COUNTS[GOOD_GOING]
    assert terrain == sum(card.is_black for card in PACK)
    chances = [drawn(terrain, count) for count in range(10)]
    half = [F(19, 22372), F(247, 22372), F(325, 5593), F(130, 799), F(1495, 5593)]
    assert chances == half + half[::-1]
    assert comb(52, 9) == 3_679_075_400
    assert sum(count * chance for count, chance in enumerate(chances)) == F(9, 2)
    hand = len(deal_hands(PACK).hands["A"])
    chances = [drawn(terrain, count, hand) for count in range(hand + 1)]
    assert chances == [F(46, 833), F(208, 833), F(325, 833), F(208, 833), F(46, 833)]


@pytest.mark.clause("BR-P03")
@pytest.mark.parametrize(
    ("name", "in_zone", "mean", "none"),
    [
        ("good_going", F(1, 2), F(9, 2), F(19, 22372)),
        ("light_woods", F(3, 26), F(27, 26), F(33497, 111860)),
        *((name, F(1, 13), F(9, 13), F(3526, 7735)) for name in ("bua", "marsh", "hill_1")),
        *((name, F(1, 26), F(9, 26), F(301, 442)) for name in ("heavy_woods", "broken_ground", "hill_2", "lake")),
    ],
)
def test_each_result_by_zone_and_board(name, in_zone, mean, none):
    assert F(COUNTS[name], len(PACK)) == in_zone
    assert sum(count * drawn(COUNTS[name], count) for count in range(10)) == mean
    assert drawn(COUNTS[name], 0) == none


@pytest.mark.clause("BR-P04", "BR-P05")
@pytest.mark.parametrize(
    ("names", "chances"),
    [
        (("lake", "heavy_woods", "broken_ground", "hill_2"), [F(301, 442), F(129, 442), F(6, 221)]),
        (("bua", "marsh", "hill_1"), [F(3526, 7735), *(F(part, 38675) for part in (15867, 4644, 516, 18))]),
    ],
)
def test_how_many_of_what_the_pack_has_twice_or_four_times(names, chances):
    for name in names:
        assert [drawn(COUNTS[name], count) for count in range(len(chances))] == chances


@pytest.mark.clause("BR-P06", "BR-P07", "BR-P13", "BR-401", "BR-501")
def test_rivers_and_roads_alone_together_and_ending_in_a_lake_or_a_town():
    rivers, roads = shares(BOOK.tables["rivers"]), shares(BOOK.tables["roads"])
    assert rivers == {"0": F(1, 2), "1": F(1, 3), "2": F(1, 6)}
    assert roads == {"0": F(1, 3), "1": F(1, 2), "2": F(1, 6)}
    assert sum(int(count) * chance for count, chance in rivers.items()) == F(2, 3)
    assert sum(int(count) * chance for count, chance in roads.items()) == F(5, 6)
    together = [[rivers[river] * roads[road] for road in "012"] for river in "012"]
    assert together == [[F(1, 6), F(1, 4), F(1, 12)], [F(1, 9), F(1, 6), F(1, 18)], [F(1, 18), F(1, 12), F(1, 36)]]
    assert (1 - rivers["0"]) * (1 - drawn(COUNTS["lake"], 0)) == F(141, 884)
    assert (1 - roads["0"]) * (1 - drawn(COUNTS["bua"], 0)) == F(2806, 7735)


@pytest.mark.clause("BR-P08", "BR-P09", "BR-P10", "BR-G25")
def test_steep_sides_and_woods_of_a_hill_and_its_going():
    one, two = shares(BOOK.tables["slope"]), shares(BOOK.tables["slope"], ("two levels",))
    assert one == {"0": F(2, 3), "1": F(1, 6), "2": F(1, 6)}
    assert two == {"0": F(1, 2), "1": F(1, 6), "2": F(1, 6), "all": F(1, 6)}
    low, high = COUNTS["hill_1"], COUNTS["hill_2"]
    both = {name: (low * one.get(name, 0) + high * two[name]) / (low + high) for name in two}
    assert both == {"0": F(11, 18), "1": F(1, 6), "2": F(1, 6), "all": F(1, 18)}
    assert shares(BOOK.tables["woods"]) == {"heavy_woods": F(1, 6), "light_woods": F(1, 3), "open": F(1, 2)}
    assert hill_going(1) == {"impassable": F(1, 6), "bad": F(1, 3), "good": F(1, 2)}
    assert hill_going(2) == {"impassable": F(11, 36), "bad": F(5, 18), "good": F(5, 12)}


@pytest.mark.clause("BR-P11")
def test_the_going_of_a_zone():
    found: Counter[str] = Counter()
    for card in PACK:
        result = TABLE.look_up(card)
        fixed = "good" if result is None else result.going and result.going.name
        for name, chance in ({fixed: 1} if fixed else hill_going(result.levels)).items():
            found[name] += F(1, 52) * chance
    assert found == {"impassable": F(95, 936), "bad": F(161, 468), "good": F(173, 312)}


@pytest.mark.clause("BR-P12", "BR-Q17", "BR-402", "BR-502")
def test_a_roll_off():
    found: Counter[str] = Counter()
    for pair in product("123456", repeat=2):
        try:
            found[roll_off(Dice(ScriptedSource(pair, Seeded(1))), "x", "")] += F(1, 36)
        except DiceError:
            found["tie"] += F(1, 36)
    assert found == {"A": F(5, 12), "B": F(5, 12), "tie": F(1, 6)}
    assert 1 / (1 - found["tie"]) == F(6, 5)


@pytest.mark.clause("BR-P14")
def test_the_fewest_dice_of_a_game_are_four():
    for river, road in product("456", "56"):
        assert len(dice_of(play(f"{river} {road} 1 2", zones=RED))) == 4


@pytest.mark.clause("BR-P01", "BR-P02", "BR-202")
def test_a_hundred_deals_follow_the_chances():
    """Within four standard deviations: a mean of 4.5, and the share of each number of terrain cards."""
    boards, hands = Counter(), Counter()
    for seed in range(100):
        pack = shuffle(Dice(Seeded(seed), "deal"))
        boards[sum(card.is_black for card in pack[:CARDS_NEEDED])] += 1
        hands[sum(card.is_black for card in deal_hands(pack).hands["B"])] += 1
    for counted, size in ((boards, CARDS_NEEDED), (hands, 4)):
        for count in range(size + 1):
            chance = float(drawn(26, count, size))
            assert abs(counted[count] - 100 * chance) <= 4 * (100 * chance * (1 - chance)) ** 0.5 + 1
