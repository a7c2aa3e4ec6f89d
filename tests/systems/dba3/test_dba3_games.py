"""Whole games of DBA 3: boards and their sizes, what is told of features, profiles, lists, stages thrown anew."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from printkit.core import words
from printkit.core.errors import DiceError, ScenarioError, UsageError
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.kit.system import Scenario
from printkit.recipes.game.games import GeneratedGame, play, replay_game
from printkit.recipes.game.request import Orders
from printkit.recipes.prints.map_plan import find_subtitle
from printkit.systems.dba.ground.shapes import OutlineStyle, load_looks
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba3.placing.terms import Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record, write

SYSTEM = find("dba3")
EN, ES = words.find_words("en"), words.find_words("es")


def game(seed: int = 7, **given: object) -> GeneratedGame:
    settings = given.pop("settings", {"home": "steppe"})
    return play(SYSTEM, Orders(rules="dba3", settings=settings, **given), seed, EN)  # type: ignore[arg-type]


@cache
def usual() -> Record:
    """Return a game that several tests look at."""
    return game().record


@pytest.mark.clause("D3-1", "D3-67")
class TestBoards:
    def test_a_board_is_15_base_widths_or_up_to_20(self) -> None:
        assert (SYSTEM.board().width, SYSTEM.board().scale.base_width) == (600, 40)
        assert SYSTEM.board(settings={"base": "60mm"}).width == 900
        assert SYSTEM.board(800, 800).depth == 800

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"width": 840.0, "depth": 840.0}, r"15BW to 20BW \(base widths\), not 21BW"),
            ({"width": 560.0}, "15BW"),
            ({"width": 600.0, "depth": 700.0}, "is not square"),
            ({"cell": 100}, "no grid"),
        ],
    )
    def test_other_boards_and_grids_are_refused(self, given: dict[str, Any], told: str) -> None:
        with pytest.raises(UsageError, match=told):
            SYSTEM.board(**given)


@pytest.mark.clause("D3-1", "D3-22..D3-26", "D3-32..D3-37", "D3-57..D3-60")
@pytest.mark.parametrize(("home", "side", "base"), [("arable", "20BW", "60mm"), ("tropical", "15BW", "40mm")])
def test_a_board_keeps_every_clause(home: str, side: str, base: str) -> None:
    found = game(19, settings={"home": home, "base": base}, board=side).record
    assert [each for each in SYSTEM.judge(found) if each.state == "broken"] == []
    told = SYSTEM.account(found, ES)
    assert set(told) == {feature.id for feature in found.battlefield.features}


class TestGames:
    @pytest.mark.clause("D3-29", "D3-39", "D3-66")
    def test_the_record_tells_how_it_came_about(self) -> None:
        found = usual()
        deployment, terrain = found.details["deployment"], found.details["terrain"]
        assert deployment["deploys_first"] == deployment["defender"]
        there = {feature.id for feature in found.battlefield.features}
        assert {each["id"] for each in terrain["pieces"]} <= there | {each["id"] for each in terrain["discarded"]}
        assert "steppe topography (D3-10). Die " in next(iter(SYSTEM.account(found, EN).values()))

    @pytest.mark.clause("D3-39")
    def test_discards_are_listed_on_the_output(self) -> None:
        found = usual()
        details = {**found.details, "terrain": {**found.details["terrain"], "discarded": [{"id": "gentle-hill-2"}]}}
        assert "discarded for lack of room: gentle hill" in find_subtitle(SYSTEM, replace(found, details=details), EN)

    @pytest.mark.clause("D3-11")
    def test_a_list_of_features_leaves_nothing_to_choose(self) -> None:
        inputs = {"features": ["gentle hill", "river", "edifice"]}
        found = game(inputs=inputs).record
        assert {feature.kind for feature in found.battlefield.features} <= {Kind.HILL, Kind.RIVER, Kind.EDIFICE}
        assert not [throw for throw in found.log if throw.stage == "selection"]

    @pytest.mark.clause("D3-68")
    def test_a_profile_is_kept_by_the_record_and_heeded_by_the_judge(self) -> None:
        lines = ["numbers river_width_bw 1.5", "numbers river_width_bw_max 2"]
        found = game(inputs={"features": ["gentle hill", "river", "scrub"], "profile": lines}).record
        river = next(feature for feature in found.battlefield.features if feature.id == "river")
        assert getattr(river, "width", 0) == 60
        assert next(each.state for each in SYSTEM.judge(found) if each.clause == "D3-46") == "kept"

    @pytest.mark.clause("D3-68", "D3-49")
    @pytest.mark.parametrize(
        ("given", "clearance"), [({}, 3), ({"river_clearance": "4"}, 3), ({"river_clearance": "5"}, 5)]
    )
    def test_a_profile_says_how_far_a_river_keeps_off_unless_the_setting_does(
        self, given: dict[str, str], clearance: float
    ) -> None:
        scenario = Scenario(board=SYSTEM.board(), settings=SYSTEM.book.settle(given), seed=1)
        assert SYSTEM.rules(["numbers river_clearance_bw 3"], scenario).number("river_clearance_bw") == clearance

    @pytest.mark.parametrize("system", ["dba3", "collision-course"])
    def test_a_die_that_cannot_be_cites_no_clause_of_another_system(self, system: str) -> None:
        orders = Orders(rules=system, settings={"home": "steppe"}, dice="9")
        with pytest.raises(DiceError, match="is 9, but quarter of") as raised:
            play(find(system), orders, 7, EN)
        assert "BR-" not in str(raised.value)

    def test_other_lists_are_refused(self) -> None:
        with pytest.raises(ScenarioError, match="Unknown list 'rivers'"):
            game(inputs={"rivers": ["near"]})
        with pytest.raises(ScenarioError, match="not a list of texts"):
            game(inputs={"features": "woods"})

    def test_a_stage_is_thrown_anew_and_the_others_stay(self) -> None:
        first = usual()
        again = replay_game(SYSTEM, first, EN, reroll=("edges",), keep=(), new_seed=99).record
        assert [each.id for each in again.battlefield.features] == [each.id for each in first.battlefield.features]
        assert write(replay_game(SYSTEM, first, EN, reroll=(), keep=SYSTEM.stages, new_seed=1).record) == write(first)

    @pytest.mark.clause("D3-21")
    def test_wet_plough_is_rough(self) -> None:
        inputs = {"features": ["plough", "plough", "scrub", "road"]}
        found = game(settings={"home": "arable", "plough": "wet"}, inputs=inputs).record
        assert {each.going.name for each in found.battlefield.features if each.kind is Kind.PLOUGH} == {"rough"}


@pytest.mark.clause("D3-17..D3-20")
def test_every_sign_has_a_going() -> None:
    found = SYSTEM.goings()
    assert (found["plough"], found["scrub"], found["gully"]) == ("good", "rough", "bad")
    assert set(found.values()) <= set(SYSTEM.book.going)


@pytest.mark.clause("D3-27")
def test_towns_and_plough_have_straight_sides_and_all_else_is_natural() -> None:
    straight = {terrain for terrain, look in load_looks().items() if look.style is OutlineStyle.PLOT}
    assert straight == {Terrain.BUA, Terrain.PLOUGH, Terrain.ENCLOSURES}
    assert {town.look.style for town in Terms.from_rules(Rules.of(SYSTEM.book)).towns.values()} == {OutlineStyle.PLOT}


@pytest.mark.clause("D3-61..D3-65", "D3-59")
def test_what_is_played_after_there_is_a_field_stands_in_the_book() -> None:
    fast = [kind for row in SYSTEM.book.own("near_sides") for kind in row.need("types", list)]
    assert fast == ["Cv", "6Cv", "LCh", "LH", "LCm", "Cm", "Mtd-Bw", "Mtd-Cb", "Mtd-Lb", "Ax", "Ps"]
    states = {each.clause: each.state for each in SYSTEM.judge(usual())}
    assert {states[f"D3-{number}"] for number in range(61, 66)} == {"not judged"}
