"""Build the Hexon tile layout of a battlefield and all its files, for one battlefield or a batch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from printkit.core.errors import Sentence, UsageError, joined
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.furniture.furniture import legend_sheet
from printkit.drawing.map.board_drawing import MapCaption, MapLayout, small_map
from printkit.hexon.assembly import FirstPagePictures, assembly_pages
from printkit.hexon.files import file_contents, layout_data, layout_notes, part_name
from printkit.hexon.formats.layouts import LAYOUTS, SHEETS
from printkit.hexon.layout.hills import HILLS
from printkit.hexon.layout.layout import HexonLayout, lay_out
from printkit.hexon.layout.pieces import PieceKind, piece_set
from printkit.hexon.layout.stock import Stock, read_stock
from printkit.hexon.square_pages import draw_tiles, plan_page, tile_sheets
from printkit.hexon.square_sets import SquareSet
from printkit.hexon.square_tiles import SquareLayout, lay_out_squares
from printkit.kit.system import RuleSystem
from printkit.options.printing import TileOptions, validate_formats
from printkit.page.leaflets import leaflet_area, leaflet_sheets
from printkit.page.marks import Imprint
from printkit.page.printer import PrinterProfile, apply_profile
from printkit.page.sheet import Document
from printkit.recipes.batch.batches import Delivery, Work, WorkResult
from printkit.recipes.evening.parts import TilePlan
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.output.files import FileContent, file_bytes, write_folder
from printkit.recipes.output.handout import HandoutContext, rules_document
from printkit.recipes.output.printers import PrintContext, SheetContext, print_context
from printkit.recipes.output.report import ACTUAL_SIZE, describe_work, document_part, report_lines
from printkit.recipes.prints.file_names import BattlefieldFiles, battlefield_files, printing_marks, seed_mark
from printkit.recipes.prints.printing import STREAM, game_notices, outside_lines, replacing_lines
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.grids import GRAINS, Grid, HexGrid, grid_of
from printkit.terrain.field.record import Record, write
from printkit.terrain.gridded.gridplan import GridPlan, build_plan, sample_plan
from printkit.terrain.gridded.sampling import stretch_to_grid

if TYPE_CHECKING:
    from printkit.hexon.overlays import PaperPiece

_PDF: Final = "pdf"
_TO_CUT: Final = "-to-cut.pdf"  # the end of the name of the file with paper overlays
USUAL: Final = (_PDF, "json", "csv")

# File extensions: a path with one of them is a file, any other path is a folder.
SUFFIXES: Final = (_PDF, *(layout.ending for layout in LAYOUTS.values()))

# Fewest columns and rows of a sampled battlefield; larger hexes would have too many features each.
_LEAST: Final = (9, 8)
_MOST: Final = 60
_SIZE: Final = re.compile(r"[0-9]{1,3}x[0-9]{1,3}")
_GRAINS: Final = {"flat": "flat-odd-low", "pointed": "pointy-odd-right"}

# The marks of tiles in file names, by the shape of the areas.
_KINDS: Final = {"hex": "hexon", "square": "tiles"}


class TileContext(PrintContext[TileOptions], frozen=True, kw_only=True):
    """The context of a tile layout, with the pieces of the stock file, and the set of square tiles to print."""

    stock: Stock | None = None
    square_set: SquareSet | None = None


def tile_context(options: TileOptions, words: Words, profile: PrinterProfile | None = None) -> TileContext:
    """Return the context for planning and printing tiles with the given options.

    Raises:
        UsageError: the paper, style, format, grain or hills mode is unknown.
        PrintkitError: the stock cannot be read.
    """
    if (hills := options.hills.strip().lower()) not in HILLS:
        raise UsageError(
            "--hills {hills!r} is not valid; use one of {modes}", hills=options.hills, modes=", ".join(HILLS)
        )
    grain = None if options.grain is None else parse_grain(options.grain)
    order = print_context(replace(options, hills=hills, to=parse_formats(options.to), grain=grain), words, profile)
    return TileContext(**asdict(order), stock=None if options.stock is None else read_stock(options.stock))


class HexonJob(Struct, frozen=True, kw_only=True):
    """A layout and its files.

    Attributes:
        layout: the Hexon tiles, or the square tiles.
        files: the files by name, the record last.
        notes: the notes for the user.
        outside: the labels of pages with content in the unprintable margin.
        cuts: the number of straight cuts for square tiles.
        tile_set: the set of square tiles that is printed in place of those of one battlefield.
    """

    layout: HexonLayout | SquareLayout
    files: Mapping[str, FileContent]
    notes: tuple[str, ...]
    outside: tuple[str, ...] = ()
    cuts: int = 0
    tile_set: SquareSet | None = None

    @property
    def pieces(self) -> Mapping[str, int]:
        """Return the number of Hexon pieces by name; empty for square tiles."""
        return self.layout.needs() if isinstance(self.layout, HexonLayout) else {}


def parse_formats(names: Sequence[str]) -> tuple[str, ...]:
    """Return the output formats for the given names, or the usual formats if there are no names.

    Raises:
        UsageError: a format is unknown.
    """
    return validate_formats(names, SHEETS, LAYOUTS) or USUAL


def parse_grain(text: str) -> str:
    """Return the full name of a grain from its short name (``flat`` or ``pointed``) or full name.

    Raises:
        UsageError: the grain is unknown.
    """
    grain = _GRAINS.get(text, text)
    if grain not in GRAINS:
        raise UsageError(
            "unknown --grain {text!r}; use one of {grains}", text=text, grains=", ".join((*_GRAINS, *GRAINS))
        )
    return grain


def make_hexon_plan(field: Battlefield, order: TileContext) -> tuple[GridPlan, Battlefield]:
    """Return the plan of a battlefield, and the battlefield on the hexes of the plan.

    A battlefield with a grid is planned directly. Any other is sampled onto hexes, and its board is stretched to them;
    the plan has a note about it.

    Raises:
        UsageError: the options for hexes or grain are not valid, or the battlefield already has a grid.
    """
    if field.grid is not None:
        if order.asked.hexes is not None or order.asked.grain is not None:
            raise UsageError(
                "--hexes and --grain are for boards without a grid; this one already has {grid}",
                grid=field.grid.name,
            )
        return build_plan(field), field
    grid = _sampling_grid(field, order)
    plan = sample_plan(field, grid)
    if plan.notes:
        board = field.board
        note = order.words(
            "hexon.note.scaled",
            width=f"{board.width:.0f}",
            depth=f"{board.depth:.0f}",
            grid=f"{grid.columns} x {grid.rows}",
            to_width=f"{grid.width:.0f}",
            to_depth=f"{grid.depth:.0f}",
            across=f"{grid.width / board.width:.2f}",
            along=f"{grid.depth / board.depth:.2f}",
        )
        plan = replace(plan, notes=(note,))
    return plan, replace(stretch_to_grid(field, grid), grid=grid)


def make_hexon_job(game: GeneratedGame, system: RuleSystem, order: TileContext, target: BattlefieldFiles) -> HexonJob:
    """Return the tiles of a game with all their files, named for ``target``.

    Raises:
        UsageError: an option does not fit the battlefield or the layout, or a format does not support the grid.
        PageError: the paper is too small.
    """
    record = game.record
    plan, field = make_hexon_plan(record.battlefield, order)
    if plan.grid.shape == "square":
        return _make_square_job(record, system, order, target, lay_out_squares(field, plan))
    layout = lay_out(plan, order.asked.hills, order.stock)
    names = {feature.id: feature.name for feature in field.features}
    kind = _KINDS["hex"]
    name, data_name = target.with_marks(*_sheet_marks(order, kind)), target.with_marks(kind)
    # Data files use only the first language.
    first = order.words.each()[0]
    data = layout_data(plan, layout, first, title=record.battlefield.title, names=names, stock=order.stock)
    files: dict[str, FileContent] = {}
    outside: tuple[str, ...] = ()
    overlay_pieces = _make_overlays(record, system, order, layout) if order.asked.overlays else ()
    if _PDF in order.asked.to:
        sheets = apply_profile(_document(record, system, order, layout, field, overlay_pieces), order.profile)
        files[f"{name}.pdf"], outside = sheets.document, sheets.outside
    if overlay_pieces:
        sheets = apply_profile(_cut_document(record, system, order, layout, overlay_pieces), order.profile)
        files[f"{data_name}{_TO_CUT}"] = sheets.document
        outside = (*outside, *sheets.outside)
    files |= file_contents(data, [format_name for format_name in order.asked.to if format_name != _PDF], stem=data_name)
    files[target.record] = write(record)
    return HexonJob(
        layout=layout,
        files=files,
        notes=tuple(layout_notes(layout, first, order.stock)),
        outside=outside,
    )


def _make_square_job(
    record: Record, system: RuleSystem, order: TileContext, target: BattlefieldFiles, layout: SquareLayout
) -> HexonJob:
    """Return the square tiles of a battlefield with a plan, as one document, and the record (HX-53).

    Raises:
        UsageError: an option or a format is only for Hexon tiles.
        PageError: the paper is too small for a tile.
    """
    asked = order.asked
    hexes_only = {
        "--stock": order.stock is not None,
        "--overlays": asked.overlays,
        "--far-side": asked.far_side,
        **{f"--to {name}": name != _PDF for name in asked.to if asked.to != USUAL},
    }
    if options := [name for name, there in hexes_only.items() if there]:
        raise UsageError(
            "remove {options}: this battlefield has squares ({grid}), not Hexon tiles",
            options=joined(options, Sentence(" and ")),
            grid=layout.grid.name,
        )
    handout = HandoutContext.from_record(record, system, order, sheet=order.sheet)
    context, words, tile_set = replace(order, words=handout.words), handout.words, order.square_set
    if tile_set is None:
        title, tiles, layouts = handout.title, layout.tiles, {handout.title: layout}
    else:
        title, tiles = words("tiles.set", count=tile_set.size), tile_set.tiles
        layouts = {words("marks.seed", seed=seed): each for seed, each in tile_set.layouts.items()}
    drawings = draw_tiles(tiles, handout)
    cut_sheets = tile_sheets(tiles, drawings, context, Imprint(title=title, profile=order.printer))
    pages = (*(plan_page(each, drawings, context, name) for name, each in layouts.items()), *cut_sheets.pages)
    document = rules_document(f"{words('tiles.title')} – {title}", pages, system.name, words, keywords=("tiles",))
    sheets = apply_profile(document, order.profile)
    marks = _sheet_marks(order, _KINDS["square"])
    files: dict[str, FileContent] = {f"{target.with_marks(*marks)}.{_PDF}": sheets.document}
    return HexonJob(
        layout=layout,
        files={**files, target.record: write(record)},
        notes=(),
        outside=sheets.outside,
        tile_set=tile_set,
        cuts=cut_sheets.slots.cuts * cut_sheets.sheets,
    )


def evening_tiles(record: Record, system: RuleSystem, context: SheetContext) -> TilePlan:
    """Return the assembly sheets of a game for its game-night folder, with the default tile options.

    Raises:
        ScenarioError: the battlefield has squares (HX-53).
        PageError: the paper is too small.
    """
    options = TileOptions(show_seed=context.asked.show_seed)
    order = TileContext(**{**asdict(context), "asked": options})
    plan, field = make_hexon_plan(record.battlefield, order)
    layout = lay_out(plan, options.hills, order.stock)
    profile_result = apply_profile(_document(record, system, order, layout, field), order.profile)
    return TilePlan(profile_result.document, profile_result.outside)


@contextmanager
def hexon_files(
    record: Record, out: Path, order: TileContext, *, count: int = 1, force: bool = False, plan: bool = False
) -> Iterator[BattlefieldFiles]:
    """Yield where the files of a tile layout are written; see ``battlefield_files``.

    Args:
        record: the record of the game.
        out: a folder, or the path of a file, whose name is used for all files.
        order: the context.
        count: the number of games; with several, the name of the user gets the seed.
        force: see ``battlefield_files``.
        plan: whether nothing is saved.
    """
    user_path = None
    if out.suffix.lower().lstrip(".") in SUFFIXES:
        user_path = out.with_name(out.stem if count == 1 else f"{out.stem}-{seed_mark(record)}")
    layouts = (LAYOUTS[name].ending for name in order.asked.to if name in LAYOUTS)
    grid = record.battlefield.grid
    kind = _KINDS["hex" if grid is None else grid.shape]
    tails = [f"-{'-'.join(_sheet_marks(order, kind))}.{_PDF}", *(f"-{kind}.{ending}" for ending in layouts)]
    with battlefield_files(record, out, user_path=user_path, tails=tails, force=force, plan=plan) as target:
        # The layout may be written as JSON too, so the record of a user's file has another name.
        yield replace(target, record=f"{target.name}-record.json") if target.is_given else target


def _sheet_marks(order: TileContext, kind: str) -> tuple[str, ...]:
    """Return the marks of the sheets: the kind of tiles, the size of a set, paper, ink, language and printer."""
    number = "" if order.square_set is None else f"set{order.square_set.size}"
    return kind, *filter(None, (number, *printing_marks(order.words, order.style, order.sheet, order.profile)))


def job_report(game: GeneratedGame, job: HexonJob, folder: Path, words: Words) -> Iterator[str]:
    """Yield the report on a layout: its pieces, its files in ``folder``, its quality and the notes."""
    layout = job.layout
    if isinstance(layout, SquareLayout):
        return _square_report(game, job, layout, folder)
    counts = layout.counts()
    boards = counts.get(PieceKind.BOARD, 0)
    needs = {name: count for name, count in layout.needs().items() if "-" not in name}
    pieces = ", ".join(f"{count} x {part_name(name, words)}" for name, count in needs.items())
    if layout.withheld:
        quality = Sentence(
            "{boards} six-hex boards, all that you own; {more} more would save {saved} pieces.",
            boards=boards,
            more=layout.withheld,
            saved=layout.withheld * (len(piece_set().board) - 1),
        )
    elif layout.gap:
        quality = Sentence(
            "{boards} six-hex boards, at most {most} possible (gap: {gap}).",
            boards=boards,
            most=boards + layout.gap,
            gap=layout.gap,
        )
    else:
        quality = Sentence("No layout needs fewer pieces.")
    head = Sentence(
        "{title}: {count} Hexon pieces ({pieces}).",
        title=game.record.battlefield.title,
        count=sum(counts.values()),
        pieces=pieces,
    )
    rows: list[list[object]] = []
    for name, content in job.files.items():
        rows.append([folder / name])
        if isinstance(content, Document):
            sheets = describe_work([document_part(content)])
            is_cut = name.endswith(_TO_CUT)
            rows[-1].append(sheets if is_cut else Sentence("{sheets}, nothing to cut", sheets=sheets))
    return report_lines(head, rows, (quality, *job.notes, *outside_lines(job.outside), *game_notices(game)))


def _square_report(game: GeneratedGame, job: HexonJob, layout: SquareLayout, folder: Path) -> Iterator[str]:
    """Return the lines of the report on square tiles: how many there are, and the file in ``folder``."""
    head = Sentence(
        "{title}: {count} square tiles of {cell:g} mm, {kinds} of them different.",
        title=game.record.battlefield.title,
        count=len(layout.places),
        cell=layout.grid.cell,
        kinds=len(layout.tiles),
    )
    notices = game_notices(game)
    if job.tile_set is not None:
        head, notices = job.tile_set.sentence, iter(())
    rows: list[list[object]] = []
    for name, content in job.files.items():
        work = [describe_work([document_part(content, cuts=job.cuts)])] if isinstance(content, Document) else []
        rows.append([folder / name, *work])
    return report_lines(head, rows, (ACTUAL_SIZE, *outside_lines(job.outside), *notices))


def _sampling_grid(field: Battlefield, order: TileContext) -> Grid:
    """Return the hexes for a battlefield without a grid, at the size of the tiles.

    Their number is that of the options, or as many as the board has space for: at least 9 x 8 and at most 60 each way.

    Raises:
        UsageError: the options for hexes or grain are not valid.
    """
    hexes, grain = order.asked.hexes, parse_grain(order.asked.grain or "flat")
    across_mm = piece_set().across_flats
    if hexes is not None:
        if _SIZE.fullmatch(hexes) is None:
            raise UsageError(
                "--hexes {hexes!r} is not a number of hexes; write COLUMNSxROWS, for example 9x8", hexes=hexes
            )
        return grid_of(f"hex-{hexes}", cell=across_mm, grain=grain)

    def count_lines(size: float, first_mm: float, step_mm: float, minimum: int) -> int:
        """Return how many rows or columns of hexes fit ``size`` best, at least ``minimum``.

        The first takes ``first_mm``, each further one ``step_mm``; all are in mm on the board.
        """
        return min(_MOST, max(minimum, round((size - first_mm) / step_mm) + 1))

    # The size of the first column and row of hexes, and of each further one.
    single, lines = HexGrid(1, 1, across_mm, grain), HexGrid(2, 2, across_mm, grain)
    column_step, row_step = (lines.width - single.width), (lines.depth - single.depth)
    columns = count_lines(
        field.board.width, single.width, column_step if grain.startswith("flat") else across_mm, _LEAST[0]
    )
    rows = count_lines(field.board.depth, single.depth, across_mm if grain.startswith("flat") else row_step, _LEAST[1])
    return HexGrid(columns, rows, across_mm, grain)


def _document(
    record: Record,
    system: RuleSystem,
    order: TileContext,
    layout: HexonLayout,
    field: Battlefield,
    cut: Sequence[PaperPiece] = (),
) -> Document:
    """Return the document with the assembly pages of a layout; ``cut`` are its paper overlays.

    ``field`` is the battlefield on the hexes of the layout.
    """
    words = order.words
    handout = HandoutContext.from_record(record, system, order, sheet=order.sheet)
    free = leaflet_area(order.sheet, spread=True)
    drawings = assembly_pages(
        layout,
        free,
        style=order.style,
        words=words,
        title=handout.title,
        stock=order.stock,
        origin=handout.origin,
        players=handout.who,
        pictures=_first_page_pictures(handout, field, layout, cut),
        far_side=order.asked.far_side,
    )
    title = words("hexon.title")
    pages = leaflet_sheets(
        drawings, order.sheet, words=words, bookmark=title, label=title, spread=True, least_pt=order.style.least_pt
    )
    return rules_document(f"{title} – {handout.title}", pages, system.name, words, keywords=("hexon",))


def _make_overlays(
    record: Record, system: RuleSystem, order: TileContext, layout: HexonLayout
) -> tuple[PaperPiece, ...]:
    """Return the paper overlays of a layout.

    Raises:
        UsageError: these tiles need no overlays, or the stock has all of them.
    """
    from printkit.hexon.overlays import draw_overlays

    handout = HandoutContext.from_record(record, system, order, sheet=order.sheet)
    pieces = draw_overlays(layout, handout.map_drafter(), order.words, order.stock)
    if not pieces:
        raise UsageError("--overlays: nothing to cut, because these tiles need no more paper pieces; remove it")
    return pieces


def _cut_document(
    record: Record, system: RuleSystem, order: TileContext, layout: HexonLayout, pieces: Sequence[PaperPiece]
) -> Document:
    """Return the document of paper overlays.

    Raises:
        PageError: the paper is too small for a hex.
    """
    from printkit.hexon.overlays import overlay_pages

    words, handout = order.words, HandoutContext.from_record(record, system, order, sheet=order.sheet)
    pages = overlay_pages(pieces, layout.grid, order.sheet, handout.drafter, words)
    title = words("hexon.overlays.title")
    return rules_document(f"{title} – {handout.title}", pages, system.name, words, keywords=("hexon",))


def _first_page_pictures(
    handout: HandoutContext, field: Battlefield, layout: HexonLayout, cut: Sequence[PaperPiece]
) -> FirstPagePictures:
    """Return the pictures for the first page; ``cut`` are the paper overlays.

    They are functions that draw the map and the legend, and two captions.
    """
    grid, words = layout.grid, handout.words
    strips = sum(bool(piece.strip) for piece in cut)

    def map_(width: float, height: float) -> Drawing:
        """Return a small map of at most ``width`` x ``height`` mm on paper."""
        return small_map(field, width, height, handout.map_drafter())

    def legend(width: float) -> Drawing:
        """Return the legend, ``width`` mm wide on paper."""
        seed = handout.record.seed if handout.show_seed else None
        caption = MapCaption(title=handout.title, subtitle="", seed=seed)
        return legend_sheet(MapLayout(field=field, style=handout.style, words=words, caption=caption), width)

    return FirstPagePictures(
        map=map_,
        legend=legend,
        caption=words("hexon.sheet.map", columns=grid.columns, rows=grid.rows, cell=f"{grid.cell:g}"),
        to_cut=words("hexon.overlays.row", strips=strips, hexes=len(cut) - strips) if cut else "",
    )


# --- The output for each game of a batch: the layout in its formats, and the record -----------------------------------


TILES: Final = "printkit.hexon.job:make_tiles"


def make_tiles(work: Work[TileContext], system: RuleSystem, game: GeneratedGame, delivery: Delivery) -> WorkResult:
    """Write the files of a tile layout, or list the files that would be written; return the result.

    ``delivery`` has the folders and says whether existing files are overwritten. With its ``plan`` nothing is written.

    Raises:
        FileTakenError: a file with other content already exists.
        PageError: the folder cannot be written to.
    """
    order, out, force = work.order, delivery.folder / work.out, delivery.overwrites(game.record.seed)
    with hexon_files(game.record, out, order, count=work.count, force=force, plan=delivery.plan) as target:
        job = make_hexon_job(game, system, order, target)
        shown_job = replace(job, files={}) if delivery.shown_folder == STREAM else job
        lines = tuple(job_report(game, shown_job, delivery.shown_folder, order.words.each()[0]))
        if delivery.plan:
            return WorkResult(said=lines)
        delivery.begin_writing(order.asked.to)
        force = target.may_replace or force
        paths = write_folder(job.files, delivery.folder, staging_folder=delivery.staging_folder, force=force)
    notes = replacing_lines(game.record, is_replacing=target.is_replacing)
    files = tuple(path.relative_to(delivery.folder).as_posix() for path in paths)
    return WorkResult(messages=(*lines, *notes), files=files)


def tile_bytes(work: Work[TileContext], system: RuleSystem, game: GeneratedGame) -> bytes:
    """Return the content of the first file of a tile layout, for standard output."""
    with hexon_files(game.record, work.out, work.order, plan=True) as target:
        return file_bytes(next(iter(make_hexon_job(game, system, work.order, target).files.values())))
