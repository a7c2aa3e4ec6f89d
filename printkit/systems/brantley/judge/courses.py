"""Checks shared by rivers and roads: their number and placers by the dice, their ends and their lengths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeAlias

from shapely import LineString, Polygon

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, check_each, check_maximum, check_minimum, combine_checks
from printkit.systems.brantley.board.course_records import LETTERS
from printkit.systems.brantley.dealing.facts import CourseFacts
from printkit.systems.brantley.dealing.game_rules import rule_inch_mm
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.checked_courses import CheckedCourse, EndKind
from printkit.terrain.geometry.measure import (
    corner_distance,
    crossing_angle,
    find_shores,
    sinuosity,
    touches_edge_only_at_ends,
)

Ways: TypeAlias = Callable[[BrantleyCase], tuple[CheckedCourse, ...]]


def check_starts_on_edge(courses: Ways, case: BrantleyCase) -> Faults:
    """Check that a course starts on an edge of the board (BR-404, BR-504).

    It yields a sentence for each fault; nothing if there is none. ``courses`` returns the rivers or the roads of a
    case.
    """
    for course in courses(case):
        if course.start.kind is not EndKind.EDGE:
            yield Sentence(
                "{way} starts at {start}; it must start on an edge of the board", way=course.id, start=course.start
            )


def check_end(courses: Ways, case: BrantleyCase) -> Faults:
    """Check that a course ends in an area, in a course or on another edge (BR-405, BR-505).

    It yields a sentence for each fault; nothing if there is none. ``courses`` returns the rivers or the roads of a
    case.
    """
    for course in courses(case):
        if course.end.kind is EndKind.NOWHERE:
            yield Sentence("{way} ends at {end}", way=course.id, end=course.end)
        elif is_same_edge(course):
            yield Sentence(
                "{way} starts and ends on the {end} edge; it must end on another", way=course.id, end=course.end.target
            )


def check_recorded_end(stage: str, courses: Ways, member: str, end_kind: EndKind, case: BrantleyCase) -> Faults:
    """Check that a course that is recorded as ending in an area does end there.

    ``member`` is the key of that area in the record: ``lake`` or ``bua``. ``end_kind`` is the expected kind. It yields
    a sentence for each fault; nothing if there is none. ``courses`` returns the rivers or the roads of a case.

    Raises:
        UnseenError: the record has no details of the stage, and no course has an end of this kind.
    """
    if stage not in case.record.details and not any(course.end.kind is end_kind for course in courses(case)):
        raise UnseenError("none of the {stage} is recorded as ending in a {member}", stage=stage, member=member)
    recorded_courses: tuple[CourseFacts, ...] = getattr(case.facts, stage)
    for entry in recorded_courses:
        target = entry.end_by_kind.get(member)
        for course in courses(case):
            if target and course.id == entry.id and (course.end.kind is not end_kind or course.end.target != target):
                yield Sentence(
                    "{way} is recorded as ending in the {member} {target}, but ends at {end}",
                    way=course.id,
                    member=member,
                    target=target,
                    end=course.end,
                )


def check_joins_earlier(courses: Ways, case: BrantleyCase) -> Faults:
    """Check that a junction is with an earlier course (BR-407, BR-507, BR-Q14).

    It yields a sentence for each fault; nothing if there is none. ``courses`` returns the rivers or the roads of a
    case.
    """
    order = [course.id for course in courses(case)]
    for course in courses(case):
        if course.end.kind is EndKind.COURSE and order.index(course.id) < order.index(course.end.target):
            yield Sentence("{way} ends in {end}, which was placed after it", way=course.id, end=course.end.target)


def length_check(courses: Ways, limit: str) -> Check:
    """Return the check of the length of a centre line against the straight distance between its ends.

    ``limit`` is the key of the largest permitted ratio in the rule book. The check takes a case and yields a sentence
    for each fault.
    """
    return check_maximum(
        courses,
        lambda _, course: sinuosity(course.line),
        limit,
        says="{it} is {found:.3f} times as long as the straight line; the maximum is {limit:g} times",
    )


def corner_check(courses: Ways) -> Check:
    """Return the check of the mm on the board from course ends on an edge to the nearest corners.

    The check takes a case and yields a sentence for each fault.
    """
    return check_minimum(
        courses,
        lambda case, course: min(
            (corner_distance(end.at, case.board) for end in course.ends(EndKind.EDGE)), default=math.inf
        ),
        "corner_gap",
        says="{it} meets an edge {found:.1f} mm from a corner; the minimum is {limit:.1f} mm",
    )


def check_edge_only_at_ends(courses: Ways, case: BrantleyCase) -> Faults:
    """Check that a course stays on the board and off its edge between its ends.

    It yields a sentence for each fault; nothing if there is none. ``courses`` returns the rivers or the roads of a
    case.
    """
    for course in courses(case):
        if course.part_count != 1:
            yield Sentence(
                "{pieces} pieces of {way} are on the board; there should be one",
                pieces=course.part_count,
                way=course.id,
            )
        elif not touches_edge_only_at_ends(course.line, case.board, case.touch_mm):
            yield Sentence("{way} touches the board edge between its ends", way=course.id)


def width_check(courses: Ways, kind: str) -> Check:
    """Return the check of the width of each course in mm on the board; ``kind`` is ``river`` or ``road``.

    The check takes a case and yields a sentence for each fault.
    """
    return combine_checks(
        check_minimum(
            courses,
            lambda _, course: course.feature.width,
            f"{kind}_width_min",
            says="{it} is {found:.1f} mm wide; the minimum is {limit:.1f} mm",
        ),
        check_maximum(
            courses,
            lambda _, course: course.feature.width,
            f"{kind}_width_max",
            says="{it} is {found:.1f} mm wide; the maximum is {limit:.1f} mm",
        ),
    )


def junction_check(courses: Ways, gap_key: str) -> Check:
    """Return the check of junctions: their distance from the ends of the joined course, and their angle.

    ``gap_key`` is the key of the smallest permitted distance in the rule book. The check takes a case and yields a
    sentence for each fault.
    """

    def joining_courses(case: BrantleyCase) -> Iterator[CheckedCourse]:
        """Return the courses that end on another course."""
        return (course for course in courses(case) if course.end.kind is EndKind.COURSE)

    def joined_line(case: BrantleyCase, course: CheckedCourse) -> LineString:
        """Return the centre line of the course on which another ends, in mm on the board."""
        return next(candidate.line for candidate in courses(case) if candidate.id == course.end.target)

    def end_distance(case: BrantleyCase, course: CheckedCourse) -> float:
        """Return the mm on the board from a junction to the nearer end of the joined course."""
        distance = joined_line(case, course).project(course.end.at)
        return float(min(distance, joined_line(case, course).length - distance))

    return combine_checks(
        check_minimum(
            joining_courses,
            end_distance,
            gap_key,
            says="{it} joins another {found:.1f} mm from its end; the minimum is {limit:.1f} mm",
        ),
        check_minimum(
            joining_courses,
            lambda case, course: crossing_angle(course.end.at, course.line, joined_line(case, course)),
            "junction_angle",
            says="{it} joins another at {found:.0f} degrees; the minimum is {limit:g}",
        ),
    )


def depth_check(courses: Ways, area_key: str) -> Check:
    """Return the check that courses cross the outline of the area they end in once, at the right depth.

    ``area_key`` is ``lake`` or ``bua``, the prefix of the limits in the rule book. The check takes a case and yields a
    sentence for each fault.
    """

    def ending_courses(case: BrantleyCase) -> Iterator[CheckedCourse]:
        """Return the courses that end in an area."""
        return (course for course in courses(case) if course.end.kind is EndKind.AREA)

    def target_outline(case: BrantleyCase, course: CheckedCourse) -> Polygon:
        """Return the outline of the area in which a course ends, in mm on the board."""
        return next(area_feature.outline for area_feature in case.ground if area_feature.id == course.end.target)

    def depth(case: BrantleyCase, course: CheckedCourse) -> float:
        """Return the mm on the board from a course's end to the outline of the area around it."""
        return float(target_outline(case, course).exterior.distance(course.end.at))

    return combine_checks(
        check_each(
            ending_courses,
            lambda case, course: len(find_shores(course.line, target_outline(case, course))) == 1,
            says="{it} does not cross the outline of the area it ends in exactly once",
        ),
        check_minimum(
            ending_courses,
            depth,
            f"{area_key}_depth_min",
            says="{it} stops {found:.1f} mm inside the area it ends in; the minimum is {limit:.1f} mm",
        ),
        check_maximum(
            ending_courses,
            depth,
            f"{area_key}_depth_max",
            says="{it} stops {found:.1f} mm inside the area it ends in; the maximum is {limit:.1f} mm",
        ),
    )


def starts_at(case: BrantleyCase, course: CheckedCourse, position_text: str) -> bool:
    """Return whether a course starts at a point such as ``N:8.0``, edge and inches of the rules.

    The inches are from the left end of N and S, and from the near end of W and E. The result is False if the text
    cannot be parsed.
    """
    letter, _, distance = position_text.partition(":")
    if course.start.kind is not EndKind.EDGE or LETTERS.get(letter) != course.start.target:
        return False
    actual = float(course.start.at.x if letter in ("N", "S") else course.start.at.y)
    try:
        return abs(actual - float(distance) * rule_inch_mm(case.rules)) <= case.rules.length("place_written")
    except ValueError:
        return False


def is_same_edge(course: CheckedCourse) -> bool:
    """Return whether both ends of a course are on the same board edge."""
    return course.start.kind is course.end.kind is EndKind.EDGE and course.start.target == course.end.target


# --- Checks of the number and the placers of rivers and roads, by the dice of the log ---------------------------------
