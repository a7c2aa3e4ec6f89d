"""The chances of version 2: exact where the dice can be enumerated, and 300 boards against them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product

import pytest
from laying import areas, book, cells, dice_of, step, with_

from printkit.chance.dice import Dice, Seeded
from printkit.systems.portable.grid.edges import Quarters, roll_highest
from printkit.systems.portable.grid.places import Settlement, ranking
from printkit.systems.portable.grid.sketch import HABITATION, TREES
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

F = Fraction

SIX = range(1, 7)
GAMES = 100
"""Enough for the test of fit to see a table that is off by a score."""


def shares(found: Iterable[object]) -> dict[object, F]:
    """Return the share of each of some equally likely outcomes."""
    counted = Counter(found)
    return {outcome: F(count, counted.total()) for outcome, count in counted.items()}


def numbers(what: str, table: str) -> dict[object, F]:
    """Return the chance of each number that a die and the book's row give."""
    row = next(row for row in book().own(what) if row.need("table", str) == table)
    return shares(max(0, score + row.need("add", int)) for score in SIX)


def table(name: str) -> dict[object, F]:
    return shares(book().tables[name].look_up(score) for score in SIX)


def fits(counted: Mapping[object, int], chances: Mapping[object, F]) -> bool:
    """Return whether counts stand within the chi-square that one in ten thousand fair runs passes."""
    total = sum(counted.values())
    assert set(counted) <= set(chances)
    found = sum(
        (counted.get(each, 0) - total * float(chance)) ** 2 / (total * float(chance))
        for each, chance in chances.items()
    )
    freedom = len(chances) - 1
    # The approximation of Wilson and Hilferty, at 3.72 standard deviations.
    limit = freedom * (1 - 2 / (9 * freedom) + 3.72 * math.sqrt(2 / (9 * freedom))) ** 3
    return found < limit


@pytest.mark.clause("PW2-10", "PW2-38", "PW2-39", "PW2-50", "PW2-55", "PW2-70")
@pytest.mark.parametrize(
    ("what", "name", "mean", "most"),
    [
        ("hills", "flat", F(7, 2), 6), ("hills", "undulating", F(11, 2), 8), ("hills", "hilly", F(15, 2), 10),
        ("hills", "mountainous", F(19, 2), 12), ("lakes", "all", F(7, 2), 6), ("marshes", "all", F(7, 2), 6),
        ("trees", "desert", F(10, 6), 4), ("trees", "flat", F(7, 2), 6), ("trees", "hilly", F(11, 2), 8),
        ("trees", "mountainous", F(13, 2), 9), ("trees", "forested", F(15, 2), 10),
        ("habitation", "sparse", F(1), 3), ("habitation", "rural", F(7, 2), 6), ("habitation", "urban", F(11, 2), 8),
        ("fields", "rural", F(11, 2), 8), ("fields", "urban", F(10, 6), 4),
    ],
)  # fmt: skip
def test_how_many_there_are(what, name, mean, most):
    chances = numbers(what, name)
    assert sum(number * chance for number, chance in chances.items()) == mean
    assert (min(chances), max(chances)) == (max(0, most - 5), most)
    assert sum(chances.values()) == 1


@pytest.mark.clause("PW2-11", "PW2-20", "PW2-34", "PW2-36", "PW2-42", "PW2-73")
def test_what_a_die_makes():
    third, half, two_thirds = F(1, 3), F(1, 2), F(2, 3)
    assert table("hill_height") == {"1": two_thirds, "2": third}
    assert table("mountain_height") == {"1": third, "2": third, "mountain": third}
    assert table("chain") == {"apart": half, "joins": half}
    assert table("river_width") == {"1": two_thirds, "2": third}
    assert table("bank") == table("detour") == {"left": half, "right": half}
    assert table("crossing") == {"ford": two_thirds, "bridge": third}
    assert table("field_use") == {"open": half, "grove": half}


