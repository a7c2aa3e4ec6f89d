"""The deal, recorded turns with every check, the ninth card, and what stays hidden."""

from __future__ import annotations

import re

import pytest
from playing import dealt, laid, play, turns

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.core.errors import DiceError, ScenarioError
from printkit.systems.brantley.dealing.cards import PACK
from printkit.systems.brantley.dealing.deal import (
    ZONES,
    deal_hands,
    hide_cards,
    open_ninth,
    read_turns,
    reveal,
    shuffle,
)

EXAMPLE = "4S 6D QS 3H 7C AH JC 5D 2S"
HUNGRY = "KS 7H 9C 2D QC 3S 10H JS 5C"
EIGHT = ["A KS 5", "B QC 6", "A 9C 4", "B JS 2", "A 2D 8", "B 3S 3", "A 7H 7", "B 10H 1"]


@pytest.mark.clause("BR-T03", "BR-T04", "BR-Q01", "BR-203")
def test_hands_leave_the_pack_in_blocks_and_the_ninth_card_comes_next():
    found = dealt(EXAMPLE)
    assert [" ".join(map(str, found.hands[player])) for player in "AB"] == ["4S 6D QS 3H", "7C AH JC 5D"]
    assert str(found.ninth) == "2S"
    assert play(deck=EXAMPLE).details["hands"] == {"A": EXAMPLE.split()[:4], "B": EXAMPLE.split()[4:8]}


@pytest.mark.clause("BR-201", "BR-202", "BR-104")
def test_a_game_shuffles_the_whole_pack_once_and_keeps_what_comes():
    outcome = play(seed=5)
    shuffles = [throw for throw in outcome.log if throw.stage == "deal"]
    assert [throw.asked for throw in shuffles] == ["52 cards"]
    assert sorted(outcome.details["deck"]) == sorted(map(str, PACK))
    empty = play("5 6 1 2", deck="AH 2H 3H 4H 5H 6H 7H 8H 9H")
    assert empty.battlefield.features == ()
    assert len([throw for throw in empty.log if throw.stage == "deal"]) == 1


@pytest.mark.clause("BR-X06")
@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("4S 6D QS 3H 7C AH JC 5D", "you gave 8 cards"),
        ("4S 6D QS 3H 7C AH JC 5D 4S", "4S was given twice"),
        ("4S 6D QS 3H 7C AH JC 5D 1S", "1S is not a card"),
    ],
)
def test_a_pack_that_cannot_be_is_refused_wherever_it_comes_from(cards, message):
    for attempt in (lambda: play(deck=cards), lambda: shuffle(Dice(ScriptedSource(cards.split(), Seeded(1))))):
        with pytest.raises(DiceError, match=message) as caught:
            attempt()
        assert caught.value.clause == "BR-X06"


@pytest.mark.clause("BR-X06")
def test_a_deal_needs_nine_different_cards():
    for cards, message in ((PACK[:8], "8 cards"), ((*PACK[:9], PACK[0]), "AS is in the deck 2 times")):
        with pytest.raises(DiceError, match=message):
            deal_hands(cards)


@pytest.mark.clause("BR-204", "BR-205", "BR-206", "BR-207", "BR-208", "BR-209")
def test_turns_recorded_by_card_or_by_place_in_the_hand_are_revealed_with_the_ninth_card_in_the_last_zone():
    found = reveal(dealt(HUNGRY), read_turns(EIGHT, dealt(HUNGRY), "A"))
    assert [str(found[zone].card) for zone in ZONES] == ["10H", "JS", "3S", "9C", "KS", "QC", "7H", "2D", "5C"]
    assert [found[zone].placed_by for zone in ZONES] == ["B", "B", "B", "A", "A", "B", "A", "A", ""]
    assert [found[zone].turn for zone in ZONES] == [8, 4, 6, 3, 1, 2, 7, 5, None]
    assert [zone for zone in ZONES if found[zone].is_blind] == [9]
    by_place = ["A a1 5", "B b1 6", "A a3 4", "B b4 2", "A a4 8", "B b2 3", "A a2 7", "B b3 1"]
    assert turns(read_turns(by_place, dealt(HUNGRY), "A")) == turns(read_turns(EIGHT, dealt(HUNGRY), "A"))


