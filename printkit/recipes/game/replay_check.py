"""A record against its seed and its log: both are played again, and what lies otherwise is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol, runtime_checkable

from msgspec.structs import replace

from printkit.chance.replaying import Replayed
from printkit.core.errors import PrintkitError, Sentence
from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import game_of
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.grids import Grid
from printkit.terrain.field.record import Record
from printkit.terrain.field.record_features import feature_objects

_LONG: Final = 40
"""Characters of an answer that are shown; a pack of cards is longer."""

_GIVEN: Final = ("id", "name")
"""Properties of a feature that no throw decides: names are drawn from lists of the first language."""

_SHAPE: Final = "geometry"


@runtime_checkable
class SettledBefore(Protocol):
    """A rule system whose records may keep what was settled before the game, and what no throw gives."""

    settled_before: tuple[str, ...]


def parted_lines(system: RuleSystem, record: Record, words: Words) -> Iterator[Sentence]:
    """Yield what a record has otherwise than its seed and its log give it, a line each; nothing where all is the same.

    A throw that is marked as not of the seed stands as it is.

    Raises:
        RecordError: the record has no log or no seed.
        ScenarioError: its settings cannot be.
    """
    game = game_of(system, record, words)
    game = replace(game, scenario=replace(game.scenario, board=_board(system, record, game.scenario.settings)))
    seeded = game.seeded
    source = Replayed(record.log, seeded)
    try:
        outcome = game.laid(source)
    except PrintkitError as error:
        yield from _otherwise(record, source.compare(seeded))
        yield Sentence("played again: {error}", error=error)
        return
    yield from _otherwise(record, source.compare(seeded))
    # What a list of the scenario answers stands in both logs, and was not asked of the source.
    due = Counter(throw.stage for throw in outcome.log)
    logged = Counter(throw.stage for throw in record.log)
    for stage in source.unused():
        if logged[stage] == due[stage]:
            continue
        yield Sentence("the log of stage {stage!r} has more throws than are due", stage=stage)
    again = game.played(outcome, seeded).record
    for number, (throw, other) in enumerate(zip(record.log, again.log, strict=False), 1):
        if (throw.asked, throw.clause) != (other.asked, other.clause):
            yield Sentence(
                "throw {number} is of {asked} by {clause} when it is played again",
                number=number,
                asked=other.asked,
                clause=other.clause or "-",
            )
    if _plan(record) != _plan(again):
        yield Sentence("the board is not the one of the settings")
    yield from _features(_objects(record), _objects(again))
    before = system.settled_before if isinstance(system, SettledBefore) else ()
    own = {name: value for name, value in record.details.items() if name not in before}
    for path in _paths(own, again.details, record.rules):
        yield Sentence("{path} is not what seed and log give", path=path)


def _board(system: RuleSystem, record: Record, settings: Mapping[str, str]) -> Board:
    """Return the board that the rules make of the size, or of the cells, of a record's."""
    board, grid = record.battlefield.board, record.battlefield.grid
    if grid is not None:
        return system.board(settings=settings, cell=grid.cell)
    return system.board(board.width, board.depth, settings=settings)


def _plan(record: Record) -> tuple[Board, Grid | None]:
    return record.battlefield.board, record.battlefield.grid


def _otherwise(record: Record, due: Mapping[int, str]) -> Iterator[Sentence]:
    """Yield by seed the first throw that it does not give, and the numbers of those of other stages."""
    by_seed: dict[int, list[int]] = {}
    for number in due:
        by_seed.setdefault(record.reseeded.get(record.log[number - 1].stage, record.seed or 0), []).append(number)
    for seed, (number, *others) in by_seed.items():
        throw = record.log[number - 1]
        told = Sentence(
            "throw {number}, {reason}, is {answer}; seed {seed} gives {due}",
            number=number,
            reason=throw.reason,
            answer=_short(throw.answer),
            seed=seed,
            due=_short(due[number]),
        )
        listed = ", ".join(map(str, others))
        yield Sentence("{told}; so throws {numbers}", told=told, numbers=listed) if others else told


def _short(answer: str) -> str:
    return answer if len(answer) <= _LONG else f"{answer[: _LONG - 3]}..."


def _objects(record: Record) -> dict[str, list[dict[str, Any]]]:
    """Return the features as the record writes them, by their IDs; a hill is written as several."""
    return {
        feature.id: list(feature_objects(feature, record.properties.get(feature.id, {})))
        for feature in record.battlefield.features
    }


def _features(own: dict[str, list[dict[str, Any]]], due: dict[str, list[dict[str, Any]]]) -> Iterator[Sentence]:
    """Yield by features what is too many, too few, or otherwise."""
    for name in due.keys() - own.keys():
        kind = due[name][0]["properties"]["kind"]
        yield Sentence("{kind} {feature} is given by the log, and is not on the board", kind=kind, feature=name)
    for name in own.keys() - due.keys():
        yield Sentence("{feature} is on the board, and no throw gives it", feature=_called(name, own[name]))
    parted = {name: found for name in own if name in due and (found := _members(own[name], due[name]))}
    if len(parted) > 2 and len(parted) == len(own) and all(_SHAPE in found for found in parted.values()):
        yield Sentence("no feature has the shape that seed and log give")
        return
    for name, found in parted.items():
        yield Sentence(
            "{feature}: {members} not as seed and log give", feature=_called(name, own[name]), members=", ".join(found)
        )


def _called(name: str, objects: list[dict[str, Any]]) -> str:
    """Return the name of a feature with its ID behind it, or that alone."""
    given = objects[0]["properties"].get("name")
    return f"{given} ({name})" if given else name


def _members(own: list[dict[str, Any]], due: list[dict[str, Any]]) -> list[str]:
    """Return the members of a feature that differ, by the names that they have in the record."""
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
    """Yield where two values of JSON differ, by the names of members and the numbers of entries."""
    if isinstance(own, Mapping) and isinstance(due, Mapping):
        for key in dict.fromkeys((*own, *due)):
            yield from _paths(own.get(key), due.get(key), f"{path}.{key}")
    elif isinstance(own, list | tuple) and isinstance(due, list | tuple) and len(own) == len(due):
        for place, (one, other) in enumerate(zip(own, due, strict=True)):
            yield from _paths(one, other, f"{path}[{place}]")
    elif own != due:
        yield path
