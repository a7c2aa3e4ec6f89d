"""Replay a record from its seed and log, and report the differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Act, Dice, Seeded, Throw
from printkit.chance.replaying import DoesNotFitError, ReplaySource
from printkit.chance.streams import Jitter
from printkit.core.errors import PrintkitError, RecordError, Sentence
from printkit.kit.checks import broken_verdict, describe_own_fault
from printkit.kit.differences import (
    compare_features,
    compare_overlays,
    differing_paths,
    drop_record_shapes,
    group_objects,
    pair_features_without_shapes,
    shorten_answer,
    shorten_value,
)
from printkit.kit.registry import shapes_of
from printkit.kit.rules import OWN_KEYS
from printkit.kit.system import INPUTS, RollClauses, RuleSystem, Scenario, Verdict, find_broken_clauses
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.grids import Grid
from printkit.terrain.field.record import Record, read, read_detail, write

_OTHER_BOARD: Final = Sentence("the board does not match the settings")


@runtime_checkable
class PresetDetails(Protocol):
    """A rule system with record details that no roll gives, or that were decided before the game.

    ``settled_before`` has their names.
    """

    settled_before: tuple[str, ...]


@runtime_checkable
class ReplayedByCheck(Protocol):
    """A rule system with clauses about rolls, which ``check`` proves by a replay of the log."""

    def roll_clauses(self) -> RollClauses:
        """Return these clauses."""


class Replay(Struct, frozen=True, kw_only=True):
    """The result of replaying a record.

    Attributes:
        faults: the differences.
        note: what could not be compared, if anything.
        first_unchecked: the number of the first roll of an older record that is not checked, because other shapes lead
            to other questions.
    """

    faults: tuple[Sentence, ...] = ()
    note: Sentence | None = None
    first_unchecked: int | None = None


def compare_replay(system: RuleSystem, record: Record) -> Replay:
    """Compare a record with the game that its seed and log give, outlines and overlays included.

    A roll that is marked as not from the seed is accepted. If the ``shapes`` version of the record is older than that
    of its rules, outlines are not compared, and rolls only up to the first question that differs. A record of a newer
    ``shapes`` version has that as its only fault.

    Raises:
        RecordError: the record has no log or no seed.
        ScenarioError: a setting is not valid.
    """
    current_version = shapes_of(system.name)
    if record.shapes > current_version:
        return Replay(faults=(newer_version_line(record.shapes, current_version),))
    game = replay_record(system, record)
    if record.shapes < current_version:
        return _compare_older_record(system, game, record, current_version)
    return Replay(faults=(*_find_faults(system, game, record), *_check_draft(system, record)))


def _check_draft(system: RuleSystem, record: Record) -> Iterator[Sentence]:
    """Yield a message for each earlier draft of a record that breaks no clause: it would have been kept."""
    for draft in range(1, record.draft):
        game = replay_record(system, replace(record, draft=draft))
        if game.record is not None and not find_broken_clauses(system, game.record):
            yield Sentence(
                "draft {earlier} breaks no rule, so draft {draft} is not the one to use",
                draft=record.draft,
                earlier=draft,
            )


class ReplayedGame(Struct, frozen=True, kw_only=True):
    """A record played again from its log: the record that the rules give, or the error at which they stop.

    Attributes:
        source: the answers of the log, with those that were not needed.
        seed_source: the rolls of the seeds, not used yet.
        record: the new record, without names; None if the log does not fit the rules.
        error: why it does not fit; None if it does.
    """

    source: ReplaySource
    seed_source: Seeded
    record: Record | None = None
    error: PrintkitError | None = None


def build_recorded_scenario(system: RuleSystem, record: Record) -> Scenario:
    """Return the scenario of a recorded game: its board, settings, seed and lists.

    Raises:
        RecordError: the record has no log or no seed, or has a setting that no longer exists.
        ScenarioError: a setting is not valid.
    """
    if not record.log or record.seed is None:
        raise RecordError("this record has no log or seed, so it cannot be replayed; it was drawn by hand")
    system.book.refuse_retired(record.settings)
    settings = system.book.settle({key: value for key, value in record.settings.items() if key not in OWN_KEYS})
    inputs = read_detail(record, dict[str, Any], INPUTS) or {}
    board = _rebuild_board(system, record, settings)
    return Scenario(board=board, settings=settings, seed=record.seed, inputs=inputs)


def replay_record(system: RuleSystem, record: Record) -> ReplayedGame:
    """Play a record again from its log and return the game.

    Raises:
        RecordError: the record has no log or no seed, or has a setting that no longer exists.
        ScenarioError: a setting is not valid.
    """
    scenario = build_recorded_scenario(system, record)
    seed_source = Seeded(scenario.seed, record.reseeded)
    source = ReplaySource(record.log, seed_source)
    try:
        outcome = system.lay_out(scenario, Dice(source), Jitter(scenario.seed, record.reseeded, record.draft))
    except PrintkitError as error:
        return ReplayedGame(source=source, seed_source=seed_source, error=error)
    new_record = replace(
        record,
        battlefield=outcome.battlefield,
        log=outcome.log,
        details={**outcome.details, INPUTS: dict(scenario.inputs)} if scenario.inputs else outcome.details,
        hand=(),
    )
    return ReplayedGame(source=source, seed_source=seed_source, record=read(write(new_record), system.book.going))


def newer_version_line(record_version: int, current_version: int) -> Sentence:
    """Return the message that a newer printkit made the record; both versions are numbers of outlines (``shapes``)."""
    return Sentence(
        "made by a newer printkit (shapes version {made}, yours {here}); update printkit",
        made=record_version,
        here=current_version,
    )


def judge_rolls(
    system: RuleSystem, record: Record, verdicts: Sequence[Verdict], member_faults: Iterable[Sentence] = ()
) -> tuple[Verdict, ...]:
    """Return the verdicts of a record with those on the clauses about rolls, from a replay of its log.

    The rules are played again with the answers of the log. Questions, details, and kinds and rolls of features are
    compared; outlines are not, and features that the user edited are left out. A fault belongs to the clause of the
    first roll that differs, or of the member.

    Args:
        system: the rule system.
        record: the record.
        verdicts: those of ``system.judge``.
        member_faults: faults of the record's members as a whole; see ``differences.find_altered_members``.
    """
    if not isinstance(system, ReplayedByCheck):
        return tuple(verdicts)
    roll_clauses = system.roll_clauses()
    unseen, faults = _find_roll_faults(system, roll_clauses.members, record)
    feature_ids = {feature.id for feature in record.battlefield.features}
    by_clause: dict[str, list[Sentence]] = {}
    for clause, fault in (*((roll_clauses.members[""], fault) for fault in member_faults), *faults):
        # A roll for two clauses names both, separated by a comma.
        by_clause.setdefault(clause.partition(",")[0], []).append(fault)

    def judge(verdict: Verdict) -> Verdict:
        """Return the verdict with the faults of the replay."""
        if verdict.clause in by_clause:
            own_faults = verdict.faults if verdict.state == "broken" else ()
            return broken_verdict(verdict.clause, (*own_faults, *by_clause[verdict.clause]), feature_ids)
        if verdict.clause not in roll_clauses.clauses:
            return verdict
        return Verdict(verdict.clause, "not judged", unseen) if unseen else Verdict(verdict.clause, "kept")

    return tuple(map(judge, verdicts))


def _find_roll_faults(
    system: RuleSystem, member_clauses: Mapping[str, str], record: Record
) -> tuple[Sentence | None, list[tuple[str, Sentence]]]:
    """Return why other clauses about rolls cannot be judged, or None, and the faults, each with its clause."""
    if record.rules != system.name:
        return Sentence("made with the rules {rules}", rules=record.rules), []
    if not record.log or record.seed is None:
        return Sentence("the record has no log"), []
    current_version = shapes_of(system.name)
    if record.shapes > current_version:
        return newer_version_line(record.shapes, current_version), []
    try:
        system.book.refuse_retired(record.settings)
    except RecordError as error:
        return error.sentence, []
    try:
        game = replay_record(system, record)
    except RecordError:
        raise
    except PrintkitError as error:
        return error.sentence, [(member_clauses[""], error.sentence)]
    except Exception as error:
        raise describe_own_fault(member_clauses[""], error) from error
    is_older = record.shapes < current_version
    if (stop := _find_stop(game, record, counts_options=False)) is not None:
        if is_older:
            return Sentence("made by an older printkit, whose rolls the rules no longer ask for"), []
        return Sentence("roll {number} is not the one that the rules ask for", number=stop), [
            _describe_stop(game, record, stop, member_clauses[""])
        ]
    if game.record is None:
        return None, []
    replay = game.record

    def find_clause(path: str) -> str:
        """Return the clause of a member by the longest start of its path."""
        plain_path = ".".join(part.partition("[")[0] for part in path.split("."))
        return member_clauses[max((start for start in member_clauses if plain_path.startswith(start)), key=len)]

    shapeless = (drop_record_shapes(each, is_older=is_older) for each in (record, replay))
    faults = [
        (find_clause(path), fault) for path, fault in _differing_details(system, *shapeless, shared_only=is_older)
    ]
    edited_ids = {str(entry.get("id")) for entry in record.hand}
    features, expected = pair_features_without_shapes(record, replay, edited_ids, shared_only=is_older)
    faults += [(find_clause("features"), fault) for fault in compare_features(features, expected)]
    return None, faults


def _describe_stop(game: ReplayedGame, record: Record, number: int, other_clause: str) -> tuple[str, Sentence]:
    """Return the clause and the message of the first roll that is not the one that the rules ask for.

    ``number`` is that of the roll, from 1; ``other_clause`` is the clause if neither roll has one.
    """
    logged_roll = record.log[number - 1] if number <= len(record.log) else None
    if game.record is None:
        clause = (
            getattr(game.error, "question_clause", "") or (logged_roll.clause if logged_roll else "") or other_clause
        )
        return clause, Sentence("roll {number} does not fit: {error}", number=number, error=game.error)
    expected = game.record.log[number - 1] if number <= len(game.record.log) else None
    clause = next(
        (throw.clause for throw in (expected, logged_roll) if throw is not None and throw.clause), other_clause
    )
    if expected is None or logged_roll is None:
        counts = {"count": len(record.log), "due": len(game.record.log)}
        return clause, Sentence("the log has {count} rolls; the rules need {due}", **counts)
    return clause, Sentence(
        "roll {number} is {asked} for {reason}; the rules ask for {due} for {due_reason}",
        number=number,
        asked=logged_roll.asked,
        reason=logged_roll.reason,
        due=expected.asked,
        due_reason=expected.reason,
    )


def _find_faults(system: RuleSystem, game: ReplayedGame, record: Record) -> Iterator[Sentence]:
    """Yield all differences between a record with current shapes and its replay; nothing if they are equal."""
    yield from _compare_rolls(record, game.source.compare_with_seed(game.seed_source))
    if game.record is None:
        yield Sentence("replay failed: {error}", error=game.error)
        return
    # Rolls that a scenario list answers are in both logs, but the source never answers them.
    counts, needed_counts = (Counter(throw.stage for throw in log) for log in (record.log, game.record.log))
    for stage in (stage for stage in game.source.unused_stages() if counts[stage] != needed_counts[stage]):
        yield Sentence("the log of stage {stage!r} has too many rolls", stage=stage)
    yield from _compare_questions(record.log, game.record.log)
    if _board_layout(record) != _board_layout(game.record):
        yield _OTHER_BOARD
    yield from compare_features(group_objects(record), group_objects(game.record))
    yield from compare_overlays(record, game.record)
    yield from (fault for _, fault in _differing_details(system, record, game.record))


def _find_stop(game: ReplayedGame, record: Record, *, counts_options: bool) -> int | None:
    """Return the number of the first roll at which the questions of the log and of its replay differ, or None.

    Numbers count from 1. With ``counts_options``, a choice between another number of options is another question.
    """
    stops = set[int]()
    if game.record is None:
        stops.add(game.error.number if isinstance(game.error, DoesNotFitError) else game.source.answer_count + 1)
    else:
        pairs = enumerate(zip(record.log, game.record.log, strict=False), 1)
        stops |= {
            number
            for number, (throw, other) in pairs
            if (throw.act, throw.reason) != (other.act, other.reason)
            or (throw.asked != other.asked and (counts_options or throw.act is not Act.CHOICE))
        }
        if len(record.log) != len(game.record.log):
            stops.add(min(len(record.log), len(game.record.log)) + 1)
    if counts_options and (other_question := game.source.first_changed_question()) is not None:
        stops.add(other_question)
    return min(stops, default=None)


def _compare_older_record(system: RuleSystem, game: ReplayedGame, record: Record, current_version: int) -> Replay:
    """Compare a record of an older version: rolls and their order, but nothing that depends on shapes.

    Other shapes may offer other choices, for example for the start of a road. Rolls after such a choice are out of
    order, so they are not checked. Missing features are not reported: whether a feature fits depends on shapes, and the
    clauses of ``check`` notice its absence.
    """
    seed_answers = game.source.compare_with_seed(game.seed_source)
    stops = {number for number in seed_answers if record.log[number - 1].act is Act.CHOICE}
    if (stop := _find_stop(game, record, counts_options=True)) is not None:
        stops.add(stop)
    first = min(stops, default=None)
    faults = list(
        _compare_rolls(
            record, {number: answer for number, answer in seed_answers.items() if first is None or number < first}
        )
    )
    if game.record is not None and first is None:
        faults += _compare_questions(record.log, game.record.log)
        faults += [_OTHER_BOARD] if _board_layout(record) != _board_layout(game.record) else []
        faults += compare_features(*pair_features_without_shapes(record, game.record))
        shapeless = (drop_record_shapes(each, is_older=True) for each in (record, game.record))
        faults += [fault for _, fault in _differing_details(system, *shapeless)]
    return Replay(
        faults=tuple(faults),
        note=_older_version_line(record.shapes, current_version, first, faults),
        first_unchecked=first,
    )


def _older_version_line(
    record_version: int, current_version: int, first: int | None, faults: Sequence[Sentence]
) -> Sentence:
    """Return the note that an older printkit made the record; it says which parts are not compared.

    ``first`` is the number, from 1, of the first roll that is not checked, or None; ``faults`` are the differences.
    """
    versions = {"made": record_version, "here": current_version}
    if first is not None:
        return Sentence(
            "made by an older printkit (shapes version {made}, yours {here}); rolls from {first} on are not checked",
            **versions,
            first=first,
        )
    if faults:
        return Sentence(
            "made by an older printkit (shapes version {made}, yours {here}); shapes cannot be compared", **versions
        )
    return Sentence(
        "made by an older printkit (shapes version {made}, yours {here}); rolls and their order are right, "
        "shapes cannot be compared",
        **versions,
    )


def _compare_questions(log: Iterable[Throw], replay_log: Iterable[Throw]) -> Iterator[Sentence]:
    """Yield a message for each roll of a log that has a different question in the replay.

    Numbers count from 1, and only rolls in both logs are compared.
    """
    for number, (throw, replay_throw) in enumerate(zip(log, replay_log, strict=False), 1):
        if (throw.asked, throw.clause) != (replay_throw.asked, replay_throw.clause):
            yield Sentence(
                "on replay, roll {number} is {asked} ({clause})",
                number=number,
                asked=replay_throw.asked,
                clause=replay_throw.clause or "-",
            )


def _differing_details(
    system: RuleSystem, record: Record, replay: Record, *, shared_only: bool = False
) -> Iterator[tuple[str, Sentence]]:
    """Yield the path and a message for each detail that the log does not give.

    With ``shared_only``, keys that only the replay has do not count.
    """
    preset_names = system.settled_before if isinstance(system, PresetDetails) else ()
    details = {name: value for name, value in record.details.items() if name not in preset_names}
    for path, actual, expected in differing_paths(details, replay.details, "", shared_only=shared_only):
        yield (
            path,
            Sentence(
                "{path} is {found}; the log gives {due}",
                path=f"{record.rules}.{path}",
                found=shorten_value(actual),
                due=shorten_value(expected),
            ),
        )


def _rebuild_board(system: RuleSystem, record: Record, settings: Mapping[str, str]) -> Board:
    """Return the board that the rules build for the board size or cell size of a record."""
    board, grid = record.battlefield.board, record.battlefield.grid
    if grid is not None:
        return system.board(settings=settings, cell=grid.cell)
    return system.board(board.width, board.depth, settings=settings)


def _board_layout(record: Record) -> tuple[Board, Grid | None]:
    """Return the board and the grid of a record, to compare them."""
    return record.battlefield.board, record.battlefield.grid


def _compare_rolls(record: Record, seed_answers: Mapping[int, str]) -> Iterator[Sentence]:
    """Yield a message for each seed about rolls that it does not give.

    ``seed_answers`` has the answer of the seed by the number, from 1, of such a roll.
    """
    by_seed: dict[int, list[int]] = {}
    for number in seed_answers:
        by_seed.setdefault(record.reseeded.get(record.log[number - 1].stage, record.seed or 0), []).append(number)
    for seed, (number, *others) in by_seed.items():
        throw = record.log[number - 1]
        message = Sentence(
            "roll {number} ({reason}) is {answer}; seed {seed} gives {due}",
            number=number,
            reason=throw.reason,
            answer=shorten_answer(throw.answer),
            seed=seed,
            due=shorten_answer(seed_answers[number]),
        )
        if others:
            message = Sentence(
                "{told}; other rolls that differ: {numbers}", told=message, numbers=", ".join(map(str, others))
            )
        yield message
