"""Courses of version 2: from edge to edge round the hills, and where they pass one another (PW2-33..PW2-35, PW2-42)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice, Throw
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import Told
from printkit.systems.portable.grid.edges import GridEdge, Mouths, Quarters, address, edge_cells
from printkit.systems.portable.grid.geography import count_of
from printkit.systems.portable.grid.overrides import GivenWay
from printkit.systems.portable.grid.routes import Route, Ways, diagonals, round_the_hills
from printkit.systems.portable.grid.sketch import HEIGHTS, ROADS, Note, Sketch, Way
from printkit.systems.portable.grid.terms import DIE
from printkit.systems.portable.version2.terms import Version2Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

SWAMPS: Final = (Kind.MARSH, Kind.SWAMP)


def width_of(name: str) -> Sentence:
    """Return what the die for the width of a river is for."""
    return Sentence("width of {course}", course=name)


def bank_of(name: str) -> Sentence:
    """Return what the die for the bank on which a river is wider is for."""
    return Sentence("bank of {course}, going downstream", course=name)


_DICE: Final = {"width_score": width_of, "bank_score": bank_of, "detour": round_the_hills}
"""The dice of a course that the record tells, by their reasons."""


class SharedRun(Struct, frozen=True, kw_only=True):
    """Areas in a row that a course shares with another, which is crossed there once."""

    way: Way
    cells: tuple[Cell, ...]


def ground(terms: Version2Terms, sketch: Sketch, *, kind: Kind, stage: str) -> Ways:
    """Return what a river, road or railway meets on the board as it is (PW2-33, PW2-41).

    All go round hills and mountains, and never through the sea or areas that a person keeps for later. Roads and
    railways never go through lakes, rather not through marshes, and pay for areas of rivers, and railways for those of
    roads, so that they cross and do not follow.
    """
    closed = sketch.cells_of(Kind.SEA) | terms.kept(stage)
    extra: dict[Cell, int] = {}
    if kind is not Kind.RIVER:
        closed |= sketch.cells_of(Kind.LAKE)
        marsh = terms.rules.whole("cost_marsh") - 1
        extra |= dict.fromkeys(sorted(sketch.cells_of(*SWAMPS)), marsh)
        _add(extra, covered(sketch.ways_of(Kind.RIVER)), terms.rules.whole("extra_river"))
    if kind is Kind.RAILWAY:
        _add(extra, covered(sketch.ways_of(*ROADS)), terms.rules.whole("extra_road"))
    return Ways(
        grid=terms.grid,
        barred=sketch.cells_of(*HEIGHTS),
        closed=closed,
        extra=extra,
        diagonal=terms.diagonal,
        links=frozenset(link for way in sketch.ways for link in diagonals(terms.grid, way.cells)),
    )


def asked(terms: Version2Terms, what: str, known: Sequence[GivenWay]) -> Iterator[tuple[int, GivenWay]]:
    """Yield the number of each way that a setting asks for, or more are known, and what is known of it."""
    for place in range(max(count_of(terms.rules.choice(what)), len(known))):
        yield place + 1, known[place] if place < len(known) else GivenWay(place="")


def mouths(terms: Version2Terms, ways: Ways, given: GivenWay, *, name: str, dice: Dice) -> Mouths | None:
    """Return where a course comes in and goes out (PW2-30..PW2-32).

    Where hills leave no two areas of the edge free, those with hills will do (PW2-35).
    """
    edge = GridEdge(grid=terms.grid, quarters=Quarters.of(terms.rules))
    taken = ways.barred | ways.closed
    if len(_rim(terms) - taken) < len(Mouths._fields):
        taken = ways.closed
    return edge.mouths(given, name=name, taken=taken, dice=dice)


def across(terms: Version2Terms, ways: Ways, ends: Mouths, *, name: str, dice: Dice) -> Route | None:
    """Return the chain from the entry to the exit, round the hills (PW2-33..PW2-35); None where nothing leads there."""
    detours = terms.detours(always=terms.rules.choice("pw2.detour") == DIE)
    return detours.course(ways, ends.entry.cell, ends.exit.cell, dice=dice, name=name)


def sides(terms: Version2Terms, ends: Mouths, route: Route) -> tuple[int, int]:
    """Return the outer sides of the first and last area through which a course comes in and goes out."""
    edge = GridEdge(grid=terms.grid, quarters=Quarters.of(terms.rules))
    return edge.side(ends.entry, route.cells[1]), edge.side(ends.exit, route.cells[-2])


def facts(ends: Mouths, route: Route, thrown: Sequence[Throw], *, name: str) -> Told:
    """Return how a course came about, as the record keeps it: its ends, the hills it had to pass, and its dice."""
    found: Told = {"entry": list(ends.entry.cell), "exit": list(ends.exit.cell)}
    if ends.entry.quarter:
        found["entry_quarter"] = ends.entry.quarter
    if ends.exit.quarter:
        found["exit_quarter"] = ends.exit.quarter
    if route.forced:
        found["forced"] = [list(cell) for cell in route.forced]
    scores = {throw.reason: int(throw.answer) for throw in thrown}
    found["scores"] = {end: scores.get(f"{end} of {name}") for end in ("entry", "exit")}
    for what, reason in _DICE.items():
        if (score := scores.get(reason(name))) is not None:
            found[what] = score
    return found


def passed_hills(route: Route, name: str) -> Iterator[Note]:
    """Yield a note where a course had to pass hills (PW2-35)."""
    if route.forced:
        there = " ".join(map(address, route.forced))
        yield Note(key="forced", clause="PW2-35", feature=name, values={"areas": there})


def nowhere(what: str) -> Note:
    """Return the note that a course found no way at all."""
    return Note(key="nowhere", clause="PW2-35", values={"what": what})


def covered(ways: Iterator[Way] | Sequence[Way]) -> frozenset[Cell]:
    """Return every area that some courses take, those beside wide rivers too."""
    return frozenset(cell for way in ways for cell in (*way.cells, *way.beside) if cell is not None)


def runs(cells: Sequence[Cell], others: Sequence[Way]) -> tuple[SharedRun, ...]:
    """Return where a chain passes other courses, in travel order: each run of shared areas once (PW2-42).

    Where others run in one area, it is the first of them that is passed there.
    """
    found: list[SharedRun] = []
    for other in others:
        shared = covered([other])
        line: list[Cell] = []
        for cell in (*cells, None):
            if cell is not None and cell in shared:
                line.append(cell)
            elif line:
                if not any(set(line) & set(run.cells) for run in found):
                    found.append(SharedRun(way=other, cells=tuple(line)))
                line = []
    return tuple(sorted(found, key=lambda run: cells.index(run.cells[0])))


def _add(extra: dict[Cell, int], cells: Collection[Cell], cost: int) -> None:
    for cell in sorted(cells):
        extra[cell] = extra.get(cell, 0) + cost


def _rim(terms: Version2Terms) -> frozenset[Cell]:
    return frozenset(cell for along in edge_cells(terms.grid) for cell in along)
