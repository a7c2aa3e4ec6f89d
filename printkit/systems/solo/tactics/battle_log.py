"""The log of a battle: what each stage came to, with every step and its dice, as JSON beside the battle file (7.8)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, ValidationError, convert, field
from msgspec.structs import asdict, replace

from printkit.core.errors import RecordError, Sentence
from printkit.systems.solo.tactics.bounds import Losses
from printkit.systems.solo.tactics.logged_steps import RESULTS, LoggedBound, LoggedStep
from printkit.terrain.field.geojson import Member, parse
from printkit.terrain.field.record import FIRST_SHAPES, shapes_in

SCHEMA: Final = "dba-battle-log/1"

COMPOSE: Final = "compose"
TERRAIN: Final = "terrain"
EDGE: Final = "edge"
DEPLOY: Final = "deploy"
SWAP: Final = "swap"
LEVEL: Final = "level"
STAGES: Final = (COMPOSE, TERRAIN, EDGE, DEPLOY, SWAP, LEVEL)
"""What is done once in a game, in its order; bounds come after, each with a number."""

# Results without which a stage cannot have been played.
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    COMPOSE: ("npg_army", "attacker"),
    DEPLOY: ("groups", "places"),
    LEVEL: ("level",),
}

_MISSING: Final = re.compile("Object missing required field `(.*)`")
_REMEDY: Final = Sentence("restore the file, or delete it and play the battle again")


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


def read_log(text: str) -> BattleLog:
    """Return the log of a text.

    Raises:
        RecordError: it is no log of a battle, or a member is wrong; names it.
    """
    document = parse(text)
    schema = document.need("schema", Sentence('write "schema": "{schema}"', schema=SCHEMA))
    if schema.value != SCHEMA:
        raise schema.wrong('"{schema}"', schema=SCHEMA)
    seed, answers = document.get("seed"), document.get("answers")
    stages, bounds = document.get("stages"), document.get("bounds")
    return BattleLog(
        seed=seed.whole() if seed else None,
        answers={name: member.value for name, member in (answers.pairs() if answers else ())},
        stages={name: _stage(name, member) for name, member in (stages.pairs() if stages else ())},
        bounds=tuple(convert(_checked(each, LoggedBound), BoundEntry) for each in (bounds.items() if bounds else ())),
        shapes=shapes_in(document),
    )


def _stage(name: str, member: Member) -> StageEntry:
    if name not in STAGES:
        raise RecordError("stages.{name} is not a stage; use one of {stages}", name=name, stages=", ".join(STAGES))
    results, steps = member.get("results"), member.get("steps")
    kept = dict(results.pairs()) if results else {}
    for key in _NEEDED.get(name, ()):
        member.need("results", _REMEDY).need(key, _REMEDY)
    entry = StageEntry(
        results={key: _checked(found, RESULTS.get(key, Any) | None) for key, found in kept.items()},
        steps=tuple(_checked(step, LoggedStep) for step in (steps.items() if steps else ())),
    )
    groups, places = entry.results.get("groups") or (), entry.results.get("places") or ()
    if len(groups) != len(places):
        raise RecordError(
            "{path} has {count} groups and {places} places; {remedy}",
            path=f"{member.path}.results",
            count=len(groups),
            places=len(places),
            remedy=_REMEDY,
        )
    return entry


def _checked(member: Member, type: Any) -> Any:
    """Return the plain value of a member that is of a type.

    Raises:
        RecordError: it is not; names the value inside it that is wrong.
    """
    try:
        convert(member.value, type)
    except ValidationError as error:
        fault, _, place = str(error).partition(" - at `$")
        path = f"{member.path}{place.rstrip('`')}"
        if missing := _MISSING.fullmatch(fault):
            raise RecordError("{place} is missing; {remedy}", place=f"{path}.{missing[1]}", remedy=_REMEDY) from None
        raise RecordError(
            "{path} is not the file that printkit wrote ({error}); {remedy}", path=path, error=fault, remedy=_REMEDY
        ) from None
    return member.value
