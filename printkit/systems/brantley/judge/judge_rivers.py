"""The judge on rivers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from shapely import Point

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.brantley.judge.case import Case, Check, rivers
from printkit.systems.brantley.judge.courses import (
    clear_of_corners,
    edge_only_at_ends,
    ends_somewhere,
    joins_an_earlier,
    junction,
    no_longer_than,
    starts_on_edge,
    stated_end,
    stops_inside,
    width_within,
)
from printkit.systems.brantley.judge.judge_placers import count_by_die, higher_places, one_each
from printkit.systems.brantley.judge.ways import TOLERANCE, Ground, Stop, Way, meetings
from printkit.terrain.field.features import Kind


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


def _joins(one: Way, two: Way, at: Point) -> bool:
    return one.end.stop is Stop.COURSE and one.end.what == two.id and one.end.at.distance(at) <= 2 * TOLERANCE


def _may_pass(case: Case, area: Ground) -> bool:
    match case.setting("br-q12"):
        case "none":
            return False
        case "any-but-bua-lake":
            return area.kind not in (Kind.BUA, Kind.LAKE)
        case _:
            return area.kind is Kind.MARSH


CHECKS: Final[Mapping[str, Check]] = {
    "BR-401": count_by_die("rivers", rivers),
    "BR-402": higher_places("rivers", rivers),
    "BR-403": one_each(rivers),
    "BR-404": starts_on_edge(rivers),
    "BR-405": ends_somewhere(rivers),
    "BR-406": stated_end("rivers", rivers, "lake", Stop.AREA),
    "BR-407": joins_an_earlier(rivers),
    "BR-G31": width_within(rivers, "river_width_min", "river_width_max"),
    "BR-G32": no_longer_than(rivers, "river-limit"),
    "BR-G33": clear_of_corners(rivers),
    "BR-G34": edge_only_at_ends(rivers, lambda way: way.course.width),
    "BR-G35": does_not_cross_itself,
    "BR-G36": keeps_out_of_areas,
    "BR-G38": stops_inside(rivers, "lake_depth_min", "lake_depth_max"),
    "BR-G39": junction(rivers, "river_junction_gap", "junction_angle"),
    "BR-G40": rivers_apart,
    "BR-Q12": keeps_out_of_areas,
    "BR-Q23": rises_in_no_lake,
}
