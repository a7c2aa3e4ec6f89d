"""The commands for a person's own terrain pieces: a box to fill in, its sheet, and the fields that it builds best."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from printkit.console import options, terminal
from printkit.console.options import Output
from printkit.console.parameters import Opt, argument, made_of

if TYPE_CHECKING:
    from printkit.recipes.output.printers import SheetRequest

_FILE = Annotated[str, argument("FILE.toml", "A terrain box, or the name of one that comes with printkit.")]


class NewBoxOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit box new``."""

    rules: options.Rules = None
    settings: options.Settings = ()
    board: options.BoardSize = None
    lang: options.Language = None
    out: Annotated[Path, Opt("--out", "FILE.toml", "The file to write.")] = Path("my-box.toml")
    force: options.Force = False
    quiet: options.Quiet = False


def new(asked: NewBoxOptions) -> None:
    """Write a box to fill in."""
    from printkit.console.games import new_orders
    from printkit.core.errors import Sentence, UsageError, typed_path
    from printkit.recipes.box.new_box import box_text
    from printkit.recipes.output.files import write_folder

    if asked.out.suffix != ".toml":
        raise UsageError("--out {out} is no TOML file; write --out my-box.toml", out=asked.out)
    system, orders = new_orders(_game(asked.rules, asked.settings, asked.board))
    text = box_text(system, orders, terminal.words(asked.lang))
    write_folder({asked.out.name: text}, asked.out.parent, force=asked.force)
    if not asked.quiet:
        terminal.tell(
            [
                str(asked.out),
                Sentence(
                    "write down what you own, then: printkit map --rules {rules} --box {path}",
                    rules=system.name,
                    path=typed_path(asked.out),
                ),
            ]
        )


class BoxSheetOptions(Struct, frozen=True, kw_only=True):
    """The options of a sheet that is printed of a box."""

    sheet: options.PaperName = "a4"
    margin: options.OwnMargin = None
    style: options.StyleName = "campaign"
    large_print: options.LargePrint = False
    lang: options.Language = None
    out: options.Out = options.FOLDER
    force: options.Force = False
    printer: options.Printer = None
    quiet: options.Quiet = False

    def order(self) -> SheetRequest:
        """Return how the sheet is printed."""
        from printkit.recipes.output.printers import PrintRequest

        return made_of(PrintRequest, self).printing(terminal.words(self.lang), terminal.profile(self.printer))


class ShowBoxOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit box show``."""

    box: _FILE
    printed: BoxSheetOptions


def show(asked: ShowBoxOptions) -> None:
    """Print the pieces of a box with their numbers."""
    from printkit.console.documents import give
    from printkit.recipes.box.box_sheet import box_document
    from printkit.recipes.box.piece_box import read_piece_box

    order = asked.printed.order()
    document = box_document(read_piece_box(asked.box), order)
    name = _file_name(asked.box, "pieces", order=order)
    give(document, name, ("pdf",), made_of(Output, asked.printed), quiet=asked.printed.quiet)


class FitBoxOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit box fit``."""

    box: _FILE
    rules: options.Rules = None
    settings: options.Settings = ()
    board: options.BoardSize = None
    seeds: Annotated[str, Opt("--seeds", "SEEDS", "Fields to choose among: 1..20, or 3, 5..9.")] = "1..20"
    printed: BoxSheetOptions
    plan: options.Plan = False


def fit(asked: FitBoxOptions) -> None:
    """Find the fields that a box builds best."""
    from printkit.console.documents import give
    from printkit.console.games import new_orders
    from printkit.core.errors import Sentence, typed_path
    from printkit.recipes.box.box_fit import best_first, fit_document, fit_lines, fits
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.game.request import seeds_of

    seeds, box = seeds_of(asked.seeds), read_piece_box(asked.box)
    order = asked.printed.order()
    system, orders = new_orders(_game(asked.rules, asked.settings, asked.board))
    tried = terminal.counted(fits(system, orders, box, seeds, order.words), asked.printed.quiet, total=len(seeds))
    found = best_first(tried)
    terminal.show(fit_lines(found))
    best = Sentence(
        "print the best: printkit map --rules {rules} --seed {seed} --box {box}",
        rules=system.name,
        seed=found[0].record.seed,
        box=typed_path(asked.box),
    )
    document = fit_document(found, system, order)
    name = _file_name(asked.box, "fields", system.name, order=order)
    printed = asked.printed
    give(document, name, ("pdf",), made_of(Output, printed), after=[best], plan=asked.plan, quiet=printed.quiet)


def _game(rules: str | None, settings: tuple[str, ...], board: str | None) -> options.Game:
    return replace(options.Game(), rules=rules, settings=settings, board=board)


def _file_name(box: str, *shows: str, order: SheetRequest) -> str:
    """Return what the file of a sheet of a box is called, without ending."""
    from printkit.recipes.prints.file_names import marked, printing_marks

    marks = printing_marks(order.words, order.style, order.sheet, order.profile)
    return marked(Path(box).stem, *shows, *marks)
