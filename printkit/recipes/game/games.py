"""Run a rule system and build its record. Also: input files, notices, and rolls not made yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Final, Protocol, TypeVar, runtime_checkable

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.chance.asking import InteractiveSource, UndoneAnswers
from printkit.chance.dice import (
    Act,
    Dice,
    Question,
    ScriptedSource,
    Seeded,
    Source,
    Throw,
    is_log,
    read_log,
    read_scores,
)
from printkit.chance.replaying import DoesNotFitError, ReplaySource
from printkit.chance.streams import Jitter
from printkit.core.errors import DiceError, PrintkitError, Sentence, UsageError, joined
from printkit.core.words import Words
from printkit.kit.check import breach_notices
from printkit.kit.countryside import default_name_list
from printkit.kit.registry import shapes_of
from printkit.kit.remarks import collect_remarks
from printkit.kit.replay import build_recorded_scenario
from printkit.kit.rules import NAMES_KEY, OWN_KEYS, PLAYERS_KEY, TITLE_KEY
from printkit.kit.system import INPUTS, Outcome, RuleSystem, Scenario, Verdict, find_broken_clauses
from printkit.recipes.game.request import Orders
from printkit.recipes.game.roll_text import ThrowText
from printkit.recipes.game.scenarios import build_scenario
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.names import NO_NAMES, draw_name
from printkit.terrain.field.record import LAST_DRAFT, Record, read, write

T = TypeVar("T")


class GeneratedGame(Struct, frozen=True, kw_only=True):
    """A finished game: its record and the notices for the user.

    Attributes:
        record: the record, as it is when read back from its file.
        broken_clauses: the verdicts on the clauses that its terrain breaks.
        warnings: the notices.
        renewed: stages in which rolls no longer fitted and were rolled again or dropped.
        idle: stages to be rolled again that have no rolls and do not depend on the seed.
    """

    record: Record
    broken_clauses: tuple[Verdict, ...] = ()
    warnings: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


# Shown before the first question.
HOW_TO_ANSWER: Final = Sentence(
    "press Enter to have it rolled; type back to undo the last answer, or ? for an explanation"
)


class UserPrompts(Struct, frozen=True):
    """Callbacks that ask the user for rolls, at the terminal or elsewhere.

    Attributes:
        prompt: shows a question and returns the answer.
        complain: shows why an answer is not valid.
        tell: shows the result of an answer, or a hint.
        has_earlier_answer: whether the user answered a question before the first roll, which can also be undone.
    """

    prompt: Callable[[Question], str]
    complain: Callable[[str], None]
    tell: Callable[[str], None] = lambda _text: None
    has_earlier_answer: bool = False


@contextmanager
def drop_unknown_clause(system: RuleSystem) -> Iterator[None]:
    """Remove the clause from a dice error of the block if the rule book of the system does not have it.

    It is a context manager. Other errors are unchanged.
    """
    try:
        yield
    except DoesNotFitError:
        raise
    except DiceError as error:
        if error.clause in system.book.clauses or not error.clause:
            raise
        raise DiceError("{fault}", fault=error.fault) from None


def play_with_undo(play: Callable[[Sequence[Throw]], T], answers: Sequence[Throw] = ()) -> T:
    """Return the result of ``play``, which starts from the beginning again after each undo of the user.

    Args:
        play: gets the earlier answers and plays from them, with new sources of chance each time.
        answers: answers to start with.

    Raises:
        UndoneAnswers: the user undoes an answer from before the first roll.
    """
    while True:
        try:
            return play(answers)
        except UndoneAnswers as undo:
            if undo.before:
                raise
            answers = undo.kept


def play(
    system: RuleSystem,
    orders: Orders,
    seed: int,
    words: Words,
    *,
    continues: bool = True,
    prompts: UserPrompts | None = None,
) -> GeneratedGame:
    """Play a new game.

    Args:
        system: the rules.
        orders: settings, inputs and, if given, the user's dice: a list of scores or a log.
        seed: decides everything that those dice do not decide.
        words: the language of names and titles.
        continues: whether the seed rolls the rest when the user's dice run out; otherwise that is an error.
        prompts: asked for every roll after those of a log; None to roll without questions.

    Raises:
        PrintkitError: an input or a die is wrong.
        UnansweredError: the user stops answering.
    """
    log = read_log(orders.dice) if orders.dice is not None and is_log(orders.dice) else None
    stage_seeds = {} if log is None else orders.reseeded
    setup = GameSetup(system, orders, build_scenario(system, orders, seed), words, stage_seeds)
    if prompts is not None:
        first_draft = setup.play_with_prompts(prompts, log or ())
        first_log = first_draft.record.log
        return choose_draft(setup, lambda later: later.replay_log(first_log, repair_seed=None), first_draft)
    if log is not None:
        return choose_draft(setup, lambda draft: draft.play_log(log, continues=continues))
    if orders.dice is None:
        return choose_draft(setup, GameSetup.play_seed)
    scores = read_scores(orders.dice)
    return choose_draft(setup, lambda draft: draft.play_scores(scores, continues=continues))


def choose_draft(
    setup: GameSetup, draw: Callable[[GameSetup], GeneratedGame], first_draft: GeneratedGame | None = None
) -> GeneratedGame:
    """Return the first draft of a new game that breaks no clause.

    A draft has the same rolls and other shapes. If all of them break a clause, it is the first of those that break
    fewest.

    Args:
        setup: the setup of the first draft.
        draw: returns the game of a draft.
        first_draft: the first draft, if it is known.

    Raises:
        PrintkitError: the first draft cannot be generated.
    """
    best = first_draft or draw(setup)
    for number in range(2, LAST_DRAFT + 1):
        if not best.broken_clauses:
            break
        try:
            game = draw(replace(setup, draft=number))
        except PrintkitError:
            # Its shapes ask other questions, which the dice of the user do not answer.
            continue
        if len(game.broken_clauses) < len(best.broken_clauses):
            best = game
    return best


def _own_dice_notices(source: ScriptedSource, log: Sequence[Throw], words: Words) -> Iterator[Sentence]:
    """Yield what the user's dice were used for, by stage, and the dice that were not used, in at most two sentences.

    A sentence without dice is left out. The names of stages are in the first language of ``words``.
    """
    rolls = [throw for throw in log if throw.act is Act.DIE][: len(source.used_dice)]
    texts = ThrowText(words.each()[0])
    uses = [
        Sentence("{stage} {scores}", stage=texts.stage(stage), scores=_join_scores([throw.answer for throw in throws]))
        for stage, throws in groupby(rolls, key=lambda throw: throw.stage)
    ]
    if uses:
        yield Sentence("Your dice: {uses}.", uses=joined(uses))
    if source.unused_dice:
        yield Sentence("Not used: {scores}.", scores=_join_scores(source.unused_dice))


def _join_scores(scores: Sequence[str]) -> str:
    """Return scores in a sentence: "2", "2 and 5" or "2, 5 and 6"."""
    if len(scores) == 1:
        return scores[0]
    return Sentence("{first} and {last}", first=", ".join(scores[:-1]), last=scores[-1])


def replay_game(
    system: RuleSystem,
    record: Record,
    words: Words,
    *,
    reroll: Sequence[str] = (),
    keep: Sequence[str] = (),
    overrides: Mapping[int, str] | None = None,
    new_seed: int,
) -> GeneratedGame:
    """Replay a recorded game from its log, with the changes that the user asks for.

    The record does not change. Rolls that do not fit any more are rolled with the new seed. The result lists the
    stages where another seed does not make a difference.

    Args:
        system: the rules.
        record: the game.
        words: the language of names and titles.
        reroll: stages to roll again.
        keep: stages to keep; if there are any, all others are rolled again.
        overrides: the user's answers that override rolls, by the number of the roll in the log, from 1.
        new_seed: the seed for all new rolls.

    Raises:
        UsageError: the system has no such stage, or the log has no such roll.
        RecordError: the record has no log or no seed.
        DiceError: an answer is not valid.
    """
    for stage in (*reroll, *keep):
        if stage not in system.stages:
            raise UsageError(
                "{system} has no stage {stage!r}; use one of {stages}",
                system=system.name,
                stage=stage,
                stages=", ".join(system.stages),
            )
    reroll_stages = tuple(stage for stage in system.stages if stage in reroll or (keep and stage not in keep))
    setup = setup_from_record(system, record, words)
    for number in overrides or {}:
        if not 1 <= number <= len(record.log):
            raise UsageError("there is no roll {number}; the log has {count}", number=number, count=len(record.log))
    setup = replace(setup, reseeded={**record.reseeded, **dict.fromkeys(reroll_stages, new_seed)})
    new_game = setup.replay_log(record.log, reroll_stages, overrides=overrides or {}, repair_seed=new_seed)
    if record.shapes != new_game.record.shapes:
        new_game = replace(
            new_game, warnings=(*new_game.warnings, _version_warning(record.shapes, new_game.record.shapes))
        )
    idle_stages = tuple(stage for stage in reroll_stages if stage in reroll and setup.is_idle(stage, new_game.record))
    if not idle_stages:
        return new_game
    seeds = {stage: seed for stage, seed in setup.reseeded.items() if stage not in idle_stages}
    seeds |= {stage: record.reseeded[stage] for stage in idle_stages if stage in record.reseeded}
    return replace(new_game, record=replace(new_game.record, reseeded=seeds), idle=idle_stages)


def _version_warning(record_version: int, current_version: int) -> Sentence:
    """Return the warning that features may change shape, because another printkit version made the record.

    The versions are those of the shapes; the text says whether the record's is newer.
    """
    if record_version > current_version:
        return Sentence(
            "made by a newer printkit (shapes version {made}, yours {here}); features you keep may change shape",
            made=record_version,
            here=current_version,
        )
    return Sentence(
        "made by an older printkit (shapes version {made}, yours {here}); features you keep may change shape",
        made=record_version,
        here=current_version,
    )


def setup_from_record(system: RuleSystem, record: Record, words: Words) -> GameSetup:
    """Return the setup of a recorded game, as it was before the first roll.

    Raises:
        RecordError: the record has no log or no seed, or has a setting that no longer exists.
        ScenarioError: a setting is not valid.
    """
    scenario = build_recorded_scenario(system, record)
    names = record.settings.get(NAMES_KEY, NO_NAMES)
    orders = Orders(
        rules=record.rules,
        settings={key: value for key, value in record.settings.items() if key not in OWN_KEYS},
        # Default names follow the home country, which other dice may change. So they stay a default.
        names="" if names == default_name_list(system, record.details) else names,
        title=record.settings.get(TITLE_KEY, ""),
        players=record.settings.get(PLAYERS_KEY, ""),
        inputs=scenario.inputs,
    )
    return GameSetup(system, orders, scenario, words, record.reseeded, record.draft)


def roundtrip_record(system: RuleSystem, record: Record) -> Record:
    """Return the record as it is when read back, so a print now and a print later are the same."""
    return read(write(record), system.book.going)


class GameSetup(Struct, frozen=True):
    """A game before its first roll: rules, orders, scenario, language and seeds.

    ``reseeded`` has the seeds of the stages that are rolled again, by stage. ``draft`` is the number of the drawing of
    the shapes, from 1.
    """

    system: RuleSystem
    orders: Orders
    scenario: Scenario
    words: Words
    reseeded: Mapping[str, int] = field(default_factory=dict)
    draft: int = 1

    @property
    def seed_source(self) -> Seeded:
        """Return a new source of rolls from the seeds, at the first roll."""
        return Seeded(self.scenario.seed, self.reseeded)

    def run_rules(self, source: Source) -> Outcome:
        """Run the rules with the rolls of a source, and return the outcome."""
        with drop_unknown_clause(self.system):
            return self.system.lay_out(
                self.scenario, Dice(source), Jitter(self.scenario.seed, self.reseeded, self.draft)
            )

    def play_seed(self) -> GeneratedGame:
        """Play with the rolls of the seed, and return the game."""
        seed_source = self.seed_source
        return self.build_game(self.run_rules(seed_source), seed_source)

    def play_scores(self, scores: Sequence[str], *, continues: bool) -> GeneratedGame:
        """Play with the user's dice and cards, and return the game; with ``continues`` the seed rolls the rest.

        Raises:
            DiceError: a score is not valid, a card is not used, or a roll is missing and ``continues`` is False.
        """
        seed_source = self.seed_source
        source = ScriptedSource(scores, seed_source, seed_source if continues else None)
        game = self.build_game(self.run_rules(source), seed_source)
        source.reject_unused_cards()
        notices = _own_dice_notices(source, game.record.log, self.words)
        return replace(game, warnings=(*game.warnings, *notices))

    def play_with_prompts(self, prompts: UserPrompts, answers: Sequence[Throw]) -> GeneratedGame:
        """Play with the user's answers, and return the game.

        After each undo it starts from the beginning with the answers before it. ``answers`` are earlier answers, which
        are not asked again.

        Raises:
            UnansweredError: the user stops answering.
        """
        prompts.tell(HOW_TO_ANSWER)

        def play_once(answers: Sequence[Throw]) -> GeneratedGame:
            seed_source = self.seed_source
            return self.build_game(
                self.run_rules(InteractiveSource(prompts.prompt, prompts.complain, seed_source, prompts.tell, answers)),
                seed_source,
            )

        return play_with_undo(play_once, answers)

    def play_log(self, log: Sequence[Throw], *, continues: bool) -> GeneratedGame:
        """Play from a log; with ``continues`` the seed rolls whatever does not fit.

        Raises:
            DiceError: a roll is missing or not valid, and ``continues`` is False.
        """
        with drop_unknown_clause(self.system):
            try:
                return self.replay_log(log, repair_seed=self.scenario.seed if continues else None)
            except DoesNotFitError as error:
                raise DiceError(
                    "roll {number}: {error}; correct it, or give a --seed to roll the rest",
                    number=error.number,
                    error=error,
                    clause="BR-X08",
                ) from None

    def replay_log(
        self,
        log: Sequence[Throw],
        reroll_stages: Sequence[str] = (),
        *,
        overrides: Mapping[int, str] = {},
        repair_seed: int | None,
    ) -> GeneratedGame:
        """Replay a log; the seed ``repair_seed`` rolls whatever the log cannot answer.

        Args:
            log: the rolls of the earlier game.
            reroll_stages: stages to roll again.
            overrides: the user's answers that override rolls, by the number of the roll in the log.
            repair_seed: the seed for rolls that do not fit; None to raise an error instead.

        Raises:
            DoesNotFitError: the log does not fit, and there is no seed ``repair_seed``.
            DiceError: an answer of the user is not valid, or is no longer needed.
        """
        skipped_numbers: frozenset[int] = frozenset()
        while True:
            seed_source = self.seed_source
            repair_source = None if repair_seed is None else Seeded(repair_seed, name="anew")
            source = ReplaySource(
                log,
                seed_source,
                frozenset(reroll_stages),
                repair_source=repair_source,
                overrides=overrides,
                skipped_numbers=skipped_numbers,
            )
            outcome = self.run_rules(source)
            if repair_source is None or not source.superseded_choices() - skipped_numbers:
                break
            skipped_numbers |= source.superseded_choices()
        for number in source.unused_overrides:
            reason = log[number - 1].reason
            raise DiceError("roll {number} ({reason}) is no longer needed", number=number, reason=reason)
        source.compare_with_seed(seed_source)
        game = self.build_game(outcome, seed_source, source.over)
        changed_stages = tuple(stage for stage in self.system.stages if stage in source.changed_stages)
        return replace(game, renewed=changed_stages)

    def is_idle(self, stage: str, record: Record) -> bool:
        """Return whether a stage has no roll by the seed, and another seed gives the same battlefield.

        Choices with a single option do not count as rolls. ``stage`` must be one that was rolled again in this setup.
        """
        if any(throw.stage == stage and throw.seeded and throw.asked != "choice of 1" for throw in record.log):
            return False
        boards = []
        for seed in (self.reseeded[stage], self.reseeded[stage] + 1):
            variant = replace(self, reseeded={**self.reseeded, stage: seed})
            boards.append(variant.run_rules(ReplaySource(record.log, Seeded(seed), repair_source=Seeded(seed))))
        return (boards[0].battlefield, boards[0].details) == (boards[1].battlefield, boards[1].details)

    def build_game(
        self, outcome: Outcome, seed_source: Seeded, old_answers: Mapping[int, str] | None = None
    ) -> GeneratedGame:
        """Build the finished game from an outcome: add the names and the title.

        Args:
            outcome: the result of the rules.
            seed_source: the source of the seed's rolls; rolls that it did not make are marked.
            old_answers: the answers of the log that the user overrode, by the number of the roll.
        """
        scenario, orders = self.scenario, self.orders
        period = orders.names or default_name_list(self.system, outcome.details)
        battlefield = draw_name(outcome.battlefield, self.words.code, period, Jitter(scenario.seed))
        details = {**outcome.details, INPUTS: dict(scenario.inputs)} if scenario.inputs else outcome.details
        log = tuple(
            replace(
                throw, seeded=seed_source.thrown.get(number) == throw.answer, was=(old_answers or {}).get(number, "")
            )
            for number, throw in enumerate(outcome.log, 1)
        )
        raw_record = Record(
            rules=self.system.name,
            battlefield=replace(battlefield, title=orders.title or _make_title(battlefield, self.words)),
            settings={**scenario.settings, **orders.extra_settings_of(period)},
            seed=scenario.seed,
            draft=self.draft,
            reseeded=self.reseeded,
            log=log,
            details=details,
            shapes=shapes_of(self.system.name),
        )
        record = roundtrip_record(self.system, raw_record)
        broken_clauses = find_broken_clauses(self.system, record)
        warnings = (
            *outcome.warnings,
            *collect_remarks(self.system, record, self.words),
            *breach_notices(self.system, record, broken_clauses, self.words),
        )
        return GeneratedGame(record=record, broken_clauses=broken_clauses, warnings=warnings)


# The kinds of the feature that a title names, in order of preference.
_TITLE_KINDS: Final = (
    *("town", "fort", "bua", "hill", "lake", "river", "heavy_woods", "marsh", "broken_ground", "light_woods"),
)


def _make_title(field: Battlefield, words: Words) -> str:
    """Return a title with the name of a feature; towns come first, then hills, water and woods.

    If no feature has a name, return the title of the battlefield; it may be a key of ``words``.
    """
    words = words.each()[0]
    for kind in _TITLE_KINDS:
        for feature in field.features:
            if feature.kind == kind and feature.name:
                return words.sentence_with_article(f"title.{kind}", feature.name)
    return words(field.title) if words.has(field.title) else field.title


# --- The rolls that a game recorded from the table still needs, listed without rolling --------------------------------


@runtime_checkable
class DryRunner(Protocol):
    """A rule system with games that can be recorded part by part."""

    def dry_run(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the rolls that are still needed, one line each."""


def remaining_roll_lines(system: RuleSystem, orders: Orders) -> Iterator[str]:
    """Yield the rolls that a game still needs, given the lists of its scenario.

    Raises:
        UsageError: the rule system has no such lists.
        ScenarioError: a setting or a list is wrong.
    """
    if not isinstance(system, DryRunner):
        raise UsageError(
            "{system} is not recorded zone by zone, so its remaining dice cannot be listed", system=system.name
        )
    yield Sentence("{title}: still to roll", title=system.book.title)
    scenario = build_scenario(system, orders, orders.seed or 0)
    yield from (Sentence("  {line}", line=line) for line in system.dry_run(scenario))
