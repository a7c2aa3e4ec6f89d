"""Lays out many boards of the gridded generator, version 2, tests every one, and writes output/soak/soak-portable.md.

Seeds go round the grids and the countries, with rivers, lakes, marshes, roads and railways of every number. A board
fails where it raises an error or breaks a promise; a die fails where its counts are too unlikely. The page holds counts
only, so that the same rules give the same page.

    python tools/soak_portable.py [BOARDS] [--first SEED] [--processes N]
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice, Seeded
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, ROADS, TREES, CellCourse, Sketch
from printkit.systems.portable.grid.terms import build_sketch
from printkit.systems.portable.version2.steps import steps
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import grid_of, neighbours
from printkit.terrain.gridded.cell_shapes import find_cell_groups

PAGE: Final = Path(__file__).resolve().parents[1] / "output" / "soak" / "soak-portable.md"
GRIDS: Final = ("sq-8x8", "hex-9x8", "hex-6x8")
HEIGHTS: Final = (Kind.HILL, Kind.MOUNTAIN)
ALLOWED: Final = tuple({Kind.HILL, kind} for kind in (*TREES, Kind.SETTLEMENT))
"""The kinds of ground that may share an area: trees and settlements stand on hills."""

CROSSED_BY: Final[Mapping[Kind, tuple[Kind, ...]]] = {
    Kind.FORD: (Kind.RIVER,),
    Kind.BRIDGE: (Kind.RIVER,),
    Kind.RAILWAY_BRIDGE: (Kind.RIVER,),
    Kind.LEVEL_CROSSING: ROADS,
}
UNLIKELY: Final = 3.72
"""Standard deviations that one fair die in ten thousand passes."""

HEAD: Final = """# Soak of the gridded generator

