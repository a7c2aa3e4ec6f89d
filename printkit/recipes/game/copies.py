"""Copies of the files that a new file or its settings name; a path in a file must stay inside its folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from msgspec import Struct

from printkit.core.errors import FileTakenError, ResourceError
from printkit.core.paths import exists, is_file, resolve_sibling
from printkit.core.reading import read_limited
from printkit.kit.book import Setting
from printkit.kit.system import RuleSystem
from printkit.recipes.game.scenarios import path_settings


class FileCopy(Struct, frozen=True):
    """The name of a file as another file writes it, and the copies to write into that folder, by name."""

    name: str
    files: dict[str, bytes]


def plan_copy(path: Path, file: Path, used_names: Collection[str] = (), name: str = "") -> FileCopy:
    """Return the name of a file for use in a new file, and its copy if it is outside that folder.

    Nothing is written. The copy is a dictionary of name and bytes, empty if no copy is needed.

    Args:
        path: the file, as given on the command line.
        file: the new file.
        used_names: names in its folder that the same command already uses.
        name: the name of the copy, relative to the folder, which is then always made; if empty, the name of ``path``.

    Raises:
        ResourceError: the file cannot be read.
        FileTakenError: another file with that name already exists.
    """
    folder = file.parent
    try:
        full_path, content = path.resolve(), read_limited(path)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ResourceError("{path} cannot be read: {reason}", path=path, reason=reason) from None
    if not name and full_path.is_relative_to(folder.resolve()):
        return FileCopy(full_path.relative_to(folder.resolve()).as_posix(), {})
    name = name or path.name
    target = folder / name
    target_exists = exists(target)
    if name in used_names or (target_exists and (not is_file(target) or target.read_bytes() != content)):
        raise FileTakenError(
            "{path} cannot be copied to {place}, because another file has that name. Rename {path}.",
            path=path,
            place=target,
        )
    return FileCopy(name, {} if target_exists else {name: content})


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