@pytest.mark.parametrize(
    ("lines", "message", "clause"),
    [
        pytest.param(["A KS 0"], "line 1: there is no zone 0", "BR-X01", marks=pytest.mark.clause("BR-X01")),
        pytest.param(["A KS 5", "B QC 10"], "line 2: there is no zone 10", "BR-X01"),
        pytest.param(
            ["A KS 5", "B QC 5"], "line 2: zone 5 was taken in turn 1", "BR-X02",
            marks=pytest.mark.clause("BR-X02", "BR-T34", "BR-206"),
        ),
        pytest.param(
            ["A KS 5", "A 9C 4"], "line 2: A places a card, but it is B's turn", "BR-X04",
            marks=pytest.mark.clause("BR-X04", "BR-T35", "BR-205"),
        ),
        pytest.param(["B QC 5"], "line 1: B places a card, but it is A's turn", "BR-X04"),
        pytest.param(
            ["A QC 5"], "line 1: A has no QC in hand, or has already placed it", "BR-X03",
            marks=pytest.mark.clause("BR-X03", "BR-T36"),
        ),
        pytest.param(["A b1 5"], "line 1: A has no B1 in hand", "BR-X03"),
        pytest.param(["A KS 5", "B QC 6", "A KS 4"], "line 3: A has no KS in hand, or has already placed it", "BR-X03"),
        pytest.param(["A KS 5", "B QC 6", "A a1 4"], "line 3: A has no A1 in hand, or has already placed it", "BR-X03"),
        pytest.param(["A 5C 5"], "line 1: A has no 5C in hand", "BR-X03"),
        pytest.param(["A KX 5"], "line 1: 'KX' is not a card", ""),
        pytest.param(["A a5 3"], "line 1: a hand has no card a5; its cards are a1 to a4", "BR-X06"),
        pytest.param(["A KS"], "line 1 is 'A KS'; write player, card and zone", ""),
        pytest.param(["C KS 5"], "line 1 is 'C KS 5'", ""),
    ],
)  # fmt: skip
def test_a_turn_that_may_not_be_is_named_by_its_line(lines, message, clause):
    with pytest.raises(ScenarioError, match=re.escape(message)) as caught:
        play(deck=HUNGRY, placements=lines)
    assert caught.value.clause == clause


@pytest.mark.clause("BR-X05", "BR-X20", "BR-T37")
@pytest.mark.parametrize("count", [0, 1, 7])
def test_too_few_turns_reveal_nothing(count):
    pack = dealt(HUNGRY)
    found = read_turns(EIGHT[:count], pack, "A")
    for attempt, message, clause in (
        (reveal, f"{count} cards were placed; the reveal needs exactly 8", "BR-X05"),
        (open_ninth, f"so far there are {count}", "BR-X20"),
    ):
        with pytest.raises(ScenarioError, match=message) as caught:
            attempt(pack, found)
        assert caught.value.clause == clause
        assert "5C" not in str(caught.value)


@pytest.mark.clause("BR-X05")
def test_a_game_of_seven_or_nine_turns_is_refused():
    for lines, found in ((EIGHT[:7], 7), ([*EIGHT, "A KS 9"], 9)):
        with pytest.raises(ScenarioError, match=f"{found} cards were placed") as caught:
            play(deck=HUNGRY, placements=lines)
        assert caught.value.clause == "BR-X05"


@pytest.mark.clause("BR-Q20", "BR-208")
def test_the_last_zone_may_be_left_clear():
    found = reveal(dealt(HUNGRY), laid(HUNGRY, policy="terrain-hungry"), "clear")
    assert found[9].card is None
    assert not found[9].is_blind
    settings = {"policy": "terrain-hungry", "ninth": "clear"}
    zone = play("1 1 1 1 5 6 1 2", deck=HUNGRY, settings=settings).details["zones"][8]
    assert zone == {"n": 9, "card": None, "placed_by": None, "turn": None, "blind": False, "result": "good_going"}


@pytest.mark.clause("BR-T38", "BR-204")
@pytest.mark.parametrize("seed", range(6))
def test_what_is_shown_before_the_reveal_names_no_card_and_no_terrain(seed):
    pack = dealt(" ".join(map(str, shuffle(Dice(Seeded(seed))))))
    text = " ".join(map(str, hide_cards(laid(" ".join(map(str, pack.pack)), seed=seed))))
    words = re.findall(r"[A-Za-z0-9]+", text)
    assert not {str(card) for card in PACK} & set(words)
    assert set(words) == {"HiddenZone", "zone", "placed", "by", "turn", "None", "A", "B", *map(str, range(1, 10))}


def test_a_game_with_recorded_turns_keeps_them_and_shows_nine_hidden_zones():
    outcome = play("1 1 1 1 5 6 1 2", deck=HUNGRY, placements="\n".join(EIGHT))
    assert outcome.details["inputs"]["placements"] == EIGHT
    assert not [throw for throw in outcome.log if throw.stage == "placing"]
    found = hide_cards(read_turns(EIGHT[:2], dealt(HUNGRY), "A"))
    assert [(zone.zone, zone.placed_by, zone.turn) for zone in found if zone.turn] == [(5, "A", 1), (6, "B", 2)]
    assert len(found) == 9
