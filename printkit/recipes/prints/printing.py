"""Write the files of a printed map, all or none, and format the messages about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from printkit.core.errors import FileTakenError, Sentence, UsageError, joined, quote_path
from printkit.export.placing import check_file_name, commit_files
from printkit.export.writers import PAGES, RECORDS, FieldShow, PageWriter, RecordedField
from printkit.options.printing import MapOptions
from printkit.options.table import format_words
from printkit.page.sheet import Document
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.output.printed_files import FilePart
from printkit.recipes.output.report import ACTUAL_SIZE, format_head, format_sheet_count, report_lines
from printkit.recipes.prints.file_names import BattlefieldFiles, document_stem, map_marks
from printkit.recipes.prints.map_plan import MapPlan
from printkit.recipes.prints.maps import PAPER_MAP, MapContext
from printkit.terrain.field.record import Record

STREAM = Path("-")  # the path that means standard output

# The most sheets without terrain features that a report lists.
_LISTED_SHEETS: Final = 12


class AdditionalFiles(Struct, frozen=True, kw_only=True):
    """Further files next to a map and its record.

    ``sheets`` are documents by file name without suffix. ``plan`` is the assembly plan, a separate file for each format
    of the map. ``texts`` are by complete file name.
    """

    sheets: Mapping[str, Document] = {}
    texts: Mapping[str, str] = {}
    plan: Document | None = None


_NO_FILES: Final = AdditionalFiles()


_DEFAULT_SHOW: Final = FieldShow()


class WrittenMap(Struct, frozen=True):
    """The paths of the files of a printed map in order; ``record`` is the one with the record of the battlefield."""

    files: tuple[Path, ...]
    record: Path


def write_map(
    document: Document | None,
    record: Record,
    formats: Sequence[str],
    target: BattlefieldFiles,
    sheets_name: str,
    *,
    staging_folder: Path | None = None,
    force: bool = False,
    additional: AdditionalFiles = _NO_FILES,
    show: FieldShow = _DEFAULT_SHOW,
) -> WrittenMap:
    """Write the sheets and the record of a battlefield; return the files.

    The JSON record is always written. Incomplete files are in the folder ``staging_folder`` on the same disk, or if
    None next to their final paths.

    Args:
        document: the sheets; None if no format needs them.
        record: the record of the battlefield.
        formats: the formats of the sheets, also of those in ``additional``.
        target: the folder, and the names of the record and of files for other programs.
        sheets_name: the name of the sheets without suffix.
        staging_folder: see ``commit_files``.
        force: see ``commit_files``.
        additional: further files.
        show: options for the formats of other programs.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: a file already exists with other content, and ``force`` is not set.
    """

    def make(staging_path: Path) -> Iterator[Path]:
        """Write all files into the staging folder, and yield the path of each.

        The order is pages, the record and other formats, additional sheets, the plan, then additional texts.
        """
        for name in dict.fromkeys((*(form for form in formats if form in PAGES), "json", *formats)):
            if document is not None and name in PAGES:
                yield from PAGES[name](document, staging_path / f"{check_file_name(sheets_name)}.{name}")
            else:
                contents = record_files(name, record, target.folder / target.name, show)
                for ending, data in zip(RECORDS[name].endings, contents, strict=True):
                    path = staging_path / (target.record if name == "json" else f"{target.name}.{ending}")
                    path.parent.mkdir(exist_ok=True)
                    path.write_bytes(data)
                    yield path
        for name, sheets in additional.sheets.items():
            for ending in [form for form in formats if form in PAGES] or ["pdf"]:
                yield from PAGES[ending](sheets, staging_path / f"{check_file_name(name)}.{ending}")
        if additional.plan is not None:
            for ending in (form for form in formats if form in PAGES):
                yield from PAGES[ending](additional.plan, staging_path / f"{plan_file_name(sheets_name)}.{ending}")
        for name, text in additional.texts.items():
            path = staging_path / check_file_name(name)
            path.write_text(text, encoding="utf-8", newline="\n")
            yield path

    force = force or target.may_replace
    files = commit_files(make, target.folder, staging_parent=staging_folder, force=force)
    return WrittenMap(files, target.folder / target.record)


def write_document(
    document: Document,
    name: str,
    formats: Sequence[str],
    out: Path,
    *,
    force: bool = False,
    writers: Mapping[str, PageWriter] = PAGES,
    plan: Document | None = None,
) -> tuple[Path, ...]:
    """Write sheets without a record, into a folder under ``name`` or to the file of the user; return the files.

    If the folder has other files with the name, it ends in ``-2``, ``-3`` and so on.

    Args:
        document: the sheets.
        name: the name of the files without suffix, used if ``out`` is a folder.
        formats: the formats to write, keys of ``writers``.
        out: the folder, or the user's file.
        force: overwrite existing files.
        writers: the function that writes each format.
        plan: a separate assembly plan, which becomes a separate file for each format; None without one.

    Raises:
        PageError: the folder cannot be created or written to.
        FileTakenError: the file of the user already exists with other content, and ``force`` is not set.
    """
    target = document_stem(name, out)
    for number in count(1):
        stem = check_file_name(target.name if number == 1 else f"{target.name}-{number}")
        try:
            return commit_files(
                partial(_write_sheets, stem, document, formats, writers, plan), target.parent, force=force
            )
        except FileTakenError:
            if target.parent != out:
                raise
    raise AssertionError


def _write_sheets(
    name: str,
    document: Document,
    formats: Sequence[str],
    writers: Mapping[str, PageWriter],
    plan: Document | None,
    folder: Path,
) -> Iterator[Path]:
    """Write sheets and their plan under a name into a folder, and yield the path of each file."""
    for ending in formats:
        yield from writers[ending](document, folder / f"{name}.{ending}")
        if plan is not None:
            yield from writers[ending](plan, folder / f"{plan_file_name(name)}.{ending}")


def map_parts(plan: MapPlan, name: str, plan_name: str, *, texts: tuple[str, str] = ("", "")) -> Iterator[FilePart]:
    """Yield the sheets of a map as a part, and its assembly plan if that is a separate document.

    ``name`` and ``plan_name`` are their paths, and ``texts`` their descriptions.
    """
    document = plan.document
    sheets = len(document.pages)
    yield FilePart(
        name=name,
        kind="map",
        description=texts[0],
        document=document,
        cuts=plan.cuts,
        joints=len(plan.reprinted_sheets) or plan.pages - 1,
        bare=() if plan.skips_empty else plan.empty_sheets,
        # On a single sheet these pages are the key of the map.
        plan_sheets=sheets - plan.pages if plan.cuts and sheets == plan.pages + plan.additional_pages else 0,
    )
    if plan.separate_document is not None:
        yield FilePart(name=plan_name, kind="map-plan", description=texts[1], document=plan.separate_document)


def validate_bleed(order: MapContext, formats: Sequence[str]) -> None:
    """Reject a bleed in formats without a trim box.

    Raises:
        UsageError: the map has a bleed, and a page format other than PDF is selected.
    """
    for name in formats:
        if order.bleed and name in PAGES and name != "pdf":
            raise UsageError(
                "--bleed needs the page boxes of a PDF; {name} does not have them, so remove --to {name}", name=name
            )


def plan_file_name(sheets_name: str) -> str:
    """Return the file name, without suffix, of the separate assembly plan of a map."""
    return check_file_name(f"{sheets_name}-plan")


def map_tails(order: MapContext, formats: Sequence[str], kind: str = "") -> tuple[str, ...]:
    """Return the ends of the file names of a map after the name of its battlefield, for example ``-a4.pdf``.

    ``kind`` is that of ``map_marks``.
    """
    marks = "-".join(("", *map_marks(order, kind)))
    sheets = (f"{marks}.{name}" for name in formats if name in PAGES)
    others = (RECORDS[name].endings for name in formats if name in RECORDS and name != "json")
    return (*sheets, *(f".{ending}" for endings in others for ending in endings))


def outside_lines(outside: Sequence[str]) -> Iterator[str]:
    """Yield a warning if the printer cannot print everything on the sheets ``outside``."""
    if outside:
        yield Sentence(
            "The printer cannot reach everything on {outside}. Use a wider --margin or larger paper.",
            outside=", ".join(outside),
        )


def record_files(name: str, record: Record, target: Path, show: FieldShow = _DEFAULT_SHOW) -> tuple[bytes, ...]:
    """Return the bytes of each file of a record in the format ``name``, for a path without suffix.

    ``name`` is a key of ``RECORDS``.
    """
    field = RecordedField(record, check_file_name(target.name), target.parent, **asdict(show))
    return RECORDS[name].write(field)


def record_bytes(name: str, record: Record, show: FieldShow = _DEFAULT_SHOW) -> bytes:
    """Return the one file of a record in the format ``name``, for standard output.

    ``name`` is a key of ``RECORDS``.

    Raises:
        UsageError: the format has several files.
    """
    if len(RECORDS[name].endings) > 1:
        raise UsageError("--out - writes a single file, but {name} has several; name a folder", name=name)
    (data,) = record_files(name, record, STREAM, show)
    return data


def document_bytes(document: Document, name: str) -> bytes:
    """Return sheets as the bytes of a PDF for standard output.

    ``name`` is the name of the format.

    Raises:
        UsageError: the format is not PDF.
    """
    if name != "pdf":
        *others, last = ("pdf", *RECORDS)
        raise UsageError(
            "--out - writes {formats} or {last}; {name} needs a file", formats=", ".join(others), last=last, name=name
        )
    from printkit.export.pdf import data

    return data(document)


def planned_files(
    target: BattlefieldFiles, sheets_name: str, formats: Sequence[str], plan: MapPlan | None
) -> WrittenMap:
    """Return the files that ``write_map`` would write, one for each format of the sheets."""
    endings = dict.fromkeys(ending for name in formats if name in RECORDS for ending in RECORDS[name].endings)
    pages = [name for name in formats if name in PAGES]
    names = [f"{sheets_name}.{name}" for name in pages]
    names += [target.record, *(f"{target.name}.{ending}" for ending in endings if ending != "json")]
    if plan is not None and plan.separate_document is not None:
        names += [f"{plan_file_name(sheets_name)}.{name}" for name in pages]
    return WrittenMap(tuple(target.folder / name for name in names), target.folder / target.record)


def list_files(name: str, formats: Sequence[str], out: Path) -> Iterator[Path]:
    """Yield the paths of the files under a name, one for each format."""
    target = document_stem(name, out)
    return (target.with_name(f"{target.name}.{name}") for name in formats)


def game_notices(game: GeneratedGame) -> Iterator[str]:
    """Yield the notices about a game: stages with new rolls, stages without rolls, and warnings of the rules."""
    for stage in game.renewed:
        yield Sentence("stage {stage!r}: features that no longer fit were dropped or rolled again", stage=stage)
    for stage in game.idle:
        yield Sentence("stage {stage!r} has no rolls in this game, so nothing changed", stage=stage)
    yield from game.warnings


def map_report(
    game: GeneratedGame,
    order: MapContext,
    plan: MapPlan | None,
    parts: Sequence[FilePart],
    map_files: WrittenMap,
    *,
    title: str = "",
    is_plan: bool = False,
    steps: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the report on a map: what it takes, its files, notices, ``steps``, and the command that prints it again.

    Args:
        game: the game.
        order: the print context.
        plan: the plan of the map; None without sheets.
        parts: the documents to print.
        map_files: the files.
        title: what it is, by default the title of the battlefield.
        is_plan: whether the files would be written.
        steps: what to do next, before printing the map again.
    """
    title = title or game.record.battlefield.title
    notes = list(game_notices(game))
    # The command that prints the map again names the record.
    paths = [path for path in map_files.files if path != map_files.record or len(map_files.files) == 1]
    rows: list[list[str | Path]] = [[path] for path in paths]
    if plan is None:
        detail = (
            Sentence("a picture of the board only") if order.pixels else Sentence("the record only, without sheets")
        )
        head = Sentence("{title}: {work}.", title=title, work=detail)
    else:
        head = format_head(title, parts, is_plan=is_plan)
        first_sheets = next(row for row, path in zip(rows, paths, strict=True) if path.suffix[1:] in (*PAGES, ""))
        first_sheets.append(describe_map(plan, order))
        if plan.dropped and not plan.reprinted_sheets:
            notes.append(Sentence("Left out because they would be empty: {sheets}.", sheets=", ".join(plan.dropped)))
        notes += [*saving_lines(plan), *outside_lines(plan.clipped_pages)]
        if not is_plan:
            notes = [ACTUAL_SIZE, *notes]
            command = _print_command(map_files.record, order.asked)
            steps = (*steps, Sentence("Print it again: {command}", command=command))
    return report_lines(head, rows, notes, steps)


