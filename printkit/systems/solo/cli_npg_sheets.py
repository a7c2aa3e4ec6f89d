"""The command that prints the sheets of a battle: battle sheet, bound log, bounds rolled before the game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.core.errors import UsageError

_FOLDER: Final = Path("output")

First = Annotated[
    str | None,
    typer.Argument(
        metavar="[BATTLE.toml | NPG]", help="A battle file; or his army, a sample by its name or a file [blank sheets]."
    ),
]
Second = Annotated[str | None, typer.Argument(metavar="[YOU]", help="YOUR army, its choices made.")]
Mode = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="MODE",
        help="blank; ranges: what is known counted; rolled: what a battle has thrown "
        "[blank without armies, ranges of armies, rolled of a battle].",
    ),
]


def sheets_(
    first: First = None,
    you: Second = None,
    settings: options.Setting = None,
    mode: Mode = None,
    seed: options.Seed = None,
    sheet: options.Paper = "a4",
    printer: options.Printer = None,
    style: options.StyleName = "high-contrast",
    lang: options.Language = None,
    to: options.Format = None,
    out: options.Out = _FOLDER,
    force: options.Force = False,
    plan: options.Plan = False,
    quiet: options.Quiet = False,
) -> None:
    """Print the battle sheet, the bound log and 24 bounds rolled before the game; of armies or a battle filled in."""
    from printkit.core import words as languages
    from printkit.export.writers import known_document
    from printkit.page.printer import corrected
    from printkit.recipes.game.request import pairs
    from printkit.recipes.output.printers import sheet_for
    from printkit.recipes.output.styles import find_style
    from printkit.recipes.prints.file_names import document_stem, marked, printing_marks
    from printkit.recipes.prints.printing import STREAM, document_bytes, would_write, write_document
    from printkit.systems.solo.sheets.battle_sheets import SheetOrder
    from printkit.systems.solo.sheets.paper import MARGIN
    from printkit.systems.solo.sheets.sheet_sets import SetOrder, sheet_set

    formats = tuple(dict.fromkeys(known_document(name) for name in to or ["pdf"]))
    if out == STREAM and len(formats) > 1:
        raise UsageError("--out - writes one file; give one --to")
    words = languages.find(lang or terminal.language())
    profile = terminal.profile(printer)
    paper = sheet_for(sheet, margin=MARGIN, default=MARGIN, profile=profile, backs=True)
    made = sheet_set(
        SetOrder(
            first=first,
            you=you,
            settings=pairs(settings or ()),
            mode=mode,
            seed=terminal.fresh_seed() if seed is None else seed,
            own_seed=seed is not None,
            sheets=SheetOrder(sheet=paper, style=find_style(style), words=words),
        ),
        writes=not plan,
    )
    document = corrected(made.document, profile).document
    name = marked(made.name, *printing_marks(words, None, sheet, profile))
    if plan:
        stem = document_stem(name, out)
        lines = (*made.lines, *would_write(stem.with_name(f"{stem.name}.{ending}") for ending in formats))
        terminal.show(lines)
        return
    if out == STREAM:
        sys.stdout.buffer.write(document_bytes(document, formats[0]))
        return
    written = write_document(document, name, formats, out, force=force)
    if not quiet:
        terminal.tell([*made.lines, *(f"  {path}" for path in written)])


def register(app: typer.Typer) -> None:
    """Add the command to those of the non-player general."""
    app.command("sheets")(sheets_)
