"""printkit cards npg, bound, summary and booklet, and the sheet to dice for an army list by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from plain_armies import SPEARS
from reading import opened, texts

from printkit.cli.app import run

Captured = pytest.CaptureFixture[str]


pytestmark = pytest.mark.usefixtures("table")


def test_the_bound_deck_is_four_sheets_and_tells_its_seed(capsys: Captured) -> None:
    order = ["cards", "bound", "--lang", "en", "--style", "ink-saver", "--seed", "5"]
    assert run([*order, "--out", "one.pdf"]) == 0
    said = capsys.readouterr().err
    assert said.startswith(
        "Bound deck: 4 sheets of A4, 32 cuts, 10 minutes.\n  one.pdf   36 cards (poker-63x88), 3 x 3 per "
    )
    assert "Shuffled by seed 5." in said
    made = Path("one.pdf").read_bytes()
    assert len(opened(made).pages) == 8
    pages = texts(made)
    fronts = "".join(pages[::2])
    assert all(f"B{number:02} " in fronts for number in range(1, 37))
    assert "OVERRIDE" not in "".join(pages[1::2])


def test_a_plan_draws_and_tells_a_seed_and_the_summary_has_a_size_of_its_own(capsys: Captured) -> None:
    assert run(["cards", "bound", "--lang", "en", "--plan", "--style", "ink-saver"]) == 0
    said = capsys.readouterr().out
    assert "36 cards (poker-63x88), " in said
    assert re.search("Shuffled by seed (\\d+)\\.\\n.*printkit cards bound .* --seed \\1\\n", said)
    assert run(["cards", "summary", "--lang", "es", "--plan"]) == 0
    assert "   1 carta (150x150), " in capsys.readouterr().out
    assert not Path("output").exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ["terrain", "--seed", "3"],
            "--seed works only with the deck bound; deck terrain has a fixed order and number of cards",
        ),
        (["bound", "--count", "9", "--seed", "1"], "printkit prints 1 to 4 copies of the bound deck, not 9"),
        (["npg", "--rules", "brantley"], "unknown deck 'npg'; use one of terrain, reference, blank"),
        (["booklet", "--fold"], "--count, --backs, --flip and --fold are for cards"),
    ],
)
def test_what_is_refused(more: list[str], said: str, capsys: Captured) -> None:
    assert run(["cards", *more, "--lang", "en"]) != 0
    assert said in capsys.readouterr().err


def pages(*command: str) -> list[str]:
    order = ["npg", "sheets", *command, "--out", "sheets.pdf", "--lang", "en", "--seed", "11"]
    assert run([*order, "--quiet", "--force"]) == 0
    return texts(Path("sheets.pdf").read_bytes())


@pytest.mark.clause("SD-2.2-b", "SD-2.2.1-a", "SD-2.2.1-m1..SD-2.2.1-m7")
def test_a_list_has_a_line_for_each_choice_and_its_general() -> None:
    told = pages("gallic", "polybian-roman", "--set", "mode=blank")[-1]
    assert "Rolling for the army" in told
    for said in ("chariots 1/2", "chariots 2/2", "nobles 2/2", "LCh", "3/4Wb", "No dice", "m1 −2", "m7 +2"):
        assert said in told
    assert "mounted, type already in army" in told


def test_an_army_that_is_diced_already_stays_on_pages_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    front, *_, army, deployment = pages("gallic", "polybian-roman")
    assert not any("Rolling for the army" in page for page in (front, army, deployment))
    assert "3/4Wb" in army
    assert "3/4Wb" not in front
    assert run(["npg", "sheets", "gallic", "polybian-roman", "--seed", "11", "--lang", "en", "--plan"]) == 0
    told = capsys.readouterr().out
    assert "NPG army rolled with seed 11" in told
    assert "The last 2 pages are for the NPG. Keep them face down." in told


def test_without_armies_it_is_empty_and_a_list_without_choices_needs_none() -> None:
    assert "Rolling for the army" in pages()[-1]
    Path("mine.toml").write_text(SPEARS, encoding="utf-8")
    assert not any("Rolling for the army" in page for page in pages("mine.toml", "polybian-roman"))
