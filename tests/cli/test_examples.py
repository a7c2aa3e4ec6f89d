"""Examples in the help of every command: each runs as it is printed, in a folder with the files that it names."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path
from typing import Final

import pytest

from printkit.cli.app import all_commands, run
from printkit.console import terminal
from printkit.core.resources import template, template_text

EXAMPLES: Final = template("help", "examples")
CODE: Final = "6f1c2b3a9d40e5718c2b60f3a97d14e2"
"""The commitment in the examples, which in a game is read off a player's sheet."""

TURNS: Final = ("B b4 8", "A a3 7", "B b3 6", "A a4 9", "B b2 4", "A a1 3", "B b1 2")
FIRST: Final = ("map", "npg new", "columns new")
"""Commands whose examples make the files that examples of other commands name."""

_DEFENDED: Final = """schema = "dba-battle/1"
npg = "hyksos-later"
you = "polybian-roman"
seed = 5
attacker = "you"
[board]
npg_edge = "near"
[[pairs]]
npg = "Ps"
you = "Bd"
"""

BEFORE: Final = {
    "hexon --seed 7 --stock my-tiles.toml": ("hexon --stock-template my-tiles.toml",),
    "reveal friday": (*(f'status friday --place "{turn}"' for turn in TURNS), "status friday --number A=4711"),
    "npg terrain battle.toml --seed 7": ("npg terrain battle.toml --undo",),
    "npg edge battle.toml": ("npg terrain battle.toml",),
    "npg edge battle.toml --seed 7": ("npg edge battle.toml --undo",),
    "npg deploy battle.toml": ("npg edge battle.toml",),
    "npg deploy battle.toml --set mode=ranges": ("npg deploy battle.toml --undo",),
    "npg swap defended.toml": ("npg terrain defended.toml", "npg deploy defended.toml"),
    "columns show evening.toml --undo": ("columns bound evening.toml defender 4 column-1 2",),
    "check drawn.json --rules dba3 --verbose": ("map --rules dba3 --seed 7 --to json --out drawn.json",),
}
"""What a person has done before an example, where no example before it has."""


def _files() -> None:
    for path, army in (("my-army.toml", "welsh"), ("yours.toml", "viking")):
        Path(path).write_text(template_text("armies", army), encoding="utf-8")
    Path("defended.toml").write_text(_DEFENDED, encoding="utf-8")
    Path("my-style.toml").write_text(template_text("styles", "ink-saver"), encoding="utf-8")


def _typed(line: str, code: str) -> list[str]:
    return shlex.split(line.replace(CODE, code))


def test_every_command_has_examples_and_no_other() -> None:
    assert set(EXAMPLES) == {name for name, command in all_commands().items() if command.call}


@pytest.mark.usefixtures("table", "_bare", "_no_ink")
def test_every_example_runs_as_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terminal, "printers", lambda: Path("printers"))
    monkeypatch.setattr(terminal, "fresh_seed", lambda: 1)
    # The studio would listen until somebody ends it.
    monkeypatch.setattr("printkit.studio.serving.serve", lambda *_, **__: None)
    _files()
    code, failed = "", []
    for name in (*FIRST, *(name for name in EXAMPLES if name not in FIRST)):
        for example in EXAMPLES[name]:
            line = f"{name} {example}".strip()
            for typed in (*BEFORE.get(line, ()), line):
                # Whoever is asked takes what is offered.
                monkeypatch.setattr(sys, "stdin", io.StringIO("\n" * 99))
                status = run(_typed(typed, code))
                said = "".join(capsys.readouterr())
                if status != 0:
                    failed.append(f"printkit {typed}: {said.strip().splitlines()[-1]}")
                if typed == "deal --seed 7 --out friday":
                    code = "".join(re.findall(r"\b[0-9a-f]{4}\b", said.partition("commitment")[2])[:8])
    assert failed == []
