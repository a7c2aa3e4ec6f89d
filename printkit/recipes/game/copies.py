"""Copies of the files that a new file names; a path in a file must stay inside its folder."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from printkit.core.errors import FileTakenError, ResourceError
from printkit.core.paths import exists, is_file
from printkit.core.reading import bytes_of


class Copied(Struct, frozen=True):
    """The name of a file as another file writes it, and the copies to write into that folder, by name."""

    name: str
    files: dict[str, bytes]


def copied(path: Path, file: Path, taken: Collection[str] = (), name: str = "") -> Copied:
    """Return the name of a file for use in a new file, and its copy if it is outside that folder.

    Args:
        path: the file, as given on the command line.
        file: the new file.
        taken: names in its folder that the same command already uses.
        name: the name of the copy, relative to the folder; the name of ``path`` if empty.

    Raises:
        ResourceError: the file cannot be read.
        TakenError: another file with that name already exists.
    """
    folder = file.parent
    try:
        whole, content = path.resolve(), bytes_of(path)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ResourceError("{path} cannot be read: {reason}", path=path, reason=reason) from None
    if not name and whole.is_relative_to(folder.resolve()):
        return Copied(whole.relative_to(folder.resolve()).as_posix(), {})
    name = name or path.name
    place = folder / name
    there = exists(place)
    if name in taken or (there and (not is_file(place) or place.read_bytes() != content)):
        raise FileTakenError(
            "{path} cannot be copied to {place}, because another file has that name. Rename {path}.",
            path=path,
            place=place,
        )
    return Copied(name, {} if there else {name: content})
