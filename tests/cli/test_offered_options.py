"""What the help of a command offers, the command takes."""

from __future__ import annotations

from typing import Final

import pytest
from command_lines import Captured

from printkit.cli.app import all_commands, run
from printkit.console import terminal

pytestmark = pytest.mark.usefixtures("table", "_bare", "_no_ink")

LINES: Final = {
    "map": "--seed 7 --plan",
    "handouts": "--seed 7 --plan",
    "hexon": "--seed 7 --plan",
    "box show": "example",
    "box fit": "example --seeds 1",
    "league new": "autumn --games 1",
    "deal": "--seed 7",
    "status": "friday --out hidden.pdf",
    "reveal": "friday --plan",
    "npg deployment-map": "battle.toml --force",
    "npg deploy": "battle.toml",
    "npg sheets": "hyksos-later welsh",
    "npg counters": "welsh",
    "cards": "terrain --plan",
    "calibrate": "",
}
"""A command line of each command that prints on paper of a person's choice."""

TURNS: Final = ("A a2 5", "B b4 8", "A a3 7", "B b3 6", "A a4 9", "B b2 4", "A a1 3", "B b1 2")
BATTLE: Final = (
    "npg new hyksos-later welsh --seed 3 --out battle.toml",
    "npg terrain battle.toml",
    "npg edge battle.toml",
    "npg deploy battle.toml",
)
BEFORE: Final = {
    "status": ("deal --seed 7 --out friday",),
    "reveal": ("deal --seed 7 --out friday",),
    "npg deployment-map": BATTLE,
    "npg deploy": BATTLE[:-1],
}


def help_of(name: str, capsys: Captured) -> str:
    assert run([*name.split(), "--help"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_every_command_with_paper_is_tried_and_a_reveal_offers_no_seed(capsys: Captured) -> None:
    named = {name for name, one in all_commands().items() if one.call and "--sheet NAME" in help_of(name, capsys)}
    assert named == set(LINES)
    # The seed of its dice was sealed when the cards were dealt (BR-M13).
    assert "--seed" not in help_of("reveal", capsys).replace("--show-seed", "")


@pytest.mark.parametrize("name", LINES)
def test_paper_that_the_help_names_is_taken(name: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "fresh_seed", lambda: 1)
    offered = help_of(name, capsys).partition("--sheet NAME")[2].partition("WIDTH")[0]
    for line in BEFORE.get(name, ()):
        assert run(line.split()) == 0, capsys.readouterr().err
    if name in ("status", "reveal"):
        for turn in TURNS:
            assert run(["status", "friday", "--place", turn]) == 0
    papers = [each for each in ("a4", "a3", "36in-roll", "one") if each in offered]
    assert len(papers) in (2, 4)
    for number, paper in enumerate(papers):
        line = LINES[name].replace("autumn", f"autumn{number}").replace("hidden", f"hidden{number}")
        more = ("--out", f"printed{number}") if name == "deal" else ()
        assert run([*name.split(), *line.split(), "--sheet", paper, *more]) == 0, f"{paper}: {capsys.readouterr().err}"
        if name == "npg deploy":
            assert run(["npg", "deploy", "battle.toml", "--undo"]) == 0


@pytest.mark.parametrize("name", ["cards", "calibrate"])
def test_paper_without_a_length_is_refused_in_a_line(name: str, capsys: Captured) -> None:
    for paper in ("one", "36in-roll"):
        assert run([name, *LINES[name].split(), "--sheet", paper]) != 0
        assert f"sheet {paper} is as long as it needs to be, so" in capsys.readouterr().err
