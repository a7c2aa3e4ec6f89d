"""Several files that belong together, written into one folder, all or none; and styles as a person asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from printkit.core.errors import ResourceError, UsageError
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.style import Style
from printkit.export.files import way_of
from printkit.export.placing import put_down
from printkit.page.sheet import Document

# --- Styles as a person asks for them ---------------------------------------------------------------------------------


LARGE_PT: Final = 11.0
"""The smallest type in points of large print."""


def find_style(name: str, language: str = "en", *, large_print: bool = False) -> Style:
    """Return a style for words of a language.

    Args:
        name: of the style, or the path of a file of one's own.
        language: of the words, as a code.
        large_print: no type is smaller than 11 points.

    Raises:
        UsageError: there is no such style.
        PrintkitError: the file cannot be read, or holds something wrong.
    """
    try:
        found = styles.find(name)
    except ResourceError as error:
        raise error if name.endswith(".toml") else UsageError("{error}", error=error) from None
    return replace(found, language=language, least_pt=LARGE_PT if large_print else found.least_pt)


FileContent: TypeAlias = Document | str | bytes
"""A document is written as PDF, a text or a picture as it is."""


def bytes_of(content: FileContent) -> bytes:
    """Return what a file holds."""
    if isinstance(content, Document):
        # Loaded where a document is written: a battle is kept without it after every bound.
        from printkit.export.pdf import data

        return data(content)
    return content.encode() if isinstance(content, str) else content


def write_folder(
    files: Mapping[str, FileContent],
    folder: Path,
    *,
    within: Path | None = None,
    force: bool = False,
    stale: Iterable[str] = (),
    private: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Path, ...]:
    """Write files by their names below ``folder``, as ``player-a/hand.pdf``, and return their paths; as ``put_down``.

    Each is told of by its name when it is whole; all of them take their places together.

    Raises:
        PageError: the folder cannot be made or written to.
        TakenError: a file of other content is there already, and ``force`` is not given.
    """
    # What cannot be made is found out before there is a folder.
    made = {}
    for name, content in files.items():
        made[name] = bytes_of(content)
        tell(name)

    def make(unfinished: Path) -> Iterable[Path]:
        for name, content in made.items():
            part = unfinished / way_of(name)
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(content)
            yield part

    return put_down(make, folder, within=within, force=force, stale=stale, private=private)
