"""Records with one thing altered are judged as they were: how often `check` says what of them.

``tests/verdicts.txt`` has the rows of each rule system: the alterations, as ``seed: numbers``, and for each clause how
often which kind of alteration gave it another state. ``pytest -n 0 --update-golden`` counts the alterations anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from altered_records import Altered, detail_altered, line_altered
from columns_scene import tree
from drawn_settings import settings_of

from printkit.api import Field, generate

FILE: Final = Path(__file__).parents[1] / "verdicts.txt"
ALTERATIONS: Final = "alterations"
PIPS: Final = (
    "defender 1 5: column-2 1 troops-on",
    "defender 2 5: baggage, column-3 4",
    "defender 3 4: column-3 2 general, no-room",
    "attacker 1 6: column-2 1 on, other 2",
)
POSITIONS: Final = (
    "defender 1: 8.2,5 9.8,5 0.5; 8.2,0.3 9.2,0.3 0.5",
    "attacker 2: 7,13 6,13.2 0.5",
    "attacker 3: 4.5,15 3,15 0.5",
)
LIGHT: Final = ["Bd"] * 8 + ["LH"] + ["Bd"] * 3


def marched(rules: str, seed: int) -> tuple[Field, dict[str, str]]:
    """Return a field with two armies, PIPs or positions by some seeds, and its settings, which even seeds draw."""
    inputs: dict[str, Any] = {"army": {"defender": tree(), "attacker": tree(types=LIGHT, role="attacker")}}
    if seed % 3:
        inputs["pips"] = list(PIPS)
    if seed % 3 == 2:
        inputs["positions"] = list(POSITIONS)
    drawn = {} if seed % 2 else settings_of(rules, seed)
    settings = {key: text for key, text in drawn.items() if key != "home"}
    return generate(rules, seed=seed, inputs=inputs, **settings), settings


MADE: Final = {
    "acw": Altered("acw"),
    "brantley": Altered("brantley"),
    "collision-course": Altered("collision-course"),
    "columns": Altered("collision-course", marched, (line_altered, line_altered, detail_altered)),
    "dba3": Altered("dba3"),
    "portable-1": Altered("portable-1"),
    "portable-2": Altered("portable-2"),
    "solo-dba": Altered("solo-dba"),
}
"""By the first word of their rows."""


def rows_of(name: str) -> dict[str, str]:
    rows = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return {clause: told for first, clause, told in rows if first == name}


def numbers_in(row: str) -> dict[int, list[int]]:
    """Read ``1: 0 3; 2: 7``."""
    pairs = (part.split(":") for part in row.split(";"))
    return {int(seed): [int(number) for number in numbers.split()] for seed, numbers in pairs}


@pytest.mark.parametrize("name", MADE)
def test_altered_records_are_judged_as_they_were(name: str, request: pytest.FixtureRequest) -> None:
    kept = rows_of(name)
    alterations = kept[ALTERATIONS]
    found = {ALTERATIONS: alterations, **MADE[name].counts(numbers_in(alterations))}
    if request.config.getoption("--update-golden"):
        every = {each: found if each == name else rows_of(each) for each in MADE}
        lines = [f"{each}\t{clause}\t{told}\n" for each, rows in every.items() for clause, told in rows.items()]
        FILE.write_text("".join(lines), encoding="utf-8")
    assert found == rows_of(name)
