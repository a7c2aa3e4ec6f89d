"""Checks of rivers, roads and crossings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations, product
from operator import itemgetter
from typing import Final, NamedTuple

from shapely import Point

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, combine_checks
from printkit.systems.brantley.dealing.game_rules import is_closed
from printkit.systems.brantley.judge.case import BrantleyCase, Check, find_rivers, find_roads
from printkit.systems.brantley.judge.checked_courses import CheckedCourse, EndKind
from printkit.systems.brantley.judge.courses import (
    Ways,
    check_edge_only_at_ends,
    check_end,
    check_joins_earlier,
    check_recorded_end,
    corner_check,
    depth_check,
    junction_check,
    length_check,
    width_check,
)
from printkit.systems.brantley.judge.slopes import find_reliefs
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import edge_clearance, find_meetings, measure_bends, wet_lengths

# --- Checks of rivers -------------------------------------------------------------------------------------------------


def check_river_simple(case: BrantleyCase) -> Faults:
    """Check that a river does not cross itself (BR-G35).

    It yields a sentence for each fault; nothing if there is none.
    """
    yield from (Sentence("{way} crosses itself", way=river.id) for river in case.rivers if not river.line.is_simple)


def check_rivers_apart(case: BrantleyCase) -> Faults:
    """Check that two rivers meet only where one ends in the other (BR-G40).

    It yields a sentence for each fault; nothing if there is none.
    """
    for first, second in combinations(case.rivers, 2):
        for point in (meeting.at for meeting in find_meetings(first.line, second.line)):
            if not (_ends_in(first, second, point, case) or _ends_in(second, first, point, case)):
                yield Sentence(
                    "{one} and {two} meet at ({x:.1f}, {y:.1f}), but neither ends in the other there",
                    one=first.id,
                    two=second.id,
                    x=point.x,
                    y=point.y,
                )


def check_river_source(case: BrantleyCase) -> Faults:
    """Check that a river does not start in a lake (BR-Q23).

    It yields a sentence for each fault; nothing if there is none.
    """
    yield from (
        Sentence("{way} rises in {start}", way=river.id, start=river.start.target)
        for river in case.rivers
        if river.start.kind is EndKind.AREA
    )


def _ends_in(river: CheckedCourse, target: CheckedCourse, point: Point, case: BrantleyCase) -> bool:
    """Return whether a river ends in ``target``, at or near a point in mm on the board."""
    is_near = river.end.at.distance(point) <= case.rules.length("apart")
    return is_near and river.end.kind is EndKind.COURSE and river.end.target == target.id


def check_edge_gap(case: BrantleyCase) -> Faults:
    """Check that a river keeps its distance from the edge, except near its ends (BR-G34).

    It yields a sentence for each fault; nothing if there is none.
    """
    widths, slack = (read_number("river_edge_gap_in_widths") for read_number in (case.rules.number, case.rules.slack))
    for river in case.rivers:
        depth = widths * river.feature.width
        gap = edge_clearance(river.line, case.board, depth)
        if river.part_count == 1 and gap < depth - slack * river.feature.width:
            yield Sentence(
                "{way} comes within {gap:.1f} mm of the edge between its ends; the minimum is {depth:.1f} mm",
                way=river.id,
                gap=gap,
                depth=depth,
            )


def check_open_ground(courses: Ways, case: BrantleyCase) -> Faults:
    """Check that the full width of a course stays out of closed ground (BR-G36, BR-G54, BR-Q12, BR-Q15).

    Ground is closed if the course may not pass it; the feature in which this course ends is not checked here. For
    roads the steep slopes of hills are closed too, unless BR-Q15 closes only lakes. It yields a sentence with lengths
    in mm on the board for each fault; nothing if there is none. ``courses`` returns the rivers or the roads of a case.
    """
    impassable = {area.id for area in case.areas(Kind.HEAVY_WOODS)}
    impassable |= {relief.id for relief in find_reliefs(case) if relief.required_going == "impassable"}
    for course in courses(case):
        closed = [
            (Sentence("{area} ({kind})", area=area.id, kind=area.kind), area.outline)
            for area in case.ground
            if is_closed(course.feature.kind, area.kind, case.rules, impassable=area.id in impassable)
            and not (course.end.kind is EndKind.AREA and course.end.target == area.id)
        ]
        if course.feature.kind is Kind.ROAD and case.rules.choice("br-q15") != "any-but-lake":
            closed += [
                (Sentence("the steep slope {side} of {hill}", side=face.side, hill=hill.id), face.line)
                for hill in case.hills()
                for face in hill.faces
            ]
        for name, shape in closed:
            gap, minimum = float(course.line.distance(shape)), course.feature.width / 2
            if gap < minimum - case.touch_mm:
                yield Sentence(
                    "{way} comes within {gap:.1f} mm of {name}; half its width is {least:.1f} mm",
                    way=course.id,
                    gap=gap,
                    name=name,
                    least=minimum,
                )


RIVER_CHECKS: Final[Mapping[str, Check]] = {
    "BR-405": partial(check_end, find_rivers),
    "BR-406": partial(check_recorded_end, "rivers", find_rivers, "lake", EndKind.AREA),
    "BR-407": partial(check_joins_earlier, find_rivers),
    "BR-G31": width_check(find_rivers, "river"),
    "BR-G32": length_check(find_rivers, "river_limit"),
    "BR-G33": corner_check(find_rivers),
    "BR-G34": combine_checks(partial(check_edge_only_at_ends, find_rivers), check_edge_gap),
    "BR-G35": check_river_simple,
    "BR-G36": partial(check_open_ground, find_rivers),
    "BR-G38": depth_check(find_rivers, "lake"),
    "BR-G39": junction_check(find_rivers, "river_junction_gap"),
    "BR-G40": check_rivers_apart,
    "BR-Q12": partial(check_open_ground, find_rivers),
    "BR-Q23": check_river_source,
}


class RoadMeeting(NamedTuple):
    """A point, in mm on the board, where the centre lines of a road and of a river meet."""

    at: Point
    road: CheckedCourse
    river: CheckedCourse


def check_road_bends(case: BrantleyCase) -> Faults:
    """Check that no bend of a road is sharper than the limit (BR-G52).

    It yields a sentence for each fault; nothing if there is none.
    """
    limit = case.rules.number("road_bend_max")
    for road in case.roads:
        bend, point = max(
            measure_bends(road.line, case.rules.length("bend_over")), key=itemgetter(0), default=(0.0, road.start.at)
        )
        if bend > limit + case.rules.slack("road_bend_max"):
            yield Sentence(
                "{way} bends by {bend:.0f} degrees at ({x:.1f}, {y:.1f}); the maximum is {limit:g}",
                way=road.id,
                bend=bend,
                x=point.x,
                y=point.y,
                limit=limit,
            )


def check_crossing_angle(case: BrantleyCase) -> Faults:
    """Check that a road passes over a river, and does not run in it or along it (BR-G57).

    It yields a sentence for each fault; nothing if there is none.
    """
    rules = case.rules
    flattest, slack = rules.number("crossing_angle_min"), rules.slack("crossing_angle_min")
    widths = rules.number("crossing_length_in_widths_max")
    for road, river in product(case.roads, case.rivers):
        width = river.feature.width
        crossings = find_meetings(road.line, river.line)
        for piece, length in wet_lengths(road.line, road.feature.width, river.line, width):
            if length > (widths + rules.slack("crossing_length_in_widths_max")) * width:
                yield Sentence(
                    "{way} runs inside {river} for {length:.0f} mm; the maximum is {limit:.0f} mm",
                    way=road.id,
                    river=river.id,
                    length=length,
                    limit=widths * width,
                )
            elif sum(piece.distance(meeting.at) < same_place_mm(case) for meeting in crossings) != 1:
                yield Sentence("{way} runs along {river} and never crosses it cleanly", way=road.id, river=river.id)
        for meeting in crossings:
            if meeting.angle < flattest - slack:
                yield Sentence(
                    "{road} crosses {river} at {met:.0f} degrees; the minimum is {flattest:g}",
                    road=road.id,
                    river=river.id,
                    met=meeting.angle,
                    flattest=flattest,
                )


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
    "BR-505": partial(check_end, find_roads),
    "BR-506": partial(check_recorded_end, "roads", find_roads, "bua", EndKind.AREA),
    "BR-507": partial(check_joins_earlier, find_roads),
    "BR-601": check_meetings_crossed,
    "BR-G51": width_check(find_roads, "road"),
    "BR-G52": combine_checks(length_check(find_roads, "road_limit"), check_road_bends),
    "BR-G53": combine_checks(corner_check(find_roads), partial(check_edge_only_at_ends, find_roads)),
    "BR-G54": partial(check_open_ground, find_roads),
    "BR-G55": depth_check(find_roads, "bua"),
    "BR-G56": junction_check(find_roads, "junction_gap"),
    "BR-G57": check_crossing_angle,
    "BR-G61": check_crossings_match,
    "BR-G62": check_no_junction_crossing,
    "BR-Q15": partial(check_open_ground, find_roads),
    "BR-Q16": check_crossing_kinds,
}
