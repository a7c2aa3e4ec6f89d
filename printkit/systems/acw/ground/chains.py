"""Join legs to courses across zones, and find their fords, bridges, level crossings and junctions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import LineString, Point

from printkit.systems.acw.ground.legs import TOUCH
from printkit.systems.acw.ground.placement import Leg, ZonePlacement, build_origin
from printkit.systems.acw.ground.zone_crossings import Key
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import find_meetings, line_bearing, turn_between

# Minimum distance of two crossings of the same courses, in widths of both; nearer ones count as one.
_APART: Final = 0.9

# Chord in mm for the local direction of a course at a mark, and the bend in degrees at which a mark follows it.
_HERE, _BENT = 20.0, 27.0


def chain_legs(placement: ZonePlacement) -> None:
    """Join the legs of each kind to courses, and store them with their crossings and junctions.

    They replace ``placement.courses`` and ``placement.crossings``.
    """
    courses: list[tuple[Piece, Course]] = []
    ends: list[tuple[Point, Course]] = []
    used_ids: set[str] = set()
    for group in _group_legs(placement):
        course = _build_course(placement, group, used_ids)
        courses.append((group[0].piece, course))
        ends += [(leg.meets, course) for leg in group if leg.meets is not None]
    placement.courses = [course for _, course in courses]
    placement.crossings = [*_find_crossings(placement, courses), *_find_junctions(placement, courses, ends)]


def _group_legs(placement: ZonePlacement) -> list[list[Leg]]:
    """Return the legs in rows: legs of one piece, each beginning at the point where the last one ends.

    A leg is in one row; legs are reversed where necessary.
    """
    free_legs = list(placement.legs)
    rows = []
    while free_legs:
        row = [free_legs.pop(0)]
        for forwards in (True, False):
            while (next_leg := _find_next_leg(placement, row, free_legs, forwards=forwards)) is not None:
                free_legs.remove(next_leg)
                oriented_leg = _orient_leg(placement, row, next_leg, forwards=forwards)
                row = [*row, oriented_leg] if forwards else [oriented_leg, *row]
        rows.append(row)
    return rows


def _find_next_leg(
    placement: ZonePlacement, row: Sequence[Leg], free_legs: Sequence[Leg], *, forwards: bool
) -> Leg | None:
    """Return a free leg that continues a row at its end, or at its start without ``forwards``; or None.

    It has the same piece, starts or ends at the same joint, and does not join a leg of the row.
    """
    last = row[-1] if forwards else row[0]
    joint = _joint_key(placement, last, at_end=forwards)
    if joint is None:
        return None
    for leg in free_legs:
        if (
            leg.piece is last.piece
            and not any(_legs_meet(leg, row_leg) for row_leg in row)
            and joint
            in (
                _joint_key(placement, leg, at_end=False),
                _joint_key(placement, leg, at_end=True),
            )
        ):
            return leg
    return None


def _legs_meet(leg: Leg, other: Leg) -> bool:
    """Return whether one of two legs ends on the other; a course of both would cross itself there."""
    ends = ((leg.meets, other.line), (other.meets, leg.line))
    return any(point is not None and point.distance(line) < TOUCH for point, line in ends)


def _orient_leg(placement: ZonePlacement, row: Sequence[Leg], leg: Leg, *, forwards: bool) -> Leg:
    """Return a leg, reversed if it runs against the row that it continues.

    It continues the row at its end, or at its start without ``forwards``.
    """
    joint = _joint_key(placement, row[-1] if forwards else row[0], at_end=forwards)
    if _joint_key(placement, leg, at_end=not forwards) == joint:
        return leg
    return replace(leg, line=LineString(leg.line.coords[::-1]), starts=leg.ends, ends=leg.starts)


def _joint_key(placement: ZonePlacement, leg: Leg, *, at_end: bool) -> Key | None:
    """Return the key of the joint at the end of a leg, or at its start without ``at_end``; or None.

    The legs on both sides of a joint have the same key. Return None for an end inside a zone or at the table edge.
    """
    joint = leg.ends if at_end else leg.starts
    if joint is None:
        return None
    zone, side = joint
    neighbour = placement.laying.grid.neighbour(zone, side)
    if neighbour is None:
        return None
    return (leg.piece.key, neighbour, side.opposite) if neighbour < zone else (leg.piece.key, zone, side)


def _build_course(placement: ZonePlacement, row: Sequence[Leg], used_ids: set[str]) -> Course:
    """Return the course of a row of legs, with its line and width in mm on the board.

    Its ID is that of its first roll that is not in ``used_ids``, otherwise the piece and a number from 1. The ID is
    added to ``used_ids``.
    """
    piece = row[0].piece
    measure = placement.measure(piece)
    results = [
        result for leg in row for result in placement.laying.log.placed_rolls(leg.zone) if result.roll in leg.rolls
    ]
    identity = next((result.id for result in results if result.id not in used_ids), "")
    if not identity:
        number = 1 + sum(name.startswith(f"{piece.key}-") for name in used_ids)
        identity = f"{piece.key}-{number}"
    used_ids.add(identity)
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
        origin=build_origin(row[0].zone, results, clauses),
    )


def _find_crossings(placement: ZonePlacement, courses: Sequence[tuple[Piece, Course]]) -> Iterator[Crossing]:
    """Yield the crossings of roads and railroad over streams, and of roads over the railroad (AC-N40).

    Positions are in mm on the board, bearings in degrees. IDs count from ``crossing-1``. Of several meetings close
    together only the first counts.
    """
    crossing_rules = CrossingRules.from_rules(placement.rules)
    number = 0
    for upper, upper_course in courses:
        lower_pieces = STREAMS if upper is Piece.RAILROAD else (*STREAMS, Piece.RAILROAD)
        if upper not in (*ROADS, Piece.RAILROAD):
            continue
        for lower, lower_course in courses:
            if lower not in lower_pieces or not upper_course.line.intersects(lower_course.line):
                continue
            last: Point | None = None
            for meeting in find_meetings(upper_course.line, lower_course.line):
                if last is not None and last.distance(meeting.at) < _APART * (upper_course.width + lower_course.width):
                    continue
                last = meeting.at
                kind = crossing_rules.kind(upper, lower)
                number += 1
                yield Crossing(
                    id=f"crossing-{number}",
                    kind=kind,
                    at=meeting.at,
                    bearing=_mark_bearing(upper_course, meeting.distance),
                    route=upper_course.id,
                    water=lower_course.id,
                    going=placement.going(kind.value),
                    origin=build_origin(_nearest_zone(placement, meeting.at), (), ("AC-N40", "AC-F39")),
                )


def _mark_bearing(course: Course, distance: float) -> float:
    """Return the bearing of a mark on a course, in degrees anticlockwise from +x.

    It is the direction over the length of the mark, or the local one at a bend. ``distance`` is the position of the
    mark, in mm on the board from the start of the course.
    """
    chord, local_bearing = (line_bearing(course.line, distance, length) for length in (2 * course.width + 4, _HERE))
    return chord if turn_between(chord, local_bearing) < _BENT else local_bearing


def _find_junctions(
    placement: ZonePlacement, courses: Sequence[tuple[Piece, Course]], ends: Sequence[tuple[Point, Course]]
) -> Iterator[Crossing]:
    """Yield the junctions where a road ends on another road.

    ``ends`` has the points, in mm on the board, where legs join another leg, each with its course. Its bearing is that
    of the road that ends, in degrees. IDs count from ``junction-1``. A point that is not within 1 mm of another road
    gives no junction.
    """
    roads = [course for piece, course in courses if piece in ROADS]
    number = 0
    for point, course in ends:
        main_roads = [road for road in roads if road is not course and road.line.distance(point) < 1.0]
        if course not in roads or not main_roads:
            continue
        number += 1
        yield Crossing(
            id=f"junction-{number}",
            kind=Kind.JUNCTION,
            at=point,
            bearing=line_bearing(course.line, course.line.project(point), 10.0),
            route=course.id,
            water=main_roads[0].id,
            going=placement.going("junction"),
            origin=build_origin(_nearest_zone(placement, point), (), ("AC-N14",)),
        )


def _nearest_zone(placement: ZonePlacement, point: Point) -> int:
    """Return the zone nearest to a point in mm on the board; the lower number on a tie."""
    return min(
        placement.sites.values(), key=lambda zone_ground: (shapely.distance(zone_ground.box, point), zone_ground.zone)
    ).zone
