"""Find a style by name, and write a set of files into a folder: all files or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from printkit.core.errors import ResourceError, UsageError
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.style import Style
from printkit.export.files import way_of
from printkit.export.placing import commit_files
from printkit.page.sheet import Document

# --- Styles by name ---------------------------------------------------------------------------------------------------


LARGE_PT: Final = 11.0  # the smallest type size of large print, in points


def find_style(name: str, language: str = "en", *, large_print: bool = False) -> Style:
    """Return a style for texts in a language.

    Args:
        name: the name of a built-in style, or the path of a style file.
        language: the code of the language.
        large_print: whether the smallest type size is 11 points.

    Raises:
        UsageError: the style is unknown.
        PrintkitError: the file cannot be read, or is not valid.
    """
    try:
        found = styles.find(name)
    except ResourceError as error:
        raise error if name.endswith(".toml") else UsageError("{error}", error=error) from None
    return replace(found, language=language, least_pt=LARGE_PT if large_print else found.least_pt)


# A document is written as PDF; a text and a picture are written unchanged.
FileContent: TypeAlias = Document | str | bytes


def bytes_of(content: FileContent) -> bytes:
    """Return the bytes of a file."""
    if isinstance(content, Document):
        # Import this only for a document: saving a battle after each bound does not need it.
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
    """Write files into ``folder`` by names such as ``player-a/hand.pdf``, and return their paths; see ``commit_files``.

    ``tell`` gets the name of each finished file. All files are moved to their final paths together.

    Raises:
        PageError: the folder cannot be created or written to.
        TakenError: a file already exists with other content, and ``force`` is not set.
    """
    # Build all contents first, so that an error leaves no new folder.
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

    return commit_files(make, folder, within=within, force=force, stale=stale, private=private)
