"""Dice, cards and decisions as a person at the terminal gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from printkit.chance.dice import Act, Question, Source, on_top, split_scores
from printkit.core.errors import DiceError, Sentence


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
            return self._decide(question) if question.asks else self._decisions.pick(question)
        while True:
            typed = split_scores(self._prompt(question))
            if not typed:
                return self._decisions.pick(question)
            places = self._places(typed, question)
            if places is not None:
                return places
            self._complain(
                Sentence(
                    "{typed} will not do: {asked} for {reason}",
                    typed=" ".join(typed),
                    asked=question.asked,
                    reason=question.reason,
                )
            )

    def _decide(self, question: Question) -> tuple[int, ...]:
        """Ask for one of the options, by its name in any case or by its number from 1."""
        names = [label.casefold() for label in question.labels]
        while True:
            typed = " ".join(self._prompt(question).casefold().split())
            if not typed:
                return self._decisions.pick(question)
            if typed in names:
                return (names.index(typed),)
            if typed.isdecimal() and 1 <= int(typed) <= len(names):
                return (int(typed) - 1,)
            self._complain(
                Sentence(
                    "{typed!r} will not do for {reason}: {labels}",
                    typed=typed,
                    reason=question.reason,
                    labels=", ".join(question.labels),
                )
            )

    def _places(self, typed: Sequence[str], question: Question) -> tuple[int, ...] | None:
        if question.act is Act.DIE:
            return (question.labels.index(typed[0]),) if len(typed) == 1 and typed[0] in question.labels else None
        try:
            return on_top(typed, question) if len(typed) <= question.count else None
        except DiceError:
            return None
