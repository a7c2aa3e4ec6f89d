"""Nothing is missing unseen: each feature taken away, or put there twice, breaks a clause; a wrong member is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from spoiling import GAMES, case, game, with_features
from spoiling import put as put_feature

from printkit.core.errors import RecordError
from printkit.core.words import find_words as language
from printkit.kit.check import judge_record
from printkit.kit.checks import UnseenError
from printkit.kit.registry import find
from printkit.systems.portable.judge.judge import CHECKS
from printkit.terrain.field.features import Feature, Kind
from printkit.terrain.field.record import Record

BOTH = pytest.mark.parametrize("name", GAMES)
PRESENCE = ("PW0-10", "PW0-12", "PW0-13", "PW1-21", "PW2-42", "PW2-44", "PW2-61", "PW2-62", "PW2-72", "PWA-12")
"""The clauses that say what has to be there; together they miss nothing."""


def is_broken(record: Record, *clauses: str) -> bool:
    """Return whether one of some clauses is broken, as far as the record lets it be seen."""
    seen = case(record)
    for clause in clauses:
        try:
            if clause in seen.rules.book.clauses and next(iter(CHECKS[clause](seen)), None) is not None:
                return True
        except UnseenError:
            continue
    return False


def each(record: Record) -> Iterator[tuple[Feature, tuple[Feature, ...]]]:
    """Yield every feature with all the others."""
    features = record.battlefield.features
    return ((one, tuple(other for other in features if other is not one)) for one in features)


@pytest.mark.clause("PW0-10", "PW0-11", "PW0-14")
@BOTH
@pytest.mark.parametrize("number", range(3))
def test_every_feature_that_is_taken_away_is_missed(name: str, number: int) -> None:
    record = game(name, number)
    assert not is_broken(record, *PRESENCE)
    assert [one.id for one, left in each(record) if not is_broken(with_features(record, left), *PRESENCE)] == []


@pytest.mark.clause("PW0-09")
@BOTH
def test_ground_that_lies_there_twice_is_found(name: str) -> None:
    record = game(name, 0)
    for one, left in each(record):
        if one.id in {ground.id for ground in case(record).ground}:
            twice = with_features(record, (*left, one, replace(one, id="again")))
            assert is_broken(twice, "PW0-09", "PW2-72"), one.id


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every member of the details of a record, the first of each list."""
    members = value.items() if isinstance(value, Mapping) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, member in members:
        yield (*at, key)
        yield from paths(member, (*at, key))


def put(value: Any, path: tuple[Any, ...], member: object) -> Any:
    """Return an object with another member at a path."""
    if not path:
        return member
    if isinstance(value, list):
        return [put(old, path[1:], member) if place == path[0] else old for place, old in enumerate(value)]
    return {**value, path[0]: put(value[path[0]], path[1:], member)}


@BOTH
def test_a_wrong_member_of_the_record_is_told_and_never_fails(name: str) -> None:
    system, record, words = find(name), game(name, 0), language("en")
    told: list[str] = []
    for path in paths(record.details):
        for member in (None, "x", -1, [], {}):
            wrong = replace(record, details=put(record.details, path, member))
            try:
                system.account(wrong, words)
                list(CHECKS["PW0-17"](case(wrong)))
                list(CHECKS["PW2-72" if name == "portable-2" else "PW0-13"](case(wrong)))
            except RecordError as error:
                told.append(str(error))
            except UnseenError:
                pass
    assert len(told) > 100
    assert all(text.startswith(name) for text in told)


def test_lists_of_the_scenario_that_are_none_are_told() -> None:
    record = game("portable-2", 0)
    with pytest.raises(RecordError, match="portable-2\\.inputs of the record is not what these rules write there"):
        list(CHECKS["PW0-13"](case(replace(record, details={**record.details, "inputs": "x"}))))


def broken(record: Record) -> set[str]:
    """Return the clauses that a check of a record finds broken."""
    return {verdict.clause for verdict in judge_record(find(record.rules), record).broken}


@pytest.mark.clause("PW0-02", "PW0-11", "PW0-14", "PW0-17")
@BOTH
def test_what_the_record_says_of_its_features_is_compared_with_the_log(name: str) -> None:
    record = game(name, 1)
    note = {"key": "dropped", "clause": "PW0-11", "feature": "", "values": {"kind": "hill"}}
    places, ways = record.details["places"], record.details["ways"]
    changes: list[tuple[str, dict[str, Any]]] = [
        ("PW0-11", {"notes": [*record.details["notes"], note]}),
        ("PW0-17", {"geography": {**record.details["geography"], "climate": "x"}}),
        ("PW0-14", {"places": [{**places[0], "cells": [[1, 1]]}, *places[1:]]}),
        ("PW0-14", {"ways": [{**ways[0], "width": 1.7}, *ways[1:]]}),
    ]
    assert broken(record) == set()
    for clause, members in changes:
        assert clause in broken(replace(record, details={**record.details, **members})), members
    for one, left in each(record):
        if one.origin.throws:
            cut = replace(one, origin=replace(one.origin, throws=one.origin.throws[:-1]))
            assert {"PW0-02"} <= broken(with_features(record, (*left, cut)))
            assert broken(with_features(record, (*left, replace(one, origin=replace(one.origin, clauses=())))))
            break


@pytest.mark.clause("PW0-14")
@BOTH
@pytest.mark.parametrize("number", range(5))
def test_every_roll_is_in_a_feature_or_a_note_says_why_it_is_not(name: str, number: int) -> None:
    record = game(name, number)
    one, left = next(pair for pair in each(record) if pair[0].origin.throws)
    unlisted = with_features(record, (*left, replace(one, origin=replace(one.origin, throws=()))))
    assert not is_broken(record, "PW0-14")
    assert is_broken(unlisted, "PW0-14")


@pytest.mark.clause("PW2-42", "PW1-21")
@BOTH
def test_a_crossing_is_where_its_lines_meet(name: str) -> None:
    record = game(name, 4)
    seen = case(record)
    crossing = next(one for one in seen.crossings if one.kind in (Kind.FORD, Kind.BRIDGE))
    road = seen.find_course(crossing.route)
    assert road is not None
    along = replace(crossing, at=road.line.interpolate(road.line.project(crossing.at) + 8))
    assert not is_broken(record, "PW1-21", "PW2-42")
    assert is_broken(put_feature(record, along), "PW1-21", "PW2-42")
