"""What each card puts on the board, and how much it restricts it."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace
from playing import BOOK, EVERYTHING, NO_COURSES, RED, dice_of, play

from printkit.core.errors import DiceError, FileError
from printkit.systems.brantley.dealing.cards import PACK, RevealTable, read_card

TABLE = RevealTable.from_book(BOOK)


def results(codes: str) -> list[str]:
    """Return the results of cards, with going where a card states one."""
    found = []
    for code in codes.split():
        result = TABLE.look_up(read_card(code))
        found.append("-" if result is None else f"{result.name} {result.going.name if result.going else '?'}")
    return found


@pytest.mark.clause("BR-T01", "BR-301..BR-313", "BR-101")
def test_the_thirteen_black_cards_give_what_the_table_says():
    assert results("AS 2C 3S 4C 5S 6C 7S 8C 9S 10C JS QC KS") == [
        "bua bad", "heavy_woods impassable", "broken_ground bad", "light_woods bad", "light_woods bad",
        "light_woods bad", "marsh bad", "marsh bad", "hill_1 ?", "hill_1 ?", "hill_2 ?", "lake impassable", "bua bad",
    ]  # fmt: skip
    assert [TABLE.by_rank[rank].clause for rank in TABLE.by_rank] == [f"BR-{number}" for number in range(301, 314)]
    assert [TABLE.by_rank[rank].levels for rank in ("9", "10", "J", "Q")] == [1, 1, 2, 0]


@pytest.mark.clause("BR-T02", "BR-344")
def test_red_cards_put_down_nothing_and_throw_no_dice():
    assert results("AH KD QD JH 7H") == ["-"] * 5
    outcome = play(f"{NO_COURSES} 2 5", zones=RED)
    assert outcome.battlefield.features == ()
    assert dice_of(outcome, "hills") == []


@pytest.mark.clause("BR-102", "BR-201")
def test_the_pack_has_52_cards_and_no_jokers():
    assert len(set(PACK)) == 52
    assert Counter(card.rank for card in PACK) == Counter(dict.fromkeys(TABLE.by_rank, 4))
    assert sum(card.is_black for card in PACK) == 26


@pytest.mark.clause("BR-M22")
def test_cards_are_ranked_from_lake_to_good_going_then_by_rank_and_suit():
    codes = "2H AH AD 6C 4S 4C 3S 8S 7S 9C JC KS AC 2S QS"
    ranked = TABLE.sort_by_restriction(map(read_card, codes.split()))
    assert " ".join(map(str, ranked)) == "QS 2S AC KS JC 9C 7S 8S 3S 4S 4C 6C AH AD 2H"


@pytest.mark.parametrize(
    ("text", "code"), [("10D", "10D"), ("10s", "10S"), ("TS", "10S"), (" qc ", "QC"), ("ah", "AH")]
)
def test_codes_are_read_as_people_write_them(text, code):
    assert str(read_card(text)) == code


@pytest.mark.clause("BR-X06")
@pytest.mark.parametrize("text", ["1S", "11H", "AX", "", "AS KS", "joker"])
def test_what_is_no_card_is_named(text):
    with pytest.raises(DiceError, match="is not a card") as caught:
        read_card(text)
    assert caught.value.clause == "BR-X06"


@pytest.mark.clause("BR-101", "BR-103", "BR-209")
def test_another_climate_is_another_table_and_no_other_code():
    rows = [{**row, "result": "marsh", "going": "bad"} for row in BOOK.rows["reveal"]]
    wet = RevealTable.from_book(replace(BOOK, rows={**BOOK.rows, "reveal": tuple(rows)}))
    assert {wet.by_rank[rank].name for rank in wet.by_rank} == {"marsh"}
    stages = [throw.stage for throw in play("4 4 4 4 1 2 1 1 2 1 3 4", zones=EVERYTHING).log]
    assert stages == sorted(stages, key=("features", "hills", "rivers", "roads", "crossings", "order").index)


@pytest.mark.parametrize(
    ("row", "change", "message"),
    [
        (0, {"rank": "1"}, "1: the rank '1'"),
        (1, {"rank": "A"}, "2: the rank 'A'"),
        (2, {"result": "desert"}, '3: result = "desert" is not valid. Write one of "lake"'),
        (2, {"going": "awful"}, '3: going = "awful" is not valid. Write one of "good"'),
    ],
)
def test_a_wrong_row_of_the_table_is_named(row, change, message):
    rows = [dict(found) for found in BOOK.rows["reveal"]]
    rows[row] |= change
    with pytest.raises(FileError, match=rf"^rules/brantley.toml, line \d+: rows.reveal {message}"):
        RevealTable.from_book(replace(BOOK, rows={**BOOK.rows, "reveal": tuple(rows)}))
