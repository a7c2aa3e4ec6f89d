"""The squares of Collision Course: where they lie, what may lie in them, and boards on which they are clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest
import shapely
from dba3_boards import area, course, hill, kept, record, scaled, verdict, waterway, woods
from msgspec.structs import replace
from shapely import LineString, Point, Polygon, box

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.streams import Jitter
from printkit.core import words
from printkit.kit.check import judge_text
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.kit.shape_rules import Measurement
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.ground import (
    build_squares,
    column_box,
    column_strip,
    entry_stretch,
    forbidden_pieces,
    keep_out_of,
)
from printkit.systems.collision.march.side_facts import read_edges, side_facts
from printkit.systems.collision.march.square_rules import SQUARE_RULES, measure_overlaps
from printkit.systems.dba.ground.frame import rotate_from_edge, rotate_to_edge
from printkit.systems.dba.ground.placed_pieces import PlacedTerrain
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.dba3.judge.case import Dba3Case
from printkit.systems.dba3.placing.placement import Shore, find_shore
from printkit.systems.dba3.placing.placing import place_features
from printkit.systems.dba3.placing.terms import Terms
from printkit.systems.dba3.placing.zones import BaseEdges, edges_by_letter
from printkit.terrain.field.battlefield import Board, Edge
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import write

SYSTEM = find("collision-course")
BOOK = SYSTEM.book
SEA = Polygon([(0, 0), (15, 0), (15, 2.5), (0, 2.5)])
RULES = Rules.of(BOOK, board=SYSTEM.board())
HOMES = ("arable", "forest", "hilly", "steppe", "dry", "tropical", "littoral")
NEAR_ONLY = (box(5.5, 0, 9.5, 4), box(5.5, 11, 9.5, 15), box(0, 5.5, 4, 9.5), box(11, 5.5, 15, 9.5))


def board(side: float = 15) -> Board:
    return SYSTEM.board(side * 40)


def of(side: float = 15, shore: Shore | None = None) -> dict[str, tuple[float, ...]]:
    """Return the squares by name, in base widths."""
    found = build_squares(Rules.of(BOOK, board=board(side)), shore)
    return {each.name: tuple(round(value / 40, 6) for value in each.ground.bounds) for each in found}


def broken(features: Iterable[Feature]) -> list[tuple[str, str, float]]:
    """Return the breaches: feature, square, overlap in square base widths."""
    case = Dba3Case.of_record(record(SYSTEM, features), BOOK)
    return [
        (piece.id, str(each.words["square"]), round(each.value, 6))
        for piece in case.pieces
        for each in measure_overlaps((), piece, case.surroundings)
        if each.value > RULES.number("breach_sqbw_least")
    ]


class TestSquares:
    @pytest.mark.clause("CC-G02", "CC-T01", "CC-T02", "CC-1.1", "CC-Q01")
    def test_four_lie_at_the_middle_of_the_edges_whole(self) -> None:
        assert of() == {
            "the near edge square": (5.5, 0, 9.5, 4),
            "the far edge square": (5.5, 11, 9.5, 15),
            "the left edge square": (0, 5.5, 4, 9.5),
            "the right edge square": (11, 5.5, 15, 9.5),
        }
        assert build_squares(RULES, None)[0].ground.bounds == (220, 0, 380, 160)
        assert of(20)["the near edge square"] == (8, 0, 12, 4)
        assert of(20)["the right edge square"] == (16, 8, 20, 12)

    @pytest.mark.clause("CC-P01", "CC-P02")
    def test_they_are_disjoint_and_cover_64_square_base_widths_16_of_each_quarter(self) -> None:
        for side in (12, 15, 20):
            big = replace(board(), width=side * 40.0, depth=side * 40.0)
            grounds = [each.ground for each in build_squares(Rules.of(BOOK, board=big), None)]
            assert sum(ground.area for ground in grounds) == 64 * 1600
            assert all(one.intersection(other).area == 0 for one, other in combinations(grounds, 2))
            assert any(one.touches(other) for one, other in combinations(grounds, 2)) == (side == 12)
        assert Fraction(64, 400) == Fraction(4, 25)
        taken = shapely.union_all(NEAR_ONLY).intersection(box(0, 0, 7.5, 7.5)).area
        assert (taken, 7.5 * 7.5 - taken) == (16, Fraction(161, 4))

    @pytest.mark.clause("CC-G06", "CC-Q02")
    def test_beside_a_waterway(self) -> None:
        found = of(shore=Shore(Edge.NEAR, scaled(SEA)))
        assert {name: each for name, each in found.items() if "near" in name} == {
            "the near edge square": (5.5, 0, 9.5, 4),
            "the near shore square": (5.5, 2.5, 9.5, 6.5),
        }

    @pytest.mark.clause("CC-1.1", "CC-1.2", "CC-1.3", "CC-G03", "CC-Q03", "CC-Q04")
    def test_what_may_not_lie_in_them(self) -> None:
        usual = {
            "bua", "woods", "steep_hill", "marsh", "dunes", "oasis", "plough", "enclosures", "scrub", "boggy", "rocky",
            "gully",
        }  # fmt: skip
        assert {each.value for each in forbidden_pieces(RULES)} == usual


class TestBreaches:
    @pytest.mark.clause("CC-T04", "CC-T05", "CC-T06", "CC-T07", "CC-T09", "CC-G04", "CC-1.1", "CC-1.2")
    @pytest.mark.parametrize(
        ("feature", "overlaps"),
        [
            (woods("woods-1", 4, 0, 5.5, 3), {}),
            (woods("woods-1", 4, 0, 5.6, 3), {"near": 0.3}),
            (area("scrub-1", Kind.SCRUB, 3, 3, 6, 6), {"near": 0.5, "left": 0.5}),
            (area("plough-1", Kind.PLOUGH, 5, 3.9, 8, 6), {"near": 0.25}),
            (hill("hill-1", 0, 0, 5.5, 5.5, steep=True), {}),
        ],
        ids=["a wood that touches", "a wood that overlaps", "two squares", "plough", "a steep hill in the corner"],
    )
    def test_by_how_much_a_feature_overlaps_a_square(self, feature: Feature, overlaps: dict[str, float]) -> None:
        assert broken([feature]) == [
            (feature.id, f"the {square} edge square", overlap) for square, overlap in overlaps.items()
        ]
        assert kept(SYSTEM, "CC-1.2", [feature]) == (feature.id != "plough-1")
        assert kept(SYSTEM, "CC-1.1", [feature]) == (not overlaps or feature.id == "plough-1")

    @pytest.mark.clause("CC-T05", "CC-E30", "CC-G08", "CC-1.1")
    def test_a_wood_that_overlaps_is_told_with_its_going(self) -> None:
        state, where = verdict(SYSTEM, "CC-E30", [woods("woods-1", 4, 0, 5.6, 3)])
        assert state == "broken"
        assert where == "woods-1 (bad) overlaps the near edge square by 0.3 BW² (CC-E30)"

    @pytest.mark.clause("CC-E30", "CC-G08")
    @pytest.mark.parametrize(("low", "high", "square"), [(1, 2, "borde"), (4.5, 6.2, "orilla")])
    def test_a_breach_is_told_once_in_the_language_of_the_person(self, low: float, high: float, square: str) -> None:
        found = record(SYSTEM, [waterway(SEA), woods("woods-1", 6, low, 9, high)])
        told = {each.where for each in SYSTEM.judge(found) if each.state == "broken" and "overlaps" in each.where}
        assert len(told) == 1
        assert f"del cuadro del borde cercano ({square})" in words.find_words("es").translate(told.pop())
        assert list(SYSTEM.remarks(found, words.find_words("es"))) == []

    @pytest.mark.clause("CC-T08", "CC-1.3", "CC-Q04")
    def test_what_may_lie_there(self) -> None:
        river = course("river", Kind.RIVER, (7, 15), (8, 8), (15, 7), wide=0.6)
        ways: list[Feature] = [hill("hill-1", 5, 1, 10, 3), course("road-1", Kind.ROAD, (7.5, 0), (7.5, 15)), river]
        assert broken(ways) == []
        assert kept(SYSTEM, "CC-G03", ways)

    @pytest.mark.clause("CC-T10", "CC-T12", "CC-G06", "CC-Q02", "CC-Q03")
    def test_no_city_lies_in_a_square_and_no_wood_in_that_of_the_shore(self) -> None:
        city = [area("bua", Kind.CITY, 5.6, 0.5, 8, 3)]
        assert [each[1] for each in broken(city)] == ["the near edge square"]
        ashore = [waterway(SEA), woods("woods-1", 6, 5, 8, 6.2)]
        assert broken(ashore) == [("woods-1", "the near shore square", 2.4)]
        assert not kept(SYSTEM, "CC-G06", ashore)

    @pytest.mark.clause("CC-T11", "CC-7.1", "CC-7.2", "CC-7.3", "CC-E16", "CC-E17", "CC-E18", "CC-G07")
    def test_there_is_no_fort_and_a_city_is_the_defenders_without_a_garrison(self) -> None:
        city, fort = ([area("bua", kind, 1, 1, 4, 4)] for kind in (Kind.CITY, Kind.FORT))
        for clause in ("CC-7.1", "CC-E16", "CC-G07"):
            assert not kept(SYSTEM, clause, fort)
            assert kept(SYSTEM, clause, city)
        for garrison, by in (("none", "defender"), ("", "")):
            facts = {"bua": {"garrison": garrison, "by": by}}
            assert kept(SYSTEM, "CC-7.2", city, properties=facts)
            assert kept(SYSTEM, "CC-7.3", city, properties=facts)
        assert not kept(SYSTEM, "CC-E17", city, properties={"bua": {"by": "invader"}})
        assert not kept(SYSTEM, "CC-E18", city, properties={"bua": {"garrison": "Bd"}})

    @pytest.mark.clause("CC-1.4", "CC-G01")
    def test_the_rest_is_dba(self) -> None:
        assert kept(SYSTEM, "D3-37", [woods("woods-1", 1, 1, 4, 4)])
        near = record(SYSTEM, [woods("woods-1", 0.5, 1, 4, 4)])
        assert [each.clause for each in SYSTEM.judge(near) if each.state == "broken"] == ["D3-37"]

    @pytest.mark.clause("CC-G08")
    def test_a_board_of_another_system_is_checked(self) -> None:
        other = find("dba3")
        text = write(record(other, [woods("woods-1", 4, 1, 7, 4)]))
        systems = {"dba3": other, SYSTEM.name: SYSTEM}
        states = {each.clause: each.state for each in judge_text(text, systems, SYSTEM.name).verdicts}
        assert states["CC-G03"] == "broken"
        made = play(other, Orders(rules="dba3", settings={"home": "steppe"}), 1, words.find_words("en")).record
        judged = {each.clause: each.state for each in judge_text(write(made), systems, SYSTEM.name).verdicts}
        assert {judged[clause] for clause in ("CC-O01", "CC-O02", "CC-O03", "CC-O07")} == {"not judged"}
        assert "CC-G03" not in {each.clause for each in judge_text(text, systems).verdicts}


def placed(pick: PiecePick, die: int, *, seed: int = 2, **settings: str) -> PlacedTerrain:
    rules = Rules.of(BOOK, settings, board=board())
    dice = Dice(ScriptedSource([str(die)], Seeded(seed), Seeded(seed)), "placement")
    terms, keep_out = Terms.from_rules(rules), keep_out_of(rules)
    return place_features((pick,), terms, dice, Jitter(seed), keep_out=keep_out, more_rules=SQUARE_RULES)


@pytest.mark.clause("CC-G05")
@pytest.mark.parametrize("terrain", [Terrain.WOODS, Terrain.PLOUGH, Terrain.STEEP_HILL, Terrain.GULLY])
def test_features_are_moved_in_their_quarter_while_they_are_placed(terrain: Terrain) -> None:
    clear = shapely.union_all([scaled(each) for each in NEAR_ONLY])
    for seed in range(3):
        found = placed(PiecePick(terrain=terrain), 1, seed=seed)
        assert all(each.view.ground.intersection(clear).area == 0 for each in found.placed_pieces)
        assert len(found.placed_pieces) + len(found.blocked_pieces) == 1


@pytest.mark.clause("CC-1.1", "CC-1.2", "CC-G03..CC-G06", "CC-G08", "CC-E30")
@pytest.mark.parametrize("number", range(len(SQUARE_RULES[Terrain.GENTLE_HILL])))
def test_terrain_is_placed_and_checked_by_each_rule(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, rough = SQUARE_RULES[Terrain.ROCKY], area("rocky-1", Kind.ROCKS, 1, 1, 4, 3)
    always_broken = replace(rules[number], measure=lambda *_: [Measurement()], maximum="", says="{it}")
    pick = PiecePick(terrain=Terrain.ROCKY)
    assert placed(pick, 1).placed_pieces
    assert kept(SYSTEM, always_broken.clause, [rough])
    monkeypatch.setitem(SQUARE_RULES, Terrain.ROCKY, (*rules[:number], always_broken, *rules[number + 1 :]))
    monkeypatch.setattr("printkit.systems.dba3.placing.placing.search_placement", lambda *_: None)
    assert not placed(pick, 1).placed_pieces
    assert not kept(SYSTEM, always_broken.clause, [rough])


@pytest.mark.clause("CC-1.3", "CC-G07", "CC-7.1", "CC-7.2")
def test_a_gentle_hill_may_lie_in_a_square_and_a_fort_cannot_be_chosen() -> None:
    assert keep_out_of(RULES)(Terrain.GENTLE_HILL, board(), None) == ()
    assert len(keep_out_of(RULES)(Terrain.WOODS, board(), None)) == 4
    assert BOOK.default("bua") == "city,hamlet,edifice"
    for settings in ({}, {"fort": "true"}, {"bua": "city,fort,hamlet,edifice"}):
        assert Terms.from_rules(Rules.of(BOOK, settings)).town_names == ("city", "hamlet", "edifice")


@cache
def game(home: str) -> Any:
    return play(SYSTEM, Orders(rules=SYSTEM.name, settings={"home": home}), 7, words.find_words("en")).record


@pytest.mark.clause("CC-T46", "CC-G01", "CC-G05", "CC-O01..CC-O07")
@pytest.mark.parametrize("home", HOMES)
def test_boards_are_clear_and_legal(home: str) -> None:
    found = game(home)
    assert [each for each in SYSTEM.judge(found) if each.state == "broken"] == []
    assert all(feature.kind is not Kind.FORT for feature in found.battlefield.features)


@pytest.mark.usefixtures("_laid_anew")
@pytest.mark.clause("CC-G07", "CC-7.3", "CC-G09")
def test_a_city_is_locked_and_the_same_seed_gives_the_same_record() -> None:
    orders = Orders(rules=SYSTEM.name, settings={"home": "hilly"}, inputs={
        "features": ["difficult hill", "city", "river"]})  # fmt: skip
    first, again = (play(SYSTEM, orders, 4, words.find_words("en")).record for _ in range(2))
    assert write(first) == write(again)
    if any(feature.kind is Kind.CITY for feature in first.battlefield.features):
        assert first.details["city"] == {"id": "bua", "by": "defender", "garrison": "none", "locked": True}


class TestOverlays:
    @pytest.mark.clause("CC-O01", "CC-O03", "CC-O04", "CC-O05", "CC-2.2", "CC-2.3", "CC-2.4", "CC-2.9", "CC-4.3")
    @pytest.mark.clause("CC-4.4", "CC-Q16")
    def test_boxes_of_columns_and_entry_stretches_begin_at_the_edge_or_the_shore(self) -> None:
        shore = Shore(Edge.NEAR, scaled(SEA))
        assert column_box(RULES, Edge.NEAR, None).bounds == (220, 0, 380, 160)
        assert column_box(RULES, Edge.NEAR, shore).bounds == (220, 100, 380, 260)
        for anywhere in (None, shore):
            assert column_box(RULES, Edge.FAR, anywhere).bounds == (220, 440, 380, 600)
        assert column_strip(RULES, Edge.LEFT, None).bounds == (0, 220, 40, 380)
        assert entry_stretch(RULES, 160, Edge.NEAR, None).bounds == (160, 0, 440, 0)
        assert entry_stretch(RULES, 80, Edge.RIGHT, None).bounds == (600, 80, 600, 520)
        assert entry_stretch(RULES, 160, Edge.NEAR, shore).bounds == (160, 100, 440, 100)

    @pytest.mark.clause("CC-O02", "CC-O06", "CC-O07", "CC-Q16")
    def test_what_is_drawn(self) -> None:
        found = game("littoral")
        kinds = Counter(overlay.kind for overlay in found.battlefield.overlays)
        lines = {"landing": 1, "centre-line": 1, "base-line": 2, "entry": 2, "entry-fast": 2}
        assert kinds == {"keep-clear": 5, "column": 4, "deployment": 2, "quarters": 4, **lines}
        labels = {overlay.label for overlay in found.battlefield.overlays if overlay.kind == "keep-clear"}
        assert labels == {"", "collision.clear_square"}
        for language, told in (("en", ["clear"]), ("es", ["despejado"]), ("en+es", ["clear", "despejado"])):
            said = words.find_words(language)("collision.clear_square", longer=4, shorter=2)
            assert [word for word in ("clear", "despejado") if word in said] == told

    @pytest.mark.clause("CC-O01..CC-O07", "CC-2.9")
    @pytest.mark.parametrize(
        ("clause", "kind", "label"),
        [
            ("CC-O01", "base-line", ""), ("CC-O02", "centre-line", ""), ("CC-O03", "column", "1"),
            ("CC-O04", "column", "2"), ("CC-O05", "entry", "3"), ("CC-O06", "landing", ""),
            ("CC-O07", "keep-clear", ""),
        ],
    )  # fmt: skip
    def test_what_is_drawn_elsewhere_is_found(self, clause: str, kind: str, label: str) -> None:
        found = game("littoral")
        moved = tuple(
            replace(each, shape=shapely.affinity.translate(each.shape, 6, 6))
            if each.kind == kind and (not label or each.label == label) else each
            for each in found.battlefield.overlays
        )  # fmt: skip
        for overlays, state in ((found.battlefield.overlays, "kept"), (moved, "broken")):
            judged = SYSTEM.judge(replace(found, battlefield=replace(found.battlefield, overlays=overlays)))
            assert next(each.state for each in judged if each.clause == clause) == state


@pytest.mark.clause("CC-O03", "CC-O11", "CC-2.2", "CC-2.9", "CC-E31")
def test_the_box_on_a_shore_is_the_ground_that_the_check_of_positions_allows() -> None:
    found = game("littoral")
    field = found.battlefield
    shore = find_shore(field)
    assert shore is not None
    wet = next(role for role, edge in read_edges(found.details).items() if edge is shore.edge)
    base_edges = BaseEdges(defender=read_edges(found.details)[Role.DEFENDER])
    side = next(each for each, edge in edges_by_letter(base_edges).items() if edge is shore.edge)
    drawn = next(each.shape for each in field.overlays if (each.kind, each.label, each.side) == ("column", "1", side))
    assert drawn.intersection(shore.water).area < 1.0
    ground = rotate_from_edge(drawn, field.board, shore.edge)
    edges, rules = read_edges(found.details), Rules.of_record(BOOK, found)
    for left in (5.6, 6.5, 7.4, 8.3):
        places = [(left + share * 0.0125) * 40 for share in range(81)]
        inland = [ground.intersection(LineString([(x, 0), (x, 600)])).bounds[3] for x in places]
        for off, legal in ((-0.005, True), (0.02, False)):
            front = [Point(x, min(inland) + off * 40) for x in (places[0], places[-1])]
            front = [rotate_to_edge(each, field.board, shore.edge) for each in front]
            ends = " ".join(f"{at.x / 40:.6f},{at.y / 40:.6f}" for at in front)
            lines = [f"{wet.value} 1: {ends} 0.1"]
            faults = [
                fault.code for facts in side_facts({"positions": lines}, rules, field, edges) for fault in facts.faults
            ]
            assert faults == ([] if legal else ["CC-E31"]), (left, off)
