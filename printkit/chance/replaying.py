"""Replay a game from its log: keep valid rolls, roll the rest again, and apply the user's overrides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from printkit.chance.dice import Act, Question, Seeded, Source, Throw, order_cards, split_scores
from printkit.core.errors import DiceError, Sentence
from printkit.core.numbers import is_number


class DoesNotFitError(DiceError):
    """The log has no valid answer to a question.

    ``number`` is the number of the roll in the new game, and ``question_clause`` the clause that asks for it.
    """

    def __init__(
        self,
        stage: str,
        template: str,
        /,
        *,
        number: int = 0,
        question_clause: str = "",
        clause: str = "",
        **values: object,
    ) -> None:
        super().__init__(template, clause=clause, **values)
        self.stage = stage
        self.number = number
        self.question_clause = question_clause


class _Answer(NamedTuple):
    """A question, its answer, and the number of the logged roll that gave it; None if it was rolled again."""

    question: Question
    places: tuple[int, ...]
    number: int | None


class ReplaySource:
    """A source of answers from the log of an earlier game: the next roll of the stage with the same reason.

    A roll stays valid while the game needs it and its label is possible, even if rolls around it change. Rolls that
    the game no longer needs are ignored.

    Args:
        log: the log of the earlier game.
        reroll_source: answers the questions of the stages to roll again.
        dropped_stages: the stages whose rolls are all dropped.
        repair_source: rolls again if the log has no valid answer. Without it, a missing answer or another order is an
            error.
        overrides: answers of the user by the number of the logged roll: labels, or numbers of options.
            If an answer differs from the log, the later rolls of its stage are dropped.
        skipped_numbers: numbers of rolls to leave out; see ``superseded_choices``.
    """

    def __init__(
        self,
        log: Sequence[Throw],
        reroll_source: Source,
        dropped_stages: frozenset[str] = frozenset(),
        *,
        repair_source: Source | None = None,
        overrides: Mapping[int, str] | None = None,
        skipped_numbers: Collection[int] = (),
    ) -> None:
        self._log = log
        self._then = reroll_source
        self._anew = dropped_stages
        self._mending = repair_source
        self._own = overrides or {}
        self._waiting: dict[str, list[int]] = {}
        for number, throw in enumerate(log, 1):
            if throw.stage not in dropped_stages and number not in skipped_numbers:
                self._waiting.setdefault(throw.stage, []).append(number)
        self._answered: list[_Answer] = []
        # The logged answers that the user replaced, by the number of the roll in the new game.
        self.over: dict[int, str] = {}

    def unused_stages(self) -> tuple[str, ...]:
        """Return the stages with unused rolls, which the game no longer needs; empty if all are used.

        Stages that are dropped and rolls that are skipped do not count.
        """
        return tuple(stage for stage, numbers in self._waiting.items() if numbers)

    def superseded_choices(self) -> frozenset[int]:
        """Return the numbers, from 1 in the log, of used choices that the log makes again later, for the same reason.

        The later choice is unused. In the log a failed attempt is followed by another one. If the first attempt now
        succeeds, the result would differ from the earlier game, which was made with the last attempt.
        """
        unused_rolls = [self._log[number - 1] for numbers in self._waiting.values() for number in numbers]
        later_choices = {(throw.stage, throw.reason) for throw in unused_rolls if throw.act is Act.CHOICE}
        return frozenset(
            answer.number
            for answer in self._answered
            if answer.number is not None and (answer.question.stage, answer.question.reason) in later_choices
        )

    @property
    def unused_overrides(self) -> tuple[int, ...]:
        """Return the numbers of the rolls that the user overrode and that the game did not use.

        Numbers count from 1 in the log; the result is empty if all are used.
        """
        return tuple(number for numbers in self._waiting.values() for number in numbers if number in self._own)

    @property
    def changed_stages(self) -> frozenset[str]:
        """Return the stages with unused rolls or with rolls of ``repair_source``.

        A stage in which the user overrode a roll is left out completely. The stages of ``dropped_stages`` are not among
        them.
        """
        rerolled_stages = {answer.question.stage for answer in self._answered if answer.number is None}
        return frozenset(
            {*rerolled_stages, *self.unused_stages()} - {self._log[number - 1].stage for number in self._own}
        )

    @property
    def answer_count(self) -> int:
        """Return the number of answered questions, without those of dropped stages."""
        return len(self._answered)

    def first_changed_question(self) -> int | None:
        """Return the number of the first logged roll used for a question with other options, or None.

        Numbers count from 1 in the log. Other options means another request, for example d8 instead of d6.
        """
        numbers = (
            answer.number
            for answer in self._answered
            if answer.number is not None and self._log[answer.number - 1].asked != answer.question.request
        )
        return min(numbers, default=None)

    def compare_with_seed(self, seed_source: Seeded) -> Mapping[int, str]:
        """Roll the logged questions again from the seed and return the answers that differ.

        The result has the seed's answer by the number, from 1, of the logged roll; it is empty if all agree. After the
        first difference in a stage, every later roll of the stage counts as different, with an empty answer or that of
        the seed for the first. Rolls that are marked as not from the seed, and those that the user overrode, are
        skipped. The source ``seed_source`` moves on.
        """
        differences: dict[int, str] = {}
        diverged_stages = set[str]()
        for question, positions, number in self._answered:
            if question.stage in diverged_stages or question.number in self.over:
                continue
            if number is not None and not self._log[number - 1].seeded:
                continue
            expected = "" if number is None else question.answer(seed_source.pick(question))
            if number is None or expected != question.answer(positions):
                diverged_stages.add(question.stage)
            if number is not None and question.stage in diverged_stages:
                differences[number] = expected
        return differences

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the answer of the log as positions, counted from 0.

        Questions of dropped stages go to ``reroll_source``. A roll that the log does not have or that is not possible
        comes from ``repair_source`` if there is one. Each answered question is stored, in the order of the answers. If
        the log has the answer that the user replaced, it is stored in ``over``.

        Raises:
            DoesNotFitError: the log has no such roll or an impossible answer, and no source rolls it again.
            DiceError: an override of the user is not valid.
        """
        if question.stage in self._anew:
            return self._then.pick(question)
        number = self._take_number(question)
        positions = None if number is None else self._find_positions(number, question)
        if positions is None and self._mending is not None:
            number, positions = None, self._mending.pick(question)
        if positions is None:
            raise self._build_misfit_error(number, question)
        if number is not None and self._log[number - 1].was:
            self.over.setdefault(question.number, self._log[number - 1].was)
        self._answered.append(_Answer(question, positions, number))
        return positions

    def _take_number(self, question: Question) -> int | None:
        """Remove and return the number of the next roll with this stage and reason; None if there is none.

        Without a ``repair_source`` it must also be the first unused roll of its stage. Numbers count from 1 in the log.
        """
        numbers = self._waiting.get(question.stage, [])
        matches = (number for number in numbers if self._log[number - 1].reason == question.reason)
        number = next(matches, None)
        if number is None or (self._mending is None and number != numbers[0]):
            return None
        numbers.remove(number)
        return number

    def _find_positions(self, number: int, question: Question) -> tuple[int, ...] | None:
        """Return the positions, from 0, of a logged answer, or of the user's override of it.

        Return None if the log's answer is not valid. An override that changes the answer also drops the later rolls of
        its stage in place, apart from overrides. ``number`` is that of the roll in the log, from 1.

        Raises:
            DiceError: the override is not valid.
        """
        throw = self._log[number - 1]
        logged_positions = find_logged_positions(throw, question)
        if number not in self._own:
            return logged_positions
        fault = Sentence("roll {number} cannot be {answer!r}", number=number, answer=self._own[number])
        positions = parse_answer(self._own[number], question, fault)
        if positions != logged_positions:
            self.over[question.number] = throw.answer
            numbers = self._waiting[question.stage]
            numbers[:] = [candidate for candidate in numbers if candidate < number or candidate in self._own]
        return positions

    def _build_misfit_error(self, number: int | None, question: Question) -> DoesNotFitError:
        """Return the error for a roll that is missing, out of order or impossible.

        ``number`` is that of the impossible roll in the log, or None.
        """
        stage, reason, waiting = question.stage, question.reason, self._waiting.get(question.stage)
        clause = question.clause if isinstance(question.clause, str) else ""
        if number is not None:
            answer = self._log[number - 1].answer
            return DoesNotFitError(
                stage,
                "{answer!r} is not a valid result of {asked} for {reason}",
                answer=answer,
                asked=question.request,
                reason=reason,
                number=question.number,
                question_clause=clause,
            )
        if not waiting:
            return DoesNotFitError(
                stage,
                "the log of stage {stage!r} has no roll for {reason}",
                stage=stage,
                reason=reason,
                number=question.number,
                question_clause=clause,
            )
        throw = self._log[waiting[0] - 1]
        return DoesNotFitError(
            stage,
            "the log of stage {stage!r} has {throw_asked} for {throw_reason} instead of {question_asked} "
            "for {question_reason}",
            stage=stage,
            throw_asked=throw.asked,
            throw_reason=throw.reason,
            question_asked=question.request,
            question_reason=reason,
            number=question.number,
            question_clause=clause,
        )


