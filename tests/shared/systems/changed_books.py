"""Rule books with one number changed, and records without one feature."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

import printkit.kit.book
from printkit.kit.book import RuleBook, Setting, read_book


def settings_with(book: RuleBook, numbers: Mapping[str, float]) -> tuple[Setting, ...]:
    """Return the settings of a book, those of numbers with the default and the range that other numbers give."""
    return tuple(
        replace(
            setting,
            values=(str(numbers[name]),),
            least=numbers.get(f"{name}_min"),
            most=numbers.get(f"{name}_max"),
        )
        if (name := setting.number)
        else setting
        for setting in book.settings
    )


@contextmanager
def book_instead(name: str, book: RuleBook) -> Iterator[None]:
    """Have everybody who reads a book, by its name, find another one."""
    ours = printkit.kit.book._ours
    printkit.kit.book._ours = lambda asked: book if asked == name else ours(asked)  # type: ignore[assignment]
    try:
        yield
    finally:
        printkit.kit.book._ours = ours


@contextmanager
def number_changed(name: str, number: str, factor: float) -> Iterator[None]:
    """Have everybody who reads a book, by its name, find one number of it multiplied."""
    book = read_book(name)
    numbers = {**book.numbers, number: book.numbers[number] * factor}
    with book_instead(name, replace(book, numbers=numbers, settings=settings_with(book, numbers))):
        yield


def without(record: str, identity: str) -> str:
    """Return a record, as text, without the feature of an ID."""
    tree: dict[str, Any] = json.loads(record)
    left = [feature for feature in tree["features"] if feature["id"] != identity]
    assert len(left) == len(tree["features"]) - 1
    return json.dumps({**tree, "features": left})