def build_report(
    game: GeneratedGame, order: MapContext, title: str, part: FilePart, files: WrittenMap, *, is_plan: bool
) -> Iterator[str]:
    """Yield the report on the plan that replaces a map, or comes before it: the paper, the files, and notices.

    Without the map it ends with the command that prints both.
    """
    rows = [[path] for path in files.files if path != files.record]
    if PAPER_MAP in order.asked.wanted:
        return report_lines(format_head(title, [part], is_plan=is_plan), rows)
    command = _print_command(files.record, replace(order.asked, wanted=(PAPER_MAP,)))
    steps = [] if is_plan else [Sentence("For the paper map as well: {command}", command=command)]
    return report_lines(format_head(title, [part], is_plan=is_plan), rows, game_notices(game), steps)


def _print_command(record: Path, options: MapOptions) -> str:
    """Return the command that prints a record with these options."""
    return (
        f"printkit map --from {' '.join(map(quote_path, (str(record), *format_words(replace(options, force=False)))))}"
    )


def replacing_lines(record: Record, *, is_replacing: bool) -> Iterator[str]:
    """Yield a line if files replace those of an earlier print of the same battlefield."""
    if is_replacing:
        title = record.battlefield.title or record.rules
        yield Sentence("Replaces the earlier print of {title}.", title=title)


