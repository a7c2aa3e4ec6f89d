"""The rule systems by name. A system is imported when it is asked for, so that a name alone costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from printkit.core.errors import RecordError, UsageError

if TYPE_CHECKING:
    from printkit.kit.system import RuleSystem
    from printkit.terrain.field.record import Record

DEFAULT: Final = "brantley"


def _brantley() -> RuleSystem:
    from printkit.systems.brantley.system import Brantley

    return Brantley()


def _acw() -> RuleSystem:
    from printkit.systems.acw.system import Acw

    return Acw()


def _portable_1() -> RuleSystem:
    from printkit.systems.portable.system import portable_1

    return portable_1()


def _portable_2() -> RuleSystem:
    from printkit.systems.portable.system import portable_2

    return portable_2()


def _solo_dba() -> RuleSystem:
    from printkit.systems.solo.system import SoloDba

    return SoloDba()


def _dba3() -> RuleSystem:
    from printkit.systems.dba3.system import Dba3

    return Dba3()


def _collision_course() -> RuleSystem:
    from printkit.systems.collision.system import CollisionCourse

    return CollisionCourse()


_SYSTEMS: Final[Mapping[str, Callable[[], RuleSystem]]] = {
    "brantley": _brantley,
    "acw": _acw,
    "portable-1": _portable_1,
    "portable-2": _portable_2,
    "solo-dba": _solo_dba,
    "dba3": _dba3,
    "collision-course": _collision_course,
}

NAMES: Final = tuple(_SYSTEMS)


class _Every(Mapping[str, "RuleSystem"]):
    """All systems by name, each imported when it is taken."""

    def __init__(self) -> None:
        self._taken: dict[str, RuleSystem] = {}

    def __getitem__(self, name: str) -> RuleSystem:
        if name not in self._taken:
            self._taken[name] = _SYSTEMS[name]()
        return self._taken[name]

    def __contains__(self, name: object) -> bool:
        return name in _SYSTEMS

    def __iter__(self) -> Iterator[str]:
        return iter(_SYSTEMS)

    def __len__(self) -> int:
        return len(_SYSTEMS)


def known(name: str) -> str:
    """Return the name of a rule system, which is not imported.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in _SYSTEMS:
        raise UsageError("no rule system {name!r}; there are {names}", name=name, names=", ".join(NAMES))
    return name


def find(name: str) -> RuleSystem:
    """Return a rule system.

    Raises:
        UsageError: there is none of that name.
    """
    return _SYSTEMS[known(name)]()


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
