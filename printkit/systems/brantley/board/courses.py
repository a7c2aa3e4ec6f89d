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
from printkit.systems.brantley.board.course_brief import ROAD, CourseBrief, CourseSort
from printkit.systems.brantley.board.course_choice import Chooser, LaidCourse, roads_left
from printkit.systems.brantley.board.course_records import CourseRecord, EdgeSpot, IntoArea, IntoCourse, matched
from printkit.systems.brantley.board.course_routes import met_earlier, recorded, routed
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Kind, Origin
from printkit.terrain.field.record_features import UNSTATED
from printkit.terrain.geometry.measure import find_meetings, line_bearing

# How many lines the program tries between recorded ends before it refuses them.
_AGAIN: Final = 8


class PlacedCourse(Struct, frozen=True, kw_only=True):
    """A placed river or road, with its ends in the notation of records.

    ``end`` is for example ``{"edge": "S:16.0"}``, ``{"lake": "z6"}``, ``{"bua": "z1"}`` or ``{"river": "R1", "at":
    0.45}``.
    """

    course: Course
    start: str
    end: Mapping[str, object]


def lay(
    sort: CourseSort,
    field: Battlefield,
    placers: Sequence[str],
    records: Sequence[str],
    rules: Rules,
    dice: Dice,
    jitter: Jitter,
) -> tuple[PlacedCourse, ...]:
    """Return the rivers, or the roads, one for each placer in their order.

    Args:
        field: the board with its area features; for roads, with its rivers too.
        placers: who places each course, in placing order.
        records: recorded courses; the program chooses the others.
        dice: the dice of the stage of these courses.

    Raises:
        PlacementError: a recorded course breaks a rule (BR-X10 to BR-X18, BR-X21, or the clause of geometry).
        ScenarioError: a record cannot be parsed.
    """
    laid: list[PlacedCourse] = []
    for place, record in enumerate(matched(records, str(sort), placers, rules)):
        site = CourseBrief(
            sort=sort,
            identity=f"{sort.letter}{place + 1}",
            field=field,
            others=tuple(placed.course for placed in laid),
            rules=rules,
        )
        done = _by_record(site, record, jitter) if record else Chooser(site, dice, _leaves_roads(site)).lay(jitter)
        laid.append(_placed(site, done, placers[place], len(placers)))
    return tuple(laid)


def crossings(
    field: Battlefield, placers_of_roads: Mapping[str, str], rules: Rules, dice: Dice
) -> tuple[Crossing, ...]:
    """Return a ford or bridge where a road crosses a river, road by road from its start (BR-601).

    Args:
        field: the board with its rivers and roads.
        placers_of_roads: the player who placed each road, by its ID.
        rules: BR-Q16 says which is a ford and which a bridge; by default all are bridges.
    """
    found: list[Crossing] = []
    one_place = rules.length("one_place")
    for road in _courses(field, Kind.ROAD):
        met = [
            (meeting, river)
            for river in _courses(field, Kind.RIVER)
            for meeting in find_meetings(road.line, river.line)
        ]
        for meeting, river in sorted(met, key=lambda pair: pair[0].distance):
            if any(meeting.at.distance(crossing.at) <= one_place for crossing in found):
                continue
            identity = f"X{len(found) + 1}"
            found.append(
                Crossing(
                    id=identity,
                    kind=_crossing_kind(rules, len(found), identity, dice.at("crossings")),
                    at=meeting.at,
                    bearing=line_bearing(road.line, meeting.distance, river.width),
                    route=road.id,
                    water=river.id,
                    going=UNSTATED,
                    origin=Origin(clauses=("BR-601", "BR-G61"), placed_by=placers_of_roads.get(road.id, "")),
                )
            )
    return tuple(found)


def _crossing_kind(rules: Rules, before: int, identity: str, dice: Dice) -> Kind:
    match rules.choice("br-q16"):
        case "ford":
            return Kind.FORD
        case "die":
            reason = Sentence("crossing {crossing}: ford or bridge", crossing=identity)
            kinds = rules.outcomes("crossing")
            return Kind(kinds.look_up(dice.d6(reason, "BR-D5", brings=kinds.look_up)))
        case "alternate":
            return Kind.FORD if before % 2 else Kind.BRIDGE
        case _:
            return Kind.BRIDGE


def _courses(field: Battlefield, kind: Kind) -> tuple[Course, ...]:
    return tuple(feature for feature in field.select_features(kind) if isinstance(feature, Course))


def _leaves_roads(site: CourseBrief) -> Callable[[LineString], bool]:
    """Return a test that an automatic river keeps up to two corridors open for roads (BR-G58)."""
    held = site.field.add(*site.others)
    before = 0 if site.sort is ROAD else roads_left(held, site.rules, 2)

    def accept(line: LineString) -> bool:
        return before == 0 or roads_left(held.add(_course(site, line, Origin())), site.rules, before) >= before

    return accept


