"""Settings that are written into a new file: what they name is copied into its folder."""

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
    """Return settings as a new file has them, in which a path names a file of its folder, and the copies for that.

    Args:
        system: the rules.
        settings: by key or alias.
        file: the new one.
        file_of: returns the file in which the value of a setting stands until now; None for the command line.

    Raises:
        PrintkitError: a setting that cannot be, or a file that cannot be read or copied.
    """
    found, files = dict(settings), dict[str, bytes]()
    for setting, named in paths_among(system, system.book.settle(settings)):
        origin = file_of(setting)
        place = Path(named) if origin is None else beside(origin, named, key=setting.name)
        own = copied(place, file)
        files |= own.files
        found |= {name: own.name for name in settings if name.lower() in setting.names}
    return found, files
