"""The rule systems by name: ours, and those that other packages bring by an entry point ``printkit.systems``.

A system is imported when it is asked for, so that a name alone costs nothing. What other packages bring is looked up
only where a name is none of ours, and where all systems are asked for. None of them may take the name of one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from printkit.core.errors import PrintkitError, RecordError, ResourceError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from printkit.kit.plugin import CardJob, Command, Plugin
    from printkit.kit.system import RuleSystem
    from printkit.terrain.field.geojson import Member
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
"""Where each of our rule systems says what it is: a line here and its folder are all that there is of it."""

NAMES: Final = tuple(BUILT_IN)
"""The names of ours; ``names`` returns those of others too."""

GROUP: Final = "printkit.systems"
"""The group of entry points by which another package brings a rule system: ``NAME = "module:PLUGIN"``."""

_NAME: Final = re.compile("[a-z0-9]+(-[a-z0-9]+)*")

_MEMBERS: Final = frozenset(
    (
        *(
            "type",
            "printkit",
            "coordinates",
            "crs",
            "rules",
            "settings",
            "seed",
            "reseeded",
            "title",
            "board",
            "grid",
            "log",
        ),
        *("box", "hand", "overlays", "features", "overwritten"),
    )
)
"""What a record holds in any case; what a rule system keeps besides stands beside it under the name of the system."""

_ASKED: Final[dict[str, Plugin]] = {}
"""What the systems that were asked for say of themselves."""


# --- Names ------------------------------------------------------------------------------------------------------------


def names() -> tuple[str, ...]:
    """Return the names of all rule systems: ours in their order, then those of others in that of the alphabet.

    Raises:
        ResourceError: another package brings one under a name that it cannot have.
    """
    return (*BUILT_IN, *_others())


def known(name: str) -> str:
    """Return the name of a rule system, which is not imported.

    Raises:
        UsageError: there is none of that name.
        ResourceError: another package brings one under a name that it cannot have.
    """
    if not _is_known(name):
        # A game has several rule systems, of which a person names the game.
        asked = name.strip().lower()
        meant = [each for each in names() if asked and asked in f"{each} {_about(each)}".lower()]
        if meant and len(meant) < len(names()):
            raise UsageError("unknown rule system {name!r}; did you mean {names}?", name=name, names=", ".join(meant))
        raise UsageError("unknown rule system {name!r}; use one of {names}", name=name, names=", ".join(names()))
    return name


def _about(name: str) -> str:
    """Return title and source of a rule system of ours, of which nothing is imported; of others nothing."""
    from printkit.core.resources import template

    book = template("rules", name) if name in BUILT_IN else {}
    return " ".join(str(book.get(key, "")) for key in ("title", "source"))


def _is_known(name: object) -> bool:
    return name in BUILT_IN or name in _others()


@cache
def _others() -> Mapping[str, EntryPoint]:
    """Return what other packages bring, by name.

    Raises:
        ResourceError: a name is one of ours, stands twice, or is none for files and records.
    """
    # Whoever asks for one of ours does not wait for this library.
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda each: (each.name, _package(each))):
        name, package = entry.name, _package(entry)
        if name in BUILT_IN:
            raise ResourceError(
                "{package} has rules called {name!r}, like a built-in system; uninstall it, or rename its rules",
                package=package,
                name=name,
            )
        if name in found:
            raise ResourceError(
                "{package} and {other} both have rules called {name!r}; uninstall one of them",
                package=_package(found[name]),
                other=package,
                name=name,
            )
        if not _NAME.fullmatch(name) or name in _MEMBERS:
            raise ResourceError(
                "{package} has rules called {name!r}, which is not a valid name; use lower-case letters, "
                "digits and hyphens, for example my-rules",
                package=package,
                name=name,
            )
        found[name] = entry
    return found


def _package(entry: EntryPoint) -> str:
    """Return the name and version of the package that brings a system, as a person has installed it."""
    return entry.value if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"


# --- What a system says of itself -------------------------------------------------------------------------------------


def plugin(name: str) -> Plugin:
    """Return what a rule system says of itself; what it has in templates of its own is found from now on.

    Raises:
        UsageError: there is none of that name.
        ResourceError: another package brings it, and it cannot be loaded.
    """
    if name not in _ASKED:
        _ASKED[name] = _said(known(name))
    return _ASKED[name]


def _said(name: str) -> Plugin:
    """Return what a system says of itself.

    Raises:
        ResourceError: it is of another package, and no ``Plugin`` of that name, or its templates cannot be used.
    """
    from printkit.kit.plugin import Plugin

    text = BUILT_IN[name] if name in BUILT_IN else _others()[name].value
    found = _loaded(name, text)
    if not isinstance(found, Plugin) or found.name != name:
        raise ResourceError(
            "the rules {name!r} of {package} cannot be used: {text} is not a Plugin with that name",
            name=name,
            package=_package(_others()[name]),
            text=text,
        )
    if found.data is not None:
        from printkit.core import resources, words

        resources.bring(found.data)
        words.forget()
    return found


def _loaded(name: str, text: str, *, made: bool = False) -> Any:
    """Return what a text of a rule system names, or what that makes when it is called.

    Raises:
        ResourceError: it is of another package, and cannot be loaded or made; names the package.
    """
    from printkit.kit.plugin import load

    try:
        found = load(text)
        return found() if made else found
    except Exception as error:
        if name in BUILT_IN:
            raise
        if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("printkit.console"):
            raise ResourceError(
                "{package} declares its options in the form of printkit 0.2; declare them as "
                "docs/dev/own-rules.md shows",
                package=_package(_others()[name]),
            ) from error
        raise ResourceError(
            "the rules {name!r} of {package} cannot be loaded from {text}: {kind}: {error}",
            name=name,
            package=_package(_others()[name]),
            text=text,
            kind=type(error).__name__,
            error=error if isinstance(error, PrintkitError) else " ".join(str(error).split()),
        ) from error


def shapes_of(name: str) -> int:
    """Return the number of the outlines that a rule system makes now (``Plugin.shapes``); 1 of one not known here."""
    return plugin(name).shapes if _is_known(name) else 1


def added(name: str, what: str) -> Any:
    """Return what a rule system adds under the name of a field of ``Plugin``, or None."""
    text = getattr(plugin(name), what) if _is_known(name) else ""
    return _loaded(name, text) if text else None


def uses_elements(name: str) -> bool:
    """Return whether the armies of a rule system are of elements, which play bounds."""
    return _is_known(name) and plugin(name).elements


def texts(table: str) -> Mapping[str, str]:
    """Return a table of ``Plugin`` of several systems together: ``faces``, ``backs``, ``diagrams``, ``painters``.

    These are all of ours, and those of others that were asked for: what a system draws comes from no other.

    Raises:
        ResourceError: two of them have the same key.
    """
    return _together(table)


def commands(*, others: bool = False) -> Mapping[str, Command]:
    """Return the commands that rule systems bring, by their names; those of other packages too where they are wanted.

    Raises:
        ResourceError: two systems have the same command, or one of another package cannot be loaded.
    """
    for name in _others() if others else ():
        plugin(name)
    return _together("commands")


def card_jobs() -> Mapping[str, CardJob]:
    """Return what rule systems print as if it were a deck, by its name; of others those that were asked for.

    Raises:
        ResourceError: two of them have the same name for it.
    """
    return _together("card_jobs")


def _together(table: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    holders: dict[str, str] = {}
    for name in (*BUILT_IN, *sorted(_ASKED.keys() - BUILT_IN.keys())):
        for key, value in getattr(plugin(name), table).items():
            if key in found:
                raise ResourceError(
                    "the rules {other!r} and {name!r} both have {key!r} among their {table}; rename it in one of them",
                    other=holders[key],
                    name=name,
                    key=key,
                    table=table,
                )
            found[key], holders[key] = value, name
    return found


# --- The systems ------------------------------------------------------------------------------------------------------


class _Every(Mapping[str, "RuleSystem"]):
    """All systems by name, each imported when it is taken."""

    def __init__(self) -> None:
        self._taken: dict[str, RuleSystem] = {}

    def __getitem__(self, name: str) -> RuleSystem:
        if name not in self._taken:
            self._taken[name] = _made(name)
        return self._taken[name]

    def __contains__(self, name: object) -> bool:
        return _is_known(name)

    def __iter__(self) -> Iterator[str]:
        return iter(names())

    def __len__(self) -> int:
        return len(names())


def find(name: str) -> RuleSystem:
    """Return a rule system.

    Raises:
        UsageError: there is none of that name.
        ResourceError: another package brings it, and it cannot be loaded.
    """
    return _made(known(name))


def _made(name: str) -> RuleSystem:
    found: RuleSystem = _loaded(name, plugin(name).system, made=True)
    return found


def every() -> Mapping[str, RuleSystem]:
    """Return all systems by name; who takes one imports that one alone."""
    return _Every()


def read_record(
    text: str | Member, systems: Mapping[str, RuleSystem] | None = None, rules: str = ""
) -> tuple[RuleSystem, Record]:
    """Return a record and the rule system that made it.

    Args:
        text: the record, or its document (``terrain.field.record.parsed``).
        systems: the rule systems that are known, by name; all if None.
        rules: the name of the one that made it, where the record does not say.

    Raises:
        RecordError: it is no record, or of a system that is not known; names those that are.
    """
    from msgspec.structs import replace

    from printkit.kit.system import judge_log
    from printkit.terrain.field.record import parsed, read, rules_of

    document, there = parsed(text), every() if systems is None else systems
    name = rules_of(document, rules)
    if name not in there:
        raise RecordError(
            "rules is {name!r}, which is not a known rule system; use one of {names}",
            name=name,
            names=", ".join(there),
        )
    system = there[name]
    record = read(document, system.book.going, name)
    record = replace(record, settings=system.book.current(record.settings))
    judge_log(record, system)
    return system, record