def _course(site: CourseBrief, line: LineString, origin: Origin) -> Course:
    return Course(id=site.identity, kind=site.sort.kind, line=line, width=site.width, going=UNSTATED, origin=origin)


def _placed(site: CourseBrief, laid: LaidCourse, placer: str, count: int) -> PlacedCourse:
    clauses = site.sort.clauses
    end: dict[str, object]
    match laid.goal:
        case EdgeSpot():
            end, clause = {"edge": str(laid.goal)}, clauses["edge"]
        case IntoArea(identity):
            end, clause = {site.sort.into.value: identity}, clauses["area"]
        case IntoCourse(identity, share):
            end, clause = {site.sort.kind.value: identity, "at": round(share, 3)}, clauses["course"]
    placing = clauses["single" if count == 1 else "each"]
    origin = Origin(clauses=(placing, clauses["start"], clause), placed_by=placer)
    return PlacedCourse(course=_course(site, laid.line, origin), start=str(laid.start), end=end)


def _by_record(site: CourseBrief, record: CourseRecord, jitter: Jitter) -> LaidCourse:
    """Return a recorded course.

    With recorded points it follows them. Otherwise the program chooses the line between its ends.
    """
    _check_ends(site, record)
    if record.via:
        line, fault, goal = recorded(site, record.start, record.goal, record.via)
        if line is None:
            raise PlacementError(
                "{fault}", fault=fault.sentence if fault else record.text, clause=fault.clause if fault else ""
            )
        return LaidCourse(record.start, goal, line)
    stream = f"{site.sort.stage}/{site.identity}/line"
    for attempt in range(_AGAIN):
        again = jitter.stream(f"{stream}/{attempt}" if attempt else stream)
        for flattest in map(site.rules.number, ("crossing_angle", "crossing_angle_min")):
            line = routed(site, record.start, record.goal, again, flattest=flattest)
            if line is not None:
                return LaidCourse(record.start, record.goal, line)
    return _by_chance_into_another(site, record, jitter) or _refused(site, record)


def _by_chance_into_another(site: CourseBrief, record: CourseRecord, jitter: Jitter) -> LaidCourse | None:
    """Return a river that ends in an earlier one because it cannot get past it (BR-G40), or None."""
    if site.sort is ROAD or not site.others or isinstance(record.goal, IntoCourse):
        return None
    alone = replace(site, others=())
    for attempt in range(_AGAIN):
        line = routed(alone, record.start, record.goal, jitter.stream(f"rivers/{site.identity}/joining/{attempt}"))
        if line is None:
            continue
        cut, goal = met_earlier(site, line, record.goal)
        if next(site.faults(cut, goal), None) is None:
            return LaidCourse(record.start, goal, cut)
    return None


def _refused(site: CourseBrief, record: CourseRecord) -> LaidCourse:
    """Raise the error that explains why a recorded course has no line."""
    _, fault, _ = recorded(site, record.start, record.goal, ())
    if fault is not None:
        raise PlacementError("{fault}; no other route was found", fault=fault, clause=fault.clause)
    shut = ", ".join(dict.fromkeys(closed.identity for closed in site.closed(record.goal))) or Sentence(
        "the board edges"
    )
    raise PlacementError(
        "{sort} {identity}: no route from {start} to {goal} avoids {shut}",
        sort=site.sort,
        identity=site.identity,
        start=record.start,
        goal=record.goal,
        shut=shut,
        clause=site.sort.ground_clause,
    )


def _check_ends(site: CourseBrief, record: CourseRecord) -> None:
    """Refuse impossible ends (BR-X11, BR-X12, BR-X13, BR-X16, BR-X17)."""
    name = f"{site.sort} {site.identity}"
    match record.goal:
        case EdgeSpot(edge) if edge is record.start.edge:
            raise PlacementError(
                "{name} starts and ends on the {edge} edge; it must end on another",
                name=name,
                edge=edge,
                clause="BR-X11",
            )
        case IntoArea(identity) if site.area(identity) is None:
            there = ", ".join(area.id for area in site.areas(site.sort.into)) or Sentence("none")
            raise PlacementError(
                "{name} ends in zone {number}, which has no {into}; on the board: {there}",
                name=name,
                number=identity[1:],
                into=site.sort.into,
                there=there,
                clause=site.sort.area_clause,
            )
        case IntoCourse(identity) if site.other(identity) is None:
            there = ", ".join(other.id for other in site.others) or Sentence("none")
            raise PlacementError(
                "{name} ends in {identity}, which is not on the board yet; on the board: {there}",
                name=name,
                identity=identity,
                there=there,
                clause=site.sort.junction_clause,
            )
        case _:
            return
