"""Find a style by name, and write a set of files into a folder: all files or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from printkit.core.errors import ResourceError, UsageError
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.style import Style
from printkit.export.placing import commit_files, relative_path
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
        style = styles.find(name)
    except ResourceError as error:
        raise error if name.endswith(".toml") else UsageError("{error}", error=error) from None
    return replace(style, language=language, least_pt=LARGE_PT if large_print else style.least_pt)


# A document is written as PDF; a text and a picture are written unchanged.
FileContent: TypeAlias = Document | str | bytes


def file_bytes(content: FileContent) -> bytes:
    """Return the content of a file as bytes; a document becomes a PDF."""
    if isinstance(content, Document):
        # Import this only for a document: saving a battle after each bound does not need it.
        from printkit.export.pdf import data

        return data(content)
    return content.encode() if isinstance(content, str) else content


def write_folder(
    files: Mapping[str, FileContent],
    folder: Path,
    *,
    staging_folder: Path | None = None,
    force: bool = False,
    stale: Iterable[str] = (),
    private: bool = False,
    report_file: Callable[[str], None] = lambda _: None,
) -> tuple[Path, ...]:
    """Write files into ``folder`` by names such as ``player-a/hand.pdf``, and return their paths; see ``commit_files``.

    All contents are built first, then all files are moved to their final paths together.

    Args:
        files: texts, bytes or documents (written as PDF) by name.
        folder: the folder; created if missing.
        staging_folder: the folder for incomplete files, on the same disk; None for the folder itself.
        force: overwrite files with other content.
        stale: names of files to remove.
        private: whether only the user may read the files.
        report_file: gets the name of each file when its content is built.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: a file already exists with other content, and ``force`` is not set.
    """
    # Build all contents first, so that an error leaves no new folder.
    contents = {}
    for name, content in files.items():
        contents[name] = file_bytes(content)
        report_file(name)

    def make(staging_path: Path) -> Iterable[Path]:
        """Write all files into the staging folder, and yield the path of each."""
        for name, content in contents.items():
            part = staging_path / relative_path(name)
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(content)
            yield part

    return commit_files(make, folder, staging_parent=staging_folder, force=force, stale=stale, private=private)
