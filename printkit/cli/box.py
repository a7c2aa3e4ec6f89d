"""The commands ``box new``, ``box show`` and ``box fit`` for terrain pieces that the user owns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from printkit.console import terminal
from printkit.console.documents import deliver_document
from printkit.console.games import new_orders
from printkit.core.errors import Sentence, UsageError, quote_path
from printkit.options.commands import BoxOptions, GameOptions
from printkit.options.printing import FileOptions, PrintOptions

if TYPE_CHECKING:
    from printkit.recipes.output.printers import SheetContext


def write_box(game: GameOptions, print_options: PrintOptions, files: FileOptions) -> None:
    """Write a terrain box file to fill in."""
    from printkit.recipes.box.new_box import box_text
    from printkit.recipes.output.files import write_folder

    path = files.place
    if path.suffix != ".toml":
        raise UsageError("--out {out} is not a TOML file; write for example --out my-box.toml", out=path)
    system, orders = new_orders(game)
    text = box_text(system, orders, terminal.words(print_options.lang))
    write_folder({path.name: text}, path.parent, force=print_options.force)
    if not files.quiet:
        terminal.tell(
            [
                Sentence("{path} lists the pieces that these rules use. Fill in the pieces you own.", path=path),
                Sentence(
                    "Then run: printkit map --rules {rules} --box {path}", rules=system.name, path=quote_path(path)
                ),
            ]
        )


def print_box(options: BoxOptions, print_options: PrintOptions, files: FileOptions) -> None:
    """Print the pieces of a terrain box with their numbers."""
    from printkit.recipes.box.box_fit import box_document
    from printkit.recipes.box.piece_box import read_piece_box

    order = _print_context(print_options, files)
    document = box_document(read_piece_box(options.file), order)
    deliver_document(
        document, _file_name(options.file, "pieces", order=order), ("pdf",), files, force=print_options.force
    )


def fit_box(options: BoxOptions, game: GameOptions, print_options: PrintOptions, files: FileOptions) -> None:
    """Find the battlefields that the pieces of a terrain box build best."""
    from printkit.recipes.box.box_fit import find_fits, fit_document, fit_lines, sort_fits
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.game.request import parse_seeds

    seeds, box = parse_seeds(options.seeds), read_piece_box(options.file)
    order = _print_context(print_options, files)
    system, orders = new_orders(game)
    results = terminal.track_progress(find_fits(system, orders, box, seeds, order.words), files.quiet, total=len(seeds))
    ranking = sort_fits(results)
    terminal.show(fit_lines(ranking, order.words))
    best = Sentence(
        "Build the best one: printkit handouts --rules {rules} --seed {seed} --table build --box {box}",
        rules=system.name,
        seed=ranking[0].record.seed,
        box=quote_path(options.file),
    )
    document = fit_document(ranking, system, order)
    name = _file_name(options.file, "fields", system.name, order=order)
    deliver_document(document, name, ("pdf",), files, force=print_options.force, steps=[best])


def _print_context(print_options: PrintOptions, files: FileOptions) -> SheetContext:
    """Return the paper, texts, style and printer profile for sheets of a terrain box."""
    from printkit.recipes.output.printers import print_context

    return print_context(print_options, terminal.words(print_options.lang), terminal.profile(files.printer))


def _file_name(box: str, *shows: str, order: SheetContext) -> str:
    """Return the file name of a sheet of a terrain box, without its suffix.

    ``box`` is the path or name of the box, and ``shows`` are words for the contents of the sheet.
    """
    from printkit.recipes.prints.file_names import add_marks, printing_marks

    marks = printing_marks(order.words, order.style, order.sheet, order.profile)
    return add_marks(Path(box).stem, *shows, *marks)