def find_logged_positions(throw: Throw, question: Question) -> tuple[int, ...] | None:
    """Return the positions, from 0, of a logged answer; None if it does not answer the question.

    The kind of the roll must agree, and except for choices the request too, for example ``d6``. Stage and reason are
    not compared.
    """
    if throw.act is not question.act or (throw.act is not Act.CHOICE and throw.asked != question.request):
        return None
    labels = list(question.labels)
    answers = [throw.answer] if question.count == 1 else throw.answer.split()
    if len(answers) != question.count or any(answer not in labels for answer in answers):
        return None
    return tuple(labels.index(answer) for answer in answers)


# More answers are shortened in an error.
_MAX_LABELS: Final = 12


def _shorten_labels(labels: Sequence[str]) -> str:
    """Return the valid answers for an error, separated by commas; of many, the first ones, three dots and the last."""
    if len(labels) <= _MAX_LABELS:
        return ", ".join(labels)
    return f"{', '.join(labels[: _MAX_LABELS // 2])} ... {labels[-1]}"


def parse_answer(text: str, question: Question, fault: Sentence) -> tuple[int, ...]:
    """Return the positions, from 0, of a typed answer: a score, cards, an option or its number from 1.

    ``fault`` is the start of the error message, for example that the text is not valid.

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
        return order_cards(cards, question)
    if question.act is Act.CHOICE:
        position = find_option(text, question.labels, question.default_label)
        if position is None:
            raise DiceError(
                "{fault}; {reason} is one of {labels}",
                fault=fault,
                reason=question.reason,
                labels=_shorten_labels(question.labels),
                clause="BR-X07",
            )
        return (position,)
    if text.strip() not in question.labels:
        raise DiceError(
            "{fault}: {asked} for {reason} can be {first} to {last}",
            fault=fault,
            asked=question.request,
            reason=question.reason,
            first=question.labels[0],
            last=question.labels[-1],
            clause="BR-X07",
        )
    return (question.labels.index(text.strip()),)


def find_option(text: str, labels: Sequence[str], default_label: str = "") -> int | None:
    """Return the position, from 0, of an option by its name in any case, or by its number from 1.

    The result is None if there is no such option. If all options (apart from ``default_label``) are numbers themselves,
    only their names are accepted.
    """
    names, name = [label.casefold() for label in labels], " ".join(text.casefold().split())
    if name in names:
        return names.index(name)
    is_number_of_option = is_number(name) and not all(is_number(label) for label in labels if label != default_label)
    return int(name) - 1 if is_number_of_option and 1 <= int(name) <= len(names) else None
