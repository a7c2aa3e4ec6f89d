"""Scores come from a seed, a list, a log or a person; the log replays the game and is text too; tables of dice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printkit.chance.asking import InteractiveSource
from printkit.chance.dice import (
    Act,
    Dice,
    Question,
    ScriptedSource,
    Seeded,
    Throw,
    is_log,
    read_log,
    read_scores,
    write_log,
)
from printkit.chance.tables import Citation, DieRow, DieTable, Modifier, Span
from printkit.core.errors import BookError, DiceError

PACK = ("AS", "10H", "KC", "2D", "7S")


def game(dice: Dice) -> tuple[object, ...]:
    """Return the answers of a small game of two stages with all three acts."""
    first, second = dice.at("first"), dice.at("second")
    return (
        first.d6("a die", "X-1"),
        first.draw(PACK, 5, "a shuffle"),
        second.choose(("left", "right"), "a way"),
        second.d6("a die"),
        first.roll(8, "an eight-sided die"),
    )


def test_a_seed_gives_one_game_and_each_throw_is_logged_with_stage_reason_answer_and_clause():
    games = [game(Dice(Seeded(seed))) for seed in range(30)]
    assert games == [game(Dice(Seeded(seed))) for seed in range(30)]
    assert len(set(games)) > 25
    dice = Dice(Seeded(4))
    answers = game(dice)
    assert [throw.stage for throw in dice.log] == ["first", "first", "second", "second", "first"]
    assert [throw.act for throw in dice.log] == [Act.DIE, Act.CARD, Act.CHOICE, Act.DIE, Act.DIE]
    assert [throw.asked for throw in dice.log] == ["d6", "5 cards", "choice of 2", "d6", "d8"]
    assert dice.log[0].clause == "X-1"
    assert dice.log[1].answer == " ".join(answers[1])
    assert dice.log[2].answer == answers[2]
    dice = Dice(ScriptedSource(["3"], Seeded(1)))
    dice.d6("a die", lambda score: f"X-{score}")
    assert dice.log[0].clause == "X-3"


@pytest.mark.clause("BR-D8")
def test_a_stage_has_streams_of_its_own_and_is_reseeded_alone():
    plain, busy = Dice(Seeded(9)), Dice(Seeded(9))
    for _ in range(3):
        busy.at("one").choose("abc", "a decision more")
        busy.at("one").draw(PACK, 2, "cards more")
        busy.at("two").d6("dice of another stage")
    rows = [[dice.at("one").d6("a die") for _ in range(20)] for dice in (plain, busy)]
    assert rows[0] == rows[1]
    plain, other = Dice(Seeded(9)), Dice(Seeded(9, {"one": 77}))
    assert [plain.at("two").d6("x") for _ in range(20)] == [other.at("two").d6("x") for _ in range(20)]
    assert [plain.at("one").d6("x") for _ in range(20)] != [other.at("one").d6("x") for _ in range(20)]


@given(seed=st.integers(0, 10**6), count=st.integers(0, 5))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_draw_never_takes_a_card_twice(seed, count):
    drawn = Dice(Seeded(seed)).draw(PACK, count, "cards")
    assert len(set(drawn)) == count
    assert set(drawn) <= set(PACK)


def test_every_score_comes_about_as_often_and_nothing_to_choose_from_is_an_error():
    dice = Dice(Seeded(3))
    scores = [dice.d6("a die") for _ in range(6000)]
    assert all(abs(scores.count(score) - 1000) < 130 for score in range(1, 7))
    with pytest.raises(DiceError, match="there are no choices left for a way"):
        Dice(Seeded(1)).choose((), "a way")


class TestScripted:
    def test_only_dice_use_up_the_list_and_what_is_not_given_comes_from_the_seed(self):
        source = ScriptedSource(["5", "AS", "2"], Seeded(1))
        dice = Dice(source)
        assert dice.d6("one") == 5
        dice.choose("abc", "a decision")
        assert source.unused_count == 1
        assert dice.d6("two") == 2
        assert source.unused_count == 0
        given, seeded = Dice(ScriptedSource(["3"], Seeded(5))), Dice(Seeded(5))
        assert given.draw(PACK, 5, "a shuffle") == seeded.draw(PACK, 5, "a shuffle")
        assert given.choose("abcdef", "a decision") == seeded.choose("abcdef", "a decision")

    @pytest.mark.clause("BR-X08")
    def test_a_missing_die_is_named_or_taken_from_a_seed_to_go_on_from(self):
        dice = Dice(ScriptedSource(["4"], Seeded(1)))
        dice.d6("the first")
        with pytest.raises(DiceError, match="die 2 is missing: the second needs d6") as caught:
            dice.d6("the second")
        assert caught.value.clause == "BR-X08"
        seeded = Dice(Seeded(2))
        later = [seeded.d6("x") for _ in range(3)]
        source = ScriptedSource(["4"], Seeded(1), next_source=Seeded(2))
        dice = Dice(source)
        assert dice.d6("x") == 4
        assert [dice.d6("x") for _ in range(3)] == later
        assert source.unused_count == 0

    @pytest.mark.clause("BR-X07")
    @pytest.mark.parametrize("score", ["0", "7", "-3", "+9"])
    def test_a_score_that_no_die_has_names_its_place_and_value(self, score):
        dice = Dice(ScriptedSource(["1", score], Seeded(1)))
        dice.d6("x")
        with pytest.raises(DiceError, match=rf"die 2 is {score.replace('+', '.')}, but y needs a d6: 1 to 6") as caught:
            dice.d6("y")
        assert caught.value.clause == "BR-X07"

    def test_given_cards_lie_on_top_and_are_used_up_bit_by_bit(self):
        dice = Dice(ScriptedSource(["KC", "7S"], Seeded(1)))
        assert dice.draw(PACK, 5, "a shuffle", minimum=2) == ("KC", "7S", "AS", "10H", "2D")
        dice = Dice(ScriptedSource(["KC", "7S", "AS"], Seeded(1)))
        assert dice.draw(PACK, 1, "first") == ("KC",)
        assert dice.draw(PACK, 2, "second") == ("7S", "AS")

    @pytest.mark.clause("BR-X06")
    @pytest.mark.parametrize(
        ("cards", "message"),
        [
            ("KC XY 7S", "XY is not a card"),
            ("KC KC 7S", "KC was given twice, but the deck has it only once"),
            ("KC", "1 cards .* at least 2"),
        ],
    )
    def test_cards_that_cannot_be_are_named(self, cards, message):
        with pytest.raises(DiceError, match=message) as caught:
            Dice(ScriptedSource(cards.split(), Seeded(1))).draw(PACK, 5, "a shuffle", minimum=2)
        assert caught.value.clause == "BR-X06"


class TestAsked:
    def asked(self, lines: Sequence[str]) -> tuple[Dice, list[str]]:
        typed, complaints = iter(lines), []
        return Dice(InteractiveSource(lambda _question: next(typed), complaints.append, Seeded(1))), complaints

    def test_it_asks_for_what_is_seen_until_the_answer_can_be(self):
        dice, complaints = self.asked(["7", "x", "3 4", "5"])
        assert dice.d6("a die") == 5
        assert len(complaints) == 3
        assert "a die" in complaints[0]
        dice, _ = self.asked(["kc, th"])
        assert dice.draw(PACK, 5, "a shuffle", minimum=2)[:2] == ("KC", "10H")
        dice, _ = self.asked([""])
        assert dice.d6("a die") == Dice(Seeded(1)).d6("a die")
        dice, _ = self.asked([])
        assert dice.choose("abc", "a way") in "abc"
        seen: list[Question] = []

        def prompt(question: Question) -> str:
            seen.append(question)
            return "2"

        Dice(InteractiveSource(prompt, print, Seeded(1)), "rivers").d6("number of rivers")
        assert (seen[0].stage, seen[0].reason, seen[0].request) == ("rivers", "number of rivers", "d6")


WORDS = st.text(st.sampled_from("abz 019,.:ñ-"), min_size=1).map(str.strip).filter(bool)


@given(
    st.lists(
        st.builds(
            Throw, stage=WORDS, reason=WORDS, asked=WORDS, answer=WORDS, clause=st.just("") | st.just("BR-401,BR-402")
        )
    )
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_log_reads_back_as_it_was_written(log):
    assert read_log(write_log(log)) == tuple(log)


def test_a_log_is_told_from_scores_and_its_short_lines_are_named():
    throw = Throw(stage="rivers", reason="number of rivers", asked="d6", answer="2", clause="BR-401")
    assert is_log(write_log([throw]))
    assert not is_log("5 3, 2 KS")
    with pytest.raises(DiceError, match="line 2 of the log has 2 parts"):
        read_log("# head\nrivers | number of rivers\n")
    assert read_scores("5 3, 2;ks\n10h td # a remark 6\n-1") == ["5", "3", "2", "KS", "10H", "10D", "-1"]
    assert read_scores("  ") == []


SOURCE = Citation("a work", "1")


def table(*spans: str, modifiers: tuple[Modifier, ...] = ()) -> DieTable[str]:
    rows = tuple(DieRow(Span.parse(span), span, f"X-{place}") for place, span in enumerate(spans, 1))
    return DieTable(name="example", sides=6, rows=rows, source=SOURCE, modifiers=modifiers)


@given(low=st.integers(1, 20), more=st.integers(0, 20))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_spans_hold_what_they_say_and_read_back(low, more):
    for span in (Span(low, low + more), Span(None, low), Span(low, None)):
        assert Span.parse(str(span)) == span
        assert low in span
    assert low + more + 1 not in Span(low, low + more)
    assert low + 1 not in Span(None, low)
    assert low - 1 not in Span(low, None)


def test_spans_that_are_none_gaps_and_overlaps_are_refused():
    for text in ("", "a", "1-", "-2", "1-2-3", "1..2..3"):
        with pytest.raises(BookError, match="is not a range of scores"):
            Span.parse(text)
    for spans, score in ((("1-2", "4-6"), 3), (("1-3", "3-6"), 3), (("1-5",), 6), (("2-6",), 1)):
        with pytest.raises(BookError, match=f"'example' has . rows for a score of {score}"):
            table(*spans)


def test_rolls_look_up_modified_scores_of_a_table_that_covers_them():
    found = table("1-4", "5", "6", "7", modifiers=(Modifier(1, "large"),))
    dice = Dice(ScriptedSource(["6", "6", "4"], Seeded(1)))
    assert [found.roll(dice, "x"), found.roll(dice, "x", ["large"]), found.roll(dice, "x", ["large"])] == [
        "6",
        "7",
        "5",
    ]
    assert [throw.clause for throw in dice.log] == ["X-3", "X-4", "X-2"]
    assert [throw.answer for throw in dice.log] == ["6", "6", "4"]
    with pytest.raises(BookError, match="score of 7"):
        table("1-6", modifiers=(Modifier(1, "large"),))
    with pytest.raises(BookError, match="score of 0"):
        table("1-6", modifiers=(Modifier(-1, "small"),))
    wide = table("..4", "5", "6..", modifiers=(Modifier(2, "large"), Modifier(-1, "small")))
    assert list(wide.scores()) == list(range(9))
    with pytest.raises(BookError, match="no row for 9"):
        table("1-6").look_up(9)
