"""Settings for a new file: the files that they name are copied into its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from printkit.core.paths import resolve_sibling
from printkit.kit.book import Setting
from printkit.kit.system import RuleSystem
from printkit.recipes.game.copies import plan_copy
from printkit.recipes.game.games import path_settings


def copy_setting_files(
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
    new_settings, files = dict(settings), dict[str, bytes]()
    for setting, path_text in path_settings(system, system.book.settle(settings)):
        origin = file_of(setting)
        source = Path(path_text) if origin is None else resolve_sibling(origin, path_text, key=setting.name)
        file_copy = plan_copy(source, file)
        files |= file_copy.files
        new_settings |= {name: file_copy.name for name in settings if name.lower() in setting.names}
    return new_settings, files
