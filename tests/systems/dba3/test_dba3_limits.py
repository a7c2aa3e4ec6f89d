"""Every number by which a clause of DBA 3 sets a limit, from both sides, and that every number of the book counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from changed_books import number_changed
from dba3_boards import area, course, hill, kept, record, waterway, woods
from msgspec.structs import replace
from shapely import box
from test_dba3_judge import deployed, ford

from printkit.core import words
from printkit.core.errors import ScenarioError, UsageError
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.dba3.placing.selection import read_listed_features
from printkit.systems.dba3.placing.terms import HomeTopography, Terms
from printkit.systems.dba3.placing.zones import find_quarter_numbers
from printkit.systems.dba3.system import Dba3
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.features import Area, Feature, Kind
from printkit.terrain.field.record import write

SYSTEM = find("dba3")
RULES = Rules.of(SYSTEM.book, board=SYSTEM.board())
ROOT = math.sqrt

Boards = Callable[[float], Sequence[Feature]]


def bent(identity: str, kind: Kind, ratio: float) -> Feature:
    """Return a course across the board that is so many times as long as its ends are apart."""
    return course(identity, kind, (0, 6), (7.5, 6 + 7.5 * ROOT(ratio**2 - 1)), (15, 6))


def river(low: float = 6, *, wide: float = 0.6) -> Feature:
    return course("river", Kind.RIVER, (0, low), (15, low), wide=wide)


def road(wide: float = 0.5, end: float = 15) -> Feature:
    return course("road-1", Kind.ROAD, (0, 6), (end, 6), wide=wide)


def peaked(mm: float) -> Sequence[Feature]:
    """Return a river that reaches with so many mm of its line into a third quarter."""
    over = mm / 40 / 2 / ROOT(1 + 1 / 1.5**2)
    return [course("river", Kind.RIVER, (0, 6), (4, 6), (5, 7.5 + over), (6, 6), (15, 6))]


SEA = waterway(box(0, 0, 15, 2))

MOST: list[tuple[str, str, Boards]] = [
    ("D3-22", "area_sides_bw_max", lambda v: [woods("woods-1", 1, 1, v - 3, 5)]),
    ("D3-41", "bua_corner_bw", lambda v: [area("bua", Kind.CITY, 1, 1, 3, v)]),
    ("D3-41", "bua_corner_bw", lambda v: [area("bua", Kind.FORT, 15 - v, 12, 13, 14)]),
    ("D3-44", "waterway_depth_bw_max", lambda v: [waterway(box(0, 0, 15, v))]),
    ("D3-46", "river_width_bw_max", lambda v: [river(wide=v)]),
    ("D3-48", "river_sinuosity_max", lambda v: [bent("river", Kind.RIVER, v)]),
    ("D3-50", "road_width_bw_max", lambda v: [road(wide=v)]),
    ("D3-51", "road_sinuosity_max", lambda v: [bent("road-1", Kind.ROAD, v)]),
    ("D3-47", "missed_bw_line", lambda v: [course("river", Kind.RIVER, (0, 6), (15 - v, 6))]),
    ("D3-34", "held_area", lambda v: [area("bua", Kind.CITY, 4, 4, 6, 7.5 + v / 40**2 / 2)]),
    ("D3-43", "held_area", lambda v: [area("bua", Kind.HAMLET, 4, 4, 6, 7.5 + v / 40**2 / 2)]),
    ("D3-35", "held_line", peaked),
    ("D3-47", "missed_bw_beyond", lambda v: [course("river", Kind.RIVER, (0, 6), (15 + v, 6))]),
    ("D3-47", "missed_bw_shore", lambda v: [SEA, course("river", Kind.RIVER, (6, 2 + v), (6, 15))]),
    ("D3-52", "missed_bw_line", lambda v: [SEA, course("road-1", Kind.ROAD, (6, 2 - v), (6, 15))]),
    ("D3-53", "missed_bw_line", lambda v: [hill("gentle-hill-1", 15 - v, 5, 15, 7), river()]),
    ("D3-54", "missed_bw_ford", lambda v: [river(), course("road-1", Kind.ROAD, (6, 0), (6, 15)), ford(6 + v, 6)]),
    ("D3-51", "road_short_max", lambda v: [area("bua", Kind.HAMLET, 9, 5, 12, 7), road(end=9 - 0.5 * v)]),
]
LEAST: list[tuple[str, str, Boards]] = [
    ("D3-23", "area_side_bw_min", lambda v: [woods("woods-1", 1, 1, 3, 1 + v)]),
    ("D3-24", "ordinary_long_bw_min", lambda v: [woods(f"woods-{n}", 1, n, 1 + v, n + 2) for n in (1, 5)]),
    ("D3-32", "reach_sqbw_min", lambda v: [area("plough-1", Kind.PLOUGH, 4, 1, 7.5 + v / 3, 4)]),
    ("D3-36", "area_gap_bw_min", lambda v: [woods("woods-1", 1, 1, 4, 4), woods("woods-2", 4 + v, 1, 7, 4)]),
    ("D3-36", "water_gap_bw_min", lambda v: [SEA, woods("woods-1", 1, 2 + v, 4, 6)]),
    ("D3-37", "edge_gap_bw_min", lambda v: [woods("woods-1", v, 2, 4, 4)]),
    ("D3-37", "edge_gap_bw_min", lambda v: [woods("woods-1", 9, 9, 12, 15 - v)]),
    ("D3-44", "waterway_depth_bw_min", lambda v: [waterway(box(0, 15 - v, 15, 15))]),
    ("D3-49", "river_clearance_bw", lambda v: [river(v + 0.3)]),
]


@pytest.mark.clause("D3-22..D3-24", "D3-32", "D3-34..D3-36", "D3-37", "D3-41", "D3-43", "D3-44", "D3-46..D3-54")
@pytest.mark.parametrize(
    ("clause", "number", "board", "sign"), [(*each, 1) for each in MOST] + [(*each, -1) for each in LEAST]
)
def test_a_limit_holds_from_both_sides_and_is_that_of_the_book(
    clause: str, number: str, board: Boards, sign: int
) -> None:
    limit, slack = RULES.number(number), SYSTEM.book.slacks.get(number, 0.0)
    inside = board(limit * (1 - 0.01 * sign))
    assert slack <= 0.02 * limit
    assert kept(SYSTEM, clause, inside)
    assert kept(SYSTEM, clause, board(limit * (1 - 1e-6 * sign) + 0.5 * slack * sign))
    assert not kept(SYSTEM, clause, board(limit * (1 + 0.01 * sign) + slack * sign))
    with number_changed("dba3", number, 1 - 0.1 * sign):
        assert not kept(Dba3(), clause, inside)


@pytest.mark.clause("D3-25", "D3-26")
@pytest.mark.parametrize(
    ("clause", "board", "limit", "sign"),
    [
        ("D3-25", lambda v: [woods("woods-1", 1, 1, 1 + 2 * v, 3)], 2.0, 1),
        ("D3-26", lambda v: [course("gully", Kind.GULLY, (1, 2), (1 + v, 2), wide=1)], 3.0, -1),
    ],
)
def test_a_proportion_holds_from_both_sides(clause: str, board: Boards, limit: float, sign: int) -> None:
    rows = {row.need("piece", str): row for row in SYSTEM.book.own("pieces")}
    assert (rows["woods"].need("longest", float), rows["gully"].need("shortest", float)) == (2.0, 3.0)
    off = SYSTEM.book.numbers["ratio_off"]
    assert kept(SYSTEM, clause, board(limit * (1 - 0.01 * sign)))
    assert not kept(SYSTEM, clause, board(limit * (1 + (0.01 + off) * sign)))


@pytest.mark.clause("D3-1")
@pytest.mark.parametrize(("number", "sign"), [("board_bw_min", -1), ("board_bw_max", 1)])
def test_the_side_of_a_board_from_both_sides(number: str, sign: int) -> None:
    limit, slack = RULES.number(number), SYSTEM.book.slacks[number]
    found = record(SYSTEM, [])
    for side, state in (
        (limit, "kept"),
        (limit * (1 - 0.01 * sign), "kept"),
        (limit * (1 + 0.01 * sign) + slack * sign, "broken"),
    ):
        board = Board(side * 40, side * 40, found.battlefield.board.scale)
        assert SYSTEM.judge(replace(found, battlefield=Battlefield(board=board)))[0].state == state


@pytest.mark.clause("D3-57..D3-60")
@pytest.mark.parametrize(
    ("clause", "number", "kind", "zone"),
    [
        ("D3-57", "zone_from_centre_bw", "deployment", lambda v: box(4, 0, 11, 7.5 - v)),
        ("D3-60", "zone_from_centre_bw", "deployment", lambda v: box(4, 0, 11, 7.5 - v)),
        ("D3-58", "zone_side_bw", "deployment", lambda v: box(v, 0, 11, 4.5)),
        ("D3-58", "zone_side_bw", "deployment", lambda v: box(4, 0, 15 - v, 4.5)),
        ("D3-59", "zone_side_bw_fast", "flank", lambda v: box(v, 0, 13, 4.5)),
    ],
)
def test_a_zone_is_neither_larger_nor_smaller(clause: str, number: str, kind: str, zone: Any) -> None:
    limit, slack = RULES.number(number), SYSTEM.book.slacks[number]
    sizes = (limit, limit * 1.01 + slack, limit * 0.99 - slack)
    assert [deployed(clause, zone(size), kind) for size in sizes] == ["kept", "broken", "broken"]


def told(compulsory: int, optional: int) -> dict[str, Any]:
    """Return what a record tells of so many features."""
    pieces = [
        {"id": f"woods-{n}", "terrain": "woods", "compulsory": n < compulsory, "of": 1, "quarter": None}
        for n in range(compulsory + optional)
    ]
    return {"terrain": {"home": "forest", "pieces": pieces, "discarded": []}}


@pytest.mark.clause("D3-10")
@pytest.mark.parametrize(
    ("clause", "number", "details", "outside"),
    [
        ("D3-10", "compulsory_min", lambda n: told(n, 2), -1),
        ("D3-10", "compulsory_max", lambda n: told(n, 2), 1),
    ],
)
def test_a_count_holds_from_both_sides(clause: str, number: str, details: Any, outside: int) -> None:
    limit = RULES.whole(number)
    assert kept(SYSTEM, clause, [], details=details(limit))
    assert not kept(SYSTEM, clause, [], details=details(limit + outside))


@pytest.mark.clause("D3-24")
def test_so_many_features_may_be_small() -> None:
    most = RULES.whole("small_features_max")
    small = [woods(f"woods-{n}", 1, 1 + 3 * n, 3, 3 + 3 * n) for n in range(most + 1)]
    assert kept(SYSTEM, "D3-24", small[:most])
    assert not kept(SYSTEM, "D3-24", small)


SEEDS: dict[str, tuple[str, int]] = {
    **dict.fromkeys(("waterway_usual_bw_min", "waterway_usual_bw_shallow"), ("littoral", 4)),
    **dict.fromkeys(("waterway_usual_bw_max", "road_width_bw"), ("littoral", 7)),
    **dict.fromkeys(("river_width_bw", "zone_from_centre_bw", "zone_side_bw", "zone_side_bw_fast"), ("forest", 1)),
}
"""Numbers of which the record of a game tells: the home and the seed."""

OTHERWISE = ("board_bw_min", "board_bw_max", "inches_per_100_paces_at_40mm")
"""Numbers of which the board tells."""

JUDGED: dict[str, tuple[str, float, Any]] = {
    "compulsory_min": ("D3-10", 2, told(1, 2)),
    "compulsory_max": ("D3-10", 0.5, told(2, 2)),
}
"""Numbers of which a verdict on what was chosen tells: the clause, the change, and what was chosen."""

OFFERED: dict[str, tuple[float, tuple[str, ...]]] = {
    "optional_min": (1.5, ("woods", "river", "marsh")),
    "optional_max": (0.7, ("woods", "river", "marsh", "gentle hill")),
}
"""Numbers that a list of features keeps: the change, and the list."""

ELSEWHERE = {
    "small_features_max": "test_so_many_features_may_be_small",
    "ratio_off": "test_a_proportion_holds_from_both_sides",
    "sliver_sqbw": "test_a_town_may_share_a_sliver",
    "tries": "test_a_feature_has_so_many_tries",
    "river_clearance_bw_min": "test_the_clearance_of_a_river_can_be_set_within_its_range",
    "river_clearance_bw_max": "test_the_clearance_of_a_river_can_be_set_within_its_range",
}


def game(home: str, seed: int) -> str:
    """Return the record of a game of a book read anew."""
    return write(play(Dba3(), Orders(rules="dba3", settings={"home": home}), seed, words.find_words("en")).record)


@pytest.mark.clause("D3-68")
def test_every_number_of_the_book_is_tried_here() -> None:
    tried = {each[1] for each in (*MOST, *LEAST)} | {*SEEDS, *OTHERWISE, *JUDGED, *OFFERED, *ELSEWHERE}
    assert tried == set(SYSTEM.book.numbers)


@pytest.mark.parametrize("number", SEEDS)
def test_a_number_that_is_changed_changes_a_board(number: str) -> None:
    usual = game(*SEEDS[number])
    with number_changed("dba3", number, 1.1):
        assert game(*SEEDS[number]) != usual


@pytest.mark.clause("D3-49", "D3-68")
@pytest.mark.parametrize(("end", "sign"), [("min", -1), ("max", 1)])
def test_the_clearance_of_a_river_can_be_set_within_its_range(end: str, sign: int) -> None:
    limit = SYSTEM.book.numbers[f"river_clearance_bw_{end}"]
    assert Rules.of(SYSTEM.book, {"river_clearance": str(limit)}).number("river_clearance_bw") == limit
    with pytest.raises(ScenarioError, match=r"river_clearance = .* is not valid"):
        SYSTEM.book.settle({"river_clearance": str(limit + 0.1 * sign)})


def test_the_board_is_as_the_book_has_it() -> None:
    for number in ("board_bw_min", "inches_per_100_paces_at_40mm"):
        with number_changed("dba3", number, 1.1):
            assert Dba3().board() != SYSTEM.board()
    with number_changed("dba3", "board_bw_max", 0.8), pytest.raises(UsageError):
        Dba3().board(720)


@pytest.mark.parametrize("number", JUDGED)
def test_what_was_chosen_is_counted_by_the_book(number: str) -> None:
    clause, factor, details = JUDGED[number]
    assert kept(SYSTEM, clause, [], details=details)
    with number_changed("dba3", number, factor):
        assert not kept(Dba3(), clause, [], details=details)


@pytest.mark.clause("D3-11")
@pytest.mark.parametrize("number", OFFERED)
def test_a_list_has_as_many_optional_features_as_the_book_says(number: str) -> None:
    factor, names = OFFERED[number]

    def read_names() -> int:
        terms = Terms.from_rules(Rules.of(Dba3().book))
        return len(read_listed_features(names, terms.topography(HomeTopography.FOREST), terms))

    assert read_names() == len(names)
    with number_changed("dba3", number, factor), pytest.raises(ScenarioError, match="optional features"):
        read_names()


@pytest.mark.clause("D3-38")
def test_a_town_may_share_a_sliver() -> None:
    sliver = SYSTEM.book.numbers["sliver_sqbw"]
    for share, state in ((0.99, True), (1.01, False)):
        town = area("bua", Kind.HAMLET, 3 - share * sliver / 2, 1, 6, 3)
        assert kept(SYSTEM, "D3-38", [woods("woods-1", 1, 1, 3, 4), town]) == state


@pytest.mark.clause("D3-39")
def test_a_feature_has_so_many_tries_and_then_every_place_is_searched() -> None:
    with number_changed("dba3", "tries", 0.005):
        searched = [game("hilly", seed) for seed in range(1, 9)]
    assert all('"discarded": []' in record for record in searched)
    assert searched != [game("hilly", seed) for seed in range(1, 9)]


@pytest.mark.clause("D3-68")
@pytest.mark.parametrize(("reach", "counts"), [("inside", {1}), ("must", {2})])
def test_a_profile_says_how_far_a_piece_reaches(reach: str, counts: set[int]) -> None:
    inputs = {"features": ["woods", "marsh", "river"], "profile": [f"pieces marsh reach {reach}"]}
    held = set()
    for seed in range(1, 5):
        found = play(
            SYSTEM, Orders(rules="dba3", settings={"home": "forest"}, inputs=inputs), seed, words.find_words("en")
        )
        marshes = [each for each in found.record.battlefield.features if each.kind is Kind.MARSH]
        held |= {
            len(find_quarter_numbers(each.outline, SYSTEM.board(), 1.0)) for each in marshes if isinstance(each, Area)
        }
        assert not [each for each in SYSTEM.judge(found.record) if each.state == "broken"]
    assert held == counts
