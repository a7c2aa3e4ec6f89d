"""Playing a rule system through to a record, the files that settings name, remarks, and what is still to be thrown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.asking import Asked
from printkit.chance.dice import (
    Dice,
    MisfitError,
    Question,
    Replayed,
    Scripted,
    Seeded,
    Source,
    Throw,
    is_log,
    read_log,
    read_scores,
)
from printkit.chance.streams import Jitter
from printkit.core.errors import RecordError, Sentence, UsageError
from printkit.core.units import MM_PER_INCH, parse_length, parse_size
from printkit.core.words import Words
from printkit.kit.rules import NAMES_KEY, OWN_KEYS, TITLE_KEY
from printkit.kit.system import Outcome, RuleSystem, Scenario
from printkit.recipes.game.request import Orders, read_text
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.names import NO_NAMES, christen
from printkit.terrain.field.record import Record, read, write

# --- Files of a person's own that a setting names ---------------------------------------------------------------------


@runtime_checkable
class ReadsFiles(Protocol):
    """A rule system of which a setting may be the path of a file."""

    def file_lists(self, text: str, place: str) -> Mapping[str, tuple[str, ...]]:
        """Return the lists of a scenario that the text of such a file stands for."""
        ...


def with_files(system: RuleSystem, settings: Mapping[str, str], inputs: Mapping[str, object]) -> Mapping[str, object]:
    """Return the lists of a scenario with those of the files that its settings name before them.

    The record keeps the lists, so that the game can be thrown again, and judged, where the file is not.

    Raises:
        ScenarioError: a file cannot be read, or not be understood.
    """
    if not isinstance(system, ReadsFiles):
        return inputs
    found = dict(inputs)
    for setting in system.book.settings:
        named = settings[setting.key]
        if not setting.path or named in setting.values:
            continue
        for name, lines in system.file_lists(read_text(Path(named)), named).items():
            own = found.get(name, ())
            found[name] = [*lines, *(own if isinstance(own, list | tuple) else ())]
    return found


# --- What a rule system finds in a record beyond its clauses ----------------------------------------------------------


@runtime_checkable
class Remarks(Protocol):
    """A rule system that has something to say about what a scenario gave besides terrain."""

    def remarks(self, record: Record, words: Words) -> Iterable[str]:
        """Return lines about a record."""
        ...


def remarks_of(system: RuleSystem, record: Record, words: Words) -> tuple[str, ...]:
    """Return the lines of a rule system about a record; none of most systems.

    Raises:
        ScenarioError: what the record gives cannot be read.
    """
    return tuple(system.remarks(record, words)) if isinstance(system, Remarks) else ()


INPUTS = "inputs"

SMALLEST = 4 * MM_PER_INCH
LARGEST = 240 * MM_PER_INCH
"""The sides in mm of the boards that can be asked for; below, features have no room, above, no hall has."""


class Played(Struct, frozen=True, kw_only=True):
    """A record as it will be read back, what the person should hear, and the stages that were thrown anew."""

    record: Record
    warnings: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()


class AskedPerson(Struct, frozen=True):
    """The person at the terminal: how a throw is asked for, and how a wrong answer is refused."""

    prompt: Callable[[Question], str]
    complain: Callable[[str], None]


def play(
    system: RuleSystem,
    orders: Orders,
    seed: int,
    words: Words,
    *,
    goes_on: bool = True,
    person: AskedPerson | None = None,
) -> Played:
    """Return a new game.

    Args:
        system: the rules.
        orders: settings, inputs, and a person's own dice where he gave any.
        seed: of everything that his dice do not decide.
        words: the language of names and titles.
        goes_on: whether the seed throws on where his dice run out.
        person: is asked for every throw.

    Raises:
        PrintkitError: an input or a die is wrong.
    """
    game = _Game(system, orders, scenario_of(system, orders, seed), words)
    seeded = Seeded(seed)
    if orders.dice is not None and is_log(orders.dice):
        return game.replayed(read_log(orders.dice))
    source: Source = seeded
    if person is not None:
        source = Asked(person.prompt, person.complain, seeded)
    elif orders.dice is not None:
        source = Scripted(read_scores(orders.dice), seeded, seeded if goes_on else None)
    return game.played(system.lay_out(game.scenario, Dice(source), Jitter(seed)))


def play_again(
    system: RuleSystem, record: Record, words: Words, *, reroll: Sequence[str], keep: Sequence[str], fresh: int
) -> Played:
    """Return a recorded game with some stages thrown anew from the seed ``fresh``, the others from its log.

    Raises:
        UsageError: a stage that the system does not have.
        RecordError: the record has no log or no seed to play from.
    """
    for stage in (*reroll, *keep):
        if stage not in system.stages:
            raise UsageError(
                "{system} has no stage {stage!r}; there are {stages}",
                system=system.name,
                stage=stage,
                stages=", ".join(system.stages),
            )
    if not record.log or record.seed is None:
        raise RecordError(
            "this record has no log and seed, so no stage of it can be thrown again; it was drawn by hand"
        )
    anew = tuple(stage for stage in system.stages if stage in reroll or (keep and stage not in keep))
    orders = Orders(
        rules=record.rules,
        settings={key: value for key, value in record.settings.items() if key not in OWN_KEYS},
        names=record.settings.get(NAMES_KEY, NO_NAMES),
        title=record.settings.get(TITLE_KEY, ""),
        inputs=record.details.get(INPUTS, {}),
    )
    board, settings = record.battlefield.board, system.book.settle(orders.settings)
    scenario = Scenario(board=board, settings=settings, seed=record.seed, inputs=orders.inputs)
    reseeded = {**record.reseeded, **dict.fromkeys(anew, fresh)}
    return _Game(system, orders, scenario, words, reseeded).replayed(record.log, anew)


def settled(system: RuleSystem, record: Record) -> Record:
    """Return the record as it will be read back, so that what is printed now and what is printed later is the same."""
    return read(write(record), system.book.going)


class _Game(Struct, frozen=True):
    """A game before its dice: whose it is, what was ordered, and the seeds of stages that are thrown anew."""

    system: RuleSystem
    orders: Orders
    scenario: Scenario
    words: Words
    reseeded: Mapping[str, int] = field(default_factory=dict)

    def replayed(self, log: Sequence[Throw], anew: Sequence[str] = ()) -> Played:
        """Play from a log; a stage whose throws fit no longer is thrown anew, until every stage fits or is new."""
        renewed, seed = set(anew), self.scenario.seed
        while True:
            source = Replayed(log, Seeded(seed, self.reseeded), frozenset(renewed))
            try:
                outcome = self.system.lay_out(self.scenario, Dice(source), Jitter(seed, self.reseeded))
            except MisfitError as misfit:
                renewed.add(misfit.stage)
                continue
            if not source.unused():
                break
            renewed.update(source.unused())
        others = (stage for stage in self.system.stages if stage in renewed and stage not in anew)
        return self.played(outcome, tuple(each for each in others if _of(each, log) != _of(each, outcome.log)))

    def played(self, outcome: Outcome, renewed: tuple[str, ...] = ()) -> Played:
        """Return the game with its names and its title, as it will be read back."""
        scenario, orders = self.scenario, self.orders
        named = christen(outcome.battlefield, self.words.code, orders.names, Jitter(scenario.seed))
        details = {**outcome.details, INPUTS: dict(scenario.inputs)} if scenario.inputs else outcome.details
        thrown = Record(
            rules=self.system.name,
            battlefield=replace(named, title=orders.title or _title(named, self.words)),
            settings={**scenario.settings, **orders.own_settings},
            seed=scenario.seed,
            reseeded=self.reseeded,
            log=outcome.log,
            details=details,
        )
        record = settled(self.system, thrown)
        warnings = (*outcome.warnings, *remarks_of(self.system, record, self.words))
        return Played(record=record, warnings=warnings, renewed=renewed)


def _of(stage: str, log: Sequence[Throw]) -> list[Throw]:
    """Return the throws of a stage; a pack that was given is thrown anew in each replay, and is the same again."""
    return [throw for throw in log if throw.stage == stage]


def scenario_of(system: RuleSystem, orders: Orders, seed: int) -> Scenario:
    """Return what the orders decide before a die is thrown: the board and every setting.

    Raises:
        UsageError: no such board.
        ScenarioError: no such setting or value.
    """
    settings = system.book.settle(orders.settings, orders.options)
    cell = parse_length(orders.cell) if orders.cell is not None else None
    board = system.board(settings=settings, cell=cell)
    if orders.board is not None:
        scale = board.scale
        sides = parse_size(orders.board, pace=scale.pace, base_width=scale.base_width)
        if min(sides) < SMALLEST or max(sides) > LARGEST:
            raise UsageError(
                "a board of {board} cannot be played on; its sides are from {smallest:g}in to {largest:g}in",
                board=orders.board,
                smallest=SMALLEST / MM_PER_INCH,
                largest=LARGEST / MM_PER_INCH,
            )
        board = system.board(*sides, settings=settings, cell=cell)
    inputs = with_files(system, settings, orders.inputs)
    return Scenario(board=board, settings=settings, seed=seed, inputs=inputs)


def _title(field: Battlefield, words: Words) -> str:
    """Return a title after the board's chief place: a town, fort or settlement, else a height, a water, a wood.

    Where no place has a name, the rule system's own title, of which the battlefield holds the key.
    """
    words = words.each()[0]
    for kind in (
        "town",
        "fort",
        "bua",
        "hill",
        "lake",
        "river",
        "heavy_woods",
        "marsh",
        "broken_ground",
        "light_woods",
    ):
        for feature in field.features:
            if feature.kind == kind and feature.name:
                return words(f"title.{kind}", name=feature.name)
    return words(field.title) if words.has(field.title) else field.title


# --- What is still to be thrown of a game that is recorded from the table, told without throwing anything -------------


@runtime_checkable
class DryRuns(Protocol):
    """A rule system of which a game can be recorded bit by bit."""

    def dry_run(self, scenario: Scenario) -> tuple[str, ...]:
        """Return line by line what is still to be thrown."""
        ...


def outstanding_lines(system: RuleSystem, orders: Orders) -> Iterator[str]:
    """Yield what is still to be thrown, given the lists of a scenario.

    Raises:
        UsageError: the rule system has no such lists.
        ScenarioError: a setting or a list is wrong.
    """
    if not isinstance(system, DryRuns):
        raise UsageError(
            "{system} is not recorded zone by zone, so nothing can be said of its dice beforehand", system=system.name
        )
    yield Sentence("{title}: still to be thrown", title=system.book.title)
    scenario = scenario_of(system, orders, orders.seed or 0)
    yield from (Sentence("  {line}", line=line) for line in system.dry_run(scenario))
