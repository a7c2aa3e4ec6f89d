"""What a battle at the table knows and asks: facts, dice, what is said where all is bare; one whole game."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import pytest
from plain_armies import HORSE, SPEARS

from printkit.cli.app import run

pytestmark = pytest.mark.usefixtures("table")

Captured = pytest.CaptureFixture[str]

PLAIN = '[facts]\nwaterway = "none"\nbua = "none"\nground_ahead_good = true\nboth_flanks_bad = false\n'
NEAR = '[board]\nnpg_edge = "near"\n'
SHORE = SPEARS.replace('home = "hilly"', 'home = "littoral"')


def battle(text: str = "", *, head: str = 'attacker = "you"', you: str = SPEARS) -> str:
    Path("npg.toml").write_text(HORSE, encoding="utf-8")
    Path("you.toml").write_text(you, encoding="utf-8")
    body = f'schema = "dba-battle/1"\nnpg = "npg.toml"\nyou = "you.toml"\nseed = 5\n{head}\n{text}'
    Path("battle.toml").write_text(body, encoding="utf-8")
    return "battle.toml"


def said(capsys: Captured, *arguments: str, status: int = 0, lang: str = "en") -> str:
    capsys.readouterr()
    assert run(["npg", *arguments, "--lang", lang]) == status
    out, err = capsys.readouterr()
    return out + err


@pytest.mark.clause("AMB-10", "SD-4.1-b")
def test_ground_that_a_person_lays_is_not_known_to_be_open(capsys: Captured) -> None:
    name = battle('[solo]\nsolo_terrain = "npg"\n', head="attack_dice = [6, 1]")
    assert "YOU place this terrain" in said(capsys, "terrain", name)
    assert json.loads(Path("battle-map.json").read_text(encoding="utf-8"))["features"] == []
    lines = said(capsys, "edge", name, "--dice", "1 2 3 4 5")
    assert "[x]" not in lines
    assert "[ ]  +3 its zone is clear of rivers and bad going [SD-4.1-m1]" in lines
    assert "near.zone_clear: Deployment zone, near edge: is it clear of rivers and bad going?" in lines
    deployed = said(capsys, "deploy", name)
    assert "Place the camp" in deployed
    assert "Camp position, mm from the left of the NPG's edge [SD-4.3-p1]: by hand" in deployed


@pytest.mark.clause("SD-4.7-m3", "SD-4.6-m12")
def test_landings_that_cannot_be_are_not_asked_for(capsys: Captured) -> None:
    lines = said(capsys, "deploy", battle(PLAIN + NEAR))
    assert "you_reserved_landing" not in lines
    assert "YOU hold troops back" not in lines
    dry = said(capsys, "deploy", battle(PLAIN + NEAR, you=SHORE), "--again")
    assert "you_reserved_landing" not in dry
    wet = PLAIN.replace('waterway = "none"', 'waterway = "left"')
    assert "you_reserved_landing: How many" in said(capsys, "deploy", battle(wet + NEAR, you=SHORE), "--again")


@pytest.mark.clause("AMB-38")
def test_facts_are_asked_for_by_plain_words(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    name = battle(NEAR + '[facts]\nbua = "none"\n', you=SHORE)
    # A number is the number; an empty line leaves open; yes is yes.
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n2\n\n" + "\n" * 30))
    lines = said(capsys, "deploy", name, "--ask")
    assert "There is no map" in lines
    assert "How many elements do YOU hold back to land? (Enter: not known)" in lines
    assert "0, 1 ... 12" in lines
    assert "1 yes, 2 no, 3 not known" in lines
    assert "rolled for you: not known" not in lines
    answers = json.loads(Path("battle.json").read_text(encoding="utf-8"))["answers"]
    assert answers["you_reserved_landing"] == 2
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 40))
    assert "1 sí, 2 no, 3 no se sabe" in said(capsys, "deploy", name, "--ask", "--again", lang="es")


@pytest.mark.clause("AMB-38")
def test_what_an_answer_settles_is_not_asked(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    name = battle(NEAR + '[facts]\nbua = "none"\n', you=SHORE)
    Path("npg.toml").write_text(HORSE.replace('home = "hilly"', 'home = "littoral"'), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("none\n" + "\n" * 40))
    lines = said(capsys, "deploy", name, "--ask")
    assert "Along which edge does a waterway run" in lines
    assert "How many elements do YOU hold back" not in lines


@pytest.mark.clause("SD-4.4-m3", "SD-4.4-b", "AMB-29", "AMB-27")
def test_a_garrison_before_its_die_counts_as_the_die_will(capsys: Captured) -> None:
    one = HORSE.replace('"4Sp" = 2, "2Ps" = 2', '"4Sp" = 1, "2Ps" = 3')
    text = PLAIN.replace('bua = "none"', 'bua = "near-left"') + '[board]\nnpg_edge = "far"\n'
    name = battle(text)
    Path("npg.toml").write_text(one, encoding="utf-8")
    lines = said(capsys, "deploy", name, "--set", "mode=ranges")
    followers, spear = lines.partition("{one Sp}")[0], lines.partition("{one Sp}")[2].partition("Position of group")[0]
    assert "the defender has Sp" in followers
    assert "the defender has Sp" not in spear
    assert "possible garrison: 4Sp [SD-4.4-p2]" in followers
    assert "possible garrison: 4Bd [SD-4.4-p3]" in spear


@pytest.mark.clause("SD-4.1-a")
def test_a_defender_without_an_edge_is_told_what_to_write(capsys: Captured) -> None:
    line = said(capsys, "deploy", battle(), status=1)
    assert "npg_edge = " in line
    assert "first run" not in line


def test_dice_of_a_battle_and_a_log_that_does_not_fit_cite_no_rules_of_another_system(capsys: Captured) -> None:
    name = battle(PLAIN + NEAR)
    for dice in ("5", "7"):
        assert "BR-" not in said(capsys, "deploy", name, "--dice", dice, status=1)
    Path("bad.log").write_text("attacker | attacker: the NPG | d6 | 9\n", encoding="utf-8")
    order = ["map", "--rules", "solo-dba", "--set", "npg=viking", "--set", "you=welsh", "--out", "m.pdf"]
    assert run([*order, "--dice", "@bad.log", "--lang", "en"]) == 1
    told = capsys.readouterr().err
    assert "roll 1: the log of stage" in told
    assert "BR-" not in told


def test_the_rules_are_listed_with_room_after_the_longest_clause(capsys: Captured) -> None:
    assert run(["rules", "solo-dba", "--show", "clauses", "--lang", "en"]) == 0
    told = capsys.readouterr().out
    assert "SD-2.2.1-m3 general: slower than the others" in told
    assert "SD-3.2.1-r1 3 or less: two optional features" in told


GAME = """
new gallic polybian-roman --seed 11 --out tuesday.toml
terrain tuesday.toml
edge tuesday.toml
edge tuesday.toml --undo
edge tuesday.toml --dice "1 6 2 4 2"
deploy tuesday.toml
bound tuesday.toml
bound tuesday.toml --lost +0,+2
bound tuesday.toml --undo
bound tuesday.toml --lost +0,+1
bound tuesday.toml --override
bound tuesday.toml --undo
bound tuesday.toml --lost +1,+1
bound tuesday.toml --lost +0,+1
bound tuesday.toml --lost +1,+1
show tuesday.toml
"""


@pytest.mark.clause("SD-4.1-c", "SD-5.2-a", "SD-5.3-a", "SD-5.3-m1", "SD-5.3-m4", "SD-5.4-d", "AMB-43")
def test_a_whole_game_with_three_corrections_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for command in GAME.strip().splitlines():
        assert run(["npg", *shlex.split(command), "--lang", "en"]) == 0, command
        said.append(capsys.readouterr().out)
    assert "Undone: base edge, and everything after it." in said[3]
    assert "Undone: bound 2." in said[8]
    assert "Undone: the override in bound 2." in said[11]
    end = said[-1].splitlines()[-1]
    assert end.startswith("The game is over: the NPG has won")
    assert said[-2].splitlines()[-1] == end
    log = json.loads(Path("tuesday.json").read_text(encoding="utf-8"))
    assert [step["dice"] for step in log["stages"]["edge"]["steps"]] == [[1, 6, 2, 4], [2]]
    played = [(each["npg_lost"], each["you_lost"], each["override"]) for each in log["bounds"]]
    assert played == [(0, 0, ""), (0, 1, ""), (1, 2, ""), (1, 3, ""), (2, 4, "")]
    assert log["stages"]["deploy"]["results"]["notes"] == []
