"""Write the documents and files of a command, send them to standard output, or list them for ``--plan``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from printkit.console import terminal
from printkit.core.errors import Sentence
from printkit.options.printing import FileOptions

if TYPE_CHECKING:
    from printkit.page.sheet import Document
    from printkit.recipes.output.files import FileContent


def deliver_document(
    document: Document,
    name: str,
    formats: Sequence[str],
    files: FileOptions,
    *,
    force: bool = False,
    notices: Iterable[str] = (),
    after: Iterable[str] = (),
) -> None:
    """Write a document without a record and show its paths; with ``--plan`` show them without writing.

    Args:
        document: the document.
        name: the file name without ending, if ``--out`` does not name a file.
        formats: the formats to write.
        files: the output options.
        force: whether existing files are overwritten.
        notices: lines to show before the paths.
        after: lines to show after the paths.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: a file with this name and other content exists, and ``force`` is False.
    """
    from printkit.recipes.prints.printing import document_bytes, list_files, plan_file_lines, write_document

    lines = list(notices)
    if files.plan:
        terminal.show([*lines, *plan_file_lines(list_files(name, formats, files.place))])
        return
    if files.streams:
        terminal.write(document_bytes(document, formats[0]))
        return
    terminal.stage(Sentence("writing the files"))
    paths = write_document(document, name, formats, files.place, force=force)
    if not files.quiet:
        indent = "  " if lines else ""
        terminal.tell([*lines, *(f"{indent}{path}" for path in paths), *after])


def deliver_files(
    contents: Mapping[str, FileContent], folder: Path, files: FileOptions, *, force: bool = False
) -> None:
    """Write files into a folder and show their paths; with ``--plan`` show them without writing.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: a file with this name and other content exists, and ``force`` is False.
    """
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.printing import plan_file_lines

    if files.plan:
        terminal.show(plan_file_lines(folder / name for name in contents))
        return
    paths = write_folder(contents, folder, force=force)
    if not files.quiet:
        terminal.tell(str(path) for path in paths)
