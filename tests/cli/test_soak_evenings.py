"""The soak of evenings draws what the books allow, and tells a crash as the line that does it again."""

from __future__ import annotations

import shlex
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from imports import load_script

from printkit.cli import app as cli
from printkit.core.errors import BUG_EXIT_STATUS
from printkit.kit import registry

soak = load_script("tools/soak_evenings.py")


@pytest.mark.parametrize("rules", registry.NAMES)
def test_every_value_that_is_drawn_is_one_of_the_book(rules: str) -> None:
    known = {setting.key: setting for setting in soak.book(rules)}
    drawn: dict[str, set[str]] = {}
    for seed in range(60):
        for task in soak.TASKS:
            words = soak.line(rules, task, seed)
            assert words == soak.line(rules, task, seed)
            for option, text in pairwise(words):
                if option == "--set" and not text.startswith("names="):
                    key, _, value = text.partition("=")
                    known[key].read(value)
                    drawn.setdefault(key, set()).add(value)
    assert set(drawn) == set(known)
    assert all(len(drawn[key]) > 1 for key, setting in known.items() if len(setting.values) > 1 or setting.open)


def test_what_is_refused_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    statuses = iter((1, 2, 0))
    monkeypatch.setattr(cli, "run", lambda _: next(statuses))
    found = soak.made(("dba3", "evening", 1))
    assert (found.state, len(found.refused)) == ("made", 2)
    assert len({shown for shown, _ in found.refused} | {found.line}) == 3


def test_a_crash_is_told_as_the_line_that_does_it_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: object) -> int:
        print("this is a bug in printkit (KeyError: 'railway-1')", file=sys.stderr)
        return BUG_EXIT_STATUS

    monkeypatch.setattr(cli, "run", fails)
    page = tmp_path / "page.md"
    assert soak.main(["--count", "1", "--rules", "acw", "--processes", "1", "--page", str(page)]) == 1
    line = shlex.join(["printkit", *soak.line("acw", "evening", 1)])
    assert f"crashed: this is a bug in printkit (KeyError: 'railway-1')\n    {line}\n" in capsys.readouterr().err
    said = page.read_text(encoding="utf-8")
    assert "| `acw` | evening | 0 | 1 | 0 |" in said
    assert f"\n    {line}\n" in said


@pytest.mark.usefixtures("_bare")
def test_an_evening_is_made_and_nothing_is_left(table: Path) -> None:
    state, told = soak.ran(["handouts", "--rules", "dba3", "--seed", "1", "--style", "ink-saver", "--lang", "en"])
    assert (state, told) == ("made", "")
    assert list(table.iterdir()) == []
    assert soak.ran(["map", "--board", "7"])[0] == "refused"
