"""Settings for a new file: the files that they name are copied into its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from printkit.core.paths import beside
from printkit.kit.book import Setting
from printkit.kit.system import RuleSystem
from printkit.recipes.game.copies import copied
from printkit.recipes.game.games import paths_among


def copied_settings(
    system: RuleSystem,
    settings: Mapping[str, str],
    file: Path,
    file_of: Callable[[Setting], Path | None] = lambda _setting: None,
) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the settings for a new file, with paths inside its folder, and the file copies to write there.

    Args:
        system: the rules.
        settings: by key or alias.
        file: the new file.
        file_of: returns the file that a setting comes from; None for the command line.

    Raises:
        PrintkitError: a setting is not valid, or a file cannot be read or copied.
    """
    found, files = dict(settings), dict[str, bytes]()
    for setting, named in paths_among(system, system.book.settle(settings)):
        origin = file_of(setting)
        place = Path(named) if origin is None else beside(origin, named, key=setting.name)
        own = copied(place, file)
        files |= own.files
        found |= {name: own.name for name in settings if name.lower() in setting.names}
    return found, files
