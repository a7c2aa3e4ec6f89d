"""Replay a record from its seed and log, and report the differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Act, Throw
from printkit.chance.replaying import DoesNotFitError, ReplaySource
from printkit.core.errors import PrintkitError, Sentence
from printkit.core.words import Words
from printkit.kit.registry import shapes_of
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GameSetup, setup_from_record
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.grids import Grid
from printkit.terrain.field.record import Record
from printkit.terrain.field.record_features import feature_objects

# Longest answer that is shown in full, in characters; a pack of cards is longer.
_LONGEST_ANSWER: Final = 40

# Properties of a feature that no roll decides: names come from lists of the first language.
_UNROLLED_KEYS: Final = ("id", "name")

_SHAPE_KEY: Final = "geometry"

# Keys of feature properties and record details with shapes, or with values that depend on shapes.
_SHAPE_KEYS: Final = ("geometry", "contours", "bearing", "outlines", "no_room")

_OTHER_BOARD: Final = Sentence("the board does not match the settings")


@runtime_checkable
class PresetDetails(Protocol):
    """A rule system with record details that no roll gives, or that were decided before the game.

    ``settled_before`` has their names.
    """

    settled_before: tuple[str, ...]


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


def difference_lines(system: RuleSystem, record: Record, words: Words) -> Iterator[Sentence]:
    """Yield the faults of ``compare_replay``, one line each; none if everything that can be compared is the same."""
    yield from compare_replay(system, record, words).faults


def compare_replay(system: RuleSystem, record: Record, words: Words) -> Replay:
    """Compare a record with the game that its seed and log give.

    A roll that is marked as not from the seed is accepted. If the ``shapes`` version of the record is older than that
    of its rules, outlines are not compared, and rolls only up to the first question that differs. A record of a newer
    ``shapes`` version has that as its only fault.

    Raises:
        RecordError: the record has no log or no seed.
        ScenarioError: a setting is not valid.
    """
    setup = setup_from_record(system, record, words)
    current_version = shapes_of(system.name)
    if record.shapes > current_version:
        return Replay(faults=(newer_version_line(record.shapes, current_version),))
    setup = replace(
        setup, scenario=replace(setup.scenario, board=_rebuild_board(system, record, setup.scenario.settings))
    )
    if record.shapes < current_version:
        return _compare_older_record(setup, record, current_version)
    return Replay(faults=tuple(_find_faults(setup, record)))


def newer_version_line(record_version: int, current_version: int) -> Sentence:
    """Return the message that a newer printkit made the record, so its shapes cannot be compared.

    Both versions are numbers of outlines (``shapes``): that of the record, and that of the installed printkit.
    """
    return Sentence(
        "made by a newer printkit (shapes version {made}, yours {here}); update printkit",
        made=record_version,
        here=current_version,
    )


def _find_faults(setup: GameSetup, record: Record) -> Iterator[Sentence]:
    """Yield all differences between a record with current shapes and its replay; nothing if they are equal."""
    seed_source = setup.seed_source
    source = ReplaySource(record.log, seed_source)
    try:
        outcome = setup.run_rules(source)
    except PrintkitError as error:
        yield from _compare_rolls(record, source.compare_with_seed(seed_source))
        yield Sentence("replay failed: {error}", error=error)
        return
    yield from _compare_rolls(record, source.compare_with_seed(seed_source))
    # Rolls that a scenario list answers are in both logs, but the source never answers them.
    needed_counts = Counter(throw.stage for throw in outcome.log)
    log_counts = Counter(throw.stage for throw in record.log)
    for stage in source.unused_stages():
        if log_counts[stage] != needed_counts[stage]:
            yield Sentence("the log of stage {stage!r} has too many rolls", stage=stage)
    replay = setup.build_game(outcome, seed_source).record
    yield from _compare_questions(record.log, replay.log)
    if _board_layout(record) != _board_layout(replay):
        yield _OTHER_BOARD
    yield from _compare_features(_group_objects(record), _group_objects(replay))
    yield from _compare_details(setup.system, record, replay)


def _compare_older_record(setup: GameSetup, record: Record, current_version: int) -> Replay:
    """Compare a record of an older version: rolls and their order, but nothing that depends on shapes.

    Other shapes may offer other choices, for example for the start of a road. Rolls after such a choice are out of
    order, so they are not checked. Missing features are not reported: whether a feature fits depends on shapes, and the
    clauses of ``check`` notice its absence.
    """
    seed_source = setup.seed_source
    source = ReplaySource(record.log, seed_source)
    replay, stops = None, set[int]()
    try:
        outcome = setup.run_rules(source)
    except DoesNotFitError as error:
        stops.add(error.number)
    except PrintkitError:
        stops.add(source.answer_count + 1)
    else:
        replay = setup.build_game(outcome, seed_source).record
        pairs = enumerate(zip(record.log, replay.log, strict=False), 1)
        stops |= {number for number, (throw, other) in pairs if throw.asked != other.asked}
        if len(record.log) != len(replay.log):
            stops.add(min(len(record.log), len(replay.log)) + 1)
    seed_answers = source.compare_with_seed(seed_source)
    stops |= {number for number in seed_answers if record.log[number - 1].act is Act.CHOICE}
    if (other := source.first_changed_question()) is not None:
        stops.add(other)
    first = min(stops, default=None)
    faults = list(
        _compare_rolls(
            record, {number: answer for number, answer in seed_answers.items() if first is None or number < first}
        )
    )
    if replay is not None and first is None:
        faults += _compare_questions(record.log, replay.log)
        faults += [_OTHER_BOARD] if _board_layout(record) != _board_layout(replay) else []
        record_objects, replay_objects = _group_objects(record), _group_objects(replay)
        shared_ids = record_objects.keys() & replay_objects.keys()
        faults += _compare_features(
            *(
                {name: _drop_object_shapes(objects[name]) for name in objects if name in shared_ids}
                for objects in (record_objects, replay_objects)
            )
        )
        faults += _compare_details(setup.system, _drop_record_shapes(record), _drop_record_shapes(replay))
    return Replay(
        faults=tuple(faults),
        note=_older_version_line(record.shapes, current_version, first, faults),
        first_unchecked=first,
    )


def _older_version_line(
    record_version: int, current_version: int, first: int | None, faults: Sequence[Sentence]
) -> Sentence:
    """Return the note that an older printkit made the record; it says which parts are not compared.

    ``first`` is the number, from 1, of the first roll that is not checked, or None. ``faults`` are the differences
    found.
    """
    if first is not None:
        return Sentence(
            "made by an older printkit (shapes version {made}, yours {here}); rolls from {first} on are not checked",
            made=record_version,
            here=current_version,
            first=first,
        )
    if faults:
        return Sentence(
            "made by an older printkit (shapes version {made}, yours {here}); shapes cannot be compared",
            made=record_version,
            here=current_version,
        )
    return Sentence(
        "made by an older printkit (shapes version {made}, yours {here}); rolls and their order are right, "
        "shapes cannot be compared",
        made=record_version,
        here=current_version,
    )


def _drop_object_shapes(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a feature, given as its GeoJSON objects, as a list of one object without shapes."""
    return [{_SHAPE_KEY: None, "properties": _drop_shapes(objects[0]["properties"])}]


