"""The same display list on the same sheets by printkit and by other libraries; and its tiling against pdfposter."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import ratio
from benchmarks.processes import FLOOR, Command, FailedError, MissingError, Runs, child, interleaved, once
from benchmarks.sections import Effort, Section
from benchmarks.subjects.commands import SEED
from benchmarks.tables import table

DPI = "50"

PEERS = (
    ("reportlab canvas, whole map on each sheet", "reportlab_naive", "reportlab"),
    ("reportlab canvas, what a sheet shows", "reportlab_canvas", "reportlab"),
    ("pycairo", "cairo_context", "pycairo"),
    ("matplotlib", "matplotlib_figure", "matplotlib"),
    ("fpdf2", "fpdf2_paths", "fpdf2"),
)
"""Name, module of ``benchmarks.peers``, and the package it needs."""

NAIVE = "reportlab_naive"
"""The slowest of all, without which a quick run does."""

POSTER = "import sys; from pdfposter.cmd import run; sys.exit(run())"


def peers(effort: Effort) -> Section:
    """Draw twelve sheets with each library, and compare the pictures dot by dot."""
    with TemporaryDirectory() as folder:
        kept = Path(folder) / "display-list"
        sheets = once(_kept("display list", kept, "a4")).said.strip()
        drawn: list[tuple[str, str, Command]] = []
        rows: list[tuple[object, ...]] = []
        for name, module, package in PEERS:
            if effort.quick and module == NAIVE:
                rows.append((name, "left out by `--quick`", *[""] * 6))
                continue
            command = child(name, "draw", module, str(kept), f"{folder}/{module}.pdf")
            if (said := _missing(package, partial(once, command))) is None:
                drawn.append((name, package, command))
            else:
                rows.append((name, said, *[""] * 6))
        ours = child("printkit", "draw", "ours", str(kept), f"{folder}/ours.pdf")
        rounds = 1 if effort.quick else effort.long_rounds
        floor, own, *runs = interleaved((FLOOR, ours, *(command for _, _, command in drawn)), rounds, warm=False)
        files = [f"{folder}/{each.command.arguments[2]}.pdf" for each in (own, *runs)]
        apart = [0.0, *json.loads(once(child("compare", "compare", DPI, *files)).said)]
        sizes = [Path(file).stat().st_size / 1e6 for file in files]
        found = [
            _row(each, own, floor, package, size, dots)
            for each, package, size, dots in zip(
                (own, *runs), ("", *(package for _, package, _ in drawn)), sizes, apart, strict=True
            )
        ]
    head = (
        "library",
        "version",
        "x printkit, drawing",
        "drawing, s",
        "x floor, process",
        "peak, MB",
        "PDF, MB",
        "dots apart",
    )
    return Section(
        title="The same display list by others",
        blocks=(
            f"Brantley, 24 in, `campaign`, seed {SEED}, on {sheets} sheets of A4. Each process loads the same display "
            "list from a file and draws the same windows, marks and names; drawing is the time after loading. All but "
            "the first of reportlab leave out what a sheet does not show. The last column is the share of dots, at "
            f"{DPI} an inch, that differ from printkit's sheets by more than a quarter of the scale.",
            table(head, [*found, *rows]),
        ),
    )


def tiling(effort: Effort) -> Section:
    """Tile a map of one sheet with pdfposter, and by printkit from its display list."""
    title = "Tiling against pdfposter"
    with TemporaryDirectory() as folder:
        one, many = Path(folder) / "one", Path(folder) / "many"
        for kept, sheet in ((one, "one"), (many, "a4")):
            once(_kept("display list", kept, sheet))
        whole = f"{folder}/one.pdf"
        once(child("one sheet", "draw", "ours", str(one), whole))
        poster = Command("pdfposter", ("-c", POSTER, "-mA4", "-s1", whole, f"{folder}/poster.pdf"))
        if (said := _missing("pdfposter", lambda: once(poster))) is not None:
            return Section(title=title, blocks=(f"pdfposter: {said}.",))
        ours = child("printkit", "draw", "ours", str(many), f"{folder}/ours.pdf")
        floor, own, other = interleaved((FLOOR, ours, poster), effort.rounds)
        shown = [child("rasterise", "rasterise", "72", f"{folder}/{name}.pdf") for name in ("ours", "poster")]
        seen, seen_other = interleaved(shown, effort.long_rounds)
        sizes = [Path(f"{folder}/{name}.pdf").stat().st_size / 1e6 for name in ("ours", "poster")]
    rows = [
        (name, each.against(own), each.against(floor), f"{each.cpu:.2f}", f"{size:.2f}", f"{dots.cpu:.2f}")
        for name, each, size, dots in (
            ("printkit, drawing and tiling", own, sizes[0], seen),
            (f"pdfposter {version('pdfposter')}, tiling alone", other, sizes[1], seen_other),
        )
    ]
    head = ("process", "x printkit", "x floor", "processor, s", "PDF, MB", "rasterised, s")
    return Section(
        title=title,
        blocks=(
            "pdfposter cuts the finished file of one sheet into A4 without overlap, margins or marks; printkit writes "
            "twelve sheets with all of them from the display list. Rasterised at 72 dots an inch by PDFium.",
            table(head, rows),
        ),
    )


def _kept(name: str, file: Path, sheet: str) -> Command:
    return child(name, "display_list", str(file), "brantley", "24in", "campaign", sheet, SEED)


def _missing(package: str, try_once: Callable[[], object]) -> str | None:
    """Return why a peer cannot be measured, or None where it can; this is also its warm-up."""
    try:
        version(package)
        try_once()
    except (PackageNotFoundError, MissingError):
        return "not installed"
    except FailedError as error:
        return f"failed: {error}"
    return None


def _row(each: Runs, own: Runs, floor: Runs, package: str, size: float, apart: float) -> tuple[object, ...]:
    seconds, base = ([float(run.said.split()[-1]) for run in runs.runs] for runs in (each, own))
    return (
        each.command.name,
        version(package) if package else "",
        ratio(seconds, base),
        f"{sorted(seconds)[len(seconds) // 2]:.2f}",
        each.against(floor),
        f"{each.peak:.0f}",
        f"{size:.2f}",
        f"{100 * apart:.2f} %",
    )
