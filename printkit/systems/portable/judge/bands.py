"""Checks of courses of version 1: slots and stations of the edge, bands and chains (PW1-10..PW1-25, PW1-61)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

import shapely
from shapely import LineString, Point
from shapely.ops import substring

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, combine_checks
from printkit.systems.portable.grid.bands import axis, find_crossed_cells
from printkit.systems.portable.grid.edges import EdgePosition, edge_cell, edge_point, find_end_cells
from printkit.systems.portable.grid.sketch import HEIGHTS, ROADS, CellCourse
from printkit.systems.portable.judge.case import Check, PortableCase, cells_of
from printkit.systems.portable.judge.courses import (
    WIDTH_CHECKS,
    check_chain,
    check_ends,
    check_river_width,
    check_round_hills,
    same_cells_check,
)
from printkit.systems.portable.judge.grid import find_inner_ends
from printkit.terrain.field.features import Course, Kind


def _check_edge_to_edge(case: PortableCase) -> Faults:
    """Check that a course enters and leaves the board over its edge (PW1-10)."""
    for course in case.find_courses(Kind.RIVER, *ROADS):
        for end in find_inner_ends(case, course):
            yield Sentence("{course} ends on the board, at {x:.0f}, {y:.0f} mm", course=course.id, x=end.x, y=end.y)


def _check_slot(word: str, case: PortableCase) -> Faults:
    """Yield courses that do not enter or leave through the side or corner of their die.

    ``word`` is ``entry`` or ``exit``.
    """
    for course, log_course in case.pair_courses():
        slot = _edge_position(log_course, word).slot
        # The half of the course with its entry, or the half with its exit.
        start, end = (0.0, 0.5) if word == "entry" else (0.5, 1.0)
        half = substring(course.line, start, end, normalized=True)
        distance = half.distance(_slot_line(case, slot))
        if distance > case.rules.limit("off_slot") and not _enters_past_hills(case, course, log_course, word):
            yield Sentence(
                "{course} is {off:.1f} areas away from {slot}",
                course=course.id,
                off=distance / case.grid.cell,
                slot=slot,
            )


def _enters_past_hills(case: PortableCase, course: Course, log_course: CellCourse, word: str) -> bool:
    """Return whether a chain enters or leaves through the first area clockwise without hills (PWA-11).

    ``word`` is ``entry`` or ``exit``.
    """
    if log_course.band is not None:
        return False
    entry, exit_ = (_edge_position(log_course, end) for end in ("entry", "exit"))
    end_cells = find_end_cells(case.grid, entry, exit_, case.find_cells(*HEIGHTS))
    index, position = (0, entry) if word == "entry" else (-1, exit_)
    return cells_of(course)[index] == end_cells[index] != edge_cell(case.grid, position)


def _edge_position(log_course: CellCourse, word: str) -> EdgePosition:
    """Return where a course of the log enters or leaves; ``word`` is ``entry`` or ``exit``."""
    facts = log_course.facts["from" if word == "entry" else "to"]
    return EdgePosition(facts["slot"], facts["share"])


def _find_border_point(case: PortableCase, course: Course, word: str) -> Point:
    """Return the point, in mm on the board, where a course crosses the edge, at its ``entry`` or ``exit``.

    If no part of its line is on the board, return the end of the line. ``word`` is ``entry`` for the start of the line,
    ``exit`` for its end.
    """
    inside = course.line.intersection(case.hull)
    end = Point(course.line.coords[0 if word == "entry" else -1])
    if inside.is_empty:
        return end
    points = shapely.points(shapely.get_coordinates(inside))
    nearest: Point = points[int(shapely.distance(points, end).argmin())]
    return nearest


def _slot_line(case: PortableCase, slot: str) -> Point | LineString:
    """Return a corner as a point, or a side as a line, in mm on the bounding rectangle of the grid.

    ``slot`` is the name of a side or corner, for example ``top`` or ``top-right``.
    """
    if "-" in slot:
        return Point(edge_point(case.grid, EdgePosition(slot)))
    return LineString([edge_point(case.grid, EdgePosition(slot, 0.0)), edge_point(case.grid, EdgePosition(slot, 1.0))])


def _check_stations(case: PortableCase) -> Faults:
    """Check that a course enters and leaves at the stations of its dice (PW1-13, PWA-02)."""
    most = case.rules.limit("off_station")
    for course, log_course in case.pair_courses():
        for word in ("entry", "exit") if log_course.band is not None else ():
            position, border_point = _edge_position(log_course, word), _find_border_point(case, course, word)
            # The edge of a hex grid is not straight, so compare with the axis of the band and not with the station
            # itself.
            if "-" not in position.slot and _extended_axis(case, log_course).distance(border_point) > most:
                yield Sentence(
                    "{course}: the {word} is {distance:.1f} areas away from its position",
                    course=course.id,
                    word=Sentence("entry") if word == "entry" else Sentence("exit"),
                    distance=border_point.distance(Point(edge_point(case.grid, position))) / case.grid.cell,
                )
    yield from check_ends(case)


def _extended_axis(case: PortableCase, log_course: CellCourse) -> LineString:
    """Return the centre line of a band in mm on the board, two areas longer at both ends."""
    assert log_course.band is not None
    return axis(log_course.band, extension_mm=2 * case.grid.cell)


def _width_check(*kinds: Kind) -> Check:
    """Return the check that bands of these kinds have the requested width, in areas."""

    def check(case: PortableCase) -> Faults:
        """Yield courses whose width differs from the log by more than the limit."""
        for course, log_course in case.pair_courses(*kinds):
            if log_course.band is not None and abs(course.width - log_course.width * case.grid.cell) > case.rules.limit(
                "off_width"
            ):
                yield Sentence(
                    "{course} is drawn {cells:.2f} areas wide, not {width:g}",
                    course=course.id,
                    cells=course.width / case.grid.cell,
                    width=log_course.width,
                )

    return check


def _check_courses(case: PortableCase) -> Faults:
    """Check that a course is a straight band, or a chain of areas through their sides (PW1-15)."""
    most = case.rules.limit("off_band") + case.rules.slack("off_band")
    for course, log_course in case.pair_courses():
        if log_course.band is None:
            yield from check_chain(case, course)
            continue
        line, straight = course.line.intersection(case.hull), _extended_axis(case, log_course)
        if shapely.hausdorff_distance(shapely.union(line, straight), straight) > most:
            yield Sentence("{course} is not a straight band from its entry to its exit", course=course.id)
    yield from same_cells_check()(case)


def _check_length(case: PortableCase) -> Faults:
    """Check that each course runs through at least ``least_areas`` areas, a number of the rules (PW1-17).

    A band along the edge of the board counts as 0 areas. A course with the note ``short`` in the log is not checked.
    """
    noted_ids = {note.feature for note in case.sketch_after("roads").notes if note.key == "short"}
    for course, log_course in case.pair_courses():
        is_short = len(cells_of(course)) < case.rules.number("least_areas")
        if log_course.band is not None and log_course.id not in noted_ids:
            is_short = is_short or len(find_crossed_cells(case.grid, log_course.band)) < case.rules.number(
                "least_areas"
            )
        if is_short and log_course.id not in noted_ids:
            yield Sentence("{course} runs through {count} areas", course=course.id, count=len(cells_of(course)))


def _check_round_hills(case: PortableCase) -> Faults:
    """Check that courses placed after the hills go round them (PWA-11).

    Raises:
        UnseenError: rivers and roads were placed first.
    """
    if case.stated_setting("pw1.order") != "hills-first":
        raise UnseenError("rivers and roads were placed first")
    yield from same_cells_check()(case)


CHECKS: Final[Mapping[str, Check]] = {
    "PW1-10": _check_edge_to_edge,
    "PW1-11": partial(_check_slot, "entry"),
    "PW1-12": partial(_check_slot, "exit"),
    "PW1-13": _check_stations,
    "PW1-14": check_river_width,
    "PW1-15": _check_courses,
    "PW1-17": _check_length,
    "PW1-20": combine_checks(_width_check(*ROADS), WIDTH_CHECKS["PW1-20"], same_cells_check(*ROADS)),
    "PW1-25": same_cells_check(),
    "PW1-61": check_round_hills,
    "PWA-02": _check_stations,
    "PWA-03": _width_check(Kind.RIVER),
    "PWA-11": _check_round_hills,
}
