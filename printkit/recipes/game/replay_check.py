"""Replay a record from its seed and log, and report the differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.dice import Act, Throw
from printkit.chance.replaying import DoesNotFitError, Replayed
from printkit.core.errors import PrintkitError, Sentence
from printkit.core.words import Words
from printkit.kit.registry import shapes_of
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GameSetup, game_of
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.grids import Grid
from printkit.terrain.field.record import Record
from printkit.terrain.field.record_features import feature_objects

# Longest answer that is shown in full, in characters; a pack of cards is longer.
_LONG: Final = 40

# Properties of a feature that no roll decides: names come from lists of the first language.
_GIVEN: Final = ("id", "name")

_SHAPE: Final = "geometry"

# Keys of feature properties and record details with shapes, or with values that depend on shapes.
_SHAPED: Final = ("geometry", "contours", "bearing", "outlines", "no_room")

_OTHER_BOARD: Final = Sentence("the board does not match the settings")


@runtime_checkable
class SettledBefore(Protocol):
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


def parted_lines(system: RuleSystem, record: Record, words: Words) -> Iterator[Sentence]:
    """Yield the faults of ``replay_of``, one line each; none if everything that can be compared is the same."""
    yield from replay_of(system, record, words).faults


def replay_of(system: RuleSystem, record: Record, words: Words) -> Replay:
    """Compare a record with the game that its seed and log give.

    A roll that is marked as not from the seed is accepted. If the ``shapes`` version of the record is older than that
    of its rules, outlines are not compared, and rolls only up to the first question that differs.

    Raises:
        RecordError: the record has no log or no seed.
        ScenarioError: a setting is not valid.
    """
    game = game_of(system, record, words)
    here = shapes_of(system.name)
    if record.shapes > here:
        return Replay(faults=(newer_line(record.shapes, here),))
    game = replace(game, scenario=replace(game.scenario, board=_board(system, record, game.scenario.settings)))
    if record.shapes < here:
        return _replay_of_older(game, record, here)
    return Replay(faults=tuple(_faults(game, record)))


def newer_line(made: int, here: int) -> Sentence:
    """Return the message that a newer printkit made the record, so its shapes cannot be compared."""
    return Sentence(
        "made by a newer printkit (shapes version {made}, yours {here}); update printkit",
        made=made,
        here=here,
    )


def _faults(game: GameSetup, record: Record) -> Iterator[Sentence]:
    """Yield all differences of a record with current shapes."""
    seeded = game.seeded
    source = Replayed(record.log, seeded)
    try:
        outcome = game.laid(source)
    except PrintkitError as error:
        yield from _otherwise(record, source.compare(seeded))
        yield Sentence("replay failed: {error}", error=error)
        return
    yield from _otherwise(record, source.compare(seeded))
    for stage in _stages_with_more(source, record, outcome.log):
        yield Sentence("the log of stage {stage!r} has too many rolls", stage=stage)
    again = game.played(outcome, seeded).record
    yield from _other_questions(record.log, again.log)
    if _plan(record) != _plan(again):
        yield _OTHER_BOARD
    yield from _features(_objects(record), _objects(again))
    yield from _details(game.system, record, again)


def _replay_of_older(game: GameSetup, record: Record, here: int) -> Replay:
    """Compare a record of an older version: rolls and their order, but nothing that depends on shapes.

    Other shapes may offer other choices, for example for the start of a road. Rolls after such a choice are out of
    order, so they are not checked. Missing features are not reported: whether a feature fits depends on shapes, and the
    clauses of ``check`` notice its absence.
    """
    seeded = game.seeded
    source = Replayed(record.log, seeded)
    again, stops = None, set[int]()
    try:
        outcome = game.laid(source)
    except DoesNotFitError as error:
        stops.add(error.number)
    except PrintkitError:
        stops.add(source.answered + 1)
    else:
        again = game.played(outcome, seeded).record
        pairs = enumerate(zip(record.log, again.log, strict=False), 1)
        stops |= {number for number, (throw, other) in pairs if throw.asked != other.asked}
        if len(record.log) != len(again.log):
            stops.add(min(len(record.log), len(again.log)) + 1)
    due = source.compare(seeded)
    stops |= {number for number in due if record.log[number - 1].act is Act.CHOICE}
    if (other := source.first_other_question()) is not None:
        stops.add(other)
    first = min(stops, default=None)
    faults = list(_otherwise(record, {number: told for number, told in due.items() if first is None or number < first}))
    if again is not None and first is None:
        faults += _other_questions(record.log, again.log)
        faults += [_OTHER_BOARD] if _plan(record) != _plan(again) else []
        own, given = _objects(record), _objects(again)
        both = own.keys() & given.keys()
        faults += _features(*({name: _bare(each[name]) for name in each if name in both} for each in (own, given)))
        faults += _details(game.system, _without_shapes(record), _without_shapes(again))
    return Replay(faults=tuple(faults), note=_older_line(record.shapes, here, first, faults), first_unchecked=first)


def _older_line(made: int, here: int, first: int | None, faults: Sequence[Sentence]) -> Sentence:
    if first is not None:
        return Sentence(
            "made by an older printkit (shapes version {made}, yours {here}); rolls from {first} on are not checked",
            made=made,
            here=here,
            first=first,
        )
    if faults:
        return Sentence(
            "made by an older printkit (shapes version {made}, yours {here}); shapes cannot be compared",
            made=made,
            here=here,
        )
    return Sentence(
        "made by an older printkit (shapes version {made}, yours {here}); rolls and their order are right, "
        "shapes cannot be compared",
        made=made,
        here=here,
    )


def _bare(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a feature as one object without shapes; the faces of a hill depend on its shape."""
    return [{_SHAPE: None, "properties": _without(objects[0]["properties"])}]


