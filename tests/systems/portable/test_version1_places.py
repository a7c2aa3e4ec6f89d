"""Hills, trees and habitation of version 1 (PW1-30..PW1-55, PW1-60, PW1-62), and its published example."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest
from first_version import bare, board, book, cell, cells, covered, dice_of, put, reasons, seeded, spent, standing, terms

from printkit.api import generate
from printkit.chance.dice import Dice
from printkit.core.errors import PlacementError, ScenarioError
from printkit.core.words import find_words
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.system import portable_1
from printkit.systems.portable.version1.hills import place_hills
from printkit.systems.portable.version1.places import place_habitation, place_trees
from printkit.systems.portable.version1.terms import Version1Terms
from printkit.terrain.field.features import Area, Kind
from printkit.terrain.field.grids import Cell, neighbours

Stage = Callable[[Version1Terms, Sketch, Dice], Sketch]
NONE: dict[str, Any] = {"settlements": "0", "villages": "0", "towns": "0"}


def lay(
    stage: Stage,
    scores: str,
    *,
    on: Sketch | None = None,
    name: str = "sq-8x8",
    inputs: Mapping[str, object] | None = None,
    **settings: str,
) -> Sketch:
    """Return a board with what one stage puts there from exactly these scores."""
    dice = dice_of(scores)
    found = stage(terms(name, inputs=inputs, **settings), on or bare(name), dice)
    assert spent(dice), reasons(dice)
    return found


def heights(found: Sketch) -> list[int]:
    return [piece.contours for piece in found.of(Kind.HILL, Kind.MOUNTAIN)]


@pytest.mark.clause("PW1-30", "PW1-40", "PW1-50", "PW1-51")
@pytest.mark.parametrize(
    ("table", "outcomes"),
    [
        ("hills_flat", "0 1 2 2 3 3"),
        ("hills_undulating", "1 1 3 3 5 5"),
        ("hills_hilly", "2 4 4 6 6 8"),
        ("hills_mountainous", "2+1 3+1 4+2 5+2 6+3 7+3"),
        ("trees_desert", "0 1 1 2 2 3"),
        ("trees_flat", "2 2 3 3 4 4"),
        ("trees_hilly", "2 3 3 4 4 5"),
        ("trees_mountainous", "3 4 4 5 5 6"),
        ("trees_forested", "4 5 6 7 8 9"),
        ("habitation_sparse", "0s0v0t 0s0v0t 0s0v0t 1s0v0t 1s0v0t 2s0v0t"),
        ("habitation_rural", "1s0v0t 2s0v0t 2s1v0t 3s1v0t 3s2v0t 3s2v1t"),
        ("habitation_urban", "0s2v0t 0s2v1t 0s3v1t 0s2v2t 0s0v3t 0s0v3t"),
    ],
)
def test_the_country_and_a_die_give_how_many_hills_groups_of_trees_and_places(table: str, outcomes: str) -> None:
    found = book().tables[table]
    assert [found.look_up(score).replace(" ", "") for score in range(1, 7)] == outcomes.split()


class TestHills:
    @pytest.mark.clause("PW1-31", "PW1-33", "PW1-32", "PW0-14")
    def test_dice_stand_in_their_order(self) -> None:
        dice = dice_of("3  1 5 6  2  1 1 1  1 1 1  1 1 1")
        found = place_hills(terms(), bare(), dice)
        assert reasons(dice) == [
            "number of hills", "height of hill 1", "height of hill 2", "height of hill 3", "start row of the hills",
            *(f"hill {number}, die {die} of 3" for number in (1, 2, 3) for die in (1, 2, 3)),
        ]  # fmt: skip
        assert (standing(found), heights(found)) == (["2;3", "2;6", "3;1"], [1, 2, 2])
        assert [piece.throws for piece in found.placings] == [(1, 2, 5, 6, 7, 8), (3, 9, 10, 11), (4, 12, 13, 14)]

    @pytest.mark.clause("PW1-31")
    @pytest.mark.parametrize(
        ("relief", "expected"),
        [("undulating", [1, 1, 1, 1, 2, 2]), ("hilly", [1, 1, 1, 1, 2, 2]), ("mountainous", [1, 1, 2, 2, 0, 0])],
    )
    def test_a_die_gives_the_height_and_flat_country_throws_for_none(self, relief: str, expected: list[int]) -> None:
        found = lay(place_hills, "1 2 3 4 5 6 1 " + "1 1 1 " * 6, relief=relief, hills="6", mountains="0")
        assert heights(found) == expected
        assert [piece.kind is Kind.MOUNTAIN for piece in found.placings] == [not height for height in expected]
        assert heights(lay(place_hills, "2 1 1 1 1", relief="flat")) == [1]
        assert lay(place_hills, "1", relief="flat").placings == ()

    @pytest.mark.clause("PW1-30", "PW1-32", "PWA-17")
    def test_mountains_follow_the_last_hill_without_a_height_die_or_a_row_of_their_own(self) -> None:
        found = lay(place_hills, "1  1 1  1  1 1 1  1 1 1  1 1 1", relief="mountainous")
        assert [(piece.kind, piece.id) for piece in found.placings] == [
            (Kind.HILL, "hill-1"), (Kind.HILL, "hill-2"), (Kind.MOUNTAIN, "mountain-1"),
        ]  # fmt: skip
        assert standing(found) == ["1;3", "1;6", "2;1"]

    @pytest.mark.clause("PW1-32", "PW1-25", "PW0-09")
    def test_an_area_that_holds_anything_is_passed_over(self) -> None:
        on = put(covered({"1;3": 0.06, "1;4": 0.05}), Kind.MOUNTAIN, "1;8")
        found = lay(place_hills, "1 1 1 1  1 1 1", on=on, relief="flat", hills="2")
        assert standing(found, Kind.HILL) == ["1;4", "1;7"]
        blocked = put(bare(), Kind.HILL, "1;3 1;4")
        assert standing(lay(place_hills, "1 1 1 1", on=blocked, relief="flat", hills="1"), Kind.HILL)[-1] == "1;5"

    @pytest.mark.clause("PW0-11", "PWA-04")
    def test_what_finds_no_area_is_left_out_and_noted(self) -> None:
        full = put(bare("sq-3x3"), Kind.MOUNTAIN, "1;1 1;2 1;3 2;1 2;2 2;3 3;1 3;2")
        found = lay(place_hills, "1 1 1 1", on=full, name="sq-3x3", relief="flat", hills="2")
        assert standing(found, Kind.HILL) == ["3;3"]
        assert [(note.key, note.clause, note.values) for note in found.notes] == [
            ("dropped", "PW0-11", {"kind": "hill"})
        ]
        assert standing(lay(place_hills, "6 6 6 6  6 6 6", relief="flat", hills="2")) == ["8;2", "2;4"]

    @pytest.mark.clause("PW1-62")
    def test_joined_hills_are_taken_from_the_number(self) -> None:
        taken = lay(place_hills, "2  1 1 1  6 3  1  1 1 1", relief="flat", hills="3", pw1__chains="on")
        assert standing(taken) == ["2;3", "3;3", "3;6"]
        assert taken.placings[1].told["by"] == "beside"

    @pytest.mark.clause("PW1-62")
    def test_a_chain_without_room_goes_on_by_counting(self) -> None:
        closed = put(bare(), Kind.MOUNTAIN, "1;3 2;2 2;4 3;3")
        found = lay(place_hills, "2  1 1 1  6 1  1 1 1", on=closed, relief="flat", hills="2", pw1__chains="on")
        assert standing(found, Kind.HILL) == ["2;3", "2;6"]

    @pytest.mark.clause("PW0-13")
    def test_given_hills_stand_where_they_were_put(self) -> None:
        given = {"features": ["hill (3;5) contours 2", "mountain (1;1)"]}
        found = lay(place_hills, "", inputs=given)
        assert (standing(found), heights(found)) == (["3;5", "1;1"], [2, 0])
        more = lay(place_hills, "5 1 1 1 1", inputs=given, hills="2")
        assert (standing(more, Kind.HILL), heights(more)) == (["3;5", "1;3"], [2, 0, 2])
        with pytest.raises(ScenarioError, match=r"hills = 2.5 is not a whole number"):
            lay(place_hills, "", hills="2.5")

    @pytest.mark.clause("PW0-13")
    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("hill (3;5) (3;6)", "a hill has 1 areas here, not 2"),
            ("hill (2;2)", r"area \(2;2\) is occupied"),
            ("hill (9;1)", r"\(9;1\) is not on sq-8x8"),
            ("hill 3;5", "'3;5' is not an area"),
            ("hill", "write a kind and its areas"),
            ("hill (3;5) contours 3", "contours must be 1 or 2"),
        ],
    )
    def test_given_hills_that_cannot_stand_are_refused(self, line: str, message: str) -> None:
        with pytest.raises((PlacementError, ScenarioError), match=f"line 1 of the features.*{message}"):
            lay(place_hills, "", on=covered({"2;2": 0.5}), inputs={"features": [line]}, relief="flat")


class TestTrees:
    @pytest.mark.clause("PW1-41", "PWA-14")
    def test_they_stand_on_hills_and_on_nothing_else(self) -> None:
        on = put(put(covered({"1;4": 0.2}), Kind.HILL, "1;3 1;7"), Kind.MOUNTAIN, "1;6")
        assert standing(lay(place_trees, "1", on=on, area="desert"), Kind.WOODLAND) == []
        assert standing(lay(place_trees, "2 1 1 1 1", on=on, area="desert"), Kind.WOODLAND) == ["1;3"]
        assert standing(lay(place_trees, "1  1 1 1  1 1 1", on=on, trees="2"), Kind.WOODLAND) == ["1;3", "1;7"]
        high = put(bare(), Kind.MOUNTAIN, "1;3")
        assert standing(lay(place_trees, "1 1 1 1", on=high, trees="1"), Kind.WOODLAND) == ["1;4"]

    @pytest.mark.clause("PW0-13", "PW1-41")
    def test_given_groups_come_first(self) -> None:
        found = lay(place_trees, "1 1 1 1", inputs={"features": ["trees (3;8)"]}, trees="2")
        assert standing(found) == ["3;8", "1;3"]
        assert lay(place_trees, "", inputs={"features": ["trees (3;8)"]}).placings[0].told == {
            "number_score": None, "by": "given",
        }  # fmt: skip


class TestHabitation:
    @pytest.mark.clause("PW1-52", "PW1-53", "PW1-55", "PWA-10")
    def test_one_series_of_settlements_villages_and_towns(self) -> None:
        dice = dice_of("6  1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1  1 1 1 2")
        found = place_habitation(terms(), bare(), dice)
        assert spent(dice)
        assert [piece.id for piece in found.placings] == [
            "settlement-1", "settlement-2", "settlement-3", "village-1", "village-2", "town-1",
        ]  # fmt: skip
        assert standing(found) == ["1;3", "1;6", "2;1", "2;4", "2;7", "3;2"]
        assert found.placings[-1].cells == cells("3;2 3;3")
        assert reasons(dice)[-1] == "direction of town 1, area 2"

    @pytest.mark.clause("PWA-10", "PW1-53")
    def test_the_next_place_counts_on_from_the_first_area_of_a_town(self) -> None:
        assert standing(lay(place_habitation, "1 1 1 1 2  1 1 1 2", **NONE | {"towns": "2"})) == ["1;3", "1;6"]

    @pytest.mark.clause("PW1-53", "PW0-12")
    def test_the_second_area_of_a_town_gives_way_clockwise(self) -> None:
        one = {**NONE, "towns": "1"}
        on = put(covered({"2;4": 0.25, "3;3": 0.24}), Kind.HILL, "1;3")
        assert lay(place_habitation, "2 1 1 1 1", on=on, **one).placings[-1].cells == cells("2;3 3;3")
        assert lay(place_habitation, "2 1 1 1 6 5 4", on=on, **one).placings[-1].cells == cells("2;3 2;2")
        alone = put(bare(), Kind.MOUNTAIN, "1;3 2;2 2;4 3;3")
        assert lay(place_habitation, "2 1 1 1", on=alone, **one).placings[-1].cells == cells("2;3")

    @pytest.mark.clause("PW1-54")
    @pytest.mark.parametrize(("kind", "limit"), [("settlements", 0.5), ("villages", 0.25), ("towns", 0.25)])
    def test_how_much_water_and_road_a_place_bears(self, kind: str, limit: float) -> None:
        for share, area in ((limit - 0.01, "1;3"), (limit, "1;4")):
            scores = "1 1 1 1 3" if kind == "towns" else "1 1 1 1"
            assert standing(lay(place_habitation, scores, on=covered({"1;3": share}), **{**NONE, kind: "1"})) == [area]

    @pytest.mark.clause("PW1-54", "PWA-13")
    def test_settlements_stand_on_hills_and_nothing_stands_on_trees_mountains_or_places(self) -> None:
        def stands(on: Sketch, kind: str = "settlements") -> str:
            return standing(lay(place_habitation, "1 1 1 1", on=on, **{**NONE, kind: "1"}))[-1]

        high = put(bare(), Kind.HILL, "1;3")
        assert (stands(high), stands(high, "villages")) == ("1;3", "1;4")
        assert stands(put(high, Kind.WOODLAND, "1;3")) == "1;4"
        for kind in (Kind.MOUNTAIN, Kind.WOODLAND, Kind.SETTLEMENT):
            assert stands(put(bare(), kind, "1;3")) == "1;4"

    @pytest.mark.clause("PW1-60", "PW1-50")
    def test_villages_of_two_areas_and_towns_of_three(self) -> None:
        settings = {**NONE, "villages": "1", "towns": "1", "pw1__places": "2-3"}
        found = lay(place_habitation, "3 1 1 1 2  6 3 1 3 3", **settings)
        assert [piece.cells for piece in found.placings] == [cells("3;3 3;4"), cells("4;5 5;5 6;5")]

    @pytest.mark.clause("PW0-13")
    def test_given_places_come_first_and_what_nobody_gave_is_thrown_for(self) -> None:
        found = lay(place_habitation, "3 1 1 1 1", inputs={"features": ["town (4;4) (4;5)", "settlement (1;1)"]})
        assert [piece.id for piece in found.placings] == ["settlement-1", "town-1", "village-1"]
        assert standing(found) == ["1;1", "4;4", "1;3"]
        refused = {"town (4;4) (5;5)": "share a side", "town (4;4)": "a town has 2 areas here, not 1"}
        for line, message in refused.items():
            with pytest.raises(PlacementError, match=message):
                lay(place_habitation, "1", inputs={"features": [line]})
        assert lay(place_habitation, "", **NONE).placings == ()


GRIDS = ("sq-8x8", "hex-9x8", "hex-6x8", "sq-10x10", "hex-5x5")
PRESETS = tuple(row.need("preset", str) for row in book().own("presets"))


@pytest.mark.clause("PW1-32", "PW1-41", "PW1-54", "PW1-63", "PW0-01", "PW0-15", "PW0-18")
@pytest.mark.parametrize("seed", range(25))
def test_games_of_every_country_keep_the_rules_of_what_stands_where(seed: int) -> None:
    name, preset = GRIDS[seed % len(GRIDS)], PRESETS[seed % len(PRESETS)]
    found, own = seeded(seed, name, preset=preset), terms(name, preset=preset)
    beside: dict[Kind, tuple[set[Kind], ...]] = {
        Kind.HILL: ({Kind.WOODLAND}, {Kind.SETTLEMENT}),
        Kind.WOODLAND: ({Kind.HILL},),
        Kind.SETTLEMENT: ({Kind.HILL},),
    }
    for piece in found.placings:
        assert all(own.grid.contains(place) for place in piece.cells)
        assert all(other in neighbours(own.grid, one) for one, other in pairwise(piece.cells))
        for place in piece.cells:
            assert len(found.features_at(place, piece.kind)) == 1
            others = {each.kind for each in found.features_at(place)} - {piece.kind}
            assert not others or others in beside.get(piece.kind, ())
            if piece.kind in (Kind.HILL, Kind.MOUNTAIN, Kind.WOODLAND):
                assert own.is_dry(found, place)
            else:
                assert found.cover(place) < (0.5 if piece.kind is Kind.SETTLEMENT else 0.25)
    for way in found.ways:
        assert len(way.cells) >= 3 or own.grid.columns < 6
        assert all(own.grid.contains(place) for place in way.cells)


@pytest.mark.clause("PW0-02", "PW1-53")
def test_a_town_that_a_river_parts_keeps_both_its_areas() -> None:
    """Its ground holds together by a neck, as by a bridge with houses on it."""
    words = find_words("en")
    settings = {"preset": "undulating-urban", "grid": "hex-9x8"}
    record = play(portable_1(), Orders(rules="portable-1", settings=settings), 5005, words).record
    town = record.battlefield.find("town-3")
    assert isinstance(town, Area)
    assert record.battlefield.grid is not None
    for place in town.cells:
        own = record.battlefield.grid.outline(Cell(*place))
        assert town.outline.intersection(own).area > 0.2 * own.area


@pytest.mark.clause("PW0-02", "PW1-53")
def test_the_neck_of_a_village_that_a_river_parts_is_in_its_areas() -> None:
    settings = {"area": "urban", "villages": "9", "towns": "4", "pw1.places": "2-3", "pw1.river_width": "0.31"}
    field = generate("portable-1", seed=18, road="0", hills="0", trees="0", **settings)
    assert (field.record.draft, field.check().broken) == (1, ())


RIVER, ROAD = "6 2 4 1", "2 3 3 6 2"
HILLS = "6  1 4 5 1 6  2  1 3 6  2 3 4  1 1 5  2 2 2  3 4 5"
NO_GROUND: dict[str, Any] = dict.fromkeys(("hills", "trees", "settlements", "villages", "towns", "mountains"), "0")

TREES = "5  3  1 2 5  2 3 4  1 2 6  2 4 6"
PLACES = "4  2  5 6 2  1 3 5  4 6 6  1 3 4"

COVER = {
    "sq-8x8": {
        **dict.fromkeys(["3;2", "3;3", "3;4", "5;6", "6;5", "7;7", "7;8"], 0.6), "4;6": 0.4, "6;6": 0.4, "7;6": 0.2,
    },
    "hex-9x8": {**dict.fromkeys(["6;8", "6;9", "3;4", "3;5"], 0.7), "3;6": 0.4, "4;6": 0.4, "6;4": 0.4, "7;3": 0.2},
}  # fmt: skip
"""How much of each area the river and road of the lost diagrams cover, as far as the captions tell."""

EXPECTED = {
    "sq-8x8": ("3;5 4;7 5;7 6;7 8;3", "3;8 5;1 6;2 8;1", "3;5 4;6 6;6 7;6"),
    "hex-9x8": ("3;1 4;1 4;8 5;5 7;1", "3;8 4;8 5;8 7;2", "3;6 4;6 6;4 7;3"),
}


def check(found: Sketch, name: str) -> None:
    high, woods, places = (text.split() for text in EXPECTED[name])
    assert standing(found, Kind.HILL) == high
    assert [piece.contours for piece in found.of(Kind.HILL)] == [1, 1, 2, 1, 2]
    assert standing(found, Kind.WOODLAND) == woods
    assert standing(found, Kind.SETTLEMENT, Kind.VILLAGE) == places
    assert [piece.kind for piece in found.of(Kind.SETTLEMENT, Kind.VILLAGE)] == [*[Kind.SETTLEMENT] * 3, Kind.VILLAGE]


@pytest.mark.clause("PW-WE1", "PW-WE1-d", "PW-WE1-e", "PW-WE1-f", "PW-WE1-g")
@pytest.mark.clause("PW1-30", "PW1-31", "PW1-33", "PW1-40", "PW1-51", "PW1-52", "PW1-54", "PW1-55", "PWA-01")
@pytest.mark.parametrize("name", ["sq-8x8", "hex-9x8"])
def test_all_areas_follow_from_the_dice_and_from_what_the_captions_call_covered(name: str) -> None:
    found, own = covered(COVER[name], name), terms(name)
    for stage, scores in ((place_hills, HILLS), (place_trees, TREES), (place_habitation, PLACES)):
        dice = dice_of(scores)
        found = stage(own, found, dice)
        assert spent(dice)
    check(found, name)


@pytest.mark.clause("PW1-15", "PW1-25", "PW1-01", "PW0-03", "PWA-03")
def test_the_whole_game_on_hexes_follows_from_its_dice_and_two_straight_lines() -> None:
    """The lines are those that fit the captions: the river narrow, the road nearer to the corners than its stations."""
    dice = dice_of(f"{HILLS} {TREES} {PLACES}")
    road = "from top 2% to right 79% crossings ford"
    lines = {"rivers": ["from top-right to bottom 30% width 1"], "roads": [road]}
    found = board(dice, "hex-9x8", inputs=lines, pw1__river_width="0.1", pw1__road_width="0.7", pw1__sliver="0.12")
    assert spent(dice)
    check(found, "hex-9x8")


@pytest.mark.clause("PW-WE1-a", "PW1-13")
def test_directions_and_stations_of_the_text() -> None:
    """Dice 3 and 2: in by the right edge, out by the bottom; stations 4 and 1: its upper part, the middle."""
    dice = dice_of("3 2 4 1 1")
    (river,) = board(dice, "sq-8x8", road="0", **NO_GROUND).ways
    assert spent(dice)
    assert river.facts["from"] == {"slot": "right", "share": pytest.approx(3 / 12)}
    assert river.facts["to"] == {"slot": "bottom", "share": pytest.approx(5 / 12)}


@pytest.mark.clause("PW-WE1-b", "PW-WE1-c")
@pytest.mark.clause("PW1-11", "PW1-12", "PW1-13", "PW1-14", "PW1-16", "PW1-20", "PW1-21", "PW1-22")
@pytest.mark.parametrize("name", ["sq-8x8", "hex-9x8"])
def test_river_and_road_follow_from_their_dice(name: str) -> None:
    dice = dice_of(f"{RIVER} {ROAD}")
    found = board(dice, name, **NO_GROUND)
    assert spent(dice)
    river, road = found.ways
    assert (river.facts["from"]["slot"], river.facts["to"]) == ("top-right", {"slot": "bottom", "share": 0.25})
    assert road.facts["from"] == {"slot": "top", "share": pytest.approx(1 / 12)}
    assert road.facts["to"] == {"slot": "right", "share": pytest.approx(11 / 12)}
    assert [passage.kind for passage in found.passages] == [Kind.FORD]
    assert river.facts["areas"] == 1


@pytest.mark.clause("PW0-09", "PW1-32")
def test_the_first_hill_on_squares_passes_what_the_captions_name() -> None:
    found = place_hills(terms(), covered(COVER["sq-8x8"]), dice_of(HILLS))
    first = next(found.of(Kind.HILL))
    assert first.told["count"] == 13
    assert first.told["passed"] == [list(cell(text)) for text in ("3;2", "3;3", "3;4")]
    assert first.told["dice"] == [1, 3, 6]
