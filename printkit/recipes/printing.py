"""The files of a printed map: their names, writing all of them or none, and what a person is told about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from printkit.errors import PageError, UsageError
from printkit.page.sheet import Document
from printkit.recipes.games import Played
from printkit.recipes.maps import MapSheet, Planned
from printkit.recipes.measures import size_name
from printkit.recipes.writers import FORMATS, RECORDS, WRITERS
from printkit.terrain.record import Record, write

STREAM = Path("-")
"""Where a person wants the file on standard output."""


def stem(record: Record, out: Path, count: int, order: MapSheet | None = None) -> Path:
    """Return folder and name without ending: ``output/brantley-24in-seed7``, or what a person named.

    A gridded board is called by its areas: ``output/portable-1-hex-9x8-100mm-seed7``. What is printed zone by zone
    says so, or says which, so that a zone printed again does not take the place of the whole map.

    Args:
        record: the game, which names its files by rules, size and seed.
        out: a folder, or a file with the ending of a format.
        count: how many games are printed; several get their seeds into the name that a person gave.
        order: how the map is printed.
    """
    size = size_name(record.battlefield.board)
    if (grid := record.battlefield.grid) is not None:
        size = f"{grid.name}-{grid.cell:g}mm"
    seed = "drawn" if record.seed is None else f"seed{record.seed}"
    if out.suffix.lower().lstrip(".") in FORMATS:
        return out.with_name(out.stem if count == 1 else f"{out.stem}-{seed}")
    again = "".join(f"-{stage}{number}" for stage, number in sorted(record.reseeded.items()))
    box = "-box" if record.box else ""
    zones = ""
    if order is not None and order.by_zone:
        zones = f"-zone-{'-'.join(order.only)}" if order.only else "-zones"
    return out / f"{record.rules}-{size}-{seed}{again}{box}{zones}"


def write_map(document: Document, record: Record, formats: Sequence[str], to: Path) -> tuple[Path, ...]:
    """Write the sheets, and the record beside them, under the name ``to``; return the files.

    Raises:
        PageError: the folder cannot be made or written to.
    """
    return _written(document, write(record), _endings(formats), to)


def write_document(document: Document, name: str, formats: Sequence[str], out: Path) -> tuple[Path, ...]:
    """Write sheets that have no record, into a folder under ``name`` or to the file that a person named.

    Raises:
        PageError: the folder cannot be made or written to.
    """
    return _written(document, "", formats, document_stem(name, out))


def document_stem(name: str, out: Path) -> Path:
    """Return folder and name without ending of sheets that have no record, or what a person named."""
    return out.with_name(out.stem) if out.suffix.lower().lstrip(".") in WRITERS else out / name


def outside_lines(outside: Sequence[str]) -> Iterator[str]:
    """Yield what a person must know where something lies beyond the reach of his printer."""
    if outside:
        yield f"  the printer does not reach everything on {', '.join(outside)}; give a wider --margin or larger paper"


def _written(document: Document, record: str, endings: Sequence[str], to: Path) -> tuple[Path, ...]:
    """Write a file for each ending.

    Files take their places only when all of them are complete. After an error, or Ctrl-C, those that were there before
    are as they were.
    """
    folder = to.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".printkit-") as unfinished:
            parts: list[Path] = []
            for name in endings:
                path = Path(unfinished) / f"{to.name}.{name}"
                if name in WRITERS:
                    parts += WRITERS[name](document, path)
                else:
                    path.write_text(record, encoding="utf-8", newline="\n")
                    parts.append(path)
            return tuple(part.replace(folder / part.name) for part in parts)
    except OSError as error:
        raise PageError(f"cannot write into {folder}: {error.strerror or error}; give another --out") from None


def as_bytes(document: Document, record: Record, name: str) -> bytes:
    """Return the one file that goes to standard output.

    Raises:
        UsageError: the format has a file a page.
    """
    return write(record).encode() if name in RECORDS else document_bytes(document, name)


def document_bytes(document: Document, name: str) -> bytes:
    """Return sheets for standard output.

    Raises:
        UsageError: the format has a file a page.
    """
    if name != "pdf":
        raise UsageError(f"--out - writes pdf, json or geojson; {name} needs a file")
    from printkit.export.pdf import data

    return data(document)


def plan_lines(
    game: Played, order: MapSheet, planned: Planned, formats: Sequence[str], out: Path, count: int, *, ink: float
) -> Iterator[str]:
    """Yield what would be printed and written; ``ink`` is the share of the sheets that it takes."""
    record = game.record
    yield f"{record.battlefield.title}, seed {record.seed}: {_sheets(planned, order)}"
    if planned.cuts:
        yield f"{planned.cuts} straight cuts; the assembly plan comes first on a sheet of its own"
    yield from outside_lines(planned.outside)
    yield f"ink: {100 * ink:.0f} % of the sheets"
    if out == STREAM:
        yield f"would write {formats[0]} to standard output"
        return
    to = stem(record, out, count, order)
    yield from (f"would write {to.with_name(f'{to.name}.{name}')}" for name in _endings(formats))


def report_lines(game: Played, order: MapSheet, planned: Planned, written: Sequence[Path]) -> Iterator[str]:
    """Yield what was printed and written, and what the person should know about it."""
    record = game.record
    yield f"{record.battlefield.title} (seed {record.seed}): {_sheets(planned, order)}"
    yield from (f"  {path}" for path in written)
    if planned.dropped:
        yield f"  left out because they would be empty: {', '.join(planned.dropped)}"
    yield from outside_lines(planned.outside)
    for stage in game.renewed:
        yield f"  stage {stage!r} fits the others no longer and was thrown anew"
    yield from (f"  {warning}" for warning in game.warnings)


def _endings(formats: Sequence[str]) -> tuple[str, ...]:
    """Return the endings of all files: the sheets, then the record, which is never left out."""
    sheets = (name for name in formats if name in WRITERS)
    return tuple(dict.fromkeys((*sheets, "json", *formats)))


def _sheets(planned: Planned, order: MapSheet) -> str:
    sheet = planned.sheet
    listed = ", and the list of the terrain box" if planned.listed else ""
    if planned.zones:
        return f"{_zones(planned, order)} at {planned.ratio}, and {planned.beside} with the plan{listed}"
    if planned.columns * planned.rows == 1:
        size = f"{sheet.width:.1f} x {sheet.height:.1f} mm"
        told = f", and {planned.beside} with the plan" if planned.cuts else ", the key on a page behind it"
        beside = told if planned.beside else ""
        return f"1 sheet {order.sheet.name} ({size}) at {planned.ratio}{beside}{listed}"
    turned = "lying" if planned.lies else "upright"
    tiles = f"{planned.columns} columns by {planned.rows} rows"
    beside = f", and {planned.beside} with the plan" if planned.beside else ""
    return f"{planned.pages} sheets {order.sheet.name} {turned}, {tiles}, at {planned.ratio}{beside}{listed}"


def _zones(planned: Planned, order: MapSheet) -> str:
    """Return the sheets of a map that is printed zone by zone, with what each zone takes."""
    counts = [count for _, count in planned.zones]
    total = f"{planned.pages} {'sheet' if planned.pages == 1 else 'sheets'} {order.sheet.name}"
    if len(set(counts)) > 1:
        each = ", ".join(f"zone {name}: {count}" for name, count in planned.zones)
        return f"{total}, {len(counts)} zones by themselves ({each}),"
    turned = "lying" if planned.lies else "upright"
    tiles = f"{counts[0]} a zone, {planned.columns} columns by {planned.rows} rows"
    names = ", ".join(name for name, _ in planned.zones)
    word = "zone" if len(counts) == 1 else "zones"
    return f"{total} {turned}, {word} {names} by {'itself' if len(counts) == 1 else 'themselves'}, {tiles},"
