"""Columns at the table, by the command: armies made, a die told, a bound noted, a mistake refused or taken back."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from printkit.cli.app import run as typed
from printkit.systems.collision.march.entry import read_log


def run(line: str, *more: str) -> int:
    return typed(["columns", *line.split(), *more])


def logged(path: Path) -> dict[str, object]:
    found = json.loads(path.with_name("game.columns.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "game.toml"
    assert run(f"new {path} viking gallic") == 0
    capsys.readouterr()
    return path


@pytest.mark.clause("CC-K01", "CC-K06", "CC-K10", "CC-K15")
def test_a_die_is_told_and_a_bound_noted(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(f"bound {game} defender 6") == 0
    assert "CC-K01" in capsys.readouterr().out
    assert not game.with_name("game.columns.json").exists()
    assert run(f"bound {game} defender 6 column-1 2") == 0
    assert run(f"bound {game} defender 6", "column-2 1 on, column-3 4") == 0
    assert "CC-K06" in capsys.readouterr().out
    state = logged(game)["defender"]
    assert isinstance(state, dict)
    assert (state["bound"], state["column-2"], state["column-3"]) == (3, "on", "partly")
    assert state["duties"]["1"] == {"row": "CC-K10", "may": "", "must": "move-3", "least": 1}


@pytest.mark.clause("CC-E21", "CC-E22")
def test_what_breaks_a_rule_is_refused_in_a_line_and_not_noted(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(f"bound {game} defender 6 none") == 0
    before = logged(game)
    for spending, code in (("other 6", "CC-E22"), ("column-2 1 on, other 5", "CC-E21"), ("cats 3", "cats")):
        capsys.readouterr()
        assert run(f"bound {game} defender 6", spending) != 0
        said = capsys.readouterr().err
        assert code in said
        assert said.count("\n") == 1
    for line in ("bound {} defender 7", "bound {} nobody 3", "bound {}.no defender 3", "show {} attacker --undo"):
        assert run(line.format(game)) != 0
        error = capsys.readouterr().err
        assert error.count("\n") == 1
    assert f"{game.with_suffix('.columns.json')}: there is no bound to take back" in error
    assert logged(game) == before


@pytest.mark.clause("CC-K15")
def test_what_comes_on_is_told_bound_by_bound(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for score, spending in ((6, "column-1 2"), (5, "column-2 1 troops-on"), (5, "column-2 1 on"), (5, "column-3 4 on")):
        assert run(f"bound {game} defender {score}", spending) == 0
        told.append([line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("  Column ")])
    assert told == [[], [], ["Column 2 is all on"], ["Column 3 comes on", "Column 3 is all on"]]


def test_a_bound_is_taken_back(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("defender 4 column-1 2", "attacker 2 column-1 2", "defender 3 column-2 2"):
        assert run(f"bound {game} {line}") == 0
    assert run(f"show {game} attacker --undo") == 0
    assert logged(game)["lines"] == ["defender 1 4: column-1 2", "defender 2 3: column-2 2"]
    assert run(f"show {game} --undo") == 0
    assert logged(game)["lines"] == ["defender 1 4: column-1 2"]
    capsys.readouterr()
    assert run(f"show {game} --to json") == 0
    assert json.loads(capsys.readouterr().out)["defender"]["bound"] == 2


def test_one_side_is_shown_alone(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(f"show {game} attacker --lang en") == 0
    said = capsys.readouterr().out
    assert "Attacker (Gallic)" in said
    assert "Defender" not in said


@pytest.mark.clause("CC-K03")
def test_no_room_is_a_word_of_what_was_spent(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(f"new {game} viking gallic --set landing=defender --force") == 0
    for spending, row in (("", "CC-K02"), ("no-room", "CC-K03"), ("sin-sitio", "CC-K03")):
        capsys.readouterr()
        assert run(f"bound {game} defender 4 {spending}") == 0
        assert row in capsys.readouterr().out
    assert not game.with_name("game.columns.json").exists()
    for side, spending in (("defender", "other 1 no-room"), ("attacker", "none, no-room")):
        assert run(f"bound {game} {side} 4 {spending}") == 0
    assert logged(game)["lines"] == ["defender 1 4: other 1, no-room", "attacker 1 4: no-room"]


@pytest.mark.clause("CC-6.2")
@pytest.mark.parametrize(
    ("armies", "setting", "landing", "kept"),
    [
        (("viking", "gallic"), "defender", ["defender"], False),
        (("gallic", "viking"), "invader", ["attacker"], False),
        (("viking", "viking"), "both", ["defender", "attacker"], False),
        (("", "viking"), "invader", ["attacker"], False),
        (("viking",), "both", ["defender"], True),
        (("viking", "viking"), "none", [], True),
    ],
)
def test_a_landing_is_planned_by_the_army_that_makes_it(
    armies: tuple[str, ...], setting: str, landing: list[str], kept: bool, tmp_path: Path
) -> None:
    path = tmp_path / "game.toml"
    assert typed(["columns", "new", str(path), *armies, "--set", f"landing={setting}"]) == 0
    found = tomllib.loads(path.read_text("utf-8"))
    assert [name for name, army in found.get("army", {}).items() if army.get("landing")] == landing
    assert ("landing" in found.get("settings", {})) is kept


def test_a_scenario_is_checked_by_its_record_and_a_misspelt_army_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.toml"
    assert typed(["columns", "new", str(path), "vikings"]) == 1
    assert "there is no 'vikings' among the armies; use one of " in capsys.readouterr().err
    assert not path.exists()
    assert typed(["columns", "new", str(path), "viking"]) == 0
    assert typed(["check", str(path)]) == 1
    told = "is not a record. Print it first, then check the record: printkit map --scenario "
    assert told in capsys.readouterr().err


def test_a_saved_bound_is_undone_as_it_is_said(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(f"bound {game} defender 4 other 1") == 0
    told = re.search(r"Saved in (\S+)\. To undo it: printkit (columns show \S+ --undo)", capsys.readouterr().out)
    assert told is not None
    assert Path(told[1]).is_file()
    assert typed(told[2].split()) == 0
    assert logged(game)["lines"] == []


@pytest.mark.parametrize(
    "text", ['{"lines": [1]}', '{"lines": "defender 1 5"}', '{"lines": ["defender 1 5", 2]}', "[]", "{"]
)
def test_a_log_that_is_none_is_left_as_it_is(game: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = game.with_name("game.columns.json")
    kept.write_text(text, encoding="utf-8")
    assert run(f"show {game}") == 1
    assert "move the file away to start the bounds again" in capsys.readouterr().err
    assert kept.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("column-2 1 on, column-3 4", "columna-2 1 dentro, columna-3 4"),
        ("baggage", "bagaje"),
        ("landing, other 1", "desembarco, otro 1"),
        ("column-3 2 general, no-room", "columna-3 2 general, sin-sitio"),
    ],
)
def test_spanish_words_of_a_log_mean_the_english_ones(english: str, spanish: str) -> None:
    assert read_log([f"atacante 1 5: {spanish}"]) == read_log([f"attacker 1 5: {english}"])


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('type = "4Bd"', 'type = "Zz"', 'line {line}: army.defender: elements 1: type = "Zz" is not valid. Write'),
        ('home = "littoral"', 'home = "moon"', 'line {line}: army.defender: home = "moon" is not valid. Write one of'),
        ("[army.defender]", '[army]\ndefender = "vikin"\n[army.x]', "line 4: there is no 'vikin' among the armies"),
        ("columns = ", "kolumns = ", "line {line}: army.defender: unknown key"),
        ("elements = ", "slot = ", 'line 7: army.defender: slot 1: unknown key "type". Write one of id, fixed,'),
    ],
)
def test_a_wrong_army_is_named_with_its_line(
    game: Path, right: str, wrong: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = game.read_text(encoding="utf-8")
    assert right in text
    text = text.replace(right, wrong, 1)
    game.write_text(text, encoding="utf-8")
    line = text[: text.index(wrong)].count("\n") + 1
    for command in (f"columns show {game}", f"map --scenario {game} --plan"):
        capsys.readouterr()
        assert typed([*command.split(), "--lang", "en"]) == 1
        assert f"printkit: {game}, {said.replace('{line}', str(line))}" in capsys.readouterr().err


def test_a_wrong_army_in_a_file_of_its_own_is_named_with_that_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.toml").write_text('rules = "collision-course"\n[army]\ndefender = "own.toml"\n', encoding="utf-8")
    for code, said in (
        ("4Zz", 'line 4: army.defender: type = "4Zz" is not valid'),
        ("3", "line 5: army.defender: slot 1"),
    ):
        own = f'name = "A"\nhome = "dry"\ngeneral = {{ options = ["Cv"] }}\n[[slot]]\nfixed = "{code}"\ncount = 2\n'
        (tmp_path / "own.toml").write_text(own if code == "3" else own.replace("count = 2\n", ""), encoding="utf-8")
        assert typed(["columns", "show", str(tmp_path / "game.toml"), "--lang", "en"]) == 1
        assert f"own.toml, {said}" in capsys.readouterr().err
