"""Runs the benchmarks and writes output/bench/performance.md.

A whole run replaces the page when all of it is done. A quick or a partial one goes to standard output, unless a page is
named.

    python -m benchmarks.run [--quick] [--only SUBJECT ...] [--count MAPS] [--page FILE]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.machine import load
from benchmarks.page import page, replace_page
from benchmarks.processes import ROOT
from benchmarks.sections import Effort, Section, Subject
from benchmarks.subjects import batch, boards, commands, mats, peers, printing, stages, studio

PAGE: Final = ROOT / "output" / "bench" / "performance.md"

SUBJECTS: Final[Mapping[str, Subject]] = {
    "start": commands.start,
    "desk": commands.desk,
    "maps": commands.maps,
    "boards": boards.boards,
    "memory": boards.memory,
    "mats": mats.mats,
    "nights": commands.nights,
    "batch": batch.batch,
    "stages": stages.stages,
    "linearity": stages.linearity,
    "peers": peers.peers,
    "tiling": peers.tiling,
    "printing": printing.printing,
    "hexon": commands.hexon,
    "studio": studio.studio,
}
"""In the order of the page."""

WHOLE: Final = Effort(rounds=5, long_rounds=2, count=40, quick=False)
QUICK: Final = Effort(rounds=2, long_rounds=1, count=8, quick=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the subjects; return 1 where one of them failed."""
    given = _parser().parse_args(arguments)
    kind = QUICK if given.quick else WHOLE
    count = given.count or kind.count
    effort = Effort(rounds=kind.rounds, long_rounds=kind.long_rounds, count=count, quick=kind.quick)
    before = load()
    sections = [_measured(name, effort) for name in SUBJECTS if not given.only or name in given.only]
    text = page(sections, effort, before)
    path = given.page or (None if given.quick or given.only else PAGE)
    if path is None:
        sys.stdout.write(text)
    else:
        replace_page(text, path, {name: picture for each in sections for name, picture in each.pictures.items()})
        print(f"  {path}", file=sys.stderr)
    return int(any(section.failed for section in sections))


def _measured(name: str, effort: Effort) -> Section:
    """Measure a subject; one that fails says so on the page and does not take the others with it."""
    print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
    began = time.perf_counter()
    try:
        section = SUBJECTS[name](effort)
    except Exception as error:
        # Whatever goes wrong is a fault of this subject: the minutes of the others are not thrown away for it.
        print(f"failed: {error}", file=sys.stderr)
        return Section(title=name.capitalize(), blocks=(f"Failed: {type(error).__name__}: {error}.",), failed=True)
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    return section


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmarks", description="Measure printkit and write output/bench/performance.md."
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller boards; to standard output")
    parser.add_argument("--only", action="append", choices=list(SUBJECTS), help="this subject alone; repeatable")
    parser.add_argument("--count", type=_several, help="how many maps make a batch")
    parser.add_argument("--page", type=Path, help="write the page to this file")
    return parser


def _several(text: str) -> int:
    if (count := int(text)) < 2:
        raise argparse.ArgumentTypeError("a batch has two maps at least")
    return count


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped; the page is as it was")
