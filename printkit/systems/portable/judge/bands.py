"""Checks of courses of version 1: slots and stations of the edge, bands and chains (PW1-10..PW1-25, PW1-61)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, combine_checks
from printkit.systems.portable.grid.bands import axis, passed
from printkit.systems.portable.grid.edges import EdgePosition, edge_cell, free_edge_cell, point
from printkit.systems.portable.grid.sketch import HEIGHTS, ROADS, CellCourse
from printkit.systems.portable.judge.case import Check, PortableCase, cells_of
from printkit.systems.portable.judge.courses import chained, ends, narrow, round_hills, same_cells, width_of_rivers
from printkit.systems.portable.judge.grid import ends_inside
from printkit.terrain.field.features import Course, Kind


def _from_edge_to_edge(case: PortableCase) -> Faults:
    """PW1-10: a course enters and leaves the board over its edge."""
    for course in case.drawn(Kind.RIVER, *ROADS):
        for end in ends_inside(case, course):
            yield Sentence("{course} ends on the board, at {x:.0f}, {y:.0f} mm", course=course.id, x=end.x, y=end.y)


def _slot(word: str, case: PortableCase) -> Faults:
    """Yield courses that do not enter or leave through the side or corner of their die."""
    for course, way in case.pairs():
        slot = _stand(way, word).slot
        off = _half(course, word).distance(_side(case, slot))
        if off > case.rules.limit("off_slot") and not _past_hills(case, course, way, word):
            yield Sentence(
                "{course} is {off:.1f} areas away from {slot}", course=course.id, off=off / case.grid.cell, slot=slot
            )


def _past_hills(case: PortableCase, course: Course, way: CellCourse, word: str) -> bool:
    """Return whether a chain enters or leaves through the first area clockwise without hills (PWA-11)."""
    due, heights = edge_cell(case.grid, _stand(way, word)), case.cells(*HEIGHTS)
    if way.band is not None or due not in heights:
        return False
    return cells_of(course)[0 if word == "entry" else -1] == free_edge_cell(case.grid, due, heights)


def _stand(way: CellCourse, word: str) -> EdgePosition:
    told = way.told["from" if word == "entry" else "to"]
    return EdgePosition(told["slot"], told["share"])


def _crossed(case: PortableCase, course: Course, word: str) -> Point:
    """Return where a course crosses the edge of the board, at its entry or exit."""
    inside = course.line.intersection(case.hull)
    end = Point(course.line.coords[0 if word == "entry" else -1])
    if inside.is_empty:
        return end
    points = shapely.points(shapely.get_coordinates(inside))
    nearest: Point = points[int(shapely.distance(points, end).argmin())]
    return nearest


def _side(case: PortableCase, slot: str) -> Point | LineString:
    if "-" in slot:
        return Point(point(case.grid, EdgePosition(slot)))
    return LineString([point(case.grid, EdgePosition(slot, 0.0)), point(case.grid, EdgePosition(slot, 1.0))])


def _half(course: Course, word: str) -> BaseGeometry:
    """Return the half of a course with its entry, or the half with its exit."""
    start, end = (0.0, 0.5) if word == "entry" else (0.5, 1.0)
    return substring(course.line, start, end, normalized=True)


def _stations(case: PortableCase) -> Faults:
    """PW1-13, PWA-02: a course enters and leaves at the stations of its dice."""
    most = case.rules.limit("off_station")
    for course, way in case.pairs():
        for word in ("entry", "exit") if way.band is not None else ():
            stand, place = _stand(way, word), _crossed(case, course, word)
            # The edge of a hex grid is not straight, so compare with the axis of the band and not with the station
            # itself.
            if "-" not in stand.slot and _axis(case, way).distance(place) > most:
                yield Sentence(
                    "{course}: the {word} is {distance:.1f} areas away from its position",
                    course=course.id,
                    word=Sentence("entry") if word == "entry" else Sentence("exit"),
                    distance=place.distance(Point(point(case.grid, stand))) / case.grid.cell,
                )
    yield from ends(case)


def _axis(case: PortableCase, way: CellCourse) -> LineString:
    assert way.band is not None
    return axis(way.band, beyond=2 * case.grid.cell)


def _drawn(*kinds: Kind) -> Check:
    """Return the check that bands have the requested width, in areas."""

    def check(case: PortableCase) -> Faults:
        for course, way in case.pairs(*kinds):
            if way.band is not None and abs(course.width - way.width * case.grid.cell) > case.rules.limit("off_width"):
                yield Sentence(
                    "{course} is drawn {cells:.2f} areas wide, not {width:g}",
                    course=course.id,
                    cells=course.width / case.grid.cell,
                    width=way.width,
                )

    return check


def _courses(case: PortableCase) -> Faults:
    """PW1-15: a course is a straight band from end to end, or a chain of areas through their sides."""
    most = case.rules.limit("off_band") + case.rules.slack("off_band")
    for course, way in case.pairs():
        if way.band is None:
            yield from chained(case, course)
            continue
        line, straight = course.line.intersection(case.hull), _axis(case, way)
        if shapely.hausdorff_distance(shapely.union(line, straight), straight) > most:
            yield Sentence("{course} is not a straight band from its entry to its exit", course=course.id)
    yield from same_cells()(case)


def _long_enough(case: PortableCase) -> Faults:
    """PW1-17: a course that is too short, or along one edge, has its exit rolled again."""
    told = {note.feature for note in case.after("roads").notes if note.key == "short"}
    for course, way in case.pairs():
        few = len(cells_of(course)) < case.rules.number("least_areas")
        if way.band is not None and way.id not in told:
            few = few or len(passed(case.grid, way.band)) < case.rules.number("least_areas")
        if few and way.id not in told:
            yield Sentence("{course} runs through {count} areas", course=course.id, count=len(cells_of(course)))


def _round_hills(case: PortableCase) -> Faults:
    """PWA-11: courses that are placed after the hills go round them."""
    if case.asked("pw1.order") != "hills-first":
        raise UnseenError("rivers and roads were placed first")
    yield from same_cells()(case)


CHECKS: Final[Mapping[str, Check]] = {
    "PW1-10": _from_edge_to_edge,
    "PW1-11": partial(_slot, "entry"),
    "PW1-12": partial(_slot, "exit"),
    "PW1-13": _stations,
    "PW1-14": width_of_rivers,
    "PW1-15": _courses,
    "PW1-17": _long_enough,
    "PW1-20": combine_checks(_drawn(*ROADS), narrow(*ROADS), same_cells(*ROADS)),
    "PW1-25": same_cells(),
    "PW1-61": round_hills,
    "PWA-02": _stations,
    "PWA-03": _drawn(Kind.RIVER),
    "PWA-11": _round_hills,
}
