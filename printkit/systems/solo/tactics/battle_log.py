"""The log of a battle: what each stage came to, with every step and its dice, as JSON beside the battle file (7.8)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from printkit.core.errors import Sentence
from printkit.core.typed import convert, parse_json, read_json
from printkit.systems.solo.tactics.bounds import Losses
from printkit.systems.solo.tactics.logged_steps import SCHEMA, LoggedBattle
from printkit.terrain.field.record import FIRST_SHAPES

COMPOSE: Final = "compose"
TERRAIN: Final = "terrain"
EDGE: Final = "edge"
DEPLOY: Final = "deploy"
SWAP: Final = "swap"
LEVEL: Final = "level"
STAGES: Final = (COMPOSE, TERRAIN, EDGE, DEPLOY, SWAP, LEVEL)
"""What is done once in a game, in its order; bounds come after, each with a number."""

_REMEDY: Final = Sentence("Restore the file, or delete it and play the battle again.")


class BoundEntry(Struct, frozen=True, kw_only=True):
    """A bound that was played: its number from 1, dice, losses at its start, stance, and what became of an override.

    ``camps`` and ``generals`` are the sides, ``npg`` or ``you``, of which these were lost.
    """

    number: int
    pips: int
    die: int
    net: int
    npg_lost: int
    you_lost: int
    stance: str
    override: str = ""
    camps: tuple[str, ...] = ()
    generals: tuple[str, ...] = ()

    @property
    def losses(self) -> Losses:
        """Return the losses at its start."""
        return Losses(
            npg=self.npg_lost,
            you=self.you_lost,
            npg_camp="npg" in self.camps,
            you_camp="you" in self.camps,
            npg_general="npg" in self.generals,
            you_general="you" in self.generals,
        )

    def as_data(self) -> dict[str, Any]:
        """Return the bound as plain values, as the log keeps it."""
        lost = {"camps": list(self.camps), "generals": list(self.generals)}
        return {
            **{name: value for name, value in asdict(self).items() if name not in lost},
            **{name: sides for name, sides in lost.items() if sides},
        }


class StageEntry(Struct, frozen=True, kw_only=True):
    """What a stage came to: plain results by name, and the steps as ``Step.as_data`` gives them."""

    results: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[Mapping[str, Any], ...] = ()


class BattleLog(Struct, frozen=True, kw_only=True):
    """Everything thrown and decided so far; ``seed`` is that of chance, ``answers`` are facts that a person gave.

    ``shapes`` is the number of the outlines of the rules when the battle began (``kit.plugin.Plugin``).
    """

    seed: int | None = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    stages: Mapping[str, StageEntry] = field(default_factory=dict)
    bounds: tuple[BoundEntry, ...] = ()
    shapes: int = FIRST_SHAPES

    def done(self, stage: str) -> bool:
        """Return whether a stage has its result."""
        return stage in self.stages

    def result(self, stage: str, name: str) -> Any:
        """Return a result of a stage, or None where it was not played or came to nothing of that name."""
        return self.stages[stage].results.get(name) if stage in self.stages else None

    def with_stage(self, stage: str, entry: StageEntry) -> BattleLog:
        """Return the log with a stage; what hangs on it, all later stages but the level, is forgotten.

        Where the stage was done before, all that came after it is forgotten: the level and the bounds too.
        """
        if stage == LEVEL:
            return replace(self, stages={**self.stages, stage: entry})
        earlier = self.without(stage) if self.done(stage) else self
        later = STAGES[STAGES.index(stage) :]
        kept = {name: found for name, found in earlier.stages.items() if name == LEVEL or name not in later}
        return replace(earlier, stages={**kept, stage: entry})

    def without(self, stage: str) -> BattleLog:
        """Return the log as it was before a stage: without it, the stages after it, the level, and all bounds."""
        earlier = STAGES[: STAGES.index(stage)]
        return replace(self, stages={name: self.stages[name] for name in earlier if name in self.stages}, bounds=())

    def without_last_bound(self) -> BattleLog:
        """Return the log without the override of the last bound, or where none was tried without that bound."""
        *others, last = self.bounds
        kept = (*others, replace(last, override="")) if last.override else tuple(others)
        return replace(self, bounds=kept)

    def with_bound(self, entry: BoundEntry) -> BattleLog:
        """Return the log with a bound, or with the last one changed where the number is the same."""
        earlier = tuple(bound for bound in self.bounds if bound.number != entry.number)
        return replace(self, bounds=(*earlier, entry))

    @property
    def overrides(self) -> int:
        """Return how many tries to override the engine are spent (SD-5.4-d)."""
        return sum(1 for bound in self.bounds if bound.override)


def write_log(log: BattleLog) -> str:
    """Return the log as JSON text: the same log, the same text."""
    tree = {
        "schema": SCHEMA,
        "printkit": {"shapes": log.shapes},
        "seed": log.seed,
        "answers": dict(sorted(log.answers.items())),
        "stages": {name: asdict(log.stages[name]) for name in STAGES if name in log.stages},
        "bounds": [bound.as_data() for bound in log.bounds],
    }
    return json.dumps(tree, indent=1, ensure_ascii=False) + "\n"


def read_log(text: str, file: str) -> BattleLog:
    """Return the log of a text; ``file`` is the name of its file.

    Raises:
        FileError: it is not the log of a battle, or a member is wrong; names it.
    """
    shapes = read_json(text, LoggedBattle, file, _REMEDY).printkit.shapes
    # The log keeps what only people read of it.
    return replace(convert(parse_json(text, file), BattleLog, file), shapes=shapes)
