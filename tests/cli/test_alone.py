"""Several commands at one game: each waits for the other, reads anew, and nothing that was said is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from plain_armies import SPEARS

from printkit.cli.app import run
from printkit.console.locks import lock_game
from printkit.systems.brantley.sheets.game_folder import read_progress, save_progress


def begun(*command: str) -> subprocess.Popen[str]:
    """Start a command."""
    return subprocess.Popen(
        [sys.executable, "-m", "printkit", *command, "--lang", "en"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def game(table: Path) -> Path:
    """Deal a game in which A lays the first card, and return its folder."""
    assert run(["deal", "--out", "output", "--set", "first=A", "--quiet"]) == 0
    (folder,) = (table / "output").iterdir()
    return folder


def test_the_second_command_waits_and_reads_what_the_first_has_written(game):
    file = game / "closed-game.json"
    with lock_game(file):
        second = begun("status", str(game), "--place", "B b1 2")
        assert second.stderr is not None
        waits = second.stderr.readline()
        save_progress(file, read_progress(file).add(["A a1 1"]))
    assert second.communicate()[1].count("\n") == 1
    assert (second.returncode, waits) == (
        0,
        f"waiting for another printkit that is using {game / 'closed-game.json'}\n",
    )
    assert [*read_progress(file).journal.turns.values()] == ["A a1 1", "B b1 2"]
    assert sorted(path.name for path in game.iterdir() if path.name.startswith(".")) == []


def test_of_turns_laid_at_one_time_none_is_lost(game):
    assert run(["status", str(game), "--place", "A a1 1", "--quiet"]) == 0
    turns = [f"B b{card} {card + 1}" for card in (1, 2, 3)]
    commands = [begun("status", str(game), "--place", turn) for turn in turns]
    said = [command.communicate()[1] for command in commands]
    kept = [turn for turn, command in zip(turns, commands, strict=True) if command.returncode == 0]
    assert [*read_progress(game / "closed-game.json").journal.turns.values()] == ["A a1 1", *kept]
    assert len(kept) == 1, said


def test_of_bounds_thrown_at_one_time_none_is_lost(table):
    for name in ("npg", "you"):
        (table / f"{name}.toml").write_text(SPEARS, encoding="utf-8")
    head = 'schema = "dba-battle/1"\nnpg = "npg.toml"\nyou = "you.toml"\nseed = 5\nattacker = "npg"\n'
    (table / "battle.toml").write_text(head, encoding="utf-8")
    commands = [begun("npg", "bound", "battle.toml") for _ in range(3)]
    said = [command.communicate()[1] for command in commands]
    assert [command.returncode for command in commands] == [0, 0, 0], said
    bounds = json.loads((table / "battle.json").read_text(encoding="utf-8"))["bounds"]
    assert len(bounds) == 3
    assert not list(table.glob(".*"))


def test_a_game_that_nothing_can_be_put_beside_is_read_all_the_same(table):
    with lock_game(table / "nowhere" / "battle.toml"):
        assert not list(table.iterdir())
