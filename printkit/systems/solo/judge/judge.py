"""The judge: a verdict for every clause of the rule book, from shapes and log alone, rivers and roads among them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Final

from shapely import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.core.units import MM_PER_INCH
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, UnseenError, verdicts
from printkit.kit.system import Verdict
from printkit.systems.dba.ground.judged import SLACK, JudgedPiece
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.solo.judge import field, selection
from printkit.systems.solo.judge.case import Case, Check, parts
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import meetings, sinuosity

# --- The judge on rivers and roads ------------------------------------------------------------------------------------

ACROSS: Final = (Edge.LEFT, Edge.RIGHT)
UP: Final = (Edge.NEAR, Edge.FAR)

_NEAR_A_MEETING: Final = 2.0
"""Millimetres within which a crossing lies at its meeting."""


def to_the_opposite_edge(terrain: Terrain, case: Case) -> Faults:
    """Return a check that courses run from an edge to the opposite one, or to the waterway along it (AMB-20)."""
    for course in case.of_type(terrain):
        if _ends(case, course) is None:
            yield Sentence("{course} does not run from an edge to the opposite one", course=course.id)


def river_length(case: Case) -> Faults:
    """SD-3.3.3-b."""
    most = case.number("river_sinuosity_max")
    for river in case.of_type(Terrain.RIVER):
        if sinuosity(river.line) > most + 1e-3:
            yield Sentence(
                "{river} is {sinuosity:.4f} times as long as straight; {most:g} at most",
                river=river.id,
                sinuosity=sinuosity(river.line),
                most=most,
            )


def river_clearance(case: Case) -> Faults:
    """SD-3.3.3-c: 600 paces from every edge, but in one run from each of its ends."""
    for river in case.of_type(Terrain.RIVER):
        near = case.paces("river_clearance_p_min") + _bank(case, river) - SLACK
        own = _ends(case, river) or ()
        tips = [Point(river.line.coords[0]), Point(river.line.coords[-1])]
        for edge in Edge:
            inside = parts(river.line.intersection(case.board.edge(edge).buffer(near, cap_style="flat")))
            if edge not in own and inside:
                yield Sentence("{river} comes too near to the {edge} edge", river=river.id, edge=edge.value)
            elif len(inside) > 1 or any(min(part.distance(tip) for tip in tips) > SLACK for part in inside):
                yield Sentence("{river} comes back too near to the {edge} edge", river=river.id, edge=edge.value)


def river_quarters(case: Case) -> Faults:
    """SD-3.3.3-d: exactly two quarters."""
    for river in case.of_type(Terrain.RIVER):
        bank = _bank(case, river)
        count = _entered(case, river.line.buffer(bank) if bank else river.line)
        if count != case.number("course_quarters_max"):
            yield Sentence("{river} enters {count} quarters; two it should be", river=river.id, count=count)


def road_touches_town(case: Case) -> Faults:
    """SD-3.3.5-a."""
    for town in case.of_type(Terrain.BUA):
        roads = case.of_type(Terrain.ROAD)
        if roads and all(road.ground.distance(town.shape) > SLACK for road in roads):
            yield Sentence("no road touches {town}", town=town.id)


def road_is_straight(case: Case) -> Faults:
    """SD-3.3.5-b: to the opposite edge, not much longer than straight; one that bends to a town may be longer."""
    yield from to_the_opposite_edge(Terrain.ROAD, case)
    most = case.number("road_sinuosity_max")
    if case.settings["bua_road"] == "bend" and case.of_type(Terrain.BUA):
        most = case.number("road_sinuosity_bent")
    for road in case.of_type(Terrain.ROAD):
        if sinuosity(road.line) > most + 1e-3:
            yield Sentence(
                "{road} is {sinuosity:.3f} times as long as straight; {most:g} at most",
                road=road.id,
                sinuosity=sinuosity(road.line),
                most=most,
            )


def road_quarters(case: Case) -> Faults:
    """SD-3.3.5-c: at most two quarters."""
    for road in case.of_type(Terrain.ROAD):
        count = _entered(case, road.line)
        if count > case.number("course_quarters_max"):
            yield Sentence("{road} enters {count} quarters; two at most", road=road.id, count=count)


def crossings(case: Case) -> Faults:
    """SD-3.3.5-d: a bridge, or without a model a ford, wherever a road meets a river, and nowhere else."""
    kind = Kind.BRIDGE if case.on("bridge_model") else Kind.FORD
    found = [feature for feature in case.record.battlefield.features if isinstance(feature, Crossing)]
    places = []
    for road in case.of_type(Terrain.ROAD):
        for river in case.of_type(Terrain.RIVER):
            for meeting in meetings(road.line, river.line):
                places.append(meeting.at)
                here = [each for each in found if each.at.distance(meeting.at) <= _NEAR_A_MEETING]
                if [each.kind for each in here] != [kind]:
                    yield Sentence(
                        "where {road} meets {river} there is no {kind}", road=road.id, river=river.id, kind=kind.value
                    )
    for crossing in found:
        if all(crossing.at.distance(at) > _NEAR_A_MEETING for at in places):
            yield Sentence("{crossing} is where no road meets a river", crossing=crossing.id)


def roads_apart(case: Case) -> Faults:
    """AMB-23: two roads never in the same row or column."""
    if case.on("same_road"):
        return
    for one, other in combinations(case.of_type(Terrain.ROAD), 2):
        if case.outcome(one, "place", "road") == case.outcome(other, "place", "road"):
            yield Sentence("{one} and {other} have the same place", one=one.id, other=other.id)


def _row_of_band(name: str, case: Case) -> Faults:
    for river in case.of_type(Terrain.RIVER):
        if case.outcome(river, "place", "river") == name:
            room = _band(case, name).buffer(SLACK - _bank(case, river), join_style="mitre")
            own = ACROSS if name.startswith("across") else UP
            if _ends(case, river) != own:
                yield Sentence("the die lets {river} run {name}, which it does not", river=river.id, name=name)
            elif not _stretched(room, case, own).covers(river.line):
                yield Sentence("{river} leaves the band of its die", river=river.id)


def _row_of_road(name: str, case: Case) -> Faults:
    run, third = name.split("-")
    for road in case.of_type(Terrain.ROAD):
        if case.outcome(road, "place", "road") != name:
            continue
        own = ACROSS if run == "across" else UP
        if _ends(case, road) != own:
            yield Sentence("the die lets {road} run {name}, which it does not", road=road.id, name=name)
        elif case.settings["bua_road"] == "bend" and case.of_type(Terrain.BUA):
            continue
        elif not _stretched(case.third(third).buffer(SLACK, join_style="mitre"), case, own).covers(road.line):
            yield Sentence(
                "{road} leaves the {third} {line} of its die",
                road=road.id,
                third=third,
                line=Sentence("row") if run == "across" else Sentence("column"),
            )


def _ends(case: Case, course: JudgedPiece) -> tuple[Edge, Edge] | None:
    """Return the opposite edges between which a course runs: to the edge itself, or to the waterway along it.

    A river ends on the shore; a road may end on a quay, as far before it as the road is wide.
    """
    feature = course.feature
    quay = feature.width if course.terrain is Terrain.ROAD and isinstance(feature, Course) else SLACK
    tips = [Point(course.line.coords[0]), Point(course.line.coords[-1])]
    for pair in (ACROSS, UP):
        for first, second in (pair, pair[::-1]):
            if _reaches(case, tips[0], first, quay) and _reaches(case, tips[1], second, quay):
                return pair
    return None


def _reaches(case: Case, tip: Point, edge: Edge, quay: float) -> bool:
    side = case.board.edge(edge)
    if tip.distance(side) <= SLACK:
        return True
    waters = case.of_type(Terrain.WATERWAY)
    return any(
        side.intersection(water.shape.buffer(SLACK)).length > side.length / 2 and tip.distance(water.shape) <= quay
        for water in waters
    )


def _bank(case: Case, river: JudgedPiece) -> float:
    """Return the mm from the centre line to what is measured (AMB-20)."""
    feature = river.feature
    if not isinstance(feature, Course):
        raise UnseenError("{river} is drawn as an area and has no centre line", river=river.id)
    return feature.width / 2 if case.settings["river_measure"] == "bank" else 0.0


def _entered(case: Case, shape: BaseGeometry) -> int:
    """Return how many quarters a course enters; a touch of the line between them is no entry."""
    inner = (quarter.buffer(-SLACK, join_style="mitre") for quarter in case.quarters())
    return sum(bool(shape.intersection(quarter).length > SLACK) for quarter in inner)


def _band(case: Case, name: str) -> Polygon:
    row = next(row for row in case.book.rows["river_bands"] if row["band"] == name)
    side = case.board.depth if row["runs"] == "across" else case.board.width
    unit = MM_PER_INCH if case.settings["bands"] == "inches" else side / case.number("board_in_15mm")
    low, high = row["from_in"] * unit, row["to_in"] * unit
    if row["runs"] == "across":
        return box(0, low, case.board.width, high)
    return box(low, 0, high, case.board.depth)


def _stretched(room: Polygon, case: Case, ends: tuple[Edge, Edge]) -> Polygon:
    """Return a band that reaches past the edges where a course ends."""
    left, low, right, high = room.bounds
    if ends == ACROSS:
        return box(-SLACK, low, case.board.width + SLACK, high)
    return box(left, -SLACK, right, case.board.depth + SLACK)


COURSE_CHECKS: Final[Mapping[str, Check]] = {
    "SD-3.3.3-a": partial(to_the_opposite_edge, Terrain.RIVER),
    "SD-3.3.3-b": river_length,
    "SD-3.3.3-c": river_clearance,
    "SD-3.3.3-d": river_quarters,
    "SD-3.3.3-r1": partial(_row_of_band, "across-far"),
    "SD-3.3.3-r2": partial(_row_of_band, "across-near"),
    "SD-3.3.3-r3": partial(_row_of_band, "up-left"),
    "SD-3.3.3-r4": partial(_row_of_band, "up-right"),
    "SD-3.3.5-a": road_touches_town,
    "SD-3.3.5-b": road_is_straight,
    "SD-3.3.5-c": road_quarters,
    "SD-3.3.5-d": crossings,
    "SD-3.3.5-r1": partial(_row_of_road, "across-near"),
    "SD-3.3.5-r2": partial(_row_of_road, "across-middle"),
    "SD-3.3.5-r3": partial(_row_of_road, "across-far"),
    "SD-3.3.5-r4": partial(_row_of_road, "up-left"),
    "SD-3.3.5-r5": partial(_row_of_road, "up-centre"),
    "SD-3.3.5-r6": partial(_row_of_road, "up-right"),
    "AMB-23": roads_apart,
}


CHECKS: Final[Mapping[str, Check]] = {**selection.CHECKS, **field.CHECKS, **COURSE_CHECKS}
"""Every clause that a record can be seen to break, and what looks for it."""

_REASONS: Final = Reasons(
    clauses={
        "SD-3.3-a": Sentence("where the person sits leaves no trace"),
        "SD-3.3.4-a": Sentence("the nine sectors, judged where pieces lie in them"),
        "SD-3.3.5-e": Sentence("the nine sectors, judged where roads lie in them"),
    },
    families={
        "SD-1": Sentence("a term, or what the rules are for"),
        "SD-2": Sentence("about armies, before there is a field"),
        "SD-4": Sentence("about edges and deployment, after there is a field"),
        "SD-5": Sentence("about play"),
        "AMB": Sentence("a reading of the rules, judged where it is used"),
        "ST-": Sentence("a worked example"),
    },
)


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause that the book lists, in its order.

    Raises:
        RecordError: the object of the rule system has a wrong member; names it.
    """
    return verdicts(book.clauses, CHECKS, _REASONS, Case.of_record(record, book), record)
