"""What is wrong with an army, its positions or its log (CC-E), and how open questions are read (CC-Q)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct, field

from printkit.core.words import BETWEEN, Words
from printkit.kit.rules import Rules


def reads(rules: Rules, number: int, option: str) -> bool:
    """Return whether question CC-Q``number`` is read as ``option`` in a game."""
    return rules.choice(f"cc-q{number:02}") == option


ARMY: Final = tuple(f"CC-E{number:02}" for number in range(1, 20))
LOG: Final = tuple(f"CC-E{number}" for number in range(20, 25))
PLACES: Final = tuple(f"CC-E{number}" for number in range(31, 35))
CODES: Final = (*ARMY, *LOG, *PLACES)
"""The numbered errors of the specification about armies, logs and positions."""

READINGS: Final = ("CC-Q05", "CC-Q07", "CC-Q08", "CC-Q20", "CC-Q23", "CC-Q32", "CC-O12", "CC-4.4", "CC-6.4")
"""Faults and notes without a number of their own, by the clause or the reading that they come from."""

WARNINGS: Final = ("CC-E19", "CC-Q20", "CC-Q32")
"""What does not make an army or a log illegal."""


class Key(NamedTuple):
    """A value of a fault that is itself said in words."""

    key: str


Value: TypeAlias = str | int | float | Key


class Fault(Struct, frozen=True):
    """One finding: its code, and what its sentence names. ``hard`` makes illegal what is a note otherwise."""

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)
    hard: bool = False

    @property
    def warning(self) -> bool:
        """Return whether it is only to be noted."""
        return self.code in WARNINGS and not self.hard

    def said(self, words: Words) -> str:
        """Return the sentence; two languages stand side by side, each with numbers as it writes them."""
        return BETWEEN.join(dict.fromkeys(self._in(one) for one in words.each()))

    def line(self, words: Words) -> str:
        """Return code and sentence."""
        return f"{self.code} {self.said(words)}"

    def _in(self, words: Words) -> str:
        values = {name: _value(value, words) for name, value in self.values.items()}
        return words(f"columns.faults.{self.code.removeprefix('CC-').lower()}", **values)


def figure(number: float, words: Words) -> str:
    """Return a number as a language writes it, no longer than it must be."""
    return f"{round(number, 4):g}".replace(".", words.each()[0]("leaflets.decimal"))


def _value(value: Value, words: Words) -> object:
    match value:
        case Key():
            return words(value.key)
        case float():
            return figure(value, words)
        case _:
            return value