def saving_lines(plan: MapPlan) -> Iterator[str]:
    """Yield the sheets without terrain features, and a change that needs fewer sheets.

    Nothing for sheets that are printed again.
    """
    if plan.reprinted_sheets:
        return
    names, count = ", ".join(plan.empty_sheets), len(plan.empty_sheets)
    if count and plan.skips_empty:
        yield Sentence("Left out because they have no terrain features: {sheets}.", sheets=names)
    elif count == 1:
        yield Sentence("Sheet {sheet} has no terrain features; --skip-bare leaves it out.", sheet=names)
    elif count:
        several = Sentence("{count} sheets", count=count)
        sheets = Sentence("Sheets {names}", names=names) if count <= _LISTED_SHEETS else several
        yield Sentence("{sheets} have no terrain features; --skip-bare leaves them out.", sheets=sheets)
    if (saving := plan.saving) is not None:
        yield Sentence(
            "{sheets} sheets instead of {instead_of} with {change}.",
            sheets=saving.sheets,
            instead_of=saving.instead_of,
            change=saving.change,
        )


def describe_map(plan: MapPlan, order: MapContext) -> Sentence:
    """Return the printed sheets in words: their layout, the scale unless it is 1:1, and the additions to the map."""
    if plan.reprinted_sheets:
        return Sentence(
            "{sheets} printed again, out of {count}",
            sheets=", ".join(plan.reprinted_sheets),
            count=format_sheet_count(plan.pages, plan.sheet),
        )
    parts = list(_describe_zones(plan) if plan.zone_pages else _describe_layout(plan))
    if plan.ratio != "1:1" or plan.columns * plan.rows == 1:
        parts.append(Sentence("at {ratio}", ratio=plan.ratio))
    return joined([*parts, *_describe_additions(plan, order)])


