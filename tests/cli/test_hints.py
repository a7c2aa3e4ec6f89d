"""Commands that messages and help print: each runs as it is printed, in the folder where it was printed."""

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
from printkit.core.errors import quote_path
from printkit.core.resources import template, template_text

HINT: Final = re.compile(r"(?<![\w./-])printkit ((?:\"[^\"\n]*\"|'[^'\n]*'|[^;()\n\"'])+)")
"""A command line goes on to the end of its sentence; marks within quotes are part of it."""

TURNS: Final = ("A a4 9", "B b4 8", "A a3 7", "B b3 6", "A a2 5", "B b2 4", "A a1 3", "B b1 2")
_PLACED: Final = " ".join(f'--place "{turn}"' for turn in TURNS)
_FIT: Final = "--scale fit --style ink-saver"

ATTACKS: Final = 1
"""A seed with which the non-player general attacks, so that its edge is rolled for."""

LINES: Final = (
    # Maps, also in a folder whose name needs quotes.
    f"map --seed 7 {_FIT}",
    f'map --seed 7 {_FIT} --out "game night"',
    f'map --seed 7 {_FIT} --out "game night/one.pdf"',
    f"map --seed 8 {_FIT} --to pdf --to tts",
    f"map --rules acw --seed 7 {_FIT}",
    f"map --rules portable-2 --seed 7 {_FIT}",
    f"map --seed 11 --count 2 {_FIT} --out several",
    f"map --from mutila {_FIT}",
    f"map --seed 7 {_FIT} --plan",
    "map --seed 7 --hills tall",
    "map --printer nobody",
    # Sealed games in two folders, and one that hides nothing.
    "deal --seed 7",
    'deal --seed 8 --out "friday game"',
    "deal --seed 9 --open --out open",
    "status {sealed}",
    f"status {{sealed}} {_PLACED}",
    f"status {{apart}} {_PLACED}",
    f"reveal {{sealed}} {_FIT}",
    f"reveal {{sealed}} {_FIT}",
    f'reveal {{apart}} {_FIT} --out "friday game/field.pdf" --to pdf --to tts',
    "verify {sealed} {code}",
    # Hexon, boxes and leagues.
    'schema stock --example --out "my tiles.toml"',
    "hexon --seed 7 --stock tiles",
    'box new --rules dba3 --out "dba box.toml"',
    'box show "dba box.toml"',
    'box fit "dba box.toml" --rules dba3 --seeds 1..2',
    'league new "autumn cup" --games 1 --seed 8 --dressing none',
    'league new "autumn cup"',
    'league show "autumn cup"',
    "league show spring",
    # Battles against the non-player general.
    "npg armies",
    "npg armies polybian",
    "npg new hyksos-later polybian-roman --seed {attacks} --out battle.toml",
    'npg new hyksos-later polybian-roman --seed {attacks} --out "a battle.toml"',
    'npg sheets "a battle.toml" --set mode=rolled',
    "npg sheets --set mode=ranges",
    "npg bound battle.toml --override",
    'npg edge "a battle.toml"',
    'npg deployment-map "a battle.toml"',
    "npg deploy battle.toml",
    "npg show battle.toml",
    "npg aid welsh",
    # Columns, cards, printers and records.
    "columns new evening.toml --seed 7",
    "columns bound evening.toml defender 4",
    "cards",
    "cards --rules acw",
    "cards zones",
    "calibrate",
    "check output/records/field-of-mutila-seed7.json --replay",
    "rules brantley",
    "completion bash",
)

VALUES: Final = {
    "npg armies NAME": "an army is chosen",
    "npg sheets NPG YOU, or a battle file": "two armies are chosen",
    "npg aid needs a battle file or two armies": "two armies are chosen",
}
"""What stands behind ``printkit`` and needs a value of a person before it runs, with the reason."""

PROSE: Final = {
    "npg armies lists the samples": "npg armies",
}
"""Sentences that go on behind a command, each with its command."""


def hints(text: str) -> list[str]:
    """Return every command that a text prints, without ``printkit``."""
    return [match[1].strip().rstrip(".") for match in HINT.finditer(text)]


@pytest.mark.usefixtures("table", "_bare")
def test_every_command_that_a_message_prints_runs_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    names = {"attacks": str(ATTACKS)}
    run_before: dict[str, str] = {}
    for line in LINES:
        typed = line.format(**names)
        status = run([*shlex.split(typed), "--lang", "en"])
        said = "".join(capsys.readouterr())
        assert status in (0, 1, 2), f"printkit {typed}: {said}"
        printed = hints(said)
        if line.startswith("deal") and "--open" not in line:
            _, folder = printed[-1].split(" ", 1)
            code = "".join(re.findall(r"\b[0-9a-f]{4}\b", said.partition("This commitment")[2])[:8])
            names |= {"apart": folder} if "--out" in line else {"sealed": folder, "code": code}
        for hint in printed:
            if hint not in run_before and hint not in VALUES:
                run_before[hint] = typed
                again = run(shlex.split(PROSE.get(hint, hint).replace("B=NUMBER", "B=416235")))
                shown = "".join(capsys.readouterr())
                assert again == 0, f"printkit {typed}\n  prints: printkit {hint}\n  {shown}"
    run_of = {line.split()[0] for line in run_before.values()}
    assert run_of >= {"map", "deal", "reveal", "hexon", "box", "league", "npg"}
    assert len(set(LINES)) >= 40


@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("output/one.json", "output/one.json"),
        ("game night/one.json", '"game night/one.json"'),
        ("50 $/one.json", "'50 $/one.json'"),
        (r"C:\games\one.json", r"C:\games\one.json"),
        ("", '""'),
    ],
)
def test_a_path_is_typed_as_one_word_of_a_shell(path: str, typed: str) -> None:
    assert quote_path(path) == typed


EXAMPLES: Final = template("help", "examples")
CODE: Final = "6f1c2b3a9d40e5718c2b60f3a97d14e2"
"""The commitment in the examples, which in a game is read off a player's sheet."""

LINE_CODE: Final = "8=91be5c20aa07"
"""The code of the line of the eighth card in the examples, which player B was sent."""

FRIDAY_TURNS: Final = ("B b4 8", "A a3 7", "B b3 6", "A a4 9", "B b2 4", "A a1 3", "B b1 2")
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
    "hexon --seed 7 --stock my-tiles.toml": ("schema stock --example --out my-tiles.toml",),
    "reveal friday": (*(f'status friday --place "{turn}"' for turn in FRIDAY_TURNS), "status friday --number B=416235"),
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
    if LINE_CODE in line:
        eighth = next(Path("friday").glob("*/game.txt")).read_text(encoding="utf-8").splitlines()[8]
        line = line.replace(LINE_CODE, f"8={eighth.split()[-1]}")
    return shlex.split(line.replace(CODE, code))


def test_every_command_has_examples_and_no_other() -> None:
    assert set(EXAMPLES) == {name for name, command in all_commands().items() if command.call}


@pytest.mark.usefixtures("table", "_bare", "_no_ink")
def test_every_example_runs_as_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terminal, "printers", lambda: Path("printers"))
    monkeypatch.setattr(terminal, "fresh_seed", lambda: 1)
    # The studio would listen until somebody ends it.
    monkeypatch.setattr("printkit.studio.server.serve", lambda *_, **__: None)
    monkeypatch.setattr(terminal, "has_user", lambda: True)
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
                    code = "".join(re.findall(r"\b[0-9a-f]{4}\b", said.partition("This commitment")[2])[:8])
    assert failed == []
