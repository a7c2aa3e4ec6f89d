"""Files of a person's own that a setting names: read once, when a game is played, and kept in its record as lists."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from printkit.kit.system import RuleSystem
from printkit.recipes.game.request import read_text


@runtime_checkable
class ReadsFiles(Protocol):
    """A rule system of which a setting may be the path of a file."""

    def file_lists(self, text: str, place: str) -> Mapping[str, tuple[str, ...]]:
        """Return the lists of a scenario that the text of such a file stands for."""
        ...


def with_files(system: RuleSystem, settings: Mapping[str, str], inputs: Mapping[str, object]) -> Mapping[str, object]:
    """Return the lists of a scenario with those of the files that its settings name before them.

    The record keeps the lists, so that the game can be thrown again, and judged, where the file is not.

    Raises:
        ScenarioError: a file cannot be read, or not be understood.
    """
    if not isinstance(system, ReadsFiles):
        return inputs
    found = dict(inputs)
    for setting in system.book.settings:
        named = settings[setting.key]
        if not setting.path or named in setting.values:
            continue
        for name, lines in system.file_lists(read_text(Path(named)), named).items():
            own = found.get(name, ())
            found[name] = [*lines, *(own if isinstance(own, list | tuple) else ())]
    return found
