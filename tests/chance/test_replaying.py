"""A game from its log: what stands, what comes anew, and the answers that a person lays over throws."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printkit.chance.dice import Dice, Seeded, Throw, read_log, write_log
from printkit.chance.replaying import DoesNotFitError, ReplaySource
from printkit.core.errors import DiceError

PACK = ("AS", "10H", "KC", "2D", "7S")
WAYS = ("left", "right", "back")


def game(dice: Dice, *, ways: Sequence[str] = WAYS, more: int = 0) -> tuple[object, ...]:
    """Return the answers of a small game of two stages with all three acts, with dice more among the others."""
    first, second = dice.at("first"), dice.at("second")
    return (
        *(first.d6(f"die {number} more") for number in range(more)),
        first.d6("a die", "X-1"),
        first.draw(PACK, 5, "a shuffle"),
        second.choose(ways, "a way"),
        second.d6("a die"),
        first.d6("a die"),
        first.roll(8, "an eight-sided die"),
    )


def thrown(seed: int = 8) -> list[Throw]:
    dice = Dice(Seeded(seed))
    game(dice)
    return dice.log


def again(log: Sequence[Throw], own: dict[int, str] | None = None) -> tuple[list[Throw], ReplaySource]:
    source = ReplaySource(log, Seeded(11), repair_source=Seeded(12, name="anew"), overrides=own)
    dice = Dice(source)
    game(dice)
    return dice.log, source


def answers(log: Sequence[Throw], stage: str) -> list[tuple[str, str]]:
    return [(throw.reason, throw.answer) for throw in log if throw.stage == stage]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_a_log_written_read_and_replayed_is_equal(seed: int) -> None:
    log = thrown(seed)
    source = ReplaySource(read_log(write_log(log)), Seeded(seed))
    dice = Dice(source)
    game(dice)
    assert (dice.log, source.unused_stages()) == (log, ())
    assert source.compare_with_seed(Seeded(seed)) == {}


@given(seed=st.integers(0, 10**6), number=st.integers(1, 6))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_the_same_answer_laid_over_a_throw_changes_none(seed: int, number: int) -> None:
    log = thrown(seed)
    found, source = again(log, {number: log[number - 1].answer})
    assert found == log
    assert (source.over, source.changed_stages) == ({}, frozenset())


def test_a_stage_thrown_anew_leaves_the_others_and_a_seed_is_compared_up_to_its_first_throw() -> None:
    log, dice = thrown(), Dice(ReplaySource(thrown(), Seeded(11), frozenset({"second"})))
    game(dice)
    assert answers(dice.log, "first") == answers(log, "first")
    assert answers(dice.log, "second") == answers(thrown(11), "second")
    log, other = thrown(8), thrown(9)
    source = ReplaySource(log, Seeded(1))
    game(Dice(source))
    first = {
        throw.stage: (number, due.answer)
        for number, (throw, due) in reversed(list(enumerate(zip(log, other, strict=True), 1)))
        if throw.answer != due.answer
    }
    assert source.compare_with_seed(Seeded(9)) == dict(first.values())


class TestAlone:
    """A log of which nothing is thrown anew has to fit throw by throw."""

    def played(self, log: Sequence[Throw]) -> None:
        game(Dice(ReplaySource(log, Seeded(1))))

    def test_throws_and_answers_that_do_not_fit_are_told(self) -> None:
        with pytest.raises(DoesNotFitError, match="has d6 for another die instead of d6 for a die") as caught:
            self.played([Throw(stage="first", reason="another die", asked="d6", answer="3")])
        assert (caught.value.stage, caught.value.number) == ("first", 1)
        log = thrown()
        with pytest.raises(DoesNotFitError, match="has d8 for an eight-sided die instead of d6"):
            self.played([*log[:4], log[5], log[4]])
        with pytest.raises(DoesNotFitError, match="no roll for an eight-sided die") as caught:
            self.played(thrown()[:-1])
        assert caught.value.number == 6
        for asked, answer in (("d6", "9"), ("d8", "3")):
            with pytest.raises(DoesNotFitError, match=f"'{answer}' is not a valid result of d6"):
                self.played([Throw(stage="first", reason="a die", asked=asked, answer=answer)])
        extra = Throw(stage="third", reason="x", asked="d6", answer="1")
        assert ReplaySource([extra], Seeded(1)).unused_stages() == ("third",)


class TestMended:
    """What the log cannot answer comes anew, and nothing else."""

    def test_throws_that_are_too_many_or_too_few_leave_those_about_them(self) -> None:
        log = thrown()
        source = ReplaySource(log, Seeded(1), repair_source=Seeded(12, name="anew"))
        dice = Dice(source)
        game(dice, more=2)
        assert dice.log[2:] == log
        assert source.changed_stages == {"first"}
        extra = Throw(stage="first", reason="die 1 more", asked="d6", answer="2")
        found, source = again([extra, *thrown()])
        assert found == thrown()
        assert source.changed_stages == {"first"}

    @pytest.mark.parametrize(("ways", "kept"), [((*WAYS, "up"), True), (("up", "down"), False)])
    def test_a_choice_stands_as_long_as_its_option_is_there(self, ways: Sequence[str], kept: bool) -> None:
        log = thrown()
        source = ReplaySource(log, Seeded(1), repair_source=Seeded(12, name="anew"))
        dice = Dice(source)
        game(dice, ways=ways)
        assert (dice.log[2].answer == log[2].answer) is kept
        assert [throw.answer for throw in dice.log[3:]] == [throw.answer for throw in log[3:]]
        assert source.changed_stages == (frozenset() if kept else {"second"})

    def test_the_last_attempt_is_named_and_what_comes_anew_has_lost_its_turn_of_the_seed(self) -> None:
        def attempts(count: int) -> tuple[list[Throw], ReplaySource]:
            tries = [Throw(stage="first", reason="a way", asked="choice of 3", answer=way) for way in ("back", "left")]
            source = ReplaySource(tries, Seeded(1), repair_source=Seeded(12, name="anew"))
            dice = Dice(source, "first")
            for _ in range(count):
                dice.choose(WAYS, "a way")
            return dice.log, source

        assert attempts(2)[1].superseded_choices() == frozenset()
        assert attempts(1)[1].superseded_choices() == {1}
        log = attempts(2)[0]
        source = ReplaySource(log, Seeded(1), repair_source=Seeded(12), skipped_numbers={1})
        assert Dice(source, "first").choose(WAYS, "a way") == "left"
        assert source.changed_stages == frozenset()
        source = ReplaySource(thrown(), Seeded(8), repair_source=Seeded(12, name="anew"))
        game(Dice(source), more=1)
        seeded = Seeded(8)
        assert source.compare_with_seed(seeded) == {}
        assert set(seeded.thrown) == {4, 5}


class TestLaidOver:
    """A person's answer stands, with what came before it; behind it its stage is thrown anew."""

    def over(self, log: Sequence[Throw], number: int) -> str:
        return "1" if log[number - 1].answer != "1" else "2"

    def test_what_comes_before_stands_with_several_answers_and_the_rest_is_new(self) -> None:
        new = set()
        for seed in range(8):
            log = thrown(seed)
            found, source = again(log, {1: self.over(log, 1)})
            assert found[0].answer == self.over(log, 1)
            assert answers(found, "second") == answers(log, "second")
            new.add(found[4:] == log[4:])
            assert source.over == {1: log[0].answer}
            assert source.changed_stages == frozenset()
        assert new == {False}
        log = thrown()
        found, source = again(log, {1: self.over(log, 1), 5: self.over(log, 5)})
        assert [found[0].answer, found[4].answer] == [self.over(log, 1), self.over(log, 5)]
        assert (set(source.over), source.unused_overrides) == ({1, 5}, ())

    def test_options_and_cards_are_taken_as_a_person_writes_them_told_and_remembered(self) -> None:
        for text, answer in (("left", "left"), ("BACK", "back"), ("2", "right")):
            assert again(thrown(), {3: text})[0][2].answer == answer
        assert again(thrown(), {2: "kc th 7s 2d as"})[0][1].answer == "KC 10H 7S 2D AS"
        extra = Throw(stage="first", reason="die 1 more", asked="d6", answer="2")
        assert again([extra, *thrown()], {1: "3"})[1].unused_overrides == (1,)
        log = [Throw(stage="first", reason="a die", asked="d6", answer="3", seeded=False, was="5"), *thrown()[1:]]
        assert again(log)[1].over == {1: "5"}

    @pytest.mark.parametrize(
        ("number", "text", "said"),
        [
            (1, "7", "roll 1 cannot be '7': d6 for a die can be 1 to 6"),
            (6, "x", "roll 6 cannot be 'x': d8 for an eight-sided die can be 1 to 8"),
            (3, "4", "roll 3 cannot be '4'; a way is one of left, right, back"),
            (2, "KC", "you gave 1 cards"),
        ],
    )
    def test_what_cannot_be_is_refused(self, number: int, text: str, said: str) -> None:
        with pytest.raises(DiceError, match=said):
            again(thrown(), {number: text})
