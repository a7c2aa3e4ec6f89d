"""Counters of a battle: its file names both armies. The help of a command lists only what the command takes."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from printkit.cli.app import run

Captured = pytest.CaptureFixture[str]


def words_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as made:
        return "".join(page.get_textpage().get_text_range() for page in made)


@pytest.mark.usefixtures("table")
def test_counters_of_a_battle_are_those_of_its_armies_and_another_army_beside_it_is_refused(capsys: Captured) -> None:
    assert run(["npg", "new", "gallic", "polybian-roman", "--out", "b.toml", "--seed", "11", "--lang", "en"]) == 0
    assert run(["npg", "counters", "b.toml", "--out", "battle.pdf", "--lang", "en"]) == 0
    assert run(["npg", "counters", "gallic", "polybian-roman", "--out", "named.pdf", "--lang", "en"]) == 0
    assert words_of(Path("battle.pdf")) == words_of(Path("named.pdf")) != ""
    capsys.readouterr()
    assert run(["npg", "counters", "b.toml", "gallic", "--lang", "en"]) == 2
    assert capsys.readouterr().err == ("printkit: b.toml is a battle that already names both armies; remove gallic\n")


@pytest.mark.usefixtures("table")
def test_a_deployment_map_is_printed_without_counters_or_other_parts() -> None:
    assert run(["npg", "new", "gallic", "polybian-roman", "--seed", "11", "--lang", "en"]) == 0
    for stage in ("terrain", "edge", "deploy"):
        assert run(["npg", stage, "battle.toml", "--lang", "en"]) == 0
    line = ["npg", "deployment-map", "battle.toml", "--scale", "1:4", "--lang", "en"]
    for part, files in (("counters", 2), ("zones", 3)):
        assert run([*line, "--hide", part, "--out", part]) == 0
        assert len(list(Path(part).iterdir())) == files
    assert run([*line, "--hide", "labels"]) == 2


def test_the_help_of_a_deployment_map_lists_no_scale_that_it_refuses(capsys: Captured) -> None:
    assert run(["npg", "deployment-map", "--help", "--lang", "en"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "--scale SCALE" in shown
    assert "fit" not in shown.split("--scale SCALE")[1].split("--style")[0]
