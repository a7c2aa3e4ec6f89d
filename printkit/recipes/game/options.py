"""What each throw of a recorded game could have been: the options of its choices, the cards that were in its packs."""

from __future__ import annotations

from collections.abc import Mapping

from printkit.chance.dice import Act, Question, Seeded, Source
from printkit.chance.replaying import Replayed
from printkit.core.errors import PrintkitError
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import game_of
from printkit.terrain.field.record import Record


class _Heard:
    """Keeps what is asked for that is no die, by the number of the throw."""

    def __init__(self, then: Source) -> None:
        self._then = then
        self.options: dict[int, tuple[str, ...]] = {}

    def pick(self, question: Question) -> tuple[int, ...]:
        if question.act is not Act.DIE:
            self.options[question.number] = tuple(question.labels)
        return self._then.pick(question)


def options_of(system: RuleSystem, record: Record, words: Words) -> Mapping[int, tuple[str, ...]]:
    """Return the labels of which each choice and each card of a record was one, by the number of the throw in its log.

    They are those of the game as it is played from its log; where the log does not fit, up to there. A field that was
    drawn by hand has none.
    """
    try:
        game = game_of(system, record, words)
        again = Seeded(record.seed or 0)
        heard = _Heard(Replayed(record.log, again, mending=again))
    except PrintkitError:
        return {}
    try:
        game.laid(heard)
    except PrintkitError:
        return heard.options
    return heard.options
