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
from printkit.systems.brantley.judge.case import BrantleyCase, Check, rivers, roads
from printkit.systems.brantley.judge.courses import (
    Ways,
    clear_of_corners,
    count_by_die,
    edge_only_at_ends,
    ends_somewhere,
    higher_places,
    joins_an_earlier,
    junction,
    no_longer_than,
    one_each,
    stated_end,
    stops_inside,
    width_within,
)
from printkit.systems.brantley.judge.slopes import reliefs
from printkit.systems.brantley.judge.ways import JudgedWay, Stop
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import edge_clearance, find_meetings, measure_bends, wet_lengths

# --- Checks of rivers -------------------------------------------------------------------------------------------------


def does_not_cross_itself(case: BrantleyCase) -> Faults:
    """Check that a river does not cross itself (BR-G35)."""
    yield from (Sentence("{way} crosses itself", way=way.id) for way in case.rivers if not way.line.is_simple)


def rivers_apart(case: BrantleyCase) -> Faults:
    """Check that two rivers meet only where one ends in the other (BR-G40)."""
    for one, two in combinations(case.rivers, 2):
        for point in (meeting.at for meeting in find_meetings(one.line, two.line)):
            if not (_joins(one, two, point, case) or _joins(two, one, point, case)):
                yield Sentence(
                    "{one} and {two} meet at ({x:.1f}, {y:.1f}), but neither ends in the other there",
                    one=one.id,
                    two=two.id,
                    x=point.x,
                    y=point.y,
                )


def rises_in_no_lake(case: BrantleyCase) -> Faults:
    """Check that a river does not start in a lake (BR-Q23)."""
    yield from (
        Sentence("{way} rises in {start}", way=way.id, start=way.start.what)
        for way in case.rivers
        if way.start.stop is Stop.AREA
    )


def _joins(one: JudgedWay, two: JudgedWay, at: Point, case: BrantleyCase) -> bool:
    near = one.end.at.distance(at) <= case.rules.length("apart")
    return near and one.end.stop is Stop.COURSE and one.end.what == two.id


def off_the_edge(case: BrantleyCase) -> Faults:
    """Check that a river keeps its distance from the edge, except near its ends (BR-G34)."""
    widths, slack = (ask("river_edge_gap_in_widths") for ask in (case.rules.number, case.rules.slack))
    for way in case.rivers:
        depth = widths * way.course.width
        gap = edge_clearance(way.line, case.board, depth)
        if way.pieces == 1 and gap < depth - slack * way.course.width:
            yield Sentence(
                "{way} comes within {gap:.1f} mm of the edge between its ends; the minimum is {depth:.1f} mm",
                way=way.id,
                gap=gap,
                depth=depth,
            )


def keeps_to_open_ground(found: Ways, case: BrantleyCase) -> Faults:
    """Check that the full width of a course stays out of closed ground (BR-G36, BR-G54, BR-Q12, BR-Q15).

    Ground is closed if the course may neither pass it nor end in it.
    """
    impassable = {area.id for area in case.areas(Kind.HEAVY_WOODS)}
    impassable |= {relief.id for relief in reliefs(case) if relief.going == "impassable"}
    for way in found(case):
        closed = [
            (Sentence("{area} ({kind})", area=area.id, kind=area.kind), area.outline)
            for area in case.ground
            if is_closed(way.course.kind, area.kind, case.rules, impassable=area.id in impassable)
            and not (way.end.stop is Stop.AREA and way.end.what == area.id)
        ]
        if way.course.kind is Kind.ROAD and case.rules.choice("br-q15") != "any-but-lake":
            closed += [
                (Sentence("the steep slope {side} of {hill}", side=face.side, hill=hill.id), face.line)
                for hill in case.hills()
                for face in hill.faces
            ]
        for name, shape in closed:
            gap, least = float(way.line.distance(shape)), way.course.width / 2
            if gap < least - case.touch:
                yield Sentence(
                    "{way} comes within {gap:.1f} mm of {name}; half its width is {least:.1f} mm",
                    way=way.id,
                    gap=gap,
                    name=name,
                    least=least,
                )


