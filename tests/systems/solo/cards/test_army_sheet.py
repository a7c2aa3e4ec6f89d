"""The sheet to dice for an army list by hand: each choice with its options, the general with his modifiers."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_armies import SPEARS
from reading import texts

from printkit.cli.app import run

pytestmark = pytest.mark.usefixtures("table")


def pages(*command: str) -> list[str]:
    order = ["npg", "sheets", *command, "--out", "sheets.pdf", "--lang", "en", "--seed", "11"]
    assert run([*order, "--quiet", "--force"]) == 0
    return texts(Path("sheets.pdf").read_bytes())


@pytest.mark.clause("SD-2.2-b", "SD-2.2.1-a", "SD-2.2.1-m1..SD-2.2.1-m7")
def test_a_list_has_a_line_for_each_choice_and_its_general() -> None:
    told = pages("gallic", "polybian-roman", "--set", "mode=blank")[-1]
    assert "Dicing for the army" in told
    for said in ("chariots 1/2", "chariots 2/2", "nobles 2/2", "LCh", "3/4Wb", "Without a die", "m1 −2", "m7 +2"):
        assert said in told
    assert "mounted, type already there" in told


def test_an_army_that_is_diced_already_stays_on_pages_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    front, *_, army, deployment = pages("gallic", "polybian-roman")
    assert not any("Dicing for the army" in page for page in (front, army, deployment))
    assert "3/4Wb" in army
    assert "3/4Wb" not in front
    assert run(["npg", "sheets", "gallic", "polybian-roman", "--seed", "11", "--lang", "en", "--plan"]) == 0
    told = capsys.readouterr().out
    assert "the NPG's army is diced by seed 11" in told
    assert "the last 2 pages are the NPG's; keep them face down" in told


def test_without_armies_it_is_empty_and_a_list_without_choices_needs_none() -> None:
    assert "Dicing for the army" in pages()[-1]
    Path("mine.toml").write_text(SPEARS, encoding="utf-8")
    assert not any("Dicing for the army" in page for page in pages("mine.toml", "polybian-roman"))
