"""How each feature came about, in words, from the record alone."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from playing import BOOK, NO_COURSES, RED, play

from printkit.core.words import catalogue, find_words
from printkit.kit.system import Outcome
from printkit.systems.brantley.board.provenance import account
from printkit.systems.brantley.system import TITLES
from printkit.terrain.field.record import Record, read, write

DECK = "KS 7H 9C 2D QC 3S 10H JS 5C"


def record(outcome: Outcome) -> Record:
    return Record(rules="brantley", battlefield=outcome.battlefield, log=outcome.log, details=outcome.details)


def told(outcome: Outcome, language: str = "en") -> dict[str, str]:
    return account(record(outcome), find_words(language))


@pytest.fixture(scope="module")
def hungry() -> Outcome:
    return play("5 3 4 1 1 2 6 3 3 4 2 5", deck=DECK, settings={"policy": "terrain-hungry"}, seed=3)


def test_an_area_and_a_hill_name_their_cards_clauses_and_dice_and_who_put_them_down(hungry):
    found = told(hungry)
    assert found["z5"] == (
        "King of spades, placed by player A in turn 1: built-up area, bad going (BR-313). Terrain placed by player B."
    )
    assert told(hungry, "es")["z5"] == (
        "Rey de picas, colocada por el jugador A en el turno 1: población, terreno muy difícil (BR-313). "
        "Terreno colocado por el jugador B."
    )
    assert found["z9"].startswith("Five of clubs, the ninth card, drawn unseen: light woods")
    assert found["z2"] == (
        "Jack of spades, placed by player B in turn 4: two-level hill, bad going (BR-311). "
        "Slope die 5 + 1: two steep slopes (BR-324). Woods die 3: lightly wooded (BR-330). Terrain placed by player A."
    )


def test_courses_name_count_roll_off_and_ends():
    rivers, roads = ["river A N:8 -> S:8.5"], ["road B W:4 -> E:4"]
    outcome = play("1 6 2 1 3 3 2 5 1 2", zones=RED, rivers=rivers, roads=roads)
    found = told(outcome)
    assert found["R1"] == (
        "River die 1: one river (BR-401). Player A rolled 6 against 2 and placed it (BR-402). "
        "From the far edge at 8.0 inches to the near edge at 8.5 inches (BR-405)."
    )
    assert found["D1"].startswith("Road die 1: one road (BR-501). Player B rolled 5 against 2 and placed it (BR-502).")
    assert found["X1"] == "Road 1 meets river 1 (BR-601): bridge."
    assert "desde el borde lejano a 8,0 pulgadas" in told(outcome, "es")["R1"].lower()
    diced = play("1 6 2 1 3 3 2 5 2 1 2", zones=RED, rivers=rivers, roads=roads, settings={"crossing": "die"})
    assert told(diced)["X1"] == "Road 1 meets river 1 (BR-601): ford. Crossing die 2 (BR-D5)."


def test_two_courses_and_a_tie_that_was_thrown_again_are_told_as_such():
    tied = play("1 3 3 5 2 5 1 2", zones=RED)
    assert "Player A rolled 5 against 2 and placed it (BR-402)" in told(tied)["R1"]
    two = play("3 5 1 2", zones=RED)
    assert "River die 3: two rivers (BR-401). Placed by player B (BR-403)." in told(two)["R2"]


@pytest.mark.clause("BR-G90")
@pytest.mark.parametrize("seed", range(6))
def test_every_feature_has_its_sentence_in_both_languages_with_clauses_of_the_book_also_when_read_again(seed):
    outcome = play(seed=seed)
    english, spanish, both = (told(outcome, language) for language in ("en", "es", "en+es"))
    assert set(english) == set(spanish) == set(both) == {feature.id for feature in outcome.battlefield.features}
    for identity, sentence in english.items():
        assert both[identity] == f"{sentence} · {spanish[identity]}"
        assert set(re.findall(r"BR-\w+", sentence)) <= set(BOOK.clauses)
        assert re.findall(r"BR-\w+", sentence) == re.findall(r"BR-\w+", spanish[identity])
        assert re.search(r"\(BR-", sentence)
    assert account(read(write(record(outcome)), BOOK.going), find_words("en")) == english


def test_a_hill_without_a_woods_die_tells_its_slopes_alone():
    hill = play(f"6 4 {NO_COURSES} 1 2", zones=f"JS {RED[3:]}")
    assert "Woods die 4: open (BR-331)." in told(hill)["z1"]
    bare = replace(record(hill), details={**hill.details, "hills": [{**hill.details["hills"][0], "woods": None}]})
    assert account(bare, find_words("en"))["z1"].endswith(
        "Slope die 6 + 1: steep all round (BR-325). Terrain placed by player A."
    )


def test_a_map_drawn_by_hand_tells_nothing_that_it_does_not_know(hungry):
    bare = record(hungry)
    assert account(replace(bare, details={}), find_words("en")) == {}
    assert (
        account(replace(bare, details={"zones": [{"n": 5}], "rivers": [{"id": "R1"}]}, log=()), find_words("en")) == {}
    )


def test_both_languages_have_the_same_words_and_titles_are_of_them():
    english, spanish = (
        {key for key in catalogue(language) if key.startswith("brantley.")} for language in ("en", "es")
    )
    assert english == spanish
    assert set(TITLES) == {key for key in english if key.startswith("brantley.title.")}
    assert len({play(f"{NO_COURSES} 1 2", zones=RED, seed=seed).battlefield.title for seed in range(25)}) > 3
