"""A record that was changed by hand anywhere is judged, or is an error that names what is wrong; nothing else comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from tables_by_hand import system
from test_acw_games import play, record_of

from printkit.core.errors import RecordError
from printkit.core.words import find
from printkit.terrain.field.record import Record

WRONG: tuple[Any, ...] = (None, "x", -1, [])
GAMES = (
    (2, {"geography": "riverside", "water": "creek"}),
    (8, {"geography": "farm"}),
)


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


@pytest.mark.parametrize(("seed", "given"), GAMES)
def test_whatever_is_wrong_in_the_details_is_judged_or_named(seed: int, given: dict[str, str]) -> None:
    record = record_of(play(seed, (48, 24), **given), **given)
    details = json.loads(json.dumps({**record.details, "inputs": {"profile": ["Wood: going slow"]}}))
    for path in paths(details):
        for value in WRONG:
            told(replace(record, details=changed(details, path, value)))


def test_whatever_is_wrong_in_the_log_is_judged_or_named() -> None:
    record = record_of(play(4, (48, 24), geography="by-state", state="texas"), geography="by-state", state="texas")
    for place, throw in enumerate(record.log):
        for answer in ("0", "7", "99", "", "x"):
            log = (*record.log[:place], replace(throw, answer=answer), *record.log[place + 1 :])
            told(replace(record, log=log))


def told(record: Record) -> None:
    """Judge a record and say how its features came about; what is wrong in it may be an error of the record alone."""
    for work in (lambda: system().judge(record), lambda: system().account(record, find("en"))):
        try:
            work()
        except RecordError:
            continue
