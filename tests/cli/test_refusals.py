"""Sizes that nothing can be made of are refused at once, and an error names the file that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from printkit.cli.app import run

pytestmark = pytest.mark.usefixtures("table")

Captured = pytest.CaptureFixture[str]
MAP = ["map", "--seed", "5", "--lang", "en"]


def refused(capsys: Captured, arguments: list[str], status: int) -> str:
    """Run a command that is refused in one line, and return the line."""
    capsys.readouterr()
    assert run(arguments) == status
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert not Path("output").exists()
    return said.err


@pytest.mark.parametrize("size", ["1mm", "3.9in", "241in", "99999in"])
def test_a_board_has_to_have_room_and_a_hall(size: str, capsys: Captured) -> None:
    assert f"a board of {size} cannot be played on; its sides are from 4in to 240in" in refused(
        capsys, [*MAP, "--board", size], 2
    )


@pytest.mark.parametrize(
    ("scale", "size"), [("1:16", "38.1 x 38.1 mm"), ("1:100000", "0.006096 x"), ("1:0.1", "6096 x 6096 mm")]
)
@pytest.mark.parametrize("plan", [[], ["--plan"]], ids=["drawn", "planned"])
def test_a_scale_has_to_leave_a_map(scale: str, size: str, plan: list[str], capsys: Captured) -> None:
    said = refused(capsys, [*MAP, "--scale", scale, *plan], 1)
    assert f"the board would be {size}" in said
    assert "40 mm at least and 5080 mm at most" in said


def test_printkit_alone_shows_its_help(capsys: Captured) -> None:
    assert run([]) == 0
    alone = capsys.readouterr()
    assert run(["--help"]) == 0
    assert alone == capsys.readouterr()
    assert alone.out.startswith("Usage: printkit ")


@pytest.mark.parametrize("command", [["map", "--from"], ["check"]], ids=["map", "check"])
def test_an_error_in_a_record_names_the_file(command: list[str], capsys: Captured) -> None:
    Path("field.json").write_text('{"type": "FeatureCollection"}', encoding="utf-8")
    assert refused(capsys, [*command, "field.json"], 1).startswith(
        "printkit: field.json: the record lacks rules, features, board; write board.width_mm, "
    )


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[settings]\nbr-q12 = 'swamp'", "br-q12 cannot be 'swamp'"),
        ("rivers = ['river A nowhere']\ndice = '1 1 1 1 1 1'", "cannot read 'river A nowhere'"),
        ("placements = ['A KS 12']", "12"),
    ],
    ids=["setting", "river", "placement"],
)
def test_an_error_in_a_scenario_names_the_file(text: str, wrong: str, capsys: Captured) -> None:
    Path("field.toml").write_text(text, encoding="utf-8")
    said = refused(capsys, [*MAP, "--scenario", "field.toml"], 1)
    assert said.startswith("printkit: field.toml: ")
    assert wrong in said


def test_a_fault_of_ours_is_told_as_ours_and_shown_on_demand(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_given: object) -> None:
        raise KeyError("deploys_first")

    monkeypatch.setattr("printkit.kit.registry.names", fails)
    told = refused(capsys, ["rules"], 70)
    assert told.startswith("printkit: this is a fault of printkit (KeyError: 'deploys_first'); please report it")
    assert run(["rules", "--debug"]) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err
