"""A person at the terminal: what is asked, what an answer brought, what is taken back, and what is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from printkit.chance.asking import InteractiveSource, UnansweredError, UndoneAnswers
from printkit.chance.dice import Dice, Seeded, Throw
from printkit.chance.tables import Citation, DieRow, DieTable, Span
from printkit.core.errors import Sentence

PACK = ("KS", "7H", "10D", "AC", "2C")
ENDS: DieTable[str] = DieTable(
    name="ends",
    sides=6,
    rows=(DieRow(Span(1, 3), "heavy_woods"), DieRow(Span(4, 6), "open")),
    source=Citation("a book", "1"),
)


class Table:
    """A person who types lines; what he is told and what is complained of is kept."""

    def __init__(self, *lines: str) -> None:
        self.lines = iter(lines)
        self.told: list[str] = []
        self.complaints: list[str] = []
        self.asked: list[str] = []

    def dice(self, begun: Iterable[Throw] | None = None) -> Dice:
        return Dice(InteractiveSource(self.prompt, self.complaints.append, Seeded(1), self.told.append, begun), "hills")

    def prompt(self, question: object) -> str:
        self.asked.append(question.reason)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    def play(self, game: Callable[[Dice], object]) -> tuple[Dice, object]:
        """Play until nothing is taken back any more."""
        begun: tuple[Throw, ...] = ()
        while True:
            dice = self.dice(begun)
            try:
                return dice, game(dice)
            except UndoneAnswers as back:
                begun = back.kept


def three(dice: Dice) -> tuple[int, str, int]:
    return dice.d6("first"), dice.choose(("ford", "bridge"), "second", asks=True), dice.d6("third")


@pytest.mark.parametrize(
    ("line", "said"),
    [("7", "7 is not valid: d6 for a die can be 1 to 6"), ("3 4", "3 4 is not valid: d6 for a die can be 1 to 6")],
)
def test_a_score_that_cannot_be_is_told_what_can(line: str, said: str) -> None:
    person = Table(line, "5")
    assert person.dice().d6("a die") == 5
    assert person.complaints == [said]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("KS KS 7H", "KS was given twice, but the deck has it only once"),
        ("KS", "you gave 1 cards for a draw, which needs at least 2 different cards"),
        ("KS XX", "XX is not a card of this deck"),
        ("KS 7H 10D AC", "KS 7H 10D AC is not valid: you gave 4 cards for a draw, which needs 3"),
    ],
)
def test_cards_that_cannot_be_are_told_why(line: str, said: str) -> None:
    person = Table(line, "ac 2c ks")
    assert person.dice().draw(PACK, 3, "a draw", minimum=2) == ("AC", "2C", "KS")
    assert person.complaints == [said]


def test_options_tell_what_there_is_and_what_they_bring() -> None:
    person = Table("castle", "2")
    assert person.dice().choose(("ford", "bridge"), "a way", asks=True) == "bridge"
    assert person.complaints == ["castle is not valid; a way is one of ford, bridge"]
    assert Table("3").dice().choose((2, 3, 4), "a number", asks=True) == 3
    assert Table("").dice().choose(("only",), "a way", asks=True) == "only"
    person = Table("2", "", "5")
    dice = person.dice()
    assert ENDS.roll(dice, "one") == "heavy_woods"
    thrown = dice.d6("two")
    assert ENDS.roll(dice, "three", describe=lambda outcome: Sentence("the row {row}", row=outcome)) == "open"
    assert person.told == ["2 gives heavy woods", f"rolled for you: {thrown}", "5 gives the row open"]
    person = Table("ford")
    person.dice().choose(("ford", "bridge"), "a way", asks=True, brings=lambda way: f"the {way}")
    assert person.told == ["ford gives the ford"]


def test_the_last_answers_are_taken_back_and_what_was_thrown_comes_again() -> None:
    person = Table("1", "ford", "Back", "BACK", "2", "bridge", "6")
    dice, found = person.play(three)
    assert found == (2, "bridge", 6)
    assert [throw.answer for throw in dice.log] == ["2", "bridge", "6"]
    assert person.asked == ["first", "second", "third", "second", "first", "second", "third"]
    assert person.complaints == []
    plain, back = Table("", "ford", ""), Table("", "ford", "back", "ford", "")
    assert plain.play(three)[1] == back.play(three)[1]
    person = Table("back", "4")
    assert person.dice(()).d6("a die") == 4
    assert person.complaints == ["there is no answer to undo"]
    fixed = Table("4", "back", "5")
    dice = fixed.dice()
    assert (dice.d6("a die"), dice.d6("a die")) == (4, 5)
    assert fixed.complaints == ["there is no answer to undo"]


def test_a_log_is_gone_on_with_unless_it_is_of_another_game() -> None:
    begun = [
        Throw(stage="hills", reason="first", asked="d6", answer="3", seeded=False),
        Throw(stage="hills", reason="a decision of chance", asked="choice of 9", answer="x"),
        Throw(stage="hills", reason="second", asked="choice of 2", answer="bridge", seeded=False),
    ]
    person = Table("6")
    assert three(person.dice(begun)) == (3, "bridge", 6)
    assert person.asked == ["third"]
    person = Table("1", "ford", "6")
    begun = [Throw(stage="hills", reason="another die", asked="d6", answer="3")]
    assert three(person.dice(begun)) == (1, "ford", 6)
    assert person.complaints == [
        "the log has 3 for another die but no roll for first. Enter the remaining rolls yourself."
    ]


def test_answers_are_kept_when_nobody_answers_any_more() -> None:
    person = Table("1", "")
    with pytest.raises(UnansweredError) as end:
        three(person.dice(()))
    assert [(throw.reason, throw.seeded) for throw in end.value.answers] == [("first", False), ("second", True)]
    assert three(Table("6").dice(end.value.answers))[::2] == (1, 6)


def test_answers_are_kept_when_a_person_interrupts_or_never_answers_right() -> None:
    person = Table("1", *["castle"] * 19, "ford", "6")
    assert three(person.dice(())) == (1, "ford", 6)
    person = Table("1", *["castle"] * 20, "ford", "6")
    with pytest.raises(UnansweredError) as end:
        three(person.dice(()))
    assert [throw.answer for throw in end.value.answers] == ["1"]
    person = Table("1")

    def prompt(question: object) -> str:
        if question.reason == "second":
            raise KeyboardInterrupt
        return person.prompt(question)

    with pytest.raises(UnansweredError) as end:
        three(Dice(InteractiveSource(prompt, person.complaints.append, Seeded(1), earlier_answers=()), "hills"))
    assert [throw.answer for throw in end.value.answers] == ["1"]


def test_a_choice_that_comes_up_again_is_said_to_have_failed() -> None:
    person = Table("ford", "bridge", "ford")
    dice = person.dice()
    ways = [dice.choose(("ford", "bridge"), reason, asks=True) for reason in ("way", "way", "other way")]
    assert ways == ["ford", "bridge", "ford"]
    assert person.told == ["the last choice does not fit on this battlefield; choose again"]
    person = Table("3", "4")
    dice = person.dice()
    assert (dice.d6("a tie"), dice.d6("a tie")) == (3, 4)
    assert person.told == []
