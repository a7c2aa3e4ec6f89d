"""Of a record what is missing is found, and what is wrong is judged or named; nothing else comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from drawn_by_hand import broken, without
from msgspec.structs import replace
from seeded_tables import broken_of, seeded
from shapely import LineString, Point
from tables_by_hand import system

from printkit.core.errors import RecordError
from printkit.core.words import find
from printkit.kit.checks import UnseenError
from printkit.systems.acw.judge.case import crossings_of
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

SEEN_BY = ("AC-G04", "AC-303", "AC-F13", "AC-211", "AC-N04", "AC-N14", "AC-N30", "AC-N40")
"""The clauses that a missing feature breaks; the others look at what is there."""


def faults(record: Record) -> dict[str, str]:
    found = {}
    for clause in SEEN_BY:
        with suppress(UnseenError):
            if said := broken(record, clause):
                found[clause] = said
    return found


@pytest.mark.clause("AC-G04", "AC-205", "AC-303", "AC-N04", "AC-N14", "AC-N40", "AC-F13")
@pytest.mark.parametrize(
    ("seed", "given"),
    [
        (3, {"geography": "mountains", "ac_q16": "wooded-zone"}),
        (10, {"geography": "riverside"}),
        (8, {"geography": "farm", "ac_q20": "lanes"}),
        (5, {"geography": "swampy"}),
        *(pytest.param(seed, {}, marks=pytest.mark.soak) for seed in range(40)),
    ],
)
def test_any_one_feature_taken_out_breaks_a_clause(seed: int, given: dict[str, Any]) -> None:
    record = seeded(seed, (48, 48), **given)
    assert faults(record) == {}
    for feature in record.battlefield.features:
        assert faults(without(feature.id)(record)), feature.id


@pytest.mark.clause("AC-N14")
def test_a_junction_that_was_taken_out_is_missed() -> None:
    records = (seeded(seed, geography="wilderness") for seed in (1, 9, 17, 25))
    record, junction = next((found, mark) for found in records for mark in found.battlefield.of(Kind.JUNCTION))
    assert broken(record, "AC-N14") == ""
    assert "without a junction" in broken(without(junction.id)(record), "AC-N14")


@pytest.mark.clause("AC-103", "AC-201", "AC-204", "AC-303", "AC-211", "AC-N04", "AC-D3", "AC-D5", "AC-207")
@pytest.mark.parametrize(
    ("seed", "given"),
    [
        (5, {"choice_policy": "uniform"}),
        (6, {"geography": "riverside", "water": "creek"}),
        (7, {"geography": "coastal", "choice_policy": "uniform"}),
    ],
)
def test_any_member_and_any_throw_taken_out_breaks_a_clause(seed: int, given: dict[str, Any]) -> None:
    record = seeded(seed, (48, 24), **given)
    assert broken_of(record) == {}
    for member in record.details:
        left = {name: told for name, told in record.details.items() if name != member}
        assert broken_of(replace(record, details=left)), member
    for place, throw in enumerate(record.log):
        assert broken_of(replace(record, log=(*record.log[:place], *record.log[place + 1 :]))), throw


WRONG: tuple[Any, ...] = (None, "x", -1, [])


def paths(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value: of a list the first of each shape, for the others are read alike."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, member in value.items():
            yield from paths(member, *path, name)
    elif isinstance(value, list):
        for place, member in enumerate(value[:1]):
            yield from paths(member, *path, place)


def changed(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    made = json.loads(json.dumps(tree))
    at = made
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("seed", "given"), [(2, {"geography": "riverside", "water": "creek"}), (8, {"geography": "farm"})]
)
def test_whatever_is_wrong_in_the_details_is_judged_or_named(seed: int, given: dict[str, Any]) -> None:
    record = seeded(seed, (48, 24), **given)
    details = json.loads(json.dumps({**record.details, "inputs": {"profile": ["Wood: going slow"]}}))
    for path in paths(details):
        for value in WRONG:
            told(replace(record, details=changed(details, path, value)))


def test_whatever_is_wrong_in_the_log_is_judged_or_named() -> None:
    record = seeded(4, (48, 24), geography="by-state", state="texas")
    for place, throw in enumerate(record.log):
        for answer in ("0", "7", "99", "", "x"):
            log = (*record.log[:place], replace(throw, answer=answer), *record.log[place + 1 :])
            told(replace(record, log=log))


def told(record: Record) -> None:
    """Judge a record and say how its features came about; what is wrong in it may be an error of the record alone."""
    with suppress(RecordError):
        system().judge(record)
    with suppress(RecordError):
        system().account(record, find("en"))


@pytest.mark.clause("AC-D3", "AC-Q03")
def test_zones_that_are_thrown_for_out_of_their_rows_are_found() -> None:
    record = seeded(10, (48, 48), geography="riverside")
    ours = [throw for throw in record.log if throw.stage == "zones"]
    first = [throw for throw in ours if throw.reason.startswith("zone 1,")]
    turned = iter([throw for throw in ours if throw not in first] + first)
    log = tuple(next(turned) if throw.stage == "zones" else throw for throw in record.log)
    assert first
    assert "row by row" not in broken(record, "AC-D3")
    assert "row by row" in broken(replace(record, log=log), "AC-D3")


@pytest.mark.clause("AC-N01")
def test_a_link_that_is_one_zone_longer_than_it_may_be_is_found() -> None:
    """A table joined over up to two zones, judged as one on which the next alone is joined."""
    record = seeded(19, (48, 48), geography="farm", ac_q21="2")
    assert any(len(path) == 3 for path in record.details["graph"]["roads"]["links"])
    assert "longer than it may be" not in broken(record, "AC-N01")
    assert "longer than it may be" in broken(replace(record, settings={**record.settings, "ac-q21": "1"}), "AC-N01")


def test_two_lines_meet_in_the_middle_of_what_they_share() -> None:
    line = LineString([(0, 0), (10, 0), (10, 10)])
    other = LineString([(2, 0), (6, 0), (6, 5), (12, 5)])
    assert sorted(crossings_of(line, other), key=lambda at: at.x) == [Point(4, 0), Point(10, 5)]
