"""Dice, cards and decisions, each with a reason; their log, and the log as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from msgspec import Struct, field

from printkit.chance.streams import Stream
from printkit.core.errors import DiceError, Sentence
from printkit.core.numbers import is_number

T = TypeVar("T")


class Act(StrEnum):
    """The kind of a question: a die, cards, or a choice of a player."""

    DIE = "die"
    CARD = "card"
    CHOICE = "choice"


class Throw(Struct, frozen=True, kw_only=True):
    """One line of the log: the stage, the question, its reason and the answer.

    ``asked`` is ``d6``, ``52 cards`` or ``choice of 3``; ``answer`` is the score, the cards or the option in words.
    ``seeded`` is true if the seed of the stage produced this answer. It is false for a die that the user rolled, and
    for a roll kept from an earlier game whose other rolls changed. ``was`` is the answer that the user replaced.
    """

    stage: str
    reason: str
    asked: str
    answer: str
    clause: str = ""
    seeded: bool = True
    was: str = ""

    @property
    def act(self) -> Act:
        """Return the kind of the question: a die, cards or a choice.

        It depends on ``asked``: ``d6`` is a die, ``choice of 3`` a choice, and any other text stands for cards.
        """
        if self.asked.startswith("choice"):
            return Act.CHOICE
        return Act.DIE if self.asked.startswith("d") else Act.CARD


class Question(Struct, frozen=True, kw_only=True):
    """A question to a source: pick ``count`` different ``labels``.

    A user who enters cards must give at least ``minimum``; the others follow in deck order. ``asks`` marks a decision
    that the user at the terminal makes. ``number`` is the number of the roll in the log, from 1. ``describe_result``
    describes the effect of the label at a position, if the rules give one. ``default_label`` is the label that an empty
    line selects in a question without a roll. ``clause`` is the clause, or a function that returns it for a label.
    ``weights`` say how likely a seed picks each label, as whole numbers; without them all are equally likely.
    """

    stage: str
    reason: str
    act: Act
    request: str
    labels: Sequence[str]
    count: int = 1
    minimum: int = 0
    asks: bool = False
    number: int = 0
    describe_result: Callable[[int], str] | None = None
    default_label: str = ""
    clause: str | Callable[[str], str] = ""
    weights: Sequence[int] = ()

    def answer(self, positions: Iterable[int]) -> str:
        """Return the labels at some positions, counted from 0, joined by blanks as in the log."""
        return " ".join(self.labels[position] for position in positions)


class Source(Protocol):
    """A source of answers: a seed, a list, a log or the user."""

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the positions, from 0, of the picked labels of a question, in the order picked.

        There are ``question.count`` different positions.
        """
        ...


