"""Check a Solo DBA record by its shapes: all verdicts, and the checks of rivers and roads.

A replay of the log proves the clauses about dice (``ROLL_CLAUSES``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, UnseenError, check_maximum, combine_checks, verdicts
from printkit.kit.system import RollClauses, Verdict
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.frame import Axis, find_quarters, third_range
from printkit.systems.dba.ground.terrain_limits import CourseLimits, Terrain
from printkit.systems.solo.judge import field
from printkit.systems.solo.judge.case import ENDS, Check, SoloCase
from printkit.systems.solo.terrain.place_pieces import crossing_kind
from printkit.terrain.field.features import Course
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import find_meetings, sinuosity

# --- Checks of rivers and roads ---------------------------------------------------------------------------------------

_BAND: Final = "band"
_CLEARANCE: Final = "clearance"


def check_opposite_edge(terrain: Terrain, case: SoloCase) -> Faults:
    """Check that each course runs from an edge to the opposite edge, or to a waterway along it (AMB-20)."""
    for course in case.pieces_of_type(terrain):
        if _find_axis(case, course) is None:
            yield Sentence("{course} does not run from an edge to the opposite one", course=course.id)


def check_river_clearance(case: SoloCase) -> Faults:
    """Check that a river is 600 paces from every edge, except in one run from each end (SD-3.3.3-c)."""
    for river in case.pieces_of_type(Terrain.RIVER):
        limits = _find_limits(case, river, _find_axis(case, river) or Axis.ACROSS)
        if _CLEARANCE in case.find_faults(river, limits):
            yield Sentence("{river} is too close to an edge", river=river.id)


def check_river_quarters(case: SoloCase) -> Faults:
    """Check that a river enters exactly two quarters (SD-3.3.3-d)."""
    for river in case.pieces_of_type(Terrain.RIVER):
        count = _count_quarters(case, river)
        if count != case.rules.whole("course_quarters_max"):
            yield Sentence("{river} enters {count} quarters; it must enter two", river=river.id, count=count)


def check_road_touches_town(case: SoloCase) -> Faults:
    """Check that a road, if there is one, touches each built-up area (SD-3.3.5-a)."""
    for town in case.pieces_of_type(Terrain.BUA):
        roads = case.pieces_of_type(Terrain.ROAD)
        tolerance_mm = case.rules.slack("bua_corner_p")
        if roads and all(road.ground.distance(town.shape) > tolerance_mm for road in roads):
            yield Sentence("no road touches {town}", town=town.id)


def check_road_quarters(case: SoloCase) -> Faults:
    """Check that a road enters at most two quarters (SD-3.3.5-c)."""
    for road in case.pieces_of_type(Terrain.ROAD):
        count = _count_quarters(case, road)
        if count > case.rules.whole("course_quarters_max"):
            yield Sentence("{road} enters {count} quarters; at most two", road=road.id, count=count)


def check_crossings(case: SoloCase) -> Faults:
    """Check that there is a crossing wherever a road meets a river, and nowhere else (SD-3.3.5-d).

    It is a bridge if the player has a model of one, otherwise a ford.
    """
    kind, meeting_points = crossing_kind(case.rules), []
    tolerance_mm = case.rules.limit("crossing_off_max")
    for road in case.pieces_of_type(Terrain.ROAD):
        for river in case.pieces_of_type(Terrain.RIVER):
            for meeting in find_meetings(road.line, river.line):
                meeting_points.append(meeting.at)
                near_crossings = [
                    candidate for candidate in case.crossings if candidate.at.distance(meeting.at) <= tolerance_mm
                ]
                if [candidate.kind for candidate in near_crossings] != [kind]:
                    yield Sentence(
                        "there is no {kind} where {road} meets {river}", road=road.id, river=river.id, kind=kind.value
                    )
    for crossing in case.crossings:
        if all(crossing.at.distance(point) > tolerance_mm for point in meeting_points):
            yield Sentence("{crossing} is not where a road meets a river", crossing=crossing.id)


def check_roads_apart(case: SoloCase) -> Faults:
    """Check that no two roads have the same row or column (AMB-23)."""
    for one, other in combinations(case.pieces_of_type(Terrain.ROAD), 2):
        if _find_line(case, one) == _find_line(case, other):
            yield Sentence("{one} and {other} have the same place", one=one.id, other=other.id)


def _check_band_row(name: str, case: SoloCase) -> Faults:
    """Check that a river whose die gives this band, for example ``across-near``, runs in it (SD-3.3.3).

    ``name`` is that of the band.
    """
    for river in case.pieces_of_type(Terrain.RIVER):
        if case.find_result(river) == name:
            faults = case.find_faults(river, case.terms.river_limits(name))
            if ENDS in faults:
                yield Sentence("by its die {river} runs {name}, but it does not", river=river.id, name=name)
            elif _BAND in faults:
                yield Sentence("{river} leaves the band of its die", river=river.id)


def _check_road_row(name: str, case: SoloCase) -> Faults:
    """Check that a road whose die gives this row or column runs in it, such as ``up-left`` (SD-3.3.5).

    ``name`` is that of the row or column.
    """
    direction, row = name.split("-")
    axis = Axis(direction)
    for road in case.pieces_of_type(Terrain.ROAD):
        if _find_line(case, road) != name:
            continue
        faults = case.find_faults(road, _find_limits(case, road, axis, *third_range(axis.breadth(case.board), row)))
        if ENDS in faults:
            yield Sentence("by its die {road} runs {name}, but it does not", road=road.id, name=name)
        elif _BAND in faults:
            yield Sentence(
                "{road} leaves the {third} {line} of its die",
                road=road.id,
                third=row,
                line=Sentence("row") if axis is Axis.ACROSS else Sentence("column"),
            )


def _find_line(case: SoloCase, road: CheckedTerrain) -> str:
    """Return the row or column that the dice gave a road, for example ``across-middle``, without its side."""
    return case.find_result(road).split("/")[0]


def _find_axis(case: SoloCase, course: CheckedTerrain) -> Axis | None:
    """Return the axis along which a course joins two opposite edges, or None if it does not."""
    return case.find_axis(course, lambda axis: _find_limits(case, course, axis))


def _find_limits(
    case: SoloCase, course: CheckedTerrain, axis: Axis, low: float = 0.0, high: float | None = None
) -> CourseLimits:
    """Return the limits of a course along an axis, in a belt of the board or on all of it.

    ``low`` and ``high`` are the sides of the belt, in mm on the board across the axis; None is the far side of the
    board.

    Raises:
        UnseenError: the course is drawn as an area.
    """
    if not isinstance(course.feature, Course):
        raise UnseenError("{it} is drawn as an area and has no centre line", it=course.id)
    band = axis.edge_strip(case.board, low, axis.breadth(case.board) if high is None else high)
    if course.terrain is Terrain.ROAD:
        return case.terms.road_limits(axis, band, shore_gap=course.feature.width / 2)
    return case.terms.river_band_limits(axis, band)


def _count_quarters(case: SoloCase, course: CheckedTerrain) -> int:
    """Return how many quarters a course enters; to touch the line between two counts as one."""
    return len(find_quarters(course.line, case.board, case.rules.slack("course_in_quarter_p_min")))


def _make_winding_check(terrain: Terrain, limit: str) -> Check:
    """Return the check that courses are not too long for the distance between their ends.

    ``limit`` is the name of the greatest ratio in the rule book.
    """
    return check_maximum(
        lambda case: case.pieces_of_type(terrain),
        lambda _, course: sinuosity(course.line),
        limit,
        says="{it} is {found:.4f} times as long as a straight line; at most {limit:g}",
    )


def _make_width_check(terrain: Terrain) -> Check:
    """Return the check that courses of a type are not too wide, in mm on the board."""
    return check_maximum(
        lambda case: case.pieces_of_type(terrain),
        lambda _, course: course.feature.width if isinstance(course.feature, Course) else 0.0,
        f"{terrain}_width_bw_max",
        says="{it} is {found:.1f} mm wide; at most {limit:g} mm",
    )


COURSE_CHECKS: Final[Mapping[str, Check]] = {
    "SD-3.3.3-a": combine_checks(partial(check_opposite_edge, Terrain.RIVER), _make_width_check(Terrain.RIVER)),
    "SD-3.3.3-b": _make_winding_check(Terrain.RIVER, "river_sinuosity_max"),
    "SD-3.3.3-c": check_river_clearance,
    "SD-3.3.3-d": check_river_quarters,
    **{
        f"SD-3.3.3-r{number}": partial(_check_band_row, name)
        for number, name in enumerate(("across-far", "across-near", "up-left", "up-right"), 1)
    },
    "SD-3.3.5-a": check_road_touches_town,
    "SD-3.3.5-b": combine_checks(
        partial(check_opposite_edge, Terrain.ROAD),
        _make_winding_check(Terrain.ROAD, "road_sinuosity_max"),
        _make_width_check(Terrain.ROAD),
    ),
    "SD-3.3.5-c": check_road_quarters,
    "SD-3.3.5-d": check_crossings,
    **{
        f"SD-3.3.5-r{number}": partial(_check_road_row, name)
        for number, name in enumerate(
            ("across-near", "across-middle", "across-far", "up-left", "up-centre", "up-right"), 1
        )
    },
    "AMB-23": check_roads_apart,
}

# The check of each clause that the shapes of a record can break.
CHECKS: Final[Mapping[str, Check]] = {**field.CHECKS, **COURSE_CHECKS}

# The clauses about dice, and the selection of terrain.
ROLL_CLAUSES: Final = RollClauses(
    clauses=frozenset(
        (
            *("SD-2.1-a", "SD-2.2-b", "SD-2.2-c", "SD-2.2-d", "SD-2.2.1-a", "SD-2.3-a", "SD-3.1-a", "SD-3.1.1-a"),
            *("SD-3.1.1-b", "SD-3.1.1-r1", "SD-3.1.1-r2", "SD-3.1.1-m1", "SD-3.1.1-m2", "SD-3.1.1-m3", "SD-3.1.1-m4"),
            *("SD-3.1.2-a", "SD-3.1.2-m1", "SD-3.1.2-r1", "SD-3.2.1-a", "SD-3.2.1-r1", "SD-3.2.1-r2"),
            *("SD-3.2.1-m1", "SD-3.2.1-m2", "SD-3.2.1-m3", "SD-3.2.1-m4", "SD-3.2.1-m5", "SD-3.2.2-a", "SD-3.2.2-b"),
            *("SD-3.2.3-a", "SD-3.2.3-b", "SD-3.2.3-e", "SD-3.3-c", "AMB-04", "AMB-11", "AMB-13"),
        )
    ),
    members={
        "": "SD-3.2.3-d",
        "armies": "SD-2.1-a",
        "composition": "SD-2.2-b",
        "attack": "SD-2.3-a",
        "terrain": "SD-3.2.3-a",
        "terrain.pieces": "SD-3.2.3-d",
        "terrain.pieces.compulsory": "SD-3.1-a",
        "terrain.pieces.result": "SD-3.3-b",
        "terrain.left_out": "SD-3.2.3-d",
        "terrain.placement": "SD-3.3-b",
    },
)

_REASONS: Final = Reasons(
    clauses={
        "SD-3.3-a": Sentence("where you sit cannot be checked from a record"),
        "SD-3.3.4-a": Sentence("the nine sectors, checked where features are in them"),
        "SD-3.3.5-e": Sentence("the nine sectors, checked where roads are in them"),
    },
    families={
        "SD-1": Sentence("a term, or the purpose of the rules"),
        "SD-2": Sentence("about armies, before there is a battlefield"),
        "SD-4": Sentence("about edges and deployment, after the battlefield is made"),
        "SD-5": Sentence("about play"),
        "AMB": Sentence("an interpretation of the rules, checked where it is used"),
        "ST-": Sentence("a worked example"),
    },
)


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the rule book, in its order.

    Raises:
        RecordError: a member of the rule system's object in the record is wrong. The message names it.
    """
    return verdicts(book.clauses, CHECKS, _REASONS, SoloCase.of_record(record, book), record)
