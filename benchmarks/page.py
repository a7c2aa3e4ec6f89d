"""The page: head, machine, targets, a section for each subject, and the remarks that people have written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Final

from benchmarks.machine import machine_table
from benchmarks.sections import Effort, Section
from benchmarks.tables import table
from benchmarks.targets import targets_table

REMARKS: Final = Path(__file__).with_name("remarks.md")

WIDTH: Final = 120

HEAD: Final = """# Performance

Made by `make bench`; only the remarks at the end are written by hand, in `benchmarks/remarks.md`.

Every figure comes from whole processes, run in turn within one run of the benchmark. A ratio is the median of the
ratios round by round, with the least and the most of them behind it, and compares time of the processor, that of child
processes included. The floor is an interpreter that only imports shapely and reportlab's canvas. Seconds are those of
one machine; ratios travel better."""


def page(sections: Sequence[Section], effort: Effort, load: float | None) -> str:
    """Return the whole page."""
    measured = {key: value for section in sections for key, value in section.measured.items()}
    rounds = f"{effort.rounds} rounds of what takes a second or two, {effort.long_rounds} of what takes longer"
    parts = [
        HEAD,
        f"This run: {rounds}, {effort.count} maps in a batch{'; cut short by `--quick`' if effort.quick else ''}.",
        "## Targets",
        targets_table(measured),
        "## Machine",
        machine_table(load),
    ]
    waits = [(asked, f"{seconds:.2f}") for section in sections for asked, seconds in section.waits.items()]
    if waits:
        told = "Seconds on the clock of this machine, from the command or the press of a button to the end."
        parts += ["## What a person waits for", told, table(("asked for", "s"), waits)]
    for section in sections:
        parts += [f"## {section.title}", *map(_filled, section.blocks)]
    if REMARKS.is_file():
        parts.append(REMARKS.read_text(encoding="utf-8").strip())
    return "\n\n".join(parts) + "\n"


def _filled(block: str) -> str:
    """Return a paragraph in lines of the width of the documents; a table stays as it is."""
    return (
        block if block.startswith(("|", "![")) else fill(block, WIDTH, break_on_hyphens=False, break_long_words=False)
    )


def replace_page(text: str, path: Path, pictures: Mapping[str, str]) -> None:
    """Write the page and its pictures beside their places, then put them there: what is stopped leaves the old ones."""
    for name, picture in pictures.items():
        _replace(picture, path.with_name(name))
    _replace(text, path)


def _replace(text: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