class Dice(Struct):
    """The dice of one stage: they ask the source and write the log. This is the only mutable object of the core.

    ``at`` returns the same dice for another stage: the log and the source are shared, the random stream is separate.
    """

    source: Source
    stage: str = ""
    log: list[Throw] = field(default_factory=list)

    def at(self, stage: str) -> Dice:
        """Return these dice for another stage; they write to the same log but have a separate random stream."""
        return Dice(self.source, stage, self.log)

    def roll(
        self,
        sides: int,
        reason: str,
        clause: str | Callable[[int], str] = "",
        *,
        brings: Callable[[int], object] | None = None,
    ) -> int:
        """Roll one die, log it and return its score, from 1 to ``sides``.

        Args:
            sides: the number of sides.
            reason: what the die is for, as shown in the log.
            clause: the clause for the log, or a function that gets the score and returns it.
            brings: gets a score and returns its effect as text or a value such as ``heavy_woods``, shown to a user who
                rolls the die; None shows no effect.
        """
        labels = [str(score) for score in range(1, sides + 1)]
        find_clause = clause if isinstance(clause, str) else lambda label: clause(int(label))
        describe_position = None if brings is None else lambda position: _format_outcome(brings(position + 1))
        return (
            1
            + self._ask_source(Act.DIE, f"d{sides}", labels, reason, find_clause, describe_result=describe_position)[0]
        )

    def d6(
        self, reason: str, clause: str | Callable[[int], str] = "", *, brings: Callable[[int], object] | None = None
    ) -> int:
        """Roll one six-sided die, log it and return its score, from 1 to 6.

        Args:
            reason: what the die is for, as shown in the log.
            clause: the clause for the log, or a function that gets the score and returns it.
            brings: gets a score and returns its effect, shown to a user who rolls the die; None shows no effect.
        """
        return self.roll(6, reason, clause, brings=brings)

    def draw(
        self, pack: Sequence[T], count: int, reason: str, clause: str = "", *, minimum: int | None = None
    ) -> tuple[T, ...]:
        """Draw ``count`` cards of a pack and return them in the order drawn; this is one line of the log.

        To draw all cards is to shuffle the pack. ``pack`` itself does not change. A card is drawn once at most.

        Args:
            pack: the cards; their texts are logged.
            count: the number of cards.
            reason: what the cards are for, as shown in the log.
            clause: the clause for the log.
            minimum: a user who enters the cards may stop after this many; the others follow in the order of the pack.
                None: they must enter all.
        """
        labels, request = [str(card) for card in pack], Sentence("{count:d} cards", count=count)
        required_count = count if minimum is None else minimum
        positions = self._ask_source(Act.CARD, request, labels, reason, clause, count=count, minimum=required_count)
        return tuple(pack[position] for position in positions)

    def choose(
        self,
        options: Sequence[T],
        reason: str,
        clause: str = "",
        *,
        asks: bool = False,
        brings: Callable[[T], object] | None = None,
        weights: Sequence[int] = (),
    ) -> T:
        """Return one of ``options``: a decision that the rules leave to a player. It is logged.

        Args:
            options: the options; their texts are logged.
            reason: what the decision is about, as shown in the log.
            clause: the clause for the log.
            asks: whether the user at the terminal decides; otherwise chance does.
            brings: gets an option and returns its effect, for the user; None shows no effect.
            weights: how likely chance picks each option; all alike if empty.

        Raises:
            DiceError: there are no options.
        """
        if not options:
            raise DiceError("there are no choices left for {reason}", reason=reason, clause=clause)
        labels = [str(option) for option in options]
        request = Sentence("choice of {count:d}", count=len(labels))
        describe_position = None if brings is None else lambda position: _format_outcome(brings(options[position]))
        (position,) = self._ask_source(
            Act.CHOICE,
            request,
            labels,
            reason,
            clause,
            asks=asks,
            describe_result=describe_position,
            weights=weights,
        )
        return options[position]

    def _ask_source(
        self,
        act: Act,
        request: str,
        labels: Sequence[str],
        reason: str,
        clause: str | Callable[[str], str],
        **fields: Any,
    ) -> tuple[int, ...]:
        """Ask the source, log the answer and return its positions, counted from 0.

        The answer is added to ``log`` in place.

        Args:
            act: the kind of the question.
            request: the question as in the log, for example ``d6``.
            labels: the possible answers.
            reason: what it is for.
            clause: the clause for the log, or a function that returns it for an answer.
            fields: further fields of the question.
        """
        number = len(self.log) + 1
        question = Question(
            stage=self.stage,
            reason=reason,
            act=act,
            request=request,
            labels=labels,
            number=number,
            clause=clause,
            **fields,
        )
        positions = self.source.pick(question)
        answer = question.answer(positions)
        cited_clause = clause if isinstance(clause, str) else clause(answer)
        self.log.append(Throw(stage=self.stage, reason=reason, asked=request, answer=answer, clause=cited_clause))
        return positions


def _format_outcome(outcome: object) -> str:
    """Return an outcome of the rules in words: "heavy woods" for ``heavy_woods``; a ``Sentence`` unchanged."""
    return outcome if isinstance(outcome, Sentence) else str(outcome).replace("_", " ")


