"""One board for many commands: a game that is dealt, revealed, proven and played again is laid out once by its throws.

Every throw is asked for all the same, of whoever answers it; a board that came of the same answers before is taken as
it was. Only where nothing but a game's own orders and throws can change its board, as a patch would.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from printkit.chance.dice import Dice, Question, Source, Throw
from printkit.chance.streams import Jitter
from printkit.kit.system import Outcome, Scenario
from printkit.recipes.game import games
from printkit.systems.brantley.system import Brantley
from printkit.terrain.field.record import Record, read


class _Laid(NamedTuple):
    """A game that was laid out: what was asked, what was answered, its log and what came of it."""

    questions: tuple[Question, ...]
    answers: tuple[tuple[int, ...], ...]
    log: tuple[Throw, ...]
    outcome: Outcome


class _Listening:
    """Hands on questions and keeps them; those that were answered already it answers itself."""

    def __init__(self, source: Source, answered: deque[tuple[int, ...]]) -> None:
        self.source, self.answered = source, answered
        self.questions: list[Question] = []
        self.answers: list[tuple[int, ...]] = []

    def pick(self, question: Question) -> tuple[int, ...]:
        places = self.answered.popleft() if self.answered else self.source.pick(question)
        self.questions.append(question)
        self.answers.append(places)
        return places


_LAID: dict[str, list[_Laid]] = {}
_READ: dict[str, Record] = {}


def _asked(games_laid: list[_Laid], source: Source) -> tuple[list[tuple[int, ...]], _Laid | None]:
    """Ask as long as a game that is known would ask on, and return the answers, and the game that they all fit."""
    answers: list[tuple[int, ...]] = []
    while fitting := [game for game in games_laid if game.answers[: len(answers)] == tuple(answers)]:
        if whole := next((game for game in fitting if len(game.answers) == len(answers)), None):
            return answers, whole
        answers.append(source.pick(fitting[0].questions[len(answers)]))
    return answers, None


def boards_laid_once(patch: pytest.MonkeyPatch) -> None:
    """Lay out a board of Brantley's once for all games of the same orders and throws, and read a record once."""
    lay_out = Brantley.lay_out

    def once(system: Brantley, scenario: Scenario, dice: Dice, jitter: Jitter) -> Outcome:
        known = _LAID.setdefault(repr((scenario, jitter)), [])
        answers, laid = _asked(known, dice.source)
        if laid is None:
            listening = _Listening(dice.source, deque(answers))
            heard = Dice(listening, dice.stage, dice.log)
            outcome = lay_out(system, scenario, heard, jitter)
            laid = _Laid(tuple(listening.questions), tuple(listening.answers), tuple(dice.log), outcome)
            known.append(laid)
        else:
            dice.log.extend(laid.log)
        return replace(laid.outcome, warnings=dice.left_over("BR-X09"))

    def read_once(text: str, *going: object) -> Record:
        if text not in _READ:
            _READ[text] = read(text, *going)
        return _READ[text]

    patch.setattr(Brantley, "lay_out", once)
    patch.setattr(games, "read", read_once)
