"""A language that is a folder alone, and a third longer than English: every card of every system is printed in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pseudo_language import PSEUDO, spoken_in
from set_evenings import evening_set, no_boards

from printkit.cli.app import run
from printkit.core.words import Words, _shelf, catalogue
from printkit.export import pdf
from printkit.kit.registry import BUILT_IN


@pytest.fixture(name="spoken", scope="module")
def _spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Words]:
    """Return the words of the pseudo-language, which is a folder and nothing else."""
    with spoken_in(tmp_path_factory.mktemp("languages")) as words:
        yield words


def test_the_language_lacks_nothing_keeps_what_a_translator_keeps_and_grows_by_a_third(spoken: Words) -> None:
    grown = PSEUDO.pseudo("Place the pieces by {count} rolls of **2D6**, as --set says")
    assert all(kept in grown for kept in ("{count}", "**2D6**", "--set"))
    long = "the quick brown fox jumps over the lazy dog and goes home again"
    letters = len(long.replace(" ", ""))
    assert len(PSEUDO.pseudo(long).replace(" ", "")) == pytest.approx(letters * (1 + PSEUDO.LONGER), abs=3)
    assert set(catalogue(spoken.code)) == set(catalogue("en"))


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_sheet_of_an_evening_is_set(name: str, spoken: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    made = evening_set(name, spoken, monkeypatch)
    assert min(part.sheets for part in made.parts) >= 1


SHEETS = (
    ("deal", "--open", "--seed", "7"),
    ("hexon", "--rules", "portable-1", "--seed", "7"),
    ("npg", "sheets", "gallic", "polybian-roman", "--seed", "7"),
    ("npg", "counters", "gallic"),
    ("cards", "booklet"),
    ("cards", "kit"),
    ("map", "--blank", "--rules", "acw"),
    ("map", "--blank", "--rules", "collision-course"),
    ("map", "--blank", "--rules", "portable-2", "--scale", "fit"),
)
"""Commands that print sheets which no evening has."""


@pytest.mark.parametrize("command", SHEETS, ids=lambda command: "-".join(command[:2]))
def test_every_sheet_beside_an_evening_is_set(
    command: tuple[str, ...], spoken: Words, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_boards(monkeypatch)
    monkeypatch.setattr(pdf, "data", lambda _: b"%PDF")
    assert run([*command, "--lang", spoken.code, "--quiet", "--out", str(tmp_path)]) in (0, None)


def test_a_text_that_no_sheet_holds_is_found(
    spoken: Words, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(_shelf(spoken.code, "npg.sheet.bound.number"), "npg.sheet.bound.number", "Unbreakable" * 9)
    assert run(["npg", "sheets", "--lang", spoken.code, "--quiet", "--out", str(tmp_path)]) == 1
    assert "Unbreakable" in capsys.readouterr().err
