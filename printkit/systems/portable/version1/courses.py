"""Rivers, roads and tracks of version 1 (PW1-10..PW1-20, PW1-61), and their crossings (PW1-21, PW1-22)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString, Point

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence
from printkit.systems.portable.grid.bands import (
    Ends,
    axis,
    find_board_crossing,
    find_crossed_cells,
    find_filled_cells,
    measure_shares,
)
from printkit.systems.portable.grid.counting import log_positions
from printkit.systems.portable.grid.edges import EdgePosition, Slot, edge_point, find_end_cells, outer_side
from printkit.systems.portable.grid.overrides import CourseSpec, End
from printkit.systems.portable.grid.routes import LEFT, RouteGround, find_runs, widen_river
from printkit.systems.portable.grid.sketch import CellCourse, Passage, Sketch, SketchNote
from printkit.systems.portable.version1.terms import Version1Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid

# --- Where roads of version 1 cross rivers, and whether by ford or bridge (PW1-21, PW1-22) ----------------------------


class _Meeting(Struct, frozen=True):
    """A place where a road meets a river.

    Attributes:
        distance: distance along the road, as a length or as an index of its areas.
        cells: the areas that road and river share there.
        at: the point in mm on the board; None if both are chains of areas.
    """

    distance: float
    river: str
    cells: tuple[Cell, ...]
    at: tuple[float, float] | None


def add_crossings(terms: Version1Terms, sketch: Sketch, road: CellCourse, spec: CourseSpec, dice: Dice) -> Sketch:
    """Return the sketch with all river crossings of a road, in travel order; roll for each that is not given.

    ``spec`` is the line of the road, which may give the kinds of the first crossings.

    Raises:
        ScenarioError: the line gives more crossings than there are.
    """
    road_meetings = sorted(
        (
            road_meeting
            for river in sketch.select_courses(Kind.RIVER)
            for road_meeting in _find_meetings(sketch.grid, road, river)
        ),
        key=lambda road_meeting: road_meeting.distance,
    )
    if len(spec.crossings) > len(road_meetings):
        raise ScenarioError(
            "{place} gives {given} crossings, but {road} has {met}",
            place=spec.place,
            given=len(spec.crossings),
            road=road.id,
            met=len(road_meetings),
        )
    for number, road_meeting in enumerate(road_meetings, 1):
        mark = len(dice.log)
        reason = Sentence(
            "crossing {number:d} of {road}, over {river}", number=number, road=road.id, river=road_meeting.river
        )
        kind = terms.roll_crossing(spec.crossings, number - 1, reason, dice)
        throws = dice.log[mark:]
        passage = Passage(
            id=sketch.next_id(kind.value),
            kind=kind,
            way=road.id,
            water=road_meeting.river,
            cells=road_meeting.cells,
            at=road_meeting.at,
            throws=log_positions(dice, mark),
            clauses=("PW1-21",),
            told={"score": int(throws[-1].answer) if throws else None},
        )
        sketch = sketch.add(passage)
    return sketch


def _find_meetings(grid: Grid, road: CellCourse, river: CellCourse) -> Iterator[_Meeting]:
    """Yield the meetings of a road and a river: points where lines cross, or runs of areas that both use.

    Two bands meet at a point, two chains in runs of areas, a band and a chain at points. Points are in mm on the board;
    there may be none.
    """
    if road.band is not None and river.band is not None:
        position = find_board_crossing(grid, road.band, river.band)
        if position is not None:
            yield _Meeting(axis(road.band).project(Point(position)), river.id, _find_cells(grid, position), position)
    elif road.band is None and river.band is None:
        for distance, cells in find_runs(road.cells, {*river.cells, *filter(None, river.beside)}):
            yield _Meeting(distance, river.id, cells, None)
    else:
        line = _course_line(grid, road)
        crossing_points = line.intersection(_course_line(grid, river))
        for part in () if crossing_points.is_empty else shapely.get_parts(crossing_points):
            middle = part.centroid
            position = (middle.x, middle.y)
            yield _Meeting(line.project(middle), river.id, _find_cells(grid, position), position)


def _course_line(grid: Grid, course: CellCourse) -> LineString:
    """Return the centre line of a band, or the line through the areas of a chain and its two outer sides.

    It is in mm on the board. A wide river runs between its areas and those on its bank.
    """
    if course.band is not None:
        return axis(course.band)
    centres = np.array([grid.centre(cell) for cell in course.cells])
    banks = zip(course.cells, course.beside or course.cells, strict=True)
    points = (centres + np.array([grid.centre(bank or cell) for cell, bank in banks])) / 2
    for side, index in ((course.enters, 0), (course.leaves, -1)):
        if side is not None:
            face = np.array(grid.face(course.cells[index], side).interpolate(0.5, normalized=True).coords[0])
            outer_point = face + points[index] - centres[index]
            points = np.insert(points, 0 if index == 0 else len(points), outer_point, axis=0)
    return LineString(points)


def _find_cells(grid: Grid, position: tuple[float, float]) -> tuple[Cell, ...]:
    """Return the area at a point in mm on the board; empty if the point is off the grid."""
    cell = grid.at(*position)
    return (cell,) if cell is not None else ()


# Ends closer than this, in mm, are the same place.
_ONE_PLACE: Final = 1e-6

# Maximum number of new rolls for the exit of a course that is too short (PW0-11).
_PATIENCE: Final = 60

_CLAUSES: Final = ("PW1-11", "PW1-12", "PW1-13", "PW1-15")


class _RolledEnds(Struct, frozen=True, kw_only=True):
    """Where a course enters and leaves the board.

    Attributes:
        scores: by name; None where the value was given or not needed.
        again: how many times the exit was rolled again.
    """

    entry: EdgePosition
    exit: EdgePosition
    scores: Mapping[str, int | None]
    again: int = 0


def place_rivers(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its rivers; each is complete before the next is rolled (PW1-16, PWA-12)."""
    for _, spec in terms.list_courses("river", terms.terrain.rivers):
        name = sketch.next_id("river")
        sketch = sketch.add(*_build_river(terms, sketch, spec, name, dice))
    return sketch


