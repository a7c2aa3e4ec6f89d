"""Dice, cards and decisions, each asked for with a reason and kept in a log that replays the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar

from printkit.chance.streams import Stream
from printkit.errors import DiceError

T = TypeVar("T")


class Act(StrEnum):
    """What is asked of chance or of a player."""

    DIE = "die"
    CARD = "card"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """One line of the log: what was asked, in which stage, what it was for, and what came.

    ``asked`` is ``d6``, ``52 cards`` or ``choice of 3``; ``answer`` the score, the cards or the option in words.
    """

    stage: str
    reason: str
    asked: str
    answer: str
    clause: str = ""

    @property
    def act(self) -> Act:
        """Return whether a die, a pack or a player answered."""
        if self.asked.startswith("choice"):
            return Act.CHOICE
        return Act.DIE if self.asked.startswith("d") else Act.CARD


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a source is asked: pick ``count`` different ones of ``labels``."""

    stage: str
    reason: str
    act: Act
    asked: str
    labels: Sequence[str]
    count: int = 1


class Source(Protocol):
    """Where answers come from: a seed, a list, a log, a person."""

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the places of the picked labels, in the order picked."""
        ...


@dataclass(slots=True)
class Dice:
    """The only object of the core that changes: it asks its source and keeps the log.

    ``at`` gives the same dice for another stage: one log, one source, a stream of chance of its own.
    """

    source: Source
    stage: str = ""
    log: list[Throw] = field(default_factory=list)

    def at(self, stage: str) -> Dice:
        """Return these dice for ``stage``; they write in the same log."""
        return Dice(self.source, stage, self.log)

    def roll(self, sides: int, reason: str, clause: str = "") -> int:
        """Return the score of one die."""
        labels = [str(score) for score in range(1, sides + 1)]
        return 1 + self._ask(Act.DIE, f"d{sides}", labels, reason, clause)[0]

    def d6(self, reason: str, clause: str = "") -> int:
        """Return the score of one six-sided die."""
        return self.roll(6, reason, clause)

    def draw(self, pack: Sequence[T], count: int, reason: str, clause: str = "") -> tuple[T, ...]:
        """Return ``count`` cards of the pack in the order drawn; all of them is a shuffle. One line of the log."""
        places = self._ask(Act.CARD, f"{count} cards", [str(card) for card in pack], reason, clause, count)
        return tuple(pack[place] for place in places)

    def choose(self, options: Sequence[T], reason: str, clause: str = "") -> T:
        """Return one of ``options``: a decision that the rules leave to a player."""
        labels = [str(option) for option in options]
        return options[self._ask(Act.CHOICE, f"choice of {len(labels)}", labels, reason, clause)[0]]

    def _ask(
        self, act: Act, asked: str, labels: Sequence[str], reason: str, clause: str, count: int = 1
    ) -> tuple[int, ...]:
        question = Question(stage=self.stage, reason=reason, act=act, asked=asked, labels=labels, count=count)
        places = self.source.pick(question)
        answer = " ".join(labels[place] for place in places)
        self.log.append(Throw(stage=self.stage, reason=reason, asked=asked, answer=answer, clause=clause))
        return places


class Seeded:
    """Answers from a seed. Each stage has its own streams, one each for dice, for cards and for decisions.

    So a stage with another seed, or a policy that decides otherwise, leaves every other stream as it was.
    """

    def __init__(self, seed: int, reseeded: Mapping[str, int] | None = None) -> None:
        self._seed = seed
        self._reseeded = dict(reseeded or {})
        self._streams: dict[tuple[str, Act], Stream] = {}

    def pick(self, question: Question) -> tuple[int, ...]:
        key = (question.stage, question.act)
        if key not in self._streams:
            seed = self._reseeded.get(question.stage, self._seed)
            self._streams[key] = Stream(f"dice/{seed}/{question.stage}/{question.act}")
        stream = self._streams[key]
        left = list(range(len(question.labels)))
        return tuple(left.pop(stream.below(len(left))) for _ in range(question.count))


class Scripted:
    """Answers from a person's own dice and cards, in the order thrown; decisions come from ``decisions``.

    Args:
        scores: ``3 5 KS 7H``: numbers are dice, everything else is cards; the two are read apart.
        decisions: who answers where a player decides, and where no card was given at all.
        then: who goes on when the dice run out; without it that is an error.
    """

    def __init__(self, scores: Sequence[str], decisions: Source, then: Source | None = None) -> None:
        self._dice = [score for score in scores if score.lstrip("+-").isdigit()]
        self._cards = [score for score in scores if not score.lstrip("+-").isdigit()]
        self._decisions = decisions
        self._then = then
        self._thrown = 0

    @property
    def left(self) -> int:
        """Return how many dice of the list were never asked for (BR-X09)."""
        return len(self._dice) - self._thrown

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the next answer of the list.

        Raises:
            DiceError: the list has run out (BR-X08), or a score or card cannot be (BR-X07, BR-X06).
        """
        match question.act:
            case Act.DIE:
                return (self._die(question),)
            case Act.CARD if self._cards:
                return self._draw(question)
            case _:
                return self._decisions.pick(question)

    def _die(self, question: Question) -> int:
        self._thrown += 1
        if self._thrown > len(self._dice):
            if self._then is not None:
                self._thrown = len(self._dice)
                return self._then.pick(question)[0]
            raise DiceError(
                f"die {self._thrown} is missing: {question.asked} for {question.reason}; "
                f"{len(self._dice)} dice were given, add more or a --seed to go on from",
                clause="BR-X08",
            )
        score = self._dice[self._thrown - 1]
        if score not in question.labels:
            raise DiceError(
                f"die {self._thrown} is {score}: {question.asked} for {question.reason} "
                f"gives {question.labels[0]} to {question.labels[-1]}",
                clause="BR-X07",
            )
        return question.labels.index(score)

    def _draw(self, question: Question) -> tuple[int, ...]:
        """Put the given cards on top of the pack, in their order; the rest follows as it was."""
        labels = list(question.labels)
        top: list[int] = []
        for card in self._cards:
            if card not in labels:
                raise DiceError(f"{card} is no card of this pack", clause="BR-X06")
            if labels.index(card) in top:
                raise DiceError(f"{card} is in the pack only once", clause="BR-X06")
            top.append(labels.index(card))
        taken, self._cards = top[: question.count], self._cards[question.count :]
        if len(taken) == question.count:
            return tuple(taken)
        if len(taken) < question.count < len(labels):
            raise DiceError(f"{question.count} cards are needed for {question.reason}, {len(taken)} were given")
        return tuple(taken + [place for place in range(len(labels)) if place not in taken])


