"""Courses of version 2: from edge to edge round the hills, and where they pass one another (PW2-33..PW2-35, PW2-42)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.chance.dice import Dice, Throw
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import Told, since
from printkit.systems.portable.grid.edges import CourseEnds, GridEdge, Quarters, address, edge_cells
from printkit.systems.portable.grid.overrides import CourseSpec
from printkit.systems.portable.grid.routes import Route, Ways, round_the_hills, stretches, widened
from printkit.systems.portable.grid.sketch import HEIGHTS, ROADS, CellCourse, Sketch, SketchNote
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

    way: CellCourse
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
    )


class CoursePlan(Struct, frozen=True, kw_only=True):
    """A course that is to be laid, what a person gave of it, and its name in the log."""

    kind: Kind
    stage: str
    name: str
    given: CourseSpec
    clauses: tuple[str, ...]


Diversion: TypeAlias = Callable[[Ways, CourseEnds, Route], tuple[str, Route]]
"""Returns of a direct course the place that it passes, empty if none, and the course that it takes."""


def lay(
    terms: Version2Terms,
    sketch: Sketch,
    plan: CoursePlan,
    dice: Dice,
    *,
    breadth: Callable[[], Told] = dict,
    divert: Diversion = lambda _ways, _ends, direct: ("", direct),
) -> tuple[Sketch, CellCourse | None]:
    """Return the sketch with one more course from edge to edge, and the course; a note where it finds no way.

    Args:
        breadth: throws for what its width is, between the dice of its ends and that of the way round hills (PW2-37).
        divert: leads it out of its way.
    """
    mark, ways = len(dice.log), ground(terms, sketch, kind=plan.kind, stage=plan.stage)
    ends = _mouths(terms, ways, plan, dice)
    told = breadth() if ends else {}
    direct = None
    if ends is not None:
        direct = terms.detours(always=False).course(ways, ends.entry.cell, ends.exit.cell, dice=dice, name=plan.name)
    if ends is None or direct is None:
        return sketch.put(SketchNote(key="nowhere", clause="PW2-35", values={"what": plan.name})), None
    stop, route = divert(ways, ends, direct)
    edge = GridEdge(grid=terms.grid, quarters=Quarters.of(terms.rules))
    barred, bank = sketch.cells_of(*HEIGHTS, Kind.SEA) | terms.kept(plan.stage), told.get("bank")
    way = CellCourse(
        id=sketch.next_id(plan.kind.value),
        kind=plan.kind,
        cells=route.cells,
        width=float(told.get("width", 1)),
        enters=edge.side(ends.entry, route.cells[1]),
        leaves=edge.side(ends.exit, route.cells[-2]),
        beside=widened(terms.grid, route.cells, barred=barred, bank=bank) if bank else (),
        throws=since(dice, mark),
        clauses=(*plan.clauses, *(("PW2-35",) if route.forced else ())),
        told={**facts(ends, route, dice.log[mark:], name=plan.name), **told, **({"stop": stop} if stop else {})},
    )
    sketch = sketch.put(way)
    if route.forced:
        there = " ".join(map(address, route.forced))
        sketch = sketch.put(SketchNote(key="forced", clause="PW2-35", feature=way.id, values={"areas": there}))
    return sketch, way


def _mouths(terms: Version2Terms, ways: Ways, plan: CoursePlan, dice: Dice) -> CourseEnds | None:
    """Return where a course comes in and goes out (PW2-30..PW2-32).

    Where hills leave no two areas of the edge free, those with hills will do (PW2-35).
    """
    edge = GridEdge(grid=terms.grid, quarters=Quarters.of(terms.rules))
    taken = ways.barred | ways.closed
    rim = {cell for along in edge_cells(terms.grid) for cell in along}
    if len(rim - taken) < len(CourseEnds._fields):
        taken = ways.closed
    return edge.mouths(plan.given, name=plan.name, taken=taken, dice=dice)


def facts(ends: CourseEnds, route: Route, thrown: Sequence[Throw], *, name: str) -> Told:
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


def covered(ways: Iterator[CellCourse] | Sequence[CellCourse]) -> frozenset[Cell]:
    """Return every area that some courses take, those beside wide rivers too."""
    return frozenset(cell for way in ways for cell in (*way.cells, *way.beside) if cell is not None)


def runs(cells: Sequence[Cell], others: Sequence[CellCourse]) -> tuple[SharedRun, ...]:
    """Return where a chain passes other courses, in travel order: each run of shared areas once (PW2-42).

    Where others run in one area, it is the first of them that is passed there.
    """
    found: list[SharedRun] = []
    for other in others:
        for _, line in stretches(cells, covered([other])):
            if not any(set(line) & set(run.cells) for run in found):
                found.append(SharedRun(way=other, cells=line))
    return tuple(sorted(found, key=lambda run: cells.index(run.cells[0])))


def _add(extra: dict[Cell, int], cells: Collection[Cell], cost: int) -> None:
    for cell in sorted(cells):
        extra[cell] = extra.get(cell, 0) + cost
