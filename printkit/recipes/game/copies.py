"""Copies of the files that a new file names; a path in a file must stay inside its folder."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from printkit.core.errors import FileTakenError, ResourceError
from printkit.core.paths import exists, is_file
from printkit.core.reading import read_limited


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
