"""The rule systems by name: the built-in ones, and those of other packages (entry point ``printkit.systems``).

A system is imported only when it is used. The entry points of other packages are read only for a name that is not
built in, or if all systems are listed. They cannot replace a built-in system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from printkit.core.errors import PrintkitError, RecordError, ResourceError, Sentence, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from printkit.kit.plugin import CardJob, Command, FileFormat, Plugin
    from printkit.kit.system import RuleSystem
    from printkit.terrain.field.geojson import Json
    from printkit.terrain.field.record import Record

DEFAULT: Final = "brantley"


# The plugin of each built-in rule system. A system consists only of its line here and its folder.
BUILT_IN: Final[Mapping[str, str]] = {
    "brantley": "printkit.systems.brantley.plugin:PLUGIN",
    "acw": "printkit.systems.acw.plugin:PLUGIN",
    "portable-1": "printkit.systems.portable.plugin:VERSION_1",
    "portable-2": "printkit.systems.portable.plugin:VERSION_2",
    "solo-dba": "printkit.systems.solo.plugin:PLUGIN",
    "dba3": "printkit.systems.dba3.plugin:PLUGIN",
    "collision-course": "printkit.systems.collision.plugin:PLUGIN",
}

# The names of the built-in systems; ``names`` also returns those of other packages.
NAMES: Final = tuple(BUILT_IN)

# The entry point group for rule systems of other packages: ``NAME = "module:PLUGIN"``.
GROUP: Final = "printkit.systems"

_NAME: Final = re.compile("[a-z0-9]+(-[a-z0-9]+)*")

# The members of every record. The object of a rule system has the name of the system, so that name must differ.
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

# The loaded plugins by the name of the system.
_PLUGINS: Final[dict[str, Plugin]] = {}


# --- Names ------------------------------------------------------------------------------------------------------------


def names() -> tuple[str, ...]:
    """Return the names of all rule systems.

    The built-in ones are first, then those of other packages by alphabet.

    Raises:
        ResourceError: another package has a rule system with a name that is not valid.
    """
    return (*BUILT_IN, *_find_entry_points())


def validate_name(name: str) -> str:
    """Return the name if there is such a rule system. The system is not imported.

    Raises:
        UsageError: there is no rule system with that name; the message has similar names, or all names.
        ResourceError: another package has a rule system with a name that is not valid.
    """
    if not _is_known(name):
        # A game can have several rule systems, and users often type the name of the game.
        query = name.strip().lower()
        matches = [
            candidate
            for candidate in names()
            if query and query in f"{candidate} {_describe_system(candidate)}".lower()
        ]
        if matches and len(matches) < len(names()):
            raise UsageError("unknown rule system {name!r}; did you mean {names}?", name=name, names=", ".join(matches))
        raise UsageError("unknown rule system {name!r}; use one of {names}", name=name, names=", ".join(names()))
    return name


def _describe_system(name: str) -> str:
    """Return the title and source of a built-in rule system without importing it; for other systems one blank."""
    from printkit.core.resources import template

    book = template("rules", name) if name in BUILT_IN else {}
    return " ".join(str(book.get(key, "")) for key in ("title", "source"))


def _is_known(name: object) -> bool:
    """Return whether there is a rule system with this name, built in or of another package."""
    return name in BUILT_IN or name in _find_entry_points()


@cache
def _find_entry_points() -> Mapping[str, EntryPoint]:
    """Return the entry points of the rule systems of other packages, by the name of the system. Cached.

    Raises:
        ResourceError: a name is that of a built-in system, occurs twice, or is not valid in files and records.
    """
    # This import is slow, and built-in systems do not need it.
    from importlib.metadata import entry_points

    entries: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda item: (item.name, _package(item))):
        name, package = entry.name, _package(entry)
        if name in BUILT_IN:
            raise ResourceError(
                "{package} has rules called {name!r}, like a built-in system; uninstall it, or rename its rules",
                package=package,
                name=name,
            )
        if name in entries:
            raise ResourceError(
                "{package} and {other} both have rules called {name!r}; uninstall one of them",
                package=_package(entries[name]),
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
        entries[name] = entry
    return entries


def _package(entry: EntryPoint) -> str:
    """Return the name and version of the package that has a system, for messages; the text of the entry if unknown."""
    return entry.value if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"


def find_package(error: BaseException) -> str:
    """Return the name and version of the package with rules whose code an error came through; empty for none.

    For example ``my-rules 1.2``. Only packages whose rules are loaded count, and only the traceback of the error
    itself, not of its causes. Of several packages it is the first by the name of its rules.
    """
    from traceback import walk_tb

    modules = {str(frame.f_globals.get("__name__")).partition(".")[0] for frame, _ in walk_tb(error.__traceback__)}
    entries = [entry for name, entry in _find_entry_points().items() if name in _PLUGINS]
    return next((_package(entry) for entry in entries if entry.module.partition(".")[0] in modules), "")


# --- Plugins ----------------------------------------------------------------------------------------------------------


def plugin(name: str) -> Plugin:
    """Return the plugin of a rule system, and add its templates to the search path.

    Each plugin is loaded once.

    Raises:
        UsageError: there is no rule system with that name.
        ResourceError: the system is in another package and cannot be loaded.
    """
    if name not in _PLUGINS:
        _PLUGINS[name] = _load_plugin(validate_name(name))
    return _PLUGINS[name]


def _load_plugin(name: str) -> Plugin:
    """Load the plugin of a system and register its templates.

    Raises:
        ResourceError: another package's object is not a ``Plugin`` with that name, or its templates cannot be used.
    """
    from printkit.kit.plugin import Plugin

    text = BUILT_IN[name] if name in BUILT_IN else _find_entry_points()[name].value
    candidate = _load_object(name, text)
    if not isinstance(candidate, Plugin) or candidate.name != name:
        raise ResourceError(
            "the rules {name!r} of {package} cannot be used: {text} is not a Plugin with that name",
            name=name,
            package=_package(_find_entry_points()[name]),
            text=text,
        )
    if candidate.data is not None:
        from printkit.core import resources, words

        resources.add_template_folder(candidate.data)
        words.clear_caches()
    return candidate


def _load_object(name: str, text: str, *, is_called: bool = False) -> Any:
    """Import the object that a text ``module:name`` of a rule system names.

    ``name`` is that of the system. With ``is_called``, call the object without arguments and return the result.

    Raises:
        ResourceError: another package's object cannot be loaded or called; the message names the package. Errors of
            built-in systems are raised unchanged.
    """
    from printkit.kit.plugin import load

    try:
        loaded_object = load(text)
        return loaded_object() if is_called else loaded_object
    except Exception as error:
        if name in BUILT_IN:
            raise
        if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("printkit.console"):
            raise ResourceError(
                "{package} declares its options in the form of printkit 0.2; declare them as "
                "docs/dev/own-rules.md shows",
                package=_package(_find_entry_points()[name]),
            ) from error
        raise ResourceError(
            "the rules {name!r} of {package} cannot be loaded from {text}: {kind}: {error}",
            name=name,
            package=_package(_find_entry_points()[name]),
            text=text,
            kind=type(error).__name__,
            error=error if isinstance(error, PrintkitError) else " ".join(str(error).split()),
        ) from error


def shapes_of(name: str) -> int:
    """Return the version, from 1, of the outlines of a rule system (``Plugin.shapes``); 1 without such a system."""
    return plugin(name).shapes if _is_known(name) else 1


def load_plugin_field(name: str, field_name: str) -> Any:
    """Import and return the object that a field of a system's ``Plugin`` names.

    The result is None if the field is empty or if there is no such system.

    Args:
        name: the name of the rule system.
        field_name: the name of the field, for example ``sides``.

    Raises:
        AttributeError: ``Plugin`` has no such field.
        ResourceError: the plugin or the object of another package cannot be loaded.
    """
    text = getattr(plugin(name), field_name) if _is_known(name) else ""
    return _load_object(name, text) if text else None


def uses_elements(name: str) -> bool:
    """Return whether the armies of a rule system have elements and play bounds, as in DBA.

    The result is False if there is no such system.
    """
    return _is_known(name) and plugin(name).elements


def merge_plugin_table(table: str) -> Mapping[str, str]:
    """Return one table of ``Plugin`` with the entries of several systems: ``module:name`` by key.

    These are all built-in systems and the loaded ones of other packages. ``table`` is ``faces``, ``backs``,
    ``diagrams`` or ``painters``. The objects are not imported.

    Raises:
        ResourceError: two systems have the same key.
    """
    return _merge_table(table)


def commands(*, include_others: bool = False) -> Mapping[str, Command]:
    """Return the commands of the rule systems, by name.

    With ``include_others``, load those of all other packages too.

    Raises:
        ResourceError: two systems have the same command, or one of another package cannot be loaded.
    """
    for name in _find_entry_points() if include_others else ():
        plugin(name)
    return _merge_table("commands")


def card_jobs() -> Mapping[str, CardJob]:
    """Return the card jobs of the rule systems, by name.

    These are the built-in systems and the loaded ones of other packages.

    Raises:
        ResourceError: two systems have a card job with the same name.
    """
    return _merge_table("card_jobs")


def file_formats() -> Mapping[str, FileFormat]:
    """Return the formats of the files of rule systems that users write, by the kind of file: ``book``, and their own.

    Raises:
        ResourceError: two systems have the same kind of file.
    """
    from printkit.kit.plugin import FileFormat

    purpose = Sentence("a rule book: the tables, numbers and settings of your own rules")
    book = FileFormat("printkit.kit.book_file:BookFile", ("examples", "book"), purpose)
    return {"book": book, **_merge_table("file_formats")}


def _merge_table(table: str) -> dict[str, Any]:
    """Return the entries of one table of ``Plugin``, by key, for the built-in systems and the loaded ones.

    ``table`` is the name of a field of ``Plugin``.

    Raises:
        ResourceError: two systems have the same key.
    """
    entries: dict[str, Any] = {}
    holders: dict[str, str] = {}
    for name in (*BUILT_IN, *sorted(_PLUGINS.keys() - BUILT_IN.keys())):
        for key, value in getattr(plugin(name), table).items():
            if key in entries:
                raise ResourceError(
                    "the rules {other!r} and {name!r} both have {key!r} among their {table}; rename it in one of them",
                    other=holders[key],
                    name=name,
                    key=key,
                    table=table,
                )
            entries[key], holders[key] = value, name
    return entries


# --- The systems ------------------------------------------------------------------------------------------------------


class _AllSystems(Mapping[str, "RuleSystem"]):
    """All systems by name; each is imported on first access."""

    def __init__(self) -> None:
        self._taken: dict[str, RuleSystem] = {}

    def __getitem__(self, name: str) -> RuleSystem:
        if name not in self._taken:
            self._taken[name] = _build_system(name)
        return self._taken[name]

    def __contains__(self, name: object) -> bool:
        return _is_known(name)

    def __iter__(self) -> Iterator[str]:
        return iter(names())

    def __len__(self) -> int:
        return len(names())


def find(name: str) -> RuleSystem:
    """Return a rule system by its name.

    It is imported and built at the first call and then the same object again.

    Raises:
        UsageError: there is no rule system with that name.
        ResourceError: the system is in another package and cannot be loaded.
    """
    return _build_system(validate_name(name))


def _build_system(name: str) -> RuleSystem:
    """Load the plugin of a rule system and return the system, imported and built.

    ``name`` is the name of the rule system in options, for example ``dba3``.
    """
    system: RuleSystem = _load_object(name, plugin(name).system, is_called=True)
    return system


def all_systems() -> Mapping[str, RuleSystem]:
    """Return all systems by name; each is imported on first access.

    Iterating over the names imports none. A missing name raises KeyError.
    """
    return _AllSystems()


def read_record(
    text: str | Json, systems: Mapping[str, RuleSystem] | None = None, rules: str = ""
) -> tuple[RuleSystem, Record]:
    """Return the rule system that made a record, and the record, as a pair.

    Old names of settings in the record become the present ones.

    Args:
        text: the record, or its members (``terrain.field.record.parse_record``).
        systems: the known rule systems by name; all if None.
        rules: the name of the rule system, for a record that does not name it.

    Raises:
        RecordError: the text is not a record, its system is unknown, or its log has an impossible score. The message
            for an unknown system names the known ones.
    """
    from msgspec.structs import replace

    from printkit.kit.system import validate_log
    from printkit.terrain.field.record import parse_record, read

    tree, known_systems = parse_record(text, rules), all_systems() if systems is None else systems
    name = tree["rules"]
    if name not in known_systems:
        raise RecordError(
            "rules is {name!r}, which is not a known rule system; use one of {names}",
            name=name,
            names=", ".join(known_systems),
        )
    system = known_systems[name]
    record = read(tree, system.book.going)
    record = replace(record, settings=system.book.current(record.settings))
    validate_log(record, system)
    return system, record