def place_roads(terms: Version1Terms, sketch: Sketch, dice: Dice) -> Sketch:
    """Return the sketch with its roads or tracks and their river crossings (PW1-20..PW1-22)."""
    for _, spec in terms.list_courses("road", terms.terrain.roads):
        kind = spec.kind or terms.geography.road_kind
        name = sketch.next_id(kind.value)
        mark = len(dice.log)
        run, notes = _roll_ends(terms, spec, name, dice)
        course, more_notes = _build_course(
            terms, sketch, _Plan(name, kind, run, terms.rules.number("road_width")), dice
        )
        course = replace(course, throws=log_positions(dice, mark), clauses=(*_CLAUSES, "PW1-20"))
        sketch = add_crossings(terms, sketch.add(course, *notes, *more_notes), course, spec, dice)
    return sketch


class _Plan(Struct, frozen=True):
    """A course to place.

    Attributes:
        width: drawn width, in areas.
        areas: width in whole areas by the rules.
    """

    name: str
    kind: Kind
    run: _RolledEnds
    width: float
    areas: int = 1


def _build_river(
    terms: Version1Terms, sketch: Sketch, spec: CourseSpec, name: str, dice: Dice
) -> Iterator[CellCourse | SketchNote]:
    """Yield the new river first, then any notes for the user.

    Rolls give what ``spec`` and the settings leave open. ``name`` is the ID of the river.

    Raises:
        ScenarioError: the line gives a kind or crossings, or its ends are not possible.
    """
    if spec.kind is not None or spec.crossings:
        raise ScenarioError("{place}: kind and crossings are for roads, not rivers", place=spec.place)
    mark = len(dice.log)
    run, notes = _roll_ends(terms, spec, name, dice)
    areas, score = spec.width, None
    if areas is None and terms.rules.choice("river-areas") != "die":
        areas = int(terms.rules.choice("river-areas"))
    if areas is None:
        areas = int(terms.rules.outcomes("width").roll(dice, Sentence("width of {course}", course=name)))
        score = int(dice.log[-1].answer)
    width = terms.rules.number("river_width") + (areas - 1) * terms.rules.number("wider_river")
    course, more_notes = _build_course(terms, sketch, _Plan(name, Kind.RIVER, run, width, areas), dice)
    yield replace(
        course,
        throws=log_positions(dice, mark),
        clauses=(*_CLAUSES, "PW1-14"),
        facts={**course.facts, "areas": areas, "width_score": score},
    )
    yield from notes
    yield from more_notes


