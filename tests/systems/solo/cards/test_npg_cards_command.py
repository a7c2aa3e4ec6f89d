"""printkit cards npg, bound, summary and booklet: what is said, what is written, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import opened, texts

from printkit.cli.app import run

Captured = pytest.CaptureFixture[str]


pytestmark = pytest.mark.usefixtures("table")


def test_the_bound_deck_is_four_sheets_and_tells_its_seed(capsys: Captured) -> None:
    order = ["cards", "bound", "--lang", "en", "--style", "ink-saver", "--seed", "5"]
    assert run([*order, "--out", "one.pdf"]) == 0
    said = capsys.readouterr().err
    assert "Bound deck: 36 cards poker-63x88 on 4 sheets a4 upright, 3 x 3 cards on each, on both sides" in said
    assert "shuffled by seed 5" in said
    made = Path("one.pdf").read_bytes()
    assert len(opened(made).pages) == 8
    pages = texts(made)
    fronts = "".join(pages[::2])
    assert all(f"B{number:02} " in fronts for number in range(1, 37))
    assert "OVERRIDE" not in "".join(pages[1::2])


def test_a_plan_draws_and_tells_a_seed_and_the_summary_has_a_size_of_its_own(capsys: Captured) -> None:
    assert run(["cards", "bound", "--lang", "en", "--plan", "--style", "ink-saver"]) == 0
    said = capsys.readouterr().out
    assert "36 cards poker-63x88 on 4 sheets" in said
    assert "shuffled by seed " in said
    assert run(["cards", "summary", "--lang", "es", "--plan"]) == 0
    assert "1 carta 150x150 en 1 hoja a4" in capsys.readouterr().out
    assert not Path("output").exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["terrain", "--seed", "3"], "--seed goes with the deck bound; deck terrain has its own order and number"),
        (["bound", "--count", "9", "--seed", "1"], "9 copies of the bound deck are not printed; ask for 1 to 4"),
        (["npg", "--rules", "brantley"], "no deck 'npg'; there are terrain, reference, blank"),
        (["booklet", "--fold"], "--count, --backs, --flip and --fold go with cards"),
    ],
)
def test_what_is_refused(more: list[str], said: str, capsys: Captured) -> None:
    assert run(["cards", *more, "--lang", "en"]) != 0
    assert said in capsys.readouterr().err
