"""One terrain box for all tables of a round: no piece is used twice, and what is missing is refused."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from printkit.core.errors import UsageError
from printkit.core.typed import parse_toml
from printkit.core.words import find_words
from printkit.kit.registry import find
from printkit.recipes.box.box_fit import fit_record
from printkit.recipes.box.new_box import box_text
from printkit.recipes.box.piece_box import PieceBox, box_object, box_of
from printkit.recipes.box.refit import match_record
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders, build_orders
from printkit.recipes.league.league_file import LeagueGame
from printkit.recipes.league.league_games import fetch_lines, fetch_lists, new_games, remove_pieces, share
from printkit.terrain.field.record import Record

ENGLISH = find_words("en")
SYSTEM = find("brantley")


def orders() -> Orders:
    return build_orders(rules="brantley", settings=(), scenario=None, board=None, seed=None, dice=None)


@pytest.fixture(scope="module")
def box() -> PieceBox:
    """Return the box of average size that ``box new`` writes."""
    return box_of(parse_toml(box_text(SYSTEM, orders(), ENGLISH), "box"), "box")


@pytest.fixture(scope="module")
def records() -> Sequence[Record]:
    return [play(SYSTEM, orders(), seed, ENGLISH).record for seed in range(1, 15)]


def count(box: PieceBox) -> int:
    return sum(piece.number for piece in box.pieces)


def test_what_is_left_of_a_box_keeps_its_numbers_and_its_kinds(box: PieceBox, records: Sequence[Record]) -> None:
    fit = fit_record(records[0], box)
    left = remove_pieces(box, fit)
    used = {use.number for use in fit.match.uses}
    numbers = [
        number
        for piece, first in zip(left.pieces, left.first_numbers, strict=True)
        for number in range(first, first + piece.number)
    ]
    assert used
    assert sorted([*numbers, *used]) == [*range(1, count(box) + 1)]
    assert [piece.kind for piece in left.pieces] == [piece.kind for piece in box.pieces]
    assert box_of(box_object(left), "box") == left


def test_three_tables_are_built_from_one_box(box: PieceBox, records: Sequence[Record]) -> None:
    fits, left = share(box, records, 3)
    assert [fit.match.missing_pieces for fit in fits] == [(), (), ()]
    used = [use.number for fit in fits for use in fit.match.uses]
    assert len(used) == len({*used}) == count(box) - count(left)
    assert share(box, records, 3) == (fits, left)


def test_the_games_of_a_round_share_the_box_and_say_what_to_fetch(box: PieceBox) -> None:
    entries = [LeagueGame(seed=0, round=1, table=table, players=("Ann", "Bob")) for table in (1, 2, 3)]
    games = list(new_games(SYSTEM, orders(), ENGLISH, entries=entries, first=1, records=(), box=box))
    assert len({game.entry.seed for game in games}) == 3
    shared = [game.record for game in games]
    rows = fetch_lists(shared, ENGLISH)
    for table, record in enumerate(shared):
        match = match_record(record)
        assert match is not None
        assert {use.number for use in match.uses} == {number for row in rows for number in row.tables[table]}
    numbers = [number for row in rows for numbers in row.tables for number in numbers]
    assert len(numbers) == len({*numbers})
    assert all(row.left >= 0 for row in rows)
    assert [line.partition(" needs ")[0] for line in fetch_lines(shared, ENGLISH)] == [
        f"  table {table}" for table in (1, 2, 3)
    ]
    assert fetch_lists([replace(record, box={}) for record in shared], ENGLISH) == ()


def test_a_table_that_lacks_pieces_is_refused_unless_the_first_one_lacks_them_too(box: PieceBox) -> None:
    entries = [LeagueGame(seed=0, round=1, table=table, players=("Ann", "Bob")) for table in range(1, 8)]
    with pytest.raises(UsageError, match=r"^Table \d needs more pieces: .+\. Use --tables \d, or add these pieces"):
        list(new_games(SYSTEM, orders(), ENGLISH, entries=entries, first=1, records=(), box=box))
    empty = replace(box, pieces=tuple(replace(piece, number=0) for piece in box.pieces))
    games = list(new_games(SYSTEM, orders(), ENGLISH, entries=entries[:2], first=1, records=(), box=empty))
    assert any("no piece for" in warning for game in games for warning in game.warnings)
