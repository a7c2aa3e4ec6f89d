"""What soaks of rule systems share: fields laid out from consecutive seeds, read back, judged, counted on a page.

A field fails where it raises an error or where the judge finds a clause broken. The page holds counts only, so that the
same rules give the same page.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.registry import find
from printkit.kit.system import Outcome, RuleSystem, Scenario
from printkit.terrain.field.record import Record, read, write

PAGES: Final = Path(__file__).resolve().parents[1] / "output" / "soak"
_EACH: Final = 50


class Mixture(Struct, frozen=True, kw_only=True):
    """What a seed is laid out with: settings, and a side in mm if not the usual; ``label`` is what it counts under.

    ``depth`` is the other side where that differs.
    """

    label: str
    settings: Mapping[str, str]
    side: float | None = None
    depth: float | None = None


class Soak(Struct, frozen=True, kw_only=True):
    """A soak of one rule system: how it mixes settings by the seed, and the page that it writes.

    ``promises`` yields what a record breaks besides clauses, a line each. ``counted`` names further columns of the
    page, and ``counts`` gives their numbers for one field.
    """

    system: str
    page: str
    head: str
    mixture: Callable[[int], Mixture]
    promises: Callable[[Record], Iterator[str]] | None = None
    counted: tuple[str, ...] = ()
    counts: Callable[[Record, Outcome], tuple[int, ...]] | None = None


class Field(Struct, frozen=True, kw_only=True):
    """What came of one seed: how much lies there, how many clauses were kept, what is wrong."""

    seed: int
    label: str
    features: int = 0
    throws: int = 0
    kept: int = 0
    counts: tuple[int, ...] = ()
    broken: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@cache
def _system(name: str) -> RuleSystem:
    return find(name)


def laid_out(soak: Soak, seed: int) -> Field:
    """Lay out and judge one field. Whatever goes wrong is a fault of it, so that one seed never ends a soak."""
    mixture = soak.mixture(seed)
    system = _system(soak.system)
    try:
        settings = system.book.settle(mixture.settings)
        board = system.board(mixture.side, mixture.depth or mixture.side, settings=settings)
        scenario = Scenario(board=board, settings=settings, seed=seed)
        outcome = system.lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))
        # The record is judged as it is read back, for that is what a person has.
        record = read(
            write(
                Record(
                    rules=soak.system,
                    battlefield=outcome.battlefield,
                    settings=settings,
                    seed=seed,
                    log=outcome.log,
                    details=outcome.details,
                )
            ),
            system.book.going,
        )
        verdicts = system.judge(record)
        broken = [verdict for verdict in verdicts if verdict.state == "broken"]
        return Field(
            seed=seed,
            label=mixture.label,
            features=len(outcome.battlefield.features),
            throws=len(outcome.log),
            kept=sum(verdict.state == "kept" for verdict in verdicts),
            counts=soak.counts(record, outcome) if soak.counts else (),
            broken=tuple(verdict.clause for verdict in broken),
            faults=(
                *(f"{verdict.clause}: {verdict.where}" for verdict in broken),
                *(soak.promises(record) if soak.promises else ()),
            ),
        )
    except Exception as error:
        return Field(seed=seed, label=mixture.label, faults=(f"{type(error).__name__}: {error}",))


def page(soak: Soak, fields: Sequence[Field]) -> str:
    """Return the page as Markdown."""
    return "\n".join((soak.head, *_lines(soak, fields))) + "\n"


def _lines(soak: Soak, fields: Sequence[Field]) -> Iterator[str]:
    failed = [each for each in fields if each.faults]
    yield f"{len(fields)} fields, seeds {fields[0].seed} to {fields[-1].seed}: {len(failed)} failed."
    yield ""
    columns = ("Mixture", "Fields", "Features", "Throws", *soak.counted, "Clauses kept", "Failed")
    yield f"| {' | '.join(columns)} |"
    yield f"| --- |{' ---: |' * (len(columns) - 1)}"
    for label in sorted({each.label for each in fields}):
        own = [each for each in fields if each.label == label]
        features, throws, kept = (sum(getattr(each, name) for each in own) for name in ("features", "throws", "kept"))
        others = (sum(each.counts[place] for each in own if each.counts) for place in range(len(soak.counted)))
        counts = [len(own), features, throws, *others, kept, sum(bool(each.faults) for each in own)]
        yield f"| {label} | {' | '.join(map(str, counts))} |"
    if failed:
        yield ""
        yield "| Clause | Fields that break it |"
        yield "| --- | ---: |"
        counted = Counter(clause for each in failed for clause in each.broken)
        yield from (f"| {clause} | {count} |" for clause, count in sorted(counted.items()))
        yield ""
        yield "| Seed | Fault |"
        yield "| ---: | --- |"
        for each in failed:
            yield from (f"| {each.seed} | {' '.join(fault.split()).replace('|', '/')} |" for fault in each.faults)


def _played(soak: Soak, seeds: range, processes: int) -> Iterator[Field]:
    """Yield the fields in the order of their seeds, however many processes lay them out."""
    if processes == 1:
        yield from map(partial(laid_out, soak), seeds)
        return
    with get_context("fork").Pool(processes) as pool:
        yield from pool.imap(partial(laid_out, soak), seeds, chunksize=4)


def run(soak: Soak, arguments: Sequence[str]) -> int:
    """Write the page; 1 where a field failed."""
    parser = argparse.ArgumentParser(description=f"Lays out and judges many fields of {soak.system}.")
    parser.add_argument("--count", type=int, default=2000, metavar="FIELDS")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=Path, default=PAGES / soak.page, metavar="FILE", help="where the page goes")
    asked = parser.parse_args(arguments)
    if min(asked.count, asked.processes) < 1 or asked.first < 0:
        parser.error("fields and processes are at least 1, and no seed is under 0")
    asked.page.parent.mkdir(parents=True, exist_ok=True)
    fields = []
    for each in _played(soak, range(asked.first, asked.first + asked.count), asked.processes):
        fields.append(each)
        for fault in each.faults:
            print(f"seed {each.seed}: {fault}", file=sys.stderr, flush=True)
        if len(fields) % _EACH == 0:
            # A soak that is stopped leaves the page of what it had done.
            asked.page.write_text(page(soak, fields), encoding="utf-8", newline="\n")
    asked.page.write_text(page(soak, fields), encoding="utf-8", newline="\n")
    return 1 if any(each.faults for each in fields) else 0
