"""Checks shared by rivers and roads: their ends, and the rules of their shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.kit.shape_rules import shape_checks
from printkit.systems.brantley.board.checked_courses import CheckedCourse, EndKind
from printkit.systems.brantley.board.course_records import LETTERS
from printkit.systems.brantley.board.course_rules import COURSE_RULES, CourseSurroundings
from printkit.systems.brantley.dealing.facts import CourseFacts
from printkit.systems.brantley.dealing.game_rules import is_closed, rule_inch_mm
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.slopes import find_reliefs
from printkit.terrain.field.features import Kind

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


def course_checks(courses: Ways, kind: Kind) -> dict[str, Check]:
    """Return the checks of the shape of rivers or roads, by clause."""
    return shape_checks(COURSE_RULES[kind], courses, lambda case: _find_surroundings(courses, case))


def _find_surroundings(courses: Ways, case: BrantleyCase) -> CourseSurroundings:
    """Return what the rivers or the roads of a record are measured against.

    Ground is closed if the course may not pass it (BR-Q12, BR-Q15); the feature in which a course ends is not. For
    roads the steep slopes of hills are closed too, unless BR-Q15 closes only lakes.
    """
    impassable_ids = {area.id for area in case.areas(Kind.HEAVY_WOODS)}
    impassable_ids |= {relief.id for relief in find_reliefs(case) if relief.required_going == "impassable"}

    def find_closed_ground(course: CheckedCourse) -> Iterator[tuple[object, BaseGeometry]]:
        """Yield the closed ground of a course with its name, areas first."""
        for area in case.ground:
            ends_here = course.end.kind is EndKind.AREA and course.end.target == area.id
            impassable = area.id in impassable_ids
            if not ends_here and is_closed(course.feature.kind, area.kind, case.rules, impassable=impassable):
                yield Sentence("{area} ({kind})", area=area.id, kind=area.kind), area.outline
        if course.feature.kind is Kind.ROAD and case.rules.choice("br-q15") != "any-but-lake":
            for hill in case.hills():
                for face in hill.faces:
                    yield Sentence("the steep slope {side} of {hill}", side=face.side, hill=hill.id), face.line

    return CourseSurroundings(
        board=case.board,
        rules=case.rules,
        closed_ground=find_closed_ground,
        other_courses=lambda course: (other for other in courses(case) if other.id != course.id),
        rivers=case.rivers,
        areas={area.id: area.outline for area in case.ground},
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
