"""Dice, cards and decisions that the user enters at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from printkit.chance.dice import Act, Question, Source, Throw
from printkit.chance.replaying import logged_places, typed
from printkit.core.errors import DiceError, Sentence, UsageError

# The user types this word to undo the last answer.
BACK: Final = "back"

# After this many wrong answers in a row the questions stop. Otherwise wrong input from a file would never end.
_MOST_WRONG: Final = 20

NOTHING_TO_TAKE_BACK: Final = Sentence("there is no answer to undo")


class TakenBack(Exception):  # noqa: N818
    """The user undid an answer: the game must run again with the answers before it, ``kept``.

    ``before`` is true if the answer was given before the first roll. The caller then asks its earlier questions again.
    """

    def __init__(self, kept: Sequence[Throw], *, before: bool = False) -> None:
        super().__init__()
        self.kept = tuple(kept)
        self.before = before


class UnansweredError(UsageError):
    """The input ended; ``kept`` contains the answers so far."""

    kept: tuple[Throw, ...] = ()


class Asked:
    """A source that asks the user for each die and card, and for their decisions.

    Args:
        prompt: shows a question and returns the typed line; raises EOFError at the end of the input.
        complain: reports why an answer was rejected.
        decisions: answers an empty line, and makes the decisions that the user is not asked for.
        tell: shows the result of an answer.
        begun: earlier answers, which are not asked for again; None if answers cannot be undone.
        earlier: whether the user answered something before the first roll, which they can undo too.
    """

    def __init__(
        self,
        prompt: Callable[[Question], str],
        complain: Callable[[str], None],
        decisions: Source,
        tell: Callable[[str], None] = lambda _text: None,
        begun: Sequence[Throw] | None = None,
        *,
        earlier: bool = False,
    ) -> None:
        self._prompt = prompt
        self._complain = complain
        self._decisions = decisions
        self._tell = tell
        self._goes_back = begun is not None
        self._begun = list(begun or ())
        self._kept: list[Throw] = []
        self._chosen: set[tuple[str, str]] = set()
        self._earlier = earlier

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the positions of the picked labels; ask until the answer is valid. On an empty line printkit rolls.

        Raises:
            TakenBack: the user undoes the last answer.
            UnansweredError: the input ended, or there were too many wrong answers.
        """
        if question.act is Act.CHOICE and not (question.asks and len(question.labels) > 1):
            return self._decisions.pick(question)
        places, seeded = self._before(question) or self._answer(question)
        self._chosen.add((question.stage, question.reason))
        answer = question.answer(places)
        self._kept.append(
            Throw(stage=question.stage, reason=question.reason, asked=question.asked, answer=answer, seeded=seeded)
        )
        return places

    def _before(self, question: Question) -> tuple[tuple[int, ...], bool] | None:
        """Return an earlier answer and whether the seed gave it; None if the user must be asked.

        Skip logged decisions that the user is not asked for: chance makes them again.
        """
        while self._begun:
            throw = self._begun.pop(0)
            if (throw.stage, throw.reason) == (question.stage, question.reason):
                places = self._decisions.pick(question) if throw.seeded else None
                if places is None or question.answer(places) != throw.answer:
                    places = logged_places(throw, question)
                if places is not None:
                    return places, throw.seeded
            if throw.act is not Act.CHOICE:
                self._begun.clear()
                self._complain(
                    Sentence(
                        "the log has {answer} for {throw_reason} but no roll for {reason}. Enter the "
                        "remaining rolls yourself.",
                        answer=throw.answer,
                        throw_reason=throw.reason,
                        reason=question.reason,
                    )
                )
        return None

    def _answer(self, question: Question) -> tuple[tuple[int, ...], bool]:
        """Return the answer of the user, and whether they left it to chance."""
        if question.act is Act.CHOICE and (question.stage, question.reason) in self._chosen:
            self._tell(Sentence("the last choice does not fit on this battlefield; choose again"))
        for _ in range(_MOST_WRONG):
            try:
                line = " ".join(self._prompt(question).split())
            except (EOFError, KeyboardInterrupt):
                raise self._unanswered() from None
            if line.casefold() == BACK:
                self._take_back()
                continue
            try:
                places = typed(line, question, Sentence("{typed} is not valid", typed=line)) if line else None
            except DiceError as error:
                self._complain(error.fault)
                continue
            found = self._decisions.pick(question) if places is None else places
            self._say(question, found, own=places is not None)
            return found, places is None
        raise self._unanswered()

    def _unanswered(self) -> UnansweredError:
        error = UnansweredError("no more input: --ask needs a terminal to type in; or use --dice")
        error.kept = tuple(self._kept)
        return error

    def _take_back(self) -> None:
        if self._goes_back and self._kept:
            raise TakenBack(self._kept[:-1])
        if self._earlier:
            raise TakenBack((), before=True)
        self._complain(NOTHING_TO_TAKE_BACK)

    def _say(self, question: Question, places: tuple[int, ...], *, own: bool) -> None:
        """Show the effect of the answer if the rules give it, otherwise the score that printkit rolled."""
        answer = question.answer(places[: question.least or None])
        outcome = question.describe_result(places[0]) if question.describe_result else ""
        if outcome:
            self._tell(Sentence("{score} gives {outcome}", score=answer, outcome=outcome))
        elif not own and not question.default_label:
            self._tell(Sentence("rolled for you: {outcome}", outcome=answer))
