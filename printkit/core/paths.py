"""Paths that users type or write into files: existence tests, and limits on where such a path may point."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath
from typing import Final

from printkit.core.errors import ResourceError, Sentence

# Windows opens a device for these names, in every folder and with every extension.
_DEVICES: Final = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in "123456789¹²³"))
)
_LONGEST: Final = 80  # Longest path that a message shows in full, in characters.


def is_file(path: Path) -> bool:
    """Return whether the path is an existing file, not a folder; False for a name that the system does not allow."""
    return os.path.isfile(path)


def is_folder(path: Path) -> bool:
    """Return whether the path is an existing folder; False for a name that the system does not allow."""
    return os.path.isdir(path)


def exists(path: Path) -> bool:
    """Return whether the path exists as a file or folder; False for a name that the system does not allow."""
    return os.path.exists(path)


def resolve_sibling(file: Path, path: str, *, key: str = "path", other_files: Sequence[Path] = ()) -> Path:
    """Return the location of a path that a user's file names; it need not exist.

    The path is relative to the folder of the file. With links resolved it must stay in that folder, or in the folder of
    another file that the command line names. The result is the folder of the file joined with the path, with its links.

    Args:
        file: the file that contains the path.
        path: the path.
        key: the key of the path in the file, for the message.
        other_files: other files that the command line names; their folders are allowed too.

    Raises:
        ResourceError: the path is absolute, leaves these folders, or names a folder, a pipe or a device.
    """
    text = path if len(path) <= _LONGEST else f"{path[:_LONGEST]}..."
    windows = PureWindowsPath(path)
    name = windows.name or text
    location = file.parent / path
    try:
        target, roots = location.resolve(), [source.parent.resolve() for source in (file, *other_files)]
        mode = location.stat().st_mode if location.exists() else stat.S_IFREG
    except (OSError, ValueError, RuntimeError):
        # The path is too long, has a character that is not allowed, or its links form a cycle.
        raise ResourceError(
            '{place}: {key} = "{path}" is not the path of a file', place=_find_place(file, path), key=key, path=text
        ) from None
    inside = any(target.is_relative_to(root) for root in roots)
    if windows.anchor and inside and Path(path).is_absolute():
        raise ResourceError(
            '{place}: {key} = "{path}" is an absolute path. Write it relative to the folder of {file}.',
            place=_find_place(file, path),
            file=file,
            key=key,
            path=text,
        )
    if windows.anchor or not inside or ("\\" in path and ".." in windows.parts):
        raise ResourceError(
            '{place}: {key} = "{path}" is outside its folder. Put {name} in the folder of {file}.',
            place=_find_place(file, path),
            file=file,
            key=key,
            path=text,
            name=name[:_LONGEST],
        )
    if not stat.S_ISREG(mode) or any(part.split(".")[0].strip().lower() in _DEVICES for part in windows.parts):
        raise ResourceError(
            '{place}: {key} = "{path}" is not a file. Name a file in the folder of {file}.',
            place=_find_place(file, path),
            file=file,
            key=key,
            path=text,
        )
    return location


def _find_place(file: Path, path: str) -> Sentence | Path:
    """Return a file, for a TOML file with the line that has a path, as errors begin."""
    if file.suffix != ".toml" or not is_file(file):
        return file
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    written = (path, path.replace("\\", "\\\\"))
    line = next((number for number, text in enumerate(lines, 1) if any(each in text for each in written)), None)
    return file if line is None else Sentence("{file}, line {line}", file=file, line=line)


def toml_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the TOML files in a folder without their endings, in alphabetical order; none without it."""
    if not is_folder(folder):
        return ()
    return tuple(sorted(path.stem for path in folder.iterdir() if path.suffix == ".toml" and is_file(path)))