def _describe_layout(plan: MapPlan) -> Iterator[Sentence]:
    """Yield the sheets of a map, and their arrangement if there are several."""
    orientation = format_orientation(plan.sheet.is_landscape)
    if plan.columns * plan.rows > 1:
        yield Sentence(
            "{count} map sheets ({orientation}, {columns} x {rows})",
            count=plan.pages,
            orientation=orientation,
            columns=plan.columns,
            rows=plan.rows,
        )
    else:
        yield Sentence("{width:.1f} x {height:.1f} mm", width=plan.sheet.width, height=plan.sheet.height)


def _describe_additions(plan: MapPlan, order: MapContext) -> Iterator[Sentence]:
    """Yield the additions to the map in words: bleed, key, assembly plan and terrain box list.

    Those that the map does not have are left out.
    """
    if order.bleed:
        yield Sentence("{bleed:g} mm of bleed beyond the trim edge", bleed=order.bleed)
    if plan.additional_pages or plan.zone_pages:
        has_key = not plan.zone_pages and not plan.cuts and plan.columns * plan.rows == 1
        count = plan.additional_pages
        if has_key:
            yield Sentence("1 page with the key") if count == 1 else Sentence("{count} pages with the key", count=count)
        elif plan.separate_document is not None:
            sheets = format_sheet_count(count, plan.separate_document.pages[0].sheet)
            yield Sentence("{sheets} with the assembly plan", sheets=sheets)
        else:
            single = Sentence("the assembly plan")
            yield single if count == 1 else Sentence("{count} sheets with the assembly plan", count=count)
    if plan.box_pages:
        yield Sentence("the terrain box list")


def format_orientation(is_landscape: bool) -> Sentence:
    """Return the orientation of the paper in words."""
    return Sentence("landscape") if is_landscape else Sentence("portrait")


def _describe_zones(plan: MapPlan) -> Iterator[Sentence]:
    """Yield the sheets of a map printed by zones in words, with the count for each zone."""
    counts = [count for _, count in plan.zone_pages]
    if len(set(counts)) > 1:
        zone_counts = joined(
            Sentence("zone {name}: {count}", name=name, count=count) for name, count in plan.zone_pages
        )
        yield Sentence("{count} separate zones ({each})", count=len(counts), each=zone_counts)
        return
    names = ", ".join(name for name, _ in plan.zone_pages)
    yield Sentence("only zone {name}", name=names) if len(counts) == 1 else Sentence("only zones {names}", names=names)
    yield Sentence(
        "{count} per zone, {orientation}, {columns} x {rows}",
        count=counts[0],
        orientation=format_orientation(plan.sheet.is_landscape),
        columns=plan.columns,
        rows=plan.rows,
    )
