"""Chances as exact fractions, counted over all scores of the tables."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from tables_by_hand import grid_of, rules
from test_acw_games import NAMES

from printkit.systems.acw.dicing.geography import dice_needed, last_round
from printkit.systems.acw.dicing.water import find_creek_path
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.tables import BLANK, CHOICE, STOP, RollTable, Tables, choice_list

F = Fraction


@cache
def tables() -> Tables:
    return Tables.from_rules(rules())


def rolls(name: str) -> RollTable:
    return tables().geography(name).rolls


@cache
def zones(name: str) -> dict[tuple[str, ...], Fraction]:
    """Return every row of cells that a zone can get, up to its STOP, with its chance."""
    found: Counter[tuple[str, ...]] = Counter()
    for dice in product(range(1, 7), repeat=4):
        cells = tuple(rolls(name).cell(die, roll) for roll, die in enumerate(dice, 1))
        found[cells[: cells.index(STOP) + 1] if STOP in cells else cells] += 1
    return {cells: F(count, 6**4) for cells, count in found.items()}


def chance(name: str, *pieces: str) -> Fraction:
    return sum((share for cells, share in zones(name).items() if set(cells) & set(pieces)), F(0))


def results(cells: tuple[str, ...]) -> int:
    return sum(cell not in (BLANK, STOP) for cell in cells)


@pytest.mark.clause("AC-P01", "AC-111..AC-121")
def test_geographies_over_all_states() -> None:
    shares = Counter(geography for region in tables().regions for geography in region.geographies)
    assert 6 * len(tables().regions) == 66
    assert shares == {
        "farm": 29, "plain": 10, "riverside": 9, "swampy": 7, "wilderness": 3, "coastal": 3, "hilly": 3, "mountains": 2,
    }  # fmt: skip


_USUAL = (F(1), F(1), F(5, 6), F(25, 36))


@pytest.mark.clause("AC-P02")
@pytest.mark.parametrize(
    ("name", "thrown", "dice", "mean", "without"),
    [
        ("farm", _USUAL, F(127, 36), F(29, 9), F(323, 108)),
        ("swampy", _USUAL, F(127, 36), F(29, 9), F(323, 108)),
        ("hilly", _USUAL, F(127, 36), F(29, 9), F(323, 108)),
        ("wilderness", _USUAL, F(127, 36), F(29, 9), F(37, 12)),
        ("mountains", _USUAL, F(127, 36), F(29, 9), F(29, 9)),
        ("riverside", (F(1), F(5, 6), F(25, 36), F(25, 36)), F(29, 9), F(35, 12), F(145, 54)),
        ("coastal", (F(1), F(1), F(5, 6), F(5, 6)), F(11, 3), F(7, 2), F(109, 36)),
        ("plain", (F(1), F(5, 6), F(25, 36), F(25, 36)), F(29, 9), F(23, 12), F(389, 216)),
    ],
)
def test_rolls_thrown_and_mean_results(name, thrown, dice, mean, without):
    rows = zones(name).items()
    assert tuple(sum(share for cells, share in rows if len(cells) >= roll) for roll in (1, 2, 3, 4)) == thrown
    assert sum(len(cells) * share for cells, share in rows) == dice
    assert sum(results(cells) * share for cells, share in rows) == mean
    assert sum((results(cells) - cells.count(CHOICE)) * share for cells, share in rows) == without


@pytest.mark.clause("AC-P03", "AC-P04")
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("farm", "wilderness", "mountains", "swampy", "hilly"), {1: F(1, 6), 2: F(5, 36), 4: F(25, 36)}),
        (("riverside",), {0: F(1, 6), 1: F(5, 36), 4: F(25, 36)}),
        (("coastal",), {1: F(1, 6), 4: F(5, 6)}),
        (("plain",), {0: F(29, 144), 1: F(13, 72), 2: F(11, 48), 3: F(5, 18), 4: F(1, 9)}),
    ],
)
def test_numbers_of_results(names, expected):
    for name in names:
        found: Counter[int] = Counter()
        for cells, share in zones(name).items():
            found[results(cells)] += share
        assert found == expected


@pytest.mark.clause("AC-P05", "AC-401..AC-408")
@pytest.mark.parametrize(
    ("piece", "shares"),
    [
        ("Swamp", "0 1/6 25/72 0 1/3 4/9 0 0"),
        ("Stream", "11/36 61/216 5/18 5/18 61/216 11/36 0 5/36"),
        ("Railroad", "5/36 5/36 25/216 5/36 5/36 5/36 25/216 5/36"),
        ("Settlement", "25/216 0 25/216 0 1/6 25/216 25/216 25/216"),
        ("Farm", "25/108 25/216 25/216 25/216 1/6 25/216 25/216 25/108"),
        ("CHOICE", "25/108 5/36 275/1296 0 43/108 25/108 25/216 25/108"),
    ],
)
def test_a_zone_that_holds_at_least_one(piece, shares):
    assert [chance(name, piece) for name in NAMES] == [F(share) for share in shares.split()]


@pytest.mark.clause("AC-P05")
def test_other_features_of_a_zone():
    assert chance("farm", "Field") == F(4, 9)
    assert chance("wilderness", "Clearing") == F(31, 81)
    assert chance("wilderness", "Forest") == F(341, 1296)
    assert chance("mountains", "Forest") == F(25, 108)
    assert chance("hilly", "Hill + Scree") == F(11, 36)
    assert chance("coastal", "Sand Dunes") == F(5, 36)


@pytest.mark.clause("AC-P06")
@pytest.mark.parametrize(
    ("names", "one", "three"),
    [
        (("farm", "hilly"), F(25, 72), F(24193046875, 69657034752)),
        (("coastal",), F(1, 3), F(233, 729)),
        (("riverside", "swampy", "plain"), F(25, 108), F(112078046875, 793437161472)),
        (("wilderness", "mountains"), F(25, 216), F(1201325546875, 50779978334208)),
    ],
)
def test_farms_and_settlements_of_six_zones(names: tuple[str, ...], one: Fraction, three: Fraction) -> None:
    for name in names:
        assert {cells.count("Farm") + cells.count("Settlement") for cells in zones(name)} <= {0, 1}
        assert chance(name, "Farm", "Settlement") == one
    assert 1 - sum(ways * one**k * (1 - one) ** (6 - k) for k, ways in ((0, 1), (1, 6), (2, 15))) == three


@pytest.mark.clause("AC-P07")
def test_a_railroad_on_six_zones():
    assert 1 - (1 - chance("farm", "Railroad")) ** 6 == F(1289278655, 2176782336)
    assert 1 - (1 - chance("plain", "Railroad")) ** 6 == F(53008730395775, 101559956668416)


@pytest.mark.clause("AC-P08", "AC-P10", "AC-D5", "AC-N30")
def test_ways_of_a_creek_and_their_dice():
    zones_of_edge = grid_of().edge_zones
    ways = {(one, other) for one in zones_of_edge for other in zones_of_edge if one != other}
    assert len(ways) == 30
    assert 1 + F(6, 5) == F("2.2")
    for one, other in ways:
        path = find_creek_path(grid_of(), one, other).path
        assert len(path) == 1 + grid_of().distance(one, other)
    assert (dice_needed(10), last_round(10)) == (2, 30)
    assert dice_needed(10) * F(36, last_round(10)) == F(12, 5)
    for items in range(1, 60):
        numbers = Counter(number % items for number in range(last_round(items)))
        assert len(set(numbers.values())) == 1
        assert len(numbers) == items


@pytest.mark.clause("AC-P09", "AC-410")
def test_cells_of_the_tables_and_sizes_of_the_choice_lists() -> None:
    cells = [cell for country in tables().geographies for row in country.rolls.cells for cell in row]
    kinds = Counter(cell if cell in (STOP, CHOICE, BLANK) else "feature" for cell in cells)
    assert kinds == {"feature": 156, STOP: 15, CHOICE: 13, BLANK: 8}
    assert [len(rolls(name).pieces) for name in NAMES] == [15, 16, 16, 19, 17, 16, 13, 15]
    listed = choice_list(tables().geography("farm"), rules())
    assert listed == (*rolls("farm").pieces, Piece.CREEK)
