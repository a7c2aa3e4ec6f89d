"""What a player may do in a bound: every row of the orders names it, on sheets and at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from printkit.cli.app import run
from printkit.core.words import find
from printkit.kit.registry import find as system_of
from printkit.kit.rules import Rules
from printkit.systems.collision.march.duties import duty_rows
from printkit.systems.collision.sheets import pages

AS_USUAL = {"en": "as usual", "es": "lo normal"}
SILENT = {"CC-K03", "CC-K04", "CC-K06", "CC-K07", "CC-K09", "CC-K10"}
"""The rows whose rule gives a duty or nothing, so that a player may move as in any bound."""

RULES = Rules.of(system_of("collision-course").book)


@pytest.mark.parametrize("language", AS_USUAL)
def test_a_row_of_the_table_that_allows_nothing_special_says_as_usual(language: str) -> None:
    words, rows = find(language), duty_rows(RULES)
    shown = {row.duty.row: pages._line(row, rows, RULES, words)[1] for row in rows}
    assert {row for row, may in shown.items() if may == AS_USUAL[language]} == SILENT | {"CC-K11"}
    assert "–" not in shown.values()


@pytest.mark.parametrize("language", AS_USUAL)
def test_the_terminal_says_as_usual_for_a_landing_that_is_lost(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = str(tmp_path / "game.toml")
    assert run(["columns", "new", game, "gallic", "viking", "--set", "landing=invader"]) == 0
    assert run(["columns", "bound", game, "attacker", "3", "--lang", language]) == 0
    said = capsys.readouterr().out
    assert "CC-K03" in said
    assert f"{find(language)('columns.sheet.may')}: {AS_USUAL[language]}" in said
