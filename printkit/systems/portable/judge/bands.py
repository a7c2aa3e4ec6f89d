"""The judge of courses of version 1: slots and stations of the edge, bands and chains (PW1-10..PW1-25, PW1-61)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, both
from printkit.systems.portable.grid.bands import axis, filled, passed, shares
from printkit.systems.portable.grid.edges import Stand, edge_cell, point
from printkit.systems.portable.grid.sketch import HEIGHTS, ROADS, Way
from printkit.systems.portable.judge.case import Case, Check, cells_of
from printkit.systems.portable.judge.counting import addressed
from printkit.systems.portable.judge.courses import chains, narrow, off_its_areas, round_hills
from printkit.terrain.field.features import Course, Kind


def _ends(course: Course) -> tuple[Point, Point]:
    coords = course.line.coords
    return Point(coords[0]), Point(coords[-1])


def _from_edge_to_edge(case: Case) -> Faults:
    """PW1-10: a course comes onto the board over its edge, and leaves over it."""
    ground = case.hull.buffer(-case.rules.length("off_width"))
    for course in case.drawn(Kind.RIVER, *ROADS):
        for end, word in zip(_ends(course), ("begins", "ends"), strict=True):
            if ground.contains(end):
                yield Sentence(
                    "{course} {word} on the board, at {x:.0f}, {y:.0f} mm",
                    course=course.id,
                    word=word,
                    x=end.x,
                    y=end.y,
                )


def _slot(word: str, case: Case) -> Faults:
    """A course comes in, or leaves, by the side or corner of its die."""
    for course, way in case.pairs():
        slot = _stand(way, word).slot
        off = _half(course, word).distance(_side(case, slot))
        if off > case.rules.limit("off_slot") + case.rules.slack("off_slot"):
            yield Sentence(
                "{course} lies {off:.1f} areas off {slot}", course=course.id, off=off / case.grid.cell, slot=slot
            )


def _stand(way: Way, word: str) -> Stand:
    told = way.told["from" if word == "entry" else "to"]
    return Stand(told["slot"], told["share"])


def _crossed(case: Case, course: Course, word: str) -> Point:
    """Return where a course passes the edge of the board: the point of its line on the board nearest to that end."""
    inside = course.line.intersection(case.hull)
    end = _ends(course)[0 if word == "entry" else 1]
    if inside.is_empty:
        return end
    points = shapely.points(shapely.get_coordinates(inside))
    nearest: Point = points[int(shapely.distance(points, end).argmin())]
    return nearest


def _side(case: Case, slot: str) -> Point | LineString:
    if "-" in slot:
        return Point(point(case.grid, Stand(slot)))
    return LineString([point(case.grid, Stand(slot, 0.0)), point(case.grid, Stand(slot, 1.0))])


def _half(course: Course, word: str) -> BaseGeometry:
    """Return the half of a course with its entry, or that with its exit."""
    start, end = (0.0, 0.5) if word == "entry" else (0.5, 1.0)
    return substring(course.line, start, end, normalized=True)


def _stations(case: Case) -> Faults:
    """PW1-13, PWA-02: a course comes in and leaves at the stations of its dice."""
    for course, way in case.pairs():
        for word in ("entry", "exit"):
            stand, place = _stand(way, word), _crossed(case, course, word)
            if "-" not in stand.slot and way.band is not None:
                due = Point(point(case.grid, stand))
                # The rim of hexes is not straight: what lies off it is where the axis passes the rim.
                if axis(way.band, beyond=case.grid.cell).distance(place) > case.rules.limit(
                    "off_station"
                ) + case.rules.slack("off_station"):
                    yield Sentence(
                        "{course}: the {word} is {distance:.1f} areas off its station",
                        course=course.id,
                        word=word,
                        distance=place.distance(due) / case.grid.cell,
                    )
            elif way.band is None and "-" not in stand.slot and edge_cell(case.grid, stand) != way.cells[_at(word)]:
                if edge_cell(case.grid, stand) not in case.cells(*HEIGHTS):
                    yield Sentence("{course}: the {word} is not at its station", course=course.id, word=word)
            elif way.band is None and cells_of(course)[_at(word)] != way.cells[_at(word)]:
                yield Sentence(
                    "{course}: the {word} is not in {cell}",
                    course=course.id,
                    word=word,
                    cell=addressed((way.cells[_at(word)],)),
                )


def _at(word: str) -> int:
    return 0 if word == "entry" else -1


def _width(case: Case) -> Faults:
    """PW1-14: a river one area wide, on 5 or 6 two."""
    for course, way in case.pairs(Kind.RIVER):
        if case.is_wide(course) != way.is_wide:
            yield Sentence(
                "{course} is {cells:.2f} areas wide, its number is {areas}",
                course=course.id,
                cells=course.width / case.grid.cell,
                areas=way.told["areas"],
            )


def _drawn(*kinds: Kind) -> Check:
    """Return the check that bands are drawn as wide as was asked for, in areas."""

    def check(case: Case) -> Faults:
        for course, way in case.pairs(*kinds):
            if way.band is not None and abs(course.width - way.width * case.grid.cell) > case.rules.limit("off_width"):
                yield Sentence(
                    "{course} is drawn {cells:.2f} areas wide, not {width:g}",
                    course=course.id,
                    cells=course.width / case.grid.cell,
                    width=way.width,
                )

    return check


def _courses(case: Case) -> Faults:
    """PW1-15: a straight band from end to end, or a chain of areas through their sides."""
    for course, way in case.pairs():
        if way.band is None:
            continue
        line, straight = course.line.intersection(case.hull), axis(way.band, beyond=2 * case.grid.cell)
        if shapely.hausdorff_distance(shapely.union(line, straight), straight) > case.rules.limit(
            "off_band"
        ) + case.rules.slack("off_band"):
            yield Sentence("{course} is no straight band from its entry to its exit", course=course.id)
    if any(way.band is None for _, way in case.pairs()):
        yield from (fault for fault in chains(case) if fault.split(":")[0].split(" ")[0] in _chained(case))
    for course, way in case.pairs():
        if way.band is None:
            yield from off_its_areas(course, way)


def _chained(case: Case) -> set[str]:
    return {course.id for course, way in case.pairs() if way.band is None}


def _filled(case: Case) -> Faults:
    """PW1-25: a course holds the areas of which its band covers more than a sliver."""
    for course, way in case.pairs():
        if way.band is not None:
            due = filled(shares(case.grid, way.band, way.width), case.rules.measure("pw1.sliver"))
            if set(due) != set(cells_of(course)):
                off = tuple(sorted(set(due) ^ set(cells_of(course))))
                yield Sentence(
                    "{course}: {cells} are filled and not named, or named and not filled",
                    course=course.id,
                    cells=addressed(off),
                )


def _long_enough(case: Case) -> Faults:
    """PW1-17: too short a course, or one along an edge, has its exit thrown again."""
    if case.asked("pw1.short") == "keep":
        raise UnseenError("short courses are kept")
    told = {note.feature for note in case.after("roads").notes if note.key == "short"}
    for course, way in case.pairs():
        few = len(cells_of(course)) < case.rules.number("least_areas")
        if way.band is not None and way.id not in told:
            few = few or len(passed(case.grid, way.band)) < case.rules.number("least_areas")
        if few and way.id not in told:
            yield Sentence("{course} runs through {count} areas", course=course.id, count=len(cells_of(course)))


def _round_hills(case: Case) -> Faults:
    """PWA-11: courses laid after the hills go round them."""
    if case.asked("pw1.order") != "hills-first":
        raise UnseenError("rivers and roads were laid first")
    forced = {note.feature for note in case.after("roads").notes if note.key == "forced"}
    for course in case.drawn(Kind.RIVER, *ROADS):
        hills = tuple(cell for cell in cells_of(course) if cell in case.cells(*HEIGHTS))
        if hills and course.id not in forced:
            yield Sentence("{course} passes hills at {hills}", course=course.id, hills=addressed(hills))


CHECKS: Final[Mapping[str, Check]] = {
    "PW1-10": _from_edge_to_edge,
    "PW1-11": partial(_slot, "entry"),
    "PW1-12": partial(_slot, "exit"),
    "PW1-13": _stations,
    "PW1-14": _width,
    "PW1-15": _courses,
    "PW1-17": _long_enough,
    "PW1-20": both(
        _drawn(*ROADS), narrow(*ROADS), lambda case: (fault for fault in _filled(case) if "river" not in fault)
    ),
    "PW1-25": _filled,
    "PW1-61": round_hills,
    "PWA-02": _stations,
    "PWA-03": _drawn(Kind.RIVER),
    "PWA-11": _round_hills,
}
