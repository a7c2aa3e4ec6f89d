"""The judge on what rivers and roads have in common: how many, placed by whom, from where to where, how long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.judge.case import Case, Check
from printkit.systems.brantley.judge.ways import (
    TOLERANCE,
    Stop,
    Way,
    angle_between,
    from_corners,
    near_edge,
    shore_crossings,
)

Ways: TypeAlias = Callable[[Case], tuple[Way, ...]]

ANGLE_SLACK: Final = 1.0
"""Degrees: the direction of a bending line is a matter of how far one looks along it."""


def starts_on_edge(found: Ways) -> Check:
    """Return the check of BR-404 and BR-504."""

    def check(case: Case) -> Faults:
        for way in found(case):
            if way.start.stop is not Stop.EDGE:
                yield Sentence(
                    "{way} starts at {start}; it starts on an edge of the board", way=way.id, start=way.start
                )

    return check


def ends_somewhere(found: Ways) -> Check:
    """Return the check of BR-405 and BR-505: an end that is no lake, no town, no junction is another edge."""

    def check(case: Case) -> Faults:
        for way in found(case):
            if way.end.stop is Stop.NOWHERE:
                yield Sentence("{way} ends at {end}", way=way.id, end=way.end)
            elif same_edge(way) and case.setting("br-q09") != "allow":
                yield Sentence(
                    "{way} starts and ends on the {end} edge; it ends on another", way=way.id, end=way.end.what
                )

    return check


def stated_end(stage: str, found: Ways, member: str, stop: Stop) -> Check:
    """Return the check that a course that is said to end in a ``member`` (lake, bua) does end there."""

    def check(case: Case) -> Faults:
        if stage not in case.record.details and not any(way.end.stop is stop for way in found(case)):
            raise UnseenError("none of the {stage} is said to end in a {member}", stage=stage, member=member)
        for entry in case.detail(stage).items() if stage in case.record.details else ():
            identity, end = entry.need("id", Sentence("name the course")).value, entry.get("end")
            target = end.get(member) if end else None
            for way in found(case):
                if target and way.id == identity and (way.end.stop is not stop or way.end.what != target.value):
                    yield Sentence(
                        "{way} is said to end in the {member} {target}, but ends at {end}",
                        way=way.id,
                        member=member,
                        target=target.value,
                        end=way.end,
                    )

    return check


def joins_an_earlier(found: Ways) -> Check:
    """Return the check that a junction is with a course that lay there before (BR-407, BR-507, BR-Q14)."""

    def check(case: Case) -> Faults:
        order = [way.id for way in found(case)]
        for way in found(case):
            later = order.index(way.id) < order.index(way.end.what) if way.end.stop is Stop.COURSE else False
            if later and case.setting("br-q14") != "deferred":
                yield Sentence("{way} ends in {end}, which was placed after it", way=way.id, end=way.end.what)

    return check


def no_longer_than(found: Ways, setting: str) -> Check:
    """Return the check of a centre line against its straight distance, by the factor that a setting gives."""

    def check(case: Case) -> Faults:
        limit = case.measure(setting)
        for way in found(case):
            if way.line.length > limit * way.straight + TOLERANCE:
                yield (
                    Sentence(
                        "{way} is {length:.0f} mm long; at most {limit:g} x {straight:.0f} mm = {most:.0f} mm",
                        way=way.id,
                        length=way.line.length,
                        limit=limit,
                        straight=way.straight,
                        most=limit * way.straight,
                    )
                )

    return check


def clear_of_corners(found: Ways) -> Check:
    """Return the check of the room between the ends on an edge and the corners of the board."""

    def check(case: Case) -> Faults:
        room = case.length("corner_gap")
        for way in found(case):
            for end in way.ends(Stop.EDGE):
                gap = from_corners(end.at, case.record.battlefield.board)
                if gap < room - TOLERANCE:
                    yield Sentence(
                        "{way} meets the {what} edge {gap:.1f} mm from a corner; at least {room:.1f} mm",
                        way=way.id,
                        what=end.what,
                        gap=gap,
                        room=room,
                    )

    return check


def edge_only_at_ends(found: Ways, depth: Callable[[Way], float]) -> Check:
    """Return the check that between its ends a course stays on the board, ``depth`` mm from the edge or more."""

    def check(case: Case) -> Faults:
        board = case.record.battlefield.board
        for way in found(case):
            if way.pieces != 1:
                yield Sentence("{pieces} pieces of {way} lie on the board; one is right", pieces=way.pieces, way=way.id)
            if not way.pieces:
                continue
            for stretch in near_edge(way, board, depth(way)):
                gap = board.shape.exterior.distance(stretch)
                yield Sentence(
                    "{way} comes within {gap:.1f} mm of the edge between its ends; at least {depth:.1f} mm",
                    way=way.id,
                    gap=gap,
                    depth=depth(way),
                )

    return check


def width_within(found: Ways, least: str, most: str) -> Check:
    """Return the check of the width; both are numbers of the rule book in inches."""

    def check(case: Case) -> Faults:
        low, high = case.length(least), case.length(most)
        for way in found(case):
            if not low - TOLERANCE <= way.course.width <= high + TOLERANCE:
                yield Sentence(
                    "{way} is {width:.1f} mm wide; {low:.1f} to {high:.1f} mm are allowed",
                    way=way.id,
                    width=way.course.width,
                    low=low,
                    high=high,
                )

    return check


def junction(found: Ways, room: str, angle: str) -> Check:
    """Return the check of a junction: far enough from the other's ends, and not alongside it."""

    def check(case: Case) -> Faults:
        by_id = {way.id: way for way in found(case)}
        for way in by_id.values():
            if way.end.stop is not Stop.COURSE:
                continue
            joined = by_id[way.end.what]
            along = joined.line.project(way.end.at)
            gap, least = min(along, joined.line.length - along), case.length(room)
            if gap < least - TOLERANCE:
                yield Sentence(
                    "{way} joins {joined} {gap:.1f} mm from its end; at least {least:.1f} mm",
                    way=way.id,
                    joined=joined.id,
                    gap=gap,
                    least=least,
                )
            met, flattest = angle_between(way.line, joined.line, way.end.at), case.book.numbers[angle]
            if met < flattest - ANGLE_SLACK:
                yield Sentence(
                    "{way} meets {joined} at {met:.0f} degrees; at least {flattest:g}",
                    way=way.id,
                    joined=joined.id,
                    met=met,
                    flattest=flattest,
                )

    return check


