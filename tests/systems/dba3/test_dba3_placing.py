"""Placing: the die for a quarter, who chooses on 5 and 6, where features lie, what is discarded."""

from __future__ import annotations

import pytest
from shapely import box

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.streams import Jitter
from printkit.core import words
from printkit.kit.placement import PlacementObstacle
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.dba.ground.frame import Axis
from printkit.systems.dba.ground.placed_pieces import PlacedTerrain
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.dba3.placing.placement import KeepOut, Shore
from printkit.systems.dba3.placing.placing import order_features, place_features
from printkit.systems.dba3.placing.terms import Terms
from printkit.systems.dba3.placing.zones import (
    BaseEdges,
    choose_base_edges,
    dividing_line,
    find_quarter_numbers,
    joined_quarters,
    make_overlays,
    neighbour_numbers,
    quarter_edges,
    quarter_ground,
    quarter_strip,
    zone_area,
)
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Kind

SYSTEM = find("dba3")
BOARD = SYSTEM.board()
BASE = BOARD.scale.base_width


def pick(terrain: Terrain, *, town: str = "", compulsory: bool = False) -> PiecePick:
    return PiecePick(terrain=terrain, compulsory=compulsory, town=town)


def placed(*picks: PiecePick, dice: str = "", seed: int = 3, keep_out: KeepOut | None = None) -> PlacedTerrain:
    source = ScriptedSource(dice.split(), Seeded(seed), Seeded(seed))
    terms = Terms.from_rules(Rules.of(SYSTEM.book, board=BOARD))
    return place_features(picks, terms, Dice(source, "placement"), Jitter(seed), keep_out=keep_out)


@pytest.mark.clause("D3-2")
def test_quarters_run_clockwise_from_the_defenders_left_with_lines_and_strips_between_them() -> None:
    places = [
        (quarter_ground(BOARD, n).centroid.x < 300, quarter_ground(BOARD, n).centroid.y < 300) for n in (1, 2, 3, 4)
    ]
    assert places == [(True, True), (True, False), (False, False), (False, True)]
    assert [neighbour_numbers(n) for n in (1, 2, 3, 4)] == [(2, 4), (3, 1), (4, 2), (1, 3)]
    assert (dividing_line(BOARD, 1, 2), dividing_line(BOARD, 1, 4)) == (("y", 300), ("x", 300))
    assert joined_quarters(BOARD, 2, 3).bounds == (0, 300, 600, 600)
    assert quarter_strip(BOARD, 3, Axis.UP).bounds == (300, 0, 600, 600)
    assert quarter_strip(BOARD, 1, Axis.ACROSS).bounds == (0, 0, 600, 300)
    assert quarter_edges(2) == (Edge.FAR, Edge.LEFT)
    assert find_quarter_numbers(box(250, 250, 350, 280), BOARD) == (1, 4)


@pytest.mark.clause("D3-29", "D3-30", "D3-31")
def test_the_die_of_a_quarter_gives_each_quarter_and_each_side_once() -> None:
    rows = [SYSTEM.book.tables["quarter"].look_up(score) for score in range(1, 7)]
    assert sorted(rows) == ["1", "2", "3", "4", "defender", "invader"]


@pytest.mark.clause("D3-29", "D3-34")
@pytest.mark.parametrize("quarter", [1, 2, 3, 4])
def test_an_area_feature_lies_inside_the_quarter_of_its_die(quarter: int) -> None:
    (laid,) = placed(pick(Terrain.WOODS), dice=str(quarter)).placed_pieces
    assert (laid.result, find_quarter_numbers(laid.shape, BOARD)) == (str(quarter), (quarter,))
    assert laid.features[0].origin.clauses == ("D3-29",)


