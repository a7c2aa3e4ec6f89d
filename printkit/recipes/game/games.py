"""Playing a rule system through to a record, the files that settings name, remarks, and what is still to be thrown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol, TypeVar, runtime_checkable

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.asking import Asked, TakenBack
from printkit.chance.dice import Dice, Question, Scripted, Seeded, Source, Throw, is_log, read_log, read_scores
from printkit.chance.replaying import MisfitError, Replayed
from printkit.chance.streams import Jitter
from printkit.core.errors import DiceError, RecordError, Sentence, UsageError
from printkit.core.paths import beside
from printkit.core.units import MM_PER_INCH, parse_length, parse_size
from printkit.core.words import Words
from printkit.kit.book import Setting
from printkit.kit.countryside import usual_names
from printkit.kit.registry import shapes_of
from printkit.kit.rules import NAMES_KEY, OWN_KEYS, TITLE_KEY
from printkit.kit.system import Outcome, RuleSystem, Scenario
from printkit.recipes.game.request import Orders, read_text
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.names import NO_NAMES, christen
from printkit.terrain.field.record import Record, read, write

T = TypeVar("T")

# --- Files of a person's own that a setting names ---------------------------------------------------------------------


@runtime_checkable
class ReadsFiles(Protocol):
    """A rule system of which a setting may be the path of a file."""

    def file_lists(self, text: str, place: str) -> Mapping[str, tuple[str, ...]]:
        """Return the lists of a scenario that the text of such a file stands for."""
        ...


@runtime_checkable
class TakesLines(Protocol):
    """A rule system of which such a setting may also be what a file would hold."""

    def names_file(self, text: str) -> bool:
        """Return whether what is given for the setting is a path."""
        ...


def with_files(
    system: RuleSystem,
    settings: Mapping[str, str],
    inputs: Mapping[str, object],
    file_of: Callable[[Setting], Path | None] = lambda _setting: None,
) -> Mapping[str, object]:
    """Return the lists of a scenario with those of the files that its settings name before them.

    The record keeps the lists, so that the game can be thrown again, and judged, where the file is not.

    Args:
        system: the rules.
        settings: a value for every setting.
        inputs: the lists of the scenario.
        file_of: returns the file in which the value of a setting stands; None for the command line.

    Raises:
        ResourceError: a file is outside the folder of the one that names it.
        ScenarioError: a file cannot be read, or not be understood.
    """
    if not isinstance(system, ReadsFiles):
        return inputs
    found = dict(inputs)
    for setting, named in paths_among(system, settings):
        file = file_of(setting)
        place = Path(named) if file is None else beside(file, named, key=setting.name)
        for name, lines in system.file_lists(read_text(place), named).items():
            own = found.get(name, ())
            found[name] = [*lines, *(own if isinstance(own, list | tuple) else ())]
    return found


def paths_among(system: RuleSystem, settings: Mapping[str, str]) -> Iterator[tuple[Setting, str]]:
    """Yield each setting of which the value, among those of every setting, is the path of a file; and the path."""
    for setting in system.book.settings:
        named = settings[setting.key]
        if not setting.path or named in setting.values:
            continue
        if not isinstance(system, TakesLines) or system.names_file(named):
            yield setting, named


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
    """A record as it will be read back, and what the person should hear.

    ``renewed`` are the stages of which throws fitted the others no longer; ``idle`` those that were to be thrown anew,
    and in which there is nothing to throw.
    """

    record: Record
    warnings: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


HOW_TO_ANSWER: Final = Sentence("press Enter to have it rolled; type back to undo the last answer")
"""What a person is told before he is asked."""


class AskedPerson(Struct, frozen=True):
    """The person at the terminal: how a throw is asked for, a wrong answer refused, and told what one brought.

    ``earlier`` says that he answered something before the first throw, and may take that back as well.
    """

    prompt: Callable[[Question], str]
    complain: Callable[[str], None]
    tell: Callable[[str], None] = lambda _text: None
    earlier: bool = False


@contextmanager
def citing(system: RuleSystem) -> Iterator[None]:
    """Have errors of dice cite clauses of a rule system alone: what its book does not have they leave out."""
    try:
        yield
    except MisfitError:
        raise
    except DiceError as error:
        if error.clause in system.book.clauses or not error.clause:
            raise
        raise DiceError("{fault}", fault=error.fault) from None


def taking_back(play: Callable[[Sequence[Throw]], T], begun: Sequence[Throw] = ()) -> T:
    """Return what is played by the answers of a person: from the beginning again whenever he takes one back.

    Args:
        play: plays by the answers of before, from sources of chance that are fresh each time.
        begun: answers to begin with.

    Raises:
        TakenBack: what he takes back he answered before the first throw.
    """
    while True:
        try:
            return play(begun)
        except TakenBack as back:
            if back.before:
                raise
            begun = back.kept


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
        person: is asked for every throw, after those of a log.

    Raises:
        PrintkitError: an input or a die is wrong.
        UnansweredError: the person answers no more.
    """
    log = read_log(orders.dice) if orders.dice is not None and is_log(orders.dice) else None
    reseeded = {} if log is None else orders.reseeded
    game = GameSetup(system, orders, scenario_of(system, orders, seed), words, reseeded)
    if person is not None:
        return game.asked(person, log or ())
    if log is not None:
        return game.from_log(log, goes_on=goes_on)
    seeded = Seeded(seed)
    source: Source = seeded
    if orders.dice is not None:
        source = Scripted(read_scores(orders.dice), seeded, seeded if goes_on else None)
    outcome = game.laid(source)
    if isinstance(source, Scripted):
        source.refuse_cards()
    return game.played(outcome, seeded)