class Seeded:
    """A source of answers from a seed. Each stage has three streams: for dice, for cards and for decisions.

    Another seed for one stage, or another decision, therefore does not change any other stream.

    Args:
        seed: the seed of all stages.
        stage_seeds: separate seeds of single stages.
        name: the name of the streams; another name gives other random numbers for the same seed.
    """

    def __init__(self, seed: int, stage_seeds: Mapping[str, int] | None = None, name: str = "dice") -> None:
        self._seed = seed
        self._reseeded = dict(stage_seeds or {})
        self._name = name
        self._streams: dict[tuple[str, Act], Stream] = {}
        # The answers by the number of the roll.
        self.thrown: dict[int, str] = {}

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the next positions, counted from 0, from the stream of the question's stage and act.

        They are different positions in ``question.labels``, as many as ``question.count``. The answer is stored in
        ``thrown`` by the number of the question.
        """
        key = (question.stage, question.act)
        if key not in self._streams:
            seed = self._reseeded.get(question.stage, self._seed)
            self._streams[key] = Stream(f"{self._name}/{seed}/{question.stage}/{question.act}")
        stream = self._streams[key]
        weights = question.weights or [1] * len(question.labels)
        remaining = [position for position, weight in enumerate(weights) for _ in range(weight)]
        positions = tuple(remaining.pop(stream.draw_index(len(remaining))) for _ in range(question.count))
        self.thrown[question.number] = question.answer(positions)
        return positions


_MAX_SIDES = 1000  # printkit does not roll dice with more sides.


class ScriptedSource:
    """A source of answers from the dice and cards that the user gives, in their order.

    Args:
        scores: for example ``3 5 KS 7H``: numbers are dice, the rest are cards; they are two separate lists.
        decisions: makes the decisions, and draws the cards if the user gave no cards.
        next_source: rolls when the dice run out; without it that is an error.
    """

    def __init__(self, scores: Sequence[str], decisions: Source, next_source: Source | None = None) -> None:
        self._dice = [score for score in scores if is_number(score.lstrip("+-"))]
        self._cards = [score for score in scores if not is_number(score.lstrip("+-"))]
        self._decisions = decisions
        self._then = next_source
        self._thrown = 0

    @property
    def used_dice(self) -> tuple[str, ...]:
        """Return the scores of the user's list that were used, in order, as written."""
        return tuple(self._dice[: self._thrown])

    @property
    def unused_dice(self) -> tuple[str, ...]:
        """Return the scores of the user's list that were not used, in order, as written (BR-X09).

        Cards do not count.
        """
        return tuple(self._dice[self._thrown :])

    @property
    def unused_count(self) -> int:
        """Return the number of dice in the user's list that were not used."""
        return len(self.unused_dice)

    def reject_unused_cards(self) -> None:
        """Raise an error if cards of the user's list were not used; otherwise do nothing.

        Raises:
            DiceError: cards were not used; the message names them.
        """
        if self._cards:
            raise DiceError(
                "no card is needed here, but your dice include {cards}; write a score instead",
                cards=", ".join(self._cards),
                clause="BR-X06",
            )

    def pick(self, question: Question) -> tuple[int, ...]:
        """Return the next answer of the list as positions, counted from 0.

        Choices come from ``decisions``, and cards too if the list has no more. Dice after the end of the list come from
        ``next_source`` if there is one.

        Raises:
            DiceError: the list is used up (BR-X08), or a score or card is not valid (BR-X07, BR-X06).
        """
        match question.act:
            case Act.DIE:
                return (self._next_die(question),)
            case Act.CARD if self._cards:
                return self._draw_cards(question)
            case _:
                return self._decisions.pick(question)

    def _next_die(self, question: Question) -> int:
        """Return the position, from 0, of the next die of the list; ``next_source`` rolls it when the list is used up.

        A die of the list counts as used from then on.

        Raises:
            DiceError: the list is used up and there is no such source (BR-X08), cards are left over (BR-X06), or the
                score is not valid (BR-X07).
        """
        self._thrown += 1
        if self._thrown > len(self._dice):
            if self._then is not None:
                self._thrown = len(self._dice)
                return self._then.pick(question)[0]
            self.reject_unused_cards()
            raise DiceError(
                "die {thrown} is missing: {reason} needs {asked}. Add dice, or a --seed to roll the rest.",
                thrown=self._thrown,
                asked=question.request,
                reason=question.reason,
                count=len(self._dice),
                clause="BR-X08",
            )
        score = self._dice[self._thrown - 1]
        if score not in question.labels:
            raise DiceError(
                "die {thrown} is {score}, but {reason} needs a {asked}: {first} to {last}",
                thrown=self._thrown,
                score=score,
                asked=question.request,
                reason=question.reason,
                first=question.labels[0],
                last=question.labels[-1],
                clause="BR-X07",
            )
        return question.labels.index(score)

    def _draw_cards(self, question: Question) -> tuple[int, ...]:
        """Remove the next cards from the list and return their positions, from 0; a shuffle takes all of them.

        Raises:
            DiceError: a card is not valid, or there are too few (BR-X06).
        """
        takes_all = question.count == len(question.labels)
        count = len(self._cards) if takes_all else question.count
        cards, self._cards = self._cards[:count], self._cards[count:]
        return order_cards(cards, question)


