"""The judge of courses of version 1: slots and stations of the edge, bands and chains (PW1-10..PW1-25, PW1-61)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, both
from printkit.systems.portable.grid.bands import axis, filled, passed, shares
from printkit.systems.portable.grid.edges import Ring, Stand, edge_cell, point
from printkit.systems.portable.grid.sketch import ROADS, Way
from printkit.systems.portable.judge.case import HEIGHTS, Case, Check, cells_of
from printkit.systems.portable.judge.counting import addressed
from printkit.systems.portable.judge.courses import chains, off_its_areas, off_its_die
from printkit.terrain.field.features import Course, Kind

_OFF: Final = 0.9
"""How far from its station a course may come in, in areas: it sways, and gives way to another that comes in there."""

_OFF_SLOT: Final = 1.5
"""How far from its side or corner: the rim of hexes leaves the corners of the rectangle free."""

_ALIKE: Final = 0.02
"""How much widths may differ, in areas."""

_BENT: Final = 0.75
"""How far a straight band may lie from its middle line, in areas."""


def pairs(case: Case, *kinds: Kind) -> Iterator[tuple[Course, Way]]:
    """Yield each course with what the log makes of it, in the order laid."""
    for stage, sort in (("rivers", (Kind.RIVER,)), ("roads", ROADS)):
        wanted = [kind for kind in sort if not kinds or kind in kinds]
        if wanted:
            yield from zip(case.drawn(*wanted), case.ways(stage, *wanted), strict=False)


def _ends(course: Course) -> tuple[Point, Point]:
    coords = course.line.coords
    return Point(coords[0]), Point(coords[-1])


def _from_edge_to_edge(case: Case) -> Faults:
    """PW1-10: a course comes onto the board over its edge, and leaves over it."""
    ground = case.hull.buffer(-_ALIKE * case.grid.cell)
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
    ring = _ring(case)
    for course, way in pairs(case):
        stand = _stand(way, word)
        off = _half(course, word).distance(_side(case, stand.slot)) / case.grid.cell
        if off > _OFF_SLOT:
            yield Sentence("{course} lies {off:.1f} areas off {slot}", course=course.id, off=off, slot=stand.slot)
        again = " again" if way.told.get("again") and word == "exit" else ""
        score = _last(case, _stage(course), f"{word} of {way.id}{again}")
        if score is None:
            continue
        slot = ring.entry(score) if word == "entry" else ring.exit(ring.slot(_stand(way, "entry").slot), score)
        if slot.name != stand.slot:
            yield Sentence(
                "{course}: the die {score} names {slot_name}, not {stand_slot}",
                course=course.id,
                score=score,
                slot_name=slot.name,
                stand_slot=stand.slot,
            )


def _ring(case: Case) -> Ring:
    case.asked("pw1.stations")
    return Ring.of(case.rules)


def _stage(course: Course) -> str:
    return "rivers" if course.kind is Kind.RIVER else "roads"


def _last(case: Case, stage: str, reason: str) -> int | None:
    found = [throw for throw in case.throws(stage) if throw.reason == reason]
    return int(found[-1].answer) if found and found[-1].answer.isdigit() else None


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
    ring = _ring(case)
    for course, way in pairs(case):
        for word in ("entry", "exit"):
            stand, place = _stand(way, word), _crossed(case, course, word)
            if "-" not in stand.slot and way.band is not None:
                due = Point(point(case.grid, stand))
                # The rim of hexes is not straight: what lies off it is where the axis passes the rim.
                if axis(way.band, beyond=case.grid.cell).distance(place) > _OFF * case.grid.cell:
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
            again = " again" if way.told.get("again") and word == "exit" else ""
            score = _last(case, _stage(course), f"station of the {word} of {way.id}{again}")
            if score is not None and "-" not in stand.slot and not math.isclose(ring.station(score), stand.share):
                yield Sentence(
                    "{course}: the station {score} of its {word} is not {share:.2f}",
                    course=course.id,
                    score=score,
                    word=word,
                    share=stand.share,
                )


def _at(word: str) -> int:
    return 0 if word == "entry" else -1


def _width(case: Case) -> Faults:
    """PW1-14: a river one area wide, on 5 or 6 two."""
    for course, way in pairs(case, Kind.RIVER):
        score = _last(case, "rivers", f"width of {way.id}")
        if score is not None and int(case.rules.outcomes("width").look_up(score)) != way.told["areas"]:
            yield Sentence(
                "{course}: the die {score} does not make it {areas} areas wide",
                course=course.id,
                score=score,
                areas=way.told["areas"],
            )
        if case.is_wide(course) != _drawn_wide(way):
            yield Sentence(
                "{course} is {cells:.2f} areas wide, its number is {areas}",
                course=course.id,
                cells=course.width / case.grid.cell,
                areas=way.told["areas"],
            )


def _drawn_wide(way: Way) -> bool:
    if way.band is None:
        return any(way.beside)
    return way.width > 0.5


def _drawn(*kinds: Kind) -> Check:
    """Return the check that bands are drawn as wide as was asked for, in areas."""

    def check(case: Case) -> Faults:
        for course, way in pairs(case, *kinds):
            if way.band is not None and abs(course.width / case.grid.cell - way.width) > _ALIKE:
                yield Sentence(
                    "{course} is drawn {cells:.2f} areas wide, not {width:g}",
                    course=course.id,
                    cells=course.width / case.grid.cell,
                    width=way.width,
                )

    return check


def _courses(case: Case) -> Faults:
    """PW1-15: a straight band from end to end, or a chain of areas through their sides."""
    for course, way in pairs(case):
        if way.band is None:
            continue
        line, straight = course.line.intersection(case.hull), axis(way.band, beyond=2 * case.grid.cell)
        if shapely.hausdorff_distance(shapely.union(line, straight), straight) > _BENT * case.grid.cell:
            yield Sentence("{course} is no straight band from its entry to its exit", course=course.id)
    if any(way.band is None for _, way in pairs(case)):
        yield from (fault for fault in chains(case) if fault.split(":")[0].split(" ")[0] in _chained(case))
    for course, way in pairs(case):
        if way.band is None:
            yield from off_its_areas(course, way)


def _chained(case: Case) -> set[str]:
    return {course.id for course, way in pairs(case) if way.band is None}


def _filled(case: Case) -> Faults:
    """PW1-25: a course holds the areas of which its band covers more than a sliver."""
    for course, way in pairs(case):
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
    for course, way in pairs(case):
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


def _detours(case: Case) -> Faults:
    """PW1-61, PWA-07: round the hills on the side of the die."""
    for course, way in pairs(case):
        yield from off_its_die(course, way)


CHECKS: Final[Mapping[str, Check]] = {
    "PW1-10": _from_edge_to_edge,
    "PW1-11": partial(_slot, "entry"),
    "PW1-12": partial(_slot, "exit"),
    "PW1-13": _stations,
    "PW1-14": _width,
    "PW1-15": _courses,
    "PW1-17": _long_enough,
    "PW1-20": both(_drawn(*ROADS), lambda case: (fault for fault in _filled(case) if "river" not in fault)),
    "PW1-25": _filled,
    "PW1-61": _detours,
    "PWA-02": _stations,
    "PWA-03": _drawn(Kind.RIVER),
    "PWA-11": _round_hills,
}
