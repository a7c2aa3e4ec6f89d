"""A whole game at the terminal as docs/guide/play-solo.md shows it, from its file to the last bound, with three corrections."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from imports import ROOT

from printkit.cli.app import run

pytestmark = pytest.mark.usefixtures("table")

PAGE = ROOT / "docs" / "guide" / "play-solo.md"
HEAD, NEXT = "## One game, told", "## When something was wrong"


def told() -> list[list[str]]:
    """Return what the page has typed in its game."""
    section = PAGE.read_text(encoding="utf-8").partition(HEAD)[2].partition(NEXT)[0]
    return [shlex.split(line)[1:] for line in section.splitlines() if line.startswith("printkit npg ")]


@pytest.mark.clause("SD-4.1-c", "SD-5.2-a", "SD-5.3-a", "SD-5.3-m1", "SD-5.3-m4", "SD-5.4-d", "AMB-43")
def test_the_game_of_the_page_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    typed = told()
    assert sum("--undo" in command for command in typed) == 3
    said = []
    for command in typed:
        assert run([*command, "--lang", "en"]) == 0, command
        said.append(capsys.readouterr().out)
    assert "Taken back: base edge, and what came after it." in said[3]
    assert "Taken back: bound 2." in said[8]
    assert "Taken back: the override in bound 2." in said[11]
    end = said[-1].splitlines()[-1]
    assert end.startswith("By the losses the game is over: the NPG has won")
    assert end in PAGE.read_text(encoding="utf-8")
    assert said[-2].splitlines()[-1] == end
    log = json.loads(Path("tuesday.json").read_text(encoding="utf-8"))
    assert [step["dice"] for step in log["stages"]["edge"]["steps"]] == [[1, 6, 2, 4], [2]]
    played = [(each["npg_lost"], each["you_lost"], each["override"]) for each in log["bounds"]]
    assert played == [(0, 0, ""), (0, 1, ""), (1, 2, ""), (1, 3, ""), (2, 4, "")]
    assert log["stages"]["deploy"]["results"]["notes"] == []
