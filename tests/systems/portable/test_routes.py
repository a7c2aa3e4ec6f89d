"""Courses over a grid: the cheapest chain, of equals the straightest, round hills, and through them in need."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laying import cells, dice_of

from printkit.chance.dice import Dice
from printkit.chance.tables import Citation, DieRow, DieTable, Span
from printkit.systems.portable.grid.routes import (
    Detours,
    Route,
    RouteGround,
    cells_by_side,
    find_best_route,
    find_nearest_route,
    find_route_via,
    is_further_left,
    pick_best_route,
    split_sides,
)
from printkit.terrain.field.grids import Cell, Grid, grid_of, neighbours

SQUARES = grid_of("sq-8x8", cell=100)
HEXES = grid_of("hex-9x8", cell=100)
GRIDS = (
    SQUARES,
    HEXES,
    grid_of("hex-6x8", cell=100),
    grid_of("hex-7x6", cell=100, grain="pointy-odd-right"),
    grid_of("hex-5x5", cell=100, grain="flat-odd-high"),
)
SIDES = DieTable(
    name="detour",
    sides=6,
    rows=(DieRow(Span(1, 3), "left", "PW2-34"), DieRow(Span(4, 6), "right", "PW2-34")),
    source=Citation("a work", "1"),
)
ROUND = Detours(table=SIDES, hill=100)


def hills(text: str) -> frozenset[Cell]:
    return frozenset(cells(text))


def all_along(row: int) -> frozenset[Cell]:
    """Return a row of the squares."""
    return frozenset(Cell(column, row) for column in range(1, 9))


def route(found: Route | None) -> Route:
    assert found is not None
    return found


def down(barred: str, *scores: int, detours: Detours = ROUND) -> tuple[Route, Dice]:
    """Return the road from (1;4) to (8;4) of the squares, and the dice that were thrown for it."""
    thrown, ways = dice_of(*scores), RouteGround(grid=SQUARES, barred_cells=hills(barred))
    return route(detours.find_route(ways, Cell(4, 1), Cell(4, 8), dice=thrown, name="road 1")), thrown


def every_chain(ways: RouteGround, start: Cell, end: Cell, cost: int) -> Iterator[tuple[Cell, ...]]:
    """Yield every chain from a cell to another of at most that cost, by trying all."""

    def go_on(chain: tuple[Cell, ...], left: int) -> Iterator[tuple[Cell, ...]]:
        if left < 0:
            return
        if chain[-1] == end:
            yield chain
            return
        for other in neighbours(ways.grid, chain[-1]):
            if ways.can_enter(other) and other not in chain:
                yield from go_on((*chain, other), left - ways.cost(other))

    yield from go_on((start,), cost - ways.cost(start))


def off_the_line(grid: Grid, chain: tuple[Cell, ...]) -> float:
    """Return the sum of squared distances in squared cells, measured on the board."""
    (x, y), (to_x, to_y) = grid.centre(chain[0]), grid.centre(chain[-1])
    length = (to_x - x) ** 2 + (to_y - y) ** 2
    crosses = ((to_x - x) * (v - y) - (to_y - y) * (u - x) for u, v in map(grid.centre, chain))
    return sum(cross**2 for cross in crosses) / length / grid.cell**2


@pytest.mark.clause("PW2-33")
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_chain_is_the_cheapest_then_the_straightest_then_the_first_in_reading_order(data):
    grid = data.draw(st.sampled_from((grid_of("sq-4x4", cell=100), grid_of("hex-4x4", cell=100))))
    every = grid.cells()
    start, end = data.draw(st.lists(st.sampled_from(every), min_size=2, max_size=2, unique=True))
    barred = frozenset(data.draw(st.lists(st.sampled_from(every), max_size=4))) - {start, end}
    extra = dict.fromkeys(data.draw(st.lists(st.sampled_from(every), max_size=3)), 2)
    ways = RouteGround(grid=grid, barred_cells=barred, extra=extra)
    found = find_best_route(ways, start, end)
    if found is None:
        assert list(every_chain(ways, start, end, 40)) == []
        return
    assert found.cost == sum(ways.cost(cell) for cell in found.cells)
    assert list(every_chain(ways, start, end, found.cost - 1)) == []
    rivals = list(every_chain(ways, start, end, found.cost))
    bends = {chain: off_the_line(grid, chain) for chain in rivals}
    least = min(bends.values())
    straightest = [chain for chain in rivals if bends[chain] <= least + 1e-9]
    assert found.cells == min(straightest, key=lambda chain: [(cell.row, cell.column) for cell in chain])
    scale = Fraction(1) if grid.shape == "square" else Fraction(3, 4)
    assert float(found.bend * scale) == pytest.approx(bends[found.cells])


@pytest.mark.clause("PW2-33")
@pytest.mark.parametrize(
    ("grid", "start", "end", "chain"),
    [
        (SQUARES, "1;5", "8;5", "1;5 2;5 3;5 4;5 5;5 6;5 7;5 8;5"),
        (SQUARES, "1;1", "3;3", "1;1 1;2 2;2 2;3 3;3"),
        (HEXES, "4;1", "4;3", "4;1 4;2 4;3"),
        (HEXES, "1;5", "8;5", "1;5 2;5 3;5 4;5 5;5 6;5 7;5 8;5"),
    ],
)
def test_open_ground_is_crossed_straight(grid, start, end, chain):
    assert route(find_best_route(RouteGround(grid=grid), *cells(f"{start} {end}"))).cells == cells(chain)


@pytest.mark.clause("PW2-33")
@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.name}-{grid.grain}")
def test_a_mirrored_board_gives_chains_of_the_same_length(grid):
    for start in grid.cells()[:: grid.columns]:
        end = Cell(grid.columns, grid.rows + 1 - start.row)
        there, back = (
            route(find_best_route(RouteGround(grid=grid), start, end)),
            route(find_best_route(RouteGround(grid=grid), end, start)),
        )
        assert (there.cost, there.bend) == (back.cost, back.bend)


@pytest.mark.clause("PW2-33")
def test_courses_on_squares_pass_sides_alone():
    assert len(route(find_best_route(RouteGround(grid=SQUARES), Cell(1, 1), Cell(4, 4))).cells) == 7
    assert find_best_route(RouteGround(grid=SQUARES, barred_cells=hills("1;2 2;1")), Cell(1, 1), Cell(3, 3)) is None


@pytest.mark.clause("PW2-41")
def test_marshes_cost_three_and_rivers_two_more_and_lakes_are_never_entered():
    river = cells("3;1 3;2 3;3 3;4 3;5 3;6 3;7 3;8")
    ways = RouteGround(grid=SQUARES, extra=dict.fromkeys(river, 2))
    chain = route(find_best_route(ways, Cell(1, 1), Cell(8, 5)))
    assert len(set(chain.cells) & set(river)) == 1, "it crosses, it does not follow"
    marsh = RouteGround(grid=SQUARES, extra={Cell(4, 2): 2})
    assert route(find_best_route(marsh, Cell(4, 1), Cell(4, 8))).cost == 8 + 2, (
        "as long as the way round, and straighter"
    )
    lake = RouteGround(grid=SQUARES, closed=hills("2;4"))
    assert Cell(4, 2) not in route(find_best_route(lake, Cell(4, 1), Cell(4, 8))).cells
    assert find_best_route(RouteGround(grid=SQUARES, closed=hills("1;2 2;1")), Cell(1, 1), Cell(8, 8)) is None


class TestGoingRound:
    @pytest.mark.clause("PW2-34")
    @pytest.mark.parametrize(("score", "side"), [(1, 3), (2, 3), (3, 3), (4, 5), (5, 5), (6, 5)])
    def test_one_to_three_goes_left_and_four_to_six_right(self, score, side):
        found, thrown = down("4;4", score)
        assert Cell(side, 4) in found.cells
        assert found.forced_cells == ()
        asked = ("which way round the hills, road 1", "PW2-34")
        assert [(throw.reason, throw.clause) for throw in thrown.log] == [asked]

    @pytest.mark.clause("PW2-34")
    def test_the_shorter_way_wins_without_a_die_and_with_the_die_alone_the_longer_can(self):
        for barred in ("4;4 4;3", "4;4 4;5"):
            found, thrown = down(barred)
            assert (found.cost, thrown.log) == (10, [])
        always = Detours(table=SIDES, hill=100, always=True)
        assert [down("4;4 4;3", score, detours=always)[0].cost for score in (3, 4)] == [12, 10]
        one_way, thrown = down("4;1 4;2 4;3 4;4", detours=always)
        assert (one_way.cost, thrown.log) == (10, []), "no die where one side has no way"

    @pytest.mark.clause("PW2-34")
    @pytest.mark.parametrize("barred", ["3;1 3;2 3;3 3;4 3;5 6;5 6;6 6;7 6;8 6;9", "4;1 4;9 2;2"])
    def test_the_shortest_way_of_all_is_taken_without_a_die_between_two_hills_too(self, barred):
        thrown, ways = dice_of(), RouteGround(grid=HEXES, barred_cells=hills(barred))
        found = route(ROUND.find_route(ways, Cell(5, 1), Cell(5, 8), dice=thrown, name="road 1"))
        assert (found, thrown.log) == (find_best_route(ways, Cell(5, 1), Cell(5, 8)), [])
        straight = find_best_route(RouteGround(grid=HEXES), Cell(5, 1), Cell(5, 8))
        assert (found == straight) == ("4;1" in barred), "hills off the way change nothing"

    @pytest.mark.clause("PWA-07", "PW2-34")
    def test_left_is_the_left_of_the_map(self):
        found, _ = down("4;4", 1)
        assert Cell(3, 4) in found.cells, "who goes down the map has their left on its right"

    @pytest.mark.clause("PW2-34")
    def test_of_ways_with_the_same_mean_column_the_upper_one_is_the_left(self):
        upper = Route(cells=cells("1;1 1;2 1;3"), cost=3)
        lower = Route(cells=cells("2;1 2;2 2;3"), cost=3)
        righter = Route(cells=cells("1;2 1;3 1;4"), cost=3)
        assert is_further_left(upper, lower)
        assert not is_further_left(lower, upper)
        assert is_further_left(lower, righter)

    @pytest.mark.clause("PW2-35", "PW2-41")
    def test_a_wall_of_hills_is_passed_at_its_thinnest_and_named_and_one_of_lakes_is_not(self):
        wall = "4;1 4;2 4;3 4;4 4;5 4;6 4;7 4;8 5;3 5;4 5;5"
        found, _ = down(wall)
        assert len(found.forced_cells) == 1
        assert set(found.forced_cells) <= hills(wall)
        assert found.cost >= 100
        lakes = RouteGround(grid=SQUARES, closed=all_along(4), barred_cells=hills("1;1"))
        assert ROUND.find_route(lakes, Cell(4, 1), Cell(4, 8), dice=dice_of(), name="road") is None


class TestSides:
    @pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.name}-{grid.grain}")
    def test_a_course_parts_the_board_into_a_left_and_a_right(self, grid):
        for entry in grid.cells()[: grid.columns]:
            chain = route(
                find_best_route(RouteGround(grid=grid), entry, Cell(grid.columns + 1 - entry.column, grid.rows))
            ).cells
            left, right = split_sides(grid, chain)
            assert not left & right
            assert left | right | set(chain) == set(grid.cells())

    def test_left_is_to_the_right_of_the_map_for_who_goes_down(self):
        left, right = split_sides(SQUARES, cells("1;3 2;3 3;3 4;3 5;3 6;3 7;3 8;3"))
        assert {cell.column for cell in left} == {4, 5, 6, 7, 8}
        assert {cell.column for cell in right} == {1, 2}

    def test_what_lies_beside_a_cell_is_told_from_rear_to_front(self):
        about = cells_by_side(HEXES, cells("3;3 4;3 5;3"), 1)
        assert set(about["left"]) == {HEXES.step(Cell(3, 4), 1), HEXES.step(Cell(3, 4), 2)}
        assert about["left"][0] == HEXES.step(Cell(3, 4), 1)


@pytest.mark.clause("PW2-44")
def test_of_several_ways_to_a_road_the_shortest_is_taken():
    road = cells("6;1 6;2 6;3 6;4 6;5 6;6 6;7 6;8")
    found = route(find_nearest_route(RouteGround(grid=SQUARES), cells("2;2 3;2"), road))
    assert found.cells == cells("3;2 4;2 5;2 6;2")
    assert find_nearest_route(RouteGround(grid=SQUARES, barred_cells=all_along(4)), cells("2;2 3;2"), road) is None


@pytest.mark.clause("PW2-60")
def test_a_way_past_a_third_cell_passes_no_cell_twice():
    past = (Cell(1, 4), Cell(4, 2), Cell(8, 4))
    found = route(find_route_via(RouteGround(grid=SQUARES), *past))
    assert Cell(4, 2) in found.cells
    assert len(set(found.cells)) == len(found.cells) == found.cost == 12
    pocket = RouteGround(grid=SQUARES, barred_cells=hills("2;3 2;5 1;4"))
    assert find_route_via(pocket, *past) is None, "in and out by one side"
    assert find_route_via(RouteGround(grid=SQUARES, closed=hills("2;4")), *past) is None


def test_the_shorter_of_two_ways_is_told_by_cost_then_by_bend():
    long = Route(cells=cells("1;1 1;2 1;3"), cost=3)
    bent = Route(cells=cells("2;1 2;2"), cost=2, bend=Fraction(1, 2))
    straight = Route(cells=cells("3;1 3;2"), cost=2)
    assert pick_best_route(SQUARES, [long, bent, straight]) == straight
    assert pick_best_route(SQUARES, []) is None
