"""Replay a game from its log: keep valid rolls, roll the rest again, and apply the user's overrides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from printkit.chance.dice import Act, Question, Seeded, Source, Throw, on_top, split_scores
from printkit.core.errors import DiceError, Sentence
from printkit.core.numbers import is_number


class DoesNotFitError(DiceError):
    """The log has no valid answer to a question; ``number`` is the number of the roll in the new game."""

    def __init__(self, stage: str, template: str, /, *, number: int = 0, clause: str = "", **values: object) -> None:
        super().__init__(template, clause=clause, **values)
        self.stage = stage
        self.number = number


class _Answer(NamedTuple):
    """A question, its answer, and the number of the logged roll that gave it; None if it was rolled again."""

    question: Question
    places: tuple[int, ...]
    number: int | None


class Replayed:
    """A source of answers from the log of an earlier game: the next roll of the stage with the same reason.

    A roll stays valid while the game needs it and its label is possible, even if rolls around it change. Rolls that
    the game no longer needs are ignored.

    Args:
        log: the log of the earlier game.
        then: answers the questions of the stages in ``anew``.
        anew: the stages whose rolls are all dropped.
        mending: rolls again if the log has no valid answer. Without it, a missing answer or another order is an error.
        own: answers of the user by the number of the logged roll: labels, or numbers of options.
            If an answer differs from the log, the later rolls of its stage are dropped.
        without: numbers of rolls to leave out; see ``superseded``.
    """

    def __init__(
        self,
        log: Sequence[Throw],
        then: Source,
        anew: frozenset[str] = frozenset(),
        *,
        mending: Source | None = None,
        own: Mapping[int, str] | None = None,
        without: Collection[int] = (),
    ) -> None:
        self._log = log
        self._then = then
        self._anew = anew
        self._mending = mending
        self._own = own or {}
        self._waiting: dict[str, list[int]] = {}
        for number, throw in enumerate(log, 1):
            if throw.stage not in anew and number not in without:
                self._waiting.setdefault(throw.stage, []).append(number)
        self._answered: list[_Answer] = []
        # The logged answers that the user replaced, by the number of the roll in the new game.
        self.over: dict[int, str] = {}

    def unused(self) -> tuple[str, ...]:
        """Return the stages with unused rolls: the game no longer needs these."""
        return tuple(stage for stage, numbers in self._waiting.items() if numbers)

    def superseded(self) -> frozenset[int]:
        """Return the numbers of used choices that have a later unused choice with the same reason in the log.

        In the log a failed attempt is followed by another one. If the first attempt now succeeds, the result would
        differ from the earlier game, which was made with the last attempt.
        """
        left = [self._log[number - 1] for numbers in self._waiting.values() for number in numbers]
        later = {(throw.stage, throw.reason) for throw in left if throw.act is Act.CHOICE}
        return frozenset(
            answer.number
            for answer in self._answered
            if answer.number is not None and (answer.question.stage, answer.question.reason) in later
        )

    @property
    def unasked(self) -> tuple[int, ...]:
        """Return the numbers of the overridden rolls that the game no longer needs."""
        return tuple(number for numbers in self._waiting.values() for number in numbers if number in self._own)

    @property
    def changed(self) -> frozenset[str]:
        """Return the stages with rolls that were dropped or rolled again, without those that the user changed."""
        mended = {answer.question.stage for answer in self._answered if answer.number is None}
        return frozenset({*mended, *self.unused()} - {self._log[number - 1].stage for number in self._own})

    @property
    def answered(self) -> int:
        """Return the number of answered questions."""
        return len(self._answered)

    def first_other_question(self) -> int | None:
        """Return the number of the first logged roll used for a question with other options, or None."""
        numbers = (answer.number for answer in self._answered if answer.number is not None and self._is_other(answer))
        return min(numbers, default=None)

    def _is_other(self, answer: _Answer) -> bool:
        return answer.number is not None and self._log[answer.number - 1].asked != answer.question.asked

    def compare(self, seeded: Seeded) -> Mapping[int, str]:
        """Roll the logged questions again from the seed; return the differing seed answers by the logged roll.

        After the first difference in a stage, every later roll of the stage counts as different, because the stream is
        out of step. Rolls that are marked as not from the seed are skipped.
        """
        found: dict[int, str] = {}
        parted = set[str]()
        for question, places, number in self._answered:
            if question.stage in parted or question.number in self.over:
                continue
            if number is not None and not self._log[number - 1].seeded:
                continue
            due = "" if number is None else question.answer(seeded.pick(question))
            if number is None or due != question.answer(places):
                parted.add(question.stage)
            if number is not None and question.stage in parted:
                found[number] = due
        return found

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the answer of the log.

        Raises:
            MisfitError: the log has no such roll or an impossible answer, and no source rolls it again.
            DiceError: an override of the user is not valid.
        """
        if question.stage in self._anew:
            return self._then.pick(question)
        number = self._next(question)
        places = None if number is None else self._places(number, question)
        if places is None and self._mending is not None:
            number, places = None, self._mending.pick(question)
        if places is None:
            raise self._misfit(number, question)
        if number is not None and self._log[number - 1].was:
            self.over.setdefault(question.number, self._log[number - 1].was)
        self._answered.append(_Answer(question, places, number))
        return places

    def _next(self, question: Question) -> int | None:
        """Remove and return the number of the next matching roll; None if it is missing or out of order."""
        waiting = self._waiting.get(question.stage, [])
        found = (number for number in waiting if self._log[number - 1].reason == question.reason)
        number = next(found, None)
        if number is None or (self._mending is None and number != waiting[0]):
            return None
        waiting.remove(number)
        return number

    def _places(self, number: int, question: Question) -> tuple[int, ...] | None:
        """Return the answer of a logged roll, or the override of the user; None if the log's answer is not valid."""
        throw = self._log[number - 1]
        logged = logged_places(throw, question)
        if number not in self._own:
            return logged
        fault = Sentence("roll {number} cannot be {answer!r}", number=number, answer=self._own[number])
        places = typed(self._own[number], question, fault)
        if places != logged:
            self.over[question.number] = throw.answer
            waiting = self._waiting[question.stage]
            waiting[:] = [each for each in waiting if each < number or each in self._own]
        return places

    def _misfit(self, number: int | None, question: Question) -> DoesNotFitError:
        """Return the error for a roll that is missing, out of order or impossible."""
        stage, reason, waiting = question.stage, question.reason, self._waiting.get(question.stage)
        if number is not None:
            answer = self._log[number - 1].answer
            return DoesNotFitError(
                stage,
                "{answer!r} is not a valid result of {asked} for {reason}",
                answer=answer,
                asked=question.asked,
                reason=reason,
                number=question.number,
            )
        if not waiting:
            return DoesNotFitError(
                stage,
                "the log of stage {stage!r} has no roll for {reason}",
                stage=stage,
                reason=reason,
                number=question.number,
            )
        throw = self._log[waiting[0] - 1]
        return DoesNotFitError(
            stage,
            "the log of stage {stage!r} has {throw_asked} for {throw_reason} instead of {question_asked} "
            "for {question_reason}",
            stage=stage,
            throw_asked=throw.asked,
            throw_reason=throw.reason,
            question_asked=question.asked,
            question_reason=reason,
            number=question.number,
        )


