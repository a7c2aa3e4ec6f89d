"""A game played again from its log: what stands, what has to be thrown anew, and what a person lays over it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from printkit.chance.dice import Act, Question, Seeded, Source, Throw, on_top, split_scores
from printkit.core.errors import DiceError, Sentence
from printkit.core.numbers import is_number


class MisfitError(DiceError):
    """A log does not answer what a stage asks; ``number`` is that of the throw in the game that is played."""

    def __init__(self, stage: str, template: str, /, *, number: int = 0, clause: str = "", **values: object) -> None:
        super().__init__(template, clause=clause, **values)
        self.stage = stage
        self.number = number


class _Answer(NamedTuple):
    """What was asked and answered, and the number of the throw in the log that did; None where it came anew."""

    question: Question
    places: tuple[int, ...]
    number: int | None


class Replayed:
    """Answers from the log of an earlier game: the next throw of the stage with the same reason, by its label.

    So a throw stands as long as it is asked for and can still come, whatever has come or gone about it. Throws that
    nobody asks for any more stay behind, and answer nothing else.

    Args:
        log: of the earlier game.
        then: who answers the stages in ``anew``.
        anew: the stages of which nothing stands.
        mending: who throws anew what the log cannot answer; without it that is an error, and so is another order.
        own: answers that a person lays over throws of the log, by their numbers: labels, or the numbers of options.
            Where one is another than the log's, the throws of its stage behind it do not stand.
        without: numbers of throws that are left out, as ``superseded`` names them.
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
        self.over: dict[int, str] = {}
        """What the log had where a person's answer was laid over it, by the number of the throw in the new game."""

    def unused(self) -> tuple[str, ...]:
        """Return the stages whose log was not used up: throws of them are not asked for any more."""
        return tuple(stage for stage, numbers in self._waiting.items() if numbers)

    def superseded(self) -> frozenset[int]:
        """Return the numbers of choices that were taken up, though the log has a later one of the same kind.

        An attempt that led nowhere is followed by another in the log. Where the first one now leads somewhere, it is
        still the last that made the earlier game.
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
        """Return the numbers of the throws that a person laid his answer over, and that nobody asks for any more."""
        return tuple(number for numbers in self._waiting.values() for number in numbers if number in self._own)

    @property
    def changed(self) -> frozenset[str]:
        """Return the stages of the log of which throws came anew or fell away, but those that a person changed."""
        mended = {answer.question.stage for answer in self._answered if answer.number is None}
        return frozenset({*mended, *self.unused()} - {self._log[number - 1].stage for number in self._own})

    @property
    def answered(self) -> int:
        """Return how many questions were answered."""
        return len(self._answered)

    def first_other_question(self) -> int | None:
        """Return the first throw of the log that answered a question with other options, or None."""
        numbers = (answer.number for answer in self._answered if answer.number is not None and self._is_other(answer))
        return min(numbers, default=None)

    def _is_other(self, answer: _Answer) -> bool:
        return answer.number is not None and self._log[answer.number - 1].asked != answer.question.asked

    def compare(self, seeded: Seeded) -> Mapping[int, str]:
        """Let the seed throw what the log answered; return by the throw of the log what it would have given otherwise.

        A stage is compared up to its first throw that comes otherwise, for what follows has lost its turn. A throw
        that is marked as not of the seed has none.
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
        """Return what the log says.

        Raises:
            MisfitError: the log has no such throw, or an answer that cannot be, and nobody throws it anew.
            DiceError: a person laid over it what cannot be.
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
        """Take the number of the throw that answers; None where there is none, or another one comes first."""
        waiting = self._waiting.get(question.stage, [])
        found = (number for number in waiting if self._log[number - 1].reason == question.reason)
        number = next(found, None)
        if number is None or (self._mending is None and number != waiting[0]):
            return None
        waiting.remove(number)
        return number

    def _places(self, number: int, question: Question) -> tuple[int, ...] | None:
        """Return what a throw of the log answers, or a person in its stead; None where it cannot."""
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

    def _misfit(self, number: int | None, question: Question) -> MisfitError:
        """Return the error that the log has no such throw, another one, or one that cannot be."""
        stage, reason, waiting = question.stage, question.reason, self._waiting.get(question.stage)
        if number is not None:
            answer = self._log[number - 1].answer
            return MisfitError(
                stage,
                "{answer!r} is not a valid result of {asked} for {reason}",
                answer=answer,
                asked=question.asked,
                reason=reason,
                number=question.number,
            )
        if not waiting:
            return MisfitError(
                stage,
                "the log of stage {stage!r} has no roll for {reason}",
                stage=stage,
                reason=reason,
                number=question.number,
            )
        throw = self._log[waiting[0] - 1]
        return MisfitError(
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
    """Return the places of what a throw of the log answers, None where it cannot answer the question."""
    if throw.act is not question.act or (throw.act is not Act.CHOICE and throw.asked != question.asked):
        return None
    labels = list(question.labels)
    answers = [throw.answer] if question.count == 1 else throw.answer.split()
    if len(answers) != question.count or any(answer not in labels for answer in answers):
        return None
    return tuple(labels.index(answer) for answer in answers)


def typed(text: str, question: Question, fault: Sentence) -> tuple[int, ...]:
    """Return the places of an answer as a person writes it: a score, cards, an option or its number from 1.

    Raises:
        DiceError: it cannot be; says the ``fault`` and what can.
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
        place = option(text, question.labels, question.unsaid)
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
    """Return the place of an option that a person names, in any case, or gives by its number from 1.

    Options that are numbers themselves have no others; the one that is ``unsaid`` does not count.
    """
    names, name = [label.casefold() for label in labels], " ".join(text.casefold().split())
    if name in names:
        return names.index(name)
    numbered = is_number(name) and not all(is_number(label) for label in labels if label != unsaid)
    return int(name) - 1 if numbered and 1 <= int(name) <= len(names) else None
