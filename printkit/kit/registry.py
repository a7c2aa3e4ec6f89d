"""The rule systems by name. A system is imported when it is asked for, so that a name alone costs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from printkit.core.errors import RecordError, UsageError

if TYPE_CHECKING:
    from printkit.kit.plugin import CardJob, Command, Plugin
    from printkit.kit.system import RuleSystem
    from printkit.terrain.field.record import Record

DEFAULT: Final = "brantley"


BUILT_IN: Final[Mapping[str, str]] = {
    "brantley": "printkit.systems.brantley.plugin:PLUGIN",
    "acw": "printkit.systems.acw.plugin:PLUGIN",
    "portable-1": "printkit.systems.portable.plugin:VERSION_1",
    "portable-2": "printkit.systems.portable.plugin:VERSION_2",
    "solo-dba": "printkit.systems.solo.plugin:PLUGIN",
    "dba3": "printkit.systems.dba3.plugin:PLUGIN",
    "collision-course": "printkit.systems.collision.plugin:PLUGIN",
}
"""Where each rule system says what it is."""

NAMES: Final = tuple(BUILT_IN)


@cache
def plugin(name: str) -> Plugin:
    """Return what a rule system says of itself.

    Raises:
        UsageError: there is none of that name.
    """
    from printkit.kit.plugin import load

    found: Plugin = load(BUILT_IN[known(name)])
    return found


def added(name: str, what: str) -> Any:
    """Return what a rule system adds under the name of a field of ``Plugin``, or None."""
    from printkit.kit.plugin import load

    text = getattr(plugin(name), what) if name in BUILT_IN else ""
    return load(text) if text else None


def texts(table: str) -> Mapping[str, str]:
    """Return a table of ``Plugin`` of all rule systems together: ``faces``, ``diagrams``, ``painters``."""
    return _together(table)


def commands() -> Mapping[str, Command]:
    """Return the commands that rule systems bring, by their names."""
    return _together("commands")


def card_jobs() -> Mapping[str, CardJob]:
    """Return what rule systems print as if it were a deck, by its name."""
    return _together("card_jobs")


def _together(table: str) -> dict[str, Any]:
    return {key: value for name in NAMES for key, value in getattr(plugin(name), table).items()}


class _Every(Mapping[str, "RuleSystem"]):
    """All systems by name, each imported when it is taken."""

    def __init__(self) -> None:
        self._taken: dict[str, RuleSystem] = {}

    def __getitem__(self, name: str) -> RuleSystem:
        if name not in self._taken:
            self._taken[name] = _made(name)
        return self._taken[name]

    def __contains__(self, name: object) -> bool:
        return name in BUILT_IN

    def __iter__(self) -> Iterator[str]:
        return iter(BUILT_IN)

    def __len__(self) -> int:
        return len(BUILT_IN)


def known(name: str) -> str:
    """Return the name of a rule system, which is not imported.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in BUILT_IN:
        raise UsageError("no rule system {name!r}; there are {names}", name=name, names=", ".join(NAMES))
    return name


def find(name: str) -> RuleSystem:
    """Return a rule system.

    Raises:
        UsageError: there is none of that name.
    """
    return _made(known(name))


def _made(name: str) -> RuleSystem:
    from printkit.kit.plugin import load

    found: RuleSystem = load(plugin(name).system)()
    return found


def every() -> Mapping[str, RuleSystem]:
    """Return all systems by name; who takes one imports that one alone."""
    return _Every()


def read_record(text: str) -> tuple[RuleSystem, Record]:
    """Return a record and the rule system that made it.

    Raises:
        RecordError: it is no record, or of a system that is not known.
    """
    from printkit.kit.system import judge_stages
    from printkit.terrain.field.record import read, rules_of

    name = rules_of(text)
    if name not in NAMES:
        raise RecordError(
            "rules is {name!r}, which is no rule system known here; there are {names}",
            name=name,
            names=", ".join(NAMES),
        )
    system = find(name)
    record = read(text, system.book.going)
    judge_stages(record, system)
    return system, record
