"""Rivers, roads and tracks of version 1 (PW1-10..PW1-20, PW1-61), and their crossings (PW1-21, PW1-22)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.systems.portable.grid.bands import Ends, axis, filled, meeting, passed, shares
from printkit.systems.portable.grid.counting import since
from printkit.systems.portable.grid.edges import EdgePosition, Slot, edge_cell, free_edge_cell, outer_side, point
from printkit.systems.portable.grid.overrides import CourseSpec, End
from printkit.systems.portable.grid.routes import LEFT, Ways, stretches, widened
from printkit.systems.portable.grid.sketch import CellCourse, Passage, Sketch, SketchNote
from printkit.systems.portable.version1.terms import Version1Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid

# --- Where roads of version 1 cross rivers, and whether by ford or bridge (PW1-21, PW1-22) ----------------------------


class _Meeting(Struct, frozen=True):
    """A place where a road meets a river.

    Attributes:
        along: distance along the road, as a length or as an index of its areas.
        cells: the areas that road and river share there.
        at: the point in mm; None if both are chains of areas.
    """

    along: float
    river: str
    cells: tuple[Cell, ...]
    at: tuple[float, float] | None


def crossings(terms: Version1Terms, sketch: Sketch, road: CellCourse, given: CourseSpec, dice: Dice) -> Sketch:
    """Return the sketch with all river crossings of a road; roll for each that is not given.

    Raises:
        ScenarioError: the line gives more crossings than there are.
    """
    met = sorted(
        (found for river in sketch.ways_of(Kind.RIVER) for found in _meetings(sketch.grid, road, river)),
        key=lambda found: found.along,
    )
    if len(given.crossings) > len(met):
        raise ScenarioError(
            "{place} gives {given} crossings, but {road} has {met}",
            place=given.place,
            given=len(given.crossings),
            road=road.id,
            met=len(met),
        )
    for number, found in enumerate(met, 1):
        mark = len(dice.log)
        reason = Sentence("crossing {number:d} of {road}, over {river}", number=number, road=road.id, river=found.river)
        kind = terms.crossing(given.crossings, number - 1, reason, dice)
        thrown = dice.log[mark:]
        passage = Passage(
            id=sketch.next_id(kind.value),
            kind=kind,
            way=road.id,
            water=found.river,
            cells=found.cells,
            at=found.at,
            throws=since(dice, mark),
            clauses=("PW1-21",),
            told={"score": int(thrown[-1].answer) if thrown else None},
        )
        sketch = sketch.put(passage)
    return sketch


def _meetings(grid: Grid, road: CellCourse, river: CellCourse) -> Iterator[_Meeting]:
    """Yield the meetings of a road and a river: points where lines cross, or runs of shared areas."""
    if road.band is not None and river.band is not None:
        at = meeting(grid, road.band, river.band)
        if at is not None:
            yield _Meeting(axis(road.band).project(Point(at)), river.id, _cells_at(grid, at), at)
    elif road.band is None and river.band is None:
        for along, cells in stretches(road.cells, {*river.cells, *filter(None, river.beside)}):
            yield _Meeting(along, river.id, cells, None)
    else:
        line = _line(grid, road)
        met = line.intersection(_line(grid, river))
        for place in () if met.is_empty else shapely.get_parts(met):
            middle = place.centroid
            at = (middle.x, middle.y)
            yield _Meeting(line.project(middle), river.id, _cells_at(grid, at), at)


def _line(grid: Grid, way: CellCourse) -> LineString:
    """Return the centre line of a band, or the line through the areas of a chain and its two outer sides."""
    if way.band is not None:
        return axis(way.band)
    points = [grid.centre(cell) for cell in way.cells]
    for side, cell, at in ((way.enters, way.cells[0], 0), (way.leaves, way.cells[-1], len(points) + 1)):
        if side is not None:
            middle = grid.face(cell, side).interpolate(0.5, normalized=True)
            points.insert(at, (middle.x, middle.y))
    return LineString(points)


def _cells_at(grid: Grid, at: tuple[float, float]) -> tuple[Cell, ...]:
    cell = grid.at(*at)
    return (cell,) if cell is not None else ()


# Ends closer than this, in mm, are the same place.
_ONE_PLACE: Final = 1e-6

# Maximum number of new rolls for the exit of a course that is too short (PW0-11).
_PATIENCE: Final = 60

_CLAUSES: Final = ("PW1-11", "PW1-12", "PW1-13", "PW1-15")


class _Run(Struct, frozen=True, kw_only=True):
    """Where a course enters and leaves the board.

    Attributes:
        scores: by name; None where the value was given or not needed.
        again: how many times the exit was rolled again.
    """

    entry: EdgePosition
    exit: EdgePosition
    scores: Mapping[str, int | None]
    again: int = 0


def rivers(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its rivers; each is complete before the next is rolled (PW1-16, PWA-12)."""
    for _, given in terms.asked("river", terms.given.rivers):
        name = sketch.next_id("river")
        sketch = sketch.put(*_river(terms, sketch, given, name, dice))
    return sketch


