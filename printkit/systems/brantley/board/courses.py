"""Rivers, roads and crossings of a board: check recorded courses and route the rest (BR-401 to BR-601)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import LineString

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import PlacementError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.brantley.board.course_brief import ROAD, CourseBrief, CourseType
from printkit.systems.brantley.board.course_choice import CourseChooser, RoutedCourse, count_open_corridors
from printkit.systems.brantley.board.course_records import CourseRecord, EdgePoint, IntoArea, IntoCourse, match_records
from printkit.systems.brantley.board.course_routes import end_at_river, route_course, route_recorded_course
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Kind, Origin
from printkit.terrain.field.record_features import UNSTATED
from printkit.terrain.geometry.measure import find_meetings, line_bearing

# How many lines the program tries between recorded ends before it refuses them.
_MAX_TRIES: Final = 8


class PlacedCourse(Struct, frozen=True, kw_only=True):
    """A placed river or road, with its ends in the notation of records.

    ``start`` is a point on an edge such as ``N:8``. ``end`` is for example ``{"edge": "S:16.0"}``, ``{"lake": "z6"}``,
    ``{"bua": "z1"}`` or ``{"river": "R1", "at": 0.45}``.
    """

    course: Course
    start: str
    end: Mapping[str, object]


def place_courses(
    course_type: CourseType,
    field: Battlefield,
    placers: Sequence[str],
    records: Sequence[str],
    rules: Rules,
    dice: Dice,
    jitter: Jitter,
) -> tuple[PlacedCourse, ...]:
    """Return the rivers, or the roads, one for each placer in their order.

    Args:
        course_type: ``RIVER`` or ``ROAD``.
        field: the board with its area features; for roads, with its rivers too.
        placers: the player, A or B, who places each course, in placing order.
        records: recorded courses in their notation; the program chooses the others.
        dice: the dice of the stage of these courses; choices are logged there.
        jitter: gives the random lines; it does not change.

    Raises:
        PlacementError: a recorded course breaks a rule (BR-X10 to BR-X18, BR-X21, or the clause of geometry).
        ScenarioError: a record cannot be parsed.
    """
    placed_courses: list[PlacedCourse] = []
    for index, record in enumerate(match_records(records, str(course_type), placers, rules)):
        brief = CourseBrief(
            course_type=course_type,
            identity=f"{course_type.letter}{index + 1}",
            field=field,
            earlier_courses=tuple(course.course for course in placed_courses),
            rules=rules,
        )
        routed_course = (
            _route_recorded(brief, record, jitter)
            if record
            else CourseChooser(brief, dice, _make_road_test(brief)).choose_course(jitter)
        )
        placed_courses.append(_describe_course(brief, routed_course, placers[index], len(placers)))
    return tuple(placed_courses)


def place_crossings(
    field: Battlefield, placers_of_roads: Mapping[str, str], rules: Rules, dice: Dice
) -> tuple[Crossing, ...]:
    """Return a ford or bridge where a road crosses a river, road by road from its start (BR-601).

    IDs are ``X1``, ``X2`` and so on. A second crossing at the same place is left out. The result is empty if no road
    crosses a river.

    Args:
        field: the board with its rivers and roads.
        placers_of_roads: the player who placed each road, by its ID.
        rules: BR-Q16 says which is a ford and which a bridge; by default all are bridges.
        dice: rolls for each crossing, in the stage ``crossings``, if BR-Q16 leaves it to a die.
    """
    result: list[Crossing] = []
    one_place = rules.length("one_place")
    for road in _courses(field, Kind.ROAD):
        meetings_on_road = [
            (meeting, river)
            for river in _courses(field, Kind.RIVER)
            for meeting in find_meetings(road.line, river.line)
        ]
        for meeting, river in sorted(meetings_on_road, key=lambda pair: pair[0].distance):
            if any(meeting.at.distance(crossing.at) <= one_place for crossing in result):
                continue
            identity = f"X{len(result) + 1}"
            result.append(
                Crossing(
                    id=identity,
                    kind=_choose_crossing_kind(rules, len(result), identity, dice.at("crossings")),
                    at=meeting.at,
                    bearing=line_bearing(road.line, meeting.distance, river.width),
                    route=road.id,
                    water=river.id,
                    going=UNSTATED,
                    origin=Origin(clauses=("BR-601", "BR-G61"), placed_by=placers_of_roads.get(road.id, "")),
                )
            )
    return tuple(result)


def _choose_crossing_kind(rules: Rules, earlier_count: int, identity: str, dice: Dice) -> Kind:
    """Return ford or bridge for a crossing by the setting, which may need a die (BR-Q16, BR-D5).

    ``earlier_count`` is the number of crossings placed before this one. ``identity`` is the ID of the crossing. A die
    is logged in ``dice``. If fords and bridges alternate, the first is a bridge.
    """
    match rules.choice("br-q16"):
        case "ford":
            return Kind.FORD
        case "die":
            reason = Sentence("crossing {crossing}: ford or bridge", crossing=identity)
            kinds = rules.outcomes("crossing")
            return Kind(kinds.look_up(dice.d6(reason, "BR-D5", brings=kinds.look_up)))
        case "alternate":
            return Kind.FORD if earlier_count % 2 else Kind.BRIDGE
        case _:
            return Kind.BRIDGE


def _courses(field: Battlefield, kind: Kind) -> tuple[Course, ...]:
    """Return the rivers or the roads on the board, in the order of placement."""
    return tuple(feature for feature in field.select_features(kind) if isinstance(feature, Course))


def _make_road_test(brief: CourseBrief) -> Callable[[LineString], bool]:
    """Return a test that an automatic river keeps up to two corridors open for roads (BR-G58).

    The test takes the line of the river, in mm on the board. It always passes for roads, and if no corridor was open
    before. The test returns True if as many corridors are open with the river as before, counting up to two.
    """
    board_with_rivers = brief.field.add(*brief.earlier_courses)
    open_before = 0 if brief.course_type is ROAD else count_open_corridors(board_with_rivers, brief.rules, 2)

    def accept(line: LineString) -> bool:
        """Return whether the corridors stay open if the river has this line, in mm on the board."""
        return (
            open_before == 0
            or count_open_corridors(board_with_rivers.add(brief.build_course(line)), brief.rules, open_before)
            >= open_before
        )

    return accept


def _describe_course(brief: CourseBrief, routed_course: RoutedCourse, placer: str, count: int) -> PlacedCourse:
    """Return a routed course with its clauses, its placer, and its ends in the notation of records.

    ``count`` is the number of courses of its type on the board. ``placer`` is the player, A or B.
    """
    clauses = brief.course_type.clauses
    end: dict[str, object]
    match routed_course.goal:
        case EdgePoint():
            end, clause = {"edge": str(routed_course.goal)}, clauses["edge"]
        case IntoArea(identity):
            end, clause = {brief.course_type.goal_kind.value: identity}, clauses["area"]
        case IntoCourse(identity, share):
            end, clause = {brief.course_type.kind.value: identity, "at": round(share, 3)}, clauses["course"]
    placing_clause = clauses["single" if count == 1 else "each"]
    origin = Origin(clauses=(placing_clause, clauses["start"], clause), placed_by=placer)
    return PlacedCourse(course=brief.build_course(routed_course.line, origin), start=str(routed_course.start), end=end)


def _route_recorded(brief: CourseBrief, record: CourseRecord, jitter: Jitter) -> RoutedCourse:
    """Return a recorded course.

    With recorded points it follows them. Otherwise the program chooses the line between its ends. ``jitter`` gives the
    stream of each try; it does not change.

    Raises:
        PlacementError: the course breaks a rule, or no route is found.
    """
    _check_ends(brief, record)
    if record.via:
        line, fault, goal = route_recorded_course(brief, record.start, record.goal, record.via)
        if line is None:
            raise PlacementError(
                "{fault}", fault=fault.sentence if fault else record.text, clause=fault.clause if fault else ""
            )
        return RoutedCourse(record.start, goal, line)
    stream = f"{brief.course_type.stage}/{brief.identity}/line"
    for attempt in range(_MAX_TRIES):
        attempt_stream = jitter.stream(f"{stream}/{attempt}" if attempt else stream)
        for flattest in map(brief.rules.number, ("crossing_angle", "crossing_angle_min")):
            line = route_course(brief, record.start, record.goal, attempt_stream, flattest=flattest)
            if line is not None:
                return RoutedCourse(record.start, record.goal, line)
    return _route_into_river(brief, record, jitter) or _refuse_course(brief, record)


def _route_into_river(brief: CourseBrief, record: CourseRecord, jitter: Jitter) -> RoutedCourse | None:
    """Return a river that ends in an earlier one because it cannot get past it (BR-G40).

    There is no result (None) for a road, for a first river, for a recorded junction, and if no line is found.
    """
    if brief.course_type is ROAD or not brief.earlier_courses or isinstance(record.goal, IntoCourse):
        return None
    lone_brief = replace(brief, earlier_courses=())
    for attempt in range(_MAX_TRIES):
        line = route_course(
            lone_brief, record.start, record.goal, jitter.stream(f"rivers/{brief.identity}/joining/{attempt}")
        )
        if line is None:
            continue
        cut_line, goal = end_at_river(brief, line, record.goal)
        if next(brief.find_faults(cut_line, goal), None) is None:
            return RoutedCourse(record.start, goal, cut_line)
    return None


def _refuse_course(brief: CourseBrief, record: CourseRecord) -> RoutedCourse:
    """Raise the error that explains why a recorded course has no line; it never returns.

    Raises:
        PlacementError: always.
    """
    _, fault, _ = route_recorded_course(brief, record.start, record.goal, ())
    if fault is not None:
        raise PlacementError("{fault}; no other route was found", fault=fault.sentence, clause=fault.clause)
    obstacles = ", ".join(
        dict.fromkeys(obstacle.identity for obstacle in brief.closed_ground(record.goal))
    ) or Sentence("the board edges")
    raise PlacementError(
        "{sort} {identity}: no route from {start} to {goal} avoids {shut}",
        sort=brief.course_type,
        identity=brief.identity,
        start=record.start,
        goal=record.goal,
        shut=obstacles,
        clause=brief.course_type.ground_clause,
    )


def _check_ends(brief: CourseBrief, record: CourseRecord) -> None:
    """Refuse ends that are on one edge, or in an area or a course that is not on the board.

    Raises:
        PlacementError: the ends are impossible (BR-X11, BR-X12, BR-X13, BR-X16, BR-X17).
    """
    name = f"{brief.course_type} {brief.identity}"
    match record.goal:
        case EdgePoint(edge) if edge is record.start.edge:
            raise PlacementError(
                "{name} starts and ends on the {edge} edge; it must end on another",
                name=name,
                edge=edge,
                clause="BR-X11",
            )
        case IntoArea(identity) if brief.area(identity) is None:
            present = ", ".join(area.id for area in brief.areas(brief.course_type.goal_kind)) or Sentence("none")
            raise PlacementError(
                "{name} ends in zone {number}, which has no {into}; on the board: {there}",
                name=name,
                number=identity[1:],
                into=brief.course_type.goal_kind,
                there=present,
                clause=brief.course_type.area_clause,
            )
        case IntoCourse(identity) if brief.earlier_course(identity) is None:
            present = ", ".join(course.id for course in brief.earlier_courses) or Sentence("none")
            raise PlacementError(
                "{name} ends in {identity}, which is not on the board yet; on the board: {there}",
                name=name,
                identity=identity,
                there=present,
                clause=brief.course_type.junction_clause,
            )
        case _:
            return
