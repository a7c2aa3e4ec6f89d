"""Write the files of a printed map, all or none, and format the messages about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from printkit.core.errors import Sentence, UsageError, joined, typed_path
from printkit.export.files import file_name
from printkit.export.placing import commit_files
from printkit.export.writers import PAGES, RECORDS, FieldShow, PageWriter, RecordedField
from printkit.options.table import words_of
from printkit.page.sheet import Document
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.prints.file_names import document_stem, stem
from printkit.recipes.prints.maps import MapContext, MapSummary
from printkit.terrain.field.record import Record, write

STREAM = Path("-")  # the path that means standard output


class BesideMap(Struct, frozen=True, kw_only=True):
    """Further files next to a map and its record.

    ``sheets`` are documents by file name without suffix. ``plan`` is the assembly plan, a separate file for each format
    of the map. ``notes`` are private texts by file name; they are written before the record.
    """

    sheets: Mapping[str, Document] = {}
    notes: Mapping[str, str] = {}
    plan: Document | None = None


_NOTHING: Final = BesideMap()


_SHOWN: Final = FieldShow()


class WrittenMap(Struct, frozen=True):
    """The files of a printed map in order; ``record`` is the one with the record of the battlefield."""

    files: tuple[Path, ...]
    record: Path


def write_map(
    document: Document | None,
    record: Record,
    formats: Sequence[str],
    to: Path,
    *,
    within: Path | None = None,
    force: bool = False,
    beside: BesideMap = _NOTHING,
    show: FieldShow = _SHOWN,
) -> WrittenMap:
    """Write the sheets and the record under the name ``to``; return the files.

    Incomplete files are in the folder ``within`` on the same disk, or if None next to their final paths.

    Args:
        document: the sheets; None if no format needs them.
        record: the record of the battlefield.
        formats: the formats of the sheets, also of those in ``beside``.
        to: the folder, and the name without suffix.
        within: see ``commit_files``.
        force: see ``commit_files``.
        beside: further files.
        show: options for the formats of other programs.

    Raises:
        PageError: the folder cannot be created or written to.
        TakenError: a file already exists with other content, and ``force`` is not set.
    """

    def make(unfinished: Path) -> Iterator[Path]:
        for name, text in beside.notes.items():
            path = unfinished / file_name(name)
            path.write_text(text, encoding="utf-8", newline="\n")
            yield path
        for name in dict.fromkeys((*(each for each in formats if each in PAGES), "json", *formats)):
            if document is not None and name in PAGES:
                yield from PAGES[name](document, unfinished / f"{file_name(to.name)}.{name}")
            else:
                written = record_files(name, record, to, show)
                for ending, data in zip(RECORDS[name].endings, written, strict=True):
                    path = unfinished / f"{file_name(to.name)}.{ending}"
                    path.write_bytes(data)
                    yield path
        for name, sheets in beside.sheets.items():
            for ending in [each for each in formats if each in PAGES] or ["pdf"]:
                yield from PAGES[ending](sheets, unfinished / f"{file_name(name)}.{ending}")
        if beside.plan is not None:
            for ending in (each for each in formats if each in PAGES):
                yield from PAGES[ending](beside.plan, unfinished / f"{_plan_name(to)}.{ending}")

    files = commit_files(make, to.parent, within=within, force=force, private=beside.notes)
    name = f"{file_name(to.name)}.{RECORDS['json'].endings[0]}"
    return WrittenMap(files, next(path for path in files if path.name == name))


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

    The ``plan`` becomes a separate file for each format.

    Raises:
        PageError: the folder cannot be created or written to.
        TakenError: a file already exists with other content, and ``force`` is not set.
    """
    to = document_stem(name, out)

    def make(unfinished: Path) -> Iterator[Path]:
        for ending in formats:
            yield from writers[ending](document, unfinished / f"{file_name(to.name)}.{ending}")
            if plan is not None:
                yield from writers[ending](plan, unfinished / f"{_plan_name(to)}.{ending}")

    return commit_files(make, to.parent, force=force)


def judge_bleed(order: MapContext, formats: Sequence[str]) -> None:
    """Reject a bleed in formats without a trim box.

    Raises:
        UsageError: the map has a bleed, and a page format other than PDF is selected.
    """
    for name in formats:
        if order.bleed and name in PAGES and name != "pdf":
            raise UsageError(
                "--bleed needs the page boxes of a PDF; {name} does not have them, so remove --to {name}", name=name
            )


def _plan_name(to: Path) -> str:
    """Return the file name, without suffix, of the separate assembly plan of a map."""
    return file_name(f"{to.name}-plan")


def outside_lines(outside: Sequence[str]) -> Iterator[str]:
    """Yield a warning if the printer cannot print everything on the sheets ``outside``."""
    if outside:
        yield Sentence(
            "  the printer cannot reach everything on {outside}; use a wider --margin or larger paper",
            outside=", ".join(outside),
        )