RIVER_CHECKS: Final[Mapping[str, Check]] = {
    "BR-401": partial(count_by_die, "rivers", rivers),
    "BR-402": partial(higher_places, "rivers", rivers),
    "BR-403": partial(one_each, rivers),
    "BR-405": partial(ends_somewhere, rivers),
    "BR-406": partial(stated_end, "rivers", rivers, "lake", Stop.AREA),
    "BR-407": partial(joins_an_earlier, rivers),
    "BR-G31": width_within(rivers, "river"),
    "BR-G32": no_longer_than(rivers, "river_limit"),
    "BR-G33": clear_of_corners(rivers),
    "BR-G34": combine_checks(partial(edge_only_at_ends, rivers), off_the_edge),
    "BR-G35": does_not_cross_itself,
    "BR-G36": partial(keeps_to_open_ground, rivers),
    "BR-G38": stops_inside(rivers, "lake"),
    "BR-G39": junction(rivers, "river_junction_gap"),
    "BR-G40": rivers_apart,
    "BR-Q12": partial(keeps_to_open_ground, rivers),
    "BR-Q23": rises_in_no_lake,
}


class RoadMeeting(NamedTuple):
    """A point where the centre lines of a road and of a river meet."""

    at: Point
    road: JudgedWay
    river: JudgedWay


def no_sharp_bend(case: BrantleyCase) -> Faults:
    """Check that no bend of a road is sharper than the limit (BR-G52)."""
    limit = case.rules.number("road_bend_max")
    for way in case.roads:
        bend, at = max(
            measure_bends(way.line, case.rules.length("bend_over")), key=itemgetter(0), default=(0.0, way.start.at)
        )
        if bend > limit + case.rules.slack("road_bend_max"):
            yield Sentence(
                "{way} bends by {bend:.0f} degrees at ({x:.1f}, {y:.1f}); the maximum is {limit:g}",
                way=way.id,
                bend=bend,
                x=at.x,
                y=at.y,
                limit=limit,
            )


def crosses_squarely(case: BrantleyCase) -> Faults:
    """Check that a road passes over a river, and does not run in it or along it (BR-G57)."""
    rules = case.rules
    flattest, slack = rules.number("crossing_angle_min"), rules.slack("crossing_angle_min")
    widths = rules.number("crossing_length_in_widths_max")
    for way, river in product(case.roads, case.rivers):
        wide = river.course.width
        met = find_meetings(way.line, river.line)
        for piece, within in wet_lengths(way.line, way.course.width, river.line, wide):
            if within > (widths + rules.slack("crossing_length_in_widths_max")) * wide:
                yield Sentence(
                    "{way} runs inside {river} for {length:.0f} mm; the maximum is {limit:.0f} mm",
                    way=way.id,
                    river=river.id,
                    length=within,
                    limit=widths * wide,
                )
            elif sum(piece.distance(meeting.at) < one_place(case) for meeting in met) != 1:
                yield Sentence("{way} runs along {river} and never crosses it cleanly", way=way.id, river=river.id)
        for meeting in met:
            if meeting.angle < flattest - slack:
                yield Sentence(
                    "{road} crosses {river} at {met:.0f} degrees; the minimum is {flattest:g}",
                    road=way.id,
                    river=river.id,
                    met=meeting.angle,
                    flattest=flattest,
                )


def every_meeting_is_crossed(case: BrantleyCase) -> Faults:
    """Check that there is a ford or a bridge where a road passes over a river (BR-601)."""
    for at, road, river in _spots(case):
        if all(crossing.at.distance(at) > one_place(case) for crossing in case.crossings):
            yield Sentence(
                "{road} crosses {river} at ({x:.1f}, {y:.1f}) without a ford or bridge",
                road=road.id,
                river=river.id,
                x=at.x,
                y=at.y,
            )


