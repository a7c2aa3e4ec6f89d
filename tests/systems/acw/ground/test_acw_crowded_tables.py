"""Whole tables so crowded that a clause was once lost on them, laid out and judged as a person would do it."""

from __future__ import annotations

import pytest
from tables_by_hand import INCH, system

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.system import Scenario
from printkit.terrain.field.record import Record, read, write


@pytest.mark.parametrize(
    ("seed", "width", "depth", "given"),
    [
        pytest.param(
            1403,
            120,
            108,
            {"geography": "mountains", "choice-policy": "uniform"},
            marks=pytest.mark.clause("AC-N25"),
            id="the hill above a spring moves away",
        ),
        pytest.param(
            1808,
            72,
            84,
            {"geography": "farm", "choice-policy": "uniform", "ac-q16": "wooded-zone"},
            marks=pytest.mark.clause("AC-F15"),
            id="three works follow one field",
        ),
        pytest.param(
            1901,
            72,
            120,
            {"geography": "swampy", "choice-policy": "tidy", "ac-q17": "merge", "ac-q20": "lanes"},
            marks=pytest.mark.clause("AC-G05"),
            id="a road squeezes past a pool",
        ),
    ],
)
def test_a_crowded_table_keeps_every_clause(seed: int, width: float, depth: float, given: dict[str, str]) -> None:
    settings = system().book.settle(given)
    board = system().board(width * INCH, depth * INCH, settings=settings)
    made = system().lay_out(Scenario(board=board, settings=settings, seed=seed), Dice(Seeded(seed)), Jitter(seed))
    record = Record(
        rules="acw",
        battlefield=made.battlefield,
        settings=settings,
        seed=seed,
        log=made.log,
        details=made.details,
    )
    verdicts = system().judge(read(write(record), system().book.going))
    assert [verdict for verdict in verdicts if verdict.state == "broken"] == []
