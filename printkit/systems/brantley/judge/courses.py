"""The judge on what rivers and roads share: how many by the dice, placed by whom, from where to where, how long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.judge.case import PLAYERS, Case
from printkit.systems.brantley.judge.ways import (
    TOLERANCE,
    JudgedWay,
    Stop,
    angle_between,
    from_corners,
    near_edge,
    shore_crossings,
)

Ways: TypeAlias = Callable[[Case], tuple[JudgedWay, ...]]

ANGLE_SLACK: Final = 1.0
"""Degrees: the direction of a bending line is a matter of how far one looks along it."""


def starts_on_edge(found: Ways, case: Case) -> Faults:
    """BR-404 and BR-504: a course starts on an edge of the board."""
    for way in found(case):
        if way.start.stop is not Stop.EDGE:
            yield Sentence("{way} starts at {start}; it starts on an edge of the board", way=way.id, start=way.start)


def ends_somewhere(found: Ways, case: Case) -> Faults:
    """BR-405 and BR-505: an end that is no lake, no town, no junction is another edge."""
    for way in found(case):
        if way.end.stop is Stop.NOWHERE:
            yield Sentence("{way} ends at {end}", way=way.id, end=way.end)
        elif same_edge(way) and case.setting("br-q09") != "allow":
            yield Sentence("{way} starts and ends on the {end} edge; it ends on another", way=way.id, end=way.end.what)


def stated_end(stage: str, found: Ways, member: str, stop: Stop, case: Case) -> Faults:
    """A course that is said to end in a ``member`` (lake, bua) does end there."""
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


def joins_an_earlier(found: Ways, case: Case) -> Faults:
    """A junction is with a course that lay there before (BR-407, BR-507, BR-Q14)."""
    order = [way.id for way in found(case)]
    for way in found(case):
        later = order.index(way.id) < order.index(way.end.what) if way.end.stop is Stop.COURSE else False
        if later and case.setting("br-q14") != "deferred":
            yield Sentence("{way} ends in {end}, which was placed after it", way=way.id, end=way.end.what)


def no_longer_than(found: Ways, setting: str, case: Case) -> Faults:
    """A centre line against its straight distance, by the factor that a setting gives."""
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


def clear_of_corners(found: Ways, case: Case) -> Faults:
    """The room between the ends on an edge and the corners of the board."""
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


def edge_only_at_ends(found: Ways, depth: Callable[[JudgedWay], float], case: Case) -> Faults:
    """Between its ends a course stays on the board, ``depth`` mm from the edge or more."""
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


def width_within(found: Ways, least: str, most: str, case: Case) -> Faults:
    """The width; both are numbers of the rule book in inches."""
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


def junction(found: Ways, room: str, angle: str, case: Case) -> Faults:
    """A junction: far enough from the other's ends, and not alongside it."""
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


def stops_inside(found: Ways, least: str, most: str, case: Case) -> Faults:
    """A centre line passes an outline once and stops so far inside it."""
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


def opposite_only(found: Ways, case: Case) -> Faults:
    """BR-Q10: with ``opposite-only`` an edge end lies on the far side of the board."""
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


def same_edge(way: JudgedWay) -> bool:
    """Return whether both ends are on one edge."""
    return way.start.stop is way.end.stop is Stop.EDGE and way.start.what == way.end.what


# --- The judge on who places rivers and roads, and how many of them: the dice of the log say so -----------------------


def due_count(case: Case, stage: str) -> int:
    """Return how many courses the count die gives (BR-401, BR-501).

    Raises:
        UnseenError: there is no log, or no score in it.
    """
    scores = case.scores(stage)
    if not scores:
        raise UnseenError("the log has no die for the number of {stage}", stage=stage)
    return int(case.book.tables[stage].look_up(scores[0]))


def roll_off(scores: Sequence[int], *, a_wins_ties: bool) -> tuple[str, int]:
    """Return who threw higher, A or B, and how many dice that took; no winner where the dice ran out.

    Args:
        scores: A, B, and both again while they are equal (BR-Q17).
        a_wins_ties: whether a tie is settled for A instead.
    """
    for used in range(2, len(scores) + 1, 2):
        first, second = scores[used - 2], scores[used - 1]
        if first != second or a_wins_ties:
            return ("A" if first >= second else "B"), used
    return "", len(scores)


def count_by_die(stage: str, found: Ways, case: Case) -> Faults:
    """The count die gave as many as lie on the board."""
    scores = case.scores(stage)
    if not scores:
        yield Sentence("the log has no die for the number of {stage}", stage=stage)
    elif len(found(case)) != (due := due_count(case, stage)):
        yield Sentence(
            "{count} {stage} lie on the board; the count die {score} gives {due}",
            count=len(found(case)),
            stage=stage,
            score=scores[0],
            due=due,
        )


def higher_places(stage: str, found: Ways, case: Case) -> Faults:
    """A single course was placed by the player who threw higher for it."""
    scores = case.scores(stage)
    if not scores or due_count(case, stage) != 1:
        return
    winner, _ = roll_off(scores[1:], a_wins_ties=ties_to_a(case))
    if not winner:
        yield Sentence(
            "the log does not settle who places: its dice are {scores}",
            scores=" ".join(map(str, scores[1:])) or Sentence("missing"),
        )
    for way in found(case):
        if winner and way.course.origin.placed_by != winner:
            yield Sentence(
                "{way} was placed by {placer}; {winner} threw higher",
                way=way.id,
                placer=way.course.origin.placed_by or Sentence("nobody"),
                winner=winner,
            )


def one_each(found: Ways, case: Case) -> Faults:
    """Of two courses each player placed one, in the order that the setting says (BR-Q11)."""
    both = found(case)
    placers = [way.course.origin.placed_by for way in both]
    if len(both) != 2:
        return
    if not any(placers):
        raise UnseenError("the record does not say who placed them")
    if sorted(placers) != list(PLAYERS):
        yield Sentence(
            "{one} and {two} were placed by {first_placer} and {second_placer}",
            one=both[0].id,
            two=both[1].id,
            first_placer=placers[0] or Sentence("nobody"),
            second_placer=placers[1] or Sentence("nobody"),
        )


def first_of_two(stage: str, found: Ways, case: Case) -> Faults:
    """Who placed the first of two courses: A, the higher of a roll-off, or he who deploys first."""
    both = found(case)
    if len(both) != 2 or not both[0].course.origin.placed_by:
        return
    match case.setting("br-q11"):
        case "roll":
            due, _ = roll_off(case.scores(stage)[1:], a_wins_ties=ties_to_a(case))
        case "deployer-order":
            first = case.detail("deployment").get("deploys_first")
            due = first.text() if first else ""
        case _:
            due = "A"
    if due and both[0].course.origin.placed_by != due:
        yield Sentence(
            "{one} was placed by {placed_by}; {due} places the first of two",
            one=both[0].id,
            placed_by=both[0].course.origin.placed_by,
            due=due,
        )


def ties_to_a(case: Case) -> bool:
    """Return whether a tied roll-off is A's (BR-Q17)."""
    return case.setting("br-q17") == "A-wins"
