"""Whole boards by seed: whatever is thrown, every piece that lies there is legal, and the whole board is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from placing_by_hand import BOARD, BOOK, keeps_depths, terms_of

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.placement import SLACK, has_share_inside, is_inside
from printkit.systems.dba.ground.frame import Axis, Quarter, corner_area, sector_area
from printkit.systems.dba.ground.placed_pieces import PlacedPiece
from printkit.systems.dba.ground.roads import max_angle_deg
from printkit.systems.dba.ground.terrain_limits import (
    COURSES,
    HILLS,
    PiecePick,
    Terrain,
    find_all_quarters,
)
from printkit.systems.dba.ground.terrain_rules import keeps_rules
from printkit.systems.solo.terrain.placing import PlacementOutcome, place_terrain
from printkit.systems.solo.terrain.terrain_rules import MADE_RULES, PLACED_RULES, SoloSurroundings
from printkit.terrain.field.battlefield import Board, Edge, GroundScale
from printkit.terrain.field.features import Course, Crossing, Hill, Kind
from printkit.terrain.geometry.measure import find_meetings, ribbon

LARGE = Board(36 * 25.4, 36 * 25.4, GroundScale(pace=0.381, base_width=60.0))
BOARDS = (BOARD, BOARD, LARGE)

FIELDS = (
    "bua road woods steep_hill gentle_hill",
    "road road river woods waterway",
    "woods woods river marsh gentle_hill",
    "steep_hill steep_hill bua road woods",
    "gentle_hill gentle_hill rough bua",
    "rough dunes oasis steep_hill bua",
    "woods road river bua marsh",
    "waterway dunes steep_hill river bua",
    "waterway gentle_hill gentle_hill",
    "gentle_hill woods river",
)
"""Fields of all home topographies, each with what is hardest to place together."""


def placed_on(field: str, board: Board, seed: int, **chosen: str) -> PlacementOutcome:
    picks = tuple(PiecePick(Terrain(name), compulsory=not number) for number, name in enumerate(field.split()))
    return place_terrain(picks, terms_of(board, **chosen), Dice(Seeded(seed), "terrain"), Jitter(seed))


def of(placed: PlacementOutcome, *terrains: Terrain) -> list[PlacedPiece]:
    return [piece for piece in placed.placed_pieces if piece.pick.terrain in terrains]


@pytest.mark.clause(
    "SD-3.3-b", "SD-3.3.1-r1", "SD-3.3.2-a", "SD-3.3.3-a", "SD-3.3.3-b", "SD-3.3.3-c", "SD-3.3.3-d", "SD-3.3.4-b",
    "SD-3.3.4-c", "SD-3.3.5-a", "SD-3.3.5-b", "SD-3.3.5-c", "AMB-18", "AMB-19", "AMB-20", "AMB-21",
)  # fmt: skip
@given(field=st.sampled_from(FIELDS), board=st.sampled_from(BOARDS), seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None, derandomize=True)
def test_every_board_is_legal(field, board, seed):
    placed = placed_on(field, board, seed)
    assert not placed.blocked_pieces
    assert not placed.warnings
    _pieces_keep_their_rules(placed, board)
    _areas_are_legal(placed, board)
    _water_is_legal(placed, board)
    _roads_are_legal(placed, board)
    _the_whole_is_legal(placed, board)


def _pieces_keep_their_rules(placed: PlacementOutcome, board: Board) -> None:
    results, terms = {piece.identity: piece.result for piece in placed.placed_pieces}, terms_of(board)
    pieces = tuple(piece.view for piece in placed.placed_pieces)
    surroundings = SoloSurroundings(
        terms=terms,
        pieces=pieces,
        bad_count=sum(piece.terrain not in COURSES and terms.is_bad(piece.terrain) for piece in pieces),
        find_result=lambda piece: results[piece.id],
        rounding_mm=SLACK,
    )
    for piece in pieces:
        assert keeps_rules((*PLACED_RULES[piece.terrain], *MADE_RULES.get(piece.terrain, ())), piece, surroundings)


def _areas_are_legal(placed: PlacementOutcome, board: Board) -> None:
    found = [piece for piece in placed.placed_pieces if piece.pick.terrain not in (*COURSES, Terrain.WATERWAY)]
    for piece in found:
        assert is_inside(piece.shape, board.shape)
        if piece.pick.terrain is Terrain.BUA:
            assert is_inside(piece.shape, corner_area(board, Quarter(piece.result), board.paces(900), board.paces(900)))
        else:
            assert has_share_inside(piece.shape, sector_area(board, *piece.result.split("/")))


def _water_is_legal(placed: PlacementOutcome, board: Board) -> None:
    terms = terms_of(board)
    for water in of(placed, Terrain.WATERWAY):
        assert keeps_depths(water.shape, board, Edge(water.result), terms.waterway_depths())
    for piece in of(placed, Terrain.RIVER):
        bed = ribbon(piece.shape, 0.6 * board.scale.base_width)
        assert not any(bed.intersects(other.shape) for other in of(placed, *HILLS, Terrain.BUA))


def _roads_are_legal(placed: PlacementOutcome, board: Board) -> None:
    roads = of(placed, Terrain.ROAD)
    for piece in roads:
        name, _, side = piece.result.partition("/")
        axis = Axis(name.split("-")[0])
        half = axis.edge_strip(board, 0.0, axis.breadth(board) / 2).buffer(SLACK)
        assert not side or half.covers(piece.shape) is (side == "low")
        assert max_angle_deg(piece.shape, axis, board.scale.base_width) < 42.5
    towns = of(placed, Terrain.BUA)
    assert not roads or all(any(road.shape.intersects(town.shape) for road in roads) for town in towns)
    crossings = [feature for feature in placed.features if isinstance(feature, Crossing)]
    met = [
        each for road in roads for river in of(placed, Terrain.RIVER) for each in find_meetings(road.shape, river.shape)
    ]
    assert len(crossings) == len(met)
    assert all(each.angle >= 45 for each in met)


def _the_whole_is_legal(placed: PlacementOutcome, board: Board) -> None:
    terms = terms_of(board)
    cover = [
        piece.shape
        for piece in placed.placed_pieces
        if piece.pick.terrain in (Terrain.RIVER, Terrain.WATERWAY) or terms.is_bad(piece.pick.terrain)
    ]
    assert len(find_all_quarters([piece.shape for piece in placed.placed_pieces], board, 1.0, 1.0)) >= 3
    assert len(find_all_quarters(cover, board, 1.0, 1.0)) >= 2


@pytest.mark.clause("SD-3.3-b")
def test_a_seed_always_gives_the_same_board() -> None:
    found = [placed_on("river woods gentle_hill", BOARD, seed) for seed in (12, 12, 13)]
    assert found[0] == found[1]
    assert found[0].features != found[2].features


def test_signs_and_goings_follow_the_rule_book() -> None:
    placed = placed_on("steep_hill gentle_hill river woods waterway", BOARD, 4)
    by_id = {feature.id: feature for feature in placed.features}
    steep, gentle, river = by_id["steep-hill-1"], by_id["gentle-hill-1"], by_id["river"]
    assert isinstance(steep, Hill)
    assert isinstance(gentle, Hill)
    assert isinstance(river, Course)
    assert (steep.going, gentle.going) == (BOOK.going["bad"], BOOK.going["good"])
    assert [face.kind for face in steep.faces] == [Kind.STEEP_SLOPE] * 4
    assert sum(face.line.length for face in steep.faces) == pytest.approx(steep.outline.length, rel=0.01)
    assert gentle.faces == ()
    assert river.width == pytest.approx(0.6 * 40)
    assert (by_id["waterway"].kind, by_id["waterway"].going.name) == (Kind.WATERWAY, "impassable")


@pytest.mark.clause("SD-3.3-b")
def test_a_river_is_thrown_for_again_where_no_area_piece_can_mend_the_board() -> None:
    """Waterway, town and river alone may all lie on one side: the river moves, and the step says why."""
    boards = [placed_on("waterway bua river", BOARD, seed) for seed in range(25)]
    assert [board.warnings for board in boards] == [()] * 25
    assert any(sum(step.terrain is Terrain.RIVER for step in board.steps) > 1 for board in boards)