def _without_shapes(record: Record) -> Record:
    return replace(record, details=_without(record.details))


def _without(value: Any) -> Any:
    """Return a JSON value without its shape keys, at any depth."""
    if isinstance(value, Mapping):
        return {key: _without(each) for key, each in value.items() if key not in _SHAPED}
    return [_without(each) for each in value] if isinstance(value, list | tuple) else value


def _stages_with_more(source: Replayed, record: Record, log: Iterable[Throw]) -> Iterator[str]:
    """Yield the stages of a record with more rolls in the log than needed."""
    # Rolls that a scenario list answers are in both logs, but the source never answers them.
    due = Counter(throw.stage for throw in log)
    logged = Counter(throw.stage for throw in record.log)
    return (stage for stage in source.unused() if logged[stage] != due[stage])


def _other_questions(log: Iterable[Throw], again: Iterable[Throw]) -> Iterator[Sentence]:
    """Yield the rolls of a log that have a different question in the replay."""
    for number, (throw, other) in enumerate(zip(log, again, strict=False), 1):
        if (throw.asked, throw.clause) != (other.asked, other.clause):
            yield Sentence(
                "on replay, roll {number} is {asked} ({clause})",
                number=number,
                asked=other.asked,
                clause=other.clause or "-",
            )


def _details(system: RuleSystem, record: Record, again: Record) -> Iterator[Sentence]:
    """Yield the details of a record, apart from features, that the seed and log do not give."""
    before = system.settled_before if isinstance(system, SettledBefore) else ()
    own = {name: value for name, value in record.details.items() if name not in before}
    for path in _paths(own, again.details, record.rules):
        yield Sentence("{path} does not match the seed and log", path=path)


def _board(system: RuleSystem, record: Record, settings: Mapping[str, str]) -> Board:
    """Return the board that the rules build for the board size or cell size of a record."""
    board, grid = record.battlefield.board, record.battlefield.grid
    if grid is not None:
        return system.board(settings=settings, cell=grid.cell)
    return system.board(board.width, board.depth, settings=settings)


