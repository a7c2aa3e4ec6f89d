"""Join legs to courses across zones, and find their fords, bridges, level crossings and junctions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import shapely
from shapely import LineString, Point

from printkit.systems.acw.ground.legs import TOUCH
from printkit.systems.acw.ground.placement import Leg, ZonePlacement, origin
from printkit.systems.acw.ground.zone_crossings import Key
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import RollResult
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import find_meetings, line_bearing, turn_between

# Minimum distance of two crossings of the same courses, in widths of both; nearer ones count as one.
_APART: Final = 0.9

# Chord in mm for the local direction of a course at a mark, and the bend in degrees at which a mark follows it.
_HERE, _BENT = 20.0, 27.0


def chain(placement: ZonePlacement) -> None:
    """Join the legs of each kind to courses, then add crossings and junctions."""
    courses: list[tuple[Piece, Course]] = []
    ends: list[tuple[Point, Course]] = []
    used: set[str] = set()
    for group in _groups(placement):
        course = _course(placement, group, used)
        courses.append((group[0].piece, course))
        ends += [(leg.meets, course) for leg in group if leg.meets is not None]
    placement.courses = [course for _, course in courses]
    placement.crossings = [*_crossings(placement, courses), *_junctions(placement, courses, ends)]


def _groups(placement: ZonePlacement) -> list[list[Leg]]:
    """Return rows of legs of one piece that continue from joint to joint."""
    left = list(placement.legs)
    found = []
    while left:
        row = [left.pop(0)]
        for forwards in (True, False):
            while (following := _following(placement, row, left, forwards=forwards)) is not None:
                left.remove(following)
                turned = _turned(placement, row, following, forwards=forwards)
                row = [*row, turned] if forwards else [turned, *row]
        found.append(row)
    return found


def _following(placement: ZonePlacement, row: Sequence[Leg], left: Sequence[Leg], *, forwards: bool) -> Leg | None:
    last = row[-1] if forwards else row[0]
    joint = _joint(placement, last, at_end=forwards)
    if joint is None:
        return None
    for leg in left:
        if (
            leg.piece is last.piece
            and not any(_met(leg, one) for one in row)
            and joint
            in (
                _joint(placement, leg, at_end=False),
                _joint(placement, leg, at_end=True),
            )
        ):
            return leg
    return None


def _met(leg: Leg, other: Leg) -> bool:
    """Return whether one of two legs ends on the other; a course of both would cross itself there."""
    ends = ((leg.meets, other.line), (other.meets, leg.line))
    return any(at is not None and at.distance(line) < TOUCH for at, line in ends)


def _turned(placement: ZonePlacement, row: Sequence[Leg], leg: Leg, *, forwards: bool) -> Leg:
    """Return a leg, reversed if it runs against the row that it continues."""
    joint = _joint(placement, row[-1] if forwards else row[0], at_end=forwards)
    if _joint(placement, leg, at_end=not forwards) == joint:
        return leg
    return Leg(
        piece=leg.piece,
        zone=leg.zone,
        line=LineString(leg.line.coords[::-1]),
        rolls=leg.rolls,
        starts=leg.ends,
        ends=leg.starts,
        meets=leg.meets,
        clauses=leg.clauses,
    )


def _joint(placement: ZonePlacement, leg: Leg, *, at_end: bool) -> Key | None:
    """Return the key of the joint at an end of a leg, the same for the legs on both sides; or None."""
    place = leg.ends if at_end else leg.starts
    if place is None:
        return None
    zone, side = place
    other = placement.laying.grid.neighbour(zone, side)
    if other is None:
        return None
    return (leg.piece.key, other, side.opposite) if other < zone else (leg.piece.key, zone, side)


def _course(placement: ZonePlacement, row: Sequence[Leg], used: set[str]) -> Course:
    piece = row[0].piece
    measure = placement.measure(piece)
    results = [result for leg in row for result in _results(placement, leg)]
    identity = next((result.id for result in results if result.id not in used), "")
    if not identity:
        number = 1 + sum(name.startswith(f"{piece.key}-") for name in used)
        identity = f"{piece.key}-{number}"
    used.add(identity)
    points = [row[0].line.coords[0]]
    for leg in row:
        points += leg.line.coords[1:]
    clauses = (measure.clause, *(clause for leg in row for clause in leg.clauses))
    return Course(
        id=identity,
        kind=measure.kind,
        line=LineString(points),
        width=placement.width(row[0]),
        going=measure.going,
        origin=origin(row[0].zone, results, clauses),
    )


def _results(placement: ZonePlacement, leg: Leg) -> Iterator[RollResult]:
    return (result for result in placement.laying.log.lying(leg.zone) if result.roll in leg.rolls)


def _crossings(placement: ZonePlacement, courses: Sequence[tuple[Piece, Course]]) -> Iterator[Crossing]:
    """Yield the crossings of roads and railroad over streams, and of roads over the railroad (AC-N40)."""
    passings = CrossingRules.of(placement.rules)
    number = 0
    for over, way in courses:
        unders = STREAMS if over is Piece.RAILROAD else (*STREAMS, Piece.RAILROAD)
        if over not in (*ROADS, Piece.RAILROAD):
            continue
        for under, other in courses:
            if under not in unders or not way.line.intersects(other.line):
                continue
            last: Point | None = None
            for meeting in find_meetings(way.line, other.line):
                if last is not None and last.distance(meeting.at) < _APART * (way.width + other.width):
                    continue
                last = meeting.at
                kind = passings.kind(over, under)
                number += 1
                yield Crossing(
                    id=f"crossing-{number}",
                    kind=kind,
                    at=meeting.at,
                    bearing=_bearing(way, meeting.distance),
                    route=way.id,
                    water=other.id,
                    going=placement.going(kind.value),
                    origin=origin(_zone(placement, meeting.at), (), ("AC-N40", "AC-F39")),
                )


def _bearing(way: Course, along: float) -> float:
    """Return the bearing of a mark in degrees: the chord of its length, or the local one at a bend."""
    chord, there = (line_bearing(way.line, along, over) for over in (2 * way.width + 4, _HERE))
    return chord if turn_between(chord, there) < _BENT else there


def _junctions(
    placement: ZonePlacement, courses: Sequence[tuple[Piece, Course]], ends: Sequence[tuple[Point, Course]]
) -> Iterator[Crossing]:
    """Yield the junctions where a road ends on another road."""
    roads = [course for piece, course in courses if piece in ROADS]
    number = 0
    for at, course in ends:
        others = [road for road in roads if road is not course and road.line.distance(at) < 1.0]
        if course not in roads or not others:
            continue
        number += 1
        yield Crossing(
            id=f"junction-{number}",
            kind=Kind.JUNCTION,
            at=at,
            bearing=line_bearing(course.line, course.line.project(at), 10.0),
            route=course.id,
            water=others[0].id,
            going=placement.going("junction"),
            origin=origin(_zone(placement, at), (), ("AC-N14",)),
        )


def _zone(placement: ZonePlacement, at: Point) -> int:
    return min(placement.sites.values(), key=lambda site: (shapely.distance(site.box, at), site.zone)).zone
