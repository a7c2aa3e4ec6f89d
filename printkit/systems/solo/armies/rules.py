"""The rules of one game of Solo DBA: the rule book with settings, and values derived from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Literal, TypeVar

from printkit.core.errors import ScenarioError, UsageError
from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.kit.book_file import BookEntry
from printkit.kit.rules import Rules
from printkit.systems.solo.armies.steps import Mode
from printkit.terrain.field.battlefield import Board

BOOK: Final = "solo-dba"
_MODE: Final = "mode"

_TEXT_ROOT: Final = "npg.read"
_HUNDRED: Final = 100

T = TypeVar("T")


class PreferenceChoice(BookEntry, frozen=True, kw_only=True):
    """An entry of an order of preference: a type and its condition, ``any``, ``odd`` or ``not_threes``."""

    type: str
    when: Literal["any", "odd", "not_threes"]


class SoloRules(Rules, frozen=True, kw_only=True, dict=True):
    """The rules of one game, and a cache of values computed from them."""

    @cached_property
    def _cache(self) -> dict[Callable[[SoloRules], Any], Any]:
        """Return the cache of computed values, by the function that computes them."""
        return {}

    def compute_once(self, compute: Callable[[SoloRules], T]) -> T:
        """Return the result of a function of these rules; it is called once and cached.

        ``compute`` gets these rules. It must always be the same function object.
        """
        if compute not in self._cache:
            self._cache[compute] = compute(self)
        result: T = self._cache[compute]
        return result

    @property
    def paces_per_inch(self) -> float:
        """Return the number of paces in an inch on the board. The rules give inches for 15 mm figures (F-18)."""
        return _HUNDRED / self.number("inches_per_100_paces_15mm")

    @property
    def big_area(self) -> float:
        """Return the least area of bad going that counts as a reasonable size, in square paces (AMB-25)."""
        return self.number("big_area_sqin") * self.paces_per_inch**2

    @property
    def front_depth(self) -> float:
        """Return the depth of the strip in front of a zone, in paces (AMB-25)."""
        return self.number("front_depth_in") * self.paces_per_inch

    def text_key(self, key: str, words: Words) -> str:
        """Return the key of the text for the current settings (below ``npg.read``), or ``key`` itself."""
        setting_keys = (f"{_TEXT_ROOT}.{name}.{value}.{key}" for name, value in self.settings.items())
        return next(filter(words.has, setting_keys), key)

    def condition_numbers(self, clause: str) -> Mapping[str, float]:
        """Return the numbers in the condition of a modifier, by name, in the units of the rule book.

        The name is ``count`` for the number with the clause as its name in the book. For others it is the rest of their
        name, for example ``paces``. Empty if the condition has no numbers.
        """
        suffixes = {name: name.removeprefix(clause) for name in self.book.numbers if name.startswith(clause)}
        return {
            part.removeprefix("_") or "count": self.number(name)
            for name, part in suffixes.items()
            if not part or part.startswith("_")
        }

    def needed_facts(self, clause: str, **places: str) -> Iterator[str]:
        """Yield the names of the battlefield facts that a modifier needs; may be empty.

        ``places`` are values for the placeholders in those names, for example the edge. ``clause`` is the ID of the
        modifier.
        """
        for row in self.rows("facts"):
            if row.values["clause"] == clause:
                yield from (name.format(**places) for name in row.need("needs", list[str]))

    def type_order(self, name: str) -> tuple[str, ...]:
        """Return the type codes of troops in an order of the rules; ``name`` is ``grouping`` or ``lead``.

        Raises:
            BookError: the rule book has no such order.
        """
        return self.row("orders", "order", name).need("types", tuple[str, ...])

    @cached_property
    def garrison_choices(self) -> tuple[PreferenceChoice, ...]:
        """Return the order of preference for the garrison of a built-up area; the first that applies counts."""
        return self.read("garrison", PreferenceChoice)


def load_solo_rules(*settings: Mapping[str, str], board: Board | None = None) -> SoloRules:
    """Return the rules of a game with these settings; later mappings override earlier ones.

    Lengths in mm need ``board``.

    Raises:
        ScenarioError: a setting or value is unknown; the message lists the known ones.
    """
    return SoloRules.of(read_book(BOOK), *settings, board=board)


def load_rules_from_options(settings: Mapping[str, str]) -> SoloRules:
    """Return the rules of a game with the settings of a command line.

    Raises:
        UsageError: a setting or value is unknown; the message lists the known ones.
    """
    try:
        return load_solo_rules(settings)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None


def split_mode(settings: Mapping[str, str]) -> tuple[dict[str, str], Mode | None]:
    """Return the settings of a command line without the mode, and the mode; None if it is not given.

    Raises:
        UsageError: the mode is unknown.
    """
    other_settings = {key: text for key, text in settings.items() if key != _MODE}
    if _MODE not in settings:
        return other_settings, None
    return other_settings, Mode(load_rules_from_options({_MODE: settings[_MODE]}).choice(_MODE))