def logged_places(throw: Throw, question: Question) -> tuple[int, ...] | None:
    """Return the positions of the logged answer; None if it does not answer the question."""
    if throw.act is not question.act or (throw.act is not Act.CHOICE and throw.asked != question.asked):
        return None
    labels = list(question.labels)
    answers = [throw.answer] if question.count == 1 else throw.answer.split()
    if len(answers) != question.count or any(answer not in labels for answer in answers):
        return None
    return tuple(labels.index(answer) for answer in answers)


def typed(text: str, question: Question, fault: Sentence) -> tuple[int, ...]:
    """Return the positions of a typed answer: a score, cards, an option or its number from 1.

    Raises:
        DiceError: the answer is not valid; the message is the ``fault`` and the valid answers.
    """
    if question.act is Act.CARD:
        cards = split_scores(text)
        if len(cards) > question.count:
            raise DiceError(
                "{fault}: you gave {count} cards for {reason}, which needs {most}",
                fault=fault,
                count=len(cards),
                reason=question.reason,
                most=question.count,
                clause="BR-X06",
            )
        return on_top(cards, question)
    if question.act is Act.CHOICE:
        place = option(text, question.labels, question.default_label)
        if place is None:
            raise DiceError(
                "{fault}; {reason} is one of {labels}",
                fault=fault,
                reason=question.reason,
                labels=", ".join(question.labels),
                clause="BR-X07",
            )
        return (place,)
    if text.strip() not in question.labels:
        raise DiceError(
            "{fault}: {asked} for {reason} can be {first} to {last}",
            fault=fault,
            asked=question.asked,
            reason=question.reason,
            first=question.labels[0],
            last=question.labels[-1],
            clause="BR-X07",
        )
    return (question.labels.index(text.strip()),)


def option(text: str, labels: Sequence[str], unsaid: str = "") -> int | None:
    """Return the position of an option by its name in any case, or by its number from 1; None if there is none.

    If all options (apart from ``unsaid``) are numbers themselves, only their names are accepted.
    """
    names, name = [label.casefold() for label in labels], " ".join(text.casefold().split())
    if name in names:
        return names.index(name)
    numbered = is_number(name) and not all(is_number(label) for label in labels if label != unsaid)
    return int(name) - 1 if numbered and 1 <= int(name) <= len(names) else None