def _roll_ends(
    terms: Version1Terms, spec: CourseSpec, name: str, dice: Dice
) -> tuple[_RolledEnds, tuple[SketchNote, ...]]:
    """Return both ends of a course and notes for the user; roll for what the line does not give.

    If the course is too short, roll its exit again (PW1-16, PW1-17). The ends have the scores and the number of
    repeated rolls; the notes are empty in most cases. ``spec`` is the line of the scenario, ``name`` the name of the
    course in the log.

    Raises:
        ScenarioError: an end is a quarter or an area, or both ends are the same place.
    """
    for end_spec in (spec.start, spec.end):
        if end_spec.quarter is not None or end_spec.cell is not None:
            raise ScenarioError(
                "{place}: version 1 uses sides and corners of the board, for example from top 3 to left",
                place=spec.place,
            )
    entry_of, exit_of = Sentence("entry of {course}", course=name), Sentence("exit of {course}", course=name)
    entry, entry_score = _find_slot(terms, spec.start, None, entry_of, dice)
    exit_, exit_score = _find_slot(terms, spec.end, entry, exit_of, dice)
    start, start_score = _find_position(terms, spec.start, entry, entry_of, dice)
    end, end_score = _find_position(terms, spec.end, exit_, exit_of, dice)
    again = 0
    is_fixed = bool(spec.end.slot) and (exit_.is_corner or spec.end.score is not None or spec.end.share is not None)
    while _is_short(terms, start, end) and not is_fixed and again < _PATIENCE:
        again += 1
        exit_of = Sentence("exit of {course} again", course=name)
        exit_, exit_score = _find_slot(terms, spec.end, entry, exit_of, dice)
        end, end_score = _find_position(terms, spec.end, exit_, exit_of, dice)
    if math.dist(edge_point(terms.grid, start), edge_point(terms.grid, end)) < _ONE_PLACE:
        raise ScenarioError(
            "{place}: {name} would enter and leave at the same place; choose another end", place=spec.place, name=name
        )
    scores = {"entry": entry_score, "exit": exit_score, "entry_station": start_score, "exit_station": end_score}
    notes = (SketchNote(key="short", clause="PW1-17", feature=name),) if _is_short(terms, start, end) else ()
    return _RolledEnds(entry=start, exit=end, scores=scores, again=again), notes


def _find_slot(
    terms: Version1Terms, end_spec: End, entry: Slot | None, reason: Sentence, dice: Dice
) -> tuple[Slot, int | None]:
    """Return the slot where a course enters, or leaves if it has an ``entry``, and the score of the die.

    If the line gives the slot, there is no roll, and the score is None (PW1-11, PW1-12). ``entry`` is the slot of the
    entry, None for the entry itself, and ``reason`` the reason in the log.
    """
    if end_spec.slot:
        return terms.ring.find_slot(end_spec.slot), None

    def find_slot(score: int) -> Slot:
        """Return the slot that a score gives."""
        return terms.ring.entry_slot(score) if entry is None else terms.ring.exit_slot(entry, score)

    score = dice.d6(reason, "PW1-11" if entry is None else "PW1-12", brings=lambda die: find_slot(die).name)
    return find_slot(score), score


def _find_position(
    terms: Version1Terms, end_spec: End, slot: Slot, reason: Sentence, dice: Dice
) -> tuple[EdgePosition, int | None]:
    """Return the position of an end on its slot, and the score of its station (PW1-13).

    There is no roll, and the score is None, if the slot is a corner, or if the line gives a share or a score.
    """
    if slot.is_corner:
        return EdgePosition(slot.name), None
    if end_spec.share is not None:
        return EdgePosition(slot.name, end_spec.share), None
    if end_spec.score is not None:
        return EdgePosition(slot.name, terms.ring.station(end_spec.score)), None
    score = dice.d6(
        Sentence("station of the {reason}", reason=reason),
        "PW1-13",
        brings=lambda die: Sentence("{share} of the side", share=f"{terms.ring.station(die):.0%}"),
    )
    return EdgePosition(slot.name, terms.ring.station(score)), score


