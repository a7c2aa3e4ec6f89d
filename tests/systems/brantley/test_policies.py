"""How automatic players lay their cards."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from msgspec.structs import replace
from playing import BOOK, dealt, laid, play, rules, turns

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import FileError
from printkit.systems.brantley.dealing.deal import reveal, shuffle
from printkit.systems.brantley.dealing.policies import POLICIES, place_all_cards

DECK = "KS 7H 9C 2D QC 3S 10H JS 5C"
TWO = "4S 6D QS 3H 7C AH JC 5D 2S"
NONE_GOOD = "AS 2S 3S 4S 5S 6S 7S 8S 9S"


@pytest.mark.parametrize(
    ("cards", "policies", "first", "expected"),
    [
        pytest.param(
            DECK, {"policy": "terrain-hungry"}, "A",
            "A KS@5, B QC@6, A 9C@4, B JS@2, A 2D@8, B 3S@3, A 7H@7, B 10H@1, blind 5C@9",
            marks=pytest.mark.clause("BR-T05", "BR-M25", "BR-M23", "BR-Q25"), id="both hungry",
        ),
        pytest.param(
            DECK, {"policy": "clear-centre"}, "A",
            "A 2D@5, B 10H@2, A 7H@8, B QC@6, A KS@4, B JS@3, A 9C@7, B 3S@1, blind 5C@9",
            marks=pytest.mark.clause("BR-T06", "BR-M26", "BR-M23"), id="both clear",
        ),
        pytest.param(
            DECK, {"a": "terrain-hungry", "b": "clear-centre"}, "A",
            "A KS@5, B 10H@2, A 9C@4, B QC@6, A 2D@8, B JS@3, A 7H@7, B 3S@1, blind 5C@9",
            marks=pytest.mark.clause("BR-T07"), id="hungry against clear",
        ),
        pytest.param(
            DECK, {"policy": "terrain-hungry"}, "B",
            "B QC@5, A KS@4, B JS@6, A 9C@8, B 3S@2, A 2D@7, B 10H@3, A 7H@9, blind 5C@1",
            marks=pytest.mark.clause("BR-T08", "BR-Q02"), id="B first",
        ),
        pytest.param(
            NONE_GOOD, {"policy": "clear-centre"}, "A",
            "A 2S@4, B 7S@6, A AS@7, B 8S@3, A 3S@9, B 5S@1, A 4S@5, B 6S@2, blind 9S@8",
            marks=pytest.mark.clause("BR-T09", "BR-M26"), id="no good card",
        ),
        pytest.param(
            TWO, {"a": "clear-centre", "b": "terrain-hungry"}, "A",
            "A 3H@5, B JC@6, A 6D@8, B 7C@4, A QS@7, B AH@2, A 4S@9, B 5D@3, blind 2S@1",
            marks=pytest.mark.clause("BR-T10"), id="clear against hungry",
        ),
    ],
)  # fmt: skip
def test_the_worked_games(cards, policies, first, expected):
    found = laid(cards, first=first, **policies)
    last = reveal(dealt(cards), found)
    (blind,) = [zone for zone in last.values() if zone.is_blind]
    assert f"{turns(found)}, blind {blind.card}@{blind.zone}" == expected


@pytest.mark.clause("BR-T08", "BR-Q02")
def test_a_whole_game_lets_b_lay_first():
    settings = {"policy": "terrain-hungry", "first": "B"}
    details = play("4 4 4 4 5 6 1 2", deck=DECK, settings=settings).details
    assert [zone["card"] for zone in details["zones"]] == ["5C", "3S", "10H", "KS", "QC", "JS", "2D", "9C", "7H"]
    assert details["first"] == "B"


@pytest.mark.clause("BR-M24")
def test_at_random_any_card_goes_to_any_zone_evenly():
    opening = Counter()
    for seed in range(100):
        first = laid(DECK, seed=seed)[0]
        opening[str(first.card)] += 1
        opening[first.zone] += 1
    assert all(abs(opening[card] - 25) < 18 for card in DECK.split()[:4])
    assert all(0 < opening[zone] < 25 for zone in range(1, 10))


@pytest.mark.clause("BR-M24", "BR-205", "BR-206", "BR-207")
@pytest.mark.parametrize("seed", range(5))
def test_at_random_the_rules_of_laying_are_kept_and_each_choice_logged(seed):
    dice = Dice(Seeded(seed))
    pack = dealt(DECK)
    found = place_all_cards(pack, "A", rules(), dice)
    assert [turn.placed_by for turn in found] == list("ABABABAB")
    assert len({turn.zone for turn in found}) == 8
    assert {turn.card for turn in found} == set(pack.pack[:8])
    assert [throw.answer for throw in dice.log] == [str(part) for turn in found for part in (turn.card, turn.zone)]
    assert [throw.asked for throw in dice.log[::2]] == [f"choice of {count}" for count in (4, 4, 3, 3, 2, 2, 1, 1)]
    assert [throw.asked for throw in dice.log[1::2]] == [f"choice of {count}" for count in range(9, 1, -1)]


@pytest.mark.clause("BR-M27", "BR-T39")
@pytest.mark.parametrize("seed", range(8))
def test_no_policy_changes_which_nine_cards_lie_on_the_board(seed):
    cards = " ".join(map(str, shuffle(Dice(Seeded(seed)))))
    boards = set()
    for a, b in product(POLICIES, repeat=2):
        found = reveal(dealt(cards), laid(cards, seed=seed, a=a, b=b))
        boards.add(frozenset(zone.card for zone in found.values()))
    assert boards == {frozenset(dealt(cards).pack[:9])}


@pytest.mark.clause("BR-M21")
def test_the_policies_are_those_that_the_settings_offer():
    for setting in BOOK.settings:
        if setting.alias == "policy":
            assert set(setting.values) == set(POLICIES)


@pytest.mark.parametrize(
    ("zones", "message"),
    [([5, 10], "zones 2 = 10 is not valid. Write a whole number from 1 to 9"), ([5, 4], "a zone is missing")],
)
def test_zone_lists_that_leave_no_room_are_named(zones, message):
    changed = tuple(
        {**row, "zones": zones} if row["policy"] == "terrain-hungry" else row for row in BOOK.rows["policies"]
    )
    book = replace(BOOK, rows={**BOOK.rows, "policies": changed})
    with pytest.raises(FileError, match=rf"^rules/brantley.toml, line \d+: rows.policies 1: {message}"):
        place_all_cards(dealt(DECK), "A", rules({"policy": "terrain-hungry"}, book=book), Dice(Seeded(1)))
