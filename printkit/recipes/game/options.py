"""The possible answers to each roll of a recorded game: options of choices, cards in the pack."""

from __future__ import annotations

from collections.abc import Mapping

from printkit.chance.dice import Act, Question, Seeded, Source
from printkit.chance.replaying import ReplaySource
from printkit.core.errors import PrintkitError
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import setup_from_record
from printkit.terrain.field.record import Record


class _OptionRecorder:
    """A source of rolls that records the options of each choice and card, by the number of the roll."""

    def __init__(self, source: Source) -> None:
        self._then = source
        self.options: dict[int, tuple[str, ...]] = {}

    def pick(self, question: Question) -> tuple[int, ...]:
        """Record the options of a choice or card, then return the answer of the wrapped source."""
        if question.act is not Act.DIE:
            self.options[question.number] = tuple(question.labels)
        return self._then.pick(question)


def find_roll_options(system: RuleSystem, record: Record, words: Words) -> Mapping[int, tuple[str, ...]]:
    """Return the labels to choose from for each choice and card, by the number of the roll, from 1.

    They come from a replay of the log, up to the first roll that fails. Dice are missing. The mapping is empty if the
    record cannot be replayed, for example because the battlefield was drawn by hand.
    """
    try:
        setup = setup_from_record(system, record, words)
        seed_source = Seeded(record.seed or 0)
        recorder = _OptionRecorder(ReplaySource(record.log, seed_source, repair_source=seed_source))
    except PrintkitError:
        return {}
    try:
        setup.run_rules(recorder)
    except PrintkitError:
        return recorder.options
    return recorder.options
