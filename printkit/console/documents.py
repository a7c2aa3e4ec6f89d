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
    cuts: int = 0,
    detail: str = "",
    notes: Iterable[str] = (),
    steps: Iterable[str] = (),
    seed: int | None = None,
) -> None:
    """Write a document without a record and report it; with ``--plan`` report it without writing.

    Args:
        document: the document.
        name: the file name without ending, if ``--out`` does not name a file.
        formats: the formats to write.
        files: the output options.
        force: whether existing files are overwritten.
        cuts: the number of straight cuts.
        detail: what the file has.
        notes: what to know before printing.
        steps: what comes next.
        seed: the seed that prints a plan.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: a file with this name and other content exists, and ``force`` is False.
    """
    from printkit.recipes.output.report import document_part, format_head, printing_notes, report_lines
    from printkit.recipes.prints.printing import document_bytes, list_files, write_document

    if files.streams and not files.plan:
        terminal.write(document_bytes(document, formats[0]))
        return
    if files.plan:
        paths = tuple(list_files(name, formats, files.place))
    else:
        terminal.stage(Sentence("writing the files"))
        paths = write_document(document, name, formats, files.place, force=force)
    parts = [document_part(document, cuts=cuts)]
    head = format_head(document.title, parts, is_plan=files.plan)
    rows = [[path, detail] if detail and path == paths[0] else [path] for path in paths]
    lines = report_lines(head, rows, (*printing_notes(parts, is_plan=files.plan), *notes), () if files.plan else steps)
    terminal.report(lines, files, seed)


def deliver_files(
    contents: Mapping[str, FileContent], folder: Path, files: FileOptions, *, title: str, force: bool = False
) -> None:
    """Write files into a folder and report them; with ``--plan`` report them without writing.

    In the default folder they replace earlier ones.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: a file with this name and other content exists, and ``force`` is False.
    """
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.output.printed_files import document_parts
    from printkit.recipes.output.report import describe_work, format_head, report_lines

    parts = {part.name: part for part in document_parts(contents, "")}
    if not files.plan:
        write_folder(contents, folder, force=force or not files.out)
    head = format_head(title, tuple(parts.values()), is_plan=files.plan)
    rows = [[folder / name, *([describe_work([parts[name]])] if name in parts else [])] for name in contents]
    terminal.report(report_lines(head, rows), files)
