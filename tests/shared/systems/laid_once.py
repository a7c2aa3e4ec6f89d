"""One board for many commands: a game that is dealt, revealed, proven and played again is laid out once by its throws.

Every throw is asked for all the same, of whoever answers it; a board that came of the same answers before is taken as
it was. What a seed throws and what a log answers are kept apart, so that a replay is laid out from its log at least
once. Only where nothing but a game's own orders and throws can change its board, as a patch would.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import pytest

from printkit.chance.dice import Question, Seeded, Source
from printkit.chance.replaying import Replayed
from printkit.kit.system import Outcome
from printkit.recipes.game import games
from printkit.terrain.field.record import Record, read


class _Laid(NamedTuple):
    """A game that was laid out: what was asked, what was answered, and what came of it."""

    questions: tuple[Question, ...]
    answers: tuple[tuple[int, ...], ...]
    outcome: Outcome


_LAID: dict[str, list[_Laid]] = {}
_READ: dict[str, Record] = {}


def _asked(known: list[_Laid], source: Source) -> tuple[list[tuple[int, ...]], _Laid | None]:
    """Ask as long as a game that is known would ask on, and return the answers, and the game that they all fit."""
    answers: list[tuple[int, ...]] = []
    while fitting := [game for game in known if game.answers[: len(answers)] == tuple(answers)]:
        if whole := next((game for game in fitting if len(game.answers) == len(answers)), None):
            return answers, whole
        answers.append(source.pick(fitting[0].questions[len(answers)]))
    return answers, None


def boards_laid_once(patch: pytest.MonkeyPatch) -> None:
    """Lay out a board once for all games of the same orders and throws, and read a record once."""
    laid = games.GameSetup.laid

    def heard(game: games.GameSetup, source: Any, answered: list[tuple[int, ...]]) -> _Laid:
        """Lay out a board; what was answered already is not asked again."""
        before, questions, answers = deque(answered), [], []

        def pick(question: Question) -> tuple[int, ...]:
            places = before.popleft() if before else type(source).pick(source, question)
            questions.append(question)
            answers.append(places)
            return places

        source.pick = pick
        try:
            outcome = laid(game, source)
        finally:
            del source.pick
        return _Laid(tuple(questions), tuple(answers), outcome)

    def once(game: games.GameSetup, source: Source) -> Outcome:
        if type(source) not in (Seeded, Replayed):
            return laid(game, source)
        orders = (type(source).__name__, game.system.name, id(game.system.book), game.scenario, game.reseeded)
        known = _LAID.setdefault(repr(orders), [])
        answers, found = _asked(known, source)
        if found is None:
            found = heard(game, source, answers)
            known.append(found)
        return found.outcome

    def read_once(text: str, *going: Any) -> Record:
        if text not in _READ:
            _READ[text] = read(text, *going)
        return _READ[text]

    patch.setattr(games.GameSetup, "laid", once)
    patch.setattr(games, "read", read_once)