def one_crossing_a_meeting(case: BrantleyCase) -> Faults:
    """Check that crossings and meetings have the same number and places (BR-G61)."""
    spots = _spots(case)
    for crossing in case.crossings:
        here = [spot for spot in spots if spot.at.distance(crossing.at) <= one_place(case)]
        if not here:
            yield Sentence(
                "{crossing} at ({x:.1f}, {y:.1f}) is where no road crosses a river",
                crossing=crossing.id,
                x=crossing.at.x,
                y=crossing.at.y,
            )
        elif crossing.route and (crossing.route, crossing.water) not in [
            (s.road.id, s.river.id) for s in _meetings(case)
        ]:
            yield Sentence(
                "{crossing} is recorded as taking {way} over {water}, but they do not meet",
                crossing=crossing.id,
                way=crossing.route,
                water=crossing.water,
            )
    for spot in spots:
        there = [crossing.id for crossing in case.crossings if crossing.at.distance(spot.at) <= one_place(case)]
        if len(there) != 1:
            place = f"({spot.at.x:.1f}, {spot.at.y:.1f})"
            yield Sentence(
                "{road} and {river} meet at {place} with {there} crossings",
                road=spot.road.id,
                river=spot.river.id,
                place=place,
                there=len(there),
            )


def none_at_a_junction(case: BrantleyCase) -> Faults:
    """Check that a junction of two courses of one type has no crossing (BR-G62)."""
    spots = _spots(case)
    for way in (*case.roads, *case.rivers):
        for crossing in case.crossings:
            at_end = way.end.stop is Stop.COURSE and crossing.at.distance(way.end.at) <= one_place(case)
            if at_end and all(spot.at.distance(crossing.at) > one_place(case) for spot in spots):
                yield Sentence(
                    "{crossing} is at the end of {way} in {end}, where no road crosses a river",
                    crossing=crossing.id,
                    way=way.id,
                    end=way.end.what,
                )


def as_the_setting_says(case: BrantleyCase) -> Faults:
    """Check which crossings are fords and which are bridges (BR-Q16)."""
    setting = case.rules.choice("br-q16")
    for place, crossing in enumerate(case.crossings):
        due = {"ford": Kind.FORD, "bridge": Kind.BRIDGE}.get(setting)
        if setting == "alternate" and place:
            due = Kind.FORD if case.crossings[place - 1].kind is Kind.BRIDGE else Kind.BRIDGE
        if setting == "die" and place < len(case.scores("crossings")):
            due = Kind(case.rules.outcomes("crossing").look_up(case.scores("crossings")[place]))
        if due and crossing.kind is not due:
            yield Sentence(
                "{crossing} is a {kind}; the setting {setting!r} makes it a {due}",
                crossing=crossing.id,
                kind=crossing.kind,
                setting=setting,
                due=due,
            )


def one_place(case: BrantleyCase) -> float:
    """Return the distance in mm within which two meetings count as one."""
    return case.rules.length("one_place")


def _meetings(case: BrantleyCase) -> Iterator[RoadMeeting]:
    for road, river in product(case.roads, case.rivers):
        yield from (RoadMeeting(meeting.at, road, river) for meeting in find_meetings(road.line, river.line))


def _spots(case: BrantleyCase) -> list[RoadMeeting]:
    """Return the meetings; meetings at one place count once."""
    found: list[RoadMeeting] = []
    for meeting in _meetings(case):
        if all(meeting.at.distance(spot.at) > one_place(case) for spot in found):
            found.append(meeting)
    return found


CHECKS: Final[Mapping[str, Check]] = {
    "BR-501": partial(count_by_die, "roads", roads),
    "BR-502": partial(higher_places, "roads", roads),
    "BR-503": partial(one_each, roads),
    "BR-505": partial(ends_somewhere, roads),
    "BR-506": partial(stated_end, "roads", roads, "bua", Stop.AREA),
    "BR-507": partial(joins_an_earlier, roads),
    "BR-601": every_meeting_is_crossed,
    "BR-G51": width_within(roads, "road"),
    "BR-G52": combine_checks(no_longer_than(roads, "road_limit"), no_sharp_bend),
    "BR-G53": combine_checks(clear_of_corners(roads), partial(edge_only_at_ends, roads)),
    "BR-G54": partial(keeps_to_open_ground, roads),
    "BR-G55": stops_inside(roads, "bua"),
    "BR-G56": junction(roads, "junction_gap"),
    "BR-G57": crosses_squarely,
    "BR-G61": one_crossing_a_meeting,
    "BR-G62": none_at_a_junction,
    "BR-Q15": partial(keeps_to_open_ground, roads),
    "BR-Q16": as_the_setting_says,
}
