"""Plays many games of a rule system from consecutive seeds, judges every one, and writes output/soak/soak.md.

A game fails where it raises an error, leaves a shape that is not valid, changes when its record is read back, or
breaks a clause before its own judge. The page holds counts only, so that the same rules give the same page.

    python tools/soak.py [GAMES] [--first SEED] [--rules NAME] [--processes N]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import shapely
from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from printkit.core import words as languages
from printkit.kit import registry
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.terrain.field.features import Area, Course, Feature, Hill
from printkit.terrain.field.record import Record, read_back, write

PAGE: Final = Path(__file__).resolve().parents[1] / "output" / "soak" / "soak.md"
COURSES: Final = ("river", "road")
CROSSINGS: Final = ("bridge", "ford")

HEAD: Final = """# Soak

Games played from consecutive seeds, every one read back from its record and judged clause by clause. This page is made
by `make soak` and is never edited by hand.
"""


class Game(Struct, frozen=True, kw_only=True):
    """What came of one seed: how many features of each kind, and what is wrong with it."""

    seed: int
    kinds: Counter[str]
    faults: tuple[str, ...]


def game(seed: int, rules: str) -> Game:
    """Play and judge one seed. Whatever goes wrong is a fault of it, so that one seed never ends a soak."""
    system = registry.find(rules)
    try:
        record = play(system, Orders(rules=rules), seed, languages.find_words("en")).record
        kinds = Counter(str(feature.kind) for feature in record.battlefield.features)
        return Game(seed=seed, kinds=kinds, faults=tuple(faults(system, record)))
    except Exception as error:
        return Game(seed=seed, kinds=Counter(), faults=(f"{type(error).__name__}: {error}",))


def faults(system: RuleSystem, record: Record) -> Iterator[str]:
    """Yield what is wrong with a game, a line each."""
    if write(read_back(record)) != write(record):
        yield "the record changes when it is read back"
    names = [feature.id for feature in record.battlefield.features]
    yield from (f"{name} is there twice" for name, count in Counter(names).items() if count > 1)
    for feature in record.battlefield.features:
        for shape in _shapes(feature):
            if shape.is_empty or not shape.is_valid:
                yield f"{feature.id}: {shapely.is_valid_reason(shape)}"
        if isinstance(feature, Course) and not feature.line.is_simple:
            yield f"{feature.id}: crosses itself"
    for verdict in system.judge(record):
        if verdict.state == "broken":
            yield f"{verdict.clause} broken: {verdict.where}"


def _shapes(feature: Feature) -> tuple[BaseGeometry, ...]:
    match feature:
        case Hill():
            return (*feature.contours, *(face.line for face in feature.faces))
        case Area():
            return (feature.outline,)
        case Course():
            return (feature.line,)
        case _:
            return (feature.at,)


def page(games: Sequence[Game], rules: str) -> str:
    """Return the page as Markdown."""
    return "\n".join((HEAD, *_lines(games, rules))) + "\n"


def _lines(games: Sequence[Game], rules: str) -> Iterator[str]:
    failed = [each for each in games if each.faults]
    seeds = f"seeds {games[0].seed} to {games[-1].seed}"
    yield f"`{rules}`, {len(games)} games, {seeds}: {len(failed)} failed."
    yield ""
    areas = Counter(sum(each.kinds.values()) - _count(each, *COURSES, *CROSSINGS) for each in games)
    yield from _table("Features other than rivers, roads and crossings", areas, len(games))
    for title, kinds in (("Rivers", ("river",)), ("Roads", ("road",)), ("Crossings", CROSSINGS)):
        yield from _table(title, Counter(_count(each, *kinds) for each in games), len(games))
    yield "| Kind | On boards | In all |"
    yield "| --- | ---: | ---: |"
    for kind in sorted({kind for each in games for kind in each.kinds}):
        yield f"| {kind} | {sum(kind in each.kinds for each in games)} | {sum(each.kinds[kind] for each in games)} |"
    if failed:
        yield ""
        yield "| Seed | Fault |"
        yield "| ---: | --- |"
        for each in failed:
            for fault in each.faults:
                yield f"| {each.seed} | {' '.join(fault.split()).replace('|', '/')} |"


def _count(each: Game, *kinds: str) -> int:
    return sum(each.kinds[kind] for kind in kinds)


def _table(title: str, counts: Counter[int], games: int) -> Iterator[str]:
    numbers = range(max(counts) + 1)
    yield f"| {title} | {' | '.join(map(str, numbers))} |"
    yield f"| --- |{' ---: |' * len(numbers)}"
    yield f"| games | {' | '.join(str(counts[number]) for number in numbers)} |"
    yield f"| share | {' | '.join(f'{counts[number] / games:.3f}' for number in numbers)} |"
    yield ""


def played(seeds: range, rules: str, processes: int) -> Iterator[Game]:
    """Yield the games in the order of their seeds, however many processes play them."""
    if processes == 1:
        yield from map(partial(game, rules=rules), seeds)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(partial(game, rules=rules), seeds, chunksize=8)


def main(arguments: Sequence[str]) -> int:
    """Write the page; 1 where a game failed."""
    parser = argparse.ArgumentParser(prog="soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", type=int, nargs="?", default=1000)
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--rules", choices=registry.NAMES, default=registry.DEFAULT)
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where the page goes")
    asked = parser.parse_args(arguments)
    if min(asked.games, asked.processes) < 1 or asked.first < 0:
        parser.error("games and processes are at least 1, and no seed is under 0")
    seeds = range(asked.first, asked.first + asked.games)
    games: list[Game] = []
    for each in played(seeds, asked.rules, asked.processes):
        games.append(each)
        for fault in each.faults:
            print(f"seed {each.seed}: {fault}", file=sys.stderr)
    asked.page.parent.mkdir(parents=True, exist_ok=True)
    asked.page.write_text(page(games, asked.rules), encoding="utf-8", newline="\n")
    return 1 if any(each.faults for each in games) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
