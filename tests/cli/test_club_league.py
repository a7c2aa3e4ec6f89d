"""A league of players from the command line: its rounds, its scores, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_lines import Captured

from printkit.cli.app import run
from printkit.recipes.league.league_file import read_league

NEW = ("league", "new", "autumn", "--rules", "dba3", "--seed", "11", "--players")


@pytest.fixture(autouse=True)
def folder(table: Path) -> Path:
    return table


def test_a_league_is_played_round_by_round(capsys: Captured) -> None:
    assert run([*NEW, "Ann, Bob, Carmen", "--lang", "en"]) == 0
    assert "league show autumn --print" in capsys.readouterr().err
    assert {path.name for path in Path("autumn").iterdir()} == {"league.toml", "league.pdf", "records"}
    assert run(["league", "result", "autumn", "Ann 2-5 Bob", "--lang", "en"]) == 0
    assert re.search("1 +Bob +1 +1 +0 +0 +5:2 +3\n", capsys.readouterr().err)
    assert run(["league", "result", "autumn/1", "4-4", "--lang", "en"]) == 0
    assert "previous result of game 1: " in capsys.readouterr().err
    assert run(["league", "result", "autumn/1", "", "--quiet"]) == 0
    Path("late.txt").write_text("Eve\n\n  Finn  \n", encoding="utf-8")
    assert run(["league", "round", "autumn", "--players", "late.txt", "--tables", "1", "--quiet"]) == 0
    league = read_league(Path("autumn"))
    assert league.players == ("Ann", "Bob", "Carmen", "Eve", "Finn")
    assert [(game.round, game.table, game.seed, game.score) for game in league.games] == [
        (1, 1, 11, None),
        (2, 1, 12, None),
    ]
    assert run(["league", "show", "autumn", "--lang", "en"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("autumn: 5 players. Round 2 of ")
    assert re.findall("^  (.*table .) ", shown, re.MULTILINE) == ["table 1", "round 1, table 1"]
    assert "Without a game in this round: " in shown


def test_the_same_seed_gives_the_same_files(capsys: Captured) -> None:
    def files(*command: str) -> dict[str, bytes]:
        assert run([*command, "--quiet", "--lang", "en"]) == 0, capsys.readouterr().err
        paths = sorted(path for path in Path("autumn").rglob("*") if path.is_file())
        return {path.relative_to("autumn").as_posix(): path.read_bytes() for path in paths}

    new = (*NEW, "Ann, Bob", "--style", "ink-saver", "--dressing", "none", "--table", "build")
    first = files(*new)
    printed = files("league", "show", "autumn", "--print")
    assert {name: content for name, content in printed.items() if name in first} == first
    assert {"game-1/contents.pdf", "game-1/layout.pdf"} <= printed.keys()
    assert b'"Ann, Bob"' in first["records/game-1.json"]
    Path("autumn").rename("earlier")
    assert files(*new, "--print") == printed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["Ann, Bob, ann"], "Ann is in the list of players twice"),
        (["Ann"], "a league has 2 to 40 players, not 1"),
        ([""], "a league has 2 to 40 players, not 0"),
        ([", ".join(map(str, range(41)))], "a league has 2 to 40 players, not 41"),
        (["x" * 61 + ", Bob"], "has 61 characters; write at most 60"),
        (["names.txt"], "there is no file names.txt. Write a name on each line of it"),
        (["Ann, Bob", "--games", "2"], "--games is for a league without players"),
        (["Ann, Bob", "--sheet", "a99"], "a99"),
        (["Ann, Bob", "--tables", "0"], "--tables: 0 is less than 1"),
    ],
)
def test_a_wrong_league_is_refused_and_leaves_nothing(options: list[str], message: str, capsys: Captured) -> None:
    assert run([*NEW, *options, "--lang", "en"]) == 2
    assert message in capsys.readouterr().err
    assert not Path("autumn").exists()


def test_what_does_not_fit_a_league_is_refused_and_changes_nothing(capsys: Captured) -> None:
    assert run([*NEW, "Ann, Bob", "--quiet"]) == 0
    before = {path: path.read_bytes() for path in Path("autumn").rglob("*.*") if path.is_file()}
    for command, message in (
        (["round", "autumn"], "all players of autumn have played each other; start another league"),
        (["round", "autumn", "--players", "ann"], "Ann is in the list of players twice"),
        (["add", "autumn"], "autumn has players. To add their next round: printkit league round autumn"),
        (["result", "autumn", "Ann 5-2 Eve"], "Ann and Eve do not play each other. Players: Ann, Bob"),
        (["result", "autumn/1", "5-2", "--players", "Ann"], "remove --players"),
        (["result", "autumn/2", "5-2"], "autumn has no game 2"),
        (["result", "autumn/one", "5-2"], "'autumn/one' is not a game"),
        (["new", "autumn", "--players", "Ann, Bob"], "To add games to it: printkit league round autumn"),
        (["new", "winter", "--tables", "2"], "--tables needs --players"),
    ):
        assert run(["league", *command, "--lang", "en"]) != 0
        assert message in capsys.readouterr().err
    assert {path: path.read_bytes() for path in Path("autumn").rglob("*.*") if path.is_file()} == before
    text = Path("autumn/league.toml").read_text(encoding="utf-8")
    Path("autumn/league.toml").write_text(text.partition("\n[[game]]")[0], encoding="utf-8")
    assert run(["league", "show", "autumn", "--lang", "en"]) == 2
    assert "autumn has no games yet. To add some: printkit league round autumn" in capsys.readouterr().err
    Path("autumn/league.toml").write_text(
        'schema = "printkit-league/2"\nname = "a"\nrules = "dba3"\n', encoding="utf-8"
    )
    for command in (["round", "autumn"], ["result", "autumn", "Ann 5-2 Bob"]):
        assert run(["league", *command, "--lang", "en"]) == 2


def test_tables_that_share_a_box_get_plans_to_build_from(capsys: Captured) -> None:
    assert run(["box", "new", "--rules", "brantley", "--out", "club.toml", "--quiet"]) == 0
    names = ", ".join(f"P{number}" for number in range(14))
    new = ["league", "new", "autumn", "--seed", "1", "--box", "club.toml", "--players", names, "--lang", "en"]
    assert run(new) == 2
    assert "Table 4 needs more pieces: " in capsys.readouterr().err
    assert not Path("autumn").exists()
    assert run([*new, "--tables", "2"]) == 0
    assert "  table 2 needs " in capsys.readouterr().err
    league = read_league(Path("autumn"))
    assert (league.shared_box, league.print_options.laid, len(league.games)) == ("box.toml", "build", 2)