def _drop_record_shapes(record: Record) -> Record:
    """Return the record without the shape keys in its details."""
    return replace(record, details=_drop_shapes(record.details))


def _drop_shapes(value: Any) -> Any:
    """Return a JSON value without its shape keys, at any depth."""
    if isinstance(value, Mapping):
        return {key: _drop_shapes(item) for key, item in value.items() if key not in _SHAPE_KEYS}
    return [_drop_shapes(item) for item in value] if isinstance(value, list | tuple) else value


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


def _compare_details(system: RuleSystem, record: Record, replay: Record) -> Iterator[Sentence]:
    """Yield a message for each detail of a record, apart from features, that the seed and log do not give."""
    preset_names = system.settled_before if isinstance(system, PresetDetails) else ()
    details = {name: value for name, value in record.details.items() if name not in preset_names}
    for path in _differing_paths(details, replay.details, record.rules):
        yield Sentence("{path} does not match the seed and log", path=path)


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
            answer=_shorten_answer(throw.answer),
            seed=seed,
            due=_shorten_answer(seed_answers[number]),
        )
        numbers = ", ".join(map(str, others))
        yield (
            Sentence("{told}; other rolls that differ: {numbers}", told=message, numbers=numbers) if others else message
        )


def _shorten_answer(answer: str) -> str:
    """Return an answer, cut and ended with dots if it is too long for a message."""
    return answer if len(answer) <= _LONGEST_ANSWER else f"{answer[: _LONGEST_ANSWER - 3]}..."