@pytest.mark.clause("PW2-31", "PW2-31a", "PWA-05")
@pytest.mark.parametrize(
    ("reading", "top", "right", "bottom", "left"),
    [("onward", 6, 20, 10, 0), ("sep30", 3, 1, 14, 18), ("sep30-topdown", 6, 0, 10, 20)],
)
def test_the_edge_of_the_exit(reading, top, right, bottom, left):
    """By hand, of the 36 throws: onward a course seldom goes far, by the earlier text it always does."""
    row = next(row for row in book().own("exits") if row.need("reading", str) == reading)
    quarters = Quarters(onward=row.need("add", int))
    found = Counter((quarters.exit_quarter(entry, score) - 1) // 4 for entry, score in product(SIX, SIX))
    assert [found[edge] for edge in range(4)] == [top, right, bottom, left]


@pytest.mark.clause("PW2-32")
def test_every_area_of_a_quarter_has_the_same_chance():
    quarter = cells("1;5 1;6 1;7")
    won: Counter[Cell] = Counter()
    for scores in product(SIX, repeat=3):
        if scores.count(max(scores)) == 1:
            won[roll_highest(quarter, dice_of(*scores), reason="entry", clause="PW2-32")] += 1
    assert won == dict.fromkeys(quarter, 55)


@pytest.mark.clause("PW2-20")
def test_the_length_of_a_chain():
    """Of the 32 rows of five chain dice half begin with a single hill, a quarter with two side by side, and so on."""
    lengths: Counter[int] = Counter()
    for joins in product((False, True), repeat=5):
        scores = [3, 1, 1, 1]
        for joined in joins:
            scores += [6, 2] if joined else [1, 1, 2, 3]
        placings = step("hills", dice_of(*scores), "sq-20x6", settings={"hills": "6", "relief": "flat"}).placings
        apart = [place for place, hill in enumerate(placings) if place and hill.told["by"] == "onward"]
        lengths[min(apart, default=6)] += 1
    assert {length: F(count, 32) for length, count in lengths.items()} == {
        1: F(1, 2), 2: F(1, 4), 3: F(1, 8), 4: F(1, 16), 5: F(1, 32), 6: F(1, 32),
    }  # fmt: skip


@pytest.mark.clause("PW2-12", "PW0-06", "PW0-07", "PW0-10")
def test_where_a_first_hill_lies():
    """On 8x8 squares the 1296 throws of start row and 3D6 reach rows 1 to 8, each area by as many as the sums allow."""

    def area(row: int, *dice: int) -> Cell:
        place = (row - 1) * 8 + sum(dice) - 1
        return Cell(place % 8 + 1, place // 8 + 1)

    reached = Counter(area(*scores) for scores in product(SIX, repeat=4))
    assert reached[Cell(3, 1)] == 1
    assert sum(count for cell, count in reached.items() if cell.row == 1) == 56
    assert {cell.row for cell in reached} == set(range(1, 9))
    for scores in ((1, 1, 1, 1), (2, 6, 6, 6), (6, 6, 6, 6), (4, 2, 3, 4)):
        (hill,) = step("hills", dice_of(*scores), settings={"hills": "1", "relief": "flat"}).placings
        assert hill.cells == (area(*scores),)


@pytest.mark.clause("PW2-71")
def test_the_first_of_two_places_is_as_likely_as_the_other():
    places = tuple(
        Settlement(id=name, kind=Kind.SETTLEMENT, cells=(Cell(number, 1),)) for number, name in enumerate("ab", 1)
    )
    found = Counter(
        ranking(places, dice_of(*scores), "round")[0].id for scores in product(SIX, SIX) if scores[0] != scores[1]
    )
    assert found == {"a": 15, "b": 15}


class TestManyBoards:
    @pytest.mark.clause("PW2-10", "PW2-20", "PW2-11")
    def test_hills(self):
        counted, joined, heights = Counter(), Counter(), Counter()
        for seed in range(GAMES):
            dice = Dice(Seeded(seed))
            found = step("hills", dice, "hex-9x8", settings={"relief": "mountainous"})
            counted[len(found.placings)] += 1
            joined.update("joins" if int(throw.answer) > 3 else "apart" for throw in dice.log if "join" in throw.reason)
            heights.update("mountain" if not hill.contours else str(hill.contours) for hill in found.placings)
        assert fits(counted, numbers("hills", "mountainous"))
        assert fits(joined, table("chain"))
        assert fits(heights, table("mountain_height"))

    @pytest.mark.clause("PW2-31", "PW2-32", "PW2-36")
    def test_rivers(self):
        entries, exits, widths, columns = Counter(), Counter(), Counter(), Counter()
        for seed in range(GAMES):
            (river,) = step("rivers", Dice(Seeded(seed))).ways
            entry = river.facts["entry_quarter"]
            entries[entry] += 1
            exits[(river.facts["exit_quarter"] - entry) % 16] += 1
            widths[str(round(river.width))] += 1
            if entry in (2, 3):
                columns[river.cells[0].column] += 1
        even = dict.fromkeys(SIX, F(1, 6))
        assert fits(entries, even)
        assert fits(exits, even)
        assert fits(widths, table("river_width"))
        assert fits(columns, dict.fromkeys((3, 4, 5, 6), F(1, 4)))

    @pytest.mark.clause("PW2-50", "PW2-55", "PW2-70", "PW2-73")
    def test_trees_habitation_and_fields(self):
        trees, people, fields, uses = Counter(), Counter(), Counter(), Counter()
        lone = with_("hex-9x8", (Kind.SETTLEMENT, "4;4"))
        urban = {"area": "urban"}
        for seed in range(GAMES):
            woods = step("trees", Dice(Seeded(seed)), "hex-9x8", settings={"forested": "yes"})
            trees[sum(map(len, areas(woods, *TREES)))] += 1
            places = step("habitation", Dice(Seeded(seed)), "hex-9x8", settings=urban)
            people[sum(map(len, areas(places, *HABITATION)))] += 1
            placings = step("fields", Dice(Seeded(seed)), on=lone, settings=urban).placings[1:]
            fields[len(placings)] += 1
            uses.update("grove" if field.kind is Kind.ORCHARD else "open" for field in placings)
        assert fits(trees, numbers("trees", "forested"))
        assert fits(people, numbers("habitation", "urban"))
        assert fits(fields, numbers("fields", "urban"))
        assert fits(uses, table("field_use"))


def test_the_test_of_fit_refuses_a_loaded_die():
    fair = dict.fromkeys(SIX, F(1, 6))
    assert fits(Counter(dict.fromkeys(SIX, 50)), fair)
    assert not fits(Counter({1: 20, 2: 50, 3: 50, 4: 50, 5: 50, 6: 80}), fair)
