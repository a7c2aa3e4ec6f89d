"""Sheets that a command has made: written, sent to standard output, or only announced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from printkit.console import terminal
from printkit.console.options import STREAM, Output

if TYPE_CHECKING:
    from printkit.page.sheet import Document


def give(
    document: Document,
    name: str,
    formats: Sequence[str],
    output: Output,
    *,
    said: Iterable[str] = (),
    after: Iterable[str] = (),
    plan: bool = False,
    quiet: bool = False,
) -> None:
    """Write sheets that have no record, and say where; or say what would be written.

    Args:
        document: the sheets.
        name: of their file without ending, where the person gave none.
        formats: in which they are written.
        output: where they go.
        said: what is told of them before their files.
        after: what is told after them.
        plan: whether nothing is to be written.
        quiet: whether nothing is to be told.

    Raises:
        PageError: the folder cannot be made or written to.
        TakenError: a file of other content is there already, and may not be replaced.
    """
    from printkit.recipes.prints.printing import document_bytes, files_of, would_write, write_document

    lines = list(said)
    if plan:
        terminal.show([*lines, *would_write(files_of(name, formats, output.out))])
        return
    if output.out == STREAM:
        terminal.write(document_bytes(document, formats[0]))
        return
    written = write_document(document, name, formats, output.out, force=output.force)
    if not quiet:
        before = "  " if lines else ""
        terminal.tell([*lines, *(f"{before}{path}" for path in written), *after])


def give_files(files: Mapping[str, Document], output: Output, *, plan: bool = False, quiet: bool = False) -> None:
    """Write the files of a folder, and say where they are; or say what would be written.

    Raises:
        PageError: the folder cannot be made or written to.
        TakenError: a file of other content is there already, and may not be replaced.
    """
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.printing import would_write

    if plan:
        terminal.show(would_write(output.out / name for name in files))
        return
    written = write_folder(files, output.out, force=output.force)
    if not quiet:
        terminal.tell(str(path) for path in written)
