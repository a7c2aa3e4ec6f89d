"""The command for who brings a language: what it lacks, listed or written as files to be filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.parameters import Opt, argument, flag


class WordOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit words``."""

    code: Annotated[str, argument("CODE", "The code of a language, as fr; it need not be there yet.")]
    missing: Annotated[bool, flag("--missing", "List every sentence that is missing, with its English.")] = False
    out: Annotated[
        Path | None,
        Opt(
            "--out", "FOLDER", "Write files to fill in there, with the English as comments, sheets of an evening first."
        ),
    ] = None
    force: options.Force = False
    lang: options.Language = None


def words(asked: WordOptions) -> None:
    """Tell what a language lacks beside English."""
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.output.translations import lack_files, lack_lines, lacks_of

    terminal.languages_known()
    lacks = lacks_of(asked.code)
    terminal.show(lack_lines(asked.code, lacks, each=asked.missing))
    if asked.out is not None and lacks:
        terminal.tell(str(path) for path in write_folder(lack_files(lacks), asked.out, force=asked.force))
