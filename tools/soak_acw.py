"""Lays out many tables of the American Civil War by State, judges every one, and writes docs/soak-acw.md.

Seeds go round the eight geographies, tables from 24 to 120 inches a side, and the readings of the rules that shape the
ground (AC-T45). A table fails where it raises an error, where the judge finds a clause broken, or where it has more
than two farms and settlements. The page holds counts only, so that the same rules give the same page.

    python tools/soak_acw.py [--count TABLES] [--first SEED] [--processes N] [--page FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.rules.acw.system import Acw
from printkit.rules.system import Outcome, Scenario
from printkit.terrain.record import Record, read, write
from printkit.units import MM_PER_INCH

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "soak-acw.md"
GEOGRAPHIES: Final = ("farm", "wilderness", "riverside", "mountains", "coastal", "swampy", "plain", "hilly")
SIZES: Final = (24, 30, 36, 44, 48, 60, 72, 84, 96, 108, 120)
"""Sides of tables in inches; a table takes one for its width and another for its depth."""

LIMIT: Final = 2
EACH: Final = 50
MADE: Final = ("kept", "chosen")
COUNTED: Final = ("zones", "features", "results", "left_out", "kept")

HEAD: Final = """# Soak of the tables by State

Tables of `acw` laid out from consecutive seeds, in all eight geographies, 24 to 120 inches a side, with edges, creeks
and readings of the rules in turn; each judged as `printkit check` judges. *No room* counts results that stay in the
zone log but found no room on the table. This page is made by `make soak` and is never edited by hand.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What came of one seed: where it was, how large, what lies there, what is wrong."""

    seed: int
    geography: str
    zones: int = 0
    features: int = 0
    results: int = 0
    left_out: int = 0
    kept: int = 0
    broken: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@cache
def system() -> Acw:
    """Return the rule system."""
    return Acw()


def order(seed: int) -> tuple[str, tuple[int, int], dict[str, str]]:
    """Return the geography, the sides in inches and the settings of a seed; each seed has another mixture."""
    geography, rest = GEOGRAPHIES[seed % len(GEOGRAPHIES)], seed // len(GEOGRAPHIES)
    width, depth = SIZES[rest % len(SIZES)], SIZES[(rest // len(SIZES) * 3 + rest * 7 + 4) % len(SIZES)]
    given = {
        "geography": geography,
        "choice-policy": ("tidy", "uniform", "none")[rest % 3],
        "ac-q02": "rest-east-south" if rest % 11 == 5 else "equal",
        "ac-q16": ("belt", "nothing", "wooded-zone")[rest % 7 % 3],
        "ac-q17": "merge" if rest % 13 == 3 else "two",
        "ac-q20": "lanes" if rest % 5 == 2 else "none",
    }
    if geography == "riverside" and rest % 3 == 1:
        given["water"] = "creek"
    return geography, (width, depth), given


def laid_out(seed: int) -> Table:
    """Lay out and judge one table. Whatever goes wrong is a fault of it, so that one seed never ends a soak."""
    geography, (width, depth), given = order(seed)
    try:
        settings = system().book.settle(given)
        board = system().board(width * MM_PER_INCH, depth * MM_PER_INCH, settings=settings)
        scenario = Scenario(board=board, settings=settings, seed=seed)
        outcome = system().lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))
        return _told(seed, geography, settings, outcome)
    except Exception as error:
        return Table(seed=seed, geography=geography, faults=(f"{type(error).__name__}: {error}",))


def _told(seed: int, geography: str, settings: dict[str, str], outcome: Outcome) -> Table:
    written = write(
        Record(
            rules="acw",
            battlefield=outcome.battlefield,
            settings=settings,
            seed=seed,
            log=outcome.log,
            details=outcome.details,
        )
    )
    # The record is judged as it is read back, for that is what a person has.
    record = read(written, system().book.going)
    verdicts = system().judge(record)
    broken = [verdict for verdict in verdicts if verdict.state == "broken"]
    rolls, zones = record.details["zones"], record.details["grid"]
    found = Table(
        seed=seed,
        geography=geography,
        zones=zones["columns"] * zones["rows"],
        features=len(outcome.battlefield.features),
        results=sum(1 for roll in rolls if roll["piece"] and roll["fate"] in MADE),
        left_out=sum("AC-X12" in note for note in outcome.warnings),
        kept=sum(verdict.state == "kept" for verdict in verdicts),
        broken=tuple(verdict.clause for verdict in broken),
        faults=tuple(f"{verdict.clause}: {verdict.where}" for verdict in broken),
    )
    places = [roll for roll in rolls if roll["piece"] in ("farm", "settlement") and roll["fate"] in MADE]
    if len(places) > LIMIT:
        found = replace(found, faults=(*found.faults, f"{len(places)} farms and settlements (AC-212)"))
    return found


def page(tables: Sequence[Table]) -> str:
    """Return the page as Markdown."""
    return "\n".join((HEAD, *_lines(tables))) + "\n"


def _lines(tables: Sequence[Table]) -> Iterator[str]:
    failed = [each for each in tables if each.faults]
    yield f"{len(tables)} tables, seeds {tables[0].seed} to {tables[-1].seed}: {len(failed)} failed."
    yield ""
    yield "| Geography | Tables | Zones | Features | Results | No room | Clauses kept | Failed |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for geography in GEOGRAPHIES:
        own = [each for each in tables if each.geography == geography]
        counts = [len(own), *(sum(getattr(each, name) for each in own) for name in COUNTED)]
        counts.append(sum(bool(each.faults) for each in own))
        yield f"| {geography} | {' | '.join(map(str, counts))} |"
    if failed:
        broken = Counter(clause for each in failed for clause in each.broken)
        yield ""
        yield "| Clause | Tables that break it |"
        yield "| --- | ---: |"
        yield from (f"| {clause} | {count} |" for clause, count in sorted(broken.items()))
        yield ""
        yield "| Seed | Fault |"
        yield "| ---: | --- |"
        for each in failed:
            yield from (f"| {each.seed} | {' '.join(fault.split()).replace('|', '/')} |" for fault in each.faults)


def played(seeds: range, processes: int) -> Iterator[Table]:
    """Yield the tables in the order of their seeds, however many processes lay them out."""
    if processes == 1:
        yield from map(laid_out, seeds)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(laid_out, seeds, chunksize=4)


def main(arguments: Sequence[str]) -> int:
    """Write the page; 1 where a table failed."""
    parser = argparse.ArgumentParser(prog="soak_acw", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, metavar="TABLES")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where the page goes")
    asked = parser.parse_args(arguments)
    if min(asked.count, asked.processes) < 1 or asked.first < 0:
        parser.error("tables and processes are at least 1, and no seed is under 0")
    tables = []
    for each in played(range(asked.first, asked.first + asked.count), asked.processes):
        tables.append(each)
        for fault in each.faults:
            print(f"seed {each.seed}: {fault}", file=sys.stderr, flush=True)
        if len(tables) % EACH == 0:
            # A soak that is stopped leaves the page of what it had done.
            asked.page.write_text(page(tables), encoding="utf-8", newline="\n")
    asked.page.write_text(page(tables), encoding="utf-8", newline="\n")
    return 1 if any(each.faults for each in tables) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