def record_files(name: str, record: Record, to: Path, show: FieldShow = _SHOWN) -> tuple[bytes, ...]:
    """Return the files of a record in a format of ``RECORDS``, for a path without suffix."""
    field = RecordedField(write(record), file_name(to.name), to.parent, **asdict(show))
    return RECORDS[name].write(field)


def record_bytes(name: str, record: Record, show: FieldShow = _SHOWN) -> bytes:
    """Return the one file of a record in a format of ``RECORDS``, for standard output.

    Raises:
        UsageError: the format has several files.
    """
    if len(RECORDS[name].endings) > 1:
        raise UsageError("--out - writes a single file, but {name} has several; name a folder", name=name)
    (data,) = record_files(name, record, STREAM, show)
    return data


def document_bytes(document: Document, name: str) -> bytes:
    """Return sheets for standard output.

    Raises:
        UsageError: the format is not PDF.
    """
    if name != "pdf":
        *most, last = ("pdf", *RECORDS)
        raise UsageError(
            "--out - writes {formats} or {last}; {name} needs a file", formats=", ".join(most), last=last, name=name
        )
    from printkit.export.pdf import data

    return data(document)


def plan_lines(
    game: GeneratedGame,
    order: MapContext,
    planned: MapSummary | None,
    formats: Sequence[str],
    out: Path,
    count: int,
    *,
    ink: float,
) -> Iterator[str]:
    """Yield the lines of ``--plan``: what would be printed and written. ``ink`` is the covered share, 0 to 1."""
    record = game.record
    title, sheets = record.battlefield.title, _sheets(planned, order)
    named = title if record.seed is None else Sentence("{title}, seed {seed}", title=title, seed=record.seed)
    yield Sentence("{game}: {sheets}", game=named, sheets=sheets)
    if planned is not None:
        if planned.cuts and planned.apart is not None:
            yield Sentence("{cuts} straight cuts; the assembly plan is a separate file", cuts=planned.cuts)
        elif planned.cuts and not planned.reprinted:
            cuts = planned.cuts
            yield Sentence("{cuts} straight cuts; the first sheet is the assembly plan", cuts=cuts)
        yield from saving_lines(planned)
        yield from outside_lines(planned.outside)
        yield Sentence("ink: covers about {ink:.0f} % of the sheets", ink=100 * ink)
    if out == STREAM:
        yield Sentence("would write {format} to standard output", format=formats[0])
        return
    if record.seed is not None and planned is not None:
        yield Sentence(
            "to print this battlefield, run the command again with --seed {seed} and without --plan", seed=record.seed
        )
    to = stem(record, out, count, order)
    yield from would_write(to.with_name(f"{to.name}.{name}") for name in _endings(formats))
    if planned is not None and planned.apart is not None:
        yield from would_write(to.with_name(f"{_plan_name(to)}.{name}") for name in formats if name in PAGES)


def told_title(record: Record) -> str | Sentence:
    """Return the title of a game for messages, with its seed if it has one."""
    title = record.battlefield.title
    return title if record.seed is None else Sentence("{title} (seed {seed})", title=title, seed=record.seed)


def files_of(name: str, formats: Sequence[str], out: Path) -> Iterator[Path]:
    """Yield the paths of the files under a name, one for each format."""
    to = document_stem(name, out)
    return (to.with_name(f"{to.name}.{name}") for name in formats)


def would_write(paths: Iterable[Path]) -> Iterator[str]:
    """Yield one line for each file that would be written."""
    return (Sentence("would write {path}", path=path) for path in paths)


def anew_lines(game: GeneratedGame) -> Iterator[str]:
    """Yield the notices about a game: stages with new rolls, stages without rolls, and warnings of the rules."""
    for stage in game.changed_stages:
        yield Sentence("  stage {stage!r}: features that no longer fit were dropped or rolled again", stage=stage)
    for stage in game.idle:
        yield Sentence("  stage {stage!r} has no rolls in this game, so nothing changed", stage=stage)
    yield from (Sentence("  {warning}", warning=warning) for warning in game.warnings)


def report_lines(
    game: GeneratedGame, order: MapContext, planned: MapSummary | None, written: WrittenMap
) -> Iterator[str]:
    """Yield the report on a printed map: its sheets, its files, and notices."""
    record = game.record
    yield Sentence("{game}: {sheets}", game=told_title(record), sheets=_sheets(planned, order))
    yield from (f"  {path}" for path in written.files)
    if planned is not None:
        if planned.dropped and not planned.reprinted:
            yield Sentence("  left out because they would be empty: {sheets}", sheets=", ".join(planned.dropped))
        yield from saving_lines(planned)
        yield from outside_lines(planned.outside)
    yield from anew_lines(game)
    if planned is not None:
        at = Sentence("at 100 % (actual size)") if order.scale == 1.0 else Sentence("without scaling")
        yield Sentence(
            "  Print {at}. To print this battlefield again: {command}",
            at=at,
            command=f"printkit map --from {' '.join(map(typed_path, (str(written.record), *words_of(order.asked))))}",
        )


