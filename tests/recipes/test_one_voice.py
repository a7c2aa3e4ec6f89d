"""No sheet of an evening contradicts another: what the soak of them hears, on two evenings, and when one is spoilt."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

from printkit.core.words import Words, find_words
from printkit.kit import registry
from printkit.terrain.field.record import Record

sys.path.append(str(Path(__file__).parents[2] / "tools" / "voice"))

import soak_voice as soak

EVENINGS = (
    ("collision-course", "en", ("--board", "15BW")),
    ("brantley", "es", ("--board", "12in")),
)


@cache
def sheets(place: int) -> tuple[Record, dict[str, list[str]], Words]:
    """Return an evening's record, what its sheets say, and its words."""
    rules, language, more = EVENINGS[place]
    files, told = soak.evening_of(["handouts", "--rules", rules, "--seed", "7", "--lang", language, *more])
    assert files, told
    _, record = registry.read_record(next(text for name, text in files.items() if name.endswith("record.json")))
    return record, soak.texts_of(files), find_words(language)


@pytest.mark.parametrize("place", range(len(EVENINGS)))
def test_the_sheets_of_an_evening_agree_and_each_says_who_is_who(place: int) -> None:
    assert list(soak.contradictions(*sheets(place))) == []
    subjects = {each.subject for each in soak.statements(*sheets(place))}
    assert {soak.kind_of(each) for each in subjects} >= set(soak.HEARD[EVENINGS[place][0]])
    assert {"edge of A", "edge of B", "line of A", "colour of B"} <= subjects
    assert any(subject.startswith("going of ") for subject in subjects)


@pytest.mark.clause("CC-C01", "CC-C05")
def test_squares_pips_and_depths_are_heard() -> None:
    heard = {each.subject for each in soak.statements(*sheets(0))}
    assert {"square to keep clear", "number entry_pips", "number baggage_pips", "number column_box_bw_deep"} <= heard
    assert "depth of A" in {each.subject for each in soak.statements(*sheets(1))}


@pytest.mark.parametrize(
    ("place", "file", "said", "spoilt", "subject"),
    [
        (0, "player-a", "red, solid", "blue, solid", "colour of B"),
        (0, "markers", "4 × 4 bw", "4 × 2 bw", "square to keep clear"),
        (0, "reference", "2 pips", "3 pips", "number baggage_pips"),
        (0, "reference", "attacker: blue", "attacks: blue", "does not say who is who"),
        (0, "map", "player b, defender: red", "player, defender: red", "does not say who is who"),
        (1, "report", "líneas de trazos", "líneas continuas", "line of A"),
        (1, "player-b", "borde cercano del mapa", "borde lejano del mapa", "edge of B"),
    ],
)
def test_one_word_that_is_spoilt_on_one_sheet_is_heard(
    place: int, file: str, said: str, spoilt: str, subject: str
) -> None:
    record, texts, words = sheets(place)
    name = next(name for name in texts if file in name)
    assert any(said in page for page in texts[name])
    other = {**texts, name: [page.replace(said, spoilt) for page in texts[name]]}
    assert any(subject in fault for fault in soak.contradictions(record, other, words))


@pytest.mark.parametrize("by", [0.2, -0.2])
def test_a_depth_that_is_another_by_a_fifth_of_an_inch_is_heard(by: float) -> None:
    record, texts, words = sheets(1)
    name = next(name for name in texts if "player-a" in name)
    told = f"{record.battlefield.board.depth / 25.4 / 4:.1f}"
    right, wrong = (f"{depth:.1f} pulg".replace(".", ",") for depth in (float(told), float(told) + by))
    other = {**texts, name: [page.replace(right, wrong) for page in texts[name]]}
    assert any("depth of A" in fault for fault in soak.contradictions(record, other, words))
