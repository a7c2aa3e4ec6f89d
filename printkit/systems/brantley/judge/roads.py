"""The judge on roads, on rivers, and on the places where the two meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

import shapely
from shapely import Point

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, both
from printkit.systems.brantley.judge.case import Case, Check, rivers, roads
from printkit.systems.brantley.judge.courses import (
    ANGLE_SLACK,
    clear_of_corners,
    count_by_die,
    edge_only_at_ends,
    ends_somewhere,
    higher_places,
    joins_an_earlier,
    junction,
    no_longer_than,
    one_each,
    starts_on_edge,
    stated_end,
    stops_inside,
    width_within,
)
from printkit.systems.brantley.judge.slopes import reliefs
from printkit.systems.brantley.judge.ways import (
    TOLERANCE,
    AreaOrHill,
    JudgedWay,
    Stop,
    angle_between,
    meetings,
    sharpest_bend,
)
from printkit.terrain.field.features import Kind

# --- The judge on rivers ----------------------------------------------------------------------------------------------


def does_not_cross_itself(case: Case) -> Faults:
    """BR-G35: a river does not meet itself."""
    yield from (Sentence("{way} crosses itself", way=way.id) for way in case.rivers if not way.line.is_simple)


def keeps_out_of_areas(case: Case) -> Faults:
    """BR-G36 and BR-Q12: its water lies beside every area, but the lake it ends in and those that are allowed."""
    for way in case.rivers:
        for area in case.ground:
            ends_here = way.end.stop is Stop.AREA and way.end.what == area.id
            gap, least = float(way.line.distance(area.outline)), way.course.width / 2
            if not ends_here and not _may_pass(case, area) and gap < least - TOLERANCE:
                yield Sentence(
                    "{way} comes within {gap:.1f} mm of {area} ({kind}); its half width is {least:.1f} mm",
                    way=way.id,
                    gap=gap,
                    area=area.id,
                    kind=area.kind,
                    least=least,
                )


def rivers_apart(case: Case) -> Faults:
    """BR-G40: two rivers share no point but the one where one of them ends in the other."""
    for one, two in combinations(case.rivers, 2):
        for point in meetings(one.line, two.line):
            if not (_joins(one, two, point) or _joins(two, one, point)):
                yield Sentence(
                    "{one} and {two} meet at ({x:.1f}, {y:.1f}), where neither ends in the other",
                    one=one.id,
                    two=two.id,
                    x=point.x,
                    y=point.y,
                )


def rises_in_no_lake(case: Case) -> Faults:
    """BR-Q23: a lake is an end, never a start."""
    yield from (
        Sentence("{way} rises in {start}", way=way.id, start=way.start.what)
        for way in case.rivers
        if way.start.stop is Stop.AREA
    )


def _joins(one: JudgedWay, two: JudgedWay, at: Point) -> bool:
    return one.end.stop is Stop.COURSE and one.end.what == two.id and one.end.at.distance(at) <= 2 * TOLERANCE


def _may_pass(case: Case, area: AreaOrHill) -> bool:
    match case.setting("br-q12"):
        case "none":
            return False
        case "any-but-bua-lake":
            return area.kind not in (Kind.BUA, Kind.LAKE)
        case _:
            return area.kind is Kind.MARSH


RIVER_CHECKS: Final[Mapping[str, Check]] = {
    "BR-401": partial(count_by_die, "rivers", rivers),
    "BR-402": partial(higher_places, "rivers", rivers),
    "BR-403": partial(one_each, rivers),
    "BR-404": partial(starts_on_edge, rivers),
    "BR-405": partial(ends_somewhere, rivers),
    "BR-406": partial(stated_end, "rivers", rivers, "lake", Stop.AREA),
    "BR-407": partial(joins_an_earlier, rivers),
    "BR-G31": partial(width_within, rivers, "river_width_min", "river_width_max"),
    "BR-G32": partial(no_longer_than, rivers, "river-limit"),
    "BR-G33": partial(clear_of_corners, rivers),
    "BR-G34": partial(edge_only_at_ends, rivers, lambda way: way.course.width),
    "BR-G35": does_not_cross_itself,
    "BR-G36": keeps_out_of_areas,
    "BR-G38": partial(stops_inside, rivers, "lake_depth_min", "lake_depth_max"),
    "BR-G39": partial(junction, rivers, "river_junction_gap", "junction_angle"),
    "BR-G40": rivers_apart,
    "BR-Q12": keeps_out_of_areas,
    "BR-Q23": rises_in_no_lake,
}


class RoadMeeting(NamedTuple):
    """A point where the centre lines of a road and of a river meet."""

    at: Point
    road: JudgedWay
    river: JudgedWay


def nearly_straight(case: Case) -> Faults:
    """BR-G52: hardly longer than the straight way, and no sharp bend."""
    yield from no_longer_than(roads, "road-limit", case)
    limit = case.book.numbers["road_bend_max"]
    for way in case.roads:
        bend, at = sharpest_bend(way.line)
        if bend > limit + ANGLE_SLACK:
            yield Sentence(
                "{way} bends by {bend:.0f} degrees at ({x:.1f}, {y:.1f}); at most {limit:g}",
                way=way.id,
                bend=bend,
                x=at.x,
                y=at.y,
                limit=limit,
            )


def keeps_to_passable_ground(case: Case) -> Faults:
    """BR-G54 and BR-Q15: a road with its whole width keeps out of what it may not pass."""
    for way in case.roads:
        closed = [
            (f"{area.id} ({area.kind})", area.outline)
            for area in case.ground
            if _barred(case, area) and not (way.end.stop is Stop.AREA and way.end.what == area.id)
        ]
        if case.setting("br-q15") != "any-but-lake":
            closed += [
                (Sentence("the steep side {side} of {hill}", side=face.side, hill=hill.id), face.line)
                for hill in case.hills()
                for face in hill.faces
            ]
        for name, shape in closed:
            gap, least = float(way.line.distance(shape)), way.course.width / 2
            if gap < least - TOLERANCE:
                yield Sentence(
                    "{way} comes within {gap:.1f} mm of {name}; its half width is {least:.1f} mm",
                    way=way.id,
                    gap=gap,
                    name=name,
                    least=least,
                )


def crosses_squarely(case: Case) -> Faults:
    """BR-G57: a road passes over a river, and does not run in it."""
    flattest, widths = (case.book.numbers[name] for name in ("crossing_angle_min", "crossing_length_in_widths_max"))
    for way in case.roads:
        for river in case.rivers:
            limit = widths * river.course.width
            water = way.line.intersection(river.bed)
            for piece in shapely.get_parts(shapely.line_merge(water)):
                if piece.length > limit + TOLERANCE:
                    yield Sentence(
                        "{way} lies in {river} for {length:.0f} mm; at most {limit:.0f} mm",
                        way=way.id,
                        river=river.id,
                        length=piece.length,
                        limit=limit,
                    )
    for at, road, river in _meetings(case):
        met = angle_between(road.line, river.line, at)
        if met < flattest - ANGLE_SLACK:
            yield Sentence(
                "{road} passes {river} at {met:.0f} degrees; at least {flattest:g}",
                road=road.id,
                river=river.id,
                met=met,
                flattest=flattest,
            )


def every_meeting_is_crossed(case: Case) -> Faults:
    """BR-601: where a road passes over a river, there is a ford or a bridge."""
    for at, road, river in _spots(case):
        if all(crossing.at.distance(at) > _NEAR for crossing in case.crossings):
            yield Sentence(
                "{road} passes {river} at ({x:.1f}, {y:.1f}) without ford or bridge",
                road=road.id,
                river=river.id,
                x=at.x,
                y=at.y,
            )


def one_crossing_a_meeting(case: Case) -> Faults:
    """BR-G61: crossings and meetings are the same in number and place."""
    spots = _spots(case)
    for crossing in case.crossings:
        here = [spot for spot in spots if spot.at.distance(crossing.at) <= _NEAR]
        if not here:
            yield Sentence(
                "{crossing} at ({x:.1f}, {y:.1f}) lies where no road passes a river",
                crossing=crossing.id,
                x=crossing.at.x,
                y=crossing.at.y,
            )
        elif crossing.way and (crossing.way, crossing.water) not in [(s.road.id, s.river.id) for s in _meetings(case)]:
            yield Sentence(
                "{crossing} is said to take {way} over {water}, which do not meet",
                crossing=crossing.id,
                way=crossing.way,
                water=crossing.water,
            )
    for spot in spots:
        there = [crossing.id for crossing in case.crossings if crossing.at.distance(spot.at) <= _NEAR]
        if len(there) != 1:
            place = f"({spot.at.x:.1f}, {spot.at.y:.1f})"
            yield Sentence(
                "{road} and {river} meet at {place} with {there} crossings",
                road=spot.road.id,
                river=spot.river.id,
                place=place,
                there=len(there),
            )


def none_at_a_junction(case: Case) -> Faults:
    """BR-G62: the point where a course ends in another of its sort is no crossing for that."""
    spots = _spots(case)
    for way in (*case.roads, *case.rivers):
        for crossing in case.crossings:
            at_end = way.end.stop is Stop.COURSE and crossing.at.distance(way.end.at) <= _NEAR
            if at_end and all(spot.at.distance(crossing.at) > _NEAR for spot in spots):
                yield Sentence(
                    "{crossing} lies on the end of {way} in {end}, where no road passes a river",
                    crossing=crossing.id,
                    way=way.id,
                    end=way.end.what,
                )


def as_the_setting_says(case: Case) -> Faults:
    """BR-Q16: which crossings are fords and which bridges."""
    setting = case.setting("br-q16")
    for place, crossing in enumerate(case.crossings):
        due = {"ford": Kind.FORD, "bridge": Kind.BRIDGE}.get(setting)
        if setting == "alternate" and place:
            due = Kind.FORD if case.crossings[place - 1].kind is Kind.BRIDGE else Kind.BRIDGE
        if setting == "die" and place < len(case.scores("crossings")):
            due = Kind(case.book.tables["crossing"].look_up(case.scores("crossings")[place]))
        if due and crossing.kind is not due:
            yield Sentence(
                "{crossing} is a {kind}; the setting {setting!r} makes it a {due}",
                crossing=crossing.id,
                kind=crossing.kind,
                setting=setting,
                due=due,
            )


_NEAR: Final = 1.0
"""Millimetres: meetings nearer than this are one, as where a road joins another in midstream."""


def _meetings(case: Case) -> Iterator[RoadMeeting]:
    for road in case.roads:
        for river in case.rivers:
            for at in sorted(meetings(road.line, river.line), key=road.line.project):
                yield RoadMeeting(at, road, river)


def _spots(case: Case) -> list[RoadMeeting]:
    """Return the meetings, those at one place once."""
    found: list[RoadMeeting] = []
    for meeting in _meetings(case):
        if all(meeting.at.distance(spot.at) > _NEAR for spot in found):
            found.append(meeting)
    return found


def _barred(case: Case, area: AreaOrHill) -> bool:
    setting = case.setting("br-q15")
    if setting == "clear-only":
        return True
    if setting == "any-but-lake":
        return area.kind is Kind.LAKE
    if area.kind is Kind.HILL:
        return any(relief.id == area.id and relief.going == "impassable" for relief in reliefs(case))
    return area.kind in (Kind.LAKE, Kind.HEAVY_WOODS, Kind.BUA)


CHECKS: Final[Mapping[str, Check]] = {
    "BR-501": partial(count_by_die, "roads", roads),
    "BR-502": partial(higher_places, "roads", roads),
    "BR-503": partial(one_each, roads),
    "BR-504": partial(starts_on_edge, roads),
    "BR-505": partial(ends_somewhere, roads),
    "BR-506": partial(stated_end, "roads", roads, "bua", Stop.AREA),
    "BR-507": partial(joins_an_earlier, roads),
    "BR-601": every_meeting_is_crossed,
    "BR-G51": partial(width_within, roads, "road_width_min", "road_width_max"),
    "BR-G52": nearly_straight,
    "BR-G53": both(partial(clear_of_corners, roads), partial(edge_only_at_ends, roads, lambda _: 2 * TOLERANCE)),
    "BR-G54": keeps_to_passable_ground,
    "BR-G55": partial(stops_inside, roads, "bua_depth_min", "bua_depth_max"),
    "BR-G56": partial(junction, roads, "junction_gap", "junction_angle"),
    "BR-G57": crosses_squarely,
    "BR-G61": one_crossing_a_meeting,
    "BR-G62": none_at_a_junction,
    "BR-Q15": keeps_to_passable_ground,
    "BR-Q16": as_the_setting_says,
}