def play_again(
    system: RuleSystem,
    record: Record,
    words: Words,
    *,
    reroll: Sequence[str] = (),
    keep: Sequence[str] = (),
    own: Mapping[int, str] | None = None,
    fresh: int,
) -> Played:
    """Return a recorded game played from its log, but for what is asked for otherwise; ``fresh`` is the seed of that.

    Args:
        system: the rules.
        record: the game.
        words: the language of names and titles.
        reroll: stages that are thrown anew.
        keep: stages besides which all are thrown anew.
        own: answers that a person lays over throws, by the numbers of these in the log.
        fresh: the seed of whatever is thrown.

    Raises:
        UsageError: a stage that the system does not have, or a throw that the log does not have.
        RecordError: the record has no log or no seed to play from.
        DiceError: an answer that cannot be.
    """
    for stage in (*reroll, *keep):
        if stage not in system.stages:
            raise UsageError(
                "{system} has no stage {stage!r}; use one of {stages}",
                system=system.name,
                stage=stage,
                stages=", ".join(system.stages),
            )
    anew = tuple(stage for stage in system.stages if stage in reroll or (keep and stage not in keep))
    game = game_of(system, record, words)
    for number in own or {}:
        if not 1 <= number <= len(record.log):
            raise UsageError("there is no roll {number}; the log has {count}", number=number, count=len(record.log))
    game = replace(game, reseeded={**record.reseeded, **dict.fromkeys(anew, fresh)})
    again = game.replayed(record.log, anew, own=own or {}, mending=fresh)
    if record.shapes != again.record.shapes:
        again = replace(again, warnings=(*again.warnings, _moved_line(record.shapes, again.record.shapes)))
    idle = tuple(stage for stage in anew if stage in reroll and game.is_idle(stage, again.record))
    if not idle:
        return again
    seeds = {stage: seed for stage, seed in game.reseeded.items() if stage not in idle}
    seeds |= {stage: record.reseeded[stage] for stage in idle if stage in record.reseeded}
    return replace(again, record=replace(again.record, reseeded=seeds), idle=idle)


def _moved_line(made: int, here: int) -> Sentence:
    """Return what a person should know of a game that is played again by other outlines than made it."""
    if made > here:
        return Sentence(
            "made by a newer printkit (shapes version {made}, yours {here}); features you keep may change shape",
            made=made,
            here=here,
        )
    return Sentence(
        "made by an older printkit (shapes version {made}, yours {here}); features you keep may change shape",
        made=made,
        here=here,
    )


def game_of(system: RuleSystem, record: Record, words: Words) -> GameSetup:
    """Return the game of a record as it was before its dice.

    Raises:
        RecordError: the record has no log or no seed to play from, or was made under a setting that no longer exists.
        ScenarioError: its settings cannot be.
    """
    if not record.log or record.seed is None:
        raise RecordError("this record has no log or seed, so it cannot be replayed; it was drawn by hand")
    system.book.refuse_retired(record.settings)
    names = record.settings.get(NAMES_KEY, NO_NAMES)
    orders = Orders(
        rules=record.rules,
        settings={key: value for key, value in record.settings.items() if key not in OWN_KEYS},
        # Names that nobody asked for are those of the home, whichever comes of other dice.
        names="" if names == usual_names(system, record.details) else names,
        title=record.settings.get(TITLE_KEY, ""),
        inputs=record.details.get(INPUTS, {}),
    )
    board, settings = record.battlefield.board, system.book.settle(orders.settings)
    scenario = Scenario(board=board, settings=settings, seed=record.seed, inputs=orders.inputs)
    return GameSetup(system, orders, scenario, words, record.reseeded)


def settled(system: RuleSystem, record: Record) -> Record:
    """Return the record as it will be read back, so that what is printed now and what is printed later is the same."""
    return read(write(record), system.book.going)


