"""Whatever stands in the object of the rules in a record: it is read, or told by its path, and never fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache
from itertools import product
from typing import Any

import pytest
from by_hand import full_game
from msgspec.structs import replace
from playing import BOOK, BRANTLEY, rules

from printkit.core.errors import RecordError
from printkit.core.words import Words
from printkit.systems.brantley.dealing.cards import PACK
from printkit.systems.brantley.dealing.closed_game import ClosedGame
from printkit.systems.brantley.dealing.journal import Journal
from printkit.systems.brantley.dealing.progress import Progress, seal_facts
from printkit.systems.brantley.dealing.readers import read_hidden_board, read_revealed_game
from printkit.systems.brantley.judge.judge import judge
from printkit.terrain.field.record import Record, read_back

ENGLISH = Words(("en",))
STRANGE: tuple[Any, ...] = (None, "x", -1, [], {})


@cache
def told() -> Record:
    game = full_game()
    closed = ClosedGame(
        salt="00",
        pack=tuple(map(str, PACK)),
        seed=1,
        settings=BOOK.settle({}),
        first="A",
        board="",
        thrown=(),
        dice=(),
        goes_on=True,
        inputs={},
    )
    progress = Progress(game=closed, journal=Journal(closed.commitment))
    return read_back(replace(game, details={**game.details, **seal_facts(progress)}))


def paths(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of an object, of lists the first entry alone."""
    if place:
        yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, part in inner:
        yield from paths(part, (*place, key))


def with_value(record: Record, place: tuple[Any, ...], value: Any) -> Record:
    details = deepcopy(dict(record.details))
    inner: Any = details
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return replace(record, details=details)


READERS: tuple[Callable[[Record], object], ...] = (
    lambda record: judge(record, BOOK),
    lambda record: BRANTLEY.account(record, ENGLISH),
    read_hidden_board,
    lambda record: read_revealed_game(record, {}, rules=rules(), words=ENGLISH),
)


@pytest.mark.parametrize("place", list(paths(dict(told().details))), ids=lambda place: ".".join(map(str, place)))
def test_a_strange_value_is_read_or_told(place: tuple[Any, ...]):
    for value, reader in product(STRANGE, READERS):
        with suppress(RecordError):
            reader(with_value(told(), place, value))
