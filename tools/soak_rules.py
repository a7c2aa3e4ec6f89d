"""Lays out fields of all rule systems with settings drawn at random, judges each, and writes output/soak/soak-rules.md.

A field fails where it raises anything but a sentence for a person, or where the judge finds a clause broken. Of some
fields every feature is taken away in turn, one at a time: the judge must find each of these records broken.

    python tools/soak_rules.py [--count FIELDS] [--deleted FIELDS] [--first SEED] [--rules NAME] [--processes N]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

import soak_evenings
from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import BUG_EXIT_STATUS, PrintkitError
from printkit.core.words import find_words as find_words
from printkit.kit import registry
from printkit.kit.check import judge_record
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import play
from printkit.recipes.game.request import build_orders
from printkit.terrain.field.record import Record

PAGE: Final = Path(__file__).resolve().parents[1] / "output" / "soak" / "soak-rules.md"
HEAD: Final = """# Soak of the rules

Fields of all rule systems, every setting with a value that its book allows, each judged clause by clause; and of some
of them as many records more as they have features, each without one of these. *Refused* were settings that the
program answered with a sentence; in their place others were drawn. This page is made by `make soak` and is never edited
by hand.
"""
LARGEST: Final = 72
"""The longest side of a board in inches."""


class Field(Struct, frozen=True, kw_only=True):
    """What came of one seed: what was refused, how many features lie there and were taken away, and what is wrong."""

    rules: str
    seed: int
    refused: int = 0
    features: int = 0
    deleted: int = 0
    faults: tuple[str, ...] = ()


def laid_out(rules: str, seed: int) -> tuple[RuleSystem, Record, int]:
    """Return a record of a seed with settings drawn by it, and how many drafts were refused before.

    Raises:
        PrintkitError: all were refused, or a fault of printkit.
    """
    system, words = registry.find(rules), find_words("en")
    for attempt in range(soak_evenings.TRIES):
        chance = Random(f"{rules} rules {seed} {attempt}")
        sizes = soak_evenings.SIZES[rules](chance, LARGEST) if chance.random() < 0.5 else []
        given = list(soak_evenings.settings(rules, chance))[1::2]
        sized = dict(zip((each.removeprefix("--") for each in sizes[::2]), sizes[1::2], strict=True))
        board, cell = sized.get("board"), sized.get("cell")
        try:
            orders = build_orders(
                rules=rules,
                settings=given,
                scenario=None,
                board=board,
                seed=seed,
                dice=None,
                cell=cell,
            )
            return system, play(system, orders, seed, words).record, attempt
        except PrintkitError as error:
            if error.exit_status == BUG_EXIT_STATUS or attempt == soak_evenings.TRIES - 1:
                raise
    raise AssertionError


def soaked(work: tuple[str, int, bool]) -> Field:
    """Lay out, judge, and take away; whatever goes wrong is a fault of the seed, so that one never ends a soak."""
    rules, seed, deletes = work
    try:
        system, record, refused = laid_out(rules, seed)
        faults = [f"{each.clause}: {each.where}" for each in judge_record(system, record).broken]
        features = record.battlefield.features
        for feature in features if deletes else ():
            left = tuple(each for each in features if each.id != feature.id)
            without = replace(record, battlefield=replace(record.battlefield, features=left))
            if not judge_record(system, without).broken:
                faults.append(f"without {feature.id} ({feature.kind}) nothing is broken")
        deleted = len(features) if deletes else 0
        return Field(
            rules=rules, seed=seed, refused=refused, features=len(features), deleted=deleted, faults=tuple(faults)
        )
    except Exception as error:
        return Field(rules=rules, seed=seed, faults=(f"{type(error).__name__}: {error}",))


def page(every: Sequence[Field]) -> str:
    """Return the page as Markdown."""
    return "\n".join((HEAD, *_lines(every))) + "\n"


def _lines(every: Sequence[Field]) -> Iterator[str]:
    yield "| Rules | Fields | Features | Taken away | Refused | Failed |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for rules in dict.fromkeys(each.rules for each in every):
        own = [each for each in every if each.rules == rules]
        sums = [sum(getattr(each, name) for each in own) for name in ("features", "deleted", "refused")]
        counts = [len(own), *sums, sum(bool(each.faults) for each in own)]
        yield f"| `{rules}` | {' | '.join(map(str, counts))} |"
    clauses = Counter((each.rules, fault.partition(":")[0]) for each in every for fault in each.faults)
    if clauses:
        yield ""
        yield from (f"- `{rules}`, {fault}: {count}" for (rules, fault), count in sorted(clauses.items()))


def main(arguments: Sequence[str]) -> int:
    """Write the page; 1 where a field failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, metavar="FIELDS", help="of each system")
    parser.add_argument(
        "--deleted", type=int, default=200, metavar="FIELDS", help="of these each feature is taken away"
    )
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--rules", choices=registry.NAMES, action="append", help="only these systems; repeatable")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where the page goes")
    asked = parser.parse_args(arguments)
    if min(asked.count, asked.processes) < 1 or min(asked.first, asked.deleted) < 0:
        parser.error("fields and processes are at least 1, and no seed is under 0")
    seeds = range(asked.first, asked.first + asked.count)
    work = [
        (rules, seed, seed < asked.first + asked.deleted) for rules in asked.rules or registry.NAMES for seed in seeds
    ]
    every = []
    with get_context("spawn").Pool(asked.processes) as pool:
        for each in pool.imap(soaked, work, chunksize=4):
            every.append(each)
            for fault in each.faults:
                print(f"{each.rules} {each.seed}: {fault}", file=sys.stderr, flush=True)
    asked.page.parent.mkdir(parents=True, exist_ok=True)
    asked.page.write_text(page(every), encoding="utf-8", newline="\n")
    return 1 if any(each.faults for each in every) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
