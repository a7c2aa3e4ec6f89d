"""Solo DBA as a rule system: boards, armies, replays, records, what is told of a field and what is not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace
from plain_armies import SPEARS

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.streams import Jitter
from printkit.cli.app import run
from printkit.core.errors import ResourceError, ScenarioError, UsageError
from printkit.core.words import find_words as language
from printkit.kit.registry import find
from printkit.kit.system import Outcome, Scenario
from printkit.recipes.game.games import play, replay_game
from printkit.recipes.game.request import Orders
from printkit.recipes.prints.map_plan import find_subtitle
from printkit.terrain.field.features import Area, Course, Crossing, Hill
from printkit.terrain.field.record import Record, read, write

SYSTEM = find("solo-dba")
EN = language("en")

OPEN = SPEARS.replace('fixed = { "4Sp" = 9, "2Ps" = 2 }', 'fixed = { "4Sp" = 9, "2Ps" = 1 }').replace(
    "[general]", '[[slot]]\nid = "screen"\nmode = "each"\noptions = ["2Ps", "4Sp"]\n[general]'
)


def laid(seed: int, source: object = None, **settings: str) -> Outcome:
    settled = SYSTEM.book.settle(settings)
    scenario = Scenario(board=SYSTEM.board(settings=settled), settings=settled, seed=seed)
    return SYSTEM.lay_out(scenario, Dice(source or Seeded(seed)), Jitter(seed))  # type: ignore[arg-type]


@cache
def played(seed: int, **options: str) -> Record:
    return play(SYSTEM, Orders(rules="solo-dba", options=options), seed, EN).record


def test_a_wrong_army_of_a_saved_game_names_the_file(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = json.loads(write(played(1)))
    tree["solo-dba"]["armies"]["npg"]["home"] = "moon"
    (table / "game.json").write_text(json.dumps(tree), encoding="utf-8")
    assert run(["map", "--from", "game.json", "--plan"]) == 1
    assert capsys.readouterr().err.startswith('printkit: game.json: solo-dba.armies.npg.home = "moon" is not valid.')


class TestBoards:
    @pytest.mark.clause("AMB-19")
    @pytest.mark.parametrize(
        ("scale", "side", "pace", "base"), [("15mm", 609.6, 0.254, 40), ("25mm", 914.4, 0.381, 60)]
    )
    def test_the_board_goes_by_the_scale_of_the_figures(
        self, scale: str, side: float, pace: float, base: float
    ) -> None:
        board = SYSTEM.board(settings={"scale": scale})
        assert (board.width, board.depth) == (side, side)
        assert (board.scale.pace, board.scale.base_width) == (pace, base)

    def test_other_boards_keep_the_paces_and_what_the_rules_cannot_play_on_is_refused(self) -> None:
        board = SYSTEM.board(750, 750)
        assert (board.width, board.scale.pace) == (750, 0.254)
        with pytest.raises(UsageError, match="is not square"):
            SYSTEM.board(600, 900)
        with pytest.raises(UsageError, match="too small"):
            SYSTEM.board(400)
        with pytest.raises(UsageError, match="no grid"):
            SYSTEM.board(cell=60)


class TestArmies:
    @pytest.mark.clause("SD-2-a")
    def test_without_settings_the_seed_takes_two_armies_of_ours(self) -> None:
        names = {tuple(played(seed).details["armies"][side]["file"] for side in ("npg", "you")) for seed in (1, 8, 9)}
        assert len(names) == 3
        assert all(npg != you for npg, you in names)

    @pytest.mark.clause("SD-2-a", "SD-2.3-a")
    def test_named_armies_and_who_attacks(self) -> None:
        # No option is open in either list, so the first dice are those for the attacker: 4 each, then 9 to 7.
        outcome = laid(
            1, ScriptedSource(["2", "2", "6", "2"], Seeded(1), Seeded(1)), npg="polybian-roman", you="polybian-roman"
        )
        assert outcome.details["attack"]["attacker"] == "npg"  # type: ignore[index]
        assert [throw.stage for throw in outcome.log[:4]] == ["attacker"] * 4
        assert outcome.log[4].stage == "selection"

    @pytest.mark.clause("ST-09", "SD-2.1-a")
    def test_a_file_of_yours_with_open_options_is_refused_before_any_die(self, tmp_path: Path) -> None:
        path = tmp_path / "Open.toml"
        path.write_text(OPEN, encoding="utf-8")
        with pytest.raises(ScenarioError, match="'screen'"):
            play(SYSTEM, Orders(rules="solo-dba", options={"you": str(path), "npg": "viking"}), 1, EN)

    @pytest.mark.clause("SD-2.1-a")
    def test_the_options_of_an_army_of_ours_are_taken_before_the_npg_dices(self) -> None:
        log = played(1, you="gallic", npg="marian-roman").log
        yours = [place for place, throw in enumerate(log) if throw.stage == "armies"]
        his = [place for place, throw in enumerate(log) if throw.stage in ("army", "general")]
        assert yours
        assert his
        assert max(yours) < min(his)
        assert all(log[place].reason.startswith("YOUR ") for place in yours)

    @pytest.mark.clause("SD-2-a")
    def test_a_file_is_kept_in_the_record_so_that_it_need_not_be_there(self, tmp_path: Path) -> None:
        path = tmp_path / "Mine.toml"
        path.write_text(SPEARS, encoding="utf-8")
        orders = Orders(rules="solo-dba", options={"npg": str(path), "you": "polybian-roman"})
        record = play(SYSTEM, orders, 4, EN).record
        path.unlink()
        assert record.details["armies"]["npg"]["name"] == "Spears"
        again = replay_game(SYSTEM, record, EN, reroll=["placement"], keep=[], new_seed=9)
        assert again.record.details["composition"] == record.details["composition"]
        assert not again.renewed

    def test_an_army_that_is_not_there_is_named_and_a_scenario_lists_nothing_but_armies(self) -> None:
        with pytest.raises((ResourceError, ScenarioError), match="orcs"):
            play(SYSTEM, Orders(rules="solo-dba", options={"npg": "orcs.toml"}), 1, EN)
        with pytest.raises(ScenarioError, match=r"one of sample, alexandrian, .*path of an army file"):
            play(SYSTEM, Orders(rules="solo-dba", options={"npg": "orcs"}), 1, EN)
        with pytest.raises(ScenarioError, match="'deck'"):
            play(SYSTEM, Orders(rules="solo-dba", inputs={"deck": ["KS"]}), 1, EN)


class TestFields:
    @pytest.mark.clause("SD-3-a", "SD-3.1-a")
    @pytest.mark.parametrize("home", ["forest", "steppe", "littoral"])
    def test_the_home_that_is_asked_for_gives_the_lists(self, home: str) -> None:
        terrain = played(5, home=home).details["terrain"]
        row = next(row for row in SYSTEM.book.rows["topography"] if row["home"] == home)
        compulsory = {piece["terrain"] for piece in terrain["pieces"] if piece["compulsory"]}
        assert compulsory == set(row["compulsory"])
        assert terrain["home"] == home

    @pytest.mark.clause("AMB-10", "SD-3-a")
    def test_only_the_npg_has_terrain_where_the_person_lays_out_his_own(self) -> None:
        sides: dict[str, Record] = {}
        for seed in range(12):
            record = played(seed, solo_terrain="npg")
            sides[record.details["attack"]["defender"]] = record
            if len(sides) == 2:
                break
        assert sides["npg"].battlefield.features
        assert not sides["you"].battlefield.features
        assert sides["you"].details["terrain"]["by"] == "person"
        assert not [throw for throw in sides["you"].log if throw.stage in ("selection", "placement")]
        usual = played(sides["you"].seed or 0)
        assert (usual.details["attack"]["defender"], usual.details["terrain"]["by"]) == ("you", "dice")
        assert usual.battlefield.features

    def test_other_armies_keep_the_dice_that_still_fit(self) -> None:
        again = replay_game(SYSTEM, played(9), EN, reroll=["armies"], keep=[], new_seed=3)
        assert set(again.renewed) <= {"army", "general", "attacker", "selection", "placement"}
        assert again.record.details["armies"] != played(9).details["armies"]

    @pytest.mark.parametrize("seed", [1, 8, 9])
    def test_what_is_selected_lies_on_the_board_with_signs_that_the_rules_know(self, seed: int) -> None:
        record, known = played(seed), SYSTEM.goings()
        told = [piece["id"] for piece in record.details["terrain"]["pieces"] if piece["result"]]
        there = [feature.id for feature in record.battlefield.features if not isinstance(feature, Crossing)]
        assert there == told
        for feature in record.battlefield.features:
            if isinstance(feature, Area | Course):
                assert known[feature.kind.value] == feature.going.name
            elif isinstance(feature, Hill):
                assert feature.going.name == ("bad" if feature.faces else "good")

    def test_a_recorded_game_is_the_same_game_and_a_stage_thrown_anew_leaves_those_before_it(self) -> None:
        record = played(9)
        assert read(write(record), SYSTEM.book.going) == record
        same = replay_game(SYSTEM, record, EN, reroll=[], keep=list(SYSTEM.stages), new_seed=1)
        assert same.record == record
        assert not same.renewed
        again = replay_game(SYSTEM, record, EN, reroll=["placement"], keep=[], new_seed=77).record
        assert again.details["terrain"]["selection"] == record.details["terrain"]["selection"]
        assert again.details["composition"] == record.details["composition"]
        assert again.battlefield.features != record.battlefield.features


class TestTelling:
    def test_every_feature_tells_its_dice_with_place_and_clause_in_both_languages(self) -> None:
        for seed in (1, 8, 9):
            record = played(seed)
            for code in ("en", "es"):
                told = SYSTEM.account(record, language(code))
                assert set(told) == {feature.id for feature in record.battlefield.features}
                assert all("(SD-" in text for text in told.values())
        throw = record.log[record.battlefield.find("river").origin.throws[-1] - 1]
        text = SYSTEM.account(record, EN)["river"]
        assert f"Roll {throw.answer}: " in text
        assert throw.clause in text

    @pytest.mark.clause("SD-1.2-a", "SD-1.2-b")
    def test_the_sheet_names_both_armies_and_nothing_tells_the_composition(self) -> None:
        assert set(laid(9).secrets) == {"composition"}
        record = played(9)
        line = find_subtitle(SYSTEM, record, EN)
        assert all(record.details["armies"][side]["name"] in line for side in ("npg", "you"))
        assert find_subtitle(SYSTEM, replace(record, details={}), EN) == EN("rules.solo-dba.subtitle")
        bare = replace(record, details={**record.details, "composition": {"elements": {"4Zz": 12}}})
        assert SYSTEM.account(bare, EN) == SYSTEM.account(record, EN)
        assert find_subtitle(SYSTEM, bare, EN) == line
