"""The number of outlines in records, sealed games and battles: lower, equal, higher and altered."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_lines import Captured
from msgspec.structs import replace

from printkit.cli.app import run
from printkit.core.errors import FileError, FileTakenError, RecordError
from printkit.core.words import Words
from printkit.export.placing import commit_files
from printkit.kit.check import judge_record
from printkit.kit.plugin import Plugin
from printkit.kit.registry import NAMES, find, plugin, read_record, shapes_of
from printkit.kit.replay import compare_replay
from printkit.recipes.game.games import play, replay_game
from printkit.recipes.game.request import Orders
from printkit.systems.acw.network.roads_and_rails import _RoadEndBuilder
from printkit.systems.brantley.dealing.closed_game import ClosedGame, read, write
from printkit.systems.brantley.dealing.journal import Journal
from printkit.systems.brantley.dealing.progress import Progress
from printkit.systems.brantley.sheets.dealing import reveal_game
from printkit.systems.solo.tactics.battle_log import BattleLog, read_log, write_log

pytestmark = pytest.mark.usefixtures("table")

AGES = Path(__file__).parents[1] / "ages"
OLD, NOW = AGES / "0.2.0-early", AGES / "0.2.0"
ENGLISH = Words(("en",))


def tree_of(path: Path) -> dict[str, Any]:
    tree: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return tree


def with_shapes(path: Path, shapes: object) -> str:
    tree = tree_of(path)
    tree["printkit"] = {**tree["printkit"], "shapes": shapes}
    return json.dumps(tree)


def replayed(text: str) -> tuple[list[str], str]:
    """Return the faults of a record that is played again, and what could not be compared."""
    system, record = read_record(text)
    replay = compare_replay(system, record)
    return [str(fault) for fault in replay.faults], str(replay.note or "")


def test_each_rule_system_has_a_number_and_a_plug_in_without_one_has_1() -> None:
    assert {name: shapes_of(name) for name in NAMES} == {
        **dict.fromkeys(NAMES, 3),
        "acw": 4,
        **dict.fromkeys(("portable-1", "portable-2"), 5),
        "solo-dba": 2,
    }
    assert Plugin(name="mine", system="mine:Mine").shapes == 1
    assert shapes_of("not-known-here") == 1
    # The plug-in says its number without being loaded.
    assert plugin("dba3").shapes == shapes_of(find("dba3").name)


class TestRecords:
    def test_outlines_of_an_equal_number_are_compared_and_of_a_lower_one_left_out(self) -> None:
        faults, note = replayed((OLD / "dba3.json").read_text(encoding="utf-8"))
        assert faults == []
        assert note.endswith("rolls and their order are right, shapes cannot be compared")
        assert replayed((NOW / "solo-dba.json").read_text(encoding="utf-8")) == ([], "")
        faults, note = replayed(with_shapes(OLD / "portable-1.json", 5))
        assert any("geometry" in fault for fault in faults)
        assert note == ""

    def test_a_network_that_older_rules_joined_in_another_way_is_no_fault(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        system = find("acw")
        orders = Orders(rules="acw", settings={"ac-q20": "none"})
        with monkeypatch.context() as older:
            # Another rule for the edge by which a net of roads leaves the table.
            older.setattr(_RoadEndBuilder, "_choose_side", lambda builder, zone: [*builder.free_edges(zone)][-1])
            record = replace(play(system, orders, 13, ENGLISH).record, shapes=2)
        now = play(system, orders, 13, ENGLISH).record
        assert record.details["graph"] != now.details["graph"]
        assert not judge_record(system, record).broken
        assert compare_replay(system, record).faults == ()
        assert "AC-N10" in {verdict.clause for verdict in judge_record(system, replace(record, shapes=4)).broken}

    def test_a_die_is_compared_whatever_the_number(self) -> None:
        tree = tree_of(OLD / "dba3.json")
        throw = next(throw for throw in tree["log"] if throw["asked"] == "d6")
        throw["answer"] = "1" if throw["answer"] != "1" else "2"
        faults, note = replayed(json.dumps(tree))
        assert faults or "are not checked" in note
        assert "rolls and their order are right" not in note

    def test_a_higher_number_is_one_line(self, capsys: Captured) -> None:
        newer = "made by a newer printkit (shapes version 3, yours 2); update printkit"
        assert replayed(with_shapes(NOW / "solo-dba.json", 3)) == ([newer], "")
        Path("field.json").write_text(with_shapes(NOW / "solo-dba.json", 3), encoding="utf-8")
        assert run(["check", "field.json", "--replay", "--lang", "en"]) == 1
        assert "made by a newer printkit (shapes version 3" in capsys.readouterr().out

    @pytest.mark.parametrize("shapes", [0, -1, "two", 1.5])
    def test_what_is_no_number_is_refused(self, shapes: object) -> None:
        with pytest.raises(RecordError, match="shapes"):
            read_record(with_shapes(NOW / "brantley.json", shapes))

    @pytest.mark.parametrize(("shapes", "told"), [(2, True), (3, False), (4, True)])
    def test_what_is_kept_of_another_number_may_move(self, shapes: int, told: bool) -> None:
        system, record = read_record(with_shapes(NOW / "dba3.json", shapes))
        again = replay_game(system, record, ENGLISH, reroll=system.stages[-1:], new_seed=5)
        assert any("features you keep may change shape" in str(line) for line in again.warnings) is told
        assert again.record.shapes == 3


class TestFiles:
    def put(self, text: str) -> None:
        def make(folder: Path) -> list[Path]:
            (folder / "map.json").write_text(text, encoding="utf-8")
            return [folder / "map.json"]

        commit_files(make, Path())

    def test_version_and_shapes_make_no_other_game_and_anything_else_does(self) -> None:
        self.put((NOW / "dba3.json").read_text(encoding="utf-8"))
        with pytest.raises(FileTakenError):
            self.put((NOW / "dba3.json").read_text(encoding="utf-8").replace('"seed": 4', '"seed": 5'))
        self.put(with_shapes(NOW / "dba3.json", 1).replace('"version": "0.2.0"', '"version": "0.1.0"'))


class TestSealedGames:
    def game(self, folder: Path = NOW) -> ClosedGame:
        return read((folder / "sealed" / "closed-game.json").read_text(encoding="utf-8"), "game.json")

    def test_the_commitment_binds_the_number_and_an_old_game_keeps_its_own(self) -> None:
        game, old = self.game(), self.game(OLD)
        assert (game.shapes, old.shapes) == (2, 1)
        assert len({replace(game, shapes=shapes).commitment for shapes in (1, 2, 3)}) == 3
        assert old.commitment == tree_of(OLD / "sealed" / "closed-game.json")["commitment"]
        for shapes in (1, 3):
            with pytest.raises(FileError, match="shapes does not match the sealed part"):
                read(with_shapes(NOW / "sealed" / "closed-game.json", shapes), "game.json")

    @pytest.mark.parametrize(
        ("shapes", "told"),
        [
            (None, "shapes: not proven: the game was dealt with version 2 of the shapes; this printkit has 3"),
            (1, "shapes: WRONG: 2 was sealed; the record has 1"),
            (4, "shapes: WRONG: made by a newer printkit (shapes version 4, yours 3)"),
        ],
    )
    def test_a_record_has_the_number_of_its_game(self, shapes: int | None, told: str, capsys: Captured) -> None:
        folder, game = Path(shutil.copytree(NOW / "sealed", "sealed")), self.game()
        (folder / "closed-game.json").write_text(write(game, ""), encoding="utf-8")
        if shapes is not None:
            (folder / "map.json").write_text(with_shapes(folder / "map.json", shapes), encoding="utf-8")
        assert run(["verify", str(folder), game.commitment, "--lang", "en"]) == (0 if shapes is None else 1)
        assert told in capsys.readouterr().out

    def test_a_game_of_a_newer_printkit_is_not_revealed(self) -> None:
        game = replace(self.game(), shapes=4)
        progress = Progress(game=game, journal=Journal(game.commitment))
        with pytest.raises(RecordError, match=r"made by a newer printkit \(shapes version 4"):
            reveal_game(progress, Orders(rules="brantley"), ENGLISH)


class TestBattles:
    @pytest.mark.parametrize("shapes", [1, 2])
    def test_a_log_keeps_its_number(self, shapes: int) -> None:
        assert read_log(write_log(BattleLog(seed=1, shapes=shapes)), "battle.json").shapes == shapes
        # A log without the number counts as 1.
        assert read_log((OLD / "battle" / "battle.json").read_text(encoding="utf-8"), "battle.json").shapes == 1

    def test_a_log_of_a_newer_printkit_is_refused(self, capsys: Captured) -> None:
        folder = Path(shutil.copytree(NOW / "battle", "battle"))
        (folder / "battle.json").write_text(with_shapes(folder / "battle.json", 3), encoding="utf-8")
        assert run(["npg", "deploy", str(folder / "battle.toml"), "--lang", "en"]) != 0
        assert "made by a newer printkit (shapes version 3" in capsys.readouterr().err
