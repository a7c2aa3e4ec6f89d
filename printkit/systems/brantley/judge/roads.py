"""Checks of rivers, roads and crossings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Final, NamedTuple

from shapely import Point

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.brantley.board.checked_courses import CheckedCourse, EndKind
from printkit.systems.brantley.judge.case import BrantleyCase, Check, find_rivers, find_roads
from printkit.systems.brantley.judge.courses import (
    check_end,
    check_joins_earlier,
    check_recorded_end,
    course_checks,
)
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import find_meetings

# --- Checks of rivers -------------------------------------------------------------------------------------------------


def check_river_source(case: BrantleyCase) -> Faults:
    """Check that a river does not start in a lake (BR-Q23).

    It yields a sentence for each fault; nothing if there is none.
    """
    yield from (
        Sentence("{way} rises in {start}", way=river.id, start=river.start.target)
        for river in case.rivers
        if river.start.kind is EndKind.AREA
    )


_RIVERS: Final = course_checks(find_rivers, Kind.RIVER)
_ROADS: Final = course_checks(find_roads, Kind.ROAD)

RIVER_CHECKS: Final[Mapping[str, Check]] = {
    **_RIVERS,
    "BR-405": partial(check_end, find_rivers),
    "BR-406": partial(check_recorded_end, "rivers", find_rivers, "lake", EndKind.AREA),
    "BR-407": partial(check_joins_earlier, find_rivers),
    "BR-Q12": _RIVERS["BR-G36"],
    "BR-Q23": check_river_source,
}


class RoadMeeting(NamedTuple):
    """A point, in mm on the board, where the centre lines of a road and of a river meet."""

    at: Point
    road: CheckedCourse
    river: CheckedCourse


def check_meetings_crossed(case: BrantleyCase) -> Faults:
    """Check that there is a ford or a bridge where a road passes over a river (BR-601).

    It yields a sentence for each fault; nothing if there is none.
    """
    for point, road, river in _distinct_meetings(case):
        if all(crossing.at.distance(point) > same_place_mm(case) for crossing in case.crossings):
            yield Sentence(
                "{road} crosses {river} at ({x:.1f}, {y:.1f}) without a ford or bridge",
                road=road.id,
                river=river.id,
                x=point.x,
                y=point.y,
            )


def check_crossings_match(case: BrantleyCase) -> Faults:
    """Check that crossings and meetings have the same number and places (BR-G61).

    It yields a sentence for each fault; nothing if there is none.
    """
    places = _distinct_meetings(case)
    for crossing in case.crossings:
        matches = [meeting for meeting in places if meeting.at.distance(crossing.at) <= same_place_mm(case)]
        if not matches:
            yield Sentence(
                "{crossing} at ({x:.1f}, {y:.1f}) is where no road crosses a river",
                crossing=crossing.id,
                x=crossing.at.x,
                y=crossing.at.y,
            )
        elif crossing.route and (crossing.route, crossing.water) not in [
            (road_meeting.road.id, road_meeting.river.id) for road_meeting in _find_meetings(case)
        ]:
            yield Sentence(
                "{crossing} is recorded as taking {way} over {water}, but they do not meet",
                crossing=crossing.id,
                way=crossing.route,
                water=crossing.water,
            )
    for meeting in places:
        crossing_ids = [
            crossing.id for crossing in case.crossings if crossing.at.distance(meeting.at) <= same_place_mm(case)
        ]
        if len(crossing_ids) != 1:
            place = f"({meeting.at.x:.1f}, {meeting.at.y:.1f})"
            yield Sentence(
                "{road} and {river} meet at {place} with {there} crossings",
                road=meeting.road.id,
                river=meeting.river.id,
                place=place,
                there=len(crossing_ids),
            )


def check_no_junction_crossing(case: BrantleyCase) -> Faults:
    """Check that a junction of two courses of one type has no crossing (BR-G62).

    It yields a sentence for each fault; nothing if there is none.
    """
    places = _distinct_meetings(case)
    for course in (*case.roads, *case.rivers):
        for crossing in case.crossings:
            at_end = course.end.kind is EndKind.COURSE and crossing.at.distance(course.end.at) <= same_place_mm(case)
            if at_end and all(meeting.at.distance(crossing.at) > same_place_mm(case) for meeting in places):
                yield Sentence(
                    "{crossing} is at the end of {way} in {end}, where no road crosses a river",
                    crossing=crossing.id,
                    way=course.id,
                    end=course.end.target,
                )


def check_crossing_kinds(case: BrantleyCase) -> Faults:
    """Check which crossings are fords and which are bridges (BR-Q16).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: there is no log, but dice decide the kinds.
    """
    setting = case.rules.choice("br-q16")
    for index, crossing in enumerate(case.crossings):
        expected = {"ford": Kind.FORD, "bridge": Kind.BRIDGE}.get(setting)
        if setting == "alternate" and index:
            expected = Kind.FORD if case.crossings[index - 1].kind is Kind.BRIDGE else Kind.BRIDGE
        if setting == "die" and index < len(case.scores("crossings")):
            expected = Kind(case.rules.outcomes("crossing").look_up(case.scores("crossings")[index]))
        if expected and crossing.kind is not expected:
            yield Sentence(
                "{crossing} is a {kind}; the setting {setting!r} makes it a {due}",
                crossing=crossing.id,
                kind=crossing.kind,
                setting=setting,
                due=expected,
            )


def same_place_mm(case: BrantleyCase) -> float:
    """Return the distance in mm on the board within which two meetings count as one."""
    return case.rules.length("one_place")


def _find_meetings(case: BrantleyCase) -> Iterator[RoadMeeting]:
    """Yield every point where a road meets a river, road by road, then river by river."""
    for road, river in product(case.roads, case.rivers):
        yield from (RoadMeeting(meeting.at, road, river) for meeting in find_meetings(road.line, river.line))


def _distinct_meetings(case: BrantleyCase) -> list[RoadMeeting]:
    """Return the points where roads meet rivers; points at one place count once."""
    distinct: list[RoadMeeting] = []
    for meeting in _find_meetings(case):
        if all(meeting.at.distance(earlier.at) > same_place_mm(case) for earlier in distinct):
            distinct.append(meeting)
    return distinct


CHECKS: Final[Mapping[str, Check]] = {
    **_ROADS,
    "BR-505": partial(check_end, find_roads),
    "BR-506": partial(check_recorded_end, "roads", find_roads, "bua", EndKind.AREA),
    "BR-507": partial(check_joins_earlier, find_roads),
    "BR-601": check_meetings_crossed,
    "BR-G61": check_crossings_match,
    "BR-G62": check_no_junction_crossing,
    "BR-Q15": _ROADS["BR-G54"],
    "BR-Q16": check_crossing_kinds,
}