class GameSetup(Struct, frozen=True):
    """A game before its dice: whose it is, what was ordered, and the seeds of stages that are thrown anew."""

    system: RuleSystem
    orders: Orders
    scenario: Scenario
    words: Words
    reseeded: Mapping[str, int] = field(default_factory=dict)

    @property
    def seeded(self) -> Seeded:
        """Return the chance of its seeds, from the first throw on."""
        return Seeded(self.scenario.seed, self.reseeded)

    def laid(self, source: Source) -> Outcome:
        """Return what comes of the dice of a source."""
        with citing(self.system):
            return self.system.lay_out(self.scenario, Dice(source), Jitter(self.scenario.seed, self.reseeded))

    def asked(self, person: AskedPerson, begun: Sequence[Throw]) -> Played:
        """Play by the answers of a person, from the beginning again whenever he takes one back.

        Raises:
            UnansweredError: he answers no more.
        """
        person.tell(HOW_TO_ANSWER)

        def once(begun: Sequence[Throw]) -> Played:
            seeded = self.seeded
            return self.played(self.laid(Asked(person.prompt, person.complain, seeded, person.tell, begun)), seeded)

        return taking_back(once, begun)

    def from_log(self, log: Sequence[Throw], *, goes_on: bool) -> Played:
        """Play from a log alone, or go on by the seed where the log does not fit.

        Raises:
            DiceError: a throw is missing or cannot be, and no seed goes on.
        """
        with citing(self.system):
            try:
                return self.replayed(log, mending=self.scenario.seed if goes_on else None)
            except MisfitError as error:
                raise DiceError(
                    "roll {number}: {error}; correct it, or give a --seed to roll the rest",
                    number=error.number,
                    error=error,
                    clause="BR-X08",
                ) from None

    def replayed(
        self, log: Sequence[Throw], anew: Sequence[str] = (), *, own: Mapping[int, str] = {}, mending: int | None
    ) -> Played:
        """Play from a log; what it cannot answer is thrown anew from the seed ``mending``.

        Raises:
            MisfitError: there is no such seed.
            DiceError: an answer of a person's own cannot be, or is asked for no longer.
        """
        without: frozenset[int] = frozenset()
        while True:
            seeded, mend = self.seeded, None if mending is None else Seeded(mending, name="anew")
            source = Replayed(log, seeded, frozenset(anew), mending=mend, own=own, without=without)
            outcome = self.laid(source)
            if mend is None or not source.superseded() - without:
                break
            without |= source.superseded()
        for number in source.unasked:
            reason = log[number - 1].reason
            raise DiceError("roll {number} ({reason}) is no longer needed", number=number, reason=reason)
        source.compare(seeded)
        played = self.played(outcome, seeded, source.over)
        renewed = tuple(stage for stage in self.system.stages if stage in source.changed)
        return replace(played, renewed=renewed)

    def is_idle(self, stage: str, record: Record) -> bool:
        """Return whether nothing is thrown in a stage, and nothing drawn that would come otherwise by another seed."""
        if any(throw.stage == stage and throw.seeded and throw.asked != "choice of 1" for throw in record.log):
            return False
        boards = []
        for seed in (self.reseeded[stage], self.reseeded[stage] + 1):
            other = replace(self, reseeded={**self.reseeded, stage: seed})
            boards.append(other.laid(Replayed(record.log, Seeded(seed), mending=Seeded(seed))))
        return (boards[0].battlefield, boards[0].details) == (boards[1].battlefield, boards[1].details)

    def played(self, outcome: Outcome, seeded: Seeded, over: Mapping[int, str] | None = None) -> Played:
        """Return the game with its names and its title, as it will be read back.

        Args:
            outcome: what was laid.
            seeded: who threw by the seed; every other throw is marked.
            over: what the log had where a person laid an answer over it, by the number of the throw.
        """
        scenario, orders = self.scenario, self.orders
        period = orders.names or usual_names(self.system, outcome.details)
        named = christen(outcome.battlefield, self.words.code, period, Jitter(scenario.seed))
        details = {**outcome.details, INPUTS: dict(scenario.inputs)} if scenario.inputs else outcome.details
        log = tuple(
            replace(throw, seeded=seeded.thrown.get(number) == throw.answer, was=(over or {}).get(number, ""))
            for number, throw in enumerate(outcome.log, 1)
        )
        thrown = Record(
            rules=self.system.name,
            battlefield=replace(named, title=orders.title or _title(named, self.words)),
            settings={**scenario.settings, **orders.own_settings_of(period)},
            seed=scenario.seed,
            reseeded=self.reseeded,
            log=log,
            details=details,
            shapes=shapes_of(self.system.name),
        )
        record = settled(self.system, thrown)
        warnings = (*outcome.warnings, *remarks_of(self.system, record, self.words))
        return Played(record=record, warnings=warnings)


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
                "a board of {board} is not possible; each side must be {smallest:g}in to {largest:g}in",
                board=orders.board,
                smallest=SMALLEST / MM_PER_INCH,
                largest=LARGEST / MM_PER_INCH,
            )
        board = system.board(*sides, settings=settings, cell=cell)
    inputs = with_files(system, settings, orders.inputs, orders.file_of)
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
                return words.about(f"title.{kind}", feature.name)
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
            "{system} is not recorded zone by zone, so its remaining dice cannot be listed", system=system.name
        )
    yield Sentence("{title}: still to roll", title=system.book.title)
    scenario = scenario_of(system, orders, orders.seed or 0)
    yield from (Sentence("  {line}", line=line) for line in system.dry_run(scenario))