Boards of version 2 laid out from consecutive seeds, on three grids and in all countries, each tested for what the rules
promise. This page is made by `make soak` and is never edited by hand.
"""


class Board(Struct, frozen=True, kw_only=True):
    """What came of one seed: counts of kinds, of scores by the clause of the die, and what is wrong."""

    seed: int
    kinds: Counter[str]
    dice: Counter[tuple[str, int]]
    faults: tuple[str, ...]


@cache
def book() -> RuleBook:
    """Return the rule book of version 2."""
    return read_book("portable-2")


def order(seed: int) -> tuple[str, dict[str, str]]:
    """Return the grid and the settings of a seed; each seed has another mixture."""
    presets = [row.need("preset", str) for row in book().own("presets")]
    grid, rest = GRIDS[seed % len(GRIDS)], seed // len(GRIDS)
    more, exits = rest // len(presets), ("onward", "sep30", "sep30-topdown")
    return grid, {
        "preset": presets[rest % len(presets)],
        "river": str(1 + more % 2),
        "road": str(1 + more // 2 % 2),
        "railway": str(more % 3),
        "lakes": "die" if more % 2 else "no",
        "marshes": "die" if more % 3 else "no",
        "exit": exits[more % len(exits)],
    }


def laid_out(seed: int) -> Board:
    """Lay out and test one board. Whatever goes wrong is a fault of it, so that one seed never ends a soak."""
    grid, settings = order(seed)
    dice = Dice(Seeded(seed))
    try:
        found = build_sketch(steps, grid_of(grid, cell=100), Rules.of(book(), settings), {}, dice)
        kinds = Counter(str(piece.kind) for piece in (*found.placings, *found.ways, *found.passages))
        thrown = Counter((throw.clause, int(throw.answer)) for throw in dice.log)
        return Board(seed=seed, kinds=kinds, dice=thrown, faults=tuple(faults(found)))
    except Exception as error:
        return Board(seed=seed, kinds=Counter(), dice=Counter(), faults=(f"{type(error).__name__}: {error}",))


def faults(found: Sketch) -> Iterator[str]:
    """Yield the promises that a board of version 2 breaks, a line each."""
    yield from _on_the_grid(found)
    yield from _alone(found)
    yield from _bodies(found)
    yield from chain.from_iterable(_course(found, way) for way in found.ways)
    yield from _passages(found)
    yield from _fields(found)


def _on_the_grid(found: Sketch) -> Iterator[str]:
    """Nothing lies outside the grid, and no ID stands twice."""
    pieces = (*found.placings, *found.ways, *found.passages)
    for piece in pieces:
        beside = piece.beside if isinstance(piece, CellCourse) else ()
        strange = [cell for cell in (*piece.cells, *beside) if cell and not found.grid.contains(cell)]
        yield from (f"{piece.id}: {tuple(cell)} is not on the grid" for cell in strange)
        if len(set(piece.cells)) < len(piece.cells):
            yield f"{piece.id}: an area stands twice"
    yield from (f"{name} is there twice" for name, count in Counter(piece.id for piece in pieces).items() if count > 1)


def _alone(found: Sketch) -> Iterator[str]:
    """No two kinds of ground share an area unless they may (PW2-12, PW2-38, PW2-50, PW2-56, PW2-72)."""
    for cell in found.grid.cells():
        kinds = [piece.kind for piece in found.features_at(cell)]
        if len(kinds) > 1 and (len(kinds) > 2 or set(kinds) not in ALLOWED):
            yield f"{tuple(cell)} holds {' and '.join(kinds)}"
        ways = {way.kind for way in found.courses_at(cell) if way.enters is not None and way.kind is not Kind.RAILWAY}
        ground = [kind for kind in kinds if kind not in (*HEIGHTS, Kind.MARSH)]
        if ways and ground:
            yield f"{tuple(cell)} holds {' and '.join(ground)} with {' and '.join(sorted(ways))}"


def _bodies(found: Sketch) -> Iterator[str]:
    """Features of several areas hang together; no two of a kind that grow together touch (PW2-38, PW2-57)."""
    for piece in found.placings:
        if len(find_cell_groups(found.grid, piece.cells)) > 1:
            yield f"{piece.id} does not hang together"
    for kinds in ((Kind.LAKE,), (Kind.MARSH,), TREES, HABITATION):
        pieces = list(found.of(*kinds))
        if len(find_cell_groups(found.grid, [cell for piece in pieces for cell in piece.cells])) < len(pieces):
            yield f"two of {' '.join(kinds)} touch"
    sizes = {Kind.SETTLEMENT: (1, 1), Kind.VILLAGE: (2, 2), Kind.TOWN: (3, 4), Kind.CITY: (5, 99)}
    for place in found.of(*HABITATION):
        low, high = sizes[place.kind]
        if not low <= len(place.cells) <= high:
            yield f"{place.id} has {len(place.cells)} areas"
        if len(place.cells) > 1 and any(found.features_at(cell, Kind.HILL) for cell in place.cells):
            yield f"{place.id} stands on a hill"


def _course(found: Sketch, way: CellCourse) -> Iterator[str]:
    """Courses pass from side to side, come in and go out, and heed hills and lakes (PW2-33, PW2-35, PW2-41)."""
    grid = found.grid
    for one, other in pairwise(way.cells):
        if other not in neighbours(grid, one):
            yield f"{way.id}: {tuple(one)} and {tuple(other)} share no side"
    for cell, side in ((way.cells[0], way.enters), (way.cells[-1], way.leaves)):
        if side is not None and grid.neighbour(cell, side) is not None:
            yield f"{way.id} does not pass the edge at {tuple(cell)}"
    if (way.enters is None or way.leaves is None) and "joins" not in way.facts:
        yield f"{way.id} ends inside the board"
    heights, forced = found.select_cells(*HEIGHTS), {tuple(cell) for cell in way.facts.get("forced", ())}
    if {tuple(cell) for cell in way.cells if cell in heights} != forced:
        yield f"{way.id} passes hills that its record does not name"
    if any(cell in heights for cell in way.beside if cell):
        yield f"{way.id} has its second bank on a hill"
    if way.kind is not Kind.RIVER and found.select_cells(Kind.LAKE) & set(way.cells):
        yield f"{way.id} enters a lake"
    if "joins" in way.facts:
        place = next(piece for piece in found.placings if piece.id == way.facts["joins"])
        earlier = found.ways[: found.ways.index(way)]
        roads = {cell for other in earlier if other.kind in ROADS for cell in other.cells}
        if way.cells[0] not in place.cells or way.cells[-1] not in roads:
            yield f"{way.id} does not join {place.id} to a road"


def _passages(found: Sketch) -> Iterator[str]:
    """Every run of shared areas is passed once, and nothing else is (PW2-42, PW2-61, PW2-62)."""
    ways = {way.id: way for way in found.ways}
    for passage in found.passages:
        way, water = ways[passage.way], ways[passage.water]
        covered = {*water.cells, *water.beside}
        if water.kind not in CROSSED_BY[passage.kind]:
            yield f"{passage.id} passes a {water.kind}"
        if not passage.cells or not set(passage.cells) <= set(way.cells) & covered:
            yield f"{passage.id} does not lie where {way.id} and {water.id} meet"
    for way in found.ways:
        own = way.cells if way.leaves is not None else way.cells[:-1]
        for kinds, others in _crossed(found, way):
            shared = {cell for other in others for cell in (*other.cells, *other.beside)} & set(own)
            here = [each for each in found.passages if each.way == way.id and each.kind in kinds]
            passed = {cell for passage in here for cell in passage.cells}
            if not passed <= shared or (shared and not passed):
                yield f"{way.id} lacks a crossing"


def _crossed(found: Sketch, way: CellCourse) -> Iterator[tuple[tuple[Kind, ...], list[CellCourse]]]:
    if way.kind in ROADS:
        yield (Kind.FORD, Kind.BRIDGE), list(found.select_courses(Kind.RIVER))
    if way.kind is Kind.RAILWAY:
        yield (Kind.RAILWAY_BRIDGE,), list(found.select_courses(Kind.RIVER))
        yield (Kind.LEVEL_CROSSING,), list(found.select_courses(*ROADS))


def _fields(found: Sketch) -> Iterator[str]:
    """A field lies on nothing else, and next to its place or to another field of it (PW2-72, PWA-16)."""
    places = {place.id: place for place in found.of(*HABITATION)}
    for field in found.of(*FIELDS):
        if len(found.features_at(field.cells[0])) > 1 or found.courses_at(field.cells[0]):
            yield f"{field.id} lies on something"
        if field.told.get("by") == "beside":
            place = places[field.told["of"]]
            own = {cell for other in found.of(*FIELDS) if other.told.get("of") == place.id for cell in other.cells}
            if not set(neighbours(found.grid, field.cells[0])) & (set(place.cells) | own - set(field.cells)):
                yield f"{field.id} does not lie beside {place.id}"


def unlikely(counts: Mapping[int, int]) -> bool:
    """Return whether the scores of a die are further from fair than one fair die in ten thousand."""
    total, sides = sum(counts.values()), 6
    expected = total / sides
    found = sum((counts.get(score, 0) - expected) ** 2 / expected for score in range(1, sides + 1))
    freedom = sides - 1
    # The approximation of Wilson and Hilferty to chi-square.
    return found > freedom * (1 - 2 / (9 * freedom) + UNLIKELY * math.sqrt(2 / (9 * freedom))) ** 3


def page(boards: Sequence[Board]) -> str:
    """Return the page as Markdown."""
    return "\n".join((HEAD, *_lines(boards))) + "\n"


def _lines(boards: Sequence[Board]) -> Iterator[str]:
    failed = [each for each in boards if each.faults]
    yield f"`portable-2`, {len(boards)} boards, seeds {boards[0].seed} to {boards[-1].seed}: {len(failed)} failed."
    yield ""
    yield "| Kind | On boards | In all | Most |"
    yield "| --- | ---: | ---: | ---: |"
    for kind in sorted({kind for each in boards for kind in each.kinds}):
        counts = [each.kinds[kind] for each in boards]
        yield f"| {kind} | {sum(map(bool, counts))} | {sum(counts)} | {max(counts)} |"
    yield ""
    yield "| Dice of | 1 | 2 | 3 | 4 | 5 | 6 | Fair |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    for clause, counts in _dice(boards).items():
        row = " | ".join(str(counts[score]) for score in range(1, 7))
        yield f"| {clause} | {row} | {'no' if unlikely(counts) else 'yes'} |"
    if failed:
        yield ""
        yield "| Seed | Fault |"
        yield "| ---: | --- |"
        for each in failed:
            yield from (f"| {each.seed} | {' '.join(fault.split()).replace('|', '/')} |" for fault in each.faults)


def _dice(boards: Sequence[Board]) -> dict[str, Counter[int]]:
    found: dict[str, Counter[int]] = {}
    for each in boards:
        for (clause, score), count in each.dice.items():
            found.setdefault(clause, Counter())[score] += count
    return dict(sorted(found.items()))


def played(seeds: range, processes: int) -> Iterator[Board]:
    """Yield the boards in the order of their seeds, however many processes lay them out."""
    if processes == 1:
        yield from map(laid_out, seeds)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(laid_out, seeds, chunksize=64)


def main(arguments: Sequence[str]) -> int:
    """Write the page; 1 where a board failed or a die is not fair."""
    parser = argparse.ArgumentParser(prog="soak_portable", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("boards", type=int, nargs="?", default=20000)
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where the page goes")
    asked = parser.parse_args(arguments)
    if min(asked.boards, asked.processes) < 1 or asked.first < 0:
        parser.error("boards and processes are at least 1, and no seed is under 0")
    boards = []
    for each in played(range(asked.first, asked.first + asked.boards), asked.processes):
        boards.append(each)
        for fault in each.faults:
            print(f"seed {each.seed}: {fault}", file=sys.stderr)
    asked.page.parent.mkdir(parents=True, exist_ok=True)
    asked.page.write_text(page(boards), encoding="utf-8", newline="\n")
    unfair = [clause for clause, counts in _dice(boards).items() if unlikely(counts)]
    return 1 if unfair or any(each.faults for each in boards) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
