"""A battle at the table on the command line: edge, deployment, swap, bounds; what is kept, and what is refused."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from plain_armies import HORSE, SPEARS

from printkit.cli.app import run
from printkit.core.words import catalogue, find_words
from printkit.kit.registry import find as system
from printkit.kit.registry import read_record
from printkit.systems.solo.armies.rules import load_solo_rules
from printkit.systems.solo.armies.steps import Mode
from printkit.systems.solo.battle.on_screen import standing
from printkit.systems.solo.tactics.situation import NAMES

pytestmark = pytest.mark.usefixtures("table")

Captured = pytest.CaptureFixture[str]

CHOICES = SPEARS.replace('"4Sp" = 9, "2Ps" = 2', '"4Sp" = 10').replace(
    "[general]", '[[slot]]\nid = "screen"\nmode = "each"\noptions = ["2Ps", "3Ax"]\n[general]'
)


def battle(text: str = "", *, npg: str = HORSE, you: str = SPEARS, attacker: str = "npg", dice: str = "") -> str:
    """Write a battle with both armies beside it, and return its name."""
    Path("npg.toml").write_text(npg, encoding="utf-8")
    Path("you.toml").write_text(you, encoding="utf-8")
    attack = f"attack_dice = {dice}" if dice else f'attacker = "{attacker}"'
    head = f'schema = "dba-battle/1"\nnpg = "npg.toml"\nyou = "you.toml"\nseed = 5\n{attack}\n'
    Path("battle.toml").write_text(head + text, encoding="utf-8")
    return "battle.toml"


def log() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("battle.json").read_text(encoding="utf-8"))
    return found


def said(capsys: Captured, *arguments: str) -> str:
    capsys.readouterr()
    assert run(["npg", *arguments, "--lang", "en"]) == 0
    return capsys.readouterr().out


def refused(capsys: Captured, *arguments: str, status: int = 1) -> str:
    capsys.readouterr()
    assert run(["npg", *arguments, "--lang", "en"]) == status
    out, line = capsys.readouterr()
    assert line.count("\n") == 1
    assert out == ""
    return line


PLAIN = (
    '[facts]\nwaterway = "none"\nbua = "none"\nground_ahead_good = true\n'
    "both_flanks_bad = false\nyou_reserved_landing = 0\n"
)
NEAR = '[board]\nnpg_edge = "near"\n'
EDGES = "".join(
    f"[facts.{edge}]\nzone_clear = {'true' if edge == 'far' else 'false'}\nzone_bad_centre = false\n"
    "bad_ahead = false\ngentle_hill = false\n"
    for edge in ("near", "left", "far", "right")
)


@pytest.mark.clause("SD-4.1-a", "SD-4.1-b", "SD-4.1-c")
def test_an_attackers_edge_by_a_persons_dice_and_questions_for_open_facts(capsys: Captured) -> None:
    name = battle(PLAIN + EDGES)
    lines = said(capsys, "edge", name, "--dice", "6 6 4 2 5")
    assert "Preferred edge [SD-4.1-b]: dice 6 6 4 2 = 7 -> far" in lines
    assert "[x]  +3 its zone is clear of rivers and bad going [SD-4.1-m1]" in lines
    assert "Final edge [SD-4.1-c]: dice 5 -> far edge" in lines
    assert "Open questions. Each" not in lines
    kept = log()["stages"]["edge"]
    assert (kept["results"]["npg_edge"], kept["results"]["your_edge"]) == ("far", "near")
    assert kept["steps"][0]["dice"] == [6, 6, 4, 2]
    Path("battle.json").unlink()
    bare = said(capsys, "edge", battle(), "--seed", "3")
    assert "far.zone_clear: Deployment zone, far edge: is it clear of rivers and bad going?" in bare
    assert "[ ]  +3 its zone is clear of rivers and bad going [SD-4.1-m1]" in bare


def test_a_missing_army_is_named_with_the_line_of_the_battle(capsys: Captured) -> None:
    name = battle()
    Path("you.toml").unlink()
    for command in ("show", "counters"):
        assert "battle.toml, line 3: cannot read you.toml: " in refused(capsys, command, name)
    Path(name).write_text(Path(name).read_text(encoding="utf-8").replace("you.toml", "galic"), encoding="utf-8")
    assert "battle.toml, line 3: no army 'galic'; did you mean 'gallic'?" in refused(capsys, "show", name)


@pytest.mark.clause("SD-2.1-a")
@pytest.mark.parametrize(
    ("text", "you", "attacker", "stage", "options", "parts"),
    [
        ("", SPEARS, "you", "edge", (), ["the NPG defends"]),
        ("", SPEARS, "npg", "deploy", (), ["no base edge yet", "printkit npg edge battle.toml"]),
        ("", CHOICES, "npg", "edge", (), ["make YOUR choices before any roll"]),
        (NEAR + PLAIN, SPEARS, "npg", "deploy", ("--dice", "5 3 4"), ["die 4 is missing"]),
    ],
    ids=["a defender has the edge that is left", "no edge yet", "open choices", "a die too few"],
)
def test_a_stage_that_cannot_be_thrown_is_refused_and_keeps_nothing(
    capsys: Captured, text: str, you: str, attacker: str, stage: str, options: tuple[str, ...], parts: list[str]
) -> None:
    line = refused(capsys, stage, battle(text, you=you, attacker=attacker), *options)
    assert [part for part in parts if part not in line] == []
    assert not Path("battle.json").exists()


@pytest.mark.clause("SD-4.2-b", "SD-4.6-a", "SD-4.7-e", "SD-4.7-d6")
def test_a_deployment_uses_its_dice_in_the_order_of_the_rules(capsys: Captured) -> None:
    name = battle(NEAR + PLAIN)
    lines = said(capsys, "deploy", name, "--dice", "5 3 4 1 2 5 5 2 5 6 3 3 4")
    assert "Camp garrison [SD-4.2-b]: dice 5 = 5 -> camp followers" in lines
    assert "{3Bd}" in lines
    places = log()["stages"]["deploy"]["results"]["places"]
    assert places == ["reserve", "reserve", "centre", "reserve", "right", "right"]
    assert "elements" not in log()["stages"]["deploy"]["results"]
    assert "no Ps opposite Cv, Cm or Kn without bad going between [SD-4.7-d3]" in lines


@pytest.mark.clause("AMB-38")
def test_what_stands_is_told_again_and_what_it_would_be_now(capsys: Captured) -> None:
    name = battle(PLAIN + NEAR)
    first = said(capsys, "deploy", name, "--dice", "5 3 4 1 2 5 5 2 5 6 3 3 4")
    again = said(capsys, "deploy", name)
    assert "This stage is already rolled" in again
    assert "With what is known now" not in again
    assert first.splitlines()[3] in again
    kept = Path("battle.json").read_bytes()
    battle(PLAIN.replace("both_flanks_bad = false", "both_flanks_bad = true") + NEAR)
    changed = said(capsys, "deploy", name)
    assert "With what is known now, the same dice would give:" in changed
    assert Path("battle.json").read_bytes() == kept
    said(capsys, "deploy", name, "--again", "--seed", "9")
    assert Path("battle.json").read_bytes() != kept


@pytest.mark.clause("SD-4.8-a", "SD-4.8-b", "SD-4.8-c")
def test_a_swap_is_proposed_when_both_are_deployed(capsys: Captured) -> None:
    pairs = '[[pairs]]\nnpg = "2Ps"\nyou = "3Cv"\n[[pairs]]\nnpg = "4Sp"\nyou = "4Bd"\n'
    armies = {"npg": SPEARS, "you": HORSE, "attacker": "you"}
    name = battle(PLAIN + NEAR + pairs, **armies)
    assert "not deployed yet" in refused(capsys, "swap", name)
    said(capsys, "deploy", name, "--seed", "1")
    assert "[SD-4.8-a]: 1-2" in said(capsys, "swap", name, "--set", "mode=ranges")
    battle(PLAIN + NEAR, **armies)
    assert "who faces whom" in refused(capsys, "swap", name, "--again")
    battle(PLAIN + NEAR + pairs)
    assert "attacker = 'npg', but the log of this battle has 'you'" in refused(capsys, "swap", name)
    Path("battle.json").unlink()
    assert "only the defender may swap" in refused(capsys, "swap", name)


@pytest.mark.clause("SD-5.2-a", "SD-5.3-a", "SD-5.3-b", "SD-5.3-c", "SD-5.3-d", "SD-5.4-a", "SD-5.4-d", "AMB-45")
def test_bounds_remember_level_losses_and_overrides(capsys: Captured) -> None:
    name = battle()
    assert "roll the bound first, then try an override" in refused(capsys, "bound", name, "--override")
    short = said(capsys, "bound", name, "--dice", "5 6 2").splitlines()
    assert short[:3] == [
        "aggression level: Neutral",
        "Bound 1: 6 PIPs, Cautious",
        "     1 Defensive Manoeuvre [SD-5.3-C1]",
    ]
    assert len(short) == 12
    for _ in range(2):
        said(capsys, "bound", name, "--undo")
    first = said(capsys, "bound", name, "--dice", "5 6 2", "--verbose")
    assert "Aggression level [SD-5.2-a]: dice 5, −2 = 3 -> Neutral" in first
    assert "Bound 1: 6 PIPs, Cautious" in first
    assert " 1 Defensive Manoeuvre [SD-5.3-C1]" in first
    assert "Try --override, one roll: on 3–6 you play this bound as you like (3 left) [SD-5.3-d]" in first
    second = said(capsys, "bound", name, "--dice", "3 1", "--lost", "3,2")
    assert "Aggression level" not in second
    assert "Bound 2: 3 PIPs, Cautious" in second
    assert log()["bounds"][1]["npg_lost"] == 3
    assert "The override fails" in said(capsys, "bound", name, "--override", "--dice", "2")
    assert "you may try one per bound" in refused(capsys, "bound", name, "--override", "--dice", "2")
    third = said(capsys, "bound", name, "--dice", "1 6")
    assert (log()["bounds"][2]["npg_lost"], log()["bounds"][2]["you_lost"]) == (3, 2)
    assert "Bound 3: 1 PIP," in third
    assert "The override works" in said(capsys, "bound", name, "--override", "--dice", "3")
    said(capsys, "bound", name, "--dice", "1 6")
    assert "0 attempts left" in said(capsys, "bound", name, "--override", "--dice", "6")
    assert "Try --override" not in said(capsys, "bound", name, "--dice", "1 6", "--verbose")
    assert "all 3 attempts" in refused(capsys, "bound", name, "--override", "--dice", "6")


@pytest.mark.clause("AMB-43")
def test_a_general_that_falls_may_end_the_game_and_stays_lost(capsys: Captured) -> None:
    name = battle()
    said(capsys, "bound", name)
    assert "add --lost" in refused(capsys, "bound", name, "--general-lost", "npg", status=2)
    assert "its general as 1" in refused(capsys, "bound", name, "--lost", "0,0", "--general-lost", "npg", status=2)
    assert "use npg or you" in refused(capsys, "bound", name, "--lost", "1,1", "--general-lost", "him", status=2)
    over = said(capsys, "bound", name, "--lost", "1,0", "--general-lost", "npg")
    assert "YOU have won (losses: NPG 1, YOU 0)" in over
    assert "The game is over" not in said(capsys, "bound", name, "--lost", "+0,+1")
    assert "The game is over" in said(capsys, "bound", name, "--lost", "+1,+0")
    shown = said(capsys, "show", name)
    assert shown.count("the NPG's general is lost") == 3
    assert "YOUR general" not in shown
    for _ in range(3):
        said(capsys, "bound", name, "--undo")
    assert "general is lost" not in said(capsys, "show", name)


@pytest.mark.clause("AMB-43")
def test_a_camp_counts_as_two_until_it_is_taken_back(capsys: Captured) -> None:
    name = battle()
    said(capsys, "bound", name, "--lost", "1,0")
    assert "its camp counts as 2" in refused(capsys, "bound", name, "--lost", "1,0", "--camp-lost", "npg", status=2)
    said(capsys, "bound", name, "--lost", "+2,+0", "--camp-lost", "npg")
    said(capsys, "bound", name, "--lost", "+0,+1")
    assert [bound.get("camps", []) for bound in log()["bounds"]] == [[], ["npg"], ["npg"]]
    assert "had lost 3 before" in refused(capsys, "bound", name, "--lost", "0,1", status=2)
    said(capsys, "bound", name, "--lost", "1,1")
    assert log()["bounds"][-1].get("camps", []) == []


@pytest.mark.clause("SD-5.1-act01", "AMB-41")
def test_kinds_of_attack_and_wrong_numbers(capsys: Captured) -> None:
    name = battle()
    assert said(capsys, "bound", name, "--odds", "1/6,1/6") == "Aggressive Attack\n"
    assert "no attack" in said(capsys, "bound", name, "--odds", "0,0.5")
    assert "two chances" in refused(capsys, "bound", name, "--odds", "often", status=2)
    assert "write the lost elements of both sides" in refused(capsys, "bound", name, "--lost", "many", status=2)
    assert "use npg or you" in refused(capsys, "bound", name, "--lost", "1,1", "--camp-lost", "both", status=2)


@pytest.mark.clause("AMB-46")
def test_the_npgs_army_is_made_once_and_kept(capsys: Captured) -> None:
    name = battle(NEAR + PLAIN, npg=CHOICES).removesuffix(".toml")
    lines = said(capsys, "bound", f"{name}.toml", "--dice", "6 2 3 4 4", "--verbose")
    assert "the NPG's army: 4Sp*" in lines
    # Before it is deployed nobody is told who does not ask.
    shown = said(capsys, "show", f"{name}.toml", "--npg")
    assert "the NPG's army: 4Sp*" in shown
    assert "screen [SD-2.2-b]: dice 6 2 -> 2Ps" in shown
    assert "army of the NPG" not in (sealed := said(capsys, "show", f"{name}.toml"))
    assert f"To see it: printkit npg show {name}.toml --npg" in sealed
    assert log()["stages"]["compose"]["results"]["npg_army"].count("2Ps") == 1
    assert "army of the NPG" not in said(capsys, "bound", f"{name}.toml", "--dice", "4 4")


@pytest.mark.clause("SD-5.2-a", "AMB-46")
def test_the_level_counts_also_who_waits_to_land(capsys: Captured) -> None:
    name = battle(NEAR + PLAIN)
    said(capsys, "deploy", name)
    kept = log()
    kept["stages"]["deploy"]["results"]["held_back"] = kept["stages"]["compose"]["results"]["npg_army"]
    Path("battle.json").write_text(json.dumps(kept), encoding="utf-8")
    said(capsys, "bound", name)
    (step,) = log()["stages"]["level"]["steps"]
    assert [each["id"] for each in step["modifiers"] if each["state"] == "on"] == ["SD-5.2-m5"]


def test_the_same_seed_gives_the_same_log_also_if_it_is_given_on_the_line_and_bounds_differ(capsys: Captured) -> None:
    kept, told = [], set()
    for _ in range(2):
        name = battle(NEAR + PLAIN)
        Path("battle.json").unlink(missing_ok=True)
        said(capsys, "deploy", name)
        for _ in range(2):
            said(capsys, "bound", name)
        kept.append(Path("battle.json").read_bytes())
    assert kept[0] == kept[1]
    assert len({(each["pips"], each["die"]) for each in log()["bounds"]}) > 1
    for _ in range(3):
        Path("battle.json").unlink()
        said(capsys, "deploy", name, "--seed", "11")
        told.add(said(capsys, "bound", name, "--seed", "12"))
    assert len(told) == 1


def test_a_person_is_asked_for_facts_and_dice_and_takes_each_back(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = battle('[facts]\nbua = "none"\nwaterway = "none"\n' + EDGES.replace("zone_clear = true\n", ""))
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n1\n1\n6\n1\n6\n"))
    plain = said(capsys, "edge", name, "--ask")
    assert "-> far edge" in plain
    kept = log()
    assert kept["answers"] == {"far.zone_clear": True}
    Path("battle.json").unlink()
    typed = ["back", "no", "back", "yes", "1", "1", "2", "back", "back", "1", "6", "1", "6"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    assert run(["npg", "edge", name, "--ask", "--lang", "en"]) == 0
    out, err = capsys.readouterr()
    assert out == plain
    assert log() == kept
    assert err.count("there is no answer to undo") == 1
    assert err.count("type back to undo the last answer") == 1
    Path("battle.json").write_text(json.dumps({**kept, "answers": {"group": True}}), encoding="utf-8")
    assert "battle.json: facts: unknown fact 'group'" in refused(capsys, "edge", name)


def test_answers_for_the_army_are_not_taken_back_once_it_is_kept(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = battle(PLAIN, npg=CHOICES)
    monkeypatch.setattr("sys.stdin", io.StringIO("3\nback\n4\n1\nback\n" + "\n" * 30))
    assert run(["npg", "edge", name, "--ask", "--lang", "en"]) == 0
    assert capsys.readouterr().err.count("there is no answer to undo") == 1
    (step,) = [step for step in log()["stages"]["compose"]["steps"] if step["dice"]][:1]
    assert step["dice"][0] == 4


@pytest.mark.parametrize(
    ("typed", "options", "complaints"),
    [
        ("1,0\nback\n2,1\n3\n4\n", "", 0),
        ("1,0\n5\nback\nback\n2,1\n3\n4\n", "", 0),
        ("1,0\n6\nBack\n2\nback\natrás\n2,1\n3\n4\n", "", 0),
        ("back\n2,1\n3\n4\n", "", 1),
        ("1,0\nback\nback\n2,1\n3\n4\n", "", 1),
        ("back\n3\n4\n", "--lost 2,1", 1),
    ],
)
def test_losses_that_are_asked_for_and_no_others_can_be_taken_back(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, typed: str, options: str, complaints: int
) -> None:
    name = battle()
    said(capsys, "bound", name, "--dice", "5 6 2")
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    lang = "es" if "atrás" in typed else "en"
    assert run(["npg", "bound", name, "--ask", *options.split(), "--lang", lang]) == 0
    assert capsys.readouterr().err.count("there is no answer to undo") == complaints
    last = log()["bounds"][1]
    assert (last["npg_lost"], last["you_lost"], last["pips"], last["die"]) == (2, 1, 3, 4)


def test_throws_for_terrain_for_a_bound_and_for_its_override_can_be_taken_back(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = battle(dice="[6, 1]")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 400))
    said(capsys, "terrain", name, "--ask")
    field = Path("battle-map.json").read_bytes()
    for kept in ("battle.json", "battle-map.json"):
        Path(kept).unlink()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\nback\n" + "\n" * 400))
    said(capsys, "terrain", name, "--ask")
    assert Path("battle-map.json").read_bytes() == field
    Path("battle.json").unlink()
    monkeypatch.setattr("sys.stdin", io.StringIO("5\n6\nback\n3\n2\n"))
    said(capsys, "bound", battle(), "--ask")
    taken = log()["bounds"]
    Path("battle.json").unlink()
    said(capsys, "bound", name, "--dice", "5 3 2")
    assert log()["bounds"] == taken


def test_throws_for_terrain_and_bounds_are_told_in_the_language_of_the_person(capsys: Captured) -> None:
    english = said(capsys, "terrain", battle(dice="[6, 1]"))
    assert "column of " in english
    for kept in ("battle.json", "battle-map.json"):
        Path(kept).unlink()
    assert run(["npg", "terrain", "battle.toml", "--lang", "es"]) == 0
    spanish = capsys.readouterr().out
    throws = [line for line in english.splitlines() if re.search(r"\[SD-3[\d.]*-\w+\]$", line)]
    assert throws
    assert [line for line in throws if line in spanish.splitlines()] == []
    assert run(["npg", "bound", battle(dice="[6, 1]"), "--dice", "5 6 2", "--lang", "es"]) == 0
    assert "Turno 1: 6 PIP, Cauta" in capsys.readouterr().out


@pytest.mark.clause("SD-4.1-a", "SD-4.3-p4", "SD-4.7-a", "AMB-25", "AMB-47")
def test_a_battle_on_a_map_of_its_own(capsys: Captured) -> None:
    name = battle(dice="[6, 1]")
    lines = said(capsys, "terrain", name)
    assert "map: battle-map.json" in lines
    assert "[SD-3.3.4-r" in lines
    record = json.loads(Path("battle-map.json").read_text(encoding="utf-8"))
    assert (record["rules"], record["solo-dba"]["attack"]["attacker"]) == ("solo-dba", "npg")
    assert "the terrain is already placed" in refused(capsys, "terrain", name)
    edge = said(capsys, "edge", name)
    assert "Open questions. Each" not in edge
    said(capsys, "deploy", name)
    kept = log()["stages"]["deploy"]["results"]
    assert len(kept["elements"]) + len(kept["held_back"]) == 12
    side = record["board"]["width_mm"]
    assert all(0 <= each["x"] <= side and 0 <= each["y"] <= side for each in kept["elements"])
    assert len({(each["x"], each["y"]) for each in kept["elements"]}) == len(kept["elements"])
    assert float(kept["camp_at_mm"]) > 0
    Path("battle-map.json").rename("elsewhere.json")
    assert "battle.json: there is no file battle-map.json, which the log names" in refused(capsys, "show", name)
    Path("elsewhere.json").rename("battle-map.json")
    battle('[board]\nmap = "battle-map"\n', dice="[6, 1]")
    assert "[board] already has map = 'battle-map'" in refused(capsys, "terrain", name)


@pytest.mark.clause("SD-2.3-a")
def test_who_attacks_may_be_said_as_well_as_thrown_for(capsys: Captured) -> None:
    name = battle(attacker="you")
    assert "the NPG defends" in said(capsys, "terrain", name)
    record = json.loads(Path("battle-map.json").read_text(encoding="utf-8"))
    assert not [throw for throw in record["log"] if throw["stage"] == "attacker"]
    attack = record["solo-dba"]["attack"]
    assert (attack["attacker"], attack["defender"], attack["step"]["dice"]) == ("you", "npg", [])
    (verdict,) = (
        each for each in system("solo-dba").judge(read_record(json.dumps(record))[1]) if each.clause == "SD-2.3-a"
    )
    assert verdict.state == "not judged"
    Path("other.toml").write_text(
        Path(name).read_text(encoding="utf-8").replace('attacker = "you"', 'attacker = "npg"')
        + '[board]\nmap = "battle-map.json"\n',
        encoding="utf-8",
    )
    assert "attacker = 'npg', but in battle-map.json 'you' attacks" in refused(capsys, "show", "other.toml")


@pytest.mark.parametrize("mode", [mode.value for mode in reversed(Mode) if mode is not Mode.ROLLED])
def test_sheets_throw_nothing(mode: str, capsys: Captured) -> None:
    name = battle(NEAR + PLAIN)
    for stage in ("edge", "deploy", "bound"):
        lines = said(capsys, stage, name, "--set", f"mode={mode}")
        assert "->" not in lines
        assert "dice" not in lines
    assert "deploy" not in (log()["stages"] if Path("battle.json").exists() else {})


def test_ranges_count_what_is_known(capsys: Captured) -> None:
    name = battle(NEAR + PLAIN)
    lines = said(capsys, "deploy", name, "--set", "mode=ranges")
    assert "1-5 camp followers; 6 one Sp" in lines
    assert "– Reserve; 2-5 Centre; 6 Left Flank; 7-12 Right Flank" in lines
    assert "1-4 Defensive; 5-6 Neutral; – Aggressive" in said(capsys, "bound", name, "--set", "mode=ranges")


@pytest.mark.clause("SD-2.3-a")
@pytest.mark.parametrize(
    ("text", "dice", "command", "part"),
    [
        ("[facts]\nmarsh = true\n", "", "edge", ": facts: unknown fact 'marsh'"),
        ('[solo]\nunknowns = "ask"\n', "", "edge", "battle.toml, line 7: solo-dba has no setting 'unknowns'"),
        ('[board]\nmap = "nowhere.json"\n', "", "edge", "nowhere.json"),
        ('[board]\nmap = "field"\n', "", "terrain", "field.json cannot be read"),
        ("attack_dice = [5, 3]\n", "", "edge", "attacker already says who attacks"),
        (
            "",
            "[7, 1]",
            "edge",
            "attack_dice 1 = 7 is not valid. Write two scores from 1 to 6, the NPG's first, for example [5, 3].",
        ),
    ],
)
def test_a_wrong_battle_file_is_one_line(text: str, dice: str, command: str, part: str, capsys: Captured) -> None:
    stage, *options = command.split()
    assert part in refused(capsys, stage, battle(text, dice=dice), *options)


@pytest.mark.parametrize(
    "command", ["terrain", "edge", "deploy", "swap", "bound", "show", "aid", "sheets", "deployment-map"]
)
def test_a_battle_goes_on_only_under_readings_that_there_still_are(command: str, capsys: Captured) -> None:
    retired = load_solo_rules().book.retired
    usual = "".join(f'{key} = "{each.reading}"\n' for key, each in retired.items())
    said(capsys, "show", battle(f"[solo]\n{usual}"))
    key = next(iter(retired))
    before = sorted(Path().rglob("*"))
    line = refused(capsys, command, battle(f'[solo]\n{key} = "another"\n'), status=2)
    assert line.startswith(f"printkit: battle.toml: {key} is no longer a setting: ")
    assert sorted(Path().rglob("*")) == before


def test_other_wrong_command_lines(capsys: Captured) -> None:
    assert "cannot be read" in refused(capsys, "edge", "nothing.toml")
    assert "mode = 'loud' is not valid" in refused(capsys, "edge", battle(), "--set", "mode=loud", status=2)
    assert "--ask and --dice" in refused(capsys, "edge", battle(), "--ask", "--dice", "1", status=2)
    said(capsys, "deploy", battle(NEAR + PLAIN))
    text = Path("battle.json").read_text(encoding="utf-8")
    Path("battle.json").write_text(text.replace('"2Ps"', '"2Zz"'), encoding="utf-8")
    assert "battle.json: npg.toml: no troop type has the code '2Zz'" in refused(capsys, "bound", battle(NEAR + PLAIN))
    Path("battle.json").write_text("{", encoding="utf-8")
    assert "battle.json, line 1: not valid JSON" in refused(capsys, "edge", battle())


def test_every_fact_and_modifier_has_its_words_in_both_languages() -> None:
    for code in ("en", "es"):
        words = find_words(code)
        for name in NAMES:
            assert words.has(f"npg.battle.ask.{name.rpartition('.')[2]}")
        place = re.compile(r"npg\.battle\.(modifier|rule)\.(SD-[\d.]+-\w+)")
        assert all(place.fullmatch(key) for key in catalogue(code) if re.match(r"npg\.battle\.(modifier|rule)\.", key))


def test_on_a_screen_each_side_can_lose_its_elements_and_its_camp() -> None:
    worth = load_solo_rules().whole("losses_camp_worth")
    assert standing(Path(battle()), find_words("en")).most == (12 + worth, 12 + worth)