def stops_inside(found: Ways, least: str, most: str) -> Check:
    """Return the check that a centre line passes an outline once and stops so far inside it."""

    def check(case: Case) -> Faults:
        low, high = case.length(least), case.length(most)
        for way in found(case):
            for area in (area for area in case.ground if way.end.stop is Stop.AREA and area.id == way.end.what):
                passed = len(shore_crossings(way, area))
                if passed != 1:
                    yield Sentence(
                        "{way} passes the outline of {area} {passed} times; once is right",
                        way=way.id,
                        area=area.id,
                        passed=passed,
                    )
                deep = area.outline.exterior.distance(way.end.at)
                if not low - TOLERANCE <= deep <= high + TOLERANCE:
                    yield Sentence(
                        "{way} stops {deep:.1f} mm inside {area}; {low:.1f} to {high:.1f} mm are allowed",
                        way=way.id,
                        deep=deep,
                        area=area.id,
                        low=low,
                        high=high,
                    )

    return check


def opposite_only(found: Ways) -> Check:
    """Return the check of BR-Q10: with ``opposite-only`` an edge end lies on the far side of the board."""

    def check(case: Case) -> Faults:
        if case.setting("br-q10") != "opposite-only":
            raise UnseenError("neighbouring edges are allowed by the setting")
        for way in found(case):
            if way.end.stop is Stop.EDGE and {way.start.what, way.end.what} not in ({"near", "far"}, {"left", "right"}):
                yield Sentence(
                    "{way} runs from the {start} to the {end} edge; they are not opposite",
                    way=way.id,
                    start=way.start.what,
                    end=way.end.what,
                )

    return check


def same_edge(way: Way) -> bool:
    """Return whether both ends are on one edge."""
    return way.start.stop is way.end.stop is Stop.EDGE and way.start.what == way.end.what
