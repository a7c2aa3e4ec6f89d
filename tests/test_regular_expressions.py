"""No text of anybody makes a regular expression of printkit slow: each is fed 100 kB of what it names."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby, permutations
from types import SimpleNamespace
from typing import Any, Final

import pytest
from expressions import Expression, book_patterns, expressions

from printkit.core.errors import _patterns
from printkit.core.words import log_templates

LENGTH: Final = 100_000

# Seconds of processor time for one text.
LIMIT: Final = 1.0

# Samples of the local variables of which a pattern is built.
LOCALS_OF: Final = {
    "printkit.console.own_name:use_own_name": {"pattern": r"(?<![\w./-])printkit(?= (?:--\w|[A-Z]{3,}|(?:map|npg)\b))"},
    "printkit.core.errors:_patterns": {"pattern": [each for each, *_ in _patterns(log_templates())]},
    "printkit.kit.book:read": {"self": SimpleNamespace(pattern=book_patterns())},
    "printkit.kit.book_file:__post_init__": {"self": SimpleNamespace(pattern=book_patterns())},
    "printkit.systems.brantley.board.provenance:traced": {"feature": SimpleNamespace(id="hill-1")},
    "printkit.systems.solo.battle.file_changes:told": {"name": "hill"},
}

# The methods of patterns that are handed on before they are called.
METHODS_OF: Final = {
    "printkit.core.errors:_patterns": "fullmatch",
    "printkit.kit.book_file:__post_init__": "fullmatch",
    "printkit.systems.brantley.board.provenance:traced": "search",
    "printkit.systems.solo.battle.file_changes:told": "sub",
}

# The longest text of a caller that refuses longer ones, with the function that does.
LONGEST: Final = {"printkit.core.errors:_patterns": (1000, "recognised")}

ALL: Final = {
    place: list(found)
    for place, found in groupby(
        sorted(expressions(LOCALS_OF, METHODS_OF), key=lambda each: each.place), key=lambda each: each.place
    )
}


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Stop what takes longer, where the system can: a slow pattern would run for hours."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _is_quick(call: Callable[[], Any]) -> bool:
    """Return whether a call takes no longer than the limit."""
    start = time.process_time()
    try:
        with _stopped_after(2 * LIMIT):
            call()
    except TimeoutError:
        return False
    return time.process_time() - start <= LIMIT


def _slow(found: list[Expression], texts: Callable[[str, int], Iterator[tuple[str, str]]]) -> list[str]:
    """Return the patterns, and the texts, that take too long."""
    slow = []
    for each in found:
        length = LONGEST.get(each.place, (LENGTH, ""))[0]
        for name, text in texts(each.characters, length):
            for method, call in zip(each.methods, each.calls(text), strict=True):
                if not _is_quick(call):
                    slow.append(f"{each.place}.{method}: {each.pattern.pattern!r} of {name}")
    return slow


def _single(characters: str, length: int) -> Iterator[tuple[str, str]]:
    for each in characters:
        yield repr(each), each * length


def _pairs(characters: str, length: int) -> Iterator[tuple[str, str]]:
    for first, second in permutations(characters, 2):
        yield f"{first + second!r} repeated", (first + second) * (length // 2)
        yield f"{first!r}, then {second!r}", first * (length // 2) + second * (length // 2)
        yield f"{first!r}, at last {second!r}", first * length + second


@pytest.mark.parametrize("place", ALL)
def test_a_long_text_of_one_character_is_read_at_once(place):
    assert _slow(ALL[place], _single) == []


@pytest.mark.soak
@pytest.mark.parametrize("place", ALL)
def test_a_long_text_of_two_characters_is_read_at_once(place):
    assert _slow(ALL[place], _pairs) == []


ENDLESS: Final = re.compile(r"(?:\\d|\[0-9\])[+*]")
# Patterns that look for numbers in texts, and read none of them. Options are cut before they are read.
LOOKED_FOR: Final = {
    "printkit.console.resolve:_SIZE",
    "printkit.options.table:_WHOLE",
    "printkit.core.words:_NUMBER",
    "printkit.drawing.lettering.lettering:_FIGURES",
}


def test_tables_name_patterns_that_exist_and_none_reads_a_number_without_end():
    # Python refuses to read a number of more than 4,300 digits.
    found = {place for place, each in ALL.items() if any(ENDLESS.search(str(one.pattern.pattern)) for one in each)}
    assert found == LOOKED_FOR
    assert {*LOCALS_OF, *METHODS_OF, *LONGEST} <= ALL.keys()


def test_a_slow_pattern_is_noticed(monkeypatch):
    monkeypatch.setitem(globals(), "LIMIT", 0.05)
    slow = Expression("here:_SLOW", re.compile("(?:a+,)+x"), ("search",))
    assert _slow([slow], _single) == ["here:_SLOW.search: '(?:a+,)+x' of 'a'"]
