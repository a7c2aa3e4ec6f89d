"""One board for all tests of a worker that play the same game: each is laid out once by its orders and throws.

Every throw is asked for all the same, of whoever answers it; a board that came of the same answers before is taken as
it was. What a seed throws and what a log answers are kept apart, so that a replay is laid out from its log at least
once. While a test has patched what places terrain, or uses ``_laid_anew``, every board is laid out.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace

from printkit.chance.dice import Question, Seeded, Source
from printkit.chance.replaying import ReplaySource
from printkit.kit.system import Outcome
from printkit.recipes.game.games import GameSetup

PLACING: Final = ("printkit.systems", "printkit.kit", "printkit.terrain", "printkit.chance", "printkit.recipes.game")
"""Packages of which anything that is patched may lead to another board."""

LayOut = Callable[[GameSetup, Source], Outcome]

_patching: Final[set[int]] = set()
"""Who has patched something that places terrain, and has not taken it back."""


class _Laid(NamedTuple):
    """A game that was laid out: what was asked, what was answered, and what came of it.

    ``held`` is there for its identity alone, which no other object takes while this one lives.
    """

    questions: tuple[Question, ...]
    answers: tuple[tuple[int, ...], ...]
    outcome: Outcome
    held: object


def _asked(known: list[_Laid], source: Source) -> tuple[list[tuple[int, ...]], _Laid | None]:
    """Ask as long as a game that is known would ask on, and return the answers, and the game that they all fit."""
    answers: list[tuple[int, ...]] = []
    while fitting := [game for game in known if game.answers[: len(answers)] == tuple(answers)]:
        if whole := next((game for game in fitting if len(game.answers) == len(answers)), None):
            return answers, whole
        answers.append(source.pick(fitting[0].questions[len(answers)]))
    return answers, None


def _heard(lay_out: LayOut, game: GameSetup, source: Any, answered: list[tuple[int, ...]]) -> _Laid:
    """Lay out a board; what was answered already is not asked again."""
    before, questions, answers = deque(answered), [], []

    def pick(question: Question) -> tuple[int, ...]:
        places = before.popleft() if before else type(source).pick(source, question)
        questions.append(question)
        answers.append(places)
        return places

    source.pick = pick
    try:
        outcome = lay_out(game, source)
    finally:
        del source.pick
    return _Laid(tuple(questions), tuple(answers), outcome, (game.system, game.system.book))


def _ignore(_key: str) -> None:
    pass


def laid_once(lay_out: LayOut, on_board: Callable[[str], None] = _ignore) -> LayOut:
    """Return what lays out each board once, for all games of the same orders and throws.

    ``on_board`` is called for each board that is laid out: with a text that is the same in every process for the same
    orders and throws, or with an empty text for a board that no other test can share.
    """
    laid: dict[str, list[_Laid]] = {}

    def once(game: GameSetup, source: Source) -> Outcome:
        if _patching or type(source) not in (Seeded, ReplaySource):
            on_board("")
            return lay_out(game, source)
        system = type(game.system)
        own = (game.scenario, game.reseeded, game.draft)
        orders = (type(source), system, game.system.name, id(game.system.book), *own)
        known = laid.setdefault(repr(orders), [])
        answers, found = _asked(known, source)
        if found is None:
            found = _heard(lay_out, game, source, answers)
            known.append(found)
            on_board(repr((*orders[:3], game.system.book, *orders[4:], found.answers)))
        # A test may change what a record tells.
        made = found.outcome
        return replace(made, details=deepcopy(made.details), secrets=deepcopy(made.secrets))

    return once


def lay_out_anew(patch: pytest.MonkeyPatch) -> None:
    """Have every board laid out until a patch is taken back."""
    _patching.add(id(patch))


def watch_patches() -> None:
    """Lay out every board while what places terrain is patched."""
    for name in ("setattr", "delattr", "setitem", "delitem"):
        setattr(pytest.MonkeyPatch, name, _watched(getattr(pytest.MonkeyPatch, name)))
    undo = pytest.MonkeyPatch.undo

    def undone(patch: pytest.MonkeyPatch) -> None:
        undo(patch)
        _patching.discard(id(patch))

    pytest.MonkeyPatch.undo = undone  # type: ignore[method-assign]


def _watched(method: Callable[..., None]) -> Callable[..., None]:
    def patched(patch: pytest.MonkeyPatch, target: object, *given: Any, **named: Any) -> None:
        if target is not os.environ and _place(target).startswith((*PLACING, "builtins")):
            _patching.add(id(patch))
        method(patch, target, *given, **named)

    return patched


def _place(target: object) -> str:
    """Return the module that a patched thing is of; a table has none, and may be of any."""
    if isinstance(target, str):
        return target
    module = target.__name__ if isinstance(target, type(os)) else getattr(target, "__module__", None)
    return str(module or type(target).__module__)