@pytest.mark.clause("D3-30", "D3-31")
@pytest.mark.parametrize("die", ["5", "6"])
def test_a_side_chooses_any_quarter(die: str) -> None:
    found = [placed(pick(Terrain.WOODS), dice=die, seed=seed).placed_pieces[0] for seed in range(12)]
    assert {each.result for each in found} == {"1", "2", "3", "4"}
    assert {each.features[0].origin.clauses for each in found} == {(f"D3-{25 + int(die)}",)}


@pytest.mark.clause("D3-30", "D3-31", "D3-39")
def test_what_has_no_room_is_discarded_unless_the_defender_can_choose_again() -> None:
    def full(_terrain: Terrain, board: Board, _shore: Shore | None) -> tuple[PlacementObstacle, ...]:
        return (PlacementObstacle("the lake", box(0, 0, board.width / 2, board.depth), 0.0),)

    lost = placed(pick(Terrain.WOODS), dice="1", keep_out=full)
    assert [(each.identity, each.result, each.blockers) for each in lost.blocked_pieces] == [
        ("woods-1", "1", ("the lake",))
    ]
    assert not lost.placed_pieces
    defended, invaded = (
        [placed(pick(Terrain.WOODS), dice=die, keep_out=full, seed=seed) for seed in range(4)] for die in "56"
    )
    assert {each.placed_pieces[0].result for each in defended} <= {"3", "4"}
    assert any(each.blocked_pieces for each in invaded)


@pytest.mark.clause("D3-39")
def test_a_feature_without_room_for_its_size_becomes_smaller() -> None:
    def narrow(_terrain: Terrain, board: Board, _shore: Shore | None) -> tuple[PlacementObstacle, ...]:
        whole, free = box(0, 0, board.width, board.depth), box(1.5 * BASE, 1.5 * BASE, 5.2 * BASE, 4.0 * BASE)
        return (PlacementObstacle("the lake", whole.difference(free), 0.0),)

    usual, small = placed(pick(Terrain.WOODS), dice="1"), placed(pick(Terrain.WOODS), dice="1", keep_out=narrow)
    assert small.placed_pieces
    assert small.placed_pieces[0].shape.area < usual.placed_pieces[0].shape.area


@pytest.mark.clause("D3-32", "D3-33")
def test_plough_reaches_into_an_adjacent_quarter_and_gentle_hills_may() -> None:
    held = set()
    for seed in range(6):
        found = placed(pick(Terrain.PLOUGH), pick(Terrain.GENTLE_HILL), dice="1 3", seed=seed)
        plough, hill = (find_quarter_numbers(each.shape, BOARD, 1.0) for each in found.placed_pieces)
        assert plough in ((1, 2), (1, 4))
        assert 3 in hill
        held.add(len(hill))
    assert held == {1, 2}


@pytest.mark.clause("D3-35", "D3-47", "D3-51", "D3-54")
def test_linear_features_run_through_two_quarters() -> None:
    found = placed(pick(Terrain.RIVER), pick(Terrain.ROAD), dice="2 4", seed=5)
    for each, quarter in zip(found.placed_pieces, (2, 4), strict=True):
        held = find_quarter_numbers(each.shape, BOARD, 1.0)
        assert len(held) == 2
        assert quarter in held
    crossings = [each for each in found.features if each.id.startswith("crossing")]
    assert len(crossings) == int(found.placed_pieces[0].shape.crosses(found.placed_pieces[1].shape))


@pytest.mark.clause("D3-44", "D3-45")
@pytest.mark.parametrize("quarter", [1, 3])
def test_a_waterway_lies_along_an_edge_of_its_quarter(quarter: int) -> None:
    edges = {placed(pick(Terrain.WATERWAY), dice=str(quarter), seed=seed).placed_pieces[0].edge for seed in range(8)}
    assert edges == set(quarter_edges(quarter))


