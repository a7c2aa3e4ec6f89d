"""Files that a new file names: each is copied into its folder, because a path in a file never leads out of it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from printkit.core.errors import ResourceError, TakenError
from printkit.core.paths import exists, is_file
from printkit.core.reading import bytes_of


class Copied(Struct, frozen=True):
    """How a file names another one, and what has to be written for that into its folder, by its name."""

    name: str
    files: dict[str, bytes]


def copied(path: Path, file: Path, taken: Collection[str] = (), name: str = "") -> Copied:
    """Return how a new file names a file of the command line, and the copy where that is outside its folder.

    Args:
        path: of the command line.
        file: the new one.
        taken: names in its folder that something else of the same command has.
        name: of the copy, as seen from the folder; that of ``path`` if empty.

    Raises:
        ResourceError: the file cannot be read.
        TakenError: another file of that name is there.
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
        raise TakenError(
            "{path} cannot be copied to {place}, because another file has that name. Rename {path}.",
            path=path,
            place=place,
        )
    return Copied(name, {} if there else {name: content})