def _is_short(terms: Version1Terms, start: EdgePosition, end: EdgePosition) -> bool:
    """Return whether a course passes too few areas (PW1-17).

    It passes none if both ends coincide or are on the same edge. Too few are less than a number of the rule book.
    """
    ends = (edge_point(terms.grid, start), edge_point(terms.grid, end))
    return len(find_crossed_cells(terms.grid, ends)) < terms.rules.number("least_areas")


def _build_course(
    terms: Version1Terms, sketch: Sketch, plan: _Plan, dice: Dice
) -> tuple[CellCourse, tuple[SketchNote, ...]]:
    """Return a course and notes for the user: a straight band, or a chain of areas (PW1-15).

    It is a chain if the settings want one or if hills are in the way. There are no notes for a band.
    """
    ends: Ends = (edge_point(terms.grid, plan.run.entry), edge_point(terms.grid, plan.run.exit))
    cell_shares = measure_shares(terms.grid, ends, plan.width)
    cells = find_filled_cells(
        terms.grid, ends, cell_shares, sliver=terms.sliver, least_count=terms.rules.number("least_areas")
    )
    hills = sketch.select_cells(Kind.HILL, Kind.MOUNTAIN)
    facts: dict[str, Any] = {
        "from": {"slot": plan.run.entry.slot, "share": plan.run.entry.share},
        "to": {"slot": plan.run.exit.slot, "share": plan.run.exit.share},
        "scores": dict(plan.run.scores),
        "again": plan.run.again,
        "course": "straight",
    }
    if terms.rules.choice("pw1.course") == "straight" and not hills.intersection(cells):
        course = CellCourse(
            id=plan.name, kind=plan.kind, cells=cells, width=plan.width, band=ends, shares=cell_shares, facts=facts
        )
        return course, ()
    return _build_chain(terms, plan, hills, ends, {**facts, "course": "chain"}, dice)


def _build_chain(
    terms: Version1Terms, plan: _Plan, hills: frozenset[Cell], ends: Ends, facts: Mapping[str, Any], dice: Dice
) -> tuple[CellCourse, tuple[SketchNote, ...]]:
    """Return a course as a chain of areas that avoids hills, and notes for the user (PW1-61, PWA-11).

    If hills are on the area of an end, the next area clockwise without hills is taken. A course that then has too few
    areas gets a note, like one whose ends are too close.

    Args:
        hills: the areas of hills and mountains.
        ends: where it crosses the board edge, in mm on the board.
        facts: for the record.

    Raises:
        ScenarioError: there is no route.
    """
    grid = terms.grid
    first, last = find_end_cells(grid, plan.run.entry, plan.run.exit, hills)
    mark = len(dice.log)
    route = terms.detours(always=True).find_route(
        RouteGround(grid=grid, barred_cells=hills), first, last, dice=dice, name=plan.name
    )
    if route is None:
        raise ScenarioError(
            "{plan} finds no route from {first} to {last}", plan=plan.name, first=tuple(first), last=tuple(last)
        )
    throws = dice.log[mark:]
    detour = {"detour": int(throws[-1].answer)} if throws else {}
    enters, leaves = outer_side(grid, first, ends[0]), outer_side(grid, last, ends[1])
    is_wide = plan.areas > 1
    course = CellCourse(
        id=plan.name,
        kind=plan.kind,
        cells=route.cells,
        width=plan.width,
        enters=enters,
        leaves=leaves,
        beside=widen_river(grid, route.cells, enters, leaves, barred_cells=hills, bank=LEFT) if is_wide else (),
        facts={**facts, **detour},
    )
    notes = [SketchNote(key="forced", clause="PW1-61", feature=plan.name)] if route.forced_cells else []
    if len(route.cells) < terms.rules.number("least_areas") and not _is_short(terms, plan.run.entry, plan.run.exit):
        notes.append(SketchNote(key="short", clause="PW1-17", feature=plan.name))
    return course, tuple(notes)