def saving_lines(planned: MapSummary) -> Iterator[str]:
    """Yield the sheets without terrain features, and a change that needs fewer sheets."""
    if planned.reprinted:
        return
    if planned.bare and planned.skipped:
        yield Sentence("  left out because they have no terrain features: {sheets}", sheets=", ".join(planned.bare))
    elif planned.bare:
        yield Sentence(
            "  no terrain features: {sheets}; --skip-bare leaves out such sheets", sheets=", ".join(planned.bare)
        )
    if (saving := planned.saving) is not None:
        yield Sentence(
            "  {sheets} sheets instead of {instead_of} with {change}",
            sheets=saving.sheets,
            instead_of=saving.instead_of,
            change=saving.change,
        )


def _endings(formats: Sequence[str]) -> tuple[str, ...]:
    """Return the suffixes of all files: the sheets, then the record, which is always written."""
    sheets = tuple(name for name in formats if name in PAGES)
    records = (ending for name in ("json", *formats) if name in RECORDS for ending in RECORDS[name].endings)
    return tuple(dict.fromkeys((*sheets, *records)))


def _sheets(planned: MapSummary | None, order: MapContext) -> Sentence:
    """Return the printed sheets in words."""
    if planned is None and order.pixels is not None:
        return Sentence("a picture of the board only")
    if planned is None:
        return Sentence("the record only, without sheets")
    if planned.reprinted:
        return Sentence(
            "{sheets} printed again, out of {count}",
            sheets=", ".join(planned.reprinted),
            count=counted_sheets(planned.pages, order.sheet.name),
        )
    return joined([_map_sheets(planned, order), *_beside(planned, order)])


def _map_sheets(planned: MapSummary, order: MapContext) -> Sentence:
    """Return the sheets of the map in words."""
    name, sheet = order.sheet.name, planned.sheet
    if planned.zones:
        return Sentence("{zones} at {ratio}", zones=_zones(planned, order), ratio=planned.ratio)
    if planned.columns * planned.rows == 1:
        return Sentence(
            "1 sheet ({name}, {width:.1f} x {height:.1f} mm) at {ratio}",
            name=name,
            width=sheet.width,
            height=sheet.height,
            ratio=planned.ratio,
        )
    return Sentence(
        "{count} sheets of {name} ({lies}, {columns} columns by {rows} rows) at {ratio}",
        count=planned.pages,
        name=name,
        lies=lies(planned.sheet.lies),
        columns=planned.columns,
        rows=planned.rows,
        ratio=planned.ratio,
    )


def _beside(planned: MapSummary, order: MapContext) -> Iterator[Sentence]:
    """Yield the additions to the map in words: bleed, key, assembly plan and terrain box list."""
    if order.bleed:
        yield Sentence("{bleed:g} mm of bleed beyond the trim edge", bleed=order.bleed)
    if planned.beside and not planned.zones and not planned.cuts and planned.columns * planned.rows == 1:
        one, more = (
            Sentence("plus 1 page with the key"),
            Sentence("plus {count} pages with the key", count=planned.beside),
        )
        yield one if planned.beside == 1 else more
    elif planned.apart is not None and planned.beside:
        name = planned.apart.pages[0].sheet.name
        yield Sentence("plus {sheets} with the assembly plan", sheets=counted_sheets(planned.beside, name))
    elif planned.beside or planned.zones:
        yield Sentence("plus {count} with the assembly plan", count=planned.beside)
    if planned.listed:
        yield Sentence("plus the terrain box list")


def lies(lying: bool) -> Sentence:
    """Return the orientation of the paper in words."""
    return Sentence("landscape") if lying else Sentence("portrait")


def counted_sheets(count: int, name: str) -> Sentence:
    """Return a count of sheets of a paper in words."""
    one = Sentence("1 sheet of {name}", name=name)
    return one if count == 1 else Sentence("{count} sheets of {name}", count=count, name=name)


def _zones(planned: MapSummary, order: MapContext) -> Sentence:
    """Return the sheets of a map printed by zones in words, with the count for each zone."""
    total, counts = counted_sheets(planned.pages, order.sheet.name), [count for _, count in planned.zones]
    if len(set(counts)) > 1:
        each = joined(Sentence("zone {name}: {count}", name=name, count=count) for name, count in planned.zones)
        return Sentence("{total}, {count} separate zones ({each}),", total=total, count=len(counts), each=each)
    names = ", ".join(name for name, _ in planned.zones)
    alone = Sentence("only zone {name}", name=names)
    return Sentence(
        "{total} ({lies}), {zones}, {count} per zone, {columns} columns by {rows} rows,",
        total=total,
        lies=lies(planned.sheet.lies),
        zones=alone if len(counts) == 1 else Sentence("only zones {names}", names=names),
        count=counts[0],
        columns=planned.columns,
        rows=planned.rows,
    )
