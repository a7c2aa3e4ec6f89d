"""Lays out many boards of DBA 3 and of Collision Course, judges every one, and writes output/soak/soak-dba3.md.

Seeds go round both systems, the seven home topographies and boards of 15 to 20 base widths. A board fails where it
raises an error, where the judge finds a clause broken, or where something lies in an edge square; a die fails where its
counts are too unlikely. The page holds counts only, so that the same rules give the same page.

    python tools/soak_dba.py [--count BOARDS] [--first SEED] [--processes N] [--page FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.kit import registry
from printkit.kit.system import Outcome, RuleSystem, Scenario
from printkit.terrain.field.record import Record, read_back, write

PAGE: Final = Path(__file__).resolve().parents[1] / "output" / "soak" / "soak-dba3.md"
SYSTEMS: Final = ("dba3", "collision-course")
HOMES: Final = ("arable", "forest", "hilly", "steppe", "dry", "tropical", "littoral")
SIDES: Final = (15, 16, 17, 18, 19, 20)
SQUARES: Final = "CC-G03"
UNLIKELY: Final = 25.7
"""Chi-square of five degrees of freedom that a fair die passes once in ten thousand times."""

HEAD: Final = """# Soak of DBA 3 and Collision Course

Boards laid out from consecutive seeds, of all home topographies and sides from 15 to 20 base widths, each judged clause
by clause. This page is made by `make soak` and is never edited by hand.
"""


class Board(Struct, frozen=True, kw_only=True):
    """What came of one seed: its system, home and side, counts of features, discards and dice, and what is wrong."""

    seed: int
    system: str
    home: str
    side: int
    features: int = 0
    discarded: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    judged: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@cache
def system(name: str) -> RuleSystem:
    """Return a rule system, its book read once a process."""
    return registry.find(name)


def mixture(seed: int) -> tuple[str, str, int]:
    """Return the system, the home and the side of a seed; each seed has another mixture."""
    rest = seed // len(SYSTEMS)
    return SYSTEMS[seed % len(SYSTEMS)], HOMES[rest % len(HOMES)], SIDES[rest // len(HOMES) % len(SIDES)]


def board(seed: int) -> Board:
    """Lay out and judge one seed. Whatever goes wrong is a fault of it, so that one seed never ends a soak."""
    name, home, side = mixture(seed)
    found = system(name)
    try:
        settings = found.book.settle({"home": home})
        base = found.board(settings=settings).scale.base_width
        scenario = Scenario(board=found.board(side * base, settings=settings), settings=settings, seed=seed)
        outcome = found.lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))
        return _judged(Board(seed=seed, system=name, home=home, side=side), scenario, outcome)
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        return Board(seed=seed, system=name, home=home, side=side, faults=(fault,))


def _judged(empty: Board, scenario: Scenario, outcome: Outcome) -> Board:
    record = read_back(
        Record(
            rules=empty.system,
            battlefield=outcome.battlefield,
            settings=scenario.settings,
            seed=empty.seed,
            log=outcome.log,
            details=outcome.details,
        )
    )
    verdicts = system(empty.system).judge(record)
    faults = [f"{each.clause} broken: {each.where}" for each in verdicts if each.state == "broken"]
    if empty.system == SYSTEMS[1] and not any(each.clause == SQUARES and each.state == "kept" for each in verdicts):
        faults.append("the squares are not judged to be clear")
    if write(read_back(record)) != write(record):
        faults.append("the record changes when it is read back")
    terrain = outcome.details["terrain"]
    assert isinstance(terrain, dict)
    return Board(
        seed=empty.seed,
        system=empty.system,
        home=empty.home,
        side=empty.side,
        features=len(terrain["pieces"]),
        discarded=tuple(each["name"] for each in terrain["discarded"]),
        dice=tuple(int(throw.answer) for throw in outcome.log if throw.asked == "d6"),
        judged=tuple(each.clause for each in verdicts if each.state != "not judged"),
        faults=tuple(faults),
    )


def chi_square(dice: Counter[int]) -> float:
    """Return how far the counts of a die are from those of a fair one."""
    expected = sum(dice.values()) / 6
    return sum((dice[face] - expected) ** 2 for face in range(1, 7)) / expected if expected else 0.0


def page(boards: Sequence[Board]) -> str:
    """Return the page as Markdown."""
    return "\n".join((HEAD, *_lines(boards))) + "\n"


def _lines(boards: Sequence[Board]) -> Iterator[str]:
    failed = [each for each in boards if each.faults]
    yield f"{len(boards)} boards, seeds {boards[0].seed} to {boards[-1].seed}: {len(failed)} failed."
    yield ""
    for name in SYSTEMS:
        own = [each for each in boards if each.system == name]
        yield from _of_system(name, own)
    if failed:
        yield "| Seed | Fault |"
        yield "| ---: | --- |"
        for each in failed:
            for fault in each.faults:
                yield f"| {each.seed} | {' '.join(fault.split()).replace('|', '/')} |"


def _of_system(name: str, own: Sequence[Board]) -> Iterator[str]:
    dice = Counter(face for each in own for face in each.dice)
    clauses = sorted({clause for each in own for clause in each.judged})
    yield f"## `{name}`"
    yield ""
    yield f"{len(own)} boards; {len(clauses)} clauses judged on some of them."
    yield ""
    yield f"| Die for a quarter | {' | '.join(map(str, range(1, 7)))} | chi-square |"
    yield f"| --- |{' ---: |' * 7}"
    yield f"| thrown | {' | '.join(str(dice[face]) for face in range(1, 7))} | {chi_square(dice):.2f} |"
    yield ""
    yield "| Home | Boards | Features chosen | Discarded |"
    yield "| --- | ---: | ---: | ---: |"
    for home in HOMES:
        there = [each for each in own if each.home == home]
        chosen, gone = sum(each.features for each in there), sum(len(each.discarded) for each in there)
        yield f"| {home} | {len(there)} | {chosen} | {gone} |"
    yield ""
    yield "| Side in base widths | Boards | Features chosen | Discarded |"
    yield "| ---: | ---: | ---: | ---: |"
    for side in SIDES:
        there = [each for each in own if each.side == side]
        chosen, gone = sum(each.features for each in there), sum(len(each.discarded) for each in there)
        yield f"| {side} | {len(there)} | {chosen} | {gone} |"
    yield ""
    yield "| Discarded | Times |"
    yield "| --- | ---: |"
    for piece, count in sorted(Counter(name for each in own for name in each.discarded).items()):
        yield f"| {piece} | {count} |"
    yield ""


def laid(seeds: range, processes: int) -> Iterator[Board]:
    """Yield the boards in the order of their seeds, however many processes lay them out."""
    if processes == 1:
        yield from map(board, seeds)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(board, seeds, chunksize=8)


def main(arguments: Sequence[str]) -> int:
    """Write the page; 1 where a board or a die failed."""
    parser = argparse.ArgumentParser(prog="soak_dba", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, metavar="BOARDS")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where the page goes")
    asked = parser.parse_args(arguments)
    if min(asked.count, asked.processes) < 1 or asked.first < 0:
        parser.error("boards and processes are at least 1, and no seed is under 0")
    boards: list[Board] = []
    for each in laid(range(asked.first, asked.first + asked.count), asked.processes):
        boards.append(each)
        for fault in each.faults:
            print(f"seed {each.seed} ({each.system}, {each.home}, {each.side}BW): {fault}", file=sys.stderr)
    asked.page.parent.mkdir(parents=True, exist_ok=True)
    asked.page.write_text(page(boards), encoding="utf-8", newline="\n")
    loaded = [name for name in SYSTEMS if chi_square(_faces(boards, name)) > UNLIKELY]
    for name in loaded:
        print(f"{name}: the die for a quarter is not fair", file=sys.stderr)
    return 1 if loaded or any(each.faults for each in boards) else 0


def _faces(boards: Sequence[Board], name: str) -> Counter[int]:
    return Counter(face for each in boards if each.system == name for face in each.dice)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
