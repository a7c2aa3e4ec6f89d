"""Coverings with the fewest pieces: the published numbers, and small areas tried out in every way."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printkit.hexon.layout import covering
from printkit.hexon.layout.covering import (
    Cover,
    Nodes,
    TileBoard,
    beam_search,
    board_positions,
    cover,
    find_covering,
    limit_boards,
)
from printkit.hexon.layout.pieces import Hex, footprints, hex_neighbours, hex_of
from printkit.terrain.field.grids import HexGrid

SHAPES = footprints()
TABLES = [
    ((9, 8), (12, 0), (11, 6)),
    ((6, 8), (8, 0), (7, 6)),
    ((8, 6), (7, 6), (8, 0)),
    ((8, 8), (10, 4), (10, 4)),
    ((10, 7), (11, 4), (10, 10)),
    ((12, 10), (20, 0), (19, 6)),
    ((13, 9), (18, 9), (18, 9)),
]
areas = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=16)
few = settings(max_examples=30, deadline=None, derandomize=True)


def table(columns: int, rows: int, grain: str) -> list[Hex]:
    grid = HexGrid(columns, rows, 100.0, grain)
    return [hex_of(grid, cell) for cell in grid.cells()]


def assert_covers(found: Cover, hexes: set[Hex]) -> None:
    laid = [at for board in found.boards for at in board.hexes] + list(found.singles)
    assert sorted(laid) == sorted(hexes)
    for board in found.boards:
        q, s = board.hexes[0]
        assert sorted(board.hexes) == sorted((q + right, s + down) for right, down in SHAPES[board.orientation])


def every_covering(hexes: set[Hex]) -> list[tuple[TileBoard, ...]]:
    """Return all ways to lay boards without overlap, by trying out each placement."""
    ways = list(board_positions(hexes))

    def go(place: int, taken: frozenset[Hex]) -> list[tuple[TileBoard, ...]]:
        if place == len(ways):
            return [()]
        found = go(place + 1, taken)
        if taken.isdisjoint(ways[place].hexes):
            found = found + [(ways[place], *rest) for rest in go(place + 1, taken | set(ways[place].hexes))]
        return found

    return go(0, frozenset())


@pytest.mark.clause("HX-33", "HX-09")
@pytest.mark.parametrize(("size", "flat", "straight"), TABLES)
def test_common_tables_take_the_published_numbers(
    size: tuple[int, int], flat: tuple[int, int], straight: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(covering, "NODE_LIMIT", 30_000)
    for grain, expected in (("flat-odd-low", flat), ("pointy-odd-right", straight)):
        hexes = table(*size, grain)
        found = cover(hexes)
        assert (len(found.boards), len(found.singles)) == expected
        assert found.gap == 0
        assert_covers(found, set(hexes))


@pytest.mark.clause("HX-33", "HX-31", "HX-32")
def test_wide_tables_divide_into_a_pattern_or_come_close_and_a_stock_of_boards_is_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = cover(table(24, 16, "flat-odd-low"))
    assert (len(found.boards), found.gap) == (64, 0)
    assert len({board.orientation for board in found.boards}) == 2
    hexes = table(9, 8, "flat-odd-low")
    found = limit_boards(cover(hexes), 9)
    assert_covers(found, set(hexes))
    assert (len(found.boards), len(found.singles), found.bound) == (9, 18, 12)
    assert (found.withheld, found.gap) == (3, 0)
    one = {(0, 0), *hex_neighbours((0, 0))}
    other = {(q + 20, s) for q, s in one}
    assert cover(one | other).boards == cover(one).boards + cover(other).boards
    assert cover(()) == Cover((), (), 0)
    hexes = table(25, 17, "flat-odd-low")
    monkeypatch.setattr(covering, "NODE_LIMIT", 10_000)
    found = cover(hexes)
    assert_covers(found, set(hexes))
    assert found.bound == 70
    assert found.gap <= 3
    # Which lines are shifted does not matter.
    for grain, boards in (("flat-odd-high", 12), ("pointy-odd-left", 11)):
        assert len(cover(table(9, 8, grain)).boards) == boards


@pytest.mark.clause("HX-30", "HX-31")
@few
@given(areas)
def test_small_areas_get_the_most_boards_and_the_fewest_orientations(hexes: set[Hex]) -> None:
    every = every_covering(hexes)
    most = max(len(boards) for boards in every)
    turns = min(len({board.orientation for board in boards}) for boards in every if len(boards) == most)
    found = cover(hexes)
    assert_covers(found, hexes)
    assert (len(found.boards), found.bound) == (most, most)
    assert len({board.orientation for board in found.boards}) == turns


@pytest.mark.clause("HX-30")
def test_ties_go_to_the_first_hexes() -> None:
    row = [(q, s) for q in range(3) for s in range(-1, 4)]
    every = every_covering(set(row))
    best = max(len(boards) for boards in every)
    least = min(
        (len({board.orientation for board in boards}), sorted(sorted(board.hexes) for board in boards))
        for boards in every
        if len(boards) == best
    )
    found = cover(row)
    assert sorted(sorted(board.hexes) for board in found.boards) == least[1]
    assert cover(list(reversed(row))) == found


@pytest.mark.clause("HX-31")
@pytest.mark.parametrize("limit", [1, 40, 2_000])
def test_a_search_that_stops_says_what_it_could_not_prove(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "NODE_LIMIT", limit)
    hexes = table(13, 9, "flat-odd-low")
    found = cover(hexes)
    assert_covers(found, set(hexes))
    assert len(found.boards) <= 18 <= found.bound <= 19
    assert found.gap == found.bound - len(found.boards)
    assert found == cover(hexes)


@few
@given(st.lists(st.sets(st.integers(1, 5), min_size=1, max_size=3), min_size=1, max_size=6))
def test_searches_agree_with_trying_all(pieces: list[set[int]]) -> None:
    count = 12
    masks = [sum(1 << each for each in {0, *piece}) for piece in pieces]
    options = [[mask for mask in masks if place + mask.bit_length() <= count] for place in range(count)]

    @cache
    def least(place: int, window: int) -> int:
        if place == count:
            return 0
        if window & 1:
            return least(place + 1, window >> 1)
        ways = [least(place + 1, (window | mask) >> 1) for mask in options[place] if not window & mask]
        return min([1 + least(place + 1, window >> 1), *ways])

    best = least(0, 0)
    found = find_covering(options, spare=best, nodes=Nodes(100_000))
    assert found is not None
    assert count - sum(mask.bit_count() for _, mask in found) <= best
    assert best == 0 or find_covering(options, spare=best - 1, nodes=Nodes(100_000)) is None
    wide = beam_search(options, width=100_000)
    taken = [place + bit for place, mask in wide for bit in range(6) if mask >> bit & 1]
    assert len(set(taken)) == len(taken)