def roads(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its roads or tracks and their river crossings (PW1-20..PW1-22)."""
    for _, given in terms.asked("road", terms.given.roads):
        kind = given.kind or terms.country.way
        name = sketch.next_id(kind.value)
        mark = len(dice.log)
        run, notes = _run(terms, given, name, dice)
        way, more = _course(terms, sketch, _Plan(name, kind, run, terms.rules.number("road_width")), dice)
        way = replace(way, throws=since(dice, mark), clauses=(*_CLAUSES, "PW1-20"))
        sketch = crossings(terms, sketch.put(way, *notes, *more), way, given, dice)
    return sketch


class _Plan(Struct, frozen=True):
    """A course to place.

    Attributes:
        width: drawn width, in areas.
        areas: width in whole areas by the rules.
    """

    name: str
    kind: Kind
    run: _Run
    width: float
    areas: int = 1


def _river(
    terms: Version1Terms, sketch: Sketch, given: CourseSpec, name: str, dice: Dice
) -> Iterator[CellCourse | SketchNote]:
    if given.kind is not None or given.crossings:
        raise ScenarioError("{place}: kind and crossings are for roads, not rivers", place=given.place)
    mark = len(dice.log)
    run, notes = _run(terms, given, name, dice)
    areas, score = given.width, None
    if areas is None and terms.rules.choice("river-areas") != "die":
        areas = int(terms.rules.choice("river-areas"))
    if areas is None:
        areas = int(terms.rules.outcomes("width").roll(dice, Sentence("width of {course}", course=name)))
        score = int(dice.log[-1].answer)
    width = terms.rules.number("river_width") + (areas - 1) * terms.rules.number("wider_river")
    way, more = _course(terms, sketch, _Plan(name, Kind.RIVER, run, width, areas), dice)
    yield replace(
        way,
        throws=since(dice, mark),
        clauses=(*_CLAUSES, "PW1-14"),
        told={**way.told, "areas": areas, "width_score": score},
    )
    yield from notes
    yield from more


def _run(terms: Version1Terms, given: CourseSpec, name: str, dice: Dice) -> tuple[_Run, tuple[SketchNote, ...]]:
    """Roll for ends that are not given; roll short courses' exits again (PW1-16, PW1-17)."""
    for said in (given.start, given.end):
        if said.quarter is not None or said.cell is not None:
            raise ScenarioError(
                "{place}: version 1 uses sides and corners of the board, for example from top 3 to left",
                place=given.place,
            )
    entry_of, exit_of = Sentence("entry of {course}", course=name), Sentence("exit of {course}", course=name)
    entry, entry_score = _slot(terms, given.start, None, entry_of, dice)
    exit_, exit_score = _slot(terms, given.end, entry, exit_of, dice)
    start, start_score = _station(terms, given.start, entry, entry_of, dice)
    end, end_score = _station(terms, given.end, exit_, exit_of, dice)
    again = 0
    fixed = bool(given.end.slot) and (exit_.is_corner or given.end.score is not None or given.end.share is not None)
    while _is_short(terms, start, end) and not fixed and again < _PATIENCE:
        again += 1
        exit_of = Sentence("exit of {course} again", course=name)
        exit_, exit_score = _slot(terms, given.end, entry, exit_of, dice)
        end, end_score = _station(terms, given.end, exit_, exit_of, dice)
    if math.dist(point(terms.grid, start), point(terms.grid, end)) < _ONE_PLACE:
        raise ScenarioError(
            "{place}: {name} would enter and leave at the same place; choose another end", place=given.place, name=name
        )
    scores = {"entry": entry_score, "exit": exit_score, "entry_station": start_score, "exit_station": end_score}
    notes = (SketchNote(key="short", clause="PW1-17", feature=name),) if _is_short(terms, start, end) else ()
    return _Run(entry=start, exit=end, scores=scores, again=again), notes


def _slot(
    terms: Version1Terms, given: End, entry: Slot | None, reason: Sentence, dice: Dice
) -> tuple[Slot, int | None]:
    if given.slot:
        return terms.ring.slot(given.slot), None

    def named(score: int) -> Slot:
        return terms.ring.entry(score) if entry is None else terms.ring.exit(entry, score)

    score = dice.d6(reason, "PW1-11" if entry is None else "PW1-12", brings=lambda die: named(die).name)
    return named(score), score


def _station(
    terms: Version1Terms, given: End, slot: Slot, reason: Sentence, dice: Dice
) -> tuple[EdgePosition, int | None]:
    if slot.is_corner:
        return EdgePosition(slot.name), None
    if given.share is not None:
        return EdgePosition(slot.name, given.share), None
    if given.score is not None:
        return EdgePosition(slot.name, terms.ring.station(given.score)), None
    score = dice.d6(
        Sentence("station of the {reason}", reason=reason),
        "PW1-13",
        brings=lambda die: Sentence("{share} of the side", share=f"{terms.ring.station(die):.0%}"),
    )
    return EdgePosition(slot.name, terms.ring.station(score)), score


def _is_short(terms: Version1Terms, start: EdgePosition, end: EdgePosition) -> bool:
    """Return whether a course passes too few areas (PW1-17).

    It passes none if both ends coincide or are on the same edge.
    """
    ends = (point(terms.grid, start), point(terms.grid, end))
    return len(passed(terms.grid, ends)) < terms.rules.number("least_areas")


def _course(terms: Version1Terms, sketch: Sketch, plan: _Plan, dice: Dice) -> tuple[CellCourse, tuple[SketchNote, ...]]:
    """Return a straight band; or a chain of areas, by a setting or because hills are in the way (PW1-15)."""
    ends: Ends = (point(terms.grid, plan.run.entry), point(terms.grid, plan.run.exit))
    covered = shares(terms.grid, ends, plan.width)
    cells = filled(terms.grid, ends, covered, sliver=terms.sliver, least=terms.rules.number("least_areas"))
    hills = sketch.cells_of(Kind.HILL, Kind.MOUNTAIN)
    told: dict[str, Any] = {
        "from": {"slot": plan.run.entry.slot, "share": plan.run.entry.share},
        "to": {"slot": plan.run.exit.slot, "share": plan.run.exit.share},
        "scores": dict(plan.run.scores),
        "again": plan.run.again,
        "course": "straight",
    }
    if terms.rules.choice("pw1.course") == "straight" and not hills.intersection(cells):
        way = CellCourse(
            id=plan.name, kind=plan.kind, cells=cells, width=plan.width, band=ends, shares=covered, told=told
        )
        return way, ()
    return _chain(terms, plan, hills, ends, {**told, "course": "chain"}, dice)


def _chain(
    terms: Version1Terms, plan: _Plan, hills: frozenset[Cell], ends: Ends, told: Mapping[str, Any], dice: Dice
) -> tuple[CellCourse, tuple[SketchNote, ...]]:
    """Return a course as a chain of areas that avoids hills (PW1-61, PWA-11)."""
    grid = terms.grid
    first, last = (
        free_edge_cell(grid, edge_cell(grid, stand), hills) or edge_cell(grid, stand)
        for stand in (plan.run.entry, plan.run.exit)
    )
    mark = len(dice.log)
    route = terms.detours(always=True).course(Ways(grid=grid, barred=hills), first, last, dice=dice, name=plan.name)
    if route is None:
        raise ScenarioError(
            "{plan} finds no route from {first} to {last}", plan=plan.name, first=tuple(first), last=tuple(last)
        )
    thrown = dice.log[mark:]
    detour = {"detour": int(thrown[-1].answer)} if thrown else {}
    beside = widened(grid, route.cells, barred=hills, bank=LEFT) if plan.areas > 1 else ()
    way = CellCourse(
        id=plan.name,
        kind=plan.kind,
        cells=route.cells,
        width=plan.width,
        enters=outer_side(grid, first, ends[0]),
        leaves=outer_side(grid, last, ends[1]),
        beside=beside,
        told={**told, **detour},
    )
    notes = (SketchNote(key="forced", clause="PW1-61", feature=plan.name),) if route.forced else ()
    return way, notes
