"""The rules of one game of Solo DBA: its book after the settings, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeVar

from msgspec import Struct

from printkit.core.errors import ScenarioError, UsageError
from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.kit.rules import Rules
from printkit.systems.solo.armies.steps import Mode
from printkit.terrain.field.battlefield import Board

BOOK: Final = "solo-dba"
_MODE: Final = "mode"

_READ: Final = "npg.read"
_HUNDRED: Final = 100

T = TypeVar("T")


class PreferenceChoice(Struct, frozen=True, kw_only=True):
    """A place of an order of preference: a type, and when it is taken: ``any``, ``odd`` or ``not_threes``."""

    clause: str
    type: str
    when: str


class SoloRules(Rules, frozen=True, kw_only=True, dict=True):
    """The rules of one game, and what is worked out of them once."""

    @cached_property
    def _made(self) -> dict[Callable[[SoloRules], Any], Any]:
        return {}

    def once(self, make: Callable[[SoloRules], T]) -> T:
        """Return what a function makes of these rules, made once."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found

    @property
    def inch(self) -> float:
        """Return the paces of an inch of the board for 15 mm figures, in which the rules write inches (F-18)."""
        return _HUNDRED / self.number("inches_per_100_paces_15mm")

    @property
    def big_area(self) -> float:
        """Return the square paces of bad going that are of a reasonable size (AMB-25)."""
        return self.number("big_area_sqin") * self.inch**2

    @property
    def ahead_of_zone(self) -> float:
        """Return the paces in front of a zone that count as in front of it (AMB-25)."""
        return self.number("front_depth_in") * self.inch

    def key(self, key: str, words: Words) -> str:
        """Return the key of a text, or of what it says where a setting is not the default, below ``npg.read``."""
        changed = (f"{_READ}.{name}.{value}.{key}" for name, value in self.settings.items())
        return next(filter(words.has, changed), key)

    def compared(self, clause: str) -> Mapping[str, float]:
        """Return with what the condition of a modifier compares: ``count``, and other numbers by their part."""
        named = {name: name.removeprefix(clause) for name in self.book.numbers if name.startswith(clause)}
        return {
            part.removeprefix("_") or "count": self.number(name)
            for name, part in named.items()
            if not part or part.startswith("_")
        }

    def facts_of(self, clause: str, **places: str) -> Iterator[str]:
        """Yield the names of the facts of the table that a modifier needs.

        ``places`` fills in the edge that it is about.
        """
        for row in self.rows("facts"):
            if row.values["clause"] == clause:
                yield from (str(name).format(**places) for name in row.need("needs", list))

    def type_order(self, name: str) -> tuple[str, ...]:
        """Return an order of types: ``grouping`` or ``lead``."""
        return next(tuple(row.need("types", list)) for row in self.rows("orders") if row.need("order", str) == name)

    @cached_property
    def garrison_choices(self) -> tuple[PreferenceChoice, ...]:
        """Return who garrisons a built-up area, the first that applies."""
        return tuple(
            PreferenceChoice(clause=row.need("clause", str), type=row.need("type", str), when=row.need("when", str))
            for row in self.rows("garrison")
        )


def solo_rules(*given: Mapping[str, str], board: Board | None = None) -> SoloRules:
    """Return the rules of a game by its settings, of which a later mapping outweighs an earlier one.

    Raises:
        ScenarioError: an unknown setting or value; names the known ones.
    """
    return SoloRules.of(read_book(BOOK), *given, board=board)


def asked_rules(settings: Mapping[str, str]) -> SoloRules:
    """Return the rules of a game by the settings of a command line.

    Raises:
        UsageError: an unknown setting or value; names the known ones.
    """
    try:
        return solo_rules(settings)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None


def split_mode(settings: Mapping[str, str]) -> tuple[dict[str, str], Mode | None]:
    """Return the other settings of a command line, and the mode; None if it names none.

    Raises:
        UsageError: there is no such mode.
    """
    others = {key: text for key, text in settings.items() if key != _MODE}
    if _MODE not in settings:
        return others, None
    return others, Mode(asked_rules({_MODE: settings[_MODE]}).choice(_MODE))
