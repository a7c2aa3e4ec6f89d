"""What a reader or a printer has to do: all sheets of a 6x4 ft table rasterised, against one shared form."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.processes import OUT, Command, FailedError, MissingError, child, interleaved, once
from benchmarks.sections import Effort, Section
from benchmarks.subjects.commands import SEED
from benchmarks.tables import table

DPI = "72"

RENDERERS = (
    ("mutool", ("draw", "-q", "-r", DPI, "-o", f"{OUT}/%d.pam")),
    ("pdftoppm", ("-r", DPI)),
)
"""Programs that are used where they are installed, with what stands before the file; PDFium always is."""


def printing(effort: Effort) -> Section:
    """Rasterise both files with every renderer that is here, and compare their pictures."""
    title = "Rasterising a 6x4 ft table"
    with TemporaryDirectory() as folder:
        kept, files = Path(folder) / "display-list", {name: f"{folder}/{name}.pdf" for name in ("ours", "one_form")}
        sheets = once(child("display list", "display_list", str(kept), "acw", "72x48in", "campaign", "a4", SEED)).said
        for name, file in files.items():
            try:
                once(child(name, "draw", name, str(kept), file))
            except (FailedError, MissingError) as error:
                return Section(title=title, blocks=(f"Not measured: {error}.",))
        commands = [_rendered(name, file) for name in _renderers(effort) for file in files.values()]
        runs = interleaved(commands, 1, warm=False)
        apart = "" if effort.quick else _apart(*files.values())
        sizes = {name: Path(file).stat().st_size / 1e6 for name, file in files.items()}
    rows, factors = [], []
    for own, shared in zip(runs[::2], runs[1::2], strict=True):
        gain = shared.against(own)
        factors.append(gain.middle)
        rows.append((own.command.name, f"{own.cpu:.2f}", f"{shared.cpu:.2f}", gain))
    return Section(
        title=title,
        blocks=(
            f"`acw`, 6x4 ft, `campaign`, {sheets.strip()} sheets of A4 at {DPI} dots an inch, seconds of the "
            "processor. With one shared form every sheet shows the whole map through its window, so each has to work "
            "through all of it. "
            f"Files: {sizes['ours']:.2f} MB, and {sizes['one_form']:.2f} MB with one form.{apart} The target is held "
            "against PDFium, whose version comes with printkit; the others are those of the system, where it has any. "
            "One round, for each takes long.",
            table(("renderer", "printkit, s", "one shared form, s", "times as fast"), rows),
        ),
        measured={"printing": factors[0]},
    )


def _apart(one: str, other: str) -> str:
    """Return how far the pictures of two files differ."""
    (share,) = json.loads(once(child("compare", "compare", "25", one, other)).said)
    return f" {100 * share:.3f} % of the dots differ."


def _renderers(effort: Effort) -> list[str]:
    found = [] if effort.quick else [name for name, _ in RENDERERS if shutil.which(name)]
    return ["PDFium", *found]


def _rendered(name: str, file: str) -> Command:
    if name == "PDFium":
        return child(name, "rasterise", DPI, file)
    before = dict(RENDERERS)[name]
    after = (f"{OUT}/page",) if name == "pdftoppm" else ()
    return Command(name, (*before, file, *after), program=str(shutil.which(name)))
