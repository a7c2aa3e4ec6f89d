"""Reading JSON that people may have written: each value knows the path to it, so that an error can name the member."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, NoReturn

from msgspec import Struct

from printkit.core.errors import RecordError, Sentence


class Member(Struct, frozen=True):
    """A value of a record and the path that leads to it, as ``board.width_mm``.

    Every method that reads raises RecordError where the value is of another type; its text names the path.
    """

    value: Any
    path: str

    def get(self, name: str) -> Member | None:
        """Return a member of this object, or None where it is missing or null."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object {{...}}")
        found = self.value.get(name)
        return None if found is None else Member(found, f"{self.path}.{name}" if self.path else name)

    def need(self, name: str, remedy: str) -> Member:
        """Return a member of this object that has to be there; ``remedy`` says what to write."""
        found = self.get(name)
        if found is None:
            place = f"{self.path}.{name}" if self.path else name
            raise RecordError("{place} is missing; {remedy}", place=place, remedy=remedy)
        return found

    def text(self) -> str:
        """Return the value as text."""
        if not isinstance(self.value, str):
            raise self.wrong('text in quotes, as "hill"')
        return self.value

    def number(self) -> float:
        """Return the value as a finite number."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)) or not math.isfinite(self.value):
            raise self.wrong("a number")
        return float(self.value)

    def positive(self) -> float:
        """Return the value as a number greater than 0."""
        if self.number() <= 0:
            raise self.wrong("a number greater than 0")
        return self.number()

    def whole(self) -> int:
        """Return the value as a whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.wrong("a whole number")
        return self.value

    def items(self) -> Iterator[Member]:
        """Yield the values of a list."""
        if not isinstance(self.value, list):
            raise self.wrong("a list [...]")
        return (Member(value, f"{self.path}[{place}]") for place, value in enumerate(self.value))

    def pairs(self) -> Iterator[tuple[str, Member]]:
        """Yield the names and values of an object."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object {{...}}")
        return ((name, Member(value, f"{self.path}.{name}")) for name, value in self.value.items())

    def wrong(self, should: str, /, **values: object) -> RecordError:
        """Return the error that this value is not what it should be: a template, and its values."""
        shown = json.dumps(self.value, ensure_ascii=False)
        return RecordError(
            "{path} is {shown}, not {should}",
            path=self.path or Sentence("the record"),
            shown=shown if len(shown) <= 40 else f"{shown[:37]}...",
            should=Sentence(should, **values),
        )


def parse(text: str) -> Member:
    """Return the top object of a JSON text.

    Raises:
        RecordError: it is not JSON, with the line; or its top is no object.
    """
    try:
        value = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise RecordError(
            "not JSON: {msg} in line {lineno}, column {colno}", msg=error.msg, lineno=error.lineno, colno=error.colno
        ) from None
    if not isinstance(value, dict):
        raise Member(value, "").wrong('an object {{"type": "FeatureCollection", ...}}')
    return Member(value, "")


def _refuse(constant: str) -> NoReturn:
    raise RecordError("not JSON: {constant} is no number that JSON knows", constant=constant)
