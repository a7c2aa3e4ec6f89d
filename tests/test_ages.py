"""Files of older versions: each is read, printed, checked and replayed by the commands of this one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from printkit.cli.app import run
from printkit.kit.registry import NAMES

pytestmark = pytest.mark.usefixtures("table")

AGES = Path(__file__).parent / "ages"
OLD = ("0.1.0", "0.2.0-early")
NOW = "0.2.0"
EVERY = (*OLD, NOW)

Captured = pytest.CaptureFixture[str]


def command(capsys: Captured, *words: str) -> tuple[int, str]:
    """Run a command, and return its status with all that it says."""
    status = run([*words, "--lang", "en"])
    said = capsys.readouterr()
    return status, said.out + said.err


def copied(age: str, name: str) -> Path:
    return Path(shutil.copytree(AGES / age / name, name))


def code_of(folder: Path) -> str:
    code: str = json.loads((folder / "closed-game.json").read_text(encoding="utf-8"))["commitment"]
    return code


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize("age", EVERY)
def test_a_record_of_an_age_is_printed_and_replayed(age: str, rules: str, capsys: Captured) -> None:
    record = AGES / age / f"{rules}.json"
    assert command(capsys, "map", "--from", str(record), "--plan")[0] == 0
    status, said = command(capsys, "check", str(record), "--replay")
    if age == NOW:
        assert "played again, every throw and feature is the same" in said
    else:
        assert "made with shapes 1, this version has 2: dice and turns are right, shapes cannot be compared" in said
    assert "legal: all" in said
    assert status == 0


@pytest.mark.parametrize("age", EVERY)
def test_a_battle_of_an_age_goes_on(age: str, capsys: Captured) -> None:
    battle = copied(age, "battle") / "battle.toml"
    for stage in ("deploy", "bound"):
        assert command(capsys, "npg", stage, str(battle), "--seed", "3")[0] == 0
    assert command(capsys, "check", str(battle.with_name("battle-map.json")))[0] == 0


@pytest.mark.parametrize("age", EVERY[1:])
def test_a_sealed_game_of_an_age_is_proven_and_revealed_again(age: str, capsys: Captured) -> None:
    folder = copied(age, "sealed")
    status, said = command(capsys, "verify", str(folder), code_of(folder))
    assert "WRONG" not in said
    assert ("shapes: not proven: the game was dealt with shapes 1, this version has 2" in said) is (age != NOW)
    assert status == 0
    (folder / "map.json").unlink()
    (folder / "revealed.json").unlink(missing_ok=True)
    assert command(capsys, "reveal", str(folder), "--scale", "fit", "--style", "ink-saver")[0] == 0
    status, said = command(capsys, "verify", str(folder), code_of(folder))
    assert "WRONG" not in said
    assert ("shapes: not proven" in said) is (age != NOW)
    assert status == 0


def test_the_sealed_game_of_the_first_age_is_refused_and_a_league_of_this_age_is_read(capsys: Captured) -> None:
    folder = copied("0.1.0", "sealed")
    assert "dealt by an older printkit" in command(capsys, "status", str(folder))[1]
    status, said = command(capsys, "check", str(folder / "map.json"), "--replay")
    assert "made with shapes 1, this version has 2" in said
    assert status == 0
    folder = copied(NOW, "league")
    assert command(capsys, "league", "result", f"{folder}/1", "A wins")[0] == 0
    assert command(capsys, "check", str(folder / "records" / "game-1.json"), "--replay")[0] == 0