def _plan(record: Record) -> tuple[Board, Grid | None]:
    return record.battlefield.board, record.battlefield.grid


def _otherwise(record: Record, due: Mapping[int, str]) -> Iterator[Sentence]:
    """Yield for each seed the first roll that it does not give, and the numbers of such rolls in other stages."""
    by_seed: dict[int, list[int]] = {}
    for number in due:
        by_seed.setdefault(record.reseeded.get(record.log[number - 1].stage, record.seed or 0), []).append(number)
    for seed, (number, *others) in by_seed.items():
        throw = record.log[number - 1]
        told = Sentence(
            "roll {number} ({reason}) is {answer}; seed {seed} gives {due}",
            number=number,
            reason=throw.reason,
            answer=_short(throw.answer),
            seed=seed,
            due=_short(due[number]),
        )
        listed = ", ".join(map(str, others))
        yield Sentence("{told}; other rolls that differ: {numbers}", told=told, numbers=listed) if others else told


def _short(answer: str) -> str:
    return answer if len(answer) <= _LONG else f"{answer[: _LONG - 3]}..."


def _objects(record: Record) -> dict[str, list[dict[str, Any]]]:
    """Return the features as the record writes them, by ID; a hill is written as several objects."""
    return {
        feature.id: list(feature_objects(feature, record.properties.get(feature.id, {})))
        for feature in record.battlefield.features
    }


def _features(own: dict[str, list[dict[str, Any]]], due: dict[str, list[dict[str, Any]]]) -> Iterator[Sentence]:
    """Yield the features that are missing, extra or different."""
    for name in due.keys() - own.keys():
        kind = due[name][0]["properties"]["kind"]
        yield Sentence("the log gives {kind} {feature}, but it is not on the board", kind=kind, feature=name)
    for name in own.keys() - due.keys():
        yield Sentence("{feature} is on the board, but no roll produced it", feature=_called(name, own[name]))
    parted = {name: found for name in own if name in due and (found := _members(own[name], due[name]))}
    if len(parted) > 2 and len(parted) == len(own) and all(_SHAPE in found for found in parted.values()):
        yield Sentence("no feature has the shape that the seed and log give")
        return
    for name, found in parted.items():
        yield Sentence(
            "{feature} does not match the seed and log: {members}",
            feature=_called(name, own[name]),
            members=", ".join(found),
        )


def _called(name: str, objects: list[dict[str, Any]]) -> str:
    """Return the name and ID of a feature, or only its ID."""
    given = objects[0]["properties"].get("name")
    return f"{given} ({name})" if given else name


def _members(own: list[dict[str, Any]], due: list[dict[str, Any]]) -> list[str]:
    """Return the keys of a feature that differ, as the record names them."""
    if len(own) != len(due):
        return [_SHAPE]
    found: dict[str, None] = {}
    for one, other in zip(own, due, strict=True):
        if one[_SHAPE] != other[_SHAPE]:
            found[_SHAPE] = None
        ours, theirs = one["properties"], other["properties"]
        keys = (key for key in (*ours, *theirs) if key not in _GIVEN and ours.get(key) != theirs.get(key))
        found |= dict.fromkeys(keys)
    return list(found)


def _paths(own: Any, due: Any, path: str) -> Iterator[str]:
    """Yield the paths at which two JSON values differ, with keys and list indexes."""
    if isinstance(own, Mapping) and isinstance(due, Mapping):
        for key in dict.fromkeys((*own, *due)):
            yield from _paths(own.get(key), due.get(key), f"{path}.{key}")
    elif isinstance(own, list | tuple) and isinstance(due, list | tuple) and len(own) == len(due):
        for place, (one, other) in enumerate(zip(own, due, strict=True)):
            yield from _paths(one, other, f"{path}[{place}]")
    elif own != due:
        yield path
