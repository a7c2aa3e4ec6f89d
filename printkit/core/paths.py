"""Paths that people type or write into files: whether something is there, and where a path of a file may lead."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath
from typing import Final

from printkit.core.errors import ResourceError

# Windows opens a device by these names, in every folder and with every ending.
_DEVICES: Final = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in "123456789¹²³"))
)
_LONGEST: Final = 80  # Characters of a path that a message shows.


def is_file(path: Path) -> bool:
    """Return whether a file is there; a name that the system cannot have names none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Return whether a folder is there; a name that the system cannot have names none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def exists(path: Path) -> bool:
    """Return whether anything is there; a name that the system cannot have names nothing."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def beside(file: Path, named: str, *, key: str = "path", also: Sequence[Path] = ()) -> Path:
    """Return the place of a path that stands in a file of a person; nothing needs to be there.

    The path is seen from the folder of the file. With its links resolved it has to stay in that folder, or in the
    folder of another file that the command line names.

    Args:
        file: in which the path stands.
        named: the path.
        key: under which it stands there, for the message.
        also: other files that the command line names.

    Raises:
        ResourceError: the path is absolute, leads elsewhere, or names a folder, a pipe or a device.
    """
    text = named if len(named) <= _LONGEST else f"{named[:_LONGEST]}..."
    windows = PureWindowsPath(named)
    name = windows.name or text
    place = file.parent / named
    try:
        whole, roots = place.resolve(), [each.parent.resolve() for each in (file, *also)]
        mode = place.stat().st_mode if place.exists() else stat.S_IFREG
    except (OSError, ValueError, RuntimeError):
        # Too long, with a character that no name has, or links in a circle.
        raise ResourceError(
            '{file}: {key} = "{path}" is not the path of a file', file=file, key=key, path=text
        ) from None
    inside = any(whole.is_relative_to(root) for root in roots)
    if windows.anchor and inside and Path(named).is_absolute():
        raise ResourceError(
            '{file}: {key} = "{path}" is an absolute path. Write it relative to the folder of {file}.',
            file=file,
            key=key,
            path=text,
        )
    if windows.anchor or not inside or ("\\" in named and ".." in windows.parts):
        raise ResourceError(
            '{file}: {key} = "{path}" is outside its folder. Put {name} in the folder of {file}.',
            file=file,
            key=key,
            path=text,
            name=name[:_LONGEST],
        )
    if not stat.S_ISREG(mode) or any(part.split(".")[0].strip().lower() in _DEVICES for part in windows.parts):
        raise ResourceError(
            '{file}: {key} = "{path}" is not a file. Name a file in the folder of {file}.',
            file=file,
            key=key,
            path=text,
        )
    return place