@pytest.mark.clause("D3-41", "D3-42", "D3-38")
def test_cities_and_forts_stand_in_corners_and_forts_on_hills() -> None:
    city = placed(pick(Terrain.BUA, town="city"), dice="3").placed_pieces[0].shape
    assert box(9 * BASE, 9 * BASE, 15 * BASE, 15 * BASE).covers(city)
    high = 0
    for seed in range(5):
        found = placed(
            pick(Terrain.GENTLE_HILL, compulsory=True), pick(Terrain.BUA, town="fort"), dice="1 1", seed=seed
        )
        hill, fort = (each.shape for each in found.placed_pieces)
        assert not fort.intersects(hill) or hill.covers(fort)
        high += hill.covers(fort)
    assert high


@pytest.mark.clause("D3-28")
def test_the_waterway_is_placed_first_then_what_is_compulsory() -> None:
    picks = (
        pick(Terrain.WOODS, compulsory=True), pick(Terrain.ROAD), pick(Terrain.MARSH), pick(Terrain.WATERWAY),
        pick(Terrain.RIVER), pick(Terrain.WOODS),
    )  # fmt: skip
    assert [name for _, name in order_features(picks)] == [
        "waterway",
        "woods-1",
        "river",
        "marsh-1",
        "woods-2",
        "road-1",
    ]


class TestEdges:
    @pytest.mark.clause("D3-55", "D3-56")
    def test_no_water_lies_behind_the_defender(self) -> None:
        none = Dice(ScriptedSource([], Seeded(1)))
        assert choose_base_edges("auto", None, none).defender is Edge.NEAR
        assert choose_base_edges("auto", Edge.NEAR, none).defender is Edge.FAR
        behind = choose_base_edges("left", Edge.LEFT, none)
        assert behind.invader is Edge.LEFT
        assert behind.warning
        chosen = {choose_base_edges("choice", Edge.LEFT, Dice(Seeded(seed))).defender for seed in range(24)}
        assert chosen == {Edge.NEAR, Edge.FAR, Edge.RIGHT}

    @pytest.mark.clause("D3-57", "D3-58", "D3-59")
    @pytest.mark.parametrize(("side", "deep"), [(15, 4.5), (20, 7.0)])
    def test_zones(self, side: float, deep: float) -> None:
        board = SYSTEM.board(side * BASE)
        near = zone_area(board, Edge.NEAR, from_centre=3 * BASE, side=4 * BASE)
        assert near.bounds == (4 * BASE, 0, (side - 4) * BASE, deep * BASE)
        right = zone_area(board, Edge.RIGHT, from_centre=3 * BASE, side=2 * BASE)
        assert right.bounds == ((side - deep) * BASE, 2 * BASE, side * BASE, (side - 2) * BASE)

    @pytest.mark.clause("D3-57", "D3-58", "D3-59")
    def test_the_ground_of_each_side_is_drawn_with_its_depth(self) -> None:
        rules = Rules.of(SYSTEM.book, board=SYSTEM.board(16 * BASE))
        drawn = [each for each in make_overlays(BaseEdges(defender=Edge.NEAR), rules) if each.kind != "quarters"]
        bounds = [tuple(mm / BASE for mm in each.shape.bounds) for each in drawn]
        assert [(each.kind, each.side, each.label, *box) for each, box in zip(drawn, bounds, strict=True)] == [
            ("deployment", "A", "5", 4, 11, 12, 16),
            ("flank", "A", "", 2, 11, 14, 16),
            ("deployment", "B", "5", 4, 0, 12, 5),
            ("flank", "B", "", 2, 0, 14, 5),
        ]


@pytest.mark.clause("D3-22", "D3-25", "D3-39")
def test_an_outline_that_does_not_come_to_fit_is_not_laid() -> None:
    system = find("collision-course")
    orders = Orders(rules=system.name, settings={"river_clearance": "1", "defender_edge": "far"}, board="20BW")
    found = play(system, orders, 1041, words.find_words("en")).record
    assert any(each.kind is Kind.MARSH for each in found.battlefield.features)
    assert [each.clause for each in system.judge(found) if each.state == "broken"] == []
