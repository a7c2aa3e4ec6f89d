"""Several files that belong together, written into one folder: all of them or none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TypeAlias

from printkit.errors import PageError
from printkit.page.sheet import Document

Content: TypeAlias = Document | str
"""A document is written as PDF, a text as it is."""


def write_folder(files: Mapping[str, Content], folder: Path, *, within: Path | None = None) -> tuple[Path, ...]:
    """Write files by their names below ``folder``, as ``player-a/hand.pdf``, and return their paths.

    Files take their places only when all of them are complete. After an error, or Ctrl-C, those that were there before
    are as they were; files of other names are left alone. They wait ``within`` another folder of the same disk, or in
    this one if None.

    Raises:
        PageError: the folder cannot be made or written to.
    """
    from printkit.export.pdf import data

    # What cannot be made is found out before there is a folder.
    made = {name: content.encode() if isinstance(content, str) else data(content) for name, content in files.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=within or folder, prefix=".printkit-") as unfinished:
            parts = []
            for name, content in made.items():
                part = Path(unfinished) / PurePosixPath(name)
                part.parent.mkdir(parents=True, exist_ok=True)
                part.write_bytes(content)
                parts.append((part, folder / PurePosixPath(name)))
            for _, place in parts:
                place.parent.mkdir(parents=True, exist_ok=True)
            return tuple(part.replace(place) for part, place in parts)
    except OSError as error:
        raise PageError(
            "cannot write into {folder}: {reason}; give another --out", folder=folder, reason=error.strerror or error
        ) from None
