"""Sheets that a command has made: written, sent to standard output, or only announced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from printkit.console import terminal
from printkit.options.printing import FileOptions

if TYPE_CHECKING:
    from printkit.page.sheet import Document
    from printkit.recipes.output.files import FileContent


def give(
    document: Document,
    name: str,
    formats: Sequence[str],
    files: FileOptions,
    *,
    force: bool = False,
    said: Iterable[str] = (),
    after: Iterable[str] = (),
) -> None:
    """Write sheets that have no record, and say where; or say what would be written.

    Args:
        document: the sheets.
        name: of their file without ending, where the person gave none.
        formats: in which they are written.
        files: where they go, and what is said of it.
        force: whether other files of their names are replaced.
        said: what is told of them before their files.
        after: what is told after them.

    Raises:
        PageError: the folder cannot be made or written to.
        TakenError: a file of other content is there already, and may not be replaced.
    """
    from printkit.recipes.prints.printing import document_bytes, files_of, would_write, write_document

    lines = list(said)
    if files.plan:
        terminal.show([*lines, *would_write(files_of(name, formats, files.place))])
        return
    if files.streams:
        terminal.write(document_bytes(document, formats[0]))
        return
    written = write_document(document, name, formats, files.place, force=force)
    if not files.quiet:
        before = "  " if lines else ""
        terminal.tell([*lines, *(f"{before}{path}" for path in written), *after])


def give_files(contents: Mapping[str, FileContent], folder: Path, files: FileOptions, *, force: bool = False) -> None:
    """Write the files of a folder, and say where they are; or say what would be written.

    Raises:
        PageError: the folder cannot be made or written to.
        TakenError: a file of other content is there already, and may not be replaced.
    """
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.printing import would_write

    if files.plan:
        terminal.show(would_write(folder / name for name in contents))
        return
    written = write_folder(contents, folder, force=force)
    if not files.quiet:
        terminal.tell(str(path) for path in written)