class MisfitError(DiceError):
    """A log does not answer what a stage asks; that stage has to be thrown anew."""

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(message)
        self.stage = stage


class Replayed:
    """Answers from the log of an earlier game, stage by stage; stages in ``anew`` are answered by ``then``."""

    def __init__(self, log: Sequence[Throw], then: Source, anew: frozenset[str] = frozenset()) -> None:
        self._queues: dict[str, list[Throw]] = {}
        for throw in log:
            if throw.stage not in anew:
                self._queues.setdefault(throw.stage, []).append(throw)
        self._then = then
        self._anew = anew

    def unused(self) -> tuple[str, ...]:
        """Return the stages whose log was not used up: their throws fit no longer."""
        return tuple(stage for stage, queue in self._queues.items() if queue)

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return what the log says.

        Raises:
            MisfitError: the log has another throw here, or none.
        """
        if question.stage in self._anew:
            return self._then.pick(question)
        queue = self._queues.get(question.stage, [])
        if not queue:
            raise MisfitError(question.stage, f"the log of stage {question.stage!r} has no throw for {question.reason}")
        throw = queue.pop(0)
        if (throw.reason, throw.asked) != (question.reason, question.asked):
            raise MisfitError(
                question.stage,
                f"the log of stage {question.stage!r} has {throw.asked} for {throw.reason}, "
                f"not {question.asked} for {question.reason}",
            )
        return _places(throw, question)


def _places(throw: Throw, question: Question) -> tuple[int, ...]:
    labels = list(question.labels)
    answers = [throw.answer] if question.count == 1 else throw.answer.split()
    if len(answers) != question.count or any(answer not in labels for answer in answers):
        raise MisfitError(question.stage, f"{throw.answer!r} cannot answer {question.asked} for {question.reason}")
    return tuple(labels.index(answer) for answer in answers)


class Asked:
    """Asks a person for each die and card; decisions come from ``decisions``.

    ``prompt`` shows a question and returns what was typed; ``complain`` says why an answer was not taken.
    """

    def __init__(self, prompt: Callable[[Question], str], complain: Callable[[str], None], decisions: Source) -> None:
        self._prompt = prompt
        self._complain = complain
        self._decisions = decisions

    def pick(self, question: Question) -> tuple[int, ...]:
        """Ask until the answer can be; an empty answer lets the program throw."""
        if question.act is Act.CHOICE:
            return self._decisions.pick(question)
        while True:
            typed = self._prompt(question).upper().replace(",", " ").split()
            if not typed:
                return self._decisions.pick(question)
            places = [question.labels.index(word) for word in typed if word in question.labels]
            if len(places) == len(typed) == len(set(places)) == question.count:
                return tuple(places)
            self._complain(f"{' '.join(typed)} will not do: {question.asked} for {question.reason}")
