"""Courses of version 2: from edge to edge round hills, and where they cross each other (PW2-33..PW2-35, PW2-42)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.chance.dice import Dice, Throw
from printkit.core.errors import Sentence
from printkit.systems.portable.grid.counting import PlacementFacts, log_positions
from printkit.systems.portable.grid.edges import CourseEnds, GridEdge, Quarters, address, edge_cells
from printkit.systems.portable.grid.overrides import CourseSpec
from printkit.systems.portable.grid.routes import Route, RouteGround, detour_reason, find_runs, widen_river
from printkit.systems.portable.grid.sketch import HEIGHTS, ROADS, CellCourse, Sketch, SketchNote
from printkit.systems.portable.version2.terms import Version2Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

SWAMPS: Final = (Kind.MARSH, Kind.SWAMP)


def width_reason(name: str) -> Sentence:
    """Return the reason for the die that decides the width of a river.

    ``name`` is that of the course, for example "river 1".
    """
    return Sentence("width of {course}", course=name)


def bank_reason(name: str) -> Sentence:
    """Return the reason for the die that decides on which bank a river is wider.

    ``name`` is that of the course, for example "river 1".
    """
    return Sentence("bank of {course}, going downstream", course=name)


# The dice of a course that the record keeps, by key; each function returns the reason in the log.
_DICE: Final = {"width_score": width_reason, "bank_score": bank_reason, "detour": detour_reason}


class SharedRun(Struct, frozen=True, kw_only=True):
    """A run of areas that a course shares with another; they cross there once."""

    course: CellCourse
    cells: tuple[Cell, ...]


def build_route_ground(terms: Version2Terms, sketch: Sketch, *, kind: Kind, stage: str) -> RouteGround:
    """Return the costs and obstacles of a river, road or railway on the board so far (PW2-33, PW2-41).

    All of them avoid hills and mountains. They never enter the sea or areas that the scenario uses in a later stage.
    Roads and railways never enter lakes, and pay extra for marshes and rivers. Railways also pay extra for roads. The
    extra costs make them cross a river or road and not follow it.
    """
    closed = sketch.select_cells(Kind.SEA) | terms.reserved_cells(stage)
    extra: dict[Cell, int] = {}
    if kind is not Kind.RIVER:
        closed |= sketch.select_cells(Kind.LAKE)
        marsh = terms.rules.whole("cost_marsh") - 1
        extra |= dict.fromkeys(sorted(sketch.select_cells(*SWAMPS)), marsh)
        _add_costs(extra, find_covered_cells(sketch.select_courses(Kind.RIVER)), terms.rules.whole("extra_river"))
    if kind is Kind.RAILWAY:
        _add_costs(extra, find_covered_cells(sketch.select_courses(*ROADS)), terms.rules.whole("extra_road"))
    return RouteGround(
        grid=terms.grid,
        barred_cells=sketch.select_cells(*HEIGHTS),
        closed=closed,
        extra=extra,
    )


class CoursePlan(Struct, frozen=True, kw_only=True):
    """A course to place, what the scenario gives of it, and its name in the log."""

    kind: Kind
    stage: str
    name: str
    spec: CourseSpec
    clauses: tuple[str, ...]


# Takes the courses, the ends and the direct route. Returns the ID of the place to pass (or "") and the route to take.
Diversion: TypeAlias = Callable[[RouteGround, CourseEnds, Route], tuple[str, Route]]


def place_course(
    terms: Version2Terms,
    sketch: Sketch,
    plan: CoursePlan,
    dice: Dice,
    *,
    breadth: Callable[[], PlacementFacts] = dict,
    divert: Diversion = lambda _ways, _ends, direct: ("", direct),
) -> tuple[Sketch, CellCourse | None]:
    """Return the sketch with one more course from edge to edge, and the course.

    If there is no route, return the sketch with a note, and None. A course that had to cross hills also gets a note.

    Args:
        terms: the rules of the game.
        sketch: the board so far; it does not change.
        plan: the kind, name, stage, line and clauses of the course.
        dice: rolls for the ends, the width and the detour, in this order.
        breadth: rolls for the width and returns its facts, after the dice of the ends and before the detour die
            (PW2-37).
        divert: gets the ground, the ends and the direct route, and leads the course out of its way; returns the ID of
            the place to pass, or "", and the route.
    """
    mark, route_ground = len(dice.log), build_route_ground(terms, sketch, kind=plan.kind, stage=plan.stage)
    ends = _find_ends(terms, route_ground, plan, dice)
    width_facts = breadth() if ends else {}
    direct = None
    if ends is not None:
        direct = terms.detours(always=False).find_route(
            route_ground, ends.entry.cell, ends.exit.cell, dice=dice, name=plan.name
        )
    if ends is None or direct is None:
        return sketch.add(SketchNote(key="nowhere", clause="PW2-35", values={"what": plan.name})), None
    stop, route = divert(route_ground, ends, direct)
    edge = GridEdge(grid=terms.grid, quarters=Quarters.from_rules(terms.rules))
    barred_cells, bank = (
        sketch.select_cells(*HEIGHTS, Kind.SEA) | terms.reserved_cells(plan.stage),
        width_facts.get("bank"),
    )
    enters, leaves = edge.find_side(ends.entry, route.cells[1]), edge.find_side(ends.exit, route.cells[-2])
    course = CellCourse(
        id=sketch.next_id(plan.kind.value),
        kind=plan.kind,
        cells=route.cells,
        width=float(width_facts.get("width", 1)),
        enters=enters,
        leaves=leaves,
        beside=widen_river(terms.grid, route.cells, enters, leaves, barred_cells=barred_cells, bank=bank)
        if bank
        else (),
        throws=log_positions(dice, mark),
        clauses=(*plan.clauses, *(("PW2-35",) if route.forced_cells else ())),
        facts={
            **course_facts(ends, route, dice.log[mark:], name=plan.name),
            **width_facts,
            **({"stop": stop} if stop else {}),
        },
    )
    sketch = sketch.add(course)
    if route.forced_cells:
        area_text = " ".join(map(address, route.forced_cells))
        sketch = sketch.add(SketchNote(key="forced", clause="PW2-35", feature=course.id, values={"areas": area_text}))
    return sketch, course


def _find_ends(terms: Version2Terms, route_ground: RouteGround, plan: CoursePlan, dice: Dice) -> CourseEnds | None:
    """Return where a course enters and leaves the board, or None if no area is free (PW2-30..PW2-32).

    If hills leave fewer than two free areas on the edge, areas with hills are allowed too (PW2-35).
    """
    edge = GridEdge(grid=terms.grid, quarters=Quarters.from_rules(terms.rules))
    taken_cells = route_ground.barred_cells | route_ground.closed
    rim = {cell for side_cells in edge_cells(terms.grid) for cell in side_cells}
    if len(rim - taken_cells) < len(CourseEnds._fields):
        taken_cells = route_ground.closed
    return edge.find_ends(plan.spec, name=plan.name, taken_cells=taken_cells, dice=dice)


def course_facts(ends: CourseEnds, route: Route, throws: Sequence[Throw], *, name: str) -> PlacementFacts:
    """Return the facts about a course for the record: its ends, the hills it had to cross, and its dice.

    Areas are lists of column and row, from 1; scores of ends that were not rolled have the value None. ``throws`` are
    the rolls for the course, and ``name`` is its name in the log.
    """
    details: PlacementFacts = {"entry": list(ends.entry.cell), "exit": list(ends.exit.cell)}
    if ends.entry.quarter:
        details["entry_quarter"] = ends.entry.quarter
    if ends.exit.quarter:
        details["exit_quarter"] = ends.exit.quarter
    if route.forced_cells:
        details["forced"] = [list(cell) for cell in route.forced_cells]
    scores = {throw.reason: int(throw.answer) for throw in throws}
    details["scores"] = {end: scores.get(f"{end} of {name}") for end in ("entry", "exit")}
    for key, reason in _DICE.items():
        if (score := scores.get(reason(name))) is not None:
            details[key] = score
    return details


def find_covered_cells(courses: Iterator[CellCourse] | Sequence[CellCourse]) -> frozenset[Cell]:
    """Return all areas of some courses, including the second areas of wide rivers."""
    return frozenset(cell for course in courses for cell in (*course.cells, *course.beside) if cell is not None)


def runs(cells: Sequence[Cell], other_courses: Sequence[CellCourse]) -> tuple[SharedRun, ...]:
    """Return where a chain crosses other courses, in travel order: each run of areas shared with one of them (PW2-42).

    Each run has the other course and the shared areas, which are at least one.
    """
    shared_runs = [
        SharedRun(course=other, cells=run_cells)
        for other in other_courses
        for _, run_cells in find_runs(cells, find_covered_cells([other]))
    ]
    return tuple(sorted(shared_runs, key=lambda run: cells.index(run.cells[0])))


def _add_costs(extra: dict[Cell, int], cells: Collection[Cell], cost: int) -> None:
    """Add ``cost`` to the extra cost of each cell, in place."""
    for cell in sorted(cells):
        extra[cell] = extra.get(cell, 0) + cost
