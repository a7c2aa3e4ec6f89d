"""Looks at boards by numbers: how full they are, their largest bare circle, their parcels and crossings; or labels.

Or it cuts places out to read.

python tools/look [--count SEEDS] [--system NAME] [--dressing KIND] [--style NAME]
python tools/look --labels [--count SEEDS] [--system NAME] [--style NAME]
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

from country import largest_turn, parcel_share
from fullness import Fill, fill
from lettered import Lettered, lettered, lettered_board
from looked_at import read
from sampled import SYSTEMS, board, picture

_HEAD: Final = (
    "| Rules | Boards | Fill at dE 9 | at dE 5 | Bare circle, median | largest | Parcels "
    "| Crossings off, median | largest |"
)
_LETTERED: Final = (
    "| Rules | Boards | Labels | over labels | over signs | over edge rows | over guide marks | towns off | towns left "
    "| names cut, a board | names left to the key |"
)


def _measured(job: tuple[str, int], look: dict[str, str]) -> tuple[Fill, float, float]:
    system, seed = job
    field = board(system, seed)
    return fill(picture(field, **look)), parcel_share(field, look["dressing"]), largest_turn(field)


def _row(system: str, measured: Sequence[tuple[Fill, float, float]]) -> str:
    def span(values: Sequence[float]) -> str:
        return f"{statistics.median(values):.0%} ({min(values):.0%} to {max(values):.0%})"

    found, parcels, turns = zip(*measured, strict=True)
    circles = [each.circle for each in found]
    plain, faint = ([getattr(each, name) for each in found] for name in ("plain", "faint"))
    return (
        f"| `{system}` | {len(found)} | {span(plain)} | {span(faint)} "
        f"| {statistics.median(circles):.2f} | {max(circles):.2f} | {span(parcels)} "
        f"| {statistics.median(turns):.0f} | {max(turns):.0f} |"
    )


def _labelled(job: tuple[str, int], style: str) -> Lettered:
    return lettered(lettered_board(*job), style)


def _label_row(system: str, found: Sequence[Lettered]) -> str:
    whole = Lettered(*(sum(column) for column in zip(*found, strict=True)))
    return (
        f"| `{system}` | {len(found)} | {whole.labels} | {whole.over} | {whole.signs} | {whole.rows} | {whole.guides} "
        f"| {whole.far} of {whole.towns} | {whole.towns_left} | {whole.cut / len(found):.2f} "
        f"| {whole.left} of {whole.named} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure boards, or cut places out of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=40, metavar="SEEDS")
    parser.add_argument("--system", action="append", choices=SYSTEMS)
    parser.add_argument("--dressing", choices=("none", "light", "full"), default="light")
    parser.add_argument("--style", default="campaign")
    parser.add_argument("--labels", action="store_true", help="how labels stand, by boards that are not drawn")
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
    head = _LETTERED if asked.labels else _HEAD
    print(head, "| --- |" + " ---: |" * (head.count("|") - 2), sep="\n")
    with get_context("fork").Pool(asked.processes) as workers:
        for system in systems:
            jobs = [(system, seed) for seed in range(1, asked.count + 1)]
            if asked.labels:
                row = _label_row(system, list(workers.imap(partial(_labelled, style=asked.style), jobs)))
            else:
                row = _row(system, list(workers.imap(partial(_measured, look=look), jobs)))
            print(row, flush=True)


if __name__ == "__main__":
    main()
