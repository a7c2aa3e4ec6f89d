"""Checks shared by rivers and roads: their number and placers by the dice, their ends and their lengths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from shapely import LineString, Polygon

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, check_each, check_maximum, check_minimum, combine_checks
from printkit.systems.brantley.board.course_records import LETTERS
from printkit.systems.brantley.dealing.deal import PLAYERS
from printkit.systems.brantley.dealing.game_rules import inch_of
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.ways import JudgedWay, Stop
from printkit.terrain.geometry.measure import (
    corner_distance,
    crossing_angle,
    find_shores,
    sinuosity,
    touches_edge_only_at_ends,
)

Ways: TypeAlias = Callable[[BrantleyCase], tuple[JudgedWay, ...]]


def starts_on_edge(found: Ways, case: BrantleyCase) -> Faults:
    """Check that a course starts on an edge of the board (BR-404, BR-504)."""
    for way in found(case):
        if way.start.stop is not Stop.EDGE:
            yield Sentence(
                "{way} starts at {start}; it must start on an edge of the board", way=way.id, start=way.start
            )


def ends_somewhere(found: Ways, case: BrantleyCase) -> Faults:
    """Check that a course ends in an area, in a course or on another edge (BR-405, BR-505)."""
    for way in found(case):
        if way.end.stop is Stop.NOWHERE:
            yield Sentence("{way} ends at {end}", way=way.id, end=way.end)
        elif same_edge(way):
            yield Sentence(
                "{way} starts and ends on the {end} edge; it must end on another", way=way.id, end=way.end.what
            )


def stated_end(stage: str, found: Ways, member: str, stop: Stop, case: BrantleyCase) -> Faults:
    """Check that a course ends in its recorded area; ``member`` is its name in the record (lake, bua)."""
    if stage not in case.record.details and not any(way.end.stop is stop for way in found(case)):
        raise UnseenError("none of the {stage} is recorded as ending in a {member}", stage=stage, member=member)
    for entry in case.detail(stage).items() if stage in case.record.details else ():
        identity, end = entry.need("id", Sentence("name the river or road")).value, entry.get("end")
        target = end.get(member) if end else None
        for way in found(case):
            if target and way.id == identity and (way.end.stop is not stop or way.end.what != target.value):
                yield Sentence(
                    "{way} is recorded as ending in the {member} {target}, but ends at {end}",
                    way=way.id,
                    member=member,
                    target=target.value,
                    end=way.end,
                )


def joins_an_earlier(found: Ways, case: BrantleyCase) -> Faults:
    """Check that a junction is with an earlier course (BR-407, BR-507, BR-Q14)."""
    order = [way.id for way in found(case)]
    for way in found(case):
        if way.end.stop is Stop.COURSE and order.index(way.id) < order.index(way.end.what):
            yield Sentence("{way} ends in {end}, which was placed after it", way=way.id, end=way.end.what)


def no_longer_than(found: Ways, limit: str) -> Check:
    """Return the check of the length of a centre line against the straight distance between its ends."""
    return check_maximum(
        found,
        lambda _, way: sinuosity(way.line),
        limit,
        says="{it} is {found:.3f} times as long as the straight line; the maximum is {limit:g} times",
    )


def clear_of_corners(found: Ways) -> Check:
    """Return the check of the distance from course ends on an edge to the corners of the board."""
    return check_minimum(
        found,
        lambda case, way: min((corner_distance(end.at, case.board) for end in way.ends(Stop.EDGE)), default=math.inf),
        "corner_gap",
        says="{it} meets an edge {found:.1f} mm from a corner; the minimum is {limit:.1f} mm",
    )


def edge_only_at_ends(found: Ways, case: BrantleyCase) -> Faults:
    """Check that a course stays on the board and off its edge between its ends."""
    for way in found(case):
        if way.pieces != 1:
            yield Sentence(
                "{pieces} pieces of {way} are on the board; there should be one", pieces=way.pieces, way=way.id
            )
        elif not touches_edge_only_at_ends(way.line, case.board, case.touch):
            yield Sentence("{way} touches the board edge between its ends", way=way.id)


def width_within(found: Ways, sort: str) -> Check:
    """Return the check of the width."""
    return combine_checks(
        check_minimum(
            found,
            lambda _, way: way.course.width,
            f"{sort}_width_min",
            says="{it} is {found:.1f} mm wide; the minimum is {limit:.1f} mm",
        ),
        check_maximum(
            found,
            lambda _, way: way.course.width,
            f"{sort}_width_max",
            says="{it} is {found:.1f} mm wide; the maximum is {limit:.1f} mm",
        ),
    )


def junction(found: Ways, room: str) -> Check:
    """Return the check of junctions: their distance from the ends of the joined course, and their angle."""

    def joining(case: BrantleyCase) -> Iterator[JudgedWay]:
        return (way for way in found(case) if way.end.stop is Stop.COURSE)

    def joined(case: BrantleyCase, way: JudgedWay) -> LineString:
        return next(other.line for other in found(case) if other.id == way.end.what)

    def from_an_end(case: BrantleyCase, way: JudgedWay) -> float:
        along = joined(case, way).project(way.end.at)
        return float(min(along, joined(case, way).length - along))

    return combine_checks(
        check_minimum(
            joining,
            from_an_end,
            room,
            says="{it} joins another {found:.1f} mm from its end; the minimum is {limit:.1f} mm",
        ),
        check_minimum(
            joining,
            lambda case, way: crossing_angle(way.end.at, way.line, joined(case, way)),
            "junction_angle",
            says="{it} joins another at {found:.0f} degrees; the minimum is {limit:g}",
        ),
    )


def stops_inside(found: Ways, area: str) -> Check:
    """Return the check of courses that end in an area: they cross its outline once and stop at the given depth."""

    def ending(case: BrantleyCase) -> Iterator[JudgedWay]:
        return (way for way in found(case) if way.end.stop is Stop.AREA)

    def outline(case: BrantleyCase, way: JudgedWay) -> Polygon:
        return next(each.outline for each in case.ground if each.id == way.end.what)

    def depth(case: BrantleyCase, way: JudgedWay) -> float:
        return float(outline(case, way).exterior.distance(way.end.at))

    return combine_checks(
        check_each(
            ending,
            lambda case, way: len(find_shores(way.line, outline(case, way))) == 1,
            says="{it} does not cross the outline of the area it ends in exactly once",
        ),
        check_minimum(
            ending,
            depth,
            f"{area}_depth_min",
            says="{it} stops {found:.1f} mm inside the area it ends in; the minimum is {limit:.1f} mm",
        ),
        check_maximum(
            ending,
            depth,
            f"{area}_depth_max",
            says="{it} stops {found:.1f} mm inside the area it ends in; the maximum is {limit:.1f} mm",
        ),
    )


def is_at(case: BrantleyCase, way: JudgedWay, written: str) -> bool:
    """Return whether a course starts at a point such as ``N:8.0``."""
    letter, _, distance = written.partition(":")
    if way.start.stop is not Stop.EDGE or LETTERS.get(letter) != way.start.what:
        return False
    along = float(way.start.at.x if letter in ("N", "S") else way.start.at.y)
    try:
        return abs(along - float(distance) * inch_of(case.rules)) <= case.rules.length("place_written")
    except ValueError:
        return False


def same_edge(way: JudgedWay) -> bool:
    """Return whether both ends are on the same edge."""
    return way.start.stop is way.end.stop is Stop.EDGE and way.start.what == way.end.what


# --- Checks of the number and the placers of rivers and roads, by the dice of the log ---------------------------------


def due_count(case: BrantleyCase, stage: str) -> int:
    """Return the number of courses that the count die gives (BR-401, BR-501).

    Raises:
        UnseenError: there is no log, or it has no score.
    """
    scores = case.scores(stage)
    if not scores:
        raise UnseenError("the log has no die for the number of {stage}", stage=stage)
    return int(case.rules.outcomes(stage).look_up(scores[0]))


def roll_off(scores: Sequence[int]) -> tuple[str, int]:
    """Return the player with the higher score and the number of dice used; the winner is empty if the dice run out.

    Args:
        scores: A, B, and both again while they are equal (BR-Q17).
    """
    for used in range(2, len(scores) + 1, 2):
        first, second = scores[used - 2], scores[used - 1]
        if first != second:
            return ("A" if first > second else "B"), used
    return "", len(scores)


def count_by_die(stage: str, found: Ways, case: BrantleyCase) -> Faults:
    """Check the number of courses on the board against the count die."""
    scores = case.scores(stage)
    if not scores:
        yield Sentence("the log has no die for the number of {stage}", stage=stage)
    elif len(found(case)) != (due := due_count(case, stage)):
        yield Sentence(
            "the board has {count} {stage}; the count die {score} gives {due}",
            count=len(found(case)),
            stage=stage,
            score=scores[0],
            due=due,
        )


def higher_places(stage: str, found: Ways, case: BrantleyCase) -> Faults:
    """Check that the player who rolled higher placed a single course."""
    scores = case.scores(stage)
    if not scores or due_count(case, stage) != 1:
        return
    winner, _ = roll_off(scores[1:])
    if not winner:
        yield Sentence(
            "the dice in the log do not decide who places: {scores}",
            scores=" ".join(map(str, scores[1:])) or Sentence("missing"),
        )
    for way in found(case):
        if winner and way.course.origin.placed_by != winner:
            yield Sentence(
                "{way} was placed by {placer}, but {winner} rolled higher",
                way=way.id,
                placer=way.course.origin.placed_by or Sentence("nobody"),
                winner=winner,
            )


def one_each(found: Ways, case: BrantleyCase) -> Faults:
    """Check that each player placed one of two courses."""
    two = found(case)
    placers = [way.course.origin.placed_by for way in two]
    if len(two) != 2:
        return
    if not any(placers):
        raise UnseenError("the record does not say who placed them")
    if sorted(placers) != list(PLAYERS):
        yield Sentence(
            "{one} and {two} were placed by {first_placer} and {second_placer}",
            one=two[0].id,
            two=two[1].id,
            first_placer=placers[0] or Sentence("nobody"),
            second_placer=placers[1] or Sentence("nobody"),
        )


def first_of_two(found: Ways, case: BrantleyCase) -> Faults:
    """Check that A placed the first of two courses (BR-Q11)."""
    two = found(case)
    if len(two) == 2 and (placer := two[0].course.origin.placed_by) not in ("", PLAYERS[0]):
        yield Sentence(
            "{one} was placed by {placed_by}, but {due} places the first of two",
            one=two[0].id,
            placed_by=placer,
            due=PLAYERS[0],
        )
