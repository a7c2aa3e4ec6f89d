"""Looks at boards by numbers: how full they are, and how large the largest bare circle is; or cuts places out to read.

python tools/look [--count SEEDS] [--system NAME] [--dressing KIND] [--style NAME]
python tools/look --reading FOLDER [--count SEEDS] [--system NAME] [--dressing KIND]
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from fullness import Fill, fill
from looked_at import read
from sampled import SYSTEMS, board, picture

_HEAD: Final = "| Rules | Boards | Fill at dE 9 | at dE 5 | Bare circle, median | largest |"


def _measured(job: tuple[str, int], look: dict[str, str]) -> Fill:
    system, seed = job
    return fill(picture(board(system, seed), **look))


def _row(system: str, found: Sequence[Fill]) -> str:
    def span(values: Sequence[float]) -> str:
        return f"{statistics.median(values):.0%} ({min(values):.0%} to {max(values):.0%})"

    circles = [each.circle for each in found]
    plain, faint = ([getattr(each, name) for each in found] for name in ("plain", "faint"))
    return (
        f"| `{system}` | {len(found)} | {span(plain)} | {span(faint)} "
        f"| {statistics.median(circles):.2f} | {max(circles):.2f} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure boards, or cut places out of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=40, metavar="SEEDS")
    parser.add_argument("--system", action="append", choices=SYSTEMS)
    parser.add_argument("--dressing", choices=("none", "light", "full"), default="light")
    parser.add_argument("--style", default="campaign")
    parser.add_argument("--reading", type=Path, metavar="FOLDER", help="write pages of places to read, with answers")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args(arguments)
    look = {"style": asked.style, "dressing": asked.dressing}
    systems = asked.system or SYSTEMS
    if asked.reading:
        asked.reading.mkdir(parents=True, exist_ok=True)
        for system in systems:
            for name in read(system, asked.count, asked.reading, **look):
                print(name, flush=True)
        return
    print(_HEAD, "| --- | ---: | ---: | ---: | ---: | ---: |", sep="\n")
    with get_context("fork").Pool(asked.processes) as workers:
        for system in systems:
            jobs = [(system, seed) for seed in range(1, asked.count + 1)]
            print(_row(system, list(workers.imap(partial(_measured, look=look), jobs))), flush=True)


if __name__ == "__main__":
    main()
