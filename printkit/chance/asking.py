"""Dice, cards and decisions that the user enters at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from printkit.chance.dice import Act, Question, Source, Throw
from printkit.chance.replaying import find_logged_positions, parse_answer
from printkit.core.errors import DiceError, Sentence, UsageError

# The user types this word to undo the last answer.
BACK: Final = "back"

# After this many wrong answers in a row the questions stop. Otherwise wrong input from a file would never end.
_MAX_WRONG_ANSWERS: Final = 20

NOTHING_TO_UNDO: Final = Sentence("there is no answer to undo")


class UndoneAnswers(Exception):  # noqa: N818
    """The user undid an answer: the game must run again with the answers before it, ``kept``.

    ``before`` is true if the answer was given before the first roll. The caller then asks its earlier questions again.
    """

    def __init__(self, answers: Sequence[Throw], *, is_before_game: bool = False) -> None:
        super().__init__()
        self.kept = tuple(answers)
        self.before = is_before_game


class UnansweredError(UsageError):
    """The input ended; ``answers`` contains the answers so far."""

    answers: tuple[Throw, ...] = ()


class InteractiveSource:
    """A source that asks the user for each die and card, and for their decisions.

    Args:
        prompt: shows a question and returns the typed line; raises EOFError at the end of the input.
        report_error: reports why an answer was rejected.
        decisions: answers an empty line, and makes the decisions that the user is not asked for.
        show_message: shows the result of an answer.
        earlier_answers: earlier answers, which are not asked for again; None if answers cannot be undone.
        has_setup_answers: whether the user answered something before the first roll, which they can undo too.
    """

    def __init__(
        self,
        prompt: Callable[[Question], str],
        report_error: Callable[[str], None],
        decisions: Source,
        show_message: Callable[[str], None] = lambda _text: None,
        earlier_answers: Sequence[Throw] | None = None,
        *,
        has_setup_answers: bool = False,
    ) -> None:
        self._prompt = prompt
        self._complain = report_error
        self._decisions = decisions
        self._tell = show_message
        self._goes_back = earlier_answers is not None
        self._begun = list(earlier_answers or ())
        self._kept: list[Throw] = []
        self._chosen: set[tuple[str, str]] = set()
        self._earlier = has_setup_answers

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the positions of the labels that the user picks; ask until the answer is valid.

        On an empty line printkit rolls. Positions count from 0. A choice that the user is not asked for, or one with a
        single option, is made by ``decisions``. Earlier answers are used before the user is asked. The answer is stored
        as a roll of the log, so that it can be undone later.

        Raises:
            UndoneAnswers: the user undoes the last answer.
            UnansweredError: the input ended, or there were too many wrong answers.
        """
        if question.act is Act.CHOICE and not (question.asks and len(question.labels) > 1):
            return self._decisions.pick(question)
        positions, is_seeded = self._replay_answer(question) or self._ask_user(question)
        self._chosen.add((question.stage, question.reason))
        answer = question.answer(positions)
        self._kept.append(
            Throw(stage=question.stage, reason=question.reason, asked=question.request, answer=answer, seeded=is_seeded)
        )
        return positions

    def _replay_answer(self, question: Question) -> tuple[tuple[int, ...], bool] | None:
        """Return an earlier answer as positions (from 0), and whether the seed gave it; None: ask the user.

        Logged decisions for other questions are skipped, because chance makes them again. If another roll is next in
        the log, the rest of the log is dropped and the user gets a message. Used answers are removed from the list in
        place.
        """
        while self._begun:
            throw = self._begun.pop(0)
            if (throw.stage, throw.reason) == (question.stage, question.reason):
                positions = self._decisions.pick(question) if throw.seeded else None
                if positions is None or question.answer(positions) != throw.answer:
                    positions = find_logged_positions(throw, question)
                if positions is not None:
                    return positions, throw.seeded
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

    def _ask_user(self, question: Question) -> tuple[tuple[int, ...], bool]:
        """Return the user's answer as positions, from 0, and whether they left it to chance with an empty line.

        Raises:
            UndoneAnswers: the user undoes the last answer.
            UnansweredError: the input ended, or there were too many wrong answers.
        """
        if question.act is Act.CHOICE and (question.stage, question.reason) in self._chosen:
            self._tell(Sentence("the last choice does not fit on this battlefield; choose again"))
        for _ in range(_MAX_WRONG_ANSWERS):
            try:
                line = " ".join(self._prompt(question).split())
            except (EOFError, KeyboardInterrupt):
                raise self._build_unanswered_error() from None
            if line.casefold() == BACK:
                self._undo_answer()
                continue
            try:
                typed_positions = (
                    parse_answer(line, question, Sentence("{typed} is not valid", typed=line)) if line else None
                )
            except DiceError as error:
                self._complain(error.fault)
                continue
            chosen_positions = self._decisions.pick(question) if typed_positions is None else typed_positions
            self._show_effect(question, chosen_positions, is_typed=typed_positions is not None)
            return chosen_positions, typed_positions is None
        raise self._build_unanswered_error()

    def _build_unanswered_error(self) -> UnansweredError:
        """Return the error for input that ended, with the answers so far."""
        error = UnansweredError("no more input: --ask needs a terminal to type in; or use --dice")
        error.answers = tuple(self._kept)
        return error

    def _undo_answer(self) -> None:
        """Undo the last answer; show a message if there is nothing to undo.

        ``UndoneAnswers`` has the remaining answers; the caller starts the game again with them.

        Raises:
            UndoneAnswers: there is an answer to undo, or one from before the game.
        """
        if self._goes_back and self._kept:
            raise UndoneAnswers(self._kept[:-1])
        if self._earlier:
            raise UndoneAnswers((), is_before_game=True)
        self._complain(NOTHING_TO_UNDO)

    def _show_effect(self, question: Question, positions: tuple[int, ...], *, is_typed: bool) -> None:
        """Show the effect of an answer if the rules give it, otherwise the score that printkit rolled.

        No message appears for a typed answer without effect. The same is true of a rolled answer without effect, if the
        question has a default answer. Messages go to ``show_message``. ``positions`` are those of the labels, from 0.
        ``is_typed`` is true if the user typed the answer.
        """
        answer = question.answer(positions[: question.minimum or None])
        outcome = question.describe_result(positions[0]) if question.describe_result else ""
        if outcome:
            self._tell(Sentence("{score} gives {outcome}", score=answer, outcome=outcome))
        elif not is_typed and not question.default_label:
            self._tell(Sentence("rolled for you: {outcome}", outcome=answer))
