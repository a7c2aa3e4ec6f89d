"""The commands that print a battlefield, and the signs of which its map is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.options import BatchOptions, Game, Output, Paper, SheetOutput
from printkit.console.parameters import Opt, flag, made_of
from printkit.core.errors import UsageError
from printkit.core.units import DPI

if TYPE_CHECKING:
    from printkit.recipes.prints.maps import MapSheet


class MapOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit map``."""

    game: Game
    paper: Paper
    furniture: options.FurnitureKind = None
    scale: options.Scale = "1:1"
    dressing: options.DressingKind = "light"
    climate: options.Climate = ""
    labels: options.Labels = False
    key: options.KeyKind = "plain"
    style: options.StyleName = "campaign"
    lang: options.Language = None
    output: Output
    batch: BatchOptions
    use: options.OtherPrograms
    plan: options.Plan = False
    numbers: options.Numbers = True
    zones: options.Zones = True
    deployment: options.Deployment = True
    grid: Annotated[bool, flag("--grid/--no-grid", "Draw and number the cells of a gridded map.")] = True
    by_zone: Annotated[
        bool, flag("--by-zone", "Lay each zone of the board out by itself, on sheets that are named by it.")
    ] = False
    only: Annotated[tuple[str, ...], Opt("--zone", "N", "Print this zone alone, as --by-zone does; repeatable.")] = ()
    reprint: Annotated[
        tuple[str, ...], Opt("--only", "SHEET", "Print this sheet again by itself, as B3; repeatable.")
    ] = ()
    skip_bare: options.SkipBare = False
    show_seed: options.ShowSeed = False
    large_print: options.LargePrint = False
    dpi: options.MapDpi = DPI
    pixels_per_cell: Annotated[
        int | None,
        Opt("--pixels-per-cell", "N", "With --to png: the board alone, N pixels to a cell or an inch.", least=1),
    ] = None
    bleed: Annotated[
        str, Opt("--bleed", "LENGTH", "With --sheet one, for a print shop: ground beyond the trim; 3mm is usual.")
    ] = "0mm"
    blank: Annotated[bool, flag("--blank", "An empty grid of the rules' cells, or their form, to sketch on.")] = False
    box: options.TerrainBox = None
    printer: options.Printer = None
    quiet: options.Quiet = False
    verbose: options.Verbose = False


def map_(asked: MapOptions) -> None:
    """Print battlefields as maps, each with its record."""
    from printkit.console.batches import Verbosity, is_batch, make_batch, place_of, refuse_sharing, tell
    from printkit.console.games import Wanted, games_of
    from printkit.export.writers import ENDINGS, PAGES, RECORDS

    words, formats = terminal.words(asked.lang), asked.output.formats(PAGES, RECORDS)
    wanted = made_of(Wanted, asked, asked.batch)
    wanted.refuse_together(asked.output.out, formats)
    refuse_sharing(asked.batch, ask=asked.game.ask)
    from printkit.recipes.prints.exact_picture import judge_pixels
    from printkit.recipes.prints.maps import MapRequest, map_sheet
    from printkit.recipes.prints.printing import judge_bleed

    order = map_sheet(made_of(MapRequest, asked, asked.paper), words, terminal.profile(asked.printer))
    judge_bleed(order, formats)
    judge_pixels(order, formats)
    if asked.blank and _print_form(asked, order, formats):
        return
    from printkit.recipes.batch.batches import SEVERAL, Delivery
    from printkit.recipes.batch.works import MapWork

    folder, name = place_of(asked.output.out, ENDINGS)
    work = MapWork(order=order, formats=formats, out=name, count=min(wanted.count, SEVERAL), wishes=asked.use.wishes())
    if is_batch(wanted):
        telling = made_of(Verbosity, asked, asked.output)
        make_batch(wanted, words, work, folder, sharing=asked.batch, telling=telling)
        return
    for system, game in games_of(wanted, words, quiet=asked.quiet):
        if asked.output.out == options.STREAM and not asked.plan:
            terminal.write(work.stream(system, game))
        else:
            place = Delivery(
                folder=folder, shown=folder, plan=asked.plan, verbose=asked.verbose, force=asked.output.force
            )
            tell(work(system, game, place), quiet=asked.quiet)


def _print_form(asked: MapOptions, order: MapSheet, formats: tuple[str, ...]) -> bool:
    """Give the form by which a table is made by hand; False where the rules print an empty grid."""
    from printkit.console.documents import give
    from printkit.console.games import blank_orders
    from printkit.export.writers import PAGES, known
    from printkit.recipes.prints.printing import outside_lines
    from printkit.recipes.prints.specimens import blank_form

    made = blank_form(*blank_orders(asked.game), order)
    if made is None:
        return False
    if order.bleed:
        raise UsageError("--bleed goes with a map, and the form by which a table is made by hand is none; leave it")
    names = tuple(known(name, PAGES) for name in formats)
    after = outside_lines(made.outside)
    give(
        made.document, made.name, names, asked.output, said=[made.told], after=after, plan=asked.plan, quiet=asked.quiet
    )
    return True


class SpecimenOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit specimen``."""

    style: options.StyleName = "campaign"
    lang: options.Language = None
    output: SheetOutput
    printer: options.Printer = None
    quiet: options.Quiet = False


def specimen(asked: SpecimenOptions) -> None:
    """Print the signs of a style."""
    from printkit.console.documents import give
    from printkit.kit import registry
    from printkit.recipes.prints.file_names import marked, printing_marks
    from printkit.recipes.prints.specimens import specimen_document

    words, formats = terminal.words(asked.lang), asked.output.sheet_formats()
    profile = terminal.profile(asked.printer)
    document = specimen_document(asked.style, words, registry.every(), profile=profile)
    name = marked(f"specimen-{document.keywords[0]}", *printing_marks(words, profile=profile))
    give(document, name, formats, asked.output, quiet=asked.quiet)
