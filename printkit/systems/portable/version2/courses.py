"""Courses of version 2: from edge to edge round hills, and where they cross each other (PW2-33..PW2-35, PW2-42)."""

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
    """Return the reason for the die that decides the width of a river."""
    return Sentence("width of {course}", course=name)


def bank_of(name: str) -> Sentence:
    """Return the reason for the die that decides on which bank a river is wider."""
    return Sentence("bank of {course}, going downstream", course=name)


# The dice of a course that the record keeps, by key; each function returns the reason in the log.
_DICE: Final = {"width_score": width_of, "bank_score": bank_of, "detour": round_the_hills}


class SharedRun(Struct, frozen=True, kw_only=True):
    """A run of areas that a course shares with another; they cross there once."""

    way: CellCourse
    cells: tuple[Cell, ...]


def ground(terms: Version2Terms, sketch: Sketch, *, kind: Kind, stage: str) -> Ways:
    """Return the costs and obstacles of a river, road or railway on the board so far (PW2-33, PW2-41).

    All of them avoid hills and mountains. They never enter the sea or areas that the scenario uses in a later stage.
    Roads and railways never enter lakes, and pay extra for marshes and rivers. Railways also pay extra for roads. The
    extra costs make them cross a river or road and not follow it.
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
    """A course to place, what the scenario gives of it, and its name in the log."""

    kind: Kind
    stage: str
    name: str
    given: CourseSpec
    clauses: tuple[str, ...]


# Takes the courses, the ends and the direct route. Returns the ID of the place to pass (or "") and the route to take.
Diversion: TypeAlias = Callable[[Ways, CourseEnds, Route], tuple[str, Route]]


def lay(
    terms: Version2Terms,
    sketch: Sketch,
    plan: CoursePlan,
    dice: Dice,
    *,
    breadth: Callable[[], Told] = dict,
    divert: Diversion = lambda _ways, _ends, direct: ("", direct),
) -> tuple[Sketch, CellCourse | None]:
    """Return the sketch with one more course from edge to edge, and the course.

    If there is no route, return the sketch with a note, and None.

    Args:
        breadth: rolls for the width, after the dice of the ends and before the detour die (PW2-37).
        divert: leads the course out of its way.
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
    """Return where a course enters and leaves the board (PW2-30..PW2-32).

    If hills leave fewer than two free areas on the edge, areas with hills are allowed too (PW2-35).
    """
    edge = GridEdge(grid=terms.grid, quarters=Quarters.of(terms.rules))
    taken = ways.barred | ways.closed
    rim = {cell for along in edge_cells(terms.grid) for cell in along}
    if len(rim - taken) < len(CourseEnds._fields):
        taken = ways.closed
    return edge.mouths(plan.given, name=plan.name, taken=taken, dice=dice)


def facts(ends: CourseEnds, route: Route, thrown: Sequence[Throw], *, name: str) -> Told:
    """Return the facts about a course for the record: its ends, the hills it had to cross, and its dice."""
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
    """Return all areas of some courses, including the second areas of wide rivers."""
    return frozenset(cell for way in ways for cell in (*way.cells, *way.beside) if cell is not None)


def runs(cells: Sequence[Cell], others: Sequence[CellCourse]) -> tuple[SharedRun, ...]:
    """Return where a chain crosses other courses, in travel order: each run of shared areas once (PW2-42).

    If several courses use the same area, the chain crosses the first of them.
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