def order_cards(cards: Sequence[str], question: Question) -> tuple[int, ...]:
    """Return the answer to a question about cards: positions in the pack, from 0.

    The given cards come first, then the others in the order of the pack. There are ``question.count`` of them; further
    cards are dropped.

    Raises:
        DiceError: a card is not in the pack or was given twice, or there are fewer than ``question.minimum`` (BR-X06).
    """
    labels = list(question.labels)
    first_positions: list[int] = []
    for card in cards:
        if card not in labels:
            raise DiceError("{card} is not a card of this deck", card=card, clause="BR-X06")
        if labels.index(card) in first_positions:
            raise DiceError("{card} was given twice, but the deck has it only once", card=card, clause="BR-X06")
        first_positions.append(labels.index(card))
    if len(first_positions) < question.minimum:
        raise DiceError(
            "you gave {count} cards for {reason}, which needs at least {least} different cards",
            count=len(first_positions),
            reason=question.reason,
            least=question.minimum,
            clause="BR-X06",
        )
    rest = [position for position in range(len(labels)) if position not in set(first_positions)]
    return tuple((first_positions + rest)[: question.count])


def split_scores(text: str) -> list[str]:
    """Return the scores and cards of a typed line, in capitals.

    Blanks, commas or semicolons separate them. In a card, T means 10: ``th`` gives ``10H``. An empty line gives an
    empty list.
    """
    return [re.sub(r"^T(?=[SHDC]$)", "10", score) for score in re.split(r"[\s,;]+", text.upper()) if score]


# --- The dice log as text: one line per roll; plain lists of scores that users type -----------------------------------

_HEADER = "# number | stage | reason | asked | answer | clause | mark"
_NOT_SEEDED = "not of the seed"
_WAS = "was "


def write_log(log: Iterable[Throw], head: Iterable[str] = ()) -> str:
    """Return rolls as text for ``read_log``: a header and one line for each roll, numbered from 1.

    A line has the parts number, stage, reason, request, answer, clause and mark, separated by `` | ``. The lines of
    ``head`` are comments above them, without a ``#`` of their own. The text ends with a line end.
    """
    lines = [
        " | ".join((str(number), t.stage, t.reason, t.asked, t.answer, t.clause, _format_mark(t))).rstrip(" |")
        for number, t in enumerate(log, 1)
    ]
    return "\n".join([*(f"# {line}" for line in head), _HEADER, *lines]) + "\n"


def _format_mark(throw: Throw) -> str:
    """Return the last column of a line of the log, or an empty text.

    It is the answer that the user replaced, or a mark for a roll that is not from the seed.
    """
    return f"{_WAS}{throw.was}" if throw.was else "" if throw.seeded else _NOT_SEEDED


def read_head(text: str) -> tuple[str, ...]:
    """Return the comment lines above the header of a log, without their ``#``; empty if there are none."""
    return tuple(line[1:].strip() for line in text.partition(_HEADER)[0].splitlines() if line.startswith("#"))


def is_log(text: str) -> bool:
    """Return whether the text is a log rather than a plain list of scores: it contains `` | ``."""
    return " | " in text


def read_log(text: str) -> tuple[Throw, ...]:
    """Return the rolls in the text of a log, in its order; their numbers are optional and ignored.

    Empty lines and comments are skipped. A mark in the last column means that the roll is not from the seed, or gives
    the answer that the user replaced.

    Raises:
        DiceError: a line has too few parts; the message gives its number, from 1.
    """
    throws = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        parts = parts[1:] if is_number(parts[0]) else parts
        if len(parts) < 4:
            raise DiceError(
                "line {number} of the log has {count} parts; it needs four: stage | reason | asked | answer",
                number=number,
                count=len(parts),
            )
        stage, reason, request, answer, clause, mark = (*parts, "", "")[:6]
        was = mark.removeprefix(_WAS) if mark.startswith(_WAS) else ""
        throws.append(
            Throw(stage=stage, reason=reason, asked=request, answer=answer, clause=clause, seeded=not mark, was=was)
        )
    return tuple(throws)


def read_scores(text: str) -> Sequence[str]:
    """Return the scores and cards of a list such as ``5 3, 2 KS 10h``, in capitals.

    Comments after ``#`` are left out.
    """
    return split_scores(re.sub(r"#.*", " ", text))