def _group_objects(record: Record) -> dict[str, list[dict[str, Any]]]:
    """Return the features as the record writes them, by ID; a hill is written as several objects."""
    return {
        feature.id: list(feature_objects(feature, record.properties.get(feature.id, {})))
        for feature in record.battlefield.features
    }


def _compare_features(
    actual: dict[str, list[dict[str, Any]]], expected: dict[str, list[dict[str, Any]]]
) -> Iterator[Sentence]:
    """Yield a message for each feature that is missing, extra or different; objects are by feature ID.

    ``actual`` is the record, ``expected`` the replay. If all shapes differ there is one message for all.
    """
    for name in expected.keys() - actual.keys():
        kind = expected[name][0]["properties"]["kind"]
        yield Sentence("the log gives {kind} {feature}, but it is not on the board", kind=kind, feature=name)
    for name in actual.keys() - expected.keys():
        yield Sentence("{feature} is on the board, but no roll produced it", feature=_feature_label(name, actual[name]))
    differences = {
        name: keys for name in actual if name in expected and (keys := _differing_keys(actual[name], expected[name]))
    }
    if (
        len(differences) > 2
        and len(differences) == len(actual)
        and all(_SHAPE_KEY in keys for keys in differences.values())
    ):
        yield Sentence("no feature has the shape that the seed and log give")
        return
    for name, keys in differences.items():
        yield Sentence(
            "{feature} does not match the seed and log: {members}",
            feature=_feature_label(name, actual[name]),
            members=", ".join(keys),
        )


def _feature_label(name: str, objects: list[dict[str, Any]]) -> str:
    """Return the name and ID of a feature, or only its ID.

    ``name`` is the ID, and ``objects`` are its objects in the record; the first has the name.
    """
    feature_name = objects[0]["properties"].get("name")
    return f"{feature_name} ({name})" if feature_name else name


def _differing_keys(actual: list[dict[str, Any]], expected: list[dict[str, Any]]) -> list[str]:
    """Return the keys of a feature that differ, as in the record; empty if none. A shape is one key."""
    if len(actual) != len(expected):
        return [_SHAPE_KEY]
    changed_keys: dict[str, None] = {}
    for actual_object, expected_object in zip(actual, expected, strict=True):
        if actual_object[_SHAPE_KEY] != expected_object[_SHAPE_KEY]:
            changed_keys[_SHAPE_KEY] = None
        actual_properties, expected_properties = actual_object["properties"], expected_object["properties"]
        keys = (
            key
            for key in (*actual_properties, *expected_properties)
            if key not in _UNROLLED_KEYS and actual_properties.get(key) != expected_properties.get(key)
        )
        changed_keys |= dict.fromkeys(keys)
    return list(changed_keys)


def _differing_paths(actual: Any, expected: Any, path: str) -> Iterator[str]:
    """Yield the paths at which two JSON values differ, with keys and list indexes from 0.

    ``path`` is the start of each. Lists of different lengths are one difference.
    """
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        for key in dict.fromkeys((*actual, *expected)):
            yield from _differing_paths(actual.get(key), expected.get(key), f"{path}.{key}")
    elif isinstance(actual, list | tuple) and isinstance(expected, list | tuple) and len(actual) == len(expected):
        for index, (actual_item, expected_item) in enumerate(zip(actual, expected, strict=True)):
            yield from _differing_paths(actual_item, expected_item, f"{path}[{index}]")
    elif actual != expected:
        yield path
